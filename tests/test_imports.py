"""Imports point one way (docs/architecture.md); only the command prints and exits.

The sources are read, not run, so an import inside a function counts too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("sim", "analysis")
NOT_GAMES = {"core"}


def _modules() -> dict[str, Path]:
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = _modules()
GAMES = sorted({name.split(".")[1] for name in MODULES if name.count(".") >= 2 and name.startswith("sim.")} - NOT_GAMES)


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"), filename=str(MODULES[module]))


def _known(name: str) -> str:
    """The module of ours that `name` (a module, or something in one) belongs to, or `name` itself."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        if ".".join(parts[:length]) in MODULES:
            return ".".join(parts[:length])
    return name


def _only_for_types(tree: ast.Module) -> set[ast.AST]:
    """What stands under `if TYPE_CHECKING:`, which is never run."""
    return {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for statement in node.body
        for inner in ast.walk(statement)
    }


def imports_of(tree: ast.Module, module: str, is_package: bool, nodes: Iterator[ast.AST] | None = None) -> set[str]:
    """Every module that the source imports, in full."""
    found = set()
    for node in nodes if nodes is not None else ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {_known(alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = module.split(".") if is_package else module.split(".")[:-1]
                package = package[: len(package) - node.level + 1]
                base = ".".join([*package, base] if base else package)
            found |= {_known(f"{base}.{alias.name}") for alias in node.names}
    return found


@cache
def imported(module: str) -> frozenset[str]:
    return frozenset(imports_of(_tree(module), module, MODULES[module].name == "__init__.py"))


@cache
def imported_at_start(module: str) -> frozenset[str]:
    """What importing the module imports: all but what stands in functions or is for types alone."""
    tree = _tree(module)
    skipped = _only_for_types(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            skipped |= set(ast.walk(node))
    nodes = (node for node in ast.walk(tree) if node not in skipped)
    return frozenset(imports_of(tree, module, MODULES[module].name == "__init__.py", nodes))


def _under(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


def _breaches(inside: str, *banned: str) -> list[str]:
    return [
        f"{module} imports {other}"
        for module in MODULES
        if _under(module, inside)
        for other in sorted(imported(module))
        if _under(other, *banned)
    ]


def test_sim_never_imports_analysis():
    assert _breaches("sim", "analysis") == []


def test_the_core_imports_nothing_of_the_games():
    assert _breaches("sim.core", "sim.registry", *(f"sim.{game}" for game in GAMES)) == []


def test_the_core_names_no_game():
    """Neither in code nor in comments: what the games share would be wrong for the next one."""
    words = [word for game in GAMES for word in (game, game.replace("_", " "), game.replace("_", "-"))]
    named = [
        f"{module}: {word}"
        for module in MODULES
        if _under(module, "sim.core")
        for word in words
        if word in MODULES[module].read_text(encoding="utf-8").lower()
        and module != "sim.core.game"  # its docstrings give a game's name as an example
    ]
    assert named == []


def test_games_never_import_each_other_nor_the_registry():
    for game in GAMES:
        others = [f"sim.{other}" for other in GAMES if other != game]
        assert _breaches(f"sim.{game}", "sim.registry", *others) == []


def test_statistics_see_tables_never_files():
    banned = [f"analysis.{name}" for name in ("store", "results", "runner", "experiment", "report", "plots", "cli")]
    assert _breaches("analysis.stats", "sim", "pathlib", "os", "io", "shutil", "tempfile", *banned) == []
    opened = [
        f"{module}:{call.lineno}"
        for module in MODULES
        if _under(module, "analysis.stats")
        for call in ast.walk(_tree(module))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "open"
    ]
    assert opened == []


def test_nothing_imports_the_command():
    assert [f"{module} imports analysis.cli" for module in MODULES if "analysis.cli" in imported(module)] == []


def _is_exit(node: ast.AST) -> bool:
    text = ast.unparse(node) if isinstance(node, ast.Call | ast.Raise) else ""
    return text.startswith(("print(", "sys.exit(", "exit(", "quit(", "os._exit(", "raise SystemExit"))


def test_only_the_command_prints_and_exits():
    """What stands under `if __name__ == "__main__":` is a tool of its own and may."""
    found = [
        f"{module}:{node.lineno}"
        for module in MODULES
        if module != "analysis.cli"
        for statement in _tree(module).body
        if not (isinstance(statement, ast.If) and ast.unparse(statement.test) == "__name__ == '__main__'")
        for node in ast.walk(statement)
        if isinstance(node, ast.Call | ast.Raise) and _is_exit(node)
    ]
    assert found == []


def test_click_is_never_imported():
    """Typer carries a copy of its own; classes of the package `click` are not the ones it raises."""
    assert _breaches("sim", "click") + _breaches("analysis", "click") == []


def test_no_module_imports_itself_in_a_circle():
    done: set[str] = set()

    def walk(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module in done:
            return
        for other in sorted(imported_at_start(module) & MODULES.keys()):
            # `from sim import core` inside sim/core names the package that is being imported: no circle of modules.
            if other != module and not _under(module, other):
                walk(other, (*path, module))
        done.add(module)

    for module in MODULES:
        walk(module, ())


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import sim.registry", {"sim.registry"}),
        ("from sim import registry", {"sim.registry"}),
        ("def f():\n    from sim.core.game import Game", {"sim.core.game"}),
        ("from .core import game", {"sim.core.game"}),
        ("from . import registry as r", {"sim.registry"}),
    ],
)
def test_the_walk_itself_finds_imports_of_every_form(source, expected, monkeypatch):
    monkeypatch.setitem(MODULES, "sim.registry", ROOT / "sim" / "registry.py")
    assert imports_of(ast.parse(source), "sim.beside", is_package=False) == expected

"""A user's file of player models: read, looked through, run once.  Only the named file is loaded.

Running a user's file is running its code; what is looked at here are a beginner's slips, so that each is told in one
line with the file's line.  Nothing here keeps a file from doing harm.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import re
import sys
import traceback
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.core import compile as compiling
from sim.core.policy import Policy
from sim.core.words import listed, nearest, shown

IMPORTABLE = ("__future__", "math", "numba", "numpy", "sim", "typing")
"""What a file may import: packages whose versions are known; another file of the user would not be in its identity."""

LARGEST = 250_000
"""Bytes that a file has at most."""


class PlayerFileError(ValueError):
    """A user's file that cannot be played: `path`, `line` and `column` (from 1; 0: the whole file), `words`."""

    def __init__(self, path: Path, line: int, column: int, words: str) -> None:
        self.path, self.line, self.column, self.words = path, line, column, words
        place = f"{path}:{line}:{column}" if line and column else f"{path}:{line}" if line else str(path)
        super().__init__(f"{place}: {words}")


@dataclass(frozen=True)
class PlayerFile:
    """What a file holds.  policies: by name, in the file's order.

    content: SHA-256 (hex) of its bytes, and of the players that ship with a game where the file reuses any.
    """

    path: Path
    content: str
    policies: dict[str, Policy]


_LOADED: dict[tuple[Path, str], PlayerFile] = {}


def load(path: str | Path, fields: Mapping[str, Iterable[str]]) -> PlayerFile:
    """The player models of a file; raises PlayerFileError.

    fields: by the name of a parameter (`view`, `rules` …) the fields that its record has.  A file is run once for each
    content it has.
    """
    path = Path(path)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise PlayerFileError(path, 0, 0, f"cannot be read: {error.strerror or error}") from None
    key = (path.resolve(), hashlib.sha256(raw).hexdigest())
    if key not in _LOADED:
        if len(raw) > LARGEST:
            raise PlayerFileError(path, 0, 0, f"is longer than {LARGEST} bytes")
        tree = _parsed(path, raw)
        _look_through(path, tree, fields)
        module = _run(path, raw, key[1])
        digest = hashlib.sha256(raw)
        for reused in _reused(tree):
            digest.update(reused.read_bytes())
        _LOADED[key] = PlayerFile(path, digest.hexdigest(), _policies(path, tree, module))
    return _LOADED[key]


def exchange(file: PlayerFile, name: str, policy: Policy) -> None:
    """Let a loaded file hold another policy under a name: how a rehearsal watches the one that is there."""
    file.policies[name] = policy


def _imports(tree: ast.Module) -> Iterator[tuple[ast.Import | ast.ImportFrom, str]]:
    """Every import with the name of its module, beginning with a point for a relative one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node, "." * node.level + (node.module or "")


def _reused(tree: ast.Module) -> list[Path]:
    """The sources of the players that ship with a game, for each game of which the file imports players."""
    games = {name.split(".")[1] for _, name in _imports(tree) if name.split(".")[2:3] == ["policies"]}
    folders = [Path(compiling.__file__).parents[1] / game / "policies" for game in sorted(games)]
    return [source for folder in folders for source in sorted(folder.glob("*.py"))]


def _parsed(path: Path, raw: bytes) -> ast.Module:
    try:
        return ast.parse(raw, filename=str(path))
    except SyntaxError as error:
        raise PlayerFileError(path, error.lineno or 1, error.offset or 1, f"not valid Python: {error.msg}") from None
    except ValueError as error:
        raise PlayerFileError(path, 0, 0, f"not valid Python: {error}") from None


def _look_through(path: Path, tree: ast.Module, fields: Mapping[str, Iterable[str]]) -> None:
    """Imports of other files, fields that no record has, and a decorator without its name."""
    for node, name in _imports(tree):
        if name.partition(".")[0] not in IMPORTABLE:
            words = f"a player is one file; it may import {listed(IMPORTABLE)}, not {shown(name)}"
            raise PlayerFileError(path, node.lineno, node.col_offset + 1, words)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for decorator in function.decorator_list:
            if isinstance(decorator, ast.Name) and decorator.id == "policy":
                words = f'@policy needs a name; write @policy("{function.name}")'
                raise PlayerFileError(path, decorator.lineno, decorator.col_offset + 1, words)
        given = {argument.arg for argument in function.args.args} & fields.keys()
        for part in ast.walk(function):
            if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id in given:
                known = tuple(fields[part.value.id])
                if part.attr not in known:
                    guess = nearest(part.attr, known)
                    hint = f"did you mean {guess}?" if guess else f"it has: {listed(known)}"
                    words = f"{part.value.id} has no field {shown(part.attr)}; {hint}"
                    raise PlayerFileError(path, part.lineno, part.col_offset + 1, words)


def _run(path: Path, raw: bytes, content: str) -> types.ModuleType:
    # What was compiled for another content of the same file must not be taken for this one's.
    compiling.source_hash.cache_clear()
    compiling.cache_folder.cache_clear()
    whole = path.resolve()
    module = types.ModuleType(f"player_{content[:16]}")
    module.__file__ = str(whole)
    sys.modules[module.__name__] = module
    try:
        exec(compile(raw, str(whole), "exec"), module.__dict__)
    except Exception as error:
        raise PlayerFileError(path, line_of(error, whole), 0, told(error)) from None
    return module


def _policies(path: Path, tree: ast.Module, module: types.ModuleType) -> dict[str, Policy]:
    found: dict[str, Policy] = {}
    for value in module.__dict__.values():
        if isinstance(value, Policy) and plain(value.choose).__module__ == module.__name__:
            parameters = len(inspect.signature(plain(value.choose)).parameters)
            if parameters != 4:
                line = plain(value.choose).__code__.co_firstlineno
                words = f"{value.info.name} takes {parameters} parameters, not the four (rules, view, mind, stream)"
                raise PlayerFileError(path, line, 0, words)
            found[value.info.name] = value
    if not found:
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        likely = [node for node in functions if len(node.args.args) == 4] or functions
        if not likely:
            raise PlayerFileError(path, 1, 0, "no function is there; a player is a function under @policy(NAME)")
        last = likely[-1]
        words = f'no function has the decorator of a player; put @policy("{last.name}") above {last.name}'
        raise PlayerFileError(path, last.lineno, last.col_offset + 1, words)
    return found


def plain(choose: Any) -> Any:
    """The Python function that a compiled one was made of."""
    return getattr(choose, "py_func", choose)


def line_of(error: BaseException, path: Path) -> int:
    """The last line of the file that an exception went through; 0 when it went through none."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == path]
    return (lines[-1] or 0) if lines else 0


def told(error: BaseException) -> str:
    """An exception in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split()) or 'no message'}"[:300]


_LINE = re.compile(r'File "([^"]*)", line (\d+)')
_ATTRIBUTE = re.compile(r"Unknown attribute '(\w+)' of type (\w+)")
_UNTYPED = re.compile(r"Untyped global name '(\w+)':.*?Cannot determine Numba type of <class '([^']+)'>", re.DOTALL)
_UNDEFINED = re.compile(r"name '(\w+)' is not defined")
_NO_MEMBER = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")
_NOISE = re.compile(r"^(Failed in|During:|File |<source elided>|\^|- |def |This error|For more|Overload|There are)")


def uncompilable(path: Path, error: Exception, first_line: int) -> PlayerFileError:
    """What the compiler said of a file's function, shortened, with the line of the file it spoke of."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    name = path.name
    lines = [int(line) for file, line in _LINE.findall(text) if Path(file).name == name]
    line = lines[-1] if lines else first_line
    word = ""
    if match := _UNTYPED.search(text):
        word = match[1]
        if match[2] == "function":
            words = f"{word} is a plain function; put @jit above it, so that it can be compiled too"
        else:
            words = f"{word} is a {match[2]}, which compiled code cannot read; use numbers, tuples or NumPy arrays"
    elif match := _UNDEFINED.search(text):
        word, words = match[1], f"name {shown(match[1])} is not defined"
    elif match := _ATTRIBUTE.search(text):
        word, words = match[1], f"a {match[2].lower()} has no {shown(match[1])}"
    elif match := _NO_MEMBER.search(text):
        word, words = match[2], f"{match[1].rpartition('.')[2]} has no {shown(match[2])}"
    elif "none to int64" in text:
        words = "one way through the function returns nothing; every way must return a choice"
    else:
        kept = [each.strip() for each in text.splitlines() if each.strip() and not _NOISE.match(each.strip())]
        words = " ".join((kept[0] if kept else text).split())[:200]
    if word and not lines:
        # The compiler did not say where: the first line from the function on that has the word.
        source = path.read_text(encoding="utf-8", errors="replace").splitlines()
        found = (n for n, each in enumerate(source, start=1) if n >= first_line and re.search(rf"\b{word}\b", each))
        line = next(found, line)
    return PlayerFileError(path, line, 0, f"cannot be compiled: {words}")

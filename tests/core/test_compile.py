"""Compiled code is kept by the hash of all it may call, so that no stale code is ever run."""

from __future__ import annotations

import gc
import os
import pickle
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest

from sim.core import compile as compiling
from sim.core.compile import COMPILED, compiled_beside, inlaid, is_cached, jit

SIM = Path(compiling.__file__).resolve().parents[1]
GAME = SIM / "forbidden_island"


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A small tree of sources in the place of `sim`, and a clean memory of hashes."""
    for name in (
        "core/rng.py",
        "core/bits.py",
        "island/engine.py",
        "island/rules.py",
        "island/policies/idle.py",
        "island/policies/keen.py",
        "other/engine.py",
    ):
        file = tmp_path / "sim" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# {name}\n", encoding="utf-8")
    monkeypatch.setattr(compiling, "_SIM", tmp_path / "sim")
    monkeypatch.setenv("ISLANDLAB_CACHE_DIR", str(tmp_path / "cache"))
    forget()
    yield tmp_path / "sim"
    forget()


def forget():
    compiling.source_hash.cache_clear()
    compiling.cache_folder.cache_clear()


def folders(sim, *names):
    forget()
    return [compiling.cache_folder(sim / name) for name in names]


ENGINE, IDLE, OTHER, CORE = "island/engine.py", "island/policies/idle.py", "other/engine.py", "core/rng.py"


@pytest.mark.parametrize(
    ("edited", "changed"),
    [
        ("core/bits.py", {ENGINE, IDLE, OTHER, CORE}),  # everybody may call the core
        ("island/rules.py", {ENGINE, IDLE}),  # a game's own modules
        ("island/policies/keen.py", {IDLE}),  # players call each other, the engine calls none by name
        ("other/engine.py", {OTHER}),
    ],
)
def test_an_edited_source_gives_another_folder(copy, edited, changed):
    """All that may call the edited source is compiled anew, and nothing else."""
    names = [ENGINE, IDLE, OTHER, CORE]
    before = folders(copy, *names)
    assert folders(copy, *names) == before
    with (copy / edited).open("a", encoding="utf-8") as file:
        file.write("x = 1\n")
    after = folders(copy, *names)
    assert {name for name, old, new in zip(names, before, after, strict=True) if old != new} == changed


def test_a_new_source_gives_another_folder(copy):
    """A module that was not there before may be called too."""
    before = folders(copy, ENGINE)
    (copy / "island" / "maps.py").write_text("", encoding="utf-8")
    assert folders(copy, ENGINE) != before


def test_a_file_outside_depends_on_everything(copy):
    """A player model of a user, or a test, may call any game and any player."""
    mine = copy.parent / "mine.py"
    mine.write_text("", encoding="utf-8")
    before = folders(copy, mine)
    for edited in ("core/rng.py", ENGINE, IDLE, OTHER):
        (copy / edited).write_text("y = 2\n", encoding="utf-8")
        after = folders(copy, mine)
        assert after != before
        before = after
    mine.write_text("z = 3\n", encoding="utf-8")
    assert folders(copy, mine) != before


def test_the_versions_are_part_of_the_folder(copy, monkeypatch):
    """Another Numba or NumPy compiles anew."""
    before = folders(copy, ENGINE)
    monkeypatch.setattr(compiling.numba, "__version__", "0.0.0")
    assert folders(copy, ENGINE) != before


def test_where_the_cache_is(monkeypatch, tmp_path):
    """ISLANDLAB_CACHE_DIR first; else in the user's cache folder; where that cannot be written, a temporary one."""
    monkeypatch.setenv("ISLANDLAB_CACHE_DIR", str(tmp_path / "named"))
    assert compiling.cache_root() == tmp_path / "named"
    monkeypatch.delenv("ISLANDLAB_CACHE_DIR")
    if sys.platform != "win32":
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
        assert compiling.cache_root() == tmp_path / "home" / "islandlab"
        (tmp_path / "file").write_text("", encoding="utf-8")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
        assert compiling.cache_root().name.startswith("islandlab-")


def test_the_sources_of_the_engine_are_all_of_its_game():
    """The real tree: the engine's folder covers the core and the game without its players."""
    sources = set(compiling._sources_of(GAME / "engine.py"))
    assert {SIM / "core" / "rng.py", GAME / "rules.py", GAME / "legal.py", GAME / "chance.py"} <= sources
    assert not {path for path in sources if "policies" in path.parts}
    assert GAME / "legal.py" in compiling._sources_of(GAME / "policies" / "idle.py")


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_edited_code_is_not_run_stale(tmp_path):
    """A compiled function of a game calls one of another file: once that one is edited, the new code runs."""
    game = tmp_path / "sim" / "toy"
    shutil.copytree(SIM / "core", tmp_path / "sim" / "core", ignore=shutil.ignore_patterns("__pycache__"))
    game.mkdir()
    for package in (game, game.parent):
        (package / "__init__.py").write_text("", encoding="utf-8")
    (game / "engine.py").write_text(ENGINE_SOURCE, encoding="utf-8")
    environment = os.environ | {"ISLANDLAB_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-B", "-c", "from sim.toy.engine import ask; print(ask())"]

    def run(answer):
        (game / "rules.py").write_text(RULES_SOURCE.format(answer), encoding="utf-8")
        told = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        return told.stdout.strip()

    assert run(1) == "1"
    assert any((tmp_path / "cache").rglob("*.nbc"))
    assert run(2) == "2"


RULES_SOURCE = """
from sim.core.compile import jit

@jit
def answer():
    return {}
"""
ENGINE_SOURCE = """
from sim.core.compile import jit
from sim.toy.rules import answer

@jit
def ask():
    return answer()
"""


def test_with_the_compiler_off_functions_stay_plain():
    """NUMBA_DISABLE_JIT=1: `jit` gives back the function itself."""

    def plain():
        return 1

    wrapped = compiling.jit(plain, cache=False)
    assert (wrapped is plain) == (not COMPILED)
    assert wrapped() == 1


@pytest.mark.skipif(not COMPILED, reason="the compiler is off")
def test_an_inlaid_function_read_from_a_cache_is_kept():
    """The type of an inlaid function, pickled as the cache does, still holds a function when nothing else does."""
    from numba.core.dispatcher import Dispatcher
    from numba.core.serialize import dumps

    @jit(cache=False)
    def one():
        return 1

    text = dumps(numba.typeof(inlaid(one)))
    del one
    Dispatcher._recent.clear()
    gc.collect()
    read = pickle.loads(text)
    Dispatcher._recent.clear()
    gc.collect()
    assert read.dispatcher.py_func() == 1
    assert dumps(read)


def test_another_process_compiles_meanwhile(tmp_path):
    """It is given its arguments, and the block is left only when it is done."""
    with compiled_beside("import pathlib, sys; pathlib.Path(sys.argv[1]).touch()", str(tmp_path / "done")):
        pass
    assert (tmp_path / "done").exists() == (COMPILED and (os.cpu_count() or 1) > 1)


def test_what_goes_wrong_in_the_other_process_does_no_harm(capfd):
    """Whoever finds nothing in the cache compiles it; nothing is said."""
    with compiled_beside("raise RuntimeError"):
        pass
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(not COMPILED or (os.cpu_count() or 1) < 2, reason="there is no other process")
def test_the_other_process_ends_with_an_interrupted_block(tmp_path):
    """Ctrl-C leaves nothing running."""
    told = tmp_path / "pid"
    code = "import os, pathlib, sys, time; pathlib.Path(sys.argv[1]).write_text(str(os.getpid())); time.sleep(600)"

    def interrupted():
        with compiled_beside(code, str(told)):
            while not told.exists() or not told.read_text():
                time.sleep(0.05)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)


def test_what_was_compiled_is_found_in_the_cache(tmp_path, monkeypatch):
    """By its name, in the folder of its sources; a function that was not compiled is not found."""
    for name in ("seen", "unseen"):
        file = tmp_path / f"{name}.py"
        file.write_text(f"from sim.core.compile import jit\n\n\n@jit(entry=True)\ndef {name}(x):\n    return x + 1\n")
    monkeypatch.setenv("ISLANDLAB_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    forget()
    import seen
    import unseen

    if COMPILED:
        assert not is_cached(seen.seen)
        seen.seen(1)
        assert is_cached(seen.seen)
        assert not is_cached(unseen.unseen)
    forget()

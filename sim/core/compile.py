"""Compilation: `jit`, and a cache that never runs stale code.

Numba's own cache looks only at the file of the cached function, not at the modules that function calls. So every
compiled function is cached in a folder named after a hash of all the sources it may call.
"""

from __future__ import annotations

import gc
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np

_CONFIG: Any = numba.config

COMPILED: bool = not _CONFIG.DISABLE_JIT
"""False when NUMBA_DISABLE_JIT=1: the same sources then run as plain Python."""

CALLABLE: bool = os.environ.get("ISLANDLAB_CALLABLE", "") not in ("", "0")
"""True when every compiled function shall be callable from Python, as the tests of single rules need it."""

# Loops over two to four seats gain nothing from vectors or from eight copies of their body, and compile faster without.
_CONFIG.LOOP_VECTORIZE = 0
if COMPILED:
    llvm.set_option("islandlab", "-unroll-runtime=false")

_SIM = Path(__file__).resolve().parent.parent

if not COMPILED:
    # The generator wraps on purpose; NumPy scalars would warn at every wrap.
    np.seterr(over="ignore")


def _sources_of(file: Path) -> list[Path]:
    """Every source file that a function in `file` may call: the core, its own game, and (for players) the players."""
    found = sorted((_SIM / "core").glob("*.py"))
    try:
        inside = file.relative_to(_SIM)
    except ValueError:
        return [*found, *sorted(_SIM.glob("*/**/*.py")), file]
    game = _SIM / inside.parts[0]
    if game.name != "core":
        players = game / "policies"
        found += sorted(path for path in game.rglob("*.py") if players not in path.parents or players in file.parents)
    return found


def cache_root() -> Path:
    """The folder for compiled code: ISLANDLAB_CACHE_DIR, else the user's cache folder, else a temporary one."""
    named = os.environ.get("ISLANDLAB_CACHE_DIR")
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    root = base / "islandlab"
    try:
        root.mkdir(parents=True, exist_ok=True)
        probe = root / f".write-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        owner = os.getuid() if hasattr(os, "getuid") else "user"
        return Path(tempfile.gettempdir()) / f"islandlab-{owner}"
    return root


@lru_cache
def source_hash(file: Path) -> str:
    """SHA-256 (hex) over every source that compiled code of `file` depends on."""
    digest = hashlib.sha256()
    for path in _sources_of(file):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@lru_cache
def cache_folder(file: Path) -> Path:
    """The folder in which compiled code of `file` is kept; another source, Numba or Python gives another folder."""
    key = f"{source_hash(file)}-{numba.__version__}-{np.__version__}-{sys.implementation.cache_tag}-{CALLABLE}"
    return cache_root() / hashlib.sha256(key.encode()).hexdigest()[:20]


def jit(
    function: Callable[..., Any] | None = None,
    *,
    inline: bool = False,
    cache: bool = True,
    entry: bool = False,
    pointer: bool = False,
) -> Any:
    """Compile a function without the interpreter lock, cached by the hash of all it may call.

    inline: force the compiler to inline it; for the few smallest helpers, and for what one place calls: anything else
    multiplies compile time.
    entry: Python calls it.  pointer: it will be handed on as a function pointer.  All others are spared those wrappers,
    which take a third of the compile time.
    """

    def wrap(plain: Callable[..., Any]) -> Any:
        options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
        if inline:
            options["forceinline"] = True
        if not pointer:
            options["no_cfunc_wrapper"] = True
        if not (entry or CALLABLE):
            options["no_cpython_wrapper"] = True
        if not COMPILED:
            return plain
        if cache:
            _CONFIG.CACHE_DIR = str(cache_folder(Path(plain.__code__.co_filename)))
            options["cache"] = True
        return numba.njit(**options)(plain)

    return wrap if function is None else wrap(function)


def compile_for(dispatcher: Any, signature: Any, *, vectors: bool = False) -> Any:
    """Compile `dispatcher` for one explicit signature (or load it from the cache) and accept no other.

    vectors: let the compiler work on several numbers at once in it and in what it calls: sums stay in their order.
    """
    if COMPILED and not dispatcher.signatures:
        # The compiler makes long-lived objects by the million; looking through them for garbage takes its time.
        collecting = gc.isenabled()
        gc.disable()
        _CONFIG.LOOP_VECTORIZE = int(vectors)
        try:
            dispatcher.compile(signature)
        finally:
            _CONFIG.LOOP_VECTORIZE = 0
            if collecting:
                gc.enable()
        dispatcher.disable_compile()
    return dispatcher


def is_cached(dispatcher: Any) -> bool:
    """Whether compiled code of a function seems to be in the cache; a hint, which another process may outdate."""
    plain = dispatcher.py_func
    return any(cache_folder(Path(plain.__code__.co_filename)).glob(f"**/*.{plain.__qualname__}-*.nbi"))


@contextmanager
def compiled_beside(code: str, *arguments: str) -> Iterator[None]:
    """While the block runs, another process runs some Python code that compiles into the cache.

    The compiler works on one function at a time in a process; a second process takes a second core.  What goes wrong
    there does no harm: whoever finds nothing in the cache compiles it.
    """
    command = [sys.executable, "-P", "-c", code, *arguments]
    beside: subprocess.Popen[bytes] | None = None
    if COMPILED and sys.executable and (os.cpu_count() or 1) > 1:
        with suppress(OSError):
            quiet = subprocess.DEVNULL
            beside = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
    try:
        yield
        if beside:
            beside.wait()
    finally:
        if beside and beside.poll() is None:
            beside.kill()
            beside.wait()


def inlaid(function: Any) -> Any:
    """A compiled function that compiled code hands on as an argument, of a type of its own.

    Numba's own type for that puts an address into the code, which then cannot be cached.
    """
    return _Inlaid(function) if COMPILED else function


class _Inlaid:
    def __init__(self, function: Any) -> None:
        self.function = function


if COMPILED:
    from numba.core.imputils import lower_constant
    from numba.extending import models, register_model, typeof_impl

    class _InlaidType(numba.types.Dispatcher):
        """The function is in the type; its value is nothing.

        Numba's own type does not keep its function alive. One read from the cache would lose it, and with it the cache.
        """

        def _store_object(self, function: Any) -> None:
            super()._store_object(function)  # type: ignore[misc]
            self.kept = function

    register_model(_InlaidType)(models.OpaqueModel)

    @typeof_impl.register(_Inlaid)
    def _type_of(value: Any, _context: Any) -> Any:
        return _InlaidType(value.function)

    @lower_constant(_InlaidType)
    def _constant(context: Any, _builder: Any, _type: Any, _value: Any) -> Any:
        return context.get_dummy_value()

"""Which player model a policy spec means: one that ships with the game, or one from a user's file."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from sim.core import rng
from sim.core.compile import COMPILED, compiled_beside, is_cached
from sim.core.game import Parameter, PolicyFault, Problem, SettingsError
from sim.core.policy import MIND, Policy
from sim.core.userfile import PlayerFile, PlayerFileError, load, plain, told, uncompilable
from sim.core.words import shown, unknown
from sim.forbidden_island import learned
from sim.forbidden_island.policies import POLICIES
from sim.forbidden_island.policies.weights import numbers
from sim.forbidden_island.state import RULES, VIEW

FIELDS = {
    "view": VIEW.names or (),
    "rules": RULES.names or (),
    "mind": MIND.names or (),
    "stream": rng.STREAM.names or (),
}
"""By the name of a policy's parameter: the fields of its record."""

PATIENCE = 20.0
"""Seconds that a user's player may take for one choice."""


def player_file(spec: Mapping[str, Any]) -> PlayerFile:
    """The file of a resolved spec; raises PlayerFileError when it is gone or is no longer what it was."""
    file = load(spec["file"], FIELDS)
    if file.content != spec["content"]:
        raise PlayerFileError(file.path, 0, 0, "has changed since the experiment was read")
    return file


def model(spec: Mapping[str, Any]) -> Policy:
    """The player model of a resolved spec."""
    if "file" in spec:
        return player_file(spec).policies[spec["name"]]
    chosen = POLICIES[spec["name"]]
    if learned.PARAMETER in spec:
        return replace(chosen, weights=numbers(learned.of(spec[learned.PARAMETER])[0]))
    return chosen


def resolve(spec: Any) -> dict[str, Any]:
    """A spec (a name, or a mapping with `name` or `file`) with every parameter; raises SettingsError with all problems.

    Of a file the result has its path as it was given and, as `content`, the SHA-256 of its bytes.
    """
    given: Mapping[Any, Any] = spec if isinstance(spec, Mapping) else {"name": spec}
    if "file" in given:
        resolved, declared = _from_file(given)
    else:
        name = given.get("name")
        if not isinstance(name, str) or name not in POLICIES:
            path = ("name",) if isinstance(spec, Mapping) and "name" in given else ()
            raise SettingsError([Problem(path, name, unknown("policy", name, POLICIES))])
        resolved, declared = {"name": name}, POLICIES[name].info.parameters
    problems: list[Problem] = []
    known = {"name", "file", *(item.name for item in declared)}
    if learned.PARAMETER in given and "file" not in given and POLICIES[resolved["name"]].learns:
        sign, problems = learned.settle(given[learned.PARAMETER])
        resolved[learned.PARAMETER] = sign
        known.add(learned.PARAMETER)
    problems += [
        Problem((str(key),), value, unknown(f"parameter of {resolved['name']}", key, [item.name for item in declared]))
        for key, value in given.items()
        if key not in known
    ]
    for item in declared:
        value = given.get(item.name, item.default)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not item.low <= value <= item.high:
            problems.append(Problem((item.name,), value, f"a number in {item.low:g}..{item.high:g}"))
        else:
            resolved[item.name] = float(value)
    if problems:
        raise SettingsError(problems)
    return resolved


def _from_file(given: Mapping[Any, Any]) -> tuple[dict[str, Any], tuple[Parameter, ...]]:
    path, name = given["file"], given.get("name")
    if not isinstance(path, str) or Path(path).suffix != ".py":
        raise SettingsError([Problem(("file",), path, f"{shown(path)} is not the path of a Python file (.py)")])
    try:
        file = load(path, FIELDS)
    except PlayerFileError as error:
        raise SettingsError([Problem(("file",), path, str(error))]) from None
    if name is None and len(file.policies) > 1:
        words = f"holds {len(file.policies)} players; name one of them: " + ", ".join(file.policies)
        raise SettingsError([Problem(("file",), path, f"{path} {words}")])
    if name is None:
        name = next(iter(file.policies))
    elif name not in file.policies:
        raise SettingsError([Problem(("name",), name, unknown("player of the file", name, file.policies))])
    if name in POLICIES:
        words = f"{path} names its player {shown(name)}, as one that ships with the game; choose another name"
        raise SettingsError([Problem(("file",), path, words)])
    return {"name": name, "file": path, "content": file.content}, file.policies[name].info.parameters


def pointer(chosen: Policy, spec: Mapping[str, Any], signature: Any) -> Any:
    """The compiled function of a model; raises PlayerFileError when a user's cannot be compiled."""
    if "file" not in spec:
        return chosen.pointer(signature)
    try:
        return chosen.pointer(signature)
    except Exception as error:  # the compiler has many kinds of them
        first_line = plain(chosen.choose).__code__.co_firstlineno
        raise uncompilable(Path(spec["file"]), error, first_line) from None


_COMPILE = """
import sys
from sim.forbidden_island.engine import CHOOSE
from sim.forbidden_island.policies import POLICIES
POLICIES[sys.argv[1]].pointer(CHOOSE)
"""


def compiled_meanwhile(chosen: Policy, spec: Mapping[str, Any], run: Any) -> AbstractContextManager[None]:
    """While the block runs, another process compiles a shipped model; nothing when it is, or the engine `run` is."""
    if not COMPILED or "file" in spec or run.signatures or is_cached(run) or is_cached(chosen.choose):
        return nullcontext()
    return compiled_beside(_COMPILE, spec["name"])


# ---- a user's player is played under watch ------------------------------------------------------------------------


def watched(name: str, seed: int, play: Callable[[], int], where: Callable[[], tuple[int, int]]) -> int:
    """What `play` returns, played in a thread of its own.  Raises PolicyFault for an exception or no answer.

    where: the number of the trial that is being played and of the questions put in it.  A compiled loop without an end
    cannot be stopped; its thread is left behind and ends with the process.
    """
    if not COMPILED:
        return play()
    results: list[Any] = []

    def run() -> None:
        try:
            results.append(play())
        except BaseException as error:
            results.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    before = None
    while thread.is_alive():
        now = where()
        if now == before:
            raise PolicyFault(name, seed, now[0], f"an endless loop? No answer within {PATIENCE:.0f} s")
        before = now
        thread.join(PATIENCE)
    if isinstance(results[0], Exception):
        raise PolicyFault(name, seed, where()[0], told(results[0]))
    if isinstance(results[0], BaseException):
        raise results[0]
    return int(results[0])

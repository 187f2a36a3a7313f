"""The door by which a player model enters an engine.

A policy is one function, `choose(rules, view, mind, stream) -> choice`, compiled to a function pointer:
the engine is compiled once and calls whatever pointer it is handed.  It is given what players may know and a random
stream of its own; there is nothing else in reach.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from sim.core.compile import compile_for, jit
from sim.core.game import Parameter, PolicyInfo

Mind: TypeAlias = Any  # a record of MIND
Choose: TypeAlias = Any  # a compiled choose function

NUMBERS = 1 << 17
LEARNED = 1 << 18
MEMORY = 1 << 13

MIND = np.dtype(
    [
        ("numbers", np.float64, (NUMBERS,)),  # its parameters in their declared order, then its weights
        ("learned", np.float32, (LEARNED,)),  # its weights, when they were learned
        ("memory", np.float64, (MEMORY,)),  # what it noted; the part it declared is zero when a game begins
        ("memory_used", np.int64),  # how many places of the memory it declared
        ("mistakes", np.float64),  # share of its answers that the engine replaces by a random legal one
        ("traced", np.int64),  # 1 while a trace is made: only then need a model say why
        ("reason", np.int64),  # why it answered as it did: a number in its declared reasons, 0 for none
        ("about", np.int64),  # what the reason speaks of: a cell, a seat, a card, as the words say
    ],
    align=True,
)
"""What a player model brings to the table.  One record, for a pointer is the cheapest thing to hand on."""

MISTAKES = Parameter(
    "mistakes", 0.0, 0.0, 1.0, "the share of its decisions that are replaced by a legal one drawn at random"
)
"""The parameter that every model has.  The engine sees to it, so that no model need know of it."""


@jit
def because(mind: Mind, reason: int, about: int) -> None:
    """Note why the answer about to be given was chosen: the number of a declared reason, and what it speaks of."""
    mind.reason = reason
    mind.about = about


@dataclass(frozen=True)
class Policy:
    """A player model: what reports say of it (`info`), and the function that decides (`choose`).

    memory: how many float64 the model may keep between its choices of one game (all zero when a game begins).
    weights: numbers that follow its parameters in the array it is given; fixed, but within reach of tuning.  A NumPy
    array of them, learned ones, stands apart in `learned`.
    learns: its weights are trained, and a user may name a file of others.
    reasons: what a trace says of its choices, by number from 1 (see `because`); the game says what may stand in braces.
    """

    info: PolicyInfo
    choose: Any
    memory: int = 0
    weights: tuple[float, ...] | np.ndarray = ()
    reasons: tuple[str, ...] = ()
    learns: bool = False

    @property
    def parts(self) -> dict[str, Any]:
        """What a model that reuses this one's functions declares: `@policy(NAME, **other.parts)`."""
        return {
            "parameters": tuple(item for item in self.info.parameters if item is not MISTAKES),
            "memory": self.memory,
            "weights": self.weights,
            "reasons": self.reasons,
            "learns": self.learns,
            "games_per_second": self.info.games_per_second,
        }

    def mind(self, parameters: Mapping[str, Any]) -> np.ndarray:
        """An array of one MIND record: its own parameters in their order (at their defaults where none is given), its
        weights, its mistakes.
        """
        own = [item for item in self.info.parameters if item is not MISTAKES]
        numbers = np.array([float(parameters.get(item.name, item.default)) for item in own])
        minds = np.zeros(1, MIND)
        minds[0]["mistakes"] = parameters.get(MISTAKES.name, MISTAKES.default)
        if isinstance(self.weights, np.ndarray):
            minds[0]["learned"][: len(self.weights)] = self.weights
        else:
            numbers = np.concatenate([numbers, self.weights])
        minds[0]["numbers"][: len(numbers)] = numbers
        minds[0]["memory_used"] = self.memory
        return minds

    def pointer(self, signature: Any) -> Any:
        """The compiled function for the engine's signature (the plain function when the compiler is off)."""
        return compile_for(self.choose, signature, vectors=self.learns)


def policy(
    name: str,
    *,
    parameters: tuple[Parameter, ...] = (),
    memory: int = 0,
    weights: tuple[float, ...] | np.ndarray = (),
    learns: bool = False,
    reasons: tuple[str, ...] = (),
    games_per_second: float = 50_000.0,
    sources: tuple[Path, ...] = (),
) -> Callable[[Callable[..., int]], Policy]:
    """Make a player model of a `choose` function.  Its module's docstring is the model's description.

    parameters: its own; `mistakes` is added to every model's.
    sources: further files that decide what it does; with its own file they are part of a cell's identity.
    """

    def enter(choose: Callable[..., int]) -> Policy:
        module = sys.modules[choose.__module__]
        text = inspect.cleandoc(module.__doc__ or choose.__doc__ or "")
        summary, _, description = text.partition("\n")
        digest = hashlib.sha256(f"{name} {weights!r}".encode() if isinstance(weights, tuple) else name.encode())
        if isinstance(weights, np.ndarray):
            digest.update(weights.tobytes())
        for file in (Path(choose.__code__.co_filename), *sources):
            digest.update(file.read_bytes())
        source = digest.hexdigest()
        info = PolicyInfo(name, summary.strip(), description.strip(), (*parameters, MISTAKES), games_per_second, source)
        return Policy(info, jit(choose, pointer=True), memory, weights, reasons, learns)

    return enter

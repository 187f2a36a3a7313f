"""What a game offers to whoever trains a learned value for it: games written down as lessons, and weights as files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

Networks: TypeAlias = Mapping[str, np.ndarray]
"""Name of a network -> its numbers: (inputs, units) by rows, the units' constants, their weights, a constant."""


@dataclass(frozen=True)
class Lessons:
    """Positions of some games, in the order in which they were met.

    x: (n, inputs) float32, the features.  value: (n,) the chance of winning by the networks that played.
    game: (n,) number of the game from 0.  cut: (n,) whether what followed says nothing of the position (a turn played
    at random).  won: (games,) how each game ended.
    """

    x: np.ndarray
    value: np.ndarray
    game: np.ndarray
    cut: np.ndarray
    won: np.ndarray


class Teacher(Protocol):
    """Plays the games from which the value of one player model is learned."""

    @property
    def model(self) -> str:
        """The player model's name."""

    @property
    def inputs(self) -> int:
        """Features of a position."""

    @property
    def units(self) -> int:
        """Hidden units of a network."""

    def prepare(self) -> None:
        """Have all that plays compiled, so that threads need not."""

    def network_of(self, knobs: Mapping[str, Any]) -> str:
        """Which network values positions under these rules."""

    def first_lessons(self, knobs: Mapping[str, Any], seed: int, first: int, games: int) -> Lessons:
        """Games of a simple team, for a beginning; `value` is of no meaning."""

    def lessons(
        self,
        knobs: Mapping[str, Any],
        networks: Networks,
        width: int,
        explore: float,
        seed: int,
        first: int,
        games: int,
    ) -> Lessons:
        """Games of the model itself with these networks; a share `explore` of the turns goes astray."""

    def unpack(self, data: bytes) -> tuple[Networks, dict[str, Any]]:
        """The networks of a weights file, every one that there is, and what it says of itself; raises ValueError."""

    def pack(self, networks: Networks, about: Mapping[str, Any]) -> bytes:
        """A weights file; the same bytes for the same numbers."""


@runtime_checkable
class Learns(Protocol):
    """A game that has a player who learns."""

    def teacher(self) -> Teacher:
        """Who plays the games from which the player learns."""

    def untrained(self, knobs: Mapping[str, Any], policy: Mapping[str, Any]) -> tuple[str, ...]:
        """The knobs by which these rules differ from all that the policy was trained for; empty when nothing does."""

"""Game name → game; a game is imported when it is first asked for."""

from __future__ import annotations

from importlib import import_module

from sim.core.game import Game
from sim.core.words import unknown

_MODULES = {"forbidden_island": "sim.forbidden_island"}
"""Where each game lives: a package whose `GAME` fills the protocol `sim.core.game.Game`."""


class UnknownGameError(LookupError):
    """No game has this name; the message says which exist."""

    def __init__(self, name: object) -> None:
        self.name = name
        super().__init__(unknown("game", name, _MODULES))


def names() -> tuple[str, ...]:
    """The name of every game, without importing any."""
    return tuple(_MODULES)


def get(name: str) -> Game:
    """The game of this name; raises UnknownGameError."""
    if not isinstance(name, str) or name not in _MODULES:
        raise UnknownGameError(name)
    game: Game = import_module(_MODULES[name]).GAME
    return game

"""Every answer that a player can give, as one numbered list: the action space and its mask."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from sim.core.compile import COMPILED, jit
from sim.forbidden_island import legal
from sim.forbidden_island.constants import (
    BAG,
    CAPTURE,
    DISCARD,
    ESCAPE,
    FLOOD,
    FLY,
    GIVE,
    LEAVE,
    LIFT,
    MAX_PLAYERS,
    MOVE,
    N_TILES,
    N_TREASURES,
    NAVIGATE,
    PASS,
    SANDBAGS,
    SHORE_UP,
    SHORE_UP_TWO,
    SWIM,
)

_CELLS, _SEATS = range(N_TILES), range(MAX_PLAYERS)


def _code(kind: int, first: int = 0, second: int = 0, third: int = 0) -> int:
    """As the constructors of `choices`, in plain Python."""
    return kind | first << 4 | second << 10 | third << 16


CHOICES = np.array(
    [_code(PASS)]
    + [_code(MOVE, cell) for cell in _CELLS]
    + [_code(FLY, cell) for cell in _CELLS]
    + [_code(NAVIGATE, pawn, cell) for pawn in _SEATS for cell in _CELLS]
    + [_code(SHORE_UP, cell) for cell in _CELLS]
    + [_code(SHORE_UP_TWO, one, other) for one, other in combinations(_CELLS, 2)]
    + [_code(GIVE, to, card) for to in _SEATS for card in range(N_TREASURES)]
    + [_code(CAPTURE, treasure) for treasure in range(N_TREASURES)]
    + [_code(LEAVE)]
    + [_code(LIFT, seat, cell, pawns) for seat in _SEATS for cell in _CELLS for pawns in range(1, 1 << MAX_PLAYERS)]
    + [_code(BAG, seat, cell) for seat in _SEATS for cell in _CELLS]
    + [_code(ESCAPE, seat) for seat in _SEATS]
    + [_code(DISCARD, card) for card in range(SANDBAGS + 1)]
    + [_code(SWIM, cell) for cell in _CELLS]
    + [_code(FLOOD, cell) for cell in _CELLS],
    np.int64,
)
"""(2060,) choices by number of the action."""


@jit(entry=True)
def _mark(ruleses: np.ndarray, views: np.ndarray, answers: np.ndarray, mask: np.ndarray) -> int:
    legals = 0
    for i in range(answers.size):
        mask[i] = 1 if legal.allows(ruleses[0], views[0], answers[i]) else 0
        legals += mask[i]
    return legals


def mask_of(rules: np.ndarray, views: np.ndarray) -> np.ndarray:
    """(2060,) int8: which actions are legal at the choice that a view is at.  rules, views: arrays of one record."""
    mask = np.zeros(CHOICES.size, np.int8)
    records: list[Any] = [array if COMPILED else array.view(np.recarray) for array in (rules, views)]
    _mark(*records, CHOICES, mask)
    return mask

"""What the engine writes down of a game that is traced: four integers an event.  `trace.py` makes events of them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from sim.core.compile import jit

(
    TURN,
    MOVED,
    FLOWN,
    NAVIGATED,
    SHORED,
    GIVEN,
    CAPTURED,
    DRAWN,
    RISEN,
    DISCARDED,
    LIFTED,
    BAGGED,
    RESHUFFLED,
    FLOODED,
    CHOSEN,
    SWUM,
    ELIMINATED,
    ESCAPED,
    FLOODED_FIRST,
    DEALT,
    REASON,
) = range(1, 22)

MISTAKE = -1
"""The reason for a choice that was none of the player's."""

DRY_TO_FLOODED, TO_SUNK, TO_SAVED = range(3)
TREASURE_DECK, FLOOD_DECK = range(2)


Log: TypeAlias = Any  # a record of LOG

ROOM = 1 << 18

LOG = np.dtype(
    [
        ("recording", np.int64),  # 1 for a game that is traced
        ("events", np.int64),  # how many were written
        ("entry", np.int64, (ROOM, 4)),  # event, and three numbers
    ],
    align=True,
)
"""Untouched memory costs nothing, so that every table can have one."""


@jit
def note(log: Log, event: int, first: int, second: int, third: int) -> None:
    """Write one event, if this game is traced and there is room (`game.trace` refuses a full log)."""
    if log.recording and log.events < ROOM:
        at = log.events
        log.entry[at, 0] = event
        log.entry[at, 1] = first
        log.entry[at, 2] = second
        log.entry[at, 3] = third
        log.events = at + 1

"""What the engine writes down of a game that is traced: four integers an event.

`log[0]` is the length in use; a log of one element records nothing.  `trace.py` turns the integers into events.
"""

from __future__ import annotations

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
) = range(1, 21)

DRY_TO_FLOODED, TO_SUNK, TO_SAVED = range(3)
TREASURE_DECK, FLOOD_DECK = range(2)


@jit
def note(log: np.ndarray, event: int, first: int, second: int, third: int) -> None:
    """Write one event, if this game is traced and there is room (the room covers the longest game)."""
    if log.size > 1:
        at = log[0]
        if at + 4 < log.size:
            log[at + 1] = event
            log[at + 2] = first
            log[at + 3] = second
            log[at + 4] = third
            log[0] = at + 4

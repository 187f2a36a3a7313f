"""The view as one vector of small whole numbers: scalars as they are, sets as a 0 or 1 for each member."""

from __future__ import annotations

import numpy as np

from sim.forbidden_island.constants import N_TILES, N_TREASURES
from sim.forbidden_island.state import VIEW

SETS = {
    "captured": N_TREASURES,
    "land": N_TILES,
    "flooded": N_TILES,
    "treasure_cells": N_TILES,
    "flood_discard": N_TILES,
    "layer": N_TILES,
}
"""Fields that are sets, and of how many."""


def _fields() -> tuple[dict[str, slice], int]:
    places: dict[str, slice] = {}
    at = 0
    for name in VIEW.names or ():
        size = int(np.prod(VIEW[name].shape, dtype=int)) * SETS.get(name, 1)
        places[name] = slice(at, at + size)
        at += size
    return places, at


FIELDS, SIZE = _fields()
"""Where each field of the view stands in an observation, and how long that is."""

LOWEST, HIGHEST = -1, 32_767


def observed(view: np.ndarray) -> np.ndarray:
    """(SIZE,) int16: a view (an array of one VIEW record) as an observation."""
    found = np.zeros(SIZE, np.int16)
    record = view[0]
    for name, place in FIELDS.items():
        values = np.atleast_1d(np.asarray(record[name], np.int64)).ravel()
        if name in SETS:
            values = (values[:, None] >> np.arange(SETS[name]) & 1).ravel()
        found[place] = values
    return found

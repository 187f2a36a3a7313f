"""The shapes of the island: named maps, drawn maps, and what makes a shape playable."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from typing import Any

from sim.core.game import Problem
from sim.core.words import not_one_of, shown

CELLS = 24
"""Tiles of the island (FI-1.1), so cells of every map."""

LARGEST = 24
"""Rows and columns that a drawn map has at most, empty ones around the island not counted."""

HEX_ROWS = ("####", "#####", "######", "#####", "####")
"""The one map of `grid: hex`: 24 hexagons, each row centred."""


def _load() -> dict[str, tuple[str, ...]]:
    text = resources.files("sim.forbidden_island").joinpath("maps.json").read_text(encoding="utf-8")
    return {name: trim(rows) for name, rows in json.loads(text).items()}


def trim(rows: Sequence[str]) -> tuple[str, ...]:
    """The rows without the empty rows and columns around the island; every row of `rows` is equally long."""
    used = [r for r, row in enumerate(rows) if "#" in row]
    columns = [c for row in rows for c, cell in enumerate(row) if cell == "#"]
    if not used:
        return ()
    return tuple(row[min(columns) : max(columns) + 1] for row in rows[used[0] : used[-1] + 1])


def connected(rows: Sequence[str]) -> bool:
    """Whether every cell is reached from every other across shared edges (square grid)."""
    cells = {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "#"}
    todo = [min(cells)] if cells else []
    seen = set(todo)
    while todo:
        r, c = todo.pop()
        near = {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)} & cells - seen
        seen |= near
        todo.extend(near)
    return seen == cells


def read(value: Any) -> tuple[tuple[str, ...] | None, list[Problem]]:
    """The trimmed rows of a map's name or drawing (square grid), or None with every problem found.

    Paths of problems start at the map itself: `()`, or `(3,)` for the row with index 3.
    """
    if isinstance(value, str):
        if "#" in value:
            words = f"{shown(value)} is one text; draw a map as a list of quoted rows of # and ."
            return None, [Problem((), value, words)]
        if value not in NAMED_MAPS:
            words = not_one_of(value, NAMED_MAPS) + "; a map may also be drawn as a list of rows of # and ."
            return None, [Problem((), value, words)]
        return NAMED_MAPS[value], []
    if not isinstance(value, list | tuple) or not value:
        words = f"{shown(value)} is neither the name of a map nor a list of rows of # and ."
        return None, [Problem((), value, words)]
    problems = _row_problems(value)
    if problems:
        return None, problems
    count = sum(row.count("#") for row in value)
    if count != CELLS:
        return None, [Problem((), value, f"the map has {count} cells (#); exactly {CELLS} are needed (FI-1.1)")]
    rows = trim(value)
    if max(len(rows), len(rows[0])) > LARGEST:
        words = f"the map is {len(rows)} rows by {len(rows[0])} columns; at most {LARGEST} by {LARGEST} are allowed"
        return None, [Problem((), value, words)]
    return rows, []


def _row_problems(value: Sequence[Any]) -> list[Problem]:
    problems = []
    length = next((len(row) for row in value if isinstance(row, str)), 0)
    for i, row in enumerate(value):
        if row is None:
            words = 'this row is empty; put rows in quotes ("####"), because a bare # starts a comment'
        elif not isinstance(row, str):
            words = f"{shown(row)} is not a row of # and . (put rows in quotes)"
        elif set(row) - {"#", "."}:
            strange = next(cell for cell in row if cell not in "#.")
            words = f"{shown(row)} holds {shown(strange)}; only # (a cell) and . (none) are allowed"
        elif len(row) != length:
            words = f"{shown(row)} is {len(row)} long and the first row {length}; fill short rows up with ."
        else:
            continue
        problems.append(Problem((i,), row, words))
    return problems


NAMED_MAPS: dict[str, tuple[str, ...]] = _load()
"""Every map that ships with the game, name to trimmed rows; `standard` is the box's."""

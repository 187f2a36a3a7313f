"""What players do in a game: actions by kind, cards used and wasted, turns with little to choose, waiting.

Counts over all games of a cell, taken chunk by chunk; what there is to tell is declared by the game (`Game.aspects`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.results import Results
from analysis.tables import WON, Growing

# Shoring per turn is sorted into bins of this width, up to BINS of them; a report joins them to a few groups.
WIDTH, BINS = 0.1, 60


@dataclass(frozen=True)
class Moments:
    """Exact sums over n games of two numbers x and y: x, y, x², y², xy."""

    n: int
    x: int
    y: int
    xx: int
    yy: int
    xy: int

    def __add__(self, other: Moments) -> Moments:
        mine, theirs = vars(self).values(), vars(other).values()
        return Moments(*(a + b for a, b in zip(mine, theirs, strict=True)))


def moments(x: np.ndarray, y: np.ndarray) -> Moments:
    """The sums of two arrays of whole numbers."""
    x, y = x.astype(np.int64), y.astype(np.int64)
    return Moments(len(x), int(x.sum()), int(y.sum()), int(x @ x), int(y @ y), int(x @ y))


@dataclass(frozen=True, eq=False)
class Effort:
    """What players of one cell do.

    parts: effort -> column -> (x: the column, y: the sum of the effort's columns).  specials: label -> (x: wasted,
    y: used and wasted).  choices: (x, y: turns) of turns that began with nothing, and with at most one thing, open.
    shoring: (2, BINS) games not won and won by the declared effort per turn, in steps of WIDTH.
    """

    parts: Mapping[str, Mapping[str, Moments]]
    specials: Mapping[str, Moments]
    choices: tuple[Moments, Moments] | None
    shoring: np.ndarray | None


def effort(results: Results, cell: str) -> Effort:
    """Everything `Effort` holds, in one pass."""
    aspects = results.game.aspects
    columns = dict.fromkeys(["result", "turns"])
    for one in aspects.efforts:
        columns |= dict.fromkeys(name for name, _ in one.parts)
    for special in aspects.specials:
        columns |= dict.fromkeys([special.used, special.wasted])
    columns |= dict.fromkeys(aspects.choices or ())
    if aspects.shoring:
        columns[aspects.shoring[0]] = None
    won_code = (results.column("result").labels or ()).index(WON)
    none = Moments(0, 0, 0, 0, 0, 0)
    parts = {one.name: dict.fromkeys((name for name, _ in one.parts), none) for one in aspects.efforts}
    specials = dict.fromkeys((special.label for special in aspects.specials), none)
    choices = [none, none]
    shoring = np.zeros((2, BINS), dtype=np.int64)
    for games in results.read(cell, list(columns)):
        held = {name: values.astype(np.int64) for name, values in games.items()}
        turns = held["turns"]
        for one in aspects.efforts:
            whole = np.sum([held[name] for name, _ in one.parts], axis=0)
            for name, _ in one.parts:
                parts[one.name][name] += moments(held[name], whole)
        for special in aspects.specials:
            wasted = held[special.wasted]
            specials[special.label] += moments(wasted, wasted + held[special.used])
        if aspects.choices:
            nothing, single = (held[name] for name in aspects.choices)
            choices = [choices[0] + moments(nothing, turns), choices[1] + moments(nothing + single, turns)]
        if aspects.shoring:
            rate = held[aspects.shoring[0]] / np.maximum(turns, 1)
            at = np.minimum((rate / WIDTH + 1e-9).astype(np.int64), BINS - 1)
            won = (held["result"] == won_code).astype(np.int64)
            shoring += np.bincount(won * BINS + at, minlength=2 * BINS).reshape(2, BINS)
    return Effort(
        parts,
        specials,
        (choices[0], choices[1]) if aspects.choices else None,
        shoring if aspects.shoring else None,
    )


@dataclass(frozen=True, eq=False)
class Wait:
    """From the first turn in which a milestone could be had to having it.

    ready: games in which it could be had.  counts: (turns,) games by how many turns it took, from 0; the rest of
    `ready` ended first.
    """

    ready: int
    counts: np.ndarray


def waits(results: Results, cell: str) -> dict[str, Wait]:
    """Milestone -> its wait, for those that declare when they are ready."""
    marks = [mark for mark in results.game.milestones if mark.ready]
    if not marks:
        return {}
    ready, table = dict.fromkeys((mark.name for mark in marks), 0), Growing(len(marks))
    columns = [name for mark in marks for name in (mark.ready, mark.column)]
    never = {name: results.column(name).sentinel for name in columns}
    for games in results.read(cell, columns):
        for i, mark in enumerate(marks):
            could = games[mark.ready] != never[mark.ready]
            had = could & (games[mark.column] != never[mark.column])
            ready[mark.name] += int(could.sum())
            took = games[mark.column][had].astype(np.int64) - games[mark.ready][had]
            table.add(np.full(len(took), i), took)
    return {mark.name: Wait(ready[mark.name], table.counts[i]) for i, mark in enumerate(marks)}

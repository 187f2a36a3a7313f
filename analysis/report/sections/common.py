"""What the sections share: which cells a chart shows, curves over turns, round turns for a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.plots import lines, style
from analysis.report import labels, numbers
from analysis.report.facts import CellFacts, Facts, rates
from analysis.stats import Band, Estimate

# How many cells have room in a chart that needs a panel for each.
PANELS = 12
MAPS = 6
# How many of them such a chart shows when they are more.
FEW = 6
# The same for a table with many rows a cell.
TABLED = 2
# Up to so many cells, tables put the cells in columns.
TURNED = 3
# Up to so many cells, a curve's chart has one panel with a line for each.
TOGETHER = 5

WON_MARK = style.Mark(style.QUIET, "-", "o", "")


class Shown:
    """The cells of one chart: their facts, their names in figures, and a sentence when they are not all.

    limit: all cells up to so many; of more, `few` of them.
    """

    def __init__(self, facts: Facts, limit: int, few: int = FEW) -> None:
        self.places = facts.shown(limit if len(facts.cells) <= limit else min(limit, few))
        self.cells = tuple(facts.cells[i] for i in self.places)
        self.all = len(self.places) == len(facts.cells)
        names = labels.names(facts)
        self.names = tuple(names[i] for i in self.places)
        self.caption = ""
        if not self.all:
            which = "the cells of the comparisons" if facts.pairs else "cells from the hardest to the easiest"
            self.caption = f"{len(self.cells)} of {len(facts.cells)} cells: {which}. The tables have all."


def some(facts: Facts, limit: int = MAPS) -> tuple[tuple[CellFacts, ...], str]:
    """The cells of a table with several rows a cell, and a note when they are not all (the CSV of all has the rest)."""
    shown = Shown(facts, limit, TABLED)
    return shown.cells, shown.caption.replace("The tables have all.", "The file …-all-cells.csv has all.")


def parts(counts: Sequence[int], n: int) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Shares of n games for a bar, and each as it is told, with its interval; no game, no share."""
    if not n:
        return (0.0,) * len(counts), ("",) * len(counts)
    return tuple(count / n for count in counts), tuple(numbers.percent_with(e) for e in rates(counts, n))


def _from_zero(band: Band) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The band with the point (0, 0) before it: nothing has happened before the first turn."""
    return (
        np.concatenate([[0], band.x]),
        np.concatenate([[0.0], band.value]),
        np.concatenate([[0.0], band.low]),
        np.concatenate([[0.0], band.high]),
    )


def last_turn(cells: tuple[CellFacts, ...]) -> int:
    """The turn by which 99.9 % of the games of every shown cell are over: charts end there."""
    last = 1
    for cell in cells:
        over = np.cumsum(cell.endings.total) >= 0.999 * cell.n
        last = max(last, int(np.argmax(over)) + 1)
    return last


def turn_line(band: Band, mark: style.Mark, last: int, *, banded: bool = True) -> lines.Line:
    """A band as a line from (0, 0) to the last turn shown."""
    x, y, low, high = _from_zero(band)
    keep = x <= last
    x, y, low, high = (v[keep] for v in (x, y, low, high))
    if x[-1] < last:
        # After the last game nothing changes any more.
        x, y, low, high = (np.append(v, last if v is x else v[-1]) for v in (x, y, low, high))
    return lines.Line(mark, x, y, low, high) if banded else lines.Line(mark, x, y)


def picked(last: int, count: int = 6) -> list[int]:
    """A few round turns up to the last for a table."""
    step = max(1, round(last / count))
    step = next((s for s in (1, 2, 3, 4, 5, 10, 20, 25, 50) if s >= step), 50)
    return list(range(step, last + 1, step))[: count + 2] or [last]


def at_turn(band: Band, turn: int) -> Estimate | None:
    """The band at a turn; after its last turn nothing changes any more."""
    return band.at(min(turn, len(band)) - 1) if len(band) else None

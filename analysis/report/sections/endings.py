"""How games end: the picture of the first screen."""

from __future__ import annotations

from analysis.plots import bars, style
from analysis.plots.drawing import Drawing, Key
from analysis.report import findings, numbers
from analysis.report.facts import Facts
from analysis.report.model import Figure
from analysis.report.sections.common import Shown
from analysis.report.text import name

WON_MARK = style.Mark(style.QUIET, "-", "o", "")


def _keys(facts: Facts) -> list[Key]:
    return [Key("won", WON_MARK, "area")] + [Key(c.label, style.mark(i), "area") for i, c in enumerate(facts.causes)]


def lead(facts: Facts) -> Figure:
    """How the games of each cell end: the answer and its reasons in one picture."""
    shown = Shown(facts, 10, 10)
    keys = _keys(facts)
    rows = []
    order = list(zip(shown.names, shown.cells, strict=True))
    if not shown.all:
        order.sort(key=lambda one: -one[1].won.value)
    for label, cell in order:
        won = cell.won
        shares = (won.value, *(cell.outcomes.causes[c.name] / cell.n for c in facts.causes))
        texts = tuple(numbers.percent_with(e) for e in (won, *(cell.cause(c.name) for c in facts.causes)))
        rows.append(bars.Bar(label, shares, (won.low, won.high), texts))
    told = []
    for cell in shown.cells:
        parts = [f"won {numbers.percent(cell.won)}"]
        parts += [f"{label} {numbers.percent(e)}" for label, e in findings.ranked(cell, facts)]
        told.append(f"{name(cell.label)}: {', '.join(parts)}")

    def draw(width: int) -> Drawing:
        axis = "Share of all games; the bracket is the interval of the win rate"
        return bars.stacked("how-games-end", width, rows, keys, axis)

    return Figure("how-games-end", f"How games end. {'. '.join(told)}.", draw, shown.caption)

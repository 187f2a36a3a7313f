"""How long games last."""

from __future__ import annotations

from analysis import stats
from analysis.plots import lines, style
from analysis.plots.drawing import Drawing, Key
from analysis.report import findings
from analysis.report.facts import LEVEL, WON, CellFacts, Facts
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.sections.common import PANELS, TURNED, Shown, last_turn
from analysis.report.text import tidy


def section(facts: Facts) -> Section:
    """Turns a game, won and not won."""
    shown = Shown(facts, PANELS)
    last = last_turn(shown.cells)
    won_mark, lost_mark = style.Mark(style.BLUE, "-", "o", ""), style.Mark(style.ORANGE, "-", "s", "///")
    panels = []
    for label, cell in zip(shown.names, shown.cells, strict=True):
        keep = cell.endings.turns <= last
        won = cell.endings.counts[WON][keep] / cell.n
        lost = (cell.endings.total - cell.endings.counts[WON])[keep] / cell.n
        x = cell.endings.turns[keep]
        drawn = (lines.Line(lost_mark, x, lost), lines.Line(won_mark, x, won))
        panels.append(lines.Panel(label if len(facts.cells) > 1 else "", drawn))
    won_word, lost_word = ("with a winner", "without one") if facts.aspects.contest else ("won", "not won")
    keys = [Key(lost_word, lost_mark, "area"), Key(won_word, won_mark, "area")]

    def draw(width: int) -> Drawing:
        return lines.panels(
            "length", width, panels, keys, "Turn in which the game ended", "Share of all games", percent=True, area=True
        )

    columns = (
        Column("cell", "Cell", "label"),
        Column("mean", "Mean turns", "number"),
        Column("q10", "Shortest tenth up to", "number"),
        Column("median", "Middle (median)", "number"),
        Column("q90", "Longest tenth from", "number"),
        Column("median_won", f"Middle of games {won_word}", "number"),
        Column("median_not_won", f"Middle of games {lost_word}", "number"),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(_length_row(cell) for cell in facts.cells)
    heading = findings.length_heading(facts)
    figure = Figure("length", f"Length of games. {heading}.", draw, shown.caption)
    turned = len(facts.cells) <= TURNED
    return Section(
        "length",
        "Length of games",
        heading,
        blocks=(Block(figure, Table("length", "Turns a game", columns, rows, turned=turned)),),
        how="Each column is the share of games that ended in this turn, won or not. A turn is one player's turn.",
    )


def _length_row(cell: CellFacts) -> tuple[Value, ...]:
    e = cell.endings
    won, lost = e.counts[WON], e.total - e.counts[WON]
    quantiles = [stats.quantile(e.total, e.turns, q, LEVEL) for q in (0.1, 0.5, 0.9)]
    parts: list[Value] = [stats.quantile(c, e.turns, 0.5, LEVEL) if c.sum() else None for c in (won, lost)]
    return (tidy(cell.label), stats.mean_of_histogram(e.total, e.turns, LEVEL), *quantiles, *parts)

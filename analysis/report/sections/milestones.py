"""When the milestones come, by order and by name."""

from __future__ import annotations

import numpy as np

from analysis import stats
from analysis.plots import lines, style
from analysis.plots.drawing import Drawing, Key
from analysis.report import findings, numbers
from analysis.report.facts import LEVEL, CellFacts, Facts
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.sections.common import PANELS, TURNED, Shown, last_turn, turn_line
from analysis.report.text import tidy


def section(facts: Facts) -> Section | None:
    """Milestones by order and by name; None without any."""
    if not facts.milestones or any(c.timing is None for c in facts.cells):
        return None
    shown = Shown(facts, PANELS)
    last = last_turn(shown.cells)
    count = len(facts.milestones)
    order_marks = [style.mark(i) for i in range(count)]
    panels = []
    for label, cell in zip(shown.names, shown.cells, strict=True):
        assert cell.timing is not None
        bands = [stats.cumulative_incidence(row, cell.n, LEVEL) for row in cell.timing.by_order]
        over = stats.cumulative_incidence(cell.endings.total, cell.n, LEVEL)
        drawn = [turn_line(band, mark, last) for band, mark in zip(bands, order_marks, strict=True)]
        drawn.append(turn_line(over, style.Mark(style.MUTED, (0, (2, 2)), "", ""), last, banded=False))
        panels.append(lines.Panel(label if len(facts.cells) > 1 else "", tuple(drawn)))
    keys = [Key(findings.ordinal(i + 1), m) for i, m in enumerate(order_marks)]
    keys.append(Key("game over, won or lost", style.Mark(style.MUTED, (0, (2, 2)), "", "")))

    def draw(width: int) -> Drawing:
        return lines.panels(
            "milestones",
            width,
            panels,
            keys,
            "Turn",
            "Share of all games that have it by the end of the turn",
            percent=True,
        )

    columns: list[Column] = [Column("cell", "Cell", "label")]
    for i in range(count):
        columns.append(Column(f"reached_{i + 1}", f"{findings.ordinal(i + 1)}: games that reach it", "share"))
        columns.append(Column(f"median_turn_{i + 1}", f"{findings.ordinal(i + 1)}: middle turn", "number"))
    rows: list[tuple[Value, ...]] = []
    named: list[tuple[Value, ...]] = []
    for cell in facts.cells:
        assert cell.timing is not None
        row: list[Value] = [tidy(cell.label)]
        for when in cell.timing.by_order:
            row += _reached(when, cell)
        rows.append(tuple(row))
        line: list[Value] = [tidy(cell.label)]
        for m in facts.milestones:
            line += _reached(cell.timing.by_name[m.name], cell)
        named.append(tuple(line))
    name_columns: list[Column] = [Column("cell", "Cell", "label")]
    for m in facts.milestones:
        name_columns.append(Column(f"reached_{m.name}", f"{m.label}: games that reach it", "share"))
        name_columns.append(Column(f"median_turn_{m.name}", f"{m.label}: middle turn", "number"))
    heading = findings.milestones_heading(facts)
    turned = len(facts.cells) <= TURNED
    figure = Figure("milestones", f"Timing of {facts.words[1]}. {heading}.", draw, shown.caption)
    labels = numbers.join([m.label for m in facts.milestones])
    return Section(
        "milestones",
        facts.words[1].capitalize(),
        heading,
        text=(f"The {facts.words[1]} are {labels}; here by the order in which a game comes by them.",),
        blocks=(
            Block(
                figure,
                Table(
                    "milestones-by-order",
                    f"{facts.words[1].capitalize()} by order",
                    tuple(columns),
                    tuple(rows),
                    turned=turned,
                ),
            ),
            Block(
                None,
                Table(
                    "milestones-by-name",
                    f"{facts.words[1].capitalize()} by name",
                    tuple(name_columns),
                    tuple(named),
                    turned=turned,
                ),
            ),
        ),
        how=(
            "A line climbs to the share of games that ever come so far; what is missing to 100 % are games that ended "
            "before. The dashed grey line is the share of games that are over. The middle turn is the median among the "
            "games that reach it: half of those have it by then."
        ),
    )


def _reached(when: np.ndarray, cell: CellFacts) -> list[Value]:
    n = int(when.sum())
    assert cell.timing is not None
    middle = stats.quantile(when, cell.timing.turns, 0.5, LEVEL) if n else None
    return [stats.rate(n, cell.n, LEVEL), middle]

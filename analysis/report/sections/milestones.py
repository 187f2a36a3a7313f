"""When the milestones come, by order and by name."""

from __future__ import annotations

import numpy as np

from analysis import stats
from analysis.plots import lines, style
from analysis.plots.drawing import Drawing, Key
from analysis.report import findings, numbers
from analysis.report.facts import LEVEL, CellFacts, Facts
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.sections.common import PANELS, TURNED, Shown, last_turn, some, turn_line
from analysis.report.text import name, tidy


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
    keys.append(
        Key(
            "game over" if facts.aspects.contest else "game over, won or lost",
            style.Mark(style.MUTED, (0, (2, 2)), "", ""),
        )
    )

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
        text=(
            *([f"The {facts.words[1]} are {labels}; here by the order in which a game comes by them."] * (count > 1)),
            *(text for cell in facts.focus() if (text := waiting_text(facts, cell))),
        ),
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
            *_waiting(facts),
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


def _waiting(facts: Facts) -> list[Block]:
    return [Block(None, table) for table in waiting_tables(facts, *some(facts))]


def waiting_tables(facts: Facts, cells: tuple[CellFacts, ...], note: str = "") -> list[Table]:
    """From the first turn in which a milestone could be had to having it; none where the game declares none."""
    marks = [m for m in facts.milestones if m.ready]
    if not marks or not any(c.waits for c in facts.cells):
        return []
    columns = (
        Column("cell", "Cell", "label"),
        Column("milestone", facts.words[0].capitalize()),
        Column("ready", "Games in which it was ready", "share"),
        Column("had", "Of these, had it", "share"),
        Column("mean", "Turns between, mean", "number"),
        Column("middle", "middle", "number"),
    )
    rows: list[tuple[Value, ...]] = []
    for cell in cells:
        for mark in marks:
            wait = cell.waits.get(mark.name)
            if wait is None or not wait.ready:
                continue
            n, turns = int(wait.counts.sum()), np.arange(wait.counts.size)
            times: list[Value] = [None, None]
            if n:
                times = [stats.mean_of_histogram(wait.counts, turns, LEVEL), stats.quantile(wait.counts, turns, 0.5)]
            shares = stats.rate(wait.ready, cell.n, LEVEL), stats.rate(n, wait.ready, LEVEL)
            rows.append((tidy(cell.label), mark.label, *shares, *times))
    meaning = next((c.meaning for c in facts.columns if c.name == marks[0].ready), "")
    told = f"Ready: {meaning[:1].lower()}{meaning[1:]}, and so on. {note}".strip() if meaning else note
    return [Table("waiting", "From being ready to having it", columns, tuple(rows), told)]


def waiting_text(facts: Facts, cell: CellFacts) -> str:
    """How long a team is ready before it has what it could have, over all milestones."""
    waits = list(cell.waits.values())
    size = max((w.counts.size for w in waits), default=0)
    counts = np.sum([np.pad(w.counts, (0, size - w.counts.size)) for w in waits], axis=0) if size else np.zeros(0)
    n = int(counts.sum())
    if not n:
        return ""
    ready = sum(w.ready for w in waits)
    mean = float(counts @ np.arange(size)) / n
    return (
        f"In {name(cell.label)} a {facts.words[0]} that a team is ready for takes {mean:.1f} more turns on average; "
        f"{numbers.share(1 - n / ready)} of those never come."
    )

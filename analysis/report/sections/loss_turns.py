"""When games are lost."""

from __future__ import annotations

from analysis.plots import lines, style
from analysis.plots.drawing import Drawing, Key
from analysis.report import findings
from analysis.report.facts import Facts
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.sections.common import PANELS, Shown, at_turn, last_turn, picked, turn_line
from analysis.report.text import tidy


def section(facts: Facts) -> Section:
    """Each cause as it adds up over the turns."""
    shown = Shown(facts, PANELS)
    last = last_turn(shown.cells)
    present = [c for c in facts.causes if any(cell.outcomes.causes[c.name] for cell in facts.cells)]
    marks = {c.name: style.mark(i) for i, c in enumerate(facts.causes)}
    bands = {cell.label: cell.by_cause for cell in facts.cells}
    panels = [
        lines.Panel(
            label if len(facts.cells) > 1 else "",
            tuple(turn_line(bands[cell.label][c.name], marks[c.name], last) for c in present),
        )
        for label, cell in zip(shown.names, shown.cells, strict=True)
    ]
    keys = [Key(c.label, marks[c.name]) for c in present]

    def draw(width: int) -> Drawing:
        return lines.panels(
            "causes-over-turns",
            width,
            panels,
            keys,
            "Turn",
            "Share of all games lost so by the end of the turn",
            percent=True,
        )

    columns: list[Column] = [Column("cell", "Cell", "label"), Column("cause", "Cause")]
    turns = picked(last)
    columns += [Column(f"by_turn_{t}", f"Turn {t}", "share") for t in turns]
    rows: list[tuple[Value, ...]] = []
    for cell in shown.cells:
        for c in present:
            band = bands[cell.label][c.name]
            rows.append((tidy(cell.label), c.label, *(at_turn(band, t) for t in turns)))
    heading = findings.incidence_heading(facts)
    table = Table(
        "causes-by-turn",
        "Share of all games lost for each cause by the end of a turn",
        tuple(columns),
        tuple(rows),
        note=shown.caption.replace("The tables have all.", "causes-over-turns.csv has all cells and turns."),
    )
    figure = Figure("causes-over-turns", f"Causes of loss over turns. {heading}.", draw, shown.caption)
    return Section(
        "causes-over-turns",
        "When games are lost",
        heading,
        blocks=(Block(figure, table),),
        how=(
            "Each line climbs to the share of all games that end for this cause; where it is steep, many games end so. "
            "The pale band holds for all causes and turns of a cell at once."
        ),
    )

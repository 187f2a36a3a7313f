"""How the numbers of the board develop turn by turn."""

from __future__ import annotations

import numpy as np

from analysis.plots import lines, style
from analysis.plots.drawing import Drawing, Key
from analysis.report import findings
from analysis.report.facts import CellFacts, Facts
from analysis.report.model import Block, Column, Figure, Section, Table
from analysis.report.sections.common import PANELS, TOGETHER, TURNED, Shown, last_turn, picked
from analysis.report.text import tidy
from analysis.stats import Band, Estimate


def section(facts: Facts) -> Section | None:
    """Each declared curve with its band; None without any."""
    if not facts.curves:
        return None
    shown = Shown(facts, PANELS)
    together = len(shown.cells) <= TOGETHER
    last = last_turn(shown.cells)
    blocks, text = [], []
    for one in facts.curves:
        bands = {c.label: c.bands[one.name] for c in facts.cells if one.name in c.bands}
        cells = [(label, c) for label, c in zip(shown.names, shown.cells, strict=True) if c.label in bands]
        if not cells:
            continue
        drawn = [_curve_line(bands[c.label], style.mark(i if together else 0), c) for i, (_, c) in enumerate(cells)]
        if together:
            panels = [lines.Panel("", tuple(drawn))]
            keys = [Key(label, style.mark(i)) for i, (label, _) in enumerate(cells)] if len(cells) > 1 else []
        else:
            panels = [lines.Panel(label, (line,)) for (label, _), line in zip(cells, drawn, strict=True)]
            keys = []
        finding = findings.curve_finding(one.label, facts, one.name)
        text.append(finding)
        slug = f"curve-{one.name}"
        turns = picked(last)
        columns = (Column("cell", "Cell", "label"), *(Column(f"turn_{t}", f"Turn {t}", "number") for t in turns))
        rows = tuple(
            (tidy(c.label), *(_curve_at(bands[c.label], t) for t in turns)) for c in facts.cells if c.label in bands
        )
        blocks.append(
            Block(
                Figure(slug, finding, _curve_drawer(slug, panels, keys, one.label), shown.caption),
                Table(slug, f"{one.label}: mean at the start of a turn", columns, rows, turned=len(rows) <= TURNED),
            )
        )
    heading = text[0].rstrip(".") if text else "No turn was begun"
    return Section(
        "curves",
        "Turn by turn",
        heading,
        text=tuple(text[1:]),
        blocks=tuple(blocks),
        how=(
            "Means among the games that are still running at the start of the turn. Late in the game only those are "
            "left that went well, so a curve may flatten or fall; it is drawn as long as one game in a hundred runs. "
            "The band holds for all turns of a cell at once, and is wide where few games are left."
        ),
    )


def _curve_drawer(slug: str, panels: list[lines.Panel], keys: list[Key], label: str):  # type: ignore[no-untyped-def]
    def draw(width: int) -> Drawing:
        return lines.panels(slug, width, panels, keys, "Turn", f"{label}, mean at the start of the turn", percent=False)

    return draw


def _curve_line(band: Band, mark: style.Mark, cell: CellFacts) -> lines.Line:
    # A mean of the last few games says nothing of the cell; the CSV file has it.
    keep = band.n >= min(max(20, 0.01 * cell.n), int(band.n[0]))
    return lines.Line(mark, band.x[keep], band.value[keep], band.low[keep], band.high[keep])


def _curve_at(band: Band, turn: int) -> Estimate | None:
    places = np.flatnonzero(band.x == turn)
    return band.at(int(places[0])) if places.size else None

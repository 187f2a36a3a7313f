"""Tables that only the CSV files hold: every turn and every cell, one row a value, for other tools."""

from __future__ import annotations

from dataclasses import replace

from analysis import stats
from analysis.report.facts import LEVEL, Facts
from analysis.report.model import Column, Table, Value
from analysis.report.sections import effort, losses, luck, milestones, teams
from analysis.report.sections.common import MAPS
from analysis.report.text import tidy


def tables(facts: Facts) -> list[Table]:
    """Causes, milestones, curves and lengths of games turn by turn; tiles and places of every cell."""
    made = [_causes(facts), _length(facts)]
    if facts.milestones:
        made.append(_milestones(facts))
    if facts.curves:
        made.append(_curves(facts))
    if any(c.tiles for c in facts.cells):
        made.append(_tiles(facts))
    if len(facts.cells) > MAPS:
        for tabled in (losses.tables, milestones.waiting_tables, teams.tables, luck.tables, effort.tables):
            made += [replace(table, name=f"{table.name}-all-cells") for table in tabled(facts, facts.cells)]
    return made


def _causes(facts: Facts) -> Table:
    rows: list[tuple[Value, ...]] = []
    for cell in facts.cells:
        for name, band in cell.by_cause.items():
            rows += [(tidy(cell.label), name, int(x), band.at(i)) for i, x in enumerate(band.x)]
    columns = (Column("cell", ""), Column("cause", ""), Column("turn", ""), Column("share_by_then", "", "share"))
    return Table("causes-over-turns", "", columns, tuple(rows))


def _milestones(facts: Facts) -> Table:
    rows: list[tuple[Value, ...]] = []
    for cell in facts.cells:
        if cell.timing is None:
            continue
        named = {m.name: cell.timing.by_name[m.name] for m in facts.milestones}
        ordered = {str(i + 1): row for i, row in enumerate(cell.timing.by_order)}
        for key, counts in (named | ordered).items():
            band = stats.cumulative_incidence(counts, cell.n, LEVEL)
            rows += [(tidy(cell.label), key, int(x), band.at(i)) for i, x in enumerate(band.x)]
    columns = (Column("cell", ""), Column("milestone", ""), Column("turn", ""), Column("share_by_then", "", "share"))
    return Table("milestones-over-turns", "", columns, tuple(rows))


def _curves(facts: Facts) -> Table:
    rows: list[tuple[Value, ...]] = []
    for cell in facts.cells:
        for name, band in cell.bands.items():
            rows += [(tidy(cell.label), name, int(x), band.at(i)) for i, x in enumerate(band.x)]
    columns = (Column("cell", ""), Column("curve", ""), Column("turn", ""), Column("mean", "", "number"))
    return Table("curves-over-turns", "", columns, tuple(rows))


def _length(facts: Facts) -> Table:
    rows: list[tuple[Value, ...]] = []
    for cell in facts.cells:
        for ending, counts in cell.endings.counts.items():
            rows += [
                (tidy(cell.label), ending, int(t), int(n)) for t, n in zip(cell.endings.turns, counts, strict=True)
            ]
    columns = (Column("cell", ""), Column("ending", ""), Column("turn", ""), Column("games", "", "count"))
    return Table("endings-by-turn", "", columns, tuple(rows))


def _tiles(facts: Facts) -> Table:
    rows: list[tuple[Value, ...]] = [
        (tidy(cell.label), tile, e) for cell in facts.cells for tile, e in cell.tile_shares.items()
    ]
    return Table(
        "tiles-all-cells", "", (Column("cell", ""), Column("tile", ""), Column("lost", "", "share")), tuple(rows)
    )

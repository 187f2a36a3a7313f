"""Where tiles sink."""

from __future__ import annotations

from analysis.plots import board
from analysis.plots.drawing import Drawing
from analysis.report import findings, numbers
from analysis.report.facts import CellFacts, Facts
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.sections.common import MAPS, Shown
from analysis.report.text import brief


def section(facts: Facts) -> Section | None:
    """The board as a map and the tiles by name; None without a board."""
    if not any(c.places is not None or c.tiles for c in facts.cells):
        return None
    shown = Shown(facts, MAPS, 3)
    mapped = [
        (label, c) for label, c in zip(shown.names, shown.cells, strict=True) if c.places is not None and c.layout
    ]
    blocks: list[Block] = []
    text: list[str] = []
    if mapped:
        maps = [
            board.Board(
                label if len(facts.cells) > 1 else "",
                c.layout.cells,  # type: ignore[union-attr]
                tuple(float(v) / c.n for v in c.places),  # type: ignore[union-attr]
                c.layout.grid,  # type: ignore[union-attr]
                _told(c),
            )
            for label, c in mapped
        ]
        text += [findings.places_finding(c) for _, c in mapped[:2]]

        def draw(width: int) -> Drawing:
            return board.boards("places", width, maps, "Share of games in which the tile on this place was lost")

        figure = Figure("places", f"Map of the board. {' '.join(text)}", draw, shown.caption)
        blocks.append(Block(figure, _places_table(mapped)))
    tiled = [c for c in shown.cells if c.tiles]
    if tiled:
        text += [findings.tiles_finding(c) for c in tiled[:2]]
        names = sorted(tiled[0].tiles, key=lambda t: (-tiled[0].tiles[t], t))
        columns = (
            Column("tile", "Tile"),
            *(Column(f"lost_{i + 1}", brief(c.label), "share") for i, c in enumerate(tiled)),
        )
        rows: tuple[tuple[Value, ...], ...] = tuple((t, *(c.tile_shares[t] for c in tiled)) for t in names)
        note = shown.caption.replace("The tables have all.", "tiles-all-cells.csv has all.")
        blocks.append(
            Block(None, Table("tiles", "Share of games in which a tile was lost, by name", columns, rows, note))
        )
    heading = findings.places_heading(tuple(c for _, c in mapped)) if mapped else "How often each tile is lost"
    return Section(
        "places",
        "Where tiles sink",
        heading,
        text=tuple(text),
        blocks=tuple(blocks),
        how=(
            "The map shows what the place does (neighbours, ways), the table of names what the tile does (what players "
            "protect). All maps share one colour scale."
        ),
    )


def _places_table(mapped: list[tuple[str, CellFacts]]) -> Table:
    first = mapped[0][1]
    assert first.layout is not None
    same = [c for _, c in mapped if c.layout == first.layout]
    columns = (
        Column("place", "Row, place"),
        *(Column(f"lost_{i + 1}", brief(c.label), "share") for i, c in enumerate(same)),
    )
    names = place_names(first.layout.cells)
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (place, *(c.place_shares[i] for c in same)) for i, place in enumerate(names)
    )
    return Table("places", "Share of games in which the tile on a place was lost", columns, rows)


def _told(cell: CellFacts) -> tuple[str, ...]:
    """Each place by its name, with its share and interval."""
    assert cell.layout is not None
    names = place_names(cell.layout.cells)
    return tuple(f"{where}: {numbers.percent_with(e)}" for where, e in zip(names, cell.place_shares, strict=True))


def place_names(cells: tuple[tuple[float, float], ...]) -> list[str]:
    """ "row 3, 2nd": counted from the top and from the left."""
    rows = sorted({row for row, _ in cells})
    named = []
    for row, column in cells:
        inside = sorted(c for r, c in cells if r == row)
        named.append(f"row {rows.index(row) + 1}, {findings.ordinal(inside.index(column) + 1)}")
    return named

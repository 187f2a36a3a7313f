"""Maps: rows of `#` and `.` to cells with neighbour tables, so that no rule knows the shape of the island."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def cells_of(rows: Sequence[str], grid: str = "square") -> tuple[tuple[float, float], ...]:
    """(row, column) of every `#` in reading order.  Rows of hexagons are centred: columns step by one, from a half."""
    if grid == "hex":
        widest = max(len(row) for row in rows)
        return tuple(
            (float(r), (widest - len(row)) / 2 + c)
            for r, row in enumerate(rows)
            for c, mark in enumerate(row)
            if mark == "#"
        )
    return tuple((float(r), float(c)) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#")


def neighbours(rows: Sequence[str], grid: str = "square") -> tuple[list[int], list[int]]:
    """(edges, around): by cell, the set of cells that share an edge, and the same with the diagonals.

    Square grid: 4 and 8 neighbours.  Hexagons: 6 and the same 6.
    """
    cells = cells_of(rows, grid)
    number = {place: i for i, place in enumerate(cells)}
    if grid == "hex":
        straight = [(0.0, -1.0), (0.0, 1.0), (-1.0, -0.5), (-1.0, 0.5), (1.0, -0.5), (1.0, 0.5)]
        diagonal: list[tuple[float, float]] = []
    else:
        straight = [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)]
        diagonal = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)]

    def mask(place: tuple[float, float], steps: list[tuple[float, float]]) -> int:
        ends = ((place[0] + dr, place[1] + dc) for dr, dc in steps)
        return sum(1 << number[end] for end in ends if end in number)

    edges = [mask(place, straight) for place in cells]
    around = [mask(place, straight + diagonal) for place in cells]
    return edges, around


def spread_table(table: Iterable[int]) -> list[int]:
    """The neighbours of whole sets: entry 256 i + v is the union of `table` over the cells of byte i with value v."""
    of_cell = [int(mask) for mask in table]
    spread: list[int] = []
    for byte in range(3):
        for value in range(256):
            union = 0
            for bit in range(8):
                if value >> bit & 1:
                    union |= of_cell[8 * byte + bit]
            spread.append(union)
    return spread

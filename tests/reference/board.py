"""The material and the island: names (FI-1.1, FI-1.3, FI-1.4) and which cells of a map touch (FI-2.1, `grid`)."""

from __future__ import annotations

LANDING = "Fools' Landing"

TREASURE_TILES = {
    "earth": ("Temple of the Moon", "Temple of the Sun"),
    "wind": ("Howling Garden", "Whispering Garden"),
    "fire": ("Cave of Embers", "Cave of Shadows"),
    "ocean": ("Coral Palace", "Tidal Palace"),
}
TREASURES = tuple(TREASURE_TILES)

START_TILES = {
    "pilot": LANDING,
    "engineer": "Bronze Gate",
    "explorer": "Copper Gate",
    "navigator": "Gold Gate",
    "diver": "Iron Gate",
    "messenger": "Silver Gate",
}
ROLES = tuple(START_TILES)

PLAIN = (
    "Breakers Bridge",
    "Cliffs of Abandon",
    "Crimson Forest",
    "Dunes of Deception",
    "Lost Lagoon",
    "Misty Marsh",
    "Observatory",
    "Phantom Rock",
    "Twilight Hollow",
    "Watchtower",
)

TILES = tuple(START_TILES.values()) + tuple(tile for pair in TREASURE_TILES.values() for tile in pair) + PLAIN

SPECIALS = ("helicopter", "sandbags")
CARDS = (*TREASURES, *SPECIALS, "waters_rise", "flood_card")

HEX_ROWS = ["####", "#####", "######", "#####", "####"]


def cells_of(rows: list[str]) -> list[tuple[int, int]]:
    """The (row, column) of every `#`, in reading order."""
    return [(y, x) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"]


def touching(rows: list[str], grid: str) -> tuple[list[set[int]], list[set[int]]]:
    """For each cell, in reading order: the cells sharing an edge with it, and those sharing a corner only.

    On the hex grid the rows are centred, so a cell's neighbours in the row above and below lie half a cell to either
    side; hexagons that meet always share an edge, so there are no corners.
    """
    cells = cells_of(rows)
    if grid == "hex":
        widest = max(len(row) for row in rows)
        place = {(y, 2 * x + widest - len(rows[y])): number for number, (y, x) in enumerate(cells)}
        by_edge = [(0, -2), (0, 2), (-1, -1), (-1, 1), (1, -1), (1, 1)]
        by_corner = []
    else:
        place = {cell: number for number, cell in enumerate(cells)}
        by_edge = [(0, -1), (0, 1), (-1, 0), (1, 0)]
        by_corner = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    edges: list[set[int]] = [set() for _ in cells]
    corners: list[set[int]] = [set() for _ in cells]
    for (y, x), number in place.items():
        edges[number] = {place[y + dy, x + dx] for dy, dx in by_edge if (y + dy, x + dx) in place}
        corners[number] = {place[y + dy, x + dx] for dy, dx in by_corner if (y + dy, x + dx) in place}
    return edges, corners


def connected(edges: list[set[int]]) -> bool:
    """Whether one can walk from any cell to any other by edges."""
    seen, todo = {0}, [0]
    while todo:
        for other in edges[todo.pop()] - seen:
            seen.add(other)
            todo.append(other)
    return len(seen) == len(edges)

"""The table as everybody sees it: island, pawns, hands, and the decks as far as they are known."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from .board import LANDING, START_TILES, TREASURE_TILES, TREASURES, touching

DRY, FLOODED, SUNK = "dry", "flooded", "sunk"


def full_deck(rules: dict) -> Counter:
    """Every treasure card of the game, by kind (FI-1.3 and its knobs)."""
    deck = Counter(dict.fromkeys(TREASURES, rules["treasure_copies"]))
    deck["helicopter"] = rules["helicopter"]
    deck["sandbags"] = rules["sandbags"]
    deck["waters_rise"] = rules["waters_rise"]
    deck["flood_card"] = rules["flood_cards_in_treasure_deck"]
    return +deck


@dataclass
class State:
    """One position of one game.

    tiles: name -> dry, flooded or sunk.  edges, corners: name -> names of the cells that touch it, sunk ones included.
    pawns: by seat, the tile stood on; None once eliminated.  hands: by seat, card -> count.
    deck, discard: treasure cards by kind.  flood_layers: sets of tile names, the top of the flood deck first; within
    a layer the order is unknown.  turn: number of the turn, 0 before the first.  tick: 1 .. len(meter) + 1 (the skull).
    """

    rules: dict
    tiles: dict[str, str]
    edges: dict[str, set[str]]
    corners: dict[str, set[str]]
    roles: list[str]
    pawns: list[str | None]
    hands: list[Counter]
    deck: Counter
    discard: Counter
    flood_layers: list[set[str]]
    flood_discard: set[str]
    first: int
    tick: int
    active: int = -1
    turn: int = 0
    captured: set[str] = field(default_factory=set)

    @classmethod
    def from_setup(cls, setup: dict) -> State:
        """The position after a setup that was found in order (FI-2)."""
        rules, names = setup["rules"], setup["tiles"]
        edges, corners = touching(setup["map"], rules["grid"])
        landing_start = rules["start_tiles"] == "landing"
        hands = [Counter(hand) for hand in setup["hands"]]
        deck = full_deck(rules)
        for hand in hands:
            deck -= hand
        flooded = set(setup["flooded"])
        return cls(
            rules=rules,
            tiles={name: FLOODED if name in flooded else DRY for name in names},
            edges={name: {names[other] for other in edges[cell]} for cell, name in enumerate(names)},
            corners={name: {names[other] for other in corners[cell]} for cell, name in enumerate(names)},
            roles=list(setup["roles"]),
            pawns=[LANDING if landing_start else START_TILES[role] for role in setup["roles"]],
            hands=hands,
            deck=deck,
            discard=Counter(),
            flood_layers=[set(names) - flooded],
            flood_discard=flooded,
            first=setup["first"],
            tick=rules["start_tick"],
        )

    def power(self, seat: int) -> str:
        """The seat's role, or `ordinary` when nobody has powers (`role_powers`)."""
        return self.roles[seat] if self.rules["role_powers"] else "ordinary"

    def standing(self, tile: str) -> bool:
        """Whether the tile is still on the island."""
        return self.tiles[tile] != SUNK

    def alive(self) -> list[int]:
        """The seats that still have a pawn."""
        return [seat for seat, tile in enumerate(self.pawns) if tile is not None]

    def next_player(self) -> int:
        """Whose turn comes next, clockwise (FI-2.6); the eliminated take no more turns."""
        if self.turn == 0:
            return self.first
        seats = len(self.pawns)
        order = [(self.active + step) % seats for step in range(1, seats + 1)]
        return next(seat for seat in order if self.pawns[seat] is not None)

    def from_active(self, seats: list[int]) -> list[int]:
        """The seats in turn order from the active player (FI-8.3)."""
        return sorted(seats, key=lambda seat: (seat - self.active) % len(self.pawns))

    def lost_treasures(self) -> list[str]:
        """Treasures not yet captured whose tiles have both sunk (FI-9.2)."""
        return [
            treasure
            for treasure, pair in TREASURE_TILES.items()
            if treasure not in self.captured and not any(self.standing(tile) for tile in pair)
        ]

    def can_escape(self) -> bool:
        """All treasures captured and every pawn that is left on Fools' Landing (FI-9.1)."""
        return len(self.captured) == len(TREASURES) and all(self.pawns[seat] == LANDING for seat in self.alive())

    def top_flood_cards(self) -> set[str]:
        """The tiles of which one is the next flood card; empty when the flood deck is empty."""
        return next((layer for layer in self.flood_layers if layer), set())

"""Section 1: material."""

from __future__ import annotations

import pytest

from sim.core.game import SettingsError
from sim.forbidden_island.constants import CARDS, ROLES, TILES, TREASURES
from sim.forbidden_island.knobs import resolve

from .table import Table

GATES = ["Bronze Gate", "Copper Gate", "Gold Gate", "Iron Gate", "Silver Gate"]
TREASURE_TILES = {
    "earth": {"Temple of the Moon", "Temple of the Sun"},
    "wind": {"Howling Garden", "Whispering Garden"},
    "fire": {"Cave of Embers", "Cave of Shadows"},
    "ocean": {"Coral Palace", "Tidal Palace"},
}
PLAIN = {
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
}


def test_tiles():
    """FI-1.1: the landing, five gates, two tiles a treasure, ten plain tiles; 24 in all."""
    assert len(TILES) == 24
    assert {"Fools' Landing", *GATES, *PLAIN}.union(*TREASURE_TILES.values()) == set(TILES)


def test_treasure_tiles():
    """FI-1.1: each treasure lies on its two tiles, wherever they lie."""
    table = Table(tiles={"Temple of the Sun": "Watchtower", "Coral Palace": "Bronze Gate"})
    for treasure, tiles in TREASURE_TILES.items():
        assert table.names(table.view["treasure_cells"][TREASURES.index(treasure)]) == tiles
    assert table.tile(int(table.view["landing"])) == "Fools' Landing"


def test_a_tile_is_dry_flooded_or_sunk():
    """FI-1.1: a flooded tile is still there, a sunk one is gone."""
    table = Table(flooded=["Watchtower"], sunk=["Observatory"])
    assert [table.state(tile) for tile in ("Misty Marsh", "Watchtower", "Observatory")] == ["dry", "flooded", "sunk"]


def test_flood_cards():
    """FI-1.2: one flood card for each tile: 24 draws flood 24 tiles."""
    table = Table(meter=[24], initial_flooded=0)
    table.draw_floods()
    floods = table.told("flood")
    assert sorted(tile for _, tile, _ in floods) == sorted(TILES)
    assert {state for *_, state in floods} == {"flooded"}


def test_treasure_cards():
    """FI-1.3: 28 cards: five of each treasure, three Waters Rise!, three Helicopter Lifts, two Sandbags."""
    cards = Table().deck.split()
    assert len(cards) == 28
    wanted = dict.fromkeys(TREASURES, 5) | {"waters_rise": 3, "helicopter": 3, "sandbags": 2, "flood_card": 0}
    assert {name: cards.count(name) for name in CARDS} == wanted


def test_start_tiles():
    """FI-1.4: six roles, each with its start tile."""
    starts = {
        "pilot": "Fools' Landing",
        "engineer": "Bronze Gate",
        "explorer": "Copper Gate",
        "navigator": "Gold Gate",
        "diver": "Iron Gate",
        "messenger": "Silver Gate",
    }
    assert set(ROLES) == set(starts)
    for roles in ("pilot engineer explorer navigator", "diver messenger"):
        table = Table(roles=roles)
        assert [table.at(seat) for seat in range(table.players)] == [starts[role] for role in roles.split()]


@pytest.mark.parametrize(("tick", "cards"), list(enumerate([2, 2, 3, 3, 3, 4, 4, 5, 5], start=1)))
def test_meter(tick, cards):
    """FI-1.5: 2, 2, 3, 3, 3, 4, 4, 5, 5 flood cards a turn at ticks 1 to 9."""
    table = Table(tick=tick).draw_floods()
    assert len(table.told("flood")) == cards


def test_the_tenth_tick_is_the_skull():
    """FI-1.5: from tick 8 a rise leads to tick 9 and play goes on, from tick 9 to the skull."""
    table = Table(tick=8, cards_per_turn=1)
    table.treasure_deck("waters_rise")
    assert table.draw_treasures().end is None
    table.treasure_deck("waters_rise")
    assert table.draw_treasures().end == "skull"


@pytest.mark.parametrize(("difficulty", "tick"), [("novice", 1), ("normal", 2), ("elite", 3), ("legendary", 4)])
def test_start_tick(difficulty, tick):
    """FI-1.5, FI-10 `difficulty`: where the water starts."""
    assert Table(difficulty=difficulty).view["tick"] == tick


@pytest.mark.parametrize("players", [2, 3, 4])
def test_players(players):
    """FI-1.6: two to four."""
    assert resolve({"players": players})["players"] == players


@pytest.mark.parametrize("players", [1, 5, 0])
def test_no_other_number_of_players(players):
    """FI-1.6: neither one nor five."""
    with pytest.raises(SettingsError, match="players"):
        resolve({"players": players})

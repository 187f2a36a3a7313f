"""Section 9: how a game ends."""

from __future__ import annotations

import pytest

from sim.forbidden_island.constants import TREASURES

from .table import STOP, Table

ALL = "earth wind fire ocean"
LANDING = "Fools' Landing"
ASHORE = {0: LANDING, 1: LANDING}
ESCAPE = 11  # the kind of the answer


# ---- won ----


@pytest.mark.parametrize("flooded", [[], [LANDING]])
def test_won(flooded):
    """FI-9.1: four treasures, every pawn on Fools' Landing, dry or flooded, and a Helicopter Lift."""
    table = Table(captured=ALL, pawns=ASHORE, hands=["helicopter"], flooded=flooded)
    table.take_turn(table.escape(0))
    assert table.end == "won"
    assert table.events == [("turn", 1, 0, 1), ("escape", 0)]
    assert table.row["lifts_played"] == 1
    assert table.discard == "helicopter"
    assert table.causes == set()


def test_another_players_lift_wins_in_ones_turn():
    """FI-9.1: any player, in anyone's turn: the Lift of seat 2 between two treasure cards of seat 0."""
    table = Table(
        roles="engineer messenger pilot",
        captured=ALL,
        pawns=dict.fromkeys(range(3), LANDING),
        hands=["", "", "helicopter"],
    )
    table.treasure_deck("earth wind")
    table.take_turn(STOP, STOP, table.escape(2))
    assert table.end == "won"
    assert table.events == [("turn", 1, 0, 1), ("draw", 0, "earth"), ("escape", 2)]


def test_won_between_two_flood_cards():
    """FI-9.1: nothing is drawn after it."""
    table = Table(captured=ALL, pawns=ASHORE, hands=["", "helicopter"], flooded=[LANDING])
    table.flood_deck("Observatory", LANDING)
    table.draw_floods(STOP, table.escape(1))
    assert table.events == [("flood", "Observatory", "flooded"), ("escape", 1)]
    assert table.end == "won"


def test_won_instead_of_a_discard():
    """FI-9.1, FI-7.2: the Lift that makes the hand six may be the one that wins."""
    table = Table(captured=ALL, pawns=ASHORE, hands=["earth wind fire ocean ocean"])
    table.treasure_deck("helicopter earth")
    table.draw_treasures(table.escape(0))
    assert table.end == "won"


def test_not_won_while_anything_is_missing():
    """FI-9.1: not with three treasures, not with a pawn elsewhere, not without a Lift; being there is no win."""
    complete = {"captured": ALL, "pawns": ASHORE, "hands": ["helicopter"]}
    assert Table(**complete).allows(ESCAPE)
    for change in (
        {"captured": "earth wind fire"},
        {"pawns": {0: LANDING, 1: "Bronze Gate"}},
        {"hands": ["sandbags"]},
        {"hands": ["", "helicopter"]},
    ):
        assert not Table(**complete | change).allows(ESCAPE)
    table = Table(captured=ALL, pawns={0: LANDING}, roles="messenger engineer")
    table.view["active"] = 1
    assert table.take_actions(table.move_to(LANDING)).end is None


# ---- lost ----


@pytest.mark.parametrize("treasure", TREASURES)
def test_both_tiles_of_an_open_treasure_sink(treasure):
    """FI-9.2: lost at once, and the record says which treasure."""
    first = 6 + 2 * TREASURES.index(treasure)
    table = Table(flooded=[first, first + 1])
    table.flood_deck(first, first + 1, "Observatory")
    table.view["tick"] = 3
    table.draw_floods()
    assert table.end == "treasure_sunk"
    assert table.result == "lost"
    assert len(table.events) == 2
    assert table.row["treasures_lost"] == 1 << TREASURES.index(treasure)
    assert table.causes == {"treasure_sunk"}


def test_one_tile_of_each_treasure_may_sink():
    """FI-9.2: one of two is not yet a loss."""
    gone = ["Temple of the Moon", "Howling Garden", "Cave of Embers", "Coral Palace"]
    table = Table(flooded=gone, tick=6)
    table.flood_deck(*gone)
    assert table.draw_floods().end is None
    assert [table.state(tile) for tile in gone] == ["sunk"] * 4


def test_both_tiles_of_a_captured_treasure_may_sink():
    """FI-9.2: freely; the game goes on."""
    table = Table(captured="earth", flooded=["Temple of the Moon", "Temple of the Sun"])
    table.flood_deck("Temple of the Moon", "Temple of the Sun")
    assert table.draw_floods().end is None
    assert len(table.told("flood")) == 2
    assert table.row["treasures_lost"] == 0


def test_the_landing_sinks():
    """FI-9.3: lost, nothing more is drawn."""
    table = Table(flooded=[LANDING])
    table.flood_deck(LANDING, "Observatory")
    assert table.draw_floods().end == "landing_sunk"
    assert len(table.events) == 1


def test_the_landing_sinks_with_everything_captured():
    """FI-9.3: whatever has been captured, even with everybody there and a Lift in hand."""
    table = Table(captured=ALL, pawns=ASHORE, hands=["helicopter"], flooded=[LANDING])
    table.flood_deck(LANDING, "Observatory")
    table.draw_floods(STOP)
    assert (table.result, table.end) == ("lost", "landing_sunk")
    assert table.causes == {"landing_sunk"}
    assert table.asked == [("window", 0)]


def test_drowned():
    """FI-9.4: a pawn whose tile sinks with nowhere to swim; the record names its seat, and so its role."""
    table = Table(
        roles="engineer messenger navigator",
        pawns={1: "Twilight Hollow"},
        flooded=["Twilight Hollow"],
        sunk=["Watchtower", "Misty Marsh"],
        tick=3,
    )
    table.flood_deck("Twilight Hollow", "Observatory")
    table.draw_floods()
    assert table.end == "drowned"
    assert table.asked == []
    assert table.row["drowned"] == 0b010
    assert table.row["role"][1] == 5  # messenger
    assert len(table.events) == 1


def test_the_explorer_and_the_pilot_do_not_drown_there():
    """FI-9.4, FI-5.1, FI-5.4: where an Engineer would drown, the Explorer swims diagonally, the Pilot anywhere."""
    for role, way in (("explorer", "Observatory"), ("pilot", LANDING)):
        table = Table(
            roles=f"{role} engineer",
            pawns={0: "Twilight Hollow"},
            flooded=["Twilight Hollow"],
            sunk=["Watchtower", "Misty Marsh"],
        )
        table.flood_deck("Twilight Hollow", "Bronze Gate")
        assert table.draw_floods(table.swim_to(way)).end is None


def test_the_diver_drowns_only_when_cut_off():
    """FI-9.4, FI-5.6: holes of the map all around the last gap."""
    table = Table(
        """
        #1 #  #  #  #  #  .  ~0
        #  #  #  #  #  #  .  x
        #  #  #  #  #  #  .  x
        #  #  #a .  .  .  .  .
        """,
        roles="diver engineer",
        map_connected=False,
        captured="earth",
    )
    table.flood_deck(int(table.view["pawn"][0]), "a")
    assert table.draw_floods().end == "drowned"


def test_the_skull_in_mid_draw():
    """FI-9.5: nothing after it is drawn, no card is shuffled, no tile floods."""
    table = Table(tick=9, flooded=["Observatory"])
    before = table.layers
    table.treasure_deck("waters_rise earth")
    table.take_turn(STOP)
    assert table.events == [("turn", 1, 0, 9), ("draw", 0, "waters_rise"), ("rise", 10)]
    assert (table.result, table.end) == ("lost", "skull")
    assert table.hand(0) == ""
    assert table.layers == before
    assert table.causes == {"skull"}


def test_the_skull_by_the_second_of_two_rises():
    """FI-9.5, FI-7.3: the first is resolved in full, the second ends the game."""
    table = Table(tick=8, flooded=["Observatory"])
    table.treasure_deck("waters_rise waters_rise")
    assert table.draw_treasures().end == "skull"
    assert [event[0] for event in table.events] == ["draw", "rise", "draw", "rise"]
    assert table.layers[-1] == {"Observatory"}


# ---- several causes at once ----


def test_the_landing_sinks_under_a_pawn_that_drowns():
    """FI-9.6: landing_sunk comes before drowned, both are kept."""
    table = Table(pawns={0: LANDING}, flooded=[LANDING], sunk=["Bronze Gate", "Gold Gate"])
    table.flood_deck(LANDING, "Observatory")
    assert table.draw_floods().end == "landing_sunk"
    assert table.causes == {"landing_sunk", "drowned"}
    assert table.row["drowned"] == 0b01


def test_a_treasure_sinks_under_a_pawn_that_drowns():
    """FI-9.6: treasure_sunk comes before drowned, both are kept."""
    table = Table(
        pawns={0: "Coral Palace", 1: "Coral Palace"},
        flooded=["Coral Palace"],
        sunk=["Tidal Palace", "Temple of the Moon"],
    )
    table.flood_deck("Coral Palace", "Observatory")
    assert table.draw_floods().end == "treasure_sunk"
    assert table.causes == {"treasure_sunk", "drowned"}
    assert table.row["treasures_lost"] == 0b1000
    assert table.row["drowned"] == 0b11


def test_only_those_with_nowhere_to_swim_are_recorded():
    """FI-9.4, FI-9.6: of an Engineer and a Pilot in the same water the Engineer drowns."""
    table = Table(
        roles="pilot engineer",
        pawns={0: "Twilight Hollow", 1: "Twilight Hollow"},
        flooded=["Twilight Hollow"],
        sunk=["Watchtower", "Misty Marsh"],
    )
    table.flood_deck("Twilight Hollow", "Observatory")
    assert table.draw_floods().end == "drowned"
    assert table.row["drowned"] == 0b10


# ---- the turn limit ----


def test_turn_limit():
    """FI-9.7: a game that goes on for ever stops: neither won nor lost, cause turn_limit."""
    table = Table(waters_rise=0, meter=[0], cards_per_turn=0, turn_limit=7)
    table.play_game()
    assert (table.result, table.end) == ("stopped", "turn_limit")
    assert table.causes == {"turn_limit"}
    assert table.row["turns"] == 7
    assert len(table.told("turn")) == 7


def test_the_end_in_the_last_turn_is_no_stop():
    """FI-9.7, FI-9.5: a game that ends in the turn of the limit has ended."""
    table = Table(tick=9, turn_limit=1)
    table.treasure_deck("waters_rise")
    assert table.play_game().end == "skull"
    assert table.row["turns"] == 1

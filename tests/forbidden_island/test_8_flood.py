"""Section 8: flood cards."""

from __future__ import annotations

import pytest

from .table import Table


def test_a_dry_tile_floods():
    """FI-8.1: it becomes flooded, the card goes to the flood discard."""
    table = Table()
    table.flood_deck("Observatory", "Watchtower")
    table.draw_floods()
    assert table.events == [("flood", "Observatory", "flooded"), ("flood", "Watchtower", "flooded")]
    assert table.names(table.view["flooded"]) == {"Observatory", "Watchtower"}
    assert table.flood_discard == {"Observatory", "Watchtower"}


def test_a_flooded_tile_sinks():
    """FI-8.1: tile and card leave the game: the card is neither in the deck nor in the discard."""
    table = Table(flooded=["Observatory"])
    table.flood_deck("Observatory", "Watchtower")
    table.draw_floods()
    assert table.events == [("flood", "Observatory", "sunk"), ("flood", "Watchtower", "flooded")]
    assert table.state("Observatory") == "sunk"
    assert "Observatory" not in table.flood_discard.union(*table.layers)
    assert table.row["sunk_turn"].sum() == 1
    assert table.row["sunk_cells"] == 1 << table.cell("Observatory")


def test_flood_cards_one_at_a_time():
    """FI-8.1: a tile floods with one card and sinks with its next, in the same turn, when the deck runs out between."""
    table = Table(
        """
        .  .  #0 ~  .  .
        .  x  x  x  x  .
        x  x  x  x  x  x
        x  x  x  x  x  x
        .  x  x  x  x  .
        .  .  x  #a .  .
        """,
        captured="earth wind fire ocean",
        pawns={1: 0},
    )
    table.flood_deck("a", discard=[])
    table.view["layers"], table.view["layer"][0] = 1, 1 << table.cell("a")  # the two other cards are out of the way
    table.draw_floods()
    tile = table.tile("a")
    assert table.events == [("flood", tile, "flooded"), ("reshuffle", "flood"), ("flood", tile, "sunk")]


def test_the_flood_deck_runs_out_in_mid_draw():
    """FI-8.2: its discard is shuffled into a new deck when the next card is due, what was just drawn included."""
    table = Table(tick=3, flooded=["Misty Marsh"], sunk=["Lost Lagoon"])
    table.flood_deck("Observatory", "Watchtower", discard="rest")
    table.draw_floods()
    assert [event[0] for event in table.events] == ["flood", "flood", "reshuffle", "flood"]
    assert table.events[2] == ("reshuffle", "flood")
    third, state = table.events[3][1:]
    left = set().union(*table.layers)
    assert len(table.layers) == 1
    assert left == {table.tile(cell) for cell in range(24)} - {"Lost Lagoon", third}
    assert state == ("sunk" if third in {"Observatory", "Watchtower", "Misty Marsh"} else "flooded")
    assert table.flood_discard == (set() if state == "sunk" else {third})


def test_the_flood_deck_is_not_reshuffled_before_a_card_is_due():
    """FI-8.2: an empty deck at the end of a turn stays empty: a rise in the next turn finds the whole discard."""
    table = Table(flooded=["Misty Marsh"])
    table.flood_deck("Observatory", "Watchtower", discard="rest")
    table.draw_floods()
    assert table.layers == []
    assert len(table.flood_discard) == 24
    table.treasure_deck("waters_rise earth")
    table.draw_treasures()
    assert len(table.layers[0]) == 24


def test_a_pawn_on_a_tile_that_floods_stays():
    """FI-8.3: nobody swims."""
    table = Table(pawns={0: "Observatory"})
    table.flood_deck("Observatory", "Watchtower")
    table.draw_floods()
    assert table.at(0) == "Observatory"
    assert table.asked == []


def test_pawns_on_a_tile_that_sinks_swim():
    """FI-8.3: at once, without an action, by edge to a remaining tile, flooded or dry."""
    table = Table(
        """
        .  .  #  #  .  .
        .  #  ~* #  #  .
        #  x  ~0 #* #  #
        #  #  x  #  #  #
        .  #  #  #  #  .
        .  .  #  #a .  .
        """
    )
    cell = int(table.view["pawn"][0])
    table.flood_deck(cell, "a")
    target = min(table.stars)
    table.draw_floods(table.swim_to(target))
    assert table.asked == [("swim", 0)]
    assert [event[0] for event in table.events] == ["flood", "swim", "flood"]
    assert table.at(0) == table.tile(target)
    assert table.row["swims"] == 1
    assert table.row["actions"].sum() == 0
    table = Table(pawns={0: cell}, sunk=[cell, 7, 14])
    assert table.swims() == {table.cell(3), table.cell(9)}


@pytest.mark.parametrize(
    ("role", "wanted"),
    [("engineer", "b"), ("messenger", "b"), ("navigator", "b"), ("explorer", "ab"), ("diver", "b"), ("pilot", "abc")],
)
def test_how_each_role_swims(role, wanted):
    """FI-8.3 with FI-5.1, FI-5.4, FI-5.6: by edge; the Explorer diagonally too; the Pilot anywhere."""
    table = Table(
        """
        .  .  x  x  .  .
        .  x  #b #a x  .
        x  x  x0 x  x  x
        x  x  x  x  x  x
        .  x  x  x  x  .
        .  .  x  #c .  .
        """,
        roles=f"{role} {'engineer' if role != 'engineer' else 'pilot'}",
    )
    assert table.swims() == {table.cell(place) for place in wanted}


def test_the_diver_swims_to_one_of_the_nearest_tiles():
    """FI-8.3, FI-5.6: through a gap, farther than one edge; not to a farther tile."""
    drawing = """
        .  .  #  #  .  .
        .  #  x  #  #* .
        #  #  #  #* x  #*
        #  #  #* x  ~0 x
        .  #  #  #* x  .
        .  .  #a #b .  .
        """
    for target in (*Table(drawing).stars, "b"):
        table = Table(drawing, roles="diver engineer")
        table.flood_deck(int(table.view["pawn"][0]), "a")
        table.draw_floods(table.swim_to(target), fault=True)
        assert table.asked == [("swim", 0)]
        assert (table.fault is None) == (target != "b")
        assert target == "b" or table.at(0) == table.tile(target)


def test_several_swimmers_in_turn_order_from_the_active_player():
    """FI-8.3: seats 2, 3, 0, 1 when it is the turn of seat 2, all before the next flood card."""
    table = Table(
        roles="engineer messenger navigator explorer",
        active=2,
        pawns=dict.fromkeys(range(4), "Observatory"),
        flooded=["Observatory"],
    )
    table.flood_deck("Observatory", "Fools' Landing")
    ways = [table.swim_to(tile) for tile in ("Watchtower", "Misty Marsh", "Phantom Rock", "Cliffs of Abandon")]
    table.draw_floods(*ways)
    assert table.asked == [("swim", 2), ("swim", 3), ("swim", 0), ("swim", 1)]
    assert [event[0] for event in table.events] == ["flood", "swim", "swim", "swim", "swim", "flood"]
    assert [table.at(seat) for seat in (2, 3, 0, 1)] == [
        "Watchtower",
        "Misty Marsh",
        "Phantom Rock",
        "Cliffs of Abandon",
    ]


def test_several_swimmers_with_one_exit():
    """FI-8.3: a tile holds any number: all go where the one exit leads."""
    table = Table(
        roles="engineer messenger navigator",
        pawns=dict.fromkeys(range(3), "Twilight Hollow"),
        flooded=["Twilight Hollow"],
        sunk=["Misty Marsh"],
    )
    table.flood_deck("Twilight Hollow", "Fools' Landing")
    out = table.swim_to("Watchtower")
    table.draw_floods(out, out, out)
    assert [table.at(seat) for seat in range(3)] == ["Watchtower"] * 3
    assert table.row["swims"] == 3
    assert table.end is None

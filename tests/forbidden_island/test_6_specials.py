"""Section 6: special cards."""

from __future__ import annotations

from .table import STOP, Table

LIFT, SANDBAGS = 9, 10  # the kinds of answers, their lowest four bits


def test_lift_carries_pawns_of_one_tile():
    """FI-6.1: one or more pawns of one tile to one other tile, dry or flooded; the holder's own need not be there."""
    table = Table(
        roles="engineer messenger navigator pilot",
        hands=["helicopter"],
        pawns={1: "Observatory", 2: "Observatory", 3: "Watchtower"},
        flooded=["Misty Marsh"],
        sunk=["Lost Lagoon"],
    )
    assert table.allows(table.lift(0, "Misty Marsh", 1, 2))
    assert table.allows(table.lift(0, "Misty Marsh", 1))
    assert table.allows(table.lift(0, "Misty Marsh", 0))
    assert not table.allows(table.lift(0, "Misty Marsh", 1, 3))  # from two tiles
    assert not table.allows(table.lift(0, "Misty Marsh"))  # nobody
    assert not table.allows(table.lift(0, "Lost Lagoon", 1))  # no tile
    assert not table.allows(table.lift(0, "Observatory", 1))  # no other tile
    assert not table.allows(table.lift(1, "Misty Marsh", 1))  # holds no Lift
    table.take_actions(table.lift(0, "Misty Marsh", 2, 1))
    assert [table.at(seat) for seat in range(4)] == ["Bronze Gate", "Misty Marsh", "Misty Marsh", "Watchtower"]
    assert table.events == [("helicopter", 0, [1, 2], "Misty Marsh")]


def test_lift_choices():
    """FI-6.1: each set of the pawns of a tile to each other tile: two together and one alone, 23 tiles off."""
    table = Table(roles="engineer messenger pilot", hands=["helicopter helicopter"], pawns={0: "Silver Gate"})
    assert len([choice for choice in table.options("window") if choice & 15 == LIFT]) == (3 + 1) * 23


def test_sandbags_make_a_flooded_tile_dry():
    """FI-6.1: anywhere; not a dry tile, not a sunk one, not without the card."""
    table = Table(hands=["", "sandbags"], flooded=["Watchtower"], sunk=["Observatory"])
    assert not table.allows(table.sandbags(1, "Misty Marsh"))
    assert not table.allows(table.sandbags(1, "Observatory"))
    assert not table.allows(table.sandbags(0, "Watchtower"))
    table.take_actions(table.sandbags(1, "Watchtower"))
    assert table.state("Watchtower") == "dry"
    assert table.events == [("sandbags", 1, "Watchtower")]


def test_special_cards_cost_no_action_and_are_discarded():
    """FI-6.2: before, between and after three actions; then they lie in the treasure discard."""
    table = Table(
        hands=["sandbags helicopter", "sandbags helicopter"],
        flooded=["Watchtower", "Observatory"],
        pawns={0: "Iron Gate"},
    )
    table.treasure_deck("earth wind")
    table.take_turn(
        table.sandbags(1, "Watchtower"),
        table.move_to("Gold Gate"),
        table.lift(0, "Misty Marsh", 0),
        table.move_to("Observatory"),
        table.shore_up("Observatory"),
        table.lift(1, "Bronze Gate", 1),
        STOP,
    )
    assert [event[0] for event in table.events[:7]] == [
        "turn",
        "sandbags",
        "move",
        "helicopter",
        "move",
        "shore_up",
        "helicopter",
    ]
    assert table.row["actions"].tolist()[:5] == [0, 2, 0, 0, 1]
    assert table.discard == "helicopter helicopter sandbags"
    assert table.view["specials_held"] == 1


def test_windows_of_a_turn():
    """FI-6.2: in anyone's turn before and after each action, before each treasure card and before each flood card."""
    table = Table(hands=["", "sandbags"], flooded=["Observatory"])
    table.treasure_deck("earth wind")
    table.flood_deck("Watchtower", "Misty Marsh")
    moves = [table.move_to(tile) for tile in ("Iron Gate", "Gold Gate", "Copper Gate")]
    table.take_turn(*moves, STOP, STOP, STOP, STOP)
    assert table.asked == [("act", 0)] * 3 + [("window", 0)] * 4


def test_no_window_without_a_special_card():
    """FI-6.2: nobody is asked when nobody holds one."""
    table = Table()
    table.treasure_deck("earth wind")
    table.take_turn(STOP)
    assert table.asked == [("act", 0)]


def test_several_special_cards_between_two_steps():
    """FI-6.2: as many as the table likes, the question is put again after each."""
    table = Table(hands=["sandbags", "sandbags helicopter"], flooded=["Observatory", "Watchtower"])
    table.treasure_deck("earth wind")
    table.draw_treasures(
        table.sandbags(0, "Watchtower"), table.sandbags(1, "Observatory"), table.lift(1, "Watchtower", 0)
    )
    assert [event[0] for event in table.events] == ["sandbags", "sandbags", "helicopter", "draw", "draw"]
    assert table.asked == [("window", 0)] * 3


def test_between_two_treasure_cards():
    """FI-6.2: the first card is drawn, a special card is played, the second is drawn; a new card at once."""
    table = Table(flooded=["Observatory"])
    table.treasure_deck("sandbags earth")
    table.draw_treasures(table.sandbags(0, "Observatory"))
    assert [event[0] for event in table.events] == ["draw", "sandbags", "draw"]
    assert table.state("Observatory") == "dry"


def test_after_a_rise_before_the_second_card():
    """FI-6.2, FI-7.3: the tile is dry, its card on top of the flood deck all the same."""
    table = Table(flooded=["Observatory"], hands=["", "sandbags"])
    table.treasure_deck("waters_rise earth")
    table.draw_treasures(STOP, table.sandbags(1, "Observatory"))
    assert [event[0] for event in table.events] == ["draw", "rise", "sandbags", "draw"]
    assert table.layers[-1] == {"Observatory"}
    table.draw_floods()
    assert table.events[0] == ("flood", "Observatory", "flooded")


def test_between_two_flood_cards_once_the_first_is_resolved():
    """FI-6.2: the pawns of the first card's tile swim before a special card may be played, then the second is drawn."""
    table = Table(hands=["helicopter"], pawns={1: "Observatory"}, flooded=["Observatory", "Phantom Rock"])
    table.flood_deck("Observatory", "Phantom Rock")
    table.draw_floods(STOP, table.swim_to("Phantom Rock"), table.lift(0, "Misty Marsh", 1))
    assert table.asked == [("window", 0), ("swim", 1), ("window", 0)]
    assert [event[0] for event in table.events] == ["flood", "swim", "helicopter", "flood"]
    assert table.at(1) == "Misty Marsh"


def test_sandbags_before_the_card_is_revealed():
    """FI-6.3: played in time they turn a sinking into a flooding."""
    table = Table(hands=["", "sandbags"], flooded=["Observatory"])
    table.flood_deck("Observatory", "Watchtower")
    table.draw_floods(table.sandbags(1, "Observatory"))
    assert table.events[:2] == [("sandbags", 1, "Observatory"), ("flood", "Observatory", "flooded")]
    assert table.state("Observatory") == "flooded"


def test_sandbags_after_the_card_is_revealed():
    """FI-6.3: nobody is asked between the card and the sinking; after it there is no tile to make dry."""
    table = Table(hands=["", "sandbags"], flooded=["Observatory"])
    table.flood_deck("Observatory", "Watchtower")
    table.draw_floods(STOP, table.sandbags(1, "Observatory"), fault=True)
    assert table.events == [("flood", "Observatory", "sunk")]
    assert table.asked == [("window", 0), ("window", 0)]
    assert table.fault == table.sandbags(1, "Observatory")


def test_lift_before_the_card_is_revealed():
    """FI-6.3: played in time nobody need swim."""
    table = Table(hands=["", "helicopter"], pawns={0: "Observatory"}, flooded=["Observatory"])
    table.flood_deck("Observatory", "Watchtower")
    table.draw_floods(table.lift(1, "Misty Marsh", 0))
    assert [event[0] for event in table.events] == ["helicopter", "flood", "flood"]
    assert table.row["swims"] == 0


def test_lift_after_the_card_is_revealed():
    """FI-6.3: the pawn swims, no Lift dodges it."""
    table = Table(hands=["", "helicopter"], pawns={0: "Observatory"}, flooded=["Observatory"])
    table.flood_deck("Observatory", "Watchtower")
    table.draw_floods(STOP, table.lift(1, "Misty Marsh", 0), fault=True)
    assert table.asked == [("window", 0), ("swim", 0)]
    assert table.fault == table.lift(1, "Misty Marsh", 0)


def test_a_lift_in_hand_does_not_keep_from_drowning():
    """FI-6.3, FI-9.4: with nowhere to swim the game is lost although a Lift is held."""
    table = Table(
        hands=["helicopter"],
        pawns={0: "Twilight Hollow"},
        flooded=["Twilight Hollow"],
        sunk=["Watchtower", "Misty Marsh"],
    )
    table.flood_deck("Twilight Hollow", "Observatory")
    table.draw_floods(STOP)
    assert table.asked == [("window", 0)]
    assert table.end == "drowned"

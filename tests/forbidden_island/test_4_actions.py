"""Section 4: actions."""

from __future__ import annotations

import pytest

from .table import Table


def test_move_by_edge():
    """FI-4.1: to a tile sharing an edge, dry or flooded; never diagonally, onto a gap or across one."""
    table = Table(
        """
        .  .  #  #  .  .
        .  #  #* #  #  .
        #  x  #0 ~* #  #
        #  #  #* #  #  #
        .  #  #  #  #  .
        .  .  #  #  .  .
        """
    )
    assert table.moves() == table.stars
    assert {int(choice) for choice in table.options() if choice & 15 == 1} == {table.move_to(c) for c in table.stars}


def test_move_not_across_the_edge_of_the_map():
    """FI-4.1: a hole of the map is no tile, and rows do not wrap."""
    table = Table(
        """
        .  .  #  #  .  .
        .  #  #  #  #  .
        #  #  #  #  #* #0
        #  #  #  #  #  #*
        .  #  #  #  #  .
        .  .  #  #  .  .
        """
    )
    assert table.moves() == table.stars


def test_move_takes_one_action():
    """FI-4.1, FI-3.1: three moves are three actions."""
    table = Table(pawns={0: "Iron Gate"})
    table.take_actions(table.move_to("Gold Gate"), table.move_to("Copper Gate"), table.move_to("Temple of the Sun"))
    assert table.at(0) == "Temple of the Sun"
    assert table.asked == [("act", 0)] * 3
    assert table.row["actions"][1] == 3


def test_shore_up_own_tile_and_by_edge():
    """FI-4.2: the own tile or one sharing an edge, from flooded to dry; not a dry one, not a sunk one, not farther."""
    table = Table(
        """
        .  .  #  #  .  .
        .  ~  x  ~  #  .
        #  ~* ~0* #  ~  #
        #  ~  ~* ~  #  #
        .  #  ~  #  #  .
        .  .  #  #  .  .
        """,
        roles="messenger engineer",
    )
    assert table.shores() == table.stars
    tile = table.tile(int(table.view["pawn"][0]))
    table.take_actions(table.shore_up(tile))
    assert table.state(tile) == "dry"
    assert table.events == [("shore_up", 0, [tile])]


def test_a_sunk_tile_is_never_restored():
    """FI-4.2: neither by shoring up nor by Sandbags."""
    table = Table(sunk=["Fools' Landing"], hands=["sandbags"])
    assert not table.allows(table.shore_up("Fools' Landing"))
    assert not table.allows(table.sandbags(0, "Fools' Landing"))


def test_only_the_engineer_shores_up_two():
    """FI-4.2: one tile an action."""
    table = Table(roles="messenger engineer", flooded=["Silver Gate", "Iron Gate"])
    assert not table.allows(table.shore_up("Silver Gate", "Iron Gate"))


def test_give_on_the_same_tile():
    """FI-4.3: one treasure card for one action to a player on the same tile."""
    table = Table(hands=["earth wind"], pawns={1: "Bronze Gate"})
    table.take_actions(table.give(1, "earth"))
    assert (table.hand(0), table.hand(1)) == ("wind", "earth")
    assert table.events == [("give", 0, 1, "earth")]
    assert table.row["actions"][6] == 1


def test_give_not_to_another_tile():
    """FI-4.3: not even to the next tile."""
    table = Table(hands=["earth"], pawns={1: "Fools' Landing"})
    assert not table.allows(table.give(1, "earth"))


def test_give_no_special_card():
    """FI-4.3: neither a Helicopter Lift nor Sandbags."""
    table = Table(hands=["earth helicopter sandbags"], pawns={1: "Bronze Gate"})
    assert table.allows(table.give(1, "earth"))
    assert not table.allows(table.give(1, "helicopter"))
    assert not table.allows(table.give(1, "sandbags"))


def test_no_taking():
    """FI-4.3: the other's card is not to be had, nor one that nobody holds, nor given to oneself."""
    table = Table(hands=["earth", "wind"], pawns={1: "Bronze Gate"})
    assert not table.allows(table.give(1, "wind"))
    assert not table.allows(table.give(0, "wind"))
    assert not table.allows(table.give(0, "earth"))
    assert [choice for choice in table.options() if choice & 15 == 6] == [table.give(1, "earth")]


def test_giving_to_a_full_hand():
    """FI-4.3, FI-7.2: who holds five may be given a sixth, and is at once back to five, before the next action."""
    table = Table(hands=["earth fire", "wind wind wind ocean ocean"], pawns={1: "Bronze Gate"})
    table.take_actions(table.give(1, "earth"), table.throw("ocean"), table.give(1, "fire"), table.throw("fire"))
    assert table.asked[:4] == [("act", 0), ("discard", 1), ("act", 0), ("discard", 1)]
    assert table.hand(1) == "earth wind wind wind ocean"
    assert table.discard == "fire ocean"
    assert [event[0] for event in table.events] == ["give", "discard", "give", "discard"]


def test_the_given_card_may_be_the_one_discarded():
    """FI-4.3, FI-7.2: any card of the six goes, a special card may be played instead."""
    table = Table(hands=["earth", "wind wind wind ocean sandbags"], pawns={1: "Bronze Gate"}, flooded=["Watchtower"])
    table.take_actions(table.give(1, "earth"), table.sandbags(1, "Watchtower"))
    assert table.asked[1] == ("discard", 1)
    assert table.hand(1) == "earth wind wind wind ocean"
    assert table.state("Watchtower") == "dry"


@pytest.mark.parametrize("place", ["Temple of the Moon", "Temple of the Sun"])
@pytest.mark.parametrize("state", ["dry", "flooded"])
def test_capture(place, state):
    """FI-4.4: on either of its two tiles, dry or flooded, four of its cards are discarded for one action."""
    table = Table(
        hands=["earth earth earth earth wind"], pawns={0: place}, flooded=[place] if state == "flooded" else []
    )
    table.take_actions(table.capture("earth"))
    assert table.view["captured"] == 0b0001
    assert table.hand(0) == "wind"
    assert table.discard == "earth earth earth earth"
    assert table.events == [("capture", 0, "earth")]
    assert table.row["actions"][7] == 1
    assert table.asked == [("act", 0)] * 2


def test_capture_keeps_the_fifth_card():
    """FI-4.4: with five of its cards one stays in hand."""
    table = Table(hands=["earth earth earth earth earth"], pawns={0: "Temple of the Sun"})
    table.take_actions(table.capture("earth"))
    assert table.hand(0) == "earth"
    assert table.view["hand_size"][0] == 1


def test_four_cards_are_not_yet_a_capture():
    """FI-4.4: a treasure of which a hand holds four is still open, and is lost when both its tiles sink."""
    table = Table(hands=["wind wind wind wind"], sunk=["Howling Garden"], flooded=["Whispering Garden"])
    table.flood_deck("Whispering Garden")
    table.draw_floods()
    assert table.view["captured"] == 0
    assert table.end == "treasure_sunk"


def test_no_capture_elsewhere_with_fewer_or_twice():
    """FI-4.4: not on another tile, not with three cards, not on another treasure's tile, not when it is captured."""
    four = ["earth earth earth earth"]
    table = Table(hands=four, pawns={0: "Temple of the Moon"})
    assert table.allows(table.capture("earth"))
    for table in (
        Table(hands=four, pawns={0: "Observatory"}),
        Table(hands=four, pawns={0: "Howling Garden"}),
        Table(hands=["earth earth earth"], pawns={0: "Temple of the Moon"}),
        Table(hands=["earth earth earth", "earth"], pawns={0: "Temple of the Moon", 1: "Temple of the Moon"}),
        Table(hands=four, pawns={0: "Temple of the Moon"}, captured="earth"),
    ):
        assert not table.allows(table.capture("earth"))

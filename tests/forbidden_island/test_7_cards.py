"""Section 7: drawing treasure cards, and the hand limit."""

from __future__ import annotations

from .table import STOP, Table

FIVE = "earth wind fire ocean ocean"


# ---- drawing ----


def test_cards_are_drawn_one_at_a_time():
    """FI-7.1: from the top, into the hand of the player whose turn it is."""
    table = Table(active=1)
    table.treasure_deck("fire ocean wind")
    table.draw_treasures()
    assert table.events == [("draw", 1, "fire"), ("draw", 1, "ocean")]
    assert table.hand(1) == "fire ocean"
    assert table.view["deck_size"] == 26


def test_the_treasure_deck_runs_out_in_mid_draw():
    """FI-7.1: the discard becomes the new deck when a card is due, then the second card is drawn."""
    table = Table()
    table.treasure_deck("earth", discard="rest")
    table.draw_treasures()
    assert [event[0] for event in table.events[:3]] == ["draw", "reshuffle", "draw"]
    assert table.events[1] == ("reshuffle", "treasure")
    assert table.discard in ("", "waters_rise")
    assert table.view["deck_size"] == 26


def test_the_deck_is_not_reshuffled_before_a_card_is_due():
    """FI-7.1: after the last card nothing is shuffled until somebody draws; empty at the start it is shuffled first."""
    table = Table()
    table.treasure_deck("earth wind", discard="rest")
    table.draw_treasures()
    assert [event[0] for event in table.events] == ["draw", "draw"]
    assert table.view["deck_size"] == 0
    table.draw_treasures()
    assert table.events[0] == ("reshuffle", "treasure")


def test_rises_of_the_discard_are_shuffled_in():
    """FI-7.1: Waters Rise! cards included: with nothing else in the discard the next card is one."""
    table = Table(treasure_copies=1, capture_cost=1, helicopter=1, sandbags=0, hands=["earth wind", "fire helicopter"])
    table.treasure_deck("ocean", discard="rest")
    assert table.discard == "waters_rise waters_rise waters_rise"
    table.draw_treasures(STOP, STOP)
    assert table.events == [("draw", 0, "ocean"), ("reshuffle", "treasure"), ("draw", 0, "waters_rise"), ("rise", 2)]


def test_a_rise_as_the_last_card_is_in_the_reshuffle():
    """FI-7.1: it lies in the discard by the time the next card is due; here it is the whole deck and comes again."""
    table = Table(
        treasure_copies=1,
        capture_cost=1,
        helicopter=1,
        sandbags=0,
        waters_rise=1,
        hands=["earth wind", "fire helicopter ocean"],
    )
    table.treasure_deck("waters_rise")
    assert table.deck == "waters_rise"
    table.draw_treasures()
    assert table.events == [
        ("draw", 0, "waters_rise"),
        ("rise", 2),
        ("reshuffle", "treasure"),
        ("draw", 0, "waters_rise"),
        ("rise", 3),
    ]


def test_every_card_in_a_hand():
    """FI-7.1: with an empty deck and an empty discard there is nothing to draw, and play goes on."""
    table = Table(
        treasure_copies=1,
        capture_cost=1,
        helicopter=1,
        sandbags=0,
        waters_rise=0,
        hands=["earth wind", "fire helicopter ocean"],
    )
    table.take_turn()
    assert table.told("draw", "reshuffle") == []
    assert len(table.told("flood")) == 2


def test_a_rise_counts_as_one_of_the_two():
    """FI-7.1: no extra card is drawn for it."""
    table = Table()
    table.treasure_deck("waters_rise earth wind")
    table.draw_treasures()
    assert table.events == [("draw", 0, "waters_rise"), ("rise", 2), ("draw", 0, "earth")]
    assert table.hand(0) == "earth"


# ---- the hand limit ----


def test_five_cards_may_rest():
    """FI-7.2: at five nothing is asked."""
    table = Table(hands=["earth wind fire"])
    table.treasure_deck("ocean ocean")
    assert table.draw_treasures().asked == []
    assert table.hand(0) == FIVE


def test_the_sixth_card_goes_before_the_second_is_drawn():
    """FI-7.2: after the first of two cards the owner is back to five before the second is drawn, and again after it."""
    table = Table(hands=[FIVE])
    table.treasure_deck("fire wind")
    table.draw_treasures(table.throw("ocean"), table.throw("wind"))
    assert table.events == [
        ("draw", 0, "fire"),
        ("discard", 0, "ocean"),
        ("draw", 0, "wind"),
        ("discard", 0, "wind"),
    ]
    assert table.asked == [("discard", 0)] * 2
    assert table.hand(0) == "earth wind fire fire ocean"
    assert table.discard == "wind ocean"
    assert table.row["discards"].tolist() == [0, 1, 0, 1, 0, 0]


def test_the_card_just_drawn_may_go():
    """FI-7.2: any card of the six; the owner chooses."""
    table = Table(hands=[FIVE])
    table.treasure_deck("fire waters_rise")
    table.draw_treasures(table.throw("fire"))
    assert table.hand(0) == FIVE


def test_only_cards_in_the_hand_may_go():
    """FI-7.2: not one that it does not hold."""
    table = Table(hands=["earth wind fire fire ocean ocean", "sandbags"])
    legal = {table.throw(card) for card in ("earth", "wind", "fire", "ocean")}
    assert set(table.options("discard", 0)) == legal
    assert not table.allows(table.throw("sandbags"), "discard", 0)
    assert not table.allows(STOP, "discard", 0)


def test_a_special_card_instead_of_a_discard():
    """FI-7.2: playing it brings the hand back to five; nothing else is asked."""
    table = Table(hands=["earth wind fire ocean sandbags"], flooded=["Observatory"])
    table.treasure_deck("fire wind")
    table.draw_treasures(STOP, table.sandbags(0, "Observatory"), table.throw("wind"))
    assert table.asked == [("window", 0), ("discard", 0), ("discard", 0)]
    assert [event[0] for event in table.events] == ["draw", "sandbags", "draw", "discard"]
    assert table.row["discards"].sum() == 1


def test_a_lift_just_drawn_instead_of_a_discard():
    """FI-7.2: the card that made it six may be the special one that is played."""
    table = Table(hands=[FIVE])
    table.treasure_deck("helicopter earth")
    table.draw_treasures(table.lift(0, "Watchtower", 1), table.throw("earth"))
    assert [event[0] for event in table.events] == ["draw", "helicopter", "draw", "discard"]
    assert table.at(1) == "Watchtower"


def test_a_special_card_may_be_discarded_unplayed():
    """FI-7.2: discarding it is legal too, and has no effect."""
    table = Table(hands=["earth wind fire ocean sandbags"], flooded=["Observatory"])
    table.treasure_deck("fire waters_rise")
    table.draw_treasures(STOP, table.throw("sandbags"))
    assert table.state("Observatory") == "flooded"
    assert table.row["sandbags_played"] == 0
    assert table.view["specials_held"] == 0


def test_another_players_special_card_does_not_help():
    """FI-7.2: only the owner discards or plays, and only then does anything else happen."""
    table = Table(hands=["earth wind fire fire ocean ocean", "sandbags helicopter"], flooded=["Observatory"])
    assert not table.allows(table.sandbags(1, "Observatory"), "discard", 0)
    assert not table.allows(table.lift(1, "Observatory", 0), "discard", 0)


def test_the_hand_is_settled_before_the_flood():
    """FI-7.2: a sixth card with the second draw goes before the first flood card."""
    table = Table(hands=["earth wind fire ocean"])
    table.treasure_deck("ocean fire")
    table.take_turn(STOP, table.throw("earth"))
    assert [event[0] for event in table.events] == ["turn", "draw", "draw", "discard", "flood", "flood"]


# ---- Waters Rise! ----


def test_a_rise():
    """FI-7.3: the meter goes up one tick, the flood discard alone goes on top of the deck, the card to the discard."""
    table = Table(flooded=["Observatory", "Watchtower"], sunk=["Lost Lagoon"])
    below = table.layers[0]
    table.treasure_deck("waters_rise earth")
    table.draw_treasures()
    assert table.view["tick"] == 2
    assert table.layers == [below, {"Observatory", "Watchtower"}]
    assert table.flood_discard == set()
    assert table.discard == "waters_rise"
    assert (table.state("Observatory"), table.state("Lost Lagoon")) == ("flooded", "sunk")
    table.draw_floods()
    assert {event[1:] for event in table.events} == {("Observatory", "sunk"), ("Watchtower", "sunk")}


def test_what_was_drawn_last_lies_above_what_rose_before():
    """FI-7.3: a second rise lays its discard on top of the rest of the first."""
    table = Table(flooded=["Observatory", "Watchtower", "Misty Marsh"], cards_per_turn=1, meter=[1, 1, 1])
    below = table.layers[0]
    table.treasure_deck("waters_rise waters_rise")
    table.draw_treasures().draw_floods()
    left = {"Observatory", "Watchtower", "Misty Marsh"} - {table.events[0][1]}
    table.flood_deck("Phantom Rock", *left, discard=[])
    table.draw_floods()  # Phantom Rock, from a card above
    assert table.flood_discard == {"Phantom Rock"}
    table.draw_treasures()
    assert table.layers[-1] == {"Phantom Rock"}
    assert table.layers[-2] == left
    assert table.layers[0] == below - {"Phantom Rock"}


def test_a_rise_with_an_empty_discard():
    """FI-7.3: only the meter moves."""
    table = Table()
    table.flood_deck("Observatory", "Watchtower", discard=[])
    before = table.layers
    table.treasure_deck("waters_rise earth")
    table.draw_treasures()
    assert table.view["tick"] == 2
    assert table.layers == before
    assert table.discard == "waters_rise"


def test_two_rises_in_one_draw():
    """FI-7.3: one after the other in full: two ticks, and the second finds the flood discard empty."""
    table = Table(flooded=["Observatory", "Watchtower"])
    below = table.layers[0]
    table.treasure_deck("waters_rise waters_rise")
    table.draw_treasures()
    assert table.events == [("draw", 0, "waters_rise"), ("rise", 2), ("draw", 0, "waters_rise"), ("rise", 3)]
    assert table.view["tick"] == 3
    assert table.layers == [below, {"Observatory", "Watchtower"}]
    assert table.discard == "waters_rise waters_rise"
    assert table.row["rise_turn"].tolist()[:3] == [1, 1, 0]
    assert len(table.draw_floods().told("flood")) == 3


def test_a_rise_does_not_count_in_the_hand():
    """FI-7.3, FI-7.2: a full hand that draws one is still full, not over."""
    table = Table(hands=[FIVE])
    table.treasure_deck("waters_rise waters_rise")
    assert table.draw_treasures().asked == []

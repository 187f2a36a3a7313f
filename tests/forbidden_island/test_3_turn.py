"""Section 3: a turn, and turns one after another."""

from __future__ import annotations

from .table import STOP, Table


def test_three_actions_then_two_cards_then_floods():
    """FI-3.1: the order of a turn, and how much of each; a fourth action is not offered."""
    table = Table()
    table.treasure_deck("earth wind")
    table.flood_deck("Watchtower", "Observatory")
    table.take_turn(table.move_to("Fools' Landing"), table.move_to("Bronze Gate"), table.move_to("Iron Gate"))
    assert [event[0] for event in table.events] == ["turn", *["move"] * 3, *["draw"] * 2, *["flood"] * 2]
    assert table.asked == [("act", 0)] * 3


def test_actions_repeat_and_mix():
    """FI-3.1: in any order, the same one again."""
    table = Table(roles="messenger engineer", flooded=["Silver Gate", "Iron Gate"])
    table.take_actions(table.shore_up("Silver Gate"), table.move_to("Iron Gate"), table.shore_up("Iron Gate"))
    assert [event[0] for event in table.events] == ["shore_up", "move", "shore_up"]
    table = Table(roles="messenger engineer", flooded=["Silver Gate", "Iron Gate", "Whispering Garden"])
    table.take_actions(
        table.shore_up("Iron Gate"), table.shore_up("Silver Gate"), table.shore_up("Iron Gate"), fault=True
    )
    assert table.fault == table.shore_up("Iron Gate")  # dry by then


def test_actions_may_be_left_unused_and_none_carries_over():
    """FI-3.1: who stops at once has three actions again in the next turn, no more."""
    table = Table(cards_per_turn=0, meter=[0], turn_limit=3)
    there, back = table.move_to("Fools' Landing"), table.move_to("Bronze Gate")
    table.play_game(STOP, STOP, there, back, there)
    assert table.asked == [("act", 0), ("act", 1), *[("act", 0)] * 3]
    assert table.row["actions"][0] == 3 + 3


def test_flood_cards_by_the_meter_at_that_moment():
    """FI-3.1: a rise drawn in this turn counts for this turn's flood cards: tick 2 to 3, two to three cards."""
    table = Table(tick=2)
    table.treasure_deck("earth waters_rise")
    table.take_turn()
    assert [event[0] for event in table.events] == ["turn", "draw", "draw", "rise", "flood", "flood", "flood"]


def test_clockwise():
    """FI-2.6, FI-3.1: turns pass to the next seat, round and round."""
    table = Table(roles="engineer messenger navigator", cards_per_turn=0, meter=[0], active=1, turn_limit=5)
    table.play_game()
    assert [(number, seat) for _, number, seat, _ in table.told("turn")] == [(1, 1), (2, 2), (3, 0), (4, 1), (5, 2)]

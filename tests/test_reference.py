"""The plain referee: small hand-written situations, and every kind of planted breach."""

import statistics
from functools import cache

import pytest

from tests.reference import check
from tests.reference.board import HEX_ROWS, LANDING, touching
from tests.reference.breaches import CATALOGUE
from tests.reference.generator import MAPS, VARIANTS, Game, game, rules
from tests.reference.scene import Scene

PAIR = {"engineer": "I", "messenger": "V"}


# ---- the board -----------------------------------------------------------------------------------------------------


def test_standard_map_has_36_edges_and_34_diagonals():
    """FI-2.1: the standard map has 36 pairs of cells sharing an edge and 34 sharing a corner only."""
    edges, corners = touching(MAPS["standard"], "square")
    assert (sum(map(len, edges)), sum(map(len, corners))) == (2 * 36, 2 * 34)


def test_hex_grid_has_55_edges_and_no_corners():
    """FI-10 `grid`: 24 hexagons in rows of 4, 5, 6, 5, 4 have 19 edges within and 36 between rows; six at most."""
    edges, corners = touching(HEX_ROWS, "hex")
    assert sum(map(len, edges)) == 2 * 55
    assert max(map(len, edges)) == 6
    assert not any(corners)
    assert edges[0] == {1, 4, 5}
    assert edges[11] == {5, 6, 10, 12, 16, 17}


# ---- actions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "flooded", "sunk", "to", "rule"),
    [
        ("engineer", "", "", "J", None),
        ("engineer", "J", "", "J", None),
        ("engineer", "", "J", "J", "FI-4.1"),
        ("engineer", "", "J", "K", "FI-4.1"),
        ("engineer", "", "", "E", "FI-4.1"),
        ("engineer", "", "", "I", "FI-4.1"),
        ("explorer", "", "", "E", None),
        ("explorer", "", "", "K", "FI-5.1"),
        ("explorer", "", "E", "E", "FI-5.1"),
        ("diver", "J", "", "J", None),
        ("diver", "J", "", "K", None),
        ("diver", "", "J", "K", None),
        ("diver", "", "J", "J", "FI-5.6"),
        ("diver", "", "", "K", "FI-5.6"),
        ("diver", "P", "J", "Q", None),
        ("diver", "K", "J", "L", None),
        ("diver", "", "J", "Q", "FI-5.6"),
        ("diver", "E", "", "E", "FI-5.6"),
        ("diver", "J", "", "I", "FI-5.6"),
    ],
)
def test_moves(role, flooded, sunk, to, rule):
    """FI-4.1, FI-5.1, FI-5.6: by edge, never into or through a gap; the Explorer by corners, the Diver under water."""
    assert Scene({role: "I", "messenger": "S"}, flooded=flooded, sunk=sunk).move(0, to).rule() == rule


@pytest.mark.parametrize(("role", "rule"), [("diver", "FI-5.6"), ("engineer", "FI-4.1")])
def test_holes_of_the_map_are_not_gaps(role, rule):
    """FI-5.6: a hole of the map's shape never held a tile and is never entered, nor swum through."""
    scene = Scene({role: "H", "messenger": "A"}, map=MAPS["volcano-island"])
    assert scene.move(0, "Q").rule() == rule


def test_without_role_powers_everybody_is_ordinary():
    """FI-10 `role_powers`: the Explorer no longer moves by corners, the Pilot no longer flies."""
    assert Scene({"explorer": "I", "pilot": "S"}, role_powers=False).move(0, "E").rule() == "FI-4.1"
    assert Scene({"pilot": "I", "explorer": "S"}, role_powers=False).fly(0, "X").rule() == "FI-5.4"


def test_hex_moves():
    """FI-10 `grid`: on hexagons a pawn has six neighbours, and the Explorer no more than they."""
    scene = Scene({"explorer": "L", "messenger": "A"}, map=MAPS["hex"], grid="hex")
    assert scene.move(0, "K").move(0, "L").move(0, "M").rule() is None
    for to, rule in (("F", None), ("G", None), ("Q", None), ("R", None), ("E", "FI-5.1"), ("P", "FI-5.1")):
        scene = Scene({"explorer": "L", "messenger": "A"}, map=MAPS["hex"], grid="hex")
        assert scene.move(0, to).rule() == rule, to


@pytest.mark.parametrize(
    ("role", "flooded", "sunk", "knob", "to", "rule"),
    [
        ("engineer", "", "", "one_gap", "K", None),
        ("engineer", "", "", "one_gap", "E", None),
        ("engineer", "", "", "one_gap", "L", "FI-5.5"),
        ("engineer", "", "", "one_gap", "I", "FI-5.5"),
        ("engineer", "", "J", "one_gap", "K", "FI-5.5"),
        ("explorer", "", "", "one_gap", "V", None),
        ("pilot", "", "", "one_gap", "X", "FI-5.5"),
        ("diver", "", "J", "one_gap", "K", None),
        ("diver", "", "J", "one_gap", "J", "FI-5.5"),
        ("diver", "", "J", "steps_only", "K", "FI-5.5"),
        ("diver", "", "JK", "one_gap", "L", "FI-5.5"),
    ],
)
def test_navigator(role, flooded, sunk, knob, to, rule):
    """FI-5.5: one or two steps of one other pawn, ending elsewhere; the Diver's first into a gap by the knob."""
    scene = Scene({"navigator": "S", role: "I"}, flooded=flooded, sunk=sunk, navigator_moves_diver=knob)
    assert scene.navigate(0, 1, to).rule() == rule


def test_navigator_moves_others_only():
    """FI-5.5: never the own pawn, and nobody else navigates."""
    assert Scene({"navigator": "S", "engineer": "I"}).navigate(0, 0, "T").rule() == "FI-5.5"
    assert Scene({"engineer": "I", "navigator": "S"}).navigate(0, 1, "T").rule() == "FI-5.5"


@pytest.mark.parametrize(
    ("role", "flooded", "cells", "rule"),
    [
        ("messenger", "IJ", "I", None),
        ("messenger", "IJ", "J", None),
        ("messenger", "IJ", "IJ", "FI-5.2"),
        ("messenger", "E", "E", "FI-4.2"),
        ("messenger", "I", "J", "FI-4.2"),
        ("explorer", "E", "E", None),
        ("explorer", "K", "K", "FI-5.1"),
        ("engineer", "IJ", "IJ", None),
        ("engineer", "IJ", "J", None),
        ("engineer", "IJH", "IJH", "FI-5.2"),
        ("engineer", "J", "JJ", "FI-5.2"),
        ("engineer", "JE", "JE", "FI-5.2"),
        ("engineer", "J", "JI", "FI-4.2"),
    ],
)
def test_shore_up(role, flooded, cells, rule):
    """FI-4.2, FI-5.1, FI-5.2: one flooded tile, own or by an edge; Explorer by a corner; Engineer two, different."""
    assert Scene({role: "I", "pilot": "S"}, flooded=flooded).shore(0, cells).rule() == rule


def test_a_sunk_tile_is_never_restored():
    """FI-4.2: neither shoring up nor Sandbags bring a sunk tile back."""
    hands = [["sandbags"], ["fire"]]
    assert Scene(PAIR, hands, sunk="J").shore(0, "J").rule() == "FI-4.2"
    assert Scene(PAIR, hands, sunk="J").bags(0, "J").rule() == "FI-6.1"


def test_gifts():
    """FI-4.3, FI-5.3: treasure cards only, held, on the same tile; the Messenger from afar, nobody to the Messenger."""
    hands = [["fire", "sandbags"], ["wind", "ocean"]]
    apart, together = {"engineer": "I", "messenger": "V"}, {"start_tiles": "landing"}
    assert Scene(apart, hands).give(0, 1, "fire").rule() == "FI-4.3"
    assert Scene(apart, hands, **together).give(0, 1, "fire").rule() is None
    assert Scene(apart, hands, **together).give(0, 1, "sandbags").rule() == "FI-4.3"
    assert Scene(apart, hands, **together).give(0, 1, "earth").rule() == "FI-4.3"
    assert Scene(apart, hands, **together).give(0, 0, "fire").rule() == "FI-4.3"
    assert Scene({"messenger": "V", "engineer": "I"}, hands).give(0, 1, "fire").rule() is None


def test_gift_to_a_full_hand():
    """FI-4.3, FI-7.2, FI-10 `give_to_full_hand`: allowed, and at once back to five; in every `hand_limit_check`."""
    hands = [["fire"] * 5, ["wind"] * 3 + ["ocean"] * 2]
    knobs = {"start_tiles": "landing"}
    assert Scene(PAIR, hands, **knobs).give(0, 1, "fire").discard(1, "wind").give(0, 1, "fire").rule() is None
    for check_when in ("each_card", "after_draw"):
        scene = Scene(PAIR, hands, hand_limit_check=check_when, **knobs).give(0, 1, "fire")
        assert scene.give(0, 1, "fire").rule() == "FI-7.2"
    assert Scene(PAIR, hands, give_to_full_hand=False, **knobs).give(0, 1, "fire").rule() == "FI-10"


def test_capture():
    """FI-4.4: on one of its two tiles, dry or flooded, with four cards; a fifth stays in hand; only once."""
    place = {"J": "Cave of Embers", "K": "Cave of Shadows"}
    hands = [["fire"] * 5, ["wind"] * 5]
    there = Scene(PAIR, hands, flooded="J", place=place).move(0, "J").capture(0, "fire")
    assert there.rule() is None
    assert there.capture(0, "fire").rule() == "FI-4.4"
    assert Scene(PAIR, hands, place=place).capture(0, "fire").rule() == "FI-4.4"
    assert Scene(PAIR, hands, place=place).move(0, "J").capture(0, "wind").rule() == "FI-4.4"
    few = [["fire"] * 3 + ["wind"], ["wind"] * 4]
    assert Scene(PAIR, few, place=place).move(0, "J").capture(0, "fire").rule() == "FI-4.4"
    assert Scene(PAIR, few, place=place, capture_cost=3).move(0, "J").capture(0, "fire").rule() is None


def test_pilot():
    """FI-5.4: one flight in each own turn, to any tile still there; it costs an action."""
    pawns = {"pilot": "I", "engineer": "S"}
    assert Scene(pawns).fly(0, "X").move(0, "W").move(0, "X").rule() is None
    assert Scene(pawns).fly(0, "X").fly(0, "I").rule() == "FI-5.4"
    assert Scene(pawns).fly(0, "X").move(0, "W").move(0, "X").move(0, "W").rule() == "FI-3.1"
    assert Scene(pawns, sunk="X").fly(0, "X").rule() == "FI-5.4"
    scene = Scene(pawns, meter=[0] * 9).fly(0, "X").draw(0, "fire", "fire").turn(1).draw(1, "wind", "wind").turn(0)
    assert scene.fly(0, "A").rule() is None


def test_actions_are_three_and_come_first():
    """FI-3.1: three actions at most (`actions_per_turn`), by the active player, before the first card."""
    steps = [("J"), ("I"), ("J"), ("I")]
    for allowed in (3, 4):
        scene = Scene(PAIR, actions_per_turn=allowed)
        for to in steps:
            scene.move(0, to)
        assert scene.rule() == ("FI-3.1" if allowed == 3 else None)
    assert Scene(PAIR).move(1, "U").rule() == "FI-3.1"
    assert Scene(PAIR).draw(0, "fire").move(0, "J").rule() == "FI-3.1"


# ---- special cards -------------------------------------------------------------------------------------------------


def test_lift_takes_pawns_from_one_tile():
    """FI-6.1: one or more pawns, from one tile, to another tile of the island."""
    hands = [["helicopter"], ["fire"]]
    together = {"start_tiles": "landing", "place": {"A": LANDING}}
    assert Scene(PAIR, hands, **together).lift(0, [0, 1], "X").rule() is None
    assert Scene(PAIR, hands, **together).lift(0, [1], "X").rule() is None
    assert Scene(PAIR, hands, **together).lift(0, [], "X").rule() == "FI-6.1"
    assert Scene(PAIR, hands, **together).lift(0, [1], "A").rule() == "FI-6.1"
    assert Scene(PAIR, hands).lift(0, [0, 1], "X").rule() == "FI-6.1"
    assert Scene(PAIR, hands).lift(1, [0], "X").rule() == "FI-6.1"
    assert Scene(PAIR, hands, sunk="X").lift(0, [0], "X").rule() == "FI-6.1"


def test_special_cards_between_any_two_steps():
    """FI-6.2: by any holder: before and after an action, between drawn cards, between flood cards; only in a turn."""
    hands = [["helicopter"] * 3, ["sandbags"] * 2 + ["fire"]]
    start = {"flooded": "ABCD", "meter": [2] * 9}
    scene = Scene(PAIR, hands, **start).bags(1, "A").move(0, "J").lift(0, [1], "X").draw(0, "fire").lift(0, [1], "W")
    scene.draw(0, "fire").flood("K", "flooded").bags(1, "K").flood("L", "flooded").lift(0, [1], "X").turn(1)
    assert scene.rule() is None
    assert Scene(PAIR, hands, begin=False, **start).bags(1, "A").rule() == "FI-6.2"


def test_no_special_card_inside_a_step():
    """FI-6.2, FI-7.3: not between a Waters Rise! and its rise, and none while pawns must swim (FI-8.3)."""
    hands = [["helicopter"], ["sandbags"]]
    scene = Scene(PAIR, hands, flooded="I").draw(0, "waters_rise").lift(0, [1], "X")
    assert scene.rule() == "FI-7.3"
    sinking = Scene(PAIR, hands, flooded="IS").rise(0).draw(0, "fire").flood("I", "sunk")
    assert sinking.lift(0, [0], "X").rule() == "FI-8.3"


def test_sandbags():
    """FI-6.1: one flooded tile anywhere becomes dry, and the card is spent."""
    hands = [["sandbags", "fire"], ["fire", "wind"]]
    assert Scene(PAIR, hands, flooded="X").bags(0, "X").rule() is None
    assert Scene(PAIR, hands, flooded="XW").bags(0, "X").bags(0, "W").rule() == "FI-6.1"
    assert Scene(PAIR, hands).bags(0, "X").rule() == "FI-6.1"


def test_sandbags_save_a_sinking_only_by_the_knob():
    """FI-6.3, FI-10 `sandbags_save_sinking`: the tile turns dry, the Sandbags are spent."""
    hands = [["sandbags"], ["fire"]]
    start = {"flooded": "XW", "sandbags_save_sinking": True}
    for first_bags in (True, False):
        scene = Scene(PAIR, hands, **start).rise(0).draw(0, "fire")
        scene = scene.bags(0, "X").flood("X", "saved") if first_bags else scene.flood("X", "saved").bags(0, "X")
        assert scene.flood("W", "sunk").rule() is None
    unpaid = Scene(PAIR, hands, **start).rise(0).draw(0, "fire").flood("X", "saved").flood("W", "sunk")
    assert unpaid.rule() == "FI-10"
    against = Scene(PAIR, hands, flooded="XW").rise(0).draw(0, "fire").flood("X", "saved")
    assert against.rule() == "FI-6.3"


def test_sandbags_answer_the_first_card_of_a_reshuffle():
    """FI-6.3, FI-8.2, FI-10 `sandbags_save_sinking`: they save that card's tile only."""

    def bags_after_reshuffle(knob: bool) -> Scene:
        wet = "ABCDEFGHJKLMNOPQRSTUVWX"
        scene = Scene(PAIR, [["sandbags"], ["fire"]], flooded=wet, sandbags_save_sinking=knob)
        scene.draw(0, "fire", "fire").flood("I", "flooded").add("reshuffle", deck="flood")
        return scene.bags(0, "A")

    assert bags_after_reshuffle(True).flood("A", "saved").turn(1).rule() is None
    assert bags_after_reshuffle(True).flood("B", "sunk").rule() == "FI-8.2"
    assert bags_after_reshuffle(False).rule() == "FI-8.2"


def test_lift_saves_swimmers_only_by_the_knob():
    """FI-6.3, FI-10 `lift_saves_swimmer`: a Lift may carry off those who must swim, and only those."""
    hands = [["helicopter"], ["fire"]]
    start = {"flooded": "IS", "lift_saves_swimmer": True}
    scene = Scene(PAIR, hands, **start).rise(0).draw(0, "fire").flood("I", "sunk")
    assert scene.lift(0, [0], "A").flood("S", "sunk").rule() is None
    bystander = Scene(PAIR, hands, **start).rise(0).draw(0, "fire").flood("I", "sunk").lift(0, [1], "A")
    assert bystander.rule() == "FI-8.3"


# ---- treasure cards ------------------------------------------------------------------------------------------------


def test_two_cards_a_turn():
    """FI-3.1: exactly `cards_per_turn` cards, by the active player, before any flood card."""
    assert Scene(PAIR).draw(0, "fire", "wind", "fire").rule() == "FI-3.1"
    assert Scene(PAIR).draw(0, "fire").flood("A", "flooded").rule() == "FI-3.1"
    assert Scene(PAIR).flood("A", "flooded").rule() == "FI-3.1"
    assert Scene(PAIR).draw(1, "fire").rule() == "FI-3.1"
    assert Scene(PAIR, cards_per_turn=3).draw(0, "fire", "wind", "fire").flood("A", "flooded").rule() is None


def test_the_deck_holds_what_it_holds():
    """FI-1.3, FI-7.1: a kind of which every copy is in hands cannot be drawn."""
    hands = [["sandbags"], ["sandbags"]]
    assert Scene(PAIR, hands).draw(0, "sandbags").rule() == "FI-7.1"
    assert Scene(PAIR, hands, sandbags=3).draw(0, "sandbags").rule() is None


SMALL = {"treasure_copies": 2, "waters_rise": 1, "helicopter": 1, "sandbags": 0, "hand_limit": 9, "meter": [0] * 9}
"""Ten cards; with four in each hand two are left."""
SMALL_HANDS = [["fire", "fire", "wind", "wind"], ["earth", "earth", "ocean", "ocean"]]


def test_reshuffle_when_a_card_is_due_and_not_before():
    """FI-7.1: the discard, a Waters Rise! that was the last card included, is shuffled when the next card is due."""
    scene = Scene(PAIR, SMALL_HANDS, **SMALL).draw(0, "helicopter").rise(0).turn(1)
    assert scene.rule() is None
    early = Scene(PAIR, SMALL_HANDS, **SMALL).draw(0, "helicopter").add("reshuffle", deck="treasure")
    assert early.rule() == "FI-7.1"
    idle = Scene(PAIR, SMALL_HANDS, **SMALL).draw(0, "helicopter").rise(0).add("reshuffle", deck="treasure")
    assert idle.rule() == "FI-7.1"
    missing = Scene(PAIR, SMALL_HANDS, **SMALL).draw(0, "helicopter").rise(0).turn(1).draw(1, "waters_rise")
    assert missing.rule() == "FI-7.1"
    again = Scene(PAIR, SMALL_HANDS, **SMALL).draw(0, "helicopter").rise(0).turn(1).add("reshuffle", deck="treasure")
    assert again.rise(1).rule() is None
    twice = Scene(PAIR, SMALL_HANDS, **SMALL).rise(0).draw(0, "helicopter").turn(1)
    twice.add("reshuffle", deck="treasure").rise(1).add("reshuffle", deck="treasure").rise(1).turn(0)
    assert twice.rule() is None


def test_no_card_is_drawn_when_deck_and_discard_are_empty():
    """FI-7.1 (silent there): with nothing to draw and nothing to shuffle the due card is left out, unwritten."""
    knobs = SMALL | {"waters_rise": 0, "helicopter": 2}
    empty = Scene(PAIR, SMALL_HANDS, **knobs).draw(0, "helicopter", "helicopter").turn(1).turn(0)
    assert empty.rule() is None
    lifted = Scene(PAIR, SMALL_HANDS, **knobs).draw(0, "helicopter", "helicopter").turn(1).lift(0, [0], "A")
    lifted.add("reshuffle", deck="treasure").draw(1, "helicopter").turn(0)
    assert lifted.rule() is None
    full = Scene(PAIR, SMALL_HANDS, **knobs).draw(0, "helicopter").turn(1)
    assert full.rule() == "FI-3.1"


def test_rise_follows_at_once_by_one_tick():
    """FI-7.3: one tick, right after its card; two in one draw one after the other."""
    assert Scene(PAIR).rise(0).rise(0).flood("A", "flooded").rule() is None
    assert Scene(PAIR).draw(0, "waters_rise", "fire").rule() == "FI-7.3"
    assert Scene(PAIR).draw(0, "waters_rise").add("rise", tick=3).rule() == "FI-7.3"
    assert Scene(PAIR).draw(0, "fire").add("rise", tick=2).rule() == "FI-7.3"


def test_flood_cards_as_many_as_the_meter_says_then():
    """FI-1.5, FI-3.1: at tick 2 two cards, at tick 3 three, counted after the draws."""
    scene = Scene(PAIR, start_tick=2).rise(0).draw(0, "fire").flood("A", "flooded").flood("B", "flooded")
    assert scene.turn(1).rule() == "FI-3.1"
    scene.events.pop()
    scene.number -= 1
    assert scene.flood("C", "flooded").turn(1).rule() is None
    scene.events.pop()
    assert scene.flood("D", "flooded").rule() == "FI-3.1"


def test_the_shuffled_discard_lies_on_top():
    """FI-7.3: after a rise the discarded cards come first; FI-10 `rise_shuffles` all: any card may."""
    for shuffles, rule in (("discard", "FI-7.3"), ("all", None)):
        scene = Scene(PAIR, flooded="AB", rise_shuffles=shuffles).rise(0).draw(0, "fire")
        assert scene.flood("C", "flooded").rule() == rule
    through = Scene(PAIR, flooded="AB", start_tick=2).rise(0).draw(0, "fire")
    assert through.flood("A", "sunk").flood("B", "sunk").flood("C", "flooded").rule() is None
    empty = Scene(PAIR).rise(0).draw(0, "fire").flood("C", "flooded")
    assert empty.rule() is None


def test_hand_limit_at_once():
    """FI-7.2: the sixth card is answered by its owner before anything else, by a discard or a special card."""
    hands = [["fire", "fire", "wind", "wind", "helicopter"], ["earth"] * 3 + ["sandbags"] * 2]
    start = {"flooded": "AB"}
    assert Scene(PAIR, hands, **start).draw(0, "ocean").discard(0, "fire").draw(0, "ocean").rule() is None
    assert Scene(PAIR, hands, **start).draw(0, "ocean").lift(0, [1], "X").draw(0, "ocean").rule() is None
    assert Scene(PAIR, hands, **start).draw(0, "ocean").draw(0, "ocean").rule() == "FI-7.2"
    assert Scene(PAIR, hands, **start).draw(0, "ocean").bags(1, "A").rule() == "FI-7.2"
    assert Scene(PAIR, hands, **start).draw(0, "ocean").discard(1, "earth").rule() == "FI-7.2"
    assert Scene(PAIR, hands, **start).draw(0, "ocean").discard(0, "earth").rule() == "FI-7.2"
    assert Scene(PAIR, hands, **start).discard(0, "fire").rule() == "FI-7.2"


def test_hand_limit_after_the_draw():
    """FI-10 `hand_limit_check` after_draw: both cards first, then down to five before the first flood card."""
    hands = [["fire", "fire", "wind", "wind", "helicopter"], ["earth"] * 3 + ["sandbags"] * 2]
    late = {"flooded": "AB", "hand_limit_check": "after_draw"}
    scene = Scene(PAIR, hands, **late).draw(0, "ocean", "ocean").discard(0, "fire").lift(0, [0], "X")
    assert scene.flood("C", "flooded").rule() is None
    assert Scene(PAIR, hands, **late).draw(0, "ocean").bags(1, "A").draw(0, "ocean").rule() is None
    assert Scene(PAIR, hands, **late).draw(0, "ocean").discard(0, "fire").rule() == "FI-10"
    short = Scene(PAIR, hands, **late).draw(0, "ocean", "ocean").discard(0, "fire").flood("C", "flooded")
    assert short.rule() == "FI-7.2"


# ---- flood cards and swimming --------------------------------------------------------------------------------------


def drawn(scene: Scene) -> Scene:
    """Two cards of the active player: a Waters Rise! and one other."""
    return scene.rise(0).draw(0, "fire")


def test_dry_floods_and_flooded_sinks():
    """FI-8.1: a sunk tile's card has left the game, a flooded tile's card lies in the discard until it is shuffled."""
    assert drawn(Scene(PAIR, flooded="A")).flood("A", "sunk").flood("A", "sunk").rule() == "FI-8.1"
    assert drawn(Scene(PAIR, flooded="A")).flood("A", "flooded").rule() == "FI-8.1"
    assert Scene(PAIR, flooded="A").draw(0, "fire", "fire").flood("A", "sunk").rule() == "FI-8.1"
    assert Scene(PAIR).draw(0, "fire", "fire").flood("C", "sunk").rule() == "FI-8.1"


def test_flood_reshuffle():
    """FI-8.2: only when the flood deck is empty and a flood card is due."""
    all_but_one = "ABCDEFGHJKLMNOPQRSTUVWX"
    scene = Scene(PAIR, flooded=all_but_one).draw(0, "fire", "fire").flood("I", "flooded")
    assert scene.add("reshuffle", deck="flood").flood("A", "sunk").rule() is None
    missing = Scene(PAIR, flooded=all_but_one).draw(0, "fire", "fire").flood("I", "flooded").flood("A", "sunk")
    assert missing.rule() == "FI-8.2"
    early = Scene(PAIR, flooded=all_but_one).draw(0, "fire", "fire").add("reshuffle", deck="flood")
    assert early.rule() == "FI-8.2"
    idle = Scene(PAIR, flooded=all_but_one, meter=[1] * 9).draw(0, "fire", "fire").flood("I", "flooded")
    assert idle.add("reshuffle", deck="flood").rule() == "FI-8.2"


@pytest.mark.parametrize(
    ("role", "sunk", "to", "rule"),
    [
        ("engineer", "", "J", None),
        ("engineer", "", "E", "FI-8.3"),
        ("engineer", "J", "J", "FI-8.3"),
        ("explorer", "", "E", None),
        ("explorer", "", "K", "FI-5.1"),
        ("pilot", "", "X", None),
        ("pilot", "X", "X", "FI-5.4"),
        ("diver", "", "J", None),
        ("diver", "J", "D", None),
        ("diver", "J", "K", "FI-5.6"),
        ("diver", "DHJO", "K", None),
        ("diver", "DHJO", "L", "FI-5.6"),
        ("diver", "DHJO", "E", None),
    ],
)
def test_swims(role, sunk, to, rule):
    """FI-8.3: to a tile by an edge; Explorer by a corner; Pilot anywhere; Diver to the nearest by cells passed."""
    assert swimming(role, sunk).swim(0, to).rule() == rule


def swimming(role: str, sunk: str) -> Scene:
    """The role stands on I (the Pilot flew there), which has just sunk."""
    start = "A" if role == "pilot" else "I"
    knobs = {} if sunk else {"cards_per_turn": 1, "meter": [1] * 9}
    scene = Scene({role: start, "messenger": "S"}, sunk=sunk, flooded="I", **knobs)
    if role == "pilot":
        scene.fly(0, "I")
    return scene.rise(0).flood("I", "sunk")


def test_all_swim_in_turn_order_before_the_next_card():
    """FI-8.3: from the active player on, each pawn of the sunk tile, before anything else."""
    pawns = {"engineer": "A", "messenger": "B", "navigator": "C"}
    lifts = [["helicopter"], ["fire"], ["helicopter"]]

    def sinking() -> Scene:
        scene = Scene(pawns, lifts, flooded="IX", cards_per_turn=1).lift(0, [0], "I").lift(2, [2], "I")
        return scene.rise(0).flood("I", "sunk")

    assert sinking().swim(0, "J").swim(2, "H").flood("X", "sunk").rule() is None
    assert sinking().swim(2, "H").rule() == "FI-8.3"
    assert sinking().swim(0, "J").flood("X", "sunk").rule() == "FI-8.3"
    assert sinking().swim(1, "A").rule() == "FI-8.3"


# ---- ends ----------------------------------------------------------------------------------------------------------


def test_landing_sunk_ends_at_once():
    """FI-9.3: whatever was captured; nothing follows but the end."""
    start = {"flooded": "XW", "place": {"X": LANDING}}
    scene = drawn(Scene(PAIR, **start)).flood("X", "sunk")
    assert check(scene.end("landing_sunk").events) == []
    assert drawn(Scene(PAIR, **start)).flood("X", "sunk").flood("W", "sunk").rule() == "FI-9.3"
    assert drawn(Scene(PAIR, **start)).flood("W", "sunk").end("landing_sunk").rule() == "FI-9.3"


def test_treasure_pair_sunk():
    """FI-9.2: both tiles of a treasure that is not captured; tiles of a captured one may sink freely."""
    start = {"flooded": "JK", "place": {"J": "Cave of Embers", "K": "Cave of Shadows"}}
    scene = drawn(Scene(PAIR, **start)).flood("J", "sunk").flood("K", "sunk")
    assert check([*scene.events, *Scene(PAIR).end("treasure_sunk", treasures=("fire",)).events[2:]]) == []
    assert scene.end("treasure_sunk", treasures=("wind",)).rule() == "FI-9.2"
    hands = [["fire"] * 4, ["wind"] * 4]
    captured = Scene(PAIR, hands, **start).move(0, "J").capture(0, "fire").move(0, "I").rise(0).draw(0, "wind")
    assert captured.flood("J", "sunk").flood("K", "sunk").turn(1).rule() is None


def test_drowned():
    """FI-9.4: a pawn with nowhere to swim; no swim is written, and every seat that cannot is named."""
    pawns = {"engineer": "I", "messenger": "A"}
    scene = Scene(pawns, sunk="DHJO", flooded="I").rise(0).flood("I", "sunk")
    ended = Scene(pawns, sunk="DHJO", flooded="I").rise(0).flood("I", "sunk").end("drowned", drowned=(0,))
    assert check(ended.events) == []
    assert scene.swim(0, "J").rule() == "FI-9.4"
    wrong = Scene(pawns, sunk="DHJO", flooded="I").rise(0).flood("I", "sunk").end("drowned", drowned=(1,))
    assert wrong.rule() == "FI-9.4"
    diver = Scene({"diver": "I", "messenger": "A"}, sunk="DHJO", flooded="I").rise(0).flood("I", "sunk")
    assert diver.end("drowned", drowned=(0,)).rule() == "FI-8.3"


def test_a_lift_saves_the_doomed():
    """FI-10 `lift_saves_swimmer`: with a Lift in any hand the doomed may be carried off, or all is lost."""
    pawns, hands = {"engineer": "I", "messenger": "A"}, [["fire"], ["helicopter"]]
    start = {"sunk": "DHJO", "flooded": "I", "lift_saves_swimmer": True}
    saved = Scene(pawns, hands, **start).rise(0).flood("I", "sunk").lift(1, [0], "X")
    assert saved.rule() is None
    given_up = Scene(pawns, hands, **start).rise(0).flood("I", "sunk").end("drowned", drowned=(0,))
    assert check(given_up.events) == []
    nobody = Scene(pawns, [["fire"], ["wind"]], **start).rise(0).flood("I", "sunk").lift(1, [0], "X")
    assert nobody.rule() == "FI-9.4"


def test_nobody_drowns_while_a_lift_may_come():
    """FI-9.6, FI-10 `lift_saves_swimmer`: when the landing ends the game first, a Lift in hand means nobody drowned."""
    knobs = {"role_powers": False, "sunk": "DHJO", "flooded": "I", "lift_saves_swimmer": True}
    for card, causes, drowned in (("wind", ("landing_sunk", "drowned"), (0,)), ("helicopter", ("landing_sunk",), ())):
        scene = Scene({"pilot": "I", "messenger": "A"}, [["fire"], [card]], **knobs).rise(0).flood("I", "sunk")
        assert check(scene.end(*causes, drowned=drowned).events) == []


def test_swim_lose():
    """FI-10 `swim` lose: a pawn whose tile sinks loses the game at once."""
    scene = drawn(Scene(PAIR, flooded="I", swim="lose")).flood("I", "sunk")
    assert check(scene.end("drowned", drowned=(0,)).events) == []
    assert drawn(Scene(PAIR, flooded="I", swim="lose")).flood("I", "sunk").swim(0, "J").rule() == "FI-9.4"


def test_swim_eliminate():
    """FI-10 `swim` eliminate: the pawn is out, its cards are discarded, its turns are skipped; the last one loses."""
    pawns = {"engineer": "I", "messenger": "V", "navigator": "A"}
    hands = [["fire"], ["sandbags"], ["wind"]]

    def out() -> Scene:
        scene = Scene(pawns, hands, flooded="IVA", swim="eliminate", meter=[1] * 9, cards_per_turn=1, waters_rise=9)
        return scene.rise(0).flood("I", "sunk").add("eliminated", player=0)

    assert out().turn(1).draw(1, "earth").flood("V", "sunk").add("eliminated", player=1).turn(2).rule() is None
    assert out().turn(1).draw(1, "earth").flood("V", "sunk").add("eliminated", player=1).turn(0).rule() == "FI-11"
    assert out().turn(1).give(1, 0, "earth").rule() == "FI-11"
    assert out().turn(1).lift(1, [0], "A").rule() == "FI-11"
    skipped = Scene(pawns, hands, flooded="IVA", swim="eliminate", meter=[1] * 9, cards_per_turn=1)
    assert skipped.rise(0).flood("I", "sunk").turn(1).rule() == "FI-11"
    end = out().turn(1).draw(1, "earth").flood("V", "sunk").add("eliminated", player=1).turn(2).draw(2, "earth")
    end.flood("A", "sunk").add("eliminated", player=2)
    assert check(end.end("drowned", drowned=(0, 1, 2)).events) == []


def test_causes_in_order():
    """FI-9.6: landing_sunk before treasure_sunk before drowned, and all that applied are kept."""
    pawns = {"pilot": "I", "messenger": "A"}
    knobs = {"role_powers": False, "sunk": "DHJO", "flooded": "I"}
    scene = Scene(pawns, **knobs).rise(0).flood("I", "sunk").end("landing_sunk", "drowned", drowned=(0,))
    assert check(scene.events) == []
    for causes in (("drowned", "landing_sunk"), ("landing_sunk",), ("drowned",)):
        scene = Scene(pawns, **knobs).rise(0).flood("I", "sunk").end(*causes, drowned=(0,))
        assert scene.rule() == "FI-9.6"


def test_skull():
    """FI-9.5, FI-1.5: the tick after the last of the meter loses at once; a longer or shorter meter moves it."""
    assert check(Scene(PAIR, start_tick=9).rise(0).end("skull").events) == []
    assert Scene(PAIR, start_tick=9).rise(0).draw(0, "fire").rule() == "FI-9.5"
    assert Scene(PAIR, start_tick=9, meter=[1] * 10).rise(0).draw(0, "fire").rule() is None
    assert check(Scene(PAIR, start_tick=2, meter=[1] * 2).rise(0).end("skull").events) == []
    assert check(Scene(PAIR, start_tick=12, meter=[1] * 12).rise(0).end("skull").events) == []
    assert Scene(PAIR, start_tick=13, meter=[1] * 12).rule() == "FI-1.5"


def test_turn_limit():
    """FI-9.7: after the last turn the game stops, neither won nor lost; not before, and no turn more."""

    def one_turn(limit: int) -> Scene:
        return Scene(PAIR, turn_limit=limit).draw(0, "fire", "fire").flood("A", "flooded").flood("B", "flooded")

    assert check(one_turn(1).end("turn_limit", result="stopped").events) == []
    assert one_turn(1).turn(1).rule() == "FI-9.7"
    assert one_turn(2).end("turn_limit", result="stopped").rule() == "FI-9.7"
    assert one_turn(1).end("turn_limit", result="lost").rule() == "FI-9.7"
    assert Scene(PAIR, turn_limit=1).end("turn_limit", result="stopped").rule() == "FI-3.1"


ESCAPE_PLACE = {
    "I": LANDING,
    "J": "Cave of Embers",
    "K": "Temple of the Sun",
    "H": "Howling Garden",
    "G": "Coral Palace",
}


def four_captured(**knobs: object) -> Scene:
    """Two pawns on Fools' Landing (I), the turn of seat 1 begun, every treasure captured at the price of one card."""
    hands = [["fire", "earth", "helicopter"], ["wind", "ocean", "helicopter"]]
    base = {"start_tiles": "landing", "capture_cost": 1, "actions_per_turn": 6, "place": ESCAPE_PLACE, "meter": [0] * 9}
    scene = Scene({"engineer": "A", "messenger": "B"}, hands, **(base | knobs))
    scene.move(0, "J").capture(0, "fire").move(0, "K").capture(0, "earth").move(0, "J").move(0, "I")
    scene.draw(0, "fire", "fire").turn(1)
    return scene.move(1, "H").capture(1, "wind").move(1, "G").capture(1, "ocean").move(1, "H")


def test_escape_by_helicopter():
    """FI-9.1: all captured, all on Fools' Landing, a Lift in anyone's hand, in anyone's turn; it always wins."""
    assert check(four_captured().move(1, "I").add("escape", player=0).end(result="won").events) == []
    assert check(four_captured().move(1, "I").draw(1, "wind").add("escape", player=1).end(result="won").events) == []
    assert four_captured().add("escape", player=1).rule() == "FI-9.1"
    assert four_captured().move(1, "I").lift(1, [0, 1], "X").rule() == "FI-9.1"
    assert four_captured().move(1, "I").end(result="won").rule() == "FI-9.1"
    assert four_captured().lift(1, [1], "I").rule() is None
    lost_card = four_captured().lift(0, [1], "I").add("escape", player=0)
    assert lost_card.rule() == "FI-9.1"


def test_escape_by_action():
    """FI-10 `escape` action: an action of the active player, no card; a Lift does not win then."""
    free = {"escape": "action", "actions_per_turn": 7}
    assert check(four_captured(**free).move(1, "I").add("escape", player=1).end(result="won").events) == []
    assert four_captured(escape="action").move(1, "I").add("escape", player=1).rule() == "FI-3.1"
    assert four_captured(**free).move(1, "I").add("escape", player=0).rule() == "FI-3.1"
    assert four_captured(**free).move(1, "I").lift(1, [0, 1], "X").rule() is None


def test_flood_card_in_the_treasure_deck():
    """FI-10 `flood_cards_in_treasure_deck`: the drawer floods any remaining tile at once, sinking a flooded one."""
    knobs = {"flood_cards_in_treasure_deck": 2, "flooded": "A", "meter": [0] * 9}

    def chosen(cell: str, state: str, player: int = 0) -> Scene:
        scene = Scene(PAIR, **knobs).draw(0, "flood_card")
        return scene.add("chosen_flood", player=player, tile=scene.names[cell], state=state)

    assert chosen("B", "flooded").draw(0, "fire").turn(1).rule() is None
    assert chosen("A", "sunk").draw(0, "fire").turn(1).rule() is None
    assert chosen("A", "flooded").rule() == "FI-8.1"
    assert chosen("B", "flooded", player=1).rule() == "FI-11"
    assert Scene(PAIR, **knobs).draw(0, "flood_card", "fire").rule() == "FI-11"
    assert Scene(PAIR).draw(0, "flood_card").rule() == "FI-7.1"


def test_a_sunk_tiles_flood_card_leaves_the_game():
    """FI-8.1: also when a chosen flood sank the tile: its card is in no deck any more."""
    scene = Scene(PAIR, flooded="A", flood_cards_in_treasure_deck=1).draw(0, "flood_card")
    scene.add("chosen_flood", player=0, tile=scene.names["A"], state="sunk").rise(0)
    assert scene.flood("B", "flooded").flood("C", "flooded").turn(1).rule() is None
    scene.events[-1:] = []
    assert scene.flood("A", "sunk").rule() in ("FI-8.1", "FI-3.1")


def test_a_trace_is_complete():
    """FI-9: a trace that just stops, or goes on after its end, is a breach; so is an empty one."""
    legal = game(3)
    assert check(legal) == []
    assert check(legal[:-1])[0].index == len(legal) - 1
    assert check([*legal, legal[-1]])[0].rule == "trace"
    assert check([])[0].rule == "trace"


# ---- legal games and planted breaches ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_generated_games_are_legal(name):
    """FI-1 to FI-11: games played from the rules page with shuffled decks pass, under every knob."""
    for style in ("idle", "random", "team"):
        for seed in range(8):
            assert check(game(seed, style, **VARIANTS[name])) == []


POOL = [
    ("cheap treasures", "random", 3),
    ("standard", "random", 0),
    ("volcano, legendary", "random", 8),
    ("on the landing or lose", "team", 9),
    ("eliminated", "team", 2),
    ("no powers", "team", 3),
    ("hex tutorial", "team", 4),
    ("cheap treasures", "team", 5),
    ("few cards", "team", 5),
    ("eliminated", "random", 0),
    ("no powers", "team", 0),
    ("swim or lose", "team", 4),
    ("kind specials", "random", 5),
    ("no rise", "team", 0),
    ("swim or lose", "team", 5),
    ("no powers", "random", 2),
    ("older text", "random", 1),
    ("older text", "team", 4),
    ("kind specials", "random", 4),
    ("volcano, legendary", "team", 2),
    ("shuffle all", "random", 0),
    ("volcano, legendary", "team", 32),
    ("shuffle all", "team", 1),
    ("no powers", "random", 25),
    ("no rise", "random", 4),
    ("no rise", "random", 5),
]
"""Few short games in which every planted breach finds an opportunity."""


@cache
def pool() -> list[list[dict]]:
    """The games of POOL."""
    return [game(seed, style, **VARIANTS[name]) for name, style, seed in POOL]


@pytest.mark.parametrize("breach", CATALOGUE, ids=lambda breach: breach.name)
def test_planted_breach_is_caught(breach):
    """Every kind of breach is named by its rule number wherever it is planted (the catalogue cites each rule)."""
    planted = 0
    for events in pool():
        mutated = breach.plant(events)
        if mutated is not None:
            planted += 1
            found = check(mutated)
            assert found, f"not caught: {breach.name}"
            assert found[0].rule == breach.rule, found[0].message
        if planted == 3:
            break
    assert planted, "no game gives an opportunity"


def test_every_rule_that_can_be_broken_is_planted():
    """FI-1 to FI-11: the catalogue has unique names and a breach of every rule that a trace can show."""
    names = [breach.name for breach in CATALOGUE]
    assert len(set(names)) == len(names)
    shown = {
        *("FI-1.1", "FI-1.3", "FI-1.5", "FI-1.6", "FI-2.1", "FI-2.2", "FI-2.3", "FI-2.4", "FI-2.6", "FI-3.1"),
        *("FI-4.1", "FI-4.2", "FI-4.3", "FI-4.4", "FI-5.1", "FI-5.2", "FI-5.4", "FI-5.5", "FI-5.6"),
        *("FI-6.1", "FI-6.2", "FI-6.3", "FI-7.1", "FI-7.2", "FI-7.3", "FI-8.1", "FI-8.2", "FI-8.3"),
        *("FI-9.1", "FI-9.2", "FI-9.3", "FI-9.4", "FI-9.5", "FI-9.6", "FI-9.7", "FI-10", "FI-11", "trace"),
    }
    assert {breach.rule for breach in CATALOGUE} == shown


@pytest.mark.parametrize(
    ("tick", "players", "mean"), [(1, 2, 7.070), (1, 4, 6.465), (2, 3, 6.116), (3, 4, 5.474), (4, 2, 5.766)]
)
def test_idle_team_lasts_as_long_as_known(tick, players, mean):
    """FI-8, FI-9: mean turns of a team that never acts, against an independent engine (s.e. 0.03).

    n = 1,500, seeds 0 to 1,499; bound 5 standard errors, false alarm 6e-7 a case.
    """
    turns = [game(seed, "idle", players=players, start_tick=tick)[-1]["turns"] for seed in range(1_500)]
    error = (statistics.variance(turns) / len(turns) + 0.03**2) ** 0.5
    assert abs(statistics.mean(turns) - mean) < 5 * error


def test_generator_deals_from_the_rules():
    """FI-2: a dealt game has what its rules say."""
    played = Game(rules(players=3), 5)
    played.deal()
    setup = played.events[0]
    assert len(setup["flooded"]) == 6
    assert [len(hand) for hand in setup["hands"]] == [2, 2, 2]
    assert len(played.cards) + 6 == 28

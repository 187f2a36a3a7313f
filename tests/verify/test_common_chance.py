"""Common random numbers: the same seed and trial meet the same island and the same cards in every arm.

Nothing here is a matter of luck: the claims hold exactly, for 60 trials (1,000 in `make verify`).
"""

from __future__ import annotations

from functools import cache

import pytest

from sim.forbidden_island.board import neighbours
from sim.forbidden_island.game import GAME

SIZES = [pytest.param(60, id="quick"), pytest.param(1000, id="full", marks=pytest.mark.verify)]
PLAYERS = [{"name": name, "playouts": 2} if name == "master" else name for name in GAME.policies]
ARMS = [
    *[({}, policy) for policy in PLAYERS],
    *[({"difficulty": "legendary"}, policy) for policy in PLAYERS],
    ({"sandbags_save_sinking": True, "hand_limit_check": "after_draw"}, "random"),
    ({"map": "atoll-of-decisions"}, "random"),
    ({"swim": "eliminate", "capture_cost": 3}, "random"),
]


@cache
def traced(arm, seed, trial, players=3):
    """The events of one game of an arm."""
    changes, policy = ARMS[arm]
    return GAME.trace(GAME.resolve({"players": players, **changes}), GAME.resolve_policy(policy), seed, trial)


def treasure_cards(events):
    """The cards drawn from the first treasure deck, in order."""
    found = []
    for event in events:
        if event["event"] == "reshuffle" and event["deck"] == "treasure":
            break
        if event["event"] == "draw":
            found.append(event["card"])
    return found


def flood_cards(events, rises):
    """The flood cards drawn after so many rises and before the next, in order."""
    found = []
    so_far = 0
    for event in events:
        if event["event"] == "reshuffle" and event["deck"] == "flood":
            break
        if event["event"] == "rise":
            so_far += 1
        elif event["event"] == "flood" and so_far == rises:
            found.append(event["tile"])
    return found


def begin_alike(one, other):
    """Whether the shorter of two lists is the beginning of the longer."""
    return all(a == b for a, b in zip(one, other, strict=False))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("arm", range(1, len(ARMS)), ids=lambda arm: f"{ARMS[arm][1]} {ARMS[arm][0]}")
def test_the_same_trial_meets_the_same_chance_in_every_arm(n, arm):
    """Tiles, first floods, roles, hands, first seat are the same, and both decks come up in the same order, whatever
    the players do and draw: treasure cards up to a reshuffle, flood cards up to the first rise.
    Control: the next trial shares none of this."""
    shared = 0
    for trial in range(n):
        mine, theirs, next_one = traced(0, 9, trial), traced(arm, 9, trial), traced(arm, 9, trial + 1)
        for field in ("tiles", "flooded", "roles", "hands", "first"):
            assert mine[0][field] == theirs[0][field], field
        assert begin_alike(treasure_cards(mine), treasure_cards(theirs))
        assert begin_alike(flood_cards(mine, 0), flood_cards(theirs, 0))
        shared += mine[0]["tiles"] == next_one[0]["tiles"] or mine[0]["flooded"] == next_one[0]["flooded"]
        shared += begin_alike(treasure_cards(mine)[:8], treasure_cards(next_one)[:8]) and len(treasure_cards(mine)) > 7
    assert shared <= 1 + n // 200


@pytest.mark.parametrize("n", SIZES)
def test_after_a_rise_the_cards_that_both_arms_shuffle_come_in_the_same_order(n):
    """Of two arms whose first rise shuffles different flood discards, the cards in both come up in the same order.
    Control: with the next trial they do not."""
    same = different = 0
    for trial in range(n):
        for one, other, is_same in ((0, 1, True), (0, 1, False)):
            mine = flood_cards(traced(one, 9, trial), 1)
            theirs = flood_cards(traced(other, 9, trial if is_same else trial + 1), 1)
            discards = [
                set(events[0]["flooded"]) | set(flood_cards(events, 0))
                for events in (traced(one, 9, trial), traced(other, 9, trial if is_same else trial + 1))
            ]
            both = discards[0] & discards[1]
            mine, theirs = ([tile for tile in drawn if tile in both] for drawn in (mine, theirs))
            common = set(mine) & set(theirs)
            in_order = [tile for tile in mine if tile in common] == [tile for tile in theirs if tile in common]
            if is_same:
                assert in_order
                same += len(common) > 1
            else:
                different += not in_order
    assert same > n // 10
    assert different > n // 50


@pytest.mark.parametrize("n", SIZES)
def test_the_number_of_players_does_not_move_the_island(n):
    """Cells with other numbers of players meet the same first floods; tiles and seats are their own.
    Control: the next trial does not."""
    for trial in range(n):
        mine, theirs = traced(0, 9, trial, 2), traced(0, 9, trial, 4)
        assert mine[0]["flooded"] == theirs[0]["flooded"]
    assert traced(0, 9, 0, 2)[0]["flooded"] != traced(0, 9, 1, 4)[0]["flooded"]


@pytest.mark.verify
def test_the_standard_map_has_36_edges_and_34_diagonals():
    """FI-2.1: pairs of cells that share an edge, and pairs that touch at a corner.  Control: the hexagons have more."""
    knobs = GAME.resolve({})
    edges, around = neighbours(knobs["map"], knobs["grid"])
    assert sum(mask.bit_count() for mask in edges) == 2 * 36
    assert sum(mask.bit_count() for mask in around) == 2 * (36 + 34)
    hexagons = GAME.resolve({"preset": "hex-tutorial"})
    edges, _ = neighbours(hexagons["map"], hexagons["grid"])
    assert sum(mask.bit_count() for mask in edges) != 2 * 36

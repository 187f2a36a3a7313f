"""A knob changes what it should and nothing else: the same trial meets the same chance under every rule set."""

from __future__ import annotations

import numpy as np
import pytest

from sim import registry

GAME = registry.get("forbidden_island")
SEED, TRIALS = 31, 40

OTHER: dict[str, dict] = {
    "start_tick": {"start_tick": 3},
    "meter": {"meter": [3] * 9},
    "actions_per_turn": {"actions_per_turn": 2},
    "cards_per_turn": {"cards_per_turn": 1},
    "hand_limit": {"hand_limit": 4},
    "initial_flooded": {"initial_flooded": 4},
    "capture_cost": {"capture_cost": 3},
    "map": {"map": "volcano-island"},
    "sandbags_save_sinking": {"sandbags_save_sinking": True},
    "lift_saves_swimmer": {"lift_saves_swimmer": True},
    "give_to_full_hand": {"give_to_full_hand": False},
    "hand_limit_check": {"hand_limit_check": "after_draw"},
    "navigator_moves_diver": {"navigator_moves_diver": "steps_only"},
    "role_powers": {"role_powers": False},
    "start_tiles": {"start_tiles": "landing"},
    "swim": {"swim": "lose"},
    "escape": {"escape": "action"},
    "rise_shuffles": {"rise_shuffles": "all"},
    "grid": {"grid": "hex"},
    "turn_limit": {"turn_limit": 9},
}
"""A value beside the default for every knob that leaves the cards, the seats and the deal as they are."""

MOVES_CHANCE = {"difficulty", "players", "roles", "initial_hand", "map_connected"} | {
    "treasure_copies",
    "waters_rise",
    "helicopter",
    "sandbags",
    "flood_cards_in_treasure_deck",
    "same_setup",
}
"""Knobs that are another's other name, or that change who sits there or which cards there are."""


def test_every_knob_is_looked_at():
    """FI-10: no knob is missing here."""
    assert set(OTHER) | MOVES_CHANCE == {knob.name for knob in GAME.knobs}
    assert not set(OTHER) & MOVES_CHANCE


@pytest.mark.parametrize("knob", [knob.name for knob in GAME.knobs if knob.name != "difficulty"])
def test_the_default_gives_the_same_bytes(knob):
    """FI-10: a knob set to its default is the same rule set, and plays the same games, as without it."""
    default = next(each.default for each in GAME.knobs if each.name == knob)
    plain, said = (
        GAME.resolve({"players": 3}),
        GAME.resolve({"players": 3} | ({} if knob == "players" else {knob: default})),
    )
    assert plain == said
    policy = GAME.resolve_policy("random")
    one, other = (GAME.play(knobs, policy, SEED, 0, TRIALS) for knobs in (plain, said))
    for name, column in one.games.items():
        np.testing.assert_array_equal(column, other.games[name])
    for name, counts in one.tallies.items():
        np.testing.assert_array_equal(counts, other.tallies[name])


def chance(settings: dict, trial: int) -> tuple:
    """What the deal of a trial was, and the treasure cards that the idle team drew until the deck was shuffled."""
    knobs = GAME.resolve({"players": 3} | settings)
    events = GAME.trace(knobs, GAME.resolve_policy("idle"), SEED, trial)
    first = events[0]
    drawn = []
    for event in events:
        if event["event"] == "reshuffle" and event["deck"] == "treasure":
            break
        if event["event"] == "draw":
            drawn.append(event["card"])
    return first["tiles"], first["roles"], first["hands"], first["first"], first["flooded"], drawn


@pytest.mark.parametrize("knob", OTHER)
def test_a_knob_leaves_the_shuffles_alone(knob):
    """FI-10: tiles, roles, hands, first seat, flood order and treasure order of a trial are those of the default."""
    for trial in range(TRIALS):
        plain, changed = chance({}, trial), chance(OTHER[knob], trial)
        assert changed[:4] == plain[:4]
        drawn = min(len(plain[4]), len(changed[4]))
        assert changed[4][:drawn] == plain[4][:drawn]
        drawn = min(len(plain[5]), len(changed[5]))
        assert changed[5][:drawn] == plain[5][:drawn]


@pytest.mark.parametrize(
    "knob", ["start_tick", "meter", "role_powers", "swim", "map", "grid", "rise_shuffles", "turn_limit"]
)
def test_a_knob_changes_games(knob):
    """FI-10: the control of the two tests above: another value does give other games."""
    policy = GAME.resolve_policy("random")
    one, other = (GAME.play(GAME.resolve({"players": 3} | each), policy, SEED, 0, 300) for each in ({}, OTHER[knob]))
    assert any(
        (one.games[name] != other.games[name]).any() for name in ("turns", "cause", "swims", "sunk_turn_watchtower")
    )

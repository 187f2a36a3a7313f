"""Where a knob begins to matter: up to there two games of the same trial are the same, event by event."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from analysis import experiment
from sim import registry
from sim.forbidden_island.constants import TREASURES
from tests.reference import check

GAME = registry.get("forbidden_island")
SEED, TRIALS = 47, 250
EASY = {"meter": [1] * 9, "waters_rise": 0, "actions_per_turn": 10, "capture_cost": 1, "start_tiles": "landing"}
EASY |= {"helicopter": 9, "turn_limit": 400, "players": 2}
PAIR = {"players": 2, "roles": ["navigator", "diver"]}
ACTIONS = {"move", "fly", "navigate", "shore_up", "give", "capture"}


def hands(events):
    """The cards in every hand after these events."""
    held = [list(hand) for hand in events[0]["hands"]]
    cost = events[0]["rules"]["capture_cost"]
    for event in events[1:]:
        kind, seat = event["event"], event.get("player")
        if kind == "draw" and event["card"] not in ("waters_rise", "flood_card"):
            held[seat].append(event["card"])
        elif kind == "give":
            held[seat].remove(event["card"])
            held[event["to"]].append(event["card"])
        elif kind == "discard":
            held[seat].remove(event["card"])
        elif kind in ("helicopter", "sandbags"):
            held[seat].remove(kind)
        elif kind == "capture":
            for _ in range(cost):
                held[seat].remove(event["treasure"])
        elif kind == "eliminated":
            held[seat].clear()
    return held


def since(events, kind):
    """The events after the last one of a kind; all when there is none."""
    last = max((at for at, event in enumerate(events) if event["event"] == kind), default=-1)
    return events[last + 1 :]


def was(before, kind, **fields):
    """Was there such an event?"""
    return any(event["event"] == kind and fields.items() <= event.items() for event in before)


def full_hand(before):
    """Has a hand ever been at the limit of five?"""
    return any(len(hand) >= 5 for at in range(1, len(before) + 1) for hand in hands(before[:at]))


def three_of_a_kind(before):
    """Has a hand ever held three cards of one treasure?"""
    every = (hand for at in range(1, len(before) + 1) for hand in hands(before[:at]))
    return any(hand.count(treasure) >= 3 for hand in every for treasure in TREASURES)


def two_actions(before):
    """Has a turn ever had two actions?"""
    turns = [at for at, event in enumerate(before) if event["event"] == "turn"]
    spans = zip(turns, [*turns[1:], len(before)], strict=True)
    return any(sum(event["event"] in ACTIONS for event in before[one:end]) >= 2 for one, end in spans)


def a_lift_and_a_swimmer(before, plain, other):
    """A pawn swims or drowns while somebody holds a Lift."""
    swims = [at for at, event in enumerate([*before, plain]) if event["event"] in ("swim", "end")]
    return any("helicopter" in hand for at in swims for hand in hands(before[:at]))


def sandbags_and_a_sinking(before, plain, other):
    """A flood card for a flooded tile has come while somebody held Sandbags."""
    sinks = [at for at, event in enumerate([*before, plain]) if event.get("state") == "sunk"]
    return any("sandbags" in hand for at in sinks for hand in hands(before[:at]))


def of_a_swim(before, plain, other):
    """It is about who is where when a tile sinks."""
    return {plain["event"], other["event"]} & {"swim", "end", "eliminated"} != set()


REACH = {
    "start_tick": (
        {},
        {"start_tick": 3},
        "idle",
        lambda b, p, o: p["event"] == "turn" and (p["tick"], o["tick"]) == (1, 3),
    ),
    "meter": ({}, {"meter": [3] * 9}, "idle", lambda b, p, o: o["event"] == "flood" and len(since(b, "draw")) == 2),
    "actions_per_turn": ({}, {"actions_per_turn": 2}, "random", lambda b, p, o: two_actions(b)),
    "cards_per_turn": (
        {},
        {"cards_per_turn": 1},
        "idle",
        lambda b, p, o: p["event"] == "draw" and was(since(b, "turn"), "draw"),
    ),
    "hand_limit": ({}, {"hand_limit": 4}, "idle", lambda b, p, o: o["event"] == "discard"),
    "capture_cost": ({}, {"capture_cost": 3}, "random", lambda b, p, o: three_of_a_kind(b)),
    "map": ({}, {"map": "volcano-island"}, "idle", of_a_swim),
    "grid": ({}, {"grid": "hex"}, "idle", of_a_swim),
    "start_tiles": ({}, {"start_tiles": "landing"}, "idle", of_a_swim),
    "role_powers": ({}, {"role_powers": False}, "idle", of_a_swim),
    "swim": ({}, {"swim": "lose"}, "idle", lambda b, p, o: p["event"] in ("swim", "end") and "drowned" in o["causes"]),
    "swim, the other way": (
        {},
        {"swim": "eliminate"},
        "idle",
        lambda b, p, o: o["event"] == "eliminated" or o.get("drowned") != p.get("drowned"),
    ),
    "sandbags_save_sinking": ({}, {"sandbags_save_sinking": True}, "random", sandbags_and_a_sinking),
    "lift_saves_swimmer": (
        {"helicopter": 9, "initial_flooded": 18, "role_powers": False, "players": 4},
        {"lift_saves_swimmer": True},
        "cooperative",
        a_lift_and_a_swimmer,
    ),
    "give_to_full_hand": ({"players": 4}, {"give_to_full_hand": False}, "random", lambda b, p, o: full_hand(b)),
    "hand_limit_check": (
        {},
        {"hand_limit_check": "after_draw"},
        "idle",
        lambda b, p, o: p["event"] == "discard" and o["event"] == "draw",
    ),
    "navigator_moves_diver": (
        PAIR | {"initial_flooded": 15},
        {"navigator_moves_diver": "steps_only"},
        "random",
        lambda b, p, o: was(b, "turn", player=0),
    ),
    "rise_shuffles": ({}, {"rise_shuffles": "all"}, "idle", lambda b, p, o: was(b, "rise") and p["event"] == "flood"),
    "escape": (EASY, {"escape": "action"}, "random", lambda b, p, o: sum(e["event"] == "capture" for e in b) == 4),
    "turn_limit": ({}, {"turn_limit": 4}, "idle", lambda b, p, o: (p["event"], o["cause"]) == ("turn", "turn_limit")),
}
"""By knob: the other rules, the knob's other value, who plays, and what two games' first difference must be.

The reason is asked with the events before, the plain game's event and the changed game's event.
"""


def apart(base, changed, policy, trial):
    """The events that two games of a trial share, and the first that differs in each; None when none does."""
    player = GAME.resolve_policy(policy)
    plain, other = (GAME.trace(GAME.resolve(rules), player, SEED, trial) for rules in (base, base | changed))
    for at, (one, two) in enumerate(zip_longest(plain[1:], other[1:]), start=1):
        if one != two:
            return plain[:at], one, two
    return None


@pytest.mark.parametrize("name", REACH)
def test_games_part_where_the_knob_begins_to_matter(name):
    """FI-10: the same trial goes the same way, event by event, until the knob's rule first applies; and it does."""
    base, changed, policy, reason = REACH[name]
    parted = 0
    for trial in range(TRIALS):
        found = apart({"players": 3} | base, changed, policy, trial)
        if found:
            assert reason(*found), (trial, len(found[0]), found[1], found[2])
            parted += 1
        if parted == 12:
            return
    assert parted >= 3


CARDS = {
    "treasure_copies": {"treasure_copies": 6},
    "waters_rise": {"waters_rise": 5},
    "helicopter": {"helicopter": 1},
    "sandbags": {"sandbags": 4},
    "flood_cards_in_treasure_deck": {"flood_cards_in_treasure_deck": 3},
    "initial_hand": {"initial_hand": 3},
    "initial_flooded": {"initial_flooded": 9},
    "players": {"players": 4},
    "roles": {"roles": ["diver", "pilot", "engineer"]},
    "roles, a pool": {"roles": {"pool": ["diver", "pilot", "engineer", "messenger"]}},
}
"""Knobs that change the deal itself, and so the game from its first card."""


@pytest.mark.parametrize("name", CARDS)
def test_a_knob_of_the_deal_leaves_the_rest_of_the_setup_alone(name):
    """FI-10: other cards, hands or seats, and the same island and first tiles flooded; what it names differs."""
    player = GAME.resolve_policy("idle")
    differs = 0
    for trial in range(30):
        plain, other = (
            GAME.trace(GAME.resolve({"players": 3} | rules), player, SEED, trial)[0] for rules in ({}, CARDS[name])
        )
        assert other["tiles"] == plain["tiles"]
        shared = min(len(plain["flooded"]), len(other["flooded"]))
        assert other["flooded"][:shared] == plain["flooded"][:shared]
        if "roles" not in name:
            assert other["roles"][:3] == plain["roles"]
        if name != "players":
            assert other["first"] == plain["first"]
        if name in ("roles", "roles, a pool", "initial_flooded", "waters_rise", "flood_cards_in_treasure_deck"):
            assert name.startswith(("waters", "flood_cards")) or other["hands"] == plain["hands"]
        differs += {key: other[key] for key in ("roles", "hands", "flooded", "rules")} != {
            key: plain[key] for key in ("roles", "hands", "flooded", "rules")
        }
    assert differs == 30


@pytest.mark.parametrize("name", [*REACH, *CARDS])
def test_the_referee_tells_the_knobs_values_apart(name):
    """FI-10: a game played by one value of a knob, and said to be played by another, holds a breach.

    Both ways are tried, because one value may only forbid what the other allows.
    """
    base, changed = REACH[name][:2] if name in REACH else ({}, CARDS[name])
    knob = next(iter(changed))
    rules = {"players": 3} | base
    plain, other = GAME.resolve(rules), GAME.resolve(rules | changed)
    player = GAME.resolve_policy(REACH[name][2] if name in REACH else "idle")
    for trial in range(TRIALS):
        for played, said in ((plain, other), (other, plain)):
            events = GAME.trace(played, player, SEED, trial)
            assert trial > 2 or check(events) == []
            events[0]["rules"] = {**played, knob: said[knob]}
            if check(events):
                return
    pytest.fail("no game shows the difference")


NO_PART = {"difficulty", "map_connected", "same_setup"}
"""Another knob's other name; a leave to be given; no rule but a plan of trials (tests/test_same_setup.py)."""


def test_every_knob_has_its_reach():
    """FI-10: every knob that plays a part of its own is looked at here."""
    seen = {name.split(",")[0] for name in (*REACH, *CARDS)}
    assert {knob.name for knob in GAME.knobs} - seen == NO_PART


@pytest.mark.parametrize("knob", [knob.name for knob in GAME.knobs if knob.name not in NO_PART])
def test_a_default_leaves_the_identity_of_a_cell_alone(knob, tmp_path):
    """FI-10: a knob written at its default gives an experiment the same cell as without it; another does not."""
    default = next(each.default for each in GAME.knobs if each.name == knob)
    other = ({name: changed for name, (_, changed, _, _) in REACH.items()} | CARDS)[knob]

    def identity(rules):
        file = tmp_path / "x.yaml"
        head = "name: x\nquestion: Does it?\ngame: forbidden_island\ntrials: 10\npolicy: cooperative\nrules: "
        file.write_text(head + repr({"players": 3} | rules).replace("True", "true").replace("False", "false"))
        return experiment.load(file).cells[0].identity

    said = {} if knob == "players" else {knob: list(default) if isinstance(default, tuple) else default}
    assert identity(said) == identity({}) != identity(other)

"""The engine's games before the plain referee: thousands of traces over maps, player counts, policies and knobs.

`ISLANDLAB_REFEREE_GAMES` sets how many games are judged (default 2,000); they are spread over all rule sets.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from sim import registry
from tests.reference import check
from tests.reference.breaches import CATALOGUE

GAME = registry.get("forbidden_island")
GAMES = int(os.environ.get("ISLANDLAB_REFEREE_GAMES", "2000"))
MAPS = (
    "treasure-island island-of-shadows volcano-island island-of-death bay-of-gulls bone-island coral-reef skull-island "
    "bridge-of-horrors atoll-of-decisions arch-of-fate harpoon-hideout shipwreck-bay palm-springs mutiny-towers"
)
EASY = {"meter": [1] * 9, "waters_rise": 0, "actions_per_turn": 10, "capture_cost": 1, "start_tiles": "landing"}

SETTINGS: dict[str, dict] = {
    **{
        f"{level}, {n} players": {"difficulty": level, "players": n} for level in ("novice", "elite") for n in (2, 3, 4)
    },
    **{name: {"map": name, "players": 2 + number % 3} for number, name in enumerate(MAPS.split())},
    "map in two parts": {"map": ["####.####"] * 3, "map_connected": False, "players": 4},
    "strip": {"map": ["############"] * 2, "players": 3},
    "no rise": {"waters_rise": 0, "turn_limit": 30},
    "turn limit": {"turn_limit": 5, "players": 3},
    "long meter": {"meter": [1] * 12, "waters_rise": 8, "capture_cost": 2},
    "long meter, late start": {"meter": [1] * 15, "start_tick": 12, "players": 3},
    "short meter": {"meter": [1, 1, 2], "waters_rise": 9},
    "few cards": {
        "treasure_copies": 4,
        "helicopter": 1,
        "sandbags": 0,
        "waters_rise": 0,
        "turn_limit": 40,
        "players": 4,
    },
    "few cards, late limit": {
        "treasure_copies": 4,
        "helicopter": 1,
        "sandbags": 1,
        "waters_rise": 1,
        "turn_limit": 60,
        "players": 4,
        "cards_per_turn": 4,
        "hand_limit_check": "after_draw",
    },
    "dry start": {"initial_flooded": 0},
    "wet start": {"initial_flooded": 20, "players": 4},
    "large hands": {"hand_limit": 7, "initial_hand": 3, "players": 3},
    "no cards": {"cards_per_turn": 0, "turn_limit": 30},
    "one action": {"actions_per_turn": 1, "hand_limit_check": "after_draw", "cards_per_turn": 4},
    "pool of roles": {"roles": {"pool": ["diver", "pilot", "explorer"]}, "players": 2},
    "navigator and diver": {"roles": ["navigator", "diver"], "players": 2},
    "navigator and diver, steps only": {
        "roles": ["navigator", "diver"],
        "players": 2,
        "navigator_moves_diver": "steps_only",
        "map": "coral-reef",
    },
    "swimmers": {"roles": ["explorer", "diver", "pilot", "messenger"], "players": 4, "start_tick": 5},
    "engineer and explorer": {"roles": ["engineer", "explorer", "messenger"], "players": 3, "start_tick": 5},
    "no role powers": {"role_powers": False, "players": 4},
    "all on the landing": {"start_tiles": "landing", "players": 4},
    "sandbags save": {"sandbags_save_sinking": True, "sandbags": 9, "players": 4, "meter": [5] * 9},
    "lift saves": {"lift_saves_swimmer": True, "helicopter": 9, "players": 4, "start_tick": 6, "role_powers": False},
    "lift saves from the landing": {
        "lift_saves_swimmer": True,
        "helicopter": 9,
        "players": 4,
        "start_tick": 6,
        "start_tiles": "landing",
        "map": "mutiny-towers",
    },
    "no gift to a full hand": {"give_to_full_hand": False, "players": 4},
    "limit after the draw": {"hand_limit_check": "after_draw", "players": 2},
    "swim or lose": {"swim": "lose", "players": 3},
    "eliminated": {"swim": "eliminate", "players": 4},
    "eliminated by choice": {"swim": "eliminate", "flood_cards_in_treasure_deck": 9, "start_tick": 8, "players": 2},
    "flood cards": {"flood_cards_in_treasure_deck": 6, "players": 4},
    "shuffle all": {"rise_shuffles": "all", "players": 3},
    "easy": EASY | {"helicopter": 9, "turn_limit": 400},
    "easy, escape by action": EASY | {"escape": "action", "turn_limit": 400, "initial_flooded": 0},
    "easy, four players": EASY | {"players": 4, "helicopter": 6, "turn_limit": 400},
    "hex": {"grid": "hex", "players": 4},
    "hex, navigator and diver": {"grid": "hex", "roles": ["diver", "navigator"], "players": 2},
    "hex, explorer and pilot": {"grid": "hex", "roles": ["explorer", "pilot"], "players": 2},
    "hex tutorial, 2 players": {"preset": "hex-tutorial", "players": 2},
    "hex tutorial, 4 players": {"preset": "hex-tutorial", "players": 4},
    "old japanese": {"preset": "old-japanese", "players": 3},
}


def trace(name: str, policy: str, trial: int) -> list[dict]:
    """One game of the engine under a rule set of SETTINGS."""
    settings = dict(SETTINGS[name])
    preset = settings.pop("preset", None)
    knobs = GAME.resolve({**(GAME.presets[preset] if preset else {}), **settings})
    return GAME.trace(knobs, GAME.resolve_policy(policy), 20, trial)


@pytest.mark.parametrize("name", SETTINGS)
def test_engine_plays_by_the_rules(name):
    """FI-1 to FI-11: the referee finds no breach in any game of the engine, whatever the policy and the knobs."""
    per_policy = max(1, GAMES // (len(SETTINGS) * len(GAME.policies)))
    for policy in GAME.policies:
        dear = GAME.policies[policy].games_per_second < 50
        for trial in range(1 if dear else per_policy):
            events = trace(name, policy, trial)
            for breach in check(events):
                pytest.fail(f"policy {policy}, seed 20, trial {trial}, event {breach.index}: {breach}")


def test_ends_name_all_who_are_out():
    """FI-9.6 under `swim: eliminate`: when the landing or a pair sinks under the last pawns, `drowned` applies too."""
    for policy in ("idle", "random"):
        for trial in range(60):
            assert check(trace("eliminated by choice", policy, trial)) == []


def test_ends_name_all_who_drown():
    """FI-9.4 under `lift_saves_swimmer`: every seat of the sunk tile that has nowhere to swim is named."""
    for trial in range(84):
        assert check(trace("lift saves", "idle", trial)) == []


def test_games_show_every_event_and_every_end():
    """FI-9, trace format: the games judged here hold every kind of event and end, so nothing passes unseen."""
    seen: Counter[str] = Counter()
    for name, policy, trials in (
        *(
            (name, "random", 12)
            for name in ("novice, 4 players", "no rise", "short meter", "swim or lose", "turn limit")
        ),
        *((name, "random", 12) for name in ("sandbags save", "eliminated by choice", "swimmers", "easy")),
        ("novice, 2 players", "cooperative", 12),
    ):
        for trial in range(trials):
            events = trace(name, policy, trial)
            seen.update(event["event"] for event in events)
            seen.update(event["state"] for event in events if event["event"] == "flood")
            seen.update([events[-1]["result"], events[-1]["cause"] or "no cause"])
    events = "setup turn move fly navigate shore_up give capture draw rise discard helicopter sandbags reshuffle flood"
    events += " chosen_flood swim eliminated escape end flooded sunk saved won lost stopped"
    events += " landing_sunk treasure_sunk drowned skull turn_limit"
    assert [name for name in events.split() if not seen[name]] == []


@pytest.mark.parametrize("policy", ["random", "cooperative"])
def test_breaches_planted_in_the_engines_games_are_caught(policy):
    """FI-1 to FI-11: whatever kind of breach can be planted in the engine's traces is caught there too."""
    games = [trace(name, policy, 1) for name in ("elite, 4 players", "swimmers", "no role powers")]
    planted = 0
    for breach in CATALOGUE:
        for mutated in filter(None, (breach.plant(events) for events in games)):
            planted += 1
            found = check(mutated)
            assert found, f"not caught: {breach.name}"
            assert found[0].rule == breach.rule, (breach.name, found[0])
    assert planted > len(CATALOGUE)

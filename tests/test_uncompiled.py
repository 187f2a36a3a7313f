"""The compiled game and the same sources as plain Python are one game.

A second interpreter with the compiler off plays the same trials and sends back a digest of all that came out; where one
differs, its whole text is compared.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sim.core.compile import COMPILED

ROOT = Path(__file__).parents[1]
GAME = "forbidden_island"
SEED = 8
RULE_SETS = {
    "official": {"players": 4},
    "late start, readings": {
        "players": 3,
        "difficulty": "legendary",
        "hand_limit_check": "after_draw",
        "sandbags_save_sinking": True,
        "lift_saves_swimmer": True,
        "give_to_full_hand": False,
        "navigator_moves_diver": "steps_only",
        "roles": {"pool": ["diver", "navigator", "engineer", "messenger"]},
    },
    "busy cards": {
        "players": 2,
        "helicopter": 9,
        "sandbags": 9,
        "capture_cost": 2,
        "cards_per_turn": 3,
        "map": "atoll-of-decisions",
        "flood_cards_in_treasure_deck": 2,
    },
    "nearly gone": {"players": 2, "initial_flooded": 22},
    "hex-tutorial": {"preset": "hex-tutorial", "players": 4},
    "in pieces, eliminate": {
        "players": 3,
        "swim": "eliminate",
        "map": ["##.##.##", "##.##.##", "........", "##.##.##", "##.##.##"],
        "map_connected": False,
    },
}
COUNT = 12
TRACED = 4
DEAR = {"expert": {"width": 2}, "master": {"width": 2, "playouts": 2, "plans": 2, "inner": 1, "depth": 1}}


def everything(settings, policy):
    """Rows, tallies and traces of a few trials, as one text."""
    from sim import registry

    game = registry.get(GAME)
    count, traced = COUNT, TRACED
    if policy in DEAR:  # a search takes plain Python seconds a turn
        settings, count, traced = {**settings, "turn_limit": 2}, 1, 1
    knobs, spec = game.resolve(settings), game.resolve_policy({"name": policy, **DEAR.get(policy, {})})
    batch = game.play(knobs, spec, SEED, 3, count)
    rows = {name: [str(values.dtype), values.tolist()] for name, values in batch.games.items()}
    tallies = {name: [list(tally.shape), tally[tally > 0].tolist()] for name, tally in batch.tallies.items()}
    places = {name: [index.tolist() for index in tally.nonzero()] for name, tally in batch.tallies.items()}
    traces = [game.trace(knobs, spec, SEED, trial) for trial in range(3, 3 + traced)]
    return json.dumps([rows, tallies, places, traces], indent=0)


def policies():
    """The players that ship with the game."""
    from sim import registry

    return list(registry.get(GAME).policies)


def digest(text):
    """A short name of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def main():
    """In the interpreter without the compiler: print the digest (or, for one pair, the text) of what came out."""
    assert not COMPILED
    if len(sys.argv) == 3:
        print(everything(RULE_SETS[sys.argv[1]], sys.argv[2]))
        return
    found = {
        f"{rules}/{policy}": digest(everything(RULE_SETS[rules], policy))
        for rules in RULE_SETS
        for policy in policies()
    }
    print(json.dumps(found))


def plain(*arguments):
    """What `main` prints in an interpreter with the compiler off."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.test_uncompiled", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def digests():
    """By rule set and policy: the digest of what plain Python gives."""
    return json.loads(plain())


@pytest.mark.skipif(not COMPILED, reason="the compiler is off")
@pytest.mark.parametrize("policy", policies())
@pytest.mark.parametrize("rules", RULE_SETS)
def test_compiled_and_plain_python_play_the_same_games(digests, rules, policy):
    """Rows, tallies and traces are equal to the last number, for every player and several rule sets."""
    compiled = everything(RULE_SETS[rules], policy)
    if digest(compiled) != digests[f"{rules}/{policy}"]:
        assert compiled.splitlines() == plain(rules, policy).splitlines()


if __name__ == "__main__":
    main()

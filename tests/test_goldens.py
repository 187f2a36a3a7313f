"""A few games kept as text, for the eye: whatever changes how a game goes or is told shows up here, line by line.

`make test ARGS="--write-goldens tests/test_goldens.py"` (or pytest with that option) writes them anew; then read the
difference. If the same seed now gives another game because a rule changed, raise RULES_VERSION too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

import pytest

from sim import registry

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "goldens"
GAME = registry.get("forbidden_island")
SEED = 2026

# By file: the rules, the player, the trial. Late starts keep the files short.
GOLDENS = {
    "idle-2": ({"players": 2, "difficulty": "legendary"}, "idle", 2),
    "random-3": ({"players": 3, "difficulty": "legendary"}, "random", 202),
    "random-4-old-japanese": ({"preset": "old-japanese", "players": 4, "difficulty": "elite"}, "random", 10),
    "random-4-sandbags-save": (
        {"preset": "sandbags-save", "players": 4, "difficulty": "elite", "sandbags": 6},
        "random",
        198,
    ),
    "random-4-hex-tutorial": ({"preset": "hex-tutorial", "players": 4}, "random", 1),
    "novice-3": ({"players": 3, "difficulty": "elite"}, "novice", 8),
    "casual-4": ({"players": 4, "difficulty": "legendary"}, "casual", 5),
    "cooperative-4-hex-tutorial": (
        {"preset": "hex-tutorial", "players": 4, "start_tick": 5, "flood_cards_in_treasure_deck": 3},
        "cooperative",
        243,
    ),
    "cooperative-2": ({"players": 2, "difficulty": "novice"}, "cooperative", 1),
    "cooperative-3-atoll": (
        {"players": 3, "difficulty": "normal", "map": "atoll-of-decisions"},
        "cooperative",
        31,
    ),
    "expert-3": ({"players": 3, "difficulty": "elite"}, "expert", 4),
    "master-2": ({"players": 2, "difficulty": "elite"}, {"name": "master", "playouts": 20}, 7),
    "cooperative-4-readings": (
        {
            "players": 4,
            "difficulty": "legendary",
            "lift_saves_swimmer": True,
            "hand_limit_check": "after_draw",
            "navigator_moves_diver": "steps_only",
            "roles": ["navigator", "diver", "engineer", "messenger"],
        },
        "cooperative",
        3,
    ),
}


def played(name):
    """The two files of a golden: the replay for people, and the events as JSON lines."""
    settings, policy, trial = GOLDENS[name]
    events = GAME.trace(GAME.resolve(settings), GAME.resolve_policy(policy), SEED, trial)
    # A player's parameters change with every tuning; a game that goes otherwise shows anyway.
    events[0] = {key: value for key, value in events[0].items() if key != "parameters"}
    lines = [json.dumps(event, ensure_ascii=False) for event in events]
    return {f"{name}.txt": list(GAME.tell(events)), f"{name}.jsonl": lines}


def first_difference(file, kept, now):
    """The first line that differs, with both readings; empty when there is none."""
    for number, (old, new) in enumerate(zip_longest(kept, now), start=1):
        if old != new:
            return f"{file}:{number}:\n  kept: {old}\n  now:  {new}"
    return ""


@pytest.mark.parametrize("name", GOLDENS)
def test_a_kept_game_is_played_and_told_as_it_was(name, request):
    """The replay and the events of the game are the kept ones; the first wrong line is named."""
    for file, lines in played(name).items():
        path = FOLDER / file
        if request.config.getoption("--write-goldens"):
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        assert path.exists(), f"{path.name} is missing: write it with --write-goldens, and read it"
        difference = first_difference(f"tests/goldens/{file}", path.read_text(encoding="utf-8").splitlines(), lines)
        assert not difference, difference


def test_every_player_and_every_preset_has_a_golden():
    """A new player model, preset or number of players without a kept game fails here."""
    kept = GOLDENS.values()
    assert {GAME.resolve_policy(policy)["name"] for _, policy, _ in kept} == set(GAME.policies)
    assert {settings.get("preset", "official") for settings, _, _ in kept} == set(GAME.presets)
    assert {settings["players"] for settings, _, _ in kept} == {2, 3, 4}


def test_the_folder_holds_the_goldens_and_nothing_else():
    """No file is left over from a golden that went."""
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.{end}" for name in GOLDENS for end in ("txt", "jsonl")}


def test_the_first_wrong_line_is_named():
    """Control: a changed, a missing and a further line are each found, with the line's number."""
    kept = ["a", "b", "c"]
    assert first_difference("f", kept, ["a", "b", "c"]) == ""
    assert first_difference("f", kept, ["a", "x", "y"]) == "f:2:\n  kept: b\n  now:  x"
    assert first_difference("f", kept, ["a", "b"]) == "f:3:\n  kept: c\n  now:  None"
    assert first_difference("f", kept, [*kept, "d"]) == "f:4:\n  kept: None\n  now:  d"


def test_goldens_are_not_written_where_ci_is_set():
    """The option is refused when CI is set, before any test runs."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--write-goldens",
        "tests/test_goldens.py",
    ]
    environment = {**os.environ, "CI": "true"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "refused where CI is set" in done.stderr + done.stdout

"""The plan of trials that share their setup, and the columns that tell what happened early."""

from __future__ import annotations

import numpy as np
import pytest

from sim import registry
from sim.forbidden_island import legal
from sim.forbidden_island.constants import TILES, TREASURES
from tests.forbidden_island.table import Table

GAME = registry.get("forbidden_island")
START = ("tiles", "flooded", "roles", "hands", "first")


def traces(same: int, policy: str, trials: range):
    knobs = GAME.resolve({"players": 3, "same_setup": same})
    return [GAME.trace(knobs, GAME.resolve_policy(policy), 5, trial) for trial in trials]


def test_trials_in_a_row_share_their_setup_and_nothing_else():
    """Ten setups of three trials: all of FI-2 the same within, different between; the idle team's cards differ."""
    told = traces(3, "idle", range(30))
    starts = [str([events[0][key] for key in START]) for events in told]
    assert all(starts[i] == starts[i - i % 3] for i in range(30))
    assert len(set(starts)) == 10
    drawn = [[str(e) for e in events if e["event"] in ("draw", "flood")][:8] for events in told]
    assert len({str(d) for d in drawn}) == 30
    floods = [[e["tile"] for e in events if e["event"] == "flood"][:3] for events in told]
    assert sum(floods[i] == floods[i - 1] for i in range(30) if i % 3) <= 2


def test_first_of_a_row_has_the_setup_of_its_own_trial():
    """A shared setup is that of the first trial of its row, so runs with and without the plan meet the same islands."""
    plain = traces(1, "idle", range(0, 9, 3))
    shared = traces(3, "idle", range(0, 9, 3))
    for one, other in zip(plain, shared, strict=True):
        assert [one[0][key] for key in START] == [other[0][key] for key in START]


@pytest.fixture(scope="module")
def games():
    knobs = GAME.resolve({"players": 4, "start_tick": 2})
    return GAME.play(knobs, GAME.resolve_policy("cooperative"), 3, 0, 400).games


def test_early_columns_agree_with_the_traces(games):
    """FI-2.1, 2.2, 4.4: flooded tiles, the landing's place, the turn of the first full set: by 40 games' events."""
    knobs = GAME.resolve({"players": 4, "start_tick": 2})
    for trial in range(40):
        events = GAME.trace(knobs, GAME.resolve_policy("cooperative"), 3, trial)
        start = events[0]
        flooded = sum(1 << TILES.index(tile) for tile in start["flooded"])
        assert games["start_flooded"][trial] == flooded
        assert start["tiles"][games["start_landing"][trial]] == "Fools' Landing"
        ready = dict.fromkeys(TREASURES, 0)
        held = [list(hand) for hand in start["hands"]]
        turn = 0
        for event in events[1:]:
            kind, seat = event["event"], event.get("player")
            turn = event["number"] if kind == "turn" else turn
            if kind == "draw" and event["card"] in (*TREASURES, "helicopter", "sandbags"):
                held[seat].append(event["card"])
            elif kind == "give":
                held[seat].remove(event["card"])
                held[event["to"]].append(event["card"])
            elif kind == "discard":
                held[seat].remove(event["card"])
            elif kind == "capture":
                for _ in range(4):
                    held[seat].remove(event["treasure"])
            for card in TREASURES:
                if not ready[card] and any(hand.count(card) >= 4 for hand in held):
                    ready[card] = turn
        assert [games[f"ready_turn_{card}"][trial] for card in TREASURES] == list(ready.values())


def test_no_capture_before_its_cards(games):
    """FI-4.4: every captured treasure was ready in the same turn or before."""
    for card in TREASURES:
        captured = games[f"capture_turn_{card}"]
        ready = games[f"ready_turn_{card}"]
        assert ((captured == 0) | ((ready > 0) & (ready <= captured))).all()
        assert (captured > ready).any()


def test_turns_by_what_is_open(games):
    """A turn is counted at most once, and teams meet turns of every kind."""
    none, one = games["turns_open_0"], games["turns_open_1"]
    assert (none + one <= games["turns"]).all()
    assert none.sum() > 0
    assert one.sum() > 0
    assert (none + one).sum() < games["turns"].sum()


@pytest.mark.parametrize(
    ("drawing", "hand", "kinds"),
    [
        (". . #0 #1 . .", "", 0),
        (". . #0 ~1 . .", "", 1),
        (". . #01 # . .", "earth", 1),
        (". . #0 #1 . .", "earth", 0),
        (". . #01 # . .", "helicopter", 0),
        (". . #01 ~ . .", "earth", 2),
        (". . ~01a # . .", "earth earth earth earth", 3),
    ],
)
def test_useful_kinds(drawing, hand, kinds):
    """FI-4.2 to 4.4: a flooded tile in reach, a treasure card and somebody on the spot, four cards on their tile."""
    rest = ". # # # # .\n# # # # # #\n# # # # # #\n. # # # # .\n. . # # . ."
    tiles = {"Temple of the Moon": "a"} if "a" in drawing else None
    table = Table(f"{drawing}\n{rest}", roles="pilot navigator", hands=[hand], tiles=tiles)
    assert legal.useful_kinds(table.rules, table.view, 0) == kinds


def test_shared_setups_do_not_change_the_law():
    """Win rates with and without the plan are the same: 4,000 idle games each, mean turns within 5 standard errors."""
    policy = GAME.resolve_policy("idle")
    rules = [GAME.resolve({"players": 2, "same_setup": same}) for same in (1, 8)]
    turns = [GAME.play(knobs, policy, 9, 0, 4000).games["turns"] for knobs in rules]
    # Eight games of a setup are related; as if there were a third of the games.
    error = np.sqrt(turns[0].var() / 4000 + turns[1].var() / 1300)
    assert abs(turns[0].mean() - turns[1].mean()) < 5 * error

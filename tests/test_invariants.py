"""Whatever the knobs, no game ever stands in an impossible position, and a trace tells what its row counts."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, note

from sim.core import bits
from sim.core.compile import COMPILED, compile_for, jit
from sim.core.game import SettingsError
from sim.forbidden_island import engine, legal
from sim.forbidden_island import invariants as inv
from sim.forbidden_island.constants import CARDS, ROLES, TILES, TREASURES
from sim.forbidden_island.game import GAME, Table, snake
from sim.forbidden_island.knobs import KNOBS
from sim.forbidden_island.policies import POLICIES
from sim.forbidden_island.state import HIDDEN, ROW, VIEW

from .reference import check
from .strategies import rule_sets, seeds, trials, wild_settings


@lru_cache
def watching(name):
    """The choose function of a policy that looks at the view before each of its choices."""
    return inv.watched(POLICIES[name]).pointer(engine.CHOOSE)


def record(array):
    """The one record of an array, as the engine's functions read it."""
    return array[0] if COMPILED else array.view(np.recarray)[0]


def breaches(table, name, seed, trial):
    """Play one game under watch; the names of all that was wrong at a choice or at the end."""
    at_fault = table.play(watching(name), seed, trial, np.zeros(1, ROW))
    if at_fault >= 0:
        answer = int(table.hiddens["fault_choice"][0])
        return inv.named(-1 - answer) or ("illegal",)
    return inv.named(inv.invariants(record(table.rules), record(table.views), record(table.hiddens)))


CHEAPLY = {
    "expert": {"width": 3},
    "master": {"width": 2, "playouts": 2, "plans": 2, "inner": 1, "depth": 1},
}
"""Searches look as far as a test can wait."""


def cheaply(name):
    """A policy, resolved."""
    return GAME.resolve_policy({"name": name, **CHEAPLY.get(name, {})})


def table_of(knobs, name):
    """A table for one policy at its defaults, or cheaper."""
    return Table(knobs, POLICIES[name].mind(CHEAPLY.get(name, {})))


# ---- random rules ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", POLICIES)
@given(given_knobs=rule_sets(), seed=seeds, trial=trials)
def test_no_rule_set_breaks_an_invariant(name, given_knobs, seed, trial):
    """Over random rule sets, seeds and trials every position met is possible, and the games come to an end."""
    table = table_of(GAME.resolve(given_knobs), name)
    for number in range(trial, trial + 5):
        assert breaches(table, name, seed, number) == ()


@pytest.mark.parametrize("name", POLICIES)
@given(given_knobs=rule_sets(longest=40), seed=seeds, trial=trials)
def test_every_trace_passes_the_referee_and_tells_what_the_row_counts(name, given_knobs, seed, trial):
    """Over random rule sets the trace of a game breaks no rule and agrees with the game's row in every column."""
    knobs = GAME.resolve(given_knobs)
    policy = cheaply(name)
    events = GAME.trace(knobs, policy, seed, trial)
    assert check(events) == []
    games = GAME.play(knobs, policy, seed, trial, 1).games
    row = {column: int(values[0]) for column, values in games.items()}
    note(row)
    assert told(events) == {column: row[column] for column in told(events)}
    # What was open on the spot at the start of a turn is in no event.
    assert set(row) - set(told(events)) == {"trial", "actions_unused", "turns_open_0", "turns_open_1"}


@given(given_knobs=wild_settings)
def test_settings_are_taken_or_refused_with_reasons(given_knobs):
    """Any settings either resolve, to knobs that resolve to themselves, or are refused by knob, value and range."""
    try:
        knobs = GAME.resolve(given_knobs)
    except SettingsError as error:
        problems = error.problems
    else:
        assert GAME.resolve(knobs) == knobs
        assert set(knobs) == {knob.name for knob in KNOBS} - {"difficulty"}
        return
    assert problems
    for problem in problems:
        assert problem.path[0] in given_knobs or problem.path[0] in {knob.name for knob in KNOBS}
        assert problem.allowed


def told(events):
    """The columns of the games table, counted from the events alone."""
    setup, *middle, end = events
    names = ("landing_sunk", "treasure_sunk", "drowned", "skull", "turn_limit")
    row = {
        "result": ("won", "lost", "stopped").index(end["result"]),
        "cause": -1 if end["cause"] is None else names.index(end["cause"]),
        "causes": sum(1 << names.index(cause) for cause in end["causes"]),
        "treasures_lost": sum(1 << TREASURES.index(treasure) for treasure in end["treasures"]),
        "drowned": sum(1 << seat for seat in end["drowned"]),
        "turns": end["turns"],
        "tick": setup["rules"]["start_tick"],
        "first_seat": setup["first"],
        **{f"role_{seat}": -1 for seat in range(4)},
        **{f"role_{seat}": ROLES.index(role) for seat, role in enumerate(setup["roles"])},
        "start_flooded": sum(1 << TILES.index(tile) for tile in setup["flooded"]),
        "start_landing": setup["tiles"].index("Fools' Landing"),
        **{f"ready_turn_{treasure}": 0 for treasure in TREASURES},
        **{f"capture_turn_{treasure}": 0 for treasure in TREASURES},
        **{f"rise_turn_{number}": 0 for number in range(1, 16)},
        **{f"sunk_turn_{snake(tile)}": 0 for tile in TILES},
    }
    kinds: Counter = Counter()
    hands = [Counter(hand) for hand in setup["hands"]]
    turn = rises = 0

    def look_at_hands():
        for hand, treasure in itertools.product(hands, TREASURES):
            if hand[treasure] >= setup["rules"]["capture_cost"] and row[f"ready_turn_{treasure}"] == 0:
                row[f"ready_turn_{treasure}"] = max(turn, 1)

    look_at_hands()
    for event in middle:
        kind = event["event"]
        kinds[kind] += 1
        if kind == "draw":
            hands[event["player"]][event["card"]] += 1
            look_at_hands()
        elif kind == "give":
            hands[event["player"]][event["card"]] -= 1
            hands[event["to"]][event["card"]] += 1
            look_at_hands()
        elif kind == "discard":
            hands[event["player"]][event["card"]] -= 1
        elif kind == "capture":
            hands[event["player"]][event["treasure"]] -= setup["rules"]["capture_cost"]
        elif kind == "eliminated":
            hands[event["player"]].clear()
        if kind == "turn":
            turn = event["number"]
        elif kind == "capture":
            row[f"capture_turn_{event['treasure']}"] = turn
        elif kind == "rise":
            rises += 1
            row[f"rise_turn_{rises}"] = turn
            row["tick"] = event["tick"]
        elif kind in ("flood", "chosen_flood") and event["state"] == "sunk":
            row[f"sunk_turn_{snake(event['tile'])}"] = turn
        elif kind == "discard":
            kinds["discard", event["card"]] += 1
    row |= {f"actions_{kind}": kinds[kind] for kind in ("move", "fly", "navigate", "shore_up", "give", "capture")}
    row |= {f"discards_{card}": kinds["discard", card] for card in CARDS[:6]}
    by_card = setup["rules"]["escape"] == "helicopter"
    row["lifts_played"] = kinds["helicopter"] + (kinds["escape"] if by_card else 0)
    row["sandbags_played"] = kinds["sandbags"]
    row["swims"] = kinds["swim"]
    row["treasures"] = kinds["capture"]
    return row


# ---- the whole position, turn by turn -------------------------------------------------------------------------------

RULE_SETS = (
    {},
    {"players": 4, "hand_limit_check": "after_draw", "sandbags_save_sinking": True},
    {"players": 3, "lift_saves_swimmer": True, "helicopter": 9, "start_tick": 5},
    {"preset": "hex-tutorial", "players": 4},
)


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("changes", RULE_SETS, ids=lambda changes: ",".join(changes) or "official")
def test_the_hidden_part_is_whole_after_every_turn(name, changes):
    """Stopped after its first, second, … turn, a game's hidden record agrees with its view."""
    knobs = GAME.resolve(changes)
    for trial in range(1 if name in CHEAPLY else 10):
        for limit in range(1, 30):
            table = table_of(knobs | {"turn_limit": limit}, name)
            assert breaches(table, name, 5, trial) == ()
            if table.views["turn"][0] < limit:
                break


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("changes", RULE_SETS, ids=lambda changes: ",".join(changes) or "official")
def test_tallies_agree_with_rows(name, changes):
    """Games at each water level, number of sunk tiles and number of captures, turn by turn, follow from the rows."""
    batch = GAME.play(GAME.resolve(changes), cheaply(name), 3, 0, 50 if name in CHEAPLY else 500)
    games = batch.games
    start = GAME.resolve(changes)["start_tick"]
    sunk = np.stack([games[f"sunk_turn_{snake(tile)}"] for tile in TILES])
    captures = np.stack([games[f"capture_turn_{treasure}"] for treasure in TREASURES])
    rises = np.stack([games[f"rise_turn_{number}"] for number in range(1, 16)])
    for turn in range(1, 60):
        running = games["turns"] >= turn
        for tally, events, first in (("sunk", sunk, 0), ("captured", captures, 0), ("tick", rises, start - 1)):
            reached = ((events > 0) & (events < turn)).sum(axis=0)[running] + first
            width = batch.tallies[tally].shape[1]
            assert batch.tallies[tally][turn - 1].tolist() == np.bincount(reached, minlength=width).tolist(), tally
        assert batch.tallies["flooded"][turn - 1].sum() == running.sum()
    assert batch.tallies["cell_sunk"].sum() == (sunk > 0).sum()
    assert (games["treasures"] == (captures > 0).sum(axis=0)).all()


def test_long_games_do_not_overflow_a_column():
    """In a thousand turns of ten cards each the counts stay what the trace tells, though some pass 127."""
    knobs = GAME.resolve(
        {
            "players": 2,
            "meter": [0],
            "waters_rise": 0,
            "cards_per_turn": 10,
            "helicopter": 9,
            "sandbags": 9,
            "treasure_copies": 2,
            "capture_cost": 2,
            "hand_limit": 2,
            "turn_limit": 1000,
            "roles": ["pilot", "diver"],
        }
    )
    for name in POLICIES:
        policy = cheaply(name)
        row = {column: int(values[0]) for column, values in GAME.play(knobs, policy, 1, 0, 1).games.items()}
        counted = told(GAME.trace(knobs, policy, 1, 0))
        assert {column: row[column] for column in counted} == counted


# ---- what may be chosen ---------------------------------------------------------------------------------------------


@jit(cache=False)
def _disagreements(rules, view):
    """(options, options that repeat an earlier one or are refused, other answers that are allowed)."""
    n = legal.option(rules, view, -1)
    bad = 0
    for k in range(n):
        choice = legal.option(rules, view, k)
        if not legal.allows(rules, view, choice):
            bad += 1
        for j in range(k):
            if legal.option(rules, view, j) == choice:
                bad += 1
    allowed = 0
    for choice in range(1 << 20):
        if legal.allows(rules, view, choice):
            allowed += 1
    for strange in (-16, 1 << 22, 1 << 40, -(1 << 62)):
        for low in range(16):
            if legal.allows(rules, view, strange + low):
                bad += 1
    return n, bad, allowed - n


@pytest.mark.skipif(not COMPILED, reason="asks a million answers of every position")
@given(given_knobs=rule_sets(longest=12), seed=seeds)
def test_what_is_listed_is_exactly_what_is_allowed(given_knobs, seed):
    """At the choice where a game is stopped, the numbered options are different, allowed, and all that is allowed."""
    knobs = GAME.resolve(given_knobs)
    table = table_of(knobs, "random")
    table.minds["memory_used"] = 1
    table.play(_stopping(), seed, 0, np.zeros(1, ROW))
    if table.hiddens["fault"][0]:
        options, bad, unlisted = _disagreements(table.rules[0], table.views[0])
        assert (options > 0, bad, unlisted) == (True, 0, 0)


@lru_cache
def _stopping():
    """The random player, who stops the game by an illegal answer after a number of choices that the seed says."""
    inner = POLICIES["random"].choose

    def choose(rules, view, mind, stream):
        mind.memory[0] += 1.0
        if mind.memory[0] > stream.seed % 40:
            return -1
        return inner(rules, view, mind, stream)

    return replace(POLICIES["random"], choose=jit(choose, cache=False, pointer=True)).pointer(engine.CHOOSE)


# ---- planted breaches -----------------------------------------------------------------------------------------------


def _a_position():
    """Rules, view and hidden of a game that goes on, at a choice."""
    table = table_of(GAME.resolve({"players": 3}), "random")
    table.play(_halting(), 4, 1, np.zeros(1, ROW))
    table.views["over"] = 0
    rules, view, hidden = table.rules, table.views.copy(), table.hiddens.copy()
    assert inv.invariants(record(rules), record(view), record(hidden)) == 0
    return rules, view, hidden


@lru_cache
def _halting():
    """A player who stops the game by an illegal answer at its first choice."""

    def choose(rules, view, mind, stream):
        return -1

    return compile_for(jit(choose, cache=False, pointer=True), engine.CHOOSE)


def _plant(array, field, index, value):
    if index is None:
        array[field][0] = value
    else:
        array[field][(0, *index)] = value


PLANTED = {
    "cards": lambda r, v, h: _plant(v, "discard", (0,), 1),
    "deck_size": lambda r, v, h: _plant(v, "deck_size", None, 3),
    "hand_size": lambda r, v, h: _plant(v, "hand_size", (0,), 4),
    "unfit_hand": lambda r, v, h: _plant(v, "hand", (0, 6), 1),
    "specials_held": lambda r, v, h: _plant(v, "specials_held", None, 7),
    "hand_limit": lambda r, v, h: _plant(r, "hand_limit", None, 1),
    "tiles": lambda r, v, h: _plant(v, "landing", None, (int(v["landing"][0]) + 1) % 24),
    "land": lambda r, v, h: _plant(v, "flooded", None, 1 << 24),
    "flood_cards": lambda r, v, h: _plant(v, "flood_discard", None, 0),
    "layers": lambda r, v, h: _plant(v, "layers", None, 2),
    "pawns": lambda r, v, h: _plant(v, "pawn", (3,), 0),
    "roles": lambda r, v, h: _plant(v, "role", (0,), int(v["role"][0][1])),
    "tick": lambda r, v, h: _plant(v, "tick", None, 10),
    "captured": lambda r, v, h: _plant(v, "captured", None, 16),
    "goes_on": lambda r, v, h: _plant(v, "land", None, int(v["land"][0]) & ~(1 << int(v["landing"][0]))),
    "turn": lambda r, v, h: _plant(v, "draws_left", None, 1),
    "decision": lambda r, v, h: _plant(v, "decision", None, 3),
    "deck_slots": lambda r, v, h: _plant(h, "deck_slots", None, 0),
    "shuffles": lambda r, v, h: _plant(h, "treasure_shuffles", None, 0),
}


@pytest.mark.parametrize("flag", inv.NAMES)
def test_a_planted_breach_raises_its_flag(flag):
    """Each flag goes up when what it stands for is broken."""
    rules, view, hidden = _a_position()
    rules = rules.copy()
    PLANTED[flag](rules, view, hidden)
    assert flag in inv.named(inv.invariants(record(rules), record(view), record(hidden)))


def test_all_that_is_wrong_is_named():
    """Two breaches at once are both in the set."""
    rules, view, hidden = _a_position()
    for flag in ("deck_slots", "captured", "specials_held"):
        PLANTED[flag](rules, view, hidden)
    found = inv.named(inv.invariants(record(rules), record(view), record(hidden)))
    assert {"deck_slots", "captured", "specials_held"} <= set(found)


def test_a_watching_player_stops_at_a_broken_position():
    """The watch itself works: with rules that do not fit the box the first choice is refused with the flag."""
    table = table_of(GAME.resolve({}), "idle")
    table.rules["card_of"][0, 0] = 4  # an earth card that is a Lift once drawn
    names = {name for trial in range(20) for name in breaches(table, "idle", 1, trial)}
    assert "cards" in names or "deck_slots" in names


def test_no_game_pays_for_the_invariants():
    """Nothing that plays imports them."""
    for file in Path(inv.__file__).parents[1].rglob("*.py"):
        assert file.name == "invariants.py" or "invariants" not in file.read_text(encoding="utf-8"), file


def test_records_hold_whole_numbers_of_64_bits():
    """Every field of view and hidden is an int64: sets of cells never meet an unsigned number."""
    for dtype in (VIEW, HIDDEN):
        assert {dtype[field].base for field in dtype.names} == {np.dtype(np.int64)}
    assert bits.count((1 << 24) - 1) == 24

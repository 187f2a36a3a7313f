"""What every game of the registry keeps: its knobs, its players, its tables, its seeds, its traces.

Nothing here names a game: a further one is tested by being registered.
"""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from sim import registry
from sim.core.game import Game, SettingsError

COUNT = 150
DEAR = 1000
"""Games a second below which a policy plays fewer games here."""
SEED = 20

PLAYS = [(game, policy) for game in registry.names() for policy in registry.get(game).policies]
PRESETS = [(game, preset) for game in registry.names() for preset in registry.get(game).presets]
KNOBS = [(game, knob.name) for game in registry.names() for knob in registry.get(game).knobs]
games = pytest.mark.parametrize("name", registry.names())
plays = pytest.mark.parametrize(("name", "policy"), PLAYS)


@cache
def settings_of(name):
    """Rule sets to play under: the defaults, every preset, and each end of the players' number."""
    game = registry.get(name)
    found = [{}] + [{"preset": preset} for preset in game.presets]
    for knob in game.knobs:
        if knob.name == "players":
            found += [{"players": knob.low}, {"players": knob.high}]
    return found


def setup(name, policy, settings=None):
    """A game with knobs and a policy that are resolved."""
    game = registry.get(name)
    return game, game.resolve(settings or {}), game.resolve_policy(policy)


def few(name, policy, count):
    """`count`, or less for a policy whose games are dear."""
    speed = registry.get(name).policies[policy].games_per_second
    return count if speed >= DEAR else max(2, count // 20) if speed >= 50 else 2


def same(one, other):
    """Whether two dicts of arrays are the same bytes."""
    return one.keys() == other.keys() and all(
        one[key].dtype == other[key].dtype and one[key].tobytes() == other[key].tobytes() for key in one
    )


def joined(batches):
    """Batches of following trials as one: games end to end, tallies added."""
    rows = {key: np.concatenate([batch.games[key] for batch in batches]) for key in batches[0].games}
    tallies = {key: sum(batch.tallies[key] for batch in batches) for key in batches[0].tallies}
    return rows, tallies


# ---- what a game says of itself -------------------------------------------------------------------------------------


@games
def test_a_game_fills_the_protocol(name):
    """Every member of the protocol is there, and the game answers to the name it is registered by."""
    game = registry.get(name)
    assert isinstance(game, Game)
    assert game.name == name
    assert game.title
    assert game.rules_version >= 1
    assert game.policies
    for policy, info in game.policies.items():
        assert info.name == policy
        assert info.summary
        assert info.games_per_second > 0
        assert len(info.source) == 64


@games
def test_defaults_resolve_to_themselves(name):
    """The empty settings give every knob a plain JSON value, and what is resolved resolves to itself."""
    game = registry.get(name)
    knobs = game.resolve({})
    assert json.loads(json.dumps(knobs)) == knobs
    assert game.resolve(knobs) == knobs
    declared = [knob.name for knob in game.knobs]
    assert [knob for knob in declared if knob in knobs] == list(knobs)


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_presets_resolve_and_stay_what_they_are(name, preset):
    """Every preset resolves, to knobs that resolve to themselves, and sets what it says."""
    game = registry.get(name)
    knobs = game.resolve({"preset": preset})
    assert game.resolve(knobs) == knobs
    for knob, value in game.presets[preset].items():
        if knob in knobs and isinstance(value, (bool, int)):
            assert knobs[knob] == value


@pytest.mark.parametrize(("name", "knob"), KNOBS)
def test_a_knob_says_what_it_takes_and_refuses_the_rest(name, knob):
    """A knob has words for its range and its reason, and refuses what is of no kind or out of range, by its name."""
    game = registry.get(name)
    declared = next(each for each in game.knobs if each.name == knob)
    assert declared.allowed
    assert declared.reason
    strange = [None, {"a": 1}, math.nan, "no such value", [None], 10**30, -1, 3.5]
    if declared.kind == "integer":
        strange += [declared.low - 1, declared.high + 1, str(declared.low), True]
    if declared.kind == "flag":
        strange += [0, 1, "yes"]
    for value in strange:
        with pytest.raises(SettingsError) as refused:
            game.resolve({knob: value})
        assert any(problem.path[:1] == (knob,) for problem in refused.value.problems)
        assert all(problem.allowed for problem in refused.value.problems)


@games
def test_nonsense_is_refused_all_at_once(name):
    """Unknown knobs, presets, policies and parameters are refused, each with its path, several at once."""
    game = registry.get(name)
    with pytest.raises(SettingsError) as refused:
        game.resolve({"no_such_knob": 1, "nor_this": 2, "preset": "no such preset"})
    assert {problem.path for problem in refused.value.problems} >= {("no_such_knob",), ("nor_this",), ("preset",)}
    for strange in (None, 3, [], {}, "no such policy", {"name": None}, {"name": "no such policy"}):
        with pytest.raises(SettingsError):
            game.resolve_policy(strange)
    with pytest.raises(SettingsError):
        game.resolve([])  # type: ignore[arg-type]
    for policy, info in game.policies.items():
        with pytest.raises(SettingsError) as refused:
            game.resolve_policy({"name": policy, "no_such_parameter": 1})
        assert refused.value.problems[0].path == ("no_such_parameter",)
        for item in info.parameters:
            for value in (item.low - 1, item.high + 1, math.nan, "high", None, True):
                with pytest.raises(SettingsError):
                    game.resolve_policy({"name": policy, item.name: value})


@games
def test_columns_are_declared_once_and_completely(name):
    """Columns, causes, milestones and curves have distinct names and refer to one another."""
    game = registry.get(name)
    columns = {column.name: column for column in game.columns}
    assert len(columns) == len(game.columns)
    assert {"trial", "result", "cause", "turns"} <= set(columns)
    assert columns["result"].labels == ("won", "lost", "stopped")
    assert tuple(cause.name for cause in game.causes) == columns["cause"].labels
    for milestone in game.milestones:
        assert columns[milestone.column].sentinel == 0
    for column in game.columns:
        assert np.issubdtype(np.dtype(column.dtype), np.integer)
        assert column.unit
        assert column.meaning
        if column.labels:
            assert len(set(column.labels)) == len(column.labels)
        if column.is_set:
            assert column.labels
            assert 1 << len(column.labels) <= np.iinfo(column.dtype).max + 1


# ---- what it plays --------------------------------------------------------------------------------------------------


@plays
def test_batches_match_what_is_declared(name, policy):
    """Under every rule set each column has its dtype, length and range, and each tally counts the running games."""
    count = few(name, policy, COUNT)
    for settings in settings_of(name):
        game, knobs, spec = setup(name, policy, settings)
        batch = game.play(knobs, spec, SEED, 5, count)
        assert list(batch.games) == [column.name for column in game.columns]
        for column in game.columns:
            values = batch.games[column.name]
            assert values.dtype == np.dtype(column.dtype)
            assert values.shape == (count,)
            happened = values if column.sentinel is None else values[values != column.sentinel]
            assert (happened >= 0).all(), column.name
            if column.labels:
                end = 1 << len(column.labels) if column.is_set else len(column.labels)
                assert (happened < end).all(), column.name
        rows = batch.games
        assert rows["trial"].tolist() == list(range(5, 5 + count))
        won = rows["result"] == 0
        assert ((rows["cause"] == -1) == won).all()
        assert (rows["turns"] >= 1).all()
        for milestone in game.milestones:
            assert (rows[milestone.column] <= rows["turns"]).all()
        for curve in game.curves:
            tally = batch.tallies[curve.tally]
            assert tally.dtype == np.int64
            assert tally.shape[1] == len(curve.values)
            running = [(rows["turns"] > turn).sum() for turn in range(tally.shape[0])]
            assert tally.sum(axis=1).tolist() == running
        cells = batch.tallies["cell_sunk"]
        assert cells.shape == (1, len(game.layout(knobs).cells))
        assert cells.min() >= 0
        assert cells.max() <= count


@plays
def test_any_split_gives_the_same_bytes(name, policy):
    """One batch, uneven batches, single trials, in whatever order, give the same games and the same tallies."""
    game, knobs, spec = setup(name, policy)
    n = few(name, policy, 60)
    whole = game.play(knobs, spec, SEED, 0, n)
    for cuts in (sorted({0, 1, 2, n // 2, n - 1, n}), list(range(n + 1))):
        parts = [(first, end - first) for first, end in pairwise(cuts)]
        played = {first: game.play(knobs, spec, SEED, first, count) for first, count in reversed(parts)}
        rows, tallies = joined([played[first] for first, _ in parts])
        assert same(rows, whole.games)
        assert same(tallies, whole.tallies)


@plays
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_threads_change_nothing(name, policy, threads):
    """The same chunks on one, two and four threads at once give the same bytes as one after the other."""
    game, knobs, spec = setup(name, policy)
    size = few(name, policy, 200) // 8 or 1
    chunks = [(first, size) for first in range(0, 8 * size if size > 1 else 3, size)]
    alone = [game.play(knobs, spec, SEED, *chunk) for chunk in chunks]
    with ThreadPoolExecutor(threads) as pool:
        together = list(pool.map(lambda chunk: game.play(knobs, spec, SEED, *chunk), chunks))
    for one, other in zip(alone, together, strict=True):
        assert same(one.games, other.games)
        assert same(one.tallies, other.tallies)


@plays
def test_an_empty_batch_is_empty(name, policy):
    """No trials give no rows and tallies of nought."""
    game, knobs, spec = setup(name, policy)
    batch = game.play(knobs, spec, SEED, 3, 0)
    assert {values.size for values in batch.games.values()} == {0}
    assert {int(tally.sum()) for tally in batch.tallies.values()} == {0}


@plays
def test_seeds_and_trials_differ(name, policy):
    """Another seed gives other games, the largest seed and far trials play, and no trial repeats its neighbour."""
    game, knobs, spec = setup(name, policy)
    n = few(name, policy, 50)
    batches = [game.play(knobs, spec, seed, 0, n).games for seed in (0, 1, 2**32, 2**63 - 1)]
    batches += [game.play(knobs, spec, 0, first, n).games for first in (2**32, 2**62)]
    plain = [np.stack([games[column] for column in games if column != "trial"]).tobytes() for games in batches]
    assert len(set(plain)) == len(plain)
    rows = np.stack([batches[0][column] for column in batches[0] if column != "trial"], axis=1)
    repeats = (rows[1:] == rows[:-1]).all(axis=1).sum()
    assert repeats == 0


@plays
def test_a_trace_tells_the_game_of_its_row(name, policy):
    """The trace of a trial is JSON, begins and ends as it should, and ends as the row says; it can be told in words."""
    n = few(name, policy, 12)
    for settings in settings_of(name):
        game, knobs, spec = setup(name, policy, settings)
        rows = game.play(knobs, spec, SEED, 0, n).games
        labels = {column.name: column.labels for column in game.columns if column.labels}
        for trial in range(n):
            events = game.trace(knobs, spec, SEED, trial)
            assert json.loads(json.dumps(events)) == events
            kinds = [event["event"] for event in events]
            assert kinds[0] == "setup"
            assert kinds[-1] == "end"
            assert kinds.count("setup") == kinds.count("end") == 1
            assert (events[0]["game"], events[0]["seed"], events[0]["trial"]) == (name, SEED, trial)
            assert events[0]["policy"] == policy
            assert events[0]["rules"] == knobs
            end = events[-1]
            cause = int(rows["cause"][trial])
            assert end["result"] == labels["result"][rows["result"][trial]]
            assert end["cause"] == (None if cause < 0 else labels["cause"][cause])
            assert end["turns"] == rows["turns"][trial] == kinds.count("turn")
            assert game.trace(knobs, spec, SEED, trial) == events
            lines = list(game.tell(events))
            assert len(lines) > len(kinds) // 2
            assert all(isinstance(line, str) and "\n" not in line for line in lines)


@games
def test_layouts_have_a_place_for_every_cell(name):
    """The board can be drawn under every rule set: as many distinct places as cells."""
    for settings in settings_of(name):
        game = registry.get(name)
        layout = game.layout(game.resolve(settings))
        assert layout.grid in ("square", "hex")
        assert len(set(layout.cells)) == len(layout.cells)


def test_an_unknown_game_is_refused_with_the_names_there_are():
    """A name that is not registered is an error that lists what is."""
    with pytest.raises(registry.UnknownGameError) as refused:
        registry.get("no_such_game")
    assert all(name in str(refused.value) for name in registry.names())

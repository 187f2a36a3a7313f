"""Precision, decisions and races: the same games on any number of workers, and exactly as many as the rule says."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import analysis
from analysis import runner, stats
from analysis.errors import InputErrors
from analysis.experiment import parse
from analysis.merge import merge
from analysis.stats import stopping
from analysis.status import status
from analysis.stopping import Rule, Watch
from analysis.store import RunError
from analysis.tables import outcomes, pairs
from tests.madeup import MadeUp, experiment, install
from tests.test_runner import files, forget, tables

FINE = Rule(1000, 10_000, win_rate=0.02)


@pytest.fixture
def game(monkeypatch):
    return install(MadeUp(), monkeypatch)


def record(out):
    return json.loads((out / "manifest.json").read_bytes())["stopping"]


# The looks


@pytest.mark.parametrize(("least", "most"), [(1, 1), (1000, 1000), (1000, 1001), (1000, 10**9), (7, 12_345)])
def test_looks_rise_from_least_to_most_in_steps_of_a_fifth_at_most(least, most):
    """A run overshoots by a fifth at most, a tenth or so on average, and never takes thousands of looks."""
    found = stopping.looks(least, most)
    assert (found[0], found[-1]) == (least, most)
    assert all(a < b <= max(a + 1, 1.2 * a) for a, b in pairwise(found))
    assert len(found) < 200
    assert stopping.looks(least, most, (most // 2,)) == tuple(
        sorted({*found, *([most // 2] if most // 2 >= least else [])})
    )


def test_looks_of_a_longer_run_are_those_of_a_shorter_one():
    """Except its last: raising max_trials changes nothing that was decided before."""
    assert stopping.looks(1000, 80_000)[:-1] == stopping.looks(1000, 1_000_000)[: len(stopping.looks(1000, 80_000)) - 1]


def test_planned_looks():
    """At most ten, doubling, ending with the most, none below the least."""
    assert stopping.planned(1000, 8000) == (1000, 2000, 4000, 8000)
    assert stopping.planned(1000, 1500) == (1500,)
    assert len(stopping.planned(1000, 10**9)) == 10
    assert stopping.planned(1000, 10**9)[-1] == 10**9


@pytest.mark.parametrize("half_width", [0.05, 0.02, 0.005])
def test_enough_games_are_enough_and_no_more(half_width):
    """The bounds against the intervals themselves."""
    n = stopping.enough_for_rate(half_width)
    assert max(stats.rate(k, n).half_width for k in range(0, n + 1, max(1, n // 50))) <= half_width
    assert stats.rate(n // 2, int(0.98 * n)).half_width > half_width
    n = stopping.enough_for_difference(half_width)
    assert stats.paired_difference(stats.Pairs(0, n // 2, n - n // 2, 0)).half_width <= half_width
    assert stats.paired_difference(stats.Pairs(0, n // 2, n // 2, 0)).half_width > 0.95 * half_width


# Precision


def test_every_cell_stops_at_the_first_look_that_is_fine_enough(tmp_path, game):
    """Not a look earlier or later; the manifest tells games, looks and half-widths, the results hold those games."""
    runner.run(experiment(game, stopping=FINE, tides=(1, 5)), tmp_path, workers=2)
    results, told = analysis.load(tmp_path), record(tmp_path)
    assert told["finished"]
    for cell, row in zip(results.experiment.cells, told["cells"], strict=True):
        found = outcomes(results, cell.label)
        assert (row["games"], row["won"], row["state"]) == (cell.trials, found.won, "met")
        assert found.n == cell.trials
        at = FINE.looks.index(cell.trials)
        assert row["looks"] == at + 1
        assert stats.rate(found.won, found.n).half_width == row["half_width"] <= 0.02
        before = FINE.looks[at - 1]
        result = next(column for column in game.columns if column.name == "result").labels.index("won")
        won = np.concatenate([g["result"] for g in results.store.read(cell, before, ["result"])]) == result
        assert stats.rate(int(won.sum()), before).half_width > 0.02
    assert len({cell.trials for cell in results.experiment.cells}) == 2  # not all cells are alike


@pytest.mark.parametrize("rule", [FINE, Rule(1000, 4000, decision=0.05), Rule(1000, 4000, keep=1)])
def test_workers_and_interruptions_change_no_byte(tmp_path, game, rule):
    """One thread or three, killed after any chunk, or played before by a longer run with fixed trials."""
    asked = experiment(game, stopping=rule, tides=(1, 2, 3))
    for workers in (1, 3):
        runner.run(asked, tmp_path / str(workers), workers=workers)
    assert files(tmp_path / "1") == files(tmp_path / "3")
    chance = random.Random(8)
    forget(tmp_path / "3", chance, 7)
    runner.run(asked, tmp_path / "3", workers=2)
    assert files(tmp_path / "1") == files(tmp_path / "3")
    runner.run(experiment(game, 11_000, tides=(1, 2, 3)), tmp_path / "long", workers=2)
    assert runner.run(asked, tmp_path / "long", workers=2).played == 0
    assert tables(tmp_path / "long") == tables(tmp_path / "1")
    assert record(tmp_path / "long") == record(tmp_path / "1")


def test_most_games_end_a_cell_that_is_not_fine_enough(tmp_path, game):
    """And the record says so."""
    runner.run(experiment(game, stopping=replace(FINE, most=1500)), tmp_path, workers=2)
    assert [cell["state"] for cell in record(tmp_path)["cells"]] == ["max_trials", "max_trials"]
    assert [cell["games"] for cell in record(tmp_path)["cells"]] == [1500, 1500]


def test_pairs_play_until_their_difference_is_fine_enough(tmp_path, game):
    """Both cells of a pair play on together; a cell that is in no pair is done with the least."""
    rule = Rule(1000, 10_000, difference=0.02)
    asked = experiment(game, stopping=rule, tides=(1, 2, 3))
    runner.run(asked, tmp_path, workers=2)
    (pair,), results = record(tmp_path)["pairs"], analysis.load(tmp_path)
    games = {cell["cell"]: cell["games"] for cell in record(tmp_path)["cells"]}
    assert games[pair["first"]] == games[pair["second"]] == pair["games"] > games["rough"] == 1000
    counted = pairs(results, pair["first"], pair["second"])
    assert stats.paired_difference(counted).half_width == pair["half_width"] <= 0.02


def test_an_unfinished_run_is_not_read_as_a_finished_one(tmp_path, game):
    """After an interrupt `load` refuses, `status` says so, `merge` of two halves too; the same command goes on."""
    seen = []

    def progress(label, done, total):
        seen.append(done)
        if done >= 3000:
            raise KeyboardInterrupt

    asked = experiment(game, stopping=FINE)
    with pytest.raises(runner.Stopped):
        runner.run(asked, tmp_path / "a", workers=2, progress=progress)
    with pytest.raises(RunError, match="is not finished"):
        analysis.load(tmp_path / "a")
    assert not status(tmp_path / "a").whole
    assert not merge([tmp_path / "a"], tmp_path / "b").whole
    for out in ("a", "b", "c"):
        runner.run(asked, tmp_path / out, workers=2)
    assert files(tmp_path / "a") == files(tmp_path / "c")
    assert tables(tmp_path / "b") == tables(tmp_path / "c")
    assert status(tmp_path / "a").whole
    assert merge([tmp_path / "a", tmp_path / "c"], tmp_path / "d").whole


def test_fixed_trials_and_shares_do_not_go_with_a_rule(tmp_path, game):
    """Nothing is silently ignored."""
    for options in ({"trials": 5}, {"share": (1, 2)}):
        with pytest.raises(RunError, match="precision or race"):
            runner.run(experiment(game, stopping=FINE), tmp_path, **options)


# Decisions and races


def coins(rates, seed=1):
    """won(label, first, end) of independent coins, trial by trial the same however they are asked for."""
    rolls = {label: np.random.default_rng([seed, i]).random(200_000) < p for i, (label, p) in enumerate(rates.items())}
    return lambda label, first, end: rolls[label][first:end]


def played(rule, rates, compared=(), seed=1):
    watch = Watch(rule, list(rates), compared)
    for look in rule.looks:
        watch.look(look, coins(rates, seed))
        if not watch.open:
            break
    return watch


def test_a_clear_difference_is_decided_early_and_none_never():
    """Ten points at the first looks; no difference plays all games and stays undecided."""
    rates = {"a": 0.5, "b": 0.6, "c": 0.5}
    watch = played(Rule(1000, 64_000, decision=0.05), rates, [("a", "b"), ("a", "c")])
    first, second = watch.pairs
    assert (first.decided, first.state) == (True, "met")
    assert first.games <= 4000
    assert (second.decided, second.state, second.games) == (False, "max_trials", 64_000)
    assert (watch.cells["b"].games, watch.cells["a"].games) == (first.games, 64_000)


def test_decisions_are_taken_at_planned_looks_only():
    """Also when a half-width is looked at in between."""
    rule = Rule(1000, 64_000, win_rate=0.004, decision=0.05)
    assert set(rule.planned) < set(rule.looks)
    watch = played(rule, {"a": 0.5, "b": 0.52}, [("a", "b")])
    assert watch.pairs[0].decided
    assert watch.pairs[0].games in rule.planned
    assert watch.cells["a"].games == 64_000  # the half-width of its own came later


def test_a_race_drops_the_clearly_worse_and_keeps_the_best():
    """The worst early, the near ones late or never; kept cells play all games."""
    rates = {"bad": 0.3, "best": 0.6, "near": 0.595, "worse": 0.55}
    watch = played(Rule(1000, 64_000, keep=1), rates)
    states = {label: cell.state for label, cell in watch.cells.items()}
    assert states == {"bad": "dropped", "best": "kept", "near": states["near"], "worse": "dropped"}
    assert watch.cells["bad"].games == 1000 < watch.cells["worse"].games
    assert watch.cells["best"].games == 64_000
    two = played(Rule(1000, 64_000, keep=2), rates)
    assert {two.cells[label].state for label in ("best", "near")} == {"kept"}


def test_a_race_with_precision_ends_when_it_is_over():
    """The winner need not play all games once it is fine enough."""
    rule = Rule(1000, 64_000, win_rate=0.01, keep=1)
    watch = played(rule, {"bad": 0.3, "best": 0.6})
    assert watch.cells["bad"].state == "dropped"
    assert watch.cells["best"].state == "kept"
    assert watch.cells["best"].half_width <= 0.01
    assert watch.cells["best"].games < 12_000


# The report


def test_the_report_tells_rule_looks_and_outcome(tmp_path, game):
    """In the page, in Markdown and as tables; a comparison that could end the run pays for all planned looks."""
    from analysis.report import facts
    from analysis.report import files as made

    rule = Rule(1000, 8000, win_rate=0.02, decision=0.05)
    runner.run(experiment(game, stopping=rule), tmp_path, workers=2)
    found = facts.of(tmp_path)
    made.write(found, tmp_path)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    for words in ("± 2 percentage points", "4 planned looks", "at most 5 %", "at most 8,000 games a cell"):
        assert words in text
    assert text.count("met") >= 3
    header = (tmp_path / "tables" / "stopping.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header == "cell,games,looks,half_width,state"
    (judged,) = facts.comparisons(found)
    assert judged.difference.level == 1 - 0.05 / 4
    assert judged.p_value == min(1.0, 4 * stats.mcnemar(judged.pairs).p_value)


# In the file

BASE = """\
name: x
question: How sure?
game: forbidden_island
policy: random
grid: {difficulty: [novice, legendary]}
"""


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("precision: {win_rate: 0.02}", Rule(1000, 2398, win_rate=0.02)),
        ("precision: {win_rate: 0.02}\ntrials: 5000", Rule(5000, 5000, win_rate=0.02)),
        ("precision: {win_rate: 0.02}\nmax_trials: 1500", Rule(1000, 1500, win_rate=0.02)),
        (
            "precision: {difference: 0.1, decision: 0.05}\nmax_trials: 90_000\ncompare: [[novice, legendary]]",
            Rule(1000, 90_000, difference=0.1, decision=0.05),
        ),
        ("race: {metric: win_rate, keep: 1}\ntrials: 8000", Rule(1000, 8000, keep=1)),
        ("race: {metric: win_rate, keep: 1}\nprecision: {win_rate: 0.02}", Rule(1000, 2398, win_rate=0.02, keep=1)),
        ("race: {metric: win_rate, keep: 1}\ntrials: 300", Rule(300, 300, keep=1)),
        ("trials: 300", None),
    ],
)
def test_rules_as_they_are_written(text, rule):
    assert parse(BASE + text, "x.yaml").stopping == rule


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("trials: 5\nmax_trials: 9", "x.yaml:7:1: max_trials: max_trials needs precision or race"),
        ("question2: no", "trials is missing: a whole number in 1..1000000000, or precision"),
        ("precision: {}", "x.yaml:6:12: precision: precision is empty"),
        ("precision: {win_rate: 0.5}", "x.yaml:6:23: precision.win_rate: 0.5 is not in 0.0005..0.2"),
        ("precision: {win_rate: half}", 'precision.win_rate: "half" is not a number in 0.0005..0.2'),
        ("precision: {winrate: 0.1}", 'precision.winrate: unknown key "winrate"; did you mean win_rate?'),
        ("precision: 0.01", "precision: 0.01 is not a mapping of win_rate, difference or decision to a number"),
        ("precision: {difference: 0.1}", "difference needs pairs to compare; write compare"),
        (
            "precision: {decision: 0.1}\ncompare: [[novice, legendary]]",
            "max_trials is missing: a decision may never come",
        ),
        ("precision: {win_rate: 0.1}\nmax_trials: 500", "max_trials: 500 is less than 1000, the first look"),
        ("precision: {win_rate: 0.1}\ntrials: 5000\nmax_trials: 4000", "4000 is less than 5000, trials"),
        ("race: {metric: win_rate, keep: 2}\ntrials: 5000", "race.keep: 2 is not in 1..1: a race of 2 cells"),
        ("race: {metric: turns, keep: 1}\ntrials: 5000", 'race.metric: "turns" is not win_rate, the only metric'),
        ("race: {metric: win_rate}\ntrials: 5000", "race: keep is missing: write {metric: win_rate, keep: 1}"),
        ("race: {metric: win_rate, keep: 1}", "trials is missing: the games of the cells that a race keeps"),
        ("race: {metric: win_rate, keep: 1}\ntrials: 5\nmax_trials: 9", "exclude each other in a race"),
    ],
)
def test_rules_that_cannot_be(text, words):
    with pytest.raises(InputErrors) as caught:
        parse(BASE + text, "x.yaml")
    assert words in str(caught.value)
    assert len([line for line in str(caught.value).splitlines() if "question2" not in line]) == 1

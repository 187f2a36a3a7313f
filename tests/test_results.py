"""Opened results and the counts over them, against plain Python on the same games; the schema, against its page."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import analysis
from analysis import results, runner, stats, tables
from sim import registry
from tests import madeup
from tests.madeup import COLUMNS, MadeUp, experiment, install

DOCS = Path(__file__).parent.parent / "docs"
N = 3000


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run of the made-up game in chunks that differ between its cells, and its games in plain Python."""
    with pytest.MonkeyPatch.context() as patch:
        game = install(MadeUp(), patch)
        out = tmp_path_factory.mktemp("made")
        asked = experiment(game, N)
        # The rough cell first in small chunks, then all in larger ones, so that the cuts of the two differ.
        runner.run(SimpleNamespace(**{**vars(asked), "cells": asked.cells[1:]}), out, trials=700)
        install(replace(game, games_per_second=500.0), patch)
        runner.run(asked, out)
        opened = analysis.load(out)
        plain = {}
        for cell in asked.cells:
            batch = game.play(cell.knobs, cell.policy, asked.seed, 0, N)
            names = list(batch.games)
            rows = zip(*(batch.games[name].tolist() for name in names), strict=True)
            plain[cell.label] = [dict(zip(names, row, strict=True)) for row in rows]
        yield SimpleNamespace(results=opened, plain=plain, game=game, asked=asked)


@pytest.fixture(scope="module")
def island(tmp_path_factory):
    """A run of Forbidden Island: two difficulties, 600 games each."""
    asked = madeup.island(600)
    out = tmp_path_factory.mktemp("island")
    runner.run(asked, out)
    return SimpleNamespace(results=analysis.load(out), game=registry.get(asked.game), asked=asked)


def test_import_analysis_is_light():
    """`import analysis` loads no Polars, NumPy or scipy; what runs and counts loads no statistics package."""
    script = (
        "import sys, analysis; assert not {'polars', 'numpy', 'scipy', 'pyarrow'} & set(sys.modules), 'analysis';"
        "import analysis.stats, analysis.tables, analysis.runner;"
        "assert not {'scipy.stats', 'scipy.special', 'statsmodels', 'pandas', 'matplotlib'} & set(sys.modules), 'stats'"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=DOCS.parent, check=False)
    assert done.returncode == 0, done.stderr


def test_cells_table(made):
    """One row a cell, in order, varied knobs as columns."""
    frame = made.results.cells
    assert frame.columns == ["cell", "tide", *(one.name for one in results.CELLS[1:])]
    assert frame["cell"].to_list() == ["calm", "rough"]
    assert frame["tide"].to_list() == [1, 2]
    assert frame["games"].to_list() == [N, N]
    for label, won, value, low, high in frame.select("cell", "won", "^win_rate.*$").iter_rows():
        assert won == sum(row["result"] == 0 for row in made.plain[label])
        assert (value, low, high) == (stats.rate(won, N).value, stats.rate(won, N).low, stats.rate(won, N).high)
    assert made.results.experiment.compare == (("calm", "rough"),)


def test_curves_table(made):
    """Every tally cell by cell, turn by turn; zeros left out."""
    frame = made.results.curves
    assert frame.columns == [one.name for one in results.CURVES]
    for label in made.results.labels:
        level = made.results.tallies(label)["level"]
        rows = frame.filter(cell=label, curve="level")
        assert rows["games"].sum() == level.sum()
        for turn, value, games in rows.select("turn", "value", "games").iter_rows():
            assert games == level[turn - 1, value] > 0


def test_frames_as_pandas(made):
    """The same values; games sorted and with the columns asked for; another name says what there is."""
    assert made.results.to_pandas("cells")["won"].tolist() == made.results.cells["won"].to_list()
    assert len(made.results.to_pandas("curves")) == made.results.curves.height
    frame = made.results.to_pandas("games", ["trial", "result", "turn_pearl"])
    assert list(frame.columns) == ["trial", "result", "turn_pearl"]
    assert frame["trial"].tolist() == [*range(N), *range(N)]
    assert frame["turn_pearl"].isna().sum() == made.results.games.collect()["turn_pearl"].null_count()
    with pytest.raises(ValueError, match="frames: cells, games, curves"):
        made.results.to_pandas("game")


def test_games_hold_labels_and_nulls(made):
    """Every value of every game: labels for codes, null for sentinels, masks for sets."""
    frame = made.results.games.sort("cell", "trial").collect()
    assert frame.columns == ["cell", "tide", *(one.name for one in COLUMNS)]
    at = 0
    for label, tide in (("calm", 1), ("rough", 2)):
        for row in made.plain[label]:
            want = {"cell": label, "tide": tide}
            for one in COLUMNS:
                value = row[one.name]
                if one.sentinel is not None and value == one.sentinel:
                    value = None
                elif one.labels and not one.is_set:
                    value = one.labels[value]
                want[one.name] = value
            assert frame.row(at, named=True) == want
            at += 1
    assert at == frame.height


def test_outcomes(made):
    """Result × cause."""
    for label, rows in made.plain.items():
        got = tables.outcomes(made.results, label)
        count = Counter((("won", "lost", "stopped")[r["result"]], r["cause"]) for r in rows)
        assert got.n == N
        assert got.won == sum(c for (result, _), c in count.items() if result == "won")
        for (result, cause), games in got.table.items():
            assert games == count[result, ("storm", "reef", "turn_limit").index(cause)]
        assert got.won + sum(got.causes.values()) == N
        assert sum(got.results.values()) == N


def test_endings(made):
    """Ending × turn; every game once."""
    for label, rows in made.plain.items():
        got = tables.endings(made.results, label)
        count = Counter((r["turns"], "won" if r["result"] == 0 else COLUMNS[2].labels[r["cause"]]) for r in rows)
        assert list(got.turns) == list(range(1, max(r["turns"] for r in rows) + 1))
        for ending, by_turn in got.counts.items():
            assert list(by_turn) == [count[turn, ending] for turn in got.turns]
        assert got.total.sum() == got.n == N


def test_timing(made):
    """Milestones by name and by order of coming."""
    for label, rows in made.plain.items():
        got = tables.timing(made.results, label)
        for name in ("pearl", "crown"):
            count = Counter(r[f"turn_{name}"] for r in rows)
            assert list(got.by_name[name]) == [count[turn] for turn in got.turns]
        for order in range(2):
            count = Counter()
            for r in rows:
                when = sorted(t for t in (r["turn_pearl"], r["turn_crown"]) if t)
                count[when[order] if len(when) > order else 0] += 1
            assert list(got.by_order[order]) == [count[turn] for turn in got.turns]
        assert got.by_order.shape == (2, len(got.turns))


def test_pairs_flips_and_paired_sums(made):
    """Joined trial by trial over unlike chunks; control: against the trials of a cell shifted by one it differs."""
    calm, rough = made.plain["calm"], made.plain["rough"]
    won = [(a["result"] == 0, b["result"] == 0) for a, b in zip(calm, rough, strict=True)]
    count = Counter(won)
    got = tables.pairs(made.results, "calm", "rough")
    want = (count[True, True], count[True, False], count[False, True], count[False, False])
    assert (got.both, got.first_only, got.second_only, got.neither) == want
    shifted = Counter((a, b) for (a, _), (_, b) in zip(won[1:], won, strict=False))
    assert shifted[True, False] != got.first_only
    reef = tables.pairs(made.results, "calm", "rough", "reef", column="cause")
    assert reef.first_only == sum(a["cause"] == 1 and b["cause"] != 1 for a, b in zip(calm, rough, strict=True))
    lost, gained = tables.flips(made.results, "calm", "rough", 5)
    assert lost == [i for i, pair in enumerate(won) if pair == (True, False)][:5]
    assert gained == [i for i, pair in enumerate(won) if pair == (False, True)][:5]
    sums = tables.paired_sums(made.results, "calm", "rough", "turns")
    difference = [b["turns"] - a["turns"] for a, b in zip(calm, rough, strict=True)]
    assert (sums.n, sums.total, sums.squares) == (N, sum(difference), sum(d * d for d in difference))
    with pytest.raises(KeyError, match=r"draw.*won, lost, stopped"):
        tables.pairs(made.results, "calm", "rough", "draw")


def test_histogram_sums_and_happened(made):
    """Plain counts of plain columns."""
    rows = made.plain["rough"]
    turns = tables.histogram(made.results, "rough", "turns")
    count = Counter(r["turns"] for r in rows)
    assert {v: c for v, c in zip(turns.values.tolist(), turns.counts.tolist(), strict=True) if c} == dict(count)
    assert turns.absent == 0
    pearl = tables.histogram(made.results, "rough", "turn_pearl")
    assert pearl.absent == sum(r["turn_pearl"] == 0 for r in rows)
    assert pearl.counts.sum() + pearl.absent == pearl.n == N
    sums = tables.sums(made.results, "rough", ["steps", "turn_pearl"])
    assert sums.total == {name: sum(r[name] for r in rows) for name in ("steps", "turn_pearl")}
    assert sums.squares == {name: sum(r[name] ** 2 for r in rows) for name in ("steps", "turn_pearl")}
    got = tables.happened(made.results, "rough", ["turn_pearl", "turn_crown"])
    assert got == {name: sum(r[name] > 0 for r in rows) for name in ("turn_pearl", "turn_crown")}


def test_curve_and_tallies(made):
    """The tallies of all chunks added up; games running at turn t are those with at least t turns."""
    got = tables.curve(made.results, "calm", "level")
    asked = made.asked.cells[0]
    whole = made.game.play(asked.knobs, asked.policy, made.asked.seed, 0, N)
    np.testing.assert_array_equal(got.padded, whole.tallies["level"])
    np.testing.assert_array_equal(made.results.tallies("calm")["cell_sunk"], whole.tallies["cell_sunk"])
    running = [sum(r["turns"] >= turn for r in made.plain["calm"]) for turn in got.turns]
    assert got.counts.sum(axis=1).tolist() == running
    with pytest.raises(KeyError, match="no curve 'depth'; curves: level"):
        tables.curve(made.results, "calm", "depth")


def test_unknown_names_say_what_there_is(made):
    """Cells and columns."""
    with pytest.raises(KeyError, match=r"calm.*rough"):
        made.results.raw("clam")
    with pytest.raises(KeyError, match="no column 'turn'; columns: trial"):
        tables.histogram(made.results, "calm", "turn")


def test_knob_columns(made):
    """A knob that has a games column's name gets a prefix; lists and mixed kinds become JSON text; absent is null."""
    recorded = made.results.experiment

    def knobs(name, first, second):
        two = [replace(c, settings={name: v}) for c, v in zip(recorded.cells, (first, second), strict=True)]
        made.results.experiment = replace(recorded, cells=tuple(two), grid=(name,))
        try:
            made.results.__dict__.pop("cells", None)
            column = made.results.knob_columns[name]
            joined = made.results.games.select("cell", column).unique().sort("cell").collect()[column].to_list()
            assert joined == made.results.cells[column].to_list()
            return column, joined
        finally:
            made.results.experiment = recorded
            made.results.__dict__.pop("cells", None)

    assert knobs("turns", 3, 4) == ("knob_turns", [3, 4])
    assert knobs("speed", "slow", "fast") == ("speed", ["slow", "fast"])
    assert knobs("flag", True, False) == ("flag", [True, False])
    assert knobs("roles", ["a", "b"], "random") == ("roles", ['["a", "b"]', '"random"'])
    assert knobs("share", 1, 0.5) == ("share", [1.0, 0.5])
    assert knobs("odd", None, 2) == ("odd", [None, 2])


def test_a_real_game(island):
    """Forbidden Island through store and tables: what must hold whatever the players do."""
    opened = island.results
    for label in opened.labels:
        ends, outcomes = tables.endings(opened, label), tables.outcomes(opened, label)
        assert {k: int(v.sum()) for k, v in ends.counts.items()} == {"won": outcomes.won, **outcomes.causes}
        running = np.concatenate([[ends.n], ends.n - np.cumsum(ends.total)[:-1]])
        for one in island.game.curves:
            np.testing.assert_array_equal(tables.curve(opened, label, one.name).counts.sum(axis=1), running)
        columns = [c.name for c in island.game.columns if c.name.startswith("sunk_turn_")]
        assert sum(tables.happened(opened, label, columns).values()) == opened.tallies(label)["cell_sunk"].sum()
        timing = tables.timing(opened, label)
        captured = tables.sums(opened, label, ["treasures"]).total["treasures"]
        assert sum(int(c.sum()) for c in timing.by_name.values()) == timing.by_order.sum() == captured
    games = opened.games.filter(pl.col("result") == "lost").select("cause").collect()
    assert games["cause"].null_count() == 0


def test_games_are_the_games_that_are_played(island):
    """The stored codes are those that the game gives for the same trials."""
    one = island.asked.cells[1]
    batch = island.game.play(one.knobs, one.policy, island.asked.seed, 0, island.asked.trials)
    frame = island.results.raw(one.label).sort("trial").collect()
    for name, array in batch.games.items():
        np.testing.assert_array_equal(frame[name].to_numpy(), array, err_msg=name)
    for name, array in batch.tallies.items():
        np.testing.assert_array_equal(island.results.tallies(one.label)[name], array, err_msg=name)


def test_schema_page_is_current(island, request):
    """docs/results.md holds `results.schema_table(game.columns)`, and names every tally.

    `pytest tests/test_results.py --write-goldens` writes the table anew."""
    path = DOCS / "results.md"
    page, table = path.read_text(encoding="utf-8"), results.schema_table(island.game.columns)
    start = page.index(table.splitlines()[0])
    end = page.index("\n\n", start)
    if request.config.getoption("--write-goldens"):
        page = page[:start] + table + page[end:]
        path.write_text(page, encoding="utf-8")
    assert page[start : page.index("\n\n", start)].splitlines() == table.splitlines()
    for name in island.results.tallies("novice"):
        assert f"| `{name}` |" in page


def test_the_other_frames_are_on_the_page(island):
    """docs/results.md holds `results.frame_table` of cells and curves, and their frames those columns."""
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    for columns, frame in ((results.CELLS, island.results.cells), (results.CURVES, island.results.curves)):
        assert results.frame_table(columns) in page
        names = [column.name for column in columns]
        assert [name for name in frame.columns if name in names] == names
        types = {"label": pl.Enum, "int64": pl.Int64, "float64": pl.Float64, "text": pl.String}
        assert all(frame.schema[column.name] == types[column.dtype] for column in columns)


def test_one_name_one_meaning_everywhere(island, tmp_path):
    """Frames, Parquet files, CSV files, JSON and page call the same thing the same."""
    import pyarrow.parquet as pq

    from analysis.report import facts, files, short

    found = facts.gather(island.results)
    files.write(found, tmp_path)
    told = json.loads(json.dumps(short.plain(found)))
    page = (DOCS / "results.md").read_text(encoding="utf-8")

    def rows(name):
        with open(tmp_path / "tables" / f"{name}.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def same(row, made):
        for key, value in made.items():
            if isinstance(value, dict):
                parts = [float(row[key]), float(row[f"{key}_low"]), float(row[f"{key}_high"]), int(row[f"{key}_n"])]
                assert parts == pytest.approx([value["value"], value["low"], value["high"], value["n"]], rel=1e-9)
                assert row[f"{key}_method"] == value["method"]
            else:
                assert row[key] == str(value) or float(row[key]) == pytest.approx(value)

    nested = {"causes": "loss-causes", "length": "length", "milestones": "milestones-by-name"}
    for at, cell in enumerate(told["cells"]):
        same(rows("win-rates")[at], {key: value for key, value in cell.items() if key not in nested})
        for key, table in nested.items():
            same(rows(table)[at], cell[key])
    same(rows("differences")[0], {k: v for k, v in told["compare"][0].items() if k != "told_apart"})
    frame = island.results.cells
    for row, made in zip(rows("win-rates"), frame.iter_rows(named=True), strict=True):
        for key in set(row) & set(frame.columns):
            assert row[key] == str(made[key]) or float(row[key]) == pytest.approx(made[key]), key
    assert {"cell", "games", "won", "win_rate", "win_rate_low", "win_rate_high"} <= set(rows("win-rates")[0])
    assert {"cell", "curve", "turn"} <= set(rows("curves-over-turns")[0]) & set(island.results.curves.columns)
    path = next((island.results.directory / "results").glob("*/trials-*.parquet"))
    stored = pq.read_schema(path).names
    assert stored == [column.name for column in island.game.columns]
    assert island.results.games.collect_schema().names()[-len(stored) :] == stored
    assert all(f"| `{name}` |" in page for name in (*stored, *frame.columns[2:], *island.results.curves.columns))


def test_the_chart_of_the_examples(island, tmp_path):
    """It runs on any results of the game and draws; the million is its own affair."""
    script = DOCS.parent / "examples" / "charts" / "first_treasure.py"
    command = [sys.executable, str(script), str(island.results.directory), str(tmp_path / "chart.png")]
    environment = {**os.environ, "MPLBACKEND": "agg"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=DOCS.parent, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert "games in" in done.stdout
    assert (tmp_path / "chart.png").stat().st_size > 5000
    from analysis.experiment import load

    assert sum(load(script.with_suffix(".yaml")).trials for _ in range(2)) == 1_000_000


def test_schema_of_the_frame_is_the_schema_of_the_page(island):
    """Types as documented: labels are pl.Enum over them, all else the column's integer type."""
    schema = island.results.games.collect_schema()
    integers = {"int8": pl.Int8, "int16": pl.Int16, "int32": pl.Int32, "int64": pl.Int64}
    for one in island.game.columns:
        coded = one.labels is not None and not one.is_set
        assert schema[one.name] == (pl.Enum(one.labels) if coded else integers[one.dtype]), one.name

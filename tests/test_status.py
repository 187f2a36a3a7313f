"""What `status` tells, and what `merge` puts together and refuses."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import analysis
from analysis import runner
from analysis.files import locked
from analysis.merge import merge
from analysis.status import lines, plain, status
from analysis.store import RunError, Store
from analysis.tables import outcomes
from tests.madeup import MadeUp, experiment, install
from tests.test_runner import files, tables


@pytest.fixture
def game(monkeypatch):
    return install(MadeUp(), monkeypatch)


# Status


def test_status_of_a_whole_run(tmp_path, game):
    """Every game there, the win rate with its half-width, nothing missing; nothing is changed by looking."""
    runner.run(experiment(game), tmp_path, workers=2)
    before = files(tmp_path)
    now = status(tmp_path)
    assert now.whole
    assert (now.holder, now.unused, now.faults) == (None, (), ())
    won = outcomes(analysis.load(tmp_path), "calm").won
    assert (now.cells[0].label, now.cells[0].done, now.cells[0].trials) == ("calm", 2000, 2000)
    assert now.cells[0].won.value == won / 2000
    assert f"{100 * now.cells[0].won.value:.1f} % ± {100 * now.cells[0].won.half_width:.2f}" in lines(now)[3]
    assert files(tmp_path) == before


def test_status_of_a_run_with_gaps_and_damage(tmp_path, game):
    """Missing trials by their numbers, damaged files by name, folders that no cell owns, who is at work."""
    runner.run(experiment(game, tides=(1, 2, 3)), tmp_path, workers=2)
    runner.run(experiment(game, tides=(1, 2)), tmp_path, workers=2)
    calm, rough = (sorted(Store(tmp_path).folder(one).iterdir()) for one in experiment(game).cells)
    gone = {path: path.stem.split("-") for path in (calm[0], rough[2])}
    calm[0].unlink()
    rough[2].write_bytes(b"")
    with locked(tmp_path):
        now = status(tmp_path)
        text = "\n".join(lines(now))
    assert not now.whole
    for cell, path in zip(now.cells, gone, strict=True):
        first, end = int(gone[path][1]), int(gone[path][2])
        assert cell.missing == ((first, end - first),)
        assert cell.done == 2000 - (end - first)
        assert f"{first}-{end - 1}" in text
    assert [fault.path for fault in now.faults] == [rough[2]]
    assert f"Damaged    {rough[2]}: is damaged" in text
    assert len(now.unused) == 1
    assert f"Unused     {now.unused[0]}" in text
    assert "At work    process" in text
    told = json.loads(json.dumps(plain(now)))
    assert told["cells"][1]["damaged"][0]["path"] == str(rough[2])
    assert told["cells"][0]["missing"][0]["count"] == now.cells[0].missing[0][1]


def test_status_of_nothing(tmp_path):
    """A folder without a run is refused."""
    with pytest.raises(RunError, match="holds no run"):
        status(tmp_path)


# Shares and merge


def test_shares_join_to_the_bytes_of_one_run(tmp_path, game):
    """Three machines play a third each; put together they are one run, and nothing is left to play."""
    asked = experiment(game)
    runner.run(asked, tmp_path / "one", workers=2)
    played = [runner.run(asked, tmp_path / f"part{k}", share=(k, 3), workers=2) for k in (1, 2, 3)]
    assert sum(part.played for part in played) == 4000
    assert min(part.played for part in played) > 0
    done = merge([tmp_path / f"part{k}" for k in (1, 2, 3)], tmp_path / "all")
    assert (done.whole, done.games, done.added, done.left) == (True, 4000, 4000, 0)
    assert files(tmp_path / "all") == files(tmp_path / "one")
    assert tables(tmp_path / "all") == tables(tmp_path / "one")
    assert runner.run(asked, tmp_path / "all").played == 0


def test_a_share_does_not_write_the_report(tmp_path, game):
    """Only the run that finds every game calls `finish`."""
    finished = []
    for share in ((1, 2), (2, 2)):
        runner.run(experiment(game), tmp_path, share=share, finish=finished.append)
    assert finished == [tmp_path]
    with pytest.raises(ValueError, match=r"share: 3 is not in 1\.\.2"):
        runner.run(experiment(game), tmp_path, share=(3, 2))


def test_merge_joins_cells_and_trials(tmp_path, game):
    """Other cells, more trials, into one of the folders, twice: the same as one run of all that; then it goes on."""
    runner.run(experiment(game, 500, tides=(1,)), tmp_path / "a")
    runner.run(experiment(game, 1200, tides=(1, 2)), tmp_path / "b")
    for added in (1900, 0):
        done = merge([tmp_path / "a", tmp_path / "b"], tmp_path / "a")
        assert (done.games, done.asked, done.added) == (2400, 2400, added)
    runner.run(experiment(game, 1200, tides=(1, 2)), tmp_path / "a")
    runner.run(experiment(game, 1200, tides=(1, 2)), tmp_path / "one")
    assert tables(tmp_path / "a") == tables(tmp_path / "one")


def test_merge_takes_what_overlaps_once(tmp_path, monkeypatch):
    """Two cuts of the same trials: each trial once, what is left over is told, and a run plays it."""
    slow, fast = MadeUp(games_per_second=40.0), MadeUp(games_per_second=1e6)
    runner.run(experiment(install(slow, monkeypatch), 700), tmp_path / "slow")
    runner.run(experiment(install(fast, monkeypatch), 1500), tmp_path / "fast")
    done = merge([tmp_path / "slow", tmp_path / "fast"], tmp_path / "slow")
    assert done.games + done.left >= 3000
    runner.run(experiment(fast, 1500), tmp_path / "slow")
    assert tables(tmp_path / "slow") == tables(tmp_path / "fast")


def test_what_does_not_belong_together_is_not_merged(tmp_path, monkeypatch):
    """Another name, seed or rules version, a label with two meanings, a damaged file, a lie: named, nothing written."""
    game = install(MadeUp(), monkeypatch)
    runner.run(experiment(game, 500), tmp_path / "a")

    def refused(other, words):
        with pytest.raises(RunError, match=words):
            merge([tmp_path / "a", tmp_path / other], tmp_path / "out")
        assert not (tmp_path / "out" / "manifest.json").exists()

    runner.run(experiment(game, 500, name="winds"), tmp_path / "name")
    refused("name", r"name: holds another experiment than .*\(name 'winds', not 'storms'\)")
    runner.run(experiment(game, 500, seed=8), tmp_path / "seed")
    refused("seed", r"seed 8, not 7")
    runner.run(experiment(game, 500, tides=(3, 2)), tmp_path / "label")
    refused("label", r"label: its cell 'calm' has other rules or another player")
    runner.run(experiment(install(replace(game, rules_version=2), monkeypatch), 500), tmp_path / "rules")
    refused("rules", r"rules: was played by rules version 2, .* by 1; games of different rules are never put together")
    install(game, monkeypatch)
    runner.run(experiment(game, 500), tmp_path / "damaged")
    path = next((tmp_path / "damaged").rglob("trials-*.parquet"))
    path.write_bytes(path.read_bytes()[:-1])
    refused("damaged", rf"{path.name}: is damaged")
    refused("nothing", "nothing: holds no run")
    runner.run(experiment(game, 500), tmp_path / "lie")
    one, path = experiment(game).cells[0], next((tmp_path / "lie").rglob("trials-0-*.parquet"))
    batch = game.play(one.knobs, one.policy, 7, 0, int(path.stem.split("-")[2]))
    batch.games["steps"][3] += 1
    Store(tmp_path / "lie", seed=7).write(one, 0, batch)
    refused("lie", r"hold different games of trials 0 to \d+ \(column steps\)")
    assert merge([tmp_path / "a"], tmp_path / "out").whole  # control

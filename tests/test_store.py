"""Chunk files: whole or refused, and the same bytes for the same games."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from analysis import files, runner, store
from analysis.store import RunError, Store, StoreError, chunk_size, cut
from sim.core.game import Column
from tests.madeup import COLUMNS, MadeUp, cell, experiment, install

GAME = MadeUp()
# Of the machine, or of the commit, which may change while tests run.
UNLIKE = (".lock", ".speeds.json", "manifest.json")
CALM, ROUGH = cell(GAME, "calm", 1, 7), cell(GAME, "rough", 2, 7)


def batch(first, count, one=CALM):
    return GAME.play(one.knobs, one.policy, 7, first, count)


def filled(folder, *ranges):
    """A store that holds these (first, count) ranges of the calm cell."""
    here = Store(folder, seed=7, columns=COLUMNS)
    for first, count in ranges:
        here.write(CALM, first, batch(first, count))
    return here


def column(here, trials, name):
    return np.concatenate([games[name] for games in here.read(CALM, trials, [name])])


def test_a_chunk_comes_back_as_it_was(tmp_path):
    """Columns with their types, tallies with their shapes."""
    here, asked = filled(tmp_path, (0, 50)), batch(0, 50)
    frame = here.scan(CALM, 50).sort("trial").collect()
    for one in COLUMNS:
        np.testing.assert_array_equal(frame[one.name].to_numpy(), asked.games[one.name])
        assert frame[one.name].to_numpy().dtype == np.dtype(one.dtype)
    tallies = here.tallies(CALM, 50)
    assert set(tallies) == set(asked.tallies)
    for name, array in asked.tallies.items():
        np.testing.assert_array_equal(tallies[name], array)
        assert tallies[name].dtype == np.int64


def test_file_name_and_metadata(tmp_path):
    """`results/<identity[:16]>/trials-<first>-<end>.parquet`, zstd, header readable by any Parquet reader."""
    path = filled(tmp_path, (10, 20)).folder(CALM) / "trials-10-30.parquet"
    assert path == tmp_path / "results" / CALM.identity[:16] / "trials-10-30.parquet"
    header = store.read_header(path)
    assert (header["identity"], header["seed"], header["first"], header["end"]) == (CALM.identity, 7, 10, 30)
    assert pq.read_metadata(path).row_group(0).column(0).compression == "ZSTD"


def test_same_games_same_bytes(tmp_path):
    """Encoding is a pure function; control: another seed in the header gives other bytes."""
    one, two = (store.encode(CALM.identity, 7, 0, batch(0, 40), COLUMNS) for _ in range(2))
    assert one == two
    assert one != store.encode(CALM.identity, 8, 0, batch(0, 40), COLUMNS)


def test_missing_ranges(tmp_path):
    """What no file holds, rising, up to the number asked for."""
    here = filled(tmp_path, (0, 10), (30, 10))
    assert here.missing(CALM, 60) == [(10, 20), (40, 20)]
    assert here.missing(CALM, 35) == [(10, 20)]
    assert here.missing(CALM, 5) == []
    assert here.missing(ROUGH, 5) == [(0, 5)]


def test_fewer_trials_use_the_first(tmp_path):
    """Rows and tallies of the first n, also when n cuts a chunk: its head's tallies are stored beside."""
    here = filled(tmp_path, (0, 20), (20, 20))
    np.testing.assert_array_equal(column(here, 33, "trial"), np.arange(33))
    assert here.scan(CALM, 33).collect().height == 33
    assert here.missing_head(CALM, 33) == (20, 13)
    with pytest.raises(RunError, match="first 13 trials"):
        here.tallies(CALM, 33)
    data = store.encode(CALM.identity, 7, 20, batch(20, 13), COLUMNS, rows=False)
    here.put(CALM, 20, 33, data, head=True)
    assert here.missing_head(CALM, 33) is None
    assert here.missing_head(CALM, 40) is None
    np.testing.assert_array_equal(here.tallies(CALM, 33)["level"], batch(0, 33).tallies["level"])
    assert here.missing(CALM, 40) == []


def test_pieces_begin_at_multiples():
    """Whatever the gaps, so that a resumed run makes the files of a fresh one."""
    assert list(cut([(0, 25)], 10)) == [(0, 10), (10, 10), (20, 5)]
    assert list(cut([(7, 10), (20, 10)], 10)) == [(7, 3), (10, 7), (20, 10)]


@pytest.mark.parametrize("rate", [0.01, 3, 100, 5_000, 50_000, 1e7])
@pytest.mark.parametrize("trials", [1, 100, 20_000, 1_000_000, 10**9])
def test_chunk_size_bounds(rate, trials):
    """At least one game, at most 50,000 and two seconds of play; eight chunks or more from 8/50 s of play up."""
    size = chunk_size(rate, trials)
    assert 1 <= size <= 50_000
    assert size == 1 or size / rate <= 2
    if trials >= 8 and trials / rate >= 8 / 50:
        assert -(-trials // size) >= 8


def test_every_flipped_byte_is_found(tmp_path):
    """A single changed byte anywhere: 300 places over the whole file, header and checksum included, are all refused."""
    here = filled(tmp_path, (0, 30))
    path = here.folder(CALM) / "trials-0-30.parquet"
    good = path.read_bytes()
    for at in {*np.linspace(0, len(good) - 1, 290).astype(int), *range(len(good) - 10, len(good))}:
        path.write_bytes(good[:at] + bytes([good[at] ^ 0x20]) + good[at + 1 :])
        with pytest.raises(StoreError, match="trials-0-30"):
            Store(tmp_path, seed=7).chunks(CALM)
    path.write_bytes(good)
    assert len(Store(tmp_path, seed=7).chunks(CALM)) == 1  # control


@pytest.mark.parametrize("keep", [0, 1, 4, 0.5, 0.99, -1])
def test_truncated_file_is_refused_by_name(tmp_path, keep):
    """However much is left."""
    filled(tmp_path, (0, 30))
    path = tmp_path / "results" / CALM.identity[:16] / "trials-0-30.parquet"
    good = path.read_bytes()
    path.write_bytes(good[: int(len(good) * keep) if isinstance(keep, float) else keep])
    with pytest.raises(StoreError, match=r"trials-0-30\.parquet: is damaged.*--repair") as caught:
        Store(tmp_path).missing(CALM, 30)
    assert caught.value.path == path


def test_foreign_files_are_refused_by_name(tmp_path):
    """Another cell's file, a renamed one, overlapping ones, other columns, other layout, any other file."""
    here = filled(tmp_path, (0, 30))
    folder = here.folder(CALM)
    good = (folder / "trials-0-30.parquet").read_bytes()

    def refused(name, data, match):
        (folder / name).write_bytes(data)
        with pytest.raises(StoreError, match=match) as caught:
            Store(tmp_path, columns=COLUMNS).missing(CALM, 90)
        assert caught.value.path == folder / name
        (folder / name).unlink()

    refused("trials-30-60.parquet", store.encode(ROUGH.identity, 7, 30, batch(30, 30)), "another cell")
    refused("trials-30-60.parquet", good, "not what its name says")
    refused("trials-20-50.parquet", store.encode(CALM.identity, 7, 20, batch(20, 30)), "trials-0-30.parquet holds too")
    refused("notes.txt", b"hello", "not a chunk file")
    other = batch(30, 30)
    other.games.pop("steps")
    refused("trials-30-60.parquet", store.encode(CALM.identity, 7, 30, other), r"other columns.*\(steps\)")
    later = store.encode(CALM.identity, 7, 30, batch(30, 30)).replace(b'"schema":1', b'"schema":2')
    refused("trials-30-60.parquet", later, "checksum is wrong")
    assert Store(tmp_path, columns=COLUMNS).missing(CALM, 30) == []


def test_leftovers_of_a_killed_write_are_ignored_and_cleaned(tmp_path):
    """A temporary file holds nothing that counts."""
    here = filled(tmp_path, (0, 30))
    left = here.folder(CALM) / ".trials-30-60.parquet.123.tmp"
    left.write_bytes(b"half a fi")
    assert here.missing(CALM, 60) == [(30, 30)]
    assert here.clean() == [left]
    assert not left.exists()
    assert here.missing(CALM, 60) == [(30, 30)]


def test_batches_that_are_not_as_documented():
    """Unknown or absent columns, values that do not fit, trials that do not run on, ragged columns: never stored."""
    small = (*COLUMNS[:-1], Column("steps", "int8", "count", "steps"))
    good = batch(0, 40)

    def refused(games, match, columns=COLUMNS, first=0):
        with pytest.raises(ValueError, match=match):
            store.encode(CALM.identity, 7, first, replace(good, games=games), columns)

    refused({**good.games, "more": good.games["turns"]}, "more")
    refused({k: v for k, v in good.games.items() if k != "turns"}, "turns")
    refused({**good.games, "steps": good.games["steps"] * 9}, "steps.*int8", small)
    refused(good.games, "run on from 1", first=1)
    refused({**good.games, "turns": good.games["turns"][:-1]}, "one value a game")
    assert store.encode(CALM.identity, 7, 0, good, COLUMNS)  # control


@pytest.fixture
def small_disk(tmp_path):
    """A real file system of 1 MiB."""
    where = tmp_path / "disk"
    where.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(where)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"a small disk cannot be mounted: {error}")
    if done.returncode:
        pytest.skip(f"a small disk cannot be mounted: {done.stderr.strip()}")
    yield where
    subprocess.run(["umount", str(where)], check=True)


def test_full_disk(small_disk, monkeypatch):
    """The run stops and names the file; every finished chunk is whole; with room it goes on to the same tables."""
    game = install(replace(MadeUp(), games_per_second=1e6), monkeypatch)
    asked = experiment(game, 100_000)
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 400_000)
    with pytest.raises(RunError, match=r"trials-\d+-\d+\.parquet: No space left on device.*same command goes on"):
        runner.run(asked, small_disk, workers=2)
    assert not list(small_disk.rglob("*.tmp"))
    here = Store(small_disk, seed=7, columns=COLUMNS)
    stored = sum(chunk.count for one in asked.cells for chunk in here.chunks(one))
    assert 0 < stored < 200_000
    ballast.unlink()
    # Still too small for everything: a shorter experiment fits.
    runner.run(asked, small_disk, trials=50_000, workers=2)
    for name in ("trial", "turns", "cause"):
        np.testing.assert_array_equal(column(here, 50_000, name), batch(0, 50_000).games[name])


def test_a_file_that_cannot_grow(tmp_path, monkeypatch):
    """The system's limit on the size of a file stands in for the full disk where none can be mounted."""
    resource = pytest.importorskip("resource")
    game = install(replace(MadeUp(), games_per_second=1e6), monkeypatch)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        with pytest.raises(RunError, match=r"trials-\d+-\d+\.parquet: File too large; what had finished is kept"):
            runner.run(experiment(game, 100_000), tmp_path, workers=2)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(tmp_path.rglob("*.tmp"))
    assert runner.run(experiment(game, 100_000), tmp_path, workers=2).there == 200_000


def test_full_disk_under_the_report(small_disk, monkeypatch):
    """The games are kept, the file is named, and with room the same command writes what a quiet run writes."""
    from analysis.report import facts
    from analysis.report import files as made

    def finish(folder):
        made.write(facts.of(folder), folder)

    game, quiet, out = install(MadeUp(), monkeypatch), small_disk.parent / "quiet", small_disk
    runner.run(experiment(game), quiet, workers=2, finish=finish)
    runner.run(experiment(game), out, workers=2)
    ballast = out / "ballast"
    room = os.statvfs(out).f_bavail * os.statvfs(out).f_frsize
    ballast.write_bytes(b"x" * (room - 100_000))
    with pytest.raises(RunError, match=r"(figures|tables|report).*: No space left on device.*same command goes on"):
        runner.run(experiment(game), out, workers=2, finish=finish)
    ballast.unlink()
    assert runner.run(experiment(game), out, workers=2, finish=finish).played == 0
    assert not list(out.rglob("*.tmp"))
    for path in (path for path in quiet.rglob("*.*") if path.is_file() and path.name not in UNLIKE):
        assert path.read_bytes() == (out / path.relative_to(quiet)).read_bytes(), path


def test_read_only_disk(small_disk, monkeypatch):
    """Nobody may write there, root neither."""
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(RunError, match=r"disk.*Read-only file system"):
        runner.run(experiment(install(MadeUp(), monkeypatch)), small_disk, workers=1)


def test_unwritable_folder(tmp_path, monkeypatch):
    """A file where the folder should be, and a folder without permission (root passes that one by)."""
    game = install(MadeUp(), monkeypatch)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(RunError, match="file"):
        runner.run(experiment(game), tmp_path / "file", workers=1)
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    (tmp_path / "shut").mkdir(mode=0o500)
    with pytest.raises(RunError, match=r"shut.*Permission denied"):
        runner.run(experiment(game), tmp_path / "shut", workers=1)


def test_written_beside_synced_renamed(tmp_path, monkeypatch):
    """The order that outlives a loss of power: the bytes are synced, the file renamed, its folder synced."""
    steps = []
    real_sync, real_replace = os.fsync, os.replace

    def sync(handle):
        steps.append("sync " + ("folder" if os.path.isdir(f"/proc/self/fd/{handle}") else "file"))
        real_sync(handle)

    def rename(old, new):
        steps.append("rename")
        assert Path(old).stat().st_size == 5
        real_replace(old, new)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", rename)
    files.write_file(tmp_path / "x", b"bytes")
    assert steps == ["sync file", "rename", "sync folder"]
    assert (tmp_path / "x").read_bytes() == b"bytes"

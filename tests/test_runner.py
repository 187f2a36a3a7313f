"""Runs: the same tables however they are cut, killed, resumed, extended or interrupted."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import analysis
from analysis import provenance, runner
from analysis.execute import Threads, play
from analysis.files import holder
from analysis.runner import Stopped
from analysis.store import RunError, Store, chunk_size, locked
from sim.core.game import PolicyFault
from tests.madeup import MadeUp, experiment, install, island

TESTS = Path(__file__).parent


@pytest.fixture
def game(monkeypatch):
    return install(MadeUp(), monkeypatch)


def tables(out) -> list[bytes]:
    """All that the results say, as bytes."""
    results = analysis.load(out)
    games = results.games.sort("cell", "trial").collect()
    tallies = [results.tallies(one) for one in results.labels]
    parts = [games.write_csv().encode(), results.cells.write_csv().encode()]
    return parts + [t[name].tobytes() for t in tallies for name in sorted(t)]


def files(out) -> dict[str, bytes]:
    """Every file of a run by its path, without lock, measured speeds and the commit (which may change meanwhile)."""
    found = {str(p.relative_to(out)): p.read_bytes() for p in Path(out).rglob("*") if p.is_file()}
    found.pop("results/.lock")
    found.pop("results/.speeds.json", None)
    found["manifest.json"] = re.sub(rb'"commit": .*', b"", found["manifest.json"])
    for name in ("report.html", "report.md"):
        if name in found:
            found[name] = re.sub(rb"[0-9a-f]{40}(\+changes)?", b"", found[name])
    return found


def test_a_run_fills_the_folder(tmp_path, game):
    """Every trial of every cell once, progress up to the end."""
    seen = []
    summary = runner.run(experiment(game), tmp_path, workers=2, progress=lambda *now: seen.append(now))
    assert (summary.games, summary.played) == (4000, 4000)
    assert seen[0][1:] == (0, 4000)
    assert seen[-1][1:] == (4000, 4000)
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
    counts = analysis.load(tmp_path).games.group_by("cell").agg(pl.col("trial").n_unique()).collect()
    assert dict(counts.iter_rows()) == {"calm": 2000, "rough": 2000}


@pytest.mark.parametrize("workers", [1, 3])
def test_order_of_finish_and_threads_change_no_byte(tmp_path, monkeypatch, workers):
    """Chunks that take unlike times in 1 or 3 threads: every file of the run is the same, the manifest too."""
    runner.run(experiment(install(MadeUp(), monkeypatch)), tmp_path / "a", workers=2)
    runner.run(experiment(install(replace(MadeUp(), pause=0.002), monkeypatch)), tmp_path / "b", workers=workers)
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_chunk_size_changes_no_table(tmp_path, monkeypatch):
    """Two rates give two cuts and the same tables; control: another seed gives others."""
    for name, rate, seed in (("a", 40.0, 7), ("b", 1e6, 7), ("c", 1e6, 8)):
        runner.run(experiment(install(MadeUp(games_per_second=rate), monkeypatch), seed=seed), tmp_path / name)
    assert set(files(tmp_path / "a")) != set(files(tmp_path / "b"))
    assert tables(tmp_path / "a") == tables(tmp_path / "b")
    assert tables(tmp_path / "a") != tables(tmp_path / "c")


def test_running_again_plays_nothing(tmp_path, game):
    """And leaves every byte as it is."""
    runner.run(experiment(game), tmp_path, workers=2)
    before = files(tmp_path)
    assert runner.run(experiment(game), tmp_path, workers=2).played == 0
    assert files(tmp_path) == before


def test_more_trials_extend_and_fewer_use_the_first(tmp_path, game):
    """1,500, then 4,000, then 900 trials: each time the tables of a fresh run of that many."""
    for trials, played in ((1500, 3000), (4000, 5000), (900, 0)):
        summary = runner.run(experiment(game), tmp_path / "a", trials=trials)
        assert (summary.games, summary.played) == (2 * trials, played)
        runner.run(experiment(game, trials), tmp_path / str(trials))
        assert tables(tmp_path / "a") == tables(tmp_path / str(trials))


def test_cells_go_by_what_they_are(tmp_path, game):
    """A further cell is played, one that went is left aside, another order or label uses what is there."""
    runner.run(experiment(game, tides=(1, 2)), tmp_path)
    assert runner.run(experiment(game, tides=(2, 1, 3)), tmp_path).played == 2000
    assert analysis.load(tmp_path).cells["tide"].to_list() == [2, 1, 3]
    assert runner.run(experiment(game, tides=(3,)), tmp_path).played == 0
    assert analysis.load(tmp_path).games.select(pl.len()).collect().item() == 2000
    assert len([p for p in (tmp_path / "results").iterdir() if p.is_dir()]) == 3


@pytest.mark.parametrize("change", [{"name": "other"}, {"seed": 8}])
def test_another_experiment_in_the_way(tmp_path, game, change):
    """Is an error that says how to go on, and nothing is touched."""
    runner.run(experiment(game), tmp_path)
    before = files(tmp_path)
    with pytest.raises(RunError, match=r"another experiment \((name|seed) .*--out"):
        runner.run(experiment(game, **change), tmp_path)
    assert files(tmp_path) == before


def test_damaged_manifest_and_no_results(tmp_path, game):
    """Each is named."""
    with pytest.raises(RunError, match=r"no manifest\.json"):
        analysis.load(tmp_path)
    runner.run(experiment(game), tmp_path)
    (tmp_path / "manifest.json").write_text('{"schema": 1, ')
    with pytest.raises(RunError, match=r"manifest\.json: is damaged"):
        runner.run(experiment(game), tmp_path)
    for text in ("[]", '{"schema": 2}', '{"schema": 1}', '{"schema": 1, "experiment": {"game": "chess"}}'):
        (tmp_path / "manifest.json").write_text(text)
        with pytest.raises(RunError, match=r"manifest\.json: (is not a manifest|cannot be used)"):
            analysis.load(tmp_path)


def test_damaged_chunk_stops_a_run(tmp_path, game):
    """By name, before anything is played; with repair it is put aside, and just its games are played again."""
    runner.run(experiment(game), tmp_path)
    before = files(tmp_path)
    path = sorted(tmp_path.rglob("trials-*.parquet"))[3]
    path.write_bytes(path.read_bytes()[:-100])
    damaged = path.read_bytes()
    with pytest.raises(RunError, match=path.name):
        runner.run(experiment(game), tmp_path)
    with pytest.raises(RunError, match=path.name):
        analysis.load(tmp_path)
    mended = runner.run(experiment(game), tmp_path, repair=True)
    assert mended.played == int(path.stem.split("-")[2]) - int(path.stem.split("-")[1])
    assert mended.aside == (tmp_path / "damaged" / path.parent.name / path.name,)
    assert mended.aside[0].read_bytes() == damaged
    assert {name: data for name, data in files(tmp_path).items() if not name.startswith("damaged")} == before
    assert runner.run(experiment(game), tmp_path, repair=True).aside == ()


def test_all_that_is_damaged_is_named_at_once_and_mended(tmp_path, game):
    """Truncated, foreign, copied, edited, twice there, not a chunk, and a manifest that cannot be read."""
    runner.run(experiment(game), tmp_path)
    before, manifest = files(tmp_path), (tmp_path / "manifest.json").read_bytes()
    calm, rough = (sorted(path for path in Store(tmp_path).folder(one).iterdir()) for one in experiment(game).cells)
    calm[0].write_bytes(calm[0].read_bytes()[:-1])
    edited = bytearray(calm[1].read_bytes())
    edited[40] ^= 1
    calm[1].write_bytes(edited)
    rough[0].write_bytes(calm[2].read_bytes())
    calm[2].with_name("trials-90000-90100.parquet").write_bytes(calm[2].read_bytes())
    calm[3].with_name("trials-100-200 (copy).parquet").write_bytes(calm[3].read_bytes())
    first, one = int(rough[1].stem.split("-")[1]) + 1, experiment(game).cells[1]
    Store(tmp_path, seed=7).write(one, first, game.play(one.knobs, one.policy, 7, first, 5))
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(RunError, match=r"manifest\.json: is damaged"):
        runner.run(experiment(game), tmp_path)
    (tmp_path / "manifest.json").write_bytes(manifest)
    with pytest.raises(RunError, match=r"^6 files cannot be used: .*--repair") as caught:
        runner.run(experiment(game), tmp_path)
    told = str(caught.value)
    for path, what in (
        (calm[0], "is damaged"),
        (calm[1], "was edited"),
        (rough[0], "belongs to another cell"),
        ("trials-90000-90100.parquet", "not what its name says"),
        ("(copy).parquet", "is not a chunk file"),
        (f"trials-{first}-{first + 5}.parquet", f"holds trials that {rough[1].name} holds too"),
    ):
        assert re.search(rf"{re.escape(str(path))}: [^;]*{what}", told), (path, told)
    (tmp_path / "manifest.json").write_text("{")
    assert len(runner.run(experiment(game), tmp_path, repair=True).aside) == 7
    assert {name: data for name, data in files(tmp_path).items() if not name.startswith("damaged")} == before


def test_repair_leaves_another_experiment_alone(tmp_path, game):
    """It mends what is damaged, and takes nobody's folder."""
    runner.run(experiment(game), tmp_path)
    before = files(tmp_path)
    with pytest.raises(RunError, match="another experiment"):
        runner.run(experiment(game, name="other"), tmp_path, repair=True)
    assert files(tmp_path) == before


def test_policy_fault_propagates(tmp_path, monkeypatch):
    """With seed and trial; what finished before is kept, and a mended policy goes on."""
    game = install(MadeUp(faults=frozenset({1700})), monkeypatch)
    with pytest.raises(PolicyFault) as caught:
        runner.run(experiment(game), tmp_path, workers=2)
    assert (caught.value.seed, caught.value.trial) == (7, 1700)
    assert list(tmp_path.rglob("trials-*.parquet"))
    install(MadeUp(), monkeypatch)
    assert 0 < runner.run(experiment(game), tmp_path, workers=2).played < 4000


def test_two_runs_at_once(tmp_path, game):
    """The second is told who is at work, and can go on after the first; the report is written under the same lock."""
    with locked(tmp_path), pytest.raises(RunError, match=rf"another run is at work here \(process {os.getpid()} on"):
        runner.run(experiment(game), tmp_path)
    held = []
    assert runner.run(experiment(game), tmp_path, finish=lambda out: held.append(holder(out))).played == 4000
    assert held[0].startswith(f"process {os.getpid()} on ")
    assert holder(tmp_path) is None


def test_the_kernel_gives_the_lock_up(tmp_path, game):
    """A run in another process holds the folder until it is killed; nothing has to be removed by hand."""
    process = start(tmp_path, trials=100, pause="30")
    process.stdout.readline()
    process.stdout.readline()
    with pytest.raises(RunError, match=rf"process {process.pid} on"):
        runner.run(experiment(game), tmp_path)
    process.kill()
    process.communicate()
    assert runner.run(experiment(game), tmp_path, trials=100).played == 200


def test_the_environment_limits_threads_at_play(tmp_path, monkeypatch):
    """No more chunks are played at once than the variable allows; a number of workers is not limited by it."""

    class Watched(MadeUp):
        def play(self, knobs, policy, seed, first, count):
            now.append(first)
            most.append(len(now))
            time.sleep(0.005)
            batch = super().play(knobs, policy, seed, first, count)
            now.remove(first)
            return batch

    now, most = [], []
    game = install(Watched(), monkeypatch)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    runner.run(experiment(game), tmp_path / "a", workers=0)
    assert max(most) == 1
    runner.run(experiment(game), tmp_path / "b", workers=3)
    assert max(most) == 3


def test_trials_and_workers_out_of_range(tmp_path, game):
    """No run of no games, nor of fewer than no threads."""
    with pytest.raises(ValueError, match="trials"):
        runner.run(experiment(game), tmp_path, trials=0)
    with pytest.raises(ValueError, match="workers"):
        runner.run(experiment(game), tmp_path, workers=-1)


def test_executor_is_a_seam(tmp_path, game):
    """Any order from any executor gives the files of the threads; tasks and results survive pickling."""
    import pickle

    class Backwards:
        def map_unordered(self, tasks):
            for task in reversed(list(tasks)):
                yield pickle.loads(pickle.dumps(play(pickle.loads(pickle.dumps(task)))))

    runner.run(experiment(game), tmp_path / "a", executor=Backwards())
    runner.run(experiment(game), tmp_path / "b", executor=Threads(2))
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_run_in_another_thread(tmp_path, game):
    """Where no signal can be caught."""
    thread = threading.Thread(target=runner.run, args=(experiment(game), tmp_path))
    thread.start()
    thread.join()
    assert analysis.load(tmp_path).games.select(pl.len()).collect().item() == 4000


def test_manifest_is_independent_of_machine_and_place(tmp_path, game, monkeypatch):
    """No path, host, user or time in it; the same bytes in two places; the file's text and the versions are there."""
    import getpass
    import platform

    monkeypatch.setattr(provenance, "commit", lambda: "0" * 40)
    for name in ("a", "b"):
        runner.run(experiment(game), tmp_path / name)
    data = (tmp_path / "a" / "manifest.json").read_bytes()
    assert data == (tmp_path / "b" / "manifest.json").read_bytes()
    manifest = json.loads(data)
    assert manifest["experiment"]["source"] == "name: storms\n"
    assert manifest["experiment"]["seed"] == 7
    assert manifest["versions"]["python"] == platform.python_version()
    assert [one["trials"] for one in manifest["cells"]] == [2000, 2000]
    text = data.decode()
    assert str(tmp_path) not in text
    assert str(Path.cwd()) not in text
    assert platform.node() not in text
    assert f'"{getpass.getuser()}"' not in text


def start(out, trials=4000, pause="0.01"):
    """A real run in a process of its own; its progress comes line by line."""
    command = [sys.executable, "-m", "tests.madeup", str(out), str(trials), pause]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=TESTS.parent)


def forget(out, chance, keep) -> None:
    """Remove chunk files at random until only so many are left: there is always something to play, and in gaps."""
    paths = sorted(Path(out).rglob("trials-*.parquet"))
    for path in chance.sample(paths, max(0, len(paths) - keep)):
        path.unlink()


@pytest.mark.parametrize(("pause", "trials", "wait", "kills"), [("0.01", 4000, 0.15, 4), ("island", 40_000, 0.05, 2)])
def test_killed_at_random_moments(tmp_path, game, pause, trials, wait, kills):
    """kill -9 again and again (seed 3), resume: never more than whole chunks, and at the end the bytes of a quiet run.

    Each start is killed up to `wait` seconds after its first stored chunk: in play, in writing, in between.  One that
    ended first does not count.
    """
    asked = island(trials) if pause == "island" else experiment(game, trials)
    runner.run(asked, tmp_path / "quiet", workers=2)
    out, chance, killed = tmp_path / "killed", random.Random(3), 0
    for _ in range(10 * kills):
        process = start(out, trials, pause)
        process.stdout.readline()  # the state it starts from
        process.stdout.readline()  # its first chunk
        time.sleep(chance.uniform(0, wait))
        process.kill()
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
        for one in asked.cells:
            assert Store(out).survey(one).faults == []  # every file that is there is whole
        if killed == kills:
            break
        forget(out, chance, 5)
    assert killed == kills
    runner.run(asked, out, workers=2)
    assert Store(out).clean() == []
    assert files(out) == files(tmp_path / "quiet")
    assert tables(out) == tables(tmp_path / "quiet")


def write_report(folder):
    """What the command does at the end of a run."""
    from analysis.report import facts
    from analysis.report import files as made

    made.write(facts.of(folder), folder)


def die(tmp_path, asked, report, deaths, most, seed):
    """`deaths` deaths, each at one of the first `most` steps on the disk (tests/dying.py); then a run to the end."""
    quiet, out, chance = tmp_path / "quiet", tmp_path / "dying", random.Random(seed)
    finish = write_report if report else None
    runner.run(asked, quiet, workers=2, finish=finish)
    command = [sys.executable, "-m", "tests.dying", str(out), str(asked.trials), "report" if report else "-"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=TESTS.parent)
    died = 0
    while died < deaths:
        process.stdin.write(f"{chance.randint(1, most)} {chance.random()}\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        assert answer.split()[0] in ("died", "done"), answer
        died += answer == "died\n"
        for one in asked.cells:
            assert Store(out).survey(one).faults == []
        forget(out, chance, 32 if report else 8)
    process.stdin.close()
    process.wait()
    runner.run(asked, out, workers=2, finish=finish)
    assert files(out) == files(quiet)
    assert tables(out) == tables(quiet)


def test_dying_at_any_step_of_storing(tmp_path, game):
    """20 deaths (seed 4) in sync and rename, half-written files too: whole chunks only, the bytes of a quiet run."""
    die(tmp_path, experiment(game), False, deaths=20, most=30, seed=4)


def test_dying_while_the_report_is_written(tmp_path, game):
    """2 deaths (seed 5): the next run writes the same page, figures and tables."""
    die(tmp_path, experiment(game), True, deaths=2, most=250, seed=5)
    assert (tmp_path / "dying" / "report.html").stat().st_size > 10_000


@pytest.mark.verify
def test_dying_hundreds_of_times(tmp_path, game):
    """400 deaths while storing, 40 while the report is written (seeds 6 and 7)."""
    die(tmp_path / "store", experiment(game), False, deaths=400, most=30, seed=6)
    die(tmp_path / "report", experiment(game), True, deaths=40, most=250, seed=7)


def test_sigterm_ends_gently(tmp_path, game):
    """As one Ctrl-C: what a batch system sends before it kills; exit code 143."""
    process = start(tmp_path / "a", pause="0.03")
    process.stdout.readline()
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 143, told
    assert re.search(r"stopped with [1-9]\d* of 8000 games stored in .*the same command goes on", told)
    runner.run(experiment(game, 4000), tmp_path / "a", workers=2)
    runner.run(experiment(game, 4000), tmp_path / "b", workers=2)
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_one_interrupt_ends_gently(tmp_path, game):
    """SIGINT: running chunks are stored, exit code 130, one line that says how to go on; then the same bytes."""
    process = start(tmp_path / "a", pause="0.03")
    process.stdout.readline()
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    assert "of 8000 games stored" in told
    assert "the same command goes on" in told
    assert "Traceback" not in told
    runner.run(experiment(game, 4000), tmp_path / "a", workers=2)
    runner.run(experiment(game, 4000), tmp_path / "b", workers=2)
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_two_interrupts_end_at_once(tmp_path):
    """A chunk that takes 30 s is not waited for."""
    process = start(tmp_path / "a", trials=100, pause="30")
    assert process.stdout.readline() == "calm 0 200\n"
    assert process.stdout.readline().startswith("playing")
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None  # the first one waits
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=15)
    assert process.returncode == 130, told
    assert "0 of 200 games stored" in told


def test_interrupt_in_this_process(tmp_path, monkeypatch):
    """Stopped is a RunError with exit code 130, and the handler of before is back."""
    game = install(MadeUp(), monkeypatch)
    before = signal.getsignal(signal.SIGINT)

    def progress(label, done, total):
        if done:
            os.kill(os.getpid(), signal.SIGINT) if not sent else None
            sent.append(done)

    sent: list[int] = []
    with pytest.raises(Stopped, match="the same command goes on") as caught:
        runner.run(experiment(game, 4000), tmp_path, workers=1, progress=progress)
    assert caught.value.exit_code == 130
    assert signal.getsignal(signal.SIGINT) is before
    assert sum(p.stat().st_size for p in tmp_path.rglob("trials-*.parquet")) > 0


def test_chunks_of_a_run_follow_chunk_size(tmp_path, game):
    """The files' bounds are multiples of the published function."""
    runner.run(experiment(game), tmp_path)
    size = chunk_size(game.games_per_second, 2000)
    for path in tmp_path.rglob("trials-*.parquet"):
        assert int(path.name.split("-")[1]) % size == 0


ISLAND = """\
name: same
question: What is used again?
game: forbidden_island
trials: 60
rules: {players: 2}
policy: random
"""


def test_what_changed_never_mixes_with_old_games(tmp_path, monkeypatch):
    """Another rule, policy parameter, policy file or rules version plays anew; what was there is used later."""
    from analysis.experiment import parse
    from sim import registry

    mine = tmp_path / "mine.py"
    mine.write_text((TESTS.parent / "examples" / "caretaker.py").read_text(encoding="utf-8"), encoding="utf-8")
    filed = ISLAND.replace("policy: random", f"policy: {{file: {mine}}}")
    texts = [
        ISLAND,
        ISLAND.replace("players: 2", "players: 3"),
        ISLAND.replace("policy: random", "policy: {name: random, mistakes: 0.25}"),
        filed,
    ]
    out, found = tmp_path / "out", {}
    for text in texts:
        assert runner.run(parse(text), out).played == 60
        found[text] = tables(out)
    mine.write_text(mine.read_text(encoding="utf-8") + "\n# a line more\n", encoding="utf-8")
    assert runner.run(parse(filed), out).played == 60
    with monkeypatch.context() as patch:
        patch.setattr(type(registry.get("forbidden_island")), "rules_version", 99)
        assert runner.run(parse(ISLAND), out).played == 60
    assert len([path for path in (out / "results").iterdir() if path.is_dir()]) == 6
    for text in texts[:3]:
        assert runner.run(parse(text), out).played == 0
        assert tables(out) == found[text]

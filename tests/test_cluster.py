"""Runs on a Dask cluster: a real scheduler and real workers, each a process of its own on this machine, killed and
brought back; always the bytes of a local run."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("distributed")

import analysis
from analysis import runner
from analysis.cluster import Cluster, fingerprint, play_there
from analysis.execute import Task
from analysis.files import RunError
from analysis.store import Store
from sim.core.game import PolicyFault
from tests.madeup import MadeUp, experiment, install
from tests.test_runner import files, tables

ROOT = Path(__file__).parents[1]
HERE = "127.0.0.1"


class Processes:
    """A scheduler and its workers."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.workers = folder, {}
        told = folder / "scheduler.json"
        # Kept on disk by the scheduler as soon as it listens.
        self.scheduler = self._start("dask_scheduler", "--port", "0", "--scheduler-file", str(told))
        self.wait(told.exists)
        self.address = re.search(r"tcp://[\d.]+:\d+", told.read_text()).group()

    def _start(self, program, *arguments, **environment):
        command = [sys.executable, "-m", f"distributed.cli.{program}", "--host", HERE, "--no-dashboard", *arguments]
        with open(self.folder / f"{program}-{time.monotonic_ns()}.log", "wb") as log:
            environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
            return subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, env=environment)

    def worker(self, name, pause="0.02", **environment):
        """One thread; without the nanny that would start it again."""
        preload = str(ROOT / "tests" / "cluster_worker.py")
        arguments = (self.address, "--no-nanny", "--nthreads", "1", "--name", name, "--preload", preload)
        self.workers[name] = self._start("dask_worker", *arguments, MADEUP_PAUSE=pause, **environment)

    def kill(self, name):
        process = self.workers.pop(name)
        process.kill()
        process.wait()

    def end(self):
        for process in [*self.workers.values(), self.scheduler]:
            process.kill()
            process.wait()

    @staticmethod
    def wait(done, seconds=120):
        limit = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < limit
            time.sleep(0.02)


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A scheduler with two workers for the tests that leave them as they are."""
    processes = Processes(tmp_path_factory.mktemp("cluster"))
    for name in ("one", "two"):
        processes.worker(name)
    yield processes
    processes.end()


@pytest.fixture
def own(tmp_path):
    """A scheduler of the test's own."""
    folder = tmp_path / "own"
    folder.mkdir()
    processes = Processes(folder)
    yield processes
    processes.end()


@pytest.fixture
def game(monkeypatch):
    return install(MadeUp(), monkeypatch)


def run(asked, out, processes, progress=None):
    with Cluster(processes.address) as cluster:
        return runner.run(asked, out, executor=cluster, progress=progress)


def once(condition, act):
    """A progress function that acts the first time its condition holds."""
    seen = []

    def progress(label, done, total):
        if not seen and condition(done, total):
            seen.append(done)
            act()

    return progress


def test_same_bytes_as_a_local_run(tmp_path, game, shared):
    """Progress to the end, every file the same; running again plays nothing; also under a rule of precision."""
    from analysis.stopping import Rule

    seen = []
    summary = run(experiment(game), tmp_path / "a", shared, progress=lambda *now: seen.append(now))
    runner.run(experiment(game), tmp_path / "b", workers=2)
    assert (summary.games, summary.played) == (4000, 4000)
    assert seen[-1][1:] == (4000, 4000)
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert run(experiment(game), tmp_path / "a", shared).played == 0
    asked = experiment(game, stopping=Rule(1000, 3000, win_rate=0.025))
    run(asked, tmp_path / "c", shared)
    runner.run(asked, tmp_path / "d", workers=1)
    assert files(tmp_path / "c") == files(tmp_path / "d")


def test_a_fault_of_a_policy_comes_back_whole(tmp_path, monkeypatch, own):
    """With seed and trial, from the worker's process; what had finished is kept."""
    faulty = ROOT / "tests" / "cluster_worker.py"
    text = faulty.read_text().replace("MadeUp(pause", "MadeUp(faults=frozenset({1700}), pause")
    preload = own.folder / "faulty.py"
    preload.write_text(text)
    own.workers["x"] = own._start(
        "dask_worker", own.address, "--no-nanny", "--nthreads", "1", "--preload", str(preload)
    )
    with pytest.raises(PolicyFault) as caught:
        run(experiment(install(MadeUp(), monkeypatch)), tmp_path / "a", own)
    assert (caught.value.seed, caught.value.trial) == (7, 1700)
    assert list((tmp_path / "a").rglob("trials-*.parquet"))


def test_a_worker_killed_in_mid_run_all_killed_and_one_brought_back(tmp_path, game, own):
    """The run waits, says for what, and ends with the bytes of a quiet one."""
    own.worker("one")
    own.worker("two")
    told = []

    def mid(done, total):
        return 0 < done < total

    def kill_all():
        for name in list(own.workers):
            own.kill(name)

    with Cluster(own.address, note=lambda line: (told.append(line), own.worker("three"))) as cluster:
        progress = once(mid, lambda: own.kill("one"))
        runner.run(experiment(game), tmp_path / "a", executor=cluster, progress=progress)
        assert "one" not in own.workers
        assert told == []
        progress = once(mid, kill_all)
        runner.run(experiment(game), tmp_path / "b", executor=cluster, progress=progress)
    assert list(own.workers) == ["three"]
    assert len(told) == 1
    assert "no workers there; waiting for one" in told[0]
    runner.run(experiment(game), tmp_path / "quiet", workers=2)
    assert files(tmp_path / "a") == files(tmp_path / "b") == files(tmp_path / "quiet")


def test_the_scheduler_killed(tmp_path, game, own):
    """A clear message and no waiting; the same experiment goes on on this machine, to the same bytes."""
    own.worker("one")
    with pytest.raises(RunError, match=r"the scheduler is lost.*the same command goes on") as caught:
        run(experiment(game), tmp_path / "a", own, once(lambda done, total: 0 < done < total, own.scheduler.kill))
    assert own.address in str(caught.value)
    assert 0 < sum(chunk.count for one in experiment(game).cells for chunk in Store(tmp_path / "a").chunks(one)) < 4000
    runner.run(experiment(game), tmp_path / "a", workers=2)
    runner.run(experiment(game), tmp_path / "quiet", workers=2)
    assert files(tmp_path / "a") == files(tmp_path / "quiet")
    assert tables(tmp_path / "a") == tables(tmp_path / "quiet")


def test_a_worker_of_another_version_is_refused_by_name(tmp_path, game, own):
    """Its sources differ by a line; it plays nothing.  Once it is gone, the run goes on."""
    other = tmp_path / "other"
    for package in ("sim", "analysis", "tests"):
        shutil.copytree(ROOT / package, other / package, ignore=shutil.ignore_patterns("__pycache__", "goldens"))
    changed = other / "sim" / "core" / "bits.py"
    changed.write_text(changed.read_text() + "\n# one line more\n")
    own.worker("stranger", PYTHONPATH=str(other))
    refusal = pytest.raises(RunError, match=r"worker 'stranger' \(tcp://.*another version.*sources [0-9a-f]{12}, not")
    with refusal, Cluster(own.address) as cluster:
        Processes.wait(cluster.threads)
        runner.run(experiment(game), tmp_path / "a", executor=cluster)
    assert not list((tmp_path / "a").rglob("*.parquet"))
    own.kill("stranger")
    own.worker("friend")
    assert run(experiment(game), tmp_path / "a", own).played == 4000


def test_each_chunk_is_refused_too(game):
    """A worker that came a moment ago has not been looked at, so it looks itself."""
    one = experiment(game).cells[0]
    task = Task("calm", one.identity, "madeup", one.knobs, one.policy, 7, 0, 10)
    assert play_there(task, {**fingerprint(), "numpy": "0.1"}, None)[0] == "unlike"
    assert play_there(task, fingerprint(), None).data


def test_a_policy_file_travels(tmp_path, monkeypatch):
    """The worker plays the text that was sent, though no such file lies where the experiment found it."""
    from analysis.execute import play
    from analysis.experiment import load

    (tmp_path / "x.yaml").write_text(REAL.replace("policy: random", "policy: {file: mine.py}"))
    shutil.copy(ROOT / "examples" / "caretaker.py", tmp_path / "mine.py")
    one = load(tmp_path / "x.yaml").cells[0]
    task = Task(one.label, one.identity, "forbidden_island", one.knobs, one.policy, 1, 0, 50)
    here, text = play(task), (tmp_path / "mine.py").read_bytes()
    (tmp_path / "mine.py").unlink()
    there = play_there(task, fingerprint(), text)
    assert there.data == here.data
    assert there.task.policy["file"] != task.policy["file"]


def test_no_scheduler_there(tmp_path, game, monkeypatch):
    """One line, and nothing is touched."""
    monkeypatch.setattr("analysis.cluster.CONNECTING", 1.0)
    for address in (f"tcp://{HERE}:1", "nonsense://x"):
        with pytest.raises(RunError, match=f"{address}: no scheduler answers there"), Cluster(address):
            pass
    with pytest.raises(RunError, match="no certificate for TLS is configured"), Cluster(f"tls://{HERE}:1"):
        pass


def islandlab(folder, *arguments):
    command = [sys.executable, "-m", "analysis.cli", *arguments]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


REAL = """\
name: real
question: How much harder is legendary than novice?
game: forbidden_island
trials: 3_000
policy: random
grid: {difficulty: [novice, legendary]}
"""


def test_the_command_on_a_cluster(tmp_path, shared):
    """The real game: report, tables and results are the bytes of a local run; Ctrl-C ends it as it does locally."""
    (tmp_path / "real.yaml").write_text(REAL)
    for arguments in (("--scheduler", shared.address, "--out", "a"), ("--workers", "1", "--out", "b")):
        process = islandlab(tmp_path, "run", "real.yaml", "--quiet", *arguments)
        assert process.communicate(timeout=300) == ("", "")
        assert process.returncode == 0
    assert files(tmp_path / "a") == files(tmp_path / "b")
    process = islandlab(
        tmp_path, "run", "real.yaml", "--scheduler", shared.address, "--out", "c", "--trials", "90000000"
    )
    Processes.wait(lambda: list((tmp_path / "c").rglob("*.parquet")))
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 130, told
    assert re.search(r"stopped with [1-9]\d* of 180000000 games stored in c; the same command goes on", told)
    assert f"islandlab run real.yaml --scheduler {shared.address}" in told
    assert "Traceback" not in told
    process = islandlab(tmp_path, "run", "real.yaml", "--scheduler", shared.address, "--workers", "2")
    assert "does not go with --scheduler" in process.communicate()[1]
    assert process.returncode == 2
    assert analysis.load(tmp_path / "a").cells.height == 2

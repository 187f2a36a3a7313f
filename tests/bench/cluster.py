"""A million games through two local workers of a Dask scheduler, beside the same in two threads."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

TEXT = """\
name: through
question: What does a cluster cost?
game: forbidden_island
seed: 2024
trials: 500_000
policy: cooperative
rules: {players: 4}
grid: {difficulty: [novice, legendary]}
"""


def _seconds(pids: list[int]) -> float:
    """Processor time of this process and others so far, in seconds (from /proc, so on Linux only)."""
    total = sum(os.times()[:2])
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def measure() -> SimpleNamespace:
    """Wall and processor seconds: `threads`, `workers`, each (wall, processor); `same`: whether all bytes agree."""
    from analysis import runner
    from analysis.cluster import Cluster
    from analysis.experiment import parse

    experiment = parse(TEXT)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        told, processes = folder / "scheduler.json", []

        def start(program: str, *arguments: str) -> None:
            command = [sys.executable, "-m", f"distributed.cli.{program}", "--host", "127.0.0.1", "--no-dashboard"]
            processes.append(
                subprocess.Popen(
                    [*command, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            )

        def run(out: str, trials: int, **options: object) -> tuple[float, float]:
            pids = [process.pid for process in processes]
            began, used = time.perf_counter(), _seconds(pids)
            runner.run(experiment, folder / out, trials=trials, **options)  # type: ignore[arg-type]
            return time.perf_counter() - began, _seconds(pids) - used

        try:
            run("warm", 2000, workers=2)
            threads = run("threads", 500_000, workers=2)
            start("dask_scheduler", "--port", "0", "--scheduler-file", str(told))
            while not told.exists():
                time.sleep(0.05)
            found = re.search(r"tcp://[\d.]+:\d+", told.read_text())
            assert found is not None
            for _ in range(2):
                start("dask_worker", found.group(), "--no-nanny", "--nthreads", "1")
            with Cluster(found.group()) as cluster:
                while len(cluster.threads()) < 2:
                    time.sleep(0.05)
                run("warm2", 40_000, executor=cluster)
                workers = run("workers", 500_000, executor=cluster)
        finally:
            for process in processes:
                process.kill()
                process.wait()
        files = [sorted((folder / out).rglob("*.parquet")) for out in ("threads", "workers")]
        same = [path.name for path in files[0]] == [path.name for path in files[1]] and all(
            one.read_bytes() == other.read_bytes() for one, other in zip(*files, strict=True)
        )
    return SimpleNamespace(threads=threads, workers=workers, same=same)

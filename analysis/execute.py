"""Where chunks are played: the seam between a run and the threads or machines that do the work.

A chunk is played and encoded where it is played; what comes back is the bytes of its file, so results are the same
wherever that was.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from analysis.chunks import encode
from sim import registry

CAPS = ("ISLANDLAB_MAX_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "LOKY_MAX_CPU_COUNT")
"""Environment variables that limit `workers=0`; the least of those that hold a whole number from 1 up counts."""


def cores() -> tuple[int, str]:
    """Threads for `workers=0`: the cores this process may use (affinity, container), and what limits them, if anything.

    A number of workers that somebody wrote down is not limited.
    """
    import joblib

    # joblib reads affinity and the container's share; LOKY_MAX_CPU_COUNT too, but does not say so.
    found = [(joblib.cpu_count(), "")]
    for name in CAPS:
        text = os.environ.get(name, "").split(",")[0].strip()  # OMP_NUM_THREADS may list a number for each level
        if text.isascii() and text.isdigit() and int(text) >= 1:
            found.append((int(text), f"limited by {name}"))
    return min(found, key=lambda one: (one[0], one[1] == ""))


@dataclass(frozen=True)
class Task:
    """One chunk to play; all of it can be pickled.  head: keep the tallies only (see `store.encode`)."""

    label: str
    identity: str
    game: str
    knobs: Mapping[str, Any]
    policy: Mapping[str, Any]
    seed: int
    first: int
    count: int
    head: bool = False


@dataclass(frozen=True)
class Done:
    """A played chunk as the bytes of its file; seconds of one core that it took; games won (what a plan goes by)."""

    task: Task
    data: bytes
    seconds: float = 0.0
    won: int = 0


class Executor(Protocol):
    """Where chunks are played."""

    def map_unordered(self, tasks: Iterable[Task]) -> Generator[Done, None, None]:
        """`play` every task; results as they finish.

        Draws from `tasks` only when it has room, so that a caller who ends `tasks` early gets what is running and no
        more.  What `play` raises is raised here, after what else was running has come.
        """


@dataclass(frozen=True)
class Threads:
    """The chunks in threads of this process: the engine releases the interpreter lock.  workers: 0 = every core."""

    workers: int = 0

    def map_unordered(self, tasks: Iterable[Task]) -> Generator[Done, None, None]:
        """See `Executor`."""
        import joblib

        # Never processes: what forks after Polars was used can deadlock.
        workers = self.workers or cores()[0]
        pool = joblib.Parallel(
            n_jobs=workers, backend="threading", return_as="generator_unordered", pre_dispatch=workers, batch_size=1
        )
        ended, fault = threading.Event(), None
        results = pool(joblib.delayed(_attempt)(task) for task in until(ended, tasks))
        try:
            for done in results:
                if isinstance(done, Done):
                    yield done
                else:
                    ended.set()
                    fault = fault or done
        finally:
            ended.set()
            for _ in results:  # threads cannot be stopped, only waited for
                pass
        if fault is not None:
            raise fault


def play(task: Task) -> Done:
    """Play one chunk and encode it; pure, whatever thread or machine does it.  Raises PolicyFault."""
    game = registry.get(task.game)
    labels = next(column.labels for column in game.columns if column.name == "result") or ()
    began = time.thread_time()
    batch = game.play(task.knobs, task.policy, task.seed, task.first, task.count)
    data = encode(task.identity, task.seed, task.first, batch, game.columns, rows=not task.head)
    won = int((batch.games["result"] == labels.index("won")).sum())
    return Done(task, data, time.thread_time() - began, won)


def _attempt(task: Task) -> Done | Exception:
    """A fault as a value, so that it cannot overtake chunks that finished before it."""
    try:
        return play(task)
    except Exception as error:
        return error


class until:  # noqa: N801 - used like the generator that it is
    """The tasks, ended early once `stopping` is set; `stopped` says whether it is."""

    def __init__(self, stopping: threading.Event, tasks: Iterable[Task]) -> None:
        self._stopping, self._tasks = stopping, iter(tasks)

    @property
    def stopped(self) -> bool:
        return self._stopping.is_set()

    def __iter__(self) -> Iterator[Task]:
        return self

    def __next__(self) -> Task:
        if self.stopped:
            raise StopIteration
        return next(self._tasks)

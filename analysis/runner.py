"""Chunks to threads to the store.

A chunk is played and encoded where it is played; the run's own thread only writes the bytes, as they come, and drops
them.  Chunks may finish in any order, in any number of threads: the files, and all that is made of them, are the same.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

from analysis.provenance import build_manifest, read_manifest, write_manifest
from analysis.store import RunError, Store, chunk_size, cut, encode, locked
from sim import registry

if TYPE_CHECKING:
    from analysis.cells import Cell
    from analysis.experiment import Experiment
    from sim.core.game import Game

Progress = Callable[[str, int, int], None]


class Stopped(RunError):  # noqa: N818 - not a fault
    """The run was interrupted; what had finished is stored."""

    exit_code = 130


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
    """A played chunk as the bytes of its file."""

    task: Task
    data: bytes


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
        workers = self.workers or joblib.cpu_count()
        pool = joblib.Parallel(
            n_jobs=workers, backend="threading", return_as="generator_unordered", pre_dispatch=workers, batch_size=1
        )
        ended, fault = threading.Event(), None
        results = pool(joblib.delayed(_attempt)(task) for task in _until(ended, tasks))
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


@dataclass(frozen=True)
class Summary:
    """What a run did: the folder, games in the results, and how many of them were played now."""

    directory: Path
    games: int
    played: int


def play(task: Task) -> Done:
    """Play one chunk and encode it; pure, whatever thread or machine does it.  Raises PolicyFault."""
    game = registry.get(task.game)
    batch = game.play(task.knobs, task.policy, task.seed, task.first, task.count)
    return Done(task, encode(task.identity, task.seed, task.first, batch, game.columns, rows=not task.head))


def _attempt(task: Task) -> Done | Exception:
    """A fault as a value, so that it cannot overtake chunks that finished before it."""
    try:
        return play(task)
    except Exception as error:
        return error


def run(
    experiment: Experiment,
    out: str | Path,
    *,
    trials: int | None = None,
    workers: int = 0,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Summary:
    """Play what is missing of an experiment into the folder `out`.

    trials: games in every cell instead of the experiment's own number.  workers: threads, 0 = every core.
    progress: called in this thread with (label of the cell just added to, games there are, games in all), over the
    whole run.  executor: another place to play than the threads.

    The folder belongs to an experiment of one name, game and seed.  Cells go by what they are: a cell whose knobs and
    policy were played before goes on from there, whatever it is called now; a new one is played; one that is gone stays
    on disk, unused.  More trials extend, fewer use the first.
    Raises RunError when the folder is another experiment's, in use, damaged or cannot be written; Stopped (its exit
    code is 130) after an interrupt, the first of which lets running chunks finish and the second of which does not;
    PolicyFault from the game.  All that finished is kept in every case.
    """
    out = Path(out)
    game = registry.get(experiment.game)
    trials = experiment.trials if trials is None else trials
    if trials < 1:
        raise ValueError(f"trials: {trials} is not at least 1")
    if workers < 0:
        raise ValueError(f"workers: {workers} is not 0 (every core) or more")
    with _writing(out), contextlib.ExitStack() as stack:
        out.mkdir(parents=True, exist_ok=True)
        stack.enter_context(locked(out))
        _refuse_other(out, experiment)
        store = Store(out, seed=experiment.seed, columns=game.columns)
        store.clean()
        tasks = [task for cell in experiment.cells for task in _tasks(store, game, experiment, cell, trials)]
        write_manifest(out, build_manifest(experiment, game, trials))
        total = trials * len(experiment.cells)
        todo = sum(task.count for task in tasks if not task.head)
        _play_all(store, experiment, tasks, total - todo, total, executor or Threads(workers), progress)
    return Summary(out, total, todo)


def _tasks(store: Store, game: Game, experiment: Experiment, cell: Cell, trials: int) -> Iterator[Task]:
    size = chunk_size(game.policies[cell.policy["name"]].games_per_second, trials)
    pieces = [(first, count, False) for first, count in cut(store.missing(cell, trials), size)]
    head = store.missing_head(cell, trials)
    if head is not None:
        pieces.append((*head, True))
    for first, count, is_head in pieces:
        yield Task(
            cell.label,
            cell.identity,
            experiment.game,
            cell.knobs,
            cell.policy,
            experiment.seed,
            first,
            count,
            is_head,
        )


def _play_all(
    store: Store,
    experiment: Experiment,
    tasks: list[Task],
    have: int,
    total: int,
    executor: Executor,
    progress: Progress | None,
) -> None:
    cells = {cell.label: cell for cell in experiment.cells}
    with _gentle_interrupt() as stopping:
        try:
            if progress:
                progress(tasks[0].label if tasks else experiment.cells[-1].label, have, total)
            # The executor ends with the chunks it has begun once no more tasks come.
            with contextlib.closing(executor.map_unordered(_until(stopping, tasks))) as results:
                for done in results:
                    task = done.task
                    store.put(cells[task.label], task.first, task.first + task.count, done.data, head=task.head)
                    have += 0 if task.head else task.count
                    if progress:
                        progress(task.label, have, total)
        except KeyboardInterrupt:
            stopping.set()
    if stopping.is_set() and have < total:
        raise Stopped(f"stopped with {have} of {total} games stored in {store.directory}; the same command goes on")


def _until(stopping: threading.Event, tasks: Iterable[Task]) -> Iterator[Task]:
    for task in tasks:
        if stopping.is_set():
            return
        yield task


@contextlib.contextmanager
def _gentle_interrupt() -> Iterator[threading.Event]:
    """An event that the first interrupt sets; the second interrupts as usual.  Outside the main thread: never set."""
    stopping = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopping
        return

    def note(signum: int, frame: FrameType | None) -> None:
        if stopping.is_set():
            raise KeyboardInterrupt
        stopping.set()

    before = signal.signal(signal.SIGINT, note)
    try:
        yield stopping
    finally:
        signal.signal(signal.SIGINT, before)


def _refuse_other(out: Path, experiment: Experiment) -> None:
    manifest = read_manifest(out)
    if manifest is None:
        return
    there = manifest["experiment"]
    mine = {"name": experiment.name, "game": experiment.game, "seed": experiment.seed}
    odd = [f"{key} {there.get(key)!r}, not {value!r}" for key, value in mine.items() if there.get(key) != value]
    if odd:
        raise RunError(
            f"{out}: holds another experiment ({'; '.join(odd)}); choose another folder with --out, or remove this one"
        )


@contextlib.contextmanager
def _writing(out: Path) -> Iterator[None]:
    """A full disk or a folder that cannot be written, said plainly."""
    try:
        yield
    except OSError as error:
        where = error.filename2 or error.filename or out
        raise RunError(
            f"{where}: {error.strerror or error}; what had finished is kept, and the same command goes on from there"
        ) from error

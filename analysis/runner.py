"""A run: what is missing, played by an executor, into the store.

The run's own thread only writes the bytes of played chunks, as they come, and drops them.  Chunks may finish in any
order, in any number of threads: the files, and all that is made of them, are the same.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import numpy as np

from analysis import players
from analysis.execute import Done, Executor, Task, Threads, until
from analysis.files import RunError, locked
from analysis.planning import Speed, write_speeds
from analysis.provenance import NAME as MANIFEST
from analysis.provenance import build_manifest, read_manifest, write_manifest
from analysis.stopping import Rule, Watch
from analysis.store import DAMAGED, Store, StoreError, chunk_size, cut
from sim import registry

if TYPE_CHECKING:
    from analysis.cells import Cell
    from analysis.experiment import Experiment
    from sim.core.game import Game

Progress = Callable[[str, int, int], None]


class Stopped(RunError):  # noqa: N818 - not a fault
    """The run was interrupted; what had finished is stored.  exit_code: 130 after Ctrl-C, 143 after a SIGTERM."""

    def __init__(self, words: str, exit_code: int = 130) -> None:
        self.exit_code = exit_code
        super().__init__(words)


class OptionError(RunError):
    """Options that do not go with what the experiment says; nothing was played."""

    exit_code = 2


@dataclass(frozen=True)
class Summary:
    """What a run did.

    games: of the whole experiment.  played: now.  there: in the folder (all of them, unless a share was played).
    aside: files that could not be used and where they are now.
    """

    directory: Path
    games: int
    played: int
    there: int
    aside: tuple[Path, ...] = ()


def run(
    experiment: Experiment,
    out: str | Path,
    *,
    trials: int | None = None,
    workers: int = 0,
    progress: Progress | None = None,
    executor: Executor | None = None,
    repair: bool = False,
    share: tuple[int, int] = (1, 1),
    finish: Callable[[Path], None] | None = None,
) -> Summary:
    """Play what is missing of an experiment into the folder `out`.

    trials: games in every cell instead of the experiment's own number.  workers: threads, 0 = every core.
    progress: called in this thread with (label of the cell just added to, games there are, games in all), over the
    whole run.  executor: another place to play than the threads.  repair: put files that cannot be used aside and play
    their games again.  share: (k, n) plays the k-th of n parts only, for `analysis.merge`.  finish: called with the
    folder once every game is there, while no other run can touch it.

    The folder belongs to an experiment of one name, game and seed.  Cells go by what they are: a cell whose knobs and
    policy were played before goes on from there, whatever it is called now; a new one is played; one that is gone stays
    on disk, unused.  More trials extend, fewer use the first.
    Raises RunError when the folder is another experiment's, in use, damaged or cannot be written; Stopped after an
    interrupt (Ctrl-C, SIGTERM), the first of which lets running chunks finish and the second of which does not;
    PolicyFault from the game.  All that finished is kept in every case.
    """
    out = Path(out)
    game = registry.get(experiment.game)
    rule = experiment.stopping
    if trials is not None and trials < 1:
        raise ValueError(f"trials: {trials} is not at least 1")
    if rule is not None and (trials is not None or share != (1, 1)):
        raise OptionError("precision or race decides how many games are played; --trials and --share do not go with it")
    trials = experiment.trials if trials is None else trials
    if not 1 <= share[0] <= share[1]:
        raise ValueError(f"share: {share[0]} is not in 1..{share[1]}")
    if workers < 0:
        raise ValueError(f"workers: {workers} is not 0 (every core) or more")
    with _writing(out), contextlib.ExitStack() as stack:
        out.mkdir(parents=True, exist_ok=True)
        stack.enter_context(locked(out))
        store = Store(out, seed=experiment.seed, columns=game.columns)
        store.clean()
        aside = [*_mended_manifest(out), *_mended(store, experiment)] if repair else []
        _refuse_other(out, experiment)
        _refuse_damaged(store, experiment)
        with _gentle_interrupt() as stopping:
            place = _Run(store, experiment, game, executor or Threads(workers), progress, stopping)
            try:
                whole = place.play_all(trials, share) if rule is None else place.play_until(rule)
            finally:
                write_speeds(out, place.speeds)
        if finish and whole:
            finish(out)
    return Summary(out, place.total, place.played, place.have, tuple(aside))


class _Run:
    """A run at work.  have, total: games that are there and that there will be.  played: by this run."""

    def __init__(
        self,
        store: Store,
        experiment: Experiment,
        game: Game,
        executor: Executor,
        progress: Progress | None,
        stopping: _Stop,
    ) -> None:
        self.store, self.experiment, self.game = store, experiment, game
        self.executor, self.progress, self.stopping = executor, progress, stopping
        self.cells = {cell.label: cell for cell in experiment.cells}
        self.have = self.total = self.played = 0
        self.speeds: dict[str, Speed] = {}

    def tasks(self, wanted: Mapping[str, int], step: int | None = None) -> list[Task]:
        """What is missing of so many games of each cell; step: games that all workers share before they meet."""
        return [task for label, count in wanted.items() for task in self._tasks(self.cells[label], count, step)]

    def _tasks(self, cell: Cell, trials: int, step: int | None) -> Iterator[Task]:
        size = chunk_size(players.info(self.game, cell.policy).games_per_second, step or trials)
        pieces = [(first, count, False) for first, count in cut(self.store.missing(cell, trials), size)]
        head = self.store.missing_head(cell, trials)
        if head is not None and step is None:
            pieces.append((*head, True))
        game, seed = self.experiment.game, self.experiment.seed
        for first, count, is_head in pieces:
            yield Task(cell.label, cell.identity, game, cell.knobs, cell.policy, seed, first, count, is_head)

    def play_all(self, trials: int, share: tuple[int, int]) -> bool:
        """Play so many games of every cell, or a share of what is missing; whether none is missing now."""
        wanted = {label: self.experiment.games_of(cell, trials) for label, cell in self.cells.items()}
        write_manifest(self.store.directory, build_manifest(self.experiment, self.game, wanted))
        tasks = self.tasks(wanted)
        mine = tasks if share[1] == 1 else _share(tasks, share, trials, self.experiment, self.game)
        self.total = sum(wanted.values())
        self.have = self.total - _games(tasks)
        self.play(mine)
        return len(mine) == len(tasks)

    def play_until(self, rule: Rule) -> bool:
        """Play look by look until the rule has enough; the manifest tells the outcome."""
        labels = list(self.cells)
        watch = Watch(rule, labels, self.experiment.compare)
        out, counts = self.store.directory, dict.fromkeys(labels, rule.looks[0])
        write_manifest(out, build_manifest(self.experiment, self.game, counts, {**watch.record(), "finished": False}))
        before = 0
        for look in rule.looks:
            self.total = sum(watch.expected(label) for label in labels)
            tasks = self.tasks(dict.fromkeys(watch.open, look), step=look - before)
            self.have = sum(cell.games for cell in watch.cells.values()) + len(watch.open) * (look - before)
            self.have -= _games(tasks)
            self.play(tasks)
            watch.look(look, self._won)
            before = look
            if not watch.open:
                break
        counts = {label: cell.games for label, cell in watch.cells.items()}
        self.have = self.total = sum(counts.values())
        self.play(self.tasks(counts))  # what a longer run stored beyond: tallies of the part that counts
        write_manifest(out, build_manifest(self.experiment, self.game, counts, {**watch.record(), "finished": True}))
        return True

    def _won(self, label: str, first: int, end: int) -> np.ndarray:
        labels = next(column.labels for column in self.game.columns if column.name == "result") or ()
        code = labels.index("won")
        games = self.store.read(self.cells[label], end, ["result"], first)
        return np.concatenate([chunk["result"] == code for chunk in games])

    def play(self, tasks: list[Task]) -> None:
        """Play and store; Stopped after an interrupt."""
        stopping = self.stopping
        try:
            self._tell(tasks[0].label if tasks else next(reversed(self.cells)))
            # The executor ends with the chunks it has begun once no more tasks come.
            with contextlib.closing(self.executor.map_unordered(until(stopping, tasks))) as results:
                for done in results:
                    task = done.task
                    cell = self.cells[task.label]
                    self.store.put(cell, task.first, task.first + task.count, done.data, head=task.head)
                    if not task.head:
                        self.have += task.count
                        self.played += task.count
                        self._note(done)
                    self._tell(task.label)
        except KeyboardInterrupt:
            stopping.set()
        if stopping.is_set():
            of = "" if self.experiment.stopping else f" of {self.total}"
            words = f"stopped with {self.have}{of} games stored in {self.store.directory}; the same command goes on"
            raise Stopped(words, stopping.exit_code)

    def _note(self, done: Done) -> None:
        old = self.speeds.get(done.task.identity, Speed(0, 0.0, 0, 0))
        self.speeds[done.task.identity] = Speed(
            old.games + done.task.count, old.seconds + done.seconds, old.bytes + len(done.data), old.won + done.won
        )

    def _tell(self, label: str) -> None:
        if self.progress:
            self.progress(label, self.have, max(self.total, self.have))


def _games(tasks: list[Task]) -> int:
    return sum(task.count for task in tasks if not task.head)


def _share(tasks: list[Task], share: tuple[int, int], trials: int, experiment: Experiment, game: Game) -> list[Task]:
    """The chunks that fall to the k-th of n machines, by what they are and never by what is stored already."""
    part, parts = share
    before, sizes, number = {}, {}, 0
    for cell in experiment.cells:
        before[cell.label] = number
        count = experiment.games_of(cell, trials)
        sizes[cell.label] = chunk_size(players.info(game, cell.policy).games_per_second, count)
        number += -(-count // sizes[cell.label])
    return [
        task
        for task in tasks
        if not task.head and (before[task.label] + task.first // sizes[task.label]) % parts == part - 1
    ]


class _Stop(threading.Event):
    """Set by the first interrupt.  exit_code: what a shell expects of a program that ended so."""

    exit_code = 128 + signal.SIGINT


@contextlib.contextmanager
def _gentle_interrupt() -> Iterator[_Stop]:
    """The first interrupt sets the event, the second interrupts as usual.  Outside the main thread: never set."""
    stopping = _Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stopping
        return

    def note(signum: int, frame: FrameType | None) -> None:
        again = stopping.is_set()
        stopping.exit_code = 128 + signum
        stopping.set()
        if again:
            raise KeyboardInterrupt

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _mended(store: Store, experiment: Experiment) -> list[Path]:
    return [path for cell in experiment.cells for path in store.repair(cell)]


def _mended_manifest(out: Path) -> list[Path]:
    """A manifest that cannot be read is put aside; a sound one of another experiment is not touched."""
    try:
        read_manifest(out)
    except RunError:
        place = out / DAMAGED / MANIFEST
        place.parent.mkdir(parents=True, exist_ok=True)
        (out / MANIFEST).replace(place)
        return [place]
    return []


def _refuse_damaged(store: Store, experiment: Experiment) -> None:
    """Before anything is played, every file that cannot be used is named at once."""
    faults = [fault for cell in experiment.cells for fault in store.survey(cell).faults]
    if len(faults) > 1:
        each = "; ".join(f"{fault.path}: {fault.what}" for fault in faults)
        raise RunError(f"{len(faults)} files cannot be used: {each}; run again with --repair to put them aside")
    if faults:
        raise StoreError(faults[0].path, faults[0].what)


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

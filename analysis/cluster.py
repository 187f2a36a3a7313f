"""Chunks played by the workers of a Dask cluster: the same chunks, the same bytes.

Native futures: what a worker that dies had in hand is played by another, and when the scheduler dies the run says so
instead of waiting.  Needs the extra `islandlab[dask]`; nothing of Dask is imported before a cluster is asked for.
"""

from __future__ import annotations

import hashlib
import logging
import queue
import time
import warnings
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.execute import Done, Task, play
from analysis.files import RunError, write_file
from sim.core.compile import cache_root
from sim.core.game import PolicyFault

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECTING = 15.0
"""Seconds to wait for a scheduler that does not answer."""

PACKAGES = ("numpy", "numba", "pyarrow")
"""What, beside the project's own sources, can change a byte of a chunk's file."""

ROOT = Path(__file__).resolve().parents[1]


class NoClusterError(RunError):
    """The cluster cannot be used; nothing was played."""


@lru_cache
def fingerprint() -> dict[str, str]:
    """What must be the same on every machine so that the same chunk has the same bytes."""
    digest = hashlib.sha256()
    own = [ROOT / "analysis" / f"{name}.py" for name in ("chunks", "cluster", "execute")]
    for path in [*sorted(path for path in (ROOT / "sim").rglob("*") if _counts(path)), *own]:
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    found = {"islandlab": _version("islandlab"), "sources": digest.hexdigest()[:12]}
    return found | {package: _version(package) for package in PACKAGES}


def _counts(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed as a package"


def play_there(task: Task, expected: dict[str, str], file: bytes | None) -> Done | tuple[str, Any]:
    """On a worker: play one chunk.  What went wrong is a value, because not every exception survives the journey.

    file: the text of a user's player, which is put where this machine keeps compiled code.
    """
    if fingerprint() != expected:
        return "unlike", (_myself(), _unlike(fingerprint(), expected))
    try:
        return play(task if file is None else replace(task, policy={**task.policy, "file": str(_kept(task, file))}))
    except PolicyFault as fault:
        return "fault", (fault.policy, fault.seed, fault.trial, fault.choice)


def _myself() -> str:
    """What the worker that runs this is called."""
    from distributed import get_worker

    try:
        worker = get_worker()
    except ValueError:
        return "a process"
    return f"the worker {worker.name!r} ({worker.address})"


def _kept(task: Task, file: bytes) -> Path:
    """The user's file on this machine, under its name in a folder of its content's."""
    path = cache_root() / "players" / hashlib.sha256(file).hexdigest()[:32] / Path(task.policy["file"]).name
    if not path.is_file() or path.read_bytes() != file:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, file)
    return path


def _unlike(theirs: dict[str, str], mine: dict[str, str]) -> str:
    return ", ".join(
        f"{key} {theirs.get(key, 'unknown')}, not {value}" for key, value in mine.items() if theirs.get(key) != value
    )


class Cluster:
    """The workers of one scheduler, as an `Executor`; used in a `with`.

    address: `tcp://host:port`, `tls://host:port`.  note: told of what a person should know (no workers yet).
    """

    def __init__(self, address: str, note: Callable[[str], None] = lambda line: None) -> None:
        self.address, self.note = address, note
        self._client: Client | None = None
        self._sound: set[str] = set()
        self._room, self._asked, self._idle = 1, 0.0, 0.0
        self._files: dict[str, bytes] = {}

    def __enter__(self) -> Cluster:
        try:
            from distributed import Client, Security
        except ImportError:
            raise NoClusterError("--scheduler needs Dask: pip install 'islandlab[dask]'") from None
        # What Dask has to say of lost connections and versions is said here in one line.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        warnings.filterwarnings("ignore", module="distributed")
        if self.address.startswith("tls:") and not Security().get_connection_args("client").get("ssl_context"):
            raise NoClusterError(f"{self.address}: no certificate for TLS is configured; docs/cluster.md says how")
        try:
            self._client = Client(self.address, timeout=CONNECTING, set_as_default=False)
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise NoClusterError(f"{self.address}: no scheduler answers there ({why})") from None
        self._look(now=True)
        return self

    def __exit__(self, *error: object) -> None:
        if self._client is not None:
            self._client.close(timeout=2)

    def threads(self) -> dict[str, int]:
        """Threads of each worker that is there now, by its address."""
        assert self._client is not None
        return dict(self._client.nthreads())

    def map_unordered(self, tasks: Iterable[Task]) -> Generator[Done, None, None]:
        """See `Executor`.  RunError when the scheduler is lost, or a worker is of another version."""
        client = self._client
        assert client is not None
        finished: queue.SimpleQueue[Future] = queue.SimpleQueue()
        waiting: dict[Future, Task] = {}
        source, more, fault = iter(tasks), True, None
        try:
            while True:
                while more and len(waiting) < self._room:
                    task = next(source, None)
                    if task is None:
                        more = False
                        break
                    # Another key every time: what another run played must not be taken for this one's.
                    future = client.submit(play_there, task, fingerprint(), self._file(task), pure=False)
                    waiting[future] = task
                    future.add_done_callback(finished.put)
                if not waiting:
                    break
                if not more and getattr(tasks, "stopped", False) and not client.nthreads():
                    break  # interrupted, and nobody is at work
                try:
                    future = finished.get(timeout=0.5)
                except queue.Empty:
                    self._look()
                    continue
                task = waiting.pop(future)
                answer = self._answer(future, task)
                if isinstance(answer, Done):
                    yield replace(answer, task=task)
                else:
                    more, fault = False, fault or answer
                self._look()
        finally:
            if client.status == "running":
                client.cancel(list(waiting))
        if fault is not None:
            raise fault

    def _answer(self, future: Future, task: Task) -> Done | Exception:
        if future.status == "cancelled":
            raise self._lost()
        chunk = f"trials {task.first} to {task.first + task.count - 1} of {task.label!r}"
        try:
            answer = future.result(timeout=60)
        except Exception as error:
            if self._client is None or self._client.status != "running":
                raise self._lost() from None
            what = " ".join(str(error).split())
            if type(error).__name__ == "KilledWorker":
                what = f"several workers died of them; the last was {getattr(error, 'last_worker', 'unknown')}"
            return RunError(f"{self.address}: {chunk} could not be played: {what}")
        if isinstance(answer, Done):
            return answer
        kind, told = answer
        return PolicyFault(*told) if kind == "fault" else self._refused(*told)

    def _file(self, task: Task) -> bytes | None:
        path = task.policy.get("file")
        if path is None:
            return None
        if path not in self._files:
            self._files[path] = Path(path).read_bytes()
        return self._files[path]

    def _look(self, now: bool = False) -> None:
        """Now and then: is the scheduler there, are there workers, are new ones of this version?"""
        client = self._client
        assert client is not None
        if client.status != "running":
            raise self._lost()
        if not now and time.monotonic() < self._asked + 1:
            return
        self._asked = time.monotonic()
        try:
            threads = client.nthreads()
            new = sorted(set(threads) - self._sound)
            answers = client.run(fingerprint, workers=new, on_error="return") if new else {}
            names = {
                address: worker["name"] for address, worker in client.scheduler_info(n_workers=-1)["workers"].items()
            }
        except Exception as error:
            if client.status != "running":
                raise self._lost() from None
            if isinstance(error, RunError):
                raise
            return  # a worker came or went meanwhile
        for address, told in answers.items():
            if told != fingerprint():
                what = (
                    _unlike(told, fingerprint()) if isinstance(told, dict) else f"no islandlab that answers ({told!r})"
                )
                raise self._refused(f"the worker {names.get(address, '?')!r} ({address})", what)
        self._sound |= set(answers)
        # Enough that no thread waits for its next chunk, and no more: what was handed out cannot be taken back.
        self._room = max(1, 2 * sum(threads.values()))
        if threads:
            self._idle = 0.0
        elif not self._idle:
            self._idle = time.monotonic()
        elif self._idle > 0 and time.monotonic() > self._idle + 3:
            self.note(f"{self.address}: no workers there; waiting for one (Ctrl-C ends the run)")
            self._idle = float("-inf")

    def _refused(self, who: str, what: str) -> RunError:
        return RunError(
            f"{self.address}: {who} is of another version and cannot play: {what}; "
            f"install the same there or stop it, and the same command goes on"
        )

    def _lost(self) -> RunError:
        return RunError(
            f"{self.address}: the scheduler is lost; what had finished is kept, and the same command goes on from "
            f"there (without --scheduler: on this machine)"
        )

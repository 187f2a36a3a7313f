"""Files that are whole or not there at all, and the lock of a run's folder."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from analysis.errors import IslandlabError

FOLDER = "results"
"""Where in a run's folder its chunks lie, and its lock."""


class RunError(IslandlabError):
    """A run cannot go on, or results cannot be read; the text names the path and says how to go on."""

    exit_code = 1


def write_file(path: Path, data: bytes | memoryview) -> None:
    """Put `data` at `path` whole or not at all: beside, synced, renamed, folder synced.  Raises OSError."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(beside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename in (None, str(beside)):
            error.filename = str(path)  # a full disk does not say where, and nobody asked for the file beside
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` outlive a loss of power, where the system can (not on Windows)."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def clean(directory: Path) -> list[Path]:
    """Remove what killed calls of `write_file` left in a run's folder; returns the files removed.

    Only for the holder of `locked`: it could be another's file that is being written.
    """
    gone = []
    for path in sorted([*directory.glob(".*.tmp"), *directory.glob("*/.*.tmp"), *directory.glob("*/*/.*.tmp")]):
        path.unlink(missing_ok=True)
        gone.append(path)
    return gone


@contextlib.contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold the folder for one run; a second run gets a RunError that names the first.

    The kernel keeps the lock and gives it up with the process, however it ends; the file's text is for people only.
    """
    try:
        import fcntl
    except ImportError:  # Windows: no lock
        yield
        return
    root = directory / FOLDER
    root.mkdir(parents=True, exist_ok=True)
    with open(root / ".lock", "a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            who = file.read(200).strip() or "of an unknown process"
            raise RunError(
                f"{directory}: another run is at work here ({who}); wait for it to end, or choose --out for this one"
            ) from None
        with contextlib.suppress(OSError):  # a full disk: the lock holds without its text
            file.truncate(0)
            file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
            file.flush()
        yield


def holder(directory: Path) -> str | None:
    """Who holds the folder now ("process 4711 on host"), or None when nobody does."""
    try:
        import fcntl

        with open(directory / FOLDER / ".lock", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return file.read(200).strip() or "an unknown process"
    except (ImportError, OSError):
        pass
    return None

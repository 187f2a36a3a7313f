"""Finished chunks of trials as Parquet files: whole or not there at all.

`results/<identity[:16]>/trials-<first>-<end>.parquet` holds the games of the trials first … end − 1 of one cell, one
row a game, codes as the game gave them; its metadata holds what they belong to, the chunk's tallies and a checksum
over every byte of the file.  A file is written beside, synced and renamed, so a killed run leaves at most a temporary
file, which the next run removes.  Which chunks a cell is cut into never changes a result.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from analysis.errors import IslandlabError
from sim.core.game import Batch, Column

if TYPE_CHECKING:
    import polars as pl

SCHEMA = 1
FOLDER = "results"
_KEY = "islandlab"
_NAME = re.compile(r"(trials|head)-(0|[1-9]\d*)-([1-9]\d*)\.parquet")
# The checksum stands in the file that it covers: it is taken over the file with zeros in its place.
_SEAL = b'"sha256":"'
_BLANK = b"0" * 64


class RunError(IslandlabError):
    """A run cannot go on, or results cannot be read; the text names the path and says how to go on."""

    exit_code = 1


class StoreError(RunError):
    """A chunk file that is damaged, or that belongs to something else."""

    def __init__(self, path: Path, what: str) -> None:
        self.path = path
        super().__init__(f"{path}: {what}; remove this file and run the same command again to replace it")


class HasIdentity(Protocol):
    """All that the store needs of a cell."""

    @property
    def identity(self) -> str: ...


@dataclass(frozen=True, order=True)
class Chunk:
    """A stored file: trials first … end − 1, `path`, and its header (`kind` is "trials", or "head": tallies only)."""

    first: int
    end: int
    path: Path
    header: Mapping[str, Any]

    @property
    def count(self) -> int:
        return self.end - self.first

    def tallies(self) -> dict[str, np.ndarray]:
        """The chunk's tallies: name -> int64 array."""
        return _unpack(self.header["tallies"])

    def read(self, columns: Sequence[str]) -> dict[str, np.ndarray]:
        """Columns by name, `count` integers each, in trial order."""
        import pyarrow.parquet as pq

        # One thread: callers go through many chunks, and a chunk is small.
        table = pq.read_table(self.path, columns=list(columns), use_threads=False, memory_map=False)
        return {name: table.column(name).to_numpy() for name in columns}


def chunk_size(games_per_second: float, trials: int) -> int:
    """Games in a chunk: two seconds of play or 50,000 at most, and at least eight chunks unless they would be tiny.

    Eight give several workers and a progress bar something to do; below a fiftieth of a second a chunk is not worth its
    file.  Depends on its arguments only, and is one of 1, 2, 5, 10, 20, 50, …, so that runs of other lengths mostly
    share their bounds.  Results never depend on it.
    """
    limit = min(50_000.0, 2 * games_per_second, max(ceil(trials / 8), games_per_second / 50))
    size = 1
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000):
        if step <= limit:
            size = step
    return size


def cut(gaps: Iterable[tuple[int, int]], size: int) -> Iterator[tuple[int, int]]:
    """(first, count) pieces that fill the gaps and begin at multiples of `size` wherever a gap allows it."""
    for first, count in gaps:
        end = first + count
        while first < end:
            stop = min(end, (first // size + 1) * size)
            yield first, stop - first
            first = stop


def encode(
    identity: str, seed: int, first: int, batch: Batch, columns: Sequence[Column] = (), *, rows: bool = True
) -> bytes:
    """The bytes of a chunk file; the same input gives the same bytes.

    columns: what the game documents; a batch with other columns, or with values that do not fit, is a ValueError.
    rows=False leaves the games out and keeps the tallies (the head of a chunk that a shorter run cuts).
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    games = _checked(batch, first, columns)
    count = len(games["trial"])
    header = {
        "schema": SCHEMA,
        "kind": "trials" if rows else "head",
        "identity": identity,
        "seed": seed,
        "first": first,
        "end": first + count,
        "columns": {name: array.dtype.name for name, array in games.items()},
        "tallies": _pack(batch.tallies),
    }
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=True).encode()
    text = text[:-1] + b"," + _SEAL + _BLANK + b'"}'
    names = list(games) if rows else ["trial"]
    arrays = [pa.array(games[name] if rows else games[name][:0]) for name in names]
    table = pa.Table.from_arrays(arrays, names=names)
    sink = pa.BufferOutputStream()
    # Statistics would only repeat what is known, and the Arrow schema would hold a second copy of the metadata.
    with pq.ParquetWriter(
        sink, table.schema, compression="zstd", compression_level=3, write_statistics=False, store_schema=False
    ) as writer:
        writer.write_table(table, row_group_size=max(1, count))
        writer.add_key_value_metadata({_KEY: text.decode()})
    data = sink.getvalue().to_pybytes()
    at = _seal(data)
    return data[:at] + hashlib.sha256(data).hexdigest().encode() + data[at + len(_BLANK) :]


class Store:
    """The chunk files of one run's folder.

    directory: the run's folder; files go to `results/` in it.  seed: written into each file's header.
    columns: what the game documents; files with other columns are refused.
    """

    def __init__(self, directory: str | os.PathLike[str], *, seed: int = 0, columns: Sequence[Column] = ()) -> None:
        self.directory = Path(directory)
        self.root = self.directory / FOLDER
        self.seed = seed
        self.columns = tuple(columns)
        self._checked: dict[Path, Chunk] = {}

    def folder(self, cell: HasIdentity) -> Path:
        """Where the cell's files lie."""
        return self.root / cell.identity[:16]

    def write(self, cell: HasIdentity, first: int, batch: Batch) -> Path:
        """Store the trials from `first` on; returns the file.  OSError as the file system gives it, ValueError for a
        batch that is not what the game documents."""
        data = encode(cell.identity, self.seed, first, batch, self.columns)
        return self.put(cell, first, first + len(batch.games["trial"]), data)

    def put(self, cell: HasIdentity, first: int, end: int, data: bytes, *, head: bool = False) -> Path:
        """Store the bytes that `encode` made.  When this returns, the file outlives a loss of power."""
        folder = self.folder(cell)
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            sync_folder(self.directory)
            sync_folder(self.root)
        path = folder / f"{'head' if head else 'trials'}-{first}-{end}.parquet"
        write_file(path, data)
        return path

    def chunks(self, cell: HasIdentity) -> list[Chunk]:
        """The cell's trial files, verified byte by byte, in trial order; overlapping or damaged ones are refused."""
        chunks = self._files(cell, "trials")
        for before, after in pairwise(chunks):
            if after.first < before.end:
                raise StoreError(after.path, f"holds trials that {before.path.name} holds too")
        return chunks

    def missing(self, cell: HasIdentity, trials: int) -> list[tuple[int, int]]:
        """The (first, count) ranges among trials 0 … trials − 1 that no file holds, rising."""
        gaps, at = [], 0
        for chunk in self.chunks(cell):
            if chunk.first >= trials:
                break
            if chunk.first > at:
                gaps.append((at, chunk.first - at))
            at = chunk.end
        if at < trials:
            gaps.append((at, trials - at))
        return gaps

    def missing_head(self, cell: HasIdentity, trials: int) -> tuple[int, int] | None:
        """(first, count) of a chunk's part before `trials` when `trials` cuts it and its tallies are not stored yet."""
        cut_chunk = self._cut(cell, trials)
        if cut_chunk is None or self._head(cell, cut_chunk.first, trials) is not None:
            return None
        return cut_chunk.first, trials - cut_chunk.first

    def read(self, cell: HasIdentity, trials: int, columns: Sequence[str]) -> Iterator[dict[str, np.ndarray]]:
        """The stored games of trials 0 … trials − 1, a chunk at a time in trial order, as arrays by column name."""
        for chunk in self.chunks(cell):
            if chunk.first >= trials:
                return
            games = chunk.read(columns)
            keep = min(chunk.count, trials - chunk.first)
            yield games if keep == chunk.count else {name: array[:keep] for name, array in games.items()}

    def scan(self, cell: HasIdentity, trials: int) -> pl.LazyFrame:
        """The stored games of trials 0 … trials − 1, codes as stored; Polars keeps no order unless asked to sort."""
        import polars as pl

        chunks = [chunk for chunk in self.chunks(cell) if chunk.first < trials]
        if not chunks:
            raise RunError(f"{self.folder(cell)}: holds no games; run the experiment first")
        frame = pl.scan_parquet([chunk.path for chunk in chunks], glob=False)
        return frame if chunks[-1].end <= trials else frame.filter(pl.col("trial") < trials)

    def tallies(self, cell: HasIdentity, trials: int) -> dict[str, np.ndarray]:
        """The tallies of the stored games of trials 0 … trials − 1, added up: name -> int64 array."""
        total: dict[str, np.ndarray] = {}
        cut_chunk = self._cut(cell, trials)
        whole = [chunk for chunk in self.chunks(cell) if chunk.end <= trials]
        if cut_chunk is not None:
            head = self._head(cell, cut_chunk.first, trials)
            if head is None:
                raise RunError(
                    f"{cut_chunk.path}: its first {trials - cut_chunk.first} trials have no tallies of their own; "
                    f"run the experiment with {trials} trials first"
                )
            whole.append(head)
        for chunk in whole:
            for name, array in chunk.tallies().items():
                total[name] = total[name] + array if name in total else array
        return total

    def clean(self) -> list[Path]:
        """Remove what killed writes left; returns the files removed.  Only for the holder of `locked`."""
        gone = []
        if self.root.is_dir():
            for path in sorted(self.root.glob("*/.*.tmp")):
                path.unlink(missing_ok=True)
                gone.append(path)
        return gone

    def _cut(self, cell: HasIdentity, trials: int) -> Chunk | None:
        return next((chunk for chunk in self.chunks(cell) if chunk.first < trials < chunk.end), None)

    def _head(self, cell: HasIdentity, first: int, end: int) -> Chunk | None:
        return next((head for head in self._files(cell, "head") if (head.first, head.end) == (first, end)), None)

    def _files(self, cell: HasIdentity, kind: str) -> list[Chunk]:
        folder = self.folder(cell)
        try:
            names = sorted(os.listdir(folder))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise RunError(f"{folder}: {error.strerror}") from error
        found = []
        for name in names:
            if name.startswith("."):
                continue  # being written, or left by a killed run
            match = _NAME.fullmatch(name)
            if not match:
                raise StoreError(folder / name, "is not a chunk file")
            if match[1] == kind:
                found.append(self._open(folder / name, kind, int(match[2]), int(match[3]), cell))
        return sorted(found, key=lambda chunk: chunk.first)

    def _open(self, path: Path, kind: str, first: int, end: int, cell: HasIdentity) -> Chunk:
        """The file's header, once every byte has been verified; verified files are remembered (they never change)."""
        known = self._checked.get(path)
        if known is not None:
            return known
        header = read_header(path)
        if header.get("schema") != SCHEMA:
            raise StoreError(path, f"has the layout of another version ({header.get('schema')!r}, not {SCHEMA})")
        if header["identity"] != cell.identity:
            raise StoreError(path, f"belongs to another cell ({header['identity'][:16]}, not {cell.identity[:16]})")
        if (header["kind"], header["first"], header["end"]) != (kind, first, end):
            raise StoreError(
                path, f"holds {header['kind']} {header['first']} to {header['end']}, not what its name says"
            )
        expected = {column.name: np.dtype(column.dtype).name for column in self.columns}
        if expected and header["columns"] != expected:
            odd = sorted(set(header["columns"].items()) ^ set(expected.items()))
            raise StoreError(
                path, f"has other columns than this version writes ({', '.join(n for n, _ in odd) or 'order'})"
            )
        self._checked[path] = chunk = Chunk(first, end, path, header)
        return chunk


def read_header(path: Path) -> dict[str, Any]:
    """The header of a chunk file whose checksum is right; anything else is a StoreError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        data = path.read_bytes()
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from error
    try:
        at = _seal(data)
    except ValueError:
        raise StoreError(path, "is damaged or no chunk file (no checksum in it)") from None
    blank = data[:at] + _BLANK + data[at + len(_BLANK) :]
    if hashlib.sha256(blank).hexdigest().encode() != data[at : at + len(_BLANK)]:
        raise StoreError(path, "is damaged or was edited (its checksum is wrong)")
    # The bytes are the ones written; what follows cannot fail unless the writer was another program.
    try:
        metadata = pq.read_metadata(pa.BufferReader(data)).metadata
        return json.loads(metadata[_KEY.encode()])
    except (KeyError, TypeError, ValueError, pa.ArrowException) as error:
        raise StoreError(path, "is no chunk file (no header in it)") from error


def write_file(path: Path, data: bytes) -> None:
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
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # a full disk does not say where
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


@contextlib.contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold the folder for one run; a second run gets a RunError.  The lock ends with the process, however it ends."""
    try:
        import fcntl
    except ImportError:  # Windows: no lock, as before
        yield
        return
    root = directory / FOLDER
    root.mkdir(parents=True, exist_ok=True)
    with open(root / ".lock", "a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(f"{directory}: another run is at work here; wait for it to end or choose --out") from None
        yield


def _checked(batch: Batch, first: int, columns: Sequence[Column]) -> dict[str, np.ndarray]:
    """The batch's columns in documented order and type."""
    games = batch.games
    if columns:
        names = [column.name for column in columns]
        if set(games) != set(names):
            raise ValueError(f"columns {sorted(set(games) ^ set(names))} are not documented, or not there")
        games = {column.name: _as(games[column.name], column) for column in columns}
    trial = games["trial"]
    if not np.array_equal(trial, np.arange(first, first + len(trial))) or not len(trial):
        raise ValueError(f"trials do not run on from {first}")
    short = [name for name, array in games.items() if array.shape != trial.shape]
    if short:
        raise ValueError(f"columns {short} do not have one value a game")
    return games


def _as(array: np.ndarray, column: Column) -> np.ndarray:
    dtype = np.dtype(column.dtype)
    if array.dtype == dtype:
        return array
    changed = array.astype(dtype)
    if not np.array_equal(changed, array):
        raise ValueError(f"column {column.name} holds values that do not fit {dtype.name}")
    return changed


def _pack(tallies: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Tallies as JSON: shapes, and the deflated little-endian counts of all in one."""
    names = sorted(tallies)
    body = b"".join(np.ascontiguousarray(tallies[name], dtype="<i8").tobytes() for name in names)
    shapes = {name: list(tallies[name].shape) for name in names}
    return {"shapes": shapes, "counts": base64.b64encode(zlib.compress(body, 6)).decode("ascii")}


def _unpack(packed: Mapping[str, Any]) -> dict[str, np.ndarray]:
    body, at, tallies = zlib.decompress(base64.b64decode(packed["counts"])), 0, {}
    for name, shape in packed["shapes"].items():
        size = int(np.prod(shape))
        tallies[name] = np.frombuffer(body, dtype="<i8", count=size, offset=at).astype(np.int64).reshape(shape)
        at += 8 * size
    return tallies


def _seal(data: bytes) -> int:
    """Where the checksum stands; ValueError when there is none."""
    return data.rindex(_SEAL) + len(_SEAL)

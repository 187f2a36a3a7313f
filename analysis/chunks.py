"""The file of one chunk: what is in it, and how every byte of it is verified.

A Parquet file with one row a game, codes as the game gave them; its metadata holds what the games belong to, the
chunk's tallies and a checksum over every byte of the file.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from analysis.files import RunError
from sim.core.game import Batch, Column

SCHEMA = 1
FILE_NAME = re.compile(r"(trials|head)-(0|[1-9]\d*)-([1-9]\d*)\.parquet")
_KEY = "islandlab"
# The checksum stands in the file that it covers: it is taken over the file with zeros in its place.
_SEAL = b'"sha256":"'
_BLANK = b"0" * 64


class StoreError(RunError):
    """A chunk file that is damaged, or that belongs to something else: `path`, and `what` is wrong with it."""

    def __init__(self, path: Path, what: str) -> None:
        self.path, self.what = path, what
        super().__init__(f"{path}: {what}; islandlab run with --repair puts this file aside and plays its games again")


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

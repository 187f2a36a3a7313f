"""Finished chunks of trials as Parquet files: whole or not there at all.

`results/<identity[:16]>/trials-<first>-<end>.parquet` holds the games of the trials first … end − 1 of one cell, one
row a game, codes as the game gave them; its metadata holds what they belong to, the chunk's tallies and a checksum
over every byte of the file.  A file is written beside, synced and renamed, so a killed run leaves at most a temporary
file, which the next run removes.  Which chunks a cell is cut into never changes a result.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from analysis.chunks import FILE_NAME, SCHEMA, Chunk, StoreError, chunk_size, cut, encode, read_header
from analysis.files import FOLDER, RunError, clean, locked, sync_folder, write_file
from sim.core.game import Batch, Column

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "Chunk",
    "HasIdentity",
    "RunError",
    "Store",
    "StoreError",
    "chunk_size",
    "cut",
    "encode",
    "locked",
    "read_header",
    "write_file",
]

DAMAGED = "damaged"
"""Where in a run's folder `Store.repair` puts files that cannot be used."""


class HasIdentity(Protocol):
    """All that the store needs of a cell."""

    @property
    def identity(self) -> str: ...


@dataclass(frozen=True)
class Survey:
    """What lies in a cell's folder.

    chunks: files of games, in trial order, none over another.  heads: files of tallies only.  faults: what is damaged,
    foreign, misnamed or there twice.
    """

    chunks: list[Chunk]
    heads: list[Chunk]
    faults: list[StoreError]


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
        """The cell's trial files, verified byte by byte, in trial order; StoreError for a file that cannot be used."""
        return self._sound(cell).chunks

    def survey(self, cell: HasIdentity) -> Survey:
        """All that lies in the cell's folder: what can be used, and what cannot and why."""
        chunks: list[Chunk] = []
        heads: list[Chunk] = []
        faults: list[StoreError] = []
        folder = self.folder(cell)
        for name in self._names(folder):
            match = FILE_NAME.fullmatch(name)
            if not match:
                faults.append(StoreError(folder / name, "is not a chunk file"))
                continue
            try:
                found = self._open(folder / name, match[1], int(match[2]), int(match[3]), cell)
            except StoreError as error:
                faults.append(error)
            else:
                (chunks if match[1] == "trials" else heads).append(found)
        kept: list[Chunk] = []
        for chunk in sorted(chunks, key=lambda one: (one.first, one.end)):
            if kept and chunk.first < kept[-1].end:
                faults.append(StoreError(chunk.path, f"holds trials that {kept[-1].path.name} holds too"))
            else:
                kept.append(chunk)
        return Survey(kept, sorted(heads, key=lambda one: (one.first, one.end)), faults)

    def repair(self, cell: HasIdentity) -> list[Path]:
        """Put every file of the cell that cannot be used aside, into `damaged/`; returns where they are now.

        Their games are missing then, and only theirs.  Only for the holder of `locked`.  Raises OSError.
        """
        aside = []
        for fault in self.survey(cell).faults:
            place = self.directory / DAMAGED / cell.identity[:16] / fault.path.name
            number = 1
            while place.exists():
                number += 1
                place = place.with_name(f"{fault.path.name}.{number}")
            place.parent.mkdir(parents=True, exist_ok=True)
            os.replace(fault.path, place)
            self._checked.pop(fault.path, None)
            aside.append(place)
        if aside:
            sync_folder(self.folder(cell))
        return aside

    def missing(self, cell: HasIdentity, trials: int) -> list[tuple[int, int]]:
        """The (first, count) ranges among trials 0 … trials − 1 that no file holds, rising."""
        return self.gaps(self.chunks(cell), trials)

    @staticmethod
    def gaps(chunks: Sequence[Chunk], trials: int) -> list[tuple[int, int]]:
        """As `missing`, of chunks in trial order."""
        gaps, at = [], 0
        for chunk in chunks:
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

    def read(
        self, cell: HasIdentity, trials: int, columns: Sequence[str], first: int = 0
    ) -> Iterator[dict[str, np.ndarray]]:
        """The stored games of trials first … trials − 1, a chunk at a time in trial order, as arrays by column name."""
        for chunk in self.chunks(cell):
            if chunk.first >= trials:
                return
            if chunk.end <= first:
                continue
            games = chunk.read(columns)
            part = slice(max(0, first - chunk.first), min(chunk.count, trials - chunk.first))
            whole = part == slice(0, chunk.count)
            yield games if whole else {name: array[part] for name, array in games.items()}

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
        return clean(self.directory)

    def _cut(self, cell: HasIdentity, trials: int) -> Chunk | None:
        return next((chunk for chunk in self.chunks(cell) if chunk.first < trials < chunk.end), None)

    def _head(self, cell: HasIdentity, first: int, end: int) -> Chunk | None:
        return next((head for head in self._sound(cell).heads if (head.first, head.end) == (first, end)), None)

    def _sound(self, cell: HasIdentity) -> Survey:
        found = self.survey(cell)
        if found.faults:
            raise found.faults[0]
        return found

    @staticmethod
    def _names(folder: Path) -> list[str]:
        """What lies in a cell's folder; what begins with a dot is being written, or was left by a killed run."""
        try:
            return sorted(name for name in os.listdir(folder) if not name.startswith("."))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise RunError(f"{folder}: {error.strerror}") from error

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

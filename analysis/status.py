"""What a run's folder holds: games done, how sure they are, what is missing, what is damaged.  Changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis import stats
from analysis.columns import columns
from analysis.files import FOLDER, RunError, holder
from analysis.provenance import read_manifest
from analysis.results import RecordedCell, Results
from analysis.stats import Estimate
from analysis.store import Store, StoreError
from sim import registry

WON = "won"


@dataclass(frozen=True)
class CellStatus:
    """One cell of a run.

    trials: games asked for.  done: how many of them are stored.  won: the win rate of those, None when there is none.
    missing: (first, count) ranges that are not stored.  faults: files that cannot be used, and why.
    """

    label: str
    identity: str
    trials: int
    done: int
    won: Estimate | None
    missing: tuple[tuple[int, int], ...]
    faults: tuple[StoreError, ...]


@dataclass(frozen=True)
class Status:
    """A run's folder.

    holder: who is at work in it now, or None.  unused: folders of chunks that belong to none of its cells.
    """

    directory: Path
    name: str
    cells: tuple[CellStatus, ...]
    holder: str | None
    unused: tuple[Path, ...]
    finished: bool = True
    """Whether the rule that decides how many games are played has come to its end."""

    @property
    def faults(self) -> tuple[StoreError, ...]:
        """Every file that cannot be used."""
        return tuple(fault for cell in self.cells for fault in cell.faults)

    @property
    def whole(self) -> bool:
        """Whether every game is there and no file is damaged."""
        return self.finished and not self.faults and all(cell.done == cell.trials for cell in self.cells)


def status(directory: str | Path) -> Status:
    """Look at a run's folder; every byte of every chunk file is verified.

    Raises RunError when there is no run in it, or its manifest cannot be read.
    """
    directory = Path(directory)
    manifest = read_manifest(directory)
    if manifest is None:
        raise RunError(f"{directory}: holds no run (no manifest.json)")
    try:
        results = Results(directory, manifest, registry.get(manifest["experiment"]["game"]))
    except (LookupError, TypeError, ValueError) as error:
        raise RunError(f"{directory / 'manifest.json'}: cannot be used ({error}); run the experiment again") from error
    cells = tuple(_cell(results, cell) for cell in results.experiment.cells)
    known = {cell.identity[:16] for cell in cells}
    root = directory / FOLDER
    folders = sorted(path for path in root.iterdir() if path.is_dir()) if root.is_dir() else []
    unused = tuple(path for path in folders if path.name not in known)
    finished = bool(manifest.get("stopping", {}).get("finished", True))
    return Status(directory, results.experiment.name, cells, holder(directory), unused, finished)


def _cell(results: Results, cell: RecordedCell) -> CellStatus:
    found = results.store.survey(cell)
    inside = [chunk for chunk in found.chunks if chunk.first < cell.trials]
    labels = results.column("result").labels or ()
    code, won, done = labels.index(WON), 0, 0
    for chunk in inside:
        ends = chunk.read(["result"])["result"][: cell.trials - chunk.first]
        won += int((ends == code).sum())
        done += len(ends)
    return CellStatus(
        cell.label,
        cell.identity,
        cell.trials,
        done,
        stats.rate(won, done) if done else None,
        tuple(Store.gaps(inside, cell.trials)),
        tuple(found.faults),
    )


def ranges(missing: Sequence[tuple[int, int]], most: int = 3) -> str:
    """The ranges as `first-last` for people, the first few of them."""
    told = [f"{first}-{first + count - 1}" for first, count in missing[:most]]
    return ", ".join(told) + (f", and {len(missing) - most} more" if len(missing) > most else "")


def lines(found: Status) -> list[str]:
    """The status for people."""
    rows = []
    for cell in found.cells:
        rate = f"{100 * cell.won.value:.1f} % ± {100 * cell.won.half_width:.2f}" if cell.won else "–"
        missing = ranges(cell.missing) or "nothing"
        rows.append((cell.label, f"{cell.done:,}", f"{cell.trials:,}", rate, missing, f"{len(cell.faults)}"))
    done, asked = sum(cell.done for cell in found.cells), sum(cell.trials for cell in found.cells)
    head = ("cell", "games", "of", "won (95 % half-width)", "missing trials", "damaged files")
    told = [f"{found.name}: {done:,} of {asked:,} games", "", *columns(head, rows, right={1, 2, 3, 5})]
    ending = [f"Damaged    {fault.path}: {fault.what}" for fault in found.faults]
    if found.faults:
        ending.append("           islandlab run with --repair puts these files aside and plays their games again")
    ending += [f"Unused     {path}: games of a cell that the experiment no longer has" for path in found.unused]
    if not found.finished:
        ending.append("Unfinished the precision asked for is not reached, or the race is not over; run goes on")
    if found.holder:
        ending.append(f"At work    {found.holder}")
    return [*told, *([""] if ending else []), *ending]


def plain(found: Status) -> dict[str, Any]:
    """The status as JSON values."""
    return {
        "directory": str(found.directory),
        "name": found.name,
        "whole": found.whole,
        "holder": found.holder,
        "unused": [str(path) for path in found.unused],
        "cells": [
            {
                "cell": cell.label,
                "trials": cell.trials,
                "games": cell.done,
                "win_rate": cell.won.value if cell.won else None,
                "win_rate_low": cell.won.low if cell.won else None,
                "win_rate_high": cell.won.high if cell.won else None,
                "missing": [{"first": first, "count": count} for first, count in cell.missing],
                "damaged": [{"path": str(fault.path), "what": fault.what} for fault in cell.faults],
                "identity": cell.identity,
            }
            for cell in found.cells
        ],
    }

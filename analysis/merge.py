"""Runs of one experiment from several machines, put together.

Games go by the identity of their cell, so what other rules, other players or another rules version played never mixes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from analysis.chunks import Chunk
from analysis.files import RunError, locked
from analysis.provenance import commit, read_manifest, versions, write_manifest
from analysis.results import RecordedCell
from analysis.store import Store
from sim import registry


@dataclass(frozen=True)
class Merged:
    """What came together in `directory`.

    games, asked: games of the experiment's trials that are there now, and that it asks for.  added: games that were
    copied.  left: games of files that overlap others in part, which were not taken.  notes: what a person should know.
    """

    directory: Path
    games: int
    asked: int
    added: int
    left: int
    notes: tuple[str, ...]
    finished: bool = True

    @property
    def whole(self) -> bool:
        """Whether every game is there, and no rule of precision or race may ask for more."""
        return self.finished and self.games == self.asked


def merge(directories: Sequence[str | Path], out: str | Path) -> Merged:
    """Put the games of runs of the same experiment into `out`, which may be one of them or a new folder.

    The runs have one name, game and seed.  Their cells are joined by identity, the trials of each are the most that any
    of them asked for.  Chunks that are there twice must hold the same games.
    Raises RunError for a folder without a run, another experiment, a label that means two games, a damaged file (named)
    and for two files that hold different games of the same trials.
    """
    out = Path(out)
    sources = [Path(directory) for directory in directories]
    manifests = {source: _manifest(source) for source in sources}
    there = read_manifest(out)
    if there is not None and out.resolve() not in [source.resolve() for source in sources]:
        sources, manifests = [out, *sources], {out: there, **manifests}
    joined, notes = _joined(manifests)
    seed = joined["experiment"]["seed"]
    game = registry.get(joined["experiment"]["game"])
    cells = [RecordedCell(**cell) for cell in joined["cells"]]
    with contextlib.ExitStack() as stack:
        out.mkdir(parents=True, exist_ok=True)
        stack.enter_context(locked(out))
        stores = [Store(source, seed=seed, columns=game.columns) for source in sources]
        target = Store(out, seed=seed, columns=game.columns)
        target.clean()
        faults = [fault for store in stores for cell in cells for fault in store.survey(cell).faults]
        if faults:
            each = "; ".join(f"{fault.path}: {fault.what}" for fault in faults)
            raise RunError(f"{each}; go on with that run first, with --repair, or leave its folder out")
        picked = []
        for cell in cells:
            own = target.chunks(cell)
            others = [chunk for store in stores if store.root != target.root for chunk in store.chunks(cell)]
            picked.append(_picked(own, others))
        # Only now, when nothing can be refused any more, is anything written.
        write_manifest(out, joined)
        added = left = games = 0
        for cell, (chosen, passed) in zip(cells, picked, strict=True):
            for chunk in chosen:
                target.put(cell, chunk.first, chunk.end, chunk.path.read_bytes())
                added += chunk.count
            left += passed
            games += cell.trials - sum(count for _, count in target.missing(cell, cell.trials))
    finished = bool(joined.get("stopping", {}).get("finished", True))
    return Merged(out, games, sum(cell.trials for cell in cells), added, left, tuple(notes), finished)


def _manifest(directory: Path) -> dict[str, Any]:
    manifest = read_manifest(directory)
    if manifest is None:
        raise RunError(f"{directory}: holds no run (no manifest.json)")
    return manifest


def _joined(manifests: Mapping[Path, dict[str, Any]]) -> tuple[dict[str, Any], list[str]]:
    """One manifest for all, and what a person should know."""
    (first, base), *others = manifests.items()
    asked, notes = dict(base["experiment"]), []
    cells = {cell["identity"]: dict(cell) for cell in base["cells"]}
    labels = {cell["label"]: cell["identity"] for cell in base["cells"]}
    sources = [asked["source"]]
    for directory, manifest in others:
        mine = manifest["experiment"]
        odd = [
            f"{key} {mine[key]!r}, not {asked[key]!r}" for key in ("name", "game", "seed") if mine[key] != asked[key]
        ]
        if odd:
            raise RunError(f"{directory}: holds another experiment than {first} ({'; '.join(odd)})")
        if manifest["rules_version"] != base["rules_version"]:
            raise RunError(
                f"{directory}: was played by rules version {manifest['rules_version']}, "
                f"{first} by {base['rules_version']}; games of different rules are never put together"
            )
        if manifest["versions"] != base["versions"]:
            notes.append(f"{directory} was played with other versions of packages than {first}")
        for cell in manifest["cells"]:
            if labels.setdefault(cell["label"], cell["identity"]) != cell["identity"]:
                raise RunError(
                    f"{directory}: its cell {cell['label']!r} has other rules or another player than that of {first}; "
                    f"give one of them another label"
                )
            kept = cells.setdefault(cell["identity"], dict(cell))
            kept["trials"] = max(kept["trials"], cell["trials"])
        known = set(map(tuple, asked["compare"]))
        asked["compare"] = asked["compare"] + [pair for pair in mine["compare"] if tuple(pair) not in known]
        asked["grid"] = list(dict.fromkeys([*asked["grid"], *mine["grid"]]))
        asked["trials"] = max(asked["trials"], mine["trials"])
        if mine["source"] not in sources:
            sources.append(mine["source"])
    asked["source"] = "---\n".join(sources)
    for cell in cells.values():
        cell["trials"] = max(cell["trials"], asked["trials"])
    return {
        **base,
        "experiment": asked,
        "cells": list(cells.values()),
        "versions": versions(),
        "commit": commit(),
    }, notes


def _picked(own: Sequence[Chunk], others: Sequence[Chunk]) -> tuple[list[Chunk], int]:
    """Which of the other chunks to take beside one's own, none over another; and the games of those that are left."""
    held = list(own)
    chosen: list[Chunk] = []
    passed: list[Chunk] = []
    for chunk in sorted(others, key=lambda one: (one.first, -one.end)):
        over = [kept for kept in held if chunk.first < kept.end and kept.first < chunk.end]
        for kept in over:
            _refuse_unlike(kept, chunk)
        if over:
            passed.append(chunk)
        else:
            held.append(chunk)
            chosen.append(chunk)
    left = 0
    for chunk in passed:
        left += chunk.count - sum(max(0, min(chunk.end, kept.end) - max(chunk.first, kept.first)) for kept in held)
    return chosen, left


def _refuse_unlike(one: Chunk, other: Chunk) -> None:
    """RunError unless two chunks hold the same games of their common trials."""
    first, end = max(one.first, other.first), min(one.end, other.end)
    names = list(one.header["columns"])
    here, there = one.read(names), other.read(names)
    for name in names:
        mine = here[name][first - one.first : end - one.first]
        if not np.array_equal(mine, there[name][first - other.first : end - other.first]):
            raise RunError(
                f"{one.path} and {other.path}: hold different games of trials {first} to {end - 1} (column {name}); "
                f"the same cell gives the same games, so one of the two is not what it says"
            )

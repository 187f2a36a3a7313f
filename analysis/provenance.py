"""`manifest.json`: what was run, and with which versions.

Nothing in it depends on the machine, the place or the hour, so the same input gives the same bytes.
"""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.store import RunError, write_file

if TYPE_CHECKING:
    from analysis.experiment import Experiment
    from sim.core.game import Game

NAME = "manifest.json"
SCHEMA = 1
# What can change a number in the results or in the report.
PACKAGES = ("islandlab", "numpy", "numba", "scipy", "statsmodels", "polars", "pyarrow", "pandas", "matplotlib")


def build_manifest(
    experiment: Experiment, game: Game, trials: Mapping[str, int], stopping: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The manifest of a run of `experiment`.

    trials: games of each cell, by label.  stopping: the rule by which their number was found and what came of it
    (`stopping.Watch.record`), where it was not fixed.
    """
    manifest = {
        "schema": SCHEMA,
        "experiment": {
            "name": experiment.name,
            "question": experiment.question,
            "game": experiment.game,
            "seed": experiment.seed,
            "trials": max(trials.values()),
            "compare": [list(pair) for pair in experiment.compare],
            "grid": list(experiment.grid),
            "source": experiment.source,
        },
        "cells": [
            {
                "label": cell.label,
                "settings": dict(cell.settings),
                "knobs": dict(cell.knobs),
                "policy": dict(cell.policy),
                "identity": cell.identity,
                "trials": trials[cell.label],
            }
            for cell in experiment.cells
        ],
        "rules_version": game.rules_version,
        "versions": versions(),
        "commit": commit(),
    }
    if stopping is not None:
        manifest["stopping"] = dict(stopping)
    return manifest


def write_manifest(directory: Path, manifest: Mapping[str, Any]) -> None:
    """Write `manifest.json` whole or not at all, unless it already says the same.  Raises OSError."""
    data = (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()
    path = directory / NAME
    if not path.is_file() or path.read_bytes() != data:
        write_file(path, data)


def read_manifest(directory: Path) -> dict[str, Any] | None:
    """The manifest in `directory`, or None when there is none; RunError when it cannot be read."""
    path = directory / NAME
    try:
        manifest = json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"{path}: is damaged ({error}); islandlab run with --repair writes it again") from error
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise RunError(f"{path}: is not a manifest of this version; choose another folder, or remove this one")
    return manifest


def versions() -> dict[str, str]:
    """Versions of Python and of every package that can change a number."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed as a package"
    return found


def commit() -> str | None:
    """The commit of the project's own checkout, with "+changes" when the sources differ from it; None outside one."""
    top = Path(__file__).resolve().parent.parent
    if not (top / ".git").exists():
        return None
    head = _git(top, "rev-parse", "HEAD")
    if not head:
        return None
    return f"{head}+changes" if _git(top, "status", "--porcelain", "--", "sim", "analysis") else head


def _git(top: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(top), *arguments], capture_output=True, text=True, check=True, timeout=30
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()

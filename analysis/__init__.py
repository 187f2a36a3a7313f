"""Experiments, their results, and what they mean.  `load(DIR)` opens the results of a run."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.results import Results

__all__ = ["load"]


def load(directory: str | PathLike[str]) -> Results:
    """The results of the run in `directory` (the folder that holds `manifest.json`); see `analysis.results.load`."""
    from analysis import results

    return results.load(directory)

"""From stored results to a report: `build(DIR)` writes it, `summary(DIR)` says it in six lines.

In DIR: `report.html` (one page that needs nothing else), `report.md` (the same findings), `figures/` (SVG and PNG) and
`tables/` (CSV).  The same results give the same bytes.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

__all__ = ["build", "summary", "summary_json"]


def build(directory: str | PathLike[str]) -> Path:
    """Write the report of the run in `directory` and return the path of its page.

    Figures and tables of an earlier report that this one does not have are removed.  Raises RunError as `analysis.load`
    does, and OSError.
    """
    from analysis.report import facts, files

    return files.write(facts.of(Path(directory)), Path(directory))


def summary(directory: str | PathLike[str]) -> list[str]:
    """Six lines for a terminal: question, answer, win rates, why games are lost, timing, how sure all this is."""
    from analysis.report import facts, short

    return short.lines(facts.of(Path(directory)))


def summary_json(directory: str | PathLike[str]) -> dict[str, Any]:
    """The summary for programs: plain JSON values, every estimate with its interval, n and method."""
    from analysis.report import facts, short

    return short.plain(facts.of(Path(directory)))

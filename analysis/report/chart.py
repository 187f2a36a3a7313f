"""One figure of a report as a file of its own."""

from __future__ import annotations

from pathlib import Path

from analysis.plots import style
from analysis.report import content
from analysis.report.facts import Facts
from analysis.report.model import Figure
from analysis.store import write_file

FORMATS = ("svg", "png", "pdf")


def figures(facts: Facts) -> dict[str, Figure]:
    """Name -> figure, in page order."""
    return {figure.name: figure for figure in content.report(facts).figures()}


def write(figure: Figure, path: Path) -> None:
    """Draw the figure into `path`, as its suffix says; KeyError for a suffix that is none of FORMATS, OSError."""
    suffix = path.suffix.removeprefix(".").lower()
    if suffix not in FORMATS:
        raise KeyError(suffix)
    drawing = figure.draw(style.WIDE)
    write_file(path, {"svg": drawing.svg, "png": drawing.png, "pdf": drawing.pdf}[suffix]())

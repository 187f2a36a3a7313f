"""The files of a report."""

from __future__ import annotations

from pathlib import Path

from analysis.plots import style
from analysis.report import content, csvs, markdown, page, series
from analysis.report.facts import Facts
from analysis.report.settings import settings
from analysis.store import write_file


def write(facts: Facts, directory: Path) -> Path:
    """Write page, Markdown, figures and tables into `directory`; each file whole or not at all.  Raises OSError."""
    report, ending = content.report(facts), settings(facts)
    figures, tables = directory / "figures", directory / "tables"
    files: dict[Path, bytes] = {}
    pictures: dict[tuple[str, int], page.Picture] = {}
    for figure in report.figures():
        for width in (style.WIDE, style.NARROW):
            drawing = figure.draw(width)
            pictures[figure.name, width] = made = page.Picture(drawing.svg(), tuple(drawing.spots))
            if width == style.WIDE:
                files[figures / f"{figure.name}.svg"] = made.svg
                files[figures / f"{figure.name}.png"] = drawing.png()
    shown = [*report.tables(), *([ending.table] if ending.table else [])]
    for table in [*shown, *series.tables(facts)]:
        files[tables / f"{table.name}.csv"] = csvs.to_csv(table).encode("utf-8")
    files[directory / "report.md"] = markdown.to_markdown(report, ending).encode("utf-8")
    written = directory / "report.html"
    files[written] = page.to_html(report, ending, pictures).encode("utf-8")
    for folder in (figures, tables):
        folder.mkdir(parents=True, exist_ok=True)
    for path, data in files.items():
        write_file(path, data)
    _clear(figures, ("svg", "png"), files)
    _clear(tables, ("csv",), files)
    return written


def _clear(folder: Path, endings: tuple[str, ...], files: dict[Path, bytes]) -> None:
    for ending in endings:
        for old in sorted(folder.glob(f"*.{ending}")):
            if old not in files:
                old.unlink()

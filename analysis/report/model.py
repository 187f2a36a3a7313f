"""What a report is made of, before it becomes HTML, Markdown or CSV."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from analysis.plots.drawing import Drawing
from analysis.stats import Estimate

Value = str | int | float | Estimate | None


@dataclass(frozen=True)
class Column:
    """One column of a table.

    kind: "text"; "label" (a name from the config); "count" (games); "share" (0 to 1, shown in percent); "points"
    (a difference of shares, shown in percentage points); "number" (turns, ticks); "change" (a difference of numbers,
    with its sign); "chance" (a p-value).
    """

    key: str
    title: str
    kind: str = "text"


@dataclass(frozen=True)
class Table:
    """Rows of values under columns; `name` is the CSV file's name."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: str = ""
    turned: bool = False
    """Shown with rows and columns exchanged (few rows, many columns); the CSV file is not."""


@dataclass(frozen=True)
class Figure:
    """A picture: `draw(width)` makes it for a width in pixels; `alt` states what it shows, numbers included."""

    name: str
    alt: str
    draw: Callable[[int], Drawing] = field(repr=False)
    caption: str = ""


@dataclass(frozen=True)
class Block:
    """A picture with its table beside it; either may be absent."""

    figure: Figure | None = None
    table: Table | None = None


@dataclass(frozen=True)
class Section:
    """One question: the finding as its heading, then sentences, pictures with tables, and how to read them."""

    key: str
    topic: str
    heading: str
    text: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    how: str = ""


@dataclass(frozen=True)
class Report:
    """The whole report.  `answer`: two sentences.  `lead`: the one picture of the first screen."""

    name: str
    game: str
    question: str
    answer: tuple[str, ...]
    lead: Figure
    sections: tuple[Section, ...]
    numbered: tuple[str, ...] = ()
    """The cells' names in order, where the figures write numbers instead."""
    size: str = ""
    """One line: how many cells and games, which game."""

    def figures(self) -> tuple[Figure, ...]:
        """Every picture, the lead first."""
        found = [b.figure for s in self.sections for b in s.blocks if b.figure is not None]
        return (self.lead, *found)

    def tables(self) -> tuple[Table, ...]:
        """Every table, in page order."""
        return tuple(b.table for s in self.sections for b in s.blocks if b.table is not None)

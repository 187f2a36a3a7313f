"""Sections of a competitive game: which seat wins, with how many points, and what became of its pieces."""

from __future__ import annotations

import numpy as np

from analysis import stats
from analysis.plots import bars, dots, lines, style
from analysis.plots.drawing import Drawing, Key
from analysis.report import contest as words
from analysis.report import labels, numbers
from analysis.report.facts import LEVEL, CellFacts, Facts
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.sections import compared
from analysis.report.sections.common import MAPS, PANELS, TURNED, Shown
from analysis.report.text import name, sentence, tidy

BARS = 24
_SHARED = style.Mark(style.QUIET, "-", "o", "")
_NOBODY = style.Mark(style.RULE, "-", "o", "...")


def _seats(facts: Facts) -> list[str]:
    """Seats that play in any cell, in the game's order."""
    playing = {seat for cell in facts.cells for seat in words.standing(cell).seats}
    return [seat for seat in words.standing(facts.cells[0]).labels if seat in playing]


def lead(facts: Facts) -> Figure:
    """Who wins: each seat alone, several together, nobody."""
    shown = Shown(facts, 10, 10)
    seats = _seats(facts)
    keys = [Key(seat, style.mark(i), "area") for i, seat in enumerate(seats)]
    keys += [Key("shared", _SHARED, "area"), Key("nobody", _NOBODY, "area")]
    rows, told = [], []
    for label, cell in zip(shown.names, shown.cells, strict=True):
        one = words.standing(cell)
        counts = [*(one.alone(seat) for seat in seats), one.shared, one.nobody]
        rates = [stats.rate(count, one.n, LEVEL) for count in counts]
        texts = tuple(numbers.percent_with(e) for e in rates)
        rows.append(bars.Bar(label, tuple(count / one.n for count in counts), told=texts))
        parts = [f"{key.label} {numbers.percent(e)}" for key, e in zip(keys, rates, strict=True) if e.value]
        told.append(f"{name(cell.label)}: {', '.join(parts)}")

    def draw(width: int) -> Drawing:
        return bars.stacked("who-wins", width, rows, keys, "Share of all games")

    return Figure("who-wins", f"Who wins. {'. '.join(told)}.", draw, shown.caption)


def seats(facts: Facts) -> Section | None:
    """Games won by each seat; None for a game that the team wins or loses."""
    if facts.aspects.contest is None:
        return None
    shown, playing = Shown(facts, MAPS), _seats(facts)
    rows = []
    for label, cell in zip(shown.names, shown.cells, strict=True):
        for seat in words.standing(cell).seats:
            e = words.win_share(cell, seat)
            line = f"{label}, {seat}" if len(facts.cells) > 1 else seat
            rows.append(dots.Dot(line, e.value, e.low, e.high, numbers.percent_with(e)))

    def draw(width: int) -> Drawing:
        return dots.rates("seat-wins", width, rows, "Share of games that the seat won, with 95 % interval")

    columns = [Column("cell", "Cell", "label"), Column("games", "Games", "count")]
    columns += [Column(f"seat_{i + 1}", sentence(seat), "share") for i, seat in enumerate(playing)]
    columns += [Column("shared", "Shared", "share"), Column("nobody", "Nobody", "share")]
    table_rows: list[tuple[Value, ...]] = []
    for cell in facts.cells:
        one = words.standing(cell)
        won = [words.win_share(cell, seat) if seat in one.seats else None for seat in playing]
        rest = [stats.rate(count, one.n, LEVEL) for count in (one.shared, one.nobody)]
        table_rows.append((tidy(cell.label), one.n, *won, *rest))
    heading = words.seats_heading(facts)
    text = tuple(words.seats_finding(cell) for cell in facts.focus())
    table = Table("seat-wins", "Games won by each seat", tuple(columns), tuple(table_rows))
    return Section(
        "seats",
        "Seats",
        heading,
        text=text,
        blocks=(Block(Figure("seat-wins", f"Games won by seat. {' '.join(text)}", draw, shown.caption), table),),
        how=(
            "A shared win counts for each seat that shares it, so the seats may add up to more than 100 %. Seats of "
            "one game win at each other's cost: a difference between them is judged on the same games, with every pair "
            "of seats taken into account, not by whether two bars overlap."
        ),
    )


def points(facts: Facts) -> Section | None:
    """Points by seat; None for a game without."""
    if facts.aspects.contest is None:
        return None
    word = words.contest(facts).words[1]
    shown, playing = Shown(facts, PANELS), _seats(facts)
    marks = {seat: style.mark(i) for i, seat in enumerate(playing)}
    panels = []
    for label, cell in zip(shown.names, shown.cells, strict=True):
        one = words.standing(cell)
        drawn = tuple(_reached(one.points[seat], marks[seat]) for seat in one.seats)
        panels.append(lines.Panel(label if len(facts.cells) > 1 else "", drawn))
    keys = [Key(seat, mark) for seat, mark in marks.items()]

    def draw(width: int) -> Drawing:
        return lines.panels(
            "points",
            width,
            panels,
            keys,
            sentence(word),
            f"Share of games in which the seat has at most so many {word}",
            percent=True,
            word=sentence(word),
        )

    columns = [Column("cell", "Cell", "label")]
    for i, seat in enumerate(playing):
        columns.append(Column(f"mean_{i + 1}", f"{sentence(seat)}: mean", "number"))
        columns.append(Column(f"median_{i + 1}", f"{sentence(seat)}: middle", "number"))
    rows = tuple(_points_row(cell, playing) for cell in facts.cells)
    heading = words.points_heading(facts)
    figure = Figure("points", f"{sentence(word)} of the seats. {heading}.", draw, shown.caption)
    table = Table("points", f"{sentence(word)} a game", tuple(columns), rows, turned=len(rows) <= TURNED)
    return Section(
        "points",
        sentence(word),
        heading,
        blocks=(Block(figure, table),),
        how=(
            "A line climbs to 100 %: where it is at 50 %, half of the games leave the seat with so many or fewer. The "
            "line that lies to the right has more. The pale band holds for the whole line."
        ),
    )


def differences(facts: Facts) -> Section | None:
    """The declared comparisons in every respect; None where none was declared."""
    if facts.aspects.contest is None:
        return None
    measures = words.differences(facts)
    if not measures:
        return None
    wins = [m for m in measures if m.unit == "share"]
    others = [m for m in measures if m.unit == "number"]
    rows = []
    names = labels.names(facts)
    for m in wins:
        first, second = (names[facts.labels.index(label)] for label in (m.first, m.second))
        label = sentence(m.label) if len(facts.pairs) == 1 else f"{first} → {second}: {m.label}"
        d = m.difference
        rows.append(dots.Dot(label, d.value, d.low, d.high, numbers.points_with(d), m.clear))

    def draw(width: int) -> Drawing:
        return dots.differences("compared", width, rows, "Difference in percentage points of all games")

    told = "; ".join(f"{m.label} {numbers.points_with(m.difference)}" for m in wins[:6])
    caption = "Filled dots: clear differences. Open dots: cannot be told apart."
    figure = Figure("compared", f"Differences in who wins: {told}.", draw, caption) if wins else None
    blocks = []
    if wins:
        table = compared.table("compared-shares", "Games won by each seat, on common trials", wins, "points")
        blocks.append(Block(figure if len(wins) <= compared.ROWS else None, table))
    if others:
        numbers_table = compared.table("compared-numbers", "Numbers a game, on common trials", others, "change")
        blocks.append(Block(None, numbers_table))
    return Section(
        "compared",
        "What differs",
        compared.heading(measures),
        blocks=tuple(blocks),
        how=(
            "Both cells of a row met the same chance, trial by trial; the difference is the second minus the first. "
            "Clear needs both: an interval that leaves zero out and a test that rejects “no difference”, every row of "
            "this section taken into account."
        ),
    )


def _reached(counts: np.ndarray, mark: style.Mark) -> lines.Line:
    """The share of games with at most 0, 1, … points."""
    band = stats.cumulative_incidence(counts, int(counts.sum()), LEVEL)
    return lines.Line(mark, band.x - 1, band.value, band.low, band.high)


def _points_row(cell: CellFacts, playing: list[str]) -> tuple[Value, ...]:
    one = words.standing(cell)
    row: list[Value] = [tidy(cell.label)]
    for seat in playing:
        if seat not in one.seats:
            row += [None, None]
            continue
        counts = one.points[seat]
        row += [words.points_mean(cell, seat), stats.quantile(counts, np.arange(len(counts)), 0.5, LEVEL)]
    return tuple(row)


def fates(facts: Facts) -> Section | None:
    """What became of the pieces; None where the game declares nothing."""
    declared = facts.aspects.contest.fates if facts.aspects.contest else None
    if declared is None:
        return None
    shown = Shown(facts, BARS)
    keys = [Key(label, style.mark(i), "area") for i, (_, label) in enumerate(declared.parts)]
    rows, told = [], []
    for label, cell in zip(shown.names, shown.cells, strict=True):
        found = [words.fate(cell, key) for key, _ in declared.parts]
        texts = tuple(numbers.percent_with(e) if e is not None else "" for e in found)
        rows.append(bars.Bar(label, tuple(0.0 if e is None else e.value for e in found), told=texts))
        parts = [f"{key.label} {numbers.percent(e)}" for key, e in zip(keys, found, strict=True) if e and e.value]
        told.append(f"{name(cell.label)}: {', '.join(parts)}")

    def draw(width: int) -> Drawing:
        return bars.stacked("fates", width, rows, keys, f"Share of all {declared.label.lower()}")

    columns = [Column("cell", "Cell", "label")]
    for key, label in declared.parts:
        columns += [Column(key, f"{sentence(label)}, a game", "number"), Column(f"{key}_share", "share", "share")]
    table_rows = []
    for cell in facts.cells:
        row: list[Value] = [tidy(cell.label)]
        for key, _ in declared.parts:
            m = words.standing(cell).fates[key]
            row += [stats.mean(m.n, m.x, m.xx, LEVEL, low=0.0), words.fate(cell, key)]
        table_rows.append(tuple(row))
    return Section(
        "fates",
        f"What became of the {declared.label.lower()}",
        words.fates_heading(facts),
        blocks=(
            Block(
                Figure(
                    "fates", f"{declared.label} by what became of them. {'. '.join(told[:6])}.", draw, shown.caption
                ),
                Table(
                    "fates",
                    f"{declared.label} by what became of them",
                    tuple(columns),
                    tuple(table_rows),
                    turned=len(table_rows) <= TURNED,
                ),
            ),
        ),
        how=(
            f"Every one of the {declared.label.lower()} of a game has one end; the bar splits all of them. Games are "
            "the sample, so the intervals allow for what happens to several in one game at once."
        ),
    )

"""Luck and skill: when games are decided, how much the setup settles, which openings lose."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from analysis import stats
from analysis.likeness import SURE
from analysis.plots import board, lines, style
from analysis.plots.drawing import Drawing, Key
from analysis.report import numbers
from analysis.report.facts import ALPHA, LEVEL, CellFacts, Facts
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.outer import outer
from analysis.report.sections.common import MAPS, PANELS, TABLED, Shown, last_turn, some, turn_line
from analysis.report.sections.places import place_names
from analysis.report.text import name, sentence, tidy
from analysis.stats import Estimate

# Openings named in a sentence.
NAMED = 3


def section(facts: Facts) -> Section | None:
    """What is decided when; None where the game declares neither progress nor openings."""
    if not any(c.likeness is not None or c.start is not None for c in facts.cells):
        return None
    blocks: list[Block] = []
    text: list[str] = []
    if any(c.likeness is not None for c in facts.cells):
        blocks.append(_decided(facts))
    if any(c.redealt is not None for c in facts.cells):
        blocks.append(Block(None, _settled(facts)))
        text += [t for c in facts.cells if (t := settled_text(c))][:4]
    cells, note = some(facts)
    made = tables(facts, cells, note)
    figure = _map(facts)
    blocks += [Block(figure if i == 0 else None, table) for i, table in enumerate(made)]
    if figure is not None and not made:
        blocks.append(Block(figure, None))
    text += [t for c in facts.focus() for t in (openings_text(facts, c), places_text(facts, c)) if t]
    return Section(
        "luck",
        "Luck and skill",
        heading(facts),
        text=tuple(text),
        blocks=tuple(blocks),
        how=(
            f"A game is decided from the turn on from which at least {100 * SURE:.0f} % of the games that look like it "
            "end as it does (won, or not), at the latest when it is over. What a setup settles is the share of the "
            "differences between games that goes with their setup, when each setup is played several times with fresh "
            "cards and floods: 0 % would be pure luck after the setup, 100 % a game decided by the deal. Openings are "
            "compared with all other openings of the cell; “clear” takes all of them into account."
        ),
    )


def heading(facts: Facts) -> str:
    """What the setup settles, where that is known, and when half of the games are decided."""
    parts = []
    for cell in facts.focus():
        if cell.likeness is not None:
            turns = np.arange(cell.likeness.decided.size)
            middle = stats.quantile(cell.likeness.decided, turns, 0.5, LEVEL)
            parts.append(f"turn {middle.value:.0f} in {name(cell.label)}")
    decided = f"half of the games are decided by {numbers.join(parts)}" if parts else "what openings tell"
    settled = []
    for cell in facts.focus():
        e = stats.shared_variance(cell.redealt, LEVEL) if cell.redealt is not None and cell.redealt.sum() else None
        if e is not None and e.low > 0:
            settled.append(f"{numbers.percent(e)} in {name(cell.label)}")
    if settled and parts:
        return f"The setup settles {numbers.join(settled)} of the differences in winning; {decided}"
    return sentence(decided)


def _decided(facts: Facts) -> Block:
    shown = Shown(facts, PANELS)
    last = last_turn(shown.cells)
    marks = style.mark(0), style.Mark(style.MUTED, (0, (2, 2)), "", "")
    panels, told = [], []
    for label, cell in zip(shown.names, shown.cells, strict=True):
        if cell.likeness is None:
            continue
        by_then = stats.cumulative_incidence(cell.likeness.decided[1:], cell.likeness.n, LEVEL)
        over = stats.cumulative_incidence(cell.endings.total, cell.n, LEVEL)
        drawn = turn_line(by_then, marks[0], last), turn_line(over, marks[1], last, banded=False)
        panels.append(lines.Panel(label if len(facts.cells) > 1 else "", drawn))
        middle = stats.quantile(cell.likeness.decided, np.arange(cell.likeness.decided.size), 0.5, LEVEL)
        told.append(f"{name(cell.label)}: half by turn {middle.value:.0f}")
    keys = [Key("decided", marks[0]), Key("over", marks[1])]

    def draw(width: int) -> Drawing:
        axis = "Share of all games by the end of the turn"
        return lines.panels("decided", width, panels, keys, "Turn", axis, percent=True)

    columns = (
        Column("cell", "Cell", "label"),
        Column("looked_at", "Games looked at", "count"),
        *(Column(f"q{q}", f"{q} % decided by turn", "number") for q in (10, 25, 50, 75, 90)),
        Column("before", "Decided before their last turn", "share"),
    )
    rows: list[tuple[Value, ...]] = []
    for cell in facts.cells:
        found = cell.likeness
        if found is None:
            continue
        turns = np.arange(found.decided.size)
        quantiles = [stats.quantile(found.decided, turns, q / 100, LEVEL) for q in (10, 25, 50, 75, 90)]
        rows.append((tidy(cell.label), found.n, *quantiles, stats.rate(found.early, found.n, LEVEL)))
    figure = Figure("decided", f"Games decided by turn. {'; '.join(told)}.", draw, shown.caption)
    return Block(figure, Table("decided", "When games are decided", columns, tuple(rows)))


# What the setup settles


def _settled(facts: Facts) -> Table:
    columns = (
        Column("cell", "Cell", "label"),
        Column("same", "Games a setup", "count"),
        Column("setups", "Setups", "count"),
        Column("settled", "Settled by the setup", "share"),
    )
    rows: list[tuple[Value, ...]] = []
    for cell in facts.cells:
        if cell.redealt is not None and cell.redealt.sum():
            e = stats.shared_variance(cell.redealt, LEVEL)
            rows.append((tidy(cell.label), cell.same_setup, int(cell.redealt.sum()), e))
    return Table("settled", "How much of winning the setup settles", columns, tuple(rows))


def settled_text(cell: CellFacts) -> str:
    """How much of winning is settled by the setup, and what it does to the other intervals of the page."""
    e = stats.shared_variance(cell.redealt, LEVEL) if cell.redealt is not None and cell.redealt.sum() else None
    if e is None:
        return ""
    where = f"In {name(cell.label)}"
    wider = sqrt(1 + (cell.same_setup - 1) * max(0.0, e.high))
    note = (
        f" (Its games come {cell.same_setup} to a setup; the intervals of its win rate and causes take them for "
        f"separate games, and are at most {100 * (wider - 1):.0f} % too narrow for it.)"
        if wider >= 1.005
        else ""
    )
    if e.low <= 0:
        most = f"at most {numbers.share(e.high)} of the differences in winning"
        return f"{where}, the setup settles nothing that can be told from chance, {most}.{note}"
    return (
        f"{where}, the setup settles {numbers.percent_with(e)} of the differences in winning; the rest falls later, in "
        f"cards, floods and what the players do.{note}"
    )


# Openings


@dataclass(frozen=True)
class Opened:
    """Openings with one member of a set: rate with it minus without, adjusted p, and whether it is clear."""

    label: str
    games: int
    with_it: Estimate
    difference: Estimate
    p_value: float
    clear: bool


def opened(cell: CellFacts, column: str) -> list[Opened]:
    """Every member of a set column, in its order; Holm over all."""
    start = cell.start
    if start is None:
        return []
    counts = {label: pair for label, pair in start.sets[column].items() if 0 < pair[1] < start.n}
    if not counts:
        return []
    without = {label: (start.won - won, start.n - games) for label, (won, games) in counts.items()}
    p_values = stats.holm([stats.fisher(without[label], counts[label]) for label in counts])
    made = []
    for (label, both), p in zip(counts.items(), p_values, strict=True):
        d = stats.rate_difference(without[label], both, LEVEL)
        clear = bool(p < ALPHA and not d.low <= 0.0 <= d.high)
        made.append(Opened(label, both[1], stats.rate(*both, LEVEL), d, float(p), clear))
    return made


def openings_text(facts: Facts, cell: CellFacts) -> str:
    """The openings that surely lose games."""
    told = []
    for one in facts.aspects.openings:
        found = [] if one.place else opened(cell, one.column)
        if not found:
            continue
        worse = sorted((o for o in found if o.clear and o.difference.value < 0), key=lambda o: o.difference.value)
        where = f"in {name(cell.label)}"
        if not worse:
            told.append(f"{one.label}: none clearly lowers the win rate {where}.")
            continue
        parts = [f"{o.label} {numbers.points_with(o.difference)}" for o in worse[:NAMED]]
        more = f", and {len(worse) - NAMED} more" if len(worse) > NAMED else ""
        told.append(f"{one.label}, clearly costing wins {where} (percentage points): {numbers.join(parts)}{more}.")
    return " ".join(told)


def places_text(facts: Facts, cell: CellFacts) -> str:
    """Whether it matters where the declared tile lies."""
    told = []
    for one in facts.aspects.openings:
        if not one.place or cell.start is None or cell.layout is None:
            continue
        table = cell.start.places[one.column]
        where = f"in {name(cell.label)}"
        test = stats.homogeneity(table[:, 0], table[:, 1])
        names = place_names(cell.layout.cells)
        if len(table) > len(names):
            continue
        found = outer({names[i]: (int(won), int(games)) for i, (won, games) in enumerate(table)})
        if found is None or test.p_value >= ALPHA or not found.apart:
            told.append(f"{one.label}: no place is clearly better or worse {where}.")
        else:
            told.append(
                f"{one.label}: games are won most often {where} with it at {found.most} "
                f"({numbers.percent_with(found.high)}), least often at {found.least} "
                f"({numbers.percent_with(found.low)})."
            )
    return " ".join(told)


def _map(facts: Facts) -> Figure | None:
    one = next((o for o in facts.aspects.openings if o.place), None)
    shown = Shown(facts, MAPS, TABLED)
    maps = []
    for label, cell in zip(shown.names, shown.cells, strict=True):
        if one is None or cell.start is None or cell.layout is None:
            continue
        table = cell.start.places[one.column]
        if len(table) != len(cell.layout.cells) or not (table[:, 1] > 0).all():
            continue
        shares = tuple(1 - float(won) / games for won, games in table)
        maps.append(board.Board(label if len(facts.cells) > 1 else "", cell.layout.cells, shares, cell.layout.grid))
    if one is None or not maps:
        return None
    axis = f"{one.label}: share of games not won with it there"

    def draw(width: int) -> Drawing:
        return board.boards("openings", width, maps, axis)

    low, high = min(min(m.shares) for m in maps), max(max(m.shares) for m in maps)
    return Figure("openings", f"{axis}: {numbers.share(low)} to {numbers.share(high)}.", draw, shown.caption)


def tables(facts: Facts, cells: tuple[CellFacts, ...], note: str = "") -> list[Table]:
    """Openings of these cells, the most loss-making first."""
    made = []
    for one in facts.aspects.openings:
        rows: list[tuple[Value, ...]] = []
        for cell in cells:
            rows += _place_rows(cell, one.column) if one.place else _set_rows(cell, one.column)
        if not rows:
            continue
        columns = [Column("cell", "Cell", "label"), Column("opening", one.label), Column("games", "Games", "count")]
        columns += [Column("win_rate", "Win rate", "share")]
        if not one.place:
            columns += [
                Column("difference", "With it minus without (points)", "points"),
                Column("p_adjusted", "Adjusted p", "chance"),
                Column("verdict", "Verdict"),
            ]
        slug = f"openings-{one.column.replace('_', '-')}"
        made.append(Table(slug, f"Openings: {sentence(one.label)}", tuple(columns), tuple(rows), note))
    return made


def _set_rows(cell: CellFacts, column: str) -> list[tuple[Value, ...]]:
    rows: list[tuple[Value, ...]] = []
    for o in sorted(opened(cell, column), key=lambda o: o.difference.value):
        verdict = ("wins more" if o.difference.value > 0 else "wins less") if o.clear else "cannot be told apart"
        rows.append((tidy(cell.label), o.label, o.games, o.with_it, o.difference, o.p_value, verdict))
    return rows


def _place_rows(cell: CellFacts, column: str) -> list[tuple[Value, ...]]:
    if cell.start is None or cell.layout is None:
        return []
    table, names = cell.start.places[column], place_names(cell.layout.cells)
    found = [(names[i], int(w), int(g)) for i, (w, g) in enumerate(table) if i < len(names) and g]
    found.sort(key=lambda one: one[1] / one[2])
    return [(tidy(cell.label), place, g, stats.rate(w, g, LEVEL)) for place, w, g in found]

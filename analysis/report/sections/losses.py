"""How games are lost: what was taken, how far the team had come, when the game was as good as lost."""

from __future__ import annotations

import numpy as np

from analysis import stats
from analysis.likeness import SURE, Likeness
from analysis.losing import Losing, Members
from analysis.plots import bars, style
from analysis.plots.drawing import Drawing, Key
from analysis.report import numbers
from analysis.report.facts import LEVEL, WON, CellFacts, Facts
from analysis.report.findings import number_word
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.outer import outer
from analysis.report.sections.common import Shown, parts, some
from analysis.report.text import name, sentence, tidy
from analysis.stats import Estimate

BARS = 24


def section(facts: Facts) -> Section | None:
    """What lost games have in common; None where the game declares nothing of it or no game was lost."""
    if not any(c.losing is not None and c.outcomes.won < c.n for c in facts.cells):
        return None
    blocks: list[Block] = []
    text: list[str] = []
    if facts.milestones:
        blocks.append(_close(facts))
    for detail in facts.aspects.details:
        text += [t for c in facts.focus() if (t := taken_text(facts, c, detail.cause))]
    cells, note = some(facts)
    blocks += [Block(None, table) for table in tables(facts, cells, note)]
    if any(c.likeness is not None for c in facts.cells):
        text += [t for c in facts.focus() if (t := lost_text(c))]
        blocks.append(Block(None, _lost_table(facts)))
    return Section(
        "losses",
        "How games are lost",
        heading(facts),
        text=tuple(text),
        blocks=tuple(blocks),
        how=(
            f"A game is as good as lost from the turn on from which at most {100 * (1 - SURE):.0f} % of the games that "
            "look like it are won. Games look alike when as many turns are over and they agree in "
            f"{numbers.join([p.label for p in facts.aspects.progress]) or 'nothing else'}; their win rate is taken "
            "from the other half of the trials. Any other loss was still open the turn before."
        ),
    )


def tables(facts: Facts, cells: tuple[CellFacts, ...], note: str = "") -> list[Table]:
    """The long tables, several rows a cell."""
    made = (_taken_table(facts, cells, note), _parts_table(facts, cells, note), _ends_table(facts, cells, note))
    return [table for table in made if table is not None]


def heading(facts: Facts) -> str:
    """How far the teams that did not win had come."""
    parts = []
    k = len(facts.milestones)
    for cell in facts.focus():
        lost = cell.n - cell.outcomes.won
        if cell.losing is not None and lost and k:
            every = stats.rate(_unwon(cell.losing)[k], lost, LEVEL)
            parts.append(f"{numbers.percent(every)} in {name(cell.label)}")
    if not parts:
        return "What lies behind the games not won"
    return f"Of the games not won, {numbers.join(parts)} had all {number_word(k)} {facts.words[1]}"


def _unwon(losing: Losing) -> np.ndarray:
    return np.sum([counts for ending, counts in losing.reached.items() if ending != WON], axis=0)


def _close(facts: Facts) -> Block:
    shown = Shown(facts, BARS)
    k = len(facts.milestones)
    cells = [(label, c) for label, c in zip(shown.names, shown.cells, strict=True) if c.losing is not None]
    rows, told = [], []
    for label, cell in cells:
        assert cell.losing is not None
        counts, lost = _unwon(cell.losing), cell.n - cell.outcomes.won
        shares, texts = parts([int(v) for v in counts], lost)
        rows.append(bars.Bar(label, shares, told=texts))
        average = float(counts @ np.arange(k + 1)) / lost if lost else 0.0
        told.append(f"{name(cell.label)}: {average:.1f} on average")
    keys = [Key(f"{i} {facts.words[0] if i == 1 else facts.words[1]}", style.mark(i), "area") for i in range(k + 1)]

    def draw(width: int) -> Drawing:
        return bars.stacked("how-close", width, rows, keys, "Share of the games that were not won")

    columns = (
        Column("cell", "Cell", "label"),
        Column("ending", "Ended by"),
        Column("games", "Games", "count"),
        Column("mean", f"{facts.words[1].capitalize()} by then", "number"),
        Column("all", f"All {k}", "share"),
        Column("turns_after", f"Turns after the last of {k} (middle)", "number"),
    )
    table_rows: list[tuple[Value, ...]] = []
    endings = [(c.name, sentence(c.label)) for c in facts.causes] + [(WON, "(games won, to compare)")]
    for _, cell in cells:
        assert cell.losing is not None
        for key, label in endings:
            counts = cell.losing.reached[key]
            n = int(counts.sum())
            if n:
                after = cell.losing.after_last[key]
                middle = stats.quantile(after, np.arange(after.size), 0.5, LEVEL) if after.sum() else None
                mean = stats.mean_of_histogram(counts, np.arange(k + 1), LEVEL)
                table_rows.append((tidy(cell.label), label, n, mean, stats.rate(int(counts[k]), n, LEVEL), middle))
    figure = Figure("how-close", f"Games not won by {facts.words[1]} reached. {'; '.join(told)}.", draw, shown.caption)
    return Block(figure, Table("how-close", "How close lost games came", columns, tuple(table_rows)))


def _rates_of(members: Members) -> dict[str, tuple[int, int]]:
    """Member -> (games in which it was taken, games in which it could be)."""
    if members.played:
        return {label: (k, members.played[label]) for label, k in members.counts.items()}
    return {label: (k, members.n) for label, k in members.counts.items()}


def taken_text(facts: Facts, cell: CellFacts, cause: str) -> str:
    """Whether one member (a treasure, a role) stands out among what a cause takes."""
    if cell.losing is None or cause not in cell.losing.members:
        return ""
    members = cell.losing.members[cause]
    found = outer(_rates_of(members)) if members.n else None
    if found is None:
        return ""
    label = next(c.label for c in facts.causes if c.name == cause)
    where = f"in {name(cell.label)}"
    if not found.apart:
        return f"{sentence(label)} ({numbers.games(members.n)} {where}): no {members.word} stands out."
    of = "of its games" if members.played else "of these games"
    return (
        f"{sentence(label)} ({numbers.games(members.n)} {where}): {sentence(found.most)} most often, in "
        f"{numbers.percent_with(found.high)} {of}, {sentence(found.least)} least often, in "
        f"{numbers.percent_with(found.low)}."
    )


def _taken_table(facts: Facts, cells: tuple[CellFacts, ...], note: str) -> Table | None:
    columns = (
        Column("cell", "Cell", "label"),
        Column("cause", "Cause"),
        Column("what", "What was taken"),
        Column("games", "Games", "count"),
        Column("share", "Share", "share"),
    )
    rows: list[tuple[Value, ...]] = []
    labels = {c.name: sentence(c.label) for c in facts.causes}
    for cell in cells:
        for cause, members in (cell.losing.members if cell.losing else {}).items():
            for member, (k, n) in _rates_of(members).items():
                if n and members.n:
                    row = (tidy(cell.label), labels[cause], sentence(member), k, stats.rate(k, n, LEVEL))
                    rows.append(row)
    if not rows:
        return None
    told = f"Share of the games that ended for the cause; of a role, of all games that it played in. {note}".rstrip()
    return Table("taken", "What the causes took", columns, tuple(rows), told)


def _parts_table(facts: Facts, cells: tuple[CellFacts, ...], note: str) -> Table | None:
    columns = (
        Column("cell", "Cell", "label"),
        Column("cause", "Cause"),
        Column("part", "Last to go"),
        Column("share", "Share of these games", "share"),
    )
    rows: list[tuple[Value, ...]] = []
    labels = {c.name: sentence(c.label) for c in facts.causes}
    for cell in cells:
        for cause, members in (cell.losing.members if cell.losing else {}).items():
            if members.n:
                for part, k in members.parts.items():
                    rows.append((tidy(cell.label), labels[cause], facts.tile(part), stats.rate(k, members.n, LEVEL)))
    return Table("last-to-go", "Which tile's loss ended the game", columns, tuple(rows), note) if rows else None


def _ends_table(facts: Facts, cells: tuple[CellFacts, ...], note: str) -> Table | None:
    told = {key for key, _ in facts.aspects.end}
    if not told:
        return None
    columns = [Column("cell", "Cell", "label"), Column("ending", "Ended by")]
    for key, label in facts.aspects.end:
        columns += [Column(key, f"{sentence(label)}, mean", "number"), Column(f"{key}_middle", "middle", "number")]
    rows: list[tuple[Value, ...]] = []
    endings = [(c.name, sentence(c.label)) for c in facts.causes] + [(WON, "(games won, to compare)")]
    for cell in cells:
        if cell.losing is None:
            continue
        for ending, label in endings:
            row: list[Value] = [tidy(cell.label), label]
            for key, _ in facts.aspects.end:
                counts = cell.losing.end[key][ending]
                row += _mean_and_middle(counts)
            if row[2] is not None:
                rows.append(tuple(row))
    return Table("at-the-end", "Where games stood at their end", tuple(columns), tuple(rows), note) if rows else None


def _mean_and_middle(counts: np.ndarray) -> list[Estimate | None]:
    if not counts.sum():
        return [None, None]
    values = np.arange(counts.size)
    return [stats.mean_of_histogram(counts, values, LEVEL), stats.quantile(counts, values, 0.5, LEVEL)]


def lost_text(cell: CellFacts) -> str:
    """How many lost games were as good as lost before they ended, and for how long."""
    found = cell.likeness
    if found is None or not found.margin.sum():
        return ""
    early, n = int(found.margin[1:].sum()), int(found.margin.sum())
    share = stats.rate(early, n, LEVEL)
    where = f"in {name(cell.label)}"
    if not early:
        return f"No game {where} was as good as lost before its last turn: every loss was still open the turn before."
    middle = stats.quantile(_before(found), np.arange(found.margin.size), 0.5, LEVEL)
    turns = f"{middle.value:.0f} turn{'' if middle.value == 1 else 's'}"
    return (
        f"Of the games not won {where}, {numbers.percent_with(share)} were as good as lost before their last turn, "
        f"half of those for {turns} or more; the others were still open the turn before."
    )


def _before(found: Likeness) -> np.ndarray:
    counts = found.margin.copy()
    counts[0] = 0
    return counts


def _lost_table(facts: Facts) -> Table:
    columns = (
        Column("cell", "Cell", "label"),
        Column("looked_at", "Games looked at", "count"),
        Column("early", "As good as lost before the last turn", "share"),
        Column("margin", "For so many turns (middle)", "number"),
        Column("turn", "Lost from turn (middle)", "number"),
    )
    rows: list[tuple[Value, ...]] = []
    for cell in facts.cells:
        found = cell.likeness
        if found is None or not found.margin.sum():
            continue
        early, n = int(found.margin[1:].sum()), int(found.margin.sum())
        turns = np.arange(found.margin.size)
        middle = stats.quantile(_before(found), turns, 0.5, LEVEL) if early else None
        lost = stats.quantile(found.lost, turns, 0.5, LEVEL)
        rows.append((tidy(cell.label), found.n, stats.rate(early, n, LEVEL), middle, lost))
    return Table("as-good-as-lost", "When games not won were as good as lost", columns, tuple(rows))

"""What players do: actions by kind, cards used and wasted, turns with little to choose, shoring against losing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis import stats
from analysis.effort import WIDTH, Moments
from analysis.plots import bars, style
from analysis.plots.drawing import Drawing, Key
from analysis.report import numbers
from analysis.report.facts import ALPHA, LEVEL, CellFacts, Facts
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.sections.common import TURNED, Shown, some
from analysis.report.text import name, sentence, tidy
from analysis.stats import Estimate

BARS = 24
# Games are sorted by their shoring into so many groups of about equal size.
GROUPS = 5


def section(facts: Facts) -> Section | None:
    """Efforts, specials, choices, shoring; None where the game declares none."""
    if not any(c.effort is not None for c in facts.cells):
        return None
    cells, note = some(facts)
    made = tables(facts, cells, note)
    drawn = [_parts_figure(facts, i) if one.whole else None for i, one in enumerate(facts.aspects.efforts)]
    blocks = [Block(figure, table) for figure, table in zip(drawn, made, strict=False)]
    blocks += [Block(None, t) for t in (*made[len(drawn) :], _choices(facts)) if t is not None]
    text = [t for c in facts.focus() for t in (choices_text(c), shoring_text(facts, c)) if t]
    return Section(
        "effort",
        "What players do",
        heading(facts),
        text=tuple(text),
        blocks=tuple(blocks),
        how=(
            "Shares are of all actions, cards or turns of the cell together, so long games weigh more. A turn with "
            "nothing to choose begins where nothing can be done on the spot but move on; one with one choice has a "
            "single kind of thing to do. The groups of games by shoring show what goes together, not what follows from "
            "what: a game that goes badly may leave more to shore up."
        ),
    )


def tables(facts: Facts, cells: tuple[CellFacts, ...], note: str = "") -> list[Table]:
    """The long tables: each effort by kind, special cards, shoring against winning."""
    made = [_parts(facts, i, cells, note) for i in range(len(facts.aspects.efforts))]
    return made + [t for t in (_specials(facts, cells, note), _shoring(facts, cells, note)) if t is not None]


def _share(m: Moments, level: float = LEVEL) -> Estimate | None:
    return stats.share_of_total(m.n, m.x, m.y, m.xx, m.yy, m.xy, level) if m.n else None


def _mean(m: Moments) -> Estimate:
    return stats.mean(m.n, m.x, m.xx, LEVEL, low=0.0)


def heading(facts: Facts) -> str:
    """The largest part of the first effort, where it surely is the largest."""
    one = facts.aspects.efforts[0]
    labels = dict(one.parts)
    told: dict[str, str] = {}
    for cell in facts.focus():
        parts = cell.effort.parts[one.name] if cell.effort is not None else {}
        shares = {key: share for key, m in parts.items() if (share := _share(m)) is not None}
        if not shares:
            continue
        order = sorted(shares, key=lambda key: -shares[key].value)
        # Picked out of all kinds, so each interval takes its part of the error.
        level = 1 - ALPHA / len(order)
        most, next_one = (_share(parts[key], level) for key in (order + order)[:2])
        assert most is not None
        assert next_one is not None
        sure = len(order) == 1 or most.low > next_one.high
        what = labels[order[0]] if sure else f"{labels[order[0]]} and {labels[order[1]]}"
        size = numbers.percent(shares[order[0]])
        told[f"{size if sure else f'about {size} each'} in {name(cell.label)}"] = what
    if not told:
        return f"{one.label}: none"
    if len(set(told.values())) == 1:
        return f"{one.label} go most to {next(iter(told.values()))}: {numbers.join(list(told))}"
    return f"{one.label} go most to {numbers.join([f'{what}, {share}' for share, what in told.items()])}"


def _parts(facts: Facts, index: int, cells: tuple[CellFacts, ...], note: str) -> Table:
    one = facts.aspects.efforts[index]
    columns = [Column("cell", "Cell", "label")]
    for key, label in one.parts:
        columns.append(Column(key, f"{sentence(label)} a game", "number"))
        if one.whole:
            columns.append(Column(f"{key}_share", "share", "share"))
    rows: list[tuple[Value, ...]] = []
    for cell in cells:
        if cell.effort is None:
            continue
        row: list[Value] = [tidy(cell.label)]
        for key, _ in one.parts:
            m = cell.effort.parts[one.name][key]
            row.append(_mean(m))
            if one.whole:
                row.append(_share(m))
        rows.append(tuple(row))
    turned = len(rows) <= TURNED
    return Table(f"effort-{one.name}", f"{one.label}, by kind", tuple(columns), tuple(rows), note, turned)


def _parts_figure(facts: Facts, index: int) -> Figure:
    one = facts.aspects.efforts[index]
    shown = Shown(facts, BARS)
    rows, told = [], []
    for label, cell in zip(shown.names, shown.cells, strict=True):
        if cell.effort is None:
            continue
        found = cell.effort.parts[one.name]
        shares = tuple(m.x / m.y if m.y else 0.0 for m in (found[key] for key, _ in one.parts))
        estimates = [_share(found[key]) for key, _ in one.parts]
        rows.append(
            bars.Bar(label, shares, told=tuple("" if e is None else numbers.percent_with(e) for e in estimates))
        )
        parts = [f"{words} {numbers.share(s)}" for (_, words), s in zip(one.parts, shares, strict=True) if s]
        told.append(f"{name(cell.label)}: {', '.join(parts)}")
    keys = [Key(label, style.mark(i), "area") for i, (_, label) in enumerate(one.parts)]
    slug = f"effort-{one.name}"

    def draw(width: int) -> Drawing:
        return bars.stacked(slug, width, rows, keys, f"Share of all {one.label[:1].lower()}{one.label[1:]}")

    return Figure(slug, f"{one.label} by kind. {'. '.join(told[:6])}.", draw, shown.caption)


def _specials(facts: Facts, cells: tuple[CellFacts, ...], note: str) -> Table | None:
    if not facts.aspects.specials:
        return None
    columns = (
        Column("cell", "Cell", "label"),
        Column("what", "Card"),
        Column("used", "Used a game", "number"),
        Column("wasted", "Wasted a game", "number"),
        Column("share", "Share wasted", "share"),
    )
    rows: list[tuple[Value, ...]] = []
    for cell in cells:
        for special in facts.aspects.specials if cell.effort else ():
            assert cell.effort is not None
            m = cell.effort.specials[special.label]
            used = stats.mean(m.n, m.y - m.x, m.yy - 2 * m.xy + m.xx, LEVEL, low=0.0)
            rows.append((tidy(cell.label), special.label, used, _mean(m), _share(m)))
    return Table("specials", "Special cards used and wasted", columns, tuple(rows), note)


def _choices(facts: Facts) -> Table | None:
    cells = [(c, c.effort.choices) for c in facts.cells if c.effort is not None and c.effort.choices is not None]
    if not cells:
        return None
    columns = (
        Column("cell", "Cell", "label"),
        Column("nothing", "Turns that begin with nothing to choose", "share"),
        Column("at_most_one", "with at most one choice", "share"),
    )
    rows = tuple((tidy(c.label), _share(nothing), _share(one)) for c, (nothing, one) in cells)
    note = ""
    declared = facts.aspects.choices
    if declared:
        found = next((c.meaning for c in facts.columns if c.name == declared[0]), "")
        note = f"Nothing to choose: {found[:1].lower()}{found[1:]}." if found else ""
    return Table("choices", "How much there is to choose", columns, rows, note)


def choices_text(cell: CellFacts) -> str:
    """How many turns offer at most one thing to do."""
    if cell.effort is None or cell.effort.choices is None:
        return ""
    nothing, one = (_share(m) for m in cell.effort.choices)
    if nothing is None or one is None:
        return ""
    return (
        f"In {name(cell.label)}, {numbers.percent_with(one)} of the turns begin with at most one kind of thing to do "
        f"on the spot, {numbers.percent_with(nothing)} with none."
    )


@dataclass(frozen=True)
class Group:
    """Games with about equal effort: from `low` up to (not with) `high` a turn."""

    low: float
    high: float | None
    won: int
    games: int


def groups(counts: np.ndarray) -> list[Group]:
    """At most GROUPS groups of about equal size, whole bins each; `counts` as `analysis.effort.Effort.shoring`."""
    total = counts.sum(axis=0)
    n = int(total.sum())
    made: list[Group] = []
    first = 0
    games = won = 0
    for at in range(total.size):
        games, won = games + int(total[at]), won + int(counts[1, at])
        left = int(total[at + 1 :].sum())
        if games >= n / GROUPS and left >= n / (2 * GROUPS):
            made.append(Group(first * WIDTH, (at + 1) * WIDTH, won, games))
            first, games, won = at + 1, 0, 0
    if games:
        made.append(Group(first * WIDTH, None, won, games))
    return made


def _shoring(facts: Facts, cells: tuple[CellFacts, ...], note: str) -> Table | None:
    if facts.aspects.shoring is None:
        return None
    label = facts.aspects.shoring[1]
    columns = (
        Column("cell", "Cell", "label"),
        Column("effort", f"{sentence(label)} a turn"),
        Column("games", "Games", "count"),
        Column("win_rate", "Win rate", "share"),
    )
    rows: list[tuple[Value, ...]] = []
    for cell in cells:
        if cell.effort is None or cell.effort.shoring is None:
            continue
        for g in groups(cell.effort.shoring):
            span = f"{g.low:.1f} and more" if g.high is None else f"{g.low:.1f} to below {g.high:.1f}"
            rows.append((tidy(cell.label), span, g.games, stats.rate(g.won, g.games, LEVEL)))
    return Table("shoring", f"Win rate by {label} a turn", columns, tuple(rows), note) if rows else None


def shoring_text(facts: Facts, cell: CellFacts) -> str:
    """Whether games with the most and with the least of the effort end differently."""
    if facts.aspects.shoring is None or cell.effort is None or cell.effort.shoring is None:
        return ""
    found = groups(cell.effort.shoring)
    if len(found) < 2:
        return ""
    label, where = facts.aspects.shoring[1], f"in {name(cell.label)}"
    least, most = found[0], found[-1]
    difference = stats.rate_difference((least.won, least.games), (most.won, most.games), 1 - ALPHA)
    p = stats.fisher((least.won, least.games), (most.won, most.games))
    if p >= ALPHA or difference.low <= 0.0 <= difference.high:
        return f"Games with the most and with the least {label} a turn are won about as often {where}."
    rates = [stats.rate(g.won, g.games, LEVEL) for g in (most, least)]
    return (
        f"Where teams do the most {label} a turn, {numbers.percent_with(rates[0])} of the games {where} are won; where "
        f"they do the least, {numbers.percent_with(rates[1])}."
    )

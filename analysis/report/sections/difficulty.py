"""All cells on one scale, and what a knob is worth on it."""

from __future__ import annotations

import math

from analysis import stats
from analysis.plots import dots, style
from analysis.plots.drawing import Drawing
from analysis.report import numbers
from analysis.report.effects import Model, model, related
from analysis.report.facts import ALPHA, LEVEL, CellFacts, Facts
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.text import brief, name, sentence, tidy
from analysis.stats import Estimate

ROWS = 48


def section(facts: Facts) -> Section | None:
    """Cells on the log-odds scale, a model of the knobs, and its misfit; None for a single cell."""
    if len(facts.cells) < 2:
        return None
    reference = _reference(facts)
    scale = difficulties(facts, reference, LEVEL)
    found = model(facts)
    blocks = [_scale(facts, reference, scale, found)]
    text: list[str] = []
    if found is not None:
        blocks.append(_effects(facts, found))
        text = [_exchange_text(facts, found), _misfit_text(facts, found)]
        if found.fit.df > 0:
            blocks.append(Block(None, _misfit(facts, found)))
    return Section(
        "difficulty",
        "How hard, on one scale",
        exchange_heading(facts, found) or heading(facts, reference),
        text=tuple(t for t in text if t),
        blocks=tuple(blocks),
        how=(
            f"Difficulty is counted from {name(facts.cells[reference].label)}, which is 0; one more multiplies the "
            "odds of winning (games won for each game not won) by 0.37, and equal steps are as hard at any win rate. "
            "The effects come from a model in which each knob moves the odds by a factor of its own, whatever the "
            "others are; the table of misfit shows each cell as it was and as the model has it. Where cells stray from "
            "the model by more than chance, the effects' intervals are widened by as much."
        ),
    )


def _reference(facts: Facts) -> int:
    """The first cell that both wins and loses, or the first."""
    return next((i for i, c in enumerate(facts.cells) if 0 < c.outcomes.won < c.n), 0)


def difficulties(facts: Facts, reference: int, level: float) -> list[Estimate | None]:
    """Each cell's difficulty, log odds of not winning above the reference's; None for the reference itself."""
    close = related(facts)
    base = facts.cells[reference]

    def one(i: int, cell: CellFacts) -> Estimate | None:
        if i == reference:
            return None
        return stats.log_odds_difference(
            (cell.outcomes.won, cell.n), (base.outcomes.won, base.n), float(close[i, reference]), level
        )

    return [one(i, cell) for i, cell in enumerate(facts.cells)]


def heading(facts: Facts, reference: int) -> str:
    """Which cells are surely harder or easier than the reference, and by how much at most."""
    base = name(facts.cells[reference].label)
    # Several cells are looked at, so each interval takes its part of the error.
    sure = difficulties(facts, reference, 1 - ALPHA / (max(1, len(facts.cells) - 1) * facts.looks))
    shown = difficulties(facts, reference, LEVEL)
    clear = [(shown[i], i) for i, e in enumerate(sure) if e is not None and not e.low <= 0.0 <= e.high]
    if not clear:
        return (
            f"No cell is clearly harder or easier than {base}"
            if len(sure) > 2
            else "Neither is clearly harder than the other"
        )
    far, at = max(clear, key=lambda found: abs(found[0].value) if found[0] else 0.0)
    assert far is not None
    word = "harder" if far.value > 0 else "easier"
    most = ", the farthest of all" if len(clear) > 1 and _farthest(sure, at) else ""
    size, low, high = (abs(v) for v in (far.value, *sorted((far.low, far.high), key=abs)))
    told = numbers.number_with(Estimate(size, low, high, far.n, far.method, far.level))
    return f"{sentence(name(facts.cells[at].label))} is {told} {word} than {base} on the scale of log odds{most}"


def exchange_heading(facts: Facts, found: Model | None) -> str:
    """What the weightiest changes are worth in the game's unit; "" where none is surely worth anything."""
    from scipy.special import ndtri

    unit = facts.aspects.unit
    if unit is None or found is None or found.unit is None or not _slope_clear(found):
        return ""
    fit = found.fit
    others = [i for i in range(1, len(fit.names)) if i != found.unit]
    if not others:
        return ""
    # Picked out of all changes, so each must stand at its part of the error.
    far = float(ndtri(1 - ALPHA / (2 * len(others) * facts.looks)))
    sure = [i for i in others if abs(fit.beta[i]) > far * math.sqrt(fit.covariance[i, i])]
    worth = [(i, e) for i in sure if (e := fit.ratio(i, found.unit)) is not None and not e.low <= 0.0 <= e.high]
    if not worth:
        return ""
    worth.sort(key=lambda one: -abs(one[1].value))
    parts = [
        f"{fit.names[i]} is {abs(e.value):.2f} {unit[2]} {'harder' if e.value > 0 else 'easier'}" for i, e in worth[:2]
    ]
    return sentence(numbers.join(parts))


def _farthest(sure: list[Estimate | None], at: int) -> bool:
    """Whether no other cell's interval reaches as far from the reference."""
    mine = sure[at]
    assert mine is not None
    near = min(abs(mine.low), abs(mine.high))
    return all(max(abs(e.low), abs(e.high)) < near for i, e in enumerate(sure) if i != at and e is not None)


def _scale(facts: Facts, reference: int, scale: list[Estimate | None], found: Model | None) -> Block:
    unit = facts.aspects.unit
    ticks = unit is not None and found is not None and found.unit is not None and _slope_clear(found)
    columns = [
        Column("cell", "Cell", "label"),
        Column("win_rate", "Win rate", "share"),
        Column("difficulty", "Difficulty (log odds)", "change"),
        Column("odds", "Odds of winning, times", "number"),
    ]
    if ticks:
        assert unit is not None
        columns.append(Column("in_units", f"In {unit[2]}", "change"))
    rows: list[tuple[Value, ...]] = []
    for cell, e in zip(facts.cells, scale, strict=True):
        row: list[Value] = [tidy(cell.label), cell.won, e if e is not None else "0 (reference)", _odds(e)]
        if ticks:
            assert found is not None
            row.append(_in_units(e, found) if e is not None else "0")
        rows.append(tuple(row))
    table = Table("difficulty", "Difficulty of each cell, from the reference", tuple(columns), tuple(rows))
    if len(facts.cells) > ROWS:
        return Block(None, table)
    names = style.names(tuple(brief(label) for label in facts.labels))
    drawn = []
    for i, e in enumerate(scale):
        if e is None:
            drawn.append(dots.Dot(names[i], 0.0, 0.0, 0.0, "reference"))
        else:
            clear = not e.low <= 0.0 <= e.high
            drawn.append(dots.Dot(names[i], e.value, e.low, e.high, numbers.signed_number_with(e), clear))

    def draw(width: int) -> Drawing:
        return dots.values("difficulty", width, drawn, "Difficulty above the reference, log odds (right is harder)")

    told = "; ".join(
        f"{name(c.label)} {numbers.signed_number_with(e)}"
        for c, e in list(zip(facts.cells, scale, strict=True))[:8]
        if e is not None
    )
    return Block(Figure("difficulty", f"Difficulty of the cells in log odds: {told}.", draw), table)


def _odds(e: Estimate | None) -> Value:
    if e is None:
        return "1"
    # exp(710) is too large for a float; such an end is unlimited.
    value, low, high = (math.exp(-v) if -v < 700 else math.inf for v in (e.value, e.high, e.low))
    return Estimate(value, low, high, e.n, e.method, e.level)


def _slope_clear(found: Model) -> bool:
    assert found.unit is not None
    slope = found.fit.effect(found.unit)
    return not slope.low <= 0.0 <= slope.high


def _in_units(e: Estimate, found: Model) -> Value:
    """A difficulty in the game's unit: divided by the model's slope (how sure that is, the effects tell)."""
    assert found.unit is not None
    slope = -found.fit.effect(found.unit).value
    low, high = sorted((e.low / slope, e.high / slope))
    return Estimate(e.value / slope, low, high, e.n, e.method, e.level)


def _effects(facts: Facts, found: Model) -> Block:
    fit, unit = found.fit, facts.aspects.unit
    in_units = unit is not None and found.unit is not None
    columns = [Column("term", "Change"), Column("effect", "Harder by (log odds)", "change")]
    if in_units:
        assert unit is not None
        columns.append(Column("worth", f"Worth in {unit[2]}", "change"))
    rows: list[tuple[Value, ...]] = []
    for i, term in enumerate(fit.names):
        if i == 0:
            continue
        e = fit.effect(i)
        label = f"one {term} more" if i == found.unit else term
        row: list[Value] = [label, Estimate(-e.value, -e.high, -e.low, e.n, e.method, e.level)]
        if in_units:
            assert found.unit is not None
            row.append("1" if i == found.unit else fit.ratio(i, found.unit))
        rows.append(tuple(row))
    note = ""
    if found.aliased:
        note = f"Not told apart from the others in these cells: {', '.join(found.aliased)}."
    table = Table("effects", "What each change is worth, all else equal", tuple(columns), tuple(rows), note)
    return Block(None, table)


def _exchange_text(facts: Facts, found: Model) -> str:
    unit, fit = facts.aspects.unit, found.fit
    if unit is None or found.unit is None:
        return ""
    if not _slope_clear(found):
        return f"How hard one {unit[1]} is cannot be told from nothing here, so nothing is expressed in {unit[2]}."
    slope = fit.effect(found.unit)
    parts = []
    for i in range(1, len(fit.names)):
        worth = fit.ratio(i, found.unit) if i != found.unit else None
        if worth is not None and not worth.low <= 0.0 <= worth.high:
            parts.append(f"{fit.names[i]} is worth {numbers.signed_number_with(worth)}")
    first = f"One {unit[1]} more multiplies the odds of winning by {numbers.number_with(_odds_of(slope))}."
    if not parts:
        return first
    more = f"; {len(parts) - 6} more in the table" if len(parts) > 6 else ""
    return f"{first} In {unit[2]} (plus is harder): {numbers.join(parts[:6])}{more}."


def _odds_of(slope: Estimate) -> Estimate:
    value, low, high = (math.exp(min(v, 700.0)) for v in (slope.value, slope.low, slope.high))
    return Estimate(value, low, high, slope.n, slope.method, slope.level)


def _misfit_text(facts: Facts, found: Model) -> str:
    fit = found.fit
    if fit.df == 0:
        return "There are as many effects as cells: nothing is left to check the model by."
    at, gap = _widest(facts, found)
    where = f"{abs(100 * gap):.1f} percentage points ({name(facts.cells[at].label)})"
    if fit.p_value is not None and fit.p_value < ALPHA:
        return (
            f"The model is not exact: cells stray from it by up to {where}, which is more than chance explains "
            f"(p {numbers.chance(fit.p_value)}, {fit.df} cells beyond its effects). Read its effects as averages."
        )
    chance = "" if fit.p_value is None else f" (p {numbers.chance(fit.p_value)})"
    return f"Cells stray from the model by up to {where}, no more than chance explains{chance}."


def _widest(facts: Facts, found: Model) -> tuple[int, float]:
    gaps = [c.won.value - float(f) for c, f in zip(facts.cells, found.fit.fitted, strict=True)]
    at = max(range(len(gaps)), key=lambda i: abs(gaps[i]))
    return at, gaps[at]


def _misfit(facts: Facts, found: Model) -> Table:
    columns = (
        Column("cell", "Cell", "label"),
        Column("observed", "Won", "share"),
        Column("fitted", "By the model", "share"),
        Column("gap", "Apart by (points)", "points"),
        Column("residual", "In standard errors", "number"),
    )
    rows = tuple(
        (tidy(c.label), c.won, float(f), c.won.value - float(f), round(float(r), 2))
        for c, f, r in zip(facts.cells, found.fit.fitted, found.fit.residuals, strict=True)
    )
    fit = found.fit
    wider = f"intervals are widened {math.sqrt(fit.misfit):.2f} times"
    note = f"Deviance {fit.deviance:.1f} on {fit.df} degrees of freedom; {wider}."
    return Table("misfit", "Each cell as it was and as the model has it", columns, rows, note)

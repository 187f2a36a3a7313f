"""How often each cell wins, and the declared differences."""

from __future__ import annotations

from analysis.plots import dots, style
from analysis.plots.drawing import Drawing
from analysis.report import findings, numbers
from analysis.report.facts import Compared, Facts, comparisons
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.text import brief, name, tidy


def section(facts: Facts) -> Section:
    """Win rates of all cells; differences on common trials."""
    names = style.names(tuple(brief(label) for label in facts.labels))
    rows = [
        dots.Dot(names[i], e.value, e.low, e.high, numbers.percent_with(e))
        for i, e in enumerate(c.won for c in facts.cells)
    ]
    low = min(facts.cells, key=lambda c: c.won.value)
    high = max(facts.cells, key=lambda c: c.won.value)
    alt = f"Win rates: {numbers.percent_with(low.won)} in {name(low.label)}"
    if high is not low:
        alt += f" to {numbers.percent_with(high.won)} in {name(high.label)}"

    def draw(width: int) -> Drawing:
        return dots.rates("win-rates", width, rows, "Share of games won, with 95 % interval")

    stopped = any(c.outcomes.results.get("stopped", 0) for c in facts.cells)
    columns = [
        Column("cell", "Cell", "label"),
        Column("games", "Games", "count"),
        Column("won", "Won", "count"),
        Column("win_rate", "Win rate", "share"),
    ]
    if stopped:
        columns.insert(3, Column("stopped", "Stopped", "count"))
    table_rows: list[tuple[Value, ...]] = []
    for cell in facts.cells:
        row: list[Value] = [tidy(cell.label), cell.n, cell.outcomes.won, cell.won]
        if stopped:
            row.insert(3, cell.outcomes.results.get("stopped", 0))
        table_rows.append(tuple(row))
    blocks = [
        Block(
            Figure("win-rates", f"{alt}.", draw),
            Table("win-rates", "Win rate of each cell", tuple(columns), tuple(table_rows)),
        )
    ]
    judged = comparisons(facts)
    if judged:
        blocks.append(_differences(facts, judged, names))
    return Section(
        "win-rates",
        "Win rates",
        findings.rates_heading(facts),
        blocks=tuple(blocks),
        how=(
            "The dot is the share of games won, the bar its 95 % interval. Compared cells met the same islands and the "
            "same shuffles, trial by trial, so a difference is surer than the two bars suggest: read it in the table "
            "of differences, not from whether the bars overlap. The adjusted p-value is the chance that luck alone "
            "shows a difference this clear or clearer, all declared comparisons taken into account."
        ),
    )


def _differences(facts: Facts, judged: list[Compared], names: style.Names) -> Block:
    columns = (
        Column("first", "From", "label"),
        Column("second", "To", "label"),
        Column("difference", "Difference (points)", "points"),
        Column("only_first", "Won in the first only", "count"),
        Column("only_second", "Won in the second only", "count"),
        Column("p_adjusted", "Adjusted p", "chance"),
        Column("verdict", "Verdict"),
    )
    rows: list[tuple[Value, ...]] = []
    chart: list[dots.Dot] = []
    for c in judged:
        d = c.difference
        verdict = ("wins more" if d.value > 0 else "wins less") if c.clear else "cannot be told apart"
        row = (tidy(c.first), tidy(c.second), d, c.pairs.first_only, c.pairs.second_only, c.p_value, verdict)
        rows.append(row)
        first, second = (names[facts.labels.index(label)] for label in (c.first, c.second))
        chart.append(dots.Dot(f"{first} → {second}", d.value, d.low, d.high, numbers.points_with(d), c.clear))
    table = Table("differences", "Differences on common trials, second minus first", columns, tuple(rows))
    if len(judged) == 1:
        return Block(None, table)
    clear = sum(c.clear for c in judged)

    def draw(width: int) -> Drawing:
        return dots.differences("differences", width, chart, "Difference of win rates in percentage points")

    alt = f"Differences of win rates: {clear} of {len(judged)} are clear."
    caption = "Filled dots: clear differences. Open dots: cannot be told apart."
    return Block(Figure("differences", alt, draw, caption), table)

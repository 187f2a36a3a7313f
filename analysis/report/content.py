"""The sections of the report: which picture and which table answer which question.

What is shown is declared by the game (its causes, milestones, curves, layout); nothing here knows a game's name.
"""

from __future__ import annotations

import numpy as np

from analysis import stats
from analysis.plots import bars, board, dots, lines, style
from analysis.plots.drawing import Drawing, Key
from analysis.report import findings, numbers
from analysis.report.facts import LEVEL, WON, CellFacts, Compared, Facts, comparisons
from analysis.report.model import Block, Column, Figure, Report, Section, Table, Value
from analysis.report.text import brief, name, sentence, tidy
from analysis.stats import Band, Estimate

# How many cells have room in a chart that needs a panel for each.
PANELS = 12
MAPS = 6
# Up to so many cells, tables put the cells in columns.
TURNED = 3
# Up to so many cells, a curve's chart has one panel with a line for each.
TOGETHER = 5

_WON_MARK = style.Mark(style.QUIET, "-", "o", "")


class _Shown:
    """The cells of one chart: their facts, their names in figures, and a sentence when they are not all."""

    def __init__(self, facts: Facts, limit: int) -> None:
        self.places = facts.shown(limit)
        self.cells = tuple(facts.cells[i] for i in self.places)
        self.all = len(self.places) == len(facts.cells)
        names = style.names(tuple(brief(label) for label in facts.labels))
        self.names = tuple(names[i] for i in self.places)
        self.caption = ""
        if not self.all:
            which = "the cells of the comparisons" if facts.pairs else "cells from the hardest to the easiest"
            self.caption = f"{len(self.cells)} of {len(facts.cells)} cells: {which}. The tables have all."


def report(facts: Facts) -> Report:
    """The whole report."""
    everyone = tuple(range(len(facts.cells)))
    names = style.names(tuple(brief(label) for label in facts.labels))
    games = sum(c.n for c in facts.cells)
    focus = ""
    if len(facts.cells) > 2 and len(facts.pairs) != 1:
        focus = " Headings speak of the cells with the lowest and the highest win rate."
    cells = f"{len(facts.cells)} cell{'s' if len(facts.cells) > 1 else ''}"
    sections = [_rates(facts, names, everyone), _causes(facts, names), _incidence(facts)]
    if facts.milestones and all(c.timing is not None for c in facts.cells):
        sections.append(_milestones(facts))
    if facts.curves:
        sections.append(_curves(facts))
    if any(c.places is not None or c.tiles for c in facts.cells):
        sections.append(_places(facts))
    sections.append(_length(facts))
    return Report(
        name=tidy(facts.name),
        game=facts.game,
        question=tidy(facts.question) or tidy(facts.name),
        answer=findings.answer(facts),
        lead=_lead(facts),
        sections=tuple(sections),
        numbered=tuple(tidy(label) for label in facts.labels) if names.numbered else (),
        size=f"{cells}, {numbers.games(games)}. Intervals hold with 95{numbers.GAP}% confidence.{focus}",
    )


# First screen


def _ends_keys(facts: Facts) -> list[Key]:
    return [Key("won", _WON_MARK, "area")] + [Key(c.label, style.mark(i), "area") for i, c in enumerate(facts.causes)]


def _lead(facts: Facts) -> Figure:
    """How the games of each cell end: the answer and its reasons in one picture."""
    shown = _Shown(facts, 10)
    keys = _ends_keys(facts)
    rows = []
    order = list(zip(shown.names, shown.cells, strict=True))
    if not shown.all:
        order.sort(key=lambda one: -one[1].won.value)
    for label, cell in order:
        won = cell.won
        shares = (won.value, *(cell.outcomes.causes[c.name] / cell.n for c in facts.causes))
        rows.append(bars.Bar(label, shares, (won.low, won.high)))
    told = []
    for cell in shown.cells:
        parts = [f"won {numbers.percent(cell.won)}"]
        parts += [f"{label} {numbers.percent(e)}" for label, e in findings.ranked(cell, facts)]
        told.append(f"{name(cell.label)}: {', '.join(parts)}")

    def draw(width: int) -> Drawing:
        axis = "Share of all games; the bracket is the interval of the win rate"
        return bars.stacked("how-games-end", width, rows, keys, axis)

    return Figure("how-games-end", f"How games end. {'. '.join(told)}.", draw, shown.caption)


# Win rates


def _rates(facts: Facts, names: style.Names, everyone: tuple[int, ...]) -> Section:
    rows = [
        dots.Dot(names[i], e.value, e.low, e.high, numbers.percent_with(e))
        for i, e in ((i, facts.cells[i].won) for i in everyone)
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


# Why games are lost


def _causes(facts: Facts, names: style.Names) -> Section:
    keys = [Key(c.label, style.mark(i), "area") for i, c in enumerate(facts.causes)]
    rows = []
    for i, cell in enumerate(facts.cells):
        unwon = cell.n - cell.outcomes.won
        shares = tuple(cell.outcomes.causes[c.name] / unwon if unwon else 0.0 for c in facts.causes)
        rows.append(bars.Bar(names[i], shares))
    columns = (
        Column("cell", "Cell", "label"),
        *(Column(c.name, sentence(c.label), "share") for c in facts.causes),
    )
    table_rows: tuple[tuple[Value, ...], ...] = tuple(
        (tidy(c.label), *(c.cause(k.name) for k in facts.causes)) for c in facts.cells
    )
    told = []
    for cell in facts.cells[:6]:
        order = findings.ranked(cell, facts)
        told.append(f"{name(cell.label)}: {order[0][0]} first" if order else f"{name(cell.label)}: no game lost")

    def draw(width: int) -> Drawing:
        return bars.stacked("loss-causes", width, rows, keys, "Share of the games that were not won")

    figure = Figure("loss-causes", f"Why games are not won. {'; '.join(told)}.", draw)
    table = Table(
        "loss-causes",
        "Share of all games ended by each cause",
        columns,
        table_rows,
        turned=len(facts.cells) <= TURNED,
    )
    text = tuple(f"{name(c.label)}: {_lower(findings.why_cell(c, facts))}" for c in facts.cells[:4])
    if len(facts.cells) > 4:
        text = (findings.why_all(facts),) if len(facts.pairs) == 1 else ()
    return Section(
        "loss-causes",
        "Why games are lost",
        findings.causes_heading(facts),
        text=tuple(sentence(t) for t in text) if len(facts.cells) > 1 else (findings.why_cell(facts.cells[0], facts),),
        blocks=(Block(figure, table),),
        how=(
            "The chart splits the games that were not won, so that easy and hard cells can be compared in how they are "
            "lost. The table counts all games, won ones too, so that a cell's causes and its win rate add up to 100 %. "
            "When several things went wrong at once, the first in the game's own order counts."
        ),
    )


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


# When


def _from_zero(band: Band) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The band with the point (0, 0) before it: nothing has happened before the first turn."""
    return (
        np.concatenate([[0], band.x]),
        np.concatenate([[0.0], band.value]),
        np.concatenate([[0.0], band.low]),
        np.concatenate([[0.0], band.high]),
    )


def _last(cells: tuple[CellFacts, ...]) -> int:
    """The turn by which 99.9 % of the games of every shown cell are over: charts end there."""
    last = 1
    for cell in cells:
        over = np.cumsum(cell.endings.total) >= 0.999 * cell.n
        last = max(last, int(np.argmax(over)) + 1)
    return last


def _line(band: Band, mark: style.Mark, last: int, *, banded: bool = True) -> lines.Line:
    x, y, low, high = _from_zero(band)
    keep = x <= last
    x, y, low, high = (v[keep] for v in (x, y, low, high))
    if x[-1] < last:
        # After the last game nothing changes any more.
        x, y, low, high = (np.append(v, last if v is x else v[-1]) for v in (x, y, low, high))
    return lines.Line(mark, x, y, low, high) if banded else lines.Line(mark, x, y)


def _picked(last: int, count: int = 6) -> list[int]:
    """A few round turns up to the last for a table."""
    step = max(1, round(last / count))
    step = next((s for s in (1, 2, 3, 4, 5, 10, 20, 25, 50) if s >= step), 50)
    return list(range(step, last + 1, step))[: count + 2] or [last]


def _incidence(facts: Facts) -> Section:
    shown = _Shown(facts, PANELS)
    last = _last(shown.cells)
    present = [c for c in facts.causes if any(cell.outcomes.causes[c.name] for cell in facts.cells)]
    marks = {c.name: style.mark(i) for i, c in enumerate(facts.causes)}
    bands = {cell.label: cell.by_cause for cell in facts.cells}
    panels = [
        lines.Panel(
            label if len(facts.cells) > 1 else "",
            tuple(_line(bands[cell.label][c.name], marks[c.name], last) for c in present),
        )
        for label, cell in zip(shown.names, shown.cells, strict=True)
    ]
    keys = [Key(c.label, marks[c.name]) for c in present]

    def draw(width: int) -> Drawing:
        return lines.panels(
            "causes-over-turns",
            width,
            panels,
            keys,
            "Turn",
            "Share of all games lost so by the end of the turn",
            percent=True,
        )

    columns: list[Column] = [Column("cell", "Cell", "label"), Column("cause", "Cause")]
    turns = _picked(last)
    columns += [Column(f"by_turn_{t}", f"Turn {t}", "share") for t in turns]
    rows: list[tuple[Value, ...]] = []
    for cell in shown.cells:
        for c in present:
            band = bands[cell.label][c.name]
            rows.append((tidy(cell.label), c.label, *(_at(band, t) for t in turns)))
    heading = findings.incidence_heading(facts)
    table = Table(
        "causes-by-turn",
        "Share of all games lost for each cause by the end of a turn",
        tuple(columns),
        tuple(rows),
        note=shown.caption.replace("The tables have all.", "causes-over-turns.csv has all cells and turns."),
    )
    figure = Figure("causes-over-turns", f"Causes of loss over turns. {heading}.", draw, shown.caption)
    return Section(
        "causes-over-turns",
        "When games are lost",
        heading,
        blocks=(Block(figure, table),),
        how=(
            "Each line climbs to the share of all games that end for this cause; where it is steep, many games end so. "
            "The pale band holds for all causes and turns of a cell at once."
        ),
    )


def _at(band: Band, turn: int) -> Estimate | None:
    """The band at a turn; after its last turn nothing changes any more."""
    return band.at(min(turn, len(band)) - 1) if len(band) else None


def _milestones(facts: Facts) -> Section:
    shown = _Shown(facts, PANELS)
    last = _last(shown.cells)
    count = len(facts.milestones)
    order_marks = [style.mark(i) for i in range(count)]
    panels = []
    for label, cell in zip(shown.names, shown.cells, strict=True):
        assert cell.timing is not None
        bands = [stats.cumulative_incidence(row, cell.n, LEVEL) for row in cell.timing.by_order]
        over = stats.cumulative_incidence(cell.endings.total, cell.n, LEVEL)
        drawn = [_line(band, mark, last) for band, mark in zip(bands, order_marks, strict=True)]
        drawn.append(_line(over, style.Mark(style.MUTED, (0, (2, 2)), "", ""), last, banded=False))
        panels.append(lines.Panel(label if len(facts.cells) > 1 else "", tuple(drawn)))
    keys = [Key(findings.ordinal(i + 1), m) for i, m in enumerate(order_marks)]
    keys.append(Key("game over, won or lost", style.Mark(style.MUTED, (0, (2, 2)), "", "")))

    def draw(width: int) -> Drawing:
        return lines.panels(
            "milestones",
            width,
            panels,
            keys,
            "Turn",
            "Share of all games that have it by the end of the turn",
            percent=True,
        )

    columns: list[Column] = [Column("cell", "Cell", "label")]
    for i in range(count):
        columns.append(Column(f"reached_{i + 1}", f"{findings.ordinal(i + 1)}: games that reach it", "share"))
        columns.append(Column(f"median_turn_{i + 1}", f"{findings.ordinal(i + 1)}: middle turn", "number"))
    rows: list[tuple[Value, ...]] = []
    named: list[tuple[Value, ...]] = []
    for cell in facts.cells:
        assert cell.timing is not None
        row: list[Value] = [tidy(cell.label)]
        for when in cell.timing.by_order:
            row += _reached(when, cell)
        rows.append(tuple(row))
        line: list[Value] = [tidy(cell.label)]
        for m in facts.milestones:
            line += _reached(cell.timing.by_name[m.name], cell)
        named.append(tuple(line))
    name_columns: list[Column] = [Column("cell", "Cell", "label")]
    for m in facts.milestones:
        name_columns.append(Column(f"reached_{m.name}", f"{m.label}: games that reach it", "share"))
        name_columns.append(Column(f"median_turn_{m.name}", f"{m.label}: middle turn", "number"))
    heading = findings.milestones_heading(facts)
    turned = len(facts.cells) <= TURNED
    figure = Figure("milestones", f"Timing of {facts.words[1]}. {heading}.", draw, shown.caption)
    labels = numbers.join([m.label for m in facts.milestones])
    return Section(
        "milestones",
        facts.words[1].capitalize(),
        heading,
        text=(f"The {facts.words[1]} are {labels}; here by the order in which a game comes by them.",),
        blocks=(
            Block(
                figure,
                Table(
                    "milestones-by-order",
                    f"{facts.words[1].capitalize()} by order",
                    tuple(columns),
                    tuple(rows),
                    turned=turned,
                ),
            ),
            Block(
                None,
                Table(
                    "milestones-by-name",
                    f"{facts.words[1].capitalize()} by name",
                    tuple(name_columns),
                    tuple(named),
                    turned=turned,
                ),
            ),
        ),
        how=(
            "A line climbs to the share of games that ever come so far; what is missing to 100 % are games that ended "
            "before. The dashed grey line is the share of games that are over. The middle turn is the median among the "
            "games that reach it: half of those have it by then."
        ),
    )


def _reached(when: np.ndarray, cell: CellFacts) -> list[Value]:
    n = int(when.sum())
    assert cell.timing is not None
    middle = stats.quantile(when, cell.timing.turns, 0.5, LEVEL) if n else None
    return [stats.rate(n, cell.n, LEVEL), middle]


# How the numbers of the board develop


def _curves(facts: Facts) -> Section:
    shown = _Shown(facts, PANELS)
    together = len(shown.cells) <= TOGETHER
    last = _last(shown.cells)
    blocks, text = [], []
    for one in facts.curves:
        bands = {c.label: c.bands[one.name] for c in facts.cells if one.name in c.bands}
        cells = [(label, c) for label, c in zip(shown.names, shown.cells, strict=True) if c.label in bands]
        if not cells:
            continue
        drawn = [_curve_line(bands[c.label], style.mark(i if together else 0), c) for i, (_, c) in enumerate(cells)]
        if together:
            panels = [lines.Panel("", tuple(drawn))]
            keys = [Key(label, style.mark(i)) for i, (label, _) in enumerate(cells)] if len(cells) > 1 else []
        else:
            panels = [lines.Panel(label, (line,)) for (label, _), line in zip(cells, drawn, strict=True)]
            keys = []
        finding = findings.curve_finding(one.label, facts, one.name)
        text.append(finding)
        slug = f"curve-{one.name}"
        turns = _picked(last)
        columns = (Column("cell", "Cell", "label"), *(Column(f"turn_{t}", f"Turn {t}", "number") for t in turns))
        rows = tuple(
            (tidy(c.label), *(_curve_at(bands[c.label], t) for t in turns)) for c in facts.cells if c.label in bands
        )
        blocks.append(
            Block(
                Figure(slug, finding, _curve_drawer(slug, panels, keys, one.label), shown.caption),
                Table(slug, f"{one.label}: mean at the start of a turn", columns, rows, turned=len(rows) <= TURNED),
            )
        )
    heading = text[0].rstrip(".") if text else "No turn was begun"
    return Section(
        "curves",
        "Turn by turn",
        heading,
        text=tuple(text[1:]),
        blocks=tuple(blocks),
        how=(
            "Means among the games that are still running at the start of the turn. Late in the game only those are "
            "left that went well, so a curve may flatten or fall; it is drawn as long as one game in a hundred runs. "
            "The band holds for all turns of a cell at once, and is wide where few games are left."
        ),
    )


def _curve_drawer(slug: str, panels: list[lines.Panel], keys: list[Key], label: str):  # type: ignore[no-untyped-def]
    def draw(width: int) -> Drawing:
        return lines.panels(slug, width, panels, keys, "Turn", f"{label}, mean at the start of the turn", percent=False)

    return draw


def _curve_line(band: Band, mark: style.Mark, cell: CellFacts) -> lines.Line:
    # A mean of the last few games says nothing of the cell; the CSV file has it.
    keep = band.n >= min(max(20, 0.01 * cell.n), int(band.n[0]))
    return lines.Line(mark, band.x[keep], band.value[keep], band.low[keep], band.high[keep])


def _curve_at(band: Band, turn: int) -> Estimate | None:
    places = np.flatnonzero(band.x == turn)
    return band.at(int(places[0])) if places.size else None


# Where


def _places(facts: Facts) -> Section:
    shown = _Shown(facts, MAPS)
    mapped = [
        (label, c) for label, c in zip(shown.names, shown.cells, strict=True) if c.places is not None and c.layout
    ]
    blocks: list[Block] = []
    text: list[str] = []
    if mapped:
        maps = [
            board.Board(
                label if len(facts.cells) > 1 else "",
                c.layout.cells,  # type: ignore[union-attr]
                tuple(float(v) / c.n for v in c.places),  # type: ignore[union-attr]
                c.layout.grid,  # type: ignore[union-attr]
            )
            for label, c in mapped
        ]
        text += [findings.places_finding(c) for _, c in mapped[:2]]

        def draw(width: int) -> Drawing:
            return board.boards("places", width, maps, "Share of games in which the tile on this place was lost")

        figure = Figure("places", f"Map of the board. {' '.join(text)}", draw, shown.caption)
        blocks.append(Block(figure, _places_table(mapped)))
    tiled = [c for c in shown.cells if c.tiles]
    if tiled:
        text += [findings.tiles_finding(c) for c in tiled[:2]]
        names = sorted(tiled[0].tiles, key=lambda t: (-tiled[0].tiles[t], t))
        columns = (
            Column("tile", "Tile"),
            *(Column(f"lost_{i + 1}", brief(c.label), "share") for i, c in enumerate(tiled)),
        )
        rows: tuple[tuple[Value, ...], ...] = tuple((t, *(c.tile_shares[t] for c in tiled)) for t in names)
        note = shown.caption.replace("The tables have all.", "tiles-all-cells.csv has all.")
        blocks.append(
            Block(None, Table("tiles", "Share of games in which a tile was lost, by name", columns, rows, note))
        )
    heading = findings.places_heading(tuple(c for _, c in mapped)) if mapped else "How often each tile is lost"
    return Section(
        "places",
        "Where tiles sink",
        heading,
        text=tuple(text),
        blocks=tuple(blocks),
        how=(
            "The map shows what the place does (neighbours, ways), the table of names what the tile does (what players "
            "protect). All maps share one colour scale."
        ),
    )


def _places_table(mapped: list[tuple[str, CellFacts]]) -> Table:
    first = mapped[0][1]
    assert first.layout is not None
    same = [c for _, c in mapped if c.layout == first.layout]
    columns = (
        Column("place", "Row, place"),
        *(Column(f"lost_{i + 1}", brief(c.label), "share") for i, c in enumerate(same)),
    )
    names = _place_names(first.layout.cells)
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (place, *(c.place_shares[i] for c in same)) for i, place in enumerate(names)
    )
    return Table("places", "Share of games in which the tile on a place was lost", columns, rows)


def _place_names(cells: tuple[tuple[float, float], ...]) -> list[str]:
    """ "row 3, 2nd": counted from the top and from the left."""
    rows = sorted({row for row, _ in cells})
    named = []
    for row, column in cells:
        inside = sorted(c for r, c in cells if r == row)
        named.append(f"row {rows.index(row) + 1}, {findings.ordinal(inside.index(column) + 1)}")
    return named


# How long


def _length(facts: Facts) -> Section:
    shown = _Shown(facts, PANELS)
    last = _last(shown.cells)
    won_mark, lost_mark = style.Mark(style.BLUE, "-", "o", ""), style.Mark(style.ORANGE, "-", "s", "///")
    panels = []
    for label, cell in zip(shown.names, shown.cells, strict=True):
        keep = cell.endings.turns <= last
        won = cell.endings.counts[WON][keep] / cell.n
        lost = (cell.endings.total - cell.endings.counts[WON])[keep] / cell.n
        x = cell.endings.turns[keep]
        drawn = (lines.Line(lost_mark, x, lost), lines.Line(won_mark, x, won))
        panels.append(lines.Panel(label if len(facts.cells) > 1 else "", drawn))
    keys = [Key("not won", lost_mark, "area"), Key("won", won_mark, "area")]

    def draw(width: int) -> Drawing:
        return lines.panels(
            "length", width, panels, keys, "Turn in which the game ended", "Share of all games", percent=True, area=True
        )

    columns = (
        Column("cell", "Cell", "label"),
        Column("mean", "Mean turns", "number"),
        Column("q10", "Shortest tenth up to", "number"),
        Column("median", "Middle (median)", "number"),
        Column("q90", "Longest tenth from", "number"),
        Column("median_won", "Middle of games won", "number"),
        Column("median_not_won", "Middle of games not won", "number"),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(_length_row(cell) for cell in facts.cells)
    heading = findings.length_heading(facts)
    figure = Figure("length", f"Length of games. {heading}.", draw, shown.caption)
    turned = len(facts.cells) <= TURNED
    return Section(
        "length",
        "Length of games",
        heading,
        blocks=(Block(figure, Table("length", "Turns a game", columns, rows, turned=turned)),),
        how="Each column is the share of games that ended in this turn, won or not. A turn is one player's turn.",
    )


def _length_row(cell: CellFacts) -> tuple[Value, ...]:
    e = cell.endings
    won, lost = e.counts[WON], e.total - e.counts[WON]
    quantiles = [stats.quantile(e.total, e.turns, q, LEVEL) for q in (0.1, 0.5, 0.9)]
    parts: list[Value] = [stats.quantile(c, e.turns, 0.5, LEVEL) if c.sum() else None for c in (won, lost)]
    return (tidy(cell.label), stats.mean_of_histogram(e.total, e.turns, LEVEL), *quantiles, *parts)

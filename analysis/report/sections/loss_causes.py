"""Why games are lost."""

from __future__ import annotations

from analysis.plots import bars, style
from analysis.plots.drawing import Drawing, Key
from analysis.report import findings
from analysis.report.facts import Facts
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.sections.common import TURNED, parts
from analysis.report.text import brief, name, sentence, tidy


def section(facts: Facts) -> Section:
    """The causes as parts of the games not won, and of all games."""
    names = style.names(tuple(brief(label) for label in facts.labels))
    keys = [Key(c.label, style.mark(i), "area") for i, c in enumerate(facts.causes)]
    rows = []
    for i, cell in enumerate(facts.cells):
        unwon = cell.n - cell.outcomes.won
        shares, texts = parts([cell.outcomes.causes[c.name] for c in facts.causes], unwon)
        rows.append(bars.Bar(names[i], shares, told=texts))
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

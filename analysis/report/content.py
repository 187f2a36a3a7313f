"""The whole report: the first screen, then one section a question."""

from __future__ import annotations

from analysis.report import findings, labels, numbers
from analysis.report.facts import Facts
from analysis.report.model import Report
from analysis.report.sections import SECTIONS, endings
from analysis.report.text import tidy


def report(facts: Facts) -> Report:
    """The whole report."""
    games = sum(c.n for c in facts.cells)
    focus = ""
    if len(facts.cells) > 2 and len(facts.pairs) != 1:
        focus = " Headings speak of the cells with the lowest and the highest win rate."
    cells = f"{len(facts.cells)} cell{'s' if len(facts.cells) > 1 else ''}"
    made = (section(facts) for section in SECTIONS)
    return Report(
        name=tidy(facts.name),
        game=facts.game,
        question=tidy(facts.question) or tidy(facts.name),
        answer=findings.answer(facts),
        lead=endings.lead(facts),
        sections=tuple(section for section in made if section is not None),
        numbered=labels.legend(facts),
        size=f"{cells}, {numbers.games(games)}. Intervals hold with 95{numbers.GAP}% confidence.{focus}",
    )

"""The whole report: the first screen, then one section a question."""

from __future__ import annotations

from analysis.report import contest as seats
from analysis.report import findings, labels, numbers
from analysis.report.facts import Facts
from analysis.report.model import Report
from analysis.report.sections import contest, endings, sections
from analysis.report.text import tidy


def answer(facts: Facts) -> tuple[str, ...]:
    """Two sentences: the finding, and what lies behind it."""
    return seats.answer(facts) if facts.aspects.contest else findings.answer(facts)


def report(facts: Facts) -> Report:
    """The whole report."""
    games = sum(c.n for c in facts.cells)
    focus = ""
    if len(facts.cells) > 2 and len(facts.pairs) != 1:
        which = "first and the last cell" if facts.aspects.contest else "cells with the lowest and the highest win rate"
        focus = f" Headings speak of the {which}."
    trained = findings.untrained(facts)
    trained = f" {trained}" if trained else ""
    cells = f"{len(facts.cells)} cell{'s' if len(facts.cells) > 1 else ''}"
    return Report(
        name=tidy(facts.name),
        game=facts.game,
        question=tidy(facts.question) or tidy(facts.name),
        answer=answer(facts),
        lead=contest.lead(facts) if facts.aspects.contest else endings.lead(facts),
        sections=sections(facts),
        numbered=labels.legend(facts),
        size=f"{cells}, {numbers.games(games)}. Intervals hold with 95{numbers.GAP}% confidence.{focus}{trained}",
    )

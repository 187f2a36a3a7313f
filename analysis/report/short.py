"""The six-line summary and its JSON form."""

from __future__ import annotations

from typing import Any

from analysis import stats
from analysis.report import content, contest, findings, numbers
from analysis.report.facts import LEVEL, CellFacts, Facts, comparisons
from analysis.report.text import name, sentence, tidy
from analysis.stats import Estimate

# Up to so many cells are all named in a line; of more, only the hardest and the easiest.
NAMED = 3


def lines(facts: Facts) -> list[str]:
    """Question, answer, win rates, why games are lost, timing, how sure: one line each.

    Of a contest: points and fates instead of win rates and reasons.
    """
    if facts.aspects.contest:
        return _laid_out(_contest(facts))
    first, second = findings.answer(facts)
    shown, rest = facts.cells, ""
    if len(shown) > NAMED:
        order = sorted(shown, key=lambda c: c.won.value)
        shown, rest = (order[0], order[-1]), f"; {len(order) - 2} more cells in the report"
    answer = first if len(comparisons(facts)) == 1 else f"{first} {second}"
    rates = "; ".join(f"{name(c.label)} {numbers.percent_with(c.won)}" for c in shown)
    reasons = "; ".join(f"{name(c.label)}: {_reasons(c, facts)}" for c in shown)
    told = [
        ("Question", tidy(facts.question) or tidy(facts.name)),
        ("Answer", answer),
        ("Games won", f"{rates}{rest}"),
        ("Not won", f"{reasons}{rest}"),
        ("Timing", f"{'; '.join(_timing(c, facts) for c in shown)}{rest}"),
        ("How sure", _sure(facts)),
    ]
    return _laid_out(told)


def _contest(facts: Facts) -> list[tuple[str, str]]:
    told = [
        ("Question", tidy(facts.question) or tidy(facts.name)),
        ("Answer", contest.answer(facts)[0]),
        (contest.contest(facts).words[1].capitalize(), contest.points_heading(facts)),
    ]
    fates = contest.contest(facts).fates
    if fates is not None:
        told.append((fates.label, contest.fates_heading(facts)))
    return [*told, ("Timing", "; ".join(_timing(c, facts) for c in facts.focus())), ("How sure", _sure(facts))]


def _laid_out(told: list[tuple[str, str]]) -> list[str]:
    width = max(len(key) for key, _ in told) + 2
    return [f"{key:<{width}}{_terminal(sentence(text))}" for key, text in told]


def _terminal(text: str) -> str:
    return text.replace(numbers.GAP, " ").replace("\u2068", "").replace("\u2069", "")


def _reasons(cell: CellFacts, facts: Facts) -> str:
    order = findings.ranked(cell, facts)
    return ", ".join(f"{label} {numbers.percent(e)}" for label, e in order[:3]) if order else "no game lost"


def _timing(cell: CellFacts, facts: Facts) -> str:
    over = stats.quantile(cell.endings.total, cell.endings.turns, 0.5, LEVEL)
    text = f"{name(cell.label)}: half of all games are over by turn {over.value:.0f}"
    if facts.milestones and cell.timing is not None:
        k = len(facts.milestones)
        every = stats.rate(int(cell.timing.by_order[k - 1].sum()), cell.n, LEVEL)
        first = cell.timing.by_order[0]
        if first.sum():
            middle = stats.quantile(first, cell.timing.turns, 0.5, LEVEL)
            text += f", the first of {k} {facts.words[1]} comes around turn {middle.value:.0f}"
        text += f", all {k} in {numbers.percent(every)} of games"
    return text


def _sure(facts: Facts) -> str:
    games = sum(c.n for c in facts.cells)
    sizes = sorted({c.n for c in facts.cells})
    each = numbers.count(sizes[0]) if len(sizes) == 1 else f"{numbers.count(sizes[0])} to {numbers.count(sizes[-1])}"
    text = f"{numbers.games(games)}, {each} a cell; ranges in brackets are 95% intervals"
    text += "; compared cells met the same islands and shuffles" if facts.pairs or facts.extremes else ""
    trained = findings.untrained(facts)
    return f"{text}. {trained}" if trained else text


def _estimate(e: Estimate) -> dict[str, Any]:
    return {"value": e.value, "low": e.low, "high": e.high, "n": e.n, "method": e.method, "level": e.level}


def plain(facts: Facts) -> dict[str, Any]:
    """The summary as JSON values."""
    cells = []
    for cell in facts.cells:
        made: dict[str, Any] = {
            "cell": cell.label,
            "games": cell.n,
            "won": cell.outcomes.won,
            "win_rate": _estimate(cell.won),
            "causes": {c.name: _estimate(cell.cause(c.name)) for c in facts.causes},
            "length": {"mean": _estimate(stats.mean_of_histogram(cell.endings.total, cell.endings.turns, LEVEL))},
        }
        if cell.standing is not None:
            made["seats"] = {
                seat: {
                    "won": _estimate(contest.win_share(cell, seat)),
                    "points": _estimate(contest.points_mean(cell, seat)),
                }
                for seat in cell.standing.seats
            }
        if facts.milestones and cell.timing is not None:
            made["milestones"] = {
                f"reached_{m.name}": _estimate(stats.rate(int(cell.timing.by_name[m.name].sum()), cell.n, LEVEL))
                for m in facts.milestones
            }
        cells.append(made)
    pairs = [
        {
            "first": c.first,
            "second": c.second,
            "difference": _estimate(c.difference),
            "only_first": c.pairs.first_only,
            "only_second": c.pairs.second_only,
            "p_adjusted": c.p_value,
            "told_apart": c.clear,
        }
        for c in comparisons(facts)
    ]
    return {
        "name": facts.name,
        "game": facts.game,
        "question": facts.question,
        "answer": [_terminal(s) for s in content.answer(facts)],
        "cells": cells,
        "compare": pairs,
        "summary": lines(facts),
    }

"""What the counts of a competitive game say, in words: seats, points, fates.

A seat is said to win more than another only where the exact test on the same games and the interval both say so, with
every pair of seats taken into account.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis import stats
from analysis.report import numbers
from analysis.report.compared import Measure
from analysis.report.facts import ALPHA, LEVEL, CellFacts, Compared, Facts, compare
from analysis.report.text import name, sentence
from analysis.standing import Standing
from analysis.stats import Estimate
from sim.core.game import Contest


def contest(facts: Facts) -> Contest:
    """The declaration; only for facts that have one."""
    assert facts.aspects.contest is not None
    return facts.aspects.contest


def standing(cell: CellFacts) -> Standing:
    """How the cell's seats fared; only for a contest."""
    assert cell.standing is not None
    return cell.standing


def win_share(cell: CellFacts, seat: str) -> Estimate:
    """Share of the cell's games that the seat won, alone or with others."""
    one = standing(cell)
    return stats.rate(one.wins(seat), one.n, LEVEL)


def outer_seats(cell: CellFacts) -> Compared | None:
    """The seat that wins least against the one that wins most; None for fewer than two seats."""
    one = standing(cell)
    k = len(one.seats)
    if k < 2:
        return None
    order = sorted(one.seats, key=lambda seat: (one.wins(seat), one.labels.index(seat)))
    pair = one.pair(order[0], order[-1])
    return compare([(order[0], order[-1], pair)], tests=k * (k - 1) // 2)[0]


def seats_finding(cell: CellFacts) -> str:
    """ "In calm, seat 1 wins 40.2 % of the games and seat 4 18.1 %: 22.1 percentage points more (…)." """
    c = outer_seats(cell)
    where = f"In {name(cell.label)}"
    if c is None:
        return f"{where} one seat plays alone."
    if not c.clear:
        low, high = (numbers.percent(win_share(cell, seat)) for seat in (c.first, c.second))
        return f"{where} no seat stands out: they win {low} to {high} of the games ({numbers.games(cell.n)})."
    low, high = (numbers.percent(win_share(cell, seat)) for seat in (c.first, c.second))
    size, interval = numbers.distance(c.difference)
    return (
        f"{where} {c.second} wins {high} of the games and {c.first} {low}: {size} percentage points more "
        f"(95{numbers.GAP}% interval {interval}, {numbers.games(cell.n)})."
    )


def seats_heading(facts: Facts) -> str:
    """Whether a seat is better than another, in one line."""
    told = []
    for cell in facts.focus():
        c = outer_seats(cell)
        if c is not None and c.clear:
            told.append(f"{c.second} wins {numbers.distance(c.difference)[0]} points more than {c.first} in")
            told[-1] += f" {name(cell.label)}"
    return sentence(numbers.join(told)) if told else "No seat stands out"


def answer(facts: Facts) -> tuple[str, ...]:
    """Two sentences: what the seats win, and what becomes of their pieces (or their points)."""
    first = " ".join(seats_finding(cell) for cell in facts.focus())
    return first, f"{fates_heading(facts) if contest(facts).fates else points_heading(facts)}."


def differences(facts: Facts) -> list[Measure]:
    """Every measure of every declared pair, Holm over all: each seat's wins, turns, points and fates."""
    declared = contest(facts)
    labels = dict(zip(declared.points, standing(facts.cells[0]).labels, strict=True))
    names = {"turns": "turns"} | {column: f"{declared.words[1]} of {seat}" for column, seat in labels.items()}
    names |= {column: f"{label} {_whole(declared)}" for column, label in _fates(declared)}
    level = 1 - ALPHA / facts.looks if facts.looks > 1 else LEVEL
    raw = []
    for pair in facts.pairs:
        if pair.sides is None:
            continue
        for seat, counts in pair.sides.wins.items():
            means = counts.first / counts.n, counts.second / counts.n
            d, p = stats.paired_difference(counts, level), stats.mcnemar(counts).p_value
            raw.append(
                Measure(pair.first, pair.second, seat, f"{seat} wins", "share", means, d, p, False, pairs=counts)
            )
        for key, sums in pair.sides.sums.items():
            d = stats.mean(sums.n, sums.total, sums.squares, level)
            p = stats.paired_mean_test(sums.n, sums.total, sums.squares).p_value
            means = pair.sides.means[key]
            raw.append(Measure(pair.first, pair.second, key, names[key], "number", means, d, p, False))
    if not raw:
        return []
    adjusted = stats.holm([min(1.0, facts.looks * m.p_value) for m in raw])
    return [
        replace(m, p_value=float(p), clear=bool(p < ALPHA and not m.difference.low <= 0.0 <= m.difference.high))
        for m, p in zip(raw, adjusted, strict=True)
    ]


def _fates(declared: Contest) -> tuple[tuple[str, str], ...]:
    return declared.fates.parts if declared.fates else ()


def _whole(declared: Contest) -> str:
    return declared.fates.label.lower() if declared.fates else ""


def points_mean(cell: CellFacts, seat: str) -> Estimate:
    """The seat's points a game."""
    counts = standing(cell).points[seat]
    return stats.mean_of_histogram(counts, np.arange(len(counts)), LEVEL)


def points_heading(facts: Facts) -> str:
    """The least and the greatest mean of a seat's points."""
    words = contest(facts).words[1]
    told = []
    for cell in facts.focus():
        means = [points_mean(cell, seat) for seat in standing(cell).seats]
        low, high = (numbers.number(pick(e.value for e in means)) for pick in (min, max))
        told.append(f"{low if low == high else f'{low} to {high}'} {words} in {name(cell.label)}")
    return f"A seat makes {numbers.join(told)}, on average"


def fate(cell: CellFacts, column: str, level: float = LEVEL) -> Estimate | None:
    """Share of all fates of the cell's games that are this one."""
    m = standing(cell).fates[column]
    return stats.share_of_total(m.n, m.x, m.y, m.xx, m.yy, m.xy, level) if m.n else None


def fates_heading(facts: Facts) -> str:
    """The most frequent fate, where it surely is that."""
    fates = contest(facts).fates
    assert fates is not None
    labels, what = dict(fates.parts), fates.label[:1].lower() + fates.label[1:]
    told: dict[str, list[str]] = {}
    for cell in facts.focus():
        shares = {key: e for key, _ in fates.parts if (e := fate(cell, key)) is not None}
        if not shares:
            continue
        order = sorted(shares, key=lambda key: -shares[key].value)
        # Picked out of all, so each interval takes its part of the error.
        level = 1 - ALPHA / len(order)
        most, after = (fate(cell, key, level) for key in (order + order)[:2])
        assert most is not None
        assert after is not None
        sure = len(order) == 1 or most.low > after.high
        words = labels[order[0]] if sure else f"{labels[order[0]]} or {labels[order[1]]}"
        size = numbers.percent(shares[order[0]])
        told.setdefault(words, []).append(f"{size if sure else f'about {size} each'} in {name(cell.label)}")
    if not told:
        return f"Nothing became of any {what}"
    return f"Of the {what}, most are {'; '.join(f'{words}: {numbers.join(parts)}' for words, parts in told.items())}"

"""Every declared comparison in every respect: win rate, each cause, turns, milestones.

Two families, each with Holm's adjustment: the win rates of the declared pairs, and all that lies behind them (each
other measure of each pair).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from analysis import stats
from analysis.report.facts import ALPHA, LEVEL, WON, Facts, PairFacts, comparisons
from analysis.stats import Estimate, Pairs


@dataclass(frozen=True)
class Measure:
    """One number of two cells on their common trials, compared.

    key, label: what is measured.  unit: "share" or "number".  means: in the first and in the second cell.
    difference: second minus first.  p_value: adjusted for the family.  clear: the test rejects "no difference" and the
    interval leaves zero out.  gain: what the pairing was worth, None where unknown.  pairs: the 2 × 2 table of a share.
    """

    first: str
    second: str
    key: str
    label: str
    unit: str
    means: tuple[float, float]
    difference: Estimate
    p_value: float
    clear: bool
    gain: Estimate | None = None
    pairs: Pairs | None = None


def wins(facts: Facts) -> list[Measure]:
    """The win rates of the declared pairs."""
    found = {(p.first, p.second): p for p in facts.pairs}
    return [
        _of_pairs(found[c.first, c.second], WON, "games won", c.pairs, c.difference, c.p_value, c.clear)
        for c in comparisons(facts)
    ]


def behind(facts: Facts) -> list[Measure]:
    """All other measures of the declared pairs, pair by pair: causes in the game's order, then turns and milestones."""
    raw: list[Measure] = []
    for pair in facts.pairs:
        if pair.won.n:
            raw += _raw(facts, pair)
    if not raw:
        return []
    adjusted = stats.holm([min(1.0, facts.looks * m.p_value) for m in raw])
    return [replace(m, p_value=float(p), clear=_clear(m.difference, p)) for m, p in zip(raw, adjusted, strict=True)]


def causes_of(facts: Facts, pair: PairFacts) -> dict[str, Measure]:
    """Cause -> its comparison in one declared pair, adjusted as in `behind`."""
    return {m.key: m for m in behind(facts) if (m.first, m.second) == (pair.first, pair.second) and m.unit == "share"}


def _clear(difference: Estimate, p_value: float) -> bool:
    return bool(p_value < ALPHA and not difference.low <= 0.0 <= difference.high)


def _of_pairs(
    pair: PairFacts, key: str, label: str, counts: Pairs, difference: Estimate, p_value: float, clear: bool
) -> Measure:
    means = counts.first / counts.n, counts.second / counts.n
    gain = _gain(pair, key)
    return Measure(pair.first, pair.second, key, label, "share", means, difference, p_value, clear, gain, counts)


def _gain(pair: PairFacts, key: str) -> Estimate | None:
    return stats.pairing_gain(pair.counts.blocks[key], LEVEL) if pair.counts else None


def _raw(facts: Facts, pair: PairFacts) -> list[Measure]:
    labels = {c.name: c.label for c in facts.causes}
    # Where a difference could end the run at several looks, intervals hold at all of them together.
    level = 1 - ALPHA / facts.looks if facts.looks > 1 else LEVEL
    # A cause that no game of the comparisons met is no measure.
    seen = {key for p in facts.pairs for key, counts in p.causes.items() if counts.first + counts.second}
    made = [
        _of_pairs(
            pair, key, labels[key], counts, stats.paired_difference(counts, level), stats.mcnemar(counts).p_value, False
        )
        for key, counts in pair.causes.items()
        if key in seen
    ]
    if pair.counts is None:
        return made
    k = len(facts.milestones)
    limits = {"turns": float("inf"), "milestones": float(k)}
    names = {"turns": "turns", "milestones": facts.words[1]}
    for key, sums in pair.counts.sums.items():
        bound = limits[key]
        difference = stats.mean(sums.n, sums.total, sums.squares, level, low=-bound, high=bound)
        p = stats.paired_mean_test(sums.n, sums.total, sums.squares).p_value
        means = pair.counts.means[key]
        made.append(
            Measure(pair.first, pair.second, key, names[key], "number", means, difference, p, False, _gain(pair, key))
        )
    return made

"""The least and the most frequent of several events, named only where they surely differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from analysis import stats
from analysis.report.facts import ALPHA, LEVEL
from analysis.stats import Estimate


@dataclass(frozen=True)
class Outer:
    """least, most: labels.  low, high: their rates.  apart: whether the two surely differ (they were picked)."""

    least: str
    most: str
    low: Estimate
    high: Estimate
    apart: bool


def outer(counts: Mapping[str, tuple[int, int]]) -> Outer | None:
    """Of label -> (count, games); each interval takes its part of the error.  None for fewer than two with games."""
    seen = {label: (k, n) for label, (k, n) in counts.items() if n}
    if len(seen) < 2:
        return None
    order = sorted(seen, key=lambda label: (seen[label][0] / seen[label][1], label))
    least, most = order[0], order[-1]
    level = 1 - ALPHA / len(seen)
    apart = stats.rate(*seen[least], level).high < stats.rate(*seen[most], level).low
    return Outer(least, most, stats.rate(*seen[least], LEVEL), stats.rate(*seen[most], LEVEL), apart)

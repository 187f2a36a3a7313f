"""Means and quantiles, from sums or from a histogram."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from analysis.stats.estimate import EmptySample, Estimate, check_counts, check_level


def mean(
    n: int, total: float, squares: float, level: float = 0.95, *, low: float = -inf, high: float = inf
) -> Estimate:
    """Mean of n numbers from their sum and the sum of their squares.

    The interval is Student's (1908, Biometrika 6:1-25).
    low, high: what the number can be at least and at most, in its unit; the interval is cut to them.
    Without spread (n = 1, or all values equal) t says nothing: then all but a share 1 - (α/2)^(1/n) of the law lies at
    the value seen, and the interval says what the rest, anywhere in low..high, can do to the mean (unlimited without
    bounds).  Raises EmptySample for n = 0.
    For paired arms pass the sums of the differences.  Not for a skewed number of fewer than some 30 games.
    """
    check_level(level)
    if n == 0:
        raise EmptySample("mean")
    value = total / n
    # Exact for whole numbers, whatever their size: all values equal is n·squares = total².
    spread = max(0, n * squares - total * total)
    if n == 1 or spread == 0:
        rest = 1 - ((1 - level) / 2) ** (1 / n)
        # `rest` > 0, so that an unlimited side stays unlimited.
        return Estimate(value, value - rest * (value - low), value + rest * (high - value), n, "no spread seen", level)
    from scipy.special import stdtrit

    reach = float(stdtrit(n - 1, (1 + level) / 2)) * sqrt(spread / (n - 1)) / n
    return Estimate(value, max(low, value - reach), min(high, value + reach), n, "Student t", level)


def mean_of_histogram(counts: np.ndarray, values: np.ndarray, level: float = 0.95) -> Estimate:
    """`mean` of a number with a histogram: counts (k,) games at each of `values` (k,), which hold every possible value.

    Raises EmptySample when all counts are 0.  Not for values only some of the games have, unless that is said beside.
    """
    counts, values = check_counts(counts, "mean"), np.asarray(values)
    n, total, squares = int(counts.sum()), (counts * values).sum().item(), (counts * values * values).sum().item()
    return mean(n, total, squares, level, low=float(values.min()), high=float(values.max()))


def quantile(counts: np.ndarray, values: np.ndarray, q: float, level: float = 0.95) -> Estimate:
    """The value that a share q of the games does not exceed, with the distribution-free interval from order statistics.

    counts: (k,) games at each of `values` (k,), which rise and hold every possible value; 0 < q < 1.  The value is the
    sample's order statistic ⌈n·q⌉; the interval runs between the order statistics whose ranks hold a Binomial(n, q)
    count with the level asked for (David and Nagaraja 2003, Order Statistics, section 7.1), and to the end of `values`
    where the sample is too small for a bound.  Values are whole turns, so low = high is right when many games agree.
    Raises EmptySample when all counts are 0 and ValueError for q outside 0..1.
    Not for tails with fewer than some ten games beyond them.
    """
    from scipy.stats import binom

    check_level(level)
    if not 0 < q < 1:
        raise ValueError(f"quantile: {q} is not between 0 and 1")
    counts, values = check_counts(counts, "quantile"), np.asarray(values)
    n = int(counts.sum())
    if n == 0:
        raise EmptySample("quantile")
    upto = np.cumsum(counts)
    tail = (1 - level) / 2
    # X = number of games at or below the true quantile.  Rank r is a lower bound when P(X < r) <= tail ….
    r = int(binom.ppf(tail, n, q))
    s = int(binom.ppf(1 - tail, n, q)) + 1
    at = lambda rank: float(values[np.searchsorted(upto, rank)])  # noqa: E731 - the order statistic of a rank
    low = at(r) if r >= 1 else float(values[0])
    high = at(s) if s <= n else float(values[-1])
    middle = at(min(n, max(1, int(np.ceil(n * q - 1e-9)))))
    return Estimate(middle, min(low, middle), max(high, middle), n, "order statistics", level)

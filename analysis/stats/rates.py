"""Shares of games."""

from __future__ import annotations

import numpy as np

from analysis.stats.estimate import EmptySample, Estimate, check_counts, check_level

# Below this many on either side the score interval of a share near 0 or 1 can cover too little.
FEW = 10
WILSON = "Wilson"
CLOPPER_PEARSON = "Clopper-Pearson"


def rate(count: int, n: int, level: float = 0.95) -> Estimate:
    """Share of games in which something happened.

    count, n: whole numbers, 0 <= count <= n.  The interval is Wilson's score interval (Wilson 1927, JASA 22:209-212);
    with fewer than ten games on either side it is the exact one (Clopper and Pearson 1934, Biometrika 26:404-413).
    Raises EmptySample for n = 0 and ValueError for count outside 0..n; none of n and all of n are valid, and the
    interval always has a width.
    Not for a run that was stopped on a count of wins, nor for the difference of two arms (see `compare`).
    """
    low, high = intervals(np.array([count]), n, level)
    method = WILSON if min(count, n - count) >= FEW else CLOPPER_PEARSON
    return Estimate(float(count / n), float(low[0]), float(high[0]), int(n), method, level)


def intervals(counts: np.ndarray, n: int, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """The intervals of `rate` for many counts of the same n games: (low, high), float64, shaped as `counts`.

    Raises as `rate`.  Each interval holds by itself.  Not for a claim about all of them at once (see `bands`).
    """
    from statsmodels.stats.proportion import proportion_confint

    check_level(level)
    if n == 0:
        raise EmptySample("rate")
    counts = check_counts(counts, "rate")
    if (counts > n).any():
        raise ValueError(f"rate: {int(counts.max())} of {n} is more than all")
    wilson = proportion_confint(counts, n, alpha=1 - level, method="wilson")
    exact = proportion_confint(counts, n, alpha=1 - level, method="beta")
    few = np.minimum(counts, n - counts) < FEW
    share = counts / n
    # Rounding may leave a bound a hair inside the estimate at 0 of n and n of n.
    low = np.clip(np.minimum(np.where(few, exact[0], wilson[0]), share), 0.0, 1.0)
    high = np.clip(np.maximum(np.where(few, exact[1], wilson[1]), share), 0.0, 1.0)
    return low, high

"""Bands that hold for a whole curve at once."""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from analysis.stats.estimate import Band, EmptySample, check_counts, check_level


def dkw_reach(n: int, level: float = 0.95) -> float:
    """How far an empirical distribution function of n observations strays from the truth, anywhere, at most.

    The Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant (1990, Ann. Probab. 18:1269-1283), valid for
    every n and every distribution, discrete ones too (then conservative).  Raises EmptySample for n = 0.
    Not for dependent observations.
    """
    check_level(level)
    if n == 0:
        raise EmptySample("distribution band")
    return sqrt(log(2 / (1 - level)) / (2 * n))


def distribution_band(counts: np.ndarray, values: np.ndarray, level: float = 0.95) -> Band:
    """Share of games at or below each value, with a simultaneous DKW band.

    counts: (k,) whole numbers, games at each of `values`, which rise.  Raises EmptySample when all counts are 0.
    Not for values only some of the games have (time of a treasure): see `incidence`.
    """
    counts = check_counts(counts, "distribution band")
    n = int(counts.sum())
    reach = dkw_reach(n, level)
    share = np.cumsum(counts) / n
    low, high = np.maximum(share - reach, 0.0), np.minimum(share + reach, 1.0)
    return Band(np.asarray(values), share, low, high, np.full(counts.size, n, dtype=np.int64), "DKW band", level)


def mean_band(counts: np.ndarray, values: np.ndarray, level: float = 0.95) -> Band:
    """Mean of a bounded number at the start of each turn among the games still running, with a simultaneous band.

    counts: (turns, k) whole numbers, running games at each of `values` (k,), which rise and hold every possible value;
    row 0 is turn 1.  The result has a point per turn in which a game still runs; its n are the running games.

    Given how many games run in a turn, their values are independent draws from the law of that turn, so a bound that
    holds for any sample size holds here; the turns depend on each other, so their errors are added up (Bonferroni over
    all rows, empty ones too, since which are empty is chance).  Each turn uses the narrower on each side of two bounds,
    with half of the turn's error each: Anderson's (1969, Stanford ONR report 1), the mean of the edges of the DKW band;
    and the empirical Bernstein bound (Maurer and Pontil 2009, COLT, theorem 4), narrow when the values vary little.
    Conservative: the true level is higher than stated.  Raises EmptySample when no game runs in any turn.
    Not for the mean over all games (finished ones have no value), nor for unbounded values.
    """
    check_level(level)
    counts, values = check_counts(counts, "mean band"), np.asarray(values, dtype=np.float64)
    running = counts.sum(axis=1)
    rows = np.flatnonzero(running)
    if not rows.size:
        raise EmptySample("mean band")
    each = (1 - level) / counts.shape[0] / 2
    counts, n = counts[rows], running[rows]
    mean = counts @ values / n
    low, high = _anderson(counts, n, values, each)
    reach = _bernstein(counts, n, values, mean, each)
    low, high = np.maximum(low, mean - reach), np.minimum(high, mean + reach)
    method = "Anderson-Bernstein band"
    return Band(rows + 1, mean, np.minimum(low, mean), np.maximum(high, mean), n, method, level)


def _anderson(counts: np.ndarray, n: np.ndarray, values: np.ndarray, error: float) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest mean among all distributions inside each row's DKW band."""
    reach = np.sqrt(np.log(2 / error) / (2 * n))[:, None]
    below = np.cumsum(counts, axis=1)[:, :-1] / n[:, None]
    steps = np.diff(values)
    low = values[0] + (1 - np.minimum(below + reach, 1.0)) @ steps
    high = values[0] + (1 - np.maximum(below - reach, 0.0)) @ steps
    return low, high


def _bernstein(counts: np.ndarray, n: np.ndarray, values: np.ndarray, mean: np.ndarray, error: float) -> np.ndarray:
    """Half-width for each row; infinite for a single game, whose spread is unknown."""
    more = np.maximum(n - 1, 1)
    variance = (counts * (values - mean[:, None]) ** 2).sum(axis=1) / more
    spread = values[-1] - values[0]
    logs = log(4 / error)  # ln(2 / δ) with δ for each of the two sides
    reach = np.sqrt(2 * variance * logs / n) + 7 * spread * logs / (3 * more)
    return np.where(n > 1, reach, np.inf)

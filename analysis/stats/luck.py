"""How much of what happens is settled by what trials share."""

from __future__ import annotations

from math import sqrt

import numpy as np

from analysis.stats.estimate import EmptySample, Estimate, check_counts, check_level

# Fewer groups than this say nothing of a share of variance.
LEAST = 50


def shared_variance(groups: np.ndarray, level: float = 0.95) -> Estimate | None:
    """Share of an event's variance between groups of trials that share something (their setup).

    groups: (r + 1,) groups by how many of their r trials had the event, r >= 2.  The value is 1 − w / (p (1 − p)), with
    w the mean variance within a group and p the rate: the intraclass correlation of the one-way analysis of variance
    (Fleiss and Cuzick 1979, Appl. Psychol. Meas. 3:537-542), which is the squared correlation of a game with the rate
    of its setup.  0: the setup settles nothing; 1: it settles everything.  The interval is normal with the delta
    method's error over the groups, cut to −1/(r − 1) … 1.
    None for fewer than 50 groups, or an event that always or never happened.  Raises EmptySample without a group.
    """
    from scipy.special import ndtri

    check_level(level)
    groups = check_counts(groups, "shared variance")
    r = len(groups) - 1
    if r < 2:
        raise ValueError("shared variance: groups of two trials at least")
    g = int(groups.sum())
    if g == 0:
        raise EmptySample("shared variance")
    k = np.arange(r + 1)
    inside, rate = k * (r - k) / (r * (r - 1)), k / r
    w, p = float(groups @ inside) / g, float(groups @ rate) / g
    if g < LEAST or p in (0.0, 1.0):
        return None
    whole = p * (1 - p)
    value = 1 - w / whole
    influence = -(inside - w) / whole + w * (1 - 2 * p) * (rate - p) / whole**2
    reach = float(ndtri((1 + level) / 2)) * sqrt(float(groups @ influence**2) / g / (g - 1))
    low, high = max(-1 / (r - 1), value - reach), min(1.0, value + reach)
    return Estimate(value, min(low, value), max(high, value), g * r, "one-way variance, delta method", level)


def rate_difference(first: tuple[int, int], second: tuple[int, int], level: float = 0.95) -> Estimate:
    """Rate in the second group of games minus that in the first, separate games: Newcombe's interval from two Wilson
    intervals (1998, Stat. Med. 17:873-890, method 10).

    first, second: (count, games).  Raises EmptySample for a group without games.  Not for arms on common trials.
    """
    from statsmodels.stats.proportion import confint_proportions_2indep

    check_level(level)
    (a, n), (b, m) = first, second
    if n == 0 or m == 0:
        raise EmptySample("rate difference")
    low, high = confint_proportions_2indep(b, m, a, n, method="newcomb", compare="diff", alpha=1 - level)
    value = b / m - a / n
    return Estimate(value, min(float(low), value), max(float(high), value), n + m, "Newcombe", level)


def fisher(first: tuple[int, int], second: tuple[int, int]) -> float:
    """p-value of "both groups have the same rate": Fisher's exact test (1935) up to 10,000 games, else Pearson's X²."""
    from scipy.stats import chi2_contingency, fisher_exact

    (a, n), (b, m) = first, second
    table = [[a, n - a], [b, m - b]]
    if n + m <= 10_000 or min(a + b, n + m - a - b) < 10:
        return float(fisher_exact(table).pvalue)
    return float(chi2_contingency(table, correction=False).pvalue)

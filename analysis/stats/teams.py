"""What each member adds to a team, from the win rates of all teams; and whether teams differ at all."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import sqrt

import numpy as np

from analysis.stats.compare import Test
from analysis.stats.estimate import EmptySample, Estimate, check_level


def contrast(weights: np.ndarray, counts: np.ndarray, games: np.ndarray, level: float = 0.95) -> Estimate:
    """Σ weight · rate over separate groups of games, with Price and Bonett's interval (2004, CSDA 45:449-456).

    weights, counts, games: (k,).  With m weights that are not 0 each rate of the interval counts 2/m events and 4/m
    games more; the value is the plain sum, and the interval is stretched to hold it.
    Raises EmptySample where a weighted group has no games.  Not for groups on common trials.
    """
    from scipy.special import ndtri

    check_level(level)
    used = np.abs(weights) > 1e-12
    w, x, n = weights[used], counts[used].astype(np.float64), games[used].astype(np.float64)
    if not w.size or (n <= 0).any():
        raise EmptySample("contrast")
    m = w.size
    near = (x + 2 / m) / (n + 4 / m)
    middle = float(w @ near)
    reach = float(ndtri((1 + level) / 2)) * sqrt(float((w * w) @ (near * (1 - near) / (n + 4 / m))))
    value = float(w @ (x / n))
    return Estimate(value, min(middle - reach, value), max(middle + reach, value), int(n.sum()), "Price-Bonett", level)


@dataclass(frozen=True)
class Effects:
    """members: each member's effect on the win rate, adding to zero over all.  pairs: (i, j) -> what the two add
    beyond their own effects, adding to zero over each member's pairs; empty where the teams cannot tell."""

    members: tuple[Estimate, ...]
    pairs: dict[tuple[int, int], Estimate]


def team_effects(members: np.ndarray, counts: np.ndarray, games: np.ndarray, level: float = 0.95) -> Effects | None:
    """Sum-to-zero contrasts over teams: rate = mean + member effects + pair effects, by least squares over the teams.

    members: (teams, k) bool.  counts, games: (teams,) events and games, games > 0.  Every team weighs the same, so an
    effect is an average over teams, not over how often they played.  Pairs are left out of the model where the teams
    do not determine them, and None is returned where they do not determine the members' effects.
    Raises EmptySample without a team.  Not for teams on common trials.
    """
    check_level(level)
    if not len(members) or (np.asarray(games) <= 0).any():
        raise EmptySample("team effects")
    k = members.shape[1]
    one = members.astype(np.float64)
    couples = list(combinations(range(k), 2))
    two = np.array([[float(row[i] and row[j]) for i, j in couples] for row in members]).reshape(len(members), -1)
    zero_one = np.concatenate([[0.0], np.ones(k)])[None]
    zero_two = np.array([[float(r in couple) for couple in couples] for r in range(k)])
    full = np.column_stack([np.ones(len(members)), one, two])
    limits = np.zeros((1 + k, full.shape[1]))
    limits[0, : 1 + k] = zero_one
    limits[1:, 1 + k :] = zero_two
    weights = _solved(full, limits)
    if weights is not None:
        mains = tuple(contrast(weights[1 + i], counts, games, level) for i in range(k))
        pairs = {couple: contrast(weights[1 + k + i], counts, games, level) for i, couple in enumerate(couples)}
        return Effects(mains, pairs)
    weights = _solved(full[:, : 1 + k], zero_one)
    if weights is None:
        return None
    return Effects(tuple(contrast(weights[1 + i], counts, games, level) for i in range(k)), {})


def _solved(design: np.ndarray, limits: np.ndarray) -> np.ndarray | None:
    """(terms, teams) weights of the least-squares solution under `limits` · terms = 0; None where it is not unique."""
    _, sizes, right = np.linalg.svd(limits)
    rank = int((sizes > 1e-9).sum())
    free = right[rank:].T
    inside = design @ free
    if np.linalg.matrix_rank(inside) < free.shape[1]:
        return None
    return np.asarray(free @ np.linalg.pinv(inside))


def homogeneity(counts: np.ndarray, games: np.ndarray) -> Test:
    """Whether groups of games share one rate: Pearson's X² on the 2 × k table.  Raises EmptySample without games."""
    from scipy.stats import chi2_contingency

    counts, games = np.asarray(counts), np.asarray(games)
    n = int(games.sum())
    if n == 0:
        raise EmptySample("homogeneity")
    null = "all groups have the same rate"
    used = games > 0
    if counts.sum() in (0, n) or used.sum() < 2:
        return Test(1.0, n, "Pearson X²", null)
    table = np.stack([counts[used], games[used] - counts[used]])
    return Test(float(chi2_contingency(table, correction=False).pvalue), n, "Pearson X²", null)


def spread(counts: np.ndarray, games: np.ndarray, level: float = 0.95) -> Estimate | None:
    """Standard deviation of the groups' true rates, chance taken out: `between` of their rates.

    counts, games: (k,).  Each rate's variance counts half an event and one game more.
    None for fewer than three groups, or one without games.  Not for groups on common trials.
    """
    counts, games = np.asarray(counts), np.asarray(games)
    if len(counts) < 3 or (games <= 0).any():
        return None
    near = (counts + 0.5) / (games + 1.0)
    found = between(counts / games, near * (1 - near) / games, level)
    return Estimate(found.value, found.low, found.high, int(games.sum()), found.method, level)


def between(values: np.ndarray, variances: np.ndarray, level: float = 0.95) -> Estimate:
    """Standard deviation of what k >= 3 groups truly have, from values with known variances.

    Paule and Mandel's estimate (1982, J. Res. NBS 87:377-385) with the Q-profile interval (Viechtbauer 2007, Stat. Med.
    26:37-52).  0 is a fair answer, for the value and for either end.  Not for values that depend on each other.
    """
    from scipy.stats import chi2

    check_level(level)
    k = len(values)

    def q(square: float) -> float:
        weight = 1 / (variances + square)
        return float(weight @ (values - weight @ values / weight.sum()) ** 2)

    def solve(target: float) -> float:
        """The variance at which Q falls to the target; 0 where it never is above."""
        if q(0.0) <= target:
            return 0.0
        low, high = 0.0, float(np.max(variances))
        while q(high) > target:
            low, high = high, 2 * high
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if q(middle) > target else (low, middle)
        return (low + high) / 2

    tail = (1 - level) / 2
    value, low, high = (sqrt(solve(t)) for t in (k - 1.0, chi2.ppf(1 - tail, k - 1), chi2.ppf(tail, k - 1)))
    return Estimate(value, min(low, value), max(high, value), k, "Q-profile", level)

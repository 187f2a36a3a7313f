"""Contrasts over teams, their spread, and what trials share: statsmodels, published values, known laws."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from statsmodels.stats.meta_analysis import combine_effects
from statsmodels.stats.proportion import confint_proportions_2indep

from analysis.stats import EmptySample, contrast, homogeneity, shared_variance, spread, team_effects
from analysis.stats.teams import between

# Thirteen trials of a vaccine (Colditz et al. 1994, JAMA 271:698-702): log risk ratios and their variances.
BCG = np.array(
    [-0.8893, -1.5854, -1.3481, -1.4416, -0.2175, -0.7861, -1.6209, 0.0120, -0.4694, -1.3713, -0.3394, 0.4459, -0.0173]
)
BCG_VARIANCES = np.array(
    [0.3256, 0.1946, 0.4154, 0.0200, 0.0512, 0.0069, 0.2230, 0.0040, 0.0564, 0.0730, 0.0124, 0.5325, 0.0714]
)


def teams_of(size: int, roles: int = 6) -> np.ndarray:
    return np.array([[r in team for r in range(roles)] for team in combinations(range(roles), size)])


def law(members: np.ndarray, mains: np.ndarray, pair: float = 0.0) -> np.ndarray:
    """Rates 50 % plus the effects; roles 0 and 1 together add `pair`, spread so that pairs add to zero."""
    rates = 0.5 + members @ mains
    if pair:
        # +1 for (0, 1) and (2, 3), −1 for (0, 2) and (1, 3): each role's pairs add to zero.
        for (i, j), sign in {(0, 1): 1, (2, 3): 1, (0, 2): -1, (1, 3): -1}.items():
            rates = rates + sign * pair * (members[:, i] & members[:, j])
    return rates


MAINS = np.array([0.06, 0.04, 0.0, -0.01, -0.04, -0.05])


def test_two_groups_are_agresti_and_caffo():
    """A contrast of two is statsmodels' Agresti-Caffo interval (2000, Am. Stat. 54:280-288)."""
    got = contrast(np.array([-1.0, 1.0]), np.array([13, 29]), np.array([40, 50]))
    low, high = confint_proportions_2indep(29, 50, 13, 40, method="agresti-caffo", compare="diff")
    assert (got.low, got.high) == pytest.approx((low, high))
    assert got.value == pytest.approx(29 / 50 - 13 / 40)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_exact_effects_of_exact_rates(size):
    """Rates that follow the model give its effects back, pairs too; a balanced role is 5/(6 − size) of its contrast."""
    members = teams_of(size)
    games = np.full(len(members), 10**9)
    rates = law(members, MAINS, pair=0.02)
    got = team_effects(members, np.round(rates * games).astype(int), games)
    assert got is not None
    assert [e.value for e in got.members] == pytest.approx(MAINS, abs=1e-6)
    assert got.pairs[0, 1].value == pytest.approx(0.02, abs=1e-6)
    assert got.pairs[0, 2].value == pytest.approx(-0.02, abs=1e-6)
    assert got.pairs[4, 5].value == pytest.approx(0.0, abs=1e-6)
    first = members[:, 0]
    assert got.members[0].value == pytest.approx(5 / (6 - size) * (rates[first].mean() - rates.mean()), abs=1e-6)
    assert sum(e.value for e in got.members) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("size", "games"), [(2, 60), (3, 40), (4, 300)])
def test_coverage_of_effects(size, games):
    """1,500 runs (seed 4): roles and pairs covered in 93.2 to 97 %; half the interval in less than 80 %."""
    members = teams_of(size)
    rng = np.random.default_rng(4)
    n = np.full(len(members), games)
    held, half, runs = np.zeros(2), 0, 1500
    for _ in range(runs):
        got = team_effects(members, rng.binomial(n, law(members, MAINS, 0.02)), n)
        e, pair = got.members[0], got.pairs[0, 1]
        held += (e.low <= MAINS[0] <= e.high, pair.low <= 0.02 <= pair.high)
        half += abs(e.value - MAINS[0]) <= e.half_width / 2
    assert ((held / runs >= 0.932) & (held / runs <= 0.97)).all(), held / runs
    assert half / runs < 0.8


def test_what_teams_cannot_tell():
    """Two teams of five roles cannot tell the roles apart; six teams, one role left out of each, cannot tell pairs."""
    members = teams_of(5)
    n = np.full(2, 100)
    assert team_effects(members[:2], np.array([50, 60]), n) is None
    six = team_effects(members, np.array([50, 51, 52, 53, 54, 55]), np.full(6, 100))
    assert six is not None
    assert six.pairs == {}
    assert six.members[0].value == pytest.approx(0.525 - 0.55)
    with pytest.raises(EmptySample):
        team_effects(members, np.zeros(6), np.zeros(6))
    with pytest.raises(EmptySample):
        contrast(np.array([1.0, -1.0]), np.array([0, 0]), np.array([0, 5]))


@pytest.mark.parametrize("counts", [([0, 0], [1, 1]), ([0, 1], [1, 1]), ([50, 0], [50, 50])])
def test_contrast_corners(counts):
    """One game, none and all: a width around the value."""
    got = contrast(np.array([-1.0, 1.0]), np.array(counts[0]), np.array(counts[1]))
    assert got.low <= got.value <= got.high
    assert got.high > got.low


def test_false_alarms_of_homogeneity():
    """A/A: fifteen equal teams of 200 games: p below 5 % in 3.3 to 6.8 % of 2,000 runs (chance 1e-3).  Control."""
    rng = np.random.default_rng(6)
    n = np.full(15, 200)
    alarms = np.mean([homogeneity(rng.binomial(n, 0.3), n).p_value < 0.05 for _ in range(2000)])
    assert 0.033 <= alarms <= 0.068
    uneven = np.mean([homogeneity(rng.binomial(n, np.linspace(0.2, 0.4, 15)), n).p_value < 0.05 for _ in range(100)])
    assert uneven > 0.95
    assert homogeneity(np.zeros(3), np.ones(3)).p_value == 1.0
    assert homogeneity(np.array([3]), np.array([5])).p_value == 1.0
    with pytest.raises(EmptySample):
        homogeneity(np.zeros(2), np.zeros(2))


def test_spread_against_published_values():
    """Viechtbauer (2010, J. Stat. Softw. 36(3), 6.1) for these trials: Q-profile 0.1197 to 1.1115 for the variance.

    The estimate is statsmodels' iterated one (Paule and Mandel)."""
    got = between(BCG, BCG_VARIANCES)
    assert got.low**2 == pytest.approx(0.1197, abs=2e-3)
    assert got.high**2 == pytest.approx(1.1115, abs=5e-3)
    assert got.value**2 == pytest.approx(combine_effects(BCG, BCG_VARIANCES, method_re="iterated").tau2, rel=1e-3)


@pytest.mark.parametrize("tau", [0.0, 0.03, 0.1])
def test_coverage_of_the_spread(tau):
    """15 teams of 1,300 games with that spread: 93 % or more of 1,000 runs hold it (seed 2)."""
    rng = np.random.default_rng(2)
    n = np.full(15, 1300)
    held = 0
    for _ in range(1000):
        # Two values at equal distance have exactly this spread, on average.
        rates = 0.5 + tau * rng.standard_normal(15)
        got = spread(rng.binomial(n, np.clip(rates, 0, 1)), n)
        held += got.low <= tau <= got.high
    assert held >= 930
    assert spread(np.array([1, 2]), np.array([5, 5])) is None
    assert spread(np.array([0, 0, 1]), np.array([1, 1, 1])).high > 0


# What trials share


def beta_binomial(rng: np.random.Generator, groups: int, r: int, p: float, rho: float) -> np.ndarray:
    """Groups of r trials whose rate is drawn with the intraclass correlation rho."""
    size = 1 / rho - 1 if rho else 1e9
    return np.bincount(rng.binomial(r, rng.beta(p * size, (1 - p) * size, groups)), minlength=r + 1)


def test_shared_variance_against_analysis_of_variance():
    """With many groups it is (MSB − MSW) / (MSB + (r − 1) MSW), worked out on the games themselves."""
    rng = np.random.default_rng(1)
    groups = beta_binomial(rng, 20_000, 4, 0.4, 0.1)
    games = np.concatenate([np.repeat(np.arange(4)[None] < k, count, axis=0) for k, count in enumerate(groups)])
    means = games.mean(axis=1)
    between_groups = 4 * ((means - games.mean()) ** 2).sum() / (len(games) - 1)
    within = ((games - means[:, None]) ** 2).sum() / (3 * len(games))
    want = (between_groups - within) / (between_groups + 3 * within)
    got = shared_variance(groups)
    assert got.value == pytest.approx(want, abs=1e-4)
    assert got.n == 80_000


@pytest.mark.parametrize(("rho", "p", "r"), [(0.0, 0.6, 2), (0.05, 0.6, 2), (0.1, 0.1, 8), (0.5, 0.4, 3)])
def test_coverage_of_shared_variance(rho, p, r):
    """1,500 runs of 2,000 groups (seed 3): 93.2 to 97 % hold the truth (a level of 95 leaves with chance 1e-3).

    Control: shuffling games between groups leaves nothing shared."""
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(1500):
        got = shared_variance(beta_binomial(rng, 2000, r, p, rho))
        held += got.low <= rho <= got.high
    assert 0.932 <= held / 1500 <= 0.97, held / 1500
    mixed = np.bincount(rng.binomial(r, p, 20_000), minlength=r + 1)
    assert abs(shared_variance(mixed).value) < 4 / sqrt(20_000)


def test_shared_variance_corners():
    """All or nothing in every group; groups that are all alike; too few groups; no group."""
    assert shared_variance(np.array([500, 0, 500])).value == pytest.approx(1.0)
    assert shared_variance(np.array([0, 1000, 0])).value == pytest.approx(-1.0)
    assert shared_variance(np.array([1000, 0, 0])) is None
    assert shared_variance(np.array([20, 20, 9])) is None
    with pytest.raises(EmptySample):
        shared_variance(np.array([0, 0, 0]))
    with pytest.raises(ValueError, match="two trials"):
        shared_variance(np.array([5, 5]))

"""Simultaneous bands: published constants, exact bounds, and coverage by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from analysis.stats import EmptySample, distribution_band, mean_band
from analysis.stats.bands import _anderson, dkw_reach


def test_dkw_reach():
    """95 %: 1.3581 / sqrt(n), the asymptotic Kolmogorov quantile (Smirnov 1948, Ann. Math. Stat. 19:279-281)."""
    assert dkw_reach(10_000) == pytest.approx(0.013581, abs=1e-6)
    assert dkw_reach(10_000) == pytest.approx(scipy_stats.kstwobign.ppf(0.95) / 100, rel=1e-4)
    with pytest.raises(EmptySample):
        dkw_reach(0)


@pytest.mark.parametrize("n", [1, 5, 50])
def test_dkw_reach_is_no_less_than_the_exact_one(n):
    """Massart's constant bounds the exact law of the Kolmogorov statistic at every n (scipy kstwo)."""
    for level in (0.5, 0.9, 0.95, 0.999):
        assert dkw_reach(n, level) >= scipy_stats.kstwo.ppf(level, n) - 1e-12


def test_distribution_band():
    """Shares at or below, cut to 0..1, a width everywhere."""
    band = distribution_band(np.array([0, 30, 70]), np.array([1, 2, 5]))
    assert band.value.tolist() == [0, 0.3, 1]
    assert band.high[0] == pytest.approx(dkw_reach(100))
    assert (band.high > band.low).all()
    with pytest.raises(EmptySample):
        distribution_band(np.array([0, 0]), np.array([1, 2]))


def test_distribution_band_coverage():
    """Uniform on 1 … 20, n = 300, 4,000 runs, seed 7: the whole function is inside in at least 95 % of runs.

    Control: a band of three quarters of the width is caught falling short."""
    n, runs = 300, 4000
    counts = np.random.default_rng(7).multinomial(n, np.full(20, 0.05), size=runs)
    off = np.abs(np.cumsum(counts, axis=1) / n - np.arange(1, 21) / 20).max(axis=1)
    reach = distribution_band(counts[0], np.arange(1, 21))
    assert reach.high[9] - reach.value[9] == pytest.approx(dkw_reach(n))
    assert (off <= dkw_reach(n)).mean() >= 0.95
    assert (off <= 0.75 * dkw_reach(n)).mean() < 0.95


def games(n, rng, turns=12, top=6):
    """A water meter: rises with chance 0.3 a turn from 1; the game ends at `top` or with chance 0.1 a turn.

    Returns (turns, top) counts of running games by level at the start of each turn."""
    counts = np.zeros((turns, top), dtype=np.int64)
    level, running = np.ones(n, dtype=int), np.ones(n, dtype=bool)
    for turn in range(turns):
        counts[turn] = np.bincount(level[running] - 1, minlength=top)
        level = np.minimum(level + (rng.random(n) < 0.3), top)
        running &= (level < top) & (rng.random(n) >= 0.1)
    return counts


def law(turns=12, top=6):
    """The exact law of `games`: mean level among running games at the start of each turn."""
    p = np.zeros(top)
    p[0], means = 1.0, []
    for _ in range(turns):
        means.append(p @ np.arange(1, top + 1) / p.sum())
        p = (0.7 * p + 0.3 * np.concatenate([[0], p[:-1]])) * 0.9
        p[-1] = 0
    return np.array(means)


@pytest.mark.parametrize("n", [5, 60, 2000])
def test_mean_band_coverage(n):
    """Mean level of the games still running, 1,000 runs, seed 8: all turns hold in at least 95 % of runs.

    Control: intervals of two standard errors at each turn, taken together, fall short."""
    rng, truth, values, held, naive = np.random.default_rng(8), law(), np.arange(1, 7), 0, 0
    for _ in range(1000):
        counts = games(n, rng)
        band = mean_band(counts, values)
        at = band.x - 1
        held += bool((band.low <= truth[at]).all() and (truth[at] <= band.high).all())
        spread = np.sqrt((counts[at] * (values - band.value[:, None]) ** 2).sum(axis=1) / band.n / band.n)
        naive += bool((np.abs(band.value - truth[at]) <= 2 * spread + 1e-12).all())
    assert held >= 950
    assert naive < 900


def test_mean_band_is_useful():
    """With 20,000 games the band is narrow while most of them run, and much narrower than Anderson's bound alone."""
    counts = games(20_000, np.random.default_rng(9), turns=200)
    band = mean_band(counts, np.arange(1, 7))
    assert (band.high - band.low)[:6].max() < 0.12
    low, high = _anderson(counts[:6], counts[:6].sum(axis=1), np.arange(1.0, 7.0), 0.05 / 200)
    assert ((high - low) / (band.high - band.low)[:6]).min() > 1.4


def test_anderson_bound_by_hand():
    """Half of 100 games at 0, half at 1: the mean's bounds are 1/2 -+ the reach; none below the least value."""
    reach = np.sqrt(np.log(2 / 0.01) / 200)
    low, high = _anderson(np.array([[50, 50]]), np.array([100]), np.array([0.0, 1.0]), 0.01)
    assert (low[0], high[0]) == pytest.approx((0.5 - reach, 0.5 + reach))
    low, high = _anderson(np.array([[1, 0]]), np.array([1]), np.array([3.0, 8.0]), 0.01)
    assert (low[0], high[0]) == pytest.approx((3, 8))


def test_corners():
    """One game, all alike, empty turns left out, no game at all."""
    band = mean_band(np.array([[1, 0, 0], [0, 0, 0], [0, 0, 1]]), np.array([1, 2, 3]))
    assert band.x.tolist() == [1, 3]
    assert band.value.tolist() == [1, 3]
    assert band.n.tolist() == [1, 1]
    assert (band.high > band.low).all()
    assert np.isfinite(band.low).all()
    assert np.isfinite(band.high).all()
    alike = mean_band(np.array([[1000, 0]]), np.array([0, 1]))
    assert 0 == alike.low[0] == alike.value[0] < alike.high[0] < 0.1
    with pytest.raises(EmptySample):
        mean_band(np.zeros((3, 2)), np.array([0, 1]))
    with pytest.raises(ValueError, match="from 0 up"):
        mean_band(np.array([[-1, 2]]), np.array([0, 1]))

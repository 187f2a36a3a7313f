"""Means and quantiles against scipy and statsmodels, published tables, and coverage."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.weightstats import DescrStatsW

from analysis.stats import EmptySample, mean, mean_of_histogram, quantile


def test_mean_against_statsmodels():
    """The t interval from sums equals that of the numbers, at two levels."""
    x = np.random.default_rng(1).poisson(7, 200)
    for level in (0.95, 0.8):
        got = mean(len(x), int(x.sum()), int((x * x).sum()), level)
        low, high = DescrStatsW(x).tconfint_mean(alpha=1 - level)
        assert (got.value, got.low, got.high) == pytest.approx((x.mean(), low, high))


def test_mean_of_students_sleep_data():
    """Student (1908, Biometrika 6:1-25), additional sleep: mean difference 1.58 h, s = 1.23, n = 10.

    R, t.test(extra ~ group, data = sleep, paired = TRUE): 0.7001142 to 2.4598858."""
    x = np.array([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
    got = mean(10, x.sum(), (x * x).sum())
    assert (got.value, got.low, got.high) == pytest.approx((1.58, 0.7001142, 2.4598858), abs=1e-7)


def test_histogram_is_the_same_sample():
    """A histogram and the sums of the numbers give one interval."""
    counts, values = np.array([0, 5, 9, 2, 0]), np.arange(3, 8)
    x = np.repeat(values, counts)
    got, want = mean_of_histogram(counts, values), mean(len(x), int(x.sum()), int((x * x).sum()))
    assert (got.value, got.low, got.high, got.n) == pytest.approx((want.value, want.low, want.high, 16))


def test_no_spread():
    """One game, or all games alike: an interval still, from the bounds; unlimited where there is none."""
    alike = mean_of_histogram(np.array([0, 50, 0]), np.array([0, 4, 10]))
    rest = 1 - 0.025 ** (1 / 50)
    assert (alike.low, alike.value, alike.high) == pytest.approx((4 - 4 * rest, 4, 4 + 6 * rest))
    one = mean(1, 5, 25)
    assert (one.low, one.value, one.high) == (-inf, 5, inf)
    assert mean(1, 5, 25, low=0).low == pytest.approx(0.025 * 5)
    assert mean(3, 0, 0, low=0).low == 0


def test_mean_stays_inside_bounds():
    """Cut to what the number can be."""
    got = mean_of_histogram(np.array([99, 1]), np.array([0, 1]))
    assert got.low == 0 < got.high


def test_mean_coverage():
    """Turns-like numbers, n = 100, 20,000 runs, seed 2: 95 % within 5 sigma (false alarm 6e-7) and skewness' 0.3 %.

    Control: the interval of z = 1.645 is told apart."""
    n, runs, law = 100, 20_000, np.array([0.05, 0.15, 0.3, 0.25, 0.15, 0.1])
    values = np.arange(4, 10)
    counts = np.random.default_rng(2).multinomial(n, law, size=runs)
    truth, got = law @ values, [mean_of_histogram(c, values) for c in counts]
    covered = np.mean([e.low <= truth <= e.high for e in got])
    assert abs(covered - 0.95) < 5 * np.sqrt(0.95 * 0.05 / runs) + 0.003
    short = np.mean([abs(e.value - truth) <= e.half_width * 1.645 / 1.984 for e in got])
    assert abs(short - 0.95) > 0.03


def test_quantile_ranks_of_a_published_table():
    """Median of 20: order statistics 6 and 15, since P(X <= 5) = 0.0207 <= 0.025 < P(X <= 6) = 0.0577.

    Conover (1999, Practical Nonparametric Statistics, section 3.2, table A3)."""
    got = quantile(np.ones(20), np.arange(1, 21), 0.5)
    assert (got.low, got.value, got.high) == (6, 10, 15)
    assert round(scipy_stats.binom.cdf(5, 20, 0.5), 4) == 0.0207


@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("n", [5, 30, 101])
def test_quantile_exact_coverage(q, n):
    """Distribution-free: for continuous numbers the chance that ranks r < s hold the quantile is a binomial sum, and it
    is at least 95 %; with an end of the sample missing the interval runs to the end of the values.

    Control: ranks one closer on both sides fall below."""
    values = np.arange(0, n + 2)
    counts = np.ones(n + 2)
    counts[[0, -1]] = 0  # the values of the ranks 1 … n, with room at both ends
    got = quantile(counts, values, q)
    r, s = int(got.low), int(got.high)
    at_most = scipy_stats.binom(n, q).cdf
    assert at_most(s - 1) - (at_most(r - 1) if r else 0) >= 0.95
    assert at_most(s - 2) - at_most(r) < 0.95


def test_quantile_of_whole_turns():
    """Value as numpy's inverted_cdf; many alike give low = high."""
    rng = np.random.default_rng(3)
    for q in (0.05, 0.25, 0.5, 0.75, 0.95):
        x = rng.poisson(9, 777)
        counts = np.bincount(x)
        got = quantile(counts, np.arange(len(counts)), q)
        assert got.value == np.quantile(x, q, method="inverted_cdf")
        assert got.low <= got.value <= got.high
    many = quantile(np.array([4000, 20_000, 4000]), np.array([8, 9, 10]), 0.5)
    assert many.low == many.value == many.high == 9


def test_empty_and_impossible():
    """No game; a quantile outside 0..1; bad counts."""
    for call in (lambda: mean(0, 0, 0), lambda: quantile(np.zeros(2), np.arange(2), 0.5)):
        with pytest.raises(EmptySample):
            call()
    for q in (0, 1, 50):
        with pytest.raises(ValueError, match="quantile"):
            quantile(np.ones(2), np.arange(2), q)
    with pytest.raises(ValueError, match="mean"):
        mean_of_histogram(np.array([0.5]), np.array([1]))
    one = quantile(np.array([0, 1, 0]), np.array([0, 1, 2]), 0.5)
    assert (one.low, one.value, one.high) == (0, 1, 2)

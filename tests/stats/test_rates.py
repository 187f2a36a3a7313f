"""Rates against statsmodels, published intervals and exact enumeration of every sample."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint

from analysis.stats import EmptySample, Estimate, intervals, rate


def coverage(n, p, interval):
    """Exact chance that the interval of a Binomial(n, p) count holds p: the sum over all n + 1 samples."""
    p = Fraction(p)
    total = Fraction(0)
    for k in range(n + 1):
        low, high = interval(k, n)
        if low <= p <= high:
            total += comb(n, k) * p**k * (1 - p) ** (n - k)
    return float(total)


def test_wilson_against_newcombe():
    """Newcombe (1998, Stat. Med. 17:857-872), table I, method 3: 81/263 0.2553 to 0.3662, 15/148 0.0624 to 0.1605."""
    for count, n, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605)):
        got = rate(count, n)
        assert got.method == "Wilson"
        assert (round(got.low, 4), round(got.high, 4)) == (low, high)


def test_few_use_the_exact_interval():
    """Newcombe (1998), table I, method 5 (Clopper-Pearson): 0/20 0 to 0.1684, 1/29 0.0009 to 0.1776."""
    for count, n, low, high in ((0, 20, 0.0, 0.1684), (1, 29, 0.0009, 0.1776)):
        got = rate(count, n)
        assert got.method == "Clopper-Pearson"
        assert (round(got.low, 4), round(got.high, 4)) == (low, high)


@pytest.mark.parametrize(("count", "method"), [(9, "beta"), (10, "wilson"), (90, "wilson"), (91, "beta")])
def test_the_switch_lies_at_ten_on_either_side(count, method):
    """As statsmodels gives each."""
    got, want = rate(count, 100, 0.9), proportion_confint(count, 100, alpha=0.1, method=method)
    assert (got.low, got.high) == pytest.approx(want)


@pytest.mark.parametrize("n", [1, 2, 10, 20, 10**6, 10**9])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_none_and_all(n, level):
    """0 of n and n of n are mirror images, have a width and no NaN, and their far bound is the closed form."""
    none, every = rate(0, n, level), rate(n, n, level)
    assert (none.value, none.low) == (0, 0)
    assert (every.value, every.high) == (1, 1)
    assert none.high > 0
    assert every.low < 1
    assert none.high == pytest.approx(1 - ((1 - level) / 2) ** (1 / n))
    assert 1 - every.low == pytest.approx(none.high)


def test_every_small_table_has_a_sound_interval():
    """All 0 <= count <= n <= 40: low <= value <= high, a width, no NaN, inside 0..1, mirror symmetry."""
    for n in range(1, 41):
        low, high = intervals(np.arange(n + 1), n)
        share = np.arange(n + 1) / n
        assert (low <= share).all()
        assert (share <= high).all()
        assert (high - low > 0).all()
        assert (low >= 0).all()
        assert (high <= 1).all()
        np.testing.assert_allclose(low, 1 - high[::-1], atol=1e-12)


def test_empty_and_impossible():
    """n = 0 is EmptySample; more than all, less than none and parts of games are ValueErrors."""
    with pytest.raises(EmptySample, match="n = 0"):
        rate(0, 0)
    for count, n in ((3, 2), (-1, 2), (0.5, 2)):
        with pytest.raises(ValueError, match="rate"):
            rate(count, n)
    with pytest.raises(ValueError, match="level"):
        rate(1, 2, 95)


@pytest.mark.parametrize("n", [20, 60, 200])
def test_exact_coverage(n):
    """By full enumeration over p = 1/40 … 39/40: never below 92 %, 95 % or more on average.

    Control: the Wald interval falls below 75 % at an edge."""
    points = [Fraction(k, 40) for k in range(1, 40)]
    table = [rate(k, n) for k in range(n + 1)]
    covered = [coverage(n, p, lambda k, _: (table[k].low, table[k].high)) for p in points]
    assert min(covered) > 0.92
    assert np.mean(covered) > 0.949
    wald = lambda k, n: proportion_confint(k, n, method="normal")  # noqa: E731
    assert min(coverage(n, p, wald) for p in (points[0], points[-1])) < (0.75 if n < 60 else 0.95)


def test_simulated_coverage():
    """20,000 samples of 1,000 games at p = 0.3, seed 1: the share covered is within 5 sigma of the exact one.

    False alarm 6e-7.  Control: intervals at 90 % are told apart from 95 %."""
    n, p, runs = 1000, 0.3, 20_000
    counts = np.random.default_rng(1).binomial(n, p, runs)
    mass = scipy_stats.binom.pmf(np.arange(n + 1), n, p)
    for level in (0.95, 0.9):
        low, high = intervals(np.arange(n + 1), n, level)
        holds = (low <= p) & (p <= high)
        exact = float(mass[holds].sum())
        seen = holds[counts].mean()
        near = abs(seen - exact) < 5 * np.sqrt(exact * (1 - exact) / runs)
        assert near
        assert (abs(seen - 0.95) < 0.01) == (level == 0.95)


def test_an_estimate_refuses_nonsense():
    """The value lies in its interval, and NaN nowhere."""
    for value, low, high in ((0.5, 0.6, 0.7), (float("nan"), 0, 1), (0.5, float("nan"), 1)):
        with pytest.raises(ValueError, match="low <= value <= high"):
            Estimate(value, low, high, 1, "x")
    assert Estimate(0.5, 0.4, 0.8, 1, "x").half_width == pytest.approx(0.2)

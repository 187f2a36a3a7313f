"""Shares of sums, differences of separate rates, against published values, textbook formulas and known laws."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from analysis.stats import EmptySample, fisher, rate_difference, share_of_total


def sums(x: np.ndarray, y: np.ndarray) -> tuple[int, ...]:
    return len(x), int(x.sum()), int(y.sum()), int(x @ x), int(y @ y), int(x @ y)


def test_share_against_the_textbook():
    """Cochran (1977, Sampling Techniques, 2.11): error √(Σ(x − r y)² / (n (n − 1))) / mean y, of many games."""
    rng = np.random.default_rng(3)
    y = rng.integers(10, 30, 5000)
    x = rng.binomial(y, 0.3)
    got = share_of_total(*sums(x, y))
    r = x.sum() / y.sum()
    error = sqrt(((x - r * y) ** 2).sum() / (5000 * 4999)) / y.mean()
    assert got.value == pytest.approx(r)
    assert got.half_width == pytest.approx(1.9604 * error, rel=1e-3)


@pytest.mark.parametrize("n", [10, 40, 400])
def test_coverage_of_shares(n):
    """Turns with nothing to choose, 0 to 20 turns a game: 95 % intervals hold 25 % in 93.2 to 97 % of 3,000 runs.

    Seed 5; a right interval leaves that range with chance 1e-5.  Control: turns taken as independent cover less."""
    rng = np.random.default_rng(5)
    held = naive = 0
    for _ in range(3000):
        y = rng.integers(5, 21, n)
        # A game has a share of its own, so its turns depend on each other.
        x = rng.binomial(y, rng.beta(2, 6, n))
        got = share_of_total(*sums(x, y))
        held += got.low <= 0.25 <= got.high
        naive += abs(got.value - 0.25) <= 1.96 * sqrt(got.value * (1 - got.value) / y.sum())
    assert 0.932 <= held / 3000 <= 0.97, held / 3000
    assert naive / 3000 < 0.8


def test_share_corners():
    """None at all, all of it, one game, nothing to share: widths and bounds, never a NaN."""
    y = np.array([4, 7, 9])
    for x in (y * 0, y):
        got = share_of_total(*sums(x, y))
        assert 0 <= got.low <= got.value <= got.high <= 1
        assert got.high > got.low
    one = share_of_total(1, 2, 4, 4, 16, 8)
    assert (one.value, one.low > 0, one.high < 1) == (0.5, True, True)
    assert share_of_total(3, 0, 0, 0, 0, 0) is None
    with pytest.raises(EmptySample):
        share_of_total(0, 0, 0, 0, 0, 0)


def test_newcombe_against_the_paper():
    """Newcombe (1998, Stat. Med. 17:873-890, table II, method 10): 56/70 − 48/80: 0.0524 to 0.3339."""
    got = rate_difference((48, 80), (56, 70))
    assert (round(got.value, 4), round(got.low, 4), round(got.high, 4)) == (0.2, 0.0524, 0.3339)
    with pytest.raises(EmptySample):
        rate_difference((0, 0), (1, 2))


@pytest.mark.parametrize("counts", [((0, 1), (0, 1)), ((1, 1), (0, 1)), ((0, 50), (50, 50)), ((0, 50), (0, 50))])
def test_difference_corners(counts):
    """None and all: a width, inside -1..1."""
    got = rate_difference(*counts)
    assert -1 <= got.low <= got.value <= got.high <= 1
    assert got.high > got.low


def test_fisher():
    """Fisher (1935, The Design of Experiments): three of four cups, two-sided 0.4857; large tables go to X²."""
    assert fisher((3, 4), (1, 4)) == pytest.approx(0.4857, abs=1e-4)
    assert fisher((0, 5), (0, 5)) == 1.0
    assert fisher((3000, 10000), (3000, 10000)) == pytest.approx(1.0)
    assert fisher((3000, 10000), (3300, 10000)) < 1e-4

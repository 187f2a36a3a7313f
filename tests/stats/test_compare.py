"""Paired comparisons against published tables, statsmodels and exact enumeration."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from analysis.stats import EmptySample, Pairs, mcnemar, paired_difference


def test_bonett_price_against_a_published_table():
    """Airway hyper-responsiveness (Bentur 2009; 1, 1, 7, 12): first minus second -0.286, -0.508 to -0.013.

    Fagerland, Lydersen and Laake (2014, Stat. Med. 33:2850-2875), Wald interval with Bonett-Price adjustment."""
    got = paired_difference(Pairs(1, 7, 1, 12))  # ours is second minus first, so the arms change places
    assert (round(got.value, 3), round(got.low, 3), round(got.high, 3)) == (-0.286, -0.508, -0.013)
    assert (got.n, got.method) == (21, "Bonett-Price")


def test_mcnemar_against_a_published_table():
    """Armitage and Berry (1994, Statistical Methods in Medical Research, p. 127; 20, 12, 2, 16): exact p = 0.0129."""
    got = mcnemar(Pairs(20, 12, 2, 16))
    assert round(got.p_value, 4) == 0.0129
    assert got.n == 14


@pytest.mark.parametrize("table", [(5, 0, 0, 5), (5, 3, 0, 1), (0, 4, 4, 0), (100, 31, 12, 50), (0, 0, 1, 0)])
def test_mcnemar_against_statsmodels(table):
    """And the arms may change places."""
    both, first, second, neither = table
    want = statsmodels_mcnemar([[both, first], [second, neither]], exact=True).pvalue
    assert mcnemar(Pairs(*table)).p_value == pytest.approx(want)
    assert mcnemar(Pairs(both, second, first, neither)).p_value == pytest.approx(want)


def test_direction_and_symmetry():
    """Second minus first; changing places changes the sign."""
    ahead = paired_difference(Pairs(10, 5, 25, 60))
    back = paired_difference(Pairs(10, 25, 5, 60))
    assert ahead.value == pytest.approx(0.2)
    assert (back.value, back.low, back.high) == pytest.approx((-ahead.value, -ahead.high, -ahead.low))


@pytest.mark.parametrize("n", [1, 2, 10, 10**6])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_corners(n, level):
    """No trial differs, or all do, one way: a width, no NaN, inside -1..1, and the value inside."""
    for table in ((n, 0, 0, 0), (0, 0, 0, n), (0, n, 0, 0), (0, 0, n, 0)):
        got = paired_difference(Pairs(*table), level)
        assert -1 <= got.low <= got.value <= got.high <= 1
        assert got.high > got.low


def test_empty_and_impossible():
    """No common trial; negative counts."""
    with pytest.raises(EmptySample):
        paired_difference(Pairs(0, 0, 0, 0))
    with pytest.raises(EmptySample):
        mcnemar(Pairs(0, 0, 0, 0))
    with pytest.raises(ValueError, match="from 0 up"):
        Pairs(1, -1, 0, 0)


def test_pairs_add_up():
    """In any order."""
    one, two = Pairs(1, 2, 3, 4), Pairs(10, 20, 30, 40)
    assert one + two == two + one == Pairs(11, 22, 33, 44)
    assert ((one + two).first, (one + two).second, (one + two).n) == (33, 44, 110)


def tables_of(n):
    for a in range(n + 1):
        for b in range(n + 1 - a):
            for c in range(n + 1 - a - b):
                yield a, b, c, n - a - b - c


@pytest.mark.parametrize(
    "law", [(0.4, 0.1, 0.1, 0.4), (0.5, 0.3, 0.1, 0.1), (0.05, 0.02, 0.13, 0.8), (0.9, 0.0, 0.02, 0.08)]
)
def test_exact_coverage(law):
    """Over all 12,341 tables of 40 trials: 93.5 % or more.  Control: the plain Wald interval falls short somewhere.

    Each table's chance is the multinomial one."""
    n, truth = 40, law[2] - law[1]
    covered = wald = 0.0
    for t in tables_of(n):
        chance = float(factorial(n) // np.prod([factorial(k) for k in t], dtype=object))
        chance *= np.prod([p**k for p, k in zip(law, t, strict=True)])
        if chance:
            got = paired_difference(Pairs(*t))
            covered += chance * (got.low <= truth <= got.high)
            d = (t[2] - t[1]) / n
            reach = 1.96 * np.sqrt((t[1] + t[2]) / n - d * d) / np.sqrt(n)
            wald += chance * (abs(d - truth) <= reach)
    assert covered > 0.935
    if law[1] == 0.0:
        assert wald < 0.7


def test_false_alarms_of_mcnemar():
    """A/A over all splits of m discordant pairs, m <= 60: p <= 0.05 has chance 0.05 at most.

    Control: arms of 3 to 1 are found with more than twice that chance at m = 40."""
    from scipy.stats import binom

    for m in range(1, 61):
        p = np.array([mcnemar(Pairs(3, k, m - k, 3)).p_value for k in range(m + 1)])
        assert binom.pmf(np.arange(m + 1), m, 0.5)[p <= 0.05].sum() <= 0.05
        if m == 40:
            assert binom.pmf(np.arange(m + 1), m, 0.75)[p <= 0.05].sum() > 0.5

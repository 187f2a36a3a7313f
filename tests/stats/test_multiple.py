"""Holm against statsmodels, his own example, and the family-wise error."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from analysis.stats import EmptySample, holm


def test_against_statsmodels():
    """Ties, ones, zeros, one alone, and any order."""
    rng = np.random.default_rng(1)
    for p in ([0.01, 0.04, 0.03, 0.005], [0.2], [0.0, 1.0, 0.5], [0.02, 0.02, 0.02], rng.random(50) ** 3):
        np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1])


def test_by_hand():
    """Four tests: 4 × 0.005, 3 × 0.01, then 2 × 0.03, which the last cannot undercut."""
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])


def test_family_wise_error():
    """A/A: ten true null hypotheses, 20,000 families, seed 2: any false claim in at most 5 % + 5 sigma (6e-7).

    Control: unadjusted, four families in ten have one."""
    p = np.random.default_rng(2).random((20_000, 10))
    alarms = np.mean([(holm(row) <= 0.05).any() for row in p])
    assert alarms <= 0.05 + 5 * np.sqrt(0.05 * 0.95 / 20_000)
    assert (p <= 0.05).any(axis=1).mean() > 0.35


def test_empty_and_impossible():
    """No test; no p-value."""
    with pytest.raises(EmptySample):
        holm([])
    for bad in (1.1, -0.1, float("nan")):
        with pytest.raises(ValueError, match=r"0\.\.1"):
            holm([0.5, bad])

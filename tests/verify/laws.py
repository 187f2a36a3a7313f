"""The laws that counts are held against: chi-square tests, each giving its p-value.

A test of this suite says its seed, its n, the law and where it comes from; it fails when p < FALSE_ALARM. The seeds are
fixed, so a test that passes once passes always: the rate says how likely a *correct* program was to fail when the test
was first run. Every law has a control, something slightly wrong that must be rejected at the same n and the same rate.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

FALSE_ALARM = 1e-6
"""How likely each single test is to reject what is right."""

SIZES = [
    pytest.param(20_000, id="quick"),
    pytest.param(400_000, id="full", marks=pytest.mark.verify),
]
"""n of a test: a quick one with every run of the tests, the full one in `make verify`."""


def counts_p(observed, chances):
    """Pearson's chi-square of counts against chances that are known exactly (expected counts of at least 5)."""
    observed = np.asarray(observed, float)
    chances = np.asarray(chances, float)
    assert abs(chances.sum() - 1) < 1e-12
    expected = chances * observed.sum()
    assert expected.min() >= 5, "n is too small for this law"
    return stats.chi2.sf(((observed - expected) ** 2 / expected).sum(), observed.size - 1)


def uniform_p(values, kinds):
    """Whether integers 0 … kinds - 1 come equally often."""
    return counts_p(np.bincount(values, minlength=kinds), np.full(kinds, 1 / kinds))


def permutations_p(orders):
    """Whether every member is in every place equally often: orders (n, k), each row a permutation of 0 … k - 1.

    For uniform permutations Pearson's statistic over the k × k counts, times (k - 1) / k, has (k - 1)² degrees of
    freedom: rows and columns both have fixed sums, and the covariance of the counts is that of a centred product.
    """
    n, k = orders.shape
    table = np.stack([np.bincount(orders[:, place], minlength=k) for place in range(k)])
    statistic = ((table - n / k) ** 2 / (n / k)).sum() * (k - 1) / k
    return stats.chi2.sf(statistic, (k - 1) ** 2)


def ranks(orders):
    """Each row's permutation as one number, 0 … k! - 1 (Lehmer code)."""
    k = orders.shape[1]
    code = np.zeros(len(orders), np.int64)
    for place in range(k):
        smaller = (orders[:, place + 1 :] < orders[:, place : place + 1]).sum(axis=1)
        code = code * (k - place) + smaller
    return code


def independent_p(one, other):
    """Pearson's chi-square for the independence of two paired series of small integers."""
    rows, one = np.unique(one, return_inverse=True)
    columns, other = np.unique(other, return_inverse=True)
    table = np.bincount(one * columns.size + other, minlength=rows.size * columns.size)
    return stats.chi2_contingency(table.reshape(rows.size, columns.size), correction=False).pvalue

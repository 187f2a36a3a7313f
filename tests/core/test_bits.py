"""Sets as bit masks."""

from __future__ import annotations

import random

import pytest

from sim.core import bits
from sim.core.compile import jit

MASKS = [0, 1, 2, 0b1010, 2**24 - 1, 1 << 61, (1 << 62) - 1, (1 << 61) | 1]
MASKS += [random.Random(seed).getrandbits(62) for seed in range(20)]


@jit
def through(mask, k):
    """The three functions as compiled code calls them."""
    return bits.count(mask), bits.first(mask), bits.nth(mask, k)


def members(mask):
    return [i for i in range(62) if mask >> i & 1]


@pytest.mark.parametrize("mask", MASKS)
def test_count(mask):
    """How many members."""
    assert bits.count(mask) == len(members(mask))


@pytest.mark.parametrize("mask", [mask for mask in MASKS if mask])
def test_first(mask):
    """The least member."""
    assert bits.first(mask) == members(mask)[0]


def test_first_of_the_empty_set():
    """64: no place of any set."""
    assert bits.first(0) == 64


@pytest.mark.parametrize("mask", [mask for mask in MASKS if mask])
def test_nth(mask):
    """The members in rising order."""
    assert [int(bits.nth(mask, k)) for k in range(len(members(mask)))] == members(mask)


def test_from_compiled_code():
    """The same when called from a compiled function."""
    assert tuple(int(n) for n in through(0b101000, 1)) == (2, 3, 5)

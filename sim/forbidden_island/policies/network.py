"""The learned value: one hidden layer of rectified units over the features, one answer, a logit of winning.

The weights stand in `mind.learned`: for each number of players a network, each of features × units, the units'
constants, their weights, the answer's constant.
"""

from __future__ import annotations

import numpy as np

from sim.core.compile import jit
from sim.core.policy import Mind
from sim.forbidden_island.policies.features import (
    HIDDEN_UNITS,
    N_FEATURES,
    PAIRS,
    Work,
    features,
    used_treasures,
)
from sim.forbidden_island.state import Rules, View

UNITS = HIDDEN_UNITS
INPUTS = N_FEATURES
NETWORK = INPUTS * UNITS + 2 * UNITS + 1
"""Numbers of one network."""


@jit(inline=True)
def network_at(rules: Rules) -> int:
    """Where the network for this number of players begins."""
    return (rules.players - 2) * NETWORK


@jit
def answer(mind: Mind, work: Work, at: int) -> float:
    """The answer for the sums in `work.total`."""
    outward = at + INPUTS * UNITS + UNITS
    zero = np.float32(0.0)
    a = mind.learned[outward + UNITS]
    b = c = d = zero  # four sums side by side: one alone would wait at each addition for the one before
    for j in range(0, UNITS, 4):
        a += max(zero, work.total[j]) * mind.learned[outward + j]
        b += max(zero, work.total[j + 1]) * mind.learned[outward + j + 1]
        c += max(zero, work.total[j + 2]) * mind.learned[outward + j + 2]
        d += max(zero, work.total[j + 3]) * mind.learned[outward + j + 3]
    return float((a + b) + (c + d))


@jit
def set_base(rules: Rules, view: View, mind: Mind, work: Work, at: int) -> float:
    """The value of the position in which the turn begins; it becomes the one that others are compared with."""
    for pair in range(PAIRS):
        work.x_pairs[pair] = 0
        work.near_pairs[pair] = 0
    work.used = INPUTS
    constants = at + INPUTS * UNITS
    for j in range(UNITS):
        work.near[j] = mind.learned[constants + j]
    _sum(rules, view, mind, work, at)
    work.used = used_treasures(view)
    _settle(work)
    return answer(mind, work, at)


@jit
def move_base(rules: Rules, view: View, mind: Mind, work: Work, at: int) -> None:
    """Compare with another position of the same turn from now on: the nearer the base, the less there is to add up."""
    _sum(rules, view, mind, work, at)
    _settle(work)


@jit
def _settle(work: Work) -> None:
    for i in range(INPUTS):
        work.near_x[i] = work.x[i]
    for j in range(UNITS):
        work.near[j] = work.total[j]


@jit
def value(rules: Rules, view: View, mind: Mind, work: Work, at: int) -> float:
    """The value of a position of the turn: only what differs from the base is added up."""
    _sum(rules, view, mind, work, at)
    return answer(mind, work, at)


@jit
def _sum(rules: Rules, view: View, mind: Mind, work: Work, at: int) -> None:
    features(rules, view, work)
    n = _differences(work)
    while n & 3:  # four rows of weights at a time: the sums are read and written once for all of them
        work.changed[n] = 0
        work.step[n] = 0.0
        n += 1
    for j in range(UNITS):
        work.total[j] = work.near[j]
    for k in range(0, n, 4):
        a = at + work.changed[k] * UNITS
        b = at + work.changed[k + 1] * UNITS
        c = at + work.changed[k + 2] * UNITS
        d = at + work.changed[k + 3] * UNITS
        _add(mind, work, a, b, c, d, work.step[k], work.step[k + 1], work.step[k + 2], work.step[k + 3])


@jit
def _differences(work: Work) -> int:
    """Note which inputs differ from the base, and by how much; how many."""
    n = 0
    for pair in range((work.used + 1) >> 1):
        if work.x_pairs[pair] != work.near_pairs[pair]:
            for i in (2 * pair, 2 * pair + 1):
                work.changed[n] = i
                work.step[n] = work.x[i] - work.near_x[i]
                n += work.x[i] != work.near_x[i]
    return n


@jit(inline=True)
def _add(mind: Mind, work: Work, a: int, b: int, c: int, d: int, p: float, q: float, r: float, s: float) -> None:
    for j in range(UNITS):
        work.total[j] += (
            p * mind.learned[a + j] + q * mind.learned[b + j] + (r * mind.learned[c + j] + s * mind.learned[d + j])
        )


@jit
def chance_of(logit: float) -> float:
    """1 / (1 + e^−x) by multiplications alone, the same bits on every machine; to a part in thirty up to 8."""
    power = 1.0 - max(-20.0, min(20.0, logit)) * (1.0 / 1024.0)
    for _ in range(10):
        power *= power
    return 1.0 / (1.0 + power)

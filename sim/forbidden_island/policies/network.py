"""The learned value: one hidden layer of rectified units over the features, one answer, a logit of winning.

The weights stand in `mind.numbers` from a place on: for each number of players a network, in the order of
`sizes`: features × units, the units' constants, their weights, the answer's constant.
"""

from __future__ import annotations

from sim.core.compile import jit
from sim.core.policy import Mind
from sim.forbidden_island.policies.features import (
    AT_TREASURES,
    HIDDEN_UNITS,
    N_FEATURES,
    Work,
    features,
    used_seats,
    used_treasures,
)
from sim.forbidden_island.state import Rules, View

UNITS = HIDDEN_UNITS
INPUTS = N_FEATURES
NETWORK = INPUTS * UNITS + 2 * UNITS + 1
"""Numbers of one network."""


@jit(inline=True)
def network_at(rules: Rules, at: int) -> int:
    """Where the network for this number of players begins."""
    return at + (rules.players - 2) * NETWORK


@jit
def answer(mind: Mind, work: Work, at: int) -> float:
    """The answer for the sums in `work.total`."""
    outward = at + INPUTS * UNITS + UNITS
    total = mind.numbers[outward + UNITS]
    odd = 0.0  # two sums side by side, or each addition would wait for the one before
    for j in range(0, UNITS, 2):
        total += max(0.0, work.total[j]) * mind.numbers[outward + j]
        odd += max(0.0, work.total[j + 1]) * mind.numbers[outward + j + 1]
    return total + odd


@jit
def set_base(rules: Rules, view: View, mind: Mind, work: Work, at: int) -> float:
    """The value of the position in which the turn begins; it becomes the one that others are compared with."""
    for i in range(INPUTS):
        work.x[i] = 0.0
    work.used = INPUTS
    features(rules, view, work)
    work.used = used_treasures(view)
    constants = at + INPUTS * UNITS
    for j in range(UNITS):
        work.total[j] = mind.numbers[constants + j]
    for i in range(INPUTS):
        x = work.x[i]
        work.root_x[i] = x
        work.near_x[i] = x
        if x != 0.0:
            _add(mind, work, x, at + i * UNITS)
    for j in range(UNITS):
        work.root[j] = work.total[j]
        work.near[j] = work.total[j]
    return answer(mind, work, at)


@jit
def move_base(rules: Rules, view: View, mind: Mind, work: Work, at: int) -> None:
    """Compare with another position of the same turn from now on: the nearer the base, the less there is to add up."""
    for i in range(INPUTS):
        work.near_x[i] = work.root_x[i]
    for j in range(UNITS):
        work.near[j] = work.root[j]
    _sum(rules, view, mind, work, at)
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
    for j in range(UNITS):
        work.total[j] = work.near[j]
    _differences(mind, work, at, 0, used_seats(rules))
    _differences(mind, work, at, AT_TREASURES, work.used)


@jit
def _differences(mind: Mind, work: Work, at: int, start: int, end: int) -> None:
    for i in range(start, end):
        step = work.x[i] - work.near_x[i]
        if step != 0.0:
            _add(mind, work, step, at + i * UNITS)


@jit(inline=True)
def _add(mind: Mind, work: Work, step: float, row: int) -> None:
    for j in range(UNITS):
        work.total[j] += step * mind.numbers[row + j]


@jit
def chance_of(logit: float) -> float:
    """1 / (1 + e^−x) by multiplications alone, the same bits on every machine; to a part in thirty up to 8."""
    power = 1.0 - max(-20.0, min(20.0, logit)) * (1.0 / 1024.0)
    for _ in range(10):
        power *= power
    return 1.0 / (1.0 + power)

"""Sets of cells (or seats, or cards) as int64 bit masks: bit i set means that i is in the set, 0 <= i < 62."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

from sim.core.compile import COMPILED, jit

_population: Any
_trailing_zeros: Any

if COMPILED:

    @intrinsic
    def _population_intrinsic(_context: Any, mask: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    @intrinsic
    def _trailing_zeros_intrinsic(_context: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

        return types.int64(types.int64), generate

    _population = _population_intrinsic
    _trailing_zeros = _trailing_zeros_intrinsic

else:

    def _plain_population(mask: int) -> int:
        return int(mask).bit_count()

    def _plain_trailing_zeros(mask: int) -> int:
        mask = int(mask)
        return (mask & -mask).bit_length() - 1 if mask else 64

    _population = _plain_population
    _trailing_zeros = _plain_trailing_zeros


@jit(inline=True)
def count(mask: int) -> int:
    """How many members the set has."""
    return _population(mask)


@jit(inline=True)
def first(mask: int) -> int:
    """The least member of a non-empty set (64 for the empty one)."""
    return _trailing_zeros(mask)


@jit
def nth(mask: int, k: int) -> int:
    """The k-th least member, k from 0.  Not checked: k < count(mask)."""
    for _ in range(k):
        mask &= mask - 1
    return first(mask)

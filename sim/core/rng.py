"""Chance: Threefry-2x64 with 13 rounds, a counter-based generator, and the streams drawn from it.

Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11; the known-answer vectors of
its authors are in tests/core/test_rng.py.  13 rounds is the least that the authors found to pass all of BigCrush with
the variant used here.

A block is a pure function of (seed, trial, purpose, k, index): no state, so results depend on nothing else, and any
trial is reachable at once.  uint64 stays inside this module; everything handed out is a non-negative int64.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from sim.core.compile import jit

U = np.uint64
_PARITY = U(0x1BD11BDAA9FC1A22)
_1, _2, _3 = U(1), U(2), U(3)
_R16, _R42, _R12, _R31, _R32, _R24, _R21 = U(16), U(42), U(12), U(31), U(32), U(24), U(21)
_64 = U(64)
_LOW32 = U(0xFFFFFFFF)
_SHIFT_PURPOSE = U(32)
_HALF = U(1)

Stream: TypeAlias = Any  # a record of STREAM

STREAM = np.dtype(
    [
        ("seed", np.int64),  # key of the experiment, 0 .. 2**63 - 1
        ("trial", np.int64),  # number of the game, from 0
        ("purpose", np.int64),  # which stream of the trial, 0 .. 2**31 - 1
        ("index", np.int64),  # how many words were drawn
        ("spare", np.int64),  # the second word of the last block
    ],
    align=True,
)
"""A stream of words with a position: what a player model draws its own chance from."""


@jit(inline=True)
def _mix(a: np.uint64, b: np.uint64, r: np.uint64) -> np.uint64:
    return ((b << r) | (b >> (_64 - r))) ^ a


@jit
def threefry(k0: np.uint64, k1: np.uint64, x0: np.uint64, x1: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Threefry-2x64-13: key (k0, k1), counter (x0, x1), two words of 64 bits.  All uint64."""
    k2 = _PARITY ^ k0 ^ k1
    x0 = x0 + k0
    x1 = x1 + k1
    x0 = x0 + x1
    x1 = _mix(x0, x1, _R16)
    x0 = x0 + x1
    x1 = _mix(x0, x1, _R42)
    x0 = x0 + x1
    x1 = _mix(x0, x1, _R12)
    x0 = x0 + x1
    x1 = _mix(x0, x1, _R31)
    x0 = x0 + k1
    x1 = x1 + k2 + _1
    x0 = x0 + x1
    x1 = _mix(x0, x1, _R16)
    x0 = x0 + x1
    x1 = _mix(x0, x1, _R32)
    x0 = x0 + x1
    x1 = _mix(x0, x1, _R24)
    x0 = x0 + x1
    x1 = _mix(x0, x1, _R21)
    x0 = x0 + k2
    x1 = x1 + k0 + _2
    x0 = x0 + x1
    x1 = _mix(x0, x1, _R16)
    x0 = x0 + x1
    x1 = _mix(x0, x1, _R42)
    x0 = x0 + x1
    x1 = _mix(x0, x1, _R12)
    x0 = x0 + x1
    x1 = _mix(x0, x1, _R31)
    x0 = x0 + k0
    x1 = x1 + k1 + _3
    x0 = x0 + x1
    x1 = _mix(x0, x1, _R16)
    return x0, x1


@jit
def block(seed: int, trial: int, purpose: int, k: int, index: int) -> tuple[np.int64, np.int64]:
    """Two words of 63 bits, as int64, of the stream (seed, trial, purpose, k).

    purpose, k: 0 .. 2**31 - 1 (which kind of chance, and its how-manieth use); index: number of the block, from 0.
    """
    a, b = threefry(U(seed), U(trial), (U(purpose) << _SHIFT_PURPOSE) | U(k), U(index))
    return np.int64(a >> _HALF), np.int64(b >> _HALF)


@jit
def start(stream: Stream, seed: int, trial: int, purpose: int) -> None:
    """Put `stream` (a STREAM record) at the beginning of the stream of this purpose."""
    stream.seed = seed
    stream.trial = trial
    stream.purpose = purpose
    stream.index = 0
    stream.spare = 0


@jit
def word(stream: Stream) -> int:
    """The next word of the stream: uniform on 0 .. 2**63 - 1."""
    index = stream.index
    stream.index = index + 1
    if index & 1:
        return stream.spare
    a, b = block(stream.seed, stream.trial, stream.purpose, 0, index >> 1)
    stream.spare = b
    return a


@jit
def below(stream: Stream, n: int) -> int:
    """Uniform on 0 .. n - 1, exactly (Lemire 2019, ACM TOMACS 29(1):3, with rejection).  1 <= n < 2**31."""
    product = (word(stream) >> 31) * n
    low = product & 0xFFFFFFFF
    if low < n:
        least = (0x100000000 - n) % n
        while low < least:
            product = (word(stream) >> 31) * n
            low = product & 0xFFFFFFFF
    return product >> 32


@jit
def unit(stream: Stream) -> float:
    """Uniform on [0, 1) in steps of 2**-53."""
    return (word(stream) >> 10) * (1.0 / 9007199254740992.0)

"""The random numbers: known answers, and what is drawn from them."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core import rng
from sim.core.compile import COMPILED

U = np.uint64
MAX = 0xFFFFFFFFFFFFFFFF


def start(seed=1, trial=2, purpose=3):
    """A stream at its beginning."""
    array = np.zeros(1, rng.STREAM)
    stream = array[0] if COMPILED else array.view(np.recarray)[0]
    rng.start(stream, seed, trial, purpose)
    return stream


@pytest.mark.parametrize(
    ("key", "counter", "answer"),
    [
        ((0, 0), (0, 0), (0xF167B032C3B480BD, 0xE91F9FEE4B7A6FB5)),
        ((MAX, MAX), (MAX, MAX), (0xCCDEC5C917A874B1, 0x4DF53ABCA26CEB01)),
        (
            (0xA4093822299F31D0, 0x082EFA98EC4E6C89),
            (0x243F6A8885A308D3, 0x13198A2E03707344),
            (0xC3AAC71561042993, 0x3FE7AE8801AFF316),
        ),
    ],
)
def test_known_answers(key, counter, answer):
    """Threefry-2x64 with 13 rounds, by the vectors of its authors (Random123, tests/kat_vectors)."""
    words = rng.threefry(U(key[0]), U(key[1]), U(counter[0]), U(counter[1]))
    assert tuple(int(word) for word in words) == answer


def test_blocks_are_the_cipher():
    """The key is (seed, trial), the counter (purpose and k, index), and each word loses its lowest bit."""
    seed, trial, purpose, k, index = 2**62 + 5, 2**40 + 1, 7, 9, 2**33
    a, b = rng.threefry(U(seed), U(trial), U((purpose << 32) | k), U(index))
    assert tuple(int(word) for word in rng.block(seed, trial, purpose, k, index)) == (int(a) >> 1, int(b) >> 1)


def test_words_come_in_pairs_from_blocks():
    """Word 2 i and word 2 i + 1 are those of block i; any position can be reached at once."""
    stream = start()
    words = [int(rng.word(stream)) for _ in range(10)]
    blocks = [int(word) for i in range(5) for word in rng.block(1, 2, 3, 0, i)]
    assert words == blocks
    assert stream.index == 10 if not COMPILED else stream["index"] == 10
    assert all(0 <= word < 2**63 for word in words)


def test_streams_are_apart():
    """Another seed, trial or purpose is another stream; the same is the same."""
    first = {args: tuple(int(rng.word(stream)) for _ in range(4)) for args in KEYS for stream in [start(*args)]}
    assert len(set(first.values())) == len(KEYS)
    assert len({word for words in first.values() for word in words}) == 4 * len(KEYS)
    again = start(*KEYS[0])
    assert tuple(int(rng.word(again)) for _ in range(4)) == first[KEYS[0]]


KEYS = [(1, 2, 3), (2, 1, 3), (1, 3, 2), (0, 0, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (2**63 - 1, 2**62, 2**31 - 1)]


def test_blocks_of_uses_are_apart():
    """The how-manieth use of a purpose (a shuffle's number) is part of the counter."""
    assert (
        len({tuple(int(w) for w in rng.block(1, 2, p, k, i)) for p in (1, 2) for k in range(5) for i in range(5)}) == 50
    )


@pytest.mark.parametrize("n", [1, 2, 3, 7, 24, 1000, 2**31 - 1])
def test_below_stays_below(n):
    """below(n) is in 0 .. n - 1, and reaches both ends of a small range."""
    stream = start()
    drawn = [int(rng.below(stream, n)) for _ in range(2000 if COMPILED else 300)]
    assert min(drawn) >= 0
    assert max(drawn) < n
    if n <= 24:
        assert set(drawn) == set(range(n))


def test_below_is_lemires_method():
    """Each draw is the high half of word × n, after rejections: recomputed with plain integers.

    With n = 3 · 2**29 a quarter of the words must be rejected, so that is tried too.
    """
    for n in (6, 3 << 29):
        stream, words = start(), start()
        used = 0
        for _ in range(200):
            while True:
                product = (int(rng.word(words)) >> 31) * n
                used += 1
                if product & 0xFFFFFFFF >= 2**32 % n:
                    break
            assert int(rng.below(stream, n)) == product >> 32
        assert used > 230 if n > 6 else used == 200


@pytest.mark.skipif(not COMPILED, reason="too many draws for plain Python")
def test_below_is_uniform():
    """Each face of a die equally often: chi-square, 5 df, n = 60,000, seed 1; fixed seed, so it cannot flicker.

    Control: a die whose six is rolled as a one once in twenty is far outside.
    """
    stream = start()
    faces = np.bincount([rng.below(stream, 6) for _ in range(60_000)], minlength=6)

    def chi_square(counts):
        return float(((counts - 10_000) ** 2 / 10_000).sum())

    assert chi_square(faces) < 30.9  # the 1e-5 point
    loaded = faces.copy()
    loaded[0], loaded[5] = loaded[0] + loaded[5] // 20, loaded[5] - loaded[5] // 20
    assert chi_square(loaded) > 30.9


def test_unit():
    """unit() is a multiple of 2**-53 in [0, 1), from the upper bits of one word."""
    stream, words = start(), start()
    for _ in range(200):
        drawn = float(rng.unit(stream))
        assert 0.0 <= drawn < 1.0
        assert drawn == (int(rng.word(words)) >> 10) / 2**53

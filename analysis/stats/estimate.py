"""What every statistic returns: a value never travels without its interval, its n and its method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


class EmptySample(ValueError):  # noqa: N818 - a state of the sample, read as such where it is caught
    """There is no game to estimate from."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}: no games to estimate from (n = 0)")


@dataclass(frozen=True)
class Estimate:
    """One number with its interval.

    value, low, high: in the unit of what is estimated, low <= value <= high.  n: games (or pairs of games) behind it.
    method: the interval's name for a report.  level: the share of such intervals that hold the truth.
    """

    value: float
    low: float
    high: float
    n: int
    method: str
    level: float = 0.95

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise ValueError(f"an estimate needs low <= value <= high, got {self.low}, {self.value}, {self.high}")

    @property
    def half_width(self) -> float:
        """Half the interval's width, what `precision` limits."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, eq=False)
class Band:
    """A curve with an interval at each point.

    x: the points (turns, or values of a distribution), rising.  value, low, high: float64, one per point.
    n: int64, games behind each point.  simultaneous: whether all points hold together at `level` (else each alone).
    """

    x: np.ndarray
    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n: np.ndarray
    method: str
    level: float = 0.95
    simultaneous: bool = True

    def __len__(self) -> int:
        return len(self.x)

    def at(self, index: int) -> Estimate:
        """The point at `index` (not at x = index) as an estimate."""
        return Estimate(
            float(self.value[index]),
            float(self.low[index]),
            float(self.high[index]),
            int(self.n[index]),
            self.method,
            self.level,
        )


def check_level(level: float) -> None:
    """Raise ValueError unless 0 < level < 1."""
    if not 0 < level < 1:
        raise ValueError(f"level: {level} is not between 0 and 1")


def check_counts(counts: np.ndarray, what: str) -> np.ndarray:
    """`counts` as int64; raises ValueError when one is negative or not whole."""
    array = np.asarray(counts)
    whole = array.astype(np.int64)
    if not np.array_equal(whole, array) or (whole < 0).any():
        raise ValueError(f"{what}: counts are whole numbers from 0 up")
    return whole

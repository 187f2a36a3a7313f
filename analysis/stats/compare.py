"""Two arms that met the same trials (the same islands and shuffles)."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from analysis.stats.estimate import EmptySample, Estimate, check_level


@dataclass(frozen=True)
class Pairs:
    """How often something happened in each of two arms on the same trials: the 2 × 2 table of counts.

    both, first_only, second_only, neither: games, adding up to the number of common trials `n`.
    """

    both: int
    first_only: int
    second_only: int
    neither: int

    def __post_init__(self) -> None:
        if min(self.both, self.first_only, self.second_only, self.neither) < 0:
            raise ValueError("pairs: counts are whole numbers from 0 up")

    @property
    def n(self) -> int:
        """Common trials."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def first(self) -> int:
        """Games of the first arm in which it happened."""
        return self.both + self.first_only

    @property
    def second(self) -> int:
        """Games of the second arm in which it happened."""
        return self.both + self.second_only

    def __add__(self, other: Pairs) -> Pairs:
        return Pairs(
            self.both + other.both,
            self.first_only + other.first_only,
            self.second_only + other.second_only,
            self.neither + other.neither,
        )


@dataclass(frozen=True)
class Test:
    """A significance test: `p_value` under the null hypothesis `null`, from `n` observations."""

    __test__ = False  # not a test case, whatever its name tells a collector

    p_value: float
    n: int
    method: str
    null: str


def paired_difference(pairs: Pairs, level: float = 0.95) -> Estimate:
    """Share in the second arm minus share in the first, on common trials: the change from first to second.

    The value is the plain difference; the interval is Bonett and Price's adjusted Wald interval (2012, J. Educ. Behav.
    Stat. 37:479-488), which adds one pair to each discordant count, cut to -1..1 and stretched to hold the value.
    Raises EmptySample for no common trial.  Never without width, also when no trial differs.
    Not for arms with trials of their own (the pairing is what narrows it), nor for means.
    """
    from scipy.special import ndtri

    check_level(level)
    if pairs.n == 0:
        raise EmptySample("paired difference")
    value = (pairs.second_only - pairs.first_only) / pairs.n
    n = pairs.n + 2
    up, down = (pairs.second_only + 1) / n, (pairs.first_only + 1) / n
    reach = float(ndtri((1 + level) / 2)) * sqrt((up + down - (up - down) ** 2) / n)
    low, high = max(-1.0, up - down - reach), min(1.0, up - down + reach)
    return Estimate(value, min(low, value), max(high, value), pairs.n, "Bonett-Price", level)


def mcnemar(pairs: Pairs) -> Test:
    """Whether two arms on common trials differ at all: McNemar's exact two-sided test (1947, Psychometrika 12:153-157).

    Given the discordant pairs, each way is a fair coin under the null hypothesis; no discordant pair gives p = 1.
    Raises EmptySample for no common trial.  `n` counts the discordant pairs, which alone carry information.
    Not a measure of how large the difference is (see `paired_difference`), and conservative for few discordant pairs.
    """
    from scipy.special import bdtr

    if pairs.n == 0:
        raise EmptySample("McNemar test")
    discordant = pairs.first_only + pairs.second_only
    fewer = min(pairs.first_only, pairs.second_only)
    p_value = min(1.0, 2 * float(bdtr(fewer, discordant, 0.5))) if discordant else 1.0
    return Test(p_value, discordant, "exact McNemar", "both arms have the same rate")

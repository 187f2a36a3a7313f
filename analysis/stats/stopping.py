"""When enough games have been played: at which counts a run is looked at, and what is decided there.

Looks are fixed numbers of games, so what is decided depends on the games and on nothing else.
"""

from __future__ import annotations

from math import ceil

from analysis.stats.compare import Pairs, mcnemar
from analysis.stats.estimate import check_level

LEAST = 1000
"""Games before the first look."""

MOST_DECISIONS = 10
"""Looks at which a difference may be declared; each has its part of the error."""


def looks(least: int, most: int, also: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Numbers of games at which half-widths are looked at: `least`, then steps of 10 to 20 % on round numbers, `most`.

    least, most: 1 <= least <= most.  also: further looks between them (planned decisions).  Rising, each once.
    """
    if not 1 <= least <= most:
        raise ValueError(f"looks: {least} is not in 1..{most}")
    found = {least, most, *(n for n in also if least <= n <= most)}
    n = least
    while n < most:
        step = max(step for step in _steps() if step <= max(1, n / 5))
        n = (n // step + 1) * step
        found.add(min(n, most))
    return tuple(sorted(found))


def _steps() -> list[int]:
    return [digit * 10**power for power in range(9) for digit in (1, 2, 5)]


def planned(least: int, most: int, count: int = MOST_DECISIONS) -> tuple[int, ...]:
    """At most `count` numbers of games at which a difference may be declared: `most`, its half, its quarter, ….

    None is below `least` (except `most` itself).  Rising.
    """
    found = [most]
    while len(found) < count and ceil(found[-1] / 2) >= least:
        found.append(ceil(found[-1] / 2))
    return tuple(reversed(found))


def enough_for_rate(half_width: float, level: float = 0.95) -> int:
    """Games after which a share's interval has at most this half-width, whatever the share is."""
    from scipy.special import ndtri

    check_level(level)
    z = float(ndtri((1 + level) / 2))
    return max(1, ceil(z * z / (4 * half_width * half_width) - z * z))


def enough_for_difference(half_width: float, level: float = 0.95) -> int:
    """Common trials after which a paired difference has at most this half-width, whatever the arms do."""
    from scipy.special import ndtri

    check_level(level)
    return max(1, ceil((float(ndtri((1 + level) / 2)) / half_width) ** 2))


def decided(pairs: Pairs, alpha: float, looks: int, family: int = 1) -> bool:
    """Whether a difference may be declared at one of `looks` planned looks at one of `family` pairs.

    McNemar's exact test against alpha / (looks × family): the chance that any pair without a difference is declared at
    any look is at most alpha (Bonferroni 1936), however the looks depend on each other.
    Not for looks that were not planned: their number must be fixed before the first game.
    """
    return mcnemar(pairs).p_value <= alpha / (looks * family)


def beaten(pairs: Pairs, alpha: float, looks: int, cells: int, keep: int) -> bool:
    """Whether the second arm is clearly worse than the first, in a race of `cells` for `keep` places.

    One-sided: half of McNemar's exact p-value, the first arm ahead, against alpha / (looks × keep × (cells − 1)).
    A cell is dropped when `keep` others beat it.  To drop a cell that is truly among the `keep` best, one that is no
    better must beat it at some look: keep × (cells − 1) such pairs at `looks` looks, so that happens in at most alpha
    of all races (Bonferroni).
    """
    ahead = pairs.first_only > pairs.second_only
    return ahead and mcnemar(pairs).p_value / 2 <= alpha / (looks * keep * (cells - 1))

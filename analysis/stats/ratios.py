"""Ratios of sums over games: shares of all turns, of all actions, of all cards."""

from __future__ import annotations

import numpy as np

from analysis.stats.estimate import EmptySample, Estimate, check_level
from analysis.stats.scale import fieller


def share_of_total(
    n: int, top: int, bottom: int, top2: int, bottom2: int, cross: int, level: float = 0.95
) -> Estimate | None:
    """Σx / Σy over n games, where 0 <= x <= y in each: which share of all y is x.

    top, bottom, top2, bottom2, cross: Σx, Σy, Σx², Σy², Σxy, exact whole numbers.
    Games are the sample, not the turns or cards in them, which depend on each other.  The interval is Fieller's (1954)
    with Student's t on the games, cut to 0..1.  Where all games have the same ratio (or there is one game) it says what
    the games unseen could do, as `mean` does: all but 1 - (α/2)^(1/n) of the law was seen.
    None where no game has any y.  Raises EmptySample for n = 0.  Not for the mean of each game's own share.
    """
    from scipy.special import stdtrit

    check_level(level)
    if n == 0:
        raise EmptySample("share")
    if bottom == 0:
        return None
    value = top / bottom
    # Exact: (x·bottom − y·top) is zero in every game just when its sum of squares is.
    spread = top2 * bottom * bottom - 2 * cross * top * bottom + bottom2 * top * top
    if n == 1 or spread == 0:
        rest = 1 - ((1 - level) / 2) ** (1 / n)
        return Estimate(value, value - rest * value, value + rest * (1 - value), n, "no spread seen", level)
    covariance = np.array(
        [[n * top2 - top * top, n * cross - top * bottom], [n * cross - top * bottom, n * bottom2 - bottom * bottom]],
        dtype=np.float64,
    ) / (n * n * (n - 1.0))
    found = fieller(top / n, bottom / n, covariance, float(stdtrit(n - 1, (1 + level) / 2)), n, level)
    if found is None:
        return Estimate(value, 0.0, 1.0, n, "Fieller", level)
    return Estimate(value, max(0.0, found.low), min(1.0, found.high), n, "Fieller", level)

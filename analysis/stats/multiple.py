"""Many comparisons at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.stats.estimate import EmptySample


def holm(p_values: Sequence[float]) -> np.ndarray:
    """Holm's step-down adjusted p-values (1979, Scand. J. Stat. 6:65-70), in the order given: float64, same length.

    Calling those below α different makes a false claim anywhere in the family with chance α at most, however the tests
    depend on each other.  Raises EmptySample for none and ValueError for a value outside 0..1.
    Not for a family chosen after looking: it is all the declared comparisons.
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.size == 0:
        raise EmptySample("Holm adjustment")
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("Holm adjustment: p-values lie in 0..1")
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1)), 1.0)
    return adjusted

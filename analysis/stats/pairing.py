"""What playing two arms on the same trials gained, from sums over blocks of trials."""

from __future__ import annotations

from math import exp, inf, log, sqrt

import numpy as np

from analysis.stats.compare import Test
from analysis.stats.estimate import EmptySample, Estimate, check_level

# Fewer common trials than this say nothing of a ratio of variances.
LEAST = 100


def pairing_gain(blocks: np.ndarray, level: float = 0.95) -> Estimate | None:
    """How many times as many separate games it would take to know the difference of two means as well.

    blocks: (b, 6) sums over b blocks of trials, of 1, x, y, x², y², xy, where x and y are the two arms' numbers (0 and
    1 for events) on one trial; blocks of about equal size, cut by the number of the trial only.
    The value is (var x + var y) / var(y − x), the ratio of the variances of the difference without and with common
    trials: 1 for unrelated arms, below 1 where what helps one arm hurts the other.  The interval is the jackknife's
    over blocks, on the logarithm, with Student's t (Tukey 1958, Ann. Math. Stat. 29:614; Shao and Tu 1995, chapter 2).
    None where it has no value: fewer than 100 trials, or arms that differ by the same on every trial.
    Raises EmptySample without a trial.  Not for arms that share only some of their trials.
    """
    from scipy.special import stdtrit

    check_level(level)
    sums = np.asarray(blocks, dtype=np.float64)
    total = sums.sum(axis=0)
    n = int(total[0])
    if n == 0:
        raise EmptySample("pairing")
    used = sums[sums[:, 0] > 0]
    value = _log_gain(total)
    if n < LEAST or len(used) < 3 or value is None:
        return None
    without = [_log_gain(total - block) for block in used]
    if any(one is None for one in without):
        return None
    left = np.array(without, dtype=np.float64)
    b = len(used)
    reach = float(stdtrit(b - 1, (1 + level) / 2)) * sqrt((b - 1) / b * float(((left - left.mean()) ** 2).sum()))
    return Estimate(exp(value), exp(value - reach), exp(value + reach), n, "jackknife over blocks of trials", level)


def _log_gain(sums: np.ndarray) -> float | None:
    n, x, y, xx, yy, xy = (float(v) for v in sums)
    if n < 2:
        return None
    own = xx - x * x / n + yy - y * y / n
    paired = own - 2 * (xy - x * y / n)
    return log(own / paired) if own > 1e-9 * n and paired > 1e-9 * n else None


def paired_mean_test(n: int, total: float, squares: float) -> Test:
    """Whether the mean difference on n common trials is zero: Student's paired t (1908, Biometrika 6:1-25), two-sided.

    total, squares: sums of the differences and of their squares, exact whole numbers.  Where all differences are equal
    t has no value: then the sign test, 2 · 2⁻ⁿ (1 where they are all zero).
    Raises EmptySample for n = 0.  Not for a skewed difference of fewer than some 30 trials.
    """
    from scipy.special import stdtr

    if n == 0:
        raise EmptySample("paired t test")
    null = "both arms have the same mean"
    spread = n * squares - total * total
    if n == 1 or spread <= 0:
        return Test(min(1.0, 2.0 * 0.5**n) if total else 1.0, n, "sign test", null)
    t = abs(total) / sqrt(spread / (n - 1)) if spread < inf else 0.0
    return Test(float(2 * stdtr(n - 1, -t)), n, "paired t", null)

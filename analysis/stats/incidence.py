"""What has happened by turn t: losses by cause, captured treasures.

Every game ends, and it is seen to the end: nothing is censored, so the plain proportion estimates the cumulative
incidence and equals the Aalen-Johansen estimate.  The other endings are competing events: one minus Kaplan-Meier, which
takes them for censoring, would be too high.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from analysis.stats.bands import dkw_reach
from analysis.stats.estimate import Band, EmptySample, check_counts, check_level
from analysis.stats.rates import intervals


def cumulative_incidence(counts: np.ndarray, n: int, level: float = 0.95, *, simultaneous: bool = True) -> Band:
    """Share of all n games in which the event has happened by the end of turn 1, 2, ….

    counts: (turns,) whole numbers, games in which it happens in turn 1, 2, …; games in which it never happens, because
    they ended otherwise, are in n only.  x is 1 … turns.
    simultaneous: the Dvoretzky-Kiefer-Wolfowitz band with Massart's constant (1990, Ann. Probab. 18:1269-1283) around
    the whole curve (the time of an event that never comes is infinite, so the law applies), else `rates` at each turn.
    At most one event a game.  Raises EmptySample for n = 0 and ValueError when the counts exceed n.
    Not for games cut off before they end other than by a cause of their own (`turn_limit`).
    """
    check_level(level)
    if n == 0:
        raise EmptySample("cumulative incidence")
    total = np.cumsum(check_counts(counts, "cumulative incidence"))
    if total.size and total[-1] > n:
        raise ValueError(f"cumulative incidence: {int(total[-1])} events in {n} games")
    value = total / n
    if simultaneous:
        reach = dkw_reach(n, level)
        low, high = np.maximum(value - reach, 0.0), np.minimum(value + reach, 1.0)
        method = "DKW band"
    else:
        low, high = intervals(total, n, level)
        method = "Wilson or Clopper-Pearson, each turn alone"
    x = np.arange(1, total.size + 1)
    return Band(x, value, low, high, np.full(total.size, n, dtype=np.int64), method, level, simultaneous)


def incidence_by_cause(counts: Mapping[str, np.ndarray], n: int, level: float = 0.95) -> dict[str, Band]:
    """`cumulative_incidence` of each cause, with bands that hold for all causes and turns together.

    counts: cause -> (turns,) whole numbers as above, all of one length; each game counts at most once over all causes.
    Each cause's DKW band has the level 1 - (1 - level) / causes (Bonferroni); `level` of a band is the joint one.
    Raises as above.  Not for events that can happen in the same game (treasures): their curves are separate claims.
    """
    check_level(level)
    if sum(int(np.sum(c)) for c in counts.values()) > n:
        raise ValueError(f"incidence by cause: more endings than the {n} games")
    each = 1 - (1 - level) / max(1, len(counts))
    bands = {cause: cumulative_incidence(c, n, each) for cause, c in counts.items()}
    method = f"DKW band, joint over {len(bands)} causes"
    return {c: Band(b.x, b.value, b.low, b.high, b.n, method, level) for c, b in bands.items()}

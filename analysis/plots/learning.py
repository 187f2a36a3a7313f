"""The learning curve of a training: games won, round by round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.plots import style
from analysis.plots.lines import Line, Panel, panels


def learning_curve(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """An SVG of the share of each round's games that was won, the mean over the rule sets."""
    x = np.array([float(row["round"]) for row in rows])
    y = np.array([float(row["won"]) for row in rows])
    chart = Panel("", (Line(style.mark(0), x, y),))
    return panels("learning-curve", style.WIDE, [chart], [], "Round", "Games won, %", percent=True).svg()

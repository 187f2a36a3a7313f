"""Dots with intervals, one row a cell: win rates, and differences between pairs of cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.plots import drawing, style
from analysis.plots.drawing import Drawing


@dataclass(frozen=True)
class Dot:
    """One row: shares between 0 and 1 (or differences between −1 and 1), and `text` as the reader sees the number.

    clear: whether the row stands out (a difference that excludes nothing stays grey).
    """

    label: str
    value: float
    low: float
    high: float
    text: str
    clear: bool = True


def rates(name: str, width: int, dots: Sequence[Dot], axis: str) -> Drawing:
    """Shares on an axis from zero."""
    top = max([100.0 * d.high for d in dots] + [1.0])
    step = style.percent_step(top)
    return _draw(name, width, dots, axis, 0.0, min(100.0, step * math.ceil(top / step)), step, signed=False)


def differences(name: str, width: int, dots: Sequence[Dot], axis: str) -> Drawing:
    """Differences on an axis that shows zero as a line."""
    low = min([100.0 * d.low for d in dots] + [0.0])
    high = max([100.0 * d.high for d in dots] + [0.0])
    step = style.percent_step(max(high - low, 1.0))
    start = step * math.floor(low / step)
    return _draw(name, width, dots, axis, start, max(step * math.ceil(high / step), start + step), step, signed=True)


def values(name: str, width: int, dots: Sequence[Dot], axis: str) -> Drawing:
    """Numbers of any unit on an axis that shows zero as a line; an unlimited end runs to the axis's."""
    ends = [v for d in dots for v in (d.value, d.low, d.high) if math.isfinite(v)] + [0.0]
    span = max(max(ends) - min(ends), 1e-6)
    step = next(s for s in (base * 10.0**power for power in range(-7, 9) for base in (1, 2, 5)) if s >= span / 6)
    low, high = step * math.floor(min(ends) / step), step * math.ceil(max(ends) / step)
    # `_draw` reads shares and shows percent.
    drawn = [replace(d, value=d.value / 100, low=max(d.low, low) / 100, high=min(d.high, high) / 100) for d in dots]
    return _draw(name, width, drawn, axis, low, max(high, low + step), step, signed=True)


def _draw(
    name: str, width: int, dots: Sequence[Dot], axis: str, low: float, high: float, step: float, *, signed: bool
) -> Drawing:
    narrow = width <= style.NARROW
    row = (40.0 if narrow else 26.0) if len(dots) <= 16 else (34.0 if narrow else 20.0)
    size = style.SIZE if len(dots) <= 16 else style.SMALL
    value_width = max(style.text_width(d.text, size) for d in dots) + 14
    label_width = 0.0
    if not narrow:
        label_width = min(max(style.text_width(d.label, size) for d in dots) + 14, 320.0 if signed else 250.0)
    left, right = label_width + 8, value_width + 8
    if narrow:
        left, right = 16.0, 22.0
    top, bottom = 8.0, 42.0
    made = drawing.new(name, width, top + row * len(dots) + bottom)
    frame = drawing.Frame(left, top, width - left - right, row * len(dots), low, high, len(dots), 0)
    for i in range(round((high - low) / step) + 1):
        x = frame.x(low + step * i)
        if not narrow:
            made.line([x, x], [frame.top, frame.bottom], style.RULE, 0.8, zorder=0.5)
        made.text(x, frame.bottom + 13, _tick(low + step * i, signed), size=style.SMALL, color=style.MUTED, ha="center")
    made.line([frame.left, frame.right], [frame.bottom] * 2, style.QUIET, 0.8)
    if signed:
        made.line([frame.x(0.0)] * 2, [frame.top, frame.bottom], style.INK)
    made.text(left, made.height - 9, axis, size=style.SMALL, color=style.MUTED)
    for index, dot in enumerate(dots):
        middle = top + row * (index + (0.27 if narrow else 0.5))
        y = top + row * (index + 0.7) if narrow else middle
        made.spot(2, top + row * index + 1, width - 4, row - 2, dot.label, dot.text)
        colour = style.BLUE if dot.clear else style.MUTED
        if narrow:
            made.line([frame.left, frame.right], [y, y], style.RULE, 0.8, zorder=0.5)
        ends = [frame.x(100 * dot.low), frame.x(100 * dot.high)]
        made.line(ends, [y, y], colour, 2.2, solid_capstyle="butt")
        for x in ends:
            made.line([x, x], [y - 5, y + 5], colour, 1.4)
        made.line(
            [frame.x(100 * dot.value)],
            [y],
            colour,
            marker="o",
            markersize=7 if len(dots) <= 16 else 6,
            markerfacecolor=colour if dot.clear else style.PAPER,
            markeredgecolor=colour,
            markeredgewidth=1.4,
        )
        if narrow:
            made.text(
                left, middle, style.shorten(dot.label, width - 40 - style.text_width(dot.text, size), size), size=size
            )
            made.text(width - 6, middle, dot.text, size=size, color=style.MUTED, ha="right")
        else:
            made.text(left - 10, middle, style.shorten(dot.label, label_width - 10, size), size=size, ha="right")
            made.text(width - 6, middle, dot.text, size=size, color=style.MUTED, ha="right")
    return made


def _tick(value: float, signed: bool) -> str:
    text = f"{abs(value):g}"
    if signed and value:
        return ("+" if value > 0 else "−") + text
    return text if signed else f"{text} %"

"""Lines over turns in small multiples: causes, milestones, curves with bands, lengths of games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.plots import drawing, style
from analysis.plots.drawing import Drawing, Key


@dataclass(frozen=True)
class Line:
    """One series: y[i] at turn x[i]; a band where `low` and `high` are given.

    stairs: the value holds until the next turn (counts that have happened by then).
    """

    mark: style.Mark
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    stairs: bool = False


@dataclass(frozen=True)
class Panel:
    """One small chart; `title` may be empty when there is only one."""

    title: str
    lines: tuple[Line, ...]


def panels(
    name: str,
    width: int,
    charts: Sequence[Panel],
    keys: Sequence[Key],
    x_axis: str,
    y_axis: str,
    *,
    percent: bool,
    from_zero: bool = True,
    area: bool = False,
) -> Drawing:
    """The charts side by side on common axes, as many columns as the width bears.  area: stacked areas, not lines."""
    narrow = width <= style.NARROW
    columns = _columns(len(charts), narrow)
    rows = math.ceil(len(charts) / columns)
    left, gap, right = 46.0, 20.0 if columns < 4 else 14.0, 14.0
    plot = (width - left - right - gap * (columns - 1)) / columns
    tall = {1: 250.0, 2: 220.0, 3: 180.0}.get(columns, 130.0) if not narrow else (190.0 if columns == 1 else 120.0)
    title = 26.0 if any(c.title for c in charts) else 8.0
    key_height = drawing.legend_height(list(keys), width - 20)
    top = key_height + (14 if keys else 4) + 18
    between = 26.0
    made = drawing.new(name, width, top + rows * (title + tall) + (rows - 1) * between + 50)
    drawing.legend(made, list(keys), 10, 4, width - 20)
    made.text(6, top - 8, y_axis, size=style.SMALL, color=style.MUTED)
    made.text(left, made.height - 12, x_axis, size=style.SMALL, color=style.MUTED)

    scale = 100.0 if percent else 1.0
    x_top = max((float(line.x[-1]) for c in charts for line in c.lines if len(line.x)), default=1.0)
    x_low = min((float(line.x[0]) for c in charts for line in c.lines if len(line.x)), default=0.0)
    y_low, y_top, y_ticks = _y_range(charts, scale, percent, from_zero, area)
    for index, chart in enumerate(charts):
        column, line_row = index % columns, index // columns
        y0 = top + line_row * (title + tall + between)
        x0 = left + column * (plot + gap)
        if chart.title:
            made.text(x0, y0 + 10, style.shorten(chart.title, plot + gap - 6, bold=True), weight="bold")
        axes = made.axes(x0, y0 + title, plot, tall)
        axes.set_xlim(x_low, max(x_top, x_low + 1))
        axes.set_ylim(y_low, y_top)
        axes.set_yticks(y_ticks)
        axes.set_yticklabels([_tick(t, percent) for t in y_ticks] if column == 0 else [])
        ticks = _turn_ticks(x_low, x_top, plot)
        axes.set_xticks(ticks)
        axes.set_xticklabels([f"{t:g}" for t in ticks])
        axes.grid(axis="y", color=style.RULE, linewidth=0.8)
        if area:
            _areas(axes, chart.lines, scale)
        else:
            _lines(axes, chart.lines, scale)
    return made


def _lines(axes: Any, lines: Sequence[Line], scale: float) -> None:
    for line in lines:
        if not len(line.x):
            continue
        if line.low is not None and line.high is not None:
            axes.fill_between(
                line.x,
                scale * line.low,
                scale * line.high,
                step="post" if line.stairs else None,
                color=line.mark.colour,
                alpha=0.22,
                linewidth=0,
            )
        every = max(1, len(line.x) // 5)
        axes.plot(
            line.x,
            scale * line.y,
            color=line.mark.colour,
            linestyle=line.mark.dash,
            linewidth=1.9,
            drawstyle="steps-post" if line.stairs else "default",
            marker=line.mark.marker,
            markevery=list(range(every, len(line.x), every)) or [len(line.x) - 1],
            markersize=4.5,
            markeredgewidth=0,
            solid_joinstyle="round",
        )


def _areas(axes: Any, lines: Sequence[Line], scale: float) -> None:
    base: np.ndarray | None = None
    for line in lines:
        lower = np.zeros(len(line.y)) if base is None else base
        upper = lower + line.y
        axes.bar(
            line.x,
            scale * line.y,
            0.86,
            bottom=scale * lower,
            color=line.mark.colour,
            hatch=line.mark.hatch,
            edgecolor=style.PAPER,
            linewidth=0,
        )
        base = upper


def _columns(count: int, narrow: bool) -> int:
    if narrow:
        return 1 if count <= 3 else 2
    return count if count <= 3 else (2 if count == 4 else (3 if count <= 9 else 4))


def _y_range(
    charts: Sequence[Panel], scale: float, percent: bool, from_zero: bool, area: bool
) -> tuple[float, float, list[float]]:
    if area:
        tops = [float(np.max(sum(line.y for line in c.lines))) for c in charts if c.lines and len(c.lines[0].y)]
        lows = [0.0]
    else:
        tops = [
            float(np.max(v))
            for c in charts
            for line in c.lines
            for v in (line.y, line.high)
            if v is not None and len(v)
        ]
        lows = [
            float(np.min(v)) for c in charts for line in c.lines for v in (line.y, line.low) if v is not None and len(v)
        ]
    top = scale * max(tops, default=1.0)
    low = 0.0 if from_zero else scale * min(lows, default=0.0)
    if top <= low:
        top = low + 1.0
    step = style.percent_step(top - low) if percent else _step(top - low)
    first = math.floor(low / step + 1e-9) * step
    last = math.ceil(top / step - 1e-9) * step
    if percent:
        last = min(last, 100.0)
    ticks = [first + step * i for i in range(round((last - first) / step) + 1)]
    # A line at the very top must not be cut in half.
    return first, last + 0.015 * (last - first), ticks


def _step(span: float) -> float:
    power = 10.0 ** math.floor(math.log10(span / 4.0))
    return next(power * f for f in (1.0, 2.0, 2.5, 5.0, 10.0) if span / (power * f) <= 5.0)


def _turn_ticks(low: float, high: float, width: float) -> list[float]:
    most = max(2.0, width / 36.0)
    step = next((s for s in (1, 2, 5, 10, 20, 25, 50, 100, 200) if (high - low) / s <= most), 500)
    first = math.ceil(low / step) * step
    return [float(first + step * i) for i in range(int((high - first) // step) + 1)]


def _tick(value: float, percent: bool) -> str:
    return f"{value:g} %" if percent else f"{value:g}"

"""Lines over turns in small multiples: causes, milestones, curves with bands, lengths of games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.plots import drawing, style
from analysis.plots.drawing import Drawing, Key


@dataclass(frozen=True)
class Line:
    """One series: y[i] at turn x[i]; a band where `low` and `high` are given."""

    mark: style.Mark
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray | None = None
    high: np.ndarray | None = None


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
    area: bool = False,
    word: str = "Turn",
    names: Sequence[str] = (),
) -> Drawing:
    """The charts side by side on common axes, as many columns as the width bears.

    area: stacked areas, not lines.  word: what a value of x is called.  names: of x = 1, 2, …, where it has names.
    """
    narrow = width <= style.NARROW
    columns = _columns(len(charts), narrow)
    rows = math.ceil(len(charts) / columns)
    left, gap, right = 46.0, 20.0 if columns < 4 else 14.0, 14.0
    plot = (width - left - right - gap * (columns - 1)) / columns
    tall = {1: 250.0, 2: 220.0, 3: 180.0}.get(columns, 130.0) if not narrow else (190.0 if columns == 1 else 120.0)
    size = style.SIZE if columns < 3 else style.SMALL
    titles = [style.wrap(c.title, plot + gap - 8, 3, size, bold=True) if c.title else [] for c in charts]
    title = 11.0 + 15.0 * max(len(t) for t in titles)
    key_height = drawing.legend_height(list(keys), width - 12)
    top = key_height + (14 if keys else 4) + 18
    between = 26.0
    made = drawing.new(name, width, top + rows * (title + tall) + (rows - 1) * between + 44)
    drawing.legend(made, list(keys), 2, 4, width - 12)
    made.text(2, top - 8, y_axis, size=style.SMALL, color=style.MUTED)
    made.text(left, made.height - 9, x_axis, size=style.SMALL, color=style.MUTED)

    scale = 100.0 if percent else 1.0
    x_top = max((float(line.x[-1]) for c in charts for line in c.lines if len(line.x)), default=1.0)
    x_low = min((float(line.x[0]) for c in charts for line in c.lines if len(line.x)), default=0.0)
    if area:
        x_low, x_top = x_low - 0.5, x_top + 0.5
    y_low, y_top, y_ticks = _y_range(charts, scale, percent, area)
    room = 0.94 * plot / max(1.0, x_top - x_low)
    named = bool(names) and all(style.text_width(name, style.SMALL) < room for name in names)
    for index, chart in enumerate(charts):
        column, line_row = index % columns, index // columns
        y0 = top + line_row * (title + tall + between)
        x0 = left + column * (plot + gap)
        for number, words in enumerate(titles[index]):
            y = y0 + title - 9 - 15 * (len(titles[index]) - 1 - number)
            made.text(x0, y, words, size=size, weight="bold")
        frame = drawing.Frame(x0, y0 + title, plot, tall, x_low, max(x_top, x_low + 1), y_low, y_top)
        for tick in y_ticks:
            made.line([frame.left, frame.right], [frame.y(tick)] * 2, style.RULE, 0.8, zorder=0.5)
            if column == 0:
                label = _tick(tick, percent)
                made.text(frame.left - 6, frame.y(tick), label, size=style.SMALL, color=style.MUTED, ha="right")
        made.line([frame.left, frame.right], [frame.bottom] * 2, style.QUIET, 0.8)
        for tick in _turn_ticks(x_low, x_top, plot):
            x = frame.x(tick)
            # Numbers at the edges stay inside, away from those of the neighbouring chart.
            side = "left" if x - frame.left < 4 else "right" if frame.right - x < 4 else "center"
            x += {"left": -4, "right": 4, "center": 0}[side]
            text = names[int(tick) - 1] if named else f"{tick:g}"
            made.text(x, frame.bottom + 12, text, size=style.SMALL, color=style.MUTED, ha=side)
        (_areas if area else _lines)(made, frame, chart.lines, scale)
        _spots(made, frame, chart, keys, word, names, percent=percent)
    return made


def _spots(
    made: Drawing,
    frame: drawing.Frame,
    chart: Panel,
    keys: Sequence[Key],
    word: str,
    names: Sequence[str],
    *,
    percent: bool,
) -> None:
    """A strip a turn, from half-way to its neighbours, that tells the values of all lines there."""
    turns = sorted({float(x) for line in chart.lines for x in line.x})
    scale = 100.0 if percent else 1.0
    for at, turn in enumerate(turns):
        words = []
        for line in chart.lines:
            found = np.flatnonzero(line.x == turn)
            if not found.size:
                continue
            i = int(found[0])
            number = style.plain(scale * float(line.y[i]), percent=percent)
            if line.low is not None and line.high is not None:
                low, high = (style.plain(scale * float(end[i]), percent=percent) for end in (line.low, line.high))
                number += f" ({low} to {high})"
            label = next((key.label for key in keys if key.mark == line.mark), "")
            words.append(f"{label}: {number}" if label else number)
        left = frame.x((turn + turns[at - 1]) / 2 if at else max(turn - 0.5, frame.low_x))
        right = frame.x((turn + turns[at + 1]) / 2 if at + 1 < len(turns) else min(turn + 0.5, frame.high_x))
        title = f"{word} {turn:g}" + (f", {names[int(turn) - 1]}" if names else "")
        made.spot(left, frame.top, right - left, frame.height, chart.title, title, *words)


def _lines(made: Drawing, frame: drawing.Frame, lines: Sequence[Line], scale: float) -> None:
    for line in lines:
        if line.low is not None and line.high is not None and len(line.x) > 1:
            low = np.clip(scale * line.low, frame.low_y, frame.high_y)
            high = np.clip(scale * line.high, frame.low_y, frame.high_y)
            x = frame.x(np.concatenate([line.x, line.x[::-1]]))
            y = frame.y(np.concatenate([high, low[::-1]]))
            made.area(np.column_stack([x, y]), line.mark.colour, alpha=0.22, zorder=1.5)
    for line in lines:
        if not len(line.x):
            continue
        every = max(1, len(line.x) // 5)
        made.line(
            frame.x(line.x),
            frame.y(scale * line.y),
            line.mark.colour,
            1.9,
            linestyle=line.mark.dash,
            marker=line.mark.marker or None,
            markevery=list(range(every, len(line.x), every)) or [len(line.x) - 1],
            markersize=4.5,
            markeredgewidth=0,
            solid_joinstyle="round",
        )


def _areas(made: Drawing, frame: drawing.Frame, lines: Sequence[Line], scale: float) -> None:
    base = np.zeros(len(lines[0].y)) if lines else np.zeros(0)
    each = frame.width / max(1.0, frame.high_x - frame.low_x) * 0.86
    for line in lines:
        upper = base + line.y
        for x, low, high in zip(line.x, base, upper, strict=True):
            if high > low:
                top = frame.y(scale * high)
                made.box(frame.x(x) - each / 2, top, each, frame.y(scale * low) - top, line.mark)
        base = upper


def _columns(count: int, narrow: bool) -> int:
    if narrow:
        return 1 if count <= 3 else 2
    return count if count <= 3 else (2 if count == 4 else (3 if count <= 9 else 4))


def _y_range(charts: Sequence[Panel], scale: float, percent: bool, area: bool) -> tuple[float, float, list[float]]:
    """From zero to a round number above all lines; a band far above them is cut, or it would flatten what is seen."""
    filled = [c.lines for c in charts if c.lines and len(c.lines[0].y)]
    if area:
        top = max((float(np.max(sum(line.y for line in drawn))) for drawn in filled), default=1.0)
    else:
        top = max((float(line.y.max()) for drawn in filled for line in drawn if len(line.y)), default=1.0)
        highs = [line.high for drawn in filled for line in drawn if line.high is not None and len(line.high)]
        if highs:
            top = min(1.4 * top, max(top, *(float(high.max()) for high in highs)))
    top = scale * top if top > 0 else 1.0
    step = style.percent_step(top) if percent else _step(top)
    last = math.ceil(top / step - 1e-9) * step
    if percent:
        last = min(last, 100.0)
    ticks = [step * i for i in range(round(last / step) + 1)]
    # A line at the very top must not be cut in half.
    return 0.0, 1.015 * last, ticks


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

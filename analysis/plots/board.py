"""The board as a map, coloured by how often each place was lost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.plots import bars, drawing, style
from analysis.plots.drawing import Drawing


@dataclass(frozen=True)
class Board:
    """One map: place i lies at places[i] = (row, column) and has the share shares[i], from 0 to 1.

    told: what is said of each place (its name, its number with the interval); the share alone where it is empty.
    """

    title: str
    places: tuple[tuple[float, float], ...]
    shares: tuple[float, ...]
    grid: str = "square"
    told: tuple[str, ...] = ()


# One hue from pale to dark: the order is read without a legend and survives grey printing.
_RAMP = ((238, 245, 249), (152, 199, 228), (46, 134, 189), (0, 80, 131), (6, 38, 66))


def colour(position: float) -> str:
    """The colour at `position` (0 pale to 1 dark) of the ramp."""
    place = min(max(position, 0.0), 1.0) * (len(_RAMP) - 1)
    index = min(int(place), len(_RAMP) - 2)
    rest = place - index
    return "#" + "".join(
        f"{round(a + (b - a) * rest):02x}" for a, b in zip(_RAMP[index], _RAMP[index + 1], strict=True)
    )


def boards(name: str, width: int, maps: Sequence[Board], axis: str) -> Drawing:
    """The maps side by side on one colour scale, the percentage written in each place."""
    narrow = width <= style.NARROW
    columns = min(len(maps), (1 if len(maps) <= 2 else 2) if narrow else (2 if len(maps) in (2, 4) else 3))
    rows = math.ceil(len(maps) / columns)
    gap, edge, title = 24.0, 10.0, 28.0
    each = (width - 2 * edge - gap * (columns - 1)) / columns
    spans = [_span(m) for m in maps]
    widest = max(s[1] - s[0] for s in spans)
    highest = max(s[3] - s[2] for s in spans)
    unit = min(each / widest, 62.0)
    tall = unit * highest
    top = 62.0
    made = drawing.new(name, width, top + rows * (title + tall) + (rows - 1) * 14 + 10)
    low = min(min(m.shares) for m in maps)
    high = max(max(m.shares) for m in maps)
    step = style.percent_step(max(100 * (high - low), 1.0)) / 100
    low, high = step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9)
    _scale(made, low, high, axis, min(width - 20, 300))
    digits = 0 if unit < 40 or high - low > 0.1 else 1
    size = min(style.SIZE, unit * 0.34)
    for index, board in enumerate(maps):
        x0 = edge + (index % columns) * (each + gap)
        y0 = top + (index // columns) * (title + tall + 14)
        if board.title:
            made.text(x0, y0 + 10, style.shorten(board.title, each, bold=True), weight="bold")
        left, _, above, _ = spans[index]
        frame = drawing.Frame(x0, y0 + title, unit * widest, tall, left, left + widest, above + highest, above)
        told = board.told or tuple(style.plain(100 * share, percent=True) for share in board.shares)
        for place, share, words in zip(board.places, board.shares, told, strict=True):
            y, x = place
            made.spot(frame.x(x - 0.5), frame.y(y - 0.5), unit, unit, board.title, words)
            shade = colour((share - low) / (high - low) if high > low else 0.5)
            corners = [(frame.x(x + dx), frame.y(y + dy)) for dx, dy in _outline(board.grid)]
            made.area(corners, shade, edge=style.PAPER, width=1.5)
            if unit >= 22:
                text = f"{100 * share:.{digits}f}"
                made.text(frame.x(x), frame.y(y), text, size=size, color=bars.on_colour(shade), ha="center")
    return made


def _outline(grid: str) -> list[tuple[float, float]]:
    if grid == "hex":
        # Pointed top; centres one apart in a row, rows 0.75 of a height apart.
        height = 2.0 / 3.0
        return [
            (0, -height),
            (0.5, -height / 2),
            (0.5, height / 2),
            (0, height),
            (-0.5, height / 2),
            (-0.5, -height / 2),
        ]
    return [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]


def _span(board: Board) -> tuple[float, float, float, float]:
    reach = 2.0 / 3.0 if board.grid == "hex" else 0.5
    xs = [place[1] for place in board.places]
    ys = [place[0] for place in board.places]
    return min(xs) - 0.52, max(xs) + 0.52, min(ys) - reach - 0.02, max(ys) + reach + 0.02


def _scale(made: Drawing, low: float, high: float, axis: str, width: float) -> None:
    parts = 24
    for part in range(parts):
        plain = style.Mark(colour(part / (parts - 1)), "-", "", "")
        made.box(10 + width * part / parts, 26, width / parts + (0.4 if part + 1 < parts else 0), 10, plain)
    made.text(10, 14, axis, size=style.SMALL, color=style.MUTED)
    for place, value in ((0.0, low), (0.5, (low + high) / 2), (1.0, high)):
        alignment = {0.0: "left", 0.5: "center", 1.0: "right"}[place]
        made.text(10 + width * place, 46, f"{100 * value:.3g} %", size=style.SMALL, color=style.MUTED, ha=alignment)

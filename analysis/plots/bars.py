"""Stacked bars, one a cell: how the games end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.plots import drawing, style
from analysis.plots.drawing import Drawing, Key

# Text on coloured areas keeps its colour whatever the page's scheme: not the themed ink and paper.
_ON_DARK = "#fffffe"
_ON_LIGHT = "#000000"


@dataclass(frozen=True)
class Bar:
    """One cell: `shares` in the order of the keys, adding to 1.  whisker: an interval drawn at the first part's end.

    told: each part's number as the reader sees it (with its interval); the share alone where it is empty.
    """

    label: str
    shares: tuple[float, ...]
    whisker: tuple[float, float] | None = None
    told: tuple[str, ...] = ()


def stacked(name: str, width: int, bars: Sequence[Bar], keys: Sequence[Key], axis: str) -> Drawing:
    """Bars to 100 %, with the percentage in every part that is wide enough for it."""
    narrow = width <= style.NARROW
    many = len(bars) > 16
    row = (50.0 if narrow else 34.0) if not many else (36.0 if narrow else 22.0)
    size = style.SIZE if not many else style.SMALL
    label_width = 0.0 if narrow else min(max(style.text_width(b.label, size) for b in bars) + 14, 230.0)
    left, right = (10.0, 18.0) if narrow else (label_width + 8, 22.0)
    used = [k for i, k in enumerate(keys) if any(b.shares[i] > 0 or (i == 0 and b.whisker) for b in bars)]
    key_height = drawing.legend_height(used, width - 12) + 8
    top, bottom = key_height + 6, 42.0
    made = drawing.new(name, width, top + row * len(bars) + bottom)
    drawing.legend(made, used, 2, 4, width - 12)
    frame = drawing.Frame(left, top, width - left - right, row * len(bars), 0, 100, len(bars), 0)
    for tick in (0, 25, 50, 75, 100):
        x = frame.x(tick)
        made.line([x, x], [frame.top, frame.bottom], style.RULE, 0.8, zorder=0.5)
        made.text(x, frame.bottom + 13, f"{tick} %", size=style.SMALL, color=style.MUTED, ha="center")
    made.line([frame.left, frame.right], [frame.bottom] * 2, style.QUIET, 0.8)
    made.text(left, made.height - 9, axis, size=style.SMALL, color=style.MUTED)
    for index, bar in enumerate(bars):
        middle = top + row * (index + (0.68 if narrow else 0.5))
        thick = row * (0.5 if narrow else 0.68)
        start = 0.0
        for part, share in enumerate(bar.shares):
            if share <= 0:
                continue
            length = 100.0 * share
            look = keys[part].mark
            made.box(frame.x(start), middle - thick / 2, length * frame.width / 100, thick, look, edge=0.8)
            number = bar.told[part] if bar.told else style.plain(length, percent=True)
            words = (bar.label, f"{keys[part].label}: {number}")
            made.spot(frame.x(start), middle - thick / 2, length * frame.width / 100, thick, *words)
            text = f"{length:.0f}"
            if length * frame.width / 100 > style.text_width(text, size) + 8 and length >= 1:
                _inside(made, frame.x(start + length / 2), middle, text, look, size)
            start += length
        if bar.whisker is not None:
            low, high = (frame.x(100.0 * v) for v in bar.whisker)
            over = middle - thick / 2 - 2.5
            made.line([low, low, high, high], [over + 4, over, over, over + 4], style.INK, 1.5, solid_joinstyle="miter")
        y = top + row * (index + (0.2 if narrow else 0.5))
        if narrow:
            made.text(left, y, style.shorten(bar.label, width - 24, size), size=size)
        else:
            made.text(left - 10, y, style.shorten(bar.label, label_width - 10, size), size=size, ha="right")
    return made


def _inside(made: Drawing, x: float, y: float, text: str, look: style.Mark, size: float) -> None:
    # What is themed on the page has text that is themed too.
    colour = style.INK if look.colour in (style.QUIET, style.RULE) else on_colour(look.colour)
    if look.hatch:
        # A plain patch under the number, or the hatching would run through it.
        half = style.text_width(text, size) / 2 + 2.5
        made.box(x - half, y - size * 0.62, 2 * half, size * 1.24, style.Mark(look.colour, "-", "", ""))
    made.text(x, y, text, size=size, color=colour, ha="center")


def on_colour(colour: str) -> str:
    """The text colour, black or near white, that stands out more on `colour` (WCAG contrast)."""
    return _ON_LIGHT if luminance(colour) > 0.179 else _ON_DARK


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2)."""
    parts = [int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

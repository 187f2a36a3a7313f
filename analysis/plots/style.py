"""Colours, line styles and text of all figures.

Lengths are CSS pixels: one unit of a figure's SVG is one pixel of the page.  Colours are Okabe and Ito's palette
(2008), which people with any colour vision tell apart, and never stand alone: lines also differ in dash and marker,
areas in hatching.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

INK = "#1b2a33"
MUTED = "#5a6a74"
RULE = "#dde3e6"
PAPER = "#ffffff"
# Areas that are not data: the part of a bar that is not lost, a tile's outline.
QUIET = "#c3ccd2"

BLUE = "#0072b2"
ORANGE = "#e69f00"
GREEN = "#009e73"
VERMILION = "#d55e00"
PURPLE = "#cc79a7"
SKY = "#56b4e9"
YELLOW = "#f0e442"

WIDE = 720
NARROW = 360

FONT = "DejaVu Sans"
SIZE = 12.0
SMALL = 11.0


@dataclass(frozen=True)
class Mark:
    """How one series is told from the others: colour, dash, marker, hatching."""

    colour: str
    dash: Any
    marker: str
    hatch: str


# Neighbours in this order differ in lightness as well as in hue, so that they survive a black and white printer.
MARKS: tuple[Mark, ...] = (
    Mark(BLUE, "-", "o", ""),
    Mark(ORANGE, (0, (6, 2)), "s", "///"),
    Mark(GREEN, (0, (1.5, 1.5)), "^", "|||"),
    Mark(VERMILION, (0, (6, 2, 1.5, 2)), "D", "\\\\\\"),
    Mark(SKY, (0, (10, 3)), "v", "---"),
    Mark(PURPLE, (0, (3, 1, 1, 1, 1, 1)), "P", "xx"),
    Mark(YELLOW, (0, (1, 3)), "X", "++"),
)
# What is not a way to lose (games won) takes the ink, so that colours are left to the causes.
INK_MARK = Mark(INK, "-", "o", "")


def mark(index: int) -> Mark:
    """The look of series `index`; repeats after seven, which no chart here needs."""
    return MARKS[index % len(MARKS)]


@lru_cache(maxsize=4)
def _font(bold: bool) -> Any:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return get_font(findfont(FontProperties(family=FONT, weight="bold" if bold else "normal")))


@lru_cache(maxsize=4096)
def text_width(text: str, size: float = SIZE, bold: bool = False) -> float:
    """Width of one line of text in pixels."""
    font = _font(bold)
    font.set_size(size, 72)
    font.set_text(printable(text), 0.0)
    return float(font.get_width_height()[0]) / 64.0


def has_glyphs(text: str) -> bool:
    """Whether the figures' font can draw every character, left to right."""
    known = _font(False).get_charmap()
    return all(ord(c) in known and not _right_to_left(c) for c in text if c != " ")


def _right_to_left(char: str) -> bool:
    # The font has Arabic letters, but Matplotlib neither joins nor reverses them: unreadable, so numbered instead.
    return 0x0590 <= ord(char) <= 0x08FF or 0xFB1D <= ord(char) <= 0xFEFF


def printable(text: str) -> str:
    """`text` on one line, with a question mark for what the font cannot draw: never an empty box."""
    known = _font(False).get_charmap()
    line = " ".join(text.split())
    return "".join(c if ord(c) in known else "?" for c in line)


def shorten(text: str, width: float, size: float = SIZE, bold: bool = False) -> str:
    """`text` cut with an ellipsis so that it fits `width` pixels."""
    text = printable(text)
    if text_width(text, size, bold) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle].rstrip() + "…", size, bold) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"


def wrap(text: str, width: float, most: int, size: float = SIZE, bold: bool = False) -> list[str]:
    """`text` in at most so many lines of `width` pixels, broken at spaces; what is left over is cut."""
    lines: list[str] = []
    for word in printable(text).split(" "):
        if lines and (len(lines) == most or text_width(f"{lines[-1]} {word}", size, bold) <= width):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [shorten(line, width, size, bold) for line in lines]


@dataclass(frozen=True)
class Names:
    """The cells' names as the figures write them.

    numbered: the names are "1", "2", … and the page's tables say which is which, because a name is too long for a
    chart or needs characters that the figures' font lacks.
    """

    shown: tuple[str, ...]
    numbered: bool

    def __getitem__(self, index: int) -> str:
        return self.shown[index]


LONGEST = 44


def names(labels: tuple[str, ...]) -> Names:
    """Names for figures: the labels themselves where all can be drawn, numbers otherwise."""
    if all(has_glyphs(label) and len(label) <= LONGEST for label in labels):
        return Names(tuple(" ".join(label.split()) for label in labels), False)
    return Names(tuple(str(i + 1) for i in range(len(labels))), True)


def plain(value: float, *, percent: bool) -> str:
    """A value in words: one decimal, two below 1 where it is not a percentage."""
    text = f"{abs(value):.{1 if percent or abs(value) >= 1 or value == 0 else 2}f}"
    sign = "−" if value < 0 and text.strip("0.") else ""
    return f"{sign}{text}\u00a0%" if percent else f"{sign}{text}"


def percent_step(top: float) -> float:
    """A round step of a percentage axis that ends at `top` percent: four to five labels."""
    for step in (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 25.0):
        if top / step <= 5.0:
            return step
    return 25.0

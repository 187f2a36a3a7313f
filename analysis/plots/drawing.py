"""A figure under construction, its legend, and its bytes as SVG and PNG."""

from __future__ import annotations

import io
import re
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from analysis.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Spot:
    """A part of a drawing that stands for a value: box = (left, top, width, height) in whole pixels, and its words.

    A page shows the words where the pointer is.  Lines of `text` are parted by newlines.
    """

    box: tuple[int, int, int, int]
    text: str


@dataclass
class Drawing:
    """A Matplotlib figure in pixels from its top left corner, drawn on directly.

    No Axes: making and laying out dozens of them takes longer than all the drawing.  spots: the values in it.
    """

    name: str
    width: float
    height: float
    figure: Figure = field(repr=False)
    pixels: Any = field(repr=False)
    spots: list[Spot] = field(default_factory=list, repr=False)

    def spot(self, left: float, top: float, width: float, height: float, *words: str) -> None:
        """Say what the rectangle stands for; empty words are left out."""
        box = (round(left), round(top), max(1, round(width)), max(1, round(height)))
        self.spots.append(Spot(box, "\n".join(word for word in words if word)))

    def text(self, x: float, y: float, text: str, **options: Any) -> None:
        """One line of text; `y` is its vertical middle."""
        settings: dict[str, Any] = {"size": style.SIZE, "color": style.INK, "ha": "left", "va": "center_baseline"}
        # A dollar sign would start a formula.
        made = self.figure.text(
            x / self.width, 1.0 - y / self.height, style.printable(text), parse_math=False, **(settings | options)
        )
        made.set_fontfamily(style.FONT)

    def line(self, x: Any, y: Any, colour: str, width: float = 1.0, **options: Any) -> None:
        """A line through the points; `options` are those of Matplotlib's Line2D."""
        from matplotlib.lines import Line2D

        made = Line2D(x, y, color=colour, linewidth=width, transform=self.pixels, **options)
        self.figure.add_artist(made)

    def area(self, points: Any, colour: str, *, edge: str = "none", width: float = 0.0, **options: Any) -> None:
        """A filled polygon; `hatch` in the edge's colour, `alpha`, `zorder` as in Matplotlib."""
        from matplotlib.patches import Polygon

        made = Polygon(points, closed=True, facecolor=colour, edgecolor=edge, linewidth=width, **options)
        made.set_transform(self.pixels)
        self.figure.add_artist(made)

    def box(self, left: float, top: float, width: float, height: float, look: style.Mark, edge: float = 0.0) -> None:
        """A rectangle with the hatching of its mark, parted from its neighbours by a thin line of paper."""
        right, bottom = left + width, top + height
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        self.area(corners, look.colour, edge=style.PAPER, width=edge, hatch=look.hatch or None)

    def svg(self) -> bytes:
        """The SVG file: text stays text, no date, no version, the same bytes every time."""
        return _tidy(self._save("svg"), f"{self.name}-{self.width:g}")

    def png(self) -> bytes:
        """The PNG file, two dots a pixel."""
        return self._save("png")

    def pdf(self) -> bytes:
        """The PDF file: one page of the figure's size, its font inside."""
        return self._save("pdf")

    def _save(self, kind: str) -> bytes:
        import matplotlib

        stream = io.BytesIO()
        metadata: dict[str, Any] = {
            "svg": {"Date": None, "Creator": None},
            "png": {"Software": None},
            "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
        }[kind]
        settings: Any = {
            "svg.hashsalt": f"islandlab {self.name} {self.width:g}",
            "svg.fonttype": "none",
            "pdf.fonttype": 42,
            "path.simplify": True,
            "hatch.linewidth": 0.6,
        }
        with matplotlib.rc_context(settings), warnings.catch_warnings():
            # A missing glyph is already drawn as a question mark; a font's absence must not end a report.
            warnings.simplefilter("ignore", UserWarning)
            self.figure.savefig(stream, format=kind, dpi=144 if kind == "png" else 72, metadata=metadata)
        return stream.getvalue()


def new(name: str, width: float, height: float) -> Drawing:
    """An empty figure of `width` × `height` pixels; without pyplot, so without global state."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.transforms import Affine2D

    with matplotlib.rc_context({"font.family": [style.FONT], "font.size": style.SIZE}):
        figure = Figure(figsize=(width / 72.0, height / 72.0), dpi=72, facecolor=style.PAPER)
    FigureCanvasAgg(figure)
    # Inches are the same in every output, dots are not.
    pixels = Affine2D().scale(1 / 72, -1 / 72).translate(0, height / 72) + figure.dpi_scale_trans
    return Drawing(name, width, height, figure, pixels)


@dataclass(frozen=True)
class Key:
    """One entry of a legend; `kind` is "line", "area" or "dot"."""

    label: str
    mark: style.Mark
    kind: str = "line"


_SWATCH = 20.0
_APART = 14.0


def _rows(keys: list[Key], width: float) -> list[list[tuple[float, Key, str]]]:
    """The entries set in rows of at most `width` pixels, each with its x."""
    rows: list[list[tuple[float, Key, str]]] = [[]]
    x = 0.0
    for key in keys:
        label = style.shorten(key.label, width - 30)
        needed = _SWATCH + 6 + style.text_width(label) + _APART
        if rows[-1] and x + needed - _APART > width:
            rows.append([])
            x = 0.0
        rows[-1].append((x, key, label))
        x += needed
    return rows


ROW = 20.0


def legend_height(keys: list[Key], width: float) -> float:
    """Pixels that `legend` will take."""
    return ROW * len(_rows(keys, width)) if keys else 0.0


def legend(drawing: Drawing, keys: list[Key], left: float, top: float, width: float) -> None:
    """A legend in rows, drawn by hand: Matplotlib's own cannot wrap and is clipped on narrow pages."""
    if not keys:
        return
    for number, row in enumerate(_rows(keys, width)):
        y = top + ROW * number + ROW / 2
        for offset, key, label in row:
            x = left + offset
            if key.kind == "area":
                drawing.box(x, y - 5.5, _SWATCH, 11, key.mark)
            else:
                drawing.line(
                    [x, x + _SWATCH / 2, x + _SWATCH],
                    [y] * 3,
                    key.mark.colour,
                    2.0,
                    linestyle=key.mark.dash if key.kind == "line" else "none",
                    marker=key.mark.marker or None,
                    markevery=[1],
                    markersize=5.5,
                    markeredgewidth=0,
                )
            drawing.text(x + _SWATCH + 6, y, label)


@dataclass(frozen=True)
class Frame:
    """A rectangle of the drawing with a scale: values to pixels."""

    left: float
    top: float
    width: float
    height: float
    low_x: float
    high_x: float
    low_y: float
    high_y: float

    def x(self, value: Any) -> Any:
        """Pixels from the left of the drawing; numbers or arrays."""
        return self.left + (value - self.low_x) / (self.high_x - self.low_x) * self.width

    def y(self, value: Any) -> Any:
        """Pixels from the top of the drawing; numbers or arrays."""
        return self.top + (self.high_y - value) / (self.high_y - self.low_y) * self.height

    @property
    def right(self) -> float:
        """Its right edge in pixels."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge in pixels."""
        return self.top + self.height


_NUMBER = re.compile(r"-?\d+\.\d+")
_GEOMETRY = re.compile(r' (d|x|y|x1|x2|y1|y2|width|height|transform)="([^"]*)"')
_REFERENCE = re.compile(r"(?:url\(#|href=\"#)([^)\"]+)")
_ID = re.compile(r' id="([^"]*)"')


def _round(match: re.Match[str]) -> str:
    number = f"{float(match.group()):.1f}"
    number = number[:-2] if number.endswith(".0") else number
    return "0" if number == "-0" else number


def _tidy(data: bytes, name: str) -> bytes:
    """A smaller SVG: a tenth of a pixel is enough, and only ids that something refers to are kept, made unique."""
    text = data.decode("utf-8")
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)
    text = _GEOMETRY.sub(
        lambda m: (
            f' {m.group(1)}="{" ".join(_NUMBER.sub(_round, m.group(2)).split())}"'
            if "scale" not in m.group(2)
            else m.group()
        ),
        text,
    )
    # One font for the whole picture; the page replaces it by its own.
    text = re.sub(r"font-family: [^;\"]*; ", "", text)
    text = re.sub(r' transform="rotate\(-?0 [^"]*\)"', "", text)
    text = text.replace("<svg ", f'<svg font-family="{style.FONT}, Verdana, sans-serif" ', 1)
    used = set(_REFERENCE.findall(text))
    text = _ID.sub(lambda m: f' id="{name}-{m.group(1)}"' if m.group(1) in used else "", text)
    text = _REFERENCE.sub(lambda m: m.group().replace("#", f"#{name}-", 1), text)
    while "<g/>" in text or re.search(r"<g>\s*</g>", text):
        text = re.sub(r"<g>\s*</g>", "", text).replace("<g/>", "")
    text = re.sub(r">\s+<", ">\n<", text)
    return text.encode("utf-8")

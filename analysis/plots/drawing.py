"""A figure under construction, its legend, and its bytes as SVG and PNG."""

from __future__ import annotations

import io
import re
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from analysis.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass
class Drawing:
    """A Matplotlib figure measured in pixels from its top left corner."""

    name: str
    width: float
    height: float
    figure: Figure = field(repr=False)

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Axes at a place given in pixels, with the house style: no box, faint grid, small ticks."""
        made = self.figure.add_axes(
            (left / self.width, 1.0 - (top + height) / self.height, width / self.width, height / self.height)
        )
        for side in ("top", "right", "left"):
            made.spines[side].set_visible(False)
        made.spines["bottom"].set_color(style.QUIET)
        made.tick_params(length=0, labelsize=style.SMALL, labelcolor=style.MUTED, pad=5)
        made.set_axisbelow(True)
        made.patch.set_visible(False)
        return made

    def text(self, x: float, y: float, text: str, **options: Any) -> None:
        """Text at a place given in pixels; `y` is its vertical middle."""
        settings: dict[str, Any] = {"size": style.SIZE, "color": style.INK, "ha": "left", "va": "center_baseline"}
        # A dollar sign would start a formula.
        self.figure.text(
            x / self.width, 1.0 - y / self.height, style.printable(text), parse_math=False, **(settings | options)
        )

    def svg(self) -> bytes:
        """The SVG file: text stays text, no date, no version, the same bytes every time."""
        return _tidy(self._save("svg"), f"{self.name}-{self.width:g}")

    def png(self) -> bytes:
        """The PNG file, two dots a pixel."""
        return self._save("png")

    def _save(self, kind: str) -> bytes:
        import matplotlib

        stream = io.BytesIO()
        metadata: dict[str, Any] = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
        settings: Any = {
            "svg.hashsalt": f"islandlab {self.name} {self.width:g}",
            "svg.fonttype": "none",
            "path.simplify": True,
            "hatch.linewidth": 0.6,
        }
        with matplotlib.rc_context(settings), warnings.catch_warnings():
            # A missing glyph is already drawn as a question mark; a font's absence must not end a report.
            warnings.simplefilter("ignore", UserWarning)
            self.figure.savefig(stream, format=kind, dpi=72 if kind == "svg" else 144, metadata=metadata)
        return stream.getvalue()


def new(name: str, width: float, height: float) -> Drawing:
    """An empty figure of `width` × `height` pixels; without pyplot, so without global state."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"font.family": [style.FONT], "font.size": style.SIZE}):
        figure = Figure(figsize=(width / 72.0, height / 72.0), dpi=72, facecolor=style.PAPER)
    FigureCanvasAgg(figure)
    return Drawing(name, width, height, figure)


@dataclass(frozen=True)
class Key:
    """One entry of a legend; `kind` is "line", "area" or "dot"."""

    label: str
    mark: style.Mark
    kind: str = "line"


def _rows(keys: list[Key], width: float) -> list[list[tuple[float, Key, str]]]:
    """The entries set in rows of at most `width` pixels, each with its x."""
    rows: list[list[tuple[float, Key, str]]] = [[]]
    x = 0.0
    for key in keys:
        label = style.shorten(key.label, width - 34)
        needed = 28 + style.text_width(label) + 18
        if rows[-1] and x + needed - 18 > width:
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
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle

    if not keys:
        return
    for number, row in enumerate(_rows(keys, width)):
        y = top + ROW * number + ROW / 2
        for x, key, label in row:
            x0, x1 = (left + x) / drawing.width, (left + x + 22) / drawing.width
            middle = 1.0 - y / drawing.height
            if key.kind == "area":
                box = Rectangle(
                    (x0, middle - 5.5 / drawing.height),
                    x1 - x0,
                    11.0 / drawing.height,
                    facecolor=key.mark.colour,
                    hatch=key.mark.hatch,
                    edgecolor=style.PAPER,
                    linewidth=0,
                    transform=drawing.figure.transFigure,
                )
                drawing.figure.add_artist(box)
            else:
                line = Line2D(
                    [x0, (x0 + x1) / 2, x1],
                    [middle] * 3,
                    color=key.mark.colour,
                    linestyle=key.mark.dash if key.kind == "line" else "none",
                    linewidth=2.0,
                    marker=key.mark.marker,
                    markevery=[1],
                    markersize=5.5,
                    markeredgewidth=0,
                    transform=drawing.figure.transFigure,
                )
                drawing.figure.add_artist(line)
            drawing.text(left + x + 28, y, label)


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

"""Replays as one HTML page that needs nothing else: the board step by step, by buttons, slider or keyboard."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from analysis.plots import bars, style
from analysis.report.inline import embedded
from analysis.report.page import content_policy
from sim.core.scene import Piece, Scene, Show

UNIT = 100.0
"""Distance of two neighbours in a row, in units of the drawing."""
_MARGIN = 8.0
_LINE = 15.0
_HEX_ROW = math.sqrt(3) / 2


def to_html(shows: Sequence[Show]) -> str:
    """The page of one or more games; the first is shown first."""
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("analysis.report"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    css, more, script = (
        environment.loader.get_source(environment, name)[0]  # type: ignore[union-attr]
        for name in ("report.css", "viewer.css", "viewer.js")
    )
    return environment.get_template("viewer.html.j2").render(
        shows=shows,
        boards=[_board(show) for show in shows],
        css=Markup(css + more),
        script=Markup(script),
        data=Markup(embedded([_plain(show) for show in shows])),
        policy=content_policy(f"\n{script}"),
    )


def _centre(show: Show, place: int) -> tuple[float, float]:
    """The middle of a place in the drawing."""
    row, column = show.layout.cells[place]
    top = min(r for r, _ in show.layout.cells)
    left = min(c for _, c in show.layout.cells)
    step = _HEX_ROW if show.layout.grid == "hex" else 1.0
    reach = 1 / math.sqrt(3) if show.layout.grid == "hex" else 0.5
    return _MARGIN + UNIT * (column - left + 0.5), _MARGIN + UNIT * ((row - top) * step + reach)


def _outline(show: Show, place: int) -> str:
    x, y = _centre(show, place)
    if show.layout.grid == "hex":
        radius = 0.97 * UNIT / math.sqrt(3)
        corners = [(x + radius * math.sin(math.pi * k / 3), y - radius * math.cos(math.pi * k / 3)) for k in range(6)]
    else:
        half = 0.475 * UNIT
        corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)


def _board(show: Show) -> dict[str, Any]:
    """What the template draws once: outlines, names and notes of the places, and the pieces."""
    places = []
    names = show.layout.names or tuple(str(i + 1) for i in range(len(show.layout.cells)))
    for place, (name, note) in enumerate(zip(names, show.notes, strict=True)):
        x, y = _centre(show, place)
        words = style.wrap(name, 0.86 * UNIT, 2, _LINE)
        if any(word.endswith("…") for word in words):
            words = style.wrap(name, 0.97 * UNIT, 2, _LINE)
        # Hexagons are narrow at the top, so that their text begins lower.
        top = y - (20.0 if show.layout.grid == "hex" else 30.0)
        rows = [(word, top + _LINE * i, "name") for i, word in enumerate(words)]
        if note:
            rows.append((note, top + _LINE * len(words), "note"))
        places.append({"points": _outline(show, place), "x": f"{x:.1f}", "rows": rows, "name": name})
    ends = [_centre(show, place) for place in range(len(places))]
    reach = UNIT / math.sqrt(3) if show.layout.grid == "hex" else UNIT / 2
    width = max(x for x, _ in ends) + UNIT / 2 + _MARGIN
    height = max(y for _, y in ends) + reach + _MARGIN
    return {"places": places, "box": f"0 0 {width:.0f} {height:.0f}", "pieces": [_piece(p) for p in show.pieces]}


def _piece(piece: Piece) -> dict[str, str]:
    colour = style.QUIET if piece.seat is None else style.mark(piece.seat).colour
    return {"mark": piece.mark, "name": piece.name, "fill": colour, "ink": bars.on_colour(colour)}


def _plain(show: Show) -> dict[str, Any]:
    names = show.layout.names or tuple(str(i + 1) for i in range(len(show.layout.cells)))
    return {
        "places": names,
        "at": [[round(v, 1) for v in _centre(show, place)] for place in range(len(names))],
        "states": [state.name for state in show.states],
        "looks": [state.look for state in show.states],
        "pieces": [[piece.mark, piece.name, piece.seat] for piece in show.pieces],
        "seats": show.seats,
        "scenes": [_scene(scene) for scene in show.scenes],
    }


def _scene(scene: Scene) -> list[Any]:
    states = "".join(str(state) for state in scene.states)
    return [scene.text, scene.turn, int(scene.begins), scene.seat, states, scene.at, scene.hands, scene.facts]

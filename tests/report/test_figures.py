"""Figures: same bytes, no dates, sizes that fit, and any label without an empty box or a crash."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from matplotlib.lines import Line2D

from analysis.plots import board, lines, style
from analysis.plots.style import has_glyphs, names, shorten, text_width, wrap
from analysis.report import content
from tests.report import made
from tests.report.whole import whole


def _nasty():
    cells = [
        made.cell(label, 100 + 50 * i, (900 - 50 * i, 0, 0), places=(1, 2, 3, 4, 5))
        for i, label in enumerate(made.NASTY)
    ]
    return made.facts(cells, [made.pair(cells[0], cells[1]), made.pair(cells[2], cells[3])])


def test_same_bytes_and_no_date():
    """Drawn twice, every figure has the same bytes as SVG and PNG, and neither holds a date or a version."""
    figures = content.report(whole(3)).figures()
    assert len(figures) >= 14
    for figure in figures:
        one, other = figure.draw(style.WIDE), figure.draw(style.WIDE)
        svg, png = one.svg(), one.png()
        assert svg == other.svg()
        assert png == other.png()
        assert b"<metadata" not in svg
        assert b"Matplotlib" not in svg + png
        assert not re.search(rb"20\d\d-\d\d-\d\d", svg)


@pytest.mark.parametrize("count", [1, 2, 5, 12, 48])
def test_texts_stay_inside(count: int):
    """No text of any figure leaves the picture, at either width."""
    for figure in content.report(whole(count)).figures():
        for width in (style.WIDE, style.NARROW):
            drawing = figure.draw(width)
            renderer = drawing.figure.canvas.get_renderer()
            for text in drawing.figure.texts:
                box = text.get_window_extent(renderer)
                where = f"{figure.name} at {width}: {text.get_text()!r}"
                assert box.x0 >= -1, where
                assert box.x1 <= width + 1, where
                assert box.y0 >= -1, where
                assert box.y1 <= drawing.height + 1, where


@pytest.mark.parametrize("count", [2, 12, 48])
def test_texts_do_not_overlap(count: int):
    """No two texts of a figure lie on each other (by more than a hair), at either width."""
    for figure in content.report(whole(count)).figures():
        for width in (style.WIDE, style.NARROW):
            drawing = figure.draw(width)
            renderer = drawing.figure.canvas.get_renderer()
            boxes = [(t.get_window_extent(renderer), t.get_text()) for t in drawing.figure.texts]
            for i, (a, one) in enumerate(boxes):
                for b, other in boxes[i + 1 :]:
                    across = min(a.x1, b.x1) - max(a.x0, b.x0)
                    down = min(a.y1, b.y1) - max(a.y0, b.y0)
                    assert across <= 1.5 or down <= 2.5, f"{figure.name} at {width}: {one!r} on {other!r}"


def test_nasty_labels_are_numbered():
    """Labels that the font cannot draw, or that are too long, become numbers; nothing is drawn as an empty box."""
    facts = _nasty()
    report = content.report(facts)
    assert len(report.numbered) == len(made.NASTY)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for figure in report.figures():
            for width in (style.WIDE, style.NARROW):
                drawing = figure.draw(width)
                assert all(has_glyphs(t.get_text().replace("→", "")) for t in drawing.figure.texts)
                drawing.png()
                assert b"<script" not in drawing.svg()


def test_plain_labels_keep_their_names():
    """Latin, Greek and Cyrillic labels stay names."""
    assert names(("novice", "légendaire", "λ", "новичок")).shown == ("novice", "légendaire", "λ", "новичок")
    assert not content.report(made.many(3)).numbered


def test_glyphs_and_widths():
    """Scripts that need shaping or are missing do not count as drawable; cut text fits."""
    assert has_glyphs("Fools' Landing → 55 %")
    assert not has_glyphs("島")
    assert not has_glyphs("جزیره")
    assert text_width(shorten("a long label that does not fit", 80)) <= 80
    assert len(wrap("one two three four five six", 60, 2)) == 2


def test_alt_text_states_the_finding():
    """Alternative texts hold numbers, not "chart of"."""
    for figure in content.report(whole(2)).figures():
        assert re.search(r"\d", figure.alt), figure.name
        assert "chart" not in figure.alt.lower()


def test_ramp_runs_from_pale_to_dark():
    """The map's colours fall steadily in luminance, so that grey prints keep the order."""
    from analysis.plots.bars import luminance

    steps = [luminance(board.colour(i / 20)) for i in range(21)]
    assert steps == sorted(steps, reverse=True)


def test_numbers_stand_out_from_every_colour():
    """The text on each series' colour and on the map's shades has a contrast of 4.5 or more (WCAG 2)."""
    from analysis.plots.bars import luminance, on_colour

    shades = [mark.colour for mark in style.MARKS] + [board.colour(i / 500) for i in range(501)]
    for shade in shades:
        dark, light = sorted((luminance(shade), luminance(on_colour(shade))))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, shade


def test_no_line_leaves_its_frame():
    """Also a line without a band, far above the bands of the others, ends inside of the chart."""
    x = np.arange(1, 6)
    low = lines.Line(style.mark(0), x, 0.06 * x, 0.05 * x, 0.07 * x)
    high = lines.Line(style.INK_MARK, x, 0.2 * x)
    drawing = lines.panels("x", style.WIDE, [lines.Panel("", (low, high))], [], "Turn", "Share", percent=True)
    frame = drawing.spots[0].box
    drawn = [artist for artist in drawing.figure.artists if isinstance(artist, Line2D)]
    assert len(drawn) > 2
    for line in drawn:
        assert min(line.get_ydata()) >= frame[1] - 1
        assert max(line.get_ydata()) <= frame[1] + frame[3] + 1


def test_values_are_told_with_their_intervals():
    """Every value of a chart that is an estimate has its interval beside it; both widths tell the same in one order."""
    figures = {figure.name: figure for figure in content.report(made.many(3)).figures()}
    for name, figure in figures.items():
        wide, narrow = (figure.draw(width).spots for width in (style.WIDE, style.NARROW))
        assert [spot.text for spot in wide] == [spot.text for spot in narrow]
        assert wide, name
        for spot in wide:
            # The columns of the lengths of games are plain counts of all games.
            assert name == "length" or re.search(r"\d.* to .*\d|reference", spot.text), (name, spot.text)
        for drawing in (figure.draw(style.WIDE), figure.draw(style.NARROW)):
            for spot in drawing.spots:
                left, top, width, height = spot.box
                assert left >= 0, name
                assert top >= 0, name
                assert left + width <= drawing.width + 1, name
                assert top + height <= drawing.height + 1, name

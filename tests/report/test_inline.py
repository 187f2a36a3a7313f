"""Pictures and data inside a page: smaller, and the same picture."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.plots import style
from analysis.report import content
from analysis.report.inline import Inliner, _short, embedded, packed, unpacked
from tests.report import made


def points(path: str) -> list[tuple[str, float, float]]:
    """An independent reading of M, L, l, h, v, z: each point with the letter M, L or z."""
    found: list[tuple[str, float, float]] = []
    x = y = 0.0
    for letter, rest in re.findall(r"([MLlhvz])([^A-Za-z]*)", path):
        numbers = [float(n) for n in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", rest)]
        step = 1 if letter in "hv" else 2
        for i in range(0, len(numbers), step):
            pair = numbers[i : i + step]
            dx, dy = {"h": (pair[0], 0.0), "v": (0.0, pair[0])}.get(letter, (pair[0], pair[-1]))
            x, y = (dx, dy) if letter in "ML" else (x + dx, y + dy)
            found.append(("M" if letter == "M" and i == 0 else "L", round(x, 1), round(y, 1)))
        if letter == "z":
            found.append(("z", 0.0, 0.0))
    return found


NUMBER = st.integers(-9999, 99999).map(lambda n: f"{n / 10:.1f}".removesuffix(".0"))
POINT = st.tuples(NUMBER, NUMBER)


@given(st.lists(st.tuples(st.lists(POINT, min_size=1, max_size=6), st.booleans()), min_size=1, max_size=4))
def test_paths_keep_their_points(parts):
    """Any path of lines, with several pieces, open or closed: the same points."""
    path = " ".join(
        f"M {' L '.join(' '.join(point) for point in piece)}{' z' if closed else ''}" for piece, closed in parts
    )
    assert points(_short(path)) == points(path)


def test_paths_with_curves_are_left_as_they_are():
    """Only spaces go from what is not made of lines alone."""
    assert _short("M 0 2.8 C 0.7 2.8 1.4 2.5 1.9 1.9 z") == "M0 2.8C0.7 2.8 1.4 2.5 1.9 1.9z"
    assert points(_short("M 1 2 L 3 2 L 3 0.5 z")) == [("M", 1, 2), ("L", 3, 2), ("L", 3, 0.5), ("z", 0, 0)]


@pytest.mark.parametrize("width", [style.WIDE, style.NARROW])
def test_every_look_is_kept(width: int):
    """Each part of each picture has the look of its file, through a class or by itself; references have their ids."""
    inliner = Inliner()
    for figure in content.report(made.many(3)).figures():
        svg = figure.draw(width).svg()
        text = inliner.picture(svg, "wide", "x")
        rules = dict(re.findall(r"^\.(\w+)\{(.*)\}$", inliner.css(), flags=re.MULTILINE))
        looks = [rules.get(name, look) for name, look in re.findall(r' (?:class="(s\d+)"|style="([^"]*)")', text)]
        want = re.findall(r' style="([^"]*)"', svg.decode("utf-8").split("</style>")[-1])
        assert len(looks) == len(want) > 10
        for got, look in zip(looks, want, strict=True):
            plain = look.replace("; ", ";").replace(": ", ":")
            for variable, colour in (("ink", style.INK), ("muted", style.MUTED), ("rule", style.RULE)):
                got = got.replace(f"var(--{variable})", colour)
            got = got.replace("var(--paper)", style.PAPER).replace("var(--quiet)", style.QUIET)
            assert re.sub(r"#[a-z]+-[^)]*|#p\d+", "#", got) == re.sub(r"#[a-z]+-[^)]*", "#", plain)
        references = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', text))
        assert references <= set(re.findall(r' id="([^"]*)"', text))
        assert len(text) < 0.75 * len(svg)


def test_data_come_back():
    """Packed data are what they were, hold nothing that could end an element, and are the same bytes each time."""
    value = {"a": ["</script>", "初心者", 1.5, None], "b": "x" * 1000}
    assert unpacked(packed(value)) == value
    assert packed(value) == packed(value)
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", packed(value))
    assert len(packed(value)) < 300
    assert "</script" not in embedded(value)

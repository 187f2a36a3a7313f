"""The replay page in a real browser: stepped through by buttons, slider and keyboard, on any screen, on paper."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.report import viewer
from sim.core.game import Layout
from sim.core.scene import Piece, Scene, Show, State
from tests.browser import CONTRASTS, MARKS, browser, opened, violations

pytestmark = MARKS
__all__ = ["browser"]
GOLDENS = Path(__file__).parents[1] / "goldens"
BOARD = "svg.board:not([style*='none'])"


def _golden(name: str) -> Show:
    from sim import registry

    lines = (GOLDENS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return registry.get("forbidden_island").show([json.loads(line) for line in lines])


def _odd() -> Show:
    """A game that is none: texts that try to break out, a crowd on one place, a seat without a piece."""
    nasty = "</script><b>初心者</b> & $h$ جزیره"
    pieces = tuple(Piece(str(i), f"{nasty} {i}", i % 3) for i in range(9))
    scene = Scene(nasty, 1, True, 0, (0, 1, 2), (0,) * 9, ((nasty,), (), ("a x2",), ()), (("<i>", nasty),))
    return Show(
        title=nasty,
        layout=Layout(((0, 0), (0, 1), (1, 0.5)), "hex", (nasty, "x" * 60, "Camp")),
        notes=("", nasty, "note"),
        states=(State("dry", "land"), State("wet", "wet"), State("gone", "gone")),
        pieces=pieces,
        seats=("a", nasty, "c", "d"),
        scenes=(scene, scene),
    )


@pytest.fixture(scope="module", params=["square", "hex", "odd"])
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    shows = {
        "square": lambda: [_golden("cooperative-2")],
        "hex": lambda: [_golden("random-4-hex-tutorial"), _golden("cooperative-2")],
        "odd": lambda: [_odd()],
    }[request.param]()
    path = tmp_path_factory.mktemp(request.param) / "replay.html"
    path.write_text(viewer.to_html(shows), encoding="utf-8")
    return path


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (390, "dark"), (1280, "light"), (1280, "dark")])
def test_fits_is_silent_and_accessible(browser: Any, page: Path, width: int, scheme: str):
    """No message, no request, no overflow; axe-core finds nothing; texts on the board can be read, at any step."""
    shown, noise = opened(browser, page, width, scheme)
    for key in ("Home", "PageDown", "End"):
        shown.keyboard.press(key)
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.evaluate(CONTRASTS) == []
    assert violations(shown) == []
    assert noise == []
    if width == 390:
        size = """document.querySelector('svg.board').getBoundingClientRect().width
            / document.querySelector('svg.board').viewBox.baseVal.width * 15"""
        assert shown.evaluate(size) >= 9
    shown.context.close()


def test_stepping(browser: Any, tmp_path: Path):
    """Keys, buttons and slider move by a step, by a turn and to the ends; each step shows what its scene holds."""
    show = _golden("cooperative-2")
    path = tmp_path / "replay.html"
    path.write_text(viewer.to_html([show]), encoding="utf-8")
    shown, noise = opened(browser, path, 1280)
    last = len(show.scenes) - 1
    turns = [i for i, scene in enumerate(show.scenes) if scene.begins]

    def expect(step: int) -> None:
        scene = show.scenes[step]
        assert shown.locator("#text").text_content() == scene.text
        assert shown.locator("input[type=range]").input_value() == str(step)
        looks = shown.eval_on_selector_all(
            f"{BOARD} .place", "all => all.map(e => e.getAttribute('class').split(' ')[1])"
        )
        assert looks == [show.states[state].look for state in scene.states]
        pieces = f"{BOARD} .piece:not([style*='none'])"
        assert shown.locator(pieces).count() == sum(place >= 0 for place in scene.at)
        hands = shown.eval_on_selector_all("#seats .hand", "all => all.map(e => e.textContent)")
        assert hands == [", ".join(hand).replace(" x", " ×") or "no cards" for hand in scene.hands]
        facts = shown.eval_on_selector_all("#facts dd", "all => all.map(e => e.textContent)")
        assert facts == [value for _, value in scene.facts]
        label = shown.locator(BOARD).get_attribute("aria-label")
        assert all(show.layout.names[i] in label for i, state in enumerate(scene.states) if state)

    expect(0)
    for key, step in (
        ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("ArrowLeft", 0), ("ArrowLeft", 0),
        ("PageDown", turns[0]), ("PageDown", turns[1]), ("PageUp", turns[0]), ("End", last), ("ArrowRight", last),
        ("PageUp", turns[-1]), ("Home", 0),
    ):  # fmt: skip
        shown.keyboard.press(key)
        expect(step)
    for go, step in (("next", 1), ("turn-next", turns[0] if turns[0] > 1 else turns[1]), ("end", last), ("start", 0)):
        shown.locator(f"button[data-go={go}]").click()
        expect(step)
    assert shown.locator("button[data-go=back]").is_disabled()
    shown.locator("input[type=range]").fill(str(turns[3] + 1))
    expect(turns[3] + 1)
    shown.locator("input[type=range]").press("ArrowRight")
    expect(turns[3] + 2)
    for step in range(0, last + 1, 11):
        shown.locator("input[type=range]").fill(str(step))
        expect(step)
    assert noise == []
    shown.context.close()


def test_what_changed_is_marked(browser: Any, tmp_path: Path):
    """The tile of a flood card and the pawn that moved stand out in the step in which it happens."""
    show = _golden("cooperative-2")
    path = tmp_path / "replay.html"
    path.write_text(viewer.to_html([show]), encoding="utf-8")
    shown, _ = opened(browser, path, 1280)
    for step in range(1, 40):
        shown.keyboard.press("ArrowRight")
        before, now = show.scenes[step - 1], show.scenes[step]
        marked = "all => all.map((e, i) => e.classList.contains('{}') ? i : -1).filter(i => i >= 0)"
        tiles = shown.eval_on_selector_all(".place", marked.format("changed"))
        assert tiles == [i for i, (a, b) in enumerate(zip(before.states, now.states, strict=True)) if a != b]
        pawns = shown.eval_on_selector_all(".piece", marked.format("moved"))
        assert pawns == [i for i, (a, b) in enumerate(zip(before.at, now.at, strict=True)) if a != b]
    shown.context.close()


def test_games_are_chosen(browser: Any, tmp_path: Path):
    """With several games, another one is chosen from a list and begins at its start."""
    shows = [_golden("random-4-hex-tutorial"), _golden("cooperative-2")]
    path = tmp_path / "replay.html"
    path.write_text(viewer.to_html(shows), encoding="utf-8")
    shown, noise = opened(browser, path, 1280)
    assert shown.locator("svg.board").evaluate_all("all => all.map(e => e.style.display)") == ["", "none"]
    shown.keyboard.press("End")
    shown.locator("select").select_option(shows[1].title)
    assert shown.locator("svg.board").evaluate_all("all => all.map(e => e.style.display)") == ["none", ""]
    assert shown.locator("#text").text_content() == shows[1].scenes[0].text
    assert shown.locator("h1").text_content() == shown.title() == shows[1].title
    assert noise == []
    shown.context.close()


def test_on_paper_and_without_scripts(browser: Any, page: Path):
    """Printed: no buttons, light colours, every word of the game. Without scripts: board at the start and all words."""
    shown, _ = opened(browser, page, 1280, "dark")
    shown.emulate_media(media="print")
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert shown.locator("#controls").is_hidden()
    assert shown.pdf(format="A4").startswith(b"%PDF")
    shown.context.close()
    plain, _ = opened(browser, page, 1280, java_script_enabled=False)
    assert plain.locator("#controls").is_hidden()
    assert plain.locator(".place").first.is_visible()
    assert plain.locator("details p").count() > 1
    plain.context.close()


def test_same_bytes():
    """The same game gives the same page."""
    assert viewer.to_html([_odd()]) == viewer.to_html([_odd()])

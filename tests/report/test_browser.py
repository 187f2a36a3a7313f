"""The page in a real browser: nothing overflows, nothing is loaded, nothing complains."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analysis.report import files
from tests.report import made
from tests.report.test_page import _nasty

CHROMIUM = Path("/usr/bin/chromium")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"{CHROMIUM} is missing (Debian: apt-get install chromium)"),
]
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium, headless."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed (pip install islandlab[dev])"
    )
    with sync_api.sync_playwright() as play:
        launched = play.chromium.launch(executable_path=str(CHROMIUM), args=list(QUIET))
        yield launched
        launched.close()


@pytest.fixture(scope="module", params=["two", "many", "nasty"])
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Reports of two cells, of 48, and of labels that try to break out."""
    facts = {"two": lambda: made.many(2), "many": lambda: made.many(48), "nasty": _nasty}[request.param]()
    return files.write(facts, tmp_path_factory.mktemp(request.param))


def _open(browser: Any, page: Path, width: int, scheme: str = "light") -> tuple[Any, list[str]]:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme, offline=True)
    shown = context.new_page()
    noise: list[str] = []
    shown.on("console", lambda message: noise.append(message.text))
    shown.on("pageerror", lambda error: noise.append(str(error)))
    shown.on("request", lambda r: None if r.url.startswith(("file:", "data:")) else noise.append(r.url))
    shown.on("dialog", lambda dialog: (noise.append("dialog"), dialog.dismiss()))
    shown.goto(page.as_uri())
    return shown, noise


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_fits_and_is_silent(browser: Any, page: Path, width: int, scheme: str):
    """No console message, no request, no dialog, no horizontal overflow, one picture of each pair shown."""
    shown, noise = _open(browser, page, width, scheme)
    assert noise == []
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    outside = """Array.from(document.querySelectorAll('main *')).filter(e => !e.closest('.scroll') && !e.closest('svg')
        && !e.closest('pre') && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + e.className)"""
    assert shown.evaluate(outside) == []
    visible = "Array.from(document.querySelectorAll('figure')).map(f => Array.from(f.querySelectorAll(':scope > svg'))"
    assert set(shown.evaluate(visible + ".filter(s => getComputedStyle(s).display != 'none').length)")) == {1}
    shown.context.close()


def test_readable_text(browser: Any, page: Path):
    """No text of a picture is smaller than 9 pixels on a phone."""
    shown, _ = _open(browser, page, 390)
    sizes = """Array.from(document.querySelectorAll('svg.narrow')).map(s => s.getBoundingClientRect().width
        / s.viewBox.baseVal.width * Math.min(...Array.from(s.querySelectorAll('text')).map(t =>
        parseFloat(getComputedStyle(t).fontSize))))"""
    assert min(shown.evaluate(sizes)) >= 9
    shown.context.close()


def test_pictures_and_headings(browser: Any, page: Path):
    """Every picture has a text for those who do not see it; one first-level heading; sections named by theirs."""
    shown, _ = _open(browser, page, 1280)
    assert shown.evaluate("Array.from(document.querySelectorAll('svg')).every(s => s.getAttribute('aria-label'))")
    assert shown.evaluate("document.querySelectorAll('img:not([alt])').length") == 0
    assert shown.evaluate("document.querySelectorAll('h1').length") == 1
    named = """Array.from(document.querySelectorAll('section')).every(s =>
        document.getElementById(s.getAttribute('aria-labelledby')))"""
    assert shown.evaluate(named)
    shown.context.close()


def test_prints(browser: Any, page: Path):
    """It prints: a PDF of a few pages comes out, in light colours also from a dark screen."""
    shown, _ = _open(browser, page, 1280, "dark")
    shown.emulate_media(media="print")
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert shown.pdf(format="A4", prefer_css_page_size=True).startswith(b"%PDF")
    shown.context.close()

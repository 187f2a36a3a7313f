"""The page in a real browser: nothing overflows, nothing is loaded, nothing complains, all can read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analysis.report import files
from tests.browser import CONTRASTS, MARKS, browser, opened, violations
from tests.report import made
from tests.report.whole import whole

pytestmark = MARKS
__all__ = ["browser"]


@pytest.fixture(scope="module", params=["two", "many", "nasty"])
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Reports of two cells, of 48, and of labels that try to break out."""
    made_up = {"two": lambda: whole(2), "many": lambda: whole(48), "nasty": lambda: whole(6, labels=made.NASTY)}
    facts = made_up[request.param]()
    return files.write(facts, tmp_path_factory.mktemp(request.param))


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (390, "dark"), (768, "light"), (1280, "dark")])
def test_fits_and_is_silent(browser: Any, page: Path, width: int, scheme: str):
    """No console message, no request, no dialog, no horizontal overflow, one picture of each pair shown."""
    shown, noise = opened(browser, page, width, scheme)
    assert noise == []
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    outside = """Array.from(document.querySelectorAll('main *')).filter(e => !e.closest('.scroll') && !e.closest('svg')
        && !e.closest('pre') && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + e.className)"""
    assert shown.evaluate(outside) == []
    visible = "Array.from(document.querySelectorAll('figure')).map(f => Array.from(f.querySelectorAll('.chart > svg'))"
    assert set(shown.evaluate(visible + ".filter(s => getComputedStyle(s).display != 'none').length)")) == {1}
    shown.context.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_accessible(browser: Any, page: Path, width: int, scheme: str):
    """axe-core finds no violation, and every text of a picture has a contrast of 4.5 to what lies under it."""
    shown, _ = opened(browser, page, width, scheme)
    assert violations(shown) == []
    assert shown.evaluate(CONTRASTS) == []
    shown.context.close()


def test_the_checks_find_faults(browser: Any, tmp_path: Path):
    """Control: a missing name, pale text on the page and in a picture, a request and an overflow are all noticed."""
    shown, noise = opened(browser, files.write(made.many(1), tmp_path), 390)
    shown.evaluate("""() => {
        document.querySelector('svg.narrow').removeAttribute('aria-label');
        document.querySelector('h2').style.color = '#ccc';
        document.querySelectorAll('svg.narrow text').forEach(t => { t.style.fill = '#ccc'; });
    }""")
    found = " ".join(violations(shown))
    assert "color-contrast" in found
    assert "svg-img-alt" in found
    assert shown.evaluate(CONTRASTS)
    shown.evaluate("document.querySelector('h2').style.width = '2000px'")
    assert shown.evaluate("document.documentElement.scrollWidth") > 390
    shown.evaluate("fetch('https://example.org/').catch(() => {})")
    assert any("Content Security Policy" in line or "example.org" in line for line in noise)
    shown.context.close()


def test_readable_text(browser: Any, page: Path):
    """No text of a picture is smaller than 9 pixels on a phone."""
    shown, _ = opened(browser, page, 390)
    sizes = """Array.from(document.querySelectorAll('svg.narrow')).map(s => s.getBoundingClientRect().width
        / s.viewBox.baseVal.width * Math.min(...Array.from(s.querySelectorAll('text')).map(t =>
        parseFloat(getComputedStyle(t).fontSize))))"""
    assert min(shown.evaluate(sizes)) >= 9
    shown.context.close()


def test_pictures_and_headings(browser: Any, page: Path):
    """Every picture has a text for those who do not see it; one first-level heading; sections named by theirs."""
    shown, _ = opened(browser, page, 1280)
    assert shown.evaluate("Array.from(document.querySelectorAll('svg')).every(s => s.getAttribute('aria-label'))")
    assert shown.evaluate("document.querySelectorAll('img:not([alt])').length") == 0
    assert shown.evaluate("document.querySelectorAll('h1').length") == 1
    named = """Array.from(document.querySelectorAll('section')).every(s =>
        document.getElementById(s.getAttribute('aria-labelledby')))"""
    assert shown.evaluate(named)
    shown.context.close()


def test_prints(browser: Any, page: Path):
    """It prints: a PDF of a few pages comes out, in light colours also from a dark screen, without buttons."""
    shown, _ = opened(browser, page, 1280, "dark")
    shown.emulate_media(media="print")
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert shown.evaluate(CONTRASTS) == []
    seen = "Array.from(document.querySelectorAll('.copy, .tip, nav')).filter(e => e.getClientRects().length).length"
    assert shown.evaluate(seen) == 0
    assert shown.pdf(format="A4", prefer_css_page_size=True).startswith(b"%PDF")
    shown.context.close()

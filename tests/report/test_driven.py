"""The page driven by hand in a real browser: values on charts, tables that sort, tables as CSV; and without scripts."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest

from analysis.report import files
from analysis.report.inline import unpacked
from tests.browser import MARKS, WIDTHS, browser, opened, violations
from tests.report import made

pytestmark = MARKS
__all__ = ["browser"]
TIP = "figure[data-chart='{}'] .tip"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return files.write(made.many(6), tmp_path_factory.mktemp("six"))


def _data(page: Path) -> Any:
    found = re.search(r'id="data">([^<]*)<', page.read_text("utf-8"))
    assert found is not None
    return unpacked(found.group(1))


def _column(shown: Any, table: str, column: int) -> list[str]:
    rows = f"table[aria-label='{table}'] tbody tr"
    return shown.eval_on_selector_all(rows, f"rows => rows.map(r => r.cells[{column}].textContent)")


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_values_under_the_pointer(browser: Any, page: Path, width: int):
    """The value of a bar, of a dot and of a turn is shown where the pointer is, inside the window, and goes with it."""
    shown, noise = opened(browser, page, width)
    for chart in ("how-games-end", "win-rates", "causes-over-turns", "places"):
        box = shown.evaluate(
            """([name, spots]) => { const c = document.querySelector(`figure[data-chart='${name}'] .chart`);
            c.scrollIntoView({block: 'center'});
            const svg = [...c.querySelectorAll('svg')].find(s => getComputedStyle(s).display !== 'none');
            const r = svg.getBoundingClientRect(), k = r.width / svg.viewBox.baseVal.width;
            const b = spots[svg.classList.contains('wide') ? 'w' : 'n'].slice(4, 8);
            return [r.x + k * (b[0] + b[2] / 2), r.y + k * (b[1] + b[3] / 2), spots.t[1], r.x + r.width]; }""",
            [chart, _data(page)["charts"][chart]],
        )
        shown.mouse.move(box[0], box[1])
        assert shown.locator(TIP.format(chart)).is_visible(), chart
        assert shown.locator(TIP.format(chart)).text_content() == box[2]
        tip = shown.locator(TIP.format(chart)).bounding_box()
        assert tip["x"] >= 0, chart
        assert tip["x"] + tip["width"] <= width, chart
        shown.mouse.move(1, 1)
        assert shown.locator(TIP.format(chart)).is_hidden(), chart
    assert noise == []
    shown.context.close()


def test_values_by_keyboard(browser: Any, page: Path):
    """Tab reaches each chart; arrows, Home and End go through its values and say them; Escape puts the box away."""
    shown, _ = opened(browser, page, 1280)
    shown.locator("figure[data-chart='win-rates'] .chart").focus()
    said = shown.locator("#status")
    texts = _data(page)["charts"]["win-rates"]["t"]
    assert len(texts) == 6
    steps = (("ArrowRight", 0), ("ArrowRight", 1), ("End", 5), ("ArrowDown", 0), ("ArrowLeft", 5), ("Home", 0))
    for key, index in steps:
        shown.keyboard.press(key)
        assert shown.locator(TIP.format("win-rates")).text_content() == texts[index]
        assert said.text_content() == texts[index].replace("\n", ", ")
    assert violations(shown) == []
    shown.keyboard.press("Escape")
    assert shown.locator(TIP.format("win-rates")).is_hidden()
    left = set(shown.eval_on_selector_all("figure", "all => all.map(f => f.dataset.chart)"))
    shown.evaluate("document.activeElement.blur()")
    for _ in range(300):
        shown.keyboard.press("Tab")
        left.discard(shown.evaluate("document.activeElement.closest('figure')?.dataset.chart"))
        if not left:
            break
    assert not left
    shown.context.close()


def test_tables_sort(browser: Any, page: Path):
    """A heading sorts by its numbers, not their texts: falling, rising, then as it was; the state is announced."""
    shown, noise = opened(browser, page, 1280)
    table = "Win rate of each cell"
    before = _column(shown, table, 0)
    head = shown.locator(f"table[aria-label='{table}'] thead th", has_text="Win rate")
    rates = [float(text.split("%")[0].replace("\u00a0", "")) for text in _column(shown, table, 4)]
    falling = sorted(rates, reverse=True)
    for state, expected in (("descending", falling), ("ascending", falling[::-1]), ("none", rates)):
        head.locator("button").press("Enter")
        assert head.get_attribute("aria-sort") == state
        now = [float(text.split("%")[0].replace("\u00a0", "")) for text in _column(shown, table, 4)]
        assert now == expected
        assert state == "none" or state in shown.locator("#status").text_content()
    assert _column(shown, table, 0) == before
    shown.locator(f"table[aria-label='{table}'] thead th button").first.click()
    shown.locator(f"table[aria-label='{table}'] thead th button").first.click()
    assert _column(shown, table, 0) == before[::-1]
    assert violations(shown) == []
    assert noise == []
    shown.context.close()


@pytest.mark.parametrize("allowed", [True, False], ids=["clipboard", "refused"])
def test_tables_copy(browser: Any, page: Path, allowed: bool):
    """Each table has a button that copies what its CSV file holds, byte for byte, also where the clipboard's own way
    in is closed."""
    shown, noise = opened(browser, page, 1280, permissions=["clipboard-read", "clipboard-write"])
    names = shown.eval_on_selector_all(".caption", "all => all.map(c => c.dataset.table)")
    assert len(names) == shown.locator("button.copy").count() >= 8
    if not allowed:
        shown.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    for at in (0, len(names) - 1):
        shown.locator("button.copy").nth(at).click()
        shown.locator("button.copy").nth(at).filter(has_text="Copied").wait_for()
        copied = shown.evaluate("navigator.clipboard.readText()")
        assert copied == (page.parent / "tables" / f"{names[at]}.csv").read_text("utf-8")
        assert len(list(csv.reader(io.StringIO(copied)))) == 7
        assert shown.evaluate("document.activeElement.className") == "copy"
    assert noise == []
    shown.context.close()


def test_complete_without_scripts(browser: Any, page: Path):
    """With scripts switched off there are pictures, tables and texts, and no dead button."""
    shown, _ = opened(browser, page, 1280, java_script_enabled=False)
    assert shown.locator("button").count() == 0
    assert shown.locator("table").count() >= 8
    assert shown.locator("svg.wide").first.is_visible()
    shown.context.close()


def test_tables_without_a_picture_are_folded(browser: Any, tmp_path: Path):
    """Closed on the screen and opened by keyboard, with the button that copies; open on paper, with their names."""
    cell = made.cell(
        "calm", 600, (200, 100, 100), places=(1, 2, 3, 4, 5), tiles={"Camp": 3, "Lake": 900, "Hut": 5, "Well": 8}
    )
    shown, noise = opened(browser, files.write(made.facts([cell]), tmp_path), 1280)
    fold = shown.locator("details.fold", has=shown.locator("[data-table=tiles]"))
    assert fold.locator("table").is_hidden()
    fold.locator("summary").press("Enter")
    assert fold.locator("table").is_visible()
    assert fold.locator("button.copy").is_visible()
    assert violations(shown) == []
    fold.locator("summary").press("Enter")
    shown.emulate_media(media="print")
    assert fold.locator("table").bounding_box()["height"] > 20
    assert fold.locator(".caption").bounding_box()["height"] > 5
    assert noise == []
    shown.context.close()

"""The whole page of real games: every section there is, its size, and how it stands in the browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import analysis
from analysis import experiment, runner
from analysis.report import content, facts, files
from tests.browser import CONTRASTS, MARKS, browser, opened, violations

__all__ = ["browser"]
TEXT = """\
name: whole
question: How hard is each start?
game: forbidden_island
seed: 4
trials: {trials}
policy: cooperative
grid:
"""
TWO = "  difficulty: [novice, legendary]\ncompare:\n  - [novice, legendary]\n"
MANY = "  difficulty: [novice, normal, elite, legendary]\n  players: [2, 3, 4]\n  sandbags: [0, 1, 2, 3]\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int], Path]:
    """The page of an experiment, played once."""
    pages: dict[str, Path] = {}

    def make(grid: str, trials: int) -> Path:
        if grid not in pages:
            folder = tmp_path_factory.mktemp("whole")
            runner.run(experiment.parse(TEXT.format(trials=trials) + grid, "whole.yaml"), folder, workers=2)
            pages[grid] = files.write(facts.gather(analysis.load(folder)), folder)
        return pages[grid]

    return make


def test_forty_eight_cells(made):
    """All sections of 48 cells together take less than 2 MB."""
    page = made(MANY, 60)
    assert page.stat().st_size < 2_000_000
    assert page.read_text("utf-8").count("<section") > 10


def test_every_figure_is_a_file_and_a_chart(made):
    """Each figure of the page lies in the folder as SVG and PNG, and is shown in the Markdown."""
    page = made(TWO, 400)
    names = {figure.name for figure in content.report(facts.gather(analysis.load(page.parent))).figures()}
    found = {path.name for path in (page.parent / "figures").iterdir()}
    assert found == {f"{name}.{suffix}" for name in names for suffix in ("svg", "png")}
    text = (page.parent / "report.md").read_text("utf-8")
    assert all(f"](figures/{name}.svg)" in text for name in names)
    assert len(names) > 12


@MARKS[0]
@MARKS[1]
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_in_the_browser(browser: Any, made, width: int, scheme: str):
    """Nothing overflows, nothing complains, axe-core finds nothing, every text stands out; every chart tells values."""
    shown, noise = opened(browser, made(TWO, 400), width, scheme)
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    shown.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(shown) == []
    assert shown.evaluate(CONTRASTS) == []
    mute = "all => all.filter(f => f.querySelector('.chart').tabIndex !== 0).map(f => f.dataset.chart)"
    assert shown.eval_on_selector_all("figure", mute) == []
    assert noise == []
    shown.context.close()

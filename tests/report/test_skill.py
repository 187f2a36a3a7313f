"""The section of skill on made-up cells with a known truth."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from analysis.report import numbers
from analysis.report.sections import skill
from analysis.stats import Estimate
from analysis.trials import Won
from tests.report import made

N = 1000
MODELS = ("calm", "keen", {"name": "keen", "mistakes": 0.1})


def grid(rates, models=MODELS, nights=("short", "long")):
    """One cell for each model and night; whoever wins less wins a part of the trials that the others win."""
    cells, recorded = [], []
    for model, row in zip(models, rates, strict=True):
        for night, rate in zip(nights, row, strict=True):
            won = round(N * rate)
            cells.append(made.cell(f"{model} {night}", won, (N - won, 0, 0)))
            recorded.append(SimpleNamespace(settings={"policy": model, "night": night}))
    wins = np.array([cell.outcomes.won for cell in cells])
    return replace(made.facts(cells), recorded=tuple(recorded), together=Won(N, np.minimum.outer(wins, wins)))


def told(section):
    return " ".join((section.heading, *section.text)).replace(numbers.GAP, " ")


def test_the_widest_and_the_narrowest_start_are_named():
    """A short night separates the first from the last model by 60 points, a long one by 5."""
    section = skill.section(grid([[0.2, 0.1], [0.55, 0.1], [0.8, 0.15]]))
    text = told(section)
    assert text.startswith("Short separates calm from keen (mistakes 0.1) most, by 60.0 (")
    assert "; long least, by 5.0 (" in text
    assert "Not told apart: calm and keen from long." in text
    (block,) = section.blocks
    assert [column.title for column in block.table.columns][1:4] == ["calm", "keen", "keen (mistakes 0.1)"]
    first, second = block.table.rows
    assert first[0] == "short"
    assert isinstance(first[4], Estimate)
    assert round(first[4].value, 6) == 0.6
    assert first[5] == "calm → keen"
    assert second[5] == "keen → keen (mistakes 0.1)"
    for width in (720, 360):
        assert block.figure.draw(width).width == width


def test_equal_models_are_not_told_apart():
    """Control: where every model wins as often, no step is named and nothing is said to separate."""
    section = skill.section(grid([[0.4, 0.4]] * 3))
    text = told(section)
    assert "Not told apart: calm and keen from any start; keen and keen (mistakes 0.1) from any start." in text
    assert {row[5] for row in section.blocks[0].table.rows} == {""}
    assert "least" not in text


def test_models_that_played_more_than_all_share_are_told_apart_by_all_their_games():
    """0 and 35 of 1,000, of which 20 are common and won by neither: apart by their intervals.  Control: 0 and 3 are
    not, nor are 0 and 35 where nothing but the common trials was played."""

    def text(low, high, common):
        facts = grid([[low, low], [high, high], [0.5, 0.5]])
        wins = np.array([0, 0, 0, 0, common // 2, common // 2])
        return told(skill.section(replace(facts, together=Won(common, np.minimum.outer(wins, wins)))))

    assert "calm and keen from" not in text(0.0, 0.035, 20)
    assert "calm and keen from any start" in text(0.0, 0.003, 20)
    assert "calm and keen from any start" in text(0.0, 0.035, N)


def test_it_needs_models_and_starts():
    """No section where nothing, the model alone, or everything but the model is varied."""
    assert skill.section(made.many(4)) is None
    alone = grid([[0.1], [0.5]], models=("calm", "keen"), nights=("short",))
    assert skill.section(alone) is None
    one_model = grid([[0.1, 0.2]], models=("calm",))
    assert skill.section(one_model) is None

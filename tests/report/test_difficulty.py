"""The section of difficulty on made-up cells with a known truth."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from analysis.report import numbers
from analysis.report.effects import model
from analysis.report.sections import difficulty
from analysis.trials import Won
from sim.core.game import Aspects
from tests.report import made

UNIT = Aspects(unit=("night", "night", "nights"))


def grid(n: int, rate, nights=(1, 2, 3), dogs=(0, 1), aspects: Aspects = UNIT):
    """One cell for each night and number of dogs, winning as often as `rate(night, dogs)` says."""
    cells, recorded = [], []
    for night in nights:
        for dog in dogs:
            won = round(n * rate(night, dog))
            cells.append(made.cell(f"night={night} dogs={dog}", won, (n - won, 0, 0)))
            recorded.append(SimpleNamespace(knobs={"night": night, "dogs": dog}, policy={"name": "plain"}))
    return replace(made.facts(cells), recorded=tuple(recorded), aspects=aspects)


def logistic(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def told(section) -> str:
    return " ".join((section.heading, *section.text)).replace(numbers.GAP, " ")


def test_exchange_rates_of_a_known_law():
    """A dog outweighs 0.75 nights of 0.8 log odds each: found, signed, with the misfit said to be chance."""
    facts = grid(20000, lambda night, dog: logistic(1 - 0.8 * night + 0.6 * dog))
    found = model(facts)
    assert found is not None
    worth = found.fit.ratio(2, found.unit)
    assert worth.low < -0.75 < worth.high
    text = told(difficulty.section(facts))
    assert text.startswith("Dogs 0 → 1 is 0.75 nights easier")
    assert "One night more multiplies the odds of winning by 0.4" in text
    assert "dogs 0 → 1 is worth −0.75" in text
    assert "no more than chance explains" in text
    assert "is not exact" not in text


def test_misfit_is_told():
    """Where the dog helps in the first night only, the page says that the model is not exact, and how far."""
    facts = grid(20000, lambda night, dog: logistic(1 - 0.8 * night + 1.5 * dog * (night == 1)))
    text = told(difficulty.section(facts))
    assert "The model is not exact: cells stray from it by up to" in text
    assert "more than chance explains" in text


def test_equal_cells_are_not_ranked():
    """A/A over 200 grids of six equal cells: a cell is called harder in at most 5 %, here 9.5 % (chance 1e-3).

    And no exchange rate is read off a slope that is not there."""
    rng = np.random.default_rng(9)
    ranked = 0
    for _ in range(200):
        facts = grid(300, lambda night, dog: rng.binomial(300, 0.4) / 300)
        heading = difficulty.heading(facts, 0)
        ranked += (
            difficulty.exchange_heading(facts, model(facts)) != ""
            or heading != "No cell is clearly harder or easier than night=1 dogs=0"
        )
    assert ranked <= 19
    text = told(difficulty.section(grid(300, lambda night, dog: 0.4)))
    assert "cannot be told from nothing" in text
    assert "is worth" not in text
    assert "easier. " not in text


def test_direction():
    """Fewer wins are harder, more are easier, seen from the first cell that wins and loses."""
    facts = grid(1000, lambda night, dog: {1: 0.5, 2: 0.1}[night], nights=(1, 2), dogs=(0,))
    assert "Night=2 dogs=0 is 2.2" in difficulty.heading(facts, 0) or "night=2 dogs=0 is 2.2" in difficulty.heading(
        facts, 0
    )
    assert "harder than" in difficulty.heading(facts, 0)
    assert "easier than" in difficulty.heading(facts, 1)
    never = grid(1000, lambda night, dog: {1: 0.0, 2: 0.1}[night], nights=(1, 2), dogs=(0,))
    assert "harder than night=2" in told(difficulty.section(never))


def test_the_farthest_is_named_only_when_it_is():
    """Two equally hard cells: the one told of is not called the farthest; a third far beyond them is."""
    two = grid(1000, lambda night, dog: {1: 0.5, 2: 0.2, 3: 0.2}[night], dogs=(0,))
    assert "the farthest of all" not in difficulty.heading(two, 0)
    far = grid(1000, lambda night, dog: {1: 0.5, 2: 0.3, 3: 0.05}[night], dogs=(0,))
    assert difficulty.heading(far, 0).endswith("the farthest of all")
    never = grid(1000, lambda night, dog: {1: 0.5, 2: 0.0, 3: 0.0}[night], dogs=(0,))
    assert "the farthest of all" not in difficulty.heading(never, 0)


def test_common_trials_narrow_the_scale():
    """Cells that win the same trials are told apart by less: the interval narrows, the value stays."""
    facts = grid(1000, lambda night, dog: 0.5 - 0.1 * (night - 1), nights=(1, 2), dogs=(0,))
    close = replace(facts, together=Won(1000, np.array([[500, 395], [395, 400]])))
    apart, near = (difficulty.difficulties(f, 0, 0.95)[1] for f in (facts, close))
    assert near.value == apart.value
    assert near.half_width < 0.6 * apart.half_width


@pytest.mark.parametrize("aspects", [Aspects(), Aspects(unit=("age", "year", "years"))])
def test_without_the_unit_nothing_is_exchanged(aspects):
    """No declared unit, or one that does not vary: effects in log odds only."""
    facts = grid(2000, lambda night, dog: logistic(1 - 0.8 * night + 0.6 * dog), aspects=aspects)
    section = difficulty.section(facts)
    table = next(b.table for b in section.blocks if b.table.name == "effects")
    assert [c.key for c in table.columns] == ["term", "effect"]
    assert "worth" not in told(section)


def test_knobs_that_move_together_are_named():
    """Two knobs that always change at once cannot be told apart, and the table says so."""
    facts = grid(2000, lambda night, dog: 0.5 - 0.1 * night, dogs=(0,))
    recorded = tuple(
        SimpleNamespace(knobs=one.knobs | {"moon": one.knobs["night"]}, policy=one.policy) for one in facts.recorded
    )
    section = difficulty.section(replace(facts, recorded=recorded))
    table = next(b.table for b in section.blocks if b.table.name == "effects")
    assert "moon" in table.note or any("moon" in row[0] for row in table.rows)


@pytest.mark.parametrize("n", [1, 2])
def test_tiny_cells(n):
    """One and two games a cell: no claim, no crash."""
    facts = grid(n, lambda night, dog: float(dog))
    assert "is worth" not in told(difficulty.section(facts))


def test_one_cell_has_no_scale():
    """Nothing to set it against."""
    assert difficulty.section(made.many(1)) is None

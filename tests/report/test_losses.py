"""The section on lost games: what it names and what it leaves unnamed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.likeness import Likeness
from analysis.losing import Losing, Members
from analysis.report import numbers
from analysis.report.outer import outer
from analysis.report.sections import losses
from sim.core.game import Aspects, Detail
from tests.report import made

ASPECTS = Aspects(details=(Detail("fire", "burned", "tent", ("North", "South", "West")),))


def cell(label: str, counts: tuple[int, int, int], *, margin=(50, 30, 20), every: int = 40):
    """600 won, 300 burned, 100 frozen; what burned, how far ahead the games were lost, how many had both marks."""
    one = made.cell(label, 600, (300, 100, 0))
    members = Members("tent", 300, dict(zip(("North", "South", "West"), counts, strict=True)))
    reached = {"fire": np.array([100, 200 - every, every]), "cold": np.array([50, 50, 0]), "cap": np.zeros(3, int)}
    reached["won"] = np.array([0, 0, 600])
    after = {key: np.array([row[2], 0]) for key, row in reached.items()}
    looks = Likeness(label, 100, *(np.array([0, 50, 50]) for _ in range(3)), np.array(margin))
    return replace(one, losing=Losing({"fire": members}, reached, {}, after), likeness=looks)


def facts(*cells):
    return replace(made.facts(cells), aspects=ASPECTS)


def told(section) -> str:
    return " ".join((section.heading, *section.text)).replace(numbers.GAP, " ")


def test_what_stands_out_is_named_with_its_rates():
    """North burns in 200 of 300, West in 50: named; equal tents are not."""
    text = told(losses.section(facts(cell("a", (200, 120, 50)))))
    assert "North most often, in 66.7 %" in text
    assert "West least often, in 16.7 %" in text
    assert "no tent stands out" in told(losses.section(facts(cell("a", (100, 104, 97)))))


def test_outer_seldom_names_equals():
    """A/A: of six equal events in 400 games a pair is named in at most 5 % of 2,000 runs, here 7 % (chance 1e-4)."""
    rng = np.random.default_rng(2)
    named = sum(
        outer({str(i): (int(k), 400) for i, k in enumerate(rng.binomial(400, 0.25, 6))}).apart for _ in range(2000)
    )
    assert named <= 140
    assert outer({"a": (0, 400), "b": (16, 400)}).apart
    assert outer({"a": (1, 1), "b": (0, 0)}) is None
    assert not outer({"a": (0, 1), "b": (1, 1)}).apart


def test_heading_tells_how_far_the_lost_games_were():
    """40 of 400 games not won had both milestones."""
    assert told(losses.section(facts(cell("a", (1, 1, 1))))).startswith(
        "Of the games not won, 10.0 % in a had all two milestones"
    )


def test_as_good_as_lost():
    """Half of the looked-at losses before the last turn, the middle one a turn ahead; and none at all."""
    text = told(losses.section(facts(cell("a", (1, 1, 1)))))
    assert "50.0 % (40.4 to 59.6) were as good as lost before their last turn, half of those for 1 turn or more" in text
    text = told(losses.section(facts(cell("a", (1, 1, 1), margin=(100, 0, 0)))))
    assert "No game in a was as good as lost before its last turn" in text


@pytest.mark.parametrize("count", [1, 7, 12])
def test_long_tables_are_cut_on_the_page_only(count):
    """More than six cells: the page's table has two and says so, the file of all has every one."""
    many = facts(*(cell(f"c{i}", (90, 120, 90)) for i in range(count)))
    section = losses.section(many)
    taken = next(b.table for b in section.blocks if b.table.name == "taken")
    assert len({row[0] for row in taken.rows}) == (count if count <= 6 else 2)
    assert ("all-cells.csv" in taken.note) == (count > 6)
    whole = next(t for t in losses.tables(many, many.cells) if t.name == "taken")
    assert len({row[0] for row in whole.rows}) == count


def test_nothing_lost_nothing_told():
    """No lost game, or a game that declares nothing: no section."""
    assert losses.section(made.many(2)) is None
    won = replace(made.cell("a", 10, (0, 0, 0)), losing=cell("a", (0, 0, 0)).losing)
    assert losses.section(facts(won)) is None

"""The section of comparisons: counts from games, false findings, words, commands."""

from __future__ import annotations

import shlex
from dataclasses import replace

import numpy as np
import pytest

from analysis import trials
from analysis.report.compared import behind, wins
from analysis.report.facts import PairFacts
from analysis.report.sections import compared
from sim.core.game import Column
from tests.held import Held
from tests.report import made

COLUMNS = (
    Column("result", "int8", "code", "", labels=("won", "lost", "stopped")),
    Column("cause", "int8", "code", "", sentinel=-1, labels=("fire", "cold", "cap")),
    Column("turns", "int16", "turns", ""),
    Column("axe_turn", "int16", "turns", "", sentinel=0),
    Column("rope_turn", "int16", "turns", "", sentinel=0),
)


class Camp:
    columns = COLUMNS
    causes = made.CAUSES
    milestones = made.MARKS


def games(rng: np.random.Generator, n: int, rate: float, luck: np.ndarray) -> dict[str, np.ndarray]:
    """Games of the camp: half of what decides a game is the trial's `luck`, half its own."""
    own = rng.random(n)
    won = np.where(rng.random(n) < 0.5, luck, own) < rate
    cause = np.where(won, -1, (rng.random(n) < 0.4).astype(int))
    turns = 3 + (8 * luck).astype(int) + rng.integers(0, 4, n)
    axe = np.where(rng.random(n) < 0.8, turns - 2, 0)
    return {
        "result": np.where(won, 0, 1),
        "cause": cause,
        "turns": turns,
        "axe_turn": axe,
        "rope_turn": np.where(won, turns, 0),
    }


def facts_of(first: dict, second: dict, chunk: int = 700):
    """Facts with the pair counted from the games."""
    held = Held(Camp(), {"calm": first, "storm": second}, chunk=chunk)
    counts = trials.paired(held, "calm", "storm")
    n = counts.won.n
    cells = [
        made.cell(label, won, [*(getattr(counts.causes[c.name], arm) for c in made.CAUSES)])
        for label, won, arm in (("calm", counts.won.first, "first"), ("storm", counts.won.second, "second"))
    ]
    assert all(c.n == n for c in cells)
    return made.facts(cells, [PairFacts("calm", "storm", counts.won, counts.causes, counts)])


def test_counts_against_a_plain_loop():
    """Tables, sums, blocks and flips equal those of a loop over games, whatever the chunks."""
    rng = np.random.default_rng(2)
    luck = rng.random(2345)
    one, other = games(rng, 2345, 0.6, luck), games(rng, 2345, 0.3, luck)
    for chunk in (2345, 100):
        got = trials.paired(Held(Camp(), {"a": one, "b": other}, chunk=chunk), "a", "b", flips=4)
        won = (one["result"] == 0, other["result"] == 0)
        assert got.won.first_only == int((won[0] & ~won[1]).sum())
        assert got.causes["cold"].second == int((other["cause"] == 1).sum())
        d = other["turns"] - one["turns"]
        assert (got.sums["turns"].total, got.sums["turns"].squares) == (d.sum(), (d * d).sum())
        reached = [(g["axe_turn"] > 0).astype(int) + (g["rope_turn"] > 0) for g in (one, other)]
        assert got.sums["milestones"].total == (reached[1] - reached[0]).sum()
        assert got.means["milestones"] == (reached[0].mean(), reached[1].mean())
        assert got.lost == tuple(np.flatnonzero(won[0] & ~won[1])[:4])
        assert got.gained == tuple(np.flatnonzero(~won[0] & won[1])[:4])
        block = got.blocks["turns"][7]
        mine = np.arange(2345) % trials.BLOCKS == 7
        assert block[0] == mine.sum()
        assert block[5] == (one["turns"] * other["turns"])[mine].sum()


def test_together_in_all_cells():
    """Wins shared by each pair of cells, over the shortest cell's trials."""
    rng = np.random.default_rng(3)
    cells = {label: games(rng, n, 0.5, rng.random(n)) for label, n in (("a", 900), ("b", 700), ("c", 901))}
    got = trials.won_together(Held(Camp(), cells, chunk=64))
    won = np.array([c["result"][:700] == 0 for c in cells.values()])
    assert got.n == 700
    assert (got.together == (won[:, None] & won[None]).sum(axis=2)).all()


def test_equal_arms_seldom_show_anything():
    """A/A: 300 pairs of equal arms with 500 trials; a false finding anywhere in at most 5 %, here 9 % (chance 1e-3).

    Control: arms with 60 and 45 % wins show one nearly always."""
    rng = np.random.default_rng(11)
    alarms = 0
    for _ in range(300):
        luck = rng.random(500)
        facts = facts_of(games(rng, 500, 0.5, luck), games(rng, 500, 0.5, luck))
        false = any(m.clear for m in behind(facts))
        alarms += false
        if not false:
            assert compared.heading(behind(facts)) == "Nothing that was measured tells them apart"
    assert alarms <= 27
    found = 0
    for _ in range(30):
        luck = rng.random(500)
        found += any(m.clear for m in behind(facts_of(games(rng, 500, 0.6, luck), games(rng, 500, 0.4, luck))))
    assert found >= 27


def test_section_says_what_is_clear_and_how_to_replay_it():
    """Counts of clear measures, the gain of common luck, commands that the shell reads as one label."""
    rng = np.random.default_rng(4)
    luck = rng.random(4000)
    facts = facts_of(games(rng, 4000, 0.7, luck), games(rng, 4000, 0.4, luck))
    gain = wins(facts)[0].gain
    assert gain is not None
    assert gain.low > 1
    section = compared.section(facts)
    assert section is not None
    assert "Playing the same trials sharpened" in section.text[-1]
    table = next(b.table for b in section.blocks if b.table and b.table.name == "flipped-trials")
    row = table.rows[0]
    assert shlex.split(row[3]) == ["islandlab", "replay", "reports/camp", "--cell", "storm", "--trials", row[0]]
    shares = next(b.table for b in section.blocks if b.table and b.table.name == "compared-shares")
    assert {r[2] for r in shares.rows} == {"The camp burned", "The team froze"}


@pytest.mark.parametrize("n", [1, 2])
def test_tiny(n):
    """One and two games: nothing clear, nothing divided by zero."""
    rng = np.random.default_rng(6)
    for _ in range(5):
        facts = facts_of(games(rng, n, 0.5, rng.random(n)), games(rng, n, 0.5, rng.random(n)))
        assert not any(m.clear for m in behind(facts))
        assert all(m.gain is None for m in behind(facts))
        compared.section(facts)


def test_without_comparisons_there_is_no_section():
    """A single cell has nothing to compare."""
    assert compared.section(made.many(1)) is None


def test_planned_looks_are_paid_for():
    """Where a difference could have ended the run at four looks, p-values are four times as large, intervals wider."""
    rng = np.random.default_rng(4)
    luck = rng.random(800)
    facts = facts_of(games(rng, 800, 0.55, luck), games(rng, 800, 0.45, luck))
    looked = replace(facts, manifest={**facts.manifest, "stopping": {"planned": [100, 200, 400, 800]}})
    for once, often in zip(behind(facts), behind(looked), strict=True):
        assert often.p_value == pytest.approx(min(1.0, 4 * once.p_value)) or once.p_value == 1.0
        assert often.difference.half_width > once.difference.half_width

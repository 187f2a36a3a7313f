"""Roles, teams, openings and what the setup settles: counts against loops, and words that never say too much."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from analysis.likeness import Likeness
from analysis.openings import Start, Teams, redealt, start, teams
from analysis.report import numbers
from analysis.report.effects import model
from analysis.report.sections import luck
from analysis.report.sections import teams as section
from sim.core.game import Aspects, Column, Opening
from tests.held import Held
from tests.report import made

ROLES = ("smith", "cook", "monk", "bard")
ASPECTS = Aspects(
    roles=("role_0", "role_1"),
    openings=(Opening("wet", "Wet at the start"), Opening("camp", "Place of the camp", place=True)),
    same_setup="same",
)


NIGHTS = Aspects(unit=("night", "night", "nights"))


class Camp:
    columns = (
        Column("trial", "int64", "number", ""),
        Column("result", "int8", "code", "", labels=("won", "lost", "stopped")),
        Column("role_0", "int8", "code", "", sentinel=-1, labels=ROLES),
        Column("role_1", "int8", "code", "", sentinel=-1, labels=ROLES),
        Column("wet", "int32", "set", "", labels=("Hill", "Lake", "Wood"), is_set=True),
        Column("camp", "int8", "place", ""),
    )
    aspects = ASPECTS


def games(n: int, seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 4, n)
    second = (first + rng.integers(1, 4, n)) % 4
    return {
        "trial": np.arange(n),
        "result": rng.integers(0, 3, n),
        "role_0": first,
        "role_1": np.where(rng.random(n) < 0.1, -1, second),
        "wet": rng.integers(0, 8, n),
        "camp": rng.integers(0, 5, n),
    }


@pytest.mark.parametrize("chunk", [91, 5000])
def test_counts_against_a_loop(chunk):
    """Teams, openings of every second trial, and wins a setup, game by game."""
    one = games(1501, 3)
    held = Held(Camp(), {"a": one}, chunk=chunk)
    by_team: dict = {}
    wet = dict.fromkeys(("Hill", "Lake", "Wood"), (0, 0))
    camp = np.zeros((5, 2), dtype=int)
    for i in range(1501):
        won = int(one["result"][i] == 0)
        team = frozenset(ROLES[one[f"role_{s}"][i]] for s in (0, 1) if one[f"role_{s}"][i] >= 0)
        w, g = by_team.get(team, (0, 0))
        by_team[team] = (w + won, g + 1)
        if i % 2 == 0:
            for bit, name in enumerate(wet):
                if one["wet"][i] >> bit & 1:
                    wet[name] = (wet[name][0] + won, wet[name][1] + 1)
            camp[one["camp"][i]] += (won, 1)
    found = teams(held, "a")
    assert {
        frozenset(r for r, there in zip(ROLES, found.members[t], strict=True) if there): (found.won[t], found.games[t])
        for t in range(len(found.games))
    } == by_team
    opened = start(held, "a", every=2)
    assert opened.sets["wet"] == wet
    assert opened.places["camp"].tolist() == camp.tolist()
    assert (opened.n, opened.won) == (751, int((one["result"][::2] == 0).sum()))
    wins = (one["result"][:1500] == 0).reshape(-1, 3).sum(axis=1)
    assert redealt(held, "a", 3).tolist() == np.bincount(wins, minlength=4).tolist()


def test_one_team_is_no_comparison():
    """Every game with the same roles: nothing to tell."""
    one = games(100, 1) | {"role_0": np.zeros(100, int), "role_1": np.ones(100, int)}
    assert teams(Held(Camp(), {"a": one}), "a") is None


def told(one) -> str:
    return " ".join((one.heading, *one.text)).replace(numbers.GAP, " ")


def cell_of_teams(effect: np.ndarray, rng: np.random.Generator, n: int = 400, pair: float = 0.0):
    """A cell with all pairs of six roles, n games each."""
    members = np.array([[r in team for r in range(6)] for team in combinations(range(6), 2)])
    rates = 0.4 + members @ effect
    rates[0] += pair
    won = rng.binomial(n, rates)
    cell = made.cell("a", int(won.sum()), (int(15 * n - won.sum()), 0, 0))
    return replace(cell, teams=Teams(("a", "b", "c", "d", "e", "f"), members, won, np.full(15, n)))


def test_equal_teams_are_not_ranked():
    """A/A over 300 cells: a spread, a role, a pair or a best team is told in at most 5 % each, here 9 % (1e-3)."""
    rng = np.random.default_rng(12)
    claims = np.zeros(4)
    for _ in range(300):
        cell = cell_of_teams(np.zeros(6), rng)
        facts = made.facts([cell])
        claims += (
            "makes no difference" not in section.heading(facts),
            "No role is clearly" not in section.roles_text(cell),
            "No pair of roles is" not in section.pairs_text(cell),
            "No team is surely" not in section.teams_text(cell),
        )
    assert (claims <= 27).all(), claims


def test_true_effects_are_told_with_their_sign():
    """Role a helps, role f hurts, by 10 points: told so; the best team has a, the worst f."""
    cell = cell_of_teams(np.array([0.1, 0, 0, 0, 0, -0.1]), np.random.default_rng(1), n=3000)
    text = told(section.section(made.facts([cell])))
    assert "Which team plays matters" in text
    better, worse = text.split("clearly better: ")[1].split("; clearly worse: ")
    assert better.startswith("A +")
    assert worse.startswith("F −")
    best = section.best_and_worst(cell.teams)
    assert "a" in best.most
    assert "f" in best.least
    assert "No pair of roles is clearly" in text
    paired = cell_of_teams(np.zeros(6), np.random.default_rng(1), n=6000, pair=0.2)
    assert "A and B +" in section.pairs_text(paired)


def cells_by_night(rng: np.random.Generator, games: int, slope: float = -0.8, aspects: Aspects = NIGHTS):
    """Three cells a night apart, 15 teams each; role a is worth +0.4 in log odds, f −0.4, the others nothing."""
    members = np.array([[r in team for r in range(6)] for team in combinations(range(6), 2)])
    effects = np.array([0.4, 0, 0, 0, 0, -0.4])
    cells, recorded = [], []
    for night in (1, 2, 3):
        rates = 1 / (1 + np.exp(-(0.8 + slope * (night - 1) + members @ effects)))
        won = rng.binomial(games, rates)
        cell = made.cell(f"night={night}", int(won.sum()), (int(15 * games - won.sum()), 0, 0))
        cells.append(replace(cell, teams=Teams(("a", "b", "c", "d", "e", "f"), members, won, np.full(15, games))))
        recorded.append(SimpleNamespace(knobs={"night": night}, policy={"name": "plain"}))
    return replace(made.facts(cells), recorded=tuple(recorded), aspects=aspects)


def test_roles_in_units_of_difficulty():
    """Role a takes off half a night of 0.8 log odds, f adds one: covered in 92 to 99.5 % of 300 runs, with the sign.

    The law of a pooled cell is not quite logistic, so the slope is a little flatter than 0.8: within 5 %."""
    rng = np.random.default_rng(3)
    held = np.zeros(3)
    for _ in range(300):
        facts = cells_by_night(rng, 300)
        worth = section.in_units(facts, facts.cells[1], model(facts))
        truths = (-0.5, 0.0, 0.5)
        held += [worth[r].low * 1.03 <= t <= worth[r].high * 1.03 for r, t in zip("acf", truths, strict=True)]
    assert ((held >= 0.92 * 300) & (held <= 0.995 * 300)).all(), held / 300
    facts = cells_by_night(rng, 3000)
    text = section.units_text(facts, facts.cells[1], model(facts))
    assert "In nights (plus is harder)" in text
    assert "A −0.5" in text
    assert "F +0.5" in text
    roles = next(t for t in section.tables(facts, facts.cells) if t.name == "roles")
    assert [c.key for c in roles.columns][-1] == "worth"


def test_no_units_without_a_slope():
    """Nights that change nothing, or no declared unit: nothing is expressed in nights."""
    rng = np.random.default_rng(4)
    flat = cells_by_night(rng, 300, slope=0.0)
    assert section.units_text(flat, flat.cells[0], model(flat)) == ""
    plain = cells_by_night(rng, 300, aspects=Aspects())
    assert section.units_text(plain, plain.cells[0], model(plain)) == ""
    assert [c.key for c in section.tables(plain, plain.cells)[0].columns][-1] == "effect"


@pytest.mark.parametrize("n", [1, 2])
def test_tiny_teams(n):
    """A game or two a team: no claim."""
    cell = cell_of_teams(np.zeros(6), np.random.default_rng(2), n=n)
    text = told(section.section(made.facts([cell])))
    assert "makes no difference that can be told from chance" in text
    assert "No team is surely better" in text


def cell_of_openings(rates: np.ndarray, rng: np.random.Generator, n: int = 2000):
    """A cell in which each tile is wet in half of the games; `rates`: change of the win rate by tile and place."""
    wet = rng.random((n, 3)) < 0.5
    place = rng.integers(0, 5, n)
    won = rng.random(n) < 0.5 + wet @ rates[:3] + rates[3:][place]
    names = ("Hill", "Lake", "Wood")
    sets = {"wet": {k: (int(won[wet[:, i]].sum()), int(wet[:, i].sum())) for i, k in enumerate(names)}}
    places = {"camp": np.array([[int(won[place == p].sum()), int((place == p).sum())] for p in range(5)])}
    cell = made.cell("a", int(won.sum()), (int(n - won.sum()), 0, 0), places=(1, 1, 1, 1, 1))
    return replace(cell, start=Start(n, int(won.sum()), sets, places))


def facts_of(*cells):
    return replace(made.facts(cells), aspects=ASPECTS)


def test_equal_openings_are_not_blamed():
    """A/A over 300 cells: an opening or a place is told in at most 5 % each, here 9 % (1e-3)."""
    rng = np.random.default_rng(5)
    claims = np.zeros(2)
    for _ in range(300):
        cell = cell_of_openings(np.zeros(8), rng, n=800)
        facts = facts_of(cell)
        claims += (
            "none clearly lowers" not in luck.openings_text(facts, cell),
            "no place is clearly" not in luck.places_text(facts, cell),
        )
    assert (claims <= 27).all(), claims


def test_bad_openings_are_named():
    """A wet Lake costs 20 points and the camp on the first place 30: named, and drawn on the map."""
    rates = np.array([0, -0.2, 0, -0.3, 0.1, 0.1, 0.1, 0.1])
    cell = cell_of_openings(rates, np.random.default_rng(3), n=5000)
    facts = facts_of(cell)
    text = luck.openings_text(facts, cell)
    assert "Lake −" in text
    assert "Hill" not in text
    assert "least often at row 1, 1st" in luck.places_text(facts, cell)
    made_section = luck.section(facts)
    assert any(b.figure is not None and b.figure.name == "openings" for b in made_section.blocks)
    table = next(b.table for b in made_section.blocks if b.table.name == "openings-wet")
    assert table.rows[0][1] == "Lake"
    assert table.rows[0][-1] == "wins less"


def test_what_the_setup_settles():
    """A known correlation of 0.2 is told; none is told as nothing; other intervals are put right in words."""
    rng = np.random.default_rng(1)
    shared = np.bincount(rng.binomial(2, rng.beta(0.5 * 4, 0.5 * 4, 5000)), minlength=3)
    apart = np.bincount(rng.binomial(2, 0.5, 5000), minlength=3)
    cell = replace(made.cell("a", 5000, (5000, 0, 0)), same_setup=2, redealt=shared)
    text = luck.settled_text(cell).replace(numbers.GAP, " ")
    assert "the setup settles 2" in text or "the setup settles 1" in text
    assert "too narrow" in text
    assert "settles nothing that can be told" in luck.settled_text(replace(cell, redealt=apart))
    assert luck.settled_text(replace(cell, redealt=np.array([1, 1, 1]))) == ""


def test_heading_tells_when_games_are_decided():
    """Half of the looked-at games by turn 3; without anything declared there is no section."""
    counts = np.array([0, 10, 20, 50, 20])
    cell = replace(made.cell("a", 50, (50, 0, 0)), likeness=Likeness("a", 100, counts, counts, counts, counts))
    assert luck.heading(facts_of(cell)) == "Half of the games are decided by turn 3 in a"
    luck.section(facts_of(cell))
    shared = replace(cell, same_setup=2, redealt=np.array([400, 200, 400]))
    assert luck.heading(facts_of(shared)).startswith(
        "The setup settles 60.0\u00a0% in a of the differences in winning; half"
    )
    apart = replace(cell, same_setup=2, redealt=np.array([250, 500, 250]))
    assert luck.heading(facts_of(apart)) == "Half of the games are decided by turn 3 in a"
    assert luck.section(made.many(2)) is None
    assert section.section(made.many(2)) is None

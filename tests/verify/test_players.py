"""The random player's choice against its law, and the idle team against an independent engine."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy import stats

from sim.core import rng
from sim.core.compile import COMPILED, jit
from sim.forbidden_island import engine, legal
from sim.forbidden_island.constants import CHANCE_POLICY, DECISIONS, DISCARD_DOWN
from sim.forbidden_island.game import GAME, Table
from sim.forbidden_island.policies import POLICIES
from sim.forbidden_island.state import ROW

from .laws import FALSE_ALARM, SIZES, uniform_p

pytestmark = pytest.mark.skipif(not COMPILED, reason="plain Python is too slow for these numbers")
sizes = pytest.mark.parametrize("n", SIZES)


# ---- the random player ----------------------------------------------------------------------------------------------


@cache
def stopping_at(decision):
    """The random player, who gives up (an illegal answer) when it is first asked this after its fourth choice."""
    inner = POLICIES["random"].choose

    def choose(rules, view, mind, stream):
        mind.memory[0] += 1.0
        if mind.memory[0] > 4.0 and view.decision == decision:
            return -1
        return inner(rules, view, mind, stream)

    return replace(POLICIES["random"], memory=1, choose=jit(choose, cache=False, pointer=True))


def position(decision):
    """A table at a choice of this kind with between 2 and 400 options."""
    rules = {"players": 4, "sandbags": 6, "helicopter": 1, "flood_cards_in_treasure_deck": 5}
    knobs = GAME.resolve(
        rules | {"sandbags_save_sinking": True, "roles": ["engineer", "pilot", "explorer", "navigator"]}
    )
    player = stopping_at(decision)
    for trial in range(4000):
        table = Table(knobs, player.mind({}))
        at_fault = table.play(player.pointer(engine.CHOOSE), 1, trial, np.zeros(1, ROW))
        if at_fault >= 0 and 2 <= legal.option(table.rules[0], table.views[0], -1) <= 400:
            return table
    raise AssertionError("no such position")


@jit(cache=False)
def _choices(ruleses, views, minds, streams, choose, found):
    """Which option is chosen, in as many trials as `found` has room for."""
    rules = ruleses[0]
    view = views[0]
    mind = minds[0]
    stream = streams[0]
    n = legal.option(rules, view, -1)
    options = np.array([legal.option(rules, view, k) for k in range(n)])
    for trial in range(found.size):
        rng.start(stream, 7, trial, CHANCE_POLICY)
        choice = choose(rules, view, mind, stream)
        for k in range(n):
            if options[k] == choice:
                found[trial] = k
    return n


@jit(cache=False, pointer=True)
def _clamped(rules, view, mind, stream):
    """A slip for control: one number too many, put down to the last option."""
    n = legal.option(rules, view, -1)
    return legal.option(rules, view, min(n - 1, rng.below(stream, n + 1)))


@sizes
@pytest.mark.parametrize("decision", range(len(DECISIONS)), ids=DECISIONS)
def test_the_random_player_chooses_evenly(n, decision):
    """At a choice of each kind every legal option is taken equally often: chi-square, 1 to 399 df, seed 7, false alarm
    1e-6.  Control: a player whose last option is twice as likely."""
    table = position(decision)
    for choose, is_right in ((POLICIES["random"].choose, True), (_clamped, False)):
        found = np.full(n, -1)
        options = _choices(table.rules, table.views, table.minds, table.streams, choose, found)
        assert found.min() >= 0
        assert bool(uniform_p(found, options) > FALSE_ALARM) == is_right


@sizes
def test_the_idle_team_discards_any_kind(n):
    """Of the kinds in a hand that is too large each goes equally often (chi-square, seed 7, false alarm 1e-6).
    Control: a player whose last option is twice as likely."""
    table = position(DISCARD_DOWN)
    table.views["hand"][0, int(table.views["decider"][0]), 4:6] = (
        0  # no special cards, so that all options are discards
    )
    for choose, is_right in ((POLICIES["idle"].choose, True), (_clamped, False)):
        found = np.full(n, -1)
        options = _choices(table.rules, table.views, table.minds, table.streams, choose, found)
        assert bool(uniform_p(found, options) > FALSE_ALARM) == is_right


# ---- the idle team --------------------------------------------------------------------------------------------------

IDLE_TURNS = {
    "novice": (7.070, 6.809, 6.465),
    "normal": (6.354, 6.116, 5.823),
    "elite": (5.990, 5.735, 5.474),
    "legendary": (5.766, 5.556, 5.335),
}
"""Mean turns at 2, 3, 4 players of an independent engine, 10,000 games a cell, standard error 0.03."""

CAUSES = {"treasure_sunk": (54.5, 59.5), "landing_sunk": (37.5, 42.5), "drowned": (1.5, 4.5)}
"""Per cent of its losses: about 57, about 40, 2 to 4 by that engine (standard error 0.5), with room for rounding."""

WITHIN = 4.9
"""Standard errors: a false alarm rate of 1e-6 a cell, 1.2e-5 for the table."""

CELLS = [(difficulty, players) for difficulty in IDLE_TURNS for players in (2, 3, 4)]
IDLE_SIZES = [
    pytest.param(40_000, id="quick"),
    pytest.param(200_000, id="full", marks=pytest.mark.verify),
]


@cache
def idle_games(n, players, **changes):
    """Rows of the idle team, seed 7."""
    knobs = GAME.resolve({"players": players, **changes})
    return GAME.play(knobs, GAME.resolve_policy("idle"), 7, 0, n).games


def off(turns, mean):
    """By how many standard errors, of both engines together, the mean of some turns is off."""
    own = turns.std() / np.sqrt(turns.size)
    return abs(turns.mean() - mean) / np.hypot(0.03, own)


@pytest.mark.parametrize("n", IDLE_SIZES)
@pytest.mark.parametrize(("difficulty", "players"), CELLS)
def test_the_idle_team_lasts_as_long_as_elsewhere(n, difficulty, players):
    """Mean turns agree with an independent engine's in each of the twelve cells (seed 7, within 4.9 standard errors).
    Control: eight tiles flooded at the start instead of six are told apart in every cell."""
    mean = IDLE_TURNS[difficulty][players - 2]
    assert off(idle_games(n, players, difficulty=difficulty)["turns"], mean) < WITHIN
    assert off(idle_games(n, players, difficulty=difficulty, initial_flooded=8)["turns"], mean) > WITHIN


@pytest.mark.parametrize("n", IDLE_SIZES)
def test_the_idle_table_agrees_as_a_whole(n):
    """The twelve deviations together are a chi-square of 12 df (seed 7, false alarm 1e-6).
    Control: one start tick too many in every cell."""
    means = {(each, players): IDLE_TURNS[each][players - 2] for each, players in CELLS}

    def p(later):
        starts = {each: tick + later for tick, each in enumerate(IDLE_TURNS, start=1)}
        deviations = [
            off(idle_games(n, seats, start_tick=starts[each])["turns"], means[each, seats]) for each, seats in CELLS
        ]
        return stats.chi2.sf(np.square(deviations).sum(), len(CELLS))

    assert p(later=0) > FALSE_ALARM
    assert p(later=1) < FALSE_ALARM


@pytest.mark.parametrize("n", IDLE_SIZES)
@pytest.mark.parametrize(("difficulty", "players"), CELLS)
def test_the_idle_team_loses_as_it_does_elsewhere(n, difficulty, players):
    """The shares of the causes are those of an independent engine, as far as its round figures tell (`CAUSES`, seed 7).
    Control: with pawns that drown at once (`swim: lose`) not one of them is."""
    labels = next(column.labels for column in GAME.columns if column.name == "cause")

    def fits(cause, **changes):
        share = 100 * (idle_games(n, players, difficulty=difficulty, **changes)["cause"] == labels.index(cause)).mean()
        return CAUSES[cause][0] < share < CAUSES[cause][1]

    assert [cause for cause in CAUSES if not fits(cause)] == []
    assert [cause for cause in CAUSES if fits(cause, swim="lose")] == []

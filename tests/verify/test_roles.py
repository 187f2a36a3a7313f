"""Roles are used: a team with a role's power wins more than the same team, on the same trials, without it."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
import pytest

from sim.core.compile import COMPILED
from sim.forbidden_island import engine
from sim.forbidden_island.constants import ROLES
from sim.forbidden_island.game import GAME, Table
from sim.forbidden_island.policies import POLICIES
from sim.forbidden_island.state import ROW

pytestmark = pytest.mark.skipif(not COMPILED, reason="plain Python is too slow for these numbers")

MODELS = [name for name in ("cooperative", "expert", "master") if name in POLICIES]
SEED = 61
ALL = (1 << len(ROLES)) - 1
WITHIN = 4.0
"""Standard errors: a false alarm rate of 3e-5 a role, one-sided."""


@cache
def played(model, players, powers, n):
    """Rows of n trials at a normal start with random roles, of which a set has its powers."""
    policy = POLICIES[model]
    GAME.prepare(GAME.resolve_policy(model))
    table = Table(GAME.resolve({"players": players, "difficulty": "normal"}), policy.mind({}))
    table.rules["role_powers"] = powers
    rows = np.zeros(n, ROW)
    assert table.play(policy.pointer(engine.CHOOSE), SEED, 0, rows) == -1
    return rows


def gain(model, role, players, n):
    """(mean, standard error, trials): what a role's power adds to the win rate of the teams that have the role."""
    with_it = played(model, players, ALL, n)
    without = played(model, players, ALL & ~(1 << ROLES.index(role)), n)
    there = (with_it["role"] == ROLES.index(role)).any(axis=1)
    change = (with_it["result"] == 0)[there].astype(float) - (without["result"] == 0)[there]
    return change.mean(), change.std() / np.sqrt(change.size), change.size


def trials(model, n):
    """Fewer where a game is dear."""
    speed = GAME.policies[model].games_per_second
    return n if speed >= 5_000 else n // 10 if speed >= 100 else 600


@pytest.mark.parametrize("role", ROLES)
def test_the_team_uses_every_role(role):
    """Four players, normal start, seed 61, 12,000 trials of which two thirds have the role: each power is worth more
    than four standard errors.  Control: an ordinary pawn's power, which is none, changes no game."""
    mean, error, _ = gain("cooperative", role, 4, 12_000)
    assert mean > WITHIN * error
    rows = played("cooperative", 4, ALL, 12_000)
    assert (played("cooperative", 4, ALL | 1 << len(ROLES), 12_000) == rows).all()


@pytest.mark.verify
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("model", MODELS)
def test_every_role_is_used_at_every_table(model, role, players):
    """Normal start, seed 61, 120,000 trials (fewer where a game is dear), four standard errors."""
    mean, error, _ = gain(model, role, players, trials(model, 120_000))
    assert mean > WITHIN * error


if __name__ == "__main__":
    told_trials = [int(word) for word in sys.argv[1:] if word.isdigit()]
    for name in [word for word in sys.argv[1:] if not word.isdigit()] or MODELS:
        n = 60_000 if GAME.policies[name].games_per_second >= 5_000 else 15_000  # a quarter, or it takes hours
        n = told_trials[0] if told_trials else trials(name, n)
        for each in ROLES:
            cells = [gain(name, each, seats, n) for seats in (2, 3, 4)]
            told = " | ".join(f"{100 * mean:+.1f} ± {196 * error:.1f} ({count:,})" for mean, error, count in cells)
            print(f"| `{name}` | {each} | {told} |", flush=True)

"""The expert and the master: they search, they win more than the rung below, and they never lose the thread."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from sim.core.compile import COMPILED, jit
from sim.forbidden_island.game import GAME
from sim.forbidden_island.policies.network import chance_of

pytestmark = pytest.mark.skipif(not COMPILED, reason="plain Python is too slow for these numbers")
SEED = 23


def rows(policy, n, **settings):
    return GAME.play(GAME.resolve(settings), GAME.resolve_policy(policy), SEED, 0, n).games


def won(policy, n, **settings):
    return rows(policy, n, **settings)["result"] == 0


def p_of_no_better(below, above):
    """Exact sign test on the trials that one wins and the other loses (McNemar), one-sided."""
    gained, lost = int((above & ~below).sum()), int((below & ~above).sum())
    return stats.binomtest(gained, gained + lost, 0.5, "greater").pvalue if gained + lost else 1.0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_expert_beats_the_cooperative_team(players):
    """Sign test of 300 paired trials from the normal start, false alarm 1e-6.  Control: not the other way round."""
    low, high = (won(name, 300, players=players, difficulty="normal") for name in ("cooperative", "expert"))
    assert p_of_no_better(low, high) < 1e-6
    assert p_of_no_better(high, low) > 0.5


def test_a_wider_search_wins_more():
    """Sign test of 600 paired trials of width 2 and 20, false alarm 1e-6.  Control: a search beats itself never."""
    narrow, wide = (won({"name": "expert", "width": width}, 600, players=3, difficulty="normal") for width in (2, 20))
    assert p_of_no_better(narrow, wide) < 1e-6
    assert p_of_no_better(wide, wide) == 1.0


def test_a_team_that_follows_its_second_thoughts_wins_less():
    """Sign test of 400 paired trials of the best plan and one of the best 16, false alarm 1e-6.  Control: the best of
    one is the best."""
    best, any_of, one = (
        won({"name": "expert", "among": among, "width": 8}, 400, players=3, difficulty="normal") for among in (1, 16, 1)
    )
    assert p_of_no_better(any_of, best) < 1e-6
    assert (best == one).all()


def test_without_playouts_the_master_is_the_expert():
    """Twenty games, every column.  Control: with playouts they go otherwise."""
    plain = rows("expert", 20, players=2)
    same = rows({"name": "master", "playouts": 0}, 20, players=2)
    other = rows({"name": "master", "playouts": 4, "plans": 2, "inner": 1, "depth": 1}, 20, players=2)
    assert all((plain[name] == same[name]).all() for name in plain)
    assert any((plain[name] != other[name]).any() for name in plain)


def test_slips_do_not_throw_the_expert_off_its_thread():
    """With a third of its answers replaced a plan is soon out of date; it plans anew and answers nothing illegal."""
    games = rows({"name": "expert", "mistakes": 0.33, "width": 4}, 60, players=4)
    assert games["turns"].mean() > 5
    assert won({"name": "expert", "mistakes": 0.02}, 200, players=3).mean() > won("random", 200, players=3).mean()


@jit(cache=False, entry=True)
def _chances(logits, found):
    for i in range(logits.size):
        found[i] = chance_of(logits[i])


def test_the_chance_of_a_logit_is_what_it_should_be():
    """1 / (1 + e^-x) within a part in fifty of the smaller side, rising, and a half at nought."""
    logits = np.linspace(-8, 8, 801)
    found = np.zeros(logits.size)
    _chances(logits, found)
    exact = 1 / (1 + np.exp(-logits))
    assert (np.abs(found - exact) < 0.04 * np.minimum(exact, 1 - exact)).all()
    assert (np.diff(found) > 0).all()
    assert found[400] == 0.5
    assert math.isclose(found[0] + found[-1], 1.0, abs_tol=1e-4)

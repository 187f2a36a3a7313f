"""Each rung of the ladder of player models beats the one below, from every start and at every number of players."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from scipy import stats

from sim.core.compile import COMPILED
from sim.forbidden_island.game import GAME
from sim.forbidden_island.policies import POLICIES

pytestmark = pytest.mark.skipif(not COMPILED, reason="plain Python is too slow for these numbers")

RUNGS = [name for name in ("random", "novice", "casual", "cooperative", "expert", "master") if name in POLICIES]
STEPS = list(pairwise(RUNGS))
STARTS = ("novice", "normal", "elite", "legendary")
SEED, FALSE_ALARM = 41, 1e-4
DEAR = {1000: 4000, 50: 1000}
"""Games a second below which a model plays no more than so many trials."""
EASY = {"novice": 3}
"""How many times as many the dearest one plays from a start where the two best models win nearly all."""
FEW = 1e-2
"""False alarms a cell with so few trials as the dearest model plays."""


@cache
def wins(name, difficulty, players, n):
    """Which of n trials a model wins."""
    knobs = GAME.resolve({"difficulty": difficulty, "players": players})
    return GAME.play(knobs, GAME.resolve_policy(name), SEED, 0, n).games["result"] == 0


def p_of_no_better(below, above):
    """Exact sign test on the trials that one model wins and the other loses (McNemar), one-sided."""
    gained, lost = int((above & ~below).sum()), int((below & ~above).sum())
    return stats.binomtest(gained, gained + lost, 0.5, "greater").pvalue if gained + lost else 1.0


def dear(name):
    return GAME.policies[name].games_per_second < min(DEAR)


def trials(n, difficulty, *names):
    """Fewer where a game is dear."""
    speed = min(GAME.policies[name].games_per_second for name in names)
    n = min([n, *(most for limit, most in DEAR.items() if speed < limit)])
    return n * EASY.get(difficulty, 1) if any(map(dear, names)) else n


CELLS = [(difficulty, players) for difficulty in STARTS for players in (2, 3, 4)]
LEAN = [
    (below, above, difficulty, players)
    for below, above in STEPS
    for difficulty, players in CELLS
    # From the late starts a family wins too seldom for few trials; the full test has enough. No dear model here.
    if (below != "random" or difficulty == "novice") and GAME.policies[above].games_per_second >= 1000
]


@pytest.mark.parametrize(("below", "above", "difficulty", "players"), LEAN)
def test_a_rung_beats_the_one_below(below, above, difficulty, players):
    """Sign test of 2,000 paired trials, seed 41, false alarm 1e-4 a cell.  Control: no model beats itself, and the
    lower does not beat the higher."""
    low, high = (wins(name, difficulty, players, 2000) for name in (below, above))
    assert p_of_no_better(low, high) < FALSE_ALARM
    assert p_of_no_better(high, low) > 0.5
    assert p_of_no_better(low, low) > 0.5


@pytest.mark.verify
@pytest.mark.parametrize(("difficulty", "players"), CELLS)
@pytest.mark.parametrize(("below", "above"), STEPS)
def test_a_rung_beats_the_one_below_everywhere(below, above, difficulty, players):
    """Sign test of 60,000 paired trials (4,000 of the expert), seed 41, false alarm 1e-4 a cell; 1,000 of the master
    (3,000 from the novice start), false alarm 1e-2."""
    n = trials(60_000, difficulty, below, above)
    low, high = (wins(name, difficulty, players, n) for name in (below, above))
    assert p_of_no_better(low, high) < (FEW if dear(above) else FALSE_ALARM)

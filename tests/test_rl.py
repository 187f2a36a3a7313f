"""The PettingZoo environment: its own tests, and games that are those of the engine."""

from __future__ import annotations

import contextlib
import io
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from scipy import stats

from sim.core.compile import COMPILED
from sim.forbidden_island.game import GAME
from sim.forbidden_island.rl import forbidden_island_v0
from sim.forbidden_island.rl.actions import CHOICES
from sim.forbidden_island.rl.observations import FIELDS, SIZE
from sim.forbidden_island.state import VIEW

pytestmark = pytest.mark.skipif(not COMPILED, reason="plays each game many times over")


@pytest.fixture(autouse=True)
def _quiet():
    with contextlib.redirect_stdout(io.StringIO()):
        yield


@pytest.mark.parametrize("rules", [{}, {"players": 4, "difficulty": "legendary"}, {"preset": "hex-tutorial"}])
def test_pettingzoos_own_api_test(rules):
    """No complaint, whatever the rules, but that an observation with a mask is a Dict, as PettingZoo's guide has it."""
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        api_test(forbidden_island_v0.env(**rules), num_cycles=300)
    said = {str(warning.message) for warning in raised if issubclass(warning.category, UserWarning)}
    of_the_dict = ("probably should be gymnasium.spaces.box", "Observation is not a NumPy array")
    assert [words for words in said if not any(known in words for known in of_the_dict)] == []


def test_pettingzoos_own_seed_test():
    seed_test(lambda: forbidden_island_v0.env(players=3), num_cycles=100)


def test_pettingzoos_own_render_test():
    render_test(lambda render_mode=None: forbidden_island_v0.env(render_mode=render_mode))


def play(env, rng, trial, wrong=False):
    """One game at random over the mask; the environment's turn number and result at its end."""
    env.reset(seed=5, options={"trial": trial})
    while True:
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            assert observation["observation"][FIELDS["turn"]][0] == env.unwrapped.row["turns"][0]
            return env.unwrapped.row[0], reward
        legal = np.flatnonzero(observation["action_mask"])
        if wrong and legal.size > 1 and legal[0] == 0:
            legal = legal[1:]
        env.step(int(rng.choice(legal)))


def p_of_agreement(wrong, n):
    """Two samples, from the environment and from the model `random`: the least p-value of Kolmogorov-Smirnov tests of
    turns, actions left unused, moves and shorings, times four."""
    env = forbidden_island_v0.env(players=2)
    rng = np.random.default_rng(11)
    mine = [play(env, rng, trial, wrong)[0].copy() for trial in range(n)]
    rows = GAME.play(GAME.resolve({"players": 2}), GAME.resolve_policy("random"), 6, 0, 20_000).games
    pairs = [([int(row["turns"]) for row in mine], rows["turns"])]
    for kind, column in ((0, "actions_unused"), (1, "actions_move"), (4, "actions_shore_up")):
        pairs.append(([int(row["actions"][kind]) for row in mine], rows[column]))
    return min(4 * min(stats.ks_2samp(own, model).pvalue for own, model in pairs), 1.0)


def test_random_play_agrees_with_the_random_model():
    """Turns, unused actions, moves and shorings of n = 250 games of the environment (seed 5, chance 11) against 20,000
    of `random` (seed 6): Kolmogorov-Smirnov, false alarm at most 1e-4 (ties only lower it).
    Control: who never stops and never passes is told apart."""
    assert p_of_agreement(wrong=False, n=250) > 1e-4
    assert p_of_agreement(wrong=True, n=250) < 1e-4


def test_the_same_answers_give_the_same_game():
    """Answers taken from a trace's player, one after the other, lead to the row that the engine writes."""
    env = forbidden_island_v0.env(players=3)
    for trial in range(5):
        row, reward = play(env, np.random.default_rng(trial), trial)
        assert reward == {0: 1.0, 1: -1.0, 2: 0.0}[int(row["result"])]
        answers = env.unwrapped.answers
        again = forbidden_island_v0.raw_env(players=3)
        again.reset(seed=5, options={"trial": trial})
        for answer in answers:
            assert again.result < 0
            again.step(int(np.flatnonzero(answer == CHOICES)[0]))
        assert again.row.tobytes() == env.unwrapped.row.tobytes()


def test_the_observation_is_the_view():
    """Every field has its place, places fill the vector, and only who is asked has legal actions."""
    assert list(FIELDS) == list(VIEW.names)
    assert sum(place.stop - place.start for place in FIELDS.values()) == SIZE
    env = forbidden_island_v0.raw_env(players=3)
    env.reset(seed=1)
    for agent in env.agents:
        observed = env.observe(agent)
        assert (observed["action_mask"].sum() > 0) == (agent == env.agent_selection)
        land = observed["observation"][FIELDS["land"]]
        assert land.tolist() == [int(env.table.views["land"][0]) >> cell & 1 for cell in range(24)]
        assert observed["observation"][FIELDS["hand"]].sum() == env.table.views["hand"].sum()


def test_every_legal_choice_has_its_action():
    """The mask marks exactly as many actions as there are legal options, at choices of every kind."""
    from sim.forbidden_island import legal

    env = forbidden_island_v0.raw_env(players=4, sandbags=5, helicopter=4)
    rng = np.random.default_rng(3)
    for trial in range(3):
        env.reset(seed=2, options={"trial": trial})
        while env.result < 0:
            mask = env.observe(env.agent_selection)["action_mask"]
            assert mask.sum() == _options(legal, env)
            env.step(int(rng.choice(np.flatnonzero(mask))))


def _options(legal, env):
    return int(legal.option(env.table.rules[0], env.table.views[0], -1))


def test_an_illegal_action():
    """Bare it is refused; wrapped it ends the game, as PettingZoo has it."""
    env = forbidden_island_v0.raw_env(players=2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="is not legal"):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0]))
    wrapped = forbidden_island_v0.env(players=2)
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    wrapped.step(int(np.flatnonzero(wrapped.last()[0]["action_mask"] == 0)[0]))
    assert wrapped.rewards[agent] == -1
    assert all(wrapped.terminations.values())

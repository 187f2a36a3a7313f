"""Players know what is public and nothing more: with everything hidden drawn anew, they decide the same.

Hidden are the order of both decks and the keys that it follows from, which are also the keys of a player's own chance;
a player who looked there could tell the next cards.  At a position the order is drawn anew, layer by layer as the view
knows them, under other keys.  A model without chance of its own must then give the same answer, one with it an answer
of the same distribution.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numba import types
from scipy import stats

from sim.core import rng
from sim.core.compile import COMPILED, compile_for, jit
from sim.core.policy import NUMBERS, policy
from sim.forbidden_island import chance, choices, engine, legal
from sim.forbidden_island.constants import CHANCE_TREASURE, N_CARDS, WATERS_RISE
from sim.forbidden_island.game import GAME, Table
from sim.forbidden_island.policies import POLICIES
from sim.forbidden_island.state import ROW

pytestmark = pytest.mark.skipif(not COMPILED, reason="asks many thousands of answers")

SEED = 77
WITH_CHANCE = {"idle", "random", "master"}
DEAR = [name for name, info in GAME.policies.items() if info.games_per_second < 100]
RULES = ({"players": 2}, {"players": 3, "difficulty": "elite"}, {"players": 4, "sandbags": 5, "helicopter": 5})


@policy("cheat")
def cheat(rules, view, mind, stream):
    """Looks up whether the next treasure card raises the water (until the deck is shuffled anew), and passes if so."""
    least = -1
    best = -1
    for card in range(N_CARDS):
        for copy in range(view.deck[card]):
            first, second = rng.block(stream.seed, stream.trial, CHANCE_TREASURE, 1, (card * 16 + copy) >> 1)
            drawn = second if copy & 1 else first
            if best < 0 or drawn < least:
                least = drawn
                best = card
    if best == WATERS_RISE and legal.allows(rules, view, choices.stop()):
        return choices.stop()
    return legal.option(rules, view, legal.option(rules, view, -1) - 1)


PLAYERS = {**POLICIES, "cheat": cheat}
LAST = NUMBERS - 1


@cache
def stopping(name):
    """The pointer of a player who plays as another but gives up at the choice whose number its last number says."""
    inner = PLAYERS[name].choose
    inner = compile_for(inner, engine.CHOOSE)
    at = PLAYERS[name].memory

    def choose(rules, view, mind, stream):
        mind.memory[at] += 1.0
        if mind.memory[at] > mind.numbers[LAST]:
            return -1
        return inner(rules, view, mind, stream)

    return compile_for(jit(choose, cache=False, pointer=True), engine.CHOOSE)


def _answer(ruleses, views, minds, streams, choose):
    return choose(ruleses[0], views[0], minds[0], streams[0])


@cache
def answering():
    records = engine.BATCH.args
    signature = types.int64(records[0], records[5], records[4], records[7], types.FunctionType(engine.CHOOSE))
    return compile_for(jit(_answer, cache=False, entry=True), signature)


def position(name, number):
    """A table at a choice of a game, before it is answered, in turn the rule sets; None where the game was over."""
    model = PLAYERS[name]
    mind = replace(model, memory=model.memory + 1).mind({})
    mind["numbers"][0, LAST] = 1 + 4 * (number % 19)
    table = Table(GAME.resolve(RULES[number % len(RULES)]), mind)
    stopped = table.play(stopping(name), SEED, number, np.zeros(1, ROW)) >= 0
    return table if stopped else None


def redrawn(table, k):
    """Everything hidden drawn anew, consistently with the view: other keys, and both decks shuffled under them."""
    hidden, stream = table.hiddens.copy(), table.streams.copy()
    hidden["seed"] = stream["seed"] = 1_000_003 * (k + 1)
    hidden["trial"] = stream["trial"] = 7_919 * (k + 1)
    _shuffle(table.rules, table.views.copy(), hidden)
    return hidden, stream


@jit(cache=False, entry=True)
def _shuffle(ruleses, views, hiddens):
    chance.shuffle_treasure(ruleses[0], views[0], hiddens[0])
    view = views[0]
    for layer in range(view.layers):
        chance.shuffle_flood(view, hiddens[0], view.layer[layer])


def answer(table, name, stream):
    """What the player answers there, asked on copies of what it may note."""
    choose = compile_for(PLAYERS[name].choose, engine.CHOOSE)
    return int(answering()(table.rules, table.views.copy(), table.minds.copy(), stream, choose))


def changes(name, positions, draws):
    """How many answers were asked for anew, and how many of them came out otherwise."""
    asked = other = 0
    for number in range(positions):
        table = position(name, number)
        if table is None:
            continue
        first = answer(table, name, table.streams.copy())
        for k in range(draws):
            hidden, stream = redrawn(table, k)
            if table.views["deck_size"][0] > 1:
                assert not np.array_equal(hidden["treasure_priority"], table.hiddens["treasure_priority"])
            table.hiddens = hidden
            asked += 1
            other += answer(table, name, stream) != first
    return asked, other


@pytest.mark.parametrize("name", [name for name in POLICIES if name not in WITH_CHANCE])
def test_with_all_that_is_hidden_drawn_anew_the_decision_is_the_same(name):
    """Over 2,000 times at some 300 positions of three rule sets, seed 77: not one answer changes."""
    asked, other = changes(name, 60 if name in DEAR else 400, 8)
    assert asked > (200 if name in DEAR else 2000)
    assert other == 0


def test_a_player_who_looks_at_the_cards_is_caught():
    """Control: one who looks up the next treasure card changes its answers by the hundred."""
    asked, other = changes("cheat", 400, 8)
    assert asked > 500
    assert other > 100


def p_of_same_distribution(name, positions, draws):
    """Whether answers under the game's own keys are distributed as under others: a chi-square of two samples at each
    position, summed; the p-value."""
    total = freedom = 0.0
    for number in range(positions):
        table = position(name, 3 * number)
        if table is None:
            continue
        found = []
        for own in (True, False):
            answers = []
            for k in range(draws):
                stream = table.streams.copy() if own else redrawn(table, k)[1]
                # Another place in the stream, past all that the game has drawn: fresh chance under the same keys.
                stream["index"] = 2 * (10_000 + 1_000 * k)
                answers.append(answer(table, name, stream))
            found.append(answers)
        kinds = sorted(set(found[0]) | set(found[1]))
        table_of = np.array([[sample.count(kind) for kind in kinds] for sample in found], float)
        order = np.argsort(-table_of.sum(axis=0))
        table_of = table_of[:, order]
        # Rare answers are taken together, so that the law holds.
        common = table_of.sum(axis=0) >= 10
        merged = np.column_stack([table_of[:, common], table_of[:, ~common].sum(axis=1)])
        merged = merged[:, merged.sum(axis=0) >= 10]
        if merged.shape[1] < 2:
            continue
        result = stats.chi2_contingency(merged, correction=False)
        total += result.statistic
        freedom += result.dof
    return stats.chi2.sf(total, freedom) if freedom else 1.0


@pytest.mark.parametrize("name", sorted(WITH_CHANCE & set(POLICIES)))
def test_with_all_that_is_hidden_drawn_anew_the_distribution_is_the_same(name):
    """Chi-square of two samples at up to 60 positions, 60 answers each (fewer of a dear model), seed 77, false alarm
    1e-6."""
    assert p_of_same_distribution(name, 8 if name in DEAR else 60, 30 if name in DEAR else 60) > 1e-6


def test_a_distribution_that_follows_the_cards_is_caught():
    """Control: the answers of one who looks are all the same under the game's keys, and differ under others."""
    assert p_of_same_distribution("cheat", 60, 60) < 1e-6

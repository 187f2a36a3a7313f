"""The parameters of player models: the mistakes that every model can make, and each model's own."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from analysis.errors import InputErrors
from analysis.experiment import parse
from sim import registry
from sim.core.policy import MISTAKES
from sim.forbidden_island.trace import MISTAKE

GAME = registry.get("forbidden_island")
SEED, TRIALS = 17, 60
POLICIES = list(GAME.policies)
HEAD = "name: a\nquestion: b?\ngame: forbidden_island\ntrials: 10\n"
everyone = pytest.mark.parametrize("name", POLICIES)


def dear(policy):
    """Whether a policy's games are dear."""
    return GAME.policies[policy if isinstance(policy, str) else policy["name"]].games_per_second < 1000


def play(policy, **settings):
    """Rows of some trials as one array, and all tallies, as bytes."""
    batch = GAME.play(
        GAME.resolve({"players": 3, **settings}), GAME.resolve_policy(policy), SEED, 0, 3 if dear(policy) else TRIALS
    )
    return [array.tobytes() for array in (*batch.games.values(), *batch.tallies.values())]


def events(policy, trial, **settings):
    return GAME.trace(GAME.resolve({"players": 3, **settings}), GAME.resolve_policy(policy), SEED, trial)


@everyone
def test_no_mistakes_are_the_default(name):
    """With `mistakes: 0` every byte is as without the parameter; with some, games go otherwise."""
    assert GAME.resolve_policy(name)["mistakes"] == 0.0
    assert play({"name": name, "mistakes": 0}) == play(name)
    assert play({"name": name, "mistakes": 0.2}) != play(name)


def test_where_all_is_mistaken_all_models_are_one():
    """With `mistakes: 1` the answers come from the mistakes' own stream alone: every model plays the same games."""
    for few in (False, True):
        (first, *others) = [play({"name": name, "mistakes": 1}) for name in POLICIES if dear(name) == few]
        assert all(other == first for other in others)


@everyone
def test_mistakes_never_move_a_card(name):
    """Setup, and the cards drawn until a deck is shuffled in play, are those of the game without mistakes."""
    for trial in range(2 if dear(name) else 20):
        plain, slips = (events({"name": name, "mistakes": share}, trial) for share in (0, 0.3))
        for key in ("tiles", "flooded", "roles", "hands", "first"):
            assert plain[0][key] == slips[0][key]
        draws = []
        for told in (plain, slips):
            upto = next((at for at, event in enumerate(told) if event["event"] == "reshuffle"), len(told))
            draws.append([event["card"] for event in told[:upto] if event["event"] == "draw"])
        shorter = min(map(len, draws))
        assert draws[0][:shorter] == draws[1][:shorter]


def test_the_share_of_mistakes_is_what_was_asked_for():
    """Idle teams stop every turn, so the turns in which a mistake was made count the first draws: exact binomial test
    of the share of turns with a mistaken first answer, seed 17, n about 2,000 turns, false alarm 1e-6.
    Control: half the share is rejected."""

    def p(share):
        turns = slips = 0
        for trial in range(350):
            # Without special cards nothing is asked but the actions.
            told = events({"name": "idle", "mistakes": 0.3}, trial, sandbags=0, helicopter=1, escape="action")
            for at, event in enumerate(told):
                if event["event"] == "turn":
                    turns += 1
                    after = told[at + 1]
                    slips += MISTAKE in (after.get("reason"), after.get("stopped"))
        return stats.binomtest(slips, turns, share).pvalue

    assert p(0.3) > 1e-6
    assert p(0.15) < 1e-6


def test_mistakes_cost_games():
    """The more mistakes the fewer wins: seed 17, 4,000 paired games, each step by more than five standard errors."""
    knobs = GAME.resolve({"players": 3})
    won = [
        GAME.play(knobs, GAME.resolve_policy({"name": "cooperative", "mistakes": share}), SEED, 0, 4000).games["result"]
        == 0
        for share in (0, 0.05, 0.2)
    ]
    for better, worse in pairwise(won):
        change = better.astype(float) - worse
        assert change.mean() > 5 * change.std() / np.sqrt(change.size)


OWN = [(name, item) for name, info in GAME.policies.items() for item in info.parameters if item is not MISTAKES]


@pytest.mark.parametrize(("name", "item"), OWN, ids=lambda each: getattr(each, "name", each))
def test_every_own_parameter_does_something(name, item):
    """At its default the bytes are as without it; at one end of its range games go otherwise; ends can be played."""
    assert item.meaning
    assert play({"name": name, item.name: item.default}) == play(name)
    ends = [play({"name": name, item.name: end}) for end in (item.low, item.high)]
    assert any(end != play(name) for end in ends)


def test_parameters_stand_in_yaml_in_a_grid_and_in_cells():
    """They are read in every place where a policy may stand, and each value is an identity of its own."""
    text = HEAD + "grid:\n  policy: [cooperative, {name: cooperative, mistakes: 0.05}, {name: cooperative, thrift: 2}]"
    cells = parse(text).cells
    assert [cell.label for cell in cells] == [
        "cooperative",
        "cooperative(mistakes=0.05)",
        "cooperative(thrift=2)",
    ]
    assert [cell.policy["mistakes"] for cell in cells] == [0.0, 0.05, 0.0]
    assert len({cell.identity for cell in cells}) == 3
    listed = parse(
        HEAD + "policy: cooperative\ncells:\n- label: x\n- label: y\n  policy: {name: cooperative, mistakes: 0.05}\n"
    ).cells
    assert listed[1].identity == cells[1].identity
    top = parse(HEAD + "policy: {name: cooperative, mistakes: 0.05}\n").cells
    assert top[0].identity == cells[1].identity


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "policy: {name: cooperative, mistakes: 1.5}",
            "x.yaml:5:39: policy.mistakes: 1.5 is not a number in 0..1",
        ),
        (
            "policy: {name: idle, mistakes: often}",
            'x.yaml:5:32: policy.mistakes: "often" is not a number in 0..1',
        ),
        (
            "policy: {name: cooperative, mistake: 0.1}",
            'x.yaml:5:38: policy.mistake: unknown parameter of cooperative "mistake"; did you mean mistakes?',
        ),
        (
            "grid: {policy: [idle, {name: cooperative, thrift: -1}]}",
            "x.yaml:5:51: grid.policy[1].thrift: -1 is not a number in 0..10",
        ),
    ],
)
def test_a_wrong_parameter_is_told_with_its_place(line, expected):
    with pytest.raises(InputErrors) as refused:
        parse(HEAD + line, "x.yaml")
    assert str(refused.value) == expected

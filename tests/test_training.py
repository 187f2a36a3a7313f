"""Training: targets, the fit, going on after a break, the weights file, and playing by it."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from analysis.experiment import parse
from analysis.training import CURVE_CSV, CURVE_SVG, WEIGHTS, Recipe, TrainingError, fit, returns, train, whole_curve
from sim import registry
from sim.core.compile import COMPILED
from sim.core.game import SettingsError
from sim.core.training import Lessons
from sim.forbidden_island import learned
from sim.forbidden_island.policies import weights

pytest.importorskip("sklearn")

GAME = registry.get("forbidden_island")
CONFIG = """
name: tiny
question: Does it learn?
game: forbidden_island
seed: 3
trials: 1
rules: {players: 2, waters_rise: 2}
policy: expert
grid: {difficulty: [novice, normal]}
"""
TINY = Recipe(rounds=2, games=10, first_games=30, together=1, window=1, epochs=1, first_epochs=1, width=(1, 2))
compiled = pytest.mark.skipif(not COMPILED, reason="plain Python is too slow for these numbers")


def lessons(value, game, cut, won):
    x = np.zeros((len(value), 2), np.float32)
    return Lessons(x, np.array(value), np.array(game), np.array(cut, bool), np.array(won, bool))


def test_targets_are_lambda_returns():
    """By hand, for two games of three and one position: Sutton and Barto (2nd ed.), 12.1, the outcome at the end."""
    target, taught = returns(lessons([0.5, 0.6, 0.7, 0.2], [0, 0, 0, 1], [0, 0, 0, 0], [True, False]), 0.8)
    third = 1.0
    second = 0.2 * 0.7 + 0.8 * third
    first = 0.2 * 0.6 + 0.8 * second
    assert target == pytest.approx([first, second, third, 0.0])
    assert taught.all()


def test_what_follows_a_turn_gone_astray_is_no_lesson():
    """The position before it has no target of its own, and those before that learn from its value only."""
    target, taught = returns(lessons([0.5, 0.6, 0.7], [0, 0, 0], [0, 1, 0], [True]), 0.8)
    assert taught.tolist() == [True, False, True]
    assert target[0] == pytest.approx(0.6)


def test_more_games_are_played_where_one_says_less():
    """As many as carry the information of so many even games, up to `most` times; never fewer."""
    recipe = Recipe(games=100, most=2.5)
    assert [recipe.games_of(won) for won in (0.5, 0.4, 0.8, 0.2, 0.95, 0.0, 1.0)] == [100, 104, 156, 156, 250, 250, 250]
    assert Recipe(games=100, most=1.0).games_of(0.95) == 100


def test_over_the_rounds_targets_believe_the_value_more():
    """Lambda, width and rate go evenly from the first round's to the last's."""
    recipe = Recipe(rounds=5, trace=(0.9, 0.5), width=(4, 8), rate=(1e-2, 1e-4))
    assert [round(recipe.trace_of(number), 9) for number in range(1, 6)] == [0.9, 0.8, 0.7, 0.6, 0.5]
    assert [recipe.width_of(number) for number in range(1, 6)] == [4, 5, 6, 7, 8]
    assert recipe.rate_of(3) == pytest.approx((1e-3, 1e-3))
    assert replace(recipe, last_rate=1e-6).rate_of(3) == pytest.approx((1e-3, 1e-6))


def test_the_curve_of_weights_that_set_out_from_others_begins_with_theirs():
    """Rounds are counted on through all trainings; weights from nothing have their own curve alone."""
    first = {"curve": [{"round": 0, "won": 0.1}, {"round": 1, "won": 0.2}]}
    second = {"curve": [{"round": 1, "won": 0.3}], "start": first}
    third = {"curve": [{"round": 1, "won": 0.4}, {"round": 2, "won": 0.5}], "start": second}
    assert [(row["round"], row["won"]) for row in whole_curve(third)] == list(enumerate((0.1, 0.2, 0.3, 0.4, 0.5)))
    assert whole_curve({**first, "start": None}) == first["curve"]


def test_a_network_learns_a_chance_and_the_same_one_each_time():
    """600 positions whose chance of winning is 0.9 or 0.2 by one feature: both are found (within 0.05), twice the
    same bits; another seed gives others."""
    x = np.zeros((600, 3), np.float32)
    x[::2, 0] = 1.0
    x[:, 1] = 1.0
    target = np.where(x[:, 0] > 0, 0.9, 0.2)
    one, _ = fit([(x, target)], None, 8, epochs=60, rate=(0.02, 0.002), batch=64, seed=4)
    again, _ = fit([(x, target)], None, 8, epochs=60, rate=(0.02, 0.002), batch=64, seed=4)
    other, _ = fit([(x, target)], None, 8, epochs=60, rate=(0.02, 0.002), batch=64, seed=5)
    assert (one == again).all()
    assert (one != other).any()
    first, constants, outward, last = np.split(one, np.cumsum([24, 8, 8]))
    for position in x[:2]:
        hidden = np.maximum(position @ first.reshape(3, 8) + constants, 0)
        chance = 1 / (1 + math.exp(-(hidden @ outward + last[0])))
        assert chance == pytest.approx(0.9 if position[0] else 0.2, abs=0.05)


@compiled
def test_training_goes_on_where_it_was_broken_off_and_its_weights_play(tmp_path):
    """Broken off after the first round and gone on with, every file has the bytes of the training in one go; the
    weights then play, under an identity of their own, and say what they were trained for."""
    experiment = parse(CONFIG, "tiny.yaml")
    said = []
    train(experiment, GAME.teacher(), tmp_path / "whole", TINY, progress=lambda what, share: said.append(share))
    assert said == sorted(said)

    class StopError(Exception):
        pass

    def stop(what, share):
        if share > 0.5:
            raise StopError

    with pytest.raises(StopError):
        train(experiment, GAME.teacher(), tmp_path / "broken", TINY, progress=stop)
    assert not (tmp_path / "broken" / WEIGHTS).exists()
    train(experiment, GAME.teacher(), tmp_path / "broken", TINY)
    for name in (WEIGHTS, CURVE_CSV, CURVE_SVG):
        assert (tmp_path / "broken" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    with pytest.raises(TrainingError, match="another training"):
        train(experiment, GAME.teacher(), tmp_path / "whole", replace(TINY, games=11))

    file = tmp_path / "whole" / WEIGHTS
    policy = GAME.resolve_policy({"name": "expert", "width": 2, "weights": str(file)})
    assert policy["weights"].startswith("sha256:")
    assert GAME.resolve_policy(policy) == policy
    knobs = GAME.resolve({"players": 2, "waters_rise": 2})
    mine, shipped = (
        GAME.play(knobs, spec, 1, 0, 5).games for spec in (policy, GAME.resolve_policy({"name": "expert", "width": 2}))
    )
    assert any((mine[name] != shipped[name]).any() for name in mine)
    assert GAME.untrained(knobs, policy) == ()
    assert GAME.untrained(GAME.resolve({"players": 3, "waters_rise": 2}), policy) == ("players",)
    assert GAME.untrained(knobs, GAME.resolve_policy("expert")) == ("waters_rise",)
    assert GAME.untrained(knobs, GAME.resolve_policy("cooperative")) == ()


@compiled
def test_a_training_sets_out_from_anothers_lessons(tmp_path):
    """From its folder the lessons of its kept rounds are learned too, at first and after a break; from its weights
    alone only one's own.  What it set out from stands in the weights."""
    experiment = parse(CONFIG, "tiny.yaml")
    first, on = replace(TINY, window=2), replace(TINY, window=3, together=0, most=1.0)
    train(experiment, GAME.teacher(), tmp_path / "first", first)

    def of_first_round(folder):
        about = weights.unpack((tmp_path / folder / WEIGHTS).read_bytes())[1]
        with np.load(tmp_path / folder / "rounds" / "round-01.npz") as stored:
            network = stored["network_players_2"]
        return about["curve"][0]["positions"], network, about["start"].get("lessons_of_rounds")

    train(experiment, GAME.teacher(), tmp_path / "alone", on, start=tmp_path / "first" / WEIGHTS)
    train(experiment, GAME.teacher(), tmp_path / "both", on, start=tmp_path / "first")
    played, alone, none = of_first_round("alone")
    played_too, both, kept = of_first_round("both")
    assert played == played_too  # the same games, by the same networks
    assert (alone != both).any()
    assert (none, kept) == (None, [1, 2])

    class StopError(Exception):
        pass

    def stop(what, share):
        if share > 0.7:
            raise StopError

    with pytest.raises(StopError):
        train(experiment, GAME.teacher(), tmp_path / "broken", on, start=tmp_path / "first", progress=stop)
    assert not (tmp_path / "broken" / WEIGHTS).exists()
    train(experiment, GAME.teacher(), tmp_path / "broken", on, start=tmp_path / "first")
    assert (tmp_path / "broken" / WEIGHTS).read_bytes() == (tmp_path / "both" / WEIGHTS).read_bytes()

    other = parse(CONFIG.replace("waters_rise: 2", "waters_rise: 3"), "tiny.yaml")
    with pytest.raises(TrainingError, match="first: holds a training for other rules"):
        train(other, GAME.teacher(), tmp_path / "other", on, start=tmp_path / "first")


def test_what_cannot_be_set_out_from_is_named(tmp_path):
    """No such file, a folder without a training, a file that holds no weights: its path and what is wrong."""
    experiment = parse(CONFIG, "tiny.yaml")
    (tmp_path / "text").write_bytes(b"hello")
    for start, words in ((tmp_path / "none", "none: cannot be read"), (tmp_path, "weights.npz: cannot be read")):
        with pytest.raises(TrainingError, match=words):
            train(experiment, GAME.teacher(), tmp_path / "out", TINY, start=start)
    with pytest.raises(TrainingError, match="text: is no file of weights"):
        train(experiment, GAME.teacher(), tmp_path / "out", TINY, start=tmp_path / "text")
    assert not (tmp_path / "out").exists()


def test_weights_that_are_none_are_refused_in_one_line(tmp_path):
    """No such file, no weights, weights of other features, damaged numbers, a path that is no text: each its words."""
    good = weights.pack(weights.shipped()[0], {"trained_for": []})
    files = {"text": b"hello", "cut": good[:2000], "old": good, "holes": good}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    networks = dict(weights.shipped()[0])
    networks["players_2"] = networks["players_2"] * math.nan
    (tmp_path / "holes").write_bytes(weights.pack(networks, {}))
    (tmp_path / "old").write_bytes(weights.pack(weights.shipped()[0], {"features": "0" * 16}))
    (tmp_path / "small").write_bytes(weights.pack(weights.shipped()[0], {"units": 64}))
    expected = {
        str(tmp_path / "none"): "cannot be read",
        str(tmp_path): "cannot be read",
        str(tmp_path / "text"): "is no file of weights",
        str(tmp_path / "cut"): "is no file of weights",
        str(tmp_path / "old"): "another version",
        str(tmp_path / "small"): "another version",
        str(tmp_path / "holes"): "damaged",
        "sha256:00": "no such weights",
        3: "is not the path",
    }
    for value, words in expected.items():
        with pytest.raises(SettingsError, match=words) as refused:
            GAME.resolve_policy({"name": "expert", "weights": value})
        assert refused.value.problems[0].path == ("weights",)
    with pytest.raises(SettingsError, match="unknown parameter"):
        GAME.resolve_policy({"name": "cooperative", "weights": str(tmp_path / "text")})


def test_the_shipped_weights_say_where_they_come_from():
    """Config, seed, recipe, version, learning curve; under a megabyte; for the twelve standard starts."""
    _, about = weights.shipped()
    assert {"config", "seed", "recipe", "version", "library", "curve", "trained_for"} <= set(about)
    rounds, earlier = 0, about
    while earlier:
        rounds += earlier["recipe"]["rounds"]
        earlier = earlier.get("start")
    assert [row["round"] for row in whole_curve(about)] == list(range(rounds + 1))
    for players in (2, 3, 4):
        for difficulty in ("novice", "normal", "elite", "legendary"):
            knobs = GAME.resolve({"players": players, "difficulty": difficulty})
            assert learned.untrained(knobs, about["trained_for"]) == ()
    assert learned.untrained(GAME.resolve({"start_tick": 8}), about["trained_for"]) == ("start_tick",)
    assert json.loads(json.dumps(about)) == about

"""Training: targets, the fit, going on after a break, the weights file, and playing by it."""

from __future__ import annotations

import io
import json
import math
import threading
from dataclasses import replace

import numpy as np
import pytest

from analysis import training
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


class StopError(Exception):
    """What breaks a training off."""


def stopping_after(limit):
    def stop(what, share):
        if share > limit:
            raise StopError

    return stop


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

    with pytest.raises(StopError):
        train(experiment, GAME.teacher(), tmp_path / "broken", TINY, progress=stopping_after(0.5))
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


def test_lessons_in_pieces_teach_what_they_teach_as_one(monkeypatch):
    """Positions keep their targets however they are cut, also where a pass is made in several parts."""
    monkeypatch.setattr(training, "PART", 50)
    chance = np.random.default_rng(1)
    x = chance.random((200, 3)).astype(np.float32)
    target = chance.random(200)
    how = {"epochs": 3, "rate": (0.02, 0.001), "batch": 16, "seed": 4}
    whole, _ = fit([(x, target)], None, 8, **how)
    pieces, _ = fit([(x[i:j], target[i:j]) for i, j in ((0, 1), (1, 120), (120, 200))], None, 8, **how)
    mixed, _ = fit([(x[100:], target[:100]), (x[:100], target[100:])], None, 8, **how)
    assert (whole == pieces).all()
    assert (whole != mixed).any()


def test_the_rate_falls_to_the_last_one(monkeypatch):
    """With a rate that falls to nothing the last step changes nothing; with one that stays it does.  The loss is the
    cross-entropy: ln 2 where nothing can be told."""
    monkeypatch.setattr(training, "PART", 100)
    x = np.zeros((400, 2), np.float32)
    x[:, 1] = np.arange(400) % 2
    how = {"batch": 50, "seed": 4}
    same, loss = fit([(x, np.full(400, 0.5))], None, 8, epochs=40, rate=(0.02, 0.001), **how)
    assert loss == pytest.approx(math.log(2), abs=0.01)
    stays, _ = fit([(x, x[:, 1] * 0.5)], same, 8, epochs=1, rate=(0.02, 0.02), **how)
    falls, _ = fit([(x, x[:, 1] * 0.5)], same, 8, epochs=1, rate=(0.02, 1e-9), **how)
    none, _ = fit([(x, x[:, 1] * 0.5)], same, 8, epochs=1, rate=(1e-9, 1e-9), **how)
    assert 0.0 < np.abs(falls - same).max() < np.abs(stays - same).max()
    assert np.abs(none - same).max() < 1e-6


class Notes:
    """A teacher that notes what it is asked for; its games are made up, a third of them won."""

    model, inputs, units = "made up", 3, 4

    def __init__(self):
        self.trials = []

    def prepare(self):
        pass

    def network_of(self, knobs):
        return weights.network_name(knobs["players"])

    def first_lessons(self, knobs, seed, first, games):
        return self.lessons(knobs, {}, 1, 0.0, seed, first, games)

    def lessons(self, knobs, networks, width, explore, seed, first, games):
        self.trials.append(("novice" if knobs["start_tick"] == 1 else "normal", knobs["players"], first, games))
        chance = np.random.default_rng([first, games, knobs["players"]])
        won = np.arange(games) % 3 == 0 if knobs["start_tick"] == 1 else np.arange(games) % 20 == 0
        n = 3 * games
        return Lessons(chance.random((n, 3)), chance.random(n), np.repeat(np.arange(games), 3), np.zeros(n, bool), won)

    def unpack(self, data):
        with np.load(io.BytesIO(data)) as stored:
            return {name: stored[name] for name in stored.files if name != "about"}, json.loads(str(stored["about"]))

    def pack(self, networks, about):
        whole = io.BytesIO()
        np.savez(whole, about=np.array(json.dumps(about)), **networks)
        return whole.getvalue()


MADE_UP = CONFIG.replace("rules: {players: 2, waters_rise: 2}\n", "").replace("grid: {", "grid: {players: [2, 3], ")
FEW = Recipe(rounds=4, games=30, first_games=30, together=0, window=3, most=2.0, epochs=2, batch=8)


def of(folder, name="about"):
    with np.load(folder / WEIGHTS) as stored:
        return json.loads(str(stored["about"])) if name == "about" else stored[name]


def test_a_training_sets_out_from_anothers_lessons(tmp_path, monkeypatch):
    """From its folder: the lessons of the rounds that a first round looks back on, and as many games as what it won
    asks for.  From its weights: neither.  Broken off, it goes on with the same lessons to the same bytes."""
    experiment = parse(MADE_UP, "tiny.yaml")
    train(experiment, Notes(), tmp_path / "first", FEW)
    on = replace(FEW, rounds=3)
    learned_from = []

    class Spy(training._Training):
        def _learn(self, number):
            learned_from.append(sorted(self.past))
            return super()._learn(number)

    monkeypatch.setattr(training, "_Training", Spy)
    train(experiment, Notes(), tmp_path / "both", on, start=tmp_path / "first")
    assert learned_from == [[-1, 0, 1], [0, 1, 2], [1, 2, 3]]
    assert of(tmp_path / "both")["start"]["lessons_of_rounds"] == [3, 4]
    assert of(tmp_path / "both")["curve"][0]["games"] == 2 * on.games_of(1 / 3) + 2 * on.games_of(1 / 20) > 120
    learned_from.clear()
    train(experiment, Notes(), tmp_path / "alone", on, start=tmp_path / "first" / WEIGHTS)
    assert learned_from == [[1], [1, 2], [1, 2, 3]]
    assert "lessons_of_rounds" not in of(tmp_path / "alone")["start"]
    assert of(tmp_path / "alone")["curve"][0]["games"] == 120
    assert (of(tmp_path / "alone", "players_2") != of(tmp_path / "both", "players_2")).any()

    with pytest.raises(StopError):
        train(experiment, Notes(), tmp_path / "broken", on, start=tmp_path / "first", progress=stopping_after(0.6))
    learned_from.clear()
    train(experiment, Notes(), tmp_path / "broken", on, start=tmp_path / "first")
    assert learned_from == [[0, 1, 2], [1, 2, 3]]
    assert (tmp_path / "broken" / WEIGHTS).read_bytes() == (tmp_path / "both" / WEIGHTS).read_bytes()


def test_a_training_in_another_order_of_rules_takes_over_the_right_lessons(tmp_path):
    """The same rule sets the other way round: as many games of each as its own last round asks for."""
    train(parse(MADE_UP, "tiny.yaml"), Notes(), tmp_path / "first", FEW)
    teacher = Notes()
    turned = parse(MADE_UP.replace("[novice, normal]", "[normal, novice]"), "tiny.yaml")
    train(turned, teacher, tmp_path / "on", replace(FEW, rounds=1), start=tmp_path / "first")
    games = {(difficulty, players): games for difficulty, players, _, games in teacher.trials}
    assert games == {(d, p): FEW.games_of(won) for d, won in (("novice", 1 / 3), ("normal", 1 / 20)) for p in (2, 3)}


def test_no_trial_is_met_twice(tmp_path):
    """Of a training, one that sets out from it and one from that: the same seed, other trials in every round."""
    experiment = parse(MADE_UP, "tiny.yaml")
    teacher = Notes()
    train(experiment, teacher, tmp_path / "first", FEW)
    train(experiment, teacher, tmp_path / "second", FEW, start=tmp_path / "first")
    train(experiment, teacher, tmp_path / "third", FEW, start=tmp_path / "second" / WEIGHTS)
    trials = [
        (difficulty, players, trial)
        for difficulty, players, first, games in teacher.trials
        for trial in range(first, first + games)
    ]
    assert len(teacher.trials) == 4 * (5 + 4 + 4)
    assert len(set(trials)) == len(trials)


def test_the_linear_algebra_has_one_thread_as_long_as_any_network_is_fitted(tmp_path, monkeypatch):
    """Sums in another order are other sums, so the bytes would hang on which fit ends first: the longer one still has
    one thread when the other is done, and afterwards there are as many as before.  Control: there are more before."""
    from threadpoolctl import threadpool_info, threadpool_limits

    def threads():
        return max(pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas")

    done = threading.Event()
    during = []

    def spy(lessons, *rest, **options):
        result = fit(lessons, *rest, **options)
        if done.is_set() or sum(len(x) for x, _ in lessons) > 300:
            assert done.wait(60)
            during.append(threads())
        else:
            done.set()
        return result

    class Uneven(Notes):
        def lessons(self, knobs, networks, width, explore, seed, first, games):
            return super().lessons(knobs, networks, width, explore, seed, first, games * (knobs["players"] - 1) ** 3)

    experiment = parse(MADE_UP, "tiny.yaml")
    recipe = Recipe(rounds=1, games=30, first_games=30, together=0, most=1.0)
    with threadpool_limits(2):
        before = threads()
        train(experiment, Uneven(), tmp_path / "first", recipe, workers=2)
        monkeypatch.setattr(training, "fit", spy)
        train(experiment, Uneven(), tmp_path / "second", recipe, workers=2, start=tmp_path / "first" / WEIGHTS)
        assert (before, threads()) == (2, 2)
    assert during == [1]


def test_what_cannot_be_set_out_from_is_named(tmp_path):
    """No such file, a folder without a training, files that hold no weights, another training's folder, one whose
    rounds were removed or are damaged: the path and what is wrong, and nothing is written."""
    tiny, made_up = parse(CONFIG, "tiny.yaml"), parse(MADE_UP, "tiny.yaml")
    file = io.BytesIO()
    np.save(file, np.zeros(3))
    for name, data in {"text": b"hello", "empty": b"", "array": file.getvalue()}.items():
        (tmp_path / name).write_bytes(data)
    expected = {"none": "none: cannot be read", ".": "weights.npz: cannot be read"}
    expected |= {name: f"{name}: is no file of weights" for name in ("text", "empty", "array")}
    for name, words in expected.items():
        with pytest.raises(TrainingError, match=words):
            train(tiny, GAME.teacher(), tmp_path / "out", TINY, start=tmp_path / name)

    first = tmp_path / "first"
    train(made_up, Notes(), first, FEW)
    other = parse(MADE_UP.replace("[2, 3]", "[2]"), "tiny.yaml")
    with pytest.raises(TrainingError, match=r"first: holds a training for other rules .*first/weights.npz"):
        train(other, Notes(), tmp_path / "out", FEW, start=first)
    assert not (tmp_path / "out").exists()
    file = first / "rounds" / "round-03.npz"
    good = file.read_bytes()
    for data in (good[:-100], b"", b"hello", good.replace(good[2000:2100], bytes(100))):
        file.write_bytes(data)
        with pytest.raises(TrainingError, match=r"round-03\.npz: is damaged"):
            train(made_up, Notes(), tmp_path / "out", FEW, start=first)
    file.unlink()
    with pytest.raises(TrainingError, match=r"round-03\.npz: is not there; .*first/weights\.npz"):
        train(made_up, Notes(), tmp_path / "out", FEW, start=first)


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

"""Experiment files: what they mean when they are sound, and what is said when they are not."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis import cells as layout
from analysis.errors import InputError, InputErrors, written
from analysis.experiment import load, parse
from analysis.source import Source
from sim import registry
from sim.core.game import Parameter, PolicyInfo, Problem, SettingsError
from sim.core.words import nearest, shown
from sim.forbidden_island.knobs import KNOBS, resolve

ROOT = Path(__file__).parent.parent
CONFIGS = sorted((ROOT / "configs").rglob("*.yaml"))

EXAMPLES = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8"), re.DOTALL)

HEAD = """\
name: trial
question: What happens?
game: forbidden_island
seed: 7
trials: 100
"""


@dataclass(frozen=True)
class Tiny:
    """The rules of Forbidden Island with two policies and no engine: reading an experiment plays nothing."""

    name: str = "forbidden_island"
    rules_version: int = 1
    knobs: Any = KNOBS

    @property
    def policies(self):
        weight = Parameter("weight", 1.0, 0.0, 2.0, "how much")
        return {
            "idle": PolicyInfo("idle", "", "", source="a" * 64),
            "keen": PolicyInfo("keen", "", "", (weight,), source="b" * 64),
        }

    def resolve(self, wanted):
        return resolve(wanted)

    def resolve_policy(self, spec):
        given_ = spec if isinstance(spec, dict) else {"name": spec}
        if not isinstance(given_.get("name"), str) or given_["name"] not in self.policies:
            path = ("name",) if isinstance(spec, dict) and "name" in spec else ()
            raise SettingsError([Problem(path, given_.get("name"), f"unknown policy {shown(given_.get('name'))}")])
        if given_["name"] == "idle":
            return {"name": "idle"}
        weight = given_.get("weight", 1.0)
        if not isinstance(weight, int | float) or not 0 <= weight <= 2:
            raise SettingsError([Problem(("weight",), weight, "a number in 0..2")])
        return {"name": "keen", "weight": float(weight)}


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    """Every test here but those of `TestShipped` reads against `Tiny`."""
    monkeypatch.setattr(registry, "get", lambda name: Tiny())


def told(text, file="x.yaml"):
    """The lines of what is said about a file that is not sound."""
    with pytest.raises(InputErrors) as caught:
        parse(text, file)
    lines = str(caught.value).split("\n")
    assert len(lines) == len(caught.value.errors)
    assert lines == [str(error) for error in caught.value.errors]
    return lines


# Sound files


class TestShipped:
    """What ships: the files in configs/, read against the real game."""

    @pytest.fixture(autouse=True)
    def tiny(self):
        """The real game."""

    @pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
    def test_every_shipped_experiment_loads(self, path):
        """Every file in configs/ is sound, and its name is the file's."""
        experiment = load(path)
        assert experiment.name == path.stem
        assert experiment.question.endswith("?")
        assert len({cell.identity for cell in experiment.cells}) == len(experiment.cells)

    def test_the_demo(self):
        """The demonstration is the one the README tells of."""
        experiment = load(ROOT / "configs" / "forbidden_island" / "novice-vs-legendary.yaml")
        assert experiment.trials == 20_000
        assert experiment.compare == (("novice", "legendary"),)
        assert [cell.knobs["players"] for cell in experiment.cells] == [4, 4]
        assert [cell.knobs["start_tick"] for cell in experiment.cells] == [1, 4]
        assert {cell.policy["name"] for cell in experiment.cells} == {"cooperative"}

    @pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
    def test_every_example_of_the_documentation_is_sound(self, example):
        """What docs/experiments.md shows can be run as it stands."""
        parse(example)

    def test_registry(self):
        """A game is found by name; any other name says which exist."""
        assert registry.names() == ("forbidden_island",)
        assert registry.get("forbidden_island").name == "forbidden_island"
        with pytest.raises(registry.UnknownGameError, match="did you mean forbidden_island"):
            registry.get("forbiden island")


def test_a_list_of_cells():
    """Rules of every cell, a cell's own knobs in their place, the varied part filled in for all."""
    experiment = parse(
        HEAD
        + """
rules: {players: 3, waters_rise: 4}
policy: idle
cells:
  - label: plain
  - label: keen team
    policy: {name: keen, weight: 2}
    players: 4
  - {label: tutorial, preset: hex-tutorial}
compare: [[plain, keen team], [tutorial, plain]]
"""
    )
    assert experiment.grid == ("policy", "players", "preset")
    plain, keen, tutorial = experiment.cells
    assert plain.settings == {"policy": "idle", "players": 3, "preset": None}
    assert keen.settings == {"policy": {"name": "keen", "weight": 2}, "players": 4, "preset": None}
    assert keen.policy == {"name": "keen", "weight": 2.0}
    assert (keen.knobs["players"], keen.knobs["waters_rise"]) == (4, 4)
    assert tutorial.knobs == resolve({"preset": "hex-tutorial", "players": 3, "waters_rise": 4})
    assert experiment.compare == (("plain", "keen team"), ("tutorial", "plain"))
    assert (experiment.seed, experiment.trials, experiment.question) == (7, 100, "What happens?")


def test_a_knob_that_only_one_cell_sets_has_a_value_in_all():
    """The column of a varied knob holds what each cell really plays with."""
    experiment = parse(HEAD + "policy: idle\ncells: [{label: a}, {label: b, hand_limit: 6}]")
    assert [cell.settings for cell in experiment.cells] == [{"hand_limit": 5}, {"hand_limit": 6}]


def test_a_grid_is_the_full_product():
    """The first knob changes slowest; labels name what is varied."""
    experiment = parse(HEAD + "policy: idle\ngrid:\n  difficulty: [novice, elite]\n  players: [2, 4]\n")
    assert [cell.label for cell in experiment.cells] == [
        "difficulty=novice players=2",
        "difficulty=novice players=4",
        "difficulty=elite players=2",
        "difficulty=elite players=4",
    ]
    assert experiment.cells[1].settings == {"difficulty": "novice", "players": 4}
    assert experiment.grid == ("difficulty", "players")


@pytest.mark.parametrize(
    ("grid", "labels"),
    [
        ("{difficulty: [novice, elite]}", ["novice", "elite"]),
        ("{players: [2, 3]}", ["players=2", "players=3"]),
        ("{role_powers: [true, false]}", ["role_powers=true", "role_powers=false"]),
        ("{meter: [[2, 3], [3, 4, 5]]}", ["meter=[2,3]", "meter=[3,4,5]"]),
        ("{meter: [[1, 1, 1, 1, 1, 1, 1, 1, 1], [2]]}", ["meter#1", "meter=[2]"]),
        ("{policy: [idle, {name: keen, weight: 0.5}]}", ["idle", "keen(weight=0.5)"]),
        ("{roles: [random, [pilot, diver]]}", ["roles=random", "roles=[pilot,diver]"]),
        ("{roles: [{pool: [pilot, diver, explorer]}]}", ["roles={pool:[pilot,diver,explorer]}"]),
        (
            '{map: [standard, ["######", "######", "######", "######"]]}',
            ["map=standard", "map=[######,######,######,######]"],
        ),
        ("{preset: [official, hex-tutorial]}", ["official", "hex-tutorial"]),
    ],
)
def test_labels_of_a_grid(grid, labels):
    """One varied thing whose values are all names gives the names; anything else knob=value, or knob#number."""
    policy = "" if "policy" in grid else "policy: idle\n"
    assert [cell.label for cell in parse(HEAD + policy + "grid: " + grid).cells] == labels


def test_a_single_cell():
    """Without grid and cells there is one cell, named as the experiment."""
    (cell,) = parse(HEAD + "policy: idle").cells
    assert (cell.label, cell.settings) == ("trial", {})
    assert cell.knobs == resolve({})


def test_seed_is_one_by_default():
    """A file without a seed is as reproducible as one with."""
    assert parse("name: a\nquestion: b?\ngame: forbidden_island\ntrials: 1\npolicy: idle").seed == 1


@pytest.mark.parametrize("name", ["no", "on", "yes", "off", "y", "2024-01-01", "12e", "a.b_c-D", "x" * 64])
def test_names_that_yaml_1_1_would_have_changed(name):
    """In YAML 1.2 `no` and `on` are text, and so are dates here."""
    assert parse(HEAD.replace("trial", name, 1) + "policy: idle").name == name


def test_numbers_may_be_grouped():
    """`20_000` is a whole number; so is `0x10`."""
    assert parse(HEAD.replace("100", "20_000") + "policy: idle").trials == 20_000
    assert parse(HEAD.replace("7", "0x10") + "policy: idle").seed == 16


@pytest.mark.parametrize(("seed", "trials"), [(0, 1), (2**63 - 1, 10**9)])
def test_limits_of_numbers(seed, trials):
    """The ends of both ranges are in them."""
    experiment = parse(HEAD.replace("7", str(seed)).replace("100", str(trials)) + "policy: idle")
    assert (experiment.seed, experiment.trials) == (seed, trials)


def test_anchors_and_merge_keys():
    """Aliases and merge keys are YAML like any other; keys written beside << win."""
    experiment = parse(
        HEAD
        + """
policy: idle
cells:
  - &base {label: a, players: 3, waters_rise: 2}
  - {<<: *base, label: b, players: 4}
  - {<<: [{label: c}, *base], hand_limit: 6}
"""
    )
    assert [cell.label for cell in experiment.cells] == ["a", "b", "c"]
    assert [cell.knobs["players"] for cell in experiment.cells] == [3, 4, 3]
    assert [cell.knobs["waters_rise"] for cell in experiment.cells] == [2, 2, 2]


def test_a_question_of_several_lines():
    """Line breaks in the question are spaces."""
    text = HEAD.replace("What happens?", "|\n  What\n  happens,  <b>and</b> why?") + "policy: idle"
    assert parse(text).question == "What happens, <b>and</b> why?"


@pytest.mark.parametrize("label", ["<script>", "a=b c", "../..", "Größe 😀", "'", "100 %", "a,b", "#1", "{{x}}"])
def test_nasty_labels_are_only_text(label):
    """A label names nothing on disk and may hold anything that can be printed."""
    text = HEAD + "policy: idle\ncells: [{label: plain}, {label: " + json.dumps(label) + ", players: 3}]"
    assert parse(text).cells[1].label == label


# Identity


def test_identity_is_of_what_changes_the_answer():
    """Game, rules version, knobs, policy, its source and the seed are in it; labels, names and trials are not."""
    game = Tiny()
    knobs, policy = resolve({}), {"name": "keen", "weight": 1.0}
    first = layout.identity(game, knobs, policy, 1)
    assert len(first) == 64
    assert first == layout.identity(game, dict(reversed(knobs.items())), dict(reversed(policy.items())), 1)
    others = [
        layout.identity(Tiny(name="other"), knobs, policy, 1),
        layout.identity(Tiny(rules_version=2), knobs, policy, 1),
        layout.identity(game, resolve({"players": 3}), policy, 1),
        layout.identity(game, knobs, {"name": "keen", "weight": 1.5}, 1),
        layout.identity(game, knobs, {"name": "idle"}, 1),
        layout.identity(game, knobs, policy, 2),
    ]
    assert len({first, *others}) == 7


def test_identity_is_stable():
    """The bytes that are hashed never change by accident: results on disk are found by this number."""
    expected = "22c292c4d6808055194c49b41ce5cfc6c52008fe2c045abeeefab7fc8c0918a9"
    assert layout.identity(Tiny(), {"players": 2}, {"name": "idle"}, 1) == expected


def test_identity_does_not_depend_on_the_way_of_writing():
    """Equal rules written differently are the same cell."""
    one = parse(HEAD + "policy: idle\nrules: {difficulty: novice, map: island-of-shadows}").cells[0]
    other = parse(
        HEAD.replace("100", "5").replace("trial", "another", 1)
        + 'policy: {name: idle}\nrules: {start_tick: 1, map: ["######.", "######.", "######.", "######."]}'
    ).cells[0]
    assert one.identity == other.identity


# Files that are not sound


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "x.yaml: is empty; an experiment needs name, question, game, trials, policy"),
        ("# nothing\n", "x.yaml: is empty; an experiment needs name, question, game, trials, policy"),
        ("~", "x.yaml:1:1: null is not a mapping of name,"),
        ("- a\n- b", 'x.yaml:1:1: ["a", "b"] is not a mapping of name,'),
        ("novice", 'x.yaml:1:1: "novice" is not a mapping of name,'),
        ("a: 1\n---\nb: 2", "x.yaml:2:1: a second document begins here"),
        ("a: [1,\n", "x.yaml:2:1: not valid YAML: "),
        ("name: a: b", "x.yaml:1:8: not valid YAML: mapping values are not allowed here"),
        ("name: a\n\tgame: b", "x.yaml:2:1: not valid YAML: "),
        ("name: *nobody", "x.yaml:1:7: not valid YAML: found undefined alias"),
        ("name: \x07", 'x.yaml:1:7: the character "\\x07" is not allowed in YAML'),
        ("%YAML 1.1\n---\nname: no", "x.yaml:1:1: only YAML 1.2 is read"),
        ("a: " + "[" * 5000, "x.yaml:1:1: is nested too deeply"),
        ("%TAG", "x.yaml:1:5: not valid YAML"),
    ],
)
def test_not_a_document(text, line):
    """What is no single YAML mapping is told in one line."""
    (only,) = told(text)
    assert only.startswith(line)


@pytest.mark.parametrize(
    ("part", "lines"),
    [
        (
            "polcy: idle",
            ["x.yaml:1:1: policy is missing", 'x.yaml:6:1: polcy: unknown key "polcy"; did you mean policy?'],
        ),
        ("policy: idle\nseed: 8", ["x.yaml:7:1: seed: this key is given twice (first in line 4)"]),
        ("policy: idle\n3: 4", ["x.yaml:7:1: a key must be text; put 3 in quotes"]),
        ("policy: idle\n? [a]\n: 4", ["x.yaml:7:3: a key must be text"]),
        ("policy: !!python/name:os.system x", ["x.yaml:6:9: policy: the tag"]),
        ("policy: {name: idle, <<: 3}", ['x.yaml:6:26: policy."<<": 3 cannot be merged']),
        ("policy: &p {name: idle, more: *p}", ["x.yaml:6:9: policy.more: this value contains itself"]),
        ("policy: bold", ['x.yaml:6:9: policy: unknown policy "bold"']),
        ("policy: {name: bold}", ['x.yaml:6:16: policy.name: unknown policy "bold"']),
        ('policy: "\\uD83D"', ['x.yaml:6:9: policy: "\\ud83d" cannot be read as text']),
        ("policy: {weight: 2}", ["x.yaml:6:9: policy: unknown policy null"]),
        ("policy:", ["x.yaml:6:1: policy: unknown policy null"]),
        ("policy: {name: keen, weight: .nan}", ["x.yaml:6:30: policy.weight: nan is not a number in 0..2"]),
        ("policy: idle\nrules:", ["x.yaml:7:1: rules: null is not a mapping of knobs to values"]),
        ("policy: idle\nrules: [players]", ['x.yaml:7:8: rules: ["players"] is not a mapping']),
        ("policy: idle\nrules: {players: 6}", ["x.yaml:7:18: rules.players: 6 is not in 2..4"]),
        (
            "policy: idle\nrules: {playrs: 3}",
            ['x.yaml:7:9: rules.playrs: unknown knob "playrs"; did you mean players?'],
        ),
        ("policy: idle\nrules: {policy: idle}", ["x.yaml:7:9: rules.policy: policy is no rule"]),
        ("policy: idle\nrules: {cells: []}", ["x.yaml:7:9: rules.cells: cells is no knob; write it at the top"]),
        ("policy: idle\nrules: {preset: hex}", ['x.yaml:7:17: rules.preset: "hex" is not one of official']),
        (
            "policy: idle\nrules: {helicopter: 0}",
            ["x.yaml:7:21: rules.helicopter: escape is helicopter and helicopter"],
        ),
        (
            "policy: idle\nrules:\n  map:\n    - ####\n    - '####x'",
            ["x.yaml:9:6: rules.map[0]: this row is empty", 'x.yaml:10:7: rules.map[1]: "####x" holds "x"'],
        ),
        ("policy: idle\ngrid: []", ["x.yaml:7:7: grid: grid is empty; give a mapping of knobs to lists"]),
        ("policy: idle\ngrid: {}", ["x.yaml:7:7: grid: grid is empty"]),
        ("policy: idle\ngrid: {players: []}", ["x.yaml:7:17: grid.players: the list is empty"]),
        ("policy: idle\ngrid: {players: 3}", ["x.yaml:7:17: grid.players: 3 is not a list of values; write [3]"]),
        ("policy: idle\ngrid: {difficulty: elite}", ['x.yaml:7:20: grid.difficulty: "elite" is not a list of values']),
        ("policy: idle\ngrid: {playrs: [2, 3]}", ['x.yaml:7:8: grid.playrs: unknown knob "playrs"']),
        ("policy: idle\ngrid:\n  players: [2, 4, 6]", ["x.yaml:8:19: grid.players[2]: 6 is not in 2..4"]),
        (
            "policy: idle\ngrid: {players: [2], policy: [idle]}",
            ["x.yaml:7:22: grid.policy: policy is given at the top"],
        ),
        ("grid: {policy: [idle, bold], players: [2, 3]}", ['x.yaml:6:23: grid.policy[1]: unknown policy "bold"']),
        (
            "policy: idle\nrules: {players: 3}\ngrid: {players: [2, 4]}",
            ["x.yaml:8:8: grid.players: players is fixed under rules too"],
        ),
        (
            "policy: idle\ngrid: {players: [2, 3, 2], hand_limit: [5, 6]}",
            ['x.yaml:7:24: grid.players[2]: cells "players#1 hand_limit=5" and "players#3 hand_limit=5" are the same'],
        ),
        (
            "policy: idle\ngrid: {players: [2, 3, 4], roles: [[pilot, diver]]}",
            [
                "x.yaml:7:36: grid.roles[0]: roles names 2 seats (pilot, diver) and players is 3; give one role for "
                "each player (and 1 other combination here)"
            ],
        ),
        (
            "policy: idle\ngrid: {players: [2, 3], roles: [{pool: [pilot, dive]}]}",
            ['x.yaml:7:48: grid.roles[0].pool[1]: "dive" is not one of'],
        ),
        (
            "policy: idle\ngrid: {"
            + ", ".join(f"{k.name}: [{'1, ' * 20}]" for k in KNOBS if k.kind == "integer")
            + "}",
            ["x.yaml:7:1: grid: the grid has"],
        ),
        (
            "policy: idle\ngrid: {players: [2]}\ncells: [{label: a}]",
            ["x.yaml:8:1: cells: grid and cells exclude each other"],
        ),
        ("policy: idle\ncells: []", ["x.yaml:7:8: cells: cells is empty"]),
        ("policy: idle\ncells: {a: 1}", ["x.yaml:7:8: cells: {a: 1} is not a list of cells"]),
        ("policy: idle\ncells: [novice]", ['x.yaml:7:9: cells[0]: "novice" is not a mapping with label and knobs']),
        ("policy: idle\ncells: [{players: 2}]", ["x.yaml:7:9: cells[0]: label is missing"]),
        ("policy: idle\ncells: [{label: 3}]", ["x.yaml:7:17: cells[0].label: 3 is not text; put it in quotes: '3'"]),
        ("policy: idle\ncells: [{label: ''}]", ["x.yaml:7:17: cells[0].label: is empty"]),
        ("policy: idle\ncells: [{label: ' a'}]", ['x.yaml:7:17: cells[0].label: " a" begins or ends with a space']),
        ('policy: idle\ncells: [{label: "a\\e[2J"}]', ['x.yaml:7:17: cells[0].label: "a\\x1b[2J" holds the character']),
        ('policy: idle\ncells: [{label: "a\\u202Eb"}]', ['x.yaml:7:17: cells[0].label: "a\\u202eb" holds']),
        ("policy: idle\ncells: [{label: " + "a" * 101 + "}]", ['x.yaml:7:17: cells[0].label: "aaa']),
        (
            "policy: idle\ncells: [{label: a}, {label: a, players: 3}]",
            ['x.yaml:7:29: cells[1].label: "a" is the label of cells[0] too'],
        ),
        (
            "policy: idle\ncells: [{label: a, difficulty: novice}, {label: b, start_tick: 1}]",
            ['x.yaml:7:41: cells[1]: cells "a" and "b" are the same'],
        ),
        ("cells: [{label: a, policy: idle}, {label: b}]", ["x.yaml:6:35: cells[1]: policy is missing"]),
        (
            "policy: idle\nrules: {difficulty: elite}\ncells: [{label: a, start_tick: 2}]",
            ["x.yaml:8:32: cells[0].start_tick: start_tick (2) and difficulty (elite) both say"],
        ),
        ("policy: idle\ncells: [{label: a, seed: 3}]", ["x.yaml:7:20: cells[0].seed: seed is no knob"]),
        ("policy: idle\ncompare: []", ["x.yaml:7:10: compare: compare is empty"]),
        ("policy: idle\ncompare: trial", ['x.yaml:7:10: compare: "trial" is not a list of pairs']),
        ("policy: idle\ncompare: [a, b]", ['x.yaml:7:11: compare[0]: "a" is not a pair', "x.yaml:7:14: compare[1]"]),
        ("policy: idle\ncompare: [[a]]", ['x.yaml:7:11: compare[0]: ["a"] is not a pair']),
        ("policy: idle\ngrid: {players: [2, 3]}\ncompare: [[2, 3]]", ["x.yaml:8:12: compare[0][0]: 2", "x.yaml:8:15"]),
        (
            "policy: idle\ngrid: {difficulty: [novice, elite]}\ncompare: [[novise, elite], [elite, elite]]",
            [
                'x.yaml:8:12: compare[0][0]: no cell has the label "novise"; did you mean "novice"?',
                'x.yaml:8:28: compare[1]: "elite" is compared with itself',
            ],
        ),
        (
            "policy: idle\ngrid: {difficulty: [novice, elite]}\ncompare: [[novice, elite], [elite, novice]]",
            ["x.yaml:8:28: compare[1]: this pair is compared[0] already"],
        ),
    ],
)
def test_what_is_said(part, lines):
    """Each slip is told at its place, and nothing else is told."""
    said = told(HEAD + part + "\n")
    assert len(said) == len(lines), said
    for line, start in zip(said, lines, strict=True):
        assert line.startswith(start)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("trial\n", "2024\n", "x.yaml:1:7: name: 2024 is not the experiment's name, as text; put it in quotes: '2024'"),
        ("trial\n", "true\n", "x.yaml:1:7: name: true is not the experiment's name"),
        ("trial\n", "\n", "x.yaml:1:1: name: null is not"),
        ("trial\n", "''\n", 'x.yaml:1:7: name: "" cannot name a folder everywhere'),
        ("trial\n", "../up\n", 'x.yaml:1:7: name: "../up" cannot name a folder everywhere'),
        ("trial\n", "..\n", 'x.yaml:1:7: name: ".." cannot'),
        ("trial\n", "a/b\n", 'x.yaml:1:7: name: "a/b" cannot'),
        ("trial\n", "-x\n", 'x.yaml:1:7: name: "-x" cannot'),
        ("trial\n", "a b\n", 'x.yaml:1:7: name: "a b" cannot'),
        ("trial\n", "a.\n", 'x.yaml:1:7: name: "a." cannot'),
        ("trial\n", "Con.txt\n", 'x.yaml:1:7: name: "Con.txt" cannot'),
        ("trial\n", "größe\n", 'x.yaml:1:7: name: "größe" cannot'),
        ("trial\n", "x" * 65 + "\n", 'x.yaml:1:7: name: "xxx'),
        ("What happens?", "", "x.yaml:2:1: question: null is not what you want to know, as text"),
        ("What happens?", "' '", "x.yaml:2:11: question: is empty"),
        ("What happens?", "w" * 501, 'x.yaml:2:11: question: "www'),
        ("forbidden_island", "forbidden-island", "x.yaml:3:7: game: unknown game"),
        ("forbidden_island", "chess", 'x.yaml:3:7: game: unknown game "chess"; allowed: forbidden_island'),
        ("forbidden_island", "[a]", 'x.yaml:3:7: game: ["a"] is not the name of a game'),
        ("seed: 7", "seed: -1", "x.yaml:4:7: seed: -1 is not in 0..9223372036854775807"),
        ("seed: 7", "seed: 9223372036854775808", "x.yaml:4:7: seed: 9223372036854775808 is not in 0.."),
        ("seed: 7", "seed: true", "x.yaml:4:7: seed: true is not a whole number in 0.."),
        ("seed: 7", "seed: " + "9" * 5000, 'x.yaml:4:7: seed: "999'),
        ("seed: 7", "seed: " + "9" * 4000, "x.yaml:4:7: seed: a whole number of about 4001 digits is not in"),
        ("trials: 100", "trials: 0", "x.yaml:5:9: trials: 0 is not in 1..1000000000"),
        ("trials: 100", "trials: 1000000001", "x.yaml:5:9: trials: 1000000001 is not in"),
        (
            "trials: 100",
            "trials: 1e4",
            "x.yaml:5:9: trials: 10000.0 is not a whole number in 1..1000000000; write 10000",
        ),
        ("trials: 100", "trials: 1.5", "x.yaml:5:9: trials: 1.5 is not a whole number in 1..1000000000"),
        ("trials: 100", "trials: .nan", "x.yaml:5:9: trials: nan is not a whole number"),
        (
            "trials: 100",
            "trials: '20,000'",
            'x.yaml:5:9: trials: "20,000" is not a whole number in 1..1000000000; write 20000',
        ),
        ("trials: 100", "trials: [5]", "x.yaml:5:9: trials: [5] is not a whole number"),
        ("trials: 100", "", "x.yaml:1:1: trials is missing: a whole number in 1..1000000000"),
    ],
)
def test_what_is_said_of_the_head(old, new, line):
    """The keys at the top, each by itself."""
    (only,) = told(HEAD.replace(old, new, 1) + "policy: idle\n")
    assert only.startswith(line)
    assert len(only) < 250


def test_everything_at_once_by_line():
    """All of a file's problems come together, sorted by line, whatever part they are in."""
    said = told(
        """name: a/b
question: ""
game: forbidden_island
seed: -1
trials: 1e4
polcy: keen
rules: {swim: fly, playrs: 1}
policy: {name: keen, weight: 3}
grid:
  players: [2, 9]
  hand_limit: [5, 1]
compare: [[x, x]]
"""
    )
    starts = ["1:7", "2:11", "4:7", "5:9", "6:1", "7:15", "7:20", "8:30", "10:16", "11:19", "12:11"]
    assert [line.split(": ")[0] for line in said] == [f"x.yaml:{start}" for start in starts]


def test_a_problem_of_an_alias_is_told_where_it_is_written():
    """An alias stands where its anchor does."""
    text = HEAD + "policy: idle\ncells:\n  - &a {label: a, players: 9}\n  - {<<: *a, label: b, hand_limit: 6}\n"
    said = told(text)
    assert said[0] == "x.yaml:8:28: cells[0].players: 9 is not in 2..4"
    assert said[1:] in ([], ["x.yaml:8:28: cells[1].players: 9 is not in 2..4"])


def test_many_aliases_of_aliases():
    """Nested aliases that would unfold into a giant are refused in no time and little memory."""
    rows = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 20)]
    text = HEAD + "policy: *a19\ngrid: {meter: *a19, map: *a19, roles: *a19, players: *a19}\n"
    said = told("\n".join(rows) + "\n" + text)
    assert len("\n".join(said)) < 20_000


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "there is no such file"),
        (lambda path: path.mkdir(), "is a directory"),
        (lambda path: path.write_bytes("name: Größe".encode("latin-1")), "is not UTF-8 text (byte 0xf6)"),
        (lambda path: path.write_bytes("name: a".encode("utf-16")), "is not UTF-8 text"),
        (lambda path: path.write_bytes(b"# " + b"x" * 250_000), "is longer than 250000 bytes"),
        (lambda path: path.write_bytes(b""), "is empty"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, make, words):
    """A file that is no experiment at all is told in one line that begins with its name."""
    path = tmp_path / "x.yaml"
    make(path)
    with pytest.raises(InputErrors) as caught:
        load(path)
    (error,) = caught.value.errors
    assert str(error).startswith(str(path))
    assert words in str(error)


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="needs file modes")
def test_a_file_that_may_not_be_read(tmp_path):
    """No permission is told, not thrown."""
    path = tmp_path / "x.yaml"
    path.write_text(HEAD)
    path.chmod(0)
    with pytest.raises(InputErrors, match="cannot be read: Permission denied"):
        load(path)


def test_odd_file_names():
    """A name that no file system takes is told like any other."""
    with pytest.raises(InputErrors, match="cannot be read"):
        load("a\0b")
    with pytest.raises(InputErrors, match="no such file"):
        load("no\udcffwhere.yaml")


def test_a_byte_order_mark_and_windows_line_ends(tmp_path):
    """Files of Windows editors are read; places count as an editor does."""
    path = tmp_path / "x.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + (HEAD + "policy: idle\n").replace("\n", "\r\n").encode())
    assert load(path).name == "trial"
    path.write_bytes(b"\xef\xbb\xbf" + (HEAD + "policy: bold\n").replace("\n", "\r\n").encode())
    with pytest.raises(InputErrors, match=":6:9: policy"):
        load(path)


# Words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        ("3", '"3"'),
        (3, "3"),
        (3.0, "3.0"),
        (float("nan"), "nan"),
        ([1, "a", None], '[1, "a", null]'),
        ({"a": 1, "b c": [2]}, '{a: 1, "b c": [2]}'),
        ('"\n\x1b\u202e', '"\\"\\n\\x1b\\u202e"'),
        (object(), "a object"),
    ],
)
def test_shown(value, text):
    """Values as YAML would write them, safe to print."""
    assert shown(value) == text


def test_shown_is_short():
    """However long, deep or self-containing a value is."""
    loop: list[Any] = []
    loop.append(loop)
    for value in ["x" * 10**6, list(range(10**6)), {i: i for i in range(10**5)}, loop, 10**5000, [[[[[[1]]]]]]]:
        assert len(shown(value)) <= 60


def test_nearest():
    """Close names are found, letter case and hyphens aside; distant ones are not."""
    assert nearest("Bone_Island", ["bone-island", "standard"]) == "bone-island"
    assert nearest("xyz", ["bone-island"]) is None
    assert nearest(3, ["3"]) is None


def test_paths():
    """Paths read as a designer would write them."""
    assert written(("grid", "players", 2)) == "grid.players[2]"
    assert written(("rules", "a b")) == 'rules."a b"'
    assert str(InputError("x.yaml", None, None, "", None, "is empty")) == "x.yaml: is empty"


# Anything at all

SNIPPETS = st.sampled_from(
    [
        *HEAD.splitlines(),
        *("policy: idle", "policy: {name: keen, weight: 9}", "rules:", "grid:", "cells:", "compare:"),
        *("  players: [2, 3]", "  - label: a", "    players: 3", "  - [a, b]", "- x", "---", "&a", "*a", "<<: *a"),
        *("!!x", "? a", ": b", "  map: [standard, ['####', ####]]", "'", '"', "{", "[", "]", "}", "|", ">", "#"),
        *("%YAML 1.2", "%TAG", "..."),
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(st.lists(SNIPPETS | st.text(max_size=5), max_size=14).map("\n".join))
def test_any_text_is_an_experiment_or_is_told(text):
    """No text whatever makes anything but an experiment or input errors with places inside it."""
    errors = None
    try:
        parse(text)
    except InputErrors as refused:
        errors = refused
    if errors is not None:
        assert errors.errors
        lines = text.count("\n") + text.count("\r") + text.count("\x85") + text.count("\u2028") + text.count("\u2029")
        for error in errors.errors:
            assert error.line is None or 1 <= error.line <= lines + 2
            assert str(error).isprintable()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.sampled_from(["a", "novice"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
PARTS = {
    "rules": st.dictionaries(st.sampled_from([knob.name for knob in KNOBS]), JSON, max_size=3),
    "grid": st.dictionaries(
        st.sampled_from([k.name for k in KNOBS] + ["policy"]), st.lists(JSON, max_size=3) | JSON, max_size=3
    ),
    "cells": st.lists(
        st.dictionaries(st.sampled_from(["label", "players", "policy", "map"]), JSON, max_size=3), max_size=3
    ),
    "compare": st.lists(st.lists(JSON, max_size=3), max_size=3),
}
DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        **{key: part | JSON for key, part in PARTS.items()},
        **dict.fromkeys(("name", "question", "seed", "trials", "policy", "other"), JSON),
        "game": st.just("forbidden_island") | JSON,
    },
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(DOCUMENTS)
def test_any_document_is_an_experiment_or_is_told(document):
    """Every shape of value in every place is answered in words (JSON is YAML)."""
    text = json.dumps(document, allow_nan=True).replace("NaN", ".nan").replace("Infinity", ".inf")
    errors = None
    try:
        parse(text)
    except InputErrors as refused:
        errors = refused
    if errors is not None:
        assert errors.errors
        assert all(str(error).isprintable() and len(str(error)) < 1500 for error in errors.errors)


def test_source_places():
    """Every key and value knows its line and column, through merges too."""
    source = Source("a: 1\nc: &x {p: 1, q: 2}\nd:\n  <<: *x\n  q: 3\n", "f")
    assert source.data == {"a": 1, "c": {"p": 1, "q": 2}, "d": {"p": 1, "q": 3}}
    assert source.place(("d", "p")) == (2, 11)
    assert source.place(("d", "q")) == (5, 6)
    assert source.place(("d", "q"), key=True) == (5, 3)
    assert source.place(("d", "none", 3)) == (4, 3)

"""Rule knobs of Forbidden Island: defaults, ranges, presets, contradictions (rules page, sections 10 and 11)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.core.game import SettingsError
from sim.forbidden_island import knobs, maps
from sim.forbidden_island.constants import MAX_METER, MAX_SLOTS
from sim.forbidden_island.constants import ROLES as ENGINE_ROLES
from sim.forbidden_island.knobs import KNOBS, resolve
from sim.forbidden_island.presets import PRESET_REASONS, PRESETS

ROOT = Path(__file__).parent.parent

KEYS = [
    "start_tick",
    "meter",
    "players",
    "roles",
    "actions_per_turn",
    "cards_per_turn",
    "hand_limit",
    "initial_hand",
    "initial_flooded",
    "treasure_copies",
    "capture_cost",
    "waters_rise",
    "helicopter",
    "sandbags",
    "map",
    "map_connected",
    "sandbags_save_sinking",
    "lift_saves_swimmer",
    "give_to_full_hand",
    "hand_limit_check",
    "navigator_moves_diver",
    "role_powers",
    "start_tiles",
    "swim",
    "escape",
    "rise_shuffles",
    "flood_cards_in_treasure_deck",
    "grid",
    "turn_limit",
    "same_setup",
]

# 23 cells in one piece and one apart.
APART = ["######..", "######..", "######..", "#####..#"]


def problems(settings):
    with pytest.raises(SettingsError) as caught:
        resolve(settings)
    return caught.value.problems


def test_defaults_are_the_box():
    """FI-1.3, 1.5, 2.2, 2.4, 3.1, 4.4, 7.2, 9.7: with no settings every knob has the value of the printed game."""
    rules = resolve({})
    assert list(rules) == KEYS
    assert rules["meter"] == [2, 2, 3, 3, 3, 4, 4, 5, 5]
    assert (rules["start_tick"], rules["players"], rules["roles"]) == (1, 2, "random")
    names = ["actions_per_turn", "cards_per_turn", "hand_limit", "initial_hand", "initial_flooded"]
    assert [rules[name] for name in names] == [3, 2, 5, 2, 6]
    names = ["treasure_copies", "capture_cost", "waters_rise", "helicopter", "sandbags"]
    assert [rules[name] for name in names] == [5, 4, 3, 3, 2]
    assert rules["map"] == ["..##..", ".####.", "######", "######", ".####.", "..##.."]
    assert rules["turn_limit"] == 200


def test_the_table_is_complete():
    """Section 10: every knob once, with a range and a reason; `difficulty` is the only one that resolves away."""
    names = [knob.name for knob in KNOBS]
    assert names == ["difficulty", *KEYS]
    assert all(knob.reason and knob.allowed for knob in KNOBS)
    assert set(PRESETS) == set(PRESET_REASONS) == {"official", "old-japanese", "sandbags-save", "hex-tutorial"}


def test_engine_and_table_agree():
    """FI-1.4: the table's roles and limits are those that the engine's records hold."""
    assert knobs.ROLES == ENGINE_ROLES
    assert knobs.LARGEST_DECK == MAX_SLOTS
    assert MAX_METER == 15


@pytest.mark.parametrize(("difficulty", "tick"), [("novice", 1), ("normal", 2), ("elite", 3), ("legendary", 4)])
def test_difficulty_is_a_start_tick(difficulty, tick):
    """FI-1.5."""
    assert resolve({"difficulty": difficulty}) == resolve({"start_tick": tick})
    assert resolve({"difficulty": difficulty})["start_tick"] == tick


@pytest.mark.parametrize("knob", [knob for knob in KNOBS if knob.kind == "integer"], ids=lambda knob: knob.name)
def test_whole_numbers_only_and_within_range(knob):
    """Section 10: nothing is clipped, converted or guessed."""
    wrong = [knob.low - 1, knob.high + 1, -(10**30), 10**5000, True, False, str(knob.default), float(knob.default)]
    wrong += [None, [], {}, float("nan"), float("inf"), "", [knob.default]]
    for value in wrong:
        found = problems({knob.name: value})
        assert [problem.path for problem in found] == [(knob.name,)]
        assert f"in {knob.low}..{knob.high}" in found[0].allowed
        assert len(found[0].allowed) < 120


@pytest.mark.parametrize("knob", [knob for knob in KNOBS if knob.kind == "choice"], ids=lambda knob: knob.name)
def test_choices(knob):
    """Section 10: a choice is one of its names, exactly as written; a near miss is named."""
    for value in [None, 0, True, [], {}, "", knob.choices[0].upper(), knob.choices[0] + "s", "x" * 10_000]:
        (problem,) = problems({knob.name: value})
        assert problem.path == (knob.name,)
        assert all(choice in problem.allowed for choice in knob.choices)
    assert problems({knob.name: knob.choices[-1] + "s"})[0].allowed.endswith(f"did you mean {knob.choices[-1]}?")


@pytest.mark.parametrize("knob", [knob for knob in KNOBS if knob.kind == "flag"], ids=lambda knob: knob.name)
def test_flags(knob):
    """Section 10: a flag is true or false, and nothing that looks like it."""
    assert resolve({knob.name: not knob.default, "swim": "adjacent"})[knob.name] in (True, False)
    for value in [None, 0, 1, "true", "yes", "no", "on", [], {}]:
        (problem,) = problems({knob.name: value})
        assert problem.path == (knob.name,)
        assert "is not true or false" in problem.allowed
    assert problems({knob.name: "no"})[0].allowed == '"no" is not true or false; write false'


def test_meter():
    """FI-1.5: any list of 1 to 15 counts; the tick after the last is the skull."""
    assert resolve({"meter": [0]})["meter"] == [0]
    assert resolve({"meter": [24] * 15, "start_tick": 15})["start_tick"] == 15
    assert problems({"meter": []})[0].allowed.startswith("the meter is empty")
    assert "16 ticks" in problems({"meter": [1] * 16})[0].allowed
    assert problems({"meter": "2, 2, 3"})[0].path == ("meter",)
    found = problems({"meter": [1, -1, 25, "3", 2.0, True]})
    assert [problem.path for problem in found] == [("meter", i) for i in range(1, 6)]


@pytest.mark.parametrize(
    ("settings", "path", "words"),
    [
        ({"meter": [2, 2], "difficulty": "elite"}, "difficulty", "ticks 1..2"),
        ({"meter": [2, 2], "start_tick": 3}, "start_tick", "start_tick (3) is beyond"),
        ({"start_tick": 10}, "start_tick", "ticks 1..9"),
        ({"preset": "hex-tutorial", "meter": [2], "start_tick": 2}, "start_tick", "ticks 1..1"),
        ({"difficulty": "novice", "start_tick": 1}, "start_tick", "give one of them"),
        ({"capture_cost": 6, "hand_limit": 6}, "capture_cost", "capture_cost (6) is more than treasure_copies (5)"),
        ({"treasure_copies": 3}, "treasure_copies", "capture_cost (4) is more than treasure_copies (3)"),
        ({"hand_limit": 3}, "hand_limit", "capture_cost (4) is more than hand_limit (3)"),
        ({"hand_limit": 3, "hand_limit_check": "after_draw"}, "hand_limit", "capture_cost (4) is more"),
        ({"initial_hand": 6}, "initial_hand", "initial_hand (6) is more than hand_limit (5)"),
        ({"helicopter": 0}, "helicopter", "set escape: action"),
        ({"preset": "hex-tutorial", "escape": "helicopter"}, "escape", "helicopter is 0"),
        (
            {"players": 4, "initial_hand": 5, "treasure_copies": 4, "helicopter": 1, "sandbags": 2, "waters_rise": 9},
            "initial_hand",
            "need 20 cards, and the deck has 19",
        ),
        ({"treasure_copies": 9, "waters_rise": 9, "helicopter": 9, "sandbags": 7}, "treasure_copies", "61 cards"),
        ({"roles": ["pilot", "pilot"]}, "roles", "pilot is named twice"),
        ({"roles": ["pilot"]}, "roles", "names 1 seats (pilot) and players is 2"),
        ({"roles": ["pilot", "diver"], "players": 3}, "roles", "players is 3"),
        ({"roles": {"pool": ["pilot", "diver"]}, "players": 3}, "roles", "the pool of roles has 2"),
        ({"lift_saves_swimmer": True, "swim": "eliminate"}, "lift_saves_swimmer", "swim is eliminate"),
        ({"lift_saves_swimmer": True, "swim": "lose"}, "lift_saves_swimmer", "swim is lose"),
        ({"grid": "hex", "map": "standard"}, "map", "leave map out"),
        ({"preset": "hex-tutorial", "map": "bone-island"}, "map", "grid: hex"),
        ({"map": list(maps.HEX_ROWS)}, "map", "set grid: hex"),
        ({"map": APART}, "map", "set map_connected: false"),
        ({"map": APART, "map_connected": True}, "map", "set map_connected: false"),
    ],
)
def test_contradictions(settings, path, words):
    """Section 10: two knobs that contradict each other are refused, named with their values."""
    (problem,) = problems(settings)
    assert problem.path[0] == path
    assert words in problem.allowed


def test_edges_of_contradictions():
    """The last settings before each contradiction can be played."""
    resolve({"capture_cost": 5, "treasure_copies": 5, "hand_limit": 5})
    resolve({"initial_hand": 5, "players": 4, "treasure_copies": 4, "helicopter": 2, "sandbags": 2})
    resolve({"treasure_copies": 9, "waters_rise": 9, "helicopter": 9, "sandbags": 6})
    resolve({"helicopter": 0, "escape": "action"})
    resolve({"waters_rise": 0, "sandbags": 0, "cards_per_turn": 0})
    resolve({"sandbags": 0, "sandbags_save_sinking": True})
    resolve({"roles": ["diver", "pilot"], "role_powers": False})


def test_every_problem_at_once():
    """Section 10: one call names all that is wrong."""
    found = problems({"playrs": 1, "players": 7, "swim": "no", "meter": [], "preset": "offical", "helicopter": 0})
    assert [problem.path[0] for problem in found] == ["playrs", "preset", "meter", "players", "swim", "helicopter"]
    assert "did you mean players?" in found[0].allowed
    assert "did you mean official?" in found[1].allowed


@pytest.mark.parametrize("settings", [None, 3, "official", ["players"], [("players", 2)]])
def test_settings_are_a_mapping(settings):
    """Anything but a mapping is refused as a whole."""
    assert problems(settings)[0].path == ()


def test_unknown_knobs():
    """A name that no knob resembles lists what there is; keys that are no text are refused too."""
    assert "allowed: preset, difficulty, start_tick" in problems({"zzzzzz": 1})[0].allowed
    assert "unknown knob 3" in problems({3: 1})[0].allowed
    assert len(problems({"z" * 100_000: 1})[0].allowed) < 1000


def test_roles():
    """FI-2.3: random, fixed by seat, or a pool; equal pools resolve to equal values."""
    assert resolve({"roles": ["diver", "pilot"]})["roles"] == ["diver", "pilot"]
    assert resolve({"roles": {"pool": ["messenger", "pilot"]}})["roles"] == {"pool": ["pilot", "messenger"]}
    assert resolve({"roles": {"pool": list(knobs.ROLES)[::-1]}})["roles"] == "random"
    for value in [None, 3, "pilot", "Random", {}, {"pool": "pilot"}, {"pool": []}, [], {"pools": ["pilot", "diver"]}]:
        assert all(problem.path[0] == "roles" for problem in problems({"roles": value}))
    found = problems({"roles": {"pool": ["pilot", "Diver", 3, "pilot"]}})
    assert [problem.path for problem in found] == [("roles", "pool", i) for i in (1, 2, 3)]
    assert "did you mean diver?" in found[0].allowed


@pytest.mark.parametrize("name", list(maps.NAMED_MAPS))
def test_a_named_map_is_the_same_map_drawn(name):
    """FI-2.1: 24 cells each, and the drawing may be padded."""
    rows = resolve({"map": name})["map"]
    assert sum(row.count("#") for row in rows) == 24
    width = len(rows[0])
    padded = ["." * (width + 3), *("." + row + ".." for row in rows), "." * (width + 3)]
    assert resolve({"map": padded, "map_connected": False}) == resolve({"map": name})


def test_maps_of_the_box():
    """The named maps are those of the rules page."""
    assert len(maps.NAMED_MAPS) == 16
    assert all(maps.connected(rows) for rows in maps.NAMED_MAPS.values())


@pytest.mark.parametrize(
    ("value", "path", "words"),
    [
        ("standart", ("map",), "did you mean standard?"),
        ("######\n######\n######\n######", ("map",), "a list of quoted rows"),
        ([], ("map",), "neither the name of a map nor a list"),
        (3, ("map",), "neither"),
        (None, ("map",), "neither"),
        ({"rows": []}, ("map",), "neither"),
        (["######"] * 3, ("map",), "the map has 18 cells"),
        (["######"] * 5, ("map",), "the map has 30 cells"),
        (["......"] * 4, ("map",), "the map has 0 cells"),
        (["######", None, "######", "######"], ("map", 1), "a bare # starts a comment"),
        (["######", "######", "######", 3], ("map", 3), "put rows in quotes"),
        (["######", "######", "######", "##### "], ("map", 3), 'holds " "'),
        (["######", "######", "######", "#####"], ("map", 3), "is 5 long and the first row 6"),
        (["#" * 24, "." * 24, "." * 10**5], ("map", 2), "is 100000 long"),
        (["#" * 23 + "." * 100 + "#"], ("map",), "at most 24 by 24"),
    ],
)
def test_wrong_maps(value, path, words):
    """Section 10: exactly 24 cells of `#` in rows of equal length, edge-connected or declared not to be."""
    (problem,) = problems({"map": value})
    assert problem.path == path
    assert words in problem.allowed


def test_map_connected_tells_the_truth():
    """The resolved value says whether the map hangs together, so that equal maps are equal rules."""
    assert resolve({"map": APART, "map_connected": False})["map_connected"] is False
    assert resolve({"map": "standard", "map_connected": False}) == resolve({})


def test_hex_tutorial():
    """Section 11, word by word."""
    rules = resolve({"preset": "hex-tutorial"})
    assert rules["map"] == ["####", "#####", "######", "#####", "####"]
    assert 4 * rules["treasure_copies"] == 24
    assert (rules["waters_rise"], rules["flood_cards_in_treasure_deck"]) == (3, 1)
    assert (rules["helicopter"], rules["sandbags"], rules["initial_flooded"]) == (0, 0, 0)
    assert (rules["grid"], rules["role_powers"], rules["start_tiles"]) == ("hex", False, "landing")
    assert (rules["rise_shuffles"], rules["swim"], rules["escape"]) == ("all", "eliminate", "action")
    assert rules["meter"][rules["start_tick"] - 1] == 2


def test_presets_change_only_what_they_say():
    """Section 10: a knob beside a preset changes the preset."""
    assert resolve({"preset": "official"}) == resolve({})
    assert resolve({"preset": "old-japanese"}) == {**resolve({}), "give_to_full_hand": False}
    assert resolve({"preset": "sandbags-save"}) == {**resolve({}), "sandbags_save_sinking": True}
    tutorial = resolve({"preset": "hex-tutorial"})
    assert resolve({"preset": "hex-tutorial", "waters_rise": 4}) == {**tutorial, "waters_rise": 4}
    assert resolve({"preset": "hex-tutorial", "difficulty": "elite"}) == {**tutorial, "start_tick": 3}
    assert resolve({"preset": "old-japanese", "give_to_full_hand": True}) == resolve({})


@pytest.mark.parametrize("preset", [None, 3, [], {}, True, "hex", "Official"])
def test_unknown_presets(preset):
    """A preset is one of the names."""
    (problem,) = problems({"preset": preset})
    assert problem.path == ("preset",)
    assert "official, old-japanese, sandbags-save, hex-tutorial" in problem.allowed


def test_documentation_is_up_to_date():
    """docs/knobs.md is what `python -m sim.forbidden_island.knobs` prints."""
    assert (ROOT / "docs" / "knobs.md").read_text(encoding="utf-8") == knobs.documentation()


NAMES = [knob.name for knob in KNOBS] + ["preset"]
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4) | st.integers(), inner, max_size=3),
    max_leaves=6,
)


def sensible(name):
    """Values that are mostly in range, so that contradictions are met."""
    if name == "preset":
        return st.sampled_from(sorted(PRESETS))
    knob = next(knob for knob in KNOBS if knob.name == name)
    match knob.kind:
        case "integer":
            return st.integers(knob.low, knob.high)
        case "choice" | "flag":
            return st.sampled_from(knob.choices)
        case "list":
            return st.lists(st.integers(0, 24), min_size=1, max_size=15)
        case "map":
            return st.sampled_from([*maps.NAMED_MAPS, APART, list(maps.HEX_ROWS)])
        case _:
            names = st.lists(st.sampled_from(knob.choices), unique=True, min_size=2, max_size=6)
            return st.just("random") | names | names.map(lambda pool: {"pool": pool})


SOUND = st.fixed_dictionaries({}, optional={name: sensible(name) for name in NAMES})
ANY = st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=6), JUNK, max_size=6)


@given(SOUND | ANY)
def test_settings_resolve_or_are_refused(settings):
    """Any settings either resolve to plain JSON within the declared ranges, or are refused with words and a place."""
    found = ()
    try:
        rules = resolve(settings)
    except SettingsError as refused:
        found = refused.problems
        assert found
    for problem in found:
        assert problem.path[0] in settings
        assert problem.allowed
        assert len(problem.allowed) < 1000
        assert problem.allowed.isprintable()
    if found:
        return
    assert list(rules) == KEYS
    assert json.loads(json.dumps(rules)) == rules
    assert resolve(rules) == rules
    for knob in KNOBS:
        if knob.kind == "integer":
            assert knob.low <= rules[knob.name] <= knob.high
    assert sum(row.count("#") for row in rules["map"]) == 24
    assert rules["start_tick"] <= len(rules["meter"])
    assert rules["capture_cost"] <= min(rules["treasure_copies"], rules["hand_limit"])

"""What is legal: the list that players draw from agrees with the test that the engine makes; faults stop the run."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core import rng
from sim.core.compile import COMPILED, compile_for, jit
from sim.core.game import Parameter, PolicyFault
from sim.core.policy import policy
from sim.forbidden_island import choices, engine, legal
from sim.forbidden_island.constants import DECISIONS, KINDS
from sim.forbidden_island.game import GAME, Table
from sim.forbidden_island.policies import POLICIES
from sim.forbidden_island.state import ROW

from . import table as tables

SOUND, NONE, REFUSED, TWICE, WIDE, UNLISTED = range(6)
VERDICTS = ("sound", "no option", "an option is refused", "an option twice", "a code too wide", "more than is listed")

# Positions of a game that are looked at, and that are compared with every code: each so-manieth.
STRIDE, SEARCH = (4, 120) if COMPILED else (25, 0)
CELLS, SETS = (64, 64) if COMPILED else (25, 16)


@jit
def verdict(rules, view, cells, sets):
    """SOUND if the options are all allowed and different, and (cells > 0) nothing else is among all codes.

    cells, sets: first and second numbers below `cells`, third ones below `sets` are tried; 64 and 64 are all.
    """
    n = legal.option(rules, view, -1)
    if n < 1:
        return NONE
    listed = np.zeros(n, np.int64)
    for k in range(n):
        choice = legal.option(rules, view, k)
        listed[k] = choice
        if not legal.allows(rules, view, choice):
            return REFUSED
        for beyond in (22, 31, 40, 62):
            if legal.allows(rules, view, choice | 1 << beyond):
                return WIDE
        if legal.allows(rules, view, ~choice):
            return WIDE
    listed.sort()
    for k in range(1, n):
        if listed[k] == listed[k - 1]:
            return TWICE
    if cells:
        allowed = 0
        for kind in range(16):
            for first in range(cells):
                for second in range(cells):
                    for third in range(sets):
                        if legal.allows(rules, view, kind | first << 4 | second << 10 | third << 16):
                            allowed += 1
        if allowed != n:
            return UNLISTED
    return SOUND


@jit(pointer=True)
def look_on(rules, view, mind, stream):
    """Choose as the random player does, and judge positions on the way.

    numbers: stride, stride of searches, cells, sets.  memory: positions, worst verdict, searches, kinds seen, then by
    decision how many positions were judged.
    """
    n = legal.option(rules, view, -1)
    at = mind.memory[0]
    mind.memory[0] = at + 1
    rare = view.decision > 1  # asked seldom: judged always
    if rare or at % mind.numbers[0] == 0:
        mind.memory[4 + view.decision] += 1
        cells = 0
        if mind.numbers[1] > 0 and at % mind.numbers[1] == 0:
            cells = int(mind.numbers[2])
            mind.memory[2] += 1
        found = verdict(rules, view, cells, int(mind.numbers[3]))
        if found:
            mind.memory[1] = found
        kinds = int(mind.memory[3])
        for k in range(n):
            kinds |= 1 << choices.kind(legal.option(rules, view, k))
        mind.memory[3] = kinds
    return legal.option(rules, view, rng.below(stream, n))


MANY = {"helicopter": 9, "sandbags": 9}
RULE_SETS = {
    "official": {"players": 4},
    "two": {"players": 2, "difficulty": "legendary"},
    "navigator": {"players": 3, "roles": ["navigator", "diver", "engineer"], "capture_cost": 1},
    "pilot": {"players": 3, "roles": ["pilot", "messenger", "explorer"], "give_to_full_hand": False, "capture_cost": 1},
    "saved": {"players": 4, "sandbags_save_sinking": True, "lift_saves_swimmer": True, "start_tick": 6, **MANY},
    "late": {
        "players": 3,
        "hand_limit_check": "after_draw",
        "navigator_moves_diver": "steps_only",
        "cards_per_turn": 4,
    },
    "hex": {"preset": "hex-tutorial", "players": 4, "flood_cards_in_treasure_deck": 9},
    "out": {"players": 4, "swim": "eliminate", "escape": "action", "start_tick": 5, "map": "bone-island"},
    "holes": {"players": 4, "map": "volcano-island", "initial_flooded": 20},
    "plain": {"players": 4, "role_powers": False, "start_tiles": "landing", "swim": "lose"},
}


class Onlooker:
    """What `look_on` saw in some games of a rule set."""

    def __init__(self, knobs, games):
        onlooker = policy("onlooker", memory=16)(look_on.py_func if COMPILED else look_on)
        choose = compile_for(look_on, engine.CHOOSE)
        minds = onlooker.mind({})
        minds[0]["numbers"][:4] = STRIDE, SEARCH, CELLS, SETS
        self.positions, self.searches, self.kinds, self.by_decision = 0, 0, 0, np.zeros(6)
        self.verdicts = set()
        for trial in range(games):
            at_fault = Table(GAME.resolve(knobs), minds).play(choose, 3, trial, np.zeros(1, ROW))
            assert at_fault == -1
            positions, worst, searches, kinds, *by_decision = minds[0]["memory"][:10]
            self.positions += positions
            self.verdicts.add(VERDICTS[int(worst)])
            self.searches += searches
            self.kinds |= int(kinds)
            self.by_decision += by_decision


GAMES = 6 if COMPILED else 1


@pytest.fixture(scope="module")
def seen():
    """An onlooker for each rule set."""
    return {name: Onlooker(knobs, GAMES) for name, knobs in RULE_SETS.items()}


@pytest.mark.parametrize("name", RULE_SETS)
def test_what_is_listed_is_what_is_allowed(seen, name):
    """Sections 4 to 8: in positions of random games every option is allowed and none comes twice; in some of them all
    four million codes are tried, and nothing else is allowed."""
    assert seen[name].verdicts == {"sound"}
    assert seen[name].positions > 20
    if COMPILED:
        assert seen[name].searches > 2


def test_every_decision_was_judged(seen):
    """The games above ask for every kind of decision."""
    asked = sum(onlooker.by_decision for onlooker in seen.values())
    wanted = DECISIONS if COMPILED else ("act", "window")
    assert {name for name, count in zip(DECISIONS, asked, strict=True) if count} >= set(wanted)


@pytest.mark.skipif(not COMPILED, reason="too few games")
def test_every_kind_of_answer_was_judged(seen):
    """The games above offer every kind of answer but the winning ones, which the positions below do."""
    kinds = 0
    for onlooker in seen.values():
        kinds |= onlooker.kinds
    assert {name for i, name in enumerate(KINDS) if not kinds >> i & 1} <= {"leave", "escape"}


READY = {"captured": "earth wind fire ocean", "pawns": {0: 0, 1: 0, 2: 0}, "roles": "engineer messenger pilot"}
POSITIONS = {
    "ready": ({**READY, "hands": ["helicopter helicopter sandbags", "helicopter earth"], "flooded": [3, 4]}, "act"),
    "ready, window": ({**READY, "hands": ["helicopter", "", "sandbags"], "flooded": [3, 4]}, "window"),
    "ready, discard": ({**READY, "hands": ["helicopter earth earth wind wind fire"]}, "discard"),
    "ready to leave": ({**READY, "hands": ["helicopter", "sandbags"], "escape": "action"}, "act"),
    "capture": ({"hands": ["earth earth earth earth"], "pawns": {0: 6, 1: 6}}, "act"),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_at_the_end_of_the_game(name):
    """FI-9.1, FI-4.4: the same in positions that random games do not reach."""
    arrangement, decision = POSITIONS[name]
    table = tables.Table(**arrangement).ask(decision)
    assert VERDICTS[verdict(table.rules, table.view, CELLS if COMPILED else 0, SETS)] == "sound"


# ---- faults ----


@policy("cheat", parameters=(Parameter("decision", 0, 0, 5, "where"), Parameter("answer", 0, -1e13, 1e13, "what")))
def cheat(rules, view, mind, stream):
    """Plays at random until it is asked for the decision; then gives the answer."""
    if view.decision == int(mind.numbers[0]):
        return int(mind.numbers[1])
    return legal.option(rules, view, rng.below(stream, legal.option(rules, view, -1)))


FAR = 63 << 4  # no cell has this number
ILLEGAL = [
    ("act", -1),
    ("act", 15),
    ("act", 1 << 40),
    ("act", 1 | FAR),
    ("act", 7 | 9 << 4),
    ("act", 12 | 0 << 4),
    ("act", 13 | 1 << 4),
    ("window", 1 | 1 << 4),
    ("window", 9 | 7 << 4),
    ("window", 1 << 22),
    ("discard", 0),
    ("discard", 12 | 6 << 4),
    ("swim", 12),
    ("swim", 13 | FAR),
    ("save", 14),
    ("save", 10 | 5 << 4),
    ("choose_flood", 0),
    ("choose_flood", 14 | FAR),
]
REACHING = {"save": RULE_SETS["saved"], "choose_flood": RULE_SETS["hex"]}


@pytest.mark.parametrize(("decision", "answer"), ILLEGAL)
def test_an_illegal_answer_stops_the_batch(monkeypatch, decision, answer):
    """Sections 4 to 9: never a lost game: the run stops with seed, trial, turn, and what was illegal."""
    monkeypatch.setitem(POLICIES, "cheat", cheat)
    knobs = GAME.resolve(REACHING.get(decision, {"players": 3}))
    player = GAME.resolve_policy({"name": "cheat", "decision": DECISIONS.index(decision), "answer": answer})
    first, count = 40, 200 if COMPILED else 30
    with pytest.raises(PolicyFault) as raised:
        GAME.play(knobs, player, 7, first, count)
    fault = raised.value
    assert (fault.policy, fault.seed) == ("cheat", 7)
    assert first <= fault.trial < first + count
    kind = answer & 15
    assert f"asked to {decision}: {KINDS[kind] if kind < len(KINDS) else kind}" in fault.choice
    assert "turn " in fault.choice
    for word in ("cheat", "seed 7", f"trial {fault.trial}", fault.choice):
        assert word in str(fault)
    # The games before it are whole, and its trace stops at the same place.
    before = fault.trial - first
    if before:
        assert GAME.play(knobs, player, 7, first, before).games["trial"].size == before
    with pytest.raises(PolicyFault) as again:
        GAME.trace(knobs, player, 7, fault.trial)
    assert again.value.choice == fault.choice


def test_the_fault_names_the_turn(monkeypatch):
    """FI-7.2: an answer that is refused in the first turn in which a hand is too large: that turn is named."""
    monkeypatch.setitem(POLICIES, "cheat", cheat)
    knobs = GAME.resolve({"players": 2, "hand_limit": 4, "initial_hand": 4, "waters_rise": 0})
    player = GAME.resolve_policy({"name": "cheat", "decision": DECISIONS.index("discard"), "answer": 0})
    with pytest.raises(PolicyFault) as raised:
        GAME.play(knobs, player, 7, 0, 1)
    events = GAME.trace(knobs, GAME.resolve_policy("random"), 7, 0)
    before = events[: next(i for i, event in enumerate(events) if event["event"] == "discard")]
    turns = [event["number"] for event in before if event["event"] == "turn"]
    assert raised.value.choice.startswith(f"turn {turns[-1]}, ")


def test_a_fault_in_a_prepared_position():
    """FI-7.2: nothing happens after an illegal answer: no card is discarded, none drawn, no game lost."""
    table = tables.Table(hands=["earth wind fire ocean ocean"])
    table.treasure_deck("fire wind")
    table.draw_treasures(table.throw("sandbags"), fault=True)
    assert table.fault == table.throw("sandbags")
    assert table.events == [("draw", 0, "fire")]
    assert table.causes == set()
    assert table.view["hand_size"][0] == 6

"""The expert's model of a turn against the engine: what it foresees of a choice is what the rules make of it."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core import rng
from sim.core.compile import COMPILED, jit
from sim.core.policy import Policy, policy
from sim.forbidden_island import engine, legal
from sim.forbidden_island.constants import (
    ACT,
    ACTIONS,
    DISCARD_DOWN,
)
from sim.forbidden_island.game import GAME, Table
from sim.forbidden_island.policies.beam import BOARD_ONLY, SEARCH, WIDEST, search_turn, write_plan
from sim.forbidden_island.policies.expert import LONGEST_PLAN, expert
from sim.forbidden_island.policies.features import WORK, prepare
from sim.forbidden_island.policies.idle import idle
from sim.forbidden_island.policies.master import NODES, RESCUED
from sim.forbidden_island.policies.network import network_at, set_base, value
from sim.forbidden_island.policies.position import (
    STATE,
    at_stake,
    carry_out,
    full_hand_of,
    new_row,
    new_view,
    pack,
    pack_light,
    unpack,
    unpack_light,
)
from sim.forbidden_island.state import ROW
from tests.forbidden_island.table import Table as Position

_PENDING, _TURN, _MARK, _LAND, _SIZES, _SPECIALS = range(6)
_CHECKED, _WRONG, _UNLIKE = 10, 11, 12  # beyond what is zeroed, so that they add up over the games

RULES = (
    {},
    {"players": 4, "difficulty": "legendary"},
    {"players": 3, "hand_limit": 3, "capture_cost": 2, "actions_per_turn": 6, "initial_hand": 3},
    {"players": 4, "hand_limit_check": "after_draw", "lift_saves_swimmer": True, "sandbags": 6, "helicopter": 6},
    {"preset": "hex-tutorial", "players": 4},
    {"players": 4, "give_to_full_hand": False, "swim": "eliminate", "navigator_moves_diver": "steps_only"},
)


def _watcher(broken: bool) -> Policy:
    """A random player who foretells what its choice will make of the position, and counts how often that is wrong."""

    @jit(cache=False)
    def foretell(rules, view, mind, choice, views, rows, light):
        state = np.empty(STATE, np.int64)
        again = np.empty(STATE, np.int64)
        views[0] = view
        copy = views[0]
        before = pack(copy, state)
        carry_out(rules, copy, rows[0], choice)
        if broken and copy.flooded:
            copy.flooded &= copy.flooded - 1
        mind.memory[_PENDING] = 1.0
        mind.memory[_TURN] = view.turn
        mind.memory[_MARK] = pack(copy, again)
        if choice & 15 in BOARD_ONLY:
            if pack_light(copy, state, again) != mind.memory[_MARK]:
                mind.memory[_UNLIKE] += 1.0
            light[0] = copy
            unpack_light(light[0], state)
            if pack(light[0], again) != before:
                mind.memory[_UNLIKE] += 1.0
        mind.memory[_LAND] = copy.land
        mind.memory[_SIZES] = copy.hand_size.sum()
        mind.memory[_SPECIALS] = copy.specials_held
        unpack(copy, state)
        if pack(copy, again) != before or copy.hand_size.sum() != view.hand_size.sum():
            mind.memory[_UNLIKE] += 1.0
        for seat in range(4):
            if copy.hand_size[seat] != view.hand_size[seat] or copy.pawn[seat] != view.pawn[seat]:
                mind.memory[_UNLIKE] += 1.0
        for card in range(8):
            if copy.discard[card] != view.discard[card]:
                mind.memory[_UNLIKE] += 1.0

    def choose(rules, view, mind, stream):
        asked_in_turn = view.decision == ACT or (view.decision == DISCARD_DOWN and view.phase == ACTIONS)
        if mind.memory[_PENDING] and mind.memory[_TURN] == view.turn and asked_in_turn:
            state = np.empty(STATE, np.int64)
            mind.memory[_CHECKED] += 1.0
            if (
                pack(view, state) != mind.memory[_MARK]
                or view.land != mind.memory[_LAND]
                or view.hand_size.sum() != mind.memory[_SIZES]
                or view.specials_held != mind.memory[_SPECIALS]
            ):
                mind.memory[_WRONG] += 1.0
        mind.memory[_PENDING] = 0.0
        n = legal.option(rules, view, -1)
        choice = legal.option(rules, view, rng.below(stream, n))
        if view.decision == ACT:  # a random player would nearly always fly or stop
            for _ in range(4):
                if choice & 15 in (0, 2, 9):
                    choice = legal.option(rules, view, rng.below(stream, n))
        if asked_in_turn and choice:
            foretell(rules, view, mind, choice, new_view(), new_row(), new_view())
        return choice

    return policy("watcher", memory=10)(choose)


@pytest.mark.skipif(not COMPILED, reason="plain Python is too slow for these numbers")
def test_what_the_search_foresees_is_what_the_engine_does():
    """Every legal choice of the action phase (discards forced by a gift among them) makes of the packed position what
    the engine makes of the table (sections 4 to 7), in 400 random games under each of six rule sets; and unpacking
    gives back what was packed.  Control: a model that dries a tile too many is found out."""
    for broken in (False, True):
        watcher = _watcher(broken)
        choose = watcher.pointer(engine.CHOOSE)
        for settings in RULES:
            table = Table(GAME.resolve(settings), watcher.mind({}))
            assert table.play(choose, 5, 0, np.zeros(400, ROW)) < 0
            memory = table.minds["memory"][0]
            assert memory[_CHECKED] > 3000
            assert memory[_UNLIKE] == 0
            assert (memory[_WRONG] > 0) == broken


@jit(cache=False, entry=True)
def _worth(ruleses, views, minds, works, found):
    rules = ruleses[0]
    view = views[0]
    at = network_at(rules)
    prepare(rules, view, works[0])
    found[0] = set_base(rules, view, minds[0], works[0], at)
    view.flooded &= view.flooded - 1
    found[1] = value(rules, view, minds[0], works[0], at)
    found[2] = set_base(rules, view, minds[0], works[0], at)


@pytest.mark.skipif(not COMPILED, reason="plain Python is too slow for these numbers")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_value_depends_on_the_position_alone(players):
    """Whatever the working space held before, and with a flood card lying revealed in no deck (knob
    `sandbags_save_sinking`), the same position has the same value to the bit.  A position valued by what differs from
    another has the value it has by itself (to single precision; control: the two positions differ)."""
    chance = np.random.default_rng(7)
    for trial in range(20):
        table = Table(
            GAME.resolve({"players": players, "sandbags_save_sinking": True, "turn_limit": 1}), expert.mind({})
        )
        assert table.play(idle.pointer(engine.CHOOSE), 5, trial, np.zeros(1, ROW)) < 0
        view = table.views[0]
        view["phase"] = ACTIONS
        wet = [cell for cell in range(24) if view["flood_discard"] >> cell & view["land"] >> cell & 1]
        if not wet:  # a rise has just put the discard on the deck
            continue
        view["revealed"] = wet[-1]
        view["flood_discard"] &= ~(1 << wet[-1])
        view["flooded"] |= 1 << wet[-1]
        worths = []
        for _ in range(3):
            works = np.frombuffer(bytearray(chance.bytes(WORK.itemsize)), WORK)
            found = np.zeros(3)
            _worth(table.rules, table.views.copy(), table.minds, works, found)
            worths.append(found.tolist())
        assert worths[0] == worths[1] == worths[2]
        assert worths[0][1] == pytest.approx(worths[0][2], abs=1e-4)
        assert worths[0][0] != worths[0][2]


@jit(cache=False, entry=True)
def _search(ruleses, views, rows, minds, works, searches, width):
    search_turn(ruleses[0], views[0], rows[0], minds[0], works[0], searches[0], network_at(ruleses[0]), width)


@jit(cache=False, entry=True)
def _astray(ruleses, views, copies, rows, searches):
    """Of how many kept positions the way leads elsewhere."""
    search = searches[0]
    plan = np.empty(LONGEST_PLAN, np.int64)
    state = np.empty(STATE, np.int64)
    astray = 0
    for k in range(search.kept_size):
        copies[0] = views[0]
        for i in range(write_plan(search, k, plan)):
            copies[0].decider = full_hand_of(ruleses[0], copies[0])
            carry_out(ruleses[0], copies[0], rows[0], plan[i])
        pack(copies[0], state)
        for j in range(STATE):
            if state[j] != search.kept[k, j]:
                astray += 1
                break
    return astray


@jit(cache=False, entry=True)
def _at_stake(ruleses, views):
    state = np.empty(STATE, np.int64)
    pack(views[0], state)
    return at_stake(ruleses[0], views[0], state)


@pytest.mark.skipif(not COMPILED, reason="records have no attributes in plain Python")
def test_the_game_hangs_on_the_landing_and_on_treasures_without_a_dry_tile():
    """FI-9.2, FI-9.3: not on a flooded tile whose twin is dry, nor on those of a captured treasure."""
    captured = ("Coral Palace", "Tidal Palace")
    alone = ("Fools' Landing", "Temple of the Moon", "Temple of the Sun", "Whispering Garden")
    table = Position(
        flooded=(*captured, *alone, "Cave of Embers"), sunk=("Howling Garden", "Observatory"), captured="ocean"
    )
    assert _at_stake(table.ruleses, table.views) == sum(1 << table.cell(tile) for tile in alone)
    table.view["flooded"] |= 1 << table.cell("Cave of Shadows")
    more = (*alone, "Cave of Embers", "Cave of Shadows")
    assert _at_stake(table.ruleses, table.views) == sum(1 << table.cell(tile) for tile in more)


@pytest.mark.skipif(not COMPILED, reason="records have no attributes in plain Python")
@pytest.mark.parametrize("rescue", [0, 1])
def test_a_search_of_little_width_still_finds_the_way_to_what_must_not_sink(rescue):
    """FI-9.3: of four steps only the last in the order of cells leads to where the landing can be shored up; by a value
    that knows nothing none is better than another, and two positions are kept.  Control: without rescue it stays
    flooded in all that are kept."""
    table = Position(
        tiles={"Fools' Landing": 22}, flooded=("Fools' Landing",), pawns={0: "Breakers Bridge", 1: "Silver Gate"}
    )
    assert table.cell("Breakers Bridge") == 14
    assert table.cell("Fools' Landing") == 22
    table.view["actions_left"] = 2
    mind = expert.mind({})
    mind["learned"] = 0.0
    searches = np.zeros(1, SEARCH)
    searches["rescue"] = rescue
    _search(table.ruleses, table.views, table.rows, mind, np.zeros(1, WORK), searches, 2)
    kept = searches["kept"][0, : searches["kept_size"][0], 0]
    assert (not kept.all()) == (rescue > 0)


@pytest.mark.skipif(not COMPILED, reason="plain Python is too slow for these numbers")
def test_the_way_to_every_kept_position_leads_there():
    """With more special cards than there are in the box, hands that are full and much at stake, in the widest search
    that a player makes: what the choices of its way make of the position in which the turn begins is what was kept.
    Control: ways of which a step is left out are found."""
    table = Position(
        roles="engineer messenger pilot navigator",
        hands=(
            "helicopter helicopter earth earth sandbags",
            "sandbags sandbags earth fire fire",
            "helicopter helicopter ocean",
            "",
        ),
        pawns=dict.fromkeys(range(4), "Whispering Garden"),
        flooded=("Fools' Landing", "Cave of Embers", "Temple of the Moon", "Temple of the Sun", "Iron Gate"),
        sunk=("Howling Garden", "Observatory", "Cave of Shadows", "Copper Gate"),
        helicopter=9,
        sandbags=9,
    )
    table.view["actions_left"] = 3
    searches = np.zeros(1, SEARCH)
    searches["nodes"], searches["rescue"] = NODES, RESCUED
    views = table.views.copy()
    _search(table.ruleses, views, table.rows, expert.mind({}), np.zeros(1, WORK), searches, WIDEST)
    assert searches["kept_size"] > 100
    records = (table.ruleses, table.views, table.views.copy(), table.rows, searches)
    assert _astray(*records) == 0
    steps = searches["kept_from"][0, : searches["kept_size"][0]]
    searches["kept_from"][0, : searches["kept_size"][0]] = np.where(steps > 0, steps[np.maximum(steps, 0)], steps)
    assert _astray(*records) > 50


@pytest.mark.skipif(not COMPILED, reason="plain Python is too slow for these numbers")
def test_a_plan_of_many_special_cards_can_be_played_as_it_was_found():
    """Every choice of a plan is legal when its turn comes (the engine stops at one that is not), with many more special
    cards than there are in the box and the island nearly gone."""
    settings = {"sandbags": 8, "helicopter": 8, "initial_flooded": 14, "initial_hand": 4, "players": 3}
    rows = np.zeros(150, ROW)
    assert Table(GAME.resolve(settings), expert.mind({})).play(expert.pointer(engine.CHOOSE), 5, 0, rows) < 0
    assert rows["lifts_played"].sum() > 300
    assert rows["sandbags_played"].sum() > 300

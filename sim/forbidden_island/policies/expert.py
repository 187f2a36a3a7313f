"""A team of experts: it plays out in its head what this turn can lead to, and values the ends by what it has learned.

It imitates a group that has played the game a hundred times.  Of each turn it looks at all orders of actions, the
special cards and the discards among them, keeps the best few after every action (`width`) and a few more that save what
must not sink, and chooses the end that a learned value likes best.  That value was learned from games of its own: it is
the chance of winning as far as it shows in what everybody can see.  Between the turns the same value decides which card
to discard, when to throw Sandbags between two flood cards, and where to swim.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sim.core import bits, rng
from sim.core.compile import jit
from sim.core.game import Parameter
from sim.core.policy import Mind, because, policy
from sim.core.rng import Stream
from sim.forbidden_island import choices
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import (
    ACT,
    ACTIONS,
    ALL_TREASURES,
    DISCARD_DOWN,
    FLOODING,
    SANDBAGS,
    SWIM_NOW,
    WINDOW,
)
from sim.forbidden_island.policies import weights
from sim.forbidden_island.policies.answers import decide
from sim.forbidden_island.policies.beam import Search, best_ends, new_search, search_turn, write_plan
from sim.forbidden_island.policies.cooperative import anyone_trapped, fullest, rescue, way_out
from sim.forbidden_island.policies.features import new_work
from sim.forbidden_island.policies.network import chance_of, network_at
from sim.forbidden_island.policies.position import STATE, carry_out, new_row, new_view, pack, unpack
from sim.forbidden_island.state import Row, Rules, View

CAREFUL = 10
"""The least width of a search that also keeps what saves tiles; a narrower one is a quick one."""
NODES = 2
"""From how many of the best positions after each action it tries special cards; a quick one from the best alone."""
RESCUED = 4
"""Positions more, after every action, that it keeps for the tiles they save."""
MOST_PLANS = 16
"""Among how many plans it may be told to draw one."""

PARAMETERS = (
    Parameter("width", 30, 1, 40, f"positions kept after every action; below {CAREFUL} a quick search"),
    Parameter(
        "among", 1, 1, MOST_PLANS, "of how many of the best plans it follows one, drawn at random, in every turn"
    ),
)
WIDTH, AMONG = range(len(PARAMETERS))
"""Their places in the numbers."""

SOURCES = tuple(
    Path(__file__).with_name(f"{name}.py")
    for name in ("answers", "beam", "features", "network", "position", "cooperative")
)
"""Further files that decide what it does."""

REASONS = (
    "of all ends that this turn can have, the one that wins most ({percent})",
    "nothing that this turn can still do wins more ({percent})",
    "of all answers the one that wins most ({percent})",
    "the way out is open",
)
_PLANNED, _ENOUGH, ANSWER, _WAY_OUT = range(1, len(REASONS) + 1)

LONGEST_PLAN = 64
_TURN, _NEXT, _LENGTH = range(3)
_WORTH = 3
_CHOICE = 4
_MARK = _CHOICE + LONGEST_PLAN
MEMORY = _MARK + LONGEST_PLAN


@jit
def percent(logit: float) -> int:
    """The chance of winning in per cent, as reasons tell it."""
    return int(100.0 * chance_of(logit) + 0.5)


@jit
def note_plan(
    rules: Rules, view: View, row: Row, mind: Mind, root: np.ndarray, plan: np.ndarray, length: int, worth: int
) -> None:
    """Keep a plan that begins in the packed position `root`, with the position in which each choice is due.

    worth: the chance of winning at its end, in per cent.
    """
    mind.memory[_WORTH] = worth
    state = np.empty(STATE, np.int64)
    unpack(view, root)
    mind.memory[_TURN] = view.turn
    mind.memory[_NEXT] = 0
    mind.memory[_LENGTH] = length + 1
    for i in range(length):
        mind.memory[_CHOICE + i] = plan[i]
        mind.memory[_MARK + i] = pack(view, state)
        for seat in range(rules.players):
            if view.hand_size[seat] > rules.hand_limit:
                view.decider = seat
        carry_out(rules, view, row, plan[i])
    mind.memory[_CHOICE + length] = choices.stop()
    mind.memory[_MARK + length] = pack(view, state)


@jit
def forget_plan(mind: Mind) -> None:
    """There is no plan."""
    mind.memory[_TURN] = 0.0


@jit
def planned(view: View, mind: Mind) -> int:
    """The next choice of the plan of this turn; -1 when there is none for this position."""
    if mind.memory[_TURN] != view.turn:
        return -1
    i = int(mind.memory[_NEXT])
    if i >= mind.memory[_LENGTH]:
        return -1
    state = np.empty(STATE, np.int64)
    if pack(view, state) != mind.memory[_MARK + i]:
        return -1
    mind.memory[_NEXT] = i + 1
    choice = int(mind.memory[_CHOICE + i])
    if mind.traced:
        because(mind, _PLANNED if choice else _ENOUGH, int(mind.memory[_WORTH]))
    return choice


@jit
def take_care(search: Search, width: int) -> None:
    """How far a search of this width looks for special cards and for rescue."""
    careful = width >= CAREFUL
    search.nodes = NODES if careful else 1
    search.rescue = RESCUED if careful else 0


@jit
def plan_turn(rules: Rules, view: View, mind: Mind, stream: Stream, width: int, among: int) -> None:
    """Search from here and keep the best plan, or one of the best `among`."""
    # Records taken out of an array do not keep it alive, so whoever makes the arrays only hands them on.
    _plan_turn(rules, view, mind, stream, width, among, new_work(), new_search(), new_view(), new_row())


@jit
def _plan_turn(
    rules: Rules,
    view: View,
    mind: Mind,
    stream: Stream,
    width: int,
    among: int,
    works: np.ndarray,
    searches: np.ndarray,
    views: np.ndarray,
    rows: np.ndarray,
) -> None:
    views[0] = view
    copy = views[0]
    search = searches[0]
    take_care(search, width)
    search_turn(rules, copy, rows[0], mind, works[0], search, network_at(rules), width)
    end = search.best
    if among > 1:
        ends = np.empty(MOST_PLANS, np.int64)
        end = ends[rng.below(stream, best_ends(search, among, ends))]
    plan = np.empty(LONGEST_PLAN, np.int64)
    length = write_plan(search, end, plan)
    root = np.empty(STATE, np.int64)
    pack(view, root)
    note_plan(rules, copy, rows[0], mind, root, plan, length, percent(search.kept_value[end]))


@jit
def _decide(rules: Rules, view: View, mind: Mind) -> int:
    choice, worth = decide(rules, view, mind, network_at(rules))
    if mind.traced:
        because(mind, ANSWER, percent(worth))
    return choice


@jit
def open_window(rules: Rules, view: View) -> bool:
    """Whether a special card may be worth playing between two draws."""
    if view.phase != FLOODING:
        return False
    if view.layers:
        top = view.layer[view.layers - 1]
        if top & view.flooded == 0 and view.floods_left <= bits.count(top):
            return False
    return fullest(rules, view, SANDBAGS) >= 0 or anyone_trapped(rules, view)


@jit
def open_question(rules: Rules, view: View) -> bool:
    """Whether what is asked between the turns has more than one sensible answer."""
    if view.phase == ACTIONS:
        return False
    if view.decision == WINDOW:
        return view.captured != ALL_TREASURES and open_window(rules, view)
    if view.decision == SWIM_NOW:
        return rule.swim_targets(rules, view, view.decider) != 0
    return view.decision == DISCARD_DOWN


@jit
def window(rules: Rules, view: View, mind: Mind) -> int:
    """A special card between two draws, or none; most of the time there is nothing to think about."""
    if view.captured == ALL_TREASURES and not rules.leave_by_action:
        lift = way_out(rules, view)
        if lift:
            if mind.traced:
                because(mind, _WAY_OUT, 0)
            return lift
    if not open_window(rules, view):
        return choices.stop()
    return _decide(rules, view, mind)


@jit
def expertly(rules: Rules, view: View, mind: Mind, stream: Stream, width: int, among: int) -> int:
    """The expert's answer."""
    decision = view.decision
    if decision == WINDOW:
        return window(rules, view, mind)
    if view.phase == ACTIONS and decision in (ACT, DISCARD_DOWN):
        choice = planned(view, mind)
        if choice >= 0:
            return choice
        if decision == ACT:
            plan_turn(rules, view, mind, stream, width, among)
            return planned(view, mind)
    if decision == SWIM_NOW and rule.swim_targets(rules, view, view.decider) == 0:
        return rescue(rules, view, view.decider)
    return _decide(rules, view, mind)


@policy(
    "expert",
    parameters=PARAMETERS,
    memory=MEMORY,
    weights=weights.numbers({}),
    learns=True,
    reasons=REASONS,
    games_per_second=100,
    sources=SOURCES,
)
def expert(rules: Rules, view: View, mind: Mind, stream: Stream) -> int:
    return expertly(rules, view, mind, stream, int(mind.numbers[WIDTH]), int(mind.numbers[AMONG]))

"""What the expert is asked outside the plan of a turn: every answer is valued, the best is given.

Each function gives the choice and its value.  `copy` is a copy of the view, changed and put back into the packed
position `root`; `set_base` has seen it.
"""

from __future__ import annotations

import numpy as np

from sim.core import bits
from sim.core.compile import jit
from sim.core.policy import Mind
from sim.forbidden_island import choices
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import (
    ALL_TREASURES,
    CHOOSE_FLOOD,
    DISCARD_DOWN,
    HELICOPTER,
    SANDBAGS,
    SAVE,
    SWIM_NOW,
    WINDOW,
)
from sim.forbidden_island.policies.beam import lifts_to
from sim.forbidden_island.policies.cooperative import anyone_trapped, fullest
from sim.forbidden_island.policies.features import Work, new_work, prepare
from sim.forbidden_island.policies.network import set_base, value
from sim.forbidden_island.policies.position import STATE, carry_out, dear, new_row, new_view, pack, unpack
from sim.forbidden_island.state import Row, Rules, View

NONE = -1e18
"""Less than every value."""


@jit
def decide(rules: Rules, view: View, mind: Mind, at: int) -> tuple[int, float]:
    """The answer to whatever is asked but an action, by the network that begins at `at`."""
    # Records taken out of an array do not keep it alive, so whoever makes the arrays only hands them on.
    return _decide(rules, view, mind, at, new_work(), new_view(), new_row(), np.empty(STATE, np.int64))


@jit
def _decide(
    rules: Rules,
    view: View,
    mind: Mind,
    at: int,
    works: np.ndarray,
    views: np.ndarray,
    rows: np.ndarray,
    root: np.ndarray,
) -> tuple[int, float]:
    views[0] = view
    work = works[0]
    copy = views[0]
    row = rows[0]
    pack(copy, root)
    prepare(rules, copy, work)
    now = set_base(rules, copy, mind, work, at)
    if view.decision == DISCARD_DOWN:
        best, most = _discard(rules, view, copy, row, mind, work, at, root)
        return _special(rules, view, copy, row, mind, work, at, root, best, most)
    if view.decision == WINDOW:
        return _special(rules, view, copy, row, mind, work, at, root, choices.stop(), now)
    if view.decision == SWIM_NOW:
        return _swim(rules, view, copy, row, mind, work, at, root)
    if view.decision == SAVE:
        return _save(rules, view, copy, row, mind, work, at, root)
    if view.decision == CHOOSE_FLOOD:
        return _flood(rules, view, copy, row, mind, work, at)
    return choices.stop(), now


@jit
def _after(rules: Rules, copy: View, row: Row, mind: Mind, work: Work, at: int, root: np.ndarray, choice: int) -> float:
    """The value of what a choice makes of the position."""
    carry_out(rules, copy, row, choice)
    worth = value(rules, copy, mind, work, at)
    unpack(copy, root)
    return worth


@jit
def _discard(
    rules: Rules, view: View, copy: View, row: Row, mind: Mind, work: Work, at: int, root: np.ndarray
) -> tuple[int, float]:
    """FI-7.2: a card of the hand that is too large."""
    best = choices.stop()
    most = NONE
    for card in range(SANDBAGS + 1):
        if view.hand[view.decider, card]:
            worth = _after(rules, copy, row, mind, work, at, root, choices.discard(card))
            if worth > most:
                most = worth
                best = choices.discard(card)
    return best, most


@jit
def _special(
    rules: Rules,
    view: View,
    copy: View,
    row: Row,
    mind: Mind,
    work: Work,
    at: int,
    root: np.ndarray,
    best: int,
    most: float,
) -> tuple[int, float]:
    """A special card, if one is better than `best`: by the owner of a full hand, or by anybody between two cards.

    Between two cards Sandbags are for tiles whose card may come in this turn, Lifts for the end, and for pawns that
    could swim nowhere.
    """
    overfull = view.decision == DISCARD_DOWN
    if overfull:
        bags = view.decider if view.hand[view.decider, SANDBAGS] else -1
        lift = view.decider if view.hand[view.decider, HELICOPTER] else -1
    else:
        bags = fullest(rules, view, SANDBAGS)
        lift = -1
        if view.captured == ALL_TREASURES or anyone_trapped(rules, view):
            lift = fullest(rules, view, HELICOPTER)
    if bags >= 0:
        important = dear(rules, view)
        cells = view.flooded
        while cells:
            cell = bits.first(cells)
            cells &= cells - 1
            if work.soon[cell] > 0.0 or (overfull and important >> cell & 1):
                worth = _after(rules, copy, row, mind, work, at, root, choices.sandbags(bags, cell))
                if worth > most:
                    most = worth
                    best = choices.sandbags(bags, cell)
    if lift < 0:
        return best, most
    if not rules.leave_by_action and rule.ready_to_leave(rules, view):
        return choices.escape(lift), most
    goals = lifts_to(rules, view)
    for seat in range(rules.players):
        cell = view.pawn[seat]
        if cell < 0:
            continue
        group = rule.pawns_on(rules, view, cell)
        ends = goals & ~(1 << cell)
        while ends:
            end = bits.first(ends)
            ends &= ends - 1
            for pawns in (1 << seat, group):
                worth = _after(rules, copy, row, mind, work, at, root, choices.lift(lift, end, pawns))
                if worth > most:
                    most = worth
                    best = choices.lift(lift, end, pawns)
    return best, most


@jit
def _swim(
    rules: Rules, view: View, copy: View, row: Row, mind: Mind, work: Work, at: int, root: np.ndarray
) -> tuple[int, float]:
    """FI-8.3: ashore; there is somewhere to go."""
    best = choices.stop()
    most = NONE
    cells = rule.swim_targets(rules, view, view.decider)
    while cells:
        cell = bits.first(cells)
        cells &= cells - 1
        worth = _after(rules, copy, row, mind, work, at, root, choices.swim(cell))
        if worth > most:
            most = worth
            best = choices.swim(cell)
    return best, most


@jit
def _save(
    rules: Rules, view: View, copy: View, row: Row, mind: Mind, work: Work, at: int, root: np.ndarray
) -> tuple[int, float]:
    """Knob `sandbags_save_sinking`: Sandbags for the revealed card, or let the tile sink."""
    saving = choices.sandbags(fullest(rules, view, SANDBAGS), view.revealed)
    saved = _after(rules, copy, row, mind, work, at, root, saving)
    rule.sink_tile(copy, row, view.revealed)
    if (
        view.revealed == view.landing
        or rule.treasure_lost(copy, view.revealed)
        or rule.doomed(rules, copy, rule.pawns_on(rules, copy, view.revealed))
    ):
        return saving, saved
    sunk = value(rules, copy, mind, work, at)
    if sunk >= saved:
        return choices.stop(), sunk
    return saving, saved


@jit
def _flood(rules: Rules, view: View, copy: View, row: Row, mind: Mind, work: Work, at: int) -> tuple[int, float]:
    """Knob `flood_cards_in_treasure_deck`: the tile whose flooding or sinking harms least."""
    best = choices.stop()
    most = NONE
    cells = view.land
    while cells:
        cell = bits.first(cells)
        cells &= cells - 1
        if not view.flooded >> cell & 1:
            rule.flood_tile(copy, cell)
            worth = value(rules, copy, mind, work, at)
        else:
            rule.sink_tile(copy, row, cell)
            worth = -1e12
            if cell != view.landing and not rule.treasure_lost(copy, cell) and not rule.pawns_on(rules, copy, cell):
                worth = value(rules, copy, mind, work, at)
        copy.land = view.land
        copy.flooded = view.flooded
        if worth > most:
            most = worth
            best = choices.flood(cell)
    return best, most

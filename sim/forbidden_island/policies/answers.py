"""What the expert is asked outside the plan of a turn: every answer is valued (`weigh`), the best is given (`decide`).

`copy` is a copy of the view, changed and put back into the packed position `root`; `set_base` has seen it.
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
from sim.forbidden_island.policies.beam import WON, lifts_to
from sim.forbidden_island.policies.cooperative import anyone_trapped, fullest
from sim.forbidden_island.policies.features import OPTIONS, Work, new_work, prepare
from sim.forbidden_island.policies.network import set_base, value
from sim.forbidden_island.policies.position import STATE, carry_out, dear, new_row, new_view, pack, unpack
from sim.forbidden_island.state import Row, Rules, View


@jit
def decide(rules: Rules, view: View, mind: Mind, at: int) -> tuple[int, float]:
    """The answer to whatever is asked but an action, by the network that begins at `at`."""
    # Records taken out of an array do not keep it alive, so whoever makes the arrays only hands them on.
    return _decide(rules, view, mind, at, new_work(), new_view(), new_row())


@jit
def _decide(
    rules: Rules, view: View, mind: Mind, at: int, works: np.ndarray, views: np.ndarray, rows: np.ndarray
) -> tuple[int, float]:
    work = works[0]
    views[0] = view
    weigh(rules, view, views[0], rows[0], mind, work, at)
    best = 0
    for i in range(1, work.options):
        if work.worth[i] > work.worth[best]:
            best = i
    return work.option[best], work.worth[best]


@jit
def weigh(rules: Rules, view: View, copy: View, row: Row, mind: Mind, work: Work, at: int) -> None:
    """Write down the answers to what is asked, and their values.  copy: of the view, which is left as it was."""
    root = np.empty(STATE, np.int64)
    pack(copy, root)
    prepare(rules, copy, work)
    work.options = 0
    now = set_base(rules, copy, mind, work, at)
    if view.decision == DISCARD_DOWN:
        for card in range(SANDBAGS + 1):  # FI-7.2: a card of the hand that is too large
            if view.hand[view.decider, card]:
                _offer_after(rules, copy, row, mind, work, at, root, choices.discard(card))
        _special(rules, view, copy, row, mind, work, at, root)
    elif view.decision == SWIM_NOW:
        cells = rule.swim_targets(rules, view, view.decider)  # FI-8.3: there is somewhere to go
        while cells:
            cell = bits.first(cells)
            cells &= cells - 1
            _offer_after(rules, copy, row, mind, work, at, root, choices.swim(cell))
    elif view.decision == SAVE:
        _save(rules, view, copy, row, mind, work, at, root)
    elif view.decision == CHOOSE_FLOOD:
        _flood(rules, view, copy, row, mind, work, at)
    else:
        _offer(work, choices.stop(), now)
        if view.decision == WINDOW:
            _special(rules, view, copy, row, mind, work, at, root)


@jit
def _offer(work: Work, choice: int, worth: float) -> None:
    if work.options < OPTIONS:
        work.option[work.options] = choice
        work.worth[work.options] = worth
        work.options += 1


@jit
def _offer_after(
    rules: Rules, copy: View, row: Row, mind: Mind, work: Work, at: int, root: np.ndarray, choice: int
) -> None:
    """A choice with the value of what it makes of the position."""
    carry_out(rules, copy, row, choice)
    _offer(work, choice, value(rules, copy, mind, work, at))
    unpack(copy, root)


@jit
def _special(rules: Rules, view: View, copy: View, row: Row, mind: Mind, work: Work, at: int, root: np.ndarray) -> None:
    """Special cards: by the owner of a full hand, or by anybody between two cards.

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
                _offer_after(rules, copy, row, mind, work, at, root, choices.sandbags(bags, cell))
    if lift < 0:
        return
    if not rules.leave_by_action and rule.ready_to_leave(rules, view):
        _offer(work, choices.escape(lift), WON)
        return
    goals = lifts_to(rules, view)
    done = 0
    for seat in range(rules.players):
        cell = view.pawn[seat]
        if cell < 0:
            continue
        group = rule.pawns_on(rules, view, cell)
        ends = goals & ~(1 << cell)
        while ends:
            end = bits.first(ends)
            ends &= ends - 1
            _offer_after(rules, copy, row, mind, work, at, root, choices.lift(lift, end, 1 << seat))
            if group & (group - 1) and not done >> cell & 1:
                _offer_after(rules, copy, row, mind, work, at, root, choices.lift(lift, end, group))
        done |= 1 << cell


@jit
def _save(rules: Rules, view: View, copy: View, row: Row, mind: Mind, work: Work, at: int, root: np.ndarray) -> None:
    """Knob `sandbags_save_sinking`: Sandbags for the revealed card, or let the tile sink."""
    saving = choices.sandbags(fullest(rules, view, SANDBAGS), view.revealed)
    rule.sink_tile(copy, row, view.revealed)
    if not (
        view.revealed == view.landing
        or rule.treasure_lost(copy, view.revealed)
        or rule.doomed(rules, copy, rule.pawns_on(rules, copy, view.revealed))
    ):
        _offer(work, choices.stop(), value(rules, copy, mind, work, at))
    copy.land = view.land
    copy.flooded = view.flooded
    _offer_after(rules, copy, row, mind, work, at, root, saving)


@jit
def _flood(rules: Rules, view: View, copy: View, row: Row, mind: Mind, work: Work, at: int) -> None:
    """Knob `flood_cards_in_treasure_deck`: the tile whose flooding or sinking harms least."""
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
        _offer(work, choices.flood(cell), worth)

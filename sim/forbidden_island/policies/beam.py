"""Beam search over one turn: all orders of actions, special cards and the discards they force, the best ends kept.

A layer holds the positions after so many actions.  Every position is valued as the end of the action phase; the plan
is the way to the best one of all layers.  While something is flooded whose sinking may end the game, a layer also keeps
positions that save it or are on the way there, however low their value is.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from sim.core import bits
from sim.core.compile import COMPILED, jit
from sim.core.policy import Mind
from sim.forbidden_island import choices, legal
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import (
    ALL_TREASURES,
    ENGINEER,
    FLY,
    HELICOPTER,
    MOVE,
    N_TREASURES,
    NAVIGATE,
    NAVIGATOR,
    SANDBAGS,
    SHORE_UP,
    SHORE_UP_TWO,
)
from sim.forbidden_island.policies.cooperative import fullest, stood_on
from sim.forbidden_island.policies.features import Work, prepare
from sim.forbidden_island.policies.network import move_base, set_base, value
from sim.forbidden_island.policies.position import (
    STATE,
    at_stake,
    carry_out,
    count_lifts,
    dear,
    full_hand_of,
    pack,
    pack_light,
    pawn_of,
    unpack,
    unpack_light,
)
from sim.forbidden_island.state import Row, Rules, View

Search: TypeAlias = Any  # a record of SEARCH

WIDEST = 40
LAYERS = 11  # actions_per_turn is at most 10
POOL = 768
CHOICES = 256
BOARD_ONLY = (MOVE, FLY, NAVIGATE, SHORE_UP, SHORE_UP_TWO)
"""Actions that touch no card."""
MOST_RESCUED = 10
"""Positions of a layer that are kept for what they save, at most."""
KEPT = (WIDEST + MOST_RESCUED) * LAYERS * 3  # each with two steps of its way, at most
_TABLE = 8192
_FULL = 6000
SPECIALS = 2
"""Special cards that a plan plays between two actions, at most."""
FARTHEST = 9
"""Steps; farther counts as this."""
VALUE_WEIGHT, UNSAVED_WEIGHT, STEP_WEIGHT = 0.3, 3.0, 0.7
"""What counts when positions are rescued: a logit of the value, each tile still at stake, each step to the nearest."""

WON = 1e9

SEARCH = np.dtype(
    [
        ("pool", np.int64, (POOL, STATE)),
        ("pool_value", np.float64, (POOL,)),
        ("pool_from", np.int64, (POOL,)),  # where it came from: a kept position, or (negative) one of the pool
        ("pool_choice", np.int64, (POOL,)),
        ("pool_then", np.int64, (POOL,)),  # what the hand limit forced after it, else 0
        ("pool_tried", np.int64, (POOL,)),
        ("pool_size", np.int64),
        ("choice", np.int64, (CHOICES,)),  # what may be done in one position
        ("choices", np.int64),
        ("pool_taken", np.int64, (POOL,)),  # in the order, or won
        ("pool_urgency", np.float64, (POOL,)),
        ("order", np.int64, (WIDEST + MOST_RESCUED,)),  # the best of the pool, best first; then those rescued
        ("order_size", np.int64),
        ("kept", np.int64, (KEPT, STATE)),
        ("kept_value", np.float64, (KEPT,)),
        ("kept_from", np.int64, (KEPT,)),
        ("kept_choice", np.int64, (KEPT,)),
        ("kept_then", np.int64, (KEPT,)),
        ("kept_whole", np.int64, (KEPT,)),  # 0: only a step to another of its layer
        ("kept_size", np.int64),
        ("mark", np.int64, (_TABLE,)),  # what was valued in this search, by hash
        ("state", np.int64, (STATE,)),
        ("best", np.int64),  # kept position that ends the plan
        ("evaluations", np.int64),
        ("nodes", np.int64),  # how many positions of a layer special cards are tried from: set by the caller
        ("rescue", np.int64),  # how many more of a layer are kept for what they save: set by the caller
        ("stake", np.int64),  # the flooded cells by which the game may end, when the turn begins
        ("far", np.int64, (24,)),  # steps of the active pawn from a cell to where it may shore up one of them
    ],
    align=True,
)
"""Working space of one search."""

if COMPILED:

    @jit
    def new_search() -> np.ndarray:
        """An array of one SEARCH record, not zeroed."""
        return np.empty(1, SEARCH)

else:

    def new_search() -> np.ndarray:
        """The same, with fields as attributes."""
        return np.recarray(1, SEARCH)


@jit
def _put(
    rules: Rules,
    view: View,
    mind: Mind,
    work: Work,
    search: Search,
    at: int,
    source: int,
    choice: int,
    then: int,
    mark: int,
) -> None:
    """Value the position in `view`, packed at the end of the pool, and let it stay there unless it is known.

    mark: its hash and one.
    """
    if search.evaluations >= _FULL:
        return
    place = mark & (_TABLE - 1)
    while search.mark[place] != 0:
        if search.mark[place] == mark:
            return
        place = (place + 1) & (_TABLE - 1)
    search.mark[place] = mark
    i = search.pool_size
    search.pool_value[i] = WON if view.over else value(rules, view, mind, work, at)
    search.pool_from[i] = source
    search.pool_choice[i] = choice
    search.pool_then[i] = then
    search.pool_tried[i] = 0
    search.pool_size = i + 1
    search.evaluations += 1


@jit
def _try(
    rules: Rules,
    view: View,
    row: Row,
    mind: Mind,
    work: Work,
    search: Search,
    at: int,
    state: np.ndarray,
    source: int,
) -> None:
    """Put into the pool what each of the choices makes of the packed position `state`, in which `view` is.

    Choices are few lines of many, and this is the one place where their ends are valued: code that is compiled once.
    """
    for k in range(search.choices):
        choice = search.choice[k]
        light = choices.kind(choice) in BOARD_ONLY
        card = 0
        while card <= SANDBAGS:
            if search.pool_size >= POOL:
                search.choices = 0
                return
            carry_out(rules, view, row, choice)
            then = 0
            if light:
                card = SANDBAGS
                mark = pack_light(view, state, search.pool[search.pool_size]) + 1
            else:
                seat = full_hand_of(rules, view)
                if seat < 0:
                    card = SANDBAGS
                else:
                    while card < SANDBAGS and view.hand[seat, card] == 0:
                        card += 1
                    if view.hand[seat, card]:
                        rule.discard_card(view, row, seat, card)
                        then = choices.discard(card)
                mark = 0
                if seat < 0 or then:
                    mark = pack(view, search.pool[search.pool_size]) + 1
            if mark:
                _put(rules, view, mind, work, search, at, source, choice, then, mark)
            if light:
                unpack_light(view, state)
            else:
                unpack(view, state)
            card += 1
    search.choices = 0


@jit
def _note(search: Search, choice: int) -> None:
    if search.choices < CHOICES:
        search.choice[search.choices] = choice
        search.choices += 1


@jit
def _actions(rules: Rules, view: View, search: Search) -> None:
    """Note everything that may be done for one action (a single shoring of an Engineer who could shore two is left out,
    and so are gifts of cards that nobody needs)."""
    seat = view.active
    cells = rule.move_targets(rules, view, seat)
    walk = cells
    while cells:
        cell = bits.first(cells)
        cells &= cells - 1
        _note(search, choices.move(cell))
    cells = rule.fly_targets(view, seat) & ~walk
    while cells:
        cell = bits.first(cells)
        cells &= cells - 1
        _note(search, choices.fly(cell))
    if view.power[seat] == NAVIGATOR:
        for pawn in range(rules.players):
            if pawn == seat or view.pawn[pawn] < 0:
                continue
            cells = rule.navigate_targets(rules, view, pawn)
            while cells:
                cell = bits.first(cells)
                cells &= cells - 1
                _note(search, choices.navigate(pawn, cell))
    cells = rule.shore_targets(rules, view, seat)
    pairs = view.power[seat] == ENGINEER and cells & (cells - 1) != 0
    while cells:
        cell = bits.first(cells)
        cells &= cells - 1
        if pairs:
            others = cells
            while others:
                other = bits.first(others)
                others &= others - 1
                _note(search, choices.shore_up_two(cell, other))
        else:
            _note(search, choices.shore_up(cell))
    for to in range(rules.players):
        if legal.can_receive(rules, view, seat, to):
            for card in range(N_TREASURES):
                if view.hand[seat, card] and not view.captured >> card & 1:
                    _note(search, choices.give(to, card))
    for treasure in range(N_TREASURES):
        if legal.can_capture(rules, view, seat, treasure):
            _note(search, choices.capture(treasure))
    if rules.leave_by_action and rule.ready_to_leave(rules, view):
        _note(search, choices.leave())


@jit
def lifts_to(rules: Rules, view: View) -> int:
    """Where a flight may be worth while: Fools' Landing, open treasures, pawns."""
    if view.captured == ALL_TREASURES:
        return 1 << view.landing
    return (dear(rules, view) | stood_on(rules, view)) & view.land


@jit
def _specials(rules: Rules, view: View, work: Work, search: Search) -> None:
    """Note the special cards that may be worth playing."""
    holder = fullest(rules, view, HELICOPTER)
    if holder >= 0:
        if not rules.leave_by_action and rule.ready_to_leave(rules, view):
            _note(search, choices.escape(holder))
            return
        goals = lifts_to(rules, view)
        if count_lifts(rules, view) > 1 or rules.leave_by_action or view.captured != ALL_TREASURES:
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
                    _note(search, choices.lift(holder, end, 1 << seat))
                    if group & (group - 1) and not done >> cell & 1:
                        _note(search, choices.lift(holder, end, group))
                done |= 1 << cell
    holder = fullest(rules, view, SANDBAGS)
    if holder >= 0:
        cells = view.flooded
        important = dear(rules, view)
        while cells:
            cell = bits.first(cells)
            cells &= cells - 1
            if important >> cell & 1 or work.soon[cell] + work.then[cell] > 0.1:
                _note(search, choices.sandbags(holder, cell))


@jit
def _order(search: Search, width: int) -> None:
    """The best `width` of the pool, best first; of equals the earlier."""
    n = 0
    for i in range(search.pool_size):
        v = search.pool_value[i]
        if n == width and v <= search.pool_value[search.order[n - 1]]:
            continue
        j = n if n < width else width - 1
        while j > 0 and search.pool_value[search.order[j - 1]] < v:
            search.order[j] = search.order[j - 1]
            j -= 1
        search.order[j] = i
        if n < width:
            n += 1
    search.order_size = n


@jit
def _measure_ways(rules: Rules, view: View, search: Search) -> None:
    """Which cells are at stake, and how far it is on foot from every cell to where a pawn may shore up one of them.

    By the ways of an ordinary pawn: for the roles that get there otherwise it is a guess on the long side.
    """
    for j in range(STATE):
        search.state[j] = search.kept[0, j]
    search.stake = at_stake(rules, view, search.state)
    for cell in range(24):
        search.far[cell] = FARTHEST
    front = search.stake
    for cell in range(24):
        if search.stake >> cell & 1:
            front |= rules.edges[cell]
    front &= view.land
    seen = 0
    steps = 0
    while front and steps < FARTHEST:
        seen |= front
        beyond = 0
        while front:
            cell = bits.first(front)
            front &= front - 1
            search.far[cell] = steps
            beyond |= rules.edges[cell]
        front = beyond & view.land & ~seen
        steps += 1


@jit
def _rescue(rules: Rules, view: View, search: Search) -> None:
    """Add to the order those of the rest of the pool with least at stake and nearest to what was when the turn began.

    By value alone all positions that are kept may be of one kind, none of them on its way to a tile that must not sink.
    """
    for i in range(search.pool_size):
        search.pool_taken[i] = search.pool_value[i] >= WON
    for rank in range(search.order_size):
        search.pool_taken[search.order[rank]] = 1
    for i in range(search.pool_size):
        if not search.pool_taken[i]:
            unsaved = at_stake(rules, view, search.pool[i])
            urgency = VALUE_WEIGHT * search.pool_value[i] - UNSAVED_WEIGHT * bits.count(unsaved)
            pawn = pawn_of(search.pool[i], view.active)
            if unsaved and pawn >= 0:
                urgency -= STEP_WEIGHT * search.far[pawn]
            search.pool_urgency[i] = urgency
    for _ in range(min(search.rescue, MOST_RESCUED)):
        best = -1
        for i in range(search.pool_size):
            if not search.pool_taken[i] and (best < 0 or search.pool_urgency[i] > search.pool_urgency[best]):
                best = i
        if best < 0:
            return
        search.pool_taken[best] = 1
        search.order[search.order_size] = best
        search.order_size += 1


@jit
def _specials_from(rules: Rules, view: View, row: Row, mind: Mind, work: Work, search: Search, at: int, i: int) -> None:
    """Try special cards from a position of the pool, once."""
    if search.pool_tried[i]:
        return
    search.pool_tried[i] = 1
    unpack(view, search.pool[i])
    if view.specials_held and not view.over:
        _specials(rules, view, work, search)
        _try(rules, view, row, mind, work, search, at, search.pool[i], -1 - i)


@jit
def _keep(search: Search, i: int, source: int, whole: int) -> int:
    """Move a position of the pool to the kept ones; where it is.  whole: 0 for a mere step on the way to another."""
    k = search.kept_size
    for j in range(STATE):
        search.kept[k, j] = search.pool[i, j]
    search.kept_value[k] = search.pool_value[i]
    search.kept_from[k] = source
    search.kept_choice[k] = search.pool_choice[i]
    search.kept_then[k] = search.pool_then[i]
    search.kept_whole[k] = whole
    search.kept_size = k + 1
    return k


@jit
def _finish_layer(
    rules: Rules, view: View, row: Row, mind: Mind, work: Work, search: Search, at: int, width: int
) -> None:
    """Try special cards from the best positions of the pool, then keep the best and those that rescue, with their ways.

    Special cards are tried from those that rescue as well, unless a special card led there.
    """
    rescuing = search.rescue > 0 and search.stake != 0
    _order(search, width)
    for _ in range(SPECIALS):
        before = search.pool_size
        for rank in range(min(search.nodes, search.order_size)):
            _specials_from(rules, view, row, mind, work, search, at, search.order[rank])
        if rescuing:
            first = search.order_size
            _rescue(rules, view, search)
            for rank in range(first, search.order_size):
                if search.pool_from[search.order[rank]] >= 0:  # not by a special card: those follow the best alone
                    _specials_from(rules, view, row, mind, work, search, at, search.order[rank])
        _order(search, width)
        if search.pool_size == before:
            break
    if rescuing:
        _rescue(rules, view, search)
    for rank in range(search.order_size):
        i = search.order[rank]
        source = search.pool_from[i]
        if source < 0:  # by one or two special cards from a position of the same layer
            middle = -1 - source
            source = search.pool_from[middle]
            if source < 0:
                source = _keep(search, -1 - source, search.pool_from[-1 - source], 0)
            source = _keep(search, middle, source, 0)
        k = _keep(search, i, source, 1)
        if search.kept_value[k] > search.kept_value[search.best]:
            search.best = k


@jit
def search_turn(
    rules: Rules, view: View, row: Row, mind: Mind, work: Work, search: Search, at: int, width: int
) -> None:
    """Search from the position in `view` (a copy, which is left changed) with its actions that are left."""
    prepare(rules, view, work)
    for i in range(_TABLE):
        search.mark[i] = 0
    search.pool_size = 0
    search.choices = 0
    search.kept_size = 0
    search.best = -1
    search.evaluations = 0
    start_value = set_base(rules, view, mind, work, at)
    mark = pack(view, search.kept[0]) + 1
    search.mark[mark & (_TABLE - 1)] = mark
    search.kept_value[0] = start_value
    search.kept_from[0] = -1
    search.kept_choice[0] = -1
    search.kept_then[0] = 0
    search.kept_whole[0] = 1
    search.kept_size = 1
    search.best = 0
    search.stake = 0
    if search.rescue:
        _measure_ways(rules, view, search)
    first = 0
    last = 1
    if view.specials_held:
        for j in range(STATE):
            search.state[j] = search.kept[0, j]
        _specials(rules, view, work, search)
        _try(rules, view, row, mind, work, search, at, search.state, 0)
        _order(search, min(width, 2 * search.nodes))
        for rank in range(search.order_size):
            k = _keep(search, search.order[rank], 0, 1)
            if search.kept_value[k] > search.kept_value[search.best]:
                search.best = k
        last = search.kept_size
    for _ in range(view.actions_left):
        if search.kept_value[search.best] >= WON:
            break
        search.pool_size = 0
        for k in range(first, last):
            if not search.kept_whole[k]:
                continue
            for j in range(STATE):
                search.state[j] = search.kept[k, j]
            unpack(view, search.state)
            move_base(rules, view, mind, work, at)
            _actions(rules, view, search)
            _try(rules, view, row, mind, work, search, at, search.state, k)
        first = search.kept_size
        _finish_layer(rules, view, row, mind, work, search, at, width)
        last = search.kept_size
        if first == last:
            break


@jit
def best_ends(search: Search, plans: int, ends: np.ndarray) -> int:
    """The kept positions of highest value, best first, into `ends`; how many."""
    n = 0
    for k in range(search.kept_size):
        if not search.kept_whole[k]:
            continue
        v = search.kept_value[k]
        if n == plans and v <= search.kept_value[ends[n - 1]]:
            continue
        j = n if n < plans else plans - 1
        while j > 0 and search.kept_value[ends[j - 1]] < v:
            ends[j] = ends[j - 1]
            j -= 1
        ends[j] = k
        if n < plans:
            n += 1
    return n


@jit
def write_plan(search: Search, end: int, plan: np.ndarray) -> int:
    """The choices that lead to a kept position, in order, into `plan`; how many."""
    n = 0
    k = end
    while search.kept_from[k] >= 0:
        n += 1 + (search.kept_then[k] != 0)
        k = search.kept_from[k]
    i = n
    k = end
    while search.kept_from[k] >= 0:
        if search.kept_then[k] != 0:
            i -= 1
            plan[i] = search.kept_then[k]
        i -= 1
        plan[i] = search.kept_choice[k]
        k = search.kept_from[k]
    return n

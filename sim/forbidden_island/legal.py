"""What is legal at each choice: the test the engine makes, and the numbered list that a random player draws from.

`option(rules, view, k)` is the k-th legal choice; with k = -1 it gives how many there are.  The order is: pass, then
the kinds in the order of `constants.KINDS`, each by rising numbers, first the one that varies slowest:

- act: pass (stop); move; fly; navigate (pawn, cell); shore_up; shore_up_two (lesser cell, greater cell); give (seat,
  card); capture; leave; then the special cards.
- window: pass; then the special cards.
- special cards: for each seat that holds a Lift: the escape when the team is ready to leave, else each occupied cell,
  each set of the pawns on it, each other tile; then for each seat that holds Sandbags each flooded tile.  Two of the
  same card in one hand are one option.
- discard: each card in the hand that is too large; then its owner's special cards.
- swim: each cell; under `lift_saves_swimmer` then each Lift for each set of pawns in the water and each tile; and a
  pawn with nowhere to swim may (first in the list) be given up.
- save: pass; then each seat that holds Sandbags.  choose_flood: each tile.
"""

from __future__ import annotations

import numpy as np

from sim.core import bits
from sim.core.compile import jit
from sim.forbidden_island import choices
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import (
    ACT,
    BAG,
    CAPTURE,
    CHOOSE_FLOOD,
    DISCARD,
    DISCARD_DOWN,
    ENGINEER,
    ESCAPE,
    FLOOD,
    FLY,
    GIVE,
    HELICOPTER,
    LEAVE,
    LIFT,
    MOVE,
    N_TREASURES,
    NAVIGATE,
    NAVIGATOR,
    PASS,
    SANDBAGS,
    SAVE,
    SHORE_UP,
    SHORE_UP_TWO,
    SWIM,
    SWIM_NOW,
    WINDOW,
)
from sim.forbidden_island.state import Rules, View

HOW_MANY = np.int64(-1)
"""Instead of the number of an option: how many there are.  Of a type, since a bare −1 has everything compiled twice."""


@jit
def can_capture(rules: Rules, view: View, seat: int, treasure: int) -> bool:
    """FI-4.4: an open treasure, its cards in hand, on one of its tiles."""
    return (
        not view.captured >> treasure & 1
        and view.hand[seat, treasure] >= rules.capture_cost
        and view.treasure_cells[treasure] >> view.pawn[seat] & 1 == 1
    )


@jit
def can_receive(rules: Rules, view: View, seat: int, to: int) -> bool:
    """FI-4.3, FI-5.3 and the knob `give_to_full_hand`: may `seat` hand a card to the player of seat `to`?"""
    if to == seat or view.pawn[to] < 0:
        return False
    if view.pawn[to] != view.pawn[seat] and not rule.gives_from_afar(view, seat):
        return False
    return rules.give_to_full_hand == 1 or view.hand_size[to] < rules.hand_limit


@jit(inline=True)
def useful_kinds(rules: Rules, view: View, seat: int) -> int:
    """How many of the three acts that bring a team on are open on the spot: shore up, give a treasure card, capture."""
    shore = rule.shore_targets(rules, view, seat) != 0
    give = False
    capture = False
    cards = 0
    for treasure in range(N_TREASURES):
        cards += view.hand[seat, treasure]
        capture = capture or can_capture(rules, view, seat, treasure)
    if cards:
        for to in range(rules.players):
            give = give or can_receive(rules, view, seat, to)
    return int(shore) + int(give) + int(capture)


@jit
def _lift_options(view: View, holder: int, group: int, ends: int, k: int) -> int:
    """Every non-empty subset of a group of pawns to each of a set of cells; as `option`."""
    n_ends = bits.count(ends)
    total = ((1 << bits.count(group)) - 1) * n_ends
    if k < 0 or k >= total:
        return total
    which = k // n_ends + 1
    pawns = 0
    place = 0
    while group:
        if which >> place & 1:
            pawns |= 1 << bits.first(group)
        place += 1
        group &= group - 1
    return choices.lift(holder, bits.nth(ends, k % n_ends), pawns)


@jit
def _specials(rules: Rules, view: View, owners: int, k: int) -> int:
    """The special cards that a set of seats may play (FI-6.1, FI-9.1); as `option`."""
    total = 0
    ready = rules.leave_by_action == 0 and rule.ready_to_leave(rules, view)
    for holder in range(rules.players):
        if not owners >> holder & 1 or view.hand[holder, HELICOPTER] == 0:
            continue
        if ready:
            if k == total:
                return choices.escape(holder)
            total += 1
            continue
        done = 0
        for seat in range(rules.players):
            cell = view.pawn[seat]
            if cell < 0 or done >> cell & 1:
                continue
            done |= 1 << cell
            group = rule.pawns_on(rules, view, cell)
            ends = view.land & ~(1 << cell)
            n = _lift_options(view, holder, group, ends, HOW_MANY)
            if total <= k < total + n:
                return _lift_options(view, holder, group, ends, k - total)
            total += n
    n_flooded = bits.count(view.flooded)
    for holder in range(rules.players):
        if owners >> holder & 1 and view.hand[holder, SANDBAGS]:
            if total <= k < total + n_flooded:
                return choices.sandbags(holder, bits.nth(view.flooded, k - total))
            total += n_flooded
    return total


@jit
def _actions(rules: Rules, view: View, k: int) -> int:
    """What the active player may do for an action; as `option`."""
    seat = view.active
    total = 0
    cells = rule.move_targets(rules, view, seat)
    n = bits.count(cells)
    if total <= k < total + n:
        return choices.move(bits.nth(cells, k - total))
    total += n
    cells = rule.fly_targets(view, seat)
    n = bits.count(cells)
    if total <= k < total + n:
        return choices.fly(bits.nth(cells, k - total))
    total += n
    if view.power[seat] == NAVIGATOR:
        for pawn in range(rules.players):
            if pawn == seat or view.pawn[pawn] < 0:
                continue
            cells = rule.navigate_targets(rules, view, pawn)
            n = bits.count(cells)
            if total <= k < total + n:
                return choices.navigate(pawn, bits.nth(cells, k - total))
            total += n
    cells = rule.shore_targets(rules, view, seat)
    n = bits.count(cells)
    if total <= k < total + n:
        return choices.shore_up(bits.nth(cells, k - total))
    total += n
    if view.power[seat] == ENGINEER:
        for i in range(n - 1):
            for j in range(i + 1, n):
                if k == total:
                    return choices.shore_up_two(bits.nth(cells, i), bits.nth(cells, j))
                total += 1
    for to in range(rules.players):
        if can_receive(rules, view, seat, to):
            for card in range(N_TREASURES):
                if view.hand[seat, card]:
                    if k == total:
                        return choices.give(to, card)
                    total += 1
    for treasure in range(N_TREASURES):
        if can_capture(rules, view, seat, treasure):
            if k == total:
                return choices.capture(treasure)
            total += 1
    if rules.leave_by_action and rule.ready_to_leave(rules, view):
        if k == total:
            return choices.leave()
        total += 1
    return total


@jit
def swimmers(rules: Rules, view: View) -> int:
    """The set of seats whose pawn is in the water (SWIM_NOW only)."""
    return rule.pawns_on(rules, view, view.sunk_now) if view.sunk_now >= 0 else 0


@jit
def swim_ways(rules: Rules, view: View) -> int:
    """How many of the options of a pawn in the water are not a Lift: its cells, or the one of being given up."""
    return max(1, bits.count(rule.swim_targets(rules, view, view.decider)))


@jit
def _swims(rules: Rules, view: View, k: int) -> int:
    """How a pawn in the water may be saved; as `option`."""
    seat = view.decider
    cells = rule.swim_targets(rules, view, seat)
    n = bits.count(cells)
    total = 0
    if n == 0:
        if k == 0:
            return choices.stop()
        total = 1
    if total <= k < total + n:
        return choices.swim(bits.nth(cells, k - total))
    total += n
    if rules.lift_saves_swimmer:
        group = swimmers(rules, view)
        for holder in range(rules.players):
            if view.hand[holder, HELICOPTER]:
                n = _lift_options(view, holder, group, view.land, HOW_MANY)
                if total <= k < total + n:
                    return _lift_options(view, holder, group, view.land, k - total)
                total += n
    return total


@jit
def option(rules: Rules, view: View, k: int) -> int:
    """The k-th legal choice of what is being asked, from 0; with k = -1 the number of them (see the module)."""
    everyone = (1 << rules.players) - 1
    decision = view.decision
    if decision == ACT:
        if k == 0:
            return choices.stop()
        n = _actions(rules, view, HOW_MANY)
        if k > n:
            return _specials(rules, view, everyone, k - 1 - n)
        if k > 0:
            return _actions(rules, view, k - 1)
        return 1 + n + (_specials(rules, view, everyone, HOW_MANY) if view.specials_held else 0)
    if decision == WINDOW:
        if k == 0:
            return choices.stop()
        if k > 0:
            return _specials(rules, view, everyone, k - 1)
        return 1 + _specials(rules, view, everyone, HOW_MANY)
    if decision == DISCARD_DOWN:
        total = 0
        for card in range(SANDBAGS + 1):
            if view.hand[view.decider, card]:
                if k == total:
                    return choices.discard(card)
                total += 1
        if k >= 0:
            return _specials(rules, view, 1 << view.decider, k - total)
        return total + _specials(rules, view, 1 << view.decider, HOW_MANY)
    if decision == SWIM_NOW:
        return _swims(rules, view, k)
    if decision == SAVE:
        total = 1
        if k == 0:
            return choices.stop()
        for holder in range(rules.players):
            if view.hand[holder, SANDBAGS]:
                if k == total:
                    return choices.sandbags(holder, view.revealed)
                total += 1
        return total
    if k >= 0:
        return choices.flood(bits.nth(view.land, k))
    return bits.count(view.land)


@jit
def _is_cell(cell: int, cells: int) -> bool:
    return cells >> cell & 1 == 1


@jit
def _special_allowed(rules: Rules, view: View, owners: int, choice: int) -> bool:
    """FI-6.1, FI-9.1."""
    kind = choices.kind(choice)
    holder = choices.a(choice)
    if holder >= rules.players or not owners >> holder & 1:
        return False
    if kind == BAG:
        return (
            view.hand[holder, SANDBAGS] > 0
            and choice == choices.sandbags(holder, choices.b(choice))
            and _is_cell(choices.b(choice), view.flooded)
        )
    if view.hand[holder, HELICOPTER] == 0:
        return False
    ready = rules.leave_by_action == 0 and rule.ready_to_leave(rules, view)
    if kind == ESCAPE:
        return ready and choice == choices.escape(holder)
    if kind != LIFT or ready:
        return False
    to = choices.b(choice)
    pawns = choices.c(choice)
    if pawns == 0 or pawns >> rules.players or choice != choices.lift(holder, to, pawns) or not _is_cell(to, view.land):
        return False
    cell = view.pawn[bits.first(pawns)]
    return cell >= 0 and cell != to and rule.pawns_on(rules, view, cell) & pawns == pawns


@jit(inline=True)
def _action_allowed(rules: Rules, view: View, choice: int) -> bool:
    """Sections 4 and 5."""
    seat = view.active
    kind = choices.kind(choice)
    first = choices.a(choice)
    second = choices.b(choice)
    if kind == MOVE:
        return choice == choices.move(first) and _is_cell(first, rule.move_targets(rules, view, seat))
    if kind == SHORE_UP:
        return choice == choices.shore_up(first) and _is_cell(first, rule.shore_targets(rules, view, seat))
    if kind == GIVE:
        return (
            choice == choices.give(first, second)
            and first < rules.players
            and second < N_TREASURES
            and view.hand[seat, second] > 0
            and can_receive(rules, view, seat, first)
        )
    if kind == CAPTURE:
        return choice == choices.capture(first) and first < N_TREASURES and can_capture(rules, view, seat, first)
    if kind == FLY:
        return choice == choices.fly(first) and _is_cell(first, rule.fly_targets(view, seat))
    if kind == NAVIGATE:
        return (
            choice == choices.navigate(first, second)
            and view.power[seat] == NAVIGATOR
            and first < rules.players
            and first != seat
            and view.pawn[first] >= 0
            and _is_cell(second, rule.navigate_targets(rules, view, first))
        )
    if kind == SHORE_UP_TWO:
        cells = rule.shore_targets(rules, view, seat)
        return (
            view.power[seat] == ENGINEER
            and first < second
            and choice == choices.shore_up_two(first, second)
            and _is_cell(first, cells)
            and _is_cell(second, cells)
        )
    return (
        kind == LEAVE and choice == choices.leave() and rules.leave_by_action == 1 and rule.ready_to_leave(rules, view)
    )


@jit
def allows(rules: Rules, view: View, choice: int) -> bool:
    """Is this a legal answer to what is being asked?"""
    everyone = (1 << rules.players) - 1
    decision = view.decision
    kind = choices.kind(choice)
    if decision == ACT:
        if choice == PASS:
            return True
        if kind >= LIFT:
            return _special_allowed(rules, view, everyone, choice)
        return _action_allowed(rules, view, choice)
    if decision == WINDOW:
        return choice == PASS or _special_allowed(rules, view, everyone, choice)
    if decision == DISCARD_DOWN:
        if kind == DISCARD:
            card = choices.a(choice)
            return choice == choices.discard(card) and card <= SANDBAGS and view.hand[view.decider, card] > 0
        return _special_allowed(rules, view, 1 << view.decider, choice)
    if decision == SWIM_NOW:
        cells = rule.swim_targets(rules, view, view.decider)
        if kind == SWIM:
            return choice == choices.swim(choices.a(choice)) and _is_cell(choices.a(choice), cells)
        if kind == LIFT and rules.lift_saves_swimmer:
            group = swimmers(rules, view)
            holder = choices.a(choice)
            to = choices.b(choice)
            pawns = choices.c(choice)
            return (
                holder < rules.players
                and view.hand[holder, HELICOPTER] > 0
                and pawns != 0
                and pawns & ~group == 0
                and choice == choices.lift(holder, to, pawns)
                and _is_cell(to, view.land)
            )
        return choice == PASS and cells == 0
    if decision == SAVE:
        holder = choices.a(choice)
        return choice == PASS or (
            kind == BAG
            and holder < rules.players
            and view.hand[holder, SANDBAGS] > 0
            and choice == choices.sandbags(holder, view.revealed)
        )
    if decision == CHOOSE_FLOOD:
        return kind == FLOOD and choice == choices.flood(choices.a(choice)) and _is_cell(choices.a(choice), view.land)
    return False

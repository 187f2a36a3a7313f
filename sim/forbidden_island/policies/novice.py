"""A family at its first game: everybody plays for themselves, with what lies near and what is in their own hand.

What each does in a turn, in this order:

1. Capture, when the own hand holds the cards for it and the pawn stands there; else go there.
2. Give a card to somebody who stands here, or near by, and holds more of the kind.
3. Go to Fools' Landing, or to the treasure of the own cards, when it is flooded and so near that this turn will do.
4. Shore up what is near, whichever tiles they are: the eye falls on Fools' Landing first, then on the own tile.
5. Run towards the treasure of which the own hand holds most cards, however few they are.
6. Go and see where something is flooded.

With all four treasures everybody goes to Fools' Landing. Lifts are hoarded for that day: before it no Lift is played,
but where no way on foot leads to the own treasure, and the last Lift of a hand is not discarded while there is another
card. A hand that is too large loses the kind of which it holds fewest; Sandbags are rather thrown than discarded.
Nobody counts cards, looks at the discards or asks what the others need, and but for these no tile is dearer than
another.
"""

from __future__ import annotations

from pathlib import Path

from sim.core import bits
from sim.core.compile import jit
from sim.core.game import Parameter
from sim.core.policy import Mind, because, policy
from sim.core.rng import Stream
from sim.forbidden_island import choices, legal
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import (
    ACT,
    ALL_TREASURES,
    CHOOSE_FLOOD,
    DISCARD_DOWN,
    ENGINEER,
    HELICOPTER,
    N_TREASURES,
    SANDBAGS,
    SAVE,
    SWIM_NOW,
    WINDOW,
)
from sim.forbidden_island.policies.cooperative import distance, lift_holder, rescue, step_towards, way_out
from sim.forbidden_island.state import Rules, View

PARAMETERS = (
    Parameter("near_by", 2.0, 0.0, 5.0, "steps that it goes to hand somebody a card; 0: only to who stands there"),
    Parameter("run_at", 2.0, 1.0, 10.0, "cards of one kind in hand with which it runs for the treasure"),
)
_NEAR_BY, _RUN_AT = range(2)

REASONS = (
    "its own hand holds the cards",
    "to capture with its own {card} cards",
    "{player} is near and has more of the kind",
    "flooded, and near",
    "what it cares for is flooded",
    "towards the treasure of its {card} cards",
    "something is flooded over there",
    "all treasures are captured: to Fools' Landing",
    "everybody is on Fools' Landing",
    "of this it has the fewest",
    "rather thrown than discarded",
    "dry ground",
    "the ground under its own feet",
    "far from its own pawn",
    "nothing near is flooded and its cards lead nowhere",
)
(
    _CAPTURE,
    _TO_CAPTURE,
    _GIVE,
    _NEAR,
    _CARE,
    _RUN,
    _LOOK,
    _HOME,
    _LEAVE,
    _FEWEST,
    _RATHER,
    _DRY,
    _OWN_GROUND,
    _FAR_OFF,
    _NOTHING,
) = range(1, len(REASONS) + 1)


@jit
def favourite(view: View, seat: int) -> int:
    """The open treasure of which a hand holds most cards; -1 when it holds none."""
    best = -1
    most = 0
    for treasure in range(N_TREASURES):
        if not view.captured >> treasure & 1 and view.hand[seat, treasure] > most:
            most = view.hand[seat, treasure]
            best = treasure
    return best


@jit
def eye_catching(view: View, wet: int, here: int) -> int:
    """Which of some flooded cells is seen to first: Fools' Landing, the own one, one with a treasure, any."""
    if wet >> view.landing & 1:
        return view.landing
    if here >= 0 and wet >> here & 1:
        return here
    for treasure in range(N_TREASURES):
        cells = view.treasure_cells[treasure] & wet
        if cells and not view.captured >> treasure & 1:
            return bits.first(cells)
    return bits.first(wet)


@jit
def shore_here(rules: Rules, view: View, seat: int) -> int:
    """Shore up what is near: the own tile first (the Engineer two at once); stop() when all is dry."""
    wet = rule.shore_targets(rules, view, seat)
    if wet == 0:
        return choices.stop()
    here = view.pawn[seat]
    first = eye_catching(view, wet, here)
    wet &= ~(1 << first)
    if view.power[seat] == ENGINEER and wet:
        return choices.shore_up_two(first, bits.first(wet))
    return choices.shore_up(first)


@jit
def to_what_it_cares_for(rules: Rules, view: View, seat: int, cells: int) -> int:
    """A step to where one of some cells, flooded, could be shored up in this turn; stop() where it can be at once."""
    cells &= view.flooded
    if cells == 0:
        return choices.stop()
    near = 1 << view.pawn[seat]
    around = near | rule.spread(near, rules.edge_spread)
    if around & cells:
        return choices.stop()
    for _ in range(view.actions_left):
        near = around & view.land
        around = near | rule.spread(near, rules.edge_spread)
        if around & cells:
            return step_towards(rules, view, seat, around & cells)
    return choices.stop()


@jit
def gift(rules: Rules, view: View, mind: Mind, seat: int) -> int:
    """A card for somebody here who has no less of the kind, or the step to somebody near who has; else stop()."""
    near = 1 << view.pawn[seat]
    reach = int(min(mind.numbers[_NEAR_BY], view.actions_left - 1.0))
    for way in range(reach + 1):
        for to in range(rules.players):
            if (
                to == seat
                or view.pawn[to] < 0
                or (view.hand_size[to] >= rules.hand_limit and not rules.give_to_full_hand)
            ):
                continue
            if way == 0 and not legal.can_receive(rules, view, seat, to):
                continue
            if way and not near >> view.pawn[to] & 1:
                continue
            for treasure in range(N_TREASURES):
                if view.captured >> treasure & 1 or view.hand[seat, treasure] == 0:
                    continue
                theirs = view.hand[to, treasure]
                mine = view.hand[seat, treasure]
                more = theirs > mine or (theirs == mine and view.hand_size[to] < view.hand_size[seat])
                if more and theirs < rules.capture_cost:
                    because(mind, _GIVE, to)
                    if way:
                        return step_towards(rules, view, seat, 1 << view.pawn[to])
                    return choices.give(to, treasure)
        near |= rule.spread(near, rules.edge_spread) & view.land
    return choices.stop()


@jit
def go(rules: Rules, view: View, seat: int, goal: int) -> int:
    """A step towards a set of cells; where no way leads there a Lift, if it is not the last one; else stop()."""
    step = step_towards(rules, view, seat, goal)
    if step:
        return step
    lifts = 0
    for other in range(rules.players):
        lifts += view.hand[other, HELICOPTER]
    if lifts > 1 - rules.leave_by_action and not goal >> view.pawn[seat] & 1:
        return choices.lift(lift_holder(rules, view), bits.first(goal), 1 << seat)
    return choices.stop()


@jit
def home(rules: Rules, view: View, mind: Mind, seat: int) -> int:
    """With all treasures: leave, or go to Fools' Landing."""
    if rule.ready_to_leave(rules, view):
        because(mind, _LEAVE, 0)
        if rules.leave_by_action:
            return choices.leave()
    if not rules.leave_by_action:
        choice = way_out(rules, view)
        if choice:
            because(mind, _LEAVE, 0)
            return choice
    if view.pawn[seat] != view.landing:
        because(mind, _HOME, 0)
        return go(rules, view, seat, 1 << view.landing)
    because(mind, _CARE, 0)
    return shore_here(rules, view, seat)


@jit
def act(rules: Rules, view: View, mind: Mind) -> int:
    """One action of the active player."""
    seat = view.active
    if view.captured == ALL_TREASURES:
        return home(rules, view, mind, seat)
    best = favourite(view, seat)
    cells = 0
    if best >= 0:
        cells = view.treasure_cells[best] & view.land
        if view.hand[seat, best] >= rules.capture_cost:
            if cells >> view.pawn[seat] & 1:
                because(mind, _CAPTURE, best)
                return choices.capture(best)
            step = go(rules, view, seat, cells)
            if step:
                because(mind, _TO_CAPTURE, best)
                return step
    choice = gift(rules, view, mind, seat)
    if choice:
        return choice
    step = to_what_it_cares_for(rules, view, seat, 1 << view.landing | cells)
    if step:
        because(mind, _CARE, 0)
        return step
    choice = shore_here(rules, view, seat)
    if choice:
        because(mind, _NEAR, 0)
        return choice
    if best >= 0 and view.hand[seat, best] >= mind.numbers[_RUN_AT] and not cells >> view.pawn[seat] & 1:
        step = step_towards(rules, view, seat, cells)
        if step:
            because(mind, _RUN, best)
            return step
    if view.flooded:
        because(mind, _LOOK, 0)
        return step_towards(rules, view, seat, view.flooded)
    because(mind, _NOTHING, 0)
    return choices.stop()


@jit
def discard_down(rules: Rules, view: View, mind: Mind) -> int:
    """FI-7.2: Sandbags are thrown; else the kind of which the hand holds fewest goes, a Lift last."""
    seat = view.decider
    if view.hand[seat, SANDBAGS] and view.flooded:
        because(mind, _RATHER, 0)
        return choices.sandbags(seat, eye_catching(view, view.flooded, view.pawn[seat]))
    because(mind, _FEWEST, 0)
    best = -1
    for card in range(N_TREASURES):
        if view.hand[seat, card] and (view.captured >> card & 1 or view.hand[seat, card] > rules.capture_cost):
            return choices.discard(card)
    if view.hand[seat, HELICOPTER] > 1:
        return choices.discard(HELICOPTER)
    for card in range(N_TREASURES):
        held = view.hand[seat, card]
        if held and (best < 0 or held < view.hand[seat, best]):
            best = card
    if best < 0:
        best = SANDBAGS if view.hand[seat, SANDBAGS] else HELICOPTER
    return choices.discard(best)


@jit
def swim(rules: Rules, view: View, mind: Mind) -> int:
    """FI-8.3: to dry ground if there is any."""
    cells = rule.swim_targets(rules, view, view.decider)
    if cells == 0:
        return rescue(rules, view, view.decider)
    because(mind, _DRY, 0)
    dry = cells & ~view.flooded
    return choices.swim(bits.first(dry if dry else cells))


@jit
def save(rules: Rules, view: View, mind: Mind) -> int:
    """Knob `sandbags_save_sinking`: only the ground under the own feet is worth Sandbags."""
    for seat in range(rules.players):
        if view.hand[seat, SANDBAGS] and view.pawn[seat] == view.revealed:
            because(mind, _OWN_GROUND, 0)
            return choices.sandbags(seat, view.revealed)
    return choices.stop()


@jit
def far_off(rules: Rules, view: View, mind: Mind) -> int:
    """Knob `flood_cards_in_treasure_deck`: a dry tile as far as can be from the own pawn, else a flooded one."""
    seat = view.active
    cells = view.land & ~view.flooded
    if cells == 0:
        cells = view.land
    best = bits.first(cells)
    longest = -1
    while cells:
        cell = bits.first(cells)
        cells &= cells - 1
        way = distance(rules, view, view.power[seat], view.pawn[seat], 1 << cell)
        if way > longest:
            longest = way
            best = cell
    because(mind, _FAR_OFF, 0)
    return choices.flood(best)


@policy(
    "novice",
    parameters=PARAMETERS,
    reasons=REASONS,
    games_per_second=110_000,
    sources=(Path(__file__).with_name("cooperative.py"),),
)
def novice(rules: Rules, view: View, mind: Mind, stream: Stream) -> int:
    decision = view.decision
    if decision == ACT:
        return act(rules, view, mind)
    if decision == WINDOW:
        if view.captured == ALL_TREASURES and not rules.leave_by_action:
            because(mind, _LEAVE, 0)
            return way_out(rules, view)
        return choices.stop()
    if decision == DISCARD_DOWN:
        return discard_down(rules, view, mind)
    if decision == SWIM_NOW:
        return swim(rules, view, mind)
    if decision == SAVE:
        return save(rules, view, mind)
    if decision == CHOOSE_FLOOD:
        return far_off(rules, view, mind)
    return choices.stop()

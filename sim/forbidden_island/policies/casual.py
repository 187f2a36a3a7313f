"""A practised table on a relaxed evening: knows what must not sink and that cards must come together, plans one turn.

Each in turn looks at what could be done, and does the first step of what is worth most for each action it takes:

1. Capture a treasure, or go there with its cards in hand.
2. Shore up: Fools' Landing and the last tile of an open treasure are dear, then a treasure's tile whose twin is
   flooded, then one whose twin is dry, then any other.
3. Hand a card to who collects the kind (who holds most of it), by going there; worth more the more the collector
   has, and most when the table holds enough for a capture.
4. With three treasures, and with nothing better to do, go home.

What cannot be finished in this turn is worth little. Lifts are kept for the end, but one that is to spare carries who
can capture, or is played or discarded when its holder's hand is too large. Sandbags are thrown when something dear is
flooded. A hand that is too large loses a kind that is captured, then the kind with the fewest cards. With all four
treasures everybody goes home, and Lifts that are to spare fetch who is far.

It forgets the discards: every flooded tile seems as likely to sink as any other, be its card on top after a rise or
long gone, and no card is counted.
"""

from __future__ import annotations

from pathlib import Path

from sim.core import bits
from sim.core.compile import jit
from sim.core.game import Parameter
from sim.core.policy import Mind, because, policy
from sim.core.rng import Stream
from sim.forbidden_island import choices
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import (
    ACT,
    ALL_TREASURES,
    CHOOSE_FLOOD,
    DISCARD_DOWN,
    ENGINEER,
    EXPLORER,
    FIRST_TREASURE_TILE,
    HELICOPTER,
    MESSENGER,
    N_TREASURES,
    SANDBAGS,
    SAVE,
    SWIM_NOW,
    WINDOW,
)
from sim.forbidden_island.policies.cooperative import (
    actions_to,
    bags_holder,
    gather_by_lift,
    lift_holder,
    reach_of,
    rescue,
    step_towards,
    way_out,
)
from sim.forbidden_island.state import Rules, View

PARAMETERS = (
    Parameter("teamwork", 1.0, 0.0, 10.0, "how much handing cards over counts against the rest"),
    Parameter("dearness", 3.0, 0.0, 10.0, "from which worth on a flooded tile has Sandbags thrown at it"),
)
_TEAMWORK, _DEARNESS = range(2)

REASONS = (
    "its hand holds the cards",
    "to capture with its own {card} cards",
    "{player} collects these",
    "to hand {player} a card",
    "{tile} must not sink",
    "to shore up {tile}",
    "the Lift is to spare, and brings {player} to a capture",
    "home, for the last Lift",
    "all treasures are captured",
    "of a kind that somebody else collects, or nobody needs",
    "dry ground",
    "least missed",
    "nothing is worth an action",
)
(
    _CAPTURE,
    _TO_CAPTURE,
    _GIVE,
    _TO_GIVE,
    _SHORE,
    _TO_SHORE,
    _BY_LIFT,
    _HOME,
    _DONE,
    _UNNEEDED,
    _DRY,
    _LEAST,
    _NOTHING,
) = range(1, len(REASONS) + 1)

_LANDING = 9.0
_LAST_TILE = 6.0
_TWIN_FLOODED = 2.0
_TWIN_DRY = 1.2
_PLAIN = 0.75
"""What shoring up a tile is worth, by what the tile is; the rest is in the same unit."""

_TO_CAPTURE_IS_WORTH = 30.0
_TO_GO_HOME_IS_WORTH = 0.25
_A_CARD = 0.4
_EACH_CARD_THERE = 0.5
_FROM_A_FULL_HAND = 1.0
_TO_COMPLETE = 7.0
_NEXT_TURN = 0.2
"""Share of its worth that is left to what this turn cannot finish."""


@jit
def worth_of_tile(view: View, cell: int) -> float:
    """How much a tile would be missed, as everybody at the table knows."""
    if cell == view.landing:
        return _LANDING
    treasure = (view.tile_at[cell] - FIRST_TREASURE_TILE) >> 1
    if 0 <= treasure < N_TREASURES and not view.captured >> treasure & 1:
        twin = view.treasure_cells[treasure] & ~(1 << cell)
        if twin & view.land == 0:
            return _LAST_TILE
        return _TWIN_FLOODED if twin & view.flooded else _TWIN_DRY
    return _PLAIN


@jit
def collector(rules: Rules, view: View, treasure: int) -> int:
    """Who holds most cards of a treasure (the first of several); -1 when nobody holds one."""
    best = -1
    for seat in range(rules.players):
        held = view.hand[seat, treasure]
        if view.pawn[seat] >= 0 and held and (best < 0 or held > view.hand[best, treasure]):
            best = seat
    return best


@jit
def in_all_hands(rules: Rules, view: View, treasure: int) -> int:
    """How many cards of a treasure the players hold together."""
    held = 0
    for seat in range(rules.players):
        held += view.hand[seat, treasure]
    return held


@jit
def worth_of_card(rules: Rules, view: View, seat: int, who: int, treasure: int) -> float:
    """What it is worth to hand a card to its collector: more for a full hand and for enough cards on the table."""
    worth = _A_CARD + _EACH_CARD_THERE * view.hand[who, treasure]
    if view.hand_size[seat] + rules.cards_per_turn > rules.hand_limit:
        worth += _FROM_A_FULL_HAND
    if in_all_hands(rules, view, treasure) >= rules.capture_cost:
        worth += _TO_COMPLETE
    return worth


@jit
def rate(view: View, worth: float, actions: int) -> float:
    """Worth for each action; a quarter of it for what this turn cannot finish."""
    return worth / actions if actions <= view.actions_left else _NEXT_TURN * worth / actions


@jit
def act(rules: Rules, view: View, mind: Mind) -> int:
    """One action, or a Lift, of the active player."""
    seat = view.active
    finished = view.captured == ALL_TREASURES
    if finished:
        because(mind, _DONE, 0)
        if rules.leave_by_action and rule.ready_to_leave(rules, view):
            return choices.leave()
        choice = choices.stop() if rules.leave_by_action else way_out(rules, view)
        if choice == 0:
            choice = gather_by_lift(rules, view)
        if choice:
            return choice
        if view.pawn[seat] != view.landing:
            because(mind, _HOME, 0)
            return step_towards(rules, view, seat, 1 << view.landing)
    reach = reach_of(rules, view, seat)
    best = 0.0
    goal = 0
    deed = choices.stop()
    why = _NOTHING
    why_go = _NOTHING
    about = 0

    wet = view.flooded
    while wet:
        cell = bits.first(wet)
        wet &= wet - 1
        from_where = (rules.around[cell] if view.power[seat] == EXPLORER else rules.edges[cell]) | 1 << cell
        way = actions_to(from_where & view.land, reach)
        if finished and way:
            continue
        score = rate(view, worth_of_tile(view, cell), way + 1)
        if score > best:
            best = score
            goal = from_where & view.land
            deed = choices.shore_up(cell)
            why = _SHORE
            why_go = _TO_SHORE
            about = cell

    for treasure in range(N_TREASURES):
        if view.captured >> treasure & 1:
            continue
        cells = view.treasure_cells[treasure] & view.land
        who = collector(rules, view, treasure)
        if view.hand[seat, treasure] >= rules.capture_cost:
            way = actions_to(cells, reach)
            score = rate(view, _TO_CAPTURE_IS_WORTH, way + 1)
            if score > best:
                best = score
                goal = cells
                deed = choices.capture(treasure)
                why = _CAPTURE
                why_go = _TO_CAPTURE
                about = treasure
        elif who >= 0 and who != seat and view.hand[seat, treasure]:
            theirs = view.hand[who, treasure]
            if theirs >= rules.capture_cost or (
                view.hand_size[who] >= rules.hand_limit and not rules.give_to_full_hand
            ):
                continue
            way = 0 if view.power[seat] == MESSENGER else actions_to(1 << view.pawn[who], reach)
            score = rate(view, mind.numbers[_TEAMWORK] * worth_of_card(rules, view, seat, who, treasure), way + 1)
            if score > best:
                best = score
                goal = 1 << view.pawn[seat] if way == 0 else 1 << view.pawn[who]
                deed = choices.give(who, treasure)
                why = _GIVE
                why_go = _TO_GIVE
                about = who

    if bits.count(view.captured) >= N_TREASURES - 1 and view.pawn[seat] != view.landing and best < _TO_GO_HOME_IS_WORTH:
        because(mind, _HOME, 0)
        return step_towards(rules, view, seat, 1 << view.landing)
    if goal == 0:
        because(mind, _NOTHING, 0)
        return choices.stop()
    if goal >> view.pawn[seat] & 1:
        because(mind, why, about)
        if why == _SHORE and view.power[seat] == ENGINEER:
            return two_tiles(rules, view, seat, choices.a(deed))
        return deed
    if why == _CAPTURE and actions_to(goal, reach) >= view.actions_left:
        holder = lift_holder(rules, view)
        if holder >= 0 and lifts_held(rules, view) > 1 - rules.leave_by_action:
            because(mind, _BY_LIFT, seat)
            return choices.lift(holder, bits.first(goal), 1 << seat)
    because(mind, why_go, about)
    return step_towards(rules, view, seat, goal)


@jit
def two_tiles(rules: Rules, view: View, seat: int, cell: int) -> int:
    """FI-5.2: with the tile that matters most the next that is in reach."""
    wet = rule.shore_targets(rules, view, seat) & ~(1 << cell)
    other = -1
    most = 0.0
    while wet:
        next_cell = bits.first(wet)
        wet &= wet - 1
        worth = worth_of_tile(view, next_cell)
        if worth > most:
            most = worth
            other = next_cell
    return choices.shore_up(cell) if other < 0 else choices.shore_up_two(cell, other)


@jit
def lifts_held(rules: Rules, view: View) -> int:
    """How many Lifts are in hands."""
    held = 0
    for seat in range(rules.players):
        held += view.hand[seat, HELICOPTER]
    return held


@jit
def dearest_wet(view: View) -> tuple[int, float]:
    """The flooded cell that would be missed most, and how much; (-1, 0.0) when all is dry."""
    best = -1
    most = 0.0
    wet = view.flooded
    while wet:
        cell = bits.first(wet)
        wet &= wet - 1
        worth = worth_of_tile(view, cell)
        if worth > most:
            most = worth
            best = cell
    return best, most


@jit
def between(rules: Rules, view: View, mind: Mind) -> int:
    """A special card between two steps: the way out at the end; Sandbags for what must not sink."""
    if view.captured == ALL_TREASURES and not rules.leave_by_action:
        choice = way_out(rules, view)
        if choice:
            because(mind, _DONE, 0)
            return choice
    holder = bags_holder(rules, view)
    if holder >= 0:
        cell, worth = dearest_wet(view)
        if cell >= 0 and worth >= mind.numbers[_DEARNESS]:
            because(mind, _SHORE, cell)
            return choices.sandbags(holder, cell)
    return choices.stop()


@jit
def discard_down(rules: Rules, view: View, mind: Mind) -> int:
    """FI-7.2: what nobody needs, then a kind that somebody else collects, then the kind with fewest; a Lift last."""
    seat = view.decider
    best = -1
    least = 99.0
    for card in range(N_TREASURES):
        held = view.hand[seat, card]
        if held == 0:
            continue
        keep = float(held)
        if view.captured >> card & 1 or held > rules.capture_cost:
            keep = 0.0
        elif collector(rules, view, card) != seat:
            keep = 2.0 * held
        if keep < least:
            least = keep
            best = card
    if least > 0.0 and view.hand[seat, SANDBAGS]:
        cell, _ = dearest_wet(view)
        if cell >= 0:
            because(mind, _SHORE, cell)
            return choices.sandbags(seat, cell)
    if view.hand[seat, HELICOPTER] and least >= 1.0 and lifts_held(rules, view) > 1 - rules.leave_by_action:
        flight = useful_flight(rules, view, mind, seat)
        if flight:
            return flight
        because(mind, _UNNEEDED, 0)
        return choices.discard(HELICOPTER)
    because(mind, _UNNEEDED, 0)
    if best < 0:
        best = SANDBAGS if view.hand[seat, SANDBAGS] else HELICOPTER
    return choices.discard(best)


@jit
def useful_flight(rules: Rules, view: View, mind: Mind, holder: int) -> int:
    """The Lift of a seat for who can capture a treasure, or for the holder to the treasure it collects; else stop()."""
    for treasure in range(N_TREASURES):
        cells = view.treasure_cells[treasure] & view.land
        who = collector(rules, view, treasure)
        if view.captured >> treasure & 1 or who < 0 or cells >> view.pawn[who] & 1:
            continue
        if view.hand[who, treasure] >= rules.capture_cost or (who == holder and view.hand[who, treasure] > 1):
            because(mind, _BY_LIFT, who)
            return choices.lift(holder, bits.first(cells), 1 << who)
    return choices.stop()


@jit
def swim(rules: Rules, view: View, mind: Mind) -> int:
    """FI-8.3: to dry ground if there is any, with most land around it."""
    cells = rule.swim_targets(rules, view, view.decider)
    if cells == 0:
        return rescue(rules, view, view.decider)
    because(mind, _DRY, 0)
    best = bits.first(cells)
    most = -1
    while cells:
        cell = bits.first(cells)
        cells &= cells - 1
        score = bits.count(rules.edges[cell] & view.land) + (0 if view.flooded >> cell & 1 else 8)
        if score > most:
            most = score
            best = cell
    return choices.swim(best)


@jit
def least_missed(rules: Rules, view: View, mind: Mind) -> int:
    """Knob `flood_cards_in_treasure_deck`: a dry tile that matters least, else a flooded one."""
    cells = view.land & ~view.flooded
    if cells == 0:
        cells = view.land
    best = bits.first(cells)
    least = 99.0
    while cells:
        cell = bits.first(cells)
        cells &= cells - 1
        worth = worth_of_tile(view, cell)
        if worth < least:
            least = worth
            best = cell
    because(mind, _LEAST, 0)
    return choices.flood(best)


@policy(
    "casual",
    parameters=PARAMETERS,
    reasons=REASONS,
    games_per_second=60_000,
    sources=(Path(__file__).with_name("cooperative.py"),),
)
def casual(rules: Rules, view: View, mind: Mind, stream: Stream) -> int:
    decision = view.decision
    if decision == ACT:
        return act(rules, view, mind)
    if decision == WINDOW:
        return between(rules, view, mind)
    if decision == DISCARD_DOWN:
        return discard_down(rules, view, mind)
    if decision == SWIM_NOW:
        return swim(rules, view, mind)
    if decision == SAVE:
        if worth_of_tile(view, view.revealed) >= mind.numbers[_DEARNESS]:
            because(mind, _SHORE, view.revealed)
            return choices.sandbags(bags_holder(rules, view), view.revealed)
        return choices.stop()
    if decision == CHOOSE_FLOOD:
        return least_missed(rules, view, mind)
    return choices.stop()

"""The chance that the cards of a turn end the game by sinking what must not sink, from what everybody knows.

`survival` is worked out at the end of an action phase.  It is exact but for what is rare: two rises in one turn, and
tiles that flood and sink in one turn.  Sandbags that are drawn in this turn count as in time for whatever threatens.
"""

from __future__ import annotations

from sim.core import bits
from sim.core.compile import jit
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import (
    ALL_TREASURES,
    FLOOD_CARD,
    N_CARDS,
    N_TREASURES,
    SANDBAGS,
    WATERS_RISE,
)
from sim.forbidden_island.state import Rules, View


@jit
def none_drawn(size: int, marked: int, drawn: int) -> float:
    """The chance that of `size` shuffled cards none of the `marked` ones is among the first `drawn`."""
    none = 1.0
    for i in range(min(drawn, size)):
        none *= max(0.0, (size - marked - i) / (size - i))
    return none


@jit
def all_drawn(size: int, marked: int, drawn: int) -> float:
    """The chance that of `size` shuffled cards all of the `marked` ones are among the first `drawn`."""
    every = 1.0
    for i in range(marked):
        every *= max(0.0, (drawn - i) / (size - i))
    return every


@jit
def not_drawn(view: View, one: int, other: int, draws: int) -> float:
    """The chance that the next treasure cards hold neither of two kinds of cards (which may be the same)."""
    here = view.deck[one]
    later = view.discard[one]
    if other != one:
        here += view.deck[other]
        later += view.discard[other]
    none = none_drawn(view.deck_size, here, draws)
    if draws > view.deck_size:  # FI-7.1: the discard is shuffled and drawn from
        size = 0
        for card in range(N_CARDS):
            size += view.discard[card]
        none *= none_drawn(size, later, draws - view.deck_size)
    return none


@jit
def _pile(view: View, k: int, risen: bool) -> int:
    """The k-th pile of the flood deck from the top, as a set of cells: the discard is first after a rise, else last."""
    if risen:
        k -= 1
        if k < 0:
            return view.flood_discard
    if k < view.layers:
        return view.layer[view.layers - 1 - k]
    cells = view.flood_discard
    if not risen:  # with the cards of this turn, whose tiles are still there if they were dry
        for i in range(view.layers):
            cells |= view.layer[i] & ~view.flooded
    return cells


@jit
def _unhurt(rules: Rules, view: View, due: int, risen: bool) -> float:
    """The chance that of the next `due` flood cards none ends the game by what sinks.

    Lost is a game with one of the cards of `alone`, or with both of a pair: inclusion and exclusion over the pairs.
    """
    alone = 0
    pairs = 0
    if view.flooded >> view.landing & 1:
        alone = 1 << view.landing
    for treasure in range(N_TREASURES):
        cells = view.treasure_cells[treasure] & view.land
        if view.captured >> treasure & 1 or cells & ~view.flooded:
            continue
        if cells & (cells - 1):
            pairs |= 1 << treasure
        else:
            alone |= cells
    if alone == 0 and pairs == 0:
        return 1.0
    chance = 0.0
    some = pairs
    while True:
        both = 0
        for treasure in range(N_TREASURES):
            if some >> treasure & 1:
                both |= view.treasure_cells[treasure]
        term = -1.0 if bits.count(some) & 1 else 1.0
        left = due
        for k in range(view.layers + 1):
            cells = _pile(view, k, risen)
            size = bits.count(cells)
            drawn = min(left, size)
            marked = bits.count(cells & both)
            term *= all_drawn(size, marked, drawn)
            if drawn > marked:
                term *= none_drawn(size - marked, bits.count(cells & alone), drawn - marked)
            left -= drawn
        chance += term
        if some == 0:
            break
        some = (some - 1) & pairs
    return chance


@jit
def foreseen(rules: Rules, view: View) -> bool:
    """Whether `survival` speaks of these rules and of this position.

    Not when somebody holds Sandbags, which could be in time, nor when a Lift that is drawn may end the game well before
    the flood.
    """
    if rules.rise_shuffles_all or rules.copies[FLOOD_CARD] or view.captured == ALL_TREASURES:
        return False
    held = 0
    for seat in range(rules.players):
        held += view.hand[seat, SANDBAGS]
    return held == 0


@jit
def survival(rules: Rules, view: View) -> float:
    """The chance that neither Fools' Landing nor the last tile of an open treasure sinks by the cards of this turn.

    The skull and drowning are left out.
    """
    draws = rules.cards_per_turn
    no_bags = not_drawn(view, SANDBAGS, SANDBAGS, draws)
    neither = not_drawn(view, SANDBAGS, WATERS_RISE, draws)
    calm = _unhurt(rules, view, rule.flood_cards_due(rules, view), False)
    risen = 1.0
    if view.tick < rules.meter_length:
        risen = _unhurt(rules, view, rules.meter[view.tick], True)
    return 1.0 - neither * (1.0 - calm) - (no_bags - neither) * (1.0 - risen)

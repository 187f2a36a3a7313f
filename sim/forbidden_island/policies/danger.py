"""The chance that the cards of a turn end the game by sinking what must not sink, from what everybody knows.

`survival` is worked out at the end of an action phase.  It is exact but for what is rare: two rises in one turn, a
flood deck that runs out, and tiles that flood and sink in one turn.
"""

from __future__ import annotations

from sim.core import bits
from sim.core.compile import jit
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import FLOOD_CARD, N_CARDS, N_TREASURES, SANDBAGS, WATERS_RISE
from sim.forbidden_island.state import Rules, View


@jit
def chance_to_draw(view: View, card: int, draws: int) -> float:
    """The chance that a kind of card is among the next treasure cards (of a deck that runs out: by the whole of it)."""
    wanted = view.deck[card]
    size = view.deck_size
    if draws > size:
        wanted += view.discard[card]
        for other in range(N_CARDS):
            size += view.discard[other]
    return 1.0 - none_drawn(size, wanted, draws)


@jit
def none_drawn(size: int, marked: int, drawn: int) -> float:
    """The chance that of `size` shuffled cards none of the `marked` ones is among the first `drawn`."""
    none = 1.0
    for i in range(min(drawn, size)):
        none *= max(0.0, (size - marked - i) / (size - i))
    return none


@jit
def _layer(view: View, k: int, risen: bool) -> int:
    """The k-th pile of the flood deck from the top, as a set of cells: the discard is first after a rise, else last."""
    if risen:
        k -= 1
        if k < 0:
            return view.flood_discard
    return view.layer[view.layers - 1 - k] if k < view.layers else view.flood_discard


@jit
def _unhurt(rules: Rules, view: View, due: int, risen: bool) -> float:
    """The chance that of the next `due` flood cards none ends the game by what sinks."""
    alone = 0
    if view.flooded >> view.landing & 1:
        alone = 1 << view.landing
    for treasure in range(N_TREASURES):
        cells = view.treasure_cells[treasure] & view.land
        if not view.captured >> treasure & 1 and cells & ~view.flooded == 0 and cells & (cells - 1) == 0:
            alone |= cells
    chance = 1.0
    left = due
    for k in range(view.layers + 1):
        cells = _layer(view, k, risen)
        size = bits.count(cells)
        drawn = min(left, size)
        chance *= none_drawn(size, bits.count(cells & alone), drawn)
        left -= drawn
        if left == 0:
            break
    for treasure in range(N_TREASURES):
        cells = view.treasure_cells[treasure] & view.land
        if not view.captured >> treasure & 1 and cells & ~view.flooded == 0 and cells & (cells - 1) != 0:
            chance *= 1.0 - _both_drawn(view, cells, due, risen)
    return chance


@jit
def _both_drawn(view: View, pair: int, due: int, risen: bool) -> float:
    """The chance that the cards of two tiles are among the next `due` flood cards."""
    chance = 1.0
    left = due
    for k in range(view.layers + 1):
        cells = _layer(view, k, risen)
        size = bits.count(cells)
        drawn = min(left, size)
        there = bits.count(cells & pair)
        if there == 1:
            chance *= drawn / size
        elif there == 2:
            chance *= drawn * (drawn - 1) / (size * (size - 1))
        left -= drawn
    return chance


@jit
def foreseen(rules: Rules, view: View) -> bool:
    """Whether `survival` speaks of these rules and of this position: nobody holds Sandbags that could be in time."""
    if rules.rise_shuffles_all or rules.copies[FLOOD_CARD]:
        return False
    held = 0
    for seat in range(rules.players):
        held += view.hand[seat, SANDBAGS]
    return held == 0


@jit
def survival(rules: Rules, view: View) -> float:
    """The chance that neither Fools' Landing nor the last tile of an open treasure sinks by the cards of this turn.

    The skull and drowning are left out.  Sandbags that are drawn in this turn count as in time.
    """
    draws = rules.cards_per_turn
    rise = chance_to_draw(view, WATERS_RISE, draws)
    chance = (1.0 - rise) * _unhurt(rules, view, rule.flood_cards_due(rules, view), False)
    if view.tick >= rules.meter_length:
        chance += rise
    else:
        chance += rise * _unhurt(rules, view, rules.meter[view.tick], True)
    return chance + (1.0 - chance) * chance_to_draw(view, SANDBAGS, draws)

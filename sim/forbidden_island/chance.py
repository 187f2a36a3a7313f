"""Chance in Forbidden Island: shuffles as priorities, drawn one card at a time.

No order is stored.  A shuffle gives each card of a set a priority, a pure function of (seed, trial, deck, number of the
shuffle, card); the card drawn is the one with the least.  The same trial so meets the same order in every arm of an
experiment, and playing on from a state with other keys is a fair sample of what the players cannot know.
"""

from __future__ import annotations

import numpy as np

from sim.core import bits, rng
from sim.core.compile import jit
from sim.forbidden_island.constants import CHANCE_FLOOD, CHANCE_TREASURE, N_CARDS, N_TILES
from sim.forbidden_island.state import Hidden, Rules, View

_CARD_STRIDE = 16  # copies of a card that have a name of their own in the keys
_NAME = 63  # the lowest bits of a priority hold the slot or cell that it belongs to


@jit(inline=True)
def priority_of(word: int, member: int) -> int:
    """A priority that carries the name of its card: the least of many then says at once which it is."""
    return word & ~_NAME | member


@jit
def shuffle_flood(view: View, hidden: Hidden, cells: int) -> None:
    """Give the flood cards of a set of cells fresh priorities.  Keyed by tile, so the map does not matter."""
    k = hidden.flood_shuffles
    hidden.flood_shuffles = k + 1
    for pair in range(N_TILES // 2):
        one = view.cell_of[2 * pair]
        other = view.cell_of[2 * pair + 1]
        if cells & (1 << one | 1 << other):
            first, second = rng.block(hidden.seed, hidden.trial, CHANCE_FLOOD, k, pair)
            if cells >> one & 1:
                hidden.flood_priority[one] = priority_of(first, one)
            if cells >> other & 1:
                hidden.flood_priority[other] = priority_of(second, other)


@jit
def shuffle_treasure(rules: Rules, view: View, hidden: Hidden) -> None:
    """Shuffle the treasure deck as `view.deck` counts it.  Keyed by (card, copy): other cards do not matter."""
    k = hidden.treasure_shuffles
    hidden.treasure_shuffles = k + 1
    slots = 0
    for card in range(N_CARDS):
        start = rules.slot_start[card]
        number = view.deck[card]
        slots |= ((1 << number) - 1) << start
        for copy in range(0, number, 2):
            first, second = rng.block(hidden.seed, hidden.trial, CHANCE_TREASURE, k, (card * _CARD_STRIDE + copy) >> 1)
            hidden.treasure_priority[start + copy] = priority_of(first, start + copy)
            if copy + 1 < number:
                hidden.treasure_priority[start + copy + 1] = priority_of(second, start + copy + 1)
    hidden.deck_slots = slots


@jit
def _least(members: int, priority: np.ndarray) -> int:
    lowest = priority[bits.first(members)]
    members &= members - 1
    while members:
        lowest = min(lowest, priority[bits.first(members)])
        members &= members - 1
    return lowest & _NAME


@jit
def draw_treasure(rules: Rules, view: View, hidden: Hidden) -> int:
    """Take the top card of a treasure deck that is not empty (FI-7.1); which card it is."""
    slot = _least(hidden.deck_slots, hidden.treasure_priority)
    hidden.deck_slots &= ~(1 << slot)
    card = rules.card_of[slot]
    view.deck[card] -= 1
    view.deck_size -= 1
    return card


@jit
def draw_flood(view: View, hidden: Hidden) -> int:
    """Take the top card of a flood deck that is not empty (FI-8.1); the cell of its tile."""
    top = view.layers - 1
    cell = _least(view.layer[top], hidden.flood_priority)
    view.layer[top] &= ~(1 << cell)
    if view.layer[top] == 0:
        view.layers = top
    return cell

"""What the actions of one turn can change, packed into a few numbers, and one choice carried out on a copy of the view.

The rules themselves are the engine's: a plan is made by the same functions that later play it.
"""

from __future__ import annotations

import numpy as np

from sim.core.compile import COMPILED, jit
from sim.forbidden_island import choices
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import (
    BAG,
    CAPTURE,
    DISCARD,
    ESCAPE,
    FLY,
    GIVE,
    HELICOPTER,
    LEAVE,
    LIFT,
    MAX_PLAYERS,
    MOVE,
    N_CARDS,
    NAVIGATE,
    SANDBAGS,
    SHORE_UP,
    SHORE_UP_TWO,
    SWIM,
)
from sim.forbidden_island.state import ROW, VIEW, Row, Rules, View

STATE = 9
"""Numbers of a packed position: flooded; captured and flown; pawns; four hands; discard; over."""

if COMPILED:

    @jit
    def new_view() -> np.ndarray:
        """An array of one VIEW record, not zeroed."""
        return np.empty(1, VIEW)

    @jit
    def new_row() -> np.ndarray:
        """An array of one ROW record, zeroed."""
        return np.zeros(1, ROW)

else:

    def new_view() -> np.ndarray:
        """The same, with fields as attributes."""
        return np.recarray(1, VIEW)

    def new_row() -> np.ndarray:
        """The same, with fields as attributes."""
        return np.zeros(1, ROW).view(np.recarray)


@jit
def pack(view: View, state: np.ndarray) -> int:
    """Write what can change into `state` (STATE,); a hash of it, 0 .. 2**52 − 1."""
    state[0] = view.flooded
    state[1] = view.captured | view.flown << 4
    pawns = 0
    for seat in range(MAX_PLAYERS):
        pawns = pawns << 6 | (view.pawn[seat] + 1)
        hand = 0
        for card in range(N_CARDS):
            hand = hand << 5 | view.hand[seat, card]
        state[3 + seat] = hand
    state[2] = pawns
    discard = 0
    for card in range(N_CARDS):
        discard = discard << 6 | view.discard[card]
    state[7] = discard
    state[8] = view.over
    return _hash(state)


@jit
def _hash(state: np.ndarray) -> int:
    mark = 0
    for i in range(STATE):
        mark = (mark ^ state[i]) * 0x9E3779B97F4A7C1 & 0xFFFFFFFFFFFFF
        mark ^= mark >> 23
    return mark


@jit
def pack_light(view: View, before: np.ndarray, state: np.ndarray) -> int:
    """As `pack`, where only the board and the pawns differ from the packed position `before`."""
    for i in range(3, STATE):
        state[i] = before[i]
    state[0] = view.flooded
    state[1] = view.captured | view.flown << 4
    pawns = 0
    for seat in range(MAX_PLAYERS):
        pawns = pawns << 6 | (view.pawn[seat] + 1)
    state[2] = pawns
    return _hash(state)


@jit
def unpack_light(view: View, state: np.ndarray) -> None:
    """As `unpack`, where only the board and the pawns differ."""
    view.flooded = state[0]
    view.flown = state[1] >> 4
    pawns = state[2]
    for seat in range(MAX_PLAYERS):
        view.pawn[MAX_PLAYERS - 1 - seat] = (pawns & 63) - 1
        pawns >>= 6


@jit
def unpack(view: View, state: np.ndarray) -> None:
    """Put `view` back into a packed position of the same turn."""
    view.flooded = state[0]
    view.captured = state[1] & 15
    view.flown = state[1] >> 4
    pawns = state[2]
    discard = state[7]
    for card in range(N_CARDS):
        view.discard[N_CARDS - 1 - card] = discard & 63
        discard >>= 6
    view.specials_held = 0
    for seat in range(MAX_PLAYERS):
        view.pawn[MAX_PLAYERS - 1 - seat] = (pawns & 63) - 1
        pawns >>= 6
        hand = state[3 + seat]
        size = 0
        for card in range(N_CARDS):
            number = hand & 31
            view.hand[seat, N_CARDS - 1 - card] = number
            size += number
            hand >>= 5
        view.hand_size[seat] = size
        view.specials_held += view.hand[seat, HELICOPTER] + view.hand[seat, SANDBAGS]
    view.over = state[8]


@jit
def pawn_of(state: np.ndarray, seat: int) -> int:
    """The cell of a seat's pawn in a packed position, -1 for none."""
    return (state[2] >> 6 * (MAX_PLAYERS - 1 - seat) & 63) - 1


@jit
def at_stake(rules: Rules, view: View, state: np.ndarray) -> int:
    """The set of flooded cells of a packed position of this turn by which the game may end (FI-9.2, FI-9.3).

    Fools' Landing, and the tiles of an open treasure none of which is dry.
    """
    flooded = state[0]
    cells = flooded & 1 << view.landing
    for treasure in range(4):
        here = view.treasure_cells[treasure] & view.land
        if not state[1] >> treasure & 1 and here & ~flooded == 0:
            cells |= here
    return cells


@jit
def carry_out(rules: Rules, view: View, row: Row, choice: int) -> None:
    """A legal choice of the active player or the table, without what chance or the hand limit then asks for."""
    kind = choices.kind(choice)
    one = choices.a(choice)
    other = choices.b(choice)
    seat = view.active
    if kind == MOVE:
        rule.move(view, row, seat, one)
    elif kind == SHORE_UP:
        rule.shore_up(view, row, 1 << one)
    elif kind == SHORE_UP_TWO:
        rule.shore_up(view, row, 1 << one | 1 << other)
    elif kind == GIVE:
        rule.give(view, row, seat, one, other)
    elif kind == CAPTURE:
        rule.capture(rules, view, row, seat, one)
    elif kind == FLY:
        rule.fly(view, row, seat, one)
    elif kind == NAVIGATE:
        rule.navigate(view, row, one, other)
    elif kind == LIFT:
        rule.play_lift(view, row, one, other, choices.c(choice))
    elif kind == BAG:
        rule.play_sandbags(view, row, one, other)
    elif kind == DISCARD:
        rule.discard_card(view, row, view.decider, one)
    elif kind == SWIM:
        rule.swim(view, row, view.decider, one)
    elif kind == ESCAPE:
        rule.play_escape(view, row, one)
    elif kind == LEAVE:
        rule.win(view, row)


@jit
def full_hand_of(rules: Rules, view: View) -> int:
    """The seat that must discard at once (FI-7.2), else -1."""
    for seat in range(rules.players):
        if view.hand_size[seat] > rules.hand_limit:
            return seat
    return -1


@jit
def dear(rules: Rules, view: View) -> int:
    """The set of cells left of Fools' Landing and of the open treasures."""
    cells = 1 << view.landing
    for treasure in range(4):
        if not view.captured >> treasure & 1:
            cells |= view.treasure_cells[treasure]
    return cells & view.land


@jit
def count_lifts(rules: Rules, view: View) -> int:
    """Lifts in all hands."""
    lifts = 0
    for seat in range(rules.players):
        lifts += view.hand[seat, HELICOPTER]
    return lifts

"""How a player's answer is written: one int64, the kind in its lowest four bits, then up to three small numbers.

Each constructor names what the player does; `kind`, `a`, `b`, `c` read the number back.
"""

from __future__ import annotations

from sim.core.compile import jit
from sim.forbidden_island.constants import (
    BAG,
    CAPTURE,
    DISCARD,
    ESCAPE,
    FLOOD,
    FLY,
    GIVE,
    LEAVE,
    LIFT,
    MOVE,
    NAVIGATE,
    PASS,
    SHORE_UP,
    SHORE_UP_TWO,
    SWIM,
)


@jit(inline=True)
def kind(choice: int) -> int:
    """PASS .. FLOOD."""
    return choice & 15


@jit(inline=True)
def a(choice: int) -> int:
    """The first number: a cell, a card, a treasure, or the seat that acts."""
    return (choice >> 4) & 63


@jit(inline=True)
def b(choice: int) -> int:
    """The second number: a cell or a card."""
    return (choice >> 10) & 63


@jit(inline=True)
def c(choice: int) -> int:
    """The third number: a set of seats."""
    return (choice >> 16) & 63


@jit(inline=True)
def stop() -> int:
    """Act no more in this turn; play no special card now; accept that the pawn cannot be saved."""
    return PASS


@jit(inline=True)
def move(to: int) -> int:
    """FI-4.1 (Explorer FI-5.1, Diver FI-5.6): to a cell."""
    return MOVE | to << 4


@jit(inline=True)
def fly(to: int) -> int:
    """FI-5.4: the Pilot, once a turn, to a cell."""
    return FLY | to << 4


@jit(inline=True)
def navigate(pawn: int, to: int) -> int:
    """FI-5.5: the Navigator moves the pawn of a seat to a cell."""
    return NAVIGATE | pawn << 4 | to << 10


@jit(inline=True)
def shore_up(cell: int) -> int:
    """FI-4.2: one cell."""
    return SHORE_UP | cell << 4


@jit(inline=True)
def shore_up_two(one: int, other: int) -> int:
    """FI-5.2: the Engineer, two cells; written with the lesser first."""
    if one < other:
        return SHORE_UP_TWO | one << 4 | other << 10
    return SHORE_UP_TWO | other << 4 | one << 10


@jit(inline=True)
def give(to: int, card: int) -> int:
    """FI-4.3: one treasure card to the player of a seat."""
    return GIVE | to << 4 | card << 10


@jit(inline=True)
def capture(treasure: int) -> int:
    """FI-4.4."""
    return CAPTURE | treasure << 4


@jit(inline=True)
def leave() -> int:
    """Knob `escape: action`: the whole team leaves, for one action and without a card."""
    return LEAVE


@jit(inline=True)
def lift(holder: int, to: int, pawns: int) -> int:
    """FI-6.1: the Helicopter Lift of a seat takes a set of pawns from their one cell to another."""
    return LIFT | holder << 4 | to << 10 | pawns << 16


@jit(inline=True)
def sandbags(holder: int, cell: int) -> int:
    """FI-6.1: the Sandbags of a seat make a flooded cell dry."""
    return BAG | holder << 4 | cell << 10


@jit(inline=True)
def escape(holder: int) -> int:
    """FI-9.1: the Helicopter Lift that wins."""
    return ESCAPE | holder << 4


@jit(inline=True)
def discard(card: int) -> int:
    """FI-7.2: the hand's owner discards a card."""
    return DISCARD | card << 4


@jit(inline=True)
def swim(to: int) -> int:
    """FI-8.3: to a cell."""
    return SWIM | to << 4


@jit(inline=True)
def flood(cell: int) -> int:
    """Knob `flood_cards_in_treasure_deck`: the drawer floods a cell."""
    return FLOOD | cell << 4

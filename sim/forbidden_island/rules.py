"""The rules, one function each, named by the rule's verb and bearing its number.

A rule changes the view (and the row that is kept of the game) and draws nothing: cards come in as arguments, from
`chance.py` by way of `engine.py`.  None checks whether it may be used: that is `legal.allows`.
"""

from __future__ import annotations

import numpy as np

from sim.core import bits
from sim.core.compile import jit
from sim.forbidden_island.constants import (
    ALL_TREASURES,
    CAPTURE,
    DIVER,
    DROWNED,
    EXPLORER,
    FIRST_TREASURE_TILE,
    FLY,
    GIVE,
    HELICOPTER,
    LANDING_SUNK,
    LOST,
    MESSENGER,
    MOVE,
    N_CARDS,
    N_TILES,
    N_TREASURES,
    NAVIGATE,
    PILOT,
    SANDBAGS,
    SHORE_UP,
    SWIM_ADJACENT,
    SWIM_ELIMINATE,
    TREASURE_SUNK,
    WON,
)
from sim.forbidden_island.state import Row, Rules, View

# ---- where pawns may go -------------------------------------------------------------------------------------------


@jit(inline=True)
def all_cells() -> int:
    """The set of the 24 cells."""
    return (1 << N_TILES) - 1


@jit(inline=True)
def spread(cells: int, table: np.ndarray) -> int:
    """The set of all neighbours of a set of cells, by a table of `edge_spread`'s form: three looks, one a byte."""
    return table[cells & 255] | table[256 + (cells >> 8 & 255)] | table[512 + (cells >> 16 & 255)]


@jit
def dive_targets(rules: Rules, view: View, cell: int) -> int:
    """Where the Diver may stop (FI-5.6): through flooded and sunk cells joined by edges, to any tile at their shore."""
    wet = all_cells() & ~view.land | view.flooded
    passed = 1 << cell
    frontier = passed
    reached = 0
    while frontier:
        reached |= spread(frontier, rules.edge_spread)
        frontier = reached & wet & ~passed
        passed |= frontier
    return reached & view.land & ~(1 << cell)


@jit
def move_targets(rules: Rules, view: View, seat: int) -> int:
    """Where the pawn may move for one action: by edge (FI-4.1), Explorer diagonally (FI-5.1), Diver (FI-5.6)."""
    cell = view.pawn[seat]
    power = view.power[seat]
    if power == DIVER:
        return dive_targets(rules, view, cell)
    if power == EXPLORER:
        return rules.around[cell] & view.land
    return rules.edges[cell] & view.land


@jit
def fly_targets(view: View, seat: int) -> int:
    """Where the Pilot may fly (FI-5.4): any other tile, once in each own turn."""
    if view.power[seat] != PILOT or view.flown:
        return 0
    return view.land & ~(1 << view.pawn[seat])


@jit
def navigate_targets(rules: Rules, view: View, pawn: int) -> int:
    """Where the Navigator may move another pawn for one action (FI-5.5): one or two steps, not back to its own cell."""
    cell = view.pawn[pawn]
    if view.power[pawn] == EXPLORER:
        once = rules.around[cell] & view.land
        twice = spread(once, rules.around_spread)
    elif view.power[pawn] == DIVER and rules.diver_through_gap:
        once = rules.edges[cell] & view.land
        twice = spread(rules.edges[cell], rules.edge_spread)
    else:
        once = rules.edges[cell] & view.land
        twice = spread(once, rules.edge_spread)
    return (once | twice & view.land) & ~(1 << cell)


@jit
def shore_targets(rules: Rules, view: View, seat: int) -> int:
    """What the pawn may shore up (FI-4.2, FI-5.1): its own flooded tile and those next to it."""
    cell = view.pawn[seat]
    near = rules.around[cell] if view.power[seat] == EXPLORER else rules.edges[cell]
    return (near | 1 << cell) & view.flooded


@jit
def swim_targets(rules: Rules, view: View, seat: int) -> int:
    """Where a pawn whose tile has sunk may swim (FI-8.3; FI-5.1, FI-5.4, FI-5.6).  The land is without that tile."""
    cell = view.pawn[seat]
    power = view.power[seat]
    if power == PILOT:
        return view.land
    if power == EXPLORER:
        return rules.around[cell] & view.land
    if power == DIVER:
        passed = 1 << cell
        frontier = passed
        while frontier:
            reached = spread(frontier, rules.edge_spread)
            if reached & view.land:
                return reached & view.land
            frontier = reached & ~passed
            passed |= frontier
        return 0
    return rules.edges[cell] & view.land


# ---- hands --------------------------------------------------------------------------------------------------------


@jit
def take_card(view: View, seat: int, card: int) -> None:
    """A card comes into a hand."""
    view.hand[seat, card] += 1
    view.hand_size[seat] += 1
    if card in (HELICOPTER, SANDBAGS):
        view.specials_held += 1


@jit
def lose_card(view: View, seat: int, card: int) -> None:
    """A card leaves a hand (where it goes is the caller's business)."""
    view.hand[seat, card] -= 1
    view.hand_size[seat] -= 1
    if card in (HELICOPTER, SANDBAGS):
        view.specials_held -= 1


@jit
def note_ready(rules: Rules, view: View, row: Row, seat: int, card: int) -> None:
    """Keep the first turn (the setup counts to turn 1) in which one hand holds the cards of a treasure."""
    if card < N_TREASURES and view.hand[seat, card] >= rules.capture_cost and row.ready_turn[card] == 0:
        row.ready_turn[card] = max(view.turn, 1)


@jit
def discard_card(view: View, row: Row, seat: int, card: int) -> None:
    """A card is discarded for the hand limit (FI-7.2)."""
    lose_card(view, seat, card)
    view.discard[card] += 1
    row.discards[card] += 1


# ---- actions ------------------------------------------------------------------------------------------------------


@jit
def move(view: View, row: Row, seat: int, to: int) -> None:
    """FI-4.1."""
    view.pawn[seat] = to
    row.actions[MOVE] += 1


@jit
def fly(view: View, row: Row, seat: int, to: int) -> None:
    """FI-5.4."""
    view.pawn[seat] = to
    view.flown = 1
    row.actions[FLY] += 1


@jit
def navigate(view: View, row: Row, pawn: int, to: int) -> None:
    """FI-5.5."""
    view.pawn[pawn] = to
    row.actions[NAVIGATE] += 1


@jit
def shore_up(view: View, row: Row, cells: int) -> None:
    """FI-4.2 and, for a set of two cells, FI-5.2."""
    view.flooded &= ~cells
    row.actions[SHORE_UP] += 1


@jit
def give(view: View, row: Row, seat: int, to: int, card: int) -> None:
    """FI-4.3, FI-5.3.  A receiver over the limit goes back at once: the caller's next step."""
    lose_card(view, seat, card)
    take_card(view, to, card)
    row.actions[GIVE] += 1


@jit
def capture(rules: Rules, view: View, row: Row, seat: int, treasure: int) -> None:
    """FI-4.4: the cards it costs go to the discard, a further one stays in hand."""
    view.captured |= 1 << treasure
    view.hand[seat, treasure] -= rules.capture_cost
    view.hand_size[seat] -= rules.capture_cost
    view.discard[treasure] += rules.capture_cost
    row.actions[CAPTURE] += 1
    row.treasures += 1
    row.capture_turn[treasure] = view.turn


# ---- special cards ------------------------------------------------------------------------------------------------


@jit
def play_lift(view: View, row: Row, holder: int, to: int, pawns: int) -> None:
    """FI-6.1: pawns of one tile to one other tile."""
    lose_card(view, holder, HELICOPTER)
    view.discard[HELICOPTER] += 1
    row.lifts_played += 1
    while pawns:
        view.pawn[bits.first(pawns)] = to
        pawns &= pawns - 1


@jit
def play_sandbags(view: View, row: Row, holder: int, cell: int) -> None:
    """FI-6.1: a flooded tile anywhere becomes dry."""
    lose_card(view, holder, SANDBAGS)
    view.discard[SANDBAGS] += 1
    row.sandbags_played += 1
    view.flooded &= ~(1 << cell)


@jit
def ready_to_leave(rules: Rules, view: View) -> bool:
    """All treasures captured and every pawn still in the game on Fools' Landing (FI-9.1)."""
    if view.captured != ALL_TREASURES:
        return False
    away = 0
    for seat in range(rules.players):
        if view.pawn[seat] >= 0 and view.pawn[seat] != view.landing:
            away += 1
    return away == 0


@jit
def win(view: View, row: Row) -> None:
    """FI-9.1."""
    view.over = 1
    row.result = WON
    row.cause = -1


@jit
def play_escape(view: View, row: Row, holder: int) -> None:
    """FI-9.1: the Helicopter Lift that ends the game."""
    lose_card(view, holder, HELICOPTER)
    view.discard[HELICOPTER] += 1
    row.lifts_played += 1
    win(view, row)


# ---- the water ----------------------------------------------------------------------------------------------------


@jit
def lose(view: View, row: Row, causes: int) -> None:
    """FI-9.2 to 9.6: the game ends; of several causes the first in the order of FI-9.6 is the cause."""
    view.over = 1
    row.result = LOST
    row.causes = causes
    row.cause = bits.first(causes)


@jit
def rise(rules: Rules, view: View, row: Row) -> bool:
    """FI-7.3, its first half: one tick; True when the meter has reached the skull (FI-9.5)."""
    view.tick += 1
    row.rise_turn[row.rises] = view.turn
    row.rises += 1
    return view.tick > rules.meter_length


@jit
def lay_on_top(view: View, cells: int) -> None:
    """FI-7.3, its second half: a shuffled set of flood cards becomes the top of the flood deck."""
    view.layer[view.layers] = cells
    view.layers += 1


@jit
def flood_cards_due(rules: Rules, view: View) -> int:
    """FI-1.5, FI-3.1: flood cards a turn at the present tick."""
    return rules.meter[view.tick - 1]


@jit
def flood_tile(view: View, cell: int) -> None:
    """FI-8.1: a dry tile becomes flooded."""
    view.flooded |= 1 << cell


@jit
def sink_tile(view: View, row: Row, cell: int) -> None:
    """FI-8.1: a flooded tile sinks and leaves the game."""
    view.land &= ~(1 << cell)
    view.flooded &= ~(1 << cell)
    row.sunk_turn[view.tile_at[cell]] = view.turn
    row.sunk_cells |= 1 << cell


@jit
def remove_flood_card(view: View, cell: int) -> None:
    """Knob `flood_cards_in_treasure_deck`: a tile sunk by choice takes its flood card out of the game."""
    keep = ~(1 << cell)
    view.flood_discard &= keep
    kept = 0
    for i in range(view.layers):
        cells = view.layer[i] & keep
        if cells:
            view.layer[kept] = cells
            kept += 1
    view.layers = kept


@jit
def treasure_lost(view: View, cell: int) -> int:
    """FI-9.2: the treasure (as a set) that the sinking of this cell puts out of reach, else the empty set."""
    tile = view.tile_at[cell]
    if tile < FIRST_TREASURE_TILE or tile >= FIRST_TREASURE_TILE + 2 * N_TREASURES:
        return 0
    treasure = (tile - FIRST_TREASURE_TILE) >> 1
    if view.captured >> treasure & 1 or view.treasure_cells[treasure] & view.land:
        return 0
    return 1 << treasure


@jit
def pawns_on(rules: Rules, view: View, cell: int) -> int:
    """The set of seats whose pawn stands on a cell."""
    pawns = 0
    for seat in range(rules.players):
        if view.pawn[seat] == cell:
            pawns |= 1 << seat
    return pawns


@jit
def pawns_left(rules: Rules, view: View) -> int:
    """The set of seats whose pawn is still in the game."""
    pawns = 0
    for seat in range(rules.players):
        if view.pawn[seat] >= 0:
            pawns |= 1 << seat
    return pawns


@jit
def nowhere_to_swim(rules: Rules, view: View, swimmers: int) -> int:
    """FI-9.4: those of a set of pawns in the water that no tile is in reach of."""
    drowned = 0
    for seat in range(rules.players):
        if swimmers >> seat & 1 and swim_targets(rules, view, seat) == 0:
            drowned |= 1 << seat
    return drowned


@jit
def doomed(rules: Rules, view: View, swimmers: int) -> int:
    """FI-9.4: those of the pawns in the water that the sinking itself drowns.

    With `swim: lose` every one; with `lift_saves_swimmer` nobody while a Lift is held, for it may yet come.
    """
    if rules.swim == SWIM_ELIMINATE:
        return 0
    if rules.swim != SWIM_ADJACENT:
        return swimmers
    if rules.lift_saves_swimmer:
        for seat in range(rules.players):
            if view.hand[seat, HELICOPTER]:
                return 0
    return nowhere_to_swim(rules, view, swimmers)


@jit
def judge_sinking(rules: Rules, view: View, row: Row, cell: int) -> None:
    """FI-9.2 to 9.4 and 9.6: does the sinking of this cell end the game, and for which causes?"""
    causes = 0
    if cell == view.landing:
        causes |= 1 << LANDING_SUNK
    lost = treasure_lost(view, cell)
    if lost:
        causes |= 1 << TREASURE_SUNK
        row.treasures_lost |= lost
    swimmers = pawns_on(rules, view, cell)
    drowned = doomed(rules, view, swimmers)
    if drowned:
        causes |= 1 << DROWNED
    if causes and rules.swim == SWIM_ELIMINATE:  # over before they are taken off, but out they are
        drowned = swimmers
        if swimmers == pawns_left(rules, view):
            causes |= 1 << DROWNED
    row.drowned |= drowned
    if causes:
        lose(view, row, causes)


@jit
def swim(view: View, row: Row, seat: int, to: int) -> None:
    """FI-8.3."""
    view.pawn[seat] = to
    row.swims += 1


@jit
def eliminate(rules: Rules, view: View, row: Row, seat: int) -> None:
    """Knob `swim: eliminate`: the pawn is out, its cards are discarded; lost when the last pawn is out."""
    view.pawn[seat] = -1
    row.drowned |= 1 << seat
    for card in range(N_CARDS):
        while view.hand[seat, card]:
            lose_card(view, seat, card)
            view.discard[card] += 1
    for other in range(rules.players):
        if view.pawn[other] >= 0:
            return
    lose(view, row, 1 << DROWNED)


@jit
def gives_from_afar(view: View, seat: int) -> bool:
    """FI-5.3."""
    return view.power[seat] == MESSENGER

"""Setup in the order of the rule book (FI-2)."""

from __future__ import annotations

from sim.core import bits, rng
from sim.core.compile import jit
from sim.core.rng import Stream
from sim.forbidden_island import chance
from sim.forbidden_island import log as logs
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import (
    CHANCE_SETUP,
    FIRST_TREASURE_TILE,
    LANDING_TILE,
    MAX_PLAYERS,
    N_CARDS,
    N_TILES,
    N_TREASURES,
    ORDINARY,
    WATERS_RISE,
)
from sim.forbidden_island.log import Log
from sim.forbidden_island.state import Hidden, Row, Rules, View


@jit(inline=True)
def lay_tiles(view: View, stream: Stream) -> None:
    """FI-2.1: the tiles are shuffled onto the map, all dry."""
    for cell in range(N_TILES):
        view.tile_at[cell] = cell
    for i in range(N_TILES - 1, 0, -1):
        j = rng.below(stream, i + 1)
        tile = view.tile_at[i]
        view.tile_at[i] = view.tile_at[j]
        view.tile_at[j] = tile
    for cell in range(N_TILES):
        view.cell_of[view.tile_at[cell]] = cell
    view.land = rule.all_cells()
    view.flooded = 0
    view.landing = view.cell_of[LANDING_TILE]
    for treasure in range(N_TREASURES):
        one = view.cell_of[FIRST_TREASURE_TILE + 2 * treasure]
        other = view.cell_of[FIRST_TREASURE_TILE + 2 * treasure + 1]
        view.treasure_cells[treasure] = 1 << one | 1 << other


@jit(inline=True)
def flood_the_first(rules: Rules, view: View, hidden: Hidden, log: Log) -> None:
    """FI-2.2: the first flood cards flood their tiles and are the flood discard."""
    view.layers = 1
    view.layer[0] = rule.all_cells()
    view.flood_discard = 0
    chance.shuffle_flood(view, hidden, rule.all_cells())
    for _ in range(rules.initial_flooded):
        cell = chance.draw_flood(view, hidden)
        rule.flood_tile(view, cell)
        view.flood_discard |= 1 << cell
        logs.note(log, logs.FLOODED_FIRST, cell, 0, 0)


@jit(inline=True)
def deal_roles(rules: Rules, view: View, row: Row, stream: Stream) -> None:
    """FI-2.3: different roles at random (or fixed by the knob), pawns on their start tiles."""
    left = rules.role_pool
    for seat in range(MAX_PLAYERS):
        view.pawn[seat] = -1
        view.role[seat] = -1
        view.power[seat] = -1
        row.role[seat] = -1
    for seat in range(rules.players):
        role = rules.fixed_role[seat]
        if role < 0:
            role = bits.nth(left, rng.below(stream, bits.count(left)))
            left &= ~(1 << role)
        view.role[seat] = role
        view.power[seat] = role if rules.role_powers >> role & 1 else ORDINARY
        row.role[seat] = role
        view.pawn[seat] = view.landing if rules.start_at_landing else view.cell_of[role]


@jit(inline=True)
def deal_hands(rules: Rules, view: View, hidden: Hidden, log: Log) -> None:
    """FI-2.4: cards that are not for a hand are set aside and replaced; `shuffle_back` follows."""
    for card in range(N_CARDS):
        view.deck[card] = rules.copies[card]
        view.discard[card] = 0
        for seat in range(MAX_PLAYERS):
            view.hand[seat, card] = 0
    view.deck_size = rules.slot_start[N_CARDS]
    view.specials_held = 0
    for seat in range(MAX_PLAYERS):
        view.hand_size[seat] = 0
    chance.shuffle_treasure(rules, view, hidden)
    aside_rises = 0
    aside_floods = 0
    for seat in range(rules.players):
        while view.hand_size[seat] < rules.initial_hand:
            card = chance.draw_treasure(rules, view, hidden)
            if card < WATERS_RISE:
                rule.take_card(view, seat, card)
                logs.note(log, logs.DEALT, seat, card, 0)
            elif card == WATERS_RISE:
                aside_rises += 1
            else:
                aside_floods += 1
    view.deck[WATERS_RISE] += aside_rises
    view.deck[WATERS_RISE + 1] += aside_floods
    view.deck_size += aside_rises + aside_floods


@jit
def shuffle_back(rules: Rules, view: View, hidden: Hidden, trial: int) -> None:
    """FI-2.4: once every hand is settled, the treasure deck is shuffled; from here on chance is the trial's own.

    Where trials share their setup (knob `same_setup`), the rest of the flood deck is their own as well.
    """
    hidden.trial = trial
    if rules.same_setup > 1:
        chance.shuffle_flood(view, hidden, view.layer[0])
    chance.shuffle_treasure(rules, view, hidden)


@jit
def note_start(rules: Rules, view: View, row: Row) -> None:
    """What the row keeps of the setup."""
    row.first_seat = view.first_seat
    row.start_landing = view.landing
    flooded = 0
    for tile in range(N_TILES):
        flooded |= (view.flooded >> view.cell_of[tile] & 1) << tile
    row.start_flooded = flooded
    for seat in range(rules.players):
        for treasure in range(N_TREASURES):
            rule.note_ready(rules, view, row, seat, treasure)


@jit
def set_up(
    rules: Rules,
    view: View,
    hidden: Hidden,
    row: Row,
    stream: Stream,
    seed: int,
    trial: int,
    log: Log,
) -> None:
    """FI-2.1 to FI-2.6.  `stream` is used for the setup only, and belongs to the policy afterwards."""
    shared = trial - trial % rules.same_setup
    hidden.seed = seed
    hidden.trial = shared
    hidden.treasure_shuffles = 0
    hidden.flood_shuffles = 0
    hidden.asked = 0
    hidden.fault = 0
    hidden.fault_choice = 0
    view.over = 0
    view.turn = 0
    view.captured = 0
    view.revealed = -1
    view.sunk_now = -1
    view.actions_left = 0
    view.draws_left = 0
    view.floods_left = 0
    view.flown = 0
    view.phase = 0
    view.tick = rules.start_tick
    rng.start(stream, seed, shared, CHANCE_SETUP)
    view.first_seat = rng.below(stream, rules.players)
    view.active = view.first_seat
    lay_tiles(view, stream)
    flood_the_first(rules, view, hidden, log)
    deal_roles(rules, view, row, stream)
    deal_hands(rules, view, hidden, log)
    shuffle_back(rules, view, hidden, trial)
    note_start(rules, view, row)

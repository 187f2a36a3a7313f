"""What must be true of every position, as a set of flags: all that is wrong, not only the first thing.

No game calls this, so nothing here is compiled unless a test asks.  `watched` makes of a player model one that looks
at the view before each of its choices; the hidden record is out of a player's reach, so it is looked at wherever a
driver holds it: between turns and at the end of a game.
"""

from __future__ import annotations

from dataclasses import replace

from sim.core import bits
from sim.core.compile import jit
from sim.core.policy import Mind, Policy
from sim.core.rng import Stream
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import (
    ACT,
    ACTIONS,
    ALL_TREASURES,
    CHOOSE_FLOOD,
    DISCARD_DOWN,
    DRAWING,
    FIRST_TREASURE_TILE,
    FLOODING,
    HELICOPTER,
    LANDING_TILE,
    MAX_PLAYERS,
    N_CARDS,
    N_TILES,
    N_TREASURES,
    ORDINARY,
    PILOT,
    SANDBAGS,
    SAVE,
    SWIM_ELIMINATE,
    SWIM_NOW,
    WINDOW,
)
from sim.forbidden_island.state import Hidden, Rules, View

NAMES = (
    "cards",  # FI-1.3: of each kind, hands, deck and discard hold together what the box holds
    "deck_size",  # the size of the deck is the sum of its kinds
    "hand_size",  # the size of a hand is the sum of its kinds; only seats that play hold cards
    "unfit_hand",  # FI-2.4, FI-7.3: nobody holds a Waters Rise! or a flood card
    "specials_held",  # the Helicopter Lifts and Sandbags of all hands
    "hand_limit",  # FI-7.2: over the limit only while asked to discard, or in a draw that is checked at its end
    "tiles",  # FI-2.1: every tile on one cell; the landing and the treasure tiles where the view says
    "land",  # flooded cells are land, land is cells
    "flood_cards",  # FI-8.1: each remaining tile's card in one layer, the discard or on the table; no sunk tile's
    "layers",  # no layer is empty
    "pawns",  # FI-4.1, FI-8.3: on a tile, unless it has this moment lost it, or is out of the game
    "roles",  # FI-2.3: all different, of the pool or as fixed; powers as the knob says
    "tick",  # FI-1.5, FI-9.5: within the meter; on the skull only at the end
    "captured",  # a set of the four treasures
    "goes_on",  # FI-9.2, FI-9.3, FI-9.4: a game that is not over can still be won
    "turn",  # FI-3.1: whose turn it is, how much of it is left, in the phase that it is in
    "decision",  # what is asked fits the phase and the position
    "deck_slots",  # hidden: the slots still in the deck are, by kind, the deck that all may know
    "shuffles",  # hidden: both decks have been shuffled (FI-2.2, FI-2.4)
)
"""By number of the bit: what each flag is about."""

(
    CARDS,
    DECK_SIZE,
    HAND_SIZE,
    UNFIT_HAND,
    SPECIALS_HELD,
    HAND_LIMIT,
    TILE_PLACES,
    LAND,
    FLOOD_CARDS,
    LAYERS,
    PAWNS,
    ROLES_DEALT,
    TICK,
    CAPTURED_SET,
    GOES_ON,
    TURN_STATE,
    DECISION,
    DECK_SLOTS,
    SHUFFLES,
) = (1 << i for i in range(len(NAMES)))


def named(flags: int) -> tuple[str, ...]:
    """The names of a set of flags."""
    return tuple(name for i, name in enumerate(NAMES) if flags >> i & 1)


@jit
def _wrong_cards(rules: Rules, view: View) -> int:
    """Decks, discard and hands (FI-1.3, FI-7)."""
    wrong = 0
    deck_size = 0
    for card in range(N_CARDS):
        total = view.deck[card] + view.discard[card]
        deck_size += view.deck[card]
        if view.deck[card] < 0 or view.discard[card] < 0:
            wrong |= CARDS
        for seat in range(MAX_PLAYERS):
            total += view.hand[seat, card]
            if view.hand[seat, card] < 0:
                wrong |= CARDS
            if card > SANDBAGS and view.hand[seat, card] != 0:
                wrong |= UNFIT_HAND
        if total != rules.copies[card]:
            wrong |= CARDS
    if deck_size != view.deck_size:
        wrong |= DECK_SIZE
    specials = 0
    for seat in range(MAX_PLAYERS):
        size = 0
        for card in range(N_CARDS):
            size += view.hand[seat, card]
        specials += view.hand[seat, HELICOPTER] + view.hand[seat, SANDBAGS]
        if size != view.hand_size[seat] or (view.pawn[seat] < 0 and size > 0):
            wrong |= HAND_SIZE
        asked = view.decision == DISCARD_DOWN and view.decider == seat
        drawing = rules.check_after_draw == 1 and view.phase == DRAWING and view.active == seat
        if size > rules.hand_limit and not asked and not drawing:
            wrong |= HAND_LIMIT
    if specials != view.specials_held:
        wrong |= SPECIALS_HELD
    return wrong


@jit
def _wrong_island(view: View) -> int:
    """Tiles and flood cards (FI-2.1, FI-8)."""
    wrong = 0
    placed = 0
    for cell in range(N_TILES):
        tile = view.tile_at[cell]
        if tile < 0 or tile >= N_TILES or view.cell_of[tile] != cell:
            wrong |= TILE_PLACES
        else:
            placed |= 1 << tile
    if placed != rule.all_cells() or view.landing != view.cell_of[LANDING_TILE]:
        wrong |= TILE_PLACES
    for treasure in range(N_TREASURES):
        tile = FIRST_TREASURE_TILE + 2 * treasure
        if view.treasure_cells[treasure] != 1 << view.cell_of[tile] | 1 << view.cell_of[tile + 1]:
            wrong |= TILE_PLACES
    if view.land & ~rule.all_cells() or view.flooded & ~view.land:
        wrong |= LAND
    cards = view.flood_discard
    if view.revealed >= 0:
        if cards >> view.revealed & 1:
            wrong |= FLOOD_CARDS
        cards |= 1 << view.revealed
    if view.layers < 0 or view.layers > N_TILES:
        return wrong | LAYERS
    for i in range(view.layers):
        if view.layer[i] == 0:
            wrong |= LAYERS
        if cards & view.layer[i]:
            wrong |= FLOOD_CARDS
        cards |= view.layer[i]
    if cards != view.land:
        wrong |= FLOOD_CARDS
    return wrong


@jit
def _wrong_team(rules: Rules, view: View) -> int:
    """Pawns and roles (FI-2.3, FI-4.1, FI-5, FI-8.3)."""
    wrong = 0
    dealt = 0
    for seat in range(MAX_PLAYERS):
        cell = view.pawn[seat]
        role = view.role[seat]
        if seat >= rules.players:
            if cell != -1:
                wrong |= PAWNS
            if role != -1:
                wrong |= ROLES_DEALT
            continue
        if cell == -1:
            if rules.swim != SWIM_ELIMINATE:
                wrong |= PAWNS
        elif cell < 0 or cell >= N_TILES or not (view.land >> cell & 1 or cell == view.sunk_now or view.over):
            wrong |= PAWNS
        fixed = rules.fixed_role[seat]
        if role < 0 or role >= ORDINARY or dealt >> role & 1:
            wrong |= ROLES_DEALT
        else:
            dealt |= 1 << role
            if (fixed >= 0 and role != fixed) or (fixed < 0 and not rules.role_pool >> role & 1):
                wrong |= ROLES_DEALT
        if view.power[seat] != (role if rules.role_powers >> role & 1 else ORDINARY):
            wrong |= ROLES_DEALT
    return wrong


@jit
def _wrong_turn(rules: Rules, view: View) -> int:
    """The meter, the treasures, and how far the turn has gone (FI-1.5, FI-3.1, FI-9)."""
    wrong = 0
    if view.tick < rules.start_tick or view.tick > rules.meter_length + (1 if view.over else 0):
        wrong |= TICK
    if view.captured & ~ALL_TREASURES:
        wrong |= CAPTURED_SET
    playing = 0 <= view.active < rules.players and 0 <= view.first_seat < rules.players
    if not playing or view.turn < 1 or view.turn > rules.turn_limit:
        return wrong | TURN_STATE
    if not 0 <= view.actions_left <= rules.actions_per_turn or not 0 <= view.draws_left <= rules.cards_per_turn:
        wrong |= TURN_STATE
    if view.floods_left < 0 or (view.floods_left > 0 and view.floods_left > rules.meter[view.tick - 1]):
        wrong |= TURN_STATE
    if view.phase < ACTIONS or view.phase > FLOODING:
        wrong |= TURN_STATE
    if view.flown and (view.flown != 1 or view.power[view.active] != PILOT):
        wrong |= TURN_STATE
    if not view.over:
        if view.phase != ACTIONS and view.actions_left:
            wrong |= TURN_STATE
        if view.phase != DRAWING and view.draws_left:
            wrong |= TURN_STATE
        if view.phase != FLOODING and view.floods_left:
            wrong |= TURN_STATE
        if view.phase == ACTIONS and view.pawn[view.active] < 0:
            wrong |= TURN_STATE
        alive = 0
        for seat in range(rules.players):
            if view.pawn[seat] >= 0:
                alive += 1
        if alive == 0 or not view.land >> view.landing & 1:
            wrong |= GOES_ON
        for treasure in range(N_TREASURES):
            if not view.captured >> treasure & 1 and view.treasure_cells[treasure] & view.land == 0:
                wrong |= GOES_ON
    return wrong


@jit
def _decision_fits(rules: Rules, view: View) -> bool:
    """Is this question put in its phase, to somebody who can answer it (FI-3.1, FI-6.2, FI-7.2, FI-8.3)?"""
    decision = view.decision
    decider = view.decider
    if decider < 0 or decider >= rules.players:
        return False
    if (view.sunk_now >= 0) != (decision == SWIM_NOW) or (view.revealed >= 0) != (decision == SAVE):
        return False
    if decision == ACT:
        return view.phase == ACTIONS and view.actions_left > 0 and decider == view.active
    if decision == WINDOW:
        left = view.draws_left if view.phase == DRAWING else view.floods_left
        return view.phase != ACTIONS and left > 0 and view.specials_held > 0 and decider == view.active
    if decision == DISCARD_DOWN:
        return view.phase != FLOODING and view.hand_size[decider] > rules.hand_limit
    if decision == SWIM_NOW:
        in_the_water = not view.land >> view.sunk_now & 1 and view.pawn[decider] == view.sunk_now
        return in_the_water and view.phase != ACTIONS and rules.swim != SWIM_ELIMINATE
    if decision == SAVE:
        return view.phase == FLOODING and rules.sandbags_save_sinking == 1 and view.flooded >> view.revealed & 1 == 1
    return decision == CHOOSE_FLOOD and view.phase == DRAWING and decider == view.active


@jit
def position(rules: Rules, view: View) -> int:
    """All that is wrong with what the players may know, as a set of flags; 0 when nothing is.

    rules: RULES, view: VIEW, of a game whose first turn has begun.
    Not looked at once the game is over: the question that was asked last, and where drowned pawns lie.
    """
    wrong = _wrong_cards(rules, view) | _wrong_island(view) | _wrong_team(rules, view) | _wrong_turn(rules, view)
    if not view.over and not _decision_fits(rules, view):
        wrong |= DECISION
    return wrong


@jit
def invariants(rules: Rules, view: View, hidden: Hidden) -> int:
    """All that is wrong with a position, the hidden part included, as a set of flags; 0 when nothing is."""
    wrong = position(rules, view)
    slots = hidden.deck_slots
    for card in range(N_CARDS):
        of_kind = (1 << rules.slot_start[card + 1]) - (1 << rules.slot_start[card])
        if bits.count(slots & of_kind) != view.deck[card]:
            wrong |= DECK_SLOTS
    if slots & ~((1 << rules.slot_start[N_CARDS]) - 1):
        wrong |= DECK_SLOTS
    if hidden.treasure_shuffles < 2 or hidden.flood_shuffles < 1:
        wrong |= SHUFFLES
    return wrong


def watched(player: Policy) -> Policy:
    """The same player, who before each choice looks at the position; at a broken one it answers -1 - flags.

    That answer is illegal, so the game stops as the policy's fault with the answer in `hidden.fault_choice`.
    """
    inner = player.choose

    def choose(rules: Rules, view: View, mind: Mind, stream: Stream) -> int:
        wrong = position(rules, view)
        if wrong:
            return -1 - wrong
        return inner(rules, view, mind, stream)

    return replace(player, choose=jit(choose, cache=False, pointer=True))

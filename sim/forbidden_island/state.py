"""The records of one game: the rules it is played by, what players may know, what they may not, and its row.

Every field is an int64 (rows: int16).  Sets of cells are bit masks over the 24 cells, sets of seats over the seats.
A cell is a place of the map in reading order; a tile is what lies there: `view.tile_at[cell]`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from sim.forbidden_island.constants import MAX_METER, MAX_PLAYERS, MAX_SLOTS, N_CARDS, N_TILES, N_TREASURES

# Records are read by attribute, which no checker of types knows of NumPy; the names say which record is meant.
Rules: TypeAlias = Any
View: TypeAlias = Any
Hidden: TypeAlias = Any
Row: TypeAlias = Any

_I = np.int64

RULES = np.dtype(
    [
        ("players", _I),  # 2 .. 4
        ("actions_per_turn", _I),
        ("cards_per_turn", _I),
        ("hand_limit", _I),
        ("initial_hand", _I),
        ("initial_flooded", _I),
        ("capture_cost", _I),
        ("start_tick", _I),  # 1 .. meter_length
        ("meter_length", _I),  # the tick after it is the skull
        ("meter", _I, (MAX_METER + 1,)),  # by tick - 1: flood cards a turn
        ("copies", _I, (N_CARDS,)),  # by card: how many the treasure deck holds
        ("slot_start", _I, (N_CARDS + 1,)),  # by card: its first slot; the last entry is the size of the deck
        ("card_of", _I, (MAX_SLOTS + 2,)),  # by slot: which card
        ("fixed_role", _I, (MAX_PLAYERS,)),  # by seat: a role, or -1 when dealt
        ("role_pool", _I),  # set of the roles that are dealt
        ("edges", _I, (N_TILES,)),  # by cell: set of the cells that share an edge
        ("around", _I, (N_TILES,)),  # by cell: the same with the diagonals (on hexagons no more than `edges`)
        ("edge_spread", np.int32, (3 * 256,)),  # by byte of a set of cells and its value: `edges` of the cells in it
        ("around_spread", np.int32, (3 * 256,)),
        ("role_powers", _I),  # set of the roles whose power counts
        ("start_at_landing", _I),
        ("sandbags_save_sinking", _I),
        ("lift_saves_swimmer", _I),
        ("give_to_full_hand", _I),
        ("check_after_draw", _I),  # hand_limit_check: after_draw
        ("diver_through_gap", _I),  # navigator_moves_diver: one_gap
        ("swim", _I),  # SWIM_ADJACENT, SWIM_ELIMINATE, SWIM_LOSE
        ("leave_by_action", _I),  # escape: action
        ("rise_shuffles_all", _I),
        ("turn_limit", _I),
        ("same_setup", _I),  # trials in a row that share their setup
    ],
    align=True,
)
"""One rule set (FI-10), the same for all games of a cell."""

VIEW = np.dtype(
    [
        ("decision", _I),  # what is asked: ACT .. CHOOSE_FLOOD
        ("decider", _I),  # seat asked; in a window the seat whose turn it is, who answers for the table
        ("turn", _I),  # from 1
        ("active", _I),  # seat whose turn it is
        ("first_seat", _I),  # seat that began
        ("phase", _I),  # ACTIONS, DRAWING, FLOODING
        ("actions_left", _I),
        ("draws_left", _I),  # treasure cards still to be drawn in this turn's draw
        ("floods_left", _I),  # flood cards still to be drawn in this turn's flood
        ("flown", _I),  # 1 once the Pilot has flown in this turn
        ("revealed", _I),  # cell of the flood card on the table (SAVE), else -1
        ("sunk_now", _I),  # cell that has just sunk while pawns swim, else -1
        ("tick", _I),  # 1 .. meter_length + 1 (the skull)
        ("captured", _I),  # set of treasures
        ("land", _I),  # set of cells whose tile has not sunk
        ("flooded", _I),  # set of cells whose tile is flooded; part of land
        ("landing", _I),  # cell of Fools' Landing
        ("treasure_cells", _I, (N_TREASURES,)),  # by treasure: set of its two cells, sunk or not
        ("tile_at", _I, (N_TILES,)),  # by cell: tile
        ("cell_of", _I, (N_TILES,)),  # by tile: cell
        ("pawn", _I, (MAX_PLAYERS,)),  # by seat: cell, -1 when eliminated or no such seat
        ("role", _I, (MAX_PLAYERS,)),  # by seat: role, -1 when no such seat
        ("power", _I, (MAX_PLAYERS,)),  # by seat: the role it acts by; ORDINARY when role powers are off
        ("hand", _I, (MAX_PLAYERS, N_CARDS)),  # by seat and card: how many
        ("hand_size", _I, (MAX_PLAYERS,)),
        ("specials_held", _I),  # Helicopter Lifts and Sandbags in all hands
        ("deck", _I, (N_CARDS,)),  # by card: how many are still in the treasure deck (public: the rest is seen)
        ("deck_size", _I),
        ("discard", _I, (N_CARDS,)),  # by card: how many in the treasure discard
        ("flood_discard", _I),  # set of cells whose card lies in the flood discard
        ("layers", _I),  # layers of the flood deck
        ("layer", _I, (N_TILES + 1,)),  # by layer, 0 the bottom: set of its cells; the order inside is unknown
        ("over", _I),  # 1 once the game has ended
    ],
    align=True,
)
"""All that the players may know."""

HIDDEN = np.dtype(
    [
        ("seed", _I),
        ("trial", _I),
        ("treasure_shuffles", _I),  # shuffles of the treasure deck so far
        ("flood_shuffles", _I),
        ("deck_slots", _I),  # set of the slots still in the treasure deck
        ("treasure_priority", _I, (MAX_SLOTS + 2,)),  # by slot: the least of the deck is drawn next
        ("flood_priority", _I, (N_TILES,)),  # by cell: the least of the top layer is drawn next
        ("asked", _I),  # questions put to the policy so far
        ("fault", _I),  # 1 once a policy has answered something illegal
        ("fault_choice", _I),
    ],
    align=True,
)
"""Chance, and the engine's own notes: never handed to a policy."""

_S = np.int16
ROW = np.dtype(
    [
        ("result", _S),  # WON, LOST, STOPPED
        ("cause", _S),  # LANDING_SUNK .. TURN_LIMIT, -1 when won
        ("causes", _S),  # set of causes that applied
        ("treasures_lost", _S),  # set of treasures both of whose tiles sank before the capture
        ("drowned", _S),  # set of seats
        ("turns", _S),
        ("tick", _S),
        ("treasures", _S),  # how many were captured
        ("ready_turn", _S, (N_TREASURES,)),  # a hand first held the cards it costs; 0: never
        ("capture_turn", _S, (N_TREASURES,)),  # 0: never
        ("rise_turn", _S, (MAX_METER,)),  # by number of the rise, 0: never
        ("sunk_turn", _S, (N_TILES,)),  # by tile, 0: never
        ("sunk_cells", np.int32),  # set of the cells that sank
        ("rises", _S),
        ("actions", _S, (9,)),  # by kind PASS .. LEAVE; PASS counts the actions left unused
        ("lifts_played", _S),
        ("sandbags_played", _S),
        ("discards", _S, (6,)),  # by card: discarded for the hand limit
        ("swims", _S),
        ("role", _S, (MAX_PLAYERS,)),
        ("first_seat", _S),
        ("start_flooded", np.int32),  # set of the tiles flooded at setup
        ("start_landing", _S),  # cell of Fools' Landing
        ("turns_open", _S, (2,)),  # turns that began with none, and with one, of shore up, give, capture open
    ],
    align=True,
)
"""What is kept of each game."""

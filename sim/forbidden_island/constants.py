"""The names of the game (FI-1) and the codes that stand for them in the records."""

from __future__ import annotations

TILES = (
    "Fools' Landing",
    "Bronze Gate",
    "Copper Gate",
    "Gold Gate",
    "Iron Gate",
    "Silver Gate",
    "Temple of the Moon",
    "Temple of the Sun",
    "Howling Garden",
    "Whispering Garden",
    "Cave of Embers",
    "Cave of Shadows",
    "Coral Palace",
    "Tidal Palace",
    "Breakers Bridge",
    "Cliffs of Abandon",
    "Crimson Forest",
    "Dunes of Deception",
    "Lost Lagoon",
    "Misty Marsh",
    "Observatory",
    "Phantom Rock",
    "Twilight Hollow",
    "Watchtower",
)
"""FI-1.1.  Tile 0 is the landing; 6 + 2 t and 7 + 2 t are the tiles of treasure t."""

N_TILES = 24
LANDING_TILE = 0
FIRST_TREASURE_TILE = 6

TREASURES = ("earth", "wind", "fire", "ocean")
N_TREASURES = 4
ALL_TREASURES = 0b1111

CARDS = ("earth", "wind", "fire", "ocean", "helicopter", "sandbags", "waters_rise", "flood_card")
"""FI-1.3 in the order of their codes; the first four are the treasures."""

N_CARDS = 8
HELICOPTER, SANDBAGS, WATERS_RISE, FLOOD_CARD = 4, 5, 6, 7
MAX_SLOTS = 60
"""How many cards a treasure deck may hold: a deck is a set in one int64."""

ROLES = ("pilot", "engineer", "explorer", "navigator", "diver", "messenger")
"""FI-1.4.  The role of code r starts on tile r."""

PILOT, ENGINEER, EXPLORER, NAVIGATOR, DIVER, MESSENGER = range(6)
ORDINARY = 6
"""The role that every pawn acts by when `role_powers` is off."""

MAX_PLAYERS = 4
MAX_METER = 15

# What a player is asked (view.decision).
ACT, WINDOW, DISCARD_DOWN, SWIM_NOW, SAVE, CHOOSE_FLOOD = range(6)
DECISIONS = ("act", "window", "discard", "swim", "save", "choose_flood")

# Where the turn stands (view.phase).
ACTIONS, DRAWING, FLOODING = range(3)

# What a player may answer: the kind of a choice, its lowest four bits.
PASS, MOVE, FLY, NAVIGATE, SHORE_UP, SHORE_UP_TWO, GIVE, CAPTURE, LEAVE = range(9)
LIFT, BAG, ESCAPE, DISCARD, SWIM, FLOOD = range(9, 15)
KINDS = (
    "pass",
    "move",
    "fly",
    "navigate",
    "shore_up",
    "shore_up_two",
    "give",
    "capture",
    "leave",
    "helicopter",
    "sandbags",
    "escape",
    "discard",
    "swim",
    "flood",
)

RESULTS = ("won", "lost", "stopped")
WON, LOST, STOPPED = range(3)

CAUSES = ("landing_sunk", "treasure_sunk", "drowned", "skull", "turn_limit")
LANDING_SUNK, TREASURE_SUNK, DROWNED, SKULL, TURN_LIMIT = range(5)

# Purposes of the random streams: one each, so that no choice of a player moves the cards.
CHANCE_SETUP, CHANCE_TREASURE, CHANCE_FLOOD, CHANCE_POLICY, CHANCE_MISTAKES = 1, 2, 3, 4, 5

# Values of rule knobs in the rules record.
SWIM_ADJACENT, SWIM_ELIMINATE, SWIM_LOSE = range(3)

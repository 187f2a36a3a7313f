"""All that the file of a player needs, in one place (docs/writing-a-player.md).

from sim.forbidden_island.player import ACT, bits, choices, jit, legal, policy, rule
"""

from __future__ import annotations

from sim.core import bits, rng
from sim.core.compile import jit
from sim.core.game import Parameter
from sim.core.policy import because, policy
from sim.forbidden_island import choices, constants, legal
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import (
    ACT,
    ALL_TREASURES,
    CHOOSE_FLOOD,
    DISCARD_DOWN,
    DIVER,
    DRAWING,
    ENGINEER,
    EXPLORER,
    FLOODING,
    HELICOPTER,
    MESSENGER,
    N_TILES,
    N_TREASURES,
    NAVIGATOR,
    PILOT,
    SANDBAGS,
    SAVE,
    SWIM_NOW,
    WATERS_RISE,
    WINDOW,
)

__all__ = [
    "ACT",
    "ALL_TREASURES",
    "CHOOSE_FLOOD",
    "DISCARD_DOWN",
    "DIVER",
    "DRAWING",
    "ENGINEER",
    "EXPLORER",
    "FLOODING",
    "HELICOPTER",
    "MESSENGER",
    "NAVIGATOR",
    "N_TILES",
    "N_TREASURES",
    "PILOT",
    "SANDBAGS",
    "SAVE",
    "SWIM_NOW",
    "WATERS_RISE",
    "WINDOW",
    "Parameter",
    "because",
    "bits",
    "choices",
    "constants",
    "jit",
    "legal",
    "policy",
    "rng",
    "rule",
]

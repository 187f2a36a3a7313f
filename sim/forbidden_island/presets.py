"""Named rule sets: `preset: NAME` sets these knobs, and every knob given beside it changes the preset."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "official": {},
        "old-japanese": {"give_to_full_hand": False},
        "sandbags-save": {"sandbags_save_sinking": True},
        "hex-tutorial": {
            "start_tick": 1,
            "initial_flooded": 0,
            "treasure_copies": 6,
            "waters_rise": 3,
            "helicopter": 0,
            "sandbags": 0,
            "role_powers": False,
            "start_tiles": "landing",
            "swim": "eliminate",
            "escape": "action",
            "rise_shuffles": "all",
            "flood_cards_in_treasure_deck": 1,
            "grid": "hex",
        },
    }
)

PRESET_REASONS: Mapping[str, str] = MappingProxyType(
    {
        "official": "the rules of the box, sections 1 to 9: every knob at its default",
        "old-japanese": "an older rule text, since corrected: nothing is given to a hand at the limit",
        "sandbags-save": "FI-6.3 the other way: Sandbags may answer a revealed card that would sink its tile",
        "hex-tutorial": "section 11: a circulating tutorial that describes a different game under the same name",
    }
)

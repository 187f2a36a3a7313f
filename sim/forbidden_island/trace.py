"""One game as events (docs/trace-format.md), from what the engine wrote down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.forbidden_island import log as logs
from sim.forbidden_island.constants import ACT, CARDS, CAUSES, PASS, RESULTS, ROLES, TILES, TREASURES

_FLOOD_STATES = ("flooded", "sunk", "saved")
_DECKS = ("treasure", "flood")
_CARD_WORDS = {"helicopter": "Lift", "sandbags": "Sandbags"}

MISTAKE = "a mistake"
"""The reason of a choice that was drawn at random in place of the player's (parameter `mistakes`)."""


def _members(mask: int, names: tuple[Any, ...]) -> list[Any]:
    return [name for i, name in enumerate(names) if int(mask) >> i & 1]


def setup_event(
    log: np.ndarray,
    tile_at: np.ndarray,
    row: Any,
    knobs: Mapping[str, Any],
    policy: Mapping[str, Any],
    key: tuple[int, int],
) -> dict[str, Any]:
    """The `setup` event.

    log: an array of one LOG record.  tile_at: (24,) tile by cell.  row: the game's ROW.  key: seed and trial.
    """
    name_at = [TILES[int(tile)] for tile in tile_at]
    flooded: list[str] = []
    hands: list[list[str]] = [[] for _ in range(knobs["players"])]
    for entry in log["entry"][0, : log["events"][0]]:
        code, a, b, _ = (int(number) for number in entry)
        if code == logs.FLOODED_FIRST:
            flooded.append(name_at[a])
        elif code == logs.DEALT:
            hands[a].append(CARDS[b])
        else:
            break
    return {
        "event": "setup",
        "game": "forbidden_island",
        "seed": key[0],
        "trial": key[1],
        "policy": policy["name"],
        "parameters": {name: value for name, value in policy.items() if name not in ("name", "file", "content")},
        "rules": dict(knobs),
        "map": list(knobs["map"]),
        "tiles": name_at,
        "flooded": flooded,
        "roles": [ROLES[int(row["role"][seat])] for seat in range(knobs["players"])],
        "hands": hands,
        "first": int(row["first_seat"]),
    }


def events(log: np.ndarray, setup: Mapping[str, Any], reasons: tuple[str, ...]) -> list[dict[str, Any]]:
    """The events of a log (an array of one LOG record) after its `setup` event.  reasons: the policy's, see `said`.

    Beside what the format asks for, an event that somebody chose has its `reason`, where the policy gave one; and the
    event that follows a player's stop, with actions left, has the reason for that as `stopped`.
    """
    names: list[str] = setup["tiles"]
    told: list[dict[str, Any]] = []
    more: dict[str, str] = {}
    for entry in log["entry"][0, : log["events"][0]]:
        code, a, b, c = (int(number) for number in entry)
        if code in (logs.FLOODED_FIRST, logs.DEALT):
            continue
        if code == logs.REASON:
            choice, decision = c >> 3, c & 7
            if choice != PASS:
                more["reason"] = said(reasons, a, b, setup)
            elif decision == ACT:
                more["stopped"] = said(reasons, a, b, setup)
            continue
        told.append(_event(code, a, b, c, names, len(setup["roles"])) | more)
        more = {}
    return told


def said(reasons: tuple[str, ...], reason: int, about: int, setup: Mapping[str, Any]) -> str:
    """A reason in words: number `reason`, from 1, of the declared ones, with what it is `about` in place of its braces.

    The braces may hold `tile` (about: its cell), `player` (a seat), `card` or `treasure` (its code), or `percent`.
    """
    if reason == logs.MISTAKE:
        return MISTAKE
    words = reasons[reason - 1] if 0 < reason <= len(reasons) else f"reason {reason}"
    lists: dict[str, list[str]] = {
        "tile": setup["tiles"],
        "player": [role.capitalize() for role in setup["roles"]],
        "card": [_CARD_WORDS.get(card, card) for card in CARDS],
        "treasure": list(TREASURES),
        "percent": [f"{share} %" for share in range(101)],
    }
    for name, values in lists.items():
        if 0 <= about < len(values):
            words = words.replace("{" + name + "}", values[about])
    return words


def _event(code: int, a: int, b: int, c: int, names: list[str], seats: int) -> dict[str, Any]:
    if code == logs.TURN:
        return {"event": "turn", "number": a, "player": b, "tick": c}
    if code == logs.MOVED:
        return {"event": "move", "player": a, "to": names[b]}
    if code == logs.FLOWN:
        return {"event": "fly", "player": a, "to": names[b]}
    if code == logs.NAVIGATED:
        return {"event": "navigate", "player": a, "pawn": b, "to": names[c]}
    if code == logs.SHORED:
        return {"event": "shore_up", "player": a, "tiles": [names[b]] + ([names[c]] if c >= 0 else [])}
    if code == logs.GIVEN:
        return {"event": "give", "player": a, "to": b, "card": CARDS[c]}
    if code == logs.CAPTURED:
        return {"event": "capture", "player": a, "treasure": TREASURES[b]}
    if code == logs.DRAWN:
        return {"event": "draw", "player": a, "card": CARDS[b]}
    if code == logs.RISEN:
        return {"event": "rise", "tick": a}
    if code == logs.DISCARDED:
        return {"event": "discard", "player": a, "card": CARDS[b]}
    if code == logs.LIFTED:
        return {"event": "helicopter", "player": a, "pawns": _members(b, tuple(range(seats))), "to": names[c]}
    if code == logs.BAGGED:
        return {"event": "sandbags", "player": a, "tile": names[b]}
    if code == logs.RESHUFFLED:
        return {"event": "reshuffle", "deck": _DECKS[a]}
    if code == logs.FLOODED:
        return {"event": "flood", "tile": names[a], "state": _FLOOD_STATES[b]}
    if code == logs.CHOSEN:
        return {"event": "chosen_flood", "player": a, "tile": names[b], "state": _FLOOD_STATES[c]}
    if code == logs.SWUM:
        return {"event": "swim", "player": a, "to": names[b]}
    if code == logs.ELIMINATED:
        return {"event": "eliminated", "player": a}
    return {"event": "escape", "player": a}


def end_event(row: Any, seats: int) -> dict[str, Any]:
    """The `end` event of a game's row."""
    cause = int(row["cause"])
    return {
        "event": "end",
        "result": RESULTS[int(row["result"])],
        "cause": CAUSES[cause] if cause >= 0 else None,
        "causes": _members(row["causes"], CAUSES),
        "treasures": _members(row["treasures_lost"], TREASURES),
        "drowned": _members(row["drowned"], tuple(range(seats))),
        "turns": int(row["turns"]),
    }

"""Weights files that users name, by their content; and which rules a learned player was trained for."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.compile import cache_root
from sim.core.game import Problem
from sim.core.words import shown
from sim.forbidden_island.policies import weights
from sim.forbidden_island.policies.weights import WeightsError

PARAMETER = "weights"
_SIGN = "sha256:"
_known: dict[str, tuple[dict[str, np.ndarray], dict[str, Any]]] = {}

_IGNORED = ("turn_limit", "map_connected", "same_setup")
"""Knobs that do not change how a position is to be valued."""


def settle(value: Any) -> tuple[str | None, list[Problem]]:
    """The sign (`sha256:…`) of the weights file that a user named, or what is wrong with it.

    A sign resolves to itself.  The content is kept by its sign in the cache folder, where other processes find it.
    """

    def wrong(words: str) -> tuple[None, list[Problem]]:
        return None, [Problem((PARAMETER,), value, words)]

    if not isinstance(value, str) or not value:
        return wrong(f"{shown(value)} is not the path of a weights file (islandlab train writes them)")
    if value.startswith(_SIGN):
        try:
            of(value)
        except WeightsError as error:
            return wrong(str(error))
        return value, []
    try:
        data = Path(value).read_bytes()
        found = weights.unpack(data)
    except OSError as error:
        return wrong(f"{shown(value)} cannot be read: {error.strerror or error}")
    except WeightsError as error:
        return wrong(f"{shown(value)} {error}")
    sign = _SIGN + hashlib.sha256(data).hexdigest()
    _known[sign] = found
    kept = _file(sign)
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        beside = kept.with_suffix(f".{hashlib.sha256(str(kept).encode()).hexdigest()[:8]}.tmp")
        beside.write_bytes(data)
        beside.replace(kept)
    return sign, []


def _file(sign: str) -> Path:
    return cache_root() / "weights" / f"{sign.removeprefix(_SIGN)}.npz"


def of(sign: str) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The networks of a sign, and what the file says of itself; raises WeightsError when nobody kept it."""
    if sign not in _known:
        try:
            data = _file(sign).read_bytes()
        except (OSError, ValueError):
            raise WeightsError(f"{sign}: no such weights were used here; name their file") from None
        if _SIGN + hashlib.sha256(data).hexdigest() != sign:
            raise WeightsError(f"{sign}: the kept file is damaged; name the original")
        _known[sign] = weights.unpack(data)
    return _known[sign]


def about(policy: Mapping[str, Any]) -> dict[str, Any]:
    """What the weights of a resolved learned policy say of themselves."""
    return of(policy[PARAMETER])[1] if PARAMETER in policy else weights.shipped()[1]


def untrained(knobs: Mapping[str, Any], trained_for: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The knobs by which rules differ from the nearest rule set that was trained for; start ticks between two count."""
    nearest: tuple[str, ...] | None = None
    ticks: list[int] = []
    for each in trained_for:
        differing = tuple(name for name in knobs if name not in _IGNORED and knobs[name] != each.get(name))
        if set(differing) <= {"start_tick"}:
            ticks.append(each["start_tick"])
        if nearest is None or len(differing) < len(nearest):
            nearest = differing
    if ticks and min(ticks) <= knobs["start_tick"] <= max(ticks):
        return ()
    return tuple(knobs) if nearest is None else nearest

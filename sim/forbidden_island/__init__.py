"""Forbidden Island: rules, engine, player models.  `GAME` is loaded on first use, for it brings the compiler along."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "GAME":
        from sim.forbidden_island.game import GAME

        return GAME
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

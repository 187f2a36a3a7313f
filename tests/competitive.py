"""A made-up competitive game: four seats, points, fates, a volcano, a hexagonal map; no team wins or loses.

The knob `favour` (percent) is the chance that the first seat wins a game outright; the rest is even.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sim.core.game import (
    Aspects,
    Batch,
    Cause,
    Column,
    Contest,
    Curve,
    Effort,
    Layout,
    Milestone,
    PolicyInfo,
)
from tests.madeup import hashed

SEATS = ("red", "green", "blue", "yellow")
FATES = (("saved", "saved"), ("eaten", "eaten"), ("drowned", "drowned"))
TURNS = 10
COLUMNS = (
    Column("trial", "int64", "trial", "number of the trial"),
    Column("result", "int8", "code", "how it ended", labels=("won", "stopped")),
    Column("cause", "int8", "code", "why it was stopped", sentinel=-1, labels=("turn_limit",)),
    Column("turns", "int16", "turns", "turns begun"),
    Column("winners", "int8", "set", "seats with most points", labels=SEATS, is_set=True),
    *(Column(f"points_{seat}", "int16", "points", "points at the end", sentinel=-1) for seat in SEATS),
    *(Column(name, "int16", "count", f"explorers {label}") for name, label in FATES),
    Column("volcano", "int16", "turns", "turn of the volcano", sentinel=0),
)


@dataclass
class Rivals:
    """The game."""

    name: str = "rivals"
    title: str = "Made-up Rivals"
    rules_version: int = 1
    knobs: tuple = ()
    presets: dict = field(default_factory=dict)
    columns: tuple = COLUMNS
    causes: tuple = (Cause("turn_limit", "stopped at the turn limit", "1"),)
    milestones: tuple = (Milestone("volcano", "Volcano", "volcano"),)
    milestone_words: tuple = ("event", "events")
    curves: tuple = (Curve("land", "Land left", "land", tuple(range(TURNS + 1))),)
    aspects: Aspects = field(
        default_factory=lambda: Aspects(
            contest=Contest(
                winners="winners",
                points=tuple(f"points_{seat}" for seat in SEATS),
                fates=Effort("fates", "Explorers", FATES, whole=True),
            )
        )
    )

    @property
    def policies(self) -> dict:
        return {"plain": PolicyInfo("plain", "", "", games_per_second=50_000.0)}

    def resolve(self, settings):
        return {"favour": settings.get("favour", 0), "players": settings.get("players", 4)}

    def resolve_policy(self, spec):
        return {"name": "plain"}

    def play(self, knobs, policy, seed, first, count):
        trial = np.arange(first, first + count, dtype=np.int64)
        draw = [(hashed(seed, trial, k) % np.uint64(10_000)).astype(np.int64) for k in range(10)]
        players = knobs["players"]
        points = np.stack([draw[k] % 20 if k < players else np.full(count, -1) for k in range(4)])
        points[0] = np.where(draw[4] % 100 < knobs["favour"], 25, points[0])
        turns = 3 + draw[5] % TURNS
        stopped = turns > TURNS
        turns = np.minimum(turns, TURNS)
        winners = ((points == points.max(axis=0)) << np.arange(4)[:, None]).sum(axis=0)
        saved, eaten = draw[6] % 20, draw[7] % 12
        table = {
            "trial": trial,
            "result": np.where(stopped, 1, 0),
            "cause": np.where(stopped, 0, -1),
            "turns": turns,
            "winners": np.where(stopped, 0, winners),
            **{f"points_{seat}": points[k] for k, seat in enumerate(SEATS)},
            "saved": saved,
            "eaten": eaten,
            "drowned": 40 - saved - eaten,
            "volcano": np.where(draw[8] % 3 == 0, turns, 0),
        }
        games = {c.name: np.asarray(table[c.name]).astype(c.dtype) for c in self.columns}
        land = np.zeros((TURNS, TURNS + 1), dtype=np.int64)
        for turn in range(TURNS):
            land[turn, TURNS - turn] = np.count_nonzero(turns > turn)
        lost = np.array([[np.count_nonzero(draw[9] % 7 >= place) for place in range(7)]])
        return Batch(games, {"land": land, "cell_sunk": lost})

    def layout(self, knobs):
        return Layout(((0, 0.5), (0, 1.5), (1, 0), (1, 1), (1, 2), (2, 0.5), (2, 1.5)), grid="hex")

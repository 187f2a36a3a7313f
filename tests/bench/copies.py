"""Make a store of as many games as wanted in little time: one chunk is played and its games handed out again.

    python tests/bench/copies.py DIR TRIALS

The files are those of a run of two cells, checksums and all; only the trials' numbers are new from chunk to chunk.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from analysis import experiment, runner
from sim import registry
from sim.core.game import Batch, Game

TEXT = """\
name: many
question: How much harder is legendary than novice?
game: forbidden_island
seed: 2024
trials: {trials}
policy: random
rules:
  players: 4
cells:
  - {{label: novice, difficulty: novice}}
  - {{label: legendary, difficulty: legendary}}
compare:
  - [novice, legendary]
"""


class Copies:
    """A game that plays the first chunk of each length and start, and gives its games to all later trials."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kept: dict[tuple[Any, int], Batch] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def play(self, knobs: Any, policy: Any, seed: int, first: int, count: int) -> Batch:
        key = (knobs["start_tick"], count)
        if key not in self.kept:
            self.kept[key] = self.game.play(knobs, policy, seed, 0, count)
        batch = self.kept[key]
        return Batch({**batch.games, "trial": np.arange(first, first + count, dtype=np.int64)}, batch.tallies)


def main(directory: str, trials: int) -> None:
    game: Any = Copies(registry.get("forbidden_island"))
    registry.get = lambda name: game  # type: ignore[assignment]
    runner.run(experiment.parse(TEXT.format(trials=trials), "many.yaml"), directory, workers=2)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

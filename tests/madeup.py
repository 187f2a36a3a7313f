"""A made-up game whose every number can be worked out in a line: for tests of what surrounds a game.

Each trial draws a few hashed numbers; the tide knob ends games sooner.  Run as a program it plays an experiment of this
or of a real game, so that tests can kill it.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np

from sim.core.game import Aspects, Batch, Cause, Column, Curve, Layout, Milestone, PolicyFault, PolicyInfo

TURNS = 12
COLUMNS = (
    Column("trial", "int64", "trial", "number of the trial"),
    Column("result", "int8", "code", "how it ended", labels=("won", "lost", "stopped")),
    Column("cause", "int8", "code", "why", sentinel=-1, labels=("storm", "reef", "turn_limit")),
    Column("causes", "int8", "code", "all that held", labels=("storm", "reef", "turn_limit"), is_set=True),
    Column("turns", "int16", "turns", "turns begun"),
    Column("turn_pearl", "int16", "turns", "turn of the pearl", sentinel=0),
    Column("turn_crown", "int16", "turns", "turn of the crown", sentinel=0),
    Column("steps", "int16", "count", "steps taken"),
)


def hashed(seed: int, trial: np.ndarray, purpose: int) -> np.ndarray:
    """A 64-bit hash of each trial (SplitMix64's finaliser)."""
    x = np.uint64((seed * 1000003 + purpose * 7919) % 2**63) + trial.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return x ^ (x >> np.uint64(31))


@dataclass
class MadeUp:
    """The game; `pause` seconds a chunk, and trials in `faults` are faults."""

    name: str = "madeup"
    title: str = "Made-up Island"
    rules_version: int = 1
    knobs: tuple = ()
    presets: dict = field(default_factory=dict)
    columns: tuple = COLUMNS
    causes: tuple = (Cause("storm", "Storm", "1"), Cause("reef", "Reef", "2"), Cause("turn_limit", "Turn limit", "3"))
    milestones: tuple = (Milestone("pearl", "Pearl", "turn_pearl"), Milestone("crown", "Crown", "turn_crown"))
    milestone_words: tuple = ("jewel", "jewels")
    curves: tuple = (Curve("level", "Level", "level", (0, 1, 2, 3)),)
    aspects: Aspects = field(default_factory=Aspects)
    pause: float = 0.0
    faults: frozenset = frozenset()
    games_per_second: float = 200.0

    @property
    def policies(self) -> dict:
        return {"plain": PolicyInfo("plain", "", "", games_per_second=self.games_per_second)}

    def resolve(self, settings):
        return {"tide": settings.get("tide", 1), "turns": TURNS}

    def resolve_policy(self, spec):
        return {"name": "plain"}

    def play(self, knobs, policy, seed, first, count):
        if self.pause > 1:
            sys.stdout.write("playing\n")  # one write, so that threads do not mix their lines
            sys.stdout.flush()
        time.sleep(self.pause * (1 + first % 3))
        for trial in range(first, first + count):
            if trial in self.faults:
                raise PolicyFault("plain", seed, trial, "stands on water")
        trial = np.arange(first, first + count, dtype=np.int64)
        draw = [(hashed(seed, trial, k) % np.uint64(1000)).astype(np.int64) for k in range(4)]
        turns = np.minimum(1 + draw[0] // (100 * knobs["tide"]) + draw[1] % 3, TURNS)
        result = np.where(turns == TURNS, 2, np.where(draw[1] < 300 + 100 * knobs["tide"], 1, 0))
        cause = np.select([result == 0, result == 2], [-1, 2], draw[2] % 2)
        pearl = np.where(draw[2] % 4 < turns, draw[2] % 4, 0)
        crown = np.where((draw[3] % 8 < turns) & (draw[3] % 8 != pearl), draw[3] % 8, 0)
        table = {
            "trial": trial,
            "result": result,
            "cause": cause,
            "causes": np.where(cause < 0, 0, 1 << np.maximum(cause, 0)),
            "turns": turns,
            "turn_pearl": pearl,
            "turn_crown": crown,
            "steps": draw[3] % 50,
        }
        games = {c.name: np.asarray(table[c.name]).astype(c.dtype) for c in self.columns}
        level = np.zeros((TURNS, 4), dtype=np.int64)
        for turn in range(TURNS):
            level[turn] = np.bincount((draw[3] + turn)[turns > turn] % 4, minlength=4)
        return Batch(games, {"level": level, "cell_sunk": np.array([[np.sum(draw[3] % 4 == k) for k in range(4)]])})

    def layout(self, knobs):
        return Layout(((0, 0), (0, 1), (1, 0), (1, 1)))


@dataclass(frozen=True)
class Cell:
    label: str
    settings: dict
    knobs: dict
    policy: dict
    identity: str


def cell(game: MadeUp, label: str, tide: int, seed: int) -> Cell:
    return Cell(label, {"tide": tide}, game.resolve({"tide": tide}), {"name": "plain"}, f"{tide:02d}{seed:02d}" * 16)


def experiment(game: MadeUp, trials: int = 2000, seed: int = 7, tides=(1, 2), name: str = "storms", stopping=None):
    """An experiment as `analysis.experiment.load` gives it."""
    cells = tuple(cell(game, label, tide, seed) for label, tide in zip(["calm", "rough", "wild"], tides, strict=False))
    return SimpleNamespace(
        name=name,
        question="Is it rough?",
        game=game.name,
        seed=seed,
        trials=trials,
        cells=cells,
        compare=((cells[0].label, cells[-1].label),),
        grid=("tide",),
        source="name: storms\n",
        path=None,
        stopping=stopping,
        fewer={},
        games_of=lambda cell, trials: trials,
    )


def install(game: MadeUp, monkeypatch=None) -> MadeUp:
    """Make the registry give this game for its name."""
    from sim import registry

    real = registry.get

    def get(name):
        return game if name == game.name else real(name)

    if monkeypatch is None:
        registry.get = get
    else:
        monkeypatch.setattr(registry, "get", get)
    return game


def island(trials: int, seed: int = 5):
    """An experiment with Forbidden Island: two difficulties, random players."""
    from analysis.experiment import parse

    text = (
        f"name: two\nquestion: Is it harder?\ngame: forbidden_island\nseed: {seed}\ntrials: {trials}\npolicy: random\n"
    )
    return parse(text + "grid: {difficulty: [novice, legendary]}\ncompare: [[novice, legendary]]\n", "two.yaml")


def main() -> None:
    """OUT TRIALS PAUSE: the made-up game with that many seconds a chunk; a pause of "island": the real one."""
    from analysis import runner

    out, trials, pause = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    if pause == "island":
        asked = island(trials)
    else:
        asked = experiment(install(MadeUp(pause=float(pause))), trials)
    try:
        runner.run(asked, out, workers=2, progress=lambda *now: print(*now, flush=True))
    except runner.RunError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()

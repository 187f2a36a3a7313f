"""What a run would take, said before anything is stored: games, time, precision, disk.

Speeds come from the last run of the same cell in the folder, else from a first chunk, played now and thrown away.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from analysis import players, stats
from analysis.chunks import chunk_size, encode
from analysis.files import FOLDER, write_file
from analysis.stopping import Rule
from analysis.store import Store
from sim import registry

if TYPE_CHECKING:
    from analysis.cells import Cell
    from analysis.experiment import Experiment
    from sim.core.game import Game

SPEEDS = ".speeds.json"
BUDGET = 4.0
"""Seconds that measuring takes in all, about."""


@dataclass(frozen=True)
class Speed:
    """How fast a cell is: seconds of one core, bytes on disk and wins for so many games."""

    games: int
    seconds: float
    bytes: int
    won: int

    @property
    def win_rate(self) -> float:
        """A share that is never 0 or 1, however few games there are."""
        return (self.won + 1) / (self.games + 2)


@dataclass(frozen=True)
class CellPlan:
    """One cell.  games: expected in all; most: at most; stored: there already; chunks: files still to come.

    seconds: of one core, for what is missing.  bytes: on disk in the end.  half_width: expected, of the win rate.
    measured: "last run" or "first chunk".
    """

    cell: str
    policy: str
    games: int
    most: int
    stored: int
    chunks: int
    seconds: float
    bytes: int
    half_width: float
    measured: str


def plan(experiment: Experiment, out: Path, trials: int | None = None) -> list[CellPlan]:
    """What is expected of each cell of a run into `out`; plays a few games to find out where no run has told."""
    game = registry.get(experiment.game)
    store, known = Store(out, seed=experiment.seed, columns=game.columns), read_speeds(out)
    told = {}
    for cell in experiment.cells:
        found = known.get(cell.identity)
        told[cell.label] = (found, "last run") if found else (_measured(game, experiment, cell), "first chunk")
    rates = {label: speed.win_rate for label, (speed, _) in told.items()}
    plans = []
    for cell in experiment.cells:
        speed, measured = told[cell.label]
        rule, fixed = experiment.stopping, experiment.games_of(cell, trials or experiment.trials)
        games = fixed if rule is None else _expected(rule, cell.label, rates, experiment.compare)
        stored = sum(chunk.count for chunk in store.survey(cell).chunks if chunk.end <= games)
        size = chunk_size(players.info(game, cell.policy).games_per_second, games)
        plans.append(
            CellPlan(
                cell.label,
                cell.policy["name"],
                games,
                fixed if rule is None else rule.most,
                stored,
                -(-(games - stored) // size),
                (games - stored) * speed.seconds / speed.games,
                round(games * speed.bytes / speed.games),
                stats.rate(round(games * speed.win_rate), games).half_width,
                measured,
            )
        )
    return plans


def _measured(game: Game, experiment: Experiment, cell: Cell) -> Speed:
    """Play from the first trial on, twice as many games each time, until the time is long enough to be told."""
    labels = next(column.labels for column in game.columns if column.name == "result") or ()
    game.play(cell.knobs, cell.policy, experiment.seed, 0, 1)  # what is compiled now is not compiled again
    enough = min(0.2, BUDGET / (2 * len(experiment.cells)))
    count = max(1, int(players.info(game, cell.policy).games_per_second * enough / 4))
    while True:
        began = time.thread_time()
        batch = game.play(cell.knobs, cell.policy, experiment.seed, 0, count)
        data = encode(cell.identity, experiment.seed, 0, batch, game.columns)
        seconds = time.thread_time() - began
        if seconds >= enough or count >= 50_000:
            won = int((batch.games["result"] == labels.index("won")).sum())
            return Speed(count, max(seconds, 1e-9), len(data), won)
        count *= 2


def _expected(rule: Rule, label: str, rates: Mapping[str, float], pairs: tuple[tuple[str, str], ...]) -> int:
    """The look at which a cell will stop if its rates are what they seem; the most for a race or a decision."""
    mine = [pair for pair in pairs if label in pair]
    if rule.keep is not None or (rule.decision is not None and mine):
        return rule.most
    for look in rule.looks:
        fine = rule.win_rate is None or stats.rate(round(look * rates[label]), look).half_width <= rule.win_rate
        if rule.difference is not None:
            for pair in mine:
                spread = sum(
                    rates[one] * (1 - rates[one]) for one in pair
                )  # at most, unless arms turn against each other
                fine = fine and 1.96 * (spread / look) ** 0.5 <= rule.difference
        if fine:
            return look
    return rule.most


def read_speeds(out: Path) -> dict[str, Speed]:
    """Identity -> speed as the last runs in the folder measured it; empty where none did."""
    try:
        told = json.loads((out / FOLDER / SPEEDS).read_bytes())
        return {identity: Speed(**speed) for identity, speed in told.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}  # a note of the machine's own: lost, it is measured again


def write_speeds(out: Path, found: Mapping[str, Speed]) -> None:
    """Keep what a run measured, beside what earlier ones did.  Raises OSError."""
    if found:
        told = {identity: vars(speed) for identity, speed in {**read_speeds(out), **found}.items()}
        write_file(out / FOLDER / SPEEDS, json.dumps(told).encode())


def summary(cells: list[CellPlan], threads: int) -> list[str]:
    """The whole of a plan in lines: games, time, precision, disk."""
    games, most = sum(cell.games for cell in cells), sum(cell.most for cell in cells)
    stored, chunks = sum(cell.stored for cell in cells), sum(cell.chunks for cell in cells)
    half_widths = sorted(100 * cell.half_width for cell in cells)
    narrow, wide = f"{half_widths[0]:.2g}", f"{half_widths[-1]:.2g}"
    beyond = f", at most {most:,}" if most > games else ""
    there = f", {stored:,} of them stored" if stored else ""
    return [
        f"Games      {games:,} in {len(cells)} cell{'' if len(cells) == 1 else 's'}{beyond}{there}; "
        f"{chunks:,} file{'' if chunks == 1 else 's'} to come",
        f"Time       about {duration(sum(cell.seconds for cell in cells) / threads)} and some seconds for the report, "
        f"with {threads} thread{'' if threads == 1 else 's'}",
        f"Precision  win rates within {narrow if narrow == wide else f'{narrow} to {wide}'} percentage points, "
        f"in 95 of 100 runs",
        f"Disk       about {size(sum(cell.bytes for cell in cells))} of games",
    ]


def duration(seconds: float) -> str:
    """`40 s`, `12 min`, `3.4 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


def size(count: float) -> str:
    """Bytes for people: `3.4 MB`."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} GB"

"""Find the weights of the cooperative player: CMA-ES over the four standard starts, on fixed seeds.

    python -m tests.tuning.tune_cooperative --players 4 --generations 200 --games 400 --out weights-4.json

Each number of players has its own column of WEIGHTS and its own search. Every generation meets fresh trials, the same
for all its candidates (common random numbers). What is maximised is the mean over the starts of arcsin(sqrt(win rate)),
whose noise is the same at every rate. A weight with a positive value is searched on a log scale, so that none changes
its sign. The means of the last generations are compared on trials that no
generation has met; the best of them is written.

The optimiser is pycma, the reference implementation of its author (Hansen, arXiv:1604.00772).
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cma
import numpy as np

from sim.forbidden_island import engine
from sim.forbidden_island.game import GAME, Table
from sim.forbidden_island.policies.cooperative import PARAMETERS, WEIGHTS, cooperative
from sim.forbidden_island.state import ROW

SEED = 20_261
TICKS = (1, 2, 3, 4)
_NAMES = [name for name, _, _ in WEIGHTS]


def column(players: int) -> np.ndarray:
    """The weights in use for a number of players."""
    return np.array([values[players - 2] for _, values, _ in WEIGHTS])


_SCALE = 0.5


def weights_at(point: np.ndarray, base: np.ndarray) -> np.ndarray:
    """The weights at a point of the search space, whose origin is `base`."""
    signed = base <= 0
    return np.where(signed, base + _SCALE * point, base * np.exp(_SCALE * np.where(signed, 0, point)))


def win_rates(weights: np.ndarray, players: int, first: int, games: int) -> np.ndarray:
    """(4,) win rates over trials first … first + games − 1 of every start."""
    choose = cooperative.pointer(engine.CHOOSE)
    rates = []
    for tick in TICKS:
        mind = cooperative.mind({})
        at = len(PARAMETERS) + (players - 2) * len(WEIGHTS)
        mind["numbers"][0, at : at + len(WEIGHTS)] = weights
        table = Table(GAME.resolve({"start_tick": tick, "players": players}), mind)
        rows = np.zeros(games, ROW)
        if table.play(choose, SEED, first, rows) >= 0:
            raise RuntimeError("a policy was at fault")
        rates.append(float((rows["result"] == 0).mean()))
    return np.array(rates)


def score(rates: np.ndarray) -> float:
    """What is maximised."""
    return float(np.arcsin(np.sqrt(rates)).mean())


def main() -> None:
    """Search, compare, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, choices=(2, 3, 4), required=True)
    parser.add_argument("--generations", type=int, default=200)
    parser.add_argument("--games", type=int, default=400, help="trials of each start and candidate")
    parser.add_argument("--population", type=int, default=20)
    parser.add_argument("--sigma", type=float, default=0.6)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--start", type=Path, help="weights to start from, as this script writes them")
    parser.add_argument("--out", type=Path, default=Path("weights.json"))
    options = parser.parse_args()
    base = column(options.players)
    if options.start:
        found = json.loads(options.start.read_text())
        base = np.array([found.get(name, value) for name, value in zip(_NAMES, base, strict=True)])
    search = cma.CMAEvolutionStrategy(
        np.zeros(base.size), options.sigma, {"popsize": options.population, "seed": 7, "verbose": -9}
    )

    def play(weights: np.ndarray, first: int, games: int) -> np.ndarray:
        return win_rates(weights, options.players, first, games)

    play(base, 0, 1)
    finalists = [base]
    with ThreadPoolExecutor(options.threads) as pool:
        for generation in range(options.generations):
            points = search.ask()
            first = 10_000_000 + generation * options.games
            rates = list(pool.map(lambda x, first=first: play(weights_at(x, base), first, options.games), points))
            search.tell(points, [-score(rate) for rate in rates])
            if generation % 10 == 9:
                centre = weights_at(search.mean, base)
                finalists.append(centre)
                mean = 100 * np.mean([rate.mean() for rate in rates])
                print(f"generation {generation + 1}: mean win rate {mean:.1f} %, step {search.sigma:.3f}", flush=True)
                options.out.write_text(json.dumps(dict(zip(_NAMES, centre, strict=True)), indent=1))
        last = finalists[:1] + finalists[-6:]
        checked = list(pool.map(lambda weights: play(weights, 0, 10_000), last))
    best = max(range(len(last)), key=lambda i: score(checked[i]))
    for rates in checked:
        print(f"check: {100 * rates.mean():.2f} %")
    for tick, rate in zip(TICKS, checked[best], strict=True):
        print(f"start tick {tick}: {100 * rate:.1f} %")
    options.out.write_text(json.dumps(dict(zip(_NAMES, last[best], strict=True)), indent=1))


if __name__ == "__main__":
    main()

"""How often each kind of interval holds the truth, on simulated games with a known law.

    python -m tests.verify.coverage [RUNS]

prints the table of docs/statistics.md: RUNS (10,000) samples for each line, seed 20 for all.  A line's `least` is what
its method promises; a band holds only where all of its points do.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import erf, log, sqrt

import numpy as np

from analysis import stats

SEED = 20


@dataclass(frozen=True)
class Line:
    """One kind of interval under one law: `sample(rng)` says whether the interval of one sample holds the truth.

    least, most: what a right method of its level keeps to, in the long run; `slow` lines get a tenth of the runs.
    """

    kind: str
    law: str
    sample: Callable[[np.random.Generator], bool]
    least: float = 0.94
    most: float = 1.0
    slow: bool = False


def _holds(e: stats.Estimate | None, truth: float) -> bool:
    return e is not None and bool(e.low <= truth <= e.high)


def _rate(p: float, n: int) -> Callable[[np.random.Generator], bool]:
    return lambda rng: _holds(stats.rate(int(rng.binomial(n, p)), n), p)


def _law(p: float, q: float, shared: float) -> np.ndarray:
    """Neither, second only, first only, both; a share of the trials is decided by common luck."""
    both = shared * min(p, q) + (1 - shared) * p * q
    return np.array([1 - p - q + both, q - both, p - both, both])


def _paired(p: float, q: float, shared: float, n: int) -> Callable[[np.random.Generator], bool]:
    law = _law(p, q, shared)

    def sample(rng: np.random.Generator) -> bool:
        neither, second, first, both = (int(c) for c in rng.multinomial(n, law))
        return _holds(stats.paired_difference(stats.Pairs(both, first, second, neither)), q - p)

    return sample


def _log_odds(p: float, q: float, shared: float, n: int) -> Callable[[np.random.Generator], bool]:
    law = _law(p, q, shared)
    truth = log(q / (1 - q)) - log(p / (1 - p))

    def sample(rng: np.random.Generator) -> bool:
        _, second, first, both = (int(c) for c in rng.multinomial(n, law))
        close = float(stats.relations(np.array([[first + both, both], [both, second + both]]), n)[0, 1])
        return _holds(stats.log_odds_difference((first + both, n), (second + both, n), close), truth)

    return sample


def _gain(rng: np.random.Generator) -> bool:
    law = _law(0.6, 0.4, 0.5)
    _, second, first, both = rng.multinomial(40, law, size=50).T
    x, y = first + both, second + both
    blocks = np.stack([np.full(50, 40), x, y, x, y, both], axis=1)
    return _holds(stats.pairing_gain(blocks), 0.48 / (law[1] + law[2] - 0.04))


def _mean(n: int) -> Callable[[np.random.Generator], bool]:
    values, law = np.arange(5, 25), np.exp(-(((np.arange(20) - 12) / 5.0) ** 2))
    law = law / law.sum()

    def sample(rng: np.random.Generator) -> bool:
        return _holds(stats.mean_of_histogram(rng.multinomial(n, law), values), float(law @ values))

    return sample


def _median(n: int) -> Callable[[np.random.Generator], bool]:
    law = np.full(30, 1 / 30)
    law[14] += 0.001  # the median is the 15th value, just
    law = law / law.sum()
    truth = float(np.searchsorted(np.cumsum(law), 0.5))
    return lambda rng: _holds(stats.quantile(rng.multinomial(n, law), np.arange(30), 0.5), truth)


def _incidence(n: int) -> Callable[[np.random.Generator], bool]:
    law = np.array([0.02, 0.05, 0.1, 0.15, 0.1, 0.05, 0.03, 0.5])

    def sample(rng: np.random.Generator) -> bool:
        band = stats.cumulative_incidence(rng.multinomial(n, law)[:-1], n)
        truth = np.cumsum(law[:-1])
        return bool(((band.low <= truth) & (truth <= band.high)).all())

    return sample


def _curve(rng: np.random.Generator) -> bool:
    laws = [np.array([max(0.0, 1 - abs(k - t / 2) / 3) for k in range(8)]) for t in range(10)]
    laws = [w / w.sum() for w in laws]
    running = (400, 400, 390, 350, 300, 200, 100, 40, 10, 2)
    counts = np.array([rng.multinomial(n, w) for n, w in zip(running, laws, strict=True)])
    band = stats.mean_band(counts, np.arange(8))
    truth = np.array([w @ np.arange(8) for w in laws])
    return bool(((band.low <= truth) & (truth <= band.high)).all())


DESIGN = np.array([[1, t, h] for t in (0, 1, 2) for h in (0, 1)], dtype=float)
BETA = np.array([0.4, -0.8, 0.5])


def _model(term: str) -> Callable[[np.random.Generator], bool]:
    rates = 1 / (1 + np.exp(-DESIGN @ BETA))

    def sample(rng: np.random.Generator) -> bool:
        luck = np.where(rng.random(400) < 0.7, rng.random(400), rng.random((6, 400)))
        won = (luck < rates[:, None]).astype(float)
        close = stats.relations(won @ won.T, 400)
        fit = stats.fit_binomial(won.sum(axis=1), np.full(6, 400), DESIGN, ("a", "tick", "lift"), close)
        return _holds(fit.effect(1), BETA[1]) if term == "effect" else _holds(fit.ratio(2, 1), BETA[2] / BETA[1])

    return sample


def _teams(what: str, games: int) -> Callable[[np.random.Generator], bool]:
    members = np.array([[r in team for r in range(6)] for team in combinations(range(6), 4)])
    mains = np.array([0.06, 0.04, 0.0, -0.01, -0.04, -0.05])
    n = np.full(15, games)

    def sample(rng: np.random.Generator) -> bool:
        if what == "spread":
            rates = 0.5 + 0.05 * rng.standard_normal(15)
            return _holds(stats.spread(rng.binomial(n, np.clip(rates, 0, 1)), n), 0.05)
        found = stats.team_effects(members, rng.binomial(n, 0.5 + members @ mains), n)
        assert found is not None
        return _holds(found.members[0], 0.06) if what == "role" else _holds(found.pairs[0, 1], 0.0)

    return sample


def _setup(rho: float, p: float, r: int) -> Callable[[np.random.Generator], bool]:
    size = 1 / rho - 1

    def sample(rng: np.random.Generator) -> bool:
        rates = rng.beta(p * size, (1 - p) * size, 1000)
        return _holds(stats.shared_variance(np.bincount(rng.binomial(r, rates), minlength=r + 1)), rho)

    return sample


def _opening(p: float, q: float, n: int, m: int) -> Callable[[np.random.Generator], bool]:
    return lambda rng: _holds(stats.rate_difference((int(rng.binomial(n, p)), n), (int(rng.binomial(m, q)), m)), q - p)


def _turns(n: int) -> Callable[[np.random.Generator], bool]:
    def sample(rng: np.random.Generator) -> bool:
        y = rng.integers(5, 21, n)
        x = rng.binomial(y, rng.beta(2, 6, n))
        found = stats.share_of_total(n, int(x.sum()), int(y.sum()), int(x @ x), int(y @ y), int(x @ y))
        return _holds(found, 0.25)

    return sample


LINES = (
    Line("rate: Wilson", "40 % of 1,000", _rate(0.4, 1000)),
    Line("rate: Clopper-Pearson", "0.3 % of 1,000", _rate(0.003, 1000), 0.95),
    Line("rate: Clopper-Pearson", "50 % of 6", _rate(0.5, 6), 0.95),
    Line("paired difference: Bonett-Price", "60 and 50 %, half common luck, 400 trials", _paired(0.6, 0.5, 0.5, 400)),
    Line("paired difference: Bonett-Price", "1 and 3 %, 200 trials", _paired(0.01, 0.03, 0.3, 200)),
    Line("gain of pairing: jackknife", "60 and 40 %, 2,000 trials", _gain, 0.935, 0.97),
    Line("mean: Student t", "turns, 50 games", _mean(50), 0.94, 0.96),
    Line("median: order statistics", "turns, 101 games", _median(101), 0.95),
    Line("incidence: DKW band", "7 turns at once, 500 games", _incidence(500), 0.95),
    Line("curve: Anderson-Bernstein band", "10 turns at once, 400 to 2 games", _curve, 0.95, slow=True),
    Line("log odds: MOVER", "50 and 20 %, half common luck, 500 trials", _log_odds(0.5, 0.2, 0.5, 500)),
    Line("log odds: MOVER", "2 and 10 %, 300 trials", _log_odds(0.02, 0.1, 0.0, 300)),
    Line("effect: robust binomial model", "6 cells of 400 common trials", _model("effect"), 0.935, 0.99, slow=True),
    Line("exchange rate: Fieller", "6 cells of 400 common trials", _model("ratio"), 0.935, 0.99, slow=True),
    Line("role: Price-Bonett contrast", "15 teams of 100 games", _teams("role", 100), 0.94, 0.97, slow=True),
    Line("pair of roles: Price-Bonett contrast", "15 teams of 100 games", _teams("pair", 100), 0.94, 0.97, slow=True),
    Line("spread of teams: Q-profile", "15 teams of 1,000 games", _teams("spread", 1000), 0.935, 0.97, slow=True),
    Line("settled by the setup: delta method", "0.08, 1,000 pairs of games", _setup(0.08, 0.6, 2), 0.935, 0.96),
    Line("opening: Newcombe", "55 % of 900 and 50 % of 300", _opening(0.55, 0.5, 900, 300)),
    Line("share of turns: Fieller", "25 % of the turns of 100 games", _turns(100), 0.935, 0.97),
)


@dataclass(frozen=True)
class Result:
    """A line's share of samples that hold the truth, of so many runs."""

    line: Line
    held: int
    runs: int

    @property
    def share(self) -> float:
        return self.held / self.runs

    @property
    def false_alarm(self) -> float:
        """Chance that a method exactly at the nearer bound does no better than this (normal approximation)."""
        bound = self.line.least if self.share < self.line.least else self.line.most
        if self.line.least <= self.share <= self.line.most:
            return 1.0
        z = abs(self.share - bound) / sqrt(max(bound * (1 - bound), 1e-9) / self.runs)
        return 1 - erf(z / sqrt(2))


def measure(runs: int) -> Iterator[Result]:
    """Every line's result."""
    for line in LINES:
        rng = np.random.default_rng(SEED)
        mine = max(1, runs // 10) if line.slow else runs
        yield Result(line, sum(line.sample(rng) for _ in range(mine)), mine)


def main(runs: int) -> None:
    print("| interval | law | runs | holds the truth |")
    print("|---|---|---:|---:|")
    for r in measure(runs):
        e = stats.rate(r.held, r.runs)
        span = f"{100 * e.low:.1f} to {100 * e.high:.1f}"
        print(f"| {r.line.kind} | {r.line.law} | {r.runs:,} | {100 * r.share:.1f} % ({span}) |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)

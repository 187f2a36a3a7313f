"""Made-up facts of a game that declares everything, so that the page has every section of a co-operative game."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np

from analysis.effort import BINS, Effort, Wait, moments
from analysis.likeness import Likeness
from analysis.losing import Losing, Members
from analysis.openings import Start, Teams
from analysis.report.facts import CellFacts, Facts, PairFacts
from analysis.stats import Pairs
from analysis.tables import PairedSums
from analysis.trials import BLOCKS, Paired, Won
from sim.core.game import Aspects, Detail, Milestone, Opening, Progress, Special
from sim.core.game import Effort as Declared
from tests.report import made

ROLES = ("smith", "cook", "monk", "bard", "thief", "nurse")
ASPECTS = Aspects(
    details=(
        Detail("fire", "burned", "tent", ("North tent", "South tent")),
        Detail("cold", "frozen", "role", by_role=True),
    ),
    roles=("role_0", "role_1"),
    end=(("wood", "wood left"),),
    progress=(Progress("marks", "things found", ("axe_turn", "rope_turn")),),
    efforts=(Declared("acts", "Acts", (("walk", "walking about"), ("dig", "digging")), whole=True),),
    specials=(Special("Rope", "used", "lost"),),
    openings=(Opening("wet", "Wet at the start"), Opening("camp", "Place of the camp", place=True)),
    shoring=("dig", "digging"),
    choices=("none", "one"),
    unit=("night", "night", "nights"),
    same_setup="same",
)
MILESTONES = (Milestone("axe", "Axe", "axe_turn", "axe_ready"), Milestone("rope", "Rope", "rope_turn", "rope_ready"))


def _filled(cell: CellFacts, rng: np.random.Generator) -> CellFacts:
    n, won = cell.n, cell.outcomes.won
    share = won / n
    lost = dict(cell.outcomes.causes)
    reached = {name: rng.multinomial(count, [0.3, 0.4, 0.3]) for name, count in {**lost, "won": won}.items()}
    after = {name: np.array([row[2] // 2, row[2] - row[2] // 2]) for name, row in reached.items()}
    end = {name: rng.multinomial(count, [0.2, 0.3, 0.5]) for name, count in {**lost, "won": won}.items()}
    fire, cold = lost["fire"], lost["cold"]
    members = {
        "fire": Members(
            "tent", fire, {"North tent": fire // 2, "South tent": fire - fire // 2}, {}, {"axe_turn": fire}
        ),
        "cold": Members("role", cold, dict.fromkeys(ROLES, cold // 3), dict.fromkeys(ROLES, n // 3)),
    }
    decided = rng.multinomial(n, np.full(made.TURNS + 1, 1 / (made.TURNS + 1)))
    lost_at = rng.multinomial(n - won, np.full(made.TURNS + 1, 1 / (made.TURNS + 1)))
    looks = Likeness(cell.label, n, decided, decided - np.minimum(decided, lost_at), lost_at, lost_at, n // 3)
    turns = rng.integers(4, 12, n)
    dig = rng.binomial(3 * turns, 0.4)
    shoring = np.zeros((2, BINS), dtype=np.int64)
    np.add.at(shoring, ((rng.random(n) < share).astype(int), np.minimum(10 * dig // turns, BINS - 1)), 1)
    effort = Effort(
        {"acts": {"walk": moments(3 * turns - dig, 3 * turns), "dig": moments(dig, 3 * turns)}},
        {"Rope": moments(rng.integers(0, 2, n), rng.integers(2, 4, n))},
        (moments(turns // 4, turns), moments(turns // 2, turns)),
        shoring,
    )
    teams = np.array([[r in team for r in range(6)] for team in combinations(range(6), 2)])
    games = rng.multinomial(n, np.full(15, 1 / 15))
    wet = {name: (int(share * n / 2), n // 2) for name in ("Hill", "Lake", "Wood")}
    camp = np.array([[int(share * n / 5), n // 5]] * 5)
    wait = Wait(n // 2, rng.multinomial(n // 3, [0.5, 0.3, 0.2]))
    return replace(
        cell,
        losing=Losing(members, reached, {"wood": end}, after),
        likeness=looks,
        effort=effort,
        waits={"axe": wait, "rope": wait},
        teams=Teams(ROLES, teams, rng.binomial(games, share), games) if games.min() else None,
        start=Start(n, won, {"wet": wet}, {"camp": camp}),
        same_setup=2,
        redealt=rng.multinomial(n // 2, [1 - share, share / 2, share / 2]),
    )


def _pair(one: CellFacts, other: CellFacts, rng: np.random.Generator) -> PairFacts:
    """The two cells on their common trials, with everything that is compared."""
    plain = made.pair(one, other)
    blocks = {}
    for key, counts in {"won": plain.won, **plain.causes}.items():
        blocks[key] = _blocks(counts)
    turns = rng.integers(4, 12, (2, one.n))
    at = np.arange(one.n) % BLOCKS
    sums = {}
    for key in ("turns", "milestones"):
        x, y = turns
        blocks[key] = np.stack(
            [np.bincount(at, v, minlength=BLOCKS) for v in (x * 0 + 1, x, y, x * x, y * y, x * y)], 1
        )
        sums[key] = PairedSums(one.n, int((y - x).sum()), int(((y - x) ** 2).sum()))
    means = dict.fromkeys(sums, (float(turns[0].mean()), float(turns[1].mean())))
    counts = Paired(plain.won, plain.causes, sums, means, blocks, (3, 17, 20), (4, 5, 6))
    return PairFacts(one.label, other.label, plain.won, plain.causes, counts)


def _blocks(p: Pairs) -> np.ndarray:
    x = np.repeat([1, 1, 0, 0], [p.both, p.first_only, p.second_only, p.neither])
    y = np.repeat([1, 0, 1, 0], [p.both, p.first_only, p.second_only, p.neither])
    at = np.arange(p.n) % BLOCKS
    return np.stack([np.bincount(at, v, minlength=BLOCKS) for v in (x * 0 + 1, x, y, x, y, x * y)], axis=1)


def whole(count: int, n: int = 1000, labels: tuple[str, ...] = ()) -> Facts:
    """`count` cells from easy to hard with every section; the first two are compared where there are two."""
    rng = np.random.default_rng(count)
    plain = made.many(count, n)
    cells = [_filled(cell, rng) for cell in plain.cells]
    if labels:
        cells = [replace(cell, label=label) for cell, label in zip(cells, labels, strict=True)]
    recorded = tuple(
        SimpleNamespace(
            label=cell.label,
            knobs={"night": i // 2, "dogs": i % 2},
            policy={"name": "plain"},
            identity=f"{i:064d}",
            trials=n,
        )
        for i, cell in enumerate(cells)
    )
    wins = np.array([c.outcomes.won for c in cells])
    together = np.minimum(wins[:, None], wins[None])
    return replace(
        plain,
        cells=tuple(cells),
        milestones=MILESTONES,
        pairs=(_pair(cells[0], cells[1], rng),) if count > 1 else (),
        extremes=None,
        aspects=ASPECTS,
        recorded=recorded,
        together=Won(n, together) if count > 1 else None,
    )

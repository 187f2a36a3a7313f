"""Made-up counts with a known truth, of a game that does not exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from analysis.report.facts import CellFacts, Facts, PairFacts
from analysis.stats import Pairs
from analysis.tables import CurveCounts, Endings, Outcomes, Timing
from sim.core.game import Cause, Curve, Layout, Milestone

CAUSES = (
    Cause("fire", "the camp burned", "X-1"),
    Cause("cold", "the team froze", "X-2"),
    Cause("cap", "time ran out", "X-3"),
)
MARKS = (Milestone("axe", "Axe", "axe_turn"), Milestone("rope", "Rope", "rope_turn"))
CURVES = (Curve("heat", "Heat", "heat", tuple(range(11))),)
HEX = Layout(((0, 0.5), (0, 1.5), (1, 0), (1, 1), (1, 2)), grid="hex")
TURNS = 12


def spread(n: int, turns: int = TURNS, late: float = 0.5) -> np.ndarray:
    """n games over the turns, most of them around `late` of the whole."""
    weights = np.exp(-0.5 * ((np.arange(turns) - late * turns) / 2.0) ** 2)
    counts = np.floor(n * weights / weights.sum()).astype(np.int64)
    counts[int(late * turns)] += n - counts.sum()
    return counts


def cell(
    label: str,
    won: int,
    causes: Sequence[int] = (0, 0, 0),
    *,
    late: float = 0.5,
    places: Sequence[int] | None = None,
    tiles: Mapping[str, int] | None = None,
    layout: Layout | None = HEX,
) -> CellFacts:
    """A cell with so many games won and lost for each cause."""
    n = won + sum(causes)
    by_cause = {c.name: count for c, count in zip(CAUSES, causes, strict=True)}
    stopped = by_cause["cap"]
    results = {"won": won, "lost": n - won - stopped, "stopped": stopped}
    table = {("lost", "fire"): by_cause["fire"], ("lost", "cold"): by_cause["cold"], ("stopped", "cap"): stopped}
    counts = {"won": spread(won, late=0.8), **{k: spread(v, late=late) for k, v in by_cause.items()}}
    endings = Endings(label, n, np.arange(1, TURNS + 1), counts)
    first, second = spread(int(0.9 * n), late=0.2), spread(int(0.4 * n), late=0.4)
    timing = Timing(label, n, endings.turns, {"axe": first, "rope": second}, np.stack([first, second]))
    over = np.cumsum(endings.total) - endings.total
    heat = np.zeros((TURNS + 3, 11), dtype=np.int64)
    for turn in range(TURNS):
        heat[turn, min(10, turn)] = n - over[turn]
    last = int(np.flatnonzero(heat.sum(axis=1))[-1]) + 1
    curve = CurveCounts(label, np.arange(1, last + 1), np.arange(11), heat[:last], len(heat))
    return CellFacts(
        label,
        Outcomes(label, n, results, by_cause, table),
        endings,
        timing,
        {"heat": curve},
        layout if places is not None else None,
        None if places is None else np.asarray(places),
        tiles or {},
    )


def pair(one: CellFacts, other: CellFacts, overlap: float = 0.5) -> PairFacts:
    """The two cells on their common trials; `overlap` of what could happen in both at once does."""
    causes = {c.name: _both(one.outcomes.causes[c.name], other.outcomes.causes[c.name], one.n, overlap) for c in CAUSES}
    return PairFacts(one.label, other.label, _both(one.outcomes.won, other.outcomes.won, one.n, overlap), causes)


def _both(a: int, b: int, n: int, overlap: float) -> Pairs:
    both = max(int(min(a, b) * overlap), a + b - n)
    return Pairs(both, a - both, b - both, n - a - b + both)


def facts(
    cells: Sequence[CellFacts], pairs: Sequence[PairFacts] = (), extremes: PairFacts | None = None, **other: str
) -> Facts:
    """Facts of the made-up game."""
    return Facts(
        name=other.get("name", "camp"),
        question=other.get("question", "Is it harder?"),
        game="Camp",
        causes=CAUSES,
        cells=tuple(cells),
        milestones=MARKS,
        curves=CURVES,
        pairs=tuple(pairs),
        extremes=extremes,
        manifest={"experiment": {"seed": 1, "trials": cells[0].n, "source": other.get("source", "name: camp\n")}},
    )


def many(count: int, n: int = 1000) -> Facts:
    """`count` cells from easy to hard, like those of a grid."""
    made = []
    for i in range(count):
        won = int(n * (0.9 - 0.8 * i / max(1, count - 1)))
        lost = n - won
        causes = (lost // 2, lost - lost // 2 - lost // 10, lost // 10)
        made.append(cell(f"level={i + 1} mood=calm", won, causes, places=(n // 2, n // 3, n // 4, n // 5, n // 6)))
    return facts(made, extremes=pair(made[-1], made[0]) if count > 1 else None)


NASTY = (
    "<script>alert('x')</script>",
    "初心者の島 🏝️",
    "جزیره ممنوعه",
    "a|b `c` *d* _e_ [f](g) $h$ {{ 7*7 }} </style>",
    "x" * 100,
    "tab\tand\x07bell & \"quotes\" 'single'",
)

"""Counts over the common trials of cells: two cells compared in every respect, in one pass.

Memory does not grow with the number of games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis.results import Results
from analysis.stats.compare import Pairs
from analysis.tables import WON, PairedSums, together

# Sums are kept apart for so many blocks of trials (by their number), for intervals of what has no formula.
BLOCKS = 50


@dataclass(frozen=True, eq=False)
class Paired:
    """Two cells on their common trials.

    won: the 2 × 2 table of games won.  causes: cause -> of games that ended for it.  sums: number -> differences,
    second minus first, for `turns` and (where the game has milestones) `milestones`, how many were reached.
    means: number -> its mean in the first and in the second.  blocks: "won", each cause, each number -> (BLOCKS, 6) as
    `stats.pairing_gain` wants.  lost, gained: the first trials won in the first only, and in the second only.
    """

    won: Pairs
    causes: Mapping[str, Pairs] = field(default_factory=dict)
    sums: Mapping[str, PairedSums] = field(default_factory=dict)
    means: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    blocks: Mapping[str, np.ndarray] = field(default_factory=dict)
    lost: tuple[int, ...] = ()
    gained: tuple[int, ...] = ()


def paired(results: Results, first: str, second: str, flips: int = 5) -> Paired:
    """Two cells compared; `flips`: how many flipped trials each way are kept."""
    won_code = _code(results, "result", WON)
    causes = {cause.name: _code(results, "cause", cause.name) for cause in results.game.causes}
    marks = [mark.column for mark in results.game.milestones]
    never = {name: results.column(name).sentinel for name in marks}
    numbers = ["turns", *(["milestones"] if marks else [])]
    tables = {key: np.zeros(4, dtype=np.int64) for key in (WON, *causes)}
    blocks = {key: np.zeros((BLOCKS, 6), dtype=np.int64) for key in (WON, *causes, *numbers)}
    lost: list[int] = []
    gained: list[int] = []
    at = 0
    for pieces in together(results, (first, second), ["result", "cause", "turns", *marks]):
        seen = [_measured(piece, won_code, causes, marks, never) for piece in pieces]
        block = np.arange(at, at + len(pieces[0]["result"])) % BLOCKS
        for key, sums in blocks.items():
            x, y = seen[0][key], seen[1][key]
            if key in tables:
                tables[key] += np.bincount(2 * x + y, minlength=4)
            for column, values in enumerate((None, x, y, x * x, y * y, x * y)):
                weights = None if values is None else values.astype(np.float64)
                sums[:, column] += np.bincount(block, weights, minlength=BLOCKS).astype(np.int64)
        one, other = seen[0][WON], seen[1][WON]
        lost += (np.flatnonzero((one == 1) & (other == 0))[: flips - len(lost)] + at).tolist()
        gained += (np.flatnonzero((one == 0) & (other == 1))[: flips - len(gained)] + at).tolist()
        at += len(one)
    totals = {key: [int(v) for v in sums.sum(axis=0)] for key, sums in blocks.items()}
    return Paired(
        _pairs(tables[WON]),
        {name: _pairs(tables[name]) for name in causes},
        {key: PairedSums(n, y - x, xx + yy - 2 * xy) for key in numbers for n, x, y, xx, yy, xy in [totals[key]]},
        {key: (totals[key][1] / at, totals[key][2] / at) for key in numbers} if at else {},
        blocks,
        tuple(lost),
        tuple(gained),
    )


def _measured(
    piece: Mapping[str, np.ndarray],
    won: int,
    causes: Mapping[str, int],
    marks: Sequence[str],
    never: Mapping[str, int | None],
) -> dict[str, np.ndarray]:
    won_here = piece["result"] == won
    seen = {WON: won_here.astype(np.int64)}
    seen |= {name: ((piece["cause"] == code) & ~won_here).astype(np.int64) for name, code in causes.items()}
    seen["turns"] = piece["turns"].astype(np.int64)
    if marks:
        seen["milestones"] = np.sum([piece[name] != never[name] for name in marks], axis=0).astype(np.int64)
    return seen


def _pairs(table: np.ndarray) -> Pairs:
    neither, second_only, first_only, both = (int(count) for count in table)
    return Pairs(both, first_only, second_only, neither)


def _code(results: Results, column: str, label: str) -> int:
    return (results.column(column).labels or ()).index(label)


@dataclass(frozen=True, eq=False)
class Won:
    """Games won in all cells on the trials common to all.

    n: common trials.  together: (cells, cells) trials won in both cells; the diagonal holds each cell's own wins.
    """

    n: int
    together: np.ndarray


def won_together(results: Results) -> Won:
    """Which cells win the same trials: what common chance does to every comparison and to every model of the cells."""
    code = _code(results, "result", WON)
    table = np.zeros((len(results.labels),) * 2, dtype=np.int64)
    n = 0
    for pieces in together(results, results.labels, ["result"]):
        # float32 counts whole numbers exactly up to 2**24, far more than a piece has games.
        won = np.stack([piece["result"] == code for piece in pieces]).astype(np.float32)
        table += (won @ won.T).astype(np.int64)
        n += won.shape[1]
    return Won(n, table)

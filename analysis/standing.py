"""How the seats of a competitive game fared: who won, with how many points, and what became of their pieces.

Counts over all games of a cell, taken chunk by chunk; what there is to tell is declared by the game (`Contest`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from analysis.effort import Moments, moments
from analysis.results import Results
from analysis.stats import Pairs
from analysis.tables import Growing, PairedSums, together


@dataclass(frozen=True, eq=False)
class Standing:
    """The games of one cell.

    n: games.  seats: names of the seats that play in the cell.  sets: (2^k,) games by the set of winners among all k
    labels (bit i: label i).  points: seat -> (values,) games by its points, from 0.  fates: column -> (x: the column,
    y: all fates of the game).
    """

    n: int
    labels: tuple[str, ...]
    sets: np.ndarray
    points: Mapping[str, np.ndarray]
    fates: Mapping[str, Moments] = field(default_factory=dict)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that play."""
        return tuple(seat for seat in self.labels if self.points[seat].sum())

    def wins(self, seat: str) -> int:
        """Games that the seat won, alone or with others."""
        return int(self.sets[self._holds(seat)].sum())

    def alone(self, seat: str) -> int:
        """Games that the seat won alone."""
        return int(self.sets[1 << self.labels.index(seat)])

    @property
    def shared(self) -> int:
        """Games that several seats won together."""
        return int(self.sets[[bin(code).count("1") > 1 for code in range(len(self.sets))]].sum())

    @property
    def nobody(self) -> int:
        """Games without a winner."""
        return int(self.sets[0])

    def pair(self, first: str, second: str) -> Pairs:
        """The 2 × 2 table of two seats' wins in the same games."""
        one, other = self._holds(first), self._holds(second)
        counts = [int(self.sets[a & b].sum()) for a, b in ((one, other), (one, ~other), (~one, other), (~one, ~other))]
        return Pairs(*counts)

    def _holds(self, seat: str) -> np.ndarray:
        return (np.arange(len(self.sets)) >> self.labels.index(seat) & 1).astype(bool)


def standing(results: Results, cell: str) -> Standing:
    """Everything `Standing` holds, in one pass."""
    contest = results.game.aspects.contest
    assert contest is not None
    labels = results.column(contest.winners).labels or ()
    never = {name: results.column(name).sentinel for name in contest.points}
    sets = np.zeros(1 << len(labels), dtype=np.int64)
    points = {name: Growing(1) for name in contest.points}
    parts = [name for name, _ in contest.fates.parts] if contest.fates else []
    fates = dict.fromkeys(parts, Moments(0, 0, 0, 0, 0, 0))
    for games in results.read(cell, list(dict.fromkeys([contest.winners, *contest.points, *parts]))):
        sets += np.bincount(games[contest.winners].astype(np.int64), minlength=len(sets))
        for name, table in points.items():
            values = games[name].astype(np.int64)
            values = values if never[name] is None else values[values != never[name]]
            table.add(np.zeros(len(values), dtype=np.int64), values)
        whole = np.sum([games[name].astype(np.int64) for name in parts], axis=0)
        for name in parts:
            fates[name] += moments(games[name], whole)
    by_seat = {label: points[name].counts[0] for label, name in zip(labels, contest.points, strict=True)}
    return Standing(int(sets.sum()), tuple(labels), sets, by_seat, fates)


@dataclass(frozen=True, eq=False)
class Sides:
    """Two cells on their common trials.

    wins: seat that plays in both -> the 2 × 2 table of its wins.  sums: `turns`, each such seat's points and each fate,
    by column -> differences, second minus first.  means: column -> its mean in the first and in the second.
    """

    wins: Mapping[str, Pairs]
    sums: Mapping[str, PairedSums]
    means: Mapping[str, tuple[float, float]]


def sides(results: Results, first: str, second: str) -> Sides:
    """Everything `Sides` holds, in one pass."""
    contest = results.game.aspects.contest
    assert contest is not None
    labels = results.column(contest.winners).labels or ()
    never = {name: results.column(name).sentinel for name in contest.points}
    fates = [name for name, _ in contest.fates.parts] if contest.fates else []
    numbers = ["turns", *contest.points, *fates]
    tables = np.zeros((len(labels), 4), dtype=np.int64)
    sums = dict.fromkeys(numbers, np.zeros(5, dtype=np.int64))
    playing = np.ones(len(labels), dtype=bool)
    for pieces in together(results, (first, second), [contest.winners, *numbers]):
        one, other = ({name: values.astype(np.int64) for name, values in piece.items()} for piece in pieces)
        for i, name in enumerate(contest.points):
            won = [piece[contest.winners] >> i & 1 for piece in (one, other)]
            tables[i] += np.bincount(2 * won[0] + won[1], minlength=4)
            playing[i] &= all((piece[name] != never[name]).all() for piece in (one, other))
        for name in numbers:
            x, y = one[name], other[name]
            d = y - x
            sums[name] = sums[name] + [len(d), d.sum(), d @ d, x.sum(), y.sum()]
    kept = [name for name in numbers if name not in contest.points or playing[contest.points.index(name)]]
    rows = {name: [int(v) for v in sums[name]] for name in kept if sums[name][0]}
    pairs = [Pairs(both, lost, gained, neither) for neither, gained, lost, both in tables.tolist()]
    return Sides(
        {label: pair for label, pair, plays in zip(labels, pairs, playing, strict=True) if plays and pair.n},
        {name: PairedSums(n, d, dd) for name, (n, d, dd, _, _) in rows.items()},
        {name: (x / n, y / n) for name, (n, _, _, x, y) in rows.items()},
    )

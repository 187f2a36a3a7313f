"""Counts over all games of a cell, taken chunk by chunk: what figures and statistics are made of.

Each function reads only the columns that it needs, so memory does not grow with the number of games.  Turn tables have
index 0 = turn 1.  Counts are int64.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.results import Results
from analysis.stats.compare import Pairs

WON = "won"


@dataclass(frozen=True)
class Outcomes:
    """How the games of one cell ended.

    n: games.  results: result -> games, adding up to n.  causes: cause -> games not won for that cause, in the game's
    order; together with the games won they add up to n.  table: (result, cause) -> games not won.
    """

    cell: str
    n: int
    results: dict[str, int]
    causes: dict[str, int]
    table: dict[tuple[str, str], int]

    @property
    def won(self) -> int:
        return self.results[WON]


@dataclass(frozen=True, eq=False)
class Endings:
    """When the games of one cell ended and why.

    turns: 1 … the last turn in which a game ended.  counts: ending ("won", then each cause in the game's order) ->
    (turns,) games that ended so in that turn; all together add up to n.
    """

    cell: str
    n: int
    turns: np.ndarray
    counts: dict[str, np.ndarray]

    @property
    def total(self) -> np.ndarray:
        """(turns,) games that ended in that turn, however."""
        return np.sum(list(self.counts.values()), axis=0)


@dataclass(frozen=True, eq=False)
class Timing:
    """When the milestones of one cell's games came (treasures captured); the rest of the n games never had them.

    turns: 1 … the last turn in which a game ended (as in `Endings`).  by_name: milestone name -> (turns,) games in
    which it came in that turn.  by_order: (k, turns): row j counts the games whose (j+1)-th milestone came then.
    """

    cell: str
    n: int
    turns: np.ndarray
    by_name: dict[str, np.ndarray]
    by_order: np.ndarray


@dataclass(frozen=True, eq=False)
class Histogram:
    """How often a number took each value.

    values: every value from the least to the greatest seen, rising by 1.  counts: games at each.
    absent: games in which it did not happen (the sentinel), in none of the counts.
    """

    cell: str
    column: str
    n: int
    values: np.ndarray
    counts: np.ndarray
    absent: int


@dataclass(frozen=True)
class Sums:
    """Exact sums over the games of one cell: column -> sum, and sum of squares."""

    cell: str
    n: int
    total: dict[str, int]
    squares: dict[str, int]


@dataclass(frozen=True)
class PairedSums:
    """Second arm minus first on each of n common trials: sum of the differences and of their squares, exact."""

    n: int
    total: int
    squares: int


@dataclass(frozen=True, eq=False)
class CurveCounts:
    """A number followed turn by turn among the games still running.

    turns: 1 … the last turn that a game began.  values: every value it can take.  counts: (turns, values) games.
    rows: turns of the stored tally, empty ones too (what a simultaneous band is spread over).
    """

    cell: str
    turns: np.ndarray
    values: np.ndarray
    counts: np.ndarray
    rows: int

    @property
    def padded(self) -> np.ndarray:
        """(rows, values): `counts` with the empty turns after, as `stats.mean_band` wants it."""
        out = np.zeros((self.rows, len(self.values)), dtype=np.int64)
        out[: len(self.counts)] = self.counts
        return out


def outcomes(results: Results, cell: str) -> Outcomes:
    """Games by result and cause."""
    result_names, cause_names = _labels(results, "result"), _labels(results, "cause")
    width = len(cause_names) + 1  # the last place: no cause
    counts = np.zeros(len(result_names) * width, dtype=np.int64)
    for games in results.read(cell, ["result", "cause"]):
        cause = games["cause"].astype(np.int64)
        cause[(cause < 0) | (cause >= len(cause_names))] = len(cause_names)
        counts += np.bincount(games["result"].astype(np.int64) * width + cause, minlength=counts.size)
    table = counts.reshape(len(result_names), width)
    names = _causes(results)
    at = {name: cause_names.index(name) for name in names}
    lost = [i for i, name in enumerate(result_names) if name != WON]
    return Outcomes(
        cell,
        int(table.sum()),
        {name: int(table[i].sum()) for i, name in enumerate(result_names)},
        {name: int(table[lost, at[name]].sum()) for name in names},
        {(result_names[i], name): int(table[i, at[name]]) for i in lost for name in names},
    )


def endings(results: Results, cell: str) -> Endings:
    """Games by the turn they ended in and by how."""
    result_names, cause_names = _labels(results, "result"), _labels(results, "cause")
    won = result_names.index(WON)
    table = Growing(len(cause_names) + 1)  # the last row: won
    for games in results.read(cell, ["result", "cause", "turns"]):
        ending = np.where(games["result"] == won, len(cause_names), games["cause"].astype(np.int64))
        table.add(ending, games["turns"].astype(np.int64))
    counts = table.counts[:, 1:]
    by_ending = {WON: counts[-1]} | {name: counts[cause_names.index(name)] for name in _causes(results)}
    return Endings(cell, int(table.counts.sum()), np.arange(1, counts.shape[1] + 1), by_ending)


def timing(results: Results, cell: str) -> Timing:
    """Games by the turn of each milestone, by name and by order."""
    marks = results.game.milestones
    columns = [mark.column for mark in marks]
    never = [results.column(column).sentinel for column in columns]
    by_name, by_order, turns = Growing(len(marks)), Growing(len(marks)), Growing(1)
    far = np.iinfo(np.int64).max
    for games in results.read(cell, [*columns, "turns"]):
        turns.add(np.zeros(len(games["turns"]), dtype=np.int64), games["turns"].astype(np.int64))
        when = np.stack([games[column].astype(np.int64) for column in columns])
        when[np.stack([when[i] == never[i] for i in range(len(marks))])] = far
        for table in (by_name, by_order):
            for i, row in enumerate(when):
                happened = row[row != far]
                table.add(np.full(len(happened), i), happened)
            when.sort(axis=0)
    last = turns.counts.shape[1] - 1
    named, ordered = by_name.upto(last), by_order.upto(last)
    return Timing(
        cell,
        int(turns.counts.sum()),
        np.arange(1, last + 1),
        {mark.name: named[i, 1:] for i, mark in enumerate(marks)},
        ordered[:, 1:],
    )


def histogram(results: Results, cell: str, column: str) -> Histogram:
    """Games by the value of any whole-number column from 0 up (its sentinel apart)."""
    sentinel = results.column(column).sentinel
    table, n = Growing(1), 0
    for games in results.read(cell, [column]):
        values = games[column].astype(np.int64)
        n += len(values)
        values = values if sentinel is None else values[values != sentinel]
        table.add(np.zeros(len(values), dtype=np.int64), values)
    seen = np.flatnonzero(table.counts[0])
    values = np.arange(seen[0], seen[-1] + 1) if seen.size else np.arange(0)
    counts = table.counts[0, values]
    return Histogram(cell, column, n, values, counts, n - int(counts.sum()))


def sums(results: Results, cell: str, columns: Sequence[str]) -> Sums:
    """Sums of number columns (actions by kind, specials played, discards); a sentinel counts as 0."""
    total, squares, n = dict.fromkeys(columns, 0), dict.fromkeys(columns, 0), 0
    never = {name: results.column(name).sentinel for name in columns}
    for games in results.read(cell, columns):
        n += len(games[columns[0]]) if columns else 0
        for name in columns:
            values = games[name].astype(np.int64)
            if never[name]:
                values[values == never[name]] = 0
            total[name] += int(values.sum())
            squares[name] += int(values @ values)
    return Sums(cell, n, total, squares)


def happened(results: Results, cell: str, columns: Sequence[str]) -> dict[str, int]:
    """Games in which each column's event happened: not its sentinel (`sunk_turn_<tile>`: it sank)."""
    counts = dict.fromkeys(columns, 0)
    never = {name: results.column(name).sentinel for name in columns}
    for games in results.read(cell, columns):
        for name in columns:
            counts[name] += int(np.count_nonzero(games[name] != never[name]))
    return counts


def pairs(results: Results, first: str, second: str, label: str = WON, column: str = "result") -> Pairs:
    """The 2 × 2 table of "`column` is `label`" in two cells on their common trials (won; or lost for a cause).

    Raises KeyError for a label that the column does not have.  A cause is compared with column="cause".
    """
    labels = _labels(results, column)
    if label not in labels:
        raise KeyError(f"column {column} has no label {label!r}; labels: {', '.join(labels)}")
    code = labels.index(label)
    counts = np.zeros(4, dtype=np.int64)
    for one, other in _column(results, first, second, column):
        counts += np.bincount(2 * (one == code) + (other == code), minlength=4)
    neither, second_only, first_only, both = (int(count) for count in counts)
    return Pairs(both, first_only, second_only, neither)


def paired_sums(results: Results, first: str, second: str, column: str) -> PairedSums:
    """Differences of a number column, second minus first, on the common trials of two cells."""
    n = total = squares = 0
    for one, other in _column(results, first, second, column):
        difference = other.astype(np.int64) - one.astype(np.int64)
        n, total, squares = n + len(difference), total + int(difference.sum()), squares + int(difference @ difference)
    return PairedSums(n, total, squares)


def flips(results: Results, first: str, second: str, limit: int = 10) -> tuple[list[int], list[int]]:
    """The first `limit` common trials won in the first cell only, and those won in the second only."""
    won = _labels(results, "result").index(WON)
    lost: list[int] = []
    gained: list[int] = []
    at = 0
    for one, other in _column(results, first, second, "result"):
        lost += (np.flatnonzero((one == won) & (other != won))[: limit - len(lost)] + at).tolist()
        gained += (np.flatnonzero((one != won) & (other == won))[: limit - len(gained)] + at).tolist()
        at += len(one)
        if len(lost) >= limit and len(gained) >= limit:
            break
    return lost, gained


def curve(results: Results, cell: str, name: str) -> CurveCounts:
    """The curve of that name (`Game.curves`) from the stored tallies; KeyError with the names there are."""
    for one in results.game.curves:
        if one.name == name:
            counts = results.tallies(cell)[one.tally]
            running = np.flatnonzero(counts.sum(axis=1))
            last = int(running[-1]) + 1 if running.size else 0
            return CurveCounts(cell, np.arange(1, last + 1), np.asarray(one.values), counts[:last], len(counts))
    raise KeyError(f"no curve {name!r}; curves: {', '.join(one.name for one in results.game.curves)}")


class Growing:
    """A (rows, values) table of counts that widens as greater values come."""

    def __init__(self, rows: int) -> None:
        self.counts = np.zeros((rows, 1), dtype=np.int64)

    def add(self, row: np.ndarray, value: np.ndarray) -> None:
        if not len(value):
            return
        self.counts = self.upto(max(self.counts.shape[1] - 1, int(value.max())))
        rows, width = self.counts.shape
        self.counts += np.bincount(row * width + value, minlength=rows * width).reshape(rows, width)

    def upto(self, value: int) -> np.ndarray:
        """The table up to that value, at least as wide as it is."""
        rows, width = self.counts.shape
        if value < width:
            return self.counts
        return np.concatenate([self.counts, np.zeros((rows, value + 1 - width), dtype=np.int64)], axis=1)


def _column(results: Results, first: str, second: str, column: str) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    return ((one[column], other[column]) for one, other in together(results, (first, second), [column]))


def together(
    results: Results, cells: Sequence[str], columns: Sequence[str]
) -> Iterator[tuple[dict[str, np.ndarray], ...]]:
    """Columns of several cells over their common trials, in pieces of the same trials, however chunks were cut."""
    streams = [results.read(cell, columns) for cell in cells]
    held: list[dict[str, np.ndarray]] = [{}] * len(streams)
    while True:
        for i, stream in enumerate(streams):
            if not held[i] or not len(held[i][columns[0]]):
                piece = next(stream, None)
                if piece is None:
                    return
                held[i] = piece
        n = min(len(piece[columns[0]]) for piece in held)
        yield tuple({name: values[:n] for name, values in piece.items()} for piece in held)
        held = [{name: values[n:] for name, values in piece.items()} for piece in held]


def _labels(results: Results, column: str) -> tuple[str, ...]:
    labels = results.column(column).labels
    if labels is None:
        raise KeyError(f"column {column} has no labels")
    return labels


def _causes(results: Results) -> list[str]:
    """The game's causes in report order; every label of the column `cause` must be one."""
    return [cause.name for cause in results.game.causes]

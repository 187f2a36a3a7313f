"""How many games are enough: the rule of an experiment, and its state while games come in.

The rule is looked at after fixed numbers of games, so the same experiment stops at the same games on any number of
threads or machines, interrupted or not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from analysis import stats
from analysis.stats import Pairs
from analysis.stats import stopping as looking

RACE_ALPHA = 0.05
"""The chance, at most, that a race drops a cell that belongs to those it keeps."""


@dataclass(frozen=True)
class Rule:
    """When a cell has enough games.

    least, most: games a cell plays at least and at most.  win_rate: half-width that every cell's win rate shall have.
    difference: half-width that every compared difference shall have.  decision: chance of a false alarm in all compared
    pairs together, of which each plays on until it is decided.  keep: cells that a race keeps; None for what is absent.
    """

    least: int
    most: int
    win_rate: float | None = None
    difference: float | None = None
    decision: float | None = None
    keep: int | None = None

    @property
    def planned(self) -> tuple[int, ...]:
        """The looks at which pairs are decided and cells dropped; empty when there is neither."""
        if self.decision is None and self.keep is None:
            return ()
        return looking.planned(min(self.most, max(self.least, looking.LEAST)), self.most)

    @property
    def looks(self) -> tuple[int, ...]:
        """Every look, rising; the last is `most`."""
        if self.win_rate is None and self.difference is None:
            return self.planned
        return looking.looks(self.least, self.most, self.planned)


@dataclass
class CellState:
    """A cell: games at its last look, looks taken, wins, and why it plays on or not.

    state: "open", "met", "max_trials" (not met, no more games), "dropped" or "kept" (of a race).
    """

    cell: str
    games: int = 0
    looks: int = 0
    won: int = 0
    half_width: float | None = None
    state: str = "open"


@dataclass
class PairState:
    """A compared pair, as `CellState`; decided: whether a difference was declared, None where none is asked for."""

    first: str
    second: str
    games: int = 0
    looks: int = 0
    half_width: float | None = None
    decided: bool | None = None
    state: str = "open"


class Watch:
    """The state of a rule while games come in; fed look by look.

    cells: labels.  pairs: compared pairs of labels.
    """

    def __init__(self, rule: Rule, cells: Sequence[str], pairs: Sequence[tuple[str, str]]) -> None:
        self.rule = rule
        self.cells = {label: CellState(label) for label in cells}
        asked = rule.difference is not None or rule.decision is not None
        self.pairs = [
            PairState(first, second, decided=None if rule.decision is None else False)
            for first, second in (pairs if asked else ())
        ]
        self._won: dict[str, list[np.ndarray]] = {label: [] for label in cells}

    @property
    def open(self) -> list[str]:
        """The cells that need more games, in the experiment's order."""
        return [label for label, cell in self.cells.items() if cell.state == "open"]

    @property
    def racing(self) -> list[str]:
        """The cells that no others have beaten."""
        return [label for label, cell in self.cells.items() if cell.state != "dropped"]

    def look(self, games: int, won: Callable[[str, int, int], np.ndarray]) -> None:
        """Look at every open cell after `games` games; won(label, first, end): which of these trials were won."""
        for label in self.open:
            cell = self.cells[label]
            new = won(label, cell.games, games)
            cell.games, cell.looks, cell.won = games, cell.looks + 1, cell.won + int(new.sum())
            if self.pairs or self.rule.keep is not None:
                self._won[label].append(np.packbits(new))
            cell.half_width = stats.rate(cell.won, games).half_width
        for pair in self.pairs:
            if pair.state == "open":
                self._look_at_pair(pair, games)
        if self.rule.keep is not None and games in self.rule.planned:
            self._race()
        for label in self.open:
            self._close(label, games)

    def _look_at_pair(self, pair: PairState, games: int) -> None:
        rule = self.rule
        pair.games, pair.looks = games, pair.looks + 1
        both = self._pair(pair.first, pair.second)
        pair.half_width = stats.paired_difference(both).half_width
        if rule.decision is not None and games in rule.planned and not pair.decided:
            pair.decided = looking.decided(both, rule.decision, len(rule.planned), len(self.pairs))
        narrow = rule.difference is None or pair.half_width <= rule.difference
        if narrow and pair.decided is not False:
            pair.state = "met"
        elif games >= rule.most:
            pair.state = "max_trials"

    def _race(self) -> None:
        """Drop the cells that `keep` of the others beat; those with the highest win rates are tried as beaters."""
        rule = self.rule
        assert rule.keep is not None
        # All that race have played the same games: nobody leaves before only `keep` are left.
        order = sorted(self.open, key=lambda label: -self.cells[label].won)
        ahead = order[: rule.keep]
        for label in order[rule.keep :]:
            if all(
                looking.beaten(self._pair(best, label), RACE_ALPHA, len(rule.planned), len(self.cells), rule.keep)
                for best in ahead
            ):
                self.cells[label].state = "dropped"
        for pair in self.pairs:
            if pair.state == "open" and "dropped" in (self.cells[pair.first].state, self.cells[pair.second].state):
                pair.state = "dropped"

    def _close(self, label: str, games: int) -> None:
        cell, rule = self.cells[label], self.rule
        waiting = any(pair.state == "open" and label in (pair.first, pair.second) for pair in self.pairs)
        narrow = rule.win_rate is None or (cell.half_width is not None and cell.half_width <= rule.win_rate)
        met = "met" if rule.keep is None else "kept"
        racing = rule.keep is not None and (rule.win_rate is None or len(self.racing) > rule.keep)
        if games >= rule.most:
            cell.state = met if narrow else "max_trials"
        elif narrow and not waiting and not racing:
            cell.state = met

    def _pair(self, first: str, second: str) -> Pairs:
        """The 2 × 2 table of two cells that have been looked at equally often."""
        both = one = other = 0
        for a, b in zip(self._won[first], self._won[second], strict=True):
            both += int(np.bitwise_count(a & b).sum())
            one += int(np.bitwise_count(a & ~b).sum())
            other += int(np.bitwise_count(b & ~a).sum())
        return Pairs(both, one, other, self.cells[first].games - both - one - other)

    def expected(self, label: str) -> int:
        """Games that the cell will have had, as far as can be told now (for progress and plans)."""
        cell, rule = self.cells[label], self.rule
        if cell.state != "open":
            return cell.games
        needed = [rule.least]
        if rule.win_rate is not None and cell.half_width is not None:
            needed.append(round(cell.games * (cell.half_width / rule.win_rate) ** 2))
        if rule.keep is not None or rule.decision is not None:
            needed.append(rule.most)
        for pair in self.pairs:
            if label in (pair.first, pair.second) and rule.difference is not None and pair.half_width is not None:
                needed.append(round(pair.games * (pair.half_width / rule.difference) ** 2))
        return min(rule.most, max(*needed, cell.games + 1))

    def record(self) -> dict[str, Any]:
        """All of it as JSON values, for the manifest."""
        return {
            "rule": asdict(self.rule),
            "looks": list(self.rule.looks),
            "planned": list(self.rule.planned),
            "cells": [asdict(cell) for cell in self.cells.values()],
            "pairs": [asdict(pair) for pair in self.pairs],
        }


def words(rule: Mapping[str, Any], planned: Sequence[int]) -> list[str]:
    """The rule (`asdict` of one) in sentences."""
    told = []
    if rule["win_rate"] is not None:
        told.append(
            f"Every cell plays until the 95 % interval of its win rate is at most {_points(rule['win_rate'])} wide."
        )
    if rule["difference"] is not None:
        told.append(
            f"Every compared pair plays until the 95 % interval of its difference is at most "
            f"{_points(rule['difference'])} wide."
        )
    if rule["decision"] is not None:
        told.append(
            f"Every compared pair plays until its difference is told from chance. It is tested at {_at(planned)}; all "
            f"tests of all pairs together raise a false alarm with a chance of at most {100 * rule['decision']:g} %. "
            f"Intervals of differences are widened so that they hold at all of these looks together."
        )
    if rule["keep"] is not None:
        told.append(
            f"A race for {rule['keep']} of the cells: at {_at(planned)}, cells that are clearly beaten are dropped. "
            f"The chance that any cell that belongs to the best {rule['keep']} is dropped is at most "
            f"{100 * RACE_ALPHA:g} %. The win rates of the cells that are kept are a little flattered by having been "
            f"picked."
        )
    told.append(
        f"Looks are taken after fixed numbers of games, from {rule['least']:,} games a cell on, and at most "
        f"{rule['most']:,} games a cell are played."
    )
    return told


def _points(half_width: float) -> str:
    return f"± {100 * half_width:g} percentage points"


def _at(planned: Sequence[int]) -> str:
    if len(planned) == 1:
        return f"one planned look ({planned[0]:,} games)"
    return f"{len(planned)} planned looks ({planned[0]:,} to {planned[-1]:,} games, doubling)"

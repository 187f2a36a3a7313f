"""What lies behind lost games: which treasure, which role, which tile, how far the team had come.

Counts over all games of a cell, taken chunk by chunk; what there is to tell is declared by the game (`Game.aspects`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from analysis.results import Results
from analysis.tables import WON, Growing
from sim.core.game import Detail


@dataclass(frozen=True, eq=False)
class Members:
    """Which members of a set (treasures, roles) a cause took.

    n: games that ended for the cause.  counts: member -> games in which it was among them.  played: member -> games of
    the cell in which it was there at all, where that varies (roles), else empty.  parts: part (column) -> games of the
    cause in which it was the last of a taken member's parts to go.
    """

    word: str
    n: int
    counts: Mapping[str, int]
    played: Mapping[str, int] = field(default_factory=dict)
    parts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Losing:
    """Lost games of one cell.

    members: cause -> what it took.  reached: ending (`won` and each cause) -> (milestones + 1,) games by how many
    milestones were reached.  end: column -> ending -> (values,) games by its value at the end, from 0.
    after_last: ending -> (turns,) games with every milestone by the turns from the last of them to the end, from 0.
    """

    members: Mapping[str, Members]
    reached: Mapping[str, np.ndarray]
    end: Mapping[str, Mapping[str, np.ndarray]]
    after_last: Mapping[str, np.ndarray]


def losing(results: Results, cell: str) -> Losing:
    """Everything `Losing` holds, in one pass."""
    game = results.game
    aspects = game.aspects
    causes = [cause.name for cause in game.causes]
    labels = results.column("cause").labels or ()
    won = (results.column("result").labels or ()).index(WON)
    marks = [mark.column for mark in game.milestones]
    never = {name: results.column(name).sentinel for name in marks}
    columns = dict.fromkeys(["result", "cause", "turns", *marks, *(name for name, _ in aspects.end)])
    for detail in aspects.details:
        columns |= dict.fromkeys([detail.column, *(part for parts in detail.parts for part in parts)])
    if any(detail.by_role for detail in aspects.details):
        columns |= dict.fromkeys(aspects.roles)
    reached, after = Growing(len(causes) + 1), Growing(len(causes) + 1)
    end = {name: Growing(len(causes) + 1) for name, _ in aspects.end}
    taken = {detail.cause: _Taken(results, detail) for detail in aspects.details}
    place = {labels.index(name): i for i, name in enumerate(causes)}
    code = np.full(len(labels) + 1, len(causes))
    for at, i in place.items():
        code[at] = i
    for games in results.read(cell, list(columns)):
        lost = games["result"] != won
        ending = np.where(lost, code[games["cause"].astype(np.int64)], len(causes))
        when = np.stack([games[name].astype(np.int64) for name in marks]) if marks else np.zeros((0, len(ending)))
        have = np.stack([games[name] != never[name] for name in marks]) if marks else when.astype(bool)
        count = have.sum(axis=0)
        reached.add(ending, count)
        if marks:
            every = count == len(marks)
            after.add(ending[every], games["turns"].astype(np.int64)[every] - when.max(axis=0)[every])
        for name, table in end.items():
            table.add(ending, games[name].astype(np.int64))
        for cause, one in taken.items():
            one.add(games, lost & (ending == causes.index(cause)))
    names = [*causes, WON]
    wide = reached.upto(len(marks))
    return Losing(
        {cause: one.members() for cause, one in taken.items()},
        dict(zip(names, wide, strict=True)),
        {name: dict(zip(names, table.counts, strict=True)) for name, table in end.items()},
        dict(zip(names, after.counts, strict=True)),
    )


class _Taken:
    """The counts of one detail."""

    def __init__(self, results: Results, detail: Detail) -> None:
        self.detail = detail
        self.n = 0
        self.roles = results.game.aspects.roles
        column = results.column(self.roles[0]) if detail.by_role else results.column(detail.column)
        self.names = (column.labels or ()) if detail.by_role or not detail.labels else detail.labels
        self.counts = np.zeros(len(self.names), dtype=np.int64)
        self.played = np.zeros(len(self.names), dtype=np.int64)
        self.parts: dict[str, int] = {part: 0 for parts in detail.parts for part in parts}

    def add(self, games: Mapping[str, np.ndarray], mine: np.ndarray) -> None:
        """Count the games of `mine`, those that ended for the cause (and for `played`, all)."""
        self.n += int(mine.sum())
        mask = games[self.detail.column].astype(np.int64)[mine]
        if self.detail.by_role:
            for seat, name in enumerate(self.roles):
                role = games[name].astype(np.int64)
                self.played += np.bincount(role[role >= 0], minlength=len(self.names))
                gone = role[mine][(mask >> seat & 1 == 1) & (role[mine] >= 0)]
                self.counts += np.bincount(gone, minlength=len(self.names))
            return
        for i in range(len(self.names)):
            self.counts[i] += int((mask >> i & 1).sum())
        for i, parts in enumerate(self.detail.parts):
            when = np.stack([games[part].astype(np.int64)[mine] for part in parts])
            last = (when == when.max(axis=0)) & (mask >> i & 1 == 1)
            for part, here in zip(parts, last, strict=True):
                self.parts[part] += int(here.sum())

    def members(self) -> Members:
        """What was counted."""
        counts = {name: int(c) for name, c in zip(self.names, self.counts, strict=True)}
        played = {name: int(c) for name, c in zip(self.names, self.played, strict=True)}
        return Members(self.detail.word, self.n, counts, played if self.detail.by_role else {}, self.parts)

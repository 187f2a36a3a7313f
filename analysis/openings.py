"""Teams and openings: which roles sat there, what was known before the first turn, and how such games ended.

Counts over all games of a cell, taken chunk by chunk; what there is to tell is declared by the game (`Game.aspects`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.results import Results
from analysis.tables import WON


@dataclass(frozen=True, eq=False)
class Teams:
    """Games by team.

    roles: all roles.  members: (teams, roles) whether the role is in the team, teams in order of their roles.
    won, games: (teams,).
    """

    roles: tuple[str, ...]
    members: np.ndarray
    won: np.ndarray
    games: np.ndarray

    def name(self, team: int) -> str:
        """The team's roles."""
        return ", ".join(role for role, there in zip(self.roles, self.members[team], strict=True) if there)


@dataclass(frozen=True, eq=False)
class Start:
    """Games by what was known before the first turn.

    n, won: games looked at, and won.  sets: column -> member -> (won, games) with it.  places: column -> (places, 2) of
    won and games by place.
    """

    n: int
    won: int
    sets: Mapping[str, Mapping[str, tuple[int, int]]]
    places: Mapping[str, np.ndarray]


def teams(results: Results, cell: str) -> Teams | None:
    """Games by team; None where roles are not declared or every game had the same team."""
    columns = results.game.aspects.roles
    if not columns:
        return None
    labels = results.column(columns[0]).labels or ()
    code = (results.column("result").labels or ()).index(WON)
    counts = np.zeros((2, 1 << len(labels)), dtype=np.int64)
    for games in results.read(cell, ["result", *columns]):
        mask = np.zeros(len(games["result"]), dtype=np.int64)
        for name in columns:
            role = games[name].astype(np.int64)
            mask |= np.where(role >= 0, 1 << np.maximum(role, 0), 0)
        counts[1] += np.bincount(mask, minlength=counts.shape[1])
        counts[0] += np.bincount(mask[games["result"] == code], minlength=counts.shape[1])
    seen = np.flatnonzero(counts[1])
    if seen.size < 2:
        return None
    members = (seen[:, None] >> np.arange(len(labels)) & 1).astype(bool)
    return Teams(tuple(labels), members, counts[0, seen], counts[1, seen])


def start(results: Results, cell: str, every: int = 1) -> Start | None:
    """Games by their opening, of every `every`-th trial (those between share its setup); None where not declared."""
    declared = results.game.aspects.openings
    if not declared:
        return None
    code = (results.column("result").labels or ()).index(WON)
    sets = {one.column: results.column(one.column).labels or () for one in declared if not one.place}
    places = {one.column: np.zeros((1, 2), dtype=np.int64) for one in declared if one.place}
    counts = {column: _Members(len(labels)) for column, labels in sets.items()}
    n = won = 0
    for games in results.read(cell, ["trial", "result", *sets, *places]):
        mine = games["trial"] % every == 0
        wins = (games["result"] == code)[mine]
        n, won = n + len(wins), won + int(wins.sum())
        for column in sets:
            counts[column].add(games[column].astype(np.int64)[mine], wins)
        for column in places:
            place = games[column].astype(np.int64)[mine]
            size = max(len(places[column]), int(place.max(initial=0)) + 1)
            both = np.stack([np.bincount(place[wins], minlength=size), np.bincount(place, minlength=size)], axis=1)
            both[: len(places[column])] += places[column]
            places[column] = both
    named = {
        column: {label: (int(w), int(g)) for label, (w, g) in zip(labels, counts[column].totals(), strict=True)}
        for column, labels in sets.items()
    }
    return Start(n, won, named, places)


class _Members:
    """Won and all games by member of a set, counted by patterns of a dozen members at a time."""

    _PIECE = 12

    def __init__(self, members: int) -> None:
        self.members = members
        self.tables = [np.zeros((2, 1 << self._PIECE), dtype=np.int64) for _ in range(0, members, self._PIECE)]

    def add(self, mask: np.ndarray, won: np.ndarray) -> None:
        """Count games by their sets."""
        size = 1 << self._PIECE
        for i, table in enumerate(self.tables):
            pattern = mask >> (i * self._PIECE) & (size - 1)
            table += np.bincount(pattern + size * won, minlength=2 * size).reshape(2, size)

    def totals(self) -> np.ndarray:
        """(members, 2) games won with each member, and games with it."""
        pattern = np.arange(1 << self._PIECE)
        rows = []
        for i in range(self.members):
            both = self.tables[i // self._PIECE][:, pattern >> i % self._PIECE & 1 == 1].sum(axis=1)
            rows.append((both[1], both.sum()))
        return np.array(rows).reshape(-1, 2)


def redealt(results: Results, cell: str, same: int) -> np.ndarray:
    """(same + 1,) setups by how many of their `same` trials were won; a last setup that is not complete is left out."""
    code = (results.column("result").labels or ()).index(WON)
    counts = np.zeros(same + 1, dtype=np.int64)
    held = np.zeros(0, dtype=bool)
    for games in results.read(cell, ["result"]):
        held = np.concatenate([held, games["result"] == code])
        whole = len(held) // same * same
        counts += np.bincount(held[:whole].reshape(-1, same).sum(axis=1), minlength=same + 1)
        held = held[whole:]
    return counts

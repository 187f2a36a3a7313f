"""Games that look alike: what was still open at each turn, and from when on a game was decided.

Two games look alike at the end of a turn when as many turns are over and the game's progress numbers (`Game.aspects`)
agree.  The win rate among the look-alikes of a game, taken from the other half of the trials (odd for even, even for
odd), says how open it still was.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.results import Results
from analysis.tables import WON

# A game is decided when all but one in twenty of its look-alikes end the same way, from there to its end.
SURE = 0.95
# Look-alikes of a rare kind borrow so many games from the wider kind with the same turn and first progress number.
BORROWED = 10.0
# Looking at every turn of every game takes time; so many games say all that a chart can show.
ENOUGH = 400_000


@dataclass(frozen=True, eq=False)
class Likeness:
    """When games were decided.

    n: games looked at, the first of the cell.  early: of these, decided before their last turn.
    decided: (turns + 1,) games by the turn at whose end (0: at the start) they were decided, in the way they ended; at
    the latest when they are over.  won, lost: the same for games won and not won.  margin: (turns + 1,) games not won
    by how many turns before their end they were as good as lost; 0: only when they were over.
    """

    cell: str
    n: int
    decided: np.ndarray
    won: np.ndarray
    lost: np.ndarray
    margin: np.ndarray
    early: int = 0


def likeness(results: Results, cell: str, cells: int = 1) -> Likeness | None:
    """`Likeness` of a cell; `cells`: how many share the work.  None where the game declares no progress."""
    progress = results.game.aspects.progress
    if not progress:
        return None
    limit = max(10_000, ENOUGH // cells)
    columns = list(dict.fromkeys(["result", "turns", *(c for one in progress for c in one.columns)]))
    held: dict[str, list[np.ndarray]] = {name: [] for name in columns}
    n = 0
    for games in results.read(cell, columns):
        for name in columns:
            held[name].append(games[name][: limit - n])
        n += len(games["turns"][: limit - n])
        if n >= limit:
            break
    if not n:
        return None
    table = {name: np.concatenate(parts) for name, parts in held.items()}
    won = table["result"] == (results.column("result").labels or ()).index(WON)
    turns = table["turns"].astype(np.int64)
    last = int(turns.max())
    codes = []
    for one in progress:
        happened = np.zeros((n, last + 1), dtype=np.int32)
        for column in one.columns:
            when = table[column].astype(np.int64)
            never = results.column(column).sentinel
            real = np.flatnonzero((when != never) & (when <= last))
            np.add.at(happened, (real, when[real]), 1)
        codes.append(np.cumsum(happened, axis=1, dtype=np.int32) // one.step)
    return Likeness(cell, n, *_decided(won, turns, codes))


def _decided(
    won: np.ndarray, turns: np.ndarray, codes: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]:
    """won: (n,) bool.  turns: (n,).  codes: progress numbers (n, last + 1) by the end of turn 0, 1, …"""
    n, width = codes[0].shape
    half = np.arange(n) % 2
    # From the last turn backwards: from which turn on every look at the game was sure of its end.
    decided = turns.copy()
    open_still = np.ones(n, dtype=bool)
    for turn in range(width - 2, -1, -1):
        running = turns > turn
        if not running.any():
            continue
        fine, coarse = np.zeros(n, dtype=np.int64), codes[0][:, turn].astype(np.int64)
        for code in codes:
            fine = fine * 1024 + code[:, turn]
        share = np.zeros(n)
        for mine in (0, 1):
            here, there = running & (half == mine), running & (half != mine)
            share[here] = _share(fine, coarse, won, here, there)
        agrees = np.where(won, share >= SURE, share <= 1 - SURE)
        sure = running & open_still & agrees
        decided[sure] = turn
        open_still &= ~running | agrees
    margin = (turns - decided)[~won]
    spread = [np.bincount(v, minlength=width) for v in (decided, decided[won], decided[~won], margin)]
    return spread[0], spread[1], spread[2], spread[3], int((decided < turns).sum())


def _share(fine: np.ndarray, coarse: np.ndarray, won: np.ndarray, here: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Win rate among the look-alikes in `there` of each game in `here`."""
    base = (won[there].sum() + 0.5) / (there.sum() + 1.0)
    wide_n, wide_won = _counts(coarse, won, here, there)
    wide = (wide_won + BORROWED * base) / (wide_n + BORROWED)
    close_n, close_won = _counts(fine, won, here, there)
    return (close_won + BORROWED * wide) / (close_n + BORROWED)


def _counts(key: np.ndarray, won: np.ndarray, here: np.ndarray, there: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    known, place = np.unique(key[there], return_inverse=True)
    if not known.size:
        return np.zeros(int(here.sum())), np.zeros(int(here.sum()))
    games = np.bincount(place, minlength=known.size).astype(np.float64)
    wins = np.bincount(place, won[there].astype(np.float64), minlength=known.size)
    at = np.minimum(np.searchsorted(known, key[here]), known.size - 1)
    found = known[at] == key[here]
    return np.where(found, games[at], 0.0), np.where(found, wins[at], 0.0)

"""What lies behind lost games, and games that look alike: against loops over games and processes with a known law."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from analysis.likeness import SURE, likeness
from analysis.losing import losing
from sim.core.game import Aspects, Cause, Column, Detail, Milestone, Progress
from tests.held import Held

LABELS = ("storm", "thief", "cap")
HEADS = tuple(f"head_{i}" for i in range(1, 11))


class Harbour:
    """A made-up game: storms take ships (two masts each), thieves take a player."""

    causes = (Cause("thief", "robbed", "1"), Cause("storm", "sunk", "2"), Cause("cap", "time ran out", "3"))
    milestones = (Milestone("gold", "Gold", "gold_turn"), Milestone("silk", "Silk", "silk_turn"))
    columns = (
        Column("result", "int8", "code", "", labels=("won", "lost", "stopped")),
        Column("cause", "int8", "code", "", sentinel=-1, labels=LABELS),
        Column("turns", "int16", "turns", ""),
        Column("gold_turn", "int16", "turns", "", sentinel=0),
        Column("silk_turn", "int16", "turns", "", sentinel=0),
        Column("ships", "int8", "set", "", labels=("cog", "hulk"), is_set=True),
        *(Column(f"mast_{m}", "int16", "turns", f"Turn in which {m} sank", sentinel=0) for m in "abcd"),
        Column("robbed", "int8", "set", "", labels=("0", "1"), is_set=True),
        *(Column(f"role_{s}", "int8", "code", "", sentinel=-1, labels=("smith", "cook", "monk")) for s in (0, 1)),
        Column("level", "int8", "count", ""),
        *(Column(name, "int16", "turns", "", sentinel=0) for name in HEADS),
    )
    aspects = Aspects(
        details=(
            Detail("storm", "ships", "ship", ("Cog", "Hulk"), (("mast_a", "mast_b"), ("mast_c", "mast_d"))),
            Detail("thief", "robbed", "role", by_role=True),
        ),
        roles=("role_0", "role_1"),
        end=(("level", "level"),),
        progress=(Progress("heads", "heads", HEADS),),
    )


def harbour(n: int, seed: int) -> dict[str, np.ndarray]:
    """n games; every column in its range."""
    rng = np.random.default_rng(seed)
    won = rng.random(n) < 0.3
    cause = np.where(won, -1, rng.integers(0, 3, n))
    turns = rng.integers(5, 12, n)
    games = {"result": np.where(won, 0, 1), "cause": cause, "turns": turns, "level": rng.integers(0, 6, n)}
    for name in ("gold_turn", "silk_turn"):
        games[name] = np.where(rng.random(n) < 0.6, rng.integers(1, 5, n), 0)
    games["ships"] = np.where(cause == 0, rng.integers(1, 4, n), 0)
    for mast in "abcd":
        games[f"mast_{mast}"] = rng.integers(0, 6, n)
    games["robbed"] = np.where(cause == 1, rng.integers(1, 4, n), 0)
    games["role_0"], games["role_1"] = rng.integers(0, 3, n), rng.integers(-1, 3, n)
    return games


@pytest.mark.parametrize("chunk", [317, 5000])
def test_counts_against_a_loop(chunk):
    """1,000 games told one by one give the same counts, however they were cut."""
    games = harbour(1000, 4)
    got = losing(Held(Harbour(), {"a": games}, chunk=chunk), "a")
    ships = {"Cog": 0, "Hulk": 0}
    masts = dict.fromkeys(("mast_a", "mast_b", "mast_c", "mast_d"), 0)
    robbed, played = dict.fromkeys(("smith", "cook", "monk"), 0), dict.fromkeys(("smith", "cook", "monk"), 0)
    reached = {key: [0, 0, 0] for key in ("thief", "storm", "cap", "won")}
    level, after = {}, {}
    names = ("smith", "cook", "monk")
    for i in range(1000):
        g = {key: int(values[i]) for key, values in games.items()}
        ending = "won" if g["result"] == 0 else LABELS[g["cause"]]
        have = (g["gold_turn"] > 0) + (g["silk_turn"] > 0)
        reached[ending][have] += 1
        level[ending, g["level"]] = level.get((ending, g["level"]), 0) + 1
        if have == 2:
            key = ending, g["turns"] - max(g["gold_turn"], g["silk_turn"])
            after[key] = after.get(key, 0) + 1
        for seat in (0, 1):
            if g[f"role_{seat}"] >= 0:
                played[names[g[f"role_{seat}"]]] += 1
                robbed[names[g[f"role_{seat}"]]] += ending == "thief" and g["robbed"] >> seat & 1
        if ending == "storm":
            for at, (ship, two) in enumerate((("Cog", "ab"), ("Hulk", "cd"))):
                if g["ships"] >> at & 1:
                    ships[ship] += 1
                    last = max(g[f"mast_{m}"] for m in two)
                    for m in two:
                        masts[f"mast_{m}"] += g[f"mast_{m}"] == last
    storm, thief = got.members["storm"], got.members["thief"]
    assert (storm.counts, storm.parts, storm.played) == (ships, masts, {})
    assert (thief.counts, thief.played, thief.parts) == (robbed, played, {})
    assert storm.n == int((games["cause"] == 0).sum())
    assert {key: value.tolist() for key, value in got.reached.items()} == reached
    assert {(e, v): int(n) for e, c in got.end["level"].items() for v, n in enumerate(c) if n} == level
    assert {(e, v): int(n) for e, c in got.after_last.items() for v, n in enumerate(c) if n} == after


def tossed(n: int, seed: int, needed: int = 6, informative: bool = True) -> dict[str, np.ndarray]:
    """Ten tosses, a turn each; won with `needed` heads, or (not informative) by a coin of the same chance."""
    rng = np.random.default_rng(seed)
    heads = rng.random((n, 10)) < 0.5
    chance = sum(comb(10, k) for k in range(needed, 11)) / 1024
    won = heads.sum(axis=1) >= needed if informative else rng.random(n) < chance
    games = {"result": np.where(won, 0, 1), "cause": np.where(won, -1, 0), "turns": np.full(n, 10)}
    return games | {name: np.where(heads[:, i], i + 1, 0) for i, name in enumerate(HEADS)}


def exact_decided(games: dict[str, np.ndarray], needed: int = 6) -> np.ndarray:
    """The turn of each game from which the exact chance of its own end stays at SURE or above."""
    n = len(games["turns"])
    decided = np.full(n, 10)
    sure = np.ones(n, dtype=bool)
    for turn in range(9, -1, -1):
        have = sum(((games[name] > 0) & (games[name] <= turn)).astype(int) for name in HEADS)
        left = 10 - turn
        tail = np.array([sum(comb(left, k) for k in range(max(0, needed - h), left + 1)) / 2**left for h in range(11)])
        p = tail[have]
        sure &= np.where(games["result"] == 0, p >= SURE, p <= 1 - SURE)
        decided[sure] = turn
    return decided


def test_decided_by_exact_enumeration():
    """40,000 games of ten tosses: the share decided by each turn is that of exact binomial chances, within 2 points.

    Control: the exact law for another number of heads is off by more."""
    games = tossed(40_000, 3)
    got = likeness(Held(Harbour(), {"a": games}, chunk=7777), "a")
    assert got is not None
    want = np.bincount(exact_decided(games), minlength=11)
    gap = np.abs(np.cumsum(got.decided) - np.cumsum(want)) / 40_000
    assert gap.max() < 0.02, gap
    other = np.bincount(exact_decided(games, needed=7), minlength=11)
    assert (np.abs(np.cumsum(got.decided) - np.cumsum(other)) / 40_000).max() > 0.05
    assert (got.won + got.lost == got.decided).all()
    assert got.margin.sum() == got.lost.sum() == (games["result"] == 1).sum()
    assert (got.margin[: got.lost.size] == got.lost[::-1][: got.margin.size]).all()


def test_nothing_to_see_is_never_decided_early():
    """Ends that the progress does not foretell: at most one game in 200 is called decided before it is over."""
    got = likeness(Held(Harbour(), {"a": tossed(20_000, 5, informative=False)}), "a")
    assert got is not None
    assert got.decided[:-1].sum() <= 100


@pytest.mark.parametrize("n", [1, 2, 3])
def test_tiny(n):
    """So few games decide nothing before their end."""
    got = likeness(Held(Harbour(), {"a": tossed(n, 1)}), "a")
    assert got is not None
    assert got.decided.tolist()[:-1] == [0] * 10
    losing(Held(Harbour(), {"a": harbour(n, 2)}), "a")


def test_the_first_games_of_many_cells():
    """The work is shared: of 2,000 cells each looks at 10,000 games."""
    got = likeness(Held(Harbour(), {"a": tossed(12_000, 5)}, chunk=900), "a", cells=2000)
    assert got is not None
    assert got.n == 10_000

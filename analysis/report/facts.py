"""All that a report says, as counts: gathered once from the stored results, then only words and pictures follow."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats, tables, trials
from analysis.effort import Effort, Wait, effort, waits
from analysis.likeness import Likeness, likeness
from analysis.losing import Losing, losing
from analysis.openings import Start, Teams, redealt, start, teams
from analysis.standing import Sides, Standing, sides, standing
from analysis.stats import Estimate, Pairs
from analysis.stats.rates import CLOPPER_PEARSON, FEW, WILSON
from sim.core.game import Aspects, Cause, Column, Curve, Layout, Milestone
from sim.core.training import Learns

if TYPE_CHECKING:
    from analysis.results import Results

LEVEL = 0.95
ALPHA = 1 - LEVEL
WON = tables.WON

# What a game may store beyond its curves, by name: how often each place of the board was lost, and when each tile was.
PLACES_TALLY = "cell_sunk"
TILE_PREFIX = "sunk_turn_"


def rates(counts: Sequence[int], n: int) -> list[Estimate]:
    """`stats.rate` of many counts of the same n games, in one step."""
    low, high = stats.intervals(np.asarray(counts), n, LEVEL)
    few = [min(count, n - count) < FEW for count in counts]
    return [
        Estimate(count / n, float(a), float(b), n, CLOPPER_PEARSON if rare else WILSON, LEVEL)
        for count, a, b, rare in zip(counts, low, high, few, strict=True)
    ]


@dataclass(frozen=True, eq=False)
class CellFacts:
    """The counts of one cell.

    curves: curve name -> counts.  places: (places,) games in which each place of `layout` was lost, or None.
    tiles: name of a tile -> games in which it was lost.  losing, likeness, effort, waits, teams, start: what the game
    declares of these.  same_setup: trials in a row that share their setup; redealt: their wins, where more than one.
    standing: how the seats fared, where they play against each other.
    untrained: the rules that a player who learned was not trained for.
    """

    label: str
    outcomes: tables.Outcomes
    endings: tables.Endings
    timing: tables.Timing | None = None
    curves: Mapping[str, tables.CurveCounts] = field(default_factory=dict)
    layout: Layout | None = None
    places: np.ndarray | None = None
    tiles: Mapping[str, int] = field(default_factory=dict)
    losing: Losing | None = None
    likeness: Likeness | None = None
    effort: Effort | None = None
    waits: Mapping[str, Wait] = field(default_factory=dict)
    teams: Teams | None = None
    start: Start | None = None
    same_setup: int = 1
    redealt: np.ndarray | None = None
    standing: Standing | None = None
    untrained: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Games."""
        return self.outcomes.n

    @property
    def won(self) -> Estimate:
        """Share of games won."""
        return self._shares[WON]

    def cause(self, name: str) -> Estimate:
        """Share of all games that ended unwon for this cause."""
        return self._shares[name]

    @cached_property
    def _shares(self) -> dict[str, Estimate]:
        counts = {**self.outcomes.causes, WON: self.outcomes.won}
        return dict(zip(counts, rates(list(counts.values()), self.n), strict=True))

    @cached_property
    def place_shares(self) -> list[Estimate]:
        """Share of games in which each place was lost; empty without a board."""
        return [] if self.places is None else rates([int(n) for n in self.places], self.n)

    @cached_property
    def tile_shares(self) -> dict[str, Estimate]:
        """Tile -> share of games in which it was lost."""
        return dict(zip(self.tiles, rates(list(self.tiles.values()), self.n), strict=True)) if self.tiles else {}

    @cached_property
    def bands(self) -> dict[str, stats.Band]:
        """Curve -> its mean turn by turn, for curves that a game followed at all."""
        drawn = {name: c for name, c in self.curves.items() if len(c.turns)}
        return {name: stats.mean_band(c.padded, c.values, LEVEL) for name, c in drawn.items()}

    @cached_property
    def by_cause(self) -> dict[str, stats.Band]:
        """Cause -> share of games lost for it by the end of each turn."""
        counts = {name: self.endings.counts[name] for name in self.outcomes.causes}
        return stats.incidence_by_cause(counts, self.n, LEVEL)


@dataclass(frozen=True)
class PairFacts:
    """Two cells on their common trials: games won, games ended for each cause; and all that `counts` holds."""

    first: str
    second: str
    won: Pairs
    causes: Mapping[str, Pairs] = field(default_factory=dict)
    counts: trials.Paired | None = None
    sides: Sides | None = None


@dataclass(frozen=True)
class Facts:
    """Everything a report needs.

    pairs: the declared comparisons.  extremes: the cells with the lowest and the highest win rate, where nothing was
    declared; looked for among all cells, so its test counts every possible pair.  words: what the game calls one
    milestone, and several.  together: which cells win the same trials.  columns: of the games table.
    """

    name: str
    question: str
    game: str
    causes: tuple[Cause, ...]
    cells: tuple[CellFacts, ...]
    milestones: tuple[Milestone, ...] = ()
    words: tuple[str, str] = ("milestone", "milestones")
    curves: tuple[Curve, ...] = ()
    pairs: tuple[PairFacts, ...] = ()
    extremes: PairFacts | None = None
    defaults: Mapping[str, Any] = field(default_factory=dict)
    recorded: tuple[Any, ...] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict)
    aspects: Aspects = field(default_factory=Aspects)
    together: trials.Won | None = None
    columns: tuple[Column, ...] = ()

    def tile(self, column: str) -> str:
        """The tile that a column is about, by its name for people."""
        found = next((c for c in self.columns if c.name == column), None)
        return _tile(found) if found else column

    def cell(self, label: str) -> CellFacts:
        """The cell of that label."""
        return next(c for c in self.cells if c.label == label)

    @property
    def looks(self) -> int:
        """Planned looks at which a difference could end the run; 1 where the games were fixed or stopped otherwise."""
        return max(1, len(self.manifest.get("stopping", {}).get("planned", ())))

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels in the experiment's order."""
        return tuple(c.label for c in self.cells)

    def focus(self) -> tuple[CellFacts, ...]:
        """The one or two cells that headings speak of.

        The pair, where one pair is compared; else, of more than two cells, the lowest and the highest win rate (in a
        contest, which has no such order, the first and the last).
        """
        if len(self.pairs) == 1:
            return self.cell(self.pairs[0].first), self.cell(self.pairs[0].second)
        if len(self.cells) <= 2:
            return self.cells
        if self.aspects.contest:
            return self.cells[0], self.cells[-1]
        order = sorted(self.cells, key=lambda c: c.won.value)
        return order[0], order[-1]

    def shown(self, limit: int) -> tuple[int, ...]:
        """Which cells a chart shows when only `limit` have room, by their place in `cells`.

        All; else those of the declared comparisons; else some from the hardest to the easiest, evenly spread.
        """
        if len(self.cells) <= limit:
            return tuple(range(len(self.cells)))
        declared = list(dict.fromkeys(label for pair in self.pairs for label in (pair.first, pair.second)))
        if declared:
            return tuple(sorted(self.labels.index(label) for label in declared[:limit]))
        order = sorted(range(len(self.cells)), key=lambda i: (self.cells[i].won.value, i))
        picks = np.linspace(0, len(order) - 1, limit).round().astype(int)
        return tuple(sorted(order[i] for i in picks))


@dataclass(frozen=True)
class Compared:
    """A comparison judged.

    difference: second minus first.  p_value: adjusted for the family.  clear: the test rejects "no difference" and the
    interval leaves zero out; both, so that a sentence never says more than either.
    """

    first: str
    second: str
    pairs: Pairs
    difference: Estimate
    p_value: float
    clear: bool


def compare(pairs: list[tuple[str, str, Pairs]], tests: int | None = None, looks: int = 1) -> list[Compared]:
    """Judge a family of comparisons: Holm over them, or Bonferroni over `tests` where one was picked out of many.

    looks: how often a difference could have ended the run; p-values and intervals then hold at all looks together.
    """
    if not pairs:
        return []
    p_values = [min(1.0, looks * stats.mcnemar(p).p_value) for _, _, p in pairs]
    adjusted = stats.holm(p_values) if tests is None else np.minimum(np.asarray(p_values) * tests, 1.0)
    judged = []
    for (first, second, counts), p in zip(pairs, adjusted, strict=True):
        difference = stats.paired_difference(counts, 1 - ALPHA / looks if looks > 1 else LEVEL)
        clear = bool(p < ALPHA and not difference.low <= 0.0 <= difference.high)
        judged.append(Compared(first, second, counts, difference, float(p), clear))
    return judged


def comparisons(facts: Facts) -> list[Compared]:
    """The declared comparisons of the win rate, those without a common trial left out."""
    return compare([(p.first, p.second, p.won) for p in facts.pairs if p.won.n], looks=facts.looks)


def gather(results: Results) -> Facts:
    """Read the counts chunk by chunk; memory does not grow with the number of games."""
    game, experiment = results.game, results.experiment
    causes = tuple(game.causes)
    labels = set(results.labels)
    cells = tuple(_cell(results, label) for label in results.labels)
    wanted = [pair for pair in experiment.compare if set(pair) <= labels]
    pairs = tuple(_pair(results, first, second) for first, second in wanted)
    extremes = None
    if not pairs and len(cells) > 1:
        order = sorted(range(len(cells)), key=lambda i: (cells[i].won.value, i))
        extremes = _pair(results, cells[order[0]].label, cells[order[-1]].label)
    return Facts(
        name=experiment.name,
        question=experiment.question,
        game=game.title,
        causes=causes,
        cells=cells,
        milestones=tuple(game.milestones),
        words=game.milestone_words,
        curves=tuple(game.curves),
        pairs=pairs,
        extremes=extremes,
        defaults=game.resolve({}),
        recorded=tuple(experiment.cells),
        manifest=results.manifest,
        aspects=game.aspects,
        columns=tuple(game.columns),
        together=trials.won_together(results) if len(cells) > 1 else None,
    )


def _cell(results: Results, label: str) -> CellFacts:
    game = results.game
    tallies = results.tallies(label)
    same = int(results.cell(label).knobs.get(game.aspects.same_setup, 1))
    places, layout = None, None
    if PLACES_TALLY in tallies:
        layout = game.layout(results.cell(label).knobs)
        places = tallies[PLACES_TALLY].reshape(-1)
        if len(places) != len(layout.cells):
            places, layout = None, None
    columns = [c for c in game.columns if c.name.startswith(TILE_PREFIX)]
    sunk = tables.happened(results, label, [c.name for c in columns]) if columns else {}
    return CellFacts(
        label=label,
        outcomes=tables.outcomes(results, label),
        endings=tables.endings(results, label),
        timing=tables.timing(results, label) if game.milestones else None,
        curves={curve.name: _curve(label, curve, tallies[curve.tally]) for curve in game.curves},
        layout=layout,
        places=places,
        tiles={_tile(column): sunk[column.name] for column in columns},
        losing=losing(results, label) if game.aspects.details or game.milestones else None,
        likeness=likeness(results, label, len(results.labels)),
        effort=effort(results, label) if game.aspects.efforts else None,
        waits=waits(results, label),
        teams=teams(results, label),
        start=start(results, label, same),
        same_setup=same,
        redealt=redealt(results, label, same) if same > 1 else None,
        standing=standing(results, label) if game.aspects.contest else None,
        untrained=_untrained(results, label),
    )


def _untrained(results: Results, label: str) -> tuple[str, ...]:
    cell = results.cell(label)
    # What a run records of a player may be more than this version knows of it.
    game = results.game
    if not isinstance(game, Learns) or cell.policy["name"] not in game.policies:
        return ()
    return game.untrained(cell.knobs, cell.policy)


def _curve(label: str, curve: Curve, counts: np.ndarray) -> tables.CurveCounts:
    """As `tables.curve`, from tallies that are already read."""
    running = np.flatnonzero(counts.sum(axis=1))
    last = int(running[-1]) + 1 if running.size else 0
    return tables.CurveCounts(label, np.arange(1, last + 1), np.asarray(curve.values), counts[:last], len(counts))


def _tile(column: Column) -> str:
    """The tile's name as the column's meaning writes it, else made from the column's name."""
    told = re.fullmatch(r"Turn in which (.+) sank", column.meaning)
    return told.group(1) if told else column.name.removeprefix(TILE_PREFIX).replace("_", " ").capitalize()


def _pair(results: Results, first: str, second: str) -> PairFacts:
    counts = trials.paired(results, first, second)
    competing = sides(results, first, second) if results.game.aspects.contest else None
    return PairFacts(first, second, counts.won, counts.causes, counts, competing)


def of(directory: Path) -> Facts:
    """The facts of a run's folder; the last one asked for is kept, because report and summary follow each other."""
    directory = directory.resolve()
    manifest = directory / "manifest.json"
    return _kept(directory, manifest.read_bytes() if manifest.is_file() else b"")


@lru_cache(maxsize=1)
def _kept(directory: Path, manifest: bytes) -> Facts:
    # A manifest names the identity and the number of trials of every cell: the same bytes, the same games.
    import analysis

    return gather(analysis.load(directory))

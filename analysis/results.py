"""The results of a run, opened: `analysis.load(DIR)`.  The schema of the games table is in docs/results.md."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.provenance import NAME as MANIFEST
from analysis.provenance import read_manifest
from analysis.store import RunError, Store
from sim.core.game import Column, Game

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


# Frames beside the games table, whose columns are the game's own (`Game.columns`).
CELLS = (
    Column("cell", "label", "code", "Label of the cell", labels=()),
    Column("games", "int64", "games", "Games of the cell"),
    Column("won", "int64", "games", "Games won"),
    Column("win_rate", "float64", "share", "Share of games won"),
    Column("win_rate_low", "float64", "share", "Lower end of its 95 % interval"),
    Column("win_rate_high", "float64", "share", "Upper end of its 95 % interval"),
    Column("identity", "text", "hex digits", "What the cell is: rules, rules version, policy, seed"),
)
CURVES = (
    Column("cell", "label", "code", "Label of the cell", labels=()),
    Column("curve", "label", "code", "What is followed: a tally's name", labels=()),
    Column("turn", "int64", "turns", "At the start of this turn"),
    Column("value", "int64", "of the curve", "Tick, tiles or treasures"),
    Column("games", "int64", "games", "Games still running that have this value then"),
)


@dataclass(frozen=True)
class RecordedCell:
    """One cell as it was run: what `analysis.cells.Cell` holds, and how many trials (0 … trials − 1) belong to it."""

    label: str
    settings: Mapping[str, Any]
    knobs: Mapping[str, Any]
    policy: Mapping[str, Any]
    identity: str
    trials: int


@dataclass(frozen=True)
class RecordedExperiment:
    """The experiment as it was run.

    compare: pairs of cell labels.  grid: names of the varied knobs.  source: the text of its file.
    """

    name: str
    question: str
    game: str
    seed: int
    trials: int
    cells: tuple[RecordedCell, ...]
    compare: tuple[tuple[str, str], ...]
    grid: tuple[str, ...]
    source: str


class Results:
    """A finished run: its experiment, its cells, its games.  Nothing here loads all games; aggregate lazily.

    directory: the run's folder.  experiment: what was asked.  game: the game that was played.
    manifest: the whole of `manifest.json` (provenance).
    """

    def __init__(self, directory: Path, manifest: Mapping[str, Any], game: Game) -> None:
        self.directory = directory
        self.manifest = manifest
        self.game = game
        self.experiment = _experiment(manifest)
        self.store = Store(directory, seed=self.experiment.seed, columns=game.columns)
        self._cells = {cell.label: cell for cell in self.experiment.cells}

    def cell(self, label: str) -> RecordedCell:
        """The cell of that label; KeyError with the labels there are."""
        try:
            return self._cells[label]
        except KeyError:
            raise KeyError(f"no cell {label!r}; cells: {', '.join(map(repr, self._cells))}") from None

    @property
    def labels(self) -> tuple[str, ...]:
        """The cells' labels, in the experiment's order."""
        return tuple(self._cells)

    @cached_property
    def cells(self) -> pl.DataFrame:
        """One row a cell in the experiment's order: `cell`, each varied knob (`knob_columns`), then CELLS."""
        import polars as pl

        from analysis import stats

        rows = self.experiment.cells
        won = [self._won(cell) for cell in rows]
        rates = [stats.rate(count, cell.trials) for count, cell in zip(won, rows, strict=True)]
        return pl.DataFrame(
            [
                pl.Series("cell", self.labels, dtype=pl.Enum(self.labels)),
                *self._knob_series(),
                pl.Series("games", [cell.trials for cell in rows], dtype=pl.Int64),
                pl.Series("won", won, dtype=pl.Int64),
                pl.Series("win_rate", [rate.value for rate in rates], dtype=pl.Float64),
                pl.Series("win_rate_low", [rate.low for rate in rates], dtype=pl.Float64),
                pl.Series("win_rate_high", [rate.high for rate in rates], dtype=pl.Float64),
                pl.Series("identity", [cell.identity for cell in rows], dtype=pl.String),
            ]
        )

    def _won(self, cell: RecordedCell) -> int:
        labels = self.column("result").labels or ()
        code = labels.index("won")
        return sum(int((games["result"] == code).sum()) for games in self.read(cell.label, ["result"]))

    @cached_property
    def curves(self) -> pl.DataFrame:
        """One row for each cell, curve, turn and value that any game had: CURVES.  In that order."""
        import polars as pl

        names = [curve.name for curve in self.game.curves]
        parts = []
        for label in self.labels:
            tallies = self.tallies(label)
            for curve in self.game.curves:
                turn, at = np.nonzero(tallies[curve.tally])
                parts.append(
                    pl.DataFrame(
                        [
                            pl.Series("cell", [label] * len(turn), dtype=pl.Enum(self.labels)),
                            pl.Series("curve", [curve.name] * len(turn), dtype=pl.Enum(names)),
                            pl.Series("turn", turn + 1, dtype=pl.Int64),
                            pl.Series("value", np.asarray(curve.values)[at], dtype=pl.Int64),
                            pl.Series("games", tallies[curve.tally][turn, at], dtype=pl.Int64),
                        ]
                    )
                )
        return pl.concat(parts) if parts else pl.DataFrame(schema={c.name: pl.Int64 for c in CURVES})

    def to_pandas(self, frame: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """A frame ("cells", "games", "curves") as pandas has it; columns: only these (all games may not fit in memory).

        Games come sorted by `cell` and `trial`.  Raises ValueError for another name.
        """
        import polars as pl

        if frame not in ("cells", "games", "curves"):
            raise ValueError(f"no frame {frame!r}; frames: cells, games, curves")
        found: pl.DataFrame | pl.LazyFrame = getattr(self, frame)
        if isinstance(found, pl.LazyFrame):
            wanted = columns or found.collect_schema().names()
            found = found.sort("cell", "trial").select(wanted).collect()
        return found.select(columns or found.columns).to_pandas()

    @property
    def knob_columns(self) -> dict[str, str]:
        """Varied knob -> its column in `cells` and `games`: its name, or `knob_<name>` where that is taken."""
        taken = {column.name for column in self.game.columns} | {column.name for column in (*CELLS, *CURVES)}
        return {name: f"knob_{name}" if name in taken else name for name in self.experiment.grid}

    @property
    def games(self) -> pl.LazyFrame:
        """One row a game over all cells: `cell`, the varied knobs, then the game's columns.

        Labels (pl.Enum) stand for codes, null for "did not happen"; sets of labels stay integer masks (bit i is
        label i).  In no order: sort by `cell`, `trial` where order matters.
        """
        import polars as pl

        series = self._knob_series()
        frames = []
        for at, cell in enumerate(self.experiment.cells):
            labels = [pl.lit(cell.label, dtype=pl.Enum(self.labels)).alias("cell")]
            labels += [pl.lit(one[at], dtype=one.dtype).alias(one.name) for one in series]
            frames.append(self.raw(cell.label).select(*labels, *map(_decoded, self.game.columns)))
        return pl.concat(frames, how="vertical")

    def raw(self, cell: str) -> pl.LazyFrame:
        """One row a game of one cell, codes and sentinels as `Game.columns` describes them; in no order."""
        one = self.cell(cell)
        return self.store.scan(one, one.trials)

    def read(self, cell: str, columns: Sequence[str]) -> Iterator[dict[str, np.ndarray]]:
        """Raw columns of one cell as arrays, a chunk at a time in trial order."""
        one = self.cell(cell)
        return self.store.read(one, one.trials, columns)

    def tallies(self, cell: str) -> dict[str, np.ndarray]:
        """The turn-by-turn counts of one cell: name -> int64 array."""
        one = self.cell(cell)
        return self.store.tallies(one, one.trials)

    def column(self, name: str) -> Column:
        """The documentation of a column; KeyError with the names there are."""
        for column in self.game.columns:
            if column.name == name:
                return column
        raise KeyError(f"no column {name!r}; columns: {', '.join(column.name for column in self.game.columns)}")

    def _knob_series(self) -> list[pl.Series]:
        columns = self.knob_columns
        return [_series(columns[name], [_setting(c, name) for c in self.experiment.cells]) for name in columns]


def load(directory: str | os.PathLike[str]) -> Results:
    """Open the results in `directory`; every chunk file is verified.

    Raises RunError when there is no run in it, it is unfinished, or a file is damaged or foreign.
    """
    from sim import registry

    directory = Path(directory)
    manifest = read_manifest(directory)
    if manifest is None:
        raise RunError(f"{directory}: holds no results (no manifest.json); run an experiment with --out {directory}")
    try:
        results = Results(directory, manifest, registry.get(manifest["experiment"]["game"]))
    except (LookupError, TypeError, ValueError) as error:
        raise RunError(f"{directory / MANIFEST}: cannot be used ({error}); run the experiment again") from error
    if not manifest.get("stopping", {}).get("finished", True):
        raise RunError(f"{directory}: is not finished, more games are to come; run the same command again")
    for cell in results.experiment.cells:
        gaps = results.store.missing(cell, cell.trials)
        if gaps:
            left = sum(count for _, count in gaps)
            raise RunError(
                f"{directory}: cell {cell.label!r} lacks {left} of its {cell.trials} games; "
                f"run the same command again to finish it"
            )
    return results


def recorded(directory: str | os.PathLike[str]) -> RecordedExperiment:
    """The experiment of the run in `directory`, without its games.  Raises RunError where there is none."""
    manifest = read_manifest(Path(directory))
    if manifest is None:
        raise RunError(f"{directory}: holds no results (no manifest.json)")
    return _experiment(manifest)


def schema_table(columns: Sequence[Column]) -> str:
    """The games table's columns as a Markdown table, as docs/results.md holds it."""
    lines = ["| column | type | unit | meaning | labels | null when stored as |", "|---|---|---|---|---|---|"]
    for c in columns:
        kind = f"{c.dtype} (set)" if c.is_set else "label" if c.labels is not None else c.dtype
        labels = ", ".join(c.labels or ())
        null = "" if c.sentinel is None else str(c.sentinel)
        lines.append(f"| `{c.name}` | {kind} | {c.unit} | {c.meaning} | {labels} | {null} |")
    return "\n".join(lines)


def frame_table(columns: Sequence[Column]) -> str:
    """CELLS or CURVES as a Markdown table, as docs/results.md holds it."""
    lines = ["| column | type | unit | meaning |", "|---|---|---|---|"]
    lines += [f"| `{c.name}` | {c.dtype} | {c.unit} | {c.meaning} |" for c in columns]
    return "\n".join(lines)


def _experiment(manifest: Mapping[str, Any]) -> RecordedExperiment:
    asked = manifest["experiment"]
    return RecordedExperiment(
        name=asked["name"],
        question=asked["question"],
        game=asked["game"],
        seed=asked["seed"],
        trials=asked["trials"],
        cells=tuple(RecordedCell(**cell) for cell in manifest["cells"]),
        compare=tuple((first, second) for first, second in asked["compare"]),
        grid=tuple(asked["grid"]),
        source=asked["source"],
    )


def _decoded(column: Column) -> pl.Expr:
    import polars as pl

    expr = pl.col(column.name)
    if column.labels is not None and not column.is_set:
        old: list[int] = list(range(len(column.labels)))
        new: list[str | None] = list(column.labels)
        if column.sentinel is not None:
            old, new = [*old, column.sentinel], [*new, None]
        return expr.replace_strict(old, new, return_dtype=pl.Enum(column.labels))
    if column.sentinel is not None:
        return pl.when(expr != column.sentinel).then(expr).alias(column.name)
    return expr


def _setting(cell: RecordedCell, name: str) -> Any:
    """What a cell set a varied knob to, or has it at without setting it."""
    if name in cell.settings:
        return cell.settings[name]
    return cell.policy.get("name") if name == "policy" else cell.knobs.get(name)


def _series(name: str, values: Sequence[Any]) -> pl.Series:
    """Numbers and truth values as they are; text as pl.Enum in order of first use; all else, or a mix, as JSON text."""
    import polars as pl

    kinds = {type(value) for value in values if value is not None}
    if kinds <= {bool} or kinds <= {int} or kinds <= {int, float}:
        return pl.Series(name, values, dtype=pl.Boolean if kinds == {bool} else None, strict=False)
    texts = [v if v is None or kinds == {str} else json.dumps(v, sort_keys=True, ensure_ascii=False) for v in values]
    return pl.Series(name, texts, dtype=pl.Enum(list(dict.fromkeys(t for t in texts if t is not None))))

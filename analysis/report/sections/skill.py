"""Win rate as a function of skill: how far apart a start puts the player models."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from analysis import stats
from analysis.plots import lines, style
from analysis.plots.drawing import Drawing, Key
from analysis.report import numbers
from analysis.report.facts import ALPHA, LEVEL, CellFacts, Facts
from analysis.report.model import Block, Column, Figure, Section, Table, Value
from analysis.report.text import sentence, tidy
from analysis.stats import Estimate, Pairs

LINES = 6
"""Starts that one chart shows as lines; of more knobs the first has a chart for each of its values."""

CHARTS = 6


@dataclass(frozen=True)
class Start:
    """A start with its cells, one a model, in the models' order.  parts: its knobs' values in words."""

    parts: tuple[str, ...]
    cells: tuple[int, ...]

    @property
    def name(self) -> str:
        """The start in a sentence."""
        return " ".join(self.parts)


def section(facts: Facts) -> Section | None:
    """Each start's win rate over the models; None unless models are varied with something else."""
    models, starts = starts_of(facts)
    if len(models) < 2 or len(starts) < 2:
        return None
    columns = (
        Column("start", "Start", "label"),
        *(Column(f"model_{i + 1}", model, "share") for i, model in enumerate(models)),
        Column("spread", f"{models[-1]} − {models[0]} (points)", "points"),
        Column("step", "Greatest step", "text"),
    )
    rows: list[tuple[Value, ...]] = []
    for start in starts:
        cells = [facts.cells[i] for i in start.cells]
        rows.append((tidy(start.name), *(c.won for c in cells), _spread(facts, start), _step(models, cells)))
    table = Table("skill", "Win rate of each model from each start", columns, tuple(rows))
    panels, keys = _panels(facts, starts)

    def draw(width: int) -> Drawing:
        return lines.panels(
            "skill",
            width,
            panels,
            keys,
            "Player model, as listed",
            "Share of games won",
            percent=True,
            word="Model",
            names=models,
        )

    return Section(
        "skill",
        "Skill",
        _heading(facts, models, starts),
        text=(_flat_text(models, starts, facts),),
        blocks=(Block(Figure("skill", _alt(facts, models, starts), draw, _caption(models)), table),),
        how=(
            "The models stand in the order in which the experiment lists them, so that the line of a start rises with "
            "skill. A steep line is a start where it matters who plays; where it lies flat near the bottom or the top, "
            "the start is too hard or too easy to tell those players apart. The last but one column is the difference "
            "between the last and the first model on common trials."
        ),
    )


def starts_of(facts: Facts) -> tuple[tuple[str, ...], list[Start]]:
    """The models, and every start that all of them play, both in the experiment's order."""
    settings = [getattr(cell, "settings", {}) for cell in facts.recorded]
    if not settings or len(settings) != len(facts.cells) or any("policy" not in each for each in settings):
        return (), []
    found: dict[str, dict[str, int]] = {}
    parts: dict[str, tuple[str, ...]] = {}
    models: list[str] = []
    for i, each in enumerate(settings):
        model = _model(each["policy"])
        models += [model] if model not in models else []
        rest = {name: value for name, value in each.items() if name != "policy"}
        key = json.dumps(rest, sort_keys=True, default=str)
        parts[key] = tuple(_part(name, value) for name, value in rest.items())
        found.setdefault(key, {})[model] = i
    whole = (
        [Start(parts[key], tuple(cells[model] for model in models)) for key, cells in found.items() if parts[key]]
        if all(len(cells) == len(models) for cells in found.values())
        else []
    )
    return tuple(models), whole


def _model(policy: Any) -> str:
    if not isinstance(policy, Mapping):
        return str(policy)
    name = policy.get("name") or Path(str(policy.get("file", "?"))).stem
    rest = ", ".join(f"{key} {value}" for key, value in policy.items() if key not in ("name", "file"))
    return f"{name} ({rest})" if rest else str(name)


def _part(name: str, value: Any) -> str:
    return value if isinstance(value, str) else f"{name}={json.dumps(value, default=str)}"


def _spread(facts: Facts, start: Start) -> Estimate | None:
    """Last model minus first on the trials that all cells have in common."""
    return _paired(facts, start.cells[0], start.cells[-1], LEVEL)


def _paired(facts: Facts, first: int, second: int, level: float) -> Estimate | None:
    """The second cell's win rate minus the first's on common trials; None without any."""
    if facts.together is None or facts.together.n == 0:
        return None
    won, n = facts.together.together, facts.together.n
    both = int(won[first, second])
    only_first, only_second = int(won[first, first]) - both, int(won[second, second]) - both
    return stats.paired_difference(Pairs(both, only_first, only_second, n - both - only_first - only_second), level)


def _apart(facts: Facts, first: int, second: int, level: float) -> bool:
    """Whether the second cell wins more than the first.

    On common trials; where both played more than those, on all that they played, by intervals that do not overlap,
    which holds however their games hang together.
    """
    low, high = (facts.cells[i].outcomes for i in (first, second))
    if facts.together is not None and min(low.n, high.n) > facts.together.n:
        return stats.rate(high.won, high.n, level).low > stats.rate(low.won, low.n, level).high
    difference = _paired(facts, first, second, level)
    return difference is not None and difference.low > 0


def _step(models: tuple[str, ...], cells: list[CellFacts]) -> str:
    """Between which neighbours the win rate rises most; empty where no neighbours are clearly apart."""
    rises = [(b.won.value - a.won.value, i) for i, (a, b) in enumerate(pairwise(cells))]
    most, at = max(rises)
    apart = cells[at + 1].won.low > cells[at].won.high
    return f"{models[at]} → {models[at + 1]}" if apart and most > 0 else ""


def _heading(facts: Facts, models: tuple[str, ...], starts: list[Start]) -> str:
    spreads = [(e, start) for start in starts if (e := _spread(facts, start)) is not None]
    if not spreads:
        return f"Win rates of {len(models)} models from {len(starts)} starts"
    widest, at = max(spreads, key=lambda found: found[0].value)
    narrowest, least = min(spreads, key=lambda found: found[0].value)
    told = f"{sentence(at.name)} separates {models[0]} from {models[-1]} most, by {_points(widest)} points"
    if widest.low > narrowest.high:
        told += f"; {least.name} least, by {_points(narrowest)}"
    return told


def _points(e: Estimate) -> str:
    size, interval = numbers.distance(e)
    return f"{size} ({interval})" if e.low > 0 else numbers.points_with(e)


def _flat_text(models: tuple[str, ...], starts: list[Start], facts: Facts) -> str:
    """Which starts do not tell which neighbours apart."""
    # Several pairs are looked at, so the intervals take their part of the error.
    level = 1 - ALPHA / max(1, len(starts) * (len(models) - 1))
    lost: list[str] = []
    for i, (low, high) in enumerate(pairwise(models)):
        together = []
        for start in starts:
            if not _apart(facts, start.cells[i], start.cells[i + 1], level):
                together.append(start.name)
        if together:
            where = "any start" if len(together) == len(starts) else numbers.join(together)
            lost.append(f"{low} and {high} from {where}")
    if not lost:
        return "Every start tells every model from the one before it."
    return f"Not told apart: {'; '.join(lost)}."


def _panels(facts: Facts, starts: list[Start]) -> tuple[list[lines.Panel], list[Key]]:
    """A chart for each value of the first knob, where there are several knobs; a line for each start in it."""
    groups: dict[str, list[Start]] = {}
    for start in starts:
        groups.setdefault(start.parts[0] if len(start.parts) > 1 else "", []).append(start)
    keys: dict[str, Key] = {}
    panels = []
    for title, members in list(groups.items())[:CHARTS]:
        drawn = []
        for start in members[:LINES]:
            label = " ".join(start.parts[1:] if title else start.parts)
            key = keys.setdefault(label, Key(label, style.mark(len(keys))))
            won = [facts.cells[i].won for i in start.cells]
            x = np.arange(1, len(won) + 1, dtype=float)
            y, low, high = (np.array([getattr(e, part) for e in won]) for part in ("value", "low", "high"))
            drawn.append(lines.Line(key.mark, x, y, low, high))
        panels.append(lines.Panel(title, tuple(drawn)))
    return panels, list(keys.values())


def _alt(facts: Facts, models: tuple[str, ...], starts: list[Start]) -> str:
    told = []
    for start in starts[:6]:
        first, last = facts.cells[start.cells[0]].won, facts.cells[start.cells[-1]].won
        told.append(f"{start.name} {numbers.percent_with(first)} to {numbers.percent_with(last)}")
    more = f"; {len(starts) - 6} more in the table" if len(starts) > 6 else ""
    return f"Win rate from {models[0]} to {models[-1]}: {'; '.join(told)}{more}."


def _caption(models: tuple[str, ...]) -> str:
    return "Models: " + ", ".join(f"{i} {tidy(model)}" for i, model in enumerate(models, start=1)) + "."

"""What moves the win rate: the cells' knobs as the terms of a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from analysis import stats
from analysis.report.facts import LEVEL, Facts
from analysis.stats import Fit


@dataclass(frozen=True, eq=False)
class Model:
    """A model of the cells' win rates.

    fit: its terms begin with the intercept.  unit: the index of the term of the game's unit, or None.
    aliased: knobs that vary but that the cells cannot tell apart from the others.
    """

    fit: Fit
    unit: int | None
    aliased: tuple[str, ...]


def model(facts: Facts) -> Model | None:
    """The model of all cells; None where no knob varies."""
    varied = _varied(facts)
    if not varied:
        return None
    k = len(facts.cells)
    unit = facts.aspects.unit[0] if facts.aspects.unit else ""
    names, columns = ["intercept"], [np.ones(k)]
    unit_at, aliased = None, []
    for knob in sorted(varied, key=lambda name: name != unit):
        if knob == unit and all(_is_number(v) for v in varied[knob]):
            added = [(facts.aspects.unit[1], np.array(varied[knob], dtype=np.float64))]  # type: ignore[index]
        else:
            added = _steps(knob, varied[knob])
        kept = 0
        for name, column in added:
            if np.linalg.matrix_rank(np.column_stack([*columns, column])) > len(columns):
                if knob == unit:
                    unit_at = len(columns)
                names.append(name)
                columns.append(column)
                kept += 1
        if not kept:
            aliased.append(knob)
    if len(columns) == 1:
        return None
    won = np.array([c.outcomes.won for c in facts.cells])
    games = np.array([c.n for c in facts.cells])
    return Model(
        stats.fit_binomial(won, games, np.column_stack(columns), tuple(names), related(facts), LEVEL),
        unit_at,
        tuple(aliased),
    )


def related(facts: Facts) -> np.ndarray:
    """(cells, cells) how strongly the cells win the same trials; unrelated where they do not share all of them."""
    if facts.together is None or any(c.n != facts.together.n for c in facts.cells):
        return np.eye(len(facts.cells))
    return stats.relations(facts.together.together, facts.together.n)


def _varied(facts: Facts) -> dict[str, list[Any]]:
    """Knob -> its value in each cell, for those that differ; lists and mappings as text."""
    if len(facts.recorded) != len(facts.cells):
        return {}
    flat: list[dict[str, Any]] = [_flat(cell.knobs, cell.policy) for cell in facts.recorded]
    names = dict.fromkeys(name for one in flat for name in one)
    found = {name: [_plain(one.get(name)) for one in flat] for name in names}
    return {name: values for name, values in found.items() if len(set(map(str, values))) > 1}


def _flat(knobs: Mapping[str, Any], policy: Mapping[str, Any]) -> dict[str, Any]:
    named = {"policy" if key == "name" else f"policy.{key}": value for key, value in policy.items()}
    return {**knobs, **named}


def _plain(value: Any) -> Any:
    return value if isinstance(value, (int, float, str)) else json.dumps(value, ensure_ascii=False)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _steps(knob: str, values: list[Any]) -> list[tuple[str, np.ndarray]]:
    """Numbers: one term for each step up, so that nothing is taken to be linear; else one for each further value."""
    if all(_is_number(v) for v in values):
        levels = sorted(set(values))
        return [(f"{knob} {a:g} → {b:g}", np.array([float(v >= b) for v in values])) for a, b in pairwise(levels)]
    first, *others = dict.fromkeys(map(str, values))
    return [(f"{knob} {first} → {other}", np.array([float(str(v) == other) for v in values])) for other in others]

"""What was played, and with what: the end of the page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from analysis.report.facts import Facts
from analysis.report.model import Column, Table, Value
from analysis.report.numbers import count

METHODS = (
    "Win rates and shares: Wilson intervals, Clopper-Pearson where fewer than ten games are on either side. "
    "Differences: Bonett-Price intervals on common trials, exact McNemar tests, paired t for means, "
    "Holm over the declared comparisons. "
    "Difficulty: log odds with MOVER intervals; effects from a binomial model with robust covariance, widened by its "
    "misfit; exchange rates: Fieller. "
    "Causes and milestones over turns: plain shares of all games (every game ends, and the other endings compete), "
    "with DKW bands. Curves: means among the games still running, with bands that hold for all turns at once. "
    "Medians: order statistics. Roles and pairs: sum-to-zero contrasts over teams with Price-Bonett intervals; spread "
    "of teams: Paule-Mandel with Q-profile intervals. Openings: Newcombe intervals, Fisher's exact or Pearson's test, "
    "Holm. Shares of actions, turns, cards: Fieller. What a setup settles: one-way analysis of variance. All at 95 %."
)


@dataclass(frozen=True)
class Settings:
    """The parts of the last section."""

    table: Table | None
    common: tuple[tuple[str, str], ...]
    source: str
    provenance: tuple[tuple[str, str], ...]
    methods: str = METHODS


def settings(facts: Facts) -> Settings:
    """Knobs that differ between cells, knobs that all share and that are not the default, and where it came from."""
    flat = [_flat(cell.knobs, cell.policy) for cell in facts.recorded]
    names = list(dict.fromkeys(name for one in flat for name in one))
    varied = [n for n in names if len({_plain(one.get(n)) for one in flat}) > 1]
    defaults = {key: _plain(value) for key, value in facts.defaults.items()}
    common = [
        (n, _plain(flat[0][n])) for n in names if n not in varied and flat and _plain(flat[0][n]) != defaults.get(n)
    ]
    if flat and len(common) < len(names) - len(varied):
        common.append(("all other rules", "at their defaults"))
    table = None
    if flat:
        columns = (
            Column("cell", "Cell", "label"),
            *(Column(n, n) for n in varied),
            Column("games", "Games", "count"),
            Column("identity", "Identity"),
        )
        rows: list[tuple[Value, ...]] = []
        for cell, one in zip(facts.recorded, flat, strict=True):
            rows.append((cell.label, *(_plain(one.get(n)) for n in varied), cell.trials, cell.identity[:16]))
        table = Table("settings", "What differs between the cells", columns, tuple(rows))
    manifest = facts.manifest
    asked = manifest.get("experiment", {})
    provenance = [("game", facts.game)]
    if "rules_version" in manifest:
        provenance.append(("rules version", str(manifest["rules_version"])))
    if "seed" in asked:
        provenance.append(("seed", str(asked["seed"])))
    if "trials" in asked and "stopping" not in manifest:
        provenance.append(("games a cell", count(asked["trials"])))
    if manifest.get("commit"):
        provenance.append(("commit", str(manifest["commit"])))
    versions = manifest.get("versions", {})
    if versions:
        provenance.append(("versions", ", ".join(f"{k} {v}" for k, v in versions.items())))
    return Settings(table, tuple(common), str(asked.get("source", "")), tuple(provenance))


def _flat(knobs: Mapping[str, Any], policy: Mapping[str, Any]) -> dict[str, Any]:
    flat = dict(knobs)
    for key, value in policy.items():
        flat["policy" if key == "name" else f"policy.{key}"] = value
    return flat


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "–" if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)

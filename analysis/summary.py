"""A finished run in a few lines, and as JSON for other programs."""

from __future__ import annotations

from typing import Any

from analysis import tables
from analysis.results import Results
from analysis.stats import Estimate, mean_of_histogram, paired_difference, rate

LINES = 6


def summarise(results: Results) -> dict[str, Any]:
    """The run as plain JSON values; every estimate holds value, low, high, n and its method, shares from 0 to 1."""
    asked = results.experiment
    return {
        "name": asked.name,
        "question": asked.question,
        "game": asked.game,
        "seed": asked.seed,
        "trials": asked.trials,
        "cells": [_cell(results, label) for label in results.labels],
        "compare": [
            {
                "first": first,
                "second": second,
                "won_second_minus_first": _plain(paired_difference(tables.pairs(results, first, second))),
            }
            for first, second in asked.compare
        ],
    }


def _cell(results: Results, label: str) -> dict[str, Any]:
    counts = tables.outcomes(results, label)
    turns = tables.histogram(results, label, "turns")
    return {
        "cell": label,
        "settings": dict(results.cell(label).settings),
        "identity": results.cell(label).identity,
        "games": counts.n,
        "won": _plain(rate(counts.won, counts.n)),
        "causes": {name: _plain(rate(games, counts.n)) for name, games in counts.causes.items()},
        "turns": _plain(mean_of_histogram(turns.counts, turns.values)),
    }


def _plain(estimate: Estimate) -> dict[str, Any]:
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
        "method": estimate.method,
    }


def lines(summary: dict[str, Any], results: Results) -> list[str]:
    """At most six lines for a designer: the question, who wins how often and why not, the difference, the length."""
    cells = sorted(summary["cells"], key=lambda cell: -cell["won"]["value"])
    games = sum(cell["games"] for cell in cells)
    if len(cells) <= 2:
        shown = [(cell["cell"], cell) for cell in summary["cells"]]
    else:
        shown = [
            (f"easiest of {len(cells)}, {cells[0]['cell']}", cells[0]),
            (f"hardest, {cells[-1]['cell']}", cells[-1]),
        ]
    labels = {cause.name: cause.label for cause in results.game.causes}
    out = [f"Question    {' '.join(summary['question'].split())}"]
    out += [f"Won         {label}: {_percent(cell['won'])}{_why(cell, labels)}" for label, cell in shown]
    if summary["compare"]:
        out.append(_difference(summary["compare"]))
    lengths = [f"{label} {cell['turns']['value']:.1f}" for label, cell in shown]
    out.append(f"Turns       on average {'; '.join(lengths)}")
    out.append(
        f"Games       {games:,} in {len(cells)} cell{'' if len(cells) == 1 else 's'}; in brackets 95 % intervals"
    )
    return out[:LINES]


def _percent(share: dict[str, Any]) -> str:
    low, high = 100 * share["low"], 100 * share["high"]
    digits = 1 if high - low >= 0.1 else 2
    return f"{100 * share['value']:.{digits}f} % ({low:.{digits}f} to {high:.{digits}f})"


def _why(cell: dict[str, Any], labels: dict[str, str]) -> str:
    name, share = max(cell["causes"].items(), key=lambda item: item[1]["value"])
    if share["value"] == 0:
        return ""
    return f"; not won mostly by: {labels[name]}, {100 * share['value']:.1f} % of games"


def _difference(compared: list[dict[str, Any]]) -> str:
    """The comparison with the greatest difference."""
    most = max(compared, key=lambda each: abs(each["won_second_minus_first"]["value"]))
    e = most["won_second_minus_first"]
    low, high = sorted((abs(e["low"]), abs(e["high"]))) if e["low"] * e["high"] > 0 else (e["low"], e["high"])
    others = f" (and {len(compared) - 1} more in the report)" if len(compared) > 1 else ""
    if e["low"] <= 0 <= e["high"]:
        span = f"{100 * low:+.1f} to {100 * high:+.1f} points"
        return f"Difference  {most['second']} against {most['first']}: none that is certain, {span}{others}"
    word = "more" if e["value"] > 0 else "fewer"
    span = f"{100 * abs(e['value']):.1f} points ({100 * low:.1f} to {100 * high:.1f})"
    return f"Difference  {most['second']} wins {span} {word} than {most['first']}, on the same trials{others}"

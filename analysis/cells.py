"""The cells of an experiment: what is varied, laid out, resolved, and the identity of each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

from sim.core.game import Game, Problem, SettingsError
from sim.core.words import shown

Steps = tuple[str | int, ...]

LARGEST = 1000
"""Cells that an experiment has at most."""

LONGEST_LABEL = 100
"""Characters of a label at most."""

MISSING = object()
"""The policy of a cell that has none; nothing is said about it here."""


@dataclass(frozen=True)
class Cell:
    """One arm of an experiment: a rule set and a policy, played for every trial.

    label: unique in the experiment.  settings: what the experiment varies (knobs, `preset`, `policy`), by its values
    in this cell; the same keys in every cell.  knobs: every rule, resolved, plain JSON.  policy: resolved, with `name`.
    identity: 64 hex digits, see `identity`.
    """

    label: str
    settings: Mapping[str, Any]
    knobs: Mapping[str, Any]
    policy: Mapping[str, Any]
    identity: str


@dataclass
class Draft:
    """A cell as it is written, before anything is resolved.

    wanted: every knob given for it.  own: the varied part.  places: knob (or `policy`) to where its value stands.
    """

    label: str
    wanted: dict[str, Any]
    policy: Any
    own: dict[str, Any]
    place: Steps
    places: dict[str, Steps] = field(default_factory=dict)


def identity(game: Game, knobs: Mapping[str, Any], policy: Mapping[str, Any], seed: int) -> str:
    """SHA-256 (hex) of all that changes a cell's answer: game, rules version, knobs, policy and its source, seed.

    Labels, trials, chunks and workers are not in it, so results are found again whatever an experiment is called.
    """
    info = None if "file" in policy else game.policies.get(policy["name"])
    content = {
        "game": game.name,
        "rules_version": game.rules_version,
        "knobs": dict(knobs),
        # Where a user's file lies changes nothing; its content is there.
        "policy": {key: value for key, value in policy.items() if key != "file"},
        "policy_source": info.source if info else "",
        "seed": seed,
    }
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return sha256(text.encode("ascii")).hexdigest()


def from_grid(grid: Mapping[str, Sequence[Any]], rules: Mapping[str, Any], policy: Any) -> list[Draft]:
    """One draft for every combination; the first knob changes slowest."""
    drafts = []
    labels = grid_labels(grid)
    for indices in product(*(range(len(values)) for values in grid.values())):
        own = {name: values[i] for i, (name, values) in zip(indices, grid.items(), strict=True)}
        places: dict[str, Steps] = {name: ("rules", name) for name in rules}
        places["policy"] = ("policy",)
        places |= {name: ("grid", name, i) for i, name in zip(indices, grid, strict=True)}
        wanted = {**rules, **{name: value for name, value in own.items() if name != "policy"}}
        drafts.append(Draft(labels[indices], wanted, own.get("policy", policy), own, ("grid",), places))
    return drafts


def from_list(cells: Sequence[Mapping[str, Any]], rules: Mapping[str, Any], policy: Any) -> list[Draft]:
    """One draft for every cell of the list; a cell's knob or policy takes the place of the common one."""
    varied = varied_names(cells)
    drafts = []
    for i, cell in enumerate(cells):
        own = {name: value for name, value in cell.items() if name != "label"}
        wanted = {**rules, **{name: value for name, value in own.items() if name != "policy"}}
        places: dict[str, Steps] = {name: ("rules", name) for name in rules}
        places["policy"] = ("policy",)
        places |= {name: ("cells", i, name) for name in own}
        mine = own.get("policy", policy)
        varied_here = {name: own.get(name, mine if name == "policy" else rules.get(name)) for name in varied}
        drafts.append(Draft(cell.get("label", ""), wanted, mine, varied_here, ("cells", i), places))
    return drafts


def varied_names(cells: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """What any cell of the list sets for itself, in the order of first mention."""
    return tuple(dict.fromkeys(name for cell in cells for name in cell if name != "label"))


def single(label: str, rules: Mapping[str, Any], policy: Any) -> list[Draft]:
    """The only cell of an experiment that varies nothing."""
    places: dict[str, Steps] = {name: ("rules", name) for name in rules} | {"policy": ("policy",)}
    return [Draft(label, dict(rules), policy, {}, (), places)]


def grid_labels(grid: Mapping[str, Sequence[Any]]) -> dict[tuple[int, ...], str]:
    """Label of each combination, by the indices of its values.

    `difficulty=novice players=2`; when one thing alone is varied and all its values are names, the name alone.
    A value that is long or not unique in its list is called by its number: `map#2`.
    """
    words = {name: [_label_of(value, policy=name == "policy") for value in values] for name, values in grid.items()}
    short = len(grid) == 1 and all(_is_name(value) for name, values in grid.items() for value in values)
    labels = {}
    for indices in product(*(range(len(values)) for values in grid.values())):
        parts = []
        for i, (name, texts) in zip(indices, words.items(), strict=True):
            text = texts[i]
            numbered = len(text) > 40 or texts.count(text) > 1
            parts.append(f"{name}#{i + 1}" if numbered else text if short else f"{name}={text}")
        labels[indices] = " ".join(parts)
    return labels


def _is_name(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, dict) and bool(_called(value)))


def _called(policy: dict[str, Any]) -> str:
    """The name of a policy's mapping: its `name`, or that of its file."""
    name, file = policy.get("name"), policy.get("file")
    if isinstance(name, str):
        return name
    return Path(file).stem if isinstance(file, str) else ""


def _label_of(value: Any, *, policy: bool) -> str:
    if isinstance(value, str):
        return value if value.isprintable() and value.strip() == value != "" else "?" * 41
    if policy and isinstance(value, dict) and _called(value):
        rest = ",".join(f"{key}={_compact(item)}" for key, item in value.items() if key not in ("name", "file"))
        return _called(value) + (f"({rest})" if rest else "")
    return _compact(value)


def _compact(value: Any) -> str:
    """The value without quotes and spaces: `[2,2,3]`, `{pool:[pilot,diver]}`, `true`; too long when it is cut."""
    text = shown(value, 41).replace('"', "").replace(" ", "")
    return "?" * 41 if "…" in text else text


def resolve(
    game: Game, drafts: Sequence[Draft], seed: int, folder: Path | None = None
) -> tuple[list[Cell], list[tuple[Steps, Problem]]]:
    """The cells that can be played, and every problem with its place in the document (each place once).

    A problem that several combinations of values share is told once; one that comes in several forms at one place is
    told in its first form, with the number of the others.  folder: where paths of players' files begin.
    """
    cells: list[Cell] = []
    found: dict[Steps, dict[str, Problem]] = {}
    policies: dict[Steps, dict[str, Any] | None] = {}
    for draft in drafts:
        good = True
        knobs: dict[str, Any] = {}
        try:
            knobs = game.resolve(draft.wanted)
        except SettingsError as error:
            good = False
            for steps, problem in _placed(error, draft):
                found.setdefault(steps, {}).setdefault(problem.allowed, problem)
        where = draft.places["policy"]
        if where not in policies:
            policies[where] = None
            try:
                policies[where] = None if draft.policy is MISSING else game.resolve_policy(_found(draft.policy, folder))
            except SettingsError as error:
                for problem in error.problems:
                    steps = (*where, *problem.path) if isinstance(draft.policy, Mapping) else where
                    found.setdefault(steps, {}).setdefault(problem.allowed, problem)
        policy = policies[where]
        if good and policy is not None:
            settings = {
                name: knobs.get(name) if value is None and name not in draft.wanted else value
                for name, value in draft.own.items()
            }
            cells.append(Cell(draft.label, settings, knobs, policy, identity(game, knobs, policy, seed)))
    return cells, [(steps, _together(list(forms.values()))) for steps, forms in found.items()]


def _found(policy: Any, folder: Path | None) -> Any:
    """A policy with the path of its file as seen from here."""
    if folder is None or not isinstance(policy, Mapping) or not isinstance(policy.get("file"), str):
        return policy
    return {**policy, "file": str(folder / policy["file"])}


def _placed(error: SettingsError, draft: Draft) -> Iterator[tuple[Steps, Problem]]:
    for problem in error.problems:
        head = draft.places.get(str(problem.path[0])) if problem.path else None
        yield ((*head, *problem.path[1:]) if head is not None else draft.place), problem


def _together(forms: list[Problem]) -> Problem:
    """The first of several problems at one place, in words that stand alone."""
    first = forms[0]
    words = first.allowed
    if words.startswith(("a ", "an ", "one of ", "in ")):
        words = f"{shown(first.value)} is not {words}"
    if len(forms) > 1:
        words += f" (and {len(forms) - 1} other combination" + ("s" if len(forms) > 2 else "") + " here)"
    return Problem(first.path, first.value, words)


def twins(drafts: Sequence[Draft], cells: Sequence[Cell]) -> list[tuple[Steps, str]]:
    """Cells that are the same game as an earlier one: where, and what to say.  Every draft has its cell."""
    first: dict[str, int] = {}
    said: dict[Steps, str] = {}
    for i, cell in enumerate(cells):
        j = first.setdefault(cell.identity, i)
        if j == i:
            continue
        here, there = drafts[i].places, drafts[j].places
        steps = drafts[i].place
        if steps == ("grid",):
            # In a grid the later value of the first list in which the two differ is the one too many.
            steps = next((here[name] for name in drafts[i].own if here[name] != there[name]), steps)
        words = f"cells {shown(cells[j].label)} and {shown(cell.label)} are the same: equal rules, policy and seed"
        said.setdefault(steps, words)
    return list(said.items())

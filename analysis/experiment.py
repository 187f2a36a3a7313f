"""An experiment: a YAML file, read, checked as a whole, and laid out in cells.  The format: docs/experiments.md."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from analysis import cells as layout
from analysis.cells import Cell, Draft, Steps
from analysis.errors import InputError, InputErrors, written
from analysis.source import Source, read
from analysis.stats import stopping as looking
from analysis.stopping import Rule
from sim import registry
from sim.core.game import Game
from sim.core.words import listed, nearest, shown, unknown

LARGEST_SEED = 2**63 - 1
MOST_TRIALS = 10**9
LONGEST_NAME = 64
LONGEST_QUESTION = 500

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
_NUMBER_AS_TEXT = re.compile(r"[0-9][0-9 ,_.']*")


@dataclass(frozen=True)
class Experiment:
    """What an experiment file says, checked and laid out.

    compare: pairs of cell labels.  grid: the names of what is varied (knobs, `preset`, `policy`), in file order, for
    a list of cells too.  source: the file's text.  cells: in the order of the file, a grid's first knob slowest.
    fewer: by name of a policy, the trials that its cells play at most (`fewer_trials`).
    """

    name: str
    question: str
    game: str
    seed: int
    trials: int
    cells: tuple[Cell, ...]
    compare: tuple[tuple[str, str], ...]
    grid: tuple[str, ...]
    source: str
    path: Path
    stopping: Rule | None = None
    fewer: Mapping[str, int] = field(default_factory=dict)

    def games_of(self, cell: Cell, trials: int) -> int:
        """How many of so many trials a cell plays: fewer where its player is dear and `fewer_trials` says so."""
        return min(trials, self.fewer.get(cell.policy["name"], trials))


class _Structure(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _CellModel(BaseModel):
    """A cell of the list: its label; every other key is a knob, `preset` or `policy`."""

    model_config = ConfigDict(extra="allow", strict=True)
    label: str


Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]


class _PrecisionModel(_Structure):
    """What `precision` may ask for; ranges are `PRECISION`'s."""

    win_rate: Number | None = None
    difference: Number | None = None
    decision: Number | None = None


class _RaceModel(_Structure):
    """What a race is for."""

    metric: Literal["win_rate"]
    keep: Annotated[int, Field(ge=1)]


PRECISION = {
    "win_rate": (0.0005, 0.2),
    "difference": (0.0005, 0.2),
    "decision": (0.0001, 0.2),
}
"""Lowest and highest value of each key of `precision`."""


class _ExperimentModel(_Structure):
    """The keys of an experiment file, with their shapes; what knobs and policies may hold is the game's matter."""

    name: str
    question: str
    game: str
    trials: Annotated[int, Field(ge=1, le=MOST_TRIALS)] | None = None
    max_trials: Annotated[int, Field(ge=1, le=MOST_TRIALS)] | None = None
    fewer_trials: dict[str, Annotated[int, Field(ge=1, le=MOST_TRIALS)]] = Field(default_factory=dict)
    precision: _PrecisionModel | None = None
    race: _RaceModel | None = None
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] = 1
    rules: dict[str, Any] = Field(default_factory=dict)
    policy: Any = None
    grid: Annotated[dict[str, Annotated[list[Any], Field(min_length=1)]], Field(min_length=1)] = Field(
        default_factory=dict
    )
    cells: Annotated[list[_CellModel], Field(min_length=1)] = Field(default_factory=list)
    compare: Annotated[list[Annotated[list[str], Field(min_length=2, max_length=2)]], Field(min_length=1)] = Field(
        default_factory=list
    )


_WANTED = {
    "name": "the experiment's name, as text",
    "question": "what you want to know, as text",
    "game": "the name of a game, as text",
    "trials": f"a whole number in 1..{MOST_TRIALS}",
    "max_trials": f"a whole number in 1..{MOST_TRIALS}",
    "fewer_trials": "a mapping of policies' names to the trials that they play at most, {master: 400}",
    "precision": "a mapping of win_rate, difference or decision to a number",
    "race": "a mapping, {metric: win_rate, keep: 1}",
    "seed": f"a whole number in 0..{LARGEST_SEED}",
    "rules": "a mapping of knobs to values",
    "policy": "the name of a policy, or a mapping with name (or file) and parameters",
    "grid": "a mapping of knobs to lists of values",
    "cells": "a list of cells, each with a label and its knobs",
    "compare": "a list of pairs of cell labels, [[one, other]]",
}


def load(path: str | Path, policy: Any = None) -> Experiment:
    """The experiment in a YAML file; raises InputErrors with everything that is wrong with it.

    policy: a policy, as it may stand in the file, that takes the place of the one at its top.
    """
    file, text = read(path)
    return parse(text, file, policy)


def parse(text: str, file: str = "experiment.yaml", policy: Any = None) -> Experiment:
    """As `load`, for text that is already there; `file` is the name that messages give it."""
    return _Reader(Source(text, file), policy).experiment()


class _Reader:
    """One pass over one document; collects errors and goes on with what is sound."""

    def __init__(self, source: Source, policy: Any = None) -> None:
        self.source = source
        self.policy = policy
        self.errors: list[InputError] = list(source.errors)
        self.said = {(error.line, error.column, error.allowed) for error in source.errors}
        self.unread = {(error.line, error.column) for error in source.errors}
        self.bad: set[Steps] = set()
        self.labels_known = True
        if not isinstance(source.data, dict):
            if not self.errors:
                self.say((), source.data, f"{shown(source.data)} is not a mapping of {listed(_WANTED)}")
            raise InputErrors(self.errors)
        self.data: dict[str, Any] = source.data
        if policy is not None:
            self.replace_policy(policy)

    def replace_policy(self, policy: Any) -> None:
        """Another policy at the top; an error for each place that has one of its own."""
        self.data = {**self.data, "policy": policy}
        words = "policy is varied here, so that none can be named for all (--policy)"
        grid, cells = self.data.get("grid"), self.data.get("cells")
        if isinstance(grid, dict) and "policy" in grid:
            self.say(("grid", "policy"), None, words, key=True)
        for i, cell in enumerate(cells if isinstance(cells, list) else ()):
            if isinstance(cell, dict) and "policy" in cell:
                self.say(("cells", i, "policy"), None, words, key=True)

    def say(self, steps: Steps, value: Any, words: str, *, key: bool = False) -> None:
        """Note an error, unless one stands at the same place already (a value that could not even be read)."""
        error = self.source.error(steps, value, words, key=key)
        if steps and (error.line, error.column) in self.unread:
            return
        if (error.line, error.column, words) not in self.said:
            self.said.add((error.line, error.column, words))
            self.errors.append(error)

    def experiment(self) -> Experiment:
        model = self.structure()
        self.texts()
        game = self.game()
        drafts = self.drafts(game)
        cells: list[Cell] = []
        if game is not None and drafts:
            seed = self.data.get("seed", 1)
            cells, problems = layout.resolve(
                game,
                drafts,
                seed if isinstance(seed, int) else 1,
                Path(self.source.file).parent if self.policy is None else None,
            )
            for steps, problem in problems:
                self.say(steps, problem.value, problem.allowed)
            if len(cells) == len(drafts):
                for steps, words in layout.twins(drafts, cells):
                    self.say(steps, None, words)
        pairs = self.pairs(drafts)
        rule = self.stopping(len(drafts))
        if len(cells) == len(drafts):
            self.fewer({cell.policy["name"] for cell in cells}, rule)
        if self.errors or model is None:
            raise InputErrors(self.errors)
        return Experiment(
            name=model.name,
            question=" ".join(model.question.split()),
            game=model.game,
            seed=model.seed,
            trials=model.trials or (rule.least if rule else 1),
            cells=tuple(cells),
            compare=tuple(pairs),
            grid=tuple(model.grid) or layout.varied_names(self.data.get("cells", [])),
            source=self.source.text,
            path=Path(self.source.file),
            stopping=rule,
            fewer=dict(model.fewer_trials),
        )

    # Structure

    def structure(self) -> _ExperimentModel | None:
        """The document in its model, or None with an error for every part of a wrong shape (`bad` has the parts)."""
        try:
            return _ExperimentModel.model_validate(self.data)
        except ValidationError as error:
            for item in error.errors(include_url=False, include_context=False):
                steps: Steps = item["loc"]
                self.bad |= {steps[: n + 1] for n in range(len(steps))}
                if item["type"] == "missing":
                    self.missing(steps)
                elif item["type"] == "extra_forbidden":
                    known = {"precision": PRECISION, "race": ("metric", "keep")}.get(str(steps[0]), _WANTED)
                    self.say(steps, None, unknown("key", steps[-1], known), key=True)
                else:
                    self.misshaped(steps, item["input"])
        return None

    def missing(self, steps: Steps) -> None:
        name = str(steps[-1])
        if steps[0] == "race" and len(steps) > 1:
            self.say(steps[:-1], None, f"{name} is missing: write {{metric: win_rate, keep: 1}}")
        elif steps[:-1] == ():
            self.say((), None, f"{name} is missing: {_WANTED[name]}")
        else:
            self.say(steps[:-1], None, "label is missing: the cell's name in tables and charts, as text")

    def misshaped(self, steps: Steps, value: Any) -> None:
        match steps:
            case ("trials" | "max_trials" | "seed" as name,) if isinstance(value, int) and not isinstance(value, bool):
                words = f"{shown(value)} is not in {_WANTED[name].removeprefix('a whole number in ')}"
            case ("trials" | "max_trials" | "seed" as name,):
                words = f"{shown(value)} is not {_WANTED[name]}{_whole_number_hint(value)}"
            case ("fewer_trials", str()):
                words = f"{shown(value)} is not {_WANTED['trials']}{_whole_number_hint(value)}"
            case ("precision", str() as name, *_) if name in PRECISION:
                low, high = PRECISION[name]
                words = f"{shown(value)} is not a number in {low}..{high}"
            case ("race", "metric"):
                words = f"{shown(value)} is not win_rate, the only metric of a race"
            case ("race", "keep"):
                words = f"{shown(value)} is not a whole number of cells, 1 or more"
            case ("grid", str()) if value == []:
                words = "the list is empty; give at least one value, or leave the knob out"
            case ("grid", str()):
                words = f"{shown(value)} is not a list of values; write [{shown(value)}], or put it under rules"
            case ("cells", int()):
                words = f"{shown(value)} is not a mapping with label and knobs"
            case ("cells", int(), "label"):
                words = f"{shown(value)} is not text{_quotes_hint(value)}"
            case ("compare", int()):
                words = f"{shown(value)} is not a pair of cell labels; write [[one, other]]"
            case ("compare", int(), int()):
                words = f"{shown(value)} is not the label of a cell, as text{_quotes_hint(value)}"
            case (("cells" | "grid" | "compare") as name,) if value in ([], {}):
                words = f"{name} is empty; give {_WANTED[name]}, or leave it out"
            case (str() as name,):
                words = f"{shown(value)} is not {_WANTED.get(name, 'allowed')}{_quotes_hint(value)}"
            case _:
                words = f"{shown(value)} is not allowed here"
        self.say(steps, value, words)

    def sound(self, name: str) -> Any:
        """A part of the document, None when it is missing or of a wrong shape."""
        return None if (name,) in self.bad else self.data.get(name)

    # Meaning

    def texts(self) -> None:
        name, question = self.sound("name"), self.sound("question")
        if name is not None:
            words = _name_problem(name)
            if words:
                self.say(("name",), name, words)
        if question is not None:
            words = _text_problem(" ".join(question.split()), LONGEST_QUESTION)
            if words:
                self.say(("question",), question, words)
        for i, cell in enumerate(self.list_of_cells()):
            label = cell.get("label")
            words = _text_problem(label, layout.LONGEST_LABEL) if isinstance(label, str) else ""
            if words:
                self.say(("cells", i, "label"), label, words)

    def fewer(self, policies: set[str], rule: Rule | None) -> None:
        """`fewer_trials` names policies of the experiment, and goes with `trials` alone."""
        given = self.sound("fewer_trials")
        if given and rule is not None:
            words = "fewer_trials does not go with precision or race, which find the number of games themselves"
            self.say(("fewer_trials",), None, words, key=True)
        for name in given if isinstance(given, dict) else ():
            if name not in policies:
                self.say(("fewer_trials", name), None, unknown("policy of this experiment", name, policies), key=True)

    def stopping(self, cells: int) -> Rule | None:
        """When a cell has enough games; an error for each thing that contradicts another."""
        precision, race = self.sound("precision"), self.sound("race")
        trials, most = self.sound("trials"), self.sound("max_trials")
        if precision is None and race is None:
            if most is not None:
                self.say(
                    ("max_trials",), most, "max_trials needs precision or race; without them write trials", key=True
                )
            if "trials" not in self.data and ("precision",) not in self.bad and ("race",) not in self.bad:
                self.say((), None, f"trials is missing: {_WANTED['trials']}, or precision")
            return None
        asked = self.precision(precision or {})
        keep = self.race(race, cells)
        if race is not None and trials is not None and most is not None:
            words = "trials and max_trials exclude each other in a race: either is what a kept cell plays at most"
            self.say(("max_trials",), most, words, key=True)
        if race is not None:
            trials, most = None, most or trials
        least = max(trials or 0, looking.LEAST)
        if most is None and "decision" in asked:
            self.say(("precision", "decision"), None, "max_trials is missing: a decision may never come", key=True)
        elif most is None and race is not None and not asked:
            self.say((), None, "trials is missing: the games of the cells that a race keeps")
        elif most is not None and most < least and race is None:
            told = "trials" if trials and trials > looking.LEAST else "the first look"
            self.say(("max_trials",), most, f"{most} is less than {least}, {told}")
        if most is None:
            enough = [looking.enough_for_rate(asked["win_rate"])] if "win_rate" in asked else []
            enough += [looking.enough_for_difference(asked["difference"])] if "difference" in asked else []
            most = max([least, *enough])
        least = min(least, most)
        return Rule(least, most, keep=keep, **asked)

    def precision(self, given: Mapping[str, Any]) -> dict[str, float]:
        """The sound keys of `precision`."""
        asked = {}
        if not given and self.sound("precision") is not None:
            self.say(("precision",), given, f"precision is empty; give {_WANTED['precision']}")
        for name, value in given.items():
            if name not in PRECISION or value is None:
                continue
            low, high = PRECISION[name]
            if not low <= value <= high:
                self.say(("precision", name), value, f"{shown(value)} is not in {low}..{high}")
            elif name != "win_rate" and not self.data.get("compare"):
                self.say(("precision", name), value, f"{name} needs pairs to compare; write compare", key=True)
            else:
                asked[name] = float(value)
        return asked

    def race(self, given: Mapping[str, Any] | None, cells: int) -> int | None:
        """How many cells a race keeps."""
        if given is None:
            return None
        keep: int = given["keep"]
        if cells and keep >= cells:
            self.say(
                ("race", "keep"), keep, f"{keep} is not in 1..{cells - 1}: a race of {cells} cells drops some of them"
            )
        return keep

    def game(self) -> Game | None:
        name = self.sound("game")
        if name is None:
            return None
        if name not in registry.names():
            self.say(("game",), name, unknown("game", name, registry.names()))
            return None
        return registry.get(name)

    def list_of_cells(self) -> list[dict[str, Any]]:
        """The cells of the list that are mappings."""
        cells = self.data.get("cells")
        return [cell for cell in cells if isinstance(cell, dict)] if isinstance(cells, list) else []

    def drafts(self, game: Game | None) -> list[Draft]:
        """The cells as they are written; empty when they cannot be told."""
        rules = self.sound("rules") or {}
        policy = self.data.get("policy", layout.MISSING)
        rules = self.known(rules, ("rules",), game, policy_too=False)
        if "grid" in self.data and "cells" in self.data:
            self.say(("cells",), None, "grid and cells exclude each other; give one of them", key=True)
        if "cells" in self.data:
            return self.drafts_of_list(rules, policy, game)
        if "grid" in self.data:
            return self.drafts_of_grid(rules, policy, game)
        self.policy_stands(True)
        name = self.sound("name")
        return layout.single(name if isinstance(name, str) else "", rules, policy)

    def drafts_of_list(self, rules: dict[str, Any], policy: Any, game: Game | None) -> list[Draft]:
        listed_cells = self.data["cells"]
        if not isinstance(listed_cells, list):
            return []
        if len(listed_cells) > layout.LARGEST:
            self.say(("cells",), None, f"{len(listed_cells)} cells are too many; at most {layout.LARGEST} are allowed")
            return []
        cells = [
            self.known(cell, ("cells", i), game) if isinstance(cell, dict) else {}
            for i, cell in enumerate(listed_cells)
        ]
        for i, cell in enumerate(cells):
            if "policy" not in cell and "policy" not in self.data and isinstance(listed_cells[i], dict):
                self.say(("cells", i), None, "policy is missing: give one to every cell, or one for all at the top")
        seen: dict[str, int] = {}
        for i, cell in enumerate(cells):
            label = cell.get("label")
            if isinstance(label, str) and seen.setdefault(label, i) != i:
                words = f"{shown(label)} is the label of cells[{seen[label]}] too; labels are unique"
                self.say(("cells", i, "label"), label, words)
        return layout.from_list(cells, rules, policy)

    def drafts_of_grid(self, rules: dict[str, Any], policy: Any, game: Game | None) -> list[Draft]:
        given = self.data["grid"]
        if not isinstance(given, dict):
            return []
        self.policy_stands("policy" not in given)
        grid = {
            name: values
            for name, values in self.known(given, ("grid",), game).items()
            if isinstance(values, list) and values
        }
        for name in grid:
            if name in self.data and name == "policy":
                self.say(("grid", name), None, "policy is given at the top too; give it in one place", key=True)
            elif name in rules:
                words = f"{written((name,))} is fixed under rules too; give it in one place"
                self.say(("grid", name), None, words, key=True)
        count = 1
        for values in grid.values():
            count *= len(values)
        if count > layout.LARGEST:
            words = f"the grid has {shown(count)} cells; at most {layout.LARGEST} are allowed"
            self.say(("grid",), None, words, key=True)
            return layout.from_grid({}, rules, policy)
        return layout.from_grid(grid, rules, policy)

    def policy_stands(self, needed: bool) -> None:
        if needed and "policy" not in self.data:
            self.say((), None, f"policy is missing: {_WANTED['policy']}")

    def known(
        self, knobs: Mapping[str, Any], steps: Steps, game: Game | None, *, policy_too: bool = True
    ) -> dict[str, Any]:
        """The knobs that the game has (all, when the game is not known); an error for each other key."""
        if game is None:
            return dict(knobs)
        names = [*(["policy"] if policy_too else []), "preset", *(knob.name for knob in game.knobs)]
        fixed = {"label"} if steps[0] == "cells" else set()
        for name in knobs:
            if name in names or name in fixed:
                continue
            if name == "policy":
                words = "policy is no rule; write it at the top, in grid or in a cell"
            elif name in _WANTED and nearest(name, names) is None:
                words = f"{name} is no knob; write it at the top of the file"
            else:
                words = unknown("knob", name, [*fixed, *names])
            self.say((*steps, name), knobs[name], words, key=True)
            self.labels_known = False
        return {name: value for name, value in knobs.items() if name in names or name in fixed}

    def pairs(self, drafts: list[Draft]) -> list[tuple[str, str]]:
        """The compared pairs that are sound; an error for each other."""
        compare = self.data.get("compare")
        labels = [draft.label for draft in drafts]
        if (
            not self.labels_known
            or self.bad & {("grid",), ("cells",)}
            or ("grid" in self.data and "cells" in self.data)
        ):
            labels = []
        pairs: dict[frozenset[str], int] = {}
        sound: list[tuple[str, str]] = []
        for i, pair in enumerate(compare if isinstance(compare, list) else []):
            if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(label, str) for label in pair):
                continue
            if pair[0] == pair[1]:
                self.say(("compare", i), pair, f"{shown(pair[0])} is compared with itself; name two cells")
                continue
            strangers = [j for j in (0, 1) if labels and pair[j] not in labels]
            for j in strangers:
                self.say(("compare", i, j), pair[j], _no_such_label(pair[j], labels))
            if not strangers:
                if pairs.setdefault(frozenset(pair), i) != i:
                    self.say(("compare", i), pair, f"this pair is compared[{pairs[frozenset(pair)]}] already")
                sound.append((pair[0], pair[1]))
        return sound


def _no_such_label(label: str, labels: list[str]) -> str:
    guess = nearest(label, labels)
    some = ", ".join(map(shown, labels[:12])) + (f", … ({len(labels)} in all)" if len(labels) > 12 else "")
    return f"no cell has the label {shown(label)}; " + (f"did you mean {shown(guess)}?" if guess else f"labels: {some}")


def _name_problem(name: str) -> str:
    """Why a name cannot name a folder everywhere, in words; empty when it can."""
    if len(name) > LONGEST_NAME:
        return f"{shown(name)} is longer than {LONGEST_NAME} characters"
    if not _NAME.fullmatch(name) or name.endswith(".") or _RESERVED.fullmatch(name):
        words = "letters a-z, digits, '.', '_' and '-', beginning with a letter or digit, not ending with '.'"
        return f"{shown(name)} cannot name a folder everywhere; allowed: {words}"
    return ""


def _text_problem(text: str, longest: int) -> str:
    if not text.strip():
        return "is empty; write some text"
    if text != text.strip():
        return f"{shown(text)} begins or ends with a space"
    if len(text) > longest:
        return f"{shown(text)} is longer than {longest} characters"
    strange = next((c for c in text if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") or c in _TURNING), None)
    return "" if strange is None else f"{shown(text)} holds the character {shown(strange)}, which cannot be printed"


_TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Characters that turn the direction of the text after them."""


def _whole_number_hint(value: Any) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return f"; write {int(value)}"
    if isinstance(value, str) and len(value) <= 30 and _NUMBER_AS_TEXT.fullmatch(value):
        return f"; write {''.join(c for c in value if c.isdigit())}"
    return ""


def _quotes_hint(value: Any) -> str:
    return f"; put it in quotes: '{shown(value)}'" if isinstance(value, bool | int | float) else ""

"""The protocol a game fills, and the plain records that cross it.

Everything the analysis knows of a game comes through here, so a further game is one folder and one registry line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from sim.core.scene import Show
    from sim.core.userfile import PlayerFile


@dataclass(frozen=True)
class Problem:
    """One thing wrong with what a user wrote.

    path: keys from the outermost, e.g. ("waters_rise",) or ("map", 3).  value: what was found.
    allowed: what is allowed, in words that complete "VALUE is not …" or stand alone.
    """

    path: tuple[str | int, ...]
    value: Any
    allowed: str

    def __str__(self) -> str:
        where = ".".join(str(part) for part in self.path)
        return f"{where}: {self.allowed}" if where else self.allowed


class SettingsError(ValueError):
    """Knobs or policy parameters that cannot be played; holds every problem at once (`problems`)."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))


class PolicyFault(RuntimeError):  # noqa: N818 - the word the documentation uses
    """A policy returned something illegal; `seed` and `trial` replay it, `choice` says what was illegal.

    events: of a traced game, those until then.
    """

    def __init__(self, policy: str, seed: int, trial: int, choice: str) -> None:
        self.policy, self.seed, self.trial, self.choice = policy, seed, trial, choice
        self.events: list[dict[str, Any]] = []
        super().__init__(f"policy {policy}: illegal choice in seed {seed}, trial {trial}: {choice}")


@dataclass(frozen=True)
class Knob:
    """One rule that a designer may change.

    kind: "integer", "choice", "flag", "list", "map" or "roles".  allowed: the range in words.
    reason: why the knob exists (a rule number or a known other reading).
    """

    name: str
    kind: str
    default: Any
    allowed: str
    reason: str
    choices: tuple[Any, ...] = ()
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True)
class Parameter:
    """One number a policy takes from YAML: its default, its closed range and its meaning."""

    name: str
    default: float
    low: float
    high: float
    meaning: str


@dataclass(frozen=True)
class PolicyInfo:
    """What a player model is: `summary` one line, `description` its priorities in a designer's words.

    games_per_second: the order of magnitude on one core, used only to size chunks and to estimate times.
    source: SHA-256 (hex) of all that decides its choices; part of a cell's identity.
    """

    name: str
    summary: str
    description: str
    parameters: tuple[Parameter, ...] = ()
    games_per_second: float = 50_000.0
    source: str = ""


@dataclass(frozen=True)
class Column:
    """One column of the games table.

    dtype: a NumPy integer name.  unit: "turns", "cards", "count", "code" ….  sentinel: the value that means
    "did not happen" (None: none).  labels: for coded columns, the label of code 0, 1, … ; sets of labels
    (`is_set`) are bit masks over the labels.
    """

    name: str
    dtype: str
    unit: str
    meaning: str
    sentinel: int | None = None
    labels: tuple[str, ...] | None = None
    is_set: bool = False


@dataclass(frozen=True)
class Cause:
    """One way a game ends without being won; `label` is how a report names it."""

    name: str
    label: str
    rule: str


@dataclass(frozen=True)
class Milestone:
    """Something that comes at most once a game (a treasure captured): `column` holds its turn.

    ready: the column with the turn from which it could be had (its cards in one hand), or none.
    """

    name: str
    label: str
    column: str
    ready: str = ""


@dataclass(frozen=True)
class Curve:
    """A number followed turn by turn: `tally` is the (turns, values) count of running games at each value."""

    name: str
    label: str
    tally: str
    values: tuple[int, ...]


@dataclass(frozen=True)
class Detail:
    """What lies behind a cause: which members of a set column it was (treasures lost, seats drowned).

    cause: the cause's name.  column: the set column.  word: what a report calls one member.  labels: the members, in
    the column's order.  parts: for each member the columns with the turns of its parts' loss (its tiles); the last to
    go is told.  by_role: the members are seats, told by the role that sat there.
    """

    cause: str
    column: str
    word: str
    labels: tuple[str, ...] = ()
    parts: tuple[tuple[str, ...], ...] = ()
    by_role: bool = False


@dataclass(frozen=True)
class Progress:
    """A number that only rises during a game: how many of the events in `columns` (turns) have happened.

    Games look alike when all their progress numbers agree, counted in steps of `step`.
    """

    name: str
    label: str
    columns: tuple[str, ...]
    step: int = 1


@dataclass(frozen=True)
class Effort:
    """Number columns that belong together, as (column, label); `whole`: they are parts of one whole (actions)."""

    name: str
    label: str
    parts: tuple[tuple[str, str], ...]
    whole: bool = False


@dataclass(frozen=True)
class Special:
    """A card or a power with a moment: the column that counts its uses, and the one that counts its waste."""

    label: str
    used: str
    wasted: str


@dataclass(frozen=True)
class Opening:
    """What is known before the first turn.

    column: a set column (tiles flooded), or with `place` the column with a place of the board.  label: for people.
    """

    column: str
    label: str
    place: bool = False


@dataclass(frozen=True)
class Contest:
    """What a game tells in which the seats play against each other; its `won` games are those with a winner.

    winners: the set column of the seats that won (several share a win); its labels are the seats' names for people.
    points: the column of each seat's points, in the order of those labels, from 0; its sentinel where nobody sits.
    words: what a report calls one point, and several.  fates: what became of what the seats play with (explorers), as
    the parts of one whole.
    """

    winners: str
    points: tuple[str, ...]
    words: tuple[str, str] = ("point", "points")
    fates: Effort | None = None


@dataclass(frozen=True)
class Aspects:
    """What a report may say of a game beyond its causes, milestones and curves.  Every part may be missing.

    roles: the columns with the role of each seat.  end: number columns worth telling at the end of a lost game, as
    (column, label).  shoring: the effort column whose use per turn is set against losing, as (column, label).
    choices: the columns that count the turns which began with nothing, and with one thing, to choose.
    unit: the knob in which difficulty is counted, and what a report calls one, and several.  same_setup: the knob that
    says how many trials in a row share their setup.  contest: for games that seats win, not the team; a report then
    speaks of seats where it would speak of winning and losing.
    """

    details: tuple[Detail, ...] = ()
    roles: tuple[str, ...] = ()
    end: tuple[tuple[str, str], ...] = ()
    progress: tuple[Progress, ...] = ()
    efforts: tuple[Effort, ...] = ()
    specials: tuple[Special, ...] = ()
    openings: tuple[Opening, ...] = ()
    shoring: tuple[str, str] | None = None
    choices: tuple[str, str] | None = None
    unit: tuple[str, str, str] | None = None
    same_setup: str = ""
    contest: Contest | None = None


@dataclass(frozen=True)
class Batch:
    """What one chunk of trials gave.

    games: column name -> array of `count` integers, trial order, every column of `Game.columns`.
    tallies: name -> int64 array of counts; batches of the same cell add element by element.
    """

    games: dict[str, np.ndarray]
    tallies: dict[str, np.ndarray]


@dataclass(frozen=True)
class Layout:
    """Where the places of the board lie, for drawing: `cells[i]` is (row, column) of place i; `grid` square or hex."""

    cells: tuple[tuple[float, float], ...]
    grid: str = "square"
    names: tuple[str, ...] = field(default=())


@runtime_checkable
class Game(Protocol):
    """A board game that the laboratory can play."""

    @property
    def name(self) -> str:
        """The name in YAML, e.g. `forbidden_island`."""

    @property
    def title(self) -> str:
        """The name for people, e.g. `Forbidden Island`."""

    @property
    def rules_version(self) -> int:
        """Raised whenever the same seed may give another game; part of a cell's identity."""

    @property
    def knobs(self) -> tuple[Knob, ...]:
        """Every knob, in the order of the documentation."""

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Named knob sets, usable as `preset: NAME`."""

    @property
    def policies(self) -> Mapping[str, PolicyInfo]:
        """The player models that ship with the game."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """The games table; always holds `trial`, `result` (won, lost, stopped), `cause`, `turns`."""

    @property
    def causes(self) -> tuple[Cause, ...]:
        """Every way to end unwon, in the order reports use."""

    @property
    def milestones(self) -> tuple[Milestone, ...]:
        """What to time (treasures captured)."""

    @property
    def milestone_words(self) -> tuple[str, str]:
        """What a report calls one of them, and several."""

    @property
    def curves(self) -> tuple[Curve, ...]:
        """What to follow turn by turn."""

    @property
    def aspects(self) -> Aspects:
        """What else a report may say of it."""

    def resolve(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Every knob's value, in `knobs` order, as plain JSON values; raises SettingsError with all problems."""

    def resolve_policy(self, spec: Any) -> dict[str, Any]:
        """A policy spec (a name, or a mapping with `name` or `file`) with every parameter; raises SettingsError.

        A resolved spec of a user's file has, beside `name`, its `file` (the path) and `content` (a hash of its bytes).
        """

    def describe(self, policy: Mapping[str, Any]) -> PolicyInfo:
        """What a resolved policy is, of a user's file too; raises PlayerFileError (`sim.core.userfile`)."""

    def prepare(self, policy: Mapping[str, Any]) -> None:
        """Compile all that playing a resolved policy needs; raises PlayerFileError."""

    def player_file(self, policy: Mapping[str, Any]) -> PlayerFile:
        """The file of a resolved policy that has one; raises PlayerFileError."""

    def play(self, knobs: Mapping[str, Any], policy: Mapping[str, Any], seed: int, first: int, count: int) -> Batch:
        """Play trials first … first + count − 1.  `knobs` and `policy` are resolved.  Raises PolicyFault.

        Releases the interpreter lock; safe to call from several threads; the result depends on the arguments only.
        """

    def trace(self, knobs: Mapping[str, Any], policy: Mapping[str, Any], seed: int, trial: int) -> list[dict[str, Any]]:
        """One game as the list of its events (docs/trace-format.md)."""

    def tell(self, events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
        """The lines of a text replay for people."""

    def show(self, events: Iterable[Mapping[str, Any]]) -> Show:
        """The scenes of one game for a viewer; raises ValueError for events that are not those of one game."""

    def layout(self, knobs: Mapping[str, Any]) -> Layout:
        """The board of these knobs, for drawing."""

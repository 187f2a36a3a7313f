"""Training: a learned value from games that its player plays with itself, round after round.

The first round is taught by a simple team's games; every later one by the player's own, with targets that lean on what
the value says of the next position (lambda returns: Sutton and Barto, Reinforcement Learning, 2nd ed., 12.1).  First
all networks are one, then each goes on with the games of its own rule sets.  All that is random comes from the seed, a
finished round is stored, and whoever goes on from it gets the same bytes.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.errors import IslandlabError
from analysis.files import write_file
from sim.core.training import Lessons, Teacher

if TYPE_CHECKING:
    from analysis.experiment import Experiment

Progress = Callable[[str, float], None]
"""Told what is being done, and the share of the whole that is done."""

WEIGHTS = "weights.npz"
CURVE_CSV, CURVE_SVG = "learning-curve.csv", "learning-curve.svg"
ROUNDS = "rounds"

PART = 65536
"""Positions that are made ready for the fit at once."""

LEAST = 1e-6
"""Chance that a target leaves to either end: a batch of lessons all of whose weights are 0 has no mean."""

RATES = 24
"""Steps in which the learning rate falls within a round."""


class TrainingError(IslandlabError):
    """Training cannot go on; the text says why and what to do."""


@dataclass(frozen=True)
class Recipe:
    """How to train.  How the weights that ship were made: docs/training.md.

    rounds: of the player's own games.  games: of each rule set in a round.  most: how many times as many where nearly
    all games are won or lost, and one says less.  first_games: of the simple team, of each rule set.  together: rounds
    in which all networks are one.  window: rounds whose lessons are kept.  trace: how far a target looks ahead
    (lambda), from the first round to the last.  explore: share of turns that go astray.  width: of the search, from the
    first round to the last.  epochs: passes over the lessons of a round.  rate: of learning, first round's to last's.
    last_rate: to which it falls within each round; none where a round learns at one rate.
    """

    rounds: int = 26
    games: int = 600
    most: float = 2.5
    first_games: int = 1000
    together: int = 8
    window: int = 4
    trace: tuple[float, float] = (0.85, 0.5)
    explore: float = 0.1
    width: tuple[int, int] = (8, 20)
    epochs: int = 1
    first_epochs: int = 4
    first_rate: tuple[float, float] = (2e-3, 5e-4)
    rate: tuple[float, float] = (1.5e-3, 6e-5)
    last_rate: float | None = None
    batch: int = 512

    @classmethod
    def onward(cls) -> Recipe:
        """How to go on from weights that are there: no simple team, a wide search, many more games, several passes.

        Each round starts with large steps, which forget much, and ends with very small ones, which average what chance
        there is in the lessons.
        """
        return cls(
            rounds=3,
            games=7000,
            together=0,
            window=5,
            trace=(0.5, 0.5),
            width=(20, 20),
            epochs=4,
            rate=(2e-3, 2e-3),
            last_rate=2e-5,
        )

    def games_of(self, won: float) -> int:
        """How many games of a rule set to play of which such a share is won: as many as tell as much as at a half."""
        spread = max(won * (1.0 - won), 1e-9)
        return round(self.games * min(self.most, max(1.0, 0.25 / spread)))

    def part_of(self, number: int) -> float:
        """How far a round, from 1, is from the first (0) to the last (1)."""
        return min(1.0, (number - 1) / max(1, self.rounds - 1))

    def width_of(self, number: int) -> int:
        """The width of the search in a round, from 1."""
        low, high = self.width
        return round(low + (high - low) * self.part_of(number))

    def trace_of(self, number: int) -> float:
        """How far the targets of a round, from 1, look ahead."""
        first, last = self.trace
        return first + (last - first) * self.part_of(number)

    def rate_of(self, number: int) -> tuple[float, float]:
        """The learning rate at the start and at the end of a round, from 1: over the rounds evenly on a log scale."""
        first, last = self.rate
        here = float(first * (last / first) ** self.part_of(number))
        return here, here if self.last_rate is None else self.last_rate


def _name(number: int) -> str:
    return f"round-{number:02}.npz"


@contextmanager
def _opened(file: Path) -> Iterator[Any]:
    """A stored round; raises TrainingError when it cannot be read."""
    try:
        with np.load(file, allow_pickle=False) as stored:
            yield stored
    except (OSError, ValueError, LookupError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise TrainingError(
            f"{file}: is damaged or no round of a training ({error}); remove it or its folder"
        ) from None


def returns(lessons: Lessons, trace: float) -> tuple[np.ndarray, np.ndarray]:
    """(n,) targets, and (n,) which positions have one.

    The target of a position is how its game ended, seen through the values of what came between:
    g(t) = (1 − λ) v(t + 1) + λ g(t + 1), and the outcome itself after the last position.
    """
    n = lessons.value.size
    target = np.zeros(n)
    for i in range(n - 1, -1, -1):
        if lessons.cut[i]:
            target[i] = lessons.value[i]
        elif i == n - 1 or lessons.game[i + 1] != lessons.game[i]:
            target[i] = float(lessons.won[lessons.game[i]])
        else:
            target[i] = (1.0 - trace) * lessons.value[i + 1] + trace * target[i + 1]
    return target, ~lessons.cut


def whole_curve(about: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The learning curve of weights from nothing on: of those that they set out from, then their own.

    about: what a weights file says of itself.  Rounds are counted on.
    """
    earlier = whole_curve(about["start"]) if about.get("start") else []
    last = earlier[-1]["round"] if earlier else 0
    return earlier + [{**row, "round": last + row["round"]} for row in about.get("curve", ())]


def fit(
    lessons: Sequence[tuple[np.ndarray, np.ndarray]],
    start: np.ndarray | None,
    units: int,
    *,
    epochs: int,
    rate: tuple[float, float],
    batch: int,
    seed: int,
) -> tuple[np.ndarray, float]:
    """A network for these lessons, from another one on: its numbers, and its mean cross-entropy in the last pass.

    lessons: positions (n, inputs), float32 or float16, and the chances of winning (n,) that are their targets; of all
    of them together.  rate: the learning rate at the start and at the end; it falls along half a cosine, in steps, each
    with a fresh Adam.  Every position is taught twice, as a game won with the weight of its target and as a game lost
    with the rest, which is the cross-entropy with a chance for a label.  With one thread in the linear algebra the same
    lessons give the same bytes.
    """
    from sklearn.neural_network import MLPClassifier

    n, inputs = sum(len(x) for x, _ in lessons), lessons[0][0].shape[1]
    chance = np.random.default_rng(seed)
    layers: list[np.ndarray] = []
    if start is not None:
        layers = np.split(start.astype(np.float32), np.cumsum([inputs * units, units, units]))
    parts = [part for _ in range(epochs) for part in np.array_split(chance.permutation(n), max(1, n // PART))]
    steps = np.array_split(np.arange(len(parts)), min(len(parts), RATES))
    losses: list[float] = []
    for k, step in enumerate(steps):
        fallen = 0.5 - 0.5 * np.cos(np.pi * k / max(1, len(steps) - 1))
        learner = MLPClassifier(
            (units,),
            alpha=1e-5,
            batch_size=batch,
            learning_rate_init=float(rate[0] + (rate[1] - rate[0]) * fallen),
            random_state=int(chance.integers(2**31)),
        )
        few, _ = _taken(lessons, np.arange(min(n, batch)))  # only a first fit gives a learner its shape
        learner.partial_fit(few, np.arange(len(few)) % 2, classes=[0, 1])
        vars(learner).pop("_optimizer", None)  # what that fit left in Adam's memory
        if layers:
            learner.coefs_ = [layers[0].reshape(inputs, units), layers[2][:, None]]
            learner.intercepts_ = [layers[1], layers[3]]
        for number in step:
            x, target = _taken(lessons, parts[number])
            labels = np.repeat([1, 0], target.size)
            learner.partial_fit(np.concatenate([x, x]), labels, sample_weight=np.concatenate([target, 1.0 - target]))
            losses.append(learner.loss_)
        layers = [learner.coefs_[0].ravel(), learner.intercepts_[0], learner.coefs_[1].ravel()]
        layers.append(learner.intercepts_[1])
    last = losses[-(len(parts) // epochs) :]
    return np.concatenate(layers).astype(np.float64), float(np.mean(last))


def _taken(lessons: Sequence[tuple[np.ndarray, np.ndarray]], chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Some of the lessons, by their numbers in all of them together: lessons are too large to be held twice."""
    x = np.empty((chosen.size, lessons[0][0].shape[1]), np.float32)
    target = np.empty(chosen.size)
    first = 0
    for some, aims in lessons:
        here = (chosen >= first) & (chosen < first + len(some))
        x[here] = some[chosen[here] - first]
        target[here] = np.clip(aims[chosen[here] - first], LEAST, 1.0 - LEAST)
        first += len(some)
    return x, target


def train(
    experiment: Experiment,
    teacher: Teacher,
    out: Path,
    recipe: Recipe,
    *,
    start: Path | None = None,
    workers: int = 0,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Train for the rule sets of an experiment's cells, or go on with it; what the curve's last row says.

    start: a weights file to set out from instead of the simple team's games, or the folder of a training: then the
    lessons that it kept are learned as well, as if they were rounds of this one.

    Writes into the folder `out`: `weights.npz`, `learning-curve.csv` and `.svg`, and under `rounds/` what is needed to
    go on.  Its policies, trials and comparisons do not matter; its name and seed do.  Raises TrainingError when the
    folder holds another training, `start` cannot be used, or the library that fits is not there.
    """
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise TrainingError("islandlab train needs scikit-learn: pip install 'islandlab[train]'") from None
    return _Training(experiment, teacher, out, recipe, start, workers or 2, progress).run()


class _Training:
    def __init__(
        self,
        experiment: Experiment,
        teacher: Teacher,
        out: Path,
        recipe: Recipe,
        start: Path | None,
        workers: int,
        progress: Progress | None,
    ) -> None:
        self.teacher, self.out, self.recipe = teacher, out, recipe
        self.seed, self.name, self.source = experiment.seed, experiment.name, experiment.source
        rule_sets = {json.dumps(cell.knobs, sort_keys=True): dict(cell.knobs) for cell in experiment.cells}
        self.rule_sets = list(rule_sets.values())
        self.game = experiment.game
        self.workers = workers
        self.progress = progress
        self.names = sorted({teacher.network_of(knobs) for knobs in self.rule_sets})
        self.of = [teacher.network_of(knobs) for knobs in self.rule_sets]
        self.curve: list[dict[str, Any]] = []
        self.past: dict[int, list[tuple[np.ndarray, np.ndarray]]] = {}  # by round, a rule set's lessons and targets
        self.rates = [0.5] * len(self.rule_sets)  # what share of each rule set's games was won in the last round
        self.steps = recipe.rounds + 1
        self.start: dict[str, Any] | None = None
        self.networks: dict[str, np.ndarray] = {}
        self.before = 0
        self.earlier: dict[int, Path] = {}  # rounds of the training that this one set out from, its last one as 0
        self.order = list(range(len(self.rule_sets)))  # where its lessons have each rule set of this one
        if start is not None:
            self._set_out(start)

    def _set_out(self, start: Path) -> None:
        """From a weights file, or from a training's folder with its lessons."""
        file = start / WEIGHTS if start.is_dir() else start
        try:
            data = file.read_bytes()
            networks, about = self.teacher.unpack(data)
        except OSError as error:
            raise TrainingError(f"{file}: cannot be read: {error.strerror}") from None
        except ValueError as error:
            raise TrainingError(f"{file}: {error}") from None
        self.networks = dict(networks)
        self.start = {"sha256": sha256(data).hexdigest(), **about}
        earlier: dict[str, Any] | None = about
        while earlier:  # weights may have set out from others
            self.before += len(earlier.get("curve", ()))
            earlier = earlier.get("start")
        if start.is_dir():
            self._take_over(start, about)

    def _take_over(self, start: Path, about: Mapping[str, Any]) -> None:
        """Note which lessons another training kept that a first round here looks back on; they are read when needed."""
        assert self.start is not None
        mine = {json.dumps(knobs, sort_keys=True) for knobs in self.rule_sets}
        theirs = {json.dumps(knobs, sort_keys=True) for knobs in about.get("trained_for", ())}
        curve = about.get("curve", ())
        if mine != theirs or about.get("inputs") != self.teacher.inputs or not curve:
            raise TrainingError(
                f"{start}: holds a training for other rules or of other features; to set out without its lessons, "
                f"give {start / WEIGHTS}"
            )
        last = int(curve[-1]["round"])
        for number in range(max(1, last + 2 - self.recipe.window), last + 1):
            file = start / ROUNDS / _name(number)
            if not file.exists():
                raise TrainingError(f"{file}: is not there; to set out without lessons, give {start / WEIGHTS}")
            with _opened(file) as stored:
                order = [about["trained_for"].index(knobs) for knobs in self.rule_sets]
                if "x_0" in stored.files:
                    self.earlier[number - last] = file
                self.rates = [stored["rates"].tolist()[k] for k in order]
                self.order = order
        self.start["lessons_of_rounds"] = [last + number for number in self.earlier]

    def run(self) -> dict[str, Any]:
        (self.out / ROUNDS).mkdir(parents=True, exist_ok=True)
        self._claim()
        self._say("compiling or loading the engine", 0.0)
        self.teacher.prepare()
        done = self._stored()
        for number, file in self.earlier.items():
            if number > done + 1 - self.recipe.window:
                lessons = self._lessons_of(file)
                self.past[number] = [lessons[k] for k in self.order]
        for number in range(done + 1, self.recipe.rounds + 1):
            self._round(number)
        self._finish()
        return self.curve[-1]

    # ---- one round

    def _round(self, number: int) -> None:
        first = (self.before + number) * 1_000_000  # no card order is met twice
        first_kept = number - self.recipe.window
        self.past = {k: self.past[k] for k in sorted(self.past) if k > first_kept and (k or self.start)}
        self._say(f"round {number} of {self.recipe.rounds}: playing", number)
        if number == 0:
            played = self._play(
                lambda knobs, games: self.teacher.first_lessons(knobs, self.seed, 0, games),
                [self.recipe.first_games] * len(self.rule_sets),
                1.0,
            )
        else:
            width = self.recipe.width_of(number)
            played = self._play(
                lambda knobs, games: self.teacher.lessons(
                    knobs, self.networks, width, self.recipe.explore, self.seed, first, games
                ),
                [self.recipe.games_of(won) for won in self.rates],
                self.recipe.trace_of(number),
            )
        self.past[number] = [(x, target) for x, target, _ in played]
        self._say(f"round {number} of {self.recipe.rounds}: learning", number + 0.7)
        loss = self._learn(number)
        self.rates = [float(won.mean()) for _, _, won in played]
        self.curve.append(
            {
                "round": number,
                "games": int(sum(won.size for _, _, won in played)),
                "positions": int(sum(lesson[1].size for lesson in self.past[number])),
                "player": self.teacher.model if number else "simple team",
                "width": self.recipe.width_of(number) if number else 0,
                "won": float(np.mean(self.rates)),
                "cross_entropy": loss,
            }
        )
        self._store(number)

    def _play(
        self, lessons: Callable[[dict[str, Any], int], Lessons], games: list[int], trace: float
    ) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """For each rule set: what is taught, the targets, and which games were won."""

        def one(knobs: dict[str, Any], n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            # Half the size in memory and on disk, and the same numbers whether they were on disk or not.
            played = lessons(knobs, n)
            target, taught = returns(played, trace)
            return played.x[taught].astype(np.float16), target[taught].astype(np.float32), played.won

        with ThreadPoolExecutor(self.workers) as pool:
            return list(pool.map(one, self.rule_sets, games))

    def _learn(self, number: int) -> float:
        recipe = self.recipe
        together = number <= recipe.together
        groups = [self.names] if together else [[name] for name in self.names]

        def one(group: list[str]) -> tuple[list[str], np.ndarray, float]:
            chosen = [
                lesson
                for lessons in self.past.values()
                for name, lesson in zip(self.of, lessons, strict=True)
                if name in group
            ]
            seed = self.seed * 1009 + number * 31 + self.names.index(group[0])
            numbers, loss = fit(
                chosen,
                self.networks.get(group[0]),
                self.teacher.units,
                epochs=recipe.epochs if number else recipe.first_epochs,
                rate=recipe.rate_of(number) if number else recipe.first_rate,
                batch=recipe.batch,
                seed=seed % 2**32,
            )
            return group, numbers, loss

        from threadpoolctl import threadpool_limits

        # Sums in another order are other sums; the limit is the whole process's, so no fit may lift it for another.
        with threadpool_limits(1), ThreadPoolExecutor(self.workers) as pool:
            fitted = list(pool.map(one, groups))
        for group, numbers, _ in fitted:
            for name in group:
                self.networks[name] = numbers
        return float(np.mean([loss for _, _, loss in fitted]))

    def _say(self, what: str, at: float) -> None:
        if self.progress:
            self.progress(what, at / self.steps)

    # ---- the folder

    def _identity(self) -> dict[str, Any]:
        recipe = json.loads(json.dumps(asdict(self.recipe)))
        return {"game": self.game, "model": self.teacher.model, "seed": self.seed, "recipe": recipe} | {
            "start": self.start,
            "trained_for": self.rule_sets,
            "inputs": self.teacher.inputs,
            "units": self.teacher.units,
        }

    def _claim(self) -> None:
        """The folder is this training's, or becomes it."""
        file = self.out / "training.json"
        mine = json.dumps(self._identity(), indent=1, sort_keys=True) + "\n"
        if file.exists() and file.read_text(encoding="utf-8") != mine:
            raise TrainingError(
                f"{self.out}: holds another training (rules, seed or recipe); choose another folder with --out"
            )
        write_file(file, mine.encode())

    def _file(self, number: int) -> Path:
        return self.out / ROUNDS / _name(number)

    def _lessons_of(self, file: Path) -> list[tuple[np.ndarray, np.ndarray]]:
        """What a stored round taught, rule set by rule set; nothing when only its networks are kept."""
        with _opened(file) as stored:
            if "x_0" not in stored.files:
                return []
            lessons = [(stored[f"x_{k}"], stored[f"target_{k}"]) for k in range(len(self.rule_sets))]
        if any(x.shape != (target.size, self.teacher.inputs) for x, target in lessons):
            raise TrainingError(f"{file}: is damaged: lessons of another shape")
        return lessons

    def _store(self, number: int) -> None:
        arrays: dict[str, Any] = {f"network_{name}": numbers for name, numbers in self.networks.items()}
        for k, (x, target) in enumerate(self.past[number]):
            arrays |= {f"x_{k}": x, f"target_{k}": target}
        arrays["rates"] = np.array(self.rates)
        arrays["curve"] = np.array(json.dumps(self.curve[-1]))
        whole = io.BytesIO()
        np.savez(whole, **arrays)
        write_file(self._file(number), whole.getbuffer())
        for old in range(number - self.recipe.window + 1):
            if self._file(old).exists():
                self._thin(old)

    def _thin(self, number: int) -> None:
        """Forget the lessons of a round that no later one needs; its networks and its row of the curve stay."""
        file = self._file(number)
        with _opened(file) as stored:
            if "x_0" not in stored.files:
                return
            kept = {name: stored[name] for name in stored.files if not name.startswith(("x_", "target_"))}
        whole = io.BytesIO()
        np.savez(whole, **kept)
        write_file(file, whole.getbuffer())

    def _stored(self) -> int:
        """Take up what is finished: the number of the last round, −1 when there is none."""
        number = -1 if self.start is None else 0
        while self._file(number + 1).exists() and number < self.recipe.rounds:
            number += 1
            with _opened(self._file(number)) as stored:
                self.curve.append(json.loads(str(stored["curve"])))
                self.rates = stored["rates"].tolist()
                self.networks = {
                    name.removeprefix("network_"): stored[name] for name in stored.files if name.startswith("network_")
                }
            if lessons := self._lessons_of(self._file(number)):
                self.past[number] = lessons
        return number

    def _finish(self) -> None:
        from importlib.metadata import version

        about: Mapping[str, Any] = self._identity() | {
            "name": self.name,
            "config": self.source,
            "version": version("islandlab"),
            "library": f"scikit-learn {version('scikit-learn')}",
            "curve": self.curve,
        }
        write_file(self.out / WEIGHTS, self.teacher.pack(self.networks, about))
        head = list(self.curve[0])
        lines = [",".join(head)] + [",".join(f"{row[key]}" for key in head) for row in self.curve]
        write_file(self.out / CURVE_CSV, ("\n".join(lines) + "\n").encode())
        from analysis.plots.learning import learning_curve

        write_file(self.out / CURVE_SVG, learning_curve(whole_curve(about)))

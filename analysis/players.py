"""Players from users' files, as an experiment meets them: made ready, rehearsed, and their faults told by line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.errors import InputError, InputErrors
from sim import registry, rehearse
from sim.core import compile as compiling
from sim.core.userfile import PlayerFileError

if TYPE_CHECKING:
    from analysis.cells import Cell
    from analysis.experiment import Experiment
    from analysis.results import RecordedCell, RecordedExperiment
    from sim.core.game import Game, PolicyFault, PolicyInfo

REHEARSED = 2
"""Games of each user's player that are rehearsed before it plays for the first time."""


def info(game: Game, policy: Mapping[str, Any]) -> PolicyInfo:
    """What a resolved policy is, wherever it comes from."""
    return game.describe(policy) if "file" in policy else game.policies[policy["name"]]


def prepare(experiment: Experiment, *, rehearsal: bool = True) -> None:
    """Compile the users' players of an experiment and rehearse each once; raises InputErrors with the file's line."""
    game = registry.get(experiment.game)
    errors = []
    seen: set[str] = set()
    for cell in experiment.cells:
        key = json.dumps(dict(cell.policy), sort_keys=True)
        if "file" not in cell.policy or key in seen:
            continue
        seen.add(key)
        try:
            game.prepare(cell.policy)
            if rehearsal:
                _rehearse(experiment, cell)
        except PlayerFileError as error:
            errors.append(InputError(str(error.path), error.line or None, error.column or None, "", None, error.words))
    if errors:
        raise InputErrors(errors)


def _rehearse(experiment: Experiment, cell: Cell) -> None:
    mark = _mark(experiment, cell)
    if mark.exists():
        return
    slip = rehearse.rehearse(experiment.game, cell.knobs, cell.policy, experiment.seed, 0, REHEARSED)
    if slip is not None:
        words = f"{slip.words} (trial {slip.trial} of {cell.label})"
        raise PlayerFileError(Path(cell.policy["file"]), slip.line, 0, words)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()


def _mark(experiment: Experiment, cell: Cell) -> Path:
    """The empty file that says of a rehearsal that it went well; another source or rule set is another rehearsal."""
    sources = compiling.source_hash(Path(cell.policy["file"]).resolve())
    text = f"{sources} {cell.identity} {experiment.seed} {REHEARSED}"
    return compiling.cache_root() / "rehearsed" / hashlib.sha256(text.encode()).hexdigest()[:32]


def place_of(experiment: Experiment | RecordedExperiment, cell: Cell | RecordedCell, fault: PolicyFault) -> str:
    """`FILE:LINE: ` of the answer that was at fault, found by playing its trial again; empty for no user's player."""
    if "file" not in cell.policy:
        return ""
    slip = rehearse.rehearse(experiment.game, cell.knobs, cell.policy, experiment.seed, fault.trial, 1)
    return f"{cell.policy['file']}:{slip.line}: " if slip is not None and slip.line else f"{cell.policy['file']}: "

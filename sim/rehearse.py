"""A rehearsal: the first games of a user's player in plain Python, where every slip has its line.

Run as `python -m sim.rehearse` with the compiler off (NUMBA_DISABLE_JIT=1): a request as JSON on the standard input, an
answer as JSON on the standard output.  `rehearse` does that in a process of its own.  In compiled code an index that is
out of range, or a loop without an end, could not be told from a slow player; here both are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any

STEPS = 200_000
"""Lines of its file that a player may run for one choice in a rehearsal."""

LONGEST = 300.0
"""Seconds that a rehearsal may last."""


@dataclass(frozen=True)
class Slip:
    """What went wrong in a rehearsal: the line of the user's file (0: unknown), in words, and in which trial."""

    line: int
    words: str
    trial: int


class _Endless(Exception):  # noqa: N818 - no error of ours
    """A choice took more than STEPS lines."""


def rehearse(
    game: str, knobs: Mapping[str, Any], policy: Mapping[str, Any], seed: int, first: int, count: int
) -> Slip | None:
    """Play some trials of a resolved policy with a `file` in another process; the first slip, or None."""
    request = {"game": game, "knobs": dict(knobs), "policy": dict(policy), "seed": seed, "first": first, "count": count}
    # The folder of this package, and nothing else, is where the other process finds its modules.
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    command = [sys.executable, "-P", "-m", "sim.rehearse"]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(request),
            env=environment,
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Slip(0, f"{count} games in plain Python took longer than {LONGEST:.0f} s", first)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return Slip(0, f"the rehearsal ended early: {last[:200]}", first)
    found = json.loads(done.stdout.strip().splitlines()[-1])
    return None if found is None else Slip(found["line"], found["words"], found["trial"])


def _rehearsed(request: Mapping[str, Any]) -> dict[str, Any] | None:
    """In the other process: play under watch."""
    from sim import registry
    from sim.core import userfile
    from sim.core.game import PolicyFault

    game = registry.get(request["game"])
    policy = request["policy"]
    loaded = game.player_file(policy)
    model = loaded.policies[policy["name"]]
    file = str(loaded.path.resolve())
    steps = 0
    last_line = 0

    def watch(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal steps, last_line
        if frame.f_code.co_filename != file:
            return None
        last_line = frame.f_lineno
        steps += 1
        if steps > STEPS:
            raise _Endless
        return watch

    def choose(*records: Any) -> Any:
        nonlocal steps
        steps = 0
        sys.settrace(watch)
        try:
            return model.choose(*records)
        finally:
            sys.settrace(None)

    userfile.exchange(loaded, policy["name"], replace(model, choose=choose))
    trial = request["first"]
    for trial in range(request["first"], request["first"] + request["count"]):
        try:
            game.play(request["knobs"], policy, request["seed"], trial, 1)
        except PolicyFault as fault:
            return {"line": last_line, "words": f"illegal choice: {fault.choice}", "trial": trial}
        except _Endless:
            words = f"an endless loop? More than {STEPS:,} steps for one choice"
            return {"line": last_line, "words": words, "trial": trial}
        except Exception as error:
            return {"line": userfile.line_of(error, Path(file)), "words": userfile.told(error), "trial": trial}
    return None


if __name__ == "__main__":
    print(json.dumps(_rehearsed(json.load(sys.stdin))))

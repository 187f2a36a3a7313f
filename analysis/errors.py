"""What a user is told about input that cannot be used: place, path, value, what is allowed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sim.core.words import shown


class IslandlabError(Exception):
    """Anything that is told to a user in words and never as a traceback."""


@dataclass(frozen=True)
class InputError:
    """One thing wrong in an input file.

    file: the name as the user gave it.  line, column: from 1; None when the file as a whole is meant.
    path: where in the document, e.g. `grid.players[2]`; empty for the whole.  value: what was found there.
    allowed: what is wrong and what is allowed instead, in words that stand alone (`6 is not in 2..4`).
    """

    file: str
    line: int | None
    column: int | None
    path: str
    value: Any
    allowed: str

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return ": ".join(part for part in (place, self.path, self.allowed) if part)


class InputErrors(IslandlabError):  # noqa: N818 (it holds errors)
    """All that is wrong with an input file (`errors`, by line); the message has one line for each."""

    def __init__(self, errors: Iterable[InputError]) -> None:
        self.errors = tuple(sorted(errors, key=lambda error: (error.line or 0, error.column or 0)))
        super().__init__("\n".join(str(error) for error in self.errors))


def written(path: Iterable[str | int]) -> str:
    """A path for people: `("grid", "players", 2)` is `grid.players[2]`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            plain = bool(part) and len(part) <= 60 and all(c.isalnum() or c in "_-" for c in part)
            text += ("." if text else "") + (part if plain else shown(part))
    return text

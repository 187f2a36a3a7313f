"""Games held in memory, read as stored ones are: for tests of what counts them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np


class Held:
    """What `analysis.results.Results` offers to counting, over arrays: cell -> column -> one number a game."""

    def __init__(
        self,
        game: Any,
        cells: Mapping[str, Mapping[str, np.ndarray]],
        *,
        chunk: int = 1000,
        knobs: Mapping[str, Mapping[str, Any]] | None = None,
        compare: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.game, self._games, self._chunk = game, cells, chunk
        self.labels = tuple(cells)
        self.experiment = SimpleNamespace(
            name="held",
            compare=tuple(compare),
            cells=tuple(
                SimpleNamespace(label=label, knobs=(knobs or {}).get(label, {}), policy={"name": "plain"})
                for label in cells
            ),
        )

    def cell(self, label: str) -> Any:
        return next(c for c in self.experiment.cells if c.label == label)

    def column(self, name: str) -> Any:
        return next(c for c in self.game.columns if c.name == name)

    def read(self, cell: str, columns: Sequence[str]) -> Iterator[dict[str, np.ndarray]]:
        games = self._games[cell]
        n = len(next(iter(games.values())))
        for first in range(0, n, self._chunk):
            yield {name: games[name][first : first + self._chunk] for name in columns}

"""Forbidden Island as whoever trains the expert's learned value needs it (`sim.core.training`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.core import rng
from sim.core.compile import compile_for
from sim.core.policy import Policy
from sim.core.training import Lessons, Networks
from sim.forbidden_island import engine, selfplay
from sim.forbidden_island.game import Table
from sim.forbidden_island.policies import weights
from sim.forbidden_island.policies.cooperative import cooperative
from sim.forbidden_island.policies.expert import AMONG, MOST_PLANS, expert
from sim.forbidden_island.policies.features import WORK
from sim.forbidden_island.policies.network import INPUTS, UNITS
from sim.forbidden_island.state import ROW

LONGEST = 60
"""Positions of one game that are written down on average, at most."""


class Teacher:
    """Plays the expert's training games."""

    model = "expert"
    inputs = INPUTS
    units = UNITS

    def prepare(self) -> None:
        """Compile the engine and both players."""
        compile_for(selfplay.collect, selfplay.COLLECT)
        cooperative.pointer(engine.CHOOSE)
        expert.pointer(engine.CHOOSE)

    def network_of(self, knobs: Mapping[str, Any]) -> str:
        """One network for each number of players."""
        return weights.network_name(knobs["players"])

    def first_lessons(self, knobs: Mapping[str, Any], seed: int, first: int, games: int) -> Lessons:
        """Games of the cooperative team."""
        minds = cooperative.mind({})
        minds["learned"][0, : weights.numbers({}).size] = weights.numbers({})
        return self._lessons(knobs, cooperative, minds, 0.0, seed, first, games)

    def lessons(
        self,
        knobs: Mapping[str, Any],
        networks: Networks,
        width: int,
        explore: float,
        seed: int,
        first: int,
        games: int,
    ) -> Lessons:
        """Games of the expert itself."""
        minds = self._mind(networks, width)
        return self._lessons(knobs, expert, minds, explore, seed, first, games)

    def unpack(self, data: bytes) -> tuple[Networks, dict[str, Any]]:
        """The networks of a weights file, the shipped ones where it has none, and what it says of itself."""
        networks, about = weights.unpack(data)
        return {**weights.shipped()[0], **networks}, about

    def pack(self, networks: Networks, about: Mapping[str, Any]) -> bytes:
        """A weights file."""
        return weights.pack(networks, about)

    def _mind(self, networks: Networks, width: int) -> np.ndarray:
        minds = expert.mind({"width": width})
        numbers = weights.numbers(networks)
        minds["learned"][0, : numbers.size] = numbers
        return minds

    def _lessons(
        self,
        knobs: Mapping[str, Any],
        player: Policy,
        minds: np.ndarray,
        explore: float,
        seed: int,
        first: int,
        games: int,
    ) -> Lessons:
        table = Table(knobs, minds)
        rows = np.zeros(games, ROW)
        x = np.zeros((games * LONGEST, INPUTS), np.float32)
        info = np.zeros((games * LONGEST, 3))
        self.prepare()
        choose = player.pointer(engine.CHOOSE)
        wild_minds = minds.copy()  # of the expert; with `explore` at 0 nobody looks at them
        wild_minds["numbers"][0, AMONG] = MOST_PLANS
        n = selfplay.collect(
            table.rules,
            seed,
            first,
            choose,
            minds,
            wild_minds,
            explore,
            table.views,
            table.hiddens,
            table.streams,
            rows,
            table.log,
            np.zeros(1, rng.STREAM),
            np.zeros(1, WORK),
            x,
            info,
        )
        if n < 0:
            raise RuntimeError(f"{player.info.name} answered with something illegal: seed {seed}, trial {-1 - n}")
        value = 1.0 / (1.0 + np.exp(-np.clip(info[:n, 1], -50.0, 50.0)))
        return Lessons(x[:n].copy(), value, info[:n, 0].astype(np.int64), info[:n, 2] > 0, rows["result"] == 0)

"""Forbidden Island as an AEC environment of PettingZoo: one agent a seat, who answers when its seat is asked.

observation: {"observation": the view as a vector (`observations.FIELDS`), "action_mask": which actions are legal}.
action: a number of `actions.CHOICES`.  reward: to every agent alike, at the end, +1 for a win and −1 for a loss; a game
that reaches the turn limit is truncated, with 0.  In a window the seat whose turn it is answers for the table.

The engine itself is played: a step adds an answer and plays the trial's answers from the setup to the next question, so
the rules, the shuffles and the row of a game are those of `islandlab`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from sim.core.compile import compile_for
from sim.core.policy import NUMBERS, Mind, policy
from sim.core.rng import Stream
from sim.forbidden_island import engine
from sim.forbidden_island.constants import KINDS, LOST, STOPPED, TILES, WON
from sim.forbidden_island.game import GAME, Table
from sim.forbidden_island.replay import island
from sim.forbidden_island.rl.actions import CHOICES, mask_of
from sim.forbidden_island.rl.observations import HIGHEST, LOWEST, SIZE, observed
from sim.forbidden_island.state import ROW, Rules, View

ASKING = -1
"""What the scripted player answers when its script is at its end: illegal, so that the engine stops at the question."""


@policy("scripted", memory=1)
def scripted(rules: Rules, view: View, mind: Mind, stream: Stream) -> int:
    """Gives the answers that stand in its numbers: how many, then each."""
    asked = int(mind.memory[0])
    mind.memory[0] = asked + 1.0
    return int(mind.numbers[1 + asked]) if asked < mind.numbers[0] else ASKING


def env(**settings: Any) -> Any:
    """The environment with PettingZoo's usual wrappers: an illegal action ends the game with −1 for who took it."""
    wrapped: Any = wrappers.TerminateIllegalWrapper(raw_env(**settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):  # noqa: N801 - PettingZoo's name for it
    """The bare environment.  rules: knobs as in an experiment; render_mode: None, "ansi" (a string) or "human"."""

    metadata = {"name": "forbidden_island_v0", "render_modes": ["human", "ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, render_mode: str | None = None, **rules: Any) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.knobs: Mapping[str, Any] = GAME.resolve(rules)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.knobs["players"])]
        self.agents: list[str] = []
        self.seed, self.trial = 0, -1
        self.answers: list[int] = []
        self.result = -1
        self.row = np.zeros(1, ROW)
        self.table = Table(self.knobs, scripted.mind({}))
        self._choose = scripted.pointer(engine.CHOOSE)
        compile_for(engine.play_batch, engine.BATCH)
        self._space = spaces.Dict(
            {
                "observation": spaces.Box(LOWEST, HIGHEST, (SIZE,), np.int16),
                "action_mask": spaces.Box(0, 1, (CHOICES.size,), np.int8),
            }
        )
        self._observation_spaces = dict.fromkeys(self.possible_agents, self._space)
        self._action_spaces = {agent: spaces.Discrete(CHOICES.size) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        """The same for every agent."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """The same for every agent."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game: with a seed its trial 0, without one the next trial; `options={"trial": n}` names it."""
        if seed is not None:
            self.seed, self.trial = seed, -1
        self.trial = (options or {}).get("trial", self.trial + 1)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.answers = []
        self._play()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What all see; only who is asked has legal actions."""
        asked = self.result < 0 and agent == self.agent_selection
        mask = mask_of(self.table.rules, self.table.views) if asked else np.zeros(CHOICES.size, np.int8)
        return {"observation": observed(self.table.views), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """The answer of `agent_selection`; raises ValueError for an illegal one."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None or not mask_of(self.table.rules, self.table.views)[action]:
            raise ValueError(f"{self.agent_selection}: action {action} is not legal; see action_mask")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.answers.append(int(CHOICES[action]))
        self._play()
        if self.result >= 0:
            value = {WON: 1.0, LOST: -1.0}.get(self.result, 0.0)
            self.rewards = dict.fromkeys(self.agents, value)
            ended = self.truncations if self.result == STOPPED else self.terminations
            ended.update(dict.fromkeys(self.agents, True))
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The island and what is asked, as text."""
        view = self.table.views[0]
        name_at = [TILES[int(tile)] for tile in view["tile_at"]]
        sunk = [name for cell, name in enumerate(name_at) if not int(view["land"]) >> cell & 1]
        flooded = [name for cell, name in enumerate(name_at) if int(view["flooded"]) >> cell & 1]
        pawns = {seat: name_at[int(cell)] for seat, cell in enumerate(view["pawn"]) if cell >= 0}
        lines = list(island(self.knobs["map"], name_at, flooded, sunk, pawns, hexagonal=self.knobs["grid"] == "hex"))
        last = f", after {KINDS[self.answers[-1] & 15]}" if self.answers else ""
        lines.append(f"turn {int(view['turn'])}, {self.agent_selection} is asked{last}")
        text = "\n".join(lines) + "\n"
        if self.render_mode == "human":
            sys.stdout.write(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is open."""

    def _play(self) -> None:
        """Play the answers given so far from the setup to the next question, or to the end."""
        if len(self.answers) >= NUMBERS - 1:
            raise RuntimeError(f"a game of more than {NUMBERS - 2} answers cannot be played here")
        numbers = self.table.minds["numbers"][0]
        numbers[0] = len(self.answers)
        numbers[1 : 1 + len(self.answers)] = self.answers
        self.row = np.zeros(1, ROW)
        going_on = self.table.play(self._choose, self.seed, self.trial, self.row) >= 0
        self.result = -1 if going_on else int(self.row["result"][0])
        if going_on:
            self.agent_selection = self.possible_agents[int(self.table.views["decider"][0])]

"""The player models that ship with the game."""

from __future__ import annotations

from sim.core.policy import Policy
from sim.forbidden_island.policies.casual import casual
from sim.forbidden_island.policies.cooperative import cooperative
from sim.forbidden_island.policies.expert import expert
from sim.forbidden_island.policies.idle import idle
from sim.forbidden_island.policies.master import master
from sim.forbidden_island.policies.novice import novice
from sim.forbidden_island.policies.uniform import uniform

POLICIES: dict[str, Policy] = {
    each.info.name: each for each in (idle, uniform, novice, casual, cooperative, expert, master)
}

"""The cooperative team with one habit changed: it throws no Sandbags between the flood cards.

All else is the team's own: its parts decide, and only the answer that would throw Sandbags there is replaced.
"""

from sim.forbidden_island.constants import BAG
from sim.forbidden_island.player import WINDOW, choices, jit, policy
from sim.forbidden_island.policies.cooperative import cooperative, decide, explain


@jit
def without_sandbags(view, choice):
    if view.decision == WINDOW and choices.kind(choice) == BAG:
        return choices.stop()
    return choice


@policy("no-sandbags", **cooperative.parts)
def no_sandbags(rules, view, mind, stream):
    choice = without_sandbags(view, decide(rules, view, mind))
    if mind.traced:
        explain(rules, view, mind, choice)
    return choice

"""Never acts and never plays a special card; discards and swims at random.

The floor of the ladder: what the island does to a team that does not resist. Of the cards in a hand that is too large
each kind is equally likely to go; of the tiles a pawn may swim to each is equally likely. Where a card must flood a
tile each remaining tile is equally likely.
"""

from __future__ import annotations

from sim.core import rng
from sim.core.compile import jit
from sim.core.policy import Mind, policy
from sim.core.rng import Stream
from sim.forbidden_island import choices, legal
from sim.forbidden_island.constants import CHOOSE_FLOOD, DISCARD_DOWN, SANDBAGS, SWIM_NOW
from sim.forbidden_island.state import Rules, View


@jit
def _cards_to_discard(view: View) -> int:
    kinds = 0
    for card in range(SANDBAGS + 1):
        if view.hand[view.decider, card]:
            kinds += 1
    return kinds


@policy("idle", games_per_second=200_000)
def idle(rules: Rules, view: View, mind: Mind, stream: Stream) -> int:
    decision = view.decision
    if decision == DISCARD_DOWN:
        return legal.option(rules, view, rng.below(stream, _cards_to_discard(view)))
    if decision == SWIM_NOW:
        ways = legal.swim_ways(rules, view)
        return legal.option(rules, view, rng.below(stream, ways))
    if decision == CHOOSE_FLOOD:
        return legal.option(rules, view, rng.below(stream, legal.option(rules, view, legal.HOW_MANY)))
    return choices.stop()

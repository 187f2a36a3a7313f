"""Chooses uniformly among all that is legal at each choice, stopping included.

Every time the rules let the team do something, the legal choices are listed and each is equally likely. Stopping (or
playing no special card) is one of them. How the choices are told apart, so that another program can do the same:

- Acting: stop; each tile to move to; each tile to fly to; each pawn and end tile for the Navigator; each tile to shore
  up; each pair of tiles for the Engineer; each receiver and kind of card to give; the capture; each special card play.
- Between any two drawn cards, before the first treasure card and before the first flood card, while anybody holds a
  special card, and again after each one played: play none, or one of the special card plays.
- A special card play is: a holder of Sandbags and a flooded tile; a holder of a Helicopter Lift, an occupied tile, a
  non-empty set of the pawns on it and another tile. Two equal cards in one hand are one choice. Once the team can
  leave, a Lift has the one use of leaving.
- A hand that is too large: each kind of card in it to discard, or one of its owner's special card plays.
- Swimming: each tile the pawn may reach.
"""

from __future__ import annotations

from sim.core import rng
from sim.core.policy import Mind, policy
from sim.core.rng import Stream
from sim.forbidden_island import legal
from sim.forbidden_island.state import Rules, View


@policy("random", games_per_second=150_000)
def uniform(rules: Rules, view: View, mind: Mind, stream: Stream) -> int:
    return legal.option(rules, view, rng.below(stream, legal.option(rules, view, legal.HOW_MANY)))

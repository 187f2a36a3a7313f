"""Keeps the island dry and nothing else: a first player to change.

It shores up the nearest flooded tile, Fools' Landing before all others, and never collects a card on purpose.
"""

from sim.forbidden_island.player import ACT, DISCARD_DOWN, Parameter, because, bits, choices, legal, policy, rng, rule

RESTLESS = Parameter("restless", 0.5, 0.0, 1.0, "chance to take a random step when nothing near is flooded")
REASONS = ("{tile} is flooded and in reach", "nothing in reach is flooded: a step at random")


@policy("caretaker", parameters=(RESTLESS,), reasons=REASONS)
def caretaker(rules, view, mind, stream):
    seat = view.active
    if view.decision == ACT:
        wet = rule.shore_targets(rules, view, seat)  # a set of cells: own tile and neighbours that are flooded
        if wet >> view.landing & 1:
            because(mind, 1, view.landing)
            return choices.shore_up(view.landing)
        if wet:
            because(mind, 1, bits.first(wet))
            return choices.shore_up(bits.first(wet))
        steps = rule.move_targets(rules, view, seat)
        if steps and rng.unit(stream) < mind.numbers[0]:
            because(mind, 2, 0)
            return choices.move(bits.nth(steps, rng.below(stream, bits.count(steps))))
        return choices.stop()
    if view.decision == DISCARD_DOWN:
        return legal.option(rules, view, 0)  # the first card in the hand
    if legal.allows(rules, view, choices.stop()):
        return choices.stop()
    return legal.option(rules, view, 0)  # swim or flood: the first place that is allowed

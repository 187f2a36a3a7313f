"""Tracing records each model's own reason for each choice, in words; nothing else about a game changes."""

from __future__ import annotations

import pytest

from sim import registry
from sim.forbidden_island.policies import POLICIES

GAME = registry.get("forbidden_island")
REASONED = [name for name, each in POLICIES.items() if each.reasons]
CHOSEN = {
    "move",
    "fly",
    "navigate",
    "shore_up",
    "give",
    "capture",
    "discard",
    "helicopter",
    "sandbags",
    "chosen_flood",
    "swim",
    "escape",
}
RULES = ({"players": 2}, {"players": 4, "difficulty": "elite"}, {"preset": "hex-tutorial", "players": 3})


def traces(policy, count=15):
    for rules in RULES:
        knobs, spec = GAME.resolve(rules), GAME.resolve_policy(policy)
        for trial in range(count):
            yield GAME.trace(knobs, spec, 3, trial)


def test_all_that_think_say_why():
    """Only the models without a thought give no reasons."""
    assert set(POLICIES) - set(REASONED) == {"idle", "random"}


@pytest.mark.parametrize("name", REASONED)
def test_every_choice_has_a_reason_in_words(name):
    """Whatever a player chose says why, with every brace filled; nothing that chance did has a reason."""
    said = set()
    for events in traces(name):
        for event in events:
            assert ("reason" in event) == (event["event"] in CHOSEN), event
            for key in ("reason", "stopped"):
                words = event.get(key)
                if words is not None:
                    assert words
                    assert not set("{}") & set(words)
                    said.add(words)
    assert len(said) > 12


@pytest.mark.parametrize("name", REASONED)
def test_the_replay_tells_them(name):
    """Each reason of a game stands in its text, beside what was done for it."""
    for events in traces(name, 2):
        text = " ".join(" ".join(GAME.tell(events)).split())
        for event in events:
            for key in ("reason", "stopped"):
                if key in event:
                    assert f"[{event[key]}]" in text


def test_a_mistake_is_told_as_one():
    """A choice drawn in the place of the player's has no reason but that."""
    events = GAME.trace(GAME.resolve({}), GAME.resolve_policy({"name": "cooperative", "mistakes": 1}), 3, 0)
    assert {event.get("reason") for event in events if event["event"] in CHOSEN} == {"a mistake"}


def test_who_has_no_reasons_gives_none():
    """Control: the events of `random` are as they were, without the key."""
    assert not any("reason" in event or "stopped" in event for events in traces("random", 3) for event in events)

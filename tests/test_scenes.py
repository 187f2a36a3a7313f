"""Scenes for the viewer: after every event the table is the one that the independent referee has."""

from __future__ import annotations

from collections import Counter

import pytest

from sim import registry
from tests.reference.referee import Referee

GAME = registry.get("forbidden_island")


def _hand(words: tuple[str, ...]) -> Counter[str]:
    cards: Counter[str] = Counter()
    for word in words:
        card, _, count = word.partition(" x")
        cards["helicopter" if card == "lift" else card] = int(count or 1)
    return cards


@pytest.mark.parametrize(
    ("rules", "policy"),
    [
        ({"players": 4, "difficulty": "novice"}, "cooperative"),
        ({"players": 4, "preset": "hex-tutorial"}, "random"),
        ({"players": 3, "swim": "eliminate", "difficulty": "legendary"}, "random"),
    ],
    ids=["square", "hex", "eliminated"],
)
def test_scenes_agree_with_the_referee(rules, policy):
    """Every tile's state, every pawn, every hand, the tick and what is captured, at each of some thousand events."""
    knobs, player = GAME.resolve(rules), GAME.resolve_policy(policy)
    for trial in range(6):
        events = GAME.trace(knobs, player, 5, trial)
        show = GAME.show(events)
        scenes = iter(show.scenes)
        referee = Referee()
        for event in events:
            if event.get("stopped"):
                assert "does no more" in next(scenes).text
            referee.apply(event)
            state, scene = referee.state, next(scenes)
            assert state is not None
            where = f"trial {trial}: {scene.text}"
            tiles = dict(zip(show.layout.names, scene.states, strict=True))
            assert {tile: show.states[code].name for tile, code in tiles.items()} == state.tiles, where
            assert [_hand(hand) for hand in scene.hands] == [+hand for hand in state.hands], where
            assert dict(scene.facts)["Water"].startswith(f"tick {state.tick}"), where
            assert Counter(dict(scene.facts)["Captured"].split(", ")) - Counter(["nothing yet"]) == Counter(
                state.captured
            ), where
            off = any("leave" in s.text for s in (scene,)) or scene.text.startswith("Won")
            if not off:
                assert [None if p < 0 else show.layout.names[p] for p in scene.at] == state.pawns, where
            assert scene.begins == (event["event"] == "turn")
        assert next(scenes, None) is None


def test_other_events_are_refused():
    """A show is one game that begins with its setup."""
    knobs, player = GAME.resolve({}), GAME.resolve_policy("idle")
    one = GAME.trace(knobs, player, 1, 0)
    for events in ([], one[1:], one + one):
        with pytest.raises(ValueError, match=r"setup|several"):
            GAME.show(events)

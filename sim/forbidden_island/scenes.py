"""A game as scenes for a viewer, from its events alone (docs/trace-format.md)."""

from __future__ import annotations

from collections.abc import Iterable

from sim.core.game import Layout
from sim.core.scene import Piece, Scene, Show, State
from sim.forbidden_island import board
from sim.forbidden_island.replay import LANDING, TREASURE_TILES, Event, Story

STATES = (State("dry", "land"), State("flooded", "wet"), State("sunk", "gone"))


def show(events: Iterable[Event]) -> Show:
    """The scenes of one game; `events` begins with its `setup` and holds no second one (ValueError)."""
    kept = list(events)
    if not kept or [event["event"] for event in kept].index("setup") != 0:
        raise ValueError("a trace begins with its setup event")
    if sum(event["event"] == "setup" for event in kept) > 1:
        raise ValueError("a show is one game; these events hold several")
    story = Story(kept[0])
    opening = list(story.opening())
    scenes = [_scene(story, " ".join(opening[1:]), 0, begins=False)]
    turn = 0
    for event in kept[1:]:
        if event.get("stopped"):
            scenes.append(_scene(story, f"{story.names[story.active]} does no more [{event['stopped']}].", turn))
        begins = event["event"] == "turn"
        turn = event["number"] if begins else turn
        text = story.told(event)
        scenes.append(_scene(story, text, turn, begins=begins))
    grid = story.rules.get("grid", "square")
    return Show(
        title=opening[0].strip("= "),
        layout=Layout(board.cells_of(story.rows, grid), grid, tuple(story.tiles)),
        notes=tuple("landing" if tile == LANDING else TREASURE_TILES.get(tile, "") for tile in story.tiles),
        states=STATES,
        pieces=tuple(Piece(str(seat), name, seat) for seat, name in enumerate(story.names)),
        seats=tuple(story.names),
        scenes=tuple(scenes),
    )


def _scene(story: Story, text: str, turn: int, *, begins: bool = False) -> Scene:
    states = tuple(2 if tile in story.sunk else int(tile in story.flooded) for tile in story.tiles)
    places = {tile: place for place, tile in enumerate(story.tiles)}
    at = tuple(-1 if seat in story.out else places[story.pawns[seat]] for seat in range(len(story.names)))
    if story.left:
        at = (-1,) * len(at)
    facts = [("Water", story.water()), ("Captured", ", ".join(story.captured) or "nothing yet")]
    return Scene(
        text=text,
        turn=turn,
        begins=begins,
        seat=story.active if turn else None,
        states=states,
        at=at,
        hands=tuple(tuple(story.hand(seat)) for seat in range(len(story.names))),
        facts=tuple(facts),
    )

"""One or more games told in plain words, from their events alone (docs/trace-format.md).

Nothing is asked of the engine: a trace that was kept, or written by another program, reads the same.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Event = Mapping[str, Any]

LANDING = "Fools' Landing"
TREASURES = {
    "earth": "the Earth Stone",
    "wind": "the Statue of the Wind",
    "fire": "the Crystal of Fire",
    "ocean": "the Ocean's Chalice",
}
TREASURE_TILES = {
    "Temple of the Moon": "earth",
    "Temple of the Sun": "earth",
    "Howling Garden": "wind",
    "Whispering Garden": "wind",
    "Cave of Embers": "fire",
    "Cave of Shadows": "fire",
    "Coral Palace": "ocean",
    "Tidal Palace": "ocean",
}
START_TILES = {
    "pilot": LANDING,
    "engineer": "Bronze Gate",
    "explorer": "Copper Gate",
    "navigator": "Gold Gate",
    "diver": "Iron Gate",
    "messenger": "Silver Gate",
}
# The word of each name that tells it from all the others, within the six letters of the narrowest map.
SHORT = {
    LANDING: "Fools'",
    "Temple of the Moon": "Moon",
    "Temple of the Sun": "Sun",
    "Cave of Embers": "Embers",
    "Cave of Shadows": "Shadows",
    "Lost Lagoon": "Lagoon",
    "Misty Marsh": "Marsh",
}
CARDS = {
    "helicopter": "a Helicopter Lift",
    "sandbags": "Sandbags",
    "waters_rise": "Waters Rise!",
    "flood_card": "a flood card",
}
CAUSES = {
    "landing_sunk": "Fools' Landing sank",
    "treasure_sunk": "a treasure was lost",
    "drowned": "somebody had nowhere to swim",
    "skull": "the water reached the skull",
    "turn_limit": "the turn limit was reached",
}
CARD_ORDER = (*TREASURES, "helicopter", "sandbags")
PAGE = 79


def tell(events: Iterable[Event]) -> Iterator[str]:
    """The lines of a replay; `events` may hold several games, each beginning with its `setup`."""
    story: Story | None = None
    for event in events:
        if event["event"] == "setup":
            if story is not None:
                yield ""
            story = Story(event)
            yield from story.opening()
            continue
        if story is None:
            raise ValueError("a trace begins with its setup event")
        yield from story.take(event)


def island(
    rows: Iterable[str],
    tiles: Iterable[str],
    flooded: Iterable[str],
    sunk: Iterable[str],
    pawns: Mapping[int, str],
    *,
    hexagonal: bool = False,
) -> Iterator[str]:
    """The island as a map in plain characters: a frame around each tile, `~` if it is flooded, nothing if it sank.

    pawns: seat -> name of the tile it stands on.  Rows of hexagons are centred, half a tile apart.
    """
    rows = [row.strip(".") if hexagonal else row for row in rows]
    columns = max(len(row) for row in rows)
    step = max(7, min(12, (PAGE - 1) // columns))
    canvas: dict[tuple[int, int], str] = {}

    def write(line: int, column: int, text: str) -> None:
        for offset, letter in enumerate(text):
            if letter != " " and canvas.get((line, column + offset)) != "+":
                canvas[line, column + offset] = letter

    names = iter(tiles)
    flooded, sunk = set(flooded), set(sunk)
    for row, cells in enumerate(rows):
        shift = (columns - len(cells)) * step // 2
        for column, cell in enumerate(cells):
            if cell != "#":
                continue
            name = next(names)
            if name in sunk:
                continue
            left, top = shift + column * step, 3 * row
            edge = "+" + "-" * (step - 1) + "+"
            write(top, left, edge)
            for line, text in enumerate(_face(name, step - 1, name in flooded, pawns), start=1):
                write(top + line, left, "|" + text + "|")
            write(top + 3, left, edge)
    for line in range(3 * len(rows) + 1):
        last = max((column for at, column in canvas if at == line), default=-1)
        yield "".join(canvas.get((line, column), " ") for column in range(last + 1))


def _face(name: str, width: int, is_flooded: bool, pawns: Mapping[int, str]) -> tuple[str, str]:
    """The two lines inside a tile's frame: its name; who stands there and which treasure it holds."""
    here = "".join(str(seat) for seat, tile in sorted(pawns.items()) if tile == name)
    treasure = TREASURE_TILES.get(name, "")
    if width < 11:
        treasure = treasure[:1].upper()
    second = here + treasure.rjust(width - len(here))
    fill = "~" if is_flooded else " "
    return _short(name)[:width].center(width).replace(" ", fill), second[:width].replace(" ", fill)


def _short(name: str) -> str:
    return SHORT.get(name, name.split()[0] if name else "?")


def _listed(words: Iterable[str]) -> str:
    words = list(words)
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)


def _card(card: str) -> str:
    if card in TREASURES:
        return f"{'an' if card[0] in 'aeio' else 'a'} {card} card"
    return CARDS.get(card, card)


def _unknown(event: Event) -> str:
    """An event of another version, as it is written."""
    known = ", ".join(f"{key} {value}" for key, value in event.items() if key != "event")
    return f"{event['event']}: {known}"


class Story:
    """Where everything stands while one game is told.

    `take` gives the lines of a replay; `told` the sentences of one event alone.  Either moves the story on.
    """

    def __init__(self, setup: Event) -> None:
        self.rules: Mapping[str, Any] = setup["rules"]
        self.setup = setup
        self.rows: list[str] = list(setup["map"])
        self.tiles: list[str] = list(setup["tiles"])
        self.flooded = set(setup["flooded"])
        self.sunk: set[str] = set()
        self.roles: list[str] = list(setup["roles"])
        self.hands = [Counter(hand) for hand in setup["hands"]]
        self.captured: list[str] = []
        self.out: set[int] = set()
        self.left = False
        self.active: int = setup["first"]
        self.tick: int | None = self.rules.get("start_tick")
        on_landing = self.rules.get("start_tiles") == "landing"
        self.pawns = {
            seat: LANDING if on_landing else START_TILES.get(role, LANDING) for seat, role in enumerate(self.roles)
        }
        distinct = len(set(self.roles)) == len(self.roles) and all(self.roles)
        self.names = [
            str(role).replace("_", " ").capitalize() if distinct else f"Player {seat}"
            for seat, role in enumerate(self.roles)
        ]

    # What is shown

    def opening(self) -> Iterator[str]:
        policy = self.setup["policy"]
        name = policy.get("name", "") if isinstance(policy, Mapping) else policy
        title = f"Forbidden Island, seed {self.setup['seed']}, trial {self.setup['trial']}"
        yield f"== {title}, policy {name} =="
        yield from textwrap.wrap(f"Flooded at the start: {_listed(self.setup['flooded']) or 'nothing'}.", PAGE)
        yield f"{self.names[self.setup['first']]} begins."

    def take(self, event: Event) -> Iterator[str]:
        kind = event["event"]
        if event.get("stopped"):
            yield from self._lines(f"{self.names[self.active]} does no more.", event["stopped"])
        if kind == "turn":
            yield from self._turn(event)
            return
        if kind == "end":
            yield from self._end(event)
            return
        teller: Callable[[Event], str] | None = getattr(self, f"_on_{kind}", None)
        if teller is None:
            yield f"  {_unknown(event)}"
            return
        yield from self._lines(teller(event), event.get("reason"))

    def told(self, event: Event) -> str:
        """What happened, in one or more sentences; the story goes on by it."""
        kind = event["event"]
        if kind == "turn":
            self._begin(event)
            return f"Turn {event['number']}: {self.names[event['player']]}. The water is at {self.water()}."
        if kind == "end":
            return " ".join(self.ending(event))
        teller: Callable[[Event], str] | None = getattr(self, f"_on_{kind}", None)
        reason = event.get("reason")
        return (teller(event) + (f" [{reason}]" if reason else "")) if teller is not None else _unknown(event)

    def _lines(self, sentence: str, reason: str | None) -> Iterator[str]:
        """What happened, and why it was chosen; a long line is broken."""
        text = sentence + (f" [{reason}]" if reason else "")
        yield from textwrap.wrap(text, PAGE, initial_indent="  ", subsequent_indent="    ", break_long_words=False)

    def board(self) -> Iterator[str]:
        yield from island(
            self.rows,
            self.tiles,
            self.flooded,
            self.sunk,
            {seat: tile for seat, tile in self.pawns.items() if seat not in self.out},
            hexagonal=self.rules.get("grid") == "hex",
        )

    def _begin(self, event: Event) -> None:
        self.tick = event["tick"]
        self.active = event["player"]

    def _turn(self, event: Event) -> Iterator[str]:
        self._begin(event)
        yield ""
        yield f"-- Turn {event['number']}: {self.names[event['player']]} -- water at {self.water()} --"
        yield from self.board()
        width = max(len(name) for name in self.names)
        place = max(len(tile) for tile in self.pawns.values())
        for seat, name in enumerate(self.names):
            mark = "*" if seat == event["player"] else " "
            where = "out of the game" if seat in self.out else self.pawns[seat]
            hand = ", ".join(self.hand(seat)) or "no cards"
            yield f"{mark} {seat} {name:<{width}}  {where:<{place}}  {hand}".rstrip()
        if self.captured:
            yield f"  captured: {', '.join(self.captured)}"

    def _end(self, event: Event) -> Iterator[str]:
        yield ""
        yield from self.board()
        first, *more = self.ending(event)
        yield f"== {first} =="
        yield from (f"   {line}" for line in more)

    def ending(self, event: Event) -> Iterator[str]:
        """How the game ended and what belongs to it, a sentence each."""
        turns = f"{event['turns']} turn{'' if event['turns'] == 1 else 's'}"
        if event["result"] == "won":
            yield f"Won after {turns}: all treasures and everybody are off the island."
            return
        reason = CAUSES.get(event["cause"], str(event["cause"]))
        lost = _listed(TREASURES.get(each, each) for each in event.get("treasures") or ())
        drowned = _listed(self.names[seat] for seat in event.get("drowned") or ())
        more = [CAUSES.get(each, each) for each in event.get("causes") or () if each != event["cause"]]
        yield f"{'Lost' if event['result'] == 'lost' else 'Stopped'} after {turns}: {reason}."
        if more:
            yield f"Also: {_listed(more)}."
        if lost:
            yield f"Out of reach for good: {lost}."
        if drowned:
            yield f"Drowned: {drowned}."

    def water(self) -> str:
        meter = self.rules.get("meter") or ()
        if self.tick is None:
            return "an unknown tick"
        if meter and self.tick > len(meter):
            return f"tick {self.tick}, the skull"
        if not meter:
            return f"tick {self.tick}"
        cards = meter[self.tick - 1]
        return f"tick {self.tick} ({cards} flood card{'' if cards == 1 else 's'} a turn)"

    def hand(self, seat: int) -> list[str]:
        """What a seat holds, a kind of card each: "earth x2"."""
        hand = self.hands[seat]
        cards = [card for card in (*CARD_ORDER, *sorted(set(hand) - set(CARD_ORDER))) if hand[card] > 0]
        words = {"helicopter": "lift"}
        return [words.get(card, card) + (f" x{hand[card]}" if hand[card] > 1 else "") for card in cards]

    # What happened: each changes the picture and returns one sentence

    def _on_move(self, event: Event) -> str:
        self.pawns[event["player"]] = event["to"]
        return f"{self._who(event)} moves to {event['to']}."

    def _on_fly(self, event: Event) -> str:
        self.pawns[event["player"]] = event["to"]
        return f"{self._who(event)} flies to {event['to']}."

    def _on_navigate(self, event: Event) -> str:
        self.pawns[event["pawn"]] = event["to"]
        return f"{self._who(event)} moves {self.names[event['pawn']]} to {event['to']}."

    def _on_shore_up(self, event: Event) -> str:
        self.flooded -= set(event["tiles"])
        return f"{self._who(event)} shores up {_listed(event['tiles'])}."

    def _on_give(self, event: Event) -> str:
        self._lose(event["player"], event["card"])
        self.hands[event["to"]][event["card"]] += 1
        return f"{self._who(event)} gives {self.names[event['to']]} {_card(event['card'])}."

    def _on_capture(self, event: Event) -> str:
        treasure = event["treasure"]
        cost = self.rules.get("capture_cost", 4)
        self._lose(event["player"], treasure, cost)
        self.captured.append(treasure)
        return f"{self._who(event)} captures {TREASURES.get(treasure, treasure)} for {cost} {treasure} cards."

    def _on_draw(self, event: Event) -> str:
        card = event["card"]
        if card in CARD_ORDER:
            self.hands[event["player"]][card] += 1
        return f"{self._who(event)} draws {_card(card)}{'' if card == 'waters_rise' else '.'}"

    def _on_rise(self, event: Event) -> str:
        self.tick = event["tick"]
        return f"The water rises to {self.water()}."

    def _on_discard(self, event: Event) -> str:
        self._lose(event["player"], event["card"])
        return f"{self._who(event)} discards {_card(event['card'])}."

    def _on_helicopter(self, event: Event) -> str:
        self._lose(event["player"], "helicopter")
        for seat in event["pawns"]:
            self.pawns[seat] = event["to"]
        flown = _listed(self.names[seat] for seat in event["pawns"])
        return f"{self._who(event)} plays a Helicopter Lift: {flown} to {event['to']}."

    def _on_sandbags(self, event: Event) -> str:
        self._lose(event["player"], "sandbags")
        self.flooded.discard(event["tile"])
        return f"{self._who(event)} plays Sandbags: {event['tile']} is dry."

    def _on_reshuffle(self, event: Event) -> str:
        return f"The {event['deck']} discard is shuffled into a new deck."

    def _on_flood(self, event: Event) -> str:
        return f"Flood card: {self._water_over(event)}"

    def _on_chosen_flood(self, event: Event) -> str:
        return f"{self._who(event)} chooses a tile to flood: {self._water_over(event)}"

    def _on_swim(self, event: Event) -> str:
        self.pawns[event["player"]] = event["to"]
        return f"{self._who(event)} swims to {event['to']}."

    def _on_eliminated(self, event: Event) -> str:
        self.out.add(event["player"])
        self.hands[event["player"]].clear()
        return f"{self._who(event)} is out of the game; the cards go to the discard."

    def _on_escape(self, event: Event) -> str:
        self.left = True
        if self.rules.get("escape") == "action":
            return f"{self._who(event)} leads everybody off the island."
        self._lose(event["player"], "helicopter")
        return f"{self._who(event)} plays a Helicopter Lift: everybody leaves the island."

    def _who(self, event: Event) -> str:
        return self.names[event["player"]]

    def _lose(self, seat: int, card: str, count: int = 1) -> None:
        self.hands[seat][card] -= count

    def _water_over(self, event: Event) -> str:
        tile, state = event["tile"], event["state"]
        if state == "flooded":
            self.flooded.add(tile)
            return f"{tile} is flooded."
        self.flooded.discard(tile)
        if state == "saved":
            return f"{tile} is saved by Sandbags and is dry."
        self.sunk.add(tile)
        standing = [self.names[seat] for seat, at in self.pawns.items() if at == tile and seat not in self.out]
        return f"{tile} SINKS{' under ' + _listed(standing) if standing else ''}."

"""A builder of small hand-written traces.

Cells are named by letters in reading order; on the standard map:

        A B
      C D E F
    G H I J K L
    M N O P Q R
      S T U V
        W X

`Scene(pawns={"engineer": "I", "pilot": "O"})` puts each role's start tile on a cell, in seat order. Sunk cells are sunk
in a first turn of the last seat; then it is the turn of seat 0, and every method adds one event. `rule()` is the number
of the first breach, None when everything so far is legal.
"""

from __future__ import annotations

from .board import PLAIN, START_TILES, TILES, cells_of
from .generator import rules
from .referee import check


class Scene:
    """One trace in the making."""

    def __init__(
        self,
        pawns: dict[str, str],
        hands: list[list[str]] | None = None,
        flooded: str = "",
        sunk: str = "",
        place: dict[str, str] | None = None,
        begin: bool = True,
        **knobs: object,
    ) -> None:
        roles = list(pawns)
        hands = hands or [[] for _ in roles]
        wet = [*sunk, *flooded]
        knobs = {"initial_hand": len(hands[0]), "initial_flooded": len(wet), "players": len(roles)} | knobs
        if sunk:
            knobs |= {"meter": [len(sunk)] * 12, "cards_per_turn": 1, "waters_rise": 3}
        self.rules = rules(**knobs)
        cells = "ABCDEFGHIJKLMNOPQRSTUVWX"[: len(cells_of(self.rules["map"]))]
        placed = {letter: START_TILES[role] for role, letter in pawns.items()} | (place or {})
        plain = [tile for tile in PLAIN if tile not in placed.values()]
        placed |= {letter: plain.pop() for letter in sunk if letter not in placed}
        rest = [tile for tile in TILES if tile not in placed.values()]
        self.names = {letter: placed[letter] if letter in placed else rest.pop() for letter in cells}
        last = len(roles) - 1
        setup = {"event": "setup", "game": "forbidden_island", "seed": 0, "trial": 0, "policy": "none"}
        setup |= {"rules": self.rules, "map": self.rules["map"], "tiles": list(self.names.values())}
        setup |= {"flooded": [self.names[cell] for cell in wet], "roles": roles, "hands": hands}
        self.events = [setup | {"first": last if sunk else 0}]
        self.tick, self.number = self.rules["start_tick"], 0
        if sunk:
            self.turn(last).rise(last)
            for cell in sunk:
                self.flood(cell, "sunk")
        if begin:
            self.turn(0)

    def rule(self) -> str | None:
        """The rule of the first breach, None when there is none so far."""
        found = check(self.events)
        return None if not found or found[0].event is None else found[0].rule

    def add(self, event: str, **fields: object) -> Scene:
        """Any event."""
        self.events.append({"event": event, **fields})
        return self

    def turn(self, player: int) -> Scene:
        """The next turn."""
        self.number += 1
        return self.add("turn", number=self.number, player=player, tick=self.tick)

    def move(self, player: int, to: str) -> Scene:
        """FI-4.1."""
        return self.add("move", player=player, to=self.names[to])

    def fly(self, player: int, to: str) -> Scene:
        """FI-5.4."""
        return self.add("fly", player=player, to=self.names[to])

    def navigate(self, player: int, pawn: int, to: str) -> Scene:
        """FI-5.5."""
        return self.add("navigate", player=player, pawn=pawn, to=self.names[to])

    def shore(self, player: int, cells: str) -> Scene:
        """FI-4.2."""
        return self.add("shore_up", player=player, tiles=[self.names[cell] for cell in cells])

    def give(self, player: int, to: int, card: str) -> Scene:
        """FI-4.3."""
        return self.add("give", player=player, to=to, card=card)

    def capture(self, player: int, treasure: str) -> Scene:
        """FI-4.4."""
        return self.add("capture", player=player, treasure=treasure)

    def draw(self, player: int, *cards: str) -> Scene:
        """FI-7.1."""
        for card in cards:
            self.add("draw", player=player, card=card)
        return self

    def rise(self, player: int) -> Scene:
        """A Waters Rise! drawn and resolved (FI-7.3)."""
        self.tick += 1
        return self.draw(player, "waters_rise").add("rise", tick=self.tick)

    def discard(self, player: int, card: str) -> Scene:
        """FI-7.2."""
        return self.add("discard", player=player, card=card)

    def lift(self, player: int, pawns: list[int], to: str) -> Scene:
        """FI-6.1."""
        return self.add("helicopter", player=player, pawns=pawns, to=self.names[to])

    def bags(self, player: int, cell: str) -> Scene:
        """FI-6.1."""
        return self.add("sandbags", player=player, tile=self.names[cell])

    def flood(self, cell: str, state: str) -> Scene:
        """FI-8.1."""
        return self.add("flood", tile=self.names[cell], state=state)

    def swim(self, player: int, to: str) -> Scene:
        """FI-8.3."""
        return self.add("swim", player=player, to=self.names[to])

    def end(self, *causes: str, treasures: tuple = (), drowned: tuple = (), result: str = "lost") -> Scene:
        """FI-9."""
        fields = {"result": result, "cause": causes[0] if causes else None, "causes": list(causes)}
        return self.add("end", **fields, treasures=list(treasures), drowned=list(drowned), turns=self.number)

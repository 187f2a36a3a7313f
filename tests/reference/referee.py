"""The referee: replays the events of one game and names the first breach of the rules.

`check(events)` is all most callers need. Chance is not judged, only whether what came up was possible. After a breach
the position is no longer reliable, so the game is followed no further.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from . import movement
from .board import LANDING, TREASURE_TILES, TREASURES
from .setup import faults
from .state import DRY, FLOODED, SUNK, State

FIELDS = {
    "setup": "game seed trial policy rules map tiles flooded roles hands first",
    "turn": "number player tick",
    "move": "player to",
    "fly": "player to",
    "navigate": "player pawn to",
    "shore_up": "player tiles",
    "give": "player to card",
    "capture": "player treasure",
    "draw": "player card",
    "rise": "tick",
    "discard": "player card",
    "helicopter": "player pawns to",
    "sandbags": "player tile",
    "reshuffle": "deck",
    "flood": "tile state",
    "chosen_flood": "player tile state",
    "swim": "player to",
    "eliminated": "player",
    "escape": "player",
    "end": "result cause causes treasures drowned turns",
}

CAUSE_RULES = {
    None: "FI-9.1",
    "landing_sunk": "FI-9.3",
    "treasure_sunk": "FI-9.2",
    "drowned": "FI-9.4",
    "skull": "FI-9.5",
    "turn_limit": "FI-9.7",
}
"""Every cause of an end, null for a win; the losses by one sinking stand in the order of FI-9.6."""


class Breach(NamedTuple):
    """One breach: the event's index (len(events) when something is missing at the end), the event, rule, what."""

    index: int
    event: dict | None
    rule: str
    message: str


class RuleBrokenError(Exception):
    """Raised inside the referee with the rule and what happened."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule, self.message = rule, message


@dataclass(frozen=True)
class Ending:
    """How the game has ended, or (`swim` with a Lift in hand) may end: what the `end` event must say."""

    causes: tuple[str, ...] = ()
    treasures: tuple[str, ...] = ()
    drowned: tuple[int, ...] = ()

    @property
    def cause(self) -> str | None:
        """The cause that counts: the first (FI-9.6), none when won."""
        return self.causes[0] if self.causes else None

    @property
    def result(self) -> str:
        """`won`, `lost` or `stopped`."""
        return {None: "won", "turn_limit": "stopped"}.get(self.cause, "lost")


@dataclass
class Due:
    """What must come before anything else.

    what: `rise`, `chosen_flood`, `draw` or `flood` (after a reshuffle), `sandbags` (a card answered: `tile`; they may
    be written before or after the `flood` that says `saved`),
    `swim`, `eliminated` (`seats`, in order) or `end`.  ending: how the game ends now (`end`) or may end (the others).
    """

    what: str
    seats: tuple[int, ...] = ()
    tile: str = ""
    ending: Ending | None = None


DUE_RULES = {
    "rise": "FI-7.3",
    "chosen_flood": "FI-11",
    "draw": "FI-7.1",
    "flood": "FI-8.2",
    "sandbags": "FI-10",
    "swim": "FI-8.3",
    "eliminated": "FI-11",
}


def need(condition: object, rule: str, message: str) -> None:
    """Raise the breach of `rule` unless the condition holds."""
    if not condition:
        raise RuleBrokenError(rule, message)


class Referee:
    """Follows one game event by event.

    phase: setup, between (before the first turn), actions, draws, floods, ended.
    cards_due: how many treasure cards may still be due. More than one number only when deck and discard are empty: then
    no card is drawn and nothing is written, so a special card may have been played before or after the missing card.
    """

    def __init__(self) -> None:
        self.state: State | None = None
        self.phase = "setup"
        self.due: Due | None = None
        self.actions = 0
        self.flown = False
        self.cards_due = {0}
        self.flooded = 0
        self.last: dict = {}

    # ---- the door -------------------------------------------------------------------------------------------------

    def apply(self, event: dict) -> None:
        """Follow one event; raises RuleBrokenError."""
        kind = event.get("event")
        need(kind in FIELDS, "trace", f"unknown event {kind!r}")
        missing = [name for name in FIELDS[kind].split() if name not in event]
        need(not missing, "trace", f"{kind} lacks {', '.join(missing)}")
        need(self.phase != "ended", "trace", f"{kind} after the end")
        need((kind == "setup") == (self.phase == "setup"), "trace", "a game has one setup, first")
        if self.state is not None:
            self._names_exist(event)
            self._notice_missing_cards()
            self._nothing_else_is_due(event)
        getattr(self, f"_{kind}")(event)
        self.last = event

    def _names_exist(self, event: dict) -> None:
        state, kind = self.state, event["event"]
        tiles = [event[key] for key in ("tile",) if key in event]
        tiles += event["tiles"] if kind == "shore_up" else []
        tiles += [event["to"]] if kind in ("move", "fly", "navigate", "helicopter", "swim") else []
        for tile in tiles:
            need(tile in state.tiles, "FI-1.1", f"no tile {tile!r}")
        seats = [event[key] for key in ("player", "pawn") if key in event]
        seats += event["pawns"] if kind == "helicopter" else []
        seats += [event["to"]] if kind == "give" else []
        for seat in seats:
            need(seat in range(len(state.pawns)), "FI-1.6", f"no seat {seat!r}")
            need(state.pawns[seat] is not None, "FI-11", f"seat {seat} was eliminated")

    def _nothing_else_is_due(self, event: dict) -> None:
        kind, due = event["event"], self.due
        if due is not None and due.what == "end":
            need(kind == "end", CAUSE_RULES[due.ending.cause], f"the game is over ({due.ending}), yet a {kind} follows")
        elif due is not None:
            allowed = {due.what}
            if due.ending is not None:
                allowed.add("end")
            if due.what == "swim" and self.state.rules["lift_saves_swimmer"]:
                allowed.add("helicopter")
            if due.what == "flood" and not due.tile and self.state.rules["sandbags_save_sinking"]:
                allowed.add("sandbags")
            need(kind in allowed, DUE_RULES[due.what], f"{due.what} is due, not {kind}")
        else:
            seat = self._over_limit()
            if seat is not None:
                answers = kind in ("discard", "helicopter", "sandbags", "escape") and event["player"] == seat
                need(answers, "FI-7.2", f"seat {seat} holds more than the hand limit, yet a {kind} follows")

    def _over_limit(self) -> int | None:
        """The seat that must come down to the hand limit before anything else (FI-7.2)."""
        for seat in self.state.alive():
            if self.state.hands[seat].total() > self.state.rules["hand_limit"]:
                waits = self.state.rules["hand_limit_check"] == "after_draw" and self.phase == "draws"
                return None if waits and max(self.cards_due) > 0 else seat
        return None

    def _notice_missing_cards(self) -> None:
        """With deck and discard both empty a due card is not drawn and not written."""
        if self.phase in ("actions", "draws") and not self.state.deck and not self.state.discard:
            self.cards_due = set(range(max(self.cards_due) + 1))

    def may_act(self) -> bool:
        """Whether the active player may take an action now (FI-3.1)."""
        return self.is_quiet() and self.phase == "actions" and self.actions < self.state.rules["actions_per_turn"]

    def is_quiet(self) -> bool:
        """Between two steps of a turn, when special cards may be played (FI-6.2)."""
        return self.phase in ("actions", "draws", "floods") and self.due is None and self._over_limit() is None

    # ---- setup and turns ------------------------------------------------------------------------------------------

    def _setup(self, event: dict) -> None:
        for rule, message in faults(event):
            raise RuleBrokenError(rule, message)
        self.state = State.from_setup(event)
        self.phase = "between"

    def _turn(self, event: dict) -> None:
        state = self.state
        self._turn_is_complete()
        need(state.turn < state.rules["turn_limit"], "FI-9.7", f"turn {state.turn + 1} is beyond the turn limit")
        need(event["number"] == state.turn + 1, "trace", f"turn {event['number']} after turn {state.turn}")
        player = state.next_player()
        need(event["player"] == player, "FI-2.6", f"the turn is seat {player}'s, not seat {event['player']}'s")
        need(event["tick"] == state.tick, "FI-1.5", f"the meter is at {state.tick}, not {event['tick']}")
        state.turn, state.active = event["number"], player
        self.phase, self.actions, self.flown = "actions", 0, False
        self.cards_due = {state.rules["cards_per_turn"]}
        self.flooded = 0

    def _turn_is_complete(self) -> None:
        if self.phase != "between":
            self._draws_are_complete()
            left = self._floods_left()
            need(left == 0, "FI-3.1", f"{left} flood cards are still due")

    def _draws_are_complete(self) -> None:
        if self.phase in ("actions", "draws"):
            need(0 in self.cards_due, "FI-3.1", f"{min(self.cards_due)} treasure cards are still due")
            self.cards_due = {0}
            over = self._over_limit()
            need(over is None, "FI-7.2", f"seat {over} holds more than the hand limit")
            self.phase = "floods"

    def _floods_left(self) -> int:
        return self.state.rules["meter"][self.state.tick - 1] - self.flooded

    # ---- actions --------------------------------------------------------------------------------------------------

    def _spend(self, event: dict) -> None:
        """One action of the active player (FI-3.1)."""
        state, seat = self.state, event["player"]
        need(self.phase == "actions", "FI-3.1", f"{event['event']} outside the actions of a turn")
        need(seat == state.active, "FI-3.1", f"seat {seat} acts in the turn of seat {state.active}")
        allowed = state.rules["actions_per_turn"]
        need(self.actions < allowed, "FI-3.1", f"more than {allowed} actions")
        self.actions += 1
        self.cards_due = {state.rules["cards_per_turn"]}

    def _move(self, event: dict) -> None:
        self._spend(event)
        seat, to = event["player"], event["to"]
        power = self.state.power(seat)
        rule = {"explorer": "FI-5.1", "diver": "FI-5.6"}.get(power, "FI-4.1")
        need(to in movement.moves(self.state, seat), rule, f"the {power} on {self.state.pawns[seat]} moves to {to}")
        self.state.pawns[seat] = to

    def _fly(self, event: dict) -> None:
        self._spend(event)
        seat, to = event["player"], event["to"]
        need(self.state.power(seat) == "pilot", "FI-5.4", f"the {self.state.power(seat)} flies")
        need(not self.flown, "FI-5.4", "a second flight in one turn")
        need(to in movement.flights(self.state, seat), "FI-5.4", f"from {self.state.pawns[seat]} to {to}")
        self.flown = True
        self.state.pawns[seat] = to

    def _navigate(self, event: dict) -> None:
        self._spend(event)
        seat, pawn, to = event["player"], event["pawn"], event["to"]
        need(self.state.power(seat) == "navigator", "FI-5.5", f"the {self.state.power(seat)} navigates")
        need(pawn != seat, "FI-5.5", "the Navigator moves the own pawn")
        allowed = movement.navigations(self.state, pawn)
        need(to in allowed, "FI-5.5", f"the {self.state.power(pawn)} from {self.state.pawns[pawn]} to {to}")
        self.state.pawns[pawn] = to

    def _shore_up(self, event: dict) -> None:
        self._spend(event)
        seat, tiles = event["player"], event["tiles"]
        power = self.state.power(seat)
        rule = {"explorer": "FI-5.1", "engineer": "FI-5.2"}.get(power, "FI-4.2")
        most = 2 if power == "engineer" else 1
        need(1 <= len(tiles) <= most, "FI-5.2", f"the {power} shores up {len(tiles)} tiles at once")
        need(len(set(tiles)) == len(tiles), "FI-5.2", f"{tiles[0]} twice")
        allowed = movement.shores(self.state, seat)
        for tile in tiles:
            need(self.state.tiles[tile] == FLOODED, "FI-4.2", f"{tile} is {self.state.tiles[tile]}")
            need(tile in allowed, rule, f"{tile} is out of reach of the {power} on {self.state.pawns[seat]}")
        for tile in tiles:
            self.state.tiles[tile] = DRY

    def _give(self, event: dict) -> None:
        self._spend(event)
        state, seat, to, card = self.state, event["player"], event["to"], event["card"]
        need(seat != to, "FI-4.3", "a gift to oneself")
        need(card in TREASURES, "FI-4.3", f"{card} is not a treasure card")
        need(state.hands[seat][card] > 0, "FI-4.3", f"seat {seat} has no {card}")
        if state.power(seat) != "messenger":
            apart = f"seat {seat} on {state.pawns[seat]}, seat {to} on {state.pawns[to]}"
            need(state.pawns[seat] == state.pawns[to], "FI-4.3", f"a gift from afar: {apart}")
        full = state.hands[to].total() >= state.rules["hand_limit"]
        need(state.rules["give_to_full_hand"] or not full, "FI-10", f"a gift to the full hand of seat {to}")
        self._take_from_hand(seat, card, "FI-4.3")
        state.hands[to][card] += 1

    def _capture(self, event: dict) -> None:
        self._spend(event)
        state, seat, treasure = self.state, event["player"], event["treasure"]
        need(treasure in TREASURE_TILES, "FI-4.4", f"no treasure {treasure!r}")
        need(treasure not in state.captured, "FI-4.4", f"{treasure} is captured already")
        need(state.pawns[seat] in TREASURE_TILES[treasure], "FI-4.4", f"{treasure} captured on {state.pawns[seat]}")
        cost = state.rules["capture_cost"]
        need(state.hands[seat][treasure] >= cost, "FI-4.4", f"{state.hands[seat][treasure]} cards of {cost}")
        for _ in range(cost):
            self._to_discard(seat, treasure, "FI-4.4")
        state.captured.add(treasure)

    def _take_from_hand(self, seat: int, card: str, rule: str) -> None:
        hand = self.state.hands[seat]
        need(hand[card] > 0, rule, f"seat {seat} has no {card}")
        hand[card] -= 1

    def _to_discard(self, seat: int, card: str, rule: str) -> None:
        self._take_from_hand(seat, card, rule)
        self.state.discard[card] += 1

    # ---- special cards --------------------------------------------------------------------------------------------

    def _in_a_turn(self, event: dict) -> None:
        need(self.phase != "between", "FI-6.2", f"{event['event']} before the first turn")

    def _helicopter(self, event: dict) -> None:
        self._in_a_turn(event)
        state, pawns, to = self.state, event["pawns"], event["to"]
        self._to_discard(event["player"], "helicopter", "FI-6.1")
        wins = state.rules["escape"] == "helicopter" and state.can_escape()
        need(not wins, "FI-9.1", "this Lift wins the game: it is an escape")
        need(pawns and len(set(pawns)) == len(pawns), "FI-6.1", f"the Lift takes the pawns {pawns}")
        need(len({state.pawns[seat] for seat in pawns}) == 1, "FI-6.1", "the Lift takes pawns from several tiles")
        need(to != state.pawns[pawns[0]], "FI-6.1", "the Lift goes nowhere")
        need(state.standing(to), "FI-6.1", f"the Lift goes to {to}, which is sunk")
        if self.due is not None:
            need(set(pawns) <= set(self.due.seats), "FI-8.3", "while pawns must swim, a Lift may take only those")
        for seat in pawns:
            state.pawns[seat] = to
        if self.due is not None:
            self._swimmers_left([seat for seat in self.due.seats if seat not in pawns])

    def _sandbags(self, event: dict) -> None:
        self._in_a_turn(event)
        tile = event["tile"]
        self._to_discard(event["player"], "sandbags", "FI-6.1")
        if self.due is not None and self.due.what == "flood":
            self.due = Due("flood", tile=tile)
        elif self.due is not None:
            need(tile == self.due.tile, "FI-10", f"these Sandbags must save {self.due.tile}")
            self.due = None
        need(self.state.tiles[tile] == FLOODED, "FI-6.1", f"Sandbags on {tile}, which is {self.state.tiles[tile]}")
        self.state.tiles[tile] = DRY

    def _escape(self, event: dict) -> None:
        state, seat = self.state, event["player"]
        need(len(state.captured) == len(TREASURES), "FI-9.1", f"only {sorted(state.captured)} are captured")
        need(state.can_escape(), "FI-9.1", f"the pawns are on {state.pawns}")
        if state.rules["escape"] == "helicopter":
            self._in_a_turn(event)
            self._to_discard(seat, "helicopter", "FI-9.1")
        else:
            self._spend(event)
        self.due = Due("end", ending=Ending())

    # ---- treasure cards -------------------------------------------------------------------------------------------

    def _draw(self, event: dict) -> None:
        state, seat, card = self.state, event["player"], event["card"]
        need(self.phase in ("actions", "draws"), "FI-3.1", "a treasure card outside the draws of a turn")
        need(seat == state.active, "FI-3.1", f"seat {seat} draws in the turn of seat {state.active}")
        need(max(self.cards_due) > 0, "FI-3.1", f"more than {state.rules['cards_per_turn']} cards drawn")
        need(state.deck, "FI-7.1", "a card from an empty deck")
        need(state.deck[card] > 0, "FI-7.1", f"no {card} is left in the deck")
        self.phase, self.due = "draws", None
        self.cards_due = {number - 1 for number in self.cards_due if number > 0}
        state.deck[card] -= 1
        state.deck = +state.deck
        if card in ("waters_rise", "flood_card"):
            state.discard[card] += 1
            self.due = Due("rise" if card == "waters_rise" else "chosen_flood")
        else:
            state.hands[seat][card] += 1

    def _rise(self, event: dict) -> None:
        state = self.state
        need(self.due is not None, "FI-7.3", "the water rises without a card")
        need(event["tick"] == state.tick + 1, "FI-7.3", f"the meter goes from {state.tick} to {event['tick']}")
        self.due = None
        state.tick += 1
        if state.tick > len(state.rules["meter"]):
            self.due = Due("end", ending=Ending(("skull",)))
            return
        if state.rules["rise_shuffles"] == "all":
            state.flood_layers = [set().union(state.flood_discard, *state.flood_layers)]
        elif state.flood_discard:
            state.flood_layers.insert(0, state.flood_discard)
        state.flood_discard = set()

    def _discard(self, event: dict) -> None:
        seat, state = event["player"], self.state
        over = state.hands[seat].total() > state.rules["hand_limit"]
        need(over, "FI-7.2", f"seat {seat} discards with {state.hands[seat].total()} cards in hand")
        if state.rules["hand_limit_check"] == "after_draw" and self.phase == "draws":
            need(0 in self.cards_due, "FI-10", "a discard before all cards are drawn")
            self.cards_due = {0}
        self._to_discard(seat, event["card"], "FI-7.2")

    def _reshuffle(self, event: dict) -> None:
        state, deck = self.state, event["deck"]
        need(deck in ("treasure", "flood"), "trace", f"no deck {deck!r}")
        need(self.phase != "between", "FI-3.1", "a reshuffle before the first turn")
        if deck == "treasure":
            due = self.phase in ("actions", "draws") and max(self.cards_due) > 0
            need(due, "FI-7.1", "the treasure discard is shuffled though no card is due")
            need(not state.deck, "FI-7.1", "the treasure discard is shuffled though the deck is not empty")
            need(state.discard, "FI-7.1", "an empty treasure discard is shuffled")
            state.deck, state.discard = state.discard, Counter()
            self.due = Due("draw")
        else:
            self._draws_are_complete()
            need(self._floods_left() > 0, "FI-8.2", "the flood discard is shuffled though no card is due")
            need(not state.top_flood_cards(), "FI-8.2", "the flood discard is shuffled though the deck is not empty")
            need(state.flood_discard, "FI-8.2", "an empty flood discard is shuffled")
            state.flood_layers, state.flood_discard = [state.flood_discard], set()
            self.due = Due("flood")

    # ---- flood cards and sinking ----------------------------------------------------------------------------------

    def _flood(self, event: dict) -> None:
        state, tile, after = self.state, event["tile"], event["state"]
        need(self.phase != "between", "FI-3.1", "a flood card before the first turn")
        self._draws_are_complete()
        due = state.rules["meter"][state.tick - 1]
        need(self._floods_left() > 0, "FI-3.1", f"more than {due} flood cards with the meter at {state.tick}")
        before = state.tiles[tile]
        need(before != SUNK, "FI-8.1", f"the card of {tile} has left the game")
        need(state.top_flood_cards(), "FI-8.2", "a flood card from an empty deck")
        need(tile not in state.flood_discard, "FI-8.1", f"the card of {tile} lies in the flood discard")
        need(tile in state.top_flood_cards(), "FI-7.3", f"the card of {tile} lies below cards shuffled onto it")
        if self.due is not None and self.due.tile:
            saves = after == "saved" and tile == self.due.tile
            need(saves, "FI-8.2", f"after the reshuffle Sandbags may only save the next card, {self.due.tile}")
        self.due = None
        self.flooded += 1
        state.top_flood_cards().remove(tile)
        if after == "saved":
            need(state.rules["sandbags_save_sinking"], "FI-6.3", f"{tile} is saved from a revealed card")
            answered = before == DRY and self.last["event"] == "sandbags" and self.last["tile"] == tile
            need(before == FLOODED or answered, "FI-8.1", f"{tile} was {before} and needed no saving")
            state.flood_discard.add(tile)
            if not answered:
                self.due = Due("sandbags", tile=tile)
            return
        self._floods_or_sinks(tile, after)
        if after == FLOODED:
            state.flood_discard.add(tile)

    def _chosen_flood(self, event: dict) -> None:
        state, tile, after = self.state, event["tile"], event["state"]
        need(self.due is not None, "FI-11", "a tile is flooded by choice without a card")
        need(event["player"] == state.active, "FI-11", f"seat {event['player']} did not draw the card")
        need(state.standing(tile), "FI-11", f"{tile} is sunk")
        self.due = None
        self._floods_or_sinks(tile, after)

    def _floods_or_sinks(self, tile: str, after: str) -> None:
        state, before = self.state, self.state.tiles[tile]
        expected = FLOODED if before == DRY else SUNK
        need(after == expected, "FI-8.1", f"{tile} was {before} and becomes {after}")
        state.tiles[tile] = after
        if after == SUNK:
            for pile in (*state.flood_layers, state.flood_discard):
                pile.discard(tile)
            self._sinking(tile)

    def _sinking(self, tile: str) -> None:
        """What follows at once from a sinking: an end (FI-9.2 to 9.4, 9.6), or pawns that swim (FI-8.3).

        With `swim: eliminate` the loss `drowned` applies when nobody is left, and an end names all who are out by then.
        While a Lift may still come (`lift_saves_swimmer`) nobody has drowned yet.
        """
        state, swim = self.state, self.state.rules["swim"]
        there = state.from_active([seat for seat in state.alive() if state.pawns[seat] == tile])
        if swim == "adjacent":
            stranded = [seat for seat in there if not movement.swims(state, seat)]
            drowned = doomed = [] if self._lift_may_come() else stranded
        elif swim == "lose":
            drowned = doomed = there
        else:
            drowned = [seat for seat, pawn in enumerate(state.pawns) if pawn in (None, tile)]
            doomed = there if len(drowned) == len(state.pawns) else []
        lost = state.lost_treasures()
        causes = [cause for cause, happened in (("landing_sunk", tile == LANDING), ("treasure_sunk", lost)) if happened]
        ending = Ending((*causes, "drowned") if doomed else tuple(causes), tuple(lost), tuple(drowned))
        if causes or (doomed and swim != "eliminate"):
            self.due = Due("end", ending=ending)
        elif swim == "eliminate" and there:
            self.due = Due("eliminated", tuple(there), ending=ending if doomed else None)
        else:
            self._swimmers_left(there)

    def _swimmers_left(self, seats: list[int]) -> None:
        """Swims are due; if one of the pawns cannot, the game is lost unless a Lift may still come (FI-9.4)."""
        state = self.state
        doomed = tuple(seat for seat in seats if not movement.swims(state, seat))
        ending = Ending(("drowned",), drowned=doomed) if doomed else None
        if doomed and not self._lift_may_come():
            self.due = Due("end", ending=ending)
        else:
            self.due = Due("swim", tuple(seats), ending=ending) if seats else None

    def _lift_may_come(self) -> bool:
        state = self.state
        return state.rules["lift_saves_swimmer"] and any(state.hands[seat]["helicopter"] for seat in state.alive())

    def _swim(self, event: dict) -> None:
        seat, to = event["player"], event["to"]
        need(self.due is not None, "FI-8.3", f"seat {seat} swims though no tile sank")
        need(seat == self.due.seats[0], "FI-8.3", f"seat {self.due.seats[0]} swims first, not seat {seat}")
        power = self.state.power(seat)
        rule = {"explorer": "FI-5.1", "pilot": "FI-5.4", "diver": "FI-5.6"}.get(power, "FI-8.3")
        allowed = movement.swims(self.state, seat)
        need(to in allowed, rule, f"the {power} swims from {self.state.pawns[seat]} to {to}")
        self.state.pawns[seat] = to
        self._swimmers_left(list(self.due.seats[1:]))

    def _eliminated(self, event: dict) -> None:
        state, seat = self.state, event["player"]
        need(self.due is not None, "FI-11", f"seat {seat} is eliminated though no tile sank")
        need(seat == self.due.seats[0], "FI-8.3", f"seat {self.due.seats[0]} is out first, not seat {seat}")
        state.discard += state.hands[seat]
        state.hands[seat] = Counter()
        state.pawns[seat] = None
        if self.phase == "draws" and seat == state.active:
            self.cards_due = {0}
        if self.due.seats[1:]:
            self.due = Due("eliminated", self.due.seats[1:], ending=self.due.ending)
        else:
            self.due = Due("end", ending=self.due.ending) if self.due.ending else None

    # ---- the end --------------------------------------------------------------------------------------------------

    def _end(self, event: dict) -> None:
        state = self.state
        ending = self.due.ending if self.due is not None else None
        if ending is None:
            cause = event["cause"]
            claimed = CAUSE_RULES.get(cause, "trace")
            need(
                event["result"] == "stopped" and cause == "turn_limit", claimed, "an end that nothing has brought about"
            )
            self._turn_is_complete()
            limit = state.rules["turn_limit"]
            need(state.turn == limit, "FI-9.7", f"stopped after turn {state.turn}; the turn limit is {limit}")
            ending = Ending(("turn_limit",))
        rule = CAUSE_RULES[ending.cause]
        need(event["result"] == ending.result, rule, f"result {event['result']!r}, not {ending.result!r}")
        causes = f"cause {event['cause']!r} of {event['causes']}, not {ending.causes}"
        need(event["cause"] == ending.cause, rule if len(ending.causes) < 2 else "FI-9.6", causes)
        need(tuple(event["causes"]) == ending.causes, "FI-9.6", causes)
        need(sorted(event["treasures"]) == sorted(ending.treasures), "FI-9.2", f"lost pairs {event['treasures']}")
        drowned = {*ending.drowned, *(seat for seat, pawn in enumerate(state.pawns) if pawn is None)}
        need(sorted(event["drowned"]) == sorted(drowned), "FI-9.4", f"drowned {event['drowned']}")
        need(event["turns"] == state.turn, "trace", f"{event['turns']} turns, not {state.turn}")
        self.phase, self.due = "ended", None


def check(events: Iterable[dict]) -> list[Breach]:
    """The first breach of the rules in one game's events, or an empty list."""
    referee, index = Referee(), -1
    for index, event in enumerate(events):
        try:
            referee.apply(event)
        except RuleBrokenError as broken:
            return [Breach(index, event, broken.rule, broken.message)]
    if referee.phase != "ended":
        return [Breach(index + 1, None, "trace", "the game just stops: there is no end")]
    return []


def replay(events: Iterable[dict]) -> Iterator[tuple[int, dict, Referee]]:
    """Each event with its index and the referee *before* it; raises RuleBrokenError at a breach."""
    referee = Referee()
    for index, event in enumerate(events):
        yield index, event, referee
        referee.apply(event)

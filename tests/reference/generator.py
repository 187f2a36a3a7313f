"""A small generator of legal games, played from the rules page with real shuffled decks.

It keeps its own table (ordered decks, pawns, hands) and shares with the referee only the geometry of `movement`.
Styles: `idle` never acts, discards and swims at random; `random` does anything legal; `team` cooperates, simply.
"""

from __future__ import annotations

import random
from collections import Counter

from . import movement
from .board import LANDING, ROLES, SPECIALS, TILES, TREASURE_TILES, TREASURES
from .state import DRY, FLOODED, SUNK, State, full_deck

MAPS = {
    "standard": ["..##..", ".####.", "######", "######", ".####.", "..##.."],
    "volcano-island": ["#####", "#####", "##.##", "#####", "#####"],
    "coral-reef": [".##....", "####...", "######.", ".######", "...####", "....##."],
    "atoll-of-decisions": ["..###..", ".##.##.", "##...##", "#.....#", "##...##", ".##.##.", "..###.."],
    "hex": ["####", "#####", "######", "#####", "####"],
}

METER = [2, 2, 3, 3, 3, 4, 4, 5, 5]


def rules(**changes: object) -> dict:
    """The resolved rules of section 10 with some knobs changed."""
    base = {
        "start_tick": 1,
        "meter": list(METER),
        "players": 4,
        "roles": "random",
        "actions_per_turn": 3,
        "cards_per_turn": 2,
        "hand_limit": 5,
        "initial_hand": 2,
        "initial_flooded": 6,
        "treasure_copies": 5,
        "capture_cost": 4,
        "waters_rise": 3,
        "helicopter": 3,
        "sandbags": 2,
        "map": MAPS["standard"],
        "map_connected": True,
        "sandbags_save_sinking": False,
        "lift_saves_swimmer": False,
        "give_to_full_hand": True,
        "hand_limit_check": "each_card",
        "navigator_moves_diver": "one_gap",
        "role_powers": True,
        "start_tiles": "gates",
        "swim": "adjacent",
        "escape": "helicopter",
        "rise_shuffles": "discard",
        "flood_cards_in_treasure_deck": 0,
        "grid": "square",
        "turn_limit": 200,
    }
    unknown = set(changes) - set(base)
    if unknown:
        raise KeyError(f"unknown knobs: {sorted(unknown)}")
    return base | changes


HEX_TUTORIAL = {
    "map": MAPS["hex"],
    "grid": "hex",
    "role_powers": False,
    "start_tiles": "landing",
    "treasure_copies": 6,
    "flood_cards_in_treasure_deck": 1,
    "helicopter": 0,
    "sandbags": 0,
    "initial_flooded": 0,
    "rise_shuffles": "all",
    "swim": "eliminate",
    "escape": "action",
}

VARIANTS: dict[str, dict] = {
    "standard": {},
    "two players": {"players": 2},
    "volcano, legendary": {"players": 3, "map": MAPS["volcano-island"], "start_tick": 4},
    "atoll": {"players": 3, "map": MAPS["atoll-of-decisions"]},
    "hex tutorial": HEX_TUTORIAL,
    "hex tutorial, two players": HEX_TUTORIAL | {"players": 2},
    "kind specials": {"sandbags_save_sinking": True, "lift_saves_swimmer": True, "sandbags": 6, "helicopter": 8},
    "older text": {
        "give_to_full_hand": False,
        "hand_limit_check": "after_draw",
        "navigator_moves_diver": "steps_only",
    },
    "swim or lose": {"swim": "lose", "map": MAPS["coral-reef"]},
    "on the landing or lose": {"swim": "lose", "start_tiles": "landing", "start_tick": 4},
    "eliminated": {"swim": "eliminate", "flood_cards_in_treasure_deck": 8, "start_tick": 3},
    "no rise": {"waters_rise": 0, "turn_limit": 12, "treasure_copies": 4, "helicopter": 1, "sandbags": 1},
    "shuffle all": {"rise_shuffles": "all", "roles": {"pool": ["diver", "explorer", "navigator"]}, "players": 2},
    "cheap treasures": {"meter": [1] * 20, "capture_cost": 2},
    "few cards": {
        "players": 2,
        "meter": [1] * 9,
        "capture_cost": 2,
        "hand_limit_check": "after_draw",
        "cards_per_turn": 3,
        "treasure_copies": 4,
        "helicopter": 1,
        "sandbags": 0,
        "waters_rise": 0,
        "hand_limit": 7,
    },
    "no powers": {"role_powers": False},
}
"""Rule sets that between them use every knob."""


class GameOverError(Exception):
    """Raised inside the generator when the game has ended."""


class Game:
    """One game as it is played; `play()` returns its events."""

    def __init__(self, rules: dict, seed: int, style: str = "random") -> None:
        self.rules, self.seed, self.style = rules, seed, style
        self.rng = random.Random(seed)
        self.events: list[dict] = []

    # ---- set up -----------------------------------------------------------------------------------------------------

    def deal(self) -> None:
        """FI-2."""
        rules, rng = self.rules, self.rng
        names = rng.sample(TILES, 24)
        shuffled = rng.sample(TILES, 24)
        flooded, self.flood_deck = shuffled[: rules["initial_flooded"]], shuffled[rules["initial_flooded"] :]
        self.flood_pile = list(flooded)
        asked = rules["roles"]
        roles = asked if isinstance(asked, list) else None
        if roles is None:
            roles = rng.sample(ROLES if asked == "random" else tuple(asked["pool"]), rules["players"])
        deck = sorted(full_deck(rules).elements())
        rng.shuffle(deck)
        hands: list[list[str]] = [[] for _ in roles]
        replaced = []
        for hand in hands:
            while len(hand) < rules["initial_hand"]:
                card = deck.pop()
                (replaced if card in ("waters_rise", "flood_card") else hand).append(card)
        deck += replaced
        rng.shuffle(deck)
        self.cards, self.pile = deck, []
        setup = {"event": "setup", "game": "forbidden_island", "seed": self.seed, "trial": 0, "policy": self.style}
        setup |= {"rules": rules, "map": rules["map"], "tiles": names, "flooded": flooded, "roles": list(roles)}
        setup |= {"hands": hands, "first": rng.randrange(rules["players"])}
        self.events.append(setup)
        self.table = State.from_setup(setup)

    def note(self, event: str, **fields: object) -> None:
        """Write one event."""
        self.events.append({"event": event, **fields})

    # ---- the order of play ------------------------------------------------------------------------------------------

    def play(self) -> list[dict]:
        """The whole game."""
        self.deal()
        try:
            while self.table.turn < self.rules["turn_limit"]:
                self.play_turn()
            self.finish("stopped", ["turn_limit"])
        except GameOverError:
            pass
        return self.events

    def play_turn(self) -> None:
        """FI-3.1."""
        table, rules = self.table, self.rules
        seat = table.next_player()
        table.turn, table.active = table.turn + 1, seat
        self.note("turn", number=table.turn, player=seat, tick=table.tick)
        self.flown = False
        for _ in range(rules["actions_per_turn"]):
            self.window()
            if not self.act(seat):
                break
        self.window()
        for number in range(1, rules["cards_per_turn"] + 1):
            if table.pawns[seat] is not None:
                self.draw(seat)
                if number == rules["cards_per_turn"]:
                    self.hand_limit(seat)
                self.window()
        for _ in range(rules["meter"][table.tick - 1]):
            self.flood()
            self.window()

    def finish(
        self, result: str, causes: list[str], treasures: list[str] | None = None, drowned: list[int] | None = None
    ) -> None:
        """Write the end and stop."""
        ending = {"result": result, "cause": causes[0] if causes else None, "causes": causes}
        out = sorted({*(drowned or []), *(seat for seat, pawn in enumerate(self.table.pawns) if pawn is None)})
        self.note("end", **ending, treasures=treasures or [], drowned=out, turns=self.table.turn)
        raise GameOverError

    # ---- cards ------------------------------------------------------------------------------------------------------

    def spend(self, seat: int, card: str) -> None:
        """A card goes from a hand to the discard."""
        self.table.hands[seat][card] -= 1
        self.table.hands[seat] = +self.table.hands[seat]
        self.pile.append(card)

    def holders(self, card: str) -> list[int]:
        """The seats that hold such a card."""
        return [seat for seat in self.table.alive() if self.table.hands[seat][card]]

    def draw(self, seat: int) -> None:
        """FI-7.1 to 7.3."""
        table = self.table
        if not self.cards and self.pile:
            self.cards, self.pile = self.pile, []
            self.rng.shuffle(self.cards)
            self.note("reshuffle", deck="treasure")
        if not self.cards:
            return
        card = self.cards.pop()
        self.note("draw", player=seat, card=card)
        if card == "waters_rise":
            self.rise()
        elif card == "flood_card":
            self.pile.append(card)
            tile = self.rng.choice([tile for tile in table.tiles if table.standing(tile)])
            self.water(tile, "chosen_flood", player=seat)
        else:
            table.hands[seat][card] += 1
            if self.rules["hand_limit_check"] == "each_card":
                self.hand_limit(seat)

    def rise(self) -> None:
        """FI-7.3, FI-9.5."""
        table = self.table
        table.tick += 1
        self.note("rise", tick=table.tick)
        if table.tick == len(self.rules["meter"]) + 1:
            self.finish("lost", ["skull"])
        if self.rules["rise_shuffles"] == "all":
            self.flood_deck += self.flood_pile
            self.rng.shuffle(self.flood_deck)
        else:
            self.rng.shuffle(self.flood_pile)
            self.flood_deck += self.flood_pile
        self.flood_pile = []
        self.pile.append("waters_rise")

    def hand_limit(self, seat: int) -> None:
        """FI-7.2."""
        hand = self.table.hands[seat]
        while self.table.pawns[seat] is not None and self.table.hands[seat].total() > self.rules["hand_limit"]:
            hand = self.table.hands[seat]
            if self.style != "idle" and self.rng.random() < 0.5 and self.play_special(seat):
                continue
            cards = sorted(hand.elements())
            if self.style == "team":
                cards = [card for card in cards if card in self.table.captured] or [
                    card for card in cards if hand[card] == min(hand.values())
                ]
            card = self.rng.choice(cards)
            self.spend(seat, card)
            self.note("discard", player=seat, card=card)

    # ---- special cards ----------------------------------------------------------------------------------------------

    def window(self) -> None:
        """FI-6.2: between two steps anybody may play special cards."""
        if self.style == "idle":
            return
        if self.style == "team" and self.table.can_escape() and self.rules["escape"] == "helicopter":
            for seat in self.holders("helicopter"):
                self.play_special(seat)
        if self.rng.random() < 0.15:
            seat = self.rng.choice(self.table.alive())
            self.play_special(seat)

    def play_special(self, seat: int) -> bool:
        """Play one special card of the seat, if there is a use for it."""
        table = self.table
        flooded = [tile for tile in table.tiles if table.tiles[tile] == FLOODED]
        cards = [card for card in SPECIALS if table.hands[seat][card] and (card == "helicopter" or flooded)]
        if not cards:
            return False
        if self.rng.choice(cards) == "sandbags":
            tile = self.rng.choice(flooded)
            self.spend(seat, "sandbags")
            table.tiles[tile] = DRY
            self.note("sandbags", player=seat, tile=tile)
            return True
        if "helicopter" not in cards:
            return False
        if self.rules["escape"] == "helicopter" and table.can_escape():
            self.spend(seat, "helicopter")
            self.note("escape", player=seat)
            self.finish("won", [])
        start = table.pawns[self.rng.choice(table.alive())]
        here = [pawn for pawn in table.alive() if table.pawns[pawn] == start]
        self.lift(seat, self.rng.sample(here, self.rng.randint(1, len(here))), start)
        return True

    def lift(self, seat: int, pawns: list[int], start: str) -> None:
        """A Lift to a random other tile (to the landing when that is where the team goes)."""
        table = self.table
        goals = [tile for tile in table.tiles if table.standing(tile) and tile != start]
        if len(table.captured) == 4 and LANDING in goals and self.style == "team":
            goals = [LANDING]
        to = self.rng.choice(goals)
        self.spend(seat, "helicopter")
        for pawn in pawns:
            table.pawns[pawn] = to
        self.note("helicopter", player=seat, pawns=pawns, to=to)

    # ---- the water --------------------------------------------------------------------------------------------------

    def flood(self) -> None:
        """FI-8.1, FI-8.2."""
        table = self.table
        if not self.flood_deck:
            self.flood_deck, self.flood_pile = self.flood_pile, []
            self.rng.shuffle(self.flood_deck)
            self.note("reshuffle", deck="flood")
        tile = self.flood_deck.pop()
        if self.rules["sandbags_save_sinking"] and table.tiles[tile] == FLOODED and self.style != "idle":
            holders = self.holders("sandbags")
            if holders and self.rng.random() < 0.7:
                self.note("flood", tile=tile, state="saved")
                seat = self.rng.choice(holders)
                self.spend(seat, "sandbags")
                self.note("sandbags", player=seat, tile=tile)
                table.tiles[tile] = DRY
                self.flood_pile.append(tile)
                return
        if table.tiles[tile] == DRY:
            self.flood_pile.append(tile)
        self.water(tile, "flood")

    def water(self, tile: str, event: str, **fields: object) -> None:
        """A dry tile floods, a flooded one sinks, with all that follows (FI-8.3, FI-9)."""
        table, swim = self.table, self.rules["swim"]
        if table.tiles[tile] == DRY:
            table.tiles[tile] = FLOODED
            self.note(event, **fields, tile=tile, state=FLOODED)
            return
        table.tiles[tile] = SUNK
        self.note(event, **fields, tile=tile, state=SUNK)
        for pile in (self.flood_deck, self.flood_pile):
            if tile in pile:
                pile.remove(tile)
        seats = [(table.active + step) % len(table.pawns) for step in range(len(table.pawns))]
        wet = [seat for seat in seats if table.pawns[seat] == tile]
        lift = self.rules["lift_saves_swimmer"] and self.holders("helicopter")
        drowned = doomed = [] if lift else [seat for seat in wet if not movement.swims(table, seat)]
        if swim != "adjacent":
            drowned = wet
            doomed = wet if swim == "lose" or len(wet) == len(table.alive()) else []
        pairs = TREASURE_TILES.items()
        lost = [name for name, pair in pairs if name not in table.captured and {table.tiles[t] for t in pair} == {SUNK}]
        causes = ["landing_sunk"] * (tile == LANDING) + ["treasure_sunk"] * bool(lost) + ["drowned"] * bool(doomed)
        if causes:
            self.finish("lost", causes, lost, drowned)
        if swim == "eliminate":
            for seat in wet:
                self.note("eliminated", player=seat)
                self.pile += sorted(table.hands[seat].elements())
                table.hands[seat] = Counter()
                table.pawns[seat] = None
            return
        if wet and lift and self.rng.random() < 0.7:
            saved = self.rng.sample(wet, self.rng.randint(1, len(wet)))
            self.lift(self.rng.choice(self.holders("helicopter")), saved, tile)
            wet = [seat for seat in wet if seat not in saved]
        doomed = [seat for seat in wet if not movement.swims(table, seat)]
        if doomed:
            self.finish("lost", ["drowned"], [], doomed)
        for seat in wet:
            to = self.rng.choice(sorted(movement.swims(table, seat)))
            table.pawns[seat] = to
            self.note("swim", player=seat, to=to)

    # ---- actions ----------------------------------------------------------------------------------------------------

    def act(self, seat: int) -> bool:
        """One action, or False to leave the rest unused."""
        if self.style == "idle":
            return False
        options = self.options(seat)
        if not options:
            return False
        if self.style == "team" and self.rng.random() < 0.9:
            best = max(self.worth(option, seat) for option in options)
            options = [option for option in options if self.worth(option, seat) == best]
        elif self.rng.random() < 0.1:
            return False
        kind = self.rng.choice(sorted({option["event"] for option in options}))
        self.do(self.rng.choice([option for option in options if option["event"] == kind]))
        return True

    def options(self, seat: int) -> list[dict]:
        """Every legal action of section 4 and 5, as its event."""
        table, power = self.table, self.table.power(seat)
        found = [{"event": "move", "player": seat, "to": to} for to in sorted(movement.moves(table, seat))]
        if power == "pilot" and not self.flown:
            found += [{"event": "fly", "player": seat, "to": to} for to in sorted(movement.flights(table, seat))]
        others = [other for other in table.alive() if other != seat]
        if power == "navigator":
            found += [
                {"event": "navigate", "player": seat, "pawn": pawn, "to": to}
                for pawn in others
                for to in sorted(movement.navigations(table, pawn))
            ]
        near = sorted(movement.shores(table, seat))
        found += [{"event": "shore_up", "player": seat, "tiles": [tile]} for tile in near]
        if power == "engineer":
            pairs = [[one, two] for one in near for two in near if one < two]
            found += [{"event": "shore_up", "player": seat, "tiles": pair} for pair in pairs]
        for to in others:
            full = table.hands[to].total() >= self.rules["hand_limit"]
            if (table.pawns[to] == table.pawns[seat] or power == "messenger") and (
                self.rules["give_to_full_hand"] or not full
            ):
                cards = [card for card in TREASURES if table.hands[seat][card]]
                found += [{"event": "give", "player": seat, "to": to, "card": card} for card in cards]
        for treasure, pair in TREASURE_TILES.items():
            enough = table.hands[seat][treasure] >= self.rules["capture_cost"]
            if enough and table.pawns[seat] in pair and treasure not in table.captured:
                found.append({"event": "capture", "player": seat, "treasure": treasure})
        if self.rules["escape"] == "action" and table.can_escape():
            found.append({"event": "escape", "player": seat})
        return found

    def worth(self, option: dict, seat: int) -> float:
        """How much the cooperative player likes an action."""
        table, kind = self.table, option["event"]
        if kind in ("escape", "capture"):
            return 100.0
        if kind == "give":
            card, to = option["card"], option["to"]
            return 50.0 if table.hands[to][card] >= table.hands[seat][card] and card not in table.captured else -1.0
        if kind == "shore_up":
            useful = {LANDING, *(tile for name in set(TREASURES) - table.captured for tile in TREASURE_TILES[name])}
            return sum(20.0 if tile in useful else 1.0 for tile in option["tiles"])
        mover = option.get("pawn", seat)
        gain = self.distance(mover, table.pawns[mover]) - self.distance(mover, option["to"])
        return 10.0 * gain if gain > 0 else gain

    def distance(self, seat: int, tile: str) -> int:
        """Steps by edge from the tile to where the seat wants to be; 0 when it has no wish."""
        table = self.table
        goals = {LANDING} if len(table.captured) == 4 else set()
        for treasure in set(TREASURES) - table.captured:
            if table.hands[seat][treasure] >= self.rules["capture_cost"]:
                goals |= set(TREASURE_TILES[treasure])
            elif table.hands[seat][treasure]:
                rivals = [other for other in table.alive() if other != seat]
                most = max(rivals, key=lambda other: table.hands[other][treasure], default=None)
                if most is not None and table.hands[most][treasure] >= 2:
                    goals.add(table.pawns[most])
        seen, ring, steps = {tile}, {tile}, 0
        while goals and ring and not ring & goals:
            ring = {other for cell in ring for other in table.edges[cell] if table.standing(other)} - seen
            seen |= ring
            steps += 1
        return steps if goals else 0

    def do(self, option: dict) -> None:
        """Carry out one action."""
        table, kind, seat = self.table, option["event"], option["player"]
        self.events.append(option)
        if kind == "escape":
            self.finish("won", [])
        elif kind in ("move", "fly"):
            table.pawns[seat] = option["to"]
            self.flown |= kind == "fly"
        elif kind == "navigate":
            table.pawns[option["pawn"]] = option["to"]
        elif kind == "shore_up":
            for tile in option["tiles"]:
                table.tiles[tile] = DRY
        elif kind == "give":
            table.hands[seat][option["card"]] -= 1
            table.hands[seat] = +table.hands[seat]
            table.hands[option["to"]][option["card"]] += 1
            self.hand_limit(option["to"])
        elif kind == "capture":
            for _ in range(self.rules["capture_cost"]):
                self.spend(seat, option["treasure"])
            table.captured.add(option["treasure"])


def game(seed: int, style: str = "random", **changes: object) -> list[dict]:
    """One legal game's events; `changes` are knobs."""
    return Game(rules(**changes), seed, style).play()

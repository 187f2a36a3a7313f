"""A catalogue of planted breaches: each turns a legal trace into one that breaks one rule, if the trace gives a chance.

`CATALOGUE` holds `Planted(name, rule, plant)`; `plant(events)` returns the mutated events, or None when this game
offers no opportunity. The legal trace itself is never changed. Each breach is planted at the first opportunity, and
everything before it stays legal, so a referee must stop exactly there, naming the rule.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import NamedTuple

from . import movement
from .board import LANDING, ROLES, TREASURE_TILES, TREASURES
from .referee import Referee, replay
from .state import DRY, FLOODED, SUNK

Events = list[dict]


class Planted(NamedTuple):
    """One kind of breach."""

    name: str
    rule: str
    plant: Callable[[Events], Events | None]


CATALOGUE: list[Planted] = []


# ---- how breaches are planted --------------------------------------------------------------------------------------


def add(name: str, rule: str, plant: Callable[[Events], Events | None]) -> None:
    """Enter one breach into the catalogue."""
    CATALOGUE.append(Planted(name, rule, plant))


def in_setup(name: str, rule: str, change: Callable[[dict], object]) -> None:
    """`change` edits a copy of the setup in place; returning False means that it does not apply."""

    def plant(events: Events) -> Events | None:
        setup = deepcopy(events[0])
        return None if change(setup) is False else [setup, *events[1:]]

    add(name, rule, plant)


def inserted(name: str, rule: str, make: Callable[[Referee, dict], dict | None]) -> None:
    """`make(referee, next_event)` gives an illegal event to put before the next one, or None."""

    def plant(events: Events) -> Events | None:
        for index, event, referee in replay(events):
            extra = make(referee, event) if index else None
            if extra is not None:
                return [*events[:index], extra, *events[index:]]
        return None

    add(name, rule, plant)


def replaced(name: str, rule: str, kind: str, change: Callable[[Referee, dict], dict | None]) -> None:
    """`change(referee, event)` gives the fields to change in an event of that kind, or None."""

    def plant(events: Events) -> Events | None:
        for index, event, referee in replay(events):
            fields = change(referee, event) if event["event"] == kind else None
            if fields is not None:
                return [*events[:index], event | fields, *events[index + 1 :]]
        return None

    add(name, rule, plant)


def dropped(name: str, rule: str, kind: str, fits: Callable[[Referee, dict, dict], object]) -> None:
    """Leave out the first event of that kind for which `fits(referee, event, next_event)`."""

    def plant(events: Events) -> Events | None:
        for index, event, referee in replay(events):
            following = events[index + 1] if index + 1 < len(events) else {"event": None}
            if event["event"] == kind and fits(referee, event, following):
                return [*events[:index], *events[index + 1 :]]
        return None

    add(name, rule, plant)


def action(name: str, rule: str, make: Callable[[Referee, int], dict | None], role: str | None = None) -> None:
    """Insert an illegal action of the active player; `role`: only for that power (`-pilot`: for any other)."""

    def make_event(referee: Referee, _: dict) -> dict | None:
        if not referee.may_act():
            return None
        seat = referee.state.active
        power = referee.state.power(seat)
        if role is not None and (power == role[1:] if role.startswith("-") else power != role):
            return None
        fields = make(referee, seat)
        return None if fields is None else {"player": seat} | fields

    inserted(name, rule, make_event)


def special(name: str, rule: str, card: str, make: Callable[[Referee, int], dict | None]) -> None:
    """Insert a special card played wrongly by a seat that holds it."""

    def make_event(referee: Referee, _: dict) -> dict | None:
        state = referee.state
        if not referee.is_quiet() or (state.rules["escape"] == "helicopter" and state.can_escape()):
            return None
        for seat in state.alive():
            if state.hands[seat][card]:
                fields = make(referee, seat)
                return None if fields is None else {"event": card, "player": seat} | fields
        return None

    inserted(name, rule, make_event)


def first(items: object) -> object:
    """The first in sorted order, or None."""
    return min(items, default=None)


def tiles_that_are(referee: Referee, *states: str) -> set[str]:
    """Names of the tiles in one of these states."""
    return {tile for tile, state in referee.state.tiles.items() if state in states}


def other_seat(referee: Referee, seat: int) -> int:
    """A seat with a pawn, other than this one, or itself when it is the last."""
    return next((other for other in referee.state.alive() if other != seat), seat)


# ---- setup: FI-1, FI-2 ---------------------------------------------------------------------------------------------


def _set(key: str, value: object) -> Callable[[dict], object]:
    return lambda setup: setup.__setitem__(key, value)


def _same_tile_twice(setup: dict) -> None:
    setup["tiles"][0] = setup["tiles"][1]


def _one_flooded_too_many(setup: dict) -> None:
    setup["flooded"].append(next((tile for tile in setup["tiles"] if tile not in setup["flooded"]), LANDING))


def _flooded_twice(setup: dict) -> bool:
    setup["flooded"][-1:] = setup["flooded"][:1]
    return len(setup["flooded"]) > 1


def _same_role_twice(setup: dict) -> None:
    setup["roles"][1] = setup["roles"][0]


def _role_not_asked_for(setup: dict) -> bool:
    asked = setup["rules"]["roles"]
    pool = asked["pool"] if isinstance(asked, dict) else asked
    strangers = [role for role in ROLES if role not in pool and role not in setup["roles"]]
    if asked == "random" or not strangers:
        return False
    setup["roles"][0] = strangers[0]
    return True


def _waters_rise_in_hand(setup: dict) -> bool:
    if not setup["rules"]["waters_rise"] or not setup["hands"][0]:
        return False
    setup["hands"][0][0] = "waters_rise"
    return True


def _short_hand(setup: dict) -> bool:
    return bool(setup["hands"][0]) and setup["hands"][0].pop() is not None


def _cards_out_of_nothing(setup: dict) -> bool:
    hands = setup["hands"]
    setup["hands"] = [["sandbags"] * len(hand) for hand in hands]
    return sum(len(hand) for hand in hands) > setup["rules"]["sandbags"]


def _a_cell_less(setup: dict) -> None:
    rows = list(setup["map"])
    rows[0] = rows[0].replace("#", ".", 1)
    setup["map"] = setup["rules"]["map"] = rows


def _another_map(setup: dict) -> None:
    setup["map"] = ["########"] * 3 if setup["map"] != ["########"] * 3 else ["############"] * 2


def _island_in_two(setup: dict) -> bool:
    if setup["rules"]["grid"] == "hex" or not setup["rules"]["map_connected"]:
        return False
    setup["map"] = setup["rules"]["map"] = ["####.####"] * 3
    return True


def _rule(key: str, value: object) -> Callable[[dict], object]:
    return lambda setup: setup["rules"].__setitem__(key, value)


in_setup("a tile twice on the map", "FI-1.1", _same_tile_twice)
in_setup("more cards dealt than there are", "FI-1.3", _cards_out_of_nothing)
in_setup("a start tick that is not on the meter", "FI-1.5", _rule("start_tick", 0))
in_setup("five players", "FI-1.6", _rule("players", 5))
in_setup("a map of 23 cells", "FI-2.1", _a_cell_less)
in_setup("not the map of the rules", "FI-2.1", _another_map)
in_setup("a map in two parts, called connected", "FI-10", _island_in_two)
in_setup("one tile flooded too many", "FI-2.2", _one_flooded_too_many)
in_setup("a tile flooded twice at setup", "FI-2.2", _flooded_twice)
in_setup("two pawns of the same role", "FI-2.3", _same_role_twice)
in_setup("a role that was not asked for", "FI-10", _role_not_asked_for)
in_setup("a Waters Rise! in a dealt hand", "FI-2.4", _waters_rise_in_hand)
in_setup("a hand one card short", "FI-2.4", _short_hand)
in_setup("a first player who does not exist", "FI-2.6", _set("first", 9))
in_setup("a rule knob missing", "FI-10", lambda setup: setup["rules"].pop("swim"))
in_setup("an unknown value of a knob", "FI-10", _rule("swim", "float"))
in_setup("a setup without hands", "trace", lambda setup: setup.pop("hands"))
add("no setup", "trace", lambda events: events[1:])
inserted("a second setup", "trace", lambda referee, _: {"event": "setup"} | dict.fromkeys(SETUP_FIELDS))
SETUP_FIELDS = ("game", "seed", "trial", "policy", "rules", "map", "tiles", "flooded", "roles", "hands", "first")


# ---- turns: FI-2.6, FI-3.1 -----------------------------------------------------------------------------------------


def _wrong_seat(referee: Referee, event: dict) -> dict | None:
    other = other_seat(referee, event["player"])
    return None if other == event["player"] else {"player": other}


def _later_turn(referee: Referee, event: dict) -> dict | None:
    return _wrong_seat(referee, event) if referee.state.turn else None


def _turn_limit_lowered(events: Events) -> Events | None:
    turns = events[-1]["turns"]
    if turns < 2:
        return None
    setup = events[0] | {"rules": events[0]["rules"] | {"turn_limit": turns - 1}}
    return [setup, *events[1:]]


def _step(referee: Referee) -> dict | None:
    to = first(movement.moves(referee.state, referee.state.active))
    return None if to is None else {"event": "move", "player": referee.state.active, "to": to}


def _quiet_step(phase: str) -> Callable[[Referee, dict], dict | None]:
    def make(referee: Referee, _: dict) -> dict | None:
        alive = referee.state.active in referee.state.alive()
        return _step(referee) if alive and referee.is_quiet() and referee.phase == phase else None

    return make


def _one_action_more(referee: Referee, _: dict) -> dict | None:
    spent = referee.actions == referee.state.rules["actions_per_turn"]
    return _step(referee) if referee.is_quiet() and referee.phase == "actions" and spent else None


def _action_of_another(referee: Referee, seat: int) -> dict | None:
    other = other_seat(referee, seat)
    to = first(movement.moves(referee.state, other))
    return None if to is None or other == seat else {"event": "move", "player": other, "to": to}


def _flood_too_many(referee: Referee, event: dict) -> dict | None:
    if event["event"] != "turn" or referee.phase != "floods":
        return None
    return {"event": "flood", "tile": first(tiles_that_are(referee, DRY, FLOODED)), "state": FLOODED}


def _card_too_many(referee: Referee, event: dict) -> dict | None:
    done = referee.is_quiet() and referee.phase == "draws" and referee.cards_due == {0}
    active = referee.state.active
    card = first(+referee.state.deck)
    if not done or card is None or referee.state.pawns[active] is None:
        return None
    return {"event": "draw", "player": active, "card": card}


def _plain_draw_before_flood(referee: Referee, event: dict, following: dict) -> bool:
    return event["card"] not in ("waters_rise", "flood_card") and following["event"] == "flood"


def _flood_early(referee: Referee, _: dict) -> dict | None:
    if not referee.may_act() or 0 in referee.cards_due:
        return None
    tile = first(referee.state.top_flood_cards())
    return None if tile is None else {"event": "flood", "tile": tile, "state": FLOODED}


replaced("the wrong player starts", "FI-2.6", "turn", _wrong_seat)
replaced("a turn out of order", "FI-2.6", "turn", _later_turn)
replaced("a turn number skipped", "trace", "turn", lambda referee, event: {"number": event["number"] + 1})
replaced("the meter misread", "FI-1.5", "turn", lambda referee, event: {"tick": event["tick"] + 1})
add("a turn beyond the limit", "FI-9.7", _turn_limit_lowered)
inserted("one action too many", "FI-3.1", _one_action_more)
inserted("an action after the first draw", "FI-3.1", _quiet_step("draws"))
inserted("an action between flood cards", "FI-3.1", _quiet_step("floods"))
action("an action in another player's turn", "FI-3.1", _action_of_another)
inserted("a treasure card too many", "FI-3.1", _card_too_many)
dropped("a treasure card too few", "FI-3.1", "draw", _plain_draw_before_flood)
replaced("a card drawn by another player", "FI-3.1", "draw", _wrong_seat)
inserted("flood cards before treasure cards", "FI-3.1", _flood_early)
inserted("a flood card too many", "FI-3.1", _flood_too_many)
dropped(
    "a flood card too few",
    "FI-3.1",
    "flood",
    lambda referee, event, following: event["state"] == FLOODED and following["event"] == "turn",
)


# ---- actions: FI-4, FI-5 -------------------------------------------------------------------------------------------


def _move(choose: Callable[[Referee, int], set[str]]) -> Callable[[Referee, int], dict | None]:
    """A move to the first tile of a set of wrong ones."""

    def make(referee: Referee, seat: int) -> dict | None:
        to = first(choose(referee, seat))
        return None if to is None else {"event": "move", "to": to}

    return make


def _too_far(referee: Referee, seat: int) -> set[str]:
    away = tiles_that_are(referee, DRY, FLOODED) - movement.moves(referee.state, seat)
    return away - {referee.state.pawns[seat]} - referee.state.corners[referee.state.pawns[seat]]


def _corner(referee: Referee, seat: int) -> set[str]:
    corners = referee.state.corners[referee.state.pawns[seat]]
    return (corners & tiles_that_are(referee, DRY, FLOODED)) - movement.moves(referee.state, seat)


def _gap(referee: Referee, seat: int) -> set[str]:
    return referee.state.edges[referee.state.pawns[seat]] & tiles_that_are(referee, SUNK)


def _over_a_gap(referee: Referee, seat: int) -> set[str]:
    beyond = set().union(*(referee.state.edges[gap] for gap in _gap(referee, seat)))
    return beyond & _too_far(referee, seat)


def _behind_dry_land(referee: Referee, seat: int) -> set[str]:
    state = referee.state
    dry = state.edges[state.pawns[seat]] & tiles_that_are(referee, DRY)
    return set().union(*(state.edges[tile] for tile in dry)) & _too_far(referee, seat)


for _role in ("ordinary", "pilot", "engineer", "navigator", "messenger"):
    action(f"a move too far ({_role})", "FI-4.1", _move(_too_far), _role)
    action(f"a move by a corner ({_role})", "FI-4.1", _move(_corner), _role)
    action(f"a move into a gap ({_role})", "FI-4.1", _move(_gap), _role)
    action(f"a move over a gap ({_role})", "FI-4.1", _move(_over_a_gap), _role)
    action(f"a move that stays ({_role})", "FI-4.1", _move(lambda referee, seat: {referee.state.pawns[seat]}), _role)
action("an Explorer's move too far", "FI-5.1", _move(_too_far), "explorer")
action("an Explorer's move into a gap", "FI-5.1", _move(_gap), "explorer")
action("a Diver's move by a corner", "FI-5.6", _move(_corner), "diver")
action("a Diver's move that ends in a gap", "FI-5.6", _move(_gap), "diver")
action("a Diver's move through dry land", "FI-5.6", _move(_behind_dry_land), "diver")


def _shore(choose: Callable[[Referee, int], list[str] | None]) -> Callable[[Referee, int], dict | None]:
    def make(referee: Referee, seat: int) -> dict | None:
        tiles = choose(referee, seat)
        return None if tiles is None or None in tiles else {"event": "shore_up", "tiles": tiles}

    return make


def _near_that_is(state: str) -> Callable[[Referee, int], list[str]]:
    def choose(referee: Referee, seat: int) -> list[str]:
        tile = referee.state.pawns[seat]
        return [first(({tile} | referee.state.edges[tile]) & tiles_that_are(referee, state))]

    return choose


def _flooded_far(referee: Referee, seat: int) -> list[str]:
    return [first(tiles_that_are(referee, FLOODED) - movement.shores(referee.state, seat))]


def _flooded_pair(referee: Referee, seat: int) -> list[str] | None:
    near = sorted(movement.shores(referee.state, seat))
    return near[:2] if len(near) > 1 else None


def _flooded_three(referee: Referee, seat: int) -> list[str] | None:
    near = sorted(movement.shores(referee.state, seat))
    return near[:3] if len(near) > 2 else None


def _flooded_twice_over(referee: Referee, seat: int) -> list[str]:
    return [first(movement.shores(referee.state, seat))] * 2


def _one_near_one_far(referee: Referee, seat: int) -> list[str]:
    return [first(movement.shores(referee.state, seat)), *_flooded_far(referee, seat)]


action("a dry tile shored up", "FI-4.2", _shore(_near_that_is(DRY)))
action("a sunk tile shored up", "FI-4.2", _shore(_near_that_is(SUNK)))
for _role in ("ordinary", "pilot", "diver", "navigator", "messenger"):
    action(f"a tile out of reach shored up ({_role})", "FI-4.2", _shore(_flooded_far), _role)
action("a tile out of the Explorer's reach shored up", "FI-5.1", _shore(_flooded_far), "explorer")
action("two tiles shored up by another than the Engineer", "FI-5.2", _shore(_flooded_pair), "-engineer")
action("three tiles shored up at once", "FI-5.2", _shore(_flooded_three), "engineer")
action("one tile shored up twice at once", "FI-5.2", _shore(_flooded_twice_over), "engineer")
action("the Engineer's second tile out of reach", "FI-5.2", _shore(_one_near_one_far), "engineer")
action("nothing shored up", "FI-5.2", _shore(lambda referee, seat: []))


def _give(referee: Referee, seat: int, to: int, cards: object) -> dict | None:
    held = [card for card in cards if referee.state.hands[seat][card]]
    return {"event": "give", "to": to, "card": held[0]} if held and to != seat else None


def _neighbour(referee: Referee, seat: int) -> int:
    """Somebody on the same tile, or the giver when alone."""
    pawns = referee.state.pawns
    return next((to for to in referee.state.alive() if to != seat and pawns[to] == pawns[seat]), seat)


def _give_special(referee: Referee, seat: int) -> dict | None:
    return _give(referee, seat, _neighbour(referee, seat), ("helicopter", "sandbags"))


def _give_from_afar(referee: Referee, seat: int) -> dict | None:
    pawns = referee.state.pawns
    away = [to for to in referee.state.alive() if pawns[to] != pawns[seat]]
    return _give(referee, seat, away[0], TREASURES) if away else None


def _give_what_is_not_held(referee: Referee, seat: int) -> dict | None:
    to = _neighbour(referee, seat)
    missing = [card for card in TREASURES if not referee.state.hands[seat][card]]
    return {"event": "give", "to": to, "card": missing[0]} if missing and to != seat else None


def _give_to_oneself(referee: Referee, seat: int) -> dict | None:
    held = [card for card in TREASURES if referee.state.hands[seat][card]]
    return {"event": "give", "to": seat, "card": held[0]} if held else None


def _give_to_full(referee: Referee, seat: int) -> dict | None:
    state, to = referee.state, _neighbour(referee, seat)
    if state.rules["give_to_full_hand"] or state.hands[to].total() < state.rules["hand_limit"]:
        return None
    return _give(referee, seat, to, TREASURES)


def _take(referee: Referee, seat: int) -> dict | None:
    """A card taken from another: the other gives in a turn that is not theirs."""
    to = _neighbour(referee, seat)
    held = [card for card in TREASURES if referee.state.hands[to][card]]
    return {"event": "give", "player": to, "to": seat, "card": held[0]} if held and to != seat else None


action("a special card given", "FI-4.3", _give_special)
action("a card given from afar", "FI-4.3", _give_from_afar, "-messenger")
action("a card given that is not held", "FI-4.3", _give_what_is_not_held)
action("a card given to oneself", "FI-4.3", _give_to_oneself)
action("a card given to a full hand against the knob", "FI-10", _give_to_full)
action("a card taken instead of given", "FI-3.1", _take)


def _capture_poor(referee: Referee, seat: int) -> dict | None:
    state = referee.state
    for treasure, pair in TREASURE_TILES.items():
        poor = state.hands[seat][treasure] < state.rules["capture_cost"]
        if poor and state.pawns[seat] in pair and treasure not in state.captured:
            return {"event": "capture", "treasure": treasure}
    return None


def _capture_elsewhere(referee: Referee, seat: int) -> dict | None:
    state = referee.state
    for treasure, pair in TREASURE_TILES.items():
        rich = state.hands[seat][treasure] >= state.rules["capture_cost"]
        if rich and state.pawns[seat] not in pair and treasure not in state.captured:
            return {"event": "capture", "treasure": treasure}
    return None


def _capture_again(referee: Referee, seat: int) -> dict | None:
    captured = first(referee.state.captured)
    return None if captured is None else {"event": "capture", "treasure": captured}


action("a treasure captured with too few cards", "FI-4.4", _capture_poor)
action("a treasure captured on another tile", "FI-4.4", _capture_elsewhere)
action("a treasure captured twice", "FI-4.4", _capture_again)


def _fly(choose: Callable[[Referee, int], set[str]]) -> Callable[[Referee, int], dict | None]:
    def make(referee: Referee, seat: int) -> dict | None:
        to = first(choose(referee, seat))
        return None if to is None else {"event": "fly", "to": to}

    return make


def _again(referee: Referee, seat: int) -> set[str]:
    return movement.flights(referee.state, seat) if referee.flown else set()


def _sunk_unless_flown(referee: Referee, seat: int) -> set[str]:
    return set() if referee.flown else tiles_that_are(referee, SUNK)


action(
    "a flight of another than the Pilot",
    "FI-5.4",
    _fly(lambda referee, seat: movement.flights(referee.state, seat)),
    "-pilot",
)
action("a second flight in one turn", "FI-5.4", _fly(_again), "pilot")
action("a flight to a sunk tile", "FI-5.4", _fly(_sunk_unless_flown), "pilot")


def _navigate(choose: Callable[[Referee, int], set[str]]) -> Callable[[Referee, int], dict | None]:
    """The Navigator moves some other pawn to the first of a set of wrong tiles."""

    def make(referee: Referee, seat: int) -> dict | None:
        for pawn in referee.state.alive():
            to = first(choose(referee, pawn)) if pawn != seat else None
            if to is not None:
                return {"event": "navigate", "pawn": pawn, "to": to}
        return None

    return make


def _navigable(referee: Referee, pawn: int) -> set[str]:
    return movement.navigations(referee.state, pawn)


def _not_navigable(referee: Referee, pawn: int) -> set[str]:
    return tiles_that_are(referee, DRY, FLOODED) - _navigable(referee, pawn) - {referee.state.pawns[pawn]}


def _own_pawn(referee: Referee, seat: int) -> dict | None:
    to = first(movement.moves(referee.state, seat))
    return None if to is None else {"event": "navigate", "pawn": seat, "to": to}


def _beyond_gap_unless(power: str) -> Callable[[Referee, int], set[str]]:
    """Tiles that only the way through a gap reaches, for a pawn that may not take it."""

    def choose(referee: Referee, pawn: int) -> set[str]:
        is_power = referee.state.power(pawn) == power
        one_gap = referee.state.rules["navigator_moves_diver"] == "one_gap"
        if is_power and one_gap:
            return set()
        beyond = set().union(*(referee.state.edges[gap] for gap in _gap(referee, pawn)))
        return beyond & _not_navigable(referee, pawn)

    return choose


action("pawns moved by another than the Navigator", "FI-5.5", _navigate(_navigable), "-navigator")
action("the Navigator moves the own pawn", "FI-5.5", _own_pawn, "navigator")
action("the Navigator moves a pawn too far", "FI-5.5", _navigate(_not_navigable), "navigator")
action("the Navigator moves a pawn into a gap", "FI-5.5", _navigate(_gap), "navigator")
action("the Navigator moves a pawn over a gap", "FI-5.5", _navigate(_beyond_gap_unless("diver")), "navigator")
action(
    "the Navigator moves a pawn back to its tile",
    "FI-5.5",
    _navigate(lambda referee, pawn: {referee.state.pawns[pawn]}),
    "navigator",
)


# ---- special cards: FI-6 -------------------------------------------------------------------------------------------


def _lift(referee: Referee, pawns: list[int], goals: set[str]) -> dict | None:
    to = first(goals)
    return None if to is None else {"pawns": pawns, "to": to}


def _elsewhere(referee: Referee, pawn: int) -> set[str]:
    return movement.flights(referee.state, pawn)


def _lift_of_several_tiles(referee: Referee, seat: int) -> dict | None:
    pawns = referee.state.pawns
    away = [other for other in referee.state.alive() if pawns[other] != pawns[seat]]
    return _lift(referee, [seat, away[0]], _elsewhere(referee, seat)) if away else None


def _lift_without_card(referee: Referee, _: dict) -> dict | None:
    state = referee.state
    for seat in state.alive() if referee.is_quiet() else []:
        if not state.hands[seat]["helicopter"] and movement.flights(state, seat):
            return {"event": "helicopter", "player": seat, "pawns": [seat], "to": first(_elsewhere(referee, seat))}
    return None


def _sandbags_without_card(referee: Referee, _: dict) -> dict | None:
    flooded = first(tiles_that_are(referee, FLOODED))
    for seat in referee.state.alive() if referee.is_quiet() and flooded else []:
        if not referee.state.hands[seat]["sandbags"]:
            return {"event": "sandbags", "player": seat, "tile": flooded}
    return None


def _bags(state: str) -> Callable[[Referee, int], dict | None]:
    def make(referee: Referee, seat: int) -> dict | None:
        tile = first(tiles_that_are(referee, state))
        return None if tile is None else {"tile": tile}

    return make


def _special_when_due(what: str) -> Callable[[Referee, dict], dict | None]:
    """Sandbags in the middle of a step that must be finished first."""

    def make(referee: Referee, _: dict) -> dict | None:
        flooded = first(tiles_that_are(referee, FLOODED))
        if referee.due is None or referee.due.what != what or flooded is None:
            return None
        holders = [seat for seat in referee.state.alive() if referee.state.hands[seat]["sandbags"]]
        return {"event": "sandbags", "player": holders[0], "tile": flooded} if holders else None

    return make


def _lift_of_a_swimmer(referee: Referee, _: dict) -> dict | None:
    state, due = referee.state, referee.due
    if due is None or due.what != "swim" or state.rules["lift_saves_swimmer"]:
        return None
    holders = [seat for seat in state.alive() if state.hands[seat]["helicopter"]]
    to = first(_elsewhere(referee, due.seats[0]))
    return {"event": "helicopter", "player": holders[0], "pawns": [due.seats[0]], "to": to} if holders else None


def _lift_of_a_bystander(referee: Referee, _: dict) -> dict | None:
    state, due = referee.state, referee.due
    if due is None or due.what != "swim" or not state.rules["lift_saves_swimmer"]:
        return None
    holders = [seat for seat in state.alive() if state.hands[seat]["helicopter"]]
    others = [seat for seat in state.alive() if seat not in due.seats]
    if not holders or not others:
        return None
    to = first(_elsewhere(referee, others[0]))
    return {"event": "helicopter", "player": holders[0], "pawns": others[:1], "to": to}


def _before_first_turn(referee: Referee, _: dict) -> dict | None:
    if referee.phase != "between":
        return None
    return {"event": "sandbags", "player": 0, "tile": first(referee.state.tiles)}


def _saved_against_the_rule(referee: Referee, event: dict) -> dict | None:
    against = event["state"] == SUNK and not referee.state.rules["sandbags_save_sinking"]
    return {"state": "saved"} if against else None


special(
    "a Lift to a sunk tile",
    "FI-6.1",
    "helicopter",
    lambda referee, seat: _lift(referee, [seat], tiles_that_are(referee, SUNK)),
)
special(
    "a Lift that goes nowhere",
    "FI-6.1",
    "helicopter",
    lambda referee, seat: {"pawns": [seat], "to": referee.state.pawns[seat]},
)
special("a Lift of nobody", "FI-6.1", "helicopter", lambda referee, seat: _lift(referee, [], _elsewhere(referee, seat)))
special(
    "a Lift of one pawn twice",
    "FI-6.1",
    "helicopter",
    lambda referee, seat: _lift(referee, [seat, seat], _elsewhere(referee, seat)),
)
special("a Lift from several tiles", "FI-6.1", "helicopter", _lift_of_several_tiles)
inserted("a Lift without the card", "FI-6.1", _lift_without_card)
special("Sandbags on a dry tile", "FI-6.1", "sandbags", _bags(DRY))
special("Sandbags on a sunk tile", "FI-6.1", "sandbags", _bags(SUNK))
inserted("Sandbags without the card", "FI-6.1", _sandbags_without_card)
inserted("a special card before the first turn", "FI-6.2", _before_first_turn)
inserted("a special card between Waters Rise! and the rise", "FI-7.3", _special_when_due("rise"))
inserted("a special card between a reshuffle and its draw", "FI-7.1", _special_when_due("draw"))
inserted("Sandbags while pawns must swim", "FI-8.3", _special_when_due("swim"))
inserted("a Lift while pawns must swim", "FI-8.3", _lift_of_a_swimmer)
inserted("a Lift of others while pawns must swim", "FI-8.3", _lift_of_a_bystander)
replaced("a revealed card answered with Sandbags", "FI-6.3", "flood", _saved_against_the_rule)
dropped("a card answered without Sandbags", "FI-10", "sandbags", lambda referee, event, following: referee.due)


# ---- treasure cards and the hand limit: FI-7 -----------------------------------------------------------------------


def _card_used_up(referee: Referee, event: dict) -> dict | None:
    spent = [card for card in (*TREASURES, "helicopter", "sandbags") if not referee.state.deck[card]]
    return {"card": spent[0]} if spent and referee.state.deck else None


def _reshuffle_early(referee: Referee, event: dict) -> dict | None:
    early = event["event"] == "draw" and referee.state.deck and referee.due is None
    return {"event": "reshuffle", "deck": "treasure"} if early else None


def _reshuffle_among_floods(referee: Referee, event: dict) -> dict | None:
    return {"event": "reshuffle", "deck": "treasure"} if referee.is_quiet() and referee.phase == "floods" else None


def _rise_without_card(referee: Referee, _: dict) -> dict | None:
    return {"event": "rise", "tick": referee.state.tick + 1} if referee.is_quiet() else None


def _last_discard(referee: Referee, event: dict, following: dict) -> bool:
    return following["event"] not in ("discard", "helicopter", "sandbags", "escape")


def _discard_what_is_not_held(referee: Referee, event: dict) -> dict | None:
    missing = [card for card in TREASURES if not referee.state.hands[event["player"]][card]]
    return {"card": missing[0]} if missing else None


def _discard_at_will(referee: Referee, _: dict) -> dict | None:
    for seat in referee.state.alive() if referee.is_quiet() else []:
        hand = +referee.state.hands[seat]
        if hand and hand.total() <= referee.state.rules["hand_limit"]:
            return {"event": "discard", "player": seat, "card": first(hand)}
    return None


def _discard_too_soon(referee: Referee, event: dict) -> dict | None:
    state, seat = referee.state, referee.state.active
    waits = state.rules["hand_limit_check"] == "after_draw" and referee.is_quiet() and referee.phase == "draws"
    over = state.hands[seat].total() > state.rules["hand_limit"]
    return {"event": "discard", "player": seat, "card": first(+state.hands[seat])} if waits and over else None


def _special_of_another_over_limit(referee: Referee, event: dict) -> dict | None:
    flooded = first(tiles_that_are(referee, FLOODED))
    holders = [s for s in referee.state.alive() if referee.state.hands[s]["sandbags"]]
    if event["event"] != "discard" or flooded is None or not set(holders) - {event["player"]}:
        return None
    return {"event": "sandbags", "player": first(set(holders) - {event["player"]}), "tile": flooded}


replaced("a card drawn that the deck no longer holds", "FI-7.1", "draw", _card_used_up)
replaced("a card drawn that is no card", "FI-7.1", "draw", lambda referee, event: {"card": "spade"})
dropped("a draw without the reshuffle", "FI-7.1", "reshuffle", lambda referee, event, _: event["deck"] == "treasure")
inserted("a reshuffle before the deck is empty", "FI-7.1", _reshuffle_early)
inserted("a reshuffle with no card due", "FI-7.1", _reshuffle_among_floods)
dropped("a Waters Rise! without the rise", "FI-7.3", "rise", lambda referee, event, following: True)
replaced("a rise of two ticks", "FI-7.3", "rise", lambda referee, event: {"tick": event["tick"] + 1})
inserted("a rise without a card", "FI-7.3", _rise_without_card)
dropped("a hand left above the limit", "FI-7.2", "discard", _last_discard)
replaced("a discard by another player", "FI-7.2", "discard", _wrong_seat)
replaced("a discard of a card that is not held", "FI-7.2", "discard", _discard_what_is_not_held)
inserted("a discard at will", "FI-7.2", _discard_at_will)
inserted("a discard before all cards are drawn", "FI-10", _discard_too_soon)
inserted("another's special card while a hand is too large", "FI-7.2", _special_of_another_over_limit)


# ---- flood cards and swimming: FI-8 --------------------------------------------------------------------------------


def _flood_of(choose: Callable[[Referee], set[str]], after: str) -> Callable[[Referee, dict], dict | None]:
    def change(referee: Referee, event: dict) -> dict | None:
        tile = first(choose(referee))
        return None if tile is None else {"tile": tile, "state": after}

    return change


def _lower_layers(referee: Referee) -> set[str]:
    return set().union(*referee.state.flood_layers) - referee.state.top_flood_cards()


def _discarded_unless_due(referee: Referee) -> set[str]:
    state = referee.state
    return {tile for tile in state.flood_discard if state.tiles[tile] == FLOODED} if state.top_flood_cards() else set()


def _flood_reshuffle_early(referee: Referee, event: dict) -> dict | None:
    early = event["event"] == "flood" and referee.state.top_flood_cards() and referee.due is None
    return {"event": "reshuffle", "deck": "flood"} if early else None


def _swim_wrong(choose: Callable[[Referee, int], set[str]], powers: tuple[str, ...]) -> Callable:
    def change(referee: Referee, event: dict) -> dict | None:
        seat = event["player"]
        to = first(choose(referee, seat)) if referee.state.power(seat) in powers else None
        return None if to is None else {"to": to}

    return change


def _not_swum_to(referee: Referee, seat: int) -> set[str]:
    return tiles_that_are(referee, DRY, FLOODED) - movement.swims(referee.state, seat)


def _sunk(referee: Referee, seat: int) -> set[str]:
    return tiles_that_are(referee, SUNK)


def _swim_out_of_order(referee: Referee, event: dict) -> dict | None:
    seats = referee.due.seats
    if len(seats) < 2:
        return None
    return {"player": seats[1], "to": first(movement.swims(referee.state, seats[1]))}


def _swim_for_fun(referee: Referee, _: dict) -> dict | None:
    seat = referee.state.active
    if not referee.is_quiet() or referee.state.pawns[seat] is None:
        return None
    to = first(movement.swims(referee.state, seat))
    return None if to is None else {"event": "swim", "player": seat, "to": to}


PLAIN_SWIMMERS = ("ordinary", "engineer", "navigator", "messenger")

replaced(
    "a dry tile sinks at once",
    "FI-8.1",
    "flood",
    lambda referee, event: {"state": SUNK} if event["state"] == FLOODED else None,
)
replaced(
    "a flooded tile floods again",
    "FI-8.1",
    "flood",
    lambda referee, event: {"state": FLOODED} if event["state"] == SUNK else None,
)
replaced("the card of a sunk tile", "FI-8.1", "flood", _flood_of(lambda r: tiles_that_are(r, SUNK), SUNK))
replaced("a card from the flood discard", "FI-8.1", "flood", _flood_of(_discarded_unless_due, SUNK))
replaced("a card from below the shuffled discard", "FI-7.3", "flood", _flood_of(_lower_layers, FLOODED))
dropped("a flood card without the reshuffle", "FI-8.2", "reshuffle", lambda referee, event, _: event["deck"] == "flood")
inserted("the flood discard shuffled before the deck is empty", "FI-8.2", _flood_reshuffle_early)
dropped("a pawn that does not swim", "FI-8.3", "swim", lambda referee, event, following: following["event"] != "end")
replaced("pawns swim out of order", "FI-8.3", "swim", _swim_out_of_order)
replaced("a swim too far", "FI-8.3", "swim", _swim_wrong(_not_swum_to, PLAIN_SWIMMERS))
replaced("a swim to a sunk tile", "FI-8.3", "swim", _swim_wrong(_sunk, PLAIN_SWIMMERS))
replaced("an Explorer's swim too far", "FI-5.1", "swim", _swim_wrong(_not_swum_to, ("explorer",)))
replaced("a Pilot's swim to a sunk tile", "FI-5.4", "swim", _swim_wrong(_sunk, ("pilot",)))
replaced("a Diver's swim past the nearest tile", "FI-5.6", "swim", _swim_wrong(_not_swum_to, ("diver",)))
inserted("a swim though no tile sank", "FI-8.3", _swim_for_fun)


# ---- the end: FI-9 -------------------------------------------------------------------------------------------------


def _ended_by(*causes: str | None) -> Callable[[Events], bool]:
    return lambda events: events[-1]["cause"] in causes


def _end_with(fits: Callable[[Events], bool], **fields: object) -> Callable[[Events], Events | None]:
    return lambda events: [*events[:-1], events[-1] | fields] if fits(events) else None


def _end_early(result: str, cause: str | None) -> Callable[[Referee, dict], dict | None]:
    def make(referee: Referee, event: dict) -> dict | None:
        if not referee.is_quiet() or event["event"] == "end":
            return None
        rest = {"causes": [cause] if cause else [], "treasures": [], "drowned": [], "turns": referee.state.turn}
        return {"event": "end", "result": result, "cause": cause} | rest

    return make


def _play_on(*causes: str | None) -> Callable[[Events], Events | None]:
    """Something happens between the decision and the end."""

    def plant(events: Events) -> Events | None:
        if events[-1]["cause"] not in causes or events[0]["rules"]["swim"] == "eliminate":
            return None
        extra = {"event": "rise", "tick": 9}
        return [*events[:-1], extra, events[-1]]

    return plant


def _escape_early(referee: Referee, _: dict) -> dict | None:
    state = referee.state
    if not referee.may_act() or len(state.captured) == 4:
        return None
    return {"event": "escape", "player": state.active}


def _escape_from_elsewhere(referee: Referee, _: dict) -> dict | None:
    state = referee.state
    if not referee.may_act() or len(state.captured) < 4 or state.can_escape():
        return None
    return {"event": "escape", "player": state.active}


def _escape_without_lift(referee: Referee, event: dict) -> dict | None:
    without = [seat for seat in referee.state.alive() if not referee.state.hands[seat]["helicopter"]]
    by_lift = referee.state.rules["escape"] == "helicopter" and referee.is_quiet()
    return {"player": without[0]} if without and by_lift else None


def _lift_instead_of_escape(referee: Referee, event: dict) -> dict | None:
    if event["event"] != "escape" or referee.state.rules["escape"] != "helicopter":
        return None
    pawns = referee.state.alive()
    to = first(tiles_that_are(referee, DRY, FLOODED) - {LANDING})
    return None if to is None else {"event": "helicopter", "player": event["player"], "pawns": pawns, "to": to}


def _causes_out_of_order(events: Events) -> Events | None:
    causes = events[-1]["causes"]
    return None if len(causes) < 2 else [*events[:-1], events[-1] | {"cause": causes[1], "causes": causes[::-1]}]


def _cause_left_out(events: Events) -> Events | None:
    causes = events[-1]["causes"]
    return None if len(causes) < 2 else [*events[:-1], events[-1] | {"causes": causes[:1]}]


def _wrong_drowned(events: Events) -> Events | None:
    drowned = events[-1]["drowned"]
    return [*events[:-1], events[-1] | {"drowned": drowned[1:] if drowned else [0]}]


def _wrong_treasures(events: Events) -> Events | None:
    lost = events[-1]["treasures"]
    return [*events[:-1], events[-1] | {"treasures": [] if lost else ["fire"]}]


for _cause, _rule_number in (
    ("landing_sunk", "FI-9.3"),
    ("treasure_sunk", "FI-9.2"),
    ("drowned", "FI-9.4"),
    ("skull", "FI-9.5"),
    (None, "FI-9.1"),
):
    _label = _cause or "the win"
    add(f"play goes on after {_label}", _rule_number, _play_on(_cause))
    inserted(f"an end by {_label} that did not happen", _rule_number, _end_early("lost" if _cause else "won", _cause))


def _stopped_early(events: Events) -> Events | None:
    """An end by the turn limit in place of the second turn."""
    for index, event in enumerate(events):
        if event["event"] == "turn" and event["number"] == 2 and events[0]["rules"]["turn_limit"] > 1:
            end = {"event": "end", "result": "stopped", "cause": "turn_limit", "causes": ["turn_limit"]}
            return [*events[:index], end | {"treasures": [], "drowned": [], "turns": 1}]
    return None


add("stopped before the turn limit", "FI-9.7", _stopped_early)
add("a loss called won", "FI-9.3", _end_with(_ended_by("landing_sunk"), result="won"))
add("a stop called lost", "FI-9.7", _end_with(_ended_by("turn_limit"), result="lost"))
add("a sunk landing called skull", "FI-9.3", lambda events: _renamed(events, "landing_sunk", "skull"))
add("a sunk pair called skull", "FI-9.2", lambda events: _renamed(events, "treasure_sunk", "skull"))
add("a drowning called skull", "FI-9.4", lambda events: _renamed(events, "drowned", "skull"))
add("a skull called a sunk landing", "FI-9.5", lambda events: _renamed(events, "skull", "landing_sunk"))
add("the causes in the wrong order", "FI-9.6", _causes_out_of_order)
add("a cause left out", "FI-9.6", _cause_left_out)
add("the wrong pair lost", "FI-9.2", _wrong_treasures)
add("the wrong seats drowned", "FI-9.4", _wrong_drowned)
add("the turns miscounted", "trace", lambda events: [*events[:-1], events[-1] | {"turns": events[-1]["turns"] + 1}])
inserted("an escape without all treasures", "FI-9.1", _escape_early)
inserted("an escape without all pawns on the landing", "FI-9.1", _escape_from_elsewhere)
replaced("an escape without a Lift", "FI-9.1", "escape", _escape_without_lift)
inserted("a Lift in the place of the escape", "FI-9.1", _lift_instead_of_escape)
add("no end", "trace", lambda events: events[:-1])
add("a game that just stops", "trace", lambda events: events[: len(events) // 2])
add("events after the end", "trace", lambda events: [*events, events[-2]])
add("two ends", "trace", lambda events: [*events, events[-1]])


def _renamed(events: Events, cause: str, other: str) -> Events | None:
    if events[-1]["causes"] != [cause]:
        return None
    return [*events[:-1], events[-1] | {"cause": other, "causes": [other]}]


# ---- section 11, and the form of the trace -------------------------------------------------------------------------


def _chosen_sunk(referee: Referee, event: dict) -> dict | None:
    tile = first(tiles_that_are(referee, SUNK))
    return None if tile is None else {"tile": tile, "state": SUNK}


def _dead_hand(referee: Referee, _: dict) -> dict | None:
    dead = [seat for seat, tile in enumerate(referee.state.pawns) if tile is None]
    return {"event": "sandbags", "player": dead[0], "tile": LANDING} if dead and referee.is_quiet() else None


def _dead_turn(referee: Referee, event: dict) -> dict | None:
    dead = [seat for seat, tile in enumerate(referee.state.pawns) if tile is None]
    return {"player": dead[0]} if dead else None


def _last_out(referee: Referee, event: dict, following: dict) -> bool:
    return following["event"] not in ("eliminated", "end")


def _out_for_nothing(referee: Referee, _: dict) -> dict | None:
    return {"event": "eliminated", "player": first(referee.state.alive())} if referee.is_quiet() else None


def _flood_by_choice_for_nothing(referee: Referee, _: dict) -> dict | None:
    tile = first(tiles_that_are(referee, DRY))
    if not referee.is_quiet() or tile is None or referee.state.pawns[referee.state.active] is None:
        return None
    return {"event": "chosen_flood", "player": referee.state.active, "tile": tile, "state": FLOODED}


dropped("a flood card that floods nothing", "FI-11", "chosen_flood", lambda referee, event, following: True)
replaced("a flood by choice of another player", "FI-11", "chosen_flood", _wrong_seat)
replaced("a sunk tile chosen to flood", "FI-11", "chosen_flood", _chosen_sunk)
replaced(
    "a chosen flood in the wrong state",
    "FI-8.1",
    "chosen_flood",
    lambda referee, event: {"state": SUNK if event["state"] == FLOODED else FLOODED},
)
inserted("a flood by choice without the card", "FI-11", _flood_by_choice_for_nothing)
dropped("a pawn that is not eliminated", "FI-11", "eliminated", _last_out)
inserted("a pawn eliminated for nothing", "FI-11", _out_for_nothing)
inserted("a special card of an eliminated player", "FI-11", _dead_hand)
replaced("a turn of an eliminated player", "FI-11", "turn", _dead_turn)

inserted("an unknown event", "trace", lambda referee, _: {"event": "pass"})
inserted("an event without its fields", "trace", lambda referee, _: {"event": "turn"})
replaced("an unknown tile", "FI-1.1", "flood", lambda referee, event: {"tile": "Atlantis"})
replaced("an unknown seat", "FI-1.6", "draw", lambda referee, event: {"player": 7})

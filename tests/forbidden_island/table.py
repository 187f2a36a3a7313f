"""Positions for tests: an island, pawns, hands and stacked decks, and a script that answers for the players.

A drawing is rows of places, apart by blanks. A place is `#` (dry), `~` (flooded), `x` (sunk) or `.` (a hole),
followed by the seats whose pawns stand there, then a letter that names it, then `*` if the test expects it to be
reached: `~01a*`. Without a drawing the island is the standard map, all dry.

Tile i lies on cell i unless `tiles` says otherwise, so without a drawing the island is

                           Landing  Bronze
                  Copper   Gold     Iron     Silver
         Moon     Sun      Howling  Whisper. Embers   Shadows
         Coral    Tidal    Breakers Cliffs   Crimson  Dunes
                  Lagoon   Marsh    Observ.  Phantom
                           Twilight Watchtower
"""

from __future__ import annotations

import re

import numpy as np
from numba import types

from sim.core import rng
from sim.core.compile import COMPILED, compile_for, jit
from sim.core.policy import MEMORY, MIND
from sim.forbidden_island import choices, engine, legal, setup
from sim.forbidden_island import rules as rule
from sim.forbidden_island import trace as traces
from sim.forbidden_island.constants import (
    ACT,
    CARDS,
    CAUSES,
    DECISIONS,
    HELICOPTER,
    MAX_METER,
    N_CARDS,
    N_TILES,
    N_TREASURES,
    PASS,
    RESULTS,
    ROLES,
    SANDBAGS,
    SAVE,
    TILES,
    TREASURES,
    WINDOW,
)
from sim.forbidden_island.game import rules_record
from sim.forbidden_island.knobs import resolve
from sim.forbidden_island.log import LOG
from sim.forbidden_island.state import HIDDEN, ROW, VIEW

STOP = PASS
"""The answer that ends one's actions, plays no card now, or lets things go."""

SEED = 11

_NOTES = 4  # numbers noted of each question
_BELOW = 1000  # priority of the cards under the stacked ones

TAKE_TURN, TAKE_ACTIONS, DRAW_TREASURES, DRAW_FLOODS, PLAY_GAME = range(5)


@jit(pointer=True)
def scripted(rules, view, mind, stream):
    """Give the answers of a script in their order; then stop where that is legal, and fault where it is not."""
    asked = int(mind.memory[0])
    mind.memory[0] = asked + 1
    at = 1 + _NOTES * asked
    if at + _NOTES <= MEMORY:
        mind.memory[at] = view.decision
        mind.memory[at + 1] = view.decider
        mind.memory[at + 2] = view.draws_left
        mind.memory[at + 3] = view.floods_left
    if asked < int(mind.numbers[0]):
        return int(mind.numbers[1 + asked])
    if view.decision == ACT or view.decision == WINDOW or view.decision == SAVE:
        return PASS
    return -1


@jit
def _run(
    what,
    ruleses,
    seed,
    first,
    choose,
    minds,
    views,
    hiddens,
    streams,
    rows,
    ticks,
    flooded,
    sunk,
    captured,
    cells,
    logbooks,
):
    """Play a part of a game from the position in the records; the arguments after `what` are those of `play_batch`."""
    rules = ruleses[0]
    view = views[0]
    hidden = hiddens[0]
    stream = streams[0]
    row = rows[0]
    mind = minds[0]
    log = logbooks[0]
    if what == TAKE_TURN:
        engine.take_turn(rules, view, hidden, row, choose, mind, stream, log)
    elif what == TAKE_ACTIONS:
        engine.take_actions(rules, view, hidden, row, choose, mind, stream, log)
    elif what == DRAW_TREASURES:
        engine.draw_treasure_cards(rules, view, hidden, row, choose, mind, stream, log)
    elif what == DRAW_FLOODS:
        engine.draw_flood_cards(rules, view, hidden, row, choose, mind, stream, log)
    else:
        engine.play_game(rules, view, hidden, row, choose, mind, stream, ticks, flooded, sunk, captured, log)
    return hidden.fault


def record(array):
    """The one record of an array, readable by attribute also when nothing is compiled."""
    return array[0] if COMPILED else array.view(np.recarray)[0]


_SILENT = record(np.zeros(1, LOG))


def _places(drawing):
    place = re.compile(r"([#~x.])([0-3]*)([a-z]?)(\*?)")
    rows = []
    for line in drawing.strip("\n").splitlines():
        found = [place.fullmatch(word) for word in line.split()]
        assert all(found), f"not a row of places: {line!r}"
        if found:
            rows.append([match.groups() for match in found])
    return rows


class Table:
    """One game in a chosen position, seat 0 to move unless `active` says otherwise.

    roles: names by seat, which also say how many play.  hands: by seat, names of cards.  tiles: tile -> letter of a
    place (or tile that lies there), the two change places.  flooded, sunk: places.  captured: names of treasures.
    knobs: any rule knob.  Flood cards of flooded tiles lie in the discard, of dry ones in the deck, until `flood_deck`.
    """

    def __init__(
        self,
        drawing=None,
        *,
        roles="engineer messenger",
        hands=(),
        tiles=None,
        pawns=None,
        flooded=(),
        sunk=(),
        captured="",
        active=0,
        tick=None,
        **knobs,
    ):
        seats = roles.split()
        rows = _places(drawing) if drawing else []
        if rows and knobs.get("grid") != "hex":
            knobs["map"] = ["".join("." if place[0] == "." else "#" for place in row) for row in rows]
        self.knobs = resolve({"players": len(seats), "roles": seats, **knobs})
        self.ruleses = rules_record(self.knobs)
        self.views, self.hiddens = np.zeros(1, VIEW), np.zeros(1, HIDDEN)
        self.streams, self.rows = np.zeros(1, rng.STREAM), np.zeros(1, ROW)
        self.rules, self.view, self.hidden = record(self.ruleses), record(self.views), record(self.hiddens)
        self.row = record(self.rows)
        self.players = len(seats)
        setup.set_up(self.rules, self.view, self.hidden, self.row, record(self.streams), SEED, 0, _SILENT)
        self.labels = {}
        self.stars = set()
        self._lay_out(rows, tiles or {})
        for place, mark in [*((place, "~") for place in flooded), *((place, "x") for place in sunk)]:
            self._mark(self.cell(place), mark)
        for seat, place in (pawns or {}).items():
            self.view["pawn"][seat] = self.cell(place)
        self.view["active"] = self.view["first_seat"] = active
        self.view["turn"] = 0
        self.view["tick"] = tick or self.rules["start_tick"]
        self.view["captured"] = sum(1 << TREASURES.index(name) for name in captured.split())
        self._clear_the_cards()
        for seat, cards in enumerate(hands):
            self.hold(seat, cards)
        self.treasure_deck()
        self.flood_deck()
        self.events, self.asked, self.fault = [], [], None

    # ---- the position ----

    def _lay_out(self, rows, tiles):
        view = self.view
        view["tile_at"][:] = view["cell_of"][:] = np.arange(N_TILES)
        view["land"], view["flooded"] = (1 << N_TILES) - 1, 0
        pawns, marks = {}, []
        drawn = [place for row in rows for place in row if place[0] != "."]
        assert len(drawn) in (0, N_TILES), f"{len(drawn)} places drawn"
        for cell, (mark, seats, label, star) in enumerate(drawn):
            marks.append((cell, mark))
            pawns.update({int(seat): cell for seat in seats})
            if label:
                assert label not in self.labels, f"{label} twice"
                self.labels[label] = cell
            if star:
                self.stars.add(cell)
        for tile, place in tiles.items():
            mine, theirs = int(view["cell_of"][TILES.index(tile)]), self.cell(place)
            view["tile_at"][[mine, theirs]] = view["tile_at"][[theirs, mine]]
            view["cell_of"][view["tile_at"][[mine, theirs]]] = [mine, theirs]
        view["landing"] = view["cell_of"][0]
        for treasure in range(N_TREASURES):
            view["treasure_cells"][treasure] = sum(1 << int(view["cell_of"][6 + 2 * treasure + i]) for i in (0, 1))
        for seat in range(self.players):
            start = 0 if self.knobs["start_tiles"] == "landing" else ROLES.index(self.knobs["roles"][seat])
            view["pawn"][seat] = pawns.get(seat, int(view["cell_of"][start]))
        for cell, mark in marks:
            self._mark(cell, mark)

    def _mark(self, cell, mark):
        view, bit = self.view, 1 << cell
        view["land"] = view["land"] & ~bit if mark == "x" else view["land"] | bit
        view["flooded"] = view["flooded"] | bit if mark == "~" else view["flooded"] & ~bit

    def _clear_the_cards(self):
        view = self.view
        view["deck"][:] = self.rules["copies"]
        view["discard"][:] = 0
        view["hand"][:] = 0
        view["hand_size"][:] = 0
        view["specials_held"] = 0

    def hold(self, seat, cards):
        """Cards from the deck into a hand."""
        for card in _codes(cards):
            self.view["deck"][card] -= 1
            assert self.view["deck"][card] >= 0, f"no more {CARDS[card]}"
            self.view["hand"][seat, card] += 1
            self.view["hand_size"][seat] += 1
            self.view["specials_held"] += card in (HELICOPTER, SANDBAGS)

    def treasure_deck(self, top="", *, discard=None):
        """Stack the treasure deck: `top` are the next cards drawn.

        The others lie below; with `discard` (names of cards, or "rest") those lie in the treasure discard, and with
        "rest" the deck is `top` alone.
        """
        view = self.view
        codes = _codes(top)
        loose = view["deck"] + view["discard"]
        in_discard = np.zeros(N_CARDS, np.int64)
        if discard == "rest":
            in_discard += loose - np.bincount(codes, minlength=N_CARDS)
        elif discard:
            in_discard += np.bincount(_codes(discard), minlength=N_CARDS)
        view["discard"][:] = in_discard
        view["deck"][:] = loose - in_discard
        assert (in_discard >= 0).all(), "more cards on top than there are"
        view["deck_size"] = view["deck"].sum()
        slots, used = 0, np.zeros(N_CARDS, np.int64)
        for card in range(N_CARDS):
            start = int(self.rules["slot_start"][card])
            slots |= ((1 << int(view["deck"][card])) - 1) << start
        self.hidden["deck_slots"] = slots
        self.hidden["treasure_priority"][:] = [
            _priority(_BELOW, i) for i in range(self.hidden["treasure_priority"].size)
        ]
        for place, card in enumerate(codes):
            assert used[card] < view["deck"][card], f"no more {CARDS[card]} in the deck"
            slot = int(self.rules["slot_start"][card]) + used[card]
            self.hidden["treasure_priority"][slot] = _priority(place, slot)
            used[card] += 1

    def flood_deck(self, *top, discard=None):
        """Stack the flood deck: `top` are the next cards drawn.  Of the others those of flooded tiles (with `discard`
        those of its places, with "rest" all) lie in the flood discard, the rest below."""
        view = self.view
        above = [self.cell(place) for place in top]
        rest = [cell for cell in range(N_TILES) if int(view["land"]) >> cell & 1 and cell not in above]
        if discard == "rest":
            out = set(rest)
        elif discard is not None:
            out = {self.cell(place) for place in discard}
            assert out <= set(rest)
        else:
            out = {cell for cell in rest if int(view["flooded"]) >> cell & 1}
        layers = [_mask(set(rest) - out), _mask(above)]
        layers = [cells for cells in layers if cells]
        view["layer"][:] = 0
        view["layer"][: len(layers)] = layers
        view["layers"] = len(layers)
        view["flood_discard"] = _mask(out)
        self.hidden["flood_priority"][:] = [_priority(_BELOW, i) for i in range(N_TILES)]
        for place, cell in enumerate(above):
            self.hidden["flood_priority"][cell] = _priority(place, cell)

    # ---- names ----

    def cell(self, place):
        """The cell of a letter of the drawing, or of a tile's name, or itself."""
        if isinstance(place, str):
            return self.labels[place] if place in self.labels else int(self.view["cell_of"][TILES.index(place)])
        return int(place)

    def tile(self, place):
        """The name of the tile at a place."""
        return TILES[int(self.view["tile_at"][self.cell(place)])]

    def cells(self, mask):
        """The members of a mask."""
        return {cell for cell in range(N_TILES) if int(mask) >> cell & 1}

    def names(self, mask):
        """The tiles on the cells of a mask."""
        return {self.tile(cell) for cell in self.cells(mask)}

    # ---- what is so ----

    def state(self, place):
        """dry, flooded or sunk."""
        cell = self.cell(place)
        if not int(self.view["land"]) >> cell & 1:
            return "sunk"
        return "flooded" if int(self.view["flooded"]) >> cell & 1 else "dry"

    def at(self, seat):
        """The tile that a pawn stands on."""
        return self.tile(int(self.view["pawn"][seat]))

    def hand(self, seat):
        """The cards of a hand, in the order of their codes."""
        return _spelled(self.view["hand"][seat])

    @property
    def discard(self):
        """The cards of the treasure discard."""
        return _spelled(self.view["discard"])

    @property
    def deck(self):
        """The cards of the treasure deck, not in their order."""
        return _spelled(self.view["deck"])

    @property
    def flood_discard(self):
        """The tiles of the flood discard."""
        return self.names(self.view["flood_discard"])

    @property
    def layers(self):
        """The flood deck, from its bottom: a set of tiles for each layer."""
        return [self.names(self.view["layer"][i]) for i in range(int(self.view["layers"]))]

    @property
    def over(self):
        """Whether the game has ended."""
        return bool(self.view["over"])

    @property
    def end(self):
        """won, or the cause of the end; None while the game runs."""
        if not self.over:
            return None
        cause = int(self.row["cause"])
        return CAUSES[cause] if cause >= 0 else RESULTS[int(self.row["result"])]

    @property
    def result(self):
        """won, lost or stopped, of a game that is over."""
        assert self.over
        return RESULTS[int(self.row["result"])]

    @property
    def causes(self):
        """Every cause that applied at the end."""
        return {name for i, name in enumerate(CAUSES) if int(self.row["causes"]) >> i & 1}

    # ---- what may be done ----

    def ask(self, decision="act", decider=None):
        """Put the question, without an answer yet."""
        self.view["decision"] = DECISIONS.index(decision)
        self.view["decider"] = self.view["active"] if decider is None else decider
        return self

    def allows(self, choice, decision="act", decider=None):
        """Is this answer legal?"""
        self.ask(decision, decider)
        return bool(legal.allows(self.rules, self.view, choice))

    def options(self, decision="act", decider=None):
        """Every legal answer."""
        self.ask(decision, decider)
        return [int(legal.option(self.rules, self.view, k)) for k in range(legal.option(self.rules, self.view, -1))]

    def move_to(self, place):
        return int(choices.move(self.cell(place)))

    def fly_to(self, place):
        return int(choices.fly(self.cell(place)))

    def navigate(self, pawn, place):
        return int(choices.navigate(pawn, self.cell(place)))

    def shore_up(self, *places):
        cells = [self.cell(place) for place in places]
        return int(choices.shore_up(*cells) if len(cells) == 1 else choices.shore_up_two(*cells))

    def give(self, to, card):
        return int(choices.give(to, CARDS.index(card)))

    def capture(self, treasure):
        return int(choices.capture(TREASURES.index(treasure)))

    def leave(self):
        return int(choices.leave())

    def lift(self, holder, place, *pawns):
        return int(choices.lift(holder, self.cell(place), _mask(pawns)))

    def sandbags(self, holder, place):
        return int(choices.sandbags(holder, self.cell(place)))

    def escape(self, holder):
        return int(choices.escape(holder))

    def throw(self, card):
        return int(choices.discard(CARDS.index(card)))

    def swim_to(self, place):
        return int(choices.swim(self.cell(place)))

    def flood(self, place):
        return int(choices.flood(self.cell(place)))

    # ---- where pawns may go, as sets of cells to compare with `stars` ----

    def moves(self, seat=0):
        return self.cells(rule.move_targets(self.rules, self.view, seat))

    def flights(self, seat=0):
        return self.cells(rule.fly_targets(self.view, seat))

    def navigations(self, pawn):
        return self.cells(rule.navigate_targets(self.rules, self.view, pawn))

    def shores(self, seat=0):
        return self.cells(rule.shore_targets(self.rules, self.view, seat))

    def swims(self, seat=0):
        return self.cells(rule.swim_targets(self.rules, self.view, seat))

    # ---- play ----

    def play(self, what, *answers, fault=False):
        """Play a part of the game by a script.  Afterwards `events` is what happened and `asked` who was asked what.

        The part begins the turn after `view.turn` for PLAY_GAME, else goes on in it.  Fails on an illegal answer unless
        `fault` is set; then `fault` is that answer.
        """
        minds = np.zeros(1, MIND)
        minds[0]["numbers"][: 1 + len(answers)] = [len(answers), *answers]
        logbooks = np.zeros(1, LOG)
        logbooks["recording"] = 1
        turns = self.knobs["turn_limit"]
        tallies = [
            np.zeros((turns, MAX_METER + 1), np.int64),
            np.zeros((turns, N_TILES + 1), np.int64),
            np.zeros((turns, N_TILES + 1), np.int64),
            np.zeros((turns, N_TREASURES + 1), np.int64),
            np.zeros((1, N_TILES), np.int64),
        ]
        run = compile_for(_run, types.int64(types.int64, *engine.BATCH.args))
        choose = compile_for(scripted, engine.CHOOSE)
        records = [self.ruleses, minds, self.views, self.hiddens, self.streams, self.rows, logbooks]
        if not COMPILED:
            records = [array.view(np.recarray) for array in records]
        if what != PLAY_GAME and self.view["turn"] == 0:
            self.view["turn"] = 1
        *records, log = records
        at_fault = run(what, records[0], SEED, 0, choose, *records[1:], *tallies, log)
        names = [TILES[int(tile)] for tile in self.view["tile_at"]]
        setup = {"tiles": names, "roles": self.knobs["roles"]}
        self.events = [tuple(event.values()) for event in traces.events(logbooks, setup, ())]
        memory = minds[0]["memory"]
        notes = memory[1 : 1 + _NOTES * int(memory[0])].reshape(-1, _NOTES).astype(int)
        self.asked = [(DECISIONS[decision], int(decider)) for decision, decider, *_ in notes]
        self.fault = int(self.hidden["fault_choice"]) if at_fault else None
        assert fault or self.fault is None, f"question {len(self.asked)}, {self.asked[-1]}: illegal {self.fault}"
        assert at_fault or len(answers) <= len(self.asked), f"asked only {self.asked}"
        return self

    def take_turn(self, *answers, **options):
        return self.play(TAKE_TURN, *answers, **options)

    def take_actions(self, *answers, **options):
        return self.play(TAKE_ACTIONS, *answers, **options)

    def draw_treasures(self, *answers, **options):
        return self.play(DRAW_TREASURES, *answers, **options)

    def draw_floods(self, *answers, **options):
        return self.play(DRAW_FLOODS, *answers, **options)

    def play_game(self, *answers, **options):
        return self.play(PLAY_GAME, *answers, **options)

    def told(self, *kinds):
        """What happened, of some kinds of events."""
        return [event for event in self.events if event[0] in kinds]


def _codes(cards):
    return [CARDS.index(card) for card in cards.split()]


def _spelled(counts):
    return " ".join(name for name, count in zip(CARDS, counts, strict=True) for _ in range(int(count)))


def _priority(place, member):
    """The priority of the card at a place of a stack; its lowest six bits name the slot or cell, as in `chance`."""
    return place << 6 | member


def _mask(members):
    return sum(1 << member for member in members)

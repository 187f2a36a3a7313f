"""What a learned value sees of a position: numbers of public knowledge only, in turn order from the active player.

`prepare` settles what no action of the turn changes (the odds of the flood and treasure decks, distances over the
land); `features` then writes the numbers of one position.  Blocks: the whole table, Fools' Landing, each seat in turn
order, each treasure, the one nearest to its capture first.  `NAMES` says what each number is.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from sim.core import bits
from sim.core.compile import COMPILED, jit
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import (
    ACTIONS,
    ALL_TREASURES,
    DIVER,
    EXPLORER,
    FLOODING,
    HELICOPTER,
    MAX_PLAYERS,
    MESSENGER,
    N_TILES,
    N_TREASURES,
    ORDINARY,
    PILOT,
    SANDBAGS,
    WATERS_RISE,
)
from sim.forbidden_island.policies.cooperative import chance_among, chance_of_rise, is_trapped, spread_by
from sim.forbidden_island.state import Rules, View

Work: TypeAlias = Any  # a record of WORK

OPTIONS = 256
"""Answers that are weighed, at most."""

FAR = 7
"""Actions of the longest way that is told from a longer one."""

_TABLE = (
    *(f"ticks to the skull = {n}" for n in range(1, 10)),
    "ticks to the skull >= 10",
    "flood cards due",
    "flood cards due after a rise",
    "2 players",
    "3 players",
    "4 players",
    *(f"captured = {n}" for n in range(5)),
    "cards in the deck",
    "rises in the deck",
    "rises in the discard",
    "chance of a rise in this turn's draw",
    "chance of a rise in the round",
    "chance of the skull in this turn's draw",
    "chance of the skull in the round",
    *(f"Lifts held = {n}" for n in range(3)),
    "Lifts held >= 3",
    "Lifts in the deck",
    "Lifts in the discard",
    "no Sandbags held",
    "Sandbags held = 1",
    "Sandbags held >= 2",
    "Sandbags in the deck",
    "Sandbags in the discard",
    "tiles sunk",
    "tiles flooded",
    "plain tiles flooded",
    "flooded tiles whose card comes in this turn",
    "flooded tiles whose card comes later in the round",
    "plain flooded tiles whose card comes in this turn",
    "plain flooded tiles whose card comes later in the round",
    "draws to come in this turn",
    "the flood has begun",
    "flood cards to come, once it has",
    "cards missing in all hands together",
    "cards missing in the collectors' hands",
    "all captured: ways to the landing together",
    "all captured: the longest way to the landing",
    "all captured: no Lift held",
    "all captured: the next player's way to the landing",
    "land cells with at most one neighbour",
)
_LANDING = (
    "landing flooded",
    "its card comes in this turn",
    "its card comes later in the round",
    "flooded, and comes in this turn",
    "flooded, and comes later in the round",
    "dry, and comes in this turn",
    "dry, and comes later in the round",
    "neighbours",
    "pawns there",
    "flooded: the next player's way to shore it",
    "flooded: the second next player's way to shore it",
    "flooded, and the next player cannot shore it",
)
_SEAT = (
    "pilot",
    "engineer",
    "explorer",
    "navigator",
    "diver",
    "messenger",
    "cards in hand",
    "hand one short of full",
    "hand full",
    "Lifts in hand",
    "Sandbags in hand",
    "useless cards in hand",
    "way to the landing",
    "stands on a tile that sinks in this turn",
    "… and could swim nowhere",
    "out of the game",
    "flooded tiles that it can shore in two actions",
    "way to the nearest other pawn",
)
_TREASURE = (
    "open",
    *(f"the collector lacks {n}" for n in range(4)),
    "the collector lacks 4 or more",
    *(f"all hands lack {n}" for n in range(4)),
    "all hands lack 4 or more",
    "cards in the deck",
    "cards in the discard",
    *(f"cards of seat {n}" for n in range(MAX_PLAYERS)),
    *(f"collector is seat {n}" for n in range(MAX_PLAYERS)),
    *(f"seat {n} has enough" for n in range(MAX_PLAYERS)),
    "the collector's way to a tile",
    "has enough: the way to a tile",
    "has enough, and stands there",
    "has enough, and is there within three actions",
    "the collector's free places",
    "cards that others hold",
    "others hold some: the shortest way of a hand-over",
    "… and it is possible at once",
    "enough in all hands, not in one",
    "… the way of the hand-over",
    "… the turn of the giver",
    *(f"two tiles left, {n} flooded" for n in range(3)),
    *(f"one tile left, {n} flooded" for n in range(2)),
    "chance that it is lost in this turn",
    "chance that it is lost in the round",
    "flooded tiles whose card comes in this turn",
    "flooded tiles whose card comes later in the round",
    "dry tiles whose card comes in this turn",
    "dry tiles whose card comes later in the round",
    "the next player's way to shore a tile of it",
    "the collector's way from there to the landing",
)

NAMES: tuple[str, ...] = (
    *_TABLE,
    *_LANDING,
    *(f"seat {seat}: {name}" for seat in range(MAX_PLAYERS) for name in _SEAT),
    *(f"treasure {k}: {name}" for k in range(N_TREASURES) for name in _TREASURE),
)
"""What each feature is."""

N_FEATURES = len(NAMES)
PAIRS = (N_FEATURES + 1) // 2
HIDDEN_UNITS = 128

_AT_LANDING = len(_TABLE)
_AT_SEATS = _AT_LANDING + len(_LANDING)
_SEAT_SIZE = len(_SEAT)
AT_TREASURES = _AT_SEATS + MAX_PLAYERS * _SEAT_SIZE
_TREASURE_SIZE = len(_TREASURE)

_WALKER, _EXPLORER, _DIVER, _PILOT = range(4)

_WORK = np.dtype(
    [
        ("soon", np.float64, (N_TILES,)),  # by cell: chance that its flood card comes in this turn
        ("then", np.float64, (N_TILES,)),  # … in the rest of the round
        ("lonely", np.float64),  # the feature of that name
        ("rise_now", np.float64),
        ("rise_round", np.float64),
        ("kind", np.int64, (MAX_PLAYERS,)),  # by seat: which table of distances
        ("dist", np.int64, (3, N_TILES, N_TILES)),  # by kind and two cells: actions from one to the other, at most FAR
        ("x", np.float32, (2 * PAIRS,)),  # the features of the position last looked at
        ("used", np.int64),  # where the last open treasure ends as the turn begins; later there are no more
        ("near_x", np.float32, (2 * PAIRS,)),  # … of the position that the others are compared with
        ("near", np.float32, (HIDDEN_UNITS,)),
        ("total", np.float32, (HIDDEN_UNITS,)),
        ("changed", np.int64, (N_FEATURES + 4,)),  # which inputs differ from the base
        ("step", np.float32, (N_FEATURES + 4,)),  # … and by how much
        ("option", np.int64, (OPTIONS,)),  # the answers to what is asked
        ("worth", np.float64, (OPTIONS,)),  # … and their values
        ("options", np.int64),
    ],
    align=True,
)


def _with_pairs(plain: Any) -> Any:
    """A record type with two fields more: `x` and `near_x` again, one number for two features."""
    at = {name: offset for name, (_, offset) in plain.fields.items()}
    layout: Any = {
        "names": [*at, "x_pairs", "near_pairs"],
        "formats": [*(plain[name] for name in at), *2 * [np.dtype((np.int64, (PAIRS,)))]],
        "offsets": [*at.values(), at["x"], at["near_x"]],
        "itemsize": plain.itemsize,
    }
    return np.dtype(layout)


WORK = _with_pairs(_WORK)
"""Working space of the value: nothing in it outlives one decision.  Pairs of features are compared in one step."""

if COMPILED:

    @jit
    def new_work() -> np.ndarray:
        """An array of one WORK record, not zeroed."""
        return np.empty(1, WORK)

else:

    def new_work() -> np.ndarray:
        """The same, with fields as attributes."""
        return np.recarray(1, WORK)


@jit
def odds(rules: Rules, view: View, work: Work) -> None:
    """The chances of the flood cards and of a rise, from where the turn stands."""
    for cell in range(N_TILES):  # a card that lies revealed is in no deck, and its tile is still there
        work.soon[cell] = 0.0
        work.then[cell] = 0.0
    n = rules.players
    if view.phase == FLOODING:
        draws = 0
        due = view.floods_left
    else:
        draws = rules.cards_per_turn if view.phase == ACTIONS else view.draws_left
        due = rule.flood_cards_due(rules, view) if view.tick <= rules.meter_length else 0
    due_risen = rules.meter[view.tick] if view.tick < rules.meter_length else due
    later = due if view.phase != FLOODING else rules.meter[min(view.tick, rules.meter_length) - 1]
    in_round = due + later * (n - 1)
    wet = bits.count(view.flood_discard)
    rise = chance_of_rise(view, draws)
    work.rise_now = rise
    all_draws = min(rules.cards_per_turn * (n - 1) + draws, view.deck_size) if view.deck_size else rules.cards_per_turn
    in_all = chance_of_rise(view, all_draws)
    work.rise_round = in_all
    above = 0
    for i in range(view.layers - 1, -1, -1):
        cells = view.layer[i]
        size = bits.count(cells)
        soon = (1.0 - rise) * chance_among(due - above, size) + rise * chance_among(due_risen - wet - above, size)
        then = (1.0 - in_all) * chance_among(in_round - above, size) + in_all * chance_among(
            in_round - wet - above, size
        )
        then = max(0.0, then - soon)
        above += size
        while cells:
            cell = bits.first(cells)
            cells &= cells - 1
            work.soon[cell] = soon
            work.then[cell] = then
    soon = rise * chance_among(due_risen, wet) + (1.0 - rise) * chance_among(due - above, wet + above)
    then = (in_all - rise) * chance_among(in_round - due, wet) + (1.0 - in_all) * chance_among(
        in_round - above, wet + above
    )
    cells = view.flood_discard
    while cells:
        cell = bits.first(cells)
        cells &= cells - 1
        work.soon[cell] = soon
        work.then[cell] = max(0.0, then)


@jit
def _distances(rules: Rules, view: View, work: Work, kind: int) -> None:
    power = EXPLORER if kind == _EXPLORER else DIVER if kind == _DIVER else ORDINARY
    for one in range(N_TILES):
        for other in range(N_TILES):
            work.dist[kind, one, other] = FAR
        work.dist[kind, one, one] = 0
        seen = 1 << one
        frontier = seen
        for steps in range(1, FAR):
            frontier = spread_by(rules, view, power, frontier) & ~seen
            if frontier == 0:
                break
            seen |= frontier
            left = frontier
            while left:
                other = bits.first(left)
                left &= left - 1
                work.dist[kind, one, other] = steps


@jit
def distances(rules: Rules, view: View, work: Work) -> None:
    """The tables of distances that this team needs."""
    needed = 0
    for seat in range(rules.players):
        power = view.power[seat]
        kind = _WALKER
        if power == EXPLORER:
            kind = _EXPLORER
        elif power == DIVER:
            kind = _DIVER
        elif power == PILOT:
            kind = _PILOT
        work.kind[seat] = kind
        if kind != _PILOT:
            needed |= 1 << kind
    for kind in range(3):
        if needed >> kind & 1:
            _distances(rules, view, work, kind)


@jit
def prepare(rules: Rules, view: View, work: Work) -> None:
    """What holds for every position that the coming actions can make of this one."""
    odds(rules, view, work)
    distances(rules, view, work)
    lonely = 0
    cells = view.land
    while cells:
        cell = bits.first(cells)
        cells &= cells - 1
        near = rules.edges[cell] & view.land
        if near & (near - 1) == 0:
            lonely += 1
    work.lonely = lonely / 4.0


@jit(inline=True)
def way(work: Work, kind: int, one: int, other: int) -> int:
    """Actions from a cell to another for a pawn of this kind; the Pilot flies."""
    if kind == _PILOT:
        return 0 if one == other else 1
    return work.dist[kind, one, other]


@jit
def way_to_any(work: Work, kind: int, one: int, cells: int) -> int:
    """… to the nearest of a set of cells."""
    best = FAR
    while cells:
        other = bits.first(cells)
        cells &= cells - 1
        steps = way(work, kind, one, other)
        if steps < best:
            best = steps
    return best


@jit
def _table(rules: Rules, view: View, work: Work) -> None:
    x = work.x
    n = rules.players
    left = min(10, max(1, rules.meter_length + 1 - view.tick))
    x[left - 1] = 1.0
    tick = min(view.tick, rules.meter_length)
    x[10] = rules.meter[tick - 1] * 0.2
    x[11] = 1.4 if tick == rules.meter_length else rules.meter[tick] * 0.2
    x[12 + n - 2] = 1.0
    x[15 + bits.count(view.captured)] = 1.0
    x[20] = view.deck_size / 28.0
    x[21] = view.deck[WATERS_RISE] / 3.0
    x[22] = view.discard[WATERS_RISE] / 3.0
    x[23] = work.rise_now
    x[24] = work.rise_round
    if left == 1:
        x[25] = work.rise_now
        x[26] = work.rise_round
    lifts = 0
    bags = 0
    for seat in range(n):
        lifts += view.hand[seat, HELICOPTER]
        bags += view.hand[seat, SANDBAGS]
    x[27 + min(3, lifts)] = 1.0
    x[31] = view.deck[HELICOPTER] / 3.0
    x[32] = view.discard[HELICOPTER] / 3.0
    x[33 + min(2, bags)] = 1.0
    x[36] = view.deck[SANDBAGS] / 2.0
    x[37] = view.discard[SANDBAGS] / 2.0
    x[38] = (N_TILES - bits.count(view.land)) / 12.0
    x[39] = bits.count(view.flooded) / 12.0
    dear = 1 << view.landing
    for treasure in range(N_TREASURES):
        if not view.captured >> treasure & 1:
            dear |= view.treasure_cells[treasure]
    soon = 0.0
    then = 0.0
    plain_soon = 0.0
    plain_then = 0.0
    cells = view.flooded
    while cells:
        cell = bits.first(cells)
        cells &= cells - 1
        if dear >> cell & 1:
            soon += work.soon[cell]
            then += work.then[cell]
        else:
            plain_soon += work.soon[cell]
            plain_then += work.then[cell]
    x[40] = bits.count(view.flooded & ~dear) / 8.0
    x[41] = (soon + plain_soon) * 0.5
    x[42] = (then + plain_then) * 0.25
    x[43] = plain_soon * 0.5
    x[44] = plain_then * 0.25
    if view.phase == ACTIONS:
        x[45] = rules.cards_per_turn * 0.5
    elif view.phase == FLOODING:
        x[46] = 1.0
        x[47] = view.floods_left * 0.2
    else:
        x[45] = view.draws_left * 0.5
    if view.captured == ALL_TREASURES:
        longest = 0
        total = 0
        for seat in range(n):
            if view.pawn[seat] >= 0:
                steps = way(work, work.kind[seat], view.pawn[seat], view.landing)
                total += steps
                longest = max(longest, steps)
        x[50] = total / 8.0
        x[51] = longest / 4.0
        x[52] = 1.0 if lifts == 0 else 0.0
        following = (view.active + 1) % n
        if view.pawn[following] >= 0:
            x[53] = way(work, work.kind[following], view.pawn[following], view.landing) / 4.0
    x[54] = work.lonely


@jit(inline=True)
def _to_shore(view: View, work: Work, seat: int, cells: int) -> int:
    """Actions on the way until this pawn can shore one of a set of cells."""
    if view.pawn[seat] < 0:
        return FAR
    return max(0, way_to_any(work, work.kind[seat], view.pawn[seat], cells) - 1)


@jit
def _landing(rules: Rules, view: View, work: Work) -> None:
    x = work.x
    at = _AT_LANDING
    cell = view.landing
    soon = work.soon[cell]
    then = work.then[cell]
    x[at + 1] = soon
    x[at + 2] = then
    x[at + 7] = bits.count(rules.edges[cell] & view.land) * 0.25
    for seat in range(rules.players):
        if view.pawn[seat] == cell:
            x[at + 8] += 0.25
    if view.flooded >> cell & 1:
        x[at] = 1.0
        x[at + 3] = soon
        x[at + 4] = then
        following = (view.active + 1) % rules.players
        steps = _to_shore(view, work, following, 1 << cell)
        x[at + 9] = steps * 0.2
        x[at + 10] = _to_shore(view, work, (view.active + 2) % rules.players, 1 << cell) * 0.2
        x[at + 11] = 1.0 if steps >= rules.actions_per_turn else 0.0
    else:
        x[at + 5] = soon
        x[at + 6] = then


@jit
def _seats(rules: Rules, view: View, work: Work) -> None:
    x = work.x
    n = rules.players
    for p in range(n):
        seat = view.active + p
        if seat >= n:
            seat -= n
        at = _AT_SEATS + p * _SEAT_SIZE
        cell = view.pawn[seat]
        if cell < 0:
            x[at + 15] = 1.0
            continue
        power = view.power[seat]
        if power < ORDINARY:
            x[at + power] = 1.0
        size = view.hand_size[seat]
        x[at + 6] = size * 0.2
        x[at + 7] = 1.0 if size == rules.hand_limit - 1 else 0.0
        x[at + 8] = 1.0 if size >= rules.hand_limit else 0.0
        x[at + 9] = view.hand[seat, HELICOPTER]
        x[at + 10] = view.hand[seat, SANDBAGS]
        useless = 0
        for treasure in range(N_TREASURES):
            held = view.hand[seat, treasure]
            if view.captured >> treasure & 1:
                useless += held
            elif held > rules.capture_cost:
                useless += held - rules.capture_cost
        x[at + 11] = useless * 0.5
        kind = work.kind[seat]
        x[at + 12] = way(work, kind, cell, view.landing) * 0.2
        if view.flooded >> cell & 1:
            x[at + 13] = work.soon[cell]
            if work.soon[cell] > 0.0 and is_trapped(rules, view, seat):
                x[at + 14] = work.soon[cell]
        table = rules.around_spread if power == EXPLORER else rules.edge_spread
        near = 1 << cell
        near |= rule.spread(near, table) & view.land
        near |= rule.spread(near, table)
        x[at + 16] = bits.count(near & view.flooded) * 0.2
        nearest = FAR
        for other in range(n):
            if other != seat and view.pawn[other] >= 0:
                nearest = min(nearest, way(work, kind, cell, view.pawn[other]))
        x[at + 17] = nearest * 0.2


@jit
def _treasures(rules: Rules, view: View, work: Work) -> None:
    x = work.x
    n = rules.players
    cost = rules.capture_cost
    missing = 0
    missing_in_hand = 0
    rank0 = -1
    rank1 = -1
    rank2 = -1
    rank3 = -1
    for treasure in range(N_TREASURES):  # sort by the cards of the collector, then of all, then by name
        if view.captured >> treasure & 1:
            continue
        most = 0
        total = 0
        for seat in range(n):
            held = view.hand[seat, treasure]
            total += held
            most = max(most, held)
        missing += max(0, cost - total)
        missing_in_hand += max(0, cost - most)
        key = (min(most, 31) * 64 + total) * 4 + 3 - treasure
        if key > rank0:
            rank3 = rank2
            rank2 = rank1
            rank1 = rank0
            rank0 = key
        elif key > rank1:
            rank3 = rank2
            rank2 = rank1
            rank1 = key
        elif key > rank2:
            rank3 = rank2
            rank2 = key
        else:
            rank3 = key
    x[48] = missing / 8.0
    x[49] = missing_in_hand / 8.0
    for place in range(N_TREASURES):
        key = rank0 if place == 0 else rank1 if place == 1 else rank2 if place == 2 else rank3
        if key < 0:
            break
        _treasure(rules, view, work, 3 - (key & 3), AT_TREASURES + place * _TREASURE_SIZE)


@jit
def _treasure(rules: Rules, view: View, work: Work, treasure: int, at: int) -> None:
    x = work.x
    n = rules.players
    cost = rules.capture_cost
    x[at] = 1.0
    most = -1
    total = 0
    collector = 0
    turn = 0
    for p in range(n):
        seat = view.active + p
        if seat >= n:
            seat -= n
        held = view.hand[seat, treasure]
        total += held
        x[at + 13 + p] = held * 0.25
        if held > most or (held == most and view.hand_size[seat] < view.hand_size[collector]):
            most = held
            collector = seat
            turn = p
    x[at + 1 + min(4, max(0, cost - most))] = 1.0
    x[at + 6 + min(4, max(0, cost - total))] = 1.0
    x[at + 11] = view.deck[treasure] * 0.2
    x[at + 12] = view.discard[treasure] * 0.2
    x[at + 17 + turn] = 1.0
    ready = most >= cost
    if ready:
        x[at + 21 + turn] = 1.0
    cells = view.treasure_cells[treasure] & view.land
    pawn = view.pawn[collector]
    kind = work.kind[collector]
    steps = FAR
    if pawn >= 0:
        steps = way_to_any(work, kind, pawn, cells)
    x[at + 25] = steps * 0.2
    if ready:
        x[at + 26] = steps * 0.2
        x[at + 27] = 1.0 if steps == 0 else 0.0
        x[at + 28] = 1.0 if steps <= rules.actions_per_turn else 0.0
    x[at + 29] = (rules.hand_limit - view.hand_size[collector]) * 0.2
    x[at + 30] = (total - most) * 0.25
    if total > most and pawn >= 0 and not ready:
        shortest = FAR
        giver = 0
        for p in range(n):
            seat = view.active + p
            if seat >= n:
                seat -= n
            if seat == collector or view.hand[seat, treasure] == 0 or view.pawn[seat] < 0:
                continue
            length = 0
            if view.power[seat] != MESSENGER:
                length = min(way(work, work.kind[seat], view.pawn[seat], pawn), way(work, kind, pawn, view.pawn[seat]))
            if length < shortest:
                shortest = length
                giver = p
        x[at + 31] = shortest * 0.2
        x[at + 32] = 1.0 if shortest == 0 else 0.0
        if total >= cost:
            x[at + 33] = 1.0
            x[at + 34] = shortest * 0.2
            x[at + 35] = giver * 0.25
    wet = cells & view.flooded
    lost_now = 1.0
    lost_round = 1.0
    n_cells = 0
    left = cells
    while left:
        cell = bits.first(left)
        left &= left - 1
        n_cells += 1
        soon = work.soon[cell]
        then = work.then[cell]
        if wet >> cell & 1:
            lost_now *= soon
            lost_round *= min(1.0, soon + then)
            x[at + 43] += soon
            x[at + 44] += then
        else:
            lost_now = 0.0
            lost_round *= soon * then
            x[at + 45] += soon
            x[at + 46] += then
    n_wet = bits.count(wet)
    if n_cells == 2:
        x[at + 36 + n_wet] = 1.0
    elif n_cells == 1:
        x[at + 39 + n_wet] = 1.0
    x[at + 41] = lost_now
    x[at + 42] = lost_round
    if wet:
        x[at + 47] = _to_shore(view, work, (view.active + 1) % n, wet) * 0.2
    home = FAR
    left = cells
    while left:
        cell = bits.first(left)
        left &= left - 1
        home = min(home, way(work, kind, cell, view.landing))
    x[at + 48] = home * 0.2


@jit(inline=True)
def used_seats(rules: Rules) -> int:
    """Where the features of the last seat end."""
    return _AT_SEATS + rules.players * _SEAT_SIZE


@jit
def used_treasures(view: View) -> int:
    """Where the features of the last open treasure end."""
    return AT_TREASURES + (N_TREASURES - bits.count(view.captured)) * _TREASURE_SIZE


@jit
def features(rules: Rules, view: View, work: Work) -> None:
    """Write the features of a position into `work.x`; `prepare` must have seen its turn."""
    for i in range(used_seats(rules)):
        work.x[i] = 0.0
    for i in range(AT_TREASURES, work.used):
        work.x[i] = 0.0
    _table(rules, view, work)
    _landing(rules, view, work)
    _seats(rules, view, work)
    _treasures(rules, view, work)

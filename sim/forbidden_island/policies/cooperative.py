"""The standard team: one plan for the table, made of public knowledge only, weighed one action at a time.

What it cares about, in the words of the table:

1. Leave when everything is done. With four treasures everybody walks, flies or is lifted to Fools' Landing, and a Lift
   is played the moment the last one arrives; when there are Lifts enough for all who are away, at once.
2. Do not lose the island. A tile matters by what its sinking would cost: Fools' Landing and the last tile of an open
   treasure above all, then a tile whose twin is flooded, then a tile whose twin is dry, then plain ground (a smaller
   island floods faster). It is urgent by the chance that its card comes: in this turn, and in the round after it. The
   team knows which cards lie on top after a rise, and how likely a Waters Rise! is among the next treasure cards.
3. Bring four cards into one hand. Each open treasure has a collector: who holds most of its cards, by choice somebody
   whose hand has room. The others walk to the collector and give; the Messenger gives from afar; the collector comes to
   meet them. A hand about to overflow makes giving more urgent.
4. Capture. A hand with four cards goes to the nearer of the two tiles, sooner when the tiles are in danger.
5. Go ahead of time to where one will be needed.

Each of these is a task with a value and a way of so many actions; a task further away is worth less, and one that
cannot be done before this turn's flood does not count what that flood may take. The best task is begun, and gone on
with until it is done or the turn ends. A Lift is a way of no actions with a price: high for the last one, lower when
its holder's hand is full. The Engineer shores two tiles, the Explorer goes and shores diagonally, the Diver dives,
the Pilot flies, the Navigator moves whoever's errand gains most. Sandbags are kept until a flood card threatens
something dear, and are thrown between two flood cards. The card discarded is the one least missed; rather than
discard a dear card a special card is played. A swimmer goes to firm ground near its errand. A tile that must be
flooded by choice is the one least missed.

The weights in WEIGHTS were found by `tests/tuning/tune_cooperative.py`; two parameters scale some of them.
"""

from __future__ import annotations

from sim.core import bits
from sim.core.compile import jit
from sim.core.game import Parameter
from sim.core.policy import Mind, because, policy
from sim.core.rng import Stream
from sim.forbidden_island import choices, legal
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import (
    ACT,
    ALL_TREASURES,
    BAG,
    CAPTURE,
    CHOOSE_FLOOD,
    DISCARD,
    DISCARD_DOWN,
    DIVER,
    ENGINEER,
    ESCAPE,
    EXPLORER,
    FLOOD,
    FLOODING,
    FLY,
    GIVE,
    HELICOPTER,
    LEAVE,
    LIFT,
    MAX_PLAYERS,
    MESSENGER,
    MOVE,
    N_CARDS,
    N_TILES,
    N_TREASURES,
    NAVIGATE,
    NAVIGATOR,
    PILOT,
    SANDBAGS,
    SAVE,
    SHORE_UP,
    SHORE_UP_TWO,
    SWIM,
    SWIM_LOSE,
    SWIM_NOW,
    WATERS_RISE,
    WINDOW,
)
from sim.forbidden_island.state import Rules, View

# What the model notes for itself, by place in its memory.
_STAMP = 0  # turn of the forecast
_SOON = 1  # by cell: chance that its card comes in this turn's flood
_THEN = _SOON + N_TILES  # by cell: … in the rest of the round
_HANDS = _THEN + N_TILES  # a mark of the hands for which the next two hold
_WHO = _HANDS + 1  # by treasure: its collector
_ALL = _WHO + N_TREASURES  # by treasure: its cards in all hands
_LIKING = _ALL + N_TREASURES  # by seat: what speaks for it as a collector besides its cards
_PLAN = _LIKING + MAX_PLAYERS  # turn of the plan
_GOAL = _PLAN + 1  # the cells it leads to
_DEED = _GOAL + 1  # what is to be done there
_WEIGHT = _DEED + 1  # the weights for this number of players

WEIGHTS: tuple[tuple[str, tuple[float, float, float], str], ...] = (
    ("landing", (6.02, 8.89, 9.25), "what the sinking of Fools' Landing would cost"),
    ("last_tile", (4.19, 6.4, 8.02), "… of the last tile of an open treasure"),
    ("twin_flooded", (0.406, 0.851, 0.713), "… of a treasure tile whose twin is flooded"),
    ("twin_dry", (0.156, 0.273, 0.23), "… of a treasure tile whose twin is dry"),
    ("plain", (0.117, 0.341, 0.152), "… of any other tile"),
    ("few", (0.0107, 0.00372, 0.00697), "… more for each tile that has sunk"),
    ("neighbour", (0.0783, 0.134, 0.145), "… more for each tile beside it"),
    ("stood_on", (0.0361, 0.0206, 0.0253), "… more with a pawn on it"),
    ("drowning", (1.11, 2.28, 3.9), "… more with a pawn on it that could swim nowhere"),
    (
        "later",
        (0.0669, 0.0734, 0.0446),
        "how much a sinking in the next round counts, against one in this turn's flood",
    ),
    ("someday", (1.35, 1.32, 1.22), "how much a flooded tile counts whose card is far away"),
    ("capture", (13.8, 19.4, 22.8), "what a capture is worth"),
    ("capture_danger", (1.3, 1.54, 2.57), "… more by the danger of its tiles"),
    ("give_first", (0.0383, 0.0286, 0.0546), "what a card is worth that makes one in the collector's hand"),
    ("give_second", (0.168, 0.652, 0.527), "… two"),
    ("give_third", (0.655, 0.763, 1.12), "… three"),
    ("give_fourth", (1.69, 1.91, 1.63), "… four"),
    ("give_again", (0.629, 0.534, 0.592), "share of the next card's value for a giver who has more of the kind"),
    ("give_completes", (18.3, 14.1, 15.6), "… more when the hands together hold enough"),
    ("give_crowded", (0.827, 1.76, 2.35), "… more when the giver's hand is about to overflow"),
    ("give_overflow", (0.562, 0.926, 0.961), "share of it left when the receiver's hand is full"),
    ("meet", (0.0424, 0.0536, 0.0217), "share of a hand-over's value for a collector who comes to meet the giver"),
    ("ahead", (0.0553, 0.0539, 0.0752), "what it is worth that a collector of three cards nears the treasure's tile"),
    ("homeward", (0.103, 0.086, 0.181), "what it is worth to near Fools' Landing when one treasure is left to capture"),
    ("homeward_soon", (1.04, 0.61, 0.38), "… more when a hand holds the cards for it"),
    ("escape", (43.7, 129.0, 92.0), "what it is worth to reach Fools' Landing at the end"),
    ("firm_ground", (0.562, 0.319, 0.56), "share of what threatens a pawn with nowhere to swim, for getting it away"),
    ("patience", (0.749, 0.779, 0.77), "share of a value left for each further action"),
    ("tomorrow", (0.00788, 0.00585, 0.00463), "share left for what does not fit into this turn"),
    ("navigate", (1.13, 0.567, 0.491), "share of another's errand that a Navigator's push is worth"),
    ("lift_price", (2.39, 5.71, 6.59), "the price of a Lift"),
    ("lift_last", (0.534, 0.451, 0.26), "… more when it is the only one in hand"),
    ("lift_late", (1.77, 1.75, 1.84), "… more for each treasure captured"),
    ("lift_crowded", (1.1, 0.905, 0.936), "share of the price when its holder's hand is about to overflow"),
    ("lift_gain", (0.176, 0.364, 0.31), "how much a flight counts that keeps a hand from losing a card"),
    ("lift_rescue", (0.403, 0.707, 0.928), "the danger that makes the team lift a pawn off that could swim nowhere"),
    ("bag_flood", (0.768, 0.821, 0.821), "the danger that makes the team throw Sandbags between flood cards"),
    ("bag_crowded", (0.453, 0.833, 1.11), "… when their holder's hand is about to overflow"),
    ("keep_first", (0.394, 0.256, 0.116), "how dear a card is of which the hand holds one"),
    ("keep_second", (0.0865, 0.0823, 0.068), "… two"),
    ("keep_third", (7.8, 5.41, 2.26), "… three"),
    ("keep_fourth", (16.3, 4.99, 3.52), "… four"),
    ("keep_other", (4.47, 2.42, 2.16), "share of it when somebody else collects that treasure"),
    ("keep_scarce", (2.09, 3.46, 3.81), "… more for each card of the kind that lies in the discard"),
    ("keep_lift", (0.121, 0.374, 0.463), "how dear a Lift is"),
    (
        "keep_lift_last",
        (4.78, 5.16, 4.65),
        "… more when it is the only one in hand, by the share of treasures captured",
    ),
    ("keep_bag", (0.202, 0.26, 0.126), "how dear Sandbags are"),
    ("collect_room", (1.76, 0.585, 0.394), "a collector's advantage for each free place in the hand"),
    ("collect_messenger", (-0.235, -0.0746, -0.0592), "the Messenger's advantage as a collector"),
    ("swim_danger", (0.0706, 0.108, 0.117), "how much a swimmer shuns a flooded tile"),
)
"""Name, values for 2, 3 and 4 players, meaning.  Values of tasks are in units of one another."""

(
    W_LANDING,
    W_LAST_TILE,
    W_TWIN_FLOODED,
    W_TWIN_DRY,
    W_PLAIN,
    W_FEW,
    W_NEIGHBOUR,
    W_STOOD_ON,
    W_DROWNING,
    W_LATER,
    W_SOMEDAY,
    W_CAPTURE,
    W_CAPTURE_DANGER,
    W_GIVE_FIRST,
    W_GIVE_SECOND,
    W_GIVE_THIRD,
    W_GIVE_FOURTH,
    W_GIVE_AGAIN,
    W_GIVE_COMPLETES,
    W_GIVE_CROWDED,
    W_GIVE_OVERFLOW,
    W_MEET,
    W_AHEAD,
    W_HOMEWARD,
    W_HOMEWARD_SOON,
    W_ESCAPE,
    W_FIRM_GROUND,
    W_PATIENCE,
    W_TOMORROW,
    W_NAVIGATE,
    W_LIFT_PRICE,
    W_LIFT_LAST,
    W_LIFT_LATE,
    W_LIFT_CROWDED,
    W_LIFT_GAIN,
    W_LIFT_RESCUE,
    W_BAG_FLOOD,
    W_BAG_CROWDED,
    W_KEEP_FIRST,
    W_KEEP_SECOND,
    W_KEEP_THIRD,
    W_KEEP_FOURTH,
    W_KEEP_OTHER,
    W_KEEP_SCARCE,
    W_KEEP_LIFT,
    W_KEEP_LIFT_LAST,
    W_KEEP_BAG,
    W_COLLECT_ROOM,
    W_COLLECT_MESSENGER,
    W_SWIM_DANGER,
) = range(_WEIGHT, _WEIGHT + len(WEIGHTS))

_MEMORY = _WEIGHT + len(WEIGHTS)

_TOO_FAR = 5
_FAR = 9
"""Longest way, in actions, that is looked at."""


# ---- what the water will do ---------------------------------------------------------------------------------------


@jit
def chance_among(cards: int, of: int) -> float:
    """The chance that one of `of` shuffled cards is among the first `cards`."""
    if cards <= 0 or of <= 0:
        return 0.0
    return 1.0 if cards >= of else cards / of


@jit
def chance_of_rise(view: View, draws: int) -> float:
    """The chance of a Waters Rise! among the next treasure cards (of a deck that runs out: by the whole of it)."""
    rises = view.deck[WATERS_RISE]
    size = view.deck_size
    if draws > size:
        rises += view.discard[WATERS_RISE]
        for card in range(N_CARDS):
            size += view.discard[card]
    none = 1.0
    for i in range(draws):
        if size - i > 0:
            none *= max(0.0, (size - rises - i) / (size - i))
    return 1.0 - none


@jit
def forecast(rules: Rules, view: View, mind: Mind) -> None:
    """For every cell the chance that its flood card comes in this turn, and in the rest of the round."""
    mind.memory[_STAMP] = view.turn
    due = rule.flood_cards_due(rules, view)
    in_round = due * rules.players
    wet = bits.count(view.flood_discard)
    rise = chance_of_rise(view, rules.cards_per_turn)
    calm = 1.0
    for _ in range(rules.players):
        calm *= 1.0 - rise
    rise_in_round = 1.0 - calm
    above = 0
    for i in range(view.layers - 1, -1, -1):
        cells = view.layer[i]
        size = bits.count(cells)
        soon = (1.0 - rise) * chance_among(due - above, size) + rise * chance_among(due - wet - above, size)
        then = max(0.0, chance_among(in_round - above, size) - soon)
        above += size
        while cells:
            cell = bits.first(cells)
            cells &= cells - 1
            mind.memory[_SOON + cell] = soon
            mind.memory[_THEN + cell] = then
    soon = rise * chance_among(due, wet) + (1.0 - rise) * chance_among(due - above, wet + above)
    then = max(0.0, rise_in_round * chance_among(in_round, wet), chance_among(in_round - above, wet + above)) - soon
    then = max(0.0, then)
    cells = view.flood_discard
    while cells:
        cell = bits.first(cells)
        cells &= cells - 1
        mind.memory[_SOON + cell] = soon
        mind.memory[_THEN + cell] = then


@jit
def stood_on(rules: Rules, view: View) -> int:
    """The set of cells with a pawn on them."""
    cells = 0
    for seat in range(rules.players):
        if view.pawn[seat] >= 0:
            cells |= 1 << view.pawn[seat]
    return cells


@jit
def dear_cells(view: View) -> int:
    """The set of cells whose tile is more than plain: the landing, and those of open treasures."""
    cells = 1 << view.landing
    for treasure in range(N_TREASURES):
        if not view.captured >> treasure & 1:
            cells |= view.treasure_cells[treasure]
    return cells


@jit(inline=True)
def ground_cost(view: View, mind: Mind) -> float:
    """What the team would lose with a piece of ground that nothing borders on."""
    return mind.memory[W_PLAIN] + mind.memory[W_FEW] * (N_TILES - bits.count(view.land))


@jit(inline=True)
def plain_cost(rules: Rules, view: View, mind: Mind, cell: int) -> float:
    """What the team would lose with the ground on a cell, whatever tile it is."""
    return ground_cost(view, mind) + mind.memory[W_NEIGHBOUR] * bits.count(rules.edges[cell] & view.land)


@jit(inline=True)
def special_cost(rules: Rules, view: View, mind: Mind, cell: int, pawns: int) -> float:
    """What more it would lose because of what the tile is and who stands on it.  pawns: the cells with a pawn."""
    cost = 0.0
    tile = view.tile_at[cell]
    if cell == view.landing:
        cost = mind.memory[W_LANDING]
    elif 6 <= tile < 14:
        treasure = (tile - 6) >> 1
        if not view.captured >> treasure & 1:
            twin = view.treasure_cells[treasure] & ~(1 << cell)
            if twin & view.land == 0:
                cost = mind.memory[W_LAST_TILE]
            elif twin & view.flooded:
                cost = mind.memory[W_TWIN_FLOODED]
            else:
                cost = mind.memory[W_TWIN_DRY]
    if pawns >> cell & 1:
        for seat in range(rules.players):
            if view.pawn[seat] == cell:
                cost += mind.memory[W_STOOD_ON]
                if is_trapped(rules, view, seat):
                    cost += mind.memory[W_DROWNING]
    return cost


@jit
def cost_of_sinking(rules: Rules, view: View, mind: Mind, cell: int) -> float:
    """What the team would lose with the tile on a cell."""
    return plain_cost(rules, view, mind, cell) + special_cost(rules, view, mind, cell, stood_on(rules, view))


@jit
def is_trapped(rules: Rules, view: View, seat: int) -> bool:
    """Could this pawn swim nowhere if its tile sank?  (The Diver nearly always can; with `swim: lose` nobody may.)"""
    if rules.swim == SWIM_LOSE:
        return True
    power = view.power[seat]
    if power in (PILOT, DIVER):
        return False
    table = rules.around if power == EXPLORER else rules.edges
    return table[view.pawn[seat]] & view.land == 0


# ---- who collects what --------------------------------------------------------------------------------------------


@jit(inline=True)
def appoint(rules: Rules, view: View, mind: Mind) -> None:
    """Settle the collector of every open treasure, and count its cards; again only when the hands have changed."""
    mark = view.deck_size << 4 | view.captured
    for seat in range(rules.players):
        mark = mark << 5 | view.hand_size[seat]
        if view.pawn[seat] < 0:
            mark |= 16
    if mind.memory[_HANDS] == mark:
        return
    mind.memory[_HANDS] = mark
    for seat in range(rules.players):
        liking = mind.memory[W_COLLECT_ROOM] * (rules.hand_limit - view.hand_size[seat]) * 0.25
        if view.power[seat] == MESSENGER:
            liking += mind.memory[W_COLLECT_MESSENGER]
        mind.memory[_LIKING + seat] = liking if view.pawn[seat] >= 0 else -99.0
    for treasure in range(N_TREASURES):
        if view.captured >> treasure & 1:
            continue
        most = -99.0
        who = 0
        held = 0
        for seat in range(rules.players):
            held += view.hand[seat, treasure]
            liking = view.hand[seat, treasure] + mind.memory[_LIKING + seat]
            if liking > most:
                most = liking
                who = seat
        mind.memory[_WHO + treasure] = who
        mind.memory[_ALL + treasure] = held


@jit(inline=True)
def worth_of_one(rules: Rules, view: View, mind: Mind, held: int) -> float:
    """What one more card is worth to a collector who holds so many of the kind."""
    if held >= rules.capture_cost:
        return 0.0
    step = held + 4 - rules.capture_cost
    return mind.memory[W_GIVE_FIRST + max(0, min(3, step))]


@jit
def worth_of_giving(rules: Rules, view: View, mind: Mind, seat: int, to: int, treasure: int) -> float:
    """What it is worth that one card of a treasure goes from `seat` to its collector `to`."""
    held = view.hand[to, treasure]
    worth = worth_of_one(rules, view, mind, held)
    if worth == 0.0:
        return 0.0
    if mind.memory[_ALL + treasure] >= rules.capture_cost:
        worth += mind.memory[W_GIVE_COMPLETES]
    if view.hand_size[seat] + rules.cards_per_turn > rules.hand_limit:
        worth += mind.memory[W_GIVE_CROWDED]
    if view.hand_size[to] >= rules.hand_limit:
        if not rules.give_to_full_hand:
            return 0.0
        worth *= mind.memory[W_GIVE_OVERFLOW]
    return worth


@jit
def errand(rules: Rules, view: View, mind: Mind, seat: int) -> tuple[int, float]:
    """Where a player most wants to be (a set of cells), and what that is worth; (0, 0.0) for no wish."""
    if view.captured == ALL_TREASURES:
        return 1 << view.landing, mind.memory[W_ESCAPE]
    where = 0
    most = 0.0
    for treasure in range(N_TREASURES):
        if view.captured >> treasure & 1:
            continue
        held = view.hand[seat, treasure]
        cells = view.treasure_cells[treasure] & view.land
        if held >= rules.capture_cost:
            worth = capture_worth(view, mind, cells)
            if worth > most:
                most = worth
                where = cells
            continue
        who = int(mind.memory[_WHO + treasure])
        if who == seat:
            if held == rules.capture_cost - 1 and mind.memory[W_AHEAD] > most:
                most = mind.memory[W_AHEAD]
                where = cells
        elif held and view.power[seat] != MESSENGER:
            worth = worth_of_giving(rules, view, mind, seat, who, treasure)
            if worth > most:
                most = worth
                where = 1 << view.pawn[who]
    return where, most


@jit
def capture_worth(view: View, mind: Mind, cells: int) -> float:
    """What a capture is worth: more when the tiles that are left are in danger."""
    safe = 1.0
    while cells:
        cell = bits.first(cells)
        cells &= cells - 1
        if view.flooded >> cell & 1:
            safe *= mind.memory[_SOON + cell] + mind.memory[_THEN + cell]
        else:
            safe = 0.0
    return mind.memory[W_CAPTURE] + mind.memory[W_CAPTURE_DANGER] * safe


# ---- ways ---------------------------------------------------------------------------------------------------------


@jit(inline=True)
def spread_by(rules: Rules, view: View, power: int, cells: int) -> int:
    """Where pawns of this power get in one action from any of a set of cells, flights left out."""
    if power == EXPLORER:
        return rule.spread(cells, rules.around_spread) & view.land
    if power == DIVER:
        wet = rule.all_cells() & ~view.land | view.flooded
        reached = rule.spread(cells, rules.edge_spread)
        frontier = reached & wet & ~cells
        passed = cells | frontier
        while frontier:
            reached |= rule.spread(frontier, rules.edge_spread)
            frontier = reached & wet & ~passed
            passed |= frontier
        return reached & view.land
    return rule.spread(cells, rules.edge_spread) & view.land


@jit
def distance(rules: Rules, view: View, power: int, start: int, goal: int) -> int:
    """Actions on foot from a cell into a set of cells; _FAR when there is no such way."""
    seen = 1 << start
    frontier = seen
    for steps in range(_FAR):
        if seen & goal:
            return steps
        frontier = spread_by(rules, view, power, frontier) & ~seen
        if frontier == 0:
            return _FAR
        seen |= frontier
    return _FAR


@jit
def step_towards(rules: Rules, view: View, seat: int, goal: int) -> int:
    """The first step of a shortest way into a set of cells, as a choice; stop() when there is none."""
    power = view.power[seat]
    start = view.pawn[seat]
    steps = spread_by(rules, view, power, 1 << start)
    seen = goal & view.land
    frontier = seen
    for _ in range(_FAR):
        there = steps & frontier
        if there:
            dry = there & ~view.flooded
            return choices.move(bits.first(dry if dry else there))
        if power == PILOT and not view.flown and frontier:
            dry = frontier & ~view.flooded
            return choices.fly(bits.first(dry if dry else frontier))
        frontier = spread_by(rules, view, power, frontier) & ~seen
        if frontier == 0:
            break
        seen |= frontier
    return choices.stop()


# ---- Lifts --------------------------------------------------------------------------------------------------------


@jit
def fullest(rules: Rules, view: View, card: int) -> int:
    """The holder of a card with the fullest hand; -1 when nobody has it."""
    best = -1
    for seat in range(rules.players):
        if view.hand[seat, card] and (best < 0 or view.hand_size[seat] > view.hand_size[best]):
            best = seat
    return best


@jit
def lift_holder(rules: Rules, view: View) -> int:
    """The seat whose Lift would be played: the holder with the fullest hand; -1 when there is none."""
    return fullest(rules, view, HELICOPTER)


@jit
def lift_price(rules: Rules, view: View, mind: Mind, holder: int) -> float:
    """What playing a Lift now costs the team later."""
    held = 0
    for seat in range(rules.players):
        held += view.hand[seat, HELICOPTER]
    price = mind.memory[W_LIFT_PRICE]
    if not rules.leave_by_action:
        price += mind.memory[W_LIFT_LATE] * bits.count(view.captured)
        if held == 1:
            price += mind.memory[W_LIFT_LAST]
    if view.hand_size[holder] + rules.cards_per_turn > rules.hand_limit:
        price *= mind.memory[W_LIFT_CROWDED]
    return price


# ---- acting -------------------------------------------------------------------------------------------------------


@jit(inline=True)
def _discount(view: View, mind: Mind, actions: int) -> float:
    """What is left of a task's value when it takes so many actions."""
    share = 1.0
    for i in range(1, actions):
        share *= mind.memory[W_PATIENCE]
        if i == view.actions_left:
            share *= mind.memory[W_TOMORROW]
    return share


@jit(inline=True)
def actions_to(goal: int, reach: tuple[int, int, int, int]) -> int:
    """Actions on the way to the nearest of a set of cells; _TOO_FAR beyond three."""
    if goal & reach[0]:
        return 0
    if goal & reach[1]:
        return 1
    if goal & reach[2]:
        return 2
    if goal & reach[3]:
        return 3
    return _TOO_FAR


@jit(inline=True)
def reach_of(rules: Rules, view: View, seat: int) -> tuple[int, int, int, int]:
    """The sets of cells that a pawn can be on after 0, 1, 2 and 3 actions."""
    power = view.power[seat]
    r0 = 1 << view.pawn[seat]
    if power == PILOT and not view.flown and seat == view.active:
        return r0, view.land, view.land, view.land
    r1 = r0 | spread_by(rules, view, power, r0)
    r2 = r1 | spread_by(rules, view, power, r1)
    r3 = r2 | spread_by(rules, view, power, r2)
    return r0, r1, r2, r3


@jit(inline=True)
def best_shoring(
    rules: Rules,
    view: View,
    mind: Mind,
    seat: int,
    reach: tuple[int, int, int, int],
) -> tuple[float, int, float, int, float, int]:
    """What to shore up: worth and cell of the best and the second best from here, and of the best further off.

    reach: as `reach_of` gives it.  A cell is -1, and its worth 0, where there is none.
    """
    power = view.power[seat]
    table = rules.around_spread if power == EXPLORER else rules.edge_spread
    pawns = stood_on(rules, view)
    dear = dear_cells(view) | pawns
    ground = ground_cost(view, mind)
    neighbour = mind.memory[W_NEIGHBOUR]
    later = mind.memory[W_LATER]
    someday = mind.memory[W_SOMEDAY]
    land = view.land
    left = view.flooded
    best = 0.0
    best_cell = -1
    share = 1.0
    first = 0.0
    second = 0.0
    first_cell = -1
    second_cell = -1
    for k in range(4):
        if left == 0:
            break
        at = reach[0]
        if k == 1:
            at = reach[1]
        elif k == 2:
            at = reach[2]
        elif k == 3:
            at = reach[3]
        cells = left & (at | rule.spread(at, table))
        left &= ~cells
        in_time = k < view.actions_left
        while cells:
            cell = bits.first(cells)
            cells &= cells - 1
            cost = ground + neighbour * bits.count(rules.edges[cell] & land)
            if dear >> cell & 1:
                cost += special_cost(rules, view, mind, cell, pawns)
            urgency = later * mind.memory[_THEN + cell] + someday
            if in_time:
                urgency += mind.memory[_SOON + cell]
            worth = cost * urgency * share
            if k == 0:
                if worth > first:
                    second = first
                    second_cell = first_cell
                    first = worth
                    first_cell = cell
                elif worth > second:
                    second = worth
                    second_cell = cell
            elif worth > best:
                best = worth
                best_cell = cell
        share *= mind.memory[W_PATIENCE]
        if k + 1 == view.actions_left:
            share *= mind.memory[W_TOMORROW]
    return first, first_cell, second, second_cell, best, best_cell


@jit(inline=True)
def journey(rules: Rules, view: View, mind: Mind, seat: int, treasure: int) -> tuple[float, int, int]:
    """What the player has to do somewhere for a treasure: its worth, where (a set of cells), and what (0: be there)."""
    held = view.hand[seat, treasure]
    cells = view.treasure_cells[treasure] & view.land
    if held >= rules.capture_cost:
        return capture_worth(view, mind, cells), cells, choices.capture(treasure)
    who = int(mind.memory[_WHO + treasure])
    here = 1 << view.pawn[seat]
    if who != seat:
        if held == 0:
            return 0.0, 0, 0
        worth = worth_of_giving(rules, view, mind, seat, who, treasure)
        goal = here if view.power[seat] == MESSENGER else 1 << view.pawn[who]
        if goal == here and not legal.can_receive(rules, view, seat, who):
            return 0.0, 0, 0
        if held > 1:
            worth += mind.memory[W_GIVE_AGAIN] * worth_of_one(rules, view, mind, view.hand[who, treasure] + 1)
        return worth, goal, choices.give(who, treasure)
    most = 0.0
    goal = 0
    for other in range(rules.players):
        if other == seat or view.pawn[other] < 0 or view.hand[other, treasure] == 0:
            continue
        if view.power[other] == MESSENGER or view.pawn[other] == view.pawn[seat]:
            continue
        worth = mind.memory[W_MEET] * worth_of_giving(rules, view, mind, other, seat, treasure)
        if worth > most:
            most = worth
            goal = 1 << view.pawn[other]
    if goal == 0 and held == rules.capture_cost - 1 and cells & here == 0:
        return mind.memory[W_AHEAD], cells, 0
    return most, goal, 0


@jit(inline=True)
def homeward(rules: Rules, view: View, mind: Mind, seat: int) -> float:
    """With one treasure left: what it is worth to near the landing, for who does not hold its cards."""
    last = bits.first(ALL_TREASURES & ~view.captured)
    worth = mind.memory[W_HOMEWARD]
    for other in range(rules.players):
        if view.hand[other, last] >= rules.capture_cost:
            if other == seat:
                return 0.0
            worth += mind.memory[W_HOMEWARD_SOON]
    return worth


@jit
def best_push(rules: Rules, view: View, mind: Mind) -> tuple[float, int]:
    """FI-5.5: the Navigator's move of whoever's errand gains most by it; its worth and the choice."""
    best = 0.0
    best_choice = choices.stop()
    for other in range(rules.players):
        if other == view.active or view.pawn[other] < 0:
            continue
        goal, value = errand(rules, view, mind, other)
        goal &= view.land
        if value * mind.memory[W_NAVIGATE] <= best or goal == 0 or goal >> view.pawn[other] & 1:
            continue
        power = view.power[other]
        before = distance(rules, view, power, view.pawn[other], goal)
        if before >= _FAR:
            continue
        targets = rule.navigate_targets(rules, view, other)
        layer = goal
        seen = goal
        for after in range(before):
            there = targets & layer
            if there:
                gained = 1.0
                for _ in range(after):
                    gained *= mind.memory[W_PATIENCE]
                lost = gained
                for _ in range(before - after):
                    lost *= mind.memory[W_PATIENCE]
                worth = mind.memory[W_NAVIGATE] * value * (gained - lost)
                if worth > best:
                    best = worth
                    dry = there & ~view.flooded
                    best_choice = choices.navigate(other, bits.first(dry if dry else there))
                break
            layer = spread_by(rules, view, power, layer) & ~seen
            seen |= layer
    return best, best_choice


@jit(inline=True)
def act(rules: Rules, view: View, mind: Mind) -> int:
    """The action, or the special card, of the active player."""
    seat = view.active
    here = 1 << view.pawn[seat]
    finished = view.captured == ALL_TREASURES
    if not finished and mind.memory[_PLAN] == view.turn:
        choice = go_on(rules, view, mind, seat)
        if choice:
            return choice
        mind.memory[_PLAN] = 0.0
    holder = -1
    price = 0.0
    if view.specials_held:
        holder = lift_holder(rules, view)
        if holder >= 0:
            price = lift_price(rules, view, mind, holder)
    if finished:
        if rules.leave_by_action and rule.ready_to_leave(rules, view):
            return choices.leave()
        if holder >= 0:
            lift = choices.stop() if rules.leave_by_action else way_out(rules, view)
            if lift == 0:
                lift = gather_by_lift(rules, view)
            if lift:
                return lift

    reach = reach_of(rules, view, seat)
    first, first_cell, second, second_cell, best, far_cell = best_shoring(rules, view, mind, seat, reach)
    best_choice = choices.stop()
    best_goal = 0
    if finished and view.pawn[seat] == view.landing:  # who is home stays there
        best = 0.0
        far_cell = -1
    if far_cell >= 0:
        best_choice = choices.shore_up(far_cell)
        best_goal = (rules.around[far_cell] if view.power[seat] == EXPLORER else rules.edges[far_cell]) | 1 << far_cell

    for treasure in range(N_TREASURES):
        if view.captured >> treasure & 1:
            continue
        if view.hand[seat, treasure] == 0 and mind.memory[_WHO + treasure] != seat:
            continue
        worth, goal, doing = journey(rules, view, mind, seat, treasure)
        if goal == 0 or worth <= max(best, second):  # not worth more than what is done here anyway
            continue
        steps = actions_to(goal, reach)
        final = 1 if doing else 0
        score = worth * _discount(view, mind, steps + final)
        if score > best:
            best = score
            best_choice = doing
            best_goal = goal if steps else 0
        if doing and steps and holder >= 0 and worth - price > best:
            best = worth - price
            best_goal = 0
            firm = goal & ~view.flooded
            best_choice = choices.lift(holder, bits.first(firm if firm else goal), 1 << seat)
    if view.pawn[seat] != view.landing and bits.count(view.captured) >= N_TREASURES - 1:
        goal = 1 << view.landing
        worth = mind.memory[W_ESCAPE] if finished else homeward(rules, view, mind, seat)
        score = worth * _discount(view, mind, actions_to(goal, reach))
        if score > best:
            best = score
            best_goal = goal
            best_choice = choices.stop()

    if view.flooded & here and is_trapped(rules, view, seat):
        worth = mind.memory[W_FIRM_GROUND] * mind.memory[W_DROWNING] * mind.memory[_SOON + view.pawn[seat]]
        if worth > best:
            if reach[1] != here:
                best = worth
                best_goal = reach[1] & ~here
                best_choice = choices.stop()
            elif holder >= 0 and worth > price and view.pawn[seat] != view.landing and not finished:
                return choices.lift(holder, view.landing, 1 << seat)

    if view.power[seat] == NAVIGATOR:
        worth, push = best_push(rules, view, mind)
        if worth > best:
            best = worth
            best_choice = push
            best_goal = 0
    if first_cell >= 0:
        if view.power[seat] == ENGINEER and second_cell >= 0:
            if first + second >= best:
                return choices.shore_up_two(first_cell, second_cell)
        elif first >= best:
            if second_cell >= 0 and second >= best:
                mind.memory[_PLAN] = view.turn
                mind.memory[_GOAL] = here
                mind.memory[_DEED] = choices.shore_up(second_cell)
            return choices.shore_up(first_cell)
    if best_goal:
        mind.memory[_PLAN] = view.turn
        mind.memory[_GOAL] = best_goal
        mind.memory[_DEED] = best_choice
        return step_towards(rules, view, seat, best_goal)
    return best_choice


@jit
def go_on(rules: Rules, view: View, mind: Mind, seat: int) -> int:
    """The next step of the plan made earlier in this turn; stop() when it is done or no longer makes sense."""
    goal = int(mind.memory[_GOAL])
    if not goal >> view.pawn[seat] & 1:
        return step_towards(rules, view, seat, goal)
    mind.memory[_PLAN] = 0.0
    deed = int(mind.memory[_DEED])
    if deed and view.power[seat] != ENGINEER and legal.allows(rules, view, deed):
        return deed
    return choices.stop()


@jit
def way_out(rules: Rules, view: View) -> int:
    """With all treasures and a Lift for every group that is away and one more: the next card of the escape."""
    lifts = 0
    holder = -1
    for seat in range(rules.players):
        if view.hand[seat, HELICOPTER]:
            lifts += view.hand[seat, HELICOPTER]
            holder = seat
    if lifts == 0:
        return choices.stop()
    away = 0
    for seat in range(rules.players):
        if view.pawn[seat] >= 0 and view.pawn[seat] != view.landing:
            away |= 1 << view.pawn[seat]
    if away == 0:
        return choices.escape(holder)
    if bits.count(away) >= lifts:
        return choices.stop()
    return choices.lift(holder, view.landing, rule.pawns_on(rules, view, bits.first(away)))


@jit
def gather_by_lift(rules: Rules, view: View) -> int:
    """With all treasures and a Lift to spare: lift those who are furthest to the landing; stop() when it is no use."""
    lifts = 0
    for seat in range(rules.players):
        lifts += view.hand[seat, HELICOPTER]
    if lifts < 2 - rules.leave_by_action:
        return choices.stop()
    furthest = -1
    longest = 2
    for seat in range(rules.players):
        if view.pawn[seat] < 0 or view.pawn[seat] == view.landing:
            continue
        way = distance(rules, view, view.power[seat], view.pawn[seat], 1 << view.landing)
        if way >= longest:
            longest = way
            furthest = seat
    if furthest < 0:
        return choices.stop()
    pawns = rule.pawns_on(rules, view, view.pawn[furthest])
    return choices.lift(lift_holder(rules, view), view.landing, pawns)


# ---- between the actions ------------------------------------------------------------------------------------------


@jit(inline=True)
def in_danger(rules: Rules, view: View, mind: Mind, limit: float) -> int:
    """The flooded cell whose loss threatens most in the flood that is going on or comes next; -1 when none threatens
    more than `limit`.
    """
    worst = -1
    most = limit
    plain = ground_cost(view, mind) + 6.0 * mind.memory[W_NEIGHBOUR]  # no tile borders on more
    left = view.floods_left if view.phase == FLOODING else rule.flood_cards_due(rules, view)
    drawn = 0
    pawns = stood_on(rules, view)
    dear = dear_cells(view) | pawns
    for i in range(view.layers - 1, -2, -1):
        if left <= 0:
            break
        # Under the last layer lies the discard, with what is drawn until then.
        cells = view.layer[i] if i >= 0 else view.flood_discard
        size = bits.count(cells) if i >= 0 else bits.count(cells) + drawn
        share = chance_among(left, size)
        left -= size
        drawn += size
        cells &= view.flooded
        if share * plain <= most:  # no plain tile matters enough
            cells &= dear
        while cells:
            cell = bits.first(cells)
            cells &= cells - 1
            cost = plain_cost(rules, view, mind, cell) + special_cost(rules, view, mind, cell, pawns)
            if share * cost > most:
                most = share * cost
                worst = cell
    return worst


@jit
def bags_holder(rules: Rules, view: View) -> int:
    """The holder of Sandbags with the fullest hand; -1 when there is none."""
    return fullest(rules, view, SANDBAGS)


@jit(inline=True)
def between(rules: Rules, view: View, mind: Mind) -> int:
    """A special card between two steps, or none."""
    if view.captured == ALL_TREASURES and not rules.leave_by_action:
        lift = way_out(rules, view)
        if lift:
            return lift
    if view.phase != FLOODING:
        return choices.stop()
    if view.layers:
        top = view.layer[view.layers - 1]
        if top & view.flooded == 0 and view.floods_left <= bits.count(top):
            return choices.stop()
    holder = bags_holder(rules, view)
    if holder < 0 and not anyone_trapped(rules, view):
        return choices.stop()
    limit = mind.memory[W_LIFT_RESCUE]
    if holder >= 0:
        limit = mind.memory[W_BAG_FLOOD]
        if view.hand_size[holder] + rules.cards_per_turn > rules.hand_limit:
            limit = mind.memory[W_BAG_CROWDED]
    cell = in_danger(rules, view, mind, limit)
    if cell < 0:
        return choices.stop()
    return lift_off(rules, view, cell) if holder < 0 else choices.sandbags(holder, cell)


@jit
def anyone_trapped(rules: Rules, view: View) -> bool:
    """Does a pawn stand on a flooded tile from which it could swim nowhere?"""
    for seat in range(rules.players):
        if view.pawn[seat] >= 0 and view.flooded >> view.pawn[seat] & 1 and is_trapped(rules, view, seat):
            return True
    return False


@jit
def lift_off(rules: Rules, view: View, cell: int) -> int:
    """A Lift for the pawns on a cell of which one could swim nowhere; stop() when that is not so."""
    holder = lift_holder(rules, view)
    if holder < 0 or cell == view.landing:
        return choices.stop()
    for seat in range(rules.players):
        if view.pawn[seat] == cell and is_trapped(rules, view, seat):
            return choices.lift(holder, view.landing, rule.pawns_on(rules, view, cell))
    return choices.stop()


@jit
def dearness(rules: Rules, view: View, mind: Mind, seat: int, card: int) -> float:
    """How much a card in a hand would be missed."""
    if card == HELICOPTER:
        lifts = 0
        for other in range(rules.players):
            lifts += view.hand[other, HELICOPTER]
        dear = mind.memory[W_KEEP_LIFT]
        if lifts == 1 and not rules.leave_by_action:
            dear += mind.memory[W_KEEP_LIFT_LAST] * bits.count(view.captured) * 0.25
        return dear
    if card == SANDBAGS:
        return mind.memory[W_KEEP_BAG]
    if view.captured >> card & 1:
        return 0.0
    held = view.hand[seat, card]
    if held > rules.capture_cost:
        return 0.0
    who = int(mind.memory[_WHO + card])
    dear = mind.memory[W_KEEP_FIRST + max(0, min(3, held - 1 + 4 - rules.capture_cost))]
    if who != seat:
        if view.hand[who, card] >= rules.capture_cost:
            return 0.0
        dear *= mind.memory[W_KEEP_OTHER]
    return dear * (1.0 + mind.memory[W_KEEP_SCARCE] * view.discard[card])


@jit
def discard_down(rules: Rules, view: View, mind: Mind) -> int:
    """FI-7.2: the card least missed goes; a special card that does some good is played rather than a dear card lost."""
    seat = view.decider
    best = -1
    least = 0.0
    for card in range(SANDBAGS + 1):
        if view.hand[seat, card]:
            dear = dearness(rules, view, mind, seat, card)
            if best < 0 or dear < least:
                best = card
                least = dear
    if view.captured == ALL_TREASURES:
        if view.hand[seat, HELICOPTER] and not rules.leave_by_action and rule.ready_to_leave(rules, view):
            return choices.escape(seat)
        if best < HELICOPTER:
            return choices.discard(best)
    play = choices.discard(best)
    if view.hand[seat, SANDBAGS] and view.flooded:
        cell, gain = most_wanted_dry(rules, view, mind)
        if mind.memory[W_KEEP_BAG] - gain < least:
            least = mind.memory[W_KEEP_BAG] - gain
            play = choices.sandbags(seat, cell)
    if view.hand[seat, HELICOPTER]:
        lift, gain = best_lift(rules, view, mind, seat)
        dear = dearness(rules, view, mind, seat, HELICOPTER) - mind.memory[W_LIFT_GAIN] * gain
        if gain > 0.0 and (dear < least or best == HELICOPTER):
            play = lift
    return play


@jit
def most_wanted_dry(rules: Rules, view: View, mind: Mind) -> tuple[int, float]:
    """The flooded cell that the team would most like dry, and how much."""
    wet = view.flooded
    best = bits.first(wet)
    most = -1.0
    while wet:
        cell = bits.first(wet)
        wet &= wet - 1
        wish = cost_of_sinking(rules, view, mind, cell) * (
            mind.memory[_SOON + cell] + mind.memory[W_LATER] * mind.memory[_THEN + cell] + mind.memory[W_SOMEDAY]
        )
        if wish > most:
            most = wish
            best = cell
    return best, most


@jit
def best_lift(rules: Rules, view: View, mind: Mind, holder: int) -> tuple[int, float]:
    """The best flight of one pawn with this holder's Lift, and what it gains; (stop(), 0.0) when there is none."""
    best = choices.stop()
    most = 0.0
    for seat in range(rules.players):
        if view.pawn[seat] < 0:
            continue
        goal, value = errand(rules, view, mind, seat)
        goal &= view.land
        if goal == 0 or goal >> view.pawn[seat] & 1:
            continue
        way = distance(rules, view, view.power[seat], view.pawn[seat], goal)
        gain = value * (1.0 - mind.memory[W_PATIENCE] ** way)
        if gain > most:
            most = gain
            there = goal & ~view.flooded
            best = choices.lift(holder, bits.first(there if there else goal), 1 << seat)
    return best, most


@jit
def swim(rules: Rules, view: View, mind: Mind) -> int:
    """FI-8.3: to firm ground near the errand."""
    seat = view.decider
    targets = rule.swim_targets(rules, view, seat)
    if targets == 0:
        return rescue(rules, view, seat)
    goal, _ = errand(rules, view, mind, seat)
    best = -1
    most = 0.0
    while targets:
        cell = bits.first(targets)
        targets &= targets - 1
        score = 0.1 * bits.count(rules.edges[cell] & view.land)
        if goal:
            score -= distance(rules, view, view.power[seat], cell, goal)
        if view.flooded >> cell & 1:
            score -= mind.memory[W_SWIM_DANGER]
        if best < 0 or score > most:
            best = cell
            most = score
    return choices.swim(best)


@jit
def rescue(rules: Rules, view: View, seat: int) -> int:
    """Knob `lift_saves_swimmer`: a pawn with nowhere to swim is carried to the landing, with all in the water."""
    if rules.lift_saves_swimmer:
        holder = lift_holder(rules, view)
        if holder >= 0:
            return choices.lift(holder, view.landing, legal.swimmers(rules, view))
    return choices.stop()


@jit
def save(rules: Rules, view: View, mind: Mind) -> int:
    """Knob `sandbags_save_sinking`: Sandbags answer a card that would sink something dear."""
    if cost_of_sinking(rules, view, mind, view.revealed) > mind.memory[W_BAG_FLOOD]:
        return choices.sandbags(bags_holder(rules, view), view.revealed)
    return choices.stop()


@jit
def least_missed(rules: Rules, view: View, mind: Mind) -> int:
    """Knob `flood_cards_in_treasure_deck`: a dry tile that matters least; else the flooded one that does."""
    cells = view.land & ~view.flooded
    if cells == 0:
        cells = view.land
    best = -1
    least = 0.0
    while cells:
        cell = bits.first(cells)
        cells &= cells - 1
        cost = cost_of_sinking(rules, view, mind, cell)
        if best < 0 or cost < least:
            best = cell
            least = cost
    return choices.flood(best)


PARAMETERS = (
    Parameter("caution", 1.0, 0.0, 10.0, "how much sinking tiles count against cards and captures; 1 is tuned"),
    Parameter("thrift", 1.0, 0.0, 10.0, "how dear the playing of a Lift is; 0 spends them at once, 1 is tuned"),
)

_CAUTION, _THRIFT, _OWN = range(3)
"""Their places in the numbers, and how many they are: the weights follow."""

REASONS = (
    "nothing is worth an action",
    "{tile} would be missed most, by what it is worth and how likely its card comes",
    "to shore up {tile}",
    "the hand holds the cards",
    "on the way to a capture with the {card} cards",
    "{player} collects these",
    "to hand {player} a card",
    "to meet {player}, who brings a card",
    "to Fools' Landing, where the team is to leave",
    "ahead of time to where the pawn will be needed, or to firm ground",
    "{player} has an errand that way",
    "the flight is worth more than the Lift's price",
    "all treasures are captured",
    "the card least missed",
    "firm ground near the errand",
    "the tile least missed",
)
(
    _R_NOTHING,
    _R_SHORE,
    _R_TO_SHORE,
    _R_CAPTURE,
    _R_TO_CAPTURE,
    _R_GIVE,
    _R_TO_GIVE,
    _R_TO_MEET,
    _R_HOME,
    _R_AHEAD,
    _R_PUSH,
    _R_FLIGHT,
    _R_LEAVE,
    _R_DISCARD,
    _R_SWIM,
    _R_FLOOD,
) = range(1, len(REASONS) + 1)


@jit
def explain(rules: Rules, view: View, mind: Mind, choice: int) -> None:
    """Note why a choice was made, as the choice itself and the plan that it belongs to say."""
    kind = choices.kind(choice)
    first = choices.a(choice)
    if kind in (MOVE, FLY):
        deed = int(mind.memory[_DEED]) if mind.memory[_PLAN] == view.turn else 0
        goal = int(mind.memory[_GOAL]) if mind.memory[_PLAN] == view.turn else 0
        planned = choices.kind(deed)
        if planned == SHORE_UP:
            because(mind, _R_TO_SHORE, choices.a(deed))
        elif planned == CAPTURE:
            because(mind, _R_TO_CAPTURE, choices.a(deed))
        elif planned == GIVE:
            because(mind, _R_TO_GIVE, choices.a(deed))
        elif goal == 1 << view.landing or view.captured == ALL_TREASURES:
            because(mind, _R_HOME, 0)
        else:
            because(mind, _R_AHEAD, 0)
            for seat in range(rules.players):
                if view.pawn[seat] >= 0 and goal == 1 << view.pawn[seat]:
                    because(mind, _R_TO_MEET, seat)
    elif kind in (SHORE_UP, SHORE_UP_TWO):
        because(mind, _R_SHORE, first)
    elif kind == BAG:
        because(mind, _R_SHORE, choices.b(choice))
    elif kind == CAPTURE:
        because(mind, _R_CAPTURE, first)
    elif kind == GIVE:
        because(mind, _R_GIVE, first)
    elif kind == NAVIGATE:
        because(mind, _R_PUSH, first)
    elif kind in (ESCAPE, LEAVE) or (kind == LIFT and view.captured == ALL_TREASURES):
        because(mind, _R_LEAVE, 0)
    elif kind == LIFT:
        because(mind, _R_FLIGHT, 0)
    elif kind == DISCARD:
        because(mind, _R_DISCARD, 0)
    elif kind == SWIM:
        because(mind, _R_SWIM, 0)
    elif kind == FLOOD:
        because(mind, _R_FLOOD, 0)
    else:
        because(mind, _R_NOTHING, 0)


@jit(inline=True)
def decide(rules: Rules, view: View, mind: Mind) -> int:
    """The answer to what is asked."""
    decision = view.decision
    if mind.memory[W_PATIENCE] == 0.0:  # a game begins
        column = _OWN + (rules.players - 2) * len(WEIGHTS)
        for i in range(len(WEIGHTS)):
            mind.memory[_WEIGHT + i] = mind.numbers[column + i]
        for i in range(W_LANDING, W_DROWNING + 1):
            mind.memory[i] *= mind.numbers[_CAUTION]
        for i in range(W_LIFT_PRICE, W_LIFT_LATE + 1):
            mind.memory[i] *= mind.numbers[_THRIFT]
    if decision == WINDOW:
        return between(rules, view, mind)
    if mind.memory[_STAMP] != view.turn or decision != ACT:
        forecast(rules, view, mind)
    appoint(rules, view, mind)
    if decision == ACT:
        return act(rules, view, mind)
    if decision == DISCARD_DOWN:
        return discard_down(rules, view, mind)
    if decision == SWIM_NOW:
        return swim(rules, view, mind)
    if decision == SAVE:
        return save(rules, view, mind)
    if decision == CHOOSE_FLOOD:
        return least_missed(rules, view, mind)
    return choices.stop()


@policy(
    "cooperative",
    parameters=PARAMETERS,
    reasons=REASONS,
    memory=_MEMORY,
    weights=tuple(values[column] for column in range(3) for _, values, _ in WEIGHTS),
    games_per_second=50_000,
)
def cooperative(rules: Rules, view: View, mind: Mind, stream: Stream) -> int:
    choice = decide(rules, view, mind)
    if mind.traced and (choice or view.decision == ACT):
        explain(rules, view, mind, choice)
    return choice

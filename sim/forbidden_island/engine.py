"""The order of play (FI-3): who is asked what, when, and what then happens.  Batches of trials in one compiled call.

The table answers as one in a window; every choice goes through `ask`, which tests it.  An illegal answer is a fault of
the policy: the batch stops and names seed, trial and choice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.np.numpy_support import from_dtype

from sim.core import bits, rng
from sim.core.compile import jit
from sim.core.policy import MIND, Choose, Mind
from sim.core.rng import Stream
from sim.forbidden_island import chance, choices, legal, setup
from sim.forbidden_island import log as logs
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import (
    ACT,
    ACTIONS,
    BAG,
    CAPTURE,
    CHANCE_MISTAKES,
    CHANCE_POLICY,
    CHOOSE_FLOOD,
    DISCARD,
    DISCARD_DOWN,
    DRAWING,
    DROWNED,
    ESCAPE,
    FLOOD_CARD,
    FLOODING,
    FLY,
    GIVE,
    LIFT,
    MOVE,
    N_TILES,
    NAVIGATE,
    PASS,
    SANDBAGS,
    SAVE,
    SHORE_UP,
    SHORE_UP_TWO,
    SKULL,
    STOPPED,
    SWIM,
    SWIM_ELIMINATE,
    SWIM_NOW,
    TURN_LIMIT,
    WATERS_RISE,
    WINDOW,
)
from sim.forbidden_island.log import Log
from sim.forbidden_island.state import HIDDEN, ROW, RULES, VIEW, Hidden, Row, Rules, View

_rules: Any = from_dtype(RULES)
_view: Any = from_dtype(VIEW)
_stream: Any = from_dtype(rng.STREAM)
_mind: Any = from_dtype(MIND)
_counts = types.Array(types.int64, 2, "C")

CHOOSE = types.int64(_rules, _view, _mind, _stream)
"""The signature of a policy: choose(rules, view, mind, stream) -> choice."""


def _records(dtype: np.dtype) -> Any:
    return types.Array(from_dtype(dtype), 1, "C")


BATCH = types.int64(
    _records(RULES),
    types.int64,
    types.int64,
    types.FunctionType(CHOOSE),
    _records(MIND),
    _records(VIEW),
    _records(HIDDEN),
    _records(rng.STREAM),
    _records(ROW),
    _counts,
    _counts,
    _counts,
    _counts,
    _counts,
    _records(logs.LOG),
)
"""The signature of `play_batch`."""


@jit
def mistaken(rules: Rules, view: View, hidden: Hidden, mind: Mind, choice: int) -> int:
    """The player's choice, or, for the share of its answers that are mistakes, any legal one, each as likely.

    The draws are two words for each answer, from a stream of their own.  (A word of 63 bits modulo the number of
    options favours none of them by more than a part in 10**12.)
    """
    whether, which = rng.block(hidden.seed, hidden.trial, CHANCE_MISTAKES, 0, hidden.asked)
    if (whether >> 10) * (1.0 / 9007199254740992.0) >= mind.mistakes:
        return choice
    mind.reason = logs.MISTAKE
    return legal.option(rules, view, which % legal.option(rules, view, legal.HOW_MANY))


@jit
def ask(
    rules: Rules,
    view: View,
    hidden: Hidden,
    choose: Choose,
    mind: Mind,
    stream: Stream,
    log: Log,
    decision: int,
    decider: int,
) -> int:
    """Put one question to the policy.  An illegal answer ends the game as a fault; the caller sees view.over."""
    view.decision = decision
    view.decider = decider
    hidden.asked += 1
    if log.recording:
        mind.reason = 0
    choice = choose(rules, view, mind, stream)
    # To pass is always legal there, and by far the most frequent answer.
    if (choice != PASS or view.decision > WINDOW) and not legal.allows(rules, view, choice):
        hidden.fault = 1
        hidden.fault_choice = choice
        view.over = 1
        return PASS
    if mind.mistakes > 0.0:
        choice = mistaken(rules, view, hidden, mind, choice)
    if log.recording and mind.reason:
        logs.note(log, logs.REASON, mind.reason, mind.about, choice << 3 | decision)
    return choice


@jit
def play_special(view: View, row: Row, log: Log, choice: int) -> None:
    """FI-6.1, FI-6.2, FI-9.1: a special card that was chosen, at whatever point."""
    kind = choices.kind(choice)
    holder = choices.a(choice)
    if kind == BAG:
        rule.play_sandbags(view, row, holder, choices.b(choice))
        logs.note(log, logs.BAGGED, holder, choices.b(choice), 0)
    elif kind == LIFT:
        rule.play_lift(view, row, holder, choices.b(choice), choices.c(choice))
        logs.note(log, logs.LIFTED, holder, choices.c(choice), choices.b(choice))
    elif kind == ESCAPE:
        rule.play_escape(view, row, holder)
        logs.note(log, logs.ESCAPED, holder, 0, 0)


@jit
def window(
    rules: Rules, view: View, hidden: Hidden, row: Row, choose: Choose, mind: Mind, stream: Stream, log: Log
) -> None:
    """FI-6.2: between two steps the table may play special cards, as many as it likes."""
    while view.specials_held and not view.over:
        choice = ask(rules, view, hidden, choose, mind, stream, log, WINDOW, view.active)
        if choice == PASS:
            return
        play_special(view, row, log, choice)


@jit
def keep_hand_limit(
    rules: Rules, view: View, hidden: Hidden, row: Row, choose: Choose, mind: Mind, stream: Stream, log: Log, seat: int
) -> None:
    """FI-7.2: back to the limit at once, by discarding or by playing a special card."""
    while view.hand_size[seat] > rules.hand_limit and not view.over:
        choice = ask(rules, view, hidden, choose, mind, stream, log, DISCARD_DOWN, seat)
        if view.over:
            return
        if choices.kind(choice) == DISCARD:
            rule.discard_card(view, row, seat, choices.a(choice))
            logs.note(log, logs.DISCARDED, seat, choices.a(choice), 0)
        else:
            play_special(view, row, log, choice)


@jit(inline=True)
def act(
    rules: Rules,
    view: View,
    hidden: Hidden,
    row: Row,
    choose: Choose,
    mind: Mind,
    stream: Stream,
    log: Log,
    choice: int,
) -> None:
    """Section 4: one action of the active player."""
    seat = view.active
    kind = choices.kind(choice)
    first = choices.a(choice)
    second = choices.b(choice)
    if kind == MOVE:
        rule.move(view, row, seat, first)
        logs.note(log, logs.MOVED, seat, first, 0)
    elif kind == SHORE_UP:
        rule.shore_up(view, row, 1 << first)
        logs.note(log, logs.SHORED, seat, first, -1)
    elif kind == GIVE:
        rule.give(view, row, seat, first, second)
        rule.note_ready(rules, view, row, first, second)
        logs.note(log, logs.GIVEN, seat, first, second)
        keep_hand_limit(rules, view, hidden, row, choose, mind, stream, log, first)
    elif kind == CAPTURE:
        rule.capture(rules, view, row, seat, first)
        logs.note(log, logs.CAPTURED, seat, first, 0)
    elif kind == FLY:
        rule.fly(view, row, seat, first)
        logs.note(log, logs.FLOWN, seat, first, 0)
    elif kind == NAVIGATE:
        rule.navigate(view, row, first, second)
        logs.note(log, logs.NAVIGATED, seat, first, second)
    elif kind == SHORE_UP_TWO:
        rule.shore_up(view, row, 1 << first | 1 << second)
        logs.note(log, logs.SHORED, seat, first, second)
    else:
        rule.win(view, row)
        row.actions[kind] += 1
        logs.note(log, logs.ESCAPED, seat, 0, 0)


@jit
def take_actions(
    rules: Rules, view: View, hidden: Hidden, row: Row, choose: Choose, mind: Mind, stream: Stream, log: Log
) -> None:
    """FI-3.1: up to three actions; a special card costs none (FI-6.2)."""
    view.phase = ACTIONS
    view.flown = 0
    view.actions_left = rules.actions_per_turn
    while view.actions_left > 0 and not view.over:
        choice = ask(rules, view, hidden, choose, mind, stream, log, ACT, view.active)
        if view.over:
            return
        if choice == PASS:
            row.actions[PASS] += view.actions_left
            break
        if choices.kind(choice) >= LIFT:
            play_special(view, row, log, choice)
        else:
            view.actions_left -= 1
            act(rules, view, hidden, row, choose, mind, stream, log, choice)
    view.actions_left = 0


@jit
def rise(rules: Rules, view: View, hidden: Hidden, row: Row, log: Log) -> None:
    """FI-7.3 and FI-9.5; with `rise_shuffles: all` the rest of the deck is shuffled in."""
    skull = rule.rise(rules, view, row)
    view.discard[WATERS_RISE] += 1
    logs.note(log, logs.RISEN, view.tick, 0, 0)
    if skull:
        rule.lose(view, row, 1 << SKULL)
        return
    cells = view.flood_discard
    if rules.rise_shuffles_all:
        for i in range(view.layers):
            cells |= view.layer[i]
        view.layers = 0
    if cells:
        chance.shuffle_flood(view, hidden, cells)
        rule.lay_on_top(view, cells)
        view.flood_discard = 0


@jit
def swim_ashore(
    rules: Rules, view: View, hidden: Hidden, row: Row, choose: Choose, mind: Mind, stream: Stream, log: Log, cell: int
) -> None:
    """FI-8.3: the pawns on a sunk tile swim, in turn order from the active player, before anything else."""
    view.sunk_now = cell
    for i in range(rules.players):
        seat = (view.active + i) % rules.players
        if view.pawn[seat] != cell:
            continue
        if rules.swim == SWIM_ELIMINATE:
            rule.eliminate(rules, view, row, seat)
            logs.note(log, logs.ELIMINATED, seat, 0, 0)
            if view.over:
                break
            continue
        while view.pawn[seat] == cell:
            can_swim = rule.swim_targets(rules, view, seat) != 0
            choice = PASS
            if can_swim or rules.lift_saves_swimmer:
                choice = ask(rules, view, hidden, choose, mind, stream, log, SWIM_NOW, seat)
                if view.over:
                    break
            if choices.kind(choice) == SWIM:
                rule.swim(view, row, seat, choices.a(choice))
                logs.note(log, logs.SWUM, seat, choices.a(choice), 0)
            elif choice == PASS:
                row.drowned |= rule.nowhere_to_swim(rules, view, rule.pawns_on(rules, view, cell))
                rule.lose(view, row, 1 << DROWNED)
                break
            else:
                play_special(view, row, log, choice)
        if view.over:
            break
    view.sunk_now = -1


@jit
def sink(
    rules: Rules, view: View, hidden: Hidden, row: Row, choose: Choose, mind: Mind, stream: Stream, log: Log, cell: int
) -> None:
    """FI-8.1, FI-9.2 to 9.4, FI-8.3: a tile sinks, with all that follows."""
    rule.sink_tile(view, row, cell)
    rule.judge_sinking(rules, view, row, cell)
    if not view.over and rule.pawns_on(rules, view, cell):
        swim_ashore(rules, view, hidden, row, choose, mind, stream, log, cell)


@jit(inline=True)
def flood_by_card(
    rules: Rules, view: View, hidden: Hidden, row: Row, choose: Choose, mind: Mind, stream: Stream, log: Log, cell: int
) -> None:
    """FI-8.1: one flood card, once revealed (FI-6.3; knob `sandbags_save_sinking`)."""
    if not view.flooded >> cell & 1:
        rule.flood_tile(view, cell)
        view.flood_discard |= 1 << cell
        logs.note(log, logs.FLOODED, cell, logs.DRY_TO_FLOODED, 0)
        return
    if rules.sandbags_save_sinking:
        held = 0
        for seat in range(rules.players):
            held += view.hand[seat, SANDBAGS]
        if held:
            view.revealed = cell
            choice = ask(rules, view, hidden, choose, mind, stream, log, SAVE, view.active)
            view.revealed = -1
            if view.over:
                return
            if choice != PASS:
                play_special(view, row, log, choice)
                view.flood_discard |= 1 << cell
                logs.note(log, logs.FLOODED, cell, logs.TO_SAVED, 0)
                return
    logs.note(log, logs.FLOODED, cell, logs.TO_SUNK, 0)
    sink(rules, view, hidden, row, choose, mind, stream, log, cell)


@jit
def flood_by_choice(
    rules: Rules, view: View, hidden: Hidden, row: Row, choose: Choose, mind: Mind, stream: Stream, log: Log
) -> None:
    """Knob `flood_cards_in_treasure_deck`: the drawer floods a tile of their choice, or sinks a flooded one."""
    view.discard[FLOOD_CARD] += 1
    choice = ask(rules, view, hidden, choose, mind, stream, log, CHOOSE_FLOOD, view.active)
    if view.over:
        return
    cell = choices.a(choice)
    if not view.flooded >> cell & 1:
        rule.flood_tile(view, cell)
        logs.note(log, logs.CHOSEN, view.active, cell, logs.DRY_TO_FLOODED)
    else:
        rule.remove_flood_card(view, cell)
        logs.note(log, logs.CHOSEN, view.active, cell, logs.TO_SUNK)
        sink(rules, view, hidden, row, choose, mind, stream, log, cell)


@jit
def draw_treasure_cards(
    rules: Rules, view: View, hidden: Hidden, row: Row, choose: Choose, mind: Mind, stream: Stream, log: Log
) -> None:
    """FI-7.1 to 7.3: the treasure cards of a turn, one at a time."""
    view.phase = DRAWING
    view.draws_left = rules.cards_per_turn
    go_on_drawing(rules, view, hidden, row, choose, mind, stream, log)


@jit
def go_on_drawing(
    rules: Rules, view: View, hidden: Hidden, row: Row, choose: Choose, mind: Mind, stream: Stream, log: Log
) -> None:
    """The treasure cards that are still to be drawn in this turn."""
    seat = view.active
    while view.draws_left > 0 and not view.over and view.pawn[seat] >= 0:
        window(rules, view, hidden, row, choose, mind, stream, log)
        if view.over:
            break
        if view.deck_size == 0:
            for card in range(FLOOD_CARD + 1):
                view.deck[card] = view.discard[card]
                view.deck_size += view.discard[card]
                view.discard[card] = 0
            if view.deck_size == 0:
                break  # every card is in a hand: there is nothing to draw
            chance.shuffle_treasure(rules, view, hidden)
            logs.note(log, logs.RESHUFFLED, logs.TREASURE_DECK, 0, 0)
        card = chance.draw_treasure(rules, view, hidden)
        view.draws_left -= 1
        logs.note(log, logs.DRAWN, seat, card, 0)
        if card == WATERS_RISE:
            rise(rules, view, hidden, row, log)
        elif card == FLOOD_CARD:
            flood_by_choice(rules, view, hidden, row, choose, mind, stream, log)
        else:
            rule.take_card(view, seat, card)
            rule.note_ready(rules, view, row, seat, card)
            if not rules.check_after_draw:
                keep_hand_limit(rules, view, hidden, row, choose, mind, stream, log, seat)
    view.draws_left = 0
    if rules.check_after_draw and view.pawn[seat] >= 0:
        keep_hand_limit(rules, view, hidden, row, choose, mind, stream, log, seat)


@jit(inline=True)
def draw_flood_card(
    rules: Rules, view: View, hidden: Hidden, row: Row, choose: Choose, mind: Mind, stream: Stream, log: Log
) -> None:
    """FI-8.1, FI-8.2: one flood card; an empty deck is made anew from its discard first."""
    if view.layers == 0:
        chance.shuffle_flood(view, hidden, view.flood_discard)
        rule.lay_on_top(view, view.flood_discard)
        view.flood_discard = 0
        logs.note(log, logs.RESHUFFLED, logs.FLOOD_DECK, 0, 0)
    cell = chance.draw_flood(view, hidden)
    view.floods_left -= 1
    flood_by_card(rules, view, hidden, row, choose, mind, stream, log, cell)


@jit
def draw_flood_cards(
    rules: Rules, view: View, hidden: Hidden, row: Row, choose: Choose, mind: Mind, stream: Stream, log: Log
) -> None:
    """FI-3.1, FI-8: the flood cards of a turn, one at a time, as many as the meter says when the first is due."""
    view.phase = FLOODING
    view.floods_left = rule.flood_cards_due(rules, view)
    go_on_flooding(rules, view, hidden, row, choose, mind, stream, log)


@jit(inline=True)
def go_on_flooding(
    rules: Rules, view: View, hidden: Hidden, row: Row, choose: Choose, mind: Mind, stream: Stream, log: Log
) -> None:
    """The flood cards that are still to be drawn in this turn."""
    while view.floods_left > 0 and not view.over:
        window(rules, view, hidden, row, choose, mind, stream, log)
        if view.over:
            break
        draw_flood_card(rules, view, hidden, row, choose, mind, stream, log)
    view.floods_left = 0


@jit
def take_turn(
    rules: Rules, view: View, hidden: Hidden, row: Row, choose: Choose, mind: Mind, stream: Stream, log: Log
) -> None:
    """FI-3.1: actions, treasure cards, flood cards."""
    logs.note(log, logs.TURN, view.turn, view.active, view.tick)
    kinds = legal.useful_kinds(rules, view, view.active)
    if kinds < 2:
        row.turns_open[kinds] += 1
    take_actions(rules, view, hidden, row, choose, mind, stream, log)
    if not view.over:
        draw_treasure_cards(rules, view, hidden, row, choose, mind, stream, log)
    if not view.over:
        draw_flood_cards(rules, view, hidden, row, choose, mind, stream, log)


@jit
def pass_the_turn(rules: Rules, view: View) -> None:
    """FI-2.6: clockwise to the next player still in the game."""
    for _ in range(rules.players):
        view.active = (view.active + 1) % rules.players
        if view.pawn[view.active] >= 0:
            return


@jit
def tally(view: View, ticks: np.ndarray, flooded: np.ndarray, sunk: np.ndarray, captured: np.ndarray) -> None:
    """Count this running game at the start of its turn."""
    at = view.turn - 1
    ticks[at, view.tick - 1] += 1
    flooded[at, bits.count(view.flooded)] += 1
    sunk[at, N_TILES - bits.count(view.land)] += 1
    captured[at, bits.count(view.captured)] += 1


@jit
def play_game(
    rules: Rules,
    view: View,
    hidden: Hidden,
    row: Row,
    choose: Choose,
    mind: Mind,
    stream: Stream,
    ticks: np.ndarray,
    flooded: np.ndarray,
    sunk: np.ndarray,
    captured: np.ndarray,
    log: Log,
) -> None:
    """One game from its setup, which must have been made, to its end (FI-9), or to the turn limit (FI-9.7)."""
    rng.start(stream, hidden.seed, hidden.trial, CHANCE_POLICY)
    mind.traced = log.recording
    for i in range(mind.memory_used):
        mind.memory[i] = 0.0
    while not view.over:
        if view.turn == rules.turn_limit:
            view.over = 1
            row.result = STOPPED
            row.cause = TURN_LIMIT
            row.causes = 1 << TURN_LIMIT
            break
        if view.turn > 0:
            pass_the_turn(rules, view)
        view.turn += 1
        tally(view, ticks, flooded, sunk, captured)
        take_turn(rules, view, hidden, row, choose, mind, stream, log)
    row.turns = view.turn
    row.tick = view.tick


@jit(entry=True)
def play_batch(
    ruleses: np.ndarray,
    seed: int,
    first: int,
    choose: Choose,
    minds: np.ndarray,
    views: np.ndarray,
    hiddens: np.ndarray,
    streams: np.ndarray,
    rows: np.ndarray,
    ticks: np.ndarray,
    flooded: np.ndarray,
    sunk: np.ndarray,
    captured: np.ndarray,
    cells: np.ndarray,
    logbooks: np.ndarray,
) -> int:
    """Play one trial for each row (zeroed before) from `first` on.  -1, or the trial at which a policy is at fault.

    ruleses, minds, views, hiddens, streams, logbooks: arrays of one record.  ticks, flooded, sunk, captured:
    (turn_limit, values) counts, added to.  cells: (1, 24), games in which the tile of the cell sank.
    """
    rules = ruleses[0]
    mind = minds[0]
    log = logbooks[0]
    view = views[0]
    hidden = hiddens[0]
    stream = streams[0]
    for i in range(rows.size):
        row = rows[i]
        setup.set_up(rules, view, hidden, row, stream, seed, first + i, log)
        play_game(rules, view, hidden, row, choose, mind, stream, ticks, flooded, sunk, captured, log)
        if hidden.fault:
            return first + i
        gone = row.sunk_cells
        while gone:
            cells[0, bits.first(gone)] += 1
            gone &= gone - 1
    return -1

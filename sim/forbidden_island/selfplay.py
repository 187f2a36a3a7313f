"""Games of a player with itself, written down for a learned value: the features of positions, and what came of them."""

from __future__ import annotations

import numpy as np
from numba import from_dtype, types

from sim.core import rng
from sim.core.compile import jit
from sim.core.policy import MIND, Choose, Mind
from sim.core.rng import Stream
from sim.forbidden_island import engine, setup
from sim.forbidden_island import rules as rule
from sim.forbidden_island.constants import ACTIONS, CHANCE_POLICY, FLOODING, STOPPED, TURN_LIMIT
from sim.forbidden_island.log import LOG, Log
from sim.forbidden_island.policies.features import N_FEATURES, WORK, Work, prepare
from sim.forbidden_island.policies.network import network_at, set_base
from sim.forbidden_island.state import HIDDEN, ROW, RULES, VIEW, Hidden, Row, Rules, View

EXPLORE = 11
"""Purpose of the stream that says which turns are played at random, and which floods are written down."""

_rules, _mind, _view, _hidden, _stream, _row, _log, _work = (
    types.Array(from_dtype(dtype), 1, "C") for dtype in (RULES, MIND, VIEW, HIDDEN, rng.STREAM, ROW, LOG, WORK)
)

COLLECT = types.int64(
    _rules,
    types.int64,
    types.int64,
    types.FunctionType(engine.CHOOSE),
    _mind,
    _mind,
    types.float64,
    _view,
    _hidden,
    _stream,
    _row,
    _log,
    _stream,
    _work,
    types.Array(types.float32, 2, "C"),
    types.Array(types.float64, 2, "C"),
)
"""The signature of `collect`."""


@jit
def _note(
    rules: Rules, view: View, mind: Mind, work: Work, at: int, x: np.ndarray, info: np.ndarray, n: int, game: int
) -> int:
    prepare(rules, view, work)
    worth = set_base(rules, view, mind, work, at)
    for i in range(N_FEATURES):
        x[n, i] = work.x[i]
    info[n, 0] = game
    info[n, 1] = worth
    info[n, 2] = 0.0
    return n + 1


@jit
def _flood(
    rules: Rules,
    view: View,
    hidden: Hidden,
    row: Row,
    choose: Choose,
    mind: Mind,
    stream: Stream,
    log: Log,
    work: Work,
    at: int,
    x: np.ndarray,
    info: np.ndarray,
    n: int,
    game: int,
    when: int,
) -> int:
    """As `engine.draw_flood_cards`; the position before one of the flood cards is written down."""
    view.phase = FLOODING
    view.floods_left = rule.flood_cards_due(rules, view)
    while view.floods_left > 0 and not view.over:
        engine.window(rules, view, hidden, row, choose, mind, stream, log)
        if view.over:
            break
        if when == 0:
            n = _note(rules, view, mind, work, at, x, info, n, game)
        when -= 1
        engine.draw_flood_card(rules, view, hidden, row, choose, mind, stream, log)
    view.floods_left = 0
    return n


@jit(entry=True)
def collect(
    ruleses: np.ndarray,
    seed: int,
    first: int,
    choose: Choose,
    minds: np.ndarray,
    wild_minds: np.ndarray,
    explore: float,
    views: np.ndarray,
    hiddens: np.ndarray,
    streams: np.ndarray,
    rows: np.ndarray,
    logbooks: np.ndarray,
    others: np.ndarray,
    works: np.ndarray,
    x: np.ndarray,
    info: np.ndarray,
) -> int:
    """Play a trial for each of `rows` (zeroed) and write positions down; how many, or −1 − trial at a policy's fault.

    choose: the player.  minds: the player's, with the networks that value the positions.  wild_minds: what the player
    has in mind instead in a share `explore` of the turns.  others, works: arrays of one STREAM and one WORK record.
    x: (n, N_FEATURES).  info: (n, 3): number of the game from 0, logit of winning by those networks, 1 for the last
    position before a turn that was played wildly.
    """
    rules = ruleses[0]
    mind = minds[0]
    wild_mind = wild_minds[0]
    view = views[0]
    hidden = hiddens[0]
    stream = streams[0]
    log = logbooks[0]
    other = others[0]
    work = works[0]
    at = network_at(rules)
    n = 0
    for i in range(rows.size):
        row = rows[i]
        setup.set_up(rules, view, hidden, row, stream, seed, first + i, log)
        rng.start(stream, seed, first + i, CHANCE_POLICY)
        rng.start(other, seed, first + i, EXPLORE)
        for k in range(mind.memory_used):
            mind.memory[k] = 0.0
            wild_mind.memory[k] = 0.0
        while not view.over:
            if n + 4 > x.shape[0]:
                return n
            if view.turn == rules.turn_limit:
                view.over = 1
                row.result = STOPPED
                row.cause = TURN_LIMIT
                break
            if view.turn > 0:
                engine.pass_the_turn(rules, view)
            view.turn += 1
            if rng.unit(other) < explore:
                if n > 0:
                    info[n - 1, 2] = 1.0
                engine.take_actions(rules, view, hidden, row, choose, wild_mind, stream, log)
            else:
                engine.take_actions(rules, view, hidden, row, choose, mind, stream, log)
            view.phase = ACTIONS
            if not view.over:
                n = _note(rules, view, mind, work, at, x, info, n, i)
                engine.draw_treasure_cards(rules, view, hidden, row, choose, mind, stream, log)
            if not view.over:
                due = rule.flood_cards_due(rules, view)
                when = rng.below(other, 2 * due + 1)
                if when >= due:
                    n = _note(rules, view, mind, work, at, x, info, n, i)
                n = _flood(rules, view, hidden, row, choose, mind, stream, log, work, at, x, info, n, i, when)
        if hidden.fault:
            return -1 - (first + i)
        row.turns = view.turn
    return n

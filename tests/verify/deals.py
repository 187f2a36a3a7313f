"""Thousands of set-ups and draws by the engine's own functions, and slightly wrong shuffles for controls."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sim.core import rng
from sim.core.compile import jit
from sim.forbidden_island import chance, engine, setup
from sim.forbidden_island.constants import CHANCE_POLICY, FLOOD_CARD, N_CARDS, N_TILES
from sim.forbidden_island.game import GAME, rules_record
from sim.forbidden_island.log import LOG
from sim.forbidden_island.state import HIDDEN, ROW, VIEW


class Deals(NamedTuple):
    """What came up, one row a trial.

    tiles: by cell.  roles, hands (counts by card): by seat.  first: seat.
    flood: the tiles of the flood deck, in order.  risen: the six first of them in their order after a Waters Rise!.
    deck: cards of the treasure deck after the deal, in order.  again: the same cards after a reshuffle.
    choice: the first number below 24 of a player's stream.
    """

    tiles: np.ndarray
    roles: np.ndarray
    hands: np.ndarray
    first: np.ndarray
    flood: np.ndarray
    risen: np.ndarray
    deck: np.ndarray
    again: np.ndarray
    choice: np.ndarray


@jit(cache=False)
def _deal(ruleses, views, hiddens, rows, streams, logs, seeds, trials, out):
    tiles, roles, hands, first, flood, risen, deck, again, choice = out
    rules = ruleses[0]
    view = views[0]
    hidden = hiddens[0]
    row = rows[0]
    stream = streams[0]
    log = logs[0]
    size = deck.shape[1]
    for i in range(seeds.size):
        setup.set_up(rules, view, hidden, row, stream, seeds[i], trials[i], log)
        view.turn = 1
        row.rises = 0
        tiles[i, :] = view.tile_at
        for seat in range(rules.players):
            roles[i, seat] = view.role[seat]
            hands[i, seat, :] = view.hand[seat]
        first[i] = view.first_seat
        for k in range(6):
            cell = chance.draw_flood(view, hidden)
            view.flood_discard |= 1 << cell
            flood[i, k] = view.tile_at[cell]
        engine.rise(rules, view, hidden, row, log)
        for k in range(6):
            risen[i, k] = view.tile_at[chance.draw_flood(view, hidden)]
        for k in range(6, N_TILES):
            flood[i, k] = view.tile_at[chance.draw_flood(view, hidden)]
        for k in range(size):
            deck[i, k] = chance.draw_treasure(rules, view, hidden)
        for card in range(N_CARDS):
            view.deck[card] = 0
        for k in range(size):
            view.deck[deck[i, k]] += 1
        view.deck_size = size
        chance.shuffle_treasure(rules, view, hidden)
        for k in range(size):
            again[i, k] = chance.draw_treasure(rules, view, hidden)
        rng.start(stream, seeds[i], trials[i], CHANCE_POLICY)
        choice[i] = rng.below(stream, N_TILES)


def deal(players, seeds, trials):
    """Deal one game for each pair of seed and trial (no tile is flooded at first, so that the whole deck is seen)."""
    knobs = GAME.resolve({"players": players, "initial_flooded": 0})
    n = seeds.size
    size = 28 - 2 * players

    def table(*shape):
        return np.zeros((n, *shape), np.int16)

    found = Deals(
        tiles=table(N_TILES),
        roles=table(players),
        hands=table(players, FLOOD_CARD + 1),
        first=table(),
        flood=table(N_TILES),
        risen=table(6),
        deck=table(size),
        again=table(size),
        choice=table(),
    )
    records = [np.zeros(1, dtype) for dtype in (VIEW, HIDDEN, ROW, rng.STREAM, LOG)]
    _deal(rules_record(knobs), *records, seeds, trials, tuple(found))
    return found


@lru_cache(maxsize=4)
def games(players, n, seed=7):
    """Deals of trials 0 … n - 1 of one seed."""
    return deal(players, np.full(n, seed, np.int64), np.arange(n, dtype=np.int64))


def fisher_yates(n, k, least=1, anywhere=False, seed=1):
    """n shuffles of k by NumPy's generator.

    Two common slips: with `least` 2 the last swap is left out; with `anywhere` each swaps with any of the k.
    """
    chance_of = np.random.default_rng(seed)
    orders = np.tile(np.arange(k), (n, 1))
    rows = np.arange(n)
    for i in range(k - 1, least - 1, -1):
        j = chance_of.integers(0, k if anywhere else i + 1, n)
        orders[rows, i], orders[rows, j] = orders[rows, j], orders[rows, i]
    return orders

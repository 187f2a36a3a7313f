"""Shuffles and deals against their exact laws (FI-2, FI-7, FI-8).

Unless it says otherwise a test has seed 7, n = 20,000 trials (400,000 in `make verify`), a chi-square test and a false
alarm rate of 1e-6.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb

import numpy as np
import pytest
from scipy import stats

from sim.forbidden_island.constants import CARDS, N_TILES, ROLES, WATERS_RISE

from .deals import deal, fisher_yates, games
from .laws import FALSE_ALARM, SIZES, counts_p, independent_p, permutations_p, ranks, uniform_p

sizes = pytest.mark.parametrize("n", SIZES)
players_of = pytest.mark.parametrize("players", [2, 3, 4])


def numbered(threes):
    """Sets of three as numbers without gaps: (n, 3) different members to C(a, 1) + C(b, 2) + C(c, 3), a < b < c."""
    a, b, c = np.sort(threes, axis=1).T
    return a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6


def rises_in(deck):
    """The places of the three Waters Rise! in each deck."""
    return np.nonzero(deck == WATERS_RISE)[1].reshape(-1, 3)


# ---- the island -----------------------------------------------------------------------------------------------------


@sizes
def test_tiles_are_shuffled(n):
    """FI-2.1: every tile lies on every cell equally often (529 df), and so does every pair on the first two (551 df).
    Control: a shuffle that leaves out its last swap."""
    tiles = games(2, n).tiles
    pairs = tiles[:, 0] * 23 + tiles[:, 1] - (tiles[:, 1] > tiles[:, 0])
    assert permutations_p(tiles) > FALSE_ALARM
    assert uniform_p(pairs, 24 * 23) > FALSE_ALARM
    assert permutations_p(fisher_yates(n, N_TILES)) > FALSE_ALARM
    assert permutations_p(fisher_yates(n, N_TILES, least=2)) < FALSE_ALARM


@sizes
def test_the_first_cards_flooded_are_any_six(n):
    """FI-2.2: the first three cards of the flood deck are each set of three tiles equally often (2,023 df).
    Control: a shuffle that swaps each card with any of the 24 (it has 24 to the 24th equally likely ways)."""
    assert uniform_p(numbered(games(2, n).flood[:, :3]), comb(24, 3)) > FALSE_ALARM
    assert uniform_p(numbered(fisher_yates(n, N_TILES, anywhere=True)[:, :3]), comb(24, 3)) < FALSE_ALARM


@sizes
def test_the_flood_deck_is_shuffled(n):
    """FI-2.2, FI-8.1: every tile's card is in every place of the flood deck equally often (529 df).
    Control: a shuffle that leaves out its last swap."""
    assert permutations_p(games(2, n).flood) > FALSE_ALARM
    assert permutations_p(fisher_yates(n, N_TILES, least=2)) < FALSE_ALARM


@sizes
def test_a_rise_shuffles_the_flood_discard(n):
    """FI-7.3: six discarded cards come back in each of the 720 orders equally often, relative to the one they lay in.
    Control: the same order again; and a shuffle that leaves out its last swap."""
    found = games(2, n)
    assert (np.sort(found.risen, axis=1) == np.sort(found.flood[:, :6], axis=1)).all()
    relative = (found.flood[:, None, :6] == found.risen[:, :, None]).argmax(axis=2)
    assert uniform_p(ranks(relative), 720) > FALSE_ALARM
    assert uniform_p(ranks(np.tile(np.arange(6), (n, 1))), 720) < FALSE_ALARM
    assert uniform_p(ranks(fisher_yates(n, 6, least=2)), 720) < FALSE_ALARM


# ---- the team -------------------------------------------------------------------------------------------------------


@sizes
@players_of
def test_roles_are_dealt_evenly(n, players):
    """FI-2.3: each ordered deal of different roles (30, 120 or 360) is equally likely.
    Control: deals of which one in five is put in the order of the roles."""
    deals = list(permutations(range(len(ROLES)), players))
    weights = 6 ** np.arange(players)
    number = np.full(6**players, -1)
    number[np.array(deals) @ weights] = np.arange(len(deals))

    def p(roles):
        return uniform_p(number[roles @ weights], len(deals))

    roles = games(players, n).roles
    assert p(roles) > FALSE_ALARM
    wrong = roles.copy()
    wrong[::5] = np.sort(wrong[::5], axis=1)
    assert p(wrong) < FALSE_ALARM


@sizes
@players_of
def test_any_seat_begins(n, players):
    """FI-2.6: each seat begins equally often, whatever role sits there.
    Control: one game in fifteen begins with seat 0 for certain; a seat that follows its role."""
    found = games(players, n)
    assert uniform_p(found.first, players) > FALSE_ALARM
    assert independent_p(found.first, found.roles[:, 0]) > FALSE_ALARM
    wrong = found.first.copy()
    wrong[::15] = 0
    assert uniform_p(wrong, players) < FALSE_ALARM
    tied = np.where(np.arange(n) % 10 == 0, found.roles[:, 0] % players, found.first)
    assert independent_p(tied, found.roles[:, 0]) < FALSE_ALARM


# ---- the treasure deck ----------------------------------------------------------------------------------------------


@sizes
@players_of
@pytest.mark.parametrize("seat", ["first", "last"])
def test_hands_are_two_cards_of_the_25(n, players, seat):
    """FI-2.4: a hand is two of the 25 cards that are no Waters Rise!, each pair equally likely: by kinds 21 hands.
    Control: two cards dealt with replacement."""
    copies = (5, 5, 5, 5, 3, 2)
    kinds = list(combinations_with_replacement(range(6), 2))
    chances = [(comb(copies[a], 2) if a == b else copies[a] * copies[b]) / comb(25, 2) for a, b in kinds]
    hands = games(players, n).hands[:, 0 if seat == "first" else -1]
    assert hands.sum(axis=1).tolist() == [2] * n
    assert hands[:, WATERS_RISE:].sum() == 0

    def p(hands):
        return counts_p([(hands[:, a] > (a == b)).astype(int) @ (hands[:, b] > 0) for a, b in kinds], chances)

    assert p(hands[:, :6]) > FALSE_ALARM
    replaced = np.random.default_rng(3).multinomial(2, np.array(copies) / 25, n)
    assert p(replaced) < FALSE_ALARM


@sizes
@players_of
def test_rises_lie_anywhere_in_the_deck(n, players):
    """FI-2.4: after the deal the three Waters Rise! lie in each set of three places of the deck equally often (2,023,
    1,539 or 1,139 df).  Control: those that were set aside while dealing are laid under the deck, unshuffled."""
    size = 28 - 2 * players
    assert uniform_p(numbered(rises_in(games(players, n).deck)), comb(size, 3)) > FALSE_ALARM
    order = fisher_yates(n, 28)  # cards 0, 1, 2 are the rises
    is_rise = order < 3
    dealt = ((~is_rise).cumsum(axis=1) < 2 * players).sum(axis=1, keepdims=True) + 1
    places = np.nonzero(is_rise)[1].reshape(-1, 3)
    aside = (places < dealt).sum(axis=1, keepdims=True)
    wrong = np.where(places < dealt, size - aside + np.arange(3), places - dealt)
    assert uniform_p(numbered(wrong), comb(size, 3)) < FALSE_ALARM


@sizes
@players_of
def test_the_first_card_drawn_is_a_rise(n, players):
    """FI-2.4, FI-7.1: the first card drawn in a game is a Waters Rise! with chance 3/24, 3/22, 3/20 for 2, 3, 4 players
    (exact binomial test).  Control: 3/28, the chance if the cards in the hands were not known to be none."""
    hits = int((games(players, n).deck[:, 0] == WATERS_RISE).sum())
    assert stats.binomtest(hits, n, 3 / (28 - 2 * players)).pvalue > FALSE_ALARM
    assert stats.binomtest(hits, n, 3 / 28).pvalue < FALSE_ALARM


@sizes
@players_of
def test_every_place_of_the_deck_holds_every_kind(n, players):
    """FI-2.4: place by place the kinds come as often as they are in the deck; with n independent games each place is a
    chi-square of 6 df (false alarm 1e-6 shared over the places).  Control: an order sorted in one game of fifty."""
    deck = games(players, n).deck
    size = deck.shape[1]
    plain = (25 - 2 * players) / 25 / size
    chances = [5 * plain] * 4 + [3 * plain, 2 * plain, 3 / size]

    def least_p(deck):
        return min(counts_p(np.bincount(deck[:, place], minlength=7), chances) for place in range(size))

    assert least_p(deck) > FALSE_ALARM / size
    wrong = deck.copy()
    wrong[::50] = np.sort(wrong[::50], axis=1)
    assert least_p(wrong) < FALSE_ALARM / size


@sizes
def test_the_treasure_deck_is_reshuffled(n):
    """FI-7.1: the same cards, shuffled again, have their rises anywhere (2,023 df), whatever lay there before.
    Control: a reshuffle that repeats the last order; one that only cuts the deck."""
    found = games(2, n)
    assert (np.sort(found.deck, axis=1) == np.sort(found.again, axis=1)).all()
    places = rises_in(found.again)
    assert uniform_p(numbered(places), comb(24, 3)) > FALSE_ALARM
    before = rises_in(found.deck)
    for i, j in product(range(3), range(3)):
        assert independent_p(before[:, i] // 4, places[:, j] // 4) > FALSE_ALARM
    assert independent_p(before[:, 0] // 4, before[:, 0] // 4) < FALSE_ALARM
    cut = np.sort((before + np.arange(n)[:, None] % 4) % 24, axis=1)
    assert independent_p(before[:, 0] // 4, cut[:, 0] // 4) < FALSE_ALARM


# ---- independence ---------------------------------------------------------------------------------------------------


def features(found):
    """What each purpose decides first.  Of the treasure deck the place of its first rise (in fours): the kinds of its
    cards depend on those of the hands, so two shuffles of one deck rightly have something in common."""
    first = {
        "first seat": found.first,
        "tile on the first cell": found.tiles[:, 0],
        "first flood card": found.flood[:, 0],
        "first card after a rise": found.risen[:, 0],
        "first rise in the deck": rises_in(found.deck)[:, 0] // 4,
        "first rise after a reshuffle": rises_in(found.again)[:, 0] // 4,
        "a player's first number": found.choice,
    }
    return {what: values.astype(np.int64) for what, values in first.items()}


PURPOSES = [pair for pair in combinations(range(7), 2) if pair != (2, 3)]


@sizes
@pytest.mark.parametrize("pair", PURPOSES, ids=lambda pair: f"{pair[0]}-{pair[1]}")
def test_purposes_are_independent(n, pair):
    """What one purpose decides says nothing of another: setup, flood, rise, treasure, reshuffle, player (pairs of
    `features`; a card after a rise is one of the six before it, so that pair is left out).
    Control: one trial in ten in which the second number follows the first."""
    found = features(games(2, n))
    one, other = (list(found.values())[i] for i in pair)
    assert independent_p(one, other) > FALSE_ALARM
    tied = np.where(np.arange(n) % 10 == 0, one % (other.max() + 1), other)
    assert independent_p(one, tied) < FALSE_ALARM


@sizes
@pytest.mark.parametrize("what", list(features(games(2, 1))))
def test_neighbouring_trials_are_independent(n, what):
    """Trial 2 i says nothing of trial 2 i + 1.  Control: a trial that half the time repeats its neighbour."""
    values = features(games(2, n))[what]
    assert independent_p(values[::2], values[1::2]) > FALSE_ALARM
    half = np.where(np.arange(n // 2) % 2 == 0, values[::2], values[1::2])
    assert independent_p(values[::2], half) < FALSE_ALARM


@cache
def of_many_seeds(n):
    """Games of other seeds: of seed 8; each of a seed of its own; the same with seed and trial exchanged."""
    one = np.arange(n, dtype=np.int64) + 10
    other = np.arange(n, dtype=np.int64)[::-1] * 3 + 1
    return [features(found) for found in (games(2, n, seed=8), deal(2, one, other), deal(2, other, one))]


@sizes
@pytest.mark.parametrize("what", list(features(games(2, 1))))
def test_neighbouring_seeds_are_independent(n, what):
    """The same trial under seeds 7 and 8, and seed and trial exchanged, have nothing in common.
    Control: keys that add seed and trial, under which trial t + 1 of seed 7 is trial t of seed 8."""
    values = features(games(2, n))[what]
    neighbour, straight, crossed = (found[what] for found in of_many_seeds(n))
    assert independent_p(values, neighbour) > FALSE_ALARM
    assert independent_p(straight, crossed) > FALSE_ALARM
    assert counts_p(np.bincount(straight), chances_of(what)) > FALSE_ALARM
    assert independent_p(values[1:], values[1:].copy()) < FALSE_ALARM


def chances_of(what):
    """The exact law of a feature: even, or, for the first of three rises in 24 places, C(23 - place, 2) / C(24, 3)."""
    if "rise in the deck" in what or "reshuffle" in what:
        return np.array([comb(23 - place, 2) for place in range(24)]).reshape(6, 4).sum(axis=1) / comb(24, 3)
    kinds = 2 if what == "first seat" else N_TILES
    return np.full(kinds, 1 / kinds)


def test_the_cards_are_those_of_the_box():
    """FI-1.3, the law's own premise: the order of the kinds and that hands and deck hold 28 cards."""
    assert CARDS[:7] == ("earth", "wind", "fire", "ocean", "helicopter", "sandbags", "waters_rise")
    found = games(3, 20_000)
    held = found.hands.sum(axis=1) + np.stack([(found.deck == card).sum(axis=1) for card in range(8)], axis=1)
    assert (held == np.array([5, 5, 5, 5, 3, 2, 3, 0])).all()

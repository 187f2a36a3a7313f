"""Section 2: setup.  That shuffles and deals are fair is the business of the statistical verification."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core import rng
from sim.core.compile import COMPILED
from sim.forbidden_island import board, log, setup
from sim.forbidden_island import game as games
from sim.forbidden_island.constants import CARDS, N_CARDS, ROLES, TILES
from sim.forbidden_island.knobs import resolve
from sim.forbidden_island.maps import NAMED_MAPS
from sim.forbidden_island.state import HIDDEN, ROW, VIEW

from .table import record

TRIALS = 300 if COMPILED else 40
STARTS = dict(zip(ROLES, TILES[:6], strict=True))


LOGS = np.zeros(1, log.LOG)
LOGS["recording"] = 1


class Start:
    """What the setup of one trial left, and what it wrote down."""

    def __init__(self, trial, seed=5, **knobs):
        self.knobs = resolve(knobs)
        self.rules = record(games.rules_record(self.knobs))
        self.view, self.hidden = record(np.zeros(1, VIEW)), record(np.zeros(1, HIDDEN))
        self.row = record(np.zeros(1, ROW))
        LOGS["events"] = 0
        stream = record(np.zeros(1, rng.STREAM))
        setup.set_up(self.rules, self.view, self.hidden, self.row, stream, seed, trial, record(LOGS))
        self.notes = LOGS[0]["entry"][: LOGS[0]["events"]].tolist()

    def noted(self, kind):
        return [rest for first, *rest in self.notes if first == kind]


def starts(**knobs):
    """The setups of many trials."""
    return (Start(trial, **knobs) for trial in range(TRIALS))


def test_standard_map():
    """FI-2.1: rows of 2, 4, 6, 6, 4, 2 cells, each centred: a 6 × 6 grid with the corners cut, full edges shared."""
    rows = NAMED_MAPS["standard"]
    assert rows == ("..##..", ".####.", "######", "######", ".####.", "..##..")
    cells = board.cells_of(rows)
    edges, around = board.neighbours(rows)
    for mine, (r, c) in enumerate(cells):
        for other, (s, d) in enumerate(cells):
            assert edges[mine] >> other & 1 == (abs(r - s) + abs(c - d) == 1)
            assert around[mine] >> other & 1 == (max(abs(r - s), abs(c - d)) == 1)


def test_tiles_are_shuffled_onto_the_map():
    """FI-2.1: every tile lies on one cell, and on another one in other trials."""
    seen = set()
    for start in starts():
        tile_at = [int(tile) for tile in start.view["tile_at"]]
        assert sorted(tile_at) == list(range(24))
        assert all(start.view["cell_of"][tile] == cell for cell, tile in enumerate(tile_at))
        seen.add((tile_at.index(0), tile_at.index(23)))
    assert len(seen) > TRIALS / 2
    assert start.view["land"] == 2**24 - 1


def test_six_tiles_are_flooded():
    """FI-2.2: six different tiles flooded, none sunk; the six cards are the flood discard, 18 are in the deck."""
    for start in starts():
        drawn = [cell for cell, *_ in start.noted(log.FLOODED_FIRST)]
        assert len(set(drawn)) == 6
        flooded = sum(1 << cell for cell in drawn)
        assert start.view["flooded"] == flooded
        assert start.view["flood_discard"] == flooded
        assert start.view["land"] == 2**24 - 1
        assert start.view["layers"] == 1
        assert start.view["layer"][0] == 2**24 - 1 - flooded


def test_roles_are_dealt():
    """FI-2.3: one role a player, all different, every role in some trial; pawns on start tiles, flooded ones too."""
    seen, on_flooded = set(), False
    for start in starts(players=4):
        roles = [int(role) for role in start.view["role"]]
        assert len(set(roles)) == 4
        seen |= set(roles)
        for role, pawn in zip(roles, start.view["pawn"], strict=True):
            assert TILES[start.view["tile_at"][pawn]] == STARTS[ROLES[role]]
            on_flooded |= bool(int(start.view["flooded"]) >> int(pawn) & 1)
    assert seen == set(range(6))
    assert on_flooded


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_cards_each(players):
    """FI-2.4: two cards in each hand; the rest is the deck, the discard is empty."""
    for start in starts(players=players):
        hands = start.view["hand"]
        assert hands.sum(axis=1).tolist() == [2] * players + [0] * (4 - players)
        assert start.view["hand_size"].tolist() == [2] * players + [0] * (4 - players)
        assert (hands.sum(axis=0) + start.view["deck"]).tolist() == [5, 5, 5, 5, 3, 2, 3, 0]
        assert start.view["deck_size"] == 28 - 2 * players
        assert not start.view["discard"].any()
        assert start.view["specials_held"] == hands[:, 4:6].sum()


def test_a_rise_dealt_is_replaced():
    """FI-2.4: nobody is dealt a Waters Rise! and the meter stays; all nine are back in the deck, which is shuffled."""
    tops = set()
    for start in starts(waters_rise=9, start_tick=1):
        assert start.view["deck"][CARDS.index("waters_rise")] == 9
        assert not start.view["hand"][:, CARDS.index("waters_rise")].any()
        assert start.view["tick"] == 1
        assert start.hidden["treasure_shuffles"] == 2
        slots = [slot for slot in range(60) if int(start.hidden["deck_slots"]) >> slot & 1]
        assert len(slots) == start.view["deck_size"]
        top = min(slots, key=lambda slot: start.hidden["treasure_priority"][slot])
        tops.add(int(start.rules["card_of"][top]))
    assert CARDS.index("waters_rise") in tops
    assert len(tops) == 7


def test_the_flood_card_is_not_dealt_either():
    """FI-2.4 and the knob `flood_cards_in_treasure_deck`: only cards that a hand can hold are dealt."""
    for start in starts(flood_cards_in_treasure_deck=9, waters_rise=9):
        assert start.view["hand"].sum(axis=0)[6:].tolist() == [0, 0]
        assert start.view["deck"][6:].tolist() == [9, 9]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_meter_and_counts_at_the_start(players):
    """FI-2.5: the tick of the difficulty; three actions and two cards for any number of players."""
    start = Start(0, players=players, difficulty="elite")
    assert start.view["tick"] == 3
    assert start.rules["actions_per_turn"] == 3
    assert start.rules["cards_per_turn"] == 2


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_random_player_starts(players):
    """FI-2.6: each player starts in some trial."""
    first = {int(start.view["first_seat"]) for start in starts(players=players)}
    assert first == set(range(players))


def test_hands_are_open():
    """FI-2.6: what a player model is handed (the view) holds every hand, and nothing of the order of the decks."""
    assert VIEW["hand"].shape == (4, N_CARDS)
    assert not {"deck_slots", "treasure_priority", "flood_priority", "seed", "trial"} & set(VIEW.names)


def test_the_trial_alone_decides():
    """FI-2: the same seed and trial give the same setup whatever the decks hold elsewhere (common chance)."""
    one, other = Start(3), Start(3, difficulty="legendary", waters_rise=5)
    assert one.view["tile_at"].tolist() == other.view["tile_at"].tolist()
    assert one.view["flooded"] == other.view["flooded"]
    assert one.view["role"].tolist() == other.view["role"].tolist()
    assert Start(4).view["tile_at"].tolist() != one.view["tile_at"].tolist()


def test_trials_that_share_their_setup():
    """FI-2 and the knob `same_setup`: so many trials in a row have one setup, and decks of their own afterwards."""
    told = []
    for trial in range(6):
        start = Start(trial, same_setup=3)
        setup_of = [start.view[name].tolist() for name in ("tile_at", "flooded", "role", "pawn", "hand", "first_seat")]
        decks = (start.hidden["treasure_priority"].tolist(), start.hidden["flood_priority"].tolist())
        told.append((setup_of, decks))
    for trial in range(6):
        assert told[trial][0] == told[trial - trial % 3][0]
        assert (told[trial][0] == told[0][0]) == (trial < 3)
    assert len({str(decks) for _, decks in told}) == 6

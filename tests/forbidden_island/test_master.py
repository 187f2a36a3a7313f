"""What the master plays out in its head of a turn that has begun: the rest of it, as the engine would play it."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core import rng
from sim.core.compile import COMPILED, compile_for, jit
from sim.forbidden_island import choices, engine
from sim.forbidden_island.constants import CARDS, DRAWING, FLOODING
from sim.forbidden_island.log import LOG
from sim.forbidden_island.policies.answers import weigh
from sim.forbidden_island.policies.beam import SEARCH, best_ends, search_turn
from sim.forbidden_island.policies.features import WORK
from sim.forbidden_island.policies.master import (
    NODES,
    RESCUED,
    draw_safely,
    go_on,
    master,
    playout,
    safety,
    sample,
    with_the_safest,
)
from sim.forbidden_island.policies.network import network_at
from tests.forbidden_island.table import Table

pytestmark = pytest.mark.skipif(not COMPILED, reason="the expert in the master's head is slow in plain Python")

ISLAND = """
. . # # . .
. # # # # .
# # ~01z # # #
# # # # # #
. # # # # .
. . # # . .
"""


@jit(cache=False, entry=True)
def _go_on(ruleses, views, hiddens, rows, minds, streams, logs, choice):
    go_on(ruleses[0], views[0], hiddens[0], rows[0], minds[0], streams[0], logs[0], choice)


@jit(cache=False, entry=True)
def _draw(ruleses, views, spares, hiddens, rows, minds, streams, logs):
    return draw_safely(ruleses[0], views, spares, hiddens[0], rows[0], minds[0], streams[0], logs[0])


@jit(cache=False, entry=True)
def _mean_of_playouts(ruleses, views, copies, spares, hiddens, rows, minds, works, streams, logs, n):
    total = 0.0
    for number in range(n):
        copies[0] = views[0]
        sample(ruleses[0], copies[0], hiddens[0], 5, number)
        total += playout(
            ruleses[0], copies, spares, hiddens[0], rows[0], minds[0], streams[0], logs[0], works[0], 1, -1
        )
    return total / n


@jit(cache=False, entry=True)
def _safest(ruleses, views, copies, rows, minds, works, searches, ends):
    copies[0] = views[0]
    at = network_at(ruleses[0])
    searches[0].nodes = NODES
    searches[0].rescue = RESCUED
    search_turn(ruleses[0], copies[0], rows[0], minds[0], works[0], searches[0], at, 10)
    n = best_ends(searches[0], ends.size, ends)
    before = max([safety(ruleses[0], views[0], copies, searches[0], end) for end in ends[:n]])
    with_the_safest(ruleses[0], views[0], copies, searches[0], ends, n)
    return before, max([safety(ruleses[0], views[0], copies, searches[0], end) for end in ends[:n]])


@jit(cache=False, entry=True)
def _weigh(ruleses, views, copies, rows, minds, works):
    copies[0] = views[0]
    weigh(ruleses[0], views[0], copies[0], rows[0], minds[0], works[0], network_at(ruleses[0]))


def answers(table):
    """Every answer that is weighed."""
    works = np.zeros(1, WORK)
    _weigh(table.ruleses, table.views, table.views.copy(), table.rows, master.mind({}), works)
    return works["option"][0, : works["options"][0]].tolist()


def play_on(table, choice):
    """The answer, and the turn on to its end, by the players in the master's head."""
    compile_for(engine.play_batch, engine.BATCH)
    records = (table.ruleses, table.views, table.hiddens, table.rows, master.mind({}), np.zeros(1, rng.STREAM))
    _go_on(*records, np.zeros(1, LOG), choice)
    return table


def test_after_a_discard_the_other_card_is_drawn_and_then_the_flood_cards():
    """FI-7.1, FI-7.2, FI-8.1."""
    table = Table(hands=("earth earth earth fire fire wind",))
    table.treasure_deck("ocean", discard="")
    table.flood_deck("Copper Gate", "Iron Gate")
    table.view["phase"], table.view["draws_left"] = DRAWING, 1
    play_on(table.ask("discard", 0), int(choices.discard(CARDS.index("wind"))))
    assert table.view["hand_size"][0] == 5
    assert sum(table.view["discard"]) == 2
    assert "wind" in table.discard
    assert table.state("Copper Gate") == table.state("Iron Gate") == "flooded"
    assert table.view["floods_left"] == 0
    assert len(table.flood_discard) == 2


def test_after_a_discard_that_waited_for_both_cards_only_flood_cards_come():
    """FI-7.2 with `hand_limit_check: after_draw`: seven cards are in hand, two are discarded, none is drawn."""
    table = Table(hands=("earth earth earth fire fire wind wind",), hand_limit_check="after_draw")
    table.treasure_deck("ocean", discard="")
    table.flood_deck("Copper Gate", "Iron Gate")
    table.view["phase"], table.view["draws_left"] = DRAWING, 0
    play_on(table.ask("discard", 0), int(choices.discard(CARDS.index("wind"))))
    assert table.view["hand_size"][0] == 5
    assert sum(table.view["discard"]) == 2
    assert "ocean" not in table.hand(0)
    assert table.flood_discard == {"Copper Gate", "Iron Gate"}


def test_after_no_card_in_a_window_the_flood_cards_that_are_left_come():
    """FI-6.2, FI-8.1: only those."""
    table = Table()
    table.flood_deck("Copper Gate", "Iron Gate", "Gold Gate")
    table.view["phase"], table.view["floods_left"] = FLOODING, 2
    play_on(table.ask("window"), int(choices.stop()))
    assert table.flood_discard == {"Copper Gate", "Iron Gate"}
    assert not table.over


def test_after_sandbags_in_a_window_the_flood_cards_come_as_well():
    """FI-6.3: a tile that was shored up in time only floods again."""
    table = Table(hands=("sandbags",), flooded=("Copper Gate",))
    table.flood_deck("Copper Gate", "Iron Gate")
    table.view["phase"], table.view["floods_left"] = FLOODING, 2
    play_on(table.ask("window"), int(choices.sandbags(0, table.cell("Copper Gate"))))
    assert table.state("Copper Gate") == table.state("Iron Gate") == "flooded"
    assert table.hand(0) == ""


def test_after_one_swam_the_others_swim_and_the_flood_goes_on():
    """FI-8.3: the pawns on a sunk tile swim one after the other, then the next card comes."""
    table = Table(ISLAND)
    cell = table.cell("z")
    table.flood_deck(0)
    table.view["land"] &= ~(1 << cell)
    table.view["flooded"] &= ~(1 << cell)
    table.view["phase"], table.view["floods_left"], table.view["sunk_now"] = FLOODING, 1, cell
    north = cell - 5
    play_on(table.ask("swim", 0), int(choices.swim(north)))
    assert not table.over
    assert table.view["pawn"][0] == north
    assert table.view["pawn"][1] != cell
    assert table.view["floods_left"] == 0
    assert table.state(0) == "flooded"
    assert table.view["sunk_now"] == -1


def test_each_answer_is_weighed_once_and_is_legal():
    """FI-7.2: of a hand that is too large, with pawns together and apart; Lifts for one and for all who stand there."""
    table = Table(
        roles="engineer messenger pilot",
        hands=("earth earth earth fire helicopter sandbags",),
        pawns={0: "Copper Gate", 1: "Copper Gate", 2: "Iron Gate"},
        flooded=("Tidal Palace",),
    )
    table.view["phase"] = DRAWING
    weighed = answers(table.ask("discard", 0))
    assert len(set(weighed)) == len(weighed)
    assert set(weighed) <= set(table.options("discard", 0))
    together = 1 << 0 | 1 << 1
    assert int(choices.lift(0, table.cell("Tidal Palace"), together)) in weighed
    assert int(choices.lift(0, table.cell("Tidal Palace"), 1 << 2)) in weighed


def test_a_playout_draws_cards_that_leave_the_game_open_and_says_how_likely_they_are():
    """FI-9.3: the landing is flooded, its card one of four on top, of which two come."""
    compile_for(engine.play_batch, engine.BATCH)
    for trial in range(200):
        table = Table(flooded=("Fools' Landing",), pawns={0: "Bronze Gate", 1: "Silver Gate"}, tick=1)
        table.treasure_deck("earth fire", discard="rest")
        table.flood_deck("Fools' Landing", "Copper Gate", "Observatory", "Watchtower")
        table.hidden["seed"], table.hidden["trial"] = 5, trial
        records = (table.hiddens, table.rows, master.mind({}), np.zeros(1, rng.STREAM))
        chance = _draw(table.ruleses, table.views, table.views.copy(), *records, np.zeros(1, LOG))
        assert chance == 0.5
        assert not table.over
        assert len(table.flood_discard) == 2
        assert table.state("Fools' Landing") == "flooded"


def test_a_plan_that_endangers_nothing_is_among_those_that_are_compared():
    """FI-9.3: a value that knows nothing likes all ends alike, and the first two leave the landing flooded."""
    table = Table(flooded=("Fools' Landing", "Iron Gate"), pawns={0: "Fools' Landing", 1: "Silver Gate"}, tick=1)
    table.view["actions_left"] = 3
    mind = master.mind({})
    mind["learned"] = 0.0
    records = (table.rows, mind, np.zeros(1, WORK), np.zeros(1, SEARCH), np.zeros(2, np.int64))
    before, after = _safest(table.ruleses, table.views, table.views.copy(), *records)
    assert before < 0.95
    assert after == 1.0


@pytest.mark.parametrize(("flooded", "mean"), [(("Fools' Landing",), 0.25), ((), 0.5)])
def test_playouts_that_were_made_safe_are_worth_what_playouts_are(flooded, mean):
    """FI-9.3: in half of all draws the flooded landing sinks and the game is lost, else a value that knows nothing
    says 0.5.  Where nothing can sink it is 0.5."""
    compile_for(engine.play_batch, engine.BATCH)
    table = Table(flooded=flooded, pawns={0: "Bronze Gate", 1: "Silver Gate"}, tick=1)
    table.treasure_deck("earth fire", discard="rest")
    table.flood_deck("Fools' Landing", "Copper Gate", "Observatory", "Watchtower")
    mind = master.mind({})
    mind["learned"] = 0.0
    records = (table.hiddens, table.rows, mind, np.zeros(1, WORK), np.zeros(1, rng.STREAM), np.zeros(1, LOG))
    found = _mean_of_playouts(table.ruleses, table.views, table.views.copy(), table.views.copy(), *records, 20)
    assert found == pytest.approx(mean)

"""Sections 10 and 11: what each knob changes in play.  How knobs are read from a config is tested elsewhere."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from sim.core.game import SettingsError
from sim.forbidden_island import board
from sim.forbidden_island.constants import ROLES, TILES
from sim.forbidden_island.game import rules_record
from sim.forbidden_island.knobs import KNOBS, resolve
from sim.forbidden_island.maps import NAMED_MAPS

from .table import STOP, Table
from .test_2_setup import Start, starts

ALL = "earth wind fire ocean"
LANDING = "Fools' Landing"
LEAVE = 8  # the kind of the answer


# ---- numbers ----


@pytest.mark.parametrize("tick", range(1, 10))
def test_start_tick(tick):
    """FI-10 `start_tick`: any tick 1 to 9."""
    assert Start(0, start_tick=tick).view["tick"] == tick


def test_meter():
    """FI-10 `meter`: any list of cards per tick; the tick after it is the skull."""
    table = Table(meter=[1, 7, 0], start_tick=2, cards_per_turn=1)
    assert len(table.draw_floods().told("flood")) == 7
    table.treasure_deck("waters_rise")
    assert table.draw_treasures().end is None
    assert table.draw_floods().told("flood") == []
    table.treasure_deck("waters_rise")
    assert table.draw_treasures().end == "skull"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_players_play_in_turn(players):
    """FI-10 `players`: so many pawns, and every player has turns."""
    table = Table(roles=" ".join(ROLES[:players]), cards_per_turn=0, meter=[0], turn_limit=2 * players)
    table.play_game()
    assert [event[2] for event in table.told("turn")] == list(range(players)) * 2


def test_roles_fixed_by_seat():
    """FI-10 `roles`: a list by seat."""
    for start in starts(players=3, roles=["diver", "pilot", "explorer"]):
        assert start.view["role"].tolist() == [4, 0, 2, -1]


def test_roles_from_a_pool():
    """FI-10 `roles`: a pool to draw from, all different, each of the pool in some trial."""
    seen = set()
    for start in starts(players=2, roles={"pool": ["diver", "pilot", "explorer"]}):
        pair = start.view["role"].tolist()[:2]
        assert len(set(pair)) == 2
        seen |= set(pair)
    assert seen == {4, 0, 2}


def test_actions_per_turn():
    """FI-10 `actions_per_turn`: five actions, then the draw."""
    table = Table(actions_per_turn=5)
    there, back = table.move_to(LANDING), table.move_to("Bronze Gate")
    table.take_actions(there, back, there, back, there)
    assert table.asked == [("act", 0)] * 5


@pytest.mark.parametrize("cards", [0, 1, 4])
def test_cards_per_turn(cards):
    """FI-10 `cards_per_turn`: so many treasure cards."""
    table = Table(cards_per_turn=cards)
    table.treasure_deck("earth wind fire ocean earth")
    assert len(table.draw_treasures().told("draw")) == cards


@pytest.mark.parametrize("limit", [4, 7])
def test_hand_limit(limit):
    """FI-10 `hand_limit`: a hand rests at the limit, one more goes."""
    table = Table(hand_limit=limit, hands=[" ".join(["earth", "wind", "fire", "earth", "wind", "fire"][: limit - 1])])
    table.treasure_deck("ocean ocean")
    table.draw_treasures(table.throw("ocean"))
    assert table.view["hand_size"][0] == limit
    assert table.asked == [("discard", 0)]


@pytest.mark.parametrize("cards", [0, 3])
def test_initial_hand(cards):
    """FI-10 `initial_hand`: so many cards each."""
    assert Start(0, players=3, initial_hand=cards).view["hand_size"].tolist() == [cards] * 3 + [0]


@pytest.mark.parametrize("tiles", [0, 1, 23])
def test_initial_flooded(tiles):
    """FI-10 `initial_flooded`: so many tiles, none sunk."""
    start = Start(0, initial_flooded=tiles)
    assert int(start.view["flooded"]).bit_count() == tiles
    assert start.view["land"] == 2**24 - 1
    assert start.view["flood_discard"] == start.view["flooded"]


def test_deck_contents():
    """FI-10 `treasure_copies`, `waters_rise`, `helicopter`, `sandbags`, `flood_cards_in_treasure_deck`: the deck."""
    knobs = {"treasure_copies": 6, "waters_rise": 5, "helicopter": 1, "sandbags": 0, "flood_cards_in_treasure_deck": 2}
    assert Table(**knobs).view["deck"].tolist() == [6, 6, 6, 6, 1, 0, 5, 2]
    start = Start(0, **knobs)
    assert (start.view["deck"] + start.view["hand"].sum(axis=0)).tolist() == [6, 6, 6, 6, 1, 0, 5, 2]


@pytest.mark.parametrize("cost", [1, 3, 5])
def test_capture_cost(cost):
    """FI-10 `capture_cost`: so many cards, not one less."""
    table = Table(capture_cost=cost, hands=[" ".join(["fire"] * cost)], pawns={0: "Cave of Embers"})
    table.take_actions(table.capture("fire"))
    assert table.hand(0) == ""
    assert table.discard == " ".join(["fire"] * cost)
    table = Table(capture_cost=cost, hands=[" ".join(["fire"] * (cost - 1))], pawns={0: "Cave of Embers"})
    assert not table.allows(table.capture("fire"))


def test_turn_limit_default():
    """FI-10 `turn_limit`: 200 turns, unless another number is given."""
    assert resolve({})["turn_limit"] == 200
    assert Table(waters_rise=0, meter=[0], cards_per_turn=0).play_game().row["turns"] == 200


# ---- the map ----


@pytest.mark.parametrize("name", NAMED_MAPS)
def test_named_maps(name):
    """FI-10 `map`: 24 cells, edge-connected, neighbours by shared edges."""
    rules = rules_record(resolve({"map": name}))[0]
    cells = board.cells_of(NAMED_MAPS[name])
    assert len(cells) == 24
    for mine, (r, c) in enumerate(cells):
        near = {i for i, (s, d) in enumerate(cells) if abs(r - s) + abs(c - d) == 1}
        assert rules["edges"][mine] == sum(1 << i for i in near)
    reached = {0}
    while more := {i for i in range(24) for j in reached if int(rules["edges"][j]) >> i & 1} - reached:
        reached |= more
    assert len(reached) == 24


def test_drawn_map():
    """FI-10 `map`: rows of # and . in the config, a hole is no place."""
    table = Table(
        """
        #  #  #  #* #
        #  #  #* #0 #*
        #  #  .  #* #
        #  #  #  #  #
        #  #  #  #  #
        """
    )
    assert table.moves() == table.stars


def test_a_map_in_pieces():
    """FI-10 `map_connected`: refused unless the config says that it is meant; then nobody walks across."""
    rows = ["######.#", "######.#", "######.#", "###....."]
    with pytest.raises(SettingsError, match="map"):
        resolve({"map": rows})
    table = Table(
        """
        #  #  #  #  #  #  .  #0
        #  #  #  #  #  #  .  #*
        #  #  #  #  #  #  .  #
        #  #  #  .  .  .  .  .
        """,
        map_connected=False,
    )
    assert table.moves() == table.stars


def test_hexagons():
    """FI-10 `grid`: hexagons have six neighbours; rows of 4, 5, 6, 5, 4; the Explorer has no more."""
    drawing = """
              #   #   #   #
            #   #*  #*  #   #
          #   ~*  #0  #*  #   #
            #   #*  x   #   #
              #   #   #   #
        """
    for roles in ("engineer messenger", "explorer engineer"):
        table = Table(drawing, roles=roles, grid="hex")
        assert table.moves() == table.stars
    corner = Table(drawing.replace("#0", "#").replace("#   #   #   #\n", "#0  #   #   #\n", 1), grid="hex")
    assert corner.moves() == {1, 4, 5}


# ---- special cards and hands ----


def test_sandbags_save_sinking():
    """FI-10 `sandbags_save_sinking`: the tile becomes dry, each card goes to its discard."""
    table = Table(sandbags_save_sinking=True, hands=["", "sandbags"], flooded=[LANDING], pawns={0: LANDING})
    table.flood_deck(LANDING, "Observatory")
    table.draw_floods(STOP, table.sandbags(1, LANDING))
    assert table.asked == [("window", 0), ("save", 0)]
    assert table.events == [
        ("sandbags", 1, LANDING),
        ("flood", LANDING, "saved"),
        ("flood", "Observatory", "flooded"),
    ]
    assert table.state(LANDING) == "dry"
    assert LANDING in table.flood_discard
    assert table.discard == "sandbags"
    assert table.end is None


def test_sandbags_need_not_save():
    """FI-10 `sandbags_save_sinking`: whoever holds them may let the tile sink; no other tile may be named."""
    table = Table(sandbags_save_sinking=True, hands=["sandbags"], flooded=["Observatory", "Watchtower"])
    table.flood_deck("Observatory", "Misty Marsh")
    table.draw_floods(STOP, STOP, STOP)
    assert table.asked == [("window", 0), ("save", 0), ("window", 0)]
    assert table.state("Observatory") == "sunk"
    table = Table(sandbags_save_sinking=True, hands=["sandbags"], flooded=["Observatory", "Watchtower"])
    table.flood_deck("Observatory", "Misty Marsh")
    table.draw_floods(STOP, table.sandbags(0, "Watchtower"), fault=True)
    assert table.asked[-1] == ("save", 0)
    assert table.fault == table.sandbags(0, "Watchtower")


def test_sandbags_answer_only_a_sinking():
    """FI-10 `sandbags_save_sinking`: not asked for a card that floods a dry tile, nor when nobody holds any."""
    table = Table(sandbags_save_sinking=True, hands=["sandbags"])
    table.flood_deck("Observatory", "Misty Marsh")
    assert table.draw_floods().asked == [("window", 0)] * 2
    table = Table(sandbags_save_sinking=True, hands=["helicopter"], flooded=["Observatory"])
    table.flood_deck("Observatory", "Misty Marsh")
    assert table.draw_floods().asked == [("window", 0)] * 2


def swimmers(**more):
    """Seats 0 and 1 about to lose the tile under them, with one way out; seat 2 elsewhere, a Lift in its hand."""
    return Table(
        roles="engineer messenger navigator",
        pawns={0: "Twilight Hollow", 1: "Twilight Hollow"},
        flooded=["Twilight Hollow"],
        sunk=["Misty Marsh"],
        **{"lift_saves_swimmer": True, "hands": ["", "", "helicopter"], **more},
    )


def test_a_lift_saves_swimmers():
    """FI-10 `lift_saves_swimmer`: a Lift carries them off instead, together or one of them while the other swims."""
    table = swimmers()
    table.flood_deck("Twilight Hollow", "Bronze Gate")
    table.draw_floods(STOP, table.lift(2, "Observatory", 0, 1))
    assert table.asked == [("window", 0), ("swim", 0)]
    assert (table.at(0), table.at(1)) == ("Observatory", "Observatory")
    assert table.row["swims"] == 0
    table = swimmers()
    table.flood_deck("Twilight Hollow", "Bronze Gate")
    table.draw_floods(STOP, table.lift(2, "Observatory", 0), table.swim_to("Watchtower"))
    assert table.asked == [("window", 0), ("swim", 0), ("swim", 1)]
    assert (table.at(0), table.at(1)) == ("Observatory", "Watchtower")


def drowning(**more):
    """As `swimmers`, with nowhere to swim, and the card about to be drawn."""
    table = swimmers(**more)
    table.view["land"] &= ~(1 << table.cell("Watchtower"))
    table.flood_deck("Twilight Hollow", "Bronze Gate")
    return table


def test_a_lift_saves_from_drowning():
    """FI-10 `lift_saves_swimmer`, FI-9.4: with nowhere to swim the Lift may come; if it does not the pawn drowns."""
    table = drowning()
    table.draw_floods(STOP, table.lift(2, "Observatory", 0, 1))
    assert table.end is None
    table = drowning()
    table.draw_floods(STOP, table.lift(2, "Observatory", 1), STOP)
    assert table.end == "drowned"
    assert table.row["drowned"] == 0b001
    table = drowning(hands=["", "", "sandbags"])
    table.draw_floods(STOP)
    assert table.end == "drowned"
    assert table.row["drowned"] == 0b011
    assert table.asked == [("window", 0)]


def test_a_lift_does_not_save_the_others():
    """FI-10 `lift_saves_swimmer`: only pawns in the water are carried, and the landing is still lost."""
    table = swimmers()
    table.flood_deck("Twilight Hollow", "Bronze Gate")
    table.draw_floods(STOP, table.lift(2, "Observatory", 2), fault=True)
    assert table.fault == table.lift(2, "Observatory", 2)
    table = Table(lift_saves_swimmer=True, pawns={0: LANDING}, flooded=[LANDING], hands=["helicopter"])
    table.flood_deck(LANDING, "Observatory")
    assert table.draw_floods(STOP).end == "landing_sunk"


def test_nobody_has_drowned_while_a_lift_may_come():
    """FI-10 `lift_saves_swimmer`, FI-9.6: the landing ends it first; `drowned` applies too without a Lift."""
    for hands, causes, drowned in (
        (["", "helicopter"], {"landing_sunk"}, 0b00),
        (["", "sandbags"], {"landing_sunk", "drowned"}, 0b01),
    ):
        table = Table(
            lift_saves_swimmer=True,
            hands=hands,
            pawns={0: LANDING},
            flooded=[LANDING],
            sunk=["Bronze Gate", "Gold Gate"],
        )
        table.flood_deck(LANDING, "Observatory")
        assert table.draw_floods(STOP).end == "landing_sunk"
        assert table.causes == causes
        assert table.row["drowned"] == drowned


def test_giving_to_a_full_hand_forbidden():
    """FI-10 `give_to_full_hand`: false forbids giving to a hand at the limit, by the Messenger too; to four it may."""
    for roles in ("engineer messenger", "messenger engineer"):
        table = Table(
            roles=roles,
            give_to_full_hand=False,
            hands=["earth", "wind wind wind ocean ocean"],
            pawns={0: "Iron Gate", 1: "Iron Gate"},
        )
        assert not table.allows(table.give(1, "earth"))
        table = Table(
            roles=roles,
            give_to_full_hand=False,
            hands=["earth", "wind wind wind ocean"],
            pawns={0: "Iron Gate", 1: "Iron Gate"},
        )
        assert table.allows(table.give(1, "earth"))


def test_hand_limit_after_the_draw():
    """FI-10 `hand_limit_check`: `after_draw`: both cards are drawn first, then all that is too much goes."""
    table = Table(hand_limit_check="after_draw", hands=["earth wind fire ocean ocean"])
    table.treasure_deck("fire wind")
    table.draw_treasures(table.throw("ocean"), table.throw("ocean"))
    assert [event[0] for event in table.events] == ["draw", "draw", "discard", "discard"]
    assert table.hand(0) == "earth wind wind fire fire"


def test_hand_limit_after_the_draw_and_given_cards():
    """FI-10 `hand_limit_check`, FI-4.3: a hand that is given a sixth card goes back at once all the same."""
    table = Table(
        hand_limit_check="after_draw", hands=["earth", "wind wind wind ocean ocean"], pawns={1: "Bronze Gate"}
    )
    table.take_actions(table.give(1, "earth"), table.throw("ocean"))
    assert table.asked[1] == ("discard", 1)


def test_hand_limit_after_the_draw_and_a_special_card_between():
    """FI-10 `hand_limit_check`, FI-6.2: what is played between the two cards counts; nothing is left to discard."""
    table = Table(hand_limit_check="after_draw", hands=["earth wind fire ocean sandbags"], flooded=["Observatory"])
    table.treasure_deck("fire waters_rise")
    table.draw_treasures(STOP, table.sandbags(0, "Observatory"))
    assert table.asked == [("window", 0), ("window", 0)]
    assert table.view["hand_size"][0] == 5


# ---- section 11 ----


def test_no_role_powers():
    """FI-10 `role_powers`: everybody is ordinary: no flight, no diagonal, no navigating, no pair, no gift from afar."""
    drawing = """
        .  .  #  #  .  .
        .  ~  ~* ~  #  .
        #  #* ~0 ~* ~  #
        #  #  x  #  #  #
        .  #  #  #  #  .
        .  .  #  #1 .  .
        """
    for role in ROLES:
        other = "engineer" if role != "engineer" else "pilot"
        table = Table(drawing, roles=f"{role} {other}", role_powers=False, hands=["earth"])
        assert table.moves() == table.stars
        assert table.swims() == table.stars
        assert {choice & 15 for choice in table.options()} == {0, 1, 4}
        assert table.shores() == {3, 8, 9}
        assert not table.allows(table.give(1, "earth"))


def test_all_pawns_start_on_the_landing():
    """FI-10 `start_tiles`: `landing`."""
    for start in starts(players=3, start_tiles="landing"):
        assert start.view["pawn"].tolist()[:3] == [int(start.view["landing"])] * 3
        assert start.view["tile_at"][start.view["landing"]] == 0


def test_eliminated():
    """FI-10 `swim`: `eliminate`: the pawn is out, its cards are discarded, it has no more turns; the others play on."""
    table = Table(
        roles="engineer messenger navigator",
        swim="eliminate",
        cards_per_turn=0,
        meter=[1],
        active=1,
        turn_limit=4,
        hands=["earth", "wind helicopter", "fire"],
        pawns={1: "Observatory"},
        flooded=["Observatory"],
    )
    table.flood_deck("Observatory", "Misty Marsh", "Lost Lagoon", "Phantom Rock")
    table.play_game(STOP, STOP)
    assert table.told("eliminated") == [("eliminated", 1)]
    assert [event[2] for event in table.told("turn")] == [1, 2, 0, 2]
    assert table.hand(1) == ""
    assert table.discard == "wind helicopter"
    assert table.view["specials_held"] == 0
    assert table.row["drowned"] == 0b010
    assert table.end == "turn_limit"


def test_the_last_pawn_eliminated():
    """FI-10 `swim`: `eliminate`: lost when the last pawn is out, cause drowned."""
    table = Table(swim="eliminate", pawns={0: "Observatory", 1: "Observatory"}, flooded=["Observatory"], active=1)
    table.flood_deck("Observatory", "Misty Marsh")
    assert table.draw_floods().end == "drowned"
    assert table.events == [("flood", "Observatory", "sunk"), ("eliminated", 1), ("eliminated", 0)]
    assert table.row["drowned"] == 0b11


def test_the_landing_sinks_under_the_last_pawn():
    """FI-10 `swim`, FI-9.6: with `eliminate` both causes are kept, and all who are out are named."""
    table = Table(swim="eliminate", pawns={0: LANDING, 1: LANDING}, flooded=[LANDING])
    table.flood_deck(LANDING, "Misty Marsh")
    assert table.draw_floods().end == "landing_sunk"
    assert table.causes == {"landing_sunk", "drowned"}
    assert table.row["drowned"] == 0b11


def test_the_landing_sinks_under_one_pawn_of_two():
    """FI-10 `swim`, FI-9.6: with `eliminate` a pawn left elsewhere means that drowned does not apply."""
    table = Table(swim="eliminate", pawns={0: LANDING, 1: "Observatory"}, flooded=[LANDING])
    table.flood_deck(LANDING, "Misty Marsh")
    assert table.draw_floods().end == "landing_sunk"
    assert table.causes == {"landing_sunk"}


def test_a_sunk_tile_loses():
    """FI-10 `swim`: `lose`: a pawn whose tile sinks loses the game at once, whatever lies beside it."""
    table = Table(swim="lose", pawns={1: "Observatory"}, flooded=["Observatory"])
    table.flood_deck("Observatory", "Misty Marsh")
    assert table.draw_floods().end == "drowned"
    assert table.asked == []
    assert table.row["drowned"] == 0b10


def test_leaving_by_an_action():
    """FI-10 `escape`: `action`: one action of a player on Fools' Landing, no card; all treasures, all pawns there."""
    table = Table(escape="action", captured=ALL, pawns={0: LANDING, 1: LANDING})
    table.take_turn(table.leave())
    assert table.end == "won"
    assert table.events == [("turn", 1, 0, 1), ("escape", 0)]
    for change in ({"captured": "earth wind fire"}, {"pawns": {0: LANDING}}, {"pawns": {1: LANDING}}):
        table = Table(**{"escape": "action", "captured": ALL, "pawns": {0: LANDING, 1: LANDING}} | change)
        assert not table.allows(LEAVE)
    assert not Table(captured=ALL, pawns={0: LANDING, 1: LANDING}, hands=["helicopter"]).allows(LEAVE)


def test_leaving_takes_an_action():
    """FI-10 `escape`: with `action`, after three actions it is too late for this turn, and a Lift does not win."""
    table = Table(escape="action", captured=ALL, pawns={0: LANDING, 1: LANDING}, hands=["helicopter"])
    assert table.allows(table.leave())
    assert not table.allows(table.leave(), "window")
    assert not table.allows(table.escape(0))
    assert table.allows(table.lift(0, "Observatory", 0, 1))


def test_the_survivors_leave():
    """FI-10 `escape`, `swim`: an eliminated pawn need not be on the landing."""
    table = Table(escape="action", swim="eliminate", captured=ALL, pawns={0: LANDING})
    table.view["pawn"][1] = -1
    assert table.allows(table.leave())


def test_a_rise_shuffles_all():
    """FI-10 `rise_shuffles`: `all`: flood discard and deck are shuffled together into the deck; sunk tiles stay out."""
    table = Table(rise_shuffles="all", flooded=["Observatory", "Watchtower"], sunk=["Lost Lagoon"])
    table.treasure_deck("waters_rise earth")
    table.draw_treasures()
    assert table.layers == [set(TILES) - {"Lost Lagoon"}]
    assert table.flood_discard == set()
    assert table.view["tick"] == 2


def test_a_rise_shuffles_all_with_an_empty_discard():
    """FI-10 `rise_shuffles`: `all`: the deck is shuffled then too, known layers are gone."""
    table = Table(rise_shuffles="all")
    table.flood_deck("Observatory", "Watchtower", discard=[])
    before = table.hidden["flood_priority"].tolist()
    table.treasure_deck("waters_rise earth")
    table.draw_treasures()
    assert table.layers == [set(TILES)]
    assert table.hidden["flood_priority"].tolist() != before


def test_a_flood_card_in_the_treasure_deck():
    """FI-10 `flood_cards_in_treasure_deck`: the drawer floods a tile of their choice; the card goes to the discard."""
    table = Table(flood_cards_in_treasure_deck=1)
    table.treasure_deck("flood_card earth")
    table.draw_treasures(table.flood("Observatory"))
    assert table.asked == [("choose_flood", 0)]
    assert table.events[1] == ("chosen_flood", 0, "Observatory", "flooded")
    assert table.state("Observatory") == "flooded"
    assert table.discard == "flood_card"
    assert table.hand(0) == "earth"
    assert "Observatory" in table.layers[0]  # its flood card stays where it was
    assert len(table.told("draw")) == 2


def test_a_flood_card_sinks_a_flooded_tile():
    """FI-10 `flood_cards_in_treasure_deck`: sunk if it was flooded, with all that follows; its flood card is gone."""
    table = Table(flood_cards_in_treasure_deck=1, flooded=["Observatory", "Watchtower"], pawns={1: "Observatory"})
    table.flood_deck("Observatory")
    table.treasure_deck("flood_card earth")
    table.draw_treasures(table.flood("Observatory"), table.swim_to("Watchtower"))
    assert table.asked == [("choose_flood", 0), ("swim", 1)]
    assert [event[0] for event in table.events] == ["draw", "chosen_flood", "swim", "draw"]
    assert table.state("Observatory") == "sunk"
    assert "Observatory" not in table.flood_discard.union(*table.layers)
    assert len(table.layers) == 1


def test_a_flood_card_may_lose_the_game():
    """FI-10 `flood_cards_in_treasure_deck`, FI-9.2: a treasure's last tile by choice; not a tile that has sunk."""
    table = Table(flood_cards_in_treasure_deck=1, flooded=["Coral Palace"], sunk=["Tidal Palace"])
    table.treasure_deck("flood_card earth")
    assert not table.allows(table.flood("Tidal Palace"), "choose_flood")
    assert len(table.options("choose_flood")) == 23
    table.draw_treasures(table.flood("Coral Palace"))
    assert table.end == "treasure_sunk"
    assert len(table.told("draw")) == 1


def test_who_is_out_draws_no_more():
    """FI-10 `flood_cards_in_treasure_deck`, `swim`: a player who drowns by the own card draws no second one."""
    table = Table(
        flood_cards_in_treasure_deck=1,
        swim="eliminate",
        pawns={0: "Observatory"},
        flooded=["Observatory"],
        hands=["wind"],
    )
    table.treasure_deck("flood_card earth")
    table.draw_treasures(table.flood("Observatory"))
    assert table.events[-1] == ("eliminated", 0)
    assert len(table.told("draw")) == 1
    assert table.discard == "wind flood_card"


def test_hex_tutorial():
    """FI-11: the preset: what section 11 says of it."""
    knobs = resolve({"preset": "hex-tutorial", "players": 3})
    start = Start(0, preset="hex-tutorial", players=3)
    assert start.view["flooded"] == 0
    assert start.view["pawn"].tolist()[:3] == [int(start.view["landing"])] * 3
    assert start.view["power"].tolist()[:3] == [6, 6, 6]
    assert (start.view["deck"] + start.view["hand"].sum(axis=0)).tolist() == [6, 6, 6, 6, 0, 0, 3, 1]
    assert start.rules["meter"][start.view["tick"] - 1] == 2
    assert (knobs["grid"], knobs["rise_shuffles"], knobs["swim"], knobs["escape"]) == (
        "hex",
        "all",
        "eliminate",
        "action",
    )
    assert [len(row) for row in knobs["map"]] == [4, 5, 6, 5, 4]


def test_hex_tutorial_loses_by_a_sunk_pair():
    """FI-11: the tutorial names no loss for a sunk treasure pair; such a game ends as treasure_sunk."""
    table = Table(preset="hex-tutorial", flooded=["Coral Palace"], sunk=["Tidal Palace"])
    table.flood_deck("Coral Palace", "Observatory")
    assert table.draw_floods().end == "treasure_sunk"


# ---- errors ----


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"players": 5}, ["players", "5", "2..4"]),
        ({"meter": []}, ["meter", "empty"]),
        ({"players": 4, "roles": {"pool": ["pilot", "diver"]}}, ["roles", "players", "4"]),
        ({"map": ["#" * 23]}, ["map", "23", "24"]),
        ({"difficulty": "novice", "start_tick": 2}, ["start_tick", "difficulty"]),
        ({"capture_cost": 6}, ["capture_cost", "6", "treasure_copies", "5"]),
        ({"swim": "sink"}, ["swim", "sink", "adjacent", "eliminate", "lose"]),
    ],
)
def test_wrong_knobs(settings, words):
    """FI-10: a knob out of range, a contradiction, a wrong map: the error names knob, value and what is allowed."""
    with pytest.raises(SettingsError) as told:
        resolve(settings)
    assert all(word in str(told.value) for word in words), str(told.value)


def test_every_knob_has_a_test():
    """FI-10: each knob is named by a test's docstring."""
    cited = " ".join(
        ast.get_docstring(node) or ""
        for file in Path(__file__).parent.glob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        and node.name.startswith("test_")
        and node.name != "test_every_knob_has_a_test"
    )
    assert [knob.name for knob in KNOBS if f"`{knob.name}`" not in cited] == []


def test_resolved_knobs_are_plain():
    """FI-10: what is resolved can be written down and resolves to itself."""
    for preset in ("official", "hex-tutorial", "old-japanese", "sandbags-save"):
        knobs = resolve({"preset": preset})
        assert resolve(json.loads(json.dumps(knobs))) == knobs

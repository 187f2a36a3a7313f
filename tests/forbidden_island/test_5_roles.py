"""Section 5: roles."""

from __future__ import annotations

from sim.forbidden_island.constants import TILES

from .table import STOP, Table

FLY, NAVIGATE, SHORE_UP_TWO, GIVE = 2, 3, 5, 6  # the kinds of answers, their lowest four bits


def kinds(table):
    """What kinds of answers are legal for the active player."""
    return {choice & 15 for choice in table.options()}


# ---- Explorer ----


def test_explorer_moves_diagonally():
    """FI-5.1: to any of the eight tiles around, never onto a gap."""
    table = Table(
        """
        .  .  #  #  .  .
        .  #* ~* #* #  .
        #  x  #0 #* #  #
        #  #* ~* x  #  #
        .  #  #  #  #  .
        .  .  #  #  .  .
        """,
        roles="explorer engineer",
    )
    assert table.moves() == table.stars


def test_explorer_shores_up_diagonally():
    """FI-5.1: any flooded tile of the eight around, and the own."""
    table = Table(
        """
        .  .  ~  ~  .  .
        .  ~* ~* #  ~  .
        #  x  ~0* ~* ~ #
        #  #  #  ~* #  #
        .  #  #  #  ~  .
        .  .  #  #  .  .
        """,
        roles="explorer engineer",
    )
    assert table.shores() == table.stars


def test_explorer_swims_diagonally():
    """FI-5.1: when its tile sinks, to any tile around, dry or flooded."""
    table = Table(
        """
        .  .  #  #  .  .
        .  #* x  ~* #  .
        #  x  x0 x  #  #
        #  x  x  #* #  #
        .  #  #  #  #  .
        .  .  #  #  .  .
        """,
        roles="explorer engineer",
    )
    assert table.swims() == table.stars


def test_others_do_nothing_diagonally():
    """FI-5.1: only the Explorer does."""
    for role in ("engineer", "messenger", "navigator", "pilot"):
        table = Table(
            """
            .  .  #  #  .  .
            .  ~  x  ~  #  .
            #  x  #0 x  #  #
            #  ~  x  ~  #  #
            .  #  #  #  #  .
            .  .  #  #  .  .
            """,
            roles=f"{role} explorer",
        )
        assert table.moves() == set()
        assert table.shores() == set()


# ---- Engineer ----


def test_engineer_shores_up_two():
    """FI-5.2: two different tiles for one action, both named at once, the own or by edge."""
    table = Table(
        """
        .  .  #  #  .  .
        .  ~d ~a #  #  .
        #  #  ~0b ~c # #
        #  #  #  ~e #  #
        .  #  #  #  #  .
        .  .  #  #  .  .
        """
    )
    assert table.allows(table.shore_up("a", "b"))
    assert table.allows(table.shore_up("a", "c"))
    assert not table.allows(table.shore_up("a", "a"))
    assert not table.allows(table.shore_up("a", "d"))
    assert not table.allows(table.shore_up("c", "e"))
    table.take_actions(table.shore_up("c", "a"), table.shore_up("b"))
    assert [table.state(place) for place in "abcde"] == ["dry", "dry", "dry", "flooded", "flooded"]
    assert table.asked == [("act", 0)] * 3
    assert table.row["actions"][4] == 2


def test_engineer_shores_up_one():
    """FI-5.2: one tile is an action too; with one flooded tile in reach no two are."""
    table = Table(flooded=["Bronze Gate", "Observatory"])
    assert table.allows(table.shore_up("Bronze Gate"))
    assert SHORE_UP_TWO not in kinds(table)


def test_engineer_pairs():
    """FI-5.2: of five tiles in reach each of the ten pairs is one choice."""
    table = Table(
        """
        .  .  #  #  .  .
        .  #  ~  #  #  .
        #  ~  ~0 ~  #  #
        #  #  ~  #  #  #
        .  #  #  #  #  .
        .  .  #  #  .  .
        """
    )
    assert len([choice for choice in table.options() if choice & 15 == SHORE_UP_TWO]) == 10


# ---- Messenger ----


def test_messenger_gives_from_any_distance():
    """FI-5.3: wherever the receiver stands."""
    table = Table(roles="messenger engineer navigator", hands=["earth ocean"], pawns={1: "Watchtower"})
    table.take_actions(table.give(1, "earth"), table.give(2, "ocean"))
    assert [table.hand(seat) for seat in range(3)] == ["", "earth", "ocean"]


def test_messenger_gives_no_special_card():
    """FI-5.3, FI-4.3: from afar as on the same tile."""
    table = Table(roles="messenger engineer", hands=["earth helicopter sandbags"])
    assert table.allows(table.give(1, "earth"))
    assert not table.allows(table.give(1, "helicopter"))
    assert not table.allows(table.give(1, "sandbags"))


def test_nobody_gives_to_the_messenger_from_afar():
    """FI-5.3: only the Messenger gives so; the others still on the same tile."""
    table = Table(roles="engineer messenger", hands=["earth", "wind"])
    assert not table.allows(table.give(1, "earth"))
    table.view["active"] = 1
    assert table.allows(table.give(0, "wind"))


def test_messenger_gives_to_a_full_hand_from_afar():
    """FI-5.3, FI-4.3, FI-7.2: the receiver goes back to five at once, and chooses how."""
    table = Table(roles="messenger engineer", hands=["earth", "wind wind fire fire helicopter"])
    table.take_actions(table.give(1, "earth"), table.lift(1, "Watchtower", 0))
    assert table.asked[1] == ("discard", 1)
    assert table.hand(1) == "earth wind wind fire fire"
    assert table.at(0) == "Watchtower"


# ---- Pilot ----


def test_pilot_flies_to_any_tile_still_there():
    """FI-5.4: dry or flooded, near or far; not onto a gap, not to its own tile."""
    table = Table(roles="pilot engineer", flooded=["Observatory"], sunk=["Watchtower", "Misty Marsh"])
    assert {TILES[cell] for cell in table.flights()} == set(TILES) - {"Fools' Landing", "Watchtower", "Misty Marsh"}


def test_pilot_flies_once_a_turn():
    """FI-5.4: for one action, once in each own turn; afterwards it moves like everyone."""
    table = Table(roles="pilot engineer", cards_per_turn=0, meter=[0], turn_limit=3)
    fly, back = table.fly_to("Watchtower"), table.fly_to("Fools' Landing")
    table.play_game(fly, table.move_to("Twilight Hollow"), STOP, STOP, back)
    assert [event for event in table.events if event[0] != "turn"] == [
        ("fly", 0, "Watchtower"),
        ("move", 0, "Twilight Hollow"),
        ("fly", 0, "Fools' Landing"),
    ]
    table = Table(roles="pilot engineer")
    table.take_actions(fly, back, fault=True)
    assert table.fault == back


def test_pilot_does_not_fly_in_another_turn():
    """FI-5.4, FI-5.5: in its own turn only: nobody else flies, and the Navigator may not fly it."""
    table = Table(roles="navigator pilot")
    assert FLY not in kinds(table)
    assert not table.allows(table.navigate(1, "Watchtower"))


def test_pilot_swims_to_any_tile():
    """FI-5.4: to any tile still on the island, also when it has flown and nothing is near."""
    table = Table(
        """
        .  .  #* ~* .  .
        .  #* #* #* x  .
        #* x  x0 x  #* #*
        #* #* x  #* #* #*
        .  #* #* ~* x  .
        .  .  x  #* .  .
        """,
        roles="pilot engineer",
    )
    table.view["flown"] = 1
    assert table.swims() == table.stars


# ---- Navigator ----


def test_navigator_moves_another_one_or_two_steps():
    """FI-5.5: by edge, over tiles, dry or flooded, ending on another tile; one or two steps cost the same."""
    table = Table(
        """
        .  .  #* #  .  .
        .  #* ~* #* #  .
        #  x  #1 #* ~* #
        #  #  x  #* #  #
        .  #  #  #  #  .
        .  .  #  #0 .  .
        """,
        roles="navigator engineer",
    )
    assert table.navigations(1) == table.stars
    assert {choice for choice in table.options() if choice & 15 == NAVIGATE} == {
        table.navigate(1, cell) for cell in table.stars
    }


def test_navigator_moves_one_pawn_an_action():
    """FI-5.5: never two pawns a step each: three actions move three times, and cost the moved nothing."""
    table = Table(roles="navigator engineer messenger", cards_per_turn=0, meter=[0], turn_limit=2)
    table.play_game(
        table.navigate(1, "Gold Gate"),
        table.navigate(2, "Gold Gate"),
        table.navigate(1, "Copper Gate"),
        table.move_to("Gold Gate"),
        table.move_to("Fools' Landing"),
        table.move_to("Bronze Gate"),
    )
    assert [event[1:] for event in table.told("navigate")] == [
        (0, 1, "Gold Gate"),
        (0, 2, "Gold Gate"),
        (0, 1, "Copper Gate"),
    ]
    assert [event[1] for event in table.told("move")] == [1, 1, 1]
    assert table.row["actions"][3] == 3


def test_navigator_not_its_own_pawn():
    """FI-5.5: never the own."""
    table = Table(roles="navigator engineer")
    assert not any(table.allows(table.navigate(0, cell)) for cell in range(24))


def test_only_the_navigator_moves_others():
    """FI-5.5: nobody else does, and the Navigator does so in its own turn only."""
    table = Table(roles="engineer navigator")
    assert NAVIGATE not in kinds(table)


def test_navigator_moves_the_explorer_diagonally():
    """FI-5.5: the Explorer's two steps may be diagonal, over tiles only."""
    table = Table(
        """
        .  .  x  x  .  .
        .  #  x  x  #* .
        #  #  x  #1 x  #*
        #  #  x  ~* x  #
        .  #  #* #* #* .
        .  .  #0 #  .  .
        """,
        roles="navigator explorer",
    )
    assert table.navigations(1) == table.stars


def test_navigator_does_not_fly_the_pilot():
    """FI-5.5: the Pilot goes as far as anyone."""
    table = Table(
        """
        .  .  #* #  .  .
        .  #* ~* #* #  .
        #  x  #1 #* ~* #
        #  #  x  #* #  #
        .  #  #  #  #  .
        .  .  #  #0 .  .
        """,
        roles="navigator pilot",
    )
    assert table.navigations(1) == table.stars


DIVER_BEFORE_A_GAP = """
    .  .  #* #  .  .
    .  #* ~* #* #  .
    #a* x #1 #* ~* #
    x  #b* x #* #  #
    .  #  x  #  #  .
    .  .  #  #0 .  .
    """


def test_navigator_moves_the_diver_through_one_gap():
    """FI-5.5: the first of the Diver's two steps may be into a gap if the second ends on a tile, never two gaps."""
    table = Table(DIVER_BEFORE_A_GAP, roles="navigator diver")
    assert table.navigations(1) == table.stars


def test_navigator_moves_the_diver_by_steps_only():
    """FI-10 `navigator_moves_diver`: `steps_only` moves the Diver like anyone."""
    table = Table(DIVER_BEFORE_A_GAP, roles="navigator diver", navigator_moves_diver="steps_only")
    assert table.navigations(1) == table.stars - {table.cell("a"), table.cell("b")}


# ---- Diver ----


def test_diver_passes_flooded_and_sunk_cells():
    """FI-5.6: through any number of them joined by edges, in any bends; a dry tile ends the way, a flooded one may."""
    table = Table(
        """
        .  .  #* #* .  .
        .  #* x  x  #* .
        #  #* #0 ~* ~* #*
        #  #  #* #* x  #*
        .  #  #  #* ~* .
        .  .  #  #  .  .
        """,
        roles="diver engineer",
    )
    assert table.moves() == table.stars


def test_diver_not_through_dry():
    """FI-5.6: a dry tile ends the move: what lies behind it is not reached."""
    table = Table(
        """
        .  .  #  #  .  .
        .  #  #* #  #  .
        #  #* #0 #* ~  #
        #  #  #* x  x  #
        .  #  ~  x  #  .
        .  .  #  #  .  .
        """,
        roles="diver engineer",
    )
    assert table.moves() == table.stars


def test_diver_never_stops_in_a_gap():
    """FI-5.6: a gap never ends the move."""
    table = Table(
        """
        .  .  #* #  .  .
        .  #* x  #* #  .
        #* x  #0 x  #* #
        #  #* x  #* #  #
        .  #  #* #  #  .
        .  .  #  #  .  .
        """,
        roles="diver engineer",
    )
    assert table.moves() == table.stars


def test_diver_does_not_come_back_to_its_own_tile():
    """FI-5.6: a move ends on another tile, though the way may lead around."""
    table = Table(
        """
        .  .  x  x  .  .
        .  x  ~0 x  x  .
        x  x  x  x  x  x
        x  x  x  x  x  x
        .  x  x  x  x  .
        .  .  x  #* .  .
        """,
        roles="diver engineer",
    )
    assert table.moves() == table.stars


def test_diver_not_over_holes_of_the_map():
    """FI-5.6: only cells that once held a tile are gaps; holes of the map's shape are never entered."""
    table = Table(
        """
        #  #  .  #  .
        #  #* .  #  #
        #* ~* .  ~  #
        #* x  .  x  #
        #* ~0 .  #  #
        #  #* #  #  #
        """,
        roles="diver engineer",
    )
    assert table.moves() == table.stars


def test_diver_moves_for_one_action():
    """FI-5.6: however long the way."""
    table = Table(
        """
        .  .  #0 #  .  .
        .  #  x  #  #  .
        #  #  ~  #  #  #
        #  #  x  #  #  #
        .  #  ~  #  #  .
        .  .  #a #b .  .
        """,
        roles="diver engineer",
    )
    table.take_actions(table.move_to("a"), table.move_to("b"), table.move_to("a"))
    assert table.asked == [("act", 0)] * 3
    assert table.at(0) == table.tile("a")


def test_only_the_diver_passes_water():
    """FI-5.6, FI-4.1: a flooded tile is one step for everybody else."""
    for role in ("engineer", "messenger", "navigator", "pilot"):
        table = Table(
            """
            .  .  #  #  .  .
            .  #  ~* ~  #  .
            #  #* ~0 ~* ~  #
            #  #  x  ~  #  #
            .  #  #  #  #  .
            .  .  #  #  .  .
            """,
            roles=f"{role} explorer",
        )
        assert table.moves() == table.stars


def test_diver_swims_to_a_tile_by_its_edge_first():
    """FI-5.6: no cell passed is nearest."""
    table = Table(
        """
        .  .  #  #  .  .
        .  #  x  #  #  .
        #  x  x0 ~* #  #
        #  #  x  #  #  #
        .  #  #  #  #  .
        .  .  #  #  .  .
        """,
        roles="diver engineer",
    )
    assert table.swims() == table.stars


def test_diver_swims_to_the_nearest_of_several():
    """FI-5.6: of several equally near the player chooses; a farther one is not to be had."""
    table = Table(
        """
        .  .  x  #  .  .
        .  x  x  x  #  .
        #* x  x0 x  ~* #
        #  #* x  x  #  #
        .  #  x  #  #  .
        .  .  #  #  .  .
        """,
        roles="diver engineer",
    )
    assert table.swims() == table.stars


def test_diver_swims_around_holes():
    """FI-5.6: nearest by the cells passed, not as the crow flies over holes of the map."""
    table = Table(
        """
        #  #  .  #  .
        #  x  .  #  #
        x  x  .  ~  #
        x  x  .  #  #
        x  x0 .  #  #
        x  x  x  #* #
        """,
        roles="diver engineer",
    )
    assert table.swims() == table.stars


def test_diver_may_be_cut_off():
    """FI-5.6: where only holes lie around, there is nowhere to swim."""
    table = Table(
        """
        #  #  #  #  #  #  .  x0
        #  #  #  #  #  #  .  x
        #  #  #  #  #  #  .  x
        #  #  #  .  .  .  .  .
        """,
        roles="diver engineer",
        map_connected=False,
    )
    assert table.swims() == set()

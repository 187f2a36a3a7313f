"""The replay for people: made from hand-written events, so it shows what any trace would."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.forbidden_island.replay import island, tell

TILES = [
    "Temple of the Moon",
    "Temple of the Sun",
    "Fools' Landing",
    "Howling Garden",
    "Whispering Garden",
    "Cave of Embers",
    "Bronze Gate",
    "Copper Gate",
    "Gold Gate",
    "Iron Gate",
    "Silver Gate",
    "Cave of Shadows",
    "Coral Palace",
    "Tidal Palace",
    "Breakers Bridge",
    "Cliffs of Abandon",
    "Crimson Forest",
    "Dunes of Deception",
    "Lost Lagoon",
    "Misty Marsh",
    "Observatory",
    "Phantom Rock",
    "Twilight Hollow",
    "Watchtower",
]
STANDARD = ["..##..", ".####.", "######", "######", ".####.", "..##.."]
FORMAT = Path(__file__).parents[1] / "docs" / "trace-format.md"
HEX = ["####", "#####", "######", "#####", "####"]
METER = [2, 2, 3, 3, 3, 4, 4, 5, 5]


def setup(**changes):
    event = {
        "event": "setup",
        "game": "forbidden_island",
        "seed": 7,
        "trial": 17,
        "policy": "random",
        "rules": {"players": 2, "start_tick": 1, "meter": METER, "capture_cost": 4, "start_tiles": "gates"},
        "map": STANDARD,
        "tiles": TILES,
        "flooded": ["Misty Marsh", "Iron Gate"],
        "roles": ["diver", "pilot"],
        "hands": [["earth", "earth", "helicopter"], ["earth", "sandbags"]],
        "first": 1,
    }
    return event | changes


def turn(number=1, player=1, tick=1):
    return {"event": "turn", "number": number, "player": player, "tick": tick}


def told(*events, **changes):
    return list(tell([setup(**changes), *events]))


def sentence(event, *before, **changes):
    """The last line told."""
    return told(turn(), *before, event, **changes)[-1].strip()


def test_the_opening_names_the_game_and_what_is_flooded():
    lines = told()
    assert lines[0] == "== Forbidden Island, seed 7, trial 17, policy random =="
    assert lines[1] == "Flooded at the start: Misty Marsh and Iron Gate."
    assert lines[2] == "Pilot begins."


def test_a_turn_shows_the_island_the_water_and_the_hands():
    lines = told(turn())
    assert "-- Turn 1: Pilot -- water at tick 1 (2 flood cards a turn) --" in lines
    assert "  0 Diver  Iron Gate       earth x2, lift" in lines
    assert "* 1 Pilot  Fools' Landing  earth, sandbags" in lines
    assert any("~~~~Iron~~~" in line for line in lines), "a flooded tile is drawn with waves"
    assert any("|0~~~~~~~~~~|" in line for line in lines), "a pawn on it is drawn by its seat"


def test_the_standard_map_in_full():
    """The picture itself, so that a change of it is seen in review."""
    picture = list(
        island(STANDARD, TILES, ["Misty Marsh"], ["Watchtower", "Gold Gate"], {0: "Misty Marsh", 2: TILES[0]})
    )
    assert picture[:7] == [
        "                        +-----------+-----------+",
        "                        |    Moon   |    Sun    |",
        "                        |2     earth|      earth|",
        "            +-----------+-----------+-----------+-----------+",
        "            |   Fools'  |  Howling  | Whispering|   Embers  |",
        "            |           |       wind|       wind|       fire|",
        "+-----------+-----------+-----------+-----------+-----------+-----------+",
    ]
    assert picture[7] == "|   Bronze  |   Copper  |           |    Iron   |   Silver  |  Shadows  |"
    assert picture[13:15] == [
        "            |   Lagoon  |~~~Marsh~~~|Observatory|  Phantom  |",
        "            |           |0~~~~~~~~~~|           |           |",
    ]
    assert picture[-1].strip() == "+-----------+", "the sunk Watchtower leaves a gap"


@pytest.mark.parametrize("rows", [["###...####", "##########", "####...###"], ["######"] * 4, ["########"] * 3])
def test_every_map_fits_a_page_and_keeps_names_apart(rows):
    count = sum(row.count("#") for row in rows)
    picture = list(island(rows, TILES[:count], [], [], {}))
    assert max(map(len, picture)) <= 79
    names = [word.strip() for line in picture[1::3] for word in line.split("|") if word.strip()]
    assert len(names) == len(set(names)) == count


def test_hexagons_are_centred_rows():
    picture = list(island(HEX, TILES, [], [], {}, hexagonal=True))
    starts = [len(picture[3 * row + 1]) - len(picture[3 * row + 1].lstrip()) for row in range(5)]
    assert starts == [12, 6, 0, 6, 12]


EACH = [
    ({"event": "move", "player": 1, "to": "Bronze Gate"}, "Pilot moves to Bronze Gate."),
    ({"event": "fly", "player": 1, "to": "Watchtower"}, "Pilot flies to Watchtower."),
    ({"event": "navigate", "player": 1, "pawn": 0, "to": "Misty Marsh"}, "Pilot moves Diver to Misty Marsh."),
    ({"event": "shore_up", "player": 1, "tiles": ["Iron Gate"]}, "Pilot shores up Iron Gate."),
    (
        {"event": "shore_up", "player": 1, "tiles": ["Iron Gate", "Misty Marsh"]},
        "Pilot shores up Iron Gate and Misty Marsh.",
    ),
    ({"event": "give", "player": 0, "to": 1, "card": "earth"}, "Diver gives Pilot an earth card."),
    ({"event": "capture", "player": 0, "treasure": "earth"}, "Diver captures the Earth Stone for 4 earth cards."),
    ({"event": "draw", "player": 0, "card": "fire"}, "Diver draws a fire card."),
    ({"event": "draw", "player": 0, "card": "helicopter"}, "Diver draws a Helicopter Lift."),
    ({"event": "draw", "player": 0, "card": "waters_rise"}, "Diver draws Waters Rise!"),
    ({"event": "draw", "player": 0, "card": "flood_card"}, "Diver draws a flood card."),
    ({"event": "rise", "tick": 3}, "The water rises to tick 3 (3 flood cards a turn)."),
    ({"event": "rise", "tick": 10}, "The water rises to tick 10, the skull."),
    ({"event": "discard", "player": 0, "card": "ocean"}, "Diver discards an ocean card."),
    (
        {"event": "helicopter", "player": 0, "pawns": [0, 1], "to": "Watchtower"},
        "Diver plays a Helicopter Lift: Diver and Pilot to Watchtower.",
    ),
    ({"event": "sandbags", "player": 1, "tile": "Iron Gate"}, "Pilot plays Sandbags: Iron Gate is dry."),
    ({"event": "reshuffle", "deck": "treasure"}, "The treasure discard is shuffled into a new deck."),
    ({"event": "flood", "tile": "Watchtower", "state": "flooded"}, "Flood card: Watchtower is flooded."),
    ({"event": "flood", "tile": "Iron Gate", "state": "sunk"}, "Flood card: Iron Gate SINKS under Diver."),
    ({"event": "flood", "tile": "Misty Marsh", "state": "sunk"}, "Flood card: Misty Marsh SINKS."),
    (
        {"event": "flood", "tile": "Iron Gate", "state": "saved"},
        "Flood card: Iron Gate is saved by Sandbags and is dry.",
    ),
    (
        {"event": "chosen_flood", "player": 1, "tile": "Watchtower", "state": "flooded"},
        "Pilot chooses a tile to flood: Watchtower is flooded.",
    ),
    ({"event": "swim", "player": 0, "to": "Silver Gate"}, "Diver swims to Silver Gate."),
    ({"event": "eliminated", "player": 0}, "Diver is out of the game; the cards go to the discard."),
    ({"event": "escape", "player": 0}, "Diver plays a Helicopter Lift: everybody leaves the island."),
]


@pytest.mark.parametrize(
    ("event", "expected"), EACH, ids=lambda value: value["event"] if isinstance(value, dict) else ""
)
def test_each_event_is_one_plain_sentence(event, expected):
    assert sentence(event) == expected


def test_every_event_of_the_format_is_told():
    """docs/trace-format.md names them; `turn`, `setup` and `end` have tests of their own."""
    text = FORMAT.read_text(encoding="utf-8").split("## Survive")[0]
    named = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")} - {"event"}
    assert named - {event["event"] for event, _ in EACH} == {"setup", "turn", "end"}


def test_an_event_that_is_not_known_is_shown_as_it_is():
    assert sentence({"event": "whirlpool", "tile": "Watchtower"}) == "whirlpool: tile Watchtower"


def test_the_picture_follows_what_happened():
    lines = told(
        turn(),
        {"event": "move", "player": 1, "to": "Bronze Gate"},
        {"event": "sandbags", "player": 1, "tile": "Iron Gate"},
        {"event": "give", "player": 0, "to": 1, "card": "earth"},
        {"event": "draw", "player": 1, "card": "earth"},
        {"event": "draw", "player": 1, "card": "waters_rise"},
        {"event": "rise", "tick": 2},
        {"event": "flood", "tile": "Misty Marsh", "state": "sunk"},
        turn(2, 0, 2),
    )
    second = lines[lines.index("-- Turn 2: Diver -- water at tick 2 (2 flood cards a turn) --") :]
    assert "* 0 Diver  Iron Gate    earth, lift" in second
    assert "  1 Pilot  Bronze Gate  earth x3" in second
    assert not any("Marsh" in line for line in second)
    assert not any("~" in line for line in second)


def test_captured_treasures_and_players_who_are_out_stay_in_sight():
    lines = told(
        turn(),
        {"event": "capture", "player": 0, "treasure": "earth"},
        {"event": "eliminated", "player": 0},
        turn(2),
    )
    assert "  captured: earth" in lines
    assert any(line.startswith("  0 Diver  out of the game") for line in lines)


def end(**changes):
    event = {"event": "end", "result": "lost", "cause": "landing_sunk", "causes": ["landing_sunk"]}
    return event | {"treasures": [], "drowned": [], "turns": 12} | changes


def test_how_it_ended():
    assert told(end(result="won", cause=None, causes=[], turns=1))[-1] == (
        "== Won after 1 turn: all treasures and everybody are off the island. =="
    )
    stopped = told(end(result="stopped", cause="turn_limit", causes=["turn_limit"]))
    assert stopped[-1] == "== Stopped after 12 turns: the turn limit was reached. =="
    lost = told(end(causes=["landing_sunk", "treasure_sunk", "drowned"], treasures=["wind"], drowned=[1]))
    assert lost[-4:] == [
        "== Lost after 12 turns: Fools' Landing sank. ==",
        "   Also: a treasure was lost and somebody had nowhere to swim.",
        "   Out of reach for good: the Statue of the Wind.",
        "   Drowned: Pilot.",
    ]


def test_the_hex_tutorial_starts_on_the_landing_and_leaves_by_an_action():
    rules = {"start_tick": 1, "meter": METER, "start_tiles": "landing", "escape": "action", "grid": "hex"}
    changes = {"rules": rules, "map": HEX, "roles": ["ordinary", "ordinary"], "hands": [[], []], "flooded": []}
    lines = told(turn(), {"event": "escape", "player": 1}, **changes)
    assert "* 1 Player 1  Fools' Landing  no cards" in lines
    assert lines[-1].strip() == "Player 1 leads everybody off the island."


def test_several_games_follow_one_another():
    lines = list(tell([setup(), end(), setup(trial=18), end()]))
    assert "== Forbidden Island, seed 7, trial 18, policy random ==" in lines


def test_a_trace_without_a_setup_is_refused():
    with pytest.raises(ValueError, match="setup"):
        list(tell([turn()]))

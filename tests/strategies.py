"""Hypothesis strategies: rule sets of Forbidden Island over every knob."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from sim.forbidden_island.knobs import DIFFICULTIES, KNOBS, LARGEST_DECK, ROLES
from sim.forbidden_island.maps import CELLS, NAMED_MAPS
from sim.forbidden_island.presets import PRESETS

seeds = st.one_of(st.integers(0, 50), st.integers(0, 2**63 - 1))
"""Seeds of experiments: everyday ones, and the whole range."""

trials = st.one_of(st.integers(0, 50), st.integers(0, 2**62))
"""Numbers of games."""


def _grown(seed: int, in_pieces: bool) -> list[str]:
    """A random island of 24 cells; grown cell by cell, or (`in_pieces`) strewn."""
    chance = random.Random(seed)
    side = 8
    everywhere = [(row, column) for row in range(side) for column in range(side)]
    cells = set(chance.sample(everywhere, CELLS)) if in_pieces else {(side // 2, side // 2)}
    while len(cells) < CELLS:
        row, column = chance.choice(sorted(cells))
        step = chance.choice([(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)])
        if step in everywhere:
            cells.add(step)
    return ["".join("#" if (row, column) in cells else "." for column in range(side)) for row in range(side)]


@st.composite
def islands(draw: st.DrawFn) -> dict[str, Any]:
    """Knobs of the map: a name, a drawing in one piece or in several, or hexagons."""
    kind = draw(st.sampled_from(("named", "drawn", "pieces", "hex")))
    if kind == "named":
        return {"map": draw(st.sampled_from(sorted(NAMED_MAPS)))}
    if kind == "hex":
        return {"grid": "hex"}
    pieces = kind == "pieces"
    return {"map": _grown(draw(st.integers(0, 10_000)), pieces), "map_connected": not pieces}


@st.composite
def teams(draw: st.DrawFn, players: int) -> Any:
    """The knob `roles`: random, a role for each seat, or a pool."""
    order = draw(st.permutations(ROLES))
    size = draw(st.integers(players, len(ROLES)))
    return draw(st.sampled_from(("random", list(order[:players]), {"pool": list(order[:size])})))


@st.composite
def decks(draw: st.DrawFn, players: int) -> dict[str, Any]:
    """Knobs of cards and hands that do not contradict each other."""
    escape = draw(st.sampled_from(("helicopter", "helicopter", "action")))
    copies = draw(st.one_of(st.just(5), st.integers(1, 9)))
    left = LARGEST_DECK - 4 * copies
    least = 1 if escape == "helicopter" else 0
    found = {}
    for name, low, usual in (
        ("helicopter", least, 3),
        ("sandbags", 0, 2),
        ("waters_rise", 0, 3),
        ("flood_cards_in_treasure_deck", 0, 0),
    ):
        found[name] = min(left, draw(st.one_of(st.just(usual), st.integers(low, 9))))
        left -= found[name]
    limit = draw(st.one_of(st.just(5), st.integers(1, 12)))
    dealt = 4 * copies + found["helicopter"] + found["sandbags"]
    return found | {
        "escape": escape,
        "treasure_copies": copies,
        "capture_cost": draw(st.integers(1, min(copies, limit))),
        "hand_limit": limit,
        "initial_hand": draw(st.integers(0, min(limit, dealt // players))),
        "cards_per_turn": draw(st.one_of(st.just(2), st.integers(0, 10))),
    }


@st.composite
def rule_sets(draw: st.DrawFn, longest: int = 60) -> dict[str, Any]:
    """Settings over every knob, those of section 11 included, that can be played; at most `longest` turns a game."""
    players = draw(st.integers(2, 4))
    meter = draw(st.lists(st.one_of(st.integers(0, 5), st.integers(0, 24)), min_size=1, max_size=15))
    swim = draw(st.sampled_from(("adjacent", "adjacent", "eliminate", "lose")))
    settings = {
        "players": players,
        "meter": meter,
        "start_tick": draw(st.integers(1, len(meter))),
        "roles": draw(teams(players)),
        "actions_per_turn": draw(st.one_of(st.just(3), st.integers(1, 10))),
        "initial_flooded": draw(st.one_of(st.just(6), st.integers(0, 23))),
        "sandbags_save_sinking": draw(st.booleans()),
        "lift_saves_swimmer": swim == "adjacent" and draw(st.booleans()),
        "give_to_full_hand": draw(st.booleans()),
        "hand_limit_check": draw(st.sampled_from(("each_card", "after_draw"))),
        "navigator_moves_diver": draw(st.sampled_from(("one_gap", "steps_only"))),
        "role_powers": draw(st.sampled_from((True, True, False))),
        "start_tiles": draw(st.sampled_from(("gates", "landing"))),
        "swim": swim,
        "rise_shuffles": draw(st.sampled_from(("discard", "all"))),
        "turn_limit": draw(st.integers(1, longest)),
    }
    settings |= draw(decks(players)) | draw(islands())
    dropped = draw(st.sets(st.sampled_from(sorted(DROPPABLE))))
    return {name: value for name, value in settings.items() if name not in dropped}


DROPPABLE = frozenset(
    {
        "roles",
        "actions_per_turn",
        "initial_flooded",
        "sandbags_save_sinking",
        "lift_saves_swimmer",
        "give_to_full_hand",
        "hand_limit_check",
        "navigator_moves_diver",
        "role_powers",
        "start_tiles",
        "rise_shuffles",
    }
)
"""Knobs that may be left at their defaults without a contradiction to the others."""


def any_values() -> dict[str, st.SearchStrategy[Any]]:
    """By knob: values in and out of its range, and of other kinds."""
    strange = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 30),
        st.floats(),
        st.text(max_size=5),
        st.lists(st.integers(), max_size=3),
    )
    sensible: dict[str, st.SearchStrategy[Any]] = {
        "preset": st.sampled_from(sorted(PRESETS)),
        "difficulty": st.sampled_from(sorted(DIFFICULTIES)),
        "meter": st.lists(st.integers(0, 25), max_size=16),
        "roles": teams(3),
        "map": st.sampled_from(sorted(NAMED_MAPS)),
    }
    for knob in KNOBS:
        if knob.kind == "integer":
            sensible[knob.name] = st.integers((knob.low or 0) - 1, (knob.high or 0) + 1)
        elif knob.kind in ("choice", "flag"):
            sensible[knob.name] = st.sampled_from(knob.choices)
    return {name: st.one_of(values, values, values, strange) for name, values in sensible.items()}


wild_settings = st.fixed_dictionaries({}, optional=any_values() | {"wether": st.integers()})
"""Settings that nobody has checked: most are refused, some contradict themselves."""

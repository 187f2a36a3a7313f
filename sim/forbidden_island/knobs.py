"""Every rule that a designer may change: its default, its range, the reason it exists; and `resolve`.

`python -m sim.forbidden_island.knobs` prints docs/knobs.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sim.core.game import Knob, Problem, SettingsError
from sim.core.words import not_one_of, shown, unknown
from sim.forbidden_island import maps
from sim.forbidden_island.presets import PRESET_REASONS, PRESETS

DIFFICULTIES: dict[str, int] = {"novice": 1, "normal": 2, "elite": 3, "legendary": 4}
"""Start tick of each difficulty (FI-1.5)."""

METER = (2, 2, 3, 3, 3, 4, 4, 5, 5)
"""Flood cards a turn at ticks 1, 2, …; the tick after the last is the skull (FI-1.5)."""

ROLES = ("pilot", "engineer", "explorer", "navigator", "diver", "messenger")
"""The six roles, in the order of FI-1.4."""

LARGEST_DECK = 60
"""Treasure deck cards that the engine holds, all kinds together."""


def _integer(name: str, default: int, low: int, high: int, reason: str, what: str = "") -> Knob:
    allowed = f"a whole number in {low}..{high}" + (f" ({what})" if what else "")
    return Knob(name, "integer", default, allowed, reason, low=low, high=high)


def _choice(name: str, choices: tuple[str, ...], reason: str) -> Knob:
    return Knob(name, "choice", choices[0], "one of " + ", ".join(choices), reason, choices=choices)


def _flag(name: str, default: bool, reason: str) -> Knob:
    return Knob(name, "flag", default, "true or false", reason, choices=(True, False))


KNOBS: tuple[Knob, ...] = (
    _choice("difficulty", tuple(DIFFICULTIES), "FI-1.5: the start tick by its name; gives start_tick, so never both"),
    _integer("start_tick", 1, 1, 15, "FI-1.5: where the water starts", "no tick beyond the meter's last"),
    Knob(
        "meter",
        "list",
        list(METER),
        "a list of 1 to 15 whole numbers, each in 0..24",
        "FI-1.5: flood cards a turn at each tick, the tick after the last being the skull; designers change it first",
        low=0,
        high=24,
    ),
    _integer("players", 2, 2, 4, "FI-1.6"),
    Knob(
        "roles",
        "roles",
        "random",
        "random; a list with a different role for each seat; or {pool: a list of roles to draw from}; roles: "
        + ", ".join(ROLES),
        "FI-2.3: which team plays; a fixed team measures what a role is worth",
        choices=ROLES,
    ),
    _integer("actions_per_turn", 3, 1, 10, "FI-3.1"),
    _integer("cards_per_turn", 2, 0, 10, "FI-3.1: treasure cards drawn a turn"),
    _integer("hand_limit", 5, 1, 12, "FI-7.2: cards that a hand holds at rest"),
    _integer("initial_hand", 2, 0, 12, "FI-2.4: cards dealt to each player", "at most hand_limit"),
    _integer("initial_flooded", 6, 0, 23, "FI-2.2: tiles flooded before the first turn"),
    _integer("treasure_copies", 5, 1, 9, "FI-1.3: cards of each treasure in the deck"),
    _integer("capture_cost", 4, 1, 9, "FI-4.4: cards a treasure costs", "at most treasure_copies and hand_limit"),
    _integer("waters_rise", 3, 0, 9, "FI-1.3: Waters Rise! cards in the deck; with 0 only turn_limit ends some games"),
    _integer("helicopter", 3, 0, 9, "FI-1.3: Helicopter Lift cards in the deck", "0 only with escape: action"),
    _integer("sandbags", 2, 0, 9, "FI-1.3: Sandbags cards in the deck"),
    Knob(
        "map",
        "map",
        "standard",
        f"{', '.join(maps.NAMED_MAPS)}; or a list of quoted rows of # (a cell) and . (none) with exactly 24 cells",
        "FI-2.1: the layout of the island",
        choices=tuple(maps.NAMED_MAPS),
    ),
    _flag("map_connected", True, "false lets a drawn map fall apart into pieces that share no edge; a slip otherwise"),
    _flag("sandbags_save_sinking", False, "one source, against FI-6.3: Sandbags may answer a card that sinks a tile"),
    _flag("lift_saves_swimmer", False, "a later ruling, against FI-6.3: a Lift may carry off pawns that must swim"),
    _flag("give_to_full_hand", True, "FI-4.3; an older rule text (false) forbids giving to a hand at the limit"),
    _choice("hand_limit_check", ("each_card", "after_draw"), "FI-7.2; digital versions check once both are drawn"),
    _choice("navigator_moves_diver", ("one_gap", "steps_only"), "FI-5.5: whether the Diver's first step may be a gap"),
    _flag("role_powers", True, "section 11: false makes everybody ordinary"),
    _choice("start_tiles", ("gates", "landing"), "FI-1.4; section 11: all pawns start on Fools' Landing"),
    _choice(
        "swim",
        ("adjacent", "eliminate", "lose"),
        "FI-8.3; section 11: a pawn whose tile sinks is out with its cards, or loses the game for all",
    ),
    _choice("escape", ("helicopter", "action"), "FI-9.1; section 11: one action on Fools' Landing, no card"),
    _choice("rise_shuffles", ("discard", "all"), "FI-7.3; section 11: flood discard and deck shuffled together"),
    _integer(
        "flood_cards_in_treasure_deck", 0, 0, 9, "section 11: cards whose drawer floods a tile of their own choice"
    ),
    _choice("grid", ("square", "hex"), "FI-4.1; section 11: 24 hexagons in rows of 4, 5, 6, 5, 4, six neighbours"),
    _integer("turn_limit", 200, 1, 1000, "FI-9.7: a game still running after so many turns stops"),
    _integer(
        "same_setup",
        1,
        1,
        1000,
        "no rule: so many trials in a row share all of FI-2 (map, first flood, roles, hands, first seat), and what is "
        "drawn later is each one's own; tells how much the setup settles",
    ),
)

_BY_NAME: dict[str, Knob] = {knob.name: knob for knob in KNOBS}

CONTRADICTIONS: tuple[str, ...] = (
    "`difficulty` and `start_tick` together (a knob beside a preset replaces the preset's, whichever name it has)",
    "a start beyond the last tick of `meter`",
    "`capture_cost` above `treasure_copies`, or above `hand_limit`: at rest no hand could ever hold the cards, "
    "whatever `hand_limit_check` says, because actions are taken at rest",
    "`initial_hand` above `hand_limit`",
    "fewer cards that can be dealt (treasures, Helicopter Lift, Sandbags) than `players` × `initial_hand`; "
    "a Waters Rise! or a flood card dealt at setup is replaced and goes back (FI-2.4)",
    f"more than {LARGEST_DECK} cards in the treasure deck (4 × `treasure_copies` and every special kind)",
    "`escape: helicopter` with `helicopter: 0`",
    "a list of `roles` that is not as long as `players` says, or a pool smaller than `players`",
    "a `map` with `grid: hex`, which has its own",
    "a drawn `map` in several pieces without `map_connected: false`",
    "`lift_saves_swimmer: true` unless `swim` is `adjacent`: otherwise nobody ever swims, and whether a Lift would "
    "save a pawn from being out is a rule that nobody has written",
)
"""Settings that contradict each other, in words; `resolve` refuses each."""


def resolve(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Every knob's value in the order of `KNOBS`, as plain JSON values; `difficulty` becomes `start_tick`.

    settings: knob name to value, and `preset` to a preset's name; a knob beside a preset changes the preset.  Equal
    rules resolve to equal values: a named map to its trimmed rows, `map_connected` to whether the map is, a pool to
    the order of FI-1.4 (all six: `random`).  What is resolved resolves to itself.
    Raises SettingsError with every problem; the path of a contradiction is the first knob of it that `settings` has.
    Nothing is clipped, converted or guessed: `true`, `"3"` and `3.0` are no whole numbers.
    """
    if not isinstance(settings, Mapping):
        raise SettingsError([Problem((), settings, f"{shown(settings)} is not a mapping of knobs to values")])
    problems = [
        Problem((name,), value, unknown("knob", name, ["preset", *_BY_NAME]))
        for name, value in settings.items()
        if name != "preset" and name not in _BY_NAME
    ]
    preset = settings.get("preset", "official")
    if not isinstance(preset, str) or preset not in PRESETS:
        problems.append(Problem(("preset",), preset, not_one_of(preset, PRESETS)))
        preset = "official"
    rules = _Rules(settings, PRESETS[preset])
    problems += rules.problems
    problems += _contradictions(rules)
    if problems:
        raise SettingsError(problems)
    return {name: value for name, value in rules.values.items() if name != "difficulty"}


class _Rules:
    """Knobs read one by one: `values` holds the good ones, `problems` what is wrong with the others."""

    def __init__(self, settings: Mapping[str, Any], preset: Mapping[str, Any]) -> None:
        self.given = [name for name in _BY_NAME if name in settings]
        self.problems: list[Problem] = []
        self.values: dict[str, Any] = {}
        start_is_given = "difficulty" in settings or "start_tick" in settings
        wanted = {k: v for k, v in preset.items() if not (k == "start_tick" and start_is_given)} | dict(settings)
        self.drawn = isinstance(wanted.get("map"), list | tuple)
        self.map_is_given = "map" in wanted
        for knob in KNOBS:
            value = wanted.get(knob.name, knob.default)
            before = len(self.problems)
            result = _READERS[knob.kind](knob, value, self.problems)
            if len(self.problems) == before:
                self.values[knob.name] = result
        if "map" in self.values:
            self._settle_map(wanted)
        if "difficulty" in self.values and "start_tick" not in wanted:
            self.values["start_tick"] = DIFFICULTIES[self.values["difficulty"]]
        elif "difficulty" in settings and "difficulty" not in self.values:
            self.values.pop("start_tick", None)

    def _settle_map(self, wanted: Mapping[str, Any]) -> None:
        """On hexagons the map is the one of the grid; a wrong `map` there is a contradiction, found later."""
        if wanted.get("grid") == "hex" and not self.map_is_given:
            self.values["map"] = list(maps.HEX_ROWS)

    def has(self, *names: str) -> bool:
        """Whether all these knobs could be read."""
        return all(name in self.values for name in names)

    def clash(self, names: tuple[str, ...], words: str) -> Problem:
        """A contradiction between these knobs, placed at the first that was given."""
        name = next((name for name in names if name in self.given), names[0])
        return Problem((name,), self.values.get(name), words)


def _contradictions(rules: _Rules) -> Iterator[Problem]:
    """Every pair or group of readable knobs that cannot stand together (`CONTRADICTIONS`)."""
    v, has, clash = rules.values, rules.has, rules.clash
    yield from _map_contradictions(rules)
    if "difficulty" in rules.given and "start_tick" in rules.given:
        if has("difficulty", "start_tick"):
            words = f"start_tick ({v['start_tick']}) and difficulty ({v['difficulty']}) both say where the water starts"
            yield clash(("start_tick",), words + "; give one of them")
    elif has("start_tick", "meter") and v["start_tick"] > len(v["meter"]):
        start = f"start_tick ({v['start_tick']})"
        if "difficulty" in rules.given:
            start = f"difficulty {v['difficulty']} starts at tick {v['start_tick']}, which"
        words = f"{start} is beyond the end of the meter; allowed with this meter: ticks 1..{len(v['meter'])}"
        yield clash(("difficulty", "start_tick", "meter"), words)
    if has("capture_cost", "treasure_copies") and v["capture_cost"] > v["treasure_copies"]:
        words = f"capture_cost ({v['capture_cost']}) is more than treasure_copies ({v['treasure_copies']})"
        yield clash(("capture_cost", "treasure_copies"), words + "; capture_cost must be at most treasure_copies")
    if has("capture_cost", "hand_limit") and v["capture_cost"] > v["hand_limit"]:
        words = f"capture_cost ({v['capture_cost']}) is more than hand_limit ({v['hand_limit']})"
        words += ", so no hand could ever hold the cards; capture_cost must be at most hand_limit"
        yield clash(("capture_cost", "hand_limit"), words)
    if has("initial_hand", "hand_limit") and v["initial_hand"] > v["hand_limit"]:
        words = f"initial_hand ({v['initial_hand']}) is more than hand_limit ({v['hand_limit']})"
        yield clash(("initial_hand", "hand_limit"), words + "; initial_hand must be at most hand_limit")
    yield from _deck_contradictions(rules)
    if has("escape", "helicopter") and v["escape"] == "helicopter" and v["helicopter"] == 0:
        words = "escape is helicopter and helicopter is 0, so nobody could ever leave"
        yield clash(("helicopter", "escape"), words + "; put 1..9 Helicopter Lift cards in, or set escape: action")
    if has("lift_saves_swimmer", "swim") and v["lift_saves_swimmer"] and v["swim"] != "adjacent":
        words = f"lift_saves_swimmer is true and swim is {v['swim']}, where nobody ever swims"
        yield clash(("lift_saves_swimmer", "swim"), words + "; allowed with swim: adjacent only")
    if has("roles", "players"):
        yield from _role_contradictions(rules)


def _map_contradictions(rules: _Rules) -> Iterator[Problem]:
    v = rules.values
    if not rules.has("map", "grid"):
        return
    if v["grid"] == "hex":
        if rules.map_is_given and v["map"] != list(maps.HEX_ROWS):
            words = "with grid: hex the map is always 24 hexagons in rows of 4, 5, 6, 5, 4"
            yield rules.clash(("map", "grid"), words + "; leave map out, or set grid: square")
        v["map_connected"] = True
        return
    if v["map"] == list(maps.HEX_ROWS):
        yield rules.clash(("map", "grid"), "this map is drawn for hexagons and grid is square; set grid: hex")
        return
    connected = maps.connected(v["map"])
    if rules.drawn and not connected and rules.has("map_connected") and v["map_connected"]:
        words = "the map falls apart into pieces that share no edge; join them, or set map_connected: false"
        yield rules.clash(("map",), words)
    v["map_connected"] = connected


def _deck_contradictions(rules: _Rules) -> Iterator[Problem]:
    v = rules.values
    plain = ("treasure_copies", "helicopter", "sandbags")
    specials = ("waters_rise", "flood_cards_in_treasure_deck")
    if not rules.has(*plain):
        return
    dealt = 4 * v["treasure_copies"] + v["helicopter"] + v["sandbags"]
    if rules.has("players", "initial_hand") and v["players"] * v["initial_hand"] > dealt:
        words = f"{v['players']} players with initial_hand {v['initial_hand']} need "
        words += f"{v['players'] * v['initial_hand']} cards, and the deck has {dealt} that can be dealt "
        words += f"(4 × treasure_copies {v['treasure_copies']}, helicopter {v['helicopter']}, sandbags {v['sandbags']})"
        yield rules.clash(("initial_hand", "players", *plain), words)
    if rules.has(*specials):
        size = dealt + sum(v[name] for name in specials)
        if size > LARGEST_DECK:
            words = f"the treasure deck has {size} cards (4 × treasure_copies {v['treasure_copies']}, "
            words += ", ".join(f"{name} {v[name]}" for name in (*plain[1:], *specials))
            yield rules.clash((*plain, *specials), words + f"); at most {LARGEST_DECK} are allowed")


def _role_contradictions(rules: _Rules) -> Iterator[Problem]:
    roles, players = rules.values["roles"], rules.values["players"]
    if isinstance(roles, list) and len(roles) != players:
        words = f"roles names {len(roles)} seats ({', '.join(roles)}) and players is {players}"
        yield rules.clash(("roles", "players"), words + "; give one role for each player")
    if isinstance(roles, dict) and len(roles["pool"]) < players:
        words = f"the pool of roles has {len(roles['pool'])} ({', '.join(roles['pool'])}) and players is {players}"
        yield rules.clash(("roles", "players"), words + "; give at least one role for each player")


def _read_integer(knob: Knob, value: Any, problems: list[Problem]) -> Any:
    words = whole_number(value, knob.low or 0, knob.high or 0)
    if words:
        problems.append(Problem((knob.name,), value, words))
    return value if words else int(value)


def whole_number(value: Any, low: int, high: int) -> str:
    """What is wrong with `value` as a whole number in low..high, in words; empty when nothing is."""
    if isinstance(value, bool) or not isinstance(value, int):
        return f"{shown(value)} is not a whole number in {low}..{high}"
    return "" if low <= value <= high else f"{shown(value)} is not in {low}..{high}"


def _read_choice(knob: Knob, value: Any, problems: list[Problem]) -> Any:
    if not isinstance(value, str) or value not in knob.choices:
        problems.append(Problem((knob.name,), value, not_one_of(value, knob.choices)))
        return value
    return str(value)


def _read_flag(knob: Knob, value: Any, problems: list[Problem]) -> Any:
    if not isinstance(value, bool):
        hint = {"yes": "; write true", "on": "; write true", "no": "; write false", "off": "; write false"}
        word = hint.get(value.casefold(), "") if isinstance(value, str) else ""
        problems.append(Problem((knob.name,), value, f"{shown(value)} is not true or false" + word))
    return value


def _read_meter(knob: Knob, value: Any, problems: list[Problem]) -> Any:
    if not isinstance(value, list | tuple):
        problems.append(
            Problem((knob.name,), value, f"{shown(value)} is not a list of flood cards a turn at each tick")
        )
        return value
    if not 1 <= len(value) <= 15:
        words = "is empty" if not value else f"has {len(value)} ticks"
        problems.append(Problem((knob.name,), value, f"the meter {words}; 1 to 15 are allowed, the skull not counted"))
        return value
    for i, cards in enumerate(value):
        words = whole_number(cards, knob.low or 0, knob.high or 0)
        if words:
            problems.append(Problem((knob.name, i), cards, words))
    return list(value)


def _read_roles(knob: Knob, value: Any, problems: list[Problem]) -> Any:
    if isinstance(value, str) and value == "random":
        return "random"
    if isinstance(value, list | tuple):
        return _read_names(value, (knob.name,), problems)
    if isinstance(value, Mapping):
        for key in value:
            if key != "pool":
                problems.append(Problem((knob.name, str(key)), value[key], unknown("key", key, ["pool"])))
        if "pool" not in value:
            problems.append(
                Problem((knob.name,), value, "roles as a mapping needs the key pool, a list of roles to draw from")
            )
            return value
        pool = value["pool"]
        if not isinstance(pool, list | tuple):
            problems.append(Problem((knob.name, "pool"), pool, f"{shown(pool)} is not a list of roles"))
            return value
        names = _read_names(pool, (knob.name, "pool"), problems)
        in_order = [role for role in ROLES if role in names]
        return "random" if len(in_order) == len(ROLES) else {"pool": in_order}
    words = f"{shown(value)} is not random, a list of roles by seat, or {{pool: a list of roles}}"
    problems.append(Problem((knob.name,), value, words))
    return value


def _read_names(names: Any, path: tuple[str | int, ...], problems: list[Problem]) -> list[Any]:
    """A list of different roles."""
    seen: dict[str, int] = {}
    if not names:
        problems.append(Problem(path, names, "the list of roles is empty; give at least one role for each player"))
    for i, name in enumerate(names):
        if not isinstance(name, str) or name not in ROLES:
            problems.append(Problem((*path, i), name, not_one_of(name, ROLES)))
        elif name in seen:
            words = f"{name} is named twice (also entry {seen[name] + 1}); every role is in the box once (FI-2.3)"
            problems.append(Problem((*path, i), name, words))
        else:
            seen[name] = i
    return [str(name) if isinstance(name, str) else name for name in names]


def _read_map(knob: Knob, value: Any, problems: list[Problem]) -> Any:
    if isinstance(value, list | tuple) and list(value) == list(maps.HEX_ROWS):
        return list(value)
    rows, found = maps.read(value)
    problems += [Problem((knob.name, *problem.path), problem.value, problem.allowed) for problem in found]
    return None if rows is None else list(rows)


_READERS: dict[str, Callable[[Knob, Any, list[Problem]], Any]] = {
    "integer": _read_integer,
    "choice": _read_choice,
    "flag": _read_flag,
    "list": _read_meter,
    "map": _read_map,
    "roles": _read_roles,
}


def documentation() -> str:
    """docs/knobs.md: every knob, the presets, the contradictions, the maps, as Markdown."""
    lines = [
        "# The rule knobs of Forbidden Island",
        "",
        "Written by `python -m sim.forbidden_island.knobs`. Numbers such as FI-1.5 are those of "
        "`sim/forbidden_island/RULES.md`. How to vary knobs: [experiments.md](experiments.md).",
        "",
        "| knob | default | allowed | why it exists |",
        "|---|---|---|---|",
    ]
    for knob in KNOBS:
        default = "of `difficulty`" if knob.name == "start_tick" else f"`{_plain(knob.default)}`"
        lines.append(f"| `{knob.name}` | {default} | {knob.allowed} | {knob.reason} |")
    lines += [
        "",
        'Nothing is clipped, converted or guessed: `true`, `"3"` and `3.0` are no whole numbers, `yes` is no flag.',
        "",
        "## Presets",
        "",
        "`preset: NAME` sets several knobs at once; a knob given beside it changes the preset "
        "(`rules: {preset: hex-tutorial, waters_rise: 4}`).",
        "",
        "| preset | sets | what it is |",
        "|---|---|---|",
    ]
    for name, knobs in PRESETS.items():
        sets = ", ".join(f"`{knob}: {_plain(value)}`" for knob, value in knobs.items()) or "nothing"
        lines.append(f"| `{name}` | {sets} | {PRESET_REASONS[name]} |")
    lines += ["", "## What contradicts itself", "", "Each is refused with the knobs, their values and what is allowed:"]
    lines += [""] + [f"- {words}" for words in CONTRADICTIONS]
    lines += [
        "",
        "A game that can be played but hardly won (`cards_per_turn: 0`, say) is no contradiction.",
        "",
        "## Where the rules leave something open",
        "",
        "- `start_tick` goes up to the last tick of `meter`, 9 in the box. A `meter` may have up to 15 ticks, and a "
        "start on each of them is as good as on the box's nine; the skull itself is no start.",
        "- `lift_saves_swimmer` and FI-9.6: while somebody holds a Helicopter Lift, a pawn that can swim nowhere may "
        "yet be carried off, so it has not drowned. When the same sinking ends the game because Fools' Landing or a "
        "treasure's second tile is gone, that alone is the cause, and no seat is named as drowned; with no Lift in any "
        "hand `drowned` applies beside it.",
        "- `sandbags_save_sinking`: the Sandbags are played between the reveal of the card and its effect. The card "
        "then counts as one of the turn's flood cards and goes to the discard.",
        "",
        "## Maps",
        "",
        "Empty rows and columns around the island do not count: a map drawn in the config and the named map of the "
        "same shape are the same map. With `grid: hex` the map is always 24 hexagons in rows of 4, 5, 6, 5, 4.",
    ]
    for name, rows in maps.NAMED_MAPS.items():
        lines += ["", f"`{name}`", "```text", *rows, "```"]
    return "\n".join(lines) + "\n"


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else shown(list(value) if isinstance(value, tuple) else value)


if __name__ == "__main__":
    print(documentation(), end="")

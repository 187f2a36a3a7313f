"""Forbidden Island as the protocol of `sim.core.game`."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from sim.core import rng
from sim.core.compile import COMPILED, compile_for
from sim.core.game import (
    Aspects,
    Batch,
    Cause,
    Column,
    Curve,
    Detail,
    Effort,
    Knob,
    Layout,
    Milestone,
    Opening,
    PolicyFault,
    PolicyInfo,
    Progress,
    Special,
)
from sim.core.scene import Show
from sim.core.training import Teacher
from sim.core.userfile import PlayerFile
from sim.forbidden_island import board, choices, engine, learned, players, replay, scenes
from sim.forbidden_island import knobs as knob_table
from sim.forbidden_island import trace as traces
from sim.forbidden_island.constants import (
    CARDS,
    CAUSES,
    DECISIONS,
    FIRST_TREASURE_TILE,
    KINDS,
    MAX_METER,
    MAX_PLAYERS,
    N_CARDS,
    N_TILES,
    N_TREASURES,
    RESULTS,
    ROLES,
    SWIM_ADJACENT,
    SWIM_ELIMINATE,
    SWIM_LOSE,
    TILES,
    TREASURES,
)
from sim.forbidden_island.log import LOG, ROOM
from sim.forbidden_island.policies import POLICIES
from sim.forbidden_island.presets import PRESETS
from sim.forbidden_island.state import HIDDEN, ROW, RULES, VIEW

RULES_VERSION = 1
"""Raised whenever the same seed may give another game."""

_SWIMS = {"adjacent": SWIM_ADJACENT, "eliminate": SWIM_ELIMINATE, "lose": SWIM_LOSE}


def snake(name: str) -> str:
    """`Fools' Landing` as `fools_landing`."""
    return name.lower().replace("'", "").replace(" ", "_")


def rules_record(knobs: Mapping[str, Any]) -> np.ndarray:
    """Resolved knobs as an array of one RULES record."""
    rules = np.zeros(1, RULES)
    record = rules[0]
    for same in (
        "players",
        "actions_per_turn",
        "cards_per_turn",
        "hand_limit",
        "initial_hand",
        "initial_flooded",
        "capture_cost",
        "start_tick",
        "turn_limit",
        "same_setup",
        "sandbags_save_sinking",
        "lift_saves_swimmer",
        "give_to_full_hand",
    ):
        record[same] = int(knobs[same])
    record["role_powers"] = (1 << len(ROLES)) - 1 if knobs["role_powers"] else 0
    record["meter_length"] = len(knobs["meter"])
    record["meter"][: len(knobs["meter"])] = knobs["meter"]
    copies = [knobs["treasure_copies"]] * N_TREASURES
    copies += [knobs[name] for name in ("helicopter", "sandbags", "waters_rise", "flood_cards_in_treasure_deck")]
    record["copies"][:] = copies
    record["slot_start"][:] = np.concatenate(([0], np.cumsum(copies)))
    deck = np.repeat(np.arange(N_CARDS), copies)
    record["card_of"][: deck.size] = deck
    roles = knobs["roles"]
    record["fixed_role"][:] = -1
    record["role_pool"] = (1 << len(ROLES)) - 1
    if isinstance(roles, Mapping):
        record["role_pool"] = sum(1 << ROLES.index(role) for role in roles["pool"])
    elif roles != "random":
        record["fixed_role"][: len(roles)] = [ROLES.index(role) for role in roles]
    record["edges"][:], record["around"][:] = board.neighbours(knobs["map"], knobs["grid"])
    record["edge_spread"][:] = board.spread_table(record["edges"])
    record["around_spread"][:] = board.spread_table(record["around"])
    record["start_at_landing"] = knobs["start_tiles"] == "landing"
    record["check_after_draw"] = knobs["hand_limit_check"] == "after_draw"
    record["diver_through_gap"] = knobs["navigator_moves_diver"] == "one_gap"
    record["swim"] = _SWIMS[knobs["swim"]]
    record["leave_by_action"] = knobs["escape"] == "action"
    record["rise_shuffles_all"] = knobs["rise_shuffles"] == "all"
    return rules


def _columns() -> tuple[Column, ...]:
    seats = tuple(str(seat) for seat in range(MAX_PLAYERS))
    found = [
        Column("trial", "int64", "number", "Number of the game; the same trial has the same chance in every cell"),
        Column("result", "int8", "code", "How the game ended", labels=RESULTS),
        Column("cause", "int8", "code", "Why it was not won (FI-9.2 to 9.7)", sentinel=-1, labels=CAUSES),
        Column("causes", "int8", "set", "Every cause that applied at the end", labels=CAUSES, is_set=True),
        Column(
            "treasures_lost", "int8", "set", "Treasures whose two tiles sank uncaptured", labels=TREASURES, is_set=True
        ),
        Column("drowned", "int8", "set", "Seats whose pawn drowned or was eliminated", labels=seats, is_set=True),
        Column("turns", "int16", "turns", "Turns begun"),
        Column("tick", "int8", "ticks", "Tick of the water meter at the end"),
        Column("treasures", "int8", "treasures", "Treasures captured"),
    ]
    found += [
        Column(
            f"ready_turn_{name}",
            "int16",
            "turns",
            f"First turn in which one hand held the cards for {name}, those of the setup in turn 1",
            sentinel=0,
        )
        for name in TREASURES
    ]
    found += [
        Column(f"capture_turn_{name}", "int16", "turns", f"Turn of the capture of {name}", sentinel=0)
        for name in TREASURES
    ]
    found += [
        Column(f"rise_turn_{i}", "int16", "turns", f"Turn of Waters Rise! number {i}", sentinel=0)
        for i in range(1, MAX_METER + 1)
    ]
    found += [
        Column(f"sunk_turn_{snake(tile)}", "int16", "turns", f"Turn in which {tile} sank", sentinel=0) for tile in TILES
    ]
    found += [
        Column(f"actions_{kind}", "int16", "actions", meaning)
        for kind, meaning in (
            ("unused", "Actions left unused"),
            ("move", "Moves (FI-4.1, also Explorer and Diver)"),
            ("fly", "Flights of the Pilot (FI-5.4)"),
            ("navigate", "Moves of another pawn by the Navigator (FI-5.5)"),
            ("shore_up", "Actions of shoring up (FI-4.2; one for two tiles, FI-5.2)"),
            ("give", "Cards given (FI-4.3)"),
            ("capture", "Captures (FI-4.4)"),
        )
    ]
    found += [
        Column("lifts_played", "int16", "cards", "Helicopter Lifts played, the winning one too"),
        Column("sandbags_played", "int16", "cards", "Sandbags played"),
    ]
    found += [
        Column(f"discards_{name}", "int16", "cards", f"Cards ({name}) discarded for the hand limit (FI-7.2)")
        for name in CARDS[:6]
    ]
    found.append(Column("swims", "int16", "pawns", "Pawns that swam (FI-8.3)"))
    found += [
        Column(f"role_{seat}", "int8", "code", f"Role of seat {seat}", sentinel=-1, labels=ROLES)
        for seat in range(MAX_PLAYERS)
    ]
    found += [
        Column("first_seat", "int8", "seat", "Seat that began"),
        Column("start_flooded", "int32", "set", "Tiles flooded at the start", labels=TILES, is_set=True),
        Column("start_landing", "int8", "place", "Place of the map (from 0, in reading order) of Fools' Landing"),
    ]
    found += [
        Column(
            f"turns_open_{kinds}",
            "int16",
            "turns",
            f"Turns that began with {words} of these open on the spot: shore up, give a treasure card, capture",
        )
        for kinds, words in enumerate(("none", "one"))
    ]
    return tuple(found)


def _as_columns(rows: np.ndarray, first: int) -> dict[str, np.ndarray]:
    """The rows of a batch as the columns of the games table."""
    column: dict[str, np.ndarray] = {"trial": np.arange(first, first + rows.size, dtype=np.int64)}
    for name in ("result", "cause", "causes", "treasures_lost", "drowned", "turns", "tick", "treasures"):
        column[name] = rows[name]
    for i, treasure in enumerate(TREASURES):
        column[f"ready_turn_{treasure}"] = rows["ready_turn"][:, i]
        column[f"capture_turn_{treasure}"] = rows["capture_turn"][:, i]
    for i in range(MAX_METER):
        column[f"rise_turn_{i + 1}"] = rows["rise_turn"][:, i]
    for i, tile in enumerate(TILES):
        column[f"sunk_turn_{snake(tile)}"] = rows["sunk_turn"][:, i]
    for i, kind in enumerate(("unused", "move", "fly", "navigate", "shore_up")):
        column[f"actions_{kind}"] = rows["actions"][:, i]
    column["actions_give"] = rows["actions"][:, 6]
    column["actions_capture"] = rows["actions"][:, 7]
    column["lifts_played"] = rows["lifts_played"]
    column["sandbags_played"] = rows["sandbags_played"]
    for i, card in enumerate(CARDS[:6]):
        column[f"discards_{card}"] = rows["discards"][:, i]
    column["swims"] = rows["swims"]
    for seat in range(MAX_PLAYERS):
        column[f"role_{seat}"] = rows["role"][:, seat]
    for name in ("first_seat", "start_flooded", "start_landing"):
        column[name] = rows[name]
    for kinds in range(2):
        column[f"turns_open_{kinds}"] = rows["turns_open"][:, kinds]
    return {item.name: np.ascontiguousarray(column[item.name], dtype=item.dtype) for item in COLUMNS}


COLUMNS = _columns()


class Table:
    """Everything one thread needs to play: the rule set, the player's mind, one of each record."""

    def __init__(self, knobs: Mapping[str, Any], minds: np.ndarray) -> None:
        self.rules = rules_record(knobs)
        self.minds = minds
        self.views = np.zeros(1, VIEW)
        self.hiddens = np.zeros(1, HIDDEN)
        self.streams = np.zeros(1, rng.STREAM)
        self.log = np.zeros(1, LOG)
        turns = knobs["turn_limit"]
        self.tallies = {
            "tick": np.zeros((turns, MAX_METER + 1), np.int64),
            "flooded": np.zeros((turns, N_TILES + 1), np.int64),
            "sunk": np.zeros((turns, N_TILES + 1), np.int64),
            "captured": np.zeros((turns, N_TREASURES + 1), np.int64),
            "cell_sunk": np.zeros((1, N_TILES), np.int64),
        }

    def play(self, choose: Any, seed: int, first: int, rows: np.ndarray) -> int:
        """Play one trial for each row; -1, or the trial at which the policy was at fault."""
        run = compile_for(engine.play_batch, engine.BATCH)
        rules, minds, *records = (
            # Plain Python reads fields as attributes of record arrays only.
            array if COMPILED else array.view(np.recarray)
            for array in (self.rules, self.minds, self.views, self.hiddens, self.streams, rows, self.log)
        )
        *records, log = records
        return int(run(rules, seed, first, choose, minds, *records, *self.tallies.values(), log))


class ForbiddenIsland:
    """The game object that the registry hands out."""

    name = "forbidden_island"
    title = "Forbidden Island"
    rules_version = RULES_VERSION
    columns = COLUMNS
    causes = (
        Cause("landing_sunk", "Fools' Landing sank", "FI-9.3"),
        Cause("treasure_sunk", "a treasure was lost", "FI-9.2"),
        Cause("drowned", "a player drowned", "FI-9.4"),
        Cause("skull", "the water reached the skull", "FI-9.5"),
        Cause("turn_limit", "stopped at the turn limit", "FI-9.7"),
    )
    milestones = (
        Milestone("earth", "Earth Stone", "capture_turn_earth", "ready_turn_earth"),
        Milestone("wind", "Statue of the Wind", "capture_turn_wind", "ready_turn_wind"),
        Milestone("fire", "Crystal of Fire", "capture_turn_fire", "ready_turn_fire"),
        Milestone("ocean", "Ocean's Chalice", "capture_turn_ocean", "ready_turn_ocean"),
    )
    milestone_words = ("treasure", "treasures")
    curves = (
        Curve("tick", "Water level (tick)", "tick", tuple(range(1, MAX_METER + 2))),
        Curve("flooded", "Flooded tiles", "flooded", tuple(range(N_TILES + 1))),
        Curve("sunk", "Sunk tiles", "sunk", tuple(range(N_TILES + 1))),
        Curve("captured", "Treasures captured", "captured", tuple(range(N_TREASURES + 1))),
    )

    aspects = Aspects(
        details=(
            Detail(
                "treasure_sunk",
                "treasures_lost",
                "treasure",
                ("Earth Stone", "Statue of the Wind", "Crystal of Fire", "Ocean's Chalice"),
                tuple(
                    tuple(f"sunk_turn_{snake(TILES[FIRST_TREASURE_TILE + 2 * i + j])}" for j in range(2))
                    for i in range(N_TREASURES)
                ),
            ),
            Detail("drowned", "drowned", "role", by_role=True),
        ),
        roles=tuple(f"role_{seat}" for seat in range(MAX_PLAYERS)),
        end=(("tick", "tick of the water meter"),),
        progress=(
            Progress("captured", "treasures captured", tuple(f"capture_turn_{name}" for name in TREASURES)),
            Progress("ready", "treasures for which a hand was full", tuple(f"ready_turn_{name}" for name in TREASURES)),
            Progress("rises", "Waters Rise!", tuple(f"rise_turn_{i}" for i in range(1, MAX_METER + 1))),
            Progress("sunk", "tiles sunk", tuple(f"sunk_turn_{snake(tile)}" for tile in TILES), 3),
        ),
        efforts=(
            Effort(
                "actions",
                "Actions",
                (
                    ("actions_move", "moves"),
                    ("actions_shore_up", "shoring up"),
                    ("actions_give", "giving cards"),
                    ("actions_capture", "captures"),
                    ("actions_fly", "flights"),
                    ("actions_navigate", "moves of others"),
                    ("actions_unused", "unused"),
                ),
                whole=True,
            ),
            Effort(
                "discards",
                "Cards discarded for the hand limit",
                (
                    ("discards_earth", "Earth Stone"),
                    ("discards_wind", "Statue of the Wind"),
                    ("discards_fire", "Crystal of Fire"),
                    ("discards_ocean", "Ocean's Chalice"),
                    ("discards_helicopter", "Helicopter Lift"),
                    ("discards_sandbags", "Sandbags"),
                ),
            ),
        ),
        specials=(
            Special("Helicopter Lift", "lifts_played", "discards_helicopter"),
            Special("Sandbags", "sandbags_played", "discards_sandbags"),
        ),
        openings=(
            Opening("start_flooded", "Tile flooded at the start"),
            Opening("start_landing", "Place of Fools' Landing", place=True),
        ),
        shoring=("actions_shore_up", "shoring up"),
        choices=("turns_open_0", "turns_open_1"),
        unit=("start_tick", "start tick", "start ticks"),
        same_setup="same_setup",
    )

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @property
    def knobs(self) -> tuple[Knob, ...]:
        """Every rule knob."""
        return knob_table.KNOBS

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Named knob sets."""
        return PRESETS

    @property
    def policies(self) -> Mapping[str, PolicyInfo]:
        """The player models."""
        return {name: each.info for name, each in POLICIES.items()}

    def resolve(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Every knob's value; raises SettingsError with every problem."""
        return knob_table.resolve(settings)

    def resolve_policy(self, spec: Any) -> dict[str, Any]:
        """A policy's name, or file, with all its parameters; raises SettingsError with every problem."""
        return players.resolve(spec)

    def describe(self, policy: Mapping[str, Any]) -> PolicyInfo:
        """What a resolved policy is; raises PlayerFileError when its file is gone or has changed."""
        return players.model(policy).info

    def player_file(self, policy: Mapping[str, Any]) -> PlayerFile:
        """The file of a resolved policy that has one; raises PlayerFileError."""
        return players.player_file(policy)

    def prepare(self, policy: Mapping[str, Any]) -> None:
        """Compile the engine and a resolved policy; raises PlayerFileError for a user's that cannot be."""
        self._policy(policy)

    def _policy(self, spec: Mapping[str, Any]) -> tuple[np.ndarray, Any]:
        chosen = players.model(spec)
        with self._lock:  # Numba compiles once, whichever thread comes first
            with players.compiled_meanwhile(chosen, spec, engine.play_batch):
                compile_for(engine.play_batch, engine.BATCH)
            choose = players.pointer(chosen, spec, engine.CHOOSE)
        return chosen.mind(spec), choose

    def play(self, knobs: Mapping[str, Any], policy: Mapping[str, Any], seed: int, first: int, count: int) -> Batch:
        """Play trials first … first + count − 1.  Raises PolicyFault."""
        mind, choose = self._policy(policy)
        table = Table(knobs, mind)
        rows = np.zeros(count, ROW)
        at_fault = self._played(table, policy, choose, seed, first, rows)
        if at_fault >= 0:
            raise self._fault(table, policy["name"], seed, at_fault)
        return Batch(_as_columns(rows, first), table.tallies)

    def _played(
        self, table: Table, policy: Mapping[str, Any], choose: Any, seed: int, first: int, rows: np.ndarray
    ) -> int:
        """As `Table.play`; a player from a user's file is played under watch."""
        if "file" not in policy:
            return table.play(choose, seed, first, rows)
        hidden = table.hiddens
        return players.watched(
            policy["name"],
            seed,
            lambda: table.play(choose, seed, first, rows),
            lambda: (int(hidden["trial"][0]), int(hidden["asked"][0])),
        )

    def _fault(self, table: Table, policy: str, seed: int, trial: int) -> PolicyFault:
        choice = int(table.hiddens["fault_choice"][0])
        view = table.views[0]
        kind = int(choices.kind(choice))
        answer = KINDS[kind] if kind < len(KINDS) else str(kind)
        numbers = f"{int(choices.a(choice))}, {int(choices.b(choice))}, {int(choices.c(choice))}"
        asked = DECISIONS[int(view["decision"])]
        return PolicyFault(
            policy,
            seed,
            trial,
            f"turn {int(view['turn'])}, seat {int(view['decider'])}, asked to {asked}: {answer} ({numbers})",
        )

    def trace(self, knobs: Mapping[str, Any], policy: Mapping[str, Any], seed: int, trial: int) -> list[dict[str, Any]]:
        """One game as its events.  Raises PolicyFault, with the events until then."""
        mind, choose = self._policy(policy)
        table = Table(knobs, mind)
        rows = np.zeros(1, ROW)
        table.log["recording"] = 1
        fault = None
        try:
            at_fault = self._played(table, policy, choose, seed, trial, rows)
            if at_fault >= 0:
                fault = self._fault(table, policy["name"], seed, at_fault)
        except PolicyFault as raised:
            fault = raised
        if table.log["events"][0] == ROOM:
            raise RuntimeError(f"seed {seed}, trial {trial}: the game has more events than a trace holds ({ROOM})")
        first = traces.setup_event(table.log, table.views["tile_at"][0], rows[0], knobs, policy, (seed, trial))
        middle = traces.events(table.log, first, players.model(policy).reasons)
        if fault is not None:
            fault.events = [first, *middle]
            raise fault
        return [first, *middle, traces.end_event(rows[0], knobs["players"])]

    def tell(self, events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
        """The lines of a text replay."""
        return replay.tell(events)

    def show(self, events: Iterable[Mapping[str, Any]]) -> Show:
        """The scenes of one game for a viewer."""
        return scenes.show(events)

    def layout(self, knobs: Mapping[str, Any]) -> Layout:
        """The cells of the map."""
        return Layout(board.cells_of(knobs["map"], knobs["grid"]), knobs["grid"])

    def teacher(self) -> Teacher:
        """Who plays the games from which the expert learns."""
        from sim.forbidden_island.training import Teacher as IslandTeacher

        return IslandTeacher()

    def untrained(self, knobs: Mapping[str, Any], policy: Mapping[str, Any]) -> tuple[str, ...]:
        """The knobs that a learned player was not trained for."""
        if not POLICIES[policy["name"]].learns:
            return ()
        return learned.untrained(knobs, learned.about(policy)["trained_for"])


GAME = ForbiddenIsland()

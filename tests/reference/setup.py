"""Is a setup in order? FI-1 and FI-2, with the knobs of section 10 that bear on it."""

from __future__ import annotations

from collections import Counter

from .board import CARDS, HEX_ROWS, ROLES, TILES, cells_of, connected, touching
from .state import full_deck

RULE_KEYS = (
    "start_tick",
    "meter",
    "players",
    "roles",
    "actions_per_turn",
    "cards_per_turn",
    "hand_limit",
    "initial_hand",
    "initial_flooded",
    "treasure_copies",
    "capture_cost",
    "waters_rise",
    "helicopter",
    "sandbags",
    "map",
    "map_connected",
    "sandbags_save_sinking",
    "lift_saves_swimmer",
    "give_to_full_hand",
    "hand_limit_check",
    "navigator_moves_diver",
    "role_powers",
    "start_tiles",
    "swim",
    "escape",
    "rise_shuffles",
    "flood_cards_in_treasure_deck",
    "grid",
    "turn_limit",
)

CHOICES = {
    "hand_limit_check": ("each_card", "after_draw"),
    "navigator_moves_diver": ("one_gap", "steps_only"),
    "start_tiles": ("gates", "landing"),
    "swim": ("adjacent", "eliminate", "lose"),
    "escape": ("helicopter", "action"),
    "rise_shuffles": ("discard", "all"),
    "grid": ("square", "hex"),
}


def faults(setup: dict) -> list[tuple[str, str]]:
    """Everything wrong with a setup event, as (rule, what)."""
    found = _faults_of_rules(setup)
    return found or [*_faults_of_map(setup), *_faults_of_roles(setup), *_faults_of_deal(setup)]


def _faults_of_rules(setup: dict) -> list[tuple[str, str]]:
    rules = setup["rules"]
    missing = [key for key in RULE_KEYS if key not in rules]
    if missing:
        return [("FI-10", f"rules lack {', '.join(missing)}")]
    found = [
        ("FI-10", f"{key}: {rules[key]!r} is not one of {choices}")
        for key, choices in CHOICES.items()
        if rules[key] not in choices
    ]
    if not 2 <= rules["players"] <= 4:
        found.append(("FI-1.6", f"{rules['players']} players"))
    if not 1 <= rules["start_tick"] <= len(rules["meter"]):
        found.append(("FI-1.5", f"start tick {rules['start_tick']} with {len(rules['meter'])} ticks below the skull"))
    return found


def _faults_of_map(setup: dict) -> list[tuple[str, str]]:
    rules, rows, found = setup["rules"], setup["map"], []
    if rows != rules["map"]:
        found.append(("FI-2.1", "the map is not the map of the rules"))
    if len(cells_of(rows)) != 24:
        return [*found, ("FI-2.1", f"the map has {len(cells_of(rows))} cells, not 24")]
    if rules["grid"] == "hex" and rows != HEX_ROWS:
        return [*found, ("FI-10", f"the hex grid has rows of 4, 5, 6, 5, 4, not {rows}")]
    if rules["map_connected"] and not connected(touching(rows, rules["grid"])[0]):
        found.append(("FI-10", "the map falls into parts, and the rules do not say so"))
    if Counter(setup["tiles"]) != Counter(TILES):
        found.append(("FI-1.1", "the tiles are not the 24 island tiles, once each"))
    flooded = setup["flooded"]
    if len(flooded) != rules["initial_flooded"]:
        found.append(("FI-2.2", f"{len(flooded)} tiles flooded, not {rules['initial_flooded']}"))
    if len(set(flooded)) != len(flooded) or not set(flooded) <= set(TILES):
        found.append(("FI-2.2", "the flooded tiles are not different island tiles"))
    return found


def _faults_of_roles(setup: dict) -> list[tuple[str, str]]:
    rules, roles, found = setup["rules"], setup["roles"], []
    players, asked = rules["players"], rules["roles"]
    if len(roles) != players:
        found.append(("FI-2.3", f"{len(roles)} roles for {players} players"))
    if len(set(roles)) != len(roles) or not set(roles) <= set(ROLES):
        found.append(("FI-2.3", f"the roles {roles} are not different roles of the game"))
    if isinstance(asked, list) and roles != asked:
        found.append(("FI-10", f"the roles {roles} are not the fixed ones, {asked}"))
    if isinstance(asked, dict) and not set(roles) <= set(asked["pool"]):
        found.append(("FI-10", f"the roles {roles} are not all from the pool {asked['pool']}"))
    if setup["first"] not in range(players):
        found.append(("FI-2.6", f"no seat {setup['first']}"))
    return found


def _faults_of_deal(setup: dict) -> list[tuple[str, str]]:
    rules, hands, found = setup["rules"], setup["hands"], []
    if len(hands) != rules["players"]:
        found.append(("FI-2.4", f"{len(hands)} hands for {rules['players']} players"))
    for seat, hand in enumerate(hands):
        if not set(hand) <= set(CARDS):
            found.append(("FI-1.3", f"seat {seat} holds unknown cards: {hand}"))
        if len(hand) != rules["initial_hand"]:
            found.append(("FI-2.4", f"seat {seat} holds {len(hand)} cards, not {rules['initial_hand']}"))
        if "waters_rise" in hand or "flood_card" in hand:
            found.append(("FI-2.4", f"seat {seat} was dealt a card that is replaced at the deal: {hand}"))
    dealt = Counter(card for hand in hands for card in hand)
    too_many = dealt - full_deck(rules)
    if too_many:
        found.append(("FI-1.3", f"more cards dealt than there are: {dict(too_many)}"))
    return found

"""The closed lists of names that the effect language uses, and the open names that programs bind themselves.

The lists are DSL sections 1 to 7; names that only worked examples use have been defined here or dropped.
"""

import re

from pydantic_core import PydanticCustomError

CHARACTERS = (
    "self", "host_hero", "this_char", "target", "attacker", "defender", "event.who", "event.target", "it", "all",
    "allies", "enemies", "other_allies", "others", "heroes", "companions", "own_companions", "dead", "corpses",
    "nearest_ally", "any", "other_on_board", "other_target", "any_target", "affected", "summoned", "target_hero",
)  # fmt: skip
"""Characters and sets of characters (DSL section 3).

`self` owns the effect, `host_hero` is the Hero of a Companion card, `this_char` the Companion itself; `all` are the
living characters on the board, `others` all but you, `other_on_board` the same as a choice for a target, `dead` the
dead ones with a body; `any_target` and `other_target` speak of an effect with several targets; `affected` are the
victims of this area, `summoned` the pieces that this card has made.
"""
CHARACTER_ALIASES = {
    "all_on_board": "all",
    "other_allies_on_board": "other_allies",
    "ally": "allies",
    "enemy": "enemies",
    "teammates": "other_allies",
    "summoned_by(this)": "summoned",
}
ZONES = (
    "inventory", "equipment", "memento", "support", "sheet", "entity_slot", "table", "attachments", "scenario",
    "discard", "deck", "deck_top", "deck_bottom", "extra", "limbo", "banished",
)  # fmt: skip
"""Zones that cards are in or move to."""
ZONE_ALIASES = {"hand": "inventory", "wound": "deck"}
SOURCES = (
    "market", "academy", "bestiary", "sanctuary", "tavern", "cradle", "rift", "discard", "inventory", "deck",
    "own_chosen",
)  # fmt: skip
"""Decks and piles that cards come from (R24.1, R24.4)."""
SOURCE_ALIASES = {
    "market_deck": "market",
    "wound": "rift",
    "wound_deck": "rift",
    "wound_discard": "discard",
    "chosen_deck": "own_chosen",
    "chosen": "own_chosen",
}
CURRENCIES = ("FATE", "XP", "WILL", "PRICE")
ENERGIES = ("ENERGY", "SP", "MP", "ESSENCE", "YELLOW", "RED", "BLUE", "WHITE", "BLACK")
RESOURCES = ("HP", "AP", *ENERGIES)
EVENTS = (
    "card_activated", "attack", "attack_resolved", "check", "check_failed", "damage_taken", "injury_dealt",
    "injury_taken", "death", "spend", "card_discard", "card_bury", "card_banish", "card_exhaust", "card_recover",
    "counter_removed",
    "enter_tile", "turn_start", "hp_loss",
    "rest", "salvation", "card_resolved", "card_reveal",
)  # fmt: skip
DURATIONS = (
    "this_roll", "this_check", "this_attack", "end_of_turn", "end_of_round", "start_of_your_next_turn",
    "end_of_next_turn", "start_of_target_next_turn", "end_of_target_next_turn", "end_of_battle", "while_this_in_zone",
)  # fmt: skip
TILES = (
    "adjacent_to", "adjacent_empty", "in_range", "in_area", "on_line", "behind", "in_front", "any", "own", "target",
)  # fmt: skip
TERRAINS = ("field", "rock", "swamp", "sand", "ice", "silver_ice", "aqua", "blocked", "disabled")
NEGATED = ("activation", "attack", "action", "damage", "injury", "effect", "discard", "payment")
DIRECTIONS = ("action_direction", "away", "towards", "chosen")
MODES = ("walk", "push", "place")
NATIVES = (
    "fuse_heroes", "swap_form", "activate_copy", "share_pool", "share_modifiers", "death_rule",
    "link_tiles_as_adjacent", "ignore_distance", "decoys", "chain_damage", "damage_of_card", "intercept_deck",
    "use_corpse", "underpay", "remember_source", "second_house", "swap_house", "free_attacks",
)  # fmt: skip
"""The shared primitives behind unusual cards (DSL section 8)."""

_BOUND = re.compile(r"[a-z][a-z0-9_]{0,19}\Z")
OPEN_NAME = re.compile("^[A-Z][A-Z0-9_]{0,39}$")
"""Marker and counter names."""


RESERVED = {
    *CHARACTERS, *CHARACTER_ALIASES, *ZONES, *SOURCES, *TILES, "team", "linked", "adjacent", "this", "event", "last",
    "roll", "current", "round", "stint", "turn", "this_attack", "this_check", "this_roll", "this_technique",
    "target_card", "entity", "attachments", "chosen",
}  # fmt: skip
"""Words that mean something already and that programs cannot bind."""


def is_bound_name(name: str) -> bool:
    """Tells whether a name has the form of one that a program binds (`bind: c`)."""
    return bool(_BOUND.match(name)) and name not in RESERVED


def wrong(expected: str, given: object) -> PydanticCustomError:
    """Builds the validation error for a value of a wrong kind."""
    text = repr(given)
    return PydanticCustomError(
        "expected",
        "expected {expected}, got {given}",
        {"expected": expected, "given": text if len(text) < 60 else text[:57] + "..."},
    )

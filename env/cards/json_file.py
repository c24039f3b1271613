"""The game's own card database: cards.json to card models and back, without losing a field.

The mapping is one table per shape. Whatever the table does not carry (unknown keys, unusual placeholders, missing
keys) is found by writing the card back and comparing, and kept in `json_extra` and `json_absent`, so that the way
back is exact.
"""

import json
import re
from typing import Any

from apotheosis.env.cards.json_text import NotMapped
from apotheosis.env.cards.scalars import LIGNUM_SPACED
from apotheosis.env.cards.schema import MAX_CLASS_KNOWLEDGES, MODELS, CardBase
from apotheosis.env.errors import InputError

ATTRIBUTE_NAMES = {
    "END": "Endurance", "STR": "Strength", "AGI": "Agility", "PER": "Perception", "INT": "Intelligence",
    "CHA": "Charisma", "SPT": "Spiritual",
}  # fmt: skip
"""Attribute names of the database by the rulebook's abbreviations."""

_HEAD = (
    ("Id", "id"), ("Name", "name"), ("Suit", "suit"), ("Level", "level"), ("Action", "action"), ("Score", "score"),
    ("Rarity", "rarity"), ("Artist", "artist"), ("Tokenable", "tokenable"), ("Tags", "tags"), ("Effects", "effects"),
    ("Formats", "formats"), ("Trivia", "trivia"), ("Knowledges", "knowledges"), ("CreationDate", "creation_date"),
    ("ModifiedDate", "modified_date"), ("Reviewed", "reviewed"), ("Coded", "coded"), ("FullArt", "full_art"),
    ("Opacity", "opacity"), ("CollectionIndex", "collection_index"), ("Type", None), ("Category", None),
)  # fmt: skip
_BAR = (("Damage", "damage"), ("Range", "range"))
_BONUS = (
    ("AttributesBonus", "attributes_bonus"), ("EquipmentSlotsBonus", "equipment_slots_bonus"),
    ("MementoSlotsBonus", "memento_slots_bonus"), ("SupportSlotsBonus", "support_slots_bonus"),
    ("InventorySlotsBonus", "inventory_slots_bonus"),
)  # fmt: skip
_SLOTS = (("EquipmentSlots", "equipment_slots"), ("MementoSlots", "memento_slots"), ("SupportSlots", "support_slots"))
_TAIL: dict[str, tuple[tuple[str, str | None], ...]] = {
    "House": (("Attributes", "attributes"), ("FlavorText", "flavor_text"), *_SLOTS),
    "Class": (
        ("Attributes", "attributes"), ("Path", "path"), ("Knowledge1", None), ("Knowledge2", None),
        ("Knowledge3", None), *_SLOTS,
    ),
    "Entity": (("Attributes", "attributes"), ("Order", "order")),
    "Item": (
        ("Knowledge", "knowledge"), ("Price", "price"), ("Crafts", "crafts"), *_BAR, *_BONUS,
        ("Headpiece", "headpiece"), ("Vest", "vest"), ("Feet", "feet"), ("Accessory", "accessory"),
        ("Utility", "utility"),
    ),
    "Skill": (
        ("Knowledge", "knowledge"), *_BAR, ("Stamina", "stamina"), ("Mana", "mana"), ("Essence", "essence"),
        ("Lignum", "lignum"), *_BONUS,
    ),
    "Companion": (
        ("Knowledge", "knowledge"), ("CompanionType", "companion_type"), ("Path", "path"),
        ("Attributes", "attributes"), ("AttachmentSlots", "attachment_slots"), ("Techniques", "techniques"),
    ),
    "Event": (("Knowledge", "knowledge"), ("FlavorText", "flavor_text"), ("AttributesBonus", "attributes_bonus")),
}  # fmt: skip
_SHEET_SUITS = ("House", "Class", "Entity")
_ABBREVIATIONS = {name: short for short, name in ATTRIBUTE_NAMES.items()}
_LIGNUM_SPELLED = {plain: spaced for spaced, plain in LIGNUM_SPACED.items()}
_NO_DAMAGE = {"Attribute": "None", "Constant": 0, "Dice": "None"}
_NO_RANGE = {"Type": "Direct", "Attribute": "None", "Constant": 0}
_TAG = re.compile(r'\(TagName="([^"]*)"\)')
_PREFIX = "Apt.Effect."


def _attribute(name: Any) -> Any:
    return None if name == "None" else _ABBREVIATIONS.get(name, name) if isinstance(name, str) else name


def _from_damage(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value == _NO_DAMAGE:
        return None
    dice = value.get("Dice")
    if isinstance(dice, str):
        dice = None if dice == "None" else dice.removeprefix("D_")
    return {"attribute": _attribute(value.get("Attribute")), "constant": value.get("Constant", 0), "dice": dice}


def _from_range(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value == _NO_RANGE:
        return None
    return {
        "type": value.get("Type"),
        "attribute": _attribute(value.get("Attribute")),
        "constant": value.get("Constant", 0),
    }


def _from_attributes(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {_ABBREVIATIONS.get(name, name): number for name, number in value.items()}


def _keywords(text: Any) -> list[str]:
    if not isinstance(text, str):
        raise NotMapped(f"'Keywords' must be text, got {text!r}")
    names = _TAG.findall(text)
    if _keywords_text(names) != text and _keywords_text([_short(name) for name in names]) != text:
        raise NotMapped(f"'Keywords' must look like (GameplayTags=((TagName=\"..\"),..)), got {text[:60]!r}")
    return [_short(name) for name in names]


def _short(name: str) -> str:
    return name.removeprefix(_PREFIX)


def _keywords_text(keywords: list[str]) -> str:
    if not keywords:
        return "(GameplayTags=)"
    tags = ",".join(f'(TagName="{word if word.startswith(_PREFIX) else _PREFIX + word}")' for word in keywords)
    return f"(GameplayTags=({tags}))"


def _from_effects(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    effects = []
    for index, effect in enumerate(value):
        if not isinstance(effect, dict):
            raise NotMapped(f"effect {index} must be a mapping, got {str(effect)[:40]!r}")
        effects.append(
            {
                "name": effect.get("Name", ""),
                "keywords": _keywords(effect.get("Keywords", "(GameplayTags=)")),
                "requirements": effect.get("Requirements", []),
                "text": effect.get("Text", ""),
                "line_break_after_keywords": effect.get("LineBreakAfterKeywords", False),
                "line_break_after_requirement": effect.get("LineBreakAfterRequirement", False),
            }
        )
    return effects


def _from_techniques(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [
        {
            "requirement": technique.get("Requirement", []),
            "action": technique.get("Action", 0),
            "damage": _from_damage(technique.get("Damage")),
            "range": _from_range(technique.get("Range")),
            "effects": _from_effects(technique.get("Effects", [])),
        }
        if isinstance(technique, dict)
        else technique
        for technique in value
    ]


def _from_path(value: Any) -> Any:
    return "Absent" if value == "None" else value


_READERS = {
    "damage": _from_damage,
    "range": _from_range,
    "attributes": _from_attributes,
    "attributes_bonus": _from_attributes,
    "effects": _from_effects,
    "techniques": _from_techniques,
    "path": _from_path,
}


def from_json(raw: Any) -> dict[str, Any]:
    """Maps one card of the database to the keys of our card files.

    Args:
        raw: the card as parsed JSON.

    Returns:
        The card as plain values, not yet checked against the models.

    Raises:
        NotMapped: it is not a card, or one of its values has no counterpart.
    """
    if not isinstance(raw, dict):
        raise NotMapped(f"a card must be a mapping of keys to values, got {str(raw)[:40]!r}")
    suit = raw.get("Suit")
    if not isinstance(suit, str) or suit not in MODELS:
        raise NotMapped(f"'Suit' must be one of {', '.join(MODELS)}, got {suit!r}")
    card: dict[str, Any] = {}
    for key, field in (*_HEAD, *_TAIL[suit]):
        if field is None or key not in raw or key == "Knowledges":
            continue
        value = _READERS[field](raw[key]) if field in _READERS else raw[key]
        if value is not None:
            card[field] = value
    _add_knowledges(card, raw, suit)
    return card


def _add_knowledges(card: dict[str, Any], raw: dict[str, Any], suit: str) -> None:
    if suit == "Class":
        listed = [raw[key] for key in ("Knowledge1", "Knowledge2", "Knowledge3") if key in raw]
        while listed and listed[-1] == "Free":
            listed.pop()
        card["knowledges"] = listed
    elif suit not in _SHEET_SUITS:
        listed = raw.get("Knowledges")
        if listed is not None and listed != _plain_knowledges(raw.get("Knowledge")):
            card["knowledges"] = listed


def _plain_knowledges(knowledge: Any) -> list[Any]:
    return [] if knowledge in ("Free", None) else [knowledge]


def keep_losses(card: dict[str, Any], raw: dict[str, Any], model: CardBase) -> dict[str, Any]:
    """Returns the plain card with `json_extra` and `json_absent` set so that writing it gives exactly the database's
    card.

    Args:
        card: the mapped card.
        raw: the card as parsed JSON.
        model: the checked model of the mapped card.
    """
    written = to_json(model)
    extra = {key: value for key, value in raw.items() if key not in written or written[key] != value}
    absent = [key for key in written if key not in raw]
    return {**card, **({"json_extra": extra} if extra else {}), **({"json_absent": absent} if absent else {})}


def _damage(damage: Any) -> dict[str, Any]:
    if damage is None:
        return dict(_NO_DAMAGE)
    return {
        "Attribute": "None" if damage.attribute is None else ATTRIBUTE_NAMES[damage.attribute.name],
        "Constant": damage.constant,
        "Dice": "None" if damage.dice is None else "D_" + damage.dice,
    }


def _range(span: Any) -> dict[str, Any]:
    if span is None:
        return dict(_NO_RANGE)
    return {
        "Type": span.type.name,
        "Attribute": "None" if span.attribute is None else ATTRIBUTE_NAMES[span.attribute.name],
        "Constant": span.constant,
    }


def effect_to_json(effect: Any) -> dict[str, Any]:
    """Returns a text effect as the game's database writes it.

    Raises:
        NotMapped: the effect is in the effect language.
    """
    if not hasattr(effect, "text"):
        raise NotMapped("an effect in the effect language has no counterpart in cards.json; only text effects can be written")
    return {
        "Name": effect.name,
        "Keywords": _keywords_text(effect.keywords),
        "Requirements": list(effect.requirements),
        "Text": effect.text,
        "LineBreakAfterKeywords": effect.line_break_after_keywords,
        "LineBreakAfterRequirement": effect.line_break_after_requirement,
    }


def _effects(effects: Any) -> list[dict[str, Any]]:
    return [effect_to_json(effect) for effect in effects]


def _written_value(key: str, field: str, card: Any) -> Any:
    value = getattr(card, field)
    if key in ("Attributes", "AttributesBonus"):
        return {name: getattr(value, short) for short, name in ATTRIBUTE_NAMES.items()}
    if key == "Effects":
        return _effects(value)
    if key == "Damage":
        return _damage(value)
    if key == "Range":
        return _range(value)
    if key == "Techniques":
        return [
            {
                "Requirement": list(technique.requirement),
                "Damage": _damage(technique.damage),
                "Range": _range(technique.range),
                "Action": technique.action,
                "Effects": _effects(technique.effects),
            }
            for technique in value
        ]
    if key == "Path":
        return "None" if value.name == "Absent" else value.name
    if key == "Order":
        return "Sprite" if value.name == "Spirit" else value.name
    if key == "Lignum":
        return None if value is None else _LIGNUM_SPELLED.get(value.name, value.name)
    if isinstance(value, list):
        return list(value)
    return value.name if hasattr(value, "name") else value


_DEFAULTS = {
    "Artist": " ", "Tokenable": False, "Trivia": [], "CreationDate": "0001.01.01-00.00.00",
    "ModifiedDate": "0001.01.01-00.00.00", "Reviewed": False, "Coded": False, "FullArt": False, "Opacity": 0.5,
    "CollectionIndex": -1, "FlavorText": "",
}  # fmt: skip


def to_json(card: Any) -> dict[str, Any]:
    """Returns a card as the game's database writes it, keys in the database's order.

    Args:
        card: a card of any suit.

    Raises:
        NotMapped: the card has an effect in the effect language.
    """
    suit = card.suit_of_model.name
    written: dict[str, Any] = {}
    for key, field in (*_HEAD, *_TAIL[suit]):
        if key == "Type":
            written[key] = suit + "Card"
        elif key == "Category":
            written[key] = "SheetCard" if suit in _SHEET_SUITS else "AssetCard"
        elif key == "Knowledges":
            written[key] = _written_knowledges(card, suit)
        elif field is None:
            index = int(key[-1]) - 1
            listed = card.knowledges
            written[key] = listed[index].name if index < len(listed) else "Free"
        else:
            value = _written_value(key, field, card)
            written[key] = _DEFAULTS[key] if value is None and key in _DEFAULTS else value
    for key in card.json_absent or []:
        written.pop(key, None)
    written.update(card.json_extra or {})
    return written


def _written_knowledges(card: Any, suit: str) -> list[str]:
    if suit == "Class":
        return [knowledge.name for knowledge in card.knowledges[:MAX_CLASS_KNOWLEDGES] if knowledge.name != "Free"]
    if suit in _SHEET_SUITS:
        return []
    if card.knowledges is not None:
        return [knowledge.name for knowledge in card.knowledges]
    return _plain_knowledges(card.knowledge.name)


def write_json(cards: list[CardBase]) -> str:
    """Returns cards as the text of a cards.json, laid out as the published file.

    Raises:
        InputError: a card has an effect in the effect language.
    """
    rows = []
    for card in cards:
        try:
            rows.append(to_json(card))
        except NotMapped as error:
            raise InputError(str(error), f"card {card.id}") from None
    return json.dumps(rows, ensure_ascii=False, indent="\t").replace("\n", "\r\n") + "\r\n"

"""Fills the kernel's POOL record from the cards of a pool.

It stands apart from the pool because it needs the kernel's layout, whose import takes longer than loading cards does.
"""

from typing import Any

import numpy as np

from apotheosis.env.cards import traits
from apotheosis.env.cards.compile_effects import PoolEffects
from apotheosis.env.cards.pool import Pool, craft_and_tag_names, requirement_code
from apotheosis.env.cards.readings import EXECUTABLE, INERT, PARTIAL
from apotheosis.env.cards.scalars import dice_parts
from apotheosis.env.cards.schema import (
    Barred,
    CardBase,
    Class,
    Companion,
    Entity,
    Event,
    House,
    Item,
    Resource,
    Skill,
    Slotted,
    Technique,
)
from apotheosis.env.errors import InputError
from apotheosis.env.rules.codes import Trait
from apotheosis.env.rules.layout import POOL, POOL_CARDS, POOL_EFFECTS
from apotheosis.env.vocabulary import LIGNUM_COLOUR, CompanionType, Lignum, Order, Path, Suit

VALUE_OF_LEVEL = {1: 1, 2: 5, 3: 10}
"""XP, WILL and FATE of a card by its level (R2.1.8)."""
_TRAIT_TAGS = {"Simple": Trait.SIMPLE, "Silly": Trait.SILLY, "Mount": Trait.MOUNT, "Meta": Trait.META, "Weather": Trait.WEATHER}


def build(pool: Any) -> "np.ndarray[Any, Any]":
    """Returns a pool as an array of one POOL record.

    Args:
        pool: a `Pool`.

    Raises:
        InputError: the pool holds more than the record can.
    """
    techniques = sum(len(card.techniques) for card in pool.cards if isinstance(card, Companion))
    if len(pool) > POOL_CARDS or techniques > POOL_EFFECTS:
        raise InputError(
            f"{len(pool)} cards with {techniques} techniques; at most {POOL_CARDS} and {POOL_EFFECTS} are possible",
            pool.source,
        )
    record = np.zeros(1, POOL)
    rows = record["card"][0]
    record["cards"] = len(pool)
    free_technique = 0
    for number, card in enumerate(pool.cards):
        row = rows[number]
        _fill_card(row, card)
        _fill_tags(row, pool, card)
        row["live"] = sum(reading.live for reading in pool.readings[number])
        row["inert"] = sum(reading.status in (INERT, PARTIAL) for reading in pool.readings[number])
        if isinstance(card, Companion):
            row["technique_first"] = free_technique
            row["technique_n"] = len(card.techniques)
            for technique in card.techniques:
                _fill_technique(record["technique"][0][free_technique], pool, number, technique)
                record["technique"][0][free_technique]["first"] = row["technique_first"]
                free_technique += 1
            for reading in pool.readings[number]:
                for effect in reading.effects:
                    # techniques without a bar: what the Companion activates in its own turn
                    while effect.technique is not None and effect.technique >= row["technique_n"]:
                        technique = record["technique"][0][free_technique]
                        technique["card"], technique["first"], technique["effect"] = number, row["technique_first"], -1
                        technique["damage_attr"] = technique["range_attr"] = -1
                        row["technique_n"] += 1
                        free_technique += 1
    record["techniques"] = free_technique
    effects = PoolEffects(record, pool.effect_names, pool.source)
    for number, card in enumerate(pool.cards):
        executable = [reading for reading in pool.readings[number] if reading.status == EXECUTABLE]
        run = [(typed, reading.lingering) for reading in executable for typed in reading.effects]
        companion = isinstance(card, Companion)
        effects.add(number, run, companion, bool(rows[number]["has_damage"]) and not companion)
    effects.finish()
    return record


def _fill_card(row: Any, card: CardBase) -> None:
    for name in ("suit", "level", "rarity", "action", "score"):
        row[name] = card.suit_code if name == "suit" else getattr(card, name)
    row["traits"] = _trait_bits(card)
    row["neutral"] = 0 if card.formats else 1
    row["value"] = card.price if isinstance(card, Item) else VALUE_OF_LEVEL[card.level] if isinstance(card, Resource) else 0
    row["grants"] = -1
    row["damage_attr"] = row["range_attr"] = row["needs_attr"] = -1
    row["path"] = getattr(card, "path", Path.Absent)
    row["order"] = card.order if isinstance(card, Entity) else Order.Absent
    row["companion_type"] = card.companion_type if isinstance(card, Companion) else CompanionType.Absent
    if isinstance(card, (House, Class, Entity, Companion)):
        row["attributes"] = card.attributes.row()
    if isinstance(card, (Barred, Event)):
        row["bonus"] = card.attributes_bonus.row()
    if isinstance(card, Slotted):
        row["slots"] = (card.equipment_slots, card.memento_slots, card.support_slots)
    if isinstance(card, Class):
        row["grants"][: len(card.knowledges)] = card.knowledges
        row["grants"][row["grants"] == 14] = -1
    if isinstance(card, Resource):
        row["knowledges"] = sum(1 << knowledge for knowledge in card.usable_with())
    if isinstance(card, Barred):
        row["slots"] = (card.equipment_slots_bonus, card.memento_slots_bonus, card.support_slots_bonus)
        row["inventory"] = card.inventory_slots_bonus
        _fill_bar(row, card)
    if isinstance(card, Skill):
        lignum = traits.lignum_of(card)
        row["stamina"], row["mana"], row["essence"] = card.stamina, card.mana, card.essence
        row["lignum"], row["colour"] = lignum, LIGNUM_COLOUR[Lignum(lignum)]


def _fill_bar(row: Any, bar: Barred | Technique) -> None:
    """Writes a damage line and a range; a bar without a range reaches distance 0."""
    row["range_attr"] = row["damage_attr"] = -1
    if bar.damage is not None:
        row["has_damage"] = 1
        row["damage_attr"] = -1 if bar.damage.attribute is None else bar.damage.attribute
        row["damage_const"] = bar.damage.constant
        if bar.damage.dice is not None:
            row["dice_n"], row["dice_sides"] = dice_parts(bar.damage.dice)
    if bar.range is not None:
        row["range_type"] = bar.range.type
        row["range_attr"] = -1 if bar.range.attribute is None else bar.range.attribute
        row["range_const"] = bar.range.constant


def _fill_technique(row: Any, pool: Pool, number: int, technique: Technique) -> None:
    if len(technique.requirement) > len(row["requires"]):
        raise InputError(
            f"card {pool.cards[number].id}: a technique asks for {len(technique.requirement)} attachments; "
            f"at most {len(row['requires'])} are possible",
            pool.source,
        )
    row["card"] = number
    row["action"] = technique.action
    row["requires_n"] = len(technique.requirement)
    row["requires"] = -1
    for index, word in enumerate(technique.requirement):
        row["requires"][index] = requirement_code(pool, word)
    row["effect"] = -1
    _fill_bar(row, technique)


def _trait_bits(card: CardBase) -> int:
    bits = card.specifier_bits() if isinstance(card, Item) else 0
    for tag, trait in _TRAIT_TAGS.items():
        if traits.has_tag(card, tag):
            bits |= trait
    if card.suit_code == Suit.Event and traits.may_be_placed(card):
        bits |= Trait.FROM_TABLE
    if traits.is_ultimatum(card):
        bits |= Trait.ULTIMATUM
    if traits.is_collegium(card):
        bits |= Trait.COLLEGIUM
    return bits


def _fill_tags(row: Any, pool: Pool, card: CardBase) -> None:
    for name in craft_and_tag_names(card):
        bit = pool.tag_bit(name)
        row["tags"][bit >> 6] |= 1 << (bit & 63)

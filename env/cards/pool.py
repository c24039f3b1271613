"""A card pool: checked cards, the numbers that stand for their names, and their record for the rules kernel.

The kernel knows cards as rows of arrays. This module is the one place that turns names into those numbers, so that a
tag, a marker or a technique requirement means the same row or bit everywhere.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apotheosis.env.cards import pool_cache, yaml_file
from apotheosis.env.cards.language.effect import TextEffect
from apotheosis.env.cards.loader import STARTER, card_files, load_cards
from apotheosis.env.cards.overrides_file import (
    Override,
    bundled_files,
    bundled_overrides,
    override_files,
    read_overrides,
)
from apotheosis.env.cards.readings import Reading, effects_of, read_card
from apotheosis.env.cards.schema import CRAFTS, CardBase, Companion, Item
from apotheosis.env.cards.traits import folded, tag_name, tags_of
from apotheosis.env.errors import InputError, unknown
from apotheosis.env.vocabulary import Knowledge, Suit

if TYPE_CHECKING:
    import numpy as np

    from apotheosis.env.cards.compiler.code import Names

MAX_TAGS = 252
REQUIRE_SUIT = 0
REQUIRE_KNOWLEDGE = 32
REQUIRE_TAG = 64
"""Codes of technique requirements: REQUIRE_SUIT + suit, REQUIRE_KNOWLEDGE + knowledge, REQUIRE_TAG + bit of a tag or
craft."""


@dataclass(frozen=True)
class Pool:
    """The cards of a run.

    Args:
        cards: the cards; a card's position is its number in the kernel.
        source: the path, or "starter".
        tags: the tag and craft names; a name's position is its bit.
        index: the number of each card by its id.
        overrides: hand-written meanings of text effects.
    """

    cards: tuple[CardBase, ...]
    source: str
    tags: tuple[str, ...]
    index: dict[str, int] = field(repr=False)
    overrides: Mapping[tuple[str, str], Override] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.cards)

    def card(self, name: str) -> CardBase:
        """Returns the card with an id.

        Raises:
            InputError: the pool has no such card.
        """
        return self.cards[self.number(name)]

    def number(self, name: str, where: str | None = None) -> int:
        """Returns the number of the card with an id.

        Args:
            name: the id.
            where: the place that names the card, for the message.

        Raises:
            InputError: the pool has no such card.
        """
        if name not in self.index:
            raise unknown("card", name, self.index, where)
        return self.index[name]

    def tag_bit(self, name: str) -> int:
        """Returns the bit of a tag or craft in any spelling, -1 where no card of the pool has it."""
        return self._tag_bits.get(folded(tag_name(name)), -1)

    @cached_property
    def _tag_bits(self) -> dict[str, int]:
        # 63 tags to a word of 64 bits: the kernel's words are signed, so the last bit of each stays free
        return {folded(name): number // 63 * 64 + number % 63 for number, name in enumerate(self.tags)}

    @cached_property
    def readings(self) -> tuple[tuple[Reading, ...], ...]:
        """What each effect of each card means, in the order of the cards."""
        return tuple(read_card(card, self.overrides) for card in self.cards)

    @cached_property
    def plain(self) -> tuple[dict[str, Any], ...]:
        """The cards as the plain values of a card file, in their order."""
        return tuple(yaml_file.plain(card) for card in self.cards)

    @cached_property
    def hash(self) -> str:
        """A digest of everything that the cards and overrides say, 16 hexadecimal digits."""
        overrides = [self.overrides[key].plain() for key in sorted(self.overrides)]
        said = [self.plain, overrides]
        text = json.dumps(said, ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @cached_property
    def effect_names(self) -> "Names":
        """The numbers of markers and counters in the kernel."""
        from apotheosis.env.cards.compiler.code import Names

        return Names(self.tag_bit, first_sheet=len(self.cards))

    def marker(self, name: str) -> int:
        """Returns the kernel's number of a marker."""
        return self.effect_names.marker(name)

    def counter(self, name: str) -> int:
        """Returns the kernel's number of a counter."""
        return self.effect_names.counter(name)

    @cached_property
    def record(self) -> "np.ndarray[Any, Any]":
        """The pool as the kernel's record, an array of one POOL."""
        from apotheosis.env.cards.pool_record import build

        return build(self)


def requirement_code(pool: Pool, word: str) -> int:
    """Returns the code of an entry of a technique's requirement list (R19.6), -1 where no card can meet it."""
    if word in Suit.__members__:
        return REQUIRE_SUIT + Suit[word]
    if word in Knowledge.__members__:
        return REQUIRE_KNOWLEDGE + Knowledge[word]
    bit = pool.tag_bit(word)
    return -1 if bit < 0 else REQUIRE_TAG + bit


def _tag_names(cards: list[CardBase]) -> tuple[str, ...]:
    names: dict[str, str] = {folded(craft): craft for craft in CRAFTS}
    for card in cards:
        words = tags_of(card)
        if isinstance(card, Companion):
            words = words + [
                word
                for technique in card.techniques
                for word in technique.requirement
                if word not in Suit.__members__ and word not in Knowledge.__members__
            ]
        for word in words:
            names.setdefault(folded(tag_name(word)), tag_name(word))
    return tuple(names.values())


def make_pool(
    cards: list[CardBase], source: str = "cards", overrides: Mapping[tuple[str, str], Override] | None = None
) -> Pool:
    """Builds a pool from checked cards.

    Args:
        cards: the cards, ids unique.
        source: how messages and reports call them.
        overrides: hand-written meanings of text effects; those for other cards are left out.

    Raises:
        InputError: an id appears twice, or there are more cards or tags than the kernel can hold.
    """
    index: dict[str, int] = {}
    for number, card in enumerate(cards):
        if card.id in index:
            raise InputError(f"card {card.id}: the id appears twice", source)
        index[card.id] = number
    tags = _tag_names(cards)
    if len(tags) > MAX_TAGS:
        raise InputError(f"the cards use {len(tags)} different tags; at most {MAX_TAGS} are possible", source)
    used = {key: entry for key, entry in (overrides or {}).items() if key[0] in index}
    return Pool(tuple(cards), source, tags, index, used)


def load_pool(path: str | Path = STARTER, overrides: Iterable[str | Path] = ()) -> Pool:
    """Loads a pool, from the cache where nothing has changed; the overrides of the lab apply to the game's cards.

    Args:
        path: a card file (our YAML or the game's cards.json), a folder of card files, or "starter" for the bundled set.
        overrides: further override files or folders, which win over those of the lab.

    Raises:
        InputError: a file or a card is faulty, or one of the given overrides is for an unknown card.
    """
    given = override_files(overrides)
    files = [*card_files(path), *bundled_files(), *given]
    return pool_cache.cached(str(path), files, lambda: _read_pool(path, given))


def _read_pool(path: str | Path, overrides: list[Path]) -> Pool:
    cards = load_cards(path)
    given = read_overrides(overrides)
    known = {card.id for card in cards}
    for name, _ in given:
        if name not in known:
            raise unknown("card", name, known, "overrides")
    texts = any(isinstance(effect, TextEffect) for card in cards for _, _, effect in effects_of(card))
    return make_pool(cards, str(path), {**(bundled_overrides() if texts else {}), **given})


def craft_and_tag_names(card: CardBase) -> list[str]:
    """Returns the names whose bits a card carries: its tags, and its crafts where it is an Item."""
    return [*tags_of(card), *(card.crafts if isinstance(card, Item) else [])]

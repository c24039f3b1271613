"""Random legal decks with known inclusion probabilities (A2.9).

Both generators draw bounded multisets exactly: a deck of n cards with at most 1 or 3 copies of each is drawn
uniformly over all such decks by first drawing how many different cards appear once, twice and three times (the number
of decks for each case is a product of binomials), then which cards. Nothing is rejected, and the probability that a
card is in the deck is a ratio of two counts of decks.

`uniform`: House, Class set and Entity (none included) are each uniform over what is legal, the deck is uniform over
all legal decks of the Hero's level.

`coherent`: House and Entity as above; the pattern of Class levels is uniform over the legal patterns and the Class
set uniform within it; nine tenths of the deck are a uniform multiset of the cards that this Hero can use and place
(knowledges of its Classes, Hero Level for Free cards, a slot in the card's area), one tenth a uniform multiset of the
other legal cards. Class sets with too few usable cards are left out.
"""

from functools import cached_property, lru_cache
from itertools import chain, combinations
from math import comb
from typing import Any

import numpy as np

from apotheosis.env.cards import traits
from apotheosis.env.cards.decks import (
    LEGAL_HERO_LEVELS,
    MAX_CLASSES,
    ORDER_LEVELS,
    Construction,
    Deck,
    DeckRules,
    copy_limit,
    deck_bar,
)
from apotheosis.env.cards.pool import Pool
from apotheosis.env.cards.schema import MAX_LEVEL, Class, Entity, House, Resource
from apotheosis.env.errors import InputError, unknown
from apotheosis.env.vocabulary import Knowledge, Path, Suit

GENERATORS = ("coherent", "uniform")
MANY = 3
"""Copies allowed of a card that is not Epic or Legendary (A2.6)."""
OUTSIDERS = 10
"""One card in this many of a coherent deck is one that its Hero cannot use or place."""
FREE_LEVELS = (1, 4, 6)
"""Hero Level that a Free card of level 1, 2 and 3 needs (R3.6.4)."""
MAX_SIZE = 60
"""The largest deck (ARENA A1)."""
_AREAS = {Suit.Item: 0, Suit.Skill: 1, Suit.Companion: 2}

Ints = np.ndarray[Any, np.dtype[np.int64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]
Floats = np.ndarray[Any, np.dtype[np.floating[Any]]]


_COEFFICIENTS: list[Floats] = [np.eye(1, MAX_SIZE + 1)[0]]


def _bounded(many: int) -> Floats:
    """Returns the number of multisets of each size from `many` cards with limit 3, the powers of (1 + x + x^2 +
    x^3)."""
    while len(_COEFFICIENTS) <= many:
        _COEFFICIENTS.append(np.convolve(_COEFFICIENTS[-1], np.ones(MANY + 1))[: MAX_SIZE + 1])
    return _COEFFICIENTS[many]


@lru_cache(maxsize=65536)
def _ones_weights(single: int, many: int, size: int) -> Floats:
    """Returns, for each number of cards with limit 1, how many multisets have it."""
    tail = _bounded(many)
    return np.array([comb(single, ones) * tail[size - ones] for ones in range(min(single, size) + 1)])


def multisets(single: int, many: int, size: int) -> float:
    """Returns how many multisets there are (exact up to float64).

    Args:
        single: number of cards with limit 1.
        many: number of cards with limit 3.
        size: cards of the multiset, copies counted.
    """
    return 0.0 if single < 0 or many < 0 or size < 0 else float(_ones_weights(single, many, size).sum())


def chances(single: int, many: int, size: int) -> tuple[float, float]:
    """Returns the probability that one given card with limit 1, and one with limit 3, is in a uniform multiset."""
    total = multisets(single, many, size)
    if total == 0:
        return 0.0, 0.0
    return (
        1 - multisets(single - 1, many, size) / total if single else 0.0,
        1 - multisets(single, many - 1, size) / total if many else 0.0,
    )


@lru_cache(maxsize=16384)
def _multiplicities(many: int, size: int) -> tuple[Ints, Floats]:
    """Returns how often cards with limit 3 occur once, twice and three times: rows of counts, cumulated
    probabilities."""
    rows: list[tuple[int, int, int]] = []
    weights: list[int] = []
    for threes in range(min(many, size // 3) + 1):
        for twos in range(min(many - threes, (size - 3 * threes) // 2) + 1):
            once = size - 3 * threes - 2 * twos
            if once <= many - threes - twos:
                rows.append((once, twos, threes))
                weights.append(comb(many, threes) * comb(many - threes, twos) * comb(many - threes - twos, once))
    total = sum(weights)
    return np.array(rows, np.int64), np.cumsum([weight / total for weight in weights])


def _pick(cumulative: Floats, rng: np.random.Generator) -> int:
    return min(int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right")), len(cumulative) - 1)


def _draw_multiset(single: Ints, many: Ints, size: int, rng: np.random.Generator) -> Ints:
    """Returns card numbers, copies repeated, of a uniform multiset."""
    ones = _pick(np.cumsum(_ones_weights(len(single), len(many), size)), rng)
    rows, cumulative = _multiplicities(len(many), size - ones)
    once, twos, threes = rows[_pick(cumulative, rng)]
    picked = many[_distinct(len(many), once + twos + threes, rng)]
    alone = single[_distinct(len(single), ones, rng)]
    return np.concatenate((alone, picked, picked[: twos + threes], picked[:threes]))


def _distinct(size: int, count: int, rng: np.random.Generator) -> Ints:
    """Returns `count` different numbers below `size` in random order."""
    return rng.permutation(size)[:count]


class DeckSampler:
    """Draws random legal decks of one pool, format and generator.

    Args:
        pool: the cards.
        rules: construction rules (ARENA A1); defaults where None.
        generator: "coherent" or "uniform".

    Raises:
        InputError: the pool has no legal deck for these rules.
    """

    def __init__(self, pool: Pool, rules: Construction | None = None, generator: str = "coherent"):
        if generator not in GENERATORS:
            raise unknown("generator", generator, GENERATORS)
        self.pool = pool
        self.rules = DeckRules() if rules is None else rules
        self.generator = generator
        level = self.rules.hero_level
        if level not in LEGAL_HERO_LEVELS:
            raise InputError(f"the Hero Level must be 1, 4, 7 or 10, got {level}")
        cards = pool.cards
        self.houses = self._numbers(lambda card: isinstance(card, House) and card.level == 1 and not card.formats)
        self.entities = self._numbers(
            lambda card: isinstance(card, Entity) and ORDER_LEVELS[card.order] <= level and not card.formats
        )
        self.legal = self._numbers(lambda card: deck_bar(card, level) is None)
        self.single = np.array([copy_limit(cards[number]) == 1 for number in self.legal], bool)
        if not len(self.houses):
            raise InputError("the cards hold no House of level 1, so no deck can be built", pool.source)
        if not len(self.class_sets):
            raise InputError(f"the cards hold no Classes for Hero Level {level}, so no deck can be built", pool.source)
        if multisets(int(self.single.sum()), int((~self.single).sum()), self.rules.deck_size) == 0:
            raise InputError(f"the cards allow no deck of {self.rules.deck_size} cards", pool.source)

    def _numbers(self, wanted: Any) -> Ints:
        return np.array([number for number, card in enumerate(self.pool.cards) if wanted(card)], np.int64)

    @cached_property
    def class_sets(self) -> Ints:
        """All legal Class sets, shape (sets, 3), card numbers, -1 where a set has fewer Classes."""
        need = self.rules.hero_level - 1
        if need == 0:
            return np.full((1, MAX_CLASSES), -1, np.int64)
        classes = [
            (number, card)
            for number, card in enumerate(self.pool.cards)
            if isinstance(card, Class) and card.path not in (Path.World, Path.Absent) and not card.formats
        ]
        numbers = np.array([number for number, _ in classes] + [-1], np.int64)
        levels = np.array([card.level for _, card in classes] + [0], np.int64)
        paths = np.array([card.path for _, card in classes] + [-1], np.int64)
        found = [np.empty((0, MAX_CLASSES), np.int64)]
        for count in range(1, MAX_CLASSES + 1):
            groups = np.fromiter(chain.from_iterable(combinations(range(len(classes)), count)), np.int64).reshape(-1, count)
            fits = levels[groups].sum(1) == need
            for one, other in combinations(range(count), 2):
                fits &= paths[groups[:, one]] != paths[groups[:, other]]
            padded = np.full((int(fits.sum()), MAX_CLASSES), -1, np.int64)
            padded[:, :count] = numbers[groups[fits]]
            found.append(padded)
        return np.concatenate(found)

    @cached_property
    def _class_levels(self) -> Ints:
        levels = np.array([card.level for card in self.pool.cards] + [0], np.int64)
        return -np.sort(-levels[self.class_sets], axis=1)

    @cached_property
    def _groups(self) -> list[Ints]:
        """Rows of `class_sets` that are drawn from, one array per pattern of levels (one in all for `uniform`)."""
        rows = np.arange(len(self.class_sets))
        if self.generator == "uniform":
            return [rows]
        rows = rows[self._enough]
        if not len(rows):
            raise InputError("no legal Class set can use enough of the cards for a coherent deck", self.pool.source)
        keys = self._class_levels[rows]
        return [rows[(keys == key).all(axis=1)] for key in np.unique(keys, axis=0)]

    @property
    def outsiders(self) -> int:
        """Cards of a coherent deck that its Hero cannot use or place."""
        return self.rules.deck_size // OUTSIDERS

    @cached_property
    def _needs(self) -> tuple[Floats, Floats]:
        """Per legal card, what would do to use it, shape (15 * 3, cards) for knowledge levels, and to place it, shape
        (4, cards) for Equipment, Memento, Support and "needs no slot"; Silly Companions have no place that would
        do."""
        cards = [self.pool.cards[number] for number in self.legal]
        use = np.zeros((len(Knowledge) * MAX_LEVEL, len(cards)), np.float32)
        place = np.zeros((4, len(cards)), np.float32)
        for column, card in enumerate(cards):
            assert isinstance(card, Resource)
            for knowledge in card.usable_with():
                use[knowledge * MAX_LEVEL + card.level - 1, column] = 1
            free = card.suit_code not in _AREAS or traits.lignum_of(card) != 0 or traits.is_ultimatum(card)
            if not traits.is_silly(card):
                place[3 if free else _AREAS[card.suit_code], column] = 1
        return use, place

    @cached_property
    def _granted(self) -> tuple[Ints, Ints]:
        """Per card of the pool, with a last row of zeros for "no card": knowledges granted, slots granted."""
        knowledge = np.zeros((len(self.pool) + 1, len(Knowledge)), np.int64)
        slots = np.zeros((len(self.pool) + 1, 3), np.int64)
        for number, card in enumerate(self.pool.cards):
            if isinstance(card, Class):
                np.add.at(knowledge[number], [int(name) for name in card.knowledges], 1)
            if isinstance(card, (House, Class)):
                slots[number] = (card.equipment_slots, card.memento_slots, card.support_slots)
        return knowledge, slots

    def _means(self, sets: Ints, houses: Ints) -> tuple[Ints, Bools]:
        """Returns the knowledge levels (0 to 3) of Heroes, shape (heroes, 15), and which areas have slots, shape
        (heroes, 4)."""
        granted, slots = self._granted
        known = granted[sets].sum(1)
        known[:, Knowledge.Free] = sum(self.rules.hero_level >= needed for needed in FREE_LEVELS)
        room = np.ones((len(sets), 4), bool)
        room[:, :3] = slots[sets].sum(1) + slots[houses] > 0
        return np.minimum(known, MAX_LEVEL), room

    def _reach(self, known: Ints, room: Bools) -> Bools:
        """Tells which legal cards Heroes of given means can use and place, shape (heroes, legal cards)."""
        use, place = self._needs
        reached = known[:, :, None] >= np.arange(1, MAX_LEVEL + 1)
        return (reached.reshape(len(known), -1).astype(np.float32) @ use > 0) & (room.astype(np.float32) @ place > 0)

    def usable(self, sets: Ints, houses: Ints) -> Bools:
        """Tells which legal cards Heroes can use and place (A2.9).

        Args:
            sets: Class sets, shape (heroes, 3).
            houses: their Houses, shape (heroes,).

        Returns:
            Shape (heroes, legal cards).
        """
        return self._reach(*self._means(sets, houses))

    def _kinds(self, sets: Ints, house: int) -> tuple[Ints, Ints, Bools]:
        """Groups Class sets, with one House, by what decides the usable cards.

        Returns:
            Index of each set's group; knowledge levels and areas of the groups.
        """
        known, room = self._means(sets, np.full(len(sets), house))
        keys = np.concatenate((known, room), axis=1) @ 4 ** np.arange(known.shape[1] + room.shape[1])
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        return inverse, known[first], room[first]

    def _house_kinds(self) -> list[tuple[int, int]]:
        """Returns one House for each different set of slots, with the number of Houses it stands for."""
        slots = self._granted[1][self.houses]
        _, first, counts = np.unique(slots, axis=0, return_index=True, return_counts=True)
        return [(int(self.houses[index]), int(count)) for index, count in zip(first, counts, strict=True)]

    @cached_property
    def _enough(self) -> Bools:
        """Which Class sets, with every House, have usable cards for a coherent deck and other cards for its
        outsiders."""
        limit = np.where(self.single, 1, MANY)
        total = int(limit.sum())
        core = self.rules.deck_size - self.outsiders
        fits = np.ones(len(self.class_sets), bool)
        for house, _ in self._house_kinds():
            group, known, room = self._kinds(self.class_sets, house)
            capacity = self._reach(known, room).astype(np.float32) @ limit.astype(np.float32)
            fits &= ((capacity >= core) & (total - capacity >= self.outsiders))[group]
        return fits

    def draw_hero(self, rng: np.random.Generator) -> tuple[int, Ints, int]:
        """Draws a House, a Class set (3 card numbers, -1 for none) and an Entity (-1 for none)."""
        house = int(self.houses[rng.integers(len(self.houses))])
        groups = self._groups
        group = groups[rng.integers(len(groups))] if len(groups) > 1 else groups[0]
        classes = self.class_sets[group[rng.integers(len(group))]]
        chosen = int(rng.integers(len(self.entities) + 1))
        return house, classes, -1 if chosen == len(self.entities) else int(self.entities[chosen])

    def draw(self, rng: np.random.Generator) -> Ints:
        """Draws one deck.

        Args:
            rng: a seeded generator; nothing else decides the deck.

        Returns:
            Card numbers: House, three Classes and Entity (-1 for none), then the deck, copies side by side, in pool
            order.
        """
        house, classes, entity = self.draw_hero(rng)
        if self.generator == "uniform":
            deck = self._multiset(np.ones(len(self.legal), bool), self.rules.deck_size, rng)
        else:
            inside = self.usable(classes[None], np.array([house]))[0]
            deck = np.concatenate(
                (
                    self._multiset(inside, self.rules.deck_size - self.outsiders, rng),
                    self._multiset(~inside, self.outsiders, rng),
                )
            )
        return np.concatenate(([house], classes, [entity], np.sort(deck)))

    def _multiset(self, among: Bools, size: int, rng: np.random.Generator) -> Ints:
        return _draw_multiset(self.legal[among & self.single], self.legal[among & ~self.single], size, rng)

    def draw_many(self, count: int, rng: np.random.Generator) -> Ints:
        """Draws several decks, shape (count, 5 + deck size)."""
        return np.stack([self.draw(rng) for _ in range(count)]) if count else np.empty((0, 5 + self.rules.deck_size), np.int64)

    def deck(self, row: Ints, name: str) -> Deck:
        """Returns a drawn row as a deck with a name."""
        ids = [None if number < 0 else self.pool.cards[number].id for number in row]
        cards: dict[str, int] = {}
        for card in ids[5:]:
            assert card is not None
            cards[card] = cards.get(card, 0) + 1
        classes = [card for card in ids[1:4] if card is not None]
        return Deck(name=name, level=self.rules.hero_level, house=str(ids[0]), classes=classes, entity=ids[4], cards=cards)

    def inclusion(self) -> Floats:
        """Returns the exact probability that each card of the pool is in a drawn deck or on its sheet, shape
        (cards,)."""
        p = np.zeros(len(self.pool))
        p[self.houses] = 1 / len(self.houses)
        if len(self.entities):
            p[self.entities] = 1 / (len(self.entities) + 1)
        groups = self._groups
        weight = np.zeros(len(self.class_sets))
        for group in groups:
            weight[group] = 1 / (len(groups) * len(group))
        for column in range(MAX_CLASSES):
            present = self.class_sets[:, column] >= 0
            np.add.at(p, self.class_sets[present, column], weight[present])
        if self.generator == "uniform":
            p[self.legal] = self._chances(np.ones(len(self.legal), bool), self.rules.deck_size)
        else:
            p[self.legal] = self._coherent_inclusion(weight)
        return p

    def _chances(self, among: Bools, size: int) -> Floats:
        """Returns the chance of each legal card to be in a uniform multiset of some of them."""
        one, several = chances(int((among & self.single).sum()), int((among & ~self.single).sum()), size)
        return np.where(among, np.where(self.single, one, several), 0.0)

    def _coherent_inclusion(self, weight: Floats) -> Floats:
        """Averages the chance of each legal card over all Heroes; Heroes with the same usable cards are counted
        together."""
        drawn = np.flatnonzero(weight)
        core = self.rules.deck_size - self.outsiders
        total = np.zeros(len(self.legal))
        for house, houses in self._house_kinds():
            group, known, room = self._kinds(self.class_sets[drawn], house)
            shares = np.bincount(group, weight[drawn]) * houses / len(self.houses)
            for share, inside in zip(shares, self._reach(known, room), strict=True):
                total += share * (self._chances(inside, core) + self._chances(~inside, self.outsiders))
        return total


def random_decks(
    pool: Pool, count: int, seed: int, rules: Construction | None = None, generator: str = "coherent"
) -> list[Deck]:
    """Returns random legal decks, named `random-SEED-1` onwards.

    Args:
        pool: the cards.
        count: how many decks.
        seed: decides all of them.
        rules: construction rules (ARENA A1); defaults where None.
        generator: "coherent" or "uniform".

    Raises:
        InputError: the pool has no legal deck for these rules.

    Source: ARENA A2.9.
    """
    sampler = DeckSampler(pool, rules, generator)
    rng = np.random.default_rng(seed)
    return [sampler.deck(sampler.draw(rng), f"random-{seed}-{number}") for number in range(1, count + 1)]

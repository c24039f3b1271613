"""The Heroes and decks in which an effect is exercised: many copies of its card among cards that it waits for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env.cards.deck_draws import DeckSampler
from apotheosis.env.cards.decks import DeckRules
from apotheosis.env.cards.schema import CardBase, Class, Companion, Entity, House
from apotheosis.env.cards.traits import folded, tags_of
from apotheosis.env.vocabulary import Path

if TYPE_CHECKING:
    from apotheosis.env.cards.pool import Pool

Ints = np.ndarray[Any, np.dtype[np.int64]]

COPIES_OF_CARD = 9
"""Copies of the card in each of the two decks."""
HELPERS_IN_DECK = 6
"""Copies in each deck of cards of a kind that the effect speaks of (its tags, types of Companions)."""
HERO_LEVELS = (7, 4, 10)
"""Levels of the Heroes that play it: the first one at which some Hero can use and place the card."""
DRAWS = 100
"""Heroes drawn of each level until one can."""
ALLIES = {"otherallies", "nearestally", "teammember", "dead", "corpses", "revive", "save", "death"}
"""Words of effects that need a teammate, or somebody whose death does not end the match."""
CHECKS = {"check", "checkfailed", "checking", "rolling"}
"""Words of effects that need somebody to make a check."""
ROUGH = 0.5
"""Share of the matches on uneven ground."""
SIDE = 11
GROUNDS = (0, 0, 0, 1, 2, 6, 8)
"""Terrains of uneven ground: field, rock, swamp, aqua, disabled tiles."""


def _values(tree: Any, keys: tuple[str, ...]) -> set[str]:
    """Returns the strings under some keys of an effect in plain form."""
    if isinstance(tree, list):
        return {value for part in tree for value in _values(part, keys)}
    if not isinstance(tree, dict):
        return set()
    found = {value for key, value in tree.items() if key in keys and isinstance(value, str)}
    return found.union(*(_values(part, keys) for part in tree.values()))


def _words(tree: Any) -> set[str]:
    """Returns all strings of an effect in plain form."""
    if isinstance(tree, dict):
        return {word for value in tree.values() for word in _words(value)}
    if isinstance(tree, list):
        return {word for value in tree for word in _words(value)}
    return {folded(tree)} if isinstance(tree, str) else set()


class Casting:
    """Draws Heroes and decks for the cards of a pool.

    Args:
        pool: the cards; it must have Houses and Classes.
    """

    def __init__(self, pool: Pool):
        self.pool = pool
        self.samplers = [DeckSampler(pool, DeckRules(level)) for level in HERO_LEVELS]
        self._words: dict[int, set[str]] = {}

    def helpers(self, number: int) -> list[Ints]:
        """Returns groups of other cards for the decks.

        They are of kinds that the card's effects and techniques speak of, speak of its own kinds, of the same markers and
        counters, or make the checks that it waits for.
        """
        card = self.pool.cards[number]
        words = set(self.said(number))
        if isinstance(card, Companion):
            words.update(*(_words(technique.requirement) for technique in card.techniques))
        marks = self._marks[number]
        groups = (
            lambda other: words & self._kinds[other],
            lambda other: self._kinds[number] & self.said(other),
            lambda other: marks & self._marks[other],
            lambda other: words & CHECKS and other in self._checkers,
        )
        legal = [other for other in self.samplers[0].legal if other != number]
        found = [np.array([other for other in legal if fits(other)], np.int64) for fits in groups]
        return [group for group in found if len(group)]

    @cached_property
    def _trees(self) -> list[list[Any]]:
        """Per card, its effects in plain form."""
        return [[effect.written() for reading in readings for effect in reading.effects] for readings in self.pool.readings]

    @cached_property
    def _marks(self) -> list[set[str]]:
        """Per card, the names of markers and counters that its effects speak of."""
        return [_values(trees, ("marker", "counter", "has_marker")) for trees in self._trees]

    @cached_property
    def _checkers(self) -> set[int]:
        """The cards with an effect that makes somebody check."""
        return {number for number, trees in enumerate(self._trees) if "check" in _values(trees, ("op",))}

    @cached_property
    def _kinds(self) -> list[set[str]]:
        """Per card, the names of its tags and of its type of Companion."""
        return [
            {folded(name) for name in (*tags_of(card), *([card.companion_type.name] if isinstance(card, Companion) else ()))}
            for card in self.pool.cards
        ]

    def lineup(self, number: int, helpers: list[Ints], rng: np.random.Generator) -> Any:
        """Returns a lineup of two Heroes built around the card, with many copies of it."""
        from apotheosis.env.rules.layout import LINEUP

        lineup = np.zeros(1, LINEUP)
        for name, value in (
            ("width", 3), ("height", 4), ("team_size", 1), ("opening_hand", 6), ("muster", 3), ("draw_per_turn", 1),
            ("stint_limit", 20), ("nested_reactions", 1),
        ):  # fmt: skip
            lineup[name] = value
        words = self.said(number)
        heroes = 4 if words & ALLIES else 2
        lineup["team_size"] = heroes // 2
        if rng.random() < ROUGH:
            # altitudes and every kind of ground that a piece may be on, where no Hero begins
            for tile in range(SIDE, SIDE * 3):
                lineup["altitude"][0, tile] = rng.integers(3)
                lineup["terrain"][0, tile] = rng.choice(GROUNDS)
        lineup["cards"] = -1
        for hero in range(heroes):
            row = self._hero(number, helpers, rng)
            if "entityslot" in words and not isinstance(self.pool.cards[number], Entity):
                row[4] = -1
            lineup["cards"][0, hero, : len(row)] = row
        return lineup

    def said(self, number: int) -> set[str]:
        """Returns the words of a card's effects in plain form."""
        if number not in self._words:
            effects = [effect for reading in self.pool.readings[number] for effect in reading.effects]
            self._words[number] = set().union(*(_words(effect.written()) for effect in effects))
        return self._words[number]

    def _hero(self, number: int, helpers: list[Ints], rng: np.random.Generator) -> Any:
        card = self.pool.cards[number]
        if isinstance(card, (House, Class, Entity)):
            row = self.samplers[0].draw(rng)
            self._seat(card, number, row)
        else:
            row = self._user(number, rng)
            row[5 : 5 + COPIES_OF_CARD] = number
        if helpers:
            fit = self.samplers[0].legal[self.samplers[0].usable(row[None, 1:4], row[:1])[0]]
            for place in range(len(row) - HELPERS_IN_DECK, len(row)):
                group = helpers[rng.integers(len(helpers))]
                of_use = np.intersect1d(group, fit)
                row[place] = rng.choice(of_use if len(of_use) else group)
        row[5:] = rng.permutation(row[5:])
        return row

    def _user(self, number: int, rng: np.random.Generator) -> Any:
        """Draws a Hero that can use and place a card of the deck; any Hero if none is found."""
        for sampler in self.samplers:
            place = np.flatnonzero(sampler.legal == number)
            if len(place):
                for _ in range(DRAWS):
                    row = sampler.draw(rng)
                    if sampler.usable(row[None, 1:4], row[:1])[0, place[0]]:
                        return row
        return self.samplers[0].draw(rng)

    def _seat(self, card: CardBase, number: int, row: Any) -> None:
        """Puts a card of the sheet on it."""
        if isinstance(card, House):
            row[0] = number
        elif isinstance(card, Entity):
            row[4] = number
        elif isinstance(card, Class) and card.path not in (Path.World, Path.Absent):
            row[1] = number

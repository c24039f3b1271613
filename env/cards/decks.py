"""Decks: what a Hero brings to a match, and whether it may (ARENA A2).

Validity is a pure function of a deck, a pool and the construction rules; it names every violated rule at once,
because a designer who repairs a deck wants the whole list.
"""

from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, Protocol

from pydantic import Field

from apotheosis.env.cards import traits
from apotheosis.env.cards.loader import DATA
from apotheosis.env.cards.pool import Pool
from apotheosis.env.cards.schema import CardBase, Class, Entity, House, Resource
from apotheosis.env.cards.validation import Strict, check
from apotheosis.env.cards.yaml_file import flow, read_yaml
from apotheosis.env.cards.yaml_tree import Tree
from apotheosis.env.errors import InputError, unknown
from apotheosis.env.vocabulary import SUMMUS_LEVEL, Order, Path, Rarity

MAX_CLASSES = 3
BANNED_COLLECTION = "Proibida"
ORDER_LEVELS = {Order.Spirit: 3, Order.Deity: 6, Order.God: 9}
"""Hero Level that an Entity of each order needs (R20.1)."""
LEGAL_HERO_LEVELS = (1, 4, 7, 10)


class Construction(Protocol):
    """The keys of ARENA A1 that decks are built by; any format object with them will do."""

    @property
    def hero_level(self) -> int: ...
    @property
    def deck_size(self) -> int: ...
    @property
    def score_cap(self) -> int | None: ...


@dataclass(frozen=True)
class DeckRules:
    """Construction rules with the defaults of ARENA A1."""

    hero_level: int = 7
    deck_size: int = 30
    score_cap: int | None = None


class Deck(Strict):
    """A deck as deck files write it; `cards` keeps its written order, which is the order of the deck slots."""

    name: str = Field(min_length=1)
    level: int = Field(ge=1, le=10)
    house: str
    classes: list[str] = Field(default_factory=list)
    entity: str | None = None
    cards: dict[str, int]

    def ids(self) -> list[str]:
        """Returns the ids of all cards, Sheet cards first, copies repeated."""
        sheet = [self.house, *self.classes, *([] if self.entity is None else [self.entity])]
        return sheet + [name for name, copies in self.cards.items() for _ in range(copies)]

    def size(self) -> int:
        """Returns the number of cards without the Sheet cards."""
        return sum(self.cards.values())


@dataclass(frozen=True)
class Violation:
    """A rule of ARENA A2 that a deck breaks, with a sentence that says how."""

    rule: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.sentence}"


def copy_limit(card: CardBase) -> int:
    """Returns how many copies of a card one Hero may have (A2.6)."""
    return 1 if card.rarity in (Rarity.Epic, Rarity.Legendary) else 3


def deck_bar(card: CardBase, hero_level: int) -> str | None:
    """Says why a card may not be in an arcflow deck at all (A2.5), or None where it may.

    Args:
        card: the card.
        hero_level: the level of the Hero.
    """
    if not isinstance(card, Resource):
        return f"is a {card.suit_code.name}, not a Resource card"
    if card.formats:
        return f"belongs to the format {', '.join(card.formats)}"
    if card.collection == BANNED_COLLECTION:
        return f"is in the collection {BANNED_COLLECTION}"
    if traits.is_campaign_only(card):
        return "is of campaign-only type"
    if traits.is_ultimatum(card) and hero_level < SUMMUS_LEVEL:
        return f"is a Summus, which needs Hero Level {SUMMUS_LEVEL}"
    return None


def violations(deck: Deck, pool: Pool, rules: Construction | None = None) -> list[Violation]:
    """Lists the rules of ARENA A2 that a deck breaks.

    Args:
        deck: the deck.
        pool: the cards that its ids name.
        rules: construction rules; the defaults of ARENA A1 at the deck's own level where None.

    Returns:
        The violations in the order of the rules; none means that the deck is legal.

    Raises:
        InputError: the deck names a card that the pool does not have.

    Source: ARENA A2.1 to A2.7, A2.10.
    """
    rules = DeckRules(hero_level=deck.level) if rules is None else rules
    for name in deck.ids():
        pool.number(name, f"deck {deck.name}")
    found = [
        *_house_faults(deck, pool),
        *_class_faults(deck, pool, rules),
        *_entity_faults(deck, pool, rules),
        *_deck_faults(deck, pool, rules),
        *_copy_faults(deck, pool),
    ]
    return found


def _house_faults(deck: Deck, pool: Pool) -> list[Violation]:
    house = pool.card(deck.house)
    if not isinstance(house, House):
        return [Violation("A2.1", f"{house.id} is a {house.suit_code.name}, not a House")]
    if house.level != 1:
        return [Violation("A2.1", f"the House must be of level 1, {house.id} has level {house.level}")]
    if house.formats:
        return [Violation("A2.1", f"{house.id} belongs to the format {', '.join(house.formats)}")]
    return []


def _class_faults(deck: Deck, pool: Pool, rules: Construction) -> list[Violation]:
    found = []
    classes = [pool.card(name) for name in deck.classes]
    paths: dict[Path, str] = {}
    for card in classes:
        if not isinstance(card, Class):
            found.append(Violation("A2.2", f"{card.id} is a {card.suit_code.name}, not a Class"))
            continue
        if card.path == Path.World:
            found.append(Violation("A2.2", f"{card.id} has the Path World, which fills no Class slot"))
        elif card.path in paths:
            found.append(Violation("A2.2", f"{paths[card.path]} and {card.id} share the Path {card.path.name}"))
        paths.setdefault(card.path, card.id)
        if card.formats:
            found.append(Violation("A2.2", f"{card.id} belongs to the format {', '.join(card.formats)}"))
    if len(classes) > MAX_CLASSES:
        found.append(Violation("A2.2", f"a Hero has at most {MAX_CLASSES} Classes, this one has {len(classes)}"))
    level = 1 + sum(card.level for card in classes)
    if level != rules.hero_level:
        found.append(Violation("A2.2", f"1 + the levels of the Classes must be {rules.hero_level}, it is {level}"))
    if deck.level != level:
        found.append(Violation("A2.2", f"the deck says level {deck.level}, its Classes make level {level}"))
    return found


def _entity_faults(deck: Deck, pool: Pool, rules: Construction) -> list[Violation]:
    if deck.entity is None:
        return []
    entity = pool.card(deck.entity)
    if not isinstance(entity, Entity):
        return [Violation("A2.3", f"{entity.id} is a {entity.suit_code.name}, not an Entity")]
    needed = ORDER_LEVELS[entity.order]
    if rules.hero_level < needed:
        return [
            Violation("A2.3", f"{entity.id} is a {entity.order.name} and needs Hero Level {needed}, not {rules.hero_level}")
        ]
    if entity.formats:
        return [Violation("A2.3", f"{entity.id} belongs to the format {', '.join(entity.formats)}")]
    return []


def _deck_faults(deck: Deck, pool: Pool, rules: Construction) -> list[Violation]:
    found = []
    if deck.size() != rules.deck_size:
        found.append(Violation("A2.5", f"the deck must have exactly {rules.deck_size} cards, it has {deck.size()}"))
    for name in deck.cards:
        bar = deck_bar(pool.card(name), rules.hero_level)
        if bar is not None:
            found.append(Violation("A2.5", f"{name} {bar}"))
    if rules.score_cap is not None:
        score = sum(pool.card(name).score for name in deck.ids())
        if score > rules.score_cap:
            found.append(Violation("A2.5", f"the Scores add up to {score}, the format allows {rules.score_cap}"))
    return found


def _copy_faults(deck: Deck, pool: Pool) -> list[Violation]:
    counts: dict[str, int] = {}
    for name in deck.ids():
        counts[name] = counts.get(name, 0) + 1
    return [
        Violation(
            "A2.6",
            f"{name} is {pool.card(name).rarity.name}: at most {copy_limit(pool.card(name))} copies, there are {count}",
        )
        for name, count in counts.items()
        if count > copy_limit(pool.card(name))
    ]


def read_decks(path: str | FilePath) -> list[Deck]:
    """Reads a deck file: one deck, a list of decks, or a mapping whose key `decks` holds a list.

    Args:
        path: the file.

    Raises:
        InputError: the file is faulty; the message names file and line.
    """
    tree = read_yaml(path)
    decks = [_read_deck(tree, value, place) for value, place in _entries(tree)]
    if not decks:
        raise InputError("the file holds no deck", str(path))
    names: set[str] = set()
    for deck in decks:
        if deck.name in names:
            raise InputError(f"two decks are called {deck.name!r}", str(path))
        names.add(deck.name)
    return decks


def _entries(tree: Tree) -> list[tuple[Any, tuple[str | int, ...]]]:
    value, prefix = tree.value, ()
    if isinstance(value, dict) and "decks" in value:
        for key in value:
            if key != "decks":
                raise unknown("key", str(key), ["decks"], tree.place((key,)))
        value, prefix = value["decks"], ("decks",)
    if isinstance(value, dict):
        return [(value, ())]
    if not isinstance(value, list):
        raise InputError("a deck file holds a deck, a list of decks, or a mapping with the key 'decks'", tree.place(prefix))
    return [(entry, (*prefix, index)) for index, entry in enumerate(value)]


def _read_deck(tree: Tree, value: Any, path: tuple[str | int, ...]) -> Deck:
    name = value.get("name") if isinstance(value, dict) else None
    deck = check(Deck, value, lambda inner: tree.place((*path, *inner)), f"deck {name}" if isinstance(name, str) else "")
    for card, copies in deck.cards.items():
        if copies < 1:
            raise InputError(
                f"deck {deck.name}: {card} must have at least 1 copy, got {copies}", tree.place((*path, "cards", card))
            )
    return deck


def write_decks(decks: list[Deck]) -> str:
    """Returns decks as the text of a deck file."""
    blocks = []
    for deck in decks:
        values = {"name": deck.name, "level": deck.level, "house": deck.house, "classes": deck.classes}
        values |= {"entity": deck.entity, "cards": deck.cards}
        lines = [f"  {key}: {flow(value)}" for key, value in values.items()]
        blocks.append("- " + "\n".join(lines).lstrip())
    return "\n".join(blocks) + "\n"


def starter_decks() -> list[Deck]:
    """Returns the ready decks of the starter set."""
    return read_decks(DATA / "decks.yaml")

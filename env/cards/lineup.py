"""Writes decks into the kernel's LINEUP records.

It stands apart from the decks because it needs the kernel's layout, whose import takes longer than checking a deck
does.
"""

from typing import Any

import numpy as np

from apotheosis.env.cards.decks import MAX_CLASSES, Deck
from apotheosis.env.cards.pool import Pool
from apotheosis.env.errors import InputError
from apotheosis.env.rules.layout import COPIES, DECK_SLOT
from apotheosis.env.vocabulary import Profile

SHEET_SLOTS = 1 + MAX_CLASSES + 1
assert SHEET_SLOTS == DECK_SLOT

Ints = np.ndarray[Any, np.dtype[np.integer[Any]]]


def deck_row(deck: Deck, pool: Pool) -> Ints:
    """Returns the card numbers of a deck by slot: House, three Classes, Entity, then the deck in its written order.

    Args:
        deck: a legal deck.
        pool: the cards that its ids name.

    Returns:
        Shape (COPIES,), int16, -1 where a slot is empty.

    Raises:
        InputError: the deck names an unknown card, or has more cards than there are slots.
    """
    if deck.size() > COPIES - DECK_SLOT - 1 or len(deck.classes) > MAX_CLASSES:
        raise InputError(f"{deck.size()} cards and {len(deck.classes)} Classes do not fit into a match", f"deck {deck.name}")
    row = np.full(COPIES, -1, np.int16)
    where = f"deck {deck.name}"
    row[0] = pool.number(deck.house, where)
    for index, name in enumerate(deck.classes):
        row[1 + index] = pool.number(name, where)
    if deck.entity is not None:
        row[DECK_SLOT - 1] = pool.number(deck.entity, where)
    numbers = [pool.number(name, where) for name, copies in deck.cards.items() for _ in range(copies)]
    row[DECK_SLOT : DECK_SLOT + len(numbers)] = numbers
    return row


def drawn_rows(draws: Ints) -> Ints:
    """Returns drawn decks (`DeckSampler.draw_many`) by slot.

    Args:
        draws: card numbers, shape (decks, 5 + deck size), -1 where a Sheet slot is empty.

    Returns:
        Shape (decks, COPIES), int16, -1 where a slot is empty.
    """
    rows = np.full((len(draws), COPIES), -1, np.int16)
    rows[:, : draws.shape[1]] = draws
    return rows


FORMAT_FIELDS = (
    "team_size", "opening_hand", "muster", "draw_per_turn", "stint_limit", "loot", "nested_reactions", "multi_response",
)  # fmt: skip


def fill_lineup(lineup: Any, settings: Any, rows: Ints) -> None:
    """Writes a format and the decks of all Heroes into one LINEUP record; the terrain is left as it is.

    Args:
        lineup: one element of an array of LINEUP.
        settings: an object with the keys of ARENA A1 as attributes, and the board as `size` (width, height).
        rows: card numbers by Hero and slot, shape (heroes, COPIES); even Heroes are team A, odd ones team B.
    """
    for name in FORMAT_FIELDS:
        lineup[name] = getattr(settings, name)
    lineup["profile"] = Profile[settings.profile]
    lineup["width"], lineup["height"] = settings.size
    lineup["random_initiative"] = int(settings.initiative == "random")
    lineup["cards"] = -1
    lineup["cards"][: len(rows)] = rows

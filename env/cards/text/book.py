"""The book of all sentences: every part of the effect language with its words in both languages."""

from __future__ import annotations

from functools import cache

from apotheosis.env.cards.text.prose import Book
from apotheosis.env.cards.text.prose_acts import add_acts
from apotheosis.env.cards.text.prose_amounts import add_amounts
from apotheosis.env.cards.text.prose_cards import add_cards
from apotheosis.env.cards.text.prose_conditions import add_conditions
from apotheosis.env.cards.text.prose_mods import add_mods
from apotheosis.env.cards.text.prose_needs import add_needs
from apotheosis.env.cards.text.prose_steps import add_steps
from apotheosis.env.cards.text.prose_steps_cards import add_card_steps
from apotheosis.env.cards.text.prose_who import add_who
from apotheosis.env.cards.text.prose_words import add_words


@cache
def book() -> Book:
    """Returns the book."""
    made = Book()
    for add in (
        add_words,
        add_amounts,
        add_who,
        add_cards,
        add_conditions,
        add_needs,
        add_mods,
        add_steps,
        add_acts,
        add_card_steps,
    ):
        add(made)
    return made

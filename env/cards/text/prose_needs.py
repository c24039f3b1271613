"""Words for what an effect asks for: windows, conditions, costs, targets and ends."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.prose import Book
from apotheosis.env.cards.text.prose_words import Listing

_CARD_COSTS = {
    "discard": ("descarte", "discard"),
    "bury": ("enterre", "bury"),
    "banish": ("bana", "banish"),
    "exhaust": ("consuma", "exhaust"),
    "recover": ("recupere", "recover"),
    "reveal": ("revele", "reveal"),
    "detach": ("desanexe", "detach"),
    "inventory": ("devolva ao {INV}", "return to the inventory"),
}


def add_needs(book: Book) -> None:
    """Adds requirements and costs to a book."""
    _holders(book)
    more: dict[str, Any] = {"max": "$int?", "bind": "$bound?"}
    pt, en = "[ (no máximo {max})][ (chame de {bind})]", "[ (at most {max})][ (call it {bind})]"
    book.add(
        "cost",
        ({"ap": "$num", **more}, "pague {ap} de {AP}" + pt, "pay {ap} AP" + en),
        ({"ap": "$amount", **more}, "pague {AP} igual a {ap}" + pt, "pay AP equal to {ap}" + en),
        ({"hp": "$num", **more}, "remova {hp} de {HP}" + pt, "lose {hp} HP" + en),
        ({"hp": "$num", "from": "$holder_of", **more}, "remova {hp} de {HP} {from}" + pt, "lose {hp} HP {from}" + en),
        ({"hp": "$amount", **more}, "remova {HP} igual a {hp}" + pt, "lose HP equal to {hp}" + en),
        ({"energy": "$energies", "n": "$count=1", **more}, "consuma {n} de {energy}" + pt, "pay {n} {energy}" + en),
        (
            {"energy": "$energies", "n": "$count=1", "from": "$holder_of", **more},
            "consuma {n} de {energy} {from}" + pt,
            "pay {n} {energy} {from}" + en,
        ),
        (
            {"currency": "$currency", "n": "$count=1", **more},
            "descarte {n} de {currency}" + pt,
            "discard {n} of {currency}" + en,
        ),
        (
            {"counter": "$counter", "n": "$count=1", **more},
            "remova {n} {counter}" + pt,
            "remove {n} {counter} counter<|s>" + en,
        ),
        (
            {"counter": "$counter", "n": "$count=1", "from": "$holder_of", **more},
            "remova {n} {counter} {from}" + pt,
            "remove {n} {counter} counter<|s> {from}" + en,
        ),
        ({"marker": "$marker", "n": "=1", **more}, "remova o {marker}" + pt, "remove the marker {marker}" + en),
        (
            {"marker": "$marker", "from": "self", "n": "=1", **more},
            "remova o seu {marker}" + pt,
            "remove your marker {marker}" + en,
        ),
        (
            {"marker": "$marker", "from": "$holder_of", "n": "=1", **more},
            "remova o {marker} {from}" + pt,
            "remove the marker {marker} {from}" + en,
        ),
    )
    for key, words in _CARD_COSTS.items():
        book.add("cost", ({key: "$chosen", "n": "=1"}, f"{words[0]} {{{key}}}", f"{words[1]} {{{key}}}"))
        book.add(
            "cost",
            (
                {key: "$chosen", "n": "$count", **more},
                f"{words[0]} {{{key}}}, vezes {{n}}{pt}",
                f"{words[1]} {{{key}}}, {{n}} times{en}",
            ),
        )
    book.leaves["costs"] = Listing("cost", pt=("; ", "; e "), en=("; ", "; and "))
    book.add(
        "chosen_target",
        ("any", "um alvo", "a target"),
        ("$x:one", "{x}", "{x}"),
        ("$x:chosen", "{x}", "{x}"),
        ("$x:objects", "{x}", "{x}"),
        ("$x:tile", "{x}", "{x}"),
    )
    book.add(
        "need",
        ({"when": "$when"}, "quando {when}", "when {when}"),
        ({"if": "$condition"}, "se {if}", "if {if}"),
        ({"while": {"in_turn_of": "self"}}, "durante o seu turno", "during your turn"),
        ({"while": "$condition"}, "enquanto {while}", "while {while}"),
        ({"pay": "$cost"}, "{pay}", "{pay}"),
        ({"target": "$chosen_target"}, "selecione {target}", "select {target}"),
        ({"until": "$end"}, "dura {until}", "lasts {until}"),
    )


def _holders(book: Book) -> None:
    book.add(
        "holder_of",
        ({"card": "this"}, "desta carta", "from this card"),
        ({"cards_of": "self"}, "das suas cartas", "from your cards"),
        ({"cards_of": "$who"}, "de cartas de {cards_of}", "from cards of {cards_of}"),
        ("$x:who", "de {x}", "from {x}"),
    )

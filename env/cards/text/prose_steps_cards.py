"""Words for instructions about cards, counters, pieces and tiles."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.prose import Book
from apotheosis.env.cards.text.prose_cards import counted
from apotheosis.env.cards.text.prose_words import Either, Listing
from apotheosis.env.vocabulary import Attribute

_THROWS = {
    "discard": ("descarte", "descarta", "discard"),
    "deck_bottom": ("enterre", "enterra", "bury"),
    "banished": ("bana", "bane", "banish"),
}
"""Zones with verbs of their own: the command, the present, and the English."""


def add_card_steps(book: Book) -> None:
    """Adds the instructions of cards, pieces and tiles to a book."""
    _moves(book)
    _decks(book)
    _table(book)
    _pieces(book)
    _tiles(book)


def _moves(book: Book) -> None:
    more: dict[str, Any] = {"reveal": "$shown?", "bind": "$bound?"}
    pt, en = "[, {reveal}][ (chame de {bind})]", "[, {reveal}][ (call it {bind})]"
    book.add("shown", (True, "à vista de todos", "shown to all"), (False, "sem mostrar", "unseen"))
    for zone, (verb, does, english) in _THROWS.items():
        plain = {"op": "move_card", "cards": "$cards", "to": zone, **more}
        told = {"discard": "discards", "bury": "buries", "banish": "banishes"}[english]
        book.add(
            "act",
            ({**plain, "by": "$who"}, f"{{by}} {does}<|m> {{cards}}{pt}", f"{{by}} <{told}|{english}> {{cards}}{en}"),
            (plain, f"{verb} {{cards}}{pt}", f"{english} {{cards}}{en}"),
            (
                {**plain, "owner": "$who"},
                f"{verb} {{cards}} na posse de {{owner}}{pt}",
                f"{english} {{cards}} to the pile of {{owner}}{en}",
            ),
            (
                {**plain, "owner": "$who", "by": "$who"},
                f"{{by}} {does}<|m> {{cards}} na posse de {{owner}}{pt}",
                f"{{by}} <{told}|{english}> {{cards}} to the pile of {{owner}}{en}",
            ),
        )
    plain = {"op": "move_card", "cards": "$cards", "to": "$to_zone", **more}
    book.add(
        "act",
        ({**plain, "by": "$who"}, "{by} envia<|m> {cards} {to}" + pt, "{by} <sends|send> {cards} {to}" + en),
        (plain, "envie {cards} {to}" + pt, "send {cards} {to}" + en),
        ({**plain, "to": "$to_own_zone", "owner": "self"}, "envie {cards} {to}" + pt, "send {cards} {to}" + en),
        ({**plain, "owner": "$who"}, "envie {cards} {to} de {owner}" + pt, "send {cards} {to} of {owner}" + en),
        (
            {**plain, "owner": "$who", "by": "$who"},
            "{by} envia<|m> {cards} {to} de {owner}" + pt,
            "{by} <sends|send> {cards} {to} of {owner}" + en,
        ),
    )


def _decks(book: Book) -> None:
    book.subject("count_card")
    book.add("count_card", (1, "1 carta", "1 card"), ("$a:amount", "{a} cartas", "{a} cards"))
    for who, pt, en in (({"who": "=self"}, "puxe", "draw"), ({"who": "$who"}, "{who} puxa<|m>", "{who} <draws|draw>")):
        book.add(
            "act",
            ({"op": "draw", **who, "deck": "=deck", "n": "$count_card=1"}, f"{pt} {{n}}", f"{en} {{n}}"),
            (
                {"op": "draw", **who, "deck": "$from_source", "n": "$count_card=1"},
                f"{pt} {{n}} {{deck}}",
                f"{en} {{n}} {{deck}}",
            ),
        )
    book.add("unshuffled", (False, "sem embaralhar", "without shuffling"), (True, "e embaralhe", "and shuffle"))
    more: dict[str, Any] = {"shuffle": "$unshuffled?", "bind": "$bound?"}
    pt_end, en_end = "[, {shuffle}][ (chame de {bind})]", "[, {shuffle}][ (call it {bind})]"
    filters, pt_cards, en_cards = counted(("from", "to"))
    for who, pt, en in (
        ({"who": "=self"}, "procure", "search"),
        ({"who": "$who"}, "{who} procura<|m>", "{who} <searches|search>"),
    ):
        base = {"op": "search", **who, "from": "$source=deck", "to": "$to_zone=inventory", **more}
        for wanted, n, pt_what, en_what in (
            ({}, "=1", "uma carta", "a card"),
            ({"filter": "$card"}, "=1", "{filter}", "{filter}"),
            ({}, "$count_f", "{n} carta<|s>", "{n} card<|s>"),
            ({"filter": filters}, "$count_f", pt_cards, en_cards),
        ):
            words = (
                f"{pt} {pt_what} em {{from}} e envie {{to}}{pt_end}",
                f"{en} {{from}} for {en_what} and send it {{to}}{en_end}",
            )
            book.add("act", ({**base, **wanted, "n": n}, *words))
    book.add("deck_part", ({"deck": "$source=deck", "of": "=self"}, "{deck}", "{deck}"))
    book.add("deck_part", ({"deck": "$source=deck", "of": "$who"}, "{deck} de {of}", "{deck} of {of}"))
    book.add("ordered", (True, "na mesma ordem", "in the same order"), (False, "em qualquer ordem", "in any order"))
    book.add(
        "act",
        (
            {"op": "look", "from": "$deck_part", "n": "$count_card=1", "keep_order": "$ordered?", "bind": "$bound?"},
            "olhe {n} do topo de {from}[, {keep_order}][ (chame de {bind})]",
            "look at {n} from the top of {from}[, {keep_order}][ (call it {bind})]",
        ),
        (
            {"op": "reveal", "cards": "$cards", "to": "$who?", "bind": "$bound?"},
            "revele {cards}[ a {to}][ (chame de {bind})]",
            "reveal {cards}[ to {to}][ (call it {bind})]",
        ),
        (
            {"op": "reveal", "from": "$source", "n": "$count_card=1", "to": "$who?", "bind": "$bound?"},
            "revele {n} do topo de {from}[ a {to}][ (chame de {bind})]",
            "reveal {n} from the top of {from}[ to {to}][ (call it {bind})]",
        ),
        (
            {"op": "reorder", "deck": "=deck", "n": "$count_card"},
            "reordene {n} do topo do baralho",
            "reorder {n} at the top of the deck",
        ),
        (
            {"op": "reorder", "deck": "$source", "n": "$count_card"},
            "reordene {n} do topo de {deck}",
            "reorder {n} at the top of {deck}",
        ),
        ({"op": "shuffle", "deck": "$source=deck"}, "embaralhe {deck}", "shuffle {deck}"),
    )


def _table(book: Book) -> None:
    book.add("kept", ("attachments", "os anexos", "the attachments"), ("counters", "os {COUNTER}", "the counters"))
    book.add("kept", ("markers", "os {MARKER}", "the markers"), ("hp", "a {HP}", "the HP"))
    book.leaves["kepts"] = KeptList("kept", pt=(", ", " e "), en=(", ", " and "), least=1)
    book.add("thing", ("$k:bound", "a carta {k}", "the card {k}"), ("$w:who", "{w}", "{w}"), ("$c:cards", "{c}", "{c}"))
    book.add("freely", (True, "sem pagar custos", "without paying costs"), (False, "pagando os custos", "paying the costs"))
    book.add("as_yours", (True, "como se fosse sua", "as if it were yours"), (False, "como sendo do dono", "as its owner's"))
    book.add(
        "act",
        ({"op": "exhaust", "cards": "$cards"}, "consuma {cards}", "exhaust {cards}"),
        ({"op": "recover", "cards": "$cards"}, "recupere {cards}", "recover {cards}"),
        ({"op": "attach", "card": "$cards", "to": "$one"}, "anexe {card} a {to}", "attach {card} to {to}"),
        (
            {"op": "detach", "from": "$thing", "filter": "$card?", "n": "$count=1", "to": "$to_zone=inventory"},
            "desanexe {n} anexo<|s> de {from} {to}[: {filter}]",
            "detach {n} attachment<|s> of {from} {to}[: {filter}]",
        ),
        (
            {"op": "detach", "from": "$thing", "filter": "$card?", "n": "$count=1", "to": "$to_zone", "owner": "$who"},
            "desanexe {n} anexo<|s> de {from} {to} de {owner}[: {filter}]",
            "detach {n} attachment<|s> of {from} {to} of {owner}[: {filter}]",
        ),
        (
            {"op": "swap_card", "a": "$cards", "b": "$cards", "keep": "$kepts?", "revert_at": "$end?"},
            "troque {a} por {b}[, mantendo {keep}][ {revert_at}]",
            "exchange {a} for {b}[, keeping {keep}][ {revert_at}]",
        ),
        (
            {"op": "activate_card", "cards": "$cards", "free": "$freely?", "as_own": "$as_yours?"},
            "ative {cards}[, {free}][, {as_own}]",
            "activate {cards}[, {free}][, {as_own}]",
        ),
        (
            {"op": "add_counter", "counter": "$counter", "to": "$thing", "n": "$count=1"},
            "adicione {n} {counter} a {to}",
            "put {n} {counter} counter<|s> on {to}",
        ),
        (
            {"op": "remove_counter", "counter": "all", "from": "$thing", "n": "=1"},
            "remova os {COUNTER} de {from}",
            "remove the counters from {from}",
        ),
        (
            {"op": "remove_counter", "counter": "chosen", "from": "$thing", "n": "$count=1"},
            "remova {n} {COUNTER} à escolha de {from}",
            "remove {n} counter<|s> of your choice from {from}",
        ),
        (
            {"op": "remove_counter", "counter": "$counter", "from": "$thing", "n": "$count=1", "bind": "$bound?"},
            "remova {n} {counter} de {from}[ (chame de {bind})]",
            "remove {n} {counter} counter<|s> from {from}[ (call it {bind})]",
        ),
        (
            {
                "op": "remove_counter",
                "counter": "$counter",
                "from": "$thing",
                "n": "$count=1",
                "bind": "$bound?",
                "if_none": "$block",
            },
            "remova {n} {counter} de {from}[ (chame de {bind})]; se não restar nenhum, {if_none}",
            "remove {n} {counter} counter<|s> from {from}[ (call it {bind})]; if none is left, {if_none}",
        ),
        (
            {"op": "move_counter", "counter": "$counter", "from": "$thing", "to": "$thing", "n": "$count=1"},
            "mova {n} {counter} de {from} para {to}",
            "move {n} {counter} counter<|s> from {from} to {to}",
        ),
    )


class KeptList(Listing):
    """A list that stays one with a single entry."""

    def read(self, reading: Any, place: int) -> Any:
        for end, tree in super().read(reading, place):
            yield end, tree if isinstance(tree, list) else [tree]


def _pieces(book: Book) -> None:
    book.add(
        "way",
        ("action_direction", "na direção da ação", "in the direction of the action"),
        ("away", "para longe", "away"),
        ("towards", "para perto", "closer"),
        ("chosen", "na direção que você escolher", "in the direction of your choice"),
    )
    book.add("steps_of", (1, "uma casa", "one tile"), ([0, 1], "até uma casa", "up to one tile"))
    book.add(
        "steps_of",
        ([0, "$b:amount"], "até {b} casas", "up to {b} tiles"),
        (["$a:amount", "$b:amount"], "de {a} a {b} casas", "{a} to {b} tiles"),
    )
    book.add("steps_of", ("$n:amount", "{n} casas", "{n} tiles"))
    book.add("far", ([0, "$b:amount"], "até {b} de distância", "up to a distance of {b}"))
    book.add("far", (["$a:amount", "$b:amount"], "de {a} a {b} de distância", "a distance of {a} to {b}"))
    book.add("far", ("$n:amount", "{n} de distância", "a distance of {n}"))
    book.add("possibly", (True, "se possível", "if possible"), (False, "sem falta", "without fail"))
    book.add("costly", (False, "pagando o movimento", "paying for the movement"), (True, "sem custo", "at no cost"))
    more: dict[str, Any] = {"dir": "$way?", "to": "$tile?", "free": "$costly?", "if_possible": "$possibly?"}
    pt, en = "[ {dir}][ para {to}][, {free}][, {if_possible}]", "[ {dir}][ to {to}][, {free}][, {if_possible}]"
    for mode, verb, english, told in (
        ("walk", "mova", "move", "moves"),
        ("push", "empurre", "push", "pushes"),
        ("place", "posicione", "place", "places"),
    ):
        base: dict[str, Any] = {"op": "move_piece", "mode": mode, **more}
        for unit, measure in (("=tiles", "$steps_of?"), ("distance", "$far")):
            shape = {**base, "unit": unit, "n": measure}
            by = "[ {n}]" if measure.endswith("?") else " {n}"
            if mode == "walk":
                book.add("act", ({**shape, "who": "self"}, f"mova-se{by}{pt}", f"move{by}{en}"))
                book.add(
                    "act", ({**shape, "who": "$who"}, f"{{who}} move<|m>-se{by}{pt}", f"{{who}} <{told}|{english}>{by}{en}")
                )
            else:
                words = (pt, en)
                if mode == "place":
                    words = pt.replace("[ para {to}]", "[ em {to}]"), en.replace("[ to {to}]", "[ on {to}]")
                    book.add("act", ({**shape, "who": "self"}, f"posicione-se{by}{words[0]}", f"place yourself{by}{words[1]}"))
                book.add("act", ({**shape, "who": "$who"}, f"{verb} {{who}}{by}{words[0]}", f"{english} {{who}}{by}{words[1]}"))
    book.leaves["piece"] = Either("who", "objects")
    book.add(
        "act",
        ({"op": "swap_pieces", "a": "$who", "b": "$piece"}, "{a} e {b} trocam de lugar", "{a} and {b} swap places"),
        ({"op": "remove_piece", "who": "$piece"}, "remova {who} do tabuleiro", "remove {who} from the board"),
        ({"op": "summon_piece", "sheet": "$sheet", "at": "$tile"}, "evoque {sheet} em {at}", "summon {sheet} on {at}"),
        (
            {"op": "place_object", "name": "$name", "at": "$tile", "n": "$count=1", "hp": "$amount?", "movable": "$movable?"},
            "coloque {n} objeto<|s> {name}[, com {hp} de {HP}][, {movable}], em {at}",
            "place {n} object<|s> {name}[, with {hp} HP][, {movable}], on {at}",
        ),
    )
    book.add("movable", (True, "que pode ser movido", "that can be moved"), (False, "fixo", "fixed"))
    names = Attribute.__members__
    slots = [f"${name.lower()}:int" for name in names]
    english = ", ".join(f"{name} {{{name.lower()}}}" for name in names)
    book.add("attributes", (slots, ", ".join(f"{{{name}}} {{{name.lower()}}}" for name in names), english))
    book.add(
        "sheet",
        (
            {
                "name": "$name",
                "kind": "$ctype?",
                "level": "$int?",
                "hp": "$amount?",
                "attrs": "$attributes?",
                "techniques": "$sheet_techniques?",
            },
            "{name}[ ({kind})][ de nível {level}][ com {hp} de {HP}][ com Atributos {attrs}][ e técnicas {techniques}]",
            "{name}[ ({kind})][ of level {level}][ with {hp} HP][ with attributes {attrs}][ and techniques {techniques}]",
        ),
    )
    book.leaves["sheet_techniques"] = KeptList("sheet_technique", pt=("; ", "; "), en=("; ", "; "))
    book.add("bar_attr", (None, "sem Atributo", "no attribute"), ("$a:attr", "{a}", "{a}"))
    book.add("bar_dice", (None, "sem dados", "no dice"), ("$d:dice", "{d}", "{d}"))
    book.add("bar_number", (None, "0 fixo", "fixed 0"), ("$n:int", "{n}", "{n}"))
    book.add(
        "sheet_technique",
        (
            {"damage": ["$a:bar_attr", "$n:bar_number", "$d:bar_dice"], "range": ["$r:range", "$x:int"], "ap": "$int"},
            "{DMG} {a} + {n} + {d}, alcance {r} {x}, {ap} de {AP}",
            "damage {a} + {n} + {d}, range {r} {x}, {ap} AP",
        ),
    )


def _tiles(book: Book) -> None:
    book.add(
        "act",
        (
            {"op": "tile_mod", "tiles": "$tile", "q": "alt", "add": "$bonus", "until": "$end?"},
            "{add} de {ALT} em {tiles}[ {until}]",
            "{add} altitude on {tiles}[ {until}]",
        ),
        (
            {"op": "tile_mod", "tiles": "$tile", "q": "alt", "set": "$amount", "until": "$end?"},
            "a {ALT} de {tiles} passa a ser {set}[ {until}]",
            "the altitude of {tiles} becomes {set}[ {until}]",
        ),
        (
            {"op": "tile_rule", "tiles": "$tile", "rule": "$terrain", "until": "$end?"},
            "{tiles} vira terreno de {rule}[ {until}]",
            "{tiles} turns into {rule}[ {until}]",
        ),
        (
            {"op": "link_tile", "card": "$cards", "tile": "$tile", "until": "$end?"},
            "ligue {card} a {tile}[ {until}]",
            "tie {card} to {tile}[ {until}]",
        ),
    )

"""The words of the effect language that are no sentences: names, numbers, lists of names, and the closed vocabularies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from apotheosis.env.cards.language import names
from apotheosis.env.cards.scalars import DICE
from apotheosis.env.cards.text import lexicon as lex
from apotheosis.env.cards.text import notation
from apotheosis.env.cards.text.prose import Book, Leaf, NoPhrase, Reading, Said
from apotheosis.env.vocabulary import Rarity, Specifier


class Pattern(Leaf):
    """What a regular expression finds.

    Args:
        pattern: the expression; its first group holds what is found.
        write: returns the words of a value in both languages, or None.
        read: returns the value that was found, or None.
    """

    def __init__(self, pattern: str, write: Callable[[Any], tuple[str, str] | None], read: Callable[[str], Any]):
        self.pattern, self._write, self._read = re.compile(pattern), write, read

    def write(self, book: Book, tree: Any) -> Said:
        words = self._write(tree)
        if words is None:
            raise NoPhrase(tree)
        return Said(*words)

    def read(self, reading: Reading, place: int) -> Iterator[tuple[int, Any]]:
        found = self.pattern.match(reading.text, place)
        if found is not None:
            value = self._read(found.group(1))
            if value is not None:
                yield found.end(), value


class Listing(Leaf):
    """One or several things; one alone stands for itself.

    Args:
        item: the rule of each.
        pt: what stands between two, and before the last.
        en: the same in English.
        least: how many make a list.
    """

    def __init__(self, item: str, pt: tuple[str, str] = (", ", " ou "), en: tuple[str, str] = (", ", " or "), least: int = 1):
        self.item, self.pt, self.en, self.least = item, pt, en, least

    def write(self, book: Book, tree: Any) -> Said:
        parts = [book.said(self.item, one) for one in (tree if isinstance(tree, list) else [tree])]
        if len(parts) < self.least:
            raise NoPhrase(tree)
        return Said(_joined([part.pt for part in parts], self.pt), _joined([part.en for part in parts], self.en))

    def read(self, reading: Reading, place: int) -> Iterator[tuple[int, Any]]:
        for end, items, _ in self._more(reading, place):
            if len(items) >= self.least:
                yield end, items[0] if len(items) == 1 and self.least == 1 else items

    def _more(self, reading: Reading, place: int) -> Iterator[tuple[int, list[Any], bool]]:
        """Yields the lists that can begin here; those that go on do so after a comma."""
        for end, first in reading.all(self.item, place):
            yield end, [first], False
            if reading.starts(self.pt[1], end):
                for stop, last in reading.all(self.item, end + len(self.pt[1])):
                    yield stop, [first, last], True
            if self.pt[0] != self.pt[1] and reading.starts(self.pt[0], end):
                for stop, rest, closed in self._more(reading, end + len(self.pt[0])):
                    if closed:
                        yield stop, [first, *rest], True
            elif self.pt[0] == self.pt[1] and reading.starts(self.pt[0], end):
                for stop, rest, _ in self._more(reading, end + len(self.pt[0])):
                    if len(rest) > 1:
                        yield stop, [first, *rest], True


def _joined(parts: list[str], between: tuple[str, str]) -> str:
    return parts[0] if len(parts) == 1 else between[0].join(parts[:-1]) + between[1] + parts[-1]


class Either(Leaf):
    """The first of several rules that has words."""

    def __init__(self, *rules: str):
        self.rules = rules

    def write(self, book: Book, tree: Any) -> Said:
        for rule in self.rules:
            try:
                return book.said(rule, tree)
            except NoPhrase:
                continue
        raise NoPhrase(tree)

    def read(self, reading: Reading, place: int) -> Iterator[tuple[int, Any]]:
        for rule in self.rules:
            yield from reading.all(rule, place)


_QUOTED = "“([^”]*)”"
_TAG_MACROS = {tag: macro for macro, tag in lex.TAG_MACROS.items()}


def _quoted(name: Any) -> tuple[str, str] | None:
    return (f"“{name}”", f"“{name}”") if isinstance(name, str) and "”" not in name else None


def _bound(name: Any) -> tuple[str, str] | None:
    return _quoted(name) if isinstance(name, str) and names.is_bound_name(name) else None


def _tag(name: Any) -> tuple[str, str] | None:
    if not isinstance(name, str):
        return None
    macro = _TAG_MACROS.get(name, name.upper())
    return ("{" + macro + "}", name) if macro.isalpha() and lex.macro_tag(macro) == name else None


def _open(prefix: str) -> tuple[Callable[[Any], tuple[str, str] | None], Callable[[str], str]]:
    def write(name: Any) -> tuple[str, str] | None:
        if not isinstance(name, str) or not names.OPEN_NAME.match(name):
            return None
        return "{" + f"{prefix}_{name}" + "}", name.replace("_", " ").title()

    return write, str


def _number(n: Any) -> tuple[str, str] | None:
    return (str(n), str(n)) if isinstance(n, int) and not isinstance(n, bool) and n >= 0 else None


def _signed(n: Any) -> tuple[str, str] | None:
    return (f"{n:+d}", f"{n:+d}") if isinstance(n, int) and not isinstance(n, bool) else None


def _dice(name: Any) -> tuple[str, str] | None:
    return ("{D_" + name + "}", name) if name in DICE else None


def _raw(tree: Any) -> tuple[str, str] | None:
    texts = notation.write(tree, "pt"), notation.write(tree, "en")
    return None if any("⟩" in text for text in texts) else (f"⟨{texts[0]}⟩", f"⟨{texts[1]}⟩")


def _raw_back(text: str) -> Any:
    try:
        return notation.read(text, "pt")
    except ValueError:
        return None


def add_words(book: Book) -> None:
    """Adds names, numbers and the closed vocabularies to a book."""
    leaves = book.leaves
    leaves["name"] = Pattern(_QUOTED, _quoted, str)
    leaves["bound"] = Pattern(_QUOTED, _bound, lambda text: text if names.is_bound_name(text) else None)
    leaves["tagmacro"] = Pattern(r"\{([A-Z]+)\}", _tag, lex.macro_tag)
    leaves["tag"] = Either("tagmacro", "name")
    leaves["tags"] = Listing("tag")
    leaves["anytags"] = Listing("tag", least=2)
    leaves["nottags"] = Listing("tag", pt=(", ", " nem "))
    leaves["marker"] = Pattern(r"\{MARKER_([A-Z0-9_]+)\}", *_open("MARKER"))
    leaves["counter"] = Pattern(r"\{COUNTER_([A-Z0-9_]+)\}", *_open("COUNTER"))
    leaves["int"] = Pattern(r"(\d+)\b", _number, int)
    leaves["plus"] = Pattern(r"([+-]\d+)\b", _signed, int)
    leaves["dice"] = Pattern(r"\{D_(\d+D\d+)\}", _dice, lambda text: text if text in DICE else None)
    leaves["raw"] = Pattern(r"⟨([^⟩]*)⟩", _raw, _raw_back)
    _vocabularies(book)


def _vocabularies(book: Book) -> None:
    for rule, table in (("attr", {name: name for name in lex.ATTRIBUTES}), ("know", lex.KNOWLEDGES), ("suit", lex.SUITS),
                        ("path", lex.PATHS), ("order", lex.ORDERS), ("range", lex.RANGES)):  # fmt: skip
        macros = {"{" + name.upper() + "}": name for name in table.values()}
        book.add(rule, *((name, macro, name) for macro, name in macros.items()))
        if rule not in ("order", "range", "path"):
            book.leaves[rule + "s"] = Listing(rule)
    book.add("path", ("Absent", "nenhum Caminho", "no Path"))
    for name in lex.CRAFTS.values():
        book.add("craftmacro", (name, "{" + name.upper() + "}", name))
    book.leaves["craft"] = Either("craftmacro", "name")
    book.add("specifier", *((name, "{" + name.upper() + "}", name) for name in Specifier.__members__))
    rarities = ("Comum", "Incomum", "Rara", "Épica", "Lendária")
    book.add("rarity", *((name, pt, name) for name, pt in zip(Rarity.__members__, rarities, strict=True)))
    book.add("lignum", ("same", "deste Lignum", "of the same Lignum"))
    for name in lex.LIGNUMS:
        book.add("lignum", (name.replace(" ", ""), f"do Lignum {name}", f"of the Lignum {name}"))
    book.add("colour", *((name, "{" + name + "}", f"{name.title()} Essence") for name in lex.COLOURS))
    book.add("energy", ("SP", "{SP}", "SP"), ("MP", "{MP}", "MP"))
    book.add("energy", ("ENERGY", "{ENERGY}", "energy"), ("ESSENCE", "Essência", "Essence"))
    book.leaves["res1"] = Either("energy", "colour")
    book.leaves["energies"] = Listing("res1", pt=(", ", " e/ou "), en=(", ", " and/or "))
    book.add("vital", ("HP", "{HP}", "HP"), ("AP", "{AP}", "AP"))
    book.leaves["res"] = Either("vital", "res1")
    book.add("currency", *((name, "{" + name + "}", name) for name in lex.CURRENCIES))
    book.leaves["currencies"] = Listing("currency")
    book.add(
        "slot", ("equipment", "{EQUIP}", "equipment"), ("memento", "{MEM}", "Memento"), ("support", "{SUPPORT}", "support")
    )
    book.add("slot", ("entity", "{ENTITY}", "Entity"), ("inventory", "{INV}", "inventory"))
    terrains = {
        "field": ("{FIELD}", "field"), "rock": ("rocha", "rock"), "swamp": ("pântano", "swamp"), "sand": ("areia", "sand"),
        "ice": ("gelo", "ice"), "silver_ice": ("gelo prateado", "silver ice"), "aqua": ("{AQUA}", "water"),
        "blocked": ("bloqueio", "blocked ground"), "disabled": ("vazio", "void"),
    }  # fmt: skip
    book.add("terrain", *((name, *words) for name, words in terrains.items()))
    _places(book)
    _ends(book)


PLACES: dict[str, tuple[str, str, str]] = {
    "inventory": ("o {INV}", "inventory", "in"),
    "equipment": ("o {EQUIP}", "equipment area", "in"),
    "memento": ("o {MEM}", "Memento area", "in"),
    "support": ("o {SUPPORT}", "support area", "in"),
    "sheet": ("a {SHEET}", "sheet", "on"),
    "entity_slot": ("o espaço de {ENTITY}", "Entity slot", "in"),
    "table": ("a {TABLE}", "table", "on"),
    "attachments": ("os anexos", "attachments", "among"),
    "scenario": ("o {SCENARIO}", "scenario", "in"),
    "discard": ("a pilha de descarte", "discard pile", "in"),
    "deck": ("o baralho", "deck", "in"),
    "deck_top": ("o topo do baralho", "top of the deck", "at"),
    "deck_bottom": ("o fundo do baralho", "bottom of the deck", "at"),
    "extra": ("a Zona Extra", "Extra Zone", "in"),
    "limbo": ("o limbo", "limbo", "in"),
    "banished": ("a zona de banidas", "banished zone", "in"),
}
"""Zones: Portuguese with article, English, and the English word for being there."""
DECK_WORDS = {
    "market": "o {MARKET}", "academy": "a {ACADEMY}", "bestiary": "o {BESTIARY}", "sanctuary": "o {SANCTUARY}",
    "tavern": "a {TAVERN}", "cradle": "o {FACTORS}", "rift": "a {WOUND}", "discard": "a pilha de descarte",
    "inventory": "o {INV}", "deck": "o baralho", "own_chosen": "um dos seus baralhos",
}  # fmt: skip
_OWN = {"o": "o seu", "a": "a sua", "os": "os seus", "as": "as suas"}


def own(noun: str) -> str:
    """Returns a Portuguese noun with its article as something of yours."""
    article, _, rest = noun.partition(" ")
    return f"{_OWN[article]} {rest}"


def _places(book: Book) -> None:
    for zone, (pt, en, at) in PLACES.items():
        whole = en if zone == "limbo" else f"the {en}"
        yours = f"the {en.replace('the', 'your')}" if " of the " in en else f"your {en}"
        book.add("in_zone", (zone, f"em {pt}", f"{at} {whole}"))
        book.add("to_zone", (zone, f"para {pt}", f"to {whole}"))
        book.add("to_own_zone", (zone, f"para {own(pt)}", f"to {yours}"))
        book.add("from_zone", (zone, f"vinda de {pt}", f"from {whole}"))
        book.add("of_zone", (zone, f"de {pt}", f"{at} {whole}"))
        book.add("of_own_zone", (zone, f"de {own(pt)}", f"{at} {yours}"))
        book.add("zone_of", (zone, f"de {pt}", en))
    for rule in ("of_zone", "of_own_zone", "zone_of"):
        book.leaves[rule + "s"] = Listing(rule)
    for deck, pt in DECK_WORDS.items():
        en = {"own_chosen": "one of your decks", "discard": "the discard pile", "cradle": "the Cradle"}.get(deck)
        en = en or (f"the {deck}" if deck in ("inventory", "deck") else f"the {deck.title()}")
        book.add("source", (deck, pt, en))
        book.add("from_source", (deck, f"de {pt}", f"from {en}"))
    book.leaves["sources"] = Listing("from_source")


def _ends(book: Book) -> None:
    book.add(
        "at",
        ("this_roll", "nesta rolagem", "in this roll"),
        ("this_check", "neste teste", "in this check"),
        ("this_attack", "neste ataque", "in this attack"),
        ("end_of_turn", "até o final do turno", "until the end of the turn"),
        ("end_of_round", "até o final da rodada", "until the end of the round"),
        ("start_of_your_next_turn", "até o início do seu próximo turno", "until the start of your next turn"),
        ("end_of_next_turn", "até o final do seu próximo turno", "until the end of your next turn"),
        ("start_of_target_next_turn", "até o início do próximo turno do alvo", "until the start of the target's next turn"),
        ("end_of_target_next_turn", "até o final do próximo turno do alvo", "until the end of the target's next turn"),
        ("end_of_battle", "até o final da batalha", "until the end of the battle"),
        ("while_this_in_zone", "enquanto esta carta estiver em jogo", "while this card is in play"),
        ({"rounds": 1}, "por 1 rodada", "for 1 round"),
        ({"rounds": "$amount"}, "por {rounds} rodadas", "for {rounds} rounds"),
        ({"stints": 1}, "por 1 ciclo", "for 1 stint"),
        ({"stints": "$amount"}, "por {stints} ciclos", "for {stints} stints"),
        ({"while_this_in_zone": "$in_zone"}, "enquanto esta carta estiver {while_this_in_zone}",
         "while this card is {while_this_in_zone}"),
        ({"while_counter": ["this", "$n:counter"]}, "enquanto esta carta possuir {n}", "while this card has {n} counters"),
        ({"marker_lost": ["$w:who", "$m:marker"]}, "até que {w} perca<|m> o {m}", "until {w} <loses|lose> the marker {m}"),
    )  # fmt: skip
    book.leaves["ends"] = Listing("at", pt=(", ", " ou "), least=2)
    book.add("until", ({"any_of": "$ends"}, "{any_of}", "{any_of}"))
    book.leaves["end"] = Either("at", "until")

"""Words for cards and for what damage, checks and rolls come from.

Cards have three forms: `cards` words all that a filter fits or a number of them, `card` one of them ("uma carta de
{ITEM}"), `kind` the same without an article.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apotheosis.env.cards.text.prose import Book, Leaf, Reading, Said
from apotheosis.env.cards.text.prose_words import Listing

_SINGLE = (
    ("this", "esta carta", "this card"),
    ("event.card", "a respectiva carta", "that card"),
    ("event.body", "a carta do respectivo personagem", "the card of that character"),
    ("target", "a carta selecionada", "the selected card"),
    ("$k:bound", "a carta {k}", "the card {k}"),
)
_FILTERS: dict[str, Any] = {
    "suit": "$suits?", "category": "$category?", "kind": "$ctype?", "order": "$order?", "rarity": "$rarity?",
    "knowledge": "$knows?", "tag": "$tag?", "any_tag": "$anytags?", "craft": "$craft?", "effect_named": "$effect_name?",
    "specifier": "$specifier?", "summus": "$name?", "lignum": "$lignum?", "path": "$path?", "range": "$range?",
    "level": "$amount?", "level_le": "$amount?", "level_ge": "$amount?", "value_le": "$amount?", "cost": "$card_cost?",
    "has_damage": "$damaging?", "exhausted": "$turned?", "face_down": "$faced?", "has_counter": "$counter?", "top": "$int?",
    "usable": "$able?", "copy_of": "$twin?",
    "same_as": "$same?", "from": "$from_zone?", "to": "$to_zone?", "not": "$other?",
}  # fmt: skip
_PT = (
    "[ de {suit}][ {category}][ do tipo {kind}][ da ordem {order}][ de raridade {rarity}][ de {knowledge}][ com {tag}]"
    "[ com {any_tag}][ de {craft}][ com o efeito {effect_named}][ {specifier}][ do Summus {summus}][ {lignum}]"
    "[ do Caminho {path}][ com alcance {range}][ de nível {level}][ de até nível {level_le}][ de nível mínimo {level_ge}]"
    "[ de valor até {value_le}][ de custo {cost}][ {has_damage}][ {exhausted}][ {face_down}][ com {has_counter}]~"
    "[ entre as primeiras {top}][ {usable}][ {copy_of}][ {same_as}][ {from}][ {to}][ {not}]"
)
_EN = (
    "[ of the type {kind}][ of the order {order}][ of {rarity} rarity][ of {knowledge}][ with {tag}]"
    "[ with {any_tag}][ of {craft}][ with the effect {effect_named}][ for the {specifier} slot][ of the Summus {summus}]"
    "[ {lignum}][ of the Path {path}][ with {range} range][ of level {level}][ of level {level_le} or less]"
    "[ of level {level_ge} or more][ worth up to {value_le}][ that cost {cost}][ {has_damage}][ {exhausted}][ {face_down}]"
    "[ with {has_counter} counters]~[ among the first {top}][ {usable}][ {copy_of}][ {same_as}][ {from}][ {to}][ {not}]"
)


def counted(without: tuple[str, ...] = ()) -> tuple[dict[str, Any], str, str]:
    """Returns the filters of a number of cards and their words: `{n} carta(s) ...`.

    Args:
        without: filters that are left out.
    """
    pt, en = _PT.replace("~", ""), _EN.replace("~", "")
    for key in without:
        pt, en = pt.replace(f"[ {{{key}}}]", ""), en.replace(f"[ {{{key}}}]", "")
    shape = {key: slot for key, slot in _FILTERS.items() if key not in without}
    return shape, f"{{n}} carta<|s>{pt}", f"{{n}} [{{category}} ][{{suit}} ]card<|s>{en}"


_WHERE: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({}, "", ""),
    ({"zone": "$of_zones"}, " {zone}", " {zone}"),
    ({"zone": "$of_own_zones", "of": "self"}, " {zone}", " {zone}"),
    ({"zone": "$zone_ofs", "of": "$owner"}, " {zone} de {of}", " in {of's:{zone}}"),
    ({"of": "self"}, " suas", " of yours"),
    ({"of": "$owner"}, " de {of}", " of {of}"),
)
_EFFECTS = {
    "Weather": "CLIMA", "Consumable": "CONSUMÍVEL", "Projectile": "PROJÉTIL", "Countable": "CONTÁVEL", "Encounter": "ENCONTRO",
    "Explosive": "EXPLOSIVO", "Mount": "MONTARIA",
}  # fmt: skip


def add_cards(book: Book) -> None:
    """Adds cards and sources to a book."""
    _words(book)
    book.subject("cards", "card", "kind")
    for form in ("cards", "card", "kind", "chosen"):
        book.add(form, *_SINGLE)
    bind = {"bind": "$bound?"}
    for where, pt_where, en_where in _WHERE:
        filters = {**_FILTERS, **where}
        pt, en = _PT.replace("~", pt_where), _EN.replace("~", en_where)
        book.add("cards", (filters, f"as cartas{pt}^", f"[{{category}} ][{{suit}} ]cards{en}^"))
        book.add("card", ({**filters, "suit": "$a_suits"}, f"uma carta{pt}", f"{{suit}} card[ of the {{category}} kind]{en}"))
        book.add("card", (without_suit(filters), f"uma carta{pt.replace('[ de {suit}]', '')}", f"a[ {{category}}] card{en}"))
        book.add("kind", (filters, f"carta{pt}", f"[{{category}} ][{{suit}} ]card{en}"))
        for form in ("cards", "chosen"):
            words = (f"{{n}} carta<|s>{pt}", f"{{n}} [{{category}} ][{{suit}} ]card<|s>{en}")
            if form == "chosen":
                words = (f"{words[0]}[ (chame de {{bind}})]", f"{words[1]}[ (call it {{bind}})]")
            book.add(form, ({**filters, "n": "$count_f", **(bind if form == "chosen" else {})}, *words))
        words = (
            f"uma carta qualquer{pt}[ (chame de {{bind}})]",
            f"any [{{category}} ][{{suit}} ]card{en}[ (call it {{bind}})]",
        )
        book.add("chosen", ({**filters, **bind}, *words))
    single = {"card": "$single_card", **_FILTERS}
    for where, pt_where, en_where in _WHERE:
        pt, en = _PT.replace("~", pt_where), _EN.replace("~", en_where)
        for form in ("cards", "card", "kind", "chosen"):
            more = {"n": "$count_f?", **bind} if form == "chosen" else {"n": "$count_f?"}
            tail = (
                ("[ ({n})][ (chame de {bind})]", "[ ({n})][ (call it {bind})]")
                if form == "chosen"
                else ("[ ({n})]", "[ ({n})]")
            )
            shape = {**single, **where, **more}
            book.add(
                form, (shape, "{card}" + pt + tail[0], "{card}[ of the suit {suit}][ of the {category} kind]" + en + tail[1])
            )
    _sources(book)


def without_suit(filters: dict[str, Any]) -> dict[str, Any]:
    """Returns the filters of cards but for the suit."""
    return {key: slot for key, slot in filters.items() if key != "suit"}


class _An(Leaf):
    """A rule whose English words get an article."""

    def __init__(self, rule: str):
        self.rule = rule

    def write(self, book: Book, tree: Any) -> Said:
        said = book.said(self.rule, tree)
        return Said(said.pt, ("an " if said.en[:1] in "AEIOU" else "a ") + said.en)

    def read(self, reading: Reading, place: int) -> Iterator[tuple[int, Any]]:
        yield from reading.all(self.rule, place)


def _words(book: Book) -> None:
    book.leaves["a_suits"] = _An("suits")
    book.add("single_card", *_SINGLE)
    book.add("owner", ("team", "todos do seu time", "everybody in your team"), ("$w:who", "{w}", "{w}"))
    book.add("category", ("resource", "de recurso", "resource"), ("sheet", "de ficha", "sheet"))
    book.add("ctype", *((name, "{" + name.upper() + "}", name) for name in ("Human", "Creature", "Summon", "Watcher")))
    book.add("effect_name", *((name, pt, name) for name, pt in _EFFECTS.items()), ("$x:name", "{x}", "{x}"))
    book.add("damaging", (True, "que causam {DMG}", "that deal damage"), (False, "que não causam {DMG}", "that deal no damage"))
    book.add("turned", (True, "em estado consumido", "that are exhausted"), (False, "em estado recuperado", "that are ready"))
    book.add("faced", (True, "viradas para baixo", "that lie face down"), (False, "viradas para cima", "that lie face up"))
    book.add("able", (True, "cujo requisito o dono possui", "whose requirement the owner meets"))
    book.add("able", (False, "cujo requisito o dono não possui", "whose requirement the owner does not meet"))
    book.add("twin", ("other_allies", "de que outros do seu time possuem cópia", "of which others of your team have a copy"))
    book.add("same", ("this", "iguais a esta", "with the same name as this one"))
    book.add(
        "other", ("this", "além desta", "other than this one"), ("$k:bound", "além da carta {k}", "other than the card {k}")
    )
    bounds = (("ap_le", "até {x} de {AP}", "up to {x} AP"), ("ap_ge", "pelo menos {x} de {AP}", "at least {x} AP"),
              ("energy_le", "até {x} de {ENERGY}", "up to {x} energy"),
              ("energy_ge", "pelo menos {x} de {ENERGY}", "at least {x} energy"),
              ("sp_le", "até {x} de {SP}", "up to {x} SP"), ("sp_ge", "pelo menos {x} de {SP}", "at least {x} SP"))  # fmt: skip
    for key, pt, en in bounds:
        book.add("card_cost", ({key: "$x:int"}, pt, en))
    for first, pt, en in bounds:
        for second, pt2, en2 in bounds:
            if first < second:
                words = f"{pt} e {pt2.replace('{x}', '{y}')}", f"{en} and {en2.replace('{x}', '{y}')}"
                book.add("card_cost", ({first: "$x:int", second: "$y:int"}, *words))


_BY: dict[str, Any] = {
    "normal_attack": "$normal?", "attack": "$attacking?", "technique": "$technique?", "suit": "$suits?", "knowledge": "$knows?",
    "lacked_knowledge": "$lacked?", "attr": "$attrs?", "tag": "$tag?", "any_tag": "$anytags?", "craft": "$craft?",
    "effect_named": "$effect_name?", "range": "$range?", "lignum": "$lignum?", "level": "$int?", "card": "$cards?",
    "from_back": "$back?", "from_back_or_side": "$sides?", "distance_ge": "$int?", "distance_le": "$int?", "cause": "$cause?",
}  # fmt: skip
_BY_PT = (
    "[ {normal_attack}][ {attack}][ {technique}][ de {suit}][ de {knowledge}][ {lacked_knowledge}][ de {attr}][ com {tag}]"
    "[ com {any_tag}][ de {craft}][ com o efeito {effect_named}][ com alcance {range}][ {lignum}][ de nível {level}]"
    "[ com {card}][ {from_back}][ {from_back_or_side}][ a {distance_ge} ou mais de distância]"
    "[ a {distance_le} ou menos de distância][ {cause}]"
)
_BY_EN = (
    "[ {normal_attack}][ {attack}][ {technique}][ with {suit} cards][ using {knowledge}][ {lacked_knowledge}][ using {attr}]"
    "[ with {tag}][ with {any_tag}][ of {craft}][ with the effect {effect_named}][ with {range} range][ {lignum}]"
    "[ of level {level}][ with {card}][ {from_back}][ {from_back_or_side}][ from a distance of {distance_ge} or more]"
    "[ from a distance of {distance_le} or less][ {cause}]"
)


def _sources(book: Book) -> None:
    book.add(
        "normal",
        (True, "em Ataques Normais", "with Normal Attacks"),
        (False, "fora de Ataques Normais", "other than Normal Attacks"),
    )
    book.add("attacking", (True, "em ataques", "with attacks"), (False, "fora de ataques", "outside attacks"))
    book.add(
        "technique",
        ("this", "com esta técnica", "with this technique"),
        (True, "com técnicas", "with techniques"),
        (False, "sem técnicas", "without techniques"),
    )
    book.add(
        "lacked",
        (True, "de {KNOWLEDGE} que não possui", "of a knowledge that is not known"),
        (False, "de {KNOWLEDGE} que possui", "of a knowledge that is known"),
    )
    book.add("back", (True, "pelas costas", "from the back"), (False, "não pelas costas", "not from the back"))
    book.add(
        "sides",
        (True, "pelas costas ou pelos lados", "from the back or the side"),
        (False, "pela frente", "from the front"),
    )
    book.add("cause", ("effect", "por um efeito", "by an effect"), ("cost", "como custo", "as a cost"))
    # the words begin with the space that parts them from what stands before
    book.add("source_of", (_BY, _BY_PT, _BY_EN))
    book.leaves["bys"] = Listing("source_of", pt=(",", " ou"), en=(",", " or"), least=2)
    book.add("by", ({"any": "$bys"}, "{any}", "{any}"))
    book.add("by", (_BY, _BY_PT, _BY_EN))
    book.add("by", ({**_BY, "any": "$bys"}, f"{_BY_PT} entre:{{any}}", f"{_BY_EN} among:{{any}}"))

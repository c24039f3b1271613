"""Words for modifiers: what they change, by how much, for whom, from what, and until when."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from apotheosis.env.cards.text.prose import Book, Leaf, NoPhrase, Reading, Said
from apotheosis.env.cards.text.prose_cards import counted
from apotheosis.env.cards.text.prose_quantities import BONUSES, FLAGS, QUANTITIES
from apotheosis.env.cards.text.prose_words import Listing
from apotheosis.env.vocabulary import Attribute

_REST: dict[str, Any] = {
    "by": "$by?",
    "against": "$one?",
    "card": "$cards?",
    "per": "$per?",
    "cap": "$amount?",
    "floor": "$amount?",
    "if": "$condition?",
    "while": "$condition?",
    "when": "$moment?",
    "until": "$end?",
}
_REST_PT = (
    "[{by}][ contra {against}]@[{per}][, até o máximo de {cap}][, até o mínimo de {floor}][, {when}][, se {if}]"
    "[, enquanto {while}][ {until}]"
)
_REST_EN = (
    "[{by}][ against {against}]@[{per}][, up to {cap}][, down to {floor}][, {when}][, if {if}][, while {while}][ {until}]"
)


def add_mods(book: Book) -> None:
    """Adds modifiers to a book."""
    _words(book)
    _common(book)
    _special(book)
    _rules(book)
    _numbers(book)
    book.leaves["step_mod"] = _Step()


class _Step(Leaf):
    """The instruction that makes a modifier: the words of the modifier itself."""

    def write(self, book: Book, tree: Any) -> Said:
        if tree.get("op") != "mod":
            raise NoPhrase(tree)
        return book.said("modifier", {key: value for key, value in tree.items() if key != "op"})

    def read(self, reading: Reading, place: int) -> Iterator[tuple[int, Any]]:
        yield from ((end, {"op": "mod", **tree}) for end, tree in reading.all("modifier", place))


def _words(book: Book) -> None:
    moments = {
        "target_selection": ("ao selecionar o alvo", "when selecting the target"),
        "placing": ("ao posicionar", "when placing"),
        "activation": ("ao ativar", "when activating"),
        "checking": ("em testes", "in checks"),
    }
    book.add("moment", *((name, *words) for name, words in moments.items()))
    times: dict[str, Any] = {"times": "$part_times?"}
    book.leaves["part_times"] = book.leaves["num"]
    x = "[ ({times} vezes)]", "[ ({times} times)]"
    book.add(
        "per",
        ({"cards": "$kind", **times}, " para cada {cards}" + x[0], " for each {cards}" + x[1]),
        ({"chars": "$each", **times}, " para cada {chars}" + x[0], " for each {chars}" + x[1]),
        (
            {"counter": "$counter", "of": "it", **times},
            " para cada {counter} nas cartas dele" + x[0],
            " for each {counter} counter on its cards" + x[1],
        ),
        (
            {"counter": "$counter", "of": "it", "neighbours": True, **times},
            " para cada {counter} nas cartas dele e nas do seu time em casas adjacentes a ele" + x[0],
            " for each {counter} counter on its cards and on those of its team in adjacent tiles" + x[1],
        ),
        (
            {"counter": "$counter", **times},
            " para cada {counter} nesta carta" + x[0],
            " for each {counter} counter on this card" + x[1],
        ),
        (
            {"counter": "$counter", "of": "this", **times},
            " para cada {counter} nesta própria carta" + x[0],
            " for each {counter} counter on this very card" + x[1],
        ),
        (
            {"counter": "$counter", "of": "$who", **times},
            " para cada {counter} nas cartas de {of}" + x[0],
            " for each {counter} counter on the cards of {of}" + x[1],
        ),
        ({"markers": "$who", **times}, " para cada {MARKER} de {markers}" + x[0], " for each marker of {markers}" + x[1]),
        (
            {"tiles_between": ["$a:who", "$b:who"], **times},
            " para cada casa entre {a} e {b}" + x[0],
            " for each tile between {a} and {b}" + x[1],
        ),
        (
            {"altitude_diff": ["$a:who", "$b:who"], **times},
            " para cada ponto de {ALT} de {a} acima de {b}" + x[0],
            " for each step of altitude of {a} above {b}" + x[1],
        ),
        (
            {"empty_slots": "$slot", **times},
            " para cada espaço vazio no {empty_slots}" + x[0],
            " for each empty {empty_slots} slot" + x[1],
        ),
        (
            {"empty_slots": "$slot", "of": "self", **times},
            " para cada espaço vazio no seu {empty_slots}" + x[0],
            " for each of your empty {empty_slots} slots" + x[1],
        ),
        (
            {"empty_slots": "$slot", "of": "$who", **times},
            " para cada espaço vazio no {empty_slots} de {of}" + x[0],
            " for each empty {empty_slots} slot of {of}" + x[1],
        ),
        ({"amount": "$amount", **times}, " para cada ponto de: {amount}" + x[0], " for each point of: {amount}" + x[1]),
    )


def _rest(card: bool = True, without: tuple[str, ...] = ()) -> tuple[dict[str, Any], str, str]:
    """Returns the optional parts of a modifier with their words; `card` tells whether the cards are named here."""
    shape = {key: slot for key, slot in _REST.items() if key not in without and (card or key != "card")}
    told = ("[, envolvendo {card}]", "[, involving {card}]") if card else ("", "")
    pt, en = _REST_PT.replace("@", told[0]), _REST_EN.replace("@", told[1])
    if not card:
        pt, en = pt.replace("[{by}]", "[, quando usado{by}]"), en.replace("[{by}]", "[, when used{by}]")
    for key in without:
        for one in ("[{%s}]", "[ contra {%s}]", "[ against {%s}]"):
            pt, en = pt.replace(one % key, ""), en.replace(one % key, "")
    return shape, pt, en


def _common(book: Book) -> None:
    """Damage and checks, the most frequent of all."""
    rest, pt, en = _rest()
    some, pt_some, en_some = _rest(without=("by",))
    for on in ({"on": "=none"}, {"on": "$who"}):
        alone = on["on"] == "=none"
        deals = ("", "") if alone else ("{on} causa<|m> ", "{on} <deals|deal> ")
        shape = {"q": "damage.dealt", "add": "$bonus", **on, **rest}
        book.add("modifier", (shape, f"{deals[0]}{{add}} de {{DMG}}{pt}", f"{deals[1]}{{add}} damage{en}"))
        for change, pt_much, en_much, pt_less, en_less in (
            ({"add": "$bonus"}, "{add} de {DMG}", "{add} damage", "{add} no {DMG} sofrido", "{add} to damage suffered"),
            (
                {"mul": "half"},
                "metade do {DMG}",
                "half of the damage",
                "metade do {DMG} sofrido",
                "half of the damage suffered",
            ),
            ({"mul": 0}, "nenhum {DMG}", "no damage", "nenhum {DMG} sofrido", "no damage suffered"),
        ):
            words = (pt_less, en_less) if alone else (f"{{on}} sofre<|m> {pt_much}", f"{{on}} <suffers|suffer> {en_much}")
            shape = {"q": "damage.taken", **change, **on, "by": "$from_what?", **some}
            book.add("modifier", (shape, f"{words[0]}[ {{by}}]{pt_some}", f"{words[1]}[ {{by}}]{en_some}"))
        gets = ("", "") if alone else ("{on} recebe<|m> ", "{on} <gets|get> ")
        for q, noun, english in (("check.bonus", "testes", "checks"), ("roll.bonus", "rolagens", "rolls")):
            for by, pt_of, en_of in (
                ({"attr": "$attrs"}, "{attr}", "{attr}"),
                ({"knowledge": "$knows"}, "{knowledge}", "{knowledge}"),
                ({"knowledge": "$knows", "attr": "$attrs"}, "{knowledge} + {attr}", "{knowledge} + {attr}"),
                ({"any": "$mixed"}, "{any}", "{any}"),
            ):
                shape = {"q": q, "add": "$bonus", **on, "by": by, **some}
                noun_of = f"{noun} que sejam de" if "any" in by else f"{noun} de"
                book.add(
                    "modifier",
                    (
                        shape,
                        f"{gets[0]}{{add}} em {noun_of} {pt_of}{pt_some}",
                        f"{gets[1]}{{add}} to {en_of} {english}{en_some}",
                    ),
                )
        shape = {"q": "knowledge", "add": "$bonus", **on, "by": {"knowledge": "$knows"}, **some}
        book.add("modifier", (shape, f"{gets[0]}{{add}} em {{knowledge}}{pt_some}", f"{gets[1]}{{add}} {{knowledge}}{en_some}"))
    book.add("mixed_one", ({"knowledge": "$know"}, "{knowledge}", "{knowledge}"), ({"attr": "$attr"}, "{attr}", "{attr}"))
    book.add("mixed_one", ({"tag": "$tagmacro"}, "{tag}", "{tag}"), ({"suit": "$suit"}, "{suit}", "{suit}"))
    book.leaves["mixed"] = Listing("mixed_one", least=2)
    book.add(
        "from_what",
        ({"attack": True}, "de ataques", "from attacks"),
        ({"normal_attack": True}, "de Ataques Normais", "from Normal Attacks"),
        ({"tag": "$tag"}, "de {tag}", "from {tag}"),
        ({"any_tag": "$anytags"}, "de {any_tag}", "from {any_tag}"),
        ({"range": "$range"}, "de ataques {range}", "from {range} attacks"),
        ("$b:by", "vindo{b}", "coming{b}"),
    )


def _special(book: Book) -> None:
    """Rules of cards with words of their own."""
    this = {"card": "this"}
    filters, pt, en = counted()
    ammunition = {"q": "cost.discard", "set": {"n": "$count_f", "filter": filters}, **this, "when": "target_selection"}
    book.add(
        "modifier",
        (
            ammunition,
            f"para selecionar um alvo para esta carta, descarte {pt}",
            f"to select a target for this card, discard {en}",
        ),
    )
    book.add(
        "modifier",
        (
            {"q": "rule.unique_keyword", "set": "$tag"},
            "você pode ter apenas uma carta com {set} na sua {TABLE}",
            "you may have only one card with {set} on your table",
        ),
    )
    book.add(
        "modifier",
        (
            {"q": "rule.not_in_support", "set": True, **this},
            "esta carta não pode ser adicionada ao {SUPPORT}",
            "this card cannot be put into the support area",
        ),
    )
    book.add(
        "modifier",
        (
            {"q": "requirement.knowledge", "set": "waived", "card": "$cards"},
            "você pode usar {card} sem possuir o {KNOWLEDGE}",
            "you may use {card} without the knowledge",
        ),
    )
    for name in Attribute.__members__:
        book.add(
            "modifier",
            (
                {"q": "requirement.attr", "set": {name: "$n:int"}, **this},
                f"você precisa ter {{n}} ou mais de {{{name}}} para equipar esta carta",
                f"you need {{n}} or more {name} to equip this card",
            ),
        )
    for deck, (pt, en) in {
        "market": ("um {MARKET}", "a Market"),
        "academy": ("uma {ACADEMY}", "an Academy"),
        "bestiary": ("um {BESTIARY}", "a Bestiary"),
        "sanctuary": ("um {SANCTUARY}", "a Sanctuary"),
        "tavern": ("uma {TAVERN}", "a Tavern"),
    }.items():
        book.add(
            "modifier",
            (
                {"q": "requirement.place", "set": {deck: "$n:int"}, **this},
                f"você precisa estar em {pt} de nível {{n}} ou mais para equipar esta carta",
                f"you must be in {en} of level {{n}} or more to equip this card",
            ),
        )
    book.add(
        "modifier",
        (
            {"q": "check.result_floor", "set": "$num"},
            "se você obtiver menos de {set} em um teste, considere como {set}",
            "if you get less than {set} in a check, it counts as {set}",
        ),
    )
    book.add(
        "modifier",
        (
            {"q": "check.result_floor", "set": "$num", "on": "$who"},
            "se {on} obtiver<|em> menos de {set} em um teste, considere como {set}",
            "if {on} <gets|get> less than {set} in a check, it counts as {set}",
        ),
    )
    book.add(
        "modifier",
        (
            {"q": "value.as", "set": "$currencies", "card": "$cards"},
            "{card} conta<|m> como {set}",
            "{card} <counts|count> as {set}",
        ),
    )
    _others(book)


def _others(book: Book) -> None:
    below = {"q": "attr.min", "set": "$num"}
    book.add("modifier", (below, "Atributos menores que {set} passam a ser {set}", "attributes below {set} become {set}"))
    book.add(
        "modifier",
        (
            {**below, "on": "$who"},
            "Atributos de {on} menores que {set} passam a ser {set}",
            "attributes of {on} below {set} become {set}",
        ),
    )
    for q, value, on, pt, en in (
        ("piece.present", False, {"on": "=none"}, "esta carta não possui peça", "this card has no piece"),
        ("piece.present", False, {"on": "$who"}, "{on} não possui<|em> peça", "{on} <has|have> no piece"),
        ("domain.present", False, {"on": "=none"}, "não há área de domínio", "there is no domain area"),
        ("domain.present", False, {"on": "$who"}, "{on} não possui<|em> área de domínio", "{on} <has|have> no domain area"),
    ):
        book.add("modifier", ({"q": q, "set": value, **on}, pt, en))
    for zone, macro in (("equipment", "{EQUIP}"), ("memento", "{MEM}"), ("support", "{SUPPORT}")):
        book.add(
            "modifier",
            (
                {"q": "cost.zone_move", "set": "$num", "card": {"to": zone}},
                f"adicionar uma carta ao {macro} custa {{set}} de {{AP}}",
                f"putting a card into the {zone} area costs {{set}} AP",
            ),
        )
        book.add(
            "modifier",
            (
                {"q": "cost.zone_move", "set": "$num", "card": {"from": zone}},
                f"remover uma carta do {macro} custa {{set}} de {{AP}}",
                f"removing a card from the {zone} area costs {{set}} AP",
            ),
        )


_NARROWED: dict[str, tuple[tuple[Any, str, str], ...]] = {
    "untargetable": (
        ("any_action", " de nenhuma ação", " of any action"),
        ("attack", " de ataques", " of attacks"),
        ("item", " de {ITEM}", " of Items"),
        ("skill", " de {SKILL}", " of Skills"),
    ),
    "cannot_target": (("attack", " para ataques", " for attacks"), ("$raw", " {set}", " {set}")),
    "cannot_obtain_marker": (("$marker", ": {set}", ": {set}"),),
    "move_to": (("$to_zone", ": {set}", ": {set}"),),
    **{
        flag: (("$tags", ": {set}", ": {set}"), ("$raw", " {set}", " {set}"))
        for flag in ("unique_keyword", "immune", "cannot_activate", "cannot_equip", "ignore_markers")
    },
}
"""Values that narrow a rule, with the words that follow its verb."""
_WITH_CARDS = ("cannot_activate", "cannot_equip")


def _rules(book: Book) -> None:
    rest, pt, en = _rest()
    for flag, words in FLAGS.items():
        for on, pt_on, en_on in (({"on": "=none"}, "", ""), ({"on": "$who"}, "{on} ", "{on} ")):
            pt_verb, en_verb = pt_on + words[0], en_on + words[1]
            if on["on"] == "=none":
                pt_verb, en_verb = _formed(pt_verb), _formed(en_verb)
            shape = {"q": f"rule.{flag}", **on, **rest}
            if flag in _WITH_CARDS:
                told = pt_verb.replace("cartas", "{card}"), en_verb.replace("cards", "{card}")
                less, pt_less, en_less = _rest(card=False)
                bare = {"q": f"rule.{flag}", **on, **less, "card": "$cards", "set": True}
                book.add("modifier", (bare, told[0] + pt_less, told[1] + en_less))
            book.add("modifier", ({**shape, "set": True}, pt_verb + pt, en_verb + en))
            if flag not in _NARROWED:
                book.add(
                    "modifier", ({**shape, "set": False}, f"não vale que {pt_verb}{pt}", f"it does not hold that {en_verb}{en}")
                )
            for value, pt_value, en_value in _NARROWED.get(flag, ()):
                book.add("modifier", ({**shape, "set": value}, pt_verb + pt_value + pt, en_verb + en_value + en))


def _formed(text: str) -> str:
    """Returns words without a subject, in the form for a single one."""
    return re.sub(r"<([^|<>]*)\|[^<>]*>", r"\1", text)


_CARD_NOUNS = ("cost.", "range.", "value.", "slot.", "requirement.", "check.knowledge")
_VERBS = {"o": ("", "é", "o"), "a": ("", "é", "a"), "os": ("m", "são", "os"), "as": ("m", "são", "as")}
"""By the article of a quantity: the ending of its verb, the form of "ser" and the ending of its participle."""


def _numbers(book: Book) -> None:
    for q, (pt, en) in QUANTITIES.items():
        article, _, noun = pt.partition(" ")
        cards = "_of_cards" if q.startswith(_CARD_NOUNS) else ""
        book.add("dice_quantity" if q.endswith(".dice") else f"quantity_{article}{cards}", (q, noun, en))
    for q, words in BONUSES.items():
        book.add("bonus_of_cards" if q.startswith(_CARD_NOUNS) else "bonus_in", (q, *words))
    for cards in ("", "_of_cards"):
        rest, pt, en = _rest(card=not cards)
        of = ({"card": "$cards?"}, "[ de {card}]", "[ of {card}]") if cards else ({}, "", "")
        for on in ({"on": "=none"}, {"on": "$who"}):
            alone = on["on"] == "=none"
            gets = ("", "") if alone else ("{on} recebe<|m> ", "{on} <gets|get> ")
            shape = {"q": "$bonus_of_cards" if cards else "$bonus_in", "add": "$bonus", **on, **rest, **of[0]}
            book.add("modifier", (shape, f"{gets[0]}{{add}} {{q}}{of[1]}{pt}", f"{gets[1]}{{add}} {{q}}{of[2]}{en}"))
            for article, (m, to_be, ending) in _VERBS.items():
                rule = f"quantity_{article}{cards}"
                if rule not in book.rows:
                    continue
                noun = (f"{article} {{q}}", "the {q}") if alone else (f"{{on's:{article} {{q}}}}", "{on's:{q}}")
                s, be = ("", "are") if m else ("s", "is")
                for key, value, pt_verb, en_verb in (
                    ("add", "$bonus", f"recebe{m} {{add}}", f"change{s} by {{add}}"),
                    ("mul", "half", f"{to_be} reduzid{ending} à metade", f"{be} halved"),
                    ("mul", "$amount", f"{to_be} multiplicad{ending} por {{mul}}", f"{be} multiplied by {{mul}}"),
                    ("set", "$amount", f"passa{m} a ser {{set}}", f"become{s} {{set}}"),
                    ("set", "$special", f"passa{m} a ser {{set}}", f"become{s} {{set}}"),
                ):
                    shape = {"q": f"${rule}", **on, **rest, **of[0], key: value}
                    book.add("modifier", (shape, f"{noun[0]}{of[1]} {pt_verb}{pt}", f"{noun[1]}{of[2]} {en_verb}{en}"))
    rest, pt, en = _rest()
    for on, noun, english in (({"on": "=none"}, "os {q}", "the {q}"), ({"on": "$who"}, "{on's:os {q}}", "{on's:{q}}")):
        shape = {"q": "$dice_quantity", **on, **rest}
        book.add("modifier", ({**shape, "set": "$dice"}, f"{noun} passam a ser {{set}}{pt}", f"{english} become {{set}}{en}"))
        book.add(
            "modifier", ({**shape, "add": "$dice"}, f"{noun} recebem mais {{add}}{pt}", f"{english} gain another {{add}}{en}")
        )
    book.add(
        "special",
        (True, "presente", "present"),
        (False, "ausente", "absent"),
        ("waived", "dispensado", "waived"),
        ("$x:attr", "{x}", "{x}"),
        ("$x:range", "{x}", "{x}"),
        ("$x:currencies", "{x}", "{x}"),
        ("$x:raw", "{x}", "{x}"),
    )

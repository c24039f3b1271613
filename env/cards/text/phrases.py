"""Phrases of card text below the clause: numbers, macros, lists, amounts and durations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apotheosis.env.cards.text import lexicon as lex
from apotheosis.env.cards.text.base import SUBJECT, G
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.tokens import Token

# ---------------------------------------------------------------------------------------------------------------- numbers


def token_at(parse: Parse, place: int) -> Token | None:
    """Return the token at a place, None behind the last."""
    return parse.tokens[place] if place < len(parse.tokens) else None


def _class_reader(name: str, mark: str) -> None:
    @G.reader(name, mark)
    def read(parse: Parse, place: int) -> Iterator[tuple[int, Any]]:
        token = token_at(parse, place)
        if token is not None and token.text == mark:
            yield place + 1, token.value


for _name, _mark in {"atleast": "#+", "atmost": "#-", "signed": "±", "name": "<name>", "techname": "<tech>"}.items():
    _class_reader(_name, _mark)


@G.reader("num", "#", *lex.NUMBER_WORDS)
def _num(parse: Parse, place: int) -> Iterator[tuple[int, Any]]:
    token = token_at(parse, place)
    if token is not None and isinstance(token.value, int) and (token.text == "#" or token.text in lex.NUMBER_WORDS):
        yield place + 1, token.value


@G.reader("int", "#")
def _int(parse: Parse, place: int) -> Iterator[tuple[int, Any]]:
    token = token_at(parse, place)
    if token is not None and token.text == "#":
        yield place + 1, token.value


@G.reader("bonus", "±", "+", "um", "bonus")
def _bonus(parse: Parse, place: int) -> Iterator[tuple[int, Any]]:
    """A signed number or dice, which may be called a bonus before or behind it."""
    words = [token.text for token in parse.tokens[place : place + 3]]
    named = 3 if words == ["um", "bonus", "de"] else 2 if words[:2] == ["bonus", "de"] else 0
    token = token_at(parse, place + named)
    ends: list[tuple[int, Any]] = []
    if token is not None and token.text == "±":
        ends = [(place + named + 1, token.value)]
    if token is not None and token.text == "+":
        ends = parse.all("dice", place + named + 1)
    for end, value in ends:
        yield end, value
        if [token.text for token in parse.tokens[end : end + 2]] == ["de", "bonus"]:
            yield end + 2, value


@G.rule("bound", "<atleast:n>", "<num:n> ou (mais | maior)", "(pelo menos | no minimo) <num:n>", test="ge")
@G.rule("bound", "<atmost:n>", "<num:n> ou (menos | menor)", "(ate | no maximo) <num:n>", test="le")
@G.rule("bound", "(mais | acima) (de | que) <num:n>", test="gt")
@G.rule("bound", "(menos | abaixo) (de | que) <num:n>", test="lt")
def _bound(parse: Parse, n: int, test: str) -> tuple[str, int]:
    return test, n


def _macro(parse: Parse, place: int) -> str | None:
    token = token_at(parse, place)
    return token.text[1:-1] if token is not None and token.text.startswith("{") else None


def _macro_reader(name: str, meaning: Any) -> None:
    @G.reader(name, "{")
    def read(parse: Parse, place: int) -> Iterator[tuple[int, Any]]:
        macro = _macro(parse, place)
        value = None if macro is None else meaning(macro)
        if value is not None:
            yield place + 1, value


def _item(macro: str) -> dict[str, str] | None:
    """The filter that one macro stands for in a list of kinds of attacks, checks or cards."""
    for key, table in (("knowledge", lex.KNOWLEDGES), ("craft", lex.CRAFTS), ("range", lex.RANGES), ("kind", lex.KINDS)):
        if macro in table:
            return {key: table[macro]}
    if macro in lex.ATTRIBUTES:
        return {"attr": macro}
    if macro in lex.ORDERS:
        return {"order": lex.ORDERS[macro]}
    if macro in lex.SPECIFIERS:
        return {"specifier": lex.SPECIFIERS[macro]}
    if macro in lex.PATHS:
        return {"path": lex.PATHS[macro]}
    tag = lex.macro_tag(macro)
    return None if tag is None else {"tag": tag}


_macro_reader("item", _item)
_macro_reader("attr", lambda m: m if m in lex.ATTRIBUTES else None)
_macro_reader("know", lex.KNOWLEDGES.get)
_macro_reader("tag", lex.macro_tag)
_macro_reader("suit", lex.SUITS.get)
_macro_reader("kind", lex.KINDS.get)
_macro_reader("order", lex.ORDERS.get)
_macro_reader("zonemac", lex.ZONES.get)
_macro_reader("deckmac", lex.DECKS.get)
_macro_reader("currency", lambda m: m if m in lex.CURRENCIES else None)
_macro_reader("colour", lambda m: m if m in lex.COLOURS else None)
_macro_reader("onenergy", lambda m: m if m in lex.ENERGIES else None)
_macro_reader("rangetype", lex.RANGES.get)
_macro_reader("dice", lambda m: f"dice({m[2:]})" if m.startswith("D_") else None)
_macro_reader("marker", lambda m: m[7:] if m.startswith("MARKER_") else None)
_macro_reader("counter", lambda m: m[8:] if m.startswith("COUNTER_") else None)

G.table("sep", {", e / ou": 0, ", e": 0, ", ou": 0, ",": 0, "e / ou": 0, "e": 0, "ou": 0})
G.table("of", dict.fromkeys(("de", "do", "da", "dos", "das"), 0))
G.table("in", dict.fromkeys(("em", "no", "na", "nos", "nas"), 0))
G.table("to", dict.fromkeys(("a", "ao", "as", "aos", "para", "para o", "para a", "para os", "para as"), 0))
G.table("art", dict.fromkeys(("o", "a", "os", "as", "um", "uma"), 0))
G.table("poss", dict.fromkeys(("seu", "sua", "seus", "suas"), 0))
G.table("every", {"todo": 0, "toda": 0, "todos os": 0, "todas as": 0, "cada": 0, "todo o": 0, "toda a": 0})


@G.rule("items", "<item:one>")
def _items_one(parse: Parse, one: dict[str, str]) -> list[dict[str, str]]:
    return [one]


@G.rule("items", "<item:one> <sep> <items:more>")
def _items_more(parse: Parse, one: dict[str, str], more: list[dict[str, str]]) -> list[dict[str, str]]:
    return [one, *more]


@G.rule("energies", "<onenergy:one>")
@G.rule("energies", "<onenergy:one> (e / ou | ou) <onenergy:two>")
def _energies(parse: Parse, one: str, two: str | None = None) -> Any:
    return [one] if two is None else REFUSE if one == two else [one, two]


@G.rule("bothenergies", "<onenergy:one> e <onenergy:two>")
def _both_energies(parse: Parse, one: str, two: str) -> Any:
    return REFUSE if one == two else [one, two]


@G.rule("attrs", "<attr:one>")
def _attrs_one(parse: Parse, one: str) -> list[str]:
    return [one]


@G.rule("attrs", "<attr:one> (, | e | , e) <attrs:more>")
def _attrs_more(parse: Parse, one: str, more: list[str]) -> list[str]:
    return [one, *more]


# ---------------------------------------------------------------------------------------------------------------- amounts


@G.rule("amt", "<num:n>", "<dice:n>", "lp <sum:n> rp")
def _amount(parse: Parse, n: Any) -> Any:
    return n


@G.rule("sum", "<term:a>")
def _sum_one(parse: Parse, a: Any) -> Any:
    return a


@G.rule("sum", "<term:a> + <term:b>")
def _sum_two(parse: Parse, a: Any, b: Any) -> str:
    return f"add({a},{b})"


@G.rule("sum", "<term:a> + <term:b> + <dice:c>", "<term:a> <signed:b> + <dice:c>")
def _sum_three(parse: Parse, a: Any, b: Any, c: str) -> str:
    return f"add({a},{b},{c})"


@G.rule("sum", "<term:a> + <dice:b>", "<term:a> <plusdice:b>")
def _sum_dice(parse: Parse, a: Any, b: Any) -> str:
    return f"add({a},{b})"


G.rule("plusdice", "+ <dice:b>")(lambda parse, b: b)
G.rule("term", "<int:n>", "<dice:n>")(lambda parse, n: n)
G.rule("term", "<attr:a>")(lambda parse, a: f"attr({SUBJECT},{a})")
G.rule("term", "<know:k>", "[o] [seu] nivel de <know:k>")(lambda parse, k: f"know(self,{k})")
G.rule("term", "[o] [seu] nivel do heroi")(lambda parse: "level(self)")
G.rule("term", "<int:n> ✖ <dice:d>", "<int:n> ✖ lp <sum:d> rp")(lambda parse, n, d: f"mul({n},{d})")
G.rule("term", "<know:k> ✖ <int:n>", "<int:n> ✖ <know:k>")(lambda parse, k, n: f"mul({n},know(self,{k}))")
G.rule("term", "<attr:a> ✖ <int:n>", "<int:n> ✖ <attr:a>")(lambda parse, a, n: f"mul({n},attr({SUBJECT},{a}))")


@G.rule("term", "<attr:attr> / <int:by>")
def _half(parse: Parse, attr: str, by: int) -> Any:
    return f"half(attr({SUBJECT},{attr}))" if by == 2 else REFUSE


# -------------------------------------------------------------------------------------------------------------- durations

G.table("dur", {
    "durante este turno": "end_of_turn",
    "durante esta batalha": "end_of_battle",
    "ate o (fim | final) desta batalha": "end_of_battle",
    "ate o inicio do proximo turno deste personagem": "start_of_your_next_turn",
    "ate o final do proximo turno deste personagem": "end_of_next_turn",
    "ate o final (da batalha | do combate)": "end_of_battle",
    "(nesta | durante esta) rodada": "end_of_round",
    "ate o (final | fim) (do | deste | do seu) turno": "end_of_turn",
    "neste turno": "end_of_turn",
    "ate o (final | fim) (da rodada | do ciclo | desta rodada | deste ciclo)": "end_of_round",
    "ate o inicio do [seu] proximo turno [do usuario | seu]": "start_of_your_next_turn",
    "ate o final do [seu] proximo turno [do usuario]": "end_of_next_turn",
    "ate o inicio do proximo turno do alvo": "start_of_target_next_turn",
    "ate o final do proximo turno do alvo": "end_of_target_next_turn",
    "ate {ENDOFBATTLE}": "end_of_battle",
    "ate {YOURENDPHASE}": "end_of_turn",
    "ate {YOURSTARTPHASE}": "start_of_your_next_turn",
    "ate {ENDOFROUND}": "end_of_round",
})  # fmt: skip


@G.rule("dur", "ate {ENDOFBATTLE} ou o <marker:m> do alvo ser removido", who="target")
@G.rule("dur", "ate {ENDOFBATTLE} ou o <marker:m> de qualquer um dos alvos ser removido", who="any_target")
def _until_marker(parse: Parse, m: str, who: str) -> dict[str, Any]:
    return {"any_of": ["end_of_battle", {"marker_lost": [who, m]}]}


@G.rule("dur", "ate o inicio do proximo turno dele", own="start_of_your_next_turn", other="start_of_target_next_turn")
@G.rule("dur", "ate o final do proximo turno dele", own="end_of_next_turn", other="end_of_target_next_turn")
def _until_their_turn(parse: Parse, own: str, other: str) -> Any:
    """The next turn of the only character that the sentence names: this one, or the target."""
    words = [token.text for token in parse.tokens]
    target = "alvo" in words
    owner = ("este", "personagem") in zip(words, words[1:], strict=False)
    return REFUSE if target == owner else other if target else own

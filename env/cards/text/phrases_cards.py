"""Phrases that name kinds of cards and the zones they lie in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apotheosis.env.cards.text import lexicon as lex
from apotheosis.env.cards.text.base import G, any_of, merged
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.phrases import token_at


@G.rule("cards", "[carta | cartas] [<of>] <head:h> [<quals:q>]")
@G.rule("cards", "(carta | cartas) de recurso [<quals:q>]", resource=True)
@G.rule("cards", "(carta | cartas) <quals:q>")
def _cards(parse: Parse, h: dict[str, Any] | None = None, q: dict[str, Any] | None = None, resource: bool = False) -> Any:
    return REFUSE if resource and not q else merged(h, q, {"category": "resource"} if resource else None)


@G.rule("head", "<suit:s>")
def _head_suit(parse: Parse, s: str) -> dict[str, Any]:
    return {"suit": s}


@G.rule("head", "<kind:k>")
def _head_kind(parse: Parse, k: str) -> dict[str, Any]:
    return {"suit": "Companion", "kind": k}


@G.rule("head", "<order:o>")
def _head_order(parse: Parse, o: str) -> dict[str, Any]:
    return {"suit": "Entity", "order": o}


@G.rule("head", "<suit:a> (e / ou | ou | e) <suit:b>")
def _head_two(parse: Parse, a: str, b: str) -> dict[str, Any]:
    return {"suit": [a, b]}


@G.rule("head", "<items:i>")
def _head_items(parse: Parse, i: list[dict[str, str]]) -> Any:
    if any(set(one) & {"attr", "kind", "order", "range"} for one in i):
        return REFUSE
    return any_of(i)


@G.rule("head", "lp <suit:s> ➜ <item:i> rp")
def _head_path(parse: Parse, s: str, i: dict[str, str]) -> Any:
    return {"suit": s, **i} if "path" in i else REFUSE


@G.rule("head", "lp <item:s> ➜ <int:n> rp", key="level")
@G.rule("head", "lp <item:s> ➜ <atmost:n> rp", key="level_le")
def _head_item_level(parse: Parse, s: dict[str, str], n: int, key: str) -> Any:
    return {**s, key: n} if set(s) <= {"craft", "tag", "knowledge"} else REFUSE


@G.rule("head", "lp <suit:s> ➜ <int:n> rp", key="level")
@G.rule("head", "lp <suit:s> ➜ <atmost:n> rp", key="level_le")
def _head_level(parse: Parse, s: str, n: int, key: str) -> dict[str, Any]:
    return {"suit": s, key: n}


@G.rule("quals", "<qual:one>")
def _quals_one(parse: Parse, one: dict[str, Any]) -> dict[str, Any]:
    return one


@G.rule("quals", "<qual:one> [,] <quals:more>")
def _quals_more(parse: Parse, one: dict[str, Any], more: dict[str, Any]) -> Any:
    return merged(one, more)


@G.rule("qual", "de <items:i>", "com a propriedade <items:i>", "com <items:i>", "com as propriedades <items:i>")
def _qual_items(parse: Parse, i: list[dict[str, str]]) -> Any:
    return REFUSE if any(set(one) & {"kind", "order", "specifier"} for one in i) else any_of(i)


@G.rule("qual", "<rangetype:r>")
def _qual_range(parse: Parse, r: str) -> dict[str, Any]:
    return {"range": r}


@G.rule("qual", "do caminho <item:i>", "de caminho <item:i>")
def _qual_path(parse: Parse, i: dict[str, str]) -> Any:
    return i if "path" in i else REFUSE


@G.rule("qual", "[de] nivel <int:n>", key="level")
@G.rule("qual", "[de] ate nivel <int:n>", "[de] nivel <atmost:n>", "[de] nivel ate <int:n>", key="level_le")
@G.rule("qual", "[de] nivel <atleast:n>", "[de] nivel <int:n> ou (mais | maior | superior)", key="level_ge")
def _qual_level(parse: Parse, n: int, key: str) -> dict[str, Any]:
    return {key: n}


@G.rule("qual", "de mesmo nivel")
def _qual_same_level(parse: Parse) -> dict[str, Any]:
    """Of the level of the card that the window is about; an effect without such a window is refused as a whole."""
    return {"level": "level(event.card)"}


@G.rule("qual", "com o efeito <effect:a> ou <effect:b>")
def _qual_effects(parse: Parse, a: str, b: str) -> dict[str, Any]:
    return any_of([{"effect_named": a}, {"effect_named": b}])


@G.rule("qual", "de <effect:e>")
@G.rule("qual", "com o efeito <effect:e>")
def _qual_effect(parse: Parse, e: str) -> dict[str, Any]:
    return {"effect_named": e}


@G.rule("qual", "cujo atributo base seja <attr:a>")
def _qual_base(parse: Parse, a: str) -> dict[str, Any]:
    return {"attr": a}


@G.rule("qual", "que (custe | custem) <atleast:n> [de {AP}]", "que (custe | custem) <int:n> ou mais [de {AP}]")
def _qual_cost(parse: Parse, n: int) -> dict[str, Any]:
    return {"cost": {"ap_ge": n}}


@G.rule("qual", "(com | de) ate <int:n> de (valor | {PRICE})")
def _qual_price(parse: Parse, n: int) -> dict[str, Any]:
    return {"value_le": n}


@G.rule("qual", "(com custo de | que custe | que custem) ate <int:n> de <energies:e>")
def _qual_energy(parse: Parse, n: int, e: list[str]) -> dict[str, Any]:
    return {"cost": {"energy": e, "le": n}}


@G.rule("qual", "do lignum <lignum:l>", "deste lignum")
def _qual_lignum(parse: Parse, l: str | None = None) -> Any:  # noqa: E741
    family = l or parse.context.lignum
    return REFUSE if family is None else {"lignum": family}


@G.reader("lignum", "<name>")
def _lignum_name(parse: Parse, place: int) -> Iterator[tuple[int, str]]:
    token = token_at(parse, place)
    if token is not None and token.text == "<name>":
        name = lex.fold(str(token.value))
        known = {lex.fold(one): one for one in lex.LIGNUMS} | lex.LIGNUM_NAMES
        if name in known:
            yield place + 1, known[name]


@G.reader("effect", "<name>", *lex.EFFECT_NAMES)
def _effect_name(parse: Parse, place: int) -> Iterator[tuple[int, str]]:
    token = token_at(parse, place)
    if token is None:
        return
    word = lex.fold(str(token.value)) if token.text == "<name>" else token.text
    if word in lex.EFFECT_NAMES:
        yield place + 1, lex.EFFECT_NAMES[word]


@G.rule("fromzone", "(do | da | no | na | de | em) [<poss>] <zonemac:z>")
def _from_zone(parse: Parse, z: str) -> str:
    return z


@G.rule("fromzone", "(do | da) [<poss>] <zonemac:a> ou [(do | da)] <zonemac:b>")
def _from_either(parse: Parse, a: str, b: str) -> list[str]:
    return [a, b]


@G.rule("fromzone", "da [<poss>] pilha de descarte", "na [<poss>] pilha de descarte", "em [<poss>] pilha de descarte")
def _from_discard(parse: Parse) -> str:
    return "discard"


@G.rule("fromzone", "(anexada | anexado) a este carta", "em anexo [a este carta]")
def _from_attached(parse: Parse) -> str:
    return "attachments"


@G.rule("tozone", "(para | ao | a) [o | a] [<poss>] <zonemac:z>", "(no | na) [<poss>] <zonemac:z>")
def _to_zone(parse: Parse, z: str) -> str:
    return z


@G.rule("tozone", "(para | a | na) [a] [<poss>] pilha de descarte")
def _to_discard(parse: Parse) -> str:
    return "discard"


@G.rule("tozone", "(para | no | ao) [o] topo (do | de) [seu] baralho", to="deck_top")
@G.rule("tozone", "(para | no | ao) [o] fundo (do | de) [seu] baralho", to="deck_bottom")
def _to_deck(parse: Parse, to: str) -> str:
    return to


@G.rule("tozone", "(para | ao) [o] [<poss>] espaco [vazio] de {ENTITY}")
def _to_entity(parse: Parse) -> str:
    return "entity_slot"

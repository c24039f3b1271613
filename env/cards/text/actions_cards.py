"""Verb phrases that move, turn, draw, search and swap cards, and the cards that they speak of."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text import lexicon as lex
from apotheosis.env.cards.text.actions import GROUPS, chosen_by, do, target_needs
from apotheosis.env.cards.text.base import SUBJECT, G, Part, merged
from apotheosis.env.cards.text.grammar import REFUSE, Parse


@G.rule(
    "vp",
    "buscar <num:n> <cards:c> [no baralho] (do | no) <deckmac:d> e ENVIAR [-a] para [sua | seu] [respectiva] pilha de descarte",
    "buscar <num:n> carta [no baralho] (do | no) <deckmac:d> e ENVIAR [-a] para [sua | seu] [respectiva] pilha de descarte",
)
def _search_away(parse: Parse, n: int, d: str, c: dict[str, Any] | None = None) -> Part:
    return do({"op": "search", "from": d, **({"filter": c} if c else {}), "n": n, "to": "discard"})


@G.rule("vp", "ENVIAR <some:s> <tozone:z> para ADICIONAR seu valor em <currency:c> ao {DMG}")
def _send_for_value(parse: Parse, s: dict[str, Any], z: str, c: str) -> Any:
    if "zone" not in s or s.get("n") != 1:
        return REFUSE
    sent = {"op": "move_card", "cards": {"of": SUBJECT, **s}, "to": z, "bind": "c"}
    return do(sent, {"op": "mod", "q": "attack.damage", "add": f"value(c.{c})", "until": "this_attack"})


@G.rule("howmany", "<num:n>")
def _count(parse: Parse, n: int) -> Any:
    return n


@G.rule("howmany", "ate <num:n>", "<atmost:n>")
def _up_to(parse: Parse, n: int) -> Any:
    return [0, n]


G.table("howmany", {"todas as": "all", "todas as suas": "all", "qualquer": "all"})


@G.rule("some", "outro <cards:c> [<fromzone:z>]", "um outro <cards:c> [<fromzone:z>]")
def _another(parse: Parse, c: dict[str, Any], z: str | None = None) -> Any:
    both = merged({"zone": z} if z else None, c)
    return REFUSE if both is REFUSE else {**both, "not": "this", "n": 1}


@G.rule("some", "<howmany:n> <cards:c> [<fromzone:z>]")
@G.rule("some", "<howmany:n> <cards:c> [<fromzone:z>] <ofwho:w>")
@G.rule("some", "<howmany:n> carta [<fromzone:z>]")
@G.rule("some", "<howmany:n> carta de recurso [<fromzone:z>] [<ofwho:w>]", resource=True)
@G.rule("some", "<howmany:n> (carta | cartas) <fromzone:z> <ofwho:w>")
@G.rule("some", "<howmany:n> carta <ofwho:w>")
def _some(parse: Parse, n: Any, c: dict[str, Any] | None = None, z: Any = None, w: Any = None, resource: bool = False) -> Any:
    """The inventory holds nothing but resources."""
    kind = {"category": "resource"} if resource and z not in (None, "inventory") else None
    both = merged({"zone": z} if z else None, c, kind)
    return REFUSE if both is REFUSE else {**both, **({"of": w} if w else {}), "n": n}


@G.rule(
    "some",
    "<howmany:n> anexo [<quals:c>] [desta carta]",
    "<howmany:n> carta [<quals:c>] anexada a (esta carta | este personagem)",
    "<howmany:n> carta anexada [<quals:c>]",
    "<howmany:n> <cards:c> anexado a (esta carta | este personagem)",
)
def _attached(parse: Parse, n: Any, c: dict[str, Any] | None = None) -> dict[str, Any]:
    return {**(c or {}), "zone": "attachments", "of": parse.context.this_char, "n": n}


@G.rule("some", "<howmany:n> (carta | cartas) do topo do <deckmac:d>")
def _top(parse: Parse, n: Any, d: str) -> dict[str, Any]:
    return {"zone": "deck_top", "deck": d, "n": n}


@G.rule("somes", "<some:s>", "<some:s> de <selected:t>")
def _somebodys(parse: Parse, s: dict[str, Any], t: dict[str, Any] | None = None) -> Any:
    """Cards with the requirement to select whose they are."""
    if t is None:
        return s, []
    return REFUSE if "of" in s else ({**s, "of": "target"}, target_needs(t))


def _everybodys(op: dict[str, Any], needs: list[dict[str, Any]]) -> Part:
    """Return an instruction about cards; those of a group are handled one character after another."""
    owner = op["cards"].get("of")
    if isinstance(owner, dict) or owner in GROUPS:
        return do({"op": "for_each", "in": owner, "do": [{**op, "cards": {**op["cards"], "of": "it"}}]})
    return do(op, requires=needs)


@G.rule("vp", "(ENVIAR | ADICIONAR | COLOCAR | BAIXAR | DEVOLVER | RETORNAR) <somes:s> <tozone:z> [do mesmo | dele]")
def _send(parse: Parse, s: tuple[dict[str, Any], list[Any]], z: str) -> Any:
    cards, needs = s
    if "zone" not in cards and z == "inventory" and cards.get("of", SUBJECT) != SUBJECT:
        cards = {"zone": "table", **cards}  # what is in the hand already does not go there
    if "zone" not in cards:
        return REFUSE
    move = {"op": "move_card", "cards": {"of": SUBJECT, **cards}, "to": z}
    yours = [token.text for token in parse.here].count("seu") - (needs != [] and "time" in [t.text for t in parse.here])
    if cards.get("of", SUBJECT) not in (SUBJECT, parse.context.this_char) and yours:
        if z != "inventory" or yours > 1:
            return REFUSE  # whose place the card goes to
        return _everybodys({**move, "owner": "self"}, needs)
    return _everybodys(chosen_by(move), needs)


@G.rule("vp", "DESCARTAR <somes:s>", to="discard")
@G.rule("vp", "ENTERRAR <somes:s>", to="deck_bottom")
@G.rule("vp", "BANIR <somes:s>", to="banished")
def _throw(parse: Parse, s: tuple[dict[str, Any], list[Any]], to: str) -> Part:
    cards, needs = s
    return _everybodys(chosen_by({"op": "move_card", "cards": {"of": SUBJECT, **cards}, "to": to}), needs)


@G.rule("vp", "(RECUPERAR | levantar) <somes:s>", op="recover")
@G.rule("vp", "(CONSUMIR | DEITAR) <somes:s>", op="exhaust")
def _turn(parse: Parse, s: tuple[dict[str, Any], list[Any]], op: str) -> Any:
    cards, needs = s
    if set(cards) & {"specifier", "kind", "order"}:
        return REFUSE
    return _everybodys({"op": op, "cards": {"zone": "table", "of": SUBJECT, **cards}}, needs)


@G.rule("vp", "(PUXAR | COMPRAR) <num:n> (carta | cartas) (do | da) [baralho (do | da)] <deckmac:d>")
@G.rule("vp", "(PUXAR | COMPRAR) <num:n> (carta | cartas) [do seu baralho]")
def _draw_cards(parse: Parse, n: int, d: str | None = None) -> Part:
    """Without a named deck the personal deck is meant (R24.3)."""
    return do({"op": "draw", "who": SUBJECT, **({"deck": d} if d else {}), "n": n})


@G.rule("vp", "(PUXAR | COMPRAR) <num:n> carta de um [dos seus] baralho [que POSSUIR]")
def _draw_anywhere(parse: Parse, n: int) -> Part:
    return do({"op": "draw", "who": SUBJECT, "deck": "own_chosen", "n": n})


@G.rule(
    "vp",
    "(SELECIONAR | ESCOLHER) <num:n> <cards:c> do [baralho do] <deckmac:d> e ENVIAR (-o | -lo | -los | -a | -la | -las) "
    "para a pilha de descarte",
)
def _chosen_from_deck(parse: Parse, n: int, c: dict[str, Any], d: str) -> Part:
    return do({"op": "search", "from": d, "filter": c, "n": n, "to": "discard"})


@G.rule("vp", "EMBARALHAR o baralho")
def _shuffle_it(parse: Parse) -> Any:
    """The one deck that the sentence has named."""
    decks = {lex.DECKS[token.text[1:-1]] for token in parse.tokens if token.text[1:-1] in lex.DECKS}
    return do({"op": "shuffle", "deck": decks.pop()}) if len(decks) == 1 else REFUSE


@G.rule("vp", "EMBARALHAR [o] [baralho] (do | da) <deckmac:d>")
@G.rule("vp", "EMBARALHAR o seu baralho")
def _shuffle(parse: Parse, d: str | None = None) -> Part:
    return do({"op": "shuffle", **({"deck": d} if d else {})})


G.table("itforms", dict.fromkeys(("-a", "-o", "-la", "-lo"), 0))


@G.rule("vp", "(SELECIONAR | ESCOLHER) <somes:s> e DESCARTAR <itforms>", to="discard")
@G.rule("vp", "(SELECIONAR | ESCOLHER) <somes:s> e ENTERRAR <itforms>", to="deck_bottom")
@G.rule("vp", "(SELECIONAR | ESCOLHER) <somes:s> e BANIR <itforms>", to="banished")
def _chosen_away(parse: Parse, s: tuple[dict[str, Any], list[Any]], to: str) -> Any:
    cards, needs = s
    placed = "zone" in cards or "of" in cards
    return _everybodys({"op": "move_card", "cards": {"of": "self", **cards}, "to": to}, needs) if placed else REFUSE


@G.rule("vp", "(SELECIONAR | ESCOLHER) <somes:s> e RECUPERAR <itforms>", op="recover")
@G.rule("vp", "(SELECIONAR | ESCOLHER) <somes:s> e CONSUMIR <itforms>", op="exhaust")
def _chosen_turned(parse: Parse, s: tuple[dict[str, Any], list[Any]], op: str) -> Any:
    cards, needs = s
    if "zone" not in cards and "of" not in cards:
        return REFUSE
    return _everybodys({"op": op, "cards": {"zone": "table", "of": "self", **cards}}, needs)


@G.rule("vp", "(SELECIONAR | ESCOLHER) <some:s> e (ADICIONAR | ENVIAR | COLOCAR) [<itforms>] <tozone:z>")
def _chosen_sent(parse: Parse, s: dict[str, Any], z: str) -> Any:
    if "zone" not in s or "of" in s:
        return REFUSE
    return do({"op": "move_card", "cards": {"of": "self", **s}, "to": z})


@G.rule("acts", "se [(ele | este personagem | voce)] (POSSUIR | TER) <some:s> [,] DESCARTAR -a [(e | ,) <acts:a>]")
def _discard_held(parse: Parse, s: dict[str, Any], a: Part | None = None) -> Any:
    """A card that somebody must have is the one that is discarded then."""
    attached = s.get("zone") == "attachments"
    if s["n"] != 1 or "zone" not in s or set(a or {}) - {"do"} or any(t.text == "voce" for t in parse.here[:2]) == attached:
        return REFUSE
    held = {"of": "self", **s}
    filters = {key: value for key, value in held.items() if key != "n"}
    gone = {"op": "move_card", "cards": held, "to": "discard"}
    return do({"op": "if", "cond": {"has_card": filters}, "then": [gone, *(a or {}).get("do", [])]})


@G.rule(
    "vp",
    "OLHAR [as] <num:n> (carta | cartas) do topo (do | da) [baralho do | baralho da] <deckmac:d>",
    "OLHAR a carta do topo (do | da) [baralho do] <deckmac:d>",
)
def _look_top(parse: Parse, d: str, n: int = 1) -> Part:
    return do({"op": "look", "from": {"deck": d}, "n": n})


@G.rule("itself", "esta carta")
@G.rule("itself", "este {COMPANION}", "esta {SKILL}", "este {ITEM}")
def _itself(parse: Parse) -> str:
    return "this"


@G.rule("itself", "-a", "-la", "ela")
def _it(parse: Parse) -> Any:
    words = [t.text for t in parse.tokens]
    return "this" if any(a == "este" and b == "carta" for a, b in zip(words, words[1:], strict=False)) else REFUSE


@G.rule("vp", "(ENVIAR | ADICIONAR | COLOCAR | BAIXAR | DEVOLVER) <itself:c> [<fromzone:f>] <tozone:z>")
def _send_this(parse: Parse, c: str, z: str, f: str | None = None) -> Part:
    return do({"op": "move_card", "cards": c, "to": z}, **({"place": f} if f else {}))


@G.rule("vp", "DESCARTAR <itself:c>", to="discard")
@G.rule("vp", "ENTERRAR <itself:c>", to="deck_bottom")
@G.rule("vp", "BANIR <itself:c>", to="banished")
def _throw_this(parse: Parse, c: str, to: str) -> Part:
    return do({"op": "move_card", "cards": c, "to": to})


@G.rule("vp", "(RECUPERAR | levantar) <itself:c>", op="recover")
@G.rule("vp", "CONSUMIR <itself:c>", op="exhaust")
@G.rule("vp", "REVELAR <itself:c>", op="reveal")
def _turn_this(parse: Parse, c: str, op: str) -> Part:
    return do({"op": op, "cards": c})


@G.rule("vp", "OBTER <itself:c>")
def _obtain_this(parse: Parse, c: str) -> Part:
    return do({"op": "move_card", "cards": c, "to": "inventory"})


@G.rule("vp", "OBTER <num:n> <cards:c> da pilha de descarte", "OBTER <num:n> <cards:c>")
@G.rule("vp", "OBTER <num:n> carta [da [sua] pilha de descarte]")
def _from_pile(parse: Parse, n: int, c: dict[str, Any] = {}) -> Any:  # noqa: B006
    """Without a named source, to obtain is to take from the discard pile (R5.6)."""
    return do({"op": "move_card", "cards": {"zone": "discard", "of": "self", **c, "n": n}, "to": "inventory"})


@G.rule("vp", "OBTER <num:n> <cards:c> (do | da) <deckmac:d> <quals:q>")
def _search_more(parse: Parse, n: int, c: dict[str, Any], d: str, q: dict[str, Any]) -> Any:
    both = merged(c, q)
    return REFUSE if both is REFUSE else do({"op": "search", "from": d, "filter": both, "n": n, "to": "inventory"})


@G.rule("vp", "ENVIAR <num:n> <cards:c> do [<poss>] {INV} para o {INV} de outro heroi", where="inventory", who="others")
@G.rule("vp", "ENVIAR <num:n> <cards:c> do [<poss>] {INV} para o {EQUIP} do alvo", where="equipment", who=None)
def _give(parse: Parse, n: int, c: dict[str, Any], where: str, who: str | None) -> Part:
    op = {"op": "move_card", "cards": {"zone": "inventory", "of": "self", **c, "n": n}, "to": where, "owner": "target"}
    return do(op, requires=[] if who is None else target_needs({"chars": who, "kind": "Hero"}))


@G.rule("vp", "(ADICIONAR | OBTER) <num:n> <cards:c> [,] (do | da) <deckmac:d> [,] [ao [seu] {INV}]")
def _search(parse: Parse, n: int, c: dict[str, Any], d: str) -> Part:
    return do({"op": "search", "from": d, "filter": c, "n": n, "to": "inventory"})


@G.rule("vp", "ADICIONAR <num:n> <cards:c> [,] (do | da) <deckmac:d> [,] (ao | no) [seu] {SUPPORT}", to="support")
@G.rule(
    "vp",
    "(PROCURAR | BUSCAR) <num:n> <cards:c> (do | no) [baralho do] <deckmac:d> e ADICIONAR [-o | -a] ao [seu] {INV}",
    to="inventory",
)
@G.rule(
    "vp",
    "(PROCURAR | BUSCAR) <num:n> <cards:c> (do | no | em) [seu] baralho e ADICIONAR [<itforms>] ao [seu] {INV}",
    to="inventory",
    d="deck",
)
def _search_for(parse: Parse, n: int, c: dict[str, Any], d: str, to: str) -> Part:
    return do({"op": "search", "from": d, "filter": c, "n": n, "to": to})


@G.rule("vp", "ADICIONAR uma carta de nivel <int:l> [,] da <deckmac:d> [,] ao [seu] {INV}")
def _search_level(parse: Parse, l: int, d: str) -> Part:  # noqa: E741
    return do({"op": "search", "from": d, "filter": {"level": l}, "n": 1, "to": "inventory"})


@G.rule("vp", "TROCAR este {COMPANION} por outro com <tag:t> , no seu {INV} . ENVIAR os anexos para a outra carta")
def _swap(parse: Parse, t: str) -> Part:
    other = {"zone": "inventory", "suit": "Companion", "tag": t}
    return do({"op": "swap_card", "a": "this", "b": other, "keep": ["attachments"]})


@G.rule("vp", "TROCAR <some:a> por <some:b>")
def _swap_cards(parse: Parse, a: dict[str, Any], b: dict[str, Any]) -> Any:
    """One card for one other, each from a place that is named."""
    if a.get("n") != 1 or b.get("n") != 1 or "zone" not in a or "zone" not in b:
        return REFUSE
    return do({"op": "swap_card", "a": {"of": "self", **a}, "b": {"of": "self", **b}})


@G.rule("vp", "ANEXAR <num:n> <cards:c> (do | da) <deckmac:d>")
def _attach_found(parse: Parse, n: int, c: dict[str, Any], d: str) -> Part:
    return do({"op": "search", "from": d, "filter": c, "n": n, "to": "attachments"})


@G.rule("vp", "SUBSTITUIR esta carta por um <cards:c> do [seu] {INV}")
def _replace(parse: Parse, c: dict[str, Any]) -> Part:
    return do({"op": "swap_card", "a": "this", "b": {"zone": "inventory", **c}})


@G.rule(
    "vp",
    "INCORPORAR um <cards:c> (do baralho ou pilha de descarte | da pilha de descarte) . DESCARTAR o seu "
    "{ENTITY} atual , se TER",
)
def _incorporate(parse: Parse, c: dict[str, Any]) -> Part:
    deck = ["wound_deck"] if any(t.text == "baralho" for t in parse.here) else []
    old = {"op": "move_card", "cards": {"zone": "entity_slot", "of": "self"}, "to": "discard"}
    return do(old, {"op": "incorporate", "from": [*deck, "wound_discard"], "filter": c})


@G.rule("vp", "OBTER qualquer outra carta em qualquer pilha de descarte")
def _any_discarded(parse: Parse) -> Part:
    return do({"op": "move_card", "cards": {"zone": "discard", "of": "any", "not": "this", "n": 1}, "to": "inventory"})


@G.rule("vp", "OLHAR um dos baralhos e DEVOLVER -o na mesma ordem")
def _look_deck(parse: Parse) -> Part:
    return do({"op": "look", "from": {"deck": "chosen"}, "n": "all", "keep_order": True})


@G.rule(
    "vp",
    "(OLHAR | ver | veja) (o {INV} | as cartas no {INV} | as cartas do {INV}) (do alvo | de outro heroi | de outro personagem)",
)
def _look(parse: Parse) -> Part:
    named = parse.here[-1].text
    chosen: dict[str, Any] = {"chars": "others", **({"kind": "Hero"} if named == "heroi" else {})}
    needs = [] if named == "alvo" else target_needs(chosen)
    return do({"op": "reveal", "cards": {"zone": "inventory", "of": "target"}, "to": "self"}, requires=needs)


@G.rule("vp", "(PUXAR | COMPRAR) uma carta de um baralho que (voce SER dono | POSSUIR)")
def _draw(parse: Parse) -> Part:
    return do({"op": "draw", "deck": "own_chosen", "n": 1})

"""Phrases of card text below the clause: amounts, filters, characters, cards, zones, durations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apotheosis.env.cards.text import lexicon as lex
from apotheosis.env.cards.text.base import SUBJECT, G, any_of, merged
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.tokens import Token

# ---------------------------------------------------------------------------------------------------------------- numbers


def _token(parse: Parse, place: int) -> Token | None:
    return parse.tokens[place] if place < len(parse.tokens) else None


def _class_reader(name: str, mark: str) -> None:
    @G.reader(name)
    def read(parse: Parse, place: int) -> Iterator[tuple[int, Any]]:
        token = _token(parse, place)
        if token is not None and token.text == mark:
            yield place + 1, token.value


for _name, _mark in {"atleast": "#+", "atmost": "#-", "signed": "±", "name": "<name>", "techname": "<tech>"}.items():
    _class_reader(_name, _mark)


@G.reader("num")
def _num(parse: Parse, place: int) -> Iterator[tuple[int, int]]:
    token = _token(parse, place)
    if token is not None and isinstance(token.value, int) and (token.text == "#" or token.text in lex.NUMBER_WORDS):
        yield place + 1, token.value


@G.reader("int")
def _int(parse: Parse, place: int) -> Iterator[tuple[int, int]]:
    token = _token(parse, place)
    if token is not None and token.text == "#":
        yield place + 1, token.value


@G.reader("bonus")
def _bonus(parse: Parse, place: int) -> Iterator[tuple[int, Any]]:
    token = _token(parse, place)
    if token is not None and token.text == "±":
        yield place + 1, token.value
    if token is not None and token.text == "+":
        for end, dice in parse.all("dice", place + 1):
            yield end, dice


def _macro(parse: Parse, place: int) -> str | None:
    token = _token(parse, place)
    return token.text[1:-1] if token is not None and token.text.startswith("{") else None


def _macro_reader(name: str, meaning: Any) -> None:
    @G.reader(name)
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
@G.rule("energies", "<onenergy:one> <sep> <onenergy:two>", "<onenergy:one> ou <onenergy:two>")
def _energies(parse: Parse, one: str, two: str | None = None) -> Any:
    return [one] if two is None else REFUSE if one == two else [one, two]


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
G.rule("term", "<attr:a> ✖ <int:n>", "<int:n> ✖ <attr:a>")(lambda parse, a, n: f"mul({n},attr({SUBJECT},{a}))")


@G.rule("term", "<attr:attr> / <int:by>")
def _half(parse: Parse, attr: str, by: int) -> Any:
    return f"half(attr({SUBJECT},{attr}))" if by == 2 else REFUSE


# ------------------------------------------------------------------------------------------------------------- characters


def chars(base: str, **filters: Any) -> Any:
    """Return a character selector, a bare name where no filter narrows it."""
    kept = {key: value for key, value in filters.items() if value is not None}
    return base if not kept else {"chars": base, **kept}


@G.rule("who", "este personagem", "este {COMPANION}", "esta {SUMMON}")
def _this_char(parse: Parse) -> Any:
    return parse.context.this_char


@G.rule("who", "o heroi")
def _host(parse: Parse) -> Any:
    return "host_hero" if parse.context.companion else REFUSE


G.rule("who", "[o] seu heroi")(lambda parse: "host_hero" if parse.context.companion else REFUSE)
G.table("who", {"voce": "self", "o alvo": "target", "o atacante": "attacker", "o usuario": "self"})


@G.rule("who", "<group:base> [<where:where>]")
def _group(parse: Parse, base: dict[str, Any], where: dict[str, Any] | None = None) -> Any:
    both = merged(base, where)
    return REFUSE if both is REFUSE else chars(both.pop("chars"), **both)


@G.rule("group", "[<every>] <people:p> <team:t>", "<team:t> [<every>] <people:p>")
def _people(parse: Parse, p: dict[str, Any], t: str) -> Any:
    if p.get("other"):
        if t != "allies":
            return REFUSE
        return {"chars": "other_allies", **{k: v for k, v in p.items() if k != "other"}}
    return {"chars": t, **p}


@G.rule("group", "<every> <people:p>")
def _everybody(parse: Parse, p: dict[str, Any]) -> dict[str, Any]:
    rest = {k: v for k, v in p.items() if k != "other"}
    return {"chars": "others" if p.get("other") else "all", **rest}


@G.rule("group", "[os] (personagens | outro personagens)", kind=None)
@G.rule("group", "[os] herois", kind="Hero")
@G.rule("group", "{COMPANION}", kind="Companion")
def _plural(parse: Parse, kind: str | None) -> dict[str, Any]:
    other = any(t.text == "outro" for t in parse.tokens)
    return {"chars": "others" if other else "all", **({} if kind is None else {"kind": kind})}


@G.rule("group", "<kind:k>")
def _plural_kind(parse: Parse, k: str) -> dict[str, Any]:
    return {"chars": "all", "kind": k}


@G.rule("group", "<qualified:p>")
def _qualified(parse: Parse, p: dict[str, Any]) -> dict[str, Any]:
    return {"chars": "all", **p}


G.table("team", {"do seu time": "allies", "no seu time": "allies", "do time": "allies", "do time deste personagem": "allies",
                 "no time deste personagem": "allies", "de seu time": "allies", "de outro time": "enemies", "do outro time": "enemies", "do time adversario": "enemies", "de time adversario": "enemies",
                 "no outro time": "enemies",
                 "em seu time": "allies"})  # fmt: skip


@G.rule("people", "(personagem | personagens)")
def _personagem(parse: Parse) -> dict[str, Any]:
    return {}


@G.rule("people", "outro (personagem | personagens)")
def _outro(parse: Parse) -> dict[str, Any]:
    return {"other": True}


@G.rule("people", "(heroi | herois)")
def _heroi(parse: Parse) -> dict[str, Any]:
    return {"kind": "Hero"}


@G.rule("people", "{COMPANION}")
def _companion(parse: Parse) -> dict[str, Any]:
    return {"kind": "Companion"}


@G.rule("people", "<kind:k>")
def _kind(parse: Parse, k: str) -> dict[str, Any]:
    return {"kind": k}


@G.rule("people", "outro {COMPANION}")
def _outro_companion(parse: Parse) -> dict[str, Any]:
    return {"other": True, "kind": "Companion"}


@G.rule("people", "<qualified:q>")
def _people_qualified(parse: Parse, q: dict[str, Any]) -> dict[str, Any]:
    return q


@G.rule("qualified", "(personagem | personagens | heroi | herois) com [o | um] <marker:m>", marked=True)
@G.rule("qualified", "(personagem | personagens) com <tag:m>", marked=False)
def _with(parse: Parse, m: str, marked: bool) -> dict[str, Any]:
    return {"has_marker": m} if marked else {"tag": m}


@G.rule("where", "[,] a ate <num:n> (casa | casas | de distancia) (de voce)")
def _within_you(parse: Parse, n: int) -> dict[str, Any]:
    return {"within": n}


@G.rule("where", "[,] em (casa | casas | uma casa) (adjacente | adjacentes) [<tothis:of>] [,]")
@G.rule("where", "[,] (adjacente | adjacentes) [<tothis:of>]")
def _adjacent(parse: Parse, of: str | None = None) -> dict[str, Any]:
    centre = of or parse.context.this_char
    return {"adjacent": True} if centre == "self" else {"adjacent": True, "of": centre}


@G.rule("where", "[,] a ate <num:n> (casa | casas | de distancia | de adjacencia) [<tothis:of>]")
def _within(parse: Parse, n: int, of: str | None = None) -> dict[str, Any]:
    centre = of or parse.context.this_char
    return {"within": n} if centre == "self" else {"within": n, "of": centre}


@G.rule("where", "no tabuleiro")
def _on_board(parse: Parse) -> dict[str, Any]:
    return {}


@G.rule("where", "(na | dentro da) [sua] (area | {AREA}) [desta (carta | tecnica)]")
def _in_area(parse: Parse) -> Any:
    return {"in_area": True} if parse.context.area else REFUSE


@G.rule("tothis", "a este personagem", "a ele", "a esta", "deste personagem")
def _to_this(parse: Parse) -> str:
    return parse.context.this_char


G.table("tothis", {"a voce": "self", "ao alvo": "target", "do alvo": "target", "ao heroi": "host_hero"})


@G.rule("ofwho", "deste personagem", "deste {COMPANION}")
def _of_this(parse: Parse) -> str:
    return parse.context.this_char


@G.rule("ofwho", "do heroi")
def _of_host(parse: Parse) -> Any:
    return "host_hero" if parse.context.companion else REFUSE


G.table("who", {"o alvo daquele ataque": "event.target"})
G.table("ofwho", {"de voce mesmo": "self", "de voce": "self", "do respectivo personagem": "event.who", "do alvo daquele ataque": "event.target"})
G.table("towho", {"ao respectivo personagem": "event.who", "ao alvo daquele ataque": "event.target"})
G.table("ofwho", {"do alvo": "target", "do atacante": "attacker", "do usuario": "self"})
G.rule("ofwho", "(de | do | da | dos | das) <group:g> [<where:w>]", "<dogroup:g> [<where:w>]")(
    lambda parse, g, w=None: _group(parse, g, w)
)


@G.rule("dogroup", "dos (personagens | herois) <team:t>", "de (personagens | herois) <team:t>")
def _do_group(parse: Parse, t: str) -> dict[str, Any]:
    return {"chars": t}


_ONE = ("personagem", "heroi", "outro", "{COMPANION}", "{CREATURE}", "{SUMMON}", "{HUMAN}")


def antecedent(parse: Parse, place: int) -> Any:
    """Return the one character that the sentence has named before a place, or None where none or several are in question."""
    words = [t.text for t in parse.tokens[:place]]
    if any(word in ("falhar", "fracassar", "sucedido") for word in words) and "teste" in words:
        return SUBJECT
    found = set()
    for spot, (word, after) in enumerate(zip(words, words[1:], strict=False)):
        if word in ("o", "do", "ao", "um") and after == "alvo":
            found.add("target")
        elif word in ("o", "do", "ao") and after == "atacante":
            found.add("attacker")
        elif word in ("este", "deste") and after == "personagem":
            found.add(parse.context.this_char)
        elif word in ("um", "uma") and after in _ONE:
            before = words[spot - 1] if spot else ""
            if before == "de" and spot > 1 and words[spot - 2] == "turno":
                before = "quando"
            found.add("event.who" if before in ("quando", "se", "que", ",") else "target")
    if not found:
        return parse.context.referent or ("target" if parse.context.has_bar else None)
    return found.pop() if len(found) == 1 else None


def _pronouns(rule: str, *phrases: str) -> None:
    @G.reader(rule)
    def read(parse: Parse, place: int) -> Iterator[tuple[int, Any]]:
        for phrase in phrases:
            words = [lex.normal(word) for word in phrase.split()]
            end = place + len(words)
            if [t.text for t in parse.tokens[place:end]] == words:
                who = antecedent(parse, place)
                if who is not None:
                    yield end, who


_pronouns("who", "ele", "ela", "aquele personagem", "o personagem", "o personagem alvo", "aquele heroi")
_pronouns("ofwho", "daquele personagem do time", "dele", "dela", "do mesmo", "da mesma", "daquele personagem", "daquele alvo")
_pronouns("towho", "a ele", "ao mesmo", "a ela", "aquele personagem", "para ele")
_pronouns("that_one", "aquele personagem", "ele")
G.table("who", {"o respectivo personagem": "event.who", "o personagem selecionado": "target"})


@G.rule("towho", "(a | para) este personagem", "ao {COMPANION} desta carta")
def _to_char(parse: Parse) -> str:
    return parse.context.this_char


@G.rule("towho", "(ao | para o) heroi")
def _to_host(parse: Parse) -> Any:
    return "host_hero" if parse.context.companion else REFUSE


G.table("towho", {"ao alvo": "target", "para o alvo": "target", "ao atacante": "attacker", "a voce": "self", "para voce": "self"})
G.rule("towho", "(a | aos | as | para | para os) <group:g> [<where:w>]")(lambda parse, g, w=None: _group(parse, g, w))

# ------------------------------------------------------------------------------------------------------------------ cards


@G.rule("cards", "[carta | cartas] [<of>] <head:h> [<quals:q>]")
@G.rule("cards", "(carta | cartas) de recurso [<quals:q>]", resource=True)
@G.rule("cards", "(carta | cartas) <quals:q>")
def _cards(parse: Parse, h: dict[str, Any] | None = None, q: dict[str, Any] | None = None, resource: bool = False) -> Any:
    return merged(h, q, {"category": "resource"} if resource and q else None)


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


@G.rule("qual", "do caminho <item:i>", "de caminho <item:i>")
def _qual_path(parse: Parse, i: dict[str, str]) -> Any:
    return i if "path" in i else REFUSE


@G.rule("qual", "[de] nivel <int:n>", key="level")
@G.rule("qual", "[de] ate nivel <int:n>", "[de] nivel <atmost:n>", "[de] nivel ate <int:n>", key="level_le")
@G.rule("qual", "[de] nivel <atleast:n>", "[de] nivel <int:n> ou (mais | maior | superior)", key="level_ge")
def _qual_level(parse: Parse, n: int, key: str) -> dict[str, Any]:
    return {key: n}


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


@G.reader("lignum")
def _lignum_name(parse: Parse, place: int) -> Iterator[tuple[int, str]]:
    token = _token(parse, place)
    if token is not None and token.text == "<name>":
        name = lex.fold(str(token.value))
        known = {lex.fold(one): one for one in lex.LIGNUMS} | lex.LIGNUM_NAMES
        if name in known:
            yield place + 1, known[name]


@G.reader("effect")
def _effect_name(parse: Parse, place: int) -> Iterator[tuple[int, str]]:
    token = _token(parse, place)
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


# -------------------------------------------------------------------------------------------------------------- durations

G.table("dur", {
    "durante este turno": "end_of_turn",
    "durante esta batalha": "end_of_battle",
    "ate o (fim | final) desta batalha": "end_of_battle",
    "ate o inicio do proximo turno deste personagem": "start_of_your_next_turn",
    "ate o final do proximo turno deste personagem": "end_of_next_turn",
    "ate o final (da batalha | do combate)": "end_of_battle",
    "ate o (final | fim) (do | deste | do seu) turno": "end_of_turn",
    "neste turno": "end_of_turn",
    "ate o (final | fim) (da rodada | do ciclo | desta rodada | deste ciclo)": "end_of_round",
    "ate o inicio do [seu] proximo turno [do usuario | seu]": "start_of_your_next_turn",
    "ate o final do [seu] proximo turno [do usuario | dele]": "end_of_next_turn",
    "ate o inicio do proximo turno (do alvo | dele)": "start_of_target_next_turn",
    "ate o final do proximo turno do alvo": "end_of_target_next_turn",
    "ate {ENDOFBATTLE}": "end_of_battle",
    "ate {YOURENDPHASE}": "end_of_turn",
})  # fmt: skip


@G.rule("dur", "ate {ENDOFBATTLE} ou o <marker:m> do alvo ser removido", who="target")
@G.rule("dur", "ate {ENDOFBATTLE} ou o <marker:m> de qualquer um dos alvos ser removido", who="any_target")
def _until_marker(parse: Parse, m: str, who: str) -> dict[str, Any]:
    return {"any_of": ["end_of_battle", {"marker_lost": [who, m]}]}

"""Phrases that name characters: single ones, groups, places around them, and what a pronoun stands for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apotheosis.env.cards.text import lexicon as lex
from apotheosis.env.cards.text.base import SUBJECT, G
from apotheosis.env.cards.text.grammar import REFUSE, Parse


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
G.table(
    "who",
    {
        "[o] seus {COMPANION}": "own_companions",
        "voce": "self",
        "o alvo": "target",
        "o atacante": "attacker",
        "o usuario": "self",
    },
)


def one_word(both: dict[str, Any]) -> Any:
    """Return a selector, as a word where nothing narrows it."""
    return chars(both["chars"], **{key: value for key, value in both.items() if key != "chars"})


@G.rule("who", "o personagem com [o] <marker:m>")
def _marked_one(parse: Parse, m: str) -> dict[str, Any]:
    return {"chars": "all", "has_marker": m}


@G.rule("who", "[o] [todo] [o] seu <kind:k>")
def _own_kind(parse: Parse, k: str) -> dict[str, Any]:
    return {"chars": "own_companions", "kind": k}


@G.rule("who", "<group:base>")
def _group(parse: Parse, base: dict[str, Any]) -> Any:
    return one_word(base)


G.table("team", {"do seu time": "allies", "no seu time": "allies", "do time": "allies", "do time deste personagem": "allies",
                 "no time deste personagem": "allies", "de seu time": "allies",
                 "de outro time": "enemies", "do outro time": "enemies", "do time adversario": "enemies",
                 "de time adversario": "enemies", "no outro time": "enemies",
                 "em seu time": "allies", "do seu grupo": "allies"})  # fmt: skip


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


_UNIT = "(casa [de distancia] | de distancia | de adjacencia)"


@G.rule(
    "distance",
    f"[que ESTAR] (a | em) ate <num:n> {_UNIT}",
    f"[que ESTAR] (a | em) <num:n> {_UNIT} ou menos",
    f"[que ESTAR] (a | em) <atmost:n> {_UNIT}",
    "[que ESTAR] a um distancia de ate <num:n> [casa]",
    f"dentro de [ate] <num:n> {_UNIT}",
)
def _distance(parse: Parse, n: int) -> int:
    return n


@G.rule("where", "[,] em (casa | um casa) adjacente [<tothis:of>] [,]", "[,] [que ESTAR] adjacente [<tothis:of>] [,]")
def _adjacent(parse: Parse, of: Any = None) -> dict[str, Any]:
    centre = of or parse.context.this_char
    return {"adjacent": True} if centre == "self" else {"adjacent": True, "of": centre}


@G.rule("where", "[,] <distance:n> [<tothis:of>] [,]", "[,] <distance:n> (de voce) [,]")
def _within(parse: Parse, n: int, of: Any = None) -> dict[str, Any]:
    centre = of or ("self" if any(t.text == "voce" for t in parse.here) else parse.context.this_char)
    return {"within": n} if centre == "self" else {"within": n, "of": centre}


@G.rule("where", "a ate <num:n> de <rangetype:r>")
def _within_range(parse: Parse, n: int, r: str) -> Any:
    """Within a range; a direct one needs a free line (R15.22)."""
    centre = parse.context.this_char
    return {"direct" if r == "Direct" else "within": n, **({} if centre == "self" else {"of": centre})}


@G.rule("where", "no tabuleiro")
def _on_board(parse: Parse) -> dict[str, Any]:
    return {}


@G.rule("where", "[,] (na | dentro da) [sua] (area | {AREA}) [deste (carta | tecnica | movimento)] [,]")
def _in_area(parse: Parse) -> Any:
    return {"in_area": True} if parse.context.area else REFUSE


@G.rule(
    "where", "(na | dentro da) [sua] (area | {AREA}) [deste (carta | tecnica | movimento)] , exceto (voce | este personagem) ,"
)
def _in_area_without(parse: Parse) -> Any:
    return {"in_area": True, "exclude": parse.context.this_char} if parse.context.area else REFUSE


@G.rule("tothis", "a este personagem", "a esta", "deste personagem")
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
G.table(
    "ofwho",
    {
        "de voce mesmo": "self",
        "de voce": "self",
        "do respectivo personagem": "event.who",
        "do alvo daquele ataque": "event.target",
    },
)
G.table("towho", {"ao respectivo personagem": "event.who", "ao alvo daquele ataque": "event.target"})
G.table("ofwho", {"do alvo": "target", "do atacante": "attacker", "do usuario": "self", "do heroi do alvo": "target_hero"})
G.table("towho", {"(ao | para o) heroi do alvo": "target_hero"})
G.rule("ofwho", "(de | do) <group:g>")(lambda parse, g: one_word(g))


_ONE = ("personagem", "heroi", "outro", "{COMPANION}", *("{" + kind + "}" for kind in lex.KINDS))


_MOMENTS = frozenset({"quando", "se", "caso", "que", "enquanto", "inicio", "final"})
"""Words that begin what says when; a pronoun before it may mean the one who is named there."""


def antecedent(parse: Parse, place: int) -> Any:
    """Return the one character that the sentence has named before a place, or None where none or several are in question."""
    words = [t.text for t in parse.tokens[:place]]
    if any(word in ("falhar", "fracassar", "sucedido") for word in words) and "teste" in words:
        return SUBJECT
    if _selects(parse, place):
        return "target"
    found = _named(parse, words)
    if not found:
        later = [t.text for t in parse.tokens[place:]]
        turn = next((spot for spot, word in enumerate(later) if word in _MOMENTS), len(later))
        found = _named(parse, later[turn:])
        if found and (parse.context.referent is None or found == {parse.context.referent}):
            return found.pop() if len(found) == 1 else None
        if found:
            return None
        return parse.context.referent or ("target" if parse.context.has_bar else None)
    return found.pop() if len(found) == 1 else None


def _selects(parse: Parse, place: int) -> bool:
    """Whether the words just before a place have selected somebody, who is then meant by a pronoun."""
    tokens = parse.tokens[:place]
    chosen = [spot for spot, token in enumerate(tokens) if token.verbs & {"SELECIONAR", "ESCOLHER"}]
    return bool(chosen) and any(
        tokens[spot].text in (*_ONE, "alvo") for spot in range(chosen[-1] + 2, min(chosen[-1] + 4, place))
    )


def _named(parse: Parse, words: list[str]) -> set[str]:
    """Return the characters that a run of words names."""
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
            found.add("event.who" if before in ("quando", "se", "que", "caso") else "target")
    return found


@G.reader("tothis", "a")
def _near_it(parse: Parse, place: int) -> Iterator[tuple[int, Any]]:
    if [token.text for token in parse.tokens[place : place + 2]] == ["a", "ele"]:
        who = antecedent(parse, place) or (parse.context.this_char if parse.context.companion else None)
        if who is not None:
            yield place + 2, who


def _pronouns(rule: str, *phrases: str) -> None:
    @G.reader(rule, *{lex.normal(phrase.split()[0]) for phrase in phrases})
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
_pronouns("thesame", "do mesmo", "da mesma")
_pronouns("towho", "a ele", "ao mesmo", "a ela", "aquele personagem", "para ele")
_pronouns("that_one", "aquele personagem", "ele")
G.table("who", {"o respectivo personagem": "event.who", "o personagem selecionado": "target"})


@G.rule("towho", "(a | para) este personagem", "ao {COMPANION} desta carta")
def _to_char(parse: Parse) -> str:
    return parse.context.this_char


@G.rule("towho", "(ao | para o) heroi")
def _to_host(parse: Parse) -> Any:
    return "host_hero" if parse.context.companion else REFUSE


G.table(
    "towho",
    {
        "ao alvo": "target",
        "no alvo": "target",
        "para o alvo": "target",
        "ao atacante": "attacker",
        "a voce": "self",
        "para voce": "self",
    },
)


@G.rule("towho", "(a | ao | para | para o) <group:g>")
def _to_group(parse: Parse, g: dict[str, Any]) -> Any:
    """What something is "for each" of is what it is counted by."""
    return REFUSE if [t.text for t in parse.here[:2]] == ["para", "cada"] else one_word(g)

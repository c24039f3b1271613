"""States of the board: who stands where, what kind a character is, whose number is the higher one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apotheosis.env.cards.language.names import TERRAINS
from apotheosis.env.cards.text.base import G, merged
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.phrases import token_at
from apotheosis.env.cards.text.predicates import ONE, speaks_of_owner

# ---------------------------------------------------------------------------------------------------------- who is there


def _counted(group: dict[str, Any], n: int = 1) -> dict[str, Any]:
    """At least so many characters of a set; a set that is chosen from is the set of all who are there."""
    return {"control_count": [{**group, "chars": {"any": "all"}.get(group["chars"], group["chars"])}, n]}


@G.rule("state", "HAVER <onechar:s>", told=True)
@G.rule("state", "nao HAVER (nenhum | um) <manned:s>", "nao HAVER <manned:s>", told=False)
def _someone_there(parse: Parse, s: dict[str, Any], told: bool) -> Any:
    there = _counted(s)
    return (there if told else {"not": there}) if set(s) > {"chars"} or s["chars"] != "any" else REFUSE


@G.rule("state", "HAVER <num:n> ou mais <manned:s>", "HAVER (pelo menos | no minimo | ao menos) <num:n> <manned:s>")
def _some_there(parse: Parse, n: int, s: dict[str, Any]) -> dict[str, Any]:
    return _counted(s, n)


@G.rule("state", "<onechar:s> ESTAR <where:w>", told=True)
@G.rule("state", "(nenhum | nenhum outro) <manned:s> ESTAR <where:w>", told=False)
def _someone_near(parse: Parse, s: dict[str, Any], w: dict[str, Any], told: bool) -> Any:
    """ "If a character of your team is adjacent": there is one such."""
    both = merged(s, w)
    if both is REFUSE or not w:
        return REFUSE
    return _counted(both) if told else {"not": _counted(both)}


# --------------------------------------------------------------------------------------------------- one character and you


@G.rule("state", "<who:w> [nao] SER [um] <people:p>")
def _is_kind(parse: Parse, w: Any, p: dict[str, Any]) -> Any:
    if not isinstance(w, str) or w not in ONE or set(p) != {"kind"}:
        return REFUSE
    kind = {"control_count": [{"chars": w, **p}, 1]}
    return {"not": kind} if any(t.text == "nao" for t in parse.here) else kind


@G.rule("state", "<who:w> [nao] SER <team:t>")
def _is_of_team(parse: Parse, w: Any, t: str) -> Any:
    if not isinstance(w, str) or w not in ONE or w == "self" or t not in ("allies", "enemies"):
        return REFUSE
    mate = {"control_count": [{"chars": w, "team": "ally" if t == "allies" else "enemy"}, 1]}
    return {"not": mate} if any(token.text == "nao" for token in parse.here) else mate


@G.rule("state", "<who:w> (ESTAR com | TER | POSSUIR) [o | um] [seu] {ENTITY} desperto", awake=True)
@G.rule("state", "<who:w> (ESTAR com | TER | POSSUIR) [o | um] [seu] {ENTITY} adormecido", awake=False)
def _has_awake(parse: Parse, w: Any, awake: bool) -> Any:
    if not isinstance(w, str) or w not in ONE:
        return REFUSE
    return {"entity_awake": w} if awake else {"not": {"entity_awake": w}}


@G.rule("state", "(POSSUIR | TER) um {ENTITY}")
def _has_an_entity(parse: Parse) -> Any:
    return {"has_card": {"zone": "entity_slot", "of": "self"}} if speaks_of_owner(parse) else REFUSE


@G.rule("state", "nao (POSSUIR | TER) um {ENTITY}", "voce nao (POSSUIR | TER) um {ENTITY}")
def _has_no_entity(parse: Parse) -> dict[str, Any]:
    return {"not": {"has_card": {"zone": "entity_slot", "of": "self"}}}


@G.rule("state", "<who:w> ESTAR (a | em) <bound:b> (de distancia | casa | casa de distancia) [<tothis:of> | de voce]")
def _how_far(parse: Parse, w: Any, b: tuple[str, int], of: Any = None) -> Any:
    centre = of or ("self" if parse.here[-1].text == "voce" else parse.context.this_char)
    if not isinstance(w, str) or w not in ONE or w == centre:
        return REFUSE
    return {b[0]: [f"distance({centre},{w})", b[1]]}


@G.reader("terrain", "{")
def _terrain(parse: Parse, place: int) -> Iterator[tuple[int, str]]:
    token = token_at(parse, place)
    name = "" if token is None else token.text[1:-1].lower()
    if name in TERRAINS:
        yield place + 1, name


@G.rule("state", "<who:w> [nao] ESTAR em um casa [do tabuleiro] [do tipo | de] <terrain:t>")
def _stands_on(parse: Parse, w: Any, t: str) -> Any:
    if not isinstance(w, str) or w not in ONE:
        return REFUSE
    there = {"tile_type": [w, t]}
    return {"not": there} if any(token.text == "nao" for token in parse.here) else there


@G.rule("state", "[nao] ESTAR em um casa [do tabuleiro] [do tipo | de] <terrain:t>")
def _owner_stands_on(parse: Parse, t: str) -> Any:
    return _stands_on(parse, parse.context.this_char, t) if speaks_of_owner(parse) else REFUSE


@G.rule("measure", "{HP}")
def _measure_hp(parse: Parse) -> str:
    return "hp({})"


@G.rule("measure", "<attr:a>")
def _measure_attr(parse: Parse, a: str) -> str:
    return f"attr({{}},{a})"


@G.rule("state", "<who:a> (TER | POSSUIR | ESTAR com) mais [de] <measure:m> (que | do que) <who:b>", test="gt")
@G.rule("state", "<who:a> (TER | POSSUIR | ESTAR com) menos [de] <measure:m> (que | do que) <who:b>", test="lt")
def _more_than(parse: Parse, a: Any, b: Any, m: str, test: str) -> Any:
    if a == b or not all(isinstance(one, str) and one in ONE for one in (a, b)):
        return REFUSE
    return {test: [m.format(a), m.format(b)]}


@G.rule("state", "(voce TER | voce POSSUIR | TER | POSSUIR) um <cards:c> equipado")
def _wears(parse: Parse, c: dict[str, Any]) -> dict[str, Any]:
    return {"has_card": {"of": "self", "zone": "equipment", **c}}


@G.rule("state", "este personagem ESTAR adjacente", "ele ESTAR adjacente")
def _here_beside_hero(parse: Parse) -> Any:
    """Said of a Companion where the sentence speaks of its Hero."""
    words = [token.text for token in parse.tokens]
    hero = ("o", "heroi") in zip(words, words[1:], strict=False)
    return {"adjacent": ["this_char", "host_hero"]} if parse.context.companion and hero else REFUSE


@G.rule(
    "state", "[voce] (POSSUIR | TER) <bound:b> carta <fromzone:z>", "[voce] (POSSUIR | TER) <bound:b> <cards:c> <fromzone:z>"
)
@G.rule("state", "[voce] (POSSUIR | TER) <int:n> carta ou <more:t> <fromzone:z>",
        "[voce] (POSSUIR | TER) <int:n> <cards:c> ou <more:t> <fromzone:z>")  # fmt: skip
@G.rule("state", "[voce] (POSSUIR | TER) exatamente <num:n> carta <fromzone:z>", t="eq")
def _has_many(
    parse: Parse, z: str, b: tuple[str, int] | None = None, c: dict[str, Any] | None = None, n: int = 0, t: str = ""
) -> Any:
    """ "3 cards or more in the inventory": how many of the owner's cards lie in a zone."""
    test, n = b or (t, n)
    if not speaks_of_owner(parse) or not isinstance(z, str) or n < 1:
        return REFUSE

    def held(many: int) -> dict[str, Any]:
        return {"has_card": {"of": "self", "zone": z, **(c or {}), **({"n": many} if many > 1 else {})}}

    if test == "eq":
        return {"all_of": [held(n), {"not": held(n + 1)}]}
    some = held(n if test in ("ge", "lt") else n + 1)
    return some if test in ("ge", "gt") else {"not": some}


G.table("more", {"(mais | maior)": "ge", "(menos | menor)": "le"})


@G.rule("outcome", "o (resultado | valor) do dado [principal] SER <compared:t> <int:n>")
def _die_compared(parse: Parse, t: str, n: int) -> dict[str, Any]:
    return {t: ["roll.main", n]}

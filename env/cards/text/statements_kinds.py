"""What kinds of attacks and checks a bonus counts for, and against whom."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import G, any_of, merged
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.lexicon import ATTRIBUTES
from apotheosis.env.cards.text.statements import Mod


@G.rule("attacks", "(para | de | com | em) <items:i>")
def _attacks_items(parse: Parse, i: list[dict[str, str]]) -> Any:
    return REFUSE if any(set(one) & {"kind", "order", "path"} for one in i) else {"by": any_of(i)}


@G.rule("attacks", "(para | em | de | com) [os | todos os] [seus] ataques [de | com] <items:i>")
def _attacks_of(parse: Parse, i: list[dict[str, str]]) -> Any:
    return REFUSE if any(set(one) & {"kind", "order", "path"} for one in i) else {"by": any_of(i)}


@G.rule("attacks", "(para | em | de) [os | todos os] [seus] ataques", "quando (atacado | atacados)")
def _attacks_all(parse: Parse) -> Mod:
    return {"by": {"attack": True}}


@G.rule("attacks", "(para | com | em) [os | todos os] [seus] [ataques com] [cartas de] <suit:s> [<quals:q>]")
def _attacks_suit(parse: Parse, s: str, q: dict[str, Any] | None = None) -> Any:
    both = merged({"suit": s}, q)
    return REFUSE if both is REFUSE or s not in ("Item", "Skill") else {"by": both}


@G.rule("attacks", "com cartas <quals:q>", "de cartas <quals:q>")
def _attacks_cards(parse: Parse, q: dict[str, Any]) -> Mod:
    return {"by": q}


@G.rule("attacks", "contra <items:i>")
def _against(parse: Parse, i: list[dict[str, str]]) -> Any:
    return {"against": any_of(i)} if all(set(one) <= {"tag", "kind"} for one in i) else REFUSE


@G.rule("attacks", "(contra | em) (personagens | alvos | alvo | um alvo) com [o | um] <marker:m>")
def _against_marked(parse: Parse, m: str) -> Mod:
    return {"against": {"has_marker": m}}


@G.rule("attacks", "contra (personagens | alvos) (com | que POSSUIR) <items:i>")
def _against_tagged(parse: Parse, i: list[dict[str, str]]) -> Any:
    return {"against": any_of(i)} if all(set(one) <= {"tag", "kind"} for one in i) else REFUSE


@G.rule("attacks", "contra alvos com o {ENTITY} desperto")
def _against_awake(parse: Parse) -> Mod:
    return {"against": {"entity_awake": True}}


@G.rule(
    "attacks",
    "(para | em | de | com) (ataques | cartas) <items:i> <attacks_tail:t>",
    "(para | em | de | com) <items:i> <attacks_tail:t>",
)
def _attacks_both(parse: Parse, i: list[dict[str, str]], t: Mod) -> Any:
    if any(set(one) & {"kind", "order", "path"} for one in i):
        return REFUSE
    by = merged(any_of(i), t.get("by"))
    return REFUSE if by is REFUSE else {**t, "by": by}


@G.rule("attacks_tail", "contra <items:i>")
def _tail_against(parse: Parse, i: list[dict[str, str]]) -> Any:
    return {"against": any_of(i)} if all(set(one) <= {"tag", "kind"} for one in i) else REFUSE


@G.rule("attacks_tail", "a <atleast:n> (de distancia | casas)", key="distance_ge")
@G.rule("attacks_tail", "a <atmost:n> (de distancia | casas)", key="distance_le")
def _tail_far(parse: Parse, n: int, key: str) -> Mod:
    return {"by": {key: n}}


@G.rule("attacks", "contra alvos que nao POSSUIR <know:k>")
def _against_without(parse: Parse, k: str) -> Mod:
    return {"against": {"no_knowledge": k}}


@G.rule("attacks", "(quando | de ataques | para ataques | em ataques) a <atleast:n> (de distancia | casas)", key="distance_ge")
@G.rule("attacks", "(quando | de ataques | para ataques | em ataques) a <atmost:n> (de distancia | casas)", key="distance_le")
def _attacks_far(parse: Parse, n: int, key: str) -> Mod:
    return {"by": {"attack": True, key: n}}


@G.rule("attacks", "(para | de) <rangetype:r> quando a <atleast:n> de distancia")
def _attacks_range_far(parse: Parse, r: str, n: int) -> Mod:
    return {"by": {"range": r, "distance_ge": n}}


@G.rule("attacks", "quando atacando pelas (laterais ou costas | costas ou laterais) [do alvo]")
def _attacks_side(parse: Parse) -> Mod:
    return {"by": {"from_back_or_side": True}}


@G.rule("attacks", "quando atacando pelas costas [do alvo]")
def _attacks_back(parse: Parse) -> Mod:
    return {"by": {"from_back": True}}


@G.rule("attacks", "(para | com) esta tecnica")
def _attacks_technique(parse: Parse) -> Any:
    return REFUSE if parse.context.technique is None else {"by": {"technique": "this"}}


@G.rule("attacks", "do heroi", "para os ataques do heroi", "para o heroi")
def _attacks_host(parse: Parse) -> Any:
    return {"on": "host_hero", "by": {"attack": True}} if parse.context.companion else REFUSE


# -------------------------------------------------------------------------------------------------------- kinds of checks


@G.rule("checks", "(de | com) <items:i>")
def _checks_items(parse: Parse, i: list[dict[str, str]]) -> Any:
    return any_of(i) if all(set(one) <= {"attr", "knowledge", "tag"} for one in i) else REFUSE


@G.rule("checks", "[,] cujo atributo base seja <attrs:a>")
def _checks_base(parse: Parse, a: list[str]) -> dict[str, Any]:
    return any_of([{"attr": one} for one in a])


@G.rule("attr_choice", "<attr:one>")
@G.rule("attr_choice", "<attr:one> (, | ou | e / ou) <attr_choice:more>")
def _attr_choice(parse: Parse, one: str, more: list[str] | None = None) -> list[str]:
    return [one, *(more or [])]


@G.rule("checks", "[de <know:k>] [,] cujo atributo base nao seja <attr_choice:a>")
def _checks_without(parse: Parse, a: list[str], k: str | None = None) -> dict[str, Any]:
    return {**({"knowledge": k} if k else {}), "attr": [one for one in ATTRIBUTES if one not in a]}


@G.rule("checks", "de <know:k> [,] cujo atributo base seja <attr:a>")
def _checks_both(parse: Parse, k: str, a: str) -> dict[str, Any]:
    return {"knowledge": k, "attr": a}


@G.rule("checks", "de <know:k> (e / ou | ou) cujo atributo base seja <attr:a>")
def _checks_either(parse: Parse, k: str, a: str) -> dict[str, Any]:
    return any_of([{"knowledge": k}, {"attr": a}])


@G.rule("checks", "de <know:k> com <tag:t>")
def _checks_tag(parse: Parse, k: str, t: str) -> dict[str, Any]:
    return {"knowledge": k, "tag": t}

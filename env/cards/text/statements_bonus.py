"""Clauses about bonuses: kinds of attacks and checks, what changes by how much, amounts that are levels."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import G, any_of, hp, merged
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.lexicon import ATTRIBUTES
from apotheosis.env.cards.text.statements import Mod

# ----------------------------------------------------------------------------------------------------------- what changes


def _dealt(n: Any, attacks: Mod | None, q: str = "damage.dealt") -> list[Mod]:
    return [{"q": q, "add": n, **(attacks or {})}]


@G.rule("mod", "<bonus:n> de {DMG} <attacks:a>")
def _mod_dealt(parse: Parse, n: Any, a: Mod) -> list[Mod]:
    return _dealt(n, a)


@G.rule("plaindamage", "<bonus:n> de {DMG}")
def _mod_dealt_plain(parse: Parse, n: Any) -> list[Mod]:
    return _dealt(n, None)


@G.rule("mod", "<bonus:n> (em | a | para | nos) [os] [seus] (teste | testes) [<checks:by>]", q=("check.bonus",))
@G.rule("mod", "<bonus:n> em [seus] (testes | teste) e ataques", q=("check.bonus", "attack.bonus"))
@G.rule("mod", "<bonus:n> em (rolagens | rolagens de dados | rolagens de dado) [<checks:by>]", q=("roll.bonus",))
def _mod_check(parse: Parse, n: Any, q: tuple[str, ...], by: dict[str, Any] | None = None) -> list[Mod]:
    return [{"q": one, "add": n, **({"by": by} if by else {})} for one in q]


@G.rule("mod", "ROLAR <bonus:n> em (rolagens | rolagens de dados) [<checks:by>]")
def _mod_roll_dice(parse: Parse, n: Any, by: dict[str, Any] | None = None) -> Any:
    return [{"q": "roll.bonus", "add": n, **({"by": by} if by else {})}] if isinstance(n, str) else REFUSE


@G.rule("mod", "<bonus:n> [de | em | ao | a seu] <attrs:a> [<limit:cap>]")
def _mod_attr(parse: Parse, n: int, a: list[str], cap: tuple[int, str | None] | None = None) -> Any:
    if not isinstance(n, int) or cap is not None and (len(a) > 1 or cap[1] not in (None, a[0])):
        return REFUSE
    tail = {} if cap is None else {"cap": cap[0]}
    return [{"q": f"attr.{one}", "add": n, **tail} for one in a]


@G.rule("mod", "<bonus:n> de nivel de <deckmac:d>")
def _mod_access(parse: Parse, n: int, d: str) -> list[Mod]:
    return [{"q": f"access.{d}", "add": n}]


@G.rule("mod", "<bonus:n> (espaco | espacos) (de | no | em) [seu] <zonemac:z>")
def _mod_slots(parse: Parse, n: int, z: str) -> Any:
    return [{"q": f"slots.{z}", "add": n}] if z in ("equipment", "memento", "support", "inventory") else REFUSE


@G.rule("mod", "[um] bonus de <attr:a> igual (a | ao) <level:n>")
def _mod_attr_level(parse: Parse, a: str, n: str) -> list[Mod]:
    return [{"q": f"attr.{a}", "add": n}]


@G.rule("mod", "[um] bonus [de {DMG}] igual (a | ao) <level:n> em ataque", q="attack.bonus")
@G.rule("mod", "[um] bonus igual (a | ao) <level:n> em teste", q="check.bonus")
def _mod_equal(parse: Parse, n: str, q: str) -> list[Mod]:
    return [{"q": q, "add": n}]


@G.rule("mod", "<bonus:n> em [seus] ataque [de <items:i>]")
def _mod_attack(parse: Parse, n: Any, i: list[dict[str, str]] | None = None) -> Any:
    if i and any(set(one) & {"kind", "order", "path"} for one in i):
        return REFUSE
    return [{"q": "attack.bonus", "add": n, **({"by": any_of(i)} if i else {})}]


@G.rule("mod", "<bonus:n> de {HP} (maxima | maximo)")
def _mod_hp_max(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "hp.max", "add": hp(parse.context, n)}]


@G.rule("mod", "<bonus:n> de {RANGE} para acoes a <atleast:d> de distancia")
def _mod_range_far(parse: Parse, n: int, d: int) -> list[Mod]:
    return [{"q": "range.value", "add": n, "by": {"distance_ge": d}}]


@G.rule("mod", "<bonus:n> em testes cujo {KNOWLEDGE} voce nao POSSUIR")
def _mod_lacked(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "check.bonus", "add": n, "by": {"lacked_knowledge": True}}]


@G.rule("limit", "[,] ate um maximo de <int:n> [de <attr:a>]")
def _cap(parse: Parse, n: int, a: str | None = None) -> tuple[int, str | None]:
    return n, a


@G.rule("mod", "<bonus:n> de <know:k>")
def _mod_knowledge(parse: Parse, n: int, k: str) -> list[Mod]:
    return [{"q": "knowledge", "add": n, "by": {"knowledge": k}}]


@G.rule("mod", "<bonus:n> de {RANGE} (para | em | com | de) [seu] (ataque | carta | acao) <items:i>")
@G.rule("mod", "<bonus:n> de {RANGE} para [todos os] [seus] <items:i>")
def _mod_range(parse: Parse, n: int, i: list[dict[str, str]]) -> Any:
    return [{"q": "range.value", "add": n, "by": any_of(i)}] if all(set(x) <= {"tag", "range"} for x in i) else REFUSE


@G.rule("mod", "<bonus:n> de {RANGE} para [todos os] [seus] <suit:s> [de <items:i>]")
def _mod_range_suit(parse: Parse, n: int, s: str, i: list[dict[str, str]] | None = None) -> Any:
    both = merged({"suit": s}, any_of(i) if i else None)
    return REFUSE if both is REFUSE else [{"q": "range.value", "add": n, "by": both}]


@G.rule("mod", "<bonus:n> (para | de bonus para | em) [todos] [os] seus atributos com [o] maior valor",
        "<bonus:n> (para | de bonus para | em) o [seu] atributo com [o] maior valor",
        "<bonus:n> de bonus para o seu atributo com maior valor")  # fmt: skip
def _mod_highest(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "attr.max", "add": n}]


@G.rule("mod", "todos os seus atributos com valor inferior a <int:n> PASSAR a ter valor <int:m>")
def _mod_floor(parse: Parse, n: int, m: int) -> Any:
    return [{"q": "attr.min", "set": n}] if n == m else REFUSE


# ------------------------------------------------------------------------------------------------- amounts that are levels


@G.rule("level", "[o] [seu] nivel de <know:k>", "[a] [sua] <know:k>")
def _level(parse: Parse, k: str) -> str:
    return f"know(self,{k})"


@G.rule("level", "[o] [seu] nivel do heroi")
def _hero_level(parse: Parse) -> str:
    return "level(self)"


@G.rule("level", "lp <know:a> + <know:b> rp", "[a | sua] lp <know:a> + <know:b> rp")
def _two_levels(parse: Parse, a: str, b: str) -> str:
    return f"add(know(self,{a}),know(self,{b}))"


@G.rule("level", "a soma dos seus niveis de <knows:k>")
def _sum_of_levels(parse: Parse, k: list[str]) -> str:
    return f"add({','.join(f'know(self,{one})' for one in k)})"


@G.rule("knows", "<know:a>")
@G.rule("knows", "<know:a> (, | e | , e) <knows:b>")
def _knows(parse: Parse, a: str, b: list[str] | None = None) -> list[str]:
    return [a, *(b or [])]


@G.rule("stmt", "ADICIONAR <level:n> em testes e ataques <checks:by>")
def _level_both(parse: Parse, n: str, by: dict[str, Any]) -> list[Mod]:
    return [{"q": q, "add": n, "by": by} for q in ("check.bonus", "attack.bonus")]


@G.rule("stmt", "o valor desta carta SER <int:n>")
def _price(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "value.PRICE", "set": n, "card": "this"}]


@G.rule("stmt", "ADICIONAR <level:n> em testes", q=("check.bonus",))
@G.rule("stmt", "ADICIONAR <level:n> em testes e ataques", q=("check.bonus", "attack.bonus"))
@G.rule("stmt", "ADICIONAR <level:n> a todo {DMG} causado", q=("damage.dealt",))
def _level_bonus(parse: Parse, n: str, q: tuple[str, ...]) -> list[Mod]:
    return [{"q": one, "add": n} for one in q]


@G.rule("level", "[a] [sua] <attr:a>")
def _attribute_level(parse: Parse, a: str) -> str:
    return f"attr(self,{a})"


@G.rule("level", "[a] metade (do seu nivel de <know:k> | da sua <attr:k>)")
def _half_level(parse: Parse, k: str) -> str:
    return f"half(attr(self,{k}))" if k.isupper() else f"half(know(self,{k}))"


@G.rule(
    "stmt",
    "ADICIONAR <level:n> [como bonus] em (testes | rolagens) <checks:by>",
    "ADICIONAR <level:n> aos [seus] testes <checks:by>",
)
def _level_checks(parse: Parse, n: str, by: dict[str, Any]) -> list[Mod]:
    return [{"q": "check.bonus", "add": n, "by": by}]


@G.rule("stmt", "ADICIONAR <level:n> ao {DMG} <attacks:a>", "ADICIONAR <level:n> ao {DMG} (dos | de) seus ataques")
def _level_damage(parse: Parse, n: str, a: Mod | None = None) -> list[Mod]:
    return [{"q": "damage.dealt", "add": n, **(a or {"by": {"attack": True}})}]


@G.rule("stmt", "SUBTRAIR <level:n> de todo {DMG} sofrido")
def _level_less(parse: Parse, n: str) -> list[Mod]:
    return [{"q": "damage.taken", "add": f"neg({n})"}]


@G.rule("stmt", "ADICIONAR <level:n> ao {DMG} desta carta")
def _level_card(parse: Parse, n: str) -> list[Mod]:
    return [{"q": "attack.damage", "add": n, "by": {"card": "this"}}]


@G.rule("stmt", "[o] [seu] nivel de <know:k> SER adicionado como bonus em testes de <group:g>")
def _level_shared(parse: Parse, k: str, g: dict[str, Any]) -> Any:
    return [{"q": "check.bonus", "add": f"know(self,{k})", "on": g["chars"]}] if set(g) == {"chars"} else REFUSE


@G.rule("stmt", "ADICIONAR os atributos base desta carta aos do heroi")
def _base_attrs(parse: Parse) -> Any:
    if not parse.context.companion:
        return REFUSE
    return [{"q": f"attr.{a}", "add": f"attr(this,{a})", "on": "host_hero"} for a in ATTRIBUTES]


# ---------------------------------------------------------------------------------------------------- attacks as subjects


@G.rule("own_attacks", "[o] [todos] [os] seus ataques [de | com] <items:i>")
def _own_attacks_of(parse: Parse, i: list[dict[str, str]]) -> Any:
    return REFUSE if any(set(one) & {"kind", "order", "path"} for one in i) else any_of(i)


@G.rule("own_attacks", "[o] seus ataques")
def _own_attacks(parse: Parse) -> dict[str, Any]:
    return {"attack": True}


@G.rule("own_attacks", "[o] [todas] [as] suas cartas <rangetype:r>")
def _own_ranged(parse: Parse, r: str) -> dict[str, Any]:
    return {"range": r}


@G.rule("own_attacks", "[o] [todas] [as] suas cartas <quals:q>", "[o] [todos] [os] seus <suit:s> [<quals:q>]")
def _own_cards(parse: Parse, q: dict[str, Any] | None = None, s: str | None = None) -> Any:
    if s not in (None, "Item", "Skill"):
        return REFUSE
    return merged({"suit": s} if s else {}, q)


@G.rule("stmt", "<own_attacks:by> CAUSAR <bonus:n> de {DMG} [<victims:v>]")
def _own_attacks_deal(parse: Parse, by: dict[str, Any], n: Any, v: Mod | None = None) -> Any:
    if v and "by" in v:
        return REFUSE if "any" in by or set(by) & set(v["by"]) else [{"q": "damage.dealt", "add": n, "by": {**by, **v["by"]}}]
    return [{"q": "damage.dealt", "add": n, "by": by, **(v or {})}]


@G.rule("victims", "(contra | em) <items:i>", "(contra | em) (personagens | alvos) [com] <items:i>")
def _victims(parse: Parse, i: list[dict[str, str]]) -> Any:
    known = {"tag", "kind"} if any(t.text == "contra" for t in parse.here) else {"kind"}
    return {"against": any_of(i)} if all(set(one) <= known for one in i) else REFUSE


@G.rule("victims", "(contra | em) (personagens | alvos) com [o | um] <marker:m>")
def _victims_marked(parse: Parse, m: str) -> Mod:
    return {"against": {"has_marker": m}}


@G.rule("mod", "<bonus:n> de {DMG} em <items:i>")
def _mod_dealt_kind(parse: Parse, n: Any, i: list[dict[str, str]]) -> Any:
    """Characters of a kind are victims; with any other list the words name the attacks."""
    return [{"q": "damage.dealt", "add": n, "against": any_of(i)}] if all(set(one) == {"kind"} for one in i) else REFUSE


@G.rule("mod", "<bonus:n> de {DMG} em (personagens | alvos) com [o | um] <marker:m>")
def _mod_dealt_marked(parse: Parse, n: Any, m: str) -> list[Mod]:
    return [{"q": "damage.dealt", "add": n, "against": {"has_marker": m}}]


@G.rule("change", "CAUSAR [o] dobro (de | do) {DMG} [<attacks:a>]")
def _double_dealt(parse: Parse, a: Mod | None = None) -> list[Mod]:
    return [{"q": "damage.dealt", "mul": 2, **(a or {})}]


@G.rule("mod", "<bonus:n> em [todos os] [seus] competicao [<checks:by>]")
def _mod_contest(parse: Parse, n: Any, by: dict[str, Any] | None = None) -> list[Mod]:
    return [{"q": "contest.bonus", "add": n, **({"by": by} if by else {})}]


@G.rule("mod", "<bonus:n> em (todos os [seus] | qualquer) teste [<checks:by>]")
def _mod_any_check(parse: Parse, n: Any, by: dict[str, Any] | None = None) -> list[Mod]:
    return [{"q": "check.bonus", "add": n, **({"by": by} if by else {})}]


@G.rule("mod", "<bonus:n> (em | nos) [seus] ataque [com] <items:i>")
def _mod_attack_of(parse: Parse, n: Any, i: list[dict[str, str]]) -> Any:
    if any(set(one) & {"kind", "order", "path"} for one in i):
        return REFUSE
    return [{"q": "attack.bonus", "add": n, "by": any_of(i)}]


@G.rule("mod", "<bonus:n> em (rolagens | rolagens de dados) de ataque")
def _mod_attack_rolls(parse: Parse, n: Any) -> list[Mod]:
    return [{"q": "attack.bonus", "add": n}]


@G.rule("change", "PERDER <int:n> de <attrs:a>")
def _lost_attributes(parse: Parse, n: int, a: list[str]) -> list[Mod]:
    return [{"q": f"attr.{one}", "add": -n} for one in a]


@G.rule("mod", "<bonus:n> [de] nivel (de | em) <knows:k>", "<bonus:n> de <know:first> (e | ,) <knows:k>")
def _mod_knowledges(parse: Parse, n: int, k: list[str], first: str | None = None) -> list[Mod]:
    return [{"q": "knowledge", "add": n, "by": {"knowledge": one}} for one in ([first] if first else []) + k]


@G.rule("mod", "<bonus:n> (no | em) [seu] maior atributo")
def _mod_best(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "attr.max", "add": n}]

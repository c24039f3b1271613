"""Clauses that state a standing bonus or rule; they read as lists of modifiers.

A modifier without a subject counts for the owner of the effect; a named subject becomes its `on`. Which of them become
Permanent and which become part of an activation is decided where sentences are put together.
"""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import SUBJECT, G, any_of, hp, merged, substitute
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.lexicon import COLOURS

Mod = dict[str, Any]


def on(mods: list[Mod], who: Any) -> list[Mod]:
    """Return the modifiers applied to a subject; the owner of the effect is left out, as in the language."""
    return [m if who == "self" or "on" in m else {**m, "on": who} for m in mods]


# ------------------------------------------------------------------------------------------------------- kinds of attacks


@G.rule("attacks", "(para | de | com | em) <items:i>")
def _attacks_items(parse: Parse, i: list[dict[str, str]]) -> Any:
    return REFUSE if any(set(one) & {"kind", "order", "path"} for one in i) else {"by": any_of(i)}


@G.rule("attacks", "(para | em | de) [os | todos os] [seus] ataques [de | com] <items:i>")
def _attacks_of(parse: Parse, i: list[dict[str, str]]) -> Any:
    return REFUSE if any(set(one) & {"kind", "order", "path"} for one in i) else {"by": any_of(i)}


@G.rule("attacks", "(para | em | de) [os | todos os] [seus] ataques")
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


@G.rule("attacks", "contra (personagens | alvos | alvo | um alvo) com [o | um] <marker:m>")
def _against_marked(parse: Parse, m: str) -> Mod:
    return {"against": {"has_marker": m}}


@G.rule("attacks", "contra (personagens | alvos) (com | que POSSUIR) <items:i>")
def _against_tagged(parse: Parse, i: list[dict[str, str]]) -> Any:
    return {"against": any_of(i)} if all(set(one) <= {"tag", "kind"} for one in i) else REFUSE


@G.rule("attacks", "contra alvos com o {ENTITY} desperto")
def _against_awake(parse: Parse) -> Mod:
    return {"against": {"entity_awake": True}}


@G.rule("attacks", "(para | em | de | com) (ataques | cartas) <items:i> <attacks_tail:t>", "(para | em | de | com) <items:i> <attacks_tail:t>")
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


@G.rule("checks", "de <know:k> [,] cujo atributo base seja <attr:a>")
def _checks_both(parse: Parse, k: str, a: str) -> dict[str, Any]:
    return {"knowledge": k, "attr": a}


@G.rule("checks", "de <know:k> (e / ou | ou) cujo atributo base seja <attr:a>")
def _checks_either(parse: Parse, k: str, a: str) -> dict[str, Any]:
    return any_of([{"knowledge": k}, {"attr": a}])


@G.rule("checks", "de <know:k> com <tag:t>")
def _checks_tag(parse: Parse, k: str, t: str) -> dict[str, Any]:
    return {"knowledge": k, "tag": t}


# ----------------------------------------------------------------------------------------------------------- what changes


def _dealt(n: Any, attacks: Mod | None, q: str = "damage.dealt") -> list[Mod]:
    return [{"q": q, "add": n, **(attacks or {})}]


@G.rule("mod", "<bonus:n> [de bonus] de {DMG} <attacks:a>")
def _mod_dealt(parse: Parse, n: Any, a: Mod) -> list[Mod]:
    return _dealt(n, a)


@G.rule("plaindamage", "<bonus:n> de {DMG}")
def _mod_dealt_plain(parse: Parse, n: Any) -> list[Mod]:
    return _dealt(n, None)


@G.rule("mod", "<bonus:n> [de bonus] (em | a | para | nos) [os] [seus] (teste | testes) [<checks:by>]", q=("check.bonus",))
@G.rule("mod", "<bonus:n> [de bonus] em [seus] (testes | teste) e ataques", q=("check.bonus", "attack.bonus"))
@G.rule("mod", "<bonus:n> [de bonus] em (rolagens | rolagens de dados | rolagens de dado) [<checks:by>]", q=("roll.bonus",))
def _mod_check(parse: Parse, n: Any, q: tuple[str, ...], by: dict[str, Any] | None = None) -> list[Mod]:
    return [{"q": one, "add": n, **({"by": by} if by else {})} for one in q]


@G.rule("mod", "ROLAR <bonus:n> em (rolagens | rolagens de dados) [<checks:by>]")
def _mod_roll_dice(parse: Parse, n: Any, by: dict[str, Any] | None = None) -> Any:
    return [{"q": "roll.bonus", "add": n, **({"by": by} if by else {})}] if isinstance(n, str) else REFUSE


@G.rule("mod", "<bonus:n> [de] <attrs:a> [<limit:cap>]")
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


@G.rule("mod", "<bonus:n> [de bonus] em [seus] ataque [de <items:i>]")
def _mod_attack(parse: Parse, n: Any, i: list[dict[str, str]] | None = None) -> Any:
    if i and any(set(one) & {"kind", "order", "path"} for one in i):
        return REFUSE
    return [{"q": "attack.bonus", "add": n, **({"by": any_of(i)} if i else {})}]


@G.rule("mod", "um bonus de <mod:m>", "bonus de <mod:m>")
def _mod_called_bonus(parse: Parse, m: list[Mod]) -> list[Mod]:
    return m


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


# -------------------------------------------------------------------------------------------------------- damage received


@G.rule("taken", "<bonus:n> de {DMG} [<attacks:a>]")
def _taken(parse: Parse, n: int, a: Mod | None = None) -> Any:
    if a and ("on" in a or "against" in a):
        return REFUSE
    return [{"q": "damage.taken", "add": n, **(a or {})}]


@G.rule("taken", "metade do {DMG} <attacks:a>")
def _taken_half(parse: Parse, a: Mod) -> Any:
    return REFUSE if "on" in a or "against" in a else [{"q": "damage.taken", "mul": "half", **a}]


@G.rule("ignored", "IGNORAR [o] {DMG} <attacks:a>")
def _taken_none(parse: Parse, a: Mod) -> Any:
    return REFUSE if "on" in a or "against" in a else [{"q": "damage.taken", "mul": 0, **a}]


# ------------------------------------------------------------------------------------------------------------------ costs

G.table("costname", {"{AP}": "cost.ap", "{SP}": "cost.sp", "{MP}": "cost.mp", **{f"{{{c}}}": "cost.essence" for c in COLOURS}})


@G.rule("mod", "<bonus:n> [de] <costname:q> de custo [de ativacao] (para | em) <cards:c>",
        "<bonus:n> de custo (em | de) <costname:q> (para | em) <cards:c>")  # fmt: skip
def _mod_cost(parse: Parse, n: int, q: str, c: dict[str, Any]) -> list[Mod]:
    return [{"q": q, "add": n, "card": c}]


@G.rule("stmt", "<cards:c> CUSTAR <bonus:n> de <costname:q>", "ATIVAR cartas de <item:c> CUSTAR <bonus:n> de <costname:q>")
def _costs(parse: Parse, n: int, q: str, c: dict[str, Any]) -> list[Mod]:
    return [{"q": q, "add": n, "card": c}]


@G.rule("mod", "<bonus:n> [de] {AP} de custo para ENVIAR uma carta do {INV} para [o] <zonemac:z>")
def _mod_from_inventory(parse: Parse, n: int, z: str) -> list[Mod]:
    return [{"q": "cost.zone_move", "add": n, "card": {"from": "inventory", "to": z}}]


@G.rule("mod", "<bonus:n> de custo (de | em) {AP} para (COLOCAR | ADICIONAR) uma carta no <zonemac:z>")  # fmt: skip
def _mod_zone_in(parse: Parse, n: int, z: str) -> list[Mod]:
    return [{"q": "cost.zone_move", "add": n, "card": {"to": z}}]


@G.rule("mod", "<bonus:n> de custo (de | em) {AP} para (retirar | REMOVER) uma carta do <zonemac:z>")
def _mod_zone_out(parse: Parse, n: int, z: str) -> list[Mod]:
    return [{"q": "cost.zone_move", "add": n, "card": {"from": z}}]


@G.rule("stmt", "ADICIONAR uma carta ao <zonemac:z> CUSTAR <int:n> de {AP}", way="to")
@G.rule("stmt", "REMOVER uma carta do <zonemac:z> CUSTAR <int:n> de {AP}", way="from")
def _zone_cost(parse: Parse, z: str, n: int, way: str) -> list[Mod]:
    return [{"q": "cost.zone_move", "set": n, "card": {way: z}}]


@G.rule("stmt", "ENVIAR cartas de <suit:s> do {INV} para a {TABLE} nao TER custo em {AP}")
def _zone_free(parse: Parse, s: str) -> list[Mod]:
    return [{"q": "cost.zone_move", "set": 0, "card": {"suit": s, "from": "inventory", "to": "table"}}]


@G.rule("mod", "<bonus:n> de custo (de | em) <energies:e> para manter o {ENTITY} desperto")
def _mod_upkeep(parse: Parse, n: int, e: list[str]) -> list[Mod]:
    return [{"q": "cost.entity_upkeep", "add": n}]


@G.rule("mod", "<bonus:n> de custo (de | em) {AP} para [se] mover")
def _mod_move(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "cost.move", "add": n}]


@G.rule("mod", "<bonus:n> de custo (de | em) {AP} para [o] [seu] ataque normal")
def _mod_normal(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "normal_attack.ap", "add": n}]


@G.rule("stmt", "todo custo (de | em) <energies:e> SER dobrado")
def _doubled(parse: Parse, e: list[str]) -> list[Mod]:
    return [{"q": f"cost.{one.lower()}", "mul": 2} for one in e]


@G.rule("stmt", "<cards:c> [,] nao PAGAR custos em <onenergy:e>")
def _not_paid(parse: Parse, c: dict[str, Any], e: str) -> list[Mod]:
    return [{"q": f"cost.{e.lower()}", "set": 0, "card": c}]


@G.rule("stmt", "voce nao PAGAR o custo em {MP} para EVOCAR uma {SUMMON}")
def _free_summon(parse: Parse) -> list[Mod]:
    return [{"q": "cost.summon", "set": 0}]


# ---------------------------------------------------------------------------------------------------------- normal attack


@G.rule("stmt", "o {DMG} do (ataque normal | <name>) deste personagem SER [:] <formula:f>")
def _normal_formula(parse: Parse, f: dict[str, Any]) -> list[Mod]:
    return on([{"q": "normal_attack.damage", "set": f["n"]}, {"q": "normal_attack.dice", "set": f["dice"]}], parse.context.this_char)


@G.rule("formula", "lp <term:n> + <dice:d> rp", "lp <term:n> <plusdice:d> rp")
def _formula(parse: Parse, n: Any, d: str) -> Any:
    return {"n": n, "dice": d[5:-1]} if isinstance(n, int) else REFUSE


@G.rule("formula", "lp <attr:a> + <dice:d> rp", "lp <attr:a> <plusdice:d> rp")
def _formula_attr(parse: Parse, a: str, d: str) -> dict[str, Any]:
    return {"n": f"attr({parse.context.this_char},{a})", "dice": d[5:-1]}


# ------------------------------------------------------------------------------------------------------------ restrictions


@G.rule("banned", "nao PODER (ser alvo | SER selecionado como alvo) de uma acao", what="any_action")
@G.rule("banned", "nao PODER (ser alvo | SER selecionado como alvo) de um ataque", what="attack")
def _untargetable(parse: Parse, what: str) -> list[Mod]:
    return [{"q": "rule.untargetable", "set": what}]


@G.rule("banned", "nao PODER (ser alvo | SER selecionado como alvo) de <cards:c>")
def _untargetable_by(parse: Parse, c: dict[str, Any]) -> list[Mod]:
    return [{"q": "rule.untargetable", "set": True, "by": c}]


@G.rule("banned", "nao PODER SER selecionado para ataques a mais de <num:n> (casa | casas)")
def _untargetable_far(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "rule.untargetable", "set": "attack", "by": {"distance_ge": n + 1}}]


@G.rule("banned", "nao PODER SELECIONAR <victim_name:v> como alvo de uma acao", what="any_action")
@G.rule("banned", "nao PODER SELECIONAR <victim_name:v> como alvo de um ataque", what="attack")
def _cannot_target(parse: Parse, v: str, what: str) -> list[Mod]:
    return [{"q": "rule.cannot_target", "set": what, "against": v}]


@G.rule("victim_name", "voce", who="self")
@G.rule("victim_name", "esta carta", who="this_char")
def _victim_name(parse: Parse, who: str) -> Any:
    return REFUSE if who == "this_char" and not parse.context.companion else who


@G.rule("change", "ROLAR <dice:d> , ao inves de <dice> , em seu ataque normal")
def _normal_dice(parse: Parse, d: str) -> list[Mod]:
    return [{"q": "normal_attack.dice", "set": d[5:-1]}]


@G.rule("banned", "nao PODER [se] mover", "nao PODER se locomover", "nao PODER andar")
def _rooted(parse: Parse) -> list[Mod]:
    return [{"q": "rule.cannot_move", "set": True}]


@G.rule("banned", "IGNORAR areas de dominio", "nao PAGAR custos de areas de dominio")
def _ignores_domain(parse: Parse) -> list[Mod]:
    return [{"q": "rule.ignore_domain", "set": True}]


@G.rule("banned", "nao PODER SER (negado | negada)")
def _no_negation(parse: Parse) -> list[Mod]:
    return [{"q": "rule.no_negation", "set": True}]


@G.rule("banned", "nao PODER DESPERTAR [o] [seu] {ENTITY}")
def _no_awakening(parse: Parse) -> list[Mod]:
    return [{"q": "rule.cannot_awaken", "set": True}]


@G.rule("banned", "nao PODER (RECEBER | OBTER) [o | um] <marker:m>")
def _no_marker(parse: Parse, m: str) -> list[Mod]:
    return [{"q": "rule.immune", "set": True, "by": {"marker": m}}]


@G.rule("banned", "SER imune (a | ao | aos) <marker:m>")
def _immune_marker(parse: Parse, m: str) -> list[Mod]:
    return [{"q": "rule.immune", "set": True, "by": {"marker": m}}]


@G.rule("banned", "SER imune (a | ao) {DMG} <attacks:a>")
def _immune_damage(parse: Parse, a: Mod) -> Any:
    return REFUSE if "on" in a or "against" in a else [{"q": "damage.taken", "mul": 0, **a}]


@G.rule("banned", "nao SER (afetado | afetados) (pelo | por) <effect:e>")
def _unaffected(parse: Parse, e: str) -> list[Mod]:
    return [{"q": "rule.immune", "set": True, "by": {"effect_named": e}}]


@G.rule("banned", "nao PODER EQUIPAR <items:i>")
def _no_equip(parse: Parse, i: list[dict[str, str]]) -> list[Mod]:
    return [{"q": "rule.cannot_equip", "set": True, "card": any_of(i)}]


@G.rule("banned", "nao PODER SER revividos", "nao PODER SER revivido")
def _no_revive(parse: Parse) -> list[Mod]:
    return [{"q": "rule.no_revive", "set": True}]


@G.rule("banned", "PODER SER revivido apenas uma vez por batalha")
def _revive_once(parse: Parse) -> list[Mod]:
    return [{"q": "rule.revive_once", "set": True}]


@G.rule("banned", "nao PODER ATIVAR <cards:c>")
def _no_activation(parse: Parse, c: dict[str, Any]) -> list[Mod]:
    return [{"q": "rule.cannot_activate", "set": True, "card": c}]


@G.rule("stmt", "<cards:c> [,] nao PODER SER ativadas", "<cards:c> [,] nao PODER SER ativada")
def _not_activated(parse: Parse, c: dict[str, Any]) -> list[Mod]:
    return [{"q": "rule.cannot_activate", "set": True, "card": c}]


@G.rule("banned", "nao SER (afetado | afetados) por areas de dominio")
def _no_domain(parse: Parse) -> list[Mod]:
    return [{"q": "rule.ignore_domain", "set": True}]


@G.rule("banned", "nao PAGAR custo extra em {AP} relativo a areas de dominio [, para se mover]")
def _no_domain_cost(parse: Parse) -> list[Mod]:
    return [{"q": "rule.ignore_domain", "set": True}]


@G.rule("banned", "nao (POSSUIR | TER) [uma] peca no tabuleiro")
def _no_piece(parse: Parse) -> Any:
    return [{"q": "piece.present", "set": False}] if parse.context.companion else REFUSE


@G.rule("banned", "PODER USAR casas de qualquer terreno [,] [e] IGNORAR o custo adicional de se mover para uma casa de {ALT} diferente",
        "PODER USAR casas de qualquer terreno . IGNORAR o custo adicional de se mover para uma casa de {ALT} diferente")  # fmt: skip
def _flying(parse: Parse) -> list[Mod]:
    return [{"q": "rule.flying", "set": True}]


@G.rule("banned", "IGNORAR [o] efeito [de] <effect:e> de <cards:c>")
def _ignores_effect_of(parse: Parse, e: str, c: dict[str, Any]) -> Any:
    return [{"q": "rule.immune", "set": True, "by": {"effect_named": e, **c}}] if set(c) <= {"suit", "level"} else REFUSE


@G.rule("banned", "IGNORAR [o] efeito [de] <effect:e>")
def _ignores_effect(parse: Parse, e: str) -> list[Mod]:
    return [{"q": "rule.immune", "set": True, "by": {"effect_named": e}}]


@G.rule("banned", "PODER [se] mover [ou ficar] em casas [do tabuleiro] [do tipo] {AQUA}")
def _amphibious(parse: Parse) -> list[Mod]:
    return [{"q": "rule.amphibious", "set": True}]


@G.rule("bonus_list_of", "<who:w> RECEBER [os seguintes bonus]", "<who:w> TER [os seguintes bonus]")
def _bonus_list_of(parse: Parse, w: Any) -> Any:
    return w


@G.rule("stmt", "voce PODER (USAR | ATIVAR | EQUIPAR) esta carta sem (TER | POSSUIR) o {KNOWLEDGE}")
def _waived(parse: Parse) -> list[Mod]:
    return [{"q": "requirement.knowledge", "set": "waived", "card": "this"}]


@G.rule("stmt", "voce PODER USAR <items:i> de qualquer conhecimento")
def _waived_for(parse: Parse, i: list[dict[str, str]]) -> list[Mod]:
    return [{"q": "requirement.knowledge", "set": "waived", "card": any_of(i)}]


@G.rule("stmt", "voce nao PRECISAR do requerimento de {KNOWLEDGE} para ADICIONAR uma <kind:k> ao {SUPPORT}")
def _waived_kind(parse: Parse, k: str) -> list[Mod]:
    return [{"q": "requirement.knowledge", "set": "waived", "card": {"suit": "Companion", "kind": k}}]


@G.rule("stmt", "voce PRECISAR TER <atleast:n> de <attr:a> para (EQUIPAR esta carta | ENVIAR esta carta para [o] [seu] {EQUIP})")
def _needs_attr(parse: Parse, n: int, a: str) -> list[Mod]:
    return [{"q": "requirement.attr", "set": {a: n}, "card": "this"}]


@G.rule("stmt", "voce nao PODER TER mais de uma carta com este efeito")
def _unique(parse: Parse) -> list[Mod]:
    return [{"q": "rule.unique_keyword", "set": "this_keyword"}]


@G.rule("stmt", "voce PODER TER apenas uma carta com <tag:t> na [sua] {TABLE}")
def _unique_tag(parse: Parse, t: str) -> list[Mod]:
    return [{"q": "rule.unique_keyword", "set": t}]


@G.rule("stmt", "USAR {ITEM} e {SKILL} de <tag:t> como <rangetype:r>")
def _range_type(parse: Parse, t: str, r: str) -> list[Mod]:
    return [{"q": "range.type", "set": r, "by": {"suit": ["Item", "Skill"], "tag": t}}]


@G.rule("stmt", "nenhum {SUMMUS_DAEMON} PODER SER ativado")
def _no_daemons(parse: Parse) -> list[Mod]:
    return [{"q": "rule.cannot_activate", "set": True, "card": {"summus": "Daemon"}, "on": "all"}]


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


@G.rule("stmt", "ADICIONAR <level:n> [como bonus] em (testes | rolagens) <checks:by>", "ADICIONAR <level:n> aos [seus] testes <checks:by>")
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
    return [{"q": f"attr.{a}", "add": f"attr(this,{a})", "on": "host_hero"} for a in ("END", "STR", "AGI", "PER", "INT", "CHA", "SPT")]


@G.rule("thisattack", "esta carta", "este ataque")
def _this_attack(parse: Parse) -> Any:
    return {"card": "this"} if parse.context.technique is None else {"technique": "this"}


@G.rule("thisattack", "esta tecnica", "este movimento")
def _this_technique(parse: Parse) -> Any:
    return REFUSE if parse.context.technique is None else {"technique": "this"}


@G.rule("stmt", "<thisattack:a> CAUSAR <bonus:n> de {DMG} [(contra | em) <items:i>]")
def _this_deals(parse: Parse, a: dict[str, str], n: int, i: list[dict[str, str]] | None = None) -> Any:
    if i and not all(set(one) <= {"tag", "kind"} for one in i):
        return REFUSE
    return [{"q": "attack.damage", "add": n, "by": a, **({"against": any_of(i)} if i else {})}]


@G.rule("stmt", "se o alvo do seu ataque SER de outro time , CAUSAR <bonus:n> de {DMG}")
def _against_enemies(parse: Parse, n: Any) -> list[Mod]:
    return [{"q": "damage.dealt", "add": n, "by": {"attack": True}, "against": {"chars": "enemies"}}]


@G.rule("stmt", "quando no {SUPPORT} de um heroi , este personagem nao (POSSUIR | TER) peca no tabuleiro")
def _no_piece_here(parse: Parse) -> Any:
    return [{"q": "piece.present", "set": False, "on": "this_char"}] if parse.context.companion else REFUSE


@G.rule("stmt", "RECEBER os seguintes bonus : <stats:s>")
def _bonus_list(parse: Parse, s: list[tuple[str, int]]) -> list[Mod]:
    return [{"q": f"attr.{a}", "add": n} for a, n in s]


@G.rule("mod", "um modificador temporario de <mod:m>")
def _modifier_named(parse: Parse, m: list[Mod]) -> list[Mod]:
    return m


@G.rule("stmt", "<group:g> PRECISAR PAGAR <bonus:n> de {AP} para se mover para casas na sua area de dominio [, alem de demais custos]")
def _domain_cost(parse: Parse, g: dict[str, Any], n: int) -> Any:
    return [{"q": "cost.domain", "add": n, "on": g["chars"]}] if g == {"chars": "enemies"} else REFUSE


_CURRENCY_SUITS = {"PRICE": "Item", "XP": "Skill", "WILL": "Companion", "FATE": "Event"}


@G.rule("stmt", "<currency:a> PODER SER (tratado | usado) como [se fosse] <currency:b> [e <currency:c> PODER SER (tratado | usado) como [se fosse] <currency:d>]")
@G.rule("stmt", "voce PODER USAR <currency:a> como [se fosse] <currency:b>")
def _used_as(parse: Parse, a: str, b: str, c: str | None = None, d: str | None = None) -> list[Mod]:
    pairs = [(a, b)] + ([(c, d)] if c and d else [])
    return [{"q": "value.as", "set": to, "card": {"suit": _CURRENCY_SUITS[one]}} for one, to in pairs]


@G.rule("mod", "<bonus:n> [de bonus] (para | em | a) todos os [seus] atributos modificados positivamente pelo [seu] {ENTITY}")
def _mod_raised(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "attr.raised_by_entity", "add": n}]


@G.rule("mod", "<bonus:n> [de bonus] (para | em | a | de) todos os [seus] atributos")
def _mod_all(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "attr.all", "add": n}]


@G.rule("stmt", "ATIVAR <cards:c> CUSTAR <int:n> de <costname:q> a menos", "<cards:c> CUSTAR <int:n> de <costname:q> a menos", sign=-1)
@G.rule("stmt", "ATIVAR <cards:c> CUSTAR <int:n> de <costname:q> a mais", "<cards:c> CUSTAR <int:n> de <costname:q> a mais", sign=1)
def _costs_less(parse: Parse, c: dict[str, Any], n: int, q: str, sign: int) -> list[Mod]:
    return [{"q": q, "add": sign * n, "card": c}]


@G.rule("stmt", "o custo para ATIVAR <cards:c> SER reduzido em <costcuts:n>", "o custo de ativacao de <cards:c> SER reduzido em <costcuts:n>")
def _cheaper(parse: Parse, c: dict[str, Any], n: list[tuple[str, int]]) -> list[Mod]:
    return [{"q": q, "add": -amount, "card": c} for q, amount in n]


@G.rule("costcuts", "<int:n> de <costname:q>")
@G.rule("costcuts", "<int:n> de <costname:q> e <costcuts:more>")
def _cost_cuts(parse: Parse, n: int, q: str, more: list[tuple[str, int]] | None = None) -> list[tuple[str, int]]:
    return [(q, n), *(more or [])]


@G.rule("stmt", "IGNORAR [o] custo de {ENERGY} para manter o [seu] {ENTITY} desperto")
@G.rule("stmt", "voce nao PAGAR [o] custo [de {ENERGY}] para manter o [seu] {ENTITY} desperto")
def _free_upkeep(parse: Parse) -> list[Mod]:
    return [{"q": "cost.entity_upkeep", "set": 0}]


@G.rule("mod", "<bonus:n> em teste <checks:by> e [em] ataque de <items:i>")
def _mod_checks_attacks(parse: Parse, n: Any, by: dict[str, Any], i: list[dict[str, str]]) -> Any:
    if any(set(one) & {"kind", "order", "path"} for one in i):
        return REFUSE
    return [{"q": "check.bonus", "add": n, "by": by}, {"q": "attack.bonus", "add": n, "by": any_of(i)}]


@G.rule("stmt", "todo teste (RECEBER | TER) <bonus:n> de dificuldade")
def _harder(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "check.difficulty", "add": n, "on": "all"}]


@G.rule("mod", "<bonus:n> de dificuldade em [seus] teste [<checks:by>]")
def _mod_difficulty(parse: Parse, n: int, by: dict[str, Any] | None = None) -> list[Mod]:
    return [{"q": "check.difficulty", "add": n, **({"by": by} if by else {})}]


@G.rule("stmt", "IGNORAR o efeito de carta com <items:i>")
def _immune_tags(parse: Parse, i: list[dict[str, str]]) -> Any:
    return [{"q": "rule.immune", "set": True, "by": any_of(i)}] if all(set(one) == {"tag"} for one in i) else REFUSE


@G.rule("stmt", "todos os seus ataques CAUSAR <bonus:n> de {DMG}")
def _all_attacks(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "damage.dealt", "add": n, "by": {"attack": True}}]


@G.rule("stmt", "ADICIONAR sua <attr:a> a qualquer {DMG} que voce CAUSAR")
def _attr_damage(parse: Parse, a: str) -> list[Mod]:
    return [{"q": "damage.dealt", "add": f"attr(self,{a})"}]


@G.rule("stmt", "<group:g> PRECISAR PAGAR <bonus:n> de {FATE} para OBTER <salvation>")
def _salvation_cost(parse: Parse, g: dict[str, Any], n: int) -> Any:
    return [{"q": "cost.salvation", "add": n, "on": g["chars"]}] if set(g) == {"chars"} else REFUSE


@G.rule("stmt", "voce PRECISAR ESTAR em um <deckmac:d> nivel <atleast:n> para ADICIONAR esta carta ao {EQUIP}",
        "esta carta PODER SER adicionada ao {EQUIP} apenas se voce ESTAR em um <deckmac:d> nivel <atleast:n>")  # fmt: skip
def _needs_place(parse: Parse, d: str, n: int) -> list[Mod]:
    return [{"q": "requirement.place", "set": {d: n}, "card": "this"}]


@G.rule("stmt", "IGNORAR (aos | os) efeitos <effect:a> e <effect:b>")
def _immune(parse: Parse, a: str, b: str) -> list[Mod]:
    return [{"q": "rule.immune", "set": True, "by": any_of([{"effect_named": a}, {"effect_named": b}])}]


@G.rule("stmt", "se <who:w> OBTER menos de <int:n> em um teste , CONSIDERAR como <int:m>")
def _result_floor(parse: Parse, w: Any, n: int, m: int) -> Any:
    return on([{"q": "check.result_floor", "set": n}], w) if n == m else REFUSE


@G.rule("stmt", "se um {DMG} recebido CAUSAR <atleast:n> de {INJURY} [,] CONSIDERAR como <int:m>", to_char=False)
@G.rule("stmt", "se um {DMG} (causando | causado) a este personagem resultar em <atleast:n> de {INJURY} , CONSIDERAR como <int:m>", to_char=True)
def _injury_cap(parse: Parse, n: int, m: int, to_char: bool) -> Any:
    if m not in (n, n - 1):
        return REFUSE
    return on([{"q": "injury.cap", "set": m}], parse.context.this_char if to_char else "self")


@G.rule("stmt", "voce MORRER apenas em caso de <totalloss>", "personagens MORRER apenas em caso de <totalloss>",
        "personagens MORRER apenas quando suas {HP} chegarem ao ponto de <totalloss>")  # fmt: skip
def _total_loss(parse: Parse) -> list[Mod]:
    return [{"q": "rule.die_only_at_total_loss", "set": True}]


@G.rule("stmt", "seu turno acontece normalmente nos demais casos", "ele continuam tendo seu turno normal nos demais casos")
def _turns_go_on(parse: Parse) -> list[Mod]:
    """Said with the rule before it: a character that is not dead has its turns anyway."""
    return []


@G.rule("totalloss", "<name:n>")
def _total_loss_name(parse: Parse, n: str) -> Any:
    return n if n == "Perda Total" else REFUSE


# ------------------------------------------------------------------------------------------------------------------ counts


@G.rule("per", "[,] para cada <cards:c> <fromzone:z>", "[,] para cada carta <fromzone:z>", "[,] para cada item <quals:c> <fromzone:z>")
def _per_cards(parse: Parse, z: str, c: dict[str, Any] | None = None) -> dict[str, Any]:
    where = {"zone": z} if z == "scenario" else {"zone": z, "of": "self"}
    return {"count": {"cards": {**where, **(c or {})}}}


@G.rule("per", "[,] para cada <people:p> que [voce] POSSUIR [, exceto <kind:x>]")
def _per_own(parse: Parse, p: dict[str, Any], x: str | None = None) -> Any:
    if "other" in p or "kind" not in p:
        return REFUSE
    return {"count": {"chars": "own_companions", **({} if p["kind"] == "Companion" else p), **({"exclude": {"kind": x}} if x else {})}}


@G.rule("per", "[,] para cada [outro] <people:p> <team:t> [no tabuleiro]")
def _per_team(parse: Parse, p: dict[str, Any], t: str) -> Any:
    other = any(a.text == "cada" and b.text == "outro" for a, b in zip(parse.tokens, parse.tokens[1:], strict=False))
    if other != bool(p.get("other")) and other and t != "allies":
        return REFUSE
    base = "other_allies" if other else t
    return {"count": {"chars": base, **{k: v for k, v in p.items() if k != "other"}}}


@G.rule("per", "[,] para cada <group:g> [<where:w>]")
def _per_chars(parse: Parse, g: dict[str, Any], w: dict[str, Any] | None = None) -> Any:
    both = merged(g, w)
    if both is REFUSE:
        return REFUSE
    base = both.pop("chars")
    return {"count": {"chars": base, **both}}


@G.rule("per", "[,] para cada <counter:c> (nesta | desta | em esta) carta", "[,] para cada <counter:c> que esta carta POSSUIR")
def _per_counter(parse: Parse, c: str) -> str:
    return f"counters(this.{c})"


@G.rule("per", "[,] para cada <counter:c> em suas cartas")
def _per_counters(parse: Parse, c: str) -> dict[str, Any]:
    return {"count": {"counters": c, "of": "self"}}


@G.rule("per", "[,] para cada espaco vazio no [seu] <zonemac:z>")
def _per_empty(parse: Parse, z: str) -> dict[str, Any]:
    return {"count": {"empty_slots": z, "of": "self"}}


@G.rule("per", "[,] para cada copia desta carta no seu time")
def _per_copy(parse: Parse) -> dict[str, Any]:
    return {"count": {"cards": {"zone": "sheet", "of": "team", "same_as": "this"}}}


@G.rule("per", "[,] para cada {ALT} a mais que o alvo")
def _per_altitude(parse: Parse) -> dict[str, Any]:
    return {"altitude_diff": [SUBJECT, "target"]}


@G.rule("per", "para cada {KNOWLEDGE} que voce POSSUIR")
def _per_knowledge(parse: Parse) -> dict[str, Any]:
    return {"count": {"knowledges": "self"}}


# ------------------------------------------------------------------------------------------------------- lists and subjects


@G.rule("mods", "<mod:a>")
def _mods_one(parse: Parse, a: list[Mod]) -> list[Mod]:
    return a


@G.rule("mods", "<mod:a> (, | e | , e) <mods:b>")
def _mods_more(parse: Parse, a: list[Mod], b: list[Mod]) -> list[Mod]:
    return [*a, *b]


@G.rule("change", "<mods:m>", "[CAUSAR] <plaindamage:m>", "CAUSAR <mods:m>")
def _change(parse: Parse, m: list[Mod]) -> list[Mod]:
    return m


@G.rule("change", "(RECEBER | TER | GANHAR) <mods:m>")
def _received(parse: Parse, m: list[Mod]) -> Any:
    """To receive damage is to suffer it; only other quantities can be received as a bonus."""
    return REFUSE if any(one["q"] == "damage.dealt" for one in m) else m


@G.rule("change", "(RECEBER | SOFRER) <taken:m>", "<ignored:m>", "<banned:m>")
def _suffer(parse: Parse, m: list[Mod]) -> Any:
    return m


@G.rule("changes", "<change:a>")
@G.rule("changes", "<change:a> (e | , e) <changes:b>")
def _changes(parse: Parse, a: list[Mod], b: list[Mod] | None = None) -> list[Mod]:
    return [*a, *(b or [])]


@G.rule("stmt", "<changes:m>")
def _stmt_self(parse: Parse, m: list[Mod]) -> Any:
    return m


@G.rule("stmt", "<who:s> [,] <changes:m>", "<changes:m> [,] <towho:s>")
def _stmt_who(parse: Parse, m: list[Mod], s: Any) -> list[Mod]:
    return on(m, s)


@G.rule("stmt", "<who:s> e <who:t> [,] <changes:m>")
@G.rule("stmt", "<changes:m> [,] <towho:s> e <towho:t>")
def _stmt_both(parse: Parse, m: list[Mod], s: Any, t: Any) -> list[Mod]:
    return [*on(m, s), *on(m, t)]


@G.rule("stmt", "<every> [o] {DMG} infligido por <group:g> SER incrementado em uma quantidade igual ao <level:n>",
        q="damage.dealt", sign="{}")  # fmt: skip
@G.rule("stmt", "<every> [o] {DMG} infligido em <group:g> SER reduzido em uma quantidade igual ao <level:n>",
        q="damage.taken", sign="neg({})")  # fmt: skip
def _team_level(parse: Parse, g: dict[str, Any], n: str, q: str, sign: str) -> Any:
    return [{"q": q, "add": sign.format(n), "on": g["chars"]}] if set(g) == {"chars"} else REFUSE


@G.rule("statement", "<stmt:m> [<per:p>] [[,] <dur:d>]", "<per:p> [,] <stmt:m> [[,] <dur:d>]")
def _statement(parse: Parse, m: list[Mod], p: dict[str, Any] | None = None, d: Any = None) -> Any:
    if p is not None:
        m = [{**one, "per": substitute(p, SUBJECT, one.get("on", "self"))} for one in m]
    return {"mods": m, **({} if d is None else {"until": d})}

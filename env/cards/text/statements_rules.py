"""Clauses about what characters and cards may do, must have, and are safe from."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import G, any_of, merged
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.statements import Mod, on

# ------------------------------------------------------------------------------------------------------------ restrictions


@G.rule("banned", "nao PODER (ser alvo | SER selecionado como alvo) de (uma acao | acoes)", what="any_action")
@G.rule("banned", "nao PODER (ser alvo | SER selecionado como alvo) de (um ataque | ataques)", what="attack")
def _untargetable(parse: Parse, what: str) -> list[Mod]:
    return [{"q": "rule.untargetable", "set": what}]


@G.rule("banned", "nao PODER (ser alvo | SER selecionado como alvo) de (um ataque | ataques) [de | com] <items:i>")
def _untargetable_attacks(parse: Parse, i: list[dict[str, str]]) -> Any:
    if any(set(one) & {"kind", "order", "path"} for one in i):
        return REFUSE
    return [{"q": "rule.untargetable", "set": "attack", "by": any_of(i)}]


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


@G.rule("banned", "nao PODER (RECEBER | OBTER) [o | um] <marker:m>", "SER imune (a | ao | aos) <marker:m>")
def _no_marker(parse: Parse, m: str) -> list[Mod]:
    return [{"q": "rule.cannot_obtain_marker", "set": m}]


@G.rule("banned", "SER imune (a | ao) {DMG} <attacks:a>")
def _immune_damage(parse: Parse, a: Mod) -> Any:
    return REFUSE if "on" in a or "against" in a else [{"q": "damage.taken", "mul": 0, **a}]


@G.rule("banned", "nao SER (afetado | afetados) (pelo | por) <effect:e>")
def _unaffected(parse: Parse, e: str) -> list[Mod]:
    return [{"q": "rule.immune", "set": True, "by": {"effect_named": e}}]


@G.rule("banned", "nao PODER ATIVAR [nenhum] carta")
def _no_card_activation(parse: Parse) -> list[Mod]:
    return [{"q": "rule.cannot_activate", "set": True}]


@G.rule("banned", "nao PODER EQUIPAR <suit:s> <quals:q>")
def _no_equip_suit(parse: Parse, s: str, q: dict[str, Any]) -> Any:
    both = merged({"suit": s}, q)
    return REFUSE if both is REFUSE or s != "Item" else [{"q": "rule.cannot_equip", "set": True, "card": both}]


@G.rule("banned", "nao PODER EQUIPAR {ITEM}")
def _no_equip_any(parse: Parse) -> list[Mod]:
    return [{"q": "rule.cannot_equip", "set": True, "card": {"suit": "Item"}}]


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


@G.rule("banned", "PODER USAR casas de qualquer terreno [,] [e] IGNORAR o custo adicional de se mover para uma "
                  "casa de {ALT} diferente",
        "PODER USAR casas de qualquer terreno . IGNORAR o custo adicional de se mover para uma casa de {ALT} "
        "diferente")  # fmt: skip
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


@G.rule("stmt", "USAR {ITEM} e {SKILL} de <tag:t> como <rangetype:r>")
def _range_type(parse: Parse, t: str, r: str) -> list[Mod]:
    return [{"q": "range.type", "set": r, "by": {"suit": ["Item", "Skill"], "tag": t}}]


@G.rule("stmt", "nenhum {SUMMUS_DAEMON} PODER SER ativado")
def _no_daemons(parse: Parse) -> list[Mod]:
    return [{"q": "rule.cannot_activate", "set": True, "card": {"summus": "Daemon"}, "on": "all"}]


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


_CURRENCY_SUITS = {"PRICE": "Item", "XP": "Skill", "WILL": "Companion", "FATE": "Event"}


@G.rule(
    "stmt",
    "<currency:a> PODER SER (tratado | usado) como [se fosse] <currency:b> [e <currency:c> PODER SER (tratado | "
    "usado) como [se fosse] <currency:d>]",
)
@G.rule("stmt", "voce PODER USAR <currency:a> como [se fosse] <currency:b>")
def _used_as(parse: Parse, a: str, b: str, c: str | None = None, d: str | None = None) -> list[Mod]:
    pairs = [(a, b)] + ([(c, d)] if c and d else [])
    return [{"q": "value.as", "set": to, "card": {"suit": _CURRENCY_SUITS[one]}} for one, to in pairs]


@G.rule("mod", "<bonus:n> (para | em | a) todos os [seus] atributos modificados positivamente pelo [seu] {ENTITY}")
def _mod_raised(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "attr.raised_by_entity", "add": n}]


@G.rule("mod", "<bonus:n> (para | em | a | de) todos os [seus] atributos")
def _mod_all(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "attr.all", "add": n}]


@G.rule("stmt", "REDUZIR em <int:n> [o] custo [em | de] <costname:q> (de | do) [todo] [o] [seu] <cards:c>", sign=-1)
@G.rule("stmt", "REDUZIR [o] custo [em | de] <costname:q> (de | do) [todo] [o] [seu] <cards:c> em <int:n>", sign=-1)
@G.rule("stmt", "AUMENTAR em <int:n> [o] custo [em | de] <costname:q> (de | do) [todo] [o] [seu] <cards:c>", sign=1)
@G.rule("stmt", "AUMENTAR [o] custo [em | de] <costname:q> (de | do) [todo] [o] [seu] <cards:c> em <int:n>", sign=1)
@G.rule(
    "stmt",
    "ATIVAR <cards:c> CUSTAR <int:n> de <costname:q> a menos",
    "[o] [todas] [as] [suas] <cards:c> CUSTAR <int:n> de <costname:q> a menos",
    sign=-1,
)
@G.rule(
    "stmt",
    "ATIVAR <cards:c> CUSTAR <int:n> de <costname:q> a mais",
    "[o] [todas] [as] [suas] <cards:c> CUSTAR <int:n> de <costname:q> a mais",
    sign=1,
)
def _costs_less(parse: Parse, c: dict[str, Any], n: int, q: str, sign: int) -> list[Mod]:
    return [{"q": q, "add": sign * n, "card": c}]


@G.rule(
    "stmt",
    "o custo para ATIVAR <cards:c> SER reduzido em <costcuts:n>",
    "o custo de ativacao de <cards:c> SER reduzido em <costcuts:n>",
)
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
@G.rule(
    "stmt",
    "se um {DMG} (causando | causado) a este personagem resultar em <atleast:n> de {INJURY} , CONSIDERAR como <int:m>",
    to_char=True,
)
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


@G.rule("banned", "nao PODER (SER curado | CURAR {HP} | RECUPERAR {HP})")
def _no_healing(parse: Parse) -> list[Mod]:
    return [{"q": "heal.received", "mul": 0}]


@G.rule("banned", "(COMECAR | INICIAR) [os] seus turnos com <bonus:n> de {AP}")
@G.rule("mod", "<bonus:n> de {AP} (no | ao) inicio (do seu turno | dos seus turnos)")
def _start_ap(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "ap.start_of_turn", "add": n}]


@G.rule("stmt", "esta carta CUSTAR <bonus:n> de <costname:q>", sign=1)
@G.rule("stmt", "esta carta CUSTAR <int:n> de <costname:q> a menos", sign=-1)
@G.rule("stmt", "esta carta CUSTAR <int:n> de <costname:q> a mais", sign=1)
@G.rule("stmt", "[o] custo (de | em) <costname:q> desta carta SER (reduzido | diminuido) em <int:n>", sign=-1)
@G.rule("stmt", "[o] custo (de | em) <costname:q> desta carta SER aumentado em <int:n>", sign=1)
def _own_cost(parse: Parse, q: str, n: int, sign: int) -> list[Mod]:
    return [{"q": q, "add": sign * n, "card": "this"}]


@G.rule("stmt", "esta carta (POSSUIR | TER | RECEBER) <bonus:n> de ({RANGE} | alcance)")
def _own_range(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "range.value", "add": n, "by": {"card": "this"}}]


@G.rule("stmt", "<own_attacks:by> (POSSUIR | TER | RECEBER) <bonus:n> de ({RANGE} | alcance)")
def _attacks_range(parse: Parse, by: dict[str, Any], n: int) -> list[Mod]:
    return [{"q": "range.value", "add": n, "by": by}]

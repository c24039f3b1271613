"""Clauses about what single deeds cost and yield: Normal Attacks, moving, healing, critical hits, Injury."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.actions import do
from apotheosis.env.cards.text.base import G, Part, hp
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.statements import Mod

# ---------------------------------------------------------------------------------------------------------- normal attacks


@G.rule("attacks", "(em | com | para | de) [o] [seu] ataque normal")
def _normal_attacks(parse: Parse) -> Mod:
    return {"by": {"normal_attack": True}}


@G.rule("own_attacks", "[o] [todo] [o] seu ataque normal")
def _own_normal_attacks(parse: Parse) -> dict[str, Any]:
    return {"normal_attack": True}


@G.rule("stmt", "[o] [todo] [o] [seu] ataque normal CUSTAR <int:n> de {AP}", how="set")
@G.rule("stmt", "[o] [todo] [o] [seu] ataque normal CUSTAR <bonus:n> de {AP}", how="add")
def _normal_cost(parse: Parse, n: int, how: str) -> list[Mod]:
    return [{"q": "normal_attack.ap", how: n}]


# ------------------------------------------------------------------------------------------------------- attacks and victims


@G.rule("attacks", "(contra | em) {COMPANION}", "contra <group:g>")
def _against_group(parse: Parse, g: dict[str, Any] | None = None) -> Any:
    if g is None:
        return {"against": {"kind": "Companion"}}
    against = {key: value for key, value in g.items() if key != "chars" or value != "all"}
    return REFUSE if not against or "n" in g else {"against": against if set(against) != {"chars"} else against["chars"]}


@G.rule("victims", "(contra | em) (alvos | um alvo) adjacente")
def _victims_beside(parse: Parse) -> Mod:
    return {"against": {"adjacent": True}}


@G.rule("victims", "(contra | em) (personagens | alvos | um alvo) a <atleast:n> (de distancia | casa)", key="distance_ge")
@G.rule(
    "victims",
    "(contra | em) (personagens | alvos | um alvo) a (<atmost:n> | ate <num:n>) (de distancia | casa)",
    key="distance_le",
)
@G.rule("victims", "(contra | em) (personagens | alvos | um alvo) a mais de <num:m> (de distancia | casa)", key="distance_ge")
def _victims_from(parse: Parse, key: str, n: int = 0, m: int = 0) -> Mod:
    return {"by": {key: n or m + 1}}


@G.rule("mod", "<bonus:n> de {DMG} <victims:v>")
def _dealt_from(parse: Parse, n: Any, v: Mod) -> Any:
    return [{"q": "damage.dealt", "add": n, **v}] if "by" in v or v == {"against": {"adjacent": True}} else REFUSE


@G.rule("attacks", "em <kind:k>")
def _in_kind(parse: Parse, k: str) -> Mod:
    return {"against": {"kind": k}}


@G.rule("attacks", "em (personagens | alvos) com o {ENTITY} desperto")
def _in_awake(parse: Parse) -> Mod:
    return {"against": {"entity_awake": True}}


@G.rule("attacks", "(se | quando) ESTAR a <atleast:n> (de distancia | casa) do alvo", key="distance_ge")
@G.rule("attacks", "(se | quando) ESTAR a <atmost:n> (de distancia | casa) do alvo", key="distance_le")
def _attacks_from(parse: Parse, n: int, key: str) -> Mod:
    return {"by": {"attack": True, key: n}}


@G.rule("banned", "nao PODER (ser alvo | SER selecionado como alvo) de ataque de personagens adjacente", key="distance_le", n=1)
@G.rule("banned", "nao PODER (ser alvo | SER selecionado como alvo) de ataque a <atleast:n> (de distancia | casa)",
        key="distance_ge")  # fmt: skip
@G.rule("banned", "nao PODER (ser alvo | SER selecionado como alvo) de ataque a mais de <num:m> (de distancia | casa)",
        key="distance_ge")  # fmt: skip
def _untargetable_from(parse: Parse, key: str, n: int = 0, m: int | None = None) -> list[Mod]:
    return [{"q": "rule.untargetable", "set": "attack", "by": {key: n if m is None else m + 1}}]


@G.rule("banned", "nao PODER (ser alvo | SER selecionado como alvo) de (acao | um acao) de <group:g>", what="any_action")
@G.rule("banned", "nao PODER (ser alvo | SER selecionado como alvo) de (ataque | um ataque) de <group:g>", what="attack")
def _untargetable_by_whom(parse: Parse, g: dict[str, Any], what: str) -> Any:
    """Neighbours are told apart by the distance."""
    if g.get("adjacent") or set(g) == {"chars"} and g["chars"] == "all":
        return REFUSE
    return [{"q": "rule.untargetable", "set": what, "against": g["chars"] if set(g) == {"chars"} else g}]


@G.rule("mod", "<bonus:n> em [seu] teste e [em] competicao")
def _checks_and_contests(parse: Parse, n: Any) -> list[Mod]:
    return [{"q": q, "add": n} for q in ("check.bonus", "contest.bonus")]


@G.rule("vp", "o ataque CAUSAR [o] dobro (de | do) {DMG}")
@G.rule("clause", "(este ataque | esta carta) CAUSAR [o] dobro (de | do) {DMG}")
def _this_doubled(parse: Parse) -> Any:
    if not parse.context.has_bar:
        return REFUSE
    return do({"op": "mod", "q": "attack.damage", "mul": 2, "until": "this_attack"})


@G.rule("stmt", "USAR [o] [seu] <attr:a> (no lugar | ao inves) (de | do) [seu] <attr:b> (para calcular o | no | em) {DMG} "
                "[de seu ataque]")  # fmt: skip
def _other_attribute(parse: Parse, a: str, b: str) -> Any:
    return REFUSE if a == b else [{"q": "damage.attribute", "set": a, "by": {"attr": b}}]


@G.rule("stmt", "<thisattack:a> CAUSAR <bonus:n> de {DMG} <attacks:t>", how="add")
@G.rule("stmt", "<thisattack:a> CAUSAR [o] dobro (de | do) {DMG} <attacks:t>", how="mul")
def _this_against(parse: Parse, a: dict[str, str], t: Mod, how: str, n: Any = 2) -> Any:
    """What kind of victim is asked of the target; kinds of victims that a list of macros names are read elsewhere."""
    told = t.get("against")
    if set(t) != {"against"} or how == "add" and isinstance(told, dict) and set(told) <= {"kind", "tag", "any", "any_tag"}:
        return REFUSE
    return [{"q": "attack.damage", how: n, "by": a, "against": told}]


# ------------------------------------------------------------------------------------------------------------------- Injury


@G.rule("taken", "<bonus:n> de {INJURY} [<blows:a>]")
def _injury_taken(parse: Parse, n: Any, a: Mod | None = None) -> Any:
    return REFUSE if a and ("on" in a or "against" in a) else [{"q": "injury.taken", "add": n, **(a or {})}]


@G.rule("change", "CAUSAR <bonus:n> de {INJURY} [<attacks:a>]")
def _injury_dealt(parse: Parse, n: Any, a: Mod | None = None) -> list[Mod]:
    return [{"q": "injury.dealt", "add": n, **(a or {})}]


@G.rule("ignored", "nao (SOFRER | RECEBER) {INJURY} <attacks:a>", "IGNORAR [o] {INJURY} <attacks:a>")
def _no_injury(parse: Parse, a: Mod) -> Any:
    return REFUSE if "on" in a or "against" in a else [{"q": "injury.taken", "mul": 0, **a}]


@G.rule("stmt", "REDUZIR em <int:n> [todo] [o] {DMG} (sofrido | recebido)")
@G.rule("stmt", "REDUZIR todo [o] {DMG} (sofrido | recebido) em <int:n>")
def _less_suffered(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "damage.taken", "add": -n}]


# ------------------------------------------------------------------------------------------------------- moving and heights


@G.rule("stmt", "[o] custo [em {AP}] (de | para [se]) (movimento | mover) SER (reduzido | diminuido) em <int:n>", sign=-1)
@G.rule("stmt", "[o] custo [em {AP}] (de | para [se]) (movimento | mover) SER aumentado em <int:n>", sign=1)
def _move_cost(parse: Parse, n: int, sign: int) -> list[Mod]:
    return [{"q": "cost.move", "add": sign * n}]


@G.rule("banned", "nao PAGAR [o] {AP} para [se] mover")
def _moves_free(parse: Parse) -> list[Mod]:
    return [{"q": "cost.move", "set": 0}]


@G.rule(
    "banned",
    "nao PAGAR [o] custo [adicional | extra] [(de | em) {AP}] (de | por | relativo a) [diferenca de | mudanca de] {ALT}",
    "IGNORAR [o] custo [adicional | extra] [(de | em) {AP}] (de | por | relativo a) [diferenca de | mudanca de] {ALT}",
)
def _climbs_free(parse: Parse) -> list[Mod]:
    return [{"q": "cost.altitude", "set": 0}]


@G.rule("banned", "PODER voar")
def _flies(parse: Parse) -> list[Mod]:
    return [{"q": "rule.flying", "set": True}]


@G.rule(
    "stmt",
    "personagens de outro time (PRECISAR | DEVER) PAGAR <bonus:n> de {AP} para ([se] mover | entrar) (para | em | no) casa "
    "(no | do) [seu] area de dominio [, alem de demais custo]",
)
def _toll(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "cost.enter", "add": n}]


# -------------------------------------------------------------------------------------------------- healing, critical hits, AP


@G.rule("stmt", "quando [voce] CURAR [{HP}] [de um personagem] , CURAR <bonus:n> de {HP}")
@G.rule("stmt", "[o] [todo] seu cura (RECUPERAR | CURAR) <bonus:n> de {HP}")
def _heals_more(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "heal.done", "add": hp(parse.context, n)}]


@G.rule("stmt", "[o] seu acerto critico (ocorrer | acontecer | ocorrem | acontecem) com <atleast:n>")
@G.rule("stmt", "(voce OBTER | OBTER | voce TER) [um] acerto critico com <atleast:n>")
@G.rule("stmt", "[o] seu acerto critico (ocorrer | acontecer | ocorrem | acontecem) com <int:n> ou <int:six>")
def _critical_from(parse: Parse, n: int, six: int = 6) -> Any:
    return [{"q": "crit.threshold", "set": n}] if six == 6 and 2 <= n <= 6 and (six != n) else REFUSE


@G.rule("mod", "<bonus:n> de {AP} (por turno | (no | ao) inicio do turno | a cada turno)")
def _ap_each_turn(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "ap.start_of_turn", "add": n}]


@G.rule("stmt", "nenhum personagem PODER (OBTER | RECEBER) [o | um] <marker:m>")
def _nobody_gets(parse: Parse, m: str) -> list[Mod]:
    return [{"q": "rule.cannot_obtain_marker", "set": m, "on": "all"}]


@G.rule("stmt", "voce PODER TER apenas um copia deste carta [no [seu] {TABLE}]")
def _one_copy(parse: Parse) -> list[Mod]:
    return [{"q": "rule.unique_copy", "set": True, "card": "this"}]


@G.rule("vp", "(PERDER | RECEBER) <apless:n> de {AP} (no | em) [o] [seu] proximo turno")
def _less_next_turn(parse: Parse, n: int) -> Part:
    return do({"op": "mod", "q": "ap.start_of_turn", "add": n, "on": "$S", "until": "end_of_target_next_turn"})


@G.rule("apless", "<int:n>", sign=-1)
@G.rule("apless", "<signed:n>", sign=1)
def _ap_less(parse: Parse, n: int, sign: int) -> Any:
    """What is lost is written plain, what is received with its sign."""
    lost = "PERDER" in parse.tokens[max(0, parse.tokens.index(parse.here[0]) - 1)].verbs
    return sign * n if lost == (sign < 0) else REFUSE

"""Verb phrases about damage, Injury, negation, redirection and dice."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.actions import NAMED, do, spread
from apotheosis.env.cards.text.base import SUBJECT, G, Part
from apotheosis.env.cards.text.grammar import REFUSE, Parse


@G.rule("vp", "(CAUSAR | INFLIGIR) (<int:n> | <signedamt:n>) de {INJURY} <to_whom:t>", op="deal_injury")
@G.rule("vp", "(CAUSAR | INFLIGIR) <amt:n> de {DMG} <to_whom:t>", op="deal_damage")
def _harm(parse: Parse, n: Any, t: tuple[Any, list[Any]], op: str) -> Part:
    return do(*spread([{"op": op, "to": t[0], "n": n}], "to"), requires=t[1])


@G.rule("vp", "(SOFRER | RECEBER) <int:n> de {DMG}")
def _suffer_damage(parse: Parse, n: int) -> Part:
    return do({"op": "deal_damage", "to": SUBJECT, "n": n})


@G.rule("vp", "(RECEBER | SOFRER) <int:n> de {INJURY}")
def _suffer_injury(parse: Parse, n: int) -> Part:
    return do({"op": "deal_injury", "to": SUBJECT, "n": n})


@G.rule("vp", "SOFRER <int:n> de {INJURY} ao inves")
def _suffer_instead(parse: Parse, n: int) -> Part:
    return do({"op": "negate", "what": "injury"}, {"op": "deal_injury", "to": SUBJECT, "n": n})


@G.rule(
    "vp",
    "(APLICAR | INFLIGIR) o {DMG} (desta carta | deste ataque) a todas as pecas a ate <num:n> (casa | casas | "
    "de adjacencia) do alvo",
)
def _splash(parse: Parse, n: int) -> Part:
    return do({"op": "splash", "damage": "this_attack", "to": {"pieces": "within", "n": n, "of": "target"}})


@G.rule("vp", "(CAUSAR | INFLIGIR) [um quantidade de] {DMG} igual (a | ao) <level:n> <to_whom:t>")
def _harm_by_level(parse: Parse, n: str, t: tuple[Any, list[Any]]) -> Part:
    return do(*spread([{"op": "deal_damage", "to": t[0], "n": n}], "to"), requires=t[1])


@G.rule("vp", "(CAUSAR | APLICAR | INFLIGIR) o {DMG} [deste ataque | desta carta] (a | ao) <group:g>")
def _splash_group(parse: Parse, g: dict[str, Any]) -> Any:
    """A set around the target; other sets are no part of the attack, or those of its area."""
    return do({"op": "splash", "damage": "this_attack", "to": g}) if g.get("of") == "target" else REFUSE


@G.rule("vp", "CAUSAR o {DMG} deste ataque tambem aos personagens adjacentes ao alvo")
def _splash_adjacent(parse: Parse) -> Part:
    return do({"op": "splash", "damage": "this_attack", "to": {"chars": "all", "adjacent": True, "of": "target"}})


@G.rule("vp", "APLICAR o {DMG} a todos os personagens na direcao do ataque")
def _splash_line(parse: Parse) -> Part:
    return do({"op": "splash", "damage": "this_attack", "to": {"pieces": "on_line", "from": "self", "through": "target"}})


G.table("vp", {
    "(NEGAR | IGNORAR | ANULAR | CANCELAR) (o ataque | aquele ataque | este ataque)": do({"op": "negate", "what": "attack"}),
    "(NEGAR | ANULAR | CANCELAR) [a] ativacao [da carta]": do({"op": "negate", "what": "activation"}),
    "(NEGAR | IGNORAR) a acao [que o selecionou como alvo]": do({"op": "negate", "what": "action"}),
    "(NEGAR | IGNORAR) o {DMG}": do({"op": "negate", "what": "damage"}),
    "(NEGAR | IGNORAR) a {INJURY}": do({"op": "negate", "what": "injury"}),
    "NEGAR o efeito": do({"op": "negate", "what": "effect"}),
    "ser [imediatamente] bem sucedido [naquele teste | no teste] [imediatamente]":
        do({"op": "set_result", "check": "current", "success": True}),
})  # fmt: skip


@G.rule("vp", "(NEGAR | IGNORAR | ANULAR | CANCELAR) (-lo | -la | -o | -a | o mesmo)")
def _negate_it(parse: Parse) -> Any:
    """The window names what is negated; a sentence with both an attack and an activation does not say which."""
    words = {t.text for t in parse.tokens}
    suffered = _suffered(parse)
    if suffered is not None:
        return do({"op": "negate", "what": suffered})
    attack, activation = "ataque" in words, bool(words & {"ativado", "ativacao"})
    if attack == activation or words & {"{DMG}", "{INJURY}"}:
        return REFUSE
    return do({"op": "negate", "what": "attack" if attack else "activation"})


def _suffered(parse: Parse) -> str | None:
    """What the sentence says that somebody suffers, DMG or Injury, where it names nothing else that can be stopped."""
    words = {t.text for t in parse.tokens}
    named = [what for macro, what in (("{DMG}", "damage"), ("{INJURY}", "injury")) if macro in words]
    other = any(t.verbs & {"ATIVAR", "ATACAR"} for t in parse.tokens) or words & {"ataque", "ativado", "ativacao", "atacado"}
    return named[0] if len(named) == 1 and not other else None


@G.rule("vp", "REDUZIR (-lo | -la | -o | -a) em <int:n>", half=False)
@G.rule("vp", "REDUZIR (-lo | -la | -o | -a) (pela metade | a metade)", half=True)
def _reduce_it(parse: Parse, half: bool, n: int = 0) -> Any:
    what = _suffered(parse)
    if what is None:
        return REFUSE
    return do({"op": "mod", "q": f"{what}.taken", **({"mul": "half"} if half else {"add": -n}), "until": "this_attack"})


@G.rule("vp", "NEGAR [a] ativacao de um <cards:c>")
def _negate_cards(parse: Parse, c: dict[str, Any]) -> Any:
    """The card whose activation is negated names the window; Events have words of their own."""
    if "Event" in str(c.get("suit")):
        return REFUSE
    window = {"when": {"event": "card_activated", "card": c}}
    return do({"op": "negate", "what": "activation"}, requires=[window], trigger=True)


@G.rule("vp", "(ADICIONAR | SOMAR) <level:n> ao {DMG} [(deste ataque | do ataque)]", q="attack.damage", until="this_attack")
@G.rule("vp", "(ADICIONAR | SOMAR) <level:n> (ao | a este | neste) teste", q="check.bonus", until="this_check")
def _add_level(parse: Parse, n: str, q: str, until: str) -> Part:
    return do({"op": "mod", "q": q, "add": n, "until": until})


@G.rule("vp", "NEGAR [a] ativacao do {EVENT}")
def _negate_named(parse: Parse) -> Part:
    return do({"op": "negate", "what": "activation"})


@G.rule("vp", "NEGAR [a] ativacao de um {EVENT} [<quals:q>]")
def _negate_event(parse: Parse, q: dict[str, Any] | None = None) -> Part:
    """The card whose activation is negated names the window."""
    window = {"when": {"event": "card_activated", "card": {"suit": "Event", **(q or {})}}}
    return do({"op": "negate", "what": "activation"}, requires=[window], trigger=True)


@G.rule("vp", "ESCOLHER o resultado deste dado")
def _choose_die(parse: Parse) -> Part:
    return do({"op": "set_die", "roll": "current", "die": "chosen", "value": "chosen"})


@G.rule("vp", "<doubling:n> o valor obtido em um teste <checks:c>")
def _double_check(parse: Parse, n: int, c: dict[str, Any]) -> Any:
    if n != 2:
        return REFUSE
    rolled = {"when": {"event": "check", "who": "self", "by": c, "phase": "after"}}
    return do({"op": "set_result", "check": "current", "double": True}, requires=[rolled], trigger=True)


@G.rule("vp", "REMOVER todos os modificadores (temporario | temporarios) [<ofwho:w>]")
def _remove_mods(parse: Parse, w: Any = SUBJECT) -> Any:
    return do({"op": "remove_mods", "from": w, "kind": "temporary"}) if isinstance(w, str) else REFUSE


@G.rule("vp", "REMOVER todos os <counter:c> desta carta e ADICIONAR <bonus:n> de {DMG} para cada um removido")
def _spend_counters(parse: Parse, c: str, n: int) -> Part:
    gone = {"op": "remove_counter", "counter": c, "from": "this", "n": "all", "bind": "k"}
    return do(gone, {"op": "mod", "q": "attack.damage", "add": f"mul({n},k)", "until": "this_attack"})


@G.rule("vp", "ADICIONAR <bonus:n> (ao | neste) ataque", q="attack.bonus", until="this_attack")
@G.rule(
    "vp",
    "ADICIONAR (<bonus:n> | <dice:n> | lp <dice:n> rp) ao {DMG} [(desta carta | deste ataque | do ataque)]",
    "ADICIONAR <bonus:n> de {DMG} ao ataque",
    q="attack.damage",
    until="this_attack",
)
@G.rule("vp", "<bonus:n> de {DMG} neste ataque", q="attack.damage", until="this_attack")
@G.rule(
    "vp",
    "ADICIONAR (<bonus:n> | <dice:n>) (ao | a um | em um | a este | neste | ao resultado do | ao valor do) teste",
    "ADICIONAR (<bonus:n> | <dice:n>) ao (valor | resultado)",
    "(RECEBER | TER | GANHAR) <bonus:n> (neste | no) teste",
    q="check.bonus",
    until="this_check",
)
@G.rule("vp", "ADICIONAR <bonus:n> a uma rolagem de dados", q="roll.bonus", until="this_roll")
def _add_now(parse: Parse, n: Any, q: str, until: str) -> Any:
    return do({"op": "mod", "q": q, "add": n, "until": until})


@G.rule("vp", "ADICIONAR <bonus:n> (ao | a um | em um | ao resultado do | ao valor do) teste rolado")
def _add_to_rolled(parse: Parse, n: Any) -> Part:
    """A check that is rolled has its result: the bonus comes after the roll (R9.2.3)."""
    rolled = {"when": {"event": "check", "who": "self", "phase": "after"}}
    return do({"op": "mod", "q": "check.bonus", "add": n, "until": "this_check"}, requires=[rolled])


@G.rule("vp", "ADICIONAR lp <dice:d> + <int:n> rp ao {DMG}")
def _add_dice(parse: Parse, d: str, n: int) -> Part:
    return do({"op": "mod", "q": "attack.damage", "add": f"add({d},{n})", "until": "this_attack"})


@G.rule("vp", "ADICIONAR seu valor em <currency:c> ao {DMG}")
def _add_value(parse: Parse, c: str) -> Part:
    return do({"op": "mod", "q": "attack.damage", "add": f"value(c.{c})", "until": "this_attack"})


@G.rule("vp", "ADICIONAR lp <int:n> ✖ nivel do {ENTITY} do alvo rp ao {DMG} deste ataque")
def _add_entity_level(parse: Parse, n: int) -> Part:
    return do({"op": "mod", "q": "attack.damage", "add": f"mul({n},level(entity(target)))", "until": "this_attack"})


@G.rule("vp", "aquele {ITEM} CAUSAR <bonus:n> de {DMG} [naquele ataque]")
@G.rule("vp", "aquele ataque RECEBER a propriedade <tag:t> e CAUSAR <bonus:n> de {DMG}")
def _ammunition(parse: Parse, n: int, t: str | None = None) -> Part:
    tagged = [] if t is None else [{"op": "mod", "q": "attack.tags", "set": [t], "until": "this_attack"}]
    return do(*tagged, {"op": "mod", "q": "attack.damage", "add": n, "until": "this_attack"})


@G.rule("vp", "aquele {ITEM} CAUSAR <bonus:n> de {DMG} , e <bonus:m> de {DMG} se o alvo POSSUIR <item:i> no {EQUIP} ou anexo")
def _ammunition_against(parse: Parse, n: int, m: int, i: dict[str, str]) -> Part:
    more = {"op": "mod", "q": "attack.damage", "add": m, "until": "this_attack"}
    worn = {"has_card": {"zone": ["equipment", "attachments"], "of": "target", **i}}
    return do({"op": "mod", "q": "attack.damage", "add": n, "until": "this_attack"}, {"op": "if", "cond": worn, "then": [more]})


@G.rule("vp", "ADICIONAR <bonus:n> de {DMG} para cada <int:one> de <onenergy:e> consumido")
def _add_per_energy(parse: Parse, n: int, one: int, e: str) -> Any:
    return do({"op": "mod", "q": "attack.damage", "add": f"mul({n},X)", "until": "this_attack"}) if one == 1 else REFUSE


@G.rule("doubling", "(dobre | dobrar)", by=2)
@G.rule("doubling", "(TRIPLICAR | triplique)", by=3)
def _doubling(parse: Parse, by: int) -> int:
    return by


@G.rule("vp", "<doubling:n> o {DMG} [(deste ataque | do ataque | desta carta | deste tecnica)]")
def _multiplied(parse: Parse, n: int) -> Part:
    return do({"op": "mod", "q": "attack.damage", "mul": n, "until": "this_attack"})


@G.rule("vp", "REDUZIR o {DMG} [(sofrido | recebido)] em <int:n>")
def _less_damage(parse: Parse, n: int) -> Part:
    return do({"op": "mod", "q": "damage.taken", "add": -n, "until": "this_attack"})


@G.rule(
    "vp",
    "REDUZIR o {DMG} [(sofrido | recebido)] (pela metade | a metade)",
    "REDUZIR [a] metade [do] o {DMG} [(sofrido | recebido)]",
)
def _half_damage(parse: Parse) -> Part:
    return do({"op": "mod", "q": "damage.taken", "mul": "half", "until": "this_attack"})


@G.rule("vp", "(AUMENTAR | aumente) o {DMG} [(deste ataque | do ataque)] em <int:n>")
def _more_damage(parse: Parse, n: int) -> Part:
    return do({"op": "mod", "q": "attack.damage", "add": n, "until": "this_attack"})


@G.rule("vp", "ROLAR <bonus:n> de {DMG}", q="attack.damage", until="this_attack")
@G.rule("vp", "ROLAR <bonus:n> (no | neste | ao) teste", q="check.bonus", until="this_check")
@G.rule("vp", "ROLAR <bonus:n> (no | neste | ao) ataque", q="attack.bonus", until="this_attack")
def _roll_more(parse: Parse, n: Any, q: str, until: str) -> Any:
    return do({"op": "mod", "q": q, "add": n, "until": until}) if isinstance(n, str) else REFUSE


@G.rule("vp", "<doubling:n> o (valor | resultado) [obtido] (do | no | neste | deste | em um) teste")
def _double_result(parse: Parse, n: int) -> Any:
    return do({"op": "set_result", "check": "current", "double": True}) if n == 2 else REFUSE


@G.rule("vp", "REDUZIR a {INJURY} em <int:n>")
def _less_injury(parse: Parse, n: int) -> Part:
    return do({"op": "mod", "q": "injury.taken", "add": -n, "until": "this_attack"})


@G.rule("vp", "desconsiderar a falha e ROLAR o teste novamente [imediatamente] , uma unica vez")
def _reroll(parse: Parse) -> Part:
    return do({"op": "reroll", "roll": "current"}, requires=[{"if": {"not_yet": "rerolled_this_check"}}])


@G.rule(
    "vp", "ROLAR [o dado | os dados | o teste] novamente [o dado | os dados | o teste | este teste | este rolagem | a rolagem]"
)
@G.rule(
    "vp", "(refazer | refaca | repetir | repita) (o | este) teste", "(refazer | refaca | repetir | repita) (a | este) rolagem"
)
def _reroll_plain(parse: Parse) -> Part:
    return do({"op": "reroll", "roll": "current"})


@G.rule("vp", "IGNORAR o ataque recebido")
def _negate_received(parse: Parse) -> Part:
    return do({"op": "negate", "what": "attack"})


@G.rule("vp", "(CAUSAR | APLICAR | INFLIGIR) (o {DMG} (sofrido | recebido) | o mesmo {DMG}) <to_whom:t>")
def _mirror(parse: Parse, t: tuple[Any, list[Any]]) -> Part:
    """The damage that opened the window, dealt once more."""
    return do(*spread([{"op": "deal_damage", "to": t[0], "n": "event.damage"}], "to"), requires=t[1])


@G.rule("vp", "(SOFRER | RECEBER) o mesmo {DMG}")
def _suffer_mirrored(parse: Parse) -> Part:
    return do({"op": "deal_damage", "to": SUBJECT, "n": "event.damage"})


@G.rule("vp", "TRANSFERIR o {DMG} para <who:w>")
def _transfer(parse: Parse, w: Any) -> Any:
    return do({"op": "redirect", "damage": "current", "to": w}) if isinstance(w, str) else REFUSE


@G.rule(
    "vp",
    "para cada <int:each> de (<onenergy> | {HP}) (removido | consumido | perdido) [,] ADICIONAR "
    "(<int:n> | <bonus:n>) [de bonus] (ao | neste | a este) teste",
    q="check.bonus",
    until="this_check",
)
@G.rule("vp", "para cada <int:each> de (<onenergy> | {HP}) (removido | consumido | perdido) [,] ADICIONAR "
              "(<int:n> | <bonus:n>) ao {DMG}", q="attack.damage", until="this_attack")  # fmt: skip
def _add_per_paid(parse: Parse, n: Any, q: str, until: str, each: int) -> Any:
    """So much for every so many that were paid."""
    if not isinstance(n, int) or each < 1:
        return REFUSE
    paid = "X" if each == 1 else f"div(X,{each})"
    return do({"op": "mod", "q": q, "add": paid if n == 1 else f"mul({n},{paid})", "until": until})


@G.rule("vp", "APLICAR o {DMG} desta carta ao atacante")
def _strike_back(parse: Parse) -> Any:
    return do({"op": "deal_damage", "to": "attacker", "n": "roll_damage(this)"}) if parse.context.has_bar else REFUSE


@G.rule("vp", "(SE TORNAR | se TORNAR | TORNAR -se) o alvo [(do ataque | do mesmo)]", "se tornar o alvo do ataque")
def _become_target(parse: Parse) -> Part:
    """On a Companion "you" is the Hero (R0.9), which such a text hardly means: only a named subject is taken."""
    return do({"op": "redirect", "attack": "current", "to": NAMED if parse.context.companion else SUBJECT})


@G.rule("vp", "ADICIONAR a mesma quantidade [de bonus] ao {DMG}", q="attack.damage", until="this_attack")
@G.rule("vp", "ADICIONAR a mesma quantidade [de bonus] ao ataque", q="attack.bonus", until="this_attack")
@G.rule("vp", "ADICIONAR a mesma quantidade [de bonus] ao teste", q="check.bonus", until="this_check")
def _add_paid(parse: Parse, q: str, until: str) -> Part:
    return do({"op": "mod", "q": q, "add": "X", "until": until})


@G.rule("vp", "(CAUSAR | INFLIGIR) {DMG} igual (a | ao) <level:n> <to_whom:t>", op="deal_damage")
@G.rule("vp", "(CAUSAR | INFLIGIR) {INJURY} igual (a | ao) <level:n> <to_whom:t>", op="deal_injury")
def _harm_level(parse: Parse, n: str, t: tuple[Any, list[Any]], op: str) -> Part:
    return do(*spread([{"op": op, "to": t[0], "n": n}], "to"), requires=t[1])

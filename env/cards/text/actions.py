"""Clauses that do something: verb phrases with a subject slot, and the costs that stand before a "to ...".

A verb phrase (`vp`) is read without its subject; `$S` marks where the subject belongs. An imperative has the owner of the
effect as its subject, except that an imperative on a card that selects a target by its range must name whom it helps.
"""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import SUBJECT, G, Part, any_of, hp, merged
from apotheosis.env.cards.text.grammar import REFUSE, Parse

NAMED = "$N"
"""A subject that the text must name; an imperative leaves it open and is refused."""
PATIENT = "$P"
"""The one an imperative without a named patient helps or harms; not always the subject."""


GROUPS = ("all", "allies", "enemies", "other_allies", "others")


def spread(ops: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    """Return instructions for one character each where they name a group."""
    out = []
    for op in ops:
        who = op[key]
        if isinstance(who, dict) or who in GROUPS:
            op = {"op": "for_each", "in": who, "do": [{**op, key: "it"}]}
        out.append(op)
    return out


def do(*ops: dict[str, Any], **more: Any) -> Part:
    """Return a part made of instructions."""
    return {"do": list(ops), **{key: value for key, value in more.items() if value != []}}


# --------------------------------------------------------------------------------------------- hit points, energy, points


@G.rule("gains", "<gain:a>")
def _gains_one(parse: Parse, a: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return a


@G.rule("gains", "<gain:a> (, | e | , e) <gains:b>")
def _gains_more(parse: Parse, a: list[Any], b: list[Any]) -> list[Any]:
    return [*a, *b]


@G.rule("gain", "<amt:n> de {HP}", "<signedamt:n> de {HP}")
def _gain_hp(parse: Parse, n: Any) -> list[tuple[Any, Any]]:
    return [("HP", n)]


@G.rule("signedamt", "<signed:n>")
def _signed_amount(parse: Parse, n: int) -> Any:
    return n if n > 0 else REFUSE


@G.rule("gain", "<int:n> [de] {AP} [deste turno]")
def _gain_ap(parse: Parse, n: int) -> list[tuple[Any, Any]]:
    return [("AP", n)]


@G.rule("gain", "<int:n> de <onenergy:e>")
def _gain_energy(parse: Parse, n: int, e: str) -> list[tuple[Any, Any]]:
    return [(e, n)]


@G.rule("gain", "<int:n> de <onenergy:a> (e / ou | ou) <onenergy:b>")
def _gain_mixed(parse: Parse, n: int, a: str, b: str) -> list[tuple[Any, Any]]:
    return [((a, b), n)]


@G.rule("gain", "<int:n> de <colour:c>")
def _gain_essence(parse: Parse, n: int, c: str) -> list[tuple[Any, Any]]:
    return [(c, n)]


@G.rule("gain", "<int:n> de {HP} , {SP} e {MP}")
def _gain_three(parse: Parse, n: int) -> list[tuple[Any, Any]]:
    return [("HP", n), ("SP", n), ("MP", n)]


@G.rule("gain", "(toda | todo) [a] [sua] {HP}", what=("HP",))
@G.rule("gain", "(toda | todo) [a] [sua] {SP}", what=("SP",))
@G.rule("gain", "(toda | todo) [a] [sua] {SP} e {MP}", what=("SP", "MP"))
def _gain_all(parse: Parse, what: tuple[str, ...]) -> list[tuple[Any, Any]]:
    return [(one, "all") for one in what]


def _gain_ops(parse: Parse, gains: list[tuple[Any, Any]], to: Any) -> list[dict[str, Any]]:
    ops = []
    for what, n in gains:
        if what == "HP":
            ops.append({"op": "heal", "to": to, "n": hp(parse.context, n)})
        else:
            ops.append({"op": "gain", "to": to, "res": list(what) if isinstance(what, tuple) else what, "n": n})
    return ops


@G.rule("vp", "(CURAR | RECUPERAR | RESTAURAR) <gains:g> [<of_whom:t>]")
def _heal(parse: Parse, g: list[Any], t: tuple[Any, list[Any]] | None = None) -> Any:
    if t is None:
        return do(*_gain_ops(parse, g, PATIENT if any(what == "HP" for what, _ in g) else SUBJECT))
    who, needs = t
    if isinstance(who, dict) or who in GROUPS:
        return do({"op": "for_each", "in": who, "do": _gain_ops(parse, g, "it")})
    return do(*_gain_ops(parse, g, who), requires=needs)


@G.rule("gains_same", "a mesma quantidade (em | de) {HP}", "uma quantidade igual (em | de) {HP}")
def _same_amount(parse: Parse) -> str:
    return "same"


@G.rule("vp", "(CURAR | RECUPERAR) uma quantidade de {HP} igual (a | ao) metade (da | do) {INJURY} causado [por este ataque]", n="half(last.hp)")
@G.rule("vp", "(CURAR | RECUPERAR) uma quantidade de {HP} igual (a | ao) {INJURY} causado [por este ataque]", n="last.hp")
def _heal_injury(parse: Parse, n: str) -> Part:
    return do({"op": "heal", "to": SUBJECT, "n": n})


@G.rule("vp", "(CURAR | RECUPERAR) <gains_same> [<ofwho:to>]")
def _heal_same(parse: Parse, to: Any = None) -> Any:
    """As much HP as the injury just named took (R13.11); only where the sentence names one."""
    words = [t.text for t in parse.tokens]
    if "{INJURY}" not in words:
        return REFUSE
    return do({"op": "heal", "to": to or SUBJECT, "n": "last.hp"})


@G.rule("vp", "CURAR {HP} <ofwho:to> em uma quantidade igual ao {DMG} causado", "CURAR <ofwho:to> uma quantidade de {HP} igual ao {DMG} causado")
def _heal_damage(parse: Parse, to: Any) -> Part:
    return do({"op": "heal", "to": to, "n": "last.damage"})


@G.rule("vp", "CURAR uma quantidade de {HP} igual (a | ao) <level:n>", "CURAR {HP} igual (a | ao) <level:n>")
def _heal_level(parse: Parse, n: str) -> Part:
    return do({"op": "heal", "to": PATIENT, "n": n})


@G.rule("vp", "CURAR uma quantidade de {HP} igual a <amt:n> [do mesmo]")
def _heal_formula(parse: Parse, n: Any) -> Part:
    return do({"op": "heal", "to": SUBJECT, "n": n})


@G.rule("salvation", "uma <name:n>")
def _salvation(parse: Parse, n: str) -> Any:
    return n if n == "Salvação Divina" else REFUSE


@G.rule("vp", "OBTER <salvation> [de <int:n> de {HP}] [para <that_one:who>]")
def _save(parse: Parse, n: int = 1, who: Any = None) -> Any:
    return do({"op": "save", "who": who or SUBJECT, "hp": 1}) if n == 1 else REFUSE


@G.rule("vp", "(se manter | permanecer | permaneca) com <int:n> de {HP}")
def _stay(parse: Parse, n: int) -> Any:
    return do({"op": "save", "who": SUBJECT, "hp": 1}) if n == 1 else REFUSE


@G.rule("vp", "RECEBER <int:n> de {AP}")
def _receive_ap(parse: Parse, n: int) -> Part:
    return do({"op": "gain", "to": SUBJECT, "res": "AP", "n": n})


@G.rule("vp", "(OBTER | RECEBER) <int:n> de <currency:c>", "ADICIONAR <int:n> de <currency:c> ao [seu] {INV}")
def _currency(parse: Parse, n: int, c: str) -> Part:
    return do({"op": "gain_currency", "to": SUBJECT, "cur": c, "n": n})


@G.rule("vp", "(PERDER | REMOVER) <amt:n> de {HP} [adicionalmente] [<of_whom:t>]")
def _lose(parse: Parse, n: Any, t: tuple[Any, list[Any]] = (SUBJECT, [])) -> Part:
    return do(*spread([{"op": "lose_hp", "who": t[0], "n": hp(parse.context, n)}], "who"), requires=t[1])


@G.rule("vp", "(CONSUMIR | deitar | PERDER) <int:n> de <energies:e> [<of_whom:t>]")
def _spend(parse: Parse, n: int, e: list[str], t: tuple[Any, list[Any]] = (SUBJECT, [])) -> Part:
    return do(*spread([{"op": "spend", "who": t[0], "energy": e, "n": n}], "who"), requires=t[1])


@G.rule("vp", "(CONSUMIR | deitar | PERDER) (toda | todo) [a] [sua] {SP} e {MP}", both=("SP", "MP"))
@G.rule("vp", "(CONSUMIR | deitar | PERDER) (toda | todo) [a] [sua] {SP}", both=("SP",))
@G.rule("vp", "(CONSUMIR | deitar | PERDER) (toda | todo) [a] [sua] {MP}", both=("MP",))
def _spend_all(parse: Parse, both: tuple[str, ...]) -> Part:
    return do(*({"op": "spend", "who": SUBJECT, "energy": [one], "n": "all"} for one in both))


@G.rule("vp", "(CONSUMIR | PERDER) <int:n> de {ENERGY} [<of_whom:t>]")
def _spend_any(parse: Parse, n: int, t: tuple[Any, list[Any]] = (SUBJECT, [])) -> Part:
    return do(*spread([{"op": "spend", "who": t[0], "energy": ["ENERGY"], "n": n}], "who"), requires=t[1])


@G.rule("vp", "PERDER <int:n> de {AP}")
def _lose_ap(parse: Parse, n: int) -> Part:
    return do({"op": "spend", "who": SUBJECT, "res": "AP", "n": n})


@G.rule("vp", "PAGAR <int:n> de {AP}")
def _spend_ap(parse: Parse, n: int) -> Part:
    return do({"op": "spend", "who": SUBJECT, "res": "AP", "n": n})


@G.rule("revived", "[o] alvo")
def _revive_target(parse: Parse) -> Any:
    return "target", []


@G.rule("revived", "[o] mesmo", "-lo")
def _revive_same(parse: Parse) -> Any:
    return "event.who", []


@G.rule("revived", "um <people:p>", "um [dos] seus <people:p> no tabuleiro")
def _revive_one(parse: Parse, p: dict[str, Any]) -> Any:
    if "other" in p:
        return REFUSE
    own = any(t.text == "seu" for t in parse.tokens)
    return "target", [{"target": {"chars": "dead", **({"of": "self"} if own else {}), **p}}]


@G.rule("vp", "REVIVER <revived:r> em <int:n> de {HP}")
def _revive(parse: Parse, r: tuple[Any, list[Any]], n: int) -> Part:
    who, needs = r
    return do({"op": "revive", "who": who, "hp": 1 if n == 1 else hp(parse.context, n)}, requires=needs)


@G.rule("vp", "REVIVER todos os herois do seu time em <int:n> de {HP}")
def _revive_all(parse: Parse, n: int) -> Part:
    return do(
        {"op": "for_each", "in": {"chars": "dead", "team": "ally", "kind": "Hero"}, "do": [{"op": "revive", "who": "it", "hp": 1 if n == 1 else hp(parse.context, n)}]}
    )


# -------------------------------------------------------------------------------------------------------- injury, damage


@G.rule("selected", "[a] um alvo", "um personagem")
def _anyone(parse: Parse) -> dict[str, Any]:
    return {"chars": "any"}


@G.rule("selected", "um heroi <team:t> [<where:w>]")
def _selected_hero(parse: Parse, t: str, w: dict[str, Any] | None = None) -> Any:
    return merged({"chars": t, "kind": "Hero"}, w)


@G.rule("selected", "um <kind:k> [<team:t>] [<where:w>]", "um {COMPANION} [<team:t>] [com <tag:g>] [<where:w>]")
def _selected_kind(
    parse: Parse, k: str = "Companion", t: str | None = None, g: str | None = None, w: dict[str, Any] | None = None
) -> Any:
    if any(x.text == "outro" for x in parse.tokens):
        return REFUSE
    return merged({"chars": t or "any", "kind": k}, {"tag": g} if g else None, w)


@G.rule("selected", "um outro {COMPANION} a ate <int:n> de <rangetype:r>", kind="Companion")
@G.rule("selected", "um outro personagem a ate <int:n> de <rangetype:r>", kind=None)
def _selected_range(parse: Parse, n: int, r: str, kind: str | None) -> Any:
    """Within a range that needs no clear line; the language cannot ask for a line."""
    return REFUSE if r == "Direct" else {"chars": "others", **({"kind": kind} if kind else {}), "within": n}


@G.rule("selected", "um outro personagem <where:w> , que nao SER o atacante")
def _selected_not_attacker(parse: Parse, w: dict[str, Any]) -> dict[str, Any]:
    return {"chars": "others", **w, "exclude": "attacker"}


@G.rule("selected", "um outro personagem [<where:w>]")
def _selected_other(parse: Parse, w: dict[str, Any] | None = None) -> Any:
    return merged({"chars": "others"}, w)


@G.rule("selected", "(um | um outro) personagem <team:t> [<where:w>]", "um heroi <where:w>", "um personagem <where:w>")
def _selected(parse: Parse, t: str | None = None, w: dict[str, Any] | None = None) -> Any:
    base: dict[str, Any] = {"chars": t or "any"}
    if any(x.text == "heroi" for x in parse.tokens) and t is None and w is not None and "adjacent" in w:
        base["kind"] = "Hero"
    if any(x.text == "outro" for x in parse.tokens) and t == "allies":
        base["chars"] = "other_allies"
    return merged(base, w)


def _target(selector: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"target": selector}]


@G.rule("of_whom", "<ofwho:w>")
@G.rule("to_whom", "<towho:w>", "em <inwho:w>")
def _named(parse: Parse, w: Any) -> tuple[Any, list[Any]]:
    return w, []


G.table("inwho", {"voce": "self"})
G.rule("inwho", "o alvo")(lambda parse: "target")
G.rule("inwho", "<group:g> [<where:w>]")(
    lambda parse, g, w=None: REFUSE if merged(g, w) is REFUSE else _selector(merged(g, w))
)


def _selector(both: dict[str, Any]) -> Any:
    base = both.pop("chars")
    return base if not both else {"chars": base, **both}


@G.rule("of_whom", "de <selected:s>")
@G.rule("to_whom", "(a | ao | em | para) <selected:s>", "<selected_bare:s>")
def _chosen(parse: Parse, s: dict[str, Any]) -> tuple[Any, list[Any]]:
    return "target", _target(s)


@G.rule("selected_bare", "a um alvo")
def _bare_target(parse: Parse) -> dict[str, Any]:
    return {"chars": "any"}


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


@G.rule("vp", "(APLICAR | INFLIGIR) o {DMG} (desta carta | deste ataque) a todas as pecas a ate <num:n> (casa | casas | de adjacencia) do alvo")
def _splash(parse: Parse, n: int) -> Part:
    return do({"op": "splash", "damage": "this_attack", "to": {"pieces": "within", "n": n, "of": "target"}})


@G.rule("vp", "CAUSAR o {DMG} deste ataque tambem aos personagens adjacentes ao alvo")
def _splash_adjacent(parse: Parse) -> Part:
    return do({"op": "splash", "damage": "this_attack", "to": {"chars": "all", "adjacent": True, "of": "target"}})


@G.rule("vp", "APLICAR o {DMG} a todos os personagens na direcao do ataque")
def _splash_line(parse: Parse) -> Part:
    return do({"op": "splash", "damage": "this_attack", "to": {"pieces": "on_line", "from": "self", "through": "target"}})


# --------------------------------------------------------------------------------------------------------------- negation

G.table("vp", {
    "(NEGAR | IGNORAR) (o ataque | aquele ataque | -lo | o mesmo)": do({"op": "negate", "what": "attack"}),
    "NEGAR [a] ativacao": do({"op": "negate", "what": "activation"}),
    "(NEGAR | IGNORAR) a acao [que o selecionou como alvo]": do({"op": "negate", "what": "action"}),
    "(NEGAR | IGNORAR) o {DMG}": do({"op": "negate", "what": "damage"}),
    "(NEGAR | IGNORAR) a {INJURY}": do({"op": "negate", "what": "injury"}),
    "NEGAR o efeito": do({"op": "negate", "what": "effect"}),
    "ser [imediatamente] bem sucedido [naquele teste | no teste] [imediatamente]":
        do({"op": "set_result", "check": "current", "success": True}),
})  # fmt: skip


@G.rule("vp", "NEGAR [a] ativacao do {EVENT}")
def _negate_named(parse: Parse) -> Part:
    return do({"op": "negate", "what": "activation"})


@G.rule("vp", "NEGAR [a] ativacao de um {EVENT} [<quals:q>]")
def _negate_event(parse: Parse, q: dict[str, Any] | None = None) -> Part:
    """The card whose activation is negated names the window."""
    window = {"when": {"event": "card_activated", "card": {"suit": "Event", **(q or {})}}}
    return do({"op": "negate", "what": "activation"}, requires=[window], trigger=True)


# ------------------------------------------------------------------------------------------------------- markers, counters


@G.rule("vp", "(ADICIONAR | COLOCAR) [o | um] <marker:m> <to_whom:t> [desta carta]")
def _add_marker(parse: Parse, m: str, t: tuple[Any, list[Any]]) -> Part:
    return do(*spread([{"op": "add_marker", "marker": m, "to": t[0]}], "to"), requires=t[1])


@G.rule("vp", "(OBTER | RECEBER) [o | um] <marker:m>")
def _get_marker(parse: Parse, m: str) -> Part:
    return do({"op": "add_marker", "marker": m, "to": SUBJECT})


@G.rule("vp", "(REMOVER | PERDER) [o | um | os] [seu] <marker:m> [<of_whom:t>]")
def _remove_marker(parse: Parse, m: str, t: tuple[Any, list[Any]] = (SUBJECT, [])) -> Part:
    return do(*spread([{"op": "remove_marker", "marker": m, "from": t[0]}], "from"), requires=t[1])


@G.rule("vp", "REMOVER todos os <marker:m> do tabuleiro")
def _remove_everywhere(parse: Parse, m: str) -> Part:
    return do({"op": "remove_marker", "marker": m, "from": "all"})


@G.rule("vp", "REMOVER <num:n> {COUNTER} de cartas do alvo", who="target")
@G.rule("vp", "REMOVER <atmost:n> {COUNTER} de uma de suas cartas", who="self")
def _remove_any_counter(parse: Parse, n: int, who: str) -> Part:
    amount: Any = n if who == "target" else [0, n]
    return do({"op": "remove_counter", "counter": "chosen", "from": {"cards_of": who}, "n": amount})


@G.rule("vp", "REMOVER todos os {MARKER} [<of_whom:t>]")
def _remove_all_markers(parse: Parse, t: tuple[Any, list[Any]] = (SUBJECT, [])) -> Part:
    return do(*spread([{"op": "remove_marker", "marker": "all", "from": t[0]}], "from"), requires=t[1])


@G.rule("vp", "REMOVER <num:n> {MARKER} [<of_whom:t>]")
def _remove_some(parse: Parse, n: int, t: tuple[Any, list[Any]] = (SUBJECT, [])) -> Part:
    return do({"op": "remove_marker", "marker": "chosen", "from": t[0], "n": n}, requires=t[1])


@G.rule("vp", "(ADICIONAR | COLOCAR) <num:n> <counter:c> (a | em | neste | nesta) [esta] (carta | ela)", "ADICIONAR <num:n> <counter:c>")
def _add_counter(parse: Parse, n: int, c: str) -> Part:
    return do({"op": "add_counter", "counter": c, "to": "this", "n": n})


@G.rule("vp", "REMOVER <num:n> <counter:c> desta carta")
def _remove_counter(parse: Parse, n: int, c: str) -> Part:
    return do({"op": "remove_counter", "counter": c, "from": "this", "n": n})


@G.rule("vp", "REMOVER todos os <counter:c> desta carta")
def _remove_counters(parse: Parse, c: str) -> Part:
    return do({"op": "remove_counter", "counter": c, "from": "this", "n": "all"})


@G.rule("vp", "(ADICIONAR | COLOCAR) <num:n> <counter:c> (em | no | a | na) (carta | um carta) de <suit:z> de <selected:s>", "(ADICIONAR | COLOCAR) <num:n> <counter:c> (em | no | a | na) (carta | um carta) de <suit:z> <ofwho:w>")
def _add_counter_to_card(parse: Parse, n: int, c: str, z: str, s: dict[str, Any] | None = None, w: Any = None) -> Any:
    if z not in ("House", "Class", "Entity"):
        return REFUSE
    who, needs = (w, []) if s is None else ("target", _target(s))
    return do({"op": "add_counter", "counter": c, "to": {"zone": "sheet", "suit": z, "of": who}, "n": n}, requires=needs)


@G.rule("vp", "ADICIONAR <num:n> <counter:c> a <selected:s> [com <tag:t>]", "ADICIONAR <num:n> <counter:c> a um {COMPANION} com <tag:t> no seu time")
def _add_counter_selected(parse: Parse, n: int, c: str, s: dict[str, Any] | None = None, t: str | None = None) -> Any:
    both = merged(s or {"chars": "allies", "kind": "Companion"}, {"tag": t} if t else None)
    return REFUSE if both is REFUSE else do({"op": "add_counter", "counter": c, "to": "target", "n": n}, requires=_target(both))


# --------------------------------------------------------------------------------------------------------------- movement


def _move(who: Any, n: Any, unit: str, **more: Any) -> Part:
    return do({"op": "move_piece", "who": who, "mode": "walk", "n": n, "unit": unit, **more})


@G.rule("vp", "(empurre | empurrar) o alvo [ate] <num:n> (casa | casas) [para tras]")
def _shove(parse: Parse, n: int) -> Part:
    least: Any = [0, n] if any(t.text == "ate" for t in parse.tokens) else n
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": least, "dir": "action_direction"})


@G.rule("vp", "(PUXAR | puxe) o alvo [ate] <num:n> (casa | casas) [na seu direcao | para perto]")
def _draw_near(parse: Parse, n: int) -> Part:
    least: Any = [0, n] if any(t.text == "ate" for t in parse.tokens) else n
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": least, "dir": "towards"})


@G.rule("vp", "(<mover> | COLOCAR | POSICIONAR) [a] seu peca (em | para) um casa [vazio] a ate <num:n> (casa | casas | de distancia) [de voce]")
def _jump(parse: Parse, n: int) -> Part:
    place = {"tile": "any", "empty": True, "within": n, "of": "self"}
    return do({"op": "move_piece", "who": "self", "mode": "place", "to": "target"}, requires=[{"target": place}])


@G.rule("vp", "ADORMECER todos os {ENTITY} a ate <num:n> casas do alvo")
def _sleep_around(parse: Parse, n: int) -> Part:
    near = {"chars": "all", "within": n, "of": "target", "entity_awake": True}
    return do({"op": "for_each", "in": near, "do": [{"op": "sleep_entity", "who": "it"}]})


@G.rule("vp", "ADORMECER todos os {ENTITY} na {AREA}")
def _sleep_area(parse: Parse) -> Any:
    if not parse.context.area:
        return REFUSE
    near = {"chars": "all", "in_area": True, "entity_awake": True}
    return do({"op": "for_each", "in": near, "do": [{"op": "sleep_entity", "who": "it"}]})


@G.rule("vp", "buscar <num:n> <cards:c> [no baralho] (do | no) <deckmac:d> e ENVIAR [-a] para [sua | seu] [respectiva] pilha de descarte", "buscar <num:n> carta [no baralho] (do | no) <deckmac:d> e ENVIAR [-a] para [sua | seu] [respectiva] pilha de descarte")
def _search_away(parse: Parse, n: int, d: str, c: dict[str, Any] | None = None) -> Part:
    return do({"op": "search", "from": d, **({"filter": c} if c else {}), "n": n, "to": "discard"})


@G.rule("vp", "ENVIAR <some:s> <tozone:z> para ADICIONAR seu valor em <currency:c> ao {DMG}")
def _send_for_value(parse: Parse, s: dict[str, Any], z: str, c: str) -> Any:
    if "zone" not in s or s.get("n") != 1:
        return REFUSE
    sent = {"op": "move_card", "cards": {"of": SUBJECT, **s}, "to": z, "bind": "c"}
    return do(sent, {"op": "mod", "q": "attack.damage", "add": f"value(c.{c})", "until": "this_attack"})


@G.rule("vp", "ESCOLHER o resultado deste dado")
def _choose_die(parse: Parse) -> Part:
    return do({"op": "set_die", "roll": "current", "die": "chosen", "value": "chosen"})


@G.rule("vp", "CURAR a mesma quantidade [,] de <selected:s>")
def _heal_paid_amount(parse: Parse, s: dict[str, Any]) -> Any:
    """As much HP as was paid; a card in units would have to scale an amount that is chosen (R13.12)."""
    return REFUSE if parse.context.scaled else do({"op": "heal", "to": "target", "n": "X"}, requires=_target(s))


_DECK_CURRENCIES = {"market": "PRICE", "academy": "XP", "bestiary": "WILL", "sanctuary": "FATE"}


@G.rule("vp", "OBTER a mesma quantidade da pilha de descarte (do | da) <deckmac:d>")
def _currency_from_pile(parse: Parse, d: str) -> Any:
    if d not in _DECK_CURRENCIES:
        return REFUSE
    return do({"op": "gain_currency", "to": SUBJECT, "cur": _DECK_CURRENCIES[d], "n": "X", "from": "discard"})


@G.rule("vp", "(CURAR | RECUPERAR) uma quantidade de {HP} do alvo igual a {HP} atual do mesmo", n="hp(target)")
@G.rule("vp", "(CURAR | RECUPERAR) uma quantidade de {HP} do alvo igual a quantidade de {HP} que este <name> POSSUIR", n="hp(this_char)")
def _heal_like(parse: Parse, n: str) -> Any:
    return do({"op": "heal", "to": "target", "n": n}) if parse.context.companion else REFUSE


@G.rule("vp", "<doubling:n> o valor obtido em um teste <checks:c>")
def _double_check(parse: Parse, n: int, c: dict[str, Any]) -> Any:
    if n != 2:
        return REFUSE
    rolled = {"when": {"event": "check", "who": "self", "by": c, "phase": "after"}}
    return do({"op": "set_result", "check": "current", "double": True}, requires=[rolled], trigger=True)


@G.rule("vp", "<mover> este personagem para a casa adjacente ao alvo [, na direcao deste ataque]")
def _charge(parse: Parse) -> Part:
    beside = {"tile": "adjacent_empty", "of": "target"}
    return do({"op": "move_piece", "who": parse.context.this_char, "mode": "place", "to": beside})


@G.rule("vp", "REMOVER todos os modificadores (temporario | temporarios) [<ofwho:w>]")
def _remove_mods(parse: Parse, w: Any = SUBJECT) -> Any:
    return do({"op": "remove_mods", "from": w, "kind": "temporary"}) if isinstance(w, str) else REFUSE


@G.rule("vp", "REMOVER todos os <counter:c> desta carta e ADICIONAR <bonus:n> de {DMG} para cada um removido")
def _spend_counters(parse: Parse, c: str, n: int) -> Part:
    gone = {"op": "remove_counter", "counter": c, "from": "this", "n": "all", "bind": "k"}
    return do(gone, {"op": "mod", "q": "attack.damage", "add": f"mul({n},k)", "until": "this_attack"})


@G.rule("vp", "DESPERTAR [o] [seu] {ENTITY}")
def _awaken(parse: Parse) -> Part:
    return do({"op": "awaken", "who": SUBJECT})


@G.rule("vp", "ADORMECER [o] [seu] {ENTITY}")
def _fall_asleep(parse: Parse) -> Part:
    return do({"op": "sleep_entity", "who": SUBJECT})


@G.rule("vp", "(GANHAR | RECEBER | TER) um turno extra [apos este]")
def _extra_turn(parse: Parse) -> Part:
    return do({"op": "extra_turn", "who": SUBJECT})


@G.rule("vp", "pular [o] [seu] proximo turno <ofwho:w>", "pular o proximo turno <ofwho:w>")
def _skips(parse: Parse, w: Any) -> Any:
    return do({"op": "skip_turn", "who": w}) if isinstance(w, str) else REFUSE


@G.rule("mover", "(mova | mover | move | movam)")
def _mover(parse: Parse) -> None:
    return None


@G.rule("vp", "[se] <mover> [-se | se] para uma casa adjacente [<tothis:near>]")
def _step(parse: Parse, near: str | None = None) -> Any:
    if near in (None, SUBJECT):
        return _move(SUBJECT, 1, "tiles")
    return REFUSE


@G.rule("vp", "[se] <mover> [-se | se] ate <num:n> casas")
def _steps(parse: Parse, n: int) -> Part:
    return _move(SUBJECT, [0, n], "tiles")


@G.rule("vp", "<mover> <atmost:n> de distancia", "<mover> a sua peca no tabuleiro para ate <int:n> de distancia",
        "<mover> sua peca no tabuleiro para ate <int:n> de distancia")  # fmt: skip
def _walk(parse: Parse, n: int) -> Part:
    return _move(SUBJECT, [0, n], "distance")


@G.rule("vp", "<mover> um personagem <team:t> para uma casa adjacente a ele")
def _move_ally(parse: Parse, t: str) -> Part:
    step = {"op": "move_piece", "who": "target", "mode": "push", "n": 1, "dir": "chosen"}
    return do(step, requires=_target({"chars": t}))


@G.rule("vp", "<mover> o alvo para uma casa adjacente")
def _push_any(parse: Parse) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": 1, "dir": "chosen"})


@G.rule("vp", "<mover> o alvo ate <num:n> casas de distancia")
def _push_far(parse: Parse, n: int) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": [0, n], "dir": "chosen"})


@G.rule("vp", "<mover> (-o | o alvo) uma casa para tras na [mesma] direcao (do ataque | da acao)")
def _push_back(parse: Parse) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": 1, "dir": "action_direction"})


@G.rule("vp", "<mover> (-o | o alvo) <num:n> (casa | casas) na direcao (oposta | contraria) [a] [do ataque]")
def _push_n(parse: Parse, n: int) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": n, "dir": "towards"})


@G.rule("vp", "<mover> (-o | o alvo) ate <num:n> casas", "<mover> (-o | o alvo) ate <num:n> de distancia")
def _push_up_to(parse: Parse, n: int) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": [0, n], "dir": "chosen"})


@G.rule("vp", "<mover> (este personagem | a peca deste personagem) para uma casa adjacente [ao <near:x>]")
def _here_step(parse: Parse, x: str | None = None) -> Any:
    if x is not None:
        return do({"op": "move_piece", "who": parse.context.this_char, "mode": "place", "to": {"tile": "adjacent_empty", "of": x}})
    return do({"op": "move_piece", "who": parse.context.this_char, "mode": "walk", "n": 1, "unit": "tiles"})


G.table("near", {"alvo": "target", "atacante": "attacker"})


@G.rule("vp", "<mover> [a] sua peca para uma casa adjacente ao <near:x>", "[se] <mover> [-se | se] para uma casa adjacente ao <near:x>")
def _go_to(parse: Parse, x: str) -> Part:
    return do({"op": "move_piece", "who": SUBJECT, "mode": "place", "to": {"tile": "adjacent_empty", "of": x}})


@G.rule("vp", "TROCAR [a] sua peca [no tabuleiro] pela [peca] <of_whom:t>", "TROCAR de (lugar | posicao | casa) com <inwho:w>")
def _swap_with(parse: Parse, t: tuple[Any, list[Any]] | None = None, w: Any = None) -> Any:
    who, needs = t if t is not None else (w, [])
    return do({"op": "swap_pieces", "a": SUBJECT, "b": who}, requires=needs) if isinstance(who, str) else REFUSE


@G.rule("vp", "TROCAR de (lugar | posicao | casa) com o alvo", "TROCAR sua peca de lugar com a [peca] do alvo")
def _swap_places(parse: Parse) -> Part:
    return do({"op": "swap_pieces", "a": SUBJECT, "b": "target"})


@G.rule("vp", "<mover> o alvo uma ou duas (casa | casas) para tras na mesma direcao da acao [, se possivel]")
def _push_two(parse: Parse) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": [1, 2], "dir": "action_direction", "if_possible": True})


@G.rule("vp", "<mover> o alvo uma casa no sentido contrario do ataque")
def _pull(parse: Parse) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": 1, "dir": "towards"})


@G.rule("vp", "<mover> a sua peca para a casa do tabuleiro selecionada")
def _teleport(parse: Parse) -> Part:
    return do({"op": "move_piece", "who": "self", "mode": "place", "to": "target"})


# ------------------------------------------------------------------------------------------------------------------- cards


@G.rule("howmany", "<num:n>")
def _count(parse: Parse, n: int) -> Any:
    return n


@G.rule("howmany", "ate <num:n>", "<atmost:n>")
def _up_to(parse: Parse, n: int) -> Any:
    return [0, n]


G.table("howmany", {"todas as": "all", "qualquer": "all"})


@G.rule("some", "outro <cards:c> [<fromzone:z>]", "um outro <cards:c> [<fromzone:z>]")
def _another(parse: Parse, c: dict[str, Any], z: str | None = None) -> Any:
    both = merged({"zone": z} if z else None, c)
    return REFUSE if both is REFUSE else {**both, "not": "this", "n": 1}


@G.rule("some", "<howmany:n> <cards:c> [<fromzone:z>]")
@G.rule("some", "<howmany:n> <cards:c> [<fromzone:z>] <ofwho:w>")
@G.rule("some", "<howmany:n> (carta | cartas) [de recurso] [<fromzone:z>]")
@G.rule("some", "<howmany:n> (carta | cartas) <fromzone:z> <ofwho:w>")
def _some(parse: Parse, n: Any, c: dict[str, Any] | None = None, z: str | None = None, w: Any = None) -> Any:
    both = merged({"zone": z} if z else None, c)
    return REFUSE if both is REFUSE else {**both, **({"of": w} if w else {}), "n": n}


@G.rule("some", "<howmany:n> anexo [de <items:i>] [desta carta]", "<howmany:n> carta [de <items:i>] anexada a esta carta", "<howmany:n> carta anexada [de <items:i>]", "<howmany:n> <cards:c> anexado a esta carta")
def _attached(parse: Parse, n: Any, i: list[dict[str, str]] | None = None, c: dict[str, Any] | None = None) -> dict[str, Any]:
    return {**(c or {}), "zone": "attachments", "of": parse.context.this_char, **(any_of(i) if i else {}), "n": n}


@G.rule("some", "<howmany:n> (carta | cartas) do topo do <deckmac:d>")
def _top(parse: Parse, n: Any, d: str) -> dict[str, Any]:
    return {"zone": "deck_top", "deck": d, "n": n}


def _by(op: dict[str, Any]) -> dict[str, Any]:
    """Mark who chooses: the one told to act."""
    return {**op, "by": SUBJECT}


@G.rule("vp", "(ENVIAR | ADICIONAR | COLOCAR | BAIXAR) <some:s> <tozone:z> [do mesmo | dele]")
def _send(parse: Parse, s: dict[str, Any], z: str) -> Any:
    if "zone" not in s:
        return REFUSE
    return do(_by({"op": "move_card", "cards": {"of": SUBJECT, **s}, "to": z}))


@G.rule("vp", "DESCARTAR <some:s>", to="discard")
@G.rule("vp", "ENTERRAR <some:s>", to="deck_bottom")
@G.rule("vp", "BANIR <some:s>", to="banished")
def _throw(parse: Parse, s: dict[str, Any], to: str) -> Part:
    return do(_by({"op": "move_card", "cards": {"of": SUBJECT, **s}, "to": to}))


@G.rule("vp", "(RECUPERAR | levantar) <some:s>", op="recover")
@G.rule("vp", "(CONSUMIR | deitar) <some:s>", op="exhaust")
def _turn(parse: Parse, s: dict[str, Any], op: str) -> Any:
    if set(s) & {"specifier", "kind", "order"}:
        return REFUSE
    return do({"op": op, "cards": {"zone": "table", "of": SUBJECT, **s}})


@G.rule("vp", "(PUXAR | COMPRAR) <num:n> (carta | cartas)", "(PUXAR | COMPRAR) <num:n> (carta | cartas) (do | da) <deckmac:d>")
def _draw_cards(parse: Parse, n: int, d: str = "own") -> Part:
    return do({"op": "draw", "deck": d, "n": n})


@G.rule("vp", "OLHAR [as] <num:n> (carta | cartas) do topo (do | da) [baralho do | baralho da] <deckmac:d>", "OLHAR a carta do topo (do | da) [baralho do] <deckmac:d>")
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
def _from_pile(parse: Parse, n: int, c: dict[str, Any]) -> Any:
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
    return do(op, requires=[] if who is None else _target({"chars": who, "kind": "Hero"}))


@G.rule("vp", "(ADICIONAR | OBTER) <num:n> <cards:c> [,] (do | da) <deckmac:d> [,] [ao [seu] {INV}]")
def _search(parse: Parse, n: int, c: dict[str, Any], d: str) -> Part:
    return do({"op": "search", "from": d, "filter": c, "n": n, "to": "inventory"})


@G.rule("vp", "ADICIONAR uma carta de nivel <int:l> [,] da <deckmac:d> [,] ao [seu] {INV}")
def _search_level(parse: Parse, l: int, d: str) -> Part:  # noqa: E741
    return do({"op": "search", "from": d, "filter": {"level": l}, "n": 1, "to": "inventory"})


# ------------------------------------------------------------------------------------------------------- running attack, check


@G.rule("vp", "ADICIONAR <bonus:n> [de bonus] (ao | neste) ataque", q="attack.bonus", until="this_attack")
@G.rule("vp", "ADICIONAR <bonus:n> ao {DMG} [desta carta]", "ADICIONAR <bonus:n> de {DMG} ao ataque", q="attack.damage", until="this_attack")
@G.rule("vp", "<bonus:n> de {DMG} neste ataque", q="attack.damage", until="this_attack")
@G.rule("vp", "ADICIONAR <bonus:n> [de bonus] (ao | a um | em um | ao resultado do | ao valor do) teste [rolado]", q="check.bonus", until="this_check")
@G.rule("vp", "ADICIONAR <bonus:n> [de bonus] a uma rolagem de dados", q="roll.bonus", until="this_roll")
def _add_now(parse: Parse, n: Any, q: str, until: str) -> Any:
    return do({"op": "mod", "q": q, "add": n, "until": until})


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


@G.rule("vp", "REDUZIR o {DMG} [(sofrido | recebido)] (pela metade | a metade)", "REDUZIR [a] metade [do] o {DMG} [(sofrido | recebido)]")
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


@G.rule("vp", "ROLAR [o dado | os dados | o teste] novamente [o dado | os dados | o teste]")
def _reroll_plain(parse: Parse) -> Part:
    return do({"op": "reroll", "roll": "current"})


@G.rule("vp", "IGNORAR o ataque recebido")
def _negate_received(parse: Parse) -> Part:
    return do({"op": "negate", "what": "attack"})


@G.rule("vp", "APLICAR o {DMG} desta carta ao atacante")
def _strike_back(parse: Parse) -> Any:
    return do({"op": "deal_damage", "to": "attacker", "n": "roll_damage(this)"}) if parse.context.has_bar else REFUSE


# ---------------------------------------------------------------------------------------------------- amounts that were paid


@G.rule("vp", "(RECUPERAR | RESTAURAR) [a] metade (desse valor | daquele valor | desta quantidade) (em | de) <colour:e>", "(RECUPERAR | RESTAURAR) [a] metade (desse valor | desta quantidade) (em | de) <onenergy:e>")
def _gain_half_paid(parse: Parse, e: str) -> Part:
    return do({"op": "gain", "to": SUBJECT, "res": e, "n": "half(X)"})


@G.rule("vp", "(RECUPERAR | CURAR) a mesma quantidade de <onenergy:e>", "(RECUPERAR | CURAR) a mesma quantidade de <colour:e>")
def _gain_paid(parse: Parse, e: str) -> Part:
    return do({"op": "gain", "to": SUBJECT, "res": e, "n": "X"})


@G.rule("vp", "OBTER a mesma quantidade de <currency:c> (da | do) <deckmac:d>")
def _currency_paid(parse: Parse, c: str, d: str) -> Part:
    return do({"op": "gain_currency", "to": SUBJECT, "cur": c, "n": "X", "from": d})


@G.rule("vp", "ADICIONAR a mesma quantidade em <currency:c> ao {INV} de <selected:s>")
def _currency_given(parse: Parse, c: str, s: dict[str, Any]) -> Part:
    return do({"op": "gain_currency", "to": "target", "cur": c, "n": "X"}, requires=_target(s))


@G.rule("vp", "CURAR {HP} igual a lp {FATE} descartada ✖ <int:n> rp")
def _heal_paid(parse: Parse, n: int) -> Any:
    return REFUSE if parse.context.scaled else do({"op": "heal", "to": SUBJECT, "n": f"mul({n},X)"})


# ------------------------------------------------------------------------------------------------------ swaps and activations


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


@G.rule("vp", "INCORPORAR um <cards:c> (do baralho ou pilha de descarte | da pilha de descarte) . DESCARTAR o seu {ENTITY} atual , se TER")
def _incorporate(parse: Parse, c: dict[str, Any]) -> Part:
    deck = ["wound_deck"] if any(t.text == "baralho" for t in parse.tokens) else []
    old = {"op": "move_card", "cards": {"zone": "entity_slot", "of": "self"}, "to": "discard"}
    return do(old, {"op": "incorporate", "from": [*deck, "wound_discard"], "filter": c})


@G.rule("vp", "OBTER qualquer outra carta em qualquer pilha de descarte")
def _any_discarded(parse: Parse) -> Part:
    return do({"op": "move_card", "cards": {"zone": "discard", "of": "any", "not": "this", "n": 1}, "to": "inventory"})


@G.rule("vp", "OLHAR um dos baralhos e DEVOLVER -o na mesma ordem")
def _look_deck(parse: Parse) -> Part:
    return do({"op": "look", "from": {"deck": "chosen"}, "n": "all", "keep_order": True})


@G.rule("vp", "ADICIONAR o <marker:m> ao alvo e <num:n> <counter:c> a esta carta")
def _marker_and_counter(parse: Parse, m: str, n: int, c: str) -> Part:
    return do({"op": "add_marker", "marker": m, "to": "target"}, {"op": "add_counter", "counter": c, "to": "this", "n": n})


@G.rule("vp", "REMOVER um {MARKER} ou <num:n> {COUNTER} do alvo")
def _remove_either(parse: Parse, n: int) -> Part:
    marker = {"op": "remove_marker", "marker": "chosen", "from": "target", "n": 1}
    counter = {"op": "remove_counter", "counter": "chosen", "from": {"cards_of": "target"}, "n": n}
    return do({"op": "choose", "of": [[marker], [counter]]})


@G.rule("vp", "REMOVER <num:n> <counter:c> desta carta ao inves")
def _instead_of_discard(parse: Parse, n: int, c: str) -> Part:
    """Instead of the discard that opened the window; only a card that has the counter can lose it."""
    needs = [{"if": {"gt": [f"counters(this.{c})", 0]}}]
    return do({"op": "negate", "what": "discard"}, {"op": "remove_counter", "counter": c, "from": "this", "n": n}, requires=needs)


@G.rule("vp", "REMOVER <int:n> de {HP} de todas as pecas na area desta tecnica , exceto deste personagem")
def _area_loss(parse: Parse, n: int) -> Any:
    if not parse.context.area:
        return REFUSE
    loss = {"op": "lose_hp", "who": "it", "n": hp(parse.context, n)}
    return do({"op": "for_each", "in": {"chars": "all", "in_area": True, "exclude": "this_char"}, "do": [loss]})


@G.rule("vp", "ADICIONAR <num:n> <counter:c> aquele {COMPANION}")
def _counter_event(parse: Parse, n: int, c: str) -> Part:
    return do({"op": "add_counter", "counter": c, "to": "event.card", "n": n})


@G.rule("clause", "a casa em que este personagem ESTAR RECEBER <bonus:n> de {ALT} <dur:d>")
def _raise_tile(parse: Parse, n: int, d: Any) -> Part:
    return do({"op": "tile_mod", "tiles": {"of": parse.context.this_char}, "q": "alt", "add": n, "until": d})


# -------------------------------------------------------------------------------------------------------------------- turns


@G.rule("vp", "(encerrar | encerre) seu turno", "(encerrar | encerre) o seu turno")
def _end_turn(parse: Parse) -> Part:
    return do({"op": "end_turn", "who": "self"})


@G.rule("vp", "(encerrar | encerre) o turno [dele | daquele personagem]")
def _end_that_turn(parse: Parse) -> Any:
    """Whose turn it is must be said by the window."""
    words = [t.text for t in parse.tokens]
    told = any(words[i : i + 4] == ["turno", "de", "um", "personagem"] for i in range(len(words)))
    return do({"op": "end_turn", "who": "event.who"}) if told else REFUSE


@G.rule("vp", "PERDER o [seu] proximo turno", "PERDER seu proximo turno")
def _skip(parse: Parse) -> Part:
    return do({"op": "skip_turn", "who": SUBJECT})


@G.rule("vp", "COMECAR [o | os] (seu proximo turno | seus proximos turnos) com <signed:n> de {AP}")
def _less_ap(parse: Parse, n: int) -> Part:
    return do({"op": "mod", "q": "ap.start_of_turn", "add": n, "on": SUBJECT, "until": "end_of_target_next_turn"})


@G.rule("vp", "SE TORNAR o alvo [do ataque]", "se TORNAR o alvo [do ataque]", "se tornar o alvo do ataque")
def _become_target(parse: Parse) -> Part:
    """On a Companion "you" is the Hero (R0.9), which such a text hardly means: only a named subject is taken."""
    return do({"op": "redirect", "attack": "current", "to": NAMED if parse.context.companion else SUBJECT})


@G.rule("vp", "DECLARAR <int:n> {KNOWLEDGE} , podendo repeticoes , para RECEBER <bonus:b> em cada enquanto esta carta PERMANECER na {SHEET}")
def _declare(parse: Parse, n: int, b: int) -> Part:
    chosen = {"op": "declare", "what": "knowledge", "n": n, "bind": "k"}
    return do(chosen, {"op": "mod", "q": "knowledge", "add": b, "by": {"knowledge": "k"}, "until": "while_this_in_zone"})


@G.rule("vp", "SELECIONAR uma casa do tabuleiro e COLOCAR a peca deste personagem na casa selecionada")
def _place_anywhere(parse: Parse) -> Part:
    step = {"op": "move_piece", "who": parse.context.this_char, "mode": "place", "to": "target"}
    return do(step, requires=[{"target": {"tile": "any", "empty": True}}])


@G.rule("vp", "<mover> todos os personagens na [sua] {AREA} em ate <int:n> de distancia")
def _scatter(parse: Parse, n: int) -> Any:
    if not parse.context.area:
        return REFUSE
    step = {"op": "move_piece", "who": "it", "mode": "push", "n": [0, n], "dir": "chosen"}
    return do({"op": "for_each", "in": {"chars": "all", "in_area": True}, "do": [step]})


@G.rule("vp", "<mover> a peca deste personagem para uma casa adjacente ao heroi")
def _join_hero(parse: Parse) -> Any:
    if not parse.context.companion:
        return REFUSE
    return do({"op": "move_piece", "who": "this_char", "mode": "place", "to": {"tile": "adjacent_empty", "of": "host_hero"}})


@G.rule("vp", "ADORMECER o {ENTITY} do alvo")
def _sleep(parse: Parse) -> Part:
    return do({"op": "sleep_entity", "who": "target"})


@G.rule("vp", "(OLHAR | ver | veja) (o {INV} | as cartas no {INV} | as cartas do {INV}) (do alvo | de outro heroi | de outro personagem)")
def _look(parse: Parse) -> Part:
    named = parse.tokens[-1].text
    chosen: dict[str, Any] = {"chars": "others", **({"kind": "Hero"} if named == "heroi" else {})}
    needs = [] if named == "alvo" else _target(chosen)
    return do({"op": "reveal", "cards": {"zone": "inventory", "of": "target"}, "to": "self"}, requires=needs)


@G.rule("vp", "SELECIONAR <selected:s>")
def _select(parse: Parse, s: dict[str, Any]) -> Part:
    return {"requires": _target(s)}


@G.rule("vp", "(PUXAR | COMPRAR) uma carta de um baralho que (voce SER dono | POSSUIR)")
def _draw(parse: Parse) -> Part:
    return do({"op": "draw", "deck": "own_chosen", "n": 1})

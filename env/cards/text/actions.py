"""Clauses that do something: verb phrases with a subject slot, and the costs that stand before a "to ...".

A verb phrase (`vp`) is read without its subject; `$S` marks where the subject belongs. An imperative has the owner of the
effect as its subject, except that an imperative on a card that selects a target by its range must name whom it helps.
"""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import SUBJECT, G, Part, hp, merged
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.phrases import antecedent

PATIENT = "$P"
"""The one an imperative without a named patient helps or harms; not always the subject."""


def do(*ops: dict[str, Any], **more: Any) -> Part:
    """Return a part made of instructions."""
    return {"do": list(ops), **more}


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


@G.rule("vp", "(CURAR | RECUPERAR) <gains:g> [<ofwho:to>]")
def _heal(parse: Parse, g: list[Any], to: Any = None) -> Any:
    if to is None and any(what == "HP" for what, _ in g):
        return do(*_gain_ops(parse, g, PATIENT))
    return do(*_gain_ops(parse, g, to or SUBJECT))


@G.rule("vp", "(CURAR | RECUPERAR) <gains:g> de <selected:s>")
def _heal_selected(parse: Parse, g: list[Any], s: dict[str, Any]) -> Part:
    return do(*_gain_ops(parse, g, "target"), requires=_target(s))


@G.rule("gains_same", "a mesma quantidade (em | de) {HP}", "uma quantidade igual (em | de) {HP}")
def _same_amount(parse: Parse) -> str:
    return "same"


@G.rule("vp", "(CURAR | RECUPERAR) <gains_same> [<ofwho:to>]")
def _heal_same(parse: Parse, to: Any = None) -> Any:
    """As much HP as the injury just named took (R13.11); only where the sentence names one."""
    words = [t.text for t in parse.tokens]
    if "{INJURY}" not in words:
        return REFUSE
    return do({"op": "heal", "to": to or SUBJECT, "n": "last.hp_lost"})


@G.rule("vp", "CURAR {HP} <ofwho:to> em uma quantidade igual ao {DMG} causado", "CURAR <ofwho:to> uma quantidade de {HP} igual ao {DMG} causado")
def _heal_damage(parse: Parse, to: Any) -> Part:
    return do({"op": "heal", "to": to, "n": "last.damage"})


@G.rule("vp", "CURAR uma quantidade de {HP} igual a <amt:n> [do mesmo]")
def _heal_formula(parse: Parse, n: Any) -> Part:
    return do({"op": "heal", "to": SUBJECT, "n": n})


@G.rule("salvation", "uma <name:n>")
def _salvation(parse: Parse, n: str) -> Any:
    return n if n == "Salvação Divina" else REFUSE


@G.rule("vp", "OBTER <salvation> [de <int:n> de {HP}] [para <towho_plain:who>]")
def _save(parse: Parse, n: int = 1, who: Any = None) -> Any:
    return do({"op": "save", "who": who or SUBJECT, "hp": 1}) if n == 1 else REFUSE


@G.rule("towho_plain", "aquele personagem", "ele")
def _that_one(parse: Parse) -> Any:
    return antecedent(parse)


@G.rule("vp", "(se manter | permanecer | permaneca) com <int:n> de {HP}")
def _stay(parse: Parse, n: int) -> Any:
    return do({"op": "save", "who": SUBJECT, "hp": 1}) if n == 1 else REFUSE


@G.rule("vp", "RECEBER <int:n> de {AP}")
def _receive_ap(parse: Parse, n: int) -> Part:
    return do({"op": "gain", "to": SUBJECT, "res": "AP", "n": n})


@G.rule("vp", "(OBTER | RECEBER) <int:n> de <currency:c>", "ADICIONAR <int:n> de <currency:c> ao [seu] {INV}")
def _currency(parse: Parse, n: int, c: str) -> Part:
    return do({"op": "gain_currency", "to": SUBJECT, "cur": c, "n": n})


@G.rule("vp", "(PERDER | REMOVER) <amt:n> de {HP} [adicionalmente] [<ofwho:who>]")
def _lose(parse: Parse, n: Any, who: Any = None) -> Part:
    return do({"op": "lose_hp", "who": who or SUBJECT, "n": hp(parse.context, n)})


@G.rule("vp", "(CONSUMIR | deitar) <int:n> de <energies:e> [<ofwho:who>]")
def _spend(parse: Parse, n: int, e: list[str], who: Any = None) -> Part:
    return do({"op": "spend", "who": who or SUBJECT, "energy": e, "n": n})


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
    own = any(t.text == "seus" for t in parse.tokens)
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


@G.rule("selected", "um [outro] <kind:k> [<team:t>] [<where:w>]", "um [outro] {COMPANION} [<team:t>] [com <tag:g>] [<where:w>]")
def _selected_kind(
    parse: Parse, k: str = "Companion", t: str | None = None, g: str | None = None, w: dict[str, Any] | None = None
) -> Any:
    return merged({"chars": t or "any", "kind": k}, {"tag": g} if g else None, w)


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


@G.rule("vp", "CAUSAR <int:n> de {INJURY} <towho:to>")
def _injury(parse: Parse, n: int, to: Any) -> Any:
    return do({"op": "deal_injury", "to": to, "n": n}) if isinstance(to, str) and to in ("target", "attacker", "self") else REFUSE


@G.rule("vp", "CAUSAR <int:n> de {INJURY} (a | ao) <selected:s>", "CAUSAR <int:n> de {INJURY} <selected:s>")
def _injury_selected(parse: Parse, n: int, s: dict[str, Any]) -> Part:
    return do({"op": "deal_injury", "to": "target", "n": n}, requires=_target(s))


@G.rule("vp", "(RECEBER | SOFRER) <int:n> de {INJURY}")
def _suffer_injury(parse: Parse, n: int) -> Part:
    return do({"op": "deal_injury", "to": SUBJECT, "n": n})


@G.rule("vp", "CAUSAR <int:n> de {DMG} <towho:to>")
def _damage(parse: Parse, n: int, to: Any) -> Any:
    return do({"op": "deal_damage", "to": to, "n": n}) if to in ("target", "attacker") else REFUSE


@G.rule("vp", "CAUSAR <int:n> de {DMG} a todos os personagens adjacentes ao alvo")
def _damage_around(parse: Parse, n: int) -> Part:
    return do({"op": "for_each", "in": {"chars": "all", "adjacent": True, "of": "target"}, "do": [{"op": "deal_damage", "to": "it", "n": n}]})


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
    "NEGAR [a] ativacao (do | de um) {EVENT}": do({"op": "negate", "what": "activation"}),
    "(NEGAR | IGNORAR) a acao [que o selecionou como alvo]": do({"op": "negate", "what": "action"}),
    "(NEGAR | IGNORAR) o {DMG}": do({"op": "negate", "what": "damage"}),
    "(NEGAR | IGNORAR) a {INJURY}": do({"op": "negate", "what": "injury"}),
    "NEGAR o efeito": do({"op": "negate", "what": "effect"}),
    "ser [imediatamente] bem sucedido [naquele teste | no teste] [imediatamente]":
        do({"op": "set_result", "check": "current", "success": True}),
})  # fmt: skip


# ------------------------------------------------------------------------------------------------------- markers, counters


@G.rule("vp", "ADICIONAR [o | um] <marker:m> <towho:to>")
def _add_marker(parse: Parse, m: str, to: Any) -> Any:
    return do({"op": "add_marker", "marker": m, "to": to}) if isinstance(to, str) else REFUSE


@G.rule("vp", "ADICIONAR [o | um] <marker:m> (a | ao) <selected:s>")
def _add_marker_selected(parse: Parse, m: str, s: dict[str, Any]) -> Part:
    return do({"op": "add_marker", "marker": m, "to": "target"}, requires=_target(s))


@G.rule("vp", "(OBTER | RECEBER) [o | um] <marker:m>")
def _get_marker(parse: Parse, m: str) -> Part:
    return do({"op": "add_marker", "marker": m, "to": SUBJECT})


@G.rule("vp", "REMOVER [o | um | os] <marker:m> [<ofwho:w>]")
def _remove_marker(parse: Parse, m: str, w: Any = None) -> Part:
    return do({"op": "remove_marker", "marker": m, "from": w or SUBJECT})


@G.rule("vp", "REMOVER todos os <marker:m> do tabuleiro")
def _remove_everywhere(parse: Parse, m: str) -> Part:
    return do({"op": "remove_marker", "marker": m, "from": "all"})


@G.rule("vp", "REMOVER o <marker:m> de todos os (personagens | outro personagens) [<where:w>]")
def _remove_from_all(parse: Parse, m: str, w: dict[str, Any] | None = None) -> Part:
    base = "others" if any(t.text == "outro" for t in parse.tokens) else "all"
    return do({"op": "remove_marker", "marker": m, "from": {"chars": base, **w} if w else base})


@G.rule("vp", "REMOVER <num:n> {COUNTER} de cartas do alvo", who="target")
@G.rule("vp", "REMOVER <atmost:n> {COUNTER} de uma de suas cartas", who="self")
def _remove_any_counter(parse: Parse, n: int, who: str) -> Part:
    amount: Any = n if who == "target" else [0, n]
    return do({"op": "remove_counter", "counter": "chosen", "from": {"cards_of": who}, "n": amount})


@G.rule("vp", "REMOVER todos os {MARKER} [<ofwho:w>]")
def _remove_all_markers(parse: Parse, w: Any = None) -> Part:
    return do({"op": "remove_marker", "marker": "all", "from": w or SUBJECT})


@G.rule("vp", "REMOVER <num:n> {MARKER}")
def _remove_some(parse: Parse, n: int) -> Part:
    return do({"op": "remove_marker", "marker": "chosen", "from": SUBJECT, "n": n})


@G.rule("vp", "(ADICIONAR | COLOCAR) <num:n> <counter:c> (a | em | neste | nesta) [esta] (carta | ela)", "ADICIONAR <num:n> <counter:c>")
def _add_counter(parse: Parse, n: int, c: str) -> Part:
    return do({"op": "add_counter", "counter": c, "to": "this", "n": n})


@G.rule("vp", "REMOVER <num:n> <counter:c> desta carta")
def _remove_counter(parse: Parse, n: int, c: str) -> Part:
    return do({"op": "remove_counter", "counter": c, "from": "this", "n": n})


@G.rule("vp", "REMOVER todos os <counter:c> desta carta")
def _remove_counters(parse: Parse, c: str) -> Part:
    return do({"op": "remove_counter", "counter": c, "from": "this", "n": "all"})


@G.rule("vp", "ADICIONAR <num:n> <counter:c> a <selected:s> [com <tag:t>]", "ADICIONAR <num:n> <counter:c> a um {COMPANION} com <tag:t> no seu time")
def _add_counter_selected(parse: Parse, n: int, c: str, s: dict[str, Any] | None = None, t: str | None = None) -> Any:
    both = merged(s or {"chars": "allies", "kind": "Companion"}, {"tag": t} if t else None)
    return REFUSE if both is REFUSE else do({"op": "add_counter", "counter": c, "to": "target", "n": n}, requires=_target(both))


# --------------------------------------------------------------------------------------------------------------- movement


def _move(who: Any, n: Any, unit: str, **more: Any) -> Part:
    return do({"op": "move_piece", "who": who, "mode": "walk", "n": n, "unit": unit, **more})


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


@G.rule("vp", "<mover> o alvo para uma casa adjacente")
def _push_any(parse: Parse) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": 1, "dir": "chosen"})


@G.rule("vp", "<mover> o alvo ate <num:n> casas de distancia")
def _push_far(parse: Parse, n: int) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": [0, n], "dir": "chosen"})


@G.rule("vp", "<mover> (-o | o alvo) uma casa para tras na [mesma] direcao (do ataque | da acao)")
def _push_back(parse: Parse) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": 1, "dir": "action_direction"})


@G.rule("vp", "<mover> a sua peca para a casa do tabuleiro selecionada")
def _teleport(parse: Parse) -> Part:
    return do({"op": "move_piece", "who": "self", "mode": "place", "to": "target"})


# ------------------------------------------------------------------------------------------------------------------- cards


@G.rule("some", "<num:n> <cards:c> [<fromzone:z>]")
@G.rule("some", "<num:n> <cards:c> [<fromzone:z>] <ofwho:w>")
@G.rule("some", "<num:n> (carta | cartas) [de recurso] [<fromzone:z>]")
@G.rule("some", "<num:n> (carta | cartas) <fromzone:z> <ofwho:w>")
def _some(parse: Parse, n: int, c: dict[str, Any] | None = None, z: str | None = None, w: Any = None) -> Any:
    both = merged({"zone": z} if z else None, c)
    return REFUSE if both is REFUSE else {**both, **({"of": w} if w else {}), "n": n}


def _by(op: dict[str, Any]) -> dict[str, Any]:
    """Mark who chooses: the one told to act."""
    return {**op, "by": SUBJECT}


@G.rule("vp", "ENVIAR <some:s> <tozone:z> [do mesmo]")
def _send(parse: Parse, s: dict[str, Any], z: str) -> Any:
    if "zone" not in s:
        return REFUSE
    return do(_by({"op": "move_card", "cards": {"of": SUBJECT, **s}, "to": z}))


@G.rule("vp", "DESCARTAR <some:s>", to="discard")
@G.rule("vp", "ENTERRAR <some:s>", to="deck_bottom")
def _throw(parse: Parse, s: dict[str, Any], to: str) -> Part:
    return do(_by({"op": "move_card", "cards": {"of": SUBJECT, **s}, "to": to}))


@G.rule("itself", "esta carta")
@G.rule("itself", "este {COMPANION}", "esta {SKILL}", "este {ITEM}")
def _itself(parse: Parse) -> str:
    return "this"


@G.rule("itself", "-a", "-la", "ela")
def _it(parse: Parse) -> Any:
    words = [t.text for t in parse.tokens]
    return "this" if any(a == "esta" and b == "carta" for a, b in zip(words, words[1:], strict=False)) else REFUSE


@G.rule("vp", "ENVIAR <itself:c> [<fromzone:f>] <tozone:z>")
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
@G.rule("vp", "ADICIONAR <bonus:n> [de bonus] (ao | a um | em um) teste [rolado]", q="check.bonus", until="this_check")
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


# -------------------------------------------------------------------------------------------------------------------- turns


@G.rule("vp", "encerrar o [seu] turno [imediatamente]", "encerre o [seu] turno [imediatamente]")
def _end_turn(parse: Parse) -> Part:
    return do({"op": "end_turn", "who": "self"})


@G.rule("vp", "PERDER o [seu] proximo turno", "PERDER seu proximo turno")
def _skip(parse: Parse) -> Part:
    return do({"op": "skip_turn", "who": SUBJECT})


@G.rule("vp", "COMECAR [o | os] (seu proximo turno | seus proximos turnos) com <signed:n> de {AP}")
def _less_ap(parse: Parse, n: int) -> Part:
    return do({"op": "mod", "q": "ap.start_of_turn", "add": n, "on": SUBJECT, "until": "end_of_target_next_turn"})


@G.rule("vp", "SE TORNAR o alvo [do ataque]", "se TORNAR o alvo [do ataque]", "se tornar o alvo do ataque")
def _become_target(parse: Parse) -> Part:
    return do({"op": "redirect", "attack": "current", "to": SUBJECT})


@G.rule("vp", "ADORMECER o {ENTITY} do alvo")
def _sleep(parse: Parse) -> Part:
    return do({"op": "sleep_entity", "who": "target"})


@G.rule("vp", "(OLHAR | ver | veja) (o {INV} | as cartas no {INV} | as cartas do {INV}) (do alvo | de outro heroi | de outro personagem)")
def _look(parse: Parse) -> Part:
    named = parse.tokens[-1].text
    needs = [] if named == "alvo" else _target({"chars": "others", "kind": "Hero"})
    return do({"op": "reveal", "cards": {"zone": "inventory", "of": "target"}, "to": "self"}, requires=needs)


@G.rule("vp", "SELECIONAR <selected:s>")
def _select(parse: Parse, s: dict[str, Any]) -> Part:
    return {"requires": _target(s)}


@G.rule("vp", "PUXAR uma carta de um baralho que voce SER dono")
def _draw(parse: Parse) -> Part:
    return do({"op": "draw", "deck": "own_chosen", "n": 1})

"""Wording of instructions."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.wording import (
    DECK_MACROS,
    NoWording,
    Pair,
    clause,
    counted,
    duration,
    english_amount,
    from_deck,
    group,
    need,
    of_whom,
    only,
    plain,
    signed,
    some_cards,
    subject,
    to_whom,
    to_zone,
)
from apotheosis.env.cards.text.wording_mods import modifier
from apotheosis.env.cards.text.wording_needs import state

Op = dict[str, Any]

_GROUPS = ("allies", "enemies", "all", "others", "other_allies")

# ----------------------------------------------------------------------------------------------------------- instructions


def _heal(op: Op) -> Pair:
    only(op, "op", "to", "n")
    who = of_whom(op.get("to", "self"))
    if op["n"] == "last.damage":
        return f"cure {who[0]} uma quantidade de {{HP}} igual ao {{DMG}} causado", f"heal the damage caused to {who[1]}"
    if op["n"] == "all":
        return f"cure toda a {{HP}} {who[0]}", f"heal all HP of {who[1]}"
    n = plain(op["n"])
    return f"cure {n} de {{HP}} {who[0]}", f"heal {english_amount(n)} HP of {who[1]}"


_COLOURS = ("YELLOW", "RED", "BLUE", "WHITE", "BLACK")


def _gain(op: Op) -> Pair:
    only(op, "op", "to", "n", "res")
    if op["n"] == "all":
        need(op["res"] == "SP" and op.get("to", "self") == "self")
        return "recupere toda a sua {SP}", "recover all your SP"
    res, n, who = op["res"], op["n"], of_whom(op.get("to", "self"))
    need(isinstance(n, int) and not isinstance(n, bool) and n > 0)
    if isinstance(res, list):
        need(res in (["SP", "MP"], ["MP", "SP"]))
        return (
            f"recupere {n} de {{{res[0]}}} e/ou {{{res[1]}}} {who[0]}",
            f"{clause(who[1], 'recovers')} {n} {res[0]} and/or {res[1]}",
        )
    need(res in ("SP", "MP", "AP", *_COLOURS))
    return f"recupere {n} de {{{res}}} {who[0]}", f"{clause(who[1], 'recovers')} {n} {res.title() if res in _COLOURS else res}"


def _lose(op: Op) -> Pair:
    only(op, "op", "who", "n")
    n, who = plain(op["n"]), of_whom(op.get("who", "self"))
    return f"remova {n} de {{HP}} {who[0]}", f"{clause(who[1], 'loses')} {english_amount(n)} HP"


def _harm(op: Op) -> Pair:
    only(op, "op", "to", "n")
    n, who = plain(op["n"]), to_whom(op["to"])
    need(op["op"] == "deal_damage" or isinstance(op["n"], int))
    word = ("{DMG}", "damage") if op["op"] == "deal_damage" else ("{INJURY}", "Injury")
    return f"cause {n} de {word[0]} {who[0]}", f"cause {english_amount(n)} {word[1]} to {who[1]}"


def _spend(op: Op) -> Pair:
    only(op, "op", "who", "energy", "n", "res")
    who, n = of_whom(op.get("who", "self")), op["n"]
    need(isinstance(n, int))
    if op.get("res") == "AP":
        need("energy" not in op and op.get("who") not in (None, "self"))
        name = subject(op["who"])
        return f"{name[0]} paga {n} de {{AP}}", f"{clause(name[1], 'pays')} {n} AP"
    energy = need(op.get("energy"))
    need(energy in (["SP"], ["MP"], ["SP", "MP"], ["MP", "SP"]) and "res" not in op)
    words = " e/ou ".join(f"{{{one}}}" for one in energy)
    return f"consuma {n} de {words} {who[0]}", f"{clause(who[1], 'exhausts')} {n} {' and/or '.join(energy)}"


def _marker(op: Op) -> Pair:
    name = op["marker"]
    if op["op"] == "remove_marker" and name in ("all", "chosen"):
        only(op, "op", "marker", "from", "n")
        who = of_whom(op["from"])
        amount = ("todos os", "all markers") if name == "all" else (plain(op["n"]), counted(op["n"], "marker"))
        need(name == "chosen" or "n" not in op)
        return f"remova {amount[0]} {{MARKER}} {who[0]}", f"remove {amount[1]} of {who[1]}"
    if op["op"] == "remove_marker" and op["from"] == "all":
        only(op, "op", "marker", "from")
        return f"remova todos os {{MARKER_{name}}} do tabuleiro", f"remove every marker {name.title()} from the board"
    need(name.isupper())
    if op["op"] == "add_marker":
        only(op, "op", "marker", "to", "until")
        who = to_whom(op["to"])
        end = duration(op["until"]) if "until" in op else ("", "")
        return (
            f"adicione o {{MARKER_{name}}} {who[0]} {end[0]}".strip(),
            f"put the marker {name.title()} on {who[1]} {end[1]}".strip(),
        )
    only(op, "op", "marker", "from")
    who = of_whom(op["from"])
    return f"remova o {{MARKER_{name}}} {who[0]}", f"remove the marker {name.title()} from {who[1]}"


def _counter(op: Op) -> Pair:
    name, n = op["counter"], op.get("n")
    need(name.isupper())
    if op["op"] == "add_counter":
        only(op, "op", "counter", "to", "n")
        need(op["to"] == "this" and isinstance(n, int))
        return f"adicione {n} {{COUNTER_{name}}} a esta carta", f"put {counted(n, name.title() + ' counter')} on this card"
    only(op, "op", "counter", "from", "n")
    need(op["from"] == "this")
    if n == "all":
        return f"remova todos os {{COUNTER_{name}}} desta carta", f"remove all {name.title()} counters from this card"
    need(isinstance(n, int))
    return f"remova {n} {{COUNTER_{name}}} desta carta", f"remove {counted(n, name.title() + ' counter')} from this card"


_THROWS = {"discard": ("descarte", "discard"), "deck_bottom": ("enterre", "bury"), "banished": ("bana", "banish")}


def _move_card(op: Op) -> Pair:
    only(op, "op", "cards", "to", "by")
    where = op["to"]
    if op["cards"] == "this":
        need("by" not in op)
        if where in _THROWS:
            return f"{_THROWS[where][0]} esta carta", f"{_THROWS[where][1]} this card"
        place = to_zone(where)
        return f"envie esta carta {place[0]}", f"send this card {place[1]}"
    need(isinstance(op["cards"], dict))
    owner = op["cards"].get("of")
    need(owner == op.get("by", "self"))
    chosen = some_cards(op["cards"])
    who = ("", "") if owner == "self" else subject(owner)
    if where in _THROWS:
        words = (f"{_THROWS[where][0]} {chosen[0]}", f"{_THROWS[where][1]} {chosen[1]}")
        told = {"discard": "descartar", "deck_bottom": "enterrar", "banished": "banir"}[where]
        if owner != "self":
            return f"{who[0]} deve {told} {chosen[0]}", f"{who[1]} must {words[1]}"
        return words
    need("zone" in op["cards"])
    place = to_zone(where)
    if owner != "self":
        return f"{who[0]} deve enviar {chosen[0]} {place[0]}", f"{who[1]} must send {chosen[1]} {place[1]}"
    return f"envie {chosen[0]} {place[0]}", f"send {chosen[1]} {place[1]}"


_NEGATED: dict[str, Pair] = {
    "attack": ("negue o ataque", "negate the attack"),
    "activation": ("negue a ativação", "negate the activation"),
    "action": ("negue a ação", "negate the action"),
    "damage": ("negue o {DMG}", "negate the damage"),
    "injury": ("negue a {INJURY}", "negate the Injury"),
    "effect": ("negue o efeito", "negate the effect"),
}


def _negate(op: Op) -> Pair:
    only(op, "op", "what")
    need(op["what"] in _NEGATED)
    return _NEGATED[op["what"]]


def _step(op: Op) -> Pair:
    only(op, "op", "who", "mode", "n", "unit", "dir")
    n: Any = op.get("n")
    who = op["who"]
    if op["mode"] == "walk":
        need(who == "self" and "dir" not in op)
        if op.get("unit") == "tiles" and n == 1:
            return "mova para uma casa adjacente", "move to an adjacent tile"
        need(isinstance(n, list) and n[0] == 0 and isinstance(n[1], int))
        if op.get("unit") == "tiles":
            return f"mova até {n[1]} casas", f"move up to {n[1]} tiles"
        need(op.get("unit") == "distance")
        return f"mova {n[1]}– de distância", f"move up to {n[1]} distance"
    need(op["mode"] == "push" and who == "target" and "unit" not in op)
    if n == 1 and op.get("dir") == "chosen":
        return "mova o alvo para uma casa adjacente", "move the target to an adjacent tile"
    need(n == 1 and op.get("dir") == "action_direction")
    return "mova o alvo uma casa para trás na direção do ataque", "push the target back one tile"


def _splash(op: Op) -> Pair:
    only(op, "op", "damage", "to")
    to = op["to"]
    need(op["damage"] == "this_attack" and isinstance(to, dict) and to.get("pieces") == "within" and to.get("of") == "target")
    n = to["n"]
    need(set(to) == {"pieces", "n", "of"})
    return (
        f"aplique o {{DMG}} desta carta a todas as peças a até {n} casas do alvo",
        f"also deal the damage to every piece within {n} of the target",
    )


def _running(op: Op) -> Pair | None:
    """A bonus to the running attack or check."""
    if set(op) != {"op", "q", "add", "until"}:
        return None
    kind = (op["q"], op["until"])
    n = signed(op["add"])
    words = {
        ("attack.bonus", "this_attack"): ("ao ataque", "to the attack"),
        ("attack.damage", "this_attack"): ("ao {DMG}", "to the damage of the attack"),
        ("check.bonus", "this_check"): ("ao teste", "to the check"),
        ("roll.bonus", "this_roll"): ("a uma rolagem de dados", "to the roll"),
    }.get(kind)
    return None if words is None else (f"adicione {n} {words[0]}", f"add {english_amount(n)} {words[1]}")


def _mod(op: Op) -> Pair:
    running = _running(op)
    if running is not None:
        return running
    need("until" in op)
    return modifier(op)


def _currency(op: Op) -> Pair:
    if op.get("n") == "X" and op.get("from") in DECK_MACROS:
        only(op, "op", "to", "cur", "n", "from")
        need(op.get("to", "self") == "self")
        return (
            f"obtenha a mesma quantidade de {{{op['cur']}}} {from_deck(op['from'])}",
            f"obtain as much {op['cur']} from the {op['from']}",
        )
    only(op, "op", "to", "cur", "n")
    need(op.get("to", "self") == "self" and isinstance(op["n"], int))
    return f"obtenha {op['n']} de {{{op['cur']}}}", f"obtain {op['n']} of {op['cur']}"


def _turned(op: Op) -> Pair:
    only(op, "op", "cards")
    need(op["cards"] == "this")
    return {"exhaust": ("consuma esta carta", "exhaust this card"), "recover": ("recupere esta carta", "recover this card"),
            "reveal": ("revele esta carta", "reveal this card")}[op["op"]]  # fmt: skip


def _search(op: Op) -> Pair:
    only(op, "op", "from", "filter", "n", "to")
    need(op["to"] == "inventory" and isinstance(op["from"], str))
    chosen = some_cards({**op.get("filter", {}), "n": op["n"]})
    return (
        f"adicione {chosen[0]} {from_deck(op['from'])} ao seu {{INV}}",
        f"take {chosen[1]} from the {op['from']} to the inventory",
    )


def _save(op: Op) -> Pair:
    only(op, "op", "who", "hp")
    need(op.get("who") == "self" and op.get("hp") == 1)
    return "obtenha uma <i>Salvação Divina</>", "you are saved with 1 HP"


_SHARED = {
    "heal": "to",
    "lose_hp": "who",
    "deal_damage": "to",
    "deal_injury": "to",
    "add_marker": "to",
    "remove_marker": "from",
}


def _each(op: Op) -> Pair:
    """One instruction for each character of a group: the single wording with the group in the place of the one."""
    only(op, "op", "in", "do")
    if len(op["do"]) > 1:
        return _gains_each(op)
    (inner,) = op["do"]
    key = need(_SHARED.get(inner["op"]))
    need(inner.get(key) == "it")
    whole = group(op["in"])
    one = instruction({**inner, key: "target"})
    need(one[0].count(" do alvo") + one[0].count(" ao alvo") == 1)
    pt = one[0].replace(" do alvo", f" de {whole[0]}").replace(" ao alvo", f" a {whole[0]}")
    return pt, one[1].replace("the target", whole[1])


def _gains_each(op: Op) -> Pair:
    """HP and energy for everybody in a group."""
    amounts = []
    for inner in op["do"]:
        need(inner["op"] in ("heal", "gain") and inner.get("to") == "it" and isinstance(inner["n"], int))
        name = "HP" if inner["op"] == "heal" else inner["res"]
        need(name in ("HP", "SP", "MP"))
        amounts.append((f"{inner['n']} de {{{name}}}", f"{inner['n']} {name}"))
    need(op["do"][0]["op"] == "heal")
    whole = group(op["in"])
    pt = ", ".join(a for a, _ in amounts[:-1]) + " e " + amounts[-1][0]
    en = ", ".join(a for _, a in amounts[:-1]) + " and " + amounts[-1][1]
    return f"cure {pt} de {whole[0]}", f"heal {en} of {whole[1]}"


def instead_of_discard(ops: list[Op], requires: list[dict[str, Any]]) -> Pair | None:
    """Return the wording of a counter that is removed so that a card stays, None for anything else."""
    if len(ops) != 2 or ops[0] != {"op": "negate", "what": "discard"} or ops[1].get("op") != "remove_counter":
        return None
    only(ops[1], "op", "counter", "from", "n")
    counter = ops[1]["counter"]
    need(ops[1]["from"] == "this" and {"if": {"gt": [f"counters(this.{counter})", 0]}} in requires)
    return (
        f"remova {plain(ops[1]['n'])} {{COUNTER_{counter}}} desta carta ao invés",
        f"remove {counted(ops[1]['n'], counter.title() + ' counter')} from this card instead",
    )


def _skip(op: Op) -> Pair:
    only(op, "op", "who")
    need(op["who"] != "self")
    who = subject(op["who"])
    return f"{who[0]} perde o seu próximo turno", f"{clause(who[1], 'loses')} the next turn"


def _revive(op: Op) -> Pair:
    only(op, "op", "who", "hp")
    need(op["who"] == "target" and isinstance(op["hp"], int))
    return f"reviva o alvo em {op['hp']} de {{HP}}", f"revive the target with {op['hp']} HP"


def _draw(op: Op) -> Pair:
    only(op, "op", "n")
    need(isinstance(op.get("n"), int))
    return f"puxe {op['n']} carta" + ("s" if op["n"] > 1 else ""), f"draw {counted(op['n'], 'card')}"


def _redirect(op: Op) -> Pair:
    only(op, "op", "attack", "to")
    need(op.get("attack") == "current" and op["to"] in ("this_char", "self", "target"))
    who = subject(op["to"])
    return f"{who[0]} se torna o alvo do ataque", f"{clause(who[1], 'becomes')} the target of the attack"


def _if(op: Op) -> Pair:
    only(op, "op", "cond", "then")
    cond = outcome(op["cond"])
    then = instructions(op["then"])
    return f"se {cond[0]}, {then[0]}", f"if {cond[1]}, {then[1]}"


def outcome(tree: dict[str, Any]) -> Pair:
    """Return the result of the running attack, or a state, as a condition."""
    if tree == {"caused_injury": "this_attack"}:
        return "este ataque causar {INJURY}", "this attack causes Injury"
    if tree == {"critical": "this_attack"}:
        return "o ataque for um acerto crítico", "this attack is a perfect roll"
    if set(tree) == {"ge"} and isinstance(tree["ge"][1], int):
        left, n = tree["ge"]
        if left == "last.injury":
            return f"este ataque causar {n}✚ de {{INJURY}}", f"this attack causes {n} Injury or more"
        if left == "last.damage":
            return f"este ataque causar {n}✚ de {{DMG}}", f"this attack causes {n} damage or more"
    if tree == {"gt": ["last.damage", 0]}:
        return "este ataque causar {DMG}", "this attack causes damage"
    return state(tree)


def _check(op: Op) -> Pair:
    only(op, "op", "by", "attr", "know", "dc", "fail", "ok")
    need(("fail" in op) != ("ok" in op) and isinstance(op["dc"], int) and "attr" in op)
    who = op.get("by", "self")
    what = f"{{{op['know'].upper()}}} + {{{op['attr']}}}" if "know" in op else f"{{{op['attr']}}}"
    name = f"{op['know']} + {op['attr']}" if "know" in op else op["attr"]
    rest = instructions(op.get("fail") or op.get("ok") or [])
    head = ("realize", "make") if who == "self" else (f"{subject(who)[0]} deve realizar", f"{subject(who)[1]} must make")
    words = ("se falhar", "on a failure") if "fail" in op else ("se bem sucedido", "on a success")
    return (
        f"{head[0]} um teste de ( {what} ➜ {op['dc']} ), {words[0]}, {rest[0]}",
        f"{head[1]} a check ({name}, difficulty {op['dc']}); {words[1]}: {rest[1]}",
    )


_OPS = {
    "heal": _heal, "gain": _gain, "lose_hp": _lose, "deal_damage": _harm, "deal_injury": _harm, "spend": _spend,
    "add_marker": _marker, "remove_marker": _marker, "add_counter": _counter, "remove_counter": _counter,
    "move_card": _move_card,
    "negate": _negate, "move_piece": _step, "splash": _splash, "mod": _mod, "gain_currency": _currency, "exhaust": _turned,
    "recover": _turned, "reveal": _turned, "skip_turn": _skip, "revive": _revive, "draw": _draw, "redirect": _redirect,
    "if": _if,
    "check": _check, "search": _search, "save": _save, "for_each": _each,
}  # fmt: skip


def instruction(op: Op) -> Pair:
    """Return one instruction as a clause that begins with a command or its subject."""
    if op.get("op") not in _OPS:
        raise NoWording
    return _OPS[op["op"]](op)


def instructions(ops: list[Op]) -> Pair:
    """Return several instructions as one clause."""
    need(ops)
    pairs = [instruction(op) for op in ops]
    return ", ".join(pt for pt, _ in pairs), ", ".join(en for _, en in pairs)

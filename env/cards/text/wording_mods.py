"""Wording of modifiers: what they change, for whom, against what and by how many."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.wording import (
    NoWording,
    Pair,
    cards,
    clause,
    duration,
    english_amount,
    from_zone,
    items,
    listing,
    need,
    only,
    oration,
    plain,
    signed,
    subject,
    tag,
)
from apotheosis.env.cards.text.wording_rules import rule

Mod = dict[str, Any]


def attacks(by: Any) -> Pair:
    """Return what kind of attack a bonus counts for, with its preposition."""
    if by is None:
        return "", ""
    need(isinstance(by, dict))
    if by == {"attack": True}:
        return " para ataques", " with attacks"
    if by == {"from_back_or_side": True}:
        return " quando atacando pelas laterais ou costas", " when attacking from the side or the back"
    if by == {"technique": "this"}:
        return " para esta técnica", " with this technique"
    if set(by) == {"attack", "distance_ge"}:
        return f" quando a {by['distance_ge']}✚ de distância", f" at a distance of {by['distance_ge']} or more"
    if set(by) == {"range", "distance_ge"}:
        r = "{" + by["range"].upper() + "}"
        return (
            f" para {r} quando a {by['distance_ge']}✚ de distância",
            f" with {by['range']} attacks from {by['distance_ge']} or more away",
        )
    if "suit" in by:
        need(by["suit"] in ("Item", "Skill"))
        rest = {key: value for key, value in by.items() if key != "suit"}
        word = "{" + by["suit"].upper() + "}"
        if not rest:
            return f" para {word}", f" with {by['suit']} cards"
        need(not set(rest) & {"range"} or set(rest) == {"range"})
        names = listing(items(rest))
        return f" para {word} de {names[0]}", f" with {by['suit']} cards of {names[1]}"
    names = listing(items(by))
    return f" para {names[0]}", f" with {names[1]}"


def taken_from(by: Any) -> Pair:
    """Return the source of damage that a protection counts against."""
    if by is None:
        return "", ""
    if by == {"attack": True}:
        return " de ataques", " from attacks"
    names = listing(items(by))
    return f" de {names[0]}", f" from {names[1]}"


def checks(by: Any) -> Pair:
    """Return what kind of check a bonus counts for."""
    if by is None:
        return "", ""
    if set(by) == {"knowledge", "attr"}:
        need(isinstance(by["attr"], str) and isinstance(by["knowledge"], str))
        return (
            f" de {{{by['knowledge'].upper()}}}, cujo Atributo Base seja {{{by['attr']}}}",
            f" of {by['knowledge']} made with {by['attr']}",
        )
    if set(by) == {"knowledge", "tag"}:
        return f" de {{{by['knowledge'].upper()}}} com {tag(by['tag'])[0]}", f" of {by['knowledge']} with {by['tag']}"
    names = listing(items(by))
    return f" de {names[0]}", f" of {names[1]}"


def _against(mod: Mod) -> Pair:
    tree = mod.get("against")
    if tree is None:
        return "", ""
    need(isinstance(tree, dict))
    if set(tree) == {"no_knowledge"}:
        return (
            f" contra alvos que não possuam {{{tree['no_knowledge'].upper()}}}",
            f" against targets without {tree['no_knowledge']}",
        )
    if set(tree) == {"has_marker"}:
        name = tree["has_marker"]
        return f" contra personagens com {{MARKER_{name}}}", f" against characters with the marker {name.title()}"
    names = listing(items(tree))
    return f" contra {names[0]}", f" against {names[1]}"


def _dealt(mod: Mod) -> Pair:
    n = signed(mod["add"])
    by, against = mod.get("by"), _against(mod)
    need(not (by and against[0]) or set(by or {}) <= {"tag", "any_tag", "any", "knowledge", "craft", "range", "attr"})
    kind = attacks(by)
    return f"{n} de {{DMG}}{kind[0]}{against[0]}", f"{english_amount(n)} damage{kind[1]}{against[1]}"


def _taken(mod: Mod) -> Pair:
    source = taken_from(mod.get("by"))
    if mod.get("mul") == "half":
        need(source[0])
        return f"metade do {{DMG}}{source[0]}", f"half of the damage{source[1]}"
    n = signed(mod["add"])
    return f"{n} de {{DMG}}{source[0]}", f"{n} damage{source[1]}"


_CHECKS: dict[str, Pair] = {"check.bonus": ("testes", "checks"), "roll.bonus": ("rolagens", "rolls")}
_COSTS = {"cost.ap": "{AP}", "cost.sp": "{SP}", "cost.mp": "{MP}"}
_FLAGS: dict[str, Pair] = {
    "rule.flying": (
        "pode usar casas de qualquer terreno e ignora o custo adicional de se mover para uma casa de {ALT} diferente",
        "may use tiles of any terrain and ignore the extra cost of a change of altitude",
    ),
    "rule.amphibious": ("pode mover em casas {AQUA}", "may move in water"),
    "rule.cannot_move": ("não pode se mover", "cannot move"),
    "rule.no_revive": ("não pode ser revivido", "cannot be revived"),
    "rule.ignore_domain": ("ignora áreas de domínio", "ignores domain areas"),
    "rule.cannot_awaken": ("não pode despertar o seu {ENTITY}", "cannot awaken the Entity"),
}


def _flag(mod: Mod) -> Pair | None:
    q, value = mod["q"], mod.get("set")
    if q == "rule.untargetable" and value in ("any_action", "attack") and "by" not in mod:
        what = {"any_action": ("uma ação", "an action"), "attack": ("um ataque", "an attack")}[value]
        return f"não pode ser selecionado como alvo de {what[0]}", f"cannot be selected as the target of {what[1]}"
    if q == "piece.present" and value is False:
        return "não possui peça no tabuleiro", "has no piece on the board"
    if q in _FLAGS and value is True:
        return _FLAGS[q]
    return None


def _bonus(mod: Mod) -> Pair:
    """Return a change that is written as an amount."""
    q = mod["q"]
    if q == "damage.dealt":
        return _dealt(mod)
    if q in _CHECKS:
        n, kind, word = signed(mod["add"]), checks(mod.get("by")), _CHECKS[q]
        return f"{n} em {word[0]}{kind[0]}", f"{english_amount(n)} in {word[1]}{kind[1]}"
    if q.startswith("attr.") and q[5:].isupper():
        n = signed(mod["add"])
        cap = f" até um máximo de {plain(mod['cap'])}" if "cap" in mod else ""
        return f"{n} de {{{q[5:]}}}{cap}", f"{n} {q[5:]}" + (f", up to {mod['cap']}" if cap else "")
    if q == "knowledge":
        by = need(mod.get("by"))
        need(isinstance(by, dict) and set(by) == {"knowledge"} and isinstance(by["knowledge"], str))
        return f"{signed(mod['add'])} de {{{by['knowledge'].upper()}}}", f"{signed(mod['add'])} level of {by['knowledge']}"
    if q == "range.value":
        names = listing(items(need(mod.get("by"))))
        return f"{signed(mod['add'])} de {{RANGE}} para {names[0]}", f"{signed(mod['add'])} range with {names[1]}"
    if q in _COSTS:
        need(isinstance(mod.get("card"), dict))
        kind, n = cards(mod["card"]), signed(mod["add"])
        return f"{n} de {_COSTS[q]} de custo para {kind[0]}", f"{n} {q[5:].upper()} cost of {kind[1]}"
    if q == "attr.max":
        return (
            f"{signed(mod['add'])} para os seus Atributos com o maior valor",
            f"{signed(mod['add'])} to the highest attribute",
        )
    raise NoWording


def per(tree: Any) -> Pair:
    """Return what a bonus is counted by."""
    need(isinstance(tree, dict) and set(tree) == {"count"} and isinstance(tree["count"], dict))
    inner = tree["count"]
    if set(inner) == {"cards"}:
        where = dict(inner["cards"])
        place = from_zone(where.pop("zone", None))
        need(where.pop("of", "self") == "self")
        kind = cards(where) if where else ("carta", "card")
        return f" para cada {kind[0].replace('cartas', 'carta')} {place[0]}", f" for each of the {kind[1]} {place[1]}"
    if set(inner) == {"empty_slots", "of"} and inner["of"] == "self":
        zone = {"support": "{SUPPORT}", "equipment": "{EQUIP}", "memento": "{MEM}"}[inner["empty_slots"]]
        return f" para cada espaço vazio no seu {zone}", f" for each empty {inner['empty_slots']} slot"
    if inner == {"chars": "other_allies"}:
        return " para cada outro personagem do seu time", " for each other character of your team"
    raise NoWording


_KEYS = ("q", "add", "mul", "set", "on", "by", "against", "card", "per", "cap", "op", "until")


def modifier(mod: Mod) -> Pair:
    """Return a modifier as a sentence without its full stop."""
    if "until" not in mod:
        words = rule(mod)
        if words is not None:
            return words
    only(mod, *_KEYS)
    on = mod.get("on", "self")
    end = duration(mod["until"]) if "until" in mod else ("", "")
    tail = per(mod["per"]) if "per" in mod else ("", "")
    who = subject(on)
    if mod["q"] == "damage.taken":
        words = _taken(mod)
        need(set(mod) <= {"q", "add", "mul", "on", "by", "per", "op", "until"})
        return _close(oration(on, f"sofre {words[0]}{tail[0]}"), clause(who[1], f"suffers {words[1]}{tail[1]}"), end)
    flag = _flag(mod)
    if flag is not None:
        need(set(mod) <= {"q", "set", "on", "op", "until"} and not tail[0])
        return _close(oration(on, flag[0]), clause(who[1], flag[1]), end)
    words = _bonus(mod)
    need("set" not in mod and "mul" not in mod and ("cap" not in mod or mod["q"].startswith("attr.")))
    need("card" not in mod or mod["q"].startswith("cost."))
    if mod["q"] == "damage.dealt":
        return _close(oration(on, f"causa {words[0]}{tail[0]}"), clause(who[1], f"deals {words[1]}{tail[1]}"), end)
    if on == "self":
        return _close(f"{words[0]}{tail[0]}", f"{words[1]}{tail[1]}", end)
    return _close(oration(on, f"recebe {words[0]}{tail[0]}"), clause(who[1], f"gets {words[1]}{tail[1]}"), end)


def _close(pt: str, en: str, end: Pair) -> Pair:
    return (f"{pt} {end[0]}".strip(), f"{en} {end[1]}".strip())

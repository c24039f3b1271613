"""Effects with keyword tags: the tags say what is activated, the text what it does."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import Part
from apotheosis.env.cards.text.collection import Collection
from apotheosis.env.cards.text.effect_shape import instructions, moment, option_inside, waits
from apotheosis.env.cards.text.parts import Unreadable


def tagged(collected: Collection) -> None:
    """Turn the parts of a text with keyword tags into effects: the tags decide what kind they are."""
    tags = collected.keywords
    activation = tags.activation or "Activate"
    if collected.timed or collected.slot or collected.host:
        raise Unreadable("a keyword paragraph together with keyword tags")
    if activation == "Permanent" and len(collected.items) > 1:
        for item in collected.items:
            _tagged_effect(collected, activation, [item])
        return
    for item in collected.items[1:]:
        if any(item.get(key) for key in ("trigger", "timings", "limits", "task", "may")) or waits(item):
            raise Unreadable("a sentence with its own moment inside an activation")
    _tagged_effect(collected, activation, collected.items)


def _tagged_effect(collected: Collection, activation: str, items: list[Part]) -> None:
    tags = collected.keywords
    effect: dict[str, Any] = {
        "activation": activation,
        "timings": list(tags.timings),
        "limits": list(tags.limits),
        "scopes": list(tags.scopes),
        "task": tags.task,
        "requires": [],
        "do": [],
        "mods": [],
    }
    until = _tag_needs(collected, effect, activation)
    for place, item in enumerate(items):
        if "piece" in item:
            if set(item["piece"]) - {"before", "after"}:
                raise Unreadable("a keyword paragraph together with keyword tags")
            effect["do"] += item["piece"].get("before", [])
            collected.after += item["piece"].get("after", [])
        else:
            _tag_part(collected, effect, item, activation, until, first=place == 0)
    _fold_outcomes(collected, effect)
    effect["do"] += collected.after
    standing = not effect["timings"] and not waits(effect)
    if activation == "Auto" and standing and effect["mods"] and not effect["do"]:
        effect["activation"] = activation = "Permanent"
        effect["requires"] = [{"while": need["if"]} if "if" in need else need for need in effect["requires"]]
    if activation == "Permanent" and effect["do"] and standing:
        raise Unreadable("an instruction in a Permanent effect")
    if activation != "Permanent" and effect["mods"]:
        raise Unreadable("a standing bonus in an activated effect")
    if activation == "Permanent" and effect["task"] == "Register":
        # a standing effect is never activated: its card is, and counts from the scenario for everybody (R6.7.6, R23.4)
        collected.done.append({**effect, "activation": "Activate", "mods": []})
        mods = [one if "on" in one else {**one, "on": "all"} for one in effect["mods"]]
        effect = {"activation": activation, "scopes": ["Scenario"], "mods": mods}
    last = collected.done[-1] if collected.done else {}
    if activation == "Permanent" and last and {**last, "mods": 0} == {**effect, "mods": 0} and not effect["do"]:
        last["mods"] += effect["mods"]
    else:
        collected.done.append(effect)


def _fold_outcomes(collected: Collection, effect: dict[str, Any]) -> None:
    """What the attack of the card must have done: known only when its text resolves."""
    outcomes = [need["outcome"] for need in collected.needs if "outcome" in need]
    if outcomes and (effect["activation"] != "Activate" or effect["timings"] or effect["mods"] or waits(effect)):
        raise Unreadable("the result of an attack outside an activation that attacks")
    for outcome in outcomes:
        effect["do"] = [{"op": "if", "cond": outcome, "then": effect["do"]}]


def _tag_needs(collected: Collection, effect: dict[str, Any], activation: str) -> Any:
    until = None
    for need in collected.needs:
        if need.get("agent"):
            effect["requires"].append({"if": {"in_turn_of": need["agent"]}})
        effect["requires"] += need.get("requires", [])
        for key in ("timings", "limits", "scopes", "do"):
            effect[key] += [one for one in need.get(key, []) if one not in effect[key]]
        if "cond" in need:
            kind = "while" if activation == "Permanent" else need["cond_kind"]
            effect["requires"].append({kind: need["cond"]})
        if "extra" in need:
            if activation != "Permanent":
                raise Unreadable("a requirement to equip on an activated effect")
            effect["mods"] += need["extra"]
        if need.get("task"):
            if effect["task"]:
                raise Unreadable("two tasks on one effect")
            effect["task"] = need["task"]
        until = need.get("until", until)
    if until is not None:
        effect["requires"].append({"until": until})
    return until


def _tag_part(collected: Collection, effect: dict[str, Any], part: Part, activation: str, until: Any, first: bool) -> None:
    inside = activation == "Activate" and "outcome" in part and part.get("may")
    for key in ("timings", "limits", "scopes", *(() if inside else ("requires",))):
        effect[key] += [one for one in part.get(key, []) if one not in effect[key]]
    if part.get("only"):
        return
    if part.get("task"):
        if effect["task"]:
            raise Unreadable("two tasks on one effect")
        effect["task"] = part["task"]
    if inside:
        option = option_inside(part)
        if option is None:
            raise Unreadable("an option after the result of an attack")
        effect["do"].append(option)
        return
    ops = instructions(part)
    if "cond" in part and activation == "Permanent":
        effect["requires"].append({"while": part["cond"]})
    elif "cond" in part and first and not part.get("may"):
        effect["requires"].append({"if": part["cond"]})
    elif "cond" in part:
        ops = [{"op": "if", "cond": part["cond"], "then": ops}]
    if part.get("place") == "inventory":
        effect["scopes"].append("Hand")
    if "mods" in part:
        _tag_mods(collected, effect, part, activation, until)
    if part.get("may") and not part.get("paid") and activation == "Auto":
        ops = [{"op": "may", "do": ops}]
    effect["do"] += ops


def _tag_mods(collected: Collection, effect: dict[str, Any], part: Part, activation: str, until: Any) -> None:
    if activation == "Permanent":
        if "until" in part:
            raise Unreadable("a Permanent effect with an end")
        effect["mods"] += part["mods"]
        return
    end = part.get("until") or until or moment({"timings": effect["timings"], "requires": effect["requires"]})
    if end is None and activation == "Auto":
        effect["mods"] += part["mods"]
        return
    if end is None:
        raise Unreadable("a bonus of an activation without an end")
    effect["do"] += [{"op": "mod", **m, "until": end} for m in part["mods"]]

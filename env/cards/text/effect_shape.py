"""The finished form of an effect: order of keys, explicit victims, windows that must come before."""

from __future__ import annotations

import re
from typing import Any

from apotheosis.env.cards.text.base import Part
from apotheosis.env.cards.text.parts import Unreadable

_ORDER = ("activation", "timings", "limits", "scopes", "task", "technique", "requires", "do", "mods")
_MOMENTS = {"StartOfBattle": "end_of_battle", "Attacking": "this_attack", "Checking": "this_check", "Rolling": "this_roll"}
_EVENT_MOMENTS = {"attack": "this_attack", "check": "this_check", "check_failed": "this_check"}


def waits(part: Part) -> bool:
    """Whether a part opens in a window of its own."""
    return any("when" in need for need in part.get("requires", []))


def of_technique(mods: list[dict[str, Any]]) -> bool:
    """Tell whether modifiers only concern the technique that carries them."""
    return all(m.get("by") == {"technique": "this"} for m in mods)


def tidy(effect: dict[str, Any]) -> dict[str, Any]:
    """Return an effect with its keys in the language's order and without empty ones."""
    if any(op.get("q") == "injury.taken" or op["op"] == "save" for op in effect.get("do", [])):
        effect = {**effect, "requires": [_before(need) for need in effect.get("requires", [])]}
    if any(op.get("q") == "damage.taken" and op.get("until") == "this_attack" for op in effect.get("do", [])):
        effect = {**effect, "requires": [_before(need, ("damage_taken",)) for need in effect.get("requires", [])]}
    effect = {**effect, "do": _asked_first(effect.get("do", []))}
    if any(event["event"] == "card_discard" for event in _events(effect)):
        effect = {**effect, "do": [one for op in effect["do"] for one in _asked_of_defender(op)]}
    effect = _in_its_window(effect)
    if _replaces_inside(effect):
        effect = {**effect, "requires": [_first(need) for need in effect.get("requires", [])]}
    _knows_its_window(effect)
    effect = _without_loop(effect)
    if _saves_nobody(effect):
        raise Unreadable("the text does not say who is saved")
    kept = {key: effect[key] for key in _ORDER if effect.get(key) not in (None, [], {})}
    return _without_own_choice(_of_actor(_named_in_window(kept)))


def _asked_first(ops: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put "if it has the marker already" before the instruction that gives the marker."""
    out: list[dict[str, Any]] = []
    for op in ops:
        bearer = op["cond"].get("has_marker") if op["op"] == "if" and isinstance(op["cond"], dict) else None
        given = [place for place, one in enumerate(out) if one["op"] == "add_marker" and [one["to"], one["marker"]] == bearer]
        out.insert(given[0] if given else len(out), op)
    return out


def _asked_of_defender(op: dict[str, Any]) -> list[dict[str, Any]]:
    """Let a change of the attack for which a card is discarded ask for its target when it has one: as yet it has none."""
    shaping = op["op"] == "if" and "'target'" in repr(op["cond"]) and not op.get("else")
    if not shaping or any(one["op"] != "mod" or one.get("until") != "this_attack" or "if" in one for one in op["then"]):
        return [op]
    return [{**one, "if": _renamed(op["cond"], "defender")} for one in op["then"]]


def each_victim(effect: dict[str, Any]) -> dict[str, Any] | None:
    """Take from an attack with a blast what it does to "that character" whom it injures, which may be any of its victims.

    Args:
        effect: the activation; the instruction is removed from it.

    Returns:
        The effect that answers each Injury, None where the attack has no blast or asks for no Injury.

    Raises:
        Unreadable: the text asks for something else that the attack has done to one of its victims.
    """
    if not any(op["op"] == "splash" for op in effect["do"]):
        return None
    asked = [
        op for op in effect["do"] if op["op"] == "if" and re.search(r"last\.(injury|damage)|caused_injury", repr(op["cond"]))
    ]
    if not asked:
        return None
    (condition,) = ({key: value} for key, value in asked[0]["cond"].items())
    need = [{"if": {test: ["event.injury", args[1]]}} for test, args in condition.items() if args[0] == "last.injury"]
    if len(asked) > 1 or asked[0].get("else") or not need and condition != {"caused_injury": "this_attack"}:
        raise Unreadable("the text does not say which victim of the blast is meant")
    effect["do"] = [op for op in effect["do"] if op is not asked[0]]
    injured = {"when": {"event": "injury_dealt", "who": "self", "by": {"card": "this"}}}
    # wherever the card is: one that is activated from the hand lies nowhere while its attack runs
    return {"activation": "Auto", "scopes": ["Anywhere"], "requires": [injured, *need], "do": asked[0]["then"]}


_WINDOWS = {"this_check": "Checking", "this_roll": "Rolling"}


def _in_its_window(effect: dict[str, Any]) -> dict[str, Any]:
    """A bonus to a check or roll that is running is activated during one, also where the text names no moment."""
    if (
        effect["activation"] != "Activate"
        or effect.get("timings")
        or any("when" in need for need in effect.get("requires", []))
    ):
        return effect
    ends = [str(op.get("until")) for op in effect.get("do", []) if op["op"] == "mod"]
    windows = {_WINDOWS[end] for end in ends if end in _WINDOWS}
    return {**effect, "timings": sorted(windows)} if windows else effect


_REPLACING = ("negate", "redirect", "save")


def _replaces_inside(effect: dict[str, Any]) -> bool:
    """Whether an instruction inside another one replaces what the window is about; on the surface it opens it before anyway."""
    ops = effect.get("do", [])
    told = repr([op for op in ops if op["op"] not in _REPLACING])
    return any(f"'op': '{name}'" in told for name in _REPLACING)


def _first(need: dict[str, Any]) -> dict[str, Any]:
    event = need.get("when")
    if not isinstance(event, dict) or event["event"] in ("attack", "card_activated"):
        return need
    return {"when": {**event, "phase": event.get("phase", "before")}}


def _events(effect: dict[str, Any]) -> list[dict[str, Any]]:
    return [need["when"] for need in effect.get("requires", []) if isinstance(need.get("when"), dict)]


def _knows_its_window(effect: dict[str, Any]) -> None:
    """Refuse an effect that speaks of a card or of damage that no window of it has brought."""
    told = repr([effect.get("requires"), effect.get("do")])
    events = _events(effect)
    if "level(event.card)" in told and not any("card" in event for event in events):
        raise Unreadable("the text does not say which card is meant")
    early = {"Attacking", "Attacked", "Selected"} & set(effect.get("timings", ())) or any(
        e["event"] == "attack" for e in events
    )
    if early and re.search(r"'critical'|caused_injury|last\.(injury|damage)|roll\.(main|total)", repr(effect.get("do"))):
        raise Unreadable("the text asks for the result of an attack that is not rolled yet")
    if "event.damage" in repr(effect.get("do")) and not any(event["event"] == "damage_taken" for event in events):
        raise Unreadable("the text does not say which damage is meant")


def _without_loop(effect: dict[str, Any]) -> dict[str, Any]:
    """Damage that mirrors damage must not answer itself."""
    mirrors = "'deal_damage'" in repr(effect.get("do")) and "'event.damage'" in repr(effect.get("do"))
    if not mirrors:
        return effect
    return {
        **effect,
        "requires": [
            {"when": {**need["when"], "not_caused_by": "this"}} if isinstance(need.get("when"), dict) else need
            for need in effect["requires"]
        ],
    }


_NAMED_ONE = re.compile(r"event\.who\b")


def _named_in_window(effect: dict[str, Any]) -> dict[str, Any]:
    """Settle whom a pronoun means: the window has named one character, which need not be the one who acts in it."""
    events = [need["when"] for need in effect.get("requires", []) if isinstance(need.get("when"), dict)]
    if len(events) != 1 or "event.who" not in repr(effect.get("do")):
        return effect
    (event,) = events
    if event.get("attacker") not in (None, "self", "this_char", "host_hero"):
        raise Unreadable("the text does not say which of two characters is meant")
    if "target" not in event or "who" in event:
        return effect
    return {**effect, "do": _replaced(effect["do"])}


def _replaced(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _replaced(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_replaced(value) for value in tree]
    return _NAMED_ONE.sub("event.target", tree) if isinstance(tree, str) else tree


_OWNER = (None, "self", "host_hero")
_SUFFERED = ("damage.taken", "injury.taken")


def _of_actor(effect: dict[str, Any]) -> dict[str, Any]:
    """Name whose roll or damage a bonus changes in a window about somebody else; without a name it is the owner's.

    On a Companion the owner is its Hero, so that the piece itself is somebody else.
    """
    events = [need["when"] for need in effect.get("requires", []) if isinstance(need.get("when"), dict)]
    if len(events) != 1 or "do" not in effect:
        return effect
    (event,) = events
    kind, doer, sufferer = event.get("event"), event.get("who"), event.get("target")
    roles: dict[str, Any] = {}
    if kind in ("check", "check_failed") and doer not in _OWNER:
        roles = {"check": doer, "roll": doer}
    elif kind in ("damage_taken", "injury_taken") and doer not in _OWNER:
        roles = dict.fromkeys(_SUFFERED, doer)
    elif kind == "attack" and (doer, sufferer) != (None, None):
        roles = {"attack": doer, "damage.taken": sufferer}
        roles = {q: who for q, who in roles.items() if who is None or who not in _OWNER}
    named = {
        q: "this_char" if who == "this_char" else "event.target" if (kind, q) == ("attack", "damage.taken") else "event.who"
        for q, who in roles.items()
    }
    return {**effect, "do": [_assigned(op, named) for op in effect["do"]]}


def _assigned(op: dict[str, Any], roles: dict[str, str]) -> dict[str, Any]:
    if op["op"] != "mod" or "on" in op or op.get("until") not in ("this_attack", "this_check", "this_roll"):
        return op
    role = roles.get(op["q"]) or roles.get(op["q"].split(".")[0])
    return op if role is None else {**op, "on": role}


def _saves_nobody(effect: dict[str, Any]) -> bool:
    """Whether the owner is saved in a window about the death of somebody else."""
    owner = ("self", "this_char", "host_hero")
    deaths = [need["when"] for need in effect.get("requires", []) if need.get("when", {}).get("event") == "death"]
    saved = [op for op in effect.get("do", []) if op["op"] == "save" and op.get("who") in owner]
    return bool(saved) and any(event.get("who") not in owner for event in deaths)


_VICTIMS = {
    "damage_taken": "event.who",
    "injury_dealt": "event.target",
    "attack": "event.target",
    "attack_resolved": "event.target",
}


def explicit_victim(effect: dict[str, Any]) -> dict[str, Any]:
    """Name the target of the attack that opened a window; `target` alone means the one the effect itself has selected."""
    needs = effect.get("requires", [])
    if any("target" in need for need in needs):
        return effect
    victim = "event.target" if "Attacking" in effect.get("timings", []) else None
    for need in needs:
        if isinstance(need.get("when"), dict):
            victim = _VICTIMS.get(need["when"].get("event"), victim)
    if victim is None:
        return effect
    kept = {key: value for key, value in effect.items() if key != "do"}
    return {**kept, "do": _renamed(effect.get("do", []), victim)}


def _renamed(tree: Any, victim: str) -> Any:
    if isinstance(tree, dict):
        return {key: _renamed(value, victim) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_renamed(value, victim) for value in tree]
    if tree == "target":
        return victim
    return tree.replace("(target,", f"({victim},") if isinstance(tree, str) else tree


def _before(need: dict[str, Any], events: tuple[str, ...] = ("injury_taken", "death")) -> dict[str, Any]:
    """A program that changes DMG or an Injury or prevents a death must come before it."""
    event = need.get("when")
    if isinstance(event, dict) and event.get("event") in events:
        return {"when": {**event, "phase": "before"}}
    return need


def _without_own_choice(tree: Any) -> Any:
    """Drop `by: self` and `who: self`: the owner of an effect chooses and draws by default."""
    if isinstance(tree, dict):
        own = ("self", "this_char")
        drop = {"move_card": "by", "draw": "who"}.get(str(tree.get("op")))
        return {key: _without_own_choice(value) for key, value in tree.items() if key != drop or value not in own}
    return [_without_own_choice(value) for value in tree] if isinstance(tree, list) else tree


def moment(part: Part) -> str | None:
    """Return how long a bonus lasts that a window gives, None where the window is no action."""
    for timing in part.get("timings", []):
        if timing in _MOMENTS:
            return _MOMENTS[timing]
    for need in part.get("requires", []):
        event = need.get("when", {}).get("event")
        if event in _EVENT_MOMENTS:
            return _EVENT_MOMENTS[event]
    return None


def instructions(part: Part) -> list[dict[str, Any]]:
    """Return the instructions of a part with its duration and its condition on the attack folded in."""
    ops = list(part.get("do", []))
    if "until" in part:
        ops = [_lasting(op, part["until"]) for op in ops]
    if "outcome" in part:
        ops = [{"op": "if", "cond": part["outcome"], "then": ops}]
    return ops


def option_inside(part: Part) -> dict[str, Any] | None:
    """Return what a part with an outcome of the attack lets the owner do, None where it is no such option.

    What has to be paid for it is paid then; a selection of its own would be a second target.
    """
    if not part.get("may") or set(part) - {"do", "may", "paid", "told", "outcome", "requires"}:
        return None
    needs = part.get("requires", [])
    if any(set(need) != {"pay"} or "n" in need["pay"] and need["pay"]["n"] == "X" for need in needs):
        return None
    paid = {"pay": [need["pay"] for need in needs]} if needs else {}
    option = {"op": "may", **paid, "do": instructions({"do": part["do"]})}
    return {"op": "if", "cond": part["outcome"], "then": [option]}


def _lasting(op: dict[str, Any], until: Any) -> dict[str, Any]:
    if op["op"] not in ("mod", "add_marker") or "until" in op:
        raise Unreadable("an instruction that cannot last")
    return {**op, "until": until}

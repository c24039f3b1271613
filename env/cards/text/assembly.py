"""From parts of sentences to effects: what stands, what is activated, what happens by itself (RULES Appendix C)."""

from __future__ import annotations

import re
from typing import Any

from apotheosis.env.cards.text.base import Part, add_parts
from apotheosis.env.cards.text.collection import Collection
from apotheosis.env.cards.text.effect_shape import (
    each_victim,
    explicit_victim,
    instructions,
    moment,
    of_technique,
    option_inside,
    tidy,
)
from apotheosis.env.cards.text.parts import Unreadable
from apotheosis.env.cards.text.tagged import tagged


class Assembly(Collection):
    """Turns what was collected from one effect text into effects.

    Args:
        context: the card.
        keywords: the tags of the effect.
    """

    def effects(self) -> list[dict[str, Any]]:
        """Return the effects of the text.

        Raises:
            Unreadable: the parts do not add up to effects with a certain meaning.
        """
        if self.blocked:
            return []
        if self.piece is not None:
            self._created()
        if self.keywords.any:
            tagged(self)
        else:
            self._untagged()
        self._known_actor()
        self._known_bearer()
        if self.refused:
            self.done = [effect for effect in self.done if effect["activation"] == "Permanent"]
        self.done = [effect if effect is self.main else explicit_victim(effect) for effect in self.done]
        return [
            tidy(self._placed(self._of_technique(effect)))
            for effect in self.done
            if effect.get("do") or effect.get("mods") or effect.get("task") == "Register"
        ]

    def _known_actor(self) -> None:
        """On a Companion "you" is the Hero (R0.9), but the timings of its card are those of the piece."""
        if self.context.suit != "Companion" or self.context.technique is not None:
            return
        told = {timing for effect in self.done for timing in effect.get("timings", ())} - set(self.keywords.timings)
        if told & _OF_THE_PIECE:
            raise Unreadable("the text does not say whether the piece or its Hero is meant")

    def _known_bearer(self) -> None:
        """A marker that the text gives to the target and takes from nobody named is hardly the owner's."""
        told = repr(self.done)
        for marker in set(re.findall(r"'op': 'add_marker', 'marker': '(\w+)', 'to': 'target'", told)):
            if f"'op': 'remove_marker', 'marker': '{marker}', 'from': 'self'" in told:
                raise Unreadable("the text does not say whose marker is removed")

    def _of_technique(self, effect: dict[str, Any]) -> dict[str, Any]:
        if self.context.technique is None:
            return effect
        return {"technique": self.context.technique, **effect}

    def _placed(self, effect: dict[str, Any]) -> dict[str, Any]:
        """An Event's standing and automatic effects count from the scenario, for everybody (R23.1, R23.4)."""
        if self.context.suit != "Event" or effect["activation"] == "Activate":
            return effect
        if (effect.get("scopes") or ["Scenario"]) != ["Scenario"] or effect.get("task"):
            return effect
        mods = [m if "on" in m or m.get("card") == "this" else {**m, "on": "all"} for m in effect.get("mods", [])]
        if effect["activation"] == "Auto" and effect.get("requires") and not effect.get("scopes"):
            raise Unreadable("an Event's automatic effect without a place")
        return {**effect, "scopes": ["Scenario"], "mods": mods}

    def _permanent(self, mods: list[dict[str, Any]], requires: list[dict[str, Any]], **more: Any) -> None:
        """Add standing modifiers, to the effect before them where that counts under the same conditions."""
        head = {"activation": "Permanent", **({"requires": requires} if requires else {}), **more}
        last = self.done[-1] if self.done else {}
        if {key: value for key, value in last.items() if key != "mods" and value} == head:
            last["mods"] = [*last["mods"], *mods]
        else:
            self.done.append({**head, "mods": list(mods)})

    def _main_effect(self) -> dict[str, Any]:
        """The one unconditional activation of the text; it stands where the text first speaks of it."""
        if self.main is None:
            self.main = {"activation": "Activate", "timings": [], "limits": [], "requires": [], "do": []}
            self.done.append(self.main)
        return self.main

    def _keyword(self, piece: dict[str, Any]) -> None:
        if {"before", "after", "gate"} & set(piece):
            main = self._main_effect()
            main["requires"] += piece.get("gate", [])
            main["do"] += piece.get("before", [])
            self.after += piece.get("after", [])
        for effect in piece.get("effects", ()):
            if effect["activation"] == "Permanent":
                head = {key: value for key, value in effect.items() if key not in ("activation", "mods", "requires")}
                self._permanent(effect["mods"], effect.get("requires", []), **head)
            else:
                self.done.append(effect)

    def _created(self) -> None:
        """A created piece: the sheet that the lines describe, and its removal with the card."""
        if self.refused or not {"name", "kind", "level", "attrs"} <= set(self.sheet):
            raise Unreadable("the sheet of the created piece was not read")
        piece = self.piece or {}
        summon = {"op": "summon_piece", "at": "target", "sheet": self.sheet}
        effect = {
            "activation": "Activate",
            "limits": ["OncePerBattle"],
            "task": piece.get("task"),
            "requires": [{"target": {"tile": "adjacent_empty"}}],
            "do": [summon],
        }
        gone = {"activation": "Auto", "timings": piece["timings"], "do": [{"op": "remove_piece", "who": "summoned_by(this)"}]}
        self.done += [effect, gone]

    # ----------------------------------------------------------------------------------------------------- without keywords

    def _untagged(self) -> None:
        need = self._needs()
        opening: Part | None = None
        paid: dict[str, Any] | None = None
        for item in self.items:
            if opening is not None and "piece" not in item:
                item, opening = add_parts(opening, item), None
            if "piece" in item:
                self._keyword(item["piece"])
            elif item.get("only"):
                main = self._main_effect()
                for key in ("limits", "timings", "requires"):
                    main[key] += item.get(key, [])
            elif "mods" in item and "do" not in item:
                self._standing(item, need)
            elif item.get("trailing") and item["timings"] == ["EndOfBattle"] and (self.main is not None or self._resource()):
                later = {"op": "delayed", "when": "EndOfBattle", "do": instructions(item)}
                self._main_effect()["do"].append(later)
            elif self.context.has_bar and set(item) == {"do", "may"}:
                # a part of what the attack does: the attack is made either way (R6.3.7)
                self._main_effect()["do"].append({"op": "may", "do": instructions(item)})
            elif self.context.has_bar and "outcome" in item and (option := option_inside(item)) is not None:
                # what may be done after its attack is a part of the text of the attack (R9.1.10)
                self._main_effect()["do"].append(option)
            elif item.get("may") or item.get("trigger") or item.get("task"):
                if item.get("do"):
                    self.done.append(self._activated(item, need))
                    plain = item.get("told") and not any(item.get(key) for key in ("trigger", "task", "limits", "agent"))
                    paid = self.done[-1] if plain else None
                else:
                    opening = item
            elif paid is not None:
                self._more(paid, item)
            elif (counted := self._counting(item)) is not None:
                counted["do"] = [*counted["do"], *instructions(item)]
            else:
                self._instruction(item)
        if opening is not None:
            raise Unreadable("an activation without an instruction")
        if self.main is not None:
            self._finish_main(self.main, need)

    def _counting(self, item: Part) -> dict[str, Any] | None:
        """The effect at whose moment a counter of this card goes: "if it has none left" is asked then."""
        ops = item.get("do", [])
        last = self.done[-1] if self.done else {}
        goes = any(op["op"] == "remove_counter" and op.get("from") == "this" for op in last.get("do", []))
        asked = len(ops) == 1 and ops[0]["op"] == "if" and "counters(this." in repr(ops[0]["cond"])
        return last if goes and asked and set(item) == {"do"} and last.get("timings") else None

    def _resource(self) -> bool:
        """Whether the card is spent when it is activated, so that a later moment must be remembered by the activation."""
        return self.context.suit in ("Item", "Event") and self.activates

    def _finish_main(self, main: dict[str, Any], need: Part) -> None:
        declared = self.activates or any(main[key] or need.get(key) for key in ("limits", "timings"))
        if self.context.suit not in ("Item", "Skill", "Event") and self.context.technique is None and not declared:
            raise Unreadable("an instruction without a moment on a card that is not activated")
        if (answer := each_victim(main)) is not None:
            if self.context.technique is not None:
                raise Unreadable("a technique whose blast does more to its victims")
            self.done.append(answer)
        main["do"] += self.after
        for key in ("requires", "limits", "timings"):
            main[key] += need.get(key, [])
        if main["do"] or self.context.has_bar:
            return
        others = [effect for effect in self.done if effect["activation"] == "Activate" and effect is not main]
        if len(others) != 1:
            raise Unreadable("a limit without an effect")
        for key in ("timings", "limits", "requires"):
            others[0][key] = [*main[key], *others[0].get(key, [])]
        self.done.remove(main)

    def _needs(self) -> Part:
        """The requirement strings of an effect without keywords, which may only pay, select or open a window."""
        out: Part = {"requires": []}
        for need in self.needs:
            if {"until", "extra", "outcome"} & set(need):
                raise Unreadable("a requirement that needs an activation keyword")
            if need.get("agent"):
                out["requires"].append({"if": {"in_turn_of": need["agent"]}})
            out["requires"] += need.get("requires", [])
            if "cond" in need:
                out["requires"].append({need["cond_kind"]: need["cond"]})
            for key in ("timings", "limits"):
                out[key] = [*out.get(key, []), *need.get(key, [])]
            out["trigger"] = out.get("trigger") or need.get("trigger")
        return out

    def _standing(self, part: Part, need: Part) -> None:
        """Place modifiers: standing, part of the activation, or a bonus in a window."""
        if part.get("limits") and not part.get("may"):
            self.done.append(_limited(part, need))
            return
        if part.get("may"):
            raise Unreadable("an optional bonus")
        mods, cond = part["mods"], part.get("cond")
        requires = [*need.get("requires", [])]
        if "trigger" in part or "outcome" in part:
            self.done.append(self._momentary(part, requires))
            return
        if "until" in part:
            ops = [{"op": "mod", **m, "until": part["until"]} for m in mods]
            self._main_effect()["do"] += ops if cond is None else [{"op": "if", "cond": cond, "then": ops}]
            return
        targeted = any(m.get("on") in ("target", "attacker") for m in mods)
        if self.timed and cond is None and "inside" not in part:
            raise Unreadable("the text does not say whether this lasts beyond its counters")
        if self.timed and cond == {"gt": ["counters(this.TIME)", 0]} and targeted:
            self._main_effect()["do"] += [{"op": "mod", **m, "until": {"while_counter": ["this", "TIME"]}} for m in mods]
            return
        if targeted and isinstance(cond, dict) and cond.get("has_marker", [""])[0] == "target" and "inside" not in part:
            lost = {"marker_lost": cond["has_marker"]}
            self._main_effect()["do"] += [{"op": "mod", **m, "until": lost} for m in mods]
            return
        if targeted:
            raise Unreadable("a bonus for a target without an end")
        if self.context.technique is not None and (self.context.has_range or self.context.has_bar) and not of_technique(mods):
            raise Unreadable("a bonus of an activated technique without an end")
        mods, cond = _against_target(mods, cond)
        if cond is not None:
            requires.append({"while": cond})
        if part.get("inside"):
            requires.append({"while": part["inside"]})
        scopes = {"scopes": ["Scenario"]} if self.scenario else {}
        if self.scenario:
            mods = [m if "on" in m else {**m, "on": "all"} for m in mods]
        self._permanent(mods, requires, **scopes)

    def _momentary(self, part: Part, requires: list[dict[str, Any]]) -> dict[str, Any]:
        """A bonus that a window gives: it lasts for the action that opened it."""
        end = moment(part)
        if end is None or "cond" in part or "outcome" in part:
            raise Unreadable("a bonus in a window without an end")
        return {
            "activation": "Auto",
            "timings": part.get("timings", []),
            "requires": [*part.get("requires", []), *requires],
            "do": [{"op": "mod", **m, "until": end} for m in part["mods"]],
        }

    def _instruction(self, part: Part) -> None:
        ops = instructions(part)
        if "cond" in part:
            ops = [{"op": "if", "cond": part["cond"], "then": ops}]
        if part.get("inside") or part.get("place"):
            raise Unreadable("an instruction bound to a place")
        main = self._main_effect()
        main["do"] += ops
        for key in ("requires", "limits"):
            main[key] += part.get(key, [])

    def _more(self, effect: dict[str, Any], part: Part) -> None:
        """An instruction after one that is paid for belongs to the same activation."""
        if set(part) - {"do"} or self.main is not None and self.main["do"]:
            raise Unreadable("an instruction after a payment that may not be for it")
        effect["do"] += instructions(part)

    def _activated(self, part: Part, need: Part) -> dict[str, Any]:
        """An effect of its own: an optional use, a paid use, or something that happens in a window."""
        optional = part.get("may") or part.get("task") or part.get("paid")
        requires = [*need.get("requires", []), *part.get("requires", [])]
        if "cond" in part:
            requires.append({"if": part["cond"]})
        if part.get("inside"):
            requires.insert(0, {"while": part["inside"]})
        if part.get("agent"):
            requires.insert(0, {"if": {"in_turn_of": part["agent"]}})
        if "outcome" in part and optional:
            raise Unreadable("an option after the result of an attack")
        ops = instructions(part)
        if not ops:
            raise Unreadable("an activation without an instruction")
        scopes = list(part.get("scopes", []))
        if part.get("place") == "inventory":
            scopes.append("Hand")
        elif part.get("place"):
            requires.append({"if": {"in_zone": ["this", part["place"]]}})
        if self.scenario and (optional or "'self'" in repr([requires, ops])):
            raise Unreadable("an activation in the scenario")
        if self.scenario:
            scopes = ["Scenario"]
        return {
            "activation": "Activate" if optional else "Auto",
            "timings": part.get("timings", []),
            "limits": part.get("limits", []),
            "scopes": scopes,
            "task": part.get("task"),
            "requires": requires,
            "do": ops,
        }


_OF_THE_PIECE = frozenset({"Attacking", "Attacked", "Selected", "Checking", "Rolling"})
_ATTACK_QUANTITIES = ("damage.dealt", "attack.damage", "attack.bonus")


def _against_target(mods: list[dict[str, Any]], cond: Any) -> tuple[list[dict[str, Any]], Any]:
    """A standing bonus that depends on the target counts against such targets; no other state of a target can stand."""
    if not re.search(r"\btarget\b", repr(cond)):
        return mods, cond
    victims, reach = _victims_of(cond), _reach_of(cond)
    if (victims is None) == (reach is None) or any("against" in m or m["q"] not in _ATTACK_QUANTITIES for m in mods):
        raise Unreadable("a standing bonus that depends on a target")
    if reach is not None:
        return [{**m, "by": {**m.get("by", {"attack": True}), **reach}} for m in mods], None
    return [{**m, "against": victims} for m in mods], None


def _victims_of(cond: Any) -> Any:
    """The filter of targets that a state of the target stands for, None where there is none."""
    if not isinstance(cond, dict) or len(cond) != 1:
        return None
    if "has_marker" in cond:
        return {"has_marker": cond["has_marker"][1]} if cond["has_marker"][0] == "target" else None
    if cond == {"entity_awake": "target"}:
        return {"entity_awake": True}
    among = cond.get("control_count", [{}])[0]
    if among == {"chars": "target", "team": "enemy"}:
        return {"chars": "enemies"}
    return {"kind": among["kind"]} if set(among) == {"chars", "kind"} and among["chars"] == "target" else None


def _reach_of(cond: Any) -> dict[str, int] | None:
    """The distance of attacks that a distance of the target stands for, None where there is none."""
    for test, key, more in (
        ("ge", "distance_ge", 0),
        ("gt", "distance_ge", 1),
        ("le", "distance_le", 0),
        ("lt", "distance_le", -1),
    ):
        bounds = cond.get(test) if isinstance(cond, dict) else None
        if bounds is not None and bounds[0] in ("distance(self,target)", "distance(this_char,target)"):
            return {key: bounds[1] + more}
    return None


def _limited(part: Part, need: Part) -> dict[str, Any]:
    """Damage that is lowered once per turn: the first damage of its kind is, before it is taken."""
    mods, requires = part["mods"], need.get("requires", [])
    if set(part) != {"mods", "limits"} or len(mods) != 1 or mods[0]["q"] != "damage.taken" or "on" in mods[0]:
        raise Unreadable("a limited bonus")
    kind = {key: value for key, value in mods[0].items() if key == "by"}
    window = {"when": {"event": "damage_taken", "who": "self", **kind, "phase": "before"}}
    lowered = {key: value for key, value in mods[0].items() if key != "by"}
    return {
        "activation": "Auto",
        "limits": part["limits"],
        "requires": [window, *requires],
        "do": [{"op": "mod", **lowered, "until": "this_attack"}],
    }

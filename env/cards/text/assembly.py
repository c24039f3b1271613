"""From parts of sentences to effects: what stands, what is activated, what happens by itself (RULES Appendix C)."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.actions import NAMED, PATIENT
from apotheosis.env.cards.text.base import SUBJECT, Context, Part, add_parts, substitute
from apotheosis.env.cards.text.effect_shape import EVENT_MOMENTS, MOMENTS, explicit_victim, of_technique, tidy
from apotheosis.env.cards.text.parts import Keywords, Unreadable
from apotheosis.env.cards.text.tagged import tagged


class Assembly:
    """Collects the parts and pieces of one effect text and turns them into effects.

    Args:
        context: the card.
        keywords: the tags of the effect.
    """

    def __init__(self, context: Context, keywords: Keywords):
        self.context = context
        self.keywords = keywords
        self.items: list[Part] = []
        self.needs: list[Part] = []
        self.done: list[dict[str, Any]] = []
        self.main: dict[str, Any] | None = None
        self.after: list[dict[str, Any]] = []
        self.activates = False
        self.scenario = False
        self.host = False
        self.slot: dict[str, Any] | None = None
        self.piece: dict[str, Any] | None = None
        self.sheet: dict[str, Any] = {}
        self.refused = False
        self.blocked = False
        self.timed = False

    # ------------------------------------------------------------------------------------------------------- collecting

    def add(self, part: Part) -> None:
        """Add what a sentence says."""
        self.items.append(self.resolved({**part, **({"inside": self.slot} if self.slot else {})}))

    def require(self, part: Part) -> None:
        """Add what a requirement string says."""
        self.needs.append(self.resolved(part))

    def add_piece(self, piece: dict[str, Any]) -> None:
        """Add what a keyword paragraph says."""
        self.items.append({"piece": self.resolved(piece)})
        self.activates = self.activates or bool({"before", "after"} & set(piece))
        self.timed = self.timed or "gate" in piece
        self.scenario = self.scenario or piece.get("scenario", False)
        self.host = self.host or piece.get("host", False)
        self.slot = piece.get("slot", self.slot)
        self.piece = piece.get("piece", self.piece)

    def host_mods(self, part: Part) -> None:
        """Add a listed modifier of the hosting Hero."""
        if set(part) != {"mods"}:
            raise Unreadable("a listed bonus that is not a modifier")
        mods = [{**m, "on": "host_hero"} for m in part["mods"] if "on" not in m]
        if len(mods) != len(part["mods"]):
            raise Unreadable("a listed bonus with a subject of its own")
        self.items.append({"mods": mods})

    def slot_mods(self, mods: list[dict[str, Any]]) -> None:
        """Add the attribute bonuses of a card in the Entity slot."""
        self.items.append({"mods": mods, "cond": self.slot})

    def piece_line(self, line: dict[str, Any]) -> None:
        """Add a line of the sheet of a created piece."""
        if "technique" in line:
            self.sheet.setdefault("techniques", []).append(line["technique"])
        else:
            self.sheet.update(line)

    def resolved(self, part: Part) -> Part:
        """Fill in the subject of imperatives, and the patient where the card leaves no doubt about it."""
        technique = self.context.technique is not None
        subject = "this_char" if technique else "self"
        part = substitute(part, SUBJECT, subject)
        if NAMED in repr(part):
            raise Unreadable("the text does not say which character is meant")
        if PATIENT in repr(part):
            if self.context.has_range:
                raise Unreadable("the text does not say whom this helps")
            part = substitute(part, PATIENT, subject)
        return part

    # -------------------------------------------------------------------------------------------------------- assembling

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
        if self.refused:
            self.done = [effect for effect in self.done if effect["activation"] == "Permanent"]
        self.done = [effect if effect is self.main else explicit_victim(effect) for effect in self.done]
        return [
            tidy(self._placed(self._of_technique(effect))) for effect in self.done if effect.get("do") or effect.get("mods")
        ]

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
                later = {"op": "delayed", "when": "EndOfBattle", "do": self.instructions(item)}
                self._main_effect()["do"].append(later)
            elif item.get("may") or item.get("trigger") or item.get("task"):
                if item.get("do"):
                    self.done.append(self._activated(item, need))
                else:
                    opening = item
            else:
                self._instruction(item)
        if opening is not None:
            raise Unreadable("an activation without an instruction")
        if self.main is not None:
            self._finish_main(self.main, need)

    def _resource(self) -> bool:
        """Whether the card is spent when it is activated, so that a later moment must be remembered by the activation."""
        return self.context.suit in ("Item", "Event") and self.activates

    def _finish_main(self, main: dict[str, Any], need: Part) -> None:
        declared = self.activates or any(main[key] or need.get(key) for key in ("limits", "timings"))
        if self.context.suit not in ("Item", "Skill", "Event") and self.context.technique is None and not declared:
            raise Unreadable("an instruction without a moment on a card that is not activated")
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
            if "until" in need or "extra" in need:
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
        if part.get("may") or part.get("limits"):
            raise Unreadable("an optional or limited bonus")
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
        if self.timed and cond == {"gt": ["counters(this.TIME)", 0]} and targeted:
            self._main_effect()["do"] += [{"op": "mod", **m, "until": {"while_counter": ["this", "TIME"]}} for m in mods]
            return
        if targeted:
            raise Unreadable("a bonus for a target without an end")
        if self.context.technique is not None and (self.context.has_range or self.context.has_bar) and not of_technique(mods):
            raise Unreadable("a bonus of an activated technique without an end")
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
        moment = self.moment(part)
        if moment is None or "cond" in part or "outcome" in part:
            raise Unreadable("a bonus in a window without an end")
        return {
            "activation": "Auto",
            "timings": part.get("timings", []),
            "requires": [*part.get("requires", []), *requires],
            "do": [{"op": "mod", **m, "until": moment} for m in part["mods"]],
        }

    def moment(self, part: Part) -> str | None:
        """Return how long a bonus lasts that a window gives, None where the window is no action."""
        for timing in part.get("timings", []):
            if timing in MOMENTS:
                return MOMENTS[timing]
        for need in part.get("requires", []):
            event = need.get("when", {}).get("event")
            if event in EVENT_MOMENTS:
                return EVENT_MOMENTS[event]
        return None

    def instructions(self, part: Part) -> list[dict[str, Any]]:
        """Return the instructions of a part with its duration and its condition on the attack folded in."""
        ops = list(part.get("do", []))
        if "until" in part:
            ops = [self._lasting(op, part["until"]) for op in ops]
        if "outcome" in part:
            ops = [{"op": "if", "cond": part["outcome"], "then": ops}]
        return ops

    def _lasting(self, op: dict[str, Any], until: Any) -> dict[str, Any]:
        if op["op"] not in ("mod", "add_marker") or "until" in op:
            raise Unreadable("an instruction that cannot last")
        return {**op, "until": until}

    def _instruction(self, part: Part) -> None:
        ops = self.instructions(part)
        if "cond" in part:
            ops = [{"op": "if", "cond": part["cond"], "then": ops}]
        if part.get("inside") or part.get("place"):
            raise Unreadable("an instruction bound to a place")
        main = self._main_effect()
        main["do"] += ops
        for key in ("requires", "limits"):
            main[key] += part.get(key, [])

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
        ops = self.instructions(part)
        if not ops:
            raise Unreadable("an activation without an instruction")
        scopes = list(part.get("scopes", []))
        if part.get("place") == "inventory":
            scopes.append("Hand")
        elif part.get("place"):
            requires.append({"if": {"in_zone": ["this", part["place"]]}})
        if self.scenario:
            raise Unreadable("an activation in the scenario")
        return {
            "activation": "Activate" if optional else "Auto",
            "timings": part.get("timings", []),
            "limits": part.get("limits", []),
            "scopes": scopes,
            "task": part.get("task"),
            "requires": requires,
            "do": ops,
        }

"""Compiles the effects of a pool into its record for the rules kernel: programs, standing modifiers, names."""

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from apotheosis.env.cards.compiler.code import Code, Names, Refusal
from apotheosis.env.cards.compiler.effects import Compiled, EffectCompiler
from apotheosis.env.cards.compiler.modifiers import Entry
from apotheosis.env.cards.language.effect import TypedEffect
from apotheosis.env.errors import InputError
from apotheosis.env.rules.codes import Trait
from apotheosis.env.vocabulary import Activation, Scope

EFFECTS_OF_A_CARD = 16
"""Effects of one card that the kernel tells apart."""

COPIED = (
    "activation", "technique", "task", "limits", "scopes", "optional", "select", "hears", "when", "condition", "costs",
    "x_max", "filter", "program",
)  # fmt: skip
"""Fields of an effect's row that are those of the compiled effect."""


def refusal(effect: TypedEffect, companion: bool = False, has_bar: bool = False) -> str | None:
    """Says what the kernel cannot do that an effect needs, or None where it runs the effect.

    Args:
        effect: the effect.
        companion: whether it stands on a Companion card.
        has_bar: whether the card's activation makes an attack.
    """
    try:
        EffectCompiler(Code(), Names(lambda name: 0), lambda entry: 0).compile(effect, companion, has_bar)
    except Refusal as reason:
        return f"the rules kernel does not run {reason}"
    except ValidationError:
        return "the rules kernel does not run an amount of this kind"
    return None


_AREAS = {"equipment": "Item", "memento": "Skill", "support": "Companion"}


def misfit(effect: TypedEffect, suit: str) -> str | None:
    """Says what the kernel would do otherwise because of the card that an effect stands on, or None.

    Args:
        effect: an effect that the kernel runs on some card (see `refusal`).
        suit: the suit of the card.
    """
    tree = effect.written()
    for name, inner in _entries(tree):
        if name == "q" and inner == "rule.unique_keyword" and suit != "Companion":
            return f"the rules kernel does not run the limit of one Mount for a card of the suit {suit}"
        if name == "in_turn_of" and inner == "this_char" and suit == "Companion" and effect.technique is None:
            return "the rules kernel does not run what a Companion activates in its own turn without a technique"
        if name == "do" and any(isinstance(step, dict) and _leaves_area(step, suit) for step in inner):
            return "the rules kernel does not run a card in the area of another suit"
    return None


def _leaves_area(step: dict[str, Any], suit: str) -> bool:
    return step.get("op") == "move_card" and step.get("cards") == "this" and _AREAS.get(step.get("to", ""), suit) != suit


def _entries(tree: Any) -> Iterable[tuple[str, Any]]:
    """Yields every key of a plain tree with its value."""
    if isinstance(tree, dict):
        yield from tree.items()
        tree = list(tree.values())
    if isinstance(tree, list):
        for part in tree:
            yield from _entries(part)


class PoolEffects:
    """Writes the effects of a pool into its record.

    Args:
        record: an array of one POOL.
        names: the numbers of tags, markers and counters.
        source: how messages call the cards.
    """

    def __init__(self, record: Any, names: Names, source: str):
        self.record = record
        self.source = source
        self.code = Code()
        self.names = names
        self.effects = 0
        self.entries: list[Entry] = []

    def add(self, number: int, effects: Iterable[TypedEffect], companion: bool, has_bar: bool) -> None:
        """Compiles the effects of one card.

        Args:
            number: the card's number.
            effects: effects that the kernel runs (see `refusal`).
            companion: whether the card is a Companion.
            has_bar: whether the card's activation makes an attack.

        Raises:
            InputError: the card has more effects than the kernel tells apart.
        """
        card = self.record["card"][0][number]
        card["effect_first"] = self.effects
        compiler = EffectCompiler(self.code, self.names, self._place)
        for index, effect in enumerate(effects):
            if index >= EFFECTS_OF_A_CARD or self.effects >= len(self.record["effect"][0]):
                raise InputError("the cards have more effects than a match can hold", self.source)
            self._write(number, index, compiler.compile(effect, companion, has_bar))
        card["effect_n"] = self.effects - card["effect_first"]
        rows = self.record["effect"][0][card["effect_first"] : self.effects]
        free = [row for row in rows if row["activation"] in (Activation.Activate, Activation.Temp) and not row["hears"]]
        if has_bar or any(row["technique"] < 0 for row in free):
            card["traits"] |= Trait.ACTIVATABLE
        if any(row["scopes"] & (1 << Scope.Anywhere) for row in rows):
            card["traits"] |= Trait.ANYWHERE | Trait.FROM_DISCARD
        if any(row["scopes"] & (1 << Scope.DiscardPile) for row in rows):
            card["traits"] |= Trait.FROM_DISCARD

    def _place(self, entry: Entry) -> int:
        self.entries.append(entry)
        return len(self.entries) - 1

    def _write(self, number: int, index: int, compiled: Compiled) -> None:
        row = self.record["effect"][0][self.effects]
        row["card"], row["index"] = number, index
        row["select_n"] = 1 if compiled.select else 0
        row["mod_first"], row["mod_n"] = len(self.entries), len(compiled.standings)
        for entry in compiled.standings:
            self._place(entry)
        for name in COPIED:
            row[name] = int(getattr(compiled, name))
        card = self.record["card"][0][number]
        if 0 <= compiled.technique < card["technique_n"]:
            self.record["technique"][0][card["technique_first"] + compiled.technique]["effect"] = self.effects
        if compiled.bar_costs:
            card["bar_costs"] = compiled.bar_costs
        card["hears"] |= compiled.hears
        if not compiled.hears:
            for entry in compiled.standings:
                card["modifies"] |= 1 << entry.quantity
        self.effects += 1

    def finish(self) -> None:
        """Writes the code and the standing modifiers once all cards are in.

        Raises:
            InputError: the record cannot hold them.
        """
        rows = self.record["standing"][0]
        if len(self.entries) > len(rows):
            raise InputError(f"the cards have {len(self.entries)} modifiers; at most {len(rows)} fit", self.source)
        for row, entry in zip(rows, self.entries, strict=False):
            for name in ("quantity", "attribute", "mode", "low", "high"):
                row[name] = int(getattr(entry, name))
            for name in ("on", "by", "against", "condition", "amount"):
                row[name] = self.code.value(getattr(entry, name))
        words = self.code.words
        if len(words) > self.record["code"].shape[1]:
            raise InputError(f"the effects need {len(words)} words; at most {self.record['code'].shape[1]} fit", self.source)
        self.record["code"][0][: len(words)] = words
        self.record["effects"], self.record["standings"] = self.effects, len(self.entries)
        self.record["words"] = len(words)

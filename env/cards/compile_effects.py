"""Compiles the effects of a pool into its record for the rules kernel: programs, standing modifiers, names."""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any

from pydantic import ValidationError

from apotheosis.env.cards.compiler.code import Code, Names, Refusal
from apotheosis.env.cards.compiler.demands import targets
from apotheosis.env.cards.compiler.effects import Compiled, EffectCompiler
from apotheosis.env.cards.compiler.modifiers import Entry
from apotheosis.env.cards.compiler.quantities import CAMPAIGN
from apotheosis.env.cards.compiler.reads import reads
from apotheosis.env.cards.language.effect import TypedEffect
from apotheosis.env.cards.language.modifiers import Modifier
from apotheosis.env.cards.language.selection import Cards, Source
from apotheosis.env.cards.language.steps_play import Native
from apotheosis.env.cards.language.steps_table import Search, SheetTechnique
from apotheosis.env.cards.scalars import dice_parts
from apotheosis.env.cards.traits import folded
from apotheosis.env.errors import InputError
from apotheosis.env.rules.codes import Trait
from apotheosis.env.rules.opcodes import Need, Select, Who, X
from apotheosis.env.vocabulary import Activation, Attribute, RangeType, Scope, Suit, Task

EFFECTS_OF_A_CARD = 16
"""Effects of one card that the kernel tells apart."""

NAMED = {
    ((X.IT, 0), (X.HOST, 0), (X.EQ, 0)): Who.HOST,
    ((X.IT, 0), (X.THIS_CHAR, 0), (X.EQ, 0)): Who.THIS_CHAR,
}
"""Filters of characters that the kernel knows by name."""

AFAR = (1 << Scope.Hand) | (1 << Scope.DiscardPile) | (1 << Scope.Anywhere)
"""Scopes in which an effect may count though its card does not lie on the table."""

COPIED = (
    "activation", "technique", "task", "limits", "scopes", "optional", "select", "hears", "when", "condition", "costs",
    "x_max", "filter", "program", "blast", "needs",
)  # fmt: skip
"""Fields of an effect's row that are those of the compiled effect."""


def refusal(effect: TypedEffect, companion: bool = False, attacks: bool = False) -> str | None:
    """Says what the kernel cannot do that an effect needs, or None where it runs the effect.

    Args:
        effect: the effect.
        companion: whether it stands on a Companion card.
        attacks: whether its activation makes an attack.
    """
    try:
        EffectCompiler(Code(), Names(lambda name: 0), lambda entry: 0).compile(effect, companion, attacks)
    except Refusal as reason:
        return f"the rules kernel does not run {reason}"
    except ValidationError:
        return "the rules kernel does not run an amount of this kind"
    return None


OWN_TURN = {"in_turn_of": "this_char"}


def as_technique(effect: TypedEffect, number: int) -> TypedEffect | None:
    """Returns what a Companion activates in its own turn as a technique without a bar (R19.6), None for other effects.

    Args:
        effect: an effect of a Companion card outside its techniques.
        number: number that the technique gets.
    """
    if effect.technique is not None or effect.activation != Activation.Activate or effect.task != Task.Absent:
        return None
    tree = effect.written()
    requires = tree.get("requires", [])
    own = [entry for entry in requires if entry.get("if", entry.get("while")) == OWN_TURN]
    if not own:
        return None
    rest = [entry for entry in requires if entry not in own]
    return TypedEffect.model_validate({**tree, "requires": rest, "technique": number})


def misfit(effect: TypedEffect, suit: str) -> str | None:
    """Says what the kernel would do otherwise because of the card that an effect stands on, or None.

    Args:
        effect: an effect that the kernel runs on some card (see `refusal`).
        suit: the suit of the card.
    """
    tree = effect.written()
    for name, inner in _entries(tree):
        if name == "in_turn_of" and inner == "this_char" and suit == "Companion" and effect.technique is None:
            return "the rules kernel does not run this in the own turn of a Companion"
    return None


CAMPAIGN_TEXTS = {"encounter", "combat"}
"""Texts of cards that no deck of a battle holds (ARENA A2.5)."""
SHEET_DECKS = ("tavern", "cradle", "rift")
SHEET_PILES = ("swap_house", "second_house", "fuse_heroes")
"""Primitives that take a House or a Class from a discard pile."""


def idle(effect: TypedEffect) -> str | None:
    """Says why an effect has nothing to do in a battle, or None.

    Args:
        effect: the effect.
    """
    if effect.do and all(isinstance(step, Search) and step.from_ in SHEET_DECKS for step in effect.do):
        return "decks of sheet cards are empty in a battle (R24.4)"
    if any(isinstance(step, Native) and step.name in SHEET_PILES for step in effect.do):
        return "no House and no Class lies in a discard pile in a battle (R24.4, ARENA A2.5)"
    if any(entry.when is not None and _of_campaign(entry.when.card) for entry in effect.requires):
        return "no deck of a battle holds the cards that it waits for (ARENA A2.5)"
    if effect.mods and all(modifier.card is not None and modifier.card.summus == "Daemon" for modifier in effect.mods):
        return "no card is a Daemon (R22.9)"
    if effect.mods and all(modifier.q in CAMPAIGN for modifier in effect.mods):
        return "places are visited between battles only (R17)"
    if effect.mods and all(modifier.by is not None and _of_facing(modifier.by) for modifier in effect.mods):
        return "pieces have no back and no sides (R15.9)"
    return None


def _of_campaign(cards: Cards | None) -> bool:
    """Tells whether a filter lets nothing but cards of travel and campaign combat pass."""
    named = {folded(word) for word in (cards.tag, *(cards.any_tag or []), cards.effect_named) if word} if cards else set()
    return bool(named) and named <= CAMPAIGN_TEXTS


def _of_facing(source: Source) -> bool:
    return bool(source.from_back or source.from_back_or_side)


def _entries(tree: Any) -> Iterable[tuple[str, Any]]:
    """Yields every key of a plain tree with its value."""
    if isinstance(tree, dict):
        yield from tree.items()
        tree = list(tree.values())
    if isinstance(tree, list):
        for part in tree:
            yield from _entries(part)


TEXT_TRAITS = {
    "rule.unique_copy": Trait.UNIQUE_COPY,
    "rule.cannot_detach": Trait.NO_DETACH,
    "rule.free_attach_detach": Trait.FREE_ATTACH,
}


def _write_text(card: Any, modifier: Modifier) -> None:
    """Writes what a modifier says of its own card and the kernel reads as a field of the card."""
    if modifier.q == "piece.present" and modifier.set is False:
        card["traits"] |= Trait.NO_PIECE
    elif modifier.q == "rule.unique_keyword" and modifier.set == "Mount":
        card["traits"] |= Trait.MOUNT
    elif modifier.q in TEXT_TRAITS:
        card["traits"] |= TEXT_TRAITS[modifier.q]
    elif modifier.q == "rule.not_in_support":
        card["traits"] |= Trait.SILLY
    elif modifier.card is not None and modifier.card.card == "this":
        if modifier.q == "requirement.knowledge":
            card["traits"] |= Trait.SIMPLE
        elif modifier.q == "requirement.attr":
            ((name, value),) = modifier.set.items()
            card["needs_attr"], card["needs_value"] = Attribute[name], value


def _write_technique(row: Any, technique: SheetTechnique, first: int) -> None:
    attribute, constant, dice = technique.damage
    row["card"], row["first"], row["action"] = -1, first, technique.ap
    row["has_damage"], row["requires_n"], row["effect"] = 1, 0, -1
    row["damage_attr"] = -1 if attribute is None else Attribute[str(attribute)]
    row["damage_const"] = constant or 0
    if dice is not None:
        row["dice_n"], row["dice_sides"] = dice_parts(str(dice))
    row["range_type"], row["range_attr"], row["range_const"] = RangeType[str(technique.range[0])], -1, technique.range[1]


def _has_no_range(bar: Any) -> bool:
    """Tells whether the row of a card or technique prints no range: an area around its agent is one."""
    return bool(bar["range_const"] == 0 and bar["range_attr"] < 0 and bar["range_type"] != RangeType.Area)


def _is_without_target(effect: TypedEffect, compiled: Compiled) -> bool:
    """Tells whether an effect neither selects anybody nor speaks of a target or of its own attack."""
    spoken = targets(effect.written().get("do", []))
    return compiled.select == Select.NONE and not spoken and not compiled.standings and compiled.blast < 0 and bool(effect.do)


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

    def add(self, number: int, effects: Iterable[tuple[TypedEffect, bool]], companion: bool, has_bar: bool) -> None:
        """Compiles the effects of one card.

        Args:
            number: the card's number.
            effects: effects that the kernel runs (see `refusal`), each with whether it goes on without its card though it
                has no Lingering (R6.9.6).
            companion: whether the card is a Companion.
            has_bar: whether the card's activation makes an attack.

        Raises:
            InputError: the card has more effects than the kernel tells apart.
        """
        card = self.record["card"][0][number]
        card["effect_first"] = self.effects
        compiler = EffectCompiler(self.code, self.names, self._place)
        later: list[Compiled] = []
        index = -1
        for index, (effect, lingering) in enumerate(effects):
            if index >= EFFECTS_OF_A_CARD or self.effects >= len(self.record["effect"][0]):
                raise InputError("the cards have more effects than a match can hold", self.source)
            attacks = has_bar
            if effect.technique is not None:
                technique = self.record["technique"][0][card["technique_first"] + effect.technique]
                attacks = bool(technique["has_damage"]) and effect.technique < card["technique_n"]
            compiled = compiler.compile(effect, companion, attacks, lingering)
            later += compiled.later
            if _is_without_target(effect, compiled):
                self._spare_attack(card, compiled, has_bar)
            self._write(number, index, compiled)
            for modifier in effect.mods:
                _write_text(card, modifier)
        for offset, compiled in enumerate(later):
            self._write(number, index + 1 + offset, compiled)
        card["effect_n"] = self.effects - card["effect_first"]
        rows = self.record["effect"][0][card["effect_first"] : self.effects]
        free = [row for row in rows if row["activation"] in (Activation.Activate, Activation.Temp) and not row["hears"]]
        if has_bar or any(row["technique"] < 0 for row in free):
            card["traits"] |= Trait.ACTIVATABLE
        if all(row["activation"] == Activation.Activate for row in free):
            card["least_ap"] = card["action"]
            card["least_energy"] = card["stamina"] + card["mana"] + card["essence"] if card["suit"] == Suit.Skill else 0
        if any(row["scopes"] & (1 << Scope.Anywhere) for row in rows):
            card["traits"] |= Trait.ANYWHERE | Trait.FROM_DISCARD
        if any(row["scopes"] & (1 << Scope.TeamMember) for row in rows):
            card["traits"] |= Trait.FROM_TEAM
        if any(row["scopes"] & AFAR for row in rows if row["activation"] == Activation.Permanent):
            card["afar"] = 1
        if any(row["scopes"] & (1 << Scope.DiscardPile) for row in rows):
            card["traits"] |= Trait.FROM_DISCARD

    def _spare_attack(self, card: Any, compiled: Compiled, has_bar: bool) -> None:
        """Lets an effect that selects nobody make no attack where the bar of its card or technique has no range (R15.21)."""
        if 0 <= compiled.technique < card["technique_n"]:
            technique = self.record["technique"][0][card["technique_first"] + compiled.technique]
            if _has_no_range(technique):
                technique["has_damage"] = 0
        elif has_bar and _has_no_range(card):
            compiled.needs |= Need.NO_ATTACK

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

    def _write_sheets(self) -> None:
        """Writes the sheets of created pieces as pool cards behind those that decks may hold."""
        row = self.names.first_sheet
        free = int(self.record["techniques"][0])
        for sheet in self.names.sheets:
            if row >= len(self.record["card"][0]) or free + len(sheet.techniques) > len(self.record["technique"][0]):
                raise InputError("the cards create more kinds of pieces than a pool can hold", self.source)
            card = self.record["card"][0][row]
            card["suit"], card["level"] = Suit.Companion, sheet.level
            card["attributes"] = sheet.attrs
            card["value"] = 0 if sheet.hp is None else sheet.hp.number
            card["damage_attr"] = card["range_attr"] = card["needs_attr"] = -1
            card["technique_first"], card["technique_n"] = free, len(sheet.techniques)
            for technique in sheet.techniques:
                _write_technique(self.record["technique"][0][free], technique, card["technique_first"])
                free += 1
            row += 1
        self.record["techniques"] = free

    def _write_reads(self) -> None:
        """Notes what effects and their modifiers change and read, once every value has its place."""
        words, rows = self.code.words, self.record["standing"][0][: len(self.entries)]
        for row in rows:
            row["reads"] = reduce(or_, (reads(words, int(row[name])) for name in ("on", "by", "against", "condition", "keeps")))
        for effect in self.record["effect"][0][: self.effects]:
            own = rows[effect["mod_first"] : effect["mod_first"] + effect["mod_n"]]
            effect["reads"] = reads(words, int(effect["condition"]))
            for row in own:
                effect["modifies"] |= 1 << int(row["quantity"])
                effect["reads"] |= row["reads"] | reads(words, int(row["amount"]))

    def finish(self) -> None:
        """Writes the code, the standing modifiers and the sheets once all cards are in.

        Raises:
            InputError: the record cannot hold them.
        """
        rows = self.record["standing"][0]
        if len(self.entries) > len(rows):
            raise InputError(f"the cards have {len(self.entries)} modifiers; at most {len(rows)} fit", self.source)
        for row, entry in zip(rows, self.entries, strict=False):
            for name in ("quantity", "attribute", "mode", "low", "high", "bound"):
                row[name] = int(getattr(entry, name))
            for name in ("on", "by", "against", "condition", "amount", "keeps"):
                row[name] = self.code.value(getattr(entry, name))
            row["on"] = NAMED.get(tuple(entry.on or ()), row["on"])
        words = self.code.words
        self._write_reads()
        if len(words) > self.record["code"].shape[1]:
            raise InputError(f"the effects need {len(words)} words; at most {self.record['code'].shape[1]} fit", self.source)
        self.record["code"][0][: len(words)] = words
        self._write_sheets()
        self.record["effects"], self.record["standings"] = self.effects, len(self.entries)
        self.record["words"] = len(words)

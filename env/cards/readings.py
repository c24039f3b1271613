"""What the lab makes of each effect of a card: which parts run in a battle, which do not, and why.

Effects of our own files are in the language already; those of the game's database are read by the text reader or
replaced by an override. Whatever is left over is named, never guessed, and leaves its card inert for that effect
(R27.6).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from apotheosis.env.cards import json_file
from apotheosis.env.cards.compile_effects import as_technique, idle, misfit, refusal
from apotheosis.env.cards.language.effect import TextEffect, TypedEffect
from apotheosis.env.cards.overrides_file import Override
from apotheosis.env.cards.schema import Barred, CardBase, Companion
from apotheosis.env.errors import InputError
from apotheosis.env.vocabulary import Timing

EXECUTABLE = "executable"
PARTIAL = "partial"
INERT = "inert"
NOTHING = "nothing_to_do"
STATUSES = (EXECUTABLE, PARTIAL, INERT, NOTHING)


@dataclass(frozen=True)
class Reading:
    """One effect of a card as the lab understands it.

    Args:
        index: number of the effect: those of the card first, then those of its techniques in order.
        technique: number of the technique that carries it, or None.
        status: executable (all of it runs), partial (some of it was read), inert (none), or nothing_to_do in a battle.
        by: where the typed effects come from: "yaml", "reader", "override", or None.
        clause: the part of the text that was not understood, or None.
        reason: why, or None.
        effects: the typed effects that run.
        lingering: whether what it makes goes on without its card though it has no Lingering: a text without keywords (R6.9.6).
    """

    index: int
    technique: int | None
    status: str
    by: str | None = None
    clause: str | None = None
    reason: str | None = None
    effects: tuple[TypedEffect, ...] = ()
    lingering: bool = False

    @property
    def live(self) -> bool:
        """Whether the effect can matter in a battle."""
        return self.status != NOTHING


def effects_of(card: CardBase) -> Iterator[tuple[str, int | None, TypedEffect | TextEffect]]:
    """Yields the effects of a card with their labels (`E0`, `T1.0`) and techniques, in the order of their numbers."""
    for index, effect in enumerate(card.effects):
        yield f"E{index}", effect.technique if isinstance(effect, TypedEffect) else None, effect
    for number, technique in enumerate(card.techniques if isinstance(card, Companion) else ()):
        for index, effect in enumerate(technique.effects):
            yield f"T{number}.{index}", number, effect


def read_card(card: CardBase, overrides: Mapping[tuple[str, str], Override]) -> tuple[Reading, ...]:
    """Returns what each effect of a card means.

    Args:
        card: the card.
        overrides: hand-written meanings of text effects, by card id and label.

    Raises:
        InputError: an override names an effect that the card does not have.
    """
    raw: dict[str, Any] | None = None
    readings = []
    labels = [label for label, _, _ in effects_of(card)]
    for name, label in overrides:
        if name == card.id and label not in labels:
            known = ", ".join(labels) or "none"
            raise InputError(
                f"an override is for effect {label}, which the card does not have; it has {known}", f"card {card.id}"
            )
    for index, (label, technique, effect) in enumerate(effects_of(card)):
        if isinstance(effect, TypedEffect):
            readings.append(_read_typed(card, index, technique, effect))
            continue
        override = overrides.get((card.id, label))
        if override is not None and override.fits(effect):
            reading = _read_override(card, index, technique, override)
            readings.append(replace(reading, lingering=not effect.keywords))
            continue
        raw = json_file.to_json(card.model_copy(update={"effects": _texts(card)})) if raw is None else raw
        reading = _read_text(card, index, technique, effect, raw)
        if override is not None and reading.status in (INERT, PARTIAL):
            reason = "the override was written for another text of this effect"
            reading = Reading(index, technique, INERT, None, reading.clause, reason)
        readings.append(replace(reading, lingering=not effect.keywords))
    return tuple(readings)


def _texts(card: CardBase) -> list[TextEffect]:
    return [effect for effect in card.effects if isinstance(effect, TextEffect)]


def _read_typed(card: CardBase, index: int, technique: int | None, effect: TypedEffect) -> Reading:
    if effect.campaign:
        return Reading(index, technique, NOTHING, "yaml")
    if technique is not None and effect.technique is None:
        effect = effect.model_copy(update={"technique": technique})
    return _compiled(card, index, technique, (effect,), "yaml")


def _read_override(card: CardBase, index: int, technique: int | None, override: Override) -> Reading:
    if not override.effects:
        return Reading(index, technique, NOTHING, "override")
    if override.lacks is not None:
        return Reading(index, technique, PARTIAL, "override", None, f"the override leaves out {override.lacks}")
    effects = override.effects
    if technique is not None:
        effects = tuple(effect.model_copy(update={"technique": technique}) for effect in effects)
    return _compiled(card, index, technique, effects, "override")


def makes_attack(card: CardBase, effect: TypedEffect) -> bool:
    """Tells whether the activation of an effect makes an attack: by the card's bar, or by that of its technique (R9.1.1)."""
    if effect.technique is None:
        return isinstance(card, Barred) and card.damage is not None
    techniques = card.techniques if isinstance(card, Companion) else []
    return effect.technique < len(techniques) and techniques[effect.technique].damage is not None


def _compiled(card: CardBase, index: int, technique: int | None, effects: tuple[TypedEffect, ...], by: str) -> Reading:
    reasons = [idle(effect) for effect in effects]
    bare = [not effect.do and not effect.mods for effect in effects]  # at most it puts the card where it has nothing to do
    if any(reasons) and all(map(any, zip(reasons, bare, strict=True))):
        return Reading(index, technique, NOTHING, by, None, next(filter(None, reasons)))
    effects = tuple(effect for effect, reason in zip(effects, reasons, strict=True) if reason is None)
    if isinstance(card, Companion):
        # numbers behind the printed techniques, one for each effect of the card
        effects = tuple(as_technique(effect, len(card.techniques) + index) or effect for effect in effects)
    for effect in effects:
        reason = refusal(effect, isinstance(card, Companion), makes_attack(card, effect)) or misfit(effect, card.suit_code.name)
        if reason is not None and all(effect.timings == [Timing.EndOfBattle] for effect in effects):
            reason = "a match is decided before End of Battle effects (ARENA A7.1, A7.3)"
            return Reading(index, technique, NOTHING, by, None, reason)
        if reason is not None:
            return Reading(index, technique, INERT, by, None, reason)
    return Reading(index, technique, EXECUTABLE, by, None, None, effects)


def _read_text(card: CardBase, index: int, technique: int | None, effect: TextEffect, raw: dict[str, Any]) -> Reading:
    from apotheosis.env.cards.text.reader import read_effect

    read = read_effect(json_file.effect_to_json(effect), raw, technique)
    clause, reason = read.clause or None, read.reason or None
    if read.status == NOTHING:
        return Reading(index, technique, NOTHING, None, clause, reason)
    if read.status != "read":
        return Reading(index, technique, PARTIAL if read.typed else INERT, None, clause, reason)
    return _compiled(card, index, technique, read.typed, "reader")


def card_status(readings: tuple[Reading, ...]) -> str:
    """Returns the status of a card from those of its effects: the same words, over its live effects."""
    live = [reading.status for reading in readings if reading.live]
    if not live:
        return NOTHING
    if all(status == EXECUTABLE for status in live):
        return EXECUTABLE
    return INERT if all(status == INERT for status in live) else PARTIAL


def totals(cards: Mapping[str, tuple[Reading, ...]]) -> dict[str, int]:
    """Counts cards and effects by what becomes of them.

    Args:
        cards: readings by card id.

    Returns:
        cards, effects, live_effects, read (compiled by the text reader alone), executable (those, overrides and
        effects of our own files), partial, inert, nothing_to_do.
    """
    readings = [reading for card in cards.values() for reading in card]
    counts = {status: sum(reading.status == status for reading in readings) for status in STATUSES}
    return {
        "cards": len(cards),
        "effects": len(readings),
        "live_effects": sum(reading.live for reading in readings),
        "read": sum(reading.status == EXECUTABLE and reading.by == "reader" for reading in readings),
        **counts,
    }

"""What the shape of an effect cannot say: combinations that make no sense, names that nothing binds, effects that can
never run.

Each fault is one sentence. The checks look at one effect; those that need its card are in `card_faults`.
"""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from apotheosis.env.cards.language.amounts import CHOSEN, Amount, Call
from apotheosis.env.cards.language.conditions import Condition
from apotheosis.env.cards.language.names import is_bound_name
from apotheosis.env.vocabulary import Activation, Limit, Suit, Timing

_ROLL_STEPS = {"reroll", "set_die", "add_roll", "set_result"}
_RESPONSES = {"negate", "redirect"}
_COMPANION_TIMINGS = {Timing.ThisCharacterStartPhase, Timing.ThisCharacterEndPhase, Timing.HostHeroStartPhase}
_ELSEWHERE = {Timing.TeammateStartPhase, Timing.TeammateEndPhase, Timing.OpponentStartPhase, Timing.OpponentEndPhase}
_PERMANENT_FORBIDS = {Limit.AllIn, Limit.NoResponse, Limit.NoNegation, Limit.YourTurnOnly}


def walk(value: Any) -> list[Any]:
    """Returns every model, amount, condition and word inside a part of an effect, the part itself first."""
    found: list[Any] = []
    open_parts = [value]
    while open_parts:
        part = open_parts.pop()
        if part is None:
            continue
        found.append(part)
        if isinstance(part, BaseModel):
            open_parts.extend(reversed(list(part.__dict__.values())))
        elif isinstance(part, Condition):
            open_parts.extend(reversed(part.args))
        elif isinstance(part, (list, tuple)):
            open_parts.extend(reversed(part))
        elif isinstance(part, dict):
            open_parts.extend(reversed(list(part.values())))
    return found


def steps(effect: Any) -> list[Any]:
    """Returns every instruction of an effect, those inside others too."""
    return _steps(walk(effect.do))


def _steps(parts: list[Any]) -> list[Any]:
    return [part for part in parts if isinstance(part, BaseModel) and "op" in type(part).model_fields]


class _Parts:
    """What the checks look at: all parts of an effect by where they stand, found once."""

    def __init__(self, effect: Any):
        self.requires, self.do, self.mods = walk(effect.requires), walk(effect.do), walk(effect.mods)

    def words(self) -> Iterator[str]:
        """Yields the words that may name something the program binds."""
        for part in (*self.requires, *self.do, *self.mods):
            if isinstance(part, Amount):
                yield from part.names()
            elif isinstance(part, BaseModel):
                fields = part.__dict__
                for key in ("chars", "card", "tile", "of", "exclude"):
                    word = fields.get(key)
                    if isinstance(word, str) and is_bound_name(word):
                        yield word

    def bound(self) -> set[str]:
        """Returns the names that the program binds."""
        parts = [part for part in (*self.requires, *self.do) if isinstance(part, BaseModel)]
        names = (part.__dict__.get(key) for part in parts for key in ("bind", "missing"))
        return {name for name in names if isinstance(name, str)}


def _chosen(tree: Any) -> bool:
    return tree == CHOSEN or (isinstance(tree, Call) and any(_chosen(argument) for argument in tree.args))


def _shape_faults(effect: Any) -> Iterator[str]:
    permanent = effect.activation == Activation.Permanent
    if effect.campaign:
        if effect.do or effect.mods or effect.requires:
            yield "an effect marked 'campaign' has nothing to do in a battle: it takes no requires, do or mods"
        return
    if permanent and not effect.mods and not effect.do:
        yield "a Permanent effect needs 'mods'"
    if effect.mods and not permanent:
        yield "'mods' belong to Permanent effects; an activation makes modifiers with the instruction 'mod'"
    if permanent and effect.do and not (effect.timings or _whens(effect)):
        yield "a Permanent effect with 'do' needs a timing or a 'when' (R6.2.4)"
    if not permanent and not (effect.do or effect.requires or effect.task or effect.limits):
        yield "the effect does nothing: it needs 'do'"
    if permanent:
        for limit in effect.limits:
            if limit in _PERMANENT_FORBIDS:
                yield f"a Permanent effect is never activated, so it cannot be {limit.name}"


def _whens(effect: Any) -> list[Any]:
    return [entry.when for entry in effect.requires if entry.when is not None]


def _window_faults(effect: Any, parts: _Parts) -> Iterator[str]:
    opened = bool(effect.timings or _whens(effect))
    for step in _steps(parts.do):
        if step.op in _RESPONSES and not opened:
            yield f"'{step.op}' answers something: the effect needs a timing or a 'when'"
        if step.op in _ROLL_STEPS and not opened:
            yield f"'{step.op}' changes a running roll: the effect needs a timing or a 'when'"
    if len(_whens(effect)) > 1:
        yield "an effect has at most one 'when'; use any_of for several events"
    if Limit.YourTurnOnly in effect.limits and effect.timings and set(effect.timings) <= _ELSEWHERE:
        yield "the effect can never run: its timings lie in other turns, and it is limited to your turn"
    if effect.activation == Activation.Auto and not opened:
        yield "an Auto effect needs a timing or a 'when'"


def _name_faults(effect: Any, parts: _Parts) -> Iterator[str]:
    bound = parts.bound()
    for word in parts.words():
        if word not in bound:
            yield f"nothing binds the name {word!r}; bound are: {', '.join(sorted(bound)) or 'none'}"
    payments = [entry.pay for entry in effect.requires if entry.pay is not None]
    chosen = any(isinstance(part, Amount) and _chosen(part.tree) for part in walk(payments))
    if not chosen and any(isinstance(part, Amount) and _chosen(part.tree) for part in (*parts.do, *parts.mods)):
        yield "the amount X is used, but no 'pay' chooses it (n: X)"


def effect_faults(effect: Any) -> Iterator[str]:
    """Yields what is wrong with an effect by itself, one sentence each."""
    parts = _Parts(effect)
    yield from _shape_faults(effect)
    yield from _window_faults(effect, parts)
    yield from _name_faults(effect, parts)


def card_faults(card: Any) -> Iterator[tuple[int, str]]:
    """Yields what is wrong with the typed effects of a card because of the card: index of the effect, sentence.

    Args:
        card: a card model.
    """
    companion = card.suit_code == Suit.Companion
    techniques = len(card.techniques) if companion else 0
    for index, effect in enumerate(card.effects):
        if not hasattr(effect, "do") or effect.campaign:
            continue
        if effect.technique is not None and effect.technique >= techniques:
            yield index, f"the card has {techniques} technique(s), so there is no technique {effect.technique} (from 0)"
            continue
        for timing in effect.timings:
            if timing in _COMPANION_TIMINGS and not companion:
                yield index, f"the timing {timing.name} never comes: only Companions have it"
        if not _has_target(card, effect) and _speaks_of_target(effect):
            yield index, "the effect speaks of 'target', but nothing selects one: add a 'target' or a range to the card"


def _has_target(card: Any, effect: Any) -> bool:
    bar = card.techniques[effect.technique] if effect.technique is not None else card
    if getattr(bar, "damage", None) is not None or getattr(bar, "range", None) is not None:
        return True
    return bool(effect.timings or _whens(effect)) or any(entry.target is not None for entry in effect.requires)


def _speaks_of_target(effect: Any) -> bool:
    for part in (*walk(effect.do), *walk(effect.requires)):
        if isinstance(part, BaseModel) and "target" in (getattr(part, "chars", None), getattr(part, "tile", None)):
            return True
        if isinstance(part, Amount) and _names_target(part.tree):
            return True
    return False


def _names_target(tree: Any) -> bool:
    return tree == "target" or (isinstance(tree, Call) and any(_names_target(argument) for argument in tree.args))

"""Writes effects of two kinds the way the rest of the compiler knows them: Temp, and Permanents that wait for a moment."""

from typing import Any

from apotheosis.env.cards.compiler.code import Refusal
from apotheosis.env.cards.language.effect import TypedEffect
from apotheosis.env.cards.language.instructions import Mod
from apotheosis.env.vocabulary import Activation, Limit, Task, Timing

MOMENTARY = (
    "heal", "gain", "lose_hp", "draw", "delayed", "remove_marker", "move_card", "exhaust", "recover", "add_counter",
    "remove_counter", "deal_damage", "deal_injury", "spend",
)  # fmt: skip
"""Steps of a Temp effect that are done at once: its end says nothing about them."""


def check_ends(effect: TypedEffect, until: Any) -> None:
    """Admits the end of a Temp effect where all that it makes has that end of its own."""
    plain = until.model_dump(exclude_defaults=True)
    for step in effect.do:
        end = getattr(step, "until", None)
        own = None if end is None else end if isinstance(end, str) else end.model_dump(exclude_defaults=True)
        if own is not None and own != plain:
            raise Refusal("a Temp effect with two ends")
        if own is None and step.op not in MOMENTARY:
            raise Refusal("an end of a Temp effect")


def plain_temporary(effect: TypedEffect) -> TypedEffect:
    """Gives what a Temp effect makes the end that its requirement states (R6.3.4).

    One without task, cost and selection is a passive: it begins as its card enters play.
    """
    if effect.activation != Activation.Temp:
        return effect
    until = next((entry.until for entry in effect.requires if entry.until is not None), None)
    steps = [Mod.model_validate({**_written(modifier), "op": "mod"}) for modifier in effect.mods] + list(effect.do)
    if until is not None:
        ended = (step.op in ENDED and getattr(step, "until", None) is None for step in steps)
        steps = [step.model_copy(update={"until": until}) if ends else step for step, ends in zip(steps, ended, strict=True)]
    update: dict[str, Any] = {"do": steps, "mods": []}
    manual = effect.task != Task.Absent or any(entry.pay or entry.target for entry in effect.requires)
    if not manual and not effect.timings and not any(entry.when for entry in effect.requires):
        update |= {"timings": [Timing.OnPlay], "activation": Activation.Auto}
        update["limits"] = [*effect.limits, Limit.Lingering]
    return effect.model_copy(update=update)


OWN_COSTS = {"discard": Task.Discard, "bury": Task.Bury, "banish": Task.Banish, "recover": Task.Recover}


def own_cost(effect: TypedEffect) -> TypedEffect:
    """Turns the payment of the activated card itself into its task, which is paid with it too (R6.7, R7.6.3)."""
    for place, entry in enumerate(effect.requires):
        if entry.pay is None or effect.task != Task.Absent or effect.technique is not None or entry.pay.bind is not None:
            continue
        for key, task in OWN_COSTS.items():
            cards = getattr(entry.pay, key)
            if cards is not None and cards.card == "this" and cards.n is None:
                rest = [other for number, other in enumerate(effect.requires) if number != place]
                return effect.model_copy(update={"requires": rest, "task": task})
    return effect


ENDED = ("mod", "add_marker")
"""Steps whose outcome lasts."""


def answering_permanent(effect: TypedEffect) -> TypedEffect:
    """Turns the modifiers of a Permanent that waits for a moment into what it does at that moment (R6.2.4)."""
    heard = effect.timings or any(entry.when is not None for entry in effect.requires)
    if effect.activation != Activation.Permanent or not effect.mods or not heard or effect.do:
        return effect
    moments = [timing.name for timing in effect.timings]
    for entry in effect.requires:
        if entry.when is not None:
            moments += [part.event or "" for part in entry.when.any_of or [entry.when]]
    if all(moment in ATTACK_MOMENTS for moment in moments):
        until = "this_attack"
    elif all(moment in CHECK_MOMENTS for moment in moments):
        until = "this_check"
    else:
        until = "end_of_turn"
    steps = [
        Mod.model_validate({**({} if modifier.until else {"until": until}), **_written(modifier), "op": "mod"})
        for modifier in effect.mods
    ]
    return effect.model_copy(update={"mods": [], "do": steps})


ATTACK_MOMENTS = ("Attacking", "Attacked", "Selected", "attack", "damage_taken", "injury_dealt", "injury_taken", "hp_loss")
CHECK_MOMENTS = ("Checking", "check", "check_failed")


def _written(modifier: Any) -> dict[str, Any]:
    return modifier.model_dump(by_alias=True, exclude_unset=True)

"""What an effect demands and speaks of, read from its written form."""

import re
from collections.abc import Iterator
from typing import Any

from apotheosis.env.cards.compiler.code import Value
from apotheosis.env.cards.language.effect import TypedEffect
from apotheosis.env.cards.language.selection import Characters
from apotheosis.env.rules.opcodes import Need, X

TARGET = re.compile(r"(?<![.\w])target\b(?!_)")


def targets(tree: Any) -> set[str]:
    """Returns what a program means by its target: "character", "tile"."""
    if isinstance(tree, dict):
        found = {"tile"} if tree.get("tile") == "target" or tree.get("tiles") == "target" else set()
        rest = [part for key, part in tree.items() if key not in ("tile", "tiles") or part != "target"]
        return found.union(*map(targets, rest))
    if isinstance(tree, list):
        return set().union(*map(targets, tree))
    return {"character"} if isinstance(tree, str) and TARGET.search(tree) else set()


TIDYING = ("add_marker", "remove_marker", "add_counter", "remove_counter", "move_counter", "remove_mods")
"""Instructions of the clean-up of a phase (R16.6)."""


def part_of_phase(effect: TypedEffect) -> int:
    """Tells in which part of a phase an effect happens, as bits of `opcodes.Need` (R16.6, R16.8)."""
    written = effect.written()
    ops = list(_ops(written.get("do", [])))
    if any(entry.pay is not None for entry in effect.requires) or "spend" in ops or _demands(written.get("do", [])):
        return int(Need.PAYS)
    return int(Need.CLEANS) if ops and all(op in (*TIDYING, "if", "may", "for_each") for op in ops) else 0


def _ops(tree: Any) -> Iterator[str]:
    """Yields the names of all instructions in a written program."""
    if isinstance(tree, dict):
        if isinstance(tree.get("op"), str):
            yield tree["op"]
        for part in tree.values():
            yield from _ops(part)
    elif isinstance(tree, list):
        for part in tree:
            yield from _ops(part)


def _demands(tree: Any) -> bool:
    """Tells whether a written program holds a payment."""
    if isinstance(tree, dict):
        return "pay" in tree or any(map(_demands, tree.values()))
    return isinstance(tree, list) and any(map(_demands, tree))


def looks_at_dice(effect: TypedEffect, condition: Value | None) -> bool:
    """Tells whether an effect of the time of rolling can only follow the roll: it rerolls, or asks what was rolled."""
    asked = {op for op, _ in condition or ()}
    return "reroll" in _ops(effect.written().get("do", [])) or not asked.isdisjoint((X.ATTACK_CRITICAL, X.ROLL_MAIN))


YOURS = ("draw", "search", "gain_currency")
"""Instructions that are about you without a word of it."""


def _speaks_of_you(program: list[Any]) -> bool:
    """Tells whether a written program speaks of you."""
    return bool(re.search(r"\bself\b", str(program))) or any(op in YOURS for op in _ops(program))


def needs_of(program: list[Any]) -> int:
    """What a program needs beside its requirements: bits of `opcodes.Need`."""
    bits = 0
    if _speaks_of_you([step.model_dump(exclude_none=True) for step in program]):
        bits |= Need.OF_YOU
    if any(step.op == "revive" and step.who == Characters(chars="target") for step in program):
        bits |= Need.REVIVABLE
    if program and all(step.op == "negate" and step.what in ("activation", "attack", "action", "effect") for step in program):
        bits |= Need.NEGATABLE
    return bits


def changes_course(program: list[Any]) -> bool:
    """Tells whether a program changes what is about to happen, and so must be heard before it."""
    return any(step.op in ("negate", "redirect", "save") for step in program)


COUNTING = {X.COUNT_CHARS, X.COUNT_CARDS, X.COUNT_ALL}


def speaks_of_target(test: Value) -> bool:
    """Tells whether a condition can be asked of each candidate for the target: it names the target, outside any count."""
    ops = {op for op, _ in test}
    return X.TARGET in ops and not ops & COUNTING


def answers_dealt(effect: TypedEffect) -> bool | None:
    """Tells whether an effect answers Injury by who deals it; None where it answers other events too."""
    whens = [entry.when for entry in effect.requires if entry.when is not None]
    found = {part.event == "injury_dealt" for when in whens for part in when.any_of or [when]} | {False for _ in effect.timings}
    return None if len(found) > 1 else True in found

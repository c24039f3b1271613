"""Why an effect was not seen at work, in words that tell a designer what to look at."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from apotheosis.env.cards.exercise_props import mappings
from apotheosis.env.cards.yaml_file import flow

if TYPE_CHECKING:
    from apotheosis.env.match import Match

REFUSALS = {
    "AP": "too few AP (R7.4.2)",
    "ENERGY": "too little energy (R7.5.1)",
    "REQUIREMENT": "its costs could not be paid (R7.6.1)",
    "LOOKAHEAD": "its costs could not be paid together with what it needs (R6.8.6)",
    "CONDITION": "its condition was not met (R6.8.5)",
    "NO_TARGET": "there was nothing to select (R7.1.1)",
    "RANGE_DIRECT": "nobody in range (R15.18)",
    "INCOMPLETE": "it could not be executed completely (R7.7.1)",
    "NOT_READY": "its card was exhausted (R6.7.1)",
    "LOCKED": "its technique was not unlocked (R19.6)",
    "RULE": "a text in play forbids it (R6.1.3)",
}
"""What keeps an effect from being activated, by the name of the kernel's reason."""
SHOWN = 140


def refusals(match: Match, card: int, effect: int) -> Counter[str]:
    """Counts by reason why an effect may not be activated in the turn that has come, over the copies of its card.

    Args:
        match: a match that asks for a turn action.
        card: the number of the card.
        effect: the row of the effect.
    """
    from apotheosis.env.rules.codes import Kind, Reason, Zone
    from apotheosis.env.rules.layout import COPIES, HEROES

    zones = {
        Zone.HAND: Kind.USE_HAND, Zone.EQUIPMENT: Kind.USE_TABLE, Zone.MEMENTO: Kind.USE_TABLE, Zone.EXTRA: Kind.USE_TABLE,
        Zone.SHEET: Kind.USE_SHEET, Zone.DISCARD: Kind.USE_DISCARD,
    }  # fmt: skip
    state, hero = match.state, match.asked
    found: Counter[str] = Counter()
    for copy in range(hero * COPIES, (hero + 1) * COPIES) if hero < HEROES else ():
        kind = zones.get(Zone(int(state["zone"][copy]))) if state["ident"][copy] == card else None
        if kind is not None:
            found[Reason(match.why_not(hero, kind, copy, effect=effect)[0]).name] += 1
    del found["WRONG_ZONE"], found["NOT_YOUR_TURN"]
    return found


def conditions(tree: dict[str, Any]) -> str:
    """Returns the conditions of an effect in plain form as one short text, "" where it has none."""
    found = [row[key] for row in mappings(tree) for key in ("if", "while", "cond") if isinstance(row.get(key), dict)]
    text = ", ".join(flow(condition) for condition in found)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def moments(tree: dict[str, Any]) -> str:
    """Returns what an effect in plain form waits for, "" where it is activated in the own turn or stands."""
    found = [str(timing) for timing in tree.get("timings", [])]
    found += [flow(row["when"]) for row in tree.get("requires", []) if "when" in row]
    text = " or ".join(found)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def reason(tree: dict[str, Any], uses: int, offers: int, refused: Counter[str], freed: bool) -> str:
    """Returns why an effect was not seen at work.

    Args:
        tree: the effect in plain form.
        uses: how often it was activated.
        offers: how often its card was among the options of a question.
        refused: why it was not legal in the own turn, by the names of `codes.Reason`.
        freed: whether it is at work where its conditions are taken away.
    """
    tested, waits = conditions(tree), moments(tree)
    if uses:
        return f"activated {uses} times without any change" + (f"; it depends on {tested}" if tested else "")
    if freed:
        return f"its condition was never true when it mattered: {tested or waits}"
    if waits:
        return f"never activated: what it waits for did not happen, or it could not be paid then: {waits}"
    if tree.get("activation") == "Permanent":
        changed = ", ".join(dict.fromkeys(row["q"] for row in tree.get("mods", [])))
        return f"what it changes was never read where it counts: {changed}" + (f"; condition {tested}" if tested else "")
    legal = refused.pop("LEGAL", 0)
    if legal:
        return f"allowed {legal} times (its card {offers} times among the options), but never chosen"
    if refused:
        name, times = refused.most_common(1)[0]
        return f"never allowed: {REFUSALS.get(name, name.lower().replace('_', ' '))}, {times} of {refused.total()} times"
    return "its card was never where it can be activated"

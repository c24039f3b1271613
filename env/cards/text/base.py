"""The grammar object of the reader, what builders may ask about a card, and how parts of a sentence add up.

A *part* is a plain dict with any of the keys of an effect (timings, limits, scopes, task, requires, do, mods) plus a few
marks that the assembly consumes: `may` (the text offers a choice), `trigger` (a window or timing was named), `until`,
`cond`. Clause rules return parts; a sentence is their sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apotheosis.env.cards.text.grammar import REFUSE, Grammar

G = Grammar()
"""The one grammar; the modules phrases, statements, actions, triggers, paragraphs and sentence add their rules to it."""

SUBJECT = "$S"
"""Stands for the subject of a verb until the sentence knows it."""

SCALE_DATE = "2025.09.01"
"""Cards modified before this day print HP in units (R13.12)."""

Part = dict[str, Any]

_LISTS = ("timings", "limits", "scopes", "requires", "do", "mods")


@dataclass(frozen=True, slots=True)
class Context:
    """What the wording means depends on the card it stands on.

    Args:
        suit: suit of the card.
        technique: index of the technique that carries the text, or None.
        scaled: whether HP amounts are printed in units and are worth ten each.
        has_bar: whether activating the card makes an attack.
        has_range: whether activating the card selects a target by its printed range.
        area: whether that range is an area.
        lignum: the family of the card, or None.
        referent: whom a pronoun means that the sentence itself does not explain: the character of the requirement before it.
    """

    suit: str
    technique: int | None
    scaled: bool
    has_bar: bool
    has_range: bool
    area: bool
    lignum: str | None
    referent: str | None = None

    @property
    def companion(self) -> bool:
        """Whether "this character" is a piece of its own."""
        return self.suit == "Companion"

    @property
    def this_char(self) -> str:
        """Selector of "this character": the Companion, or the Hero on any other card (R0.9)."""
        return "this_char" if self.companion else "self"


def hp(context: Context, amount: Any) -> Any:
    """Return an HP amount of a text in the scale of the game (R13.12)."""
    if not context.scaled or amount in ("all", "X"):
        return amount
    return amount * 10 if isinstance(amount, int) else f"mul(10,{amount})"


def add_parts(*parts: Part) -> Part:
    """Return the sum of parts: lists are joined in order, single values must agree."""
    total: Part = {}
    for part in parts:
        for key, value in part.items():
            if key in _LISTS:
                total[key] = [*total.get(key, ()), *value]
            elif key in total and total[key] != value:
                if key != "trigger":
                    return {"conflict": True}
            else:
                total[key] = value
    return total


def substitute(tree: Any, old: str, new: Any) -> Any:
    """Return the tree with a placeholder replaced, inside accessor expressions too."""
    if tree == old:
        return new
    if isinstance(tree, str) and old in tree:
        return tree.replace(old, new) if isinstance(new, str) else tree
    if isinstance(tree, dict):
        return {key: substitute(value, old, new) for key, value in tree.items()}
    if isinstance(tree, list):
        return [substitute(value, old, new) for value in tree]
    return tree


def any_of(items: list[dict[str, Any]]) -> dict[str, Any]:
    """Return one filter that holds when any of the items does."""
    unique = [item for place, item in enumerate(items) if item not in items[:place]]
    if len(unique) == 1:
        return unique[0]
    if all(set(item) == {"tag"} for item in unique):
        return {"any_tag": [item["tag"] for item in unique]}
    return {"any": unique}


def merged(*filters: dict[str, Any] | None) -> Any:
    """Return the filter that asks for everything the given filters ask, or REFUSE where two disagree on a key."""
    out: dict[str, Any] = {}
    for one in filters:
        for key, value in (one or {}).items():
            if key in out and out[key] != value:
                return REFUSE
            out[key] = value
    return out

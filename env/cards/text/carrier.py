"""What a text is read with: the keywords of its effect, and what of the card that carries it its wording may depend on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from apotheosis.env.cards.text.base import SCALE_DATE, Context
from apotheosis.env.cards.text.parts import Keywords
from apotheosis.env.errors import unknown

_TAG = re.compile(r"Apt\.Effect\.(\w+)\.(\w+)")
_TIMING_NAMES = {"Recover": "OnRecover", "Exhaust": "OnExhaust"}


KINDS = ("Activation", "Timing", "Limit", "Scope", "Task")
"""Kinds of keyword tags."""


def unknown_keyword(effect: Mapping[str, Any]) -> str | None:
    """Return what is wrong with a tag of a kind that no rule knows, which must not be passed over, or None."""
    for kind, name in _TAG.findall(str(effect.get("Keywords") or "")):
        if kind not in KINDS:
            return unknown(f"kind of keyword (of {name})", kind, KINDS).message
    return None


def keywords_of_effect(effect: Mapping[str, Any]) -> Keywords:
    """Return the tagged keywords of an effect as in cards.json."""
    found: dict[str, list[str]] = {}
    for kind, name in _TAG.findall(str(effect.get("Keywords") or "")):
        found.setdefault(kind, []).append(name)
    activation, task = found.get("Activation", []), found.get("Task", [])
    return Keywords(
        activation=activation[0] if activation else None,
        timings=[_TIMING_NAMES.get(name, name) for name in found.get("Timing", [])],
        limits=found.get("Limit", []),
        scopes=found.get("Scope", []),
        task=task[0] if task else None,
    )


def context_of(card: Mapping[str, Any], technique: int | None = None) -> Context:
    """Return what the wording of an effect may depend on.

    Args:
        card: a card as in cards.json.
        technique: index of the technique that carries the effect, or None.
    """
    techniques = card.get("Techniques") or []
    # a technique that the card does not print makes no attack of its own
    bar = card if technique is None else techniques[technique] if technique < len(techniques) else {}
    damage, reach = bar.get("Damage") or {}, bar.get("Range") or {}
    makes_attack = any(damage.get(key) not in (None, 0, "None") for key in ("Attribute", "Constant", "Dice"))
    selects = bool(reach) and (
        reach.get("Type") != "Direct" or bool(reach.get("Constant")) or reach.get("Attribute") not in (None, "None")
    )
    return Context(
        suit=str(card.get("Suit")),
        technique=technique,
        scaled=str(card.get("ModifiedDate") or "0001") < SCALE_DATE,
        has_bar=makes_attack,
        has_range=selects or makes_attack,
        area=reach.get("Type") == "Area",
        lignum=card.get("Lignum"),
    )

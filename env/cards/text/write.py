"""The effect language as rules text: what a designer reads to see what the machine understood.

Portuguese text can be read back by the text reader and gives the same tree: an effect is worded like a rulebook where that
wording, read back, says exactly the same, and in the plain notation otherwise. English text is for reading only and uses the
same choice of wording.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from apotheosis.env.cards.text import notation
from apotheosis.env.cards.text.header import header, names_of
from apotheosis.env.cards.text.wording import NoWording
from apotheosis.env.cards.text.wording_mods import modifier
from apotheosis.env.cards.text.wording_needs import requirement
from apotheosis.env.cards.text.wording_ops import instead_of_discard, instruction

_WORDED = {"activation", "timings", "limits", "scopes", "task", "technique", "requires", "do", "mods"}
PLAIN = {"pt": "Efeito", "en": "Effect"}
"""Header of an effect in the plain notation."""

_OWN = {"pt": re.compile(r" de você(?=[.,;])"), "en": re.compile(r" of you(?=[.,;])")}
"""Words that go without saying, where the text means the same without them."""

_SAMPLE: dict[str, Any] = {"Suit": "Item", "ModifiedDate": "2026.01.01-00.00.00", "Effects": []}


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "." if text else ""


def _worded(effect: Mapping[str, Any], language: str) -> str:
    """Return the rulebook wording of an effect, or raise `NoWording`."""
    if set(effect) - _WORDED or effect.get("activation") not in ("Activate", "Auto", "Permanent"):
        raise NoWording
    permanent = effect["activation"] == "Permanent"
    side = 0 if language == "pt" else 1
    requires, instead = list(effect.get("requires", ())), instead_of_discard(effect.get("do", []), effect.get("requires", []))
    if instead is not None:
        requires.remove({"if": {"gt": [f"counters(this.{effect['do'][1]['counter']})", 0]}})
    needs = [requirement(entry, permanent)[side] for entry in requires]
    done = [instruction(op)[side] for op in effect.get("do", ())] if instead is None else [instead[side]]
    body = done + [modifier(mod)[side] for mod in effect.get("mods", ())]
    if not body or effect.get("do") and effect.get("mods"):
        raise NoWording
    brackets = "".join(f"【{one[:1].upper()}{one[1:]}】" for one in needs)
    return f"{header(names_of(effect), language)} {brackets}{' '.join(_sentence(one) for one in body)}"


def _plain(effect: Mapping[str, Any], language: str) -> str:
    kept = {key: value for key, value in effect.items() if key != "technique"}
    return f"«{PLAIN[language]}» {notation.write(kept, language)}"


def _reads_back(text: str, effect: Mapping[str, Any], card: Mapping[str, Any]) -> bool:
    from apotheosis.env.cards.text.reader import read_effect

    result = read_effect({"Text": text}, card, effect.get("technique"))
    return result.status == "read" and result.tree == [dict(effect)]


def write_effect(effect: Mapping[str, Any], language: str = "pt", card: Mapping[str, Any] | None = None) -> str:
    """Render an effect as rules text.

    Args:
        effect: an effect in the language, with plain values.
        language: `pt` or `en`.
        card: the card that carries it, as in cards.json: what "you" or "the target" means depends on the card. Without one, an
            Item without an attack is taken.

    Returns:
        One line; in Portuguese, reading it on the same card gives the effect again.
    """
    carrier = on_new_scale(card) if card is not None else _carrier(effect)
    try:
        portuguese = _worded(effect, "pt")
    except (NoWording, KeyError, TypeError, ValueError, AttributeError, IndexError):
        # The phrases ask a tree for the parts they word; a tree without them simply has no such wording.
        return _plain(effect, language)
    texts = [_OWN["pt"].sub("", portuguese), portuguese]
    read = next((text for text in texts if _reads_back(text, effect, carrier)), None)
    if read is None:
        return _plain(effect, language)
    return read if language == "pt" else _OWN["en"].sub("", _tidy(_worded(effect, "en")))


def _carrier(effect: Mapping[str, Any]) -> dict[str, Any]:
    number = effect.get("technique")
    if number is None:
        return _SAMPLE
    return {**_SAMPLE, "Suit": "Companion", "Techniques": [{} for _ in range(number + 1)]}


def on_new_scale(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the card as one whose HP amounts are literal: the language never scales them (R13.12)."""
    return {**card, "ModifiedDate": _SAMPLE["ModifiedDate"]}


def write_effects(effects: list[dict[str, Any]], language: str = "pt", card: Mapping[str, Any] | None = None) -> list[str]:
    """Render the effects of a card, one line each."""
    return [write_effect(effect, language, card) for effect in effects]


def _tidy(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()

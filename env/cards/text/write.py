"""The effect language as rules text: what a designer reads to see what the machine understood.

An effect is worded by the book of sentences (`book`): its keywords in guillemets, what it asks for in brackets, and what
it does as sentences. Reading the Portuguese gives the effect again. An effect that the book has no words for, or whose
words would read as something else too, is written in the plain notation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice, product
from typing import Any

from pydantic import ValidationError

from apotheosis.env.cards.text import notation
from apotheosis.env.cards.text.book import book
from apotheosis.env.cards.text.canonical import canonical, same
from apotheosis.env.cards.text.header import header, names_of, split_header
from apotheosis.env.cards.text.prose import NoPhrase
from apotheosis.env.cards.text.spelling import sentence

PLAIN = {"pt": "Efeito", "en": "Effect"}
"""Header of an effect in the plain notation."""
_CAMPAIGN = ("Nada a fazer em uma batalha.", "Nothing to do in a battle.")
_NAME = re.compile(r"\s*“([^”]*)”")
_BRACKETS = re.compile(r"\s*【([^】]*)】")
_LISTS = {"Timing": "timings", "Limit": "limits", "Scope": "scopes"}
MOST_READINGS = 64
"""Combinations of readings of the parts of an effect that are looked at."""


def _worded(effect: Mapping[str, Any], careful: bool) -> tuple[str, str]:
    """Returns an effect in Portuguese and English, or raises `NoPhrase`."""
    sentences = book()
    parts = []
    if effect.get("name"):
        if "”" in effect["name"]:
            raise NoPhrase("name", effect["name"])
        parts.append((f" “{effect['name']}”", f" “{effect['name']}”"))
    if effect.get("requires"):
        needs = [sentences.write("need", need, careful) for need in effect["requires"]]
        parts.append(tuple(" " + "".join(f"【{need[side][:1].upper()}{need[side][1:]}】" for need in needs) for side in (0, 1)))
    if effect.get("do") and effect.get("mods"):
        raise NoPhrase("a program beside modifiers")
    if effect.get("campaign"):
        parts.append(tuple(" " + words for words in _CAMPAIGN))
    for key, rule in (("do", "step"), ("mods", "modifier")):
        for one in effect.get(key, ()):
            words = sentences.write(rule, one, careful)
            parts.append(tuple(" " + sentence(text) for text in words))
    names = names_of({"activation": "Activate", **effect})
    heads = header(names, "pt"), header(names, "en")
    return heads[0] + "".join(part[0] for part in parts), heads[1] + "".join(part[1] for part in parts)


def read_worded(text: str) -> list[dict[str, Any]]:
    """Returns the effects that a worded Portuguese text can stand for; one means that the text is clear.

    Args:
        text: keywords in guillemets, what is asked for in brackets, sentences.

    Returns:
        Well-formed effects in their canonical form, with their activation written out.
    """
    names, rest = split_header(text)
    if names is None:
        return []
    effect: dict[str, Any] = {}
    for group, name in names:
        if group in _LISTS:
            effect.setdefault(_LISTS[group], []).append(name)
        else:
            effect[group.lower()] = name
    if (match := _NAME.match(rest)) is not None:
        effect["name"], rest = match.group(1), rest[match.end() :]
    needs = []
    while (match := _BRACKETS.match(rest)) is not None:
        needs.append(book().read("need", match.group(1)))
        rest = rest[match.end() :]
    rest = rest.strip()
    bodies: list[dict[str, Any]] = [{}]
    if rest == _CAMPAIGN[0]:
        bodies = [{"campaign": True}]
    elif rest:
        # what a Permanent says of a quantity stands; only an activation makes a modifier by an instruction
        bodies = [{"mods": mods} for mods in book().read("modifiers", rest)] if effect.get("activation") == "Permanent" else []
        bodies = bodies or [{"do": steps} for steps in book().read("steps", rest)]
    found: list[dict[str, Any]] = []
    for *asked, body in islice(product(*needs, bodies), MOST_READINGS):
        whole = {**effect, **({"requires": list(asked)} if asked else {}), **body}
        try:
            one = {"activation": effect.get("activation", "Activate"), **canonical(whole)}
        except ValidationError:
            continue
        if one not in found:
            found.append(one)
    return found


def _plain(effect: Mapping[str, Any], language: str) -> str:
    return f"«{PLAIN[language]}» {notation.write(dict(effect), language)}"


def write_effect(effect: Mapping[str, Any], language: str = "pt") -> str:
    """Renders an effect as rules text.

    Args:
        effect: an effect in the language, with plain values.
        language: `pt` or `en`.

    Returns:
        One line; reading the Portuguese gives the effect again, but for the number of the technique that carries it.

    Raises:
        pydantic.ValidationError: it is no effect of the language.
    """
    plain = {key: value for key, value in canonical(effect).items() if key != "technique"}
    return _both(json.dumps(plain))[("pt", "en").index(language)]


@lru_cache(maxsize=4096)
def _both(text: str) -> tuple[str, str]:
    """Returns an effect, given as JSON, in Portuguese and English."""
    effect = json.loads(text)
    for careful in (False, True):
        try:
            words = _worded(effect, careful)
        except NoPhrase:
            break
        back = read_worded(words[0])
        if len(back) == 1 and same(back[0], effect):
            return words
    effect = {"activation": "Activate", **effect}
    return _plain(effect, "pt"), _plain(effect, "en")


def write_effects(effects: list[dict[str, Any]], language: str = "pt") -> list[str]:
    """Renders the effects of a card, one line each."""
    return [write_effect(effect, language) for effect in effects]

"""What of a card's text can matter in a battle at all: travel, crafting and other formats have nothing to do there."""

from __future__ import annotations

import re
from typing import Any

from apotheosis.env.cards.text.lexicon import CAMPAIGN_KEYWORDS, fold
from apotheosis.env.cards.text.tokens import Token

_KEYWORD = re.compile(r"<e>(.*?)</>")
_CAMPAIGN_WORDS = re.compile(r"^(viaj|viag|fabric)")
_STAT_NAMES = re.compile(r"^[A-ZÇÃÕÉÍÁÂÊÚ]+ \{(END|STR|AGI|PER|INT|CHA|SPT)\}( \||\s|$)")


def keywords_of(text: str) -> list[str]:
    """Return the paragraph keywords of a text, folded, in capitals."""
    return [fold(word).upper() for word in _KEYWORD.findall(text)]


def _texts(card: dict[str, Any]) -> list[str]:
    effects = list(card.get("Effects") or ())
    for technique in card.get("Techniques") or ():
        effects.extend(technique.get("Effects") or ())
    return [effect.get("Text") or "" for effect in effects]


def campaign_card(card: dict[str, Any]) -> bool:
    """Tell whether a card belongs to travel or to another format: none of its effects is used in an arena battle."""
    if card.get("Formats"):
        return True
    return any(word in ("ENCONTRO", "COMBATE") for text in _texts(card) for word in keywords_of(text))


def names_attributes(text: str) -> bool:
    """Tell whether a text only renames the attributes for another format."""
    return bool(_STAT_NAMES.match(text.strip()))


def campaign_sentence(tokens: tuple[Token, ...]) -> bool:
    """Tell whether a sentence speaks of travel or crafting and so has nothing to do in a battle.

    An Event that a journey turns up is activated straight from its deck; no battle does that.
    """
    words = [token.text for token in tokens]
    from_deck = any(words[i : i + 3] == ["ativado", "do", "{SANCTUARY}"] for i in range(len(words)))
    return from_deck or any(_CAMPAIGN_WORDS.match(word) for word in words)


def campaign_line(tokens: tuple[Token, ...]) -> bool:
    """Tell whether a line is opened by a keyword of travel, crafting or the campaign economy."""
    head = tokens[0]
    return head.text in ("<kw>", "<name>") and fold(str(head.value)).upper() in CAMPAIGN_KEYWORDS

"""Tags and built-in texts of cards: the spellings that mean one thing, and the few texts that construction rules
depend on.

The database writes some ideas twice: as a paragraph keyword inside a text (`<e>VOADOR</>`) and as a tag (`Flying`), in
Portuguese and in English, with and without spaces. Filters must not depend on which form a card happens to use.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from apotheosis.env.cards.language.effect import TextEffect
from apotheosis.env.cards.schema import CardBase, Companion
from apotheosis.env.vocabulary import Lignum, Scope, Suit

_ALIASES = {
    "trevas": "Dark",
    "receptaculo": "Vessel",
    "selo": "Seal",
    "teografia": "Theography",
    "atrito": "Attrition",
}
_PARAGRAPHS = {
    "CONSUMIVEL": "Consumable",
    "PROJETIL": "Projectile",
    "CONTAVEL": "Countable",
    "ENCONTRO": "Encounter",
    "COMBATE": "Combat",
    "CLIMA": "Weather",
    "VOADOR": "Flying",
    "MONTARIA": "Mount",
    "EXPLOSIVO": "Explosive",
    "ENCONTRAVEL": "Findable",
    "SIMPLES": "Simple",
    "TOLO": "Silly",
    "META": "Meta",
    "ANFIBIO": "Amphibious",
    "AQUATICO": "Aquatic",
    "TEOGRAFIA": "Theography",
    "ATRITO": "Attrition",
    "MIASMA": "Miasma",
    "GAS": "Gas",
}
_PARAGRAPH = re.compile(r"<e>([^<]+)</>")
ULTIMATUM_ACTION = 9
"""Action value that marks a Skill as an Ultimatum (R22.9)."""
COLLEGIUM_LEVEL = 3
"""Level that marks a House as a Collegium (R22.9)."""


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """Returns a name without accents, case, spaces and punctuation, for comparing spellings."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(character for character in plain.casefold() if character.isalnum())


def tag_name(name: str) -> str:
    """Returns the one spelling of a tag that stands for the given one (`Silver Ice` for SILVERICE stays the caller's
    choice)."""
    return _ALIASES.get(folded(name), name)


def paragraph_keywords(text: str) -> list[str]:
    """Returns the tags that the paragraph keywords of a text stand for."""
    found = []
    for word in _PARAGRAPH.findall(text):
        tag = _PARAGRAPHS.get(folded(word).upper())
        if tag is not None:
            found.append(tag)
    return found


def _texts(card: CardBase) -> Iterable[str]:
    effects = list(card.effects)
    if isinstance(card, Companion):
        effects += [effect for technique in card.techniques for effect in technique.effects]
    return (effect.text for effect in effects if isinstance(effect, TextEffect))


def tags_of(card: CardBase) -> list[str]:
    """Returns the tags of a card, printed or written as paragraph keywords, each once and in one spelling."""
    names = [tag_name(tag) for tag in card.tags]
    for text in _texts(card):
        names += paragraph_keywords(text)
    seen: dict[str, str] = {}
    for name in names:
        seen.setdefault(folded(name), name)
    return list(seen.values())


def has_tag(card: CardBase, tag: str) -> bool:
    """Tells whether a card has a tag, in any spelling."""
    return folded(tag_name(tag)) in {folded(name) for name in tags_of(card)}


def is_campaign_only(card: CardBase) -> bool:
    """Tells whether a card belongs to travel or campaign combat (text ENCONTRO or COMBATE, A2.5)."""
    return has_tag(card, "Encounter") or has_tag(card, "Combat")


def is_ultimatum(card: CardBase) -> bool:
    """Tells whether a card is an Ultimatum, the one Summus among Resource cards that the data shows (R22.9)."""
    return card.suit_code == Suit.Skill and card.action == ULTIMATUM_ACTION


def is_collegium(card: CardBase) -> bool:
    """Tells whether a card is a Collegium (R22.9)."""
    return card.suit_code == Suit.House and card.level == COLLEGIUM_LEVEL


def is_silly(card: CardBase) -> bool:
    """Tells whether a Companion may not stand on the Support (text TOLO)."""
    return card.suit_code == Suit.Companion and has_tag(card, "Silly")


def may_be_placed(card: CardBase) -> bool:
    """Tells whether an Event has a From Table effect and so may be placed in the Extra Zone (R2.8.3)."""
    if card.suit_code != Suit.Event:
        return card.suit_code in (Suit.Item, Suit.Skill, Suit.Companion) and not is_silly(card)
    return any(
        "Scope.Table" in effect.keywords if isinstance(effect, TextEffect) else Scope.Table in effect.scopes
        for effect in card.effects
    )


def lignum_of(card: CardBase) -> Lignum:
    """Returns the Lignum family of a card, Absent where it has none."""
    return getattr(card, "lignum", None) or Lignum.Absent

"""Cards in words for people, in English and Portuguese: the activation bar and the effects as the engine understands them.

The texts are rendered from what the engine runs, never copied from a card file, so that a reader sees what was played.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from apotheosis.env.cards.readings import EXECUTABLE, NOTHING
from apotheosis.env.cards.schema import Barred, Companion, Damage, Range, Skill

if TYPE_CHECKING:
    from apotheosis.env.cards.language.effect import TypedEffect
    from apotheosis.env.cards.pool import Pool
    from apotheosis.env.cards.readings import Reading
    from apotheosis.env.cards.schema import CardBase, Technique

LANGUAGES = ("en", "pt")

UNITS = {
    "AP": ("AP", "PA"), "HP": ("HP", "PV"), "DMG": ("DMG", "DANO"), "SP": ("SP", "PE"), "MP": ("MP", "PM"), "EP": ("EP", "EP"),
    "Direct": ("Direct", "Direto"), "Arcing": ("Arcing", "Arqueado"), "Area": ("Area", "Área"),
    "range": ("range", "alcance"), "technique": ("technique", "técnica"), "not_played": ("not played", "não simulado"),
    "END": ("END", "CON"), "STR": ("STR", "FOR"), "AGI": ("AGI", "AGI"), "PER": ("PER", "PER"), "INT": ("INT", "INT"),
    "CHA": ("CHA", "CAR"), "SPT": ("SPT", "ESP"),
}  # fmt: skip
"""Units and other short words of cards, English and Portuguese."""

MACRO = re.compile(r"\{([A-Z_0-9]+)\}")
MACROS = {
    "INJURY": "lesão", "INV": "inventário", "ITEM": "Item", "SKILL": "Perícia", "COMPANION": "Companheiro",
    "EVENT": "Evento", "HOUSE": "Casa", "CLASS": "Classe", "ENTITY": "Entidade", "MARKET": "Mercado",
    "ACADEMY": "Academia", "BESTIARY": "Bestiário", "SANCTUARY": "Santuário", "SUPPORT": "suporte",
    "EQUIP": "equipamento", "MEM": "memento", "SCENARIO": "cenário", "TABLE": "mesa", "SHEET": "ficha",
    "FATE": "DESTINO", "WILL": "VONTADE", "XP": "XP", "PRICE": "preço", "KNOWLEDGE": "conhecimento",
    "SUMMON": "Invocação", "CREATURE": "Criatura", "HUMAN": "Humano", "ALT": "altitude", "RANGE": "alcance",
    "DIRECT": "Direto", "ARCING": "Arqueado", "AREA": "Área", "AQUA": "água", "FAITH": "Fé", "ARCANE": "Arcano",
    "COOPERATION": "Cooperação", "DEFENSE": "Defesa", "ATHLETICS": "Atletismo", "PRACTICE": "Prática", "ART": "Arte",
    "INSTRUCTION": "Instrução", "CUNNING": "Astúcia", "ELEMENTAL": "Elemental", "TRANSMUTATION": "Transmutação",
    "VITAL": "Vital", "MENTAL": "Mental", "DIMENSIONAL": "Dimensional", "FREE": "Livre", "ENERGY": "energia",
    "MARKER": "marcador", "COUNTER": "contador",
}  # fmt: skip
"""Words for the macros that Portuguese card text is written with; units have theirs in `UNITS`."""


COMMON = (("【", "["), ("】", "] "), ("❰", "‹"), ("❱", "›"), ("➜", "→"))
"""Characters of rules texts that few fonts have, and what stands for them."""


def without_macros(text: str) -> str:
    """Returns a card text with words in place of its macros and brackets that every font has.

    Macros stand in Portuguese texts; an unknown one becomes its own name.
    """

    def word(found: re.Match[str]) -> str:
        name = found[1]
        if name in UNITS:
            return unit(name, "pt")
        return MACROS.get(name, name.removeprefix("MARKER_").removeprefix("COUNTER_").removeprefix("D_").capitalize())

    for rare, common in COMMON:
        text = text.replace(rare, common)
    return MACRO.sub(word, text)


def unit(name: str, language: str) -> str:
    """Returns the abbreviation of a unit, attribute or range type."""
    return UNITS[name][LANGUAGES.index(language)]


def damage_text(damage: Damage, language: str) -> str:
    """Returns a damage line: `DMG STR + 3 + 1D6`."""
    parts = [unit(damage.attribute.name, language)] if damage.attribute is not None else []
    if damage.constant or not (parts or damage.dice):
        parts.append(str(damage.constant))
    if damage.dice is not None:
        parts.append(str(damage.dice))
    return f"{unit('DMG', language)} {' + '.join(parts)}"


def range_text(reach: Range, language: str) -> str:
    """Returns a range: `Direct, range PER + 2`."""
    parts = [unit(reach.attribute.name, language)] if reach.attribute is not None else []
    if reach.constant or not parts:
        parts.append(str(reach.constant))
    return f"{unit(reach.type.name, language)}, {unit('range', language)} {' + '.join(parts)}"


def bar_text(bar: Barred | Technique, language: str) -> str:
    """Returns an activation bar: `3 AP · DMG STR + 3 + 1D6 · Direct, range 2`; empty where there is nothing to say."""
    parts = [f"{bar.action} {unit('AP', language)}"] if bar.action or bar.damage else []
    if isinstance(bar, Skill):
        energy = ((bar.stamina, "SP"), (bar.mana, "MP"), (bar.essence, "EP"))
        parts += [f"{amount} {unit(name, language)}" for amount, name in energy if amount]
    if bar.damage is not None:
        parts.append(damage_text(bar.damage, language))
    if bar.range is not None:
        parts.append(range_text(bar.range, language))
    return " · ".join(parts)


class Worded(NamedTuple):
    """An effect in words: its reading, the effect that runs (None where it does not), its text."""

    reading: Reading
    effect: TypedEffect | None
    text: str


class CardWords:
    """The cards of a pool in one language; texts are rendered once.

    Args:
        pool: the cards.
        language: `en` or `pt`.
    """

    def __init__(self, pool: Pool, language: str = "en"):
        self.pool, self.language = pool, language
        self._rendered: dict[int, list[Worded]] = {}

    def name(self, number: int) -> str:
        """Returns the name of a card by its number in the pool; names are never translated."""
        card = self.pool.cards[number]
        return card.name or card.id

    def effect(self, index: int) -> Worded | None:
        """Returns an effect by its index in the kernel's pool record; None for -1, the bare bar."""
        if index < 0:
            return None
        row = self.pool.record[0]["effect"][index]
        run = [worded for worded in self._effects(int(row["card"])) if worded.reading.status == EXECUTABLE]
        return run[int(row["index"])]

    def lines(self, number: int) -> list[str]:
        """Returns what a card says, a line each: its bar, its effects, its techniques; what is not played says so."""
        card = self.pool.cards[number]
        found = [bar_text(card, self.language)] if isinstance(card, Barred) else []
        found += [
            one.text if one.reading.status == EXECUTABLE else f"[{unit('not_played', self.language)}] {one.text}"
            for one in self._effects(number)
            if one.reading.status != NOTHING and one.reading.technique is None
        ]
        return [line for line in found if line] + self._techniques(number, card)

    def _techniques(self, number: int, card: CardBase) -> list[str]:
        if not isinstance(card, Companion):
            return []
        lines = []
        for place, technique in enumerate(card.techniques):
            head = f"{unit('technique', self.language)} {place + 1}: {bar_text(technique, self.language)}"
            if technique.requirement:
                head += f" [{', '.join(technique.requirement)}]"
            texts = [one.text for one in self._effects(number) if one.reading.technique == place]
            lines.append(" ".join([head, *texts]))
        return lines

    def _effects(self, number: int) -> list[Worded]:
        """Returns the effects of a card in words; one that does not run is shown by what could not be read."""
        from apotheosis.env.cards.text.write import write_effects

        if number not in self._rendered:
            found: list[Worded] = []
            for reading in self.pool.readings[number]:
                written = [effect.written() for effect in reading.effects]
                texts = write_effects(written, self.language) if written else []
                found += [
                    Worded(reading, effect, without_macros(text)) for effect, text in zip(reading.effects, texts, strict=True)
                ]
                if not texts:
                    found.append(Worded(reading, None, without_macros(reading.clause or reading.reason or "–")))
            self._rendered[number] = found
        return self._rendered[number]

    def describe(self, number: int) -> dict[str, Any]:
        """Returns a card as data: name, suit, level, rarity and its lines."""
        card = self.pool.cards[number]
        return {
            "name": self.name(number),
            "suit": card.suit_code.name,
            "level": card.level,
            "rarity": card.rarity.name,
            "lines": self.lines(number),
        }

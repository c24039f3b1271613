"""How much of a card file the text reader understands: by effect, by verb family, by suit and rarity.

Run as a module on a cards.json: `python -m apotheosis.env.cards.text.coverage FILE`. The deterministic fifth of the cards
that was held out while the grammar was written is counted apart, as the blind figure.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apotheosis.env.cards.text.reader import ReadResult, effects_of, read_card
from apotheosis.env.cards.text.tokens import tokenize

STATUSES = ("read", "partial", "inert")


def held_out(card_id: str) -> bool:
    """Tell whether a card belongs to the fifth whose texts were not looked at while the grammar was written."""
    return int(hashlib.sha256(card_id.encode()).hexdigest(), 16) % 5 == 0


@dataclass(frozen=True, slots=True)
class Row:
    """One effect of the database and what was made of it."""

    card: str
    label: str
    suit: str
    rarity: str
    family: str
    held: bool
    result: ReadResult


_NO_FAMILY = frozenset(
    "PODER SER ESTAR TER POSSUIR DEVER USAR SELECIONAR ESCOLHER RECEBER SOFRER CAUSAR FAZER REALIZAR IR HAVER PARAR VER".split()
)


def family_of(text: str) -> str:
    """Return the family of a text: its first telling verb, `bonus` for a plain bonus, `keyword` for a paragraph keyword."""
    tokens = tokenize(text)
    if tokens and tokens[0].text == "<kw>":
        return f"keyword {tokens[0].value}"
    for token in tokens:
        telling = sorted(token.verbs - _NO_FAMILY)
        if telling:
            return telling[0].lower()
        if token.text in ("±", "+"):
            return "bonus"
    return "other"


def measure(cards: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Read all cards and return a row for each effect.

    Args:
        cards: cards as in cards.json.
    """
    rows = []
    for card in cards:
        results = read_card(card)
        for label, effect, _ in effects_of(card):
            rows.append(
                Row(
                    card=str(card["Id"]),
                    label=label,
                    suit=str(card["Suit"]),
                    rarity=str(card["Rarity"]),
                    family=family_of(str(effect.get("Text") or "")),
                    held=held_out(str(card["Id"])),
                    result=results[label],
                )
            )
    return rows


def shares(rows: Iterable[Row]) -> dict[str, float | int]:
    """Return the counts of the statuses among live effects and the share that was read, in percent."""
    counts = Counter(row.result.status for row in rows)
    live = sum(counts[status] for status in STATUSES)
    return {
        "live": live,
        **{s: counts[s] for s in STATUSES},
        "read_percent": round(100 * counts["read"] / live, 1) if live else 0.0,
    }


def report(rows: list[Row]) -> str:
    """Return the figures as text: all, the part the grammar was written on, the held-out part, and the verb families."""
    parts = {"all": rows, "written on": [r for r in rows if not r.held], "held out": [r for r in rows if r.held]}
    out = []
    for name, part in parts.items():
        s = shares(part)
        out.append(
            f"{name:12} live {s['live']:5}  read {s['read']:5} ({s['read_percent']} %)"
            f"  partial {s['partial']:4}  inert {s['inert']:4}"
        )
    out.append("")
    out.append(f"{'verb family':28} read partial inert")
    families: dict[str, Counter[str]] = {}
    for row in rows:
        families.setdefault(row.family, Counter())[row.result.status] += 1
    for name, counts in sorted(families.items(), key=lambda pair: -sum(pair[1][s] for s in STATUSES)):
        if sum(counts[s] for s in STATUSES):
            out.append(f"{name:28} {counts['read']:4} {counts['partial']:7} {counts['inert']:5}")
    return "\n".join(out)


def main() -> None:
    """Print the coverage of a cards.json."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file", type=Path, help="cards.json of the game")
    parser.add_argument("--refused", action="store_true", help="list every refused clause, except those of held-out cards")
    arguments = parser.parse_args()
    rows = measure(json.loads(arguments.file.read_text(encoding="utf-8-sig")))
    sys.stdout.write(report(rows) + "\n")
    if arguments.refused:
        for row in rows:
            if not row.held:
                for clause, reason in row.result.refused:
                    sys.stdout.write(f"{row.card} {row.label}: {clause} ({reason})\n")


if __name__ == "__main__":
    main()

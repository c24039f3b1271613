"""What the reading of one effect text has gathered: parts of sentences, requirements, keyword paragraphs, sheets."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.actions import NAMED, PATIENT
from apotheosis.env.cards.text.base import SUBJECT, Context, Part, substitute
from apotheosis.env.cards.text.parts import Keywords, Unreadable


def _on_the_piece(tree: Any) -> Any:
    """What is attached to a Companion card hangs on its piece, whoever else of its Hero has attachments."""
    if isinstance(tree, dict):
        mine = tree.get("zone") == "attachments" and tree.get("of") == "self"
        return {key: "this_char" if mine and key == "of" else _on_the_piece(value) for key, value in tree.items()}
    return [_on_the_piece(value) for value in tree] if isinstance(tree, list) else tree


class Collection:
    """Collects the parts and pieces of one effect text.

    Args:
        context: the card.
        keywords: the tags of the effect.
    """

    def __init__(self, context: Context, keywords: Keywords):
        self.context = context
        self.keywords = keywords
        self.items: list[Part] = []
        self.needs: list[Part] = []
        self.done: list[dict[str, Any]] = []
        self.main: dict[str, Any] | None = None
        self.after: list[dict[str, Any]] = []
        self.activates = False
        self.scenario = False
        self.host = False
        self.slot: dict[str, Any] | None = None
        self.piece: dict[str, Any] | None = None
        self.sheet: dict[str, Any] = {}
        self.refused = False
        self.blocked = False
        self.timed = False

    def add(self, part: Part) -> None:
        """Add what a sentence says."""
        self.items.append(self.resolved({**part, **({"inside": self.slot} if self.slot else {})}))

    def require(self, part: Part) -> None:
        """Add what a requirement string says."""
        self.needs.append(self.resolved(part))

    def add_piece(self, piece: dict[str, Any]) -> None:
        """Add what a keyword paragraph says."""
        self.items.append({"piece": self.resolved(piece)})
        self.activates = self.activates or bool({"before", "after"} & set(piece))
        self.timed = self.timed or "gate" in piece
        self.scenario = self.scenario or piece.get("scenario", False)
        self.host = self.host or piece.get("host", False)
        self.slot = piece.get("slot", self.slot)
        self.piece = piece.get("piece", self.piece)

    def host_mods(self, part: Part) -> None:
        """Add a listed modifier of the hosting Hero."""
        if set(part) != {"mods"}:
            raise Unreadable("a listed bonus that is not a modifier")
        mods = [{**m, "on": "host_hero"} for m in part["mods"] if "on" not in m]
        if len(mods) != len(part["mods"]):
            raise Unreadable("a listed bonus with a subject of its own")
        self.items.append({"mods": mods})

    def slot_mods(self, mods: list[dict[str, Any]]) -> None:
        """Add the attribute bonuses of a card in the Entity slot."""
        self.items.append({"mods": mods, "cond": self.slot})

    def piece_line(self, line: dict[str, Any]) -> None:
        """Add a line of the sheet of a created piece."""
        if "technique" in line:
            self.sheet.setdefault("techniques", []).append(line["technique"])
        else:
            self.sheet.update(line)

    def resolved(self, part: Part) -> Part:
        """Fill in the subject of imperatives, and the patient where the card leaves no doubt about it."""
        technique = self.context.technique is not None
        subject = "this_char" if technique else "self"
        part = substitute(part, SUBJECT, subject)
        if self.context.companion:
            part = _on_the_piece(part)
        if NAMED in repr(part):
            raise Unreadable("the text does not say which character is meant")
        if PATIENT in repr(part):
            if self.context.has_range:
                raise Unreadable("the text does not say whom this helps")
            part = substitute(part, PATIENT, subject)
        return part

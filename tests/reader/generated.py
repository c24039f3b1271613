"""Effects made at random from the rows of the book of sentences: every shape of the language in every place it may have."""

import random
from typing import Any

from pydantic import ValidationError

from apotheosis.env.cards.text.book import book
from apotheosis.env.cards.text.canonical import canonical
from apotheosis.env.cards.text.prose_words import Either, Listing
from apotheosis.env.cards.text.shapes import Slot

WORDS: dict[str, tuple[Any, ...]] = {
    "name": ("Watch Tower", "Oak"), "bound": ("k",), "tagmacro": ("Cut", "Fire", "Silver Ice"), "marker": ("STEALTH", "HURT"),
    "counter": ("TIME", "UNIT"), "int": (1, 2, 7), "plus": (2, -3), "dice": ("1D6", "2D3"), "raw": ([1, "x"],),
    "amount": (1, 3, "X", "dice(1D6)", "half(attr(target,END))", "add(2,mul(3,level(this)))", "count(k)"),
    "num": (1, 4, "X", "dice(1D3)", "mul(10,dice(1D2))"), "bonus": (1, -2, "dice(1D6)", "attr(self,STR)", "neg(hp(target))"),
    "card_value": ("k.PRICE",), "card_counters": ("this.TIME",), "counters_of": ("counters(this.TIME)",), "part_times": (2,),
}  # fmt: skip
"""Values of the rules that no rows make."""
MOST_OPTIONS = 2
"""Optional parts of one shape that are filled."""


class Maker:
    """Makes trees by the rules of the book.

    Args:
        chance: where choices come from.
        depth: how deep shapes lie within each other; deeper ones take the first row that needs no other.
    """

    def __init__(self, chance: random.Random, depth: int = 5):
        self.chance, self.depth, self.book = chance, depth, book()

    def tree(self, rule: str, depth: int = 0) -> Any:
        """Returns a tree of a rule."""
        if depth > self.depth + 6:
            raise RecursionError
        if rule in WORDS:
            return self.chance.choice(WORDS[rule])
        leaf = self.book.leaves.get(rule)
        if isinstance(leaf, Either):
            return self.tree(self.chance.choice(leaf.rules), depth + 1)
        if isinstance(leaf, Listing):
            many = [self.tree(leaf.item, depth + 1) for _ in range(max(leaf.least, self.chance.choice((1, 1, 2))))]
            return many[0] if len(many) == 1 and leaf.least == 1 and rule not in ("kepts", "sheet_techniques") else many
        if rule == "block":
            return [self.tree("step", depth + 1)]
        if rule in ("options", "cases"):
            return [self.tree("block" if rule == "options" else "case", depth + 1) for _ in range(2)]
        if rule == "a_suits":
            return self.tree("suits", depth)
        if rule == "another":
            return self.tree("who", depth)
        if rule == "step_mod":
            return {"op": "mod", **self.tree("modifier", depth + 1)}
        rows = self.book.rows[rule]
        if depth > self.depth:
            rows = [row for row in rows if not row.rules] or rows
        tree = self.filled(self.chance.choice(rows).shape, depth)
        if tree == {}:
            raise RecursionError
        return tree

    def filled(self, shape: Any, depth: int) -> Any:
        """Returns a tree of a shape."""
        if isinstance(shape, Slot):
            return self.tree(shape.rule, depth + 1)
        if isinstance(shape, dict):
            spare = [key for key, inner in shape.items() if isinstance(inner, Slot) and inner.optional]
            kept = set(self.chance.sample(spare, min(len(spare), self.chance.choice((0, 0, 1, MOST_OPTIONS)))))
            return {
                key: self.filled(inner, depth)
                for key, inner in shape.items()
                if (key not in spare or key in kept) and type(inner).__name__ != "_Same"
            }
        return [self.filled(inner, depth) for inner in shape] if isinstance(shape, (list, tuple)) else shape

    def effect(self) -> dict[str, Any] | None:
        """Returns a well-formed effect, or None where chance made none."""
        whole: dict[str, Any] = {"activation": self.chance.choice(("Activate", "Permanent", "Auto"))}
        try:
            if whole["activation"] == "Permanent":
                whole["mods"] = [self.tree("modifier")]
            else:
                whole["do"] = [self.tree("step") for _ in range(self.chance.choice((1, 2)))]
            whole["requires"] = [self.tree("need") for _ in range(self.chance.choice((0, 1, 2)))]
            return canonical(whole)
        except (ValidationError, RecursionError):
            return None

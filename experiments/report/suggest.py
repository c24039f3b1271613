"""A number to try first for a card that is too strong or too weak, as `apotheosis test` takes it.

The number is a place to begin, no estimate: the one that a card's play hangs on most directly, moved by one. What the
change is worth is for the test to say.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from apotheosis.env.vocabulary import Suit

if TYPE_CHECKING:
    from apotheosis.env.cards.pool import Pool

COSTS = ("action", "stamina", "mana", "essence")
"""What using a card costs; one more makes it weaker."""
PAIRS = 3_000
"""Pairs of a swap: an effect of a head-to-head comparison is then known to about 1.3 points."""
PAIRS_OF_TWO = 20_000
"""Pairs of an exchange of two cards: what they are worth together is then known to about 2 points."""
BONUSES = ("attributes", "attributes_bonus")
"""What having a card gives; one more makes it stronger."""


@dataclass(frozen=True)
class Advice:
    """Commands that test a change of a card of a run.

    Attributes:
        pool: the run's cards, None where they are not there any more.
        spec: the run's spec, empty where it is not known.
    """

    pool: Pool | None
    spec: dict[str, Any] = field(default_factory=dict)

    def change(self, card_id: str, stronger: bool) -> str | None:
        """Returns a change to try, `field=value`; None where the card has no number that would do.

        Args:
            card_id: the card.
            stronger: whether the card should become stronger.
        """
        if self.pool is None or card_id not in self.pool.index:
            return "FIELD=VALUE"
        return setting(self.pool.card(card_id), stronger)

    def command(self, card_id: str, stronger: bool) -> str:
        """Returns a command that tests a change, whole where the cards are known.

        A card without a number that would do is played against the plain card of its suit and level instead.

        Args:
            card_id: the card.
            stronger: whether the card should become stronger.
        """
        change = self.change(card_id, stronger)
        if change is None:
            return self._swap(PAIRS, f"design.card={card_id}")
        return self._written(["apotheosis", "test", "--card", card_id, "--set", change], "--cards-a")

    def together(self, first: str, second: str) -> str:
        """Returns a command that measures what two cards are worth together, on fresh seeds."""
        return self._swap(PAIRS_OF_TWO, f"design.card={first}", f"design.partner={second}")

    def _swap(self, pairs: int, *settings: str) -> str:
        seed = int(self.spec.get("run", {}).get("seed", 0)) + 1
        parts = ["apotheosis", "run"]
        for setting in ("design.kind=swap", *settings):
            parts += ["--set", setting]
        return self._written([*parts, "--pairs", str(pairs), "--seed", str(seed)], "--cards")

    def _written(self, parts: list[str], cards_flag: str) -> str:
        """Returns the command with the run's cards and bots."""
        cards, bots = self.spec.get("cards", {}).get("pool", "starter"), self.spec.get("bots", {}).get("pool", [])
        parts = [
            *parts,
            *([cards_flag, str(cards)] if cards != "starter" else []),
            *(["--bots", ",".join(bots)] if bots else []),
        ]
        return " ".join(map(shlex.quote, parts))


def setting(card: Any, stronger: bool) -> str | None:
    """Returns a change of one number by one, `field=value`, or None where the card has no number that would do.

    Args:
        card: the card's model.
        stronger: whether the change should make it stronger.
    """
    step = 1 if stronger else -1
    damage = getattr(card, "damage", None)
    if damage is not None:
        return f"damage.constant={damage.constant + step}"
    for cost in COSTS:
        now = getattr(card, cost, 0)
        if now > 0:
            return f"{cost}={now - step}"
    if getattr(card, "suit_code", None) == Suit.House:
        return None  # its attributes add up to 28 and lie between 2 and 6 (R2.2.1)
    for bonus in BONUSES:
        values = getattr(card, bonus, None)
        given = {} if values is None else {name: value for name, value in values.model_dump().items() if value}
        if given:
            name = max(given, key=lambda attribute: abs(given[attribute]))
            return f"{bonus}.{name}={given[name] + step}"
    return None

"""What can be seen of a match, as short hashes: questions with their answers, state, events, ledger, refusals.

Left out of the state is what only saves work: bits that say who listens, which values have changed, which modifiers exist.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from apotheosis.env.match import Match
from apotheosis.env.refusals import refusals
from apotheosis.env.rules.codes import Decision
from apotheosis.env.rules.layout import COPIES, MATCH
from apotheosis.env.scenario.play import Player

PARTS = ("questions", "state", "events", "ledger", "refusals")
SAVERS = {
    "seed", "listening", "passive", "hearers", "modifiers", "reads", "steps", "dirty", "needs", "active", "active_card",
    "active_effect", "active_modifies", "modified", "lasting", "ruled", "unmet", "mean_dice", "log_on", "ledger_on",
    "heard", "touched", "limited", "derived_by", "plain_attr", "plain_knowledge", "plain_slots", "plain_limit",
}  # fmt: skip
COUNTED = {
    "order": "order_n", "forced": "forced_n", "d_pay": "d_pay_n", "frame": "sp", "scenario": "scenario_n", "modifier": "mods",
    "counter_card": "counters", "counter_name": "counters", "counter_n": "counters",
}  # fmt: skip
"""Lists of which only so many elements are meant."""
PILES = {"pile": ("deck_n", "discard_n"), "hold": ("hand_n", "table_n")}
"""Rows that are filled from both ends."""
FIELDS = [name for name in (MATCH.names or ()) if name not in SAVERS]


def short(data: bytes) -> str:
    """Returns a hash of eight characters."""
    return hashlib.sha256(data).hexdigest()[:8]


def state_bytes(state: np.void) -> bytes:
    """Returns what is meant of a match record as bytes."""
    parts = []
    for name in FIELDS:
        value = state[name]
        if name == "canon":
            value = value + np.arange(len(value)) // COPIES * COPIES  # the keeper itself, not its slot
        if name in COUNTED:
            value = value[: max(0, int(state[COUNTED[name]]))]
        if name in PILES:
            left, right = (state[word] for word in PILES[name])
            value = np.concatenate([np.r_[row[:n], row[len(row) - k :]] for row, n, k in zip(value, left, right, strict=True)])
        parts.append((value if value.dtype.names else np.asarray(value, np.int64)).tobytes())  # however wide the field is
    return b"".join(parts)


class Watcher:
    """Keeps what has been seen of a match.

    Args:
        match: the match; its ledger is kept from now on.
    """

    def __init__(self, match: Match):
        self.match = match
        match.matches["ledger_on"] = 1
        self._seen = {part: hashlib.sha256() for part in ("questions", "state", "refusals")}
        self._asked = match.why_not
        match.why_not = self._why_not  # type: ignore[method-assign]
        self.look()

    def look(self) -> tuple[str, str]:
        """Takes in the pending question and the state; returns a hash of each."""
        state = self.match.state
        asked = [int(state[name]) for name in ("pending", "asked", "ask_a", "ask_b")]
        question = repr([*asked, *map(int, self.match.legal())] if not self.match.over else asked[:1]).encode()
        whole = state_bytes(state)
        self._seen["questions"].update(question)
        self._seen["state"].update(whole)
        return short(question), short(whole)

    def _why_not(self, *action: int) -> tuple[int, int, int]:
        """Takes in and returns why a turn action is not legal, with the numbers needed and had."""
        answer = self._asked(*action)
        self._seen["refusals"].update(repr((*map(int, action), *answer)).encode())
        return answer

    def ask_everything(self) -> None:
        """Takes in why the actions that are not legal now are not."""
        if not self.match.over and self.match.decision == Decision.TURN:
            refusals(self.match)

    def ledger(self) -> np.ndarray:
        """Returns the ledger rows of the copies of the match."""
        return self.match.pool.record["ledger"][0, : int(self.match.state["heroes"]) * COPIES]

    def signs(self) -> dict[str, str]:
        """Returns the hash of each part of what has been seen."""
        whole = {part: seen.hexdigest()[:8] for part, seen in self._seen.items()}
        whole["events"] = short(self.match.events().tobytes())
        whole["ledger"] = short(self.ledger().tobytes())
        return {part: whole[part] for part in PARTS}


class WatchedPlayer(Player):
    """Plays a scenario and watches its match."""

    def __init__(self, position: Any):
        super().__init__(position)
        self.watcher = Watcher(self.match)
        self.watcher.ask_everything()

    def apply(self, code: int) -> None:
        """Answers the pending question."""
        super().apply(code)
        self.watcher.look()

"""A player without rules: a match is a coin whose bias is known, so that whole tests can be checked against the truth.

The name of the run carries the truth: `coin+0.04` gives the new version four points, `crash0.1` lets a tenth of all
matches end without a result, `pair+0.06` gives two cards six points together beyond the three and two of each alone.
"""

import re

import numpy as np

from apotheosis.env.rules.layout import COPIES, LEDGER, RESULT
from apotheosis.experiments.tables import CardFacts, Played

PLAYER = "coin_player:CoinPlayer"
FIRST, SECOND = 0.03, 0.02
"""What each of two cards is worth alone."""


class CoinPlayer:
    def __init__(self, deal):
        self.worth, self.crash, ids = deal
        numbers = np.arange(len(ids))
        self.facts = CardFacts(
            ids=np.array(ids),
            suits=3 + numbers % 4,
            rarities=numbers % 5,
            levels=(1 + numbers % 3).astype(np.int16),
            inert=numbers < 0,
        )

    @classmethod
    def prepare(cls, plan, pool):
        name = plan.spec.run.name
        effect, crash, pair = (
            float(found[1]) if (found := re.search(rf"{key}([+-]?[\d.]+)", name)) else 0.0 for key in ("coin", "crash", "pair")
        )
        worth = {"new": effect}
        if pair:
            worth |= {"first": FIRST, "second": SECOND, "both": FIRST + SECOND + pair}
        ids = [card.id for card in pool.cards]
        return np.array([worth.get(side.name.rpartition("/")[2], 0.0) for side in plan.sides]), crash, ids

    def play(self, rows, seeds):
        luck = self._uniform(seeds, rows["second"], 1)
        won = luck < 0.5 + self.worth[rows["side_a"]] - self.worth[rows["side_b"]]
        outcomes = np.where(won, 1, 2)
        outcomes[self._uniform(seeds, rows["second"], 2) < self.crash] = 7
        return self._rows(rows, seeds, outcomes)

    def unplayed(self, rows, seeds, outcome):
        return self._rows(rows, seeds, {"timeout": 6, "crash": 7}[outcome])

    def _uniform(self, seeds, second, salt):
        """Returns a number in [0, 1) that depends on the seeds of a match and nothing else."""
        factor = np.uint64(0x9E3779B97F4A7C15)
        bits = seeds[:, 0].astype(np.uint64) * factor + second.astype(np.uint64) * np.uint64(salt * 7919)
        for _ in range(3):
            bits = (bits ^ (bits >> np.uint64(29))) * factor + np.uint64(salt)
        return (bits >> np.uint64(11)).astype(float) / 2**53

    def _rows(self, rows, seeds, outcomes):
        n = len(seeds)
        results, ledgers = np.zeros(n, RESULT), np.zeros((n, 2 * COPIES), LEDGER)
        results["outcome"], results["turns"], results["decisions"] = outcomes, 5, 50
        ledgers["ident"] = -1
        return Played(rows, seeds, results, ledgers)

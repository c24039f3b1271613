"""A player without rules: a match is a coin whose bias is known, so that whole tests can be checked against the truth.

The name of the run carries the truth: `coin+0.04` gives the new version four points, `crash0.1` lets a tenth of all
matches end without a result.
"""

import re

import numpy as np

from apotheosis.env.rules.layout import COPIES, LEDGER, RESULT
from apotheosis.experiments.tables import CardFacts, Played

PLAYER = "coin_player:CoinPlayer"


class CoinPlayer:
    def __init__(self, deal):
        self.new, self.effect, self.crash, ids = deal
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
        effect = re.search(r"coin([+-][\d.]+)", name)
        crash = re.search(r"crash([\d.]+)", name)
        new = np.array([side.name.endswith("/new") for side in plan.sides])
        ids = [card.id for card in pool.cards]
        return new, float(effect[1]) if effect else 0.0, float(crash[1]) if crash else 0.0, ids

    def play(self, rows, seeds):
        gap = self.new[rows["side_a"]].astype(float) - self.new[rows["side_b"]]
        luck = self._uniform(seeds, rows["second"], 1)
        won = luck < 0.5 + self.effect * gap
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

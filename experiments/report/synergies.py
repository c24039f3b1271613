"""The table of card pairs that are worth more, or less, together than apart; written on request."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from apotheosis.experiments.report.suggest import Advice

NAME = "synergies"


def screened(run: Path, most: int) -> pd.DataFrame:
    """Screens the pairs of cards of a random-deck run.

    Args:
        run: run folder, whose cards have not changed since.
        most: pairs that are returned.

    Returns:
        The pairs with the strongest evidence: first, second, decks, effect, se, p, q (see `stats.synergy.screen_pairs`).

    Raises:
        InputError: the folder holds no finished run with random decks of one Hero, or its cards have changed.

    Source: METHOD section 2d. A screen: an effect from its top is inflated until an exchange of both cards confirms it.
    """
    from apotheosis.experiments.inclusion import stored_matches, synergies
    from apotheosis.experiments.replays import StoredRun

    source = StoredRun(run)
    return synergies(source.plan, source.pool, stored_matches(run)).head(most)


def confirmation(run: Path, pair: dict) -> str:
    """Returns the command that confirms a screened pair by the exchange of both cards."""
    from apotheosis.experiments import plan

    spec = plan.load(run).spec.model_dump(mode="json")
    return Advice(None, spec).together(pair["first"], pair["second"])

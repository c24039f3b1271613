"""Chances of the random-deck generator given the Hero, and treatment effects that are free of the Classes."""

import numpy as np
import pandas as pd
import pytest

from apotheosis.env.cards.deck_draws import DeckSampler
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.errors import InputError
from apotheosis.experiments import inclusion, run
from apotheosis.experiments.spec import load_spec


@pytest.fixture(scope="module")
def pool():
    return load_pool()


@pytest.fixture(scope="module")
def drawn(pool):
    spec = load_spec()
    sampler = DeckSampler(pool, spec.format, spec.decks.generator)
    rng = np.random.default_rng(1)
    decks = [sampler.deck(sampler.draw(rng), f"d{number}") for number in range(1500)]
    return spec, sampler, decks, inclusion.deck_chances(pool, spec, decks)


def test_chances_given_the_hero_average_to_the_exact_marginal_ones(pool, drawn):
    _, sampler, decks, chances = drawn
    gap = chances.mean(axis=0)[sampler.legal] - sampler.inclusion()[sampler.legal]
    assert np.abs(gap).max() < 0.05
    assert np.abs(gap).mean() < 0.01


def test_inclusion_minus_its_chance_has_mean_zero_within_heroes(pool, drawn):
    _, sampler, decks, chances = drawn
    held = inclusion._held(pool, decks).toarray()[:, sampler.legal]
    p = chances[:, sampler.legal]
    z = (held - p).sum(axis=0) / np.sqrt((p * (1 - p)).sum(axis=0))
    assert np.mean(np.abs(z) > 1.96) < 0.12
    often = p > np.median(p)
    high = ((held - p) * often).sum(axis=0) / np.sqrt((p * (1 - p) * often).sum(axis=0))
    assert np.mean(np.abs(high[np.isfinite(high)]) > 1.96) < 0.12


def _random_run(pool, n):
    """Returns spec, plan, decks and schedule of a run of random decks that play about twice each."""
    spec = load_spec(settings={"run.pairs": n, "decks.n": n})
    plan = run.make_plan(spec, pool)
    return spec, plan, [side.decks[0] for side in plan.sides], plan.schedule.rows(0, spec.pairs)


def _matches(plan, rows, chance, seed):
    """Returns matches whose side A wins with the given chances."""
    names = np.array([side.name for side in plan.sides], dtype=object)
    won = np.random.default_rng(seed).random(len(chance)) < chance
    return pd.DataFrame(
        {
            "match_id": rows["match_id"],
            "pair_id": rows["pair_id"],
            "seat_a_deck": names[rows["side_a"]],
            "seat_b_deck": names[rows["side_b"]],
            "seat_a_bot": "b",
            "seat_b_bot": "b",
            "score_a": won.astype(float),
        }
    )


def test_a_class_is_not_credited_to_the_cards_it_may_use(pool):
    spec, plan, decks, rows = _random_run(pool, 2500)
    classes = pd.Series([name for deck in decks for name in deck["classes"]]).value_counts()
    strong = classes.index[0]
    holds = np.array([strong in deck["classes"] for deck in decks])
    gap = holds[rows["side_a"]].astype(float) - holds[rows["side_b"]]
    matches = _matches(plan, rows, 0.5 + 0.35 * gap, seed=2)
    table = inclusion.random_deck_effects(plan, pool, [matches]).set_index("card_id")
    assert table.loc[strong, "low"] > 0.2
    legal = DeckSampler(pool, spec.format, spec.decks.generator).legal
    cards = table.loc[[pool.cards[number].id for number in legal]]
    assert (cards["p"] < 0.05).mean() < 0.11
    held = inclusion._held(pool, [inclusion.Deck(**deck) for deck in decks]).toarray()[:, legal]
    score = np.r_[matches["score_a"], 1 - matches["score_a"]]
    both = held[np.r_[rows["side_a"], rows["side_b"]]]
    naive = (score @ both) / both.sum(axis=0) - (score @ (1 - both)) / (1 - both).sum(axis=0)
    usable = inclusion.deck_chances(pool, spec, [inclusion.Deck(**deck) for deck in decks])[:, legal]
    favoured = usable[holds].mean(axis=0) - usable[~holds].mean(axis=0) > 0.05
    assert favoured.any()
    assert naive[favoured].mean() > cards["effect"].to_numpy()[favoured].mean() + 0.005


def test_cards_that_are_worth_more_together_come_first(pool):
    _, plan, decks, rows = _random_run(pool, 1500)
    often = pd.Series([name for deck in decks for name in deck["cards"]]).value_counts().index[:2]
    both = np.array([set(often) <= set(deck["cards"]) for deck in decks])
    assert both.sum() > 30
    gap = both[rows["side_a"]].astype(float) - both[rows["side_b"]]
    table = inclusion.synergies(plan, pool, [_matches(plan, rows, 0.5 + 0.4 * gap, seed=3)])
    assert set(table.loc[0, ["first", "second"]]) == set(often)
    assert table.loc[0, "effect"] > 0.1


def test_runs_without_random_decks_are_refused(pool):
    plan = run.make_plan(load_spec(settings={"decks.source": "starter", "design.kind": "round_robin"}), pool)
    with pytest.raises(InputError, match="random decks"):
        inclusion.random_deck_effects(plan, pool, [pd.DataFrame()])

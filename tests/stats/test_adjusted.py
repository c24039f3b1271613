"""Adjusted card effects against statsmodels, closed forms and known truth (V4, V5)."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import simulate
import statsmodels.api as sm
from scipy import sparse, special, stats

from apotheosis.experiments.stats import adjusted, design


def _reference_fit(world, bots=True):
    """Fits the same model with statsmodels: drop the first card, centre afterwards."""
    made = world.design(bots)
    x = made.x[:].toarray().astype(float)
    cards = (made.terms["kind"] == "card").to_numpy()
    keep = np.ones(x.shape[1], dtype=bool)
    keep[np.flatnonzero(cards)[0]] = False
    result = sm.GLM(made.y, x[:, keep], family=sm.families.Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": made.clusters}
    )
    beta, covariance = np.zeros(x.shape[1]), np.zeros((x.shape[1], x.shape[1]))
    beta[keep] = result.params
    covariance[np.ix_(keep, keep)] = result.cov_params()
    count = int(cards.sum())
    centre = np.eye(x.shape[1])
    centre[np.ix_(cards, cards)] -= 1 / count
    return made, centre @ beta, centre @ covariance @ centre


def test_sparse_fit_equals_statsmodels_with_a_dropped_reference():
    world = simulate.card_world(600, 12, np.linspace(-0.5, 0.5, 12), seed=1, deck_size=5)
    made, beta, covariance = _reference_fit(world)
    ours = adjusted.fit(made, prior=False)
    assert ours.coefficients == pytest.approx(beta, abs=1e-7)
    assert ours.covariance == pytest.approx(covariance, abs=1e-9)


def test_log_f_prior_equals_statsmodels_with_half_rows():
    world = simulate.card_world(60, 8, np.linspace(-0.5, 0.5, 8), seed=2, deck_size=4, bot_strength=(0.0,))
    made = world.design()
    x = made.x[:].toarray().astype(float)
    cards = np.flatnonzero((made.terms["kind"] == "card").to_numpy())
    pseudo = np.repeat(np.eye(x.shape[1])[cards], 2, axis=0)
    result = sm.GLM(
        np.r_[made.y, np.tile([1.0, 0.0], cards.size)],
        np.r_[x, pseudo],
        family=sm.families.Binomial(),
        freq_weights=np.r_[np.ones(len(made.y)), np.full(2 * cards.size, 0.5)],
    ).fit(tol=1e-14)
    ours = adjusted.fit(made)
    centred = result.params.copy()
    centred[cards] -= centred[cards].mean()
    assert ours.coefficients == pytest.approx(centred, abs=1e-6)


def test_card_that_won_all_its_games_stays_finite():
    rng = np.random.default_rng(3)
    counts = np.zeros((212, 1))
    counts[:12] = 1
    y = np.r_[np.ones(12), rng.integers(0, 2, 200)].astype(float)
    made = design.assemble(sparse.csr_matrix(counts), y, np.arange(212), ["winner"])
    fitted = adjusted.fit(made)
    row = adjusted.effects(fitted).iloc[0]
    alone = np.log(12.5 / 0.5)
    assert row["logit"] == pytest.approx(alone, abs=0.25)
    assert row["logit_se"] == pytest.approx(1.5, abs=0.15)
    assert row["separated"]
    with pytest.raises(ValueError, match="separates"):
        adjusted.fit(made, prior=False)


def test_cards_that_always_come_together_are_not_identified():
    rng = np.random.default_rng(4)
    counts = rng.integers(-1, 2, size=(400, 4))
    counts[:, 1] = counts[:, 0]
    made = design.assemble(
        sparse.csr_matrix(counts), rng.integers(0, 2, 400).astype(float), np.arange(400), ["twin a", "twin b", "c", "d"]
    )
    table = adjusted.effects(adjusted.fit(made)).set_index("card_id")
    assert table["identified"].to_dict() == {"twin a": False, "twin b": False, "c": True, "d": True}
    assert np.isnan(table.loc["twin a", "effect"])


def test_suits_with_their_own_constant_count_are_centred_on_their_own():
    rng = np.random.default_rng(5)
    games = 3000
    houses = np.eye(3)[rng.integers(0, 3, games)] - np.eye(3)[rng.integers(0, 3, games)]
    items = np.eye(4)[rng.integers(0, 4, games)] - np.eye(4)[rng.integers(0, 4, games)]
    beta = np.r_[0.3, 0.0, 0.0, 0.6, 0.0, 0.0, 0.0]
    y = (rng.random(games) < special.expit(np.c_[houses, items] @ beta)).astype(float)
    names = ["h1", "h2", "h3", "i1", "i2", "i3", "i4"]
    labels = pd.DataFrame({"suit": ["House"] * 3 + ["Item"] * 4, "level": 1}, index=names)
    made = design.assemble(sparse.csr_matrix(np.c_[houses, items]), y, np.arange(games), names, labels=labels)
    table = adjusted.effects(adjusted.fit(made)).set_index("card_id")
    assert table["identified"].all()
    assert table.loc[names[:3], "logit"].sum() == pytest.approx(0.0, abs=1e-8)
    assert table.loc[names[3:], "logit"].sum() == pytest.approx(0.0, abs=1e-8)
    assert abs(table.loc["i1", "logit"] - 0.45) < 4 * table.loc["i1", "logit_se"]


def test_class_levels_that_add_up_to_a_constant_are_centred_by_level():
    rng = np.random.default_rng(6)
    names, levels = ["c1", "c2", "c3", "c4"], np.array([3, 3, 2, 1])
    sets = np.array([[1, 1, 0, 0], [1, 0, 1, 1], [0, 1, 1, 1]])
    counts = sets[rng.integers(0, 3, 900)] - sets[rng.integers(0, 3, 900)]
    labels = pd.DataFrame({"suit": "Class", "level": levels}, index=names)
    made = design.assemble(
        sparse.csr_matrix(counts), rng.integers(0, 2, 900).astype(float), np.arange(900), names, labels=labels
    )
    fitted = adjusted.fit(made)
    cards = fitted.coefficients[1:]
    assert cards @ levels == pytest.approx(0.0, abs=1e-8)
    assert not fitted.identified[3:].any(), "c3 and c4 always come together"


def test_build_from_frames_equals_the_matrix():
    world = simulate.card_world(80, 9, np.zeros(9), seed=7, deck_size=4)
    matches, cards = simulate.frames(world)
    whole = design.build([(matches, cards)], cluster="pair_id")
    direct = world.design()
    assert (whole.x[:].toarray() == direct.x[:].toarray()).all()
    assert (whole.clusters == direct.clusters).all()
    cut = 60
    early = matches["match_id"] < cut
    rows = cards["match_id"] < cut
    chunked = design.build([(matches[early], cards[rows]), (matches[~early], cards[~rows])], cluster="pair_id")
    assert (chunked.x[:].toarray() == whole.x[:].toarray()).all()
    assert chunked.terms.equals(whole.terms)


def test_unfinished_matches_are_counted_not_hidden():
    world = simulate.card_world(40, 6, np.zeros(6), seed=8, deck_size=3)
    matches, cards = simulate.frames(world)
    matches.loc[[0, 5], "score_a"] = np.nan
    made = design.build([(matches, cards)])
    assert made.unfinished == 2
    assert made.x.shape[0] == 78


def test_archetype_terms_enter_as_differences():
    world = simulate.card_world(200, 6, np.zeros(6), seed=9, deck_size=3)
    matches, cards = simulate.frames(world)
    names = pd.unique(matches[["seat_a_deck", "seat_b_deck"]].to_numpy().ravel())
    kinds = {name: ("fast" if index % 3 else "slow") for index, name in enumerate(names)}
    made = design.build([(matches, cards)], archetypes=kinds)
    column = made.x[:].toarray()[:, -1]
    slow_a = (matches["seat_a_deck"].map(kinds) == "slow").to_numpy()
    slow_b = (matches["seat_b_deck"].map(kinds) == "slow").to_numpy()
    assert (column == slow_a.astype(int) - slow_b.astype(int)).all()
    assert made.terms.iloc[-1]["name"] == "slow"


def test_points_and_their_errors_follow_the_delta_method():
    world = simulate.card_world(1500, 8, np.linspace(-0.6, 0.6, 8), seed=10, deck_size=4)
    fitted = adjusted.fit(world.design())
    table = adjusted.effects(fitted)
    eta = fitted.linear
    beta = fitted.coefficients[1:9]
    exact = [0.5 * np.mean(special.expit(eta + b) - special.expit(eta - b)) for b in beta]
    assert table["effect"].to_numpy() == pytest.approx(exact, abs=2e-5)
    rng = np.random.default_rng(11)
    draws = rng.multivariate_normal(fitted.coefficients, fitted.covariance, size=1500)
    x = fitted.design.x[:].toarray().astype(float)
    effects = [0.5 * np.mean(special.expit(e + d[8]) - special.expit(e - d[8])) for d in draws for e in [x[::7] @ d]]
    assert np.std(effects) == pytest.approx(table["se"].iloc[7], rel=0.08)


def test_side_and_bot_terms_are_reported_apart():
    world = simulate.card_world(4000, 6, np.zeros(6), seed=12, deck_size=3, side=0.3, bot_strength=(0.0, 0.5))
    table = adjusted.terms(adjusted.fit(world.design())).set_index("name")
    assert table.loc["side A", "low"] < 0.3 < table.loc["side A", "high"]
    assert table.loc["bot1", "low"] < 0.5 < table.loc["bot1", "high"]


def _reused_decks(seed, decks, pairs=1500, cards=24, own=0.5):
    """Simulates random decks that play again and again, each with a strength that its cards do not add up to."""
    rng = np.random.default_rng(seed)
    held = np.zeros((decks, cards), dtype=np.int64)
    np.put_along_axis(held, np.argsort(rng.random((decks, cards)), axis=1)[:, :8], 1, axis=1)
    strength = rng.normal(0, own, decks)
    meet = np.array([rng.choice(decks, 2, replace=False) for _ in range(pairs)])
    a, b = np.stack([meet, meet[:, ::-1]], axis=1).reshape(-1, 2).T
    y = (rng.random(2 * pairs) < special.expit(strength[a] - strength[b])).astype(float)
    names = [f"c{card:02d}" for card in range(cards)]
    made = design.assemble(sparse.csr_matrix(held[a] - held[b]), y, np.repeat(np.arange(pairs), 2), names)
    return made, np.stack([a, b], axis=1)


def _flags(made):
    return (adjusted.effects(adjusted.fit(made))["p"] < 0.05).mean()


def test_what_a_deck_shares_over_its_opponents_is_allowed_for():
    pair, deck, calm = [], [], []
    for seed in range(100, 108):
        made, decks = _reused_decks(seed, decks=200)
        pair.append(_flags(made))
        deck.append(_flags(replace(made, decks=decks)))
        made, decks = _reused_decks(seed, decks=200, own=0.0)
        calm.append(_flags(replace(made, decks=decks)))
    assert np.mean(pair) > 0.2, "deck pairs alone would call many null cards strong or weak"
    assert np.mean(deck) <= 0.10
    assert 0.01 <= np.mean(calm) <= 0.08


def test_decks_that_play_once_change_nothing():
    world = simulate.card_world(300, 9, np.zeros(9), seed=13, deck_size=4)
    matches, cards = simulate.frames(world)
    pairs = adjusted.fit(design.build([(matches, cards)], cluster="pair_id"))
    decks = adjusted.fit(design.build([(matches, cards)], cluster="deck_pair"))
    assert decks.design.decks is not None
    assert np.diag(decks.covariance) == pytest.approx(np.diag(pairs.covariance), rel=0.01)


def _null_flags(runs: int, confounding: float, seed: int, pairs: int = 1500) -> tuple[float, float, float]:
    """Returns the share of null cards flagged by raw rates, without a bot term and with it."""
    raw, without, with_bots = [], [], []
    for run in range(runs):
        world = simulate.card_world(
            pairs, 60, np.zeros(60), seed=seed + run, deck_size=15, bot_strength=(0.0, 1.5), confounding=confounding
        )
        games = world.counts_a.sum(axis=0) + world.counts_b.sum(axis=0)
        wins = world.y @ world.counts_a + (1 - world.y) @ world.counts_b
        raw.append(2 * stats.norm.sf(np.abs(wins / games - 0.5) / np.sqrt(0.25 / games)) < 0.05)
        without.append(adjusted.effects(adjusted.fit(world.design(bots=False)))["p"] < 0.05)
        with_bots.append(adjusted.effects(adjusted.fit(world.design()))["p"] < 0.05)
    return float(np.mean(raw)), float(np.mean(without)), float(np.mean(with_bots))


def test_v4_bot_term_removes_confounding():
    raw, without, with_bots = _null_flags(8, confounding=1.0, seed=400)
    assert raw > 0.50
    assert without > 0.15
    assert 0.02 <= with_bots <= 0.085


@pytest.mark.slow
def test_v4_flag_rates_in_full(measured):
    raw, without, with_bots = _null_flags(60, confounding=1.0, seed=4000)
    measured("V4", "null cards flagged under confounding: raw", raw)
    measured("V4", "null cards flagged under confounding: no bot term", without)
    measured("V4", "null cards flagged under confounding: with bot term", with_bots)
    assert raw > 0.50
    assert 0.03 <= with_bots <= 0.07
    _, _, plain = _null_flags(30, confounding=0.0, seed=4500)
    measured("V4", "null cards flagged without confounding: with bot term", plain)
    assert 0.03 <= plain <= 0.07


def _recovery(runs: int, seed: int, pairs: int) -> tuple[float, float, float]:
    """Returns coverage of the points, and the correlation of adjusted and raw effects with the truth."""
    covered, correlation, raw_correlation = [], [], []
    for run in range(runs):
        rng = np.random.default_rng(seed + run)
        beta = rng.normal(0, 0.2, 60)
        world = simulate.card_world(pairs, 60, beta, seed=seed + run, deck_size=15, bot_strength=(0.0, 1.5), confounding=1.0)
        truth = world.true_points()
        table = adjusted.effects(adjusted.fit(world.design()))
        covered.append((table["low"] <= truth) & (truth <= table["high"]))
        correlation.append(np.corrcoef(truth, table["effect"])[0, 1])
        games = world.counts_a.sum(axis=0) + world.counts_b.sum(axis=0)
        raw = (world.y @ world.counts_a + (1 - world.y) @ world.counts_b) / games
        raw_correlation.append(np.corrcoef(truth, raw)[0, 1])
    return float(np.mean(covered)), float(np.mean(correlation)), float(np.mean(raw_correlation))


def test_v5_effects_are_recovered():
    coverage, correlation, raw = _recovery(6, seed=500, pairs=4000)
    assert 0.90 <= coverage <= 0.98
    assert correlation >= 0.95
    assert raw < correlation - 0.1


@pytest.mark.slow
def test_v5_coverage_in_full(measured):
    coverage, correlation, raw = _recovery(40, seed=5000, pairs=4000)
    measured("V5", "coverage of 95 % intervals", coverage)
    measured("V5", "correlation with the truth: adjusted", correlation)
    measured("V5", "correlation with the truth: raw", raw)
    assert 0.92 <= coverage <= 0.97
    assert correlation >= 0.95


@pytest.mark.slow
def test_hundreds_of_cards_and_two_hundred_thousand_matches_fit(measured):
    world = simulate.card_world(100_000, 400, np.random.default_rng(1).normal(0, 0.1, 400), seed=99, deck_size=30)
    fitted = adjusted.fit(world.design())
    table = adjusted.effects(fitted)
    truth = world.true_points()
    coverage = np.mean((table["low"] <= truth) & (truth <= table["high"]))
    measured("V5", "400 cards, 200,000 matches: coverage", coverage)
    measured("V5", "400 cards, 200,000 matches: correlation", np.corrcoef(truth, table["effect"])[0, 1])
    assert coverage == pytest.approx(0.95, abs=0.03)

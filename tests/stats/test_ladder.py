"""Ratings of bots and skill dependence of cards: exact fits, coverage (V11)."""

import numpy as np
import pandas as pd
import pytest
from scipy import special

from apotheosis.experiments.stats import ladder, tiers


def _matches(elo, pairs, seed, seat=20.0, draw=0.0):
    """Simulates mirrored pairs between all bots; ratings in Elo."""
    rng = np.random.default_rng(seed)
    names, rows, pair = list(elo), [], 0
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            for one, two in ((a, b), (b, a)):
                p = special.expit((elo[one] - elo[two] + seat) / ladder.ELO_PER_LOGIT)
                win = (rng.random(pairs) < p).astype(float)
                win = np.where(rng.random(pairs) < draw, 0.5, win)
                rows.append(
                    pd.DataFrame({"pair_id": pair + np.arange(pairs), "seat_a_bot": one, "seat_b_bot": two, "score_a": win})
                )
            pair += pairs
    table = pd.concat(rows, ignore_index=True).sort_values("pair_id", kind="stable", ignore_index=True)
    table["match_id"] = np.arange(len(table))
    table["seat_a_deck"], table["seat_b_deck"] = "x", "x"
    return table


ELO = {"random": 0.0, "greedy": 120.0, "search": 260.0, "b": 60.0, "c": 180.0, "d": 300.0}


def test_two_bots_have_the_elo_of_their_score():
    matches = _matches({"random": 0.0, "greedy": 100.0}, 2000, seed=1, seat=0.0)
    found = ladder.rate(matches)
    score = found.pairs.set_index(["a", "b"]).loc[("greedy", "random"), "score_a"]
    expected = -400 * np.log10(1 / score - 1)
    assert found.ratings.set_index("bot").loc["greedy", "elo"] == pytest.approx(expected, abs=1.5)
    assert found.ratings.set_index("bot").loc["random", "elo"] == 0.0


def test_anchor_is_zero_and_order_is_by_strength():
    found = ladder.rate(_matches(ELO, 100, seed=2))
    assert found.ratings["bot"].tolist()[0] == "d"
    assert found.ratings.set_index("bot").loc["random"][["elo", "low", "high"]].tolist() == [0.0, 0.0, 0.0]
    other = ladder.rate(_matches(ELO, 100, seed=2), anchor="d")
    shift = found.ratings.set_index("bot")["elo"] - other.ratings.set_index("bot")["elo"]
    assert shift.std() == pytest.approx(0.0, abs=1e-9)


def test_seat_and_draws_do_not_bend_ratings():
    found = ladder.rate(_matches(ELO, 400, seed=3, seat=60.0, draw=0.2))
    assert found.seat_elo > 30
    assert abs(found.ratings.set_index("bot").loc["b", "elo"]) < 60


def test_bot_that_never_loses_stays_finite_and_is_named():
    matches = _matches({"random": 0.0, "greedy": 100.0, "god": 9000.0}, 60, seed=4)
    found = ladder.rate(matches)
    assert np.isfinite(found.ratings[["elo", "low", "high"]].to_numpy()).all()
    assert found.ratings["bot"][0] == "god"


def test_single_bot_is_no_ladder():
    matches = _matches({"random": 0.0, "greedy": 0.0}, 5, seed=5)
    matches[["seat_a_bot", "seat_b_bot"]] = "random"
    with pytest.raises(ValueError, match="at least two bots"):
        ladder.rate(matches)


def _coverage(runs, pairs, seed):
    single, joint, errors = [], [], []
    truth = pd.Series(ELO)
    for run in range(runs):
        table = ladder.rate(_matches(ELO, pairs, seed + run)).ratings.set_index("bot")
        others = table.index != "random"
        miss = (table["elo"] - truth[table.index])[others]
        single.append(np.abs(miss) <= 1.96 * table.loc[others, "se"])
        joint.append(((table["low"] <= truth[table.index]) & (truth[table.index] <= table["high"])).all())
        errors.append((miss - miss.mean()).to_numpy())
    return float(np.mean(single)), float(np.mean(joint)), float(np.std(errors))


def test_v11_coverage_quickly():
    single, joint, _ = _coverage(40, 60, seed=1100)
    assert single == pytest.approx(0.95, abs=0.06)
    assert joint >= 0.85


@pytest.mark.slow
def test_v11_coverage_in_full(measured):
    single, joint, errors = _coverage(400, 300, seed=11_000)
    measured(
        "V11",
        "6 bots, 300 games per ordered pair: standard error of a rating about the mean of the bots, in Elo",
        errors,
    )
    measured("V11", "coverage of single 95 % intervals", single)
    measured("V11", "coverage of the simultaneous intervals", joint)
    assert single == pytest.approx(0.95, abs=0.02)
    assert joint == pytest.approx(0.95, abs=0.03)


def _tiers(change, seed=1, cards=40, se=0.008):
    rng = np.random.default_rng(seed)
    base = rng.normal(0, 0.03, cards)
    rows = []
    for step, tier in enumerate(["random", "greedy", "search"]):
        truth = base + np.where(np.arange(cards) == 0, change * step / 2, 0.0)
        rows.append(
            pd.DataFrame(
                {
                    "tier": tier,
                    "card_id": [f"c{i:02d}" for i in range(cards)],
                    "effect": truth + rng.normal(0, se, cards),
                    "se": se,
                }
            )
        )
    return pd.concat(rows, ignore_index=True)


def test_agreement_is_high_where_effects_are_equal():
    table = tiers.agreement(_tiers(0.0), seed=1)
    assert len(table) == 3
    assert (table["tau"] > 0.5).all()
    assert ((table["low"] <= table["tau"]) & (table["tau"] <= table["high"])).all()
    shuffled = _tiers(0.0)
    shuffled.loc[shuffled["tier"] == "search", "effect"] = np.random.default_rng(2).normal(0, 0.03, 40)
    assert tiers.agreement(shuffled, seed=1).set_index(["low_tier", "high_tier"]).loc[("random", "search"), "tau"] < 0.3


@pytest.mark.parametrize(("change", "label"), [(0.08, "expert card"), (-0.08, "beginner trap")])
def test_skill_dependence_is_labelled(change, label):
    table = tiers.interaction(_tiers(change)).set_index("card_id")
    assert table.loc["c00", "label"] == label
    assert table.loc["c00", "change"] == pytest.approx(change, abs=0.03)
    assert (table["label"].iloc[1:].isin(["stable", "unclear"])).mean() > 0.9


def test_exact_effects_are_stable_and_noisy_ones_unclear():
    assert (tiers.interaction(_tiers(0.0, se=0.001))["label"] == "stable").mean() > 0.9
    assert (tiers.interaction(_tiers(0.0, se=0.03))["label"] == "unclear").all()


def test_interaction_p_is_uniform_without_interaction():
    p = np.concatenate([tiers.interaction(_tiers(0.0, seed=s))["p"] for s in range(20)])
    assert np.mean(p < 0.05) == pytest.approx(0.05, abs=0.02)


def test_card_seen_by_one_tier_has_no_test():
    one = _tiers(0.0)
    one = one[(one["card_id"] != "c05") | (one["tier"] == "random")]
    row = tiers.interaction(one).set_index("card_id").loc["c05"]
    assert np.isnan(row["p"])
    assert row["label"] == "unclear"

"""Rarity and price: scipy and statsmodels, each target's states, error rates (V13)."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.regression.linear_model import WLS
from statsmodels.stats.oneway import anova_oneway

from apotheosis.experiments.stats import price_line, rarity

ORDER = ["Common", "Uncommon", "Rare", "Epic", "Legendary"]


def _cards(rng, means, per=30, sd=0.03, se=0.01):
    groups = np.repeat(ORDER[: len(means)], per)
    truth = np.repeat(means, per) + rng.normal(0, sd, groups.size)
    return truth + rng.normal(0, se, groups.size), np.full(groups.size, se), groups


def _rank(groups):
    return np.array([ORDER.index(name) for name in groups])


def test_group_table_takes_noise_out_of_the_spread():
    effect, se, groups = _cards(np.random.default_rng(1), [0.0, 0.05], per=400, sd=0.03, se=0.04)
    table = rarity.group_table(effect, se, groups, order=ORDER).set_index("group")
    assert table.loc["Uncommon", "mean"] == pytest.approx(0.05, abs=0.01)
    assert table["spread"].to_numpy() == pytest.approx([0.03, 0.03], abs=0.006)
    assert effect[groups == "Common"].std() > 0.045
    assert table.loc["Common", "se"] == pytest.approx(stats.sem(effect[groups == "Common"]))


def test_weights_move_the_mean_to_the_cards_that_are_played():
    effect, groups = np.array([0.0, 0.1, 0.0, 0.1]), np.array(["Common"] * 2 + ["Rare"] * 2)
    table = rarity.group_table(effect, np.full(4, 0.01), groups, weights=[1, 3, 1, 1], order=ORDER)
    assert table["mean"].tolist() == pytest.approx([0.075, 0.05])


def test_equality_is_welchs_test():
    effect, _, groups = _cards(np.random.default_rng(2), [0.0, 0.01, 0.02])
    ours = rarity.equality(effect, groups)
    reference = anova_oneway([effect[groups == name] for name in sorted(set(groups))], use_var="unequal")
    assert (ours.statistic, ours.p) == pytest.approx((reference.statistic, reference.pvalue))
    assert ours.alexander_govern_p == pytest.approx(ours.p, abs=0.05)


def test_single_cards_form_no_group():
    assert np.isnan(rarity.equality([0.1, 0.2, 0.3], ["a", "b", "c"]).p)


def test_equal_weights_give_nearly_the_unweighted_answer():
    effect, _, groups = _cards(np.random.default_rng(3), [0.0, 0.01, 0.02], per=60)
    weighted = rarity.equality(effect, groups, weights=np.full(effect.size, 7.0))
    assert weighted.p == pytest.approx(rarity.equality(effect, groups).p, abs=0.03)


def test_equivalence_needs_evidence_not_its_absence():
    rng = np.random.default_rng(4)
    few = rarity.equivalence(*_cards(rng, [0.0, 0.0, 0.0], per=5)[::2], margin=0.01)
    many = rarity.equivalence(*_cards(rng, [0.0, 0.0, 0.0], per=600)[::2], margin=0.01)
    apart = rarity.equivalence(*_cards(rng, [0.0, 0.0, 0.03], per=600)[::2], margin=0.01)
    assert few.p > 0.05 > many.p
    assert apart.p > 0.9
    assert "Rare" in apart.pair
    assert many.wellek_p < 0.05 < apart.wellek_p


def test_two_groups_equal_the_textbook_tost():
    effect, _, groups = _cards(np.random.default_rng(5), [0.0, 0.004], per=80)
    x, y = effect[groups == "Common"], effect[groups == "Uncommon"]
    upper = stats.ttest_ind(x - 0.02, y, equal_var=False, alternative="less").pvalue
    lower = stats.ttest_ind(x + 0.02, y, equal_var=False, alternative="greater").pvalue
    assert rarity.equivalence(effect, groups, 0.02).p == pytest.approx(max(upper, lower))


def test_trend_and_ramp_see_a_rise():
    effect, _, groups = _cards(np.random.default_rng(60), [0.0, 0.02, 0.04, 0.06])
    found = rarity.trend(effect, _rank(groups))
    assert found.somers_d > 0.3
    assert found.p < 1e-6
    slope = rarity.ramp(effect, _rank(groups))
    assert slope.low < 0.02 < slope.high


def test_ramp_equals_least_squares_with_hc3():
    effect, _, groups = _cards(np.random.default_rng(7), [0.0, 0.02, 0.04], per=12)
    weights = np.random.default_rng(8).uniform(1, 5, effect.size)
    x = np.stack([np.ones(effect.size), _rank(groups)], axis=1)
    reference = WLS(effect, x, weights=weights).fit(cov_type="HC3")
    ours = rarity.ramp(effect, _rank(groups), weights)
    assert (ours.estimate, ours.se) == pytest.approx((reference.params[1], reference.bse[1]))


def test_ramp_covers_its_truth():
    rng = np.random.default_rng(9)
    covered = []
    for _ in range(300):
        effect, _, groups = _cards(rng, [0.0, 0.01, 0.02, 0.03], per=15)
        covered.append(rarity.ramp(effect, _rank(groups)).covers(0.01))
    assert np.mean(covered) == pytest.approx(0.95, abs=0.03)


def test_shape_marks_the_group_that_breaks_the_rise():
    table = rarity.shape([0.0, 0.0, 0.05, 0.05, 0.01, 0.01, 0.06, 0.06], [0, 0, 1, 1, 2, 2, 3, 3])
    assert (np.diff(table["rising"]) >= 0).all()
    assert table["violation"].tolist() == pytest.approx([0.0, 0.02, 0.02, 0.0])


@pytest.mark.parametrize(
    ("means", "target", "state"),
    [
        ([0.0, 0.0, 0.0], "equal_power", "holds"),
        ([0.0, 0.0, 0.05], "equal_power", "fails"),
        ([0.0, 0.01, 0.02], "gentle_ramp", "holds"),
        ([0.0, 0.05, 0.06], "gentle_ramp", "fails"),
        ([0.03, 0.0, 0.01], "gentle_ramp", "fails"),
        ([0.0, 0.0, 0.02], "equal_power", "open"),
    ],
)
def test_each_target_has_its_states(means, target, state):
    effect, se, groups = _cards(np.random.default_rng(10), means, per=800)
    table = rarity.targets(effect, se, groups, ORDER, margin=0.02, step=0.02).set_index("target")
    assert table.loc[target, "state"] == state


def test_card_above_the_next_rarity_breaks_the_bounded_spread():
    effect, se, groups = _cards(np.random.default_rng(11), [0.0, 0.02], per=50, sd=0.005)
    assert rarity.targets(effect, se, groups, ORDER).set_index("target").loc["bounded_spread", "state"] == "holds"
    effect[3] = 0.2
    broken = rarity.targets(effect, se, groups, ORDER).set_index("target").loc["bounded_spread"]
    assert (broken["state"], broken["value"], broken["where"]) == ("fails", 1, "Common / Uncommon")


def _type_one(runs, seed):
    rng = np.random.default_rng(seed)
    welch, alexander, jonckheere, powered = [], [], [], []
    for _ in range(runs):
        sizes = [40, 30, 20, 12]
        groups = np.repeat(np.arange(4), sizes)
        effect = rng.normal(0, np.repeat([0.1, 0.15, 0.2, 0.12], sizes))
        equal = rarity.equality(effect, groups)
        welch.append(equal.p < 0.05)
        alexander.append(equal.alexander_govern_p < 0.05)
        jonckheere.append(rarity.trend(effect, groups).p < 0.05)
        powered.append(rarity.trend(effect + 0.08 * groups, groups).p < 0.05)
    return [float(np.mean(part)) for part in (welch, alexander, jonckheere, powered)]


def test_v13_type_one_errors(measured):
    welch, alexander, jonckheere, powered = _type_one(800, seed=1300)
    measured("V13", "type I error: Welch", welch)
    measured("V13", "type I error: Alexander-Govern", alexander)
    measured("V13", "type I error: trend (Somers' D)", jonckheere)
    measured("V13", "power of the trend test at 0.08 logit per step", powered)
    assert 0.03 <= welch <= 0.07
    assert 0.03 <= alexander <= 0.07
    assert 0.03 <= jonckheere <= 0.07
    assert powered > 0.95


def _priced(rng, cards=200, slope=0.02, tau=0.015, se=0.01, bend=0.0):
    cost = rng.integers(0, 9, cards).astype(float)
    score = rng.normal(5, 1, cards)
    truth = -0.05 + slope * cost - bend * cost**2 + 0.01 * (score - 5) + rng.normal(0, tau, cards)
    effect = truth + rng.normal(0, se, cards)
    return pd.DataFrame({"effect": effect, "se": se, "cost": cost, "score": score, "truth": truth})


def test_line_recovers_slope_and_spread_of_efficiency():
    found = price_line.fit_price_line(_priced(np.random.default_rng(12), 600), "cost", ["score"])
    assert found.spline
    at = found.curve.set_index("cost")["power"]
    assert (at.iloc[-1] - at.iloc[0]) / 8 == pytest.approx(0.02, abs=0.002)
    assert found.tau == pytest.approx(0.015, abs=0.003)
    row = found.coefficients.set_index("name").loc["score"]
    assert abs(row["estimate"] - 0.01) < 3 * row["se"]


def test_few_different_costs_give_a_straight_line():
    table = _priced(np.random.default_rng(13), 60)
    table["cost"] = table["cost"] % 3
    table["effect"] = 0.02 * table["cost"] + np.random.default_rng(14).normal(0, 0.01, 60)
    found = price_line.fit_price_line(table, "cost")
    assert not found.spline
    slope = found.coefficients.set_index("name").loc["cost", "estimate"]
    assert slope == pytest.approx(0.02, abs=0.004)


def test_straight_line_equals_weighted_least_squares():
    table = _priced(np.random.default_rng(15), 20)
    found = price_line.fit_price_line(table, "cost")
    assert not found.spline
    x = np.stack([np.ones(20), table["cost"]], axis=1)
    reference = WLS(table["effect"], x, weights=1 / (table["se"] ** 2 + found.tau**2)).fit()
    assert found.cards["fitted"].to_numpy() == pytest.approx(reference.fittedvalues.to_numpy())


def test_curved_line_is_followed():
    table = _priced(np.random.default_rng(16), 800, slope=0.04, bend=0.003)
    found = price_line.fit_price_line(table, "cost")
    truth = 0.04 * found.curve["cost"] - 0.003 * found.curve["cost"] ** 2 - 0.05
    assert np.abs(found.curve["power"] - truth).max() < 0.012


def test_worth_is_the_cost_on_the_line_with_the_same_power():
    rng = np.random.default_rng(17)
    table = _priced(rng, 300, se=0.001)
    table.loc[0, ["cost", "score"]] = [3.0, 5.0]
    table.loc[0, "effect"] = -0.05 + 0.02 * 4.3
    found = price_line.fit_price_line(table, "cost", ["score"])
    assert found.cards.loc[0, "worth"] == pytest.approx(4.3, abs=0.35)
    assert found.cards.loc[0, "low"] > 0
    flat = price_line.fit_price_line(_priced(rng, 300, slope=-0.02), "cost")
    assert flat.cards["worth"].isna().all()


def test_residual_intervals_and_shrunk_efficiency_cover():
    rng = np.random.default_rng(18)
    raw, shrunk = [], []
    for _ in range(40):
        table = _priced(rng, 120)
        found = price_line.fit_price_line(table, "cost", ["score"]).cards
        truth = table["truth"] - (-0.05 + 0.02 * table["cost"] + 0.01 * (table["score"] - 5))
        raw.append((found["low"] <= truth) & (truth <= found["high"]))
        shrunk.append(np.abs(found["efficiency"] - truth) <= 1.96 * found["efficiency_sd"])
    assert np.mean(raw) == pytest.approx(0.95, abs=0.03)
    assert np.mean(shrunk) == pytest.approx(0.95, abs=0.03)


def test_cards_without_a_cost_get_no_residual_and_too_few_are_refused():
    table = _priced(np.random.default_rng(19), 30)
    table.loc[4, "cost"] = np.nan
    found = price_line.fit_price_line(table, "cost")
    assert found.cards.loc[4].isna().all()
    with pytest.raises(ValueError, match="needs 4 cards"):
        price_line.fit_price_line(table.iloc[:3], "cost")


def test_weights_by_copies_played_pull_the_line():
    table = pd.DataFrame({"cost": [0.0, 0.0, 1.0, 1.0, 2.0, 2.0], "effect": [0.0, 0.1, 0.0, 0.1, 0.0, 0.1], "se": 0.01})
    table["played"] = [1, 99, 1, 99, 1, 99]
    plain = price_line.fit_price_line(table, "cost")
    played = price_line.fit_price_line(table, "cost", weights="played")
    assert plain.cards["fitted"].mean() == pytest.approx(0.05)
    assert played.cards["fitted"].mean() > 0.09

"""False discoveries and verdicts: statsmodels, logic of each verdict, and known truth (V6)."""

import numpy as np
import pytest
import simulate
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from apotheosis.experiments.stats import adjusted, fdr, shrinkage, verdicts
from apotheosis.experiments.stats.verdicts import Verdict


@pytest.mark.parametrize("method", ["bh", "by"])
def test_q_values_equal_statsmodels(method):
    p = np.random.default_rng(1).random(50) ** 3
    assert fdr.adjust(p, method) == pytest.approx(multipletests(p, 0.1, f"fdr_{method}")[1])


def test_cards_without_p_value_do_not_count():
    with_gap = fdr.adjust([0.01, np.nan, 0.04])
    assert np.isnan(with_gap[1])
    assert with_gap[[0, 2]] == pytest.approx(fdr.adjust([0.01, 0.04]))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_q_is_never_below_p(p):
    assert (fdr.adjust(p) >= np.array(p) - 1e-12).all()


def test_p_values_are_two_sided_normal():
    assert fdr.p_values([1.96, -1.96, 0.0], [1, 1, 1]) == pytest.approx(2 * stats.norm.sf([1.96, 1.96, 0.0]))


def _judge(effect, se, games=5000, **more):
    b, s = np.atleast_1d(effect).astype(float), np.atleast_1d(se).astype(float)
    return verdicts.judge(b, s, b, s, np.full(b.size, games), **more)


@pytest.mark.parametrize(
    ("effect", "se", "expected"),
    [
        (0.06, 0.01, Verdict.TOO_STRONG),
        (-0.06, 0.01, Verdict.TOO_WEAK),
        (0.001, 0.005, Verdict.WITHIN),
        (0.03, 0.02, Verdict.UNDECIDED),
        (0.019, 0.004, Verdict.UNDECIDED),
        (np.nan, np.nan, Verdict.NONE),
    ],
)
def test_each_verdict_has_its_case(effect, se, expected):
    assert _judge(effect, se)["verdict"][0] == expected


def test_all_three_conditions_are_needed():
    assert _judge(0.06, 0.01, games=100)["verdict"][0] == Verdict.UNDECIDED
    crowd = np.r_[0.052, np.zeros(500)]
    alone = _judge(0.052, 0.018)
    among = _judge(crowd, np.r_[0.018, np.full(500, 0.018)])
    assert alone["verdict"][0] == Verdict.TOO_STRONG
    assert among["verdict"][0] == Verdict.UNDECIDED
    shrunk = verdicts.judge([0.06], [0.01], [0.02], [0.01], [5000])
    assert shrunk["verdict"][0] == Verdict.UNDECIDED


def test_blocked_card_has_no_verdict_and_no_weight_in_the_correction():
    table = _judge([0.06, 0.2], [0.01, 0.01], blocked=[False, True])
    assert table["verdict"].tolist() == [Verdict.TOO_STRONG, Verdict.NONE]
    assert table["q"][0] == table["p"][0]
    assert np.isnan(table["more_games"][1])


def test_open_cards_say_for_how_long():
    table = _judge([0.03, 0.06], [0.02, 0.01])
    assert table["more_games"][0] > 0
    assert np.isnan(table["more_games"][1])


def test_few_games_ask_at_least_for_the_minimum():
    assert _judge(0.3, 0.01, games=50)["more_games"][0] >= 150


def test_more_games_settle_about_four_in_five():
    rng = np.random.default_rng(4)
    settled = []
    for truth in (0.0, 0.035, 0.05, -0.04):
        se, games = 0.02, 2000.0
        more = float(verdicts.more_games(truth, se, games))
        later = se * np.sqrt(games / (games + more))
        again = truth + later * rng.standard_normal(2000)
        settled.append(np.mean(_judge(again, np.full(2000, later), games=10**6)["verdict"] != Verdict.UNDECIDED))
    assert min(settled) > 0.6
    assert np.mean(settled) == pytest.approx(0.8, abs=0.1)


def test_number_of_games_has_two_digits():
    assert verdicts.more_games([0.035], [0.0177], [1234.0])[0] % 10 == 0


def _discoveries(runs, seed, null=False):
    """Returns the false share of listed cards, and the share of runs that list any card, on simulated worlds."""
    rng = np.random.default_rng(seed)
    false_share, any_listed, wrong_verdicts = [], [], []
    for run in range(runs):
        beta = np.where(rng.random(60) < 0.3, rng.normal(0, 0.25, 60), 0.0) * (not null)
        world = simulate.card_world(1500, 60, beta, seed=seed + run, deck_size=15)
        table = adjusted.effects(adjusted.fit(world.design()))
        listed = fdr.adjust(table["p"]) <= (0.05 if null else 0.10)
        tiny = np.abs(beta - beta.mean()) < 0.03
        false_share.append((listed & tiny).sum() / max(listed.sum(), 1))
        any_listed.append(listed.any())
        shrunk = shrinkage.shrink(table["effect"], table["se"])
        judged = verdicts.judge(table["effect"], table["se"], shrunk["mean"], shrunk["sd"], table["sides"])
        truth = world.true_points()
        strong, weak = judged["verdict"] == Verdict.TOO_STRONG, judged["verdict"] == Verdict.TOO_WEAK
        within = judged["verdict"] == Verdict.WITHIN
        wrong = (strong & (truth < 0.02)) | (weak & (truth > -0.02)) | (within & (np.abs(truth) > 0.02))
        wrong_verdicts.append(wrong.sum() / max((strong | weak | within).sum(), 1))
    return float(np.mean(false_share)), float(np.mean(any_listed)), float(np.mean(wrong_verdicts))


def test_v6_false_discoveries_are_held():
    false_share, _, wrong = _discoveries(15, seed=600)
    assert false_share <= 0.12
    assert wrong <= 0.05


@pytest.mark.slow
def test_v6_in_full(measured):
    false_share, _, wrong = _discoveries(120, seed=6000)
    _, any_listed, _ = _discoveries(120, seed=6500, null=True)
    measured("V6", "false-discovery rate at q = 0.10", false_share)
    measured("V6", "any card listed under the complete null at 0.05", any_listed)
    measured("V6", "wrong among the verdicts given", wrong)
    assert false_share <= 0.12
    assert any_listed <= 0.07
    assert wrong <= 0.05

"""Intervals of rates: closed forms, statsmodels, and coverage against known truth (V8)."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from apotheosis.experiments.stats import intervals
from apotheosis.experiments.stats.moments import ClusterMoments


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (3, 10), (10, 10), (512, 1000)])
def test_wilson_equals_statsmodels(wins, games):
    low, high = proportion_confint(wins, games, method="wilson")
    ours = intervals.wilson(wins, games)
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=1e-12)


def test_wilson_equals_its_closed_form_at_four_of_ten():
    z = stats.norm.ppf(0.975)
    centre = (0.4 + z * z / 20) / (1 + z * z / 10)
    half = z * np.sqrt(0.24 / 10 + z * z / 400) / (1 + z * z / 10)
    ours = intervals.wilson(4, 10)
    assert ours.low == pytest.approx(centre - half)
    assert ours.high == pytest.approx(centre + half)


@pytest.mark.parametrize(("wins", "games"), [(1, 10), (5, 10), (9, 10)])
def test_jeffreys_equals_statsmodels_inside(wins, games):
    low, high = proportion_confint(wins, games, method="jeffreys")
    ours = intervals.jeffreys(wins, games)
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=1e-12)


def test_jeffreys_reaches_the_ends_where_statsmodels_does_not():
    assert intervals.jeffreys(0, 10).low == 0.0
    assert intervals.jeffreys(10, 10).high == 1.0
    assert proportion_confint(0, 10, method="jeffreys")[0] > 0.0


def test_no_games_give_nan_not_an_error():
    assert np.isnan(intervals.wilson(0, 0).estimate)
    assert np.isnan(intervals.jeffreys(0, 0).low)


def test_arrays_and_scalars_agree():
    many = intervals.wilson(np.array([1, 5]), np.array([9, 9]))
    assert many.low[1] == pytest.approx(intervals.wilson(5, 9).low)


def test_cluster_mean_of_singletons_is_the_t_interval():
    values = np.array([0.0, 1.0, 1.0, 0.5, 0.0, 1.0])
    ours = intervals.cluster_mean(values, np.arange(6))
    expected = stats.t.interval(0.95, 5, values.mean(), stats.sem(values))
    assert (ours.low, ours.high) == pytest.approx(expected)


def test_cluster_ratio_weights_games_not_clusters():
    ours = intervals.cluster_ratio([1, 0, 0, 0], [1, 1, 1, 1], ["a", "b", "b", "b"])
    assert ours.estimate == pytest.approx(0.25)
    assert intervals.cluster_mean([1, 0, 0, 0], ["a", "b", "b", "b"]).estimate == pytest.approx(0.5)


def test_cluster_moments_give_the_same_ratio_interval():
    rng = np.random.default_rng(1)
    clusters = np.repeat(np.arange(40), 3)
    counts, wins = np.ones(120), (rng.random(120) < 0.4).astype(float)
    direct = intervals.cluster_ratio(wins, counts, clusters)
    cells = np.stack([np.bincount(clusters, wins), np.bincount(clusters, counts)], axis=1)
    halves = [ClusterMoments.from_cells(np.zeros(20, dtype=int), part, 1) for part in (cells[:20], cells[20:])]
    merged = (halves[0] + halves[1]).ratio(0, 1)
    assert merged.estimate[0] == pytest.approx(direct.estimate)
    assert merged.se[0] == pytest.approx(direct.se)
    assert merged.low[0] == pytest.approx(direct.low)


def test_seat_standardised_rate_ignores_the_share_of_games_in_a_seat():
    few, many = intervals.wilson(6, 10), intervals.wilson(400, 1000)
    ours = intervals.seat_standardised(few, many)
    assert ours.estimate == pytest.approx(0.5)
    assert ours.se == pytest.approx(np.sqrt(0.24 / 10 + 0.24 / 1000) / 2)


def _clustered(rate: float, clusters: int, runs: int, seed: int):
    """Returns wins and games of `runs` worlds of clusters of four alike games, shape (runs, clusters)."""
    rng = np.random.default_rng(seed)
    wins = rng.binomial(4, rng.beta(rate * 3.5, (1 - rate) * 3.5, size=(runs, clusters)))
    return wins, np.full((runs, clusters), 4)


def _ways(wins, games):
    """Yields one interval of the same world by each of the ways of clusters."""
    at = np.arange(wins.size)
    yield intervals.cluster_ratio(wins, games, at)
    yield intervals.cluster_share(wins / games, at)
    cells = np.stack([wins, games], axis=1).astype(float)
    moments = ClusterMoments.from_cells(np.zeros(wins.size, dtype=int), cells, 1)
    yield moments.ratio(0, 1)
    yield moments.ratio_mean((0, 1), (0, 1))


@pytest.mark.parametrize("rate", [0.003, 0.02, 0.5, 0.98, 0.997])
def test_limits_of_rates_stay_between_0_and_1_and_hold_the_estimate(rate):
    for wins, games in zip(*_clustered(rate, 12, 200, seed=3), strict=True):
        for found in _ways(wins, games):
            low, estimate, high = (float(np.ravel(part)[0]) for part in (found.low, found.estimate, found.high))
            assert 0 <= low <= estimate <= high <= 1
            assert high > low


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.5, 0.95])
def test_limits_of_clustered_rates_cover_also_near_the_ends(rate):
    wins, games = _clustered(rate, 60, 2000, seed=5)
    covered = [intervals.cluster_ratio(w, g, np.arange(60)).covers(rate) for w, g in zip(wins, games, strict=True)]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.025)


def test_with_clusters_of_one_game_the_limits_are_those_of_wilson():
    wins = np.array([1, 0, 1, 1, 0, 1, 1, 1, 0, 1] * 30)
    rate, se = wins.mean(), np.sqrt(wins.var() / wins.size)
    ours = intervals.rate_interval(rate, se, wins.size, stats.norm.ppf(0.975))
    plain = intervals.wilson(wins.sum(), wins.size)
    assert (ours.low, ours.high) == pytest.approx((plain.low, plain.high))


def test_clusters_that_all_won_leave_room_below_and_one_cluster_says_nothing():
    found = intervals.cluster_ratio([2, 2, 2, 2], [2, 2, 2, 2], [1, 2, 3, 4])
    assert found.high == 1.0 and 0.2 < found.low < 0.8
    assert np.isnan(intervals.cluster_ratio([2], [2], [1]).low)


def test_pairs_that_all_split_have_no_width():
    found = intervals.cluster_share([1, 0, 1, 0, 1, 0], [1, 1, 2, 2, 3, 3])
    assert (found.low, found.estimate, found.high) == (0.5, 0.5, 0.5)


def test_level_outside_the_unit_interval_is_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        intervals.wilson(1, 2, level=1.5)


def _coverage(runs: int, seed: int) -> tuple[float, float, float]:
    """Returns coverage of Wilson on independent games, naive Wilson on clustered games, and cluster means."""
    rng = np.random.default_rng(seed)
    clusters, size = 60, 4
    independent = intervals.wilson(rng.binomial(240, 0.55, runs), 240)
    rates = rng.beta(0.55 * 3.5, 0.45 * 3.5, size=(runs, clusters))
    wins = rng.binomial(size, rates)
    naive = intervals.wilson(wins.sum(axis=1), clusters * size)
    means = wins / size
    half = stats.t.ppf(0.975, clusters - 1) * means.std(axis=1, ddof=1) / np.sqrt(clusters)
    by_cluster = np.abs(means.mean(axis=1) - 0.55) <= half
    one = intervals.cluster_mean(np.repeat(means[0], size), np.repeat(np.arange(clusters), size))
    assert one.high - one.low == pytest.approx(2 * half[0])
    return float(np.mean(independent.covers(0.55))), float(np.mean(naive.covers(0.55))), float(by_cluster.mean())


def test_v8_coverage_of_wilson_and_cluster_means(measured):
    independent, naive, clustered = _coverage(4000, seed=8)
    measured("V8", "coverage of Wilson, independent games", independent)
    measured("V8", "coverage of Wilson, four games per cluster", naive)
    measured("V8", "coverage of cluster means", clustered)
    assert independent == pytest.approx(0.95, abs=0.015)
    assert clustered == pytest.approx(0.95, abs=0.015)
    assert naive == pytest.approx(0.87, abs=0.02)

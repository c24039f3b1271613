"""Sequential tests: published vectors, closed forms, error rates and lengths (V1, V2)."""

import numpy as np
import pytest
import simulate
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from apotheosis.experiments.stats import confidence_sequence, power, sprt, three_way
from apotheosis.experiments.stats.pairs import CELLS, pentanomial

FASTCHESS = [379, 10170, 21828, 10640, 343]
MONTYTEST = [13, 37, 50, 25, 3]


def _reference_llr(counts, s0, s1):
    """Computes the exact likelihood ratio one root at a time with brentq."""
    n = np.where(np.asarray(counts) == 0, 1e-3, np.asarray(counts, dtype=float))
    p = n / n.sum()

    def tilted(s):
        def f(x):
            return float(np.sum(p * (CELLS - s) / (1 + x * (CELLS - s))))

        edge = 1e-12
        return p / (1 + optimize.brentq(f, -1 / (1 - s) + edge, 1 / s - edge, xtol=1e-15) * (CELLS - s))

    return n.sum() * np.sum(p * np.log(tilted(s1) / tilted(s0)))


def test_v1_published_vector_of_fastchess(measured):
    exact, closed = sprt.llr_nelo(FASTCHESS, 0, 2), sprt.llr_nelo_approx(FASTCHESS, 0, 2)
    measured("V1", "fastchess#783: nElo", f"{sprt.nelo(FASTCHESS):.4f}")
    measured("V1", "fastchess#783: LLR exact / closed form", f"{exact:.5f} / {closed:.5f}")
    assert sprt.nelo(FASTCHESS) == pytest.approx(3.05, abs=1e-3)
    assert exact == pytest.approx(2.94598, abs=1e-3)
    assert closed == pytest.approx(2.94598, abs=1e-5)
    quadratic = sprt.llr_approx(FASTCHESS, 0.5, 0.5 + 2 * np.sqrt(2 * _variance(FASTCHESS)) * np.log(10) / 800)
    assert quadratic == pytest.approx(2.94610, abs=1e-3)


def test_v1_published_vector_of_montytest(measured):
    s1 = sprt.score_from_elo(2.716)
    exact, closed = sprt.llr(MONTYTEST, 0.5, s1), sprt.llr_approx(MONTYTEST, 0.5, s1)
    measured("V1", "montytest: LLR exact / approximation", f"{exact:.5f} / {closed:.5f}")
    assert exact == pytest.approx(-0.53772, abs=1e-3)
    assert closed == pytest.approx(-0.55961, abs=1e-3)


def _variance(counts):
    p = np.asarray(counts) / np.sum(counts)
    return p @ CELLS**2 - (p @ CELLS) ** 2


@given(st.lists(st.integers(0, 200), min_size=5, max_size=5).filter(lambda n: sum(n) > 0), st.floats(0.01, 0.1))
def test_exact_llr_equals_a_root_finder(counts, delta):
    assert sprt.llr(counts, 0.5, 0.5 + delta) == pytest.approx(_reference_llr(counts, 0.5, 0.5 + delta), abs=1e-6)


def test_exact_and_approximation_agree_near_even_and_part_far_from_it():
    near = [100, 800, 2000, 820, 110]
    assert sprt.llr(near, 0.5, 0.505) == pytest.approx(sprt.llr_approx(near, 0.5, 0.505), abs=2e-3)
    far = [40, 40, 20, 20, 5]
    assert abs(sprt.llr(far, 0.5, 0.52) - sprt.llr_approx(far, 0.5, 0.52)) > 0.05


def test_llr_is_antisymmetric():
    assert sprt.llr(MONTYTEST, 0.48, 0.52) == pytest.approx(-sprt.llr(MONTYTEST[::-1], 0.48, 0.52))
    assert sprt.llr(MONTYTEST, 0.48, 0.52) == pytest.approx(-sprt.llr(MONTYTEST, 0.52, 0.48))


def test_many_count_vectors_at_once_equal_one_by_one():
    many = np.array([FASTCHESS, MONTYTEST])
    assert sprt.llr(many, 0.5, 0.51) == pytest.approx([sprt.llr(row, 0.5, 0.51) for row in many])


def test_units_convert_both_ways():
    assert sprt.elo_from_score(sprt.score_from_elo(35.0)) == pytest.approx(35.0)
    assert sprt.elo_from_score(0.51) == pytest.approx(6.95, abs=0.01)


def test_bounds_are_walds():
    assert sprt.stopping_bounds() == pytest.approx((-2.944, 2.944), abs=1e-3)
    with pytest.raises(ValueError, match="error rates"):
        sprt.stopping_bounds(0.6)


def test_test_stops_at_a_look_and_reports_that_moment():
    result = sprt.sprt(np.ones(400), 0.5, 0.52, every=32)
    assert result.decision == "H1"
    assert result.pairs % 32 == 0
    assert result.pairs == result.counts.sum() < 400
    assert result.llr >= result.upper
    assert len(result.path) == result.pairs // 32


def test_open_test_counts_everything_and_decides_nothing():
    result = sprt.sprt([0.5, 0.75, 0.25] * 20, 0.5, 0.52)
    assert result.decision is None
    assert result.pairs == 60
    assert sprt.sprt([], 0.5, 0.52).decision is None


def test_unfinished_games_may_delay_but_not_decide():
    scores = np.tile([1.0, 0.75], 300)
    assert sprt.sprt(scores, 0.5, 0.52).decision == "H1"
    low = np.where(np.arange(600) % 2, scores, 0.0)
    assert sprt.sprt(low, 0.5, 0.52, high=scores).decision is None


def test_hypotheses_in_the_wrong_order_are_refused():
    with pytest.raises(ValueError, match="s0 < s1"):
        sprt.sprt([0.5], 0.52, 0.5)
    with pytest.raises(ValueError, match="inner < outer"):
        three_way.three_way([0.5], 0.03, 0.01)


def test_prefix_ends_at_the_first_gap():
    assert sprt.prefix_length([True, True, False, True]) == 2
    assert sprt.prefix_length([True, True]) == 2
    assert sprt.prefix_length([False]) == 0
    assert sprt.prefix_length([]) == 0


def test_stopping_on_arrival_order_favours_short_games():
    rng = np.random.default_rng(5)
    scores = simulate.pair_stream(rng, 1, 4000, 0.5)[0]
    arrival = np.argsort(np.arange(4000) + rng.exponential(300, 4000) * (1.5 - scores))
    done = np.zeros(4000, dtype=bool)
    done[arrival[:1500]] = True
    seen = scores[done].mean()
    prefix = scores[: sprt.prefix_length(done)].mean()
    assert seen - 0.5 > 0.015
    assert abs(prefix - 0.5) < 3 * np.sqrt(0.125 / sprt.prefix_length(done))


def test_expected_pairs_follow_walds_formula_at_the_hypotheses():
    bound = np.log(19)
    pairs, passed = sprt.expected_pairs(0.5, 0.5, 0.52, every=0)
    assert pairs == pytest.approx(0.9 * bound * 2 * 0.125 / 0.02**2)
    assert passed == pytest.approx(0.05)
    midway, half = sprt.expected_pairs(0.51, 0.5, 0.52, every=0)
    assert midway == pytest.approx(bound**2 * 0.125 / 0.02**2)
    assert half == pytest.approx(0.5)


def _until_decided(test, rng, score, first=4096, variance=0.125):
    """Runs one test on a stream of pairs that grows until it decides."""
    scores = simulate.pair_stream(rng, 1, first, score, variance)[0]
    while True:
        result = test(scores)
        if (result.verdict if hasattr(result, "verdict") else result.decision) is not None:
            return result
        scores = np.r_[scores, simulate.pair_stream(rng, 1, scores.size, score, variance)[0]]


def _rates(runs, delta, seed):
    """Returns the error rates at both hypotheses and mean games at H0, H1 and midway, with the 95th percentile."""
    rng = np.random.default_rng(seed)
    s0, s1 = 0.5, 0.5 + delta
    first = int(2.0 / delta**2 / 4)
    found = {
        truth: [_until_decided(lambda x: sprt.sprt(x, s0, s1), rng, truth, first) for _ in range(runs)]
        for truth in (s0, (s0 + s1) / 2, s1)
    }
    errors = [
        np.mean([r.decision == "H1" for r in found[s0]]),
        np.mean([r.decision == "H0" for r in found[s1]]),
    ]
    games = {truth: 2 * np.array([r.pairs for r in results]) for truth, results in found.items()}
    return errors, [games[t].mean() for t in (s0, s1, (s0 + s1) / 2)], np.percentile(games[(s0 + s1) / 2], 95)


def test_v1_error_rates_quickly():
    errors, games, _ = _rates(150, 0.05, seed=100)
    assert max(errors) <= 0.05 + 0.04
    assert games[0] == pytest.approx(640, rel=0.15)


@pytest.mark.parametrize(("delta", "ends", "midway"), [(0.01, 13_800, 23_700), (0.02, 3_500, 6_200), (0.05, 640, 1_200)])
def test_expected_games_are_the_published_table(delta, ends, midway):
    assert 2 * sprt.expected_pairs(0.5, 0.5, 0.5 + delta)[0] == pytest.approx(ends, rel=0.05)
    assert 2 * sprt.expected_pairs(0.5 + delta / 2, 0.5, 0.5 + delta)[0] == pytest.approx(midway, rel=0.05)
    assert 2 * sprt.expected_pairs(0.5 + 2 * delta, 0.5, 0.5 + delta)[0] == pytest.approx(5_100 * (0.01 / delta) ** 2, rel=0.15)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("delta", "published", "ends", "midway"),
    [(0.01, (0.044, 0.052), 13_800, 23_700), (0.02, (0.052, 0.046), 3_500, 6_200), (0.05, (0.040, 0.028), 640, 1_200)],
)
def test_v1_error_rates_and_lengths(delta, published, ends, midway, measured):
    errors, games, late = _rates(2000, delta, seed=1000)
    measured("V1", f"{delta * 100:g} points: error rates", f"{errors[0]:.3f} / {errors[1]:.3f}")
    measured("V1", f"{delta * 100:g} points: games at H0 / H1 / midway", " / ".join(f"{g:.0f}" for g in games))
    measured("V1", f"{delta * 100:g} points: 95 % of midway runs stop within games", late)
    assert errors == pytest.approx(published, abs=0.015)
    assert games[0] == pytest.approx(ends, rel=0.10)
    assert games[1] == pytest.approx(ends, rel=0.10)
    assert games[2] == pytest.approx(midway, rel=0.10)


def test_quantile_of_the_length_agrees_with_simulation():
    rng = np.random.default_rng(101)
    pairs = [_until_decided(lambda x: sprt.sprt(x, 0.5, 0.55), rng, 0.525, 512).pairs for _ in range(300)]
    assert np.percentile(pairs, 95) == pytest.approx(sprt.pairs_quantile(0.95, 0.525, 0.5, 0.55), rel=0.2)
    assert np.mean(pairs) == pytest.approx(sprt.expected_pairs(0.525, 0.5, 0.55)[0], rel=0.1)


def _three_way_rates(runs, truth, inner, outer, seed):
    rng = np.random.default_rng(seed)
    first = int(1.2 / (outer - inner) ** 2)
    found = [_until_decided(lambda x: three_way.three_way(x, inner, outer), rng, 0.5 + truth, first) for _ in range(runs)]
    verdicts = [result.verdict for result in found]
    shares = {name: verdicts.count(name) / runs for name in ("stronger", "weaker", "within")}
    return shares, 2 * np.mean([result.pairs for result in found])


def test_v2_three_way_quickly():
    shares, games = _three_way_rates(100, 0.0, 0.01, 0.03, seed=200)
    assert shares["within"] >= 0.97
    assert games == pytest.approx(2700, rel=0.15)
    shares, _ = _three_way_rates(100, -0.03, 0.01, 0.03, seed=201)
    assert shares["weaker"] >= 0.91


@pytest.mark.slow
@pytest.mark.parametrize(
    ("inner", "outer", "truth", "verdict", "share", "games"),
    [
        (0.005, 0.015, 0.0, "within", 0.997, 10_600),
        (0.005, 0.015, 0.015, "stronger", 0.963, 13_900),
        (0.01, 0.03, 0.0, "within", 0.997, 2_700),
        (0.01, 0.03, -0.03, "weaker", 0.963, 3_700),
    ],
)
def test_v2_three_way_in_full(inner, outer, truth, verdict, share, games, measured):
    shares, mean_games = _three_way_rates(2000, truth, inner, outer, seed=2000)
    name = f"{inner * 100:g}/{outer * 100:g} points, truth {truth * 100:g}"
    measured("V2", f"{name}: share '{verdict}'", shares[verdict])
    measured("V2", f"{name}: mean games", mean_games)
    assert shares[verdict] == pytest.approx(share, abs=0.025)
    assert shares[verdict] >= 0.95 - 0.015
    assert mean_games == pytest.approx(games, rel=0.10)


def test_result_of_a_stopped_test_is_inflated():
    rng = np.random.default_rng(6)
    found = [_until_decided(lambda x: sprt.sprt(x, 0.5, 0.54), rng, 0.52, 2048) for _ in range(300)]
    passed = [r.score - 0.5 for r in found if r.decision == "H1"]
    assert np.mean(passed) > 0.025


def _ever_missed(runs, pairs, seed):
    rng = np.random.default_rng(seed)
    missed, naive = 0, 0
    looks = np.arange(100, pairs + 1, 100) - 1
    for _ in range(runs):
        scores = simulate.pair_stream(rng, 1, pairs, 0.5)[0]
        band = confidence_sequence.sequence(scores)
        missed += bool(((band["low"] > 0.5) | (band["high"] < 0.5)).iloc[90:].any())
        n = looks + 1
        mean = np.cumsum(scores)[looks] / n
        sd = np.sqrt(np.cumsum(scores**2)[looks] / n - mean**2)
        naive += bool((np.abs(mean - 0.5) > 1.96 * sd / np.sqrt(n)).any())
    return missed / runs, naive / runs


def test_v3_band_may_be_watched():
    missed, naive = _ever_missed(300, 3000, seed=300)
    assert missed <= 0.05
    assert naive > 0.2


@pytest.mark.slow
def test_v3_in_full(measured):
    missed, naive = _ever_missed(2000, 5000, seed=3000)
    wide = confidence_sequence.radius(1.0, 1000, n_star=1000) / (1.96 / np.sqrt(1000))
    measured("V3", "live band ever misses, from pair 100 to 5,000", missed)
    measured("V3", "peeking at a 95 % interval every 100 pairs ever misses", naive)
    measured("V3", "width against a fixed interval at its best point", wide)
    assert missed <= 0.05
    assert naive == pytest.approx(0.317, abs=0.03)
    assert wide == pytest.approx(1.55, abs=0.1)


def test_pairs_that_all_ended_alike_leave_a_band_with_width():
    band = confidence_sequence.sequence(np.full(96, 0.5)).iloc[-1]
    assert band["low"] < 0.49
    assert band["high"] > 0.51


def test_band_is_the_published_formula():
    n, rho2 = 500, (-2 * np.log(0.05) + np.log(-2 * np.log(0.05) + 1)) / 1000
    expected = 0.35 * np.sqrt(2 * (n * rho2 + 1) / (n**2 * rho2) * np.log(np.sqrt(n * rho2 + 1) / 0.05))
    assert confidence_sequence.radius(0.35, n) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("points", "head_to_head", "field"),
    [(0.5, 78_489, 313_956), (1, 19_623, 78_489), (2, 4_906, 19_623), (3, 2_181, 8_721), (5, 785, 3_140)],
)
def test_fixed_number_of_games_is_the_published_table(points, head_to_head, field):
    assert power.fixed_games(points / 100) == pytest.approx(head_to_head, abs=1)
    assert power.fixed_games(points / 100, design="field") == pytest.approx(field, abs=1)


def test_shared_seeds_make_the_field_cheaper():
    assert power.fixed_games(0.02, design="field", rho=0.9) == pytest.approx(0.1 * 19_623, rel=0.01)


def test_planned_games_have_the_power_they_were_planned_for():
    games = power.fixed_games(0.02, power=0.9)
    assert power.fixed_power(0.02, games) == pytest.approx(0.9, abs=1e-3)
    assert power.detectable(games, power=0.9) == pytest.approx(0.02, rel=1e-3)
    with pytest.raises(ValueError, match="designs are"):
        power.fixed_games(0.02, design="ladder")


def test_planned_power_is_reached_in_simulation():
    rng = np.random.default_rng(7)
    pairs = power.fixed_games(0.05) // 2
    scores = simulate.pair_stream(rng, 4000, pairs, 0.55)
    z = (scores.mean(axis=1) - 0.5) / (scores.std(axis=1, ddof=1) / np.sqrt(pairs))
    assert np.mean(np.abs(z) > 1.96) == pytest.approx(0.8, abs=0.025)


@pytest.mark.parametrize(("margin", "published"), [(0.01, 13_562), (0.02, 3_391)])
def test_equivalence_pairs_are_near_the_published_ones(margin, published):
    pairs = power.tost_pairs(margin)
    assert pairs == pytest.approx(published, rel=0.005)
    assert power.tost_power(pairs, margin) == pytest.approx(0.9, abs=0.005)


def test_equivalence_power_is_reached_in_simulation(measured):
    rng = np.random.default_rng(8)
    pairs = power.tost_pairs(0.02)
    scores = np.concatenate([simulate.pair_stream(rng, 250, pairs, 0.5) for _ in range(8)])
    se = scores.std(axis=1, ddof=1) / np.sqrt(pairs)
    shown = np.abs(scores.mean(axis=1) - 0.5) < 0.02 - 1.6449 * se
    measured("V2", "equivalence within 2 points, power at the planned pairs", shown.mean())
    assert shown.mean() == pytest.approx(0.9, abs=0.025)


def test_random_deck_precision_is_the_published_one():
    assert power.random_deck_se(100_000, 0.3) == pytest.approx(0.0035, abs=1e-4)


def test_cost_lists_every_design():
    found = power.cost(0.02, power=0.9)
    assert found.field > found.head_to_head > found.sequential
    assert found.sequential_p95 > found.sequential
    larger = power.cost(0.04, power=0.9)
    assert larger.head_to_head < found.head_to_head
    assert larger.random_decks < found.random_decks


def test_pentanomial_stream_has_the_variance_it_was_asked_for():
    scores = simulate.pair_stream(np.random.default_rng(9), 1, 40_000, 0.52, variance=0.05)[0]
    assert scores.mean() == pytest.approx(0.52, abs=0.005)
    assert scores.var() == pytest.approx(0.05, rel=0.05)
    assert pentanomial(scores).sum() == 40_000

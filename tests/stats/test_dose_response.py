"""Dose and response: statsmodels, refusals, coverage (V14)."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import special

from apotheosis.experiments.stats import dose_response


def _play(rng, values, games, target, slope=0.12):
    x = np.repeat(values, games)
    return x, (rng.random(x.size) < special.expit(slope * (x - target))).astype(float)


def test_line_equals_statsmodels():
    x, y = _play(np.random.default_rng(1), np.arange(2.0, 8.0), 200, 4.6)
    reference = sm.GLM(y, sm.add_constant(x), family=sm.families.Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": np.arange(x.size)}
    )
    found = dose_response.fit_dose(x, y)
    assert [found.intercept, found.slope] == pytest.approx(reference.params)
    assert found.covariance == pytest.approx(reference.cov_params(), rel=0.01)
    assert found.target.estimate == pytest.approx(-reference.params[0] / reference.params[1])


def test_fieller_contains_exactly_the_values_that_a_test_accepts():
    x, y = _play(np.random.default_rng(2), np.arange(2.0, 8.0), 400, 4.6)
    found = dose_response.fit_dose(x, y)
    for edge in (found.fieller_low, found.fieller_high):
        row = np.array([1.0, edge])
        z = (row @ [found.intercept, found.slope]) / np.sqrt(row @ found.covariance @ row)
        assert abs(z) == pytest.approx(1.96, abs=1e-3)


def test_flat_response_has_no_bounded_answer():
    x, y = _play(np.random.default_rng(3), np.arange(2.0, 8.0), 60, 4.6, slope=0.0)
    found = dose_response.fit_dose(x, y)
    assert found.p_slope > 0.05
    assert (found.fieller_low, found.fieller_high) == (-np.inf, np.inf)


def test_other_targets_than_one_half():
    x, y = _play(np.random.default_rng(4), np.arange(0.0, 9.0), 3000, 4.0)
    found = dose_response.fit_dose(x, y, wanted=0.55)
    truth = 4.0 + special.logit(0.55) / 0.12
    assert abs(found.target.estimate - truth) < 4 * found.target.se
    assert found.predict(found.target.estimate).estimate == pytest.approx(0.55)


def test_clusters_widen_the_interval_when_games_repeat():
    x, y = _play(np.random.default_rng(5), np.arange(2.0, 8.0), 100, 4.6)
    once = dose_response.fit_dose(x, y)
    twice = dose_response.fit_dose(np.r_[x, x], np.r_[y, y], np.tile(np.arange(x.size), 2))
    assert twice.target.se == pytest.approx(once.target.se, rel=1e-3)


def test_bent_response_is_noticed():
    rng = np.random.default_rng(6)
    x = np.repeat(np.arange(9.0), 800)
    y = (rng.random(x.size) < special.expit(0.08 * (x - 4) ** 2 - 0.5)).astype(float)
    assert dose_response.fit_dose(x, y).misfit_p < 1e-4
    straight = [dose_response.fit_dose(*_play(rng, np.arange(9.0), 60, 4.0)).misfit_p < 0.05 for _ in range(200)]
    assert np.mean(straight) == pytest.approx(0.05, abs=0.035)


@pytest.mark.parametrize(("x", "y", "message"), [([1, 1], [0, 1], "two different"), ([1, 2], [1, 1], "won everything")])
def test_hopeless_data_are_refused(x, y, message):
    with pytest.raises(ValueError, match=message):
        dose_response.fit_dose(x, y)


def test_v14_coverage(measured):
    rng = np.random.default_rng(14)
    delta, fieller, error = [], [], []
    for _ in range(600):
        x, y = _play(rng, np.arange(2.0, 8.0), 600, 4.6)
        found = dose_response.fit_dose(x, y)
        delta.append(found.target.covers(4.6))
        fieller.append(found.fieller_low <= 4.6 <= found.fieller_high)
        error.append((found.target.estimate - 4.6) ** 2)
    measured("V14", "coverage: delta method", np.mean(delta))
    measured("V14", "coverage: Fieller", np.mean(fieller))
    measured("V14", "root mean square error with 3,600 games, in stat points", np.sqrt(np.mean(error)))
    assert 0.93 <= np.mean(delta) <= 0.98
    assert 0.93 <= np.mean(fieller) <= 0.98

"""Seeds equal numpy's SeedSequence and never depend on how many are computed together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apotheosis.experiments import seeds


def numpy_seed(run_seed: int, experiment: int, pair: int, stream: int) -> int:
    sequence = np.random.SeedSequence(run_seed, spawn_key=(experiment, pair, stream))
    return int(sequence.generate_state(1, np.uint64)[0] & np.uint64(2**63 - 1))


@given(
    run_seed=st.integers(0, 2**160),
    experiment=st.integers(0, 2**32 - 1),
    pairs=st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=4),
    streams=st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=3),
)
def test_the_array_form_equals_numpys_seed_sequence(run_seed, experiment, pairs, streams):
    expected = [[numpy_seed(run_seed, experiment, p, s) for s in streams] for p in pairs]
    assert seeds.spawned(run_seed, experiment, np.array(pairs), np.array(streams)).tolist() == expected


def test_both_matches_of_a_pair_share_their_seeds_by_seat():
    pairs, second = np.array([4, 4, 9, 9]), np.array([False, True, False, True])
    rows = seeds.match_seeds(7, 0, pairs, second, common=True)
    assert rows.shape == (4, seeds.STREAMS)
    assert (rows[0] == rows[1]).all() and (rows[2] == rows[3]).all() and not (rows[0] == rows[2]).any()
    assert len(set(rows[0].tolist())) == seeds.STREAMS


def test_without_common_seeds_the_second_match_has_its_own():
    pairs, second = np.array([4, 4]), np.array([False, True])
    rows = seeds.match_seeds(7, 0, pairs, second, common=False)
    assert not np.isin(rows[1], rows[0]).any()
    assert (rows[0] == seeds.match_seeds(7, 0, pairs, second, common=True)[0]).all()


@pytest.mark.parametrize("other", [(8, 0), (7, 1)])
def test_another_run_seed_or_experiment_gives_other_seeds(other):
    pairs, second = np.arange(50), np.zeros(50, bool)
    run_seed, experiment = other
    mine = seeds.match_seeds(7, 0, pairs, second, True)
    theirs = seeds.match_seeds(run_seed, experiment, pairs, second, True)
    assert not np.isin(mine, theirs).any()

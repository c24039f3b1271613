"""Arrays laid out by hand equal those that Arrow builds itself."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apotheosis.experiments import arrow


@given(st.lists(st.one_of(st.none(), st.integers(-(2**15), 2**15 - 1)), max_size=40))
@pytest.mark.parametrize("kind", [pa.int16(), pa.int64(), pa.float32(), pa.bool_()])
def test_numbers_and_flags(kind, values):
    flags = pa.types.is_boolean(kind)
    expected = pa.array([None if v is None else (bool(v) if flags else v) for v in values], kind)
    missing = np.array([value is None for value in values], bool)
    found = arrow.numbers(np.array([value or 0 for value in values], np.int64), kind, missing)
    found.validate(full=True)
    assert found.equals(expected) and found.null_count == expected.null_count


@given(st.lists(st.one_of(st.none(), st.text(max_size=8)), max_size=20))
def test_texts_and_names(values):
    found = arrow.texts(values)
    found.validate(full=True)
    assert found.equals(pa.array(values, pa.string()))
    named = arrow.named(values)
    named.validate(full=True)
    assert named.to_pylist() == values


def test_only_names_that_occur_are_kept_in_the_order_of_their_codes():
    found = arrow.names(np.array([3, -1, 1, 3]), ["a", "b", "c", "d"])
    assert found.dictionary.to_pylist() == ["b", "d"] and found.to_pylist() == ["d", None, "b", "d"]


def test_laying_out_arrays_does_not_import_pandas():
    code = (
        "import sys, numpy as np, pyarrow as pa; from apotheosis.experiments import arrow;"
        "arrow.names(np.array([0, -1]), ['a']); arrow.numbers(np.array([1]), pa.int16()); arrow.named(['x', None]);"
        "sys.exit('pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

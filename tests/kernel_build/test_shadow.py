"""Shadows behave like the records they stand for, with exact integers and loud mistakes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apotheosis.env.rules.shadow import assign, shadow_of, uncompiled_door, write_back

PART = np.dtype([("kind", "i2"), ("reg", "i4", (3,))], align=True)
WHOLE = np.dtype(
    [
        ("count", "i2"),
        ("share", "f8"),
        ("row", "i2", (4,)),
        ("grid", "i2", (2, 3)),
        ("one", PART),
        ("part", PART, (5,)),
        ("long", "i4", (5000,)),
    ],
    align=True,
)
SHORT = st.integers(-(2**15), 2**15 - 1)


def records(n: int = 1) -> np.ndarray:
    return np.zeros(n, WHOLE)


def test_fields_are_python_numbers():
    array = records()
    array["count"] = 7
    array["share"] = 0.5
    shadow = shadow_of(array[0])
    assert type(shadow.count) is int and shadow.count == 7
    assert type(shadow.share) is float and shadow.share == 0.5
    assert type(shadow.grid[1, 2]) is int and type(shadow.long[4999]) is int


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2), SHORT)), st.lists(st.tuples(st.integers(0, 4), SHORT)))
def test_writes_reach_the_record(cells, parts):
    array, expected = records(), records()
    shadow = shadow_of(array[0])
    for i, j, value in cells:
        shadow.grid[i, j] = value
        expected[0]["grid"][i, j] = value
    for i, value in parts:
        shadow.part[i].kind = value
        shadow.part[i].reg[2] = value
        expected[0]["part"][i]["kind"] = value
        expected[0]["part"][i]["reg"][2] = value
    write_back(shadow)
    assert array.tobytes() == expected.tobytes()


def test_sums_do_not_wrap_around_and_a_value_that_does_not_fit_is_refused():
    array = records()
    shadow = shadow_of(array[0])
    shadow.count = 32767
    shadow.count += 1
    assert shadow.count == 32768
    with pytest.raises(OverflowError):
        write_back(shadow)


@pytest.mark.parametrize(
    "read",
    [
        lambda s: s.row[4],
        lambda s: s.grid[2, 0],
        lambda s: s.grid[0, 3],
        lambda s: s.grid[0, -1],
        lambda s: s.row[-1],
        lambda s: s.part[-1],
        lambda s: s.long[-1],
        lambda s: s.part[5],
        lambda s: s.long[5000],
    ],
)
def test_an_index_outside_the_field_is_an_error(read):
    with pytest.raises(IndexError):
        read(shadow_of(records()[0]))


def test_a_field_that_does_not_exist_can_be_neither_read_nor_written():
    shadow = shadow_of(records()[0])
    with pytest.raises(AttributeError, match="cuont"):
        shadow.cuont  # noqa: B018
    with pytest.raises(AttributeError, match="cuont"):
        shadow.cuont = 1


def test_a_row_is_shared_with_its_grid():
    shadow = shadow_of(records()[0])
    row = shadow.grid[1]
    row[2] = 9
    assert shadow.grid[1, 2] == 9


def test_assignment_copies_all_fields_and_keeps_the_objects_inside():
    array = records(2)
    a, b = (shadow_of(array[i : i + 1].reshape(())) for i in range(2))
    held, part = b.part[3], a.part[3]
    held.kind = 1
    part.kind, a.count, a.long[17], a.one.reg[0] = 5, 6, 7, 8
    assign(b, a)
    assert (held.kind, b.count, b.long[17], b.one.reg[0]) == (5, 6, 7, 8)
    part.kind = 2
    assert held.kind == 5


def test_a_door_takes_arrays_and_writes_them_back():
    @uncompiled_door
    def advance(matches, steps):
        for match in matches:
            match.count += steps
            match.part[1].reg[0] = match.count
        matches[0] = matches[1]
        return len(matches)

    array = records(2)
    array["count"] = 1, 2
    assert advance(array, np.int64(3)) == 2
    assert array["count"].tolist() == [5, 5]
    assert array["part"]["reg"][:, 1, 0].tolist() == [5, 5]


def test_a_slice_of_records_shares_its_elements():
    @uncompiled_door
    def fill(matches):
        rest = matches[1:]
        rest[0].count = 4
        matches[2].count = 5
        return len(rest) * 100 + rest[1].count

    array = records(3)
    assert fill(array) == 205
    assert array["count"].tolist() == [0, 4, 5]


def test_a_door_takes_arrays_of_two_dimensions():
    @uncompiled_door
    def fill(grid, row):
        for k in range(grid.shape[1]):
            grid[row, k].kind = k

    array = np.zeros((2, 3), PART)
    fill(array, 1)
    assert array["kind"].tolist() == [[0, 0, 0], [0, 1, 2]]

"""The totals of rows over iterations of their own."""

import numpy as np
import pytest

from diablo.diagnostics import OutOfMemory
from diablo.runtime import rows
from diablo.runtime.kernels import arithmetic
from diablo.runtime.monoid_ufuncs import UserMonoid


def test_values_of_one_iteration_are_combined_row_by_row() -> None:
    totals = np.array([1.0, 2.0, 3.0])
    assert rows.accumulate(totals, 2.0, "mul", (3,)).tolist() == [2.0, 4.0, 6.0]
    some = np.array([True, False, True])
    assert rows.accumulate(totals, totals, "add", (3,), where=some).tolist() == [2.0, 2.0, 6.0]


def test_values_of_many_iterations_are_combined_along_the_first_dimension() -> None:
    totals = np.full(2, -128, np.int8)
    values = np.array([[1], [7], [5]], np.int8)
    below = np.array([[True, True], [True, False], [False, False]])
    assert rows.accumulate(totals, values, "max", (3, 2), where=below).tolist() == [7, 1]
    wrapped = rows.accumulate(np.zeros(2, np.int8), np.int8(100), "add", (2, 2))
    assert wrapped.dtype == np.int8
    assert wrapped.tolist() == [-56, -56]


def test_no_rows_have_no_totals() -> None:
    none = rows.accumulate(np.zeros(0), np.ones((4, 1)), "add", (4, 0))
    assert none.shape == (0,)


@pytest.mark.parametrize("where", [None, np.array([[True], [False], [True]])])
def test_monoids_of_the_program_combine_tuples_in_order(where: np.ndarray | None) -> None:
    code = ("tuple", "f8", "i8")
    least = UserMonoid("least", (np.inf, -1), lambda x, y: np.where(x["f0"] <= y["f0"], x, y), code)
    values = rows.pack((np.array([[3.0], [1.0], [3.0]]), np.arange(3)[:, None]), code)
    found = rows.accumulate(least.zeros(2), values, least, (3, 2), where=where)
    assert found.tolist() == [(1.0, 1)] * 2 if where is None else [(3.0, 0)] * 2


@pytest.mark.parametrize("size", [(0, 3), (3, 0), (1, 1), (5, 7), (3, 1 << 18)])
def test_blocks_hold_each_pair_once_and_no_more_than_a_chunk(size: tuple[int, int]) -> None:
    seen = np.zeros(size, np.int64)
    for first, last, begin, end in rows.blocks(*size):
        row, step = rows.pairs(last - first, end - begin)
        assert 0 < len(row) <= arithmetic.CHUNK_ELEMENTS
        assert (np.diff(row) >= 0).all()
        np.add.at(seen, (first + row, begin + step), 1)
    assert (seen == 1).all()


def test_pairs_are_combined_into_the_totals_of_their_rows() -> None:
    totals = np.zeros(4, np.int8)
    of = np.array([0, 0, 2])
    assert rows.accumulate_pairs(totals, of, np.int8(100), "add").tolist() == [-56, 0, 100, 0]
    assert rows.accumulate_pairs(totals, of[:0], of[:0], "add") is totals
    block = rows.accumulate_block(totals, slice(1, 3), np.int8(60), "add", (2, 2))
    assert block.tolist() == [-56, 120, -36, 0]
    code = ("tuple", "i8", "U")
    most = UserMonoid("most", (0, ""), lambda x, y: np.where(x["f0"] >= y["f0"], x, y), code)
    values = rows.pack((np.array([1, 2, 1]), np.array(["b", "a", "c"], object)), code)
    found = rows.accumulate_pairs(most.zeros(3), of, values, most)
    assert found.tolist() == [(2, "a"), (0, ""), (1, "c")]


def test_items_are_combined_with_the_totals_of_their_rows() -> None:
    lists = rows.Lists((np.array([3.0, 4.0, 5.0]),), np.array([0, 2, 2, 3]))
    places = rows.list_places(lists)
    assert places.tolist() == [0, 0, 2]
    totals = np.array([1.0, 2.0, 3.0])
    values = lists.values[0]
    assert rows.accumulate_items(totals, values, "add", places).tolist() == [8.0, 2.0, 8.0]
    some = np.array([False, True, False])
    found = rows.accumulate_items(totals, values, "add", places, where=some)
    assert found.tolist() == [5.0, 2.0, 3.0]
    assert rows.accumulate_items(totals, 1.0, "max", places, where=False).tolist() == [1, 2, 3]
    assert totals.tolist() == [1.0, 2.0, 3.0]


def test_items_are_collected_in_the_lists_of_their_rows() -> None:
    none = rows.literal_lists(3, (), ("f8", "i8"))
    places = np.array([0, 0, 2])
    values = np.array([3.0, 4.0, 5.0])
    assert rows.collect_items(none, (values, 7), places).tolist() == [
        [(3.0, 7), (4.0, 7)],
        [],
        [(5.0, 7)],
    ]
    some = np.array([True, False, False])
    assert rows.collect_items(none, (values, 7), places, where=some).tolist() == [
        [(3.0, 7)],
        [],
        [],
    ]


def test_ranges_are_lists_of_integers() -> None:
    lists = rows.range_lists(np.array([0, 3, 2]), np.array([2, 3, -5]), 3)
    assert [lists.values[0].tolist(), lists.offsets.tolist()] == [[0, 1], [0, 2, 2, 2]]
    assert len(rows.range_lists(0, np.empty(0, np.int64), 0)) == 0
    with pytest.raises(OutOfMemory):  # More than an integer counts.
        rows.range_lists(-(2**63), np.array([2**63 - 1]), 1)

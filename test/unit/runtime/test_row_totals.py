"""The totals of rows over iterations of their own."""

import numpy as np
import pytest

from diablo.runtime import rows
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

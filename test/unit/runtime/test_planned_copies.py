"""Copies and combinations of arrays that are planned before they are made."""

from typing import Any

import numpy as np
import pytest

from diablo.runtime.kernels.planned_copies import planned_combination, planned_copy


@pytest.fixture(autouse=True)
def three_threads(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_THREADS", "3")
    monkeypatch.setenv("DIABLO_COMPILE", "always")


@pytest.mark.parametrize("dtype", [np.float64, np.bool_, np.complex128, np.int16])
@pytest.mark.parametrize("shape", [(0,), (1,), (7,), (3, 5)])
def test_a_copy(shape: tuple[int, ...], dtype: Any):
    array = np.random.default_rng(0).integers(0, 9, shape).astype(dtype)
    made = np.zeros_like(array)
    plan = planned_copy(array, made)
    assert plan is not None
    for call in plan.calls:
        plan.entry(*call)
    np.testing.assert_array_equal(made, array)


@pytest.mark.parametrize(
    ("monoid", "element", "fold"),
    [
        ("add", "f64", np.add),
        ("min", "i64", np.minimum),
        ("max", "i32", np.maximum),
        ("or", "i1", np.logical_or),
        ("and", "i1", np.logical_and),
    ],
)
@pytest.mark.parametrize("shape", [(1, 4), (3, 7), (2, 2, 3)])
def test_tables_of_pieces_are_combined(
    shape: tuple[int, ...], monoid: str, element: str, fold: np.ufunc
):
    dtype: Any = {"f64": np.float64, "i64": np.int64, "i32": np.int32, "i1": np.bool_}[element]
    tables = np.random.default_rng(1).integers(-9, 9, shape)
    tables = (tables > 0 if element == "i1" else tables).astype(dtype)
    made = np.zeros(shape[1:], dtype)
    plan = planned_combination(tables, made, monoid, element)
    assert plan is not None
    for call in plan.calls:
        plan.entry(*call)
    np.testing.assert_array_equal(made, fold.reduce(tables))

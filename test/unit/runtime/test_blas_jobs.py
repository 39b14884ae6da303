"""Products by BLAS whose calls are planned, and made for other arrays as well."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from diablo.runtime.kernels.blas_jobs import blas_alone, planned, planned_sum, planned_symmetric
from diablo.runtime.kernels.blas_products import FACTOR_WORDS
from diablo.runtime.kernels.planned_calls import PlannedCall
from diablo.runtime.native.addresses import address_of

Array = np.ndarray[Any, Any]
DTYPES = pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.complex64])


@pytest.fixture(autouse=True)
def three_threads(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_THREADS", "3")
    monkeypatch.setenv("DIABLO_COMPILE", "always")


def called(plan: PlannedCall, given: list[Array], made: Array) -> Array:
    """What the calls make for other arrays than those that they were planned for."""
    with blas_alone():
        for call in plan.calls:
            for word, array in zip(plan.argument_words, given, strict=True):
                call[word] = address_of(array)
            call[plan.output_words[0]] = address_of(made)
            plan.entry(*call)
    return made


def numbers(shape: tuple[int, ...], dtype: Any, order: Any, seed: int) -> Array:
    """An array of numbers, whose imaginary parts are others if they have some."""
    parts = np.random.default_rng(seed).random((2, *shape))
    whole = parts[0] + 1j * parts[1] if dtype().dtype.kind == "c" else parts[0]
    return np.asarray(whole, dtype, order=order)


def tolerance(dtype: Any) -> float:
    return 1e-5 if dtype in (np.float32, np.complex64) else 1e-12


@DTYPES
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((30, 20), (20, 10)),
        ((4, 20), (20, 31)),
        ((30, 20), (20,)),
        ((20,), (20, 7)),
        ((1, 1), (1,)),
    ],
)
def test_a_product_is_made_for_arrays_that_come_later(
    left: tuple[int, ...], right: tuple[int, ...], order: Any, dtype: Any
):
    first, second = (
        [numbers(shape, dtype, order, seed + k) for k, shape in enumerate((left, right))]
        for seed in (0, 2)
    )
    plan = planned(first[0], first[1], np.empty)
    assert plan is not None
    wanted = second[0] @ second[1]
    made = called(plan, second, np.full(wanted.shape, np.nan, dtype))
    np.testing.assert_allclose(made, wanted, rtol=tolerance(dtype))


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("factors", [(1.0, 1.0), (-2.0, 0.5)])
def test_a_product_is_added_to_an_array(factors: tuple[float, float], is_there: bool):
    rng = np.random.default_rng(1)
    left, right, other = rng.random((300, 20)), rng.random((20, 7)), rng.random((300, 7))
    made = other if is_there else np.empty((300, 7))
    plan = planned_sum(left, right, other, factors, made)
    assert plan is not None
    given = [rng.random(array.shape) for array in (left, right, other)]
    wanted = factors[0] * given[0] @ given[1] + factors[1] * given[2]
    target = given[2] if is_there else np.empty((300, 7))
    found = called(plan, given[: len(plan.argument_words)], target)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


@DTYPES
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (7, 3), (40, 30), (203, 17)])
def test_a_matrix_times_itself_transposed_is_symmetric(
    shape: tuple[int, int], order: Any, dtype: Any
):
    first, second = (numbers(shape, dtype, order, seed) for seed in (4, 5))
    plan = planned_symmetric(first, np.empty)
    assert plan is not None
    assert len(plan.calls) == min(3, shape[0])
    made = called(plan, [second], np.full((shape[0], shape[0]), np.nan, dtype))
    np.testing.assert_array_equal(made, made.T)
    atol = tolerance(dtype) * shape[1]  # Real parts of complex numbers may cancel.
    np.testing.assert_allclose(made, second @ second.T, rtol=tolerance(dtype), atol=atol)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("numbers", [(1.0, 1.0), (-1.0, 0.5)])
@pytest.mark.parametrize(
    "factors", [(0.0, 1.5), (2.0, -0.0), (0.0, 0.0), (np.nan, 0.0), (3.0, 2.0)]
)
def test_a_factor_that_is_zero_keeps_what_is_no_finite_number(
    factors: tuple[float, float],
    numbers: tuple[float, float],
    order: Any,
    is_there: bool,
    dtype: Any,
):
    rng = np.random.default_rng(3)
    shapes = (330, 20), (20, 70), (330, 70)
    left, right, other = [
        np.asarray(rng.random(shape), dtype, order=order if k < 2 else "C")
        for k, shape in enumerate(shapes)
    ]
    left[3, 4], right[5, 66], other[7, 8], other[9, 65] = np.inf, np.nan, -np.inf, np.nan
    made = other if is_there else np.empty(shapes[2], dtype)
    plan = planned_sum(left, right, other, numbers, made)
    assert plan is not None
    for call in plan.calls:
        for word, factor in zip(FACTOR_WORDS, factors, strict=True):
            # The word has the bits of the number in its lowest ones, whatever is above.
            call[word] = int(np.array([factor, 7.0], dtype).view(np.int64)[0])
    with np.errstate(invalid="ignore"):
        one, two = [dtype(n) * dtype(f) for n, f in zip(numbers, factors, strict=True)]
        wanted = one * (left @ right) + two * other
    found = called(plan, [left, right, other][: len(plan.argument_words)], made)
    np.testing.assert_allclose(found, wanted, rtol=1e-4 if dtype is np.float32 else 1e-12)


def test_what_blas_does_not_take_is_not_planned():
    ones = np.ones((4, 4))
    assert planned(ones.astype(np.int64), ones.astype(np.int64), np.empty) is None
    assert planned(ones, ones.astype(np.float32), np.empty) is None
    assert planned(ones, ones.astype(np.complex128), np.empty) is None
    z = ones.astype(np.complex128)
    assert planned_sum(z, z, z, (1.0, 1.0), z) is None
    assert planned(ones[:, ::2], ones[:2], np.empty) is None
    assert planned(np.ones((0, 4)), ones, np.empty) is None
    assert planned_symmetric(ones[:, ::2], np.empty) is None
    assert planned_symmetric(np.ones((0, 4)), np.empty) is None
    assert planned(ones, np.ones(8)[::2], np.empty) is None
    assert planned_sum(ones, ones, np.asfortranarray(ones[:, :3]), (1.0, 1.0), ones) is None

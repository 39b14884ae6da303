"""Products by BLAS, of which each thread of the kernels computes a part."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

from diablo.runtime.arrays import memory
from diablo.runtime.kernels import blas_products
from diablo.runtime.kernels.blas_products import added, product
from diablo.runtime.kernels.matrix_products import lone_product
from diablo.runtime.native import work_seen

SHAPES = [(30, 20, 10), (10, 20, 30), (1, 50, 9), (7, 1, 3), (200, 3, 2)]
WAYS = ["as it is", "transposed", "rows of more", "columns of more", "every other"]


@pytest.fixture(autouse=True)
def three_threads(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_THREADS", "3")
    monkeypatch.setenv("DIABLO_COMPILE", "always")


def laid_out(matrix: np.ndarray[Any, Any], way: str) -> np.ndarray[Any, Any]:
    """The same matrix, as it lies in memory in some way."""
    rows, columns = matrix.shape
    match way:
        case "transposed":
            return np.asfortranarray(matrix)
        case "rows of more":
            larger = np.full((rows + 2, columns + 3), np.nan, matrix.dtype)
            part = larger[1:-1, 2:-1]
        case "columns of more":
            larger = np.full((columns + 3, rows + 2), np.nan, matrix.dtype)
            part = larger[2:-1, 1:-1].T
        case "every other":
            part = np.full((rows, 2 * columns), np.nan, matrix.dtype)[:, ::2]
        case _:
            return np.ascontiguousarray(matrix)
    part[...] = matrix
    return part


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("second", WAYS)
@pytest.mark.parametrize("first", WAYS)
def test_products_are_numpys_however_matrices_lie(first: str, second: str, dtype: Any):
    generator = np.random.default_rng(1)
    for rows, inner, columns in SHAPES:
        left = generator.integers(-9, 9, (rows, inner)).astype(dtype)
        right = generator.integers(-9, 9, (inner, columns)).astype(dtype)
        a, b = laid_out(left, first), laid_out(right, second)
        # Sums of small integers are exact in any order.
        for made, wanted in (
            (product(a, b), left @ right),
            (product(a, right[:, 0].copy()), left @ right[:, 0]),
            (product(a, b[:, 0]), left @ right[:, 0]),
            (product(left[0], b), left[0] @ right),
        ):
            assert made.dtype == dtype
            np.testing.assert_array_equal(made, wanted)


def test_blas_has_its_threads_again_after_a_product_and_one_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
):
    blas = blas_products.blas_functions("d")
    if blas is None:
        pytest.skip("NumPy has another BLAS")
    count = blas.alone._count
    before = count()
    blas.alone._set(2)
    try:
        seen: list[int] = []

        def noted(*arguments: Any) -> None:
            seen.append(count())
            return share(*arguments)

        share = blas_products.share
        monkeypatch.setattr(blas_products, "share", noted)
        product(np.ones((8, 8)), np.ones((8, 7)))
        with blas.alone:
            product(np.ones((8, 8)), np.ones(8))
            assert count() == 1
        assert (seen, count()) == ([1, 1], 2)
    finally:
        blas.alone._set(before)


@pytest.mark.parametrize("dtype", [np.int64, np.complex128, np.float16])
def test_others_are_left_to_numpy(dtype: Any):
    a = np.arange(12).reshape(3, 4).astype(dtype)
    np.testing.assert_array_equal(product(a, a.T), a @ a.T)
    np.testing.assert_array_equal(product(a, a[0]), a @ a[0])
    assert product(np.ones((3, 0)), np.ones((0, 4))).tolist() == np.zeros((3, 4)).tolist()
    assert product(np.ones((3, 0)), np.ones(0)).tolist() == [0.0] * 3
    mixed = product(np.ones((3, 4), np.float32), np.ones((4, 3)))
    assert mixed.dtype == np.float64


def test_a_matrix_and_its_transpose_are_left_to_numpy_which_computes_half(
    monkeypatch: pytest.MonkeyPatch,
):
    a = np.arange(9.0).reshape(3, 3)
    monkeypatch.setattr(blas_products, "share", None)
    np.testing.assert_array_equal(product(a.T, a), a.T @ a)
    with pytest.raises(TypeError):
        product(a, a)


def test_small_products_do_not_wait_for_machine_code(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "auto")
    monkeypatch.setattr(blas_products, "machine_code", None)
    monkeypatch.setattr(work_seen, "_points_seen", OrderedDict[Any, int]())
    blas_products.blas_code.cache_clear()
    np.testing.assert_array_equal(
        product(np.ones((40, 40)), np.ones((40, 41))), np.full((40, 41), 40.0)
    )


@pytest.mark.parametrize("first", WAYS)
def test_a_lone_product_is_numpys(first: str):
    generator = np.random.default_rng(2)
    left = laid_out(generator.normal(size=(30, 20)), first)
    right = generator.normal(size=(20, 10))
    np.testing.assert_array_equal(lone_product(left, right), left @ right)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("third", [*WAYS, "larger"])
@pytest.mark.parametrize(("first", "second"), [*zip(WAYS, reversed(WAYS), strict=True)])
def test_products_are_added_however_matrices_lie(
    first: str, second: str, third: str, dtype: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(blas_products, "_STRIP", 1)
    monkeypatch.setattr(blas_products, "_LEAST_ROWS", 3)
    generator = np.random.default_rng(1)
    for rows, inner, columns in [*SHAPES, (5, 0, 4), (0, 3, 2), (40, 30, 20)]:
        left = generator.integers(-9, 9, (rows, inner)).astype(dtype)
        right = generator.integers(-9, 9, (inner, columns)).astype(dtype)
        other = generator.integers(-9, 9, (rows, columns)).astype(dtype)
        a, b = laid_out(left, first), laid_out(right, second)
        c = np.full((rows + 1, columns + 2), np.nan, dtype)
        c[:rows, :columns] = other
        c = c if third == "larger" else laid_out(other, third)
        for alpha, beta in ((1.0, 1.0), (-1.0, 1.0), (2.0, -0.5)):
            made = added(a, b, c, alpha, beta)
            assert made.dtype == dtype
            np.testing.assert_array_equal(made, alpha * (left @ right) + beta * other)
            np.testing.assert_array_equal(c[:rows, :columns], other)


def test_a_product_is_added_in_the_memory_that_is_offered():
    generator = np.random.default_rng(1)
    left, right, other = (generator.random((400, 400)) for _ in range(3))
    wanted = other - left @ right
    address = other.__array_interface__["data"]
    made = memory.into(other, added, left, right, other, -1.0, 1.0)
    np.testing.assert_allclose(made, wanted)
    assert made.__array_interface__["data"] == address


def test_what_is_multiplied_by_zero_may_be_no_number():
    left = np.full((30, 30), np.inf)
    right, other = np.ones((30, 30)), np.full((30, 30), np.nan)
    assert np.isnan(added(left, right, other, 1.0, 0.0)).all()
    with np.errstate(invalid="ignore"):
        assert np.isnan(added(left, right, right, 0.0, 1.0)).all()

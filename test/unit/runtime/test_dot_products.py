"""Dot products by BLAS and by machine code, on one thread and on several."""

import numpy as np
import pytest

from diablo.runtime.kernels.dot_products import BLAS_LENGTH, dot
from diablo.runtime.native import thread_team


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("length", [0, 1, 7, BLAS_LENGTH, BLAS_LENGTH + 1, 3 * BLAS_LENGTH])
def test_a_dot_product(length: int, threads: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    monkeypatch.setattr(thread_team, "WORTH_SHARING", 2 * BLAS_LENGTH)
    generator = np.random.default_rng(length)
    left, right = generator.random(length), generator.random(2 * length)[::2]
    found = dot(left, right)
    assert np.isscalar(found)
    np.testing.assert_allclose(found, (left * right).sum(), rtol=1e-12)
    np.testing.assert_allclose(dot(left, left), (left * left).sum(), rtol=1e-12)


@pytest.mark.parametrize("rows", [0, 3, BLAS_LENGTH])
def test_arrays_of_any_rank_are_multiplied_at_equal_places(rows: int):
    left = np.random.default_rng(rows).random((2, rows, 3))
    right = np.random.default_rng(1).random((2, rows + 1, 3))[:, 1:]
    found = dot(left, right)
    assert np.isscalar(found)
    np.testing.assert_allclose(found, (left * right).sum(), rtol=1e-12)


def test_other_types_keep_theirs():
    numbers = np.arange(2 * BLAS_LENGTH)
    assert dot(numbers, numbers) == (numbers * numbers).sum()
    assert dot(numbers.astype(np.float32), np.ones_like(numbers, np.float32)).dtype == np.float32


def test_vectors_of_different_lengths_are_an_error():
    with pytest.raises(ValueError, match="shapes"):
        dot(np.ones(2 * BLAS_LENGTH), np.ones(2 * BLAS_LENGTH + 1))

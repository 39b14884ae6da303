# Decompositions made of products: of tall matrices, block by block, and by random projections.
from typing import Any

import numpy as np
import pytest

import diablo.array as da
from diablo.array.stored_arrays import stored

RNG = np.random.default_rng(8)


def _matrix(rows: int, columns: int, dtype: str = "float64") -> Any:
    made = RNG.standard_normal((rows, columns))
    return (made + 1j * RNG.standard_normal((rows, columns)) if dtype[0] == "c" else made).astype(
        dtype
    )


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128"])
@pytest.mark.parametrize("shape", [(50, 4), (9, 9), (7, 1)])
def test_tall_matrices(shape: Any, dtype: str):
    x = _matrix(*shape, dtype)
    q, r = da.linalg.qr(da.asarray(x), mode="tall")
    assert (q.shape, r.shape, q.dtype) == (shape, (shape[1], shape[1]), x.dtype)
    found, upper = q.to_numpy(), r.to_numpy()
    close = 1e-4 if dtype == "float32" else 1e-11
    np.testing.assert_allclose(found @ upper, x, atol=close)
    np.testing.assert_allclose(found.conj().T @ found, np.eye(shape[1]), atol=close)
    np.testing.assert_allclose(np.tril(upper, -1), 0, atol=close)


def test_tall_matrices_of_a_bad_condition():
    x = _matrix(200, 5) @ np.diag([1, 1e-3, 1e-6, 1e-9, 1e-12])
    q = da.linalg.qr(da.asarray(x), mode="tall").Q.to_numpy()
    np.testing.assert_allclose(q.T @ q, np.eye(5), atol=1e-10)


def test_a_tall_matrix_is_read_by_tiles():
    class Source:
        shape, dtype = (400, 6), np.dtype("float64")
        array = _matrix(400, 6)
        most = 0

        def read(self, ranges: Any) -> Any:
            self.most = max(self.most, ranges[0][1] - ranges[0][0])
            return self.array[tuple(slice(*each) for each in ranges)]

    source = Source()
    r = da.linalg.qr(da.Array(stored(source)), mode="tall").R.compute(memory=8000).to_numpy()
    np.testing.assert_allclose(r.T @ r, source.array.T @ source.array)
    assert source.most < 100


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("block_size", [1, 4, 7, 20])
@pytest.mark.parametrize("upper", [False, True])
def test_factors_block_by_block(block_size: int, upper: bool, dtype: str):
    x = _matrix(13, 13, dtype)
    x = x @ x.conj().T + np.eye(13)
    found = da.linalg.cholesky(da.asarray(x), block_size=block_size, upper=upper).to_numpy()
    expected = np.linalg.cholesky(x)
    np.testing.assert_allclose(found, expected.conj().T if upper else expected, atol=1e-10)


@pytest.mark.parametrize("shape", [(40, 25), (25, 40)])
def test_singular_values_of_a_projection(shape: Any):
    x = _matrix(shape[0], 5) @ _matrix(5, shape[1])
    u, s, vh = da.linalg.svd_randomized(da.asarray(x), 5)
    assert (u.shape, s.shape, vh.shape) == ((shape[0], 5), (5,), (5, shape[1]))
    np.testing.assert_allclose(s.to_numpy(), np.linalg.svd(x)[1][:5])
    np.testing.assert_allclose(((u * s) @ vh).to_numpy(), x, atol=1e-9)


def test_what_cannot_be_decomposed_is_said():
    a = da.asarray(np.eye(3))
    for call, message in (
        (lambda: da.linalg.qr(a[:2], mode="tall"), "not more rows than columns"),
        (lambda: da.linalg.cholesky(a, block_size=0), "must be at least 1"),
        (lambda: da.linalg.svd_randomized(a, 0), "must be at least 1"),
        (lambda: da.linalg.qr(a, mode="short"), "the mode is"),
    ):
        with pytest.raises(ValueError, match=message):
            call()

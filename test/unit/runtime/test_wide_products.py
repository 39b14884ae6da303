# Products of sparse matrices of narrow numbers, whose terms are added up in 64 bits.
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from device_programs import device, on_gpu

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.device.stand_in import StandIn
from diablo.runtime.kernels import matrix_products, sparse_products
from diablo.runtime.native import thread_team

__all__ = ["device"]

TYPES = pytest.mark.parametrize("dtype", [np.float32, np.complex64, np.complex128])


def numbers(n: int, dtype: Any, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    parts = rng.uniform(0.5, 1, n)
    is_complex = np.dtype(dtype).kind == "c"
    return (parts + 1j * rng.uniform(0.5, 1, n) if is_complex else parts).astype(dtype)


def long_row(dtype: Any, n: int = 300_000) -> Any:
    """Two rows, of which one is all that there is."""
    parts = numbers(n, dtype), np.arange(n, dtype=np.int32), np.array([0, n, n], np.int32)
    return sparse.csr_array(parts, shape=(2, n))


@TYPES
@pytest.mark.parametrize("mode", ["always", "never"])
def test_a_long_row_is_added_up_in_64_bits(dtype: Any, mode: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    a = long_row(dtype)
    x = numbers(a.shape[1], dtype, 1)
    tile = SparseTile.from_csr(a)
    wanted = (a.data.astype(complex) * x.astype(complex)).sum()
    for _ in range(3):
        found = sparse_products.product(tile, (0,), (1,), a.shape, x)
        assert found.dtype == dtype
        np.testing.assert_allclose(found, [wanted, 0], rtol=1e-7)
    columns = matrix_products.product(a, np.stack([x, x], axis=1))
    assert columns.dtype == dtype
    np.testing.assert_allclose(columns, [[wanted] * 2, [0, 0]], rtol=1e-7)
    both = matrix_products.product(a, sparse.csr_array(x[:, None]))
    assert both.dtype == dtype
    np.testing.assert_allclose(both.toarray(), [[wanted], [0]], rtol=1e-7)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("type", "dtype"), [("Float", np.float32), ("Complex64", np.complex64)])
def test_so_is_one_on_a_device(device: StandIn, type: str, dtype: Any):
    """Its threads go through a part of it each, where what is lost of each term adds up too."""
    a = long_row(dtype, 100_000)
    x = numbers(a.shape[1], dtype, 1)
    text = f"input A: matrix[{type}]; input x: vector[{type}]; A @ x;"
    found = on_gpu(text)(A=a, x=x).to_numpy()
    wanted = (a.data.astype(complex) * x.astype(complex)).sum()
    np.testing.assert_allclose(found, [wanted, 0], rtol=1e-7)
    assert device.traffic.launches


@TYPES
def test_columns_and_parts_of_rows(dtype: Any, monkeypatch: pytest.MonkeyPatch):
    """Whatever way the matrix is gone through."""
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setattr(thread_team, "WORTH_SHARING", 1)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    a = sparse.random_array((200, 300), density=0.1, format="csr", rng=1).astype(dtype)
    a.data = numbers(a.nnz, dtype)
    tile = SparseTile.from_csr(a)
    x, y = numbers(300, dtype, 1), numbers(200, dtype, 2)
    dense = a.toarray().astype(complex)
    rtol = 1e-12 if dtype is np.complex128 else 2e-7
    for _ in range(3):
        found = sparse_products.product(tile, (0,), (1,), (200, 300), x)
        np.testing.assert_allclose(found, dense @ x, rtol=rtol)
        found = sparse_products.product(tile, (1,), (0,), (200, 300), y)
        np.testing.assert_allclose(found, dense.T @ y, rtol=rtol)
        found = sparse_products.product(tile, (0,), (1,), (100, 300), x)
        np.testing.assert_allclose(found, dense[:100] @ x, rtol=rtol)

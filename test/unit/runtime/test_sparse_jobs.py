"""Products of sparse tiles with dense matrices as jobs, which machine code does with a table."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels.sparse_products import matrix_product_job
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.machine_code import PROVIDED
from diablo.runtime.native.thread_team import SHARE_CALL, Job

Array = np.ndarray[Any, Any]
SPARSE: Any = scipy.sparse


@pytest.fixture(autouse=True, params=[1, 3])
def threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_THREADS", str(request.param))
    monkeypatch.setenv("DIABLO_COMPILE", "always")


def tile_of(rows: int, columns: int, dtype: Any = np.float64) -> tuple[SparseTile, Array]:
    shape, rng = (rows, columns), np.random.default_rng(rows)
    made = SPARSE.random_array(shape, density=0.4, rng=rng, format="csr", dtype=dtype)
    return SparseTile.from_csr(made, shape, 1), made.toarray()


def done(job: Job, dense: Array, shape: tuple[int, int]) -> Array:
    made = np.full(shape, np.nan)
    table = np.array([0, address_of(dense), address_of(made)])
    share = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(PROVIDED[SHARE_CALL]())
    share(job.address, address_of(table))
    return made


@pytest.mark.parametrize("row", [0, 1])
@pytest.mark.parametrize("extents", [(9, 7), (9, 5), (4, 7), (1, 1)])
def test_a_job_multiplies_what_comes_later(extents: tuple[int, int], row: int):
    tile, dense = tile_of(9, 7)
    part = dense[: extents[0], : extents[1]]
    left = part.T if row else part
    rng = np.random.default_rng(0)
    for width in (1, 3):
        first, second = rng.random((2, left.shape[1], 5))
        found = matrix_product_job(tile, (row,), (1 - row,), extents, first[:, :width], (1, 2))
        assert found is not None
        job, points = found
        assert points == np.count_nonzero(left) * width
        for other in (first, second):
            made = done(job, other, (left.shape[0], width))
            np.testing.assert_allclose(made, left @ other[:, :width], rtol=1e-12)


def test_there_is_no_job_for_other_numbers_or_columns_that_lie_apart():
    tile, _ = tile_of(9, 7)
    key = (0,), (1,), (9, 7)
    assert matrix_product_job(tile, *key, np.ones((5, 7)).T, (0, 1)) is None
    assert matrix_product_job(tile, *key, np.ones((7, 5), np.float32), (0, 1)) is None
    assert matrix_product_job(tile, *key, np.ones((7, 0)), (0, 1)) is None
    assert matrix_product_job(tile_of(9, 7, np.float32)[0], *key, np.ones((7, 5)), (0, 1)) is None
    assert matrix_product_job(np.ones((9, 7)), *key, np.ones((7, 5)), (0, 1)) is None

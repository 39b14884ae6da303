# Sparse matrices in slices of windows: what the kernels make of them, and how they are made.
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from gpu_kernels import ORDERS, launched_on_cpu

from diablo.runtime.device.sliced_matrices import (
    EXPONENT,
    dealt,
    laid_out,
    ordered,
    placed,
    positioned,
    spread,
    taken,
)

PRODUCT = """func.func @k(%starts: memref<?x?xi32>, %rows: memref<?x?xi32>, %places: memref<?xi32>,
    %values: memref<?xELEMENT>, %x: memref<?xELEMENT>, %width: index, %blocks: index,
    %exponent: index, %y: memref<?xELEMENT>) {
  simt.sliced_product %starts, %rows, %places, %values, %x, %y, %width, %blocks, %exponent
    {most = MOST}
    : memref<?x?xi32>, memref<?x?xi32>, memref<?xi32>, memref<?xELEMENT>, memref<?xELEMENT>,
      memref<?xELEMENT>
  func.return
}"""


def matrix_of(rows: int, columns: int, density: float, seed: int, dtype: Any) -> Any:
    generator = np.random.default_rng(seed)
    counts = generator.poisson(density * columns, rows).clip(0, columns)
    counts[generator.random(rows) < 0.1] = 0
    indices = [np.sort(generator.choice(columns, count, replace=False)) for count in counts]
    starts = np.r_[0, np.cumsum(counts)].astype(np.int32)
    flat = np.concatenate([np.zeros(0, np.int64), *indices]).astype(np.int32)
    values = generator.normal(size=len(flat)).astype(dtype)
    return sparse.csr_array((values, flat, starts), shape=(rows, columns))


GROUPS = 2 * (512 >> EXPONENT)


def in_slices(matrix: Any, width: int, most: int) -> tuple[Any, ...]:
    rows, columns = matrix.shape
    windows = -(-columns // width)
    of_places, lengths, slice_of, within, _ = ordered(
        matrix.indptr, matrix.indices, rows, windows, width
    )
    pairs = (lengths + 1) // 2
    starts, begins, sources = laid_out(pairs, dealt(pairs, GROUPS))
    total = int(starts[-1, -1])
    (order,) = taken(of_places, sources)
    (positions,) = positioned(begins, slice_of, within)
    (places,) = placed(matrix.indices, positions, total, width, most)
    (values,) = spread(matrix.data, positions, (2 * total) << EXPONENT)
    return starts, order, places, values


@pytest.mark.sampled(2)
@pytest.mark.parametrize("element", ["f64", "f32"])
@pytest.mark.parametrize("order", ORDERS)
def test_products_are_those_of_the_matrix(order: Any, element: str) -> None:
    dtype = np.dtype({"f64": np.float64, "f32": np.float32}[element])
    width, most = 50, 60
    run = launched_on_cpu(PRODUCT.replace("ELEMENT", element).replace("MOST", str(most)), order)
    for number, (rows, columns, density) in enumerate(
        [(1, 1, 1.0), (1, 50, 0.5), (31, 51, 0.3), (32, 100, 0.5), (33, 99, 0.2), (700, 333, 0.1)]
    ):
        matrix = matrix_of(rows, columns, density, number, dtype)
        x = np.random.default_rng(7).normal(size=columns).astype(dtype)
        y = np.full(rows, 77, dtype)
        run(*in_slices(matrix, width, most), x, width, 2, EXPONENT, y)
        np.testing.assert_allclose(
            y, matrix @ x, rtol=1e-4 if element == "f32" else 1e-12, atol=1e-5
        )


def test_zeros_between_entries_meet_no_element() -> None:
    # An infinity times the zero of a place where there is no entry would be no number.
    run = launched_on_cpu(PRODUCT.replace("ELEMENT", "f64").replace("MOST", "4"))
    matrix = sparse.csr_array(np.array([[0.0, 1, 0, 0, 0, 0], [2, 3, 4, 0, 0, 5.0]]))
    x = np.array([np.inf, 1, 1, np.nan, np.nan, 1])
    y = np.zeros(2)
    run(*in_slices(matrix, 4, 4), x, 4, 2, EXPONENT, y)
    np.testing.assert_array_equal(y, [1, np.inf])


def test_slices_hold_each_entry_once() -> None:
    matrix = matrix_of(100, 130, 0.2, 1, np.float64)
    starts, order, places, values = in_slices(matrix, 50, 60)
    assert np.count_nonzero(values) == matrix.nnz
    assert np.sort(order[order >= 0]).tolist() == sorted([*range(100)] * 3)
    halves = np.stack([places & 0xFFFF, places >> 16])
    assert np.count_nonzero(halves != 60) == matrix.nnz
    assert (np.diff(starts, axis=1) >= 0).all()


def test_groups_of_threads_have_as_much_to_do() -> None:
    pairs = np.sort(np.random.default_rng(1).integers(5, 50, (3, 1000)), axis=1)[:, ::-1]
    places = dealt(pairs, 300)
    for lengths, taken_up in zip(pairs, places, strict=True):
        assert len({*taken_up.tolist()}) == 1000
        loads = np.bincount(taken_up % 300, lengths, minlength=300)
        assert loads.max() < 1.2 * loads.mean()
        in_order = np.bincount(np.arange(1000) % 300, lengths, minlength=300)
        assert loads.max() < in_order.max()

"""SciPy's sparse matrices: between them and tiles, and their files.

    tile_of_scipy(scipy.sparse.coo_array(…))   ->  SparseTile(shape=(4, 4), dense_rank=1, …)

SciPy's annotations are incomplete; this is the one place that has to know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from scipy import io as _io
from scipy import sparse as _sparse

from diablo.runtime.arrays.sparse_tile import SparseTile

io: Any = _io
sparse: Any = _sparse


def is_scipy_sparse(value: object) -> bool:
    """Whether `value` is a SciPy sparse array or matrix."""
    return bool(sparse.issparse(value))


def tile_of_scipy(matrix: Any) -> SparseTile:
    """The whole of a SciPy sparse array as one tile.

    Rows are dense, except that a vector is sparse in its only dimension. Entries with equal
    indices are added, as SciPy reads them.
    """
    if matrix.ndim == 2:
        # SciPy remembers on the matrix itself that its entries are in order.
        return SparseTile.from_csr(matrix if matrix.format == "csr" else sparse.csr_array(matrix))
    entries = matrix.tocoo()
    return SparseTile.from_coordinates(
        entries.coords,
        entries.data,
        matrix.shape,
        0 if matrix.ndim == 1 else 1,
        np.logical_or if entries.data.dtype.kind == "b" else np.add,
    )


def scipy_of_tile(tile: SparseTile | NDArray[Any]) -> Any:
    """A tile as a SciPy sparse array: CSR if it has two dimensions, else COO."""
    if not isinstance(tile, SparseTile):
        return sparse.csr_array(tile) if tile.ndim == 2 else sparse.coo_array(tile)
    if tile.ndim == 2:
        return tile.with_dense_rank(1).csr()
    return sparse.coo_array((tile.values, tile.coordinates()), shape=tile.shape)


def csr_of_vectors(
    indptr: NDArray[Any], indices: NDArray[Any], data: NDArray[Any], shape: Sequence[int]
) -> Any:
    """The CSR array over three vectors; `ValueError` if they do not make one of `shape`."""
    matrix = sparse.csr_array((data, indices, indptr), shape=tuple(shape))
    matrix.check_format(full_check=True)
    return matrix


def read_matrix_market(path: str) -> Any:
    """The dense or sparse matrix of a Matrix Market file, plain or compressed."""
    return io.mmread(path)


def write_matrix_market(file: BinaryIO, matrix: Any) -> None:
    """Writes a NumPy matrix or a SciPy one, as integers if it is Boolean."""
    io.mmwrite(file, matrix.astype(np.int64) if matrix.dtype.kind == "b" else matrix)


def read_npz(path: str) -> Any:
    """The matrix that SciPy's `save_npz` wrote."""
    return sparse.load_npz(path)


def write_npz(file: BinaryIO, matrix: Any) -> None:
    """Writes a SciPy matrix as `save_npz` does."""
    sparse.save_npz(file, matrix, compressed=False)

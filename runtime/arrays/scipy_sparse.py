"""SciPy's sparse matrices: between them and tiles, and their files.

    tile_of_scipy(scipy.sparse.coo_array(…))   ->  SparseTile(shape=(4, 4), dense_rank=1, …)

SciPy's annotations are incomplete; this is the one place that has to know.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from io import BytesIO
from types import SimpleNamespace
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays.given_tile import tile_as_given
from diablo.runtime.arrays.scipy_checks import checked, sparse_arrays
from diablo.runtime.arrays.sparse_tile import SparseTile, as_scipy_holds


def is_scipy_sparse(value: object) -> bool:
    """Whether `value` is a SciPy sparse array or matrix: there is none before SciPy is imported."""
    return "scipy.sparse" in sys.modules and bool(sparse_arrays().issparse(value))


def tile_of_scipy(matrix: Any) -> SparseTile:
    """The whole of a SciPy sparse array as one tile.

    Rows are dense, except that a vector is sparse in its only dimension. Entries with equal
    indices are added, as SciPy reads them. `ValueError` if its vectors do not fit each other.
    """
    entries = checked(matrix)
    if entries.ndim == 2:
        return tile_as_given(entries)
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
        make = sparse_arrays().csr_array if tile.ndim == 2 else sparse_arrays().coo_array
        return make(as_scipy_holds(tile))
    if tile.ndim == 2:
        return tile.with_dense_rank(1).csr()
    entries = as_scipy_holds(tile.values), tile.coordinates()
    return sparse_arrays().coo_array(entries, shape=tile.shape)


def _files() -> Any:
    from scipy import io

    return io


def read_matrix_market(data: bytes) -> Any:
    """The dense or sparse matrix of the text of a Matrix Market file, which was checked."""
    return _files().mmread(BytesIO(data))


def write_matrix_market(file: BinaryIO, matrix: Any) -> None:
    """Writes a NumPy matrix or a SciPy one, as integers if it is Boolean."""
    _files().mmwrite(file, matrix.astype(np.int64) if matrix.dtype.kind == "b" else matrix)


def matrix_of_vectors(form: str, vectors: Mapping[str, NDArray[Any]]) -> Any:
    """The matrix over the vectors that `save_npz` writes for `csr`, `csc`, `bsr`, `dia`, `coo`.

    `ValueError` if they do not make one.
    """
    if vectors["shape"].dtype.kind not in "iu":
        raise ValueError("its shape does not consist of integers")
    shape = tuple(int(extent) for extent in vectors["shape"].reshape(-1).tolist())
    if form in ("csr", "csc", "bsr"):
        names = ("indptr", "indices", "data")
    elif form == "dia":
        names = ("offsets", "data")
    elif form == "coo":
        names = ("coords", "data") if "coords" in vectors else ("row", "col", "data")
    else:
        raise ValueError(f"matrices are not read in the form {form!r}")
    missing = next((name for name in names if name not in vectors), None)
    if missing is not None:
        raise ValueError(f"it has no vector {missing!r}")
    given: dict[str, Any] = {name: vectors[name] for name in names}
    if "row" in given:
        given["coords"] = given["row"], given["col"]
    return checked(SimpleNamespace(format=form, shape=shape, **given))


def write_npz(file: BinaryIO, matrix: Any) -> None:
    """Writes a SciPy matrix as `save_npz` does."""
    sparse_arrays().save_npz(file, matrix, compressed=False)

"""Whether a SciPy sparse array is one: SciPy's own code trusts its vectors, and so does ours.

    checked(csr_array(data [1.0], indices [9], indptr [0, 1], shape (1, 4)))
        ->  ValueError: the index 9 lies outside of 4 columns

Everything is looked at before any code of SciPy's runs over it, which would read and write
wherever an index points.
"""

from __future__ import annotations

import operator
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.diagnostics import quantity
from diablo.runtime.arrays.row_checks import largest_index
from diablo.runtime.available_memory import check_memory

Array = NDArray[Any]
_MOST_POSITIONS = 2**63
_FEW_ROWS = 1 << 20
"""Rows of which it is taken for granted that there is memory for their starts."""


def sparse_arrays() -> Any:
    """SciPy's sparse arrays: imported late, since that takes longer than all else at the start."""
    from scipy import sparse

    return sparse


def checked(matrix: Any) -> Any:
    """Return a matrix in CSR, an array of other rank in COO, with vectors that fit each other.

    Unsorted and repeated entries are left as they are. Raises `ValueError` with one sentence for
    anything else.
    """
    shape = tuple(int(extent) for extent in matrix.shape)
    check_extents(shape)
    match matrix.format:
        case "csr" | "csc" | "bsr":
            made = _compressed(matrix, shape)
        case "coo":
            made = _coordinates(matrix, shape)
        case "dia":
            made = _diagonals(matrix, shape)
        case "lil":
            made = _lists(matrix, shape)
        case _:
            made = _coordinates(matrix.tocoo(), shape)
    if len(shape) != 2:
        return made if made.format == "coo" else made.tocoo()
    return made if made.format == "csr" else _compressed(made.tocsr(), shape)


def check_extents(shape: tuple[int, ...]) -> None:
    """That an array of this shape can be held: its rows are counted, its elements numbered."""
    text = " x ".join(map(str, shape))
    if min(shape, default=0) < 0:
        raise ValueError(f"an extent of {text} is negative")
    if prod(shape) >= _MOST_POSITIONS:
        raise ValueError(f"{text} elements are more than 64 bits can number")
    rows = shape[0] if len(shape) > 1 else 0
    if rows > _FEW_ROWS:  # To look how much memory there is takes longer than most calls.
        check_memory(16 * rows, f"{rows} rows, even if they are empty,")


def numbers(vector: Any, what: str) -> Array:
    """The vector of values in the machine's order of bytes, as SciPy's code takes it."""
    array = np.asarray(vector)
    if array.dtype.kind not in "biufc":
        raise ValueError(f"the {what} are of type {array.dtype}, not numbers")
    if array.dtype.kind == "c" and array.dtype.itemsize not in (8, 16):
        array = array.astype(np.complex128)
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        array = array.astype(np.float64)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _integers(vector: Any, what: str) -> Array:
    array = np.asarray(vector)
    if array.ndim != 1:
        raise ValueError(f"the {what} have {quantity(array.ndim, 'dimension')}")
    if array.dtype.kind not in "iu":
        raise ValueError(f"the {what} are of type {array.dtype}, not integers")
    if array.dtype == np.uint64 and len(array) and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"the {what} do not fit in 64 bits")
    if array.dtype.kind == "i" and array.dtype.itemsize in (4, 8) and array.dtype.isnative:
        return array
    return array.astype(np.int64)


def _within(indices: Array, extent: int, what: str) -> None:
    if len(indices) == 0:
        return
    if (
        indices.dtype.kind == "i"
        and indices.view(indices.dtype.str.replace("i", "u")).max() < extent
    ):
        return  # As one without a sign a negative index is larger than all extents.
    for worst in (int(indices.min()), int(indices.max())):
        if not 0 <= worst < extent:
            raise ValueError(f"the index {worst} lies outside of {extent} {what}")


def _compressed(matrix: Any, shape: tuple[int, ...]) -> Any:
    """CSR, CSC and BSR: starts of lists, indices in them, values."""
    starts = _integers(matrix.indptr, "starts of the rows")
    indices = _integers(matrix.indices, "indices")
    data = numbers(matrix.data, "values")
    over, along = (shape[1], shape[0]) if matrix.format == "csc" else (shape[0], shape[-1])
    block = (1, 1)
    if matrix.format == "bsr":
        if data.ndim != 3 or 0 in data.shape[1:]:
            raise ValueError(f"the blocks of values have the shape {data.shape}")
        block = data.shape[1:]
        if over % block[0] or along % block[1]:
            raise ValueError(f"blocks of {block} do not make a matrix of {shape}")
    elif data.ndim != 1:
        raise ValueError(f"the values have {quantity(data.ndim, 'dimension')}")
    lists = (over if len(shape) == 2 else 1) // block[0]
    if len(starts) != lists + 1:
        raise ValueError(f"{len(starts)} starts of rows where {lists + 1} are wanted")
    if len(indices) != len(data):
        raise ValueError(f"{len(indices)} indices and {len(data)} values")
    if starts[0] != 0:
        raise ValueError(f"the first row starts at {starts[0]} instead of 0")
    stored = int(starts[-1])
    largest = largest_index(starts, indices[:stored]) if 0 < stored <= len(indices) else None
    if largest is None and (starts[1:] < starts[:-1]).any():
        raise ValueError("the starts of the rows decrease")
    if stored > len(indices):
        raise ValueError(f"the rows end at {stored}, and there are {len(indices)} indices")
    if stored < len(indices):
        indices, data = indices[:stored], data[:stored]
    extent = along // block[1]
    if largest is None or largest >= extent:
        _within(indices, extent, "blocks" if matrix.format == "bsr" else "columns")
    if starts.dtype != indices.dtype:
        starts, indices = starts.astype(np.int64), indices.astype(np.int64)
    if matrix.format == "csr":
        # Machine code is told where vectors begin, and takes it that their elements are neighbours.
        made = [np.ascontiguousarray(vector) for vector in (data, indices, starts)]
        given = matrix.data, matrix.indices, matrix.indptr
        if sparse_arrays().issparse(matrix) and all(map(operator.is_, made, given)):
            return matrix
        return sparse_arrays().csr_array(tuple(made), shape=shape)
    if matrix.format == "csc":
        return sparse_arrays().csc_array((data, indices, starts), shape=shape).tocsr()
    return sparse_arrays().bsr_array((data, indices, starts), shape=shape).tocsr()


def _coordinates(matrix: Any, shape: tuple[int, ...]) -> Any:
    coordinates = [_integers(vector, "indices") for vector in matrix.coords]
    data = numbers(matrix.data, "values")
    if len(coordinates) != len(shape):
        raise ValueError(
            f"{len(coordinates)} vectors of indices for {quantity(len(shape), 'dimension')}"
        )
    if data.ndim != 1:
        raise ValueError(f"the values have {quantity(data.ndim, 'dimension')}")
    for vector, extent in zip(coordinates, shape, strict=True):
        if len(vector) != len(data):
            raise ValueError(f"{len(vector)} indices and {len(data)} values")
        _within(vector, extent, "places")
    return sparse_arrays().coo_array((data, tuple(coordinates)), shape=shape)


def _diagonals(matrix: Any, shape: tuple[int, ...]) -> Any:
    offsets = _integers(matrix.offsets, "offsets of the diagonals")
    data = numbers(matrix.data, "values")
    if data.ndim != 2 or len(data) != len(offsets):
        raise ValueError(f"{len(offsets)} offsets for diagonals of the shape {data.shape}")
    if len(np.unique(offsets)) != len(offsets):
        raise ValueError("two diagonals have the same offset")
    return sparse_arrays().dia_array((data, offsets), shape=shape).tocoo()


def _lists(matrix: Any, shape: tuple[int, ...]) -> Any:
    rows, values = (cast("list[Any]", part.tolist()) for part in (matrix.rows, matrix.data))
    if len(rows) != shape[0] or len(values) != shape[0]:
        raise ValueError(f"{len(rows)} lists of indices for {shape[0]} rows")
    for indices, row in zip(rows, values, strict=True):
        if not isinstance(indices, list) or not isinstance(row, list):
            raise ValueError("a row is no list")
        lengths = len(cast("list[Any]", indices)), len(cast("list[Any]", row))
        if lengths[0] != lengths[1]:
            raise ValueError(f"a row has {lengths[0]} indices and {lengths[1]} values")
    flat = [index for row in rows for index in row]
    columns = np.array(flat) if flat else np.zeros(0, np.int64)
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    data = np.array([value for row in values for value in row], matrix.dtype)
    lines = np.repeat(np.arange(len(rows)), lengths)
    return _coordinates(_Coordinates((lines, columns), data), shape)


class _Coordinates:
    """What `_coordinates` looks at, before SciPy sees it."""

    def __init__(self, coords: tuple[Array, ...], data: Array):
        self.coords = coords
        self.data = data

"""Products of matrices of which at least one is sparse, by the runtime's loops.

product_of(one, other)    ->    entries, if both are sparse, else an array of NumPy's
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from diablo.array.expression_graph import leaf
from diablo.array.lazy_array import Array
from diablo.array.sparse_entries import Entries, of_coordinates, of_matrix
from diablo.array.sparse_pattern import from_coordinates
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels.arithmetic import matrix
from diablo.runtime.kernels.matrix_products import masked_product, product

_LISTS = 1 << 20
"""Matrices with more rows or columns may have far fewer elements, and be better off without."""


def product_of(one: Entries | Any, other: Entries | Any) -> Any:
    """Return the product of sparse matrices, or of one and a dense array of NumPy's.

    Raises
    ------
    ValueError
        If the shapes do not fit, or a fill value is not 0.
    """
    for operand in (one, other):
        if isinstance(operand, Entries):
            check_zero(operand, "products")
            if operand.pattern.ndim != 2:
                rank = operand.pattern.ndim
                raise ValueError(f"sparse products are of matrices, not of {rank} dimensions")
    if isinstance(one, Entries) and isinstance(other, Entries) and _is_mostly_empty(one, other):
        return _product_of_few(one, other)
    left, right = [as_matrix(o) if isinstance(o, Entries) else o for o in (one, other)]
    if left.ndim != 2 or right.ndim != 2:
        return np.asarray(left @ right)
    _check_inner(left, right)
    found: Any = product(left, right)
    if isinstance(one, Entries) and isinstance(other, Entries):
        return of_matrix(found.tocsr())
    return np.asarray(found)


def masked_product_of(one: Entries, other: Entries, mask: Entries) -> Entries | None:
    """Return the product of matrices where a third one has entries.

    None if that is not better than the whole product, or if an element of that may be infinite or
    NaN: such ones are NaN times the zeros of the third matrix.
    """
    matrices = [entries.prune() for entries in (one, other, mask)]
    if _is_mostly_empty(*matrices) or one.dtype != other.dtype or one.dtype.kind not in "iuf":
        return None
    values = [Array(entries.values).to_numpy() for entries in matrices]
    if one.dtype.kind == "f":
        largest = [float(np.max(np.abs(each), initial=0)) for each in values[:2]]
        if not prod(largest) * one.shape[1] < float(np.finfo(one.dtype).max):
            return None
    tiles = [
        SparseTile(entries.shape, 1, entries.pattern, each)
        for entries, each in zip(matrices, values, strict=True)
    ]
    extents = mask.shape[0], mask.shape[1], one.shape[1]
    found = masked_product(tiles[0], tiles[1], tiles[2], extents, 1)
    return Entries(found.pattern, leaf(np.asarray(found.elements)), 0)


def _check_inner(one: Any, other: Any) -> None:
    if one.shape[1] != other.shape[0]:
        raise ValueError(f"a product of arrays of shapes {one.shape} and {other.shape}")


def check_zero(entries: Entries, what: str) -> None:
    """Raise a `ValueError` unless the fill value is 0."""
    if entries.fill != 0:
        raise ValueError(f"{what} are of arrays that are mostly 0, not {entries.fill}")


def as_matrix(entries: Entries) -> Any:
    """Return SciPy's compressed rows or columns, whichever there are, over the same memory."""
    entries.prune()
    values = Array(entries.values).to_numpy()
    tile = SparseTile(entries.shape, 1, entries.pattern, values)
    return matrix(tile, (0,), (1,), entries.shape)


def _is_mostly_empty(*matrices: Entries) -> bool:
    """Return whether most rows or columns have no elements, and would take much memory."""
    lists = max(extent for matrix in matrices for extent in matrix.shape)
    return lists > max(_LISTS, 8 * sum(matrix.values.size for matrix in matrices))


def _product_of_few(one: Entries, other: Entries) -> Entries:
    """Return a product by the rows and columns that have elements, numbered without gaps."""
    _check_inner(one, other)
    rows, inner = one.prune().coordinates()
    between, columns = other.prune().coordinates()
    terms = np.unique(np.concatenate([inner, between]))
    kept_rows, kept_columns = np.unique(rows), np.unique(columns)
    left: Any = np.searchsorted(kept_rows, rows), np.searchsorted(terms, inner)
    right: Any = np.searchsorted(terms, between), np.searchsorted(kept_columns, columns)
    small = product_of(
        of_coordinates((len(kept_rows), len(terms)), left, one.in_order()),
        of_coordinates((len(terms), len(kept_columns)), right, other.in_order()),
    )
    at, along = small.prune().coordinates()
    shape = (one.shape[0], other.shape[1])
    found = from_coordinates(shape, np.asarray([kept_rows[at], kept_columns[along]]))
    return Entries(found.pattern, leaf(small.in_order()), small.fill)

"""Products of matrices, whose size is known before they are made.

    product(a, b)         a @ b, of NumPy's arrays, of which one may be a vector, and of SciPy's
    lone_product(a, b)    the same of dense matrices, on the library's own threads
    added(a, b, c, alpha, beta)   alpha * a @ b + beta * c, of dense ones
    dense_product(a, b)   the same of two sparse matrices, as a dense one
    masked_product(a, b, mask, extents, 1)   the same of tiles, where a third one has entries

How many entries a product of sparse matrices has is between two sums over the rows of the left
one: a row has at least as many as the longest row of the right one that it meets, and at most as
many as all that it meets. Only where that does not decide whether there is memory, the entries are
counted, in half the time of the product. Where there is memory for the larger sum, and the rows of
both are compressed, machine code multiplies (`compressed_products`).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from diablo.diagnostics import OutOfMemory
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels import blas_products, compressed_products
from diablo.runtime.kernels.arithmetic import matrix
from diablo.runtime.kernels.device_memory import is_on_device
from diablo.runtime.kernels.signature import Array
from diablo.runtime.kernels.sparse_products import widened, wider
from diablo.runtime.memory_limit import reserve

_BLOCK = 1 << 24
"""How many products of entries are made at a time when entries are counted."""


def product(left: Any, right: Any) -> Any:
    """Return `left @ right`.

    Parameters
    ----------
    left, right : numpy.ndarray or SciPy sparse array, or both arrays of a device
        Of rank two, with as many columns on the left as rows on the right; a dense one may be a
        vector beside a dense matrix.

    Returns
    -------
    numpy.ndarray or scipy.sparse.csr_array or csc_array, or an array of the device
        Sparse if both operands are, with its entries in order.

    Raises
    ------
    OutOfMemory
        Before it is made, if the program may not take so much.
    """
    if is_on_device(left):
        return left @ right
    if not _is_sparse(left) and not _is_sparse(right):
        return blas_products.product(left, right)
    dtype = np.result_type(left.dtype, right.dtype)
    if (wide := wider(dtype)) is not None:
        # Of sums that are rounded, not of all terms.
        return widened(product(widened(left, wide), widened(right, wide)), dtype)
    size = dtype.itemsize
    if not (_is_sparse(left) and _is_sparse(right)):
        shape = left.shape[0], right.shape[1]
        reserve(size * shape[0] * shape[1], "an array of {} x {}", *shape)
        made = None
        if _is_sparse(left) and left.format == "csr":
            made = compressed_products.dense_product(left, right)
        return left @ right if made is None else made
    if left.format == "csc" and right.format == "csc":
        return product(right.T, left.T).T
    left, right = left.tocsr(), right.tocsr()
    terms = _reserve_entries(left, right, size)
    if terms is not None:
        made = compressed_products.sparse_product(left, right, terms)
        if made is not None:
            return made
    result = left @ right
    # There are no two of one index, and nobody else has it.
    result.sort_indices()
    return result


def lone_product(left: Any, right: Any) -> Any:
    """Return `left @ right` of two dense matrices, where nothing else is computed before long.

    BLAS has its own threads compute it, which are awake where somebody else has just called BLAS.
    """
    return left @ right if is_on_device(left) else blas_products.by_library(left, right)


def added(left: Any, right: Any, other: Any, alpha: float, beta: float) -> Any:
    """Return `alpha * left @ right + beta * other` of dense matrices of one type.

    It may be in the memory of `other`, if that is offered (`memory.into`).
    """
    if is_on_device(left):
        return alpha * (left @ right) + beta * other
    return blas_products.added(left, right, other, alpha, beta)


def _is_sparse(matrix: Any) -> bool:
    return not isinstance(matrix, np.ndarray)


def dense_product(left: Any, right: Any) -> Array:
    """Return the product of two sparse matrices as a dense one; raises as `product` does."""
    result = product(left, right)
    height, width = result.shape
    reserve(result.dtype.itemsize * height * width, "an array of {} x {}", height, width)
    return result.toarray()


def masked_product(
    left: SparseTile,
    right: SparseTile,
    mask: SparseTile,
    extents: tuple[int, int, int],
    dense_rank: int,
) -> SparseTile:
    """Return `left @ right` of sparse tiles where a third one has entries, and nothing else.

    Parameters
    ----------
    left, right, mask : matrices
    extents : how many rows and columns of the product there are, and how many terms are added;
        what tiles store beyond is left out
    dense_rank : of the result
    """
    rows, columns, terms = extents
    shapes = (rows, terms), (terms, columns), (rows, columns)
    made: SparseTile | None = None
    if (left.shape, right.shape, mask.shape) == shapes:
        made = compressed_products.masked_product(left, right, mask)
    if made is None:
        a, b, m = [
            matrix(tile, (0,), (1,), shape).tocsr()
            for tile, shape in zip((left, right, mask), shapes, strict=True)
        ]
        _reserve_entries(a, b, a.dtype.itemsize)
        # The rows of the whole product stay as they are made: what is left of them is sorted.
        product = (a @ b).multiply(m.astype(np.bool_)).tocsr()
        product.sort_indices()
        made = SparseTile.from_csr(product, shapes[2], 1)
    return made.with_dense_rank(dense_rank)


def _reserve_entries(left: Any, right: Any, size: int) -> Array | None:
    """Check that there is memory for the entries of a product of CSR matrices, of `size` bytes.

    Returns how many entries each row has at most, None if there is not memory for so many.
    """
    shape = left.shape[0], right.shape[1]
    terms = compressed_products.terms_of_rows(left.indptr, left.indices, right.indptr)
    terms = np.minimum(terms, shape[1])
    most = int(terms.sum())
    bytes_each = size + left.indices.itemsize
    what = "a sparse product of {} x {} with {} entries"
    try:
        reserve(most * bytes_each, what, *shape, most)
        return terms
    except OutOfMemory:
        lengths = _met(left, right)
        starts = left.indptr[:-1][np.diff(left.indptr) > 0]
        least = int(np.minimum(np.maximum.reduceat(lengths, starts), shape[1]).sum())
        reserve(least * bytes_each, what, *shape, least)
        del terms, lengths, starts
    entries = _count_entries(left, right)
    reserve(entries * bytes_each, what, *shape, entries)
    return None


def _count_entries(left: Any, right: Any) -> int:
    """Return how many entries the product of two CSR matrices has, from products of their patterns.

    Blocks of rows are multiplied, so that no more is held than a block has.
    """
    a, b = left.astype(np.bool_), right.astype(np.bool_)
    work = _met_before(left, right)
    at = np.arange(0, int(work[-1]) + 1, _BLOCK)
    cuts = np.unique(np.searchsorted(work, at, "right") - 1).tolist()
    return sum((a[begin:end] @ b).nnz for begin, end in pairwise([*cuts, left.shape[0]]))


def _met(left: Any, right: Any) -> Array:
    """Return for each entry of a CSR matrix how long the row of the other one is that it meets."""
    lengths: Array = np.diff(right.indptr)
    return lengths.take(left.indices)


def _met_before(left: Any, right: Any) -> Array:
    """Return for each row of a CSR matrix, and its end, how many entries those before it meet."""
    met: Array = np.zeros(left.nnz + 1, np.int64)
    np.cumsum(_met(left, right), out=met[1:])
    starts: Array = left.indptr
    return met.take(starts)

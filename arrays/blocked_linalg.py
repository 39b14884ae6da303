"""Decompositions of large matrices made of products: these are computed by programs.

    tall_qr(a)                  ->  R of Cholesky's factor of the products of columns, Q = a / R
    blocked_cholesky(a, 512)    ->  columns of blocks, each from those to the left of it
    randomized_svd(a, 10)       ->  the ten greatest singular values, of a random projection

Only matrices as wide as a block, or as the rank, are decomposed by LAPACK on the driver. What is as
large as the matrix is multiplied: by BLAS here, by workers on Spark, and tile by tile where it lies
in a file that does not fit in memory.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from diablo.array import elementwise_functions as elementwise
from diablo.array.concatenation import concatenated
from diablo.array.creation_functions import zeros
from diablo.array.driver_operations import called, part
from diablo.array.elementwise_operations import real_type
from diablo.array.expression_graph import Node
from diablo.array.lazy_array import Array

Pair = tuple[Array, Array]


def _adjoint(x: Array) -> Array:
    return elementwise.conj(x).mT if x.dtype.kind == "c" else x.mT


def _behind(a: Any, b: Any) -> Any:
    """Return `a` times the inverse of an upper triangular matrix."""
    return _linalg().solve_triangular(b.T, a.T, lower=True, check_finite=False).T


def _linalg() -> Any:
    return import_module("scipy.linalg")


def _factor(products: Any, *, shift: float) -> Any:
    """Return Cholesky's upper factor; `shift` of the trace is added to the diagonal."""
    identity: Any = np.eye(len(products), dtype=products.dtype)
    trace: Any = np.trace(products)
    added = shift * trace.real * identity
    linalg: Any = np.linalg
    return linalg.cholesky(products + added).conj().T


def _inverse(upper: Any) -> Any:
    identity = np.eye(len(upper), dtype=upper.dtype)
    return _linalg().solve_triangular(upper, identity, check_finite=False)


def _orthogonalized(x: Array, shift: float) -> Pair:
    """Return a matrix with columns nearer to orthonormal, and the factor that it was divided by."""
    size = x.shape[1]
    products = _adjoint(x) @ x
    upper = Array(called(_factor, (products.node,), (size, size), x.dtype, {"shift": shift}))
    inverse = Array(called(_inverse, (upper.node,), (size, size), x.dtype))
    return x @ inverse, upper


def tall_qr(x: Array) -> Pair:
    """Return the factors Q and R of a matrix that has at least as many rows as columns.

    Shifted CholeskyQR3 (Fukaya, Kannan, Nakatsukasa, Yamamoto, Yanagisawa: Shifted Cholesky QR for
    computing the QR factorization of ill-conditioned matrices, SIAM J. Sci. Comput. 42, 2020):
    Q is orthonormal up to rounding where the condition number is below some 10^15. The diagonal
    of R is positive.
    """
    rows, columns = x.shape
    epsilon = float(np.finfo(x.dtype).eps)
    shift = 11.0 * (rows * columns + columns * (columns + 1)) * epsilon / max(rows, 1)
    q, first = _orthogonalized(x, min(shift, 1e-6) if rows > 1 else 0.0)
    q, second = _orthogonalized(q, 0.0)
    q, third = _orthogonalized(q, 0.0)
    return q, third @ second @ first


def blocked_cholesky(x: Array, block_size: int) -> Array:
    """Return Cholesky's lower factor of a symmetric or Hermitian matrix, block by block.

    The left-looking algorithm: a column of blocks is what is left of the matrix without the
    products of those to the left, divided by the factor of its first block.
    """
    size = x.shape[0]
    found: list[Array] = []
    starts = range(0, size, block_size)
    for start in starts:
        stop = min(size, start + block_size)
        column = x[start:, start:stop]
        for left, begin in zip(found, starts, strict=False):
            below = left[start - begin :, :]
            column = column - below @ _adjoint(below[: stop - start, :])
        width = stop - start
        node = called(_factor, (column[:width].node,), (width, width), x.dtype, {"shift": 0.0})
        upper = Array(node)
        rest = column[width:]
        parts = [_adjoint(upper).node]
        if stop < size:
            parts.append(called(_behind, (rest.node, upper.node), rest.shape, x.dtype))
        found.append(Array(concatenated(parts, 0, x.dtype)))
    columns: list[Node] = []
    for start, column in zip(starts, found, strict=True):
        above = zeros((start, column.shape[1]), dtype=x.dtype)
        columns.append(concatenated([above.node, column.node], 0, x.dtype))
    return Array(concatenated(columns, 1, x.dtype))


def _small_svd(x: Any) -> Any:
    linalg: Any = np.linalg
    return tuple(linalg.svd(x, False))


def randomized_svd(
    x: Array, rank: int, iterations: int, sample: Array
) -> tuple[Array, Array, Array]:
    """Return the greatest singular values, and the vectors on both sides.

    `sample` is a random matrix with some more columns than the rank (Halko, Martinsson, Tropp:
    Finding structure with randomness, SIAM Review 53, 2011; algorithms 4.4 and 5.1).
    """
    q, _ = tall_qr(x @ sample)
    for _ in range(iterations):
        other, _ = tall_qr(_adjoint(x) @ q)
        q, _ = tall_qr(x @ other)
    narrow = _adjoint(q) @ x
    inner = min(narrow.shape)
    found = called(_small_svd, (narrow.node,), None, None)
    left = Array(part(found, 0, (narrow.shape[0], inner), x.dtype))
    values = Array(part(found, 1, (inner,), real_type(x.dtype)))
    right = Array(part(found, 2, (inner, narrow.shape[1]), x.dtype))
    return q @ left[:, :rank], values[:rank], right[:rank]

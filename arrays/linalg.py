"""The standard's extension of linear algebra: products by programs, decompositions by LAPACK."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from diablo.array.blocked_linalg import blocked_cholesky, randomized_svd, tall_qr
from diablo.array.driver_operations import called, part
from diablo.array.elementwise_functions import conj
from diablo.array.elementwise_operations import ELEMENTWISE, converted, elementwise, real_type
from diablo.array.expression_graph import Node, Shape, broadcast
from diablo.array.fold_operations import contracted, folded
from diablo.array.lazy_array import Array, matrix_product, node_of
from diablo.array.manipulation_functions import axes_of, axis_of, integer, matrix_transpose
from diablo.array.random import default_rng
from diablo.array.statistical_functions import sum as _sum
from diablo.array.view_operations import broadcasted, permuted
from diablo.array.view_operations import diagonal as _diagonal_view

DType = np.dtype[Any]

_LINALG: Any = np.linalg

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eigh",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svd_randomized",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


class EigenResult(NamedTuple):
    """Eigenvalues and eigenvectors."""

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """An orthonormal matrix and an upper triangular one."""

    Q: Any
    R: Any


class SlogdetResult(NamedTuple):
    """The sign of a determinant, and the logarithm of what it is without."""

    sign: Any
    logabsdet: Any


class SVDResult(NamedTuple):
    """The singular values, and the vectors on both sides."""

    U: Any
    S: Any
    Vh: Any


def _inexact(dtype: DType) -> DType:
    return dtype if dtype.kind in "fc" else np.dtype(np.float64)


def _matrices(x: Any, *, square: bool = False) -> Node:
    node = node_of(x)
    if node.ndim < 2:
        raise ValueError("a matrix has two dimensions")
    if square and node.shape[-1] != node.shape[-2]:
        raise ValueError(f"a matrix of shape {node.shape[-2:]} is not square")
    return node


def _call(
    function: Callable[..., Any], node: Node, shape: Shape | None, dtype: Any, **options: Any
) -> Array:
    return Array(called(function, (node,), shape, dtype, options))


def matmul(x1: Any, x2: Any, /) -> Array:
    """Return the product of matrices in the last two axes."""
    return Array(matrix_product(node_of(x1), node_of(x2)))


def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Array:
    """Return the sum of products over axes of both."""
    one, other = node_of(x1), node_of(x2)
    if isinstance(axes, int):
        count: int = axes
        if not 0 <= count <= min(one.ndim, other.ndim):
            raise ValueError(f"{count} axes of arrays of {one.ndim} and {other.ndim} dimensions")
        left: Sequence[int] = range(one.ndim - count, one.ndim)
        right: Sequence[int] = range(count)
    else:
        given = cast("Sequence[Any]", axes)
        left, right = axes_of(tuple(given[0]), one.ndim), axes_of(tuple(given[1]), other.ndim)
        if len(left) != len(right):
            raise ValueError(f"{len(left)} axes of one array are {len(right)} of the other")
    rank = one.ndim + other.ndim - 2 * len(left)
    free = iter(range(rank))
    first = [rank + left.index(a) if a in left else next(free) for a in range(one.ndim)]
    second = [rank + right.index(a) if a in right else next(free) for a in range(other.ndim)]
    return Array(contracted(one, other, first, second, rank))


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """Return the sum of products along an axis, of the first one's conjugates."""
    one, other = node_of(x1), node_of(x2)
    if not -min(one.ndim, other.ndim) <= axis < 0:
        one_axis, other_axis = axis_of(axis, one.ndim), axis_of(axis, other.ndim)
        if one.ndim != other.ndim:
            raise ValueError("an axis of arrays of several ranks is counted from the last")
    else:
        one_axis, other_axis = axis + one.ndim, axis + other.ndim
    if one.shape[one_axis] != other.shape[other_axis]:
        raise ValueError(f"axes of extents {one.shape[one_axis]} and {other.shape[other_axis]}")
    if one.dtype.kind == "c":
        one = elementwise(ELEMENTWISE["conjugate"], one)
    one, other = _last(one, one_axis), _last(other, other_axis)
    outer = broadcast(one.shape[:-1], other.shape[:-1])
    one = broadcasted(one, (*outer, one.shape[-1]))
    other = broadcasted(other, (*outer, other.shape[-1]))
    dims = range(len(outer) + 1)
    return Array(contracted(one, other, dims, dims, len(outer)))


def _last(node: Node, axis: int) -> Node:
    return permuted(node, [*[a for a in range(node.ndim) if a != axis], axis])


def outer(x1: Any, x2: Any, /) -> Array:
    """Return the products of each element of one vector with each of another one."""
    one, other = node_of(x1), node_of(x2)
    if one.ndim != 1 or other.ndim != 1:
        raise ValueError("an outer product is one of vectors")
    return Array(contracted(one, other, (0,), (1,), 2))


def diagonal(x: Any, /, *, offset: int = 0) -> Array:
    """Return a view of a diagonal of the last two axes."""
    return Array(_diagonal_view(_matrices(x), integer(offset, "an offset")))


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """Return the sum of a diagonal."""
    return _sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def _cross(x1: Any, x2: Any, *, axis: int) -> Any:
    return _LINALG.cross(x1, x2, axis=axis)


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """Return the products of vectors with three elements that are at right angles to both."""
    one, other = node_of(x1), node_of(x2)
    for node in (one, other):
        if node.shape[axis] != 3:
            raise ValueError(f"a vector of {node.shape[axis]} elements has no cross product")
    shape = broadcast(one.shape, other.shape)
    dtype: Any = np.result_type(one.dtype, other.dtype)
    return Array(called(_cross, (one, other), shape, dtype, {"axis": axis}))


def _cholesky(x: Any, *, upper: bool) -> Any:
    return _LINALG.cholesky(x, upper=upper)


def cholesky(x: Any, /, *, upper: bool = False, block_size: int | None = None) -> Array:
    """Return the triangular factor of symmetric matrices.

    With a `block_size` it is made of blocks, the products of which programs compute.
    """
    node = _matrices(x, square=True)
    if block_size is not None:
        lower = blocked_cholesky(_floats_of(node), _positive(block_size, "block size"))
        return conj(matrix_transpose(lower)) if upper else lower
    return _call(_cholesky, node, node.shape, _inexact(node.dtype), upper=upper)


def det(x: Any, /) -> Array:
    """Return the determinants."""
    node = _matrices(x, square=True)
    return _call(np.linalg.det, node, node.shape[:-2], _inexact(node.dtype))


def inv(x: Any, /) -> Array:
    """Return the inverses."""
    node = _matrices(x, square=True)
    return _call(np.linalg.inv, node, node.shape, _inexact(node.dtype))


def _eigh(x: Any) -> Any:
    return (*np.linalg.eigh(x),)


def eigh(x: Any, /) -> EigenResult:
    """Return eigenvalues and eigenvectors of symmetric matrices."""
    node = _matrices(x, square=True)
    dtype = _inexact(node.dtype)
    found = called(_eigh, (node,), None, None)
    return EigenResult(
        Array(part(found, 0, node.shape[:-1], real_type(dtype))),
        Array(part(found, 1, node.shape, dtype)),
    )


def eigvalsh(x: Any, /) -> Array:
    """Return eigenvalues of symmetric matrices."""
    node = _matrices(x, square=True)
    return _call(np.linalg.eigvalsh, node, node.shape[:-1], real_type(_inexact(node.dtype)))


def _qr(x: Any, *, mode: Any) -> Any:
    return tuple(_LINALG.qr(x, mode))


def qr(x: Any, /, *, mode: Any = "reduced") -> QRResult:
    """Return an orthonormal factor and an upper triangular one.

    The mode `"tall"` is for matrices of many rows and few columns, which need not fit in memory:
    both factors are made of products, and the diagonal of the second one is positive.
    """
    if mode == "tall":
        tall = _floats_of(_matrices(x))
        if tall.ndim != 2 or tall.shape[0] < tall.shape[1]:
            raise ValueError(f"a matrix of shape {tall.shape} has not more rows than columns")
        return QRResult(*tall_qr(tall))
    if mode not in ("reduced", "complete"):
        raise ValueError(f"the mode is 'reduced', 'complete' or 'tall', and not {mode!r}")
    node = _matrices(x)
    *stack, rows, columns = node.shape
    inner = rows if mode == "complete" else min(rows, columns)
    found = called(_qr, (node,), None, None, {"mode": mode})
    dtype = _inexact(node.dtype)
    return QRResult(
        Array(part(found, 0, (*stack, rows, inner), dtype)),
        Array(part(found, 1, (*stack, inner, columns), dtype)),
    )


def _floats_of(node: Node) -> Array:
    return Array(converted(node, _inexact(node.dtype)))


def _positive(number: Any, what: str) -> int:
    number = integer(number, f"the {what}")
    if number < 1:
        raise ValueError(f"the {what} is {number}, and must be at least 1")
    return number


def svd_randomized(
    x: Any,
    rank: int,
    /,
    *,
    oversamples: int = 10,
    iterations: int = 2,
    seed: int = 0,
) -> SVDResult:
    """Return the `rank` greatest singular values of a matrix, about, and their vectors.

    The matrix is only multiplied, so that it may lie in a file, or in blocks on Spark. More
    `iterations` over it give more of the digits where singular values fall slowly.
    """
    array = _floats_of(_matrices(x))
    if array.ndim != 2:
        raise ValueError(f"one matrix is decomposed, and no stack of shape {array.shape}")
    count = min(_positive(rank, "rank") + max(0, oversamples), *array.shape)
    sample = default_rng(seed).standard_normal((array.shape[1], count))
    projected = Array(converted(sample.node, array.dtype))
    found = randomized_svd(array, min(rank, count), iterations, projected)
    return SVDResult(*found)


def _slogdet(x: Any) -> Any:
    return tuple([np.asarray(each) for each in np.linalg.slogdet(x)])


def slogdet(x: Any, /) -> SlogdetResult:
    """Return signs of determinants, and logarithms of what they are without."""
    node = _matrices(x, square=True)
    dtype = _inexact(node.dtype)
    found = called(_slogdet, (node,), None, None)
    return SlogdetResult(
        Array(part(found, 0, node.shape[:-2], dtype)),
        Array(part(found, 1, node.shape[:-2], real_type(dtype))),
    )


def _solve(a: Any, b: Any) -> Any:
    if b.ndim == 1:
        return _LINALG.solve(a, b[:, None])[..., 0]
    return _LINALG.solve(a, b)


def solve(x1: Any, x2: Any, /) -> Array:
    """Return the solutions of systems of linear equations."""
    one, other = _matrices(x1, square=True), node_of(x2)
    size = one.shape[-1]
    dtype = _inexact(np.result_type(one.dtype, other.dtype))
    if other.ndim == 1:
        shape = (*one.shape[:-2], size)
        rows = other.shape[0]
    else:
        shape = (*broadcast(one.shape[:-2], other.shape[:-2]), size, other.shape[-1])
        rows = other.shape[-2]
    if rows != size:
        raise ValueError(f"a system of {size} equations has no right side of {rows} rows")
    return Array(called(_solve, (one, other), shape, dtype))


def _svd(x: Any, *, full_matrices: bool) -> Any:
    return tuple(_LINALG.svd(x, full_matrices))


def svd(x: Any, /, *, full_matrices: bool = True) -> SVDResult:
    """Return singular values, and the vectors on both sides."""
    node = _matrices(x)
    *stack, rows, columns = node.shape
    inner = min(rows, columns)
    dtype = _inexact(node.dtype)
    found = called(_svd, (node,), None, None, {"full_matrices": full_matrices})
    left = rows if full_matrices else inner
    right = columns if full_matrices else inner
    return SVDResult(
        Array(part(found, 0, (*stack, rows, left), dtype)),
        Array(part(found, 1, (*stack, inner), real_type(dtype))),
        Array(part(found, 2, (*stack, right, columns), dtype)),
    )


def svdvals(x: Any, /) -> Array:
    """Return singular values."""
    node = _matrices(x)
    shape = (*node.shape[:-2], min(node.shape[-2:]))
    return _call(np.linalg.svdvals, node, shape, real_type(_inexact(node.dtype)))


def _power(x: Any, *, n: int) -> Any:
    return _LINALG.matrix_power(x, n)


def matrix_power(x: Any, n: int, /) -> Array:
    """Return a matrix multiplied with itself, or its inverse with itself."""
    node = _matrices(x, square=True)
    dtype = _inexact(node.dtype) if n < 0 else node.dtype
    return _call(_power, node, node.shape, dtype, n=n)


def _rank(x: Any, *rtol: Any) -> Any:
    return _LINALG.matrix_rank(x, rtol=rtol[0] if rtol else None)


def matrix_rank(x: Any, /, *, rtol: Any = None) -> Array:
    """Return how many rows are linearly independent."""
    node = _matrices(x)
    nodes = [node] if rtol is None else [node, node_of(rtol, real_type(_inexact(node.dtype)))]
    return Array(called(_rank, nodes, node.shape[:-2], np.dtype(np.int64)))


def _pinv(x: Any, *rtol: Any) -> Any:
    return _LINALG.pinv(x, rtol=rtol[0]) if rtol else _LINALG.pinv(x)


def pinv(x: Any, /, *, rtol: Any = None) -> Array:
    """Return the pseudo-inverses."""
    node = _matrices(x)
    nodes = [node] if rtol is None else [node, node_of(rtol, real_type(_inexact(node.dtype)))]
    *stack, rows, columns = node.shape
    return Array(called(_pinv, nodes, (*stack, columns, rows), _inexact(node.dtype)))


def _matrix_norm(x: Any, *, keepdims: bool, ord: Any) -> Any:
    return _LINALG.matrix_norm(x, keepdims=keepdims, ord=ord)


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """Return norms of matrices."""
    node = _matrices(x)
    shape = (*node.shape[:-2], 1, 1) if keepdims else node.shape[:-2]
    dtype = real_type(_inexact(node.dtype))
    return _call(_matrix_norm, node, shape, dtype, keepdims=keepdims, ord=ord)


def _vector_norm(x: Any, *, axis: Any, keepdims: bool, ord: Any) -> Any:
    return _LINALG.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Array:
    """Return norms along axes."""
    node = node_of(x)
    axes = axes_of(axis, node.ndim)
    dtype = _inexact(node.dtype)
    if ord == 2 and 0 not in node.shape:
        size = elementwise(ELEMENTWISE["absolute"], converted(node, dtype))
        squares = elementwise(ELEMENTWISE["square"], size)
        total = folded("add", squares, axes, keepdims=keepdims)
        return Array(elementwise(ELEMENTWISE["sqrt"], total))
    shape = [1 if k in axes else e for k, e in enumerate(node.shape) if keepdims or k not in axes]
    options = {"axis": axis if axis is None else axes, "keepdims": keepdims, "ord": ord}
    return Array(called(_vector_norm, (node,), tuple(shape), real_type(dtype), options))

"""Folds, scans and products: operations that combine elements along axes.

folded("add", a, (0,), keepdims=False)    sum over the rows
scanned("add", a, 1)                      running sums along the columns
contracted(a, b, (0, 2), (2, 1), 2)       a product of matrices: d0 and d1 are its axes
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from diablo.array.driver_operations import RESHAPED, with_shape
from diablo.array.elementwise_operations import ELEMENTWISE, converted, elementwise
from diablo.array.expression_graph import Node, Operation
from diablo.array.scalar_code import scalar_row
from diablo.array.view_operations import indexed, permuted
from diablo.monoid_table import MONOIDS, monoid_on

DType = np.dtype[Any]

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def monoid_for(name: str, dtype: DType) -> str | None:
    """Return the monoid that stands for a ufunc on elements of a type, if programs have one."""
    row = scalar_row(dtype)
    return None if row is None else monoid_on(row.domain, name)


class Fold(Operation):
    """Elements combined along axes by a monoid: `parameters` has its name, the axes, `keepdims`.

    Elements are converted to the type of the node first.
    """

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Fold with NumPy."""
        name, axes, keepdims = node.parameters
        array = np.asarray(values[0])
        ufunc: Any = getattr(np, MONOIDS[name].ufunc)
        return ufunc.reduce(array, axis=axes, dtype=node.dtype, keepdims=keepdims)

    def in_programs(self, node: Node) -> bool:
        """Return whether the monoid is defined on the elements."""
        return _has_monoid(node)


def _has_monoid(node: Node) -> bool:
    source = scalar_row(node.operands[0].dtype)
    return source is not None and monoid_for(node.parameters[0], node.dtype) is not None


class Scan(Operation):
    """Elements combined up to each along an axis: `parameters` has the monoid and the axis."""

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Accumulate with NumPy."""
        name, axis = node.parameters
        ufunc: Any = getattr(np, MONOIDS[name].ufunc)
        return ufunc.accumulate(np.asarray(values[0]), axis=axis, dtype=node.dtype)

    def in_programs(self, node: Node) -> bool:
        """Return whether the monoid is defined on the elements."""
        return _has_monoid(node)


class Contraction(Operation):
    """Products of elements, added up over the dimensions that the result has not.

    `parameters` has for each operand the dimensions of its axes, and how many the result has.
    """

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Multiply with NumPy, by BLAS where that can be."""
        left, right, rank = node.parameters
        one, other = [np.asarray(value).astype(node.dtype, copy=False) for value in values]
        product = _library_product(one, other, left, right, rank)
        if product is not None:
            return product
        terms = ["".join([_LETTERS[d] for d in dims]) for dims in (left, right)]
        return np.einsum(f"{','.join(terms)}->{_LETTERS[:rank]}", one, other)

    def in_programs(self, node: Node) -> bool:
        """Whether programs know numbers of its type, and NumPy no better way than their loops.

        Stacks of matrices are products of BLAS there, one for each of the stack.
        """
        if node.dtype.kind in "fc" and _is_stack(*node.parameters):
            return False
        known = (scalar_row(dtype) for dtype in (node.dtype, *[n.dtype for n in node.operands]))
        return all(row is not None for row in known)


def _is_stack(left: Sequence[int], right: Sequence[int], rank: int) -> bool:
    """Return whether a product is one of matrices for each place in dimensions that both have."""
    shared = {*left} & {*right}
    stacked = any(d < rank for d in shared)
    summed = any(d >= rank for d in shared)
    return stacked and summed and not {*left} <= shared and not {*right} <= shared


def _library_product(
    one: Any, other: Any, left: Sequence[int], right: Sequence[int], rank: int
) -> Any:
    """Return the product as one of stacks of matrices, None where it is none."""
    shared = [d for d in left if d in right]
    summed = [d for d in shared if d >= rank]
    stacked = [d for d in shared if d < rank]
    rows = [d for d in left if d not in shared]
    columns = [d for d in right if d not in shared]
    repeats = len(set(left)) < len(left) or len(set(right)) < len(right)
    if repeats or any(d >= rank for d in (*rows, *columns)) or not (rows or columns):
        return None
    one = np.transpose(one, [left.index(d) for d in (*stacked, *rows, *summed)])
    other = np.transpose(other, [right.index(d) for d in (*stacked, *summed, *columns)])
    stack = one.shape[: len(stacked)]
    kept = (*one.shape[len(stacked) : len(stacked) + len(rows)],)
    made = (*other.shape[len(stacked) + len(summed) :],)
    terms = prod(one.shape[len(stacked) + len(rows) :])
    product = np.matmul(
        one.reshape((*stack, prod(kept), terms)), other.reshape((*stack, terms, prod(made)))
    ).reshape((*stack, *kept, *made))
    order = [*stacked, *rows, *columns]
    return np.transpose(product, [order.index(d) for d in range(rank)])


FOLD = Fold("fold")
SCAN = Scan("scan")
CONTRACTION = Contraction("contraction")


def folded(
    monoid: str, node: Node, axes: tuple[int, ...], *, keepdims: bool, dtype: DType | None = None
) -> Node:
    """Return the fold along axes, of elements of a type, if one is given.

    Of axes that a reshape has joined it is the fold along those: no elements are moved for it.
    """
    kept = (1 if k in axes else e for k, e in enumerate(node.shape) if keepdims or k not in axes)
    extents = tuple(kept)
    source = _before_reshape(node, axes)
    if source is not None:
        found = folded(monoid, *source, keepdims=False, dtype=dtype or node.dtype)
        return with_shape(found, extents)
    return Node(FOLD, (node,), (monoid, axes, keepdims), extents, dtype or node.dtype)


def _before_reshape(node: Node, axes: Sequence[int]) -> tuple[Node, tuple[int, ...]] | None:
    """Return what has been reshaped to a node, and which of its axes have become some others.

    None if nothing has, or other axes are made of them too.
    """
    if node.operation is not RESHAPED or not node.size:
        return None
    (source,) = node.operands
    found: list[int] = []
    first = last = 0
    """The axes of the source, and of the node, before which both have equally many elements."""
    while first < source.ndim or last < node.ndim:
        before, behind = min(first + 1, source.ndim), min(last + 1, node.ndim)
        here, there = prod(source.shape[first:before]), prod(node.shape[last:behind])
        while here != there:
            before, behind = before + (here < there), behind + (there < here)
            here, there = prod(source.shape[first:before]), prod(node.shape[last:behind])
        are_folded = {axis in axes for axis in range(last, behind)}
        if len(are_folded) > 1:
            return None
        if True in are_folded:
            found += range(first, before)
        first, last = before, behind
    return (source, tuple(found)) if found else None


def scanned(monoid: str, node: Node, axis: int, dtype: DType) -> Node:
    """Return the folds of every beginning along an axis."""
    return Node(SCAN, (node,), (monoid, axis), node.shape, dtype)


def contracted(
    one: Node, other: Node, left: Sequence[int], right: Sequence[int], rank: int
) -> Node:
    """Return the sum of products over the dimensions from `rank` on."""
    extents: dict[int, int] = {}
    for node, dims in ((one, left), (other, right)):
        for dimension, extent in zip(dims, node.shape, strict=True):
            if extents.setdefault(dimension, extent) != extent:
                message = f"arrays of shapes {one.shape} and {other.shape} cannot be multiplied"
                raise ValueError(f"{message}: {extents[dimension]} is not {extent}")
    shape = tuple([extents[d] for d in range(rank)])
    dtype = np.result_type(one.dtype, other.dtype)
    parameters = (tuple(left), tuple(right), rank)
    # Operands of its own type: BLAS converts none.
    operands = (converted(one, dtype), converted(other, dtype))
    if max((*left, *right), default=-1) < rank:
        # With nothing to add up a zero keeps its sign, and the products need not be made.
        factors = map(_along, operands, (left, right), (rank, rank))
        return elementwise(ELEMENTWISE["multiply"], *factors)
    return Node(CONTRACTION, operands, parameters, shape, dtype)


def _along(node: Node, dims: Sequence[int], rank: int) -> Node:
    """Return an array with its axes at dimensions of so many, and extent 1 along the others."""
    turned = permuted(node, sorted(range(node.ndim), key=lambda axis: dims[axis]))
    return indexed(turned, tuple([slice(None) if d in dims else None for d in range(rank)]))

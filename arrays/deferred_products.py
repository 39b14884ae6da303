"""Products of matrices of which at least one is sparse, which are computed when somebody looks.

    (a * m) @ v    ->    a lazy array: one kernel over what a and m store, and no matrix a * m
    a @ b          ->    a sparse array, by the runtime's product of matrices

A factor that has yet to be computed is part of the program that multiplies it with a dense one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from diablo.array.driver_operations import called
from diablo.array.elementwise_operations import ELEMENTWISE, converted
from diablo.array.entry_products import masked_product_of, product_of
from diablo.array.evaluation import DEFAULT, Options
from diablo.array.expression_graph import Node
from diablo.array.sparse_entries import Entries, with_shape
from diablo.array.sparse_expressions import (
    deferred,
    entries_of,
    function_of,
    is_known,
    ready,
    shallow,
)
from diablo.array.sparse_joints import Content, Deferred, Product, Turned, joint_of
from diablo.array.sparse_programs import product_by_program


def product(one: Content | Node, other: Content | Node) -> Deferred | Node:
    """Return the product of vectors and matrices, sparse if both are, else the node of a dense one.

    Raises
    ------
    ValueError
        If the shapes do not fit, or a fill value is not 0.
    """
    for operand in (one, other):
        if isinstance(operand, Node):
            continue
        if operand.fill != 0:
            raise ValueError(f"products are of arrays that are mostly 0, not {operand.fill}")
    ranks = [len(operand.shape) for operand in (one, other)]
    if not {*ranks} <= {1, 2}:
        raise ValueError(
            f"sparse products are of vectors and matrices, not of {max(ranks)} dimensions"
            if min(ranks)
            else "a product with a single number is made by `*`"
        )
    if one.shape[-1] != other.shape[0]:
        raise ValueError(f"a product of arrays of shapes {one.shape} and {other.shape}")
    shape = (*one.shape[:-1], *other.shape[1:])
    dtype: Any = np.result_type(one.dtype, other.dtype)
    if isinstance(one, Node):
        assert not isinstance(other, Node)
        return _with_dense(other, one, shape, dtype, is_left=False)
    if isinstance(other, Node):
        return _with_dense(one, other, shape, dtype, is_left=True)

    def multiplied(left: Entries, right: Entries) -> Entries:
        # A vector is a matrix of one row, or of one column.
        rows = left if ranks[0] == 2 else with_shape(left, (1, *left.shape))
        columns = right if ranks[1] == 2 else with_shape(right, (*right.shape, 1))
        found: Entries = product_of(rows, columns)
        made = Entries(found.pattern, converted(found.values, dtype), 0)
        return made if ranks == [2, 2] else with_shape(made, shape)

    found = deferred(shape, dtype, 0, multiplied, one, other)
    return found if ranks != [2, 2] else Product(one, other, dtype, found.compute)


def product_at_mask(one: Content | Node, other: Content | Node) -> Deferred | None:
    """Return the elements of a product times those of a sparse matrix; None if they are no such.

    (a @ b) * m    the terms of a @ b where m has elements: triangles, and not all paths of length 2

    What else needs the product has the whole computed.
    """
    for product, mask in ((one, other), (other, one)):
        if not isinstance(product, Product) or isinstance(mask, Node | Product):
            continue
        if product.found is None and mask.fill == 0 and mask.shape == product.shape:
            return _masked(product, shallow(mask))
    return None


def _masked(product: Product, mask: Content) -> Deferred:
    multiply = ELEMENTWISE["multiply"]
    dtype = np.result_type(product.dtype, mask.dtype)

    def computed(options: Options) -> Entries:
        given = entries_of(mask, options)
        found: Entries | None = None
        if not is_known(product):
            left, right = [entries_of(factor, options) for factor in product.factors]
            found = masked_product_of(left, right, given)
        made = entries_of(product, options) if found is None else found
        return entries_of(function_of(multiply, [made, given]), options)

    return Deferred(product.shape, dtype, 0, computed, [*product.factors, mask])


def _with_dense(
    content: Content, dense: Node, shape: tuple[int, ...], dtype: Any, *, is_left: bool
) -> Node:
    given = {"content": content, "dtype": dtype, "is_left": is_left}
    return called(_multiplied, (dense,), shape, np.dtype(dtype), given)


def _multiplied(dense: Any, *, content: Content, dtype: Any, is_left: bool) -> Any:
    """Return the product of a sparse array, to the left or to the right, and a dense one."""
    found = None
    if len(content.shape) == 2 and not _is_there(content):
        kept, source = 0 if is_left else 1, content
        if isinstance(source, Turned):
            kept, source = source.order[kept], source.content
        joint = ready(joint_of(source), DEFAULT)
        # Rows of the sparse factor are multiplied by columns of the dense one, on either side.
        columns = dense if is_left else dense.T
        found = product_by_program(joint, kept, columns, dtype, DEFAULT)
        if found is not None and not is_left:
            found = np.asarray(found).T
    if found is None:
        entries = entries_of(content)
        if len(content.shape) == 1:
            shape = (1, *content.shape) if is_left else (*content.shape, 1)
            entries = with_shape(entries, shape)
        factors = (entries, dense) if is_left else (dense, entries)
        found = product_of(*factors)
        if len(content.shape) == 1:
            found = np.asarray(found)[0] if is_left else np.asarray(found)[..., 0]
    return np.asarray(found, dtype)


def _is_there(content: Content) -> bool:
    """Return whether nothing has to be computed for the elements of an array."""
    if isinstance(content, Entries):
        return content.values.value is not None
    return content.found is not None

"""Rewrites of a graph that is about to be computed, so that less is.

    (a.T @ a)[:5, :5]            ->    a.T[:5] @ a[:, :5]             a slice of what is combined
    zeros((10**6, 10**6)).sum()  ->    0.0                            a fold of one number
    np.broadcast_to(x, shape)    ->    the view of `x` that it is     what repeats elements

Nodes stay the same and stand for the same elements; what they are computed of changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from diablo.array.array_boxes import Boxes
from diablo.array.driver_operations import Reshaped
from diablo.array.elementwise_operations import Elementwise
from diablo.array.expression_graph import Node, leaf, pending
from diablo.array.fold_operations import Contraction, Fold
from diablo.array.view_operations import INDEXED, Permuted, View, broadcasted, ranges_of
from diablo.monoid_table import MONOIDS

_LARGE = 1 << 15
"""From how many elements on a fold of equal ones is worth another way to compute it."""


def rewritten(order: list[Node], roots: Sequence[Node]) -> list[Node]:
    """Return what is to be computed for the roots, given in order, after all rules."""
    changed = _folds_of_one_number(order)
    changed |= _slices_of_combined(order, roots)
    changed |= _repeated_leaves(order)
    return pending(roots) if changed else order


# ---- slices ----------------------------------------------------------------------------


def _slices_of_combined(order: Sequence[Node], roots: Sequence[Node]) -> bool:
    """Have slices of products and folds be those of slices, if nobody else looks at the whole.

    A product or fold may be below functions of elements, and have its axes exchanged.
    """
    if not any(isinstance(node.operation, Contraction | Fold) for node in order):
        return False
    users: dict[Node, int] = dict.fromkeys(roots, 1)
    for node in order:
        for operand in node.operands:
            users[operand] = users.get(operand, 0) + 1
    boxes = Boxes(lambda node: users.get(node, 0) > 1 or node.kept is not None)
    changed = False
    for node in reversed(order):
        if node.operation is not INDEXED or node.kept is not None:
            continue
        (whole,) = node.operands
        if node.size < whole.size and _ends_in_combined(whole, users):
            ranges, inner = ranges_of(node.parameters)
            node.operands, node.parameters = (boxes.box(whole, ranges),), tuple(inner)
            changed = True
    return changed


def _ends_in_combined(node: Node, users: dict[Node, int]) -> bool:
    """Return whether a product or fold is computed for one node alone, and has no value yet."""
    stack = [node]
    while stack:
        each = stack.pop()
        if each.value is not None or each.kept is not None or users.get(each, 0) > 1:
            continue
        if isinstance(each.operation, Contraction | Fold):
            return True
        if isinstance(each.operation, Elementwise | Permuted):
            stack += each.operands
    return False


# ---- folds -----------------------------------------------------------------------------


def _folds_of_one_number(order: Sequence[Node]) -> bool:
    """Give folds of arrays whose elements are all one number their value."""
    if not any(map(_is_large_fold, order)):
        return False
    changed = False
    known: dict[Node, Any] = {}
    for node in order:
        found = None
        match node.operation:
            case View() | Reshaped():
                number = _number(node.operands[0], known)
                if number is not None:
                    known[node] = number
            case Elementwise():
                values = [_number(operand, known) for operand in node.operands]
                if all(value is not None for value in values):
                    known[node] = node.operation.evaluate(_single(node), values)
            case Fold() if _is_large_fold(node):
                found = _fold_of(node, _number(node.operands[0], known))
            case _:
                continue
        if found is not None:
            known[node] = found
            node.computed(np.broadcast_to(found, node.shape))
            changed = True
    return changed


def _repeated_leaves(order: Sequence[Node]) -> bool:
    """Have nodes read what lies in memory of leaves that repeat it, for programs take no gaps."""
    views = {
        operand: _repeating(operand)
        for node in order
        for operand in node.operands
        if operand.value is not None and _is_repeated(operand)
    }
    if views:
        for node in order:
            node.operands = tuple([views.get(operand, operand) for operand in node.operands])
    return bool(views)


def _is_repeated(node: Node) -> bool:
    value: Any = node.value
    if not isinstance(value, np.ndarray) or 0 not in value.strides:
        return False
    # NumPy gives axes of extent 1 what strides it likes.
    return any(stride == 0 and n > 1 for stride, n in zip(value.strides, node.shape, strict=True))


def _repeating(node: Node) -> Node:
    """Return a leaf as a view that repeats what is different."""
    value: Any = node.value
    once = tuple([slice(1 if stride == 0 else None) for stride in value.strides])
    return broadcasted(leaf(value[once]), node.shape)


def _is_large_fold(node: Node) -> bool:
    return isinstance(node.operation, Fold) and node.operands[0].size >= _LARGE


def _number(node: Node, known: dict[Node, Any]) -> Any:
    """Return the number that all elements of a node are; None if that is not known."""
    if node in known:
        return known[node]
    value: Any = node.value
    is_one = isinstance(value, np.ndarray) and node.size == 1
    return np.reshape(node.value, ()) if is_one else None


def _single(node: Node) -> Node:
    """Return an operation on arrays of equal elements as one on these."""
    return Node(node.operation, node.operands, node.parameters, (), node.dtype)


def _fold_of(node: Node, number: Any) -> Any:
    """Return the fold of equal numbers; None if there is no formula for it."""
    name, axes, _ = node.parameters
    count = prod([node.operands[0].shape[axis] for axis in axes])
    dtype: Any = node.dtype
    if number is None or not count:
        return None
    each = np.asarray(number).astype(dtype)
    given = MONOIDS[name].repeated
    if given == "value":
        return each
    if dtype.kind not in "iufc" or not given:
        return None
    with np.errstate(all="ignore"):
        if dtype.kind in "iu":
            # All wrap around alike in the widest type.
            own, times = each.astype(np.uint64), np.uint64(count % 2**64)
            return (own * times if given == "multiple" else _power(own, count)).astype(dtype)
        wide = each.astype(np.result_type(dtype, np.float64))
        if given == "power":
            is_real = dtype.kind == "f"
            return (np.power(wide, float(count)) if is_real else _power(wide, count)).astype(dtype)
        # The parts of complex numbers alone: 0 times what is infinite would be NaN.
        parts = np.reshape(wide, 1).view(np.float64) * float(count)
        return parts.view(wide.dtype)[0].astype(dtype)


def _power(base: Any, exponent: int) -> Any:
    """Return a power by repeated squaring: exact of integers, which wrap around."""
    found = base.dtype.type(1)
    for digit in f"{exponent:b}":
        found = found * found * (base if digit == "1" else base.dtype.type(1))
    return found

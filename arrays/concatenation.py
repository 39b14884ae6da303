"""Arrays one behind the other along an axis.

    concatenated([a, b], 0)               copies both
    concatenated([a[:3], a[3:]], 0)       is a view, as is what `unstack` took apart

NumPy copies them, unless they are neighbouring parts of one array. A body that read of all of them,
and chose, would be slower than that: its loop has no part in which all that it reads is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.array.elementwise_operations import converted
from diablo.array.expression_graph import Node, Operation
from diablo.array.view_operations import INDEXED, indexed, permuted, slice_of


class Concatenation(Operation):
    """Arrays of one type behind one another: `parameters` is the axis."""

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Concatenate with NumPy."""
        return np.concatenate(values, node.parameters)


CONCATENATION = Concatenation("concat")


def stacked(nodes: Sequence[Node], axis: int, dtype: Any) -> Node:
    """Return arrays of one shape beside one another along a new axis.

    The parts of an array that `unstack` gives are a view of that array again.
    """
    view = _parts_in_line(nodes, dtype)
    if view is not None:
        source, index, position = view
        made = indexed(source, index)
        place = sum([not isinstance(part, int) for part in index[:position]])
        order = [k for k in range(made.ndim) if k != place]
        return permuted(made, [*order[:axis], place, *order[axis:]])
    new_axis = (*[slice(None)] * axis, None)
    return concatenated([indexed(node, new_axis) for node in nodes], axis, dtype)


def _is_of_one(nodes: Sequence[Node], dtype: Any) -> bool:
    """Return whether nodes are parts of one array, of a type, chosen by indices alike."""
    first = nodes[0]
    return first.dtype == dtype and all(
        node.operation is INDEXED
        and node.operands[0] is first.operands[0]
        and len(node.parameters) == len(first.parameters)
        for node in nodes
    )


def _parts_in_line(nodes: Sequence[Node], dtype: Any) -> tuple[Node, tuple[Any, ...], int] | None:
    """Return the array of which nodes are parts at equal distances along an axis.

    With it come the index that chooses all of them, and where the axis is in that index.
    """
    if len(nodes) < 2 or not _is_of_one(nodes, dtype):
        return None
    rows = [node.parameters for node in nodes]
    different = [k for k, part in enumerate(rows[0]) if any(row[k] != part for row in rows)]
    if len(different) != 1:
        return None
    (position,) = different
    numbers = [row[position] for row in rows]
    if not all(isinstance(number, int) for number in numbers):
        return None
    step = numbers[1] - numbers[0]
    if numbers != list(range(numbers[0], numbers[0] + step * len(numbers), step)):
        return None
    index = [slice_of(part) for part in rows[0]]
    index[position] = slice_of((numbers[0], len(numbers), step))
    return nodes[0].operands[0], tuple(index), position


def _adjoining(nodes: Sequence[Node], axis: int, dtype: Any) -> Node | None:
    """Return the part of an array that nodes are pieces of, one behind the other."""
    if not _is_of_one(nodes, dtype):
        return None
    first = nodes[0].parameters
    position = [k for k, part in enumerate(first) if not isinstance(part, int)][axis]
    parts = [node.parameters[position] for node in nodes]
    rest = {(*n.parameters[:position], *n.parameters[position + 1 :]) for n in nodes}
    if len(rest) > 1 or not all(isinstance(part, tuple) for part in parts):
        return None
    start, extent, step = parts[0]
    for following, length, stride in parts[1:]:
        if stride != step or following != start + step * extent:
            return None
        extent += length
    index = [slice_of(part) for part in first]
    index[position] = slice_of((start, extent, step))
    return indexed(nodes[0].operands[0], tuple(index))


def concatenated(nodes: Sequence[Node], axis: int, dtype: Any) -> Node:
    """Return arrays one behind the other along an axis; a `ValueError` if they do not fit."""
    shape = list(nodes[0].shape)
    shape[axis] = sum([node.shape[axis] for node in nodes])
    for node in nodes:
        fits = node.ndim == len(shape) and all(
            extent == shape[k] for k, extent in enumerate(node.shape) if k != axis
        )
        if not fits:
            message = f"arrays of shapes {nodes[0].shape} and {node.shape}"
            raise ValueError(f"{message} cannot be concatenated along axis {axis}")
    # What has no elements along the axis adds none.
    some = [node for node in nodes if node.shape[axis]] or [nodes[0]]
    view = _adjoining(some, axis, dtype)
    if view is not None:
        return view
    operands = tuple([converted(node, dtype) for node in some])
    if len(operands) == 1:
        return operands[0]
    return Node(CONCATENATION, operands, axis, tuple(shape), dtype)

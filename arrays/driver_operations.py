"""Operations that are no array algebra: NumPy and SciPy compute them, where the driver is.

    called(np.linalg.inv, (a,), shape, dtype)    ->    a node that calls `inv` once it is computed
    part(eigen, 1, …)                            ->    the second of several results

They are as lazy as all others: programs compute what they need, and take what they give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast
from weakref import ref

import numpy as np

from diablo.array.expression_graph import Node, Operation, Shape
from diablo.array.view_operations import BROADCAST, broadcasted, indexed, split

DType = np.dtype[Any]


class DriverCall(Operation):
    """A call of a function of NumPy or SciPy: `parameters` has it, and its keyword arguments."""

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Call the function."""
        function, options = node.parameters
        return function(*[_array(value) for value in values], **options)


class Reshaped(Operation):
    """The elements in C order with the shape of the node, which joins axes of the operand."""

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Reshape with NumPy, which copies elements that are not in that order."""
        return np.reshape(values[0], node.shape)


class Part(Operation):
    """One of several results: `parameters` is its number."""

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Take the part."""
        return values[0][node.parameters]


class Assigned(Operation):
    """An array with other elements where an index says.

    `parameters` are that index, and a weak reference to the lazy array that was assigned to.
    """

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Assign to a copy."""
        array = np.array(values[0])
        self.assign(node, [array, *values[1:]])
        return array

    def assign(self, node: Node, values: Sequence[Any]) -> None:
        """Assign to the array itself, which nobody else looks at."""
        index, _ = node.parameters
        values[0][filled(index, values[2:])] = values[1]

    def is_held(self, node: Node) -> bool:
        """Return whether the array that was assigned to is there, and stands for the node."""
        _, holder = node.parameters
        array = holder()
        return array is not None and array.node is node


class Placeholder:
    """Where an operand stands in an index."""

    __slots__ = ("number",)

    def __init__(self, number: int):
        self.number = number


def filled(index: Sequence[Any], values: Sequence[Any]) -> Any:
    """Return an index with the values of its operands."""
    return tuple([values[p.number] if isinstance(p, Placeholder) else p for p in index])


def _array(value: Any) -> Any:
    return np.asarray(cast("Any", value)) if isinstance(value, np.generic) else value


CALL = DriverCall("call")
RESHAPED = Reshaped("reshape")
PART = Part("part")
ASSIGNED = Assigned("assign")


def called(
    function: Callable[..., Any],
    operands: Sequence[Node],
    shape: Shape | None,
    dtype: DType | None,
    options: Mapping[str, Any] | None = None,
) -> Node:
    """Return the node of a call; without a shape it is known once it is computed."""
    return Node(CALL, tuple(operands), (function, dict(options or {})), shape, dtype)


def with_shape(node: Node, shape: Shape) -> Node:
    """Return the elements in C order with another shape of equally many: a view where it can be."""
    if shape == node.shape:
        return node
    if node.operation is BROADCAST and node.operands[0].size == 1:
        (number,) = node.operands
        return broadcasted(indexed(number, (0,) * number.ndim), shape)
    found = split(node, shape)
    return Node(RESHAPED, (node,), None, shape, node.dtype) if found is None else found


def part(node: Node, number: int, shape: Shape | None, dtype: DType | None) -> Node:
    """Return one of several results of a call."""
    return Node(PART, (node,), number, shape, dtype)


def _indexed(array: Any, *values: Any, index: Sequence[Any]) -> Any:
    return array[filled(index, values)]


def gathered(node: Node, index: Sequence[Any], arrays: Sequence[Node], shape: Shape | None) -> Node:
    """Return the elements that arrays of integers or truth values in an index choose."""
    return called(_indexed, (node, *arrays), shape, node.dtype, {"index": tuple(index)})


def assigned(
    node: Node, index: Sequence[Any], arrays: Sequence[Node], value: Node, holder: Any
) -> Node:
    """Return the array with other elements at an index; `holder` is the lazy array it is for."""
    parameters = (tuple(index), ref(holder))
    return Node(ASSIGNED, (node, value, *arrays), parameters, node.shape, node.dtype)

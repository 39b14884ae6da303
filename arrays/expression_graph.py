"""The graph of what lazy arrays stand for: a node for each operation, whose operands are nodes.

    a + 2 * b    ->    add(leaf, multiply(scalar leaf, leaf))

A node is made by an operation on arrays and has a shape and a type of elements from the start, but
for what depends on the data (`nonzero`), whose shape is None until it is computed. A node with a
value is a leaf, whatever made it: nobody looks at its operands any more. Nothing here recurses, so
graphs may be as deep as memory allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.results.result_types import DistributedArray

Values = NDArray[Any]
Shape = tuple[int, ...]


class Operation:
    """What a node does with the values of its operands.

    Parameters
    ----------
    name : the name that the structure of a graph is told by
    """

    __slots__ = ("name",)

    is_view = False
    """Whether the elements are some of the operand's, each read at a linear place."""

    def __init__(self, name: str):
        self.name = name

    def is_with_spark(self, node: Node) -> bool:
        """Return whether Spark has what a node stands for already."""
        return False

    def value_with_spark(self, node: Node) -> Any:
        """Return what Spark has for a node, of which `is_with_spark` holds."""
        raise NotImplementedError

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Compute the value with NumPy, which is what every other way has to give."""
        raise NotImplementedError

    def in_programs(self, node: Node) -> bool:
        """Return whether programs of the compiler compute it."""
        return False

    def __repr__(self) -> str:
        return self.name


class Node:
    """An operation and its operands, or a leaf with a value."""

    __slots__ = ("dtype", "kept", "operands", "operation", "parameters", "shape", "value")

    operation: Operation
    operands: tuple[Node, ...]
    parameters: Any
    shape: Any
    dtype: Any
    value: Any
    kept: Kept | None
    """What it is computed of, while it is a leaf because somebody persists it."""

    def __init__(
        self,
        operation: Operation,
        operands: tuple[Node, ...],
        parameters: Any,
        shape: Shape | None,
        dtype: np.dtype[Any] | None,
        value: Any = None,
    ):
        self.operation = operation
        self.operands = operands
        self.parameters = parameters
        self.shape = shape
        self.dtype = dtype
        self.value = value
        self.kept = None

    def __repr__(self) -> str:
        return f"<{self.operation.name} {self.dtype}{list(self.shape or ())}>"

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    def computed(self, value: Any) -> None:
        """Become a leaf with the value that was computed."""
        if not isinstance(value, tuple):
            if not stays_with_spark(value):
                value = np.asarray(value)
                if _PERSISTED and value.base is not None and id(owner_of(value)) in _PERSISTED:
                    value = value.copy()  # What is persisted is let go when it is closed.
            self.shape, self.dtype = value.shape, value.dtype
        self.value = value
        self.operands = ()
        self.operation, self.parameters = LEAF, None

    def persisted(self) -> None:
        """Become a leaf again, once the value is there, until `released` is called as often."""
        if self.kept is not None:
            self.kept.count += 1
            return
        self.kept = Kept(self.operation, self.operands, self.parameters)

    def hold(self) -> None:
        """Note that others must not go on using the memory of the value."""
        assert self.kept is not None
        if self.kept.owner is None:
            self.kept.owner = keep_apart(self.value)

    def released(self) -> bool:
        """Be computed again when somebody wants it; False while others persist it too."""
        kept = self.kept
        assert kept is not None
        kept.count -= 1
        if kept.count:
            return False
        if kept.owner is not None:
            no_longer_apart(kept.owner)
        self.kept = None
        if kept.operation is not LEAF:
            self.operation, self.operands, self.parameters = (
                kept.operation,
                kept.operands,
                kept.parameters,
            )
            self.value = None
        return True


@dataclass
class Kept:
    """What a persisted node was, how often it is persisted, and what its memory belongs to."""

    operation: Operation
    operands: tuple[Node, ...]
    parameters: Any
    count: int = 1
    owner: Any = None


_PERSISTED: dict[int, Any] = {}
"""What the memory of persisted arrays belongs to, by its identity."""


def keep_apart(value: Any) -> Any:
    """Let nothing that is computed be a view of an array, and return what its memory belongs to."""
    owner = owner_of(value)
    _PERSISTED[id(owner)] = owner
    return owner


def no_longer_apart(owner: Any) -> None:
    """Undo what `keep_apart` does, given what it returned."""
    _PERSISTED.pop(id(owner), None)


def owner_of(value: Any) -> Any:
    """Return what the memory of an array belongs to: the last of its bases."""
    while getattr(value, "base", None) is not None:
        value = value.base
    return value


def stays_with_spark(value: Any) -> bool:
    """Return whether a value is an array that Spark has, and no array of NumPy's."""
    return type(value) is DistributedArray


def here(value: Any) -> Any:
    """Return a value as NumPy computes with it: what Spark has is brought to this process."""
    return value.to_numpy() if type(value) is DistributedArray else value


class Leaf(Operation):
    """An array that is there already."""

    __slots__ = ()


LEAF = Leaf("leaf")
NUMBER = Leaf("number")
"""A number of Python's, which programs are given like other inputs."""
CONSTANT = Leaf("constant")
"""A number that is written into programs, which are others for another number."""


def leaf(value: Values) -> Node:
    """Return the node of an array that is there."""
    return Node(LEAF, (), None, value.shape, value.dtype, value)


_WEAK: dict[tuple[np.dtype[Any], type], np.dtype[Any]] = {}
_SAMPLES: dict[type, Any] = {bool: True, int: 1, float: 1.0, complex: 1j}


def beside_scalar(dtype: np.dtype[Any], kind: type) -> np.dtype[Any]:
    """Return the type of a Python number of a class beside elements of a type."""
    found = _WEAK.get((dtype, kind))
    if found is None:
        found = _WEAK[dtype, kind] = np.result_type(dtype, _SAMPLES[kind])
    return found


def scalar(value: bool | float | complex, beside: np.dtype[Any]) -> Node:
    """Return the leaf of a Python number in an expression with elements of a type."""
    dtype = beside_scalar(beside, type(value))
    return Node(NUMBER, (), None, (), dtype, np.asarray(value, dtype))


def constant(node: Node) -> Node:
    """Return a number that is written into programs; another node as it is."""
    if node.operation is not NUMBER:
        return node
    return Node(CONSTANT, (), None, (), node.dtype, node.value)


def broadcast(first: Shape, second: Shape) -> Shape:
    """Return the shape of two arrays beside each other; a `ValueError` if there is none."""
    if first == second or not second:
        return first
    if not first:
        return second
    if len(first) < len(second):
        first, second = second, first
    extents = list(first)
    for axis, extent in enumerate(second, len(first) - len(second)):
        if extents[axis] == 1:
            extents[axis] = extent
        elif extent not in (1, extents[axis]):
            raise ValueError(f"arrays of shapes {first} and {second} cannot be broadcast together")
    return tuple(extents)


def pending(roots: Iterable[Node]) -> list[Node]:
    """Return what has to be computed for the roots, each node behind its operands."""
    order: list[Node] = []
    begun: set[Node] = set()
    stack: list[Node | None] = [root for root in roots if root.value is None]
    stack.reverse()
    path: list[Node] = []
    while stack:
        node = stack.pop()
        if node is None:
            order.append(path.pop())
            continue
        if node in begun:
            continue
        begun.add(node)
        left = [n for n in node.operands if n.value is None and n not in begun]
        if not left:
            order.append(node)
            continue
        path.append(node)
        stack.append(None)
        left.reverse()
        stack += left
    return order

"""What a sparse array is computed of: functions of elements at one position, and all else.

    a + 2 * b - c    of three patterns    ->    Joint({x: a, y: b, z: c}, x + 2 * y - z, 0)
    (a + b).sum(axis=1)                   ->    Deferred(shape, dtype, fill, …)

A joint is a graph over single elements, which `sparse_expressions.py` makes and computes. What is
deferred has elements elsewhere than its operands, and is computed by a function of its own: folds,
products, other places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from diablo.array.elementwise_operations import CONVERT, Elementwise, converted, elementwise
from diablo.array.evaluation import Options
from diablo.array.expression_graph import Node, pending
from diablo.array.sparse_entries import ELEMENT, Entries

_DEEPEST = 64
"""How many deferred arrays are computed one within the other: nothing recurses further."""


class Deferred:
    """An array whose elements are computed when somebody asks for them, and kept then.

    Parameters
    ----------
    shape, dtype, fill : what is known of it
    compute : returns its elements, by programs where the options say so
    operands : what these are computed of
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        dtype: Any,
        fill: Any,
        compute: Callable[[Options], Entries],
        operands: Sequence[Content],
    ):
        self.shape = shape
        self.dtype: Any = np.dtype(dtype)
        with np.errstate(all="ignore"):
            self.fill: Any = np.asarray(fill).astype(self.dtype)[()]
        self.depth = 1 + max([depth_of(operand) for operand in operands], default=0)
        self.found: Entries | None = None
        self._compute = compute

    @property
    def is_deep(self) -> bool:
        """Whether nothing more should be computed of it before it is computed."""
        return self.depth >= _DEEPEST

    @cached_property
    def place(self) -> Node:
        """The node that stands for an element in functions of elements."""
        return Node(ELEMENT, (), None, (), self.dtype)

    def entries(self, options: Options) -> Entries:
        """Return the elements, computed if they are not there."""
        if self.found is None:
            self.found = self._compute(options)
        return self.found


class Turned(Deferred):
    """The axes of an array in another order: what folds it, or multiplies, looks through."""

    def __init__(
        self, content: Content, order: Sequence[int], compute: Callable[[Options], Entries]
    ):
        shape = tuple([content.shape[axis] for axis in order])
        super().__init__(shape, content.dtype, content.fill, compute, [content])
        self.content = content
        self.order = tuple(order)


class Joint:
    """A function of the elements of several arrays at one position.

    Parameters
    ----------
    shape : the extents, those of all sparse arrays and of the others when broadcast
    places : the arrays by the nodes that stand for their elements
    element : what an element is of these
    fill : what it is where no sparse array has an element of its own
    count : how many operations it has
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        places: dict[Node, Entries | Deferred | Node],
        element: Node,
        fill: Any,
        count: int,
    ):
        self.found: Entries | None = None
        """Its elements, once they have been computed."""
        self.shape = shape
        self.places = places
        self.element = element
        self.fill: Any = np.asarray(fill, element.dtype)[()]
        self.count = count

    @property
    def dtype(self) -> Any:
        """The type of the elements."""
        return self.element.dtype

    @property
    def depth(self) -> int:
        """How many deferred arrays are computed one within the other for it."""
        own = [depth_of(o) for o in self.places.values() if not isinstance(o, Node)]
        return max(own, default=0)


Content = Entries | Joint | Deferred
"""What a sparse array has, or how it is computed."""


def depth_of(content: Content) -> int:
    """Return how many deferred arrays are computed one within the other for what is given."""
    return 0 if isinstance(content, Entries) or content.found is not None else content.depth


def joint_of(content: Content) -> Joint:
    """Return what is given as the function of elements that it is."""
    if isinstance(content, Joint):
        return content
    return Joint(content.shape, {content.place: content}, content.place, content.fill, 0)


def as_type(content: Content, dtype: np.dtype[Any]) -> Content:
    """Return elements of another type."""
    if content.dtype == dtype:
        return content
    with np.errstate(all="ignore"):
        fill = np.asarray(content.fill).astype(dtype)
    if isinstance(content, Entries):
        return Entries(content.pattern, converted(content.values, dtype), fill)
    joint = joint_of(content)
    element = converted(joint.element, dtype)
    return Joint(joint.shape, joint.places, element, fill, joint.count + 1)


def substituted(root: Node, found: Mapping[Node, Node]) -> Node:
    """Return a graph with other nodes instead of some of its own."""
    made = dict(found)

    def of(node: Node) -> Node:
        return made.get(node, node)

    for node in pending([root]):
        if node in made:
            continue
        operands = list(map(of, node.operands))
        if node.operation is CONVERT:
            made[node] = converted(operands[0], node.dtype)
        else:
            assert isinstance(node.operation, Elementwise)
            made[node] = elementwise(node.operation, *operands)
    return of(root)

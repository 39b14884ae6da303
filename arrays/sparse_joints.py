"""Functions of the elements of several sparse arrays at one position.

    a + 2 * b - c    of three patterns    ->    Joint({x: a, y: b, z: c}, x + 2 * y - z, 0)

A graph over single elements, which `sparse_expressions.py` makes and computes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from diablo.array.elementwise_operations import CONVERT, Elementwise, converted, elementwise
from diablo.array.expression_graph import Node, pending
from diablo.array.sparse_entries import Entries


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
        places: dict[Node, Entries | Node],
        element: Node,
        fill: Any,
        count: int,
    ):
        self.shape = shape
        self.places = places
        self.element = element
        self.fill: Any = np.asarray(fill, element.dtype)[()]
        self.count = count

    @property
    def dtype(self) -> Any:
        """The type of the elements."""
        return self.element.dtype


Content = Entries | Joint
"""What a sparse array has, or how it is computed."""


def as_type(content: Content, dtype: np.dtype[Any]) -> Content:
    """Return elements of another type."""
    if content.dtype == dtype:
        return content
    with np.errstate(all="ignore"):
        fill = np.asarray(content.fill).astype(dtype)
    if isinstance(content, Entries):
        return Entries(content.pattern, converted(content.values, dtype), fill)
    element = converted(content.element, dtype)
    return Joint(content.shape, content.places, element, fill, content.count + 1)


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

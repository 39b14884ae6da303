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
from diablo.array.evaluation import DEFAULT, Options, forget_memory
from diablo.array.expression_graph import Node, pending
from diablo.array.sparse_entries import ELEMENT, Entries, number_of

_DEEPEST = 64
"""How many deferred arrays are computed one within the other: nothing recurses further."""


class Kept:
    """What has to be computed, and whose elements are kept while an array has or persists them."""

    def __init__(self) -> None:
        self.found: Entries | None = None
        """The elements, once they have been computed."""
        self.holders = 0
        """How many persist them; none if they are there anyway."""

    def hold(self) -> bool:
        """Note that one more persists the elements; False if they are there anyway."""
        if self.found is not None and not self.holders:
            return False
        self.holders += 1
        return True

    def release(self) -> None:
        """Let go of the elements, unless others persist them too."""
        self.holders -= 1
        if not self.holders and self.found is not None:
            nbytes = self.found.pattern.nbytes + self.found.values.size * self.dtype.itemsize
            self.found = None
            forget_memory(nbytes)

    @property
    def there(self) -> Entries | None:
        """The elements, if they have been computed to stay."""
        return None if self.holders else self.found

    dtype: Any


def _number(value: Any, dtype: np.dtype[Any]) -> Any:
    given = np.asarray(value)
    if given.dtype != dtype:
        with np.errstate(all="ignore"):
            given = given.astype(dtype)
    return given[()]


class Deferred(Kept):
    """An array whose elements are computed when somebody asks for them.

    That of a single number is the fill value, for which it is computed.

    Parameters
    ----------
    shape, dtype, fill : what is known of it; no fill value of a single number
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
        super().__init__()
        self.shape = shape
        self.dtype: Any = np.dtype(dtype)
        self._fill: Any = _number(fill, self.dtype) if shape else None
        self.depth = 1 + max([depth_of(operand) for operand in operands], default=0)
        self._compute = compute

    @property
    def fill(self) -> Any:
        """The element at all positions that have none of their own."""
        if self._fill is None:
            self.found = self.found or self.compute(DEFAULT)
            self._fill = self.found.fill
        return self._fill

    def compute(self, options: Options) -> Entries:
        """Return the elements, computed as options say."""
        found = self._compute(options)
        return found if self.shape else number_of(found)

    @cached_property
    def place(self) -> Node:
        """The node that stands for an element in functions of elements."""
        return Node(ELEMENT, (), None, (), self.dtype)


class Turned(Deferred):
    """The axes of an array in another order: what folds it, or multiplies, looks through."""

    def __init__(
        self, content: Content, order: Sequence[int], compute: Callable[[Options], Entries]
    ):
        shape = tuple([content.shape[axis] for axis in order])
        super().__init__(shape, content.dtype, content.fill, compute, [content])
        self.content = content
        self.order = tuple(order)


class Product(Deferred):
    """The product of two sparse matrices: what multiplies its elements looks at the factors."""

    def __init__(
        self, one: Content, other: Content, dtype: Any, compute: Callable[[Options], Entries]
    ):
        super().__init__((one.shape[0], other.shape[1]), dtype, 0, compute, [one, other])
        self.factors = one, other


class Joint(Kept):
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
        super().__init__()
        self.shape = shape
        self.places = places
        self.element = element
        self.fill: Any = np.asarray(fill, element.dtype)[()]
        self.count = count
        self.dtype: Any = element.dtype

    def hold(self) -> bool:
        """Note that one more persists the elements; False if they are there anyway."""
        is_held = super().hold()
        if is_held:
            _PERSISTED[self.element] = self
        return is_held

    def release(self) -> None:
        """Let go of the elements, unless others persist them too."""
        super().release()
        if not self.holders:
            _PERSISTED.pop(self.element, None)

    def with_persisted(self) -> Joint:
        """Return it with what is persisted among the functions that it is made of in their place.

        These are read, also if it was written before they were persisted.
        """
        held = [n for n in pending([self.element]) if n in _PERSISTED] if _PERSISTED else []
        whole = [_PERSISTED[node] for node in held if _PERSISTED[node].shape == self.shape]
        found = {joint.element: joint.found for joint in whole if joint.found is not None}
        if not found:
            return self
        stand_ins = {node: entries.place for node, entries in found.items()}
        element = substituted(self.element, stand_ins)
        order = pending([element])
        left = {element, *[operand for node in order for operand in node.operands]}
        places = {place: operand for place, operand in self.places.items() if place in left}
        places.update({entries.place: entries for entries in found.values()})
        return Joint(self.shape, places, element, self.fill, self.count)

    @property
    def depth(self) -> int:
        """How many deferred arrays are computed one within the other for it."""
        own = [depth_of(o) for o in self.places.values() if not isinstance(o, Node)]
        return max(own, default=0)


_PERSISTED: dict[Node, Joint] = {}
"""What is persisted, by the function of elements that it is."""

Content = Entries | Joint | Deferred
"""What a sparse array has, or how it is computed."""


def depth_of(content: Content) -> int:
    """Return how many deferred arrays are computed one within the other for what is given."""
    return 0 if isinstance(content, Entries) or content.found is not None else content.depth


def is_deep(content: Content) -> bool:
    """Return whether nothing more should be computed of what is given before it is computed."""
    return depth_of(content) >= _DEEPEST


def joint_of(content: Content) -> Joint:
    """Return what is given as the function of elements that it is."""
    if isinstance(content, Joint):
        return content
    return Joint(content.shape, {content.place: content}, content.place, content.fill, 0)


def as_type(content: Content, dtype: np.dtype[Any]) -> Content:
    """Return elements of another type."""
    if content.dtype == dtype:
        return content
    if not content.shape and isinstance(content, Deferred):

        def computed(options: Options) -> Entries:
            entries = content.found or content.compute(options)
            return Entries(entries.pattern, converted(entries.values, dtype), entries.fill)

        return Deferred((), dtype, None, computed, [content])
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
        if node in made or not node.operands:
            continue
        operands = list(map(of, node.operands))
        if node.operation is CONVERT:
            made[node] = converted(operands[0], node.dtype)
        else:
            assert isinstance(node.operation, Elementwise)
            made[node] = elementwise(node.operation, *operands)
    return of(root)

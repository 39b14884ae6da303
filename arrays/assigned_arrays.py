"""Assignments in place: whether the memory of an array that is assigned to is nobody else's.

    c[0] = 1;  c[1] = float(c[0]) + 1    ->    two elements are written, and none is copied

An assignment is an array like another one but for some elements. It writes to the memory of that
one if nothing looks at it any more, now or later: none of the nodes that are computed together, no
expression that waits, no array of NumPy's. So references are counted, as NumPy does for what its
operators may write to. An array that was assigned to keeps the elements once they are computed
for something else, so that the next assignment has memory to write to.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from diablo.array.driver_operations import ASSIGNED
from diablo.array.expression_graph import LEAF, Node, here

if TYPE_CHECKING:
    from diablo.array.lazy_array import Array


def _references_of_one_name() -> int:
    array = np.empty(0)
    return sys.getrefcount(array)


_ALONE = _references_of_one_name()


class Assignments:
    """The assignments among nodes that are computed together.

    Parameters
    ----------
    order : the nodes, each behind its operands; nothing but the caller's lists may refer to them
        on behalf of this computation
    roots : those whose values are wanted
    """

    def __init__(self, order: list[Node], roots: Sequence[Node]):
        self.kept: list[Node] = []
        """The nodes that arrays stand for, whose values are wanted later."""
        self._held: set[Node] = set()
        self._free: set[Node] = set()
        """The leaves that are of no use once the roots are computed."""
        self._written: dict[Node, Any] = {}
        """The memory of leaves that was written to, by the node that it is the value of now."""
        # Few computations have any, and each goes through here.
        if ASSIGNED in [node.operation for node in order]:
            self._find(order, roots)

    def _find(self, order: list[Node], roots: Sequence[Node]) -> None:
        self._held.update(roots)
        self.kept += [
            node
            for node in order
            if node.operation is ASSIGNED and node not in self._held and ASSIGNED.is_held(node)
        ]
        self._held.update(self.kept)
        leaves = {node.operands[0] for node in order if node.operation is ASSIGNED} - self._held
        leaves = [leaf for leaf in leaves if leaf.kept is None and _is_own(leaf.value)]
        if leaves:
            self._free.update(_seen_from_here_alone(order, self._held, leaves))

    def value(self, node: Node, values: dict[Node, Any]) -> Any:
        """Return the value of an assignment, the last node to look at its first operand.

        `values` has those of the nodes that were computed here, and loses that of the operand if
        its memory is written to.
        """
        base, *others = node.operands
        given = [here(values.get(n, n.value)) for n in others]
        array = self._taken(base, values)
        if array is None:
            whole = here(values.get(base, base.value))
            return ASSIGNED.evaluate(node, [whole, *given])
        is_leaf, was_written = base in self._free, base in self._written
        if sys.getrefcount(array) != _ALONE + was_written:
            self._give_back(base, array, values)
            return ASSIGNED.evaluate(node, [array, *given])
        try:
            ASSIGNED.assign(node, [array, *given])
        except BaseException:
            self._give_back(base, array, values)
            raise
        if is_leaf or was_written:
            self._written.pop(base, None)
            self._written[node] = array
        return array

    def _taken(self, node: Node, values: dict[Node, Any]) -> Any:
        """Take the value of a node from it, if it may be written to."""
        if node in self._held or not (node in values or node in self._free):
            return None
        if not _is_own(values.get(node, node.value)):
            return None
        array = values.pop(node, node.value)
        node.value = None
        return array

    def _give_back(self, node: Node, array: Any, values: dict[Node, Any]) -> None:
        if node in self._free:
            node.value = array
        else:
            values[node] = array

    def failed(self) -> None:
        """Let what was written to be leaves: what it was made of is no longer there."""
        for node, array in self._written.items():
            node.computed(array)


def alone_with(array: Array) -> Any:
    """Return the elements of an array if nothing else looks at their memory, now or later; or None.

    Whoever writes to them lets the array stand for them anew.
    """
    array.to_numpy()
    node = array.node
    if sys.getrefcount(node) != _ALONE + 1 or node.kept is not None:
        return None
    elements = node.value
    return elements if sys.getrefcount(elements) == _ALONE + 1 and _is_own(elements) else None


def _is_own(value: Any) -> bool:
    return type(value) is np.ndarray and value.flags.owndata and value.flags.writeable


def _seen_from_here_alone(order: list[Node], held: set[Node], leaves: list[Node]) -> list[Node]:
    """Return the leaves that nobody can look at once the held nodes of `order` are leaves.

    Somebody can who refers to such a leaf, or to a node of `order` that needs it and is not held,
    and is no node of `order` himself.
    """
    uses = Counter(id(operand) for node in order for operand in node.operands)
    everything = [Node(LEAF, (), None, None, None), *order, *leaves]
    first, *counts = [sys.getrefcount(node) for node in everything]
    # The caller has a list too.
    seen = {
        node
        for node, count in zip(everything[1:], counts, strict=True)
        if count > first + 1 + uses[id(node)]
    }
    for node in reversed(order):
        if node in seen and node not in held:
            seen.update(node.operands)
    return [leaf for leaf in leaves if leaf not in seen]

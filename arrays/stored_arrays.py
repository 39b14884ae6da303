"""Arrays that lie in files, of which parts are read when somebody needs them.

stored(source)[:10, ::2]    ->    a node that reads these rows, and their columns, once computed
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from diablo.array.expression_graph import Node, Operation

Ranges = tuple[tuple[int, int], ...]
"""The first index along each axis, and the one behind the last."""


class Source(Protocol):
    """What has an array, and reads parts of it."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def read(self, ranges: Ranges) -> NDArray[Any]:
        """Return the elements in a box, which nobody writes to."""
        ...


class Stored(Operation):
    """A box of a source: `parameters` has the source, and the ranges of the box."""

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Read it."""
        source, ranges = cast("tuple[Source, Ranges]", node.parameters)
        return np.asarray(source.read(ranges), node.dtype)


STORED = Stored("stored")


def stored(source: Source, ranges: Ranges | None = None) -> Node:
    """Return the node of a box of a source, all of it if there are no ranges."""
    box = tuple([(0, extent) for extent in source.shape]) if ranges is None else ranges
    shape = tuple([stop - start for start, stop in box])
    return Node(STORED, (), (source, box), shape, np.dtype(source.dtype))


def box_of(node: Node, ranges: Ranges) -> Node:
    """Return a box of the box that a node reads."""
    source, outer = cast("tuple[Source, Ranges]", node.parameters)
    moved = [(a + first, b + first) for (a, b), (first, _) in zip(ranges, outer, strict=True)]
    return stored(source, tuple(moved))


def is_mapped(value: Any) -> bool:
    """Whether the elements of an array of NumPy's lie in a file that is mapped into memory."""
    while isinstance(value, np.ndarray):
        if isinstance(value, np.memmap):
            return True
        value = cast("Any", value).base
    return False

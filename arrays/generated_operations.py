"""Operations whose elements are made of where they are: positions, and random numbers.

    position(4)                 ->  0, 1, 2, 3
    randoms(seed, (2, 3))       ->  numbers in [0, 1), the same for the same seed and place

They take no room where a program computes with them: each body makes those that it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.array.expression_graph import NUMBER, Node, Operation, Shape, Values
from diablo.array.view_operations import Place
from diablo.runtime.kernels.arithmetic import random

PLACE = np.dtype(np.int64)
FLOAT = np.dtype(np.float64)


class Generated(Operation):
    """What makes elements of their places: `parameters` has the first place along each axis."""

    __slots__ = ()

    def places(self, node: Node) -> list[Place]:
        """Return which place an element has."""
        return [(start, ((axis, 1),)) for axis, start in enumerate(node.parameters)]


class Position(Generated):
    """Where an element is in a vector."""

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Count with NumPy."""
        return _numbers(node.parameters[0], node.shape[0])

    def in_programs(self, node: Node) -> bool:
        """Bodies know where they are."""
        return True


class Randoms(Generated):
    """Numbers in [0, 1) that depend on the operand, a seed, and on where they are."""

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Compute what programs do, of all places at once."""
        places: tuple[Any, ...] = np.ix_(*map(_numbers, node.parameters, node.shape))
        if not places:
            return np.asarray(random(0, int(values[0])))
        return np.asarray(np.broadcast_to(random(0, int(values[0]), *places), node.shape))

    def in_programs(self, node: Node) -> bool:
        """Bodies know where they are."""
        return True


def _numbers(start: int, extent: int) -> Values:
    made: Any = np.arange(start, start + extent, dtype=PLACE)
    return made


POSITION = Position("position")
RANDOMS = Randoms("random")


def position(extent: int) -> Node:
    """Return the vector of the numbers from 0 to an extent, exclusive."""
    return Node(POSITION, (), (0,), (extent,), PLACE)


def randoms(seed: int, shape: Shape) -> Node:
    """Return random numbers in [0, 1), those of a seed; `seed` has 64 bits, and may be negative."""
    number = Node(NUMBER, (), None, (), PLACE, np.asarray(seed, PLACE))
    return Node(RANDOMS, (number,), (0,) * len(shape), shape, FLOAT)

"""Computing block matrices: rectangle by rectangle of what is there.

compute(node)    ->    `node.stored` has the elements of its rectangles

A matrix with all of its blocks is one rectangle, and so one expression of lazy arrays, of which
the compiler makes few kernels. Blocks that are not there are in no rectangle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import diablo.array as da
from diablo.array.evaluation import forget_memory
from diablo.array.expression_graph import keep_apart, no_longer_apart, owner_of
from diablo.blocks.block_graph import BlockNode, part_of, rectangles_of
from diablo.blocks.block_grids import Rectangle
from diablo.runtime.program.run_main import Engine


@dataclass(frozen=True)
class Running:
    """Where a matrix is computed; without an engine in this process, by what pays."""

    engine: Engine | None = None
    master: str | None = None
    memory: str | int | None = None


HERE = Running()


def _compute(arrays: list[Any], node: BlockNode, running: Running) -> None:
    is_here = running.engine in (None, "local") and running.master is None
    da.compute(
        *arrays,
        engine=running.engine,
        master=running.master,
        block_size=None if is_here else node.block_size,
        memory=running.memory,
    )


def computed_parts(
    node: BlockNode, running: Running = HERE, *, most: int | None = None
) -> Iterator[tuple[Rectangle, NDArray[Any]]]:
    """Generate the elements of the rectangles of what is there, at most so many at once."""
    if running.engine == "spark" and most is None and not node.is_outside:
        # One program for all of them, which begins jobs for what they need once.
        found = [(each, _lazy(node, each)) for each in rectangles_of(node)]
        _compute([array for _, array in found], node, running)
        yield from ((each, array.to_numpy()) for each, array in found)
        return
    for each in rectangles_of(node, most=most):
        array = _lazy(node, each)
        _compute([array], node, running)
        yield each, array.to_numpy()


def _lazy(node: BlockNode, rectangle: Rectangle) -> Any:
    first, last, left, right = rectangle
    return part_of(node, range(first, last), range(left, right))


def compute(node: BlockNode, running: Running = HERE) -> None:
    """Let a matrix have its elements."""
    if node.stored is not None:
        return
    found = list(computed_parts(node, running))
    if len(found) > 1 and node.grid is None:
        # Pieces of what did not lie in memory, which the caller wants there.
        found = [((0, node.shape[0], 0, node.shape[1]), assembled(node, found))]
    node.stored = found


def hold(node: BlockNode, running: Running = HERE) -> None:
    """Let a matrix have its elements until `release` is called as often as this."""
    if node.stored is None:
        compute(node, running)
        for _, values in _stored(node):
            keep_apart(values)
    elif not node.holders:
        node.holders = 1  # They are there anyway, and stay.
    node.holders += 1


def release(node: BlockNode) -> None:
    """Let go of the elements of a matrix, which is computed again when it is wanted."""
    node.holders -= 1
    if not node.holders and node.stored is not None:
        nbytes = sum(values.nbytes for _, values in node.stored)
        for _, values in _stored(node):
            no_longer_apart(owner_of(values))
        node.stored = None
        forget_memory(nbytes)


def _stored(node: BlockNode) -> list[tuple[Rectangle, NDArray[Any]]]:
    assert node.stored is not None
    return node.stored


def assembled(node: BlockNode, parts: list[tuple[Rectangle, NDArray[Any]]]) -> NDArray[Any]:
    """Return the whole matrix, with zeros for what is not there."""
    if len(parts) == 1 and parts[0][1].shape == node.shape:
        return parts[0][1]
    result = (np.empty if node.grid is None else np.zeros)(node.shape, node.dtype)
    for (first, last, left, right), values in parts:
        result[first:last, left:right] = values
    result.flags.writeable = False
    return result

"""Boxes of what a graph stands for, as graphs of their own: only what they need is in them.

    box(exp(a.T)[2:], ((0, 4), (8, 16)))    ->    exp(a[8:16, 2:6].T)

A box has a range along each axis. It is pushed through elementwise operations, views and what else
knows which elements it reads, down to arrays and files; of what does not know that, as `sort`, it
is a part. Nothing recurses: who needs a box of an operand yields what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from math import prod
from typing import Any, cast

import numpy as np

from diablo.array.concatenation import Concatenation, concatenated
from diablo.array.elementwise_operations import Elementwise
from diablo.array.expression_graph import Node, leaf
from diablo.array.fold_operations import Contraction, Fold, Scan
from diablo.array.generated_operations import Generated
from diablo.array.stored_arrays import STORED, Ranges, box_of
from diablo.array.view_operations import (
    INDEXED,
    Broadcast,
    Diagonal,
    Indexed,
    Permuted,
    Split,
    Window,
    broadcasted,
)

Request = tuple[Node, Ranges]
Made = Generator[Request, Any, Node]


def whole(node: Node) -> Ranges:
    """Return the box that has all elements of a node."""
    return tuple([(0, extent) for extent in node.shape])


def shape_of(ranges: Ranges) -> tuple[int, ...]:
    """Return the extents of a box."""
    return tuple([stop - start for start, stop in ranges])


class Boxes:
    """Makes boxes of nodes, the same one once.

    Parameters
    ----------
    is_whole : says which nodes without a value are computed as a whole anyway
    """

    def __init__(self, is_whole: Callable[[Node], bool] = lambda node: False) -> None:
        self._known: dict[Request, Node] = {}
        self._is_whole = is_whole

    def box(self, node: Node, ranges: Ranges) -> Node:
        """Return the node of a box of a node."""
        first = (node, ranges)
        stack: list[tuple[Request, Made]] = [(first, _made(node, ranges))]
        if first in self._known:
            return self._known[first]
        answer = cast("Any", None)
        while stack:
            request, running = stack[-1]
            try:
                wanted = running.send(answer)
            except StopIteration as end:
                answer = self._known[request] = end.value
                stack.pop()
                continue
            answer = cast("Any", self._known.get(wanted))
            if answer is None:
                stack.append((wanted, self._begun(*wanted)))
        return self._known[first]

    def _begun(self, node: Node, ranges: Ranges) -> Made:
        if node.value is None and node.operation is not STORED and self._is_whole(node):
            return _part(node, ranges)
        return _made(node, ranges)


def knows_boxes(node: Node) -> bool:
    """Whether boxes of a node need no more than boxes of its operands, and combine nothing."""
    return isinstance(
        node.operation,
        Elementwise
        | Indexed
        | Permuted
        | Broadcast
        | Split
        | Diagonal
        | Window
        | Concatenation
        | Generated,
    )


def _made(node: Node, ranges: Ranges) -> Made:
    """Return the generator that makes a box of a node."""
    if node.value is not None:
        return _of_value(node, ranges)
    match node.operation:
        case Elementwise():
            return _elementwise(node, ranges)
        case Indexed():
            return _indexed(node, ranges)
        case Permuted():
            return _permuted(node, ranges)
        case Broadcast():
            return _broadcast(node, ranges)
        case Split():
            return _split(node, ranges)
        case Diagonal():
            return _diagonal(node, ranges)
        case Window():
            return _window(node, ranges)
        case Concatenation():
            return _concatenation(node, ranges)
        case Generated():
            return _generated(node, ranges)
        case Fold():
            return _fold(node, ranges)
        case Contraction():
            return _contraction(node, ranges)
        case Scan():
            return _scan(node, ranges)
        case _ if node.operation is STORED:
            return _stored(node, ranges)
        case _:
            return _part(node, ranges)


def _of_value(node: Node, ranges: Ranges) -> Made:
    if ranges == whole(node):
        return node
    index = tuple([slice(start, stop) for start, stop in ranges])
    return leaf(np.asarray(node.value)[index])
    yield


def _stored(node: Node, ranges: Ranges) -> Made:
    return box_of(node, ranges)
    yield


def _part(node: Node, ranges: Ranges) -> Made:
    """Return the box as a part of what is computed as a whole."""
    if ranges == whole(node):
        return node
    parameters = tuple([(start, stop - start, 1) for start, stop in ranges])
    return Node(INDEXED, (node,), parameters, shape_of(ranges), node.dtype)
    yield


def _elementwise(node: Node, ranges: Ranges) -> Made:
    operands: list[Node] = []
    for operand in node.operands:
        own = ranges[node.ndim - operand.ndim :]
        inner = [
            (0, 1) if extent == 1 else each for each, extent in zip(own, operand.shape, strict=True)
        ]
        operands.append((yield operand, tuple(inner)))
    return Node(node.operation, tuple(operands), node.parameters, shape_of(ranges), node.dtype)


def _indexed(node: Node, ranges: Ranges) -> Made:
    (operand,) = node.operands
    inner: list[tuple[int, int]] = []
    parameters: list[Any] = []
    axes = iter(ranges)
    for part in node.parameters:
        if part is None:
            start, stop = next(axes)
            parameters.append(None if stop - start == 1 else "none")
        elif isinstance(part, tuple):
            first, _, step = cast("tuple[int, int, int]", part)
            start, stop = next(axes)
            ends = (first + step * start, first + step * (stop - 1))
            low, high = (min(ends), max(ends) + 1) if stop > start else (0, 0)
            inner.append((low, high))
            parameters.append((ends[0] - low if stop > start else 0, stop - start, step))
        else:
            inner.append((part, part + 1))
            parameters.append(0)
    found = yield operand, tuple(inner)
    if "none" in parameters:
        # Of a new axis nothing is wanted, so that nothing is wanted at all.
        return leaf(np.empty(shape_of(ranges), node.dtype))
    if parameters == [(0, extent, 1) for extent in found.shape]:
        return found
    return Node(INDEXED, (found,), tuple(parameters), shape_of(ranges), node.dtype)


def _permuted(node: Node, ranges: Ranges) -> Made:
    (operand,) = node.operands
    inner: list[Any] = [None] * operand.ndim
    for axis, source in enumerate(node.parameters):
        inner[source] = ranges[axis]
    found = yield operand, tuple(inner)
    return Node(node.operation, (found,), node.parameters, shape_of(ranges), node.dtype)


def _broadcast(node: Node, ranges: Ranges) -> Made:
    (operand,) = node.operands
    own = ranges[node.ndim - operand.ndim :]
    inner = [(0, 1) if e == 1 else each for each, e in zip(own, operand.shape, strict=True)]
    found = yield operand, tuple(inner)
    return broadcasted(found, shape_of(ranges))


def _split(node: Node, ranges: Ranges) -> Made:
    """Cut a source axis where the first of the axes that it became is cut, and no other is."""
    (operand,) = node.operands
    inner: list[tuple[int, int]] = []
    shape = list(node.shape)
    rest = list(ranges)
    groups: Sequence[Sequence[int]] = node.parameters
    for axis, group in enumerate(groups):
        is_first = all(ranges[k] == (0, node.shape[k]) for k in group[1:])
        if group and is_first:
            length = prod([node.shape[k] for k in group[1:]])
            start, stop = ranges[group[0]]
            inner.append((start * length, stop * length))
            shape[group[0]] = stop - start
            rest[group[0]] = (0, stop - start)
        else:
            inner.append((0, operand.shape[axis]))
    found = yield operand, tuple(inner)
    cut = Node(node.operation, (found,), node.parameters, tuple(shape), node.dtype)
    if shape_of(tuple(rest)) == cut.shape:
        return cut
    parameters = tuple([(start, stop - start, 1) for start, stop in rest])
    return Node(INDEXED, (cut,), parameters, shape_of(ranges), node.dtype)


def _diagonal(node: Node, ranges: Ranges) -> Made:
    (operand,) = node.operands
    offset: int = node.parameters
    *outer, (start, stop) = ranges
    row, column = max(0, -offset), max(0, offset)
    inner = (*outer, (start + row, stop + row), (start + column, stop + column))
    found = yield operand, inner
    return Node(node.operation, (found,), 0, shape_of(ranges), node.dtype)


def _window(node: Node, ranges: Ranges) -> Made:
    (operand,) = node.operands
    inner: list[tuple[int, int]] = []
    moved: list[int] = []
    for (start, stop), distance, extent in zip(ranges, node.parameters, operand.shape, strict=True):
        low = min(max(0, start - distance), extent)
        high = max(low, min(extent, stop - distance))
        inner.append((low, high))
        moved.append(low + distance - start)
    if 0 in shape_of(tuple(inner)):
        return broadcasted(leaf(np.zeros((), node.dtype)), shape_of(ranges))
    found = yield operand, tuple(inner)
    return Node(node.operation, (found,), tuple(moved), shape_of(ranges), node.dtype)


def _concatenation(node: Node, ranges: Ranges) -> Made:
    axis: int = node.parameters
    start, stop = ranges[axis]
    parts: list[Node] = []
    begin = 0
    for operand in node.operands:
        end = begin + operand.shape[axis]
        low, high = max(start, begin), min(stop, end)
        if low < high or (start == stop and not parts):
            inner = list(ranges)
            inner[axis] = (low - begin, high - begin) if low < high else (0, 0)
            parts.append((yield operand, tuple(inner)))
        begin = end
    return concatenated(parts, axis, node.dtype)


def _generated(node: Node, ranges: Ranges) -> Made:
    starts = [first + start for first, (start, _) in zip(node.parameters, ranges, strict=True)]
    return Node(node.operation, node.operands, tuple(starts), shape_of(ranges), node.dtype)
    yield


def _fold(node: Node, ranges: Ranges) -> Made:
    (operand,) = node.operands
    _, axes, keepdims = node.parameters
    own = iter(ranges)
    inner: list[tuple[int, int]] = []
    for axis, extent in enumerate(operand.shape):
        if axis in axes:
            inner.append((0, extent))
            if keepdims:
                next(own)
        else:
            inner.append(next(own))
    found = yield operand, tuple(inner)
    return Node(node.operation, (found,), node.parameters, shape_of(ranges), node.dtype)


def _contraction(node: Node, ranges: Ranges) -> Made:
    left, right, rank = cast("tuple[Sequence[int], Sequence[int], int]", node.parameters)
    operands: list[Node] = []
    for operand, dims in zip(node.operands, (left, right), strict=True):
        inner = [
            ranges[d] if d < rank else (0, extent)
            for d, extent in zip(dims, operand.shape, strict=True)
        ]
        operands.append((yield operand, tuple(inner)))
    return Node(node.operation, tuple(operands), node.parameters, shape_of(ranges), node.dtype)


def _scan(node: Node, ranges: Ranges) -> Made:
    """Make a box that is whole along the axis of the scan."""
    (operand,) = node.operands
    axis: int = node.parameters[1]
    inner: list[tuple[int, int]] = [*ranges]
    inner[axis] = (0, ranges[axis][1])
    found = yield operand, tuple(inner)
    scan = Node(node.operation, (found,), node.parameters, shape_of(tuple(inner)), node.dtype)
    if ranges[axis][0] == 0:
        return scan
    parameters = [(0, stop - start, 1) for start, stop in ranges]
    parameters[axis] = (ranges[axis][0], ranges[axis][1] - ranges[axis][0], 1)
    return Node(INDEXED, (scan,), tuple(parameters), shape_of(ranges), node.dtype)

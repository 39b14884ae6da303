"""Views: arrays whose elements are those of another one, each at a linear place.

    a[1::2, ::-1]    reads  a[2 * d0 + 1, -d1 + (m - 1)]
    permute_dims(a, (1, 0))    reads  a[d1, d0]

Programs read through them, and NumPy makes views of its own of them: no byte moves in either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from diablo.array.expression_graph import Node, Operation, Shape
from diablo.array.scalar_code import scalar_row
from diablo.array.stored_arrays import STORED, box_of
from diablo.diagnostics import quantity

Place = tuple[int, tuple[tuple[int, int], ...]]
"""Where an axis of the source is read: a start, and of which axes of the view how many steps."""


class View(Operation):
    """What reads its operand at linear places."""

    __slots__ = ()

    is_view = True

    def in_programs(self, node: Node) -> bool:
        """Return whether programs read through it: where they know the elements."""
        return scalar_row(node.dtype) is not None

    def places(self, node: Node) -> list[Place]:
        """Return where each axis of the operand is read."""
        raise NotImplementedError


class Indexed(View):
    """A part that integers and slices choose: `parameters` is the index, a slice a triple."""

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Index the array of NumPy."""
        index: Any = tuple([slice_of(part) for part in node.parameters])
        return np.asarray(values[0])[index]

    def places(self, node: Node) -> list[Place]:
        """Return where each axis of the operand is read."""
        found: list[Place] = []
        axis = 0
        for part in node.parameters:
            if part is None:
                axis += 1
            elif isinstance(part, tuple):
                start, _, step = cast("tuple[int, int, int]", part)
                found.append((start, ((axis, step),)))
                axis += 1
            else:
                found.append((part, ()))
        return found


def slice_of(part: Any) -> Any:
    """Return a part of an index as NumPy takes it: the slice that a triple stands for."""
    if not isinstance(part, tuple):
        return part
    start, extent, step = cast("tuple[int, int, int]", part)
    stop = start + step * extent
    return slice(start, stop if stop >= 0 else None, step)


class Permuted(View):
    """The axes in another order: axis k of the view is axis `parameters[k]`."""

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Transpose the array of NumPy."""
        return np.transpose(values[0], node.parameters)

    def places(self, node: Node) -> list[Place]:
        """Return where each axis of the operand is read."""
        return [(0, ((node.parameters.index(axis), 1),)) for axis in range(node.ndim)]


class Broadcast(View):
    """The array repeated along new axes and along those of extent 1."""

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Repeat the array of NumPy."""
        return np.broadcast_to(values[0], node.shape)

    def places(self, node: Node) -> list[Place]:
        """Return where each axis of the operand is read."""
        (source,) = node.operands
        added = node.ndim - source.ndim
        return [
            (0, () if extent == 1 else ((axis + added, 1),))
            for axis, extent in enumerate(source.shape)
        ]


class Split(View):
    """Axes cut into several, and axes of extent 1 added or left out: a kind of reshape.

    `parameters` has for each axis of the source the axes that it is cut into.
    """

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Reshape the array of NumPy."""
        return np.reshape(values[0], node.shape)

    def places(self, node: Node) -> list[Place]:
        """Return where each axis of the operand is read."""
        found: list[Place] = []
        for axes in node.parameters:
            step = 1
            terms: list[tuple[int, int]] = []
            for axis in reversed(axes):
                terms.append((axis, step))
                step *= node.shape[axis]
            found.append((0, tuple(reversed(terms))))
        return found


class Diagonal(View):
    """The last two axes read at one place, `parameters` columns to the right of the diagonal."""

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Return NumPy's diagonal."""
        return np.diagonal(values[0], node.parameters, -2, -1)

    def places(self, node: Node) -> list[Place]:
        """Return where each axis of the operand is read."""
        last, offset = node.ndim - 1, node.parameters
        outer: list[Place] = [(0, ((axis, 1),)) for axis in range(last)]
        return [*outer, (max(0, -offset), ((last, 1),)), (max(0, offset), ((last, 1),))]


class Window(Operation):
    """The elements moved along axes, with zeros where there are none: `parameters` is how far.

    It is no view of NumPy's, as the zeros are nowhere, but programs read through it.
    """

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Copy what is inside with NumPy."""
        source = np.asarray(values[0])
        result = np.zeros(node.shape, node.dtype)
        here: list[slice] = []
        there: list[slice] = []
        for moved, extent, own in zip(node.parameters, source.shape, node.shape, strict=True):
            start, stop = max(0, moved), max(0, min(own, extent + moved))
            here.append(slice(start, max(start, stop)))
            there.append(slice(start - moved, max(start, stop) - moved))
        result[tuple(here)] = source[tuple(there)]
        return result

    def in_programs(self, node: Node) -> bool:
        """Return whether programs read through it: where they know the elements."""
        return scalar_row(node.dtype) is not None

    def places(self, node: Node) -> list[Place]:
        """Return where each axis of the operand is read."""
        return [(-moved, ((axis, 1),)) for axis, moved in enumerate(node.parameters)]


INDEXED = Indexed("index")
PERMUTED = Permuted("permute")
BROADCAST = Broadcast("broadcast")
SPLIT = Split("split")
DIAGONAL = Diagonal("diagonal")
WINDOW = Window("window")


def too_many_indices(given: int, rank: int) -> IndexError:
    """What is wrong with so many indices of an array of fewer dimensions."""
    indices = quantity(given, "index", "indices")
    return IndexError(f"{indices} for an array of {quantity(rank, 'dimension')}")


def indexed(node: Node, index: Any) -> Node:
    """Return the part that integers, slices, `None` and `...` choose; an `IndexError` if none is.

    >>> indexed(node, (slice(None, None, -1), 0))
    """
    parts = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
    given = sum(part is not None and part is not Ellipsis for part in parts)
    shape = node.shape
    if given > len(shape):
        raise too_many_indices(given, len(shape))
    full = [slice(None)] * (len(shape) - given)
    if any(part is Ellipsis for part in parts):
        place = next(k for k, part in enumerate(parts) if part is Ellipsis)
        if any(part is Ellipsis for part in parts[place + 1 :]):
            raise IndexError("an index can only have a single ellipsis ('...')")
        parts = (*parts[:place], *full, *parts[place + 1 :])
    else:
        parts = (*parts, *full)
    found: list[Any] = []
    extents: list[int] = []
    axis = 0
    for part in parts:
        if part is None:
            found.append(None)
            extents.append(1)
            continue
        extent = shape[axis]
        if isinstance(part, slice):
            start, stop, step = part.indices(extent)
            length = len(range(start, stop, step))
            found.append((start if length else 0, length, step))
            extents.append(length)
        else:
            if not -extent <= part < extent:
                raise IndexError(
                    f"index {part} is out of bounds for axis {axis} with size {extent}"
                )
            found.append(part % extent)
        axis += 1
    if node.operation is STORED:
        node, found = _narrowed(node, found)
        if found == [(0, extent, 1) for extent in node.shape]:
            return node
    return Node(INDEXED, (node,), tuple(found), tuple(extents), node.dtype)


def _narrowed(node: Node, index: list[Any]) -> tuple[Node, list[Any]]:
    """Return the box of what lies in a file that an index reads, and the index of that box."""
    ranges, inner = ranges_of(index)
    return box_of(node, ranges), inner


def ranges_of(index: Sequence[Any]) -> tuple[tuple[tuple[int, int], ...], list[Any]]:
    """Return the range of each axis that an index reads, and the index of what lies in these."""
    ranges: list[tuple[int, int]] = []
    inner: list[Any] = []
    for part in index:
        if part is None:
            inner.append(None)
        elif isinstance(part, tuple):
            start, extent, step = cast("tuple[int, int, int]", part)
            last = start + step * (extent - 1)
            low, high = (min(start, last), max(start, last) + 1) if extent else (0, 0)
            ranges.append((low, high))
            inner.append((start - low if extent else 0, extent, step))
        else:
            ranges.append((part, part + 1))
            inner.append(0)
    return tuple(ranges), inner


def permuted(node: Node, axes: Sequence[int]) -> Node:
    """Return the axes in another order."""
    axes = tuple([axis % max(1, node.ndim) for axis in axes])
    if sorted(axes) != list(range(node.ndim)):
        raise ValueError(f"{axes} is no order of {node.ndim} axes")
    if axes == tuple(range(node.ndim)):
        return node
    return Node(PERMUTED, (node,), axes, tuple([node.shape[a] for a in axes]), node.dtype)


def broadcasted(node: Node, shape: Shape) -> Node:
    """Return the array repeated to a shape; a `ValueError` if it cannot be."""
    if node.shape == shape:
        return node
    added = len(shape) - node.ndim
    fits = added >= 0 and all(
        mine in (1, extent) for mine, extent in zip(node.shape, shape[added:], strict=True)
    )
    if not fits:
        raise ValueError(f"an array of shape {node.shape} cannot be broadcast to {shape}")
    return Node(BROADCAST, (node,), None, shape, node.dtype)


def split(node: Node, shape: Shape) -> Node | None:
    """Return the array reshaped, if each axis of the shape comes from one axis of the array."""
    groups: list[tuple[int, ...]] = []
    axis = 0
    if 0 in node.shape:
        return None
    for extent in node.shape:
        group: list[int] = []
        left = extent
        while left > 1:
            if axis == len(shape):
                return None
            if left % shape[axis]:
                return None
            left //= shape[axis]
            group.append(axis)
            axis += 1
        groups.append(tuple(group))
    if any(extent != 1 for extent in shape[axis:]):
        return None
    return Node(SPLIT, (node,), tuple(groups), shape, node.dtype)


def diagonal(node: Node, offset: int) -> Node:
    """Return a diagonal of the last two axes."""
    *outer, rows, columns = node.shape
    length = max(0, min(rows + min(0, offset), columns - max(0, offset)))
    return Node(DIAGONAL, (node,), offset, (*outer, length), node.dtype)


def window(node: Node, moved: Sequence[int], shape: Shape) -> Node:
    """Return the elements moved by so much along each axis, with a padding of zeros.

    >>> window(vector, (1,), (5,))    # a 0, and then the elements of the vector
    """
    if shape == node.shape and not any(moved):
        return node
    return Node(WINDOW, (node,), tuple(moved), shape, node.dtype)

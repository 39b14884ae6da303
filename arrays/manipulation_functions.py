"""The standard's functions that arrange elements: most are views, the others copy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from operator import index
from typing import Any, cast

import numpy as np

from diablo.array.concatenation import concatenated, stacked
from diablo.array.driver_operations import RESHAPED, called, with_shape
from diablo.array.elementwise_operations import ELEMENTWISE, elementwise
from diablo.array.expression_graph import Node, Shape, broadcast, leaf
from diablo.array.lazy_array import Array, copied, is_sparse_operand, node_of
from diablo.array.view_operations import broadcasted, indexed, permuted, window


def integer(value: Any, what: str) -> int:
    """Return an argument as an integer; a `TypeError` that says what it is if it is none."""
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{what} is an integer, and not {value!r}") from None


def integers(values: Any, what: str) -> Any:
    """Return an argument as an array of integers; a `TypeError` that says what they are if not."""
    found = np.asarray(values if not is_sparse_operand(values) else None)
    if (found.dtype.kind not in "iub" and found.size) or found.dtype.hasobject:
        raise TypeError(f"{what} are integers, and not {values!r}")
    return found.astype(np.int64)


def extents_of(shape: Any) -> tuple[int, ...]:
    """Return a shape that is given as integers; a `TypeError` if it is none."""
    if isinstance(shape, str) or is_sparse_operand(shape):
        raise TypeError(f"a shape is a tuple of integers, and not {shape!r}")
    several = hasattr(shape, "__iter__") and np.ndim(shape) > 0
    given: Iterable[Any] = shape if several else (shape,)
    return tuple([integer(extent, "an extent") for extent in given])


def listed_axes(axis: Any) -> list[Any]:
    """Return an axis, or several in a tuple or a list, as a list; a `TypeError` if it is `None`."""
    several = list(cast("Sequence[Any]", axis)) if isinstance(axis, tuple | list) else [axis]
    return [integer(each, "an axis") for each in several]


def axis_of(axis: Any, rank: int) -> int:
    """Return an axis counted from the first; an `IndexError` if there is no such axis."""
    number = integer(axis, "an axis")
    if not -rank <= number < rank:
        raise np.exceptions.AxisError(number, rank)
    return number % rank


def axes_of(axis: Any, rank: int) -> tuple[int, ...]:
    """Return axes counted from the first: all, if none are given."""
    if axis is None:
        return tuple(range(rank))
    given = cast("Sequence[Any]", axis) if isinstance(axis, tuple | list) else (axis,)
    found = tuple([axis_of(each, rank) for each in given])
    if len(set(found)) < len(found):
        raise ValueError(f"an axis occurs twice in {given}")
    return found


def broadcast_arrays(*arrays: Any) -> list[Array]:
    """Return views of the arrays with the shape of all."""
    nodes = [node_of(array) for array in arrays]
    shape: tuple[int, ...] = ()
    for node in nodes:
        shape = broadcast(shape, node.shape)
    return [Array(broadcasted(node, shape)) for node in nodes]


def broadcast_to(x: Any, /, shape: Any) -> Array:
    """Return a view with elements repeated to a shape."""
    return Array(broadcasted(node_of(x), extents_of(shape)))


def expand_dims(x: Any, /, axis: Any = 0) -> Array:
    """Return a view with an axis of extent 1 more."""
    node = node_of(x)
    added = len(cast("tuple[Any, ...]", axis)) if isinstance(axis, tuple) else 1
    place = axes_of(axis, node.ndim + added)
    index = iter([slice(None)] * node.ndim)
    parts = [None if k in place else next(index) for k in range(node.ndim + len(place))]
    return Array(indexed(node, tuple(parts)))


def squeeze(x: Any, /, axis: Any = None) -> Array:
    """Return a view without axes of extent 1."""
    node = node_of(x)
    if axis is None:
        axes: Any = [k for k, extent in enumerate(node.shape) if extent == 1]
    else:
        axes = axes_of(axis, node.ndim)
    if any(node.shape[k] != 1 for k in axes):
        raise ValueError(f"an axis of {axes} of an array of shape {node.shape} is not of extent 1")
    return Array(indexed(node, tuple([0 if k in axes else slice(None) for k in range(node.ndim)])))


def flip(x: Any, /, *, axis: Any = None) -> Array:
    """Return a view with the elements in the opposite order along axes."""
    node = node_of(x)
    axes = axes_of(axis, node.ndim)
    whole, backwards = slice(None), slice(None, None, -1)
    index = tuple([backwards if k in axes else whole for k in range(node.ndim)])
    return Array(indexed(node, index))


def permute_dims(x: Any, /, axes: Any) -> Array:
    """Return a view with the axes in another order."""
    return Array(permuted(node_of(x), order_of(axes)))


def order_of(axes: Any) -> tuple[int, ...]:
    """Return an order of axes as integers; a `TypeError` if it is given as something else."""
    if not isinstance(axes, Iterable) or isinstance(axes, str | dict):
        raise TypeError(f"an order of axes is a tuple of integers, and not {axes!r}")
    return tuple([integer(axis, "an axis") for axis in cast("Iterable[Any]", axes)])


def transpose(x: Any, /, axes: Any = None) -> Array:
    """Return a view with the axes in another order, the opposite one if none is given."""
    node = node_of(x)
    return Array(permuted(node, range(node.ndim)[::-1] if axes is None else order_of(axes)))


def matrix_transpose(x: Any, /) -> Array:
    """Return a view with the last two axes exchanged."""
    node = node_of(x)
    if node.ndim < 2:
        raise ValueError("a matrix has two dimensions")
    return Array(permuted(node, [*range(node.ndim - 2), node.ndim - 1, node.ndim - 2]))


def moveaxis(x: Any, source: Any, destination: Any, /) -> Array:
    """Return a view with axes at other places."""
    node = node_of(x)
    here, there = axes_of(source, node.ndim), axes_of(destination, node.ndim)
    if len(here) != len(there):
        raise ValueError(f"{len(here)} axes cannot be moved to {len(there)} places")
    order = [axis for axis in range(node.ndim) if axis not in here]
    for place, axis in sorted(zip(there, here, strict=True)):
        order.insert(place, axis)
    return Array(permuted(node, order))


def reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> Array:
    """Return the elements in their order with another shape.

    Raises
    ------
    ValueError
        The shape does not fit, or there is no such view and `copy` forbids another.
    """
    node = node_of(x)
    found = reshaped(copied(node) if copy else node, shape)
    if copy is False and found.operation is RESHAPED and not _is_view(node, found.shape):
        raise ValueError(f"no view of the array has the shape {found.shape}: it needs a copy")
    return Array(found)


def _is_view(node: Node, shape: Shape) -> bool:
    """Return whether elements that are there have another shape without a copy.

    Those of an expression are nowhere yet.
    """
    base = node
    while base.value is None and base.operation.is_view:
        base = base.operands[0]
    if base.value is None:
        return True
    array: Any = Array(node).to_numpy()
    return np.shares_memory(array.reshape(shape), array)


def reshaped(node: Node, shape: Any) -> Node:
    """Return the elements in their order with another shape, of which one extent may be -1."""
    given = extents_of(shape)
    extents = list(given)
    if extents.count(-1) == 1:
        rest = prod([extent for extent in extents if extent != -1])
        if rest and node.size % rest == 0:
            extents[extents.index(-1)] = node.size // rest
    wanted = tuple(extents)
    if prod(wanted) != node.size or any(extent < 0 for extent in wanted):
        raise ValueError(f"an array of shape {node.shape} cannot have the shape {given}")
    return with_shape(node, wanted)


def listed(arrays: Any) -> Sequence[Any]:
    """Return arrays that are given together; a `TypeError` if it is a single sparse one."""
    if is_sparse_operand(arrays) or not isinstance(arrays, Iterable):
        raise TypeError(f"several arrays are given as a list, and not as {arrays!r}")
    return list(cast("Iterable[Any]", arrays))


def concat(arrays: Any, /, *, axis: int | None = 0) -> Array:
    """Return the arrays one behind the other."""
    nodes = [node_of(array) for array in listed(arrays)]
    if not nodes:
        raise ValueError("there is no array to concatenate")
    dtype: Any = np.result_type(*[node.dtype for node in nodes])
    if axis is None:
        nodes, axis = (
            [reshaped(node, (-1,)) if node.size else reshaped(node, (0,)) for node in nodes],
            0,
        )
    return Array(concatenated(nodes, axis_of(axis, nodes[0].ndim), dtype))


def stack(arrays: Any, /, *, axis: int = 0) -> Array:
    """Return the arrays beside one another along a new axis."""
    nodes = [node_of(array) for array in listed(arrays)]
    if not nodes:
        raise ValueError("there is no array to stack")
    if any(node.shape != nodes[0].shape for node in nodes):
        raise ValueError("arrays of several shapes cannot be stacked")
    place = axis_of(axis, nodes[0].ndim + 1)
    dtype: Any = np.result_type(*[node.dtype for node in nodes])
    return Array(stacked(nodes, place, dtype))


def unzip(x: Any, /) -> tuple[Array, ...]:
    """Return views of the parts along the last axis, as of an array of pairs their two sides."""
    return unstack(x, axis=-1)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Return views of the parts along an axis."""
    node = node_of(x)
    place = axis_of(axis, node.ndim)
    before = [slice(None)] * place
    return tuple([Array(indexed(node, (*before, k))) for k in range(node.shape[place])])


def split(x: Any, sections: Any, /, *, axis: int = 0) -> list[Array]:
    """Return views of parts along an axis: so many equal ones, or cut at places.

    Raises
    ------
    ValueError
        If the extent is no multiple of a number of parts.
    """
    node = node_of(x)
    place = axis_of(axis, node.ndim)
    extent = node.shape[place]
    cuts = cuts_of(sections, extent)
    before = [slice(None)] * place
    ends = zip([0, *cuts], [*cuts, extent], strict=True)
    return [Array(indexed(node, (*before, slice(start, stop)))) for start, stop in ends]


def cuts_of(sections: Any, extent: int) -> list[int]:
    """Return where an axis is cut into a number of equal parts, or at given places.

    Raises
    ------
    TypeError
        If these are no integers.
    ValueError
        If the extent is no multiple of a number of parts.
    """
    given = integers(sections, "places at which an axis is cut, or a number of parts,")
    if given.ndim:
        return given.reshape(-1).tolist()
    count = int(given)
    if count < 1 or extent % count:
        raise ValueError(f"an axis of extent {extent} cannot be cut into {count} equal parts")
    return [extent // count * k for k in range(1, count)]


def widths_of(widths: Any, rank: int) -> list[list[int]]:
    """Return by how much an array is padded before and behind each axis.

    Raises
    ------
    TypeError
        If that is no integer, or several.
    ValueError
        If one is negative, or they are not a pair for all axes or for each.
    """
    given = integers(widths, "the widths by which an array is padded")
    try:
        pairs = np.broadcast_to(given, (rank, 2)).tolist()
    except ValueError:
        raise ValueError(
            f"an array of {rank} dimensions is padded by a number, a pair, or a pair for each "
            f"axis, and not by {widths!r}"
        ) from None
    if any(width < 0 for pair in pairs for width in pair):
        raise ValueError(f"an array is padded by numbers that are not negative, not by {widths}")
    return pairs


def translate(x: Any, offsets: Any, /, *, fill_value: Any = 0) -> Array:
    """Return the elements moved along each axis, and `fill_value` where none has been moved to.

    An element at index i is at i + offset then. Programs read through it: nothing is copied.
    """
    node = node_of(x)
    moved = _each_axis(offsets, node.ndim)
    return Array(_windowed(node, moved, node.shape, fill_value))


def pad(
    x: Any, widths: Any, /, mode: str = "constant", *, fill_value: Any = 0, **options: Any
) -> Array:
    """Return the array with padding, `fill_value`: so much before and behind along each axis.

    `widths` is a number for all, a pair for all, or a pair for each axis. In the other modes of
    `numpy.pad`, which take its options, NumPy does it on the driver.
    """
    node = node_of(x)
    pairs = widths_of(widths, node.ndim)
    shape = tuple([e + sum(pair) for e, pair in zip(node.shape, pairs, strict=True)])
    if mode == "constant" and np.isscalar(options.get("constant_values", 0)):
        fill = options.pop("constant_values", fill_value)
        if options:
            raise TypeError(f"pad() takes no {', '.join(options)} in the mode 'constant'")
        return Array(_windowed(node, [before for before, _ in pairs], shape, fill))
    numpy: Any = np
    numpy.pad(np.zeros((1,) * node.ndim), 0, mode, **options)  # Wrong options are found now.
    return _call(numpy.pad, node, shape, pad_width=pairs, mode=mode, **options)


def _windowed(node: Node, moved: Sequence[int], shape: Shape, fill_value: Any) -> Node:
    """Return elements moved by so much, in a shape, and a number where there are none."""
    found = window(node, moved, shape)
    fill: Any = np.empty((), node.dtype)
    fill[()] = fill_value  # What does not fit is NumPy's to refuse.
    is_zero: bool = fill == 0 and not np.signbit(fill.real)
    if found is node or is_zero:
        return found
    inside = window(broadcasted(leaf(np.asarray(True)), node.shape), moved, shape)
    return elementwise(ELEMENTWISE["where"], inside, found, leaf(np.asarray(fill)))


def _each_axis(numbers: Any, rank: int) -> list[int]:
    found = integers(numbers, "the distances by which elements are moved")
    given: list[int] = found.tolist() if found.ndim else [int(found)] * rank
    if len(given) != rank:
        raise ValueError(f"{len(given)} numbers are given for {rank} axes")
    return given


def _call(function: Callable[..., Any], node: Node, shape: Any, **options: Any) -> Array:
    return Array(called(function, (node,), shape, node.dtype, options))


def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Array:
    """Return the elements moved around along axes."""
    node = node_of(x)
    integers(shift, "the distances by which elements are rolled")
    if axis is not None:
        axis = axes_of(axis, node.ndim) if not isinstance(axis, tuple) else _each(axis, node.ndim)
        shift = cast("Any", shift) if isinstance(shift, tuple) else (shift,) * len(axis)
    return _call(_rolled, node, node.shape, shift=shift, axis=axis)


def _each(axes: Any, rank: int) -> tuple[int, ...]:
    """Return axes counted from the first, of which one may occur twice."""
    return tuple([axis_of(axis, rank) for axis in axes])


def _rolled(x: Any, *, shift: Any, axis: Any) -> Any:
    return np.roll(x, shift, axis)


def times_of(repetitions: Any) -> tuple[int, ...]:
    """Return how many copies there are along each axis.

    Raises
    ------
    TypeError
        If that is no integer, or several.
    ValueError
        If one is negative.
    """
    times: list[int] = integers(repetitions, "numbers of copies").reshape(-1).tolist()
    if any(count < 0 for count in times):
        raise ValueError("an axis is there so many times, and not less than none")
    return tuple(times)


def tile(x: Any, repetitions: Any, /) -> Array:
    """Return copies of the array beside one another, so many along each axis."""
    node = node_of(x)
    times = times_of(repetitions)
    rank = max(node.ndim, len(times))
    shape = (*[1] * (rank - node.ndim), *node.shape)
    times = (*[1] * (rank - len(times)), *times)
    extents = tuple([extent * n for extent, n in zip(shape, times, strict=True)])
    return _call(_tiled, node, extents, times=times)


def _tiled(x: Any, *, times: Any) -> Any:
    return np.tile(x, times)


def _repeated(x: Any, repeats: Any, *, axis: Any) -> Any:
    return np.repeat(x, repeats, axis)


def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> Array:
    """Return each element several times."""
    node = node_of(x)
    if axis is not None:
        axis = axis_of(axis, node.ndim)
    times = node_of(repeats)
    length = node.size if axis is None else node.shape[axis]
    shape: Any = None
    if isinstance(repeats, int):
        shape = [length * repeats] if axis is None else list(node.shape)
        if axis is not None:
            shape[axis] = length * repeats
        shape = tuple(shape)
    return Array(called(_repeated, (node, times), shape, node.dtype, {"axis": axis}))


def _taken(x: Any, indices: Any, *, axis: int) -> Any:
    return np.take(x, indices, axis)


def take(x: Any, indices: Any, /, *, axis: int | None = None) -> Array:
    """Return the elements at places along an axis."""
    node, places = node_of(x), node_of(indices)
    if axis is None:
        if node.ndim != 1:
            raise ValueError("an axis is wanted, as the array has several")
        axis = 0
    axis = axis_of(axis, node.ndim)
    shape = (*node.shape[:axis], *places.shape, *node.shape[axis + 1 :])
    return Array(called(_taken, (node, places), shape, node.dtype, {"axis": axis}))


def _taken_along(x: Any, indices: Any, *, axis: int) -> Any:
    return np.take_along_axis(x, indices, axis)


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Array:
    """Return for each line along an axis its elements at places of its own."""
    node, places = node_of(x), node_of(indices)
    place = axis_of(axis, node.ndim)
    if places.ndim != node.ndim:
        raise ValueError(
            f"an array of {node.ndim} dimensions has places of as many, and not of {places.ndim}"
        )
    shape = list(broadcast(_without(node.shape, place), _without(places.shape, place)))
    shape.insert(place, places.shape[place])
    options = {"axis": place}
    return Array(called(_taken_along, (node, places), tuple(shape), node.dtype, options))


def _without(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return (*shape[:axis], *shape[axis + 1 :])


def diff(
    x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None
) -> Array:
    """Return the differences of neighbours along an axis, `n` times over."""
    node = node_of(x)
    place = axis_of(axis, node.ndim)
    if n < 0:
        raise ValueError("differences are taken so many times, and not less than none")
    if not n:
        return Array(node)
    ends = [None if each is None else node_of(each, node.dtype) for each in (prepend, append)]
    nodes = [each for each in (ends[0], node, ends[1]) if each is not None]
    if len(nodes) > 1:
        nodes = [
            each
            if each.ndim
            else broadcasted(each, (*node.shape[:place], 1, *node.shape[place + 1 :]))
            for each in nodes
        ]
        dtype: Any = np.result_type(*[each.dtype for each in nodes])
        node = concatenated(nodes, place, dtype)
    before = [slice(None)] * place
    difference = ELEMENTWISE["not_equal" if node.dtype.kind == "b" else "subtract"]
    for _ in range(n):
        later = indexed(node, (*before, slice(1, None)))
        node = elementwise(difference, later, indexed(node, (*before, slice(None, -1))))
    return Array(node)

"""Folds of sparse arrays along axes, whose fill values count as often as they stand there."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.array.expression_graph import leaf
from diablo.array.lazy_array import Array
from diablo.array.sparse_entries import Entries, taken
from diablo.array.sparse_pattern import coordinates_of, grouped
from diablo.runtime.arrays.patterns.making import of_positions


def folded(entries: Entries, ufunc: Any, axes: Sequence[int], *, keepdims: bool) -> Entries:
    """Return elements combined along axes, those that are the fill value among them.

    Raises
    ------
    ValueError
        If there is nothing to combine, and the fold has no identity.
    """
    shape = entries.shape
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    count = prod([shape[axis] for axis in axes])
    if not count and ufunc.identity is None:
        raise ValueError(f"{ufunc.__name__} of no elements along axes {tuple(axes)}")
    pattern, order, first = grouped(entries.pattern, kept)
    values = Array(taken(entries.values, order)).to_numpy()
    made = ufunc.reduceat(values, first) if len(first) else values[:0]
    like: Any = ufunc.reduce(np.full(1, entries.fill, entries.dtype))
    made = made.astype(np.result_type(like))
    left = count - np.diff(np.concatenate([first, [len(values)]]))
    with np.errstate(all="ignore"):
        made = np.where(left > 0, ufunc(made, _repeated(entries, ufunc, left)), made)
        fill = _repeated(entries, ufunc, np.asarray([count]))[0]
    if keepdims:
        full = tuple([1 if axis in axes else extent for axis, extent in enumerate(shape)])
        pattern = of_positions(pattern.positions(), full)
    return Entries(pattern, leaf(np.asarray(made, np.result_type(like))), fill)


def _repeated(entries: Entries, ufunc: Any, times: NDArray[Any]) -> Any:
    """Return the fold of so many elements that are the fill value."""
    numpy: Any = np
    if ufunc is np.add:
        return numpy.where(times == 0, entries.fill * 0, entries.fill * times)
    if ufunc is np.multiply:
        return numpy.power(entries.fill, times)
    return numpy.broadcast_to(entries.fill, times.shape)


def first_extreme(entries: Entries, ufunc: Any, axis: int) -> NDArray[np.int64]:
    """Return where along an axis the greatest, or least, element first is.

    `ufunc` is `maximum` or `minimum`; NaN counts as either, as for NumPy.
    """
    shape = entries.shape
    kept = [k for k in range(len(shape)) if k != axis]
    rest = tuple([shape[k] for k in kept])
    extremes = folded(entries, ufunc, (axis,), keepdims=False)
    wanted = np.full(prod(rest), extremes.fill, extremes.dtype)
    wanted[extremes.pattern.flat(extremes.pattern.order)] = Array(extremes.values).to_numpy()
    wanted = _in_c_order(extremes, wanted, rest)
    columns = coordinates_of(entries.pattern)
    line = np.ravel_multi_index(tuple(columns[kept]), rest) if kept else np.zeros(len(columns[0]))
    line = np.asarray(line, np.int64)
    along = columns[axis]
    values = Array(entries.values).to_numpy()
    extent = shape[axis]
    result = np.full(prod(rest), extent, np.int64)
    equal = _alike(values, wanted[line])
    np.minimum.at(result, line[equal], along[equal])
    by_fill = np.flatnonzero(_alike(np.full(len(wanted), entries.fill, entries.dtype), wanted))
    gaps = _first_gaps(line, along, prod(rest))
    result[by_fill] = np.minimum(result[by_fill], gaps[by_fill])
    return result.reshape(rest)


def _in_c_order(extremes: Entries, flat: Any, shape: tuple[int, ...]) -> Any:
    order = extremes.pattern.order
    turned = flat.reshape([shape[axis] for axis in order])
    return turned.transpose(np.argsort(order)).reshape(-1)


def _alike(values: Any, wanted: Any) -> Any:
    return (values == wanted) | ((values != values) & (wanted != wanted))


def _first_gaps(line: NDArray[Any], along: NDArray[Any], lines: int) -> NDArray[Any]:
    """Return the first place in each line at which there is no entry."""
    order = np.lexsort((along, line))
    line, along = line[order], along[order]
    first = np.searchsorted(line, np.arange(lines))
    places = np.arange(len(line)) - first[line]
    result = np.bincount(line, minlength=lines)
    apart = np.flatnonzero(places != along)
    np.minimum.at(result, line[apart], places[apart])
    return result

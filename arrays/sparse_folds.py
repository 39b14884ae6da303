"""Folds of sparse arrays along axes, whose fill values count as often as they stand there.

    fold_of(a + b, np.add, (1,))    the sums of rows: one kernel, and no matrix a + b

A fold is computed when somebody looks, by a program over what is stored or, where there is none, of
the elements of its operand, which are computed then.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.array.evaluation import Options
from diablo.array.expression_graph import leaf
from diablo.array.fold_operations import monoid_for
from diablo.array.lazy_array import Array
from diablo.array.sparse_entries import Entries, same, taken, with_shape
from diablo.array.sparse_expressions import entries_of, ready, shallow
from diablo.array.sparse_joints import Content, Deferred, Turned, joint_of
from diablo.array.sparse_pattern import check_size, coordinates_of, grouped
from diablo.array.sparse_programs import fold_by_program
from diablo.monoid_table import MONOIDS
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.making import of_positions

_MONOIDS = {monoid.ufunc: name for name, monoid in MONOIDS.items()}


def fold_of(
    content: Content, ufunc: Any, axes: Sequence[int], *, keepdims: bool = False
) -> Deferred:
    """Return elements combined along axes, those that are the fill value among them.

    Raises
    ------
    ValueError
        If there is nothing to combine, and the fold has no identity.
    """
    shape = content.shape
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    count = prod([shape[axis] for axis in axes])
    if not count and ufunc.identity is None:
        raise ValueError(f"{ufunc.__name__} of no elements along axes {tuple(axes)}")
    made = [1 if axis in axes else e for axis, e in enumerate(shape) if keepdims or axis in kept]
    check_size(tuple(made))
    dtype = ufunc.reduce(np.full(1, content.fill, content.dtype)).dtype
    with np.errstate(all="ignore"):
        fill = _repeated(np.asarray(content.fill, dtype), ufunc, np.asarray([count]))[0]
    source, along = shallow(content), kept
    if isinstance(content, Turned) and content.found is None:
        source, along = content.content, [content.order[axis] for axis in kept]
    fold = _Fold(ufunc, along, count, dtype)

    def computed(options: Options) -> Entries:
        found = fold.by_places(source) or fold.by_program(source, options)
        found = found or fold.of_entries(entries_of(source, options))
        return with_shape(found, made) if keepdims else found

    return Deferred(tuple(made), dtype, fill, computed, [source])


class _Fold:
    """A fold of `count` elements each, over the axes that are not kept."""

    def __init__(self, ufunc: Any, kept: Sequence[int], count: int, dtype: Any):
        self.ufunc = ufunc
        self.kept = kept
        self.count = count
        self.dtype = np.dtype(dtype)

    def by_places(self, content: Content) -> Entries | None:
        """Return sums over lists that are there, with one number for each place in them.

        None if there are none, or many more places than entries.
        """
        if not isinstance(content, Entries) or content.values.value is None:
            return None
        pattern, form = content.pattern, content.pattern.form
        if not isinstance(form, Compressed) or self.ufunc is not np.add or self.dtype.kind != "f":
            return None
        if tuple(self.kept) != pattern.order[form.list_rank :] or form.length > len(pattern):
            return None
        values = Array(content.values).to_numpy()
        indices = form.indices.astype(np.intp, copy=False)
        sums = np.bincount(indices, values, form.length)
        fill = np.asarray(content.fill, self.dtype)[()]
        # Zeros among zeros are no elements.
        is_counted = not self._is_neutral(fill)
        counts = np.bincount(indices, minlength=form.length) if is_counted else sums
        places = np.flatnonzero(counts)
        made, left = sums.take(places).astype(self.dtype), self.count - counts.take(places)
        shape = tuple([pattern.shape[axis] for axis in self.kept])
        return self._entries(of_positions(places, shape), self._with_fill(made, fill, left), fill)

    def by_program(self, content: Content, options: Options) -> Entries | None:
        """Return what a program gives; None if there is none, or none pays."""
        name = _MONOIDS.get(self.ufunc.__name__)
        monoid = None if name is None else monoid_for(name, self.dtype)
        if monoid is None or len(self.kept) == len(content.shape):
            return None
        if not isinstance(content, Entries) and content.found is not None:
            content = content.found
        joint = ready(joint_of(content), options)
        fill = np.asarray(joint.fill, self.dtype)[()]
        is_counted = not self._is_neutral(fill)
        kept, dtype = self.kept, self.dtype
        found = fold_by_program(joint, monoid, dtype, kept, options, is_counted=is_counted)
        if found is None:
            return None
        folds, counts = [array.reshape(-1) for array in found]
        shape = tuple([joint.shape[axis] for axis in kept])
        if is_counted:
            places = np.flatnonzero(counts)
        else:
            places = np.flatnonzero(~same(folds, _repeated(fill, self.ufunc, counts[:1])))
        values = self._with_fill(folds[places], fill, self.count - counts[places])
        return self._entries(of_positions(places, shape), values, fill)

    def of_entries(self, entries: Entries) -> Entries:
        """Return the fold of elements that are there."""
        pattern, order, first = grouped(entries.pattern, self.kept)
        values = Array(taken(entries.values, order)).to_numpy()
        made = self.ufunc.reduceat(values, first) if len(first) else values[:0]
        left = self.count - np.diff(np.concatenate([first, [len(values)]]))
        fill = np.asarray(entries.fill, self.dtype)[()]
        return self._entries(pattern, self._with_fill(made.astype(self.dtype), fill, left), fill)

    def _is_neutral(self, fill: Any) -> bool:
        """Return whether any number of fill values changes nothing."""
        identity = self.ufunc.identity
        return identity is not None and bool(fill == identity)

    def _with_fill(self, made: NDArray[Any], fill: Any, left: NDArray[Any]) -> Any:
        """Return folds with as many more elements that are the fill value."""
        if self._is_neutral(fill):
            # A sum of zeros with a sign and of others that are not stored has none.
            return made + fill if self.ufunc is np.add and made.dtype.kind in "fc" else made
        with np.errstate(all="ignore"):
            return np.where(left > 0, self.ufunc(made, _repeated(fill, self.ufunc, left)), made)

    def _entries(self, pattern: Any, values: Any, fill: Any) -> Entries:
        with np.errstate(all="ignore"):
            whole = _repeated(fill, self.ufunc, np.asarray([self.count]))[0]
            return Entries(pattern, leaf(np.asarray(values, self.dtype)), whole.astype(self.dtype))


def _repeated(fill: Any, ufunc: Any, times: NDArray[Any]) -> Any:
    """Return the fold of so many elements that are the fill value, given in the fold's type."""
    numpy: Any = np
    if ufunc is np.add or ufunc is np.multiply:
        count = times.astype(fill.dtype) if fill.dtype.kind in "iu" else times
        if ufunc is np.multiply:
            return numpy.power(fill, count)
        return numpy.where(times == 0, fill.dtype.type(0), fill * count)
    if ufunc.identity is None:
        return numpy.broadcast_to(fill, times.shape)
    return numpy.where(times == 0, fill.dtype.type(ufunc.identity), fill)


def first_extreme(entries: Entries, ufunc: Any, axis: int) -> NDArray[np.int64]:
    """Return where along an axis the greatest, or least, element first is.

    `ufunc` is `maximum` or `minimum`; NaN counts as either, as for NumPy.
    """
    shape = entries.shape
    kept = [k for k in range(len(shape)) if k != axis]
    rest = tuple([shape[k] for k in kept])
    extremes = entries_of(fold_of(entries, ufunc, (axis,)))
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

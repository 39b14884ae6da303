"""Folds of sparse arrays along axes, whose fill values count as often as they stand there.

    fold_of(a + b, np.add, (1,))    the sums of rows: one kernel, and no matrix a + b

A fold is computed when somebody looks, by a program over what is stored or, where there is none, of
the elements of its operand, which are computed then.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.array.evaluation import Options
from diablo.array.expression_graph import leaf
from diablo.array.fold_operations import monoid_for
from diablo.array.lazy_array import Array
from diablo.array.sparse_entries import Entries, same, taken, with_shape
from diablo.array.sparse_expressions import entries_of, ready, shallow
from diablo.array.sparse_joints import Content, Deferred, Turned, joint_of
from diablo.array.sparse_pattern import check_size, grouped
from diablo.array.sparse_programs import fold_by_program
from diablo.array.sparse_selection import columns_of
from diablo.monoid_table import monoid_of_ufunc
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.making import of_positions
from diablo.runtime.kernels.sparse_products import sums_of_places


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


def variance_of(
    content: Content,
    axes: Sequence[int],
    ddof: float,
    *,
    keepdims: bool = False,
    passes_nan: bool = False,
) -> Deferred:
    """Return the variance along axes of floats or complex numbers, in the type of real ones.

    The mean differs from line to line, and so does what a fill value differs from it by: elements
    that are not stored are counted, and no array has them all.
    """
    shape = content.shape
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    made = [1 if axis in axes else e for axis, e in enumerate(shape) if keepdims or axis in kept]
    check_size(tuple(made))
    wide = np.result_type(content.dtype, np.float64)
    dtype = np.zeros(0, content.dtype).real.dtype
    fill = np.asarray(content.fill, wide)[()]
    each = 0 if passes_nan and bool(fill != fill) else 1
    extent = prod([shape[axis] for axis in axes])

    def varied(values: Any, first: Any, stored: Any, missing: Any) -> Any:
        """Return the variance of lines of values, which begin at `first`, and of fill values."""
        left = missing * each
        with np.errstate(all="ignore"):
            means = (_line_sums(values, first) + _repeated(fill, np.add, left)) / (stored + left)
            apart = np.abs(values - np.repeat(means, stored))
            beside = np.where(left > 0, left * np.abs(fill - means) ** 2, 0)
            squares = _line_sums(apart * apart, first) + beside
            degrees = stored + left - ddof
            # Of too few elements NumPy's function that passes over NaN has none, and not infinity.
            least = np.where(degrees > 0, degrees, np.nan) if passes_nan else np.maximum(degrees, 0)
            return (squares / least).astype(dtype)

    def computed(options: Options) -> Entries:
        entries = entries_of(content, options)
        pattern, order, first = grouped(entries.pattern, kept)
        values = Array(taken(entries.values, order)).to_numpy().astype(wide, copy=False)
        stored = np.diff(np.append(first, len(values)))
        missing = extent - stored
        if passes_nan and len(values) and (is_nan := values != values).any():
            # Lines of nothing but NaN have no values then, and are lines.
            nans = _line_sums(is_nan.astype(np.int64), first)
            values, stored = values[~is_nan], stored - nans
            first = np.cumsum(stored) - stored
        found = Entries(pattern, leaf(varied(values, first, stored, missing)), whole)
        return with_shape(found, made) if keepdims else found

    none = np.zeros(1, np.int64)
    whole = varied(np.zeros(0, wide), none, none, np.asarray([extent]))[0]
    return Deferred(tuple(made), dtype, whole, computed, [content])


def _line_sums(values: NDArray[Any], first: NDArray[np.int64]) -> NDArray[Any]:
    """Return the sums of lines one behind the other, of which some may have no values."""
    if not len(values):
        return np.zeros(len(first), values.dtype)
    stops = np.append(first[1:], len(values))
    is_some = stops > first
    sums = np.zeros(len(first), values.dtype)
    sums[is_some] = np.add.reduceat(values, first[is_some])
    return sums


class _Fold:
    """A fold of `count` elements each, over the axes that are not kept."""

    def __init__(self, ufunc: Any, kept: Sequence[int], count: int, dtype: Any):
        self.ufunc = ufunc
        self.monoid = monoid_of_ufunc(ufunc.__name__)
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
        if not isinstance(form, Compressed) or not self.monoid.is_sum or self.dtype.kind != "f":
            return None
        if tuple(self.kept) != pattern.order[form.list_rank :] or form.length > len(pattern):
            return None
        values = Array(content.values).to_numpy()
        sums = sums_of_places(form.starts, form.indices, values, form.length)
        fill = np.asarray(content.fill, self.dtype)[()]
        # Zeros among zeros are no elements.
        is_counted = not self._is_neutral(fill)
        if is_counted or sums is None:
            indices = form.indices.astype(np.intp, copy=False)
            sums = np.bincount(indices, values, form.length) if sums is None else sums
            counts = np.bincount(indices, minlength=form.length) if is_counted else sums
        else:
            counts = sums
        places = np.flatnonzero(counts)
        made, left = sums.take(places).astype(self.dtype), self.count - counts.take(places)
        shape = tuple([pattern.shape[axis] for axis in self.kept])
        return self._entries(of_positions(places, shape), self._with_fill(made, fill, left), fill)

    def by_program(self, content: Content, options: Options) -> Entries | None:
        """Return what a program gives; None if there is none, or none pays."""
        name = self.monoid.name
        monoid = monoid_for(name, self.dtype) if name else None
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
            return made + fill if self.monoid.is_sum and made.dtype.kind in "fc" else made
        with np.errstate(all="ignore"):
            return np.where(left > 0, self.ufunc(made, _repeated(fill, self.ufunc, left)), made)

    def _entries(self, pattern: Any, values: Any, fill: Any) -> Entries:
        with np.errstate(all="ignore"):
            whole = _repeated(fill, self.ufunc, np.asarray([self.count]))[0]
            return Entries(pattern, leaf(np.asarray(values, self.dtype)), whole.astype(self.dtype))


def _repeated(fill: Any, ufunc: Any, times: NDArray[Any]) -> Any:
    """Return the fold of so many elements that are the fill value, given in the fold's type."""
    numpy: Any = np
    given = monoid_of_ufunc(ufunc.__name__).repeated
    if given in ("multiple", "power"):
        count = times.astype(fill.dtype) if fill.dtype.kind in "iu" else times
        if given == "power":
            return numpy.power(fill, count)
        many = fill * count
        if fill.dtype.kind == "c":  # Infinity times a complex number is NaN.
            many.real, many.imag = fill.real * count, fill.imag * count
        return numpy.where(times == 0, fill.dtype.type(0), many)
    if ufunc.identity is None:
        return numpy.broadcast_to(fill, times.shape)
    return numpy.where(times == 0, fill.dtype.type(ufunc.identity), fill)


def first_extreme(entries: Entries, ufunc: Any, axis: int) -> Entries:
    """Return where along an axis the greatest, or least, element first is.

    `ufunc` is `maximum` or `minimum`; NaN counts as either, as for NumPy. Lines of which nothing is
    stored have it at 0, the fill value of what is returned.
    """
    shape = entries.shape
    kept = [k for k in range(len(shape)) if k != axis]
    lines, order, first = grouped(entries.pattern, kept)
    along: Any = np.asarray(columns_of(entries.pattern)[axis], np.int64)
    along = along if order is None else along.take(order)
    values = Array(taken(entries.values, order)).to_numpy()
    lengths = np.diff(np.append(first, len(values)))
    if not len(first):
        return Entries(lines, leaf(first.astype(np.int64)), 0)
    # In a line the indices ascend: the first that is not its number in the line is behind a gap.
    numbers = np.arange(len(values)) - np.repeat(first, lengths)
    gaps = np.minimum.reduceat(np.where(along == numbers, shape[axis], numbers), first)
    gaps = np.minimum(gaps, lengths)
    stored: Any = ufunc.reduceat(values, first)
    is_open = lengths < shape[axis]
    extremes = cast("Any", np.where(is_open, ufunc(stored, entries.fill), stored))
    equal = _alike(values, np.repeat(extremes, lengths))
    places = np.minimum.reduceat(np.where(equal, along, shape[axis]), first)
    by_fill = is_open & _alike(np.full(len(first), entries.fill, entries.dtype), extremes)
    places = np.where(by_fill, np.minimum(places, gaps), places)
    return Entries(lines, leaf(places), 0)


def _alike(values: Any, wanted: Any) -> Any:
    return (values == wanted) | ((values != values) & (wanted != wanted))

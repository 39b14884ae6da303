"""Sums of products over windows, as convolutions are, by BLAS on the threads of kernels.

    product(x, w, (2, 8, 5, 5, 3, 3, 3), 4, axes, (1, 4, 5, 6))

is the sum of `x[b, c, i+p, j+q] * w[o, c, p, q]` for all `c`, `p` and `q`, with `axes` as
`(({0: 1}, 0), ({4: 1}, 0), ({2: 1, 5: 1}, 0), ({3: 1, 6: 1}, 0))`: what lies in the windows at some
places of the result, one after the other, is a matrix that stays near the processor, and `w` the
matrix that it is multiplied by. The whole of the first would be as many times `x` as a window has
places (im2col: Chellapilla, Puri and Simard, "High performance convolutional neural networks for
document processing", 2006).

Where there is no machine code, NumPy multiplies the windows at some places after the others. What
is not read at some places of a window is left out of its sum (`limits`); only if a weight is no
finite number, which times the zero there is none either, are products added one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from diablo.runtime.arrays import memory
from diablo.runtime.column_types import element_name
from diablo.runtime.kernels.blas_products import (
    AS_IT_IS,
    FLOATS,
    ROW_MAJOR,
    TRANSPOSED,
    WORTH_COMPILING,
    Blas,
    blas_for,
    blas_functions,
)
from diablo.runtime.kernels.planned_calls import Allocate, PlannedCall
from diablo.runtime.kernels.signature import Array
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.machine_code import Entry, machine_code
from diablo.runtime.native.thread_team import cut, share
from diablo.runtime.native.work_seen import pays_from
from diablo.runtime.native.written_loops import written_loop

STRIP = 1 << 18
"""About how many bytes the windows have that are multiplied at a time."""
_LONG_STRIP = 1 << 24
"""The same where NumPy multiplies them, of whose calls there are to be few."""
LEAST_PLACES = 64
"""At how many places of the result they are at least, where a row of it has so many."""

Axis = tuple[Mapping[int, int], int]
"""The index along an axis: what each dimension is multiplied by, and a number."""
Limits = Sequence[tuple[int, int | None, int | None]]
"""Axes with the least index along them that counts, and the first that does not any more."""


def product(
    data: Array,
    weights: Array,
    extents: Sequence[int],
    parallel: int,
    axes: Sequence[Axis],
    dimensions: Sequence[int],
    limits: Limits = (),
) -> Array:
    """Return the sums over all dimensions but the first `parallel` ones.

    Parameters
    ----------
    data : read at `axes`; zero outside, and outside of the `limits` left out
    weights : read at `dimensions`, in which they are at least as large as `extents`; those of the
        result follow each other
    extents : how many places each dimension has
    """
    shape = tuple(map(int, extents))
    weights = weights[tuple(slice(shape[d]) for d in dimensions)]
    if not prod(shape):
        return np.zeros(shape[:parallel], data.dtype)
    bounds = _bounds(data, limits)
    if limits and not np.isfinite(weights).all():
        # What is left out has no product with a zero either.
        return _by_terms(data, weights, shape, parallel, axes, dimensions, bounds)
    data, axes = _within(data, shape, axes, bounds)
    made = _by_blas(data, weights, shape, parallel, axes, dimensions)
    if made is None:
        made = _by_numpy(data, weights, shape, parallel, axes, dimensions)
    return made


def _bounds(data: Array, limits: Limits) -> list[tuple[int, int]]:
    """The indices along each axis that count: from where, and to before where."""
    bounds = [(0, extent) for extent in data.shape]
    for axis, least, end in limits:
        first, last = bounds[axis]
        first = first if least is None else min(max(first, least), last)
        last = last if end is None else max(min(last, end), first)
        bounds[axis] = first, last
    return bounds


def _within(
    data: Array, shape: Sequence[int], axes: Sequence[Axis], bounds: Sequence[tuple[int, int]]
) -> tuple[Array, Sequence[Axis]]:
    """Data with each index that is read, zeros around them if need be, and the axes of these."""
    read = [_range_of(axis, shape) for axis in axes]
    moved = [
        (terms, number - first) for (terms, number), (first, _) in zip(axes, read, strict=True)
    ]
    if all(a <= c and d <= b for (a, b), (c, d) in zip(bounds, read, strict=True)):
        return data[tuple(slice(*part) for part in read)], moved
    extents = [last - first for first, last in read]
    reserve(prod(extents) * data.itemsize, "an array of {} with zeros around", data.shape)
    padded = np.zeros(extents, data.dtype)
    source, target = _read_parts(bounds, read)
    padded[target] = data[source]
    return padded, moved


def _read_parts(
    bounds: Sequence[tuple[int, int]], read: Sequence[tuple[int, int]]
) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Where the indices that count and are read lie among all, and among those that are read."""
    source: list[slice] = []
    target: list[slice] = []
    for (least, end), (first, last) in zip(bounds, read, strict=True):
        begin, stop = max(least, first), min(end, last)
        source.append(slice(begin, max(begin, stop)))
        target.append(slice(begin - first, max(begin, stop) - first))
    return tuple(source), tuple(target)


def _range_of(axis: Axis, shape: Sequence[int]) -> tuple[int, int]:
    """From where to before where an axis is read."""
    terms, number = axis
    ends = [factor * (shape[d] - 1) for d, factor in terms.items()]
    return number + sum(min(0, end) for end in ends), number + sum(max(0, end) for end in ends) + 1


class _Places(NamedTuple):
    """Where the windows at the places of a result lie."""

    rows: Array
    """How many elements from the first one on each row of places begins in the data."""
    outputs: Array
    """And in the result."""
    strips: Array
    """The first row of what is multiplied at a time, how many rows, and places in each."""


def _by_blas(
    data: Array,
    weights: Array,
    shape: Sequence[int],
    parallel: int,
    axes: Sequence[Axis],
    dimensions: Sequence[int],
) -> Array | None:
    """Return the sums, if BLAS computes them; the data have all indices that are read."""
    points = prod(shape)
    blas = blas_for(data, weights, points)
    if blas is None or any(step % data.itemsize for step in data.strides):
        return None
    entry = _entry(data.dtype, points)
    if entry is None:
        return None
    begin, steps = _steps(axes, [step // data.itemsize for step in data.strides], len(shape))
    own, order, summed = _order(shape, parallel, dimensions)
    terms, channels = prod(shape[d] for d in summed), prod(shape[d] for d in own)
    matrix = np.ascontiguousarray(weights.transpose(order)).reshape(channels, terms)
    within = _offsets([(shape[d], steps[d]) for d in summed])
    made = memory.apart(tuple(shape[:parallel]), data.dtype)
    places = _places(made, shape, steps, own, begin, terms)
    calls, _ = _calls(blas, (data, matrix, within, made), places, steps, own, points)
    with blas.alone:
        share(entry, calls, points)
    return made


def _order(
    shape: Sequence[int], parallel: int, dimensions: Sequence[int]
) -> tuple[list[int], list[int], range]:
    """The dimensions of weights that are of the result, the order of axes for a matrix of weights
    whose rows are these, and the dimensions that are summed over."""
    own = sorted(d for d in dimensions if d < parallel)
    summed = range(parallel, len(shape))
    return own, [dimensions.index(d) for d in (*own, *summed)], summed


def _steps(axes: Sequence[Axis], strides: Sequence[int], rank: int) -> tuple[int, list[int]]:
    """How far the first point is from the first element, and how far apart those of dimensions."""
    steps = [0] * rank
    for (terms, _), stride in zip(axes, strides, strict=True):
        for d, factor in terms.items():
            steps[d] += factor * stride
    return sum(number * stride for (_, number), stride in zip(axes, strides, strict=True)), steps


def _offsets(dimensions: Sequence[tuple[int, int]]) -> Array:
    """How far each point of some dimensions, with extents and steps, is from the first one."""
    found = np.zeros(1, np.int64)
    for extent, step in dimensions:
        found = (found[:, None] + np.arange(extent, dtype=np.int64) * step).reshape(-1)
    return found


def _places(
    made: Array,
    shape: Sequence[int],
    steps: Sequence[int],
    own: Sequence[int],
    begin: int,
    terms: int,
) -> _Places:
    """Cut the places of a result into strips."""
    outer = [d for d in range(made.ndim) if d not in own]
    inner = outer.pop()
    itemsize = made.itemsize
    outputs = [step // itemsize for step in made.strides]
    rows = begin + _offsets([(shape[d], steps[d]) for d in outer])
    targets = _offsets([(shape[d], outputs[d]) for d in outer])
    width, most = shape[inner], max(LEAST_PLACES, STRIP // (terms * itemsize))
    if width > most:
        pieces = np.arange(0, width, most, dtype=np.int64)
        rows = (rows[:, None] + pieces * steps[inner]).reshape(-1)
        targets = (targets[:, None] + pieces * outputs[inner]).reshape(-1)
        widths = np.minimum(most, width - pieces)
        strips = np.empty((len(rows), 3), np.int64)
        strips[:, 0], strips[:, 1] = np.arange(len(rows)), 1
        strips[:, 2] = np.tile(widths, len(rows) // len(pieces))
        return _Places(rows, targets, strips)
    # Rows that follow each other in the result are multiplied together: the channels may part them.
    together = prod(shape[d] for d in outer if inner < own[0] or d > own[-1])
    each = max(1, min(together, most // max(width, 1)))
    begins = np.arange(0, together, each, dtype=np.int64)
    firsts = (np.arange(0, len(rows), together)[:, None] + begins).reshape(-1)
    strips = np.empty((len(firsts), 3), np.int64)
    strips[:, 0], strips[:, 2] = firsts, width
    strips[:, 1] = np.minimum(each, together - firsts % together)
    return _Places(rows, targets, strips)


def _calls(
    blas: Blas,
    arrays: tuple[Array, Array, Array, Array],
    places: _Places,
    steps: Sequence[int],
    own: Sequence[int],
    points: int,
) -> tuple[list[list[int]], Array]:
    """The words of pieces in which threads multiply strips, and the memory that they need."""
    data, matrix, within, made = arrays
    channels, terms = matrix.shape
    inner = next(d for d in reversed(range(made.ndim)) if d not in own)
    # Places of the result are its rows where the channels come last, and else its columns.
    last = inner < own[0]
    apart = made.strides[own[-1]] // made.itemsize if not last else channels
    given = [blas.gemm, int(last), channels, terms, address_of(matrix), address_of(data)]
    given += [address_of(within), *map(address_of, places), steps[inner], address_of(made), apart]
    room = terms * int((places.strips[:, 1] * places.strips[:, 2]).max())
    pieces = cut(len(places.strips), points)
    reserve(len(pieces) * room * made.itemsize, "what lies in windows")
    buffers = np.empty((len(pieces), room), made.dtype)
    calls = [
        [*given, address_of(buffer), *piece] for buffer, piece in zip(buffers, pieces, strict=True)
    ]
    return calls, buffers


def planned(
    data: Array,
    weights: Array,
    extents: Sequence[int],
    parallel: int,
    axes: Sequence[Axis],
    dimensions: Sequence[int],
    limits: Limits,
    empty: Allocate,
) -> list[PlannedCall] | None:
    """Plan `product` of weights that are finite numbers, for data and weights that may be others.

    The first call brings the data together, the second the weights, and the third multiplies. Each
    has one word that varies: where the data, the weights or the result lie. None where BLAS does
    not take such arrays, or cannot be called.
    """
    shape = tuple(extents)
    if data.dtype not in FLOATS or data.dtype != weights.dtype or min(shape) <= 0:
        return None
    weights = weights[tuple(slice(shape[d]) for d in dimensions)]
    blas = blas_functions(FLOATS[data.dtype][0])
    multiply = _code(data.dtype)
    copy = written_loop("copy_rows", element_name(data.dtype))
    if blas is None or multiply is None or copy is None:
        return None
    if weights.shape != tuple(shape[d] for d in dimensions):
        return None
    read = [_range_of(axis, shape) for axis in axes]
    source, target = _read_parts(_bounds(data, limits), read)
    padded = np.zeros([last - first for first, last in read], data.dtype)
    if not padded[target].size:
        return None
    moved = [(terms, number - low) for (terms, number), (low, _) in zip(axes, read, strict=True)]
    strides = [step // data.itemsize for step in padded.strides]
    begin, steps = _steps(moved, strides, len(shape))
    own, order, summed = _order(shape, parallel, dimensions)
    matrix = np.empty([shape[dimensions[k]] for k in order], data.dtype)
    terms = prod(shape[d] for d in summed)
    points = prod(shape)
    made = empty(shape[:parallel], data.dtype)
    places = _places(made, shape, steps, own, begin, terms)
    within = _offsets([(shape[d], steps[d]) for d in summed])
    arrays = padded, matrix.reshape(-1, terms), within, made
    calls, buffers = _calls(blas, arrays, places, steps, own, points)
    held = [padded, matrix, within, *places, buffers]
    return [
        _planned_copy(copy, data, data[source], padded[target]),
        _planned_copy(copy, weights, weights.transpose(order), matrix),
        PlannedCall(multiply, calls, points, outputs=[[made]], output_words=[11], held=held),
    ]


def _planned_copy(entry: Entry, whole: Array, part: Array, made: Array) -> PlannedCall:
    """Plan a copy of a part of an array to one of its extents, along whose rows elements follow."""
    size, begin = part.itemsize, address_of(whole)
    *outer, width = part.shape
    sources, targets = (
        _offsets([(n, step // size) for n, step in zip(outer, array.strides, strict=False)])
        for array in (part, made)
    )
    sources += (address_of(part) - begin) // size
    given = [begin, address_of(made), *map(address_of, (sources, targets))]
    given += [width, part.strides[-1] // size]
    calls = [[*given, *piece] for piece in cut(len(sources), part.size)]
    return PlannedCall(entry, calls, part.size, argument_words=[0], held=[sources, targets])


def _by_numpy(
    data: Array,
    weights: Array,
    shape: Sequence[int],
    parallel: int,
    axes: Sequence[Axis],
    dimensions: Sequence[int],
) -> Array:
    """Return the sums as products of matrices of the windows at some places each."""
    own = sorted(d for d in dimensions if d < parallel)
    summed = range(parallel, len(shape))
    # The longest dimension comes first: it is cut.
    kept = sorted([d for d in range(parallel) if d not in own], key=lambda d: -shape[d])
    _, steps = _steps(axes, data.strides, len(shape))
    first = data[tuple(slice(number, None) for _, number in axes)]
    places = [*kept, *summed]
    windows = np.lib.stride_tricks.as_strided(
        first, [shape[d] for d in places], [steps[d] for d in places], writeable=False
    )
    over = [*range(len(kept), len(places))], [dimensions.index(d) for d in summed]
    # The dimensions of the weights come last, in their order there.
    order = [*kept, *[d for d in dimensions if d < parallel]]
    made = np.empty(shape[:parallel], data.dtype)
    target = made.transpose(order)
    bytes = prod(shape[d] for d in places[1:]) * data.itemsize
    each = max(1, _LONG_STRIP // bytes)
    reserve(min(each, len(target)) * bytes, "what lies in windows")
    for begin in range(0, len(target), each):
        part = slice(begin, begin + each)
        target[part] = np.tensordot(windows[part], weights, axes=over)
    return made


def _by_terms(
    data: Array,
    weights: Array,
    shape: Sequence[int],
    parallel: int,
    axes: Sequence[Axis],
    dimensions: Sequence[int],
    bounds: Sequence[tuple[int, int]],
) -> Array:
    """Add one term of each sum after the other, where the data have it."""
    own = [d for d in dimensions if d < parallel]

    def along(d: int, values: Array) -> Array:
        return values.reshape([-1 if e == d else 1 for e in range(parallel)])

    made = np.zeros(shape[:parallel], data.dtype)
    for point in np.ndindex(*shape[parallel:]):
        at = dict(enumerate(point, parallel))
        inside: Any = np.True_
        index: list[Any] = []
        for (terms, number), (least, end) in zip(axes, bounds, strict=True):
            place: Any = np.int64(number)
            for d, factor in terms.items():
                place = place + factor * (at[d] if d in at else along(d, np.arange(shape[d])))
            inside = inside & (place >= least) & (place < end)
            index.append(np.clip(place, 0, max(0, data.shape[len(index)] - 1)))
        if not inside.any():
            continue
        factors = weights[tuple([at.get(d, slice(None)) for d in dimensions])]
        factors = factors.transpose(np.argsort(own))
        factors = factors.reshape([shape[d] if d in own else 1 for d in range(parallel)])
        with np.errstate(all="ignore"):
            term = data[tuple(np.broadcast_arrays(*index))] * factors
        np.add(made, term, out=made, where=np.broadcast_to(inside, made.shape))
    return made


@cache
def _code(dtype: np.dtype[Any]) -> Entry | None:
    text = _TEXT.replace("SIZE", str(dtype.itemsize)).replace("FLOAT", FLOATS[dtype][1])
    return machine_code(f"{__name__} {dtype}", text)


def _entry(dtype: np.dtype[Any], points: int) -> Entry | None:
    """Return machine code that multiplies strips, which threads can run, once it pays."""
    return _code(dtype) if pays_from((__name__, dtype), points, WORTH_COMPILING) else None


_TEXT = f"""
define void @windows(ptr %gemm, i64 %last, i64 %channels, i64 %terms, ptr %weights, ptr %data,
                     ptr %within, ptr %rows, ptr %outputs, ptr %strips, i64 %step, ptr %made,
                     i64 %apart, ptr %buffer, i64 %begin, i64 %end) {{
entry:
  %is_last = icmp ne i64 %last, 0
  %are_neighbours = icmp eq i64 %step, 1
  br label %next_strip
next_strip:
  %strip = phi i64 [ %begin, %entry ], [ %strip_after, %multiplied ]
  %more = icmp slt i64 %strip, %end
  br i1 %more, label %look, label %out
look:
  %place = mul i64 %strip, 3
  %first_at = getelementptr i64, ptr %strips, i64 %place
  %count_at = getelementptr i64, ptr %first_at, i64 1
  %width_at = getelementptr i64, ptr %first_at, i64 2
  %first = load i64, ptr %first_at
  %count = load i64, ptr %count_at
  %width = load i64, ptr %width_at
  %bytes = mul i64 %width, SIZE
  %places = mul i64 %count, %width
  br label %next_term
next_term:
  %term = phi i64 [ 0, %look ], [ %term_after, %term_done ]
  %to_term = phi ptr [ %buffer, %look ], [ %to, %term_done ]
  %more_terms = icmp slt i64 %term, %terms
  br i1 %more_terms, label %term_begin, label %multiply
term_begin:
  %within_at = getelementptr i64, ptr %within, i64 %term
  %offset = load i64, ptr %within_at
  br label %next_row
next_row:
  %row = phi i64 [ 0, %term_begin ], [ %row_after, %row_done ]
  %to = phi ptr [ %to_term, %term_begin ], [ %to_after, %row_done ]
  %more_rows = icmp slt i64 %row, %count
  br i1 %more_rows, label %row_begin, label %term_done
row_begin:
  %number = add i64 %first, %row
  %row_at = getelementptr i64, ptr %rows, i64 %number
  %row_offset = load i64, ptr %row_at
  %from_offset = add i64 %row_offset, %offset
  %from = getelementptr FLOAT, ptr %data, i64 %from_offset
  br i1 %are_neighbours, label %copy, label %gather
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  br label %row_done
gather:
  %j = phi i64 [ 0, %row_begin ], [ %j_after, %gather_step ]
  %more_elements = icmp slt i64 %j, %width
  br i1 %more_elements, label %gather_step, label %row_done
gather_step:
  %far = mul i64 %j, %step
  %element_at = getelementptr FLOAT, ptr %from, i64 %far
  %element = load FLOAT, ptr %element_at
  %target = getelementptr FLOAT, ptr %to, i64 %j
  store FLOAT %element, ptr %target
  %j_after = add i64 %j, 1
  br label %gather
row_done:
  %to_after = getelementptr i8, ptr %to, i64 %bytes
  %row_after = add i64 %row, 1
  br label %next_row
term_done:
  %term_after = add i64 %term, 1
  br label %next_term
multiply:
  %output_at = getelementptr i64, ptr %outputs, i64 %first
  %output_offset = load i64, ptr %output_at
  %output = getelementptr FLOAT, ptr %made, i64 %output_offset
  br i1 %is_last, label %places_by_channels, label %channels_by_places
channels_by_places:
  call void %gemm(i32 {ROW_MAJOR}, i32 {AS_IT_IS}, i32 {AS_IT_IS}, i64 %channels, i64 %places,
                  i64 %terms, FLOAT 1.0, ptr %weights, i64 %terms, ptr %buffer, i64 %places,
                  FLOAT 0.0, ptr %output, i64 %apart)
  br label %multiplied
places_by_channels:
  call void %gemm(i32 {ROW_MAJOR}, i32 {TRANSPOSED}, i32 {TRANSPOSED}, i64 %places, i64 %channels,
                  i64 %terms, FLOAT 1.0, ptr %buffer, i64 %places, ptr %weights, i64 %terms,
                  FLOAT 0.0, ptr %output, i64 %apart)
  br label %multiplied
multiplied:
  %strip_after = add i64 %strip, 1
  br label %next_strip
out:
  ret void
}}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""
"""Copies the windows of a strip, term by term, and has BLAS multiply them."""

"""Sparse matrices of a device in slices of windows, for those that are multiplied again and again.

Rows that read a vector here and there wait for it (`simt.sliced_product`). To put a matrix into
slices takes as long as some fifty products gain by that, so it is done where a run has made many,
and in each run after as many: in which order a product is added up depends on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from diablo.kernel_signature import Slot
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.device.device import Array, OutOfDeviceMemoryError, Raw
from diablo.runtime.device.device_arrays import DeviceArray
from diablo.runtime.device.device_code import DeviceCode, SlicedProduct, launches_of
from diablo.sparse_kernel_signature import SparseSlot

if TYPE_CHECKING:
    from diablo.runtime.device.device_run import DeviceRun

LATER = 32
"""How many products of a matrix come before it is put into slices."""
LEAST_ENTRIES = 1 << 22
"""How many entries a matrix has at least: with fewer, launches take as long as products."""
LEAST_IN_WINDOW = 12
"""How many entries a row has at least in each window, on average: each is begun anew."""
FULLEST = 1.25
"""How many times the average of all windows the fullest has at most, for which others wait."""
LONGEST = 1 << 12
"""How many entries a row has at most in a window, for whose thread others wait."""
EXPONENT = 5
"""That of two of how many rows are side by side: as many as a warp has threads."""
BLOCKS = 264
"""How many blocks there are about: two for each multiprocessor of a large GPU, each of which has
half of the memory that may be shared."""
_MOST_ENTRIES = 1 << 30


@dataclass(frozen=True)
class _Slices:
    """The pattern of a matrix in slices: what says where its rows and entries are."""

    starts: Raw
    rows: Raw
    places: Raw
    positions: Raw
    """Where each entry of the compressed rows is among the values."""
    width: int
    """How many columns a window has."""
    blocks: int
    """How many blocks of threads it has."""
    size: int
    """How many values there are, with the zeros between them."""


@dataclass(frozen=True)
class _Ready:
    """What a product of a matrix is launched with."""

    product: SlicedProduct
    given: tuple[Raw, ...]
    """What kernels are passed before the vector."""
    numbers: tuple[int, ...]
    """What they are passed behind it."""
    rows: int
    columns: int
    dtype: np.dtype[Any]


@dataclass
class SlicedMatrices:
    """Those of one run; None stands for one that is not to be in slices."""

    _products: WeakKeyDictionary[SparseTile, int] = field(
        default_factory=WeakKeyDictionary[SparseTile, int]
    )
    _slices: WeakKeyDictionary[Any, _Slices | None] = field(
        default_factory=WeakKeyDictionary[Any, _Slices | None]
    )
    _ready: WeakKeyDictionary[SparseTile, _Ready] = field(
        default_factory=WeakKeyDictionary[SparseTile, _Ready]
    )

    def forget(self) -> None:
        """Free what they take; what was in slices is not put into them again."""
        for pattern in self._slices:
            self._slices[pattern] = None
        self._ready.clear()

    def counts(self, tile: SparseTile) -> bool:
        """Return whether products of a matrix are to be told of: later ones may be in slices."""
        return tile in self._products and self._slices.get(tile.pattern, ...) is not None

    def multiply(
        self, run: DeviceRun, code: DeviceCode, tile: SparseTile, vector: DeviceArray
    ) -> DeviceArray | None:
        """Return a product of a matrix in slices; None if it is not in slices, or not yet."""
        pattern = tile.pattern
        if code.sliced is None or not LEAST_ENTRIES <= tile.nnz <= _MOST_ENTRIES:
            return None
        count = self._products[tile] = self._products.get(tile, 0) + 1
        if count <= LATER:
            return None
        try:
            ready = self._made_ready(run, code.sliced(), tile)
        except OutOfDeviceMemoryError:
            self._slices[pattern] = ready = None
        if ready is None:
            return None
        self._ready[tile] = ready
        return _launched(run, ready, vector.on_device())

    def multiply_again(
        self, run: DeviceRun, rows: int, tile: SparseTile, vector: DeviceArray
    ) -> DeviceArray | None:
        """Return the first `rows` of a product as `multiply` made it before; None if it has not."""
        ready = self._ready.get(tile)
        if ready is None or rows != ready.rows:
            return None
        if vector.shape != (ready.columns,) or vector.dtype != ready.dtype:
            return None
        if vector.device is not run.device:
            return None
        return _launched(run, ready, vector.on_device())

    def _made_ready(
        self, run: DeviceRun, product: SlicedProduct, tile: SparseTile
    ) -> _Ready | None:
        """Put a matrix into slices; None if that would be no gain."""
        pattern = tile.pattern
        if pattern not in self._slices:
            self._slices[pattern] = _slices(run, product, tile)
        slices = self._slices[pattern]
        if slices is None:
            return None
        spreading = partial(spread, size=slices.size)
        (values,) = run.device.computed(spreading, (run.vector(tile.values), slices.positions))
        given = slices.starts, slices.rows, slices.places, values
        numbers = slices.width, slices.blocks, EXPONENT
        rows, columns = tile.shape
        return _Ready(product, given, numbers, rows, columns, tile.values.dtype)


def again_in_slices(code: DeviceCode) -> Callable[..., Any] | None:
    """Return what makes calls of a product whose matrix is in slices, and no others."""
    if code.sliced is None:
        return None
    slots, (output,) = code.on_arrays.arguments, code.on_arrays.outputs
    (matrix,) = [k for k, slot in enumerate(slots) if isinstance(slot, SparseSlot)]
    (vector,) = [
        k for k, slot in enumerate(slots) if isinstance(slot, Slot) and slot.dimensions is not None
    ]
    assert isinstance(output, Slot)
    (rows,) = output.dimensions or (None,)
    assert rows is not None

    def call(run: DeviceRun, into: Any, *arguments: Any) -> Any:
        tile, factor = arguments[matrix], arguments[vector]
        if not isinstance(tile, SparseTile) or type(factor) is not DeviceArray:
            return NotImplemented
        made = run.sliced.multiply_again(run, rows.of(arguments), tile, factor)
        return NotImplemented if made is None else made

    return call


def _launched(run: DeviceRun, ready: _Ready, vector: Raw) -> DeviceArray:
    """Launch a product."""
    device, code = run.device, ready.product.code
    result = device.empty((ready.rows,), ready.dtype)
    launch = launches_of(code.launches)
    loaded, given = device.loaded(code), ready.given
    launch(loaded, device.scratch, device.look, *given, vector, *ready.numbers, result)
    return DeviceArray.there(device, result)


def _slices(run: DeviceRun, product: SlicedProduct, tile: SparseTile) -> _Slices | None:
    """Return the pattern of a matrix in slices; None if that would be no gain."""
    device, (rows, columns) = run.device, tile.shape
    windows = -(-columns // product.most)
    width = -(-columns // windows)
    if tile.nnz < LEAST_IN_WINDOW * rows * windows:
        return None
    if any(kernel.shared > device.shared_bytes for kernel in product.code.kernels):
        return None
    order = partial(ordered, rows=rows, windows=windows, width=width)
    given = run.vector(tile.indptr), run.vector(tile.indices)
    of_places, lengths, slice_of, within, fullest = device.computed(order, given)
    pairs = (device.copy_out(lengths) + 1) // 2
    if 2 * pairs.max() > LONGEST or device.look(fullest) * windows > FULLEST * tile.nnz:
        return None
    blocks = max(BLOCKS // windows, 1)
    places_of_slices = dealt(pairs, blocks * (product.threads >> EXPONENT))
    starts, begins, sources = laid_out(pairs, places_of_slices)
    total = int(starts[-1, -1])
    (of_rows,) = device.computed(taken, (of_places, device.copy_in(sources)))
    (positions,) = device.computed(positioned, (device.copy_in(begins), slice_of, within))
    place = partial(placed, pairs=total, width=width, most=product.most)
    (places,) = device.computed(place, (run.vector(tile.indices), positions))
    size = (2 * total) << EXPONENT
    return _Slices(device.copy_in(starts), of_rows, places, positions, width, blocks, size)


def dealt(pairs: Array, groups: int) -> Array:
    """Deal slices out to groups of threads, which take every so many, so that each has as much.

    A group takes a slice in each round, and the longest that are left go to those that have least
    so far (Graham, "Bounds on multiprocessing timing anomalies", 1969).

    Parameters
    ----------
    pairs : how long slices are, the longest first, in a row for each window

    Returns
    -------
    The number of each in the order in which groups take them.
    """
    windows, count = pairs.shape
    loads = np.zeros((windows, groups), np.int64)
    places: Array = np.empty_like(pairs)
    for first in range(0, count, groups):
        lengths = pairs[:, first : first + groups]
        least = np.argsort(loads, axis=1, kind="stable")[:, : lengths.shape[1]]
        places[:, first : first + groups] = first + least
        loads[np.arange(windows)[:, None], least] += lengths
    return places


def laid_out(pairs: Array, places: Array) -> tuple[Array, Array, Array]:
    """Return where slices begin in the order of their places, where each of them begins, and of
    which row in the order of lengths each thread is; one behind them where there is no slice."""
    windows: int = pairs.shape[0]
    count: int = pairs.shape[1]
    held = int(places.max()) + 1
    lengths = np.zeros((windows, held), np.int64)
    np.put_along_axis(lengths, places, pairs, axis=1)
    ends = np.cumsum(lengths).reshape(windows, held)
    starts = np.concatenate([ends[:, :1] - lengths[:, :1], ends], axis=1)
    begins = np.take_along_axis(starts, places, axis=1)
    numbers = np.full((windows, held), count, np.int64)
    np.put_along_axis(numbers, places, np.arange(count).reshape(1, -1), axis=1)
    numbers = numbers + np.arange(windows).reshape(-1, 1) * (count + 1)
    side = 1 << EXPONENT
    sources = np.repeat(numbers * side, side, axis=1) + np.tile(np.arange(side), held)
    return starts.astype(np.int32), begins, sources


# What follows is done with arrays of the library of a device.

_library: Any = np
"""NumPy, whose functions are the library's for its arrays."""


def ordered(starts: Any, indices: Any, rows: int, windows: int, width: int) -> list[Any]:
    """Return the rows of windows by length, a slice behind them that has none, how long slices are,
    in which slice each entry is, how far from its beginning, and how full a window is at most."""
    side = 1 << EXPONENT
    slices = -(-rows // side)
    number = _library.cumsum(_library.ones_like(indices)) - 1
    row = _library.searchsorted(starts, number, side="right") - 1
    in_window = indices // width
    segment = row * windows + in_window
    counts = _library.bincount(segment, minlength=rows * windows)
    nth = number - _library.take(_library.cumsum(counts) - counts, segment)
    counts = counts.reshape(rows, windows).T
    counts = _library.pad(counts, ((0, 0), (0, slices * side - rows)), constant_values=-1)
    order = _library.argsort(-counts, axis=1, kind="stable")
    longest = _library.take_along_axis(counts, order[:, ::side], axis=1)
    rank = _library.argsort(order, axis=1, kind="stable").reshape(-1)
    place = _library.take(rank, in_window * (slices * side) + row)
    of_places = _library.where(order < rows, order, -1)
    return [
        _library.pad(of_places, ((0, 0), (0, side)), constant_values=-1).astype(np.int32),
        longest,
        in_window * slices + place // side,
        nth * side + place % side,
        _library.max(_library.sum(_library.maximum(counts, 0), axis=1)),
    ]


def taken(array: Any, places: Any) -> list[Any]:
    """Return elements of an array, which are counted row by row."""
    return [_library.take(array.reshape(-1), places)]


def positioned(begins: Any, slice_of: Any, within: Any) -> list[Any]:
    """Return where entries are among the values, given where their slices begin."""
    first = _library.take(begins.reshape(-1), slice_of)
    return [(first * (2 << EXPONENT) + within).astype(np.int32)]


def placed(indices: Any, positions: Any, pairs: int, width: int, most: int) -> list[Any]:
    """Return the places of entries in their windows, those of a pair in one word."""
    side = 1 << EXPONENT
    halves = _library.full_like(indices, most, shape=(2 * pairs * side,))
    _library.put(halves, positions, indices % width)
    halves = halves.reshape(pairs, 2, side)
    return [(halves[:, 0, :] | (halves[:, 1, :] << 16)).reshape(-1)]


def spread(values: Any, positions: Any, size: int) -> list[Any]:
    """Return the values of a matrix where its slices have them."""
    result = _library.zeros_like(values, shape=(size,))
    _library.put(result, positions, values)
    return [result]

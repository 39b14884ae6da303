"""Sparse matrices of a device in slices of windows, for those that are multiplied again and again.

Rows that read a vector here and there wait for it (`simt.sliced_product`). To put a matrix into
slices takes as long as some fifty products gain by that, so it is done where a run has made many,
and in each run after as many: in which order a product is added up depends on nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.device.device import OutOfDeviceMemoryError, Raw
from diablo.runtime.device.device_arrays import DeviceArray
from diablo.runtime.device.device_code import DeviceCode, SlicedProduct, launches_of

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
    size: int
    """How many values there are, with the zeros between them."""


@dataclass
class SlicedMatrices:
    """Those of one run; None stands for one that is not to be in slices."""

    _products: WeakKeyDictionary[Any, int] = field(default_factory=WeakKeyDictionary[Any, int])
    _slices: WeakKeyDictionary[Any, _Slices | None] = field(
        default_factory=WeakKeyDictionary[Any, _Slices | None]
    )
    _values: WeakKeyDictionary[SparseTile, Raw] = field(
        default_factory=WeakKeyDictionary[SparseTile, Raw]
    )

    def forget(self) -> None:
        """Free what they take; none is put into slices again."""
        for pattern in self._slices:
            self._slices[pattern] = None
        self._values.clear()

    def counts(self, tile: SparseTile) -> bool:
        """Return whether products of a matrix are to be told of: later ones may be in slices."""
        pattern = tile.pattern
        return pattern in self._products and self._slices.get(pattern, ...) is not None

    def multiply(
        self, run: DeviceRun, code: DeviceCode, tile: SparseTile, vector: DeviceArray
    ) -> DeviceArray | None:
        """Return a product of a matrix in slices; None if it is not in slices, or not yet."""
        pattern, device = tile.pattern, run.device
        if code.sliced is None or not LEAST_ENTRIES <= tile.nnz <= _MOST_ENTRIES:
            return None
        count = self._products[pattern] = self._products.get(pattern, 0) + 1
        if count <= LATER:
            return None
        product = code.sliced()
        try:
            if pattern not in self._slices:
                self._slices[pattern] = _slices(run, product, tile)
            slices = self._slices[pattern]
            if slices is None:
                return None
            values = self._values.get(tile)
            if values is None:
                given = run.vector(tile.values), slices.positions
                (values,) = device.computed(lambda *raws: [spread(*raws, slices.size)], given)
                self._values[tile] = values
            result = device.empty([tile.shape[0]], tile.values.dtype)
        except OutOfDeviceMemoryError:
            self.forget()
            self._slices[pattern] = None
            return None
        buffers = slices.starts, slices.rows, slices.places, values, vector.on_device()
        launches = launches_of(product.code.launches)
        loaded = device.loaded(product.code)
        launches(loaded, device.scratch, device.look, *buffers, slices.width, EXPONENT, result)
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
    given = run.vector(tile.indptr), run.vector(tile.indices)
    starts, order, positions, facts = device.computed(
        lambda *raws: ordered(*raws, rows, windows, width), given
    )
    pairs, longest, fullest = device.copy_out(facts).tolist()
    if longest > LONGEST or fullest * windows > FULLEST * tile.nnz:
        return None
    size = (2 * pairs) << EXPONENT
    given = run.vector(tile.indices), positions
    (places,) = device.computed(lambda *raws: [placed(*raws, pairs, width, product.most)], given)
    return _Slices(starts, order, places, positions, width, size)


# What follows is done with arrays of the library of a device, by NumPy's functions.


def ordered(starts: Any, indices: Any, rows: int, windows: int, width: int) -> list[Any]:
    """Return the beginnings of slices, the rows in their order, where each entry is, and how many
    pairs a thread has, how long a row is and how full a window at most."""
    side = 1 << EXPONENT
    slices = -(-rows // side)
    number = np.cumsum(np.ones_like(indices)) - 1
    row = np.searchsorted(starts, number, side="right") - 1
    in_window = indices // width
    segment = row * windows + in_window
    counts = np.bincount(segment, minlength=rows * windows)
    nth = number - np.take(np.cumsum(counts) - counts, segment)
    lengths = np.pad(
        counts.reshape(rows, windows).T, ((0, 0), (0, slices * side - rows)), constant_values=-1
    )
    order = np.argsort(-lengths, axis=1, kind="stable")
    lengths = np.maximum(np.take_along_axis(lengths, order, axis=1), 0)
    pairs = (lengths.reshape(windows, slices, side)[:, :, 0] + 1) // 2
    ends = np.cumsum(pairs.reshape(-1)).reshape(windows, slices)
    begins = ends - pairs
    rank = np.argsort(order, axis=1, kind="stable").reshape(-1)
    place = np.take(rank, in_window * (slices * side) + row)
    first = np.take(begins.reshape(-1), in_window * slices + place // side)
    positions = (2 * first + nth) * side + place % side
    facts = [ends[-1, -1], np.max(lengths), np.max(np.sum(lengths, axis=1))]
    return [
        np.concatenate([begins, ends[:, -1:]], axis=1).astype(np.int32),
        np.where(order < rows, order, -1).astype(np.int32),
        positions.astype(np.int32),
        np.stack(facts),
    ]


def placed(indices: Any, positions: Any, pairs: int, width: int, most: int) -> Any:
    """Return the places of entries in their windows, those of a pair in one word."""
    side = 1 << EXPONENT
    halves = np.full_like(indices, most, shape=(2 * pairs * side,))
    np.put(halves, positions, indices % width)
    halves = halves.reshape(pairs, 2, side)
    return (halves[:, 0, :] | (halves[:, 1, :] << 16)).reshape(-1)


def spread(values: Any, positions: Any, size: int) -> Any:
    """Return the values of a matrix where its slices have them."""
    result = np.zeros_like(values, shape=(size,))
    np.put(result, positions, values)
    return result

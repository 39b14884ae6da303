"""Calls of kernels that do not fit into the memory of a device as a whole, done a part at a time.

    call_in_pieces(run, code, call, (1000, x, y))      kernel_0 of 500 rows of x and y, then of 500

Of what this process has, a part is copied when it is its turn, and let go behind it. Results are on
the device if that has room for them beside a part, else in this process; numbers are folded there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from diablo.kernel_signature import Cut, Slot
from diablo.runtime.arrays.memory import apart
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.device.device import OutOfDeviceMemoryError
from diablo.runtime.device.device_arrays import DeviceArray, DeviceNumber
from diablo.runtime.device.device_code import DeviceCode
from diablo.runtime.device.device_run import DeviceRun
from diablo.runtime.kernels.signature import dtype_of
from diablo.runtime.kernels.sparse_signature import stored_layout
from diablo.runtime.monoid_ufuncs import combine_values

MOST_PIECES = 1 << 12
"""Smaller pieces would take longer to launch than the processor needs for them."""
_MORE = 4
"""How many times as many pieces there are where they do not fit."""

Call = Callable[[Any, Sequence[Any]], Any]
"""Makes a call, given an array whose memory its result may take, and arguments."""


def call_in_pieces(
    run: DeviceRun, code: DeviceCode, call: Call, values: Sequence[Any]
) -> tuple[Any, int] | None:
    """Return what a call gives and in how many pieces it was done; None if it cannot be cut.

    Raises
    ------
    OutOfDeviceMemoryError
        If the smallest pieces do not fit.
    """
    cut = code.cut
    if cut is None or not all(_can_be_cut(values[k]) for k in cut.arguments):
        return None
    rows = values[cut.extent]
    most = min(rows, MOST_PIECES)
    failed = ""
    for place in _places(code, cut):
        count = min(2, most)
        while count > 1:
            pieces = _Pieces(cut, values, -(-rows // count))
            try:
                return _done(run, code, call, pieces, place), len(pieces)
            except OutOfDeviceMemoryError as error:
                failed = str(error)  # The error itself holds what the call did.
            run.let_copies_go()
            count = 0 if count == most else min(_MORE * count, most)
    if failed:
        raise OutOfDeviceMemoryError(failed)
    return None


class _Pieces:
    """The pieces of a call: from which to before which row, and the arguments.

    Nobody holds them, so that what is copied for one of them is let go behind it.
    """

    def __init__(self, cut: Cut, values: Sequence[Any], length: int):
        self.values = values
        self.rows = values[cut.extent]
        self.monoids = cut.monoids
        self._cut = cut
        self._length = length

    def __len__(self) -> int:
        return -(-self.rows // self._length)

    def __iter__(self) -> Iterator[tuple[int, int, Sequence[Any]]]:
        cut = self._cut
        for begin in range(0, self.rows, self._length):
            end = min(begin + self._length, self.rows)
            given = list(self.values)
            given[cut.extent] = end - begin
            for k in cut.arguments:
                given[k] = _rows(self.values[k], begin, end)
            if cut.origin is not None:
                given[cut.origin] = self.values[cut.origin] + begin
            yield begin, end, given


def _can_be_cut(value: Any) -> bool:
    """Return whether rows of an argument are an argument for the same code."""
    if isinstance(value, SparseTile):
        by_rows = value.ndim == 2 and value.dense_rank == 1 and stored_layout(value) is None
        return by_rows and value.dtype != np.bool_
    return isinstance(value, DeviceArray)


def _rows(value: Any, begin: int, end: int) -> Any:
    """Some rows of an array: of a sparse one over the same entries."""
    if not isinstance(value, SparseTile):
        return value.rows(begin, end)
    from scipy import sparse

    starts = value.indptr[begin : end + 1]
    entries = slice(int(starts[0]), int(starts[-1]))
    parts = (value.values[entries], value.indices[entries], starts - starts[0])
    matrix: Any = sparse.csr_array(parts, shape=(end - begin, value.shape[1]))
    return SparseTile.from_csr(matrix, matrix.shape, 1)


def _slots(code: DeviceCode) -> list[Slot]:
    """Return what a call gives, one after the other."""
    slots: list[Slot] = []
    for slot in code.on_arrays.outputs:
        assert isinstance(slot, Slot)
        if not slot.temporary:
            slots.append(slot)
    return slots


def _places(code: DeviceCode, cut: Cut) -> list[bool]:
    """Return where arrays may be put together: whether that is the device."""
    arrays = [s for s, monoid in zip(_slots(code), cut.monoids, strict=True) if not monoid]
    if not arrays:
        return [False]
    # Of tuples the device has an array for each part.
    return [False] if any(slot.is_tuple for slot in arrays) else [True, False]


def _done(run: DeviceRun, code: DeviceCode, call: Call, pieces: _Pieces, on_device: bool) -> Any:
    """Make the calls; rows are written where they belong, and numbers combined."""
    slots = _slots(code)
    results = [
        _Folded(monoid) if monoid else _Rows(run, slot, pieces.values, on_device)
        for slot, monoid in zip(slots, pieces.monoids, strict=True)
    ]
    for begin, end, given in pieces:
        place = results[0].place(begin, end) if len(results) == 1 else None
        made = call(place, given)
        for result, part in zip(results, made if len(results) > 1 else (made,), strict=True):
            result.add(begin, end, part)
        del made, place
    found = [result.whole() for result in results]
    return found[0] if len(found) == 1 else tuple(found)


class _Rows:
    """An array of which each piece makes some rows, on the device or in this process."""

    def __init__(self, run: DeviceRun, slot: Slot, values: Sequence[Any], on_device: bool):
        shape = tuple([d.of(values) for d in slot.dimensions or () if d is not None])
        self._device = run.device
        self._on_device = on_device
        self._array: Any = (run.device.empty if on_device else apart)(shape, dtype_of(slot))
        self._place: Any = None
        """The memory that the last call may have written to."""

    def place(self, begin: int, end: int) -> DeviceArray | None:
        """The memory of some rows, which a call may write to."""
        if not self._on_device:
            return None
        self._place = self._array[begin:end]
        return DeviceArray.there(self._device, self._place)

    def add(self, begin: int, end: int, rows: Any) -> None:
        """Keep rows that a piece has made, unless they are where they belong."""
        if not self._on_device:
            self._array[begin:end] = rows.on_host()
            return
        raw = rows.on_device()
        if raw is not self._place:
            self._device.write(self._array, (slice(begin, end),), raw)

    def whole(self) -> DeviceArray:
        """The array."""
        made = DeviceArray.there if self._on_device else DeviceArray.here
        return made(self._device, self._array)


class _Folded:
    """A number, folded of those of the pieces."""

    def __init__(self, monoid: str):
        self._monoid = monoid
        self._number: Any = None

    def place(self, begin: int, end: int) -> None:
        """Numbers have no memory that a call writes to."""

    def add(self, begin: int, end: int, part: Any) -> None:
        """Combine what is known with what a piece has folded."""
        part = part.on_host() if isinstance(part, DeviceNumber) else part
        self._number = combine_values(self._monoid, self._number, part) if begin else part

    def whole(self) -> Any:
        """The number."""
        return self._number

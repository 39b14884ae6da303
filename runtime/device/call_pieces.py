"""Calls of kernels that do not fit into the memory of a device as a whole, done a part at a time.

    call_in_pieces(run, code, call, (1000, x, y))      kernel_0 of 500 rows of x and y, then of 500

Of what this process has, a part is copied when it is its turn, and let go behind it. The result is
on the device if that has room for it beside a part, else in this process.
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
    """Return the result of a call and in how many pieces it was done; None if it cannot be cut.

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
    # Of tuples the device has an array for each part.
    places = [_on_host] if _result_of(code, values)[1].names else [_on_device, _on_host]
    for place in [_folded] if cut.monoid else places:
        count = min(2, most)
        while count > 1:
            pieces = _Pieces(cut, values, -(-rows // count))
            try:
                return place(run, code, call, pieces), len(pieces)
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


def _result_of(code: DeviceCode, values: Sequence[Any]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    (slot,) = [s for s in code.on_arrays.outputs if not (isinstance(s, Slot) and s.temporary)]
    assert isinstance(slot, Slot)
    return tuple([d.of(values) for d in slot.dimensions or () if d is not None]), dtype_of(slot)


def _on_device(run: DeviceRun, code: DeviceCode, call: Call, pieces: _Pieces) -> Any:
    """The result, whose rows are written where they belong."""
    device = run.device
    whole = device.empty(*_result_of(code, pieces.values))
    for begin, end, given in pieces:
        place = whole[begin:end]
        made = call(DeviceArray.there(device, place), given).on_device()
        if made is not place:
            device.write(whole, (slice(begin, end),), made)
    return DeviceArray.there(device, whole)


def _on_host(run: DeviceRun, code: DeviceCode, call: Call, pieces: _Pieces) -> Any:
    """The result, whose rows are copied here one piece after the other."""
    whole = apart(*_result_of(code, pieces.values))
    for begin, end, given in pieces:
        whole[begin:end] = call(None, given).on_host()
    return DeviceArray.here(run.device, whole)


def _folded(run: DeviceRun, code: DeviceCode, call: Call, pieces: _Pieces) -> Any:
    """A number, folded of those of the pieces."""
    assert code.cut is not None
    folded: Any = None
    for begin, _, given in pieces:
        part = _number(call(None, given))
        folded = combine_values(code.cut.monoid, folded, part) if begin else part
    return folded


def _number(value: Any) -> Any:
    return value.on_host() if isinstance(value, DeviceNumber) else value

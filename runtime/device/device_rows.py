"""Calls of kernels over rows on a device: columns go there, and what is made of them stays there.

    groups = rows_on_device(run, code, (batch, n))     (keys, sums), each a DeviceArray

A column of this process is copied once while it lives, one that a kernel has made when somebody
looks at it, if at all: the next kernel finds it where it is. How many rows there are is waited for,
since columns are as long as that. Strings, and what is known by its row, are this process's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from diablo.kernel_signature import Slot
from diablo.row_kernel_signature import (
    BagSlot,
    Output,
    RowSignature,
    dictionary_of,
    place_of,
)
from diablo.runtime.column_types import scalar
from diablo.runtime.device.cost_model import Work
from diablo.runtime.device.device import Array, Raw
from diablo.runtime.device.device_arrays import DeviceArray
from diablo.runtime.device.device_code import DeviceCode
from diablo.runtime.device.device_run import DeviceRun
from diablo.runtime.kernels.signature import parts_of
from diablo.runtime.rows.batches import Batch, length
from diablo.runtime.rows.compiled_rows import accept_rows, size_of
from diablo.runtime.rows.encoded_columns import Encoded, decode, encode
from diablo.scalar_table import BY_ELEMENT

Launches = Callable[..., Any]
_SMALLER = 2
"""How often a column fits into the memory that was taken for it where it gets memory of its own."""


def accepted_rows(code: DeviceCode, arguments: Sequence[Any]) -> Encoded | None:
    """The arguments as the code takes them, strings as numbers; None if it does not."""
    signature = code.on_rows
    values = accept_rows(signature, arguments, (DeviceArray,))
    return None if values is None else encode(signature, values)


def work_of_rows(run: DeviceRun, code: DeviceCode, encoded: Encoded) -> tuple[Work, list[int]]:
    """Return what a call does, and how large each column is that would have to be copied for it."""
    signature = code.on_rows
    passed = _passed(signature, encoded)
    here = [cast("Array", value) for value in passed if isinstance(value, np.ndarray)]
    made = [value for value in passed if isinstance(value, DeviceArray)]
    missing = [column.nbytes for column in here if not run.has_vector(column)]
    missing += [column.nbytes for column in made if not column.is_on_device]
    points = size_of(signature, signature.source, encoded.arguments) * signature.weight
    for dimension in signature.inner:
        points *= max(1, size_of(signature, dimension, encoded.arguments))
    # Some of it goes through memory several times.
    return Work(3 * sum(column.nbytes for column in (*here, *made)), points), missing


def rows_on_device(run: DeviceRun, code: DeviceCode, encoded: Encoded, launches: Launches) -> Any:
    """Run a kernel over rows; return what it makes, columns where they are."""
    signature = code.on_rows
    device = run.device

    given = [_there(run, value) for value in _passed(signature, encoded)]
    made = launches(device.loaded(code), device.scratch, device.look, *given)
    left: list[Any] = list(cast("tuple[Any, ...]", made)) if isinstance(made, tuple) else [made]
    results = [_result(run, encoded, o, left) for o in signature.outputs if not o.unused]
    return results[0] if len(results) == 1 else tuple(results)


def _there(run: DeviceRun, value: Any) -> Any:
    """Return what a launch is given for a value: a column as the device has it."""
    if isinstance(value, DeviceArray):
        return value.on_device()
    return run.vector(cast("Array", value)) if isinstance(value, np.ndarray) else value


def _passed(signature: RowSignature, encoded: Encoded) -> list[Any]:
    """Return what launches are given: how many rows a bag has, and columns that are read."""
    words: list[Any] = []
    for slot, value in zip(signature.arguments, encoded.arguments, strict=True):
        if isinstance(slot, BagSlot):
            batch = cast(Batch, value)
            words.append(length(batch))
            pairs = zip(slot.columns, batch, strict=True)
            words += [column for element, column in pairs if element]
        else:
            words += _plain(slot, value)
    return words


def _plain(slot: Slot, value: Any) -> list[Any]:
    if slot.dimensions is None:
        return parts_of(slot, value)
    return [value if isinstance(value, DeviceArray) else np.ascontiguousarray(value)]


def _result(run: DeviceRun, encoded: Encoded, output: Output, left: list[Any]) -> Any:
    """Take what an output has made from what is left of the results."""
    if output.kind in ("reduce", "scan"):
        parts = [run.device.copy_out(left.pop(0))[()] for _ in output.values]
        codes = [BY_ELEMENT[element].code for element in output.values]
        return parts[0] if len(parts) == 1 else scalar(tuple(parts), ("tuple", *codes))
    raws = [left.pop(0) for _ in output.columns]
    count = left.pop(0)
    columns = [
        _column(run, raw, count, element) for raw, element in zip(raws, output.columns, strict=True)
    ]
    return (
        columns[0] if output.kind == "vector" else decode(encoded, output.columns, tuple(columns))
    )


def _column(run: DeviceRun, raw: Raw, count: int, element: str) -> Any:
    """A column of so many rows as there are: on the device, unless it stands for something else."""
    room = raw.shape[0]
    kept = raw if room == count else raw[:count]
    if dictionary_of(element) is not None or place_of(element) is not None:
        return run.device.copy_out(kept)
    run.has_columns = True
    # What is left of the room would be held with it.
    is_small = _SMALLER * count < room
    return DeviceArray.there(run.device, run.device.copied(kept) if is_small else kept)

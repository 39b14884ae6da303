"""Calls of kernels over rows on a device: columns go there, and what is made of them comes back.

    groups = rows_on_device(run, code, (batch, n))     (keys, sums), columns of this process

Columns are copied once while they live, also those that come back: the next kernel finds them
where they are. How many rows there are is waited for, since columns are as long as that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from diablo.kernel_signature import Slot
from diablo.row_kernel_signature import BagSlot, Output, RowSignature
from diablo.runtime.column_types import scalar
from diablo.runtime.device.cost_model import Work
from diablo.runtime.device.device import Array
from diablo.runtime.device.device_code import DeviceCode
from diablo.runtime.device.device_run import DeviceRun
from diablo.runtime.rows.batches import Batch, length
from diablo.runtime.rows.compiled_rows import accept_rows, size_of
from diablo.runtime.rows.encoded_columns import Encoded, decode, encode
from diablo.scalar_table import BY_ELEMENT

Launches = Callable[..., Any]


def accepted_rows(code: DeviceCode, arguments: Sequence[Any]) -> Encoded | None:
    """The arguments as the code takes them, strings as numbers; None if it does not."""
    signature = code.on_rows
    values = accept_rows(signature, arguments)
    return None if values is None else encode(signature, values)


def work_of_rows(run: DeviceRun, code: DeviceCode, encoded: Encoded) -> tuple[Work, list[int]]:
    """Return what a call does, and how large each column is that would have to be copied for it."""
    signature = code.on_rows
    passed = _passed(signature, encoded)
    columns = [cast("Array", value) for value in passed if isinstance(value, np.ndarray)]
    missing = [column.nbytes for column in columns if not run.has_vector(column)]
    points = size_of(signature, signature.source, encoded.arguments) * signature.weight
    for dimension in signature.inner:
        points *= max(1, size_of(signature, dimension, encoded.arguments))
    # Some of it goes through memory several times.
    return Work(3 * sum(column.nbytes for column in columns), points), missing


def rows_on_device(run: DeviceRun, code: DeviceCode, encoded: Encoded, launches: Launches) -> Any:
    """Run a kernel over rows; return what it makes as this process has it."""
    signature = code.on_rows
    device = run.device

    given = [
        run.vector(cast("Array", value)) if isinstance(value, np.ndarray) else value
        for value in _passed(signature, encoded)
    ]
    made = launches(device.loaded(code), device.scratch, device.look, *given)
    left: list[Any] = list(cast("tuple[Any, ...]", made)) if isinstance(made, tuple) else [made]
    results = [_result(run, encoded, output, left) for output in signature.outputs]
    return results[0] if len(results) == 1 else tuple(results)


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
            words.append(_plain(slot, value))
    return words


def _plain(slot: Slot, value: Any) -> Any:
    return value if slot.dimensions is None else np.ascontiguousarray(value)


def _result(run: DeviceRun, encoded: Encoded, output: Output, left: list[Any]) -> Any:
    """Take what an output has made from what is left of the results."""
    if output.kind == "reduce":
        parts = [run.device.copy_out(left.pop(0))[()] for _ in output.values]
        codes = [BY_ELEMENT[element].code for element in output.values]
        return parts[0] if len(parts) == 1 else scalar(tuple(parts), ("tuple", *codes))
    raws = [left.pop(0) for _ in output.columns]
    count = left.pop(0)
    columns: list[Array] = []
    for raw in raws:
        kept = raw if raw.shape[0] == count else raw[:count]
        column = run.device.copy_out(kept)
        run.remember(column, kept)
        columns.append(column)
    return decode(encoded, output, tuple(columns))

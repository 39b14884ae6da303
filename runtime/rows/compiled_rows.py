"""Kernels over rows that run as machine code, with their NumPy function beside them.

    kernel_1 = compiled_rows(kernel_1, IR, "(i64,f64) -> groups(i64;f64:add) over 0 weight 1")

As `compiled.CompiledKernel`, but a bag is a batch of columns, and how many rows come of a call is
not known before. The machine code is handed columns with room for some; where they are full it says
which row is next, and is called again with larger ones. Threads go through a part of the rows each,
and what they make is put together: rows one part after the other, groups with the same key combined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np

from diablo.kernel_signature import Signature, Slot
from diablo.row_kernel_signature import BagSlot, Output, RowSignature
from diablo.runtime.arrays import memory
from diablo.runtime.kernels import compiled
from diablo.runtime.kernels.kernel_code import KernelCode
from diablo.runtime.kernels.signature import ELEMENTS, Array, accept
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import reduce_all
from diablo.runtime.native.machine_code import Entry, machine_code
from diablo.runtime.native.thread_team import cut, share
from diablo.runtime.rows.batches import Batch, concat
from diablo.runtime.rows.grouping import group_reduce

COST = 4
"""What a row costs NumPy, in simple points: it is selected, moved and put in order."""
FIRST_GROUPS = 1 << 12
"""For how many keys there is room at first."""
GROWTH = 4
"""How many times as many there is room for then."""
MOST_ROWS = 1 << 31
"""A place of a row has so many values."""
_SPARE = 1.25


@dataclass
class CompiledRowKernel:
    """A callable with the arguments of `numpy_function`; picklable."""

    numpy_function: Callable[..., Any]
    code: KernelCode
    _entry: Entry | None = field(default=None, init=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return CompiledRowKernel, (self.numpy_function, self.code)

    @cached_property
    def signature(self) -> RowSignature:
        """What it takes and gives."""
        assert isinstance(self.code.signature, RowSignature)
        return self.code.signature

    @cached_property
    def _others(self) -> Signature:
        """The arguments that are no bags, to be accepted as any kernel's."""
        slots = tuple(slot for slot in self.signature.arguments if isinstance(slot, Slot))
        return Signature(slots, (), ())

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        signature = self.signature
        values = self._accept(arguments)
        if values is None:
            return self.numpy_function(*arguments)
        source = signature.source
        count = source.of(values)
        rows = len(count[0]) if isinstance(count, tuple) else max(0, int(count))
        if self._entry is None:
            points = COST * rows * signature.weight
            if compiled.worth_compiling(self.code.identity, points):
                self._entry = machine_code(self.code.identity, lambda: self.code.llvm_ir)
        if self._entry is None or rows >= MOST_ROWS:
            return self.numpy_function(*arguments)
        return _run(signature, self._entry, values, rows)

    def _accept(self, arguments: Sequence[Any]) -> list[Any] | None:
        """The arguments as machine code takes them, or None if it does not."""
        slots = self.signature.arguments
        if len(arguments) != len(slots):
            return None
        pairs = list(zip(slots, arguments, strict=True))
        others = accept(self._others, [value for slot, value in pairs if isinstance(slot, Slot)])
        if others is None:
            return None
        values: list[Any] = []
        for slot, value in pairs:
            if isinstance(slot, Slot):
                values.append(others.pop(0))
            elif (batch := _columns(slot, value)) is not None:
                values.append(batch)
            else:
                return None
        return values


def compiled_rows(
    numpy_function: Callable[..., Any], code: KernelCode | str, signature: str = ""
) -> CompiledRowKernel:
    """Wrap a kernel over rows so that it runs as machine code where that pays.

    Parameters
    ----------
    numpy_function : the kernel in NumPy, called where machine code cannot be
    code : what the compiler says of it, or the text of an LLVM module with one function
    signature : beside a text, what the function takes and gives, see `diablo.row_kernel_signature`
    """
    code = KernelCode.from_text(code, signature) if isinstance(code, str) else code
    return CompiledRowKernel(numpy_function, code)


def _columns(slot: BagSlot, batch: Any) -> Batch | None:
    """The columns that are read, side by side in memory, and the others as they are."""
    if not isinstance(batch, tuple) or len(cast(Batch, batch)) != len(slot.columns):
        return None
    columns: list[Any] = []
    for element, column in zip(slot.columns, cast(Batch, batch), strict=True):
        if not element:
            columns.append(column)
            continue
        if not isinstance(column, np.ndarray) or column.dtype != ELEMENTS[element].dtype:
            return None
        columns.append(np.ascontiguousarray(cast(Array, column)))
    return tuple(columns)


def _run(signature: RowSignature, entry: Entry, values: Sequence[Any], rows: int) -> Any:
    """Call the machine code until it has gone through all rows, and put together what it made."""
    words: list[Any] = []
    for slot, value in zip(signature.arguments, values, strict=True):
        if isinstance(slot, BagSlot):
            words.append(len(value[0]))
            read = zip(slot.columns, value, strict=True)
            words += [word for element, c in read if element for word in compiled.pass_tensor(c)]
        elif slot.dimensions is None:
            words.append(value)
        else:
            words += compiled.pass_tensor(value)
    points = rows * signature.weight
    shared = [
        _new_columns(output, rows) if output.kind == "placed" else None
        for output in signature.outputs
    ]
    pieces = [
        _Piece(signature.outputs, shared, begin, end)
        for begin, end in (cut(rows, points) if signature.shared else [(0, rows)])
    ]
    left = pieces
    while left:
        share(entry, [[*words, *piece.words()] for piece in left], points)
        left = [piece for piece in left if piece.goes_on()]
    results = [
        _result(output, [piece.made[number] for piece in pieces], pieces, number)
        for number, output in enumerate(signature.outputs)
    ]
    return results[0] if len(results) == 1 else tuple(results)


def _new_columns(output: Output, count: int) -> list[Array]:
    """Columns with room for so many rows."""
    dtypes = [ELEMENTS[element].dtype for element in output.columns]
    reserve(count * sum(dtype.itemsize for dtype in dtypes), "{} rows", count)
    return [memory.empty([count], dtype) for dtype in dtypes]


class _Piece:
    """A part of the rows, and the buffers for what is made of them."""

    def __init__(
        self,
        outputs: Sequence[Output],
        shared: Sequence[list[Array] | None],
        begin: int,
        end: int,
    ):
        self._outputs = outputs
        self._first, self._begin, self._end = begin, begin, end
        self._fresh = True
        self.state = np.zeros(1 + len(outputs), np.int64)
        self.made = [
            own if own is not None else self._buffers(output)
            for output, own in zip(outputs, shared, strict=True)
        ]
        self._slots: dict[int, Array] = {}

    def _buffers(self, output: Output) -> list[Array]:
        if output.kind == "reduce":
            # A cache line each.
            return [np.empty(8, ELEMENTS[element].dtype)[:1] for element in output.values]
        rows = self._end - self._begin
        return _new_columns(
            output, max(1, rows if output.kind == "rows" else min(rows, FIRST_GROUPS))
        )

    def words(self) -> list[Any]:
        """The arguments of a call behind those of the program."""
        words: list[Any] = []
        for number, (output, columns) in enumerate(zip(self._outputs, self.made, strict=True)):
            if output.kind == "reduce":
                words += [compiled.pass_tensor(part)[0] for part in columns]
                continue
            words += [word for column in columns for word in compiled.pass_tensor(column)]
            if output.kind == "groups":
                words += compiled.pass_tensor(self._empty_slots(number, len(columns[0])))
        words += compiled.pass_tensor(self.state)
        return [*words, self._fresh, self._begin, self._end]

    def _empty_slots(self, number: int, capacity: int) -> Array:
        """At least twice as many slots as there is room for keys, a power of two."""
        size = 1 << (2 * capacity - 1).bit_length()
        slots = self._slots.get(number)
        if slots is None or len(slots) != size:
            reserve(4 * size, "a table of {} keys", capacity)
            slots = self._slots[number] = memory.empty([size], np.dtype(np.int32))
        slots.fill(-1)
        return slots

    def goes_on(self) -> bool:
        """Whether rows are left behind a call; there is more room for what they make then."""
        done = int(self.state[0])
        if done >= self._end:
            self._slots.clear()
            return False
        self._begin, self._fresh = done, False
        full = [number for number in range(len(self.made)) if self._is_full(number)]
        for number in full or range(len(self.made)):
            self._enlarge(number)
        return True

    def _is_full(self, number: int) -> bool:
        capacity, count = len(self.made[number][0]), int(self.state[1 + number])
        return (
            self._outputs[number].kind in ("rows", "groups") and 8 * (capacity - count) < capacity
        )

    def _enlarge(self, number: int) -> None:
        output, columns = self._outputs[number], self.made[number]
        if output.kind not in ("rows", "groups"):
            return
        count, done = int(self.state[1 + number]), self._begin - self._first
        # If the rest is like what has been seen, that will do.
        expected = _SPARE * count * (self._end - self._first) / max(1, done)
        capacity = max(GROWTH * len(columns[0]), int(min(expected, MOST_ROWS - 1)))
        larger = _new_columns(output, capacity)
        for new, old in zip(larger, columns, strict=True):
            new[:count] = old[:count]
        self.made[number] = larger


def _result(
    output: Output, parts: Sequence[list[Array]], pieces: Sequence[_Piece], number: int
) -> Any:
    """What the parts of an output are together."""
    if output.kind == "placed":
        return tuple(parts[0])
    if output.kind == "reduce":
        if len(parts) == 1:
            return parts[0][0][0]
        (monoid,) = output.monoids
        return reduce_all(monoid, np.concatenate([part for (part,) in parts]))
    counts = [int(piece.state[1 + number]) for piece in pieces]
    batches = [_trimmed(part, count) for part, count in zip(parts, counts, strict=True)]
    if len(batches) == 1:
        return batches[0]
    together = concat(batches, [ELEMENTS[element].dtype.str for element in output.columns])
    if output.kind == "rows":
        return together
    return group_reduce(together, len(output.keys), output.monoids)


def _trimmed(columns: Sequence[Array], count: int) -> Batch:
    """The first rows of columns, which are let go if they are far longer."""
    wasteful = 2 * count < len(columns[0])
    return tuple([column[:count].copy() if wasteful else column[:count] for column in columns])

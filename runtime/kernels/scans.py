"""Scans: every element of an array combined with those before it along one axis.

    scan(np.array([1, 2, 3]), "add", 0)                 ->  [1, 3, 6]
    scan(np.array([1, 2, 3]), "add", 0, reverse=True)   ->  [6, 5, 3]

NumPy's `accumulate` waits for each element before it goes on to the next, whatever the axis.
Machine code goes through the rows of a wide array side by side, and shares lines among threads. A
single line is cut in pieces: what the pieces before add up to is found first, and each is scanned
from there. So a sum of floats depends on how many threads there are, and on nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import isqrt, prod
from typing import Any

import numpy as np

from diablo.runtime.arrays import memory
from diablo.runtime.column_types import element_name
from diablo.runtime.kernels.planned_calls import Allocate, PlannedCall
from diablo.runtime.kernels.signature import Array
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import Monoid, UserMonoid, combine_values, identity, ufunc
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import cut, share
from diablo.runtime.native.work_seen import worth_compiling
from diablo.runtime.native.written_loops import is_written, written_loop

_Call = tuple[int, ...]
_Piece = tuple[int, int]

_NARROWEST = 16
"""Columns that a thread takes at least, so that it reads whole cache lines."""


def scan(
    array: Array, monoid: Monoid, axis: int, *, reverse: bool = False, carry: Array | None = None
) -> Array:
    """Fold every beginning of the lines along an axis.

    Parameters
    ----------
    array : of any shape
    monoid : on its elements
    axis : along which it is scanned
    reverse : whether every end is folded, in place of every beginning
    carry : what each line begins with, an array without the axis; the neutral element otherwise

    Returns
    -------
    An array like `array`.
    """
    result = _in_machine_code(array, monoid, axis, reverse, carry)
    return _in_numpy(array, monoid, axis, reverse, carry) if result is None else result


def _in_numpy(array: Array, monoid: Monoid, axis: int, reverse: bool, carry: Array | None) -> Array:
    reserve(array.nbytes, "a scan of {} elements", array.size)
    values = np.flip(array, axis) if reverse else array
    with np.errstate(all="ignore"):
        if isinstance(monoid, UserMonoid):
            result = np.moveaxis(_rounds(np.moveaxis(values, axis, 0), monoid), 0, axis)
        else:
            result = ufunc(monoid).accumulate(values, axis=axis, dtype=array.dtype)
    if carry is not None:
        before = np.broadcast_to(np.expand_dims(carry, axis), array.shape)
        result = combine_values(monoid, before, result)
    return np.ascontiguousarray(np.flip(result, axis) if reverse else result)


def _rounds(values: Array, monoid: UserMonoid) -> Array:
    """Scan the first axis: pieces of it side by side, then what each piece begins with."""
    length = len(values)
    result = values.copy()
    pieces = 1 if values[:1].size >= length else max(1, isqrt(length))
    each = length // pieces
    if pieces > 1:
        body = result[: pieces * each].reshape(pieces, each, *values.shape[1:])
        for k in range(1, each):
            body[:, k] = monoid(body[:, k - 1], body[:, k])
        for piece in range(1, pieces):
            before = np.broadcast_to(body[piece - 1, -1], body[piece].shape)
            body[piece] = monoid(before, body[piece])
    for k in range(pieces * each if pieces > 1 else 1, length):
        result[k] = monoid(result[k - 1], result[k])
    return result


def _in_machine_code(
    array: Array, monoid: Monoid, axis: int, reverse: bool, carry: Array | None
) -> Array | None:
    """The same by a loop of the runtime's, if there is one and it is worth compiling."""
    if isinstance(monoid, UserMonoid) or not array.size or not array.flags.c_contiguous:
        return None
    name = f"{monoid}.{element_name(array.dtype)}"
    if not is_written("scan", name) or not worth_compiling(f"{__name__} {name}", array.size):
        return None
    entry, fold = written_loop("scan", name), written_loop("fold", name)
    if entry is None or fold is None:
        return None
    lines, width = prod(array.shape[:axis]), prod(array.shape[axis + 1 :])
    if carry is None:
        carry = np.full(lines * width, identity(monoid, array.dtype), array.dtype)
    carry = np.ascontiguousarray(carry, array.dtype).reshape(-1)
    result = memory.empty(array.shape, array.dtype)
    work = _Scan(array, result, monoid, array.shape[axis], width, reverse)
    if width > 1 or lines >= len(cut(lines * work.count, array.size)):
        calls = work.whole(lines, carry)
    else:
        calls = work.in_pieces(lines, carry, fold)
    share(entry, calls, array.size)
    return result


def planned_scan(
    array: Array, monoid: str, axis: int, reverse: bool, empty: Allocate
) -> PlannedCall | None:
    """Plan a scan of an array whose elements lie in order without gaps, a line on one thread each.

    The result is in memory that `empty` gives. None where there is no loop for it.
    """
    name = f"{monoid}.{element_name(array.dtype)}"
    entry = written_loop("scan", name) if is_written("scan", name) else None
    if entry is None or not array.flags.c_contiguous:
        return None
    result = empty(array.shape, array.dtype)
    lines, width = prod(array.shape[:axis]), prod(array.shape[axis + 1 :])
    carry = np.full(lines * width, identity(monoid, array.dtype), array.dtype)
    work = _Scan(array, result, monoid, array.shape[axis], width, reverse)
    calls = [list(call) for call in work.whole(lines, carry)]
    return PlannedCall(
        *(entry, calls, array.size),
        outputs=[[result]],
        argument_words=[0],
        output_words=[1],
        held=[carry],
    )


class _Scan:
    """One scan as calls of machine code; an array is lines of `count` rows of `width` elements."""

    def __init__(
        self, array: Array, result: Array, monoid: Monoid, count: int, width: int, reverse: bool
    ):
        self.array = array
        self.monoid = monoid
        self.count = count
        self.width = width
        self.reverse = reverse
        self.addresses = (address_of(array), address_of(result))
        self.held: list[Array] = []
        """What has to live until the calls are over."""

    def whole(self, lines: int, carry: Array) -> list[_Call]:
        """Threads take whole lines, or some columns of all."""
        wide = self.width >= 2 * _NARROWEST
        return self.by_columns(lines, carry) if wide else self.by_lines(lines, carry)

    def by_columns(self, lines: int, carry: Array) -> list[_Call]:
        """Threads take some columns of all lines each."""
        self.held.append(carry)
        parts = cut(self.width // _NARROWEST, self.array.size)
        edges = [begin * _NARROWEST for begin, _ in parts] + [self.width]
        return [
            self._call((0, self.count), address_of(carry), (0, lines), columns)
            for columns in pairwise(edges)
        ]

    def by_lines(self, lines: int, carry: Array) -> list[_Call]:
        """Threads take some lines each, of which they scan one column after the other."""
        self.held.append(carry)
        return [
            self._call((0, self.count), address_of(carry), part, (column, column + 1))
            for part in cut(lines, self.array.size)
            for column in range(self.width)
        ]

    def in_pieces(self, lines: int, carry: Array, fold: Entry) -> list[_Call]:
        """Threads take a piece each of every line, whose rows have one element."""
        pieces = cut(self.count, self.array.size)
        calls: list[_Call] = []
        for line in range(lines):
            folded = self._folded(fold, pieces, line)
            before = list(accumulate(folded, self._combine, initial=carry[line]))
            self.held.append(begins := np.array(before, self.array.dtype))
            for number, piece in enumerate(pieces):
                # Where the carry of line 0 would be, if this piece's were that of its line.
                place = address_of(begins) + (number - line) * begins.itemsize
                calls.append(self._call(piece, place, (line, line + 1), (0, 1)))
        return calls

    def _combine(self, left: Any, right: Any) -> Any:
        return combine_values(self.monoid, left, right)

    def _call(self, rows: _Piece, carry: int, lines: _Piece, columns: _Piece) -> _Call:
        begin, end = rows
        first = self.count - 1 - begin if self.reverse else begin
        step = -self.width if self.reverse else self.width
        place = (self.count * self.width, first * self.width, step, end - begin, self.width)
        return (*self.addresses, carry, *place, *lines, *columns)

    def _folded(self, fold: Entry, pieces: Sequence[_Piece], line: int) -> Array:
        """Return what each piece of a line folds to, but for the last one."""
        parts = np.empty((len(pieces) - 1, 8), self.array.dtype)  # A cache line each.
        calls: list[_Call] = []
        for number, (begin, end) in enumerate(pieces[:-1]):
            if self.reverse:
                begin, end = self.count - end, self.count - begin
            place, offset = address_of(parts) + number * parts.strides[0], line * self.count
            calls.append((self.addresses[0], place, offset + begin, offset + end))
        if calls:
            share(fold, calls, self.array.size)
        return parts[:, 0]

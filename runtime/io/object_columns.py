"""The numbers, strings and lists that a list of Python's holds, or rows in it, as columns.

    columns_of_objects([(1, 2.5, "a"), (2, 3.0, "b"), …], kind of (Int, Double, String))
        ->   array([1, 2, …]), array([2.5, 3.0, …]), Strings(["a", "b", …])
    columns_of_objects([(1, [0.5, 2.5]), …], kind of (Int, list[Double]))
        ->   array([1, …]), Lists([[0.5, 2.5], …])

A function of machine code is written for the kind: it goes through the list, and reads each value
where its object has it, if that is of the type that is wanted, as a scalar alone is taken:
`True` is no integer, and `3.0` neither. What is held otherwise (integers beyond 64 bits, numbers of
NumPy, named tuples, half of a surrogate pair, rows that are shorter) is left to who looks at the
values one by one, and says which of them is wrong.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.diagnostics import InputError
from diablo.runtime.arrays import memory
from diablo.runtime.arrays.elements import convert
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.object_calls import (
    DATA,
    IS_ASCII,
    IS_WITHIN,
    ITEMS,
    LENGTH,
    TEXT,
    TEXT_STATE,
    BuiltinFunction,
    are_possible,
    builtin_function,
)
from diablo.runtime.native.object_text import ObjectText
from diablo.runtime.native.work_seen import pays_from
from diablo.runtime.rows import string_spans
from diablo.runtime.rows.columns import AnyColumn
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.string_column import Ascii, Strings
from diablo.runtime.rows.string_spans import PADDING, Spans
from diablo.runtime.value_kinds import Kind, ListKind, ScalarKind, TupleKind

Array = NDArray[Any]

WORTH_READING = 1 << 15
"""From how many values of a kind on, over all lists in a process, a function is written for it."""
_READ = {"integer": "i64", "unsigned": "i64", "floating": "f64", "boolean": "i1", "text": "text"}
"""As what the values of each domain are read."""
_DTYPES = {"i64": np.dtype(np.int64), "f64": np.dtype(np.float64), "i1": np.dtype(np.bool_)}
_WORD = 8
_COPY = "@llvm.memcpy.p0.p0.i64"
_DECLARED = f"declare void {_COPY}(ptr, ptr, i64, i1)"
Leaf = ScalarKind | ListKind


@dataclass(frozen=True)
class Members:
    """That a value is a list, and how what it holds is read."""

    inner: Layout


Layout = str | Members | tuple[Any, ...]
"""How a value is read; of a tuple, how its parts are."""


def columns_of_objects(given: Sequence[Any], kind: Kind) -> list[AnyColumn] | None:
    """The columns of a list of numbers and strings, or of rows of them; None of anything else.

    Parameters
    ----------
    given : the list
    kind : of each of them
    """
    leaves = _leaves(kind)
    if type(given) is not list or not given or leaves is None:
        return None
    values = cast("list[Any]", given)
    layout, rows = _layout(kind), len(values)
    reads = _flat(layout)
    if "text" in reads and not string_spans.available(rows):
        return None
    if not pays_from((__name__, layout), rows * len(reads), WORTH_READING):
        return None
    reader = _reader(layout)
    if reader is None:
        return None
    reserve(2 * _WORD * rows * len(reads), "{} rows", rows)
    vectors = [[memory.apart((rows,), dtype) for dtype in _dtypes(read)] for read in reads]
    places = np.array([address_of(v) for found in vectors for v in found], np.int64)
    made = reader(values, rows, address_of(places))
    if made is NotImplemented:
        return None
    try:
        return _columns(leaves, vectors, iter(made))
    except InputError:  # A number does not fit. Whoever looks at each says which.
        return None


def _columns(
    leaves: Sequence[Leaf], vectors: Sequence[Sequence[Array]], made: Iterator[Array]
) -> list[AnyColumn]:
    """The columns of what was read; an `InputError` if a number does not fit into its type."""
    columns: list[AnyColumn] = []
    for leaf, (first, *lengths) in zip(leaves, vectors, strict=True):
        if isinstance(leaf, ListKind):
            inner = _leaves(leaf.row)
            members = [convert(next(made), own.element, "") for own in _scalars(inner or [])]
            columns.append(Lists.of_lengths(members, lengths[0]))
        elif lengths:
            data = next(made)
            columns.append(Strings(Spans(data, first, lengths[0]), is_ascii=Ascii(data)))
        else:
            columns.append(convert(first, leaf.element, ""))
    return columns


def _leaves(kind: Kind) -> list[Leaf] | None:
    """The scalars and lists of a kind; None if it holds anything else than what is read here."""
    match kind:
        case ScalarKind():
            return [kind] if kind.type.domain in _READ else None
        case ListKind():
            inner = _leaves(kind.row)
            return [kind] if inner is not None and len(_scalars(inner)) == len(inner) else None
        case TupleKind():
            found = [_leaves(item) for item in kind.items]
            leaves = [leaf for part in found if part is not None for leaf in part]
            return None if None in found or not leaves else leaves
        case _:
            return None


def _scalars(leaves: Sequence[Leaf]) -> list[ScalarKind]:
    """The numbers among some leaves: what lists within rows may hold."""
    return [k for k in leaves if isinstance(k, ScalarKind) and k.type.domain != "text"]


def _layout(kind: Kind) -> Layout:
    """How the values of a kind are read: `("i64", ("f64", "text"))`."""
    if isinstance(kind, TupleKind):
        return tuple(map(_layout, kind.items))
    if isinstance(kind, ListKind):
        return Members(_layout(kind.row))
    assert isinstance(kind, ScalarKind)
    return _READ[kind.type.domain]


def _flat(layout: Layout) -> list[str | Members]:
    """How the leaves of a layout are read."""
    if isinstance(layout, tuple):
        return [read for part in cast("tuple[Layout, ...]", layout) for read in _flat(part)]
    return [layout]


def _dtypes(read: str | Members) -> list[np.dtype[Any]]:
    """The types of the vectors of a leaf: of a string and a list where it is, and how long."""
    return [_DTYPES["i64"]] * 2 if read not in _DTYPES else [_DTYPES[cast(str, read)]]


@cache
def _reader(layout: Layout) -> BuiltinFunction | None:
    """The function for a layout: takes a list, its length, and the address of those of the vectors.

    The length is that for which there is room: other threads may have changed the list. It returns
    a tuple of the bytes of the columns of strings, and of vectors of what the lists hold, or
    `NotImplemented`.
    """
    return builtin_function(_Text(layout).write(), [], []) if are_possible() else None


class _Text(ObjectText):
    """Writes the text for a layout."""

    def __init__(self, layout: Layout):
        super().__init__()
        self._layout = layout
        self._vectors: list[str] = []
        """The addresses of the vectors, for each leaf one or two."""
        self._totals: list[str] = []
        """Where it is counted how many bytes, or members, a column of strings or lists has."""

    def write(self) -> str:
        """Return the module."""
        self.require(self.new("icmp eq i64 %count, 3"))
        given = self.load("ptr", "%arguments", 0)
        self.require(self.same(self.type_of(given), self.known("list")))
        rows, places = (self.integer(self.load("ptr", "%arguments", 8 * k)) for k in (1, 2))
        self.require(self.new(f"icmp eq i64 {self.load('i64', given, LENGTH)}, {rows}"))
        places = self.new(f"inttoptr i64 {places} to ptr")
        items = self.load("ptr", given, ITEMS)
        whole: list[tuple[str | Members, str, str, str]] = []
        for read in _flat(self._layout):
            own = [
                self.load("ptr", places, _WORD * (len(self._vectors) + number))
                for number in range(len(_dtypes(read)))
            ]
            self._vectors += own
            if len(own) > 1:
                self._totals.append(self.on_stack("i64"))
                self.store("i64", "0", self._totals[-1])
                whole.append((read, own[0], own[1], self._totals[-1]))
        with self._loop(rows) as row:
            value = self._item(items, row)
            self._read(self._layout, value, row, iter(self._vectors), iter(self._totals))
        made: list[str] = []
        for read, places, lengths, total in whole:
            if isinstance(read, Members):
                made += self._members(read.inner, places, lengths, total, rows)
            else:
                made.append(self._bytes(places, lengths, total, rows))
        return self.returns(self.new_tuple(*made), _DECLARED)

    @contextmanager
    def _loop(self, times: str) -> Generator[str]:
        """A loop; what is written meanwhile is its body, which gets the number of the step."""
        head, body, end = self.labels("head", "body", "end")
        counter = self.on_stack("i64")
        self.store("i64", "0", counter)
        self.label(head)
        step = self.load("i64", counter, 0)
        more = self.new(f"icmp slt i64 {step}, {times}")
        self.add(f"br i1 {more}, label %{body}, label %{end}", f"{body}:")
        yield step
        self.store("i64", self.new(f"add i64 {step}, 1"), counter)
        self.add(f"br label %{head}", f"{end}:")

    def _offset(self, row: str) -> str:
        return self.new(f"shl i64 {row}, 3")

    def _read(
        self,
        layout: Layout,
        value: str,
        row: str,
        vectors: Iterator[str],
        totals: Iterator[str],
    ) -> None:
        """Read a value, and write it to its place in the vectors that come next."""
        match layout:
            case tuple():
                items = self._items(value, len(layout))
                for number, part in enumerate(layout):
                    self._read(part, self.load("ptr", items, _WORD * number), row, vectors, totals)
            case "text":
                self._note(*self._text(value), row, vectors, totals)
            case Members():
                items, length = self._sequence(value)
                self._note(items, length, row, vectors, totals)
                with self._loop(length) as member:  # All are as wanted when they are read.
                    self._check(layout.inner, self._item(items, member))
            case _:
                self._put(self._number(layout, value), next(vectors), row)

    def _note(
        self, place: str, length: str, row: str, vectors: Iterator[str], totals: Iterator[str]
    ) -> None:
        """Note where a string or a list is, and how long; and how long all are so far."""
        offset = self._offset(row)
        self.store("ptr", place, next(vectors), offset)
        self.store("i64", length, next(vectors), offset)
        total = next(totals)
        self.store("i64", self.new(f"add i64 {self.load('i64', total, 0)}, {length}"), total)

    def _check(self, layout: Layout, value: str) -> list[tuple[str, str]]:
        """Read the numbers of a value, and return their types and values."""
        if not isinstance(layout, tuple):
            return [self._number(layout, value)]
        items = self._items(value, len(layout))
        parts = [self.load("ptr", items, _WORD * number) for number in range(len(layout))]
        checked = map(self._check, layout, parts)
        return [number for part in checked for number in part]

    def _number(self, read: Layout, value: str) -> tuple[str, str]:
        """Read a number, and return its type and value."""
        match read:
            case "i64":
                return "i64", self.integer(value)
            case "f64":
                return "double", self.number(value, or_integer=True)
            case _:
                return "i8", self.truth(value)

    def _put(self, number: tuple[str, str], vector: str, place: str) -> None:
        """Write a number to a place of a vector."""
        type, value = number
        self.store(type, value, vector, place if type == "i8" else self._offset(place))

    def _members(
        self, layout: Layout, places: str, lengths: str, total: str, rows: str
    ) -> list[str]:
        """Make the vectors of what the lists of a column hold, one list behind the other."""
        size = self.load("i64", total, 0)
        reads = [cast(str, read) for read in _flat(layout)]
        made = [self.new_array(_DTYPES[read].num, size) for read in reads]
        data = [self.load("ptr", array, DATA) for array in made]
        end = self.on_stack("i64")
        self.store("i64", "0", end)
        with self._loop(rows) as row:
            offset = self._offset(row)
            items, length = self.load("ptr", places, offset), self.load("i64", lengths, offset)
            with self._loop(length) as member:
                at = self.load("i64", end, 0)
                numbers = self._check(layout, self._item(items, member))
                for number, vector in zip(numbers, data, strict=True):
                    self._put(number, vector, at)
                self.store("i64", self.new(f"add i64 {at}, 1"), end)
        return made

    def _item(self, items: str, number: str) -> str:
        return self.load("ptr", self.at(items, self._offset(number)), 0)

    def _items(self, value: str, width: int) -> str:
        """The items of a tuple or a list, which has so many."""
        items, length = self._sequence(value)
        self.require(self.new(f"icmp eq i64 {length}, {width}"))
        return items

    def _sequence(self, value: str) -> tuple[str, str]:
        """Where the items of a tuple or a list are, and how many."""
        kind = self.type_of(value)
        is_tuple, is_list = (self.same(kind, self.known(name)) for name in ("tuple", "list"))
        self.require(self.new(f"or i1 {is_tuple}, {is_list}"))
        length = self.load("i64", value, LENGTH)
        within, (listed, here, end) = self.at(value, ITEMS), self.labels("listed", "here", "end")
        self.label(here)  # An empty tuple has nothing there.
        self.add(f"br i1 {is_list}, label %{listed}, label %{end}", f"{listed}:")
        elsewhere = self.load("ptr", value, ITEMS)
        self.label(end)
        items = self.new(f"phi ptr [ {within}, %{here} ], [ {elsewhere}, %{listed} ]")
        return items, length

    def _text(self, value: str) -> tuple[str, str]:
        """Where the bytes of a string are: in its object if it is ASCII, or kept with it."""
        self.require(self.same(self.type_of(value), self.known("str")))
        is_own = IS_ASCII | IS_WITHIN
        state = self.new(f"and i32 {self.load('i32', value, TEXT_STATE)}, {is_own}")
        ascii, other, encoded, end = self.labels("ascii", "other", "encoded", "end")
        is_ascii = self.new(f"icmp eq i32 {state}, {is_own}")
        size = self.on_stack("i64")
        self.add(f"br i1 {is_ascii}, label %{ascii}, label %{other}", f"{ascii}:")
        own, length = self.at(value, TEXT), self.load("i64", value, LENGTH)
        self.add(f"br label %{end}", f"{other}:")
        found = self.new(f"call ptr {self.known('as_utf8')}(ptr {value}, ptr {size})")
        failed, none = self.same(found, "null"), self.labels("none")[0]
        self.add(f"br i1 {failed}, label %{none}, label %{encoded}", f"{none}:")
        self.add(f"call void {self.known('forget_error')}()", "br label %refuse", f"{encoded}:")
        bytes = self.load("i64", size, 0)
        self.label(end)
        place = self.new(f"phi ptr [ {own}, %{ascii} ], [ {found}, %{encoded} ]")
        count = self.new(f"phi i64 [ {length}, %{ascii} ], [ {bytes}, %{encoded} ]")
        return place, count

    def _bytes(self, starts: str, lengths: str, total: str, rows: str) -> str:
        """Make the array of the bytes of a column, one string behind the other."""
        size = self.load("i64", total, 0)
        room = self.new(f"add i64 {size}, {PADDING}")
        array = self.new_array(np.dtype(np.uint8).num, room)
        data = self.load("ptr", array, DATA)
        end = self.on_stack("i64")
        self.store("i64", "0", end)
        with self._loop(rows) as row:
            offset = self._offset(row)
            source, length = self.load("ptr", starts, offset), self.load("i64", lengths, offset)
            begin = self.load("i64", end, 0)
            target = self.at(data, begin)
            self.add(f"call void {_COPY}(ptr {target}, ptr {source}, i64 {length}, i1 false)")
            self.store("i64", begin, starts, offset)
            self.store("i64", self.new(f"add i64 {begin}, {length}"), end)
        padding = self.at(data, size)
        self.add(f"store [{PADDING} x i8] zeroinitializer, ptr {padding}, align 1")
        return array

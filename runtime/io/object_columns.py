"""The numbers and strings that a list of Python's holds, or rows in it, as columns.

    columns_of_objects([(1, 2.5, "a"), (2, 3.0, "b"), …], kind of (Int, Double, String))
        ->   array([1, 2, …]), array([2.5, 3.0, …]), Strings(["a", "b", …])

A function of machine code is written for the kind: it goes through the list once, and reads each
value where its object has it, if that is of the type that is wanted, as a scalar alone is taken:
`True` is no integer, and `3.0` neither. What is held otherwise (integers beyond 64 bits, numbers of
NumPy, named tuples, half of a surrogate pair, rows that are shorter) is left to who looks at the
values one by one, and says which of them is wrong.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
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
from diablo.runtime.rows.string_column import Ascii, Strings
from diablo.runtime.rows.string_spans import PADDING, Spans
from diablo.runtime.value_kinds import Kind, ScalarKind, TupleKind

Array = NDArray[Any]

WORTH_READING = 1 << 15
"""From how many values of a kind on, over all lists in a process, a function is written for it."""
_READ = {"integer": "i64", "unsigned": "i64", "floating": "f64", "boolean": "i1", "text": "text"}
"""As what the values of each domain are read."""
_DTYPES = {"i64": np.dtype(np.int64), "f64": np.dtype(np.float64), "i1": np.dtype(np.bool_)}
_WORD = 8
_COPY = "@llvm.memcpy.p0.p0.i64"
_DECLARED = f"declare void {_COPY}(ptr, ptr, i64, i1)"
Layout = str | tuple[Any, ...]
"""How a value is read; of a tuple, how its parts are."""


def columns_of_objects(given: Sequence[Any], kind: Kind) -> list[AnyColumn] | None:
    """The columns of a list of numbers and strings, or of rows of them; None of anything else.

    Parameters
    ----------
    given : the list
    kind : of each of them
    """
    found = _leaves(kind)
    if type(given) is not list or not given or found is None:
        return None
    leaves = [(_READ[leaf.type.domain], leaf.element) for leaf in found]
    values = cast("list[Any]", given)
    rows, has_strings = len(values), any(read == "text" for read, _ in leaves)
    if has_strings and not string_spans.available(rows):
        return None
    layout = _layout(kind)
    if not pays_from((__name__, layout), rows * len(leaves), WORTH_READING):
        return None
    reader = _reader(layout)
    if reader is None:
        return None
    reserve(2 * _WORD * rows * len(leaves), "{} rows", rows)
    vectors: list[list[Array]] = []
    for read, _ in leaves:
        dtypes = [_DTYPES["i64"]] * 2 if read == "text" else [_DTYPES[read]]
        vectors.append([memory.apart((rows,), dtype) for dtype in dtypes])
    places = np.array([address_of(v) for found in vectors for v in found], np.int64)
    texts = reader.call(values, address_of(places), rows)
    if texts is NotImplemented:
        return None
    return _columns([element for _, element in leaves], vectors, iter(texts))


def _columns(
    elements: Sequence[str], vectors: Sequence[Sequence[Array]], texts: Iterator[Array]
) -> list[AnyColumn] | None:
    """The columns of what was read; None if a number does not fit into its element type."""
    columns: list[AnyColumn] = []
    for element, (first, *lengths) in zip(elements, vectors, strict=True):
        if lengths:
            data = next(texts)
            columns.append(Strings(Spans(data, first, lengths[0]), is_ascii=Ascii(data)))
            continue
        try:
            columns.append(convert(first, element, ""))
        except InputError:  # Whoever looks at each says which.
            return None
    return columns


def _leaves(kind: Kind) -> list[ScalarKind] | None:
    """The scalars of a kind; None if it holds anything else than what is read here."""
    match kind:
        case ScalarKind():
            return [kind] if kind.type.domain in _READ else None
        case TupleKind():
            found = [_leaves(item) for item in kind.items]
            scalars = [leaf for part in found if part is not None for leaf in part]
            return None if None in found or not scalars else scalars
        case _:
            return None


def _layout(kind: Kind) -> Layout:
    """How the values of a kind are read: `("i64", ("f64", "text"))`."""
    if isinstance(kind, TupleKind):
        return tuple(map(_layout, kind.items))
    assert isinstance(kind, ScalarKind)
    return _READ[kind.type.domain]


def _flat(layout: Layout) -> list[str]:
    """How the leaves of a layout are read."""
    if isinstance(layout, str):
        return [layout]
    return [read for part in layout for read in _flat(part)]


@cache
def _reader(layout: Layout) -> BuiltinFunction | None:
    """The function for a layout: takes a list, the address of those of the vectors, its length.

    It returns a tuple of the bytes of the columns of strings, or `NotImplemented`.
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
        """Where it is counted how many bytes a column of strings has."""

    def write(self) -> str:
        """Return the module."""
        self.require(self.new("icmp eq i64 %count, 3"))
        given = self.load("ptr", "%arguments", 0)
        self.require(self.same(self.type_of(given), self.known("list")))
        places = self.new(f"inttoptr i64 {self.integer(self.load('ptr', '%arguments', 8))} to ptr")
        rows, items = self.load("i64", given, LENGTH), self.load("ptr", given, ITEMS)
        # Another thread may have made it longer than the vectors are.
        expected = self.integer(self.load("ptr", "%arguments", 16))
        self.require(self.new(f"icmp eq i64 {rows}, {expected}"))
        texts: list[tuple[str, str, str]] = []
        for read in _flat(self._layout):
            count = 2 if read == "text" else 1
            for _ in range(count):
                self._vectors.append(self.load("ptr", places, _WORD * len(self._vectors)))
            if read == "text":
                self._totals.append(self.on_stack("i64"))
                self.store("i64", "0", self._totals[-1])
                texts.append((*self._vectors[-2:], self._totals[-1]))  # pyright: ignore
        with self._loop(rows) as row:
            value = self.load("ptr", self.at(items, self._offset(row)), 0)
            self._read(self._layout, value, row, iter(self._vectors), iter(self._totals))
        return self.returns(self.new_tuple(*[self._bytes(*t, rows) for t in texts]), _DECLARED)

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
                place, length = self._text(value)
                offset = self._offset(row)
                self.store("ptr", place, next(vectors), offset)
                self.store("i64", length, next(vectors), offset)
                total = next(totals)
                self.store(
                    "i64", self.new(f"add i64 {self.load('i64', total, 0)}, {length}"), total
                )
            case "i64":
                self.store("i64", self.integer(value), next(vectors), self._offset(row))
            case "f64":
                number = self.number(value, or_integer=True)
                self.store("double", number, next(vectors), self._offset(row))
            case _:
                self.store("i8", self.truth(value), next(vectors), row)

    def _items(self, value: str, width: int) -> str:
        """The items of a tuple or a list, which has so many."""
        kind = self.type_of(value)
        is_tuple, is_list = (self.same(kind, self.known(name)) for name in ("tuple", "list"))
        self.require(self.new(f"or i1 {is_tuple}, {is_list}"))
        length = self.load("i64", value, LENGTH)
        self.require(self.new(f"icmp eq i64 {length}, {width}"))
        # A tuple has something there as well, since it has items.
        within, elsewhere = self.at(value, ITEMS), self.load("ptr", value, ITEMS)
        return self.new(f"select i1 {is_tuple}, ptr {within}, ptr {elsewhere}")

    def _text(self, value: str) -> tuple[str, str]:
        """Where the bytes of a string are: in its object if it is ASCII, or kept with it."""
        self.require(self.same(self.type_of(value), self.known("str")))
        state = self.new(f"and i32 {self.load('i32', value, TEXT_STATE)}, {IS_ASCII}")
        ascii, other, encoded, end = self.labels("ascii", "other", "encoded", "end")
        is_ascii = self.new(f"icmp ne i32 {state}, 0")
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

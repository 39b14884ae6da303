"""`Strings`: a column of strings without a Python object for each.

    Strings.of(["a word", "b"])   ->   the bytes "a word\\0b", where each begins, how long it is

It is indexed as a NumPy column is, and is one of objects to whoever asks NumPy for it; these are
made once. What is taken from a column shares its bytes.

Such columns are made of many strings, where there is machine code (`string_spans.available`); of
few, and without it, a column of strings is an array of objects, which all functions take as well.
"""

from __future__ import annotations

import operator
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from diablo.runtime.arrays import memory
from diablo.runtime.arrays.elements import has_surrogates
from diablo.runtime.arrays.gathering import gathered
from diablo.runtime.arrays.joined_vectors import concatenated
from diablo.runtime.column_types import OBJECT
from diablo.runtime.memory_limit import reserve
from diablo.runtime.ordering import Codes
from diablo.runtime.rows import string_numbers, string_spans
from diablo.runtime.rows.string_numbers import Places, StringIndex
from diablo.runtime.rows.string_spans import PADDING, Spans, padded

Array = NDArray[Any]

_OBJECT_SIZE = 64
"""What a short string takes as an object, with a reference to it."""
_END = "\0"
"""What strings are joined by to be encoded, and decoded, all at once."""
_WASTE = 4
"""How many times more bytes may be kept than strings have, when they are sent or given away."""
_LOOKED_AT = 1 << 16
"""How many strings are looked at before it is asked whether they are enough."""
_MEASURED = 64
"""How many strings of a list tell how long all are."""


class Ascii:
    """Whether padded bytes are all ASCII, which is looked at when that is asked for."""

    __slots__ = ("_data", "_found")

    def __init__(self, data: Array):
        self._data: Array | None = data
        self._found = False

    def __bool__(self) -> bool:
        data = self._data
        if data is not None:
            self._found = string_spans.are_ascii(data)
            self._data = None
        return self._found


class Strings:
    """A column of strings: where each lies in a vector of bytes."""

    __slots__ = ("_are_distinct", "_found", "_indexed", "_made", "_numbered", "_objects")
    ndim = 1
    dtype = OBJECT
    itemsize = 16

    def __init__(self, spans: Spans, *, is_ascii: bool | Ascii):
        # Threads may share a column: each is replaced as a whole.
        self._made: tuple[Spans, bool | Ascii] | None = (spans, is_ascii)
        self._forget()

    def _forget(self) -> None:
        """Begin without what is kept of what was asked for."""
        self._are_distinct = False
        self._objects: Array | None = None
        self._numbered: tuple[Array, Strings] | None = None
        self._indexed: tuple[Array, StringIndex] | None = None
        self._found: tuple[weakref.ref[StringIndex], Array] | None = None

    @staticmethod
    def of(values: Sequence[Any]) -> Strings | None:
        """The column of strings that a list holds; None if that is not worth it.

        Raises
        ------
        TypeError
            If something in the list is no string.
        """
        text = _repaid_text(values)
        return None if text is None else _of_joined(text, values)

    @staticmethod
    def of_characters(values: Sequence[Any]) -> Strings | None:
        """The same; None of those in which half of a surrogate pair stands, which is none.

        Raises
        ------
        TypeError
            If something in the list is no string.
        """
        text = _repaid_text(values)
        return None if text is None or has_surrogates(text) else _of_joined(text, values)

    @staticmethod
    def of_any(values: Sequence[str]) -> Strings:
        """The column of strings that a list holds, however few; there must be machine code."""
        return _of_joined(_joined_text(values), values)

    @staticmethod
    def of_array(values: Array) -> Strings | None:
        """The column of NumPy's strings of one length; None if that is not worth it."""
        if not values.size or not string_spans.available(len(values), values.nbytes // 4):
            return None
        found = string_spans.of_one_length(values)
        if found is None:
            return Strings.of_any(values.tolist())
        spans, is_ascii = found
        return Strings(spans, is_ascii=is_ascii)

    @staticmethod
    def over_array(values: Array) -> Strings | None:
        """The same, which lie where they are as long as nothing needs their bytes."""
        is_plain = values.dtype.isnative and values.flags.c_contiguous
        size = values.nbytes // 4
        if is_plain and values.size and string_spans.available(len(values), size):
            return StringsOfOneLength(values)
        return Strings.of_array(values)

    @staticmethod
    def lines(text: str) -> Strings | None:
        """The lines of a text, the last of which need not be ended; None if that is no gain."""
        if not string_spans.available(text.count("\n"), len(text)):
            return None
        data, *found = string_spans.separated(
            padded(text.encode(errors="surrogatepass")), ord("\n")
        )
        if not text or text.endswith("\n"):
            found = [vector[:-1] for vector in found]
        return Strings(Spans(data, *found), is_ascii=text.isascii())

    def _bytes(self) -> tuple[Spans, bool | Ascii]:
        assert self._made is not None
        return self._made

    @property
    def spans(self) -> Spans:
        """Where the strings lie."""
        return self._bytes()[0]

    @property
    def places(self) -> Places:
        """The same, in the form in which it is known."""
        return self.spans

    @property
    def is_ascii(self) -> bool:
        """Whether there are no other characters in all of the bytes."""
        return bool(self._ascii)

    @property
    def _ascii(self) -> bool | Ascii:
        """The same, which those that share the bytes need not look at."""
        return self._bytes()[1]

    @property
    def memory(self) -> Array:
        """The vector that holds what is in the strings."""
        return self.spans.data

    def apart(self, given: Sequence[Array]) -> Strings:
        """The strings in memory that none of the vectors has."""
        # A few strings of a large text are not to keep all of it.
        return self.compacted() if self.wastes() else self

    @property
    def shape(self) -> tuple[int]:
        """As of a NumPy column."""
        return (len(self),)

    @property
    def size(self) -> int:
        """The number of strings."""
        return len(self)

    @property
    def nbytes(self) -> int:
        """The bytes that the vectors take in memory."""
        return sum([vector.nbytes for vector in self.spans])

    def __len__(self) -> int:
        return len(self.spans.starts)

    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> str: ...
    @overload
    def __getitem__(self, index: slice | Array) -> Strings: ...
    def __getitem__(self, index: Any) -> Any:
        data, starts, lengths = self.spans
        if isinstance(index, int | np.integer):
            start = int(starts[index])
            return data[start : start + int(lengths[index])].tobytes().decode(*_CODING)
        index = cast("slice | Array", index)
        taken = [np.ascontiguousarray(vector[index]) for vector in (starts, lengths)]
        return Strings(Spans(data, *taken), is_ascii=self._ascii)

    def take(self, positions: Any) -> Strings:
        """The strings at `positions`, in that order."""
        return Strings(self.spans.take(positions), is_ascii=self._ascii)

    def moved(self, starts: Array, lengths: Array) -> Strings:
        """Return as many other parts of the bytes, which hold whole characters."""
        return Strings(Spans(self.spans.data, starts, lengths), is_ascii=self._ascii)

    @staticmethod
    def concat(columns: Sequence[Strings]) -> Strings:
        """The strings of all columns, of which there is at least one."""
        if len(columns) == 1:
            return columns[0]
        starts: list[Array] = []
        vectors: dict[int, tuple[Array, int]] = {}
        for column in columns:
            spans = column.spans
            if id(spans.data) not in vectors and column.wastes():
                spans = column.compacted().spans
            behind = sum([len(vector) for vector, _ in vectors.values()])
            _, place = vectors.setdefault(id(spans.data), (spans.data, behind))
            starts.append(spans.starts + place if place else spans.starts)
        data = [vector for vector, _ in vectors.values()]
        reserve(sum(map(len, data)), "the bytes of strings of {} columns", len(columns))
        whole = Spans(
            data[0] if len(data) == 1 else concatenated(data),
            concatenated(starts),
            concatenated([column.spans.lengths for column in columns]),
        )
        known = [column._ascii for column in columns]
        looked_at = all(isinstance(is_ascii, bool) for is_ascii in known)
        return Strings(whole, is_ascii=all(known) if looked_at else Ascii(whole.data))

    def beside(self, other: Any, *, last: bool = False) -> Any:
        """These strings and those of another column, which come last unless these do."""
        if not isinstance(other, Strings):
            other = Strings.of(other.tolist())
        if other is None:
            return None
        return Strings.concat([other, self] if last else [self, other])

    def wastes(self) -> bool:
        """Return whether far more bytes are kept than the strings have."""
        kept, lengths, used = len(self.spans.data), self.spans.lengths, PADDING
        # Of strings that waste nothing a part is enough.
        for begin in range(0, len(lengths), _LOOKED_AT):
            if kept <= _WASTE * used:
                break
            used += int(lengths[begin : begin + _LOOKED_AT].sum())
        return kept > _WASTE * used

    def compacted(self) -> Strings:
        """The same strings one behind the other, each with a NUL behind it."""
        size = int(self.spans.lengths.sum()) + len(self)
        reserve(size + 24 * len(self), "the bytes of {} strings", len(self))
        data, starts, _ = string_spans.joined(self.spans, string_spans.one(_END), len(self))
        column = Strings(Spans(data, starts, self.spans.lengths), is_ascii=self._ascii)
        column._are_distinct = self._are_distinct
        return column

    def joined(self) -> tuple[Array, Array]:
        """Return the bytes of the strings one behind the other, and where each begins and ends.

        They are the column's own bytes if these lie so.
        """
        data, starts, lengths = self.spans
        offsets = np.zeros(len(self) + 1, np.int64)
        np.cumsum(lengths, out=offsets[1:])
        if len(self) and np.array_equal(starts - starts[0], offsets[:-1]):
            first = int(starts[0])
            return data[first : first + int(offsets[-1])], offsets
        reserve(int(offsets[-1]), "the bytes of {} strings", len(self))
        joined, _, _ = string_spans.joined(self.spans, string_spans.one(""), len(self))
        return joined[: int(offsets[-1])], offsets

    def text(self) -> str:
        """All strings, with a NUL behind each."""
        data = self.compacted().spans.data[:-PADDING]
        return data.tobytes().decode(*_CODING)

    def tolist(self) -> list[str]:
        """Python's strings."""
        if self._objects is not None:
            return self._objects.tolist()
        reserve(_OBJECT_SIZE * len(self), "{} strings", len(self))
        text = self.text()
        found = text.split(_END)
        if len(found) == len(self) + 1:
            found.pop()
            return found
        # Some hold NULs themselves.
        lengths = string_spans.characters(self.spans) + 1
        ends = np.cumsum(lengths)
        places = zip((ends - lengths).tolist(), (ends - 1).tolist(), strict=True)
        return [text[start:end] for start, end in places]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Array:
        """The strings as objects."""
        if self._objects is None:
            values = self.tolist()
            self._objects = np.fromiter(values, OBJECT, len(values))
        if dtype is not None and np.dtype(dtype) != OBJECT:
            return self._objects.astype(dtype)
        return self._objects.copy() if copy else self._objects

    def astype(self, dtype: DTypeLike, copy: bool = True) -> Any:
        """The column itself, or its objects as something else."""
        return self if np.dtype(dtype) == OBJECT else np.asarray(self).astype(dtype)

    def reshape(self, *shape: Any) -> Any:
        """The column itself, or its objects in several dimensions."""
        same = shape in ((-1,), ((-1,),), (len(self),), ((len(self),),))
        return self if same else np.asarray(self).reshape(*shape)

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def matched(self, other: Any, *, part: bool = False, at_end: bool = False) -> Array | None:
        """Whether each is the string of another column, or one for all; None of other columns.

        With `part`, whether it begins with that or, `at_end`, ends with it.
        """
        spans = _spans(other)
        if spans is None or len(spans.starts) not in (1, len(self)):
            return None
        return string_spans.matched(self.spans, spans, part=part, at_end=at_end)

    def compared(self, compare: Callable[[Any, Any], Any], other: Any) -> Array:
        """`compare`, an operator, of each string and that of another column, or one for all."""
        if compare in (operator.eq, operator.ne) and (same := self.matched(other)) is not None:
            return same if compare is operator.eq else np.logical_not(same, out=same)
        spans = _spans(other)
        if spans is None or len(spans.starts) not in (1, len(self)):
            result: Any = compare(np.asarray(self), _plain(other))
            return result.astype(np.bool_, copy=False)
        return compare(string_spans.compared(self.spans, spans), 0)

    def __eq__(self, other: object) -> Any:
        return self.compared(operator.eq, other)

    def __ne__(self, other: object) -> Any:
        return self.compared(operator.ne, other)

    def __lt__(self, other: Any) -> Any:
        return self.compared(operator.lt, other)

    def __le__(self, other: Any) -> Any:
        return self.compared(operator.le, other)

    def __gt__(self, other: Any) -> Any:
        return self.compared(operator.gt, other)

    def __ge__(self, other: Any) -> Any:
        return self.compared(operator.ge, other)

    def __add__(self, other: Any) -> Any:
        made = joined(self, other)
        return np.asarray(self) + other if made is None else made

    def __radd__(self, other: Any) -> Any:
        made = joined(other, self)
        return other + np.asarray(self) if made is None else made

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        return f"Strings({self.tolist()!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        column = self.compacted() if self.wastes() else self
        return _received, (tuple(column.spans), self.is_ascii)

    def numbered(self) -> tuple[Array, Strings] | None:
        """A number for each string, the same for equal ones, and the distinct strings.

        None if they are too many.
        """
        if self._are_distinct:  # It is not kept, as it would refer to itself.
            reserve(4 * len(self), "to number {} strings", len(self))
            return np.arange(len(self), dtype=np.int32), self
        if self._numbered is None:
            found = string_numbers.numbered(self.places)
            if found is not None:
                distinct = Strings(found[1], is_ascii=self._ascii)
                distinct._are_distinct = True
                self._numbered = found[0], distinct
        return self._numbered

    def distinct_ones(self, positions: Array) -> Strings:
        """The strings at `positions`, which are distinct, as these are, and no two the same."""
        column = Strings(self.spans.take(positions), is_ascii=self._ascii)
        column._are_distinct = True
        return column

    def order_of_distinct(self) -> Array | None:
        """The permutation that sorts the strings, if no two are known to be the same."""
        return string_spans.ascending(self.spans) if self._are_distinct else None

    def indexed(self) -> tuple[Array, StringIndex] | None:
        """A number for each string, and how others find these; None if they are too many."""
        if self._indexed is None:
            self._indexed = StringIndex.of(self.places)
        return self._indexed

    def codes_in(self, index: StringIndex) -> Array | None:
        """The number that an index has for each string, -1 for none; None if they are too many."""
        kept = self._found
        if kept is not None and kept[0]() is index:
            return kept[1]
        if self._numbered is None:
            found = index.codes_of(self.places)
        else:
            numbers, distinct = self._numbered
            found = distinct.codes_in(index)
            found = None if found is None else memory.taken(found, numbers)
        if found is not None:
            self._found = weakref.ref(index), found
        return found

    def has_few(self) -> bool:
        """Return whether there seem to be far fewer distinct strings than strings."""
        return self._numbered is not None or string_numbers.are_few(self.places)

    def codes(self, *, ordered: bool = True) -> Codes | None:
        """Codes that order as the strings do; or any, which take less time. None for too many."""
        found = self.numbered()
        if found is None:
            return None
        numbers, distinct = found
        reserve(8 * len(numbers), "the codes of {} strings", len(numbers))
        if not ordered:
            return Codes(numbers.astype(np.int64), max(1, len(distinct)), None)
        order = string_spans.ascending(distinct.spans)
        ranks = np.empty(len(order), np.int64)
        ranks[order] = np.arange(len(order))
        ranked = gathered(ranks, numbers)
        return Codes(ranked, max(1, len(order)), None, distinct.take(order))


class StringsOfOneLength(Strings):
    """A column that an array of NumPy's strings is, of one length, of which bytes are made late.

    What a filter looks for is compared with the array's own characters. Once there are bytes all
    is read from these, so that who writes to the array afterwards changes all or nothing.
    """

    __slots__ = ("_values",)

    def __init__(self, values: Array):
        self._values = values
        self._made = None
        self._forget()

    def _bytes(self) -> tuple[Spans, bool | Ascii]:
        if self._made is None:
            found = string_spans.of_one_length(self._values)
            if found is None:
                strings = Strings.of_any(self._values.tolist())
                found = strings.spans, strings.is_ascii
            self._made = found
        return self._made

    @property
    def memory(self) -> Array:
        """The array, and not the bytes, which only this column has."""
        return self._values

    def apart(self, given: Sequence[Array]) -> Strings:
        """The strings as bytes if they lie in a caller's array."""
        shared = any(np.may_share_memory(self._values, other) for other in given)
        return Strings(self.spans, is_ascii=self.is_ascii) if shared else self

    @property
    def nbytes(self) -> int:
        """The bytes that the array takes in memory."""
        return self._values.nbytes

    def __len__(self) -> int:
        return len(self._values)

    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> str: ...
    @overload
    def __getitem__(self, index: slice | Array) -> Strings: ...
    def __getitem__(self, index: Any) -> Any:
        if self._made is not None:
            return cast("Any", super()).__getitem__(index)
        if isinstance(index, int | np.integer):
            return str(self._values[index])
        return StringsOfOneLength(np.ascontiguousarray(self._values[index]))

    def take(self, positions: Any) -> Strings:
        """The strings at `positions`, in that order."""
        if self._made is not None:
            return super().take(positions)
        return StringsOfOneLength(self._values.take(positions))

    def tolist(self) -> list[str]:
        """Python's strings."""
        if self._made is not None:
            return super().tolist()
        reserve(_OBJECT_SIZE * len(self), "{} strings", len(self))
        return self._values.tolist()

    def matched(self, other: Any, *, part: bool = False, at_end: bool = False) -> Array | None:
        """Whether each is the string of another column, or one for all; None of other columns."""
        is_one = isinstance(other, str) and not other.endswith(_END)  # NumPy's have none there.
        if self._made is None and is_one and not at_end:
            return string_spans.points_matched(self._values, other, part=part)
        return super().matched(other, part=part, at_end=at_end)


_CODING = ("utf-8", "surrogatepass")


def _of_text(text: str, count: int) -> Strings | None:
    """The column of so many strings that NULs stand between; None if some hold NULs themselves."""
    is_ascii = text.isascii()
    encoded = text.encode(errors="surrogatepass")
    del text  # As large as its bytes, and nobody else's.
    spans = string_spans.separated(padded(encoded), 0)
    return Strings(spans, is_ascii=is_ascii) if len(spans.starts) == count else None


def _joined_text(values: Sequence[str]) -> str:
    reserve(2 * 8 * len(values), "a column of {} strings", len(values))
    return _END.join(values)


def _repaid_text(values: Sequence[Any]) -> str | None:
    """Return the strings of a list together, if there are enough to make a column of them."""
    if values and string_spans.available(len(values), _size_of(values)):
        return _joined_text(values)
    return None


def _size_of(values: Sequence[Any]) -> int:
    """About how many characters the strings of a list have, by some that are far apart in it."""
    some = values[:: max(1, len(values) // _MEASURED)]
    return sum(len(value) for value in some if isinstance(value, str)) * len(values) // len(some)


def _of_joined(text: str, values: Sequence[str]) -> Strings:
    """The column of strings, given them and what they are together."""
    column = _of_text(text, len(values)) if values else None
    return _one_by_one(values) if column is None else column


def of_text(text: str, count: int) -> Strings | None:
    """The strings of a text, a NUL behind each; None if there are not so many."""
    return _of_text(text[:-1], count) if count else None


def _one_by_one(values: Sequence[str]) -> Strings:
    encoded = [value.encode(errors="surrogatepass") for value in values]
    lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
    data = padded(b"".join(encoded))
    return Strings(
        Spans(data, np.cumsum(lengths) - lengths, lengths),
        is_ascii=all(map(str.isascii, values)),
    )


def _received(spans: tuple[Array, Array, Array], is_ascii: bool) -> Any:
    """A column that was sent: of objects where there is no machine code."""
    if string_spans.possible():
        return Strings(Spans(*spans), is_ascii=is_ascii)
    data, starts, lengths = spans
    text, ends = data.tobytes(), starts + lengths
    places = zip(starts.tolist(), ends.tolist(), strict=True)
    values = [text[start:end].decode(*_CODING) for start, end in places]
    return np.fromiter(values, OBJECT, len(values))


def _spans(value: Any) -> Spans | None:
    """The strings of a column, or the one that a scalar is."""
    if isinstance(value, Strings):
        return value.spans
    return string_spans.one(value) if isinstance(value, str) else None


def joined(a: Any, b: Any, at: str = "") -> Strings | None:
    """`a`, then `b`, of which one is such a column; None if the other one is of objects."""
    left, right = _spans(a), _spans(b)
    if left is None or right is None:
        return None
    columns = [side for side in (a, b) if isinstance(side, Strings)]
    rows = max(map(len, columns))
    size = string_spans.joined_size(left, right, rows)
    reserve(size + 24 * rows, "{} strings of {} characters", rows, size, at=at)
    both = [side.is_ascii if isinstance(side, Strings) else side.isascii() for side in (a, b)]
    return Strings(string_spans.joined(left, right, rows), is_ascii=all(both))


def _plain(value: Any) -> Any:
    """A column as NumPy holds it; of a string alone NumPy would drop NULs at the end."""
    if isinstance(value, str):
        return np.array(value, OBJECT)
    return np.asarray(value) if isinstance(value, Strings) else value


def plain_column(column: Any) -> Any:
    """A column of strings as objects; any other one itself."""
    return np.asarray(column) if isinstance(column, Strings) else column

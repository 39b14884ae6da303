"""Kernels over rows that run as machine code, with their NumPy function beside them.

    kernel_1 = compiled_rows(kernel_1, IR, "(i64,f64) -> groups(i64;f64:add) over 0 weight 1")

As `compiled.CompiledKernel`, but a bag is a batch of columns, and how many rows come of a call is
not known before. Beside the compiler a kernel is looked at when it has seen some rows. The machine
code is handed columns with room for some; where they are full it says which row is next, and is
called again with larger ones.

Threads go through a part of the rows each, and what they make is put together: rows one part after
the other, groups with the same key combined. For scans each folds its part first, and then goes on
from what the parts before it come to (reduce-then-scan: Blelloch, "Prefix sums and their
applications", 1990). Where keys are many, each thread goes through all rows instead, for a part of
the keys, or rows that are grouped as they are given are sorted. Where many rows are chosen or not,
and each makes no more than one, threads go through short runs of them (`rows_in_order.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from itertools import accumulate, zip_longest
from math import prod
from typing import Any, cast

import numpy as np

from diablo.diagnostics import OutOfMemory
from diablo.kernel_signature import Dimension, Signature, Slot
from diablo.row_kernel_signature import (
    KEYED,
    LENGTH,
    OWN,
    SPARE_PART,
    TEXT,
    BagSlot,
    Match,
    Output,
    RowSignature,
    dictionary_of,
    items_of,
)
from diablo.runtime.arrays import memory
from diablo.runtime.arrays.joined_vectors import close_gaps, concatenated
from diablo.runtime.column_types import OBJECT, scalar
from diablo.runtime.kernels.kernel_code import KernelCode, UncompiledCode
from diablo.runtime.kernels.signature import (
    ELEMENTS,
    Array,
    accept,
    dtype_of,
    parts_of,
    pass_tensor,
)
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import combine_values, identity, reduce_all, ufunc
from diablo.runtime.native import work_seen
from diablo.runtime.native.machine_code import Entry, machine_code
from diablo.runtime.native.thread_team import cut, share
from diablo.runtime.rows.batches import Batch, concat, length, project
from diablo.runtime.rows.collected_lists import (
    COUNT,
    Collected,
    GrowingColumns,
    Part,
    Ranges,
    as_lists,
    keys_at,
    lists_of,
)
from diablo.runtime.rows.encoded_columns import Encoded, column_dtype, decode, encode
from diablo.runtime.rows.grouping import ANY, group_reduce
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.rows_in_order import choose_in_order, rows_in_run
from diablo.runtime.rows.string_characters import code_points
from diablo.runtime.rows.string_column import Strings
from diablo.runtime.rows.tuples import pack
from diablo.scalar_table import BY_ELEMENT

COST = 4
"""What a row costs NumPy, in simple points: it is selected, moved and put in order."""
FIRST_GROUPS = 1 << 12
"""For how many keys there is room at first."""
GROWTH = 4
"""How many times as many there is room for then."""
SAMPLE = 1 << 14
"""How many rows say whether keys are many."""
PLACES_LOOKED_AT = 8
"""At how many places of the rows these are."""
MOST_PLACES = 4
"""How many places for keys tables may have altogether for a row."""
FEW = 2
"""Keys are few if there are this many times as many rows in a sample."""
MANY_KEYS = 1 << 17
"""From how many keys on rows are sorted rather than looked for in a table of them."""
MANY_FOLDED = 1 << 19
"""The same where values are folded, which stand all over then."""
MOST_WORDS = 1 << 62
"""How many keys, with places of rows, a word tells apart when it is sorted."""
LIGHT = 2
"""The weight of rows that each thread may go through, for the sake of its keys."""
MOST_ROWS = 1 << 31
"""A place of a row has so many values."""
WORTH_A_SAMPLE = 16
"""How many times as many rows as a sample has there are where one is worth its time."""
WORTH_LOOKING_AT = 1 << 10
"""How many rows a kernel has seen that the compiler looks at: of one bag for each of another."""
_NO_CODES = np.zeros(1, np.int32)
"""What stands for the code points of characters that are bytes."""
_SPAN = np.dtype(np.int64)
"""The type of where a list begins, and of how long it is."""
_PLACE = np.dtype(np.int32)
"""The type of a place of a row."""
CLOSE = 2
"""Keys lie close together if a head for each is so many times as many as there are of hashes."""
_GOLDEN = 0x9E3779B97F4A7C15 - (1 << 64)
"""What a key is multiplied by for its hash (Knuth, see `lowering/multiloop/key_words.py`)."""
_SPARE = 1.25
"""How much more room there is than there may be keys."""
RUNS_EACH = 8
"""How often each thread chooses of a run of rows, at least, where it writes where these are to be.
"""
_WASTE = 4
"""Columns are far longer than their rows if they have room for so many times as many.

The room that nobody has written to is not resident in fresh memory."""
_SHARED = ("vector", "placed", "some", "rows")
"""The kinds of outputs of which pieces share columns, with room for a row of each of the source."""


@dataclass
class CompiledRowKernel:
    """A callable with the arguments of `numpy_function`; picklable."""

    numpy_function: Callable[..., Any]
    code: KernelCode | UncompiledCode | None
    """None if it does not become machine code."""
    _entry: Entry | None = field(default=None, init=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return CompiledRowKernel, (self.numpy_function, self._looked_at())

    def _looked_at(self) -> KernelCode | None:
        """Return what the compiler says of it, which is asked now if it was not yet."""
        if isinstance(self.code, UncompiledCode):
            self.code = self.code.code
        return self.code

    @cached_property
    def signature(self) -> RowSignature:
        """The arguments and results, if it becomes machine code."""
        code = self._looked_at()
        assert code is not None
        assert isinstance(code.signature, RowSignature)
        return code.signature

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        code = self.code
        if isinstance(code, UncompiledCode):
            identity = ("looked at", code.identity)
            if work_seen.pays_from(identity, _rows_seen(arguments), WORTH_LOOKING_AT):
                code = self._looked_at()
        if not isinstance(code, KernelCode):
            return self.numpy_function(*arguments)
        signature = self.signature
        values = accept_rows(signature, arguments)
        if values is None:
            return self.numpy_function(*arguments)
        source = signature.source
        rows = size_of(signature, source, values)
        inner = 1
        for dimension in signature.inner:
            inner *= size_of(signature, dimension, values)
        items = max(
            [0, *[_item_count(*pair) for pair in zip(signature.arguments, values, strict=True)]]
        )
        work = (rows * max(1, inner) + items) * signature.weight
        if self._entry is None:
            points = COST * work
            if work_seen.worth_compiling(code.identity, points):
                self._entry = machine_code(code.identity, lambda: code.llvm_ir)
        most = max([rows, *[length(values[match.argument]) for match in signature.matched]])
        if self._entry is None or most >= MOST_ROWS:
            return self.numpy_function(*arguments)
        try:
            encoded = encode(signature, values)
            if encoded is None:
                return self.numpy_function(*arguments)
            with np.errstate(all="ignore"):  # NumPy puts together what threads made.
                return _run(signature, self._entry, encoded, rows, work)
        except (OutOfMemory, _RowFailed):
            # NumPy may need less, and says what would make so many rows, or what failed.
            return self.numpy_function(*arguments)


class _RowFailed(Exception):
    """A row reads a list or a string outside of it."""


@lru_cache(maxsize=1024)
def _alone(slot: Slot) -> Signature:
    """An argument that is no bag, to be accepted as any kernel's."""
    dimensions = slot.dimensions and (None,) * len(slot.dimensions)
    return Signature((replace(slot, dimensions=dimensions),), (), ())


def _no_bag(slot: Slot, value: Any, kept: tuple[type, ...]) -> list[Any] | None:
    """The value of an argument that is no bag, in a list."""
    if isinstance(value, kept) and slot.dimensions is not None:
        array = cast("Array", value)
        fits = array.dtype == dtype_of(slot) and array.ndim == len(slot.dimensions)
        return [array] if fits else None
    return accept(_alone(slot), [value])


def accept_rows(
    signature: RowSignature, arguments: Sequence[Any], kept: tuple[type, ...] = ()
) -> list[Any] | None:
    """Return the arguments as machine code takes them, or None if it does not.

    What is NumPy's lies side by side in memory then; columns and arrays of `kept` are as they were.
    """
    slots = signature.arguments
    if len(arguments) != len(slots):
        return None
    pairs = list(zip(slots, arguments, strict=True))
    values: list[Any] = []
    for slot, value in pairs:
        if isinstance(slot, Slot):
            accepted = _no_bag(slot, value, kept)
            if accepted is None:
                return None
            values += accepted
        elif (batch := _columns(slot, value, kept)) is not None:
            values.append(batch)
        else:
            return None
    for slot, value in zip(slots, values, strict=True):
        if isinstance(slot, Slot) and slot.dimensions is not None:
            extents = zip(slot.dimensions, value.shape, strict=True)
            if any(d is not None and d.of(values) > extent for d, extent in extents):
                return None
    return values


def compiled_rows(
    numpy_function: Callable[..., Any], code: KernelCode | UncompiledCode | str, signature: str = ""
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


def _rows_seen(arguments: Sequence[Any]) -> int:
    """No less than the rows that a call may go through: those of one bag for each of the others.

    A bag may have lists, which have more.

    What is no bag may be an extent, or have such.
    """
    rows = 1
    for value in arguments:
        if isinstance(value, tuple):
            batch = cast(Batch, value)
            items = [int(c.lengths.sum()) for c in batch if isinstance(c, Lists)]
            rows *= max([1, length(batch), *items])
        elif isinstance(value, int | np.integer):
            rows *= max(1, int(cast(int, value)))
        else:
            rows *= max(1, getattr(value, "size", 1))
    return rows


def _columns(slot: BagSlot, batch: Any, kept: tuple[type, ...]) -> Batch | None:
    """The columns that are read, side by side in memory, and the others as they are."""
    if not isinstance(batch, tuple) or len(cast(Batch, batch)) != len(slot.given):
        return None
    columns: list[Any] = []
    for element, column in zip(slot.given, cast(Batch, batch), strict=True):
        if element in ("", LENGTH) or dictionary_of(element) is not None:
            columns.append(column)
            continue
        items = items_of(element)
        if element == TEXT:
            accepted = _strings(column)
        elif items is None:
            accepted = _numbers(element, column, kept)
        else:
            accepted = _lists(items, column, kept)
        if accepted is None:
            return None
        columns.append(accepted)
    return tuple(columns)


def _numbers(element: str, column: Any, kept: tuple[type, ...]) -> Any:
    """A column of numbers, side by side in memory; None if it is not one of such elements."""
    if not isinstance(column, (np.ndarray, *kept)):
        return None
    array = cast("Array", column)
    if array.dtype != ELEMENTS[element].dtype:
        return None
    return array if isinstance(column, kept) else np.ascontiguousarray(array)


def _strings(column: Any) -> Strings | None:
    """A column of strings; None if it is none."""
    if isinstance(column, Strings):
        return column
    objects = isinstance(column, np.ndarray) and cast("Array", column).dtype == OBJECT
    return Strings.of_any(cast("Array", column).tolist()) if objects else None


def _lists(items: Sequence[str], column: Any, kept: tuple[type, ...]) -> Lists | None:
    """A column of lists, of which the columns that are read are side by side in memory."""
    if not isinstance(column, Lists):
        return None
    batch, starts, lengths = column.spans()
    columns: list[Any] = []
    for element, own in zip(items, batch, strict=True):
        columns.append(_numbers(element, own, kept) if element else own)
    if any(own is None for own in columns):
        return None
    if all(one is other for one, other in zip(columns, batch, strict=True)):
        return column
    return Lists.at(tuple(columns), starts, lengths)


def _list_vectors(items: Sequence[str], lists: Lists) -> list[Array]:
    """What a call is handed of a column of lists."""
    batch, *spans = lists.spans()
    read = [column for element, column in zip(items, batch, strict=True) if element]
    return [*[np.ascontiguousarray(span, np.int64) for span in spans], *read]


def _is_ascii(slot: BagSlot | Slot, value: Any) -> bool:
    """Return whether the strings of a bag whose characters are read have those of ASCII alone."""
    if not isinstance(slot, BagSlot):
        return True
    pairs = zip(slot.columns, cast(Batch, value), strict=True)
    return all(cast(Strings, column).is_ascii for element, column in pairs if element == TEXT)


def _text_vectors(strings: Strings, *, wide: bool) -> tuple[list[Array], Array]:
    """What a call is handed of a column of strings, and their code points, if it reads these."""
    data, starts, lengths = strings.spans
    codes = _NO_CODES
    if wide:
        codes, starts, lengths = code_points(strings)
    spans = [np.ascontiguousarray(span, np.int64) for span in (starts, lengths)]
    return [*spans, data], codes


def _item_count(slot: BagSlot | Slot, value: Any) -> int:
    """How many rows the lists of a bag have that are gone through."""
    if not isinstance(slot, BagSlot):
        return 0
    pairs = zip(slot.given, cast(Batch, value), strict=True)
    read = [column for element, column in pairs if element == TEXT or items_of(element) is not None]
    lists = sum(int(column.lengths.sum()) for column in read if isinstance(column, Lists))
    return lists + sum(int(c.spans.lengths.sum()) for c in read if isinstance(c, Strings))


def size_of(signature: RowSignature, dimension: Dimension, values: Sequence[Any]) -> int:
    """Return the rows of a bag, or an extent."""
    if dimension.constant is None and isinstance(signature.arguments[dimension.argument], BagSlot):
        return length(values[dimension.argument])
    return max(0, dimension.of(values))


def _run(signature: RowSignature, entry: Entry, encoded: Encoded, rows: int, work: int) -> Any:
    """Call the machine code until it has gone through all rows, and put together what it made."""
    values = encoded.arguments
    words: list[Any] = []
    held: list[Array] = []
    """What words are the addresses of, as long as the call lasts."""

    def hand(vectors: Sequence[Array]) -> None:
        for vector in vectors:
            held.append(vector)
            words.extend(pass_tensor(vector))

    wide = signature.reads_text and not all(map(_is_ascii, signature.arguments, values))
    for slot, value in zip(signature.arguments, values, strict=True):
        if isinstance(slot, BagSlot):
            words.append(len(value[0]))
            codes: list[Array] = []
            for element, column in zip(slot.columns, value, strict=True):
                if element == TEXT:
                    vectors, own = _text_vectors(column, wide=wide)
                    hand(vectors)
                    codes.append(own)
                elif (items := items_of(element)) is not None:
                    hand(_list_vectors(items, column))
                elif element:
                    hand([column])
            hand(codes)
        elif slot.dimensions is None:
            words += parts_of(slot, value)
        else:
            words += pass_tensor(value)
    if signature.reads_text:
        words.append(wide)
    chains = [_Chains(match, values[match.argument]) for match in signature.matched]
    words += [word for each in chains for word in each.words()]
    call = _Call(signature, entry, words, rows, work, encoded)
    if chains:
        call.build()
    return call.results()


class _Chains:
    """Chains of the rows of a batch, without any so far, and where that of a key begins.

    Keys that lie close together have a chain each, others those with their hash.
    """

    def __init__(self, match: Match, batch: Batch):
        count = length(batch)
        heads = 2 << max(count - 1, 1).bit_length()
        spread = (0, _GOLDEN, 65 - heads.bit_length())
        if match.column is not None and count:
            column = cast("Array", batch[match.column])
            least = int(column.min())
            extent = int(column.max()) - least + 1
            if extent <= CLOSE * heads:
                heads, spread = extent, (least, 1, 0)
        reserve(4 * (heads + count), "to find rows among {}", count)
        self._heads = memory.apart((heads,), _PLACE)
        self._heads.fill(-1)
        self._next = memory.apart((max(count, 1),), _PLACE)
        self._spread = () if match.column is None else spread

    def words(self) -> list[Any]:
        """The arguments of a call, which last as long as this object."""
        return [*pass_tensor(self._heads), *pass_tensor(self._next), *self._spread]


@dataclass(frozen=True)
class _Call:
    """A call: `words` are the arguments that the program gives."""

    signature: RowSignature
    entry: Entry
    words: Sequence[Any]
    rows: int
    work: int
    encoded: Encoded

    def results(self) -> Any:
        """Return what the kernel returns."""
        signature = self.signature
        ranges = cut(self.rows, self.work)
        threads = len(ranges)
        if not signature.shared:
            ranges = [(0, self.rows)]
        pieces: list[_Piece] = []
        most = MOST_PLACES * self.rows // len(ranges)
        tables = [self._known_ranges(output, most) for output in signature.outputs]
        if self.rows > WORTH_A_SAMPLE * SAMPLE and any(
            output.kind in KEYED and table is None
            for output, table in zip(signature.outputs, tables, strict=True)
        ):
            sample = self._sample()
            if self._is_sorted_sooner(sample):
                return self._sorted()
            tables = [sample.ranges_of_keys(n, most) for n in self._numbers]
            pieces = self._by_keys(sample, tables, threads)
        if not pieces and self._are_chosen(len(ranges)):
            return self._in_order(len(ranges))
        pieces = pieces or self._by_rows(ranges, tables)
        if signature.has_scans and len(pieces) > 1:
            self._carry(pieces)
        self._run(pieces)
        results = [
            self._result(n, pieces) for n in self._numbers if not signature.outputs[n].unused
        ]
        return results[0] if len(results) == 1 else tuple(results)

    def _are_chosen(self, threads: int) -> bool:
        """Return whether several threads choose rows alone, of so many that each chooses often."""
        signature = self.signature
        alone = all(o.kind == "some" and not list_columns(o) for o in signature.outputs)
        if threads < 2 or not alone or signature.by_keys:
            return False
        return self.rows >= threads * RUNS_EACH * rows_in_run(self._width)

    @property
    def _width(self) -> int:
        """The bytes of all columns that are made."""
        elements = [element for output in self.signature.outputs for element in output.columns]
        return sum(column_dtype(element).itemsize for element in elements)

    def _in_order(self, threads: int) -> Any:
        """Return what is chosen, which threads write where it is to be."""
        outputs = self.signature.outputs
        whole = [_new_columns(output, self.rows) for output in outputs]
        pieces = [_Piece(outputs, 0, rows_in_run(self._width)) for _ in range(threads)]
        # Of a call that begins with the rows, the last arguments of all are which these are.
        words = [[*self.words, *piece.words(by_keys=False)] for piece in pieces]
        counts = choose_in_order(
            self.entry,
            [
                ([*of_piece, *self._goes_through], piece.counts, piece.made)
                for of_piece, piece in zip(words, pieces, strict=True)
            ],
            self.rows,
            whole,
            len(words[0]) - 2,
            self.work,
        )
        _check(pieces)
        results = [
            decode(self.encoded, output.columns, _closed_up(columns, [0], [count]))
            for output, columns, count in zip(outputs, whole, counts, strict=True)
            if not output.unused
        ]
        return results[0] if len(results) == 1 else tuple(results)

    def _result(self, number: int, pieces: Sequence[_Piece]) -> Any:
        """Return what the pieces made of an output, with the values that its numbers stand for."""
        output = self.signature.outputs[number]
        if output.kind == "lists":
            parts = [piece.collected_part(number) for piece in pieces]
            keys, values, offsets = lists_of(output, parts, by_keys=pieces[0].part[1] > 1)
            columns = decode(self.encoded, output.values, values)
            lists = as_lists(columns, offsets, output.widths)
            return (*decode(self.encoded, output.keys, keys), *lists)
        lists = _joined_items(output, number, pieces)
        made = _together(output, number, pieces)
        if output.kind in ("reduce", "scan", "vector"):
            return made
        if output.kind == "groups" and output.widths:
            return _packed(output, decode(self.encoded, output.columns, made))
        if not lists:
            return decode(self.encoded, output.columns, made)
        columns = iter(cast(Batch, made))
        whole: list[Any] = []
        for place, element in enumerate(output.columns):
            if place in lists:
                whole.append(Lists.at(lists[place], next(columns), next(columns)))
            else:
                whole += decode(self.encoded, [element], (next(columns),))
        return tuple(whole)

    def build(self) -> None:
        """Put the rows in which others look for theirs into chains."""
        nothing = _Piece(self.signature.outputs, 0, 0)
        self.entry(*self.words, *nothing.words(by_keys=self.signature.by_keys), True)

    def _sample(self) -> _Piece:
        """Return what comes of some rows, from all over: keys may change on the way."""
        sample = _Piece(self.signature.outputs, 0, SAMPLE, room=SAMPLE)
        # What is stored at the places of rows has room for the first ones alone.
        places = PLACES_LOOKED_AT if self.signature.by_keys else 1
        last = self.rows - SAMPLE // places
        for number in range(places):
            begin = number * last // max(1, places - 1)
            sample.go_to(begin, begin + SAMPLE // places)
            self._run([sample])
        return sample

    def _known_ranges(self, output: Output, most: int) -> Ranges | None:
        """The ranges of keys that are numbers of dictionaries alone, of which no sample is needed.

        None where these are more keys than so many, as there would be too few rows for each.
        """
        numbers = [dictionary_of(element) for element in output.keys]
        if not output.has_table or not numbers or None in numbers:
            return None
        sizes = [len(self.encoded.dictionaries[n]) for n in numbers if n is not None]
        return [(0, size) for size in sizes] if prod(sizes) <= most else None

    @property
    def _numbers(self) -> range:
        return range(len(self.signature.outputs))

    def _by_rows(
        self, ranges: Sequence[tuple[int, int]], tables: Sequence[Ranges | None]
    ) -> list[_Piece]:
        """A piece for each range of rows."""
        outputs = self.signature.outputs
        many = self.items(0, self.rows) > self.rows
        whole = [
            None
            if output.kind not in _SHARED or (many and output.kind == "rows")
            else _new_columns(output, self.rows)
            for output in outputs
        ]
        return [
            _Piece(outputs, *rows, whole, tables=tables, items=self.items(*rows)) for rows in ranges
        ]

    def items(self, begin: int, end: int) -> int:
        """How many rows the lists of some rows of the source have."""
        if self.signature.source.constant is not None:
            return 0
        number = self.signature.source.argument
        slot, value = self.signature.arguments[number], self.encoded.arguments[number]
        if not isinstance(slot, BagSlot):
            return 0
        pairs = zip(slot.columns, cast(Batch, value), strict=True)
        lists = [column for element, column in pairs if items_of(element) is not None]
        return max([0, *[int(c.lengths[begin:end].sum()) for c in lists if isinstance(c, Lists)]])

    def _by_keys(self, sample: _Piece, tables: Sequence[Ranges | None], parts: int) -> list[_Piece]:
        """A piece for the keys of each thread, which goes through all rows, if keys are many.

        So does each where a monoid is the program's own: what threads made cannot be combined.
        """
        signature, rows = self.signature, self.rows
        found = max(sample.counts[1:-1])
        few = FEW * found < SAMPLE or all(table is not None for table in tables)
        if parts < 2 or not signature.by_keys or signature.weight > LIGHT:
            return []
        if few and signature.shared:
            return []
        room = int(_SPARE * _key_count(rows, found) / parts)
        outputs = signature.outputs
        return [_Piece(outputs, 0, rows, part=(k, parts), room=room) for k in range(parts)]

    def _is_sorted_sooner(self, sample: _Piece) -> bool:
        """Return whether rows that are grouped as they are have more keys than stay in caches.

        A word of the keys of each, and of where it stands, is sorted sooner then than keys are
        looked for all over a large table; if they lie close together, places for them are not.
        """
        (output, *others), given = self.signature.outputs, self.signature.given
        if others or not given or output.kind != "groups" or output.widths:
            return False
        keys = _key_count(self.rows, max(sample.counts[1:-1]))
        if keys < (MANY_FOLDED if output.values else MANY_KEYS) or OWN in output.monoids:
            return False
        columns = self._given_columns[: len(output.keys)]
        if any(column.dtype.kind not in "iu" for column in columns):
            return False
        extents = [int(column.max()) - int(column.min()) + 1 for column in columns]
        if output.has_table and prod(extents) <= MOST_PLACES * self.rows:
            return False
        places = self.rows if output.values else 1
        return prod(extents) * places < MOST_WORDS

    @property
    def _given_columns(self) -> Batch:
        """The columns of the source that are grouped as they are."""
        batch = cast(Batch, self.encoded.arguments[self.signature.source.argument])
        return project(batch, self.signature.given)

    def _sorted(self) -> Batch:
        """Return the groups of the rows, by a sort."""
        (output,) = self.signature.outputs
        made = group_reduce(self._given_columns, len(output.keys), output.monoids)
        return decode(self.encoded, output.columns, made)

    def _carry(self, pieces: Sequence[_Piece]) -> None:
        """Let the scans of each piece begin with what the rows before it come to."""
        calls: list[list[Any]] = []
        for piece in pieces[:-1]:
            piece.folds = True
            calls.append([*self.words, *piece.words(by_keys=False), *self._goes_through])
        share(self.entry, calls, self.work)
        for number, output in enumerate(self.signature.outputs):
            if output.kind != "scan":
                continue
            (monoid,) = output.monoids
            cells = [piece.made[number][0] for piece in pieces]
            folded = [cell.copy() for cell in cells[:-1]]
            for cell, total in zip(
                cells[1:], accumulate(folded, partial(combine_values, monoid)), strict=True
            ):
                cell[:] = total
        for number, piece in enumerate(pieces):
            piece.folds, piece.carried = False, number > 0

    @property
    def _goes_through(self) -> list[bool]:
        """What says that a call is not to make chains, if there are such."""
        return [False] if self.signature.matched else []

    def _run(self, pieces: Sequence[_Piece]) -> None:
        """Go through the rows of all pieces."""
        by_keys, points = self.signature.by_keys, self.work
        left = list(pieces)
        goes_through = self._goes_through
        while left:
            calls = [[*self.words, *piece.words(by_keys=by_keys), *goes_through] for piece in left]
            share(self.entry, calls, points)
            _check(pieces)
            left = [piece for piece in left if piece.goes_on()]


def _key_count(rows: int, found: int) -> int:
    """About how many keys there are in so many rows, by how many a sample has.

    Of n rows with keys out of D that are equally frequent about n^2 / 2D have the key of another
    one (the birthday problem).
    """
    return min(rows, SAMPLE * SAMPLE // (2 * max(1, SAMPLE - int(found))))


def _check(pieces: Sequence[_Piece]) -> None:
    """Raise `_RowFailed` if a row of a piece has."""
    if any(piece.counts[-1] for piece in pieces):
        raise _RowFailed


def _packed(output: Output, batch: Batch) -> Batch:
    """The keys of groups and their values, of which some are tuples."""
    keys = len(output.keys)
    codes = [BY_ELEMENT[element].code for element in output.values]
    columns = list(batch[:keys])
    for width, end in zip(output.widths, accumulate(output.widths), strict=True):
        own = batch[keys + end - width : keys + end]
        columns.append(own[0] if width == 1 else pack(own, ("tuple", *codes[end - width : end])))
    return tuple(columns)


def list_columns(output: Output) -> dict[int, list[str]]:
    """The elements of the items of the columns that are lists which rows make."""
    found = {place: items_of(element) for place, element in enumerate(output.columns)}
    return {place: items for place, items in found.items() if items is not None}


def _stored_dtypes(output: Output) -> list[np.dtype[Any]]:
    """The types of the columns that are stored, two for lists, and counts for keys of lists."""
    if output.kind == "lists":
        return [*[column_dtype(element) for element in output.keys], COUNT]
    lists = list_columns(output)
    return [
        dtype
        for place, element in enumerate(output.columns)
        for dtype in ([_SPAN, _SPAN] if place in lists else [column_dtype(element)])
    ]


def _new_columns(output: Output, count: int) -> list[Array]:
    """Columns with room for so many rows, or keys and counts of the rows that these have."""
    dtypes = _stored_dtypes(output)
    reserve(count * sum(dtype.itemsize for dtype in dtypes), "{} rows", count)
    return [memory.empty([count], dtype) for dtype in dtypes]


class _Piece:
    """A part of the rows, or of the keys, and the buffers for what is made of them.

    `whole` are the columns that all pieces share, of the outputs that have such. A piece of which
    more rows come than it has of the source has columns of its own then.
    """

    def __init__(
        self,
        outputs: Sequence[Output],
        begin: int,
        end: int,
        whole: Sequence[list[Array] | None] = (),
        part: tuple[int, int] = (0, 1),
        room: int = 0,
        tables: Sequence[Ranges | None] = (),
        items: int = 0,
    ):
        items = max(items, end - begin)
        self.begin, self.end, self.part = begin, end, part
        self.whole = list(whole)
        self.counts = np.zeros(2 + len(outputs), np.int64)
        """The row that comes next, how many rows each output has, and 1 if a row has failed."""
        self._outputs = outputs
        self._next, self._fresh = begin, True
        self.folds = self.carried = False
        """Whether scans alone fold it; whether these begin with what their outputs hold."""
        self._slots: dict[int, Array] = {}
        self.made = [
            self._buffers(output, own, room, items) for output, own in zip_longest(outputs, whole)
        ]
        self.items = [
            [GrowingColumns([column_dtype(e) for e in own], items) for own in elements.values()]
            for elements in map(list_columns, outputs)
        ]
        self.tables: dict[int, _Table] = {}
        self.lists: dict[int, Collected] = {}
        rows = end - begin if part[1] == 1 else int(_SPARE * (end - begin) / part[1])
        for number, (output, ranges) in enumerate(zip_longest(outputs, tables)):
            ranges = ranges or [(0, 0)] * (len(output.keys) if output.has_table else 0)
            if output.kind == "lists":
                self.lists[number] = Collected(output, ranges, rows)
            elif output.has_table:
                self.tables[number] = _Table(output, ranges)

    def _buffers(
        self, output: Output, whole: list[Array] | None, room: int, items: int
    ) -> list[Array]:
        rows = self.end - self.begin
        match output.kind:
            case "reduce" | "scan":  # A cache line each.
                return [np.empty(8, ELEMENTS[element].dtype)[:1] for element in output.values]
            case "placed" | "vector" if whole is not None:
                return whole
            case "some" | "rows" if whole is not None:
                return [column[self.begin : self.end] for column in whole]
            case "groups" | "lists":
                return _new_columns(output, max(1, min(rows, room or FIRST_GROUPS)))
            case "rows":
                return _new_columns(output, max(1, rows, items))
            case _:
                return _new_columns(output, max(1, rows))

    def go_to(self, begin: int, end: int) -> None:
        """Go on with other rows."""
        self._next, self.end = begin, end

    def words(self, *, by_keys: bool) -> list[Any]:
        """The arguments of a call behind those of the program."""
        words: list[Any] = []
        for number, (output, columns) in enumerate(zip(self._outputs, self.made, strict=True)):
            if output.kind in ("reduce", "scan"):
                words += [pass_tensor(part)[0] for part in columns]
                continue
            words += [word for column in columns for word in pass_tensor(column)]
            words += [word for lists in self.items[number] for word in lists.words()]
            if output.kind in KEYED:
                words += pass_tensor(self._empty_slots(number, len(columns[0])))
                if (more := self.lists.get(number) or self.tables.get(number)) is not None:
                    words += more.words()
        words += pass_tensor(self.counts)
        words += [self._fresh, self._next, self.end, *(self.part if by_keys else ())]
        if any(output.kind == "scan" for output in self._outputs):
            words += [self.folds, self.carried]
        return words

    def _empty_slots(self, number: int, capacity: int) -> Array:
        """Return at least twice as many slots as there is room for keys, a power of two."""
        size = 2 << (capacity - 1).bit_length()
        slots = self._slots.get(number)
        if slots is None or len(slots) != size:
            reserve(4 * size, "a table of {} keys", capacity)
            slots = self._slots[number] = memory.empty([size], _PLACE)
        slots.fill(-1)
        return slots

    def goes_on(self) -> bool:
        """Whether rows are left behind a call; there is more room for what they make then."""
        self._next, self._fresh = int(self.counts[0]), False
        if self._next >= self.end:
            self._slots.clear()
            return False
        limited = [n for n, output in enumerate(self._outputs) if output.kind in ("rows", *KEYED)]
        full = [n for n in limited if self._is_full(n)]
        growing = [lists.rows for lists in self.lists.values()]
        growing += [lists for own in self.items for lists in own]
        crowded = [columns for columns in growing if columns.is_full(SPARE_PART)]
        known = bool(full or crowded)
        for number in full if known else limited:
            self._enlarge(number)
        for columns in crowded if known else growing:
            columns.enlarge()
        return True

    def collected_part(self, number: int) -> Part:
        """What an output has collected for the keys that were met."""
        *keys, counts = [column[: int(self.counts[1 + number])] for column in self.made[number]]
        return Part(tuple(keys), counts, self.lists[number])

    def ranges_of_keys(self, number: int, rows: int) -> Ranges | None:
        """The ranges that the columns of the keys found so far span.

        None where there are more keys in them than so many rows, or there is no table for them.
        """
        count = int(self.counts[1 + number])
        output = self._outputs[number]
        if not output.has_table or not count:
            return None
        columns = [column[:count] for column in self.made[number][: len(output.keys)]]
        ranges = [(int(c.min()), int(c.max()) - int(c.min()) + 1) for c in columns]
        return ranges if prod(extent for _, extent in ranges) <= rows else None

    def _is_full(self, number: int) -> bool:
        capacity, count = len(self.made[number][0]), int(self.counts[1 + number])
        return SPARE_PART * (capacity - count) < capacity

    def _enlarge(self, number: int) -> None:
        columns, count = self.made[number], int(self.counts[1 + number])
        if GROWTH * len(columns[0]) >= MOST_ROWS and self._outputs[number].kind in KEYED:
            raise OutOfMemory(f"{count} groups or more")
        larger = _new_columns(self._outputs[number], GROWTH * len(columns[0]))
        for new, old in zip(larger, columns, strict=True):
            new[:count] = old[:count]
        self.made[number] = larger
        if self.whole:
            self.whole[number] = None


class _Table:
    """A place for each key whose columns are within ranges, beside the hash table of an output."""

    def __init__(self, output: Output, ranges: Ranges):
        self.ranges, self.monoids = ranges, output.monoids
        self.keys = [column_dtype(element) for element in output.keys]
        dtypes = [column_dtype(element) for element in output.values]
        extent = prod(extent for _, extent in ranges)
        reserve(extent * (1 + sum(t.itemsize for t in dtypes)), "a table of {} keys", extent)
        self.seen = np.zeros(extent, np.bool_)
        self.values = [memory.empty([extent], dtype) for dtype in dtypes]
        for monoid, column in zip(output.monoids, self.values, strict=True):
            if monoid != ANY:
                column.fill(identity(monoid, column.dtype))

    def words(self) -> list[Any]:
        """The arguments of a call."""
        words = [word for column in self.values for word in pass_tensor(column)]
        bounds = [bound for span in self.ranges for bound in span]
        return [*words, *pass_tensor(self.seen), *bounds]

    def add(self, other: _Table) -> None:
        """Combine the values with those of a table of later rows."""
        for monoid, column, later in zip(self.monoids, self.values, other.values, strict=True):
            if monoid == ANY:
                np.copyto(column, later, where=other.seen)
            else:
                ufunc(monoid)(column, later, out=column)
        self.seen |= other.seen

    def rows(self) -> Batch:
        """The keys that were seen, ascending, and their values."""
        places = np.flatnonzero(self.seen)
        keys = keys_at(self.ranges, places, self.keys)
        if len(places) == len(self.seen):
            return (*keys, *self.values)
        return (*keys, *[memory.taken(column, places) for column in self.values])


def _joined_items(
    output: Output, number: int, pieces: Sequence[_Piece]
) -> dict[int, tuple[Array, ...]]:
    """The items of all lists that rows have made; where each begins is said of all of them."""
    places = list_columns(output)
    for nth, place in enumerate(places):
        column, base = place + nth, 0  # Each list before it has two columns.
        for piece in pieces:
            starts = piece.made[number][column]
            if output.kind == "placed" and piece.whole and piece.whole[number] is not None:
                starts = starts[piece.begin : piece.end]
            starts += base
            base += piece.items[number][nth].count
    return {
        place: tuple(
            [concatenated(columns) for columns in zip(*parts, strict=True)]
            if len(parts) > 1
            else parts[0]
        )
        for nth, place in enumerate(places)
        if (parts := [piece.items[number][nth].columns for piece in pieces])
    }


def _together(output: Output, number: int, pieces: Sequence[_Piece]) -> Any:
    """Return what the pieces made of an output."""
    parts = [piece.made[number] for piece in pieces]
    shared = all(piece.whole and piece.whole[number] is not None for piece in pieces)
    whole = pieces[0].whole[number] if shared else None
    if output.kind == "scan":
        parts = parts[-1:]
    if output.kind in ("reduce", "scan"):
        if len(parts) == 1:
            values = tuple([part[0] for part in parts[0]])
            codes = [BY_ELEMENT[element].code for element in output.values]
            return values[0] if len(values) == 1 else scalar(values, ("tuple", *codes))
        (monoid,) = output.monoids
        return reduce_all(monoid, np.concatenate([part for (part,) in parts]))
    if output.kind == "vector":
        assert whole is not None
        return whole[0]
    if output.kind == "placed" and whole is not None:
        return tuple(whole)
    counts = [int(piece.counts[1 + number]) for piece in pieces]
    if output.kind in ("some", "rows") and whole is not None:
        return _closed_up(whole, [piece.begin for piece in pieces], counts)
    codes = [dtype.str for dtype in _stored_dtypes(output)]
    batch = concat([_trimmed(part, n) for part, n in zip(parts, counts, strict=True)], codes)
    if output.kind == "groups" and len(pieces) > 1 and pieces[0].part[1] == 1:
        batch = group_reduce(batch, len(output.keys), output.monoids)
    tables = [piece.tables[number] for piece in pieces if number in piece.tables]
    if tables:
        first, *others = tables
        for other in others:
            first.add(other)
        batch = concat([first.rows(), batch], codes)
    return batch


def _closed_up(columns: Sequence[Array], begins: Sequence[int], counts: Sequence[int]) -> Batch:
    """Return so many rows of columns from each place on, one behind the other."""
    total = sum(counts)
    if _is_wasteful(columns, total):
        ranges = [slice(b, b + n) for b, n in zip(begins, counts, strict=True)]
        return tuple([concatenated([c[r] for r in ranges]) for c in columns])
    close_gaps(columns, begins, counts)
    return tuple([column[:total] for column in columns])


def _trimmed(columns: Sequence[Array], count: int) -> Batch:
    """The first rows of columns, which are let go if they are far longer."""
    if _is_wasteful(columns, count):
        return tuple([memory.copied(column[:count]) for column in columns])
    return tuple([column[:count] for column in columns])


def _is_wasteful(columns: Sequence[Array], count: int) -> bool:
    """Return whether columns are far longer than the rows that they hold."""
    return _WASTE * count < len(columns[0])

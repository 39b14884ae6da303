"""Numbers and strings of Python's lists, read by machine code where their objects have them."""

import ctypes
import datetime
import gc
import sys
from collections.abc import Sequence
from enum import IntEnum
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import pytest

from diablo.runtime.arrays import memory
from diablo.runtime.io import object_columns
from diablo.runtime.io.nested_values import columns_of
from diablo.runtime.io.object_columns import columns_of_objects
from diablo.runtime.native.object_calls import are_possible
from diablo.runtime.rows.string_column import Strings
from diablo.runtime.value_kinds import Kind, ListKind, ScalarKind, TupleKind

pytestmark = pytest.mark.skipif(not are_possible(), reason="objects are kept otherwise here")

BYTE, INT, UNSIGNED, DOUBLE, FLOAT, COMPLEX, BOOLEAN, CHARACTER, STRING = [
    ScalarKind(element)
    for element in ("int8", "i64", "uint64", "f64", "f32", "complex128", "i1", "i24", "string")
]
PAIR = TupleKind((INT, DOUBLE))
NAMED = TupleKind((STRING, INT))
NESTED = TupleKind((INT, TupleKind((DOUBLE, BOOLEAN)), STRING))
DEEP = TupleKind((INT, PAIR))
Number = IntEnum("Number", "ONE")
LEAST, MOST = -(2**63), 2**63 - 1


class Pair(NamedTuple):
    """A row that is more than a tuple."""

    a: int
    b: float


class Text(str):
    """A string that is more than one."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")


@pytest.mark.parametrize(
    ("values", "kind", "dtypes"),
    [
        ([1, -2, LEAST, MOST, 2**31], INT, ["i8"]),
        ([1, 2], UNSIGNED, ["u8"]),
        ([-128, 127], BYTE, ["i1"]),
        ([1.5, float("nan"), -0.0, float("inf")], DOUBLE, ["f8"]),
        ([1e300, 0.1], FLOAT, ["f4"]),
        ([1, 2, 3], DOUBLE, ["f8"]),
        ([1, 2.5, np.float64(3), 2**60 + 1, MOST], DOUBLE, ["f8"]),
        ([True, False], BOOLEAN, ["?"]),
        ([(1, 2.5), (3, -4.0)], PAIR, ["i8", "f8"]),
        ([[1, 2.5], (3, -4)], PAIR, ["i8", "f8"]),
        (["", "a", "bä\0", "\U0001f600" * 40, "x" * 1000], STRING, ["O"]),
        ([("k", 1), ("", 2), ("k", -3)], NAMED, ["O", "i8"]),
        ([(1, (2.5, True), "a"), [2, [3, False], "ü"]], NESTED, ["i8", "f8", "?", "O"]),
    ],
)
def test_columns_are_those_of_the_values(values: Any, kind: Kind, dtypes: list[str]):
    found = columns_of_objects(values, kind)
    assert found is not None
    assert [column.dtype for column in found] == dtypes
    rows = [_flat(value) for value in values]
    with np.errstate(over="ignore"):
        for column, expected in zip(found, zip(*rows, strict=True), strict=True):
            if isinstance(column, Strings):
                assert column.tolist() == list(expected)
                continue
            assert column.flags.c_contiguous
            np.testing.assert_array_equal(column, np.array(expected).astype(column.dtype))


LISTS: list[Any] = [
    ([[1, 2], [], (3,), ()], ListKind(INT)),
    ([[]], ListKind(DOUBLE)),
    ([[1.5, 2], [-0.0]], ListKind(FLOAT)),
    ([[True], [False, True]], ListKind(BOOLEAN)),
    ([[(1, 2.5), [3, 4]], []], ListKind(PAIR)),
    ([(1, [2.5], "a"), (2, (), "b")], TupleKind((INT, ListKind(DOUBLE), STRING))),
    ([([1], [(1, (2, 3.0))]), ([], [])], TupleKind((ListKind(INT), ListKind(DEEP)))),
]


@pytest.mark.parametrize(("values", "kind"), LISTS)
def test_lists_within_rows(monkeypatch: pytest.MonkeyPatch, values: Any, kind: Kind):
    read = columns_of_objects(values * 50, kind)
    assert read is not None
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    for a, b in zip(read, columns_of(values * 50, kind, "L", str), strict=True):
        assert a.tolist() == b.tolist()
        for own, other in zip(getattr(a, "values", ()), getattr(b, "values", ()), strict=True):
            assert own.dtype == other.dtype


@pytest.mark.parametrize("count", [1, 1000, 100_000])
def test_they_are_those_of_who_looks_at_each(monkeypatch: pytest.MonkeyPatch, count: int):
    random = np.random.default_rng(count)
    words: list[str] = ["", "ab", "ü", "the same", "z" * 300]
    rows: list[Any] = [
        (int(n), (float(x), bool(n % 2)), words[n % 5] * int(n % 3))
        for n, x in zip(random.integers(0, 1000, count), random.random(count), strict=True)
    ]
    read = columns_of(rows, NESTED, "L", str)

    def none(values: Any, kind: Kind) -> None:
        return None

    monkeypatch.setattr("diablo.runtime.io.nested_values.columns_of_objects", none)
    one_by_one = columns_of(rows, NESTED, "L", str)
    for a, b in zip(read, one_by_one, strict=True):
        assert a.tolist() == b.tolist()


def _flat(value: Any) -> list[Any]:
    if isinstance(value, tuple | list):
        return [leaf for part in cast("list[Any]", value) for leaf in _flat(part)]
    return [value]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([], INT),
        ((1, 2), INT),
        ([1, True], INT),
        ([True, 1], BOOLEAN),
        ([1.0, True], DOUBLE),
        ([1, 2.0], INT),
        ([1.0], INT),
        ([1, MOST + 1], INT),
        ([LEAST - 1], INT),
        ([2**70, 1.0], DOUBLE),
        ([1, -1], UNSIGNED),
        ([1, 128], BYTE),
        ([1, None], INT),
        ([1.0, np.float32(2)], DOUBLE),
        ([1, np.int64(2)], INT),
        ([1, Number.ONE], INT),
        ([1, datetime.date(2024, 1, 31)], INT),
        ([1j], COMPLEX),
        (["a"], CHARACTER),
        (["a", None], STRING),
        (["a", b"a"], STRING),
        (["a", Text("b")], STRING),
        (["a", "\ud800"], STRING),
        ([["a"]], ListKind(STRING)),
        ([[[1]]], ListKind(ListKind(INT))),
        ([[1], [1, 2.0]], ListKind(INT)),
        ([[1], None], ListKind(INT)),
        ([[1], {2}], ListKind(INT)),
        ([[1], np.array([2])], ListKind(INT)),
        ([[1], [128]], ListKind(BYTE)),
        ([[(1, 2.0)], [(1,)]], ListKind(PAIR)),
        ([[(1, 2.0)], [(1, "2")]], ListKind(PAIR)),
        ([(1, 2.0), (3, 4.0, 5)], PAIR),
        ([(1, 2.0, 3)], PAIR),
        ([(1, 2.0), (3,)], PAIR),
        ([(1, 2.0), ()], PAIR),
        ([(1, 2.0), Pair(3, 4.0)], PAIR),
        ([(1, 2.0), {1: 2.0}], PAIR),
        ([(1, 2.0), "ab"], PAIR),
        ([("a", 1), (1, "a")], NAMED),
        ([()], TupleKind(())),
    ],
)
def test_what_is_held_otherwise_is_left_to_others(values: Any, kind: Kind):
    assert columns_of_objects(values, kind) is None
    assert columns_of_objects(values, kind) is None  # No error is left behind.


def test_few_values_are_left_to_others(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "auto")
    kind = TupleKind((INT, INT, TupleKind((INT, DOUBLE))))
    rows = [(1, 2, (3, 4.0))] * 100
    assert columns_of_objects(rows, kind) is None
    monkeypatch.setattr(object_columns, "WORTH_READING", 1000)
    assert [columns_of_objects(rows, kind) is None for _ in range(4)][-1] is False
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    assert columns_of_objects(rows, kind) is None


def test_memory_is_asked_for_first(monkeypatch: pytest.MonkeyPatch):
    seen: list[int] = []

    def count(size: int, *_: Any) -> None:
        seen.append(size)

    monkeypatch.setattr(object_columns, "reserve", count)
    columns_of_objects([(1, 2.0)] * 10, PAIR)
    assert seen == [2 * 10 * (8 + 8)]


def _grow(values: list[float], *_: Any) -> None:
    values.append(2.5)


def test_a_list_that_grows_meanwhile_is_left_to_others(monkeypatch: pytest.MonkeyPatch):
    values = [1.5] * 10
    monkeypatch.setattr(object_columns, "reserve", partial(_grow, values))
    assert columns_of_objects(values, DOUBLE) is None
    assert len(values) == 11


def test_objects_are_let_go():
    rows = [(f"word {k}", k + 1000) for k in range(100)]
    word, refused = rows[3][0], [*rows, ("\ud800", 1)]
    gc.collect()
    before = sys.getrefcount(word), sys.getrefcount(rows[3])
    for _ in range(10):
        assert columns_of_objects(rows, NAMED) is not None
        assert columns_of_objects(refused, NAMED) is None
    assert (sys.getrefcount(word), sys.getrefcount(rows[3])) == before


def test_lists_that_another_thread_changes_meanwhile(monkeypatch: pytest.MonkeyPatch):
    values = [1] * 10
    apart = memory.apart

    def changing(shape: Sequence[int], dtype: np.dtype[Any]) -> Any:
        values.extend([2] * 100_000)
        return apart(shape, dtype)

    monkeypatch.setattr(memory, "apart", changing)
    assert columns_of_objects(values, INT) is None


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="there are no such strings")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_strings_that_have_their_characters_elsewhere():
    new: Any = ctypes.pythonapi.PyUnicode_FromUnicode
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_wchar_p, ctypes.c_ssize_t)
    characters: Any = ctypes.pythonapi.PyUnicode_AsUnicode
    characters.restype, characters.argtypes = ctypes.c_void_p, (ctypes.py_object,)
    text = new(None, 5)
    ctypes.memmove(characters(text), (ctypes.c_wchar * 5)(*"elder"), 20)
    assert text + "s" == "elders"
    columns = columns_of_objects(["a", text], STRING)
    assert columns is not None
    assert columns[0].tolist() == ["a", "elder"]

"""Numbers of Python's lists, read from the bytes that `marshal` writes of them."""

import datetime
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import pytest

from diablo.runtime.io.plain_numbers import columns_of_numbers
from diablo.runtime.value_kinds import Kind, ListKind, ScalarKind, TupleKind

BYTE, INT, UNSIGNED, DOUBLE, FLOAT, COMPLEX, BOOLEAN, CHARACTER, STRING = [
    ScalarKind(element)
    for element in ("int8", "i64", "uint64", "f64", "f32", "complex128", "i1", "i24", "string")
]
PAIR = TupleKind((INT, DOUBLE))
NESTED = TupleKind((INT, TupleKind((DOUBLE, BOOLEAN)), COMPLEX))
Number = IntEnum("Number", "ONE")
LEAST, MOST = -(2**31), 2**31 - 1


class Pair(NamedTuple):
    """A row that is more than a tuple."""

    a: int
    b: float


@pytest.mark.parametrize(
    ("values", "kind", "dtypes"),
    [
        ([1, -2, LEAST, MOST], INT, ["i8"]),
        ([1, 2], UNSIGNED, ["u8"]),
        ([-128, 127], BYTE, ["i1"]),
        ([1.5, float("nan"), -0.0, float("inf")], DOUBLE, ["f8"]),
        ([1e300, 0.1], FLOAT, ["f4"]),
        ([1, 2, 3], DOUBLE, ["f8"]),
        ([1 + 2j, -0j], COMPLEX, ["c16"]),
        ([True, False], BOOLEAN, ["?"]),
        ([(1, 2.5), (3, -4.0)], PAIR, ["i8", "f8"]),
        ([[1, 2.5], [3, -4.0]], PAIR, ["i8", "f8"]),
        ([(1, (2.5, True), 1j), (2, (3.5, False), 2j)], NESTED, ["i8", "f8", "?", "c16"]),
    ],
)
def test_columns_are_those_of_the_numbers(values: Any, kind: Kind, dtypes: list[str]):
    found = columns_of_numbers(values, kind)
    assert found is not None
    assert [column.dtype for column in found] == dtypes
    assert all(column.flags.c_contiguous and column.flags.aligned for column in found)
    rows = [_flat(value) for value in values]
    with np.errstate(over="ignore"):
        for column, expected in zip(found, zip(*rows, strict=True), strict=True):
            np.testing.assert_array_equal(column, np.array(expected, column.dtype))


def _flat(value: Any) -> list[Any]:
    return [leaf for part in value for leaf in _flat(part)] if np.iterable(value) else [value]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([], INT),
        ((1, 2), INT),
        ([1, True], INT),
        ([True, 1], BOOLEAN),
        ([1, 2.0], INT),
        ([1, 2.0], DOUBLE),
        ([1.0], INT),
        ([1, MOST + 1], INT),
        ([LEAST - 1], INT),
        ([1, -1], UNSIGNED),
        ([1, 128], BYTE),
        ([1, None], INT),
        ([1.0, np.float64(2)], DOUBLE),
        ([1, np.int64(2)], INT),
        ([1, Number.ONE], INT),
        ([1, datetime.date(2024, 1, 31)], INT),
        ([65], CHARACTER),
        (["a"], STRING),
        ([[1]], ListKind(INT)),
        ([(1, 2.0), [3, 4.0]], PAIR),
        ([(1, 2.0), (3, 4.0, 5)], PAIR),
        ([(1, 2.0, 3)], PAIR),
        ([(1, 2.0), (3,)], PAIR),
        ([(1, 2.0), Pair(3, 4.0)], PAIR),
        ([(1, 2.0), (3.0, 4)], PAIR),
        # As many bytes as the others, and other letters.
        ([(1, 2.0), (2.0, 1)], PAIR),
        ([True, None], BOOLEAN),
        ([(1, 2.0), {1: 2.0}], PAIR),
    ],
)
def test_what_is_not_alike_is_left_to_others(values: Any, kind: Kind):
    assert columns_of_numbers(values, kind) is None


def test_the_bytes_are_counted_before_they_are_written(monkeypatch: pytest.MonkeyPatch):
    seen: list[int] = []

    def count(size: int, *_: Any) -> None:
        seen.append(size)

    monkeypatch.setattr("diablo.runtime.io.plain_numbers.reserve", count)
    columns_of_numbers([(1, 2.0)] * 10, PAIR)
    assert seen == [2 * 10 * (5 + 5 + 9)]

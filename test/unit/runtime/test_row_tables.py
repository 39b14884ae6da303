"""Hash tables in words, against dictionaries; and as what maps of loops become."""

from __future__ import annotations

import pickle
import sys
from random import Random
from typing import Any

import numpy as np
import pytest

from diablo.diagnostics import RunError
from diablo.runtime import memory_limit
from diablo.runtime.native import row_tables
from diablo.runtime.native.row_tables import RowTable
from diablo.runtime.program.tables import float_key, table
from diablo.runtime.rows.batches import empty


@pytest.mark.parametrize("keys", [1, 2, 3])
@pytest.mark.parametrize("values", [0, 1, 2])
def test_rows_are_found_as_in_a_dictionary(keys: int, values: int):
    random = Random(10 * keys + values)
    known: dict[tuple[int, ...], list[int]] = {}

    def key() -> tuple[int, ...]:
        most = random.choice((3, 3, 2**63 - 1))
        return tuple(random.randint(-most - 1, most) for _ in range(keys))

    for _ in range(5):
        known[key()] = [random.randint(-9, 9) for _ in range(values)]
    first = np.array([[*k, *v] for k, v in known.items()], np.int64)
    found = RowTable(keys, first.reshape(len(known), keys + values))
    for _ in range(200):
        sought = key()
        assert found.find(sought) == known.get(sought)
        if random.random() < 0.6:
            known[sought] = [random.randint(-9, 9) for _ in range(values)]
            found.put([*sought, *known[sought]])
        assert len(found) == len(known)
    assert found.rows().tolist() == [[*k, *v] for k, v in known.items()]


def test_a_table_that_may_not_grow_says_so(monkeypatch: pytest.MonkeyPatch):
    found = RowTable(1, np.zeros((0, 2), np.int64))

    def refused(*_: Any) -> None:
        raise RunError("no memory")

    monkeypatch.setattr(row_tables, "reserve", refused)
    for key in range(16):
        found.put([key, key])
    for _ in range(2):
        with pytest.raises(RunError, match="no memory"):
            found.put([16, 0])
        assert found.find([16]) is None
        assert found.find([15]) == [15]
    monkeypatch.setattr(row_tables, "reserve", memory_limit.reserve)
    found.put([16, 7])
    assert found.find([16]) == [7]


DRAWN: dict[str, Any] = {
    "i8": lambda random: random.randint(-2, 9),
    "f8": lambda random: random.choice([0.0, -0.0, 1.5, float("nan"), float("inf")]),
    "b1": lambda random: random.random() < 0.5,
    "i4": lambda random: np.int32(random.randint(-2, 9)),
    "u8": lambda random: np.uint64(random.choice([1, 2**63 + 1, 2**64 - 1])),
}


@pytest.mark.parametrize(
    ("keys", "values"),
    [
        (("i8",), ("i8",)),
        (("i8", "f8"), ("f8",)),
        (("b1",), ("i4", "f8")),
        (("u8",), ("u8",)),
        (("f8",), ("b1",)),
    ],
)
def test_maps_are_the_same_in_words(keys: tuple[str, ...], values: tuple[str, ...]):
    random = Random(len(keys) + len(values))

    def drawn(codes: tuple[str, ...], *, key: bool) -> Any:
        parts = [DRAWN[code](random) for code in codes]
        parts = [float_key(p) if key and isinstance(p, float) else p for p in parts]
        return parts[0] if len(parts) == 1 else tuple(parts)

    for change in range(10):
        one, other = (table(empty((*keys, *values)), keys, values) for _ in range(2))
        for step in range(30):
            if step == change:
                assert other.in_words() is other.in_words() is not None
            key, value = drawn(keys, key=True), drawn(values, key=False)
            assert repr(one.find(key)) == repr(other.find(key))
            one[key] = other[key] = value
            assert len(one) == len(other)
        copied = pickle.loads(pickle.dumps(other))
        for left, *right in zip(one.entries(), other.entries(), copied.entries(), strict=True):
            assert {(each.dtype, each.tobytes()) for each in (left, *right)} == {
                (left.dtype, left.tobytes())
            }


def test_what_is_no_key_in_words():
    found = table((np.array([0.0, float_key(float("nan"))]), np.array([1, 2])), ("f8",), ("i8",))
    numbers = table((np.array([1]), np.array([2])), ("i8",), ("i8",))
    assert found.in_words() is not None
    assert numbers.in_words() is not None
    assert found.find(-0.0) == (1, True)
    assert found.find(float("nan")) == (0, False)
    assert found.find(float_key(float("nan"))) == (2, True)
    assert numbers.find(2**64 + 1) == numbers.find(-(2**63) - 1) == (0, False)
    assert table(empty(("U", "i8")), ("U",), ("i8",)).in_words() is None


def test_without_llvmlite_maps_stay_dictionaries(monkeypatch: pytest.MonkeyPatch):
    numbers = table((np.array([1]), np.array([2])), ("i8",), ("i8",))
    with monkeypatch.context() as patched:
        row_tables._functions.cache_clear()  # pyright: ignore[reportPrivateUsage]
        patched.setitem(sys.modules, "llvmlite.binding", None)
        assert numbers.in_words() is None
    numbers[1] = 3
    assert numbers.find(1) == (3, True)
    assert numbers.in_words() is not None
    assert numbers.find(1) == (3, True)

"""Rows with strings, lists and other lists inside, against models made of Python's lists."""

import pickle
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from row_models import (
    CODES,
    KEYS,
    VALUES,
    assert_types,
    batch_of,
    rows_of,
    tables,
)

from diablo.runtime import rows
from diablo.runtime.monoid_ufuncs import UserMonoid
from diablo.runtime.rows import sorting
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.sorting import sort_lists

Table = tuple[int, list[Any], list[tuple[Any, ...]]]


@given(tables())
def test_batches_hold_every_type(table: Table):
    _, codes, content = table
    batch = batch_of(content, codes)
    assert_types(batch, codes)
    assert rows_of(batch, codes) == content
    assert rows.length(batch) == len(content)
    assert_types(rows.empty(codes), codes)


@given(tables(), st.data())
def test_take_filter_and_slices(table: Table, data: st.DataObject):
    _, codes, content = table
    batch = batch_of(content, codes)
    count = len(content)
    where = data.draw(st.lists(st.integers(0, max(0, count - 1)), max_size=5 if count else 0))
    taken = rows.take(batch, np.array(where, np.int64))
    assert rows_of(taken, codes) == [content[i] for i in where]
    mask = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    kept = rows.filter(batch, np.array(mask, np.bool_))
    assert rows_of(kept, codes) == [row for row, keep in zip(content, mask, strict=True) if keep]
    a, b = data.draw(st.integers(0, count)), data.draw(st.integers(0, count))
    part = tuple(column[a:b] for column in batch)
    assert rows_of(part, codes) == content[a:b]
    assert rows_of(tuple(column[np.array(mask, bool)] for column in batch), codes) == rows_of(
        kept, codes
    )


@given(tables(), tables())
def test_concat(table: Table, other: Table):
    _, codes, content = table
    more = content[:2]
    batches = [batch_of(content, codes), batch_of([], codes), batch_of(more, codes)]
    whole = rows.concat(batches, codes)
    assert_types(whole, codes)
    assert rows_of(whole, codes) == content + more
    assert rows_of(rows.concat_rows(batches[0], batches[2]), codes) == content + more
    assert rows_of(rows.concat([], codes), codes) == []


@given(tables())
def test_pickles(table: Table):
    _, codes, content = table
    batch = batch_of(content, codes)
    assert rows_of(pickle.loads(pickle.dumps(batch)), codes) == content
    part = tuple(column[1:2] for column in batch)
    assert rows_of(pickle.loads(pickle.dumps(part)), codes) == content[1:2]


def test_a_slice_travels_alone():
    lists = rows.Lists((np.arange(100_000),), np.arange(0, 100_001, 10))
    assert len(pickle.dumps(lists[:2])) < 1000


def test_lists_are_columns():
    lists = rows.Lists((np.arange(4), np.array(list("abcd"), object)), np.array([0, 2, 2, 4]))
    assert (len(lists), lists.lengths.tolist()) == (3, [2, 0, 2])
    assert lists.tolist() == [[(0, "a"), (1, "b")], [], [(2, "c"), (3, "d")]]
    assert [column.tolist() for column in lists[2]] == [[2, 3], ["c", "d"]]
    assert [column.tolist() for column in lists[-1]] == [[2, 3], ["c", "d"]]
    assert lists[1:].values[0].tolist() == [2, 3]
    assert lists[::-1].tolist() == lists.tolist()[::-1]
    assert lists == lists[np.arange(3)]
    assert lists != lists[:2]
    assert repr(lists[:1]) == "Lists([[(0, 'a'), (1, 'b')]])"
    with pytest.raises(IndexError):
        lists[3]


@given(tables(), st.data())
def test_group_and_unnest(table: Table, data: st.DataObject):
    keys, codes, content = table
    width = data.draw(st.integers(1, len(codes) - keys))
    widths = [width, *[1] * (len(codes) - keys - width)]
    grouped = rows.group(batch_of(content, codes), keys, widths)
    model: dict[tuple[Any, ...], list[list[Any]]] = {}
    for row in content:
        lists = model.setdefault(row[:keys], [[] for _ in widths])
        position = keys
        for values, w in zip(lists, widths, strict=True):
            values.append(row[position : position + w] if w > 1 else row[position])
            position += w
    list_codes: list[Any] = []
    position = keys
    for w in widths:
        list_codes.append(("list", *codes[position : position + w]))
        position += w
    result_codes = [*codes[:keys], *list_codes]
    assert rows_of(grouped, result_codes) == [(*key, *model[key]) for key in sorted(model)]
    opened = rows.unnest(grouped, keys)
    inner = codes[keys : keys + width]
    assert sorted(
        map(repr, rows_of(opened[:keys] + opened[len(result_codes) :], [*codes[:keys], *inner]))
    ) == sorted(repr(row[: keys + width]) for row in content)


@given(tables(), st.data())
def test_group_reduce(table: Table, data: st.DataObject):
    keys, codes, content = table
    codes, content = [*codes, "i8", "U"], [(*row, i, f"s{i % 3}") for i, row in enumerate(content)]
    monoids = [*["any"] * (len(codes) - keys - 2), "add", "max"]
    groups: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for row in content:
        groups.setdefault(row[:keys], []).append(row)
    expected = [
        (
            *key,
            *groups[key][-1][keys:-2],
            sum(row[-2] for row in groups[key]),
            max(row[-1] for row in groups[key]),
        )
        for key in sorted(groups)
    ]
    assert rows_of(rows.group_reduce(batch_of(content, codes), keys, monoids), codes) == expected


@given(st.lists(st.sampled_from(KEYS), max_size=2), st.data())
def test_join(key_codes: list[Any], data: st.DataObject):
    keys = st.tuples(*[CODES[code] for code in key_codes])
    left_code, right_code = (data.draw(st.sampled_from(VALUES)) for _ in range(2))
    left = [(*k, v) for k, v in data.draw(st.lists(st.tuples(keys, CODES[left_code]), max_size=6))]
    right = [
        (v, *k) for k, v in data.draw(st.lists(st.tuples(keys, CODES[right_code]), max_size=6))
    ]
    width = len(key_codes)
    left_codes, right_codes = [*key_codes, left_code], [right_code, *key_codes]
    codes = left_codes + right_codes
    batches = batch_of(left, left_codes), batch_of(right, right_codes)
    columns = list(range(width)), list(range(1, width + 1))
    inner = rows.join(*batches, *columns)
    assert rows_of(inner, codes) == [a + b for a, b in product(left, right) if a[:width] == b[1:]]
    implicit = {"i8": 0, "f8": 0.0, "b1": False, "char": "\0", "U": ""}
    missing = tuple(implicit.get(code, []) for code in right_codes)
    outer = rows.join(*batches, *columns, outer=[None] * len(right_codes))
    expected = []
    for a in left:
        matches = [b for b in right if a[:width] == b[1:]] or [missing]
        expected += [a + b for b in matches]
    assert rows_of(outer, codes) == expected


def test_outer_join_with_values():
    left, right = batch_of([(1,), (2,)], ["i8"]), batch_of([(2, "x", 0.5)], ["i8", "U", "f8"])
    joined = rows.join(left, right, [0], [0], outer=[0, "none", 2.5])
    assert rows_of(joined, ["i8", "i8", "U", "f8"]) == [(1, 0, "none", 2.5), (2, 2, "x", 0.5)]


def test_number():
    assert rows.number((np.array([5, 5]),), 1 << 40)[1].tolist() == [1 << 40, (1 << 40) + 1]


@given(st.lists(st.lists(st.integers(-3, 3), max_size=5), max_size=6), st.integers(0, 3))
def test_list_reduce(values: list[list[int]], start: int):
    (lists,) = batch_of([(v,) for v in values], [("list", "i8")])
    lists, values = lists[start:], values[start:]
    assert rows.list_lengths(lists).tolist() == [len(v) for v in values]
    assert rows.list_reduce(lists, "add").tolist() == [sum(v) for v in values]
    low = np.iinfo(np.int64).min
    assert rows.list_reduce(lists, "max").tolist() == [max(v, default=low) for v in values]
    largest = UserMonoid("largest", -9, np.maximum, "i8")
    assert rows.list_reduce(lists, largest).tolist() == [max(v, default=-9) for v in values]


def test_literal_lists():
    a, b = np.array([1, 2]), np.array(["x", "y"], object)
    lists = rows.literal_lists(2, [(a, b), (7, "z")], ["i8", "U"])
    assert lists.tolist() == [[(1, "x"), (7, "z")], [(2, "y"), (7, "z")]]
    assert rows.literal_lists(2, [], ["i8"]).tolist() == [[], []]
    assert rows.literal_lists(0, [(a[:0],)], ["i8"]).tolist() == []
    (arrays,) = rows.literal_lists(2, [(rows.cell(a),)], [("tile", 1, "f8")]).values
    assert [array is a for array in arrays] == [True, True]
    inner = rows.literal_lists(2, [(a,), (a,)], ["f8"])
    assert rows.literal_lists(2, [(inner,)], [("list", "f8")]).tolist() == [
        [[1.0, 1.0]],
        [[2.0, 2.0]],
    ]


@pytest.mark.parametrize("code", ["i8", "f8", "b1", "U", ("tuple", "i8", "U"), ("list", "i8")])
def test_full(code: Any):
    value = {"U": "x", ("tuple", "i8", "U"): (1, "x"), ("list", "i8"): (np.array([1, 2]),)}.get(
        code, 1
    )
    column = rows.full(3, value, code)
    expected = [1, 2] if code == ("list", "i8") else value
    assert column.tolist() == [expected] * 3
    assert len(rows.full(0, value, code)) == 0


def test_a_scalar_extends_every_row():
    batch = rows.extend((np.array([1, 2]),), ["x", 0.5, np.array(["a", "b"], object)])
    assert [c.tolist() for c in batch[1:]] == [["x", "x"], [0.5, 0.5], ["a", "b"]]


def test_update():
    old = batch_of([("a", 1), ("b", 2)], ["U", "i8"])
    new = batch_of([("c", 7), ("b", 5), ("b", 6)], ["U", "i8"])
    codes = ["U", "i8"]
    assert rows_of(rows.update(old, new, 1), codes) == [("a", 1), ("b", 6), ("c", 7)]
    assert rows_of(rows.update(old, new, 1, "add"), codes) == [("a", 1), ("b", 13), ("c", 7)]
    assert rows_of(rows.update(rows.empty(codes), new, 1, "add"), codes) == [("b", 11), ("c", 7)]
    assert rows_of(rows.update(old, rows.empty(codes), 1), codes) == [("a", 1), ("b", 2)]


def test_pack_and_unpack():
    code = ("tuple", "i8", "U", "f8")
    packed = rows.pack((np.array([1, 2]), np.array(["a", "b"], object), 0.5), code)
    assert packed.tolist() == [(1, "a", 0.5), (2, "b", 0.5)]
    assert [part.tolist() for part in rows.unpack(packed)] == [[1, 2], ["a", "b"], [0.5, 0.5]]
    one = rows.pack((1, "a", 0.5), code)
    assert one.item() == (1, "a", 0.5)
    assert rows.unpack(one) == (1, "a", 0.5)
    assert pickle.loads(pickle.dumps(packed)).tolist() == packed.tolist()


def test_lists_of_repeated_rows_are_not_repeated():
    lists = rows.Lists((np.arange(1000),), np.array([0, 1000]))
    column = lists.take(np.zeros(100_000, np.int64))
    assert column.nbytes < 2_000_000
    assert column.lengths.sum() == 100_000_000
    again = pickle.loads(pickle.dumps(column))
    assert again.nbytes < 2_000_000
    assert again[99_999][0].tolist() == list(range(1000))
    assert column[:2].tolist() == [list(range(1000))] * 2


def test_lists_that_are_gone_through_are_repeated_when_they_are_asked_for():
    lists = rows.Lists((np.array([5, 6, 7]),), np.array([0, 2, 2, 3]))
    outer, numbers, _, values = rows.unnest((lists, np.array([1, 2, 3]), lists), 2)
    assert len(outer) == 3
    assert outer._view.counts is not None
    assert numbers.tolist() == [1, 1, 3]
    assert values.tolist() == [5, 6, 7]
    assert outer.tolist() == [[5, 6], [5, 6], [7]]
    assert outer._view.counts is None
    alone, _ = rows.unnest((lists,), 0)
    assert len(alone) == 3
    assert pickle.loads(pickle.dumps(alone)).tolist() == outer.tolist()
    assert alone.take(np.array([2, 0])).tolist() == [[7], [5, 6]]


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8"])
@pytest.mark.parametrize("limit", [None, 2, 0, 60])
@pytest.mark.parametrize("descending", [False, True])
def test_lists_are_sorted_by_machine_code_as_by_numpy(
    monkeypatch: pytest.MonkeyPatch, dtype: str, limit: int | None, descending: bool
) -> None:
    rng = np.random.default_rng(3)
    lengths = np.append(rng.integers(0, 9, 40), [49, 0, 120])
    values: Any = np.array(rng.integers(-3, 4, int(lengths.sum())), dtype)
    if dtype != "i8":
        values[::7] = np.nan
        values[::5] *= -1.0  # 0.0 and -0.0 are equal, and stay in their order.
    lists = Lists.of_lengths((values,), lengths).take(np.arange(len(lengths))[::-1])
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    wanted = sort_lists(lists, ((0, descending),), limit)
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    found = sort_lists(lists, ((0, descending),), limit)
    assert found.offsets.tolist() == wanted.offsets.tolist()
    np.testing.assert_array_equal(found.values[0], wanted.values[0])
    assert (np.signbit(found.values[0]) == np.signbit(wanted.values[0])).all()


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("limit", [None, 55])
@pytest.mark.parametrize("descending", [False, True])
def test_long_lists_are_sorted_together(
    monkeypatch: pytest.MonkeyPatch, dtype: str, limit: int | None, descending: bool
) -> None:
    """Of lists with -0.0, and of far longer ones, each is sorted by itself."""
    rng = np.random.default_rng(5)
    lengths = np.append(rng.integers(40, 140, 60), [5000, 0])
    values = np.array(rng.integers(0, 40, int(lengths.sum())), dtype)
    values[::37] = np.nan
    values[::41] = -np.inf
    values[:100][values[:100] == 3] = -0.0
    lists = Lists.of_lengths((values,), lengths).take(rng.permutation(len(lengths)))
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    wanted = sort_lists(lists, ((0, descending),), limit)
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setattr(sorting, "_AT_ONCE", 1000)
    alone: list[int] = []
    sorted_values = sorting._sorted_values  # pyright: ignore[reportPrivateUsage]

    def noted(column: Any, **how: bool) -> Any:
        alone.append(len(column))
        return sorted_values(column, **how)

    monkeypatch.setattr(sorting, "_sorted_values", noted)
    found = sort_lists(lists, ((0, descending),), limit)
    assert found.offsets.tolist() == wanted.offsets.tolist()
    np.testing.assert_array_equal(found.values[0], wanted.values[0])
    assert (np.signbit(found.values[0]) == np.signbit(wanted.values[0])).all()
    assert 5000 in alone
    assert len(alone) <= 4

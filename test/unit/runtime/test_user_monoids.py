"""Monoids of the program's own, wherever the name of a built-in one may stand."""

import pickle
from functools import reduce
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diablo.runtime import rows
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.monoid_ufuncs import UserMonoid, identity, reduce_all
from diablo.runtime.program import combine, route
from diablo.runtime.program.combining import Accumulator

PAIR = ("tuple", "f8", "i8")


def _smaller(x: Any, y: Any) -> Any:
    return np.where((x["f0"] < y["f0"]) | ((x["f0"] == y["f0"]) & (x["f1"] <= y["f1"])), x, y)


def _product(x: Any, y: Any) -> Any:
    return (x * y) % 7


def _longer(x: Any, y: Any) -> Any:
    length = rows.strings.length
    return np.where((length(x) > length(y)) | ((length(x) == length(y)) & (x <= y)), x, y)


ARGMIN = UserMonoid("argmin", (np.inf, -1), _smaller, PAIR)
MOD7 = UserMonoid("mod7", 1, _product, "i8")
LONGEST = UserMonoid("longest", "", _longer, "U")

pairs = st.tuples(st.sampled_from([0.5, 1.5, 2.5]), st.integers(0, 9))


def column(values: list[Any], code: Any) -> Any:
    if code == "U":
        return np.array(values, object)
    return np.array(values, [("f0", float), ("f1", int)] if code == PAIR else int)


def longest(texts: list[str]) -> str:
    return min(texts, key=lambda text: (-len(text), text), default="")


@given(st.lists(pairs, max_size=9))
def test_fold(values: list[Any]):
    expected = min(values, default=(np.inf, -1))
    assert rows.fold(column(values, PAIR), ARGMIN, PAIR).item() == expected
    assert identity(ARGMIN, PAIR).item() == (np.inf, -1)


@given(st.lists(st.tuples(st.sampled_from("ab"), pairs, st.integers(0, 6)), max_size=12))
def test_group_reduce(table: list[Any]):
    keys, values, numbers = zip(*table, strict=True) if table else ((), (), ())
    batch = (column(list(keys), "U"), column(list(values), PAIR), column(list(numbers), "i8"))
    groups: dict[str, list[Any]] = {}
    for key, *row in table:
        groups.setdefault(key, []).append(row)
    result = rows.group_reduce(batch, 1, [ARGMIN, MOD7])
    expected = [
        (
            key,
            min(v for v, _ in groups[key]),
            reduce(lambda a, b: a * b % 7, [n for _, n in groups[key]], 1),
        )
        for key in sorted(groups)
    ]
    assert list(zip(*[c.tolist() for c in result], strict=True)) == expected
    alone = rows.group_reduce(batch[1:], 0, [ARGMIN, MOD7])
    assert len(alone[0]) == (1 if table else 0)
    if table:
        assert alone[0][0].item() == min(values)


@given(st.lists(st.lists(st.sampled_from(["", "a", "b", "ccc", "dd"]), max_size=4), max_size=5))
def test_list_reduce(values: list[list[str]]):
    flat = [text for texts in values for text in texts]
    lists = rows.Lists.of_lengths((column(flat, "U"),), np.array([len(v) for v in values], int))
    assert rows.list_reduce(lists, LONGEST).tolist() == [longest(v) for v in values]


@given(st.lists(st.tuples(st.integers(-1, 4), pairs), max_size=10), st.booleans(), st.booleans())
def test_from_rows(table: list[Any], with_dest: bool, is_sparse: bool):
    index = column([i for i, _ in table], "i8")
    values = column([v for _, v in table], PAIR)
    model: list[Any] = [(0.0, 0)] * 4
    dest = None
    if with_dest:
        model = [(1.0, 5), (0.0, 0), (9.0, 9), (2.0, 1)]
        dest = column(model, PAIR)
        dest = SparseTile.from_dense(dest, 0) if is_sparse else dest
    for i in range(4):
        found = [v for j, v in table if j == i]
        if found:
            model[i] = min([*found, model[i]] if with_dest else found)
    tile = rows.from_rows(
        (index, values), (4,), 0 if is_sparse else 1, PAIR, monoid=ARGMIN, dest=dest
    )
    assert np.asarray(tile).tolist() == model


@given(st.lists(st.tuples(st.integers(0, 5), pairs), max_size=10))
def test_route_folds(table: list[Any]):
    batch = (column([i for i, _ in table], "i8"), column([v for _, v in table], PAIR))
    found: dict[int, Any] = {}
    for _, (index, values) in route((0,), (6,), 2, fold=ARGMIN)(batch):
        found |= zip(index.tolist(), values.tolist(), strict=True)
    assert found == {i: min(v for j, v in table if j == i) for i, _ in table}


def test_tiles_are_combined_element_by_element():
    a = column([(1.0, 1), (2.0, 2)], PAIR)
    b = column([(0.5, 3), (2.0, 1)], PAIR)
    expected = [(0.5, 3), (2.0, 1)]
    assert combine(ARGMIN)(a, b).tolist() == expected
    assert combine(ARGMIN)(a[0], b[0]).item() == (0.5, 3)
    sparse = combine(ARGMIN)(SparseTile.from_dense(a, 0), SparseTile.from_dense(b, 0))
    assert isinstance(sparse, SparseTile)
    assert sparse.toarray().tolist() == expected
    assert combine(ARGMIN)(SparseTile.from_dense(a, 0), b).tolist() == expected
    results = Accumulator(ARGMIN)
    for tile in (a, b, a):
        results.add(tile)
    assert results.value.tolist() == expected
    assert combine(LONGEST)("ab", "c") == "ab"
    assert combine(MOD7)(3, 4) == 5


@pytest.mark.parametrize("shape", [(3, 4), (1, 5), (4, 0), (0, 3), (7, 2)])
def test_axes_are_folded_away(shape: tuple[int, int]):
    tile = np.arange(shape[0] * shape[1]).reshape(shape) % 5 + 1
    for axis in (0, 1, (0, 1), None):
        expected = np.multiply.reduce(tile, axis=axis) % 7
        result = MOD7.reduce(tile, axis)
        np.testing.assert_array_equal(result, expected)
        assert np.ndim(result) == np.ndim(expected)
    strings = np.array(["a", "bb"], object).reshape(1, 2)
    assert MOD7.reduce(np.zeros((2, 0), int), 1).tolist() == [1, 1]
    assert LONGEST.reduce(strings) == "bb"
    assert LONGEST.reduce(strings, 0).tolist() == ["a", "bb"]


def test_the_order_of_combining_depends_on_the_number_alone():
    calls: list[tuple[list[str], list[str]]] = []

    def joined(x: Any, y: Any) -> Any:
        calls.append((x.tolist(), y.tolist()))
        return x + y

    text = UserMonoid("joined", "", joined, "U")
    assert reduce_all(text, column(list("abcde"), "U")) == "abcde"
    assert [len(x) for x, _ in calls] == [2, 1, 1]


def test_pickles():
    again = pickle.loads(pickle.dumps(ARGMIN))
    assert again.reduce(column([(2.0, 1), (1.0, 4)], PAIR)).item() == (1.0, 4)

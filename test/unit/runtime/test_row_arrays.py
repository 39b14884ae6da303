"""Columns that hold an array in every row, and tiles whose elements are no numbers."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from row_models import batch_of

from diablo.diagnostics import RunError
from diablo.runtime import rows
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tiles import assemble, split
from diablo.runtime.column_types import implicit, zeros

entries = st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3), st.integers(1, 9)), max_size=5)


@given(st.lists(st.tuples(entries, st.integers(0, 3), st.integers(0, 3)), max_size=4), st.data())
def test_build_arrays(table: list[Any], data: st.DataObject):
    dense_rank = data.draw(st.integers(0, 2))
    monoid = data.draw(st.sampled_from([None, "add", "max"]))
    (lists,) = batch_of([(row,) for row, _, _ in table], [("list", "i8", "i8", "i8")])
    extents = [np.array([n for _, n, _ in table], int), np.array([m for _, _, m in table], int)]
    arrays = rows.build_arrays(lists, extents, dense_rank, "f8", monoid=monoid)
    assert len(arrays) == len(table)
    for array, (found, n, m) in zip(arrays, table, strict=True):
        columns = [np.array([row[c] for row in found], int) for c in range(3)]
        expected = rows.from_rows(tuple(columns), (n, m), dense_rank, "f8", monoid=monoid)
        assert isinstance(array, SparseTile) == (dense_rank < 2)
        np.testing.assert_array_equal(np.asarray(array), np.asarray(expected))
        assert np.asarray(array).dtype == np.float64


def test_arrays_of_one_extent_and_a_destination():
    (lists,) = batch_of([([(0, 5.0)],), ([(2, 7.0), (0, 1.0)],)], [("list", "i8", "f8")])
    arrays = rows.build_arrays(lists, [3], 1, "f8")
    assert [a.tolist() for a in arrays] == [[5.0, 0.0, 0.0], [1.0, 0.0, 7.0]]
    more = rows.build_arrays(lists, [3], 1, "f8", monoid="add", dest=arrays)
    assert [a.tolist() for a in more] == [[10.0, 0.0, 0.0], [2.0, 0.0, 14.0]]
    with pytest.raises(RunError, match="cannot have -1 elements"):
        rows.build_arrays(lists, [-1], 1, "f8")


def column_of(arrays: list[Any]) -> Any:
    column = np.empty(len(arrays), object)
    for position, array in enumerate(arrays):
        column[position] = array
    return column


@given(st.data())
def test_extract_and_probe(data: st.DataObject):
    shapes = st.tuples(st.integers(0, 3), st.integers(0, 3))
    several = data.draw(st.lists(shapes, min_size=1, max_size=3))
    distinct: list[Any] = [
        np.arange(n * m, dtype=np.int64).reshape(n, m) + 100 * k for k, (n, m) in enumerate(several)
    ]
    if data.draw(st.booleans()):
        distinct[0] = SparseTile.from_dense(distinct[0] % 2, 1)
    which = data.draw(st.lists(st.integers(0, len(distinct) - 1), max_size=6))
    arrays = column_of([distinct[w] for w in which])
    index = st.lists(st.integers(-1, 3), min_size=len(which), max_size=len(which))
    i, j = (np.array(data.draw(index), int) for _ in range(2))
    values, found = rows.probe(arrays, (i, j), "i8")
    inside = [
        0 <= a < array.shape[0] and 0 <= b < array.shape[1]
        for array, a, b in zip(arrays, i, j, strict=True)
    ]
    expected = [
        np.asarray(array)[a, b] if ok else 0
        for array, a, b, ok in zip(arrays, i, j, inside, strict=True)
    ]
    assert found.tolist() == inside
    assert values.tolist() == expected
    assert values.dtype == np.int64
    kept = np.flatnonzero(inside)
    read = rows.extract(arrays[kept], (i[kept], j[kept]), "i8")
    assert read.tolist() == values[kept].tolist()
    if not all(inside):
        with pytest.raises(RunError, match=r"^p:1:1: the index \[-?\d, -?\d\] lies outside"):
            rows.extract(arrays, (i, j), "i8", at="p:1:1")
    assert rows.extents(arrays, 1).tolist() == [array.shape[1] for array in arrays]
    lists = rows.array_entries(arrays, 2, "i8")
    model = [list(zip(*[c.tolist() for c in rows.to_rows(array)], strict=True)) for array in arrays]
    assert lists.tolist() == model


def test_one_array_for_all_rows():
    tile = np.array([[1.5, 2.5], [3.5, 4.5]])
    assert rows.extract_one(tile, (np.array([0, 1]), 1), "f8").tolist() == [2.5, 4.5]
    values, found = rows.probe_one(tile, (np.array([0, 2]), np.array([0, 0])), "f8")
    assert (values.tolist(), found.tolist()) == ([1.5, 0.0], [True, False])
    with pytest.raises(RunError, match=r"the index \[2, 0\] lies outside the dimensions 2 x 2"):
        rows.extract_one(tile, (np.array([2]), 0), "f8")
    cells = column_of([np.array([1]), np.array([2, 3])])
    values, found = rows.probe_one(cells, (np.array([1, 2]),), ("tile", 1, "i8"))
    assert [v.tolist() for v in values] == [[2, 3], []]
    assert found.tolist() == [True, False]


def test_many_rows_may_share_an_array():
    array = np.arange(1_000_000)
    arrays = column_of([array] * 1000)
    assert rows.extract(arrays, (np.arange(1000),), "i8").tolist() == list(range(1000))


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("U", ["b", "c", "d"]),
        (("tuple", "f8", "i8"), [(0.5, 1), (0.0, 2), (2.5, 3)]),
        (("tuple", "U", "i8"), [("x", 0), ("", 1), ("z", 2)]),
        ("char", [98, 99, 100]),
        ("b1", [True, True, True]),
    ],
)
@pytest.mark.parametrize("dense_rank", [0, 1, 2])
def test_tiles_of_any_element(code: Any, values: list[Any], dense_rank: int):
    index = (np.array([0, 1, 1]), np.array([0, 1, 2]))
    (column,) = (rows.full(3, values[0], code),)
    for position, value in enumerate(values):
        column[position] = value
    tile = rows.from_rows((*index, column), (2, 3), dense_rank, code)
    zero = implicit(code)
    expected = [[values[0], zero, zero], [zero, values[1], values[2]]]
    assert np.asarray(tile).tolist() == expected
    assert isinstance(tile, SparseTile) == (dense_rank < 2)
    if dense_rank < 2:
        assert tile.nnz == 3
        assert rows.to_rows(tile)[-1].tolist() == values
    for block_size in (1, 2, None):
        parts = split(tile, block_size)
        whole = assemble(parts, (2, 3), block_size, dense_rank, code)
        assert np.asarray(whole).tolist() == expected
        some = assemble(parts[:1], (2, 3), block_size, dense_rank, code)
        assert np.asarray(some)[0, :1].tolist() == expected[0][:1]
    looked = rows.lookup(index, tile, (0, 1))
    assert looked[-1].tolist() == values
    *_, found, inside = rows.lookup(
        (np.array([0, 0, 5]), np.array([0, 1, 0])), tile, (0, 1), probe=True
    )
    assert (found.tolist(), inside.tolist()) == ([values[0], zero, zero], [True, True, False])
    empty = rows.from_rows(rows.empty(["i8", "i8", code]), (1, 2), dense_rank, code)
    assert np.asarray(empty).tolist() == [[zero, zero]]
    assert zeros((1, 2), code).tolist() == [[zero, zero]]


def test_tiles_of_arrays():
    code = ("tile", 1, "i8")
    cells = column_of([np.array([1, 2]), np.array([3, 4])])
    tile = rows.from_rows((np.array([2, 0]), cells), (3,), 1, code)
    assert [cell.tolist() for cell in tile] == [[3, 4], [], [1, 2]]
    assert rows.to_rows(tile)[1][0].tolist() == [3, 4]
    *_, found, inside = rows.lookup((np.array([2, 7]),), tile, (0,), probe=True, dtype=code)
    assert [cell.tolist() for cell in found] == [[1, 2], []]
    assert inside.tolist() == [True, False]
    sparse = rows.from_rows((np.array([2, 0]), cells), (3,), 0, code)
    assert sparse.nnz == 2
    assert [cell.tolist() for cell in sparse.toarray()] == [[3, 4], [], [1, 2]]

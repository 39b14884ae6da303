"""Column batches against models made of lists and dictionaries."""

import math
from collections import defaultdict
from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diablo.diagnostics import RunError
from diablo.runtime import rows
from diablo.runtime.arrays.tiles import SparseTile
from diablo.runtime.ordering import distinct
from diablo.runtime.program.layouts import with_layout

I64, F64 = np.int64, np.float64
COMBINE = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "min": min,
    "max": max,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
}
# Narrow keys take the table, wide ones the sort.
narrow = st.integers(-2, 3)
wide = st.sampled_from([-(2**62), -5, 0, 1, 10**6, 2**62])
floats = st.sampled_from([-1.5, -0.0, 0.0, 0.1, 1e300])
key_kinds = st.sampled_from([(narrow, I64), (wide, I64), (floats, F64), (st.booleans(), np.bool_)])


def batch_of(table: list[tuple], dtypes: list) -> rows.Batch:
    return tuple(np.array([row[c] for row in table], dtype) for c, dtype in enumerate(dtypes))


def rows_of(batch: rows.Batch) -> list[tuple]:
    return list(zip(*[column.tolist() for column in batch], strict=True))


@given(st.lists(key_kinds, max_size=3), st.data())
def test_join(kinds: list, data: st.DataObject):
    keys = st.tuples(*[kind for kind, _ in kinds])
    sides = st.lists(st.tuples(keys, st.integers(0, 99)), max_size=8)
    left = [(*k, v) for k, v in data.draw(sides)]
    right = [(float(v), *k) for k, v in data.draw(sides)]
    dtypes = [dtype for _, dtype in kinds]
    count = len(kinds)
    joined = rows.join(
        batch_of(left, [*dtypes, I64]),
        batch_of(right, [F64, *dtypes]),
        list(range(count)),
        list(range(1, count + 1)),
    )
    assert rows_of(joined) == [a + b for a in left for b in right if a[:count] == b[1:]]
    assert [c.dtype for c in joined] == [*dtypes, I64, F64, *dtypes]


def test_join_of_nan_keys():
    keys = np.array([1.0, math.nan, math.nan])
    assert rows_of(rows.join((keys,), (keys,), [0], [0])) == [(1.0, 1.0)]


def test_join_of_integers_with_floats():
    left, right = (np.array([1, 2, 3]),), (np.array([2.0, 2.5, 3.0]),)
    assert rows_of(rows.join(left, right, [0], [0])) == [(2, 2.0), (3, 3.0)]


@given(st.lists(key_kinds, min_size=0, max_size=3), st.data())
def test_group_reduce(kinds: list, data: st.DataObject):
    keys = st.tuples(*[kind for kind, _ in kinds])
    small = st.integers(-3, 3)
    table = data.draw(st.lists(st.tuples(keys, small, small, small, st.booleans()), max_size=12))
    flat = [(*key, *values) for key, *values in table]
    monoids = [
        data.draw(st.sampled_from(["add", "mul", "min", "max"])),
        "add",
        data.draw(st.sampled_from(["min", "max", "mul"])),
        data.draw(st.sampled_from(["and", "or"])),
    ]
    count = len(kinds)
    batch = batch_of(flat, [*[dtype for _, dtype in kinds], I64, F64, F64, np.bool_])
    result = rows.group_reduce(batch, count, monoids)
    groups: dict[tuple, list] = defaultdict(list)
    for row in flat:
        groups[row[:count]].append(row[count:])
    model = [
        (
            *key,
            *[
                reduce(COMBINE[m], column)
                for m, column in zip(monoids, zip(*group, strict=True), strict=True)
            ],
        )
        for key, group in sorted(groups.items())
    ]
    assert rows_of(result) == model
    assert [c.dtype for c in result] == [c.dtype for c in batch]


@given(
    st.lists(st.tuples(st.one_of(narrow, wide), st.integers(0, 2), floats, floats), max_size=9),
    st.integers(0, 1),
)
def test_the_greatest_place_says_which_row_is_kept(table: list, keys: int):
    kept: dict[tuple, tuple] = {}
    for row in sorted(table, key=lambda row: row[1:3]):
        kept[row[:keys]] = row[keys:]
    monoids = ["any", "place", "place", "any"][keys:]
    batch = batch_of(table, [I64, I64, F64, F64])
    found = rows_of(rows.group_reduce(batch, keys, monoids))
    assert found == [(*key, *row) for key, row in sorted(kept.items())]


@pytest.mark.parametrize("dense_rank", [0, 1])
def test_from_rows_keeps_the_row_of_the_greatest_places(dense_rank: int):
    index, first = np.array([0, 2, 0, 2, 5]), np.array([3, 1, 3, 0, 0])
    second, values = np.array([math.nan, 0.0, 7.0, 9.0, 1.0]), np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    batch = (index, first, second, values)
    tile = rows.from_rows(batch, (3,), dense_rank, F64, places=2)
    assert np.asarray(tile).tolist() == [1.0, 0.0, 2.0]
    tile = rows.from_rows((index, first, values), (3,), dense_rank, F64, places=1)
    assert np.asarray(tile).tolist() == [3.0, 0.0, 2.0]


@pytest.mark.parametrize("keys", [np.array([0, 0, 0]), np.array([2**61, 2**61, 2**61])])
def test_integer_sums_are_exact(keys: np.ndarray):
    values = np.array([2**60, 1, 2**60])
    assert rows.group_reduce((keys, values), 1, ["add"])[1].tolist() == [2**61 + 1]
    assert rows.fold(values, "add", I64) == 2**61 + 1


indices = st.integers(-2, 6)


@given(
    st.lists(st.tuples(indices, indices, st.integers(-4, 4)), max_size=12),
    st.integers(0, 2),
    st.sampled_from([None, "add", "mul", "min", "max"]),
    st.booleans(),
    st.sampled_from([I64, F64]),
)
def test_from_rows(table: list, dense_rank: int, monoid: str | None, updating: bool, dtype: type):
    extents, origins = (3, 4), (1, 2)
    dest = np.arange(-5, 20).reshape(5, 5).astype(dtype) if updating else None
    if dest is not None and dense_rank < 2:
        dest = SparseTile.from_dense(dest * (dest % 3 == 0), dense_rank)
    model = np.zeros(extents, dtype) if dest is None else np.array(dest)[:3, :4].copy()
    seen = set() if dest is None else set(np.ndindex(*extents))
    for row, column, value in table:
        index = (row - 1, column - 2)
        if not (0 <= index[0] < 3 and 0 <= index[1] < 4):
            continue
        fresh = monoid is None or index not in seen
        model[index] = value if fresh else COMBINE[monoid](model[index], value)
        seen.add(index)
    before = None if dest is None else np.array(dest)
    tile = rows.from_rows(
        batch_of(table, [I64, I64, dtype]),
        extents,
        dense_rank,
        dtype,
        monoid=monoid,
        dest=dest,
        origins=origins,
    )
    assert isinstance(tile, SparseTile) == (dense_rank < 2)
    assert tile.dtype == dtype
    np.testing.assert_array_equal(np.asarray(tile), model)
    if dest is not None:
        np.testing.assert_array_equal(np.array(dest), before)


@pytest.mark.parametrize("compile", ["always", "never"])
@pytest.mark.parametrize("dtype", [I64, F64, np.float32, np.int8])
def test_rows_are_added_to_a_vector(
    compile: str, dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", compile)
    batch = (np.array([2, -1, 0, 2, 3, 9]), np.array([1, 2, 3, 4, 5, 6], dtype))
    dest = np.array([10, 20, 30, 40], dtype)
    tile = rows.from_rows(batch, (3,), 1, dtype, monoid="add", dest=dest)
    assert tile.dtype == dtype
    assert np.asarray(tile).tolist() == [13, 20, 35]
    assert dest.tolist() == [10, 20, 30, 40]
    nothing = (batch[0][:0], batch[1][:0])
    same = rows.from_rows(nothing, (4,), 1, dtype, monoid="add", dest=dest)
    assert np.asarray(same).tolist() == dest.tolist()


@pytest.mark.parametrize("dense_rank", [0, 1])
@pytest.mark.parametrize("monoid", ["and", "or"])
def test_from_rows_of_booleans(dense_rank: int, monoid: str):
    batch = (np.array([0, 0, 1, 1]), np.array([True, False, True, True]))
    tile = rows.from_rows(batch, (3,), dense_rank, np.bool_, monoid=monoid)
    assert np.asarray(tile).tolist() == [monoid == "or", True, False]
    dest = np.array([True, False, True])
    updated = rows.from_rows(batch, (3,), dense_rank, np.bool_, monoid=monoid, dest=dest)
    assert np.asarray(updated).tolist() == [monoid == "or", monoid == "or", True]


REGION = np.array([[0, 1, 1], [1, 0, 0]], np.bool_)


@pytest.mark.parametrize(
    "layout", ["form = compressed", "form = bitmap", "form = auto, orders = [[1, 0]]"]
)
@pytest.mark.parametrize("updating", [False, True])
def test_from_rows_shares_the_pattern_that_they_fill(layout: str, updating: bool):
    """Of rows in any order; what is updated may have stored some of the indices, or all."""
    region = with_layout(SparseTile.from_dense(REGION, 1), layout)
    batch = (np.array([1, 0, 0]), np.array([0, 2, 1]), np.array([4.0, 3.0, 2.0]))
    expected = np.array([[0, 2, 3], [4, 0, 0]], F64)
    dests: list[SparseTile | None] = [None]
    if updating:
        some = SparseTile.from_dense(np.array([[0, 0, 1.0], [0, 0, 0]]), 1)
        own = SparseTile.from_dense(1.0 * REGION, 1)
        dests = [some, with_layout(own, layout)]
    for dest in dests:
        tile = rows.from_rows(batch, (2, 3), 1, F64, dest=dest, within=region)
        assert isinstance(tile, SparseTile)
        assert tile.pattern is region.pattern
        np.testing.assert_array_equal(tile.toarray(), expected)


@pytest.mark.parametrize(
    ("places", "values"),
    [
        (([0, 1], [1, 0]), [2.0, 4.0]),  # One is missing,
        (([0, 0, 1], [1, 2, 0]), [2.0, 0.0, 4.0]),  # is zero,
        (([0, 0, 1], [0, 2, 0]), [2.0, 3.0, 4.0]),  # is another.
    ],
)
def test_from_rows_with_other_indices_share_nothing(
    places: tuple[list[int], list[int]], values: list[float]
):
    region = SparseTile.from_dense(REGION, 1)
    batch = (*map(np.array, places), np.array(values))
    tile = rows.from_rows(batch, (2, 3), 1, F64, within=region)
    assert isinstance(tile, SparseTile)
    assert tile.pattern is not region.pattern
    expected = np.zeros((2, 3))
    expected[places] = values
    np.testing.assert_array_equal(tile.toarray(), expected)
    assert tile.nnz == np.count_nonzero(values)
    smaller = rows.from_rows(batch, (2, 2), 1, F64, within=region)
    np.testing.assert_array_equal(np.asarray(smaller), expected[:, :2])


@given(st.lists(st.tuples(indices, indices), max_size=10), st.integers(0, 2), st.booleans())
def test_lookup(table: list, dense_rank: int, stored: bool):
    array = np.array([[0.0, 1, 0, 2], [3, 0, 0, 0], [0, 4, 5, 0]])
    tile = array if dense_rank == 2 else SparseTile.from_dense(array, dense_rank)
    found = rows.lookup(batch_of(table, [I64, I64]), tile, [1, 0], stored=stored, origins=(1, 2))
    model = [
        (j, i, array[i - 1, j - 2])
        for j, i in table
        if 0 <= i - 1 < 3
        and 0 <= j - 2 < 4
        and not (stored and dense_rank < 2 and array[i - 1, j - 2] == 0)
    ]
    assert rows_of(found) == model


def test_lookup_does_not_find_zeros():
    tile = SparseTile.from_coordinates([np.array([1])], np.array([0.0]), (3,), 0)
    batch = (np.array([0, 1, 2]),)
    assert rows_of(rows.lookup(batch, tile, [0], stored=True)) == []
    nothing = SparseTile.empty((3,), 0, F64)
    assert rows_of(rows.lookup(batch, nothing, [0], stored=True)) == []
    assert rows_of(rows.lookup(batch, nothing, [0])) == [(0, 0.0), (1, 0.0), (2, 0.0)]


@pytest.mark.parametrize("shape", [(4,), (2, 3), (2, 3, 2), (2, 1, 3, 2), (0, 3)])
def test_to_rows_and_back(shape: tuple[int, ...]):
    array = np.arange(math.prod(shape)).reshape(shape) % 3
    origins = tuple(range(10, 10 + len(shape)))
    for dense_rank in range(len(shape) + 1):
        tile = array if dense_rank == len(shape) else SparseTile.from_dense(array, dense_rank)
        batch = rows.to_rows(tile, origins)
        expected = [
            (*[i + o for i, o in zip(index, origins, strict=True)], int(array[index]))
            for index in np.ndindex(*shape)
            if dense_rank == len(shape) or array[index]
        ]
        assert rows_of(batch) == expected
        assert all(c.dtype == I64 for c in batch)
        back = rows.from_rows(batch, shape, dense_rank, I64, origins=origins)
        np.testing.assert_array_equal(np.asarray(back), array)


def test_concat():
    one, two = (np.array([1]), np.array([0.5])), (np.array([2]), np.array([1.5]))
    assert rows_of(rows.concat([one, two], [I64, F64])) == [(1, 0.5), (2, 1.5)]
    nothing = rows.concat([], [I64, np.bool_])
    assert [c.dtype for c in nothing] == [I64, np.bool_]
    assert rows.length(nothing) == 0
    assert rows.concat([nothing[:1], one[:1]], [F64])[0].dtype == F64


def test_filter_project_extend():
    batch = (np.array([1, 2, 3]), np.array([0.5, 1.5, 2.5]))
    assert rows_of(rows.filter(batch, batch[0] > 1)) == [(2, 1.5), (3, 2.5)]
    assert rows.filter(batch, batch[0] > 0) is batch
    assert rows_of(rows.filter(batch, np.bool_(False))) == []
    assert rows.filter(batch, True) is batch
    assert rows_of(rows.project(batch, [1, 0, 1])) == [(0.5, 1, 0.5), (1.5, 2, 1.5), (2.5, 3, 2.5)]
    assert rows_of(rows.extend(batch, [batch[0] * 2, np.int64(7)]))[0] == (1, 0.5, 2, 7)


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [((0, 3), [0, 1, 2, 3]), ((2, 1), []), ((0, 5, 2), [0, 2, 4]), ((3, 0, -2), [3, 1])],
)
def test_index_range(bounds: tuple[int, ...], expected: list[int]):
    (column,) = rows.index_range(*bounds)
    assert column.dtype == I64
    assert column.tolist() == expected


@pytest.mark.parametrize("step", [1, 2, -1, -3])
def test_expand(step: int):
    rng = np.random.default_rng(step + 5)
    labels, lower, upper = rng.random(9), rng.integers(-4, 5, 9), rng.integers(-4, 5, 9)
    end = 1 if step > 0 else -1
    expected = [
        (label, index)
        for label, a, b in zip(labels, lower, upper, strict=True)
        for index in range(a, b + end, step)
    ]
    assert list(zip(*rows.expand((labels,), lower, upper, step), strict=True)) == expected


def test_index_range_needs_a_step():
    with pytest.raises(RunError, match="step"):
        rows.index_range(0, 3, 0)


@pytest.mark.parametrize(
    ("monoid", "dtype", "expected"),
    [
        ("add", I64, 0),
        ("mul", F64, 1.0),
        ("min", F64, math.inf),
        ("max", np.float32, -math.inf),
        ("min", I64, 2**63 - 1),
        ("max", I64, -(2**63)),
        ("and", np.bool_, True),
        ("or", np.bool_, False),
    ],
)
def test_fold_of_nothing(monoid: str, dtype: type, expected: object):
    result = rows.fold(np.zeros(0, dtype), monoid, dtype)
    assert result == expected
    assert result.dtype == dtype


def test_fold():
    assert rows.fold(np.array([3, 1, 2]), "min", I64) == 1
    assert rows.fold((np.array([3.0, 2.0]),), "mul", F64) == 6.0
    assert rows.fold(np.array([True, False]), "or", np.bool_)
    assert math.isnan(rows.fold(np.array([1.0, math.nan]), "max", F64))


@pytest.mark.parametrize("high", [2, 50, 10**6, 2**62])
@pytest.mark.parametrize("dtype", [float, object])
def test_of_equal_positions_the_last_is_kept(high: int, dtype: type):
    random = np.random.default_rng(high)
    for count in (0, 1, 2, 700):
        flat, values = random.integers(0, high, count), random.random(count).astype(dtype)
        given = flat.copy(), values.copy()
        expected = dict(zip(flat.tolist(), values.tolist(), strict=True))
        found, kept = distinct(flat, values)
        assert found.tolist() == sorted(expected)
        assert kept.tolist() == [expected[key] for key in found.tolist()]
        np.testing.assert_array_equal(flat, given[0])
        np.testing.assert_array_equal(values, given[1])

"""What machine code does with compressed rows: merges, transposes, products, sorts, on threads.

Each is compared with what NumPy or SciPy gives, in the modes in which all or nothing is compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from diablo.runtime.arrays.gathering import gathered
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.layout import Layout
from diablo.runtime.arrays.patterns.making import of_positions
from diablo.runtime.arrays.patterns.row_merging import meet_of_rows, union_of_rows
from diablo.runtime.arrays.patterns.selection import some_of
from diablo.runtime.arrays.patterns.set_operations import difference, intersection, union
from diablo.runtime.arrays.patterns.statistics import measure, measure_lists
from diablo.runtime.arrays.patterns.transposition import by_columns
from diablo.runtime.arrays.row_checks import are_in_order, has_no_zero, largest_index
from diablo.runtime.arrays.scipy_sparse import tile_of_scipy
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels import compressed_products, matrix_products
from diablo.runtime.monoid_ufuncs import ufunc
from diablo.runtime.rows.list_by_list import combined
from diablo.runtime.rows.sorted_rows import tile_of_rows
from diablo.runtime.rows.tile_rows import from_rows

SHAPES = [(1, 1), (1, 40), (40, 1), (30, 20), (3, 500), (400, 7)]


@pytest.fixture(params=["1", "3"])
def compiled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """All is compiled, and cut for so many threads."""
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", request.param)
    return request.param


def some(shape: tuple[int, int], density: float, seed: int) -> np.ndarray:
    """Ascending positions, in some rows many and in others none."""
    rng = np.random.default_rng(seed)
    chosen = rng.random(shape) < density * rng.choice([0, 1, 4], (shape[0], 1))
    return np.flatnonzero(chosen)


def rows_of(flat: np.ndarray, shape: tuple[int, int]) -> Compressed:
    return Compressed.of_positions(flat, shape, 1)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("densities", [(0.2, 0.2), (0.0, 0.3), (0.3, 0.0), (0.02, 0.25)])
@pytest.mark.usefixtures("compiled")
def test_merged_rows(shape: tuple[int, int], densities: tuple[float, float]):
    one, other = (some(shape, density, seed) for seed, density in enumerate(densities))
    for merge, expected in (
        (union_of_rows, np.union1d(one, other)),
        (meet_of_rows, np.intersect1d(one, other)),
    ):
        merged = merge(rows_of(one, shape), rows_of(other, shape))
        assert merged is not None
        np.testing.assert_array_equal(merged.form.positions(), expected)
        for flat, entries in ((one, merged.left), (other, merged.right)):
            there = entries >= 0
            np.testing.assert_array_equal(there, np.isin(expected, flat))
            np.testing.assert_array_equal(flat[entries[there]], expected[there])


@pytest.mark.usefixtures("compiled")
def test_what_is_merged_otherwise():
    """Indices of 64 bits, other lists, and lists of other dimensions."""
    flat, shape = np.array([1, 5, 7]), (4, 3)
    rows = rows_of(flat, shape)
    wide = Compressed.of_positions(flat, shape, 1, 64)
    assert union_of_rows(rows, wide) is None
    assert meet_of_rows(wide, rows) is None
    one, other = of_positions(flat, shape, 1), of_positions(np.array([0, 5, 11]), shape, 0)
    np.testing.assert_array_equal(union(one, other).pattern.positions(), [0, 1, 5, 7, 11])


def test_nothing_is_compiled_before_it_pays(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    rows = rows_of(np.array([1, 5]), (4, 3))
    assert union_of_rows(rows, rows) is None
    assert tile_of_rows([np.arange(3)] * 2, np.ones(3), (3, 3), 1, "add") is None


@pytest.mark.usefixtures("compiled")
def test_few_entries_in_many_rows_are_hypersparse():
    shape = (1000, 1000)
    one, other = (of_positions(np.array(flat), shape, 1) for flat in ([5, 9000], [9000, 999_999]))
    rows = [type(one)(shape, rows_of(pattern.positions(), shape), 1) for pattern in (one, other)]
    assert union(*rows).pattern.form.name == one.form.name == "hypersparse"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.usefixtures("compiled")
def test_sets_of_one_order(shape: tuple[int, int]):
    """By columns as by rows; also what is left of one."""
    one, other = (of_positions(some(shape, 0.3, s), shape, 1, order=(1, 0)) for s in (1, 2))
    turned = [pattern.flat((1, 0)) for pattern in (one, other)]
    for operation, expected in (
        (union, np.union1d(*turned)),
        (intersection, np.intersect1d(*turned)),
        (difference, np.setdiff1d(*turned)),
    ):
        pattern = operation(one, other).pattern
        assert pattern.shape == shape
        np.testing.assert_array_equal(pattern.flat((1, 0)), expected)


def test_some_entries_of_lists():
    shape, flat = (30, 20), some((30, 20), 0.3, 3)
    pattern = of_positions(flat, shape, 1)
    for entries in (np.arange(0, len(flat), 2), np.arange(len(flat)), np.arange(3)):
        np.testing.assert_array_equal(some_of(pattern, entries).positions(), flat[entries])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.usefixtures("compiled")
def test_columns(shape: tuple[int, int]):
    rows = rows_of(some(shape, 0.3, 4), shape)
    matrix = sp.csr_array((np.arange(rows.count), rows.indices, rows.starts), shape).tocsc()
    found = by_columns(rows)
    np.testing.assert_array_equal(found.starts, matrix.indptr)
    np.testing.assert_array_equal(found.rows, matrix.indices)
    np.testing.assert_array_equal(found.entries, matrix.data)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.usefixtures("compiled")
def test_rows_are_looked_at(index: Any):
    def largest(starts: list[int], indices: list[int]) -> Any:
        return largest_index(np.array(starts, index), np.array(indices, index))

    def in_order(starts: list[int], indices: list[int]) -> Any:
        return are_in_order(np.array(starts, index), np.array(indices, index))

    assert largest([0, 2, 2, 4], [1, 5, 0, 5]) == 5
    assert largest([0, 1], [-1]) >= 2**63
    for starts in ([0, 3, 2, 4], [0, 2, 5, 4], [0, -1, 2, 4]):
        assert largest(starts, [1, 5, 0, 5]) is None
    for ascending in ([1, 5, 0, 5], [1, 5, 5, 6]):
        assert in_order([0, 2, 2, 4], ascending)
    for twice_or_back in ([5, 1, 0, 5], [1, 1, 0, 5], [1, 5, 5, 5]):
        assert not in_order([0, 2, 2, 4], twice_or_back)


@pytest.mark.usefixtures("compiled")
def test_rows_of_all_lengths_are_looked_at_in_blocks():
    # Of 60,000 entries one block has few rows and another one thousands.
    lengths = np.concatenate([np.full(20, 1500), np.tile([0, 1, 2], 10000)])
    starts = np.concatenate([[0], lengths.cumsum()]).astype(np.int32)
    indices = (np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)).astype(np.int32)
    assert largest_index(starts, indices) == 1499
    assert are_in_order(starts, indices)
    for entry in (1, 16384, 16385, 32768, 49151, len(indices) - 1):
        if entry in starts:
            continue
        twice = indices.copy()
        twice[entry] = twice[entry - 1]
        assert are_in_order(starts, twice) is False
    backward = starts.copy()
    backward[15000] += 2
    assert largest_index(backward, indices) is None


@pytest.mark.parametrize("mode", ["never", "always"])
def test_rows_are_in_order_in_all_modes(mode: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    for starts, indices, wanted in (
        ([0], [], True),
        ([0, 0, 0], [], True),
        ([0, 1], [3], True),
        ([0, 0, 2, 2, 4, 4], [1, 5, 0, 5], True),
        ([0, 0, 2, 2, 4, 4], [1, 5, 5, 5], False),
        ([0, 4], [1, 5, 0, 5], False),
        ([0, 2, 4], [5, 1, 6, 7], False),
    ):
        vectors = np.array(starts, np.int32), np.array(indices, np.int32)
        assert are_in_order(*vectors) is wanted


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "c16", "?"])
@pytest.mark.usefixtures("compiled")
def test_zeros_are_found(dtype: str):
    values = np.array([1, 3, 1, 2]).astype(dtype)
    assert has_no_zero(values)
    values[2] = 0
    assert not has_no_zero(values)
    if dtype == "f8":
        assert not has_no_zero(np.array([1.0, -0.0]))
        assert has_no_zero(np.array([np.nan, 5e-324, -np.inf]))


@pytest.mark.usefixtures("compiled")
def test_what_is_written_to_a_matrix_between_calls_is_seen():
    """SciPy keeps that entries are in order, and does not know when they no longer are."""
    matrix = sp.csr_array([[1.0, 2.0, 0.0], [0.0, 3.0, 4.0]])
    assert tile_of_scipy(matrix).nnz == 4
    assert matrix.has_canonical_format
    matrix.indices[:2] = [1, 0]
    np.testing.assert_array_equal(tile_of_scipy(matrix).toarray(), [[2, 1, 0], [0, 3, 4]])
    matrix.indices[:2] = [1, 1]
    np.testing.assert_array_equal(tile_of_scipy(matrix).toarray(), [[0, 3, 0], [0, 3, 4]])
    matrix.data[3] = 0
    assert tile_of_scipy(matrix).nnz == 2
    matrix.indices[2] = 3
    with pytest.raises(ValueError, match="the index 3 lies outside of 3 columns"):
        tile_of_scipy(matrix)
    matrix.indices[2] = -1
    with pytest.raises(ValueError, match="the index -1 lies outside"):
        tile_of_scipy(matrix)
    matrix.indptr[1] = 5
    with pytest.raises(ValueError, match="the starts of the rows decrease"):
        tile_of_scipy(matrix)


@pytest.mark.parametrize("shape", SHAPES)
def test_lists_are_measured_as_positions_are(shape: tuple[int, int]):
    patterns = [some(shape, density, 5) for density in (0.0, 0.2, 1.0)]
    i, j = np.divmod(np.arange(shape[0] * shape[1]), shape[1])
    patterns.append(np.flatnonzero((i - j >= -1) & (i - j <= 2)))
    for flat in patterns:
        rows = rows_of(flat, shape)
        found = measure_lists(rows.starts, rows.indices, shape, 1)
        assert found == measure(flat, shape, 1)
    assert found.diagonals == tuple(sorted(set((j - i)[patterns[-1]].tolist())))


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "f4", "i8", "f8", "c16", "O"])
@pytest.mark.parametrize("width", [np.int32, np.int64])
@pytest.mark.usefixtures("compiled")
def test_gathered(dtype: str, width: Any):
    values = np.arange(1, 60).astype(dtype)
    places = np.random.default_rng(0).integers(-1, 59, 1000).astype(width)
    expected = np.where(places < 0, values.dtype.type(0) if dtype != "O" else "", values[places])
    found = gathered(values, places)
    assert found.dtype == values.dtype
    assert found.tolist() == expected.tolist()
    assert gathered(values, places[:0]).tolist() == []
    assert gathered(values[:0], np.full(3, -1, width)).tolist() == [expected.dtype.type(0)] * 3 or (
        dtype == "O"
    )


def test_elements_are_gathered_by_numpy_before_it_pays(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    found = gathered(np.array([5.0, 7.0]), np.array([1, -1, 0], np.int32))
    assert found.tolist() == [7.0, 0.0, 5.0]


def uneven(rows: int, columns: int, seed: int, dtype: str) -> Any:
    """A CSR matrix with empty rows and long ones, and numbers that add up exactly."""
    flat = some((rows, columns), 0.2, seed)
    numbers = np.random.default_rng(seed).integers(-3, 4, len(flat)) * 0.5
    return SparseTile.from_positions(flat, numbers.astype(dtype), (rows, columns), 1).csr()


@pytest.mark.sampled(6)
@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "i8"])
@pytest.mark.parametrize("sizes", [(1, 1, 1), (20, 30, 25), (50, 3, 9000), (3, 40, 1), (70, 1, 70)])
@pytest.mark.usefixtures("compiled")
def test_products(sizes: tuple[int, int, int], dtype: str):
    rows, middle, columns = sizes
    a, b = uneven(rows, middle, 1, dtype), uneven(middle, columns, 2, dtype)
    expected = a.toarray() @ b.toarray()
    for left, right in ((a, b), (a.tocsc(), b.tocsc()), (a, b.tocsc())):
        found = matrix_products.product(left, right)
        assert found.has_canonical_format
        np.testing.assert_array_equal(found.toarray(), expected)
    dense = b.toarray()
    for right in (dense, np.asfortranarray(dense), np.repeat(dense, 2, axis=1)[:, ::2]):
        np.testing.assert_array_equal(matrix_products.product(a, right), expected)


@pytest.mark.usefixtures("compiled")
def test_products_store_no_zeros():
    a = sp.csr_array([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, np.nan, 2.0]])
    b = sp.csr_array([[1.0, 2.0], [-1.0, 3.0], [0.5, 0.0]])
    found = compressed_products.sparse_product(a, b, np.array([2, 0, 2]))
    assert found.indices.tolist() == [1, 0, 1]
    assert found.indptr.tolist() == [0, 1, 1, 3]
    np.testing.assert_array_equal(found.data, [5.0, np.nan, np.nan])


def test_wide_products_of_few_terms_are_left_to_scipy(compiled: str):
    a = sp.csr_array(([1.0], ([7], [3])), shape=(5000, 5))
    b = sp.csr_array(([2.0], ([3], [90_000])), shape=(5, 100_000))
    assert compressed_products.sparse_product(a, b, np.bincount([7], minlength=5000)) is None
    assert matrix_products.product(a, b).nnz == 1
    assert compiled


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4"])
@pytest.mark.parametrize("sizes", [(1, 1, 1), (20, 30, 25), (3, 40, 1), (70, 1, 70)])
@pytest.mark.usefixtures("compiled")
def test_masked_products(sizes: tuple[int, int, int], dtype: str):
    rows, middle, columns = sizes
    a, b, mask = [
        SparseTile.from_csr(uneven(*shape, seed, dtype))
        for seed, shape in enumerate(((rows, middle), (middle, columns), (rows, columns)))
    ]
    expected = (a.toarray() @ b.toarray()) * (mask.toarray() != 0)
    extents = rows, columns, middle
    for turned in (a, a.with_layout(Layout(orders=((1, 0),)))):
        found = matrix_products.masked_product(turned, b, mask, extents, 1)
        np.testing.assert_array_equal(found.toarray(), expected)
        assert found.elements.all()
        entries = found.pattern.entries_in(mask.pattern)
        # What is compressed by rows is made in the mask, and has to know where.
        assert (entries is not None) == (turned is a and dtype != "i4")
        if entries is not None:
            places = mask.pattern.find(found.pattern.positions())
            np.testing.assert_array_equal(entries, places)
    part = matrix_products.masked_product(a, b, mask, (rows, columns - 1, middle), 1)
    np.testing.assert_array_equal(part.toarray(), expected[:, :-1])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("dense_rank", [0, 1, 2])
@pytest.mark.parametrize("monoid", ["add", "mul", "max", None])
@pytest.mark.parametrize("dtype", ["f8", "i1", "c8", "f4"])
def test_tiles_of_rows(
    monoid: str | None, dtype: str, dense_rank: int, monkeypatch: pytest.MonkeyPatch
):
    if dtype == "c8" and monoid == "max":
        pytest.skip("complex numbers have no order")
    shape, count = (9, 4, 11), 300
    rng = np.random.default_rng(6)
    columns = [rng.integers(-1, extent + 1, count) for extent in shape]
    values = rng.integers(-2, 3, count).astype(dtype)
    tiles: list[SparseTile] = []
    for mode, threads in (("never", "1"), ("always", "1"), ("always", "3")):
        monkeypatch.setenv("DIABLO_COMPILE", mode)
        monkeypatch.setenv("DIABLO_THREADS", threads)
        made = from_rows((*columns, values), shape, dense_rank, dtype, monoid=monoid)
        assert isinstance(made, SparseTile)
        assert made.dense_rank == dense_rank
        assert made.elements.all()
        tiles.append(made)
    for tile in tiles[1:]:
        np.testing.assert_array_equal(tile.toarray(), tiles[0].toarray())
        assert tile.csr().has_canonical_format
        np.testing.assert_array_equal(tile.indices, tiles[0].indices)


@pytest.mark.parametrize("lists", [3, 500])
@pytest.mark.parametrize("monoid", ["add", None])
@pytest.mark.usefixtures("compiled")
def test_long_lists_of_rows(lists: int, monoid: str | None):
    """One of them is sorted by NumPy; many are sorted by counting, with all others."""
    rng = np.random.default_rng(lists)
    i, j = rng.integers(0, lists, 3000), rng.integers(0, 90, 3000)
    i[::4] = 0
    values = rng.integers(1, 9, 3000) * 0.5
    found = tile_of_rows((i, j), values, (lists, 90), 1, monoid)
    expected = np.zeros((lists, 90))
    if monoid is None:
        expected[i, j] = values
    else:
        np.add.at(expected, (i, j), values)
    assert found is not None
    np.testing.assert_array_equal(found.toarray(), expected)
    assert found.csr().has_canonical_format
    np.testing.assert_array_equal(found.indices, np.nonzero(expected)[1])


@pytest.mark.usefixtures("compiled")
def test_sorted_rows_keep_their_order():
    """The last of several rows counts, and so does the order in which terms are added."""
    rows = np.array([1, 0, 1, 1, 0]), np.array([2, 1, 2, 0, 1])
    last = tile_of_rows(rows, np.array([1.0, 2.0, 3.0, 4.0, 5.0]), (2, 3), 1, None)
    assert last is not None
    np.testing.assert_array_equal(last.toarray(), [[0, 5, 0], [4, 0, 3]])
    assert tile_of_rows(rows, np.array(list("abcde"), object), (2, 3), 1, None) is None
    assert tile_of_rows(rows, np.ones(5), (2, 1000), 1, None) is None


@pytest.mark.parametrize("monoid", ["add", "min", "max", "or", "and"])
@pytest.mark.parametrize("dtype", ["f8", "i8", "?", "f4", "c16"])
@pytest.mark.usefixtures("compiled")
def test_rows_that_come_list_by_list(dtype: str, monoid: str):
    """They are not sorted; of what there is no loop for, positions in the box are."""
    if (dtype == "?") != (monoid in ("or", "and")) or (dtype == "c16" and monoid != "add"):
        return
    for lists, length, count in ((1, 1, 1), (40, 70, 900), (3, 5000, 9000), (70, 60, 90)):
        rng = np.random.default_rng(count)
        i, j = np.sort(rng.integers(0, lists, count)), rng.integers(0, length, count)
        values = (rng.integers(-2, 3, count) * 1.0).astype(dtype)
        sparse_lists = lists * -(-length // 4096) <= 4 * count
        made = combined(i, j, values, lists, length, monoid)
        assert (made is not None) == (sparse_lists and dtype in ("f8", "i8", "?"))
        found = from_rows((i, j, values), (lists, length), 1, np.dtype(dtype).name, monoid=monoid)
        assert isinstance(found, SparseTile)
        flat, first = np.unique(i * length + j, return_index=True)
        order = np.argsort(i * length + j, kind="stable")
        starts = np.searchsorted((i * length + j)[order], flat)
        expected = np.zeros(lists * length, values.dtype)
        expected[flat] = ufunc(monoid).reduceat(values[order], starts)
        assert len(first) == len(flat)
        np.testing.assert_array_equal(found.toarray().reshape(-1), expected)
        assert found.nnz == np.count_nonzero(expected)
        assert found.csr().has_canonical_format


@pytest.mark.usefixtures("compiled")
def test_rows_that_are_not_combined_list_by_list():
    lists, places = np.array([0, 0, 1]), np.array([2, 0, 1])
    assert combined(lists, places, np.ones(3), 2, 3, None) is None
    assert combined(lists, places, np.ones(3), 2, 3, "multiply") is None
    assert combined(lists, places, np.ones(3), 2, 1 << 18, "add") is None
    by_list = np.array([0, 0, 1, 1, 2]), np.array([2, 0, 1, 1, 0])
    last = from_rows((*by_list, np.arange(5.0)), (3, 3), 1, "float64")
    np.testing.assert_array_equal(np.asarray(last), [[1, 0, 0], [0, 3, 0], [4, 0, 0]])

"""How patterns are stored: texts of layouts, widths, the choice of a form, shared vectors."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pattern_sizes import form_bytes, total_bytes
from pattern_traversal import links

from diablo.diagnostics import RunError
from diablo.format_table import FORMATS, class_at
from diablo.lowering.sparse_storage.kernel_form import Form as KernelForm
from diablo.runtime.arrays.patterns import merging, searching
from diablo.runtime.arrays.patterns.form_choice import bytes_of, choose, costs, form_class
from diablo.runtime.arrays.patterns.layout import Directory, Layout, parse
from diablo.runtime.arrays.patterns.making import (
    diagonals,
    full,
    of_coordinates,
    of_positions,
    of_rows,
)
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.selection import where
from diablo.runtime.arrays.patterns.set_operations import intersection, union, way_of
from diablo.runtime.arrays.patterns.statistics import measure
from diablo.runtime.arrays.patterns.variants import copied
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tiles import split
from diablo.runtime.kernels import arithmetic
from diablo.runtime.program.layouts import with_layout


def test_texts_of_layouts():
    text = "form = compressed, orders = [[0, 1], [1, 0]], directory = hash, width = 32"
    layout = parse(text)
    assert layout == Layout("compressed", ((0, 1), (1, 0)), Directory.HASH, 32)
    assert str(layout) == text
    assert parse(f"#sparse_storage.layout<{text}>") == layout
    assert parse("form = auto") == Layout()
    assert parse("form=band,orders=[[0,1]]") == Layout("band", ((0, 1),))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "orders = [[0, 1]]",
        "form = csr",
        "form = auto, width = 16",
        "form = auto, directory = tree",
        "form = auto, orders = [0, 1]",
        "form = auto, orders = [[0, 1]",
        "form = auto, width = 32, directory = hash",
    ],
)
def test_texts_that_are_no_layouts(text: str):
    with pytest.raises(ValueError, match="is not a layout"):
        parse(text)


def test_orders_of_another_rank():
    tile = SparseTile.from_dense(np.eye(3), 1)
    with pytest.raises(ValueError, match="not an order of 2 dimensions"):
        with_layout(tile, "form = auto, orders = [[0, 1, 2]]")
    dense = np.eye(3)
    assert with_layout(dense, "form = auto") is dense


def random_pattern(density: float, shape: tuple[int, ...] = (100, 100), seed: int = 0) -> Pattern:
    rng = np.random.default_rng(seed)
    flat = np.flatnonzero(rng.random(int(np.prod(shape))) < density)
    return of_positions(flat, shape)


@pytest.mark.parametrize(
    ("density", "text", "expected"),
    [
        (0.02, "form = auto", "compressed"),
        (0.5, "form = auto", "bitmap"),
        (0.95, "form = auto", "bitmap"),
        (1.1, "form = auto", "full"),
        (0.0005, "form = auto", "coordinates"),
        (0.05, "form = auto, directory = array", "bitmap"),
        (0.02, "form = auto, orders = [[1, 0]]", "compressed"),
        (0.5, "form = coordinates", "coordinates"),
        (0.5, "form = full", "bitmap"),
        (0.5, "form = band", "bitmap"),
    ],
)
def test_the_form_follows_the_statistics(density: float, text: str, expected: str):
    pattern = random_pattern(density)
    chosen = pattern.with_layout(parse(text))
    assert chosen.form.name == expected
    statistics = measure(chosen.form.positions(), chosen.form.shape, chosen.list_rank)
    assert choose(statistics, parse(text)) == expected
    cost = costs(statistics, parse(text))
    if parse(text).form != "coordinates":
        assert cost[expected] == min(cost.values())
    # What is foretold is what it takes.
    assert bytes_of(statistics)[expected] == chosen.form.nbytes
    assert chosen.same_set(pattern)


def test_few_long_rows_are_hypersparse():
    rows, columns = np.repeat([3, 50_000, 99_999], 200), np.tile(np.arange(200) * 7, 3)
    pattern = of_coordinates([rows, columns], (100_000, 5000))
    assert pattern.with_layout(parse("form = auto")).form.name == "hypersparse"


def test_few_entries_of_a_large_box_are_coordinates():
    points = of_coordinates([np.arange(20)] * 3, (512, 512, 512))
    chosen = points.with_layout(parse("form = auto"))
    assert (chosen.form.name, chosen.nbytes) == ("coordinates", 80)
    assert form_bytes(points)["coordinates"] == 80


def test_whole_diagonals_are_a_band_in_any_order():
    n = 1000
    i = np.repeat(np.arange(n), 3)
    j = i + np.tile([-2, 0, 5], n)
    inside = (j >= 0) & (j < n)
    pattern = of_coordinates([i[inside], j[inside]], (n, n))
    for orders in ("[[0, 1]]", "[[1, 0]]"):
        band = pattern.with_layout(parse(f"form = auto, orders = {orders}"))
        assert (band.form.name, band.nbytes) == ("band", 24)
        assert band.same_set(pattern)
    holed = where(pattern, lambda i, j: i != 7).pattern
    assert holed.with_layout(parse("form = auto")).form.name != "band"


@pytest.mark.parametrize(("extent", "wide"), [(2**31 - 1, False), (2**31, True), (2**40, True)])
@pytest.mark.parametrize("form", ["hypersparse", "coordinates"])
def test_indices_are_wide_where_they_must_be(extent: int, wide: bool, form: str):
    points = [np.array([0, 2, 2]), np.array([extent - 1, 5, extent - 2])]
    layout = parse(f"form = {form}")
    pattern = of_coordinates(points, (3, extent), layout=layout)
    vectors = pattern.form.vectors()
    index = vectors["indices" if form == "hypersparse" else "flat"]
    assert index.dtype == (np.int64 if wide or form == "coordinates" else np.int32)
    assert pattern.lookup(points).tolist() == [0, 1, 2]
    assert pattern.lookup([np.array([1, 2]), np.array([5, 6])]).tolist() == [-1, -1]
    assert [c.tolist() for c in pattern.coordinates((1, 0))] == [
        [2, 2, 0],
        [5, extent - 2, extent - 1],
    ]
    if form == "hypersparse":
        # Lists and places in them are counted by the vectors' length, however wide the box is.
        assert vectors["starts"].dtype == vectors["lists"].dtype == np.int32


def test_rows_at_the_limit():
    rows = 2**31 + 1
    pattern = of_coordinates([np.array([5, rows - 1]), np.array([1, 0])], (rows, 2), 1)
    assert pattern.form.name == "hypersparse"
    assert pattern.form.vectors()["lists"].dtype == np.int64
    assert pattern.positions().tolist() == [11, 2 * rows - 2]
    assert pattern.nbytes < 100


def test_width_is_a_wish():
    pattern = random_pattern(0.02)
    wide = pattern.with_layout(parse("form = compressed, width = 64"))
    assert all(vector.dtype == np.int64 for vector in wide.form.vectors().values())
    assert wide.nbytes == 2 * pattern.nbytes
    far = of_coordinates([np.array([2**40])], (2**41,))
    narrow = far.with_layout(parse("form = coordinates, width = 32"))
    assert narrow.form.vectors()["flat"].dtype == np.int64


def test_a_box_too_large_for_positions():
    with pytest.raises(RunError, match="too large for 64-bit positions"):
        of_coordinates([np.array([1])] * 3, (2**30,) * 3)


def test_both_orders_share_what_is_equal():
    symmetric = of_coordinates(
        [np.array([0, 0, 1, 2, 3]), np.array([1, 2, 0, 0, 3])], (4, 4), 1
    ).with_layout(parse("form = compressed, orders = [[0, 1], [1, 0]]"))
    # The lists are those of the first order; entries are searched for in it.
    assert symmetric.nbytes == symmetric.form.nbytes
    other = random_pattern(0.02).with_layout(parse("form = compressed, orders = [[0, 1], [1, 0]]"))
    starts = 4 * (other.shape[1] + 1)
    narrow = np.min_scalar_type(other.shape[0] - 1).itemsize
    assert other.nbytes == other.form.nbytes + starts + narrow * other.count
    for pattern in (symmetric, other):
        entries = pattern.entries((1, 0))
        assert entries is not None
        flat = pattern.flat((1, 0))
        assert (np.diff(flat) > 0).all()
        rows, columns = pattern.coordinates()
        np.testing.assert_array_equal(columns[entries] * pattern.shape[0] + rows[entries], flat)


@pytest.mark.parametrize(("rows", "bytes_of_index"), [(256, 1), (257, 2), (65536, 2), (65537, 4)])
@pytest.mark.parametrize("machine_code", [False, True])
def test_indices_of_a_second_order_are_narrow(
    rows: int, bytes_of_index: int, machine_code: bool, monkeypatch: pytest.MonkeyPatch
):
    """A row takes one or two bytes where these do, and entries are found all the same."""
    monkeypatch.setattr(searching, "WORTH_COMPILING", 0 if machine_code else 1 << 62)
    generator = np.random.default_rng(rows)
    count = rows // 2
    coordinates = [generator.integers(0, rows, count), generator.integers(0, 40, count)]
    both = parse("form = compressed, orders = [[0, 1], [1, 0]]")
    pattern = of_coordinates(coordinates, (rows, 40), 1).with_layout(both)
    assert pattern.nbytes == pattern.form.nbytes + 4 * 41 + bytes_of_index * pattern.count
    turned = pattern.turned((1, 0))
    entries = turned.entries()
    found, columns = pattern.coordinates()
    flat = columns[entries] * rows + found[entries]
    assert (np.diff(flat) > 0).all()
    np.testing.assert_array_equal(pattern.flat((1, 0)), flat)
    places = generator.integers(0, pattern.count, 50)
    np.testing.assert_array_equal(turned.entries_of(places), entries[places])
    assert len(turned.entries_of(places[:0])) == 0
    moved = pattern.with_layout(parse("form = compressed, orders = [[1, 0]]"))
    assert {vector.dtype for vector in moved.form.vectors().values()} == {np.dtype(np.int32)}


def test_what_is_derived_is_kept_with_the_pattern():
    pattern = random_pattern(0.02)
    assert pattern.derived_nbytes == 0
    entries, next_in_column = pattern.entries((1, 0)), links(pattern, 0)
    assert pattern.turned((1, 0)) is pattern.turned((1, 0))
    assert links(pattern, 0) is next_in_column
    assert pattern.derived_nbytes >= next_in_column.nbytes
    positions = pattern.positions()
    assert pattern.positions() is positions
    assert not positions.flags.writeable
    pattern.forget()
    assert pattern.derived_nbytes == 0
    np.testing.assert_array_equal(pattern.entries((1, 0)), entries)


def test_pickles_are_as_large_as_the_form():
    tile = SparseTile.from_dense((np.arange(10_000) % 7 == 0).reshape(100, 100) * 2.5, 1)
    chosen = with_layout(tile, "form = compressed, orders = [[0, 1], [1, 0]], directory = hash")
    assert isinstance(chosen, SparseTile)
    chosen.pattern.lookup(chosen.coordinates())
    text = pickle.dumps(chosen, protocol=5)
    assert len(text) < chosen.pattern.form.nbytes + chosen.elements.nbytes + 1500
    again = pickle.loads(text)
    assert again.pattern.stored_layout() == chosen.pattern.stored_layout()
    np.testing.assert_array_equal(again.toarray(), tile.toarray())
    flags = tile.with_elements(tile.elements > 0)
    assert len(pickle.dumps(flags, protocol=5)) < flags.pattern.form.nbytes + 1500
    one, two = pickle.loads(pickle.dumps((tile, flags), protocol=5))
    assert one.pattern is two.pattern
    assert two.elements.strides == (0,)


def test_tiles_of_one_pattern_keep_one():
    tile = SparseTile.from_dense(np.arange(24.0).reshape(6, 4) % 5, 1)
    other = tile.with_elements(-tile.elements)
    text = "form = compressed, orders = [[1, 0]]"
    by_columns, more = with_layout(tile, text), with_layout(other, text)
    assert isinstance(by_columns, SparseTile)
    assert isinstance(more, SparseTile)
    assert by_columns.pattern is more.pattern
    np.testing.assert_array_equal(by_columns.toarray(), tile.toarray())
    np.testing.assert_array_equal(more.values, other.values)
    np.testing.assert_array_equal(by_columns.csr().toarray(), tile.toarray())
    for whole, rest in ((tile, other), (by_columns, more)):
        pairs = zip(split(whole, 4), split(rest, 4), strict=True)
        for (_, one), (_, two) in pairs:
            assert isinstance(one, SparseTile)
            assert isinstance(two, SparseTile)
            assert one.pattern is two.pattern
            assert one.pattern.layout == whole.pattern.layout


@pytest.mark.parametrize("form", ["auto", "hypersparse", "coordinates", "bitmap"])
def test_blocks_have_the_layout_of_the_whole(form: str):
    array = np.arange(42.0).reshape(6, 7) % 3
    tile = with_layout(SparseTile.from_dense(array, 1), f"form = {form}")
    assert isinstance(tile, SparseTile)
    for (i, j), part in split(tile, 3):
        assert isinstance(part, SparseTile)
        assert part.pattern.layout == tile.pattern.layout
        np.testing.assert_array_equal(part.toarray(), array[3 * i : 3 * i + 3, 3 * j : 3 * j + 3])


def test_conversions_keep_the_pattern_unless_something_becomes_zero():
    tile = SparseTile.from_dense(np.array([[0, 2.5], [0.25, 0]]), 1)
    assert tile.astype(np.float32).pattern is tile.pattern
    assert tile.astype(np.bool_).nbytes == tile.pattern.nbytes + 1
    whole = tile.astype(np.int64)
    assert (whole.nnz, whole.values.tolist()) == (1, [2])


def test_vectors_of_rows_are_shared():
    starts, indices = np.array([0, 1, 3], np.int32), np.array([1, 0, 2], np.int32)
    pattern = of_rows(starts, indices, (2, 3), 1)
    assert pattern.form.vectors()["indices"] is indices
    assert not np.shares_memory(copied(pattern).form.vectors()["indices"], indices)


def test_shared_vectors_count_once():
    tile = SparseTile.from_dense(np.eye(8), 1)
    dense = np.ones(4)
    assert total_bytes([tile, tile.with_elements(np.full(8, 2.0))]) == tile.nbytes + 64
    assert total_bytes([tile.pattern, tile, dense, dense]) == tile.nbytes + 32
    assert full((9, 9)).nbytes == 0


def test_sets_are_brought_together_in_the_cheapest_way():
    large = random_pattern(0.02, (1000, 1000))
    similar = random_pattern(0.02, (1000, 1000), 1)
    few = random_pattern(0.00002, (1000, 1000), 2)
    bits = large.with_layout(parse("form = bitmap"))
    hashed = large.with_layout(parse("form = compressed, directory = hash"))
    for one, other, way in [
        (large, similar, "merge"),
        (large, few, "gallop"),
        (few, large, "gallop"),
        (few, bits, "lookup"),
        (few, hashed, "lookup"),
        (large, bits, "same"),
        (large, full((1000, 1000)), "same"),
        (few, diagonals((1000, 1000), [0, 1]), "lookup"),
    ]:
        first, second = (set(p.positions().tolist()) for p in (one, other))
        for function, expected in ((intersection, first & second), (union, first | second)):
            joined = function(one, other)
            assert joined.way == way
            assert joined.pattern.positions().tolist() == sorted(expected)
    assert way_of(few, large) == "gallop"
    assert intersection(large, bits).pattern is large
    assert union(large, full((1000, 1000))).pattern.form.name == "full"


ascending = st.sets(st.integers(0, 40)).map(lambda s: np.array(sorted(s), np.int64))


@given(ascending, ascending)
def test_machine_code_merges_as_numpy_does(one: np.ndarray, other: np.ndarray):
    for function in (merging.merge_union, merging.merge_meet):
        results = []
        for mode in ("always", "never"):
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("DIABLO_COMPILE", mode)
                results.append(function(one, other))
        for vectors in zip(*results, strict=True):
            np.testing.assert_array_equal(*vectors)


@given(st.data(), st.sampled_from([np.uint8, np.uint16, np.int32, np.int64]))
def test_machine_code_searches_as_numpy_does(data: st.DataObject, index: type):
    parts = data.draw(st.lists(st.sets(st.integers(0, 9), max_size=6), min_size=1, max_size=5))
    indices = np.array([i for part in parts for i in sorted(part)], index)
    bounds = np.cumsum([0] + [len(part) for part in parts])
    numbers = data.draw(st.lists(st.integers(0, len(parts) - 1), max_size=8))
    wanted = np.array([data.draw(st.integers(0, 10)) for _ in numbers], np.int64)
    low, high = bounds[numbers], bounds[np.array(numbers, np.int64) + 1]
    words = np.array(data.draw(st.lists(st.integers(0, 2**64 - 1), max_size=3)), np.uint64)
    count = int(np.bitwise_count(words).sum())
    expected = [
        int(bounds[n]) + sum(i < w for i in parts[n]) for n, w in zip(numbers, wanted, strict=True)
    ]
    bits = [64 * w + b for w, word in enumerate(words.tolist()) for b in range(64) if word >> b & 1]
    before = searching.WORTH_COMPILING
    try:
        for worth in (0, 1 << 60):
            searching.WORTH_COMPILING = worth
            assert searching.lower_bounds(indices, low, high, wanted).tolist() == expected
            assert searching.set_bits(words, count).tolist() == bits
    finally:
        searching.WORTH_COMPILING = before


@pytest.mark.parametrize("text", ["form = compressed", "form = compressed, orders = [[1, 0]]"])
def test_matrices_over_the_vectors_of_a_tile(text: str):
    array = np.arange(12.0).reshape(3, 4) % 5
    tile = with_layout(SparseTile.from_dense(array, 1), text)
    assert isinstance(tile, SparseTile)
    for rows, columns, expected in (((0,), (1,), array), ((1,), (0,), array.T)):
        matrix = tile.as_stored(rows, columns)
        assert np.shares_memory(matrix.data, tile.elements)
        np.testing.assert_array_equal(matrix.toarray(), expected)
        same = arithmetic.matrix(tile, rows, columns, [tile.shape[d] for d in (0, 1)])
        assert np.shares_memory(same.data, tile.elements)
    assert tile.as_stored((0, 1), ()) is None


@pytest.mark.parametrize("name", FORMATS)
def test_a_row_of_the_table_names_its_classes(name: str):
    assert form_class(name).name == name
    assert issubclass(class_at(FORMATS[name].kernels), KernelForm)


def test_compressed_rows_are_told_apart_by_their_vectors(monkeypatch: pytest.MonkeyPatch):
    starts, indices = np.array([0, 2, 3]), np.array([0, 4, 1])
    pattern = of_rows(starts, indices, (2, 5), 1)
    others = [
        of_rows(starts, np.array([0, 3, 1]), (2, 5), 1),
        of_rows(np.array([0, 1, 3]), np.array([0, 1, 4]), (2, 5), 1),
    ]
    rows = type(pattern.form)
    assert not pattern.same_set(of_rows(np.array([0, 3]), indices[[0, 2, 1]], (1, 5), 1))
    monkeypatch.setattr(rows, "positions", lambda _: pytest.fail("positions are derived"))
    assert pattern.same_set(of_rows(starts.copy(), indices.copy(), (2, 5), 1))
    assert not any(map(pattern.same_set, others))

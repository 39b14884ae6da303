"""The loops that the runtime brings along: machine code, against what the IR of their source means.

The interpreter runs the source itself, and shares no code with the compiler.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType
from xdsl.parser import Parser

from diablo.passes.interpreter.interpreter import Interpreter
from diablo.passes.interpreter.regions import Buffer
from diablo.registry import new_context
from diablo.runtime.native import work_seen, written_loops
from diablo.runtime.native.written_loops import repaid_loop, written_loop
from writers.loop_files import variants

LOOPS = Path(written_loops.__file__).with_name("loops")
WORDS = {"i8": np.uint8, "i16": np.uint16, "i32": np.int32, "i64": np.int64}


def interpreted(source: str, name: str, type: str | None, arguments: Sequence[Any]) -> list[Any]:
    """Return what the arrays among the arguments hold when the function has run."""
    interpreter = interpreter_of(source, type)
    function = interpreter.functions[name]
    given = [
        Buffer(() if scalar(function, k) else a.shape, a.tolist()) if is_array(a) else a
        for k, a in enumerate(arguments)
    ]
    interpreter.call(function, given)
    return [value.elements for value in given if isinstance(value, Buffer)]


@cache
def interpreter_of(source: str, type: str | None) -> Interpreter:
    text = variants((LOOPS / source).read_text())[type or ""]
    return Interpreter(Parser(new_context(), text, source).parse_module())


def is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def scalar(function: func.FuncOp, k: int) -> bool:
    """Whether an argument is a memref of one element, without dimensions."""
    type = function.args[k].type
    return isinstance(type, MemRefType) and type.get_num_dims() == 0


def check(source: str, name: str, type: str | None, *arguments: Any) -> None:
    """The machine code and the interpreter leave the same in all arrays."""
    expected = interpreted(source, name, type, arguments)
    entry = written_loop(name, type)
    assert entry is not None
    entry(*addresses(arguments))
    found = [a.tolist() for a in arguments if is_array(a)]
    assert found == expected


def addresses(arguments: Sequence[Any]) -> list[int]:
    """The arguments as machine code takes them."""
    return [a.__array_interface__["data"][0] if is_array(a) else a for a in arguments]


def matrix(type: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of all lengths up to 9, some of them empty, of numbers that add up exactly."""
    lengths = rng.permutation([*range(10), 0, 0])
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(WORDS[type])
    count = int(starts[-1])
    indices = rng.integers(0, 7, count).astype(WORDS[type])
    return starts, indices, rng.integers(-9, 9, count) * 0.5


@pytest.mark.parametrize("type", ["i32", "i64"])
@pytest.mark.parametrize(("begin", "end"), [(0, 12), (3, 8), (5, 5), (12, 12)])
def test_products_with_vectors(type: str, begin: int, end: int):
    rng = np.random.default_rng(begin)
    arrays = (*matrix(type, rng), rng.integers(-9, 9, 12) * 0.25)
    rows = (np.full(12, -1.0), begin, end)
    check("row_products.mlir", "rows_times_vector", type, *arrays, *rows)
    order = rng.permutation(12).astype(np.uint8)
    check("row_products.mlir", "ordered_rows_times_vector", type, order, *arrays, *rows)
    result = np.full(12, -1.0)
    check("column_products.mlir", "columns_times_vector", type, *arrays, result, 7, begin, end)


@pytest.mark.parametrize("type", ["i32", "i64"])
@pytest.mark.parametrize(("begin", "end"), [(0, 12), (3, 8), (5, 5), (12, 12)])
def test_long_rows(type: str, begin: int, end: int):
    """These have vectors, which the interpreter has not: against the loop for other rows."""
    rng = np.random.default_rng(begin)
    arrays = (*matrix(type, rng), rng.integers(-9, 9, 7) * 0.25)
    results: list[np.ndarray] = []
    for name in ("rows_times_vector", "long_rows_times_vector"):
        results.append(np.full(12, -1.0))
        entry = written_loop(name, type)
        assert entry is not None
        places = [a.__array_interface__["data"][0] for a in (*arrays, results[-1])]
        entry(*places, begin, end)
    assert results[0].tolist() == results[1].tolist()


def test_windows_of_ordered_rows():
    """The second window begins at row 256."""
    rng = np.random.default_rng(1)
    starts = np.arange(301, dtype=np.int32)
    indices, values = np.zeros(300, np.int32), rng.random(300)
    order = np.concatenate([rng.permutation(256), rng.permutation(44)]).astype(np.uint8)
    arrays = (order, starts, indices, values, np.ones(1), np.zeros(300), 256, 300)
    check("row_products.mlir", "ordered_rows_times_vector", "i32", *arrays)


@pytest.mark.parametrize(("empty", "begin"), [(0, 0), (1, 0), (50, 0), (300, 0), (50, 256)])
def test_only_entries_are_fetched_ahead(empty: int, begin: int):
    """The interpreter refuses a place behind them, which the last rows begin at if empty."""
    rng = np.random.default_rng(empty)
    starts = np.minimum(np.arange(301), 300 - empty).astype(np.int32)
    indices, values = np.zeros(300 - empty, np.int32), rng.random(300 - empty)
    order = np.concatenate([rng.permutation(256), rng.permutation(44)]).astype(np.uint8)
    arrays = (order, starts, indices, values, np.ones(1), np.zeros(300), begin, 300)
    check("row_products.mlir", "ordered_rows_times_vector", "i32", *arrays)
    fetches = (
        (LOOPS / "ordered_rows_times_vector.i32.ll").read_text().count('call void @"llvm.prefetch')
    )
    assert fetches == 2


@pytest.mark.parametrize(("begin", "end"), [(0, 0), (2, 9), (0, 40)])
def test_a_dot_product(begin: int, end: int):
    numbers = np.arange(40) * 0.5
    check("dot.mlir", "dot", None, numbers, numbers[::-1].copy(), np.ones(1), begin, end)


@pytest.mark.parametrize("dtype", ["f64", "i64"])
def test_sums_by_index(dtype: str):
    rng = np.random.default_rng(2)
    indices, values = rng.integers(0, 9, 40), rng.integers(-9, 9, 40)
    table = np.arange(9) if dtype == "i64" else np.arange(9) * 0.5
    values = values.astype(table.dtype)
    check("bucket_sums.mlir", "combine_at", f"add.{dtype}", table, 9, indices, values, 40)
    # Those that lie outside are passed over.
    indices[::3] = [-1, 5, 9, 2**40] * 3 + [7, 8]
    check("bucket_sums.mlir", "combine_at", f"add.{dtype}", table, 5, indices, values, 40)


def _groups(rng: np.random.Generator, count: int, groups: int) -> tuple[np.ndarray, ...]:
    """Groups of rows, an order of these, and where each group begins in an order by groups."""
    codes = rng.integers(0, groups, count)
    starts = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=groups))])
    return codes, rng.permutation(count).astype(np.int32), starts


@pytest.mark.parametrize("seed", range(4))
def test_rows_of_groups(seed: int):
    rng = np.random.default_rng(seed)
    codes, order, _ = _groups(rng, 30, 5)
    numbers = np.zeros(5, np.int64), np.full(30, -7)
    check("group_places.mlir", "number_groups", None, codes, order, *numbers, 3, 28)
    by = (1, 2, 9, 1)[seed]
    held = np.full(5 * by, -1, np.int32), np.zeros(5, np.int32), by
    found = np.full(30, -7, np.int32), np.zeros(30, np.uint8)
    steps = (29, -1, 30) if seed % 2 else (2, 1, 26)
    check("group_places.mlir", "shift_groups", None, codes, order, *held, *found, *steps)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", ["add.f64", "max.f64", "add.i64", "min.i64"])
@pytest.mark.parametrize("size", [1, 2, 3, 8])
def test_folds_of_groups(kind: str, size: int):
    rng = np.random.default_rng(size)
    codes, order, starts = _groups(rng, 40, 6)
    values = rng.integers(-9, 9, 40).astype(np.float64 if kind.endswith("f64") else np.int64)
    neutral = {"add": 0, "max": -(2**62), "min": 2**62}[kind[:3]]
    held, out = np.full(6, neutral, values.dtype), np.full_like(values, -7)
    arrays = (codes, order, values, held, out)
    check("group_folds.mlir", "scan_groups", kind, *arrays, 2, 39)
    ends = np.full(size + 1, neutral, values.dtype)
    check("group_folds.mlir", "fold_groups", kind, starts, order, values, ends, out, size, 1, 6)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("distinct", [1, 3, 1000])
@pytest.mark.parametrize("special", [1.5, np.inf, np.nan])
def test_selection_in_groups(distinct: int, special: float):
    rng = np.random.default_rng(distinct)
    codes, _, starts = _groups(rng, 220, 4)
    values, placed = rng.integers(0, distinct, 220) * 0.5, np.zeros(440)
    next = starts[:4].copy()
    check("group_selection.mlir", "place_values", None, codes, next, values, placed, 0, 220)
    assert next.tolist() == starts[1:].tolist()
    placed[rng.integers(0, 220, 2)] = special
    places = (starts[1:] - starts[:4] - 1) * np.array([0, 1, 2, 3]) // 3
    groups = [np.sort(placed[begin:end]) for begin, end in pairwise(starts.tolist())]
    found = np.zeros(4), np.zeros(4)
    arguments = (starts, places, placed, 220, *found, 0, 4)
    if np.isnan(special):  # Which is not equal to what the interpreter has.
        entry = written_loop("select_in_groups")
        assert entry is not None
        entry(*addresses(arguments))
    else:
        check("group_selection.mlir", "select_in_groups", None, *arguments)
    for own, place, low, high in zip(groups, places, *found, strict=True):
        expected = [own[place], own[place + 1] if place + 1 < len(own) else np.inf]
        expected = [np.nan, np.nan] if np.isnan(own).any() else expected
        np.testing.assert_array_equal([low, high], expected)


@pytest.mark.parametrize("name", ["union_of", "meet_of"])
@pytest.mark.parametrize("seed", range(6))
def test_merges(name: str, seed: int):
    rng = np.random.default_rng(seed)
    one, other = (np.unique(rng.integers(-9, 20, n)) for n in ((12, 9), (0, 5), (5, 0))[seed % 3])
    outputs = [np.full(len(one) + len(other) + 1, -7) for _ in range(3)]
    ends = np.full(3, -7)
    check("merging.mlir", name, None, one, len(one), other, len(other), *outputs, ends)


@pytest.mark.parametrize("type", WORDS)
def test_searches(type: str):
    most = min(int(np.iinfo(WORDS[type]).max), 2**40)
    part = np.array([0, 1, 4, 9, most // 2, most - 1, most])
    indices = np.concatenate([part, part[:3]]).astype(WORDS[type])
    wanted = np.array([-1, 0, 5, most // 2 + 1, most, most + 1, 2, 3, 1])
    low, high = np.array([0, 0, 0, 0, 0, 0, 3, 7, 7]), np.array([7, 7, 7, 7, 7, 7, 3, 10, 9])
    out = np.full(9, -7)
    check("searching.mlir", "lower_bounds", type, indices, low, high, wanted, out, 9)


def test_bits():
    words = np.array([0, 5, -1, -(2**63), 0, 2**62 + 1])
    check("set_bits.mlir", "set_bits", None, words, len(words), np.full(70, -7))


def lists(rng: np.random.Generator, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Return where lists begin, and distinct ascending indices; some lists are empty."""
    stored = rng.random((rows, columns)) < rng.choice([0.0, 0.3, 0.8], (rows, 1))
    starts = np.concatenate([[0], np.cumsum(stored.sum(axis=1))])
    return starts.astype(np.int32), np.nonzero(stored)[1].astype(np.int32)


def filled(count: int, dtype: Any = np.int32) -> np.ndarray:
    return np.full(count, -7, dtype)


@pytest.mark.parametrize("name", ["union_of_rows", "meet_of_rows"])
@pytest.mark.parametrize(("begin", "end"), [(0, 6), (2, 5), (3, 3)])
def test_merges_of_rows(name: str, begin: int, end: int):
    rng = np.random.default_rng(begin)
    (a_starts, a), (b_starts, b) = lists(rng, 6, 8), lists(rng, 6, 8)
    outputs = [filled(len(a) + len(b) + 3) for _ in range(3)]
    arrays = (a_starts, a, b_starts, b, *outputs, filled(6))
    check("row_merging.mlir", name, None, *arrays, 2, begin, end)


@pytest.mark.parametrize("type", WORDS)
def test_gathering(type: str):
    values = np.arange(3, 9).astype(WORDS[type])
    places = np.array([5, -1, 0, 3, 3, -1], np.int32)
    arrays = (values, places, np.full(6, 7, WORDS[type]))
    check("gathering.mlir", "gather_or_zero", type, *arrays, 1, 5)


def test_copies_of_lists():
    starts = np.array([0, 2, 2, 5], np.int32)
    numbers, made = np.array([2, -1, 0, 2]), np.array([0, 3, 3, 5, 8])
    check("list_copies.mlir", "entries_of_lists", None, starts, numbers, made, filled(8), 1, 4)


@pytest.mark.parametrize(("begin", "end"), [(0, 6), (2, 5), (3, 3)])
def test_parts_of_lists(begin: int, end: int):
    starts, indices = lists(np.random.default_rng(begin), 6, 8)
    table = np.array([0, -1, 1, -1, -1, 2, 3, -1], np.int32)
    check("list_parts.mlir", "count_left", None, starts, indices, table, filled(6), begin, end)
    counts = [np.count_nonzero(table[indices[a:b]] >= 0) for a, b in pairwise(starts)]
    made = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    for step in (1, -1):
        outputs = (filled(len(indices)), filled(len(indices)))
        arrays = (starts, indices, table, made, *outputs)
        check("list_parts.mlir", "take_left", None, *arrays, step, begin, end)


@pytest.mark.parametrize(("begin", "end"), [(0, 6), (2, 5), (3, 3)])
def test_copies_in_lists(begin: int, end: int):
    starts, indices = lists(np.random.default_rng(begin), 6, 8)
    taken = np.array([7, 0, 3, 3, 1, 0, 6])
    first = np.concatenate([[0], np.cumsum(np.bincount(taken, minlength=8))]).astype(np.int32)
    given = (starts, indices, first)
    check("list_parts.mlir", "count_copies", None, *given, filled(6), begin, end)
    counts = [np.diff(first)[indices[a:b]].sum() for a, b in pairwise(starts)]
    made = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    order = np.argsort(taken, kind="stable").astype(np.int32)
    outputs = (filled(made[-1]), filled(made[-1]))
    check("list_parts.mlir", "take_copies", None, *given, order, made, *outputs, begin, end)


@pytest.mark.parametrize("kind", ["f64", "f32"])
@pytest.mark.parametrize(("begin", "end"), [(0, 4), (1, 3), (2, 2)])
def test_copies_of_rows(begin: int, end: int, kind: str):
    dtype = np.dtype({"f64": np.float64, "f32": np.float32}[kind])
    given = np.random.default_rng(7).integers(-9, 9, 40).astype(dtype), np.full(30, -7, dtype)
    sources, targets = np.array([0, 3, 20, 9]), np.array([8, 0, 25, 16])
    for width, step in ((5, 1), (4, 3), (0, 2)):
        arrays = given[0], given[1].copy(), sources, targets
        check("row_copies.mlir", "copy_rows", kind, *arrays, width, step, begin, end)


@pytest.mark.parametrize(("begin", "end"), [(0, 6), (2, 5), (3, 3)])
def test_columns_of_rows(begin: int, end: int):
    starts, indices = lists(np.random.default_rng(begin), 6, 8)
    source, count = "transposition.mlir", len(indices)
    check(source, "count_indices", None, indices, filled(8), 8, starts[begin], starts[end])
    following = np.concatenate([[0], np.cumsum(np.bincount(indices, minlength=8))[:-1]])
    arrays = (starts, indices, following.astype(np.int32), filled(count), filled(count))
    check(source, "place_by_columns", None, *arrays, begin, end)


def test_sorted_rows():
    source, rng = "row_sorting.mlir", np.random.default_rng(3)
    keys, order = rng.integers(0, 4, 20), rng.permutation(20).astype(np.int32)
    check(source, "count_keys", None, keys, filled(4), 4, 3, 17)
    check(source, "count_in_order", None, keys, order, filled(4), 4, 3, 17)
    following = np.array([0, 30, 10, 20], np.int32)
    check(source, "place_by_keys", None, keys, following.copy(), filled(50), 3, 17)
    check(source, "place_in_order", None, keys, order, following, filled(50), 3, 17)
    starts, columns = np.array([0, 0, 9, 12, 20], np.int32), np.sort(keys)
    outputs = (filled(22), filled(22), filled(4))
    arrays = (starts, columns, np.arange(20, dtype=np.int32), *outputs)
    check(source, "distinct_in_lists", None, *arrays, 2, 1, 4)
    places = rng.integers(0, 5, 20)
    pairs = np.full(50, -7, np.int64)
    check(source, "place_in_lists", None, keys, places, following, pairs, 3, 17)
    pairs = places << 32 | np.arange(20)
    pairs[9:12].sort()  # Of the lists that are sorted here one has too many rows, one as many.
    pairs[0:9].sort()
    arrays = (starts, pairs, filled(20), *outputs, np.full(8, -7, np.int64))
    check(source, "sort_lists", None, *arrays, 8, 2, 1, 4)


@pytest.mark.parametrize("kind", ["add.f64", "min.f64", "max.i64"])
def test_folds_of_rows(kind: str):
    rng = np.random.default_rng(4)
    dtype = np.float64 if kind.endswith("f64") else np.int64
    order, firsts = rng.permutation(12).astype(np.int32), np.array([0, 1, 5, 6, 12], np.int32)
    arrays = rng.integers(-9, 9, 12).astype(dtype), order, firsts, np.full(4, -7, dtype)
    for begin, end in ((0, 4), (1, 3), (2, 2)):
        check("row_folds.mlir", "fold_rows", kind, *arrays, begin, end)


@pytest.mark.parametrize("kind", ["add.f64", "min.f64", "max.i64", "max.i8"])
@pytest.mark.parametrize(("begin", "end"), [(0, 6), (2, 5), (3, 3)])
def test_rows_list_by_list(begin: int, end: int, kind: str):
    rng = np.random.default_rng(begin)
    dtype = np.dtype({"f": "float", "i": "int"}[kind[4]] + kind[5:])
    starts, _ = lists(rng, 6, 40)
    count = starts[-1]
    rows = rng.integers(0, 90, count), rng.integers(-9, 9, count).astype(dtype)
    outputs = (filled(count), np.full(count, -7, dtype), filled(6))
    own = (np.full(90, -7, dtype), np.zeros(64, np.int64), np.zeros(1, np.int64))
    arrays = (starts, *rows, *outputs, *own)
    place = starts[begin]
    check("list_by_list.mlir", "combine_in_lists", kind, *arrays, 1, place, begin, end)


@pytest.mark.parametrize("kind", ["add.f64", "min.f32", "max.i64", "add.i32", "max.i8"])
@pytest.mark.parametrize(("begin", "end"), [(0, 5), (1, 4), (2, 2)])
def test_tables_are_combined(begin: int, end: int, kind: str):
    dtype = np.dtype({"f": "float", "i": "int"}[kind[4]] + kind[5:])
    tables = np.random.default_rng(5).integers(-9, 9, 15).astype(dtype)
    check("tables.mlir", "combine_tables", kind, tables, np.full(5, -7, dtype), 3, 5, begin, end)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("type", ["f64", "f32", "i64"])
@pytest.mark.parametrize(("begin", "end"), [(0, 6), (2, 5), (3, 3)])
def test_products_of_rows(type: str, begin: int, end: int):
    rng = np.random.default_rng(begin)
    dtype = np.dtype({"f64": np.float64, "f32": np.float32, "i64": np.int64}[type])

    def numbers(count: int) -> np.ndarray:
        return (rng.integers(-3, 4, count) * 0.5).astype(dtype)

    (a_starts, a), (b_starts, b) = lists(rng, 6, 8), lists(rng, 8, 90)
    left = (a_starts, a, numbers(len(a)))
    room = 700
    outputs = (filled(room), np.full(room, -7, dtype), filled(6))
    own = (np.zeros(90, dtype), np.zeros(64, np.int64), np.zeros(1, np.int64))
    arrays = (*left, b_starts, b, numbers(len(b)), *outputs, *own)
    check("sparse_times_sparse.mlir", "sparse_times_sparse", type, *arrays, 1, 2, begin, end)
    mask_starts, mask = lists(rng, 6, 90)
    outputs = (filled(len(mask)), np.full(len(mask), -7, dtype), filled(6))
    arrays = (*left, b_starts, b, numbers(len(b)), mask_starts, mask, *outputs, filled(90) * 0)
    name = "masked_sparse_times_sparse"
    check(f"{name}.mlir", name, type, *arrays, begin, end)
    dense, result = numbers(8 * 5), np.full(6 * 3, -7, dtype)
    check(
        "sparse_times_dense.mlir", "sparse_times_dense", type,
        *left, dense, 5, result, 3, begin, end,
    )  # fmt: skip


@pytest.mark.parametrize(("begin", "end"), [(0, 6), (2, 5), (3, 3)])
def test_terms_of_rows(begin: int, end: int):
    rng = np.random.default_rng(begin)
    (a_starts, a), (b_starts, _) = lists(rng, 6, 8), lists(rng, 8, 90)
    arrays = a_starts, a, b_starts, np.full(6, -7, np.int64)
    check("terms_of_rows.mlir", "terms_of_rows", None, *arrays, begin, end)


@pytest.mark.parametrize("type", ["i32", "i64"])
@pytest.mark.parametrize("starts", [[0, 4, 4, 9], [0, 5, 3, 9], [0, 4, 2**30, 9], [0, 0, 6, 6]])
def test_checks_of_rows(type: str, starts: list[int]):
    """Whatever the starts say, nothing is read beyond the indices."""
    indices = np.array([1, 3, 3, 9, 0, 2, 2, 5, 1]).astype(WORDS[type])
    rows = np.array(starts).astype(WORDS[type])
    for first, last in ((0, 9), (0, 1), (4, 9)):
        found = np.full(4, -7, np.int64)
        check("row_checks.mlir", "check_rows", type, rows, indices, 9, found, first, last, 0, 3)
    values = np.array([3, 1, WORDS[type](1) << (8 * indices.itemsize - 1), 5]).astype(WORDS[type])
    for begin, end in ((0, 2), (0, 3), (3, 4)):
        found = np.full(1, -7, np.int64)
        check("value_checks.mlir", "any_zero", type, values, found, begin, end)


TEXTS = [
    "",
    "a",
    "b",
    "ab",
    "a\0",
    "abcdefgh",
    "abcdefghi",
    "abcdefghijklmnopqrs",
    "Äß",
    "a,b,,c",
    ",",
]


def strings(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Some texts, anywhere in bytes with 16 more behind them, where each is, and its length."""
    parts = [TEXTS[k].encode() for k in rng.integers(0, len(TEXTS), count)]
    lengths = np.array([len(part) for part in parts], np.int64)
    data = np.frombuffer(b"".join(parts) + bytes(16), np.int8).copy()
    order = rng.permutation(count)
    return data, (np.cumsum(lengths) - lengths)[order], lengths[order]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_numbers_of_strings(seed: int):
    data, starts, lengths = strings(np.random.default_rng(seed), 30)
    room = 8 if seed else 30  # It stops where that is used up.
    slots, found, hashes = np.full(64, -1), np.full(4 * room, -7), np.full(room, -7)
    given = (data, starts, lengths, 0, 0, 30, slots, 63, found, hashes, room)
    codes, counts = np.full(30, -7, np.int32), np.zeros(2, np.int64)
    check("string_numbers.mlir", "code_strings", "i64", *given, codes, counts, data, 0)
    assert counts[0] == codes.max() + 1
    assert counts[1] == 30 or counts[0] == room
    check("string_codes.mlir", "fill_string_slots", None, hashes, 3, np.full(8, 5), 7)

    # What is known can be looked for, in other bytes too, and nothing is added then.
    others = strings(np.random.default_rng(9), 20)
    counts = np.array([counts[0], 0])
    given = (*others, 0, 0, 20, slots, 63, found, hashes, counts[0] + 20, np.full(20, -7, np.int32))
    check("string_numbers.mlir", "code_strings", "i64", *given, counts, data, 1)


@pytest.mark.parametrize("type", ["i32", "i64"])
def test_numbers_of_strings_between_ends(type: str):
    words = [b"ab", b"", b"b", 3 * b"abcdefgh", b"ab", b"", 3 * b"abcdefgh", b"abcdefgh"]
    data = np.frombuffer(b"".join(words) + bytes(16), np.int8).copy()
    ends = np.cumsum([0, *map(len, words)], dtype=WORDS[type]) + WORDS[type](3)
    slots, found, hashes = np.full(32, -1), np.full(4 * 8, -7), np.full(8, -7)
    given = data, ends[:-1].copy(), ends[1:].copy(), 3, -1, 8, slots, 31, found, hashes, 8
    codes, counts = np.full(8, -7, np.int32), np.zeros(2, np.int64)
    check("string_numbers.mlir", "code_strings", type, *given, codes, counts, data, 0)
    assert codes.tolist() == [0, 1, 2, 3, 0, 1, 3, 4]
    assert found[:8:4].tolist() == [0, 2]


@pytest.mark.parametrize("is_short", [0, 1])
def test_strings_in_parts(is_short: int):
    data, starts, lengths = strings(np.random.default_rng(2), 40)
    given = (data, starts, np.minimum(lengths, 16))
    part_of, counts = np.zeros(40, np.uint8), np.zeros(5, np.int64)
    check("string_codes.mlir", "hash_strings", None, *given, 3, 38, 5, part_of, counts)
    sizes = np.bincount(part_of[3:38], minlength=5)
    assert sizes.max() < 35
    places, rows = np.cumsum(sizes) - sizes, np.full(35, -7, np.int32)
    into = (part_of, places, is_short, np.zeros(16 * 35, np.int8))
    made = (np.full(35, -7), np.full(35, -7), rows)
    check("string_codes.mlir", "part_strings", None, *given, 3, 38, *into, *made)
    numbers = np.random.default_rng(4).integers(-1, 3, 35).astype(np.int32)
    codes = np.full(40, -7, np.int32)
    check("string_codes.mlir", "spread_codes", None, numbers, rows, 2, 30, 6, codes)


def test_ranks_of_codes():
    codes, ranks = np.array([2, 0, 2, 1, 0], np.int32), np.full(3, -1, np.int32)
    order = np.full(3, -7, np.int32)
    check("string_codes.mlir", "rank_codes", None, codes, 5, ranks, order)
    assert codes.tolist() == [0, 1, 0, 2, 1]


@pytest.mark.parametrize("step", [0, 1])
def test_pairs_of_strings(step: int):
    rng = np.random.default_rng(step)
    one, other = strings(rng, 20), strings(rng, 20)
    out = np.full(20, -7, np.int8)
    check("string_pairs.mlir", "compare_strings", None, *one, *other, step, 20, 1, out)
    all_pairs = np.full(6 * 20, -7, np.int8)
    check("string_pairs.mlir", "compare_strings", None, *one, *other, 0, 6, 20, all_pairs)
    assert {*all_pairs.tolist()} <= {-1, 0, 1}
    lengths = one[2] + (other[2] if step else other[2][0])
    places = np.cumsum([0, *lengths])
    # Nothing is written behind the last one.
    out = np.full(int(lengths.sum()), -7, np.int8)
    check("string_pairs.mlir", "copy_strings", None, *one, 1, *other, step, 20, out, places)


@pytest.mark.parametrize("step", [0, 1])
@pytest.mark.parametrize(("part", "at_end"), [(0, 0), (1, 0), (1, 1)])
def test_matches_of_strings(step: int, part: int, at_end: int):
    rng = np.random.default_rng(part + at_end)
    one, other, out = strings(rng, 40), strings(rng, 40), np.full(40, -7, np.int8)
    given = (*one, *other, step, 1, part, at_end, 3, 38, out)
    check("string_pairs.mlir", "match_strings", None, *given)
    assert set(out[3:38].tolist()) <= {0, 1}
    all_pairs = np.full(5 * 40, -7, np.int8)
    check(
        "string_pairs.mlir",
        "match_strings",
        None,
        *one,
        *other,
        0,
        40,
        part,
        at_end,
        1,
        5,
        all_pairs,
    )
    assert set(all_pairs[40:].tolist()) <= {0, 1}
    assert set(all_pairs[:40].tolist()) == {-7}


@pytest.mark.parametrize("wanted", ["seven", "sevenths", "sev", "", "eight"])
@pytest.mark.parametrize("whole", [False, True])
def test_matches_of_points(wanted: str, whole: bool):
    given = np.array(["seven", "", "sevenths", "eight", "seventh"])
    width = given.dtype.itemsize // 4
    points = np.zeros(width, np.int32)
    points[: len(wanted)] = list(map(ord, wanted))
    count, out = width if whole else len(wanted), np.full(5, -7, np.int8)
    into = (points, count, 0, 5, out)
    check("string_points.mlir", "match_points", None, given.view(np.int32), width, *into)
    expected = given == wanted if whole else np.strings.startswith(given, wanted)
    assert out.tolist() == expected.tolist()


@pytest.mark.parametrize("type", ["i32", "i64"])
def test_places_of_strings(type: str):
    _, starts, lengths = strings(np.random.default_rng(3), 20)
    places = np.array([3, 3, 19, 0, 7], WORDS[type])
    into = (np.full(5, -7), np.full(5, -7))
    check("string_places.mlir", "take_strings", type, starts, lengths, places, 1, 4, *into)
    ends = np.array([5, 5, 9, 12], WORDS[type])
    check("string_places.mlir", "spans_of_ends", type, ends, 5, 0, 3, *into)
    taken = np.array([2, 0, 2, 1])
    for places in (taken.astype(np.int32), taken.view(np.int32)):
        into, step = (np.full(5, -7), np.full(5, -7)), len(places) // 4
        given = ends, 5, places, step, 1, 4
        check("string_places.mlir", "take_between_ends", type, *given, *into)
        assert [part[1:4].tolist() for part in into] == [[0, 4, 0], [0, 3, 4]]


@pytest.mark.parametrize("type", ["i32", "i64"])
@pytest.mark.parametrize("wanted", [b"b", b"ab", b"", b"abcdefghij", 3 * b"abcdefgh" + b"abc"])
@pytest.mark.parametrize(("part", "at_end"), [(0, 0), (1, 0), (1, 1)])
def test_matches_between_ends(type: str, wanted: bytes, part: int, at_end: int):
    words = [b"ab", b"", b"b", b"abcdefghij", b"abcdefghijb", b"abcdefghjj", b"ba"]
    long = 3 * b"abcdefgh" + b"abc"
    words += [long, long[:-1], long + b"c", long[:12] + b"." + long[13:], b"x" + long, long[:8]]
    data = np.frombuffer(b"".join(words) + bytes(16), np.int8).copy()
    ends = np.cumsum([0, *map(len, words)], dtype=WORDS[type]) + 3
    sought, out = np.frombuffer(wanted + bytes(16), np.int8).copy(), np.full(13, -7, np.int8)
    given = data, ends.astype(WORDS[type]), 3, sought, len(wanted), part, at_end, 1, 13, out
    check("string_places.mlir", "match_between_ends", type, *given)
    same = bytes.endswith if at_end else bytes.startswith if part else bytes.__eq__
    assert out.tolist() == [-7, *[int(same(word, wanted)) for word in words[1:]]]


def test_contents_of_strings():
    texts = strings(np.random.default_rng(5), 40)
    given = (*texts, 40)
    out = np.full(40, -7)
    wanted = [b"b", b"ghi", b"bcdefghij", "ß".encode(), b""]
    data = np.frombuffer(b"".join(wanted) + bytes(16), np.int8).copy()
    lengths = np.array([*map(len, wanted)])
    sought = data, np.cumsum(lengths) - lengths, lengths
    for number in range(5):
        one = data, *[part[number : number + 1] for part in sought[1:]]
        check("string_contents.mlir", "find_in_strings", None, *texts, *one, 0, 40, 1, out)
    all_pairs = np.full(40 * 5, -7)
    check("string_contents.mlir", "find_in_strings", None, *texts, *sought, 0, 40, 5, all_pairs)
    assert (all_pairs.reshape(40, 5)[:, 4] == 0).all()
    few = texts[0], *[part[:5] for part in texts[1:]]
    check("string_contents.mlir", "find_in_strings", None, *few, *sought, 1, 5, 1, out)
    for offset in (0, 8, 5):
        check("string_contents.mlir", "words_of_strings", None, *given, offset, out)
    check("string_contents.mlir", "count_characters", None, *given, out)
    given, total = (*texts, 3, 30, ord(",")), np.full(1, -7)
    check("string_contents.mlir", "count_parts", None, *given, out, total)
    assert total[0] == out[3:30].sum()
    # Those of other threads are left alone.
    starts, lengths = np.full(200, -7), np.full(200, -7)
    check("string_contents.mlir", "parts_of_strings", None, *given, 5, starts, lengths)
    for each in (starts, lengths):
        assert (each[5 : 5 + total[0]] >= 0).all()
        assert (each[:5] == -7).all()
        assert (each[5 + total[0] :] == -7).all()


def test_strings_without_their_ends():
    words = [b"", b" ", b"a", b" a", b"a  ", b"\t a b \n", b"   ", b"ab"]
    data = np.frombuffer(b"".join(words) + bytes(16), np.int8).copy()
    lengths, dropped = np.array([*map(len, words)]), np.zeros(256, np.int8)
    dropped[[9, 10, 32]] = 1
    starts, into = np.cumsum(lengths) - lengths, (np.full(8, -7), np.full(8, -7))
    given = (data, starts, lengths, dropped, 1, 7, *into)
    check("string_contents.mlir", "trim_strings", None, *given)
    found = [bytes(data[start:][:size]) for start, size in zip(*into, strict=True)]
    assert found[1:7] == [word.strip() for word in words[1:7]]
    assert into[0][[0, 7]].tolist() == into[1][[0, 7]].tolist() == [-7, -7]


def test_numbers_that_strings_spell():
    words = "12 -7 +3 0 - + 1a a1 123456789012345678 1234567890123456789 .5 5. . -0.0 1.5e3 2E-2"
    words += " 1e 1e+ e5 1.2.3 9007199254740992 9007199254740993 1e22 1e23 1e99999 7e-22 7e-23 inf"
    texts = [word.encode() for word in ["", *words.split(" ")]]
    data = np.frombuffer(b"".join(texts) + bytes(16), np.int8).copy()
    lengths = np.array([*map(len, texts)])
    rows = len(texts)
    given, span = (data, np.cumsum(lengths) - lengths, lengths), (1, rows)
    integers, spelt = np.full(rows, -7), np.full(rows, -7, np.int8)
    check("string_values.mlir", "integers_of_strings", None, *given, *span, integers, spelt)
    assert integers[1:5].tolist() == [12, -7, 3, 0]
    assert texts[9] == b"123456789012345678"
    assert np.flatnonzero(spelt == 1).tolist() == [1, 2, 3, 4, 9, 21, 22]
    doubles, powers = np.full(rows, -7.0), np.array([float(10**k) for k in range(23)])
    check("string_values.mlir", "doubles_of_strings", None, *given, powers, *span, doubles, spelt)
    found = [text for text, is_spelt in zip(texts, spelt, strict=True) if is_spelt == 1]
    plain = "12 -7 +3 0 .5 5. -0.0 1.5e3 2E-2 9007199254740992 1e22 7e-22"
    assert [text.decode() for text in found] == plain.split(" ")
    assert doubles[spelt == 1].tolist() == [float(text) for text in found]


def test_digits_of_integers():
    values = np.array([0, 9, 10, -1, 123456, -(2**63), 2**63 - 1, 5])
    sizes, data = np.full(8, -7), np.full(60, -7, np.int8)
    check("string_values.mlir", "sizes_of_integers", None, values, 1, 8, sizes)
    texts = [str(value) for value in values.tolist()[1:]]
    assert sizes.tolist() == [-7, *map(len, texts)]
    ends = np.cumsum(sizes) + 8
    check("string_values.mlir", "digits_of_integers", None, values, ends, 1, 8, data)
    assert data.tobytes()[1 : ends[-1]].decode() == "".join(texts)


@pytest.mark.parametrize("text", ["", "ab", "a\0b", "Äß", "abcdefghijk"])
def test_bytes_of_points(text: str):
    """NULs at the end are no characters, in between they are."""
    given = np.array(["seven", text, "", text])
    points = given.view(np.int32)
    data, places, used = np.full(points.size, -7, np.int8), np.full(4, -7), np.zeros(1, np.int32)
    lengths = np.full(4, -7)
    width = given.dtype.itemsize // 4
    into = (data, places, lengths, used)
    check("string_points.mlir", "bytes_of_points", None, points, width, 1, 3, *into)


def test_no_text_is_read_before_it_is_needed():
    """Importing what uses the loops takes no longer for there being many."""
    code = (
        "import sys\n"
        "read = []\n"
        "def note(event, given):\n"
        "    if event == 'open':\n"
        "        read.append(given[0])\n"
        "sys.addaudithook(note)\n"
        "import diablo.runtime.kernels.sparse_products, diablo.runtime.kernels.bucket_sums\n"
        "import diablo.runtime.arrays.patterns.searching, diablo.runtime.kernels.dot_products\n"
        "assert not [path for path in read if str(path).endswith('.ll')]\n"
        "from diablo.runtime.native.written_loops import written_loop\n"
        "written_loop('dot')\n"
        "assert [path for path in read if str(path).endswith('dot.ll')]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=dict(os.environ))


@pytest.mark.parametrize("monoid", ["add", "min", "max"])
@pytest.mark.parametrize("dtype", [np.float64, np.int64])
def test_scans(monoid: str, dtype: type[Any]):
    rng = np.random.default_rng(8)
    given = rng.integers(-9, 9, 60).astype(dtype)
    kind = f"{monoid}.{'f64' if dtype is np.float64 else 'i64'}"
    carry = rng.integers(-9, 9, 12).astype(dtype)
    for width, step, columns in ((1, 1, (0, 1)), (1, -1, (0, 1)), (4, 4, (1, 4)), (4, -4, (0, 4))):
        count = 20 // width
        first = 0 if step > 0 else 20 - width
        place = (20, first, step, count, width, 1, 3, *columns)
        check("scans.mlir", "scan", kind, given, np.zeros(60, dtype), carry, *place)
    check("scans.mlir", "fold", kind, given, np.zeros(1, dtype), 3, 50)


@pytest.mark.parametrize(("kept", "calls"), [(False, 2), (True, 1)])
def test_a_loop_is_made_once_it_repays_it(kept: bool, calls: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work_seen, "_points_seen", {})
    monkeypatch.setattr(written_loops, "WORTH_COMPILING", 5)
    monkeypatch.setattr(written_loops, "WORTH_LINKING", 2)
    monkeypatch.setattr(written_loops, "is_kept", lambda name, kind: kept)
    monkeypatch.setattr(written_loops, "written_loop", lambda *loop: loop)
    monkeypatch.setenv("DIABLO_COMPILE", "auto")
    found = [repaid_loop(3, "combine_at", "add.f64") for _ in range(calls)]
    assert found == [None] * (calls - 1) + [("combine_at", "add.f64")]
    assert repaid_loop(1, "combine_at", "add.i64") is None, "of another kind it has seen nothing"


def test_there_is_no_loop_of_a_kind_that_is_not_written(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    assert repaid_loop(1 << 40, "combine_at", "add.string") is None

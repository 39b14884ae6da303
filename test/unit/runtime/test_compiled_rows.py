# Kernels over rows as machine code: their signatures, their buffers, and how threads share them.
import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.parser import Parser

from diablo.diagnostics import InputError
from diablo.kernel_signature import Dimension, Slot
from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.registry import new_context
from diablo.row_kernel_signature import BagSlot, Output, RowSignature
from diablo.runtime.kernels.kernel_code import KernelCode, UncompiledCode
from diablo.runtime.native import work_seen
from diablo.runtime.rows import compiled_rows as module
from diablo.runtime.rows import rows_in_order
from diablo.runtime.rows.compiled_rows import CompiledRowKernel, compiled_rows

ROOT = Path(__file__).parents[3]

SUMS = """
func.func private @sums(%rows: !comprehension.bag<KEY, f64>) -> !comprehension.bag<KEY, f64, f64> {
  %r = tensor_block.project %rows[0, 1, 1]
      : !comprehension.bag<KEY, f64> -> !comprehension.bag<KEY, f64, f64>
  %g = tensor_block.group_reduce %r keys 1 monoids(add, any) : !comprehension.bag<KEY, f64, f64>
  func.return %g : !comprehension.bag<KEY, f64, f64>
}
"""
POSITIVE = """
func.func private @positive(%rows: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64> {
  %r = tensor_block.filter %rows : !comprehension.bag<i64, f64> {
  ^bb0(%k: i64, %x: f64):
    %zero = arith.constant 0.0 : f64
    %keep = arith.cmpf ogt, %x, %zero : f64
    tensor_block.yield %keep : i1
  }
  func.return %r : !comprehension.bag<i64, f64>
}
"""
POSITIVE_SUMS = """
func.func private @positive_sums(%rows: !comprehension.bag<i64, f64>)
    -> !comprehension.bag<i64, f64> {
  %some = tensor_block.filter %rows : !comprehension.bag<i64, f64> {
  ^bb0(%k: i64, %x: f64):
    %zero = arith.constant 0.0 : f64
    %keep = arith.cmpf ogt, %x, %zero : f64
    tensor_block.yield %keep : i1
  }
  %r = tensor_block.group_reduce %some keys 1 monoids(add) : !comprehension.bag<i64, f64>
  func.return %r : !comprehension.bag<i64, f64>
}
"""
FOLDS = "f64:add,f64:any"
PAIRS = """
func.func private @pairs(%a: !comprehension.bag<f64>, %b: !comprehension.bag<f64>)
    -> !comprehension.bag<f64, f64> {
  %r = tensor_block.join %a[], %b[] : !comprehension.bag<f64>, !comprehension.bag<f64>
      -> !comprehension.bag<f64, f64>
  func.return %r : !comprehension.bag<f64, f64>
}
"""
SCALED = """
func.func private @scaled(%rows: !comprehension.bag<f64, !comprehension.string>, %s: f64) -> f64 {
  %p = tensor_block.extend %rows to [2]
      : !comprehension.bag<f64, !comprehension.string> -> !comprehension.bag<f64> {
  ^bb0(%x: f64, %t: !comprehension.string):
    %y = arith.mulf %x, %s : f64
    tensor_block.yield %y : f64
  }
  %r = tensor_block.fold add %p : !comprehension.bag<f64>
  func.return %r : f64
}
"""
FARTHEST = """
comprehension.monoid @farther : f64 identity 0.0 : f64 {
^bb0(%a: f64, %b: f64):
  %c = math.absf %a : f64
  %d = math.absf %b : f64
  %less = arith.cmpf olt, %c, %d : f64
  %r = arith.select %less, %b, %a : f64
  comprehension.yield %r
}
func.func private @farthest(%rows: !comprehension.bag<f64>) -> f64 {
  %r = tensor_block.fold @farther %rows : !comprehension.bag<f64>
  func.return %r : f64
}
"""


def must_not_run(*_: Any) -> Any:
    raise AssertionError("fell back to NumPy")


def numpys(*_: Any) -> Any:
    return "numpy"


def kernel(text: str, function: Any = must_not_run) -> CompiledRowKernel:
    """The kernel of a text, as a printed program has it."""
    parsed = Parser(new_context(), text).parse_module()
    native = compile_kernel(next(op for op in parsed.ops if isinstance(op, func.FuncOp)))
    return compiled_rows(function, native.write(), str(native.signature))


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", "1")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of how many calls each round of a kernel is."""
    made: list[int] = []
    share = module.share

    def counted(entry: Any, calls: Any, points: int) -> None:
        made.append(len(calls))
        share(entry, calls, points)

    monkeypatch.setattr(module, "share", counted)
    return made


OWN_RANGE = """
func.func private @prefixes(%rows: !comprehension.bag<i64>, %n: index, %V: tensor<?xf64>)
    -> !comprehension.bag<f64> {
  %zero = arith.constant 0 : index
  %made = tensor_block.extend %rows to [1]
      : !comprehension.bag<i64> -> !comprehension.bag<f64> {
  ^bb0(%k: i64):
    %end = arith.index_cast %k : i64 to index
    %sum = multiloop.loop range(%zero, END : index, index) -> f64 {
    ^bb0(%j: index, %acc: !multiloop.reduce<add : f64>):
      %v = tensor.extract %V[%j] : tensor<?xf64>
      multiloop.emit %acc(%v : f64)
    }
    tensor_block.yield %sum : f64
  }
  func.return %made : !comprehension.bag<f64>
}
"""


def test_rows_that_say_how_long_their_loops_are_weigh_more() -> None:
    """Or else such a kernel would stay with NumPy however long its loops are."""
    own, given = (kernel(OWN_RANGE.replace("END", end)).signature for end in ("%end", "%n"))
    assert not own.inner
    assert own.weight > 10 * given.weight
    assert [str(size) for size in given.inner] == ["1"]


def sums(keys: Any, values: Any) -> dict[Any, tuple[float, float]]:
    """For each key the sum of its values and the last one."""
    wanted: dict[Any, tuple[float, float]] = {}
    for key, value in zip(keys.tolist(), values.tolist(), strict=True):
        wanted[key] = wanted.get(key, (0.0, 0.0))[0] + value, value
    return wanted


def check_sums(run: CompiledRowKernel, keys: Any, values: Any) -> None:
    found, totals, last = run((keys, values))
    assert found.dtype == keys.dtype
    pairs = zip(totals.tolist(), last.tolist(), strict=True)
    assert dict(zip(found.tolist(), pairs, strict=True)) == sums(keys, values)
    assert len(found) == len(set(found.tolist()))


# ---- signatures ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "(i64,f64) f64[?] i64 -> f64(add) groups(i64;f64:add,i64:add) rows(f64) over 0 weight 1",
        "(i64,-) f64[?,?] i64>0 -> placed(i64,f64) some(i1) over 0 weight 12",
        "(-) -> i64(add) over 0 weight 1",
        "f64[?] (f64) -> keyed(uint8;f64:any) over 0.0 weight 3",
        "i64 -> f64,i64() over 0 weight 1",
        "(i64) -> groups(i64,f64;) over =5 weight 1",
        "(i64,f64) -> groups(i64;f64&i64:own,f64:add) over 0 weight 1",
        "(i64,f64) (f64,i64) -> f64(add) over 0 weight 2*1 matches 1.1,1",
        "(i64,[f64;-]) -> lists(i64;f64,i64&i1) keyed_lists(i64;) over 0 weight 1",
        "(i64,row) -> placed(row0.1,[f64;i64]) some([i1]) over 0 weight 1",
        "(i64,-,i8) -> groups(int8;i64:add) over 0 weight 1 of 2,0",
        "(i64) (i64) -> groups(i64;) over 0 weight 1 matches 1.0 of 0",
        "i64 f64[0] -> vector(f64) scan(i64;max) ~scan(f64;add) ~scan(f64,i64;) over 0 weight 1",
    ],
)
def test_signatures_are_read_as_they_are_written(text: str):
    assert str(RowSignature.parse(text)) == text
    assert RowSignature.is_text(text)


def test_what_signatures_say():
    text = "(i64,-) f64[?] i64 -> f64(add) keyed(i64;f64:add,i64:any) rows(f64) over 1.0 weight 2"
    signature = RowSignature.parse(text)
    assert signature.arguments == (BagSlot(("i64", "")), Slot("f64", (None,)), Slot("i64"))
    total, groups, rows = signature.outputs
    assert total == Output("reduce", ("f64",), (), ("add",))
    assert groups == Output("groups", ("f64", "i64"), ("i64",), ("add", "any"), has_table=True)
    assert groups.columns == ("i64", "f64", "i64")
    assert rows == Output("rows", ("f64",))
    assert (signature.source, signature.weight) == (Dimension(None, 1, 0), 2)
    assert signature.shared
    assert not signature.by_keys
    assert RowSignature.parse("(i64) -> groups(i64;) keyed(i64;) over 0 weight 1").by_keys
    (lists,) = RowSignature.parse("(i64) -> keyed_lists(i64;f64,i64&i1) over 0 weight 1").outputs
    assert lists == Output("lists", ("f64", "i64", "i1"), ("i64",), has_table=True, widths=(1, 2))
    (own,) = RowSignature.parse("(i64) -> groups(i64;f64&i64:own,i1:or) over 0 weight 1").outputs
    assert own.values == ("f64", "i64", "i1")
    assert (own.monoids, own.widths) == (("own", "own", "or"), (2, 1))
    # Nothing is known of a monoid that is the program's own.
    assert not RowSignature.parse("(i64) -> groups(i64;f64:own) over 0 weight 1").shared
    assert not RowSignature.parse("(f64) -> f64() rows(f64) over 0 weight 1").shared


@pytest.mark.parametrize(
    "text",
    [
        "(i64) -> f64(add) over 0",
        "(i64) -> f64(add) weight 1",
        "(i64) -> f64(add) over ? weight 1",
        "(i64) -> f64 over 0 weight 1",
        "(i64) -> f64(add)) over 0 weight x",
        "f16[?] -> f64(add) over 0 weight 1",
    ],
)
def test_wrong_signatures_are_refused(text: str):
    with pytest.raises(ValueError, match=r"'"):
        RowSignature.parse(text)


def test_other_signatures_are_no_such_text():
    assert not RowSignature.is_text("f64[1,2] i64 i64 -> f64[1,2] rows 1*2")
    assert not RowSignature.is_text("f64{1}[1,2] -> f64(add) rows @0*2 of 1*2")


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        (SUMS.replace("KEY", "i64"), f"(i64,f64) -> keyed(i64;{FOLDS}) over 0 weight 1 of 0,1,1"),
        (SUMS.replace("KEY", "f64"), f"(f64,f64) -> groups(f64;{FOLDS}) over 0 weight 1 of 0,1,1"),
        (SUMS.replace("KEY", "i1"), f"(i1,f64) -> keyed(i1;{FOLDS}) over 0 weight 1 of 0,1,1"),
        (POSITIVE_SUMS, "(i64,f64) -> keyed(i64;f64:add) over 0 weight 1"),
        (POSITIVE, "(i64,f64) -> some(i64,f64) over 0 weight 1"),
        (PAIRS, "(f64) (f64) -> rows(f64,f64) over 0 weight 1*1"),
        (SCALED, "(f64,-) f64 -> f64(add) over 0 weight 1"),
    ],
)
def test_the_compiler_says_what_a_kernel_takes_and_gives(text: str, signature: str):
    assert str(kernel(text).signature) == signature


# ---- room ------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["i64", "f64", "i8", "ui64"])
def test_groups_grow_over_several_calls(
    key: str, monkeypatch: pytest.MonkeyPatch, calls: list[int]
):
    monkeypatch.setattr(module, "FIRST_GROUPS", 4)
    names = {"i64": "int64", "f64": "float64", "i8": "int8", "ui64": "uint64"}
    keys = (np.arange(3000) * 7919 % 500).astype(names[key])
    check_sums(kernel(SUMS.replace("KEY", key)), keys, np.arange(3000.0))
    assert len(calls) > 3
    assert set(calls) == {1}


def test_rows_grow_over_several_calls(calls: list[int]):
    a, b = np.arange(300.0), np.arange(70.0)
    left, right = kernel(PAIRS)((a,), (b,))
    assert len(calls) > 3
    np.testing.assert_array_equal(left, np.repeat(a, 70))
    np.testing.assert_array_equal(right, np.tile(b, 300))


def test_each_part_grows_by_itself(monkeypatch: pytest.MonkeyPatch, calls: list[int]):
    """The one with many keys goes on when the others have gone through their rows."""
    monkeypatch.setenv("DIABLO_THREADS", "3")
    monkeypatch.setattr(module, "FIRST_GROUPS", 4)
    keys = np.concatenate([np.zeros(1000, int), np.zeros(1000, int), np.arange(1000)])
    check_sums(kernel(SUMS.replace("KEY", "i64")), keys, np.arange(3000.0))
    assert calls[0] == 3
    assert calls[-1] == 1


@pytest.mark.sampled(2)
def test_rows_that_are_far_fewer_than_there_was_room_for_are_copied():
    keys, values = np.arange(10_000), np.full(10_000, -1.0)
    values[:10] = 1.0
    run = kernel(POSITIVE)
    few, _ = run((keys, values))
    assert few.base is None
    assert len(few) == 10
    values[:] = 1.0
    values[0] = -1.0
    most, _ = run((keys, values))
    assert most.base is not None
    assert len(most) == 9999


def test_buffers_have_to_fit_in_memory(monkeypatch: pytest.MonkeyPatch):
    run, rows = kernel(POSITIVE), (np.arange(10), np.ones(10))
    run(rows)

    def refuse(size: int, *_: Any) -> None:
        raise InputError(f"{size} bytes")

    monkeypatch.setattr(module, "reserve", refuse)
    with pytest.raises(InputError, match="160 bytes"):
        run(rows)


def test_no_rows():
    none = np.zeros(0)
    assert [len(c) for c in kernel(POSITIVE)((none.astype(int), none))] == [0, 0]
    assert [len(c) for c in kernel(PAIRS)((none,), (np.ones(3),))] == [0, 0]
    assert [len(c) for c in kernel(PAIRS)((np.ones(3),), (none,))] == [0, 0]
    assert [len(c) for c in kernel(SUMS.replace("KEY", "i64"))((none.astype(int), none))] == [0] * 3


# ---- threads ---------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("threads", ["2", "3", "7"])
def test_parts_of_the_rows_are_put_together(
    threads: str, monkeypatch: pytest.MonkeyPatch, calls: list[int]
):
    monkeypatch.setenv("DIABLO_THREADS", threads)
    rng = np.random.default_rng(1)
    keys, values = rng.integers(0, 20, 999), rng.integers(-9, 9, 999).astype(float)
    check_sums(kernel(SUMS.replace("KEY", "i64")), keys, values)
    check_sums(kernel(SUMS.replace("KEY", "f64")), keys.astype(float), values)
    found, positive = kernel(POSITIVE)((keys, values))
    np.testing.assert_array_equal(found, keys[values > 0])
    np.testing.assert_array_equal(positive, values[values > 0])
    a, b = kernel(PAIRS)((values,), (values[:5],))
    np.testing.assert_array_equal(a, np.repeat(values, 5))
    np.testing.assert_array_equal(b, np.tile(values[:5], 999))
    assert max(calls) == int(threads)


@pytest.mark.parametrize("threads", ["1", "2", "7"])
def test_threads_choose_rows_in_short_runs_and_in_order(
    threads: str, monkeypatch: pytest.MonkeyPatch, calls: list[int]
):
    """There is no part of the rows for each, whose gaps would be closed afterwards."""
    monkeypatch.setenv("DIABLO_THREADS", threads)
    monkeypatch.setattr(rows_in_order, "RUN_BYTES", 160)
    monkeypatch.setattr(rows_in_order, "share", module.share)
    closed: list[int] = []
    close_gaps = module.close_gaps

    def counted(vectors: Any, begins: Any, counts: Any) -> None:
        closed.append(len(begins))
        close_gaps(vectors, begins, counts)

    monkeypatch.setattr(module, "close_gaps", counted)
    rng = np.random.default_rng(6)
    run = kernel(POSITIVE)
    for rows in (560, 1003, 20_000):
        keys, values = rng.integers(0, 20, rows), rng.standard_normal(rows)
        found, positive = run((keys, values))
        np.testing.assert_array_equal(found, keys[values > 0])
        np.testing.assert_array_equal(positive, values[values > 0])
    assert calls == [int(threads)] * 3
    assert set(closed) == {1}


def test_few_rows_are_chosen_in_parts(monkeypatch: pytest.MonkeyPatch):
    """So are rows beside which something else is made, or of which more may come."""
    monkeypatch.setenv("DIABLO_THREADS", "2")
    taken: list[int] = []
    monkeypatch.setattr(module, "choose_in_order", lambda *_: taken.append(1))
    values = np.arange(-500.0, 500.0)
    found, _ = kernel(POSITIVE)((values.astype(int), values))
    np.testing.assert_array_equal(found, np.arange(1, 500))
    monkeypatch.setattr(rows_in_order, "RUN_BYTES", 1)
    a, _ = kernel(PAIRS)((values,), (values[:5],))
    np.testing.assert_array_equal(a, np.repeat(values, 5))
    assert not taken


def test_what_a_programs_own_monoid_reduces_is_one_part(
    monkeypatch: pytest.MonkeyPatch, calls: list[int]
):
    monkeypatch.setenv("DIABLO_THREADS", "3")
    values = np.array([1.0, -7.0, 7.0, 3.0] * 20)
    assert kernel(FARTHEST)((values,)) == -7.0
    assert calls == [1]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", ["int64", "uint64", "float64"])
@pytest.mark.parametrize("threads", ["1", "2", "3"])
def test_many_keys_are_shared_by_key(
    key: str, threads: str, monkeypatch: pytest.MonkeyPatch, calls: list[int]
):
    """Each thread goes through all rows, which the first rows have to tell."""
    monkeypatch.setenv("DIABLO_THREADS", threads)
    monkeypatch.setattr(module, "SAMPLE", 64)
    parts: list[tuple[int, int]] = []
    piece = module._Piece  # pyright: ignore[reportPrivateUsage]

    class Noted(piece):
        def __init__(self, *arguments: Any, **options: Any):
            super().__init__(*arguments, **options)
            parts.append(self.part)

    monkeypatch.setattr(module, "_Piece", Noted)
    rng = np.random.default_rng(2)
    keys = (rng.integers(0, 1500, 3000) * 1_000_003).astype(key)
    if key == "float64":
        keys = np.sqrt(keys)
    text = SUMS.replace("KEY", {"int64": "i64", "uint64": "ui64", "float64": "f64"}[key])
    check_sums(kernel(text), keys, rng.integers(0, 9, 3000).astype(float))
    count = int(threads)
    by_keys = [(n, count) for n in range(count)]
    assert parts == [(0, 1), *(by_keys if count > 1 else [(0, 1)])]


@pytest.mark.parametrize("threads", ["1", "2", "3"])
@pytest.mark.parametrize(
    ("factor", "count", "is_sorted"),
    [(1_000_003, 1500, True), (1, 1500, False), (10**6, 20, False)],
)
def test_many_keys_that_lie_apart_are_sorted(
    threads: str, factor: int, count: int, is_sorted: bool, monkeypatch: pytest.MonkeyPatch
):
    """Those that have places in a table are not, nor are few, or what takes more than a word."""
    monkeypatch.setenv("DIABLO_THREADS", threads)
    monkeypatch.setattr(module, "SAMPLE", 64)
    for limit in ("MANY_KEYS", "MANY_FOLDED"):
        monkeypatch.setattr(module, limit, 200)
    sorts: list[Any] = []
    call = module._Call  # pyright: ignore[reportPrivateUsage]
    sort = call._sorted  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(call, "_sorted", lambda self: sorts.append(self) or sort(self))
    rng = np.random.default_rng(4)
    values = rng.integers(-3, 9, 3000).astype(float)
    for key in ("int64", "uint64"):
        keys = (rng.integers(0, count, 3000) * factor).astype(key)
        if key == "uint64":
            keys += np.uint64(2**63)
        elif factor > 1:
            keys -= 10**8
        check_sums(kernel(SUMS.replace("KEY", "i64" if key == "int64" else "ui64")), keys, values)
        assert bool(sorts) == is_sorted
        sorts.clear()
    found, totals = kernel(POSITIVE_SUMS)((keys.astype(np.int64), values))
    positive = values > 0
    expected = sums(keys.astype(np.int64)[positive], values[positive])
    assert dict(zip(found.tolist(), totals.tolist(), strict=True)) == {
        k: total for k, (total, _) in expected.items()
    }
    check_sums(kernel(SUMS.replace("KEY", "i64")), rng.integers(-(2**62), 2**62, 3000), values)
    assert not sorts


@pytest.mark.parametrize("kinds", ["i64, i64", "i64, i8", "ui64, i64"])
def test_many_pairs_are_sorted(kinds: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "SAMPLE", 64)
    monkeypatch.setattr(module, "MANY_KEYS", 200)
    run = kernel(
        f"""
func.func private @distinct(%rows: !comprehension.bag<{kinds}>) -> !comprehension.bag<{kinds}> {{
  %g = tensor_block.group_reduce %rows keys 2 monoids() : !comprehension.bag<{kinds}>
  func.return %g : !comprehension.bag<{kinds}>
}}
"""
    )
    assert run.signature.given == (0, 1)
    rng = np.random.default_rng(6)
    names = {"i64": "int64", "i8": "int8", "ui64": "uint64"}
    for low in (0, -100):
        columns = [
            (rng.integers(0, 200, 3000) + (low if name != "ui64" else -low)).astype(names[name])
            for name in kinds.split(", ")
        ]
        columns[0] *= columns[0].dtype.type(10**6)
        found = run(tuple(columns))
        assert [c.dtype for c in found] == [c.dtype for c in columns]
        pairs = list(zip(*[c.tolist() for c in found], strict=True))
        assert pairs == sorted(set(zip(*[c.tolist() for c in columns], strict=True)))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("name", ["int64", "uint64", "int8", "uint8", "int32"])
def test_a_table_has_the_keys_of_the_first_rows(
    name: str, threads: str, monkeypatch: pytest.MonkeyPatch
):
    """Keys that come later may be any, and those of the table may not come again."""
    monkeypatch.setenv("DIABLO_THREADS", threads)
    monkeypatch.setattr(module, "SAMPLE", 64)
    monkeypatch.setattr(module, "PLACES_LOOKED_AT", 1)
    tables: list[list[tuple[int, int]]] = []
    table = module._Table  # pyright: ignore[reportPrivateUsage]

    class Noted(table):
        def __init__(self, output: Output, ranges: module.Ranges):
            super().__init__(output, ranges)
            tables.append(list(ranges))

    monkeypatch.setattr(module, "_Table", Noted)
    limits, rng = np.iinfo(name), np.random.default_rng(3)
    text = {"int64": "i64", "uint64": "ui64", "int8": "i8", "uint8": "ui8", "int32": "i32"}[name]
    run = kernel(SUMS.replace("KEY", text))
    values = rng.integers(0, 9, 2000).astype(float)
    for base in (limits.min, limits.max - 9, 5):
        keys = rng.integers(limits.min, limits.max, 2000, name, endpoint=True)
        keys[:64] = base + rng.integers(0, 10, 64).astype(name)
        keys[:2] = base, base + 9
        keys[64:80] = [limits.min, limits.max, 4, 5, 14, 15, limits.max - 10, limits.min + 10] * 2
        tables.clear()
        check_sums(run, keys, values)
        assert [(base, 10)] in tables


def test_a_table_of_several_keys(monkeypatch: pytest.MonkeyPatch):
    """Booleans are integers too; keys that lie outside in one column alone are hashed."""
    monkeypatch.setattr(module, "SAMPLE", 64)
    run = kernel(
        """
func.func private @by_three(%rows: !comprehension.bag<i8, i1, ui64, i64>)
    -> !comprehension.bag<i8, i1, ui64, i64> {
  %g = tensor_block.group_reduce %rows keys 3 monoids(add) : !comprehension.bag<i8, i1, ui64, i64>
  func.return %g : !comprehension.bag<i8, i1, ui64, i64>
}
"""
    )
    assert str(run.signature.outputs[0]) == "keyed(int8,i1,uint64;i64:add)"
    rng = np.random.default_rng(5)
    for later in (False, True):
        a, b = rng.integers(-3, 3, 3000, "int8"), rng.random(3000) < 0.5
        c = rng.integers(0, 4, 3000, "uint64") + np.uint64(2**64 - 4)
        a[64:300] = rng.integers(-9, 9, 236, "int8")
        b[:64] |= later
        c[200:500] -= rng.integers(0, 2**63, 300, "uint64")
        wanted: dict[Any, int] = {}
        for n, key in enumerate(zip(a.tolist(), b.tolist(), c.tolist(), strict=True)):
            wanted[key] = wanted.get(key, 0) + n
        for threads in ("1", "3"):
            monkeypatch.setenv("DIABLO_THREADS", threads)
            found = [column.tolist() for column in run((a, b, c, np.arange(3000)))]
            assert dict(zip(zip(*found[:3], strict=True), found[3], strict=True)) == wanted


def test_a_table_may_hold_all_keys(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_THREADS", "2")
    monkeypatch.setattr(module, "SAMPLE", 64)
    keys = np.arange(2000) % 10 - 5
    run = kernel(SUMS.replace("KEY", "i64"))
    check_sums(run, keys, np.arange(2000.0))
    found, *_ = run((keys, np.arange(2000.0)))
    np.testing.assert_array_equal(found, np.arange(-5, 5))


def test_few_rows_of_much_memory_are_copied_out_of_it():
    close_up = module._closed_up  # pyright: ignore[reportPrivateUsage]
    columns = np.arange(12), np.arange(12.0)
    for counts, alone in (
        ([2, 4, 1], False),
        ([1, 0, 2], False),
        ([1, 0, 1], True),
        ([0] * 3, True),
    ):
        wanted = [b + k for b, n in zip((0, 4, 8), counts, strict=True) for k in range(n)]
        given = [column.copy() for column in columns]
        for found, column in zip(close_up(given, [0, 4, 8], counts), given, strict=True):
            np.testing.assert_array_equal(found, wanted)
            assert np.shares_memory(found, column) != alone or not wanted


# ---- arguments -------------------------------------------------------------------------


def test_other_arguments_are_numpys():
    run = kernel(SCALED, numpys)
    x, t = np.arange(4.0), np.array(["a"] * 4, object)
    assert run((x, t), 2.0) == 12.0
    assert run((x, None), 2.0) == 12.0
    for wrong in (
        [(x.astype(np.float32), t), 2.0],
        [(x.astype(int), t), 2.0],
        [(x.tolist(), t), 2.0],
        [(x,), 2.0],
        [x, 2.0],
        [(x, t), "two"],
        [(x, t)],
        [(x, t), 2.0, 3.0],
    ):
        assert run(*wrong) == "numpy"


def test_columns_may_have_strides():
    x, t = np.arange(8.0), np.array(["a"] * 4, object)
    assert kernel(SCALED)((x[::2], t), 1.0) == 12.0
    assert kernel(SCALED)((x[::-2], t), 1.0) == 16.0


def test_few_rows_are_not_worth_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "auto")
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 100)
    monkeypatch.setattr(work_seen, "LEAST_OF_CALL", 0)
    # A kernel of its own, whose rows nobody has counted.
    run = kernel(SCALED.replace("@scaled", "@tiered"), numpys)
    x, t = np.arange(10.0), np.array(["a"] * 10, object)
    assert [run((x, t), 1.0) for _ in range(3)] == ["numpy", "numpy", 45.0]


def test_more_rows_than_places_are_numpys(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MOST_ROWS", 4)
    run = kernel(SCALED, numpys)
    assert run((np.ones(4), None), 1.0) == "numpy"
    assert run((np.ones(3), None), 1.0) == 3.0


def test_kernels_travel():
    run = kernel(POSITIVE, numpys)
    rows = np.arange(4), np.array([1.0, -1.0, 2.0, 0.0])
    run(rows)
    sent = pickle.loads(pickle.dumps(run))
    assert sent.signature == run.signature
    np.testing.assert_array_equal(sent(rows)[0], [0, 2])


def test_a_printed_program_needs_no_compiler(tmp_path: Path):
    program = tmp_path / "groups.diablo"
    program.write_text(
        "input L: list[(Int,Double)];\n[ (k,+/x,x.length) | (k,x) <- L, x > 0.0, group by k ];\n"
    )
    script = tmp_path / "groups.py"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DIABLO_THREADS": "2"}
    opt = [sys.executable, "-m", "diablo.tools.opt", str(program), "-t", "pyspark"]
    subprocess.run([*opt, "-o", str(script)], check=True, env=environment)
    (tmp_path / "L.csv").write_text("".join(f"{n % 3},{n - 10}\n" for n in range(40)))
    script.write_text(
        # Neither the NumPy functions nor the compiler are there to help.
        script.read_text().replace(
            "\nif __name__",
            "\nimport sys; sys.modules['xdsl'] = sys.modules['diablo.lowering'] = None\n"
            "from diablo.runtime import rows; rows.group_reduce = rows.filter = None\n"
            "if __name__",
            1,
        )
    )
    command = [sys.executable, str(script), "--input", f"L={tmp_path / 'L.csv'}"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    for key in range(3):
        kept = [n - 10 for n in range(40) if n % 3 == key and n > 10]
        assert f"({key}, {float(sum(kept))}, {len(kept)})" in done.stdout


# ---- kernels that the compiler has not looked at ---------------------------------------


def test_the_compiler_looks_at_a_kernel_that_has_seen_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "auto")
    asked: list[int] = []

    def look() -> KernelCode:
        asked.append(1)
        code = kernel(SUMS.replace("KEY", "i64")).code
        assert isinstance(code, KernelCode)
        return code

    run = compiled_rows(numpys, UncompiledCode("looked at when it has seen rows", look))
    keys, values = np.arange(4) % 2, np.arange(4.0)
    assert run((keys, values)) == "numpy"
    assert not asked
    many = module.WORTH_LOOKING_AT
    assert run((np.arange(many) % 2, np.arange(float(many)))) == "numpy"
    assert asked == [1]
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    check_sums(run, keys, values)
    assert asked == [1]


def test_it_is_looked_at_before_it_travels() -> None:
    asked: list[int] = []

    def look() -> KernelCode | None:
        asked.append(1)
        return None

    run = compiled_rows(numpys, UncompiledCode("travels", look))
    there = pickle.loads(pickle.dumps(run))
    assert asked == [1]
    assert there((np.arange(3),)) == "numpy"
    assert run((np.arange(3),)) == "numpy"
    assert asked == [1]


def test_numbers_that_are_none_are_put_together_without_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    run = kernel(SUMS.replace("KEY", "i64").replace("monoids(add, any)", "monoids(max, any)"))
    keys, values = np.array([0, 1, 0, 1]), np.array([1.0, np.nan, np.nan, -np.inf])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, greatest, _ = run((keys, values))
    assert dict(zip(found.tolist(), np.isnan(greatest).tolist(), strict=True)) == {0: True, 1: True}

# What kernels compute with the threads of a GPU, which are run on the CPU one after the other.
import operator
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from gpu_kernels import ORDERS, callable_on_cpu, gpu_module, is_on_gpu, loops_on_cpu, on_cpu
from kernel_oracle import parse_kernel, run_naively
from random_kernels import random_kernel
from sparse_kernels import KERNELS, SparseKernel
from sparse_updates import UPDATES
from test_sparse_kernels import interpreted, parse, plain, random_arguments, tiles
from xdsl.context import Context
from xdsl.dialects import gpu

from diablo.diagnostics import Diagnostic, listening
from diablo.dialects.simt import AtomicOp
from diablo.lowering.gpu import kernel_mappings
from diablo.lowering.gpu.convert_gpu_to_loops import Order
from diablo.lowering.gpu.convert_gpu_to_nvvm import ConvertGPUToNVVMPass
from diablo.lowering.gpu.ptx_text import nvvm_text
from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.monoid_table import MONOIDS, BuiltinMonoid
from diablo.passes.analyses.refused import Refused
from diablo.runtime.kernels import compiled, compiled_sparse
from diablo.runtime.native import work_seen
from diablo.runtime.native.machine_code import machine_code

EXTENTS = (0, 1, 31, 32, 33, 1023, 1025)
SHAPES = ((0, 5), (5, 0), (1, 1025), (1025, 1), (33, 31), (513, 3), (3, 1030), (32, 32))
DTYPES: dict[str, Any] = {
    "f64": np.float64,
    "f32": np.float32,
    "i64": np.int64,
    "i32": np.int32,
    "i16": np.int16,
    "i8": np.int8,
    "ui8": np.uint8,
    "ui32": np.uint32,
    "ui64": np.uint64,
}


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 0)
    for module in (compiled, compiled_sparse):
        monkeypatch.setattr(module, "machine_code", partial(machine_code, quick=True))


def array_of(shape: tuple[int, ...], type: str) -> Any:
    rng = np.random.default_rng(sum(shape))
    return rng.integers(0 if type.startswith("u") else -9, 9, shape).astype(DTYPES[type])


def line(op: str, body: str, value: str, type: str, result: str) -> str:
    """An op over the elements `%x` of a vector."""
    return f"""func.func private @k(%a: tensor<?x{type}>, %n: index) -> {result} {{
      %r = tensor_block.{op}(d0 < %n) ins(%a[d0] : tensor<?x{type}>) -> {result} {{
      ^body(%i: index, %x: {type}):
        {body}
        tensor_block.yield {value} : {type}
      }}
      func.return %r : {result}
    }}"""


def plane(op: str, axes: str, result: str, body: str = "", value: str = "%x") -> str:
    """An op over the elements `%x` of a matrix of f64."""
    matrix = "tensor<?x?xf64>"
    return f"""func.func private @k(%a: {matrix}, %n: index, %m: index) -> {result} {{
      %r = tensor_block.{op} ins(%a[{axes}] : {matrix}) -> {result} {{
      ^body(%i: index, %j: index, %x: f64):
        {body}
        tensor_block.yield {value} : f64
      }}
      func.return %r : {result}
    }}"""


def same(got: Any, expected: Any, tolerance: float = 1e-12) -> None:
    np.testing.assert_allclose(
        np.asarray(got, dtype=float), np.asarray(expected, dtype=float), rtol=tolerance, atol=0
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("type", DTYPES)
def test_points_of_every_type(type: str):
    op = "mulf" if type.startswith("f") else "muli"
    text = line("map parallel", f"%y = arith.{op} %x, %x : {type}", "%y", type, f"tensor<?x{type}>")
    run = callable_on_cpu(text)
    for n in EXTENTS:
        a = array_of((n,), type)
        np.testing.assert_array_equal(run(a, n), a * a)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("type", DTYPES)
@pytest.mark.parametrize("monoid", ["add", "min"])
def test_folds_of_every_type(type: str, monoid: str):
    text = line(f"reduce {monoid} reduced", "", "%x", type, type)
    module = gpu_module(text)
    # One order each finds what depends on it as well: types differ in nothing that it matters for.
    number = list(DTYPES).index(type) + (monoid == "min")
    for order in ORDERS if type == "f64" else ORDERS[number % 2 :][:1]:
        run = callable_on_cpu(text, order, module)
        for n in EXTENTS:
            a = array_of((n,), type)
            if monoid == "add":
                np.testing.assert_array_equal(run(a, n), a.sum(dtype=a.dtype))
            elif n:
                np.testing.assert_array_equal(run(a, n), a.min())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("monoid", ["and", "or"])
def test_folds_of_booleans(monoid: str):
    run = callable_on_cpu(line(f"reduce {monoid} reduced", "", "%x", "i1", "i1"))
    for n in EXTENTS:
        for a in (np.zeros(n, bool), np.ones(n, bool), np.arange(n) == n - 1, np.arange(n) > 0):
            assert run(a, n) == (a.all() if monoid == "and" else a.any())


def test_the_least_number_is_none_where_one_is_none():
    run = callable_on_cpu(line("reduce min reduced", "", "%x", "f64", "f64"))
    a = np.arange(1025.0)
    assert run(a, 1025) == 0
    a[1000] = np.nan
    assert np.isnan(run(a, 1025))
    assert run(a, 0) == np.inf


PLANES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "points": (
        plane(
            "map parallel(d0 < %n, d1 < %m)",
            "d0, d1",
            "tensor<?x?xf64>",
            "%y = math.exp %x : f64",
            "%y",
        ),
        np.exp,
    ),
    "rows": (
        plane("reduce add parallel(d0 < %n) reduced(d1 < %m)", "d0, d1", "tensor<?xf64>"),
        lambda a: a.sum(axis=1),
    ),
    "columns": (
        plane("reduce add parallel(d0 < %m) reduced(d1 < %n)", "d1, d0", "tensor<?xf64>"),
        lambda a: a.sum(axis=0),
    ),
    "total": (
        plane("reduce add reduced(d0 < %n, d1 < %m)", "d0, d1", "f64"),
        lambda a: a.sum(),
    ),
    "transposed": (
        plane("map parallel(d0 < %m, d1 < %n)", "d1, d0", "tensor<?x?xf64>"),
        np.transpose,
    ),
    "beside": (
        plane("map parallel(d0 < %n, d1 < %m)", "d0 - 1, d1 + 1", "tensor<?x?xf64>"),
        lambda a: np.pad(a, 1)[: a.shape[0], 2:],
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", PLANES)
def test_planes_of_odd_shapes(name: str):
    text, expected = PLANES[name]
    module = gpu_module(text)
    for order in ORDERS:
        run = callable_on_cpu(text, order, module)
        for shape in SHAPES:
            a = array_of(shape, "f64")
            same(run(a, *shape), expected(a), 1e-15 if name != "points" else 1e-14)


def test_long_rows_have_a_block_each(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernel_mappings, "LONG_ROW", 3)
    text, expected = PLANES["rows"]
    run = callable_on_cpu(text, "descending")
    for shape in SHAPES:
        a = array_of(shape, "f64")
        same(run(a, *shape), expected(a), 1e-15)


WRAPPED = """func.func private @k(%a: tensor<?x?x?xf64>, %n: index, %m: index, %l: index)
    -> tensor<?x?x?xf64> {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m, d2 < %l) symbols(%n, %m, %l)
      ins(%a[(d0 + 1) mod s0, d1, d2] : tensor<?x?x?xf64>,
          %a[d0, (d1 - 1) mod s1, (d2 + 1) mod s2] : tensor<?x?x?xf64>,
          %a[(d0 - 7) mod s0, (d1 + 1) mod s1, d2] : tensor<?x?x?xf64>,
          %a[d0, d1 - 1, (d2 - 1) mod s2] : tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  ^body(%i: index, %j: index, %k: index, %x: f64, %y: f64, %z: f64, %w: f64):
    %s = arith.addf %x, %y : f64
    %t = arith.addf %s, %z : f64
    %u = arith.addf %t, %w : f64
    tensor_block.yield %u : f64
  }
  func.return %r : tensor<?x?x?xf64>
}"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("rows", "order"), [(1, "ascending"), (2, "descending"), (4, "ascending")])
def test_points_that_wrap_around(monkeypatch: pytest.MonkeyPatch, rows: int, order: Order):
    monkeypatch.setattr(kernel_mappings, "ROWS_TOGETHER", ((1 << 30, rows),))
    # Few threads along a row, and few blocks: each thread has several places, and groups of rows.
    monkeypatch.setattr(kernel_mappings, "BOX", (rows, 3 - rows % 2))
    run = callable_on_cpu(WRAPPED, order)
    for shape in (
        (1, 1, 1),
        (0, 3, 2),
        (2, 3, 0),
        (3, 2, 33),
        (17, 7, 5),
        (8, 12, 70),
        (70, 90, 3),
    ):
        a = array_of(shape, "f64")
        straight = np.pad(a, ((0, 0), (1, 0), (0, 0)))[:, :-1]
        expected = (
            np.roll(a, -1, 0)
            + np.roll(a, (1, -1), (1, 2))
            + np.roll(a, (7, -1), (0, 1))
            + np.roll(straight, 1, 2)
        )
        same(run(a, *shape), expected, 0)


def test_equal_runs_give_equal_bits():
    text, _ = PLANES["total"]
    a = np.random.default_rng(1).normal(size=(70, 900))
    module = gpu_module(text)
    runs = [callable_on_cpu(text, order, module) for order in ORDERS]
    assert len({run(a, 70, 900) for run in (*runs, *runs)}) == 1


HISTOGRAM = """func.func private @k(%a: tensor<?xi64>, %n: index, %bins: index) -> tensor<?xTYPE> {
  %one = VALUE : TYPE
  %c = tensor_block.scatter_reduce add reduced(d0 < %n) into(%bins)
      ins(%a[d0] : tensor<?xi64>) -> tensor<?xTYPE> {
  ^body(%i: index, %x: i64):
    %k = arith.index_cast %x : i64 to index
    tensor_block.yield %k, %one : index, TYPE
  }
  func.return %c : tensor<?xTYPE>
}"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("type", ["i64", "i32", "i8", "ui16"])
def test_counts_by_integer_keys(type: str):
    one = "comprehension.unsigned 1" if type.startswith("u") else "arith.constant 1"
    text = HISTOGRAM.replace("TYPE", type).replace("VALUE", one)
    run = callable_on_cpu(text)
    # Few places are in tables of the blocks, and the last ones are too many.
    for n, bins in ((0, 3), (1, 1), (1025, 7), (33, 100), (5, 0), (1025, 20000)):
        a = np.random.default_rng(n).integers(-1, bins + 1, n)
        inside = a[(a >= 0) & (a < bins)]
        counts = np.bincount(inside, minlength=bins)
        got = run(a, n, bins)
        np.testing.assert_array_equal(got, counts.astype(got.dtype))


GREATEST = """func.func @k(%a: memref<?xindex>, %b: memref<?xi64>, %n: index, %r: memref<?x?xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  scf.for %i = %zero to %n step %one {
    %k = memref.load %a[%i] : memref<?xindex>
    %j = arith.remui %i, %two : index
    %x = memref.load %b[%i] : memref<?xi64>
    %old = memref.load %r[%j, %k] : memref<?x?xi64>
    %new = arith.maxsi %old, %x : i64
    memref.store %new, %r[%j, %k] : memref<?x?xi64>
  }
  func.return
}"""


def test_tables_of_two_dimensions_take_what_is_there():
    run = loops_on_cpu(GREATEST)
    for n, columns in ((0, 3), (1025, 5), (1025, 1500)):
        rng = np.random.default_rng((n, columns))
        a, b = rng.integers(0, columns, n), rng.integers(-99, 99, n)
        begun = rng.integers(-99, 99, (2, columns))
        found, expected = begun.copy(), begun.copy()
        np.maximum.at(expected, (np.arange(n) % 2, a), b)
        run(a, b, n, found)
        np.testing.assert_array_equal(found, expected)


XOR = BuiltinMonoid("xor", "xor", 0, operator.xor, {"integer": "xori"}, "bitwise_xor")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("atomics", [{}, {"integer": "xor"}])
def test_a_monoid_of_another_row(monkeypatch: pytest.MonkeyPatch, atomics: dict[Any, str]):
    monkeypatch.setitem(MONOIDS, "xor", replace(XOR, atomics=atomics))
    run = callable_on_cpu(line("reduce xor reduced", "", "%x", "i64", "i64"))
    for n in EXTENTS:
        a = array_of((n,), "i64")
        assert run(a, n) == np.bitwise_xor.reduce(a)
    text = HISTOGRAM.replace("scatter_reduce add", "scatter_reduce xor").replace("TYPE", "i64")
    module = gpu_module(text.replace("VALUE", "arith.constant 1"))
    met = [op for op in module.walk() if isinstance(op, AtomicOp) and op.monoid.data == "xor"]
    assert bool(met) == bool(atomics)
    if atomics:
        ConvertGPUToNVVMPass().apply(Context(), module)
        assert "atomicrmw xor ptr addrspace(1) %own, i64 %x" in nvvm_text(module)


SPARSE = {kernel.name: kernel for kernel in (*KERNELS, *UPDATES)}
HELD_BACK = {
    "column_sums": "the order in which threads combine f64 by 'add' in memory",
    "conditional_total": "depends on the order",
    **dict.fromkeys(
        ("moved_by_a_symbol", "stencil_in_a_region"),
        "iterations store to the same elements",
    ),
}


@pytest.mark.sampled(64)
@pytest.mark.parametrize("kernel", SPARSE.values(), ids=lambda kernel: kernel.name)
def test_sparse_kernels(kernel: SparseKernel):
    said: list[Diagnostic] = []
    with listening(said.append):
        on_gpu = gpu_module(kernel.text)
    if kernel.name in HELD_BACK:
        assert not is_on_gpu(on_gpu)
        assert HELD_BACK[kernel.name] in said[-1].message
        return
    module, function = parse(kernel.text)
    run = callable_on_cpu(kernel.text, "descending", on_gpu)
    for seed in range(6):
        arrays, extents = random_arguments(kernel, function, seed)
        scalars = [extents[name] for name in kernel.extents]
        expected = interpreted(module, [*arrays, *scalars])
        np.testing.assert_allclose(plain(run(*tiles(function, arrays), *scalars)), expected)


def test_rows_of_every_length_have_as_many_threads_as_they_need():
    kernel = SPARSE["add_times_plus"]
    _, function = parse(kernel.text)
    module = gpu_module(kernel.text)
    runs = [callable_on_cpu(kernel.text, order, module) for order in ORDERS]
    for average in (0, 1, 3, 40):
        rng = np.random.default_rng(average)
        a = np.where(rng.random((300, 70)) < average / 70, rng.integers(1, 9, (300, 70)), 0) * 1.0
        a[7] = rng.integers(1, 9, 70)
        x = rng.integers(1, 9, 70) * 1.0
        expected = np.where(a != 0, a - x, 0).sum(axis=1)
        for run in runs:
            same(run(*tiles(function, [a, x]), 300, 70, 1), expected)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", range(3))
def test_random_kernels_agree_with_one_point_at_a_time(block: int):
    ran = 0
    for seed in range(block * 6, block * 6 + 6):
        kernel = random_kernel(seed)
        try:
            compile_kernel(parse_kernel(kernel.text))
        except Refused:
            continue
        module = gpu_module(kernel.text)
        if not is_on_gpu(module):
            continue
        with np.errstate(all="ignore"):
            expected = run_naively(parse_kernel(kernel.text), kernel.arguments)
        ran += 1
        run = callable_on_cpu(kernel.text, ORDERS[seed % 2], module)
        tolerance = 1e-5 if "f32" in kernel.text else 1e-12
        np.testing.assert_allclose(
            np.asarray(run(*kernel.arguments), dtype=float),
            np.asarray(expected, dtype=float),
            rtol=tolerance,
            atol=tolerance,
        )
    assert ran >= 2


# Mistakes that are planted


def results_in_both_orders(text: str, spoil: Callable[[Any], None], arguments: Any) -> list[Any]:
    module = gpu_module(text)
    spoil(module)
    return [callable_on_cpu(text, order, module)(*arguments) for order in ORDERS]


def test_a_barrier_that_is_missing_is_found():
    text = line("reduce add reduced", "", "%x", "f64", "f64")

    def spoil(module: Any) -> None:
        for op in [op for op in module.walk() if isinstance(op, gpu.BarrierOp)]:
            op.detach()

    a = np.arange(1025.0)
    assert results_in_both_orders(text, lambda _: None, (a, 1025)) == [a.sum()] * 2
    assert results_in_both_orders(text, spoil, (a, 1025)) != [a.sum()] * 2


def test_a_race_is_found():
    # All threads of a block, and all blocks, write where they have read.
    text = """func.func private @k(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
      %r = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xf64>) -> tensor<?xf64> {
      ^body(%i: index, %x: f64):
        tensor_block.yield %x : f64
      }
      func.return %r : tensor<?xf64>
    }"""

    def spoil(module: Any) -> None:
        for op in [op for op in module.walk() if op.name == "memref.store"]:
            zero = next(o for o in module.walk() if o.name == "arith.constant")
            assert op.parent_op() is not None
            kernel = next(o for o in module.walk() if isinstance(o, gpu.FuncOp))
            first = zero.clone()
            kernel.body.block.insert_op_before(first, kernel.body.block.first_op)
            op.operands[2] = first.results[0]

    a = np.arange(300.0)
    one, other = results_in_both_orders(text, spoil, (a, 300))
    assert one[0] != other[0]


def test_threads_that_wait_for_some_of_them_are_refused():
    text = line("reduce add reduced", "", "%x", "f64", "f64")
    module = gpu_module(text)
    branch = next(op for op in module.walk() if op.name == "scf.if")
    barrier = next(op for op in module.walk() if isinstance(op, gpu.BarrierOp))
    barrier.detach()
    branch.regions[0].block.insert_op_before(barrier, branch.regions[0].block.last_op)
    said: list[Diagnostic] = []
    with listening(said.append), pytest.raises(AssertionError):
        on_cpu(module, "ascending")
    assert "threads are held up in scf.if" in said[-1].message

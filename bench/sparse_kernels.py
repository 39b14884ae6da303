"""Kernels over sparse tiles: machine code next to the NumPy function that it replaces, in one run.

    python bench/sparse_kernels.py [--rows 200000] [--entries 16] [--repeats 7]

Prints for each kernel the median seconds of both, their ratio, and how many bytes per second the
machine code reads of the tile. The tile is uniform: `entries` in each of `rows` rows and columns.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
import scipy.sparse as sp
from xdsl.dialects import func
from xdsl.parser import Parser

from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.lowering.numpy.kernel_to_numpy import emit_numpy_kernel
from diablo.registry import new_context
from diablo.runtime import rows
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels import (
    arithmetic,
    compiled,
    scatter,
    sparse_points,
    sparse_products,
    work_seen,
)

ROWS = "tensor<?x?xf64, #tensor_block.storage<dense = 1>>"
HEAD = f"func.func private @kernel(%A: {ROWS}, %x: tensor<?xf64>, %n: index, %m: index)"
A_AND_X = f"ins(%A[d0, d1] : {ROWS}, %x[d1] : tensor<?xf64>)"
STORED = """%zero = arith.constant 0.0 : f64
    %neutral = arith.constant {} : f64
    %there = arith.cmpf une, %a, %zero : f64
    %v = arith.select %there, %s, %neutral : f64"""


def by_rows(monoid: str, body: str) -> str:
    """A kernel that folds each row of A, seen together with x."""
    return f"""{HEAD} -> tensor<?xf64> {{
      %r = tensor_block.reduce {monoid} parallel(d0 < %n) reduced(d1 < %m) {A_AND_X}
          -> tensor<?xf64> {{
      ^bb0(%i: index, %j: index, %a: f64, %b: f64):
        {body}
        tensor_block.yield %v : f64
      }}
      func.return %r : tensor<?xf64>
    }}"""


BAG = "!comprehension.bag<index, index, f64"
KERNELS = {
    "conditional sum of entries": f"""{HEAD} -> f64 {{
      %rows = tensor_block.to_bag %A : {ROWS} -> {BAG}>
      %some = tensor_block.filter %rows : {BAG}> {{
      ^bb0(%i: index, %j: index, %a: f64):
        %half = arith.constant 0.5 : f64
        %large = arith.cmpf ogt, %a, %half : f64
        %off = arith.cmpi ne, %i, %j : index
        %both = arith.andi %large, %off : i1
        tensor_block.yield %both : i1
      }}
      %values = tensor_block.project %some[2] : {BAG}> -> !comprehension.bag<f64>
      %r = tensor_block.fold add %values : !comprehension.bag<f64>
      func.return %r : f64
    }}""",
    "sum of a * x[j] by rows read": f"""{HEAD} -> f64 {{
      %rows = tensor_block.to_bag %A : {ROWS} -> {BAG}>
      %pairs = tensor_block.lookup %rows[1] in %x : {BAG}>, tensor<?xf64> -> {BAG}, f64>
      %all = tensor_block.extend %pairs : {BAG}, f64> -> {BAG}, f64, f64> {{
      ^bb0(%i: index, %j: index, %a: f64, %b: f64):
        %p = arith.mulf %a, %b : f64
        tensor_block.yield %p : f64
      }}
      %values = tensor_block.project %all[4] : {BAG}, f64, f64> -> !comprehension.bag<f64>
      %r = tensor_block.fold add %values : !comprehension.bag<f64>
      func.return %r : f64
    }}""",
    "a * x[j], sparse": f"""{HEAD} -> {ROWS} {{
      %r = tensor_block.map parallel(d0 < %n, d1 < %m) {A_AND_X} -> {ROWS} {{
      ^bb0(%i: index, %j: index, %a: f64, %b: f64):
        %v = arith.mulf %a, %b : f64
        tensor_block.yield %v : f64
      }}
      func.return %r : {ROWS}
    }}""",
    "min of a + x[j] in each row": by_rows(
        "min", "%s = arith.addf %a, %b : f64\n" + STORED.format("0x7FF0000000000000")
    ),
    "max of a * x[j] in each row": by_rows(
        "max", "%s = arith.mulf %a, %b : f64\n" + STORED.format("0xFFF0000000000000")
    ),
    "sum of a * x[j] * x[j] in each row": by_rows(
        "add", "%p = arith.mulf %b, %b : f64\n%v = arith.mulf %a, %p : f64"
    ),
}


def numpy_function(function: func.FuncOp) -> Callable[..., Any]:
    """The kernel in NumPy."""
    modules = (arithmetic, scatter, sparse_points, sparse_products)
    space: dict[str, Any] = {"np": np, "rows": rows, "SparseTile": SparseTile}
    space |= {module.__name__.rpartition(".")[2]: module for module in modules}
    exec(emit_numpy_kernel(function), space)
    return space[function.sym_name.data]


def seconds(call: Callable[[], Any], repeats: int) -> float:
    """The median time of a call, after one that is not counted."""
    call()
    times: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return median(times)


def uniform_tile(size: int, entries: int) -> SparseTile:
    """A square tile with as many entries in each row, at random."""
    rng = np.random.default_rng(0)
    columns = np.sort(rng.integers(0, size, (size, entries)), axis=1).ravel()
    starts = np.arange(0, size * entries + 1, entries)
    values = rng.random(size * entries) + 0.01
    return SparseTile.from_csr(sp.csr_array((values, columns, starts), shape=(size, size)))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, prog="sparse_kernels")
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--entries", type=int, default=16)
    parser.add_argument("--repeats", type=int, default=7)
    # What NumPy computes at every index of the box, it is given a box of this size for.
    parser.add_argument("--dense-rows", type=int, default=2_000)
    options = parser.parse_args()
    work_seen.WORTH_COMPILING = 0
    print(f"{compiled.thread_count()} threads")
    heading = "kernel", "rows", "NumPy s", "machine code s", "ratio", "GB/s"
    print("{:36} {:>7} {:>10} {:>14} {:>7} {:>6}".format(*heading))
    for name, text in KERNELS.items():
        function = Parser(new_context(), text, name).parse_module().body.block.first_op
        assert isinstance(function, func.FuncOp)
        native = compile_kernel(function)
        plain = numpy_function(function)
        run = compiled.compiled(plain, native.llvm_ir, native.signature)
        over_all_points = "reduce" in text and "arithmetic.chunks" in emit_numpy_kernel(function)
        over_all_points |= ".toarray()" in emit_numpy_kernel(function)
        size = options.dense_rows if over_all_points else options.rows
        tile = uniform_tile(size, options.entries)
        x = np.random.default_rng(1).random(size)
        before = seconds(lambda: plain(tile, x, size, size), options.repeats)  # noqa: B023
        after = seconds(lambda: run(tile, x, size, size), options.repeats)  # noqa: B023
        rate = 12 * tile.nnz / after / 1e9
        print(f"{name:36} {size:7} {before:10.5f} {after:14.5f} {before / after:7.1f} {rate:6.2f}")


if __name__ == "__main__":
    main()

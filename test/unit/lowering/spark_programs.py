"""Programs at the tensor_block level, written by hand, with what NumPy says about them.

Each case compiles a program and compares its results on a context, for one block size.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sparse

from diablo.runtime.io.arguments import WantedArray, check_argument

BLOCK_SIZES = [1, 3, 7, None]

TYPES = """
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!rows = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!local = tensor<?xf64>
"""

Compile = Callable[[str], Any]


def compile_program(text: str) -> Any:
    """`main` of the PySpark program that the text of a module becomes."""
    from xdsl.context import Context
    from xdsl.dialects import arith, builtin, func, math, scf, tensor
    from xdsl.parser import Parser

    from diablo.dialects import comprehension, spark, tensor_block
    from diablo.lowering.pyspark.emit_pyspark import emit_pyspark
    from diablo.lowering.spark.convert_tensor_block_to_spark import ConvertTensorBlockToSparkPass

    context = Context()
    for dialect in (
        *(arith.Arith, builtin.Builtin, func.Func, math.Math, scf.Scf, tensor.Tensor),
        *(comprehension.Comprehension, spark.Spark, tensor_block.TensorBlock),
    ):
        context.load_dialect(dialect)
    text = text if "!matrix" in text.split("func.func")[0] else TYPES + text
    module = Parser(context, text, "program.mlir").parse_module()
    for op in module.walk():
        op.verify()
    ConvertTensorBlockToSparkPass().apply(context, module)
    module.verify()
    program = types.ModuleType("program")
    exec(compile(emit_pyspark(module, "program.mlir"), "program.py", "exec"), program.__dict__)
    return program.main


DIMENSIONS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %A, %c0 : !matrix
  %m = tensor.dim %A, %c1 : !matrix
"""


def elementwise(compile: Compile, context: Any, block_size: int | None) -> None:
    """A map of a matrix, a transposed one, a row vector and the indices; the map's fold."""
    main = compile(
        f"""
        func.func @main(%A: !matrix, %B: !matrix, %v: !vector, %x: f64) -> (!matrix, f64) {{
          {DIMENSIONS}
          %C = tensor_block.map parallel(d0 < %n, d1 < %m)
              ins(%A[d0, d1] : !matrix, %B[d1, d0] : !matrix, %v[d1] : !vector) -> !matrix {{
          ^bb0(%i: index, %j: index, %a: f64, %b: f64, %w: f64):
            %k = arith.index_cast %i : index to i64
            %r = arith.sitofp %k : i64 to f64
            %1 = arith.mulf %r, %x : f64
            %2 = arith.addf %1, %a : f64
            %3 = arith.mulf %b, %w : f64
            %4 = arith.subf %2, %3 : f64
            tensor_block.yield %4 : f64
          }}
          %s = tensor_block.reduce max reduced(d0 < %n, d1 < %m) ins(%C[d0, d1] : !matrix) -> f64 {{
          ^bb0(%i: index, %j: index, %c: f64):
            tensor_block.yield %c : f64
          }}
          func.return %C, %s : !matrix, f64
        }}
        """
    )
    rng = np.random.default_rng(1)
    a, b, v = rng.random((8, 5)), rng.random((9, 11)), rng.random(5)
    # B is larger than what is read of it.
    expected = np.arange(8)[:, None] * 2.5 + a - b[:5, :8].T * v
    c, largest = main(context, a, b, v, 2.5, block_size=block_size)
    np.testing.assert_allclose(c.to_numpy(), expected, rtol=1e-12)
    np.testing.assert_allclose(largest, expected.max(), rtol=1e-12)


def matrix_power(compile: Compile, context: Any, block_size: int | None) -> None:
    """A loop that carries a matrix and reads another."""
    main = compile(
        f"""
        func.func @main(%A: !matrix, %steps: i64) -> !matrix {{
          {DIMENSIONS}
          %zero = arith.constant 0 : i64
          %one = arith.constant 1 : i64
          %P, %k = scf.while (%P0 = %A, %k0 = %zero) : (!matrix, i64) -> (!matrix, i64) {{
            %go = arith.cmpi slt, %k0, %steps : i64
            scf.condition(%go) %P0, %k0 : !matrix, i64
          }} do {{
          ^bb0(%P1: !matrix, %k1: i64):
            %P2 = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n)
                ins(%P1[d0, d2] : !matrix, %A[d2, d1] : !matrix) -> !matrix {{
            ^bb1(%i: index, %j: index, %l: index, %a: f64, %b: f64):
              %p = arith.mulf %a, %b : f64
              tensor_block.yield %p : f64
            }}
            %k2 = arith.addi %k1, %one : i64
            scf.yield %P2, %k2 : !matrix, i64
          }}
          func.return %P : !matrix
        }}
        """
    )
    a = np.random.default_rng(2).random((8, 8)) / 4
    for steps in (0, 2, 12):
        power = main(context, a, steps, block_size=block_size).to_numpy()
        np.testing.assert_allclose(power, np.linalg.matrix_power(a, steps + 1), rtol=1e-10)


def products(compile: Compile, context: Any, block_size: int | None) -> None:
    """Contractions with a matrix and a vector, both ways, an outer product and a dot product."""

    def contract(parallel: str, reduced: str, inputs: str, result: str) -> str:
        names = "%i: index, %j: index" if parallel else "%i: index"
        return f"""tensor_block.reduce add {parallel} reduced({reduced}) ins({inputs})
            -> {result} {{
          ^bb0({names}, %a: f64, %b: f64):
            %p = arith.mulf %a, %b : f64
            tensor_block.yield %p : f64
          }}"""

    row_products = contract(
        "parallel(d0 < %n)", "d1 < %m", "%A[d0, d1] : !matrix, %x[d1] : !vector", "!vector"
    )
    column_products = contract(
        "parallel(d0 < %m)", "d1 < %n", "%A[d1, d0] : !matrix, %y[d1] : !vector", "!vector"
    )
    main = compile(
        f"""
        func.func @main(%A: !matrix, %x: !vector, %y: !vector)
            -> (!vector, !vector, !matrix, f64) {{
          {DIMENSIONS}
          %r = {row_products}
          %c = {column_products}
          %o = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%y[d0] : !vector, %x[d1]
              : !vector) -> !matrix {{
          ^bb0(%i: index, %j: index, %a: f64, %b: f64):
            %p = arith.mulf %a, %b : f64
            tensor_block.yield %p : f64
          }}
          %d = {contract("", "d0 < %m", "%c[d0] : !vector, %x[d0] : !vector", "f64")}
          func.return %r, %c, %o, %d : !vector, !vector, !matrix, f64
        }}
        """
    )
    rng = np.random.default_rng(3)
    a, x, y = rng.random((8, 5)), rng.random(5), rng.random(8)
    r, c, o, d = main(context, a, x, y, block_size=block_size)
    np.testing.assert_allclose(r.to_numpy(), a @ x, rtol=1e-12)
    np.testing.assert_allclose(c.to_numpy(), a.T @ y, rtol=1e-12)
    np.testing.assert_allclose(o.to_numpy(), np.outer(y, x), rtol=1e-12)
    np.testing.assert_allclose(d, y @ a @ x, rtol=1e-12)


def growing_array(compile: Compile, context: Any, block_size: int | None) -> None:
    """A vector whose length doubles in a loop, and a branch that keeps or shortens it."""

    def fill(extent: str, value: str) -> str:
        return f"""tensor_block.map parallel(d0 < {extent}) -> !vector {{
          ^bb0(%i: index):
            %x = arith.constant {value} : f64
            tensor_block.yield %x : f64
          }}"""

    main = compile(
        f"""
        func.func @main(%start: i64, %end: i64, %short: i1) -> !vector {{
          %n = arith.index_cast %start : i64 to index
          %limit = arith.index_cast %end : i64 to index
          %two = arith.constant 2 : index
          %A = {fill("%n", "1.0")}
          %B, %m = scf.while (%B0 = %A, %m0 = %n) : (!vector, index) -> (!vector, index) {{
            %go = arith.cmpi slt, %m0, %limit : index
            scf.condition(%go) %B0, %m0 : !vector, index
          }} do {{
          ^bb0(%B1: !vector, %m1: index):
            %m2 = arith.muli %m1, %two : index
            %B2 = {fill("%m2", "2.0")}
            scf.yield %B2, %m2 : !vector, index
          }}
          %C = scf.if %short -> (!vector) {{
            %C1 = {fill("%two", "3.0")}
            scf.yield %C1 : !vector
          }} else {{
            scf.yield %B : !vector
          }}
          func.return %C : !vector
        }}
        """
    )
    for start, end, short, expected in (
        (3, 10, False, [2.0] * 12),
        (3, 2, False, [1.0] * 3),
        (3, 10, True, [3.0] * 2),
    ):
        found = main(context, start, end, short, block_size=block_size)
        np.testing.assert_array_equal(found.to_numpy(), expected)


def local_arrays(compile: Compile, context: Any, block_size: int | None) -> None:
    """Local arrays: computed by the driver, broadcast, collected, and made of rows."""
    main = compile(
        f"""
        func.func @main(%A: !matrix, %v: !local) -> (!local, !local, !vector) {{
          {DIMENSIONS}
          %w = tensor_block.map parallel(d0 < %m) ins(%v[d0] : !local) -> !local {{
          ^bb0(%i: index, %a: f64):
            %b = arith.addf %a, %a : f64
            tensor_block.yield %b : f64
          }}
          %s = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
              ins(%A[d0, d1] : !matrix, %w[d1] : !local) -> !local {{
          ^bb0(%i: index, %j: index, %a: f64, %b: f64):
            %p = arith.mulf %a, %b : f64
            tensor_block.yield %p : f64
          }}
          %rows = tensor_block.to_bag %s : !local -> !comprehension.bag<index, f64>
          %t = tensor_block.from_bag %rows extents(%n) : !comprehension.bag<index, f64> -> !local
          %u = tensor_block.from_bag %rows extents(%n) : !comprehension.bag<index, f64> -> !vector
          func.return %s, %t, %u : !local, !local, !vector
        }}
        """
    )
    rng = np.random.default_rng(4)
    a, v = rng.random((8, 5)), rng.random(5)
    for found in main(context, a, v, block_size=block_size):
        np.testing.assert_allclose(np.asarray(found), a @ (2 * v), rtol=1e-12)


def sparse_arrays(compile: Compile, context: Any, block_size: int | None) -> None:
    """Products and sums of sparse arrays, and a dense map of one, whose empty tiles count."""
    main = compile(
        f"""
        func.func @main(%A: !matrix, %E: !rows, %F: !rows, %v: !vector)
            -> (!rows, !rows, !matrix, !vector) {{
          {DIMENSIONS}
          %S = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%E[d0, d1] : !rows, %F[d0, d1]
              : !rows) -> !rows {{
          ^bb0(%i: index, %j: index, %a: f64, %b: f64):
            %c = arith.addf %a, %b : f64
            tensor_block.yield %c : f64
          }}
          %P = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n)
              ins(%E[d0, d2] : !rows, %F[d2, d1] : !rows) -> !rows {{
          ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
            %c = arith.mulf %a, %b : f64
            tensor_block.yield %c : f64
          }}
          %D = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%E[d0, d1] : !rows) -> !matrix {{
          ^bb0(%i: index, %j: index, %a: f64):
            %one = arith.constant 1.0 : f64
            %c = arith.subf %one, %a : f64
            tensor_block.yield %c : f64
          }}
          %r = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n)
              ins(%E[d1, d0] : !rows, %v[d1] : !vector) -> !vector {{
          ^bb0(%i: index, %j: index, %a: f64, %b: f64):
            %c = arith.mulf %a, %b : f64
            tensor_block.yield %c : f64
          }}
          func.return %S, %P, %D, %r : !rows, !rows, !matrix, !vector
        }}
        """
    )
    rng = np.random.default_rng(5)
    e, f = (sparse.random_array((8, 8), density=0.1, rng=rng) for _ in range(2))
    v = rng.random(8)
    tiles = [check_argument(x, WantedArray(2, "f64"), "E") for x in (e, f)]
    s, p, d, r = main(context, np.zeros((8, 8)), *tiles, v, block_size=block_size)
    e, f = e.toarray(), f.toarray()
    np.testing.assert_allclose(s.to_numpy(), e + f, rtol=1e-12)
    np.testing.assert_allclose(p.to_numpy(), e @ f, rtol=1e-12)
    np.testing.assert_allclose(d.to_numpy(), 1 - e, rtol=1e-12)
    np.testing.assert_allclose(r.to_numpy(), e.T @ v, rtol=1e-12)


def everything_about_rows(compile: Compile, context: Any, block_size: int | None) -> None:
    """Each row operation once, in a program whose results NumPy can say in a few lines."""
    main = compile(
        """
        !edges = !comprehension.bag<i64, i64>
        func.func @main(%G: !edges, %A: !matrix, %v: !vector, %N: i64)
            -> (!vector, !vector, !matrix, f64, !comprehension.bag<i64, f64>, f64) {
          %n = arith.index_cast %N : i64 to index
          %c1 = arith.constant 1 : index
          %keyed = tensor_block.extend %G : !edges
              -> !comprehension.bag<i64, i64, index, index, f64> {
          ^bb0(%i: i64, %j: i64):
            %p = arith.index_cast %i : i64 to index
            %q = arith.index_cast %j : i64 to index
            %one = arith.constant 1.0 : f64
            tensor_block.yield %p, %q, %one : index, index, f64
          }
          %ones = tensor_block.project %keyed[2, 4]
              : !comprehension.bag<i64, i64, index, index, f64> -> !comprehension.bag<index, f64>
          %counts = tensor_block.from_bag add %ones extents(%n)
              : !comprehension.bag<index, f64> -> !vector
          %updated = tensor_block.from_bag add %ones extents(%n) dest(%v : !vector)
              : !comprehension.bag<index, f64> -> !vector
          %found = tensor_block.lookup %keyed[2, 3] in %A
              : !comprehension.bag<i64, i64, index, index, f64>, !matrix
                  -> !comprehension.bag<i64, i64, index, index, f64, f64>
          %both = tensor_block.lookup %found[3] in %v
              : !comprehension.bag<i64, i64, index, index, f64, f64>, !vector
                  -> !comprehension.bag<i64, i64, index, index, f64, f64, f64>
          %large = tensor_block.filter %both
              : !comprehension.bag<i64, i64, index, index, f64, f64, f64> {
          ^bb0(%i: i64, %j: i64, %p: index, %q: index, %one: f64, %a: f64, %w: f64):
            %half = arith.constant 0.5 : f64
            %c = arith.cmpf ogt, %w, %half : f64
            tensor_block.yield %c : i1
          }
          %entries = tensor_block.project %large[2, 3, 5]
              : !comprehension.bag<i64, i64, index, index, f64, f64, f64>
                  -> !comprehension.bag<index, index, f64>
          %picked = tensor_block.from_bag %entries extents(%n, %n)
              : !comprehension.bag<index, index, f64> -> !matrix
          %as = tensor_block.project %large[5]
              : !comprehension.bag<i64, i64, index, index, f64, f64, f64> -> !comprehension.bag<f64>
          %sum = tensor_block.fold add %as : !comprehension.bag<f64>
          %pairs = tensor_block.join %found[1], %G[0]
              : !comprehension.bag<i64, i64, index, index, f64, f64>, !edges
                  -> !comprehension.bag<i64, i64, index, index, f64, f64, i64, i64>
          %ends = tensor_block.project %pairs[7, 5]
              : !comprehension.bag<i64, i64, index, index, f64, f64, i64, i64>
                  -> !comprehension.bag<i64, f64>
          %groups = tensor_block.group_reduce %ends keys 1 monoids(add)
              : !comprehension.bag<i64, f64>
          %numbers = tensor_block.range %c1 to %n step 2 : !comprehension.bag<index>
          %reals = tensor_block.extend %numbers : !comprehension.bag<index>
              -> !comprehension.bag<index, f64> {
          ^bb0(%i: index):
            %k = arith.index_cast %i : index to i64
            %x = arith.sitofp %k : i64 to f64
            tensor_block.yield %x : f64
          }
          %column = tensor_block.project %reals[1] : !comprehension.bag<index, f64>
              -> !comprehension.bag<f64>
          %odd = tensor_block.fold add %column : !comprehension.bag<f64>
          func.return %counts, %updated, %picked, %sum, %groups, %odd
              : !vector, !vector, !matrix, f64, !comprehension.bag<i64, f64>, f64
        }
        """
    )
    rng = np.random.default_rng(6)
    n = 8
    edges = np.unique(rng.integers(0, n, (20, 2)), axis=0)
    i, j = edges.T
    a, v = rng.random((n, n)), rng.random(n)
    batch = (i.copy(), j.copy())
    counts, updated, picked, total, groups, odd = main(
        context, batch, a, v, n, block_size=block_size
    )
    degree = np.bincount(i, minlength=n)
    np.testing.assert_array_equal(counts.to_numpy(), degree)
    np.testing.assert_allclose(updated.to_numpy(), v + degree, rtol=1e-12)
    large = v[j] > 0.5
    expected = np.zeros((n, n))
    expected[i[large], j[large]] = a[i[large], j[large]]
    np.testing.assert_array_equal(picked.to_numpy(), expected)
    np.testing.assert_allclose(total, a[i[large], j[large]].sum(), rtol=1e-12)
    sums: dict[int, float] = {}
    for p, q in zip(i, j, strict=True):
        for r in j[i == q]:
            sums[int(r)] = sums.get(int(r), 0.0) + a[p, q]
    found = dict(groups.to_list())
    assert found.keys() == sums.keys()
    for key, value in sums.items():
        np.testing.assert_allclose(found[key], value, rtol=1e-12)
    assert odd == sum(range(1, n + 1, 2))

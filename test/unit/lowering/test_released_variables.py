"""Kernels over rows let go of each column and batch where it is used last."""

from __future__ import annotations

import re

import pytest
from xdsl.dialects import func
from xdsl.parser import Parser

from diablo.lowering.numpy.kernel_to_numpy import emit_numpy_kernel
from diablo.registry import new_context

FILTER = """
func.func private @kernel(%L: !comprehension.bag<i64, i64, f64>) -> !comprehension.bag<f64> {
  %0 = "tensor_block.filter"(%L) ({
  ^body(%i: i64, %j: i64, %x: f64):
    BODY
  }) : (!comprehension.bag<i64, i64, f64>) -> !comprehension.bag<i64, i64, f64>
  %1 = "tensor_block.project"(%0) <{columns = array<i64: 2>}>
      : (!comprehension.bag<i64, i64, f64>) -> !comprehension.bag<f64>
  func.return %1 : !comprehension.bag<f64>
}
"""
BRANCHES = """
func.func private @kernel(%L: !comprehension.bag<i64>, %M: !comprehension.bag<i64>, %c: i1)
    -> !comprehension.bag<i64> {
  %a = tensor_block.concat %L, %M : !comprehension.bag<i64>, !comprehension.bag<i64>
      -> !comprehension.bag<i64>
  %b = tensor_block.concat %M, %L : !comprehension.bag<i64>, !comprehension.bag<i64>
      -> !comprehension.bag<i64>
  %r = scf.if %c -> (!comprehension.bag<i64>) {
    %x = tensor_block.concat %a, %a : !comprehension.bag<i64>, !comprehension.bag<i64>
      -> !comprehension.bag<i64>
    scf.yield %x : !comprehension.bag<i64>
  } else {
    scf.yield %b : !comprehension.bag<i64>
  }
  %s = tensor_block.concat %r, %L : !comprehension.bag<i64>, !comprehension.bag<i64>
      -> !comprehension.bag<i64>
  %t = tensor_block.concat %s, %s : !comprehension.bag<i64>, !comprehension.bag<i64>
      -> !comprehension.bag<i64>
  func.return %t : !comprehension.bag<i64>
}
"""
TABLE = """
func.func private @kernel(%L: !comprehension.bag<i64>, %v: tensor<?xf64>, %w: tensor<?xf64>,
                          %n: index) -> (tensor<?xf64>, !comprehension.bag<i64>) {
  %r = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n)
      ins(%v[d0] : tensor<?xf64>, %w[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %e: f64, %f: f64):
    %y = arith.subf %e, %f : f64
    %z = arith.mulf %y, %y : f64
    tensor_block.yield %z : f64
  }
  %s = tensor_block.map parallel(d0 < %n) ins(%r[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %y = arith.mulf %e, %e : f64
    tensor_block.yield %y : f64
  }
  %x = tensor_block.concat %L, %L : !comprehension.bag<i64>, !comprehension.bag<i64>
      -> !comprehension.bag<i64>
  func.return %s, %x : tensor<?xf64>, !comprehension.bag<i64>
}
"""


def emitted(text: str, *, releases: bool = True) -> list[str]:
    """The lines of a kernel without its comments."""
    module = Parser(new_context(), text).parse_module()
    kernel = next(op for op in module.walk() if isinstance(op, func.FuncOp))
    lines = emit_numpy_kernel(kernel, releases=releases).splitlines()
    return [line for line in lines if not line.strip().startswith("#")]


def test_columns_and_batches_go_at_their_last_use() -> None:
    body = """
    %k = arith.muli %i, %j : i64
    %p = arith.cmpi sgt, %k, %i : i64
    %q = arith.cmpi slt, %k, %i : i64
    %o = arith.ori %p, %q : i1
    "tensor_block.yield"(%o) : (i1) -> ()"""
    assert emitted(FILTER.replace("BODY", body))[1:] == [
        "    i, j, _ = rows.columns(L, 2)",
        "    del _",
        "    k = i * j",
        "    del j",
        "    batch = rows.filter(L, (k > i) | (k < i))",
        "    del i, k",
        "    batch_1 = rows.project(batch, (2,))",
        "    return batch_1",
    ]


def test_a_text_to_be_read_does_without() -> None:
    assert not any("del " in line for line in emitted(BRANCHES, releases=False))


def test_what_one_branch_reads_goes_where_the_other_begins() -> None:
    assert emitted(BRANCHES)[1:] == [
        "    a = rows.concat_rows(L, M)",
        "    b = rows.concat_rows(M, L)",
        "    if c:",
        "        del b",
        "        x = rows.concat_rows(a, a)",
        "        del a",
        "        r = x",
        "        del x",
        "    else:",
        "        del a",
        "        r = b",
        "        del b",
        "    s = rows.concat_rows(r, L)",
        "    del r",
        "    t = rows.concat_rows(s, s)",
        "    return t",
    ]


def test_nothing_goes_in_a_loop_that_the_writer_makes() -> None:
    lines = emitted(TABLE)
    start = next(k for k, line in enumerate(lines) if line.strip().startswith("for "))
    end = next(k for k, line in enumerate(lines) if "s = " in line)
    assert not any("del " in line for line in lines[start:end])
    assert lines[end + 1].strip() == "del e, r"


@pytest.mark.parametrize(
    "body",
    [
        # A mask that two divisions share, and one branch that reads what the other does.
        """
    %zero = arith.constant 0 : i64
    %c = arith.cmpi ne, %j, %zero : i64
    %v = scf.if %c -> (i64) {
      %a = arith.divsi %i, %j : i64
      %b = arith.remsi %i, %j : i64
      %s = arith.addi %a, %b : i64
      scf.yield %s : i64
    } else {
      %d = arith.muli %i, %i : i64
      scf.yield %d : i64
    }
    %p = arith.cmpi sgt, %v, %zero : i64
    "tensor_block.yield"(%p) : (i1) -> ()""",
        # A condition that is read once both branches are written.
        """
    %zero = arith.constant 0 : i64
    %w = arith.addi %i, %j : i64
    %c = arith.cmpi sgt, %w, %zero : i64
    %v = scf.if %c -> (i64) {
      scf.yield %zero : i64
    } else {
      %one = arith.constant 1 : i64
      %d = arith.subi %zero, %one : i64
      scf.yield %d : i64
    }
    %p = arith.cmpi slt, %v, %zero : i64
    "tensor_block.yield"(%p) : (i1) -> ()""",
        # Both branches for the rows that take them.
        """
    %zero = arith.constant 0 : i64
    %t = comprehension.string_call "from_int" (%i) : (i64) -> !comprehension.string
    %c = arith.cmpi ne, %j, %zero : i64
    %v = scf.if %c -> (i64) {
      %a = comprehension.string_call "to_int" (%t) : (!comprehension.string) -> i64
      %b = arith.addi %a, %j : i64
      scf.yield %b : i64
    } else {
      %e = arith.muli %i, %j : i64
      %f = arith.addi %e, %i : i64
      scf.yield %f : i64
    }
    %p = arith.cmpi sgt, %v, %j : i64
    "tensor_block.yield"(%p) : (i1) -> ()""",
    ],
)
def test_both_branches_of_columns_give_the_same(body: str) -> None:
    import numpy as np

    from diablo.runtime import rows
    from diablo.runtime.kernels import arithmetic

    batch = (np.arange(-3, 5), np.array([0, 1, 2, 0, -1, 3, 0, 2]), np.arange(8.0))
    results: list[list[float]] = []
    for releases in (False, True):
        lines = emitted(FILTER.replace("BODY", body), releases=releases)
        assert any("del " in line for line in lines) == releases
        names = {"np": np, "rows": rows, "arithmetic": arithmetic}
        exec("\n".join(lines), names)
        kernel = names["kernel"]
        assert callable(kernel)
        (column,) = kernel(batch)
        results.append(column.tolist())
    assert results[0] == results[1]
    assert not re.search(r"\bdel\b", "".join(emitted(FILTER.replace("BODY", body), releases=False)))

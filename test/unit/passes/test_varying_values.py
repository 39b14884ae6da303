"""Which values are others in each iteration: what a loop gives, and what is computed of that."""

from __future__ import annotations

from xdsl.dialects import func, scf
from xdsl.parser import Parser

from diablo.dialects.defining_blocks import is_made_inside
from diablo.passes.analyses.values.varying_values import varies_in
from diablo.registry import new_context

TEXT = """
func.func @f(%n: index, %v: memref<?xf64>, %c: i1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %k = %zero to %n step %one {
    %of_index = arith.addi %k, %one : index
    %of_that = arith.muli %of_index, %n : index
    %same = arith.muli %n, %n : index
    %of_same = arith.addi %same, %one : index
    %read = memref.load %v[%zero] : memref<?xf64>
    %chosen = scf.if %c -> (index) {
      %inner = arith.addi %same, %n : index
      scf.yield %inner : index
    } else {
      scf.yield %n : index
    }
    %varying_choice = scf.if %c -> (index) {
      scf.yield %of_that : index
    } else {
      scf.yield %n : index
    }
  }
  func.return
}
"""


def test_what_varies() -> None:
    module = Parser(new_context(), TEXT, "f.mlir").parse_module()
    (function,) = module.ops
    assert isinstance(function, func.FuncOp)
    (loop,) = (op for op in function.body.block.ops if isinstance(op, scf.ForOp))
    values = [*loop.body.block.args, *[r for op in loop.body.walk() for r in op.results]]
    varying = {value.name_hint for value in values if varies_in(value, loop)}
    assert varying == {"k", "of_index", "of_that", "read", "varying_choice"}
    assert all(is_made_inside(value, loop) for value in values)
    outside = [*function.args, *[r for op in function.body.block.ops for r in op.results]]
    assert not any(is_made_inside(v, loop) or varies_in(v, loop) for v in outside)

"""Say comprehensions as operations on whole arrays, or on rows where that is not possible.

Reads the `comprehension` level (normalised), writes the `tensor_block` level. A comprehension
over arrays whose indices are aligned becomes `generate`, `map`, `reduce` and `contract`
(aligned_arrays.py); whatever is not recognised becomes row algebra over column batches
(row_plan.py), with a remark that names what prevented the better form. Where array algebra is
right only if extents agree that are not known yet, both forms are emitted, and an `scf.if` on
the extents chooses while the program runs.

```mlir
%r = comprehension.build (%n) : tensor<?xf64> {     %r = tensor_block.map parallel(d0 < %n)
  %i, %a = comprehension.each %A : tensor<?xf64>        ins(%A[d0] : tensor<?xf64>) … {
  %v = arith.mulf %a, %a : f64                  ==>   ^bb0(%i: index, %a: f64):
  comprehension.yield (%i) %v                           %v = arith.mulf %a, %a : f64
}                                                       tensor_block.yield %v : f64 }
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, scf
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from diablo.diagnostics import CompileError, Diagnostic
from diablo.dialects import comprehension, tensor_block
from diablo.dialects.locations import remark, span_of
from diablo.lowering.tensor_block.aligned_arrays import AlignedArrays
from diablo.lowering.tensor_block.body_emitter import Driver
from diablo.lowering.tensor_block.query import Query, Unrecognised, read_query
from diablo.lowering.tensor_block.row_plan import RowPlan
from diablo.passes.analyses.dimensions import read_argument_dimensions
from diablo.passes.analyses.speculation import Root


def _over_arrays(query: Query) -> bool:
    return any(
        isinstance(g, comprehension.EachOp) and isinstance(g.collection.type, TensorType)
        for g in query.generators
    )


def _nested(root: Root) -> bool:
    parent = root.parent_op()
    while parent is not None:
        if isinstance(parent, Root):
            return True
        parent = parent.parent_op()
    return False


def _in_two_versions(
    root: Root,
    driver: Driver,
    value: SSAValue,
    assumptions: Sequence[tuple[SSAValue, SSAValue]],
) -> SSAValue:
    """Guard the array algebra that `driver` inserted by its assumptions; rows otherwise."""
    algebra: list[Operation] = []
    for op in driver.inserted:
        if op.parent is None:
            continue  # replaced while planning
        of_arrays = op.name.startswith(tensor_block.TensorBlock.name)
        if of_arrays or any(operand.owner in algebra for operand in op.operands):
            algebra.append(op)
    condition: SSAValue | None = None
    for extent, least in assumptions:
        test = driver.insert(arith.CmpiOp(extent, least, "sge"))
        condition = test if condition is None else driver.insert(arith.AndIOp(condition, test))
    assert condition is not None
    then, otherwise = Block(), Block()
    for op in algebra:
        op.detach()
        then.add_op(op)
    then.add_op(scf.YieldOp(value))
    copy = root.clone()
    otherwise.add_op(copy)
    rows = RowPlan(read_query(copy), Driver(copy)).lower()
    Rewriter.erase_op(copy, safe_erase=False)
    otherwise.add_op(scf.YieldOp(rows))
    message = "two versions: array algebra if the arrays cover the result, else rows"
    remark(root, message)
    branch = scf.IfOp(condition, [value.type], Region(then), Region(otherwise))
    return driver.insert(branch)


def lower_root(root: Root) -> SSAValue:
    """Emit the `tensor_block` form of one comprehension before it; return its value."""
    driver = Driver(root)
    try:
        query = read_query(root)
        try:
            plan = AlignedArrays(query, driver)
            value = plan.lower()
        except Unrecognised as why:
            if _over_arrays(query):
                message = f"evaluated over rows, not as array algebra: {why}"
                remark(root, message)
            return RowPlan(query, driver).lower()
        assumptions = plan.array.space.assumptions
        if not assumptions:
            return value
        return _in_two_versions(root, driver, value, assumptions)
    except Unrecognised as why:
        message = f"this comprehension is not supported yet: {why}"
        raise CompileError([Diagnostic("error", message, span_of(root))]) from None


@dataclass(frozen=True)
class ConvertComprehensionToTensorBlockPass(ModulePass):
    """Lower every comprehension to array algebra, or to row algebra where it is not aligned."""

    name = "convert-comprehension-to-tensor-block"

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        """Lower the outermost comprehensions in program order."""
        for function in [o for o in op.walk() if isinstance(o, func.FuncOp) and o.body.blocks]:
            read_argument_dimensions(function)
        for root in [o for o in op.walk() if isinstance(o, Root) and not _nested(o)]:
            value = lower_root(root)
            hint = root.results[0].name_hint
            if hint is not None and value.name_hint is None:
                value.name_hint = hint
            root.results[0].replace_all_uses_with(value)
            Rewriter.erase_op(root)

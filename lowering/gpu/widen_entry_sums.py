"""Add up floats of 32 bits in 64 where a loop goes through the entries of a row.

    %end = memref.load %starts[%next]                 %s = scf.for … iter_args(%acc = %zero : f64) {
    %s = scf.for %p = %begin to %end step %one          %x = arith.extf %a : f32 to f64
        iter_args(%acc = %zero : f32) {                 %y = arith.extf %b : f32 to f64
      %t = arith.mulf %a, %b : f32               =>     %t = arith.mulf %x, %y : f64
      %u = arith.addf %acc, %t : f32                    %u = arith.addf %acc, %t : f64
      scf.yield %u : f32                                scf.yield %u : f64
    }                                                 }
                                                      %r = arith.truncf %s : f64 to f32

Reads and writes loops over memrefs. `widen-sums` leaves products of sparse matrices alone, so that
these are found; what a row has of entries may be millions. Parts of complex numbers are floats by
then (`expand-complex`). Other loops stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import FloatAttr, ModuleOp, f32, f64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.locations import located, named

_BOUNDS = 3
"""How many operands of a loop come before what it carries."""
_CASTS = arith.IndexCastOp | arith.ExtUIOp | arith.ExtSIOp


def widen_entry_sums(function: func.FuncOp) -> None:
    """Widen the sums of all loops of a function that go through the entries of a row."""
    for loop in [op for op in function.walk() if isinstance(op, scf.ForOp)]:
        if not _is_read(loop.ub):
            continue
        for number, argument in enumerate(loop.body.block.args[1:]):
            if argument.type != f32 or not _begins_with_constant(loop, number):
                continue
            if (total := _added(loop, number)) is not None:
                _widen(loop, number, total)


def _is_read(bound: SSAValue) -> bool:
    """Return whether memory says where a loop ends, as it does of rows."""
    op = bound.owner
    while isinstance(op, _CASTS):
        op = op.input.owner
    return isinstance(op, memref.LoadOp)


def _begins_with_constant(loop: scf.ForOp, number: int) -> bool:
    """Return whether a sum is of this loop alone: what a loop around it carries is no sum if it is
    rounded on the way."""
    begin = loop.iter_args[number].owner
    return isinstance(begin, arith.ConstantOp) and isinstance(begin.value, FloatAttr)


def _added(loop: scf.ForOp, number: int) -> arith.AddfOp | None:
    """Return what adds something to a value that a loop carries, if that is all it is for."""
    argument = loop.body.block.args[1 + number]
    end = loop.body.block.last_op
    assert isinstance(end, scf.YieldOp)
    total = end.operands[number].owner
    if not isinstance(total, arith.AddfOp) or len(list(total.result.uses)) != 1:
        return None
    uses = [use.operation for use in argument.uses]
    return total if uses == [total] and total.parent_op() is loop else None


def _widen(loop: scf.ForOp, number: int, total: arith.AddfOp) -> None:
    argument = loop.body.block.args[1 + number]
    term = total.rhs if total.lhs is argument else total.lhs
    begin = loop.iter_args[number].owner
    assert isinstance(begin, arith.ConstantOp)
    assert isinstance(begin.value, FloatAttr)
    wide = arith.ConstantOp(FloatAttr(begin.value.value.data, f64))
    Rewriter.insert_op(located(wide, loop), InsertPoint.before(loop))
    loop.operands[_BOUNDS + number] = wide.result
    Rewriter.replace_value_with_new_type(argument, f64)
    carried = loop.body.block.args[1 + number]
    ops, widened = _widened_term(term)
    added = arith.AddfOp(carried, widened, total.fastmath)
    named(added.result, total.result)
    for op in (*ops, added):
        located(op, total)
    Rewriter.replace_op(total, [*ops, added], [added.result])
    if isinstance(product := term.owner, arith.MulfOp) and not product.result.uses:
        Rewriter.erase_op(product)
    Rewriter.replace_value_with_new_type(loop.results[number], f64)
    result = loop.results[number]
    users = list(result.uses)
    rounded = located(arith.TruncFOp(result, f32), loop)
    Rewriter.insert_op(rounded, InsertPoint.after(loop))
    for use in users:
        use.operation.operands[use.index] = rounded.result


def _widened_term(term: SSAValue) -> tuple[list[Operation], SSAValue]:
    """Return what widens a term: the factors of a product, which is exact then."""
    product = term.owner
    if not isinstance(product, arith.MulfOp) or len(list(term.uses)) != 1:
        wide = arith.ExtFOp(term, f64)
        return [wide], wide.result
    factors = [arith.ExtFOp(factor, f64) for factor in product.operands]
    made = arith.MulfOp(factors[0].result, factors[1].result)
    return [*factors, made], made.result


@dataclass(frozen=True)
class WidenEntrySumsPass(ModulePass):
    """Adds up floats of 32 bits in 64 where a loop goes through the entries of a row."""

    name = "widen-entry-sums"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at the loops of every function."""
        for function in op.ops:
            if isinstance(function, func.FuncOp):
                widen_entry_sums(function)

"""The body of a map where one of its inputs stores an element, which is therefore not zero.

^bb0(%i: index, %j: index, %r: i1, %a: f64):        ^bb0(%i: index, %j: index, %r: i1, %a: f64):
  %v = scf.if %r { scf.yield %a }             ==>     tensor_block.yield %a
       else { scf.yield %zero }
  tensor_block.yield %v
"""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.predicates import symbol_of
from diablo.dialects.tensor_block import MapOp
from diablo.passes.analyses.values.affine_values import constant_value


def body_where_stored(op: MapOp, number: int) -> Block:
    """A copy of the body of `op` without the tests whether input `number` stores an element."""
    body = op.clone().body.block
    element = body.args[len(op.extents) + number]
    _fold(body, element, {element} if element.type == i1 else set())
    return body


def _fold(block: Block, element: SSAValue, true: set[SSAValue]) -> None:
    """Drop what is decided by `element` not being zero; `true` collects what that makes true."""
    op = block.first_op
    while op is not None:
        following = op.next_op
        match op:
            case arith.CmpfOp() | arith.CmpiOp() if _is_not_zero(op, element):
                true.add(op.result)
            case arith.AndIOp(lhs=left, rhs=right) if {left, right} <= true:
                true.add(op.result)
            case arith.AndIOp(lhs=left, rhs=right) if left in true or right in true:
                _replace(op, [right if left in true else left])
            case arith.SelectOp(cond=condition, lhs=left) if condition in true:
                _replace(op, [left])
            case scf.IfOp(cond=condition) if condition in true:
                following = _take(op) or following
            case scf.IfOp():
                for region in op.regions:
                    for inner in region.blocks:
                        _fold(inner, element, true)
            case _:
                pass
        op = following


def _is_not_zero(op: arith.CmpfOp | arith.CmpiOp, element: SSAValue) -> bool:
    sides = {op.lhs, op.rhs} - {element}
    return (
        symbol_of(op) == "!="
        and element in (op.lhs, op.rhs)
        and all(constant_value(side) == 0 for side in sides)
        and len(sides) == 1
    )


def _take(op: scf.IfOp) -> Operation | None:
    """Put the first branch in the place of a conditional; return its first op, if there is one."""
    block = op.true_region.block
    end = block.last_op
    assert isinstance(end, scf.YieldOp)
    values = list(end.operands)
    Rewriter.erase_op(end)
    first = block.first_op
    Rewriter.inline_block(block, InsertPoint.before(op))
    _replace(op, values)
    return first


def _replace(op: Operation, values: list[SSAValue]) -> None:
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    Rewriter.erase_op(op)

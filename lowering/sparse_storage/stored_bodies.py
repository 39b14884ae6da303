"""The body of an op at a point that sparse inputs store: no element of these is zero.

%there = arith.cmpf une, %a, %zero
%v = scf.if %there { %a + %b } else { %inf }       =>      %v = %a + %b

Of the inputs of a union one at least stores the point: that one or another is not zero holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from diablo.dialects.predicates import symbol_of
from diablo.lowering.sparse_storage.emitter import Emitter
from diablo.passes.analyses.values.affine_values import constant_value


def copy_body(
    e: Emitter,
    ops: Iterable[Operation],
    inner: dict[SSAValue, SSAValue],
    stored: Collection[SSAValue],
    united: Collection[SSAValue] = (),
) -> None:
    """Append copies of `ops` to the block, where the elements `stored` are not zero.

    `inner` maps the values of the body to those of the block. Of the elements `united` one at least
    is not zero.
    """
    for op in ops:
        same = _as_operand(op, inner)
        if _is_test_of(op, stored) or (united and set(united) <= _tested(op)):
            inner[op.results[0]] = e.boolean(True)
        elif same is not None:
            inner[op.results[0]] = inner.get(same, same)
        elif isinstance(op, scf.IfOp) and _is_true(inner, op.cond):
            *rest, end = op.true_region.block.ops
            copy_body(e, rest, inner, stored, united)
            for result, value in zip(op.results, end.operands, strict=True):
                inner[result] = inner.get(value, value)
        else:
            e.block.add_op(op.clone(inner))


def _as_operand(op: Operation, inner: dict[SSAValue, SSAValue]) -> SSAValue | None:
    """The operand that a conjunction or a choice is, where a condition is true."""
    match op:
        case arith.AndIOp() if _is_true(inner, op.lhs):
            return op.rhs
        case arith.AndIOp() if _is_true(inner, op.rhs):
            return op.lhs
        case arith.SelectOp() if _is_true(inner, op.cond):
            return op.lhs
        case _:
            return None


def _tested(op: Operation) -> set[SSAValue]:
    """Return the elements of which `op` tests that one at least is not zero."""
    if isinstance(op, arith.OrIOp) and op.result.type == i1:
        sides = [side.owner for side in op.operands]
        return set[SSAValue]().union(*[_tested(s) for s in sides if isinstance(s, Operation)])
    return {op.operands[0]} if _is_test_of(op, op.operands[:1]) else set()


def _is_test_of(op: Operation, stored: Collection[SSAValue]) -> bool:
    """Return whether `op` tests that one of the elements is not zero."""
    return (
        isinstance(op, arith.CmpfOp | arith.CmpiOp)
        and symbol_of(op) == "!="
        and op.lhs in stored
        and constant_value(op.rhs) == 0
    )


def _is_true(inner: dict[SSAValue, SSAValue], value: SSAValue) -> bool:
    """Return whether a value is a condition that holds: the number one is none."""
    return value.type == i1 and constant_value(inner.get(value, value)) == 1

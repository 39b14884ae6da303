"""Rules of `comprehension-normalize` about guards: each tests one condition."""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Block, Operation, OpResult, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.locations import located
from diablo.dialects.predicates import OPPOSITE, predicate_of
from diablo.passes.analyses.values.affine_values import constant_value


def _is_false(value: SSAValue) -> bool:
    return constant_value(value) == 0


def _negated(value: SSAValue) -> SSAValue | None:
    """Return what `value` is the negation of (`xori %x, true`), or `None`."""
    if isinstance(value, OpResult) and isinstance(value.op, arith.XOrIOp):
        for one, other in ((value.op.lhs, value.op.rhs), (value.op.rhs, value.op.lhs)):
            if constant_value(other) == 1:
                return one
    return None


def _negation(value: SSAValue) -> list[Operation]:
    """Ops that negate `value`; the last one's result is the negation."""
    true = arith.ConstantOp(IntegerAttr(1, i1))
    return [true, arith.XOrIOp(value, true.result)]


def _conjuncts(guard: comprehension.GuardOp) -> list[Operation] | None:
    """Ops that stand for the guard's condition one test at a time, guards among them.

    `None` if the condition is a single test. Ops that must be behind the first test (the
    protected branch of `a && b`) come behind its guard.
    """
    condition = guard.condition
    if constant_value(condition) == 1:
        return []
    if not isinstance(condition, OpResult):
        return None
    make = comprehension.GuardOp
    match condition.op:
        case arith.AndIOp(lhs=lhs, rhs=rhs):
            return [make(lhs), make(rhs)]
        case arith.OrIOp(lhs=lhs, rhs=rhs) if 1 in (constant_value(lhs), constant_value(rhs)):
            return []
        case arith.SelectOp(cond=cond, lhs=lhs, rhs=rhs) if _is_false(rhs):
            return [make(cond), make(lhs)]
        case scf.IfOp() as branch if _protects(branch, guard):
            block = branch.true_region.block
            end = block.last_op
            assert end is not None
            value = end.operands[0]
            ops = list(block.ops)[:-1]
            for op in ops:
                op.detach()
            return [make(branch.cond), *ops, make(value)]
        case _:
            return _negated_conjuncts(condition)


def _protects(branch: scf.IfOp, guard: comprehension.GuardOp) -> bool:
    """Return whether `branch` is `if c then e else false` and only decides `guard`."""
    if len(branch.results) != 1 or branch.parent is not guard.parent:
        return False
    if not branch.results[0].has_one_use() or not branch.false_region.blocks:
        return False
    end = branch.false_region.block.last_op
    return end is not None and _is_false(end.operands[0])


def _negated_conjuncts(condition: OpResult) -> list[Operation] | None:
    """The same for `not (a || b)`, `not not a` and `not (a < b)`."""
    inner = _negated(condition)
    if not isinstance(inner, OpResult):
        return None
    make = comprehension.GuardOp
    match inner.op:
        case arith.OrIOp(lhs=lhs, rhs=rhs):
            first, second = _negation(lhs), _negation(rhs)
            return [
                *first,
                make(first[-1].results[0]),
                *second,
                make(second[-1].results[0]),
            ]
        case arith.CmpiOp(lhs=lhs, rhs=rhs) as compare:
            inverse = arith.CmpiOp(lhs, rhs, OPPOSITE[predicate_of(compare)])
            return [inverse, make(inverse.result)]
        case _:
            positive = _negated(inner)
            return None if positive is None else [make(positive)]


def split_guards(block: Block) -> bool:
    """`guard (a && b)` → `guard a; guard b`; a guard that always holds goes away.

    An `scf.if` that protects the right side (`i > 0 && 10 / i > 2`) is unfolded, so that
    its ops stand behind the guard on the left side.
    """
    changed = False
    guards = [op for op in block.ops if isinstance(op, comprehension.GuardOp)]
    while guards:
        guard = guards.pop(0)
        ops = _conjuncts(guard)
        if ops is None:
            continue
        for op in ops:
            block.insert_op_before(op if op.regions else located(op, guard), guard)
        block.erase_op(guard)
        guards = [op for op in ops if isinstance(op, comprehension.GuardOp)] + guards
        changed = True
    return changed

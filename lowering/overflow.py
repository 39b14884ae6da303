"""Analysis: may an integer of the driver leave its 64 bits?

    while k < 10:
        k = k + 1          does not: it is below 10 where it is added to
    s = wrap(s * 3)        may

What the conditions say that surround an operation counts, and the lengths of arrays, which
are at most 2**60.
"""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.ir import Operation, OpResult, SSAValue

from diablo.dialects.functions.number_ranges import Interval
from diablo.passes.analyses.values.intervals import facts_of, may_wrap


def may_overflow(op: Operation) -> bool:
    """Whether the sum, product or magnitude of integers that `op` computes may need wrapping."""
    result = op.results[0]
    assert isinstance(result, OpResult)
    return may_wrap(result, {}) and may_wrap(result, facts_at(op))


def facts_at(op: Operation) -> dict[SSAValue, Interval]:
    """Return what holds where `op` stands, since branches and loops around it are entered."""
    facts: dict[SSAValue, Interval] = {}
    inner, outer = op, op.parent_op()
    while outer is not None:
        match outer:
            case scf.IfOp() if inner.parent_region() is outer.true_region:
                facts |= facts_of([outer.cond])
            case scf.WhileOp() if inner.parent_region() is outer.after_region:
                facts |= _facts_in(outer)
            case _:
                pass
        inner, outer = outer, outer.parent_op()
    return facts


def _facts_in(loop: scf.WhileOp) -> dict[SSAValue, Interval]:
    """Return what the condition of a loop says of the values that its body is given."""
    end = loop.before_region.block.last_op
    assert isinstance(end, scf.ConditionOp)
    said = facts_of([end.condition])
    given = dict(zip(end.args, loop.after_region.block.args, strict=True))
    return {given.get(value, value): interval for value, interval in said.items()}

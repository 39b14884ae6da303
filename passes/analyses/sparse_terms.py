"""Analysis: which terms of a sum are zero where a sparse array stores nothing?

```mlir
%d = arith.subf %v, %s : f64      // %v is an element of a sparse array, %s is not
%r = arith.mulf %half, %d : f64
```

`split_sum(%r, %v)` is the term `%half * %v`, which vanishes with `%v`, and the rest,
`- %half * %s`, in which `%v` does not occur.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Block, Operation, SSAValue

from diablo.dialects import comprehension, monoids
from diablo.passes.analyses.implicit_values import constants_outside
from diablo.passes.analyses.monoid_identities import implicit_constant
from diablo.passes.analyses.partial_evaluation import Known, evaluate_op, fact_of
from diablo.passes.analyses.speculation import used_values


@dataclass(frozen=True)
class Term:
    """The product of `value` and `factors`, taken off the sum if it is `negative`."""

    value: SSAValue
    negative: bool = False
    factors: tuple[SSAValue, ...] = ()


Split = tuple[list[Term], list[Term]]


def dependents(element: SSAValue, block: Block) -> set[SSAValue]:
    """`element`, and what the ops of `block` compute from it."""
    found = {element}
    for op in block.ops:
        if any(value in found for value in used_values(op)):
            found.update(op.results)
    return found


def split_sum(value: SSAValue, element: SSAValue) -> Split | None:
    """The terms of `value` that are zero where `element` is, and those without it.

    There are none if a term is neither.
    """
    block = element.owner.parent_block() if isinstance(element.owner, Operation) else None
    if block is None:
        return None
    known = _with_zero(element, block)
    varying = dependents(element, block)
    vanishing, rest = list[Term](), list[Term]()
    pending = [Term(value)]
    while pending:
        term = pending.pop()
        if term.value not in varying:
            rest.append(term)
        elif fact_of(term.value, known) == 0:
            vanishing.append(term)
        else:
            parts = _parts(term, varying)
            if parts is None:
                return None
            pending += reversed(parts)
    return vanishing, rest


def _with_zero(element: SSAValue, block: Block) -> Known:
    """What is known in rows in which `element` is zero."""
    known = constants_outside(block)
    zero = implicit_constant(element.type)
    if zero is not None:
        known[element] = zero
    for op in block.ops:
        if not isinstance(op, comprehension.EachOp | comprehension.RangeOp):
            evaluate_op(op, known, {})
    return known


def _parts(term: Term, varying: set[SSAValue]) -> list[Term] | None:
    """The terms that a sum, or a multiple of a sum, consists of."""
    match term.value.owner:
        case arith.AddfOp(lhs=lhs, rhs=rhs) | arith.AddiOp(lhs=lhs, rhs=rhs):
            return [
                Term(lhs, term.negative, term.factors),
                Term(rhs, term.negative, term.factors),
            ]
        case arith.SubfOp(lhs=lhs, rhs=rhs) | arith.SubiOp(lhs=lhs, rhs=rhs):
            return [
                Term(lhs, term.negative, term.factors),
                Term(rhs, not term.negative, term.factors),
            ]
        case arith.NegfOp(operand=operand):
            return [Term(operand, not term.negative, term.factors)]
        case arith.MulfOp(lhs=lhs, rhs=rhs) | arith.MuliOp(lhs=lhs, rhs=rhs):
            for one, other in ((lhs, rhs), (rhs, lhs)):
                if other not in varying:
                    return [Term(one, term.negative, (*term.factors, other))]
            return None
        case _:
            return None


def emit_sum(terms: Sequence[Term]) -> tuple[list[Operation], SSAValue]:
    """Ops that compute a sum of at least one term, and its value."""
    ops: list[Operation] = []

    def add(op: Operation) -> SSAValue:
        ops.append(op)
        return op.results[0]

    total: SSAValue | None = None
    # What is added comes first, so that nothing need be negated.
    for term in sorted(terms, key=lambda term: term.negative):
        value = term.value
        for factor in term.factors:
            value = add(monoids.combine("mul", factor, value))
        if not term.negative:
            total = value if total is None else add(monoids.combine("add", total, value))
        elif isinstance(value.type, AnyFloat):
            total = add(arith.NegfOp(value) if total is None else arith.SubfOp(total, value))
        else:
            if total is None:
                total = add(arith.ConstantOp(monoids.identity("add", value.type)))
            total = add(arith.SubiOp(total, value))
    assert total is not None
    return ops, total

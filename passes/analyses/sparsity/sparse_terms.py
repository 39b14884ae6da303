"""Analysis: which terms of a sum are zero where a sparse array stores nothing?

```mlir
%d = arith.subf %v, %s : f64      // %v is an element of a sparse array, %s is not
```

`split_sum(%d, %v)` is the term `%v`, which vanishes with `%v`, and the rest, `- %s`, in which
`%v` does not occur. What is added to the rest later is a reordering of the sum and nothing else:
of floats, the terms of a chain `a - b - c` are split, and those of sums in it, but a difference
that is added to something, or multiplied with a factor that rounds, stays whole. Its terms may
cancel: `w * (v - s)` is small where v is near s, and `w*v` and `w*s` are not. It is split where
both are of one sign, or with `fast_math`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import frexp

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Block, Operation, SSAValue

from diablo.dialects import comprehension, monoids
from diablo.dialects.number_constants import constant_op
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.sparsity.implicit_values import constants_outside
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.intervals import Facts, facts_of
from diablo.passes.analyses.values.monoid_identities import implicit_constant
from diablo.passes.analyses.values.one_sign import is_of_one_sign
from diablo.passes.analyses.values.partial_evaluation import Known, evaluate_op, fact_of


@dataclass(frozen=True)
class Term:
    """The product of `value` and `factors`, taken off the sum if it is `negative`."""

    value: SSAValue
    negative: bool = False
    factors: tuple[SSAValue, ...] = ()


Split = tuple[list[Term], list[Term]]


class _Around(Enum):
    """What a part of a sum may be split into."""

    CHAIN = "anything that is added or subtracted"
    SUM = "what is added"
    PRODUCT = "terms of one sign"


def dependents(element: SSAValue, block: Block) -> set[SSAValue]:
    """`element`, and what the ops of `block` compute from it."""
    found = {element}
    for op in block.ops:
        if any(value in found for value in used_values(op)):
            found.update(op.results)
    return found


def split_sum(
    value: SSAValue, element: SSAValue, *, added: bool = False, fast_math: bool = False
) -> Split:
    """The terms of `value` that are zero where `element` is, and those without it.

    If `added`, the value itself is a term of a larger sum. Raises `Refused` if a term is
    neither, or if the terms may cancel.
    """
    block = element.owner.parent_block() if isinstance(element.owner, Operation) else None
    if block is None:
        raise Refused(_NO_SUM)
    known = _with_zero(element, block)
    varying = dependents(element, block)
    guards = [op.condition for op in block.ops if isinstance(op, comprehension.GuardOp)]
    parts = _Parts(varying, facts_of(guards), fast_math)
    vanishing, rest = list[Term](), list[Term]()
    pending = [(Term(value), _Around.SUM if added else _Around.CHAIN)]
    while pending:
        term, around = pending.pop()
        if term.value not in varying:
            rest.append(term)
        elif fact_of(term.value, known) == 0:
            vanishing.append(term)
        else:
            pending += reversed(parts.of(term, around))
    return vanishing, rest


_NO_SUM = "the value is no sum of terms with and without it"
_MAY_CANCEL = "the terms may cancel (use --fast-math)"


def _with_zero(element: SSAValue, block: Block) -> Known:
    """Return what is known in rows in which `element` is zero."""
    known = constants_outside(block)
    zero = implicit_constant(element.type)
    if zero is not None:
        known[element] = zero
    for op in block.ops:
        if not isinstance(op, comprehension.EachOp | comprehension.RangeOp):
            evaluate_op(op, known, {})
    return known


@dataclass(frozen=True)
class _Parts:
    """Splits terms of which values in `varying` are parts."""

    varying: set[SSAValue]
    facts: Facts
    fast_math: bool

    def of(self, term: Term, around: _Around) -> list[tuple[Term, _Around]]:
        """The terms that a sum, or a multiple of a sum, consists of, and what is around each.

        Raises `Refused` if it is none, or its terms may cancel.
        """
        negative, factors = term.negative, term.factors
        inner = around if around is _Around.PRODUCT else _Around.SUM
        match term.value.owner:
            case arith.AddiOp(lhs=lhs, rhs=rhs):
                sign = False
            case arith.SubiOp(lhs=lhs, rhs=rhs):
                sign = True
            case arith.AddfOp(lhs=lhs, rhs=rhs) as op:
                self._check(op, around is not _Around.PRODUCT)
                sign, around = False, inner
            case arith.SubfOp(lhs=lhs, rhs=rhs) as op:
                differences = all(isinstance(v.owner, arith.SubfOp) for v in op.operands)
                self._check(op, around is _Around.CHAIN and not differences)
                sign = True
            case arith.NegfOp(operand=operand):
                return [(Term(operand, not negative, factors), around)]
            case arith.MulfOp(lhs=lhs, rhs=rhs) | arith.MuliOp(lhs=lhs, rhs=rhs):
                for one, other in ((lhs, rhs), (rhs, lhs)):
                    if other not in self.varying:
                        if not is_exact(other):
                            around = _Around.PRODUCT
                        return [(Term(one, negative, (*factors, other)), around)]
                raise Refused(_NO_SUM)
            case _:
                raise Refused(_NO_SUM)
        left = Term(lhs, negative, factors), around
        return [left, (Term(rhs, negative != sign, factors), inner)]

    def _check(self, op: arith.AddfOp | arith.SubfOp, allowed: bool) -> None:
        if not (allowed or self.fast_math or is_of_one_sign(op, self.facts)):
            raise Refused(_MAY_CANCEL)


def is_exact(factor: SSAValue) -> bool:
    """Return whether products with a factor are exact: a power of two, or an integer."""
    if not isinstance(factor.type, AnyFloat):
        return True
    number = constant_value(factor)
    return number is not None and abs(frexp(number)[0]) == 0.5


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
                total = add(constant_op(monoids.zero_of(value.type)))
            total = add(arith.SubiOp(total, value))
    assert total is not None
    return ops, total

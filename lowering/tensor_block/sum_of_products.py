"""Sums of products: how the value under an `add` reduction is split into contractions.

Reads scalar expressions of a comprehension; writes nothing. The value

    a * (2 * e * q - b * p)          under   sum over j

is the two terms `+ a*2*e*q` and `- a*b*p`. Each is reduced on its own: factors that do not
depend on the reduced dimensions leave the sum (distributive law), and what remains is a
product of a few operands, that is, a contraction. Reassociating a reduction over floats is
what the language allows.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.ir import Block, OpResult, SSAValue

# Distributing a product over sums multiplies the number of terms; beyond this it does not pay.
MAX_TERMS = 8


@dataclass(frozen=True)
class Term:
    """`sign` (1 or -1) times the product of `factors`."""

    sign: int
    factors: tuple[SSAValue, ...]


def sum_of_products(value: SSAValue, block: Block) -> list[Term]:
    """The terms of `value`, an expression computed in `block`, with their signs."""
    terms = _expand(value, block)
    return terms if len(terms) <= MAX_TERMS else [Term(1, (value,))]


def _expand(value: SSAValue, block: Block) -> list[Term]:
    op = value.op if isinstance(value, OpResult) else None
    if op is None or op.parent is not block:
        return [Term(1, (value,))]
    match op:
        case arith.AddfOp() | arith.AddiOp():
            return _expand(op.lhs, block) + _expand(op.rhs, block)
        case arith.SubfOp() | arith.SubiOp():
            negated = [Term(-t.sign, t.factors) for t in _expand(op.rhs, block)]
            return _expand(op.lhs, block) + negated
        case arith.NegfOp():
            return [Term(-t.sign, t.factors) for t in _expand(op.operand, block)]
        case arith.MulfOp() | arith.MuliOp():
            left, right = _expand(op.lhs, block), _expand(op.rhs, block)
            if len(left) * len(right) > MAX_TERMS:
                return [Term(1, (value,))]
            return [Term(a.sign * b.sign, a.factors + b.factors) for a in left for b in right]
        case _:
            return [Term(1, (value,))]

"""Sums of products: how the value under an `add` reduction is split into contractions.

Reads scalar expressions of a comprehension; writes nothing. The integer value

    a * (2 * e * q - b * p)          under   sum over j

is the two terms `+ a*2*e*q` and `- a*b*p`. Each is reduced on its own: factors that do not
depend on the reduced dimensions leave the sum (distributive law), and what remains is a
product of a few operands, that is, a contraction.

Integers wrap around, so any order of their sums gives the same. The terms of a float cancel
where they are of different signs: `(x-c)*(x-c)` is small where x is near c, but x*x, x*c and c*c
are not, nor are their rounding errors. A sum of floats is split where all of its terms are of one
sign (passes/analyses/values/intervals.py), as squares and absolute values are, or with `fast_math`.
Where all are products, as in `2*e*q - b*p`, each has been rounded before it cancels: to add them up
apart is the sum of the same numbers in another order. Whoever gains by it may have these split too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects import arith, complex
from xdsl.ir import Block, Operation, OpResult, SSAValue

from diablo.dialects.number_ops import Difference, Sum
from diablo.passes.analyses.sparsity.sparse_terms import is_exact
from diablo.passes.analyses.values.intervals import Facts
from diablo.passes.analyses.values.one_sign import is_of_one_sign

# Distributing a product over sums multiplies the number of terms; beyond this it does not pay.
MAX_TERMS = 8


@dataclass(frozen=True)
class Term:
    """`sign` (1 or -1) times the product of `factors`."""

    sign: int
    factors: tuple[SSAValue, ...]


@dataclass
class SumOfProducts:
    """The terms of a value of `block`, in rows of which `facts` are known.

    `kept` is the first sum that stays whole because its terms may cancel.
    """

    block: Block
    facts: Facts
    fast_math: bool = False
    rounded: bool = False
    """Whether sums of products that round are split, whatever their signs."""
    kept: Operation | None = None

    def terms(self, value: SSAValue) -> list[Term]:
        """The terms whose sum `value` is, with their signs."""
        terms = self._expand(value)
        return terms if len(terms) <= MAX_TERMS else [Term(1, (value,))]

    def _expand(self, value: SSAValue) -> list[Term]:
        op = value.op if isinstance(value, OpResult) else None
        if op is None or op.parent is not self.block:
            return [Term(1, (value,))]
        match op:
            case (
                arith.AddfOp()
                | arith.AddiOp()
                | complex.AddOp()
                | arith.SubfOp()
                | arith.SubiOp()
                | complex.SubOp()
            ):
                if not self._may_split(op):
                    self.kept = self.kept or op
                    return [Term(1, (value,))]
                right = self._expand(op.rhs)
                if isinstance(op, Difference):
                    right = list(_negated(right))
                return self._expand(op.lhs) + right
            case arith.NegfOp() | complex.NegOp():
                return list(_negated(self._expand(op.operands[0])))
            case arith.MulfOp() | arith.MuliOp() | complex.MulOp():
                left, right = self._expand(op.lhs), self._expand(op.rhs)
                if len(left) * len(right) > MAX_TERMS:
                    return [Term(1, (value,))]
                return [Term(a.sign * b.sign, a.factors + b.factors) for a in left for b in right]
            case _:
                return [Term(1, (value,))]

    def _may_split(self, op: Sum | Difference) -> bool:
        if self.fast_math or isinstance(op, arith.AddiOp | arith.SubiOp):
            return True
        # A complex number has no sign.
        if not isinstance(op, arith.AddfOp | arith.SubfOp):
            return False
        if self.rounded and all(map(self._rounds, op.operands)):
            return True
        return is_of_one_sign(op, self.facts)

    def _rounds(self, value: SSAValue) -> bool:
        """Return whether a value is a product that rounds, or a sum of such."""
        op = value.op if isinstance(value, OpResult) else None
        if op is None or op.parent is not self.block:
            return False
        match op:
            case arith.AddfOp() | arith.SubfOp() | arith.NegfOp():
                return all(map(self._rounds, op.operands))
            case arith.MulfOp():
                inexact = [operand for operand in op.operands if not is_exact(operand)]
                return len(inexact) == 2 or any(map(self._rounds, inexact))
            case _:
                return False


def _negated(terms: list[Term]) -> Iterator[Term]:
    return (Term(-term.sign, term.factors) for term in terms)

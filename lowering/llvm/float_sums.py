"""A body's sums of floats, as coefficients and terms.

`v - (a * u0 + a * (u1 + u2))` is 1 times v and -a times u0, u1 and u2. Coefficients do not vary
from point to point: they are products of a number and of values from outside. Terms are elements
of the inputs, or other values of the body. What several values of the body use is a term of
each, and a sum of its own.

A sum of floats may be computed in any order, and no more: the difference in `a + (b - c)`, in
`a * (b - c)` or in `(a - b) - (b - c)` is a term, for b and c may cancel. Of the terms of a chain
`a - b - c`, all but the first are subtracted from it. So these are no `LinearSum`s
(`diablo/linear_sums.py`): equal terms are not added up, since `x - x` is NaN where x is, and what
they are multiplied by need be no number.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Operation, OpResult, SSAValue

from diablo.passes.analyses.values.affine_values import constant_value

_LINEAR = (arith.AddfOp, arith.SubfOp, arith.NegfOp, arith.MulfOp)


@dataclass(frozen=True)
class Coefficient:
    """A number times factors that do not vary: numbers of values in `FloatSums.factors`."""

    number: float = 1.0
    factors: tuple[int, ...] = ()

    def scaled(self, number: float) -> Coefficient:
        """The product with a number."""
        return Coefficient(self.number * number, self.factors)

    def times(self, factor: int) -> Coefficient:
        """The product with a factor."""
        return Coefficient(self.number, tuple(sorted((*self.factors, factor))))


@dataclass
class FloatSum:
    """The value `root` as a sum of `terms`, computed by the ops in `inside`."""

    root: SSAValue
    terms: list[tuple[Coefficient, SSAValue]] = field(
        default_factory=list[tuple[Coefficient, SSAValue]]
    )
    inside: set[Operation] = field(default_factory=set[Operation])

    @cached_property
    def additions(self) -> int:
        """How many additions the sum takes as it stands."""
        return max(0, len(self.terms) - 1)


class FloatSums:
    """Finds the sums among `ops`, in order; `varies` says which values are not coefficients."""

    def __init__(self, ops: Sequence[Operation], varying: Collection[SSAValue]):
        self.ops = ops
        self.varying = set(varying)
        self.factors: list[SSAValue] = []
        for op in ops:
            if any(o in self.varying for inner in op.walk() for o in inner.operands):
                self.varying.update(op.results)

    def find(self) -> list[FloatSum]:
        """The sums of at least two terms."""
        found: list[FloatSum] = []
        for op in self.ops:
            if self._is_linear(op) and not self._is_part(op.results[0]):
                sum = FloatSum(op.results[0])
                self._collect(sum, op.results[0], Coefficient())
                if sum.additions:
                    found.append(sum)
        return found

    def _is_linear(self, op: Operation) -> bool:
        if not isinstance(op, _LINEAR) or op not in self.ops:
            return False
        if not isinstance(op.results[0].type, AnyFloat) or op.results[0] not in self.varying:
            return False
        if isinstance(op, arith.MulfOp):
            return op.lhs not in self.varying or op.rhs not in self.varying
        return True

    def _is_part(self, value: SSAValue) -> bool:
        """Whether a value only goes into one other sum, whose order may be mixed with its own."""
        uses, op = list(value.uses), value.owner
        if len(uses) != 1 or not self._is_linear(uses[0].operation):
            return False
        around = uses[0].operation
        head = isinstance(around, arith.SubfOp) and value is around.lhs
        match op:
            case arith.SubfOp():
                rest = (op.operands[1], around.operands[1])
                return head and not any(map(self._is_difference, rest))
            case arith.NegfOp():
                return head
            case arith.AddfOp():
                return not head
            case _:
                return True

    def _is_difference(self, value: SSAValue) -> bool:
        """Return whether a value is a difference, or a multiple of one."""
        op = value.owner
        while isinstance(op, arith.MulfOp) and self._is_linear(op):
            op = (op.lhs if op.lhs in self.varying else op.rhs).owner
        return isinstance(op, arith.SubfOp)

    def _collect(self, sum: FloatSum, value: SSAValue, coefficient: Coefficient) -> None:
        op = value.op if isinstance(value, OpResult) else None
        part = value is sum.root or self._is_part(value)
        if op is None or not part or not self._is_linear(op):
            sum.terms.append((coefficient, value))
            return
        sum.inside.add(op)
        match op:
            case arith.AddfOp(lhs=lhs, rhs=rhs):
                self._collect(sum, lhs, coefficient)
                self._collect(sum, rhs, coefficient)
            case arith.SubfOp(lhs=lhs, rhs=rhs):
                self._collect(sum, lhs, coefficient)
                self._collect(sum, rhs, coefficient.scaled(-1.0))
            case arith.NegfOp(operand=operand):
                self._collect(sum, operand, coefficient.scaled(-1.0))
            case arith.MulfOp(lhs=lhs, rhs=rhs):
                factor, rest = (rhs, lhs) if lhs in self.varying else (lhs, rhs)
                number = constant_value(factor)
                if number is not None:
                    self._collect(sum, rest, coefficient.scaled(float(number)))
                    return
                if factor not in self.factors:
                    self.factors.append(factor)
                self._collect(sum, rest, coefficient.times(self.factors.index(factor)))
            case _:
                raise AssertionError("not a linear op")

"""Assignments under a test to a variable that each iteration of a loop has for itself.

if (c) x = a / b;   with x private   ->   %q = scf.if %c { yield %a / %b } else { yield 0 }
                                          %x2 = scf.if %c { yield %q } else { yield %x }

What cannot fail is computed without the test. A read for what is assigned under the test becomes
a probe, wherever it stands, and an iteration that makes it and finds nothing is dropped. An update
adds nothing then:

x += c[i];   with x private   ->   %c_i, %found = comprehension.probe %c[%i]
                                   %x2 = scf.if %found { yield %x + %c_i } else { yield %x }
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import (
    IntegerAttr,
    TupleType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from diablo.dialects import comprehension, monoids
from diablo.dialects.bags import BagType
from diablo.dialects.locations import located
from diablo.dialects.number_constants import constant_op
from diablo.dialects.string_functions import StringType
from diablo.lowering.comprehension.bulk_statements import (
    Guard,
    Qualifier,
    guard_ops,
    needed,
)
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.speculation import can_trap

OperationT = TypeVar("OperationT", bound=Operation)


class Conditional:
    """Computes what a variable holds behind tests, as ops that need no test around them.

    `lets` are the new ops, and guards that drop iterations, in order.
    """

    def __init__(self, like: Operation):
        self.like = like
        self.lets: list[Qualifier] = []
        self.path: SSAValue | None = None
        self.mapped: dict[SSAValue, SSAValue] = {}
        self.found: list[SSAValue] = []
        self.drops = True
        """Whether an iteration that finds nothing where it reads is dropped."""

    def value(self, scope: Sequence[Qualifier], value: SSAValue, old: SSAValue) -> SSAValue:
        """`value` where the tests of `scope` let it through, `old` elsewhere."""
        for qualifier in needed(scope, [value]):
            if isinstance(qualifier, Guard):
                self._enter(qualifier)
            else:
                self._compute(qualifier)
        assert self.path is not None
        then = self._branch([], [self.mapped.get(value, value)])
        otherwise = self._branch([], [old])
        result = self._add(scf.IfOp(self.path, [old.type], then, otherwise)).results[0]
        for found in self.found:
            self.lets.append(Guard(found, negated=False, op=self.like, protects=result))
        return result

    def update(
        self,
        scope: Sequence[Qualifier],
        value: SSAValue,
        old: SSAValue,
        combine: Callable[[SSAValue], tuple[list[Operation], SSAValue]],
    ) -> SSAValue:
        """`old` combined with `value` where all that `scope` reads for it is there, else `old`.

        `combine` returns the ops that combine a value with the old one, and their result.
        """
        self.drops = False
        for qualifier in needed(scope, [value]):
            if isinstance(qualifier, Guard):
                self._enter(qualifier)
            else:
                self._compute(qualifier)
        assert self.path is not None
        combined, result = combine(self.mapped.get(value, value))
        otherwise = self._branch([], [old])
        then = self._branch(combined, [result])
        return self._add(scf.IfOp(self.path, [old.type], then, otherwise)).results[0]

    def _enter(self, guard: Guard) -> None:
        """Go on behind a test, or a read that found something."""
        ops, condition = guard_ops(guard, self.mapped)
        for op in ops:
            self.lets.append(op)
        if guard.protects is not None:
            self._require(condition)
        self._narrow(condition)

    def _narrow(self, condition: SSAValue) -> None:
        """Go on where a condition holds."""
        if self.path is not None:
            condition = self._add(arith.AndIOp(self.path, condition)).result
        self.path = condition

    def _require(self, found: SSAValue) -> None:
        """There is no result in the iterations that come here and do not find what they read."""
        if not self.drops:
            return
        if self.path is not None:
            true = self._add(arith.ConstantOp(IntegerAttr(1, i1))).result
            away = self._add(arith.XOrIOp(self.path, true)).result
            found = self._add(arith.OrIOp(away, found)).result
        self.found.append(found)

    def _compute(self, let: Operation) -> None:
        """Compute what `let` does, without the tests around it."""
        if isinstance(let, tensor.ExtractOp):
            array, *indices = (self.mapped.get(v, v) for v in let.operands)
            probe = self._add(comprehension.ProbeOp(array, indices))
            self._require(probe.found)
            if not self.drops:
                self._narrow(probe.found)
            self.mapped[let.result] = probe.values[0]
            return
        if self.path is None or not can_trap(let):
            self.lets.append(let.clone(self.mapped))
            return
        new = let.clone(self.mapped)
        if isinstance(new, Root):
            first = new.body.block.first_op
            assert first is not None
            new.body.block.insert_op_before(comprehension.GuardOp(self.path), first)
            self.lets.append(new)
            return
        then = self._branch([new], new.results)
        zeros: list[Operation] = []
        implicit = [implicit_value(result.type, zeros) for result in new.results]
        otherwise = self._branch(zeros, implicit)
        test = self._add(scf.IfOp(self.path, new.result_types, then, otherwise))
        self.mapped |= dict(zip(let.results, test.results, strict=True))

    def _branch(self, ops: Sequence[Operation], values: Sequence[SSAValue]) -> Region:
        return Region(Block([*ops, located(scf.YieldOp(*values), self.like)]))

    def _add(self, op: OperationT) -> OperationT:
        self.lets.append(located(op, self.like))
        return op


def implicit_value(type: Attribute, ops: list[Operation]) -> SSAValue:
    """The implicit value of a type; the ops that compute it are appended to `ops`."""
    match type:
        case StringType():
            op: Operation = comprehension.StringOp("")
        case TupleType():
            op = comprehension.PackOp([implicit_value(part, ops) for part in type.types])
        case BagType():
            op = comprehension.ListOp([], type)
        case _:
            assert monoids.domain_of(type) is not None, f"{type} cannot be left out"
            op = constant_op(monoids.zero_of(type))
    ops.append(op)
    return op.results[0]

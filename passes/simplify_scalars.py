"""Replace scalars that are known without being computed, and drop what always holds.

Works at every level; made for the driver's sizes once arrays are distributed.

```mlir
%1 = arith.index_cast %n : index to i64
%2 = arith.index_cast %1 : i64 to index          // %n
%3 = arith.minsi %n, %2 : index                  // %n
%4 = arith.maxsi %3, %c0 : index                 // %n, which is the extent of an array
%5 = arith.cmpi eq, %n, %4 : index               // true
cf.assert %5, "the arrays have different shapes" // dropped
```

What a value lies between comes from `passes/analyses/values/intervals.py`, of what kernels and
bodies are given from `passes/analyses/values/argument_bounds.py`: the origins of tiles and the
indices of rows are never negative, so that nothing tests that. Integers wrap around, so that what
is added and taken away again goes whatever it is. Of floating-point arithmetic goes what gives its
operand whatever that is, NaN and -0.0 among it, and the zero that a sum is added to, which begins
with one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import copysign

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, scf
from xdsl.dialects.builtin import (
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    i1,
    i64,
)
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.transforms.canonicalization_patterns.arith import ApplyCmpiPredicateToEqualOperands
from xdsl.transforms.canonicalization_patterns.scf import IfPropagateConstantCondition

from diablo.dialects import spark, tensor_block
from diablo.dialects.functions.number_ranges import Interval
from diablo.dialects.locations import located
from diablo.dialects.number_constants import constant_op
from diablo.dialects.predicates import predicate_of
from diablo.dialects.scalar_types import is_unsigned
from diablo.dialects.tensor_block.tensor_block_canonicalization import DropTrueFilter
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.plans.call_targets import kernel_called
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.argument_bounds import argument_bounds
from diablo.passes.analyses.values.index_equalities import equated_integers
from diablo.passes.analyses.values.intervals import decided, interval
from diablo.passes.analyses.values.linear_forms import linear_form
from diablo.passes.analyses.values.scalar_folding import fold
from diablo.passes.dead_ops import erase_dead
from diablo.passes.pattern_set import PatternSet, rewrite


def _replace(rewriter: PatternRewriter, op: Operation, value: SSAValue) -> None:
    """Let `value` stand for the result of `op`, under a name if either has one."""
    hint = value.name_hint or op.results[0].name_hint
    rewriter.replace(op, (), (value,))
    value.name_hint = hint


class FoldCastPair(RewritePattern):
    """`index_cast (index_cast %n : index to i64) : i64 to index` → `%n`, and the other way round.

    Both have 64 bits.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.IndexCastOp, rewriter: PatternRewriter) -> None:
        """Fold the op if its operand is cast from its own type."""
        inner = op.input.owner
        if isinstance(inner, arith.IndexCastOp) and inner.input.type == op.result.type:
            types = (op.result.type, op.input.type)
            if all(isinstance(type, IndexType) or type == i64 for type in types):
                _replace(rewriter, op, inner.input)


class FoldCastConstant(RewritePattern):
    """`index_cast 2 : i64 to index` → `2 : index`, and the other way round."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.IndexCastOp, rewriter: PatternRewriter) -> None:
        """Fold the op if its operand is a constant, and neither type is narrower than that."""
        number = constant_value(op.input)
        types = (op.result.type, op.input.type)
        if number is None or not all(isinstance(t, IndexType) or t == i64 for t in types):
            return
        constant = arith.ConstantOp(IntegerAttr(int(number), op.result.type))
        constant.result.name_hint = op.result.name_hint
        rewriter.replace(op, located(constant, op))


class FoldSum(RewritePattern):
    """`addi (addi %n, 1), -1` → `%n`, `subi (addi %n, %m), %m` → `%n`, `subi %n, %n` → `0`.

    Where no more is left of a sum than one value and a number.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.AddiOp | arith.SubiOp, rewriter: PatternRewriter) -> None:
        """Replace the op by that value, with the number added to it if there is one."""
        type = IndexType() if isinstance(op.result.type, IndexType) else i64
        if op.result.type != type:
            return
        form = linear_form(op.result)
        if not form.terms:
            rest = None
        else:
            (rest, factor), *more = form.terms.items()
            if more or factor != 1 or rest is op.result or rest.type != type:
                return
            if form.constant == 0:
                _replace(rewriter, op, rest)
                return
            if rest is op.lhs or rest is op.rhs:
                return
        number = located(arith.ConstantOp(IntegerAttr(_word(form.constant), type)), op)
        if rest is None:
            number.result.name_hint = op.result.name_hint
            rewriter.replace(op, number)
            return
        total = located(arith.AddiOp(rest, number), op)
        total.result.name_hint = op.result.name_hint
        rewriter.replace(op, [number, total])


class DropZeroBeforeSum(RewritePattern):
    """`addf 0.0, %s` → `%s` where `%s` is a sum, which begins with 0.0 itself.

    Of any other number the addition stays: it makes 0.0 of -0.0, which no sum is.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.AddfOp, rewriter: PatternRewriter) -> None:
        """Drop the op if one side is zero and the other a sum of rows or elements."""
        for side, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            zero = constant_value(side)
            if zero == 0 and copysign(1, zero) > 0 and _is_sum(other):
                _replace(rewriter, op, other)
                return


class DropNeutralOperand(RewritePattern):
    """`mulf %x, 1.0`, `divf %x, 1.0`, `subf %x, 0.0`, `addf %x, -0.0` → `%x`.

    Not so `addf %x, 0.0`, which is 0.0 where %x is -0.0.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: arith.MulfOp | arith.DivfOp | arith.AddfOp | arith.SubfOp,
        rewriter: PatternRewriter,
    ) -> None:
        """Replace the op by the operand that the other one leaves as it is."""
        sides = [(op.rhs, op.lhs)]
        if isinstance(op, arith.MulfOp | arith.AddfOp):
            sides.append((op.lhs, op.rhs))
        for side, other in sides:
            number = constant_value(side)
            if number is None:
                continue
            if isinstance(op, arith.MulfOp | arith.DivfOp):
                neutral = number == 1
            else:
                neutral = number == 0 and copysign(1, number) == _SIGN_OF_ZERO[type(op)]
            if neutral:
                _replace(rewriter, op, other)
                return


_SIGN_OF_ZERO: dict[type[Operation], int] = {arith.AddfOp: -1, arith.SubfOp: 1}
"""The zero that leaves any number as it is."""


class FoldFloatExtremum(RewritePattern):
    """`maximumf %x, %x` → `%x`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: arith.MaximumfOp | arith.MinimumfOp | arith.MaxnumfOp | arith.MinnumfOp,
        rewriter: PatternRewriter,
    ) -> None:
        """Fold the op if its sides are one value."""
        if op.lhs is op.rhs:
            _replace(rewriter, op, op.lhs)


class FoldNegation(RewritePattern):
    """`negf (negf %x)` → `%x`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.NegfOp, rewriter: PatternRewriter) -> None:
        """Fold the op if its operand is a negation."""
        inner = op.operand.owner
        if isinstance(inner, arith.NegfOp):
            _replace(rewriter, op, inner.operand)


class ConvertAtOnce(RewritePattern):
    """`sitofp (extsi %x : i8 to i64)` → `sitofp %x : i8`, and so without a sign."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: arith.SIToFPOp | arith.UIToFPOp, rewriter: PatternRewriter
    ) -> None:
        """Convert what the operand was made wider of."""
        widening = arith.ExtSIOp if isinstance(op, arith.SIToFPOp) else arith.ExtUIOp
        inner = op.input.owner
        if isinstance(inner, widening) and inner.input.type != i1:
            direct = located(type(op)(inner.input, op.result.type), op)
            direct.result.name_hint = op.result.name_hint
            rewriter.replace(op, direct)


class FoldConversion(RewritePattern):
    """`fptosi 3.5 : f64 to i64` → `3 : i64`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: arith.FPToSIOp | arith.FPToUIOp | arith.SIToFPOp | arith.UIToFPOp,
        rewriter: PatternRewriter,
    ) -> None:
        """Fold the op if its operand is a constant whose conversion is known."""
        number = constant_value(op.input)
        known = None if number is None else fold(op, [number])
        if known is None:
            return
        type = op.result.type
        if isinstance(type, IntegerType):
            constant = constant_op(IntegerAttr(int(known), type))
        else:
            constant = constant_op(FloatAttr(float(known), type))
        constant.results[0].name_hint = op.result.name_hint
        rewriter.replace(op, located(constant, op))


def _is_sum(value: SSAValue) -> bool:
    """Return whether a number is a sum, of what workers have or in the kernel that gives it."""
    match value.owner:
        case spark.FoldOp() | tensor_block.FoldOp() | tensor_block.ReduceOp() as op:
            return monoid_named(op.monoid.data).is_sum
        case func.CallOp() as call:
            kernel = kernel_called(call)
            if kernel is None:
                return False
            end = kernel.body.block.last_op
            number = [result is value for result in call.results].index(True)
            return isinstance(end, func.ReturnOp) and _is_sum(end.arguments[number])
        case _:
            return False


def _word(number: int) -> int:
    """Return a number as it is in 64 bits with a sign."""
    return (number + 2**63) % 2**64 - 2**63


@dataclass(frozen=True)
class FoldComparison(RewritePattern):
    """`cmpi sge %i, 0` → `true` where `%i` is never less."""

    bounds: Mapping[SSAValue, Interval]
    """Those of arguments."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.CmpiOp, rewriter: PatternRewriter) -> None:
        """Fold the op if the bounds of its sides decide."""
        known = decided(op, self.bounds)
        if known is not None:
            rewriter.replace(op, located(arith.ConstantOp.from_int_and_width(int(known), 1), op))


def _is_the_drivers(op: Operation) -> bool:
    """Return whether an op stands in no other one than loops and branches of a function."""
    parent = op.parent_op()
    while isinstance(parent, scf.IfOp | scf.WhileOp):
        parent = parent.parent_op()
    return isinstance(parent, func.FuncOp)


class CompareSides(RewritePattern):
    """`cmpi slt 0, (subi %n, %i)` → `cmpi slt %i, %n` of indices, which are exact."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.CmpiOp, rewriter: PatternRewriter) -> None:
        """Compare what is subtracted with what it is subtracted from, outside of bodies."""
        sides = [op.lhs, op.rhs]
        if predicate_of(op)[0] == "u" or not isinstance(op.lhs.type, IndexType):
            return
        if not _is_the_drivers(op):
            return  # Bodies are read by their bounds, as they are written.
        for place, (zero, difference) in enumerate((sides, sides[::-1])):
            if constant_value(zero) == 0 and isinstance(difference.owner, arith.SubiOp):
                lhs, rhs = difference.owner.operands
                if place == 0:
                    lhs, rhs = rhs, lhs
                rewriter.replace(op, located(arith.CmpiOp(lhs, rhs, predicate_of(op)), op))
                return


@dataclass(frozen=True)
class FoldExtremum(RewritePattern):
    """`maxsi %n, 0` → `%n` where `%n` is never less; `minsi %n, %n` → `%n`.

    So of integers without a sign, whose type has bounds.
    """

    bounds: Mapping[SSAValue, Interval]
    """Those of arguments."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: arith.MinSIOp | arith.MaxSIOp | arith.MinUIOp | arith.MaxUIOp,
        rewriter: PatternRewriter,
    ) -> None:
        """Fold the op if one of its sides is known to be what it gives."""
        if op.lhs is op.rhs:
            _replace(rewriter, op, op.lhs)
            return
        if isinstance(op, arith.MinUIOp | arith.MaxUIOp) and not is_unsigned(op.result.type):
            return
        least = isinstance(op, arith.MinSIOp | arith.MinUIOp)
        a, b = interval(op.lhs, self.bounds), interval(op.rhs, self.bounds)
        if a.high <= b.low:
            _replace(rewriter, op, op.lhs if least else op.rhs)
        elif b.high <= a.low:
            _replace(rewriter, op, op.rhs if least else op.lhs)


class FoldLogic(RewritePattern):
    """`andi %b, true` → `%b`, `ori %b, true` → `true`, `andi (andi %b, %c), %b` → `andi %b, %c`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.AndIOp | arith.OrIOp, rewriter: PatternRewriter) -> None:
        """Fold the op if a side is a constant, or both are one value."""
        if op.lhs is op.rhs:
            _replace(rewriter, op, op.lhs)
            return
        for whole, part in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            if part in _operands_of(whole, type(op)):
                _replace(rewriter, op, whole)
                return
        if op.result.type != i1:
            return
        neutral = isinstance(op, arith.AndIOp)
        for side, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            constant = constant_value(side)
            if constant is not None:
                _replace(rewriter, op, other if bool(constant) == neutral else side)
                return


def _operands_of(value: SSAValue, kind: type[arith.AndIOp | arith.OrIOp]) -> set[SSAValue]:
    """Return what a tree of ops of a kind combines, the values on the way among it."""
    found: set[SSAValue] = set()
    pending = [value]
    while pending:
        value = pending.pop()
        if value not in found:
            found.add(value)
            if isinstance(value.owner, kind):
                pending += value.owner.operands
    return found


class DropAssertion(RewritePattern):
    """`cf.assert true, "…"` → nothing."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cf.AssertOp, rewriter: PatternRewriter) -> None:
        """Drop the op if what it asserts is known."""
        if constant_value(op.arg):
            rewriter.erase(op)


class UseAssertion(RewritePattern):
    """`minsi %n, %m` → `%n`, behind `cf.assert` of `cmpi eq %n, %m`: the one that comes first."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cf.AssertOp, rewriter: PatternRewriter) -> None:
        """Replace what is used behind the op, and within what stands there."""
        sides = equated_integers(op.arg)
        block = op.parent
        if sides is None or block is None:
            return
        uses = [
            use
            for test in sides[0].uses
            if isinstance(test.operation, arith.MinSIOp | arith.MaxSIOp)
            and {*test.operation.operands} == {*sides}
            for use in test.operation.results[0].uses
        ]
        for use in uses:
            user = block.find_ancestor_op_in_block(use.operation)
            if user is not None and op.is_before_in_block(user):
                use.operation.operands[use.index] = _first(*sides)
                rewriter.handle_operation_modification(use.operation)


def _first(one: SSAValue, other: SSAValue) -> SSAValue:
    """The one of two values that is made before the other, if they are made in one block."""
    a, b = one.owner, other.owner
    if isinstance(a, Operation) and isinstance(b, Operation) and a.parent is b.parent:
        return one if a is b or a.is_before_in_block(b) else other
    return other if isinstance(a, Operation) and isinstance(other, BlockArgument) else one


def scalar_patterns(module: ModuleOp) -> list[RewritePattern]:
    """Return what replaces the scalars of a module that are known."""
    bounds = argument_bounds(module)
    return [
        FoldCastPair(),
        FoldCastConstant(),
        FoldSum(),
        DropZeroBeforeSum(),
        DropNeutralOperand(),
        FoldFloatExtremum(),
        FoldNegation(),
        ConvertAtOnce(),
        FoldConversion(),
        FoldExtremum(bounds),
        FoldComparison(bounds),
        CompareSides(),
        ApplyCmpiPredicateToEqualOperands(),
        FoldLogic(),
        IfPropagateConstantCondition(),
        DropTrueFilter(),
        DropAssertion(),
        UseAssertion(),
    ]


@dataclass(frozen=True)
class SimplifyScalarsPass(ModulePass):
    """Replace scalars that are known without being computed, and drop what always holds."""

    name = "simplify-scalars"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run the pass."""
        if rewrite(op, PatternSet(scalar_patterns(op))):
            erase_dead(op.body)

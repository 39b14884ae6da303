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

What a value lies between comes from `passes/analyses/intervals.py`. Floating-point arithmetic
stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import IndexType, ModuleOp, i1, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.transforms.canonicalization_patterns.arith import ApplyCmpiPredicateToEqualOperands
from xdsl.transforms.dead_code_elimination import region_dce

from diablo.dialects.scalar_types import is_unsigned
from diablo.passes.analyses.affine_values import constant_value
from diablo.passes.analyses.intervals import interval


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


class FoldExtremum(RewritePattern):
    """`maxsi %n, 0` → `%n` where `%n` is never less; `minsi %n, %n` → `%n`.

    So of integers without a sign, whose type has bounds.
    """

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
        a, b = interval(op.lhs, {}), interval(op.rhs, {})
        if a.high <= b.low:
            _replace(rewriter, op, op.lhs if least else op.rhs)
        elif b.high <= a.low:
            _replace(rewriter, op, op.rhs if least else op.lhs)


class FoldLogic(RewritePattern):
    """`andi %b, true` → `%b`, `ori %b, true` → `true`, `andi %b, %b` → `%b`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.AndIOp | arith.OrIOp, rewriter: PatternRewriter) -> None:
        """Fold the op if a side is a constant, or both are one value."""
        if op.lhs is op.rhs:
            _replace(rewriter, op, op.lhs)
            return
        if op.result.type != i1:
            return
        neutral = isinstance(op, arith.AndIOp)
        for side, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            constant = constant_value(side)
            if constant is not None:
                _replace(rewriter, op, other if bool(constant) == neutral else side)
                return


class DropAssertion(RewritePattern):
    """`cf.assert true, "…"` → nothing."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cf.AssertOp, rewriter: PatternRewriter) -> None:
        """Drop the op if what it asserts is known."""
        if constant_value(op.arg):
            rewriter.erase(op)


@dataclass(frozen=True)
class SimplifyScalarsPass(ModulePass):
    """Replace scalars that are known without being computed, and drop what always holds."""

    name = "simplify-scalars"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run the pass."""
        patterns: list[RewritePattern] = [
            FoldCastPair(),
            FoldExtremum(),
            ApplyCmpiPredicateToEqualOperands(),
            FoldLogic(),
            DropAssertion(),
        ]
        walker = PatternRewriteWalker(GreedyRewritePatternApplier(patterns))
        if walker.rewrite_module(op):
            region_dce(op.body)

"""Replace `tensor.dim` by the value that the array was made with.

Works at the comprehension and the tensor_block level.

```mlir
%A = comprehension.build (%n, %m) : tensor<?x?xf64> { … }
%d = tensor.dim %A, %c1 : tensor<?x?xf64>      // uses of %d become uses of %m
```

Dimensions are also computed: `n / 2` and `n % 2` of a constant `n` are constants as well. A
division by zero stays, to fail when it happens. So are questions about them that are asked before
all rows: `n >= 1`, where it is known of `n` that it is not 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from diablo.dialects.number_constants import constant_op
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.dimensions import dimensions
from diablo.passes.analyses.values.intervals import decided
from diablo.passes.analyses.values.scalar_folding import fold
from diablo.passes.pattern_set import PatternSet, rewrite


class FoldDimension(RewritePattern):
    """`tensor.dim (build (%n) …), 0` → `%n`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.DimOp, rewriter: PatternRewriter) -> None:
        """Fold the op if the dimension is known."""
        index = constant_value(op.index)
        if not isinstance(index, int):
            return
        found = dimensions(op.source)
        dimension = found[index] if 0 <= index < len(found) else None
        if dimension is not None and dimension is not op.result:
            hint = dimension.name_hint
            rewriter.replace(op, (), (dimension,))
            dimension.name_hint = hint or dimension.name_hint


class FoldDivision(RewritePattern):
    """`divsi 7, 2` → `3`; `remsi 7, 2` → `1`, rounded toward zero."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: arith.DivSIOp | arith.RemSIOp, rewriter: PatternRewriter
    ) -> None:
        """Fold the op if both sides are constants, and the right one is not zero."""
        left, right = constant_value(op.lhs), constant_value(op.rhs)
        type = op.result.type
        if not isinstance(left, int) or not isinstance(right, int) or right == 0:
            return
        if not isinstance(type, IntegerType | IndexType):
            return
        value = fold(op, (left, right))
        assert isinstance(value, int)
        constant = constant_op(IntegerAttr(value, type))
        constant.location = op.location
        constant.result.name_hint = op.result.name_hint
        rewriter.replace(op, constant)


class FoldComparison(RewritePattern):
    """`cmpi sge %n, 1` → `true` where `%n` is never less."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.CmpiOp, rewriter: PatternRewriter) -> None:
        """Fold the op if it is about numbers of the driver, and their bounds decide."""
        if not isinstance(op.parent_op(), func.FuncOp | scf.IfOp | scf.WhileOp):
            return
        known = decided(op, {})
        if known is not None:
            rewriter.replace(op, arith.ConstantOp.from_int_and_width(int(known), 1))


@dataclass(frozen=True)
class ResolveDimensionsPass(ModulePass):
    """Replace tensor.dim by the value that the array was made with."""

    name = "resolve-dimensions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Fold every `tensor.dim`, division and comparison that can be."""
        patterns: list[RewritePattern] = [FoldDimension(), FoldDivision(), FoldComparison()]
        rewrite(op, PatternSet(patterns, dce=False))

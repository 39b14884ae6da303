"""Replace `tensor.dim` by the value that the array was made with.

Works at the comprehension and the tensor_block level.

```mlir
%A = comprehension.build (%n, %m) : tensor<?x?xf64> { … }
%d = tensor.dim %A, %c1 : tensor<?x?xf64>      // uses of %d become uses of %m
```
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from diablo.passes.analyses.affine_values import constant_value
from diablo.passes.analyses.dimensions import dimensions


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


@dataclass(frozen=True)
class ResolveDimensionsPass(ModulePass):
    """Replace tensor.dim by the value that the array was made with."""

    name = "resolve-dimensions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Fold every `tensor.dim` that can be."""
        PatternRewriteWalker(FoldDimension()).rewrite_module(op)

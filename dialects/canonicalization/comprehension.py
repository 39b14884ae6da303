"""Canonicalisation of the `comprehension` dialect."""

from __future__ import annotations

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from diablo.dialects.comprehension import GuardOp


class DropTrueGuard(RewritePattern):
    """A guard that always holds filters nothing.

    ```
    %true = arith.constant true
    comprehension.guard %true   // goes away
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GuardOp, rewriter: PatternRewriter) -> None:
        """Erase a guard on a constant true."""
        constant = op.condition.owner
        if not isinstance(constant, ConstantOp) or not isinstance(constant.value, IntegerAttr):
            return
        if constant.value.value.data:
            rewriter.erase(op)

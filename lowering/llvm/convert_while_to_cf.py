"""Lower `scf.while` to branches between blocks, which xDSL's `convert-scf-to-cf` leaves out.

    scf.while (%a = %x) { scf.condition(%c) %a } do { ^bb0(%b): scf.yield %d }

becomes

    cf.br ^before(%x)
    ^before(%a):   cf.cond_br %c, ^after(%a), ^end
    ^after(%b):    cf.br ^before(%d)
    ^end:          // the results are %a
"""

from __future__ import annotations

from xdsl.dialects import cf, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import BlockInsertPoint, InsertPoint


class WhileLowering(RewritePattern):
    """Lowers `scf.while` to conditional branching."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter) -> None:
        """Put both regions between what comes before the loop and what follows it."""
        start = op.parent_block()
        assert start is not None
        end = start.split_before(op)
        before, before_end = op.before_region.first_block, op.before_region.last_block
        after, after_end = op.after_region.first_block, op.after_region.last_block
        assert before is not None
        assert before_end is not None
        assert after is not None
        assert after_end is not None
        condition, loop_end = before_end.last_op, after_end.last_op
        assert isinstance(condition, scf.ConditionOp)
        assert isinstance(loop_end, scf.YieldOp)
        results = list(condition.args)
        rewriter.inline_region(op.before_region, BlockInsertPoint.before(end))
        rewriter.inline_region(op.after_region, BlockInsertPoint.before(end))
        rewriter.insert(cf.BranchOp(before, *op.arguments), InsertPoint.at_end(start))
        rewriter.replace(loop_end, cf.BranchOp(before, *loop_end.operands))
        branch = cf.ConditionalBranchOp(condition.condition, after, results, end, ())
        rewriter.replace(condition, branch)
        rewriter.replace(op, (), results)


def convert_while_to_cf(module: ModuleOp) -> None:
    """Lower every `scf.while` of a module."""
    # Few functions have one, and the rewriter looks at each op of a function for a while.
    if any(isinstance(op, scf.WhileOp) for op in module.walk()):
        PatternRewriteWalker(WhileLowering()).rewrite_module(module)

# Two patterns that undo each other: without a limit the greedy driver would never end.
from dataclasses import dataclass

import pytest
from xdsl.context import Context
from xdsl.dialects import test
from xdsl.dialects.arith import AddiOp, MuliOp
from xdsl.dialects.builtin import ModuleOp, i64
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from diablo.pass_manager import PassFailure, PassManager
from diablo.rewrite_limit import TooManyRewritesError, rewrite_limit


class Ping(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AddiOp, rewriter: PatternRewriter):
        rewriter.replace(op, MuliOp(op.lhs, op.rhs))


class Pong(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MuliOp, rewriter: PatternRewriter):
        rewriter.replace(op, AddiOp(op.lhs, op.rhs))


@dataclass(frozen=True)
class PingPong(ModulePass):
    name = "ping-pong"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        patterns = GreedyRewritePatternApplier([Ping(), Pong()], dce_enabled=False)
        PatternRewriteWalker(patterns).rewrite_module(op)


def sum_module() -> ModuleOp:
    value = test.TestOp(result_types=[i64])
    return ModuleOp([value, AddiOp(value.res[0], value.res[0])])


def test_rewriting_ends():
    with pytest.raises(TooManyRewritesError), rewrite_limit(1000):
        PingPong().apply(Context(), sum_module())


def test_the_limit_counts_each_block_afresh():
    for _ in range(3):
        with rewrite_limit(5):
            PatternRewriteWalker(Ping()).rewrite_module(sum_module())


def test_the_pass_manager_reports_it():
    with pytest.raises(PassFailure) as failure:
        PassManager([PingPong()], max_rewrites=1000).run(Context(), sum_module())
    assert "pass 'ping-pong' failed: more than 1000 changes" in str(failure.value)
    assert not failure.value.internal

"""Drop the values that a `while` carries and nothing reads.

Works at the comprehension level and below.

```mlir
%k, %x = scf.while (%a = %k0, %b = %x0) …            %k = scf.while (%a = %k0) …
  scf.condition(%c) %a, %b                      ==>    scf.condition(%c) %a
^bb0(%a1, %b1):  scf.yield %a2, %f(%a1)              ^bb0(%a1):  scf.yield %a2
```

where %x and %b1 have no use: variables of the source that only one iteration looks at.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Region
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from diablo.dialects.locations import located, named


def _is_read(loop: scf.WhileOp, position: int, condition: scf.ConditionOp) -> bool:
    """Return whether anything but the loop's own bookkeeping uses the value at `position`."""
    if loop.results[position].uses or loop.after_region.block.args[position].uses:
        return True
    argument = loop.before_region.block.args[position]
    return condition.args[position] is not argument or any(
        use.operation is not condition or use.index != 1 + position for use in argument.uses
    )


class DropUnreadValues(RewritePattern):
    """Remove the carried values of a loop that are never read."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter) -> None:
        """Rebuild the loop without them."""
        condition, end = op.before_region.block.last_op, op.after_region.block.last_op
        count = len(op.arguments)
        if not isinstance(condition, scf.ConditionOp) or not isinstance(end, scf.YieldOp):
            return
        if len(op.results) != count or len(condition.args) != count:
            return
        kept = [p for p in range(count) if _is_read(op, p, condition)]
        if len(kept) == count:
            return
        dropped = [p for p in range(count) if p not in kept]
        passed = [condition.args[p] for p in kept]
        rewriter.replace(
            condition, located(scf.ConditionOp(condition.condition, *passed), condition)
        )
        rewriter.replace(end, located(scf.YieldOp(*(end.operands[p] for p in kept)), end))
        regions: list[Region] = []
        for region in (op.before_region, op.after_region):
            for position in reversed(dropped):
                rewriter.erase_block_argument(region.block.args[position])
            regions.append(op.detach_region(region))
        new = scf.WhileOp(
            [op.arguments[p] for p in kept], [op.results[p].type for p in kept], *regions
        )
        located(new, op)
        for result, position in zip(new.results, kept, strict=True):
            named(result, op.results[position])
        replacements = dict(zip(kept, new.results, strict=True))
        rewriter.replace(op, new, [replacements.get(p) for p in range(count)])


@dataclass(frozen=True)
class PruneLoopsPass(ModulePass):
    """Drop the values that a `while` carries and nothing reads."""

    name = "prune-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Prune until nothing changes; what only the dropped values used goes too."""
        PatternRewriteWalker(
            GreedyRewritePatternApplier([DropUnreadValues()], dce_enabled=True)
        ).rewrite_module(op)

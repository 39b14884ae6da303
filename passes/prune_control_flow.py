"""Drop what branches give and loops carry that nothing reads, or that another value is.

Works at the comprehension level and below.

```mlir
%k, %x = scf.while (%a = %k0, %b = %x0) …            %k = scf.while (%a = %k0) …
  scf.condition(%c) %a, %b                      ==>    scf.condition(%c) %a
^bb0(%a1, %b1):  scf.yield %a2, %f(%b1)              ^bb0(%a1):  scf.yield %a2

%A1, %n1, %m1 = scf.if %c {                          %A1 = scf.if %c {
  scf.yield %A, %n, %n                          ==>    scf.yield %A
} else {                                             } else {
  scf.yield %B, %n, %n }                               scf.yield %B }
```

A result of a branch goes if nothing reads it, if both arms give one value, which stands for it,
and if both arms give for it what they give for an earlier result. So does what a loop carries if
nothing but the loop's own computation of it reads it, if each iteration hands it on as it was, or
hands on the same number, and if another carried value begins and goes on like it. These are
variables of the source that only one iteration looks at, and dimensions that arrays bring along.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from diablo.dialects.effects import has_no_effect
from diablo.dialects.locations import located, named
from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.pattern_set import PatternSet, rewrite


class DropBranchResults(RewritePattern):
    """Remove the results of a branch that nothing reads or that another value is."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.IfOp, rewriter: PatternRewriter) -> None:
        """Rebuild the branch without them."""
        if not op.results or any(len(region.blocks) != 1 for region in op.regions):
            return
        ends = [region.block.last_op for region in op.regions]
        first: dict[tuple[SSAValue, ...], SSAValue] = {}
        for result, *given in zip(op.results, *(end.operands for end in ends if end), strict=True):
            known = first.setdefault(tuple(given), result)
            if given[0] is given[1] and given[0].type == result.type:
                known = given[0]
            if known is not result and result.uses:
                named(known, result)
                rewriter.replace_all_uses_with(result, known)
        kept = [number for number, result in enumerate(op.results) if result.uses]
        if len(kept) == len(op.results):
            return
        regions: list[Region] = []
        for region, end in zip(op.regions, ends, strict=True):
            assert end is not None
            rewriter.replace(end, located(scf.YieldOp(*(end.operands[k] for k in kept)), end))
            regions.append(op.detach_region(region))
        if not kept and len(regions[1].block.ops) == 1:
            regions[1] = Region()
        types = [op.results[k].type for k in kept]
        new = located(scf.IfOp(op.cond, types, regions[0], regions[1]), op)
        _replace(rewriter, op, new, kept)


class DropCarriedValues(RewritePattern):
    """Remove the values that a loop carries and nothing reads or that another value is."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter) -> None:
        """Rebuild the loop without them."""
        condition, end = op.before_region.block.last_op, op.after_region.block.last_op
        count = len(op.arguments)
        if not isinstance(condition, scf.ConditionOp) or not isinstance(end, scf.YieldOp):
            return
        if len(op.results) != count or len(condition.args) != count:
            return
        loop = _Loop(op, condition, end)
        known = loop.known()
        for position, value in known.items():
            loop.replace(position, value, rewriter)
        unread, computing = loop.unread()
        dropped = {*known, *unread}
        if not dropped:
            return
        kept = [p for p in range(count) if p not in dropped]
        passed = [condition.args[p] for p in kept]
        rewriter.replace(
            condition, located(scf.ConditionOp(condition.condition, *passed), condition)
        )
        rewriter.replace(end, located(scf.YieldOp(*(end.operands[p] for p in kept)), end))
        for inner in computing:
            rewriter.erase(inner)
        regions: list[Region] = []
        for region in (op.before_region, op.after_region):
            for position in sorted(dropped, reverse=True):
                rewriter.erase_block_argument(region.block.args[position])
            regions.append(op.detach_region(region))
        new = scf.WhileOp(
            [op.arguments[p] for p in kept], [op.results[p].type for p in kept], *regions
        )
        _replace(rewriter, op, located(new, op), kept)


@dataclass(frozen=True)
class _Loop:
    """A loop with as many results as it carries values."""

    op: scf.WhileOp
    condition: scf.ConditionOp
    end: scf.YieldOp

    @property
    def before(self) -> Block:
        return self.op.before_region.block

    @property
    def after(self) -> Block:
        return self.op.after_region.block

    def handed_on(self) -> list[int]:
        """Return the positions of what the condition passes on as the loop carries it."""
        arguments = self.before.args
        return [p for p, value in enumerate(self.condition.args) if value is arguments[p]]

    def known(self) -> dict[int, int | None]:
        """Return the positions that another one is, or none where it is the loop's operand."""
        positions = self.handed_on()
        begins, goes_on = self.op.arguments, self.end.operands
        arguments: dict[SSAValue, int] = {self.after.args[p]: p for p in positions}
        # What begins with one value is one until it is seen to go on otherwise.
        group: dict[SSAValue, int] = {}
        same = {p: group.setdefault(begins[p], p) for p in positions}
        while True:
            keys: dict[tuple[object, ...], int] = {}
            finer: dict[int, int] = {}
            for p in positions:
                value = goes_on[p]
                carried = arguments.get(value)
                key = (same[p], value if carried is None else same[carried])
                finer[p] = keys.setdefault(key, p)
            if finer == same:
                break
            same = finer
        known: dict[int, int | None] = {p: first for p, first in same.items() if p != first}
        for p in positions:
            kept = arguments.get(goes_on[p])
            same_as_before = kept is not None and same[kept] == same[p]
            if same_as_before or same_value(goes_on[p], begins[p]):
                known[p] = None
        return known

    def replace(self, position: int, known: int | None, rewriter: PatternRewriter) -> None:
        """Let what is known to be at a position stand for what the loop carries there."""
        for carried in (self.before.args, self.after.args, self.op.results):
            other = self.op.arguments[position] if known is None else carried[known]
            uses = [use for use in carried[position].uses if not self._hands_on(use, position)]
            if uses:
                named(other, carried[position])
            for use in uses:
                use.operation.operands[use.index] = other
                rewriter.notify_op_modified(use.operation)

    def _hands_on(self, use: Use, position: int) -> bool:
        """Return whether a use passes what is carried at a position on at that position."""
        return use.operation is self.condition and use.index == 1 + position

    def unread(self) -> tuple[set[int], Sequence[Operation]]:
        """Return the positions that only the loop itself reads, and what computes with them.

        The ops stand in the order in which they may be erased.
        """
        positions = {p for p in self.handed_on() if not self.op.results[p].uses}
        while True:
            reached = {p: self._reached(p) for p in positions}
            left = {
                p for p, (ops, into) in reached.items() if ops is not None and into <= positions
            }
            if left == positions:
                break
            positions = left
        computing = {op for p in positions for op in reached[p][0] or ()}
        order = [op for block in (self.after, self.before) for op in reversed(list(block.ops))]
        return positions, [op for op in order if op in computing]

    def _reached(self, position: int) -> tuple[set[Operation] | None, set[int]]:
        """Return the ops that read a carried value, and the positions that depend on it.

        No ops if one of them does more than to compute its results.
        """
        ops: set[Operation] = set()
        into: set[int] = set()
        pending: list[SSAValue] = [self.before.args[position], self.after.args[position]]
        while pending:
            for use in pending.pop().uses:
                op = use.operation
                if self._hands_on(use, position):
                    continue
                if op is self.end:
                    into.add(use.index)
                    continue
                while op.parent not in (self.before, self.after):
                    parent = op.parent_op()
                    assert parent is not None
                    op = parent
                if not op.results or not has_no_effect(op):
                    return None, into
                if op not in ops:
                    ops.add(op)
                    pending += op.results
        return ops, into


def _replace(rewriter: PatternRewriter, op: Operation, new: Operation, kept: Sequence[int]) -> None:
    """Replace an op by one that has some of its results."""
    for result, number in zip(new.results, kept, strict=True):
        named(result, op.results[number])
    replacements = dict(zip(kept, new.results, strict=True))
    rewriter.replace(op, new, [replacements.get(k) for k in range(len(op.results))])


@dataclass(frozen=True)
class PruneControlFlowPass(ModulePass):
    """Drop what branches give and loops carry that nothing reads, or that another value is."""

    name = "prune-control-flow"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Prune until nothing changes; what only the dropped values used goes too."""
        patterns: list[RewritePattern] = [DropBranchResults(), DropCarriedValues()]
        rewrite(op, PatternSet(patterns))

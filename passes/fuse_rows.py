"""Make one operation on rows of two that follow one another.

Works at the tensor_block level; made for the kernels over rows.

```mlir
%1 = tensor_block.project %0[1]                 %2 = tensor_block.extend %0 to [1, 2] {
%2 = tensor_block.extend %1 { … }         ==>     … }

%1 = tensor_block.extend %0 { … f … }           %2 = tensor_block.extend %0 { … f, g … }
%2 = tensor_block.extend %1 { … g … }     ==>

%1 = tensor_block.filter %0 { … p … }           %2 = tensor_block.filter %0 { … andi p, q … }
%2 = tensor_block.filter %1 { … q … }     ==>
```

What both compute is computed once. A column that is only another one again is taken of that one.
Two tests stay apart if the second may fail, which the first could be there to prevent, or if it is
more than arithmetic and has nothing of that in common with the first: fewer rows are looked at
then. What something else reads as well stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from diablo.dialects.bags import bag_columns
from diablo.dialects.comprehension import StringOp
from diablo.dialects.effects import has_no_effect
from diablo.dialects.locations import located, named
from diablo.dialects.number_constants import ConstantOps, is_arithmetic
from diablo.dialects.tensor_block import ExtendOp, FilterOp, ProjectOp, YieldOp
from diablo.dialects.tensor_block.tensor_block_canonicalization import MergeProjects
from diablo.passes.analyses.values.speculation import can_trap
from diablo.passes.pattern_set import PatternSet, rewrite


class _Body:
    """A body over the columns of a bag, in which others are written one after the other."""

    def __init__(self, bag: SSAValue):
        self.block = Block(arg_types=bag_columns(bag))
        self._known: dict[tuple[object, ...], Operation] = {}
        self.added: list[Operation] = []
        """The ops of the last body that no earlier one has."""
        self.shared: list[Operation] = []
        """The ops of the last body that an earlier one has."""

    def write(self, block: Block, columns: Sequence[SSAValue]) -> list[SSAValue]:
        """Write the ops of a body whose arguments are `columns`; return what it yields."""
        values: dict[SSAValue, SSAValue] = dict(zip(block.args, columns, strict=True))
        for argument, column in values.items():
            named(column, argument)
        self.added, self.shared = [], []
        for op in block.ops:
            if op is block.last_op:
                return [values.get(value, value) for value in op.operands]
            operands = [values.get(value, value) for value in op.operands]
            key = (op.name, *op.properties.items(), *op.result_types, *operands)
            known = None if op.regions or not has_no_effect(op) else self._known.get(key)
            if known is None:
                known = op.clone(values)
                self.block.add_op(known)
                self._known[key] = known
                self.added.append(known)
            else:
                self.shared.append(known)
            values.update(zip(op.results, known.results, strict=True))
        return []

    def region(self, yielded: Sequence[SSAValue], like: Operation) -> Region:
        """Return the body, which yields these values."""
        self.block.add_op(located(YieldOp(*yielded), like))
        return Region(self.block)


def _columns(op: ExtendOp) -> Sequence[int]:
    """Return which columns an op has, of its bag's and then those that it makes."""
    return range(len(op.result.type.columns)) if op.taken is None else op.taken


def _extend(
    bag: SSAValue, body: Region, columns: Sequence[int], like: ExtendOp
) -> ExtendOp | ProjectOp:
    """Return an op with these of the columns of `bag` and then those that a body yields."""
    width, end = len(bag_columns(bag)), body.block.last_op
    assert isinstance(end, YieldOp)
    needed = sorted({c - width for c in columns if c >= width})
    end.operands = [end.operands[number] for number in needed]
    columns = [c if c < width else width + needed.index(c - width) for c in columns]
    whole = columns == list(range(width + len(needed)))
    new = ExtendOp(bag, body, None if whole else columns) if needed else ProjectOp(bag, columns)
    named(new.result, like.result)
    return located(new, like)


class ExtendProjected(RewritePattern):
    """`extend (project %a[1])` → `extend %a to [1, …]`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ExtendOp, rewriter: PatternRewriter) -> None:
        """Extend the wider bag."""
        inner = op.bag.owner
        if not isinstance(inner, ProjectOp):
            return
        kept = [int(column) for column in inner.columns.get_values()]
        body = _Body(inner.bag)
        yielded = body.write(op.body.block, [body.block.args[c] for c in kept])
        width = len(body.block.args)
        whole = [*kept, *range(width, width + len(yielded))]
        columns = [whole[c] for c in _columns(op)]
        new = _extend(inner.bag, body.region(yielded, op), columns, op)
        rewriter.replace(op, new)


class ExtendExtended(RewritePattern):
    """`extend (extend %a {f}) {g}` → `extend %a {f, g}`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ExtendOp, rewriter: PatternRewriter) -> None:
        """Make the columns of both at once."""
        inner = op.bag.owner
        if not isinstance(inner, ExtendOp) or not op.bag.has_one_use():
            return
        body = _Body(inner.bag)
        width = len(body.block.args)
        first = body.write(inner.body.block, body.block.args)
        there = [*body.block.args, *first]
        second = body.write(op.body.block, [there[c] for c in _columns(inner)])
        made = range(width + len(first), width + len(first) + len(second))
        whole = [*_columns(inner), *made]
        columns = [whole[c] for c in _columns(op)]
        rewriter.replace(op, _extend(inner.bag, body.region([*first, *second], op), columns, op))
        rewriter.erase(inner)


class TakeCopiedColumn(RewritePattern):
    """`extend %a { ^bb0(%x): yield %x }` → `project %a[0, 0]`: a column that is there already."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ExtendOp, rewriter: PatternRewriter) -> None:
        """Take it of the bag."""
        end = op.body.block.last_op
        assert isinstance(end, YieldOp)
        width = len(op.body.block.args)
        copied = {
            width + number: value.index
            for number, value in enumerate(end.values)
            if isinstance(value, BlockArgument) and value.block is op.body.block
        }
        if not copied:
            return
        columns = [copied.get(c, c) for c in _columns(op)]
        body = rewriter.move_region_contents_to_new_regions(op.body)
        rewriter.replace(op, _extend(op.bag, body, columns, op))


class FilterFiltered(RewritePattern):
    """`filter (filter %a {p}) {q}` → `filter %a {p and q}`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: FilterOp, rewriter: PatternRewriter) -> None:
        """Test both at once."""
        inner = op.bag.owner
        if not isinstance(inner, FilterOp) or not op.bag.has_one_use():
            return
        body = _Body(inner.bag)
        (first,) = body.write(inner.body.block, body.block.args)
        (second,) = body.write(op.body.block, body.block.args)
        if any(can_trap(added) for added in body.added):
            return
        if not all(map(_is_cheap, body.added)) and all(map(_is_cheap, body.shared)):
            return
        both = located(arith.AndIOp(first, second), op)
        body.block.add_op(both)
        new = located(FilterOp(inner.bag, body.region([both.result], op)), op)
        named(new.result, op.result)
        rewriter.replace(op, new)
        rewriter.erase(inner)


def _is_cheap(op: Operation) -> bool:
    return is_arithmetic(op) or isinstance(op, ConstantOps | StringOp)


@dataclass(frozen=True)
class FuseRowsPass(ModulePass):
    """Make one operation on rows of two that follow one another."""

    name = "fuse-rows"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Fuse until nothing changes."""
        patterns: list[RewritePattern] = [
            MergeProjects(),
            ExtendProjected(),
            ExtendExtended(),
            TakeCopiedColumn(),
            FilterFiltered(),
        ]
        rewrite(op, PatternSet(patterns))

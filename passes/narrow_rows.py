"""Drop the columns of rows that nothing reads before rows are multiplied, tested or moved.

Works at the tensor_block level. What a projection leaves out is left out of what it projects:

```mlir
%1 = tensor_block.unnest %rows[1] : bag<string, bag<i64>> -> bag<string, bag<i64>, i64>
%2 = tensor_block.project %1[2] : bag<string, bag<i64>, i64> -> bag<i64>
```

becomes

```mlir
%0 = tensor_block.project %rows[1] : bag<string, bag<i64>> -> bag<bag<i64>>
%1 = tensor_block.unnest %0[0] : bag<bag<i64>> -> bag<bag<i64>, i64>
%2 = tensor_block.project %1[1] : bag<bag<i64>, i64> -> bag<i64>
```

so that no string is repeated. A bag that something else reads as well stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from diablo.dialects import tensor_block
from diablo.dialects.bags import bag_columns
from diablo.dialects.effects import has_no_effect
from diablo.dialects.locations import located, named
from diablo.dialects.monoids import PLACE
from diablo.dialects.range_steps import step_of
from diablo.dialects.tensor_block.tensor_block_canonicalization import (
    DropIdentityProject,
    MergeProjects,
)
from diablo.passes.pattern_set import PatternSet, rewrite

Columns = list[int]


def _numbers(attribute: DenseArrayBase[Any]) -> Columns:
    return [int(c) for c in attribute.get_values()]


class _Narrower:
    """Rebuilds one op over bags that have only the columns that are wanted."""

    def __init__(self, rewriter: PatternRewriter, op: Operation, wanted: set[int]):
        self.rewriter = rewriter
        self.op = op
        self.wanted = wanted
        """The columns of the op's result that are read."""
        self.kept: Columns = []
        """Those that the new result has."""

    def bag(self, bag: SSAValue, kept: Columns) -> SSAValue:
        """The given columns of a bag."""
        if len(kept) == len(bag_columns(bag)):
            return bag
        project = located(tensor_block.ProjectOp(bag, kept), self.op)
        self.rewriter.insert(project)
        named(project.result, bag)
        return project.result

    def body(self, region: Region, kept: Columns) -> Region:
        """The body of the op, over the given columns."""
        detached = self.op.detach_region(region)
        for position in reversed(range(len(detached.block.args))):
            if position not in kept:
                self.rewriter.erase_block_argument(detached.block.args[position])
        return detached

    def rows_kept(self, width: int, needed: set[int]) -> Columns:
        """The first `width` columns that are wanted or needed; one at least, to have rows."""
        kept = [c for c in range(width) if c in self.wanted or c in needed]
        return kept or [width - 1]


def _read_by(block: Block) -> set[int]:
    """The columns that the body of an op reads."""
    return {position for position, arg in enumerate(block.args) if arg.uses}


def _drop_yields(block: Block, kept: Sequence[int], rewriter: PatternRewriter) -> None:
    """Yield only some values, and drop what was computed for the others alone."""
    end = block.last_op
    assert isinstance(end, tensor_block.YieldOp)
    rewriter.replace(
        end, located(tensor_block.YieldOp(*[end.values[position] for position in kept]), end)
    )
    for op in reversed(list(block.ops)):
        unused = op.results and not any(result.uses for result in op.results)
        if unused and has_no_effect(op):
            rewriter.erase(op)


def _filter(n: _Narrower, op: tensor_block.FilterOp) -> Operation | None:
    width = len(bag_columns(op.bag))
    n.kept = n.rows_kept(width, _read_by(op.body.block))
    if len(n.kept) == width:
        return None
    return tensor_block.FilterOp(n.bag(op.bag, n.kept), n.body(op.body, n.kept))


def _extend(n: _Narrower, op: tensor_block.ExtendOp) -> Operation | None:
    width, whole = len(bag_columns(op.bag)), len(bag_columns(op.result))
    added = [c - width for c in range(width, whole) if c in n.wanted]
    if len(added) < whole - width:
        _drop_yields(op.body.block, added, n.rewriter)
    kept = n.rows_kept(width, _read_by(op.body.block))
    n.kept = [*kept, *[width + c for c in added]]
    if len(n.kept) == whole:
        return None
    return tensor_block.ExtendOp(n.bag(op.bag, kept), n.body(op.body, kept))


def _expand(n: _Narrower, op: tensor_block.ExpandOp) -> Operation | None:
    width = len(bag_columns(op.bag))
    kept = n.rows_kept(width, _read_by(op.body.block))
    n.kept = [*kept, width]
    if len(kept) == width:
        return None
    step = step_of(op)
    return tensor_block.ExpandOp(n.bag(op.bag, kept), n.body(op.body, kept), step, op.at_most)


def _unnest(n: _Narrower, op: tensor_block.UnnestOp) -> Operation | None:
    width, whole = len(bag_columns(op.bag)), len(bag_columns(op.result))
    column = op.column.value.data
    kept = n.rows_kept(width, {column})
    n.kept = [*kept, *range(width, whole)]
    if len(kept) == width:
        return None
    return tensor_block.UnnestOp(n.bag(op.bag, kept), kept.index(column))


def _number(n: _Narrower, op: tensor_block.NumberOp) -> Operation | None:
    width = len(bag_columns(op.bag))
    kept = n.rows_kept(width, set())
    n.kept = [*kept, width]
    if len(kept) == width:
        return None
    return tensor_block.NumberOp(n.bag(op.bag, kept))


def _sort(n: _Narrower, op: tensor_block.SortOp) -> Operation | None:
    width, columns = len(bag_columns(op.bag)), op.kept
    wanted = [columns[c] for c in sorted(n.wanted)]
    kept = [c for c in range(width) if c in {*wanted, *[column for column, _ in op.by]}]
    kept = kept or [width - 1]
    n.kept = sorted(n.wanted)
    if len(n.kept) == len(columns) and len(kept) == width:
        return None
    return tensor_block.SortOp(
        n.bag(op.bag, kept),
        [(kept.index(column), down) for column, down in op.by],
        op.limit,
        [len(kept) if c == op.place else kept.index(c) for c in wanted],
    )


def _window(n: _Narrower, op: tensor_block.WindowOp) -> Operation | None:
    width, whole = len(bag_columns(op.bag)), len(bag_columns(op.result))
    places = [width]
    for function in op.functions:
        places.append(places[-1] + (2 if function.function.data == "shift" else 1))
    wanted = [
        any(place in n.wanted for place in range(start, end)) for start, end in pairwise(places)
    ]
    chosen = [pair for pair, is_wanted in zip(op.sized_functions, wanted, strict=True) if is_wanted]
    read = [f.column.data for f, _ in chosen if f.form.column]
    kept = n.rows_kept(width, {*op.key_columns, *[column for column, _ in op.by], *read})
    made = [
        place
        for start, end, is_wanted in zip(places, places[1:], wanted, strict=False)
        for place in (range(start, end) if is_wanted else ())
    ]
    n.kept = [*kept, *made]
    if len(n.kept) == whole:
        return None
    if not chosen:
        return tensor_block.ProjectOp(op.bag, kept)
    functions = [f.of_column(kept.index(f.column.data)) if f.form.column else f for f, _ in chosen]
    return tensor_block.WindowOp(
        n.bag(op.bag, kept),
        [kept.index(c) for c in op.key_columns],
        [(kept.index(column), down) for column, down in op.by],
        functions,
        [size for _, size in chosen if size is not None],
    )


def _lookup(n: _Narrower, op: tensor_block.LookupOp) -> Operation | None:
    width, whole = len(bag_columns(op.bag)), len(bag_columns(op.result))
    columns = _numbers(op.columns)
    kept = n.rows_kept(width, set(columns))
    n.kept = [*kept, *range(width, whole)]
    if len(kept) == width:
        return None
    return tensor_block.LookupOp(
        n.bag(op.bag, kept),
        op.array,
        [kept.index(c) for c in columns],
        stored=op.stored is not None,
        probe=op.probe is not None,
        offsets=op.offsets,
    )


def _join(n: _Narrower, op: tensor_block.JoinOp) -> Operation | None:
    width, whole = len(bag_columns(op.left)), len(bag_columns(op.result))
    left_keys, right_keys = _numbers(op.left_keys), _numbers(op.right_keys)
    left = n.rows_kept(width, set(left_keys))
    right = [c for c in range(whole - width) if width + c in n.wanted or c in right_keys] or [0]
    n.kept = [*left, *[width + c for c in right]]
    if len(n.kept) == whole:
        return None
    outer: list[Attribute] | None = None
    if op.outer is not None:
        outer = [op.outer.data[c] for c in right]
    return tensor_block.JoinOp(
        n.bag(op.left, left),
        n.bag(op.right, right),
        [left.index(c) for c in left_keys],
        [right.index(c) for c in right_keys],
        outer,
        op.at_most,
    )


def _group_reduce(n: _Narrower, op: tensor_block.GroupReduceOp) -> Operation | None:
    width, keys = len(bag_columns(op.bag)), op.keys.value.data
    # What says which row is kept stays.
    places = {keys + p for p, name in enumerate(op.monoids) if name.data == PLACE}
    n.kept = n.rows_kept(width, {*range(keys), *places})
    if len(n.kept) == width:
        return None
    monoids = [op.monoids.data[c - keys].data for c in n.kept if c >= keys]
    return tensor_block.GroupReduceOp(n.bag(op.bag, n.kept), keys, monoids)


_NARROW: dict[type[Operation], Callable[[_Narrower, Any], Operation | None]] = {
    tensor_block.FilterOp: _filter,
    tensor_block.ExtendOp: _extend,
    tensor_block.ExpandOp: _expand,
    tensor_block.UnnestOp: _unnest,
    tensor_block.NumberOp: _number,
    tensor_block.SortOp: _sort,
    tensor_block.WindowOp: _window,
    tensor_block.LookupOp: _lookup,
    tensor_block.JoinOp: _join,
    tensor_block.GroupReduceOp: _group_reduce,
}
"""How each op is rebuilt; none if it needs all the columns that it has."""


class ProjectEarlier(RewritePattern):
    """Leave out what a projection leaves out before the op that it projects."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor_block.ProjectOp, rewriter: PatternRewriter) -> None:
        """Rebuild that op over fewer columns."""
        source = op.bag.owner
        if not isinstance(source, Operation) or not op.bag.has_one_use():
            return
        narrow = _NARROW.get(type(source))
        if narrow is None:
            return
        columns = _numbers(op.columns)
        rewriter.insertion_point = InsertPoint.before(source)
        narrower = _Narrower(rewriter, source, set(columns))
        new = narrow(narrower, source)
        if new is None:
            return
        located(new, source)
        rewriter.insert(new)
        named(new.results[0], op.bag)
        positions = [narrower.kept.index(c) for c in columns]
        rewriter.replace(op, located(tensor_block.ProjectOp(new.results[0], positions), op))
        rewriter.erase(source)


@dataclass(frozen=True)
class NarrowRowsPass(ModulePass):
    """Drop the columns of rows that nothing reads before rows are multiplied or moved."""

    name = "narrow-rows"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite until every projection stands as early as it may."""
        patterns: list[RewritePattern] = [MergeProjects(), DropIdentityProject(), ProjectEarlier()]
        rewrite(op, PatternSet(patterns))

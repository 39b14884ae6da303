"""Group by all keys at once where each group is grouped again.

Works at the comprehension level.

```mlir
%R = collect {                                  %F = collect {
  %k, %l, %x = each %L                            %k, %l, %x = each %L
  %g, %b = group_by keys(%k) values(%l, %x)       %g, %h, %xs = group_by keys(%k, %l) values(%x)
  %r = collect {                                  %s = reduce add %xs
    %l1, %x1 = each %b                            yield %g, %h, %s }
    %h, %xs = group_by keys(%l1) values(%x1) ==>  %R = collect {
    %s = reduce add %xs                           %g1, %h1, %s1 = each %F
    yield %h, %s }                                %g, %r = group_by keys(%g1) values(%h1, %s1)
  yield %g, %r }                                  yield %g, %r }
```

An `aggregate` in the place of the inner `collect` becomes a `reduce` of what is grouped then. The
rows of the outer groups are no lists on the way: they are folded as they come, and what is
grouped by the outer key is as many rows as there are inner groups. The groups stay lists where
something else reads them too, or where a qualifier of the inner comprehension drops or adds rows:
an outer group whose inner ones are all dropped has an empty list.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.comprehension import (
    AggregateOp,
    BagType,
    BuildOp,
    CollectOp,
    EachOp,
    GroupByOp,
    ReduceOp,
    YieldOp,
)
from diablo.dialects.defining_blocks import is_made_in
from diablo.dialects.locations import located, named, remark
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.comprehension_structure import Qualifier, roots_in
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.speculation import is_pure

Values = dict[SSAValue, SSAValue]


@dataclass(frozen=True)
class _Nested:
    """A group whose rows another comprehension groups again."""

    root: CollectOp | BuildOp
    before: list[Operation]
    """What makes the rows."""
    group: GroupByOp
    columns: tuple[SSAValue, ...]
    """The values that the rows of a group are made of."""
    inner: CollectOp | AggregateOp
    each: EachOp
    row: list[Operation]
    """What is computed of a row of a group, before it is grouped again."""
    inner_group: GroupByOp
    folded: list[Operation]
    """What is computed of an inner group."""
    end: YieldOp


def _nested(root: CollectOp | BuildOp) -> _Nested | None:
    """The groups of `root` that are grouped again; None if there are none of the form."""
    ops = list(root.body.block.ops)
    groups = [op for op in ops if isinstance(op, GroupByOp)]
    if len(groups) != 1:
        return None
    (group,) = groups
    used = [bag for bag in group.bags if bag.uses]
    readers = {use.operation for bag in used for use in bag.uses}
    nested = [op.parent_op() for op in readers if isinstance(op, EachOp)]
    grouped = [
        op
        for op in nested
        if isinstance(op, CollectOp | AggregateOp)
        and any(isinstance(q, GroupByOp) for q in op.body.block.ops)
    ]
    if not grouped:
        return None
    inner = grouped[0]
    if len(readers) > 1 or inner.parent is not root.body.block:
        raise Refused("something else reads them too")
    body = list(inner.body.block.ops)
    each, end = body[0], body[-1]
    marks = [op for op in body if isinstance(op, Qualifier)]
    if _is_map(inner) or not isinstance(each, EachOp) or not isinstance(end, YieldOp):
        raise Refused("they are not gone through row by row")
    if len(marks) != 2 or not isinstance(marks[1], GroupByOp) or each.sorted is not None:
        raise Refused("rows are dropped, or added, in a group")
    place = body.index(marks[1])
    return _Nested(
        root,
        ops[: ops.index(group)],
        group,
        group.bag_values[list(group.bags).index(used[0])],
        inner,
        each,
        body[1:place],
        marks[1],
        body[place + 1 : -1],
        end,
    )


def _is_map(op: CollectOp | AggregateOp) -> bool:
    return isinstance(op, CollectOp) and op.result.type.is_map


def _check(nested: _Nested) -> None:
    """Raise `Refused` where an op needs what it would not have in the place that it moves to."""
    block, inner = nested.root.body.block, nested.inner.body.block
    rows = {value for op in (nested.each, *nested.row) for value in op.results}
    for op in (*nested.row, *nested.folded):
        if not is_pure(op):
            raise Refused("what is computed of their rows does more than that")
    for op in (*nested.row, nested.inner_group):
        for value in used_values(op):
            if value not in rows and (is_made_in(value, block) or is_made_in(value, inner)):
                raise Refused("what their rows are grouped by depends on the outer group")
    for op in nested.before:
        for use in (use for value in op.results for use in value.uses):
            if use.operation is not nested.group and _is_behind(use.operation, nested.group):
                raise Refused("what does not vary is used behind the outer group")
    keys: set[SSAValue] = {*nested.group.group_keys}
    for op in (*nested.folded, nested.end):
        for value in used_values(op):
            if value in rows or (is_made_in(value, block) and not _is_known(value, keys, inner)):
                raise Refused("what is computed of an inner group depends on other values")


def _is_behind(op: Operation, group: GroupByOp) -> bool:
    """Return whether `op`, or what it stands in, follows a group in its comprehension."""
    around: Operation | None = op
    while around is not None and around.parent is not group.parent:
        around = around.parent_op()
    return around is not None and group.is_before_in_block(around)


def _is_known(value: SSAValue, keys: set[SSAValue], inner: Block) -> bool:
    return value in keys or is_made_in(value, inner)


def _flatten(nested: _Nested) -> None:
    """Put a comprehension with all keys in front, and let the outer one group what it gives."""
    root, group = nested.root, nested.group
    flat = located(_flat(nested), nested.inner)
    Rewriter.insert_op(flat, InsertPoint.before(root))
    each = located(EachOp(flat.result), nested.each)
    count = len(group.keys)
    keys, values = each.elements[:count], each.elements[count:]
    for new, old in zip(keys, group.group_keys, strict=True):
        named(new, old)
    for new, old in zip(values, nested.end.values, strict=True):
        named(new, old)
    again = located(GroupByOp(keys, values, [len(values)]), group)
    (rows,) = again.bags
    made: list[Operation] = [each, again]
    if isinstance(nested.inner, AggregateOp):
        made.append(located(ReduceOp(nested.inner.monoid.data, rows), nested.inner))
    result = made[-1].results[-1]
    named(result, nested.inner.result)
    Rewriter.insert_op(made, InsertPoint.before(group))
    for old, new in zip(group.group_keys, again.group_keys, strict=True):
        named(new, old)
        old.replace_all_uses_with(new)
    nested.inner.result.replace_all_uses_with(result)
    for op in (nested.inner, group, *reversed(nested.before)):
        Rewriter.erase_op(op)


def _flat(nested: _Nested) -> CollectOp:
    """The comprehension that groups by the outer keys and the inner ones."""
    group, inner_group = nested.group, nested.inner_group
    block, values = Block(), Values()
    for op in nested.before:
        block.add_op(op.clone(values))
    for element, column in zip(nested.each.elements, nested.columns, strict=True):
        values[element] = values.get(column, column)
    for op in nested.row:
        block.add_op(op.clone(values))

    def of_row(value: SSAValue) -> SSAValue:
        return values.get(value, value)

    keys = [of_row(key) for key in (*group.keys, *inner_group.keys)]
    widths = [len(bag) for bag in inner_group.bag_values]
    taken = list(map(of_row, inner_group.values))
    together = located(GroupByOp(keys, taken, widths), inner_group)
    block.add_op(together)
    made = (*together.group_keys, *together.bags)
    old = (*group.group_keys, *inner_group.group_keys, *inner_group.bags)
    for new, one in zip(made, old, strict=True):
        named(new, one)
        values[one] = new
    for op in nested.folded:
        block.add_op(op.clone(values))
    yielded = [*together.group_keys[: len(group.keys)], *map(of_row, nested.end.values)]
    block.add_op(located(YieldOp([], yielded), nested.end))
    return CollectOp(Region(block), BagType([value.type for value in yielded]))


@dataclass(frozen=True)
class FlattenGroupsPass(ModulePass):
    """Group by all keys at once where each group is grouped again."""

    name = "flatten-groups"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at each comprehension, inner ones first; an outer one may group once more."""
        for root in roots_in(op):
            if not isinstance(root, CollectOp | BuildOp):
                continue
            try:
                nested = _nested(root)
                if nested is None:
                    continue
                _check(nested)
            except Refused as refused:
                remark(root, f"groups that are grouped again stay lists: {refused}")
                continue
            remark(root, "groups that are grouped again are made by all keys at once")
            _flatten(nested)

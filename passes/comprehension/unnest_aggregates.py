"""Compute the sums that a comprehension needs at each of its indices as one array.

Works at the comprehension level.

```mlir
%R = comprehension.build (%n) {            %T = comprehension.build (%n) {
  %i = comprehension.range %zero to %m       %j, %k, %a = comprehension.each %A
  %s = comprehension.aggregate add {         %g, %as = comprehension.group_by keys(%j) values(%a)
    %j, %k, %a = comprehension.each %A       %s = comprehension.reduce add %as
    guard %j == %i                    ==>    comprehension.yield (%g) %s }
    comprehension.yield %a }               %R = comprehension.build (%n) {
  comprehension.yield (%i) %s }              %i = comprehension.range %zero to %m
                                             %t, %s = comprehension.each %T full
                                             guard %t == %i
                                             comprehension.yield (%i) %s }
```

The new array is array algebra where the nested comprehension would be joined row by row. Nothing
but equalities of indices may tie it to the outer rows, it must not be able to fail, and the outer
indices must be those of a dimension that is known. An index without a row has zero in it. Where
the identity of the monoid is another value, the elements of the new array are tuples with `true`
behind what is folded, and what has none gets the identity where it is read:

```mlir
%s = comprehension.aggregate min {         %t, %e = comprehension.each %T full
  …                                        guard %t == %i
                                    ==>    %v, %some = comprehension.unpack %e : tuple<f64, i1>
                                           %s = arith.select %some, %v, %infinity : f64
```
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    ModuleOp,
    NoneAttr,
    TensorType,
    TupleType,
    i1,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, remark
from diablo.dialects.monoids import domain_of
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.values.monoid_identities import identity_ops
from diablo.passes.analyses.values.speculation import (
    Root,
    can_trap,
    is_made_in,
    is_of_a_row,
    used_values,
)
from diablo.passes.comprehension.outer_rows import Independent, without_outer_rows


def _move_out(root: Root) -> None:
    """Move aggregates in aggregates of `root` to its rows that depend on these alone."""
    for inner in [op for op in root.walk() if isinstance(op, comprehension.AggregateOp)]:
        while inner is not root and not can_trap(inner):
            around = inner.parent_op()
            if around is root or not isinstance(around, comprehension.AggregateOp):
                break
            if any(is_made_in(value, around.body.block) for value in used_values(inner)):
                break
            inner.detach()
            Rewriter.insert_op(inner, InsertPoint.before(around))


def _unnest(nested: comprehension.AggregateOp, root: Root) -> bool:
    """Build the array of the sums before `root` and read it in the place of `nested`."""
    over_arrays = any(
        isinstance(op, comprehension.EachOp) and as_array(op.collection.type) is not None
        for op in nested.body.block.ops
    )
    if not over_arrays or can_trap(nested):
        return False
    if not _is_of_zeros(nested) and not _is_of_dense_numbers(nested):
        return False
    alone = without_outer_rows(nested, root)
    if alone is None:
        return False
    array = _build(nested, root, alone)
    each = located(comprehension.EachOp(array, full=True), nested)
    reads: list[Operation] = [each]
    for index, key in zip(each.elements[:-1], alone.keys, strict=True):
        equal = located(arith.CmpiOp(index, key.outer, "eq"), nested)
        reads += [equal, located(comprehension.GuardOp(equal.result), nested)]
    Rewriter.insert_op(reads, InsertPoint.before(nested))
    value = each.elements[-1]
    if not _is_of_zeros(nested):
        value = _value_or_identity(nested, value)
    value.name_hint = nested.result.name_hint
    nested.result.replace_all_uses_with(value)
    Rewriter.erase_op(nested)
    return True


def _is_of_zeros(nested: comprehension.AggregateOp) -> bool:
    """Return whether the fold of no rows is zero."""
    return monoid_named(nested.monoid.data).neutral_zero


def _is_of_dense_numbers(nested: comprehension.AggregateOp) -> bool:
    """Return whether numbers, or tuples of them, are folded, and no array is sparse."""
    type = nested.result.type
    parts = list(type.types) if isinstance(type, TupleType) else [type]
    sources = [op.collection for op in nested.walk() if isinstance(op, comprehension.EachOp)]
    return all(domain_of(part) is not None for part in parts) and not any(
        tensor_block.is_sparse(source.type) for source in sources
    )


def _value_or_identity(nested: comprehension.AggregateOp, element: SSAValue) -> SSAValue:
    """What the element of the new array holds if there was a row, and the identity if not."""
    unpack = located(comprehension.UnpackOp(element), nested)
    *parts, some = unpack.parts
    whole = parts[0]
    ops: list[Operation] = [unpack]
    if isinstance(nested.result.type, TupleType):
        ops.append(located(comprehension.PackOp(parts), nested))
        whole = ops[-1].results[0]
    neutral = identity_ops(nested.monoid.data, nested.result.type, nested)
    ops += [located(op, nested) for op in neutral]
    ops.append(located(arith.SelectOp(some, whole, neutral[-1].results[0]), nested))
    Rewriter.insert_op(ops, InsertPoint.before(nested))
    return ops[-1].results[0]


def _build(nested: comprehension.AggregateOp, root: Root, alone: Independent) -> SSAValue:
    """The array of the sums, before `root`."""
    remark(nested, "nested: the sums for all indices are one array, which each row reads")
    *ops, head = alone.ops
    assert isinstance(head, comprehension.YieldOp)
    group = located(comprehension.GroupByOp([key.inner for key in alone.keys], head.values), nested)
    total = located(comprehension.ReduceOp(nested.monoid.data, group.bags[0]), nested)
    folded: list[Operation] = [group, total]
    if not _is_of_zeros(nested):
        folded += _with_a_mark(nested, total.result)
    element = folded[-1].results[0]
    end = located(comprehension.YieldOp(group.group_keys, [element]), head)
    block = Block([*ops, *folded, end])
    head.erase()
    types = [v.type for op in (root, *block.ops) for v in (*op.operands, *op.results)]
    tiled = any(as_array(type) is not None and tensor_block.is_tiled(type) for type in types)
    rank = len(alone.keys)
    encoding = tensor_block.TilesAttr(rank) if tiled else NoneAttr()
    type = TensorType(element.type, [DYNAMIC_INDEX] * rank, encoding)
    extents: list[SSAValue] = []
    for key in alone.keys:
        if isinstance(key.extent, int):
            number = located(arith.ConstantOp(IntegerAttr(key.extent, IndexType())), nested)
            Rewriter.insert_op(number, InsertPoint.before(root))
            extents.append(number.result)
        else:
            extents.append(key.extent)
    build = located(comprehension.BuildOp(extents, Region(block), type), nested)
    Rewriter.insert_op(build, InsertPoint.before(root))
    return build.result


def _with_a_mark(nested: comprehension.AggregateOp, total: SSAValue) -> list[Operation]:
    """Ops whose last one makes a tuple of a fold, and `true`, since there is a row."""
    true = located(arith.ConstantOp(IntegerAttr(1, i1)), nested)
    if not isinstance(total.type, TupleType):
        return [true, located(comprehension.PackOp([total, true.result]), nested)]
    unpack = located(comprehension.UnpackOp(total), nested)
    return [unpack, true, located(comprehension.PackOp([*unpack.parts, true.result]), nested)]


@dataclass(frozen=True)
class UnnestAggregatesPass(ModulePass):
    """Compute the sums that a comprehension needs at each of its indices as one array."""

    name = "unnest-aggregates"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Unnest the sums that stand directly in the outermost comprehensions."""
        for root in [o for o in op.walk() if isinstance(o, Root)]:
            if root.parent is None or is_of_a_row(root.result):
                continue
            _move_out(root)
            for nested in list(root.body.block.ops):
                if isinstance(nested, comprehension.AggregateOp):
                    _unnest(nested, root)

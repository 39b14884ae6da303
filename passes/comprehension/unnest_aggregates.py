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

The new array is array algebra where the nested comprehension would be joined row by row. So are
sums of numbers over ranges alone that make as many steps for each row, but for what is cut off
(`max(0,i-1)..min(n-1,i+1)`). Nothing but equalities of indices may tie it to the outer rows, it
must not be able to fail, what it folds in turn for its own rows must have become an array before,
and the outer indices must be those of a dimension that is known, or a part of it: a range whose
ends are known, through which the new array is gone as well, so that no more than the part is
computed. Is it of a known length, or one of several, the array is as long as the part, and begins
where that does. An index without a row has zero in it. Where the identity of the monoid is another
value, the new array begins with that at each index:

```mlir
%s = comprehension.aggregate min {         %I = comprehension.build (%n) { … yield (%i) %infinity }
  …                                 ==>    %T = comprehension.merge min %I { … yield (%j) %a }
```
"""

from __future__ import annotations

from collections.abc import Sequence
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
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.defining_blocks import is_made_in
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, remark
from diablo.dialects.monoids import domain_of
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.values.comprehension_structure import Generator, Root, is_of_a_row
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.monoid_identities import identity_ops
from diablo.passes.analyses.values.range_windows import range_window
from diablo.passes.analyses.values.speculation import can_trap
from diablo.passes.comprehension.hoist_invariants import hoist_bounds, hoist_constants
from diablo.passes.comprehension.outer_rows import Independent, Key, Part, without_outer_rows


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


def _unnest_within(nested: comprehension.AggregateOp, root: Root) -> None:
    """Unnest what `nested` folds for each of its own rows, whichever row of `root` it is for."""
    inner = [op for op in nested.body.block.ops if isinstance(op, comprehension.AggregateOp)]
    for each in inner:
        _unnest_within(each, root)
        for around in (each, nested, root):
            hoist_bounds(around)
        hoist_constants(nested, root)
        if not _depends_on_rows(each, root, nested.body.block):
            _unnest(each, nested, root)


def _depends_on_rows(nested: comprehension.AggregateOp, root: Root, own: Block) -> bool:
    """Return whether `nested` uses what is made for a row of `root`, other than in `own`."""
    return any(
        is_made_in(value, root.body.block) and not is_made_in(value, own)
        for value in used_values(nested)
    )


def _unnest(nested: comprehension.AggregateOp, root: Root, place: Root) -> bool:
    """Build the array of the sums before `place` and read it in the place of `nested`.

    There are sums for the indices of the rows of `root`, which is `place` or stands within.
    """
    if not _is_over_arrays(nested) and not _is_over_windows(nested, root):
        return False
    if can_trap(nested) or _folds_within(nested):
        return False
    if not _is_of_zeros(nested) and not _is_of_dense_numbers(nested):
        return False
    alone = without_outer_rows(nested, root)
    if alone is None or any(is_made_in(v, place.body.block) for v in _values_before(alone)):
        return False
    axes = [_axis(key, nested, place) for key in alone.keys]
    array = _build(nested, root, place, alone, axes)
    each = located(comprehension.EachOp(array, full=True), nested)
    reads: list[Operation] = [each]
    for index, key, axis in zip(each.elements[:-1], alone.keys, axes, strict=True):
        position = axis.place(key.outer, nested, reads)
        equal = located(arith.CmpiOp(index, position, "eq"), nested)
        reads += [equal, located(comprehension.GuardOp(equal.result), nested)]
    Rewriter.insert_op(reads, InsertPoint.before(nested))
    value = each.elements[-1]
    value.name_hint = nested.result.name_hint
    nested.result.replace_all_uses_with(value)
    Rewriter.erase_op(nested)
    return True


def _is_over_arrays(nested: comprehension.AggregateOp) -> bool:
    """Return whether elements of arrays are folded."""
    return any(
        isinstance(op, comprehension.EachOp) and as_array(op.collection.type) is not None
        for op in nested.body.block.ops
    )


def _is_over_windows(nested: comprehension.AggregateOp, root: Root) -> bool:
    """Return whether numbers are folded over ranges alone, as many steps for each row of `root`.

    Other ranges, as `0..i`, are loops within each row: an array would have all pairs.
    """
    generators = [op for op in nested.body.block.ops if isinstance(op, Generator)]
    return all(
        isinstance(op, comprehension.RangeOp)
        and range_window(op, lambda value: is_made_in(value, root.body.block)) is not None
        for op in generators
    ) and _is_of_dense_numbers(nested)


def _values_before(alone: Independent) -> list[SSAValue]:
    """Return the values that have to be known before the array of the sums is built."""
    values = [v for op in alone.ops for v in used_values(op)]
    for key in alone.keys:
        match key.extent:
            case int():
                pass
            case Part(range, dimension):
                values += [dimension, *range.operands]
            case extent:
                values.append(extent)
    return values


def _folds_within(nested: comprehension.AggregateOp) -> bool:
    """Return whether `nested` folds again for each of its own rows.

    As an array of sums, its rows would be all pairs of these and of the rows around them. Without
    one, they are loops within each row.
    """
    return any(isinstance(op, comprehension.AggregateOp) for op in nested.body.block.walk())


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


def _build(
    nested: comprehension.AggregateOp,
    root: Root,
    place: Root,
    alone: Independent,
    axes: Sequence[_Axis],
) -> SSAValue:
    """The array of the sums, before `place`."""
    remark(nested, "nested: the sums for all indices are one array, which each row reads")
    *ops, head = alone.ops
    assert isinstance(head, comprehension.YieldOp)
    keys = [axis.place(key.inner, nested, ops) for key, axis in zip(alone.keys, axes, strict=True)]
    types = [v.type for op in (root, *ops) for v in (*op.operands, *op.results)]
    tiled = any(as_array(type) is not None and tensor_block.is_tiled(type) for type in types)
    rank = len(alone.keys)
    encoding = tensor_block.TilesAttr(rank) if tiled else NoneAttr()
    type = TensorType(head.values[0].type, [DYNAMIC_INDEX] * rank, encoding)
    extents = [axis.extent for axis in axes]
    array: comprehension.BuildOp | comprehension.MergeOp
    if _is_of_zeros(nested):
        group = located(comprehension.GroupByOp(keys, head.values), nested)
        total = located(comprehension.ReduceOp(nested.monoid.data, group.bags[0]), nested)
        end = located(comprehension.YieldOp(group.group_keys, [total.result]), head)
        array = comprehension.BuildOp(extents, Region(Block([*ops, group, total, end])), type)
    else:
        identities = _identities(nested, extents, type)
        Rewriter.insert_op(identities, InsertPoint.before(place))
        end = located(comprehension.YieldOp(keys, head.values), head)
        body = Region(Block([*ops, end]))
        array = comprehension.MergeOp(identities.result, body, nested.monoid.data)
    head.erase()
    Rewriter.insert_op(located(array, nested), InsertPoint.before(place))
    return array.result


@dataclass(frozen=True)
class _Axis:
    """A dimension of the array of the sums."""

    extent: SSAValue
    first: SSAValue | None = None
    """The index of which the sum comes first, if it is not 0."""

    def place(
        self, index: SSAValue, nested: comprehension.AggregateOp, ops: list[Operation]
    ) -> SSAValue:
        """Return the place of the sum for an index; what computes it is put to `ops`."""
        if self.first is None:
            return index
        ops.append(located(arith.SubiOp(index, self.first), nested))
        return ops[-1].results[0]


def _axis(key: Key, nested: comprehension.AggregateOp, root: Root) -> _Axis:
    """The dimension for a key; what it is computed by comes before `root`."""

    def added(op: Operation) -> SSAValue:
        Rewriter.insert_op(located(op, nested), InsertPoint.before(root))
        return op.results[0]

    def number(value: int) -> SSAValue:
        return added(arith.ConstantOp(IntegerAttr(value, IndexType())))

    match key.extent:
        case int(extent):
            return _Axis(number(extent))
        case Part(range, dimension):
            zero, one = number(0), number(1)
            first = added(arith.MaxSIOp(range.lower, zero))
            last = added(arith.MinSIOp(range.upper, added(arith.SubiOp(dimension, one))))
            count = added(arith.AddiOp(added(arith.SubiOp(last, first)), one))
            return _Axis(added(arith.MaxSIOp(count, zero)), first)
        case extent:
            return _Axis(extent)


def _identities(
    nested: comprehension.AggregateOp, extents: Sequence[SSAValue], type: TensorType[Attribute]
) -> comprehension.BuildOp:
    """An array that has the identity of the monoid of `nested` at each index."""
    zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
    one = arith.ConstantOp(IntegerAttr(1, IndexType()))
    ops: list[Operation] = [zero, one]
    indices: list[SSAValue] = []
    for extent in extents:
        last = arith.SubiOp(extent, one)
        index = comprehension.RangeOp(zero.result, last.result)
        ops += [last, index]
        indices.append(index.index)
    neutral = identity_ops(nested.monoid.data, type.get_element_type(), nested)
    ops += [*neutral, comprehension.YieldOp(indices, [neutral[-1].results[0]])]
    block = Block([located(op, nested) for op in ops])
    return located(comprehension.BuildOp(extents, Region(block), type), nested)


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
            aggregates = [
                nested
                for nested in root.body.block.ops
                if isinstance(nested, comprehension.AggregateOp)
            ]
            if aggregates:
                hoist_bounds(root)
            for nested in aggregates:
                _unnest_within(nested, root)
                _unnest(nested, root, root)

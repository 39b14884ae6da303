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

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    ModuleOp,
    NoneAttr,
    TensorType,
    TupleType,
    i1,
)
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, remark
from diablo.dialects.monoids import domain_of
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.affine_values import affine_form, constant_value
from diablo.passes.analyses.dimensions import dimensions
from diablo.passes.analyses.index_equalities import equated_integers
from diablo.passes.analyses.monoid_identities import identity_ops
from diablo.passes.analyses.speculation import (
    Root,
    can_trap,
    is_made_in,
    is_of_a_row,
    is_pure,
    used_values,
)


@dataclass(frozen=True)
class Tie:
    """An equality of an inner index with an outer one, which runs over a known dimension."""

    inner: SSAValue
    outer: SSAValue
    extent: SSAValue
    guard: comprehension.GuardOp


def _source(value: SSAValue) -> SSAValue:
    """The value behind casts between `index` and integers."""
    while isinstance(value, OpResult) and isinstance(value.op, arith.IndexCastOp):
        value = value.op.input
    return value


def _is_index_of(value: SSAValue, block: Block) -> bool:
    """Whether a generator of `block` binds `value` to an index."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.parent is not block:
        return False
    if isinstance(owner, comprehension.EachOp):
        return as_array(owner.collection.type) is not None and value is not owner.elements[-1]
    return isinstance(owner, comprehension.RangeOp)


def _known_dimensions(root: Root) -> list[SSAValue]:
    """The dimensions of `root` and of the arrays in it that are known in front of it."""
    found: list[SSAValue] = []
    if as_array(root.result.type) is not None:
        found += [d for d in dimensions(root.result) if d is not None]
    for op in root.walk():
        if isinstance(op, comprehension.EachOp) and as_array(op.collection.type) is not None:
            found += [d for d in dimensions(op.collection) if d is not None]
    return [d for d in found if not is_made_in(d, root.body.block)]


def _extent(variable: SSAValue, root: Root) -> SSAValue | None:
    """The dimension whose indices include all that `variable` is bound to."""
    owner = variable.owner
    if isinstance(owner, comprehension.EachOp):
        axis = next(k for k, element in enumerate(owner.elements) if element is variable)
        extent = dimensions(owner.collection)[axis]
        inside = extent is None or is_made_in(extent, root.body.block)
        return None if inside else extent
    assert isinstance(owner, comprehension.RangeOp)
    lower = constant_value(owner.lower)
    if owner.step is not None or lower is None or lower < 0:
        return None
    base, offset = affine_form(owner.upper)
    for extent in _known_dimensions(root):
        if affine_form(extent) == (base, offset + 1):
            return extent
    return None


def _tie(guard: comprehension.GuardOp, nested: Root, root: Root) -> Tie | None:
    sides = equated_integers(guard.condition)
    if sides is None:
        return None
    left, right = map(_source, sides)
    for inner, outer in ((left, right), (right, left)):
        if _is_index_of(inner, nested.body.block) and _is_index_of(outer, root.body.block):
            extent = _extent(outer, root)
            return None if extent is None else Tie(inner, outer, extent, guard)
    return None


def _ties(nested: comprehension.AggregateOp, root: Root) -> list[Tie]:
    """The equalities that tie `nested` to the rows of `root`; none if it cannot be unnested."""
    block = nested.body.block
    if any(isinstance(op, comprehension.GroupByOp) for op in block.ops):
        return []
    guards = [op for op in block.ops if isinstance(op, comprehension.GuardOp)]
    ties = [tie for guard in guards if (tie := _tie(guard, nested, root)) is not None]
    if len({tie.inner for tie in ties}) < len(ties) or len({tie.outer for tie in ties}) < len(ties):
        return []
    sparse = [
        tie.outer.owner
        for tie in ties
        if isinstance(tie.outer.owner, comprehension.EachOp)
        and tie.outer.owner.full is None
        and tensor_block.is_sparse(tie.outer.owner.collection.type)
    ]
    return ties if len(set(sparse)) == len(sparse) else []


def _copies(values: Sequence[SSAValue], root: Root) -> list[Operation] | None:
    """The ops in `root` that compute `values`, if they do not depend on its rows."""
    ops: list[Operation] = []

    def visit(value: SSAValue) -> bool:
        if not is_made_in(value, root.body.block):
            return True
        owner = value.owner
        if not isinstance(owner, Operation) or not is_pure(owner) or can_trap(owner):
            return False
        if owner not in ops:
            if not all(map(visit, used_values(owner))):
                return False
            ops.append(owner)
        return True

    return ops if all(map(visit, values)) else None


def _unused_without(ties: Sequence[Tie], block: Block) -> set[Operation]:
    """The guards of `ties`, and the ops of `block` that nothing else needs."""
    unused: set[Operation] = {tie.guard for tie in ties}
    for op in reversed(list(block.ops)):
        users = {use.operation for result in op.results for use in result.uses}
        if op.results and is_pure(op) and users <= unused:
            unused.add(op)
    return unused


def _unnest(nested: comprehension.AggregateOp, root: Root) -> bool:
    """Build the array of the sums before `root` and read it in the place of `nested`."""
    block = nested.body.block
    over_arrays = any(
        isinstance(op, comprehension.EachOp) and as_array(op.collection.type) is not None
        for op in block.ops
    )
    if not over_arrays or can_trap(nested):
        return False
    if not _is_of_zeros(nested) and not _is_of_dense_numbers(nested):
        return False
    ties = _ties(nested, root)
    if not ties:
        return False
    unused = _unused_without(ties, block)
    needed = [v for op in block.ops if op not in unused for v in used_values(op)]
    copied = _copies([v for v in needed if not is_made_in(v, block)], root)
    if copied is None:
        return False
    array = _build(nested, root, ties, unused, copied)
    each = located(comprehension.EachOp(array, full=True), nested)
    reads: list[Operation] = [each]
    for index, tie in zip(each.elements[:-1], ties, strict=True):
        equal = located(arith.CmpiOp(index, tie.outer, "eq"), nested)
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
    """Whether the fold of no rows is zero."""
    return monoid_named(nested.monoid.data).neutral_zero


def _is_of_dense_numbers(nested: comprehension.AggregateOp) -> bool:
    """Whether numbers, or tuples of them, are folded, and no array is sparse."""
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


def _build(
    nested: comprehension.AggregateOp,
    root: Root,
    ties: Sequence[Tie],
    unused: set[Operation],
    copied: Sequence[Operation],
) -> SSAValue:
    """The array of the sums, before `root`."""
    remark(nested, "nested: the sums for all indices are one array, which each row reads")
    block = nested.body.detach_block(0)
    for op in reversed(list(block.ops)):
        if op in unused:
            block.erase_op(op)
    copies: dict[SSAValue, SSAValue] = {}
    clones = [op.clone(copies) for op in copied]
    for op in block.walk():
        op.operands = [copies.get(value, value) for value in op.operands]
    if block.first_op is not None:
        block.insert_ops_before(clones, block.first_op)
    head = block.last_op
    assert isinstance(head, comprehension.YieldOp)
    group = located(comprehension.GroupByOp([tie.inner for tie in ties], head.values), nested)
    total = located(comprehension.ReduceOp(nested.monoid.data, group.bags[0]), nested)
    folded: list[Operation] = [group, total]
    if not _is_of_zeros(nested):
        folded += _with_a_mark(nested, total.result)
    element = folded[-1].results[0]
    end = located(comprehension.YieldOp(group.group_keys, [element]), head)
    block.insert_ops_before([*folded, end], head)
    block.erase_op(head)
    rank = len(ties)
    types = [v.type for op in (root, *block.ops) for v in (*op.operands, *op.results)]
    tiled = any(as_array(type) is not None and tensor_block.is_tiled(type) for type in types)
    encoding = tensor_block.TilesAttr(rank) if tiled else NoneAttr()
    type = TensorType(element.type, [DYNAMIC_INDEX] * rank, encoding)
    build = located(
        comprehension.BuildOp([tie.extent for tie in ties], Region(block), type), nested
    )
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
            for nested in list(root.body.block.ops):
                if isinstance(nested, comprehension.AggregateOp):
                    _unnest(nested, root)

"""Compute the elements of an array where they are read, if that is in one place.

Works at the comprehension level.

```mlir
%B = comprehension.build (%n) : !vector {
  %i, %a = comprehension.each %A : !vector     %s = comprehension.aggregate add : f64 {
  %b = math.sqrt %a : f64                        %i, %a = comprehension.each %A : !vector
  comprehension.yield (%i) %b             ==>    %b = math.sqrt %a : f64
}                                                comprehension.yield %b
%s = comprehension.aggregate add : f64 {       }
  %i, %b = comprehension.each %B : !vector
  comprehension.yield %b
}
```

The array must have been built with one row for each of its indices, and be read by nothing but
one generator, at each index once: that duplicates no work. An array whose elements are sums is
left alone, lest a product of matrices be computed element by element; so is a factor of what
may be a product, and an array in blocks if nothing else would distribute the work.

An array that has the elements of a dense one in another order of dimensions (`A.t`) is a view: a
product reads that one itself, wherever and however often it does.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension
from diablo.dialects.comprehension import BagType
from diablo.dialects.locations import located, remark
from diablo.dialects.tensor_block import is_sparse, is_tiled
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import constant_value, same_value
from diablo.passes.analyses.values.comprehension_structure import Generator, Root, head_of
from diablo.passes.analyses.values.determined_values import DeterminedValues, segments_of
from diablo.passes.analyses.values.dimensions import dimensions
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.linear_forms import linear_form
from diablo.passes.analyses.values.speculation import can_trap


def _runs_over(variable: SSAValue, extent: SSAValue) -> bool:
    """Return whether an index variable takes each value from 0 to `extent`, less one, once."""
    owner = variable.owner
    match owner:
        case comprehension.RangeOp():
            last = linear_form(owner.upper) - linear_form(extent) + 1
            first = linear_form(owner.lower)
            return owner.step is None and first.number == 0 and last.number == 0
        case comprehension.EachOp() if not isinstance(owner.collection.type, BagType):
            if owner.full is None and is_sparse(owner.collection.type):
                return False
            axis = list[SSAValue](owner.elements).index(variable)
            extents = dimensions(owner.collection)
            found = extents[axis] if axis < len(extents) else None
            if found is None:
                return _is_dimension(extent, owner.collection, axis)
            return same_value(found, extent)
        case _:
            return False


def _is_dimension(value: SSAValue, array: SSAValue, axis: int) -> bool:
    """Return whether `value` is asked of `array` itself."""
    op = value.owner
    return isinstance(op, tensor.DimOp) and op.source is array and constant_value(op.index) == axis


def _is_total(build: comprehension.BuildOp) -> bool:
    """Return whether there is one row for each index of an array, by plain generators."""
    keys = list(head_of(build).keys)
    bound: list[SSAValue] = []
    for op in build.body.block.ops:
        match op:
            case comprehension.GuardOp() | comprehension.GroupByOp():
                return False
            case comprehension.RangeOp():
                bound.append(op.index)
            case comprehension.EachOp() if not isinstance(op.collection.type, BagType):
                bound += op.elements[:-1]
            case comprehension.EachOp():
                return False
            case _:
                pass
    return (
        len(keys) == len(bound) == len(set(keys))
        and set(keys) == set(bound)
        and all(map(_runs_over, keys, build.dims))
    )


def _viewed(build: comprehension.BuildOp) -> comprehension.EachOp | None:
    """The generator over the dense array of which `build` has the elements, transposed."""
    head = head_of(build)
    ops = [op for op in build.body.block.ops if op is not head]
    each = ops[0] if len(ops) == 1 else None
    if not isinstance(each, comprehension.EachOp) or isinstance(each.collection.type, BagType):
        return None
    if is_sparse(each.collection.type) or is_sparse(build.result.type):
        return None
    *indices, element = each.elements
    whole = list(head.values) == [element] and set(head.keys) == set(indices)
    if not whole or len(head.keys) != len(indices):
        return None
    same_kind = is_tiled(each.collection.type) == is_tiled(build.result.type)
    return each if same_kind and all(map(_runs_over, head.keys, build.dims)) else None


def _read_viewed(build: comprehension.BuildOp) -> None:
    """Let what folds products of the elements of `build` read the array that it is a view of."""
    viewed = _viewed(build)
    readers = [use.operation for use in build.result.uses]
    if viewed is None or not all(map(_may_read_view, readers)):
        return
    for each in readers:
        assert isinstance(each, comprehension.EachOp)
        remark(each, "a view: the array is read in another order")
        copy = located(comprehension.EachOp(viewed.collection, full=each.full is not None), each)
        Rewriter.insert_op(copy, InsertPoint.before(each))
        places = [list[SSAValue](viewed.elements).index(key) for key in head_of(build).keys]
        for old, place in zip(each.elements, [*places, -1], strict=True):
            copy.elements[place].name_hint = old.name_hint
            old.replace_all_uses_with(copy.elements[place])
        Rewriter.erase_op(each)
    build.detach()
    build.erase()


def _may_read_view(reader: Operation) -> bool:
    """Return whether `reader` is a generator of what may be a product."""
    root = reader.parent_op()
    if not isinstance(reader, comprehension.EachOp) or not isinstance(root, Root):
        return False
    return _may_be_a_product(root)


def _check(build: comprehension.BuildOp, each: comprehension.EachOp) -> None:
    """Raise `Refused` if the elements are not to be computed where `each` reads them."""
    if not build.result.has_one_use():
        raise Refused("it is read in more than one place")
    reader = each.parent_op()
    if not isinstance(reader, Root) or reader.parent is None:
        raise Refused("it is read in more than one place")
    ancestor: Operation = reader
    while ancestor.parent is not build.parent:
        parent = ancestor.parent_op()
        if not isinstance(parent, scf.IfOp):
            raise Refused("it is read several times")
        ancestor = parent
    if each.full is None and is_sparse(build.result.type):
        raise Refused("only its stored elements are read")
    if not _is_total(build):
        raise Refused("it is not built with one row for each index")
    if can_trap(build):
        raise Refused("computing an element can fail")
    assert each.parent is not None
    (segment,) = [ops for ops in segments_of(each.parent) if each in ops]
    if not DeterminedValues(segment, each.elements[:-1]).unique():
        raise Refused("its elements are read several times")
    if is_tiled(build.result.type) and not _has_tiles(reader, build, each):
        raise Refused("its blocks are what distributes the work")
    if _may_be_a_product(reader):
        raise Refused("it may be a factor of a product that is one operation")


def _has_tiles(reader: Root, build: comprehension.BuildOp, each: comprehension.EachOp) -> bool:
    """Whether blocks distribute what `reader` computes without those of the array of `each`."""
    collections = [
        op.collection.type
        for op in (*reader.body.block.ops, *build.body.block.ops)
        if isinstance(op, comprehension.EachOp) and op is not each
    ]
    return any(
        is_tiled(type) or isinstance(type, BagType) for type in (*collections, reader.result.type)
    )


def _may_be_a_product(reader: Root) -> bool:
    """Return whether `reader` folds what it computes from more than one generator."""
    ops = list(reader.body.block.ops)
    folds = isinstance(reader, comprehension.AggregateOp | comprehension.MergeOp) or any(
        isinstance(op, comprehension.GroupByOp) for op in ops
    )
    return folds and sum(isinstance(op, Generator) for op in ops) > 1


def _first_user(value: SSAValue, each: comprehension.EachOp) -> Operation:
    """The op of the block of `each` that needs `value` first, or the next one if none does."""
    op = each.next_op
    assert op is not None
    if not value.uses:  # The end of the block may stand behind a group, where no row's value may.
        return op
    while op.next_op is not None and value not in used_values(op):
        op = op.next_op
    return op


def _fuse(build: comprehension.BuildOp, each: comprehension.EachOp) -> None:
    """Put the generators of `build` in the place of `each`, and the rest where it is needed."""
    block, head = each.parent, head_of(build)
    assert block is not None
    place = _first_user(each.elements[-1], each)
    for op in list(build.body.block.ops):
        if op is not head:
            op.detach()
            block.insert_op_before(op, each if _is_needed_early(op, head) else place)
    for element, value in zip(each.elements, (*head.keys, *head.values), strict=True):
        hint = value.name_hint or element.name_hint
        element.replace_all_uses_with(value)
        value.name_hint = hint
    block.erase_op(each)
    build.detach()
    build.erase()


def _is_needed_early(op: Operation, head: comprehension.YieldOp) -> bool:
    """Whether `op` is a generator, or computes something (a bound) that a generator needs."""
    return isinstance(op, Generator) or any(
        _is_needed_early(use.operation, head)
        for result in op.results
        for use in result.uses
        if use.operation is not head
    )


@dataclass(frozen=True)
class FuseProducersPass(ModulePass):
    """Compute the elements of an array where they are read, if that is in one place."""

    name = "fuse-producers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at every array that is built, and at every generator over one."""
        for build in reversed([o for o in op.walk() if isinstance(o, comprehension.BuildOp)]):
            if build.parent is not None:  # The last one first: it may be a view of a view.
                _read_viewed(build)
        said: set[tuple[Operation, Operation | None]] = set()
        for each in list(op.walk()):
            if not isinstance(each, comprehension.EachOp):
                continue
            build = each.collection.owner
            if not isinstance(build, comprehension.BuildOp):
                continue
            name = build.result.name_hint or "the array"
            try:
                _check(build, each)
            except Refused as why:
                # A stencil reads an array many times.
                if (build, each.parent_op()) not in said:
                    said.add((build, each.parent_op()))
                    remark(each, f"{name} is built before it is read: {why}")
                continue
            remark(each, f"the elements of {name} are computed where they are read")
            _fuse(build, each)

"""Vertical fusion of elementwise ops: a producer's body moves into its consumer's.

Works at the tensor_block level.

```mlir
%x = tensor_block.map … ins(%a[d0] : …)               %y = tensor_block.map … ins(%a[d0] : …)
  { tensor_block.yield %f }                      ==>    { %f = …
%y = tensor_block.map … ins(%x[d0] : …)                   %g = … %f …
  { %g = … ; tensor_block.yield %g }                      tensor_block.yield %g }
```

These are the rules of Hail's linear algebra plan: map∘map and map2∘map (`FuseIntoMap`, whatever the
number of inputs), the same for a `map` under a `reduce` (`FuseIntoReduce`), and contract∘map
(`FuseIntoContraction`; from right to left it is `lift-elementwise`).

Nothing is computed twice: a producer that others use too, or that the consumer reads more than
once per element (a broadcast), stays, unless its body only names a value; so does one whose
result is read beside the point (a stencil), or that stands outside of a loop around its
consumer. Contractions that are products are left alone, so that they stay calls of BLAS, and so is
what changes an array only where a sparse one stores elements: the rest of it is not looked at
(passes/analyses/sparsity/stored_updates.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import composed, picked_dimensions, picks_dimensions
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, named, remark
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.loops.kept_parts import kept_part
from diablo.passes.analyses.loops.products import is_contraction, is_product
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.sparsity.stored_points import value_beside
from diablo.passes.analyses.sparsity.stored_updates import stored_update
from diablo.passes.analyses.values.affine_values import constant_value, same_value
from diablo.passes.analyses.values.dimensions import dimensions
from diablo.passes.analyses.values.partial_evaluation import Same
from diablo.passes.pattern_set import PatternSet, rewrite

Consumer = tensor_block.MapOp | tensor_block.ReduceOp


def _is_trivial(producer: tensor_block.MapOp) -> bool:
    """Return whether the body computes nothing: it yields a constant or a value from outside."""
    if producer.inputs:
        value = value_beside(producer, ())
        return value is not None and not isinstance(value, Same)
    return len(producer.body.block.ops) <= 2 and all(
        isinstance(op, tensor_block.YieldOp) or not op.operands for op in producer.body.block.ops
    )


def _check(consumer: Consumer, producer: tensor_block.MapOp, position: int) -> None:
    """Raise `Refused` if fusing computed something twice, or elsewhere than it is defined."""
    map = consumer.indexing_maps.data[position].data
    if not picks_dimensions(map):
        raise Refused("its neighbours are read")
    dimensions = picked_dimensions(map) or []
    only = isinstance(consumer, tensor_block.ReduceOp) and len(consumer.inputs) == 1
    if only and not producer.inputs:
        raise Refused("the reduction would have no input left")
    if _is_trivial(producer):
        return
    if len(list(producer.result.uses)) > 1:
        raise Refused("its result is used more than once")
    if len(dimensions) < len(consumer.extents):
        raise Refused("each of its elements is read more than once")


def _producer_of(value: SSAValue, consumer: Consumer) -> tensor_block.MapOp | None:
    if not isinstance(value, OpResult) or not isinstance(value.op, tensor_block.MapOp):
        return None
    producer = value.op
    if producer.offsets:
        return None
    if producer.parent is not consumer.parent and not _is_trivial(producer):
        return None  # It may be computed less often than its consumer.
    if tensor_block.is_sparse(producer.result.type) and not _is_trivial(producer):
        return None
    return producer


def _fused_body(
    consumer: Consumer, producer: tensor_block.MapOp, position: int, dimensions: list[int]
) -> Block:
    """The consumer's body with the producer's in front; its inputs end with the producer's."""
    old, rank = consumer.body.block, len(consumer.extents)
    inputs = [argument.type for argument in old.args[rank:]]
    inputs.pop(position)
    added = [argument.type for argument in producer.body.block.args[len(producer.extents) :]]
    block = Block(arg_types=[*[a.type for a in old.args[:rank]], *inputs, *added])
    inner: dict[SSAValue, SSAValue] = {}
    own = producer.body.block.args
    for axis, dimension in enumerate(dimensions):
        inner[own[axis]] = block.args[dimension]
    for new, argument in zip(block.args[rank + len(inputs) :], own[len(dimensions) :], strict=True):
        inner[argument] = new
    _copy(producer.body.block, block, inner)
    (value,) = _yielded(producer.body.block)
    outer: dict[SSAValue, SSAValue] = dict(zip(old.args[:rank], block.args[:rank], strict=True))
    kept = [a for place, a in enumerate(old.args[rank:]) if place != position]
    outer.update(zip(kept, block.args[rank : rank + len(inputs)], strict=True))
    outer[old.args[rank + position]] = inner.get(value, value)
    _copy(old, block, outer)
    block.add_op(tensor_block.YieldOp(*(outer.get(v, v) for v in _yielded(old))))
    return block


def _copy(source: Block, target: Block, mapping: dict[SSAValue, SSAValue]) -> None:
    for op in source.ops:
        if not isinstance(op, tensor_block.YieldOp):
            target.add_op(op.clone(mapping))


def _yielded(block: Block) -> tuple[SSAValue, ...]:
    last = block.last_op
    assert isinstance(last, tensor_block.YieldOp)
    return tuple(last.values)


def _changes_slice(op: tensor_block.MapOp) -> bool:
    """Return whether an op in a loop changes an array at one index of a dimension alone.

    It may write this slice in the memory of the array, and costs as much as the slice.
    """
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, scf.WhileOp):
        parent = parent.parent_op()
    part = None if parent is None else kept_part(op)
    return part is not None and bool(part.fixed_dimensions)


def _fuse(consumer: Consumer, rewriter: PatternRewriter, *, keeps_slices: bool = False) -> None:
    """Fuse a producer; with `keeps_slices` none that changes a slice, as the consumer does."""
    for position, value in enumerate(consumer.inputs):
        producer = _producer_of(value, consumer)
        if producer is None:
            continue
        try:
            _check(consumer, producer, position)
        except Refused as why:
            remark(producer, f"an elementwise operation is not fused into its use: {why}")
            continue
        if keeps_slices and _changes_slice(producer):
            remark(producer, "an elementwise operation is not fused: each changes a slice")
            continue
        fused = _fused(consumer, producer, position)
        if _looks_at_more(fused, consumer, producer):
            message = "an elementwise operation is not fused: only stored elements would change"
            remark(producer, message)
            fused.erase()
            continue
        remark(
            producer, "an elementwise operation is fused into its use, and its array is not made"
        )
        rewriter.replace(consumer, located(fused, like=consumer))
        return


def _looks_at_more(fused: Operation, consumer: Consumer, producer: tensor_block.MapOp) -> bool:
    """Whether one of the two changes an array at stored elements only, and both together not."""
    return (_is_update(consumer) or _is_update(producer)) and not _is_update(fused)


def _is_update(op: Operation) -> bool:
    return isinstance(op, tensor_block.MapOp) and stored_update(op) is not None


def _fused(consumer: Consumer, producer: tensor_block.MapOp, position: int) -> Operation:
    inputs, maps = list(consumer.inputs), [m.data for m in consumer.indexing_maps]
    inputs.pop(position)
    outer = maps.pop(position)
    dimensions, symbols = picked_dimensions(outer) or [], list(consumer.symbols)
    inputs += producer.inputs
    numbers = {old: len(symbols) + old for old in range(len(producer.symbols))}
    symbols += producer.symbols
    maps += [composed(map.data, outer, numbers) for map in producer.indexing_maps]
    maps = [AffineMap(map.num_dims, len(symbols), map.results) for map in maps]
    body = Region(_fused_body(consumer, producer, position, dimensions))
    extents, offsets, type = consumer.extents, consumer.offsets, consumer.result.type
    if isinstance(consumer, tensor_block.ReduceOp):
        monoid, parallel = consumer.monoid.data, consumer.parallel.value.data
        return tensor_block.ReduceOp(
            monoid, inputs, extents, parallel, maps, body, type, offsets, symbols
        )
    return tensor_block.MapOp(inputs, extents, maps, body, type, offsets, symbols)


@dataclass(frozen=True)
class FuseIntoMap(RewritePattern):
    """map∘map, map2∘map: `map2 (map x f) y g` → `map2 x y (g(f(x), y))`."""

    whole: bool = False

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor_block.MapOp, rewriter: PatternRewriter) -> None:
        """Fuse one producer."""
        _fuse(op, rewriter, keeps_slices=self.whole and _changes_slice(op))


class FuseIntoReduce(RewritePattern):
    """reduce∘map: `reduce (map x f)` → `reduce x f`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor_block.ReduceOp, rewriter: PatternRewriter) -> None:
        """Fuse one producer."""
        if not is_contraction(op):
            _fuse(op, rewriter)


class FuseIntoContraction(RewritePattern):
    """contract∘map: `contract (map x f) y g` → `contract x y (g(f(x), y))`, below the fold.

    Products stay as they are: a library computes them, of arrays that are there.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor_block.ReduceOp, rewriter: PatternRewriter) -> None:
        """Fuse one producer, unless that made a product something else."""
        if not is_contraction(op):
            return
        if not is_product(op):
            _fuse(op, rewriter)
            return
        for value in op.inputs:
            producer = _producer_of(value, op)
            if producer is not None:
                message = "a product is left alone, which a library computes of arrays"
                remark(producer, f"an elementwise operation is not fused into its use: {message}")


class AddToZero(RewritePattern):
    """0 + reduce: a sum that is added to zeros is the sum, which starts at zero itself."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor_block.MapOp, rewriter: PatternRewriter) -> None:
        """Replace the map by its input."""
        if len(op.inputs) != 1 or op.offsets:
            return
        source, rank = op.inputs[0], len(op.extents)
        made_by = source.owner
        if isinstance(made_by, tensor_block.ScatterReduceOp):
            extents = made_by.into
        elif isinstance(made_by, tensor_block.ReduceOp):
            extents = made_by.extents
        else:
            return
        if not monoid_named(made_by.monoid.data).is_sum or not _can_be_placed(
            source, op.result.type
        ):
            return
        if op.indexing_maps.data[0].data != AffineMap.identity(rank):
            return
        if not _adds_zero(op.body.block, op.body.block.args[rank]):
            return
        if all(same_value(a, b) for a, b in zip(op.extents, extents, strict=False)):
            if source.type != op.result.type:
                source = rewriter.replace_value_with_new_type(source, op.result.type)
            named(source, op.result)
            rewriter.replace(op, (), (source,))


def _can_be_placed(value: SSAValue, type: Attribute) -> bool:
    """Return whether the array is of a type, or could be made so where it is folded.

    What is folded of a distributed array may be the driver's, if nothing else reads it.
    """
    if value.type == type:
        return True
    array, wanted = as_array(value.type), as_array(type)
    return (
        array is not None
        and wanted is not None
        and value.has_one_use()
        and not tensor_block.is_sparse(array)
        and tensor_block.local_type(array) == wanted
    )


class DropCopy(RewritePattern):
    """A map that only copies a whole array of its own type is that array."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor_block.MapOp, rewriter: PatternRewriter) -> None:
        """Replace the map by its input."""
        if len(op.inputs) != 1 or op.offsets or op.inputs[0].type != op.result.type:
            return
        rank = len(op.extents)
        if op.indexing_maps.data[0].data != AffineMap.identity(rank):
            return
        if _yielded(op.body.block) != (op.body.block.args[rank],):
            return
        known = dimensions(op.inputs[0])
        if all(k is not None and same_value(k, e) for k, e in zip(known, op.extents, strict=True)):
            named(op.inputs[0], op.result)
            rewriter.replace(op, (), (op.inputs[0],))


def _adds_zero(block: Block, element: SSAValue) -> bool:
    """Return whether the body yields `element + 0`."""
    (value,) = _yielded(block)
    if not isinstance(value, OpResult) or not isinstance(value.op, arith.AddfOp | arith.AddiOp):
        return False
    operands = [value.op.lhs, value.op.rhs]
    return element in operands and any(
        constant_value(other) == 0 for other in operands if other is not element
    )


@dataclass(frozen=True)
class FuseElementwisePass(ModulePass):
    """Fuse elementwise operations into the elementwise operations that use them."""

    name = "fuse-elementwise"
    whole: bool = False
    """Whether each array is a single tile, of which a loop changes a part in its memory."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Fuse until nothing changes."""
        patterns: list[RewritePattern] = [
            FuseIntoMap(self.whole),
            FuseIntoReduce(),
            FuseIntoContraction(),
            AddToZero(),
            DropCopy(),
        ]
        rewrite(op, PatternSet(patterns))

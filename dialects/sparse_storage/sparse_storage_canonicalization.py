"""Canonicalisation of the `sparse_storage` dialect."""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from diablo.dialects.locations import located
from diablo.dialects.monoids import zero_of
from diablo.dialects.number_constants import constant_op
from diablo.dialects.sparse_storage import (
    BoxOp,
    CoiterateOp,
    ImplicitOp,
    IterateOp,
    PackOp,
    RegionWhereOp,
    SizeOp,
    SliceOp,
    UnpackOp,
    YieldOp,
    iteration_order,
    region_type,
)


class UsePackedArray(RewritePattern):
    """What is taken apart and put together again is the array itself.

    ```
    %R, %values = sparse_storage.unpack %A : …
    %B = sparse_storage.pack %R, %values : …        // %B becomes %A
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PackOp, rewriter: PatternRewriter) -> None:
        """Use the array that the region and the values are of."""
        unpack = op.region.owner
        if not isinstance(unpack, UnpackOp) or unpack.array.type != op.array.type:
            return
        if op.values is unpack.values:
            rewriter.replace(op, (), (unpack.array,))


class DropEmptySlice(RewritePattern):
    """A slice that fixes no dimension is the region itself.

    ```
    %S = sparse_storage.slice %R[*, *] : …          // %S becomes %R
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SliceOp, rewriter: PatternRewriter) -> None:
        """Use the base."""
        if not op.indices and op.region.type == op.base.type:
            rewriter.replace(op, (), (op.base,))


class MergeSlices(RewritePattern):
    """A slice of a slice fixes the dimensions of both.

    ```
    %S = sparse_storage.slice %R[%i, *, *] : …
    %T = sparse_storage.slice %S[*, %k] : …         // becomes slice %R[%i, *, %k]
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SliceOp, rewriter: PatternRewriter) -> None:
        """Slice the first base."""
        inner = op.base.owner
        if not isinstance(inner, SliceOp):
            return
        free = [d for d in range(region_type(inner.base).rank.data) if d not in inner.fixed]
        fixed = {**inner.fixed, **{free[d]: index for d, index in op.fixed.items()}}
        dimensions = sorted(fixed)
        merged = SliceOp(
            inner.base, dimensions, [fixed[d] for d in dimensions], region_type(op.region)
        )
        rewriter.replace(op, located(merged, op))


class SizeOfBox(RewritePattern):
    """A box has as many indices as the product of its extents.

    ```
    %R = sparse_storage.box %n, %m : …
    %s = sparse_storage.size %R : …                 // becomes arith.muli %n, %m
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SizeOp, rewriter: PatternRewriter) -> None:
        """Multiply the extents."""
        box = op.region.owner
        if not isinstance(box, BoxOp):
            return
        if not box.extents:
            one = arith.ConstantOp(IntegerAttr(1, IndexType()))
            rewriter.replace(op, located(one, op))
            return
        size: SSAValue = box.extents[0]
        for extent in box.extents[1:]:
            product = located(arith.MuliOp(size, extent), op)
            rewriter.insert(product)
            size = product.result
        rewriter.replace(op, (), (size,))


def _is_number(type: Attribute) -> bool:
    return isinstance(type, AnyFloat | IntegerType | IndexType)


class ImplicitConstant(RewritePattern):
    """The implicit value of an array of numbers is the constant zero.

    ```
    %z = sparse_storage.implicit %A : … -> f64      // becomes arith.constant 0.0 : f64
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ImplicitOp, rewriter: PatternRewriter) -> None:
        """Use a constant."""
        if _is_number(op.value.type):
            zero = constant_op(zero_of(op.value.type))
            rewriter.replace(op, located(zero, op))


class DropUsualOrder(RewritePattern):
    """An order that is the layout's own need not be said.

    ```
    sparse_storage.iterate %R order [0, 1] : !sparse_storage.region<2> {…}   // drops the order
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: IterateOp, rewriter: PatternRewriter) -> None:
        """Remove the property."""
        if op.order is None or op.dimension_order != iteration_order(region_type(op.region)):
            return
        op.order = None
        rewriter.notify_op_modified(op)


class IterateWherePredicate(RewritePattern):
    """A loop over a part of a region whose positions are not used tests each index of the base.

    The part need not be made then.

    ```
    %T = sparse_storage.region_where %R : … {
    ^bb0(%i: index, %p: index):
      sparse_storage.yield %test : i1
    }
    sparse_storage.iterate %T : … {…}     // becomes iterate %R { scf.if %test {…} }
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: IterateOp, rewriter: PatternRewriter) -> None:
        """Loop over the base, if nothing else needs the part."""
        part = op.region.owner
        if not isinstance(part, RegionWhereOp) or len(list(op.region.uses)) != 1:
            return
        rank = region_type(op.region).rank.data
        if op.body.block.args[rank].uses or part.parent is not op.parent:
            return
        outer = Block(arg_types=op.body.block.arg_types)
        for new, old in zip(outer.args, op.body.block.args, strict=True):
            new.name_hint = old.name_hint
        mapping: dict[SSAValue, SSAValue] = dict(
            zip(part.body.block.args, outer.args[: rank + 1], strict=True)
        )
        for inner in part.body.block.ops:
            if not isinstance(inner, YieldOp):
                outer.add_op(inner.clone(mapping))
        end = part.body.block.last_op
        assert isinstance(end, YieldOp)
        then = Block()
        mapping |= dict(zip(op.body.block.args, outer.args, strict=True))
        for inner in op.body.block.ops:
            if isinstance(inner, YieldOp):
                values = [mapping.get(value, value) for value in inner.values]
                then.add_op(located(scf.YieldOp(*values), inner))
            else:
                then.add_op(inner.clone(mapping))
        carried = outer.args[rank + 1 :]
        otherwise = Block([scf.YieldOp(*carried)])
        test = mapping.get(end.values[0], end.values[0])
        choice = located(
            scf.IfOp(test, [value.type for value in carried], Region(then), Region(otherwise)), op
        )
        outer.add_ops([choice, located(YieldOp(*choice.results), op)])
        loop = IterateOp(
            part.base, op.inits, outer, order=op.dimension_order, backwards=op.backwards is not None
        )
        rewriter.replace(op, located(loop, op))
        rewriter.erase(part)


class IterateAlone(RewritePattern):
    """To iterate over one region together with no other is to iterate over it.

    ```
    sparse_storage.coiterate union (%R) : … {
    ^bb0(%i: index, %p: index, %present: i1):       // %present becomes true
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CoiterateOp, rewriter: PatternRewriter) -> None:
        """Make it a loop over one region."""
        if len(op.regions_) != 1:
            return
        region, rank = op.regions_[0], op.rank
        usual = tuple(range(rank))
        true = located(arith.ConstantOp(IntegerAttr.from_bool(True)), op)
        rewriter.insert(true)
        body = rewriter.move_region_contents_to_new_regions(op.body)
        presence = body.block.args[rank + 1]
        presence.replace_all_uses_with(true.result)
        body.block.erase_arg(presence)
        order = None if iteration_order(region_type(region)) == usual else usual
        rewriter.replace(op, located(IterateOp(region, op.inits, body, order=order), op))

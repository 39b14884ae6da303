"""Canonicalisation of loops over regions of sparse arrays."""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, i64
from xdsl.ir import Block, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from diablo.dialects.locations import located
from diablo.dialects.multiloop.multiloop_loops import LoopOp
from diablo.dialects.sparse_storage import RegionWhereOp, YieldOp, iteration_order, region_type


class DropUsualOrder(RewritePattern):
    """An order that is the layout's own need not be said.

    ```
    multiloop.loop stored(%R : !sparse_storage.region<2>) order [0, 1] {…}   // drops the order
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoopOp, rewriter: PatternRewriter) -> None:
        """Remove the property."""
        if op.order is None:
            return
        if tuple(op.order.get_values()) == iteration_order(region_type(op.inputs[0])):
            op.order = None
            rewriter.notify_op_modified(op)


class LoopWherePredicate(RewritePattern):
    """A loop over a part of a region whose positions are not used tests each index of the base.

    The part need not be made then.

    ```
    %T = sparse_storage.region_where %R : … {
    ^bb0(%i: index, %p: index):
      sparse_storage.yield %test : i1
    }
    multiloop.loop stored(%T : …) {…}     // becomes loop stored(%R) { scf.if %test {…} }
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoopOp, rewriter: PatternRewriter) -> None:
        """Loop over the base, if nothing else needs the part."""
        if op.source.data != "stored":
            return
        region = op.inputs[0]
        part, rank = region.owner, region_type(region).rank.data
        if not isinstance(part, RegionWhereOp) or not region.has_one_use():
            return
        if op.elements[rank].uses or part.parent is not op.parent:
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
            then.add_op(inner.clone(mapping))
        then.add_op(scf.YieldOp())
        test = mapping.get(end.values[0], end.values[0])
        outer.add_op(located(scf.IfOp(test, [], Region(then)), op))
        loop = LoopOp.create(
            operands=[part.base, *op.operands[1:]],
            result_types=op.result_types,
            properties=op.properties,
            attributes=op.attributes,
            regions=[Region(outer)],
        )
        if loop.order is None:  # The base may have another one.
            loop.order = DenseArrayBase.from_list(i64, iteration_order(region_type(region)))
        rewriter.replace(op, located(loop, op))
        rewriter.erase(part)


class LoopOverOne(RewritePattern):
    """To go through one region together with no other is to go through it.

    ```
    multiloop.loop union(%R : …) {
    ^bb0(%i: index, %p: index, %present: i1):       // %present becomes true
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoopOp, rewriter: PatternRewriter) -> None:
        """Make it a loop over one region."""
        if op.source.data not in ("union", "intersect") or len(op.inputs) != 1:
            return
        type = region_type(op.inputs[0])
        true = located(arith.ConstantOp(IntegerAttr.from_bool(True)), op)
        rewriter.insert(true)
        presence = op.elements[type.rank.data + 1]
        presence.replace_all_uses_with(true.result)
        op.body.block.erase_arg(presence)
        usual = tuple(range(type.rank.data))
        op.source, op.strategy = StringAttr("stored"), None
        if iteration_order(type) != usual:
            op.order = DenseArrayBase.from_list(i64, usual)
        rewriter.notify_op_modified(op)

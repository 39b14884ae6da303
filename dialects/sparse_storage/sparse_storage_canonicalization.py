"""Canonicalisation of the `sparse_storage` dialect."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from diablo.dialects.locations import located
from diablo.dialects.monoids import zero_of
from diablo.dialects.number_constants import constant_op
from diablo.dialects.sparse_storage import (
    BoxOp,
    ImplicitOp,
    PackOp,
    SizeOp,
    SliceOp,
    UnpackOp,
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

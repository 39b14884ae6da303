"""Canonicalisation of the `comprehension` dialect."""

from __future__ import annotations

from xdsl.dialects.arith import ConstantOp, SelectOp
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from diablo.dialects.comprehension import (
    ConstantListOp,
    GuardOp,
    LengthOp,
    ListOp,
    PackOp,
    UnpackOp,
)
from diablo.dialects.locations import located


class DropTrueGuard(RewritePattern):
    """A guard that always holds filters nothing.

    ```
    %true = arith.constant true
    comprehension.guard %true   // goes away
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GuardOp, rewriter: PatternRewriter) -> None:
        """Erase a guard on a constant true."""
        constant = op.condition.owner
        if not isinstance(constant, ConstantOp) or not isinstance(constant.value, IntegerAttr):
            return
        if constant.value.value.data:
            rewriter.erase(op)


class UnpackPack(RewritePattern):
    """The parts of a tuple that was just packed are what it was packed from.

    ```
    %t = comprehension.pack %d, %k : tuple<f64, i64>
    %a, %b = comprehension.unpack %t : tuple<f64, i64>   // %a becomes %d, %b becomes %k
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UnpackOp, rewriter: PatternRewriter) -> None:
        """Use the values themselves."""
        if isinstance(pack := op.tuple.owner, PackOp):
            rewriter.replace(op, (), tuple(pack.parts))


class UnpackSelect(RewritePattern):
    """The parts of one of two tuples are chosen one by one.

    ```
    %t = arith.select %c, %x, %y : tuple<f64, i64>
    %a, %b = comprehension.unpack %t : tuple<f64, i64>   // %a becomes a select of numbers
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UnpackOp, rewriter: PatternRewriter) -> None:
        """Unpack both."""
        if not isinstance(select := op.tuple.owner, SelectOp):
            return
        sides = [located(UnpackOp(side), op) for side in (select.lhs, select.rhs)]
        parts = [
            located(SelectOp(select.cond, one, other), op)
            for one, other in zip(*[side.parts for side in sides], strict=True)
        ]
        rewriter.replace(op, [*sides, *parts], [part.result for part in parts])


class PackUnpack(RewritePattern):
    """A tuple that is packed from all parts of another one, in order, is that one.

    ```
    %d, %k = comprehension.unpack %t : tuple<f64, i64>
    %u = comprehension.pack %d, %k : tuple<f64, i64>   // %u becomes %t
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PackOp, rewriter: PatternRewriter) -> None:
        """Use the other tuple."""
        if not op.parts or not isinstance(unpack := op.parts[0].owner, UnpackOp):
            return
        if tuple(op.parts) == tuple(unpack.parts):
            rewriter.replace(op, (), (unpack.tuple,))


class CountList(RewritePattern):
    """The length of a list that is written out is a constant.

    ```
    %l = comprehension.list (%a), (%b) : !comprehension.bag<f64>
    %n = comprehension.length %l : !comprehension.bag<f64>   // becomes arith.constant 2
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LengthOp, rewriter: PatternRewriter) -> None:
        """Count the rows."""
        match op.bag.owner:
            case ListOp() as rows:
                count = len(rows.rows)
            case ConstantListOp() as rows:
                count = rows.count
            case _:
                return
        rewriter.replace(op, located(ConstantOp(IntegerAttr(count, i64)), op))

"""Joins: rows with equal keys meet in a bucket, or the whole of one side comes to the other.

    %P = tensor_block.join %A[0], %B[0]            %P = tensor_block.join %A[], %list[]
  ==>                                            ==>
    %1 = spark.hash_rows %A[0]                     %1 = spark.broadcast %list
    %2 = spark.hash_rows %B[0]                     %P = spark.map @kernel_0(%A) captures(%1)
    %3 = spark.cogroup %1, %2
    %P = spark.map_groups @kernel_0(%3)

Without keys there is one bucket, in which one worker would do all the work.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.ir import Attribute, SSAValue

from diablo.dialects import spark, tensor_block
from diablo.dialects.bags import BagType
from diablo.dialects.locations import remark
from diablo.lowering.spark.conversion import Conversion
from diablo.lowering.spark.outlined_kernels import Argument
from diablo.lowering.spark.row_groups import bucket_groups
from diablo.lowering.spark.row_maps import columns_of, inserted, map_rows
from diablo.passes.analyses.plans.joined_reads import chosen_join


def convert_join(conversion: Conversion, op: tensor_block.JoinOp) -> None:
    """Send the chosen side to every worker, any if there are no keys; or hash both."""
    left_may_move = op.outer is None  # Each worker would keep all left rows without partner.
    join, stays = chosen_join(op)
    if stays is not None:
        _broadcast(conversion, op, op.right if stays == 0 else op.left, "it is short")
    elif not columns_of(op.left_keys):
        here = [conversion.of(side) in conversion.local_rows for side in (op.left, op.right)]
        moved = op.left if left_may_move and here == [True, False] else op.right
        _broadcast(conversion, op, moved, "there are no keys to hash")
    elif join == "broadcast":
        _broadcast(conversion, op, op.right, "choose-join was told so")
    else:
        # What is chosen for all cases is not left to be found out by the program.
        may_move = (0, 1) if left_may_move else (1,)
        found_out = join is None and not conversion.whole
        _hash_both(conversion, op, may_move if found_out else ())


def _joined(op: tensor_block.JoinOp, builder: Builder, left: SSAValue, right: SSAValue) -> SSAValue:
    """The same join of what a kernel has."""
    outer: Sequence[Attribute] | None = None if op.outer is None else list(op.outer)
    keys = columns_of(op.left_keys), columns_of(op.right_keys)
    return inserted(builder, tensor_block.JoinOp(left, right, *keys, outer, op.at_most))


def _hash_both(conversion: Conversion, op: tensor_block.JoinOp, sent: Sequence[int]) -> None:
    """Rows with equal keys meet in a bucket, or a side in `sent` goes to the other as a whole."""
    sides = [(op.left, op.left_keys), (op.right, op.right_keys)]
    rows = bucket_groups(
        conversion,
        op,
        [(conversion.of(v), v.type, columns_of(keys), v.name_hint) for v, keys in sides],
        op.result.type,
        lambda builder, args: _joined(op, builder, args[0], args[1]),
        sent,
    )
    conversion.define(op.result, rows)


def _broadcast(
    conversion: Conversion, op: tensor_block.JoinOp, moved: SSAValue, reason: str
) -> None:
    """Every batch of one side is joined with the whole of the other."""
    side = "right" if moved is op.right else "left"
    remark(op, f"the {side} side is sent to every worker: {reason}")
    stays = op.left if moved is op.right else op.right
    assert isinstance(stays.type, BagType)
    assert isinstance(moved.type, BagType)
    whole_type = spark.plain_rows(moved.type)
    source = conversion.whole_rows(conversion.of(moved), moved.type)

    def body(builder: Builder, batch: SSAValue, args: Sequence[SSAValue]) -> SSAValue:
        pair = (batch, args[0]) if side == "right" else (args[0], batch)
        return _joined(op, builder, *pair)

    rows = map_rows(
        conversion,
        op,
        conversion.of(stays),
        stays.type,
        op.result.type,
        body,
        [(Argument(whole_type, moved.name_hint), conversion.broadcast(source, op))],
    )
    conversion.define(op.result, rows)

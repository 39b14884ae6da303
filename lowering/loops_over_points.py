"""Turn ops over the points of dense arrays into loops that emit what is computed there.

    %s = tensor_block.reduce add parallel(d0 < %n)     %s = multiloop.loop points(d0 < %n, d1 < %m)
        reduced(d1 < %m) ins(%A[d0, d1] : …) {             into(%n) ins(%A[d0, d1] : …) {
    ^bb0(%i: index, %j: index, %a: f64):          ==>  ^bb0(%i: index, %j: index, %a: f64,
      tensor_block.yield %a : f64                           %all: !multiloop.table<add : f64>):
    }                                                    multiloop.emit %all[%i : index](%a : f64) }

A map emits to places, a fold to a table of those indices that it keeps, or to a number, and what is
scattered to a table by the index that the body computes.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.locations import located
from diablo.dialects.multiloop import (
    EmitOp,
    GeneratorType,
    LoopOp,
    PlaceType,
    ReduceType,
    TableType,
)
from diablo.dialects.tensor_block import IterationOps, MapOp, ReduceOp
from diablo.lowering.kernel_types import element_type, is_tensor
from diablo.passes.analyses.refused import Refused
from diablo.passes.fuse_multiloops import fuse_points


def put_fused_loops(module: ModuleOp, function: func.FuncOp, *, plain: bool = False) -> None:
    """Put loops in the place of a kernel's ops, one for those that take turns at the same points.

    The kernel is the function of loops of `module`. `plain` ones have no lanes.

    Raises
    ------
    Refused
        If an op makes anything but a dense array whose extents its loop says, or a number.
    """
    for op in function.body.block.ops:
        if isinstance(op, IterationOps) and not _is_made_by_loops(op.result.type):
            raise Refused(f"{op.name} makes {op.result.type}")
    put_loops_over_points(function)
    if sum(isinstance(op, LoopOp) for op in function.body.block.ops) > 1:
        fuse_points(module, plain=plain)


def _is_made_by_loops(type: Attribute) -> bool:
    """Return whether a loop over points can make a value of a type: what it makes is dense."""
    if not is_tensor(type):
        return True
    return type == TensorType(type.get_element_type(), [DYNAMIC_INDEX] * type.get_num_dims())


def put_loops_over_points(function: func.FuncOp) -> None:
    """Put loops in the place of a kernel's ops over dense arrays."""
    for op in list(function.body.block.ops):
        if isinstance(op, IterationOps):
            loop_over_points(op)


def loop_over_points(op: IterationOps) -> LoopOp:
    """Put a loop in the place of an op over dense arrays, and return it."""
    body = op.body.block
    end = body.last_op
    assert end is not None
    element, rank = element_type(op.result.type), len(op.extents)
    indices = list[SSAValue](body.args[:rank])
    *keys, value = end.operands
    into: Sequence[SSAValue] = ()
    generator: GeneratorType
    if isinstance(op, MapOp):
        generator, keys = PlaceType(element, rank), indices
    elif isinstance(op, ReduceOp):
        kept = op.parallel.value.data
        generator = TableType(op.monoid, element, kept) if kept else ReduceType(op.monoid, element)
        into, keys = op.extents[:kept], indices[:kept]
        if op.offsets:
            counted = [arith.SubiOp(*ends) for ends in zip(keys, op.offsets, strict=False)]
            body.insert_ops_before([located(each, end) for each in counted], end)
            keys = [each.result for each in counted]
    else:
        into = op.into
        generator = TableType(op.monoid, element, len(into))
    all = body.insert_arg(generator, len(body.args))
    all.name_hint = "all"
    Rewriter.replace_op(end, located(EmitOp(all, [value], keys), end))
    loop = LoopOp.over_points(
        op.extents,
        op.inputs,
        [map.data for map in op.indexing_maps],
        op.detach_region(op.body),
        offsets=op.offsets,
        symbols=op.symbols,
        into=into,
    )
    loop.made[0].name_hint = op.result.name_hint
    Rewriter.insert_op(located(loop, op), InsertPoint.before(op))
    Rewriter.replace_op(op, [], list(loop.made))
    return loop

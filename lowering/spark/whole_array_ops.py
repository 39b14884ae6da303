"""Slices, scans and reshapes of distributed arrays: ops on an array as a whole.

    %r = tensor_block.slice %A[%k, *]       =>    %r = spark.slice %A[%k, *] dims(%n, %m)
    %r = tensor_block.scan add %A along 1   =>    %r = spark.scan add %A along 1 dims(%n, %m)
    %B = tensor.collapse_shape %A [[0, 1]]  =>    %B = spark.interleave %A [2] dims(%n)

A slice is looked for by the coordinates of the tiles that hold the index, a scan goes by the tiles
along its lines, and dimensions that were taken apart are put back together. With an array of the
driver the driver does it, vectors scanned by a kernel; there the elements of a reshaped array lie
in memory as they should.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

from diablo.dialects import spark, tensor_block
from diablo.dialects.locations import remark
from diablo.lowering.collapsed_axes import collapsed_axes
from diablo.lowering.spark.conversion import Conversion
from diablo.lowering.spark.driver_indices import DriverIndices
from diablo.lowering.spark.outlined_kernels import (
    Argument,
    bind_constants,
    is_constant,
    local_value_type,
)
from diablo.lowering.unsupported import unsupported
from diablo.passes.analyses.values.affine_values import constant_value


def convert_slice(conversion: Conversion, op: tensor_block.SliceOp) -> None:
    """Slice the tiles that hold the index, or the array of the driver."""
    array = conversion.of(op.array)
    fixed = {d: conversion.of(index) for d, index in op.fixed.items()}
    dims = conversion.dims[array]
    tiled = tensor_block.is_tiled(op.array.type)
    if tiled:
        remark(op, "only the tiles that hold the index of the slice are looked at")
    result = conversion.add(spark.SliceOp(array, fixed, dims if tiled else ()), op)
    conversion.define(op.result, result, [dims[d] for d in op.kept])


def convert_scan(conversion: Conversion, op: tensor_block.ScanOp) -> None:
    """Scan the tiles, or the array of the driver by a kernel."""
    array = conversion.of(op.array)
    dims, reverse = conversion.dims[array], op.reverse is not None
    if not tensor_block.is_tiled(op.array.type):
        conversion.define(op.result, _call(conversion, op, array, dims), dims)
        return
    remark(op, "each tile is folded for the tiles behind it, and then scanned where it is")
    scan = spark.ScanOp(op.monoid.data, array, op.dimension.value.data, dims, reverse=reverse)
    conversion.define(op.result, conversion.add(scan, op), dims)


def _call(
    conversion: Conversion, op: tensor_block.ScanOp, array: SSAValue, dims: Sequence[SSAValue]
) -> SSAValue:
    """Scan an array of the driver: a vector in one loop with others over its points."""
    sizes = [extent for extent in dict.fromkeys(dims) if not is_constant(extent)]
    arguments = [
        *[Argument(IndexType(), "extent") for _ in sizes],
        Argument(local_value_type(op.array.type), op.array.name_hint),
    ]

    def body(builder: Builder, args: Sequence[SSAValue]) -> SSAValue:
        bound = bind_constants(builder, dims)
        bound.update(zip(sizes, args, strict=False))
        extents = [bound[extent] for extent in dims]
        name, dimension = op.monoid.data, op.dimension.value.data
        reverse = op.reverse is not None
        scan = tensor_block.ScanOp(name, args[-1], dimension, extents, reverse=reverse)
        return builder.insert(scan).result

    kernel = conversion.kernels.outline(op, arguments, body)
    call = func.CallOp(kernel, [*sizes, array], [local_value_type(op.result.type)])
    return conversion.add(call, op)


def convert_collapse(conversion: Conversion, op: tensor.CollapseShapeOp) -> None:
    """Let groups of dimensions be one each."""
    array = conversion.of(op.src)
    driver = DriverIndices(conversion, op)
    own = conversion.dims[array]
    factors: list[int] = []
    dims: list[SSAValue] = []
    for group in collapsed_axes(op):
        outer, *inner = [own[axis] for axis in group]
        factor = 1
        for extent in inner:
            known = constant_value(extent)
            if len(inner) > 1 or not isinstance(known, int):
                raise unsupported(op, "only two dimensions, the second of known size, become one")
            factor = known
        factors.append(factor)
        dims.append(driver.times(outer, factor))
    if isinstance(array.type, spark.RDDType):
        result = conversion.add(spark.InterleaveOp(array, factors, dims), op)
    else:
        new = tensor.CollapseShapeOp(
            operands=[array], properties=op.properties.copy(), result_types=[op.result.type]
        )
        result = conversion.add(new, op)
    conversion.define(op.result, result, dims)

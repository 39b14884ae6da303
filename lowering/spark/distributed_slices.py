"""Slices of arrays, by the coordinates of the tiles that hold the index.

%r = tensor_block.slice %A[%k, *] : …    =>    %r = spark.slice %A[%k, *] dims(%n, %m) : …

An array of the driver is sliced by the driver.
"""

from __future__ import annotations

from diablo.dialects import spark, tensor_block
from diablo.dialects.locations import remark
from diablo.lowering.spark.state import Conversion


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

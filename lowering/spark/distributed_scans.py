"""Scans of arrays, by the tiles along their lines.

%r = tensor_block.scan add %A along 1 : …    =>    %r = spark.scan add %A along 1 dims(%n, %m) : …

An array of the driver is scanned by the driver.
"""

from __future__ import annotations

from diablo.dialects import spark, tensor_block
from diablo.dialects.locations import remark
from diablo.lowering.spark.state import Conversion


def convert_scan(conversion: Conversion, op: tensor_block.ScanOp) -> None:
    """Scan the tiles, or the array of the driver."""
    array = conversion.of(op.array)
    dims, reverse = conversion.dims[array], op.reverse is not None
    tiled = tensor_block.is_tiled(op.array.type)
    if tiled:
        remark(op, "each tile is folded for the tiles behind it, and then scanned where it is")
    scan = spark.ScanOp(
        op.monoid.data, array, op.dimension.value.data, dims if tiled else (), reverse=reverse
    )
    conversion.define(op.result, conversion.add(scan, op), dims)

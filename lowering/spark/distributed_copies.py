"""Maps on the driver that only copy an array: as values never change, they are that array.

%b = tensor_block.map parallel(d0 < %n) ins(%a[d0]) { yield %x }      =>      %a
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

from diablo.dialects import tensor_block
from diablo.lowering.spark.state import Conversion
from diablo.passes.analyses.affine_values import same_value


def copied_array(conversion: Conversion, op: Operation) -> SSAValue | None:
    """The array of the driver that `op` copies from end to end, if it does just that."""
    if not isinstance(op, tensor_block.MapOp) or len(op.inputs) != 1:
        return None
    rank, source = len(op.extents), op.inputs[0]
    end = op.body.block.last_op
    assert isinstance(end, tensor_block.YieldOp)
    if end.values[0] is not op.body.block.args[rank] or source.type != op.result.type:
        return None
    if op.maps.data[0].data != AffineMap.identity(rank):
        return None
    array = conversion.of(source)
    dims, extents = conversion.dims.get(array, ()), conversion.all_of(op.extents)
    whole = len(dims) == rank and all(map(same_value, dims, extents))
    return array if whole else None

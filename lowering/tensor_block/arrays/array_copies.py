"""Maps that compute nothing are left out.

  %P = tensor_block.reduce add (…) -> tensor<?x?xf64>
  %R = tensor_block.map ins(%P[d0, d1]) { yield %p } -> tensor<?x?xf64, #tensor_block.tiles<…>>
=>
  %R = tensor_block.reduce add (…) -> tensor<?x?xf64, #tensor_block.tiles<…>>
"""

from __future__ import annotations

from xdsl.ir import BlockArgument, OpResult, SSAValue
from xdsl.ir.affine import AffineMap

from diablo.dialects import tensor_block
from diablo.dialects.locations import located
from diablo.lowering.tensor_block.query.body_emitter import Driver


def without_copy(result: SSAValue, driver: Driver) -> SSAValue:
    """A final map that only copies a reduction's result is that reduction."""
    op = result.owner
    if not isinstance(op, tensor_block.MapOp) or len(op.inputs) != 1:
        return result
    source, body = op.inputs[0], op.body.block
    first = body.first_op
    if not isinstance(first, tensor_block.YieldOp):
        return result
    value = first.values[0]
    rank = len(op.extents)
    if not (isinstance(value, BlockArgument) and value.index == rank):
        return result
    reducing = source.owner
    if not isinstance(reducing, tensor_block.ReduceOp):
        return result
    if op.indexing_maps.data[0].data != AffineMap.identity(rank):
        return result
    if tensor_block.is_sparse(result.type) and not all(
        tensor_block.is_sparse(i.type) for i in reducing.inputs
    ):
        return result
    new = tensor_block.ReduceOp.create(
        operands=reducing.operands,
        result_types=[result.type],
        properties=reducing.properties,
        attributes=reducing.attributes,
        regions=[reducing.body.clone()],
    )
    replacement = driver.insert(located(new, like=reducing))
    op.detach()
    op.erase()
    if isinstance(source, OpResult) and not source.uses:
        reducing.detach()
        reducing.erase()
    return replacement

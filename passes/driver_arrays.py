"""Arrays that are made of the driver's own, for the driver, stay there.

    %z = tensor_block.map … ins(%l[2 * d0] : tensor<?xf64>) -> tensor<?xf64, #tiles>
    %r = tensor_block.map … ins(%z[d0 - 1] : tensor<?xf64, #tiles>) -> tensor<?xf64>
  ==>
    %z = tensor_block.map … ins(%l[2 * d0] : tensor<?xf64>) -> tensor<?xf64>
    %r = tensor_block.map … ins(%z[d0 - 1] : tensor<?xf64>) -> tensor<?xf64>

The driver has what %z is made of, and gets an array of that size back: to send the one to the
workers and to collect the other takes longer than to compute an element of each. The coarse
grids of a multigrid method, which are elements of an array of the driver, are such arrays. Sums
are left to the workers: what they are made of may be larger than what the driver could hold.

The answer is the greatest fixpoint: all arrays stay unless something says otherwise.
"""

from __future__ import annotations

from xdsl.dialects import func, scf, tensor
from xdsl.ir import OpResult, SSAValue, Use
from xdsl.rewriter import Rewriter

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import linear_indices
from diablo.dialects.encodings import as_array, is_sparse, is_tiled, local_type
from diablo.dialects.locations import remark
from diablo.passes.analyses.values.free_values import free_values


def keep_with_driver(function: func.FuncOp) -> None:
    """Make distributed arrays that only stand between the driver's own ones local."""
    kept = _found(function)
    for value in kept:
        array = as_array(value.type)
        assert array is not None
        Rewriter.replace_value_with_new_type(value, local_type(array))
        if isinstance(value.op, tensor_block.MapOp):
            remark(
                value.op,
                "this stays with the driver, which has what it is made of and needs the result",
            )


def _found(function: func.FuncOp) -> list[OpResult]:
    candidates = [
        result
        for op in function.walk()
        for result in op.results
        if is_tiled(result.type) and not is_sparse(result.type)
    ]
    kept: set[SSAValue] = set(candidates)
    while True:
        lost = [value for value in kept if not _stays(value, kept)]
        if not lost:
            return [value for value in candidates if value in kept]
        kept.difference_update(lost)


def _stays(value: SSAValue, kept: set[SSAValue]) -> bool:
    assert isinstance(value, OpResult)
    return _is_made_here(value, kept) and all(_is_needed_here(use, kept) for use in value.uses)


def _is_here(value: SSAValue, kept: set[SSAValue]) -> bool:
    return value in kept or not is_tiled(value.type)


def _is_made_here(value: OpResult, kept: set[SSAValue]) -> bool:
    """Return whether the driver has all that a value is made of."""
    match value.op:
        case tensor_block.MapOp() as op:
            return _is_computed_here(op, kept)
        case tensor.CollapseShapeOp(src=source):
            return _is_here(source, kept)
        case scf.IfOp() as branch:
            ends = [region.block.last_op for region in branch.regions if region.blocks]
            return all(end is not None and end.operands[value.index] in kept for end in ends)
        case tensor_block.FromBagOp(bag=bag, dest=dest):
            made = bag.owner
            return (
                not dest and isinstance(made, tensor_block.ToBagOp) and _is_here(made.input, kept)
            )
        case _:
            return False


def _is_computed_here(op: tensor_block.MapOp, kept: set[SSAValue]) -> bool:
    """Return whether an op reads arrays of the driver alone, and does not loop for an element."""
    values = [*op.inputs, *free_values([op.body])]
    loops = any(isinstance(inner, scf.WhileOp | scf.ForOp) for inner in op.body.walk())
    return not loops and all(_is_here(value, kept) for value in values)


def _is_needed_here(use: Use, kept: set[SSAValue]) -> bool:
    """Return whether a use makes an array of the driver that is not far smaller."""
    match use.operation:
        case tensor.DimOp():
            return True
        case tensor_block.MapOp() as op:
            stays = _is_here(op.result, kept) and _is_computed_here(op, kept)
            return stays and _reads_along_all(op, use.index)
        case tensor.CollapseShapeOp(result=result):
            return result in kept
        case scf.YieldOp() as end:
            branch = end.parent_op()
            return isinstance(branch, scf.IfOp) and branch.results[use.index] in kept
        case tensor_block.ToBagOp(result=bag):
            return all(
                isinstance(made := use.operation, tensor_block.FromBagOp)
                and not made.dest
                and _is_here(made.result, kept)
                for use in bag.uses
            )
        case _:
            return False


def _reads_along_all(op: tensor_block.MapOp, number: int) -> bool:
    """Return whether an input is read at another place of each of its axes as the point moves."""
    if number >= len(op.inputs):
        return False
    indices = linear_indices(op.indexing_maps.data[number].data)
    return all(index.dimensions for index in indices)

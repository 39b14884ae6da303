"""Arrays that are small beside others are the driver's, who sends the whole of them to workers.

    %E = tensor_block.map … ins(%R[d0, d1] : tensor<?x?xf64, #tiles>, …)       // 1000 x 1000
    %P = tensor_block.reduce … ins(%E[d0, d2] : tensor<?x?xf64, #tiles>,
                                   %Q[d1, d2] : tensor<?x?xf64, #tiles>)       // 1000 x 20
      -> tensor<?x?xf64, #tiles>
  ==>
    %P = tensor_block.reduce … ins(%E[d0, d2] : tensor<?x?xf64, #tiles>,
                                   %Q[d1, d2] : tensor<?x?xf64>) -> tensor<?x?xf64>

Tiles of a distributed array are shuffled wherever they meet others at other indices, which takes a
stage each time; an array of the driver is where it is read. What is folded of large arrays is
combined on the workers, and the driver collects the parts.

The extents must be known: of arguments they are where a program is compiled for them
(`diablo.shape`), and what a loop carries has those that it begins with if it ends an iteration with
as many elements. The answer is the greatest fixpoint: all such arrays stay unless something says
otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects import func, scf, tensor
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.rewriter import Rewriter

from diablo.costs import (
    FEW_ELEMENTS,
    FEW_RATIO,
    LEAST_DISTRIBUTED,
    MOST_DRIVER_POINTS,
    MOST_WITH_DRIVER,
    SMALL_RATIO,
)
from diablo.dialects import tensor_block
from diablo.dialects.encodings import as_array, is_sparse, is_tiled, local_type
from diablo.dialects.locations import remark
from diablo.passes.analyses.plans.size_estimates import element_count, point_count
from diablo.passes.analyses.values.dimensions import read_argument_dimensions


def keep_small(function: func.FuncOp) -> None:
    """Make distributed arrays local that are small beside the largest one."""
    read_argument_dimensions(function)
    sizes = {value: element_count(value) for value in _values(function) if is_tiled(value.type)}
    largest = max([size for size in sizes.values() if size is not None], default=0)
    if largest < LEAST_DISTRIBUTED:
        return
    most = min(
        MOST_WITH_DRIVER, max(largest // SMALL_RATIO, min(FEW_ELEMENTS, largest // FEW_RATIO))
    )
    kept = {
        value
        for value, size in sizes.items()
        if size is not None and size <= most and not is_sparse(value.type)
    }
    kept.difference_update(_growing(function, sizes))
    while True:
        lost = [value for value in kept if not _stays(value, kept)]
        if not lost:
            break
        kept.difference_update(lost)
    for value, size in sizes.items():
        if value not in kept:
            continue
        array = as_array(value.type)
        assert array is not None
        Rewriter.replace_value_with_new_type(value, local_type(array))
        if isinstance(value.owner, tensor_block.MapOp | tensor_block.ReduceOp):
            remark(
                value.owner,
                f"this stays with the driver: it has {size} elements, and the largest array"
                f" has {largest}",
            )
    function.update_function_type()


def _values(function: func.FuncOp) -> Iterator[SSAValue]:
    for op in function.walk():
        yield from op.results
        if isinstance(op, func.FuncOp | scf.WhileOp):
            yield from (arg for region in op.regions for arg in region.block.args)


def _growing(function: func.FuncOp, sizes: Mapping[SSAValue, int | None]) -> Iterator[SSAValue]:
    """Yield what loops carry that is not as large in the next iteration as in the first."""
    for loop in function.walk():
        if isinstance(loop, scf.WhileOp):
            for number in range(len(loop.arguments)):
                first, argument, last = _carried(loop, number, True)
                if sizes.get(first) != sizes.get(last):
                    yield argument


def _stays(value: SSAValue, kept: set[SSAValue]) -> bool:
    alike = [*_alike(value), *[other for use in value.uses for other in _alike_of_use(use)]]
    return (
        all(other in kept or not is_tiled(other.type) for other in alike)
        and _can_be_made(value, kept)
        and all(_can_be_used(use) for use in value.uses)
    )


def _can_be_made(value: SSAValue, kept: set[SSAValue]) -> bool:
    """Whether an op gives an array of the driver, and workers share the work if it is much."""
    if isinstance(value.owner, Block):
        return True
    match value.owner:
        case tensor_block.MapOp() | tensor_block.ReduceOp() as op:
            if any(is_tiled(v.type) and v not in kept for v in op.inputs):
                return True
            points = point_count(op.extents)
            return points is not None and points <= MOST_DRIVER_POINTS
        case scf.WhileOp() | scf.IfOp():
            return True
        case _:
            return False


def _can_be_used(use: Use) -> bool:
    """Return whether an op takes an array of the driver as it does one in tiles."""
    op = use.operation
    if not _is_of_driver(op):
        return False
    match op:
        case tensor_block.MapOp() | tensor_block.ReduceOp():
            return use.index < len(op.inputs)
        case (
            tensor.DimOp()
            | tensor.ExtractOp()
            | scf.WhileOp()
            | scf.ConditionOp()
            | scf.YieldOp()
            | func.ReturnOp()
        ):
            return True
        case _:
            return False


def _is_of_driver(op: Operation) -> bool:
    """Return whether an op is the driver's, and not in the body of another that workers compute."""
    parent = op.parent_op()
    while isinstance(parent, scf.WhileOp | scf.IfOp):
        parent = parent.parent_op()
    return isinstance(parent, func.FuncOp)


def _alike(value: SSAValue) -> Iterator[SSAValue]:
    """The values that have the type of one because of where it comes from."""
    if isinstance(value, BlockArgument):
        loop = value.block.parent_op()
        if isinstance(loop, scf.WhileOp):
            yield from _carried(loop, value.index, value.block is loop.before_region.block)
        return
    assert isinstance(value, OpResult)
    if isinstance(value.op, scf.WhileOp):
        yield from _carried(value.op, value.index, False)
    elif isinstance(value.op, scf.IfOp):
        yield from _chosen(value.op, value.index)


def _alike_of_use(use: Use) -> Iterator[SSAValue]:
    """The values that have the type of one because of where it goes."""
    op, parent = use.operation, use.operation.parent_op()
    if isinstance(op, scf.WhileOp):
        yield from _carried(op, use.index, True)
    elif isinstance(op, scf.YieldOp) and isinstance(parent, scf.WhileOp):
        yield from _carried(parent, use.index, True)
    elif isinstance(op, scf.ConditionOp) and isinstance(parent, scf.WhileOp) and use.index:
        yield from _carried(parent, use.index - 1, False)
    elif isinstance(op, scf.YieldOp) and isinstance(parent, scf.IfOp):
        yield from _chosen(parent, use.index)


def _carried(loop: scf.WhileOp, number: int, begins: bool) -> Iterator[SSAValue]:
    """Return what a loop has of one type: what begins an iteration, or its condition gives on."""
    before, after = loop.before_region.block, loop.after_region.block
    condition, end = before.last_op, after.last_op
    assert isinstance(condition, scf.ConditionOp)
    assert end is not None
    if begins:
        yield from (loop.arguments[number], before.args[number], end.operands[number])
    else:
        yield from (condition.args[number], after.args[number], loop.results[number])


def _chosen(branch: scf.IfOp, number: int) -> Iterator[SSAValue]:
    yield branch.results[number]
    for region in branch.regions:
        if region.blocks and region.block.last_op is not None:
            yield region.block.last_op.operands[number]

"""Which kernels can be called for a part of their rows at a time, and what they are given then.

    func.func private @kernel_0(%n: index, %m: index, %A: tensor<?x?xf64>, %x: tensor<?xf64>)
      %y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%A[d0, d1], %x[d1]) …

    =>  Cut(extent=0, arguments=(2,))       as many rows, the rows of %A, and all of %x

Every op goes through the same rows, and of what an op makes later ones read the row itself. What is
read of an argument is either its row or does not depend on that. Folds over all rows to numbers
that nothing else reads may be among them: numbers of parts are combined.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import TensorType
from xdsl.ir import BlockArgument, Operation, SSAValue, Use

from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.encodings import is_sparse
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.tensor_block import MapOp, ReduceOp
from diablo.kernel_signature import Cut

RowOps = MapOp | ReduceOp


def cut_of(kernel: func.FuncOp) -> Cut | None:
    """Return how a kernel is called for some of its rows; None if it cannot be, or has none."""
    *ops, end = kernel.body.block.ops
    rows = [op for op in ops if isinstance(op, RowOps)]
    results = list(end.operands)
    by_result: dict[SSAValue, RowOps] = {op.result: op for op in rows}
    if not rows or not results or any(value not in by_result for value in results):
        return None
    if any(not isinstance(op, RowOps) and _touches_arrays(op) for op in ops):
        return None
    extent = rows[0].extents[0] if rows[0].extents else None
    if not isinstance(extent, BlockArgument) or extent.owner is not kernel.body.block:
        return None
    if any(not _is_operand(use, rows, 0) for use in extent.uses):
        return None
    made = {op.result for op in rows}
    cut: set[SSAValue] = set()
    whole: set[SSAValue] = set()
    origins: set[SSAValue] = set()
    for op in rows:
        if not _goes_by(op, extent, end) or is_sparse(op.result.type):
            return None
        for value, map in zip(op.inputs, op.indexing_maps, strict=True):
            dimensions = picked_dimensions(map.data)
            if dimensions is None or 0 in dimensions[1:]:
                return None
            (cut if dimensions[:1] == [0] else whole).add(value)
        if op.body.block.args[0].uses:
            origins.add(op.offsets[0] if op.offsets else extent)
    if cut & whole or made & whole:
        return None
    for value in cut | made:
        if any(use.operation not in (*rows, end) for use in value.uses):
            return None
    origin = _origin(kernel, origins, rows)
    if origins and origin is None:
        return None
    arguments = [k for k, argument in enumerate(kernel.args) if argument in cut]
    if not arguments:
        return None
    monoids = [_monoid(by_result[value]) for value in results]
    return Cut(extent.index, tuple(arguments), origin, tuple(monoids))


def _monoid(op: RowOps) -> str:
    """Return what combines the numbers that an op folds of parts; nothing if it makes rows."""
    return op.monoid.data if isinstance(op, ReduceOp) and not op.parallel.value.data else ""


def _touches_arrays(op: Operation) -> bool:
    values = (*op.operands, *op.results)
    return bool(op.regions) or any(isinstance(value.type, TensorType) for value in values)


def _goes_by(op: RowOps, extent: SSAValue, end: Operation) -> bool:
    """Return whether an op makes a row for each of so many, or of all of them a number that is a
    result."""
    if not op.extents or op.extents[0] is not extent:
        return False
    if not (monoid := _monoid(op)):
        return True
    return not is_user_defined(monoid) and all(use.operation is end for use in op.result.uses)


def _origin(kernel: func.FuncOp, origins: set[SSAValue], rows: Sequence[RowOps]) -> int | None:
    """Return which argument is the number of the first row, for all ops that need it."""
    if len(origins) != 1:
        return None
    (origin,) = origins
    if not isinstance(origin, BlockArgument) or origin.owner is not kernel.body.block:
        return None
    # It is just what is added to the indices of rows.
    is_origin = all(_is_operand(use, rows, 1) for use in origin.uses)
    return origin.index if is_origin else None


def _is_operand(use: Use, rows: Sequence[RowOps], segment: int) -> bool:
    """Return whether a value is the first extent of an op, or its first offset."""
    op = use.operation
    if not isinstance(op, RowOps) or op not in rows:
        return False
    return use.index == len(op.inputs) + segment * len(op.extents)

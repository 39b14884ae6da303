"""Which ops over iteration spaces can take turns at strips of the rows that they have in common.

%d = reduce min   d0 < %n | d1 < %k   %x[d0], %c[d1]        for a strip of d0:
%e = map          d0 < %n             %d[d0]           =>     %d there;  %e there;
%s = scatter add  d0 < %n             %e[d0]                  %s of what is there

The first dimension of each is that of the rows. What one op makes of a strip, later ones read while
it is at hand, at the rows themselves; but what is folded over all rows, or scattered, is known only
at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypeGuard

from xdsl.ir import Operation, SSAValue

from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.encodings import as_array, is_sparse
from diablo.dialects.tensor_block import IterationOps, MapOp, ReduceOp, ScatterReduceOp
from diablo.passes.analyses.loops.products import is_blas_product
from diablo.passes.analyses.values.affine_values import known_index, same_value

MOST_OF_A_TABLE = 4
"""How many rows there are at least for an element of a table that each thread has of its own."""


def goes_by_rows(op: Operation) -> TypeGuard[IterationOps]:
    """Return whether `op` can be done for a strip of its first dimension at a time.

    It reads dense arrays at its dimensions themselves, and no library does it better.
    """
    if not isinstance(op, MapOp | ReduceOp | ScatterReduceOp) or not op.extents:
        return False
    if not isinstance(op, ScatterReduceOp) and op.offsets:
        return False
    if any(is_sparse(value.type) for value in (*op.inputs, op.result)):
        return False
    if any(picked_dimensions(map.data) is None for map in op.maps):
        return False
    if isinstance(op, ReduceOp):
        return not is_blas_product(op)
    return not isinstance(op, ScatterReduceOp) or _is_worth_tables(op)


def _is_worth_tables(op: ScatterReduceOp) -> bool:
    """Return whether each thread can have a table of its own, for all that is known."""
    sizes = [known_index(size) for size in op.into]
    points = [known_index(extent) for extent in op.extents]
    if None in sizes or None in points:
        return True
    return prod(n or 0 for n in sizes) * MOST_OF_A_TABLE <= prod(n or 0 for n in points)


def is_nested(op: IterationOps) -> bool:
    """Return whether `op` folds for each row, or scatters rows."""
    return isinstance(op, ScatterReduceOp) or (
        isinstance(op, ReduceOp) and 0 < op.parallel.value.data < len(op.extents)
    )


def have_common_rows(ops: Sequence[Operation]) -> bool:
    """Return whether the ops can take turns at strips of the same rows."""
    made: dict[SSAValue, bool] = {}
    first = ops[0]
    for op in ops:
        if not goes_by_rows(op) or not goes_by_rows(first):
            return False
        if not same_value(op.extents[0], first.extents[0]):
            return False
        if any(operand in made for inner in op.body.walk() for operand in inner.operands):
            return False
        for value, map in zip(op.inputs, op.maps, strict=True):
            picked = picked_dimensions(map.data) or []
            at_rows = picked[:1] == [0] and 0 not in picked[1:]
            if value in made and not (made[value] and at_rows):
                return False
        made[op.result] = as_array(op.result.type) is not None and not isinstance(
            op, ScatterReduceOp
        )
    return True

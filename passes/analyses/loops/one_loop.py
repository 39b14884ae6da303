"""Which ops over an iteration space can run in one loop: elementwise ones, and full folds.

%z = map    d0 < %n   %z0[d0], %p[d0]          for i < n:
%r = map    d0 < %n   %r0[d0], %q[d0]    =>      z[i] = …;  r[i] = …;  rho += r[i] * r[i]
%rho = reduce d0 < %n   %r[d0], %r[d0]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeGuard

from xdsl.dialects.builtin import NoneAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.encodings import as_array
from diablo.dialects.tensor_block import MapOp, ReduceOp
from diablo.passes.analyses.values.affine_values import same_value


def is_pointwise(op: Operation) -> TypeGuard[MapOp | ReduceOp]:
    """Return whether `op` reads dense arrays at each point itself, in the order of their memory.

    It gives an array with one element per point, or a scalar.
    """
    if not isinstance(op, MapOp | ReduceOp) or op.offsets or not op.extents:
        return False
    if isinstance(op, ReduceOp) and op.parallel.value.data:
        return False
    if not _is_dense_or_scalar(op.result):
        return False
    return all(_is_dense_or_scalar(value) for value in op.inputs) and all(
        _picks_in_order(map.data) for map in op.maps
    )


def run_in_one_loop(ops: Sequence[Operation]) -> bool:
    """Return whether the ops can take turns at each point of one iteration space.

    The arrays that they make are read by later ones at the point itself, if at all; a fold is
    not read at all, since it is known only at the end.
    """
    made: set[SSAValue] = set()
    first = ops[0]
    for op in ops:
        if not is_pointwise(op) or not is_pointwise(first):
            return False
        if len(op.extents) != len(first.extents) or not all(
            same_value(a, b) for a, b in zip(op.extents, first.extents, strict=True)
        ):
            return False
        if any(operand in made for inner in op.body.walk() for operand in inner.operands):
            return False
        if not all(
            value not in made or map.data == AffineMap.identity(len(op.extents))
            for value, map in zip(op.inputs, op.maps, strict=True)
        ):
            return False
        made.add(op.result)
    return True


def _is_dense_or_scalar(value: SSAValue) -> bool:
    array = as_array(value.type)
    return array is None or isinstance(array.encoding, NoneAttr)


def _picks_in_order(map: AffineMap) -> bool:
    picked = picked_dimensions(map)
    return picked is not None and all(a < b for a, b in pairwise(picked))

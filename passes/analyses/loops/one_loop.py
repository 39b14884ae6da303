"""Which ops over an iteration space can run in one loop: elementwise ones, full folds, scans.

%z = map    d0 < %n   %z0[d0], %p[d0]          for i < n:
%r = map    d0 < %n   %r0[d0], %q[d0]    =>      z[i] = …;  r[i] = …;  rho += r[i] * r[i]
%rho = reduce d0 < %n   %r[d0], %r[d0]           sum += z[i];  s[i] = sum
%s = scan add %z along 0
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
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.tensor_block import ScanOp
from diablo.passes.analyses.loops.iterations import Iteration, as_iteration
from diablo.passes.analyses.values.affine_values import same_value


def is_pointwise(over: Operation | Iteration) -> bool:
    """Return whether an op reads dense arrays at each point itself, in the order of their memory.

    It gives an array with one element per point, or a scalar.
    """
    op = as_iteration(over)
    if op is None or op.kind == "scatter" or op.offsets or not op.extents:
        return False
    if op.kind == "fold" and op.parallel:
        return False
    if not _is_dense_or_scalar(op.result):
        return False
    return all(_is_dense_or_scalar(value) for value in op.inputs) and all(
        _picks_in_order(map.data) for map in op.indexing_maps
    )


def is_scanned_along(op: Operation | Iteration) -> TypeGuard[ScanOp]:
    """Return whether `op` scans a vector of a kernel, as a loop over its points can."""
    return isinstance(op, ScanOp) and len(op.extents) == 1


def run_in_one_loop(ops: Sequence[Operation | Iteration]) -> bool:
    """Return whether the ops can take turns at each point of one iteration space.

    The arrays that they make are read by later ones at the point itself, if at all; a fold is
    not read at all, since it is known only at the end. What is made of a scan is not scanned:
    threads share a scan once they know what their parts of it add. All scans go one way, and a fold
    by a monoid of the program's own with them only if that is the way of the indices.
    """
    loops: list[ScanOp | Iteration] = []
    for op in ops:
        loop = op if isinstance(op, ScanOp) else as_iteration(op)
        if loop is None or not (is_pointwise(op) or is_scanned_along(op)):
            return False
        loops.append(loop)
    ways = {op.reverse is not None for op in loops if isinstance(op, ScanOp)}
    own = any(isinstance(op, Iteration) and is_user_defined(op.monoid) for op in loops)
    if len(ways) > 1 or (own and True in ways):
        return False
    made: set[SSAValue] = set()
    scanned: set[SSAValue] = set()
    first = loops[0]
    for op in loops:
        if isinstance(op, ScanOp) and op.array in scanned:
            return False
        if isinstance(op, ScanOp) or any(value in scanned for value in op.inputs):
            scanned.add(op.result)
        if len(op.extents) != len(first.extents) or not all(
            same_value(a, b) for a, b in zip(op.extents, first.extents, strict=True)
        ):
            return False
        if isinstance(op, ScanOp):
            made.add(op.result)
            continue
        if any(operand in made for inner in op.body.walk() for operand in inner.operands):
            return False
        if not all(
            value not in made or map.data == AffineMap.identity(len(op.extents))
            for value, map in zip(op.inputs, op.indexing_maps, strict=True)
        ):
            return False
        made.add(op.result)
    return True


def scatter_together(ops: Sequence[Iteration]) -> bool:
    """Return whether the ops scatter what they compute at the same points, each to its own array.

    They read each point itself, and nothing of what another makes.
    """
    first = ops[0]
    made = {op.result for op in ops}
    return all(
        op.kind == "scatter"
        and len(op.extents) == len(first.extents)
        and all(map(same_value, op.extents, first.extents))
        and list(op.offsets) == list(first.offsets)
        and all(_is_dense_or_scalar(value) and value not in made for value in op.inputs)
        and all(picked_dimensions(map.data) is not None for map in op.indexing_maps)
        and not any(operand in made for inner in op.body.walk() for operand in inner.operands)
        for op in ops
    )


def _is_dense_or_scalar(value: SSAValue) -> bool:
    array = as_array(value.type)
    return array is None or isinstance(array.encoding, NoneAttr)


def _picks_in_order(map: AffineMap) -> bool:
    picked = picked_dimensions(map)
    return picked is not None and all(a < b for a, b in pairwise(picked))

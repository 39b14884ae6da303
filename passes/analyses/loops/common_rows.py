"""Which ops over iteration spaces can take turns at strips of the rows that they have in common.

%d = reduce min   d0 < %n | d1 < %k   %x[d0], %c[d1]        for a strip of d0:
%e = map          d0 < %n             %d[d0]           =>     %d there;  %e there;
%s = scatter add  d0 < %n             %e[d0]                  %s of what is there

What one op makes of a strip, later ones read while it is at hand, at the rows themselves; but what
is folded over all rows, or scattered, is known only at the end. The first dimension of each is that
of the rows, but for folds over the rows:

%p = reduce add   d0 < %n | d1 < %m   %X[d0, d1], %w[d1]      the rows of %X, a strip at a time,
%g = reduce add   d0 < %m | d1 < %n   %X[d1, d0], %p[d1]      come from memory once for both
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.encodings import as_array, is_sparse
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.multiloop import LoopOp
from diablo.passes.analyses.loops.iterations import Iteration, as_iteration
from diablo.passes.analyses.loops.products import is_blas_product
from diablo.passes.analyses.values.affine_values import known_index, same_value

MOST_OF_A_TABLE = 4
"""How many rows there are at least for an element of a table that each thread has of its own."""


def goes_by_rows(over: Operation | Iteration) -> bool:
    """Return whether an op can be done for a strip of rows at a time.

    It reads dense arrays at its dimensions themselves, or at numbers, and no library does it
    better, unless what takes time is to read a matrix.
    """
    op = as_iteration(over)
    if op is None or not op.extents or (op.offsets and op.kind != "scatter"):
        return False
    if any(is_sparse(value.type) for value in (*op.inputs, op.result)):
        return False
    if any(_picked(map.data) is None for map in op.indexing_maps):
        return False
    if op.kind == "fold":
        return len(op.extents) == 2 or not _is_left_to_library(op)
    return op.kind != "scatter" or _is_worth_tables(op)


def _picked(map: AffineMap) -> list[int | None] | None:
    """The dimensions at which an array is read, None for a number; None if there is more to it."""
    found = [r.position if isinstance(r, AffineDimExpr) else None for r in map.results]
    simple = all(isinstance(r, AffineDimExpr | AffineConstantExpr) for r in map.results)
    return found if simple else None


def _is_left_to_library(op: Iteration) -> bool:
    """Return whether BLAS does it better: not what a loop folds beside other things."""
    shares_loop = isinstance(op.origin, LoopOp) and len(op.origin.made) > 1
    return is_blas_product(op) and not shares_loop


def _is_worth_tables(op: Iteration) -> bool:
    """Return whether each thread can have a table of its own, for all that is known."""
    sizes = [known_index(size) for size in op.into]
    points = [known_index(extent) for extent in op.extents]
    if None in sizes or None in points:
        return True
    return prod(n or 0 for n in sizes) * MOST_OF_A_TABLE <= prod(n or 0 for n in points)


def is_nested(over: Operation | Iteration) -> bool:
    """Return whether an op folds for each row, or scatters rows."""
    op = as_iteration(over)
    if op is None or op.kind == "map":
        return False
    return op.kind == "scatter" or 0 < op.parallel < len(op.extents)


def row_dimensions(ops: Sequence[Operation | Iteration]) -> list[int] | None:
    """Return the dimension of each op that is that of the rows, None if these are not the same.

    Folds over all rows are among them only where they read the rows of a matrix that another op
    makes, and what a library does of one op alone also where another op reads that matrix.
    """
    made: dict[SSAValue, bool] = {}
    found: list[int] = []
    reads: list[list[_Rows]] = []
    over_rows = [op for over in ops if (op := as_iteration(over)) and goes_by_rows(op)]
    if len(over_rows) < len(ops):
        return None
    first = over_rows[0]
    for op in over_rows:
        if any(operand in made for inner in op.body.walk() for operand in inner.operands):
            return None
        rows = next((d for d in _folded_or_first(op) if _are_rows(op, d, first, made)), None)
        if rows is None:
            return None
        found.append(rows)
        reads.append(_matrices(op, rows))
        made[op.result] = as_array(op.result.type) is not None and not adds_rows_up(op, rows)
    for op, rows, own in zip(over_rows, found, reads, strict=True):
        is_product = _is_left_to_library(op)
        if not is_product and rows == 0:
            continue
        others = [read for other in reads if other is not own for read in other]
        if not any(m.value in made or (is_product and m.is_among(others)) for m in own):
            return None
    return found


def adds_rows_up(op: Iteration, rows: int) -> bool:
    """Return whether `op`, of which dimension `rows` is that of the rows, makes an array of all."""
    return op.kind == "scatter" or (op.kind == "fold" and 0 < op.parallel <= rows)


def _folded_or_first(op: Iteration) -> Sequence[int]:
    """Return the dimensions that may be that of the rows.

    Folds over the rows make a vector, which stays in the nearest cache: a matrix would come from
    memory for each strip.
    """
    if op.kind != "fold" or is_user_defined(op.monoid):
        return [0]
    makes_vector = len(op.extents) == 2 and op.parallel == 1
    return [0, 1] if makes_vector else [0]


def _are_rows(op: Iteration, rows: int, first: Iteration, made: Mapping[SSAValue, bool]) -> bool:
    """Return whether a dimension is as long as the rows of the first op, and what is made fits."""
    if not same_value(op.extents[rows], first.extents[0]) or (op is first and rows):
        return False
    for value, map in zip(op.inputs, op.indexing_maps, strict=True):
        picked = _picked(map.data) or []
        at_rows = picked[:1] == [rows] and rows not in picked[1:]
        if value in made and not (made[value] and at_rows):
            return False
    return True


class _Rows(NamedTuple):
    """A matrix of which the rows are read, and how much of its dimensions."""

    value: SSAValue
    extents: Sequence[SSAValue]

    def is_among(self, others: Sequence[_Rows]) -> bool:
        """Return whether one of others is the same part of the same matrix."""
        return any(
            self.value is other.value and all(map(same_value, self.extents, other.extents))
            for other in others
        )


def _matrices(op: Iteration, rows: int) -> list[_Rows]:
    """Return the matrices of which `op` reads the rows."""
    picks = [picked_dimensions(map.data) or [] for map in op.indexing_maps]
    return [
        _Rows(value, [op.extents[d] for d in picked])
        for value, picked in zip(op.inputs, picks, strict=True)
        if len(picked) > 1 and picked[0] == rows
    ]

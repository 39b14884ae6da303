"""Reductions over the stored elements of sparse tiles, and over nothing else.

    tensor_block.reduce min parallel(d0 < %n) reduced(d1 < %m) ins(%S[d0, d1], %x[d1])
        { %a != 0 ? %a + %b : inf }

becomes

    points = sparse_points.union((n, m), (S, (0, 1)))
    a = points.read(S, (0, 1))
    value = np.where(a != 0.0, a + points.read(x, (1,)), np.inf)
    result = scatter.reduce_by_index("min", (points.index(0),), value, …)
"""

from __future__ import annotations

from diablo.dialects.tensor_block import ReduceOp
from diablo.lowering.kernel_types import element_type
from diablo.lowering.numpy.expressions import Expression, dtype_of, tuple_text
from diablo.lowering.numpy.iteration_space import Space
from diablo.lowering.numpy.numpy_branches import spread
from diablo.lowering.numpy.numpy_reductions import fold_text, identity_text, monoid_of
from diablo.lowering.numpy.sparse_maps import bind_points, points_of
from diablo.lowering.python_text import string_literal
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.sparsity.driving_regions import choose_drive, is_over_stored_points


def emit_sparse_reduction(space: Space) -> bool:
    """Write the fold of `space` over stored elements; False if it goes through other points too."""
    op = space.op
    if not isinstance(op, ReduceOp):
        return False
    try:
        drive = choose_drive(op)
    except Refused:
        return False
    if not is_over_stored_points(op, drive):
        return False
    # Where one of several inputs is enough, the others have zeros at its points, or elements.
    covering = list(drive.inputs) if drive.kind == "union" else list(drive.inputs[:1])
    points, names = points_of(space, covering)
    bind_points(space, points, names, covering, op.body.block)
    _fold(space, points)
    return True


def _fold(space: Space, points: str) -> None:
    scope, op = space.scope, space.op
    monoid, element = monoid_of(op), element_type(op.result.type)
    with scope.evaluated_at(1, f"len({points})", f"len({points}) > 0"):
        (value,) = scope.body(op.body.block)
        values = spread(scope.points, value, element)
    neutral = identity_text(monoid, op.result.type)
    if space.parallel:
        arguments = [
            string_literal(monoid),
            tuple_text([f"{points}.index({d})" for d in range(space.parallel)]),
            values,
            f"(len({points}),)",
            tuple_text(space.extents[: space.parallel]),
            dtype_of(element),
            neutral,
        ]
        text = f"scatter.reduce_by_index({', '.join(arguments)})"
    else:
        text = fold_text(monoid, [values], op.result.type)
    scope.hold(op.result, Expression(text), "result")

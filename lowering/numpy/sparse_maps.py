"""Maps with a sparse result, computed where their sparse inputs store elements.

    tensor_block.map parallel(d0 < %n, d1 < %m) ins(%S[d0, d1], %T[d1, d0]) … { a - b }

becomes

    points = sparse_points.union((n, m), (S, (0, 1)), (T, (1, 0)))
    a = points.read(S, (0, 1))
    b = points.read(T, (1, 0))
    result = points.tile(a - b, 1)
"""

from __future__ import annotations

from collections.abc import Sequence

from diablo.dialects.tensor_block import MapOp, dense_rank
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.numpy.branches import spread
from diablo.lowering.numpy.expressions import Expression, Level, tuple_text
from diablo.lowering.numpy.iteration_space import Space
from diablo.passes.analyses.stored_points import stored_points


def emit_sparse_map(space: Space) -> bool:
    """Write the map of `space` over stored elements; False if it has to go through all points."""
    op, scope = space.op, space.scope
    if not isinstance(op, MapOp):
        return False
    covering = stored_points(op)
    if not covering:
        return False
    points, names = points_of(space, covering)
    bind_points(space, points, names)
    with scope.evaluated_at(1, f"len({points})", f"len({points}) > 0"):
        (value,) = scope.body(op.body.block)
        type = op.result.type
        assert is_tensor(type)
        values = spread(scope.points, value, type.get_element_type())
    text = f"{points}.tile({values}, {dense_rank(type)})"
    scope.values[op.result] = scope.assign(Expression(text), op.result.name_hint or "result")
    return True


def points_of(space: Space, covering: Sequence[int]) -> tuple[str, list[str]]:
    """Name the points that these inputs store, and the inputs."""
    scope = space.scope
    names = [
        scope.assign(scope.values[value], value.name_hint or "tile").text for value in space.inputs
    ]
    tiles = [f"({names[number]}, {_axes(space, number)})" for number in covering]
    call = f"sparse_points.union({', '.join([tuple_text(space.extents), *tiles])})"
    return scope.assign(Expression(call), "points").text, names


def bind_points(space: Space, points: str, names: Sequence[str]) -> None:
    """Give the body's arguments their values at the points."""
    scope, block = space.scope, space.op.body.block
    for d, argument in enumerate(block.args[: space.rank]):
        if not argument.uses:
            continue
        text, level = f"{points}.index({d})", Level.ATOM
        if space.offsets and space.offsets[d] != "0":
            text, level = f"{space.offsets[d]} + {text}", Level.SUM
        scope.bind(argument, Expression(text, level, frozenset([0])))
    for number, argument in enumerate(block.args[space.rank :]):
        if argument.uses:
            read = f"{points}.read({names[number]}, {_axes(space, number)})"
            scope.bind(argument, Expression(read, axes=frozenset([0])))


def _axes(space: Space, number: int) -> str:
    """The dimensions that the axes of an input run over."""
    dimensions = space.dimensions[number]
    return tuple_text([str(d) for d in dimensions]) if dimensions else "()"

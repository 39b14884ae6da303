"""Maps that are computed where sparse inputs store elements.

    tensor_block.map parallel(d0 < %n, d1 < %m) ins(%S[d0, d1], %T[d1, d0]) … { a - b }

becomes, if the result is sparse,

    points = sparse_points.union((n, m), (S, (0, 1)), (T, (1, 0)))
    a = points.read(S, (0, 1))
    b = points.read(T, (1, 0))
    result = points.tile(a - b, 1)

and a dense result that is that of an input U beside them ends in `points.update(U, …)`, one that
is zero there in `points.fill(…)`. Where one array is enough to go through, the body needs no test
whether it stores an element.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block

from diablo.dialects.access_maps import LinearIndex
from diablo.dialects.tensor_block import MapOp, dense_rank, is_sparse
from diablo.lowering.kernel_types import element_type
from diablo.lowering.numpy.expressions import Expression, Level, dtype_of, tuple_text
from diablo.lowering.numpy.iteration_space import Space
from diablo.lowering.numpy.numpy_branches import spread
from diablo.lowering.numpy.numpy_stored_bodies import body_where_stored
from diablo.lowering.numpy.numpy_windows import access_view, period_text, sum_text, symbol_texts
from diablo.passes.analyses.sparsity.stored_points import gives_nothing, stored_points
from diablo.passes.analyses.sparsity.stored_updates import stored_update


def emit_sparse_map(space: Space) -> bool:
    """Write the map of `space` over stored elements; False if it has to go through all points."""
    op, scope = space.op, space.scope
    if not isinstance(op, MapOp):
        return False
    update = None if is_sparse(op.result.type) else stored_update(op)
    covering = stored_points(op) if update is None else update.covering
    if not covering:
        return False
    if update is None and gives_nothing(op):
        _emit_nothing(space, op)
        return True
    points, names = points_of(space, covering)
    block = body_where_stored(op, covering[0]) if len(covering) == 1 else op.body.block
    bind_points(space, points, names, covering, block)
    element = element_type(op.result.type)
    with scope.evaluated_at(1, f"len({points})", f"len({points}) > 0"):
        (value,) = scope.body(block)
        values = spread(scope.points, value, element)
    if update is None:
        call = f"tile({values}, {dense_rank(op.result.type)})"
    elif update.kept is None:
        call = f"fill({values}, {dtype_of(element)})"
    else:
        call = f"update({_part(space, update.kept, names)}, {values})"
    scope.hold(op.result, Expression(f"{points}.{call}"), "result")
    return True


def points_of(space: Space, covering: Sequence[int]) -> tuple[str, list[str]]:
    """Name the points that these inputs store, and the inputs."""
    scope = space.scope
    names = [
        scope.assign(scope.values[value], value.name_hint, "tile").text for value in space.inputs
    ]
    tiles = [f"({names[number]}, {_axes(space, number)})" for number in covering]
    call = f"sparse_points.union({', '.join([tuple_text(space.extents), *tiles])})"
    return scope.assign(Expression(call), None, "points").text, names


def bind_points(
    space: Space, points: str, names: Sequence[str], covering: Sequence[int], block: Block
) -> None:
    """Give a body's arguments their values at the points, which the inputs `covering` store."""
    scope = space.scope
    for d, argument in enumerate(block.args[: space.rank]):
        if not argument.uses:
            continue
        text, level = f"{points}.index({d})", Level.ATOM
        if space.offsets and space.offsets[d] != "0":
            text, level = f"{space.offsets[d]} + {text}", Level.SUM
        scope.bind(argument, Expression(text, level, frozenset([0])))
    for number, argument in enumerate(block.args[space.rank :]):
        if not argument.uses:
            continue
        indices = space.accesses[number]
        if indices is None or number in covering:
            read = f"{points}.read({names[number]}, {_axes(space, number)})"
        else:
            places = _tuple([_place(space, points, index) for index in indices])
            read = f"{points}.at({names[number]}, {places})"
        scope.bind(argument, Expression(read, axes=frozenset([0])))


def _part(space: Space, number: int, names: Sequence[str]) -> str:
    """A dense input at all points of the space."""
    access, name = space.accesses[number], names[number]
    return name if access is None else access_view(space, name, access).text


def _axes(space: Space, number: int) -> str:
    """The dimensions that the axes of an input run over, and where each begins if not at 0."""
    indices = space.accesses[number]
    if indices is None:
        return _tuple([str(d) for d in space.dimensions[number]])
    dimensions = [str(d) for index in indices for d in index.dimensions]
    starts = [sum_text(symbol_texts(space, index), index.constant) for index in indices]
    return f"{_tuple(dimensions)}, {_tuple(starts)}"


def _place(space: Space, points: str, index: LinearIndex) -> str:
    """A linear index at the points."""
    terms = [(factor, f"{points}.index({d})") for d, factor in index.inside.terms.items()]
    text = sum_text([*terms, *symbol_texts(space, index)], index.constant)
    return f"({text}) % {period_text(space, index)}" if index.period else text


def _tuple(parts: Sequence[str]) -> str:
    return tuple_text(parts) if parts else "()"


def _emit_nothing(space: Space, op: MapOp) -> None:
    """Write a map all of whose elements are zeros."""
    type = op.result.type
    arguments = [tuple_text(space.extents), str(dense_rank(type)), dtype_of(element_type(type))]
    text = f"SparseTile.empty({', '.join(arguments)})"
    space.scope.hold(op.result, Expression(text), "result")

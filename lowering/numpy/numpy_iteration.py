"""map and reduce ops as broadcast NumPy expressions.

The body is evaluated once, on arrays: an input becomes a view that lines up with the
iteration space, an index a range, the monoid a reduction along the trailing axes:

    tensor_block.reduce "max" over (n, k), parallel = 1     c = np.max(a[:n, :k] * b[:k], axis=1)

`Space` (iteration_space.py) writes the views; numpy_reductions.py the folds, in chunks if need be.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, SSAValue

from diablo.dialects.monoids import is_user_defined
from diablo.dialects.tensor_block import IterationOps, is_sparse
from diablo.lowering.kernel_types import is_number, is_tensor, type_code
from diablo.lowering.numpy.expressions import Expression, dtype_of, tuple_text
from diablo.lowering.numpy.iteration_space import Space, finish, iteration_space
from diablo.lowering.numpy.numpy_domains import emit_domain
from diablo.lowering.numpy.numpy_reductions import emit_chunked, identity_text, monoid_of, reduction
from diablo.lowering.numpy.numpy_scope import Scope
from diablo.lowering.numpy.numpy_windows import emit_window, is_small_window
from diablo.lowering.numpy.sparse_maps import emit_sparse_map
from diablo.lowering.numpy.sparse_reductions import emit_sparse_reduction


def emit_iteration(scope: Scope, op: IterationOps) -> None:
    """Write an op over an iteration space as NumPy expressions."""
    space = iteration_space(scope, op)
    if emit_sparse_map(space) or emit_sparse_reduction(space):
        return
    names: list[str] = []
    for value in space.inputs:
        name = scope.assign(scope.values[value], value.name_hint, "tile").text
        if is_sparse(value.type):
            name = scope.assign(Expression(f"{name}.toarray()"), f"dense_{name}").text
        names.append(name)
    if space.parallel == space.rank:
        emit_map(space, names)
    elif not is_user_defined(monoid := monoid_of(op)) and is_small_window(space):
        neutral = identity_text(monoid, op.result.type)
        space.finish(Expression(emit_window(space, names, monoid, neutral)))
    elif space.reads_every_point_once():
        folded = reduction(space, space.evaluate(names))
        finish(scope, op.result, Expression(folded), op.result.type)
    else:
        emit_chunked(space, names)


_TURNED = ("windows.", ".T", ".transpose", "einsum")
"""What an expression has in it that may share memory, or lie otherwise than a tile does."""


def emit_map(space: Space, names: Sequence[str]) -> None:
    """Every dimension is one of the result's: the body's value is the result."""
    if emit_domain(space, names):
        return
    result: SSAValue = space.op.result
    value = space.evaluate(names)
    if not is_tensor(result.type):
        finish(space.scope, result, value, result.type)
        return
    if len(value.axes) < space.rank or space.rank == 0:
        shape = tuple_text(space.extents) if space.rank else "()"
        value = Expression(_full(value, shape, result.type.get_element_type()))
    elif any(part in value.text for part in _TURNED):
        value = Expression(f"np.ascontiguousarray({value.text})")
    finish(space.scope, result, value, result.type)


def _full(value: Expression, shape: str, type: Attribute) -> str:
    """An array of its own memory that repeats `value` over `shape`."""
    if is_number(type):
        return f"np.full({shape}, {value.text}, {dtype_of(type)})"
    if value.axes:
        return f"np.broadcast_to({value.text}, {shape}).copy()"
    return f"rows.full({shape}, {value.text}, {type_code(type)})"

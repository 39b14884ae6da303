"""`scatter_reduce` as a call of `diablo.runtime.kernels.scatter`.

    tensor_block.scatter_reduce add … into(%bins) ins(%V[d0])  { yield %v % 10, 1 }

becomes

    h = scatter.reduce_by_index("add", (V % 10,), 1, (n,), (bins,), np.int64, 0)
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from diablo.dialects.monoids import identity
from diablo.dialects.tensor_block import ScatterReduceOp, is_sparse
from diablo.lowering.kernel_types import element_type
from diablo.lowering.numpy.expressions import Expression, constant, dtype_of, tuple_text
from diablo.lowering.numpy.iteration_space import iteration_space
from diablo.lowering.numpy.numpy_reductions import product_text
from diablo.lowering.numpy.numpy_scope import Scope
from diablo.lowering.python_text import string_literal
from diablo.monoid_table import monoid_named


def emit_scatter(scope: Scope, op: Operation) -> None:
    """Write the body on all points, then the call."""
    assert isinstance(op, ScatterReduceOp)
    scope.comment_place(op)
    space = iteration_space(scope, op)
    names: list[str] = []
    for value in op.inputs:
        name = scope.assign(scope.values[value], value.name_hint, "tile").text
        if is_sparse(value.type):
            name = scope.assign(Expression(f"{name}.toarray()"), f"dense_{name}").text
        names.append(name)
    into = [_short(scope, size) for size in op.into]
    element = element_type(op.result.type)
    neutral = str(constant(identity(op.monoid.data, element)))
    dtype = dtype_of(element)

    def reduced() -> str:
        space.bind_arguments(names)
        *indices, value = scope.body(op.body.block)
        arguments = [
            string_literal(op.monoid.data),
            tuple_text([index.text for index in indices]),
            value.text,
            tuple_text(space.shape(0, space.rank)),
            tuple_text(into),
            dtype,
            neutral,
        ]
        return f"scatter.reduce_by_index({', '.join(arguments)})"

    if not space.extents or space.reads_every_point_once():
        scope.hold(op.result, Expression(reduced()), "result")
        return
    # More points than elements: some at a time.
    result = scope.name(op.result.name_hint, "result")
    begin, end = scope.name(None, "begin"), scope.name(None, "end")
    scope.store([result], f"np.full({tuple_text(into)}, {neutral}, {dtype})")
    rest = "".join(f", {product_text(space.extents[1:])}" for _ in space.extents[1:2])
    with scope.loop(f"for {begin}, {end} in arithmetic.chunks({space.extents[0]}{rest}):"):
        space.chunked[0] = (begin, end)
        ufunc = f"np.{monoid_named(op.monoid.data).ufunc}"
        scope.statement(f"{result} = ", f"{ufunc}({result}, {reduced()})")
        space.chunked.clear()
    scope.hold(op.result, Expression(result))


def _short(scope: Scope, value: SSAValue) -> str:
    expression = scope.values[value]
    if not expression.text.isdigit():
        expression = scope.hold(value, expression, "size")
    return expression.text

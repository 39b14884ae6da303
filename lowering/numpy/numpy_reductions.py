"""Folds of the values of an iteration space along its trailing dimensions.

    tensor_block.reduce "max" over (n, k), parallel = 1     np.max(a[:n, :k] * b[:k], axis=1)

An iteration space larger than every input is cut into chunks, so that the memory in use
stays bounded whatever the extents are.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute

from diablo.dialects.monoids import identity, is_user_defined
from diablo.dialects.scalar_types import is_sized
from diablo.dialects.tensor_block import IterationOps, ReduceOp
from diablo.lowering.kernel_types import element_type
from diablo.lowering.numpy.expressions import Expression, constant, dtype_of, tuple_text
from diablo.lowering.numpy.iteration_space import Space, finish
from diablo.lowering.numpy.numpy_monoids import monoid_text
from diablo.monoid_table import monoid_named


def product_text(factors: Sequence[str]) -> str:
    """A Python product of names and literals."""
    return " * ".join(factors) if factors else "1"


def monoid_of(op: IterationOps) -> str:
    """The name of the monoid of a reducing op."""
    assert isinstance(op, ReduceOp)
    return op.monoid.data


def identity_text(monoid: str, type: Attribute) -> str:
    """The neutral element of a monoid, as a literal."""
    if is_user_defined(monoid):
        return f"{monoid_text(monoid)}.zero"
    text = constant(identity(monoid, element_type(type)))
    assert text is not None
    return text


def reduction(space: Space, value: Expression) -> str:
    """The fold of the body's value along the trailing dimensions."""
    monoid = monoid_of(space.op)
    arguments = [space.spread(value)]
    if space.parallel:
        axes = [str(d) for d in range(space.parallel, space.rank)]
        arguments.append(f"axis={axes[0] if len(axes) == 1 else tuple_text(axes)}")
    if is_user_defined(monoid):
        return f"{monoid_text(monoid)}.reduce({', '.join(arguments)})"
    if not space.parallel and space.rank > 1 and not monoid_named(monoid).fold:
        arguments.append("axis=None")  # A ufunc folds one dimension, if it is not told which.
    return fold_text(monoid, arguments, space.op.result.type)


def fold_text(monoid: str, arguments: Sequence[str], type: Attribute) -> str:
    """The call of NumPy that folds an array with a built-in monoid."""
    record = monoid_named(monoid)
    options = [f"initial={identity_text(monoid, type)}"] if record.needs_initial else []
    if is_sized(element_type(type)) and not record.extremum:
        options.append(f"dtype={dtype_of(element_type(type))}")  # NumPy's sums have 64 bits.
    return f"{record.numpy_fold}({', '.join([*arguments, *options])})"


def emit_chunked(space: Space, names: Sequence[str]) -> None:
    """Write loops over chunks of all dimensions but the last, which fill the result."""
    scope, op = space.scope, space.op
    monoid, element = monoid_of(op), element_type(op.result.type)
    join = monoid_text(monoid) if is_user_defined(monoid) else f"np.{monoid_named(monoid).ufunc}"
    neutral = identity_text(monoid, op.result.type)
    dtype = dtype_of(element)
    outer = list(range(max(1, space.rank - 1)))
    accumulates = any(d >= space.parallel for d in outer)
    result = scope.name(op.result.name_hint, "result")
    shape = tuple_text(space.extents[: space.parallel]) if space.parallel else "()"
    if is_user_defined(monoid):
        zeros = f"{join}.zeros({shape})" if space.parallel else neutral
        scope.store([result], zeros)
    elif not space.parallel:
        scope.store([result], f"{dtype}({neutral})")
    else:
        scope.store([result], f"np.full({shape}, {neutral}, {dtype})")

    def loop(d: int) -> None:
        if d < len(outer):
            hint = op.body.block.args[d].name_hint or "ijklmn"[d : d + 1] or "i"
            begin, end = scope.name(f"{hint}_begin"), scope.name(f"{hint}_end")
            rest = [f"({s})" if " " in s else s for s in space.shape(0, d)]
            rest += space.extents[d + 1 :]
            argument = f", {product_text(rest)}" if rest else ""
            header = f"for {begin}, {end} in arithmetic.chunks({space.extents[d]}{argument}):"
            with scope.loop(header):
                space.chunked[d] = (begin, end)
                loop(d + 1)
                del space.chunked[d]
            return
        part = reduction(space, space.evaluate(names))
        target = result
        slices = [
            ":".join(space.chunked[axis]) if axis in space.chunked else ":"
            for axis in range(space.parallel)
        ]
        while slices and slices[-1] == ":":
            slices.pop()
        if space.parallel:
            target = f"{result}[{', '.join(slices) or ':'}]"
        scope.statement(f"{target} = ", f"{join}({target}, {part})" if accumulates else part)

    loop(0)
    finish(scope, op.result, Expression(result), op.result.type)

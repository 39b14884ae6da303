"""Contractions that a library does best: BLAS products and sparse products.

    tensor_block.reduce "add" (d0, d2), (d2, d1), body a * b     c = a[:n, :k] @ b[:k, :m]

    map r - 2.0 * p, of such a product       c = matrix_products.added(a, b, r, -2.0, 1.0)

Dense operands become views (a transpose is `.T`), sparse ones SciPy matrices whose rows and
columns are the kept and the summed dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.dialects.access_maps import picked_dimensions, picks_dimensions
from diablo.dialects.encodings import array_type
from diablo.dialects.scalar_types import scalar_of
from diablo.dialects.tensor_block import MapOp, ReduceOp, YieldOp, dense_rank, is_sparse
from diablo.lowering.kernel_types import element_type, is_tensor
from diablo.lowering.numpy.expressions import Expression, Level, dtype_of, infix, tuple_text
from diablo.lowering.numpy.iteration_space import (
    Space,
    finish,
    is_extent_of,
    iteration_space,
)
from diablo.lowering.numpy.numpy_reductions import product_text
from diablo.lowering.numpy.numpy_scope import Scope
from diablo.passes.analyses.loops.added_products import (
    Coefficient,
    added_product,
    is_added_product,
)
from diablo.passes.analyses.loops.products import is_masked_product, is_product
from diablo.passes.analyses.loops.windowed_products import Limit, WindowProduct, window_product


def is_quiet(op: Operation) -> bool:
    """Whether `op` is a product of which NumPy never warns: of a vector, but with no dense matrix.

    SciPy and machine code do these, and they do not look at the processor's flags.
    """
    if not isinstance(op, ReduceOp) or not is_product(op):
        return False
    picks = [picked_dimensions(map.data) for map in op.indexing_maps]
    distinct = all(dims is not None and len(set(dims)) == len(dims) for dims in picks)
    left, right = op.inputs
    if is_sparse(left.type):
        left, right = right, left
    vector = not is_sparse(left.type) and len(picks[list(op.inputs).index(left)] or ()) == 1
    other = is_sparse(right.type) or len(picks[list(op.inputs).index(right)] or ()) == 1
    kept = set(range(op.parallel.value.data))
    shared = set(picks[0] or ()) & set(picks[1] or ())
    return distinct and vector and other and bool(shared) and not shared & kept


@dataclass(frozen=True)
class Operand:
    """One input of a product: which iteration dimensions its axes run over."""

    value: SSAValue
    name: str
    dimensions: Sequence[int]

    @property
    def sparse(self) -> bool:
        """Whether it is a sparse tile."""
        return is_sparse(self.value.type)


def emit_product(scope: Scope, op: ReduceOp) -> bool:
    """Write `op` as a library call; False if no call does it and nothing was written."""
    if is_masked_product(op):
        _masked_product(scope, op)
        return True
    if is_added_product(op):
        # It is made where it is added.
        scope.variables.inline(op.result, scope.variables.read_by(op.operands))
        return True
    if (windows := window_product(op)) is not None:
        _window_product(scope, op, windows)
        return True
    if not is_product(op) or not all(picks_dimensions(map.data) for map in op.indexing_maps):
        return False
    space = iteration_space(scope, op)
    left, right = (
        Operand(value, scope.assign(scope.values[value], value.name_hint, "tile").text, dims)
        for value, dims in zip(op.inputs, space.dimensions, strict=True)
    )
    kept = range(space.parallel)
    summed = range(space.parallel, space.rank)
    if not all(len(set(x.dimensions)) == len(x.dimensions) for x in (left, right)):
        return False
    batch = [d for d in kept if d in left.dimensions and d in right.dimensions]
    # The operand that the first of the result's dimensions comes from goes first.
    if kept and kept[0] not in left.dimensions:
        left, right = right, left
    if left.sparse or right.sparse:
        if batch or not kept or not _is_in_scipy(element_type(op.result.type)):
            return False
        _sparse_product(space, left, right)
        return True
    if batch or max(len(left.dimensions), len(right.dimensions)) > 2 or len(summed) > 1:
        text = _general_product(space, left, right, bool(batch))
    else:
        text = _matrix_product(space, left, right)
    finish(scope, op.result, Expression(text), op.result.type)
    return True


def emit_added_product(scope: Scope, op: MapOp) -> bool:
    """Write a map that adds a product to an array as one call; False if it does something else."""
    added = added_product(op)
    if added is None:
        return False
    product = iteration_space(scope, added.product)
    left, right = (
        Operand(value, scope.assign(scope.values[value], value.name_hint, "tile").text, dims)
        for value, dims in zip(added.product.inputs, product.dimensions, strict=True)
    )
    if 0 not in left.dimensions:
        left, right = right, left
    arguments = [
        *_factors(product, left, right),
        scope.text(added.other),
        _coefficient_text(scope, added.alpha),
        _coefficient_text(scope, added.beta),
    ]
    made = f"matrix_products.added({', '.join(arguments)})"
    finish(scope, op.result, Expression(made), op.result.type)
    return True


def _coefficient_text(scope: Scope, coefficient: Coefficient) -> str:
    if coefficient.factor is None:
        return str(coefficient.number)
    factor = scope.values[coefficient.factor].at(Level.ATOM)
    return f"-{factor}" if coefficient.number < 0.0 else factor


def _masked_product(scope: Scope, op: ReduceOp) -> None:
    """A product of sparse matrices where a third one has entries."""
    space = iteration_space(scope, op)
    operands = [
        Operand(value, scope.assign(scope.values[value], value.name_hint, "tile").text, dims)
        for value, dims in zip(op.inputs, space.dimensions, strict=True)
    ]
    stored = dense_rank(array_type(op.result))
    names = ", ".join(operand.name for operand in operands)
    made = f"matrix_products.masked_product({names}, {tuple_text(space.extents)}, {stored})"
    scope.hold(op.result, Expression(made), "result")


def _window_product(scope: Scope, op: ReduceOp, found: WindowProduct) -> None:
    """A sum of products over windows."""
    operands = [op.inputs[found.data], op.inputs[found.weights]]
    names = [scope.assign(scope.values[v], v.name_hint, "tile").text for v in operands]
    axes = [
        f"({{{', '.join(f'{d}: {axis.inside.factor(d)}' for d in axis.dimensions)}}}, "
        f"{axis.outside.constant})"
        for axis in found.axes
    ]
    arguments = [
        *names,
        tuple_text([scope.text(extent) for extent in op.extents]),
        str(op.parallel.value.data),
        tuple_text(axes),
        tuple_text([str(d) for d in found.dimensions]),
    ]
    if found.limits:
        arguments.append(tuple_text([_limit_text(scope, limit) for limit in found.limits]))
    made = f"window_products.product({', '.join(arguments)})"
    finish(scope, op.result, Expression(made), op.result.type)


def _limit_text(scope: Scope, limit: Limit) -> str:
    end = str(limit.shift)
    if limit.value is not None:
        end = (
            infix(scope.values[limit.value].at(Level.SUM), "+", end)
            if limit.shift
            else (scope.text(limit.value))
        )
    return f"({limit.axis}, {end}, None)" if limit.lower else f"({limit.axis}, None, {end})"


def _is_in_scipy(type: Attribute) -> bool:
    row = scalar_of(type)
    return row is not None and row.in_scipy


def _cropped(space: Space, operand: Operand) -> str:
    slices = [
        ":" if is_extent_of(space.op.extents[d], operand.value, axis) else f":{space.extents[d]}"
        for axis, d in enumerate(operand.dimensions)
    ]
    if all(s == ":" for s in slices):
        return operand.name
    return f"{operand.name}[{', '.join(slices)}]"


def _matrix_product(space: Space, left: Operand, right: Operand) -> str:
    """Two operands of rank one or two that share one dimension: a dot product, or a matrix's."""
    if len(left.dimensions) == len(right.dimensions) == 1:
        return f"dot_products.dot({_cropped(space, left)}, {_cropped(space, right)})"
    first, second = _factors(space, left, right)
    are_matrices = len(left.dimensions) == len(right.dimensions) == 2
    name = "lone_product" if are_matrices and _is_alone(space.op) else "product"
    return f"matrix_products.{name}({first}, {second})"


def _factors(space: Space, left: Operand, right: Operand) -> tuple[str, str]:
    """Two operands as the sides of `@`, which share the dimension that is summed over."""
    shared = space.parallel
    first, second = _cropped(space, left), _cropped(space, right)
    first += ".T" * (left.dimensions[-1] != shared)
    second += ".T" * (right.dimensions[0] != shared)
    return first, second


def _is_alone(op: Operation) -> bool:
    """Return whether a program does nothing with arrays but `op`, and that once."""
    kernel = op.parent_op()
    module = None if kernel is None else kernel.parent_op()
    if not isinstance(kernel, func.FuncOp) or not isinstance(module, ModuleOp):
        return False
    others = [other for other in module.ops if other is not kernel]
    (main, *more) = others or [None]
    if more or not isinstance(main, func.FuncOp):
        return False
    computing = [each for each in kernel.walk() if each.name.startswith("tensor_block.")]
    calls = [each for each in main.walk() if isinstance(each, func.CallOp)]
    return (
        all(each is op or isinstance(each, YieldOp) for each in computing)
        and len(calls) == 1
        and calls[0].parent_op() is main
    )


def _general_product(space: Space, left: Operand, right: Operand, batch: bool) -> str:
    """Operands of any rank: `tensordot`, or `einsum` if both keep a common dimension.

    Where all elements are multiplied with those at equal places it is a dot product.
    """
    first, second = _cropped(space, left), _cropped(space, right)
    if not space.parallel and list(left.dimensions) == list(right.dimensions):
        return f"dot_products.dot({first}, {second})"
    if batch:
        spec = [
            "".join(chr(ord("a") + d) for d in dims)
            for dims in (left.dimensions, right.dimensions, range(space.parallel))
        ]
        return f'np.einsum("{spec[0]},{spec[1]}->{spec[2]}", {first}, {second})'
    axes = [
        [x.dimensions.index(d) for d in range(space.parallel, space.rank)] for x in (left, right)
    ]
    text = f"np.tensordot({first}, {second}, axes=({axes[0]}, {axes[1]}))"
    order = [d for x in (left, right) for d in x.dimensions if d < space.parallel]
    if not order:
        return f"{text}[()]"
    if order == sorted(order):
        return text
    turn = ", ".join(str(order.index(d)) for d in range(space.parallel))
    return f"np.ascontiguousarray({text}.transpose({turn}))"


def _sparse_product(space: Space, left: Operand, right: Operand) -> None:
    """A product with SciPy matrices; kept and summed dimensions are numbered row-major."""
    scope, result = space.scope, space.op.result
    summed = list(range(space.parallel, space.rank))
    keep = [[d for d in x.dimensions if d < space.parallel] for x in (left, right)]
    order = [*keep[0], *keep[1]]
    turned = order != sorted(order)
    type: Attribute = result.type
    stored_sparse = left.sparse and right.sparse
    stays_sparse = stored_sparse and is_sparse(type) and not turned and len(keep[0]) > 0
    second = _as_matrix(space, right, summed, keep[1])
    if left.sparse and _is_vector(right):
        # Where a tile may be used again and again.
        product = f"sparse_products.product({_matrix_of(space, left, keep[0], summed)}, {second})"
    elif _is_vector(right):
        product = f"{_as_matrix(space, left, keep[0], summed)} @ {second}"
    else:
        first = _as_matrix(space, left, keep[0], summed)
        dense = "dense_" if stored_sparse and not stays_sparse else ""
        product = f"matrix_products.{dense}product({first}, {second})"
    shape = [space.extents[d] for d in order]
    if not is_tensor(type):
        if stored_sparse:
            product = f"{product}[0, 0]"
        elif "reshape" in second or len(right.dimensions) > 1 or right.sparse:
            product = f"({product}).item()"
        else:
            product = f"({product})[0]"
        scope.hold(result, Expression(f"{dtype_of(type)}({product})"), "result")
        return
    flat = len(keep[0]) == 1 and len(keep[1]) == (0 if _is_vector(right) else 1)
    if stays_sparse:
        rows = len(keep[0])
        name = scope.assign(Expression(product), None, "product").text
        product = f"SparseTile.from_csr({name}.tocsr(), {tuple_text(shape)}, {rows})"
        if dense_rank(type) != rows:
            product += f".with_dense_rank({dense_rank(type)})"
        scope.hold(result, Expression(product), "result")
        return
    text = product
    if not flat:
        text = f"({text}).reshape({tuple_text(shape)})"
    if turned:
        text = f"({text}).transpose({', '.join(str(order.index(d)) for d in sorted(order))})"
    if turned or (right.sparse and not stored_sparse):
        text = f"np.ascontiguousarray({text})"
    finish(scope, result, Expression(text), type)


def _is_vector(operand: Operand) -> bool:
    return not operand.sparse and len(operand.dimensions) == 1


def _matrix_of(space: Space, operand: Operand, rows: list[int], columns: list[int]) -> str:
    """The arguments that say which matrix a sparse operand is."""
    extents = tuple_text([space.extents[d] for d in operand.dimensions])
    picked = [
        tuple_text([str(operand.dimensions.index(d)) for d in dims]) if dims else "()"
        for dims in (rows, columns)
    ]
    return f"{operand.name}, {picked[0]}, {picked[1]}, {extents}"


def _as_matrix(space: Space, operand: Operand, rows: list[int], columns: list[int]) -> str:
    """The text of `operand` as a matrix; a dense vector on the right stays a vector."""
    axes = [[operand.dimensions.index(d) for d in dims] for dims in (rows, columns)]
    if operand.sparse:
        return f"arithmetic.matrix({_matrix_of(space, operand, rows, columns)})"
    text = _cropped(space, operand)
    order = [*axes[0], *axes[1]]
    if order != sorted(order):
        text += ".T" if len(order) == 2 else f".transpose({', '.join(map(str, order))})"
    if len(rows) == len(columns) == 1 or (_is_vector(operand) and len(rows) == 1):
        return text
    height = product_text([space.extents[d] for d in rows])
    width = product_text([space.extents[d] for d in columns])
    return f"{text}.reshape({height}, {width})"

"""Imports whole-array operators as comprehensions: `A + B`, `2 * A`, `exp(A)`, `A @ B`, `A.t`.

A + B   ->   comprehension.build (rows of A, columns of A) {
               %i, %j, %a = comprehension.each %A full
               %k, %l, %b = comprehension.each %B full
               guards k == i, l == j;  yield (%i, %j) %a + %b
             }
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.dialects.comprehension import (
    AggregateOp,
    BuildOp,
    EachOp,
    GroupByOp,
    GuardOp,
    ReduceOp,
    YieldOp,
)
from diablo.dialects.encodings import StorageAttr, TilesAttr, array_type, dense_rank, is_tiled
from diablo.dialects.functions.function_values import keeps_zero
from diablo.frontend.checking.constants import constant_of, operator_value
from diablo.frontend.checking.types import ArrayType, Type, promote
from diablo.frontend.emission.branches import negated, once
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emit_monoids import join
from diablo.frontend.emission.emit_scalars import (
    COMPARISONS,
    apply,
    combine_scalars,
    compare,
    emit_as,
    negate,
)
from diablo.frontend.emission.emit_values import emit_collection
from diablo.frontend.emission.ir_types import Value, ir_type, tensor_type
from diablo.frontend.parsing import syntax

_LOGICAL = {"&&": arith.AndIOp, "||": arith.OrIOp}


Cell = Callable[[list[SSAValue]], SSAValue]


def emit_array_operator(build: Builder, expr: syntax.Expr) -> Value:
    """An operator or function that gives an array, or a product of vectors."""
    match expr:
        case syntax.Binary(op="@"):
            return once(build, lambda: _emit_product(build, expr))
        case syntax.Binary():
            return once(build, lambda: _emit_cellwise_operator(build, expr))
        case syntax.Unary():
            return once(build, lambda: _emit_cellwise_unary(build, expr))
        case syntax.Field():
            return once(build, lambda: _emit_transpose(build, expr))
        case syntax.Call():
            return once(build, lambda: _emit_cellwise_call(build, expr))
        case _:
            raise AssertionError(f"{expr} is no operator on arrays")


def cellwise(
    build: Builder,
    operands: Sequence[SSAValue],
    element: Attribute,
    dense: int,
    cell: Cell,
    full: bool = True,
) -> SSAValue:
    """An array whose cells are computed from the cells of arrays and from scalars.

    `dense` says how many of the result's dimensions are stored densely, `full` whether
    cells are computed that a sparse array does not store.
    """
    arrays = [o for o in operands if isinstance(o.type, TensorType)]
    first = arrays[0]
    rank = _rank(first)
    dims = [build.dimension(first, d) for d in range(rank)]
    for other in arrays[1:]:
        _require_equal(
            build,
            [(dims[d], build.dimension(other, d)) for d in range(rank)],
            "the arrays have different shapes",
        )
    block = Block()
    with build.comprehension(block):
        keys: Sequence[SSAValue] = ()
        values: list[SSAValue] = []
        for operand in operands:
            if not isinstance(operand.type, TensorType):
                values.append(operand)
                continue
            *indices, value = build.add(EachOp(operand, full=full)).elements
            values.append(value)
            _guard_equal(build, indices, keys)
            keys = keys or indices
        build.add(YieldOp(keys, [cell(values)]))
    tiled = any(is_tiled(array.type) for array in arrays)
    result = tensor_type(element, rank, _encoding(tiled, dense, rank))
    return build.add(BuildOp(dims, Region(block), result)).result


def _require_equal(
    build: Builder, pairs: Sequence[tuple[SSAValue, SSAValue]], message: str
) -> None:
    """The program fails with `message` while it runs, unless each pair is equal."""
    if build.in_rows:
        return  # Inside a loop or comprehension, cells that have no partner drop out.
    condition: SSAValue | None = None
    for left, right in pairs:
        test = build.add(arith.CmpiOp(left, right, "eq")).result
        condition = test if condition is None else build.add(arith.AndIOp(condition, test)).result
    if condition is not None:
        build.add(cf.AssertOp(condition, message))


def _guard_equal(build: Builder, indices: Sequence[SSAValue], keys: Sequence[SSAValue]) -> None:
    for index, key in zip(indices, keys, strict=False):
        build.add(GuardOp(build.add(arith.CmpiOp(index, key, "eq")).result))


def _emit_cellwise_operator(build: Builder, expr: syntax.Binary) -> SSAValue:
    result = _element(build.type_of(expr))
    sides = [_element(build.type_of(e)) for e in (expr.lhs, expr.rhs)]
    operand_type = promote(*sides) or result
    if expr.op not in COMPARISONS:
        operand_type = result
    operands = [_emit_cells(build, e, operand_type) for e in (expr.lhs, expr.rhs)]
    dense = _stored_densely(expr.op, operands)
    arrays = [o for o in operands if isinstance(o.type, TensorType)]
    # A sparse array divided by a number, be it zero, is divided where it stores elements.
    by_zero = _is_zero(expr.op, [(0.0,), (0.0,)])
    full = len(arrays) == 2 or by_zero or dense == _rank(arrays[0])

    def cell(values: list[SSAValue]) -> SSAValue:
        lhs, rhs = (build.as_scalar(v, operand_type) for v in values)
        if expr.op in COMPARISONS:
            return compare(build, expr.op, lhs, rhs, operand_type)
        if expr.op in _LOGICAL:
            return build.add(_LOGICAL[expr.op](lhs, rhs)).result
        return combine_scalars(build, expr.op, lhs, rhs, result)

    return cellwise(build, operands, ir_type(result), dense, cell, full)


def _emit_cells(build: Builder, expr: syntax.Expr, element: Type) -> SSAValue:
    """An operand of a cell-wise operator: an array, or a scalar for every cell."""
    if isinstance(build.type_of(expr), ArrayType):
        return emit_collection(build, expr)
    return emit_as(build, expr, element)


def _emit_cellwise_unary(build: Builder, expr: syntax.Unary) -> SSAValue:
    element = _element(build.type_of(expr))
    operand = emit_collection(build, expr.operand)

    def cell(values: list[SSAValue]) -> SSAValue:
        if expr.op == "!":
            return negated(build, values[0])
        return negate(build, values[0], element)

    dense = _rank(operand) if expr.op == "!" else _dense(operand)
    return cellwise(build, [operand], ir_type(element), dense, cell)


def _emit_cellwise_call(build: Builder, expr: syntax.Call) -> SSAValue:
    result = _element(build.type_of(expr))
    element = build.checked.operands[expr]
    operands = [_emit_cells(build, a, element) for a in expr.arguments]
    arrays = [o for o in operands if isinstance(o.type, TensorType)]
    zeros = [
        0 if isinstance(operand.type, TensorType) else constant_of(argument)
        for operand, argument in zip(operands, expr.arguments, strict=True)
    ]
    sparse = keeps_zero(expr.function, ir_type(element), zeros)
    dense = max(map(_dense, arrays)) if sparse else _rank(arrays[0])

    def cell(values: list[SSAValue]) -> SSAValue:
        return apply(build, expr.function, [build.as_scalar(v, element) for v in values])

    return cellwise(build, operands, ir_type(result), dense, cell)


def accumulate_array(build: Builder, monoid: str, old: SSAValue, new: SSAValue) -> SSAValue:
    """`old` with every cell combined with the cell of `new`, or with the scalar `new`."""

    def cell(values: list[SSAValue]) -> SSAValue:
        return join(build, monoid, *values)

    cells = array_type(old).get_element_type()
    return cellwise(build, [old, new], cells, _rank(old), cell)


def _emit_transpose(build: Builder, expr: syntax.Field) -> SSAValue:
    source = emit_collection(build, expr.base)
    dims = [build.dimension(source, 1), build.dimension(source, 0)]
    block = Block()
    with build.comprehension(block):
        row, column, value = build.add(EachOp(source)).elements
        build.add(YieldOp([column, row], [value]))
    return build.add(BuildOp(dims, Region(block), array_type(source))).result


def _emit_product(build: Builder, expr: syntax.Binary) -> SSAValue:
    type = build.type_of(expr)
    element = _element(type)
    lhs, rhs = emit_collection(build, expr.lhs), emit_collection(build, expr.rhs)
    left = [build.dimension(lhs, 0)] if _rank(lhs) == 2 else []
    right = [build.dimension(rhs, 1)] if _rank(rhs) == 2 else []
    inner = build.dimension(lhs, _rank(lhs) - 1), build.dimension(rhs, 0)
    message = "the columns on the left of `@` are not as many as the rows on its right"
    _require_equal(build, [inner], message)
    block = Block()
    with build.comprehension(block):
        *left_keys, joined, a = build.add(EachOp(lhs)).elements
        key, *right_keys, b = build.add(EachOp(rhs)).elements
        _guard_equal(build, [key], [joined])
        a, b = build.as_scalar(a, element), build.as_scalar(b, element)
        term = combine_scalars(build, "*", a, b, element)
        if not isinstance(type, ArrayType):
            build.add(YieldOp([], [term]))
        else:
            group = build.add(GroupByOp([*left_keys, *right_keys], [term]))
            total = build.add(ReduceOp("add", group.bags[0])).result
            build.add(YieldOp(group.group_keys, [total]))
    if not isinstance(type, ArrayType):
        return build.add(AggregateOp("add", Region(block), ir_type(element))).result
    rank = len(left) + len(right)
    # The elements of a product of two sparse matrices are mostly zero as well.
    dense = max(_dense(lhs), _dense(rhs)) if rank == 2 else rank
    tiled = is_tiled(lhs.type) or is_tiled(rhs.type)
    result = tensor_type(ir_type(element), rank, _encoding(tiled, dense, rank))
    return build.add(BuildOp([*left, *right], Region(block), result)).result


def _element(type: Type) -> Type:
    """The type of an array's cells, or of the scalar that stands for every cell."""
    return type.element if isinstance(type, ArrayType) else type


def _rank(array: SSAValue) -> int:
    return array_type(array).get_num_dims()


def _dense(array: SSAValue) -> int:
    return dense_rank(array_type(array))


def _stored_densely(op: str, operands: Sequence[SSAValue]) -> int:
    """Return how many dimensions of `a op b` to store densely.

    It is as sparse as an array whose zeros alone make it zero, else as both if `0 op 0` is zero.
    """
    arrays = [o for o in operands if isinstance(o.type, TensorType)]
    elements = [_ELEMENTS if operand in arrays else _NUMBERS for operand in operands]
    alone = [
        _dense(operand)
        for k, operand in enumerate(operands)
        if operand in arrays and _is_zero(op, [*elements[:k], (0.0,), *elements[k + 1 :]])
    ]
    if alone:
        return min(alone)
    zeros = [(0.0,) if operand in arrays else _NUMBERS for operand in operands]
    return max(map(_dense, arrays)) if _is_zero(op, zeros) else _rank(arrays[0])


_NUMBERS = (1.0, -2.5)
_ELEMENTS = (0.0, *_NUMBERS)
"""Samples of what a scalar is taken to be, and of the elements of an array."""


def _is_zero(op: str, operands: Sequence[Sequence[float]]) -> bool:
    """Return whether an operator gives zero for all of these values of its operands."""
    return all(operator_value(op, left, right) == 0 for left, right in product(*operands))


def _encoding(tiled: bool, dense: int, rank: int) -> Attribute | None:
    if tiled:
        return TilesAttr(dense)
    return StorageAttr(dense) if dense < rank else None

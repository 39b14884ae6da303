"""Imports whole-array operators as comprehensions: `A + B`, `2 * A`, `exp(A)`, `A @ B`, `A.t`.

A + B   ->   comprehension.build (rows of A, columns of A) {
               %i, %j, %a = comprehension.each %A full
               %k, %l, %b = comprehension.each %B full
               guards k == i, l == j;  yield (%i, %j) %a + %b
             }
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Sequence

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
from diablo.frontend.checking.types import ArrayType, Type, promote
from diablo.frontend.emission.emit_scalars import COMPARISONS
from diablo.frontend.emission.emit_slices import SliceEmitter
from diablo.frontend.emission.ir_types import Value, ir_type, tensor_type
from diablo.frontend.parsing import syntax

_LOGICAL = {"&&": arith.AndIOp, "||": arith.OrIOp}

Cell = Callable[[list[SSAValue]], SSAValue]
"""Computes a cell of the result from the operands' values in that cell."""


class ArrayEmitter(SliceEmitter, ABC):
    """The part of the importer that knows whole-array operators."""

    def emit_array_operator(self, expr: syntax.Expr) -> Value:
        """An operator or function that gives an array, or a product of vectors."""
        match expr:
            case syntax.Binary(op="@"):
                return self.once(lambda: self._emit_product(expr))
            case syntax.Binary():
                return self.once(lambda: self._emit_cellwise_operator(expr))
            case syntax.Unary():
                return self.once(lambda: self._emit_cellwise_unary(expr))
            case syntax.Field():
                return self.once(lambda: self._emit_transpose(expr))
            case syntax.Call():
                return self.once(lambda: self._emit_cellwise_call(expr))
            case _:
                raise AssertionError(f"{expr} is no operator on arrays")

    # --- Cell by cell ----------------------------------------------------------------------

    def cellwise(
        self,
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
        dims = [self.dimension(first, d) for d in range(rank)]
        for other in arrays[1:]:
            self._require_equal(
                [(dims[d], self.dimension(other, d)) for d in range(rank)],
                "the arrays have different shapes",
            )
        block = Block()
        with self.comprehension(block):
            keys: Sequence[SSAValue] = ()
            values: list[SSAValue] = []
            for operand in operands:
                if not isinstance(operand.type, TensorType):
                    values.append(operand)
                    continue
                *indices, value = self.add(EachOp(operand, full=full)).elements
                values.append(value)
                self._guard_equal(indices, keys)
                keys = keys or indices
            self.add(YieldOp(keys, [cell(values)]))
        tiled = any(is_tiled(array.type) for array in arrays)
        result = tensor_type(element, rank, _encoding(tiled, dense, rank))
        return self.add(BuildOp(dims, Region(block), result)).result

    def _require_equal(self, pairs: Sequence[tuple[SSAValue, SSAValue]], message: str) -> None:
        """The program fails with `message` while it runs, unless each pair is equal."""
        if self.in_rows:
            return  # Inside a loop or comprehension, cells that have no partner drop out.
        condition: SSAValue | None = None
        for left, right in pairs:
            test = self.add(arith.CmpiOp(left, right, "eq")).result
            condition = (
                test if condition is None else self.add(arith.AndIOp(condition, test)).result
            )
        if condition is not None:
            self.add(cf.AssertOp(condition, message))

    def _guard_equal(self, indices: Sequence[SSAValue], keys: Sequence[SSAValue]) -> None:
        for index, key in zip(indices, keys, strict=False):
            self.add(GuardOp(self.add(arith.CmpiOp(index, key, "eq")).result))

    def _emit_cellwise_operator(self, expr: syntax.Binary) -> SSAValue:
        result = _element(self.type_of(expr))
        sides = [_element(self.type_of(e)) for e in (expr.lhs, expr.rhs)]
        operand_type = promote(*sides) or result
        if expr.op not in COMPARISONS:
            operand_type = result
        operands = [self._emit_cells(e, operand_type) for e in (expr.lhs, expr.rhs)]
        dense = _stored_densely(expr.op, operands)
        arrays = [o for o in operands if isinstance(o.type, TensorType)]
        # A sparse array divided by a number, be it zero, is divided where it stores elements.
        full = len(arrays) == 2 or expr.op not in ("/", "%") or dense == _rank(arrays[0])

        def cell(values: list[SSAValue]) -> SSAValue:
            lhs, rhs = (self.as_scalar(v, operand_type) for v in values)
            if expr.op in COMPARISONS:
                return self.compare(expr.op, lhs, rhs, operand_type)
            if expr.op in _LOGICAL:
                return self.add(_LOGICAL[expr.op](lhs, rhs)).result
            return self.combine(expr.op, lhs, rhs, result)

        return self.cellwise(operands, ir_type(result), dense, cell, full)

    def _emit_cells(self, expr: syntax.Expr, element: Type) -> SSAValue:
        """An operand of a cell-wise operator: an array, or a scalar for every cell."""
        if isinstance(self.type_of(expr), ArrayType):
            return self.emit_collection(expr)
        return self.emit_as(expr, element)

    def _emit_cellwise_unary(self, expr: syntax.Unary) -> SSAValue:
        element = _element(self.type_of(expr))
        operand = self.emit_collection(expr.operand)

        def cell(values: list[SSAValue]) -> SSAValue:
            if expr.op == "!":
                return self.negated(values[0])
            return self.negate(values[0], element)

        dense = _rank(operand) if expr.op == "!" else _dense(operand)
        return self.cellwise([operand], ir_type(element), dense, cell)

    def _emit_cellwise_call(self, expr: syntax.Call) -> SSAValue:
        element = _element(self.type_of(expr))
        operands = [self._emit_cells(a, element) for a in expr.arguments]
        arrays = [o for o in operands if isinstance(o.type, TensorType)]
        # exp(0), cos(0) and log(0) are not zero.
        keeps_zero = expr.function in ("abs", "sqrt", "sin", "tanh", "floor", "ceil", "min", "max")
        keeps_zero = keeps_zero and len(arrays) == len(operands)
        dense = max(map(_dense, arrays)) if keeps_zero else _rank(arrays[0])

        def cell(values: list[SSAValue]) -> SSAValue:
            return self.apply(expr.function, [self.as_scalar(v, element) for v in values], element)

        return self.cellwise(operands, ir_type(element), dense, cell)

    def accumulate_array(self, monoid: str, old: SSAValue, new: SSAValue) -> SSAValue:
        """`old` with every cell combined with the cell of `new`, or with the scalar `new`."""

        def cell(values: list[SSAValue]) -> SSAValue:
            return self.join(monoid, *values)

        cells = array_type(old).get_element_type()
        return self.cellwise([old, new], cells, _rank(old), cell)

    # --- Products and transposes -----------------------------------------------------------

    def _emit_transpose(self, expr: syntax.Field) -> SSAValue:
        source = self.emit_collection(expr.base)
        dims = [self.dimension(source, 1), self.dimension(source, 0)]
        block = Block()
        with self.comprehension(block):
            row, column, value = self.add(EachOp(source)).elements
            self.add(YieldOp([column, row], [value]))
        return self.add(BuildOp(dims, Region(block), array_type(source))).result

    def _emit_product(self, expr: syntax.Binary) -> SSAValue:
        type = self.type_of(expr)
        element = _element(type)
        lhs, rhs = self.emit_collection(expr.lhs), self.emit_collection(expr.rhs)
        left = [self.dimension(lhs, 0)] if _rank(lhs) == 2 else []
        right = [self.dimension(rhs, 1)] if _rank(rhs) == 2 else []
        inner = self.dimension(lhs, _rank(lhs) - 1), self.dimension(rhs, 0)
        message = "the columns on the left of `@` are not as many as the rows on its right"
        self._require_equal([inner], message)
        block = Block()
        with self.comprehension(block):
            *left_keys, joined, a = self.add(EachOp(lhs)).elements
            key, *right_keys, b = self.add(EachOp(rhs)).elements
            self._guard_equal([key], [joined])
            a, b = self.as_scalar(a, element), self.as_scalar(b, element)
            term = self.combine("*", a, b, element)
            if not isinstance(type, ArrayType):
                self.add(YieldOp([], [term]))
            else:
                group = self.add(GroupByOp([*left_keys, *right_keys], [term]))
                total = self.add(ReduceOp("add", group.bags[0])).result
                self.add(YieldOp(group.group_keys, [total]))
        if not isinstance(type, ArrayType):
            return self.add(AggregateOp("add", Region(block), ir_type(element))).result
        rank = len(left) + len(right)
        # The elements of a product of two sparse matrices are mostly zero as well.
        dense = max(_dense(lhs), _dense(rhs)) if rank == 2 else rank
        tiled = is_tiled(lhs.type) or is_tiled(rhs.type)
        result = tensor_type(ir_type(element), rank, _encoding(tiled, dense, rank))
        return self.add(BuildOp([*left, *right], Region(block), result)).result


def _element(type: Type) -> Type:
    """The type of an array's cells, or of the scalar that stands for every cell."""
    return type.element if isinstance(type, ArrayType) else type


def _rank(array: SSAValue) -> int:
    return array_type(array).get_num_dims()


def _dense(array: SSAValue) -> int:
    return dense_rank(array_type(array))


def _stored_densely(op: str, operands: Sequence[SSAValue]) -> int:
    """How many dimensions of `a op b` to store densely: sparse only if `0 op 0` is zero."""
    arrays = [o for o in operands if isinstance(o.type, TensorType)]
    if len(arrays) == 2:
        if op == "*":
            return min(map(_dense, arrays))
        return max(map(_dense, arrays)) if op in ("+", "-") else _rank(arrays[0])
    keeps_zero = op == "*" or (op in ("/", "%") and arrays[0] is operands[0])
    return _dense(arrays[0]) if keeps_zero else _rank(arrays[0])


def _encoding(tiled: bool, dense: int, rank: int) -> Attribute | None:
    if tiled:
        return TilesAttr(dense)
    return StorageAttr(dense) if dense < rank else None

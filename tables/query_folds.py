"""The folds that aggregates of tables are: what is folded of each row, by which monoids.

col("x").mean()    ->    x and 1, monoids(add, add), and the quotient of what comes of them
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, FloatAttr, StringAttr, TupleType, f64, i1
from xdsl.ir import Attribute, Block, Region, SSAValue, TypeAttribute

from diablo.array.scalar_code import Code, scalar_code
from diablo.dialects.comprehension import MonoidOp, PackOp, StringCallOp, UnpackOp
from diablo.dialects.comprehension import YieldOp as MonoidYieldOp
from diablo.dialects.monoids import identity
from diablo.dialects.number_constants import constant_op
from diablo.dialects.string_functions import string
from diablo.monoid_table import MONOIDS, monoid_on
from diablo.table.column_values import FLOAT64, INT64, ColumnType
from diablo.table.query_bodies import RowBody, Value, Write
from diablo.table.table_aggregates import Aggregate
from diablo.table.typed_expressions import Typed

_EXTREMUM_OF_STRINGS = {"<": ("least_string", "lt"), ">": ("greatest_string", "gt")}
"""The monoid of strings that keeps the least or greatest, and the comparison that it makes."""

_MOMENTS = "moments"
PARTIAL = ColumnType(np.dtype(np.float64))
"""Stands for the type of what is folded, which nobody asks for."""


@dataclass(frozen=True)
class Fold:
    """An aggregate by monoids: what is folded of each row, and what becomes of the folds.

    Without `finish` the first fold is the value, and the second one says whether there is one.
    """

    values: Sequence[Write]
    monoids: Sequence[str]
    finish: Callable[[RowBody, Sequence[SSAValue]], Value] | None = None

    def finished(self, body: RowBody, folds: Sequence[SSAValue]) -> Value:
        """Write the aggregate of its folds."""
        if self.finish is not None:
            return self.finish(body, folds)
        return folds[0], folds[1] if len(folds) > 1 else None


def fold_of(aggregate: Aggregate, *, whole: bool = False) -> Fold:
    """Return an aggregate as folds; `whole` says that there may be no row at all."""
    operand, row = aggregate.operand, aggregate.row
    if operand is None:
        return Fold([_one], ["add"])
    if row.way == "count":
        return Fold([lambda body: _counted(body, operand)], ["add"])
    if row.way == "moments":
        return _variance(operand, aggregate.options[0])
    may_be_none = row.null_of_none and (whole or operand.type.nullable)
    if row.is_divided:
        return _mean(operand, row.monoid, may_be_none=may_be_none)
    return _values(operand, row.monoid, may_be_none=may_be_none)


def finishing(fold: Fold, first: int) -> Write:
    """Return what makes an aggregate of its folds, which begin at a column."""
    behind = first + len(fold.monoids)
    return lambda body: fold.finished(body, body.args[first:behind])


def _one(body: RowBody) -> Value:
    return body.constant(1, INT64), None


def _counted(body: RowBody, operand: Typed) -> Value:
    _, valid = body.value(operand)
    one = body.constant(1, INT64)
    return (one if valid is None else body.code.choose(valid, one, body.zero(INT64))), None


def _or(body: RowBody, operand: Typed, monoid: str) -> Value:
    """Write a value, or what changes nothing where there is none."""
    value, valid = body.value(operand)
    if valid is None:
        return value, None
    neutral = identity(monoid, value.type)
    return body.code.choose(valid, value, body.code.add(constant_op(neutral))), None


def _mean(operand: Typed, monoid: str, *, may_be_none: bool) -> Fold:
    """Fold values and how many there are, of which the quotient is taken."""
    dtype = operand.type.dtype

    def finish(body: RowBody, folds: Sequence[SSAValue]) -> Value:
        total, number = folds
        count = body.code.convert(number, INT64.dtype, dtype)
        divide = scalar_code("divide", (dtype, dtype), dtype)
        assert divide is not None
        some = body.code.compare("not_equal", number, body.zero(INT64), INT64.dtype)
        return divide(body.code, (total, count), dtype), some if may_be_none else None

    values: list[Write] = [
        lambda body: _or(body, operand, monoid),
        lambda body: _counted(body, operand),
    ]
    return Fold(values, [monoid, "add"], finish)


def variance(squares: Typed, ddof: Typed) -> Fold:
    """Fold how much the squares are by which values differ from their mean, and how many."""

    def finish(body: RowBody, folds: Sequence[SSAValue]) -> Value:
        total, number = folds
        count = body.code.convert(number, INT64.dtype, FLOAT64.dtype)
        return _divided(body, total, count, ddof)

    values: list[Write] = [
        lambda body: _or(body, squares, "add"),
        lambda body: _counted(body, squares),
    ]
    return Fold(values, ["add", "add"], finish)


def _divided(body: RowBody, squares: SSAValue, count: SSAValue, ddof: Typed) -> Value:
    taken = body.code.convert(body.value(ddof)[0], INT64.dtype, FLOAT64.dtype)
    left = body.code.add(arith.SubfOp(count, taken))
    some = body.code.compare("greater", left, body.constant(0.0, FLOAT64), FLOAT64.dtype)
    return body.code.add(arith.DivfOp(squares, left)), some


def _variance(operand: Typed, ddof: Typed) -> Fold:
    """Fold how many values there are, their mean, and the squares by which they differ from it."""

    def packed(body: RowBody) -> Value:
        value, valid = body.value(operand)
        zero, one = body.constant(0.0, FLOAT64), body.constant(1.0, FLOAT64)
        if valid is not None:
            value, one = (body.code.choose(valid, own, zero) for own in (value, one))
        return body.code.add(PackOp([one, value, zero])), None

    def finish(body: RowBody, folds: Sequence[SSAValue]) -> Value:
        op = UnpackOp(folds[0])
        body.code.add(op)
        count, _, squares = op.results
        return _divided(body, squares, count, ddof)

    return Fold([packed], [f"@{_MOMENTS}"], finish)


def _moments() -> MonoidOp:
    """Return the monoid of numbers of values, their means, and sums of squared differences.

    Source: Chan, Golub and LeVeque, Updating formulae and a pairwise algorithm for computing sample
    variances, 1979.
    """
    type = TupleType(ArrayAttr[TypeAttribute]([f64, f64, f64]))
    block = Block(arg_types=[type, type])
    code = Code(block)
    one, other = (UnpackOp(argument) for argument in block.args)
    block.add_ops([one, other])
    (n, mean, squares), (more, its_mean, its_squares) = one.results, other.results
    count = code.add(arith.AddfOp(n, more))
    least = code.add(arith.MaximumfOp(count, code.constant(1.0, FLOAT64.dtype)))
    share = code.add(arith.DivfOp(more, least))
    apart = code.add(arith.SubfOp(its_mean, mean))
    moved = code.add(arith.AddfOp(mean, code.add(arith.MulfOp(apart, share))))
    between = code.add(arith.MulfOp(code.add(arith.MulfOp(apart, apart)), n))
    within = code.add(arith.AddfOp(squares, its_squares))
    total = code.add(arith.AddfOp(within, code.add(arith.MulfOp(between, share))))
    packed = code.add(PackOp([count, moved, total]))
    block.add_op(MonoidYieldOp([], [packed]))
    nothing = ArrayAttr[Attribute]([FloatAttr(0.0, f64)] * 3)
    return MonoidOp(_MOMENTS, type, nothing, Region(block))


def own_monoid(name: str) -> MonoidOp:
    """Return the definition of a monoid that is none of the built-in ones."""
    return _moments() if name == _MOMENTS else _extremum_of_strings(name)


def only_value(operand: Typed) -> Fold:
    """Fold the value of one row, if there is that row."""
    is_complex_number = operand.type.dtype.kind == "c"  # Which have no order, but a sum.
    return _values(operand, "add" if is_complex_number else "max", may_be_none=True)


def _values(operand: Typed, monoid: str, *, may_be_none: bool) -> Fold:
    """Fold values by a monoid, beside whether there are any if there may be none."""
    if operand.type.is_text:
        return _extremum_of_text(operand, MONOIDS[monoid].extremum, may_be_none=may_be_none)
    if operand.type.is_truth:
        monoid = monoid_on("boolean", monoid) or monoid
    if not may_be_none:
        return Fold([lambda body: _or(body, operand, monoid)], [monoid])

    def is_there(body: RowBody) -> Value:
        _, valid = body.value(operand)
        return (body.truth(True) if valid is None else valid), None

    return Fold([lambda body: _or(body, operand, monoid), is_there], [monoid, "or"])


def _extremum_of_text(operand: Typed, sign: str, *, may_be_none: bool) -> Fold:
    """Fold strings, of which there is no greatest, beside whether there is one."""

    def packed(body: RowBody) -> Value:
        value, valid = body.value(operand)
        there = body.truth(True) if valid is None else valid
        return body.code.add(PackOp([value, there])), None

    def finish(body: RowBody, folds: Sequence[SSAValue]) -> Value:
        op = UnpackOp(folds[0])
        body.code.add(op)
        return op.results[0], op.results[1] if may_be_none else None

    name, _ = _EXTREMUM_OF_STRINGS[sign]
    return Fold([packed], [f"@{name}"], finish)


def _extremum_of_strings(name: str) -> MonoidOp:
    """Return the monoid of strings, each beside whether there is one."""
    comparison = dict(_EXTREMUM_OF_STRINGS.values())[name]
    type = TupleType(ArrayAttr[TypeAttribute]([string, i1]))
    block = Block(arg_types=[type, type])
    code = Code(block)
    one, other = (UnpackOp(argument) for argument in block.args)
    block.add_ops([one, other])
    before = code.add(StringCallOp(comparison, [other.results[0], one.results[0]]))
    better = code.add(arith.OrIOp(code.negated(one.results[1]), before))
    takes = code.add(arith.AndIOp(other.results[1], better))
    chosen = code.choose(takes, block.args[1], block.args[0])
    block.add_op(MonoidYieldOp([], [chosen]))
    nothing = ArrayAttr[Attribute]([StringAttr(""), BoolAttr.from_bool(False)])
    return MonoidOp(name, type, nothing, Region(block), any_order=True)

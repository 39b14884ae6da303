"""What a monoid means, as ops: the join of two values, its identity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, StringAttr, TupleType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects import comprehension, monoids
from diablo.dialects.comprehension_values import find_monoid
from diablo.dialects.locations import located

Ops = tuple[list[Operation], SSAValue]
"""New ops in order, and the value that they compute."""


def join(name: str, lhs: SSAValue, rhs: SSAValue, near: Operation) -> Ops:
    """Two values combined with a monoid that is known in the module around `near`."""
    if not monoids.is_user_defined(name):
        op = located(monoids.combine(name, lhs, rhs), near)
        return [op], op.results[0]
    definition = find_monoid(name, near)
    assert definition is not None
    body = definition.body.block
    mapped: dict[SSAValue, SSAValue] = dict(zip(body.args, (lhs, rhs), strict=True))
    ops: list[Operation] = []
    for op in body.ops:
        if isinstance(op, comprehension.YieldOp):
            return ops, mapped.get(op.values[0], op.values[0])
        ops.append(op.clone(mapped))
    raise AssertionError("the body of a monoid ends with what it gives")


def identity(name: str, type: Attribute, near: Operation) -> Ops:
    """The identity of a monoid on values of `type`."""
    if not monoids.is_user_defined(name):
        return _constant(monoids.identity(name, type), type, near)
    definition = find_monoid(name, near)
    assert definition is not None
    return _constant(definition.identity, type, near)


def _constant(value: Attribute, type: Attribute, near: Operation) -> Ops:
    match value:
        case StringAttr():
            string = located(comprehension.StringOp(value.data), near)
            return [string], string.result
        case ArrayAttr():
            assert isinstance(type, TupleType)
            leaves = cast("Sequence[Attribute]", value.data)
            parts = [_constant(v, t, near) for v, t in zip(leaves, type.types, strict=True)]
            pack = located(comprehension.PackOp([part for _, part in parts]), near)
            return [*(op for ops, _ in parts for op in ops), pack], pack.result
        case _:
            assert isa(value, IntegerAttr | FloatAttr)
            constant = located(arith.ConstantOp(value), near)
            return [constant], constant.result

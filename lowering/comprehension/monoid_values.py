"""What a monoid means, as ops: the join of two values, its identity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    ArrayAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    TupleType,
    UnitAttr,
    i64,
)
from xdsl.dialects.complex import ComplexNumberAttr
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.dialects import comprehension, diablo, monoids
from diablo.dialects.locations import located
from diablo.dialects.monoids import NumberAttr
from diablo.dialects.number_constants import constant_op

Ops = tuple[list[Operation], SSAValue]
"""New ops in order, and the value that they compute."""


Monoids = Mapping[str, comprehension.MonoidOp]
"""The program's own monoids, by their names in the IR (`@argmin`)."""


def monoids_of(module: Operation) -> Monoids:
    """The program's own monoids."""
    found = [op for op in module.walk() if isinstance(op, comprehension.MonoidOp)]
    return {f"@{op.sym_name.data}": op for op in found}


def join(name: str, lhs: SSAValue, rhs: SSAValue, own: Monoids, like: Operation) -> Ops:
    """Return two values combined with a monoid."""
    if not monoids.is_user_defined(name):
        op = located(monoids.combine(name, lhs, rhs), like)
        return [op], op.results[0]
    body = own[name].body.block
    mapped: dict[SSAValue, SSAValue] = dict(zip(body.args, (lhs, rhs), strict=True))
    ops: list[Operation] = []
    for op in body.ops:
        if isinstance(op, comprehension.YieldOp):
            return ops, mapped.get(op.values[0], op.values[0])
        ops.append(op.clone(mapped))
    raise AssertionError("the body of a monoid ends with what it gives")


def positions_before(op: diablo.AccumulateOp | diablo.AccumulatePartsOp) -> list[arith.ConstantOp]:
    """The further parts of an accumulated tuple, as they are before the op."""
    starts = op.starts if isinstance(op, diablo.AccumulatePartsOp) else ()
    return [located(arith.ConstantOp(IntegerAttr(start, i64)), op) for start in starts]


def identity(name: str, type: Attribute, own: Monoids, like: Operation) -> Ops:
    """The identity of a monoid on values of `type`."""
    if monoids.is_user_defined(name):
        return _constant(own[name].identity, type, like)
    return _constant(monoids.identity(name, type), type, like)


def absent_part(ref: SSAValue, leaf: int, part: SSAValue, found: SSAValue, like: Operation) -> Ops:
    """A part of a map's value, which is what it starts at where the map has none."""
    starts = diablo.absent_leaves(ref)
    if not starts or starts[leaf] == UnitAttr():
        return [], part
    ops, start = _constant(starts[leaf], part.type, like)
    select = located(arith.SelectOp(found, part, start), like)
    return [*ops, select], select.result


def _constant(value: Attribute, type: Attribute, like: Operation) -> Ops:
    match value:
        case StringAttr():
            string = located(comprehension.StringOp(value.data), like)
            return [string], string.result
        case ArrayAttr():
            assert isinstance(type, TupleType)
            leaves = cast("Sequence[Attribute]", value.data)
            parts = [_constant(v, t, like) for v, t in zip(leaves, type.types, strict=True)]
            pack = located(comprehension.PackOp([part for _, part in parts]), like)
            return [*(op for ops, _ in parts for op in ops), pack], pack.result
        case _:
            assert isinstance(value, IntegerAttr | FloatAttr | ComplexNumberAttr)
            op = located(constant_op(cast("NumberAttr", value)), like)
            return [op], op.result

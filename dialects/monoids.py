"""The built-in commutative monoids: the table that every level reads.

A monoid is named by a string attribute on `comprehension.reduce`, `tensor_block.contract`
and the like. `identity(name, type)` is its neutral element and `combine(name, type)` the
upstream op that joins two values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

Combine = Callable[[SSAValue, SSAValue], Operation]


@dataclass(frozen=True)
class Monoid:
    """A commutative monoid over integers, floats or Booleans.

    `symbol` is how the source language spells it (`+/e`), the ops are `None` where the
    monoid has no meaning for the type. `ufunc` names the NumPy ufunc that computes it.
    """

    name: str
    symbol: str
    ufunc: str
    integer: type[arith.SignlessIntegerBinaryOperation] | None
    floating: type[arith.FloatingPointLikeBinaryOperation] | None
    integer_identity: int
    float_identity: float
    boolean_only: bool = False


_INT_MIN, _INT_MAX = -(2**63), 2**63 - 1

MONOIDS: dict[str, Monoid] = {
    m.name: m
    for m in (
        Monoid("add", "+", "add", arith.AddiOp, arith.AddfOp, 0, 0.0),
        Monoid("mul", "*", "multiply", arith.MuliOp, arith.MulfOp, 1, 1.0),
        Monoid("min", "min", "minimum", arith.MinSIOp, arith.MinimumfOp, _INT_MAX, inf),
        Monoid("max", "max", "maximum", arith.MaxSIOp, arith.MaximumfOp, _INT_MIN, -inf),
        Monoid("and", "&&", "logical_and", arith.AndIOp, None, 1, 1.0, boolean_only=True),
        Monoid("or", "||", "logical_or", arith.OrIOp, None, 0, 0.0, boolean_only=True),
    )
}

BY_SYMBOL: dict[str, Monoid] = {m.symbol: m for m in MONOIDS.values()}


def accepts(name: str, type: Attribute) -> bool:
    """Whether the monoid `name` is defined on values of `type`."""
    monoid = MONOIDS.get(name)
    if monoid is None:
        return False
    if monoid.boolean_only:
        return type == i1
    if isinstance(type, Float32Type | Float64Type):
        return monoid.floating is not None
    return isinstance(type, IntegerType | IndexType) and type != i1 and monoid.integer is not None


def is_user_defined(name: str) -> bool:
    """Whether `name` is that of a monoid which the module defines: `@argmin`."""
    return name.startswith("@")


def find_definition(name: str, near: Operation) -> Operation | None:
    """The `comprehension.monoid` that defines `name` (`@argmin`) in the module around `near`."""
    module = near
    while (parent := module.parent_op()) is not None:
        module = parent
    for op in (op for region in module.regions for block in region.blocks for op in block.ops):
        if op.name == "comprehension.monoid":
            symbol = op.properties["sym_name"]
            if isinstance(symbol, StringAttr) and symbol.data == name[1:]:
                return op
    return None


def verify_monoid(name: str, type: Attribute, near: Operation) -> None:
    """Raise a `VerifyException` unless the monoid `name` is defined on values of `type`.

    A monoid of the program's own must be defined in the module around `near`, if that is
    in a module.
    """
    if is_user_defined(name):
        if near.parent is None:
            return
        definition = find_definition(name, near)
        if definition is None:
            raise VerifyException(f"there is no monoid '{name}' in this module")
        if definition.properties["element"] != type:
            raise VerifyException(f"monoid '{name}' is not defined on {type}")
        return
    if name not in MONOIDS:
        raise VerifyException(f"unknown monoid '{name}', expected one of {', '.join(MONOIDS)}")
    if not accepts(name, type):
        raise VerifyException(f"monoid '{name}' is not defined on {type}")


def identity(name: str, type: Attribute) -> IntegerAttr | FloatAttr:
    """The neutral element of the monoid `name` on `type`, as a constant's attribute."""
    monoid = MONOIDS[name]
    if isinstance(type, Float32Type | Float64Type):
        return FloatAttr(monoid.float_identity, type)
    if isinstance(type, IndexType):
        return IntegerAttr(monoid.integer_identity, type)
    assert isinstance(type, IntegerType)
    return IntegerAttr(monoid.integer_identity, cast(IntegerType, type))


def combine(name: str, lhs: SSAValue, rhs: SSAValue) -> Operation:
    """The upstream op that joins two values of the monoid `name`."""
    monoid = MONOIDS[name]
    if isinstance(lhs.type, AnyFloat):
        assert monoid.floating is not None
        return monoid.floating(lhs, rhs)
    assert monoid.integer is not None
    return monoid.integer(lhs, rhs)

"""The built-in commutative monoids in the IR; what is known of them is in `monoid_table`.

A monoid is named by a string attribute on `comprehension.reduce`, `tensor_block.reduce`
and the like. `identity(name, type)` is its neutral element and `combine(name, lhs, rhs)` the
upstream op that joins two values.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    ComplexType,
    FloatAttr,
    FloatData,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TupleType,
    i1,
)
from xdsl.dialects.complex import Complex, ComplexBinaryOp, ComplexNumberAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from diablo.dialects.narrow_floats import rounded
from diablo.dialects.scalar_types import is_unsigned
from diablo.dialects.string_functions import StringType
from diablo.monoid_table import MONOIDS, BuiltinMonoid, Domain, monoid_named

BinaryOperation = (
    arith.SignlessIntegerBinaryOperation | arith.FloatingPointLikeBinaryOperation | ComplexBinaryOp
)
"""The ops of `arith` and `complex` that combine two values."""

NumberAttr = IntegerAttr | FloatAttr | ComplexNumberAttr
"""A number or truth value as a constant's attribute."""

ANY = "any"
"""Stands for a monoid where one of several values is kept."""

PLACE = "place"
"""Stands for a monoid where the greatest of several values tells which row is kept."""

_OPERATIONS = {op.name: op for op in (*arith.Arith.operations, *Complex.operations)}


def domain_of(type: Attribute) -> Domain | None:
    """On which of the domains of monoids the values of `type` are, if on any."""
    match type:
        case _ if isinstance(type, AnyFloat):
            return "floating"
        case ComplexType():
            return "complex"
        case IntegerType() | IndexType():
            return "boolean" if type == i1 else "unsigned" if is_unsigned(type) else "integer"
        case _:
            return None


def accepts(name: str, type: Attribute) -> bool:
    """Return whether the built-in monoid `name` is defined on values of `type`."""
    return domain_of(type) in monoid_named(name).operations


def is_user_defined(name: str) -> bool:
    """Return whether `name` is that of a monoid which the module defines: `@argmin`."""
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


def identity(name: str, type: Attribute) -> NumberAttr:
    """The neutral element of the monoid `name` on `type`, as a constant's attribute."""
    domain = domain_of(type)
    assert domain is not None
    bits = type.width.data if isa(type, IntegerType) else 64
    return number_attribute(MONOIDS[name].identity_of(domain, bits), type)


def zero_of(type: Attribute) -> NumberAttr:
    """The zero of a type of numbers or Booleans, as a constant's attribute."""
    return number_attribute(0, type)


def number_attribute(value: complex, type: Attribute) -> NumberAttr:
    """A number or truth value as an attribute of `type`."""
    # `isa` makes a constraint of such a type each time, and constants are many.
    if isinstance(type, ComplexType):
        of_floats = cast("ComplexType[AnyFloat]", type)
        number = complex(value)
        real, imag = (rounded(part, of_floats.element_type) for part in (number.real, number.imag))
        return ComplexNumberAttr(FloatData(real), FloatData(imag), of_floats)
    assert not isinstance(value, complex)
    if isinstance(type, AnyFloat):
        return FloatAttr(float(value), type)
    assert isinstance(type, IntegerType | IndexType)
    return IntegerAttr(int(value), cast("IntegerType | IndexType", type))


def combine(name: str, lhs: SSAValue, rhs: SSAValue) -> Operation:
    """The upstream op that joins two values of the monoid `name`."""
    domain = domain_of(lhs.type)
    assert domain is not None
    return operation(MONOIDS[name], domain)(lhs, rhs)


def operation(monoid: BuiltinMonoid, domain: Domain) -> type[BinaryOperation]:
    """The upstream op that joins two values of a monoid."""
    dialect = "complex" if domain == "complex" else "arith"
    return cast("type[BinaryOperation]", _OPERATIONS[f"{dialect}.{monoid.operations[domain]}"])


def operations(monoid: BuiltinMonoid) -> tuple[type[BinaryOperation], ...]:
    """The upstream ops that join two values of a monoid, one for each of its domains."""
    return tuple(operation(monoid, domain) for domain in monoid.operations)


def is_constant_of(constant: Attribute, type: Attribute) -> bool:
    """Return whether `constant` is a value of `type`."""
    match constant:
        case ArrayAttr():
            parts = tuple(constant)
            return (
                isinstance(type, TupleType)
                and len(parts) == len(type.types)
                and all(map(is_constant_of, parts, type.types))
            )
        case StringAttr():
            return isinstance(type, StringType)
        case FloatAttr():
            return constant.type == type
        case IntegerAttr() | ComplexNumberAttr():
            return constant.type == type
        case _:
            return False

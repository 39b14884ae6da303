"""Analysis: the identity of a monoid, built in or of the program's own, as ops and as a value."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, StringAttr, TupleType
from xdsl.dialects.complex import ComplexNumberAttr
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.dialects import comprehension, monoids
from diablo.dialects.comprehension.comprehension_monoids import find_monoid
from diablo.dialects.number_constants import constant_op
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.scalar_folding import Number, number_of_type, real_number

Constant = Number | str | tuple["Constant", ...]
"""A value known to the compiler; that of a tuple has one for each part."""


def identity_attribute(monoid: str, type: Attribute, near: Operation) -> Attribute | None:
    """The identity of `monoid` on `type`, or `None` if there is no such monoid."""
    if monoids.is_user_defined(monoid):
        definition = find_monoid(monoid, near)
        return None if definition is None else definition.identity
    return monoids.identity(monoid, type) if monoids.accepts(monoid, type) else None


def identity_constant(monoid: str, type: Attribute, near: Operation) -> Constant | None:
    """The identity of `monoid` as a value."""
    attribute = identity_attribute(monoid, type, near)
    return None if attribute is None else constant_of(attribute, type)


def is_identity(value: SSAValue, monoid: str, near: Operation) -> bool:
    """Return whether a value is a constant, or a tuple of these, that `monoid` leaves others as.

    Zeros are none for sums, which make 0.0 of -0.0.
    """
    known = _known(value)
    neutral = identity_constant(monoid, value.type, near)
    return known is not None and known == neutral and not monoid_named(monoid).is_sum


def _known(value: SSAValue) -> Constant | None:
    """The value, if it is written down."""
    if not isinstance(value.owner, comprehension.PackOp):
        return constant_value(value)
    parts = [_known(part) for part in value.owner.parts]
    known = tuple(part for part in parts if part is not None)
    return known if len(known) == len(parts) else None


def constant_of(attribute: Attribute, type: Attribute) -> Constant | None:
    """The value of `type` that `attribute` writes down."""
    match attribute:
        case IntegerAttr() | FloatAttr():
            return number_of_type(attribute.value.data, type)
        case ComplexNumberAttr():
            return real_number(complex(attribute.real.data, attribute.imag.data))
        case StringAttr():
            return attribute.data
        case ArrayAttr() if isinstance(type, TupleType):
            parts = [constant_of(a, t) for a, t in zip(attribute, type.types, strict=True)]
            known = tuple(part for part in parts if part is not None)
            return known if len(known) == len(parts) else None
        case _:
            return None


def implicit_constant(type: Attribute) -> Constant | None:
    """The implicit value of `type`: 0, false, the empty string, a tuple of these."""
    if isinstance(type, TupleType):
        parts = [implicit_constant(part) for part in type.types]
        known = tuple(part for part in parts if part is not None)
        return known if len(known) == len(parts) else None
    if isinstance(type, comprehension.StringType):
        return ""
    return number_of_type(0, type) if arith_type(type) else None


def arith_type(type: Attribute) -> bool:
    """Return whether `type` is one of numbers or Booleans."""
    return monoids.domain_of(type) is not None


def identity_ops(monoid: str, type: Attribute, near: Operation) -> list[Operation]:
    """Ops whose last one's result is the identity of `monoid`; none if it is unknown."""
    attribute = identity_attribute(monoid, type, near)
    return [] if attribute is None else constant_ops(attribute, type)


def constant_ops(attribute: Attribute, type: Attribute) -> list[Operation]:
    """Ops whose last one's result is the value of `type` that `attribute` writes down."""
    match attribute:
        case IntegerAttr() | FloatAttr() | ComplexNumberAttr():
            return [constant_op(attribute)]
        case StringAttr():
            return [comprehension.StringOp(attribute.data)]
        case ArrayAttr() if isinstance(type, TupleType):
            parts = [constant_ops(a, t) for a, t in zip(attribute, type.types, strict=True)]
            if not all(parts):
                return []
            packed = comprehension.PackOp([part[-1].results[0] for part in parts])
            return [*[op for part in parts for op in part], packed]
        case _:
            return []

"""The IR's type for each row of the table of scalar types, and the row of each such type.

ir_type(BY_NAME["Double"])   =>  f64
scalar_of(IndexType())       =>  the row of Int: an index is held as one
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    Signedness,
    i1,
)
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from diablo.dialects.narrow_floats import FLOATS
from diablo.dialects.string_functions import character, string
from diablo.scalar_table import BY_ELEMENT, SCALARS, Scalar

_NAMED: dict[str, Attribute] = {
    "i1": i1,
    "i24": character,
    "string": string,
}


def _number_type(row: Scalar) -> Attribute:
    if row.domain == "floating":
        return FLOATS[row.bits]
    if row.domain == "complex":
        return ComplexType(FLOATS[row.bits // 2])
    signedness = Signedness.UNSIGNED if row.domain == "unsigned" else Signedness.SIGNLESS
    return IntegerType(row.bits, signedness)


_TYPES = {row: _NAMED.get(row.element) or _number_type(row) for row in SCALARS}
_ROWS: dict[Attribute, Scalar] = {
    **{type: row for row, type in _TYPES.items()},
    IndexType(): BY_ELEMENT["i64"],
}


def ir_type(row: Scalar) -> Attribute:
    """The IR's type for values of a scalar type."""
    return _TYPES[row]


def scalar_of(type: Attribute) -> Scalar | None:
    """The row of the table for a type of the IR, if it is that of a scalar."""
    return _ROWS.get(type)


def is_sized(type: Attribute) -> bool:
    """Return whether a type is that of other integers than those of 64 bits with a sign."""
    row = scalar_of(type)
    return row is not None and row.is_sized


def is_unsigned(type: Attribute) -> bool:
    """Return whether a type is that of integers without a sign."""
    return isa(type, IntegerType) and type.signedness.data == Signedness.UNSIGNED


def is_complex(type: Attribute) -> bool:
    """Return whether a type is that of complex numbers."""
    return isinstance(type, ComplexType)


def is_inexact(type: Attribute) -> bool:
    """Return whether a type is that of floats, or of complex numbers, whose parts are floats."""
    return isinstance(type, AnyFloat | ComplexType)


def is_numpy(type: Attribute) -> bool:
    """Return whether single values of a type are NumPy's wherever they are."""
    row = scalar_of(type)
    return row is not None and row.is_numpy

"""The table of scalar types, which the compiler and running programs read.

A row says how the language spells a type, how the IR does, and how columns and tiles hold it:

    Scalar("Double", "f64", "f8", "float64", "floating", "a number")

What else is asked of a type follows from its row: how wide it is, which integers it has, what it
is promoted to beside another one (`promoted`). `diablo.dialects.scalar_types` has the IR's type for
each, `diablo.runtime.column_types` NumPy's. Neither xDSL nor NumPy is needed here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Domain = Literal["boolean", "integer", "unsigned", "floating", "complex", "character", "text"]
"""What the values of a scalar type are; integers are `unsigned` where none is negative."""


@dataclass(frozen=True)
class Scalar:
    """A type of single values.

    Parameters
    ----------
    name : str
        How a program spells it.
    element : str
        Its name in signatures of kernels, and where a caller's data are described: as in the IR,
        but for integers whose names there are NumPy's codes of others (`i8`).
    code : str
        How columns and tiles hold it: a NumPy type's code, `"U"` for strings, `"char"` for
        characters, whose code points are held as `dtype` says.
    dtype : str
        The NumPy type, as an attribute of `numpy`.
    domain : str
        What its values are.
    noun : str
        One value of it, in a message.
    aliases : tuple of str
        Other spellings that a program may use.
    sql : str
        What a column of them is in Spark SQL; nothing where it has none.
    """

    name: str
    element: str
    code: str
    dtype: str
    domain: Domain
    noun: str
    aliases: tuple[str, ...] = ()
    sql: str = ""

    @property
    def python(self) -> type[bool | int | float | complex | str]:
        """Python's type for a value; that of a character is its code point."""
        match self.domain:
            case "boolean":
                return bool
            case "integer" | "unsigned" | "character":
                return int
            case "floating":
                return float
            case "complex":
                return complex
            case "text":
                return str

    @property
    def arrow(self) -> str:
        """The function of Arrow's that makes the type of a column."""
        return "string" if self.domain == "text" else self.dtype

    @property
    def is_number(self) -> bool:
        """Whether it is promoted to other numbers, and read as one."""
        return self.is_integer or self.domain in ("floating", "complex")

    @property
    def is_integer(self) -> bool:
        """Whether it has integers, with a sign or without."""
        return self.domain in ("integer", "unsigned")

    @property
    def bits(self) -> int:
        """How many bits a number has."""
        return int(self.dtype.lstrip("abcdefghijklmnopqrstuvwxyz"))

    @property
    def is_sized(self) -> bool:
        """Whether it has other integers than those of 64 bits with a sign.

        Python's integers, which are exact, stand for those where a program runs; these are
        NumPy's wherever they are.
        """
        return self.is_integer and (self.domain == "unsigned" or self.bits < 64)

    @property
    def is_numpy(self) -> bool:
        """Whether a single value is one of NumPy's from the start, and not one of Python's.

        It rounds or wraps around by itself then, and is divided as arrays are.
        """
        is_narrow = self.domain == "floating" and self.bits < 64
        return self.is_sized or self.domain == "complex" or is_narrow

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the greatest of its integers."""
        if self.domain == "unsigned":
            return 0, (1 << self.bits) - 1
        return -(1 << self.bits - 1), (1 << self.bits - 1) - 1

    @property
    def room(self) -> str:
        """The room that its integers have to fit in, in a message."""
        return f"{self.bits} bits" + " without a sign" * (self.domain == "unsigned")

    def holds(self, value: int) -> bool:
        """Return whether an integer is one of its integers."""
        low, high = self.limits
        return low <= value <= high

    @property
    def sized_noun(self) -> str:
        """One value of it among integers of other sizes, in a message."""
        if self.domain == "unsigned":
            return f"an unsigned {self.bits}-bit integer"
        return f"{'an' if self.bits == 8 else 'a'} {self.bits}-bit integer"

    @property
    def is_text(self) -> bool:
        """Whether it is spelled as text where a program's data are read."""
        return self.domain in ("character", "text")

    @property
    def in_register(self) -> bool:
        """Whether processors hold it as one number: floats are those that they compute with."""
        is_computed = self.domain == "floating" and self.bits in (32, 64)
        return self.is_integer or self.domain == "boolean" or is_computed

    @property
    def in_machine_code(self) -> bool:
        """Whether compiled kernels over dense arrays take it: a complex number is two floats."""
        return self.in_register or self.domain == "complex"

    @property
    def in_scipy(self) -> bool:
        """Whether SciPy's sparse arrays hold its numbers."""
        return self.is_number and (self.domain != "floating" or self.bits >= 32)


SCALARS = (
    Scalar("Boolean", "i1", "b1", "bool_", "boolean", "true or false", sql="boolean"),
    Scalar("Char", "i24", "char", "int32", "character", "a character"),
    Scalar("Int8", "int8", "int8", "int8", "integer", "an integer", ("Byte",), "tinyint"),
    Scalar("Int16", "int16", "int16", "int16", "integer", "an integer", ("Short",), "smallint"),
    Scalar("Int32", "int32", "int32", "int32", "integer", "an integer", sql="int"),
    Scalar("Int", "i64", "i8", "int64", "integer", "an integer", ("Int64", "Long"), "bigint"),
    Scalar("UInt8", "uint8", "uint8", "uint8", "unsigned", "an integer"),
    Scalar("UInt16", "uint16", "uint16", "uint16", "unsigned", "an integer"),
    Scalar("UInt32", "uint32", "uint32", "uint32", "unsigned", "an integer"),
    Scalar("UInt64", "uint64", "uint64", "uint64", "unsigned", "an integer"),
    Scalar("Float", "f32", "f4", "float32", "floating", "a number", ("Float32",), "float"),
    Scalar("Double", "f64", "f8", "float64", "floating", "a number", ("Float64",), "double"),
    Scalar("Complex64", "complex64", "c8", "complex64", "complex", "a complex number"),
    Scalar(
        "Complex128", "complex128", "c16", "complex128", "complex", "a complex number", ("Complex",)
    ),
    Scalar("String", "string", "U", "object_", "text", "a string", sql="string"),
)
"""The scalar types. A character is a code point in the IR, of a width that no number has."""

BY_ELEMENT = {scalar.element: scalar for scalar in SCALARS}
BY_NAME = {name: scalar for scalar in SCALARS for name in (scalar.name, *scalar.aliases)}
OF_PYTHON: dict[type, Scalar] = {
    scalar.python: scalar
    for scalar in SCALARS
    if scalar.name in ("Boolean", "Int", "Double", "Complex128", "String")
}
"""The type that the language has for a value of Python's."""


def promoted(one: Scalar, other: Scalar) -> Scalar:
    """The type of numbers to which both sides of an operator are brought: that of NumPy.

    It is the smallest that holds all values of both, as far as one does: integers are held by
    floats of more than twice their bits, and those of 32 bits and more by `Double`; floats by
    complex numbers of twice their bits.

    >>> promoted(BY_NAME["Int16"], BY_NAME["Float"]).name
    'Float'
    >>> promoted(BY_NAME["Int32"], BY_NAME["Float"]).name
    'Double'
    >>> promoted(BY_NAME["Double"], BY_NAME["Complex64"]).name
    'Complex128'
    """
    if one.domain == other.domain:
        return max(one, other, key=lambda row: row.bits)
    if "complex" in (one.domain, other.domain):
        number, other = (one, other) if one.domain == "complex" else (other, one)
        floats = _floating_for(other) if other.is_integer else other
        return max(number, complex_of(floats), key=lambda row: row.bits)
    if one.is_integer and other.is_integer:
        return _signed_for(one, other) or _floating_for(max(one, other, key=lambda row: row.bits))
    integer, floating = (one, other) if one.is_integer else (other, one)
    return max(floating, _floating_for(integer), key=lambda row: row.bits)


def complex_of(floating: Scalar) -> Scalar:
    """The least complex numbers whose two parts hold the floats of a type."""
    found = [row for row in SCALARS if row.domain == "complex" and row.bits >= 2 * floating.bits]
    return min(found, key=lambda row: row.bits)


def part_of(number: Scalar) -> Scalar:
    """The floats that the two parts of a complex number are."""
    return next(r for r in SCALARS if r.domain == "floating" and 2 * r.bits == number.bits)


def _signed_for(*rows: Scalar) -> Scalar | None:
    """The least integers with a sign that hold those of all types, if there are any."""
    signed = sorted((row for row in SCALARS if row.domain == "integer"), key=lambda row: row.bits)
    return next((s for s in signed if all(map(s.holds, [n for r in rows for n in r.limits]))), None)


def _floating_for(integer: Scalar) -> Scalar:
    """The least floats that hold all integers of a type, or else the greatest there are."""
    floats = sorted((row for row in SCALARS if row.domain == "floating"), key=lambda row: row.bits)
    return next((row for row in floats if row.bits > integer.bits), floats[-1])

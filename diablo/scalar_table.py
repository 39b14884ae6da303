"""The table of scalar types, which the compiler and running programs read.

A row says how the language spells a type, how the IR does, and how columns and tiles hold it:

    Scalar("Double", "f64", "f8", "float64", "floating", "a number")

`diablo.dialects.scalar_types` has the IR's type for each, `diablo.runtime.column_types` NumPy's.
Neither xDSL nor NumPy is needed here. How a caller's integers are checked, and how machine code
converts numbers, is written for the types that there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Domain = Literal["boolean", "integer", "floating", "character", "text"]
"""What the values of a scalar type are."""


@dataclass(frozen=True)
class Scalar:
    """A type of single values.

    Parameters
    ----------
    name : str
        How a program spells it.
    element : str
        Its name in the IR, in signatures of kernels, and where a caller's data are described.
    code : str
        How columns and tiles hold it: a NumPy type's code, `"U"` for strings.
    dtype : str
        The NumPy type, as an attribute of `numpy`.
    domain : str
        What its values are.
    noun : str
        One value of it, in a message.
    aliases : tuple of str
        Other spellings that a program may use.
    """

    name: str
    element: str
    code: str
    dtype: str
    domain: Domain
    noun: str
    aliases: tuple[str, ...] = ()

    @property
    def python(self) -> type[bool | int | float | str]:
        """Python's type for a value; that of a character is its code point."""
        match self.domain:
            case "boolean":
                return bool
            case "integer" | "character":
                return int
            case "floating":
                return float
            case "text":
                return str

    @property
    def is_number(self) -> bool:
        """Whether it is promoted to other numbers, and read as one."""
        return self.domain in ("integer", "floating")

    @property
    def is_text(self) -> bool:
        """Whether it is spelled as text where a program's data are read."""
        return self.domain in ("character", "text")

    @property
    def in_machine_code(self) -> bool:
        """Whether compiled kernels take it."""
        return self.is_number or self.domain == "boolean"


SCALARS = (
    Scalar("Boolean", "i1", "b1", "bool_", "boolean", "true or false"),
    Scalar("Char", "i32", "i4", "int32", "character", "a character"),
    Scalar("Int", "i64", "i8", "int64", "integer", "an integer", ("Long",)),
    Scalar("Float", "f32", "f4", "float32", "floating", "a number"),
    Scalar("Double", "f64", "f8", "float64", "floating", "a number"),
    Scalar("String", "string", "U", "object_", "text", "a string"),
)
"""The scalar types. Of two numbers the one that stands first is promoted to the other."""

BY_ELEMENT = {scalar.element: scalar for scalar in SCALARS}
BY_NAME = {name: scalar for scalar in SCALARS for name in (scalar.name, *scalar.aliases)}

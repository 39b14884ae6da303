"""Strings: the type, and the table of what can be done with them.

A character is an `i24`, its Unicode code point: no number has this width.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import ComplexType, IntegerType, Signedness, f64, i1, i64
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition

from diablo.dialects.bags import BagType


@irdl_attr_definition
class StringType(ParametrizedAttribute, TypeAttribute):
    """A string of Unicode characters. Its implicit value is the empty string.

    ```mlir
    %words = "test.op"() : () -> !comprehension.bag<!comprehension.string>
    ```
    """

    name = "comprehension.string"


@dataclass(frozen=True)
class StringFunction:
    """What a function of strings takes and gives. `can_fail` if some arguments have no result."""

    arguments: tuple[Attribute, ...]
    result: Attribute
    can_fail: bool = False


string = StringType()
character = IntegerType(24)

_COMPARISON = StringFunction((string, string), i1)

STRING_FUNCTIONS: Mapping[str, StringFunction] = {
    "eq": _COMPARISON,
    "ne": _COMPARISON,
    "lt": _COMPARISON,
    "le": _COMPARISON,
    "gt": _COMPARISON,
    "ge": _COMPARISON,
    "concat": StringFunction((string, string), string),
    "length": StringFunction((string,), i64),
    "char_at": StringFunction((string, i64), character, can_fail=True),
    "substring": StringFunction((string, i64, i64), string, can_fail=True),
    "contains": StringFunction((string, string), i1),
    "starts_with": StringFunction((string, string), i1),
    "ends_with": StringFunction((string, string), i1),
    "index_of": StringFunction((string, string), i64),
    "replace": StringFunction((string, string, string), string),
    "lower": StringFunction((string,), string),
    "upper": StringFunction((string,), string),
    "trim": StringFunction((string,), string),
    "split": StringFunction((string, string), BagType([string])),
    "to_int": StringFunction((string,), i64, can_fail=True),
    "to_double": StringFunction((string,), f64, can_fail=True),
    "from_int": StringFunction((i64,), string),
    "from_complex": StringFunction((ComplexType(f64),), string),
    "from_unsigned": StringFunction((IntegerType(64, Signedness.UNSIGNED),), string),
    "from_double": StringFunction((f64,), string),
    "from_boolean": StringFunction((i1,), string),
    "from_char": StringFunction((character,), string),
}
"""By name. Strings compare by code points. `index_of` is -1 if there is none; `split` is at each
occurrence of the second string, which is not a pattern (the empty one splits into characters, and
the empty string has one part); `substring` takes the start and the end, exclusive, and both must
lie inside the string. `lower`, `upper` and `trim` follow Unicode. `to_int` reads an optional sign
and decimal digits, `to_double` also a point, an exponent, `inf` and `nan`; both pass over white
space around the number. `from_double` gives the shortest digits that read back as the same number
(`0.1`, `1.0`, `1e+16`, `inf`, `nan`), `from_complex` those of both parts (`(1+2j)`), and
`from_boolean` gives `true` or `false`."""

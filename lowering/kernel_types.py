"""What the values of a kernel are: tensors, bags, or single values; and how their types are named.

    type_code(tuple<f64, i64>)      =>    ("tuple", "f8", "i8")
    element_name(tuple<f64, i64>)   =>    ("tuple", "f64", "i64")

xDSL's `isa` checks type arguments by building constraints; kernels ask too often for that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    TensorType,
    TupleType,
    f32,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute

from diablo.dialects.bags import BagType
from diablo.dialects.strings import StringType

_NAMES: dict[Attribute, tuple[str, str]] = {
    f64: ("f8", "f64"),
    f32: ("f4", "f32"),
    i64: ("i8", "i64"),
    IndexType(): ("i8", "i64"),
    i32: ("i4", "i32"),
    i1: ("b1", "i1"),
    StringType(): ("U", "string"),
}
"""The code of an element's type at run time, and its name in the IR."""


def is_tensor(type: Attribute) -> TypeGuard[TensorType[Attribute]]:
    """Whether `type` is a tensor."""
    return isinstance(type, TensorType)


def is_number(type: Attribute) -> bool:
    """Whether a value of `type` is one of NumPy's numbers or Booleans, or a character."""
    return isinstance(type, Float32Type | Float64Type | IntegerType | IndexType)


def element_type(type: Attribute) -> Attribute:
    """The scalar type of a tensor; a scalar type itself."""
    return type.get_element_type() if is_tensor(type) else type


def type_code(type: Attribute) -> str:
    """The code of a column's or an element's type, as Python text for it.

    `diablo.runtime.column_types` defines the codes.
    """
    return _spelled(type, 0)


def element_name(type: Attribute) -> str:
    """As `type_code`, with elements named as in the IR, for what the caller of a program gives."""
    return _spelled(type, 1)


def _spelled(type: Attribute, which: int) -> str:
    match type:
        case TupleType():
            return _composed("tuple", [_spelled(part, which) for part in type.types])
        case BagType():
            columns = [_spelled(column, which) for column in type.columns]
            if type.is_map:
                return _composed("map", [str(type.keys.data), *columns])
            return _composed("list", columns)
        case _ if is_tensor(type):
            element = _spelled(type.get_element_type(), which)
            return _composed("tile", [str(type.get_num_dims()), element])
        case _:
            # Kernels compute with integers of any other width as with those of 64 bits.
            return f'"{_NAMES.get(type, _NAMES[i64])[which]}"'


def _composed(kind: str, parts: Iterable[str]) -> str:
    return f'("{kind}", {", ".join(parts)})'

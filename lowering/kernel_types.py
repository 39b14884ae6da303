"""What the values of a kernel are: tensors, bags, or single values; and how their types are named.

    type_code(tuple<f64, i64>)      =>    ("tuple", "f8", "i8")
    element_name(tuple<f64, i64>)   =>    ("tuple", "f64", "i64")

xDSL's `isa` checks type arguments by building constraints; kernels ask too often for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeGuard

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    TensorType,
    TupleType,
)
from xdsl.ir import Attribute

from diablo.dialects.bags import BagType
from diablo.dialects.scalar_types import is_inexact, scalar_of
from diablo.passes.analyses.loops.one_loop import is_scanned_along
from diablo.passes.analyses.refused import Refused
from diablo.scalar_table import BY_NAME, Scalar


def is_tensor(type: Attribute) -> TypeGuard[TensorType[Attribute]]:
    """Return whether `type` is a tensor."""
    return isinstance(type, TensorType)


def is_number(type: Attribute) -> bool:
    """Return whether a value of `type` is one of NumPy's numbers or Booleans, or a character."""
    return isinstance(type, AnyFloat | ComplexType | IntegerType | IndexType)


def has_rows(kernel: func.FuncOp) -> bool:
    """Return whether a kernel takes or makes bags."""
    return any(
        isinstance(value.type, BagType)
        for op in kernel.body.block.ops
        for value in (*op.operands, *op.results)
    )


def has_generators(kernel: func.FuncOp) -> bool:
    """Return whether a kernel becomes a loop with generators: over rows, or with scans."""
    return has_rows(kernel) or any(map(is_scanned_along, kernel.body.block.ops))


def check_machine_code(function: func.FuncOp) -> None:
    """Raise `Refused` if a kernel computes with numbers that its machine code has none of.

    Floats of a width that processors do not compute with are such.
    """
    for op in function.walk():
        arguments = (arg for region in op.regions for block in region.blocks for arg in block.args)
        for value in (*op.results, *arguments):
            for type in _leaves(element_type(value.type)):
                if is_inexact(type) and not _is_in_machine_code(type):
                    raise Refused(f"there is no machine code for {type}")


def _leaves(type: Attribute) -> list[Attribute]:
    if not isinstance(type, TupleType):
        return [type]
    return [leaf for part in type.types for leaf in _leaves(part)]


def _is_in_machine_code(type: Attribute) -> bool:
    row = scalar_of(type)
    return row is not None and row.in_machine_code


def element_type(type: Attribute) -> Attribute:
    """The scalar type of a tensor; a scalar type itself."""
    return type.get_element_type() if is_tensor(type) else type


def type_code(type: Attribute) -> str:
    """The code of a column's or an element's type, as Python text for it.

    `diablo.runtime.column_types` defines the codes.
    """
    return _spelled(type, lambda scalar: scalar.code)


def element_name(type: Attribute) -> str:
    """As `type_code`, with elements named as in the IR, for what the caller of a program gives."""
    return _spelled(type, lambda scalar: scalar.element)


def _spelled(type: Attribute, name: Callable[[Scalar], str]) -> str:
    match type:
        case TupleType():
            return _composed("tuple", [_spelled(part, name) for part in type.types])
        case BagType():
            columns = [_spelled(column, name) for column in type.columns]
            if type.is_map:
                return _composed("map", [str(type.keys.data), *columns])
            return _composed("list", columns)
        case _ if is_tensor(type):
            element = _spelled(type.get_element_type(), name)
            return _composed("tile", [str(type.get_num_dims()), element])
        case _:
            # Kernels compute with integers of any other width as with those of 64 bits.
            return f'"{name(scalar_of(type) or BY_NAME["Int"])}"'


def _composed(kind: str, parts: Iterable[str]) -> str:
    return f'("{kind}", {", ".join(parts)})'

"""How values of the source's types are laid out in the IR.

Tuples and records are *flattened*: a variable, a row or a key has one SSA value or column for
each leaf. They are *packed* into one `tuple<…>` where one value is needed: as the element of
an array, the value of a map, an argument of a user-defined monoid. The elements of arrays that
are lists or maps are packed as well, alone: what an array holds is never a bag itself.

(Int,(Double,Boolean))   ->   leaves i64, f64, i1;   packed tuple<i64, f64, i1>
vector[list[Int]]        ->   tensor<?xtuple<!comprehension.bag<i64>>>
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    NoneAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from diablo.dialects import scalar_types
from diablo.dialects.bags import BagType
from diablo.dialects.encodings import StorageAttr, TilesAttr, as_array, dense_rank, is_tiled
from diablo.dialects.tuple_types import tuple_type
from diablo.frontend.checking.types import (
    ArrayType,
    FunctionType,
    ListType,
    MappedType,
    MapType,
    NothingType,
    RecordType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
)
from diablo.scalar_table import BY_NAME

Value = SSAValue | tuple["Value", ...]
"""A value of the source: one SSA value, or the parts of a tuple or record."""


def parts_of(type: Type) -> tuple[Type, ...] | None:
    """The types of the parts of a tuple or record; none if `type` is neither."""
    if isinstance(type, TupleType | RecordType | MappedType):
        return type.items
    return None


def ir_type(type: Type) -> Attribute:
    """The IR's type for a value of one leaf. An array is stored densely, in tiles."""
    match type:
        case ScalarType():
            return scalar_types.ir_type(BY_NAME[type.name])
        case NothingType():
            return i64
        case ListType():
            return BagType(column_types(type.element))
        case MapType():
            keys = column_types(type.key)
            return BagType([*keys, packed_type(type.value)], len(keys))
        case ArrayType():
            return tensor_type(element_type(type.element), type.rank, TilesAttr(type.rank))
        case TupleType() | RecordType() | MappedType() | FunctionType() | UnknownType():
            raise AssertionError(f"{type} is no type of one value")


def leaf_types(type: Type) -> list[Attribute]:
    """The types of the leaves of a value of `type`."""
    parts = parts_of(type)
    if parts is None:
        return [ir_type(type)]
    return [leaf for part in parts for leaf in leaf_types(part)]


def column_types(row: Type) -> list[Attribute]:
    """The types of the columns that hold values of type `row`: an array there is local."""
    return [local_type(leaf) for leaf in leaf_types(row)]


def packed_type(type: Type) -> Attribute:
    """The type of a value of `type` as one value of a map or one argument of a monoid."""
    columns = column_types(type)
    return columns[0] if len(columns) == 1 else tuple_type(columns)


def element_type(type: Type) -> Attribute:
    """The type of a value of `type` as one element of an array."""
    packed = packed_type(type)
    return tuple_type([packed]) if isinstance(packed, BagType) else packed


def local_type(type: Attribute) -> Attribute:
    """`type`, with an array not in tiles but in one piece, stored as densely as before."""
    if not is_tiled(type):
        return type
    array = as_array(type)
    assert array is not None
    dense, rank = dense_rank(array), array.get_num_dims()
    return tensor_type(array.get_element_type(), rank, StorageAttr(dense) if dense < rank else None)


def tensor_type(element: Attribute, rank: int, encoding: Attribute | None) -> TensorType[Attribute]:
    """An array's type, with all dimensions unknown."""
    return TensorType(element, [DYNAMIC_INDEX] * rank, encoding or NoneAttr())


def flatten(value: Value) -> list[SSAValue]:
    """The leaves of a value, in order."""
    if isinstance(value, SSAValue):
        return [value]
    return [part for item in value for part in flatten(item)]


def width(type: Type) -> int:
    """The number of leaves of a value of `type`."""
    parts = parts_of(type)
    return 1 if parts is None else sum(map(width, parts))


def unflatten(leaves: Sequence[SSAValue], type: Type) -> Value:
    """The value of `type` whose leaves are `leaves`."""
    parts = parts_of(type)
    if parts is None:
        return leaves[0]
    values: list[Value] = []
    for part in parts:
        values.append(unflatten(leaves[: width(part)], part))
        leaves = leaves[width(part) :]
    return tuple(values)


_NUMBERS = re.compile(r"(_\d+)+$")


def set_name(value: SSAValue, name: str) -> None:
    """Name an SSA value after a variable, where the IR can spell it."""
    # Of `x_1_2` the IR keeps `x`; of `_1` nothing would be left.
    stem = _NUMBERS.sub("", name)
    if stem not in ("", "_") and SSAValue.is_valid_name(stem):
        value.name_hint = name

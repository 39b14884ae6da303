"""How values are stored: packed into tuples, in rows, and as another array is stored.

var V = tensor(n)[ … ]; V = tensor(n)(m)[ … ];   the second array is rebuilt, stored as the first
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import IndexType, TensorType, TupleType, i1
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import (
    BuildOp,
    CollectOp,
    EachOp,
    ListOp,
    PackOp,
    StringOp,
    YieldOp,
)
from diablo.dialects.encodings import array_type, as_array
from diablo.dialects.string_functions import StringType
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.ir_types import local_type


def pack(build: Builder, leaves: Iterable[SSAValue]) -> SSAValue:
    """The leaves of a value as one value."""
    leaves = list(leaves)
    return leaves[0] if len(leaves) == 1 else build.add(PackOp(leaves)).result


def pack_element(build: Builder, leaves: Iterable[SSAValue]) -> SSAValue:
    """The leaves of a value as one element of an array, which holds lists in tuples."""
    packed = pack(build, leaves)
    is_bag = isinstance(packed.type, BagType)
    return build.add(PackOp([packed])).result if is_bag else packed


def as_column(build: Builder, value: SSAValue) -> SSAValue:
    """A value as a part of a row, where an array is not stored in tiles."""
    return conform(build, value, local_type(value.type))


def rebuild(
    build: Builder,
    source: SSAValue,
    dims: Iterable[SSAValue],
    type: Attribute,
    *,
    sorted: bool = False,
) -> SSAValue:
    """An array of the rows of another array, or of a list of indices and elements.

    A list without an order is `sorted`.
    """
    block = Block()
    array = as_array(type)
    assert array is not None
    with build.comprehension(block):
        elements = build.add(EachOp(source, sorted=sorted)).elements
        rank = array.get_num_dims()
        keys = [build.as_index(e) for e in elements[:rank]]
        value = pack_element(build, elements[rank:])
        build.add(YieldOp(keys, [conform(build, value, array.get_element_type())]))
    return build.add(BuildOp(list(dims), Region(block), type)).result


def conform(build: Builder, value: SSAValue, wanted: Attribute) -> SSAValue:
    """A value whose arrays are stored as in the type `wanted`."""
    if value.type == wanted:
        return value
    if isinstance(value.type, TensorType):
        dims = [build.dimension(value, d) for d in range(array_type(value).get_num_dims())]
        return rebuild(build, value, dims, wanted)
    assert isinstance(value.type, BagType), f"{value.type} cannot be stored as {wanted}"
    assert isinstance(wanted, BagType)
    block = Block()
    with build.comprehension(block):
        elements = build.add(EachOp(value)).elements
        row = [conform(build, e, t) for e, t in zip(elements, wanted.columns, strict=True)]
        keys = wanted.keys.data
        build.add(YieldOp(row[:keys], row[keys:]))
    return build.add(CollectOp(Region(block), wanted)).result


def implicit(build: Builder, type: Attribute) -> SSAValue:
    """The implicit value of a type: zero, an empty string, an empty list."""
    if isinstance(type, StringType):
        return build.add(StringOp("")).result
    if isinstance(type, TupleType):
        return build.add(PackOp([implicit(build, part) for part in type.types])).result
    if isinstance(type, BagType):
        rows = build.add(ListOp([], BagType(type.columns))).result
        return conform(build, rows, type)
    array = as_array(type)
    if array is not None:
        rank = array.get_num_dims()
        columns = [*[IndexType()] * rank, array.get_element_type()]
        rows = build.add(ListOp([], BagType(columns))).result
        return rebuild(build, rows, [build.index_constant(0) for _ in range(rank)], type)
    return build.constant(False if type == i1 else 0, type)

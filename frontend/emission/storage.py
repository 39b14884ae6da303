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
from diablo.dialects.strings import StringType
from diablo.frontend.emission.ir_types import local_type
from diablo.frontend.emission.placement import PlacementEmitter


class StorageEmitter(PlacementEmitter):
    """The part of the importer that knows how values are stored."""

    def pack(self, leaves: Iterable[SSAValue]) -> SSAValue:
        """The leaves of a value as one value."""
        leaves = list(leaves)
        return leaves[0] if len(leaves) == 1 else self.add(PackOp(leaves)).result

    def as_column(self, value: SSAValue) -> SSAValue:
        """A value as a part of a row, where an array is not stored in tiles."""
        return self.conform(value, local_type(value.type))

    def rebuild(self, source: SSAValue, dims: Iterable[SSAValue], type: Attribute) -> SSAValue:
        """An array of the rows of another array, or of a list of indices and elements."""
        block = Block()
        array = as_array(type)
        assert array is not None
        with self.comprehension(block):
            elements = self.add(EachOp(source)).elements
            rank = array.get_num_dims()
            keys = [self.as_index(e) for e in elements[:rank]]
            value = self.pack(elements[rank:])
            self.add(YieldOp(keys, [self.conform(value, array.get_element_type())]))
        return self.add(BuildOp(list(dims), Region(block), type)).result

    def conform(self, value: SSAValue, wanted: Attribute) -> SSAValue:
        """A value whose arrays are stored as in the type `wanted`."""
        if value.type == wanted:
            return value
        if isinstance(value.type, TensorType):
            dims = [self.dimension(value, d) for d in range(array_type(value).get_num_dims())]
            return self.rebuild(value, dims, wanted)
        assert isinstance(value.type, BagType), f"{value.type} cannot be stored as {wanted}"
        assert isinstance(wanted, BagType)
        block = Block()
        with self.comprehension(block):
            elements = self.add(EachOp(value)).elements
            row = [self.conform(e, t) for e, t in zip(elements, wanted.columns, strict=True)]
            keys = wanted.keys.data
            self.add(YieldOp(row[:keys], row[keys:]))
        return self.add(CollectOp(Region(block), wanted)).result

    def implicit(self, type: Attribute) -> SSAValue:
        """The implicit value of a type: zero, an empty string, an empty list."""
        if isinstance(type, StringType):
            return self.add(StringOp("")).result
        if isinstance(type, TupleType):
            return self.pack(map(self.implicit, type.types))
        if isinstance(type, BagType):
            rows = self.add(ListOp([], BagType(type.columns))).result
            return self.conform(rows, type)
        array = as_array(type)
        if array is not None:
            rank = array.get_num_dims()
            columns = [*[IndexType()] * rank, array.get_element_type()]
            rows = self.add(ListOp([], BagType(columns))).result
            return self.rebuild(rows, [self.index_constant(0) for _ in range(rank)], type)
        return self.constant(False if type == i1 else 0, type)

"""Which buffers stand for a sparse array, by its layout, and the region that they hold.

    tensor<?x?xf64, #tensor_block.storage<dense = 1>>, compressed by rows, 32 bits

is `starts: memref<?xi32>`, `indices: memref<?xi32>`, `values: memref<?xf64>` and its two extents.
A further order adds its own vectors and `entries`, the position of each of its entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerType,
    MemRefType,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from diablo.dialects.encodings import dense_rank
from diablo.dialects.sparse_storage import LayoutAttr, RegionType, iteration_order
from diablo.dialects.sparse_storage.sparse_storage_arrays import values_type
from diablo.format_table import AUTO, FORMATS, Format, class_at, format_for
from diablo.lowering.sparse_storage.kernel_form import Form
from diablo.lowering.sparse_storage.stored_region import StoredOrder, StoredRegion
from diablo.passes.analyses.refused import Refused


def format_of(layout: LayoutAttr) -> Format:
    """Return what is known of the form of a layout; an open one is compressed in kernels."""
    return FORMATS[format_for("lists") if layout.form.data == AUTO else layout.form.data]


def index_element(layout: LayoutAttr) -> IntegerType:
    """The type of an index: 64 bits hold any."""
    return i32 if layout.width.data == 32 else i64


def form_of(
    layout: LayoutAttr, extents: Sequence[SSAValue], list_rank: int, vectors: Sequence[SSAValue]
) -> Form:
    """The form of a layout over vectors."""
    kind: type[Form] = class_at(format_of(layout).kernels)
    return kind.over(extents, list_rank, vectors)


@dataclass(frozen=True)
class SparseArgument:
    """The arguments that stand for a sparse tensor; `layout` says which index vectors."""

    type: TensorType[Attribute]
    layout: LayoutAttr

    @property
    def orders(self) -> list[tuple[int, ...]]:
        """The orders whose vectors there are."""
        first = iteration_order(RegionType(self.type.get_num_dims(), self.layout))
        if not format_of(self.layout).further_orders:
            return [first]
        return [first, *self.layout.dimension_orders[1:]]

    def check(self) -> None:
        """Raise `Refused` if there are no such buffers."""
        format = format_of(self.layout)
        if format.of_matrices and self.type.get_num_dims() != 2:
            raise Refused(f"only a matrix is stored as a {format.name}")
        if format.of_matrices and self.orders[0] != (0, 1):
            raise Refused(f"a {format.name} is kept by rows")

    def arguments(self) -> Iterator[tuple[str, Attribute]]:
        """The name and the type of each."""
        element = index_element(self.layout)
        vector = MemRefType(element, [DYNAMIC_INDEX])
        format = format_of(self.layout)
        for number in range(len(self.orders)):
            suffix = f"_{number}" if number else ""
            for stored in format.vectors:
                wide = MemRefType(i64, [DYNAMIC_INDEX]) if stored.holds == "word" else vector
                yield stored.name + suffix, wide
            if number:
                yield f"entries{suffix}", vector
        values = values_type(self.type)
        if values is not None:
            yield "values", values
        for d in range(self.type.get_num_dims()):
            yield f"d{d}", IndexType()

    def region(self, arguments: Sequence[SSAValue]) -> tuple[StoredRegion, SSAValue | None]:
        """The region that the arguments hold, and the values."""
        rank = self.type.get_num_dims()
        extents = arguments[len(arguments) - rank :]
        format, left = format_of(self.layout), list(arguments[: len(arguments) - rank])
        orders: list[StoredOrder] = []
        for number, order in enumerate(self.orders):
            vectors = [left.pop(0) for _ in format.vectors]
            entries = left.pop(0) if number else None
            box = [extents[d] for d in order]
            form = form_of(self.layout, box, dense_rank(self.type), vectors)
            orders.append(StoredOrder(order, form, entries))
        return StoredRegion(extents, orders), left[0] if left else None

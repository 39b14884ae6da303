"""Generators over an array that each row has of its own.

Reads the `comprehension` level, writes row ops of the `tensor_block` level whose bodies read
the row's array. Where all indices are known the element is read, else the entries become a
bag that is opened:

    %g, %V = each %groups           %r0 = tensor_block.extend %rows { to_bag %V }
    %i, %v = each %V          ==>   %r1 = tensor_block.unnest %r0[2]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, i1
from xdsl.ir import SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.comprehension import BagType, element_types
from diablo.dialects.encodings import array_type
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter
from diablo.lowering.tensor_block.rows.row_table import RowTable, row_token


class RowArrays:
    """Adds generators over arrays of rows to a table."""

    def __init__(self, table: RowTable):
        self.table = table

    def add(self, generator: comprehension.EachOp, known: Mapping[SSAValue, SSAValue]) -> None:
        """Bind what `generator` does; `known` are the values that indices must equal."""
        table, array = self.table, generator.collection
        *indices, element = generator.elements
        sparse = tensor_block.is_sparse(array_type(array))
        if generator.full is None and (sparse or len(known) < len(indices)):
            self._entries(generator)
            for index, value in known.items():
                table.filter_equal(index, value)
            return
        (table.columns[array],) = table.columns_of([array], [array.type])
        for axis, index in enumerate(indices):
            if index in known:
                (table.columns[index],) = table.columns_of([known[index]], [IndexType()])
            else:
                self._every_index(array, axis, index)
        self._read(array, indices, element)

    def _entries(self, generator: comprehension.EachOp) -> None:
        """Open the stored entries of the array."""
        array = generator.collection
        entries = row_token(BagType(element_types(array.type)))
        self.table.extend(
            [array], [entries], lambda e: [e.add(tensor_block.ToBagOp(e.lookup(array)))]
        )
        self.table.unnest(entries, generator.elements)

    def _every_index(self, array: SSAValue, axis: int, index: SSAValue) -> None:
        """Each row once per index of a dimension."""
        table = self.table

        def ends(emitter: BodyEmitter) -> Sequence[SSAValue]:
            number = emitter.constant(IntegerAttr(axis, IndexType()))
            one = emitter.constant(IntegerAttr(1, IndexType()))
            extent = emitter.add(tensor.DimOp(emitter.lookup(array), number))
            return [emitter.zero(IndexType()), emitter.add(arith.SubiOp(extent, one))]

        region = table.region([array], ends)
        table.bag = table.driver.insert(tensor_block.ExpandOp(table.rows, region))
        table.columns[index] = table.width() - 1
        table.number = None

    def _read(self, array: SSAValue, indices: Sequence[SSAValue], element: SSAValue) -> None:
        """The element at the indices; rows whose index lies outside the array go away."""
        found = row_token(i1)

        def probe(emitter: BodyEmitter) -> Sequence[SSAValue]:
            op = comprehension.ProbeOp(emitter.lookup(array), [emitter.lookup(i) for i in indices])
            emitter.add(op)
            return op.results

        self.table.extend([array, *indices], [element, found], probe)
        self.table.filter(found)

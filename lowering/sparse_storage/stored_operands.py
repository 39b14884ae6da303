"""What stands for the inputs of an op: regions and values, and buffers; and its body at a point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from xdsl.dialects import arith, memref, tensor
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, SSAValue

from diablo.dialects.access_maps import LinearIndex, linear_indices
from diablo.dialects.encodings import is_sparse
from diablo.dialects.monoids import zero_of
from diablo.dialects.number_constants import constant_op
from diablo.dialects.sparse_storage import LookupOp, ValueOp
from diablo.lowering.kernel_types import element_type
from diablo.lowering.sparse_storage.emitter import Emitter
from diablo.lowering.sparse_storage.stored_bodies import copy_body
from diablo.passes.analyses.sparsity.driving_regions import Drive, StoredOp
from diablo.passes.analyses.values.linear_forms import (
    linear_form_of,
    write_linear_form,
    write_remainder,
)

Unpacked = tuple[SSAValue, SSAValue | None]
"""A region and the values over it; none for Booleans."""


@dataclass
class Operands:
    """What stands for each value of a kernel.

    `regions` are of its sparse arguments, `buffers` of its dense arrays, `values` of the rest.
    """

    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    buffers: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    regions: dict[SSAValue, Unpacked] = field(default_factory=dict[SSAValue, Unpacked])

    def sparse(self, value: SSAValue) -> Unpacked:
        """The region and the values of a sparse input."""
        return self.regions[value]

    def element_at(self, e: Emitter, values: SSAValue | None, position: SSAValue) -> SSAValue:
        """The stored element at a position."""
        return e.boolean(True) if values is None else e.value(ValueOp(values, position))

    def element_if(
        self,
        e: Emitter,
        values: SSAValue | None,
        position: SSAValue,
        found: SSAValue | None,
        type: Attribute,
    ) -> SSAValue:
        """The element at a position if there is one there, else zero."""
        if found is None:
            return self.element_at(e, values, position)
        if values is None:
            return found
        return e.branch(
            found,
            lambda e: [self.element_at(e, values, position)],
            lambda e: [e.value(constant_op(zero_of(type)))],
        )[0]

    def read(self, e: Emitter, value: SSAValue, indices: list[SSAValue]) -> SSAValue:
        """The element of an input at an index inside of it."""
        if not is_sparse(value.type):
            return e.value(memref.LoadOp.get(self.buffers[value], indices))
        region, values = self.regions[value]
        lookup = e.put(LookupOp(region, indices))
        position, found = lookup.results
        return self.element_if(e, values, position, found, element_type(value.type))

    def value(
        self,
        e: Emitter,
        op: StoredOp,
        drive: Drive,
        indices: Mapping[int, SSAValue],
        elements: Mapping[int, SSAValue],
    ) -> SSAValue:
        """The value of the body at a point; `elements` are known of some inputs."""
        body, rank = op.body.block, len(op.extents)
        inner = dict(self.values)
        stored: set[SSAValue] = set()
        for d, argument in enumerate(body.args[:rank]):
            if argument.uses:
                index = indices[d]
                if op.offsets:
                    index = e.add(index, self.values[op.offsets[d]])
                inner[argument] = index
        for number, argument in enumerate(body.args[rank:]):
            if not argument.uses:
                continue
            element = elements.get(number)
            for known, found in elements.items():
                if (
                    op.inputs[known] is op.inputs[number]
                    and op.indexing_maps.data[known] == op.indexing_maps.data[number]
                ):
                    element = found
                    if drive.kind != "union" or len(drive.inputs) == 1:
                        stored.add(argument)
            if element is None:
                element = self._read_at(e, op, number, indices)
            if element.name_hint is None:
                element.name_hint = argument.name_hint
            inner[argument] = element
        end = body.last_op
        assert end is not None
        united = [body.args[rank + k] for k in drive.inputs] if drive.kind == "union" else []
        ops = [inner_op for inner_op in body.ops if inner_op is not end]
        copy_body(e, ops, inner, stored, united)
        return inner.get(end.operands[0], end.operands[0])

    def _read_at(
        self, e: Emitter, op: StoredOp, number: int, indices: Mapping[int, SSAValue]
    ) -> SSAValue:
        """The element of an input at a point, zero where that is read outside of it."""
        array, accesses = op.inputs[number], linear_indices(op.indexing_maps.data[number].data)
        place = [self.linear(e, op, access, indices) for access in accesses]
        test: SSAValue | None = None
        if not is_sparse(array.type):
            for axis, access in enumerate(accesses):
                if access.alone is not None:
                    continue
                extent = e.value(memref.DimOp(self.buffers[array], e.index(axis)))
                # A negative index is a large one without its sign.
                inside = e.compare("ult", place[axis], extent)
                test = inside if test is None else e.both(test, inside)
        if test is None:
            return self.read(e, array, place)
        zero = constant_op(zero_of(element_type(array.type)))
        (element,) = e.branch(
            test, lambda e: [self.read(e, array, place)], lambda e: [e.value(zero)]
        )
        return element

    def linear(
        self, e: Emitter, op: StoredOp, access: LinearIndex, indices: Mapping[int, SSAValue]
    ) -> SSAValue:
        """A linear index at a point."""
        symbols = [self.values[symbol] for symbol in op.symbols]
        form = linear_form_of(access, indices, symbols)
        total = write_linear_form(form, e.value, constant=e.index)
        if access.period is None:
            return total
        period = self.linear(e, op, LinearIndex(outside=access.period), indices)
        return write_remainder(total, period, e.value)

    def is_extent(self, extent: SSAValue, array: SSAValue, axis: int) -> bool:
        """Return whether `extent` is how large `array` is along an axis."""
        owner = extent.owner
        return (
            isinstance(owner, tensor.DimOp)
            and owner.source is array
            and isinstance(constant := owner.index.owner, arith.ConstantOp)
            and isinstance(constant.value, IntegerAttr)
            and constant.value.value.data == axis
        )

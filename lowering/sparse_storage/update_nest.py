"""A map that changes a dense array where a sparse input stores elements, as loops over these.

    for row in R: for (column, p) in R[row, *]:
      i, j = row + 1, column + 1                       R is read at [d0 - 1, d1 - 1]
      if 0 <= i < n and 0 <= j < m: T[i, j] = body(…)

The result begins as a copy of the array that it is elsewhere, or as zeros
(passes/analyses/sparsity/stored_updates.py); the one who calls the kernel may have seen to that.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import BlockArgument, SSAValue

from diablo.dialects.access_maps import LinearIndex, linear_indices
from diablo.dialects.monoids import zero_of
from diablo.dialects.number_constants import constant_op
from diablo.dialects.tensor_block import MapOp
from diablo.lowering.kernel_types import element_type
from diablo.lowering.sparse_storage.argument_layouts import outer_dimension
from diablo.lowering.sparse_storage.emitter import Emitter
from diablo.lowering.sparse_storage.region_loops import (
    Generators,
    over_box,
    over_range,
    over_stored,
    slice_region,
)
from diablo.lowering.sparse_storage.stored_operands import Operands
from diablo.passes.analyses.sparsity.driving_regions import Drive


@dataclass
class UpdateNest:
    """Writes the loops of `op`, which runs over the one input of `drive`.

    `bounds`, if given, are the rows of that input to go through. If `begun`, the result is there.
    """

    op: MapOp
    drive: Drive
    operands: Operands
    bounds: tuple[SSAValue, SSAValue] | None
    begun: bool
    buffer: SSAValue = field(init=False)

    def emit(self, e: Emitter) -> None:
        """Append the loops; `buffer` is the result then."""
        op = self.op
        (number,) = self.drive.inputs
        self._extents = [self.operands.values[extent] for extent in op.extents]
        self._accesses = linear_indices(op.indexing_maps.data[number].data)
        element = element_type(op.result.type)
        type = MemRefType(element, [DYNAMIC_INDEX] * len(self._extents))
        alloc = memref.AllocOp(self._extents, [], type)
        self.buffer = e.value(alloc, op.result.name_hint or "result")
        if not self.begun:
            self._begin(e)
        array = op.inputs[number]
        region, values = self.operands.sparse(array)

        def rest(e: Emitter, fixed: Mapping[int, SSAValue]) -> None:
            def entry(e: Emitter, found: list[SSAValue], p: SSAValue, _: Generators) -> None:
                stored = self.operands.element_at(e, values, p)
                indices = list(found)
                for axis, index in fixed.items():
                    indices.insert(axis, index)
                self._inside(e, indices, stored, fixed)

            over_stored(e, slice_region(e, region, fixed), entry)

        assert isinstance(array, BlockArgument)
        outer = outer_dimension(array)
        if outer is None:
            rest(e, {})
            return

        def one_list(e: Emitter, index: SSAValue, _: Generators) -> None:
            point = self._point(e, outer, index)
            tests = self._tests(e, outer, point)
            e.guarded(tests, lambda e: rest(e, {outer: index}))

        extent = tensor.DimOp(self.operands.values[array], e.index(outer))
        begin, end = self.bounds or (e.index(0), e.value(extent))
        over_range(e, begin, end, one_list, hint="column" if outer else "row")

    def _begin(self, e: Emitter) -> None:
        kept = self.drive.kept
        zero: SSAValue | None = None
        if kept is None:
            zero = e.value(constant_op(zero_of(element_type(self.op.result.type))))

        def at(e: Emitter, indices: list[SSAValue]) -> None:
            value = zero
            if kept is not None:
                value = self.operands.read(e, self.op.inputs[kept], indices)
            assert value is not None
            e.put(memref.StoreOp.get(value, self.buffer, indices))

        over_box(e, self._extents, at)

    # ---- from the indices of an entry to a point -----------------------------------

    def _point(self, e: Emitter, axis: int, index: SSAValue) -> SSAValue:
        """The index of the space at which an axis of the region has `index`."""
        access = self._accesses[axis]
        if access.outside.number == 0:
            return index
        start = LinearIndex(outside=access.outside)
        return e.subtract(index, self.operands.linear(e, self.op, start, {}))

    def _tests(self, e: Emitter, axis: int, point: SSAValue) -> list[SSAValue]:
        """Return what has to hold of an index for the space to have it."""
        access = self._accesses[axis]
        (d,) = access.dimensions
        tests = [e.compare("slt", point, self._extents[d])]
        if access.outside.terms or access.constant > 0:
            tests.append(e.compare("sge", point, e.index(0)))
        return tests

    def _inside(
        self, e: Emitter, indices: Sequence[SSAValue], stored: SSAValue, tested: Container[int]
    ) -> None:
        points = [self._point(e, axis, index) for axis, index in enumerate(indices)]
        tests = [
            test
            for axis, point in enumerate(points)
            if axis not in tested
            for test in self._tests(e, axis, point)
        ]
        place = {
            d: point
            for access, point in zip(self._accesses, points, strict=True)
            for d in access.dimensions
        }

        def write(e: Emitter) -> None:
            target = [place[d] for d in range(len(place))]
            elements = {self.drive.inputs[0]: stored}
            kept = self.drive.kept
            if kept is not None and self.op.body.block.args[len(place) + kept].uses:
                elements[kept] = e.value(memref.LoadOp.get(self.buffer, target))
            value = self.operands.value(e, self.op, self.drive, place, elements)
            e.put(memref.StoreOp.get(value, self.buffer, target))

        e.guarded(tests, write)

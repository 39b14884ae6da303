"""A sparse map whose inputs store elements at different indices, as loops that merge their rows.

    k = place
    for i: for j in A[i, *] or B[i, *]:
      v = body(…)
      indices[k], values[k] = j, v
      k += 1 if v != 0                       (a scan: k is what it gives less that)
      ends[i] = k

The result has a region of its own, in compressed rows: what is written are its vectors. Where an
element goes depends on those before it, so a call is told where to begin. A zero is written over.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IndexType, i32, i64
from xdsl.dialects.memref import StoreOp
from xdsl.ir import SSAValue

from diablo.dialects.monoids import zero_of
from diablo.dialects.multiloop import ScanType
from diablo.dialects.number_constants import constant_op
from diablo.dialects.tensor_block import MapOp
from diablo.lowering.kernel_types import element_type
from diablo.lowering.sparse_storage.emitter import Emitter
from diablo.lowering.sparse_storage.region_loops import Generators, emit, over_range
from diablo.lowering.sparse_storage.stored_loops import Elements, Indices, StoredLoops
from diablo.lowering.sparse_storage.stored_operands import Operands
from diablo.passes.analyses.sparsity.driving_regions import Drive


@dataclass
class MergedNest:
    """Writes the loops of `op`, which runs over the inputs of `drive` jointly.

    `bounds` are the rows that are computed, and `place` is where their first entry goes.
    """

    op: MapOp
    drive: Drive
    operands: Operands
    bounds: tuple[SSAValue, SSAValue]
    place: SSAValue

    def emit(self, e: Emitter) -> list[SSAValue]:
        """Append the loops; return the buffers of the ends of rows, the indices and the values."""
        op, name = self.op, self.op.result.name_hint or "result"
        extents = [self.operands.values[extent] for extent in op.extents]
        loops = StoredLoops(op, self.drive, self.operands, extents, exact=True)
        element = element_type(op.result.type)
        # How large those are that the caller hands over is its own affair.
        room = e.index(0)
        ends, indices = (e.allocate(i32, room, f"{name}_{part}") for part in ("ends", "indices"))
        values = e.allocate(element, room, f"{name}_values")
        zero = e.value(constant_op(zero_of(element)))

        def entry(e: Emitter, found: Indices, elements: Elements, counts: SSAValue) -> None:
            value = self.operands.value(e, op, self.drive, found, elements)
            if isinstance(element, AnyFloat):
                stored = e.value(arith.CmpfOp(value, zero, "une"))
            else:
                stored = e.value(arith.CmpiOp(value, zero, "ne"))
            step = e.value(arith.IndexCastOp(e.value(arith.ExtUIOp(stored, i64)), IndexType()))
            count = emit(e, counts, step).so_far
            k = e.add(self.place, e.subtract(count, step))
            e.store(found[1], indices, k)
            e.put(StoreOp.get(value, values, [k]))

        def row(e: Emitter, index: SSAValue, own: Generators) -> None:
            (counts,) = own
            loops.stored(e, {0: index}, lambda e, i, elements, _: entry(e, i, elements, counts))
            count = emit(e, counts, e.index(0)).so_far
            e.store(e.add(self.place, count), ends, index)

        counting = ScanType("add", IndexType())
        over_range(e, *self.bounds, row, [counting], hint=loops.hint(0))
        return [ends, indices, values]

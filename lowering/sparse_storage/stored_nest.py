"""One `tensor_block` op as loops over the stored elements of its sparse inputs.

The leading dimensions that the region shares with the result are looped over, and the part of
the region in each is iterated:

    for i: acc = identity; for (j, p) in R[i, *]: acc = acc + body(values[p], x[j]); out[i] = acc

Where an index of the result is not among them (column sums, products with a matrix) the result
is set to the identity first, and accumulated in memory. A result with the pattern of an input
is a vector of values by position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import BlockArgument, SSAValue

from diablo.dialects.encodings import is_sparse
from diablo.dialects.monoids import identity
from diablo.dialects.multiloop import GeneratorType, LoopOp, ReduceType
from diablo.dialects.number_constants import constant_op
from diablo.dialects.simt import say_apart
from diablo.dialects.sparse_storage import PackOp, SizeOp, region_type
from diablo.dialects.tensor_block import MapOp
from diablo.lowering.kernel_types import element_type, is_tensor
from diablo.lowering.llvm.monoid_folds import combine_freely
from diablo.lowering.sparse_storage.argument_layouts import is_without_lists, outer_dimension
from diablo.lowering.sparse_storage.emitter import Emitter
from diablo.lowering.sparse_storage.region_loops import Generators, emit, over_box, over_range
from diablo.lowering.sparse_storage.stored_loops import Elements, Indices, StoredLoops
from diablo.lowering.sparse_storage.stored_operands import Operands
from diablo.passes.analyses.sparsity.driving_regions import Drive, StoredOp, parallel_rank


@dataclass
class StoredNest:
    """Writes the loops of `op`, which runs over `drive`.

    `bounds`, if given, is the part of the first dimension of the region that is computed. With
    `exact` sparse inputs have the extents of the iteration space and no more. With `threads` it is
    said of loops over rows that these store apart from each other, as positions are.
    """

    op: StoredOp
    drive: Drive
    operands: Operands
    bounds: tuple[SSAValue, SSAValue] | None
    exact: bool
    threads: bool = False
    buffer: SSAValue | None = field(default=None, init=False)

    def emit(self, e: Emitter) -> SSAValue | None:
        """Append the loops; return the result if it is a scalar or a sparse array."""
        op = self.op
        self._extents = [self.operands.values[extent] for extent in op.extents]
        self._loops = StoredLoops(op, self.drive, self.operands, self._extents, self.exact)
        rank = parallel_rank(op)
        self._axes = axes = [self.drive.axes[k] for k in self._loops.order]
        if is_sparse(op.result.type):
            return self._same_pattern(e)
        shared = 0
        while shared < len(axes) and axes[shared] < rank:
            shared += 1
        region, _ = self.operands.sparse(op.inputs[self.drive.inputs[0]])
        whole = is_without_lists(region_type(region).layout)
        shared = 0 if whole else min(shared, len(axes) - 1)
        if not is_tensor(op.result.type):
            return self._scalar(e)
        shape = self._extents[:rank]
        type = MemRefType(element_type(op.result.type), [DYNAMIC_INDEX] * rank)
        self.buffer = e.value(memref.AllocOp(shape, [], type), op.result.name_hint or "result")
        lead = axes[:shared]
        if sorted(lead) == list(range(rank)):
            self._lead(e, lead, {}, self._row)
        elif lead:
            self._lead(e, lead, {}, self._row_in_memory)
        else:
            self._fill(e, list(range(rank)), {})
            self._accumulate(e, {})
        return None

    def _range(self, e: Emitter, d: int) -> tuple[SSAValue, SSAValue]:
        if self.bounds is not None and d == self._axes[0]:
            return self.bounds
        return e.index(0), self._extents[d]

    def _lead(
        self,
        e: Emitter,
        lead: Sequence[int],
        indices: Indices,
        row: Callable[[Emitter, Indices], None],
    ) -> None:
        """Loops over the dimensions `lead` around `row`."""
        if not lead:
            row(e, indices)
            return
        d = lead[0]

        def at(e: Emitter, index: SSAValue, _: Generators) -> None:
            self._lead(e, lead[1:], {**indices, d: index}, row)

        over_range(e, *self._range(e, d), at, hint=self._loops.hint(d))

    def _has_lists(self) -> bool:
        """Return whether the region has a list for each index of its first dimension."""
        source = self.op.inputs[self.drive.inputs[0]]
        assert isinstance(source, BlockArgument)
        return outer_dimension(source) is not None

    # What is done where

    def _identity(self, e: Emitter) -> SSAValue:
        assert not isinstance(self.op, MapOp)
        element = element_type(self.op.result.type)
        return e.value(constant_op(identity(self.op.monoid.data, element)), "identity")

    def _combine(self, e: Emitter, left: SSAValue, right: SSAValue) -> SSAValue:
        assert not isinstance(self.op, MapOp)
        return e.value(combine_freely(self.op.monoid.data, left, right))

    @property
    def _total(self) -> GeneratorType:
        """What folds to an element of the result."""
        assert not isinstance(self.op, MapOp)
        return ReduceType(self.op.monoid, element_type(self.op.result.type))

    def _fold(self, e: Emitter, indices: Indices, elements: Elements, acc: SSAValue) -> None:
        """Emit the values of all points that share the indices so far."""

        def point(e: Emitter, indices: Indices) -> None:
            emit(e, acc, self.operands.value(e, self.op, self.drive, indices, elements))

        self._rest(e, indices, point)

    def _folded(self, e: Emitter, indices: Indices, elements: Elements) -> SSAValue:
        """The fold of all points that share the indices so far."""
        left = [d for d in range(len(self._extents)) if d not in indices]
        if not left:
            value = self.operands.value(e, self.op, self.drive, indices, elements)
            return self._combine(e, self._identity(e), value)

        def at(e: Emitter, index: SSAValue, own: Generators) -> None:
            self._fold(e, {**indices, left[0]: index}, elements, own[0])

        return over_range(e, e.index(0), self._extents[left[0]], at, [self._total])[0]

    def _rest(self, e: Emitter, indices: Indices, body: Callable[[Emitter, Indices], None]) -> None:
        """Loops over the dimensions that have no index yet, all of their indices."""
        left = [d for d in range(len(self._extents)) if d not in indices]

        def at(e: Emitter, found: list[SSAValue]) -> None:
            body(e, {**indices, **dict(zip(left, found, strict=True))})

        over_box(e, [self._extents[d] for d in left], at)

    def _stored_total(self, e: Emitter, indices: Indices) -> SSAValue:
        """The fold of all entries that share the indices so far."""

        def entry(e: Emitter, found: Indices, elements: Elements, own: Generators) -> None:
            self._fold(e, found, elements, own[0])

        return self._loops.stored(e, indices, entry, [self._total])[0]

    def _row(self, e: Emitter, indices: Indices) -> None:
        """One element of the result, in a register."""
        self._store(e, indices, self._stored_total(e, indices))

    def _scalar(self, e: Emitter) -> SSAValue:
        """One number: by the first dimension, if the region has lists for it."""
        first = self._axes[0]
        if not self._has_lists():
            return self._stored_total(e, {})

        def at(e: Emitter, index: SSAValue, own: Generators) -> None:
            def entry(e: Emitter, found: Indices, elements: Elements, _: Generators) -> None:
                self._fold(e, found, elements, own[0])

            self._loops.stored(e, {first: index}, entry)

        hint = self._loops.hint(first)
        return over_range(e, *self._range(e, first), at, [self._total], hint=hint)[0]

    def _row_in_memory(self, e: Emitter, indices: Indices) -> None:
        others = [d for d in range(parallel_rank(self.op)) if d not in indices]
        self._fill(e, others, indices)
        self._accumulate(e, indices)

    def _fill(self, e: Emitter, dimensions: Sequence[int], indices: Indices) -> None:
        """Set the elements with these indices to the identity."""
        neutral = self._identity(e)

        def at(e: Emitter, found: list[SSAValue]) -> None:
            self._store(e, {**indices, **dict(zip(dimensions, found, strict=True))}, neutral)

        over_box(e, [self._extents[d] for d in dimensions], at)

    def _accumulate(self, e: Emitter, indices: Indices) -> None:
        """Combine each point's value with the element of the result that it goes to."""

        def update(e: Emitter, indices: Indices, elements: Elements, _: Generators) -> None:
            def point(e: Emitter, indices: Indices) -> None:
                value = self.operands.value(e, self.op, self.drive, indices, elements)
                load = memref.LoadOp.get(*self._place(indices))
                self._store(e, indices, self._combine(e, e.value(load, "acc"), value))

            self._rest(e, indices, point)

        self._loops.stored(e, indices, update)

    def _place(self, indices: Indices) -> tuple[SSAValue, list[SSAValue]]:
        assert self.buffer is not None
        return self.buffer, [indices[d] for d in range(parallel_rank(self.op))]

    def _store(self, e: Emitter, indices: Indices, value: SSAValue) -> None:
        e.put(memref.StoreOp.get(value, *self._place(indices)))

    def _shared(self, e: Emitter, position: SSAValue) -> dict[int, SSAValue]:
        """The elements at a position of the inputs that have the region of the first one."""
        arrays = {number: self.op.inputs[number] for number in self.drive.inputs[1:]}
        return {
            number: self.operands.element_at(e, self.operands.sparse(array)[1], position)
            for number, array in arrays.items()
        }

    def _same_pattern(self, e: Emitter) -> SSAValue:
        """The values of the result at the positions of the region."""
        op = self.op
        region, _ = self.operands.sparse(op.inputs[self.drive.inputs[0]])
        size = e.value(SizeOp(region), "size")
        element = element_type(op.result.type)
        values = e.allocate(element, size, op.result.name_hint or "values")

        def row(e: Emitter, indices: Indices) -> None:
            def at(
                e: Emitter,
                indices: Indices,
                elements: Elements,
                position: SSAValue,
            ) -> None:
                if isinstance(op, MapOp):
                    elements = {**elements, **self._shared(e, position)}
                    value = self.operands.value(e, op, self.drive, indices, elements)
                else:
                    value = self._folded(e, indices, elements)
                e.put(memref.StoreOp.get(value, values, [position]))

            self._loops.positions(e, indices, at)

        self._lead(e, self._axes[:1] if self._has_lists() else [], {}, row)
        if self.threads and self._has_lists():
            rows = e.block.last_op
            assert isinstance(rows, LoopOp)
            say_apart(rows)
        return e.value(PackOp(region, values, op.result.type), op.result.name_hint)

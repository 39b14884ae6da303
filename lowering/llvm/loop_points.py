"""What is done at one point of an iteration space: elements are loaded, the body is computed.

  %A[d0 - 1] at %i
=>
  %place = %i - 1    %inside = 0 <= %place < size of %A
  scf.if %inside -> (f64) { memref.load %A[%place] } else { 0.0 }
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Block, Operation, Region, SSAValue

from diablo.dialects.access_maps import LinearIndex, picks_dimensions
from diablo.dialects.monoids import zero_of
from diablo.dialects.number_constants import constant_op
from diablo.lowering.llvm.inner_ranges import all_of, is_inside
from diablo.lowering.llvm.line_buffers import LineBuffers
from diablo.lowering.llvm.loop_ops import HasLocation, append
from diablo.lowering.llvm.loop_plan import LoopPlan
from diablo.lowering.llvm.tuple_parts import TupleParts
from diablo.lowering.llvm.wrapped_places import Indices, WrappedPlaces, is_near, linear_value
from diablo.passes.analyses.loops.body_domains import Domain
from diablo.passes.analyses.loops.iterations import Iteration


def place_in_strip(
    block: Block, place: list[SSAValue], start: SSAValue | None, source: HasLocation
) -> list[SSAValue]:
    """Return where an element is in an array that holds the rows from `start` on, if it does."""
    if start is None:
        return place
    row = append(block, arith.SubiOp(place[0], start), source).results[0]
    return [row, *place[1:]]


@dataclass
class Points:
    """Writes the points of `op`; `values` says what stands for each value of the kernel.

    Of tuples, and arrays of them, `tuples` says it: one value or buffer for each part.

    `domain` is the box outside of which the body does no work. Where the current loop is `inside`,
    all that is read lies inside its array and the domain, and sums over rows are in `lines`, if
    they have been computed; elsewhere `along` holds the tests of inputs that do not vary along
    the loop, if they have been made. Where it is `beside` the domain, nothing is to be computed.
    In plain loops a point is asked whether it is inside, unless it `is_tested`. An array with one
    of `starts` holds a strip, from that row on.
    """

    op: Iteration
    plan: LoopPlan
    values: dict[SSAValue, SSAValue]
    domain: Domain | None
    tuples: dict[SSAValue, list[SSAValue]] = field(default_factory=dict[SSAValue, list[SSAValue]])
    inside: bool = False
    beside: bool = False
    is_tested: bool = False
    along: dict[int, list[SSAValue]] | None = None
    lines: LineBuffers | None = None
    starts: Mapping[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    wrapped: WrappedPlaces = field(init=False)
    _elements: dict[tuple[Block, int], list[SSAValue]] = field(
        default_factory=dict[tuple[Block, int], list[SSAValue]], init=False
    )

    def __post_init__(self) -> None:
        op = self.op
        reads = {
            (number, axis): index
            for number, axes in enumerate(self.plan.inputs)
            for axis, index in enumerate(axes)
            if index.period is not None
        }
        arrays = [self.buffers(v)[0] for v in op.inputs]
        symbols = [self.values[s] for s in op.symbols]
        self.wrapped = WrappedPlaces(reads, arrays, symbols, divides=self.plan.plain)

    def buffers(self, array: SSAValue) -> list[SSAValue]:
        """Return what stands for an array: one buffer, or one for each part of its tuples."""
        return self.tuples.get(array) or [self.values[array]]

    def point(self, block: Block, indices: Indices) -> list[SSAValue]:
        """The values of the body at one point; of a tuple its parts."""
        if self.beside and self.domain is not None:
            return self._otherwise(block, indices, self.domain.otherwise)
        copy = TupleParts(dict(self.values), dict(self.tuples))
        inner = copy.values
        for d, argument in enumerate(self.op.indices):
            if d not in self.op.read_indices:
                continue
            index = indices[d]
            if self.op.offsets:
                offset = self.values[self.op.offsets[d]]
                index = append(block, arith.AddiOp(index, offset), self.op).results[0]
            inner[argument] = index
        for number, argument in enumerate(self.op.elements):
            if self._is_read(argument):
                copy.bind(argument, self._shared(block, number, indices, argument.name_hint))
        for op in self.needed():
            if self.lines is not None and op in self.lines.plan.inside:
                planned = self.lines.plan.sums.get(op)
                if planned is not None:
                    inner[op.results[0]] = self.lines.sum(block, planned, inner, indices)
            else:
                copy.copy([op], block)
        if self.inside and self.domain is not None:
            return copy.parts(self.domain.value)
        return [part for value in self.op.values for part in copy.parts(value)]

    def _otherwise(self, block: Block, indices: Indices, value: SSAValue) -> list[SSAValue]:
        """The value beside the domain: a constant, an element of an input, or from outside."""
        copy = TupleParts(dict(self.values), dict(self.tuples))
        for number, argument in enumerate(self.op.elements):
            if argument is value:
                copy.bind(argument, self._element(block, number, indices, argument.name_hint))
        if isinstance(value.owner, Operation) and value.owner.parent is not self.op.origin.parent:
            copy.copy([value.owner], block)
        return copy.parts(value)

    def needed(self, inside: bool | None = None) -> list[Operation]:
        """The ops of the body that a point takes, in order."""
        if self.domain is not None and (self.inside if inside is None else inside):
            return self.domain.needed()
        return list(self.op.ops)

    def _is_read(self, argument: SSAValue) -> bool:
        """Return whether a point takes an element itself, and not just in a sum over rows."""
        if self.lines is None:
            return bool(argument.uses)
        plan = self.lines.plan
        if any(use.operation not in plan.inside for use in argument.uses):
            return True
        sums = plan.sums.values()
        if any(argument in sources for planned in sums for _, sources in planned.groups):
            return True
        return argument in plan.factors

    def place(
        self, block: Block, number: int, indices: Indices, outer: bool = False
    ) -> list[SSAValue]:
        """Return where an input is read at a point, or the row in which it is."""
        axes = self.plan.inputs[number]
        straight = self.plan.plain and self.inside

        def along(axis: int, index: LinearIndex) -> SSAValue:
            if index.alone is not None:
                return indices[index.alone]
            read = number, axis
            is_free = straight and read not in self.wrapped.settled
            if is_free and self.is_turned(index):
                return self.wrapped.beside(block, read, indices)
            if self._stays_inside(index):
                return linear_value(block, index.sum, indices, self.wrapped.symbols, stays=True)
            if index.period is None or is_free:
                return linear_value(block, index.sum, indices, self.wrapped.symbols)
            return self.wrapped.place(block, read, self.plan.peel, indices)

        place = [along(axis, index) for axis, index in enumerate(axes[:-1] if outer else axes)]
        return place_in_strip(block, place, self.starts.get(self.op.inputs[number]), self.op)

    def _stays_inside(self, index: LinearIndex) -> bool:
        """Return whether an index lies inside for each place of the loop that is cut in three.

        LLVM reads `2 * i` of neighbouring places by wide loads only if it is told that this does
        not wrap around.
        """
        return (
            self.inside
            and index.period is None
            and [*index.dimensions] == [self.plan.peel]
            and is_near(index, [index.constant])
        )

    def is_turned(self, index: LinearIndex) -> bool:
        """Return whether an index that wraps around is brought inside at a point that is inside.

        It is what stands beside an index that the loops have, and not what is written out.
        """
        return (
            index.period is not None
            and is_near(index, [index.constant])
            and not any(d in self.plan.unrolled for d in index.dimensions)
        )

    def row_start(self, block: Block, number: int, indices: Indices) -> SSAValue:
        """Return where an input is read along its last axis, less the constant of its index."""
        last = len(self.plan.inputs[number]) - 1
        index = self.plan.inputs[number][last].without_constant
        if index.period is None:
            return linear_value(block, index, indices, self.wrapped.symbols)
        return self.wrapped.start(block, (number, last), self.plan.peel, indices)

    def row_period(self, number: int) -> SSAValue | None:
        """Return at what the last index of an input wraps around, if it does."""
        read = number, len(self.plan.inputs[number]) - 1
        return self.wrapped.period(read) if read in self.wrapped.reads else None

    def load_in_row(
        self, block: Block, number: int, indices: Indices, along: SSAValue, around: bool
    ) -> SSAValue:
        """An element of an input at a place along its last axis, a turn away if need be."""
        period = self.row_period(number) if around else None
        if period is not None:
            along = self.wrapped.turned(block, along, period)
        place = [*self.place(block, number, indices, outer=True), along]
        load = memref.LoadOp.get(self.values[self.op.inputs[number]], place)
        return append(block, load, self.op).results[0]

    def _shared(
        self, block: Block, number: int, indices: Indices, hint: str | None
    ) -> list[SSAValue]:
        """The element of an input at a point, once for all that are written out and read it."""
        unrolled = self.plan.unrolled
        axes = self.plan.inputs[number]
        if not unrolled or any(d in unrolled for axis in axes for d in axis.dimensions):
            return self._element(block, number, indices, hint)
        key = block, number
        if key not in self._elements:
            self._elements[key] = self._element(block, number, indices, hint)
        return self._elements[key]

    def _element(
        self, block: Block, number: int, indices: Indices, hint: str | None
    ) -> list[SSAValue]:
        """The element of an input at a point, in parts: zero outside of the input."""
        value = self.op.inputs[number]
        axes = self.plan.inputs[number]
        shifted = not picks_dimensions(self.op.indexing_maps[number].data)
        place = self.place(block, number, indices)
        buffers = self.buffers(value)
        straight = [axis for axis, index in enumerate(axes) if index.period is None]
        test: SSAValue | None = None
        if shifted and straight and not self.inside:
            if self.along is None or number not in self.along:
                test = is_inside(block, place, buffers[0], straight)
            elif self.along[number]:
                test = all_of(block, self.along[number])
        loads = [memref.LoadOp.get(buffer, place) for buffer in buffers]
        if test is None:
            return [append(block, load, self.op, hint).results[0] for load in loads]
        then, otherwise = Block(), Block()
        elements = [load.results[0] for load in loads]
        then.add_ops([*loads, scf.YieldOp(*elements)])
        zeros = [constant_op(zero_of(element.type)) for element in elements]
        otherwise.add_ops([*zeros, scf.YieldOp(*[zero.result for zero in zeros])])
        types = [element.type for element in elements]
        choice = scf.IfOp(test, types, Region(then), Region(otherwise))
        return list(append(block, choice, self.op, hint).results)

"""Ops that `choose-strips` has put into a group: one kernel for each strip of their arrays.

    %p = tensor_block.reduce add (%X, %w) … {tensor_block.strips = array<i64: 0, 0>}
    %g = tensor_block.reduce add (%X, %p) … {tensor_block.strips = array<i64: 0, 1>}
  ==>
    %s = spark.strips %X along 0
    %1 = spark.map @kernel_0(%s) captures(%w)                  // p, g
    %g = spark.collect_strips %1 along [-1] folded [add]

What the driver has is sent: of what is read along the strips each kernel gets its part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.builder import Builder
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, Region, SSAValue

from diablo.dialects import spark, tensor_block
from diablo.dialects.access_maps import LinearIndex, access_map
from diablo.dialects.encodings import is_tiled
from diablo.dialects.locations import located
from diablo.lowering.spark.conversion import Captures, Conversion, converted_type, map_dims
from diablo.lowering.spark.outlined_kernels import (
    Argument,
    box_arguments,
    local_value_type,
    uses_indices,
)
from diablo.passes.analyses.plans.size_estimates import extent_number, extent_numbers
from diablo.passes.analyses.plans.strip_groups import Strip, StripOp, strip_group
from diablo.passes.analyses.values.free_values import free_values


def convert_strips(conversion: Conversion, op: Operation) -> bool:
    """Convert the group of an op with the last op of it; return whether it is in a group."""
    group = strip_group(op)
    if group and group[-1].op is op:
        _Group(conversion, group).convert()
    return bool(group)


_Read = tuple[SSAValue, int | None]
"""An array that the ops of a group are given, and along which axis it is cut, if it is."""


@dataclass
class _Group:
    conversion: Conversion
    strips: Sequence[Strip]
    reads: list[_Read] = field(default_factory=list[_Read])
    dims: list[SSAValue] = field(default_factory=list[SSAValue])
    """The extents that kernels get: that which is cut, and others."""
    places: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """Which of these an extent is that is not cut."""
    numbers: dict[int, int] = field(default_factory=dict[int, int])
    """Which of these has a number of elements, where that is known."""

    @property
    def last(self) -> Operation:
        return self.strips[-1].op

    def convert(self) -> None:
        """Write the job, and what the driver has of it."""
        conversion, last, first = self.conversion, self.last, self.strips[0]
        self.dims = [conversion.of(first.op.extents[first.cut])]
        self._find_reads()
        leaving = [strip for strip in self.strips if _leaves(strip, self.strips)]
        tiled = [read for read in self.reads if _is_cut_by_workers(read)]
        sent = [read for read in self.reads if read not in tiled]
        sent.sort(key=lambda read: read[1] is None)  # Those that are cut come first.
        cut = [self._places(value, axis) for value, axis in sent if axis is not None]
        crops = [access_map([LinearIndex.of(p) for p in places], len(self.dims)) for places in cut]
        captures = conversion.captures(last, free_values([s.op.body for s in self.strips]))
        kernel = self._kernel([*tiled, *sent], captures, leaving)
        operands = [
            *[conversion.broadcast(conversion.of(value), last) for value, _ in sent],
            *captures.operands(conversion, last),
        ]
        delivered = [self._cut(value, axis or 0) for value, axis in tiled]
        values = [local_value_type(strip.op.result.type) for strip in leaving]
        type = spark.RDDType([IndexType()], values)
        if len(delivered) == 1:
            run = spark.MapOp(kernel, delivered[0], self.dims, operands, type, crops=crops)
            parts = conversion.add(run, last)
        else:
            group = conversion.add(spark.CogroupOp(delivered, grid=self.dims[:1]), last)
            maps = [access_map([LinearIndex.of(0)], len(self.dims))] * len(delivered)
            runs = spark.MapGroupsOp(kernel, group, self.dims, operands, maps, type, crops=crops)
            parts = conversion.add(runs, last)
        folded = [strip for strip in leaving if strip.axis is None]
        dims = [dim for s in folded for dim in conversion.all_of(s.op.extents[: s.parallel])]
        collected = conversion.insert(spark.CollectStripsOp(parts, _ways(leaving), dims), last)
        for strip, whole in zip(leaving, collected.wholes, strict=True):
            self._define(strip, whole)

    def _find_reads(self) -> None:
        """Find what the group is given, and the extents that its ops know."""
        made = {strip.op.result for strip in self.strips}
        for strip in self.strips:
            reads = [read for read in dict.fromkeys(_reads(strip)) if read[0] not in made]
            self.reads += [read for read in reads if read not in self.reads]
            for dimension, extent in enumerate(strip.op.extents):
                if dimension != strip.cut:
                    self._place(self.conversion.of(extent), extent_number(extent))

    def _place(self, dim: SSAValue, number: int | None) -> int:
        """Return which of the extents of a kernel one is that is not cut; add it if need be.

        The first is that which is cut, of which kernels get a part: another one is another one,
        however long it is.
        """
        place = self.places.get(dim)
        if place is None and number is not None:
            place = self.numbers.get(number)
        if place is None:
            place = len(self.dims)
            self.dims.append(dim)
        self.places[dim] = place
        if number is not None:
            self.numbers[number] = place
        return place

    def _places(self, value: SSAValue, axis: int) -> list[int]:
        """Return which dimensions an array of the driver has that is cut along an axis."""
        own = self.conversion.dims[self.conversion.of(value)]
        known = zip(own, extent_numbers(value), strict=True)
        return [0 if d == axis else self._place(*extent) for d, extent in enumerate(known)]

    def _cut(self, value: SSAValue, axis: int) -> SSAValue:
        """The strips of a distributed array: the tiles of a vector are its strips."""
        conversion, array = self.conversion, self.conversion.of(value)
        dims = conversion.dims[array]
        if len(dims) == 1:
            return array
        source = conversion.local_arrays.get(array, array)
        result = conversion.add(spark.StripsOp(source, axis, dims), self.last)
        result.name_hint = array.name_hint
        return result

    def _kernel(self, reads: Sequence[_Read], captures: Captures, leaving: Sequence[Strip]) -> str:
        """Outline the ops on one strip; `reads` is the order of the kernel's arguments."""
        names = ["row", *[dim.name_hint or f"d{k}" for k, dim in enumerate(self.dims[1:], 1)]]
        arguments = [
            *box_arguments(names),
            *[Argument(local_value_type(value.type), value.name_hint) for value, _ in reads],
            *captures.arguments(),
        ]

        def body(builder: Builder, args: Sequence[SSAValue]) -> list[SSAValue]:
            n = len(self.dims)
            given = dict(zip(reads, args[2 * n :], strict=False))
            bound = captures.bind(builder, args[2 * n + len(reads) :])
            made: dict[SSAValue, SSAValue] = {}
            for strip in self.strips:
                inputs = [made.get(read[0]) or given[read] for read in _reads(strip)]
                made[strip.op.result] = self._clone(builder, strip, inputs, args[: 2 * n], bound)
            return [made[strip.op.result] for strip in leaving]

        kernels = self.conversion.kernels
        name = kernels.outline(self.last, arguments, body)
        clones = [op for op in kernels.functions[-1].body.block.ops if isinstance(op, StripOp)]
        for clone, strip in zip(clones, self.strips, strict=True):
            located(clone, strip.op)
        return name

    def _clone(
        self,
        builder: Builder,
        strip: Strip,
        inputs: Sequence[SSAValue],
        box: Sequence[SSAValue],
        bound: dict[SSAValue, SSAValue],
    ) -> SSAValue:
        """An op on a strip of what it reads."""
        op, n = strip.op, len(self.dims)
        extents = self.conversion.all_of(op.extents)
        places = [0 if d == strip.cut else self.places[e] for d, e in enumerate(extents)]
        sizes = [box[n + place] for place in places]
        origins = [box[p] for p in places] if uses_indices(op.body, len(extents)) else ()
        body = Region()
        op.body.clone_into(body, value_mapper=dict(bound))
        maps = [map.data for map in op.indexing_maps]
        type = local_value_type(op.result.type)
        new: StripOp
        if isinstance(op, tensor_block.MapOp):
            new = tensor_block.MapOp(inputs, sizes, maps, body, type, origins)
        else:
            monoid = op.monoid.data
            new = tensor_block.ReduceOp(
                monoid, inputs, sizes, strip.parallel, maps, body, type, origins
            )
        result = builder.insert(new).results[0]
        result.name_hint = op.result.name_hint
        return result

    def _define(self, strip: Strip, whole: SSAValue) -> None:
        """Let an array of the driver stand for a result, or its tiles if others want these."""
        conversion, op = self.conversion, strip.op
        dims = conversion.all_of(op.extents[: strip.parallel])
        conversion.define(op.result, whole, dims)
        distributed = converted_type(op.result.type)
        if isinstance(distributed, spark.RDDType):
            tiles = conversion.add(spark.ParallelizeOp(whole, distributed), op)
            conversion.local_arrays[tiles] = whole
            conversion.define(op.result, tiles, dims)


def _is_cut_by_workers(read: _Read) -> bool:
    value, axis = read
    return axis is not None and is_tiled(value.type)


def _reads(strip: Strip) -> list[_Read]:
    """The arrays that an op reads, and along which axis each is cut."""
    maps = [map_dims(strip.op, map.data) for map in strip.op.indexing_maps]
    return [
        (value, picked.index(strip.cut) if strip.cut in picked else None)
        for value, picked in zip(strip.op.inputs, maps, strict=True)
    ]


def _ways(strips: Sequence[Strip]) -> list[int | str]:
    """Return how the parts of each result become one: the axis on which they lie, or a monoid."""
    ways: list[int | str] = []
    for strip in strips:
        if strip.axis is not None:
            ways.append(strip.axis)
        else:
            assert isinstance(strip.op, tensor_block.ReduceOp)
            ways.append(strip.op.monoid.data)
    return ways


def _leaves(strip: Strip, group: Sequence[Strip]) -> bool:
    """Return whether something beside the group needs a result."""
    inner = {other.op for other in group}
    return any(use.operation not in inner for use in strip.op.result.uses)

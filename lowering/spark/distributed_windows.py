"""Iteration ops on distributed arrays that are read beside the point: the borders travel.

    %R = tensor_block.map parallel(d0 < %n) ins(%A[d0 - 1] : …, %A[d0 + 1] : …)
  ==>
    %w = spark.window %A … affine_map<(d0) -> (d0)> from(%before) to(%after)
    %R = spark.map @kernel_0(%w)

The work is done where the result's tiles are; what is folded to one value is cut like the
iteration space. A kernel gets each array's window (array_windows.py), and computes from its
place where the window begins. Along axes that wrap around it reads the window at remainders by
its size: then it does not matter whether the window is the whole axis or part of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, TensorType
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.ir.affine import AffineMap

from diablo.dialects import spark, tensor_block
from diablo.dialects.access_maps import LinearIndex, access_map, linear_indices, picks_dimensions
from diablo.dialects.locations import remark
from diablo.linear_sums import LinearSum, collected, term
from diablo.lowering.kernel_types import element_type
from diablo.lowering.spark.array_windows import ArrayWindows
from diablo.lowering.spark.conversion import Captures, Conversion
from diablo.lowering.spark.driver_indices import DriverIndices
from diablo.lowering.spark.outlined_kernels import (
    Argument,
    axis_names,
    box_arguments,
    driver_name,
    is_constant,
    local_value_type,
    uses_indices,
)
from diablo.lowering.spark.window_kernels import WindowKernel
from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.analyses.values.free_values import free_values


def reads_beside(op: tensor_block.IterationOps) -> bool:
    """Return whether some input is not simply read at dimensions."""
    return not all(picks_dimensions(map.data) for map in op.indexing_maps)


def convert_windows(conversion: Conversion, op: tensor_block.IterationOps) -> None:
    """Convert an op that reads an input beside the point."""
    _Windows(conversion, op).convert()


class _Windows:
    """One op: its key (the dimensions that name its tiles) and the windows that it reads."""

    def __init__(self, conversion: Conversion, op: tensor_block.IterationOps):
        self.conversion = conversion
        self.op = op
        self.driver = DriverIndices(conversion, op)
        self.rank = len(op.extents)
        self.parallel = self.rank
        self.monoid: str | None = None
        if isinstance(op, tensor_block.ScatterReduceOp):
            self.parallel, self.monoid = 0, op.monoid.data
        elif not isinstance(op, tensor_block.MapOp):
            self.parallel, self.monoid = op.parallel.value.data, op.monoid.data
        self.width = self.parallel or self.rank
        self.extents = conversion.all_of(op.extents)
        self.symbols = conversion.all_of(op.symbols)
        self.accesses = [linear_indices(map.data) for map in op.indexing_maps]
        self.read = ArrayWindows(
            op, self.driver, self.accesses, self.extents, self.symbols, self.width
        )
        # However often an array is read, it is brought to the kernel once.
        self.own = list(dict.fromkeys(op.inputs[number] for number in self.read.own))
        self.whole = list(dict.fromkeys(op.inputs[number] for number in self.read.whole))

    def convert(self) -> None:
        """Write the windows, and the kernel's run on them."""
        conversion, op = self.conversion, self.op
        free = free_values([op.body])
        into = op.into if isinstance(op, tensor_block.ScatterReduceOp) else ()
        captures = conversion.captures(op, list(dict.fromkeys([*free, *into])))
        remark(op, "every tile is sent the borders of its neighbours that it reads")
        dims = conversion.all_of(into) or self.extents[: self.parallel]
        result = self._run(captures)
        if into and self.monoid is not None:
            parts = conversion.add(spark.SplitOp(result, dims), op)
            result = conversion.add(spark.ReduceByKeyOp(self.monoid, parts, dims), op)
        elif self.parallel == 0:
            assert self.monoid is not None
            result = conversion.add(spark.FoldOp(self.monoid, result), op)
        if self.parallel or into:
            result = self._stored(result, dims)
        conversion.define(op.result, result, dims)

    def _stored(self, result: SSAValue, dims: Sequence[SSAValue]) -> SSAValue:
        """The result where its type says: with the workers or the driver."""
        conversion, op = self.conversion, self.op
        if not tensor_block.is_tiled(op.result.type):
            return conversion.add(spark.CollectOp(result, dims, op.result.type), op)
        return result

    # ---- the run -------------------------------------------------------------------

    def _run(self, captures: Captures) -> SSAValue:
        conversion, op = self.conversion, self.op
        dims = self.extents[: self.width]
        sources = [self._inside(conversion.of(array), dims) for array in self.own]
        for window in self.read.windows:
            array = conversion.of(window.array)
            rows = [LinearIndex(collected(enumerate(row))) for row in window.factors]
            map = access_map(rows, self.width)
            own = conversion.dims[array]
            sources.append(
                conversion.add(
                    spark.WindowOp(
                        array, own, dims, map, window.lows, window.highs, window.periods
                    ),
                    op,
                )
            )
        broadcasts = [conversion.broadcast(conversion.of(array), op) for array in self.whole]
        scalars = self._scalars()
        kernel = self._kernel(captures, scalars)
        operands = [*broadcasts, *scalars, *captures.operands(conversion, op)]
        keys: list[Attribute] = [IndexType()] * self.parallel
        result_type = spark.RDDType(keys, [local_value_type(op.result.type)])
        to_keys = None if self.parallel else ()
        if not sources:
            sources = [conversion.add(spark.TilesOp(dims), op)]
        if len(sources) == 1:
            run = spark.MapOp(kernel, sources[0], dims, operands, result_type, to_keys)
        else:
            group = conversion.add(spark.CogroupOp(sources, grid=dims), op)
            maps = [AffineMap.identity(self.width)] * len(sources)
            run = spark.MapGroupsOp(kernel, group, dims, operands, maps, result_type, None, to_keys)
        return conversion.add(run, op)

    def _inside(self, array: SSAValue, dims: Sequence[SSAValue]) -> SSAValue:
        """The tiles of `array` that the iteration space reads: it may be smaller."""
        own = self.conversion.dims[array]
        if all(a is b or same_value(a, b) for a, b in zip(own, dims, strict=True)):
            return array
        return self.conversion.add(spark.CropOp(array, dims), self.op)

    def _scalars(self) -> list[SSAValue]:
        """The values of the driver that the kernel computes places with."""
        wanted = list(self.extents[self.width :])
        for places in self.read.places.values():
            wanted += [place.base for place in places]
            wanted += [place.period for place in places if place.period is not None]
        for window in self.read.windows:
            wanted += window.lows
            for axis, period in window.periods.items():
                wanted += [window.highs[axis], period]
        return list(dict.fromkeys(value for value in wanted if not is_constant(value)))

    # ---- the kernel ----------------------------------------------------------------

    def _kernel(self, captures: Captures, scalars: Sequence[SSAValue]) -> str:
        op, width = self.op, self.width
        names = axis_names(op.body, width)
        tiles = [Argument(local_value_type(own.type), own.name_hint) for own in self.own]
        for window in self.read.windows:
            element = element_type(window.array.type)
            rank = len(window.factors)
            dense = TensorType(element, [DYNAMIC_INDEX] * rank)
            tiles.append(Argument(dense, f"{window.array.name_hint or 'tile'}_window"))
        whole = [Argument(local_value_type(each.type), each.name_hint) for each in self.whole]
        arguments = [
            *box_arguments(names),
            *tiles,
            *whole,
            *[Argument(IndexType(), driver_name(value)) for value in scalars],
            *captures.arguments(),
        ]

        def body(builder: Builder, args: Sequence[SSAValue]) -> SSAValue:
            cuts = [width, width, len(tiles), len(whole), len(scalars)]
            parts: list[Sequence[SSAValue]] = []
            for size in cuts:
                parts.append(args[:size])
                args = args[size:]
            origins, extents, windows, arrays, passed = parts
            kernel = WindowKernel(
                builder, origins, extents, dict(zip(scalars, passed, strict=True))
            )
            return self._clone(kernel, windows, arrays, captures, args)

        return self.conversion.kernels.outline(op, arguments, body)

    def _clone(
        self,
        kernel: WindowKernel,
        tiles: Sequence[SSAValue],
        arrays: Sequence[SSAValue],
        captures: Captures,
        captured: Sequence[SSAValue],
    ) -> SSAValue:
        """The same op on the windows."""
        op, builder = self.op, kernel.builder
        own = dict(zip(self.own, tiles, strict=False))
        whole = dict(zip(self.whole, arrays, strict=True))
        values = {number: own[op.inputs[number]] for number in self.read.own}
        values.update((number, whole[op.inputs[number]]) for number in self.read.whole)
        starts: dict[int, list[SSAValue]] = {}
        for window, tile in zip(self.read.windows, tiles[len(self.own) :], strict=True):
            begins = kernel.begins(window)
            for number in window.inputs:
                values[number], starts[number] = tile, begins
        extents = [*kernel.extents, *[kernel.scalar(e) for e in self.extents[self.width :]]]
        symbols: list[SSAValue] = []

        def symbol(value: SSAValue) -> LinearSum[int]:
            if value not in symbols:
                symbols.append(value)
            return term(symbols.index(value))

        def moved(number: int, axis: int, index: LinearIndex) -> LinearIndex:
            place = self.read.places[number][axis]
            shift = kernel.shift(place, starts.get(number), axis)
            sum = LinearIndex(index.inside, symbol(shift) + index.constant)
            if place.period is None:
                return sum
            if number in starts:
                return sum.wrapped(symbol(kernel.size(values[number], axis)))
            return sum.wrapped(symbol(kernel.scalar(place.period)))

        indices = [
            access
            if number in self.read.own
            else [moved(number, axis, index) for axis, index in enumerate(access)]
            for number, access in enumerate(self.accesses)
        ]
        maps = [access_map(found, self.rank, len(symbols)) for found in indices]
        offsets: Sequence[SSAValue] = ()
        if uses_indices(op.body, self.rank):
            offsets = [*kernel.origins, *[kernel.index(0)] * (self.rank - self.width)]
        body = Region()
        bound = captures.bind(builder, captured)
        op.body.clone_into(body, value_mapper=dict(bound))
        inputs = [values[number] for number in range(len(op.inputs))]
        type = local_value_type(op.result.type)
        if isinstance(op, tensor_block.MapOp):
            new = tensor_block.MapOp(inputs, extents, maps, body, type, offsets, symbols)
        elif isinstance(op, tensor_block.ScatterReduceOp):
            into = [bound[size] for size in op.into]
            new = tensor_block.ScatterReduceOp(
                op.monoid.data, inputs, extents, into, maps, body, type, offsets, symbols
            )
        else:
            new = tensor_block.ReduceOp(
                op.monoid.data, inputs, extents, self.parallel, maps, body, type, offsets, symbols
            )
        result = builder.insert(new).results[0]
        result.name_hint = op.result.name_hint
        return result

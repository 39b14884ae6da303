"""The ops over an iteration space on distributed arrays: map, reduce and scatter_reduce.

    %R = tensor_block.reduce add (%A) ... : tensor<?xf64, #tensor_block.tiles<dense = 1>>
  ==>
    %0 = spark.map @kernel_0 (%A) ... to_keys [0]
    %R = spark.reduce_by_key add %0

A map on the driver that only copies an array is that array, as values never change.

`make_plan` chooses where the work is done. Arrays that are read beside the point are the matter of
`distributed_windows`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

from diablo.dialects import spark, tensor_block
from diablo.dialects.access_maps import LinearIndex, access_map, picks_dimensions
from diablo.dialects.locations import remark
from diablo.lowering.spark.conversion import Captures, Conversion, map_dims
from diablo.lowering.spark.distributed_strips import convert_strips
from diablo.lowering.spark.distributed_windows import convert_windows, reads_beside
from diablo.lowering.spark.outlined_kernels import (
    Argument,
    axis_names,
    bind_constants,
    box_arguments,
    driver_name,
    is_constant,
    local_value_type,
    uses_indices,
)
from diablo.passes.analyses.plans.distribution_plan import Plan, make_plan
from diablo.passes.analyses.plans.joined_reads import array_reads, chosen_join, reads_of
from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.analyses.values.free_values import free_values


def convert_iteration(conversion: Conversion, op: tensor_block.IterationOps) -> None:
    """Convert one op over an iteration space."""
    if convert_strips(conversion, op):
        return
    scatters = isinstance(op, tensor_block.ScatterReduceOp)
    if scatters and not reads_beside(op):
        _ScatterConversion(conversion, op).convert()
    elif not reads_beside(op):
        _IterationConversion(conversion, op).convert()
    elif any(tensor_block.is_tiled(value.type) for value in (op.result, *op.inputs)):
        convert_windows(conversion, op)
    elif scatters:
        _ScatterConversion(conversion, op).convert()
    else:
        # The whole of each array is one tile.
        _IterationConversion(conversion, op).convert()


class _IterationConversion:
    """One op: its iteration space, its inputs, and the kernel made of it.

    `reads` are its arrays with the dimensions at which they are read, each once: `read_by[k]` is
    the one of input k.
    """

    def __init__(self, conversion: Conversion, op: tensor_block.IterationOps):
        self.conversion = conversion
        self.op = op
        self.rank = len(op.extents)
        self.inputs = op.inputs
        self.symbols = op.symbols
        self.reads: list[tuple[SSAValue, tuple[int, ...]]] = []
        self.read_by: list[int] = []
        if not reads_beside(op):
            maps = [map_dims(op, map.data) for map in op.indexing_maps]
            by_input = [*zip(self.inputs, maps, strict=True)]
            self.reads = array_reads(op)
            self.read_by = [self.reads.index(read) for read in by_input]
        self.parallel = self.rank
        self.monoid: str | None = None
        if isinstance(op, tensor_block.ReduceOp):
            self.parallel = op.parallel.value.data
            self.monoid = op.monoid.data if self.parallel < self.rank else None
        elif isinstance(op, tensor_block.ScatterReduceOp):
            self.parallel, self.monoid = 0, op.monoid.data
        self.extents = conversion.all_of(op.extents)
        self.local_result = local_value_type(op.result.type)

    def convert(self) -> None:
        """Write the RDD ops, or a call on the driver if nothing is distributed."""
        conversion, op = self.conversion, self.op
        captures = conversion.captures(op, free_values([op.body]))
        dims = self.extents[: self.parallel]
        if not any(tensor_block.is_tiled(value.type) for value in (*self.inputs, op.result)):
            source = copied_array(conversion, op)
            conversion.define(op.result, source or self._call(captures), dims)
            return
        plan = self._plan()
        remark(op, plan.remark)
        result = self._distribute(plan, captures)
        if self.parallel == 0:
            assert self.monoid is not None
            result = conversion.add(spark.FoldOp(self.monoid, result), op)
        elif not tensor_block.is_tiled(op.result.type):
            result = conversion.add(spark.CollectOp(result, dims, op.result.type), op)
        conversion.define(op.result, result, dims)

    def _call(self, captures: Captures) -> SSAValue:
        """The op on the driver: the whole array is one tile.

        What the op has several times, as the size of a cube or an array with the neighbours of
        its points, the kernel gets once; constants it repeats.
        """
        conversion, op = self.conversion, self.op
        names = axis_names(op.body, self.rank)
        reads = [*zip(self.inputs, self._ways_to_read(), strict=True)]
        hints: dict[SSAValue, str] = {}
        for extent, name in zip(self.extents, names, strict=True):
            hints.setdefault(extent, f"{name}_extent")
        sizes = [extent for extent in dict.fromkeys(self.extents) if not is_constant(extent)]
        arrays = list(dict.fromkeys(reads))
        arguments = [
            *[Argument(IndexType(), hints[size]) for size in sizes],
            *[Argument(local_value_type(v.type), v.name_hint) for v, _ in arrays],
            *[Argument(IndexType(), driver_name(v)) for v in self.symbols],
            *captures.arguments(),
        ]

        def body(builder: Builder, args: Sequence[SSAValue]) -> SSAValue:
            n, end = len(sizes), len(sizes) + len(arrays)
            rest = end + len(self.symbols)
            bound = bind_constants(builder, dict.fromkeys(self.extents))
            bound.update(zip(sizes, args[:n], strict=True))
            inputs = dict(zip(arrays, args[n:end], strict=True))
            return self._clone(
                builder,
                [inputs[read] for read in reads],
                [bound[extent] for extent in self.extents],
                (),
                captures,
                args[rest:],
                args[end:rest],
            )

        kernel = conversion.kernels.outline(op, arguments, body)
        operands = [
            *sizes,
            *[conversion.of(value) for value, _ in arrays],
            *conversion.all_of(self.symbols),
            *[conversion.on_driver(value, op) for value in captures.captured],
        ]
        return conversion.add(func.CallOp(kernel, operands, [op.result.type]), op)

    def _ways_to_read(self) -> list[AffineMap | None]:
        """Return how each input is read, where that says how large it must be."""
        return [map.data if picks_dimensions(map.data) else None for map in self.op.indexing_maps]

    def _plan(self) -> Plan:
        """Return where the work is done."""
        return make_plan(reads_of(self.op, self.reads), *chosen_join(self.op))

    def _distribute(self, plan: Plan, captures: Captures) -> SSAValue:
        """The RDD of the result's tiles (of scalars, if everything is folded)."""
        conversion, op = self.conversion, self.op
        moved = [k for k, how in enumerate(plan.deliveries) if how != "broadcast"]
        whole = [k for k, how in enumerate(plan.deliveries) if how == "broadcast"]
        kernel = self._kernel(plan, [*moved, *whole], captures)
        dims = [self.extents[d] for d in plan.order]
        broadcasts = [conversion.broadcast(conversion.of(self.reads[k][0]), op) for k in whole]
        operands = [*broadcasts, *captures.operands(conversion, op)]
        crops = [self._index_map(plan, k) for k in whole]
        to_keys = plan.to_keys(self.parallel)
        keys: list[Attribute] = [IndexType()] * self.parallel
        result_type = spark.RDDType(keys, [self.local_result])
        if len(moved) <= 1 and "rekey" not in plan.deliveries:
            source = (
                self._deliver(plan, moved[0])
                if moved
                else conversion.add(spark.TilesOp(dims[: plan.rank]), op)
            )
            result = conversion.add(
                spark.MapOp(kernel, source, dims, operands, result_type, to_keys, crops), op
            )
        else:
            delivered = [self._deliver(plan, k) for k in moved]
            group = conversion.add(spark.CogroupOp(delivered, grid=dims[: plan.rank]), op)
            result = conversion.add(
                spark.MapGroupsOp(
                    kernel,
                    group,
                    dims,
                    operands,
                    [self._index_map(plan, k) for k in moved],
                    result_type,
                    self.monoid if plan.rank == self.parallel else None,
                    to_keys,
                    crops,
                ),
                op,
            )
        if self.monoid is not None and 0 < self.parallel < plan.rank:
            place = self.extents[: self.parallel]
            result = conversion.add(spark.ReduceByKeyOp(self.monoid, result, place), op)
        return result

    def _index_map(self, plan: Plan, k: int) -> AffineMap:
        """The indexing map of read k on the dimensions in the order of the plan."""
        places = [LinearIndex.of(plan.order.index(d)) for d in self.reads[k][1]]
        return access_map(places, self.rank)

    def _inside(self, plan: Plan, array: SSAValue) -> SSAValue:
        """The tiles of `array` that the iteration space reads: it may be smaller."""
        conversion = self.conversion
        own = conversion.dims[array]
        dims = [self.extents[d] for d in plan.key[: len(own)]]
        if all(a is b or same_value(a, b) for a, b in zip(own, dims, strict=True)):
            return array
        return conversion.add(spark.CropOp(array, dims), self.op)

    def _deliver(self, plan: Plan, k: int) -> SSAValue:
        """The array of read k with the key of the plan."""
        value, read = self.reads[k]
        array = self.conversion.of(value)
        if plan.deliveries[k] == "tile":
            return self._inside(plan, array)
        if plan.deliveries[k] == "replicate":
            rest = [self.extents[d] for d in plan.key[len(read) :]]
            return self.conversion.add(spark.ReplicateOp(self._inside(plan, array), rest), self.op)
        positions = [read.index(d) if d in read else -1 for d in plan.key]
        dims = [self.extents[d] for d in plan.key]
        return self.conversion.add(spark.RekeyOp(array, dims, positions), self.op)

    def _kernel(self, plan: Plan, reads: Sequence[int], captures: Captures) -> str:
        """Outline the op on one tile; `reads` is the order of the kernel's arguments."""
        op, n = self.op, self.rank
        names = axis_names(op.body, n)
        arrays = [self.reads[k][0] for k in reads]
        arguments = [
            *box_arguments([names[d] for d in plan.order]),
            *[Argument(local_value_type(array.type), array.name_hint) for array in arrays],
            *captures.arguments(),
        ]

        def body(builder: Builder, args: Sequence[SSAValue]) -> SSAValue:
            place = [plan.order.index(d) for d in range(n)]
            end = 2 * n + len(reads)
            values = dict(zip(reads, args[2 * n : end], strict=True))
            return self._clone(
                builder,
                [values[k] for k in self.read_by],
                [args[n + p] for p in place],
                [args[p] for p in place] if uses_indices(op.body, n) else (),
                captures,
                args[end:],
            )

        return self.conversion.kernels.outline(op, arguments, body)

    def _clone(
        self,
        builder: Builder,
        inputs: Sequence[SSAValue],
        extents: Sequence[SSAValue],
        offsets: Sequence[SSAValue],
        captures: Captures,
        captured: Sequence[SSAValue],
        symbols: Sequence[SSAValue] = (),
    ) -> SSAValue:
        """The same op on local values."""
        op = self.op
        body = Region()
        bound = captures.bind(builder, captured)
        op.body.clone_into(body, value_mapper=dict(bound))
        result_type = local_value_type(op.result.type)
        maps = [map.data for map in op.indexing_maps]
        if isinstance(op, tensor_block.ScatterReduceOp):
            into = [bound[size] for size in op.into]
            new = tensor_block.ScatterReduceOp(
                op.monoid.data, inputs, extents, into, maps, body, result_type, offsets, symbols
            )
        elif isinstance(op, tensor_block.MapOp):
            new = tensor_block.MapOp(inputs, extents, maps, body, result_type, offsets, symbols)
        else:
            monoid, parallel = op.monoid.data, self.parallel
            new = tensor_block.ReduceOp(
                monoid, inputs, extents, parallel, maps, body, result_type, offsets, symbols
            )
        result = builder.insert(new).results[0]
        result.name_hint = op.result.name_hint
        return result


def copied_array(conversion: Conversion, op: Operation) -> SSAValue | None:
    """The array of the driver that `op` copies from end to end, if it does just that."""
    if not isinstance(op, tensor_block.MapOp) or len(op.inputs) != 1:
        return None
    rank, source = len(op.extents), op.inputs[0]
    end = op.body.block.last_op
    assert isinstance(end, tensor_block.YieldOp)
    if end.values[0] is not op.body.block.args[rank] or source.type != op.result.type:
        return None
    if op.indexing_maps.data[0].data != AffineMap.identity(rank):
        return None
    array = conversion.of(source)
    dims, extents = conversion.dims.get(array, ()), conversion.all_of(op.extents)
    whole = len(dims) == rank and all(map(same_value, dims, extents))
    return array if whole else None


class _ScatterConversion(_IterationConversion):
    """A `scatter_reduce`: every tile makes a table, and the tables are combined by tiles."""

    def convert(self) -> None:
        """Write the tables, their tiles, and what combines these."""
        conversion, op = self.conversion, self.op
        assert isinstance(op, tensor_block.ScatterReduceOp)
        free = list(dict.fromkeys([*free_values([op.body]), *op.into]))
        captures = conversion.captures(op, free)
        dims = conversion.all_of(op.into)
        if not any(tensor_block.is_tiled(value.type) for value in (*self.inputs, op.result)):
            conversion.define(op.result, self._call(captures), dims)
            return
        plan = self._plan()
        remark(op, "every tile makes a table of the whole result; the tables are combined")
        tables = self._distribute(plan, captures)
        parts = conversion.add(spark.SplitOp(tables, dims), op)
        result = conversion.add(spark.ReduceByKeyOp(op.monoid.data, parts, dims), op)
        if not tensor_block.is_tiled(op.result.type):
            result = conversion.add(spark.CollectOp(result, dims, op.result.type), op)
        conversion.define(op.result, result, dims)

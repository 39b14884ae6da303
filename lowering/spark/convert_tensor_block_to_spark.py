"""Distribute whole-array and row operations: `tensor_block` to `spark`.

The program stays one driver function with its scalars and its control flow; every op on a
distributed value becomes RDD operations and a kernel.

```mlir
%n = tensor.dim %A, %zero : tensor<?xf64, #tensor_block.tiles<dense = 1>>
%s = tensor_block.reduce add reduced(d0 < %n) ins(%A[d0] : …) -> f64 {
^bb0(%i: index, %x: f64):
  tensor_block.yield %x : f64
}
```

becomes

```mlir
%n = tensor.dim %A, %zero : tensor<?xf64, #tensor_block.tiles<dense = 1>>
%A_1 = spark.parallelize %A : … -> !spark.rdd<[index], [tensor<?xf64>]>
%1 = spark.map @kernel_0(%A_1) dims(%n) to_keys [] : … -> !spark.rdd<[], [f64]>
%s = spark.fold add %1 : !spark.rdd<[], [f64]> -> f64
```

with the same `reduce`, over one tile, in a function `@kernel_0`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import ArrayAttr, FunctionType, IndexType, IntegerAttr, ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from diablo.dialects import comprehension, spark, tensor_block
from diablo.dialects.encodings import as_array, is_tiled, local_type
from diablo.dialects.number_constants import is_arithmetic
from diablo.lowering.spark.conversion import Conversion, converted_type
from diablo.lowering.spark.distributed_control import convert_if, convert_while
from diablo.lowering.spark.distributed_iteration import convert_iteration
from diablo.lowering.spark.distributed_joins import convert_join
from diablo.lowering.spark.distributed_layouts import lay_out, lay_out_result, layout_of_argument
from diablo.lowering.spark.driver_ops import (
    convert_constant_list,
    convert_element,
    convert_entries,
    convert_extract,
    convert_insert,
    convert_list,
    convert_pack,
    convert_place,
    convert_probe,
    convert_row,
    convert_sequence,
    convert_splat,
    convert_table,
    copy_op,
)
from diablo.lowering.spark.fused_maps import (
    collect_partial_results,
    fuse_maps,
    fuse_projections,
    remove_unused,
)
from diablo.lowering.spark.outlined_kernels import Kernels
from diablo.lowering.spark.row_groups import (
    convert_concat,
    convert_from_bag,
    convert_group,
    convert_group_reduce,
    convert_lookup,
    convert_update,
)
from diablo.lowering.spark.row_maps import (
    convert_fold,
    convert_length,
    convert_number,
    convert_project,
    convert_range,
    convert_row_body,
    convert_sort,
    convert_to_bag,
    convert_to_map,
    convert_unnest,
    convert_window,
)
from diablo.lowering.spark.tile_fusion import make_tiles_where_read
from diablo.lowering.spark.whole_array_ops import convert_collapse, convert_scan, convert_slice
from diablo.lowering.unsupported import unsupported
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.number_kernels import number_kernels


def convert_op(conversion: Conversion, op: Operation) -> None:
    """Convert one op and what is nested in it."""
    convert = CONVERSIONS.get(type(op))
    if convert is not None:
        convert(conversion, op)
        lay_out_result(conversion, op)
    elif not op.regions:
        copy_op(conversion, op)
    else:
        raise unsupported(op, f"{op.name} cannot be distributed")


def convert_block(conversion: Conversion, block: Block) -> None:
    """Convert the ops of a block up to its terminator, which the caller makes."""
    for op in block.ops:
        if not op.has_trait(IsTerminator) and op not in conversion.hoisted:
            convert_op(conversion, op)


def _convert_dim(conversion: Conversion, op: tensor.DimOp) -> None:
    """The dimension is one of the values that the array was made with."""
    index = constant_value(op.index)
    known = conversion.dims.get(conversion.of(op.source), ())
    if not isinstance(index, int) or not 0 <= index < len(known):
        raise unsupported(op, "the dimension that is asked for must be a constant in range")
    conversion.define(op.result, known[index])


def _convert_while(conversion: Conversion, op: scf.WhileOp) -> None:
    convert_while(conversion, op, convert_block)


def _convert_if(conversion: Conversion, op: scf.IfOp) -> None:
    convert_if(conversion, op, convert_block)


CONVERSIONS: dict[type[Operation], Callable[[Conversion, Any], None]] = {
    scf.WhileOp: _convert_while,
    scf.IfOp: _convert_if,
    tensor.DimOp: _convert_dim,
    tensor.ExtractOp: convert_extract,
    tensor.CollapseShapeOp: convert_collapse,
    tensor.SplatOp: convert_splat,
    tensor.InsertOp: convert_insert,
    tensor_block.MapOp: convert_iteration,
    tensor_block.ReduceOp: convert_iteration,
    tensor_block.ScatterReduceOp: convert_iteration,
    tensor_block.ScanOp: convert_scan,
    tensor_block.SliceOp: convert_slice,
    tensor_block.FilterOp: convert_row_body,
    tensor_block.ExtendOp: convert_row_body,
    tensor_block.ExpandOp: convert_row_body,
    tensor_block.ProjectOp: convert_project,
    tensor_block.ToBagOp: convert_to_bag,
    tensor_block.RangeOp: convert_range,
    tensor_block.FoldOp: convert_fold,
    tensor_block.LookupOp: convert_lookup,
    tensor_block.FromBagOp: convert_from_bag,
    tensor_block.JoinOp: convert_join,
    tensor_block.GroupReduceOp: convert_group_reduce,
    tensor_block.GroupOp: convert_group,
    tensor_block.UnnestOp: convert_unnest,
    tensor_block.NumberOp: convert_number,
    tensor_block.SortOp: convert_sort,
    tensor_block.WindowOp: convert_window,
    tensor_block.ConcatOp: convert_concat,
    tensor_block.ToMapOp: convert_to_map,
    tensor_block.UpdateOp: convert_update,
    comprehension.ProbeOp: convert_probe,
    comprehension.PlaceOp: convert_place,
    comprehension.ReduceOp: convert_fold,
    comprehension.LengthOp: convert_length,
    comprehension.ElementOp: convert_element,
    comprehension.ListOp: convert_list,
    comprehension.ConstantListOp: convert_constant_list,
    comprehension.PackOp: convert_pack,
    comprehension.SequenceOp: convert_sequence,
    comprehension.RowOp: convert_row,
    comprehension.TableOp: convert_table,
    comprehension.EntriesOp: convert_entries,
}
"""What each op becomes; all other ops are the driver's own and stay as they are."""


def _keep_whole(function: func.FuncOp) -> Sequence[Attribute]:
    """Make all arrays of a function local ones; return the types of the results before.

    What the function returns is distributed at its end, so that its callers see what they always
    see.
    """
    results = function.function_type.outputs.data
    for op in function.walk():
        blocks = [block for region in op.regions for block in region.blocks]
        values = [*op.results, *(argument for block in blocks for argument in block.args)]
        for value in values:
            if is_tiled(value.type):
                Rewriter.replace_value_with_new_type(value, _whole(value.type))
    function.properties["function_type"] = FunctionType.from_lists(
        [argument.type for argument in function.body.block.args],
        [_whole(type) for type in results],
    )
    return results


def _whole(type: Attribute) -> Attribute:
    array = as_array(type)
    return local_type(array) if array is not None and is_tiled(array) else type


class _Main:
    """The conversion of one driver function."""

    def __init__(self, function: func.FuncOp, kernels: Kernels, whole: bool):
        self.function = function
        self.results: Sequence[Attribute] = (
            _keep_whole(function) if whole else function.function_type.outputs.data
        )
        self.old = function.body.block
        self.new = Block(arg_types=[arg.type for arg in self.old.args])
        self.conversion = Conversion(Builder(InsertPoint.at_end(self.new)), kernels, whole=whole)

    def convert(self) -> None:
        """Replace the function's body."""
        conversion, terminator = self.conversion, self.old.last_op
        assert isinstance(terminator, func.ReturnOp)
        self._arguments()
        convert_block(conversion, self.old)
        results: list[SSAValue] = []
        distributed: dict[tuple[SSAValue, Attribute], SSAValue] = {}
        for value, type in zip(terminator.arguments, self.results, strict=True):
            new = conversion.of(value)
            dims, name = conversion.dims.get(new, ()), new.name_hint
            if tensor_block.is_tiled(type) and not isinstance(new.type, spark.RDDType):
                tiles = converted_type(type)
                assert isinstance(tiles, spark.RDDType)
                if (new, tiles) not in distributed:
                    parallelize = spark.ParallelizeOp(new, tiles)
                    distributed[new, tiles] = conversion.add(parallelize, terminator)
                new = distributed[new, tiles]
            if isinstance(new.type, spark.RDDType):
                new = conversion.add(spark.CollectOp(new, dims, type), terminator)
                new.name_hint = name
            results.append(new)
        conversion.insert(func.ReturnOp(*results), terminator)
        inputs = self.function.function_type.inputs
        self.function.function_type = FunctionType(inputs, ArrayAttr(self.results))
        self.function.body.detach_block(self.old)
        self.function.body.add_block(self.new)
        self.old.erase(safe_erase=False)

    def _arguments(self) -> None:
        """Dimensions and other indices first, then the inputs are distributed."""
        conversion = self.conversion
        for old, new in zip(self.old.args, self.new.args, strict=True):
            new.name_hint, new.location = old.name_hint, old.location
            conversion.values[old] = new
            array = as_array(old.type)
            if array is not None and old.first_use is not None:
                dims = [self._dim(new, d) for d in range(array.get_num_dims())]
                conversion.dims[new] = tuple(dims)
        conversion.hoisted = self._hoisted()
        for op in self.old.ops:
            if op in conversion.hoisted:
                convert_op(conversion, op)
        for old, new in zip(self.old.args, self.new.args, strict=True):
            distributed = converted_type(old.type)
            if all(isinstance(use.operation, tensor.DimOp) for use in old.uses):
                continue
            layout = layout_of_argument(old)
            if not isinstance(distributed, spark.RDDType):
                if layout is not None:
                    lay_out(conversion, old, layout, self.function)
            else:
                parallelize = spark.ParallelizeOp(new, distributed, layout)
                rdd = conversion.add(parallelize, self.function)
                parallelize.location = old.location
                rdd.name_hint = old.name_hint
                conversion.define(old, rdd, conversion.dims.get(new, ()))
                conversion.local_arrays[rdd] = new

    def _dim(self, array: SSAValue, dimension: int) -> SSAValue:
        conversion = self.conversion
        index = arith.ConstantOp(IntegerAttr(dimension, IndexType()))
        position = conversion.add(index, self.function)
        return conversion.add(tensor.DimOp(array, position), self.function)

    def _hoisted(self) -> set[Operation]:
        """The scalar ops that indices are computed with from the function's arguments.

        They come first, so that the emitted program knows the size of its arrays when it
        chooses the block size.
        """
        pure: set[Operation] = set()
        for op in self.old.ops:
            scalar = is_arithmetic(op) or isinstance(op, tensor.DimOp)
            if scalar and all(
                operand.owner is self.old or operand.owner in pure for operand in op.operands
            ):
                pure.add(op)
        found: set[Operation] = set()
        work = [op for op in pure if any(isinstance(r.type, IndexType) for r in op.results)]
        while work:
            op = work.pop()
            if op not in found:
                found.add(op)
                work += [o.owner for o in op.operands if isinstance(o.owner, Operation)]
        return found


@dataclass(frozen=True)
class ConvertTensorBlockToSparkPass(ModulePass):
    """Distribute whole-array and row operations as RDD operations and kernels.

    With `whole`, arrays are not: each is one tile, which stays with the driver. There it is
    computed by the same kernel, called directly: an operation then costs microseconds more than its
    kernel, and not tens of them.
    """

    name = "convert-tensor-block-to-spark"
    whole: bool = False
    """Make each array one tile, which stays with the driver."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every public function; the kernels follow it."""
        kernels = Kernels()
        functions = [f for f in op.ops if isinstance(f, func.FuncOp) and not f.is_declaration]
        for function in functions:
            if function.sym_visibility is not None and function.sym_visibility.data == "private":
                continue
            if len(function.body.blocks) != 1:
                raise unsupported(function, "a function of several blocks cannot be distributed")
            _Main(function, kernels, self.whole).convert()
        for kernel in kernels.functions:
            op.body.block.add_op(kernel)
        remove_unused(op)
        make_tiles_where_read(op)
        fuse_maps(op, self.whole)
        fuse_projections(op)
        collect_partial_results(op)
        number_kernels(op)

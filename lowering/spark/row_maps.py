"""Operations on single rows: bags become RDDs of column batches, and a map does the work.

    %some = tensor_block.filter %rows { … }
  ==>
    %some = spark.map @kernel_0(%rows)       // the filter, on a batch

`fused_maps` joins chains of such maps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects import func
from xdsl.dialects.builtin import DenseArrayBase, UnitAttr
from xdsl.ir import Attribute, Operation, Region, SSAValue

from diablo.dialects import comprehension, spark, tensor_block
from diablo.dialects.comprehension import BagType
from diablo.dialects.encodings import as_array
from diablo.dialects.range_steps import step_of
from diablo.lowering.spark.conversion import Conversion
from diablo.lowering.spark.outlined_kernels import (
    Argument,
    box_arguments,
    local_value_type,
)
from diablo.passes.analyses.values.free_values import free_values

Insert = Callable[[Operation], SSAValue]


def rows_type(bag: Attribute) -> spark.RDDType:
    """An RDD of batches of the bag's rows."""
    return spark.RDDType([], [spark.plain_rows(bag) if isinstance(bag, BagType) else bag])


def columns_of(attribute: DenseArrayBase[Any]) -> list[int]:
    """The numbers in a column list."""
    return [int(c) for c in attribute.get_values()]


def inserted(builder: Builder, op: Operation) -> SSAValue:
    """Insert `op`; return its result."""
    return builder.insert(op).results[0]


def map_rows(
    conversion: Conversion,
    op: Operation,
    rows: SSAValue,
    bag: BagType,
    result: Attribute,
    body: Callable[[Builder, SSAValue, Sequence[SSAValue]], SSAValue],
    captures: Sequence[tuple[Argument, SSAValue]] = (),
) -> SSAValue:
    """A `spark.map` over batches; `body` is given the batch and the captures."""
    kernel = conversion.kernels.outline(
        op,
        [
            Argument(spark.plain_rows(bag), rows.name_hint),
            *[argument for argument, _ in captures],
        ],
        lambda builder, args: body(builder, args[0], args[1:]),
    )
    operands = [value for _, value in captures]
    return conversion.add(spark.MapOp(kernel, rows, (), operands, rows_type(result)), op)


def convert_row_body(
    conversion: Conversion,
    op: tensor_block.FilterOp | tensor_block.ExtendOp | tensor_block.ExpandOp,
) -> None:
    """Filter, extend and expand: the op itself runs on every batch."""
    captures = conversion.captures(op, free_values([op.body]))
    bag, result = op.bag.type, op.result.type
    assert isinstance(bag, BagType)

    def body(builder: Builder, batch: SSAValue, args: Sequence[SSAValue]) -> SSAValue:
        region = Region()
        op.body.clone_into(region, value_mapper=captures.bind(builder, args))
        if isinstance(op, tensor_block.ExpandOp):
            step = step_of(op)
            return inserted(builder, tensor_block.ExpandOp(batch, region, step, op.at_most))
        return inserted(builder, type(op)(batch, region))

    operands = captures.operands(conversion, op)
    rows = map_rows(
        conversion,
        op,
        conversion.of(op.bag),
        bag,
        result,
        body,
        list(zip(captures.arguments(), operands, strict=True)),
    )
    conversion.define(op.result, rows)


def convert_project(conversion: Conversion, op: tensor_block.ProjectOp) -> None:
    """The op itself runs on every batch."""
    conversion.define(op.result, project_rows(conversion, op, op.bag, columns_of(op.columns)))


def project_rows(
    conversion: Conversion, op: Operation, bag: SSAValue, columns: Sequence[int]
) -> SSAValue:
    """The given columns of a bag of the program, as new rows."""
    assert isinstance(bag.type, BagType)
    result = BagType([bag.type.columns.data[c] for c in columns])
    return map_rows(
        conversion,
        op,
        conversion.of(bag),
        bag.type,
        result,
        lambda builder, batch, _: inserted(builder, tensor_block.ProjectOp(batch, columns)),
    )


def convert_to_bag(conversion: Conversion, op: tensor_block.ToBagOp) -> None:
    """The entries of every tile, with the tile's origin added to the indices."""
    array = conversion.of(op.input)
    local = as_array(local_value_type(op.input.type))
    assert local is not None
    if not tensor_block.is_tiled(op.input.type):
        kernel = conversion.kernels.outline(
            op,
            [Argument(local, op.input.name_hint)],
            lambda builder, args: inserted(builder, tensor_block.ToBagOp(args[0])),
        )
        bag = conversion.add(func.CallOp(kernel, [array], [op.result.type]), op)
        conversion.distribute(op.result, bag, op)
        return
    rank = local.get_num_dims()
    kernel = conversion.kernels.outline(
        op,
        [*box_arguments([f"d{d}" for d in range(rank)]), Argument(local, op.input.name_hint)],
        lambda builder, args: inserted(builder, tensor_block.ToBagOp(args[-1], args[:rank])),
    )
    dims = conversion.dims[array]
    mapped = spark.MapOp(kernel, array, dims, (), rows_type(op.result.type), ())
    conversion.define(op.result, conversion.add(mapped, op))


def convert_range(conversion: Conversion, op: tensor_block.RangeOp) -> None:
    """The integers of a range, in batches."""
    step = op.step.value.data if op.step is not None else 1
    lower, upper = conversion.of(op.lower), conversion.of(op.upper)
    result = spark.RangeOp(lower, upper, step, rows_type(op.result.type))
    conversion.define(op.result, conversion.add(result, op))


def convert_fold(conversion: Conversion, op: tensor_block.FoldOp | comprehension.ReduceOp) -> None:
    """Every batch is folded, then their results."""
    bag = op.bag.type
    assert isinstance(bag, BagType)
    monoid = op.monoid.data
    partial = map_rows(
        conversion,
        op,
        conversion.of(op.bag),
        bag,
        op.result.type,
        lambda builder, batch, _: inserted(builder, tensor_block.FoldOp(monoid, batch)),
    )
    conversion.define(op.result, conversion.add(spark.FoldOp(monoid, partial), op))


def convert_unnest(conversion: Conversion, op: tensor_block.UnnestOp) -> None:
    """The op itself runs on every batch."""
    bag, column = op.bag.type, op.column.value.data
    assert isinstance(bag, BagType)
    rows = map_rows(
        conversion,
        op,
        conversion.of(op.bag),
        bag,
        op.result.type,
        lambda builder, batch, _: inserted(builder, tensor_block.UnnestOp(batch, column)),
    )
    conversion.define(op.result, rows)


def convert_number(conversion: Conversion, op: tensor_block.NumberOp) -> None:
    """Each batch is numbered apart."""
    conversion.define(op.result, conversion.add(spark.NumberOp(conversion.of(op.bag)), op))


def convert_sort(conversion: Conversion, op: tensor_block.SortOp) -> None:
    """The rows are sorted across all batches."""
    limit = None if op.limit is None else conversion.of(op.limit)
    kept = None if op.columns is None else op.kept
    sorted = spark.SortOp(conversion.of(op.bag), op.by, limit, kept)
    conversion.define(op.result, conversion.add(sorted, op))


def convert_window(conversion: Conversion, op: tensor_block.WindowOp) -> None:
    """The rows of a group are brought together; what runs along all of them is a loop over rows."""
    rows, bag = conversion.of(op.bag), op.bag.type
    source = _source_of(rows) if conversion.whole and op.is_running else None
    if source is not None:
        assert isinstance(bag, BagType)
        functions = op.functions.data
        source.whole = UnitAttr()
        made = map_rows(
            conversion,
            op,
            rows,
            bag,
            op.result.type,
            lambda b, batch, _: inserted(b, tensor_block.WindowOp(batch, [], [], functions)),
        )
        conversion.define(op.result, made)
        return
    sizes = [conversion.of(size) for size in op.sizes]
    functions = op.functions.data
    windows = spark.WindowRowsOp(conversion.of(op.bag), op.key_columns, op.by, functions, sizes)
    conversion.define(op.result, conversion.add(windows, op))


def _source_of(rows: SSAValue) -> spark.ParallelizeOp | None:
    """The rows of the driver that others are made of batch by batch, if they are."""
    while isinstance(made := rows.owner, spark.MapOp) and not made.dims:
        rows = made.input
    return made if isinstance(made, spark.ParallelizeOp) else None


def convert_to_map(conversion: Conversion, op: tensor_block.ToMapOp) -> None:
    """A map is distributed as its rows."""
    conversion.values[op.result] = conversion.of(op.bag)


def convert_length(conversion: Conversion, op: comprehension.LengthOp) -> None:
    """Every batch is counted, then the counts are added."""
    bag = op.bag.type
    assert isinstance(bag, BagType)

    def body(builder: Builder, batch: SSAValue, _: Sequence[SSAValue]) -> SSAValue:
        return inserted(builder, comprehension.LengthOp(batch))

    counts = map_rows(conversion, op, conversion.of(op.bag), bag, op.result.type, body)
    conversion.define(op.result, conversion.add(spark.FoldOp("add", counts), op))

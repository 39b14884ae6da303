"""The driver's own values: scalars, tuples, lists, and what it asks of distributed ones.

    %x, %found = comprehension.probe %M[%k] : …
  ==>
    %x, %found = spark.probe %M[%k : i64] : …

Ops on scalars stay as they are. A list that one of them makes is distributed at once; that it
is on the driver as well is remembered, for lists and tuples that hold it.
"""

from __future__ import annotations

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType
from xdsl.ir import Operation, SSAValue

from diablo.dialects import comprehension, spark
from diablo.dialects.bags import bag_columns
from diablo.dialects.comprehension import BagType
from diablo.dialects.encodings import as_array
from diablo.lowering.spark.conversion import Conversion, converted_type
from diablo.lowering.unsupported import unsupported


def copy_op(conversion: Conversion, op: Operation) -> None:
    """A scalar op of the driver."""
    for operand in op.operands:
        if isinstance(conversion.of(operand).type, spark.RDDType):
            raise unsupported(op, f"{op.name} cannot be applied to a distributed value")
    copy = op.clone(conversion.values)
    conversion.builder.insert(copy)
    for old, new in zip(op.results, copy.results, strict=True):
        if isinstance(old.type, BagType):
            conversion.distribute(old, new, op)


def convert_extract(conversion: Conversion, op: tensor.ExtractOp) -> None:
    """One element of an array, wherever that is."""
    array = conversion.of(op.tensor)
    if not isinstance(array.type, spark.RDDType):
        copy_op(conversion, op)
    else:
        indices = [conversion.of(index) for index in op.indices]
        local = conversion.local_arrays.get(array)
        if local is not None:
            # The driver has it as it was given, and asks no worker.
            read = tensor.ExtractOp(local, indices, op.result.type)
        else:
            read = spark.ExtractOp(array, indices, conversion.dims[array])
        conversion.define(op.result, conversion.add(read, op))
    _read_dims(conversion, op, op.result)


def _read_dims(conversion: Conversion, op: Operation, value: SSAValue) -> None:
    """An element that is an array has the dimensions that it is found to have."""
    element = as_array(value.type)
    if element is None:
        return
    array = conversion.of(value)
    dims: list[SSAValue] = []
    for axis in range(element.get_num_dims()):
        position = arith.ConstantOp(IntegerAttr(axis, IndexType()))
        dims.append(conversion.add(tensor.DimOp(array, conversion.add(position, op)), op))
    conversion.dims[array] = tuple(dims)


def convert_splat(conversion: Conversion, op: tensor.SplatOp) -> None:
    """An array of the driver with one array as all of its elements."""
    dims = conversion.all_of(op.dynamicSizes)
    type = op.result.type
    assert isinstance(type, TensorType)
    new = tensor.SplatOp(conversion.on_driver(op.input, op), dims, type)
    conversion.define(op.result, conversion.add(new, op), dims)


def convert_insert(conversion: Conversion, op: tensor.InsertOp) -> None:
    """An array of the driver with another array as one of its elements."""
    array = conversion.of(op.dest)
    indices = conversion.all_of(op.indices)
    new = tensor.InsertOp(conversion.on_driver(op.scalar, op), array, indices)
    conversion.define(op.result, conversion.add(new, op), conversion.dims.get(array, ()))


def convert_probe(conversion: Conversion, op: comprehension.ProbeOp) -> None:
    """Convert a read of what an array or a map holds under a key, wherever that is."""
    collection = conversion.of(op.collection)
    keys = conversion.all_of(op.keys)
    if (local := conversion.local_arrays.get(collection)) is not None:
        probe: Operation = comprehension.ProbeOp(local, keys)
        conversion.insert(probe, op)
        for old, new in zip(op.results, probe.results, strict=True):
            conversion.define(old, new)
        return
    if not isinstance(collection.type, spark.RDDType):
        copy_op(conversion, op)
        return
    probe = spark.ProbeOp(collection, keys, conversion.dims.get(collection, ()))
    conversion.insert(probe, op)
    for old, new in zip(op.results, probe.results, strict=True):
        if isinstance(old.type, BagType):
            conversion.distribute(old, new, op)
        else:
            conversion.define(old, new)


def convert_element(conversion: Conversion, op: comprehension.ElementOp) -> None:
    """A row of a list, which is brought to the driver as a whole unless it was given there."""
    rows = conversion.of(op.bag)
    bag = conversion.local_arrays.get(rows) or conversion.on_driver(op.bag, op)
    row = conversion.insert(comprehension.ElementOp(bag, conversion.of(op.position)), op)
    for old, new in zip(op.values, row.values, strict=True):
        new.name_hint = old.name_hint
        if isinstance(old.type, BagType):
            conversion.distribute(old, new, op)
        else:
            conversion.define(old, new)
            _read_dims(conversion, op, old)


def convert_sequence(conversion: Conversion, op: comprehension.SequenceOp) -> None:
    """All rows come to the driver, which puts them in order."""
    rows = conversion.local_arrays.get(conversion.of(op.bag)) or conversion.on_driver(op.bag, op)
    sequence = comprehension.SequenceOp(rows, op.sorted_columns)
    conversion.insert(sequence, op)
    conversion.define(op.rows, sequence.rows)
    conversion.define(op.count, sequence.count)


def convert_place(conversion: Conversion, op: comprehension.PlaceOp) -> None:
    """An array comes to the driver, or is distributed in tiles."""
    array, type = conversion.of(op.array), converted_type(op.result.type)
    if not isinstance(type, spark.RDDType):
        conversion.define(op.result, conversion.on_driver(op.array, op))
        return
    tiles = conversion.add(spark.ParallelizeOp(array, type), op)
    conversion.define(op.result, tiles, conversion.dims[array])


def convert_table(conversion: Conversion, op: comprehension.TableOp) -> None:
    """The driver has a table of the rows, which come to it."""
    rows = conversion.local_arrays.get(conversion.of(op.rows)) or conversion.on_driver(op.rows, op)
    type = op.table.type
    assert isinstance(type, comprehension.TableType)
    conversion.define(op.table, conversion.add(comprehension.TableOp(rows, type), op))


def convert_entries(conversion: Conversion, op: comprehension.EntriesOp) -> None:
    """The driver has the rows, and hands them out."""
    columns = BagType(bag_columns(op.rows))
    rows = comprehension.EntriesOp(conversion.of(op.table), columns)
    conversion.distribute(op.rows, conversion.add(rows, op), op)


def convert_row(conversion: Conversion, op: comprehension.RowOp) -> None:
    """The driver reads a row of its own."""
    copy_op(conversion, op)
    for value in op.values:
        _read_dims(conversion, op, value)


def convert_pack(conversion: Conversion, op: comprehension.PackOp) -> None:
    """A list in a tuple of the driver is the driver's as well."""
    parts = [conversion.on_driver(part, op) for part in op.parts]
    conversion.define(op.result, conversion.add(comprehension.PackOp(parts), op))


def convert_constant_list(conversion: Conversion, op: comprehension.ConstantListOp) -> None:
    """The driver has the rows."""
    rows = comprehension.ConstantListOp(op.columns.data, op.result.type)
    conversion.distribute(op.result, conversion.add(rows, op), op)


def convert_list(conversion: Conversion, op: comprehension.ListOp) -> None:
    """The rows are written on the driver, lists within them as well."""
    rows = [[conversion.on_driver(part, op) for part in row] for row in op.rows]
    conversion.distribute(
        op.result, conversion.add(comprehension.ListOp(rows, op.result.type), op), op
    )

"""What writing an RDD operation takes, and the texts that bring RDDs to the driver.

%v = spark.collect %tiles dims(%n)                 =>    gather(tiles, (n,), block_size, …)
%v = spark.collect %tiles dims(%n) folded "add"    =>    gather_folded(tiles, "add", partitions, …)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects import spark, tensor_block
from diablo.dialects.comprehension import BagType
from diablo.lowering.kernel_types import type_code
from diablo.lowering.numpy.expressions import dtype_of, tuple_text
from diablo.lowering.numpy.numpy_monoids import monoid_text
from diablo.lowering.pyspark.pyspark_lines import Chain
from diablo.lowering.python_text import string_literal


def array_of(type: Attribute) -> TensorType[Attribute]:
    """`type`, which is a tensor's."""
    assert isa(type, TensorType[Attribute])
    return type


def dense_rank_argument(type: TensorType[Attribute]) -> str:
    """The argument that tells a sparse array's dense dimensions, with its comma."""
    rank = tensor_block.dense_rank(type)
    return f", dense_rank={rank}" if rank < type.get_num_dims() else ""


def is_released(op: spark.BroadcastOp) -> bool:
    """Return whether the program lets go of a broadcast itself (`release-kept`)."""
    return any(isinstance(use.operation, spark.ReleaseOp) for use in op.result.uses)


def makes_rdds(op: Operation) -> bool:
    """Return whether a result of an op lies with the workers."""
    return any(isinstance(result.type, spark.RDDType) for result in op.results)


class Writer(Protocol):
    """What an operation needs to know to be written."""

    loops: list[str]
    """The variables of the loops around it, from the outermost."""

    def scalar(self, value: SSAValue) -> str:
        """The text of a scalar, or the name of a local array or a broadcast."""
        ...

    def chain(self, value: SSAValue) -> Chain:
        """The expression for an RDD."""
        ...

    def block_size(self, op: Operation) -> str:
        """The variable that holds the edge of the tiles of an op's arrays."""
        ...

    def is_keyed_by_rekey(self, value: SSAValue) -> bool:
        """Return whether the tiles of an RDD carry their own coordinates."""
        ...


def dims_text(writer: Writer, dims: Sequence[SSAValue]) -> str:
    """A tuple of dimensions."""
    return tuple_text([writer.scalar(d) for d in dims])


def grid_text(writer: Writer, op: spark.CogroupOp | spark.ReduceByKeyOp | spark.PersistOp) -> str:
    """Return where the grid of an op deals tiles out to."""
    return f"by_grid({dims_text(writer, op.grid)}, {writer.block_size(op)}, partitions)"


def gather_text(
    writer: Writer, op: spark.CollectOp | spark.BroadcastOp, monoid: StringAttr | None = None
) -> str:
    """The whole of an RDD on the driver; tiles of a key are combined with `monoid`, if given."""
    rdd = op.input
    assert isinstance(rdd.type, spark.RDDType)
    value = rdd.type.values.data[0]
    source = writer.chain(rdd).text
    if isinstance(value, BagType):
        return f"gather_rows({', '.join([source, *map(type_code, value.columns)])})"
    array = array_of(value)
    dtype = dtype_of(array.get_element_type())
    dims = f"{dims_text(writer, op.dims)}, {writer.block_size(op)}"
    place = f"{dims}, {dtype}{dense_rank_argument(array)}"
    if monoid is None:
        return f"gather({source}, {place})"
    return f"gather_folded({source}, {monoid_text(monoid.data)}, partitions, {place})"


def result_text(writer: Writer, op: spark.CollectOp, name: str | None) -> str:
    """A result of the program, which its caller may leave where it is."""
    source = writer.chain(op.input).text
    label = f", name={string_literal(name)}" if name else ""
    type = op.result.type
    if isinstance(type, BagType):
        codes = tuple_text([type_code(column) for column in type.columns])
        if type.is_map:
            return f"Map({source}, {codes}, {type.keys.data}{label})"
        return f"Rows({source}, {codes}{label})"
    array = array_of(type)
    dtype = dtype_of(array.get_element_type())
    dense = tensor_block.dense_rank(array)
    dims, edge = dims_text(writer, op.dims), writer.block_size(op)
    return f"DistributedArray({source}, {dims}, {dense}, {dtype}, {edge}{label})"

"""The ops between the driver and the workers: data goes out, elements and results come back.

`diablo.dialects.spark` exports them; it says what a record is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bags import BagType
from diablo.dialects.encodings import element_type
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.spark.spark_layouts import verify_layout_of
from diablo.dialects.spark.spark_types import (
    BroadcastType,
    RDDType,
    rdd_type,
    verify_dims,
    verify_distributed,
    verify_same,
)
from diablo.dialects.sparse_storage.sparse_storage_layout import LayoutAttr
from diablo.dialects.verifier_checks import verify_step


@irdl_op_definition
class ParallelizeOp(IRDLOperation):
    """Distributes driver data: an array as its tiles, a bag as column batches.

    The tiles of a sparse array may be given a layout (`as`). A bag that is `whole` is one batch.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64>
    %tiles = spark.parallelize %A
        : tensor<?x?xf64> -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
    %v = "test.op"() : () -> tensor<?xf64, #tensor_block.storage<dense = 0>>
    %looked_up = spark.parallelize %v as <form = auto, directory = array>
        : tensor<?xf64, #tensor_block.storage<dense = 0>>
        -> !spark.rdd<[index], [tensor<?xf64, #tensor_block.storage<dense = 0>>]>
    %rows = "test.op"() : () -> !comprehension.bag<f64>
    %batch = spark.parallelize %rows whole
        : !comprehension.bag<f64> -> !spark.rdd<[], [!comprehension.bag<f64>]>
    ```
    """

    name = "spark.parallelize"
    input = operand_def()
    layout = opt_prop_def(LayoutAttr)
    whole = opt_prop_def(UnitAttr)
    result = result_def(RDDType)
    assembly_format = (
        "$input (`as` $layout^)? (`whole` $whole^)? attr-dict `:` type($input) `->` type($result)"
    )

    def __init__(
        self,
        input: SSAValue,
        result_type: RDDType,
        layout: LayoutAttr | None = None,
        *,
        whole: bool = False,
    ):
        super().__init__(
            operands=[input],
            properties={"layout": layout, "whole": UnitAttr() if whole else None},
            result_types=[result_type],
        )

    def verify_(self) -> None:
        """Check that the RDD stands for the data, and that the layout is one of a sparse array."""
        verify_distributed(self.input.type, self.result.type)
        if self.layout is not None:
            verify_layout_of(self.result.type, self.layout)
        if self.whole is not None and not isinstance(self.input.type, BagType):
            raise VerifyException(f"what is one batch are rows, not {self.input.type}")


@irdl_op_definition
class RangeOp(IRDLOperation):
    """Distributes the integers `lower`, `lower + step`, … up to and including `upper` as rows.

    ```mlir
    %lo, %hi = "test.op"() : () -> (index, index)
    %rows = spark.range %lo to %hi step 2 : !spark.rdd<[], [!comprehension.bag<index>]>
    ```
    """

    name = "spark.range"
    lower = operand_def(IndexType)
    upper = operand_def(IndexType)
    step = opt_prop_def(IntegerAttr[I64])
    result = result_def(RDDType)
    assembly_format = "$lower `to` $upper (`step` $step^)? attr-dict `:` type($result)"

    def __init__(self, lower: SSAValue, upper: SSAValue, step: int, result_type: RDDType):
        super().__init__(
            operands=[lower, upper],
            properties={"step": IntegerAttr(step, i64) if step != 1 else None},
            result_types=[result_type],
        )

    def verify_(self) -> None:
        """Check that the range ends, and the column."""
        verify_step(self.step)
        verify_same(self.result.type, [], [BagType([IndexType()])])


@irdl_op_definition
class TilesOp(IRDLOperation):
    """The coordinates of all tiles of an array with the given dimensions, as keys.

    ```mlir
    %n, %m = "test.op"() : () -> (index, index)
    %all = spark.tiles dims(%n, %m) : !spark.rdd<[index, index], []>
    ```
    """

    name = "spark.tiles"
    dims = var_operand_def(IndexType)
    result = result_def(RDDType)
    traits = traits_def(Pure())
    assembly_format = "`dims` `(` $dims `)` attr-dict `:` type($result)"

    def __init__(self, dims: Sequence[SSAValue]):
        super().__init__(operands=[dims], result_types=[RDDType([IndexType()] * len(dims), [])])

    def verify_(self) -> None:
        """Check the key."""
        verify_same(self.result.type, self.dims.types, [])


@irdl_op_definition
class ExtractOp(IRDLOperation):
    """Brings one element of an array to the driver.

    The index is given with the array's dimensions; one outside them is an error while running.

    ```mlir
    %i, %n = "test.op"() : () -> (index, index)
    %v = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
    %x = spark.extract %v[%i] dims(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> f64
    ```
    """

    name = "spark.extract"
    input = operand_def(RDDType)
    indices = var_operand_def(IndexType)
    dims = var_operand_def(IndexType)
    result = result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$input `[` $indices `]` `dims` `(` $dims `)` attr-dict `:` type($input) `->` type($result)"
    )

    def __init__(self, input: SSAValue, indices: Sequence[SSAValue], dims: Sequence[SSAValue]):
        assert isinstance(input.type, RDDType)
        super().__init__(
            operands=[input, indices, dims],
            result_types=[element_type(input.type.values.data[0])],
        )

    def verify_(self) -> None:
        """Check that index, dimensions and element are the array's."""
        type = rdd_type(self.input)
        if not len(self.indices) == len(self.dims) == len(type.keys.data):
            raise VerifyException(f"expected one index and one dimension per key of {type}")
        if type.values.data == () or element_type(type.values.data[0]) != self.result.type:
            raise VerifyException(f"{self.result.type} is not the element type of {type}")


@irdl_op_definition
class BroadcastOp(IRDLOperation):
    """Sends the whole of an array to every worker: a local one, or the collected tiles.

    ```mlir
    %n = "test.op"() : () -> index
    %tiles = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
    %v = spark.broadcast %tiles dims(%n)
        : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.broadcast<tensor<?xf64>>
    ```
    """

    name = "spark.broadcast"
    input = operand_def()
    dims = var_operand_def(IndexType)
    result = result_def(BroadcastType)
    traits = traits_def(Pure())
    assembly_format = (
        "$input (`dims` `(` $dims^ `)`)? attr-dict `:` type($input) `->` type($result)"
    )

    def __init__(self, input: SSAValue, dims: Sequence[SSAValue]):
        value = input.type.values.data[0] if isinstance(input.type, RDDType) else input.type
        super().__init__(operands=[input, dims], result_types=[BroadcastType(value)])

    def verify_(self) -> None:
        """Check the dimensions and the result."""
        value = self.input.type
        if isinstance(value, RDDType):
            verify_dims(self.dims, len(value.keys), "coordinates of the key")
            if len(value.values) != 1:
                raise VerifyException(f"expected an RDD of tiles, got {value}")
            value = value.values.data[0]
        if self.result.type != BroadcastType(value):
            raise VerifyException(
                f"the result must be {BroadcastType(value)}, got {self.result.type}"
            )


@irdl_op_definition
class ReleaseOp(IRDLOperation):
    """Lets go of a persistent RDD, or of a broadcast, which nothing needs any more.

    ```mlir
    %v = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
    %kept = spark.persist %v : !spark.rdd<[index], [tensor<?xf64>]>
    spark.release %kept : !spark.rdd<[index], [tensor<?xf64>]>
    ```
    """

    name = "spark.release"
    input = operand_def(base(RDDType) | base(BroadcastType))
    assembly_format = "$input attr-dict `:` type($input)"

    def __init__(self, input: SSAValue):
        super().__init__(operands=[input])


@irdl_op_definition
class PersistOp(IRDLOperation):
    """Keeps an RDD that is used more than once.

    With a `grid` its records are moved before to where the grid of an array with the given
    dimensions deals them out to, once and for all; so are hashed rows with `buckets`.

    ```mlir
    %n = "test.op"() : () -> index
    %v = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
    %kept = spark.persist %v : !spark.rdd<[index], [tensor<?xf64>]>
    %placed = spark.persist %v grid(%n) : !spark.rdd<[index], [tensor<?xf64>]>
    %rows = "test.op"() : () -> !spark.rdd<[index], [!comprehension.bag<i64>]>
    %hashed = spark.persist %rows buckets : !spark.rdd<[index], [!comprehension.bag<i64>]>
    ```
    """

    T: ClassVar = VarConstraint("T", base(RDDType))

    name = "spark.persist"
    input = operand_def(T)
    grid = var_operand_def(IndexType)
    buckets = opt_prop_def(UnitAttr)
    result = result_def(T)
    assembly_format = (
        "$input (`grid` `(` $grid^ `)`)? (`buckets` $buckets^)? attr-dict `:` type($result)"
    )

    def __init__(self, input: SSAValue, grid: Sequence[SSAValue] = (), *, buckets: bool = False):
        super().__init__(
            operands=[input, grid],
            properties={"buckets": UnitAttr() if buckets else None},
            result_types=[input.type],
        )

    def verify_(self) -> None:
        """Check the grid, if there is one."""
        if self.grid and self.buckets is not None:
            raise VerifyException("records lie by a grid or in buckets, not both")
        if self.grid:
            verify_dims(self.grid, len(rdd_type(self.input).keys), "coordinates of the key")


@irdl_op_definition
class CollectOp(IRDLOperation):
    """An RDD as the array or bag that it stands for, as a result of the program.

    There may be several tiles of a key if they are `folded` with a monoid.

    ```mlir
    %n = "test.op"() : () -> index
    %tiles = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
    %v = spark.collect %tiles dims(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> tensor<?xf64>
    %partial = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
    %sums = spark.collect %partial dims(%n) folded "add"
        : !spark.rdd<[index], [tensor<?xf64>]> -> tensor<?xf64>
    ```
    """

    name = "spark.collect"
    input = operand_def(RDDType)
    dims = var_operand_def(IndexType)
    monoid = opt_prop_def(StringAttr)
    result = result_def()
    traits = traits_def(Pure())
    assembly_format = (
        "$input (`dims` `(` $dims^ `)`)? (`folded` $monoid^)? attr-dict"
        " `:` type($input) `->` type($result)"
    )

    def __init__(
        self,
        input: SSAValue,
        dims: Sequence[SSAValue],
        result_type: Attribute,
        monoid: str | None = None,
    ):
        super().__init__(
            operands=[input, dims],
            properties={"monoid": None if monoid is None else StringAttr(monoid)},
            result_types=[result_type],
        )

    def verify_(self) -> None:
        """Check that the RDD stands for the result, the dimensions and the monoid."""
        type = rdd_type(self.input)
        verify_distributed(self.result.type, type)
        verify_dims(self.dims, len(type.keys), "coordinates of the key")
        if self.monoid is not None:
            if not type.keys.data:
                raise VerifyException("only tiles are folded, but these have no keys")
            verify_monoid(self.monoid.data, element_type(type.values.data[0]), self)

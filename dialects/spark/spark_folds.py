"""The ops that combine records with a monoid.

`diablo.dialects.spark` exports them; it says what a record is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import Monoid, Monoids
from diablo.dialects.encodings import element_type
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.spark.spark_types import RDDType, rdd_type, verify_dims


@irdl_op_definition
class ReduceByKeyOp(IRDLOperation):
    """Combines the tiles (or scalars) of each key elementwise with a monoid.

    The results lie where the `grid` of an array with the given dimensions deals them out to.

    ```mlir
    %n = "test.op"() : () -> index
    %partial = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
    %sums = spark.reduce_by_key add %partial grid(%n) : !spark.rdd<[index], [tensor<?xf64>]>
    ```
    """

    T: ClassVar = VarConstraint("T", base(RDDType))

    name = "spark.reduce_by_key"
    monoid = prop_def(StringAttr)
    input = operand_def(T)
    grid = var_operand_def(IndexType)
    result = result_def(T)
    custom_directives = (Monoid,)
    assembly_format = (
        "custom<Monoid>($monoid) $input `grid` `(` $grid `)` attr-dict `:` type($result)"
    )

    def __init__(self, monoid: str, input: SSAValue, grid: Sequence[SSAValue]):
        super().__init__(
            operands=[input, grid],
            properties={"monoid": StringAttr(monoid)},
            result_types=[input.type],
        )

    def verify_(self) -> None:
        """Check the grid and the monoid."""
        verify_dims(self.grid, len(rdd_type(self.input).keys), "coordinates of the key")
        for value in rdd_type(self.input).values:
            verify_monoid(self.monoid.data, element_type(value), self)


@irdl_op_definition
class FoldOp(IRDLOperation):
    """Folds the scalars of all records to one on the driver.

    ```mlir
    %partial = "test.op"() : () -> !spark.rdd<[], [f64]>
    %sum = spark.fold add %partial : !spark.rdd<[], [f64]> -> f64
    ```
    """

    name = "spark.fold"
    monoid = prop_def(StringAttr)
    input = operand_def(RDDType)
    result = result_def()
    custom_directives = (Monoid,)
    assembly_format = "custom<Monoid>($monoid) $input attr-dict `:` type($input) `->` type($result)"

    def __init__(self, monoid: str, input: SSAValue):
        assert isinstance(input.type, RDDType)
        super().__init__(
            operands=[input],
            properties={"monoid": StringAttr(monoid)},
            result_types=[input.type.values.data[0]],
        )

    def verify_(self) -> None:
        """Check the monoid and the result."""
        type = rdd_type(self.input)
        if type.values.data != (self.result.type,):
            raise VerifyException(f"expected an RDD of {self.result.type} alone, got {type}")
        verify_monoid(self.monoid.data, self.result.type, self)


@irdl_op_definition
class FoldAllOp(IRDLOperation):
    """Folds each of the scalars of all records, with a monoid of its own, in one job.

    ```mlir
    %partial = "test.op"() : () -> !spark.rdd<[], [f64, i64]>
    %sum, %most = spark.fold_all [add, max] %partial : !spark.rdd<[], [f64, i64]> -> f64, i64
    ```
    """

    name = "spark.fold_all"
    monoids = prop_def(ArrayAttr[StringAttr])
    input = operand_def(RDDType)
    folded = var_result_def()
    custom_directives = (Monoids,)
    assembly_format = (
        "custom<Monoids>($monoids) $input attr-dict `:` type($input) `->` type($folded)"
    )

    def __init__(self, monoids: Sequence[str], input: SSAValue):
        super().__init__(
            operands=[input],
            properties={"monoids": ArrayAttr([StringAttr(monoid) for monoid in monoids])},
            result_types=[rdd_type(input).values.data],
        )

    def verify_(self) -> None:
        """Check the monoids and the results."""
        values = rdd_type(self.input).values.data
        if values != tuple(self.folded.types):
            given = ", ".join(map(str, self.folded.types))
            raise VerifyException(f"expected an RDD of {given}, got {rdd_type(self.input)}")
        if len(self.monoids) != len(values):
            raise VerifyException(
                f"there are {len(values)} values, and {len(self.monoids)} monoids"
            )
        for monoid, type in zip(self.monoids, values, strict=True):
            verify_monoid(monoid.data, type, self)

"""The ops that combine records with a monoid.

`diablo.dialects.spark` exports them; it says what a record is.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import Monoid
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.spark.spark_types import RDDType, element_type, rdd_type


@irdl_op_definition
class ReduceByKeyOp(IRDLOperation):
    """Combines the tiles (or scalars) of each key elementwise with a monoid.

    ```mlir
    %partial = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
    %sums = spark.reduce_by_key add %partial : !spark.rdd<[index], [tensor<?xf64>]>
    ```
    """

    T: ClassVar = VarConstraint("T", base(RDDType))

    name = "spark.reduce_by_key"
    monoid = prop_def(StringAttr)
    input = operand_def(T)
    result = result_def(T)
    custom_directives = (Monoid,)
    assembly_format = "custom<Monoid>($monoid) $input attr-dict `:` type($result)"

    def __init__(self, monoid: str, input: SSAValue):
        super().__init__(
            operands=[input],
            properties={"monoid": StringAttr(monoid)},
            result_types=[input.type],
        )

    def verify_(self) -> None:
        """Check the monoid."""
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

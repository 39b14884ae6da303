"""The `spark` op that folds every beginning of an array's lines.

`diablo.dialects.spark` exports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import IndexType, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    result_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.scan_ops import ScanLines
from diablo.dialects.spark.spark_types import RDDType, array_of, verify_dims


@irdl_op_definition
class ScanOp(ScanLines):
    """A scan of the tiles of an array with the dimensions `dims`.

    The workers fold each tile along the dimension, the driver scans these folds, and the workers
    scan each tile from what comes before it. Tiles stay where they are. An array of the driver is
    scanned by a kernel.

    ```mlir
    %n = "test.op"() : () -> index
    %A = "test.op"() : () -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
    %sums = spark.scan add %A along 1 dims(%n, %n) : !spark.rdd<[index, index], [tensor<?x?xf64>]>
    %least = spark.scan min %A along 0 reverse dims(%n, %n)
        : !spark.rdd<[index, index], [tensor<?x?xf64>]>
    ```
    """

    T: ClassVar = VarConstraint("T", AnyAttr())

    name = "spark.scan"
    input = operand_def(T)
    dims = var_operand_def(IndexType)
    result = result_def(T)
    assembly_format = (
        "custom<Monoid>($monoid) $input `along` $dimension (`reverse` $reverse^)? "
        "`dims` `(` $dims `)` attr-dict `:` type($result)"
    )

    def __init__(
        self,
        monoid: str,
        input: SSAValue,
        dimension: int,
        dims: Sequence[SSAValue],
        *,
        reverse: bool = False,
    ):
        super().__init__(monoid, input, dimension, dims, reverse=reverse)

    @override
    @staticmethod
    def array_type(type: Attribute) -> TensorType[Attribute]:
        if not isinstance(type, RDDType):
            raise VerifyException(f"a kernel scans an array of the driver, got {type}")
        return array_of(type, "what is scanned is")

    @override
    def verify_(self) -> None:
        rank = self.array_type(self.input.type).get_num_dims()
        verify_dims(self.dims, rank, "coordinates of the key")
        super().verify_()

"""The `spark` op that folds every beginning of an array's lines.

`diablo.dialects.spark` exports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from diablo.dialects.assembly import Monoid
from diablo.dialects.encodings import is_sparse
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.spark.spark_types import RDDType, array_of, verify_dims
from diablo.dialects.verifier_checks import verify_scan


@irdl_op_definition
class ScanOp(IRDLOperation):
    """A scan of an array by the driver; or of the tiles of one with the dimensions `dims`.

    The workers fold each tile along the dimension, the driver scans these folds, and the workers
    scan each tile from what comes before it. Tiles stay where they are.

    ```mlir
    %n = "test.op"() : () -> index
    %A = "test.op"() : () -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
    %sums = spark.scan add %A along 1 dims(%n, %n) : !spark.rdd<[index, index], [tensor<?x?xf64>]>
    %v = "test.op"() : () -> tensor<?xi64>
    %least = spark.scan min %v along 0 reverse : tensor<?xi64>
    ```
    """

    T: ClassVar = VarConstraint("T", AnyAttr())

    name = "spark.scan"
    monoid = prop_def(StringAttr)
    input = operand_def(T)
    dims = var_operand_def(IndexType)
    dimension = prop_def(IntegerAttr[I64])
    reverse = opt_prop_def(UnitAttr)
    result = result_def(T)
    traits = traits_def(Pure())
    custom_directives = (Monoid,)
    assembly_format = (
        "custom<Monoid>($monoid) $input `along` $dimension (`reverse` $reverse^)? "
        "(`dims` `(` $dims^ `)`)? attr-dict `:` type($result)"
    )

    def __init__(
        self,
        monoid: str,
        input: SSAValue,
        dimension: int,
        dims: Sequence[SSAValue] = (),
        *,
        reverse: bool = False,
    ):
        super().__init__(
            operands=[input, dims],
            properties={
                "monoid": StringAttr(monoid),
                "dimension": IntegerAttr(dimension, i64),
                "reverse": UnitAttr() if reverse else None,
            },
            result_types=[input.type],
        )

    def verify_(self) -> None:
        """Check the dimensions, the monoid, and that the array is dense."""
        array = array_of(self.input.type, "what is scanned is")
        rank = array.get_num_dims()
        distributed = isinstance(self.input.type, RDDType)
        verify_dims(self.dims, rank if distributed else 0, "coordinates of the key")
        verify_scan(self.dimension.value.data, rank, is_sparse(array))
        verify_monoid(self.monoid.data, array.get_element_type(), self)

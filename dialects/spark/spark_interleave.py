"""The `spark` op that lets two dimensions of an array make one.

`diablo.dialects.spark` exports it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from diablo.dialects.spark.spark_types import RDDType, rdd_type, verify_dims, verify_same


@irdl_op_definition
class InterleaveOp(IRDLOperation):
    """The tiles of an array of which a dimension may be made of two of the input's.

    There is a factor for each dimension of the result: 1 where it is the input's next
    dimension, f where it is the next two, the second of which has f indices. Then the element
    (i, a) goes to `f * i + a`. `dims` are the dimensions of the result.

    ```mlir
    %n = "test.op"() : () -> index
    %pairs = "test.op"() : () -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
    %v = spark.interleave %pairs [2] dims(%n)
        : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
    ```
    """

    name = "spark.interleave"
    input = operand_def(RDDType)
    factors = prop_def(DenseArrayBase.constr(i64))
    dims = var_operand_def(IndexType)
    result = result_def(RDDType)
    assembly_format = (
        "$input $factors `dims` `(` $dims `)` attr-dict `:` type($input) `->` type($result)"
    )

    def __init__(self, input: SSAValue, factors: Sequence[int], dims: Sequence[SSAValue]):
        type = input.type
        assert isinstance(type, RDDType)
        (tile,) = type.values
        assert isa(tile, TensorType)
        narrow = TensorType(tile.get_element_type(), [DYNAMIC_INDEX] * len(dims))
        super().__init__(
            operands=[input, dims],
            properties={"factors": DenseArrayBase.from_list(i64, factors)},
            result_types=[RDDType([IndexType()] * len(dims), [narrow])],
        )

    def verify_(self) -> None:
        """Check that the factors say what becomes of each dimension."""
        type = rdd_type(self.input)
        if len(type.values) != 1 or not isa(tile := type.values.data[0], TensorType):
            raise VerifyException(f"expected an RDD of tiles, got {type}")
        factors = self.factors.get_values()
        if any(factor < 1 for factor in factors):
            raise VerifyException(f"expected positive factors, got {list(factors)}")
        verify_dims(self.dims, len(factors), "factors")
        made = sum(1 if factor == 1 else 2 for factor in factors)
        if made != tile.get_num_dims():
            raise VerifyException(
                f"the factors are those of {made} dimensions, and the input has "
                f"{tile.get_num_dims()}"
            )
        narrow = TensorType(tile.get_element_type(), [DYNAMIC_INDEX] * len(factors))
        verify_same(self.result.type, self.dims.types, [narrow])

"""The op that folds every beginning of an array's lines: `scan`.

`diablo.dialects.tensor_block` exports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import IndexType, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import VarConstraint, irdl_op_definition, operand_def, result_def, var_operand_def
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from diablo.dialects.encodings import ARRAY
from diablo.dialects.scan_ops import ScanLines


@irdl_op_definition
class ScanOp(ScanLines):
    """At every index the fold of the elements up to it along one dimension, itself included.

    With `reverse` it is the fold of the elements from the index on. A line along the dimension is
    folded apart from all others. The result has the dimensions of the array, which is dense; a
    kernel says what they are with `dims`.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
    %v = "test.op"() : () -> tensor<?xi64>
    %sums = tensor_block.scan add %A along 1 : tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
    %least = tensor_block.scan min %v along 0 reverse : tensor<?xi64>
    %n = "test.op"() : () -> index
    %greatest = tensor_block.scan max %v along 0 dims(%n) : tensor<?xi64>
    ```
    """

    T: ClassVar = VarConstraint("T", ARRAY)

    name = "tensor_block.scan"
    array = operand_def(T)
    extents = var_operand_def(IndexType)
    result = result_def(T)
    assembly_format = (
        "custom<Monoid>($monoid) $array `along` $dimension (`reverse` $reverse^)? "
        "(`dims` `(` $extents^ `)`)? attr-dict `:` type($result)"
    )

    def __init__(
        self,
        monoid: str,
        array: SSAValue,
        dimension: int = 0,
        extents: Sequence[SSAValue] = (),
        *,
        reverse: bool = False,
    ):
        super().__init__(monoid, array, dimension, extents, reverse=reverse)

    @override
    def verify_(self) -> None:
        rank = self.array_type(self.array.type).get_num_dims()
        if self.extents and len(self.extents) != rank:
            raise VerifyException(
                f"an array of {rank} dimensions has {rank} extents, got {len(self.extents)}"
            )
        super().verify_()

    @override
    @staticmethod
    def array_type(type: Attribute) -> TensorType[Attribute]:
        assert isa(type, TensorType)
        return type

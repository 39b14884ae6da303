"""The op that folds every beginning of an array's lines: `scan`.

`diablo.dialects.tensor_block` exports it.
"""

from __future__ import annotations

from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute
from xdsl.irdl import VarConstraint, irdl_op_definition, operand_def, result_def
from xdsl.utils.hints import isa

from diablo.dialects.encodings import ARRAY
from diablo.dialects.scan_ops import ScanLines


@irdl_op_definition
class ScanOp(ScanLines):
    """At every index the fold of the elements up to it along one dimension, itself included.

    With `reverse` it is the fold of the elements from the index on. A line along the dimension is
    folded apart from all others. The result has the dimensions of the array, which is dense.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
    %v = "test.op"() : () -> tensor<?xi64>
    %sums = tensor_block.scan add %A along 1 : tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
    %least = tensor_block.scan min %v along 0 reverse : tensor<?xi64>
    ```
    """

    T: ClassVar = VarConstraint("T", ARRAY)

    name = "tensor_block.scan"
    array = operand_def(T)
    result = result_def(T)
    assembly_format = (
        "custom<Monoid>($monoid) $array `along` $dimension (`reverse` $reverse^)? attr-dict "
        "`:` type($result)"
    )

    @override
    @staticmethod
    def array_type(type: Attribute) -> TensorType[Attribute]:
        assert isa(type, TensorType)
        return type

"""The op that brings an array to the driver, or distributes it.

`diablo.dialects.comprehension` exports it. It stands among the ops of the driver.
"""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.encodings import as_array, is_sparse, is_tiled, local_type, tiled_type


@irdl_op_definition
class PlaceOp(IRDLOperation):
    """The same dense array in another place: with the driver, or distributed in tiles.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
    %here = comprehension.place %A
        : tensor<?x?xf64, #tensor_block.tiles<dense = 2>> -> tensor<?x?xf64>
    %tiles = comprehension.place %here
        : tensor<?x?xf64> -> tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
    ```
    """

    name = "comprehension.place"
    array = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$array attr-dict `:` type($array) `->` type($result)"

    def __init__(self, array: SSAValue):
        super().__init__(operands=[array], result_types=[_elsewhere(array.type)])

    def verify_(self) -> None:
        """Check that the result is the same array in the other place."""
        if is_sparse(self.array.type):
            raise VerifyException("only dense arrays are placed")
        if self.result.type != _elsewhere(self.array.type):
            raise VerifyException(f"the result must be {_elsewhere(self.array.type)}")


def _elsewhere(type: Attribute) -> Attribute:
    array = as_array(type)
    assert array is not None
    return local_type(array) if is_tiled(array) else tiled_type(array)

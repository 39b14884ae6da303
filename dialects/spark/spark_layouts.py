"""The op that stores arrays of the driver, or the tiles of distributed ones, in a layout.

`diablo.dialects.spark` exports it.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.encodings import as_array, is_sparse
from diablo.dialects.spark.spark_types import RDDType
from diablo.dialects.sparse_storage.sparse_storage_layout import LayoutAttr


@irdl_op_definition
class WithLayoutOp(IRDLOperation):
    """The same sparse array, its indices stored in a layout.

    ```mlir
    %E = "test.op"() : () -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
    %columns = spark.with_layout %E as <form = compressed, orders = [[1, 0]]>
        : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
    %V = "test.op"()
        : () -> !spark.rdd<[index], [tensor<?xf64, #tensor_block.storage<dense = 0>>]>
    %found = spark.with_layout %V as <form = auto, directory = array>
        : !spark.rdd<[index], [tensor<?xf64, #tensor_block.storage<dense = 0>>]>
    ```
    """

    T: ClassVar = VarConstraint("T", AnyAttr())

    name = "spark.with_layout"
    input = operand_def(T)
    layout = prop_def(LayoutAttr)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$input `as` $layout attr-dict `:` type($result)"

    def __init__(self, input: SSAValue, layout: LayoutAttr):
        super().__init__(operands=[input], properties={"layout": layout}, result_types=[input.type])

    def verify_(self) -> None:
        """Check that there is a sparse array, and that the orders are of its rank."""
        verify_layout_of(self.input.type, self.layout)


def verify_layout_of(type: Attribute, layout: LayoutAttr) -> None:
    """Raise a `VerifyException` unless a sparse array, or tiles of one, may have the layout."""
    stored = type
    if isinstance(stored, RDDType) and len(stored.values) == 1:
        stored = stored.values.data[0]
    array = as_array(stored)
    if array is None or not is_sparse(array):
        raise VerifyException(f"expected a sparse array or its tiles, got {type}")
    rank = array.get_num_dims()
    for order in layout.dimension_orders:
        if len(order) != rank:
            raise VerifyException(f"{list(order)} is no order of an array of rank {rank}")

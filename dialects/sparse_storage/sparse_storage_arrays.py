"""The ops that take sparse arrays apart into a region and its values, and put them together.

`diablo.dialects.sparse_storage` exports them.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType, i1
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_result_def,
    result_def,
    traits_def,
)
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.encodings import ARRAY, array_type, is_sparse
from diablo.dialects.sparse_storage.sparse_storage_layout import AUTO, LayoutAttr, RegionType
from diablo.dialects.sparse_storage.sparse_storage_regions import region_type


def values_type(array: TensorType[Attribute]) -> MemRefType[Attribute] | None:
    """The vector of the values of a sparse array; `None` for Booleans, which are all true."""
    element = array.get_element_type()
    return None if element == i1 else MemRefType(element, [DYNAMIC_INDEX])


def _verify_array(array: SSAValue, region: SSAValue, values: SSAValue | None) -> None:
    """Raise a `VerifyException` unless `values` over `region` are an array of this type."""
    type = cast("TensorType[Attribute]", array.type)
    if not is_sparse(type):
        raise VerifyException(f"expected a sparse array, got {type}")
    rank = region_type(region).rank.data
    if rank != type.get_num_dims():
        raise VerifyException(f"a region of rank {rank} cannot be that of {type}")
    expected = values_type(type)
    if expected is None and values is not None:
        raise VerifyException(f"the stored elements of {type} are true and have no values")
    if expected is not None and (values is None or values.type != expected):
        got = "none" if values is None else values.type
        raise VerifyException(f"the values of {type} are {expected}, got {got}")


@irdl_op_definition
class UnpackOp(IRDLOperation):
    """The region of a sparse array, and the vector of its values by position.

    The stored elements of a Boolean array are all true: it has no values. What is not in the
    region has the array's implicit value (see `implicit`).

    ```mlir
    %A, %P = "test.op"() : () -> (tensor<?x?xf64, #tensor_block.storage<dense = 1>>,
                                  tensor<?xi1, #tensor_block.storage<dense = 0>>)
    %region, %values = sparse_storage.unpack %A : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
        -> !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>, memref<?xf64>
    %pattern = sparse_storage.unpack %P : tensor<?xi1, #tensor_block.storage<dense = 0>>
        -> !sparse_storage.region<1>
    ```
    """

    name = "sparse_storage.unpack"
    array = operand_def(ARRAY)
    region = result_def(RegionType)
    values = opt_result_def(MemRefType[Attribute])
    traits = traits_def(Pure())
    assembly_format = "$array attr-dict `:` type($array) `->` type($region) (`,` type($values)^)?"

    def __init__(self, array: SSAValue, layout: LayoutAttr = AUTO):
        type = cast("TensorType[Attribute]", array.type)
        super().__init__(
            operands=[array],
            result_types=[RegionType(type.get_num_dims(), layout), values_type(type)],
        )

    def verify_(self) -> None:
        """Check that the region and the values are the array's."""
        _verify_array(self.array, self.region, self.values)


@irdl_op_definition
class PackOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """The sparse array with some values over a region; the reverse of `unpack`.

    Any number of arrays share one region. Values that are zero are not stored.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
    %region, %values = sparse_storage.unpack %A : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
        -> !sparse_storage.region<2>, memref<?xf64>
    %B = sparse_storage.pack %region, %values : !sparse_storage.region<2>, memref<?xf64>
        -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
    ```
    """

    name = "sparse_storage.pack"
    region = operand_def(RegionType)
    values = opt_operand_def(MemRefType[Attribute])
    array = result_def(ARRAY)
    traits = traits_def(Pure())
    assembly_format = (
        "$region (`,` $values^)? attr-dict `:` type($region) (`,` type($values)^)? "
        "`->` type($array)"
    )

    def __init__(self, region: SSAValue, values: SSAValue | None, array: Attribute):
        super().__init__(operands=[region, values], result_types=[array])

    def verify_(self) -> None:
        """Check that the region and the values are the array's."""
        _verify_array(self.array, self.region, self.values)

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """An array that was taken apart just before is itself."""
        from diablo.dialects.sparse_storage.sparse_storage_canonicalization import UsePackedArray

        return (UsePackedArray(),)


@irdl_op_definition
class ImplicitOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """What a sparse array has where nothing is stored: the zero of its elements.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
    %zero = sparse_storage.implicit %A : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> f64
    ```
    """

    name = "sparse_storage.implicit"
    array = operand_def(ARRAY)
    value = result_def()
    traits = traits_def(Pure())
    assembly_format = "$array attr-dict `:` type($array) `->` type($value)"

    def __init__(self, array: SSAValue):
        super().__init__(operands=[array], result_types=[array_type(array).get_element_type()])

    def verify_(self) -> None:
        """Check that there is such a value."""
        if not is_sparse(self.array.type):
            raise VerifyException(f"expected a sparse array, got {self.array.type}")
        element = array_type(self.array).get_element_type()
        if self.value.type != element:
            raise VerifyException(f"the implicit value is {element}, got {self.value.type}")

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """The zero of a number is a constant."""
        from diablo.dialects.sparse_storage.sparse_storage_canonicalization import ImplicitConstant

        return (ImplicitConstant(),)

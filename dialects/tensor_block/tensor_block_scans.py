"""The op that folds every beginning of an array's lines: `scan`.

`diablo.dialects.tensor_block` exports it.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import I64, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from diablo.dialects.assembly import Monoid
from diablo.dialects.encodings import ARRAY, array_type, is_sparse
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.verifier_checks import verify_scan


@irdl_op_definition
class ScanOp(IRDLOperation):
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
    monoid = prop_def(StringAttr)
    array = operand_def(T)
    dimension = prop_def(IntegerAttr[I64])
    reverse = opt_prop_def(UnitAttr)
    result = result_def(T)
    traits = traits_def(Pure())
    custom_directives = (Monoid,)
    assembly_format = (
        "custom<Monoid>($monoid) $array `along` $dimension (`reverse` $reverse^)? attr-dict "
        "`:` type($result)"
    )

    def __init__(self, monoid: str, array: SSAValue, dimension: int = 0, *, reverse: bool = False):
        super().__init__(
            operands=[array],
            properties={
                "monoid": StringAttr(monoid),
                "dimension": IntegerAttr(dimension, i64),
                "reverse": UnitAttr() if reverse else None,
            },
            result_types=[array.type],
        )

    def verify_(self) -> None:
        """Check the dimension, the monoid, and that the array is dense."""
        type = array_type(self.array)
        verify_scan(self.dimension.value.data, type.get_num_dims(), is_sparse(type))
        verify_monoid(self.monoid.data, type.get_element_type(), self)

"""What whoever launches kernels does between them, where xDSL's `gpu` has no op for it.

`diablo.dialects.simt` exports the ops.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IndexType, MemRefType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa


@irdl_op_definition
class LookOp(IRDLOperation):
    """A number that loops have made, for whoever launches kernels, who waits for it.

    What is allocated, and how many threads there are, may depend on it then.

    ```mlir
    %count = "test.op"() : () -> index
    %known = simt.look %count : index
    %rows = memref.alloc(%known) : memref<?xf64>
    ```
    """

    T: ClassVar = VarConstraint("T", AnyAttr())

    name = "simt.look"
    value = operand_def(T)
    result = result_def(T)
    assembly_format = "$value attr-dict `:` type($value)"
    # Nothing is moved from behind what it waits for.
    traits = traits_def(MemoryReadEffect())

    def __init__(self, value: SSAValue):
        super().__init__(operands=[value], result_types=[value.type])


@irdl_op_definition
class SortOp(IRDLOperation):
    """Put keys in order, and what stands beside each of them; equal ones stay in their order.

    Keys are compared as integers without a sign, of as many bits as is said: the others are zero.

    ```mlir
    %keys, %places = "test.op"() : () -> (memref<?xi64>, memref<?xindex>)
    %bits = arith.constant 20 : index
    simt.sort %keys, %places, %bits : memref<?xi64>, memref<?xindex>
    ```
    """

    name = "simt.sort"
    keys = operand_def(MemRefType)
    places = operand_def(MemRefType)
    bits = operand_def(IndexType)
    assembly_format = "$keys `,` $places `,` $bits attr-dict `:` type($keys) `,` type($places)"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, keys: SSAValue, places: SSAValue, bits: SSAValue):
        super().__init__(operands=[keys, places, bits])

    def verify_(self) -> None:
        """Check the types of the buffers."""
        wanted = {"keys": i64, "places": IndexType()}
        for name, operand in zip(wanted, (self.keys, self.places), strict=True):
            type: Attribute = operand.type
            assert isa(type, MemRefType[Attribute])
            if type.get_num_dims() != 1 or type.get_element_type() != wanted[name]:
                raise VerifyException(f"the {name} are a line of {wanted[name]}, got {type}")

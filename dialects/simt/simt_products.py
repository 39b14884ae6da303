"""Products whose factors are cut as the memory of a GPU wants it.

`diablo.dialects.simt` exports the op.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    IndexType,
    IntegerAttr,
    MemRefType,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

MOST_PLACES = 1 << 15
"""How many elements a window has at most, its zero included: two places are one word."""


@irdl_op_definition
class SlicedProductOp(IRDLOperation):
    """Multiply a sparse matrix in slices of windows with a vector.

    A window is `width` columns, so few, `most` at the most, that what the vector has there lies in
    memory that the threads of a block share. The rows of each window stand in the order of how many
    entries they have there, so many side by side (a slice) as two to the power of `exponent`, and
    an entry of each follows an entry of each: neighbouring threads, which have neighbouring rows,
    read neighbouring entries. Entries are counted in pairs, whose places within the window are the
    halves of one word; the values of the first of each come before those of the second. Where a
    row is shorter than the slice, the place is `most` and the value zero. Each window has so many
    `blocks`, whose groups of threads take one slice after the other in turn.

    * `starts[w, s]` says how many pairs of a thread come before slice `s` of window `w`,
    * `rows[w, i]` which row is in the `i`-th place of window `w`; -1 if there is none,
    * `places[(p << exponent) + lane]` has the places of a pair,
    * `values[(2 * p << exponent) + lane]` the first value of it.

    ```mlir
    %starts, %rows = "test.op"() : () -> (memref<?x?xi32>, memref<?x?xi32>)
    %places, %values = "test.op"() : () -> (memref<?xi32>, memref<?xf64>)
    %x, %y = "test.op"() : () -> (memref<?xf64>, memref<?xf64>)
    %width, %blocks, %exponent = "test.op"() : () -> (index, index, index)
    simt.sliced_product %starts, %rows, %places, %values, %x, %y, %width, %blocks, %exponent
      {most = 14079}
      : memref<?x?xi32>, memref<?x?xi32>, memref<?xi32>, memref<?xf64>, memref<?xf64>, memref<?xf64>
    ```
    """

    name = "simt.sliced_product"
    starts = operand_def(MemRefType)
    rows = operand_def(MemRefType)
    places = operand_def(MemRefType)
    values = operand_def(MemRefType)
    vector = operand_def(MemRefType)
    result = operand_def(MemRefType)
    width = operand_def(IndexType)
    blocks = operand_def(IndexType)
    exponent = operand_def(IndexType)
    most = prop_def(IntegerAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$starts `,` $rows `,` $places `,` $values `,` $vector `,` $result `,` $width `,` "
        "$blocks `,` $exponent attr-dict `:` type($starts) `,` type($rows) `,` type($places) `,` "
        "type($values) `,` type($vector) `,` type($result)"
    )
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, buffers: Sequence[SSAValue], numbers: Sequence[SSAValue], most: int):
        super().__init__(operands=[*buffers, *numbers], properties={"most": IntegerAttr(most, i64)})

    def verify_(self) -> None:
        """Check the types of the buffers and the size of a window."""
        operands = (("starts", self.starts, 2), ("rows", self.rows, 2), ("places", self.places, 1))
        for name, operand, rank in operands:
            wanted = MemRefType(i32, [DYNAMIC_INDEX] * rank)
            if operand.type != wanted:
                raise VerifyException(f"the {name} are a {wanted}, got {operand.type}")
        for operand in (self.values, self.vector, self.result):
            type = operand.type
            is_line = isa(type, MemRefType[AnyFloat]) and type.get_num_dims() == 1
            if not is_line or type != self.values.type:
                raise VerifyException(f"values and vectors are lines of one float, got {type}")
        if not 0 < self.most.value.data < MOST_PLACES:
            raise VerifyException(
                f"a window has from 1 to {MOST_PLACES - 1} columns, got {self.most.value.data}"
            )

    @property
    def element(self) -> AnyFloat:
        """The type of what is multiplied."""
        type: Attribute = self.values.type
        assert isa(type, MemRefType[AnyFloat])
        return type.get_element_type()

"""The op that cuts slices out of arrays: `slice`.

`diablo.dialects.tensor_block` exports it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Self

from xdsl.dialects.builtin import DenseArrayBase, IndexType, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_fixed_indices, print_fixed_indices
from diablo.dialects.encodings import ARRAY, StorageAttr, TilesAttr, array_type, dense_rank
from diablo.dialects.verification import verify_slice


def sliced_type(type: TensorType[Attribute], fixed: Collection[int]) -> TensorType[Attribute]:
    """The type of a slice of an array of `type`: stored where it is, sparsely if it is sparse."""
    rank, dense = type.get_num_dims(), dense_rank(type)
    kept = [d for d in range(rank) if d not in fixed]
    left = sum(d < dense for d in kept)
    if dense < rank:
        left = min(left, max(0, len(kept) - 1))
    encoding = type.encoding
    if isinstance(encoding, TilesAttr):
        block = encoding.block.data
        encoding = TilesAttr(left, [block[d].data for d in kept] if block else ())
    elif isinstance(encoding, StorageAttr):
        encoding = StorageAttr(left)
    shape = type.get_shape()
    return TensorType(type.get_element_type(), [shape[d] for d in kept], encoding)


@irdl_op_definition
class SliceOp(IRDLOperation):
    """The part of an array with given indices in some dimensions, as an array of the others.

    Outside of the array there is nothing: of a sparse one no entries, of a dense one zeros. A
    slice of a sparse array is sparse, and costs what it stores where the array has an order in
    which the given dimensions come first; otherwise all entries are looked at.

    ```mlir
    %A, %i = "test.op"() : () -> (tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, index)
    %row = tensor_block.slice %A[%i, *]
        : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
        -> tensor<?xf64, #tensor_block.tiles<dense = 0>>
    ```
    """

    name = "tensor_block.slice"
    array = operand_def(ARRAY)
    indices = var_operand_def(IndexType)
    dimensions = prop_def(DenseArrayBase.constr(i64))
    result = result_def(ARRAY)
    traits = traits_def(Pure())

    def __init__(
        self,
        array: SSAValue,
        fixed: Mapping[int, SSAValue],
        result_type: Attribute | None = None,
    ):
        fixed = dict(sorted(fixed.items()))
        super().__init__(
            operands=[array, list(fixed.values())],
            properties={"dimensions": DenseArrayBase.from_list(i64, list(fixed))},
            result_types=[result_type or sliced_type(array_type(array), fixed)],
        )

    @property
    def fixed(self) -> dict[int, SSAValue]:
        """The index in each dimension that has one."""
        return dict(zip(self.dimensions.get_values(), self.indices, strict=True))

    @property
    def kept(self) -> Sequence[int]:
        """The dimensions of the array that the slice has."""
        fixed = self.dimensions.get_values()
        return [d for d in range(array_type(self.array).get_num_dims()) if d not in fixed]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%A[%i, *] : type -> type`."""
        array = parser.parse_unresolved_operand()
        fixed = parse_fixed_indices(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operand = parser.resolve_operand(array, parser.parse_type())
        parser.parse_punctuation("->")
        op = cls(operand, fixed, parser.parse_type())
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%A[%i, *] : type -> type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.array)
        print_fixed_indices(printer, self.fixed, array_type(self.array).get_num_dims())
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.array.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        """Check the dimensions and the result."""
        type, dimensions = array_type(self.array), self.dimensions.get_values()
        verify_slice(dimensions, len(self.indices), type.get_num_dims())
        expected = sliced_type(type, dimensions)
        if self.result.type != expected:
            raise VerifyException(f"this slice of {type} is {expected}, got {self.result.type}")

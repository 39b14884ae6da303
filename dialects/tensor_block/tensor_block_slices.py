"""The op that cuts slices out of arrays: `slice`.

`diablo.dialects.tensor_block` exports it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from xdsl.dialects.builtin import DenseArrayBase, IndexType, i64
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

from diablo.dialects.assembly import parse_fixed_indices, print_fixed_indices, print_type_of
from diablo.dialects.encodings import (
    ARRAY,
    array_type,
    sliced_type,
)
from diablo.dialects.verifier_checks import verify_slice


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
        print_type_of(printer, self, self.array.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        """Check the dimensions and the result."""
        type, dimensions = array_type(self.array), self.dimensions.get_values()
        verify_slice(dimensions, len(self.indices), type.get_num_dims())
        expected = sliced_type(type, dimensions)
        if self.result.type != expected:
            raise VerifyException(f"this slice of {type} is {expected}, got {self.result.type}")

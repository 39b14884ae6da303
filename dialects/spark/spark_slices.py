"""The `spark` op for slices of arrays.

`diablo.dialects.spark` exports it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from xdsl.dialects.builtin import DenseArrayBase, IndexType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import (
    parse_fixed_indices,
    parse_optional_operands,
    print_fixed_indices,
    print_optional_operands,
    print_type_of,
)
from diablo.dialects.encodings import sliced_type
from diablo.dialects.spark.spark_types import RDDType, array_of, verify_dims
from diablo.dialects.verifier_checks import verify_slice

_SLICE = "a slice is cut out of"


def _is_rdd(type: Attribute) -> bool:
    """Return whether a value is distributed."""
    return isinstance(type, RDDType)


def _sliced(type: Attribute, fixed: Sequence[int]) -> Attribute:
    """The type of a slice of what has `type`."""
    array = sliced_type(array_of(type, _SLICE), fixed)
    return RDDType([IndexType()] * array.get_num_dims(), [array]) if _is_rdd(type) else array


@irdl_op_definition
class SliceOp(IRDLOperation):
    """A slice of an array, by the driver; or its tiles, of an array with the dimensions `dims`.

    Only the tiles that hold the given indices are looked at; they stay where they are.

    ```mlir
    %n, %k = "test.op"() : () -> (index, index)
    %A = "test.op"() : () -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
    %row = spark.slice %A[%k, *] dims(%n, %n) : !spark.rdd<[index, index], [tensor<?x?xf64>]>
        -> !spark.rdd<[index], [tensor<?xf64>]>
    %B = "test.op"() : () -> tensor<?x?xf64>
    %column = spark.slice %B[*, %k] : tensor<?x?xf64> -> tensor<?xf64>
    ```
    """

    name = "spark.slice"
    input = operand_def()
    indices = var_operand_def(IndexType)
    dims = var_operand_def(IndexType)
    dimensions = prop_def(DenseArrayBase.constr(i64))
    result = result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        input: SSAValue,
        fixed: Mapping[int, SSAValue],
        dims: Sequence[SSAValue] = (),
        result_type: Attribute | None = None,
    ):
        fixed = dict(sorted(fixed.items()))
        super().__init__(
            operands=[input, list(fixed.values()), dims],
            properties={"dimensions": DenseArrayBase.from_list(i64, list(fixed))},
            result_types=[result_type or _sliced(input.type, list(fixed))],
        )

    @property
    def fixed(self) -> dict[int, SSAValue]:
        """The index in each dimension that has one."""
        return dict(zip(self.dimensions.get_values(), self.indices, strict=True))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%A[%k, *] dims(%n, %m) : type -> type`."""
        input = parser.parse_unresolved_operand()
        fixed = parse_fixed_indices(parser)
        dims = parse_optional_operands(parser, "dims", IndexType())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operand = parser.resolve_operand(input, parser.parse_type())
        parser.parse_punctuation("->")
        op = cls(operand, fixed, dims, parser.parse_type())
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%A[%k, *] dims(%n, %m) : type -> type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.input)
        print_fixed_indices(printer, self.fixed, array_of(self.input.type, _SLICE).get_num_dims())
        print_optional_operands(printer, "dims", self.dims)
        print_type_of(printer, self, self.input.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        """Check the dimensions and the result."""
        rank, dimensions = (
            array_of(self.input.type, _SLICE).get_num_dims(),
            self.dimensions.get_values(),
        )
        verify_dims(self.dims, rank if _is_rdd(self.input.type) else 0, "coordinates of the key")
        verify_slice(dimensions, len(self.indices), rank)
        expected = _sliced(self.input.type, dimensions)
        if self.result.type != expected:
            raise VerifyException(f"the result must be {expected}, got {self.result.type}")

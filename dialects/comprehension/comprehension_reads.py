"""The op that looks into an array or a map at a key, where there may be nothing.

`diablo.dialects.comprehension` exports them. They may stand anywhere, also outside of a
comprehension and in the bodies of `tensor_block` ops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import print_type_of
from diablo.dialects.bags import BagType
from diablo.dialects.encodings import as_array
from diablo.dialects.verifier_checks import listed


@irdl_op_definition
class ProbeOp(IRDLOperation):
    """The element of an array, or the values of a map, at a key; and whether it is there.

    A *probe* never fails: outside the array, or where the map has no such key, the values
    are the implicit ones and the last result is false. Inside a sparse array every index is
    there.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64>
    %M = "test.op"() : () -> !comprehension.bag<keys = 1, !comprehension.string, i64>
    %i, %k = "test.op"() : () -> (index, !comprehension.string)
    %a, %inside = comprehension.probe %A[%i, %i] : tensor<?x?xf64>
    %m, %found = comprehension.probe %M[%k]
        : !comprehension.bag<keys = 1, !comprehension.string, i64>
    ```
    """

    name = "comprehension.probe"
    collection = operand_def()
    keys = var_operand_def()
    values = var_result_def()
    found = result_def(i1)
    traits = traits_def(Pure())

    def __init__(self, collection: SSAValue, keys: Sequence[SSAValue]):
        super().__init__(
            operands=[collection, keys], result_types=[_probed(collection.type)[1], i1]
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%A[%i] : tensor<?xf64>`."""
        collection = parser.parse_unresolved_operand()
        position = parser.pos
        keys = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        try:
            types, _ = _probed(type)
        except VerifyException as error:
            parser.raise_error(str(error), position)
        if len(types) != len(keys):
            parser.raise_error(f"expected {len(types)} keys for {type}", position)
        op = cls(
            parser.resolve_operand(collection, type),
            parser.resolve_operands(keys, types, position),
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%A[%i] : tensor<?xf64>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.collection)
        with printer.in_square_brackets():
            printer.print_list(self.keys, printer.print_ssa_value)
        print_type_of(printer, self, self.collection.type)

    def verify_(self) -> None:
        """Check the keys and the values."""
        keys, values = _probed(self.collection.type)
        if self.keys.types != tuple(keys):
            raise VerifyException(
                f"the keys of {self.collection.type} are {listed(keys)}, "
                f"got {listed(self.keys.types)}"
            )
        if self.values.types != tuple(values):
            raise VerifyException(f"the values must be {listed(values)}")


def _probed(collection: Attribute) -> tuple[list[Attribute], list[Attribute]]:
    """The types of the keys and of the values of an array or a map."""
    if isinstance(collection, BagType) and collection.is_map:
        keys = collection.keys.data
        return list(collection.columns)[:keys], list(collection.columns)[keys:]
    array = as_array(collection)
    if array is None:
        raise VerifyException(f"expected an array or a map to look into, got {collection}")
    return [IndexType()] * array.get_num_dims(), [array.get_element_type()]

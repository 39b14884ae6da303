"""The ops that make a tuple of values, and take it apart.

`diablo.dialects.comprehension` exports them. They may stand anywhere, also outside of a
comprehension and in the bodies of `tensor_block` ops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import TupleType
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import SSAValue
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
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_type_of, print_type_of
from diablo.dialects.tuple_types import tuple_type
from diablo.dialects.verifier_checks import listed


@irdl_op_definition
class PackOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """A tuple of values, to be one element of an array or one argument of a monoid.

    ```mlir
    %d, %k = "test.op"() : () -> (f64, i64)
    %t = comprehension.pack %d, %k : tuple<f64, i64>
    ```
    """

    name = "comprehension.pack"
    parts = var_operand_def()
    result = result_def(TupleType)
    traits = traits_def(Pure())

    def __init__(self, parts: Sequence[SSAValue]):
        super().__init__(operands=[parts], result_types=[tuple_type([part.type for part in parts])])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%d, %k : tuple<f64, i64>`."""
        position = parser.pos
        parts = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        attributes, type = parse_type_of(parser, TupleType, "a tuple")
        op = cls(parser.resolve_operands(parts, list(type.types), position))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%d, %k : tuple<f64, i64>`."""
        printer.print_string(" ")
        printer.print_list(self.parts, printer.print_ssa_value)
        print_type_of(printer, self, self.result.type)

    def verify_(self) -> None:
        """Check the tuple's type."""
        if tuple(self.result.type.types) != self.parts.types:
            raise VerifyException(f"the result must be a tuple of {listed(self.parts.types)}")

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A tuple packed from the parts of another one goes away."""
        from diablo.dialects.comprehension.comprehension_canonicalization import PackUnpack

        return (PackUnpack(),)


@irdl_op_definition
class UnpackOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """The parts of a tuple.

    ```mlir
    %t = "test.op"() : () -> tuple<f64, i64>
    %d, %k = comprehension.unpack %t : tuple<f64, i64>
    ```
    """

    name = "comprehension.unpack"
    tuple = operand_def(TupleType)
    parts = var_result_def()
    traits = traits_def(Pure())

    def __init__(self, tuple: SSAValue):
        assert isinstance(tuple.type, TupleType)
        super().__init__(operands=[tuple], result_types=[list(tuple.type.types)])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%t : tuple<f64, i64>`."""
        tuple = parser.parse_unresolved_operand()
        attributes, type = parse_type_of(parser, TupleType, "a tuple")
        op = cls(parser.resolve_operand(tuple, type))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%t : tuple<f64, i64>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.tuple)
        print_type_of(printer, self, self.tuple.type)

    def verify_(self) -> None:
        """Check the parts."""
        type = self.tuple.type
        assert isinstance(type, TupleType)
        if self.parts.types != tuple(type.types):
            raise VerifyException(f"the results must be the parts of {type}")

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """Return what a tuple was packed from, or chosen from, takes the place of its parts."""
        from diablo.dialects.comprehension.comprehension_canonicalization import (
            UnpackPack,
            UnpackSelect,
        )

        return UnpackPack(), UnpackSelect()

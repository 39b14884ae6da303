"""The ops inside a comprehension: generators, guards, the head.

`diablo.dialects.comprehension` exports them; it says how they work together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, UnitAttr, i1, i64
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import inferred_operand, parse_inferred_operands, print_type_of
from diablo.dialects.bags import (
    BagType,
    element_types,
    parse_collection,
    verify_collection,
)
from diablo.dialects.comprehension.comprehension_scope import (
    ends_a_comprehension,
    in_a_comprehension,
)
from diablo.dialects.verifier_checks import listed, verify_step


@irdl_op_definition
class EachOp(IRDLOperation):
    """Generator: once per row of a bag, or once per entry of an array.

    Over a bag it binds the columns of the row; over an array it binds the index in each
    dimension and the element. Of a sparse array only the stored entries count; with `full`
    every index counts, with the implicit value (zero) where nothing is stored.

    The rows of an array come in the order of their indices, those of a map in that of its keys,
    those of a list as the list has them. A list without an order is `sorted`: its rows ascend by
    their columns, as in a loop (`diablo.foreach`). The order tells which row is the last one of
    an index or key; `keep-last` makes that explicit, and drops the word.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
    %L = "test.op"() : () -> !comprehension.bag<i64, f64>
    %M = comprehension.collect : !comprehension.bag<keys = 1, i64, f64> {
      %k, %v = comprehension.each %L sorted : !comprehension.bag<i64, f64>
      comprehension.yield (%k) %v
    }
    %sum = comprehension.aggregate add : f64 {
      %i, %j, %a = comprehension.each %A : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
      comprehension.yield %a
    }
    %least = comprehension.aggregate min : f64 {
      %i, %j, %a = comprehension.each %A full : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
      comprehension.yield %a
    }
    ```
    """

    name = "comprehension.each"
    collection = operand_def()
    full = opt_prop_def(UnitAttr)
    sorted = opt_prop_def(UnitAttr)
    elements = var_result_def()
    traits = lazy_traits_def(in_a_comprehension)

    def __init__(self, collection: SSAValue, *, full: bool = False, sorted: bool = False):
        super().__init__(
            operands=[collection],
            properties={
                "full": UnitAttr() if full else None,
                "sorted": UnitAttr() if sorted else None,
            },
            result_types=[element_types(collection.type)],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%A full : type`."""
        collection = parser.parse_unresolved_operand()
        full = parser.parse_optional_keyword("full") is not None
        sorted = parser.parse_optional_keyword("sorted") is not None
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parse_collection(parser)
        op = cls(parser.resolve_operand(collection, type), full=full, sorted=sorted)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%A full : type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.collection)
        if self.full is not None:
            printer.print_string(" full")
        if self.sorted is not None:
            printer.print_string(" sorted")
        print_type_of(printer, self, self.collection.type)

    def verify_(self) -> None:
        """Check the collection and what is bound."""
        verify_collection(self.collection.type)
        if self.elements.types != element_types(self.collection.type):
            raise VerifyException(
                "the results must be the columns of the bag, or the indices and the element of "
                f"the array: {listed(element_types(self.collection.type))}"
            )
        type = self.collection.type
        if self.sorted is not None and not (isinstance(type, BagType) and not type.is_map):
            raise VerifyException(f"only the rows of a list are sorted, and this is {type}")


@irdl_op_definition
class RangeOp(IRDLOperation):
    """Generator over the integers `lower`, `lower + step`, … up to and including `upper`.

    The step is 1 unless it is given; it may be negative, and then the integers go down.

    ```mlir
    %lo, %hi = "test.op"() : () -> (index, index)
    %last = comprehension.aggregate max : index {
      %i = comprehension.range %lo to %hi
      %j = comprehension.range %i to %hi step 2
      comprehension.yield %j
    }
    ```
    """

    name = "comprehension.range"
    lower = operand_def(IndexType)
    upper = operand_def(IndexType)
    step = opt_prop_def(IntegerAttr[I64])
    index = result_def(IndexType)
    traits = lazy_traits_def(in_a_comprehension)
    assembly_format = "$lower `to` $upper (`step` $step^)? attr-dict"

    def __init__(self, lower: SSAValue, upper: SSAValue, step: int = 1):
        super().__init__(
            operands=[lower, upper],
            properties={"step": IntegerAttr(step, i64) if step != 1 else None},
            result_types=[IndexType()],
        )

    def verify_(self) -> None:
        """Check that the range ends."""
        verify_step(self.step)


@irdl_op_definition
class GuardOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """What follows runs only where the condition holds.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64>
    %trace = comprehension.aggregate add : f64 {
      %i, %j, %a = comprehension.each %A : tensor<?x?xf64>
      %diagonal = arith.cmpi eq, %i, %j : index
      comprehension.guard %diagonal
      comprehension.yield %a
    }
    ```
    """

    name = "comprehension.guard"
    condition = operand_def(i1)
    traits = lazy_traits_def(in_a_comprehension)
    assembly_format = "$condition attr-dict"

    def __init__(self, condition: SSAValue):
        super().__init__(operands=[condition])

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A guard that always holds goes away."""
        from diablo.dialects.comprehension.comprehension_canonicalization import DropTrueGuard

        return (DropTrueGuard(),)


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The head of a comprehension: the row of `keys` and `values` that it contributes.

    For an array the keys are the index and there is one value, the element; for a scalar
    there is one value and no key; for a bag keys and values together are the columns.

    ```mlir
    %n = "test.op"() : () -> index
    %A = "test.op"() : () -> tensor<?x?xf64>
    %transposed = comprehension.build (%n, %n) : tensor<?x?xf64> {
      %i, %j, %a = comprehension.each %A : tensor<?x?xf64>
      comprehension.yield (%j, %i) %a
    }
    ```
    """

    name = "comprehension.yield"
    keys = var_operand_def()
    values = var_operand_def()
    traits = lazy_traits_def(ends_a_comprehension)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(self, keys: Sequence[SSAValue], values: Sequence[SSAValue]):
        super().__init__(operands=[keys, values])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `(%i, %j) %v`; the types are those of the values, which stand above."""
        keys = parser.parse_optional_comma_separated_list(
            parser.Delimiter.PAREN,
            lambda: inferred_operand(parser, parser.parse_unresolved_operand()),
        )
        op = cls(keys or (), parse_inferred_operands(parser))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """Print `(%i, %j) %v`."""
        if self.keys:
            printer.print_string(" ")
            printer.print_operands(self.keys)
        if self.values:
            printer.print_string(" ")
            printer.print_list(self.values, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)

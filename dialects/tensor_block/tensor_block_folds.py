"""The row ops that fold columns with monoids: of each group of rows, or of all rows.

`diablo.dialects.tensor_block` exports them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import I64, ArrayAttr, IntegerAttr, StringAttr, i64
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_monoid, print_monoid, print_type_of
from diablo.dialects.bag_folds import BagFold
from diablo.dialects.bags import BagType, bag_columns, verify_columns, verify_places
from diablo.dialects.monoids import ANY, PLACE, verify_monoid


@irdl_op_definition
class GroupReduceOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """Groups rows by their first `keys` columns; folds each other column with its monoid.

    The word `any` instead of a monoid keeps one of the group's values; all such columns of a
    group are from one row. With columns that are called `place` it is the row that is greatest in
    these, which are compared one after the other, and which are kept themselves.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64, f64>
    %groups = tensor_block.group_reduce %rows keys 1 monoids(add, max)
        : !comprehension.bag<i64, f64, f64>
    %numbered = "test.op"() : () -> !comprehension.bag<i64, index, f64>
    %last = tensor_block.group_reduce %numbered keys 1 monoids(place, any)
        : !comprehension.bag<i64, index, f64>
    ```
    """

    name = "tensor_block.group_reduce"
    bag = operand_def(BagType)
    keys = prop_def(IntegerAttr[I64])
    monoids = prop_def(ArrayAttr[StringAttr])
    result = result_def(BagType)
    traits = traits_def(Pure())

    def __init__(self, bag: SSAValue, keys: int, monoids: Sequence[str]):
        super().__init__(
            operands=[bag],
            properties={
                "keys": IntegerAttr(keys, i64),
                "monoids": ArrayAttr([StringAttr(m) for m in monoids]),
            },
            result_types=[BagType(bag_columns(bag))],
        )

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """Those of no rows go away."""
        from diablo.dialects.tensor_block.tensor_block_canonicalization import DropEmptyGroups

        return (DropEmptyGroups(),)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%rows keys 1 monoids(add, max) : !comprehension.bag<i64, f64, f64>`."""
        bag = parser.parse_unresolved_operand()
        parser.parse_keyword("keys")
        keys = parser.parse_integer()
        parser.parse_keyword("monoids")
        monoids = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parse_monoid(parser)
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(bag, parser.parse_type()), keys, monoids)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%rows keys 1 monoids(add, max) : !comprehension.bag<i64, f64, f64>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.bag)
        printer.print_string(f" keys {self.keys.value.data} monoids")
        with printer.in_parens():
            printer.print_list(self.monoids, lambda name: print_monoid(printer, name.data))
        print_type_of(printer, self, self.bag.type)

    def verify_(self) -> None:
        """Check the keys, the monoids and the columns."""
        columns = bag_columns(self.bag)
        keys = self.keys.value.data
        if not 0 <= keys <= len(columns):
            raise VerifyException(f"{keys} key columns in a bag of {len(columns)} columns")
        if len(self.monoids) != len(columns) - keys:
            raise VerifyException(
                f"expected one monoid for each of {len(columns) - keys} columns that are folded, "
                f"got {len(self.monoids)}"
            )
        for monoid, column in zip(self.monoids, columns[keys:], strict=True):
            if monoid.data == PLACE:
                verify_places([column])
            elif monoid.data != ANY:
                verify_monoid(monoid.data, column, self)
        verify_columns(self.result, columns)


@irdl_op_definition
class FoldOp(BagFold):
    """Folds a one-column bag to a scalar with a monoid; an empty bag gives its identity.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<f64>
    %largest = tensor_block.fold max %rows : !comprehension.bag<f64>
    ```
    """

    name = "tensor_block.fold"

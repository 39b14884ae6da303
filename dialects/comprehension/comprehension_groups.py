"""The op inside a comprehension that groups the rows above it.

`diablo.dialects.comprehension` exports it; it says how the ops work together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bags import (
    BagType,
    bag_columns,
)
from diablo.dialects.comprehension.comprehension_scope import in_a_comprehension, verify_scope
from diablo.dialects.verifier_checks import listed


@irdl_op_definition
class GroupByOp(IRDLOperation):
    """Groups what came before by `keys`; what follows runs once per distinct key.

    The values become bags: the columns of the first bag are the first of `values`, and so on,
    so that values which belong together (the parts of a tuple) stay rows of one bag. Only
    the results of this op, and values that do not depend on the generators above it, may be
    used below.

    ```mlir
    %n = "test.op"() : () -> index
    %A = "test.op"() : () -> tensor<?x?xf64>
    %sums = comprehension.build (%n) : tensor<?xf64> {
      %i, %j, %a = comprehension.each %A : tensor<?x?xf64>
      %gj, %as = comprehension.group_by keys(%j) values(%a) : index, !comprehension.bag<f64>
      %s = comprehension.reduce add %as : !comprehension.bag<f64>
      comprehension.yield (%gj) %s
    }
    ```
    """

    name = "comprehension.group_by"
    keys = var_operand_def()
    values = var_operand_def()
    group_keys = var_result_def()
    bags = var_result_def()
    traits = lazy_traits_def(in_a_comprehension)
    irdl_options = (
        AttrSizedOperandSegments(as_property=True),
        AttrSizedResultSegments(as_property=True),
    )

    def __init__(
        self,
        keys: Sequence[SSAValue],
        values: Sequence[SSAValue],
        widths: Sequence[int] | None = None,
    ):
        """`widths` says how many of `values` each bag takes; without it every bag takes one."""
        types = [value.type for value in values]
        bags: list[BagType] = []
        for width in widths if widths is not None else [1] * len(types):
            bags.append(BagType(types[:width]))
            types = types[width:]
        super().__init__(operands=[keys, values], result_types=[[k.type for k in keys], bags])

    @property
    def bag_values(self) -> list[tuple[SSAValue, ...]]:
        """The values that each bag holds, in the order of the bags."""
        values = iter(self.values)
        return [tuple(next(values) for _ in bag_columns(bag)) for bag in self.bags]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `keys(%i) values(%v) : index, !comprehension.bag<f64>`."""
        parser.parse_keyword("keys")
        keys = parser.parse_op_args_list()
        values = parser.parse_op_args_list() if parser.parse_optional_keyword("values") else []
        attributes = parser.parse_optional_attr_dict()
        types: list[Attribute] = []
        position = parser.pos
        if keys or values:
            parser.parse_punctuation(":")
            position = parser.pos
            types = [*parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)]
        columns: list[Attribute] = []
        widths: list[int] = []
        for type in types[len(keys) :]:
            if not isinstance(type, BagType):
                parser.raise_error("expected a bag for the values", position)
            columns += type.columns
            widths.append(len(type.columns))
        op = cls(
            parser.resolve_operands(keys, types[: len(keys)], position),
            parser.resolve_operands(values, columns, position),
            widths,
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `keys(%i) values(%v) : index, !comprehension.bag<f64>`."""
        printer.print_string(" keys")
        printer.print_operands(self.keys)
        if self.values:
            printer.print_string(" values")
            printer.print_operands(self.values)
        printer.print_op_attributes(self.attributes)
        if self.results:
            printer.print_string(" : ")
            printer.print_list(self.result_types, printer.print_attribute)

    def verify_(self) -> None:
        """Check the results, and that nothing below uses a row's values."""
        if self.group_keys.types != self.keys.types:
            raise VerifyException(
                f"the group keys must have the keys' types: {listed(self.keys.types)}"
            )
        columns: list[Attribute] = []
        for bag in self.bags.types:
            if not isinstance(bag, BagType) or bag.is_map:
                raise VerifyException(f"values become bags, not {bag}")
            columns += bag.columns
        if tuple(columns) != self.values.types:
            raise VerifyException(
                f"the columns of the bags must be the values, {listed(self.values.types)}, "
                f"got {listed(columns)}"
            )
        verify_scope(self)

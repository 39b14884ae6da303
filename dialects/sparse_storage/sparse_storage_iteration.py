"""The loops over regions: over one, and over several at once.

`diablo.dialects.sparse_storage` exports them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import DenseArrayBase, IndexType, UnitAttr, i64
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, OpTrait, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import print_type_of
from diablo.dialects.sparse_storage.sparse_storage_layout import RegionType, verify_order
from diablo.dialects.verifier_checks import listed, verify_body


def _in_a_loop() -> tuple[OpTrait, ...]:
    from diablo.dialects.sparse_storage.sparse_storage_coiteration import CoiterateOp
    from diablo.dialects.sparse_storage.sparse_storage_regions import RegionWhereOp

    return (IsTerminator(), HasParent(IterateOp, CoiterateOp, RegionWhereOp))


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends the body of a loop with the values that it carries on, or of a predicate.

    ```mlir
    %R, %zero = "test.op"() : () -> (!sparse_storage.region<1>, index)
    %count = sparse_storage.iterate %R init(%zero : index) : !sparse_storage.region<1> {
    ^bb0(%i: index, %p: index, %n: index):
      %one = arith.constant 1 : index
      %next = arith.addi %n, %one : index
      sparse_storage.yield %next : index
    }
    ```
    """

    name = "sparse_storage.yield"
    values = var_operand_def()
    traits = lazy_traits_def(_in_a_loop)
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


@irdl_op_definition
class IterateOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """A loop over the indices of a region, one after the other.

    They come in the order of the layout (row-major if it has none), or in the given `order` of
    the dimensions: `[1, 0]` is by columns. With `backwards` they come in reverse. The body's
    arguments are the indices, the position, and the values that the loop carries; it yields
    what these become. The results are what they are after the last index.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
    %region, %values = sparse_storage.unpack %A : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
        -> !sparse_storage.region<2>, memref<?xf64>
    %zero = arith.constant 0.0 : f64
    %sum = sparse_storage.iterate %region order [1, 0] backwards init(%zero : f64)
        : !sparse_storage.region<2> {
    ^bb0(%i: index, %j: index, %p: index, %partial: f64):
      %a = sparse_storage.value %values[%p] : memref<?xf64>
      %next = arith.addf %partial, %a : f64
      sparse_storage.yield %next : f64
    }
    ```
    """

    name = "sparse_storage.iterate"
    region = operand_def(RegionType)
    inits = var_operand_def()
    order = opt_prop_def(DenseArrayBase.constr(i64))
    backwards = opt_prop_def(UnitAttr)
    results_ = var_result_def()
    body = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        region: SSAValue,
        inits: Sequence[SSAValue],
        body: Region | Block,
        *,
        order: Sequence[int] | None = None,
        backwards: bool = False,
    ):
        super().__init__(
            operands=[region, inits],
            properties={
                "order": None if order is None else DenseArrayBase.from_list(i64, order),
                "backwards": UnitAttr() if backwards else None,
            },
            regions=[body if isinstance(body, Region) else Region(body)],
            result_types=[[value.type for value in inits]],
        )

    @property
    def dimension_order(self) -> tuple[int, ...]:
        """The order of the dimensions in which the indices come."""
        if self.order is not None:
            return tuple(self.order.get_values())
        assert isinstance(self.region.type, RegionType)
        return iteration_order(self.region.type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%R order [1, 0] backwards init(%a : f64) : type {…}`."""
        region = parser.parse_unresolved_operand()
        order = None
        if parser.parse_optional_keyword("order"):
            order = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        backwards = parser.parse_optional_keyword("backwards") is not None
        inits = parse_inits(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operand = parser.resolve_operand(region, parser.parse_type())
        op = cls(operand, inits, parser.parse_region(), order=order, backwards=backwards)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%R order [1, 0] backwards init(%a : f64) : type {…}`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.region)
        if self.order is not None:
            printer.print_string(f" order {list(self.order.get_values())}")
        if self.backwards is not None:
            printer.print_string(" backwards")
        print_inits(printer, self.inits)
        print_type_of(printer, self, self.region.type)
        printer.print_string(" ")
        printer.print_region(self.body)

    def verify_(self) -> None:
        """Check the order, the body and what is carried."""
        assert isinstance(self.region.type, RegionType)
        rank = self.region.type.rank.data
        if self.order is not None:
            order = list(self.order.get_values())
            verify_order(order)
            if len(order) != rank:
                raise VerifyException(f"{order} is no order of a region of rank {rank}")
        carried = verify_carried(self.inits, self.results_)
        verify_body(self.body, [*[IndexType()] * (rank + 1), *carried], carried, YieldOp)

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A loop over a part is one over the whole with a test; a usual order need not be said."""
        from diablo.dialects.sparse_storage.sparse_storage_canonicalization import (
            DropUsualOrder,
            IterateWherePredicate,
        )

        return (DropUsualOrder(), IterateWherePredicate())


def iteration_order(type: RegionType) -> tuple[int, ...]:
    """The order of the dimensions in which the positions of a region ascend."""
    orders = type.layout.dimension_orders
    return orders[0] if orders else tuple(range(type.rank.data))


def verify_carried(inits: Sequence[SSAValue], results: Sequence[SSAValue]) -> list[Attribute]:
    """Raise a `VerifyException` unless a loop results in what it starts with."""
    carried = [value.type for value in inits]
    types = [result.type for result in results]
    if types != carried:
        raise VerifyException(f"a loop that carries {listed(carried)} cannot give {listed(types)}")
    return carried


def parse_inits(parser: Parser) -> list[SSAValue]:
    """Parse `init(%a : f64, %n : index)`, if it is there."""

    def parse_init() -> SSAValue:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        return parser.resolve_operand(value, parser.parse_type())

    if not parser.parse_optional_keyword("init"):
        return []
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_init)


def print_inits(printer: Printer, inits: Sequence[SSAValue]) -> None:
    """Print ` init(%a : f64, %n : index)`, or nothing if nothing is carried."""

    def print_init(value: SSAValue) -> None:
        printer.print_ssa_value(value)
        printer.print_string(" : ")
        printer.print_attribute(value.type)

    if inits:
        printer.print_string(" init")
        with printer.in_parens():
            printer.print_list(inits, print_init)

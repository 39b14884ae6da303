"""The `diablo` dialect: the source level, with mutable variables, bulk and ordered loops.

Control flow other than `for` is upstream's: `scf.if`, and `scf.while` without loop-carried
values (variables are mutable references here). Row sums, `for i, j, a in A: R[i] += a`:

```mlir
%R = diablo.var "R" = %zeros : tensor<?xf64>
diablo.foreach %i, %j, %a in %A : tensor<?x?xf64> {
  diablo.accumulate add %a, %R[%i] : !diablo.ref<tensor<?xf64>>
}
```
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Dialect, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_keyword_attributes, print_optional_step
from diablo.dialects.bags import (
    BagType,
    element_types,
    parse_collection,
    sorted_columns,
    verify_collection,
)
from diablo.dialects.diablo.diablo_access import (
    AccumulateOp,
    AccumulatePartsOp,
    LoadOp,
    RequireOp,
    StoreOp,
    VarOp,
    absent_leaves,
)
from diablo.dialects.diablo.diablo_destinations import RefType
from diablo.dialects.verifier_checks import listed, verify_step

__all__ = [
    "AccumulateOp",
    "AccumulatePartsOp",
    "ForOp",
    "ForeachOp",
    "LoadOp",
    "RefType",
    "RequireOp",
    "StoreOp",
    "VarOp",
    "absent_leaves",
]


@irdl_op_definition
class ForOp(IRDLOperation):
    """A bulk loop over `lower`, `lower + step`, … up to and including `upper`.

    A *bulk* loop's statements run one after the other, each for all iterations at once: no
    iteration sees what another one writes, apart from what is accumulated. The step is 1
    unless it is given, as a number or as a value (which is not 0); it may be negative, and
    then the index goes down.

    ```mlir
    %lo, %hi, %v = "test.op"() : () -> (index, index, f64)
    %A = "test.op"() : () -> !diablo.ref<tensor<?xf64>>
    diablo.for %i = %lo to %hi step 2 {
      diablo.store %v, %A[%i] : !diablo.ref<tensor<?xf64>>
    }
    diablo.for %i = %hi to %lo step %hi {
      diablo.store %v, %A[%i] : !diablo.ref<tensor<?xf64>>
    }
    diablo.for ordered %k = %lo to %hi {
      diablo.for %i = %lo to %hi {
        diablo.accumulate mul %v, %A[%i] : !diablo.ref<tensor<?xf64>>
      }
    }
    ```
    """

    name = "diablo.for"
    lower = operand_def(IndexType)
    upper = operand_def(IndexType)
    by = opt_operand_def(IndexType)
    step = opt_prop_def(IntegerAttr[I64])
    ordered = opt_prop_def(UnitAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(
        self,
        lower: SSAValue,
        upper: SSAValue,
        body: Region | Block,
        step: int | SSAValue = 1,
        *,
        ordered: bool = False,
    ):
        given = isinstance(step, SSAValue)
        super().__init__(
            operands=[lower, upper, step if given else None],
            properties={
                "step": None if given or step == 1 else IntegerAttr(step, i64),
                "ordered": UnitAttr() if ordered else None,
            },
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `ordered %i = %lo to %hi step 2 { … }`."""
        ordered = parser.parse_optional_keyword("ordered") is not None
        index = parser.parse_argument(expect_type=False).resolve(IndexType())
        parser.parse_punctuation("=")
        lower = parser.parse_operand(IndexType())
        parser.parse_keyword("to")
        upper = parser.parse_operand(IndexType())
        by: SSAValue | None = None
        step: int | None = None
        if parser.parse_optional_keyword("step"):
            step = parser.parse_optional_integer()
            by = parser.parse_operand(IndexType()) if step is None else None
        attributes = parse_keyword_attributes(parser)
        body = parser.parse_region([index])
        op = cls(lower, upper, body, 1 if by is None else by, ordered=ordered)
        if step is not None:
            op.step = IntegerAttr(step, i64)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `ordered %i = %lo to %hi step 2 { … }`."""
        printer.print_string(" " if self.ordered is None else " ordered ")
        printer.print_ssa_value(self.body.block.args[0])
        printer.print_string(" = ")
        printer.print_ssa_value(self.lower)
        printer.print_string(" to ")
        printer.print_ssa_value(self.upper)
        print_optional_step(printer, self.step)
        if self.by is not None:
            printer.print_string(" step ")
            printer.print_ssa_value(self.by)
        _print_body(printer, self.body, self.attributes)

    def verify_(self) -> None:
        """Check that the loop ends, and its index."""
        verify_step(self.step)
        if self.step is not None and self.by is not None:
            raise VerifyException("the step is a number or a value, not both")
        _verify_arguments(self.body, [IndexType()])


@irdl_op_definition
class ForeachOp(IRDLOperation):
    """A bulk loop over the rows of a bag or the stored entries of an array.

    The block's arguments are what `comprehension.each` would bind: the columns of the row,
    or the index in each dimension and the element. `diablo.for` says what *bulk* and *ordered*
    mean; the order is that of the rows of a list, that of the keys of a map, and that of the
    indices of an array's stored entries. A list that has no order of its own is `sorted`: its
    rows ascend by their columns, in an ordered loop.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
    %R = "test.op"() : () -> !diablo.ref<tensor<?xf64>>
    diablo.foreach %i, %j, %a in %A : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
      diablo.accumulate add %a, %R[%i] : !diablo.ref<tensor<?xf64>>
    }
    %x = "test.op"() : () -> !diablo.ref<f64>
    diablo.foreach ordered %i, %j, %a in %A : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
      diablo.store %a, %x : !diablo.ref<f64>
    }
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64>
    diablo.foreach ordered sorted %k, %v in %rows : !comprehension.bag<i64, f64> {
      diablo.store %v, %x : !diablo.ref<f64>
    }
    ```
    """

    name = "diablo.foreach"
    collection = operand_def()
    ordered = opt_prop_def(UnitAttr)
    sorted = opt_prop_def(UnitAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(
        self,
        collection: SSAValue,
        body: Region | Block,
        *,
        ordered: bool = False,
        sorted: bool = False,
    ):
        super().__init__(
            operands=[collection],
            properties={
                "ordered": UnitAttr() if ordered else None,
                "sorted": UnitAttr() if sorted else None,
            },
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `ordered %i, %a in %A : tensor<?xf64> { … }`."""
        ordered = parser.parse_optional_keyword("ordered") is not None
        sorted = parser.parse_optional_keyword("sorted") is not None
        position = parser.pos
        names = parser.parse_optional_undelimited_comma_separated_list(
            lambda: parser.parse_optional_argument(expect_type=False),
            lambda: parser.parse_argument(expect_type=False),
        )
        parser.parse_keyword("in")
        collection = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        type = parse_collection(parser)
        types = element_types(type)
        if len(names or ()) != len(types):
            parser.raise_error(f"expected {len(types)} variables: {listed(types)}", position)
        attributes = parse_keyword_attributes(parser)
        arguments = [name.resolve(t) for name, t in zip(names or (), types, strict=True)]
        values = parser.resolve_operand(collection, type)
        op = cls(values, parser.parse_region(arguments), ordered=ordered, sorted=sorted)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `ordered %i, %a in %A : tensor<?xf64> { … }`."""
        if self.ordered is not None:
            printer.print_string(" ordered")
        if self.sorted is not None:
            printer.print_string(" sorted")
        if self.body.block.args:
            printer.print_string(" ")
            printer.print_list(self.body.block.args, printer.print_ssa_value)
        printer.print_string(" in ")
        printer.print_ssa_value(self.collection)
        printer.print_string(" : ")
        printer.print_attribute(self.collection.type)
        _print_body(printer, self.body, self.attributes)

    def verify_(self) -> None:
        """Check the collection, the variables and the order."""
        verify_collection(self.collection.type)
        if self.sorted is not None:
            _verify_sorted(self.collection.type, is_ordered=self.ordered is not None)
        _verify_arguments(self.body, element_types(self.collection.type))


def _verify_sorted(collection: Attribute, *, is_ordered: bool) -> None:
    if not isinstance(collection, BagType) or collection.is_map:
        raise VerifyException(f"only the rows of a list are sorted, and this is {collection}")
    if is_ordered and not sorted_columns(collection, UnitAttr()):
        raise VerifyException("the first column is no scalar, by which rows can be sorted")


def _print_body(printer: Printer, body: Region, attributes: Mapping[str, Attribute]) -> None:
    printer.print_op_attributes(attributes, print_keyword=True)
    printer.print_string(" ")
    printer.print_region(body, print_entry_block_args=False, print_empty_block=False)


def _verify_arguments(body: Region, types: Sequence[Attribute]) -> None:
    if body.block.arg_types != tuple(types):
        raise VerifyException(
            f"expected a body with arguments {listed(types)}, got {listed(body.block.arg_types)}"
        )


Diablo = Dialect(
    "diablo",
    [VarOp, LoadOp, RequireOp, StoreOp, AccumulateOp, AccumulatePartsOp, ForOp, ForeachOp],
    [RefType],
)

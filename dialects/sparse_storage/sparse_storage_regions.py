"""The ops that make regions, and take arrays apart into a region and its values.

`diablo.dialects.sparse_storage` exports them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    i1,
    i64,
)
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_fixed_indices, print_fixed_indices, print_type_of
from diablo.dialects.sparse_storage.sparse_storage_layout import LayoutAttr, RegionType
from diablo.dialects.verifier_checks import verify_body, verify_fixed_dimensions
from diablo.format_table import format_for


def region_type(value: SSAValue) -> RegionType:
    """The type of a value that is a region."""
    assert isinstance(value.type, RegionType)
    return value.type


BOX = LayoutAttr(format_for("box"))
"""The layout of all indices of a box."""


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends the body of a predicate with whether it holds.

    ```mlir
    %R = "test.op"() : () -> !sparse_storage.region<1>
    %first = sparse_storage.region_where %R
        : !sparse_storage.region<1> -> !sparse_storage.region<1> {
    ^bb0(%i: index, %p: index):
      %ten = arith.constant 10 : index
      %less = arith.cmpi slt, %i, %ten : index
      sparse_storage.yield %less : i1
    }
    ```
    """

    name = "sparse_storage.yield"
    values = var_operand_def()
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(RegionWhereOp)))
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


def iteration_order(type: RegionType) -> tuple[int, ...]:
    """The order of the dimensions in which the positions of a region ascend."""
    orders = type.layout.dimension_orders
    return orders[0] if orders else tuple(range(type.rank.data))


@irdl_op_definition
class BoxOp(IRDLOperation):
    """The region of all indices of a box, whose positions are row-major.

    It is what a sparse region is cut out of (see `region_where`).

    ```mlir
    %n, %m = "test.op"() : () -> (index, index)
    %all = sparse_storage.box %n, %m
        : !sparse_storage.region<2, #sparse_storage.layout<form = full>>
    ```
    """

    name = "sparse_storage.box"
    extents = var_operand_def(IndexType)
    region = result_def(RegionType)
    traits = traits_def(Pure())
    assembly_format = "$extents attr-dict `:` type($region)"

    def __init__(self, extents: Sequence[SSAValue]):
        type = RegionType(len(extents), BOX)
        super().__init__(operands=[extents], result_types=[type])

    def verify_(self) -> None:
        """Check the rank and the form."""
        type = region_type(self.region)
        if type.rank.data != len(self.extents):
            raise VerifyException(
                f"a box of {len(self.extents)} extents cannot have rank {type.rank.data}"
            )
        if type.layout != BOX:
            raise VerifyException(f"a box is {BOX}, got {type.layout}")


@irdl_op_definition
class RegionWhereOp(IRDLOperation):
    """The indices of a region for which a predicate holds: a region of its own.

    The body's arguments are the indices and the position in the base. It is evaluated for the
    indices of the base alone, so that a sparse base costs what it stores. The positions of the
    new region count its own indices in the order of its layout.

    ```mlir
    %n = "test.op"() : () -> index
    %all = sparse_storage.box %n, %n
        : !sparse_storage.region<2, #sparse_storage.layout<form = full>>
    %diagonal = sparse_storage.region_where %all
        : !sparse_storage.region<2, #sparse_storage.layout<form = full>>
        -> !sparse_storage.region<2, #sparse_storage.layout<form = compressed>> {
    ^bb0(%i: index, %j: index, %p: index):
      %equal = arith.cmpi eq, %i, %j : index
      sparse_storage.yield %equal : i1
    }
    ```
    """

    name = "sparse_storage.region_where"
    base = operand_def(RegionType)
    region = result_def(RegionType)
    body = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())
    assembly_format = "$base attr-dict `:` type($base) `->` type($region) $body"

    def __init__(self, base: SSAValue, body: Region, region: RegionType):
        super().__init__(operands=[base], regions=[body], result_types=[region])

    def verify_(self) -> None:
        """Check the ranks and the predicate."""
        rank, base = region_type(self.region).rank.data, region_type(self.base).rank.data
        if rank != base:
            raise VerifyException(f"a part of a region of rank {base} cannot have rank {rank}")
        verify_body(self.body, [IndexType()] * (base + 1), [i1], YieldOp)


@irdl_op_definition
class SliceOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """The part of a region with given indices in some dimensions, as a region of the others.

    The positions are the base's, and so are the values. It costs what it takes to find the
    part, not what is in it.

    ```mlir
    %R, %i = "test.op"() : () -> (!sparse_storage.region<2>, index)
    %row = sparse_storage.slice %R[%i, *] : !sparse_storage.region<2> -> !sparse_storage.region<1>
    ```
    """

    name = "sparse_storage.slice"
    base = operand_def(RegionType)
    indices = var_operand_def(IndexType)
    dimensions = prop_def(DenseArrayBase.constr(i64))
    region = result_def(RegionType)
    traits = traits_def(Pure())

    def __init__(
        self,
        base: SSAValue,
        dimensions: Sequence[int],
        indices: Sequence[SSAValue],
        region: RegionType,
    ):
        super().__init__(
            operands=[base, indices],
            properties={"dimensions": DenseArrayBase.from_list(i64, dimensions)},
            result_types=[region],
        )

    @property
    def fixed(self) -> dict[int, SSAValue]:
        """The index in each dimension that has one."""
        return dict(zip(self.dimensions.get_values(), self.indices, strict=True))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%R[%i, *] : type -> type`."""
        base = parser.parse_unresolved_operand()
        fixed = parse_fixed_indices(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operand = parser.resolve_operand(base, parser.parse_type())
        parser.parse_punctuation("->")
        position = parser.pos
        region = parser.parse_type()
        if not isinstance(region, RegionType):
            parser.raise_error("a slice is a region", position)
        op = cls(operand, list(fixed), list(fixed.values()), region)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%R[%i, *] : type -> type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.base)
        print_fixed_indices(printer, self.fixed, region_type(self.base).rank.data)
        print_type_of(printer, self, self.base.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.region.type)

    def verify_(self) -> None:
        """Check the dimensions and the ranks."""
        dimensions = self.dimensions.get_values()
        base, rank = region_type(self.base).rank.data, region_type(self.region).rank.data
        verify_fixed_dimensions(dimensions, len(self.indices), base)
        if rank != base - len(dimensions):
            raise VerifyException(
                f"a slice that fixes {len(dimensions)} of {base} dimensions cannot have rank {rank}"
            )

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A slice that fixes nothing, and a slice of a slice."""
        from diablo.dialects.sparse_storage.sparse_storage_canonicalization import (
            DropEmptySlice,
            MergeSlices,
        )

        return (DropEmptySlice(), MergeSlices())


@irdl_op_definition
class SizeOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """How many indices a region has.

    ```mlir
    %R = "test.op"() : () -> !sparse_storage.region<2>
    %n = sparse_storage.size %R : !sparse_storage.region<2>
    ```
    """

    name = "sparse_storage.size"
    region = operand_def(RegionType)
    size = result_def(IndexType)
    traits = traits_def(Pure())
    assembly_format = "$region attr-dict `:` type($region)"

    def __init__(self, region: SSAValue):
        super().__init__(operands=[region], result_types=[IndexType()])

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A box has as many indices as the product of its extents."""
        from diablo.dialects.sparse_storage.sparse_storage_canonicalization import SizeOfBox

        return (SizeOfBox(),)

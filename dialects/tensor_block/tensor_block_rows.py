"""The row ops that work on one row at a time: filter, extend, expand, project.

`diablo.dialects.tensor_block` exports them. Columns are named by their number, from 0:
`%rows[1, 0]` are the second and the first column of `%rows`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import I64, DenseArrayBase, IndexType, IntegerAttr, StringAttr, i1, i64
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_keyword_attributes
from diablo.dialects.bags import BagType, bag_columns, verify_columns
from diablo.dialects.tensor_block.tensor_block_iteration import YieldOp
from diablo.dialects.verifier_checks import (
    verify_body,
    verify_positions,
    verify_row_bound,
    verify_step,
)


@irdl_op_definition
class FilterOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """The rows for which the body (arguments: the columns) yields true.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64>
    %positive = tensor_block.filter %rows : !comprehension.bag<i64, f64> {
    ^bb0(%k: i64, %v: f64):
      %zero = arith.constant 0.0 : f64
      %keep = arith.cmpf ogt, %v, %zero : f64
      tensor_block.yield %keep : i1
    }
    ```
    """

    name = "tensor_block.filter"
    bag = operand_def(BagType)
    body = region_def("single_block")
    result = result_def(BagType)
    traits = traits_def(Pure())

    def __init__(self, bag: SSAValue, body: Region):
        super().__init__(operands=[bag], regions=[body], result_types=[BagType(bag_columns(bag))])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%rows : !comprehension.bag<f64> {…}`."""
        bag = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        rows = parser.resolve_operand(bag, parser.parse_type())
        attributes = parse_keyword_attributes(parser)
        op = cls(rows, parser.parse_region())
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%rows : !comprehension.bag<f64> {…}`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.bag)
        printer.print_string(" : ")
        printer.print_attribute(self.bag.type)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body)

    def verify_(self) -> None:
        """Check the body and the columns."""
        verify_body(self.body, bag_columns(self.bag), [i1], YieldOp)
        verify_columns(self.result, bag_columns(self.bag))

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A filter that keeps every row goes away."""
        from diablo.dialects.tensor_block.tensor_block_canonicalization import DropTrueFilter

        return (DropTrueFilter(),)


@irdl_op_definition
class ExtendOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """Appends the columns that the body (arguments: the columns) yields for each row.

    `to` says which columns the result has, and in which order, if these are not the bag's and
    then those that are yielded: as if the result were projected.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64>
    %squares = tensor_block.extend %rows
        : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, f64> {
    ^bb0(%k: i64, %v: f64):
      %square = arith.mulf %v, %v : f64
      tensor_block.yield %square : f64
    }
    %roots = tensor_block.extend %rows to [2, 0]
        : !comprehension.bag<i64, f64> -> !comprehension.bag<f64, i64> {
    ^bb0(%k: i64, %v: f64):
      %root = math.sqrt %v : f64
      tensor_block.yield %root : f64
    }
    ```
    """

    name = "tensor_block.extend"
    bag = operand_def(BagType)
    columns = opt_prop_def(DenseArrayBase.constr(i64))
    body = region_def("single_block")
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = (
        "$bag (`to` $columns^)? `:` type($bag) `->` type($result) attr-dict-with-keyword $body"
    )

    def __init__(self, bag: SSAValue, body: Region, columns: Sequence[int] | None = None):
        yielded = body.block.last_op
        assert isinstance(yielded, YieldOp)
        whole = [*bag_columns(bag), *[v.type for v in yielded.values]]
        super().__init__(
            operands=[bag],
            properties={
                "columns": None if columns is None else DenseArrayBase.from_list(i64, list(columns))
            },
            regions=[body],
            result_types=[BagType(whole if columns is None else [whole[c] for c in columns])],
        )

    @property
    def taken(self) -> tuple[int, ...] | None:
        """Which columns the result has, of the bag's and then those that are yielded; None: all."""
        return None if self.columns is None else tuple(map(int, self.columns.get_values()))

    def verify_(self) -> None:
        """Check the body and the columns."""
        columns = bag_columns(self.bag)
        result = tuple(self.result.type.columns)
        if self.taken is None:
            if result[: len(columns)] != columns:
                raise VerifyException(f"the result must begin with the columns of {self.bag.type}")
            verify_body(self.body, columns, result[len(columns) :], YieldOp)
            return
        end = self.body.block.last_op
        yielded = [value.type for value in end.operands] if isinstance(end, YieldOp) else []
        verify_body(self.body, columns, yielded, YieldOp)
        whole = [*columns, *yielded]
        verify_positions(self.taken, len(whole), "column")
        verify_columns(self.result, [whole[position] for position in self.taken])

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """One that appends no column goes away."""
        from diablo.dialects.tensor_block.tensor_block_canonicalization import DropEmptyExtend

        return (DropEmptyExtend(),)


@irdl_op_definition
class ExpandOp(IRDLOperation):
    """Makes each row one row per index of a range of its own, which becomes the last column.

    The body (arguments: the columns) yields the range's ends; both belong to it. A row whose
    range ends before it starts goes away. `at_most` says how many rows come of
    them in the end, if these are not all asked for: a number, `one`, or as many as there were
    (`left`).

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<index>
    %triangle = tensor_block.expand %rows
        : !comprehension.bag<index> -> !comprehension.bag<index, index> {
    ^bb0(%i: index):
      %zero = arith.constant 0 : index
      tensor_block.yield %zero, %i : index, index
    }
    ```
    """

    name = "tensor_block.expand"
    bag = operand_def(BagType)
    step = opt_prop_def(IntegerAttr[I64])
    at_most = opt_prop_def(StringAttr | IntegerAttr)
    body = region_def("single_block")
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = (
        "$bag (`step` $step^)? (`at_most` $at_most^)? `:` type($bag) `->` type($result) "
        "attr-dict-with-keyword $body"
    )

    def __init__(
        self,
        bag: SSAValue,
        body: Region,
        step: int = 1,
        at_most: StringAttr | IntegerAttr | None = None,
    ):
        assert isinstance(bag.type, BagType)
        super().__init__(
            operands=[bag],
            properties={
                "step": IntegerAttr(step, i64) if step != 1 else None,
                "at_most": at_most,
            },
            regions=[body],
            result_types=[BagType([*bag.type.columns, IndexType()])],
        )

    def verify_(self) -> None:
        """Check the body, the columns, the step and the bound."""
        verify_step(self.step)
        verify_row_bound(self.at_most)
        verify_body(self.body, bag_columns(self.bag), [IndexType(), IndexType()], YieldOp)
        verify_columns(self.result, [*bag_columns(self.bag), IndexType()])


@irdl_op_definition
class ProjectOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """The given columns of a bag, in the given order.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64>
    %swapped = tensor_block.project %rows[1, 0]
        : !comprehension.bag<i64, f64> -> !comprehension.bag<f64, i64>
    ```
    """

    name = "tensor_block.project"
    bag = operand_def(BagType)
    columns = prop_def(DenseArrayBase.constr(i64))
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = "$bag `` $columns attr-dict `:` type($bag) `->` type($result)"

    def __init__(self, bag: SSAValue, columns: Sequence[int]):
        assert isinstance(bag.type, BagType)
        super().__init__(
            operands=[bag],
            properties={"columns": DenseArrayBase.from_list(i64, list(columns))},
            result_types=[BagType([bag.type.columns.data[c] for c in columns])],
        )

    def verify_(self) -> None:
        """Check the columns."""
        columns = bag_columns(self.bag)
        positions = self.columns.get_values()
        verify_positions(positions, len(columns), "column")
        verify_columns(self.result, [columns[position] for position in positions])

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A projection on all columns goes away, one of another is one."""
        from diablo.dialects.tensor_block.tensor_block_canonicalization import (
            DropIdentityProject,
            MergeProjects,
        )

        return (DropIdentityProject(), MergeProjects())

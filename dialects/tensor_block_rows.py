"""The row ops: from bags to bags, and to scalars.

`diablo.dialects.tensor_block` exports them. Columns are named by their number, from 0:
`%rows[1, 0]` are the second and the first column of `%rows`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i1,
    i64,
)
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_keyword_attributes, parse_monoid, print_monoid
from diablo.dialects.bags import (
    BagType,
    bag_columns,
    parse_fold,
    print_fold,
    verify_columns,
    verify_fold,
    verify_index_columns,
    verify_offsets,
)
from diablo.dialects.comprehension_monoids import is_constant_of
from diablo.dialects.encodings import ARRAY, array_type
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.tensor_block_iteration import YieldOp, verify_body
from diablo.dialects.verification import listed, verify_positions

ANY = "any"
"""Stands for a monoid where one of several values is kept."""


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
        verify_body(self.body, bag_columns(self.bag), [i1])
        verify_columns(self.result, bag_columns(self.bag))

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A filter that keeps every row goes away."""
        from diablo.dialects.canonicalization.tensor_block import DropTrueFilter

        return (DropTrueFilter(),)


@irdl_op_definition
class ExtendOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """Appends the columns that the body (arguments: the columns) yields for each row.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64>
    %squares = tensor_block.extend %rows
        : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, f64> {
    ^bb0(%k: i64, %v: f64):
      %square = arith.mulf %v, %v : f64
      tensor_block.yield %square : f64
    }
    ```
    """

    name = "tensor_block.extend"
    bag = operand_def(BagType)
    body = region_def("single_block")
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = "$bag `:` type($bag) `->` type($result) attr-dict-with-keyword $body"

    def __init__(self, bag: SSAValue, body: Region):
        assert isinstance(bag.type, BagType)
        yielded = body.block.last_op
        assert isinstance(yielded, YieldOp)
        super().__init__(
            operands=[bag],
            regions=[body],
            result_types=[BagType([*bag.type.columns, *[v.type for v in yielded.values]])],
        )

    def verify_(self) -> None:
        """Check the body and the columns."""
        columns = bag_columns(self.bag)
        if tuple(self.result.type.columns)[: len(columns)] != columns:
            raise VerifyException(f"the result must begin with the columns of {self.bag.type}")
        verify_body(self.body, columns, tuple(self.result.type.columns)[len(columns) :])

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """One that appends no column goes away."""
        from diablo.dialects.canonicalization.tensor_block import DropEmptyExtend

        return (DropEmptyExtend(),)


@irdl_op_definition
class ExpandOp(IRDLOperation):
    """Makes each row one row per index of a range of its own, which becomes the last column.

    The body (arguments: the columns) yields the range's ends; both belong to it. A row whose
    range ends before it starts goes away.

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
    body = region_def("single_block")
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = (
        "$bag (`step` $step^)? `:` type($bag) `->` type($result) attr-dict-with-keyword $body"
    )

    def __init__(self, bag: SSAValue, body: Region, step: int = 1):
        assert isinstance(bag.type, BagType)
        super().__init__(
            operands=[bag],
            properties={"step": IntegerAttr(step, i64) if step != 1 else None},
            regions=[body],
            result_types=[BagType([*bag.type.columns, IndexType()])],
        )

    def verify_(self) -> None:
        """Check the body, the columns and the step."""
        if self.step is not None and self.step.value.data == 0:
            raise VerifyException("the step of a range cannot be 0")
        verify_body(self.body, bag_columns(self.bag), [IndexType(), IndexType()])
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
        from diablo.dialects.canonicalization.tensor_block import DropIdentityProject, MergeProjects

        return (DropIdentityProject(), MergeProjects())


@irdl_op_definition
class LookupOp(IRDLOperation):
    """Appends to each row the element of `array` at the index in `columns`.

    Rows whose index lies outside `array` are dropped; where a sparse array stores nothing,
    the row gets its implicit value, or is dropped if `stored` is set. With `probe` no row is
    dropped: outside `array` it gets the implicit value, and one more column, the last, says
    whether the index lies inside. `offsets`, if any, are subtracted from the indices (the
    origin of the tile `array`).

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<index, f64>
    %v = "test.op"() : () -> tensor<?xf64, #tensor_block.storage<dense = 0>>
    %found = tensor_block.lookup %rows[0] in %v stored
        : !comprehension.bag<index, f64>, tensor<?xf64, #tensor_block.storage<dense = 0>>
        -> !comprehension.bag<index, f64, f64>
    %probed = tensor_block.lookup %rows[0] in %v probe
        : !comprehension.bag<index, f64>, tensor<?xf64, #tensor_block.storage<dense = 0>>
        -> !comprehension.bag<index, f64, f64, i1>
    ```
    """

    name = "tensor_block.lookup"
    bag = operand_def(BagType)
    array = operand_def(ARRAY)
    offsets = var_operand_def(IndexType)
    columns = prop_def(DenseArrayBase.constr(i64))
    stored = opt_prop_def(UnitAttr)
    probe = opt_prop_def(UnitAttr)
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = (
        "$bag `` $columns `in` $array (`stored` $stored^)? (`probe` $probe^)? "
        "(`offsets` `(` $offsets^ `)`)? attr-dict "
        "`:` type($bag) `,` type($array) `->` type($result)"
    )

    def __init__(
        self,
        bag: SSAValue,
        array: SSAValue,
        columns: Sequence[int],
        *,
        stored: bool = False,
        probe: bool = False,
        offsets: Sequence[SSAValue] = (),
    ):
        assert isinstance(bag.type, BagType)
        super().__init__(
            operands=[bag, array, offsets],
            properties={
                "columns": DenseArrayBase.from_list(i64, list(columns)),
                "stored": UnitAttr() if stored else None,
                "probe": UnitAttr() if probe else None,
            },
            result_types=[
                BagType(
                    [
                        *bag.type.columns,
                        array_type(array).get_element_type(),
                        *([i1] if probe else []),
                    ]
                )
            ],
        )

    def verify_(self) -> None:
        """Check the columns and the offsets."""
        type = array_type(self.array)
        rank = type.get_num_dims()
        columns = bag_columns(self.bag)
        positions = self.columns.get_values()
        verify_positions(positions, len(columns), "column")
        if len(positions) != rank:
            raise VerifyException(
                f"expected one column for each of {rank} dimensions, got {len(positions)}"
            )
        verify_index_columns([columns[position] for position in positions])
        verify_offsets(self.offsets, rank)
        if self.stored is not None and self.probe is not None:
            raise VerifyException("a lookup that drops no row cannot drop what is not stored")
        found = [i1] if self.probe is not None else []
        verify_columns(self.result, [*columns, type.get_element_type(), *found])


@irdl_op_definition
class JoinOp(IRDLOperation):
    """The pairs of rows that agree on the key columns (all pairs if there are none).

    A row of the result has the columns of the left row, then all of the right row. With
    `outer`, a left row without a partner is kept, and the given constants stand for the
    right one's columns; `unit` is the implicit value of a column (an empty bag, say).

    ```mlir
    %left = "test.op"() : () -> !comprehension.bag<i64, f64>
    %right = "test.op"() : () -> !comprehension.bag<f64, i64>
    %pairs = tensor_block.join %left[0], %right[1]
        : !comprehension.bag<i64, f64>, !comprehension.bag<f64, i64>
        -> !comprehension.bag<i64, f64, f64, i64>
    %all = tensor_block.join %left[0], %right[1] outer [1.0 : f64, unit]
        : !comprehension.bag<i64, f64>, !comprehension.bag<f64, i64>
        -> !comprehension.bag<i64, f64, f64, i64>
    ```
    """

    name = "tensor_block.join"
    left = operand_def(BagType)
    right = operand_def(BagType)
    left_keys = prop_def(DenseArrayBase.constr(i64))
    right_keys = prop_def(DenseArrayBase.constr(i64))
    outer = opt_prop_def(ArrayAttr)
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = (
        "$left `` $left_keys `,` $right `` $right_keys (`outer` $outer^)? attr-dict "
        "`:` type($left) `,` type($right) `->` type($result)"
    )

    def __init__(
        self,
        left: SSAValue,
        right: SSAValue,
        left_keys: Sequence[int],
        right_keys: Sequence[int],
        outer: Sequence[Attribute] | None = None,
    ):
        assert isinstance(left.type, BagType)
        assert isinstance(right.type, BagType)
        super().__init__(
            operands=[left, right],
            properties={
                "left_keys": DenseArrayBase.from_list(i64, list(left_keys)),
                "right_keys": DenseArrayBase.from_list(i64, list(right_keys)),
                "outer": ArrayAttr(outer) if outer is not None else None,
            },
            result_types=[BagType([*left.type.columns, *right.type.columns])],
        )

    def verify_(self) -> None:
        """Check the keys and the columns."""
        left, right = bag_columns(self.left), bag_columns(self.right)
        left_keys, right_keys = self.left_keys.get_values(), self.right_keys.get_values()
        verify_positions(left_keys, len(left), "left key column")
        verify_positions(right_keys, len(right), "right key column")
        left_types = [left[key] for key in left_keys]
        right_types = [right[key] for key in right_keys]
        if left_types != right_types:
            raise VerifyException(
                f"the keys of the two sides must have the same types, got {listed(left_types)} "
                f"and {listed(right_types)}"
            )
        verify_columns(self.result, [*left, *right])
        if self.outer is None:
            return
        if len(self.outer) != len(right):
            raise VerifyException(
                f"expected a constant for each of {len(right)} columns of the right side, "
                f"got {len(self.outer)}"
            )
        for constant, column in zip(self.outer, right, strict=True):
            if not isinstance(constant, UnitAttr) and not is_constant_of(constant, column):
                raise VerifyException(f"{constant} is no value of {column}")


@irdl_op_definition
class GroupReduceOp(IRDLOperation):
    """Groups rows by their first `keys` columns; folds each other column with its monoid.

    The word `any` instead of a monoid keeps one of the group's values; all such columns of a
    group are from one row.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64, f64>
    %groups = tensor_block.group_reduce %rows keys 1 monoids(add, max)
        : !comprehension.bag<i64, f64, f64>
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
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.bag.type)

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
            if monoid.data != ANY:
                verify_monoid(monoid.data, column, self)
        verify_columns(self.result, columns)


@irdl_op_definition
class FoldOp(IRDLOperation):
    """Folds a one-column bag to a scalar with a monoid; an empty bag gives its identity.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<f64>
    %largest = tensor_block.fold max %rows : !comprehension.bag<f64>
    ```
    """

    name = "tensor_block.fold"
    monoid = prop_def(StringAttr)
    bag = operand_def(BagType)
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, monoid: str, bag: SSAValue):
        assert isinstance(bag.type, BagType)
        super().__init__(
            operands=[bag],
            properties={"monoid": StringAttr(monoid)},
            result_types=[bag.type.columns.data[0]],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `add %rows : !comprehension.bag<f64>`."""
        monoid, bag, attributes = parse_fold(parser)
        op = cls(monoid, bag)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `add %rows : !comprehension.bag<f64>`."""
        print_fold(printer, self.monoid, self.bag, self.attributes)

    def verify_(self) -> None:
        """Check the bag, the monoid and the result."""
        verify_fold(self.monoid, self.bag, self.result)

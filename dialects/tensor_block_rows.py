"""The row ops: between arrays and bags, and from bags to bags.

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
    i1,
    i64,
)
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
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

from diablo.dialects.assembly import Flag, Monoid, parse_keyword_attributes, parse_monoid
from diablo.dialects.bags import BagType, element_types, parse_fold, print_fold, verify_fold
from diablo.dialects.encodings import ARRAY, array_type
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.tensor_block_iteration import YieldOp, verify_body
from diablo.dialects.verification import listed, verify_positions, verify_step


def _columns(bag: SSAValue) -> tuple[Attribute, ...]:
    assert isinstance(bag.type, BagType)
    return tuple(bag.type.columns)


def _verify_columns(result: SSAValue, columns: Sequence[Attribute]) -> None:
    """Raise a `VerifyException` unless the bag `result` has these columns."""
    expected = BagType(columns)
    if result.type != expected:
        raise VerifyException(f"the result must be {expected}, got {result.type}")


def _verify_index_columns(columns: Sequence[Attribute]) -> None:
    """Raise a `VerifyException` unless these columns can address an array."""
    if any(not isinstance(column, IndexType) for column in columns):
        raise VerifyException(f"the columns of an index must be indices, got {listed(columns)}")


def _verify_offsets(offsets: Sequence[SSAValue], rank: int) -> None:
    if len(offsets) not in (0, rank):
        raise VerifyException(
            f"expected no offsets or one for each of {rank} dimensions, got {len(offsets)}"
        )


@irdl_op_definition
class ToBagOp(IRDLOperation):
    """The stored entries of an array as rows (index…, element); all of them if it is dense.

    `offsets`, if any, are added to the indices (a tile's origin).

    ```mlir
    %x, %y = "test.op"() : () -> (index, index)
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
    %rows = tensor_block.to_bag %A offsets(%x, %y)
        : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> !comprehension.bag<index, index, f64>
    ```
    """

    name = "tensor_block.to_bag"
    input = operand_def(ARRAY)
    offsets = var_operand_def(IndexType)
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = (
        "$input (`offsets` `(` $offsets^ `)`)? attr-dict `:` type($input) `->` type($result)"
    )

    def __init__(self, input: SSAValue, offsets: Sequence[SSAValue] = ()):
        super().__init__(
            operands=[input, offsets], result_types=[BagType(element_types(input.type))]
        )

    def verify_(self) -> None:
        """Check the offsets and the columns."""
        type = array_type(self.input)
        _verify_offsets(self.offsets, type.get_num_dims())
        _verify_columns(self.result, element_types(type))


@irdl_op_definition
class RangeOp(IRDLOperation):
    """The one-column bag `lower`, `lower + step`, … up to and including `upper`.

    The step is 1 unless it is given; it may be negative, and then the integers go down.

    ```mlir
    %lo, %hi = "test.op"() : () -> (index, index)
    %all = tensor_block.range %lo to %hi : !comprehension.bag<index>
    %even = tensor_block.range %lo to %hi step 2 : !comprehension.bag<index>
    ```
    """

    name = "tensor_block.range"
    lower = operand_def(IndexType)
    upper = operand_def(IndexType)
    step = opt_prop_def(IntegerAttr[I64])
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = "$lower `to` $upper (`step` $step^)? attr-dict `:` type($result)"

    def __init__(self, lower: SSAValue, upper: SSAValue, step: int = 1):
        super().__init__(
            operands=[lower, upper],
            properties={"step": IntegerAttr(step, i64) if step != 1 else None},
            result_types=[BagType([IndexType()])],
        )

    def verify_(self) -> None:
        """Check that the range ends, and the column."""
        verify_step(self.step)
        _verify_columns(self.result, [IndexType()])


@irdl_op_definition
class FromBagOp(IRDLOperation):
    """An array from rows (index…, element): the bag's first rank columns are the index.

    Rows outside the dimensions are dropped. Rows with equal indices are combined with
    `monoid`, or one of them is kept if there is none. `dest`, if any, is the array that is
    updated; otherwise an index without a row has the implicit value (with a monoid and a
    dense result as well). `offsets`, if any, are subtracted from the indices (a tile's
    origin).

    ```mlir
    %n, %m = "test.op"() : () -> (index, index)
    %rows = "test.op"() : () -> !comprehension.bag<index, index, f64>
    %D = "test.op"() : () -> tensor<?x?xf64>
    %A = tensor_block.from_bag %rows extents(%n, %m)
        : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
    %B = tensor_block.from_bag add %rows extents(%n, %m) dest(%D : tensor<?x?xf64>)
        : !comprehension.bag<index, index, f64> -> tensor<?x?xf64>
    ```
    """

    name = "tensor_block.from_bag"
    bag = operand_def(BagType)
    extents = var_operand_def(IndexType)
    offsets = var_operand_def(IndexType)
    dest = var_operand_def(ARRAY)
    monoid = opt_prop_def(StringAttr)
    result = result_def(ARRAY)
    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (Monoid,)
    assembly_format = (
        "custom<Monoid>($monoid) $bag `extents` `(` $extents `)` (`offsets` `(` $offsets^ `)`)? "
        "(`dest` `(` $dest^ `:` type($dest) `)`)? attr-dict `:` type($bag) `->` type($result)"
    )

    def __init__(
        self,
        bag: SSAValue,
        extents: Sequence[SSAValue],
        result_type: Attribute,
        monoid: str | None = None,
        dest: SSAValue | None = None,
        offsets: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[bag, extents, offsets, [dest] if dest is not None else []],
            properties={"monoid": StringAttr(monoid) if monoid else None},
            result_types=[result_type],
        )

    def verify_(self) -> None:
        """Check the columns, the extents, the updated array and the monoid."""
        type = self.result.type
        rank = type.get_num_dims()
        if len(self.extents) != rank:
            raise VerifyException(
                f"expected one extent for each of {rank} dimensions, got {len(self.extents)}"
            )
        _verify_offsets(self.offsets, rank)
        columns = _columns(self.bag)
        if len(columns) != rank + 1:
            raise VerifyException(
                f"a bag for {type} has {rank + 1} columns, the index and the element, "
                f"got {len(columns)}"
            )
        _verify_index_columns(columns[:-1])
        if columns[-1] != type.get_element_type():
            raise VerifyException(
                f"the last column is {columns[-1]}, but the element type is "
                f"{type.get_element_type()}"
            )
        if len(self.dest) > 1:
            raise VerifyException(f"at most one array is updated, got {len(self.dest)}")
        for dest in self.dest:
            if dest.type != type:
                raise VerifyException(f"the result must have the type of dest, {dest.type}")
        if self.monoid is not None:
            verify_monoid(self.monoid.data, type.get_element_type())


@irdl_op_definition
class FilterOp(IRDLOperation):
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
        super().__init__(operands=[bag], regions=[body], result_types=[bag.type])

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
        verify_body(self.body, _columns(self.bag), [i1])
        _verify_columns(self.result, _columns(self.bag))


@irdl_op_definition
class ExtendOp(IRDLOperation):
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
        columns = _columns(self.bag)
        if tuple(self.result.type.columns)[: len(columns)] != columns:
            raise VerifyException(f"the result must begin with the columns of {self.bag.type}")
        verify_body(self.body, columns, tuple(self.result.type.columns)[len(columns) :])


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
        columns = _columns(self.bag)
        positions = self.columns.get_values()
        verify_positions(positions, len(columns), "column")
        _verify_columns(self.result, [columns[position] for position in positions])

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A projection on all columns goes away, one of another is one."""
        from diablo.passes.canonicalization.tensor_block import DropIdentityProject, MergeProjects

        return (DropIdentityProject(), MergeProjects())


@irdl_op_definition
class LookupOp(IRDLOperation):
    """Appends to each row the element of `array` at the index in `columns`.

    Rows whose index lies outside `array` are dropped; where a sparse array stores nothing,
    the row gets its implicit value, or is dropped if `stored` is set. `offsets`, if any, are
    subtracted from the indices (the origin of the tile `array`).

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<index, f64>
    %v = "test.op"() : () -> tensor<?xf64, #tensor_block.storage<dense = 0>>
    %found = tensor_block.lookup %rows[0] in %v stored
        : !comprehension.bag<index, f64>, tensor<?xf64, #tensor_block.storage<dense = 0>>
        -> !comprehension.bag<index, f64, f64>
    ```
    """

    name = "tensor_block.lookup"
    bag = operand_def(BagType)
    array = operand_def(ARRAY)
    offsets = var_operand_def(IndexType)
    columns = prop_def(DenseArrayBase.constr(i64))
    stored = opt_prop_def(IntegerAttr.constr(i1))
    result = result_def(BagType)
    traits = traits_def(Pure())
    custom_directives = (Flag,)
    assembly_format = (
        "$bag `` $columns `in` $array custom<Flag>($stored) (`offsets` `(` $offsets^ `)`)? "
        "attr-dict `:` type($bag) `,` type($array) `->` type($result)"
    )

    def __init__(
        self,
        bag: SSAValue,
        array: SSAValue,
        columns: Sequence[int],
        *,
        stored: bool = False,
        offsets: Sequence[SSAValue] = (),
    ):
        assert isinstance(bag.type, BagType)
        super().__init__(
            operands=[bag, array, offsets],
            properties={
                "columns": DenseArrayBase.from_list(i64, list(columns)),
                "stored": IntegerAttr(1, 1) if stored else None,
            },
            result_types=[BagType([*bag.type.columns, array_type(array).get_element_type()])],
        )

    def verify_(self) -> None:
        """Check the columns and the offsets."""
        type = array_type(self.array)
        rank = type.get_num_dims()
        columns = _columns(self.bag)
        positions = self.columns.get_values()
        verify_positions(positions, len(columns), "column")
        if len(positions) != rank:
            raise VerifyException(
                f"expected one column for each of {rank} dimensions, got {len(positions)}"
            )
        _verify_index_columns([columns[position] for position in positions])
        _verify_offsets(self.offsets, rank)
        _verify_columns(self.result, [*columns, type.get_element_type()])


@irdl_op_definition
class JoinOp(IRDLOperation):
    """The pairs of rows that agree on the key columns (all pairs if there are none).

    A row of the result has the columns of the left row, then all of the right row.

    ```mlir
    %left = "test.op"() : () -> !comprehension.bag<i64, f64>
    %right = "test.op"() : () -> !comprehension.bag<f64, i64>
    %pairs = tensor_block.join %left[0], %right[1]
        : !comprehension.bag<i64, f64>, !comprehension.bag<f64, i64>
        -> !comprehension.bag<i64, f64, f64, i64>
    ```
    """

    name = "tensor_block.join"
    left = operand_def(BagType)
    right = operand_def(BagType)
    left_keys = prop_def(DenseArrayBase.constr(i64))
    right_keys = prop_def(DenseArrayBase.constr(i64))
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = (
        "$left `` $left_keys `,` $right `` $right_keys attr-dict "
        "`:` type($left) `,` type($right) `->` type($result)"
    )

    def __init__(
        self,
        left: SSAValue,
        right: SSAValue,
        left_keys: Sequence[int],
        right_keys: Sequence[int],
    ):
        assert isinstance(left.type, BagType)
        assert isinstance(right.type, BagType)
        super().__init__(
            operands=[left, right],
            properties={
                "left_keys": DenseArrayBase.from_list(i64, list(left_keys)),
                "right_keys": DenseArrayBase.from_list(i64, list(right_keys)),
            },
            result_types=[BagType([*left.type.columns, *right.type.columns])],
        )

    def verify_(self) -> None:
        """Check the keys and the columns."""
        left, right = _columns(self.left), _columns(self.right)
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
        _verify_columns(self.result, [*left, *right])


@irdl_op_definition
class GroupReduceOp(IRDLOperation):
    """Groups rows by their first `keys` columns; folds each other column with its monoid.

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
            result_types=[bag.type],
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
            printer.print_list(
                self.monoids, lambda name: printer.print_identifier_or_string_literal(name.data)
            )
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.bag.type)

    def verify_(self) -> None:
        """Check the keys, the monoids and the columns."""
        columns = _columns(self.bag)
        keys = self.keys.value.data
        if not 0 <= keys <= len(columns):
            raise VerifyException(f"{keys} key columns in a bag of {len(columns)} columns")
        if len(self.monoids) != len(columns) - keys:
            raise VerifyException(
                f"expected one monoid for each of {len(columns) - keys} columns that are folded, "
                f"got {len(self.monoids)}"
            )
        for monoid, column in zip(self.monoids, columns[keys:], strict=True):
            verify_monoid(monoid.data, column)
        _verify_columns(self.result, columns)


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

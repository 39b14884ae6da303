"""The row ops that make and open lists inside of rows, and those that number and join bags.

`diablo.dialects.tensor_block` exports them. A column may hold a bag per row: `group` makes
such columns, `unnest` opens them, and between the two `number` tells rows apart. The bodies of
`extend` and `filter` may use `comprehension.reduce`, `comprehension.length` and
`tensor_block.from_bag` on the bag of a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import I64, IntegerAttr, StringAttr, i64
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import Monoid
from diablo.dialects.bags import BagType, bag_columns, verify_columns
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.verifier_checks import listed, verify_positions


@irdl_op_definition
class GroupOp(IRDLOperation):
    """One row per distinct value of the first `keys` columns; the others become bags.

    The columns of the first bag are the first columns after the keys, and so on; rows that
    were together stay together, so all bags of a group have the same length and order.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64, i64, i1>
    %groups = tensor_block.group %rows keys 1 : !comprehension.bag<i64, f64, i64, i1>
        -> !comprehension.bag<i64, !comprehension.bag<f64, i64>, !comprehension.bag<i1>>
    ```
    """

    name = "tensor_block.group"
    bag = operand_def(BagType)
    keys = prop_def(IntegerAttr[I64])
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = "$bag `keys` $keys attr-dict `:` type($bag) `->` type($result)"

    def __init__(self, bag: SSAValue, keys: int, widths: Sequence[int]):
        """`widths` says how many columns each bag has."""
        columns = list(bag_columns(bag))
        types: list[Attribute] = columns[:keys]
        position = keys
        for width in widths:
            types.append(BagType(columns[position : position + width]))
            position += width
        super().__init__(
            operands=[bag],
            properties={"keys": IntegerAttr(keys, i64)},
            result_types=[BagType(types)],
        )

    @property
    def widths(self) -> list[int]:
        """How many columns each bag has."""
        return [
            len(column.columns)
            for column in self.result.type.columns.data[self.keys.value.data :]
            if isinstance(column, BagType)
        ]

    def verify_(self) -> None:
        """Check the keys and the bags."""
        columns, keys = bag_columns(self.bag), self.keys.value.data
        if not 0 <= keys <= len(columns):
            raise VerifyException(f"{keys} key columns in a bag of {len(columns)} columns")
        results = tuple(self.result.type.columns)
        flat: list[Attribute] = list(results[:keys])
        for column in results[keys:]:
            if not isinstance(column, BagType) or column.is_map:
                raise VerifyException(f"what is grouped becomes bags, not {column}")
            flat += column.columns
        if tuple(flat) != columns:
            raise VerifyException(
                f"the keys and the columns of the bags must be {listed(columns)}, "
                f"got {listed(flat)}"
            )


@irdl_op_definition
class UnnestOp(IRDLOperation):
    """Each row once per row of the bag in `column`, whose columns are appended.

    A row whose bag is empty goes away.

    ```mlir
    %groups = "test.op"() : () -> !comprehension.bag<i64, !comprehension.bag<f64, i64>>
    %rows = tensor_block.unnest %groups[1]
        : !comprehension.bag<i64, !comprehension.bag<f64, i64>>
        -> !comprehension.bag<i64, !comprehension.bag<f64, i64>, f64, i64>
    ```
    """

    name = "tensor_block.unnest"
    bag = operand_def(BagType)
    column = prop_def(IntegerAttr[I64])
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = "$bag `[` $column `]` attr-dict `:` type($bag) `->` type($result)"

    def __init__(self, bag: SSAValue, column: int):
        columns = bag_columns(bag)
        inner = columns[column]
        assert isinstance(inner, BagType)
        super().__init__(
            operands=[bag],
            properties={"column": IntegerAttr(column, i64)},
            result_types=[BagType([*columns, *inner.columns])],
        )

    def verify_(self) -> None:
        """Check the column."""
        columns = bag_columns(self.bag)
        verify_positions([self.column.value.data], len(columns), "column")
        inner = columns[self.column.value.data]
        if not isinstance(inner, BagType):
            raise VerifyException(f"expected a column of bags to unnest, got {inner}")
        verify_columns(self.result, [*columns, *inner.columns])


@irdl_op_definition
class NumberOp(IRDLOperation):
    """Appends a column that holds a different number in every row.

    Which numbers these are depends on how the rows are distributed. Of a list that has an order
    (`comprehension.each`) they ascend in it.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<f64>
    %numbered = tensor_block.number %rows : !comprehension.bag<f64>
        -> !comprehension.bag<f64, i64>
    ```
    """

    name = "tensor_block.number"
    bag = operand_def(BagType)
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = "$bag attr-dict `:` type($bag) `->` type($result)"

    def __init__(self, bag: SSAValue):
        super().__init__(operands=[bag], result_types=[BagType([*bag_columns(bag), i64])])

    def verify_(self) -> None:
        """Check the columns."""
        verify_columns(self.result, [*bag_columns(self.bag), i64])


@irdl_op_definition
class ConcatOp(IRDLOperation):
    """The rows of both bags.

    ```mlir
    %a, %b = "test.op"() : () -> (!comprehension.bag<f64>, !comprehension.bag<f64>)
    %rows = tensor_block.concat %a, %b
        : !comprehension.bag<f64>, !comprehension.bag<f64> -> !comprehension.bag<f64>
    ```
    """

    name = "tensor_block.concat"
    left = operand_def(BagType)
    right = operand_def(BagType)
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = (
        "$left `,` $right attr-dict `:` type($left) `,` type($right) `->` type($result)"
    )

    def __init__(self, left: SSAValue, right: SSAValue):
        super().__init__(operands=[left, right], result_types=[BagType(bag_columns(left))])

    def verify_(self) -> None:
        """Check the columns."""
        left, right = bag_columns(self.left), bag_columns(self.right)
        if left != right:
            raise VerifyException(
                f"both sides must have the same columns, got {listed(left)} and {listed(right)}"
            )
        verify_columns(self.result, left)


@irdl_op_definition
class ToMapOp(IRDLOperation):
    """A bag whose rows have distinct keys, as a map. That they are distinct is not checked.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64>
    %M = tensor_block.to_map %rows
        : !comprehension.bag<i64, f64> -> !comprehension.bag<keys = 1, i64, f64>
    ```
    """

    name = "tensor_block.to_map"
    bag = operand_def(BagType)
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = "$bag attr-dict `:` type($bag) `->` type($result)"

    def __init__(self, bag: SSAValue, keys: int):
        super().__init__(operands=[bag], result_types=[BagType(bag_columns(bag), keys)])

    def verify_(self) -> None:
        """Check the columns."""
        columns = bag_columns(self.bag)
        if tuple(self.result.type.columns) != columns:
            raise VerifyException(f"the map must have the columns {listed(columns)}")
        if not self.result.type.is_map:
            raise VerifyException(f"the result must be a map, got {self.result.type}")


@irdl_op_definition
class UpdateOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """The map `dest` with rows (key…, value…) written into it.

    A row replaces the values of its key, or, with a monoid, is combined with the one value
    of its key. Without a monoid, one of several rows with the same key is written.

    ```mlir
    %M = "test.op"() : () -> !comprehension.bag<keys = 1, i64, f64>
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64>
    %set = tensor_block.update %M with %rows
        : !comprehension.bag<keys = 1, i64, f64>, !comprehension.bag<i64, f64>
    %sum = tensor_block.update add %M with %rows
        : !comprehension.bag<keys = 1, i64, f64>, !comprehension.bag<i64, f64>
    ```
    """

    name = "tensor_block.update"
    T: ClassVar = VarConstraint("T", base(BagType))
    monoid = opt_prop_def(StringAttr)
    dest = operand_def(T)
    rows = operand_def(BagType)
    result = result_def(T)
    traits = traits_def(Pure())
    custom_directives = (Monoid,)
    assembly_format = (
        "custom<Monoid>($monoid) $dest `with` $rows attr-dict `:` type($dest) `,` type($rows)"
    )

    def __init__(self, dest: SSAValue, rows: SSAValue, monoid: str | None = None):
        super().__init__(
            operands=[dest, rows],
            properties={"monoid": StringAttr(monoid) if monoid else None},
            result_types=[dest.type],
        )

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """One of a new map groups the rows."""
        from diablo.dialects.tensor_block.tensor_block_canonicalization import UpdateNewMap

        return (UpdateNewMap(),)

    def verify_(self) -> None:
        """Check the map, the rows and the monoid."""
        type = self.result.type
        assert isinstance(type, BagType)
        if not type.is_map:
            raise VerifyException(f"expected a map to update, got {type}")
        columns = bag_columns(self.rows)
        if columns != tuple(type.columns):
            raise VerifyException(f"the rows must be {listed(type.columns)}, got {listed(columns)}")
        if self.monoid is None:
            return
        if len(columns) != type.keys.data + 1:
            raise VerifyException("with a monoid, the map has one value per key")
        verify_monoid(self.monoid.data, columns[-1], self)

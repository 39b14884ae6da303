"""The row ops that find what goes with a row: in an array, or in another bag.

`diablo.dialects.tensor_block` exports them. Columns are named by their number, from 0:
`%rows[1, 0]` are the second and the first column of `%rows`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
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
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bags import (
    BagType,
    bag_columns,
    verify_columns,
    verify_index_columns,
    verify_offsets,
)
from diablo.dialects.encodings import ARRAY, array_type
from diablo.dialects.monoids import is_constant_of
from diablo.dialects.verifier_checks import listed, verify_positions, verify_row_bound


@irdl_op_definition
class LookupOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """Appends to each row the element of `array` at the index in `columns`.

    The columns hold indices, or integers of 64 bits. Rows whose index lies outside `array` are
    dropped; where a sparse array stores nothing, the row gets its implicit value, or is dropped if
    `stored` is set. With `probe` no row is dropped: outside `array` it gets the
    implicit value, and one more column, the last, says whether the index lies inside. `offsets`,
    if any, are subtracted from the indices (the origin of the tile `array`).

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

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A column that is another one as an index is left to others."""
        from diablo.dialects.tensor_block.tensor_block_canonicalization import LookUpGivenColumn

        return (LookUpGivenColumn(),)


@irdl_op_definition
class JoinOp(IRDLOperation):
    """The pairs of rows that agree on the key columns (all pairs if there are none).

    A row of the result has the columns of the left row, then all of the right row. With
    `outer`, a left row without a partner is kept, and the given constants stand for the
    right one's columns; `unit` is the implicit value of a column (an empty bag, say).
    `at_most` says how many rows come of the pairs in the end, if these are not all asked for:
    a number, `one`, or as many as the `left` side has, the `right` one, or `both` together.

    ```mlir
    %left = "test.op"() : () -> !comprehension.bag<i64, f64>
    %right = "test.op"() : () -> !comprehension.bag<f64, i64>
    %pairs = tensor_block.join %left[0], %right[1]
        : !comprehension.bag<i64, f64>, !comprehension.bag<f64, i64>
        -> !comprehension.bag<i64, f64, f64, i64>
    %all = tensor_block.join %left[0], %right[1] outer [1.0 : f64, unit] at_most "left"
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
    at_most = opt_prop_def(StringAttr | IntegerAttr)
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = (
        "$left `` $left_keys `,` $right `` $right_keys (`outer` $outer^)? "
        "(`at_most` $at_most^)? attr-dict "
        "`:` type($left) `,` type($right) `->` type($result)"
    )

    def __init__(
        self,
        left: SSAValue,
        right: SSAValue,
        left_keys: Sequence[int],
        right_keys: Sequence[int],
        outer: Sequence[Attribute] | None = None,
        at_most: StringAttr | IntegerAttr | None = None,
    ):
        assert isinstance(left.type, BagType)
        assert isinstance(right.type, BagType)
        super().__init__(
            operands=[left, right],
            properties={
                "left_keys": DenseArrayBase.from_list(i64, list(left_keys)),
                "right_keys": DenseArrayBase.from_list(i64, list(right_keys)),
                "outer": ArrayAttr(outer) if outer is not None else None,
                "at_most": at_most,
            },
            result_types=[BagType([*left.type.columns, *right.type.columns])],
        )

    def verify_(self) -> None:
        """Check the keys, the columns and the bound."""
        verify_row_bound(self.at_most)
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

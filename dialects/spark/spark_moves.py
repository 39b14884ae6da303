"""The `spark` ops that send records to other keys, and bring records together.

`diablo.dialects.spark` exports them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bags import BagType, verify_index_columns
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.spark.spark_types import (
    GroupType,
    RDDType,
    rdd_type,
    row_columns,
    verify_dims,
    verify_same,
)
from diablo.dialects.verifier_checks import listed, verify_positions


@irdl_op_definition
class CropOp(IRDLOperation):
    """The tiles that begin inside the given dimensions, where an array is read only in part.

    ```mlir
    %n = "test.op"() : () -> index
    %v = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
    %w = spark.crop %v dims(%n) : !spark.rdd<[index], [tensor<?xf64>]>
    ```
    """

    T: ClassVar = VarConstraint("T", base(RDDType))

    name = "spark.crop"
    input = operand_def(T)
    dims = var_operand_def(IndexType)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$input `dims` `(` $dims `)` attr-dict `:` type($result)"

    def __init__(self, input: SSAValue, dims: Sequence[SSAValue]):
        super().__init__(operands=[input, dims], result_types=[input.type])

    def verify_(self) -> None:
        """Check the dimensions."""
        verify_dims(self.dims, len(rdd_type(self.input).keys), "coordinates of the key")


@irdl_op_definition
class RekeyOp(IRDLOperation):
    """Sends each tile to the keys that need it.

    `positions[p]` is the coordinate of the tile that becomes position p of the key, or -1
    where the tile is copied to every tile along dimension p, whose size is `dims[p]`.

    ```mlir
    %n, %m = "test.op"() : () -> (index, index)
    %v = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
    %w = spark.rekey %v[-1, 0] dims(%n, %m)
        : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index, index], [tensor<?xf64>]>
    ```
    """

    name = "spark.rekey"
    input = operand_def(RDDType)
    dims = var_operand_def(IndexType)
    positions = prop_def(DenseArrayBase.constr(i64))
    result = result_def(RDDType)
    assembly_format = (
        "$input `` $positions `dims` `(` $dims `)` attr-dict `:` type($input) `->` type($result)"
    )

    def __init__(self, input: SSAValue, dims: Sequence[SSAValue], positions: Sequence[int]):
        assert isinstance(input.type, RDDType)
        super().__init__(
            operands=[input, dims],
            properties={"positions": DenseArrayBase.from_list(i64, list(positions))},
            result_types=[RDDType([IndexType()] * len(positions), input.type.values)],
        )

    def verify_(self) -> None:
        """Check the positions, the dimensions and the result."""
        type = rdd_type(self.input)
        positions = self.positions.get_values()
        verify_positions([p for p in positions if p != -1], len(type.keys), "key position")
        verify_dims(self.dims, len(positions), "positions of the key")
        verify_same(self.result.type, [IndexType()] * len(positions), type.values.data)


@irdl_op_definition
class ReplicateOp(IRDLOperation):
    """Copies each tile to all keys that begin with its own, where it is.

    Behind its coordinates they have one for each of the given dimensions.

    ```mlir
    %n = "test.op"() : () -> index
    %v = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
    %w = spark.replicate %v dims(%n)
        : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index, index], [tensor<?xf64>]>
    ```
    """

    name = "spark.replicate"
    input = operand_def(RDDType)
    dims = var_operand_def(IndexType)
    result = result_def(RDDType)
    traits = traits_def(Pure())
    assembly_format = "$input `dims` `(` $dims `)` attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, dims: Sequence[SSAValue]):
        assert isinstance(input.type, RDDType)
        keys = [*input.type.keys, *[IndexType()] * len(dims)]
        super().__init__(operands=[input, dims], result_types=[RDDType(keys, input.type.values)])

    def verify_(self) -> None:
        """Check the result."""
        type = rdd_type(self.input)
        keys = [*type.keys, *[IndexType()] * len(self.dims)]
        verify_same(self.result.type, keys, type.values.data)


@irdl_op_definition
class RouteOp(IRDLOperation):
    """Sends each row to the tile that holds the index in `columns`; rows outside are dropped.

    With `keep` rows outside are not dropped but sent to the first tile. Rows `folded` with a
    monoid have one element after their index; those with equal indices may become one row
    before they move.

    ```mlir
    %n = "test.op"() : () -> index
    %rows = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<f64, index>]>
    %routed = spark.route %rows[1] dims(%n) : !spark.rdd<[], [!comprehension.bag<f64, index>]>
        -> !spark.rdd<[index], [!comprehension.bag<f64, index>]>
    %terms = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<index, f64>]>
    %sums = spark.route %terms[0] dims(%n) folded "add"
        : !spark.rdd<[], [!comprehension.bag<index, f64>]>
        -> !spark.rdd<[index], [!comprehension.bag<index, f64>]>
    ```
    """

    name = "spark.route"
    input = operand_def(RDDType)
    dims = var_operand_def(IndexType)
    columns = prop_def(DenseArrayBase.constr(i64))
    monoid = opt_prop_def(StringAttr)
    keep = opt_prop_def(UnitAttr)
    result = result_def(RDDType)
    assembly_format = (
        "$input `` $columns `dims` `(` $dims `)` (`folded` $monoid^)? (`keep` $keep^)? attr-dict"
        " `:` type($input) `->` type($result)"
    )

    def __init__(
        self,
        input: SSAValue,
        dims: Sequence[SSAValue],
        columns: Sequence[int],
        monoid: str | None = None,
        *,
        keep: bool = False,
    ):
        assert isinstance(input.type, RDDType)
        super().__init__(
            operands=[input, dims],
            properties={
                "columns": DenseArrayBase.from_list(i64, list(columns)),
                "monoid": StringAttr(monoid) if monoid is not None else None,
                "keep": UnitAttr() if keep else None,
            },
            result_types=[RDDType([IndexType()] * len(columns), input.type.values)],
        )

    def verify_(self) -> None:
        """Check the columns, the dimensions and the result."""
        columns = row_columns(self.input)
        positions = self.columns.get_values()
        verify_positions(positions, len(columns), "column")
        verify_index_columns([columns[position] for position in positions])
        verify_dims(self.dims, len(positions), "columns")
        if self.monoid is not None:
            if list(positions) != list(range(len(columns) - 1)):
                raise VerifyException("folded rows must be an index and one element")
            verify_monoid(self.monoid.data, columns[-1], self)
            if self.keep is not None:
                raise VerifyException("rows outside of an array are not folded")
        keys = [IndexType()] * len(positions)
        verify_same(self.result.type, keys, rdd_type(self.input).values.data)


@irdl_op_definition
class HashRowsOp(IRDLOperation):
    """Sends each row to the bucket that its `columns` hash to (bucket 0 if there are none).

    ```mlir
    %rows = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<i64, f64>]>
    %buckets = spark.hash_rows %rows[0] : !spark.rdd<[], [!comprehension.bag<i64, f64>]>
        -> !spark.rdd<[index], [!comprehension.bag<i64, f64>]>
    ```
    """

    name = "spark.hash_rows"
    input = operand_def(RDDType)
    columns = prop_def(DenseArrayBase.constr(i64))
    result = result_def(RDDType)
    assembly_format = "$input `` $columns attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, columns: Sequence[int]):
        assert isinstance(input.type, RDDType)
        super().__init__(
            operands=[input],
            properties={"columns": DenseArrayBase.from_list(i64, list(columns))},
            result_types=[RDDType([IndexType()], input.type.values)],
        )

    def verify_(self) -> None:
        """Check the columns and the result."""
        verify_positions(self.columns.get_values(), len(row_columns(self.input)), "column")
        verify_same(self.result.type, [IndexType()], rdd_type(self.input).values.data)


@irdl_op_definition
class CogroupOp(IRDLOperation):
    """Brings the records of all inputs with equal keys together, one group per input's value.

    Tiles meet where the `grid` of the array with the given dimensions deals them out to; without
    one the keys are numbers of buckets. The inputs may be `zipped` if each has one tile for each
    key: where their tiles lie alike nothing moves.

    ```mlir
    %n = "test.op"() : () -> index
    %a, %b = "test.op"()
        : () -> (!spark.rdd<[index], [tensor<?xf64>]>, !spark.rdd<[index], [tensor<?xi64>]>)
    %both = spark.cogroup %a, %b grid(%n) zipped
        : !spark.rdd<[index], [tensor<?xf64>]>, !spark.rdd<[index], [tensor<?xi64>]>
        -> !spark.rdd<[index], [!spark.group<tensor<?xf64>>, !spark.group<tensor<?xi64>>]>
    ```

    Of two hashed bags that are joined one of those in `sent` may be sent whole to the rows of the
    other instead, if it turns out to be short: the driver has its rows, `left` or `right`.

    ```mlir
    %l, %m, %M = "test.op"() : () -> (!spark.rdd<[index], [!comprehension.bag<i64>]>,
                                      !spark.rdd<[index], [!comprehension.bag<i64>]>,
                                      !comprehension.bag<i64>)
    %pairs = spark.cogroup %l, %m sent [1] right(%M : !comprehension.bag<i64>)
        : !spark.rdd<[index], [!comprehension.bag<i64>]>,
          !spark.rdd<[index], [!comprehension.bag<i64>]>
        -> !spark.rdd<[index], [!spark.group<!comprehension.bag<i64>>,
                                !spark.group<!comprehension.bag<i64>>]>
    ```
    """

    name = "spark.cogroup"
    inputs = var_operand_def(RDDType)
    grid = var_operand_def(IndexType)
    left = opt_operand_def(BagType)
    right = opt_operand_def(BagType)
    sent = opt_prop_def(DenseArrayBase.constr(i64))
    zipped = opt_prop_def(UnitAttr)
    result = result_def(RDDType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$inputs (`grid` `(` $grid^ `)`)? (`zipped` $zipped^)? (`sent` $sent^)?"
        " (`left` `(` $left^ `:` type($left) `)`)? (`right` `(` $right^ `:` type($right) `)`)?"
        " attr-dict `:` type($inputs) `->` type($result)"
    )

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        sent: Sequence[int] = (),
        rows: tuple[SSAValue | None, SSAValue | None] = (None, None),
        grid: Sequence[SSAValue] = (),
    ):
        types = [i.type for i in inputs]
        keys: ArrayAttr[Attribute] = ArrayAttr([])
        groups: list[Attribute] = []
        for type in types:
            assert isinstance(type, RDDType)
            keys = type.keys
            groups += [GroupType(value) for value in type.values]
        super().__init__(
            operands=[inputs, grid, *rows],
            properties={"sent": DenseArrayBase.from_list(i64, sent) if sent else None},
            result_types=[RDDType(keys, groups)],
        )

    def verify_(self) -> None:
        """Check that the keys agree, and the groups."""
        sent = () if self.sent is None else self.sent.get_values()
        if sent and (len(self.inputs) != 2 or not set(sent) <= {0, 1}):
            raise VerifyException("one of two inputs may be sent, 0 or 1")
        if not sent and (self.left is not None or self.right is not None):
            raise VerifyException("the rows of an input matter where one may be sent")
        types = [rdd_type(input) for input in self.inputs]
        if not types:
            raise VerifyException("expected at least one RDD to group")
        if any(type.keys != types[0].keys for type in types):
            raise VerifyException(f"the RDDs must have equal keys, got {listed(types)}")
        if self.grid or len(types[0].keys) > 1:
            verify_dims(self.grid, len(types[0].keys), "coordinates of the key")
        if self.zipped is not None and not self.grid:
            raise VerifyException("tiles of a grid can be zipped, and no others")
        groups = [GroupType(value) for type in types for value in type.values]
        verify_same(self.result.type, types[0].keys.data, groups)

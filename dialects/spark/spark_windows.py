"""The `spark` ops that cut tiles up: for the borders of neighbours, and for tables.

`diablo.dialects.spark` exports them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from diablo.dialects.access_maps import linear_index
from diablo.dialects.encodings import local_type
from diablo.dialects.spark.spark_types import RDDType, rdd_type, verify_dims, verify_same


@irdl_op_definition
class WindowOp(IRDLOperation):
    """The part of an array that each tile of an iteration space reads, as one dense tile.

    The space has the extents `over`. At its point p, axis a of the array is read from
    `map(p)[a] + lows[a]` to `map(p)[a] + highs[a]`; a tile's window is the box of all that its
    points read, cut to the array, whose dimensions are `dims`. A window is empty where a tile
    reads nothing of the array. Only what another tile reads of a tile travels: its borders, the
    *halo* of the other. The padding of the array is not stored: kernels read zeros there.

    With `around`, the axes that it names wrap around at `periods`: the window is not cut along
    them, what lies before the first element is the last, and so on. Where it would hold a
    whole turn, it holds the axis's elements once, from the first.

    ```mlir
    %n, %before, %after = "test.op"() : () -> (index, index, index)
    %v = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
    %w = spark.window %v dims(%n) over(%n) affine_map<(d0) -> (d0)> from(%before) to(%after)
        : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
    %a = spark.window %v dims(%n) over(%n) affine_map<(d0) -> (d0)> from(%before) to(%after)
        around [0](%n)
        : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
    ```
    """

    name = "spark.window"
    input = operand_def(RDDType)
    dims = var_operand_def(IndexType)
    over = var_operand_def(IndexType)
    lows = var_operand_def(IndexType)
    highs = var_operand_def(IndexType)
    periods = var_operand_def(IndexType)
    around = opt_prop_def(ArrayAttr[IntegerAttr])
    map = prop_def(AffineMapAttr)
    result = result_def(RDDType)
    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$input `dims` `(` $dims `)` `over` `(` $over `)` $map `from` `(` $lows `)` "
        "`to` `(` $highs `)` (`around` $around^ `(` $periods `)`)? attr-dict "
        "`:` type($input) `->` type($result)"
    )

    def __init__(
        self,
        input: SSAValue,
        dims: Sequence[SSAValue],
        over: Sequence[SSAValue],
        map: AffineMap,
        lows: Sequence[SSAValue],
        highs: Sequence[SSAValue],
        periods: Mapping[int, SSAValue] | None = None,
    ):
        type = input.type
        assert isinstance(type, RDDType)
        (tile,) = type.values
        assert isa(tile, TensorType)
        dense = TensorType(tile.get_element_type(), tile.get_shape())
        super().__init__(
            operands=[input, dims, over, lows, highs, list((periods or {}).values())],
            properties={
                "map": AffineMapAttr(map),
                "around": ArrayAttr([IntegerAttr(axis, i64) for axis in periods])
                if periods
                else None,
            },
            result_types=[RDDType([IndexType()] * len(over), [dense])],
        )

    @property
    def periods_by_axis(self) -> dict[int, SSAValue]:
        """At what the axes that wrap around do so."""
        axes = self.around.data if self.around is not None else ()
        return dict(zip([axis.value.data for axis in axes], self.periods, strict=False))

    def verify_(self) -> None:
        """Check the array's dimensions, the map, the borders and the result."""
        type = rdd_type(self.input)
        if len(type.values) != 1 or not isa(type.values.data[0], TensorType):
            raise VerifyException(f"expected an RDD of tiles, got {type}")
        tile = local_type(type.values.data[0])
        rank = len(type.keys)
        verify_dims(self.dims, rank, "coordinates of the key")
        verify_dims(self.lows, rank, "coordinates of the key")
        verify_dims(self.highs, rank, "coordinates of the key")
        map = self.map.data
        if map.num_dims != len(self.over) or map.num_symbols or len(map.results) != rank:
            raise VerifyException(
                f"expected a map from {len(self.over)} dimensions to {rank} indices, got {map}"
            )
        indices = [linear_index(result) for result in map.results]
        if any(index is None or index.period for index in indices):
            raise VerifyException(f"the map must be linear in the dimensions, got {map}")
        axes = list(self.periods_by_axis)
        if len(axes) != len(self.periods) or any(not 0 <= axis < rank for axis in axes):
            raise VerifyException(
                f"expected a period for each of several axes below {rank}, "
                f"got {len(self.periods)} for the axes {axes}"
            )
        dense = TensorType(tile.get_element_type(), tile.get_shape())
        verify_same(self.result.type, self.over.types, [dense])


@irdl_op_definition
class SplitOp(IRDLOperation):
    """The tiles of whole arrays of the given dimensions, each record of the input being one.

    ```mlir
    %n = "test.op"() : () -> index
    %tables = "test.op"() : () -> !spark.rdd<[], [tensor<?xi64>]>
    %parts = spark.split %tables dims(%n)
        : !spark.rdd<[], [tensor<?xi64>]> -> !spark.rdd<[index], [tensor<?xi64>]>
    ```
    """

    name = "spark.split"
    input = operand_def(RDDType)
    dims = var_operand_def(IndexType)
    result = result_def(RDDType)
    assembly_format = "$input `dims` `(` $dims `)` attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, dims: Sequence[SSAValue]):
        assert isinstance(input.type, RDDType)
        super().__init__(
            operands=[input, dims],
            result_types=[RDDType([IndexType()] * len(dims), input.type.values)],
        )

    def verify_(self) -> None:
        """Check that there are whole arrays, and the result."""
        type = rdd_type(self.input)
        if type.keys.data or len(type.values) != 1 or not isa(type.values.data[0], TensorType):
            raise VerifyException(f"expected an RDD of arrays without keys, got {type}")
        rank = type.values.data[0].get_num_dims()
        verify_dims(self.dims, rank, "dimensions of the arrays")
        verify_same(self.result.type, self.dims.types, type.values.data)

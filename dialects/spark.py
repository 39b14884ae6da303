"""The `spark` dialect: RDD operations between tiles.

The driver program is a function of these ops with `scf` control flow; kernels are
`func.func`s over local tensors and bags, named by symbol. A record of a tiled array is
(tile coordinates, tile); a record of rows is one column batch.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    i64,
)
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    param_def,
    prop_def,
    result_def,
    var_operand_def,
)


@irdl_attr_definition
class RDDType(ParametrizedAttribute, TypeAttribute):
    """An RDD of records (key, values): `!spark.rdd<[index, index], [tensor<?x?xf64>]>`."""

    name = "spark.rdd"
    keys: ArrayAttr[Attribute] = param_def()
    values: ArrayAttr[Attribute] = param_def()

    def __init__(
        self,
        keys: Sequence[Attribute] | ArrayAttr[Attribute],
        values: Sequence[Attribute] | ArrayAttr[Attribute],
    ):
        super().__init__(ArrayAttr(keys), ArrayAttr(values))


@irdl_attr_definition
class GroupType(ParametrizedAttribute, TypeAttribute):
    """What a key's records of one input become in a cogroup: `!spark.group<tensor<?xf64>>`."""

    name = "spark.group"
    element: Attribute = param_def()


@irdl_attr_definition
class BroadcastType(ParametrizedAttribute, TypeAttribute):
    """A value that every worker holds: `!spark.broadcast<tensor<?xf64>>`."""

    name = "spark.broadcast"
    value: Attribute = param_def()


@irdl_op_definition
class ParallelizeOp(IRDLOperation):
    """Distributes driver data: a tensor as its tiles, a bag as column batches."""

    name = "spark.parallelize"
    input = operand_def()
    result = result_def(RDDType)

    def __init__(self, input: SSAValue, result_type: RDDType):
        super().__init__(operands=[input], result_types=[result_type])


@irdl_op_definition
class RangeOp(IRDLOperation):
    """Distributes the integers `lower`, `lower + step`, … up to and including `upper` as rows."""

    name = "spark.range"
    lower = operand_def(IndexType)
    upper = operand_def(IndexType)
    step = opt_prop_def(IntegerAttr)
    result = result_def(RDDType)

    def __init__(self, lower: SSAValue, upper: SSAValue, step: int, result_type: RDDType):
        super().__init__(
            operands=[lower, upper],
            properties={"step": IntegerAttr(step, i64) if step != 1 else None},
            result_types=[result_type],
        )


@irdl_op_definition
class TilesOp(IRDLOperation):
    """The coordinates of all tiles of an array with the given dimensions, as keys."""

    name = "spark.tiles"
    dims = var_operand_def(IndexType)
    result = result_def(RDDType)

    def __init__(self, dims: Sequence[SSAValue]):
        super().__init__(
            operands=[dims], result_types=[RDDType([IndexType()] * len(dims), [])]
        )


@irdl_op_definition
class MapOp(IRDLOperation):
    """Runs a kernel on every record; the key stays.

    The kernel is called with, for each key dimension, the tile's origin, then for each the
    tile's extent (both from `dims`), then the record's values, then the captures. Rows have
    no key, so their kernel gets the batch and the captures. With `to_keys`, the result's key
    is the given positions of the old one (a partial result on its way to `reduce_by_key`);
    if there are none, the result's records have no key.

    Captures may be broadcasts. The first of them are cut to the tile, as `crops` says for
    each: it maps the key dimensions to the dimensions of the broadcast array.
    """

    name = "spark.map"
    kernel = prop_def(SymbolRefAttr)
    input = operand_def(RDDType)
    dims = var_operand_def(IndexType)
    captures = var_operand_def()
    to_keys = opt_prop_def(DenseArrayBase)
    crops = opt_prop_def(ArrayAttr[AffineMapAttr])
    result = result_def(RDDType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        kernel: str,
        input: SSAValue,
        dims: Sequence[SSAValue],
        captures: Sequence[SSAValue],
        result_type: RDDType,
        to_keys: Sequence[int] | None = None,
        crops: Sequence[AffineMap] = (),
    ):
        super().__init__(
            operands=[input, dims, captures],
            properties={
                "kernel": SymbolRefAttr(kernel),
                "to_keys": None
                if to_keys is None
                else DenseArrayBase.from_list(i64, list(to_keys)),
                "crops": ArrayAttr([AffineMapAttr(m) for m in crops]) if crops else None,
            },
            result_types=[result_type],
        )


@irdl_op_definition
class CropOp(IRDLOperation):
    """The tiles that begin inside the given dimensions, where an array is read only in part."""

    name = "spark.crop"
    input = operand_def(RDDType)
    dims = var_operand_def(IndexType)
    result = result_def(RDDType)

    def __init__(self, input: SSAValue, dims: Sequence[SSAValue]):
        super().__init__(operands=[input, dims], result_types=[input.type])


@irdl_op_definition
class RekeyOp(IRDLOperation):
    """Sends each tile to the keys that need it.

    `positions[p]` is the coordinate of the tile that becomes position p of the key, or -1
    where the tile is copied to every tile along dimension p, whose size is `dims[p]`.
    """

    name = "spark.rekey"
    input = operand_def(RDDType)
    dims = var_operand_def(IndexType)
    positions = prop_def(DenseArrayBase)
    result = result_def(RDDType)

    def __init__(self, input: SSAValue, dims: Sequence[SSAValue], positions: Sequence[int]):
        assert isinstance(input.type, RDDType)
        super().__init__(
            operands=[input, dims],
            properties={"positions": DenseArrayBase.from_list(i64, list(positions))},
            result_types=[RDDType([IndexType()] * len(positions), input.type.values)],
        )


@irdl_op_definition
class RouteOp(IRDLOperation):
    """Sends each row to the tile that holds the index in `columns`; rows outside are dropped."""

    name = "spark.route"
    input = operand_def(RDDType)
    dims = var_operand_def(IndexType)
    columns = prop_def(DenseArrayBase)
    result = result_def(RDDType)

    def __init__(self, input: SSAValue, dims: Sequence[SSAValue], columns: Sequence[int]):
        assert isinstance(input.type, RDDType)
        super().__init__(
            operands=[input, dims],
            properties={"columns": DenseArrayBase.from_list(i64, list(columns))},
            result_types=[RDDType([IndexType()] * len(columns), input.type.values)],
        )


@irdl_op_definition
class HashRowsOp(IRDLOperation):
    """Sends each row to the bucket that its `columns` hash to (bucket 0 if there are none)."""

    name = "spark.hash_rows"
    input = operand_def(RDDType)
    columns = prop_def(DenseArrayBase)
    result = result_def(RDDType)

    def __init__(self, input: SSAValue, columns: Sequence[int]):
        assert isinstance(input.type, RDDType)
        super().__init__(
            operands=[input],
            properties={"columns": DenseArrayBase.from_list(i64, list(columns))},
            result_types=[RDDType([IndexType()], input.type.values)],
        )


@irdl_op_definition
class CogroupOp(IRDLOperation):
    """Brings the records of all inputs with equal keys together, one group per input."""

    name = "spark.cogroup"
    inputs = var_operand_def(RDDType)
    result = result_def(RDDType)

    def __init__(self, inputs: Sequence[SSAValue]):
        types = [i.type for i in inputs]
        keys: ArrayAttr[Attribute] = ArrayAttr([])
        groups: list[Attribute] = []
        for type in types:
            assert isinstance(type, RDDType)
            keys = type.keys
            groups += [GroupType(value) for value in type.values]
        super().__init__(operands=[inputs], result_types=[RDDType(keys, groups)])


@irdl_op_definition
class MapGroupsOp(IRDLOperation):
    """Runs a kernel on every key of a cogroup.

    A group of rows is concatenated to one bag. Groups of tiles are matched: the kernel runs
    on each choice of one tile per group whose coordinates agree under `maps` (iteration
    space to tile coordinates, the key being its leading dimensions), and the results of a key
    are combined with `monoid`. (An array has all its tiles, a sparse one too: empty tiles are
    small, and without them an elementwise op on a sparse array would need a shuffle.) The kernel
    is called with origins and extents of the iteration dimensions (from `dims`), then
    one value per group, then the captures. `to_keys` and `crops` are as in `spark.map`.
    """

    name = "spark.map_groups"
    kernel = prop_def(SymbolRefAttr)
    input = operand_def(RDDType)
    dims = var_operand_def(IndexType)
    captures = var_operand_def()
    maps = prop_def(ArrayAttr[AffineMapAttr])
    monoid = opt_prop_def(StringAttr)
    to_keys = opt_prop_def(DenseArrayBase)
    crops = opt_prop_def(ArrayAttr[AffineMapAttr])
    result = result_def(RDDType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        kernel: str,
        input: SSAValue,
        dims: Sequence[SSAValue],
        captures: Sequence[SSAValue],
        maps: Sequence[AffineMap],
        result_type: RDDType,
        monoid: str | None = None,
        to_keys: Sequence[int] | None = None,
        crops: Sequence[AffineMap] = (),
    ):
        super().__init__(
            operands=[input, dims, captures],
            properties={
                "kernel": SymbolRefAttr(kernel),
                "maps": ArrayAttr([AffineMapAttr(m) for m in maps]),
                "monoid": StringAttr(monoid) if monoid else None,
                "to_keys": None
                if to_keys is None
                else DenseArrayBase.from_list(i64, list(to_keys)),
                "crops": ArrayAttr([AffineMapAttr(m) for m in crops]) if crops else None,
            },
            result_types=[result_type],
        )


@irdl_op_definition
class ReduceByKeyOp(IRDLOperation):
    """Combines the tiles (or scalars) of each key elementwise with a monoid."""

    name = "spark.reduce_by_key"
    monoid = prop_def(StringAttr)
    input = operand_def(RDDType)
    result = result_def(RDDType)

    def __init__(self, monoid: str, input: SSAValue):
        super().__init__(
            operands=[input],
            properties={"monoid": StringAttr(monoid)},
            result_types=[input.type],
        )


@irdl_op_definition
class FoldOp(IRDLOperation):
    """Folds the scalars of all records to one on the driver."""

    name = "spark.fold"
    monoid = prop_def(StringAttr)
    input = operand_def(RDDType)
    result = result_def()

    def __init__(self, monoid: str, input: SSAValue):
        assert isinstance(input.type, RDDType)
        super().__init__(
            operands=[input],
            properties={"monoid": StringAttr(monoid)},
            result_types=[input.type.values.data[0]],
        )


@irdl_op_definition
class BroadcastOp(IRDLOperation):
    """Sends the whole of an array to every worker: a local one, or the collected tiles."""

    name = "spark.broadcast"
    input = operand_def()
    dims = var_operand_def(IndexType)
    result = result_def(BroadcastType)

    def __init__(self, input: SSAValue, dims: Sequence[SSAValue]):
        value = input.type.values.data[0] if isinstance(input.type, RDDType) else input.type
        super().__init__(operands=[input, dims], result_types=[BroadcastType(value)])


@irdl_op_definition
class PersistOp(IRDLOperation):
    """Keeps an RDD that is used more than once."""

    name = "spark.persist"
    input = operand_def(RDDType)
    result = result_def(RDDType)

    def __init__(self, input: SSAValue):
        super().__init__(operands=[input], result_types=[input.type])


@irdl_op_definition
class CollectOp(IRDLOperation):
    """An RDD as the array or bag that it stands for, as a result of the program."""

    name = "spark.collect"
    input = operand_def(RDDType)
    dims = var_operand_def(IndexType)
    result = result_def()

    def __init__(self, input: SSAValue, dims: Sequence[SSAValue], result_type: Attribute):
        super().__init__(operands=[input, dims], result_types=[result_type])


Spark = Dialect(
    "spark",
    [
        ParallelizeOp,
        RangeOp,
        TilesOp,
        MapOp,
        CropOp,
        RekeyOp,
        RouteOp,
        HashRowsOp,
        CogroupOp,
        MapGroupsOp,
        ReduceByKeyOp,
        FoldOp,
        BroadcastOp,
        PersistOp,
        CollectOp,
    ],
    [RDDType, GroupType, BroadcastType],
)

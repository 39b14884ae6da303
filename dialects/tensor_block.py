"""The `tensor_block` dialect: whole-array algebra over blocked tensors and column bags.

Arrays are builtin tensors with an encoding. `#tensor_block.tiles` marks an array that is
distributed in tiles, `#tensor_block.storage` a local sparse one; a tensor without encoding
is local and dense. The same ops work on both: on tiled tensors they are the program, on
local tensors they are the kernel of one tile.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntAttr,
    IntegerAttr,
    NoneAttr,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute, Region, SSAValue
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
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsTerminator, Pure

from diablo.dialects.comprehension import BagType


@irdl_attr_definition
class TilesAttr(ParametrizedAttribute):
    """Encoding of a distributed tensor: the leading `dense` dimensions are stored densely."""

    name = "tensor_block.tiles"
    dense: IntAttr = param_def()
    block: ArrayAttr[IntAttr] = param_def()

    def __init__(self, dense: int | IntAttr, block: Sequence[int] | ArrayAttr[IntAttr] = ()):
        super().__init__(
            IntAttr(dense) if isinstance(dense, int) else dense,
            block
            if isinstance(block, ArrayAttr)
            else ArrayAttr([IntAttr(extent) for extent in block]),
        )


@irdl_attr_definition
class StorageAttr(ParametrizedAttribute):
    """Encoding of a local sparse tensor: the leading `dense` dimensions are stored densely."""

    name = "tensor_block.storage"
    dense: IntAttr = param_def()

    def __init__(self, dense: int | IntAttr):
        super().__init__(IntAttr(dense) if isinstance(dense, int) else dense)


def is_tiled(type: Attribute) -> bool:
    """Whether `type` is a tensor distributed in tiles."""
    return isinstance(type, TensorType) and isinstance(type.encoding, TilesAttr)


def dense_rank(type: TensorType[Attribute]) -> int:
    """How many leading dimensions are stored densely."""
    encoding = type.encoding
    if isinstance(encoding, TilesAttr | StorageAttr):
        return encoding.dense.data
    return type.get_num_dims()


def is_sparse(type: Attribute) -> bool:
    """Whether `type` is a tensor with at least one sparse dimension."""
    return isinstance(type, TensorType) and dense_rank(type) < type.get_num_dims()


def local_type(type: TensorType[Attribute]) -> TensorType[Attribute]:
    """The type of one tile of `type`: shape unknown, storage kept."""
    rank = type.get_num_dims()
    dense = dense_rank(type)
    return TensorType(
        type.get_element_type(), [-1] * rank, StorageAttr(dense) if dense < rank else NoneAttr()
    )


def tiled_type(type: TensorType[Attribute]) -> TensorType[Attribute]:
    """The distributed tensor type with the shape and storage of `type`."""
    return TensorType(type.get_element_type(), type.get_shape(), TilesAttr(dense_rank(type)))


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends the body of a `tensor_block` op with the values it computes."""

    name = "tensor_block.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator())

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


class IterationOp(IRDLOperation):
    """What the ops over an iteration space share.

    The iteration space has one dimension per operand in `extents`, from 0 to the extent. The
    first `parallel` dimensions are the result's, in order; the others are reduced. Input k is
    read at `maps[k]`, which picks iteration dimensions (`affine_map<(d0, d1, d2) -> (d0, d2)>`).
    The body's arguments are the indices of the point, one per dimension, then one element per
    input; it yields the value of the point. `offsets`, if any, are added to the indices that
    the body sees (a tile's origin). A sparse input is read with its implicit value.
    """


@irdl_op_definition
class GenerateOp(IterationOp):
    """A tensor whose elements are computed from their indices."""

    name = "tensor_block.generate"
    extents = var_operand_def(IndexType)
    offsets = var_operand_def(IndexType)
    body = region_def("single_block")
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        extents: Sequence[SSAValue],
        body: Region,
        result_type: Attribute,
        offsets: Sequence[SSAValue] = (),
    ):
        super().__init__(operands=[extents, offsets], regions=[body], result_types=[result_type])


@irdl_op_definition
class MapOp(IterationOp):
    """Elementwise: every dimension is parallel. Transposes and broadcasts through `maps`."""

    name = "tensor_block.map"
    inputs = var_operand_def(TensorType)
    extents = var_operand_def(IndexType)
    offsets = var_operand_def(IndexType)
    maps = prop_def(ArrayAttr[AffineMapAttr])
    body = region_def("single_block")
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        extents: Sequence[SSAValue],
        maps: Sequence[AffineMap],
        body: Region,
        result_type: Attribute,
        offsets: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[inputs, extents, offsets],
            properties={"maps": ArrayAttr([AffineMapAttr(m) for m in maps])},
            regions=[body],
            result_types=[result_type],
        )


class ReducingOp(IterationOp):
    """An iteration op whose trailing dimensions are folded with a monoid.

    With `parallel = 0` the result is a scalar.
    """

    monoid = prop_def(StringAttr)
    parallel = prop_def(IntegerAttr)
    inputs = var_operand_def(TensorType)
    extents = var_operand_def(IndexType)
    offsets = var_operand_def(IndexType)
    maps = prop_def(ArrayAttr[AffineMapAttr])
    body = region_def("single_block")
    result = result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        monoid: str,
        inputs: Sequence[SSAValue],
        extents: Sequence[SSAValue],
        parallel: int,
        maps: Sequence[AffineMap],
        body: Region,
        result_type: Attribute,
        offsets: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[inputs, extents, offsets],
            properties={
                "monoid": StringAttr(monoid),
                "parallel": IntegerAttr(parallel, i64),
                "maps": ArrayAttr([AffineMapAttr(m) for m in maps]),
            },
            regions=[body],
            result_types=[result_type],
        )


@irdl_op_definition
class ContractOp(ReducingOp):
    """Two inputs joined on shared dimensions; every reduced dimension is read by both.

    It is a BLAS call (or a sparse product) when the monoid is `add` and the body multiplies
    its two elements.
    """

    name = "tensor_block.contract"
    traits = traits_def(Pure())


@irdl_op_definition
class ReduceOp(ReducingOp):
    """The general reduction: any number of inputs."""

    name = "tensor_block.reduce"
    traits = traits_def(Pure())


@irdl_op_definition
class ToBagOp(IRDLOperation):
    """The stored entries of a tensor as rows (index…, element); all entries if it is dense.

    `offsets`, if any, are added to the indices (a tile's origin).
    """

    name = "tensor_block.to_bag"
    input = operand_def(TensorType)
    offsets = var_operand_def(IndexType)
    result = result_def(BagType)
    traits = traits_def(Pure())

    def __init__(self, input: SSAValue, offsets: Sequence[SSAValue] = ()):
        assert isinstance(input.type, TensorType)
        rank = input.type.get_num_dims()
        super().__init__(
            operands=[input, offsets],
            result_types=[BagType([*[IndexType()] * rank, input.type.get_element_type()])],
        )


@irdl_op_definition
class RangeOp(IRDLOperation):
    """The one-column bag `lower`, `lower + step`, … up to and including `upper`."""

    name = "tensor_block.range"
    lower = operand_def(IndexType)
    upper = operand_def(IndexType)
    step = opt_prop_def(IntegerAttr)
    result = result_def(BagType)
    traits = traits_def(Pure())

    def __init__(self, lower: SSAValue, upper: SSAValue, step: int = 1):
        super().__init__(
            operands=[lower, upper],
            properties={"step": IntegerAttr(step, i64) if step != 1 else None},
            result_types=[BagType([IndexType()])],
        )


@irdl_op_definition
class FromBagOp(IRDLOperation):
    """A tensor from rows (index…, element): the bag's first rank columns are the indices.

    Rows outside the dimensions are dropped. Rows with equal indices are combined with
    `monoid`, or one of them is kept if there is none. `dest`, if any, is the tensor that is
    updated; otherwise an index without a row has the implicit value (with a monoid and a
    dense result as well). `offsets`, if any, are subtracted from the indices (a tile's
    origin).
    """

    name = "tensor_block.from_bag"
    bag = operand_def(BagType)
    extents = var_operand_def(IndexType)
    offsets = var_operand_def(IndexType)
    dest = var_operand_def(TensorType)
    monoid = opt_prop_def(StringAttr)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

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


@irdl_op_definition
class FilterOp(IRDLOperation):
    """The rows for which the body (arguments: the columns) yields true."""

    name = "tensor_block.filter"
    bag = operand_def(BagType)
    body = region_def("single_block")
    result = result_def(BagType)
    traits = traits_def(Pure())

    def __init__(self, bag: SSAValue, body: Region):
        super().__init__(operands=[bag], regions=[body], result_types=[bag.type])


@irdl_op_definition
class ExtendOp(IRDLOperation):
    """Appends the columns that the body (arguments: the columns) yields for each row."""

    name = "tensor_block.extend"
    bag = operand_def(BagType)
    body = region_def("single_block")
    result = result_def(BagType)
    traits = traits_def(Pure())

    def __init__(self, bag: SSAValue, body: Region):
        assert isinstance(bag.type, BagType)
        yielded = body.block.last_op
        assert isinstance(yielded, YieldOp)
        super().__init__(
            operands=[bag],
            regions=[body],
            result_types=[BagType([*bag.type.columns, *[v.type for v in yielded.values]])],
        )


@irdl_op_definition
class ProjectOp(IRDLOperation):
    """The given columns of a bag, in the given order."""

    name = "tensor_block.project"
    bag = operand_def(BagType)
    columns = prop_def(DenseArrayBase)
    result = result_def(BagType)
    traits = traits_def(Pure())

    def __init__(self, bag: SSAValue, columns: Sequence[int]):
        assert isinstance(bag.type, BagType)
        super().__init__(
            operands=[bag],
            properties={"columns": DenseArrayBase.from_list(i64, list(columns))},
            result_types=[BagType([bag.type.columns.data[c] for c in columns])],
        )


@irdl_op_definition
class LookupOp(IRDLOperation):
    """Appends to each row the element of `array` at the index in `columns`.

    Rows whose index lies outside `array` are dropped; where a sparse array stores nothing,
    the row gets its implicit value, or is dropped if `stored` is set. `offsets`, if any, are
    subtracted from the indices (the origin of the tile `array`).
    """

    name = "tensor_block.lookup"
    bag = operand_def(BagType)
    array = operand_def(TensorType)
    offsets = var_operand_def(IndexType)
    columns = prop_def(DenseArrayBase)
    stored = opt_prop_def(IntegerAttr)
    result = result_def(BagType)
    traits = traits_def(Pure())

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
        assert isinstance(array.type, TensorType)
        super().__init__(
            operands=[bag, array, offsets],
            properties={
                "columns": DenseArrayBase.from_list(i64, list(columns)),
                "stored": IntegerAttr(1, 1) if stored else None,
            },
            result_types=[BagType([*bag.type.columns, array.type.get_element_type()])],
        )


@irdl_op_definition
class JoinOp(IRDLOperation):
    """The pairs of rows that agree on the key columns (all pairs if there are none).

    A row of the result has the columns of the left row, then all of the right row.
    """

    name = "tensor_block.join"
    left = operand_def(BagType)
    right = operand_def(BagType)
    left_keys = prop_def(DenseArrayBase)
    right_keys = prop_def(DenseArrayBase)
    result = result_def(BagType)
    traits = traits_def(Pure())

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


@irdl_op_definition
class GroupReduceOp(IRDLOperation):
    """Groups rows by their first `keys` columns; folds each other column with its monoid."""

    name = "tensor_block.group_reduce"
    bag = operand_def(BagType)
    keys = prop_def(IntegerAttr)
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


@irdl_op_definition
class FoldOp(IRDLOperation):
    """Folds a one-column bag to a scalar with a monoid."""

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


TensorBlock = Dialect(
    "tensor_block",
    [
        YieldOp,
        GenerateOp,
        MapOp,
        ContractOp,
        ReduceOp,
        ToBagOp,
        RangeOp,
        FromBagOp,
        FilterOp,
        ExtendOp,
        ProjectOp,
        LookupOp,
        JoinOp,
        GroupReduceOp,
        FoldOp,
    ],
    [TilesAttr, StorageAttr],
)

"""The operations of the `spark` dialect as PySpark method calls.

%1 = spark.rekey %A (%n, %m) [0, -1]     =>    A.flatMap(rekey((0, -1), (n, m), block_size))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseArrayBase,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerType,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.utils.hints import isa

from diablo.dialects import monoids, spark, tensor_block
from diablo.dialects.comprehension import BagType
from diablo.lowering.numpy.scalars import place_of, quoted
from diablo.lowering.pyspark.lines import Chain
from diablo.lowering.pyspark.scalars import constant_text

_ELEMENTS: dict[type[Attribute], tuple[str, str, str]] = {
    # The name in the IR, NumPy's type, NumPy's short name.
    Float64Type: ("f64", "np.float64", "f8"),
    Float32Type: ("f32", "np.float32", "f4"),
}


def element_names(type: Attribute) -> tuple[str, str, str]:
    """The names of an element type: the IR's, NumPy's, and NumPy's short one."""
    if type == i1:
        return "i1", "np.bool_", "?"
    if isinstance(type, IntegerType | IndexType):
        return "i64", "np.int64", "i8"
    return _ELEMENTS[type.__class__]


def tuple_text(items: Sequence[str | int]) -> str:
    """A Python tuple."""
    return f"({', '.join(map(str, items))}{',' if len(items) == 1 else ''})"


def array_of(type: Attribute) -> TensorType[Attribute]:
    """`type`, which is a tensor's."""
    assert isa(type, TensorType[Attribute])
    return type


def dense_rank_argument(type: TensorType[Attribute]) -> str:
    """The argument that tells a sparse array's dense dimensions, with its comma."""
    rank = tensor_block.dense_rank(type)
    return f", dense_rank={rank}" if rank < type.get_num_dims() else ""


class Writer(Protocol):
    """What an operation needs to know to be written."""

    def scalar(self, value: SSAValue) -> str:
        """The text of a scalar, or the name of a local array or a broadcast."""
        ...

    def chain(self, value: SSAValue) -> Chain:
        """The expression for an RDD."""
        ...

    def is_keyed_by_rekey(self, value: SSAValue) -> bool:
        """Whether the tiles of an RDD carry their own coordinates."""
        ...


def _dims(writer: Writer, dims: Sequence[SSAValue]) -> str:
    return tuple_text([writer.scalar(d) for d in dims])


def _numbers(attribute: DenseArrayBase[Any]) -> str:
    return tuple_text([str(n) for n in attribute.get_values()])


def _positions(attribute: AffineMapAttr) -> list[int]:
    return [e.position for e in attribute.data.results if isinstance(e, AffineDimExpr)]


def _options(op: spark.MapOp | spark.MapGroupsOp) -> list[str]:
    options: list[str] = []
    if op.crops is not None:
        crops = [tuple_text(_positions(map)) for map in op.crops]
        options.append(f"crops=[{', '.join(crops)}]")
    if op.to_keys is not None:
        options.append(f"to_keys={_numbers(op.to_keys)}")
    return options


def _map_link(call: str, op: spark.MapOp | spark.MapGroupsOp) -> str:
    keeps = op.to_keys is None and bool(op.dims)
    return f".map({call}{', preservesPartitioning=True' if keeps else ''})"


def _parallelize(writer: Writer, op: spark.ParallelizeOp) -> Chain:
    source = writer.scalar(op.input)
    if isinstance(op.input.type, BagType):
        return Chain(f"distribute_rows(sc, {source}, block_size)")
    extra = dense_rank_argument(array_of(op.input.type))
    return Chain(f"distribute(sc, {source}, block_size{extra})")


def _range(writer: Writer, op: spark.RangeOp) -> Chain:
    step = op.step.value.data if op.step is not None else 1
    bounds = f"{writer.scalar(op.lower)}, {writer.scalar(op.upper)}, {step}"
    return Chain(f"index_rows(sc, {bounds}, block_size)")


def _tiles(writer: Writer, op: spark.TilesOp) -> Chain:
    return Chain(f"tiles(sc, {_dims(writer, op.dims)}, block_size)")


def _map(writer: Writer, op: spark.MapOp) -> Chain:
    captures = [writer.scalar(value) for value in op.captures]
    kernel = op.kernel.string_value()
    if not op.dims:
        call = f"on_rows({', '.join([kernel, *captures])})"
    else:
        place = [_dims(writer, op.dims), "block_size"]
        call = f"on_tiles({', '.join([kernel, *place, *captures, *_options(op)])})"
    return writer.chain(op.input).then(_map_link(call, op))


def _map_groups(writer: Writer, op: spark.MapGroupsOp) -> Chain:
    captures = [writer.scalar(value) for value in op.captures]
    groups = _groups(writer, op)
    arguments = [op.kernel.string_value(), f"[{', '.join(groups)}]"]
    if op.dims:
        arguments += [_dims(writer, op.dims), "block_size"]
    elif captures:
        arguments += ["()", "None"]
    arguments += captures
    if op.monoid is not None:
        arguments.append(f'monoid="{op.monoid.data}"')
    call = f"on_groups({', '.join([*arguments, *_options(op)])})"
    return writer.chain(op.input).then(_map_link(call, op))


def _groups(writer: Writer, op: spark.MapGroupsOp) -> list[str]:
    """What each input of the cogroup holds, for `on_groups`."""
    cogroup = op.input.owner
    assert isinstance(cogroup, spark.CogroupOp)
    maps = iter(op.maps)
    groups: list[str] = []
    for value in cogroup.inputs:
        assert isinstance(value.type, spark.RDDType)
        if not value.type.values.data:
            groups.append("keys")
            continue
        picked = _positions(next(maps))
        held = value.type.values.data[0]
        if isinstance(held, BagType):
            dtypes = [f'"{element_names(column)[2]}"' for column in held.columns]
            groups.append(f"batch({', '.join(dtypes)})")
        elif writer.is_keyed_by_rekey(value):
            groups.append(f"moved({', '.join(map(str, picked))})")
        else:
            groups.append("here")
    return groups


def _crop(writer: Writer, op: spark.CropOp) -> Chain:
    return writer.chain(op.input).then(f".filter(inside({_dims(writer, op.dims)}, block_size))")


def _rekey(writer: Writer, op: spark.RekeyOp) -> Chain:
    call = f"rekey({_numbers(op.positions)}, {_dims(writer, op.dims)}, block_size)"
    return writer.chain(op.input).then(f".flatMap({call})")


def _route(writer: Writer, op: spark.RouteOp) -> Chain:
    fold = f', fold="{op.monoid.data}"' if op.monoid is not None else ""
    call = f"route({_numbers(op.columns)}, {_dims(writer, op.dims)}, block_size{fold})"
    return writer.chain(op.input).then(f".flatMap({call})")


def _hash_rows(writer: Writer, op: spark.HashRowsOp) -> Chain:
    columns = _numbers(op.columns)
    return writer.chain(op.input).then(f".flatMap(hash_rows({columns}, partitions))")


def _cogroup(writer: Writer, op: spark.CogroupOp) -> Chain:
    inputs = [writer.chain(value).text for value in op.inputs]
    return Chain(f"cogroup({', '.join(['partitions', *inputs])})")


def _reduce_by_key(writer: Writer, op: spark.ReduceByKeyOp) -> Chain:
    return writer.chain(op.input).then(f'.reduceByKey(combine("{op.monoid.data}"), partitions)')


def _extract(writer: Writer, op: spark.ExtractOp) -> Chain:
    index = tuple_text([writer.scalar(i) for i in op.indices])
    arguments = [writer.chain(op.input).text, index, _dims(writer, op.dims), "block_size"]
    return Chain(f"element({', '.join([*arguments, quoted(place_of(op))])})")


def _fold(writer: Writer, op: spark.FoldOp) -> Chain:
    """The fold's text; its value is a Python integer, a Boolean or a NumPy float."""
    identity = monoids.identity(op.monoid.data, op.result.type)
    text = constant_text(identity)
    if isinstance(identity, FloatAttr):
        text = f"np.float64({text})" if text != "0.0" else text
    return writer.chain(op.input).then(f'.fold({text}, combine("{op.monoid.data}"))')


def _broadcast(writer: Writer, op: spark.BroadcastOp) -> Chain:
    if not isinstance(op.input.type, spark.RDDType):
        return Chain(f"sc.broadcast({writer.scalar(op.input)})")
    return Chain(f"sc.broadcast({gather_text(writer, op.input, op.dims)})")


def gather_text(writer: Writer, rdd: SSAValue, dims: Sequence[SSAValue]) -> str:
    """The whole of an RDD on the driver."""
    assert isinstance(rdd.type, spark.RDDType)
    value = rdd.type.values.data[0]
    source = writer.chain(rdd).text
    if isinstance(value, BagType):
        dtypes = [f'"{element_names(column)[2]}"' for column in value.columns]
        return f"gather_rows({', '.join([source, *dtypes])})"
    array = array_of(value)
    dtype = element_names(array.get_element_type())[1]
    extra = dense_rank_argument(array)
    return f"gather({source}, {_dims(writer, dims)}, block_size, {dtype}{extra})"


def result_text(writer: Writer, op: spark.CollectOp, name: str | None) -> str:
    """A result of the program, which its caller may leave where it is."""
    source = writer.chain(op.input).text
    label = f', name="{name}"' if name else ""
    type = op.result.type
    if isinstance(type, BagType):
        dtypes = [f'"{element_names(column)[2]}"' for column in type.columns]
        return f"Rows({source}, {tuple_text(dtypes)}{label})"
    array = array_of(type)
    dtype = element_names(array.get_element_type())[1]
    dense = tensor_block.dense_rank(array)
    dims = _dims(writer, op.dims)
    return f"DistributedArray({source}, {dims}, {dense}, {dtype}, block_size{label})"


_Write = Callable[[Writer, Any], Chain]

OPERATIONS: dict[type[Operation], _Write] = {
    spark.ParallelizeOp: _parallelize,
    spark.RangeOp: _range,
    spark.TilesOp: _tiles,
    spark.MapOp: _map,
    spark.MapGroupsOp: _map_groups,
    spark.CropOp: _crop,
    spark.RekeyOp: _rekey,
    spark.RouteOp: _route,
    spark.HashRowsOp: _hash_rows,
    spark.CogroupOp: _cogroup,
    spark.ReduceByKeyOp: _reduce_by_key,
    spark.ExtractOp: _extract,
    spark.FoldOp: _fold,
    spark.BroadcastOp: _broadcast,
}
"""How each operation is written; `persist` and `collect` depend on where they stand."""

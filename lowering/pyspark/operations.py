"""The operations of the `spark` dialect as PySpark method calls.

%1 = spark.rekey %A (%n, %m) [0, -1]     =>    A.flatMap(rekey((0, -1), (n, m), block_size))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
)
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable

from diablo.dialects import monoids, spark, tensor_block
from diablo.dialects.access_maps import linear_indices, picked_dimensions
from diablo.dialects.comprehension import BagType
from diablo.lowering.kernel_types import type_code
from diablo.lowering.numpy.expressions import dtype_of, numbers_text, place_of, tuple_text
from diablo.lowering.numpy.numpy_monoids import monoid_text
from diablo.lowering.numpy.numpy_values import kept_text, keys_text
from diablo.lowering.numpy.windowed_rows import window_arguments
from diablo.lowering.pyspark.collecting import (
    Writer,
    array_of,
    dense_rank_argument,
    dims_text,
    gather_text,
    grid_text,
    is_released,
)
from diablo.lowering.pyspark.pyspark_lines import Chain
from diablo.lowering.pyspark.pyspark_scalars import constant_text
from diablo.lowering.python_text import string_literal, symbol_name
from diablo.passes.analyses.plans.rows_for_driver import are_only_for_driver


def _options(op: spark.MapOp | spark.MapGroupsOp) -> list[str]:
    options: list[str] = []
    if op.crops is not None:
        crops = [
            tuple_text([str(p) for p in picked_dimensions(map.data) or ()]) for map in op.crops
        ]
        options.append(f"crops=[{', '.join(crops)}]")
    if op.to_keys is not None:
        options.append(f"to_keys={numbers_text(op.to_keys)}")
    return options


def _kernel(op: spark.MapOp | spark.MapGroupsOp) -> str:
    """The kernel, counted if it may make many rows that are not asked for."""
    name = symbol_name(op.kernel.string_value())
    kernel = SymbolTable.lookup_symbol(op, op.kernel)
    bounded = kernel is not None and any(
        isinstance(inner, tensor_block.JoinOp | tensor_block.ExpandOp)
        and inner.at_most is not None
        and place_of(inner)
        for inner in kernel.walk()
    )
    return f"counted({name})" if bounded else name


def _map_link(call: str, op: spark.MapOp | spark.MapGroupsOp) -> str:
    keeps = op.to_keys is None and bool(op.dims)
    return f".map({call}{', preservesPartitioning=True' if keeps else ''})"


def _place(writer: Writer, op: _Cut) -> str:
    """The dimensions of an op's arrays, and the edge of their tiles."""
    return f"{dims_text(writer, op.dims)}, {writer.block_size(op)}"


_Cut = (
    spark.TilesOp
    | spark.MapOp
    | spark.MapGroupsOp
    | spark.CropOp
    | spark.StripsOp
    | spark.ScanOp
    | spark.SliceOp
    | spark.RekeyOp
    | spark.ReplicateOp
    | spark.InterleaveOp
    | spark.RouteOp
    | spark.ExtractOp
    | spark.ProbeOp
)


def _parallelize(writer: Writer, op: spark.ParallelizeOp) -> Chain:
    source = writer.scalar(op.input)
    if isinstance(op.input.type, BagType):
        size = "None" if op.whole is not None else writer.block_size(op)
        stay = ", may_stay=True" if op.whole is None and are_only_for_driver(op) else ""
        return Chain(f"distribute_rows(sc, {source}, {size}{stay})")
    extra = dense_rank_argument(array_of(op.input.type))
    if op.layout is not None:
        extra += f", layout={string_literal(op.layout.text)}"
    return Chain(f"distribute(sc, {source}, {writer.block_size(op)}{extra})")


def _with_layout(writer: Writer, op: spark.WithLayoutOp) -> Chain:
    """A distributed array; arrays of the driver are in `local_arrays`."""
    return writer.chain(op.input).then(f".mapValues(laid_out({string_literal(op.layout.text)}))")


def _range(writer: Writer, op: spark.RangeOp) -> Chain:
    step = op.step.value.data if op.step is not None else 1
    bounds = f"{writer.scalar(op.lower)}, {writer.scalar(op.upper)}, {step}"
    return Chain(f"index_rows(sc, {bounds}, {writer.block_size(op)})")


def _tiles(writer: Writer, op: spark.TilesOp) -> Chain:
    return Chain(f"tiles(sc, {_place(writer, op)})")


def _map(writer: Writer, op: spark.MapOp) -> Chain:
    captures = [writer.scalar(value) for value in op.captures]
    kernel = _kernel(op)
    if not op.dims:
        call = f"on_rows({', '.join([kernel, *captures])})"
    else:
        place = [_place(writer, op)]
        call = f"on_tiles({', '.join([kernel, *place, *captures, *_options(op)])})"
    return writer.chain(op.input).then(_map_link(call, op))


def _map_groups(writer: Writer, op: spark.MapGroupsOp) -> Chain:
    captures = [writer.scalar(value) for value in op.captures]
    groups = _groups(writer, op)
    arguments = [_kernel(op), f"[{', '.join(groups)}]"]
    if op.dims:
        arguments += [_place(writer, op)]
    elif captures:
        arguments += ["()", "None"]
    arguments += captures
    if op.monoid is not None:
        arguments.append(f"monoid={monoid_text(op.monoid.data)}")
    call = f"on_groups({', '.join([*arguments, *_options(op)])})"
    return writer.chain(op.input).then(_map_link(call, op))


def _groups(writer: Writer, op: spark.MapGroupsOp) -> list[str]:
    """Return what each input of the cogroup holds, for `on_groups`."""
    cogroup = op.input.owner
    assert isinstance(cogroup, spark.CogroupOp)
    maps = iter(op.indexing_maps)
    groups: list[str] = []
    for value in cogroup.inputs:
        assert isinstance(value.type, spark.RDDType)
        if not value.type.values.data:
            groups.append("keys")
            continue
        picked = picked_dimensions(next(maps).data) or []
        held = value.type.values.data[0]
        if isinstance(held, BagType):
            groups.append(f"batch({', '.join(map(type_code, held.columns))})")
        elif writer.is_keyed_by_rekey(value):
            groups.append(f"moved({', '.join(map(str, picked))})")
        else:
            groups.append("here")
    return groups


def _crop(writer: Writer, op: spark.CropOp) -> Chain:
    arguments = [writer.chain(op.input).text, _place(writer, op)]
    return Chain(f"tiles_inside({', '.join(arguments)})")


def index_text(writer: Writer, op: spark.SliceOp, rank: int) -> str:
    """The index in each dimension of an array, with `None` for those that a slice has."""
    fixed = op.fixed
    return tuple_text([writer.scalar(fixed[d]) if d in fixed else "None" for d in range(rank)])


def _slice(writer: Writer, op: spark.SliceOp) -> Chain:
    index = index_text(writer, op, len(op.dims))
    return writer.chain(op.input).then(f".flatMap(slices({index}, {_place(writer, op)}))")


def scan_arguments(op: spark.ScanOp) -> list[str]:
    """Return how an array is scanned: the monoid, and the dimension."""
    return [monoid_text(op.monoid.data), str(op.dimension.value.data)]


def scan_options(op: spark.ScanOp) -> list[str]:
    """Return from where an array is scanned, if that is not its beginning."""
    return [] if op.reverse is None else ["reverse=True"]


def _strips(writer: Writer, op: spark.StripsOp) -> Chain:
    axis = str(op.axis.value.data)
    if not isinstance(op.input.type, spark.RDDType):
        return Chain(f"strips(sc, {writer.scalar(op.input)}, {axis}, {writer.block_size(op)})")
    dtype = dtype_of(array_of(op.result.type.values.data[0]).get_element_type())
    arguments = [writer.chain(op.input).text, axis, _place(writer, op), dtype]
    return Chain(f"tiles_to_strips({', '.join(arguments)})")


def _collect_strips(writer: Writer, op: spark.CollectStripsOp) -> Chain:
    ways = [
        str(way)
        if isinstance(way, int)
        else tuple_text([monoid_text(way), dims_text(writer, dims)])
        for way, dims in op.parts_folded()
    ]
    return Chain(f"gather_strips({', '.join([writer.chain(op.input).text, *ways])})")


def _scan(writer: Writer, op: spark.ScanOp) -> Chain:
    place = [_place(writer, op), *scan_options(op)]
    arguments = [writer.chain(op.input).text, *scan_arguments(op), *place]
    return Chain(f"scan_tiles({', '.join(arguments)})")


def _rekey(writer: Writer, op: spark.RekeyOp) -> Chain:
    call = f"rekey({numbers_text(op.positions)}, {_place(writer, op)})"
    return writer.chain(op.input).then(f".flatMap({call})")


def _replicate(writer: Writer, op: spark.ReplicateOp) -> Chain:
    call = f"replicate({_place(writer, op)})"
    return writer.chain(op.input).then(f".flatMap({call})")


def _window(writer: Writer, op: spark.WindowOp) -> Chain:
    over = range(len(op.over))
    factors = tuple_text(
        [tuple_text([str(i.factor(d)) for d in over]) for i in linear_indices(op.map.data)]
    )
    places = [dims_text(writer, values) for values in (op.lows, op.highs, op.dims, op.over)]
    assert isinstance(op.result.type, spark.RDDType)
    dtype = dtype_of(array_of(op.result.type.values.data[0]).get_element_type())
    cut = [writer.block_size(op), "partitions"]
    arguments = [writer.chain(op.input).text, factors, *places, *cut, dtype]
    periods = op.periods_by_axis
    if periods:
        around = [
            writer.scalar(periods[axis]) if axis in periods else "None"
            for axis in range(len(op.lows))
        ]
        arguments.append(tuple_text(around))
    return Chain(f"window({', '.join(arguments)})")


def _split(writer: Writer, op: spark.SplitOp) -> Chain:
    return writer.chain(op.input).then(f".flatMap(parts({writer.block_size(op)}))")


def _interleave(writer: Writer, op: spark.InterleaveOp) -> Chain:
    place = [numbers_text(op.factors), _place(writer, op), "partitions"]
    return Chain(f"interleave({', '.join([writer.chain(op.input).text, *place])})")


def _route(writer: Writer, op: spark.RouteOp) -> Chain:
    arguments = [numbers_text(op.columns), _place(writer, op)]
    if op.monoid is not None:
        arguments.append(f"fold={monoid_text(op.monoid.data)}")
    if op.keep is not None:
        arguments.append("keep=True")
    call = f"route({', '.join(arguments)})"
    return writer.chain(op.input).then(f".flatMap({call})")


def _hash_rows(writer: Writer, op: spark.HashRowsOp) -> Chain:
    columns = numbers_text(op.columns)
    return writer.chain(op.input).then(f".flatMap(hash_rows({columns}, partitions))")


def _cogroup(writer: Writer, op: spark.CogroupOp) -> Chain:
    # What a variable holds is hashed already, and what it was made of may be there no longer.
    hashed = all(
        isinstance(value.owner, spark.HashRowsOp) and not writer.chain(value).is_variable
        for value in op.inputs
    )
    # In a loop what is sent in one iteration would stay for all others.
    if op.sent is not None and hashed and isinstance(op.parent_op(), func.FuncOp):
        return _join_groups(writer, op, op.sent)
    inputs = [writer.chain(value).text for value in op.inputs]
    place = grid_text(writer, op) if op.grid else "partitions"
    name = "cogroup" if op.zipped is None else "zip_tiles"
    return Chain(f"{name}({', '.join([place, *inputs])})")


def _join_groups(writer: Writer, op: spark.CogroupOp, sent: DenseArrayBase[Any]) -> Chain:
    """The groups of two sides, one of which is sent whole if it is short."""
    texts = ["partitions"]
    for value, rows in zip(op.inputs, (op.left, op.right), strict=True):
        hashed = value.owner
        assert isinstance(hashed, spark.HashRowsOp)
        known = "None" if rows is None else writer.scalar(rows)
        side = [writer.chain(hashed.input).text, numbers_text(hashed.columns), known]
        texts.append(tuple_text(side))
    if len(sent) == 1:
        texts.append(f"sent={numbers_text(sent)}")
    return Chain(f"join_groups({', '.join(texts)})")


def _collect_groups(writer: Writer, op: spark.CollectGroupsOp) -> Chain:
    rows = op.input.type
    assert isinstance(rows, spark.RDDType)
    codes = [
        tuple_text([type_code(column) for column in bag.columns])
        for bag in (rows.values.data[0], op.result.type)
        if isinstance(bag, BagType)
    ]
    kernel = symbol_name(op.kernel.string_value())
    captures = [writer.scalar(value) for value in op.captures]
    arguments = [writer.chain(op.input).text, kernel, numbers_text(op.columns), "partitions"]
    return Chain(f"gather_groups({', '.join([*arguments, *codes, *captures])})")


def _reduce_by_key(writer: Writer, op: spark.ReduceByKeyOp) -> Chain:
    monoid = monoid_text(op.monoid.data)
    place = grid_text(writer, op)
    return writer.chain(op.input).then(f".reduceByKey(combine({monoid}), *{place})")


def _extract(writer: Writer, op: spark.ExtractOp) -> Chain:
    index = tuple_text([writer.scalar(i) for i in op.indices])
    arguments = [writer.chain(op.input).text, index, _place(writer, op)]
    return Chain(f"element({', '.join([*arguments, string_literal(place_of(op))])})")


def _fold(writer: Writer, op: spark.FoldOp) -> Chain:
    """The fold's text; its value is as the workers have it, a NumPy scalar or a string."""
    name = op.monoid.data
    begun = _identity(name, op.result.type)
    return Chain(f"fold_records({writer.chain(op.input).text}, {begun}, {monoid_text(name)})")


def _fold_all(writer: Writer, op: spark.FoldAllOp) -> Chain:
    """The text of several folds; each value is as the workers have it."""
    names = [monoid.data for monoid in op.monoids]
    begun = tuple_text([_identity(*pair) for pair in zip(names, op.folded.types, strict=True)])
    each = ", ".join(map(monoid_text, names))
    return Chain(f"fold_records({writer.chain(op.input).text}, {begun}, {each})")


def _identity(name: str, type: Attribute) -> str:
    """The text of what a fold begins with."""
    if monoids.is_user_defined(name):
        return f"{monoid_text(name)}.zero"
    identity = monoids.identity(name, type)
    text = constant_text(identity)
    return f"np.float64({text})" if isinstance(identity, FloatAttr) and text != "0.0" else text


def _number(writer: Writer, op: spark.NumberOp) -> Chain:
    return writer.chain(op.input).then(".mapPartitionsWithIndex(number_rows)")


def _sort(writer: Writer, op: spark.SortOp) -> Chain:
    arguments = [writer.chain(op.input).text, keys_text(op.by)]
    if op.limit is not None:
        arguments.append(f"limit={writer.scalar(op.limit)}")
    if op.columns is not None:
        arguments.append(f"to={kept_text(op)}")
    return Chain(f"sort_rows({', '.join(arguments)})")


def _window_rows(writer: Writer, op: spark.WindowRowsOp) -> Chain:
    arguments = [writer.chain(op.input).text, *window_arguments(op, writer.scalar)]
    return Chain(f"window_rows({', '.join(arguments)})")


def _union(writer: Writer, op: spark.UnionOp) -> Chain:
    return writer.chain(op.left).then(f".union({writer.chain(op.right).text})")


def probe_text(writer: Writer, op: spark.ProbeOp) -> str:
    """The values for a key, and whether it is there."""
    source, key = writer.chain(op.input).text, tuple_text([writer.scalar(k) for k in op.keys])
    codes = [type_code(value.type) for value in op.values]
    if op.dims:
        return f"probe_element({source}, {key}, {_place(writer, op)}, {codes[0]})"
    return f"probe_map({', '.join([source, key, *codes])})"


def _broadcast(writer: Writer, op: spark.BroadcastOp) -> Chain:
    if isinstance(op.input.type, spark.RDDType):
        value = gather_text(writer, op)
    else:
        value = writer.scalar(op.input)
    # A loop keeps what is not let go of in its iteration.
    within = f"{writer.loops[-1]}." if writer.loops and not is_released(op) else ""
    return Chain(f"{within}broadcast(sc, {value})")


_Write = Callable[[Writer, Any], Chain]

OPERATIONS: dict[type[Operation], _Write] = {
    spark.ParallelizeOp: _parallelize,
    spark.RangeOp: _range,
    spark.TilesOp: _tiles,
    spark.MapOp: _map,
    spark.MapGroupsOp: _map_groups,
    spark.CropOp: _crop,
    spark.ScanOp: _scan,
    spark.SliceOp: _slice,
    spark.RekeyOp: _rekey,
    spark.ReplicateOp: _replicate,
    spark.WindowOp: _window,
    spark.SplitOp: _split,
    spark.InterleaveOp: _interleave,
    spark.RouteOp: _route,
    spark.HashRowsOp: _hash_rows,
    spark.CogroupOp: _cogroup,
    spark.ReduceByKeyOp: _reduce_by_key,
    spark.CollectGroupsOp: _collect_groups,
    spark.CollectStripsOp: _collect_strips,
    spark.StripsOp: _strips,
    spark.ExtractOp: _extract,
    spark.FoldOp: _fold,
    spark.FoldAllOp: _fold_all,
    spark.NumberOp: _number,
    spark.SortOp: _sort,
    spark.WindowRowsOp: _window_rows,
    spark.UnionOp: _union,
    spark.BroadcastOp: _broadcast,
    spark.WithLayoutOp: _with_layout,
}
"""How each operation is written; `persist` and `collect` depend on where they stand."""

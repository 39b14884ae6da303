"""Turn the ops of kernels into loops whose bodies emit rows, or elements of arrays.

Reads the `tensor_block` level on local values; writes `multiloop`. Each op becomes a loop over its
rows, with one generator: filter, extend, project, expand, lookup and join collect,
folds reduce, and groups are buckets, of folds or of lists; what a join finds by a key is a loop in
the one over the left side. `fuse-multiloops` makes one loop of those that follow one
another.

    %big = tensor_block.filter %rows : bag<f64> {     %big = multiloop.loop rows(%rows : bag<f64>)
    ^bb0(%x: f64):                                        -> bag<f64> {
      %keep = arith.cmpf ogt, %x, %one : f64          ^bb0(%x: f64, %all: !multiloop.collect<f64>):
      tensor_block.yield %keep : i1            ==>      %keep = arith.cmpf ogt, %x, %one : f64
    }                                                   scf.if %keep {
                                                          multiloop.emit %all(%x : f64) } }

Where vectors are scanned, the ops over their points are loops as well, which make vectors:

    %s = tensor_block.scan add %x along 0     %sum, %s = multiloop.loop range(%zero, %n : …) -> … {
                                              ^bb0(%i: index, %so_far: !multiloop.scan<add : f64>,
                                         ==>       %all: !multiloop.place<f64>):
                                                %a = tensor.extract %x[%i]
                                                %b = multiloop.emit %so_far(%a : f64)
                                                multiloop.emit %all[%i : index](%b : f64) }

The ops of a kernel over dense arrays become loops over points (loops_over_points.py):

    %y = tensor_block.map parallel(d0 < %n)       %y = multiloop.loop points(d0 < %n)
        ins(%x[d0 - 1] : …) -> tensor<?xf64> {        ins(%x[d0 - 1] : …) -> tensor<?xf64> {
    ^bb0(%i: index, %a: f64):                ==>  ^bb0(%i: index, %a: f64,
      tensor_block.yield %a : f64                      %all: !multiloop.place<f64>):
    }                                               multiloop.emit %all[%i : index](%a : f64) }

What is done with the list of a row is a loop over its rows in the one over the rows that have it.

Sparse arrays and what is kept by its place stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, StringAttr, UnitAttr, i1, i64
from xdsl.ir import Attribute, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.bags import BagType, bag_columns
from diablo.dialects.encodings import array_type, as_array, is_sparse, is_tiled
from diablo.dialects.monoids import PLACE, NumberAttr, zero_of
from diablo.dialects.multiloop import (
    BucketCollectType,
    BucketReduceType,
    CollectType,
    EmitOp,
    GeneratorType,
    LoopOp,
    PlaceType,
    ReduceType,
    ScanType,
)
from diablo.dialects.number_constants import constant_op
from diablo.dialects.range_steps import step_of
from diablo.dialects.string_functions import StringType
from diablo.lowering.kernel_types import has_generators, is_number
from diablo.lowering.llvm.kernel_loops import check_convertible, tensor_ops
from diablo.lowering.llvm.tuple_parts import part_types
from diablo.lowering.loops_over_points import put_loops_over_points
from diablo.lowering.multiloop.loop_writer import Arguments, LoopWriter
from diablo.passes.analyses.loops.one_loop import is_pointwise, is_scanned_along
from diablo.passes.analyses.refused import Refused


def _columns(bag: SSAValue, names: Sequence[str | None] = ()) -> list[tuple[Attribute, str | None]]:
    """The columns of a bag, with the names that a body has for them."""
    columns = bag_columns(bag)
    return list(zip(columns, [*names, *[None] * len(columns)], strict=False))


def _named(bag: SSAValue, body: Region) -> list[tuple[Attribute, str | None]]:
    return _columns(bag, [argument.name_hint for argument in body.block.args])


def _collect(bag: SSAValue) -> CollectType:
    return CollectType(bag_columns(bag))


def _filter(writer: LoopWriter, op: tensor_block.FilterOp) -> LoopOp:
    """Emit a row under the condition."""

    def body(inner: LoopWriter, row: Arguments, all: Arguments) -> None:
        (keep,) = inner.inline(op.body, row)
        inner.branch(keep, lambda then: then.put(EmitOp(all[0], row)))

    return writer.loop("rows", [op.bag], _named(op.bag, op.body), body, _collect(op.result))


def _extend(writer: LoopWriter, op: tensor_block.ExtendOp) -> LoopOp:
    """Emit a row with what is computed of it."""

    def body(inner: LoopWriter, row: Arguments, all: Arguments) -> None:
        whole = [*row, *inner.inline(op.body, row)]
        taken = op.taken
        inner.put(EmitOp(all[0], whole if taken is None else [whole[c] for c in taken]))

    return writer.loop("rows", [op.bag], _named(op.bag, op.body), body, _collect(op.result))


def _project(writer: LoopWriter, op: tensor_block.ProjectOp) -> LoopOp:
    """Emit some columns of a row."""

    def body(inner: LoopWriter, row: Arguments, all: Arguments) -> None:
        inner.put(EmitOp(all[0], [row[int(c)] for c in op.columns.get_values()]))

    return writer.loop("rows", [op.bag], _columns(op.bag), body, _collect(op.result))


def _expand(writer: LoopWriter, op: tensor_block.ExpandOp) -> LoopOp:
    """Emit a row for each index of its range."""
    step = step_of(op)

    def body(inner: LoopWriter, row: Arguments, all: Arguments) -> None:
        lower, upper = inner.inline(op.body, row)

        def emit(each: LoopWriter, number: Arguments, _: Arguments) -> None:
            each.put(EmitOp(all[0], [*row, _index_at(each, lower, number[0], step)]))

        bounds = [inner.index(0), _count(inner, lower, upper, step)]
        inner.loop("range", bounds, [(IndexType(), None)], emit)

    return writer.loop("rows", [op.bag], _named(op.bag, op.body), body, _collect(op.result))


def _range(writer: LoopWriter, op: tensor_block.RangeOp) -> LoopOp:
    """Emit the integers of a range."""
    step = step_of(op)

    def body(inner: LoopWriter, row: Arguments, all: Arguments) -> None:
        inner.put(EmitOp(all[0], [_index_at(inner, op.lower, row[0], step)]))

    bounds = [writer.index(0), _count(writer, op.lower, op.upper, step)]
    return writer.loop("range", bounds, [(IndexType(), None)], body, _collect(op.result))


def _count(writer: LoopWriter, lower: SSAValue, upper: SSAValue, step: int) -> SSAValue:
    """Return how many integers there are from `lower` to `upper`, both included."""
    first, last = (lower, upper) if step > 0 else (upper, lower)
    between = writer.add(arith.SubiOp(last, first))
    some = writer.add(arith.AddiOp(between, writer.index(abs(step))))
    count = writer.add(arith.MaxSIOp(some, writer.index(0)))
    return count if abs(step) == 1 else writer.add(arith.DivSIOp(count, writer.index(abs(step))))


def _index_at(writer: LoopWriter, lower: SSAValue, number: SSAValue, step: int) -> SSAValue:
    """The integer of a range with a number, from 0 on."""
    along = number if step == 1 else writer.add(arith.MuliOp(number, writer.index(step)))
    return writer.add(arith.AddiOp(lower, along), "index")


def _to_bag(writer: LoopWriter, op: tensor_block.ToBagOp) -> LoopOp | None:
    """Emit the elements of a dense array with their indices: a loop for each dimension."""
    type = array_type(op.input)
    rank = type.get_num_dims()
    if not _is_local_and_dense(type) or rank == 0:
        return None

    def nest(outer: LoopWriter, indices: Sequence[SSAValue], generator: SSAValue) -> None:
        if len(indices) == rank:
            element = outer.add(tensor.ExtractOp(op.input, indices, type.get_element_type()))
            places = list(indices)
            if op.offsets:
                places = [
                    outer.add(arith.AddiOp(index, offset))
                    for index, offset in zip(indices, op.offsets, strict=True)
                ]
            outer.put(EmitOp(generator, [*places, element]))
            return

        def body(inner: LoopWriter, number: Arguments, _: Arguments) -> None:
            nest(inner, [*indices, number[0]], generator)

        outer.loop("range", dimension(outer, len(indices)), [(IndexType(), None)], body)

    def dimension(outer: LoopWriter, axis: int) -> list[SSAValue]:
        number = outer.index(axis)
        return [outer.index(0), outer.add(tensor.DimOp(op.input, number))]

    def first(inner: LoopWriter, row: Arguments, all: Arguments) -> None:
        nest(inner, list(row), all[0])

    bounds = dimension(writer, 0)
    return writer.loop("range", bounds, [(IndexType(), None)], first, _collect(op.result))


def _lookup(writer: LoopWriter, op: tensor_block.LookupOp) -> LoopOp | None:
    """Emit a row with the element of an array at its index, where that lies inside."""
    type = array_type(op.array)
    if not _is_local_and_dense(type):
        return None
    element = type.get_element_type()
    if not is_number(element):
        return None

    def body(inner: LoopWriter, row: Arguments, all: Arguments) -> None:
        indices = [_index(inner, row[int(c)]) for c in op.columns.get_values()]
        if op.offsets:
            indices = [
                inner.add(arith.SubiOp(index, offset))
                for index, offset in zip(indices, op.offsets, strict=True)
            ]
        inside = _lies_inside(inner, op.array, indices)
        if op.probe is None:

            def emit(then: LoopWriter) -> None:
                found = then.add(tensor.ExtractOp(op.array, indices, element))
                then.put(EmitOp(all[0], [*row, found]))

            inner.branch(inside, emit)
            return
        then, otherwise = inner.inner(), inner.inner()
        then.put(scf.YieldOp(then.add(tensor.ExtractOp(op.array, indices, element))))
        otherwise.put(scf.YieldOp(otherwise.add(constant_op(zero_of(element)))))
        regions = Region(then.block), Region(otherwise.block)
        found = inner.add(scf.IfOp(inside, [element], *regions))
        inner.put(EmitOp(all[0], [*row, found, inside]))

    return writer.loop("rows", [op.bag], _columns(op.bag), body, _collect(op.result))


def _index(writer: LoopWriter, column: SSAValue) -> SSAValue:
    if isinstance(column.type, IndexType):
        return column
    return writer.add(arith.IndexCastOp(column, IndexType()))


def _lies_inside(writer: LoopWriter, array: SSAValue, indices: Sequence[SSAValue]) -> SSAValue:
    """Return whether an index is one of an array: none of its parts is negative or too large."""
    inside: SSAValue | None = None
    for axis, index in enumerate(indices):
        extent = writer.add(tensor.DimOp(array, writer.index(axis)))
        # As integers without a sign negative ones are large.
        test = writer.add(arith.CmpiOp(index, extent, "ult"))
        inside = test if inside is None else writer.add(arith.AndIOp(inside, test))
    if inside is None:
        inside = writer.add(arith.ConstantOp(IntegerAttr(1, i1)))
    return inside


def _is_local_and_dense(type: Attribute) -> bool:
    return not is_sparse(type) and not is_tiled(type)


def _join(writer: LoopWriter, op: tensor_block.JoinOp) -> LoopOp | None:
    """Emit each row of the left side with each of the right one that has its key."""
    defaults = None if op.outer is None else _constants(op.outer, bag_columns(op.right))
    if defaults is None and op.outer is not None:
        return None
    keys = [int(column) for column in op.left_keys.get_values()]
    columns = [int(column) for column in op.right_keys.get_values()]
    flag = None if defaults is None else ReduceType("or", i1)

    def body(inner: LoopWriter, row: Arguments, all: Arguments) -> None:
        def emit(each: LoopWriter, other: Arguments, found: Arguments) -> None:
            each.put(EmitOp(all[0], [*row, *other]))
            for generator in found:
                each.put(EmitOp(generator, [each.add(arith.ConstantOp(IntegerAttr(1, i1)))]))

        key, elements = [row[column] for column in keys], _columns(op.right)
        if keys:
            loop = inner.loop("matches", [op.right, *key], elements, emit, flag, columns)
        else:
            loop = inner.loop("rows", [op.right], elements, emit, flag)
        if defaults is not None:
            constants = defaults
            true = inner.add(arith.ConstantOp(IntegerAttr(1, i1)))
            alone = inner.add(arith.XOrIOp(loop.made[0], true), "alone")
            inner.branch(alone, lambda then: _emit_constants(then, all[0], row, constants))

    return writer.loop("rows", [op.left], _columns(op.left), body, _collect(op.result))


def _emit_constants(
    writer: LoopWriter, all: SSAValue, row: Arguments, values: Sequence[NumberAttr | StringAttr]
) -> None:
    constants = [
        writer.add(
            comprehension.StringOp(value.data)
            if isinstance(value, StringAttr)
            else constant_op(value)
        )
        for value in values
    ]
    writer.put(EmitOp(all, [*row, *constants]))


def _constants(
    values: Iterable[Attribute], types: Sequence[Attribute]
) -> list[NumberAttr | StringAttr] | None:
    """The values that columns have where there is no row; None if one is no number or string."""
    found: list[NumberAttr | StringAttr] = []
    for value, type in zip(values, types, strict=True):
        if isinstance(value, NumberAttr):
            found.append(cast("NumberAttr", value))
        elif isinstance(value, UnitAttr) and is_number(type):
            found.append(zero_of(type))
        elif isinstance(value, UnitAttr) and isinstance(type, StringType):
            found.append(StringAttr(""))
        else:
            return None
    return found


def _group_reduce(writer: LoopWriter, op: tensor_block.GroupReduceOp) -> LoopOp | None:
    """Emit a row to the bucket of its key."""
    keys, columns = op.keys.value.data, bag_columns(op.bag)
    monoids = [monoid.data for monoid in op.monoids]
    if keys == 0 or PLACE in monoids:
        return None

    def body(inner: LoopWriter, row: Arguments, all: Arguments) -> None:
        inner.put(EmitOp(all[0], row[keys:], row[:keys]))

    buckets = BucketReduceType(columns[:keys], monoids, columns[keys:])
    return writer.loop("rows", [op.bag], _columns(op.bag), body, buckets)


def _group(writer: LoopWriter, op: tensor_block.GroupOp) -> LoopOp | None:
    """Emit a row to the list of its key."""
    keys, columns = op.keys.value.data, bag_columns(op.bag)
    if keys == 0:
        return None

    def body(inner: LoopWriter, row: Arguments, all: Arguments) -> None:
        inner.put(EmitOp(all[0], row[keys:], row[:keys]))

    bags = bag_columns(op.result)[keys:]
    lists = [list(rows.columns) for rows in bags if isinstance(rows, BagType)]
    buckets = BucketCollectType(columns[:keys], lists)
    return writer.loop("rows", [op.bag], _columns(op.bag), body, buckets)


def _unnest(writer: LoopWriter, op: tensor_block.UnnestOp) -> LoopOp:
    """Emit a row for each row of its list."""
    column = op.column.value.data

    def body(inner: LoopWriter, row: Arguments, all: Arguments) -> None:
        def emit(each: LoopWriter, item: Arguments, _: Arguments) -> None:
            each.put(EmitOp(all[0], [*row, *item]))

        inner.loop("rows", [row[column]], _columns(row[column]), emit)

    return writer.loop("rows", [op.bag], _columns(op.bag), body, _collect(op.result))


def _fold(writer: LoopWriter, op: tensor_block.FoldOp | comprehension.ReduceOp) -> LoopOp:
    """Emit the values of the only column."""

    def body(inner: LoopWriter, row: Arguments, all: Arguments) -> None:
        inner.put(EmitOp(all[0], row))

    reduction = ReduceType(op.monoid, op.result.type)
    return writer.loop("rows", [op.bag], _columns(op.bag), body, reduction)


def _length(writer: LoopWriter, op: comprehension.LengthOp) -> LoopOp | None:
    """Emit one for each row, unless it is a list of a row, whose length is known."""
    if isinstance(op.bag, BlockArgument) and not isinstance(op.bag.block.parent_op(), func.FuncOp):
        return None

    def body(inner: LoopWriter, _: Arguments, all: Arguments) -> None:
        inner.put(EmitOp(all[0], [inner.add(arith.ConstantOp(IntegerAttr(1, i64)), "one")]))

    return writer.loop("rows", [op.bag], _columns(op.bag), body, ReduceType("add", i64))


def _window(writer: LoopWriter, op: tensor_block.WindowOp) -> LoopOp | None:
    """Emit a row with what those up to it are folded to."""
    if not op.is_running:
        return None
    columns = bag_columns(op.bag)
    scans = [
        ScanType(f.monoid, columns[f.column.data]) if f.form.column else ScanType("add", i64)
        for f in op.functions
    ]
    inner = writer.inner([*columns, *scans, CollectType(bag_columns(op.result))])
    row, own = inner.block.args[: len(columns)], inner.block.args[len(columns) : -1]
    given: list[SSAValue] = []
    for function, scan in zip(op.functions, own, strict=True):
        one = None
        if not function.form.column:
            one = inner.add(arith.ConstantOp(IntegerAttr(1, i64)), "one")
        emit = EmitOp(scan, [row[function.column.data] if one is None else one])
        inner.put(emit)
        so_far = emit.so_far
        given.append(so_far if one is None else inner.add(arith.SubiOp(so_far, one), "number"))
    inner.put(EmitOp(inner.block.args[-1], [*row, *given]))
    loop = LoopOp("rows", [op.bag], Region(inner.block))
    writer.put(loop)
    return loop


def _along(
    writer: LoopWriter,
    op: Operation,
    extent: SSAValue,
    generators: Sequence[GeneratorType],
    body: Callable[[LoopWriter, SSAValue, Arguments], None],
) -> LoopOp:
    """Append a loop over the points of a vector, whose last generator makes the result of `op`."""
    inner = writer.inner([IndexType(), *generators])
    index, *own = inner.block.args
    index.name_hint = "i"
    body(inner, index, own)
    # Scans of one kernel go one way, and all else goes with them.
    around = op.parent_block()
    assert around is not None
    reverse = any(isinstance(s, tensor_block.ScanOp) and s.reverse is not None for s in around.ops)
    reverse = reverse or any(isinstance(s, LoopOp) and s.reverse is not None for s in around.ops)
    bounds = [writer.index(0), extent]
    loop = LoopOp("range", bounds, Region(inner.block), reverse=reverse)
    writer.put(loop)
    return loop


def _points(writer: LoopWriter, op: tensor_block.MapOp | tensor_block.ReduceOp) -> LoopOp | None:
    """Emit what is computed at each point, to its place or to a fold."""
    if not is_pointwise(op) or len(op.extents) != 1:
        return None
    type = op.result.type
    generator = (
        ReduceType(op.monoid, type)
        if isinstance(op, tensor_block.ReduceOp)
        else PlaceType(array_type(op.result).get_element_type())
    )
    if isinstance(generator, PlaceType) and not all(map(is_number, part_types(generator.element))):
        return None

    def body(inner: LoopWriter, index: SSAValue, own: Arguments) -> None:
        elements: list[SSAValue] = []
        for value in op.inputs:
            array = as_array(value.type)
            if array is None:
                elements.append(value)
                continue
            place = [index] * array.get_num_dims()
            read = tensor.ExtractOp(value, place, array.get_element_type())
            elements.append(inner.add(read))
        values = inner.inline(op.body, [index, *elements])
        keys = [index] if isinstance(generator, PlaceType) else []
        inner.put(EmitOp(own[0], values, keys))

    return _along(writer, op, op.extents[0], [generator], body)


def _scan(writer: LoopWriter, op: tensor_block.ScanOp) -> LoopOp | None:
    """Emit the elements of a vector, and to its place what those up to each are folded to."""
    if not is_scanned_along(op):
        return None
    element = array_type(op.result).get_element_type()

    def body(inner: LoopWriter, index: SSAValue, own: Arguments) -> None:
        value = inner.add(tensor.ExtractOp(op.array, [index], element))
        emit = EmitOp(own[0], [value])
        inner.put(emit)
        inner.put(EmitOp(own[1], [emit.so_far], [index]))

    (extent,) = op.extents
    return _along(writer, op, extent, [ScanType(op.monoid, element), PlaceType(element)], body)


CONVERSIONS: dict[type[Operation], Callable[[LoopWriter, Any], LoopOp | None]] = {
    tensor_block.FilterOp: _filter,
    tensor_block.ExtendOp: _extend,
    tensor_block.ProjectOp: _project,
    tensor_block.ExpandOp: _expand,
    tensor_block.RangeOp: _range,
    tensor_block.ToBagOp: _to_bag,
    tensor_block.LookupOp: _lookup,
    tensor_block.JoinOp: _join,
    tensor_block.GroupReduceOp: _group_reduce,
    tensor_block.GroupOp: _group,
    tensor_block.UnnestOp: _unnest,
    tensor_block.FoldOp: _fold,
    comprehension.ReduceOp: _fold,
    tensor_block.WindowOp: _window,
    comprehension.LengthOp: _length,
}
"""How each op is written as a loop; `None` says that it is not."""

_OVER_VECTORS: dict[type[Operation], Callable[[LoopWriter, Any], LoopOp | None]] = {
    tensor_block.MapOp: _points,
    tensor_block.ReduceOp: _points,
    tensor_block.ScanOp: _scan,
}
"""How ops over the points of vectors are, where these are scanned."""


def _convert(op: Operation, convert: Callable[[LoopWriter, Any], LoopOp | None]) -> None:
    """Put a loop in the place of an op, if it can be one."""
    writer = LoopWriter(op)
    loop = convert(writer, op)
    if loop is None:
        return
    block = op.parent
    assert block is not None
    for made in list(writer.block.ops):
        made.detach()
        block.insert_op_before(made, op)
    loop.made[-1].name_hint = op.results[0].name_hint
    op.results[0].replace_all_uses_with(loop.made[-1])
    block.erase_op(op)


def _ops_over_vectors(module: ModuleOp) -> set[Operation]:
    """The ops of kernels that scan vectors which are over the points of these."""
    return {
        op
        for inner in module.walk()
        if is_scanned_along(inner) and isinstance(kernel := inner.parent_op(), func.FuncOp)
        for op in kernel.body.block.ops
        if type(op) in _OVER_VECTORS
    }


def _is_over_arrays(function: func.FuncOp) -> bool:
    """Return whether a function is a kernel over dense arrays, of ops that can be loops."""
    if len(function.body.blocks) != 1 or has_generators(function) or not tensor_ops(function):
        return False
    try:
        check_convertible(function)
    except Refused:
        return False
    return True


@dataclass(frozen=True)
class ConvertTensorBlockToMultiloopPass(ModulePass):
    """Turns ops over the rows of local bags and the points of dense arrays into loops that emit."""

    name = "convert-tensor-block-to-multiloop"
    points: bool = False
    """Convert kernels over dense arrays alone."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every op that can be, and leave the others alone."""
        for function in list(op.ops):
            if isinstance(function, func.FuncOp) and _is_over_arrays(function):
                put_loops_over_points(function)
        if self.points:
            return
        over_vectors = _ops_over_vectors(op)
        for inner in reversed(list(op.walk())):
            conversions = _OVER_VECTORS if inner in over_vectors else CONVERSIONS
            if (convert := conversions.get(type(inner))) is not None:
                _convert(inner, convert)

"""Arrays that workers make of what they all have are made where they are read.

    %pq = spark.map @product(%tiles) captures(%P, %Q)
    %1 = spark.cogroup %R, %pq
    %E = spark.map_groups @difference(%1)
  ==>
    %E = spark.map @difference(%R) captures(%P, %Q)       // product, difference

Tiles without contents, of which %pq is made, are nowhere in particular: those of %R have the same
keys, and the kernel of the one runs before that of the other. Nothing is shuffled for %pq.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import spark
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, named, remark
from diablo.passes.analyses.plans.record_kernels import kernel_of


def make_tiles_where_read(module: ModuleOp) -> None:
    """Let kernels over groups make those of their tiles that are made of broadcasts alone."""
    for op in list(module.walk()):
        while isinstance(op, spark.MapGroupsOp) and (number := _made_anywhere(op)) is not None:
            op = _fused(op, number)


def _made_anywhere(op: spark.MapGroupsOp) -> int | None:
    """Return which input of the cogroup, if any, is made of tiles that hold nothing yet."""
    groups = op.input.owner
    if not isinstance(groups, spark.CogroupOp) or not op.input.has_one_use():
        return None
    inputs = list(groups.inputs)
    if op.monoid is not None or len(inputs) < 2 or not all(map(_is_tile_of_key, inputs)):
        return None
    if not op.dims or any(map.data != AffineMap.identity(len(op.dims)) for map in op.indexing_maps):
        return None
    for number, value in enumerate(inputs):
        made = value.owner
        if (
            isinstance(made, spark.MapOp)
            and isinstance(made.input.owner, spark.TilesOp)
            and made.to_keys is None
            and made.parent is op.parent
            and value.has_one_use()
        ):
            return number
    return None


def _is_tile_of_key(value: SSAValue) -> bool:
    """Return whether an RDD has one tile for each key, which is where it lies."""
    if isinstance(value.owner, spark.RekeyOp | spark.RouteOp | spark.HashRowsOp):
        return False
    assert isinstance(value.type, spark.RDDType)
    values = value.type.values.data
    return len(values) == 1 and as_array(values[0]) is not None


def _fused(op: spark.MapGroupsOp, number: int) -> Operation:
    """Put what `op` does behind what makes one of its inputs, and return what does both."""
    groups = op.input.owner
    assert isinstance(groups, spark.CogroupOp)
    made = groups.inputs[number].owner
    assert isinstance(made, spark.MapOp)
    first, last = kernel_of(made), kernel_of(op)
    rank = len(op.dims)
    more = made.dims[rank:]
    order = _capture_order(made, op)
    _merge(first, last, rank, len(more), len(groups.inputs), number, order)
    crops = [
        _of_rank(map.data, rank + len(more)) for map in (*(op.crops or ()), *(made.crops or ()))
    ]
    both = [*made.captures, *op.captures]
    captures = [both[k] for k in order]
    rest = [value for k, value in enumerate(groups.inputs) if k != number]
    dims, kernel = [*op.dims, *more], op.kernel.string_value()
    to_keys = None if op.to_keys is None else [int(k) for k in op.to_keys.get_values()]
    result_type = op.result.type
    assert isinstance(result_type, spark.RDDType)
    new: spark.MapOp | spark.MapGroupsOp
    if len(rest) == 1:
        new = spark.MapOp(kernel, rest[0], dims, captures, result_type, to_keys, crops)
    else:
        group = located(spark.CogroupOp(rest, grid=groups.grid), groups)
        Rewriter.insert_op(group, InsertPoint.before(op))
        maps = [_of_rank(AffineMap.identity(rank), len(dims))] * len(rest)
        new = spark.MapGroupsOp(
            kernel, group.result, dims, captures, maps, result_type, None, to_keys, crops
        )
    remark(made, "this is made in the tiles that it is read with")
    Rewriter.insert_op(located(new, op), InsertPoint.before(op))
    named(new.result, op.result)
    op.result.replace_all_uses_with(new.result)
    for old in (op, groups, made, first):
        Rewriter.erase_op(old)
    return new


def _of_rank(map: AffineMap, rank: int) -> AffineMap:
    """A map that picks dimensions, with others behind them."""
    return AffineMap(rank, 0, map.results)


def _capture_order(made: spark.MapOp, op: spark.MapGroupsOp) -> list[int]:
    """Return the order of the captures of both, those of `made` counted first: crops lead."""
    one, other = len(made.captures), len(op.captures)
    cut, cut_too = len(made.crops or ()), len(op.crops or ())
    return [
        *range(one, one + cut_too),
        *range(cut),
        *range(one + cut_too, one + other),
        *range(cut, one),
    ]


def _merge(
    first: func.FuncOp,
    last: func.FuncOp,
    rank: int,
    more: int,
    inputs: int,
    number: int,
    order: Sequence[int],
) -> None:
    """Let `last` do what `first` does before, instead of being given tile `number`."""
    ahead, behind = first.body.block, last.body.block
    inner_box, outer_box = 2 * (rank + more), 2 * rank
    place = list(ahead.args[:inner_box])
    tiles = [arg for k, arg in enumerate(behind.args[outer_box:][:inputs]) if k != number]
    captured = [*ahead.args[inner_box:], *behind.args[outer_box + inputs :]]
    old = [*place, *tiles, *[captured[k] for k in order]]
    block = Block(arg_types=[arg.type for arg in old])
    mapping: dict[SSAValue, SSAValue] = dict(zip(old, block.args, strict=True))
    for value, new in zip(old, block.args, strict=True):
        new.name_hint = value.name_hint
    for d in range(rank):
        mapping[behind.args[d]] = block.args[d]
        mapping[behind.args[rank + d]] = block.args[rank + more + d]
    for inner in ahead.ops:
        if isinstance(inner, func.ReturnOp):
            mapping[behind.args[outer_box + number]] = mapping[inner.arguments[0]]
        else:
            block.add_op(inner.clone(mapping))
    for inner in behind.ops:
        block.add_op(inner.clone(mapping))
    last.body.detach_block(behind)
    last.body.add_block(block)
    behind.erase(safe_erase=False)
    last.update_function_type()

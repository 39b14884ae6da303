"""Operations that bring rows together: they are sent to a tile or to a bucket first.

The tile is the one that holds a row's index (`spark.route`), the bucket the one that its key
hashes to (`spark.hash_rows`).

    %V = tensor_block.from_bag add %bag extents(%n)
  ==>
    %1 = spark.route %bag[0] dims(%n) folded "add"
    %2 = spark.tiles dims(%n)
    %3 = spark.cogroup %2, %1
    %V = spark.map_groups @kernel_1(%3)      // from_bag of the rows of one tile
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.builder import Builder
from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from diablo.dialects import spark, tensor_block
from diablo.dialects.comprehension import BagType
from diablo.dialects.encodings import array_type, as_array
from diablo.lowering.spark.conversion import Conversion
from diablo.lowering.spark.outlined_kernels import (
    Argument,
    box_arguments,
    local_value_type,
)
from diablo.lowering.spark.row_maps import (
    columns_of,
    inserted,
    map_rows,
    rows_type,
)


def convert_lookup(conversion: Conversion, op: tensor_block.LookupOp) -> None:
    """A vector or a local array is broadcast; else the rows go to the tiles of the array."""
    bag, array = op.bag.type, as_array(op.array.type)
    assert isinstance(bag, BagType)
    assert array is not None
    columns, stored = columns_of(op.columns), op.stored is not None
    probe = op.probe is not None
    rank = len(columns)
    source = conversion.of(op.array)
    local = local_value_type(array)
    name = op.array.name_hint

    def body(
        builder: Builder, batch: SSAValue, tile: SSAValue, origins: Sequence[SSAValue] = ()
    ) -> SSAValue:
        looked_up = tensor_block.LookupOp(
            batch, tile, columns, stored=stored, probe=probe, offsets=origins
        )
        return inserted(builder, looked_up)

    if not tensor_block.is_tiled(array) or rank == 1:
        whole = conversion.broadcast(source, op)
        rows = map_rows(
            conversion,
            op,
            conversion.of(op.bag),
            bag,
            op.result.type,
            lambda builder, batch, args: body(builder, batch, args[0]),
            [(Argument(local, name), whole)],
        )
        conversion.define(op.result, rows)
        return
    dims = conversion.dims[source]
    # A row that is probed for stays even if its index lies outside.
    routed = conversion.add(spark.RouteOp(conversion.of(op.bag), dims, columns, keep=probe), op)
    group = conversion.add(spark.CogroupOp([routed, source], grid=dims), op)
    kernel = conversion.kernels.outline(
        op,
        [
            *box_arguments([f"d{d}" for d in range(rank)]),
            Argument(spark.plain_rows(bag), op.bag.name_hint),
            Argument(local, name),
        ],
        lambda builder, args: body(builder, args[-2], args[-1], args[:rank]),
    )
    identity = AffineMap.identity(rank)
    mapped = spark.MapGroupsOp(
        kernel, group, dims, (), [identity] * 2, rows_type(op.result.type), to_keys=()
    )
    conversion.define(op.result, conversion.add(mapped, op))


def convert_from_bag(conversion: Conversion, op: tensor_block.FromBagOp) -> None:
    """Every tile is made of the rows that were sent to it, and of the old tile if any."""
    bag, result = op.bag.type, as_array(op.result.type)
    assert isinstance(bag, BagType)
    assert result is not None
    rank = result.get_num_dims()
    extents = conversion.all_of(op.extents)
    monoid = op.monoid.data if op.monoid is not None else None
    rows, row_type = conversion.of(op.bag), BagType(bag.columns)
    distributed = rows not in conversion.local_rows and not conversion.whole
    if monoid is not None and not tensor_block.is_tiled(result) and distributed:
        # All rows go to one place: few should.
        rows = map_rows(
            conversion,
            op,
            rows,
            row_type,
            row_type,
            lambda builder, batch, _: inserted(
                builder, tensor_block.GroupReduceOp(batch, rank, [monoid])
            ),
        )
    local = local_value_type(result)
    dest = op.dest[0] if op.dest else None

    def body(builder: Builder, args: Sequence[SSAValue], box: int) -> SSAValue:
        """`box` leading arguments are origins, then come the extents, the rows and the arrays."""
        origins, extents = args[:box], args[box : box + rank]
        batch, arrays = args[box + rank], list(args[box + rank + 1 :])
        old = arrays.pop(0) if dest is not None else None
        shared = arrays.pop(0) if arrays else None
        made = tensor_block.FromBagOp(
            batch, extents, local, monoid, old, origins, shared, op.place_columns
        )
        return inserted(builder, made)

    boxes = box_arguments([f"d{d}" for d in range(rank)])
    values = [Argument(row_type, op.bag.name_hint)]
    if dest is not None:
        values.append(Argument(local, dest.name_hint))
    for shared in op.within:
        values.append(Argument(local_value_type(array_type(shared)), shared.name_hint))
    if not tensor_block.is_tiled(result):
        kernel = conversion.kernels.outline(
            op, [*boxes[rank:], *values], lambda builder, args: body(builder, args, 0)
        )
        collected = conversion.local_rows.get(rows)
        if collected is None:
            collected = conversion.add(spark.CollectOp(rows, (), row_type), op)
        operands = [*extents, collected, *conversion.all_of([*op.dest, *op.within])]
        made = conversion.add(func.CallOp(kernel, operands, [result]), op)
        conversion.define(op.result, made, extents)
        return
    kernel = conversion.kernels.outline(
        op, [*boxes, *values], lambda builder, args: body(builder, args, rank)
    )
    routed = conversion.add(spark.RouteOp(rows, extents, range(rank), monoid), op)
    tiles = conversion.of(dest) if dest is not None else conversion.add(spark.TilesOp(extents), op)
    # Values in the order of the kernel's arguments; `spark.tiles` holds none.
    inputs = [routed, tiles] if dest is not None else [tiles, routed]
    inputs += conversion.all_of(op.within)
    group = conversion.add(spark.CogroupOp(inputs, grid=extents), op)
    identity = AffineMap.identity(rank)
    made = spark.MapGroupsOp(
        kernel,
        group,
        extents,
        (),
        [identity] * len(values),
        spark.RDDType([IndexType()] * rank, [local]),
    )
    conversion.define(op.result, conversion.add(made, op), extents)


def bucket_groups(
    conversion: Conversion,
    op: Operation,
    sides: Sequence[tuple[SSAValue, Attribute, Sequence[int], str | None]],
    result: Attribute,
    body: Callable[[Builder, Sequence[SSAValue]], SSAValue],
    sent: Sequence[int] = (),
) -> SSAValue:
    """Rows with equal keys meet in a bucket, where `body` gets one bag per side.

    A side in `sent` may be the whole of a bag each time, if the driver finds out that it is short.
    """
    hashed = [conversion.add(spark.HashRowsOp(rows, keys), op) for rows, _, keys, _ in sides]
    known = [
        conversion.local_rows.get(rdd) or conversion.local_arrays.get(rdd) for rdd, *_ in sides
    ]
    if sent and any(known[side] is not None for side in sent):
        together = spark.CogroupOp(hashed, sent, (known[0], known[1]))
    else:
        together = spark.CogroupOp(hashed)
    group = conversion.add(together, op)
    kernel = conversion.kernels.outline(
        op, [Argument(_plain(type), name) for _, type, _, name in sides], body
    )
    maps = [AffineMap.identity(1)] * len(sides)
    mapped = spark.MapGroupsOp(kernel, group, (), (), maps, rows_type(result), to_keys=())
    return conversion.add(mapped, op)


def _plain(type: Attribute) -> Attribute:
    return spark.plain_rows(type) if isinstance(type, BagType) else type


def convert_group(conversion: Conversion, op: tensor_block.GroupOp) -> None:
    """All rows of a group meet: in a bucket, unless they are in one batch anyway."""
    keys, widths, bag = op.keys.value.data, op.widths, op.bag.type
    assert isinstance(bag, BagType)

    def grouped(builder: Builder, batch: SSAValue, _: Sequence[SSAValue]) -> SSAValue:
        return inserted(builder, tensor_block.GroupOp(batch, keys, widths))

    rows = conversion.of(op.bag)
    if conversion.whole:
        conversion.define(op.result, map_rows(conversion, op, rows, bag, op.result.type, grouped))
        return
    side = rows, bag, list(range(keys)), op.bag.name_hint
    buckets = bucket_groups(
        conversion,
        op,
        [side],
        op.result.type,
        lambda builder, args: grouped(builder, args[0], ()),
    )
    conversion.define(op.result, buckets)


def convert_group_reduce(conversion: Conversion, op: tensor_block.GroupReduceOp) -> None:
    """Groups are reduced within each batch first, so that few rows move, and in one need not."""
    keys, monoids = op.keys.value.data, [m.data for m in op.monoids]
    partial = _reduced(conversion, op, op.bag, keys, monoids)
    if conversion.whole:
        conversion.define(op.result, partial)
        return
    rows = bucket_groups(
        conversion,
        op,
        [(partial, op.bag.type, list(range(keys)), op.bag.name_hint)],
        op.result.type,
        lambda builder, args: inserted(builder, tensor_block.GroupReduceOp(args[0], keys, monoids)),
    )
    conversion.define(op.result, rows)


def _reduced(
    conversion: Conversion, op: Operation, bag: SSAValue, keys: int, monoids: Sequence[str]
) -> SSAValue:
    """The groups of each batch, reduced."""
    assert isinstance(bag.type, BagType)
    return map_rows(
        conversion,
        op,
        conversion.of(bag),
        bag.type,
        bag.type,
        lambda builder, batch, _: inserted(
            builder, tensor_block.GroupReduceOp(batch, keys, monoids)
        ),
    )


def convert_concat(conversion: Conversion, op: tensor_block.ConcatOp) -> None:
    """The batches of both sides; one of both where there is one of each."""
    if not conversion.whole:
        left, right = conversion.of(op.left), conversion.of(op.right)
        conversion.define(op.result, conversion.add(spark.UnionOp(left, right), op))
        return
    sides = [(conversion.of(bag), bag.type, (), bag.name_hint) for bag in (op.left, op.right)]
    both = bucket_groups(
        conversion,
        op,
        sides,
        op.result.type,
        lambda builder, args: inserted(builder, tensor_block.ConcatOp(args[0], args[1])),
    )
    conversion.define(op.result, both)


def convert_update(conversion: Conversion, op: tensor_block.UpdateOp) -> None:
    """The rows meet the map's rows of the same keys, one of each key if they are combined."""
    type = op.result.type
    assert isinstance(type, BagType)
    keys = type.keys.data
    monoid = None if op.monoid is None else op.monoid.data
    rows = conversion.of(op.rows)
    if monoid is not None and not conversion.whole:
        rows = _reduced(conversion, op, op.rows, keys, [monoid])

    def body(builder: Builder, args: Sequence[SSAValue]) -> SSAValue:
        dest = inserted(builder, tensor_block.ToMapOp(args[0], keys))
        return inserted(builder, tensor_block.UpdateOp(dest, args[1], monoid))

    updated = bucket_groups(
        conversion,
        op,
        [
            (conversion.of(op.dest), type, list(range(keys)), op.dest.name_hint),
            (rows, op.rows.type, list(range(keys)), op.rows.name_hint),
        ],
        type,
        body,
    )
    conversion.define(op.result, updated)

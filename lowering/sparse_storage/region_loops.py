"""Appends loops over regions, and slices of them, to a block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Block, SSAValue

from diablo.dialects.sparse_storage import (
    CoiterateOp,
    IterateOp,
    LayoutAttr,
    RegionType,
    SliceOp,
    YieldOp,
    iteration_order,
    region_type,
)
from diablo.dialects.sparse_storage.sparse_storage_layout import AUTO
from diablo.lowering.sparse_storage.emitter import Emitter, Values
from diablo.lowering.sparse_storage.kernel_form import EntryBody

JointBody = Callable[[Emitter, list[SSAValue], list[SSAValue], list[SSAValue], Values], Values]


def slice_region(e: Emitter, region: SSAValue, fixed: Mapping[int, SSAValue]) -> SSAValue:
    """The part of a region with these indices in some dimensions."""
    if not fixed:
        return region
    rest = [d for d in iteration_order(region_type(region)) if d not in fixed]
    # The part has the order of the whole; how it lies is the whole's affair.
    order = [sorted(rest).index(d) for d in rest]
    usual = order == sorted(order)
    part = RegionType(len(rest), AUTO if usual else LayoutAttr("auto", [order]))
    dimensions = sorted(fixed)
    return e.value(SliceOp(region, dimensions, [fixed[d] for d in dimensions], part), "part")


def iterate(e: Emitter, region: SSAValue, carried: Values, body: EntryBody) -> Values:
    """A loop over a region."""
    rank = region_type(region).rank.data
    block = Block(arg_types=[*[IndexType()] * (rank + 1), *(value.type for value in carried)])
    arguments: list[SSAValue] = list(block.args)
    arguments[rank].name_hint = "p"
    _name(arguments[rank + 1 :], carried)
    inner = Emitter(block, e.source, e)
    results = body(inner, arguments[:rank], arguments[rank], arguments[rank + 1 :])
    inner.put(YieldOp(*results))
    return list(e.put(IterateOp(region, carried, block)).results)


def coiterate(
    e: Emitter, kind: str, regions: Sequence[SSAValue], carried: Values, body: JointBody
) -> Values:
    """A loop over several regions."""
    rank, count = region_type(regions[0]).rank.data, len(regions)
    types = [*[IndexType()] * (rank + count), *[i1] * count, *(value.type for value in carried)]
    block = Block(arg_types=types)
    arguments: list[SSAValue] = list(block.args)
    present = rank + count
    _name(arguments[present + count :], carried)
    inner = Emitter(block, e.source, e)
    results = body(
        inner,
        arguments[:rank],
        arguments[rank:present],
        arguments[present : present + count],
        arguments[present + count :],
    )
    inner.put(YieldOp(*results))
    return list(e.put(CoiterateOp(kind, "auto", regions, carried, block)).results)


def _name(arguments: Sequence[SSAValue], carried: Values) -> None:
    for argument, value in zip(arguments, carried, strict=True):
        argument.name_hint = "acc" if value.name_hint == "identity" else value.name_hint

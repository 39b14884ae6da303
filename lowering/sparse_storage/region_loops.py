"""Appends loops over regions, over ranges and over boxes, and slices of regions, to a block.

    (sum,) = over_stored(e, region, lambda e, indices, p, own: emit(e, own[0], …), [fold])

writes a `multiloop.loop` with one generator and returns what that makes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.dialects.multiloop import EmitOp, GeneratorType, LoopOp, Source
from diablo.dialects.sparse_storage import (
    LayoutAttr,
    RegionType,
    SliceOp,
    iteration_order,
    region_type,
)
from diablo.dialects.sparse_storage.sparse_storage_layout import AUTO
from diablo.lowering.sparse_storage.emitter import Emitter

Generators = Sequence[SSAValue]
StoredBody = Callable[[Emitter, list[SSAValue], SSAValue, Generators], None]
"""Writes what is done with an entry: its indices and its position, and the loop's generators."""
JointBody = Callable[
    [Emitter, list[SSAValue], list[SSAValue], list[SSAValue], Generators],
    None,
]
"""Writes what is done with an index: a position and a presence in each region, and generators."""


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


def over_stored(
    e: Emitter, region: SSAValue, body: StoredBody, generators: Sequence[GeneratorType] = ()
) -> Sequence[SSAValue]:
    """Append a loop over a region; return what its generators make."""
    rank = region_type(region).rank.data

    def write(e: Emitter, found: list[SSAValue], own: Generators) -> None:
        found[rank].name_hint = "p"
        body(e, found[:rank], found[rank], own)

    return _loop(e, "stored", [region], [IndexType()] * (rank + 1), write, generators)


def over_several(
    e: Emitter,
    kind: Source,
    regions: Sequence[SSAValue],
    body: JointBody,
    generators: Sequence[GeneratorType] = (),
) -> Sequence[SSAValue]:
    """Append a loop over several regions; return what its generators make."""
    rank, count = region_type(regions[0]).rank.data, len(regions)

    def write(e: Emitter, found: list[SSAValue], own: Generators) -> None:
        there = rank + count
        body(e, found[:rank], found[rank:there], found[there:], own)

    elements = [*[IndexType()] * (rank + count), *[i1] * count]
    return _loop(e, kind, regions, elements, write, generators)


def over_range(
    e: Emitter,
    begin: SSAValue,
    end: SSAValue,
    body: Callable[[Emitter, SSAValue, Generators], None],
    generators: Sequence[GeneratorType] = (),
    *,
    hint: str | None = None,
) -> Sequence[SSAValue]:
    """Append a loop over the numbers from `begin` to `end`, exclusive."""

    def write(e: Emitter, found: list[SSAValue], own: Generators) -> None:
        found[0].name_hint = hint
        body(e, found[0], own)

    return _loop(e, "range", [begin, end], [IndexType()], write, generators)


def over_box(
    e: Emitter, extents: Sequence[SSAValue], body: Callable[[Emitter, list[SSAValue]], None]
) -> None:
    """Append loops over all indices of a box."""
    if not extents:
        body(e, [])
        return

    def outer(e: Emitter, index: SSAValue, _: Generators) -> None:
        over_box(e, extents[1:], lambda e, rest: body(e, [index, *rest]))

    over_range(e, e.index(0), extents[0], outer)


def emit(e: Emitter, generator: SSAValue, value: SSAValue) -> EmitOp:
    """Append an emit of a value."""
    made = EmitOp(generator, [value])
    e.put(made)
    return made


def _loop(
    e: Emitter,
    source: Source,
    inputs: Sequence[SSAValue],
    elements: Sequence[Attribute],
    body: Callable[[Emitter, list[SSAValue], Generators], None],
    generators: Sequence[GeneratorType],
) -> Sequence[SSAValue]:
    block = Block(arg_types=[*elements, *generators])
    own = block.args[len(elements) :]
    for generator in own:
        generator.name_hint = "acc"
    body(Emitter(block, e.source, e), list(block.args[: len(elements)]), own)
    return list(e.put(LoopOp(source, inputs, Region(block))).results)

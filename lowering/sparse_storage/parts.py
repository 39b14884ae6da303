"""A part of a region as buffers of its own: the base is walked twice.

%n = the number of indices of which the predicate holds
%flat = memref.alloc(%n)
%flat[0], %flat[1], … = their positions in the box
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from diablo.dialects.sparse_storage import LayoutAttr, RegionType, iteration_order
from diablo.format_table import AUTO, FORMATS
from diablo.lowering.sparse_storage.buffers import index_element
from diablo.lowering.sparse_storage.cell_forms import Coordinates, box_size
from diablo.lowering.sparse_storage.emitter import Emitter, Values
from diablo.lowering.sparse_storage.list_forms import Compressed
from diablo.lowering.sparse_storage.stored_region import StoredOrder, StoredRegion

Predicate = Callable[[Emitter, Sequence[SSAValue], SSAValue], SSAValue]


def is_made(layout: LayoutAttr) -> bool:
    """Return whether a part can be given a layout."""
    form = layout.form.data
    return (form == AUTO or FORMATS[form].made_in_kernels) and len(layout.dimension_orders) <= 1


def make_part(
    e: Emitter, base: StoredRegion, type: RegionType, predicate: Predicate
) -> StoredRegion:
    """The indices of `base` for which `predicate` holds, as a region of the given type."""
    extents = [base.extents[d] for d in base.free]
    order = iteration_order(type)
    box = [extents[d] for d in order]
    zero, one = e.index(0), e.index(1)
    element = index_element(type.layout)

    def walk(
        e: Emitter, carried: Values, taken: Callable[[Emitter, list[SSAValue], Values], Values]
    ) -> Values:
        def at(e: Emitter, indices: list[SSAValue], position: SSAValue, values: Values) -> Values:
            return e.branch(
                predicate(e, indices, position),
                lambda e: taken(e, [indices[d] for d in order], values),
                lambda _: list(values),
            )

        return base.walk(e, order, carried, at)

    assert is_made(type.layout)
    form = type.layout.form.data
    if form == AUTO or not FORMATS[form].finds_lists:
        (count,) = walk(e, [zero], lambda e, _, values: [e.add(values[0], one)])
        flat = e.allocate(element, count, "flat")

        def note(e: Emitter, indices: list[SSAValue], values: Values) -> Values:
            e.store(e.flatten(indices, box), flat, values[0])
            return [e.add(values[0], one)]

        walk(e, [zero], note)
        return StoredRegion(extents, [StoredOrder(order, Coordinates(box, flat))])
    list_rank = min(1, len(box) - 1)
    lists = box_size(e, box[:list_rank])
    starts = e.allocate(element, e.add(lists, one), "starts")

    def clear(e: Emitter, place: SSAValue, _: Values) -> Values:
        e.store(zero, starts, place)
        return []

    e.loop(zero, e.add(lists, one), [], clear)

    def tally(e: Emitter, indices: list[SSAValue], values: Values) -> Values:
        after = e.add(e.flatten(indices[:list_rank], box[:list_rank]), one)
        e.store(e.add(e.load(starts, after), one), starts, after)
        return [e.add(values[0], one)]

    (count,) = walk(e, [zero], tally)

    def accumulate(e: Emitter, row: SSAValue, values: Values) -> Values:
        after = e.add(row, one)
        total = e.add(values[0], e.load(starts, after))
        e.store(total, starts, after)
        return [total]

    e.loop(zero, lists, [zero], accumulate)
    indices = e.allocate(element, count, "indices")

    def fill(e: Emitter, found: list[SSAValue], values: Values) -> Values:
        e.store(e.flatten(found[list_rank:], box[list_rank:]), indices, values[0])
        return [e.add(values[0], one)]

    walk(e, [zero], fill)
    return StoredRegion(extents, [StoredOrder(order, Compressed(box, list_rank, starts, indices))])

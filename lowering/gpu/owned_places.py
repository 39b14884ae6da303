"""How values are combined at few computed places where order matters: a thread owns each place.

    1. a block takes a run of iterations, 256 at a time: each thread computes the place and the
       value of one, and leaves both for all of them. Then each goes through these in order, and
       combines those of its own place
    2. a block for each place combines what blocks have, and that with the element

Nothing is sorted, and what is combined with what depends on the extents alone. That each thread
looks at 256 places costs less than to move them, where there are no more places than threads.
"""

from __future__ import annotations

from functools import reduce

from xdsl.dialects import arith, gpu, memref
from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

from diablo.lowering.gpu.block_code import Values, fold_in_block, identities, joined
from diablo.lowering.gpu.computed_places import Scatter, Surroundings
from diablo.lowering.gpu.kernel_mappings import MOST_PARTIALS, GridMapping
from diablo.lowering.gpu.kernel_writer import THREADS, IndexWriter
from diablo.passes.analyses.refused import Refused

_ROUNDS = 4
"""How many iterations a thread does at least where there are several blocks."""


def map_owned(mapping: GridMapping, scatter: Scatter) -> None:
    """Write both kernels, and their launches."""
    launches, host = mapping.launches, mapping.launches.host
    count = launches.counts(scatter.loops)
    buffer = launches.value(scatter.buffers[0])
    if count is None or buffer is None:
        raise Refused("how much is combined shows on the device alone")
    axes = range(len(scatter.place))
    bins = reduce(host.product, [host.add(memref.DimOp(buffer, host.index(a))) for a in axes])
    blocks = launches.blocks(count, THREADS * _ROUNDS, MOST_PARTIALS)
    size = launches.note(host.product(blocks, bins))
    types = scatter.fold.types
    partials = [launches.note(launches.allocate_line(t, size, "partials")) for t in types]
    _combine_runs(mapping, scatter, count, blocks, bins, partials)
    _combine_blocks(mapping, scatter, blocks, bins, partials)


def _combine_runs(
    mapping: GridMapping,
    scatter: Scatter,
    count: SSAValue,
    blocks: SSAValue,
    bins: SSAValue,
    partials: Values,
) -> None:
    length = mapping.launches.share(count, blocks)
    kernel = mapping.kernel(scatter.loops[0])
    around = Surroundings(kernel.take, kernel.copy)
    run, many = kernel.parameter(length, "length"), kernel.parameter(blocks, "blocks")
    end, nobody = kernel.parameter(count, "count"), kernel.parameter(bins, "bins")
    e, thread, folds = kernel.body, kernel.thread(), [scatter.fold]
    places = kernel.shared(IndexType(), THREADS)
    values = [kernel.shared(type, THREADS) for type in scatter.fold.types]
    totals = [kernel.shared(type, THREADS) for type in scatter.fold.types]
    _store(e, identities(e, folds), totals, thread)
    zero, one, threads = e.index(0), e.index(1), e.index(THREADS)
    block = kernel.block_number()
    begin = e.product(block, run)
    end = e.least(e.sum(begin, run), end)
    bounds = [(kernel.take(loop.lb), kernel.take(loop.ub)) for loop in scatter.loops]
    extents = [e.greatest(e.difference(high, low), zero) for low, high in bounds]
    buffer = kernel.take(scatter.buffers[0])
    axes = range(len(scatter.place))
    sizes = [e.add(memref.DimOp(buffer, e.index(axis))) for axis in axes]

    def round_(e: IndexWriter, first: SSAValue, _: Values) -> list[SSAValue]:
        number = e.sum(first, thread)
        inside = scatter.point(e, e.least(number, e.difference(end, one)), extents, around)
        has_place, place = scatter.linear(e, inside, sizes, around)
        is_in = e.add(arith.AndIOp(e.compare(number, "slt", end), has_place))
        # The number behind the last place is nobody's.
        e.put(memref.StoreOp.get(e.add(arith.SelectOp(is_in, place, nobody)), places, [thread]))

        def leave(e: IndexWriter) -> None:
            _store(e, scatter.step(e, inside, identities(e, folds), around), values, thread)

        e.branch(is_in, leave)
        e.put(gpu.BarrierOp())

        def own(e: IndexWriter, k: SSAValue, held: Values) -> list[SSAValue]:
            is_own = e.compare(e.add(memref.LoadOp.get(places, [k])), "eq", thread)
            return e.choice(is_own, lambda e: joined(e, folds, held, _load(e, values, k)), held)

        held = e.loop(zero, threads, one, _load(e, totals, thread), own, "other")
        _store(e, held, totals, thread)
        e.put(gpu.BarrierOp())
        return []

    e.loop(begin, end, threads, [], round_, "first")

    def leave(e: IndexWriter) -> None:
        buffers = [kernel.take(buffer) for buffer in partials]
        _store(e, _load(e, totals, thread), buffers, e.sum(e.product(thread, many), block))

    e.branch(e.compare(thread, "slt", nobody), leave)
    mapping.launches.launch(kernel, (blocks, None))


def _combine_blocks(
    mapping: GridMapping, scatter: Scatter, blocks: SSAValue, bins: SSAValue, partials: Values
) -> None:
    kernel = mapping.kernel(scatter.loops[0])
    many = kernel.parameter(blocks, "blocks")
    e, bin, folds = kernel.body, kernel.block_number(), [scatter.fold]
    row = e.product(bin, many)
    # Each thread has some that follow one another.
    run = e.index(MOST_PARTIALS // THREADS)
    begin = e.product(kernel.thread(), run)

    def step(e: IndexWriter, number: SSAValue, held: Values) -> list[SSAValue]:
        buffers = [kernel.take(buffer) for buffer in partials]
        return joined(e, folds, held, _load(e, buffers, e.sum(row, number)))

    end = e.least(e.sum(begin, run), many)
    parts = e.loop(begin, end, e.index(1), identities(e, folds), step, "number")

    def leave(e: IndexWriter, totals: Values) -> None:
        buffers = [kernel.take(buffer) for buffer in scatter.buffers]
        place: list[SSAValue] = []
        rest = bin
        for axis in reversed(range(1, len(scatter.place))):
            size = e.add(memref.DimOp(buffers[0], e.index(axis)))
            place.append(e.remainder(rest, size))
            rest = e.quotient(rest, size)
        place = [rest, *reversed(place)]
        held = [e.add(memref.LoadOp.get(buffer, place)) for buffer in buffers]
        for total, buffer in zip(joined(e, folds, held, totals), buffers, strict=True):
            e.put(memref.StoreOp.get(total, buffer, place))

    fold_in_block(kernel, folds, parts, leave)
    mapping.launches.launch(kernel, (bins, None))


def _load(e: IndexWriter, buffers: Values, place: SSAValue) -> list[SSAValue]:
    return [e.add(memref.LoadOp.get(buffer, [place])) for buffer in buffers]


def _store(e: IndexWriter, values: Values, buffers: Values, place: SSAValue) -> None:
    for value, buffer in zip(values, buffers, strict=True):
        e.put(memref.StoreOp.get(value, buffer, [place]))

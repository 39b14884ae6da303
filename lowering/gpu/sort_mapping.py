"""How keys are put in order: digit by digit, the last one first, each digit by a counting sort.

    count     how often each block has each digit, in a run of the keys
    scan      where those of each block with each digit begin
    move      each block its run, a round of its threads at a time, in their order

Equal keys keep their order, so that what is added up in the order of sorted keys is added up in the
same order each time. It is the least significant digit radix sort of Satish, Harris and Garland
("Designing efficient sorting algorithms for manycore GPUs", 2009).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, i32, i64
from xdsl.ir import Block, SSAValue

from diablo.dialects.simt import WARP_SIZE, AtomicOp, SortOp
from diablo.lowering.gpu.kernel_mappings import MOST_PARTIALS, GridMapping
from diablo.lowering.gpu.kernel_writer import THREADS, WARPS, IndexWriter, KernelWriter
from diablo.lowering.gpu.loop_structure import Scan
from diablo.lowering.gpu.scan_mapping import map_scan
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.passes.analyses.refused import Refused

_BITS = 8
_DIGITS = 1 << _BITS
"""How many digits there are: one for each thread of a block."""
_ROUNDS = 16
"""How many keys a thread goes through at least where there are several blocks."""


@dataclass(frozen=True)
class _Pass:
    """What a pass over the keys is given: the digit, how keys are dealt out, and where all is."""

    shift: SSAValue
    length: SSAValue
    blocks: SSAValue
    counts: SSAValue
    keys: SSAValue
    places: SSAValue
    sorted_keys: SSAValue
    sorted_places: SSAValue


def map_sort(mapping: GridMapping, op: SortOp) -> None:
    """Write the kernels that sort, and the loop of launches over the digits."""
    launches, host = mapping.launches, mapping.launches.host
    keys, places = launches.value(op.keys), launches.value(op.places)
    bits = launches.value(op.bits)
    if keys is None or places is None or bits is None:
        raise Refused("how much is sorted shows on the device alone")
    count = host.add(memref.DimOp(keys, host.index(0)), "count")
    blocks = launches.blocks(count, THREADS * _ROUNDS, MOST_PARTIALS)
    length = launches.share(count, blocks)
    spare = [
        launches.allocate_line(i64, count, "keys"),
        launches.allocate_line(IndexType(), count, "places"),
    ]
    size = launches.note(host.product(blocks, host.index(_DIGITS)))
    counts = launches.note(launches.allocate_line(IndexType(), size, "counts"))
    # After two passes all is where it was, where it has to stay if somebody else has the memory.
    is_own = all(isinstance(buffer.owner, memref.AllocOp) for buffer in (op.keys, op.places))
    unit = host.index(_BITS if is_own else 2 * _BITS)
    passes = host.quotient(host.sum(bits, host.difference(unit, host.index(1))), unit)
    end = host.product(passes, unit)
    buffers = [keys, places, *spare]

    def digit(e: IndexWriter, shift: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
        launches.host = e
        given = _Pass(shift, length, blocks, counts, *held)
        _count(mapping, op, given)
        _scan(mapping, op, counts, size)
        _move(mapping, op, given)
        launches.host = host
        return [*held[2:], *held[:2]]

    last = host.loop(host.index(0), end, host.index(_BITS), buffers, digit, "shift")
    if is_own:
        launches.move(op.keys, last[0])
        launches.move(op.places, last[1])


def _run(kernel: KernelWriter, given: _Pass, keys: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Return where the keys of a block begin and end."""
    e = kernel.body
    size = kernel.parameter(given.length, "length")
    begin = e.product(kernel.block_number(), size)
    count = e.add(memref.DimOp(keys, e.index(0)))
    return begin, e.least(e.sum(begin, size), count)


def _digit(e: IndexWriter, key: SSAValue, shift: SSAValue) -> SSAValue:
    wide = e.add(arith.IndexCastOp(key, IndexType()))
    return e.add(arith.AndIOp(e.add(arith.ShRUIOp(wide, shift)), e.index(_DIGITS - 1)), "digit")


def _count(mapping: GridMapping, op: SortOp, given: _Pass) -> None:
    kernel = mapping.kernel(op)
    e, thread = kernel.body, kernel.thread()
    keys = kernel.parameter(given.keys, "keys")
    counts = kernel.parameter(given.counts, "counts")
    shift = kernel.parameter(given.shift, "shift")
    blocks = kernel.parameter(given.blocks, "blocks")
    begin, end = _run(kernel, given, keys)
    table = kernel.shared(i32, _DIGITS)
    none, one = (e.add(arith.ConstantOp(IntegerAttr(k, i32))) for k in (0, 1))
    e.put(memref.StoreOp.get(none, table, [thread]))
    e.put(gpu.BarrierOp())

    def tally(e: IndexWriter, index: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
        key = e.add(memref.LoadOp.get(keys, [index]), "key")
        e.put(AtomicOp("add", one, table, [_digit(e, key, shift)]))
        return []

    e.loop(e.sum(begin, thread), end, e.index(THREADS), [], tally, "index")
    e.put(gpu.BarrierOp())
    found = e.add(memref.LoadOp.get(table, [thread]))
    # All blocks for the first digit, then for the next one.
    place = e.sum(e.product(thread, blocks), kernel.block_number())
    number = e.add(arith.IndexCastOp(found, IndexType()))
    e.put(memref.StoreOp.get(number, counts, [place]))
    mapping.launches.launch(kernel, (given.blocks, None))


def _scan(mapping: GridMapping, op: SortOp, counts: SSAValue, size: SSAValue) -> None:
    """Let each count be how many keys are before."""
    index = IndexType()
    body = IndexWriter(op, Block(arg_types=[index, index]))
    number, before = body.block.args
    count = body.add(memref.LoadOp.get(counts, [number]))
    body.put(memref.StoreOp.get(before, counts, [number]))
    body.put(scf.YieldOp(body.sum(before, count)))
    host = mapping.launches.host
    zero, one = host.index(0), host.index(1)
    loop = scf.ForOp(zero, size, one, [zero], body.block)
    loop.location = op.location
    map_scan(mapping, Scan(loop, (Fold("add", index),)))
    loop.erase()


def _move(mapping: GridMapping, op: SortOp, given: _Pass) -> None:
    kernel = mapping.kernel(op)
    e, thread = kernel.body, kernel.thread()
    keys, places = kernel.parameter(given.keys, "keys"), kernel.parameter(given.places, "places")
    to_keys = kernel.parameter(given.sorted_keys, "sorted_keys")
    to_places = kernel.parameter(given.sorted_places, "sorted_places")
    counts = kernel.parameter(given.counts, "counts")
    shift = kernel.parameter(given.shift, "shift")
    blocks = kernel.parameter(given.blocks, "blocks")
    begin, end = _run(kernel, given, keys)
    index = IndexType()
    next_places = kernel.shared(index, _DIGITS)
    of_warps = kernel.shared(index, WARPS * _DIGITS)
    digits = kernel.shared(index, THREADS)
    zero, one = e.index(0), e.index(1)
    size = e.index(WARP_SIZE)
    warp, lane = e.quotient(thread, size), e.remainder(thread, size)
    first_lane = e.product(warp, size)
    own_row = e.product(warp, e.index(_DIGITS))
    start = e.sum(e.product(thread, blocks), kernel.block_number())
    before = e.add(memref.LoadOp.get(counts, [start]))
    e.put(memref.StoreOp.get(before, next_places, [thread]))
    _clear(e, of_warps, thread)

    def round_(e: IndexWriter, first: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
        number = e.sum(first, thread)
        is_in = e.compare(number, "slt", end)
        # Those beyond the end have a digit that no key has.
        here = e.least(number, e.difference(end, one))
        key = e.add(memref.LoadOp.get(keys, [here]), "key")
        place = e.add(memref.LoadOp.get(places, [here]), "place")
        digit = e.add(arith.SelectOp(is_in, _digit(e, key, shift), e.index(_DIGITS)))
        e.put(memref.StoreOp.get(digit, digits, [thread]))
        e.put(gpu.BarrierOp())

        def compare(e: IndexWriter, k: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
            earlier, all_ = held
            other = e.add(memref.LoadOp.get(digits, [e.sum(first_lane, k)]))
            more = e.add(arith.SelectOp(e.compare(other, "eq", digit), one, zero))
            is_before = e.compare(k, "slt", lane)
            before = e.add(arith.SelectOp(is_before, more, zero))
            return [e.sum(earlier, before), e.sum(all_, more)]

        rank, same = e.loop(zero, size, one, [zero, zero], compare, "other")
        leads = e.add(arith.AndIOp(is_in, e.compare(rank, "eq", zero)))
        mine = e.sum(own_row, digit)
        e.branch(leads, lambda e: e.put(memref.StoreOp.get(same, of_warps, [mine])))
        e.put(gpu.BarrierOp())
        run = e.add(memref.LoadOp.get(next_places, [thread]))
        for number in range(WARPS):
            row = e.sum(thread, e.index(number * _DIGITS))
            held = e.add(memref.LoadOp.get(of_warps, [row]))
            e.put(memref.StoreOp.get(run, of_warps, [row]))
            run = e.sum(run, held)
        e.put(memref.StoreOp.get(run, next_places, [thread]))
        e.put(gpu.BarrierOp())

        def move(e: IndexWriter) -> None:
            target = e.sum(e.add(memref.LoadOp.get(of_warps, [mine])), rank)
            e.put(memref.StoreOp.get(key, to_keys, [target]))
            e.put(memref.StoreOp.get(place, to_places, [target]))

        e.branch(is_in, move)
        e.put(gpu.BarrierOp())
        _clear(e, of_warps, thread)
        return []

    e.loop(begin, end, e.index(THREADS), [], round_, "first")
    mapping.launches.launch(kernel, (given.blocks, None))


def _clear(e: IndexWriter, of_warps: SSAValue, thread: SSAValue) -> None:
    """Append that no warp has a digit; threads are held up before the next round counts."""
    zero = e.index(0)
    for number in range(WARPS):
        row = e.sum(thread, e.index(number * _DIGITS))
        e.put(memref.StoreOp.get(zero, of_warps, [row]))

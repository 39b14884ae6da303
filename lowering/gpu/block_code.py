"""What the threads of a block do together: they fold what they have, or each what is before it.

Threads of a warp meet by shuffles, warps in shared memory. Values are joined in the order of the
threads, so that it serves monoids that keep the first of equal values as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, gpu, memref
from xdsl.ir import Attribute, SSAValue

from diablo.dialects.simt import WARP_SIZE, ShuffleXorOp
from diablo.lowering.gpu.kernel_writer import WARPS, IndexWriter, KernelWriter
from diablo.lowering.llvm.monoid_folds import Fold

Folds = Sequence[Fold]
"""How values are folded; one of the program's own takes as many as its tuples have parts."""
Values = Sequence[SSAValue]
MASKS = (1, 2, 4, 8, 16)
"""The bits in which the numbers of threads of a warp differ, the last one first."""


def identities(e: IndexWriter, folds: Folds) -> list[SSAValue]:
    """Append the values that change no others."""
    return [part for fold in folds for part in fold.identity(e.block, e.op)]


def joined(e: IndexWriter, folds: Folds, left: Values, right: Values) -> list[SSAValue]:
    """Append what joins values."""
    made: list[SSAValue] = []
    for fold in folds:
        here = slice(len(made), len(made) + len(fold.types))
        made += fold.combine(e.block, e.op, left[here], right[here])
    return made


def chosen(e: IndexWriter, condition: SSAValue, one: Values, other: Values) -> list[SSAValue]:
    """Append the choice between values."""
    pairs = zip(one, other, strict=True)
    return [e.add(arith.SelectOp(condition, left, right)) for left, right in pairs]


def element_types(folds: Folds) -> list[Attribute]:
    """Return the types of all values."""
    return [type for fold in folds for type in fold.types]


def exchanged(
    e: IndexWriter, folds: Folds, parts: Values, mask: int, lane: SSAValue
) -> list[SSAValue]:
    """Append what each thread has together with the one whose number differs by `mask`."""
    others = [e.add(ShuffleXorOp(part, mask)) for part in parts]
    if not any(fold.in_order for fold in folds):
        return joined(e, folds, parts, others)
    is_later = is_set(e, lane, mask)
    first, last = chosen(e, is_later, others, parts), chosen(e, is_later, parts, others)
    return joined(e, folds, first, last)


def is_set(e: IndexWriter, number: SSAValue, mask: int) -> SSAValue:
    """Append whether a number has a bit."""
    return e.compare(e.add(arith.AndIOp(number, e.index(mask))), "ne", e.index(0))


def fold_in_block(
    kernel: KernelWriter, folds: Folds, parts: Values, leave: Callable[[IndexWriter, Values], None]
) -> None:
    """Fold what the threads of a block have; the first thread does what `leave` writes with it."""
    e = kernel.body
    thread, buffers = _shared_parts(kernel, e, folds, parts)
    e.branch(e.compare(thread, "eq", e.index(0)), lambda e: leave(e, _total_of(e, folds, buffers)))


def join_in_block(
    kernel: KernelWriter, e: IndexWriter, folds: Folds, parts: Values
) -> list[SSAValue]:
    """Append what joins the parts of the threads of a block; all of them have it then.

    What they share is in use until all threads have been held up once more.
    """
    _, buffers = _shared_parts(kernel, e, folds, parts)
    return _total_of(e, folds, buffers)


def _shared_parts(
    kernel: KernelWriter, e: IndexWriter, folds: Folds, parts: Values
) -> tuple[SSAValue, list[SSAValue]]:
    """Append what joins the parts of each warp in memory that the block shares.

    Return the number of the thread, and that memory, which has an element for each warp.
    """
    thread = kernel.thread()
    size = e.index(WARP_SIZE)
    warp, lane = e.quotient(thread, size), e.remainder(thread, size)
    for mask in MASKS:
        parts = exchanged(e, folds, parts, mask, lane)
    buffers = [kernel.shared(part.type, WARPS) for part in parts]
    _share(e, parts, buffers, warp, lane)
    return thread, buffers


def _total_of(e: IndexWriter, folds: Folds, buffers: Values) -> list[SSAValue]:
    """Append what joins the parts that the warps of a block have in shared memory."""
    totals: list[SSAValue] = []
    for number in range(WARPS):
        place = e.index(number)
        loads = [e.add(memref.LoadOp.get(buffer, [place])) for buffer in buffers]
        totals = joined(e, folds, totals, loads) if totals else loads
    return totals


def _share(e: IndexWriter, parts: Values, buffers: Values, warp: SSAValue, lane: SSAValue) -> None:
    """Append that warps leave what each has, and that threads wait until all have."""

    def share(e: IndexWriter) -> None:
        for part, buffer in zip(parts, buffers, strict=True):
            e.put(memref.StoreOp.get(part, buffer, [warp]))

    e.branch(e.compare(lane, "eq", e.index(0)), share)
    e.put(gpu.BarrierOp())


def scan_in_block(
    e: IndexWriter, folds: Folds, parts: Values, thread: SSAValue, buffers: Values
) -> tuple[list[SSAValue], list[SSAValue]]:
    """Return what the threads before each one have together, and what all of them have.

    `buffers` are shared, and have an element for each warp. They are in use until all threads have
    been held up once more.
    """
    size = e.index(WARP_SIZE)
    warp, lane = e.quotient(thread, size), e.remainder(thread, size)
    before, totals = identities(e, folds), list(parts)
    for mask in MASKS:
        others = [e.add(ShuffleXorOp(total, mask)) for total in totals]
        is_later = is_set(e, lane, mask)
        before = chosen(e, is_later, joined(e, folds, others, before), before)
        first, last = chosen(e, is_later, others, totals), chosen(e, is_later, totals, others)
        totals = joined(e, folds, first, last)
    _share(e, totals, buffers, warp, lane)
    ahead = identities(e, folds)
    all_: list[SSAValue] = []
    for number in range(WARPS):
        place = e.index(number)
        loads = [e.add(memref.LoadOp.get(buffer, [place])) for buffer in buffers]
        all_ = joined(e, folds, all_, loads) if all_ else loads
        is_before = e.compare(place, "slt", warp)
        ahead = chosen(e, is_before, joined(e, folds, ahead, loads), ahead)
    return joined(e, folds, ahead, before), all_

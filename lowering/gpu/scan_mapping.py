"""How a loop that uses what it has folded so far is dealt out: a scan, by three kernels.

    %last = scf.for %i … iter_args(%at) {      1. each block folds a run of iterations
      memref.store %x, %r[%at]             =>  2. one block scans what these have
      yield %at + %one                         3. each block goes through its run, 256 iterations at
    }                                             a time, with what is before each of them

Compaction is one: the place of an element is how many are before it. The body is done twice, the
first time for what it adds alone, which is what it yields where nothing is before it. What is
joined with what depends on the extents alone. The idea is that of Blelloch's reduce-then-scan
("Prefix sums and their applications", 1990).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import gpu, memref, scf
from xdsl.ir import Region, SSAValue

from diablo.lowering.gpu.block_code import (
    Folds,
    chosen,
    element_types,
    fold_in_block,
    identities,
    joined,
    scan_in_block,
)
from diablo.lowering.gpu.kernel_mappings import MOST_PARTIALS, GridMapping, Values
from diablo.lowering.gpu.kernel_writer import THREADS, WARPS, IndexWriter, KernelWriter
from diablo.lowering.gpu.loop_structure import Scan, is_within
from diablo.passes.analyses.refused import Refused

_ROUNDS = 8
"""How many iterations a thread does at least where there are several blocks."""
_PER_THREAD = MOST_PARTIALS // THREADS
"""How many blocks' folds a thread of the second kernel scans."""


def map_scan(mapping: GridMapping, scan: Scan) -> None:
    """Write the kernels of a scan, and their launches."""
    launches = mapping.launches
    count = launches.count(scan.loop)
    if count is None:
        raise Refused("how long a scan is shows on the device alone")
    blocks = launches.blocks(count, THREADS * _ROUNDS, MOST_PARTIALS)
    length = launches.share(count, blocks)
    types = element_types(scan.folds)
    partials = [launches.allocate(type, MOST_PARTIALS, "partials") for type in types]
    results = [launches.allocate(type, None, "folded") for type in types]
    kernels = _ScanKernels(mapping, scan, length, blocks, partials)
    kernels.fold_runs()
    kernels.scan_partials(results)
    kernels.go_through_runs()
    mapping.left.update(zip(scan.loop.results, results, strict=True))


@dataclass
class _ScanKernels:
    """Writes the kernels of a scan, of which each block has a run of iterations.

    Parameters
    ----------
    length : how many iterations a run has
    blocks : how many blocks there are
    partials : the buffers of what the runs come to, one for each fold
    """

    mapping: GridMapping
    scan: Scan
    length: SSAValue
    blocks: SSAValue
    partials: Sequence[SSAValue]

    def _run_of_block(self, kernel: KernelWriter) -> tuple[SSAValue, SSAValue]:
        """Return where the run of a block begins and ends."""
        e, loop = kernel.body, self.scan.loop
        size = kernel.parameter(self.length, "length")
        first = self.mapping.value(kernel, loop.lb, {})
        begin = e.sum(first, e.product(kernel.block_number(), size))
        return begin, e.least(e.sum(begin, size), self.mapping.value(kernel, loop.ub, {}))

    def fold_runs(self) -> None:
        """Let each block fold its run."""
        kernel = self.mapping.kernel(self.scan.loop)
        begin, end = self._run_of_block(kernel)
        e = kernel.body
        first, step = e.sum(begin, kernel.thread()), e.index(THREADS)
        last = end
        if self.scan.in_order:
            run = e.quotient(kernel.parameter(self.length, "length"), step)
            first = e.sum(begin, e.product(kernel.thread(), run))
            last, step = e.least(e.sum(first, run), end), e.index(1)

        def add(e: IndexWriter, index: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
            return joined(e, self.scan.folds, held, _added(kernel, e, self.scan, index))

        parts = e.loop(first, last, step, identities(e, self.scan.folds), add, "index")

        def leave(e: IndexWriter, totals: Sequence[SSAValue]) -> None:
            for total, buffer in zip(totals, self.partials, strict=True):
                place = kernel.block_number()
                e.put(memref.StoreOp.get(total, kernel.take(buffer), [place]))

        fold_in_block(kernel, self.scan.folds, parts, leave)
        self.mapping.launches.launch(kernel, (self.blocks, None))

    def scan_partials(self, results: Sequence[SSAValue]) -> None:
        """Let one block make each partial what is before it, and store what all come to."""
        kernel = self.mapping.kernel(self.scan.loop)
        e = kernel.body
        count = kernel.parameter(self.blocks, "count")
        thread, folds = kernel.thread(), self.scan.folds
        first = e.product(thread, e.index(_PER_THREAD))
        neutral = identities(e, folds)
        own: list[list[SSAValue]] = []
        places: list[SSAValue] = []
        for number in range(_PER_THREAD):
            place = e.sum(first, e.index(number))
            loads = [
                e.add(memref.LoadOp.get(kernel.take(buffer), [place])) for buffer in self.partials
            ]
            own.append(chosen(e, e.compare(place, "slt", count), loads, neutral))
            places.append(place)
        parts = own[0]
        for values in own[1:]:
            parts = joined(e, folds, parts, values)
        buffers = _shared(kernel, folds)
        before, all_ = scan_in_block(e, folds, parts, thread, buffers)
        begun = [self.mapping.value(kernel, value, {}) for value in self.scan.loop.iter_args]
        held = joined(e, folds, begun, before)
        for place, values in zip(places, own, strict=True):
            for value, buffer in zip(held, self.partials, strict=True):
                e.put(memref.StoreOp.get(value, kernel.take(buffer), [place]))
            held = joined(e, folds, held, values)

        def leave(e: IndexWriter) -> None:
            for total, buffer in zip(joined(e, folds, begun, all_), results, strict=True):
                e.put(memref.StoreOp.get(total, kernel.take(buffer), []))

        e.branch(e.compare(thread, "eq", e.index(0)), leave)
        self.mapping.launches.launch(kernel, (self.mapping.launches.host.index(1), None))

    def go_through_runs(self) -> None:
        """Let each block do its run, with what is before each iteration."""
        kernel = self.mapping.kernel(self.scan.loop)
        begin, end = self._run_of_block(kernel)
        e, folds = kernel.body, self.scan.folds
        thread = kernel.thread()
        is_first = e.compare(thread, "eq", e.index(0))
        block = kernel.block_number()
        buffers = _shared(kernel, folds)
        carried = [kernel.shared(type, 1) for type in element_types(folds)]
        zero = e.index(0)

        def start(e: IndexWriter) -> None:
            for buffer, partial in zip(carried, self.partials, strict=True):
                value = e.add(memref.LoadOp.get(kernel.take(partial), [block]))
                e.put(memref.StoreOp.get(value, buffer, [zero]))

        e.branch(is_first, start)
        e.put(gpu.BarrierOp())

        def round_(e: IndexWriter, first: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            index = e.sum(first, thread)
            index.name_hint = "index"
            is_in = e.compare(index, "slt", end)
            some, none = e.inner(), e.inner()
            some.put(scf.YieldOp(*_added(kernel, some, self.scan, index)))
            none.put(scf.YieldOp(*identities(none, folds)))
            made = scf.IfOp(is_in, element_types(folds), Region(some.block), Region(none.block))
            e.put(made)
            before, all_ = scan_in_block(e, folds, made.results, thread, buffers)
            held = [e.add(memref.LoadOp.get(buffer, [zero])) for buffer in carried]

            def point(e: IndexWriter) -> None:
                _iteration(kernel, e, self.scan, index, joined(e, folds, held, before))

            e.branch(is_in, point)
            e.put(gpu.BarrierOp())

            def go_on(e: IndexWriter) -> None:
                for total, buffer in zip(joined(e, folds, held, all_), carried, strict=True):
                    e.put(memref.StoreOp.get(total, buffer, [zero]))

            e.branch(is_first, go_on)
            e.put(gpu.BarrierOp())
            return []

        e.loop(begin, end, e.index(THREADS), [], round_, "first")
        self.mapping.launches.launch(kernel, (self.blocks, None))


def _shared(kernel: KernelWriter, folds: Folds) -> list[SSAValue]:
    return [kernel.shared(type, WARPS) for type in element_types(folds)]


def _added(kernel: KernelWriter, e: IndexWriter, scan: Scan, index: SSAValue) -> list[SSAValue]:
    """Append what an iteration adds, without what it stores."""
    return _iteration(kernel, e, scan, index, identities(e, scan.folds), stores=False)


def _iteration(
    kernel: KernelWriter,
    e: IndexWriter,
    scan: Scan,
    index: SSAValue,
    held: Sequence[SSAValue],
    *,
    stores: bool = True,
) -> list[SSAValue]:
    """Append an iteration with `held` before it; return what it yields."""
    block = scan.loop.body.block
    inside: Values = {}
    inside.update(zip(block.args, [index, *held], strict=True))
    for op in block.ops:
        if isinstance(op, scf.YieldOp):
            return [inside[v] if v in inside else kernel.take(v) for v in op.operands]
        if isinstance(op, memref.StoreOp) and not stores and not is_within(op.memref, scan.loop):
            continue
        copy = kernel.copy(op, e, inside)
        for inner in [] if stores else list(copy.walk()):
            own = isinstance(inner, memref.StoreOp) and isinstance(
                inner.memref.owner, memref.AllocaOp
            )
            if isinstance(inner, memref.StoreOp) and not own:
                inner.detach()
                inner.erase()
    raise AssertionError("a loop yields what it carries")

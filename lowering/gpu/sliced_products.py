"""How a sparse matrix in slices of windows is multiplied with a vector: two kernels.

    multiply    each block keeps what the vector has in one window, and goes through slices of it
    join        what the windows come to for a row is added up, in their order

A matrix whose rows read a vector here and there waits for that vector, not for its own entries:
each read fetches 32 bytes of the second cache for eight. Memory that threads of a block share has
no such lines. What is added up in which order depends on the matrix alone. Slices are those of
Monakov, Lokhmotov and Avetisyan ("Automatically tuning sparse matrix-vector multiplication for GPU
architectures", 2010), their rows in order of length as in SELL-C-sigma (Kreutzer et al., "A unified
sparse matrix data format for efficient general sparse matrix-vector multiplication on modern
processors with wide SIMD units", 2014). Floats of 32 bits are added up in 64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce

from xdsl.dialects import arith, gpu, memref
from xdsl.dialects.builtin import AnyFloat, BoolAttr, IndexType, IntegerAttr, f64, i32
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import SSAValue

from diablo.dialects.monoids import number_attribute
from diablo.dialects.number_constants import constant_op
from diablo.dialects.simt import WARP_SIZE, SlicedProductOp
from diablo.lowering.gpu.kernel_mappings import GridMapping
from diablo.lowering.gpu.kernel_writer import THREADS, IndexWriter, KernelWriter
from diablo.passes.analyses.refused import Refused

_WARPS = 16
SLICING_THREADS = _WARPS * WARP_SIZE
"""How many threads a block has: two blocks are as many as have room for what they hold."""
WINDOW_BYTES = 110 << 10
"""How many bytes of the vector, and of its zero, a block keeps."""
_TOGETHER = 4
"""How many pairs of entries a thread asks for at a time."""
_HALF = 16
"""How many bits the place of an entry has."""
_CONTRACT = arith.FastMathFlagsAttr([FastMathFlag.ALLOW_CONTRACT])


def map_sliced_product(mapping: GridMapping, op: SlicedProductOp) -> None:
    """Write the kernels of a product, and their launches."""
    launches, host = mapping.launches, mapping.launches.host
    starts, result = launches.value(op.starts), launches.value(op.result)
    each = launches.value(op.blocks)
    if starts is None or result is None or each is None:
        raise Refused("what is multiplied shows on the device alone")
    windows = host.add(memref.DimOp(starts, host.index(0)), "windows")
    count = host.add(memref.DimOp(result, host.index(0)), "count")
    size = launches.note(host.product(windows, count))
    partials = launches.note(launches.allocate_line(f64, size, "partials"))
    _multiply(mapping, op, (each, windows), partials)
    _join(mapping, op, launches.note(windows), partials)


def _multiply(
    mapping: GridMapping,
    op: SlicedProductOp,
    grid: tuple[SSAValue, SSAValue],
    partials: SSAValue,
) -> None:
    """The kernel in which each block has a window, and threads side by side have rows."""
    kernel = mapping.kernel(op)
    e = kernel.body
    starts, rows = kernel.take(op.starts), kernel.take(op.rows)
    exponent = kernel.take(op.exponent, "exponent")
    made = kernel.parameter(partials, "partials")
    one = e.index(1)
    count = e.add(memref.DimOp(kernel.take(op.result), e.index(0)), "count")
    last = e.difference(e.add(memref.DimOp(starts, one)), one)
    window = kernel.block_number("y")
    group, lane = e.split(kernel.thread(), exponent)
    groups = e.add(arith.ShRUIOp(e.index(SLICING_THREADS), exponent), "groups")
    first = e.sum(e.product(kernel.block_number(), groups), group)
    kept = kernel.shared(op.element, op.most.value.data + 1)
    entries = _Entries(
        kernel.take(op.places),
        kernel.take(op.values),
        kept,
        exponent,
        op.most.value.data,
        op.element,
    )
    _keep_window(kernel, op, window, kept)
    own = e.product(window, count)

    def slice_(e: IndexWriter, number: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
        place = e.sum(e.add(arith.ShLIOp(number, exponent)), lane)
        begin = _number_at(e, starts, [window, number])
        end = _number_at(e, starts, [window, e.sum(number, e.index(1))])
        row = _number_at(e, rows, [window, place])
        total = entries.total(e, begin, end, lane)
        is_row = e.compare(row, "sge", e.index(0))
        e.branch(is_row, lambda e: e.put(memref.StoreOp.get(total, made, [e.sum(own, row)])))
        return []

    e.loop(first, last, e.product(kernel.blocks(), groups), [], slice_, "slice")
    mapping.launches.launch(kernel, grid, (WARP_SIZE, _WARPS))


def _keep_window(
    kernel: KernelWriter, op: SlicedProductOp, window: SSAValue, kept: SSAValue
) -> None:
    """Append that the threads of a block copy what the vector has in their window, and a zero."""
    e, most = kernel.body, op.most.value.data
    vector, width = kernel.take(op.vector), kernel.take(op.width, "width")
    begin = e.product(window, width)
    rest = e.difference(e.add(memref.DimOp(vector, e.index(0))), begin)

    def copy(e: IndexWriter, index: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
        element = e.add(memref.LoadOp.get(vector, [e.sum(begin, index)]))
        e.put(memref.StoreOp.get(element, kept, [index]))
        return []

    e.loop(kernel.thread(), e.least(rest, width), e.index(SLICING_THREADS), [], copy, "index")
    zero = e.add(constant_op(number_attribute(0, op.element)))
    is_first = e.compare(kernel.thread(), "eq", e.index(0))
    e.branch(is_first, lambda e: e.put(memref.StoreOp.get(zero, kept, [e.index(most)])))
    e.put(gpu.BarrierOp())


@dataclass(frozen=True)
class _Entries:
    """The entries of the matrix as a thread goes through those of a row.

    Parameters
    ----------
    kept : what the vector has in the window
    exponent : that of two of how many rows are side by side
    most : how many columns a window has at most, and the place of the zero
    element : the type of what is multiplied
    """

    places: SSAValue
    values: SSAValue
    kept: SSAValue
    exponent: SSAValue
    most: int
    element: AnyFloat

    def total(self, e: IndexWriter, begin: SSAValue, end: SSAValue, lane: SSAValue) -> SSAValue:
        """Append the sum of a row's products, of pairs from `begin` to `end`."""
        zero, no_sum = (e.add(constant_op(number_attribute(0, t))) for t in (self.element, f64))
        step = e.index(_TOGETHER)
        # Signed, as all differences of indices are; nothing is left of a slice that is empty.
        rounds = e.quotient(e.difference(end, begin), step)
        middle = e.sum(begin, e.product(rounds, step))

        def whole(e: IndexWriter, pair: SSAValue, sums: Sequence[SSAValue]) -> list[SSAValue]:
            pairs = [e.sum(pair, e.index(k)) for k in range(_TOGETHER)]
            return self._added(e, sums, [self._read(e, each, lane) for each in pairs])

        sums = e.loop(begin, middle, step, [no_sum] * _TOGETHER, whole, "pair")
        # Nothing of the rest waits for anything else of it: there is no loop.
        nothing = [e.add(arith.ConstantOp(IntegerAttr(self.most * ((1 << _HALF) + 1), i32)))]
        nothing += [zero, zero]
        rest: list[Sequence[SSAValue]] = []
        for number in range(_TOGETHER - 1):
            pair = e.sum(middle, e.index(number))
            is_in = e.compare(pair, "slt", end)
            read = partial(self._read, pair=pair, lane=lane)
            rest.append(e.choice(is_in, read, nothing))
        sums = [*self._added(e, sums[:-1], rest), sums[-1]]
        return reduce(lambda left, right: e.add(arith.AddfOp(left, right, _CONTRACT)), sums)

    def _read(self, e: IndexWriter, pair: SSAValue, lane: SSAValue) -> list[SSAValue]:
        """Append reads of a pair of a thread: its places, and its values."""
        place = e.sum(e.add(arith.ShLIOp(pair, self.exponent)), lane)
        first = e.sum(e.add(arith.ShLIOp(e.sum(pair, pair), self.exponent)), lane)
        second = e.sum(first, e.power(self.exponent))
        reads = [(self.places, place), (self.values, first), (self.values, second)]
        return [e.add(_read_once(buffer, index)) for buffer, index in reads]

    def _added(
        self, e: IndexWriter, sums: Sequence[SSAValue], pairs: Sequence[Sequence[SSAValue]]
    ) -> list[SSAValue]:
        """Append that products of pairs are added to sums, one each."""
        result: list[SSAValue] = []
        for total, (places, *values) in zip(sums, pairs, strict=True):
            word = e.add(arith.IndexCastOp(places, IndexType()))
            mask = e.index((1 << _HALF) - 1)
            low = e.add(arith.AndIOp(word, mask))
            high = e.add(arith.ShRUIOp(word, e.index(_HALF)))
            for value, place in zip(values, (low, high), strict=True):
                factor = e.add(memref.LoadOp.get(self.kept, [place]))
                if self.element != f64:
                    value, factor = (e.add(arith.ExtFOp(each, f64)) for each in (value, factor))
                product = e.add(arith.MulfOp(value, factor, _CONTRACT))
                total = e.add(arith.AddfOp(total, product, _CONTRACT))
            result.append(total)
        return result


def _join(mapping: GridMapping, op: SlicedProductOp, windows: SSAValue, partials: SSAValue) -> None:
    """The kernel in which each thread adds up what windows come to for a row."""
    kernel = mapping.kernel(op)
    e = kernel.body
    made, number = kernel.parameter(partials, "partials"), kernel.parameter(windows, "windows")
    result = kernel.take(op.result)
    count = e.add(memref.DimOp(result, e.index(0)), "count")
    first = e.sum(e.product(kernel.block_number(), e.index(THREADS)), kernel.thread())

    def row(e: IndexWriter, index: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
        def add(e: IndexWriter, window: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
            place = e.sum(e.product(window, count), index)
            part = e.add(memref.LoadOp.get(made, [place]))
            return [e.add(arith.AddfOp(held[0], part))]

        zero = e.add(constant_op(number_attribute(0, f64)))
        (total,) = e.loop(e.index(0), number, e.index(1), [zero], add, "window")
        if op.element != f64:
            total = e.add(arith.TruncFOp(total, op.element))
        e.put(memref.StoreOp.get(total, result, [index]))
        return []

    e.loop(first, count, e.product(kernel.blocks(), e.index(THREADS)), [], row, "row")
    launches = mapping.launches
    rows = launches.value(op.result)
    assert rows is not None
    count_there = launches.host.add(memref.DimOp(rows, launches.host.index(0)))
    launches.launch(kernel, (launches.blocks(count_there, THREADS), None))


def _number_at(e: IndexWriter, buffer: SSAValue, indices: Sequence[SSAValue]) -> SSAValue:
    return e.add(arith.IndexCastOp(e.add(memref.LoadOp.get(buffer, indices)), IndexType()))


def _read_once(buffer: SSAValue, index: SSAValue) -> memref.LoadOp:
    """A read of what nobody reads again soon, which need not take the place of anything."""
    load = memref.LoadOp.get(buffer, [index])
    load.nontemporal = BoolAttr.from_bool(True)
    return load

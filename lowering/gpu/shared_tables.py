"""Tables in the memory that the threads of a block share, for what meets at few places.

    simt.atomic add %x, %h[%k]     =>    scf.if %fits {          each block has a table of its own
                                           simt.atomic add %x, %table[%k]
                                         } else {
                                           simt.atomic add %x, %h[%k]
                                         }
                                         gpu.barrier
                                         …                       and adds it up in %h at the end

Where few places are met by many, threads wait for one another in the memory of the device, and far
less in that of a multiprocessor. Whether the places fit shows when the kernel runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import AnyFloat, FixedBitwidthType, MemRefType, i1
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects.simt import AtomicOp
from diablo.lowering.gpu.kernel_writer import THREADS, IndexWriter, KernelWriter
from diablo.lowering.gpu.loop_structure import Accumulation
from diablo.lowering.llvm.monoid_folds import Fold

_BYTES = 32 << 10
"""How large the tables of a block are together: a multiprocessor has room for several blocks."""


@dataclass(frozen=True)
class SharedTable:
    """The table that stands for a buffer in a kernel."""

    buffer: SSAValue
    sizes: Sequence[SSAValue]
    fold: Fold
    table: SSAValue
    fits: SSAValue
    used: SSAValue
    """How many places it has; none where these do not fit."""


_AtPlace = Callable[[IndexWriter, SharedTable, SSAValue], None]


def _size(element: Attribute) -> int:
    """Return how many bytes an element has in memory."""
    if element == i1:
        return 1
    return element.size if isinstance(element, FixedBitwidthType) else 8


def make_tables(
    kernel: KernelWriter, accumulations: Sequence[Accumulation]
) -> Sequence[SharedTable]:
    """Append tables for what is combined with elements of buffers, which say nothing so far."""
    monoids = {each.store.memref: each.monoid for each in accumulations}
    types: list[MemRefType[Attribute]] = []
    for buffer in monoids:
        assert isa(buffer.type, MemRefType[Attribute])
        types.append(buffer.type)
    most = _BYTES // max(sum(_size(type.element_type) for type in types), 1)
    e = kernel.body
    tables: list[SharedTable] = []
    for (buffer, monoid), type in zip(monoids.items(), types, strict=True):
        own = kernel.take(buffer)
        axes = range(type.get_num_dims())
        sizes = [e.add(memref.DimOp(own, e.index(axis))) for axis in axes]
        size = reduce(e.product, sizes) if sizes else e.index(1)
        fits = e.compare(size, "ule", e.index(most))
        used = e.add(arith.SelectOp(fits, size, e.index(0)), "used")
        fold = Fold(monoid, type.element_type)
        table = SharedTable(own, sizes, fold, kernel.shared(type.element_type, most), fits, used)
        _each_place(kernel, table, _clear)
        tables.append(table)
    e.put(gpu.BarrierOp())
    return tables


def _each_place(kernel: KernelWriter, table: SharedTable, body: _AtPlace) -> None:
    """Append what the threads of a block do with the places of a table."""

    def place(e: IndexWriter, number: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
        body(e, table, number)
        return []

    e = kernel.body
    e.loop(kernel.thread(), table.used, e.index(THREADS), [], place, "place")


def _clear(e: IndexWriter, table: SharedTable, place: SSAValue) -> None:
    (neutral,) = table.fold.identity(e.block, e.op)
    e.put(memref.StoreOp.get(neutral, table.table, [place]))


def _leave(e: IndexWriter, table: SharedTable, place: SSAValue) -> None:
    """Combine what a block has for a place with the element, unless it has nothing."""
    value = e.add(memref.LoadOp.get(table.table, [place]))
    (neutral,) = table.fold.identity(e.block, e.op)

    def combine(e: IndexWriter) -> None:
        indices: list[SSAValue] = []
        rest = place
        for size in reversed(table.sizes[1:]):
            indices.append(e.remainder(rest, size))
            rest = e.quotient(rest, size)
        indices += [rest] if table.sizes else []
        e.put(AtomicOp(table.fold.monoid, value, table.buffer, indices[::-1]))

    is_float = isinstance(value.type, AnyFloat)
    differs = (arith.CmpfOp if is_float else arith.CmpiOp)(
        value, neutral, "une" if is_float else "ne"
    )
    e.branch(e.add(differs), combine)


def use_tables(kernel: KernelWriter, tables: Sequence[SharedTable]) -> None:
    """Let what a kernel combines in memory be combined in tables, and with memory at the end."""
    if not tables:
        return
    by_buffer = {table.buffer: table for table in tables}
    for op in [op for inner in kernel.body.block.ops for op in inner.walk()]:
        if isinstance(op, AtomicOp) and op.memref in by_buffer:
            _redirect(op, by_buffer[op.memref])
    kernel.body.put(gpu.BarrierOp())
    for table in tables:
        _each_place(kernel, table, _leave)


def _redirect(op: AtomicOp, table: SharedTable) -> None:
    """Let an op combine with the table if that is used."""
    block = op.parent
    assert block is not None
    here, otherwise = IndexWriter(op), IndexWriter(op)
    first, *others = op.indices or [here.index(0)]
    place = first
    for index, size in zip(others, table.sizes[1:], strict=True):
        place = here.sum(here.product(place, size), index)
    here.put(AtomicOp(op.monoid.data, op.value, table.table, [place]))
    otherwise.put(AtomicOp(op.monoid.data, op.value, op.memref, op.indices))
    for writer in (here, otherwise):
        writer.put(scf.YieldOp())
    branch = scf.IfOp(table.fits, [], Region(here.block), Region(otherwise.block))
    branch.location = op.location
    block.insert_op_before(branch, op)
    op.detach()
    op.erase()

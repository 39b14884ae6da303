"""Rows in the order of their keys, and loops over what there is of them, for threads to share.

%least, %greatest = …       the ends of the words of the keys
simt.sort %keys, %rows      keys less the least one, in as many bits as the ends are apart
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, math, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, i64
from xdsl.ir import Attribute, SSAValue

from diablo.dialects.monoids import combine, identity
from diablo.dialects.number_constants import constant_op
from diablo.dialects.simt import LookOp, SortOp
from diablo.lowering.multiloop.op_writer import OpWriter
from diablo.monoid_table import extremum_monoid

Body = Callable[[OpWriter, SSAValue, Sequence[SSAValue]], Sequence[SSAValue]]
"""Writes an iteration, given its number and what it carries; returns the latter."""
Word = Callable[[OpWriter, SSAValue], SSAValue]
"""Writes the word of a row's key, given the row."""
_ENDS = (extremum_monoid("<").name, extremum_monoid(">").name)
"""The monoids that give the least and the greatest word."""


def loop_up_to(
    e: OpWriter,
    count: SSAValue,
    body: Body,
    carried: Sequence[SSAValue] = (),
    begin: SSAValue | None = None,
    hint: str = "row",
) -> scf.ForOp:
    """Append a loop up to a number."""
    inner = e.inner([IndexType(), *(value.type for value in carried)])
    index, *held = inner.block.args
    index.name_hint = hint
    inner.put(scf.YieldOp(*body(inner, index, held)))
    loop = scf.ForOp(begin or e.index(0), count, e.index(1), carried, inner.block)
    e.put(loop)
    return loop


def line_of(e: OpWriter, element: Attribute, size: SSAValue, hint: str) -> SSAValue:
    """Append memory for so many elements."""
    return e.add(memref.AllocOp([size], [], MemRefType(element, [DYNAMIC_INDEX])), hint)


def plus(e: OpWriter, value: SSAValue, number: int) -> SSAValue:
    """Append the sum of an index and a number."""
    return e.add(arith.AddiOp(value, e.index(number)))


Ends = tuple[SSAValue, SSAValue]
"""The least and the greatest of some words, which whoever launches kernels knows."""


def find_ends(e: OpWriter, count: SSAValue, word: Word) -> Ends:
    """Append the ends of the words of so many rows; without any the greatest is less."""

    def bounds(e: OpWriter, row: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
        own = word(e, row)
        return [e.add(combine(end, value, own)) for end, value in zip(_ENDS, held, strict=True)]

    neutral = [e.add(constant_op(identity(end, i64))) for end in _ENDS]
    found = loop_up_to(e, count, bounds, neutral, hint="place").results
    least, greatest = [e.add(LookOp(value)) for value in found]
    return least, greatest


@dataclass
class SortedKeys:
    """Keys in order, less the least of them, and the rows that have them."""

    keys: SSAValue
    rows: SSAValue
    least: SSAValue
    bits: SSAValue
    """How many bits keys have at most."""


def sort_keys(
    e: OpWriter, count: SSAValue, word: Word, ends: Ends, rows: SSAValue | None = None
) -> SortedKeys:
    """Append that rows are sorted by a word of each: those in `rows`, in their order."""
    least, greatest = ends
    keys = line_of(e, i64, count, "keys")
    order = line_of(e, IndexType(), count, "rows")

    def put(e: OpWriter, place: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
        row = place if rows is None else e.add(memref.LoadOp.get(rows, [place]))
        key = e.add(arith.SubiOp(word(e, row), least))
        e.put(memref.StoreOp.get(key, keys, [place]))
        e.put(memref.StoreOp.get(row, order, [place]))
        return []

    loop_up_to(e, count, put, hint="place")
    zeros = e.add(math.CountLeadingZerosOp(e.add(arith.SubiOp(greatest, least))))
    used = e.add(arith.SubiOp(e.index(64), e.add(arith.IndexCastOp(zeros, IndexType()))))
    some = e.add(arith.CmpiOp(count, e.index(0), "sgt"))
    bits = e.add(arith.SelectOp(some, used, e.index(0)))
    e.put(SortOp(keys, order, bits))
    return SortedKeys(keys, order, least, bits)

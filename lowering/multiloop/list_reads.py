"""What loops read of a list at a position, which may be outside of it.

    %x = comprehension.element %xs[%i]   =>   %inside = arith.cmpi ult, %i, %length : index
                                              %x = scf.if %inside -> (f64) {
                                                %0 = memref.load %item[%start + %i]
                                              } else {
                                                memref.store %one, %failed[%zero]
                                                %0 = 0.0
                                              }

A call that has failed goes on with zeros, and says so at its end: whoever called it asks NumPy's
function, which says what failed. Where each iteration of a loop over a range reads a list at a
multiple of its index, the first and the last position are tested before the loop, and it has no
iteration if one of them is outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IntegerAttr, MemRefType, i1
from xdsl.ir import Attribute, Region, SSAValue

from diablo.dialects.comprehension import ElementOp, LengthOp
from diablo.dialects.monoids import zero_of
from diablo.dialects.multiloop import CollectType, LoopOp
from diablo.dialects.number_constants import constant_op
from diablo.lowering.multiloop.generator_code import Frame
from diablo.lowering.multiloop.op_writer import OpWriter
from diablo.passes.analyses.values.linear_forms import (
    LinearForm,
    linear_form,
    write_linear_form,
)

MOST_COLLECTED = 1 << 28
"""How many numbers of a range a row collects at most: NumPy says what lacks memory."""
MOST_APART = 16
"""How far apart the positions of neighbouring iterations are at most, to be tested ahead.

Of as many iterations as the list has elements they are no multiples that wrap around."""


@dataclass(frozen=True)
class LinearRead:
    """What each iteration of a loop reads, at `rest` and `factor` times the index."""

    element: ElementOp
    factor: int
    rest: LinearForm


def tested_ahead(loop: LoopOp) -> list[LinearRead]:
    """The reads in any iteration of a loop over a range whose positions are known before it."""
    if loop.source.data != "range":
        return []
    index = loop.elements[0]

    def is_known(value: SSAValue) -> bool:
        owner = value.owner
        if isinstance(owner, LengthOp):
            return not loop.is_ancestor(owner.bag.owner)
        return not loop.is_ancestor(owner)

    reads: list[LinearRead] = []
    for op in loop.body.block.ops:
        if not isinstance(op, ElementOp) or loop.is_ancestor(op.bag.owner):
            continue
        form = linear_form(op.position)
        factor, rest = form.factor(index), form.without(index)
        if abs(factor) <= MOST_APART and all(map(is_known, rest.variables)):
            reads.append(LinearRead(op, factor, rest))
    return reads


def put_test(
    writer: OpWriter,
    frame: Frame,
    read: LinearRead,
    rest: LinearForm,
    loop: tuple[SSAValue, SSAValue, SSAValue],
    length: SSAValue,
) -> SSAValue:
    """Append that a loop from a number to another fails if it reads outside of a list.

    `rest` is that of the read, in the values that are there. Returns how many iterations are left.
    """
    lower, upper, trips = loop
    start = write_linear_form(rest, writer.put, constant=writer.index)

    def is_inside(index: SSAValue) -> SSAValue:
        step = writer.add(arith.MuliOp(index, writer.index(read.factor)))
        place = writer.add(arith.AddiOp(start, step)) if read.factor else start
        # As integers without a sign negative ones are large.
        return writer.add(arith.CmpiOp(place, length, "ult"))

    inside = is_inside(lower)
    if read.factor:
        last = is_inside(writer.add(arith.SubiOp(upper, writer.index(1))))
        few = writer.add(arith.CmpiOp(trips, length, "sle"))
        inside = writer.add(arith.AndIOp(writer.add(arith.AndIOp(inside, last)), few))
    some = writer.add(arith.CmpiOp(trips, writer.index(0), "sgt"))
    true = writer.add(arith.ConstantOp(IntegerAttr(1, i1)))
    outside = writer.add(arith.AndIOp(writer.add(arith.XOrIOp(inside, true)), some), "outside")
    writer.branch(outside, lambda then: _fail(then, frame))
    return writer.add(arith.SelectOp(outside, writer.index(0), trips))


def put_limit(
    writer: OpWriter, frame: Frame, bounds: tuple[SSAValue, SSAValue], trips: SSAValue
) -> SSAValue:
    """Append that a loop from a number to another fails if it would collect far too many rows.

    Returns how many iterations are left.
    """
    lower, upper = bounds
    some = writer.add(arith.CmpiOp(lower, upper, "slt"))
    between = writer.add(arith.SubiOp(upper, lower))  # It wraps around if they are far apart.
    many = writer.add(arith.CmpiOp(between, writer.index(MOST_COLLECTED), "ugt"))
    far = writer.add(arith.AndIOp(some, many), "far")
    writer.branch(far, lambda then: _fail(then, frame))
    return writer.add(arith.SelectOp(far, writer.index(0), trips))


def may_fail(loop: LoopOp) -> bool:
    """Return whether a row of a loop may read outside of a list, or collect too much."""
    return any(
        isinstance(op, ElementOp)
        or (op is not loop and isinstance(op, LoopOp) and collects_numbers(op))
        for op in loop.walk()
    )


def collects_numbers(loop: LoopOp) -> bool:
    """Return whether a loop collects a row for each number of a range."""
    collects = any(isinstance(generator.type, CollectType) for generator in loop.generators)
    return collects and loop.source.data == "range"


def put_read(
    writer: OpWriter,
    frame: Frame,
    columns: Sequence[SSAValue | None],
    place: SSAValue,
    bounds: tuple[SSAValue, SSAValue] | None,
) -> list[SSAValue | None]:
    """Append what columns have at a place, if the first of the `bounds` is below the other."""
    read = [column for column in columns if column is not None]
    if bounds is None:
        loads = [writer.add(memref.LoadOp.get(column, [place])) for column in read]
    else:
        inside = writer.add(arith.CmpiOp(*bounds, "ult"), "inside")
        then, otherwise = writer.inner(), writer.inner()
        then.put(scf.YieldOp(*[then.add(memref.LoadOp.get(each, [place])) for each in read]))
        _fail(otherwise, frame)
        types = [_element(column) for column in read]
        otherwise.put(scf.YieldOp(*[otherwise.add(constant_op(zero_of(t))) for t in types]))
        choice = scf.IfOp(inside, types, Region(then.block), Region(otherwise.block))
        writer.put(choice)
        loads = choice.results
    parts = iter(loads)
    return [None if column is None else next(parts) for column in columns]


def _element(column: SSAValue) -> Attribute:
    return cast("MemRefType[Attribute]", column.type).get_element_type()


def _fail(writer: OpWriter, frame: Frame) -> None:
    """Append that the call has failed."""
    frame.failed.write(writer, [writer.index(1)])

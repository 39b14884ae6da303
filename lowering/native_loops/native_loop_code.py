"""What the function of a converted loop is written with, and what it takes and may fail with.

    code.require(%inside, op, array, indices)     =>     scf.if %outside { memref.store … %failure }
                                                         cf.assert %inside, "the call ends"
    code.ask()                                    =>     every so many times: is the call to end?

Indices that may need more than 64 bits have 128 (`widen`, `narrow`, `fitting`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from xdsl.dialects import arith, cf, func, memref, scf
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.locations import located
from diablo.dialects.number_constants import constant_op
from diablo.dialects.scalar_types import is_unsigned
from diablo.kernel_signature import Dimension, Slot
from diablo.lowering.native_loops.loop_jobs import LoopJobs
from diablo.lowering.native_loops.native_loops import Buffers

INTERRUPTED = "diablo_interrupted"
"""The function of the process that runs a loop that says whether it is to end."""
EXPECT = "llvm.expect.i1"
"""LLVM's function that is its first argument, which is mostly the second."""
UNSUITABLE = -2
"""The failure of a call that is Python's: arrays do not have the extents that the loop wants, or a
number that it divides by is not above zero."""
ITERATIONS = 1 << 22
"""After how many iterations a loop asks."""
WIDE = IntegerType(128)
Bounds = dict[tuple[int, int], Dimension]
"""Of dimensions of arguments: how far they reach at least, which the caller sees to."""
ArrayNamed = int | tuple[Dimension, ...]
"""The number of an argument, or the extents of an array that a kernel makes."""


@dataclass(frozen=True)
class CalledProduct:
    """A product of a sparse matrix, the argument `matrix`, and vectors.

    Its rows are numbered along one dimension of the matrix, whose extents there are `extents`.
    """

    matrix: int
    row: int
    column: int
    extents: tuple[Dimension, Dimension]


@dataclass
class ConvertedLoop:
    """What the function of a loop takes and may fail with, once it is converted."""

    bounds: Bounds = field(default_factory=Bounds)
    failures: list[Operation] = field(default_factory=list[Operation])
    """The divisions, reads, writes and assertions that may fail, in the order of their numbers."""
    arrays: list[ArrayNamed] = field(default_factory=list["ArrayNamed"])
    """For each failure the array that it reads or writes, or -1."""
    indices: int = 0
    """How many indices a failure may have."""
    written: set[int] = field(default_factory=set[int])
    """The numbers of the arrays that are written."""
    temporaries: list[Slot] = field(default_factory=list[Slot])
    """The memory that kernels make arrays in."""
    copied: list[int] = field(default_factory=list[int])
    """The numbers of the arrays of which a call needs a copy, to write what kernels make to."""
    rank: int = 0
    """How many dimensions the kernels go through, at most; 0 where none is called."""
    products: list[CalledProduct] = field(default_factory=list["CalledProduct"])
    """The products of sparse matrices."""


@dataclass
class NativeCode:
    """Where ops are written in the function of a loop, and what its values have become."""

    function: func.FuncOp
    found: ConvertedLoop = field(default_factory=ConvertedLoop)
    buffers: Buffers = field(default_factory=Buffers)
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    block: Block = field(default_factory=Block)
    like: Operation | None = None
    """Whose location what is written has."""
    failure: SSAValue | None = None
    indices: list[SSAValue] = field(default_factory=list[SSAValue])
    countdown: SSAValue | None = None
    head: Operation | None = None
    """Before what buffers are made, once for a call."""
    jobs: LoopJobs | None = None
    """The kernels that are no part of the function."""
    table: SSAValue | None = None
    """The words of these."""

    def add(self, op: Operation) -> SSAValue:
        """Write an op; returns its result."""
        assert self.like is not None
        self.block.add_op(located(op, self.like))
        return op.results[0]

    def integer(self, value: int, type: Attribute = i64) -> SSAValue:
        """Write a constant."""
        return self.add(constant_op(IntegerAttr(value, type)))  # pyright: ignore

    def store(self, value: SSAValue, place: SSAValue) -> None:
        """Write a number to a place of its own, or as a word to one of a word."""
        if place.type == MemRefType(i64, []):
            value = self.word(value)
        assert self.like is not None
        self.block.add_op(located(memref.StoreOp.get(value, place, []), self.like))

    def make(self, buffer: memref.AllocaOp) -> SSAValue:
        """Make a buffer at the head of the function, however often the loop runs."""
        assert self.head is not None
        Rewriter.insert_op(buffer, InsertPoint.before(self.head))
        return buffer.memref

    def into(self, block: Block) -> Block:
        """Write into another block; returns the one so far."""
        before, self.block = self.block, block
        return before

    def word(self, value: SSAValue) -> SSAValue:
        """A number as 64 bits: an integer, a truth value, an index, or what a float has of bits."""
        if value.type == i64:
            return value
        if isinstance(value.type, IndexType):
            return self.add(arith.IndexCastOp(value, i64))
        if isinstance(value.type, Float64Type):
            return self.add(arith.BitcastOp(value, i64))
        if isinstance(value.type, Float32Type):
            value = self.add(arith.BitcastOp(value, i32))
            return self.add(arith.ExtUIOp(value, i64))
        is_zero_above = value.type == i1 or is_unsigned(value.type)
        return self.add((arith.ExtUIOp if is_zero_above else arith.ExtSIOp)(value, i64))

    def dim(self, buffer: SSAValue, axis: int) -> SSAValue:
        """Write the extent of an array."""
        return self.add(memref.DimOp(buffer, self.integer(axis, IndexType())))

    def extent(self, array: SSAValue, axis: int) -> SSAValue:
        """Write the extent of an array of the loop, which may be one that a job makes."""
        owner = self.buffers.of(array)
        made = self.buffers.extents.get(owner) if owner not in self.values else None
        if made is None:
            return self.dim(self.values[owner], axis)
        known = made[axis]
        if known.constant is not None:
            return self.integer(known.constant, IndexType())
        value = self.values[self.function.args[known.argument]]
        if known.axis is not None:
            return self.dim(value, known.axis)
        if isinstance(value.type, IndexType):
            return value
        return self.add(arith.IndexCastOp(value, IndexType()))

    def buffer(self, array: SSAValue) -> SSAValue:
        """The memory that an array is in."""
        return self.values[self.buffers.of(array)]

    def bind(self, op: Operation, new: Operation) -> None:
        """Write what an op has become, whose results have its names."""
        self.block.add_op(located(new, op))
        for old, result in zip(op.results, new.results, strict=True):
            result.name_hint = old.name_hint
            self.values[old] = result

    def widen(self, value: SSAValue) -> SSAValue:
        """A value as 128 bits."""
        if value.type == WIDE:
            return value
        return self.add(arith.ExtSIOp(self.add(arith.IndexCastOp(value, i64)), WIDE))

    def narrow(self, value: SSAValue) -> SSAValue:
        """A value as the rest of the code has it."""
        new = self.values[value]
        return self._cut(new, value.type) if new.type == WIDE else new

    def fitting(self, value: SSAValue) -> SSAValue:
        """A value that a kernel or a message is given: the nearest that 64 bits have.

        Neither it nor an index that needs more bits is inside of an array, and what a kernel
        computes of it stays outside.
        """
        wide = self.values[value]
        if wide.type != WIDE:
            return wide
        for limit, order in ((-(2**63), "sgt"), (2**63 - 1, "slt")):
            bound = self.integer(limit, WIDE)
            within = self.add(arith.CmpiOp(wide, bound, order))
            wide = self.add(arith.SelectOp(within, wide, bound))
        return self._cut(wide, value.type)

    def _cut(self, wide: SSAValue, type: Attribute) -> SSAValue:
        """The lower 64 of 128 bits, as `i64` or `index`."""
        word = self.add(arith.TruncIOp(wide, i64))
        return word if type == i64 else self.add(arith.IndexCastOp(word, IndexType()))

    def likely(self, condition: SSAValue) -> SSAValue:
        """Say that a condition mostly holds, so that LLVM keeps registers for where it does."""
        call = func.CallOp(EXPECT, [condition, self.integer(1, i1)], [i1])
        return self.add(call)

    def require(
        self,
        holds: SSAValue,
        op: Operation,
        array: ArrayNamed = -1,
        indices: Sequence[SSAValue] = (),
    ) -> None:
        """End the call, with the number of `op` as its failure, unless something holds.

        `indices` are those of an element that lies outside of an array then, or the key that a hash
        table has not.
        """
        self.found.failures.append(op)
        self.found.arrays.append(array)
        self.end_unless(holds, op, len(self.found.failures), indices)

    def end_unless(
        self, holds: SSAValue, op: Operation, failure: int, indices: Sequence[SSAValue] = ()
    ) -> None:
        """End the call with a failure where `op` stands, unless something holds."""
        assert self.failure is not None
        fails = self.add(arith.XOrIOp(holds, self.integer(1, i1)))
        outer = self.into(Block())
        self.store(self.integer(failure), self.failure)
        for index, place in zip(indices, self.indices, strict=False):
            self.store(self.fitting(index), place)
        self.block.add_op(scf.YieldOp())
        failing = self.into(outer)
        self.block.add_op(located(scf.IfOp(fails, [], Region(failing), Region()), op))
        self.block.add_op(located(cf.AssertOp(holds, "the call ends"), op))

    def set_countdown(self) -> None:
        """Let the next question come in so many iterations."""
        assert self.countdown is not None
        zero = self.integer(0, IndexType())
        self.block.add_op(memref.StoreOp.get(self.integer(ITERATIONS), self.countdown, [zero]))

    def ask(self) -> None:
        """Ask every so many iterations whether the call is to end."""
        assert self.failure is not None
        left = self.count_points(self.integer(1))
        due = self.add(arith.CmpiOp(left, self.integer(0), "sle"))
        outer = self.into(Block())
        answer = self.add(func.CallOp(INTERRUPTED, [], [i64]))
        self.store(answer, self.failure)
        self.set_countdown()
        self.block.add_op(scf.YieldOp(self.add(arith.CmpiOp(answer, self.integer(0), "eq"))))
        asking = self.into(Block())
        self.block.add_op(scf.YieldOp(self.integer(1, i1)))
        resting = self.into(outer)
        go_on = self.add(scf.IfOp(due, [i1], Region(asking), Region(resting)))
        self.block.add_op(cf.AssertOp(go_on, "the call ends"))

    def count_points(self, points: SSAValue) -> SSAValue:
        """Count points like iterations; returns how many are left until it asks."""
        assert self.countdown is not None
        zero = self.integer(0, IndexType())
        left = self.add(memref.LoadOp.get(self.countdown, [zero]))
        left = self.add(arith.SubiOp(left, points))
        self.block.add_op(memref.StoreOp.get(left, self.countdown, [zero]))
        return left

    @staticmethod
    def argument(block: Block, type: Attribute, hint: str | None) -> SSAValue:
        """Give the function another argument."""
        argument = block.insert_arg(type, len(block.args))
        argument.name_hint = hint
        return argument

    def is_argument(self, owner: SSAValue) -> TypeGuard[BlockArgument]:
        """Whether the memory that an array has is that of an argument."""
        return owner in self.function.args

    def note_written(self, array: SSAValue) -> None:
        """Note that an array is written, if it is an argument."""
        owner = self.buffers.of(array)
        if self.is_argument(owner):
            self.found.written.add(owner.index)

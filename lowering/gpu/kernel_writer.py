"""How a kernel of the `gpu` dialect is written: its arguments are what its body takes from outside.

    %n = memref.dim %A, %zero              gpu.func @k_0(%A: memref<?xf64>) kernel {
    scf.for %i = %zero to %n { … }     =>    %zero = …  %n = memref.dim %A, %zero
                                             …

Arguments of the function around are arguments of the kernel; what is computed of them is computed
again, and a number that another kernel has left in memory is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import FunctionType, IndexType, MemRefType
from xdsl.ir import Attribute, BlockArgument, Operation, Region, SSAValue

from diablo.dialects.effects import has_no_effect
from diablo.dialects.locations import located
from diablo.dialects.simt import SHARED, WARP_SIZE
from diablo.lowering.gpu.loop_structure import is_within
from diablo.lowering.multiloop.op_writer import OpWriter
from diablo.passes.analyses.refused import Refused

WARPS = 8
"""How many warps a block has, but for a kernel of one thread."""
THREADS = WARPS * WARP_SIZE


class IndexWriter(OpWriter):
    """Appends ops to a block that compute with indices."""

    def detached(self) -> list[Operation]:
        """Take the ops that were appended out of the block, to be put elsewhere."""
        ops = list(self.block.ops)
        for op in ops:
            op.detach()
        return ops

    def sum(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Append a sum of indices."""
        return self.add(arith.AddiOp(left, right))

    def difference(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Append a difference of indices."""
        return self.add(arith.SubiOp(left, right))

    def product(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Append a product of indices."""
        return self.add(arith.MuliOp(left, right))

    def quotient(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Append a quotient of indices that are not negative."""
        return self.add(arith.DivUIOp(left, right))

    def remainder(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Append a remainder of indices that are not negative."""
        return self.add(arith.RemUIOp(left, right))

    def power(self, exponent: SSAValue) -> SSAValue:
        """Append the power of two with an exponent."""
        return self.add(arith.ShLIOp(self.index(1), exponent))

    def split(self, number: SSAValue, exponent: SSAValue) -> tuple[SSAValue, SSAValue]:
        """Append the quotient by a power of two, and the remainder: processors divide slowly."""
        mask = self.difference(self.power(exponent), self.index(1))
        quotient = self.add(arith.ShRUIOp(number, exponent))
        return quotient, self.add(arith.AndIOp(number, mask))

    def least(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Append the smaller of two indices."""
        return self.add(arith.MinSIOp(left, right))

    def greatest(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Append the larger of two indices."""
        return self.add(arith.MaxSIOp(left, right))

    def compare(self, left: SSAValue, predicate: str, right: SSAValue) -> SSAValue:
        """Append a comparison."""
        return self.add(arith.CmpiOp(left, right, predicate))

    def loop(
        self,
        begin: SSAValue,
        end: SSAValue,
        step: SSAValue,
        carried: Sequence[SSAValue],
        body: Callable[[IndexWriter, SSAValue, Sequence[SSAValue]], Sequence[SSAValue]],
        hint: str | None = None,
    ) -> list[SSAValue]:
        """Append a loop; `body` is given the index and what it carries, and returns the latter."""
        inner = self.inner([IndexType(), *(value.type for value in carried)])
        index, *held = inner.block.args
        index.name_hint = hint
        inner.put(scf.YieldOp(*body(inner, index, held)))
        loop = scf.ForOp(begin, end, step, carried, inner.block)
        self.put(loop)
        return list(loop.results)

    def choice(
        self,
        condition: SSAValue,
        then: Callable[[IndexWriter], Sequence[SSAValue]],
        otherwise: Sequence[SSAValue],
    ) -> list[SSAValue]:
        """Append what is computed under a condition, for which other values stand else."""
        inner, other = self.inner(), self.inner()
        inner.put(scf.YieldOp(*then(inner)))
        other.put(scf.YieldOp(*otherwise))
        types = [value.type for value in otherwise]
        op = scf.IfOp(condition, types, Region(inner.block), Region(other.block))
        self.put(op)
        return list(op.results)


@dataclass
class KernelWriter:
    """Writes one kernel; `left` has the buffers where other kernels have left what they folded.

    `known` are values that whoever launches the kernel has.
    """

    name: str
    source: Operation
    left: Mapping[SSAValue, SSAValue]
    known: Container[SSAValue] = ()
    arguments: list[SSAValue] = field(default_factory=list[SSAValue], init=False)
    """What the kernel is given, by whoever launches it."""
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue], init=False)

    _thread: SSAValue | None = field(default=None, init=False)
    _blocks: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue], init=False)

    def __post_init__(self) -> None:
        self.first = IndexWriter(self.source)
        self.body = IndexWriter(self.source)

    def take(self, value: SSAValue, hint: str | None = None) -> SSAValue:
        """Return what stands for a value of the function around, which may be an argument more."""
        if value in self.values:
            return self.values[value]
        made = self._taken(value)
        if made.name_hint is None:
            made.name_hint = hint or value.name_hint
        self.values[value] = made
        return made

    def _taken(self, value: SSAValue) -> SSAValue:
        if value in self.left:
            return self.first.add(memref.LoadOp.get(self.take(self.left[value]), []))
        owner = value.owner
        is_buffer = isinstance(owner, gpu.AllocOp)
        if value in self.known or isinstance(value, BlockArgument) or is_buffer:
            self.arguments.append(value)
            return self.first.block.insert_arg(value.type, len(self.first.block.args))
        assert isinstance(owner, Operation)
        # Loads that stand between loops are of buffers that nothing is stored in.
        if not can_compute_again(owner) and not isinstance(owner, memref.LoadOp):
            raise Refused(f"{owner.name} stands between loops")
        self.copy(owner, self.first, {})
        return self.values[value]

    def parameter(self, value: SSAValue, hint: str) -> SSAValue:
        """Return the argument for a value that whoever launches the kernel computes."""
        self.arguments.append(value)
        argument = self.first.block.insert_arg(value.type, len(self.first.block.args))
        argument.name_hint = hint
        return argument

    def copy(
        self, op: Operation, writer: IndexWriter, inside: dict[SSAValue, SSAValue]
    ) -> Operation:
        """Append a copy of an op; `inside` says what stands for values of the loops around it."""
        for operand in [operand for each in op.walk() for operand in each.operands]:
            if operand not in inside and not is_within(operand, op):
                inside[operand] = self.take(operand)
        new = op.clone(inside)
        writer.block.add_op(new)
        if writer is self.first:
            for old, result in zip(op.results, new.results, strict=True):
                self.values[old] = result
        return new

    def copy_with_sources(
        self, op: Operation, writer: IndexWriter, inside: dict[SSAValue, SSAValue]
    ) -> None:
        """Append a copy of an op, and of what computes for it with values that are `inside`."""
        sources = _sources(op)
        block = op.parent
        assert block is not None
        for each in block.ops:
            operands = [operand for inner in each.walk() for operand in inner.operands]
            if each in sources and any(operand in inside for operand in operands):
                self.copy(each, writer, inside)
        self.copy(op, writer, inside)

    def thread(self) -> SSAValue:
        """Return the number of the thread in its block."""
        if self._thread is None:
            e = self.body
            lane = e.add(gpu.ThreadIdOp(_dimension("x")), "lane")
            warp = e.add(gpu.ThreadIdOp(_dimension("y")), "warp")
            self._thread = e.sum(e.product(warp, e.index(WARP_SIZE)), lane)
            self._thread.name_hint = "thread"
        return self._thread

    def block_number(self, dimension: str = "x") -> SSAValue:
        """Return the number of the block along a dimension of the grid."""
        if dimension not in self._blocks:
            op = gpu.BlockIdOp(_dimension(dimension))
            self._blocks[dimension] = self.body.add(op, f"block_{dimension}")
        return self._blocks[dimension]

    def blocks(self, dimension: str = "x") -> SSAValue:
        """Append how many blocks there are along a dimension of the grid."""
        return self.body.add(gpu.GridDimOp(_dimension(dimension)), f"blocks_{dimension}")

    def shared(self, element: Attribute, size: int) -> SSAValue:
        """Append a buffer that the threads of a block share."""
        type = MemRefType(element, [size], memory_space=SHARED)
        alloca = memref.AllocaOp.build(operands=[[], []], result_types=[type])
        return self.body.add(alloca, "shared")

    def finish(self, threads: tuple[int, int]) -> gpu.FuncOp:
        """Return the kernel."""
        entry = self.first.block
        for op in list(self.body.block.ops):
            op.detach()
            entry.add_op(op)
        entry.add_op(located(gpu.ReturnOp([]), self.source))
        type = FunctionType.from_lists([argument.type for argument in entry.args], [])
        kernel = gpu.FuncOp(
            self.name, type, Region(entry), kernel=True, known_block_size=[*threads, 1]
        )
        return located(kernel, self.source)


def can_compute_again(op: Operation) -> bool:
    """Return whether an op, and all in it, does nothing but compute."""
    return has_no_effect(op) and not isinstance(op, scf.ForOp | scf.WhileOp)


def _sources(op: Operation) -> set[Operation]:
    """The ops that compute what an op takes, itself or through others."""
    found: set[Operation] = set()
    waiting = [op]
    while waiting:
        current = waiting.pop()
        for operand in [operand for each in current.walk() for operand in each.operands]:
            owner = operand.owner
            if isinstance(owner, Operation) and owner not in found and can_compute_again(owner):
                found.add(owner)
                waiting.append(owner)
    return found


def _dimension(name: str) -> gpu.DimensionAttr:
    return gpu.DimensionAttr(gpu.DimensionEnum(name))

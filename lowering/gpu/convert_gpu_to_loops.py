"""Turn kernels for a GPU and their launches back into loops, which compute the same on a CPU.

Reads what `convert-loops-to-gpu` writes; writes `scf` over `memref`, one function again. Blocks and
threads are loop variables. Where all threads have to be done (a barrier, a shuffle) the loop over
threads ends and another one begins: what lives across is kept in a buffer with an element for each
thread, through which shuffles read what their partners have. It is how kernels are tested where
there is no GPU, so that speed is no aim.

    gpu.launch_func @m::@k … (32, 8, 1) (%a)       scf.for %block = … {
                                                     scf.for %t = %zero to %threads step %one {
    %x = memref.load %a[%thread]                       %x = memref.load %a[%t]
    %y = simt.shuffle_xor %x, 1                =>      memref.store %x, %kept[%t]
    memref.store %y, %b[%thread]                     }
                                                     scf.for %t = %zero to %threads step %one {
                                                       %y = memref.load %kept[%t xor 1]
                                                       …

Threads within a part run in their order, or with `order=descending` the other way around, blocks as
well; buffers that threads share begin as something that is no result. A kernel in which a barrier
is missing, or in which threads race, gives something else in one of the two orders.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import nan, prod
from typing import Literal

from xdsl.context import Context
from xdsl.dialects import arith, func, gpu, memref, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    IntegerType,
    MemRefType,
    ModuleOp,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from diablo.dialects.effects import has_no_effect
from diablo.dialects.locations import remark
from diablo.dialects.monoids import combine, number_attribute
from diablo.dialects.number_constants import constant_op
from diablo.dialects.simt import AtomicOp, ShuffleXorOp, is_shared
from diablo.lowering.gpu.kernel_writer import IndexWriter
from diablo.passes.analyses.refused import Refused

Order = Literal["ascending", "descending"]


@dataclass
class Grid:
    """The blocks of a launch as loops; `entry` is where buffers are made."""

    function: func.FuncOp
    kernel: gpu.FuncOp
    launch: gpu.LaunchFuncOp
    order: Order
    uniform: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """What stands for values that all threads of a block have in common."""
    kept: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """The buffers of values that each thread has its own of."""

    def emit(self) -> Block:
        """Return what takes the place of the launch."""
        sizes = self.kernel.known_block_size
        if not isinstance(sizes, DenseArrayBase):
            raise Refused("a kernel does not say how many threads a block has")
        self.shape = [int(size) for size in sizes.iter_values()]
        self.threads = prod(self.shape)
        block = self.kernel.body.block
        given = self.launch.kernelOperands
        self.uniform.update(zip(block.args, given, strict=True))
        self.grid = [self.launch.gridSizeX, self.launch.gridSizeY, self.launch.gridSizeZ]
        e = IndexWriter(self.launch)
        self._blocks(e, [], list(block.ops))
        return e.block

    def _blocks(self, e: IndexWriter, numbers: list[SSAValue], ops: Sequence[Operation]) -> None:
        """The loops over blocks, along the last dimension outside."""
        axis = 2 - len(numbers)
        if axis < 0:
            self.block = numbers[::-1]
            self.poisoned: list[SSAValue] = []
            inner = e.inner()
            self._run(inner, ops)
            for buffer in self.poisoned:
                self._poison(e, buffer)
            for op in list(inner.block.ops):
                op.detach()
                e.block.add_op(op)
            return

        def body(e: IndexWriter, number: SSAValue) -> None:
            self._blocks(e, [*numbers, number], ops)

        self._in_order(e, self.grid[axis], body)

    def _in_order(
        self, e: IndexWriter, count: SSAValue, body: Callable[[IndexWriter, SSAValue], None]
    ) -> None:
        """A loop over numbers below `count`, in the order that is asked for."""

        def each(e: IndexWriter, number: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            if self.order == "descending":
                number = e.difference(e.difference(count, e.index(1)), number)
            body(e, number)
            return []

        e.loop(e.index(0), count, e.index(1), [], each)

    def _run(self, e: IndexWriter, ops: Sequence[Operation]) -> None:
        """Append what all threads of a block do, one part after the other."""
        part: list[Operation] = []
        for op in ops:
            match op:
                case gpu.ReturnOp() | scf.YieldOp():
                    continue
                case gpu.BarrierOp():
                    self._part(e, part)
                    part = []
                case ShuffleXorOp():
                    self._part(e, part)
                    part = []
                    self._shuffle(e, op)
                case scf.ForOp() if _holds_threads_up(op):
                    self._part(e, part)
                    part = []
                    self._loop(e, op)
                case memref.AllocaOp() if is_shared(op.memref.type):
                    self._share(op)
                case _ if _holds_threads_up(op):
                    raise Refused(f"threads are held up in {op.name}")
                case _:
                    if not self._is_uniform(e, op):
                        part.append(op)
        self._part(e, part)

    def _is_uniform(self, e: IndexWriter, op: Operation) -> bool:
        """Compute what all threads of a block have in common, once."""
        match op:
            case gpu.BlockIdOp():
                self.uniform[op.result] = self.block[_axis(op.dimension)]
            case gpu.GridDimOp():
                self.uniform[op.result] = self.grid[_axis(op.dimension)]
            case gpu.BlockDimOp():
                self.uniform[op.result] = e.index(self.shape[_axis(op.dimension)])
            case gpu.ThreadIdOp():
                return False
            case _:
                known = all(operand in self.uniform for operand in op.operands)
                if not known or op.regions or not has_no_effect(op):
                    return False
                e.put(op.clone(self.uniform))
        return True

    def _loop(self, e: IndexWriter, loop: scf.ForOp) -> None:
        """A loop whose iterations all threads of a block begin together."""
        if loop.results:
            raise Refused("a loop in which threads are held up carries values")
        if not all(bound in self.uniform for bound in loop.operands[:3]):
            raise Refused("threads that are held up in a loop do not run it equally often")
        begin, end, step = (self.uniform[bound] for bound in loop.operands[:3])

        def body(e: IndexWriter, index: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            self.uniform[loop.body.block.args[0]] = index
            self._run(e, list(loop.body.block.ops))
            return []

        e.loop(begin, end, step, [], body)

    def _part(self, e: IndexWriter, ops: Sequence[Operation]) -> None:
        """A loop over the threads of a block, each of which does `ops`."""
        if not ops:
            return
        inside = {inner for op in ops for inner in op.walk()}
        leaving = [
            result
            for op in ops
            for result in op.results
            if any(use.operation not in inside for use in result.uses)
        ]
        for value in leaving:
            if isa(value.type, MemRefType[Attribute]):
                raise Refused("a buffer of one thread lives while threads are held up")
            self.kept[value] = self._buffer(value.type, self.threads)
        taken = [operand for op in ops for inner in op.walk() for operand in inner.operands]
        needed = [value for value in taken if value in self.kept and value not in leaving]

        def body(e: IndexWriter, thread: SSAValue) -> None:
            values = dict(self.uniform)
            for value in needed:
                if value not in values:
                    values[value] = e.add(memref.LoadOp.get(self.kept[value], [thread]))
            numbers = self._numbers(e, thread)
            for op in ops:
                self._copy(e, op, values, numbers)
            for value in leaving:
                e.put(memref.StoreOp.get(values[value], self.kept[value], [thread]))

        self._in_order(e, e.index(self.threads), body)

    def _numbers(self, e: IndexWriter, thread: SSAValue) -> list[SSAValue]:
        """The numbers of a thread along the dimensions of its block."""
        wide, high = e.index(self.shape[0]), e.index(self.shape[1])
        rest = e.quotient(thread, wide)
        return [e.remainder(thread, wide), e.remainder(rest, high), e.quotient(rest, high)]

    def _copy(
        self,
        e: IndexWriter,
        op: Operation,
        values: dict[SSAValue, SSAValue],
        numbers: Sequence[SSAValue],
    ) -> None:
        """Append a copy of an op for one thread."""
        if isinstance(op, gpu.ThreadIdOp):
            values[op.result] = numbers[_axis(op.dimension)]
            return
        new = op.clone(values)
        e.block.add_op(new)
        for inner in list(new.walk()):
            block = inner.parent
            assert block is not None
            match inner:
                case gpu.ThreadIdOp():
                    inner.result.replace_all_uses_with(numbers[_axis(inner.dimension)])
                case gpu.BlockIdOp():
                    inner.result.replace_all_uses_with(self.block[_axis(inner.dimension)])
                case gpu.GridDimOp():
                    inner.result.replace_all_uses_with(self.grid[_axis(inner.dimension)])
                case memref.AllocaOp():
                    type = inner.memref.type
                    assert isa(type, MemRefType[Attribute])
                    own = self._allocate(MemRefType(type.element_type, type.shape))
                    if inner is new:
                        values[op.results[0]] = own
                    inner.memref.replace_all_uses_with(own)
                case AtomicOp():
                    load = memref.LoadOp.get(inner.memref, inner.indices)
                    joined = combine(inner.monoid.data, load.res, inner.value)
                    store = memref.StoreOp.get(joined.results[0], inner.memref, inner.indices)
                    block.insert_ops_before([load, joined, store], inner)
                case _:
                    continue
            inner.detach()
            inner.erase()

    def _shuffle(self, e: IndexWriter, op: ShuffleXorOp) -> None:
        """Let each thread have what its partner has kept."""
        if op.value in self.uniform:
            self.uniform[op.result] = self.uniform[op.value]
            return
        source = self.kept[op.value]
        target = self.kept[op.result] = self._buffer(op.result.type, self.threads)

        def body(e: IndexWriter, thread: SSAValue) -> None:
            partner = e.add(arith.XOrIOp(thread, e.index(op.mask.value.data)))
            value = e.add(memref.LoadOp.get(source, [partner]))
            e.put(memref.StoreOp.get(value, target, [thread]))

        self._in_order(e, e.index(self.threads), body)

    # Buffers

    def _share(self, op: memref.AllocaOp) -> None:
        """A buffer that the threads of a block share, made once for all blocks."""
        type = op.memref.type
        assert isa(type, MemRefType[Attribute])
        own = self._allocate(MemRefType(type.element_type, type.shape))
        self.uniform[op.memref] = own
        self.poisoned.append(own)

    def _poison(self, e: IndexWriter, buffer: SSAValue) -> None:
        """Fill a buffer with what is no result of a kernel, but by chance."""
        type = buffer.type
        assert isa(type, MemRefType[Attribute])
        element = type.element_type
        number = nan
        if not isinstance(element, AnyFloat):
            bits = element.width.data if isa(element, IntegerType) else 64
            number = 0x5A5A5A5A5A5A5A5A & ((1 << (bits - 1)) - 1)
        value = e.add(constant_op(number_attribute(number, element)))
        (size,) = type.get_shape()

        def body(e: IndexWriter, index: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            e.put(memref.StoreOp.get(value, buffer, [index]))
            return []

        e.loop(e.index(0), e.index(size), e.index(1), [], body)

    def _buffer(self, element: Attribute, size: int) -> SSAValue:
        return self._allocate(MemRefType(element, [size]))

    def _allocate(self, type: MemRefType[Attribute]) -> SSAValue:
        """A buffer that is made where the function begins, so that loops make no more of it."""
        alloca = memref.AllocaOp.build(operands=[[], []], result_types=[type])
        entry = self.function.body.block
        first = entry.first_op
        assert first is not None
        entry.insert_op_before(alloca, first)
        return alloca.memref


def _axis(dimension: gpu.DimensionAttr) -> int:
    return "xyz".index(str(dimension.data))


def _holds_threads_up(op: Operation) -> bool:
    """Return whether there is a point in an op at which threads wait for one another."""
    return any(isinstance(inner, gpu.BarrierOp | ShuffleXorOp) for inner in op.walk())


def convert_function(
    function: func.FuncOp, kernels: dict[str, dict[str, gpu.FuncOp]], order: Order
) -> None:
    """Let a function do what it launches.

    Raises
    ------
    Refused
        If a kernel cannot be run one thread after the other.
    """
    for op in list(function.walk()):
        around = op.parent
        if isinstance(op, gpu.LaunchFuncOp):
            assert around is not None
            module, (name,) = op.kernel.root_reference.data, op.kernel.nested_references.data
            kernel = kernels.get(module, {}).get(name.data)
            if kernel is None:
                raise Refused(f"there is no kernel @{module}::@{name.data}")
            block = Grid(function, kernel, op, order).emit()
            for new in list(block.ops):
                new.detach()
                around.insert_op_before(new, op)
            op.detach()
            op.erase()
        elif isinstance(op, gpu.AllocOp):
            if op.dynamicSizes:
                raise Refused("how much memory it takes shows when it runs")
            alloca = memref.AllocaOp.build(operands=[[], []], result_types=[op.result.type])
            function.body.block.insert_op_before(alloca, op)
            op.result.replace_all_uses_with(alloca.memref)
            op.detach()
            op.erase()


@dataclass(frozen=True)
class ConvertGPUToLoopsPass(ModulePass):
    """Turns kernels for a GPU and their launches back into loops."""

    name = "convert-gpu-to-loops"
    order: Order = "ascending"
    """In which order the threads of a block run, and the blocks of a grid."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every function that launches kernels; leave one alone that has another form."""
        modules = {
            module.sym_name.data: module for module in op.ops if isinstance(module, gpu.ModuleOp)
        }
        kernels = {
            name: {
                kernel.sym_name.data: kernel
                for kernel in module.body.block.ops
                if isinstance(kernel, gpu.FuncOp)
            }
            for name, module in modules.items()
        }
        needed: set[str] = set()
        for function in list(op.ops):
            if not isinstance(function, func.FuncOp):
                continue
            launched = {
                launch.kernel.root_reference.data
                for launch in function.walk()
                if isinstance(launch, gpu.LaunchFuncOp)
            }
            if not launched:
                continue
            scratch = function.clone()
            try:
                convert_function(scratch, kernels, self.order)
            except Refused as why:
                remark(function, f"'{function.sym_name.data}' is left as it is: {why}")
                needed |= launched
                continue
            op.body.block.insert_op_before(scratch, function)
            function.detach()
            function.erase()
        for name, module in modules.items():
            if name not in needed:
                module.detach()
                module.erase()
        if not needed:
            op.attributes.pop("gpu.container_module", None)

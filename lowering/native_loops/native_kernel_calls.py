"""Write the loops of a kernel where a loop of the driver calls it.

    %s = func.call @kernel_0(%n, %V)    =>    %s = scf.for … { memref.load %V[%k] … }

Buffers for numbers are made once, at the head of the function. An array that a kernel makes is
memory that the function is given. Points count like iterations, so that the loop asks in time
whether it is to end. A product of a sparse matrix is a call of what multiplies it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IndexType, MemRefType, i64
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from diablo.dialects.locations import located
from diablo.kernel_signature import Dimension, Slot
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.native_loops.called_kernels import (
    SparseProduct,
    called_kernel,
    check_called,
    loops_of,
    made_arrays,
    overwritten,
    sparse_product,
)
from diablo.lowering.native_loops.kept_reads import hoist_kept_reads
from diablo.lowering.native_loops.native_loop_code import (
    UNSUITABLE,
    CalledProduct,
    NativeCode,
)
from diablo.lowering.native_loops.native_loops import dimension_in_call

SHARE_AGAIN = "diablo_share_again"
"""The function of the process that shares the work of a job, for other addresses each time."""


@dataclass
class KernelCalls:
    """Writes the kernels that a loop calls."""

    code: NativeCode

    def write(self, op: func.CallOp) -> None:
        """Write the loops of a kernel where it is called."""
        kernel = called_kernel(op)
        assert kernel is not None
        signature = check_called(op)
        given = [
            self.code.buffer(value) if is_tensor(value.type) else self.code.fitting(value)
            for value in op.arguments
        ]
        written = overwritten(op)
        product = sparse_product(kernel)
        for number, (slot, value) in enumerate(zip(signature.arguments, given, strict=True)):
            if product is None or number != product.matrix:
                self._check_extents(op, value, slot, given)
        if product is not None:
            self._multiply(op, product, given)
            return
        if written is not None:
            self.code.note_written(op.arguments[written])
        self.code.found.rank = max(self.code.found.rank, len(signature.work))
        loops = loops_of(kernel, written)
        block = loops.body.block
        values: dict[SSAValue, SSAValue] = dict(zip(block.args, given, strict=False))
        outputs: list[SSAValue] = []
        made = made_arrays(op)
        numbers = [result for result in op.results if not is_tensor(result.type)]
        for argument in block.args[len(given) :]:
            if written is not None:
                values[argument] = given[written]
                continue
            assert isa(argument.type, MemRefType[Attribute])
            if made:
                values[argument] = self.code.values[made.pop(0)]
                continue
            outputs.append(self._on_stack(argument.type))
            values[argument] = outputs[-1]
        for inner in list(block.ops)[:-1]:
            copy = inner.clone(values)
            self.code.block.add_op(copy)
            if written is not None:
                hoist_kept_reads(copy, given[written])
            for alloca in [o for o in copy.walk() if isinstance(o, memref.AllocaOp)]:
                alloca.detach()
                self.code.make(alloca)
            for loop in [o for o in copy.walk() if isinstance(o, scf.ForOp)]:
                if not any(isinstance(o, scf.ForOp) for o in loop.body.walk()):
                    self._count_points_of(loop)
        if written is None:
            for result, output in zip(numbers, outputs, strict=True):
                self.code.values[result] = self.code.add(memref.LoadOp.get(output, []))
                self.code.values[result].name_hint = result.name_hint
        loops.erase()

    def _multiply(self, op: func.CallOp, product: SparseProduct, given: Sequence[SSAValue]) -> None:
        """Call what multiplies a sparse matrix, whose argument says for each product what is."""
        matrix = self.code.buffers.of(op.arguments[product.matrix])
        assert isinstance(matrix, BlockArgument)
        number = sum(2 for other in self.code.found.products if other.matrix == matrix.index)
        rows, columns = (
            dimension_in_call(dimension, op, self.code.function, self.code.buffers)
            for dimension in product.extents
        )
        self.code.found.products.append(
            CalledProduct(matrix.index, product.row, product.column, (rows, columns))
        )
        jobs = given[product.matrix]
        job, entries = (
            self.code.add(memref.LoadOp.get(jobs, [self.code.integer(k, IndexType())]))
            for k in (number, number + 1)
        )
        self.code.count_points(entries)
        result = self.code.values[op.results[0]]
        self.code.block.add_op(
            located(func.CallOp(SHARE_AGAIN, [job, given[product.dense], result], []), op)
        )

    def require_alike(self, array: SSAValue, dimensions: Sequence[Dimension]) -> None:
        """End the call before it has begun unless an array has some extents."""
        assert self.code.like is not None
        given = [self.code.values[argument] for argument in self.code.function.body.block.args]
        for axis, dimension in enumerate(dimensions):
            size = self.code.dim(array, axis)
            same = self.code.add(arith.CmpiOp(size, self._extent(dimension, given), "eq"))
            self.code.end_unless(same, self.code.like, UNSUITABLE)

    def copy_array(self, source: SSAValue, target: SSAValue) -> None:
        """Copy all elements of an array to another one of its extents."""
        type = source.type
        assert isa(type, MemRefType[Attribute])
        rank = type.get_num_dims()
        zero, one = self.code.integer(0, IndexType()), self.code.integer(1, IndexType())
        sizes = [self.code.dim(source, axis) for axis in range(rank)]
        outer = self.code.block
        bodies = [Block(arg_types=[IndexType()]) for _ in range(rank)]
        indices = [body.args[0] for body in bodies]
        inner = self.code.into(bodies[-1])
        element = self.code.add(memref.LoadOp.get(source, indices))
        self.code.block.add_op(memref.StoreOp.get(element, target, indices))
        self.code.into(inner)
        for axis in reversed(range(rank)):
            bodies[axis].add_op(scf.YieldOp())
            loop = scf.ForOp(zero, sizes[axis], one, [], Region(bodies[axis]))
            (bodies[axis - 1] if axis else outer).add_op(loop)

    def _on_stack(self, type: MemRefType[Attribute]) -> SSAValue:
        """A buffer for a number, which is there once however often the loop runs."""
        return self.code.make(memref.AllocaOp.get(type.element_type, shape=[]))

    def _extent(self, dimension: Dimension, given: Sequence[SSAValue]) -> SSAValue:
        if dimension.constant is not None:
            return self.code.integer(dimension.constant, IndexType())
        value = given[dimension.argument]
        if dimension.axis is not None:
            return self.code.dim(value, dimension.axis)
        return value if value.type != i64 else self.code.add(arith.IndexCastOp(value, IndexType()))

    def _check_extents(
        self, op: Operation, value: SSAValue, slot: Slot, given: Sequence[SSAValue]
    ) -> None:
        """End the call if an array is smaller than what is read of it."""
        for test in self._are_in(value, slot, given):
            self.code.require(test, op)

    def _are_in(self, value: SSAValue, slot: Slot, given: Sequence[SSAValue]) -> Iterator[SSAValue]:
        """Write whether an array has what is read of it, for each of its dimensions."""
        for axis, dimension in enumerate(slot.dimensions or ()):
            if dimension is not None:
                size = self.code.dim(value, axis)
                extent = self._extent(dimension, given)
                yield self.code.add(arith.CmpiOp(extent, size, "sle"))

    def tests_of_extents(self, op: func.CallOp, given: Sequence[SSAValue]) -> list[SSAValue]:
        """Write whether arrays have what a kernel reads of them, which is given these values."""
        slots = check_called(op).arguments
        pairs = zip(slots, given, strict=True)
        return [test for slot, value in pairs for test in self._are_in(value, slot, given)]

    def _count_points_of(self, loop: scf.ForOp) -> None:
        """Count the points that an innermost loop of a kernel goes through like iterations.

        The extents of a kernel say less: where it writes a part of an array it goes through that.
        """
        outer = self.code.into(Block())
        steps = self.code.add(arith.SubiOp(loop.ub, loop.lb))
        steps = self.code.add(arith.MaxSIOp(steps, self.code.integer(0, IndexType())))
        self.code.count_points(self.code.add(arith.IndexCastOp(steps, i64)))
        counting = self.code.into(outer)
        for op in list(counting.ops):
            op.detach()
            Rewriter.insert_op(op, InsertPoint.before(loop))

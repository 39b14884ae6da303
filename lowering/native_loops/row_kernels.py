"""Kernels that a loop of the driver calls for a row: what a map computes, or a fold goes through.

    %P1 = func.call @add(%P, %Q, %i, %j) {in_place}     P[i, k] for all k: the rest of P stays
    %e = func.call @dot(%P, %Q, %i, %j)                 the sum of P[i, k] * Q[j, k] for all k
    %e = scf.if %is_there { func.call @dot(…) … } else { 0.0 }

A row lies along one dimension of the kernel, which is `free`: along all others a map has one place
alone, as `%i`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import TupleType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from diablo.dialects.access_maps import linear_indices
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.number_constants import ConstantOps, is_arithmetic
from diablo.dialects.tensor_block import MapOp, ReduceOp
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.kernel_loops import loops_over_points, tensor_ops
from diablo.lowering.llvm.loop_plan import LoopPlan, plan_loops
from diablo.lowering.loops_over_points import put_loops_over_points
from diablo.lowering.native_loops.called_kernels import called_kernel, check_called, overwritten
from diablo.lowering.native_loops.native_loops import DIVISIONS, Buffers
from diablo.passes.analyses.loops.body_domains import Domain, find_bounds, find_folded
from diablo.passes.analyses.loops.iterations import Iteration, iterations_of
from diablo.passes.analyses.loops.kept_parts import kept_part


@dataclass(frozen=True)
class Access:
    """An array that a row reads or writes; for each axis, whether it is at the loop's own index."""

    array: SSAValue
    along: tuple[bool, ...]
    is_write: bool


@dataclass(frozen=True)
class RowKernel:
    """The call of a kernel that goes through a row."""

    call: func.CallOp
    kernel: func.FuncOp
    """A copy of the kernel, in which the row is a loop over points."""
    free: int
    keeps: bool = False
    """Whether what is beside the row that a map computes stays as it is."""
    branch: scf.IfOp | None = None
    """The branch around a fold, in which there are but scalars besides, and none else."""

    @property
    def outer(self) -> Operation:
        """The op of the row in its block."""
        return self.call if self.branch is None else self.branch

    @property
    def beside(self) -> list[Operation]:
        """What stands beside the call in the branch around it."""
        ops = [] if self.branch is None else list(self.branch.true_region.block.ops)[:-1]
        return [op for op in ops if op is not self.call]

    @cached_property
    def iteration(self) -> Iteration:
        """What the loop over points computes."""
        (loop,) = loops_over_points(self.kernel)
        (found,) = iterations_of(loop)
        return found

    @property
    def is_map(self) -> bool:
        """Whether it computes the row, and does not fold it."""
        return self.iteration.kind == "map"

    @property
    def domain(self) -> Domain | None:
        """The places of the row where something is computed, if not everywhere."""
        if self.is_map:
            return find_bounds(self.iteration)
        return find_folded(self.iteration, self.free)

    @property
    def plan(self) -> LoopPlan:
        """How the kernel would be looped over by itself."""
        return plan_loops(self.iteration)

    def settling(self) -> Iterator[SSAValue]:
        """The values of the caller by which it is known where the row lies, and how long it is."""
        kernel, domain = self.kernel, self.domain
        pending = [*self.iteration.extents, *self.iteration.symbols]
        pending += [b.value for b in (domain.bounds if domain else ()) if b.value is not None]
        for slot in check_called(self.call).arguments:
            sizes = [d for d in slot.dimensions or () if d is not None and d.constant is None]
            pending += [kernel.args[d.argument] for d in sizes]
        while pending:
            value = pending.pop()
            if isinstance(value, BlockArgument) and value.block is kernel.body.block:
                yield self.call.arguments[value.index]
            elif isinstance(value, OpResult):
                pending += value.op.operands

    def guards(self) -> list[SSAValue]:
        """The values of the kernel without which the body computes nothing anywhere.

        scf.if %is_there { %x = … } else { 0.0 }
        """
        body, loop = self.iteration.body.block, self.iteration.origin
        branches = [op for op in body.walk() if isinstance(op, scf.IfOp) and op.results]
        conditions = [op.cond for op in branches if does_nothing_else(op)]
        return [value for value in conditions if not loop.is_ancestor(value.owner)]

    def accesses(self, buffers: Buffers) -> Iterator[Access]:
        """The elements of arrays that a step reads, and the one that it writes."""
        op = self.iteration
        given = dict[SSAValue, SSAValue](zip(self.kernel.args, self.call.arguments, strict=True))
        for value, map in zip(op.inputs, op.indexing_maps, strict=True):
            along = tuple(index.alone == self.free for index in linear_indices(map.data))
            yield Access(buffers.of(given[value]), along, is_write=False)
        if self.is_map:
            along = tuple(d == self.free for d in range(len(op.extents)))
            yield Access(buffers.of(self.call.results[0]), along, is_write=True)

    def may_share_loop(self, before: RowKernel, buffers: Buffers) -> bool:
        """Return whether each step may come before what is left of the row before it.

        What one of them writes and the other one reads or writes is the same in one step alone, or
        never: along some axis both go with the loop, as `%P[%i, %k]` and `%P[%j, %k]` do.
        """
        return all(
            any(a and b for a, b in zip(one.along, other.along, strict=True))
            for one, other in product(self.accesses(buffers), before.accesses(buffers))
            if one.array is other.array and (one.is_write or other.is_write)
        )


def row_kernel(op: Operation) -> RowKernel | None:
    """Return the row that an op goes through, if it calls a kernel for one and does little else."""
    if not isinstance(op, scf.IfOp):
        return _called_row(op)
    if any(map(is_tensor, op.result_types)) or not op.results or not does_nothing_else(op):
        return None
    inner = list(op.true_region.block.ops)[:-1]
    calls = [o for o in inner if not can_be_earlier(o)]
    row = _called_row(calls[0]) if len(calls) == 1 else None
    return None if row is None or row.is_map else replace(row, branch=op)


def can_be_earlier(op: Operation) -> bool:
    """Return whether an op may be done before kernels of which it reads no number."""
    return isinstance(op, tensor.DimOp) or (is_arithmetic(op) and not isinstance(op, DIVISIONS))


def does_nothing_else(branch: scf.IfOp) -> bool:
    """Return whether a branch that is not taken has constants for results."""
    ops = [op for block in branch.false_region.blocks for op in block.ops]
    return all(isinstance(op, scf.YieldOp | ConstantOps) for op in ops)


def _called_row(op: Operation) -> RowKernel | None:
    kernel = called_kernel(op)
    if kernel is None:
        return None
    assert isinstance(op, func.CallOp)
    end, found = kernel.body.block.last_op, tensor_ops(kernel)
    if len(found) != 1 or end is None or list(end.operands) != [found[0].result]:
        return None
    inner = found[0]
    others = [o for o in kernel.body.block.ops if o is not inner and o is not end]
    if not all(map(can_be_earlier, others)) or not _is_plain(inner, kernel.args):
        return None
    if isinstance(inner, MapOp):
        return _computed_row(op, kernel, inner)
    if not isinstance(inner, ReduceOp) or is_tensor(inner.result.type) or len(inner.extents) != 1:
        return None
    row = RowKernel(op, _with_loop(kernel), 0)
    has_holes = row.domain is not None and bool(row.domain.holes)
    return None if is_user_defined(inner.monoid.data) or has_holes else row


def _with_loop(kernel: func.FuncOp) -> func.FuncOp:
    copy = kernel.clone()
    put_loops_over_points(copy)
    return copy


def _is_plain(op: Operation, arguments: Collection[SSAValue]) -> bool:
    """Return whether an op reads arrays of numbers that it is given, and at no remainders."""
    if not isinstance(op, MapOp | ReduceOp) or op.offsets:
        return False
    if any(value not in arguments for value in op.inputs):
        return False
    if any(
        index.period is not None for map in op.indexing_maps for index in linear_indices(map.data)
    ):
        return False
    return not any(
        isinstance(value.type, TupleType) or is_tensor(value.type)
        for inner in op.body.walk()
        for value in (*inner.operands, *inner.results)
    )


def _computed_row(call: func.CallOp, kernel: func.FuncOp, op: MapOp) -> RowKernel | None:
    kept, written = kept_part(op), overwritten(call)
    keeps = (
        kept is not None and written is not None and op.inputs[kept.number] is kernel.args[written]
    )
    fixed = frozenset[int]()
    if kept is not None and keeps:
        bounds = kept.domain.bounds
        fixed = frozenset(
            d
            for d in kept.fixed_dimensions
            if all(bound.value is not None for bound in bounds if bound.dimension == d)
        )
    free = [d for d in range(len(op.extents)) if d not in fixed]
    return None if len(free) != 1 else RowKernel(call, _with_loop(kernel), free[0], keeps=keeps)


def depends(value: SSAValue, made: Collection[SSAValue], branch: scf.IfOp | None) -> bool:
    """Return whether a value is one of `made`, or computed of it in a branch."""
    if value in made:
        return True
    op = value.owner
    if branch is None or not isinstance(op, Operation) or not branch.is_ancestor(op):
        return False
    return any(depends(operand, made, branch) for operand in op.operands)


def groups_of(rows: Sequence[RowKernel], buffers: Buffers) -> list[list[RowKernel]]:
    """Return rows of maps that follow each other, those that may share a loop together."""
    groups: list[list[RowKernel]] = []
    for row in rows:
        if groups and all(row.may_share_loop(other, buffers) for other in groups[-1]):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups

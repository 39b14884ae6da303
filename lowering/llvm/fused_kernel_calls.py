"""Write neighbouring kernels of a loop that go through a row each as one loop over that.

    %t = call @copy(%P, %i)               scf.if %alike {                   all of it lies inside
    %P = call @add(%P, %Q, %i, %j)   =>     scf.for %k = %low to %high {
    %Q = call @add(%Q, %t, %j)                %p = %P[%i, %k]; %q = %Q[%j, %k]
                                              %P[%i, %k] = %p + …; %Q[%j, %k] = %q + … %p
                                            } } else { the kernels, one after the other }

A row is all that a map computes along one dimension: along the others there is one place of it, as
`%i`, whose rest stays as it is. One loop does what they do if what one of them writes is read or
written by another at the same step alone. So it is where along some axis both go with the loop:
`%P[%i, %k]` and `%P[%j, %k]` are one element in the same step, or never.

Whether the rows are equally long and all that is read lies inside of its array is tested before.
What a map makes that only these read is no array then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from xdsl.dialects import arith, func, memref, scf, tensor
from xdsl.dialects.builtin import IndexType, TupleType, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.access_maps import linear_indices
from diablo.dialects.defining_blocks import is_made_in
from diablo.dialects.locations import located, remark
from diablo.dialects.number_constants import ConstantOps, is_arithmetic
from diablo.dialects.tensor_block import MapOp
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.called_kernels import (
    called_kernel,
    made_arrays,
    overwritten,
)
from diablo.lowering.llvm.convert_tensor_block_to_loops import tensor_ops
from diablo.lowering.llvm.inner_ranges import InnerRange, all_of
from diablo.lowering.llvm.kept_reads import hoist_kept_reads
from diablo.lowering.llvm.loop_plan import plan_loops
from diablo.lowering.llvm.loop_points import Points
from diablo.lowering.llvm.native_kernel_calls import KernelCalls
from diablo.lowering.llvm.native_loop_code import NativeCode
from diablo.lowering.llvm.native_loops import DIVISIONS
from diablo.passes.analyses.loops.body_domains import Bound, find_bounds
from diablo.passes.analyses.loops.kept_parts import kept_part


@dataclass(frozen=True)
class _Access:
    """What a row reads or writes: an array, and for each axis whether it goes with the loop.

    That is to be at the loop's index itself.
    """

    array: SSAValue
    along: tuple[bool, ...]
    is_write: bool


@dataclass(frozen=True)
class _Row:
    """The call of a map that computes a row, along the dimension `free`."""

    call: func.CallOp
    map: MapOp
    free: int
    keeps: bool
    """Whether what is beside the row stays as it is."""

    def accesses(self, code: NativeCode) -> Iterator[_Access]:
        """The elements of arrays that a step reads, and the one that it writes."""
        kernel = called_kernel(self.call)
        assert kernel is not None
        given = dict[SSAValue, SSAValue](zip(kernel.args, self.call.arguments, strict=True))
        for value, map in zip(self.map.inputs, self.map.maps, strict=True):
            along = tuple(index.alone == self.free for index in linear_indices(map.data))
            yield _Access(code.buffers.of(given[value]), along, is_write=False)
        along = tuple(d == self.free for d in range(len(self.map.extents)))
        yield _Access(code.buffers.of(self.call.results[0]), along, is_write=True)


def _row_of(op: Operation) -> _Row | None:
    """The row that an op computes, if it calls a kernel that does so and nothing else."""
    kernel = called_kernel(op)
    if kernel is None:
        return None
    assert isinstance(op, func.CallOp)
    end, found = kernel.body.block.last_op, tensor_ops(kernel)
    if len(found) != 1 or not isinstance(map := found[0], MapOp) or map.offsets:
        return None
    if end is None or list(end.operands) != [map.result]:
        return None
    others = [o for o in kernel.body.block.ops if o is not map and o is not end]
    if not all(is_arithmetic(o) or isinstance(o, tensor.DimOp) for o in others):
        return None
    if any(value not in kernel.args for value in map.inputs) or any(
        isinstance(value.type, TupleType) or is_tensor(value.type)
        for o in map.body.walk()
        for value in (*o.operands, *o.results)
    ):
        return None
    if any(i.period is not None for m in map.maps for i in linear_indices(m.data)):
        return None
    kept, written = kept_part(map), overwritten(op)
    fixed = frozenset[int]()
    if kept is not None and written is not None and map.inputs[kept.number] is kernel.args[written]:
        fixed = frozenset(d for d in kept.fixed_dimensions if _is_given(kept.domain.bounds, d))
    else:
        kept = None
    free = [d for d in range(len(map.extents)) if d not in fixed]
    return None if len(free) != 1 else _Row(op, map, free[0], keeps=kept is not None)


def _is_given(bounds: Sequence[Bound], dimension: int) -> bool:
    """Return whether it is no constant that bounds fix a dimension at."""
    return all(bound.value is not None for bound in bounds if bound.dimension == dimension)


@dataclass
class FusedCalls:
    """Writes the kernels that go through a row each; `kernels` writes any others."""

    code: NativeCode
    kernels: KernelCalls

    def parts(self, block: Block) -> Iterator[Operation | list[func.CallOp]]:
        """The ops of a block but its last, and calls that are to be written as one."""
        waiting: list[Operation] = []
        rows: list[_Row] = []
        for op in list(block.ops)[:-1]:
            row = _row_of(op)
            if row is not None and all(self._may_follow(row, other) for other in rows):
                yield from waiting
                waiting = []
                rows.append(row)
            elif row is None and rows and _can_be_earlier(op):
                waiting.append(op)
            else:
                yield from _run(rows)
                yield from waiting
                waiting, rows = [], []
                if row is None:
                    yield op
                else:
                    rows.append(row)
        yield from _run(rows)
        yield from waiting

    def _may_follow(self, row: _Row, before: _Row) -> bool:
        """Return whether each step of a row may come before what is left of the row before it.

        Elements that one of them writes and the other one reads or writes are one step's.
        """
        return all(
            any(a and b for a, b in zip(one.along, other.along, strict=True))
            for one, other in product(row.accesses(self.code), before.accesses(self.code))
            if one.array is other.array and (one.is_write or other.is_write)
        )

    def write(self, calls: Sequence[func.CallOp]) -> None:
        """Write kernels as one loop where they go through the same places, and one by one else."""
        code = self.code
        rows = [row for call in calls if (row := _row_of(call)) is not None]
        remark(calls[0], f"{len(calls)} kernels go through their rows in one loop")
        loops = [_RowLoop(self, row) for row in rows]
        first, *others = loops
        tests = [test for loop in loops for test in loop.tests]
        for other in others:
            for end, own in ((other.low, first.low), (other.high, first.high)):
                tests.append(code.add(arith.CmpiOp(end, own, "eq")))
        body = _body_of(loops)
        tests += _take_out_guards(body)
        alike = code.likely(all_of(code.block, tests))
        outer = code.into(Block())
        steps = code.add(arith.SubiOp(first.high, first.low))
        code.count_points(code.add(arith.IndexCastOp(steps, i64)))
        around = scf.ForOp(first.low, first.high, code.integer(1, IndexType()), [], body)
        code.block.add_op(located(around, calls[0]))
        for target in dict.fromkeys(loop.target for loop in loops):
            hoist_kept_reads(around, target)
        code.block.add_op(scf.YieldOp())
        together = code.into(Block())
        for call in calls:
            code.like = call
            self.kernels.write(call)
        code.block.add_op(scf.YieldOp())
        apart = code.into(outer)
        choice = scf.IfOp(alike, [], Region(together), Region(apart))
        code.block.add_op(located(choice, calls[0]))


class _RowLoop:
    """Where a row begins and ends, whether it is all inside, and what a step of it does."""

    def __init__(self, fused: FusedCalls, row: _Row):
        code, call, map = fused.code, row.call, row.map
        kernel = called_kernel(call)
        assert kernel is not None
        self.row = row
        self._code = code
        code.like = call
        self.tests: list[SSAValue] = []
        given = [
            code.buffer(value) if is_tensor(value.type) else self._number(value)
            for value in call.arguments
        ]
        values: dict[SSAValue, SSAValue] = dict(zip(kernel.args, given, strict=True))
        for op in kernel.body.block.ops:
            if op is map:
                break
            if isinstance(op, tensor.DimOp):
                values[op.result] = code.add(memref.DimOp(values[op.source], values[op.index]))
            else:
                code.block.add_op(copy := op.clone(values))
                values |= zip(op.results, copy.results, strict=True)
        written = overwritten(call)
        self.target = code.values[made_arrays(call)[0]] if written is None else given[written]
        domain = find_bounds(map)
        plan = replace(plan_loops(map), domain=domain)
        self._points = Points(map, plan, values, domain, inside=True)
        self.tests += fused.kernels.tests_of_extents(call, given)
        self._indices: dict[int, SSAValue] = {}
        fixed = [d for d in range(len(map.extents)) if d != row.free]
        limits = InnerRange(
            map, self._points.wrapped, values, domain, [values[e] for e in map.extents], {*fixed}
        )
        zero = code.integer(0, IndexType())
        for d in fixed:
            place = limits.only(code.block, d)
            assert place is not None
            self.tests.append(self._is_there(limits, d, place, zero, values[map.extents[d]]))
            self._indices[d] = place
        whole = zero, values[map.extents[row.free]]
        low, high, tests = limits.along(code.block, row.free, self._indices, *whole)
        self.tests += [test for own in tests.values() for test in own]
        self.low, self.high = low, high
        if row.keeps:
            whole = limits.of_domain(code.block, row.free, self._indices, *whole)
        for end, inner in zip(whole, (low, high), strict=True):
            if end is not inner:
                self.tests.append(code.add(arith.CmpiOp(end, inner, "eq")))

    def _number(self, value: SSAValue) -> SSAValue:
        """Return a number that a kernel is given; of one that is chosen, the first, as is tested.

        So are extents of what is read where there may be no such row: they are zero then.
        """
        choice = value.owner
        if not isinstance(choice, arith.SelectOp):
            return self._code.fitting(value)
        self.tests.append(self._code.values[choice.cond])
        return self._code.fitting(choice.lhs)

    def _is_there(
        self, limits: InnerRange, d: int, place: SSAValue, zero: SSAValue, extent: SSAValue
    ) -> SSAValue:
        """Write whether there is the only place of a dimension."""
        assert limits.domain is not None
        code = self._code
        if sum(1 for bound in limits.domain.bounds if bound.form.factor(d)) == 2:
            return code.add(arith.CmpiOp(place, extent, "ult"))
        ends = limits.of_domain(code.block, d, self._indices, zero, extent)
        return code.add(arith.CmpiOp(*ends, "slt"))

    def step(self, block: Block, index: SSAValue) -> None:
        """Append what is done at one place of the row."""
        indices = {**self._indices, self.row.free: index}
        (value,) = self._points.point(block, indices)
        place = [indices[d] for d in range(len(self.row.map.extents))]
        block.add_op(located(memref.StoreOp.get(value, self.target, place), self.row.call))


def _body_of(loops: Sequence[_RowLoop]) -> Block:
    """Return what is done at one place of all rows."""
    first = loops[0].row
    body = Block(arg_types=[IndexType()])
    body.args[0].name_hint = first.map.body.block.args[first.free].name_hint
    for loop in loops:
        loop.step(body, body.args[0])
    body.add_op(scf.YieldOp())
    forward_elements(body)
    inside = {loop.row.call for loop in loops}
    for loop in loops:
        uses = [use.operation for use in loop.row.call.results[0].uses]
        if all(use in inside or isinstance(use, tensor.DimOp) for use in uses):
            _drop_stores(body, loop.target)
    return body


def _take_out_guards(body: Block) -> list[SSAValue]:
    """Return conditions that do not vary and without which nothing is computed; take them to hold.

    scf.if %i_is_there { %x = … } else { 0.0 }    =>    %x = …
    """
    guards: dict[SSAValue, None] = {}
    op = body.first_op
    while op is not None:
        following = op.next_op
        if isinstance(op, scf.IfOp) and op.results and not is_made_in(op.cond, body):
            then, other = op.true_region.block, op.false_region.block
            if all(isinstance(o, scf.YieldOp | ConstantOps) for o in other.ops):
                guards[op.cond] = None
                end = then.last_op
                assert end is not None
                values = list(end.operands)
                Rewriter.erase_op(end)
                following = then.first_op or op.next_op
                for inner in list(then.ops):
                    inner.detach()
                    Rewriter.insert_op(inner, InsertPoint.before(op))
                for result, value in zip(op.results, values, strict=True):
                    result.replace_all_uses_with(value)
                Rewriter.erase_op(op)
        op = following
    return list(guards)


def _can_be_earlier(op: Operation) -> bool:
    """Return whether an op may be done before kernels that it stands behind."""
    return isinstance(op, tensor.DimOp) or (is_arithmetic(op) and not isinstance(op, DIVISIONS))


def _run(rows: Sequence[_Row]) -> Iterator[Operation | list[func.CallOp]]:
    """Return what rows become that follow each other."""
    if len(rows) > 1:
        yield [row.call for row in rows]
    else:
        yield from (row.call for row in rows)


def forward_elements(block: Block) -> None:
    """Take what has been read or written for what is read at the same place again.

    No two of the memories that the ops of the block itself read and write overlap.
    """
    known: dict[SSAValue, dict[tuple[SSAValue, ...], SSAValue]] = {}
    for op in list(block.ops):
        match op:
            case memref.LoadOp():
                places = known.setdefault(op.memref, {})
                place = tuple(op.indices)
                if place in places:
                    op.res.replace_all_uses_with(places[place])
                    Rewriter.erase_op(op)
                else:
                    places[place] = op.res
            case memref.StoreOp():
                known[op.memref] = {tuple(op.indices): op.value}
            case _:
                pass


def _drop_stores(block: Block, array: SSAValue) -> None:
    """Write nothing to an array that nothing reads."""
    used = [op for op in block.walk() if array in op.operands]
    if all(isinstance(op, memref.StoreOp) for op in used):
        for op in used:
            Rewriter.erase_op(op)

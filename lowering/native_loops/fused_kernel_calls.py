"""Write kernels of a loop that go through a row each without tests, several as one loop.

    %e = call @dot(%P, %Q, %i, %j)        scf.if %alike {                    all of it lies inside
    %x = %rate * %e                         %e = scf.for %k … { … }
    %t = call @copy(%P, %i)                 %x = %rate * %e
    %P = call @add(%P, %Q, %x, %i)    =>    scf.for %k = %low to %high {
    %Q = call @add(%Q, %t, %x, %j)            %p = %P[%i, %k]; %q = %Q[%j, %k]
                                              %P[%i, %k] = %p + …; %Q[%j, %k] = %q + … %p
                                            } } else { the kernels, one after the other }

One loop does what several maps do if what one of them writes is read or written by another at the
same step alone (`row_kernels.py`). Whether the rows are equally long and all that is read lies
inside of its array is tested once, before; so are conditions without which nothing is computed.
What a map makes that only these read is no array then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, func, memref, scf, tensor
from xdsl.dialects.builtin import IndexType, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.locations import located, remark
from diablo.dialects.predicates import predicate_of
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.inner_ranges import InnerRange, all_of
from diablo.lowering.llvm.loop_points import Points
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.lowering.native_loops.called_kernels import made_arrays, overwritten
from diablo.lowering.native_loops.kept_reads import hoist_kept_reads
from diablo.lowering.native_loops.native_kernel_calls import KernelCalls
from diablo.lowering.native_loops.native_loop_code import NativeCode
from diablo.lowering.native_loops.native_loops import is_wide
from diablo.lowering.native_loops.row_kernels import (
    RowKernel,
    can_be_earlier,
    depends,
    does_nothing_else,
    groups_of,
    row_kernel,
)
from diablo.passes.analyses.loops.body_domains import Domain
from diablo.passes.analyses.values.affine_values import constant_value


@dataclass
class Rows:
    """Ops that follow each other: rows, and scalars that are computed of what they fold."""

    steps: list[RowKernel | Operation] = field(default_factory=list["RowKernel | Operation"])
    made: set[SSAValue] = field(default_factory=set[SSAValue])
    """The numbers that they give."""

    @property
    def rows(self) -> list[RowKernel]:
        """The rows alone."""
        return [step for step in self.steps if isinstance(step, RowKernel)]

    @property
    def ops(self) -> list[Operation]:
        """The ops of the block."""
        return [step.outer if isinstance(step, RowKernel) else step for step in self.steps]

    def takes(self, row: RowKernel) -> bool:
        """Return whether it is known before all of these where a row lies."""
        settling = [*row.settling(), *([] if row.branch is None else [row.branch.cond])]
        return not any(depends(value, self.made, row.branch) for value in settling)

    def add(self, step: RowKernel | Operation) -> None:
        """Take another one."""
        self.steps.append(step)
        results = step.outer.results if isinstance(step, RowKernel) else step.results
        self.made |= {result for result in results if not is_tensor(result.type)}

    def used_behind(self) -> list[SSAValue]:
        """The numbers that something else reads."""
        ops = self.ops
        return [
            result
            for op in ops
            for result in op.results
            if result in self.made
            and not all(any(op.is_ancestor(use.operation) for op in ops) for use in result.uses)
        ]


@dataclass
class FusedCalls:
    """Writes kernels that go through rows; `convert` writes any op by itself."""

    code: NativeCode
    kernels: KernelCalls
    convert: Callable[[Operation], None]

    def parts(self, block: Block) -> Iterator[Operation | Rows]:
        """The ops of a block but its last, and rows that are to be written together."""
        found = Rows()
        for op in list(block.ops)[:-1]:
            row = row_kernel(op)
            if row is not None and found.takes(row):
                found.add(row)
            elif row is None and can_be_earlier(op):
                if not found.made.intersection(op.operands):
                    yield op
                elif not is_wide(op):
                    found.add(op)
                    continue
                else:
                    yield from _ended(found)
                    yield op
                    found = Rows()
            else:
                yield from _ended(found)
                found = Rows()
                if row is None:
                    yield op
                else:
                    found.add(row)
        yield from _ended(found)

    def write(self, together: Rows) -> None:
        """Write rows without tests where all is inside and alike, and one by one elsewhere."""
        code, first = self.code, together.ops[0]
        loops: dict[RowKernel, _RowLoop] = {}
        tests: list[SSAValue] = []
        for row in together.rows:
            if row.branch is not None:
                code.like = row.branch
                tests.append(code.values[row.branch.cond])
                for op in row.beside:
                    if not any(depends(v, {*row.call.results}, row.branch) for v in op.operands):
                        self.convert(op)
            loops[row] = _RowLoop(self, row, together.made)
            tests += loops[row].tests
        parts = self._in_loops(together, loops)
        for part in parts:
            if not isinstance(part, Operation):
                tests += self._are_alike(part)
        alike = code.likely(all_of(code.block, sorted(_different(tests), key=_varies)))
        numbers = together.used_behind()
        outer = code.into(Block())
        for part in parts:
            if isinstance(part, Operation):
                self.convert(part)
            elif part[0].row.is_map:
                self._write_together(part)
            else:
                self._fold(part[0])
        values = [code.narrow(number) for number in numbers]
        code.block.add_op(scf.YieldOp(*values))
        fast = code.into(Block())
        for op in together.ops:
            self.convert(op)
        code.like = first
        code.block.add_op(scf.YieldOp(*[code.narrow(number) for number in numbers]))
        slow = code.into(outer)
        types = [value.type for value in values]
        choice = scf.IfOp(alike, types, Region(fast), Region(slow))
        code.block.add_op(located(choice, first))
        for number, result in zip(numbers, choice.results, strict=True):
            result.name_hint = number.name_hint
            code.values[number] = result

    def _in_loops(
        self, together: Rows, loops: dict[RowKernel, _RowLoop]
    ) -> list[Operation | list[_RowLoop]]:
        """Return what is done without tests: scalars, and rows of which each list is one loop."""
        parts: list[Operation | list[_RowLoop]] = []
        maps: list[RowKernel] = []

        def end() -> None:
            for group in groups_of(maps, self.code.buffers):
                parts.append([loops[row] for row in group])
                if len(group) > 1:
                    message = f"{len(group)} kernels go through their rows in one loop"
                    remark(group[0].call, message)
            maps.clear()

        for step in together.steps:
            if isinstance(step, RowKernel) and step.is_map:
                maps.append(step)
                continue
            end()
            parts.append([loops[step]] if isinstance(step, RowKernel) else step)
        end()
        return parts

    def _are_alike(self, loops: Sequence[_RowLoop]) -> list[SSAValue]:
        """Write whether rows begin and end alike."""
        first, *others = loops
        return [
            self.code.add(arith.CmpiOp(end, own, "eq"))
            for other in others
            for end, own in ((other.low, first.low), (other.high, first.high))
            if end is not own
        ]

    def _write_together(self, loops: Sequence[_RowLoop]) -> None:
        """Write maps that go through equal rows as one loop."""
        first = loops[0]
        for loop in loops:
            loop.complete()
        body = Block(arg_types=[IndexType()])
        body.args[0].name_hint = first.hint
        for loop in loops:
            loop.step(body, body.args[0])
        body.add_op(scf.YieldOp())
        _take_out_guards(body, {guard for loop in loops for guard in loop.guards})
        forward_elements(body)
        inside = {loop.row.call for loop in loops}
        for loop in loops:
            uses = [use.operation for use in loop.row.call.results[0].uses]
            if all(use in inside or isinstance(use, tensor.DimOp) for use in uses):
                _drop_stores(body, loop.target)
        around = self._loop(first, body, [])
        for target in dict.fromkeys(loop.target for loop in loops):
            hoist_kept_reads(around, target)

    def _fold(self, loop: _RowLoop) -> None:
        """Write a fold of a row as a loop, and what is computed of it in the branch around it."""
        code, row, op = self.code, loop.row, loop.row.iteration
        loop.complete()
        fold = Fold.of(op.monoid, op.result.type, op.origin)
        neutral = fold.identity(code.block, op)
        body = Block(arg_types=[IndexType(), op.result.type])
        index, held = body.args
        index.name_hint, held.name_hint = loop.hint, "acc"
        total = fold.combine(body, op, [held], [loop.value(body, index)])
        body.add_op(scf.YieldOp(*total))
        _take_out_guards(body, loop.guards)
        (code.values[row.call.results[0]],) = self._loop(loop, body, neutral).results
        if row.branch is None:
            return
        for op in row.beside:
            if any(depends(value, {*row.call.results}, row.branch) for value in op.operands):
                self.convert(op)
        end = row.branch.true_region.block.last_op
        assert end is not None
        for result, value in zip(row.branch.results, end.operands, strict=True):
            code.values[result] = code.narrow(value)

    def _loop(self, loop: _RowLoop, body: Block, carried: Sequence[SSAValue]) -> scf.ForOp:
        """Write the loop along a row, whose steps count like iterations."""
        code = self.code
        code.like = loop.row.call
        steps = code.add(arith.SubiOp(loop.high, loop.low))
        code.count_points(code.add(arith.IndexCastOp(steps, i64)))
        one = code.integer(1, IndexType())
        around = located(scf.ForOp(loop.low, loop.high, one, carried, body), loop.row.call)
        code.block.add_op(around)
        return around


class _RowLoop:
    """Where a row begins and ends, whether all of it is inside, and what a step of it does.

    What it is given of `made` is known later, when it is complete.
    """

    def __init__(self, fused: FusedCalls, row: RowKernel, made: set[SSAValue]):
        code, kernel = fused.code, row.kernel
        self.row, self._code = row, code
        code.like = row.call
        self.tests: list[SSAValue] = []
        self._values: dict[SSAValue, SSAValue] = {}
        self._later = [
            (argument, value)
            for argument, value in zip(kernel.args, row.call.arguments, strict=True)
            if depends(value, made, row.branch)
        ]
        later = {argument for argument, _ in self._later}
        for argument, value in zip(kernel.args, row.call.arguments, strict=True):
            if argument not in later:
                self._values[argument] = self._given(value)
        self._ops = [op for op in kernel.body.block.ops if op is not row.iteration.origin][:-1]
        self._write_ops()
        domain = row.domain
        self._points = Points(row.iteration, row.plan, self._values, domain, inside=True)
        given = [self._values.get(argument, argument) for argument in kernel.args]
        self.tests += fused.kernels.tests_of_extents(row.call, given)
        self.guards = {self._values[g] for g in row.guards() if g in self._values}
        self.tests += self.guards
        self._indices: dict[int, SSAValue] = {}
        self._settle(domain)
        if row.is_map:
            written = overwritten(row.call)
            self.target = (
                code.values[made_arrays(row.call)[0]] if written is None else given[written]
            )

    @property
    def hint(self) -> str | None:
        """The name of the index."""
        return self.row.iteration.indices[self.row.free].name_hint

    def _given(self, value: SSAValue) -> SSAValue:
        """Return what a kernel is given; of a number that is chosen the first, as is tested.

        Extents of what is read where there may be no such row are so: they are zero then.
        """
        code, choice = self._code, value.owner
        if is_tensor(value.type):
            return code.buffer(value)
        if not isinstance(choice, arith.SelectOp):
            return code.fitting(value)
        self.tests.append(code.values[choice.cond])
        return code.fitting(choice.lhs)

    def _write_ops(self) -> None:
        """Write the scalars of the kernel that can be computed by now."""
        left: list[Operation] = []
        for op in self._ops:
            if not all(operand in self._values for operand in op.operands):
                left.append(op)
            elif isinstance(op, tensor.DimOp):
                dim = memref.DimOp(self._values[op.source], self._values[op.index])
                self._values[op.result] = self._code.add(dim)
            else:
                self._code.block.add_op(copy := op.clone(self._values))
                self._values |= zip(op.results, copy.results, strict=True)
        self._ops = left

    def _settle(self, domain: Domain | None) -> None:
        """Write where the row lies, and whether all that is read there is inside."""
        row, code = self.row, self._code
        op = row.iteration
        fixed = [d for d in range(len(op.extents)) if d != row.free]
        extents = [self._values[extent] for extent in op.extents]
        wrapped = self._points.wrapped
        limits = InnerRange(op, wrapped, self._values, domain, extents, {*fixed})
        zero = code.integer(0, IndexType())
        for d in fixed:
            place = limits.only(code.block, d)
            assert place is not None
            self.tests.append(self._is_there(limits, d, place, (zero, extents[d])))
            self._indices[d] = place
        whole = zero, extents[row.free]
        low, high, tests = limits.along(code.block, row.free, self._indices, *whole)
        self.tests += [test for own in tests.values() for test in own]
        self.low, self.high = low, high
        if row.keeps or not row.is_map:
            whole = limits.of_domain(code.block, row.free, self._indices, *whole)
        for end, inner in zip(whole, (low, high), strict=True):
            if end is not inner:
                self.tests.append(code.add(arith.CmpiOp(end, inner, "eq")))

    def _is_there(
        self, limits: InnerRange, d: int, place: SSAValue, whole: tuple[SSAValue, SSAValue]
    ) -> SSAValue:
        """Write whether there is the only place of a dimension."""
        assert limits.domain is not None
        code = self._code
        if sum(1 for bound in limits.domain.bounds if bound.form.factor(d)) == 2:
            return code.add(arith.CmpiOp(place, whole[1], "ult"))
        ends = limits.of_domain(code.block, d, self._indices, *whole)
        return code.add(arith.CmpiOp(*ends, "slt"))

    def complete(self) -> None:
        """Write the numbers that were not known before."""
        self._code.like = self.row.call
        for argument, value in self._later:
            self._values[argument] = self._code.fitting(value)
        self._write_ops()

    def value(self, block: Block, index: SSAValue) -> SSAValue:
        """Append what is computed at one place of the row."""
        (value,) = self._points.point(block, {**self._indices, self.row.free: index})
        return value

    def step(self, block: Block, index: SSAValue) -> None:
        """Append what a map does at one place of the row."""
        value = self.value(block, index)
        indices = {**self._indices, self.row.free: index}
        place = [indices[d] for d in range(len(self.row.iteration.extents))]
        block.add_op(located(memref.StoreOp.get(value, self.target, place), self.row.call))


def _ended(found: Rows) -> Iterator[Operation | Rows]:
    """Return what rows become that follow each other, and what is computed behind them."""
    behind: list[Operation] = []
    while found.steps and isinstance(step := found.steps[-1], Operation):
        behind.insert(0, step)
        found.made -= {*step.results}
        found.steps.pop()
    if len(found.rows) > 1:
        yield found
    else:
        yield from found.ops
    yield from behind


def _different(tests: Sequence[SSAValue]) -> list[SSAValue]:
    """Return tests, those that compare the same with the same extent or number once."""
    found: dict[object, SSAValue] = {}
    for test in tests:
        op, key = test.owner, (test,)
        if isinstance(op, arith.CmpiOp):
            size = op.rhs.owner
            is_extent = isinstance(size, memref.DimOp)
            limit = (size.source, constant_value(size.index)) if is_extent else (op.rhs,)
            key = predicate_of(op), op.lhs, *limit
        found.setdefault(key, test)
    return list(found.values())


def _varies(value: SSAValue) -> bool:
    """Return whether a value may be another one in each iteration: others LLVM computes once."""
    pending, seen = [value], set[SSAValue]()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        op = value.owner
        if isinstance(op, Block):
            if not isinstance(op.parent_op(), func.FuncOp):
                return True
        elif isinstance(op, memref.LoadOp | scf.IfOp | scf.WhileOp | scf.ForOp | func.CallOp):
            return True
        else:
            pending += op.operands
    return False


def _take_out_guards(body: Block, guards: set[SSAValue]) -> None:
    """Take conditions to hold that are tested before.

    scf.if %i_is_there { %x = … } else { 0.0 }    =>    %x = …
    """
    branches = [op for op in body.walk() if isinstance(op, scf.IfOp) and op.cond in guards]
    for op in branches:
        if not op.results or not does_nothing_else(op):
            continue
        end = op.true_region.block.last_op
        assert end is not None
        for result, value in zip(op.results, list(end.operands), strict=True):
            result.replace_all_uses_with(value)
        Rewriter.erase_op(end)
        for inner in list(op.true_region.block.ops):
            inner.detach()
            Rewriter.insert_op(inner, InsertPoint.before(op))
        Rewriter.erase_op(op)


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

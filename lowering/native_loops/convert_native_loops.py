"""Turn outlined loops of the driver into loops over memrefs.

Reads functions that `outline-native-loops` has made; writes functions without results, of `scf`
and `memref`, which hold the loops within the loop as well. An array becomes a memref, read and
written where it is, and a number that is returned an output argument. After these come

* `%failure`: 0, or the number of what failed, or -1 if the call was interrupted, or -2 if it is
  Python's, which begins anew: arrays do not have the extents that it wants, or a number that a job
  divides by is not above zero;
* `%index0`, …: the indices that lie outside of an array, or the key that a map has not, where that
  failed;
* memory for each array that a kernel makes, which is copied where the loop carries it on.

With `jobs`, there is a table of words behind the arguments instead of that memory, and a kernel is
a call of `diablo_share_call` (`job_calls.py`); elements of what jobs make are read and written by
`diablo_word_at`, `diablo_put_word` and the like.

Instead of a sparse matrix there is a memref of integers: for each product with it the address of
the job that multiplies, which the runtime has made ready, and how many entries there are. Instead
of a hash table there is one of the words that say where it lies (`native_tables.py`).

    func.func private @loop_0(%i: index, %s: f64, %V: tensor<?xf64>) -> f64 {
      … tensor.extract %V[%k] …

becomes

    func.func private @loop_0(%i: index, %s: f64, %V: memref<?xf64>, %result: memref<f64>,
                              %failure: memref<i64>, %index0: memref<i64>) {
      … %inside = arith.cmpi ult, %k, %size
        scf.if %outside { memref.store %one, %failure[]; memref.store %k, %index0[] }
        cf.assert %inside, "the call ends"
        memref.load %V[%k] …

What fails ends the call: whoever called says what it was, in the words of Python's function. Every
so many iterations the loop asks whether it is to go on. Indices that may need more than 64 bits
have 128. An innermost loop that counts is written a second time, without tests
(`counted_native_loops.py`), and a kernel where it is called (`native_kernel_calls.py`); kernels
that go through a row each are written a second time as well, several as one loop
(`fused_kernel_calls.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, memref, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    f64,
    i1,
    i64,
)
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.comprehension import TableType
from diablo.dialects.encodings import is_sparse
from diablo.dialects.locations import located
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.predicates import predicate_of
from diablo.dialects.scalar_types import is_unsigned
from diablo.kernel_signature import Dimension, Slot
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.kernel_loops import memref_type
from diablo.lowering.llvm.signature_parts import number_name
from diablo.lowering.llvm.tuple_parts import take_tuples_apart
from diablo.lowering.loop_functions import functions_for_loops, replace_body
from diablo.lowering.native_loops.branchless_stores import store_without_branches
from diablo.lowering.native_loops.counted_native_loops import CountedLoops
from diablo.lowering.native_loops.fused_kernel_calls import FusedCalls
from diablo.lowering.native_loops.job_calls import READ, SHARE_CALL, WRITE, JobCalls
from diablo.lowering.native_loops.loop_counts import (
    counted_loop,
    ends_of,
    is_known_inside,
    numbers_among,
)
from diablo.lowering.native_loops.loop_jobs import LoopJobs
from diablo.lowering.native_loops.native_kernel_calls import SHARE_AGAIN, KernelCalls
from diablo.lowering.native_loops.native_loop_code import (
    EXPECT,
    INTERRUPTED,
    WIDE,
    ConvertedLoop,
    NativeCode,
)
from diablo.lowering.native_loops.native_loops import (
    DIVISIONS,
    TableOps,
    counter_step,
    fixed_dimension,
    is_counter,
    is_wide,
    made_with,
)
from diablo.lowering.native_loops.native_tables import COUNT, FIND, PUT, WORDS, TableCalls
from diablo.lowering.native_loops.tuple_words import read_as_words
from diablo.lowering.outlined_loops import called_loop, loop_of
from diablo.lowering.sought_keys import sought_key
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import constant_value


def inline_loops(function: func.FuncOp) -> None:
    """Put the loops that a function calls in the places of the calls."""
    while calls := [op for op in function.walk() if called_loop(op) is not None]:
        for call in calls:
            callee = called_loop(call)
            assert callee is not None
            values: dict[SSAValue, SSAValue] = dict(
                zip(callee.body.block.args, call.operands, strict=True)
            )
            copies = [op.clone(values) for op in callee.body.block.ops]
            end = copies.pop()
            Rewriter.insert_op(copies, InsertPoint.before(call))
            for result, value in zip(call.results, list(end.operands), strict=True):
                result.replace_all_uses_with(value)
            end.drop_all_references()
            Rewriter.erase_op(call)


def convert_native_loop(function: func.FuncOp, jobs: LoopJobs | None = None) -> ConvertedLoop:
    """Rewrite the function of a loop, which calls no others, in place; say what it takes.

    With `jobs`, it has a table of their words behind its arguments.
    """
    loop = loop_of(function)
    assert loop is not None
    code = NativeCode(function, jobs=jobs)
    if jobs is None:
        code.buffers.note(loop)
    else:
        code.buffers = jobs.buffers
    _Conversion(code).convert()
    return code.found


@dataclass
class _Conversion:
    code: NativeCode
    known: dict[SSAValue, bool] = field(default_factory=dict[SSAValue, bool])
    """The conditions of the branches around what is written, and whether they hold there."""
    counts: CountedLoops = field(init=False)
    kernels: KernelCalls = field(init=False)
    fused: FusedCalls = field(init=False)
    tables: TableCalls = field(init=False)
    jobs: JobCalls | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.counts = CountedLoops(self.code, self._block_of)
        self.kernels = KernelCalls(self.code)
        self.fused = FusedCalls(self.code, self.kernels, self._convert)
        self.tables = TableCalls(self.code)
        if self.code.jobs is not None:
            self.jobs = JobCalls(self.code, self.code.jobs)

    # -- The function ---------------------------------------------------------------------

    def convert(self) -> None:
        """Rewrite the function."""
        old = self.code.function.body.block
        end = old.last_op
        assert isinstance(end, func.ReturnOp)
        entry = self.code.block
        for argument in old.args:
            type = memref_type(argument.type) if is_tensor(argument.type) else argument.type
            if is_sparse(argument.type):
                type = MemRefType(i64, [DYNAMIC_INDEX])
            if isinstance(argument.type, TableType):
                type = WORDS
            self.code.values[argument] = self.code.argument(entry, type, argument.name_hint)
        if self.jobs is not None:
            words = MemRefType(i64, [DYNAMIC_INDEX])
            self.code.table = self.code.argument(entry, words, "table")
        numbers = [value for value in end.arguments if not is_tensor(value.type)]
        outputs = [
            self.code.argument(entry, MemRefType(v.type, []), v.name_hint or "result")
            for v in numbers
        ]
        self.code.failure = self.code.argument(entry, MemRefType(i64, []), "failure")
        ranks = [op.tensor.type for op in old.walk() if isinstance(op, tensor.ExtractOp)]
        ranks += [op.dest.type for op in old.walk() if isinstance(op, tensor.InsertOp)]
        keys = [len(sought_key(op.arg)) for op in old.walk() if isinstance(op, cf.AssertOp)]
        rank = max((*keys, *[t.get_num_dims() for t in ranks if is_tensor(t)]), default=0)
        self.code.found.indices = rank
        for k in range(rank):
            self.code.indices.append(self.code.argument(entry, MemRefType(i64, []), f"index{k}"))
        for array in self.code.buffers.made if self.jobs is None else ():
            dimensions = made_with(array, self.code.function, self.code.buffers)
            assert is_tensor(array.type)
            slot = Slot(number_name(array.type), tuple(dimensions), temporary=True)
            self.code.found.temporaries.append(slot)
            self.code.values[array] = self.code.argument(
                entry, memref_type(array.type), array.name_hint or "made"
            )
        self.code.like = self.code.function
        self.code.store(self.code.integer(0), self.code.failure)
        counter = self.code.add(memref.AllocaOp.get(i64, shape=[1]))
        counter.name_hint = "countdown"
        self.code.countdown = counter
        assert isinstance(counter.owner, Operation)
        self.code.head = counter.owner
        self.code.set_countdown()
        moved = [held for _, held, _ in self.code.buffers.carried if held in old.args]
        for number in sorted(list(old.args).index(held) for held in moved):  # pyright: ignore
            self.code.found.copied.append(number)
            self.code.found.written.add(number)
        for number, array in self.code.buffers.copied:
            self.code.found.copied.append(number)
            self.code.found.written.add(number)
            if self.jobs is None:
                dimensions = made_with(array, self.code.function, self.code.buffers)
                self.kernels.require_alike(self.code.values[old.args[number]], dimensions)
        for array in self.code.buffers.replaced if self.jobs is None else ():
            dimensions = made_with(array, self.code.function, self.code.buffers)
            self.kernels.require_alike(self.code.buffer(array), dimensions)
        for op in list(old.ops):
            if op is not end:
                self._convert(op)
        for value, output in zip(numbers, outputs, strict=True):
            self.code.store(self.code.values[value], output)
        self.code.block.add_op(func.ReturnOp())
        replace_body(self.code.function, entry)
        store_without_branches(self.code.function)

    # -- Building -------------------------------------------------------------------------

    def _region(self, write: Sequence[Operation] | None = None) -> Region:
        return Region(Block(write or []))

    # -- Operations -----------------------------------------------------------------------

    def _convert(self, op: Operation) -> None:
        self.code.like = op
        match op:
            case scf.WhileOp():
                self._while(op)
            case scf.IfOp():
                self._if(op)
            case tensor.DimOp() if self.code.buffers.of(op.source) in self.code.values:
                array, axis = self.code.buffer(op.source), self.code.values[op.index]
                self.code.bind(op, memref.DimOp(array, axis))
            case tensor.DimOp():
                axis = constant_value(op.index)
                assert isinstance(axis, int)
                self.code.values[op.result] = self.code.extent(op.source, axis)
            case tensor.ExtractOp() if self.jobs is not None and self.jobs.has(op.tensor):
                self.jobs.read(op, self._inside(op, op.tensor, op.indices))
            case tensor.InsertOp() if self.jobs is not None and self.jobs.has(op.dest):
                self.jobs.put(op, self._inside(op, op.dest, op.indices))
                self.code.note_written(op.dest)
            case tensor.ExtractOp():
                indices = self._inside(op, op.tensor, op.indices)
                self.code.bind(op, memref.LoadOp.get(self.code.buffer(op.tensor), indices))
            case tensor.InsertOp():
                indices = self._inside(op, op.dest, op.indices)
                array, value = self.code.buffer(op.dest), self.code.values[op.scalar]
                self.code.block.add_op(located(memref.StoreOp.get(value, array, indices), op))
                self.code.note_written(op.dest)
            case cf.AssertOp():
                self.code.require(self.code.values[op.arg], op, indices=sought_key(op.arg))
            case func.CallOp() | tensor.CollapseShapeOp() if self.jobs is not None:
                self.jobs.write(op)
            case func.CallOp():
                self.kernels.write(op)
            case _ if isinstance(op, TableOps):
                self.tables.write(op)
            case _ if isinstance(op, DIVISIONS):
                self._divide(op)
            case arith.CmpiOp() if self.counts.is_tested(op, None):
                self.code.values[op.result] = self.code.integer(1, i1)
            case arith.CmpiOp() if self.counts.in_part is not None and self.counts.is_test(op):
                self.code.values[op.result] = self.counts.in_part
            case _ if self.counts.counted is not None and op in self.counts.counted.exact:
                narrow = {operand: self.code.narrow(operand) for operand in op.operands}
                self.code.bind(op, op.clone({**self.code.values, **narrow}))
            case _ if _is_wide_beside(op):
                self._compute_wide(op)
            case _:
                copy = op.clone(self.code.values)
                self.code.bind(op, copy)

    def _block_of(self, old: Block) -> None:
        parts = self.fused.parts(old) if self.jobs is None else list(old.ops)[:-1]
        for part in parts:
            if isinstance(part, Operation):
                self._convert(part)
            else:
                self.fused.write(part)

    def _if(self, op: scf.IfOp) -> None:
        known = self._known(op.cond)
        region = op.true_region if known else op.false_region
        if known is not None:
            if region.blocks:
                self._block_of(region.block)
                end = region.block.last_op
                assert end is not None
                if self.jobs is not None:
                    self.jobs.choose(end)
                for result, value in zip(op.results, end.operands, strict=True):
                    if not is_tensor(result.type):
                        self.code.values[result] = self.code.narrow(value)
            return
        kept = [k for k, result in enumerate(op.results) if not is_tensor(result.type)]
        regions: list[Region] = []
        outer = self.code.block
        for region in op.regions:
            if not region.blocks:
                regions.append(Region())
                continue
            self.code.into(Block())
            self.known[op.cond] = region is op.true_region
            self._block_of(region.block)
            end = region.block.last_op
            assert end is not None
            if self.jobs is not None:
                self.jobs.choose(end)
            del self.known[op.cond]
            self.code.like = op
            self.code.block.add_op(scf.YieldOp(*[self.code.narrow(end.operands[k]) for k in kept]))
            regions.append(Region(self.code.block))
        self.code.block = outer
        types = [op.results[k].type for k in kept]
        if not types and regions[1].blocks and len(regions[1].block.ops) == 1:
            regions[1] = Region()
        new = scf.IfOp(self.code.values[op.cond], types, regions[0], regions[1])
        self.code.block.add_op(located(new, op))
        for k, result in zip(kept, new.results, strict=True):
            result.name_hint = op.results[k].name_hint
            self.code.values[op.results[k]] = result

    def _known(self, condition: SSAValue) -> bool | None:
        """Return whether a condition holds by the branches around a place; None if none says so."""
        if condition in self.known:
            return self.known[condition]
        holding = self._holding()
        if condition in holding:
            return True
        test = condition.owner
        if isinstance(test, arith.AndIOp):
            parts = [self._known(operand) for operand in test.operands]
            return False if False in parts else True if None not in parts else None
        if isinstance(test, arith.CmpiOp) and predicate_of(test) == "ult":
            said = [o for c in holding if isinstance(o := c.owner, arith.CmpiOp)]
            said = [o for o in said if predicate_of(o) == "ult" and o.lhs is test.lhs]
            return any(self._reaches(test.rhs, other.rhs) for other in said) or None
        return None

    def _holding(self) -> list[SSAValue]:
        """The conditions that hold, and the parts of those that are two others."""
        pending = [condition for condition, holds in self.known.items() if holds]
        found: list[SSAValue] = []
        while pending:
            condition = pending.pop()
            found.append(condition)
            if isinstance(condition.owner, arith.AndIOp):
                pending += condition.owner.operands
        return found

    def _reaches(self, extent: SSAValue, limit: SSAValue) -> bool:
        """Whether an extent is a limit at least, since callers see to it."""
        try:
            found, least = (
                fixed_dimension(value, self.code.function, self.code.buffers)
                for value in (extent, limit)
            )
        except Refused:
            return False
        if found == least:
            return True
        axis = found.axis
        return axis is not None and self.code.found.bounds.get((found.argument, axis)) == least

    def _while(self, op: scf.WhileOp) -> None:
        """Write a loop; twice, if a test before it says that indices are inside of arrays."""
        if self.jobs is not None:
            self.jobs.enter(op)
        exchanges = self.jobs is not None and self.jobs.exchanges(op)
        counted = None if exchanges else counted_loop(op)
        if counted is None or any(
            self._is_wide_counter(op, k)
            for k in range(len(op.before_region.block.args))
            if k != counted.number
        ):
            self._plain_while(op)
            return
        self.counts.write(op, counted, self._plain_while)

    def _plain_while(self, op: scf.WhileOp) -> None:
        before, after = op.before_region.block, op.after_region.block
        condition, end = ends_of(op)
        carried, passed = numbers_among(before.args), numbers_among(condition.args)
        counters = [k for k in carried if self._is_wide_counter(op, k)]
        given = [self.code.values[op.arguments[k]] for k in carried]
        no = [self.code.integer(0, i1) for _ in counters]
        outer = self.code.block
        # Whether each counter has passed what 64 bits count, and the loop's limit with it.
        first = Block(arg_types=[*[before.args[k].type for k in carried], *[i1] * len(counters)])
        for k, argument in zip(carried, first.args, strict=False):
            argument.name_hint = before.args[k].name_hint
            self.code.values[before.args[k]] = argument
        self.code.into(first)
        self._block_of(before)
        self.code.like = op
        go_on = self.code.values[condition.condition]
        for over in first.args[len(carried) :]:
            within = self.code.add(arith.XOrIOp(over, self.code.integer(1, i1)))
            go_on = self.code.add(arith.AndIOp(go_on, within))
        values = [self.code.narrow(condition.args[k]) for k in passed]
        first.add_op(scf.ConditionOp(go_on, *values))
        second = Block(arg_types=[value.type for value in values])
        for k, argument in zip(passed, second.args, strict=True):
            argument.name_hint = after.args[k].name_hint
            self.code.values[after.args[k]] = argument
        self.code.into(second)
        self.code.ask()
        self._block_of(after)
        self.code.like = op
        over = [self._has_passed(op, k) for k in counters]
        yielded = [
            self._next(end.operands[k]) if k in counters else self.code.narrow(end.operands[k])
            for k in carried
        ]
        if self.jobs is not None:
            self.jobs.exchange(op)
        elif op.parent_op() is self.code.function:
            for number, array in self.code.buffers.copied:
                target = self.code.buffers.of(op.before_region.block.args[number])
                self.kernels.copy_array(self.code.values[array], self.code.values[target])
        self.code.block.add_op(scf.YieldOp(*yielded, *over))
        self.code.block = outer
        types = [value.type for value in values]
        new = scf.WhileOp([*given, *no], types, Region(first), Region(second))
        self.code.block.add_op(located(new, op))
        for k, result in zip(passed, new.results, strict=True):
            result.name_hint = op.results[k].name_hint
            self.code.values[op.results[k]] = result

    # -- What fails, and what ends a call -------------------------------------------------

    # -- Indices --------------------------------------------------------------------------

    def _inside(
        self, op: Operation, array: SSAValue, indices: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """Indices that lie inside an array: the call ends where they do not."""
        owner = self.code.buffers.of(array)
        holds: SSAValue | None = None
        for axis, index in enumerate(indices):
            if self.counts.is_tested(op, axis) or is_known_inside(array, axis, index):
                continue
            if self.code.is_argument(owner) and self._is_guarded(op, owner, axis, index):
                continue
            size = self.code.extent(array, axis)
            value = self.code.values[index]
            if value.type == WIDE:
                size = self.code.widen(size)
            test = self.code.add(arith.CmpiOp(value, size, "ult"))
            holds = test if holds is None else self.code.add(arith.AndIOp(holds, test))
        if holds is not None:
            if self.code.is_argument(owner):
                self.code.require(holds, op, owner.index, indices)
            else:
                extents = made_with(owner, self.code.function, self.code.buffers)
                self.code.require(holds, op, tuple(extents), indices)
        return [self.code.narrow(index) for index in indices]

    def _is_guarded(self, op: Operation, array: BlockArgument, axis: int, index: SSAValue) -> bool:
        """Whether a branch around `op` says that an index is below an extent that callers check."""
        for limit in _limits(op, index):
            try:
                dimension = fixed_dimension(limit, self.code.function, self.code.buffers)
            except Refused:
                continue
            if dimension == Dimension(None, array.index, axis):
                return True
            if self.code.found.bounds.setdefault((array.index, axis), dimension) == dimension:
                return True
        return False

    def _compute_wide(self, op: Operation) -> None:
        """An op of which an operand or the result is an index with 128 bits."""
        (result,) = op.results
        if isinstance(op, arith.IndexCastOp):
            self.code.values[result] = self._narrow_to_word(op.input)
            return
        left, right = (self.code.widen(self.code.values[operand]) for operand in op.operands)
        if isinstance(op, arith.CmpiOp):
            self.code.values[result] = self.code.add(arith.CmpiOp(left, right, predicate_of(op)))
            return
        assert isinstance(
            op, arith.AddiOp | arith.SubiOp | arith.MuliOp | arith.MinSIOp | arith.MaxSIOp
        )
        if isinstance(op, arith.MinSIOp | arith.MaxSIOp):
            order = "slt" if isinstance(op, arith.MinSIOp) else "sgt"
            first = self.code.add(arith.CmpiOp(left, right, order))
            self.code.values[result] = self.code.add(arith.SelectOp(first, left, right))
        else:
            self.code.values[result] = self.code.add(type(op)(left, right))
        if not is_wide(op):
            self.code.values[result] = self.code.narrow(result)
        self.code.values[result].name_hint = result.name_hint

    def _narrow_to_word(self, value: SSAValue) -> SSAValue:
        if self.code.values[value].type != WIDE:
            return self.code.word(self.code.values[value])
        return self.code.add(arith.TruncIOp(self.code.values[value], i64))

    def _is_wide_counter(self, loop: scf.WhileOp, number: int) -> bool:
        end = loop.after_region.block.last_op
        assert end is not None
        made = end.operands[number].owner
        return isinstance(made, Operation) and is_wide(made) and is_counter(loop, number)

    def _has_passed(self, loop: scf.WhileOp, number: int) -> SSAValue:
        """Return whether what a counter becomes needs more than 64 bits."""
        end = loop.after_region.block.last_op
        assert end is not None
        made, step = end.operands[number].owner, counter_step(loop, number)
        assert isinstance(made, arith.AddiOp)
        assert step is not None
        now = self.code.values[made.lhs]
        known = constant_value(step)
        if known is not None:
            limit = self.code.integer((2**63 - 1 if known > 0 else -(2**63)) - int(known), now.type)
            return self.code.add(arith.CmpiOp(now, limit, "sgt" if known > 0 else "slt"))
        by = self.code.narrow(step)
        zero = self.code.integer(0, by.type)
        over: list[SSAValue] = []
        for sign, end_of_all, beyond in (("sgt", 2**63 - 1, "sgt"), ("slt", -(2**63), "slt")):
            goes_there = self.code.add(arith.CmpiOp(by, zero, sign))
            limit = self.code.add(arith.SubiOp(self.code.integer(end_of_all, by.type), by))
            is_beyond = self.code.add(arith.CmpiOp(now, limit, beyond))
            over.append(self.code.add(arith.AndIOp(goes_there, is_beyond)))
        return self.code.add(arith.OrIOp(over[0], over[1]))

    def _next(self, value: SSAValue) -> SSAValue:
        """Return what a counter becomes, which nothing reads where it needs more than 64 bits."""
        made = value.owner
        assert isinstance(made, arith.AddiOp)
        return self.code.add(arith.AddiOp(self.code.values[made.lhs], self.code.narrow(made.rhs)))

    # -- Divisions ------------------------------------------------------------------------

    def _divide(self, op: Operation) -> None:
        """A division of integers: by zero it fails, and by -1 the least of them is itself."""
        (result,) = op.results
        left, right = (self.code.narrow(operand) for operand in op.operands)
        type = right.type
        known = right.owner
        number = known.value if isinstance(known, ConstantOps) else None
        divisor = number.value.data if isinstance(number, IntegerAttr) else None
        if not divisor:
            self.code.require(
                self.code.add(arith.CmpiOp(right, self.code.integer(0, type), "ne")), op
            )
        if is_unsigned(type) or isinstance(op, arith.DivUIOp | arith.RemUIOp):
            self.code.bind(op, op.clone(self.code.values))
            return
        negative = divisor == -1
        by_minus_one: SSAValue | None = None
        if divisor is None or negative:
            minus_one = self.code.integer(-1, type)
            by_minus_one = self.code.add(arith.CmpiOp(right, minus_one, "eq"))
            right = self.code.add(arith.SelectOp(by_minus_one, self.code.integer(1, type), right))
        quotient = self.code.add(arith.DivSIOp(left, right))
        rest = self.code.add(arith.RemSIOp(left, right))
        zero = self.code.integer(0, type)
        if isinstance(op, arith.RemSIOp):
            self.code.values[result] = rest
            return
        if isinstance(op, arith.FloorDivSIOp | arith.CeilDivSIOp):
            inexact = self.code.add(arith.CmpiOp(rest, zero, "ne"))
            below = self.code.add(arith.CmpiOp(left, zero, "slt"))
            mixed = self.code.add(
                arith.CmpiOp(below, self.code.add(arith.CmpiOp(right, zero, "slt")), "ne")
            )
            one = self.code.integer(1, type)
            if isinstance(op, arith.FloorDivSIOp):
                moved = self.code.add(arith.SubiOp(quotient, one))
            else:
                mixed = self.code.add(arith.XOrIOp(mixed, self.code.integer(1, i1)))
                moved = self.code.add(arith.AddiOp(quotient, one))
            moves = self.code.add(arith.AndIOp(inexact, mixed))
            quotient = self.code.add(arith.SelectOp(moves, moved, quotient))
        if by_minus_one is not None:
            negated = self.code.add(arith.SubiOp(zero, left))
            quotient = self.code.add(arith.SelectOp(by_minus_one, negated, quotient))
        self.code.values[result] = quotient
        quotient.name_hint = result.name_hint


def _is_wide_beside(op: Operation) -> bool:
    """Return whether an op computes an index with 128 bits, or takes one."""
    return is_wide(op) or any(
        isinstance(operand.owner, Operation) and is_wide(operand.owner) for operand in op.operands
    )


def _limits(op: Operation, index: SSAValue) -> list[SSAValue]:
    """Return what branches around `op` say that an index, read without a sign, lies below."""
    found: list[SSAValue] = []
    inner, outer = op, op.parent_op()
    while outer is not None and not isinstance(outer, func.FuncOp):
        if isinstance(outer, scf.IfOp) and inner.parent_region() is outer.true_region:
            pending = [outer.cond]
            while pending:
                test = pending.pop().owner
                if isinstance(test, arith.AndIOp):
                    pending += test.operands
                elif isinstance(test, arith.CmpiOp) and test.lhs is index:
                    found += [test.rhs] if predicate_of(test) == "ult" else []
        inner, outer = outer, outer.parent_op()
    return found


@dataclass(frozen=True)
class ConvertNativeLoopsPass(ModulePass):
    """Turn outlined loops of the driver into loops over memrefs."""

    name = "convert-native-loops"
    jobs: bool = False
    """Whether kernels are jobs that threads share, and no part of the loops."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every function of a loop that none of another loop calls."""
        loops = [o for o in op.ops if isinstance(o, func.FuncOp) and loop_of(o) is not None]
        inner = {callee for o in loops for i in o.walk() if (callee := called_loop(i)) is not None}
        for function in functions_for_loops(op, [o for o in loops if o not in inner]):
            inline_loops(function)
            read_as_words(function)
            take_tuples_apart(function)
            convert_native_loop(function, LoopJobs.of(function) if self.jobs else None)
        declare_provided(op)


def declare_provided(module: ModuleOp) -> None:
    """Declare the functions of the process, and of LLVM, that loops call."""
    called = {op.callee.string_value() for op in module.walk() if isinstance(op, func.CallOp)}
    vector = MemRefType(f64, [DYNAMIC_INDEX])
    for name, inputs, outputs in (
        (INTERRUPTED, [], [i64]),
        (EXPECT, [i1, i1], [i1]),
        (SHARE_AGAIN, [i64, vector, vector], []),
        (SHARE_CALL, [i64, MemRefType(i64, [DYNAMIC_INDEX])], []),
        *((name, [i64, i64], [i64]) for name in READ.values()),
        *((name, [i64, i64, i64], []) for name in WRITE.values()),
        (FIND, [WORDS, WORDS], [i64]),
        (PUT, [WORDS, WORDS], [i64]),
        (COUNT, [WORDS], [i64]),
    ):
        if name in called:
            module.body.block.add_op(func.FuncOp.external(name, inputs, outputs))

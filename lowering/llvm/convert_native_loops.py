"""Turn outlined loops of the driver into loops over memrefs.

Reads functions that `outline-native-loops` has made; writes functions without results, of `scf`
and `memref`, which hold the loops within the loop as well. An array becomes a memref, read and
written where it is, and a number that is returned an output argument. After these come

* `%failure`: 0, or the number of what failed, or -1 if the call was interrupted, or -2 if arrays do
  not have the extents that it wants;
* `%index0`, …: the indices that lie outside of an array, where that failed;
* memory for each array that a kernel makes, which is copied where the loop carries it on.

Instead of a sparse matrix there is a memref of integers: for each product with it the address of
the job that multiplies, which the runtime has made ready, and how many entries there are.

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
have 128. An innermost loop that counts is written a second time, without tests of the places that
the count gives, for where a test before it says that these are inside:

    %j = scf.while …                 %inside = … %i and %n - 1 are below the extent of %V
      tensor.extract %V[%j]    =>    scf.if %inside {
                                       scf.while … { ask; scf.while … { memref.load %V[%j] } }
                                     } else { scf.while … { ask; test %j; memref.load %V[%j] } }
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, memref, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from diablo.dialects.encodings import is_sparse
from diablo.dialects.locations import located
from diablo.dialects.number_constants import ConstantOps, constant_op
from diablo.dialects.predicates import predicate_of
from diablo.dialects.scalar_types import is_unsigned
from diablo.kernel_signature import Dimension, Slot
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.branchless_stores import store_without_branches
from diablo.lowering.llvm.called_kernels import (
    SparseProduct,
    called_kernel,
    check_called,
    loops_of,
    made_arrays,
    overwritten,
    sparse_product,
)
from diablo.lowering.llvm.convert_tensor_block_to_loops import memref_type
from diablo.lowering.llvm.kept_reads import hoist_kept_reads
from diablo.lowering.llvm.loop_counts import CountedLoop, PlaceTest, counted_loop, ends_of
from diablo.lowering.llvm.native_loops import (
    DIVISIONS,
    Buffers,
    counter_step,
    dimension_in_call,
    fixed_dimension,
    is_counter,
    is_wide,
    made_with,
)
from diablo.lowering.llvm.range_tests import write_range_test
from diablo.lowering.llvm.signature_parts import element_name
from diablo.lowering.llvm.tuple_parts import take_tuples_apart
from diablo.lowering.loop_functions import functions_for_loops
from diablo.lowering.outlined_loops import called_loop, loop_of
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import constant_value

INTERRUPTED = "diablo_interrupted"
"""The function of the process that runs a loop that says whether it is to end."""
SHARE_AGAIN = "diablo_share_again"
"""The function of that process that shares the work of a job, for other addresses each time."""
UNSUITABLE = -2
"""The failure of a call that has done nothing, since arrays do not have the extents it wants."""
ITERATIONS = 1 << 22
"""After how many iterations a loop asks."""
_WIDE = IntegerType(128)
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


def convert_native_loop(function: func.FuncOp) -> ConvertedLoop:
    """Rewrite the function of a loop, which calls no others, in place; say what it takes."""
    loop = loop_of(function)
    assert loop is not None
    conversion = _Conversion(function)
    conversion.buffers.note(loop)
    conversion.convert()
    return conversion.found


@dataclass
class _Conversion:
    function: func.FuncOp
    found: ConvertedLoop = field(default_factory=ConvertedLoop)
    buffers: Buffers = field(default_factory=Buffers)
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    block: Block = field(default_factory=Block)
    like: Operation | None = None
    failure: SSAValue | None = None
    indices: list[SSAValue] = field(default_factory=list[SSAValue])
    countdown: SSAValue | None = None
    entry: Block = field(default_factory=Block)
    """The first block of the function, where buffers are made."""
    entry_end: Operation | None = None
    """Before what they are."""
    known: dict[SSAValue, bool] = field(default_factory=dict[SSAValue, bool])
    """The conditions of the branches around what is written, and whether they hold there."""
    counted: CountedLoop | None = None
    """The loop that is written, where a test before it has found that it stays inside arrays."""
    in_part: SSAValue | None = None
    """Whether the count is within the part of it that is written, instead of its own test."""

    # -- The function ---------------------------------------------------------------------

    def convert(self) -> None:
        """Rewrite the function."""
        old = self.function.body.block
        end = old.last_op
        assert isinstance(end, func.ReturnOp)
        entry = self.entry = self.block
        for argument in old.args:
            type = memref_type(argument.type) if is_tensor(argument.type) else argument.type
            if is_sparse(argument.type):
                type = MemRefType(i64, [DYNAMIC_INDEX])
            self.values[argument] = self._argument(entry, type, argument.name_hint)
        numbers = [value for value in end.arguments if not is_tensor(value.type)]
        outputs = [
            self._argument(entry, MemRefType(v.type, []), v.name_hint or "result") for v in numbers
        ]
        self.failure = self._argument(entry, MemRefType(i64, []), "failure")
        ranks = [op.tensor.type for op in old.walk() if isinstance(op, tensor.ExtractOp)]
        ranks += [op.dest.type for op in old.walk() if isinstance(op, tensor.InsertOp)]
        rank = max((t.get_num_dims() for t in ranks if is_tensor(t)), default=0)
        self.found.indices = rank
        for k in range(rank):
            self.indices.append(self._argument(entry, MemRefType(i64, []), f"index{k}"))
        for array in self.buffers.made:
            dimensions = made_with(array, self.function, self.buffers)
            assert is_tensor(array.type)
            slot = Slot(element_name(array.type), tuple(dimensions), temporary=True)
            self.found.temporaries.append(slot)
            self.values[array] = self._argument(
                entry, memref_type(array.type), array.name_hint or "made"
            )
        self.like = self.function
        self._store(self._integer(0), self.failure)
        counter = self._add(memref.AllocaOp.get(i64, shape=[1]))
        counter.name_hint = "countdown"
        self.countdown = counter
        assert isinstance(counter.owner, Operation)
        self.entry_end = counter.owner
        self._set_countdown()
        for number, array in self.buffers.copied:
            self.found.copied.append(number)
            self.found.written.add(number)
            dimensions = made_with(array, self.function, self.buffers)
            self._require_alike(self.values[old.args[number]], dimensions)
        for array in self.buffers.replaced:
            dimensions = made_with(array, self.function, self.buffers)
            self._require_alike(self._buffer(array), dimensions)
        for op in list(old.ops):
            if op is not end:
                self._convert(op)
        for value, output in zip(numbers, outputs, strict=True):
            self._store(self.values[value], output)
        self.block.add_op(func.ReturnOp())
        self.function.body.detach_block(old)
        for op in list(old.walk()):
            op.drop_all_references()
        self.function.body.add_block(entry)
        store_without_branches(self.function)
        self.function.function_type = FunctionType.from_lists([a.type for a in entry.args], [])
        self.function.properties.pop("arg_attrs", None)
        self.function.properties.pop("res_attrs", None)

    @staticmethod
    def _argument(block: Block, type: Attribute, hint: str | None) -> SSAValue:
        argument = block.insert_arg(type, len(block.args))
        argument.name_hint = hint
        return argument

    # -- Building -------------------------------------------------------------------------

    def _add(self, op: Operation) -> SSAValue:
        assert self.like is not None
        self.block.add_op(located(op, self.like))
        return op.results[0]

    def _integer(self, value: int, type: Attribute = i64) -> SSAValue:
        return self._add(constant_op(IntegerAttr(value, type)))  # pyright: ignore

    def _store(self, value: SSAValue, place: SSAValue) -> None:
        if isinstance(value.type, IndexType) and place.type == MemRefType(i64, []):
            value = self._add(arith.IndexCastOp(value, i64))
        assert self.like is not None
        self.block.add_op(located(memref.StoreOp.get(value, place, []), self.like))

    def _region(self, write: Sequence[Operation] | None = None) -> Region:
        return Region(Block(write or []))

    def _into(self, block: Block) -> Block:
        """Write into another block; returns the one so far."""
        before, self.block = self.block, block
        return before

    # -- Operations -----------------------------------------------------------------------

    def _convert(self, op: Operation) -> None:
        self.like = op
        match op:
            case scf.WhileOp():
                self._while(op)
            case scf.IfOp():
                self._if(op)
            case tensor.DimOp():
                array, axis = self._buffer(op.source), self.values[op.index]
                self._bind(op, memref.DimOp(array, axis))
            case tensor.ExtractOp():
                indices = self._inside(op, op.tensor, op.indices)
                self._bind(op, memref.LoadOp.get(self._buffer(op.tensor), indices))
            case tensor.InsertOp():
                indices = self._inside(op, op.dest, op.indices)
                array, value = self._buffer(op.dest), self.values[op.scalar]
                self.block.add_op(located(memref.StoreOp.get(value, array, indices), op))
                self._note_written(op.dest)
            case cf.AssertOp():
                self._require(self.values[op.arg], op)
            case func.CallOp():
                self._call(op)
            case _ if isinstance(op, DIVISIONS):
                self._divide(op)
            case arith.CmpiOp() if self._is_tested(op, None):
                self.values[op.result] = self._integer(1, i1)
            case arith.CmpiOp() if self.in_part is not None and self._is_test(op):
                self.values[op.result] = self.in_part
            case _ if self.counted is not None and op in self.counted.exact:
                narrow = {operand: self._narrow(operand) for operand in op.operands}
                self._bind(op, op.clone({**self.values, **narrow}))
            case _ if _is_wide_beside(op):
                self._compute_wide(op)
            case _:
                copy = op.clone(self.values)
                self._bind(op, copy)

    def _bind(self, op: Operation, new: Operation) -> None:
        self.block.add_op(located(new, op))
        for old, result in zip(op.results, new.results, strict=True):
            result.name_hint = old.name_hint
            self.values[old] = result

    def _buffer(self, array: SSAValue) -> SSAValue:
        return self.values[self.buffers.of(array)]

    def _block_of(self, old: Block) -> None:
        for op in list(old.ops):
            if op is not old.last_op:
                self._convert(op)

    def _if(self, op: scf.IfOp) -> None:
        known = self._known(op.cond)
        region = op.true_region if known else op.false_region
        if known is not None:
            if region.blocks:
                self._block_of(region.block)
                end = region.block.last_op
                assert end is not None
                for result, value in zip(op.results, end.operands, strict=True):
                    if not is_tensor(result.type):
                        self.values[result] = self._narrow(value)
            return
        kept = [k for k, result in enumerate(op.results) if not is_tensor(result.type)]
        regions: list[Region] = []
        outer = self.block
        for region in op.regions:
            if not region.blocks:
                regions.append(Region())
                continue
            self._into(Block())
            self.known[op.cond] = region is op.true_region
            self._block_of(region.block)
            del self.known[op.cond]
            end = region.block.last_op
            assert end is not None
            self.like = op
            self.block.add_op(scf.YieldOp(*[self._narrow(end.operands[k]) for k in kept]))
            regions.append(Region(self.block))
        self.block = outer
        types = [op.results[k].type for k in kept]
        if not types and regions[1].blocks and len(regions[1].block.ops) == 1:
            regions[1] = Region()
        new = scf.IfOp(self.values[op.cond], types, regions[0], regions[1])
        self.block.add_op(located(new, op))
        for k, result in zip(kept, new.results, strict=True):
            result.name_hint = op.results[k].name_hint
            self.values[op.results[k]] = result

    def _known(self, condition: SSAValue) -> bool | None:
        """What the branches around a place say of a condition."""
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
                fixed_dimension(value, self.function, self.buffers) for value in (extent, limit)
            )
        except Refused:
            return False
        if found == least:
            return True
        axis = found.axis
        return axis is not None and self.found.bounds.get((found.argument, axis)) == least

    def _while(self, op: scf.WhileOp) -> None:
        """Write a loop; twice, if a test before it says that indices are inside of arrays."""
        counted = counted_loop(op)
        if counted is None or any(
            self._is_wide_counter(op, k)
            for k in range(len(op.before_region.block.args))
            if k != counted.number
        ):
            self._plain_while(op)
            return
        first = self.values[op.arguments[counted.number]]
        safe, last = write_range_test(
            counted, first, lambda v: self._outside(v, op), self._extent_of, self._add
        )
        results = [result for result in op.results if not is_tensor(result.type)]
        outer = self._into(Block())
        self.counted = counted
        self._in_parts(op, counted, last)
        self.counted = None
        self.block.add_op(scf.YieldOp(*[self.values[result] for result in results]))
        inside = self._into(Block())
        self._plain_while(op)
        self.block.add_op(scf.YieldOp(*[self.values[result] for result in results]))
        testing = self._into(outer)
        self.like = op
        types = [result.type for result in results]
        choice = scf.IfOp(safe, types, Region(inside), Region(testing))
        self.block.add_op(located(choice, op))
        for result, value in zip(results, choice.results, strict=True):
            value.name_hint = result.name_hint
            self.values[result] = value

    def _outside(self, value: SSAValue, loop: scf.WhileOp) -> SSAValue:
        """What a value from outside of a loop is here, or the extent of an array in it."""
        extent = value.owner
        if isinstance(extent, tensor.DimOp) and loop.is_ancestor(extent):
            axis = constant_value(extent.index)
            assert isinstance(axis, int)
            return self._dim(self._buffer(extent.source), axis)
        return self.values[value]

    def _extent_of(self, place: PlaceTest) -> SSAValue:
        access = place.access
        assert isinstance(access, tensor.ExtractOp | tensor.InsertOp)
        assert place.axis is not None
        array = access.tensor if isinstance(access, tensor.ExtractOp) else access.dest
        return self._dim(self._buffer(array), place.axis)

    def _in_parts(self, op: scf.WhileOp, counted: CountedLoop, last: SSAValue) -> None:
        """Write a loop that stays inside its arrays: a loop of parts, before each of which it asks.

        Within a part it tests neither indices nor whether it is to end.
        """
        before, after = op.before_region.block, op.after_region.block
        condition, end = ends_of(op)
        carried, passed = _numbers(before.args), _numbers(condition.args)
        count = len(passed) + carried.index(counted.number)
        step = counted.step
        outer = self.block

        def test(block: Block, stop: SSAValue | None) -> list[Attribute]:
            """Write the test of a loop, which hands on what the body is given and carries."""
            for k, argument in zip(carried, block.args, strict=True):
                argument.name_hint = before.args[k].name_hint
                self.values[before.args[k]] = argument
            self._into(block)
            if stop is not None:
                at = self._word(self.values[counted.counter])
                self.in_part = self._add(arith.CmpiOp(at, stop, "slt" if step > 0 else "sgt"))
            self._block_of(before)
            self.in_part = None
            self.like = op
            go_on = self.values[condition.condition]
            values = [*[self._narrow(condition.args[k]) for k in passed], *block.args]
            block.add_op(scf.ConditionOp(go_on, *values))
            return [value.type for value in values]

        given = [self.values[op.arguments[k]] for k in carried]
        whole_test = Block(arg_types=[value.type for value in given])
        types = test(whole_test, None)
        whole_body = Block(arg_types=types)
        self._into(whole_body)
        self._ask()
        begin = self._word(whole_body.args[count])
        behind = self._add(arith.AddiOp(last, self._integer(1 if step > 0 else -1)))
        far = self._add(arith.AddiOp(begin, self._integer(step * max(1, ITERATIONS // abs(step)))))
        stop = self._add((arith.MinSIOp if step > 0 else arith.MaxSIOp)(behind, far))
        part_test = Block(arg_types=types[len(passed) :])
        test(part_test, stop)
        part_body = Block(arg_types=types)
        self._into(part_body)
        for k, argument in zip(passed, part_body.args, strict=False):
            argument.name_hint = after.args[k].name_hint
            self.values[after.args[k]] = argument
        self._block_of(after)
        self.like = op
        part_body.add_op(scf.YieldOp(*[self._narrow(end.operands[k]) for k in carried]))
        self._into(whole_body)
        arguments = whole_body.args[len(passed) :]
        part = scf.WhileOp(arguments, types, Region(part_test), Region(part_body))
        whole_body.add_op(located(part, op))
        distance = self._add(arith.SubiOp(self._word(part.results[count]), begin))
        self._count_points(self._add(arith.DivSIOp(distance, self._integer(step))))
        whole_body.add_op(scf.YieldOp(*part.results[len(passed) :]))
        self._into(outer)
        new = scf.WhileOp(given, types, Region(whole_test), Region(whole_body))
        self.block.add_op(located(new, op))
        for k, result in zip(passed, new.results, strict=False):
            result.name_hint = op.results[k].name_hint
            self.values[op.results[k]] = result

    def _is_test(self, op: Operation) -> bool:
        return self.counted is not None and op is self.counted.test

    def _word(self, value: SSAValue) -> SSAValue:
        return value if value.type == i64 else self._add(arith.IndexCastOp(value, i64))

    def _dim(self, buffer: SSAValue, axis: int) -> SSAValue:
        return self._add(memref.DimOp(buffer, self._integer(axis, IndexType())))

    def _is_tested(self, op: Operation, axis: int | None) -> bool:
        """Whether a test before the loop has found that an index is inside."""
        places = () if self.counted is None else self.counted.places
        return any(place.access is op and place.axis == axis for place in places)

    def _plain_while(self, op: scf.WhileOp) -> None:
        before, after = op.before_region.block, op.after_region.block
        condition, end = ends_of(op)
        carried, passed = _numbers(before.args), _numbers(condition.args)
        counters = [k for k in carried if self._is_wide_counter(op, k)]
        given = [self.values[op.arguments[k]] for k in carried]
        no = [self._integer(0, i1) for _ in counters]
        outer = self.block
        # Whether each counter has passed what 64 bits count, and the loop's limit with it.
        first = Block(arg_types=[*[before.args[k].type for k in carried], *[i1] * len(counters)])
        for k, argument in zip(carried, first.args, strict=False):
            argument.name_hint = before.args[k].name_hint
            self.values[before.args[k]] = argument
        self._into(first)
        self._block_of(before)
        self.like = op
        go_on = self.values[condition.condition]
        for over in first.args[len(carried) :]:
            within = self._add(arith.XOrIOp(over, self._integer(1, i1)))
            go_on = self._add(arith.AndIOp(go_on, within))
        values = [self._narrow(condition.args[k]) for k in passed]
        first.add_op(scf.ConditionOp(go_on, *values))
        second = Block(arg_types=[value.type for value in values])
        for k, argument in zip(passed, second.args, strict=True):
            argument.name_hint = after.args[k].name_hint
            self.values[after.args[k]] = argument
        self._into(second)
        self._ask()
        self._block_of(after)
        self.like = op
        over = [self._has_passed(op, k) for k in counters]
        yielded = [
            self._next(end.operands[k]) if k in counters else self._narrow(end.operands[k])
            for k in carried
        ]
        if op.parent_op() is self.function:
            for number, array in self.buffers.copied:
                target = self.buffers.of(op.before_region.block.args[number])
                self._copy_array(self.values[array], self.values[target])
        self.block.add_op(scf.YieldOp(*yielded, *over))
        self.block = outer
        types = [value.type for value in values]
        new = scf.WhileOp([*given, *no], types, Region(first), Region(second))
        self.block.add_op(located(new, op))
        for k, result in zip(passed, new.results, strict=True):
            result.name_hint = op.results[k].name_hint
            self.values[op.results[k]] = result

    # -- Kernels --------------------------------------------------------------------------

    def _call(self, op: func.CallOp) -> None:
        """Write the loops of a kernel where it is called."""
        kernel = called_kernel(op)
        assert kernel is not None
        signature = check_called(op)
        given = [
            self._buffer(value) if is_tensor(value.type) else self._fitting(value)
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
            self._note_written(op.arguments[written])
        self.found.rank = max(self.found.rank, len(signature.work))
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
                values[argument] = self.values[made.pop(0)]
                continue
            outputs.append(self._on_stack(argument.type))
            values[argument] = outputs[-1]
        for inner in list(block.ops)[:-1]:
            copy = inner.clone(values)
            self.block.add_op(copy)
            if written is not None:
                hoist_kept_reads(copy, given[written])
            for alloca in [o for o in copy.walk() if isinstance(o, memref.AllocaOp)]:
                alloca.detach()
                self._make(alloca)
            for loop in [o for o in copy.walk() if isinstance(o, scf.ForOp)]:
                if not any(isinstance(o, scf.ForOp) for o in loop.body.walk()):
                    self._count_points_of(loop)
        if written is None:
            for result, output in zip(numbers, outputs, strict=True):
                self.values[result] = self._add(memref.LoadOp.get(output, []))
                self.values[result].name_hint = result.name_hint
        loops.erase()

    def _multiply(self, op: func.CallOp, product: SparseProduct, given: Sequence[SSAValue]) -> None:
        """Call what multiplies a sparse matrix, whose argument says for each product what is."""
        matrix = self.buffers.of(op.arguments[product.matrix])
        assert isinstance(matrix, BlockArgument)
        number = sum(2 for other in self.found.products if other.matrix == matrix.index)
        rows, columns = (
            dimension_in_call(dimension, op, self.function, self.buffers)
            for dimension in product.extents
        )
        self.found.products.append(
            CalledProduct(matrix.index, product.row, product.column, (rows, columns))
        )
        jobs = given[product.matrix]
        job, entries = (
            self._add(memref.LoadOp.get(jobs, [self._integer(k, IndexType())]))
            for k in (number, number + 1)
        )
        self._count_points(entries)
        result = self.values[op.results[0]]
        self.block.add_op(
            located(func.CallOp(SHARE_AGAIN, [job, given[product.vector], result], []), op)
        )

    def _note_written(self, array: SSAValue) -> None:
        owner = self.buffers.of(array)
        if isinstance(owner, BlockArgument):
            self.found.written.add(owner.index)

    def _require_alike(self, array: SSAValue, dimensions: Sequence[Dimension]) -> None:
        """End the call before it has begun unless an array has some extents."""
        assert self.failure is not None
        given = [self.values[argument] for argument in self.function.body.block.args]
        for axis, dimension in enumerate(dimensions):
            size = self._add(memref.DimOp(array, self._integer(axis, IndexType())))
            same = self._add(arith.CmpiOp(size, self._extent(dimension, given), "eq"))
            outer = self._into(Block())
            self._store(self._integer(UNSUITABLE), self.failure)
            self.block.add_op(scf.YieldOp())
            failing = self._into(outer)
            differs = self._add(arith.XOrIOp(same, self._integer(1, i1)))
            self.block.add_op(scf.IfOp(differs, [], Region(failing), Region()))
            self.block.add_op(cf.AssertOp(same, "the call ends"))

    def _copy_array(self, source: SSAValue, target: SSAValue) -> None:
        """Copy all elements of an array to another one of its extents."""
        type = source.type
        assert isa(type, MemRefType[Attribute])
        rank = type.get_num_dims()
        zero, one = self._integer(0, IndexType()), self._integer(1, IndexType())
        sizes = [
            self._add(memref.DimOp(source, self._integer(axis, IndexType())))
            for axis in range(rank)
        ]
        outer = self.block
        bodies = [Block(arg_types=[IndexType()]) for _ in range(rank)]
        indices = [body.args[0] for body in bodies]
        inner = self._into(bodies[-1])
        element = self._add(memref.LoadOp.get(source, indices))
        self.block.add_op(memref.StoreOp.get(element, target, indices))
        self._into(inner)
        for axis in reversed(range(rank)):
            bodies[axis].add_op(scf.YieldOp())
            loop = scf.ForOp(zero, sizes[axis], one, [], Region(bodies[axis]))
            (bodies[axis - 1] if axis else outer).add_op(loop)

    def _make(self, alloca: memref.AllocaOp) -> None:
        assert self.entry_end is not None
        self.entry.insert_op_before(alloca, self.entry_end)

    def _on_stack(self, type: MemRefType[Attribute]) -> SSAValue:
        """A buffer for a number, which is there once however often the loop runs."""
        alloca = memref.AllocaOp.get(type.element_type, shape=[])
        self._make(alloca)
        return alloca.memref

    def _extent(self, dimension: Dimension, given: Sequence[SSAValue]) -> SSAValue:
        if dimension.constant is not None:
            return self._integer(dimension.constant, IndexType())
        value = given[dimension.argument]
        if dimension.axis is not None:
            return self._add(memref.DimOp(value, self._integer(dimension.axis, IndexType())))
        return value if value.type != i64 else self._add(arith.IndexCastOp(value, IndexType()))

    def _check_extents(
        self, op: Operation, value: SSAValue, slot: Slot, given: Sequence[SSAValue]
    ) -> None:
        """End the call if an array is smaller than what is read of it."""
        for axis, dimension in enumerate(slot.dimensions or ()):
            if dimension is not None:
                size = self._add(memref.DimOp(value, self._integer(axis, IndexType())))
                extent = self._extent(dimension, given)
                self._require(self._add(arith.CmpiOp(extent, size, "sle")), op)

    def _count_points_of(self, loop: scf.ForOp) -> None:
        """Count the points that an innermost loop of a kernel goes through like iterations.

        The extents of a kernel say less: where it writes a part of an array it goes through that.
        """
        outer = self._into(Block())
        steps = self._add(arith.SubiOp(loop.ub, loop.lb))
        steps = self._add(arith.MaxSIOp(steps, self._integer(0, IndexType())))
        self._count_points(self._add(arith.IndexCastOp(steps, i64)))
        counting = self._into(outer)
        for op in list(counting.ops):
            op.detach()
            Rewriter.insert_op(op, InsertPoint.before(loop))

    def _count_points(self, points: SSAValue) -> None:
        assert self.countdown is not None
        zero = self._integer(0, IndexType())
        left = self._add(memref.LoadOp.get(self.countdown, [zero]))
        left = self._add(arith.SubiOp(left, points))
        self.block.add_op(memref.StoreOp.get(left, self.countdown, [zero]))

    # -- What fails, and what ends a call -------------------------------------------------

    def _require(
        self,
        holds: SSAValue,
        op: Operation,
        array: ArrayNamed = -1,
        indices: Sequence[SSAValue] = (),
    ) -> None:
        """End the call, with the number of `op` as its failure, unless something holds.

        `indices` are those of an element that lies outside of an array then.
        """
        assert self.failure is not None
        self.found.failures.append(op)
        self.found.arrays.append(array)
        fails = self._add(arith.XOrIOp(holds, self._integer(1, i1)))
        outer = self._into(Block())
        self._store(self._integer(len(self.found.failures)), self.failure)
        for index, place in zip(indices, self.indices, strict=False):
            self._store(self._fitting(index), place)
        self.block.add_op(scf.YieldOp())
        failing = self._into(outer)
        self.block.add_op(located(scf.IfOp(fails, [], Region(failing), Region()), op))
        self.block.add_op(located(cf.AssertOp(holds, "the call ends"), op))

    def _set_countdown(self) -> None:
        assert self.countdown is not None
        zero = self._integer(0, IndexType())
        self.block.add_op(memref.StoreOp.get(self._integer(ITERATIONS), self.countdown, [zero]))

    def _ask(self) -> None:
        """Ask every so many iterations whether the call is to end."""
        assert self.countdown is not None
        assert self.failure is not None
        zero, one = self._integer(0, IndexType()), self._integer(1)
        left = self._add(memref.LoadOp.get(self.countdown, [zero]))
        left = self._add(arith.SubiOp(left, one))
        self.block.add_op(memref.StoreOp.get(left, self.countdown, [zero]))
        due = self._add(arith.CmpiOp(left, self._integer(0), "sle"))
        outer = self._into(Block())
        answer = self._add(func.CallOp(INTERRUPTED, [], [i64]))
        self._store(answer, self.failure)
        self._set_countdown()
        self.block.add_op(scf.YieldOp(self._add(arith.CmpiOp(answer, self._integer(0), "eq"))))
        asking = self._into(Block())
        self.block.add_op(scf.YieldOp(self._integer(1, i1)))
        resting = self._into(outer)
        go_on = self._add(scf.IfOp(due, [i1], Region(asking), Region(resting)))
        self.block.add_op(cf.AssertOp(go_on, "the call ends"))

    # -- Indices --------------------------------------------------------------------------

    def _inside(
        self, op: Operation, array: SSAValue, indices: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """Indices that lie inside an array: the call ends where they do not."""
        owner = self.buffers.of(array)
        buffer = self.values[owner]
        holds: SSAValue | None = None
        for axis, index in enumerate(indices):
            if self._is_tested(op, axis):
                continue
            if isinstance(owner, BlockArgument) and self._is_guarded(op, owner, axis, index):
                continue
            size = self._add(memref.DimOp(buffer, self._integer(axis, IndexType())))
            value = self.values[index]
            if value.type == _WIDE:
                size = self._widen(size)
            test = self._add(arith.CmpiOp(value, size, "ult"))
            holds = test if holds is None else self._add(arith.AndIOp(holds, test))
        if holds is not None:
            if isinstance(owner, BlockArgument):
                self._require(holds, op, owner.index, indices)
            else:
                assert isinstance(owner, OpResult)
                extents = made_with(owner, self.function, self.buffers)
                self._require(holds, op, tuple(extents), indices)
        return [self._narrow(index) for index in indices]

    def _is_guarded(self, op: Operation, array: BlockArgument, axis: int, index: SSAValue) -> bool:
        """Whether a branch around `op` says that an index is below an extent that callers check."""
        for limit in _limits(op, index):
            try:
                dimension = fixed_dimension(limit, self.function, self.buffers)
            except Refused:
                continue
            if dimension == Dimension(None, array.index, axis):
                return True
            if self.found.bounds.setdefault((array.index, axis), dimension) == dimension:
                return True
        return False

    def _widen(self, value: SSAValue) -> SSAValue:
        if value.type == _WIDE:
            return value
        return self._add(arith.ExtSIOp(self._add(arith.IndexCastOp(value, i64)), _WIDE))

    def _narrow(self, value: SSAValue) -> SSAValue:
        """A value as the rest of the code has it."""
        new = self.values[value]
        if new.type != _WIDE:
            return new
        word = self._add(arith.TruncIOp(new, i64))
        return word if value.type == i64 else self._add(arith.IndexCastOp(word, IndexType()))

    def _fitting(self, value: SSAValue) -> SSAValue:
        """A value that a kernel or a message is given: the nearest that 64 bits have.

        Neither it nor an index that needs more bits is inside of an array, and what a kernel
        computes of it stays outside.
        """
        wide = self.values[value]
        if wide.type != _WIDE:
            return wide
        for limit, order in ((-(2**63), "sgt"), (2**63 - 1, "slt")):
            bound = self._integer(limit, _WIDE)
            within = self._add(arith.CmpiOp(wide, bound, order))
            wide = self._add(arith.SelectOp(within, wide, bound))
        word = self._add(arith.TruncIOp(wide, i64))
        return word if value.type == i64 else self._add(arith.IndexCastOp(word, IndexType()))

    def _compute_wide(self, op: Operation) -> None:
        """An op of which an operand or the result is an index with 128 bits."""
        (result,) = op.results
        if isinstance(op, arith.IndexCastOp):
            self.values[result] = self._narrow_to_word(op.input)
            return
        left, right = (self._widen(self.values[operand]) for operand in op.operands)
        if isinstance(op, arith.CmpiOp):
            self.values[result] = self._add(arith.CmpiOp(left, right, predicate_of(op)))
            return
        assert isinstance(
            op, arith.AddiOp | arith.SubiOp | arith.MuliOp | arith.MinSIOp | arith.MaxSIOp
        )
        if isinstance(op, arith.MinSIOp | arith.MaxSIOp):
            order = "slt" if isinstance(op, arith.MinSIOp) else "sgt"
            first = self._add(arith.CmpiOp(left, right, order))
            self.values[result] = self._add(arith.SelectOp(first, left, right))
        else:
            self.values[result] = self._add(type(op)(left, right))
        if not is_wide(op):
            self.values[result] = self._narrow(result)
        self.values[result].name_hint = result.name_hint

    def _narrow_to_word(self, value: SSAValue) -> SSAValue:
        if self.values[value].type != _WIDE:
            return self._word(self.values[value])
        return self._add(arith.TruncIOp(self.values[value], i64))

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
        now = self.values[made.lhs]
        if step > 0:
            return self._add(arith.CmpiOp(now, self._integer(2**63 - 1 - step, now.type), "sgt"))
        return self._add(arith.CmpiOp(now, self._integer(-(2**63) - step, now.type), "slt"))

    def _next(self, value: SSAValue) -> SSAValue:
        """Return what a counter becomes, which nothing reads where it needs more than 64 bits."""
        made = value.owner
        assert isinstance(made, arith.AddiOp)
        return self._add(arith.AddiOp(self.values[made.lhs], self._narrow(made.rhs)))

    # -- Divisions ------------------------------------------------------------------------

    def _divide(self, op: Operation) -> None:
        """A division of integers: by zero it fails, and by -1 the least of them is itself."""
        (result,) = op.results
        left, right = (self._narrow(operand) for operand in op.operands)
        type = right.type
        known = right.owner
        number = known.value if isinstance(known, ConstantOps) else None
        divisor = number.value.data if isinstance(number, IntegerAttr) else None
        if not divisor:
            self._require(self._add(arith.CmpiOp(right, self._integer(0, type), "ne")), op)
        if is_unsigned(type) or isinstance(op, arith.DivUIOp | arith.RemUIOp):
            self._bind(op, op.clone(self.values))
            return
        negative = divisor == -1
        by_minus_one: SSAValue | None = None
        if divisor is None or negative:
            minus_one = self._integer(-1, type)
            by_minus_one = self._add(arith.CmpiOp(right, minus_one, "eq"))
            right = self._add(arith.SelectOp(by_minus_one, self._integer(1, type), right))
        quotient = self._add(arith.DivSIOp(left, right))
        rest = self._add(arith.RemSIOp(left, right))
        zero = self._integer(0, type)
        if isinstance(op, arith.RemSIOp):
            self.values[result] = rest
            return
        if isinstance(op, arith.FloorDivSIOp | arith.CeilDivSIOp):
            inexact = self._add(arith.CmpiOp(rest, zero, "ne"))
            below = self._add(arith.CmpiOp(left, zero, "slt"))
            mixed = self._add(
                arith.CmpiOp(below, self._add(arith.CmpiOp(right, zero, "slt")), "ne")
            )
            one = self._integer(1, type)
            if isinstance(op, arith.FloorDivSIOp):
                moved = self._add(arith.SubiOp(quotient, one))
            else:
                mixed = self._add(arith.XOrIOp(mixed, self._integer(1, i1)))
                moved = self._add(arith.AddiOp(quotient, one))
            moves = self._add(arith.AndIOp(inexact, mixed))
            quotient = self._add(arith.SelectOp(moves, moved, quotient))
        if by_minus_one is not None:
            negated = self._add(arith.SubiOp(zero, left))
            quotient = self._add(arith.SelectOp(by_minus_one, negated, quotient))
        self.values[result] = quotient
        quotient.name_hint = result.name_hint


def _is_wide_beside(op: Operation) -> bool:
    """Return whether an op computes an index with 128 bits, or takes one."""
    return is_wide(op) or any(
        isinstance(operand.owner, Operation) and is_wide(operand.owner) for operand in op.operands
    )


def _numbers(values: Sequence[SSAValue]) -> list[int]:
    """The positions of the values that are no arrays."""
    return [k for k, value in enumerate(values) if not is_tensor(value.type)]


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

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every function of a loop that none of another loop calls."""
        loops = [o for o in op.ops if isinstance(o, func.FuncOp) and loop_of(o) is not None]
        inner = {callee for o in loops for i in o.walk() if (callee := called_loop(i)) is not None}
        for function in functions_for_loops(op, [o for o in loops if o not in inner]):
            inline_loops(function)
            take_tuples_apart(function)
            convert_native_loop(function)
        declare_provided(op)


def declare_provided(module: ModuleOp) -> None:
    """Declare the functions of the process that loops call."""
    called = {op.callee.string_value() for op in module.walk() if isinstance(op, func.CallOp)}
    vector = MemRefType(f64, [DYNAMIC_INDEX])
    for name, inputs, outputs in (
        (INTERRUPTED, [], [i64]),
        (SHARE_AGAIN, [i64, vector, vector], []),
    ):
        if name in called:
            module.body.block.add_op(func.FuncOp.external(name, inputs, outputs))

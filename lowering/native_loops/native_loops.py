"""Which loops of the driver become machine code as a whole, and what they hold.

    scf.while (%i = %zero, %X = %own) …       numbers, and elements of arrays that are read and
      tensor.extract %V[%i]                   written where they are: `check_native_loop` says
      tensor.insert %s into %X[%i]            nothing
      spark.map …                             `Refused`: "spark.map has no machine code"

Hash tables of numbers come from outside; rows are found in them and put there. An array that a
loop carries is one buffer: each iteration writes into it, or copies what a kernel has made to it at
its end. None exchanges it for that of another array.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.dialects import arith, cf, func, scf, tensor
from xdsl.dialects.builtin import (
    Float64Type,
    IndexType,
    IntegerType,
    NoneAttr,
    TupleType,
    i64,
)
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from diablo.dialects.comprehension import (
    FindOp,
    NumberCallOp,
    PackOp,
    PutOp,
    RandomOp,
    SizeOp,
    TableType,
    UnpackOp,
)
from diablo.dialects.defining_blocks import block_of, is_made_inside
from diablo.dialects.encodings import is_sparse
from diablo.dialects.functions.number_ranges import Interval, greatest, least
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.predicates import predicate_of
from diablo.dialects.scalar_types import is_unsigned
from diablo.kernel_signature import Dimension
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.convert_scalars_to_llvm import has_machine_code
from diablo.lowering.llvm.expand_complex import can_expand, has_complex
from diablo.lowering.llvm.signature_parts import dimension_of, number_name
from diablo.lowering.llvm.tuple_parts import check_tuples_of, part_types
from diablo.lowering.native_loops.called_kernels import (
    called_kernel,
    check_called,
    made_arrays,
    overwritten,
    sparse_product,
)
from diablo.lowering.native_loops.tuple_words import holds_tuples, words_of
from diablo.lowering.outlined_loops import loop_of
from diablo.lowering.overflow import facts_at
from diablo.passes.analyses.loops.trip_counts import loops_around
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.intervals import interval, type_limits
from diablo.passes.update_in_place import IN_PLACE

SUMS = (arith.AddiOp, arith.SubiOp, arith.MuliOp)
"""What computes indices that may need more than 64 bits."""
SIGNED_DIVISIONS = (arith.DivSIOp, arith.RemSIOp, arith.FloorDivSIOp, arith.CeilDivSIOp)
DIVISIONS = (*SIGNED_DIVISIONS, arith.DivUIOp, arith.RemUIOp)
_FRAME = (
    scf.WhileOp,
    scf.IfOp,
    scf.YieldOp,
    scf.ConditionOp,
    func.ReturnOp,
    tensor.DimOp,
    tensor.ExtractOp,
    tensor.InsertOp,
    cf.AssertOp,
    RandomOp,
    PackOp,
    UnpackOp,
    *DIVISIONS,
)
TableOps = FindOp | PutOp | SizeOp
"""What is done with the hash tables of the driver."""
_WIDE = 128
"""How many bits machine code computes indices with that need more than 64."""
_DEPTH = 8
"""How many sums within sums are looked at."""
_FAR = 1 << 62
"""No array is so long."""
_CHOICES = (arith.MinSIOp, arith.MaxSIOp)
_TAKES_WIDE = (*SUMS, *_CHOICES, arith.CmpiOp, func.CallOp, tensor.ExtractOp, tensor.InsertOp)


def check_native_loop(function: func.FuncOp, *, jobs: bool = False) -> None:
    """Raise `Refused` if the loop that a function was outlined for cannot be machine code.

    Where kernels are `jobs`, these are looked at elsewhere (`loop_jobs.py`).
    """
    loop = loop_of(function)
    assert loop is not None
    for value in (*function.args, *loop.results):
        if isinstance(value.type, TupleType):
            raise Refused("a tuple is carried, or comes from outside")
    for op in loop.walk():
        if not jobs or not (isinstance(op, tensor.CollapseShapeOp) or _calls_kernel(op)):
            _check_op(op)
        inner = [argument for r in op.regions for b in r.blocks for argument in b.args]
        for value in (*op.operands, *op.results, *inner):
            if isinstance(value.type, TableType):
                if value not in function.args:
                    raise Refused("a hash table is carried")
                continue
            if is_sparse(value.type):
                _check_matrix(value, function, jobs=jobs)
            elif is_tensor(value.type) and not isinstance(value.type.encoding, NoneAttr):
                raise Refused(f"{value.type} is no array of this process")
            if holds_tuples(value.type):
                words_of(value.type)
            for part in part_types(value.type):
                number_name(part)
    buffers = Buffers(views=jobs)
    buffers.note(loop)
    if any(is_tensor(r.type) and buffers.of(r) not in function.args for r in loop.results):
        raise Refused("an array is made by the test of a loop")
    for made in () if jobs else (*buffers.made, *buffers.replaced):
        made_with(made, function, buffers)
    for op in loop.walk():
        if isinstance(op, func.CallOp) and (kernel := called_kernel(op)) is not None:
            product = sparse_product(kernel)
            for dimension in product.extents if product is not None else ():
                dimension_in_call(dimension, op, function, buffers)
    for op in loop.walk():
        if is_wide(op):
            _check_wide(op)


def _calls_kernel(op: Operation) -> bool:
    return isinstance(op, func.CallOp) and called_kernel(op) is not None


def _check_matrix(value: SSAValue, function: func.FuncOp, *, jobs: bool) -> None:
    """Raise `Refused` unless a sparse array is the same in a whole call, and only multiplied.

    What `jobs` do with it does not matter.
    """
    loop = loop_of(function)
    assert loop is not None
    if value not in function.args[len(loop.arguments) :]:
        raise Refused("a sparse array is made or carried")
    for use in value.uses:
        kernel = called_kernel(use.operation)
        if jobs and kernel is not None:
            continue
        product = None if kernel is None else sparse_product(kernel)
        if product is None or product.matrix != use.index:
            raise Refused("a sparse array is not just multiplied with vectors")


def _check_op(op: Operation) -> None:
    if isinstance(op, func.CallOp) and _calls_kernel(op):
        if any(holds_tuples(value.type) for value in (*op.operands, *op.results)):
            raise Refused("a kernel takes or makes an array of tuples")
        check_called(op)
        return
    if isinstance(op, TableOps):
        _check_table(op)
        return
    if not isinstance(op, tensor.InsertOp):
        check_tuples_of(op)
    known = isinstance(op, (*_FRAME, arith.SelectOp)) or has_machine_code(op)
    if not known and not (has_complex(op) and can_expand(op)):
        name = f"the function {op.function.data}" if isinstance(op, NumberCallOp) else op.name
        raise Refused(f"{name} is not done in machine code within a loop")
    if isinstance(op, tensor.DimOp) and not isinstance(op.index.owner, ConstantOps):
        raise Refused("which dimension is meant shows only at run time")
    if isinstance(op, tensor.InsertOp) and IN_PLACE not in op.attributes:
        raise Refused("an array is copied, since it is used or kept elsewhere")
    if isinstance(op, tensor.ExtractOp | tensor.InsertOp) and not op.indices:
        raise Refused("an array has no dimensions")


def _check_table(op: TableOps) -> None:
    """Raise `Refused` if a row of the table is not words."""
    type = op.table.type
    assert isinstance(type, TableType)
    for column in type.columns:
        if is_unsigned(column) or not isinstance(column, IntegerType | Float64Type):
            raise Refused(f"a hash table has a column of {column}")


class Buffers:
    """The array from outside of a loop whose memory each array within it has.

    With `views`, an array may be another one with dimensions joined.
    """

    def __init__(self, *, views: bool = False) -> None:
        self._views = views
        self._of: dict[SSAValue, SSAValue] = {}
        self.made: list[OpResult] = []
        """The arrays that kernels make, which have memory of their own."""
        self.replaced: list[OpResult] = []
        """Those that they make where an operand is, which has to have their extents."""
        self.copied: list[tuple[int, OpResult]] = []
        """Which of them is copied to which array that the loop carries, at the end of each step."""
        self.carried: list[tuple[scf.WhileOp, SSAValue, SSAValue]] = []
        """The arrays that a loop carries, and what each is next: made, or another one of them.

        Only with `views`; the outermost loop carries arguments.
        """
        self.chosen: dict[SSAValue, list[tuple[Operation, int]]] = {}
        """The arrays that branches choose, and where one becomes it: the ends of branches, and
        which of what they give.

        Only with `views`; what a kernel makes in a branch for nothing else it writes there at once.
        """
        self.read_only: set[SSAValue] = set()
        """Those of the chosen that may be the arrays that they are chosen of: neither is written
        while they are needed."""
        self.slots: dict[SSAValue, SSAValue] = {}
        """The memory in which a loop within the loop carries an array, and what is copied to it."""
        self.extents: dict[SSAValue, list[Dimension]] = {}
        """Those of arrays that kernels make, where these are jobs."""
        self.fixed: dict[SSAValue, Dimension] = {}
        """Of extents that loops carry those which they begin with, and keep if `equal` are."""
        self.equal: dict[tuple[Dimension, Dimension], None] = {}
        """Which extents are equal in calls that machine code does, and not below zero."""

    @property
    def has_views(self) -> bool:
        """Whether an array may be another one with dimensions joined."""
        return self._views

    def of(self, value: SSAValue) -> SSAValue:
        """That of `value`; a value from outside of all loops is one."""
        return self._of.get(value, value)

    def whole(self, value: SSAValue) -> SSAValue:
        """That of `value`, which has the dimensions of it; raises `Refused` for any other view."""
        found = self.of(value)
        ranks = {v.type.get_num_dims() for v in (value, found) if is_tensor(v.type)}
        if len(ranks) > 1:
            raise Refused("an extent is that of an array with dimensions joined")
        return found

    def note(self, loop: scf.WhileOp) -> None:
        """Note the arrays in the loop of a function; raises `Refused` if one changes its place."""
        self._note_while(loop, is_outer=True)

    def _note_while(self, loop: scf.WhileOp, *, is_outer: bool = False) -> None:
        before, after = loop.before_region.block, loop.after_region.block
        condition, end = before.last_op, after.last_op
        assert isinstance(condition, scf.ConditionOp)
        assert isinstance(end, scf.YieldOp)
        self._pass(loop.arguments, before.args)
        for value, argument in zip(loop.arguments, before.args, strict=True):
            inner = self._views and not is_outer and is_tensor(argument.type)
            if inner and not stays(loop, argument):
                self._of[argument] = argument
                self.slots[argument] = value
        self._note_block(before)
        self._pass(condition.args, after.args)
        self._pass(condition.args, loop.results)
        self._note_block(after)
        for number, (argument, value) in enumerate(zip(before.args, end.operands, strict=True)):
            found, held = self.of(value), self.of(argument)
            if not is_tensor(argument.type) or found is held:
                continue
            is_new = found in self.made or found in self.slots or found in self.chosen
            is_made = is_new and is_made_inside(found, loop)
            if self._views and (is_made or found in map(self.of, before.args)):
                self.carried.append((loop, held, found))
                continue
            if not is_outer or not isinstance(found, OpResult) or not is_made:
                raise Refused("an array that is carried is another one in each iteration")
            self.copied.append((number, found))

    def _pass(self, given: Iterable[SSAValue], taken: Iterable[SSAValue]) -> None:
        for value, argument in zip(given, taken, strict=True):
            if is_tensor(argument.type):
                self._of[argument] = self.of(value)

    def _note_block(self, block: Block) -> None:
        for op in block.ops:
            match op:
                case scf.WhileOp():
                    self._note_while(op)
                case scf.IfOp():
                    self._note_if(op)
                case tensor.InsertOp():
                    self._of[op.result] = self.of(op.dest)
                case tensor.CollapseShapeOp() if self._views:
                    self._of[op.result] = self.of(op.src)
                case func.CallOp() if (number := overwritten(op)) is not None:
                    self._of[op.results[0]] = self.of(op.arguments[number])
                    self.replaced.append(op.results[0])
                case func.CallOp():
                    self.made += made_arrays(op)
                case _:
                    if any(is_tensor(result.type) for result in op.results):
                        raise Refused(f"{op.name} makes an array")

    def _note_if(self, op: scf.IfOp) -> None:
        for region in op.regions:
            for block in region.blocks:
                self._note_block(block)
        for number, result in enumerate(op.results):
            if is_tensor(result.type):
                given = [self.of(end.operands[number]) for end in _ends(op)]
                if len(set(given)) > 1:
                    self._note_chosen(op, number)
                    continue
                self._of[result] = given[0]

    def _note_chosen(self, op: scf.IfOp, number: int) -> None:
        if not self._views:
            raise Refused("an array is chosen by a condition")
        result = op.results[number]
        places = self.chosen[result] = []
        if _is_only_read(result):
            self.read_only.add(result)
        for end in _ends(op):
            value = end.operands[number]
            if result not in self.read_only and self._is_for_alone(value, end):
                self._of[value] = result
            else:
                places.append((end, number))

    def _is_for_alone(self, value: SSAValue, end: Operation) -> bool:
        """Whether a kernel makes an array in the branch that ends there, for nothing but this."""
        return (
            value in self.made
            and block_of(value) is end.parent_block()
            and list(end.operands).count(value) == 1
            and value not in self._of.values()
        )


def _is_only_read(chosen: SSAValue) -> bool:
    """Whether kernels and elements alone read an array, of a loop that then writes none in place.

    That is one that does not leave the iteration.
    """
    for use in chosen.uses:
        match use.operation:
            case tensor.DimOp() | tensor.ExtractOp():
                pass
            case func.CallOp() as op if overwritten(op) != use.index:
                pass
            case _:
                return False
    loop, *_ = loops_around(chosen.owner)
    return not any(
        isinstance(op, tensor.InsertOp)
        or (isinstance(op, func.CallOp) and overwritten(op) is not None)
        for op in loop.walk()
    )


def _ends(op: scf.IfOp) -> list[Operation]:
    """The ends of the branches."""
    ends = [region.block.last_op for region in op.regions if region.blocks]
    return [end for end in ends if end is not None]


def stays(loop: scf.WhileOp, argument: BlockArgument) -> bool:
    """Whether an array that a loop carries is the same one in each iteration, or in its memory."""
    end = loop.after_region.block.last_op
    assert isinstance(end, scf.YieldOp)
    return _is_still(end.operands[argument.index], loop, argument)


def _is_still(value: SSAValue, loop: scf.WhileOp, argument: BlockArgument) -> bool:
    """Whether a value within a loop is an array that this carries, or is in its memory."""
    condition = loop.before_region.block.last_op
    assert isinstance(condition, scf.ConditionOp)
    while value is not argument:
        match value.owner:
            case tensor.InsertOp() as op:
                value = op.dest
            case func.CallOp() as op if (number := overwritten(op)) is not None:
                value = op.arguments[number]
            case Block() as block if block is loop.after_region.block:
                assert isinstance(value, BlockArgument)
                value = condition.args[value.index]
            case scf.WhileOp() as inner:
                assert isinstance(value, OpResult)
                last = inner.before_region.block.last_op
                assert isinstance(last, scf.ConditionOp)
                passed = last.args[value.index]
                if not isinstance(passed, BlockArgument) or passed.owner is not (
                    inner.before_region.block
                ):
                    return False
                if not stays(inner, passed):
                    return False
                value = inner.arguments[passed.index]
            case scf.IfOp() as branch:
                assert isinstance(value, OpResult)
                number = value.index
                return all(_is_still(end.operands[number], loop, argument) for end in _ends(branch))
            case _:
                return False
    return True


def fixed_dimension(value: SSAValue, function: func.FuncOp, buffers: Buffers) -> Dimension:
    """An extent that is the same in a whole call; raises `Refused` for any other."""
    op = value.owner
    loop = loop_of(function)
    assert loop is not None
    if isinstance(op, tensor.DimOp) and isinstance(axis := constant_value(op.index), int):
        array = buffers.whole(op.source)
        if array in function.args:
            return Dimension(None, list(function.args).index(array), axis)  # pyright: ignore
        if array in buffers.extents or array in buffers.made:
            return made_with(array, function, buffers)[axis]
    elif isinstance(op, arith.IndexCastOp) and op.input in function.args[len(loop.arguments) :]:
        return dimension_of(op.input)
    elif buffers.has_views and isinstance(value.type, IndexType) and (given := _given_as(value)):
        return _kept_dimension(value, given, function, buffers)
    elif isinstance(op, Operation) or value in function.args[len(loop.arguments) :]:
        return dimension_of(value)
    raise Refused("an extent is another one in each iteration")


def _kept_dimension(
    value: SSAValue, given: Sequence[SSAValue], function: func.FuncOp, buffers: Buffers
) -> Dimension:
    """An extent that is given as one of several values, if these may be equal in a whole call.

    That they are is for the call to find out: with what the loop begins with, each of its
    iterations carries that on if the first one does.
    """
    if value in buffers.fixed:
        return buffers.fixed[value]
    before = dict(buffers.fixed), dict(buffers.equal)
    first, *others = given
    try:
        if isinstance(first, BlockArgument) and first in function.args:
            found = Dimension(None, first.index)
        else:
            found = fixed_dimension(first, function, buffers)
        buffers.fixed[value] = found
        for other in others:
            last = fixed_dimension(other, function, buffers)
            if last != found:
                buffers.equal[found, last] = None
    except Refused:
        buffers.fixed, buffers.equal = before
        raise
    if isinstance(value.owner, arith.MaxSIOp):
        buffers.equal[found, found] = None
    return found


def _given_as(value: SSAValue) -> Sequence[SSAValue]:
    """The values that one may be which a loop carries or a branch gives, or zero at least.

    Of a loop first comes what it begins with.
    """
    match value.owner:
        case Block() as block if isinstance(loop := block.parent_op(), scf.WhileOp):
            assert isinstance(value, BlockArgument)
            condition, end = (region.block.last_op for region in loop.regions)
            assert isinstance(condition, scf.ConditionOp)
            assert isinstance(end, scf.YieldOp)
            if block is loop.after_region.block:
                return [condition.args[value.index]]
            return [loop.arguments[value.index], end.operands[value.index]]
        case scf.WhileOp() as loop:
            assert isinstance(value, OpResult)
            condition = loop.before_region.block.last_op
            assert isinstance(condition, scf.ConditionOp)
            return [condition.args[value.index]]
        case scf.IfOp() as branch:
            assert isinstance(value, OpResult)
            return [end.operands[value.index] for end in _ends(branch)]
        case arith.MaxSIOp() as op if 0 in (constant_value(op.lhs), constant_value(op.rhs)):
            return [op.rhs if constant_value(op.lhs) == 0 else op.lhs]
        case _:
            return []


def made_with(array: SSAValue, function: func.FuncOp, buffers: Buffers) -> list[Dimension]:
    """The extents of an array that is made in a loop; raises `Refused` if they may change."""
    if array in buffers.extents:
        return buffers.extents[array]
    assert isinstance(array, OpResult)
    call = array.op
    if not isinstance(call, func.CallOp):
        raise Refused("an extent is another one in each iteration")
    slots = [slot for slot in check_called(call).outputs if slot.dimensions is not None]
    arrays = [result for result in call.results if is_tensor(result.type)]
    slot = slots[arrays.index(array)]
    return [dimension_in_call(d, call, function, buffers) for d in slot.dimensions or () if d]


def dimension_in_call(
    dimension: Dimension, call: func.CallOp, function: func.FuncOp, buffers: Buffers
) -> Dimension:
    """An extent of a kernel that is called; raises `Refused` if it may change."""
    if dimension.constant is not None:
        return dimension
    if dimension.axis is None:
        return fixed_dimension(call.arguments[dimension.argument], function, buffers)
    owner = buffers.whole(call.arguments[dimension.argument])
    if owner in buffers.extents:
        return buffers.extents[owner][dimension.axis]
    if owner not in function.args:
        raise Refused("an extent is another one in each iteration")
    number = list(function.args).index(owner)  # pyright: ignore
    return Dimension(None, number, dimension.axis)


# -- Indices that may need more than 64 bits -------------------------------------------------


def is_wide(op: Operation) -> bool:
    """Return whether an op computes an index that machine code needs more than 64 bits for."""
    if not isinstance(op, (*SUMS, *_CHOICES)) or not isinstance(op.result.type, IndexType):
        return False
    return _exact_result(op) not in type_limits(op.result.type) and not _only_says_where(op)


def _exact_result(op: Operation) -> Interval:
    """Between which numbers the index lies that an op computes, if it does not wrap around."""
    return _exact(op.results[0], facts_at(op))


def _exact(value: SSAValue, facts: Mapping[SSAValue, Interval], depth: int = _DEPTH) -> Interval:
    """Return between which numbers an index lies; `facts` are those where it is read."""
    op = value.owner
    if depth == 0:
        return Interval()
    if not isinstance(op, (*SUMS, *_CHOICES)) or not isinstance(op.result.type, IndexType):
        return interval(value, facts_at(op) if isinstance(op, Operation) else facts)
    a, b = (_exact(operand, facts, depth - 1) for operand in op.operands)
    match op:
        case arith.AddiOp():
            return Interval(a.low + b.low, a.high + b.high)
        case arith.SubiOp():
            return Interval(a.low - b.high, a.high - b.low)
        case arith.MuliOp():
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            unknown = any(corner != corner for corner in corners)  # 0 times infinity
            return Interval() if unknown else Interval(min(corners), max(corners))
        case arith.MinSIOp():
            return least(a, b)
        case _:
            return greatest(a, b)


def _only_says_where(op: Operation) -> bool:
    """Return whether an op adds a constant to an index, and the sum is only a place in arrays.

    Where it needs more than 64 bits, what these have of it lies outside of any array, too.
    """
    if not isinstance(op, arith.AddiOp):
        return False
    step, other = constant_value(op.rhs), op.lhs.owner
    if not isinstance(step, int) or abs(step) > _FAR:
        return False
    if isinstance(other, Operation) and is_wide(other):
        return False
    return all(
        isinstance(use.operation, tensor.ExtractOp | tensor.InsertOp)
        or (
            isinstance(use.operation, arith.CmpiOp)
            and predicate_of(use.operation) == "ult"
            and use.index == 0
            and interval(use.operation.rhs, {}).high <= _FAR
        )
        for use in op.result.uses
    )


def _check_wide(op: Operation) -> None:
    (result,) = op.results
    found = _exact_result(op)
    if not all(abs(end) < 1 << _WIDE - 1 for end in (found.low, found.high)):
        raise Refused(f"an index may need more than {_WIDE} bits")
    for use in result.uses:
        user = use.operation
        if isinstance(user, scf.YieldOp):
            outer = user.parent_op()
            if isinstance(outer, scf.WhileOp) and is_counter(outer, use.index):
                continue
            raise Refused("an index that is carried may need more than 64 bits")
        cast = isinstance(user, arith.IndexCastOp) and user.result.type == i64
        if not cast and not isinstance(user, _TAKES_WIDE):
            raise Refused("an index may need more than 64 bits")


def is_counter(loop: scf.WhileOp, number: int) -> bool:
    """Whether a carried index grows or falls by a step until it passes a limit, and no more.

    What it is behind the limit nobody asks: it may need more than 64 bits.
    """
    before = loop.before_region.block
    condition = before.last_op
    assert isinstance(condition, scf.ConditionOp)
    argument, step = before.args[number], counter_step(loop, number)
    if step is None or not isinstance(argument.type, IndexType):
        return False
    passed = [k for k, value in enumerate(condition.args) if value is argument]
    unused = all(loop.results[k].first_use is None for k in passed)
    return unused and _ends_at_limit(condition.condition, argument, step)


def _ends_at_limit(condition: SSAValue, counter: SSAValue, step: SSAValue) -> bool:
    """Whether a condition holds until a counter has passed a limit in the direction of its step."""
    test, known = condition.owner, interval(step, {})
    if isinstance(test, arith.SelectOp):  # The direction shows only at run time.
        up = test.cond.owner
        return (
            isinstance(up, arith.CmpiOp)
            and (predicate_of(up), up.lhs, constant_value(up.rhs)) == ("sgt", step, 0)
            and _compares(test.lhs, counter, ("slt", "sle"))
            and _compares(test.rhs, counter, ("sgt", "sge"))
        )
    if known.low > 0:
        return _compares(condition, counter, ("slt", "sle"))
    return known.high < 0 and _compares(condition, counter, ("sgt", "sge"))


def _compares(condition: SSAValue, counter: SSAValue, predicates: Sequence[str]) -> bool:
    test = condition.owner
    if not isinstance(test, arith.CmpiOp):
        return False
    return test.lhs is counter and predicate_of(test) in predicates


def counter_step(loop: scf.WhileOp, number: int) -> SSAValue | None:
    """Return by how much a carried index grows in each iteration, if always by the same."""
    after = loop.after_region.block
    condition, end = loop.before_region.block.last_op, after.last_op
    assert isinstance(condition, scf.ConditionOp)
    assert isinstance(end, scf.YieldOp)
    value = end.operands[number]
    op = value.owner if isinstance(value, OpResult) else None
    if not isinstance(op, arith.AddiOp):
        return None
    given = [k for k, passed in enumerate(condition.args) if is_argument(passed, loop, number)]
    is_known = isinstance(constant_value(op.rhs), int) or not is_made_inside(op.rhs, loop)
    if not is_known or op.lhs not in [after.args[k] for k in given]:
        return None
    return op.rhs


def is_argument(value: SSAValue, loop: scf.WhileOp, number: int) -> bool:
    """Return whether `value` is what a loop carries under a number."""
    return isinstance(value, BlockArgument) and value is loop.before_region.block.args[number]

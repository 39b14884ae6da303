"""Write single elements of the driver's arrays in loops as such, and not by going through all.

    scf.while (%X1 = %V) … {                          %own = bufferization.alloc_tensor() copy(%V)
      %X2 = func.call @kernel_0(%n, %X1, %i, %s)  ==>  scf.while (%X1 = %own) … {
      scf.yield %X2 }                                   %X2 = scf.if %inside {
                                                          %Y = tensor.insert %s into %X1[%i]
    where @kernel_0 is a `map` whose element is             scf.yield %Y
    %s at %i and that of %X1 elsewhere                  } else { scf.yield %X1 }

An element costs as much as the array is long otherwise. The array is copied once before the loop,
if it is not the loop's alone, so that `update-in-place` may write into the copy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    ModuleOp,
    NoneAttr,
    TensorType,
    TupleType,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import linear_indices
from diablo.dialects.locations import located, remark
from diablo.dialects.monoids import domain_of
from diablo.passes.analyses.plans.call_targets import kernel_called
from diablo.passes.analyses.plans.ownership import Ownership
from diablo.passes.analyses.values.affine_values import same_value, underlying
from diablo.passes.analyses.values.dimensions import dimensions
from diablo.passes.analyses.values.index_equalities import equated_integers
from diablo.passes.analyses.values.speculation import can_trap, is_pure
from diablo.passes.arrays_of_loops import Given, copy_what_others_see, given_to_loops


@dataclass(frozen=True)
class _Write:
    """What a kernel writes where an index is equal to some values, if a condition holds."""

    indices: list[SSAValue]
    guards: list[SSAValue]
    """What has to hold besides, whichever element it is."""
    value: SSAValue
    branch: Block | None
    """Where the value is computed, if it is in a branch."""
    before: SSAValue
    """What a point has otherwise, and had before."""


@dataclass(frozen=True)
class _ElementUpdate:
    """What a kernel does that writes single elements of an array that it is given, in order."""

    map: tensor_block.MapOp
    array: BlockArgument
    writes: list[_Write]

    @property
    def element(self) -> BlockArgument:
        """The value of the array at a point."""
        return self.map.body.block.args[len(self.map.extents)]

    @property
    def points(self) -> Sequence[BlockArgument]:
        """The indices of a point."""
        return self.map.body.block.args[: len(self.map.extents)]


def _read(kernel: func.FuncOp) -> _ElementUpdate | None:
    """The update that is all that `kernel` does, if it is one."""
    *others, end = kernel.body.block.ops
    maps = [op for op in others if isinstance(op, tensor_block.MapOp)]
    if len(maps) != 1 or len(maps[0].inputs) != 1 or list(end.operands) != list(maps[0].results):
        return None
    map = maps[0]
    if not all(op is map or _is_anywhere(op) for op in others):
        return None
    array, last = map.inputs[0], map.body.block.last_op
    accesses = linear_indices(map.indexing_maps.data[0].data)
    if not isinstance(array, BlockArgument):
        return None
    if [a.alone for a in accesses] != list(range(len(map.extents))):
        return None
    type, made = array.type, map.results[0].type
    if not isa(type, TensorType) or type != made or not isinstance(type.encoding, NoneAttr):
        return None
    if not _is_writable(type.element_type) or last is None:
        return None
    update = _ElementUpdate(map, array, [])
    value = last.operands[0]
    while value is not update.element:
        write = _write_of(value, update)
        if write is None:
            return None
        update.writes.insert(0, write)
        value = write.before
    # What is computed of an element that an earlier write may have changed is not known any more.
    changed = any(
        update.element in op.operands
        for write in update.writes[1:]
        if write.branch is not None
        for op in write.branch.walk()
    )
    return update if update.writes and not changed else None


def _is_writable(element: Attribute) -> bool:
    """Return whether the driver's arrays hold such elements themselves: numbers and tuples."""
    if isinstance(element, TupleType):
        return all(map(_is_writable, element.types))
    return domain_of(element) is not None


def _is_anywhere(op: Operation) -> bool:
    """Return whether an op may be done where a kernel was called, or a part of it."""
    return is_pure(op) and not can_trap(op) and not op.regions


def _write_of(value: SSAValue, update: _ElementUpdate) -> _Write | None:
    """The last write that a point's value is made by, if it is made by one."""
    match value.owner:
        case scf.IfOp() as choice if len(choice.results) == 1 and choice.false_region.blocks:
            end, other = choice.true_region.block.last_op, choice.false_region.block.last_op
            assert end is not None
            assert other is not None
            given, before = end.operands[0], other.operands[0]
            branch = choice.true_region.block
            condition = choice.cond
        case arith.SelectOp() as choice:
            given, before, branch, condition = choice.lhs, choice.rhs, None, choice.cond
        case _:
            return None
    found = _equated(condition, update)
    computed = [] if branch is None else list(branch.ops)[:-1]
    if found is None or any(op.regions or not is_pure(op) for op in computed):
        return None
    return _Write(*found, given, branch, before)


def _equated(
    condition: SSAValue, update: _ElementUpdate
) -> tuple[list[SSAValue], list[SSAValue]] | None:
    """Return what each index of a point is to equal, and what has to hold besides.

    None unless `condition` says that of all indices.
    """
    points = update.points
    found: dict[SSAValue, SSAValue] = {}
    guards: list[SSAValue] = []
    pending = [condition]
    while pending:
        value = pending.pop()
        test = value.owner
        if isinstance(test, arith.AndIOp):
            pending += test.operands
            continue
        if not _varies(value, update):
            guards.append(value)
            continue
        sides = [underlying(side) for side in equated_integers(value) or ()]
        point = next((side for side in sides if side in points), None)
        if point is None or point in found:
            return None
        other = sides[1 - sides.index(point)]
        if _varies(other, update):
            return None
        found[point] = other
    if len(found) < len(points):
        return None
    return [found[point] for point in points], guards


def _varies(value: SSAValue, update: _ElementUpdate) -> bool:
    """Return whether a value is another one at other points, or cannot be computed just once."""
    owner = value.owner
    if isinstance(owner, Block):
        return owner is not update.array.block
    if owner.parent is update.array.block:
        return owner is update.map
    return not _is_anywhere(owner) or any(_varies(operand, update) for operand in owner.operands)


class _Writer:
    """Puts insertions in the place of a call."""

    def __init__(self, call: func.CallOp, update: _ElementUpdate, extents: Sequence[SSAValue]):
        self.call = call
        self.update = update
        self.extents = extents
        kernel = update.array.block
        self.given: dict[SSAValue, SSAValue] = dict(zip(kernel.args, call.arguments, strict=True))
        self.array = self.given[update.array]
        self.ops: list[Operation] = []

    def write(self) -> None:
        """Replace the call."""
        for write in self.update.writes:
            self._write(write)
        what = "one element is" if len(self.update.writes) == 1 else "single elements are"
        remark(self.call, f"{what} written, where the array is")
        Rewriter.insert_op(self.ops, InsertPoint.before(self.call))
        self.call.results[0].replace_all_uses_with(self.array)
        Rewriter.erase_op(self.call)

    def _add(self, op: Operation) -> SSAValue:
        self.ops.append(located(op, self.call))
        return op.results[0]

    def _value(self, value: SSAValue) -> SSAValue:
        """A value of the kernel where it was called, for which its ops are copied."""
        if value not in self.given:
            owner = value.owner
            assert isinstance(owner, Operation)
            for operand in owner.operands:
                self._value(operand)
            self._add(owner.clone(self.given))
        return self.given[value]

    def _index(self, value: SSAValue) -> SSAValue:
        found = self._value(value)
        if isinstance(found.type, IndexType):
            return found
        return self._add(arith.IndexCastOp(found, IndexType()))

    def _write(self, write: _Write) -> None:
        indices = [self._index(value) for value in write.indices]
        tests = [
            self._add(arith.CmpiOp(place, extent, "ult"))
            for place, extent in zip(indices, self.extents, strict=True)
        ]
        inside = tests[0]
        for test in [*tests[1:], *[self._value(guard) for guard in write.guards]]:
            inside = self._add(arith.AndIOp(inside, test))
        outer, self.ops = self.ops, []
        of_point = [*self.update.points, self.update.element, write.before]
        self.given |= dict(zip(self.update.points, indices, strict=True))
        if self._reads(write):
            type = self.update.element.type
            element = self._add(tensor.ExtractOp(self.array, indices, type))
            self.given[self.update.element] = self.given[write.before] = element
        known = set(self.given)
        for op in list(write.branch.ops)[:-1] if write.branch is not None else []:
            for operand in op.operands:
                self._value(operand)
            self._add(op.clone(self.given))
        value = self._value(write.value)
        insert = tensor.InsertOp(value, self.array, indices)
        made = self._add(insert)
        made.name_hint = self.call.results[0].name_hint
        then, self.ops = [*self.ops, scf.YieldOp(made)], outer
        for key in [k for k in self.given if k not in known or k in of_point]:
            del self.given[key]  # It is there in this branch alone.
        branch = scf.IfOp(
            inside,
            [self.array.type],
            Region(Block(then)),
            Region(Block([scf.YieldOp(self.array)])),
        )
        self.array = self._add(branch)
        self.array.name_hint = self.call.results[0].name_hint

    def _reads(self, write: _Write) -> bool:
        """Return whether what is written is computed of what is there."""
        sought = (self.update.element, write.before)
        values = {write.value}
        for op in write.branch.ops if write.branch is not None else ():
            values |= set(op.operands)
        pending = list(values)
        while pending:
            value = pending.pop()
            if value in sought:
                return True
            owner = value.owner
            if isinstance(owner, Operation) and owner.parent is self.update.map.body.block:
                pending += [operand for operand in owner.operands if operand not in values]
                values |= set(owner.operands)
        return False


def _can_be_written(call: func.CallOp, update: _ElementUpdate) -> bool:
    """Whether the array has the extents of the result, and all else can be computed anywhere."""
    wanted = [call.arguments[e.index] for e in update.map.extents if isinstance(e, BlockArgument)]
    if len(wanted) < len(update.map.extents):
        return False
    block = update.map.body.block
    for write in update.writes:
        pending = [write.value]
        for op in write.branch.ops if write.branch is not None else ():
            pending += op.operands
        seen: set[SSAValue] = {update.element, write.before}
        while pending:
            value = pending.pop()
            owner = value.owner
            if value in seen or not isinstance(owner, Operation) or owner.parent is not block:
                continue
            seen.add(value)
            if not _is_anywhere(owner):
                return False
            pending += owner.operands
    return _has_extents(call.arguments[update.array.index], wanted, set())


def _has_extents(array: SSAValue, wanted: Sequence[SSAValue], assumed: set[SSAValue]) -> bool:
    """Return whether an array, whichever iteration it is of, has these extents."""
    if array in assumed:
        return True  # What a loop carries has them if what it is given and what it yields do.
    assumed = {*assumed, array}
    owner = array.owner
    loop = owner.parent_op() if isinstance(owner, Block) else owner
    sources: list[SSAValue] = []
    if isinstance(loop, scf.WhileOp):
        condition = loop.before_region.block.last_op
        end = loop.after_region.block.last_op
        assert isinstance(condition, scf.ConditionOp)
        assert end is not None
        number = array.index if isinstance(array, BlockArgument | OpResult) else 0
        if owner is loop.before_region.block:
            sources = [loop.arguments[number], end.operands[number]]
        else:
            sources = [condition.args[number]]
    elif isinstance(owner, scf.IfOp) and isinstance(array, OpResult):
        ends = [region.block.last_op for region in owner.regions]
        sources = [end.operands[array.index] for end in ends if end is not None]
    if sources:
        return all(_has_extents(source, wanted, assumed) for source in sources)
    if isinstance(owner, tensor.InsertOp):
        return _has_extents(owner.dest, wanted, assumed)
    extents = _made_with(owner) if isinstance(owner, func.CallOp) else dimensions(array)
    return len(extents) == len(wanted) and all(
        have is not None and same_value(have, want)
        for have, want in zip(extents, wanted, strict=True)
    )


def _made_with(call: func.CallOp) -> list[SSAValue | None]:
    """The extents of what a kernel makes, as far as it is given them."""
    kernel = kernel_called(call)
    if kernel is None:
        return []
    end = kernel.body.block.last_op
    made = end.operands[0].owner if end is not None and len(end.operands) == 1 else None
    if not isinstance(made, tensor_block.MapOp):
        return []
    return [
        call.arguments[extent.index] if isinstance(extent, BlockArgument) else None
        for extent in made.extents
    ]


@dataclass(frozen=True)
class WriteElementsPass(ModulePass):
    """Write single elements of the driver's arrays in loops as such."""

    name = "write-elements"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at the calls in the loops of every public function."""
        kernels: dict[Operation, _ElementUpdate | None] = {}

        def update_by(call: func.CallOp) -> _ElementUpdate | None:
            kernel = kernel_called(call)
            if kernel is not None and kernel not in kernels:
                kernels[kernel] = _read(kernel)
            return None if kernel is None else kernels[kernel]

        def written(call: func.CallOp) -> SSAValue | None:
            update = update_by(call)
            return None if update is None else call.arguments[update.array.index]

        for function in [o for o in op.ops if isinstance(o, func.FuncOp) and o.body.blocks]:
            given: dict[Given, list[tensor.DimOp]] = {}
            for call in [o for o in function.walk() if isinstance(o, func.CallOp)]:
                update = update_by(call)
                if update is None:
                    continue
                place = given_to_loops(call.arguments[update.array.index], call, written)
                if place is not None and _can_be_written(call, update):
                    if place not in given:
                        given[place] = _extents_before(*place, len(update.map.extents))
                    _Writer(call, update, [dim.result for dim in given[place]]).write()
            if given:
                _own_arrays(function, given)


def _extents_before(loop: scf.WhileOp, number: int, rank: int) -> list[tensor.DimOp]:
    """Ask, before a loop, for the extents of an array that it is given."""
    found: list[tensor.DimOp] = []
    for axis in range(rank):
        position = located(arith.ConstantOp(IntegerAttr(axis, IndexType())), loop)
        found.append(located(tensor.DimOp(loop.arguments[number], position.result), loop))
        Rewriter.insert_op([position, found[-1]], InsertPoint.before(loop))
    return found


def _own_arrays(function: func.FuncOp, given: Mapping[Given, Sequence[tensor.DimOp]]) -> None:
    """Give loops arrays of their own, and read the extents of these."""
    for (loop, number), copy in copy_what_others_see(given, Ownership(function)):
        for extent in given[loop, number]:
            extent.detach()
            extent.operands[0] = copy
            Rewriter.insert_op(extent, InsertPoint.before(loop))

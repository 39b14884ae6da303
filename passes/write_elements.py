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

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, bufferization, func, scf, tensor
from xdsl.dialects.builtin import IndexType, ModuleOp, NoneAttr, TensorType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable
from xdsl.utils.hints import isa

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import linear_indices
from diablo.dialects.locations import located, remark
from diablo.dialects.monoids import domain_of
from diablo.dialects.predicates import predicate_of
from diablo.passes.analyses.affine_values import same_value
from diablo.passes.analyses.dimensions import dimensions
from diablo.passes.analyses.ownership import Ownership
from diablo.passes.analyses.speculation import can_trap, is_pure


@dataclass(frozen=True)
class _ElementUpdate:
    """What a kernel does that writes one element of an array that it is given."""

    map: tensor_block.MapOp
    array: BlockArgument
    indices: list[SSAValue]
    """Where it writes, as values of the kernel."""
    branch: scf.IfOp


def _read(kernel: func.FuncOp) -> _ElementUpdate | None:
    """The update that is all that `kernel` does, if it is one."""
    ops = list(kernel.body.block.ops)
    if len(ops) != 2 or not isinstance(map := ops[0], tensor_block.MapOp) or len(map.inputs) != 1:
        return None
    array, end = map.inputs[0], map.body.block.last_op
    rank = len(map.extents)
    accesses = linear_indices(map.maps.data[0].data)
    if not isinstance(array, BlockArgument) or [a.alone for a in accesses] != list(range(rank)):
        return None
    type, made = array.type, map.results[0].type
    if not isa(type, TensorType) or type != made or not isinstance(type.encoding, NoneAttr):
        return None
    if domain_of(type.element_type) is None or list(ops[1].operands) != list(map.results):
        return None
    value = end.operands[0] if end is not None else None
    branch = value.owner if value is not None else None
    if not isinstance(branch, scf.IfOp) or not branch.false_region.blocks:
        return None
    otherwise = list(branch.false_region.block.ops)
    if len(otherwise) != 1 or otherwise[0].operands[0] is not map.body.block.args[rank]:
        return None
    indices = _equated(branch.cond, map)
    return None if indices is None else _ElementUpdate(map, array, indices, branch)


def _equated(condition: SSAValue, map: tensor_block.MapOp) -> list[SSAValue] | None:
    """What the index of each dimension is to equal, if `condition` says just that."""
    points = map.body.block.args[: len(map.extents)]
    found: dict[SSAValue, SSAValue] = {}
    pending = [condition]
    while pending:
        test = pending.pop().owner
        if isinstance(test, arith.AndIOp):
            pending += test.operands
            continue
        if not isinstance(test, arith.CmpiOp) or predicate_of(test) != "eq":
            return None
        sides = [_uncast(side) for side in test.operands]
        point = next((side for side in sides if side in points), None)
        if point is None or point in found:
            return None
        other = sides[1 - sides.index(point)]
        if not isinstance(other, BlockArgument) or other.block is map.body.block:
            return None
        found[point] = other
    return [found[point] for point in points] if len(found) == len(points) else None


def _uncast(value: SSAValue) -> SSAValue:
    while isinstance(value, OpResult) and isinstance(value.op, arith.IndexCastOp):
        value = value.op.input
    return value


def _write(call: func.CallOp, update: _ElementUpdate) -> None:
    """Put an insertion in the place of a call."""
    kernel_block = update.array.block
    given: dict[SSAValue, SSAValue] = dict(zip(kernel_block.args, call.arguments, strict=True))
    array = given[update.array]
    ops: list[Operation] = []

    def add(op: Operation) -> SSAValue:
        ops.append(located(op, call))
        return op.results[0]

    def index(value: SSAValue) -> SSAValue:
        found = given[value]
        if isinstance(found.type, IndexType):
            return found
        return add(arith.IndexCastOp(found, IndexType()))

    indices = [index(value) for value in update.indices]
    inside: SSAValue | None = None
    for place, extent in zip(indices, update.map.extents, strict=True):
        test = add(arith.CmpiOp(place, given[extent], "ult"))
        inside = test if inside is None else add(arith.AndIOp(inside, test))
    assert inside is not None
    element = update.map.body.block.args[len(indices)]
    then: list[Operation] = []
    if any(element in op.operands for op in update.branch.true_region.walk()):
        then.append(located(tensor.ExtractOp(array, indices, element.type), call))
        given[element] = then[0].results[0]
    *computed, end = update.branch.true_region.block.ops
    then += [op.clone(given) for op in computed]
    value = given.get(end.operands[0], end.operands[0])
    insert = located(tensor.InsertOp(value, array, indices), call)
    insert.result.name_hint = call.results[0].name_hint
    then += [insert, scf.YieldOp(insert.result)]
    branch = scf.IfOp(
        inside, [array.type], Region(Block(then)), Region(Block([scf.YieldOp(array)]))
    )
    add(branch)
    branch.results[0].name_hint = call.results[0].name_hint
    remark(call, "one element is written, where the array is")
    Rewriter.insert_op(ops, InsertPoint.before(call))
    call.results[0].replace_all_uses_with(branch.results[0])
    Rewriter.erase_op(call)


def _is_alike(call: func.CallOp, update: _ElementUpdate) -> bool:
    """Whether the array has the extents of the result, and all else can be computed anywhere."""
    wanted = [call.arguments[e.index] for e in update.map.extents if isinstance(e, BlockArgument)]
    if len(wanted) < len(update.map.extents):
        return False
    same = _has_extents(call.arguments[update.array.index], wanted, set())
    inner = list(update.branch.true_region.block.ops)[:-1]
    points = update.map.body.block.args[: len(wanted)]
    return same and all(
        is_pure(op) and not can_trap(op) and not op.regions and not set(op.operands) & set(points)
        for op in inner
    )


def _has_extents(array: SSAValue, wanted: Sequence[SSAValue], assumed: set[SSAValue]) -> bool:
    """Whether an array, whichever iteration it is of, has these extents."""
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
    kernel = SymbolTable.lookup_symbol(call, call.callee)
    if not isinstance(kernel, func.FuncOp) or len(kernel.body.blocks) != 1:
        return []
    end = kernel.body.block.last_op
    made = end.operands[0].owner if end is not None and len(end.operands) == 1 else None
    if not isinstance(made, tensor_block.MapOp):
        return []
    return [
        call.arguments[extent.index] if isinstance(extent, BlockArgument) else None
        for extent in made.extents
    ]


def _given_to_loops(value: SSAValue) -> tuple[scf.WhileOp, int] | None:
    """The outermost loop that carries `value` from outside, and the number of what it is given."""
    found: tuple[scf.WhileOp, int] | None = None
    while isinstance(value, BlockArgument):
        loop = value.block.parent_op()
        if not isinstance(loop, scf.WhileOp):
            return found
        number = value.index
        if value.block is loop.after_region.block:
            condition = loop.before_region.block.last_op
            assert isinstance(condition, scf.ConditionOp)
            passed = condition.args[number]
            if not isinstance(passed, BlockArgument) or passed.block.parent_op() is not loop:
                return found
            number = passed.index
        found = (loop, number)
        value = loop.arguments[number]
    return found


@dataclass(frozen=True)
class WriteElementsPass(ModulePass):
    """Write single elements of the driver's arrays in loops as such."""

    name = "write-elements"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at the calls in the loops of every public function."""
        kernels: dict[Operation, _ElementUpdate | None] = {}
        for function in [o for o in op.ops if isinstance(o, func.FuncOp) and o.body.blocks]:
            given: dict[tuple[scf.WhileOp, int], None] = {}
            for call in [o for o in function.walk() if isinstance(o, func.CallOp)]:
                kernel = SymbolTable.lookup_symbol(call, call.callee)
                if not isinstance(kernel, func.FuncOp) or len(kernel.body.blocks) != 1:
                    continue
                if kernel not in kernels:
                    kernels[kernel] = _read(kernel)
                update = kernels[kernel]
                if update is None:
                    continue
                place = _given_to_loops(call.arguments[update.array.index])
                if place is not None and _is_alike(call, update):
                    _write(call, update)
                    given[place] = None
            _copy_before_loops(function, list(given))


def _copy_before_loops(function: func.FuncOp, given: list[tuple[scf.WhileOp, int]]) -> None:
    """Give loops arrays of their own, where they are given what others may look at."""
    if not given:
        return
    ownership = Ownership(function)
    for loop, number in given:
        value = loop.arguments[number]
        if ownership.dies_at(value, loop):
            continue
        copy = located(bufferization.AllocTensorOp(value.type, copy=value), loop)
        copy.results[0].name_hint = value.name_hint
        Rewriter.insert_op(copy, InsertPoint.before(loop))
        loop.operands[number] = copy.results[0]

"""Rules of `comprehension-normalize` about bags: no bag is built only to be read once."""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.locations import located
from diablo.passes.analyses.speculation import Qualifier, Root


def _collected(bag: SSAValue, user: Operation) -> comprehension.CollectOp | None:
    """The `collect` that makes `bag`, if `user` is its one reader and runs as often as it.

    A `user` in a comprehension reads the bag once per iteration; that is what nested
    generators mean. In a while loop the bag would be made anew in every iteration.
    """
    if not isinstance(bag, OpResult) or not isinstance(bag.op, comprehension.CollectOp):
        return None
    if not bag.has_one_use():
        return None
    ancestor = user
    while ancestor.parent is not bag.op.parent:
        parent = ancestor.parent_op()
        if not isinstance(parent, Root | scf.IfOp):
            return None
        ancestor = parent
    return bag.op


def _has_group_by(block: Block) -> bool:
    return any(isinstance(op, comprehension.GroupByOp) for op in block.ops)


def _uses_values_of(op: Operation, block: Block) -> bool:
    """Whether `op` or an op in its regions uses a value that `block` defines."""
    return any(
        isinstance(operand.owner, Operation) and operand.owner.parent is block
        for inner in op.walk()
        for operand in inner.operands
    )


def flatten(block: Block) -> bool:
    """`each` over a `collect` → the body of the `collect`.

    If that groups, it must come first, since grouping ends the scope of what came before.
    """
    changed = False
    for op in list(block.ops):
        if not isinstance(op, comprehension.EachOp):
            continue
        collect = _collected(op.collection, op)
        if collect is None:
            continue
        inner = collect.body.block
        place: Operation = op
        if _has_group_by(inner):
            first = next(q for q in block.ops if isinstance(q, Qualifier))
            assert block.first_op is not None
            place = block.first_op
            if first is not op or _uses_values_of(collect, block):
                continue
            if place is collect:
                place = collect.next_op or op
        end = inner.last_op
        assert isinstance(end, comprehension.YieldOp)
        for inner_op in list(inner.ops)[:-1]:
            inner_op.detach()
            block.insert_op_before(inner_op, place)
        for element, value in zip(op.elements, end.operands, strict=True):
            hint = value.name_hint or element.name_hint
            element.replace_all_uses_with(value)
            value.name_hint = hint
        block.erase_op(op)
        parent = collect.parent
        assert parent is not None
        parent.erase_op(collect)
        changed = True
    return changed


def _ones(block: Block, end: comprehension.YieldOp, like: Operation) -> None:
    """Let a body yield the number one for each row."""
    one = located(arith.ConstantOp(IntegerAttr(1, i64)), like)
    block.insert_op_before(one, end)
    block.insert_op_before(located(comprehension.YieldOp((), [one.result]), end), end)
    block.erase_op(end)


def _rows(bag: SSAValue, op: Operation) -> Block:
    """A comprehension's body that yields the rows of `bag`."""
    collect = _collected(bag, op)
    if collect is None:
        each = located(comprehension.EachOp(bag), op)
        return Block([each, located(comprehension.YieldOp((), each.elements), op)])
    return collect.body.detach_block(0)


def _fold(op: comprehension.ReduceOp | comprehension.LengthOp) -> bool:
    """`reduce` or `length` of a bag that is not a group → `aggregate` over its rows."""
    if isinstance(op.bag.owner, comprehension.GroupByOp):
        return False
    parent = op.parent
    assert parent is not None
    collect = _collected(op.bag, op)
    body = _rows(op.bag, op)
    end = body.last_op
    assert isinstance(end, comprehension.YieldOp)
    if isinstance(op, comprehension.LengthOp):
        monoid = "add"
        _ones(body, end, op)
    else:
        monoid = op.monoid.data
        if end.keys:
            body.insert_op_before(located(comprehension.YieldOp((), end.operands), end), end)
            body.erase_op(end)
    fold = located(comprehension.AggregateOp(monoid, Region(body), op.result.type), op)
    parent.insert_op_before(fold, op)
    fold.result.name_hint = op.result.name_hint
    op.result.replace_all_uses_with(fold.result)
    parent.erase_op(op)
    if collect is not None and collect.parent is not None:
        collect.parent.erase_op(collect)
    return True


def fold_bags(module: Operation) -> bool:
    """Turn every fold of a bag that is not a group into an `aggregate`."""
    changed = False
    for op in list(module.walk()):
        if isinstance(op, comprehension.ReduceOp | comprehension.LengthOp):
            changed |= _fold(op)
    return changed

"""Rules of `comprehension-normalize` about bags: no bag is built only to be read once."""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.traits import IsTerminator

from diablo.dialects import comprehension
from diablo.dialects.defining_blocks import is_made_in
from diablo.dialects.locations import located, remark
from diablo.passes.analyses.values.comprehension_structure import (
    Generator,
    Qualifier,
    Root,
    is_of_a_row,
)
from diablo.passes.analyses.values.determined_values import DeterminedValues
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.speculation import is_little


def _is_cheap(block: Block) -> bool:
    """Whether the rows of a body are as good as stored: nothing much is computed for them."""
    return all(
        isinstance(op, Generator | comprehension.GuardOp)
        or op.has_trait(IsTerminator)
        or is_little(op)
        for op in block.ops
    )


def _way_up(user: Operation, block: Block) -> list[Operation] | None:
    """`user` and the ops around it up to one in `block`; `None` if a loop is between."""
    ancestors = [user]
    while ancestors[-1].parent is not block:
        parent = ancestors[-1].parent_op()
        if not isinstance(parent, Root | scf.IfOp):
            return None
        ancestors.append(parent)
    return ancestors


def _runs_often(ancestors: list[Operation], collect: Operation) -> bool:
    """Return whether generators make the user run more often than `collect`."""
    for op in ancestors:
        before = op.prev_op
        while before is not None and before is not collect:
            if isinstance(before, Generator):
                return True
            before = before.prev_op
    return False


def _collected(
    bag: SSAValue, user: Operation, *, explain: bool = False
) -> comprehension.CollectOp | None:
    """The `collect` that makes `bag`, if its body may as well stand where `user` reads it.

    `user` must be its one reader. Where `user` runs more often than the `collect`, as a
    generator behind another one does, the rows of the bag must cost nothing to make again.
    In a while loop the bag would be made anew in every iteration.
    """
    if not isinstance(bag, OpResult) or not isinstance(bag.op, comprehension.CollectOp):
        return None
    collect = bag.op
    why: str | None = None
    ancestors = None if collect.parent is None else _way_up(user, collect.parent)
    if not bag.has_one_use():
        why = "it is read more than once"
    elif ancestors is None:
        why = "it is read in a loop"
    elif _runs_often(ancestors, collect) and not _is_cheap(collect.body.block):
        why = "it is read several times and not cheap to compute again"
    elif collect.result.type.is_map and not _has_distinct_keys(collect):
        why = "it keeps one of the rows with equal keys"
    if why is not None and explain:
        remark(user, f"the list is built before it is read: {why}")
    return collect if why is None else None


def _has_distinct_keys(collect: comprehension.CollectOp) -> bool:
    """Return whether no two rows of a map's body can have the same key."""
    ops = list(collect.body.block.ops)
    groups = [i for i, op in enumerate(ops) if isinstance(op, comprehension.GroupByOp)]
    ops = ops[groups[-1] :] if groups else ops
    keys = ops[-1].operands[: collect.result.type.keys.data]
    return DeterminedValues(ops, keys).unique()


def _has_group_by(block: Block) -> bool:
    return any(isinstance(op, comprehension.GroupByOp) for op in block.ops)


def _flatten(op: comprehension.EachOp, block: Block) -> bool:
    collect = _collected(op.collection, op)
    if collect is None:
        return False
    inner = collect.body.block
    place: Operation = op
    if _has_group_by(inner):
        first = next(q for q in block.ops if isinstance(q, Qualifier))
        assert block.first_op is not None
        place = block.first_op
        if first is not op or any(is_made_in(v, block) for v in used_values(collect)):
            return False
        if place is collect:
            place = collect.next_op or op
    end = inner.last_op
    assert isinstance(end, comprehension.YieldOp)
    for inner_op in list(inner.ops)[:-1]:
        inner_op.detach()
        block.insert_op_before(inner_op, place)
    _bind(op, list(end.operands), block)
    collect.detach()
    collect.erase()
    return True


def _bind(op: comprehension.EachOp, row: list[SSAValue], block: Block) -> None:
    """Let a generator that gives just `row` go."""
    for element, value in zip(op.elements, row, strict=True):
        hint = value.name_hint or element.name_hint
        element.replace_all_uses_with(value)
        value.name_hint = hint
    block.erase_op(op)


def flatten(block: Block) -> bool:
    """`each` over a `collect` → the body of the `collect`; over a list of one row → the row.

    If the body groups, it must come first, since grouping ends the scope of what came before.
    """
    changed = False
    for op in list(block.ops):
        if not isinstance(op, comprehension.EachOp):
            continue
        source = op.collection.owner
        if isinstance(source, comprehension.ListOp) and len(source.rows) == 1:
            _bind(op, list(source.rows[0]), block)
            changed = True
        else:
            changed |= _flatten(op, block)
    return changed


def explain_bags(module: Operation) -> None:
    """Say of the generators over a `collect` that are left why they are."""
    for op in module.walk():
        if isinstance(op, comprehension.EachOp):
            collect = _collected(op.collection, op, explain=True)
            if collect is not None:
                remark(op, "the list is built before it is read: it is grouped")


def _rows(bag: SSAValue, op: Operation) -> Block:
    """A comprehension's body that yields the rows of `bag`."""
    collect = _collected(bag, op)
    if collect is None:
        each = located(comprehension.EachOp(bag), op)
        return Block([each, located(comprehension.YieldOp((), each.elements), op)])
    return collect.body.detach_block(0)


def _fold(op: comprehension.ReduceOp | comprehension.LengthOp) -> bool:
    """`reduce` or `length` of a bag that is computed → `aggregate` over its rows.

    The folds of a group, and of a list that a row holds, stay.
    """
    collect = _collected(op.bag, op)
    if collect is None and is_of_a_row(op.bag):
        return False
    body = _rows(op.bag, op)
    end = body.last_op
    assert isinstance(end, comprehension.YieldOp)
    values, monoid = list(end.operands), "add"
    if isinstance(op, comprehension.LengthOp):
        one = located(arith.ConstantOp(IntegerAttr(1, i64)), op)
        body.insert_op_before(one, end)
        values = [one.result]
    else:
        monoid = op.monoid.data
    body.insert_op_before(located(comprehension.YieldOp((), values), end), end)
    body.erase_op(end)
    _replace(op, comprehension.AggregateOp(monoid, Region(body), op.result.type))
    if collect is not None:
        collect.detach()
        collect.erase()
    return True


def _replace(op: comprehension.ReduceOp | comprehension.LengthOp, new: Operation) -> None:
    parent = op.parent
    assert parent is not None
    parent.insert_op_before(located(new, op), op)
    _replace_by_value(op, new.results[0])


def _replace_by_value(op: comprehension.ReduceOp | comprehension.LengthOp, value: SSAValue) -> None:
    parent = op.parent
    assert parent is not None
    value.name_hint = value.name_hint or op.result.name_hint
    op.result.replace_all_uses_with(value)
    parent.erase_op(op)


def _fold_list(
    op: comprehension.ReduceOp | comprehension.LengthOp, rows: comprehension.ListOp
) -> bool:
    """The fold of one value is the value; the length of a list that is written down is known."""
    if isinstance(op, comprehension.LengthOp):
        _replace(op, arith.ConstantOp(IntegerAttr(len(rows.rows), i64)))
        return True
    if len(rows.rows) != 1:
        return False
    _replace_by_value(op, rows.rows[0][0])
    return True


def fold_bags(module: Operation) -> bool:
    """Turn every fold of a bag that is not a row's into an `aggregate`."""
    changed = False
    for op in list(module.walk()):
        if not isinstance(op, comprehension.ReduceOp | comprehension.LengthOp):
            continue
        source = op.bag.owner
        if isinstance(source, comprehension.ListOp) and _fold_list(op, source):
            changed = True
        else:
            changed |= _fold(op)
    return changed


def inline_single_rows(module: Operation) -> bool:
    """`aggregate { yield %x }` → `%x`; `collect { yield %x }` → the list of that row."""
    changed = False
    for root in list(module.walk(region_first=True)):
        if not isinstance(root, comprehension.AggregateOp | comprehension.CollectOp):
            continue
        body, block = root.body.block, root.parent
        end = body.last_op
        assert isinstance(end, comprehension.YieldOp)
        if block is None or any(isinstance(op, Qualifier) for op in body.ops):
            continue
        if isinstance(root, comprehension.AggregateOp):
            value = end.values[0]
        elif end.operands and not root.result.type.is_map:
            rows = comprehension.ListOp([end.operands], root.result.type)
            body.insert_op_before(located(rows, root), end)
            value = rows.result
        else:
            continue
        for op in list(body.ops):
            if op is not end:
                op.detach()
                block.insert_op_before(op, root)
        value.name_hint = value.name_hint or root.result.name_hint
        root.result.replace_all_uses_with(value)
        block.erase_op(root)
        changed = True
    return changed

"""Rules of `comprehension-normalize` about groups: what is folded is computed before."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from diablo.dialects import comprehension
from diablo.dialects.locations import located
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.comprehension_structure import Qualifier
from diablo.passes.analyses.values.monoid_identities import identity_ops
from diablo.passes.analyses.values.speculation import can_trap, is_pure

BagValues = Sequence[tuple[SSAValue, ...]]
"""The values that each bag of a group_by collects."""


def regroup(group: comprehension.GroupByOp, bags: BagValues) -> comprehension.GroupByOp:
    """Replace `group` by one with `bags`, among which are all bags that are still used."""
    block = group.parent
    assert block is not None
    values = [value for bag in bags for value in bag]
    new = comprehension.GroupByOp(list(group.keys), values, [len(bag) for bag in bags])
    block.insert_op_before(located(new, group), group)
    for old_key, new_key in zip(group.group_keys, new.group_keys, strict=True):
        new_key.name_hint = old_key.name_hint
        old_key.replace_all_uses_with(new_key)
    for row, old_bag in zip(group.bag_values, group.bags, strict=True):
        if old_bag.first_use is not None:
            new_bag = new.bags[bags.index(row)]
            hint = old_bag.name_hint
            old_bag.replace_all_uses_with(new_bag)
            new_bag.name_hint = hint
    block.erase_op(group)
    return new


def _add_value(
    group: comprehension.GroupByOp, value: SSAValue
) -> tuple[comprehension.GroupByOp, SSAValue]:
    """Let `group` collect `value`, if it does not; returns the group and the bag."""
    bags = [*group.bag_values]
    if (value,) not in bags:
        bags.append((value,))
        group = regroup(group, bags)
    return group, group.bags[bags.index((value,))]


def _reduce(
    group: comprehension.GroupByOp, value: SSAValue, monoid: str, op: Operation
) -> comprehension.GroupByOp:
    """Replace `op` by the fold of the bag of `value`."""
    new, bag = _add_value(group, value)
    block = op.parent
    assert block is not None
    fold = located(comprehension.ReduceOp(monoid, bag), op)
    block.insert_op_before(fold, op)
    fold.result.name_hint = op.results[0].name_hint
    op.results[0].replace_all_uses_with(fold.result)
    block.erase_op(op)
    return new


def count_by_ones(block: Block) -> bool:
    """`length %bag` of a group → `reduce add` over the bag of a constant one."""
    changed = False
    for op in list(block.ops):
        if not isinstance(op, comprehension.LengthOp):
            continue
        group = op.bag.owner
        if not isinstance(group, comprehension.GroupByOp) or group.parent is not block:
            continue
        one = next((v for v in group.values if v.type == i64 and constant_value(v) == 1), None)
        if one is None:
            constant = located(arith.ConstantOp(IntegerAttr(1, i64)), op)
            block.insert_op_before(constant, group)
            one = constant.result
        _reduce(group, one, "add", op)
        changed = True
    return changed


def _folded_value(
    op: comprehension.AggregateOp, group: comprehension.GroupByOp
) -> tuple[list[Operation], SSAValue] | None:
    """New ops in front of `group` and the value that `op` folds over a group, or `None`.

    `op` must be a fold over one bag of `group` by ops that cannot trap and that need no
    value made after the grouping but its keys.
    """
    body = op.body.block
    each, end = body.first_op, body.last_op
    if not isinstance(each, comprehension.EachOp) or each.collection.owner is not group:
        return None
    assert isinstance(end, comprehension.YieldOp)
    mapped: dict[SSAValue, SSAValue] = dict(zip(group.group_keys, group.keys, strict=True))
    bags: list[SSAValue] = list(group.bags)
    row = group.bag_values[bags.index(each.collection)]
    mapped.update(zip(each.elements, row, strict=True))
    outer = group.parent
    lets: list[Operation] = []
    guards: list[SSAValue] = []
    for inner in list(body.ops)[1:]:
        if isinstance(inner, comprehension.GuardOp):
            guards.append(mapped.get(inner.condition, inner.condition))
            continue
        if isinstance(inner, Qualifier) or can_trap(inner):
            return None
        for operand in inner.operands:
            owner = operand.owner
            if operand in mapped or not isinstance(owner, Operation):
                continue
            if owner.parent is outer and not owner.is_before_in_block(group):
                return None
        if inner.has_trait(IsTerminator):
            break
        if not is_pure(inner) or inner.regions:
            return None
        lets.append(inner.clone(mapped))
    value = end.values[0]
    value = mapped.get(value, value)
    if guards:
        identity = identity_ops(op.monoid.data, value.type, op)
        if not identity:
            return None
        lets += [located(part, op) for part in identity]
        neutral = identity[-1].results[0]
        for condition in reversed(guards):
            choice = located(arith.SelectOp(condition, value, neutral), op)
            lets.append(choice)
            value = choice.result
    return lets, value


def fold_before_grouping(block: Block) -> bool:
    """`aggregate add { each %bag; f }` over a group → `reduce add` over the bag of `f`."""
    changed = False
    for op in list(block.ops):
        if not isinstance(op, comprehension.AggregateOp):
            continue
        groups = [g for g in block.ops if isinstance(g, comprehension.GroupByOp)]
        for group in groups:
            folded = _folded_value(op, group)
            if folded is None:
                continue
            lets, value = folded
            block.insert_ops_before(lets, group)
            _reduce(group, value, op.monoid.data, op)
            changed = True
            break
    return changed


def drop_unused_bags(block: Block) -> bool:
    """A `group_by` keeps each bag that is used, once."""
    changed = False
    for group in list(block.ops):
        if not isinstance(group, comprehension.GroupByOp):
            continue
        used = [
            row
            for row, bag in zip(group.bag_values, group.bags, strict=True)
            if bag.first_use is not None
        ]
        kept = list(dict.fromkeys(used))
        if len(kept) < len(group.bags):
            regroup(group, kept)
            changed = True
    return changed


def normalize_groups(block: Block) -> bool:
    """Apply the rules about groups to one body."""
    changed = count_by_ones(block)
    changed |= fold_before_grouping(block)
    changed |= drop_unused_bags(block)
    return changed

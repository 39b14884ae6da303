"""Drop a `group_by` whose groups are known beforehand.

Works at the comprehension level. If no two rows have the same key, as the index of an array,
every group is one row: the bags become lists of one row, and the fold of one value is it.

```mlir
%i, %j, %a = comprehension.each %A : tensor<?x?xf64>
%gi, %gj, %as = comprehension.group_by keys(%i, %j) values(%a) : index, index, !bag
%s = comprehension.reduce add %as : !bag
comprehension.yield (%gi, %gj) %s
```

becomes

```mlir
%i, %j, %a = comprehension.each %A : tensor<?x?xf64>
comprehension.yield (%i, %j) %a
```

If all rows have the same key, the one group is folded by an `aggregate`, provided that it does
not matter that without rows there would be no group: the result is then as if there were one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from diablo.dialects import comprehension
from diablo.dialects.comprehension import BagType
from diablo.dialects.locations import located, remark
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.sparsity.implicit_values import is_superfluous_head
from diablo.passes.analyses.values.comprehension_structure import Qualifier, Root, roots_in
from diablo.passes.analyses.values.determined_values import (
    DeterminedValues,
    is_generator,
    segments_of,
)
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.monoid_identities import identity_constant
from diablo.passes.analyses.values.partial_evaluation import Known
from diablo.passes.analyses.values.speculation import can_trap


def _ungroup(group: comprehension.GroupByOp) -> None:
    """Replace `group`, whose groups are single rows, by the rows."""
    block = group.parent
    assert block is not None
    for key, group_key in zip(group.keys, group.group_keys, strict=True):
        hint = key.name_hint or group_key.name_hint
        group_key.replace_all_uses_with(key)
        key.name_hint = hint
    for row, bag in zip(group.bag_values, group.bags, strict=True):
        _replace_bag(group, row, bag)
    block.erase_op(group)


def _replace_bag(group: Operation, row: tuple[SSAValue, ...], bag: SSAValue) -> None:
    """Replace the bag of a group by its one row."""
    for use in list(bag.uses):
        op = use.operation
        block = op.parent
        if block is None:
            continue
        match op:
            case comprehension.ReduceOp():
                op.result.replace_all_uses_with(row[0])
                block.erase_op(op)
            case comprehension.LastOp():
                for result, value in zip(op.values, row[op.places.value.data :], strict=True):
                    result.replace_all_uses_with(value)
                block.erase_op(op)
            case comprehension.LengthOp():
                one = located(arith.ConstantOp(IntegerAttr(1, i64)), op)
                block.insert_op_before(one, op)
                op.result.replace_all_uses_with(one.result)
                block.erase_op(op)
            case comprehension.EachOp():
                for element, value in zip(op.elements, row, strict=True):
                    element.replace_all_uses_with(value)
                block.erase_op(op)
            case _:
                pass
    if bag.first_use is not None:
        assert isinstance(bag.type, BagType)
        assert group.parent is not None
        rows = located(comprehension.ListOp([row], bag.type), group)
        group.parent.insert_op_before(rows, group)
        rows.result.name_hint = bag.name_hint
        bag.replace_all_uses_with(rows.result)


def _check(group: comprehension.GroupByOp, root: Root) -> None:
    """Raise `Refused` if the one group of a constant key cannot be folded by an `aggregate`."""
    block = root.body.block
    end = block.last_op
    folds = [use.operation for bag in group.bags for use in bag.uses]
    if len(folds) != 1 or not isinstance(folds[0], comprehension.ReduceOp):
        raise Refused("not just one fold uses its rows")
    fold = folds[0]
    if fold.parent is not block:
        raise Refused("another comprehension folds its rows")
    op = group.next_op
    while op is not None and op is not end:
        if is_generator(op):
            raise Refused("a generator or another group_by follows")
        if can_trap(op):
            raise Refused("an operation behind it can fail")
        op = op.next_op
    identity = identity_constant(fold.monoid.data, fold.result.type, fold)
    known: Known = {} if identity is None else {fold.result: identity}
    ops = list(block.ops)
    if identity is None or not is_superfluous_head(root, ops[ops.index(group) + 1 :], known):
        raise Refused("without any row there would be a result")


def _rows_of(group: comprehension.GroupByOp, block: Block) -> list[Operation]:
    """The ops in front of `group` that run once per row; the others run once in all."""
    of_rows: list[Operation] = []
    made: set[SSAValue] = set()
    for op in block.ops:
        if op is group:
            break
        varies = any(value in made for value in used_values(op))
        # What can fail stays behind the generators, which may have no rows.
        if varies or isinstance(op, Qualifier) or (of_rows and can_trap(op)):
            of_rows.append(op)
            made.update(op.results)
    return of_rows


def _aggregate(group: comprehension.GroupByOp, root: Root, rows: list[Operation]) -> None:
    """Fold the one group by an `aggregate` of the ops that run once per row."""
    block = root.body.block
    (fold,) = [use.operation for bag in group.bags for use in bag.uses]
    assert isinstance(fold, comprehension.ReduceOp)
    bags: list[SSAValue] = list(group.bags)
    (value,) = group.bag_values[bags.index(fold.bag)]
    body = Block()
    for op in rows:
        op.detach()
        body.add_op(op)
    body.add_op(located(comprehension.YieldOp((), [value]), group))
    new = comprehension.AggregateOp(fold.monoid.data, Region(body), fold.result.type)
    block.insert_op_before(located(new, fold), group)
    new.result.name_hint = fold.result.name_hint
    fold.result.replace_all_uses_with(new.result)
    block.erase_op(fold)
    for key, group_key in zip(group.keys, group.group_keys, strict=True):
        group_key.replace_all_uses_with(key)
    block.erase_op(group)


def _unique(root: Root) -> bool:
    """Drop one group_by on a unique key."""
    for before, (group, *_) in pairwise(segments_of(root.body.block)):
        assert isinstance(group, comprehension.GroupByOp)
        if DeterminedValues(before, group.keys).unique():
            remark(group, "no two rows have the same key: nothing is grouped")
            _ungroup(group)
            return True
    return False


def _constant(root: Root) -> None:
    """Replace the last group_by by an aggregate if its key is constant."""
    block = root.body.block
    for group in reversed(list(block.ops)):
        if not isinstance(group, comprehension.GroupByOp):
            continue
        rows = _rows_of(group, block)
        made = {result for op in rows for result in op.results}
        if any(key in made for key in group.keys):
            return
        try:
            _check(group, root)
        except Refused as why:
            remark(group, f"all rows have the same key, but they are grouped: {why}")
            return
        remark(group, "all rows have the same key: they are folded by an aggregate")
        _aggregate(group, root, rows)
        return


@dataclass(frozen=True)
class UniqueKeysPass(ModulePass):
    """Drop a group_by whose groups are known beforehand."""

    name = "unique-keys"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at every group_by."""
        for root in roots_in(op):
            while _unique(root):
                pass
            _constant(root)

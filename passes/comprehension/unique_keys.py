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

If all rows have the same key, the one group is folded by an `aggregate`. Where it matters that
without rows there would be no group, what follows is guarded by whether there is a row:

```mlir
%i, %x = comprehension.each %V                 %some = comprehension.aggregate or : i1 { … }
%g, %xs = comprehension.group_by keys(%zero)   comprehension.guard %some
%s = comprehension.reduce add %xs         ==>  %s = comprehension.aggregate add : f64 {
comprehension.yield %g, %s                       %i, %x = comprehension.each %V
                                                 comprehension.yield %x }
                                               comprehension.yield %zero, %s
```
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, TensorType, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from diablo.dialects import comprehension
from diablo.dialects.comprehension import BagType
from diablo.dialects.locations import located, remark
from diablo.dialects.monoids import number_attribute
from diablo.dialects.number_constants import constant_op
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


def _folds_of(group: comprehension.GroupByOp) -> list[comprehension.ReduceOp]:
    """Return the folds of the one group of a constant key; raises `Refused` if it needs its rows.

    How many rows there are is a fold as well.
    """
    block = group.parent
    uses = [use.operation for bag in group.bags for use in bag.uses]
    for op in uses:
        if not isinstance(op, comprehension.ReduceOp | comprehension.LengthOp):
            raise Refused("something else than folds uses its rows")
        if op.parent is not block:
            raise Refused("another comprehension folds its rows")
    return [op for op in uses if isinstance(op, comprehension.ReduceOp)]


def _needs_a_row(group: comprehension.GroupByOp, root: Root) -> str:
    """Return why it matters that without rows there is no group; nothing if it does not."""
    block = root.body.block
    end = block.last_op
    op = group.next_op
    while op is not None and op is not end:
        if is_generator(op):
            return "a generator or another group_by follows"
        if can_trap(op):
            return "an operation behind it can fail"
        op = op.next_op
    folds = _folds_of(group)
    if any(isinstance(use.operation, comprehension.LengthOp) for b in group.bags for use in b.uses):
        return "its rows are counted"
    known: Known = {}
    for fold in folds:
        identity = identity_constant(fold.monoid.data, fold.result.type, fold)
        if identity is None:
            return "a fold has no identity that is known"
        known[fold.result] = identity
    ops = list(block.ops)
    if not is_superfluous_head(root, ops[ops.index(group) + 1 :], known):
        return "without any row there would be a result"
    return ""


def _check_again(rows: list[Operation]) -> None:
    """Raise `Refused` if ops that run once per row are not to be run for each of several folds."""
    generators = [op for op in rows if is_generator(op)]
    arrays = all(
        isinstance(op, comprehension.RangeOp)
        or (isinstance(op, comprehension.EachOp) and isinstance(op.collection.type, TensorType))
        for op in generators
    )
    if len(generators) > 1 and not arrays:
        raise Refused("its rows, of several generators, would be made for each fold")


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


def _aggregate(group: comprehension.GroupByOp, rows: list[Operation], *, is_there: bool) -> None:
    """Fold the one group by `aggregate`s of the ops that run once per row.

    Unless it `is_there` without rows too, what follows is guarded by whether there is one.
    """
    block = group.parent
    assert block is not None

    def add(monoid: str, value: SSAValue | None, type: Attribute, near: Operation) -> SSAValue:
        body = Block()
        mapping: dict[SSAValue, SSAValue] = {}
        for op in rows:
            body.add_op(op.clone(mapping))
        if value is None:
            one = located(constant_op(number_attribute(1, type)), near)
            body.add_op(one)
            value = one.results[0]
        body.add_op(located(comprehension.YieldOp((), [mapping.get(value, value)]), group))
        new = comprehension.AggregateOp(monoid, Region(body), type)
        block.insert_op_before(located(new, near), group)
        return new.result

    if not is_there:
        some = add("or", None, i1, group)
        block.insert_op_before(located(comprehension.GuardOp(some), group), group)
    values = dict[SSAValue, tuple[SSAValue, ...]](zip(group.bags, group.bag_values, strict=True))
    for fold in list(block.ops):
        if not isinstance(fold, comprehension.ReduceOp | comprehension.LengthOp):
            continue
        if fold.bag in values:
            result = fold.result
            if isinstance(fold, comprehension.ReduceOp):
                made = add(fold.monoid.data, values[fold.bag][0], result.type, fold)
            else:
                made = add("add", None, result.type, fold)
            made.name_hint = result.name_hint
            result.replace_all_uses_with(made)
            block.erase_op(fold)
    for key, group_key in zip(group.keys, group.group_keys, strict=True):
        group_key.replace_all_uses_with(key)
    block.erase_op(group)
    for op in reversed(rows):
        block.erase_op(op)


def _unique(root: Root) -> bool:
    """Drop one group_by on a unique key."""
    for before, (group, *_) in pairwise(segments_of(root.body.block)):
        assert isinstance(group, comprehension.GroupByOp)
        if DeterminedValues(before, group.keys).unique():
            remark(group, "no two rows have the same key: nothing is grouped")
            _ungroup(group)
            return True
    return False


def _constant(root: Root) -> bool:
    """Replace one group_by with a constant key by aggregates."""
    block = root.body.block
    for group in reversed(list(block.ops)):
        if not isinstance(group, comprehension.GroupByOp):
            continue
        rows = _rows_of(group, block)
        made = {result for op in rows for result in op.results}
        if not rows or any(key in made for key in group.keys):
            continue
        try:
            folds = _folds_of(group)
            why = _needs_a_row(group, root)
            if why or len(folds) > 1:
                _check_again(rows)
        except Refused as refusal:
            remark(group, f"all rows have the same key, but they are grouped: {refusal}")
            continue
        which = f", if there are any: {why}" if why else ""
        remark(group, f"all rows have the same key: they are folded by an aggregate{which}")
        _aggregate(group, rows, is_there=not why)
        return True
    return False


@dataclass(frozen=True)
class UniqueKeysPass(ModulePass):
    """Drop a group_by whose groups are known beforehand."""

    name = "unique-keys"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at every group_by."""
        for root in roots_in(op):
            while _unique(root) or _constant(root):
                pass

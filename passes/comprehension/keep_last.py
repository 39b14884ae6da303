"""Say which of several rows with one index or key is kept, the last one, and how ties are sorted.

Works at the comprehension level.

```mlir
%A = comprehension.build (%five) : tensor<?xf64> {
  %i, %j, %m = comprehension.each %M : tensor<?x?xf64>
  %k = arith.remsi %sum, %five : index                 // (i+j) % 5
  comprehension.yield (%k) %m
}
```

becomes

```mlir
%A = comprehension.build (%five) : tensor<?xf64> {
  %i, %j, %m = comprehension.each %M : tensor<?x?xf64>
  %k = arith.remsi %sum, %five : index
  %g, %rows = comprehension.group_by keys(%k) values(%i, %j, %m)
      : index, !comprehension.bag<index, index, f64>
  %last = comprehension.last %rows by 2 : !comprehension.bag<index, index, f64>
  comprehension.yield (%g) %last
}
```

so that no later pass, engine or block size changes which row that is. The columns before the value
are the row's place in the order of the comprehension: the generators from left to right, as nested
loops, of each what tells its rows apart. That is the index of a range or an array, the key of a map
or a group, the number of a row of a list, or its columns, by which lists without an order ascend.

Where two rows cannot have one key (`passes/analyses/loops/repeated_keys.py`), or all rows of a key
have the same value, nothing changes. Of the places those are left out that the key and the places
before determine. What `sorted` says of generators is not needed any more, and goes.

Rows that are sorted (`tensor_block.sort`) and agree in all that they are sorted by stay in the
order of the comprehension. So it gets their places as further columns, by which they are sorted
last, unless it goes through one list alone, whose rows stand in that order:

```mlir
%rows = comprehension.collect : !comprehension.bag<f64> {
  %i, %j, %m = comprehension.each %M : tensor<?x?xf64>
  comprehension.yield %m
}
%sorted = tensor_block.sort %rows by [0 desc] : …    // of %m, %i, %j: by [0 desc, 1, 2] to [0]
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.bags import BagType, sorted_columns
from diablo.dialects.locations import located, remark
from diablo.passes.analyses.loops.repeated_keys import rows_of_one_key
from diablo.passes.analyses.values.comprehension_structure import Root, roots_in
from diablo.passes.analyses.values.determined_values import (
    DeterminedValues,
    identity_columns,
    is_generator,
    segments_of,
)


def _keys_of(root: Root) -> int:
    """Return how many columns of the rows are keys, of which each has one value; 0 if none are."""
    type = root.results[0].type
    if isinstance(root, comprehension.MergeOp) and root.monoid is not None:
        return 0
    if isinstance(type, TensorType):
        return 0 if isinstance(root, comprehension.AggregateOp) else type.get_num_dims()
    return type.keys.data if isinstance(type, BagType) else 0


def _numbered(each: comprehension.EachOp) -> SSAValue:
    """Let a generator over a list bind the numbers of its rows, too; the number."""
    collection = each.collection
    anchor: Operation = each
    while isinstance(parent := anchor.parent_op(), Root):
        owner = collection.owner
        if isinstance(owner, Operation) and owner.parent is anchor.parent:
            break
        anchor = parent
    numbers = located(tensor_block.NumberOp(collection), each)
    Rewriter.insert_op(numbers, InsertPoint.before(anchor))
    numbers.result.name_hint = collection.name_hint
    new = located(comprehension.EachOp(numbers.result), each)
    hints = [element.name_hint for element in each.elements]
    Rewriter.replace_op(each, new, list(new.elements[:-1]))
    for element, hint in zip(new.elements, [*hints, "place"], strict=True):
        element.name_hint = hint
    return new.elements[-1]


def _descending(range: comprehension.RangeOp, end: Operation) -> SSAValue:
    """Return what ascends where the index of a range goes down."""
    zero = located(arith.ConstantOp(IntegerAttr(0, IndexType())), end)
    negative = located(arith.SubiOp(zero.result, range.index), end)
    Rewriter.insert_op([zero, negative], InsertPoint.before(end))
    return negative.result


def _own_places(generator: Operation) -> Sequence[SSAValue] | None:
    """The variables of a generator by which its rows ascend; none if rows have to be numbered."""
    if not isinstance(generator, comprehension.EachOp) or isinstance(
        generator.collection.type, TensorType
    ):
        return identity_columns(generator)
    type = generator.collection.type
    assert isinstance(type, BagType)
    if not type.is_map and generator.sorted is None:
        return None
    return tuple(generator.elements)[: sorted_columns(type, generator.sorted)]


def _placed(ops: Sequence[Operation], found: DeterminedValues) -> list[SSAValue | Operation]:
    """Return what says where a row stands in the order of the comprehension, given its key.

    A generator stands for the numbers of its rows, or of its index, which goes down.
    """
    places: list[SSAValue | Operation] = []
    for generator in filter(is_generator, ops):
        columns = _own_places(generator)
        if columns is None:
            if generator not in found.rows:
                places.append(generator)
                found.rows.add(generator)
            columns = generator.results
        else:
            goes_down = isinstance(generator, comprehension.RangeOp) and _goes_down(generator)
            places += [generator if goes_down else c for c in columns if not found.has(c)]
        for column in columns:
            found.add(column)
        found.close()
    return places


def _goes_down(range: comprehension.RangeOp) -> bool:
    return range.step is not None and range.step.value.data < 0


def _place(placed: SSAValue | Operation, end: Operation) -> SSAValue:
    """The column that holds a place."""
    match placed:
        case comprehension.EachOp():
            return _numbered(placed)
        case comprehension.RangeOp():
            return _descending(placed, end)
        case _:
            assert isinstance(placed, SSAValue)
            return placed


def _keep_last(root: Root) -> None:
    count = _keys_of(root)
    if count == 0:
        return
    block = root.body.block
    ops = segments_of(block)[-1]
    end = ops[-1]
    assert isinstance(end, comprehension.YieldOp)
    found = rows_of_one_key(ops, end.operands[:count])
    if found.unique() or all(map(found.has, end.operands[count:])):
        return
    what = "key" if isinstance(root.results[0].type, BagType) else "index"
    remark(end, f"several rows may have one {what}: of these the last one is kept")
    places = [_place(placed, end) for placed in _placed(ops, found)]
    row = list(end.operands)
    keys, values = row[:count], row[count:]
    group = located(
        comprehension.GroupByOp(keys, [*places, *values], [len(places) + len(values)]), end
    )
    last = located(comprehension.LastOp(group.bags[0], len(places)), end)
    head = located(comprehension.YieldOp(group.group_keys, last.values), end)
    for old, new in zip(row, [*group.group_keys, *last.values], strict=True):
        new.name_hint = old.name_hint
    group.bags[0].name_hint = "rows"
    Rewriter.replace_op(end, [group, last, head], [])


def _goes_through_a_list(ops: Sequence[Operation]) -> bool:
    """Return whether the rows of one list, which have an order, are all that is gone through."""
    match [op for op in ops if is_generator(op)]:
        case [comprehension.EachOp(collection=collection) as each]:
            is_list = isinstance(collection.type, BagType) and not collection.type.is_map
            return is_list and each.sorted is None
        case _:
            return False


def _sort_ties(sort: tensor_block.SortOp) -> None:
    """Sort rows that agree in the keys by their places in the order of the comprehension."""
    root = sort.bag.owner
    if not isinstance(root, comprehension.CollectOp) or not sort.bag.has_one_use():
        return
    ops = segments_of(root.body.block)[-1]
    end = ops[-1]
    assert isinstance(end, comprehension.YieldOp)
    is_nested = isinstance(root.parent_op(), Root)
    if not is_nested and ops[0] is root.body.block.first_op and _goes_through_a_list(ops):
        return
    found = rows_of_one_key(ops, [end.operands[column] for column, _ in sort.by])
    if found.unique():
        return
    by, places = sort.by, [_place(placed, end) for placed in _placed(ops, found)]
    row = list(end.operands)
    for place in places:
        if place not in row:
            row.append(place)
        by.append((row.index(place), False))
    kept = [len(row) if column == sort.place else column for column in sort.kept]
    kept = kept if sort.columns is not None or len(row) > len(end.operands) else None
    head = located(comprehension.YieldOp([], row), end)
    Rewriter.replace_op(end, head, [])
    rows = located(
        comprehension.CollectOp(
            root.detach_region(root.body), BagType([value.type for value in row])
        ),
        root,
    )
    rows.result.name_hint = root.result.name_hint
    sorted = located(tensor_block.SortOp(rows.result, by, sort.limit, kept), sort)
    Rewriter.insert_op(rows, InsertPoint.before(root))
    sorted.result.name_hint = sort.result.name_hint
    Rewriter.replace_op(sort, sorted)
    Rewriter.erase_op(root)


@dataclass(frozen=True)
class KeepLastPass(ModulePass):
    """Say which of several rows with one index or key is kept, and how ties are sorted."""

    name = "keep-last"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at every comprehension that makes or changes an array or a map."""
        for root in roots_in(op):
            _keep_last(root)
        for sort in [op for op in op.walk() if isinstance(op, tensor_block.SortOp)]:
            _sort_ties(sort)
        for each in op.walk():
            if isinstance(each, comprehension.EachOp):
                each.sorted = None

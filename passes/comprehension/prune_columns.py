"""Drop the columns of lists that nothing reads.

Works at the comprehension level.

```mlir
%rows = comprehension.collect : !bag<i64, f64> {     %rows = comprehension.collect : !bag<f64> {
  …                                                    …
  comprehension.yield (%k) %x                    ==>   comprehension.yield %x
}                                                    }
%k, %x = comprehension.each %rows                    %x = comprehension.each %rows
```

A list may pass through `scf.if` and `scf.while` on the way; what else sees it, as the caller
of the function, reads all columns, which a remark says. The bags of a `group_by` lose columns
too. The keys of a map stay, for they decide which rows it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from diablo.dialects import comprehension
from diablo.dialects.comprehension import BagType
from diablo.dialects.locations import located, remark
from diablo.passes.analyses.plans.bag_flow import BagFlow, Source, bag_flow


def _needed(flow: BagFlow, type: BagType) -> list[int]:
    """The columns that are read; one at least."""
    needed = set(range(type.keys.data))
    for reader in flow.readers:
        if isinstance(reader, comprehension.EachOp):
            needed |= {e.index for e in reader.elements if e.first_use is not None}
    return sorted(needed) or [0]


def _pruned_type(type: BagType, kept: Sequence[int]) -> BagType:
    columns = list(type.columns)
    return BagType([columns[position] for position in kept], type.keys.data)


def _prune_source(source: OpResult, kept: Sequence[int], type: BagType) -> None:
    """Let the op that makes a list make fewer columns."""
    op = source.op
    match op:
        case comprehension.CollectOp():
            end = op.body.block.last_op
            assert isinstance(end, comprehension.YieldOp)
            keys = len(end.keys)
            row = [end.operands[position] for position in kept]
            split = sum(position < keys for position in kept)
            head = located(comprehension.YieldOp(row[:split], row[split:]), end)
            op.body.block.insert_op_before(head, end)
            op.body.block.erase_op(end)
            Rewriter.replace_value_with_new_type(source, type)
        case comprehension.ListOp():
            rows = [[row[position] for position in kept] for row in op.rows]
            new = located(comprehension.ListOp(rows, type), op)
            Rewriter.replace_op(op, new)
        case comprehension.ConstantListOp():
            data = [op.columns.data[position] for position in kept]
            Rewriter.replace_op(op, located(comprehension.ConstantListOp(data, type), op))
        case comprehension.GroupByOp():
            _prune_group(op, source, kept)
        case _:
            raise AssertionError(f"'{op.name}' makes no list")


def _prune_group(group: comprehension.GroupByOp, bag: OpResult, kept: Sequence[int]) -> None:
    bags: list[SSAValue] = list(group.bags)
    rows = list(group.bag_values)
    position = bags.index(bag)
    rows[position] = tuple(rows[position][column] for column in kept)
    values = [value for row in rows for value in row]
    new = comprehension.GroupByOp(list(group.keys), values, [len(row) for row in rows])
    Rewriter.replace_op(group, located(new, group), list(new.results))


def _prune_reader(each: comprehension.EachOp, kept: Sequence[int]) -> None:
    new = located(comprehension.EachOp(each.collection, full=each.full is not None), each)
    replacements: list[SSAValue | None] = [None] * len(each.elements)
    for element, position in zip(new.elements, kept, strict=True):
        element.name_hint = each.elements[position].name_hint
        replacements[position] = element
    Rewriter.replace_op(each, new, replacements)


def _prune(value: OpResult) -> bool:
    """Drop the columns of the list `value` that are not read, everywhere."""
    assert isinstance(value.type, BagType)
    if len(value.type.columns) < 2 or value.first_use is None:
        return False
    flow = bag_flow(value)
    kept = _needed(flow, value.type)
    if not flow.closed or len(kept) == len(value.type.columns):
        return False
    name = value.name_hint or "a list"
    dropped = len(value.type.columns) - len(kept)
    remark(value.op, f"{dropped} of the columns of {name} are read nowhere and dropped")
    type = _pruned_type(value.type, kept)
    for source in flow.sources:
        _prune_source(source, kept, type)
    for passed in flow.values:
        if passed not in flow.sources:
            Rewriter.replace_value_with_new_type(passed, type)
    for reader in flow.readers:
        if isinstance(reader, comprehension.EachOp):
            _prune_reader(reader, kept)
    return True


def _explain(value: OpResult) -> None:
    """Say why columns of the list `value` stay although nothing known reads them."""
    assert isinstance(value.type, BagType)
    if len(value.type.columns) < 2 or value.first_use is None:
        return
    flow = bag_flow(value)
    unread = len(value.type.columns) - len(_needed(flow, value.type))
    if unread and flow.readers and not flow.closed:
        name = value.name_hint or "a list"
        remark(value.op, f"{unread} of the columns of {name} stay: {flow.why_open[0]}")


def _lists(module: ModuleOp) -> list[OpResult]:
    """The lists that ops of a module make."""
    return [
        result
        for op in module.walk()
        if isinstance(op, Source)
        for result in op.results
        if isinstance(result.type, BagType)
    ]


@dataclass(frozen=True)
class PruneColumnsPass(ModulePass):
    """Drop the columns of lists that nothing reads."""

    name = "prune-columns"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Prune until every column is read."""
        while any(map(_prune, _lists(op))):
            pass
        for value in _lists(op):
            _explain(value)

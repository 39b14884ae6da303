"""A group-by over rows: folded in one go where its bags are only folded, else lists.

Reads the `comprehension` level, writes row ops of the `tensor_block` level.

    %g, %xs = group_by keys(%k) values(%x)      %r0 = tensor_block.project %rows[0, 1]
    %s = reduce add %xs                    ==>  %r1 = tensor_block.group_reduce %r0 keys 1
                                                          monoids(add)

In a nested comprehension the rows of an outer row (the *context*) are grouped apart from
those of another.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.comprehension_monoids import find_monoid
from diablo.dialects.locations import remark
from diablo.dialects.tensor_block_folds import ANY
from diablo.lowering.tensor_block.query import underlying
from diablo.lowering.tensor_block.row_results import written_within
from diablo.lowering.tensor_block.row_table import RowTable
from diablo.lowering.tensor_block.row_values import inner_ops, operands_of
from diablo.passes.analyses.speculation import Qualifier, can_trap

Fold = comprehension.ReduceOp | comprehension.LengthOp


def following(op: Operation) -> list[Operation]:
    """The ops after `op` in its block."""
    ops: list[Operation] = []
    next = op.next_op
    while next is not None:
        ops.append(next)
        next = next.next_op
    return ops


def folds_of(group: comprehension.GroupByOp) -> list[Fold] | None:
    """How the bags are folded; `None` if one of them is used in another way."""
    folds = [
        inner
        for op in following(group)
        for inner in inner_ops(op)
        if isinstance(inner, Fold) and inner.bag in group.bags
    ]
    for fold in folds:
        if isinstance(fold, comprehension.ReduceOp):
            monoid = find_monoid(fold.monoid.data, group)
            if monoid is not None and can_trap(monoid):
                return None  # a guard before the fold may protect it
    uses = sum(len(list(bag.uses)) for bag in group.bags)
    return folds if uses == len(folds) else None


class Grouping:
    """One group-by of a comprehension whose rows are `table`.

    `outer`, if any, are the rows that the comprehension started from, one for each value of
    `context`.
    """

    def __init__(
        self,
        group: comprehension.GroupByOp,
        table: RowTable,
        context: Sequence[SSAValue],
        outer: RowTable | None,
    ):
        self.group = group
        self.table = table
        self.context = list(context)
        self.outer = outer

    def lower(self) -> None:
        """Make one row of each group."""
        folds = folds_of(self.group)
        if folds is not None:
            self._fold(folds)
        else:
            self._list()

    def _outer_values(self) -> list[SSAValue]:
        """The values of the outer rows that are used after the group-by."""
        if self.outer is None:
            return []
        used = [value for op in following(self.group) for value in operands_of(op)]
        found = self.outer.slice(used).columns
        return [v for v in self.outer.columns if v in found and v not in self.context]

    def _fold(self, folds: Sequence[Fold]) -> None:
        table, group = self.table, self.group
        keys, outer = [*self.context, *group.keys], self._outer_values()
        results: dict[SSAValue, int] = {}
        values: list[SSAValue] = []
        names: list[str] = []
        bags: dict[SSAValue, tuple[SSAValue, ...]]
        bags = dict(zip(group.bags, group.bag_values, strict=True))
        one: SSAValue | None = None
        for fold in folds:
            match fold:
                case comprehension.LengthOp():
                    one = table.constant(IntegerAttr(1, i64)) if one is None else one
                    folded = (one, "add")
                case comprehension.ReduceOp():
                    folded = (bags[fold.bag][0], fold.monoid.data)
            columns = list(zip(values, names, strict=True))
            if folded not in columns:
                values.append(folded[0])
                names.append(folded[1])
                columns.append(folded)
            results[fold.result] = len(keys) + columns.index(folded)
        wanted = [*keys, *values, *outer]
        table.take(wanted, [value.type for value in wanted])
        monoids = [*names, *[ANY] * len(outer)]
        table.bag = table.driver.insert(tensor_block.GroupReduceOp(table.rows, len(keys), monoids))
        table.columns = {v: p for p, v in enumerate([*self.context, *group.group_keys])}
        table.columns.update(results)
        table.columns.update({v: len(keys) + len(values) + p for p, v in enumerate(outer)})
        table.number = None

    def _list(self) -> None:
        table, group = self.table, self.group
        remark(group, "the groups are kept as lists: they are not only folded")
        keys = [*self.context, *group.keys]
        bags = [
            (bag, values)
            for bag, values in zip(group.bags, group.bag_values, strict=True)
            if bag.first_use is not None
        ]
        outer = self._outer_values()
        wanted = [*keys, *[value for _, values in bags for value in values]]
        table.take(wanted, [value.type for value in wanted])
        widths = [len(values) for _, values in bags]
        table.bag = table.driver.insert(tensor_block.GroupOp(table.rows, len(keys), widths))
        results = [*self.context, *group.group_keys, *[bag for bag, _ in bags]]
        table.columns = {v: p for p, v in enumerate(results)}
        table.number = None
        if outer:
            assert self.outer is not None
            rows = self.outer.fork()
            rows.keep([*self.context, *outer])
            kept = list(dict.fromkeys(self.context))
            table.join(rows.rows, kept, range(len(kept)), list(rows.columns))


def scatter(group: comprehension.GroupByOp, root: Operation, table: RowTable) -> SSAValue | None:
    """A group-by on the result's own index is folded while the array is filled."""
    if not isinstance(root, comprehension.BuildOp):
        return None
    after = following(group)
    folds = folds_of(group)
    if folds is None or len(folds) != 1 or not isinstance(folds[0], comprehension.ReduceOp):
        return None
    head = after[-1]
    assert isinstance(head, comprehension.YieldOp)
    casts = sum(isinstance(op, arith.IndexCastOp) for op in after)
    if len(after) > 2 + casts or any(isinstance(op, Qualifier) for op in after):
        return None
    source: dict[SSAValue, SSAValue] = dict(zip(group.group_keys, group.keys, strict=True))
    keys = [source.get(underlying(key)) for key in head.keys]
    if len(keys) != len(source) or head.values[0] is not folds[0].result:
        return None
    found = [key for key in keys if key is not None]
    if len(found) < len(keys) or len(set(found)) < len(found):
        return None
    bags: dict[SSAValue, tuple[SSAValue, ...]]
    bags = dict(zip(group.bags, group.bag_values, strict=True))
    value = bags[folds[0].bag][0]
    types: list[Attribute] = [*[IndexType()] * len(found), value.type]
    table.take([*found, value], types)
    monoid, within = folds[0].monoid.data, written_within(root, root.dims)
    return table.driver.insert(
        tensor_block.FromBagOp(table.rows, root.dims, root.result.type, monoid, within=within)
    )

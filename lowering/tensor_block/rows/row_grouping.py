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
from xdsl.rewriter import Rewriter

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.comprehension.comprehension_monoids import find_monoid
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, remark
from diablo.dialects.monoids import ANY, PLACE
from diablo.lowering.tensor_block.query.plan_sizes import driver_dimensions
from diablo.lowering.tensor_block.rows.row_results import written_within
from diablo.lowering.tensor_block.rows.row_table import RowTable
from diablo.lowering.tensor_block.rows.row_values import inner_ops, operands_of
from diablo.passes.analyses.values.affine_values import constant_value, underlying
from diablo.passes.analyses.values.comprehension_structure import Qualifier
from diablo.passes.analyses.values.speculation import can_trap

Fold = comprehension.ReduceOp | comprehension.LengthOp | comprehension.LastOp


def following(op: Operation) -> list[Operation]:
    """The ops after `op` in its block."""
    ops: list[Operation] = []
    next = op.next_op
    while next is not None:
        ops.append(next)
        next = next.next_op
    return ops


def folds_of(group: comprehension.GroupByOp) -> list[Fold] | None:
    """Return how the bags are folded; `None` if one of them is used in another way."""
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
    if not _agree_in_places(group, folds):
        return None
    uses = sum(len(list(bag.uses)) for bag in group.bags)
    return folds if uses == len(folds) else None


def _last_row(
    group: comprehension.GroupByOp, last: comprehension.LastOp
) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
    """The places of the rows of a group, and what is kept of the last one."""
    row = group.bag_values[list[SSAValue](group.bags).index(last.bag)]
    count = last.places.value.data
    return row[:count], row[count:]


def _agree_in_places(group: comprehension.GroupByOp, folds: Sequence[Fold]) -> bool:
    """Return whether there is one row of a group that all say is the last one."""
    lasts = [fold for fold in folds if isinstance(fold, comprehension.LastOp)]
    return len({tuple(_last_row(group, last)[0]) for last in lasts}) <= 1


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

        def column(value: SSAValue, name: str) -> int:
            """Return where a column is that is folded so."""
            columns = list(zip(values, names, strict=True))
            if (value, name) not in columns:
                values.append(value)
                names.append(name)
                columns.append((value, name))
            return len(keys) + columns.index((value, name))

        for fold in folds:
            match fold:
                case comprehension.LengthOp():
                    one = table.constant(IntegerAttr(1, i64)) if one is None else one
                    results[fold.result] = column(one, "add")
                case comprehension.ReduceOp():
                    results[fold.result] = column(bags[fold.bag][0], fold.monoid.data)
                case comprehension.LastOp():
                    places, kept = _last_row(group, fold)
                    for place in places:
                        column(place, PLACE)
                    for result, value in zip(fold.values, kept, strict=True):
                        results[result] = column(value, ANY)
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


def take_lengths(group: comprehension.GroupByOp) -> None:
    """Ask for the length of another bag instead of adding up ones, where bags are kept as lists."""
    if folds_of(group) is not None:
        return
    ones = [
        bag
        for bag, values in zip(group.bags, group.bag_values, strict=True)
        if len(values) == 1 and values[0].type == i64 and constant_value(values[0]) == 1
    ]
    folds = [use.operation for bag in ones for use in bag.uses]
    others = [bag for bag in group.bags if bag not in ones and bag.first_use is not None]
    if not others or not all(_adds(op) for op in folds):
        return
    for fold in folds:
        Rewriter.replace_op(fold, located(comprehension.LengthOp(others[0]), fold))


def _adds(op: Operation) -> bool:
    return isinstance(op, comprehension.ReduceOp) and op.monoid.data == "add"


def scatter(group: comprehension.GroupByOp, root: Operation, table: RowTable) -> SSAValue | None:
    """A group-by on the result's own index is folded while the array is filled."""
    after = following(group)
    folds = folds_of(group)
    if folds is None or len(folds) != 1:
        return None
    fold = folds[0]
    match root:
        case comprehension.BuildOp() if not isinstance(fold, comprehension.LengthOp):
            dest, dims = None, list(root.dims)
        case comprehension.MergeOp() if isinstance(fold, comprehension.LastOp):
            # A fold with the old element is not that of the group alone.
            dest = root.dest
            if root.monoid is not None or as_array(dest.type) is None:
                return None
            dims = driver_dimensions(dest, table.driver)
        case _:
            return None
    head = after[-1]
    assert isinstance(head, comprehension.YieldOp)
    casts = sum(isinstance(op, arith.IndexCastOp) for op in after)
    if len(after) > 2 + casts or any(isinstance(op, Qualifier) for op in after):
        return None
    source: dict[SSAValue, SSAValue] = dict(zip(group.group_keys, group.keys, strict=True))
    keys = [source.get(underlying(key)) for key in head.keys]
    if len(keys) != len(source) or head.values[0] is not fold.results[0]:
        return None
    found = [key for key in keys if key is not None]
    if len(found) < len(keys) or len(set(found)) < len(found):
        return None
    places: Sequence[SSAValue] = ()
    monoid: str | None = None
    if isinstance(fold, comprehension.LastOp):
        places, (value,) = _last_row(group, fold)
    else:
        monoid = fold.monoid.data
        (value, *_) = group.bag_values[list[SSAValue](group.bags).index(fold.bag)]
    wanted = [*found, *places, value]
    types: list[Attribute] = [IndexType()] * len(found)
    table.take(wanted, [*types, *[column.type for column in (*places, value)]])
    return table.driver.insert(
        tensor_block.FromBagOp(
            table.rows,
            dims,
            root.results[0].type,
            monoid,
            dest,
            within=written_within(root, dims),
            places=len(places),
        )
    )
